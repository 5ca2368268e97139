//! Somebody's plan, as `plan check` takes it.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// An item of somebody's plan. What is not given cannot be checked, and the result says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenItem {
    /// What is to be done.
    #[serde(default)]
    pub task: Option<String>,
    /// Why.
    #[serde(default)]
    pub why: Option<String>,
    /// For how many minutes.
    #[serde(default)]
    pub timebox_minutes: Option<i64>,
    /// From when: RFC 3339, a date and time without offset, a clock time of the current day, or `Day n`.
    #[serde(default)]
    pub start: Option<String>,
    /// Until when, in the same forms.
    #[serde(default)]
    pub end: Option<String>,
    /// With whom: a name, or a list of names.
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "OneOrMany")]
    pub with: Vec<String>,
    /// Where.
    #[serde(default)]
    pub place: Option<String>,
    /// What our own plans say of their items; it is not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraint_ids: Vec<String>,
}

/// A name or a list of names, for the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "its schema alone is used")]
enum OneOrMany {
    Nobody(()),
    One(String),
    Many(Vec<String>),
}

fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct Names;
    impl<'de> Visitor<'de> for Names {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a name or a list of names")
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Vec::new())
        }

        fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
            Ok(vec![name.to_owned()])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(name) = names.next_element()? {
                all.push(name);
            }
            Ok(all)
        }
    }
    deserializer.deserialize_any(Names)
}

/// Somebody's plan: a list of items, or a response of which the items alone are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenPlan {
    /// Its items, in their order.
    pub items: Vec<GivenItem>,
}

/// A text that is no plan: where and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong there.
    pub what: String,
}

impl From<serde_json::Error> for Misread {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let said = error.to_string();
        let place = format!(" at line {line} column {column}");
        Self { line, column, what: said.strip_suffix(place.as_str()).unwrap_or(&said).to_owned() }
    }
}

/// An item that has names for its members: a derived reader takes a list of their values as well, which no schema says.
struct Named(GivenItem);

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Named;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an item, which is an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
                GivenItem::deserialize(MapAccessDeserializer::new(members)).map(Named)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// A response: what is beside its items may have any form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Response {
    plan: Vec<Named>,
    #[serde(default, rename = "schema_version")]
    _schema_version: IgnoredAny,
    #[serde(default, rename = "rules_version")]
    _rules_version: IgnoredAny,
    #[serde(default, rename = "status")]
    _status: IgnoredAny,
    #[serde(default, rename = "feasible")]
    _feasible: IgnoredAny,
    #[serde(default, rename = "overload")]
    _overload: IgnoredAny,
    #[serde(default, rename = "assumptions")]
    _assumptions: IgnoredAny,
    #[serde(default, rename = "questions")]
    _questions: IgnoredAny,
    #[serde(default, rename = "open_questions")]
    _open_questions: IgnoredAny,
    #[serde(default, rename = "confidence")]
    _confidence: IgnoredAny,
    #[serde(default, rename = "read_confidence")]
    _read_confidence: IgnoredAny,
    #[serde(default, rename = "validation")]
    _validation: IgnoredAny,
    #[serde(default, rename = "current_time")]
    _current_time: IgnoredAny,
    #[serde(default, rename = "timezone")]
    _timezone: IgnoredAny,
    #[serde(default, rename = "trace")]
    _trace: IgnoredAny,
    #[serde(default, rename = "debug")]
    _debug: IgnoredAny,
    #[serde(default, rename = "unread")]
    _unread: IgnoredAny,
    #[serde(default, rename = "proposed")]
    _proposed: IgnoredAny,
    #[serde(default, rename = "not_planned")]
    _not_planned: IgnoredAny,
    #[serde(default, rename = "moved")]
    _moved: IgnoredAny,
    #[serde(default, rename = "model_view")]
    _model_view: IgnoredAny,
    #[serde(default, rename = "run")]
    _run: IgnoredAny,
}

impl GivenPlan {
    /// Reads a plan from JSON: a response, its `plan`, or any list of items. A byte order mark is accepted; members that nobody
    /// knows are refused.
    ///
    /// # Errors
    /// [`Misread`] with line and column where the text is no such JSON.
    pub fn read(json: &str) -> Result<Self, Misread> {
        let json = json.strip_prefix('\u{feff}').unwrap_or(json);
        let items = if json.trim_start().starts_with('{') {
            serde_json::from_str::<Response>(json)?.plan
        } else {
            serde_json::from_str::<Vec<Named>>(json)?
        };
        Ok(Self { items: items.into_iter().map(|Named(item)| item).collect() })
    }
}
