//! What a use case is called at each door, and how its answer is written.

use schemars::JsonSchema;
pub use schemars::Schema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::api::Fields;
use crate::vocabulary::names;
use crate::{Error, to_json};

/// What a use case takes, as one type for all doors.
pub trait Request: DeserializeOwned + JsonSchema + Send + 'static {
    /// What it gives.
    type Answer: Serialize + JsonSchema + Send + 'static;

    /// What it is called at each door.
    const CALL: Call;

    /// Which members of the answer are wanted, where not all are.
    fn fields(&self) -> Option<&[String]> {
        None
    }

    /// What HTTP refuses beside what the type says: it reads no clock for its callers, and one caller must not hold up others.
    ///
    /// # Errors
    /// [`Unfit`]
    fn fit_for_http(&self) -> Result<(), Unfit> {
        Ok(())
    }

    /// Bounds what a tool gives, where the caller does not say how much it wants.
    fn for_tool(&mut self) {}
}

/// Why HTTP refuses a request that other doors take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A member is missing.
    Missing {
        /// The member.
        member: &'static str,
    },
    /// A member holds more than it may.
    TooLarge {
        /// The member.
        member: &'static str,
        /// What it holds.
        bytes: usize,
        /// What it may hold.
        bytes_max: usize,
    },
    /// A member lists more than it may.
    TooMany {
        /// The member.
        member: &'static str,
        /// How many it lists.
        count: usize,
        /// How many it may list.
        count_max: usize,
    },
}

/// What a use case is called at each door.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The verb of the command line that does the same.
    pub verb: &'static str,
    /// What it does, in a few words.
    pub title: &'static str,
    /// The MCP tool; `None` where there is none.
    pub tool: Option<Tool>,
    /// The route that takes the request as a body of JSON; `None` where there is none.
    pub route: Option<Route>,
}

/// A use case as a tool for agents.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What a model reads to decide whether to call it.
    pub about: &'static str,
    /// Whether a call changes nothing that later calls see. A record of the call itself does not count.
    pub reads_only: bool,
    /// Whether the tool needs a store, so that a server without one refuses it.
    pub needs_store: bool,
    /// The sets of tools that it is listed in: `hosts` has what agents need, `all` all there is.
    pub set: ToolSet,
    /// Whether its answer can be long, so that it takes `max_tokens`.
    pub takes_max_tokens: bool,
}

names! {
    /// Which tools a server lists.
    ToolSet {
        /// What agents need while they work.
        Hosts = "hosts", "what agents need";
        /// What looks after stored runs and prompts as well.
        All = "all", "all tools";
    }
}

/// A use case as a route of the HTTP API: `POST` with a body of JSON.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// Its path.
    pub path: &'static str,
    /// A name for programs (`operationId`).
    pub name: &'static str,
    /// What it does, for the document of the API.
    pub about: &'static str,
    /// A body, as it would be sent.
    pub example: &'static str,
    /// What the answer is, in a few words.
    pub gives: &'static str,
    /// Whether a key that may only read suffices.
    pub reads_only: bool,
    /// How large the body may be.
    pub body: Body,
}

/// How large a body may be.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The whole body in bytes, before and after it is inflated.
    pub bytes_max: usize,
    /// A string of its JSON, in bytes.
    pub string_bytes_max: usize,
}

/// The arguments of a tool.
pub type Arguments = serde_json::Map<String, Value>;

/// Reads the arguments of a tool.
///
/// # Errors
/// What is wrong with them, in words.
pub fn from_arguments<T: DeserializeOwned>(arguments: Arguments) -> Result<T, String> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| error.to_string())
}

/// The JSON Schema (draft 2020-12) of a tool's arguments, with nothing to look up elsewhere: many clients hand it to a model as
/// it is.
#[must_use]
pub fn arguments_schema<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator()
        .into_root_schema_for::<T>()
}

/// An answer of a use case, which each door writes in its own form.
pub struct Answer {
    value: Box<dyn Written>,
    fields: Option<Fields>,
}

impl Answer {
    /// A published value. With `fields` only these members of it are written.
    pub fn of<T: Serialize + Send + 'static>(value: T, fields: Option<Fields>) -> Self {
        Self { value: Box::new(value), fields }
    }

    /// The same with only these members, where the request named none.
    #[must_use]
    pub fn only(self, fields: Option<Fields>) -> Self {
        Self { fields: self.fields.or(fields), ..self }
    }

    /// The bytes of `--format json`.
    ///
    /// # Errors
    /// [`Error::Write`] where the value has no JSON form; no type of this crate is without one.
    pub fn json(&self) -> Result<String, Error> {
        match &self.fields {
            None => self.value.json(),
            Some(_) => to_json(&self.narrowed(self.whole()?)),
        }
    }

    /// The JSON on one line, members in the order of the type where all are written.
    ///
    /// # Errors
    /// As [`json`](Self::json).
    pub fn line(&self) -> Result<String, Error> {
        match &self.fields {
            None => self.value.line(),
            Some(_) => Ok(self.narrowed(self.whole()?).to_string()),
        }
    }

    /// The whole value, whatever members are wanted.
    ///
    /// # Errors
    /// As [`json`](Self::json).
    pub fn whole(&self) -> Result<Value, Error> {
        self.value.value()
    }

    /// The whole value with only the members that are wanted.
    #[must_use]
    pub fn narrowed(&self, mut whole: Value) -> Value {
        if let Some(fields) = &self.fields {
            fields.keep(&mut whole);
        }
        whole
    }
}

/// What can be written as JSON, whatever its type.
trait Written: Send {
    fn json(&self) -> Result<String, Error>;
    fn line(&self) -> Result<String, Error>;
    fn value(&self) -> Result<Value, Error>;
}

impl<T: Serialize + Send> Written for T {
    fn json(&self) -> Result<String, Error> {
        to_json(self)
    }

    fn line(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(Error::Write)
    }

    fn value(&self) -> Result<Value, Error> {
        serde_json::to_value(self).map_err(Error::Write)
    }
}
