//! Keys of the server's API.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::names;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

names! {
    /// What a key may do; each may do all that those before it may.
    Scope {
        /// Look.
        Read = "read", "read";
        /// Look, and have things done: every instrument, steps, flags, decisions.
        Write = "write", "write";
        /// All of it: settings, deleting, keys.
        Admin = "admin", "admin";
    }
}

impl Scope {
    /// The scope of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|scope| scope.name() == name)
    }

    /// Whether it may do what `needed` may.
    #[must_use]
    pub fn covers(self, needed: Self) -> bool {
        self >= needed
    }
}

/// A key, without what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApiKey {
    /// Its UUIDv7, by which it is revoked.
    pub id: String,
    /// What whoever made it calls it.
    pub name: String,
    /// What it may do.
    pub scope: Scope,
    /// When it was made: RFC 3339 in UTC.
    pub created_at: String,
    /// When it was revoked; `null` while it holds.
    pub revoked_at: Option<String>,
}

/// A key that was made. This is the only time that it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewKey {
    /// The version of this JSON.
    pub schema_version: String,
    /// The key itself: kept nowhere.
    pub key: String,
    /// What is kept of it.
    pub kept: ApiKey,
}

/// Keys, in the order in which they were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyList {
    /// The version of this JSON.
    pub schema_version: String,
    /// The keys.
    pub keys: Vec<ApiKey>,
}
