//! What the routes of the HTTP API take and give beside the types that every door has in common.
//!
//! What the use cases take stands in [`request`](crate::request); here is what only the HTTP API has. A body is closed: a member that its route does not know is
//! refused by name.

mod components;
mod fields;
mod problem;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use components::{Components, Described, members};
pub use fields::{Fields, Published, UnknownField};
pub use problem::Problem;

/// The body of `POST /api/tasks/{id}/flag`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlagBody {
    /// `good` or `bad`: its outputs are candidates for training; `unsure`: they are none.
    #[schemars(extend("enum" = ["good", "bad", "unsure"]))]
    pub quality: String,
    /// In which respects, a word or two each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
}

/// A text with the name of the file that it stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedText {
    /// Its name, whose ending says how it is read: `.md` is a prompt, `.jsonl` and `.csv` hold one a line.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// The body of `POST /api/vault/import`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportBody {
    /// What the texts come from. A later import of the same name takes the place of this one: what is no longer in it is removed.
    pub source: String,
    /// The texts.
    pub files: Vec<NamedText>,
}

/// A list of published schemas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SchemaList {
    /// The schemas, in the order of their names.
    pub schemas: Vec<SchemaHead>,
}

/// A published schema in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SchemaHead {
    /// Its name.
    pub name: String,
    /// What it is of.
    pub about: String,
}
