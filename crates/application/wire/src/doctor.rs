//! Whether an installation can do what it is set up to do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::names;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

names! {
    /// What came of a check.
    CheckState {
        /// It can be used.
        Ok = "ok", "ok";
        /// It can be used, or done without; something should be done.
        Warning = "warning", "warning";
        /// It is set up, and cannot be used.
        Failed = "failed", "failed";
        /// Nobody set it up, and nothing needs it.
        NotSet = "not_set", "not set";
    }
}

/// What `doctor` gives. Nothing was sent and nothing changed for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Doctor {
    /// The version of this JSON.
    pub schema_version: String,
    /// The version of the program.
    pub program_version: String,
    /// The version of its rules.
    pub rules_version: String,
    /// Whether no check failed.
    pub usable: bool,
    /// The checks. Where the settings file cannot be read, those of what it sets are left out.
    pub checks: Vec<DoctorCheck>,
}

/// A check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DoctorCheck {
    /// What is looked at: `version`, `settings`, `embedder`, `store`, `permissions`, `chat`, `alerts`, `export`, `hook`, `folder`, `clock`.
    pub name: String,
    /// Which one, where there may be several: a model, a host, a folder, a file. `null` where there is one.
    pub subject: Option<String>,
    /// What came of it.
    pub state: CheckState,
    /// What was found, in a sentence. The home folder is `~`; no key and no part of one stands in it.
    pub detail: String,
    /// What to do, with the command in backticks; `null` where nothing is to be done.
    pub hint: Option<String>,
}

impl Doctor {
    /// The checks that failed.
    pub fn failed(&self) -> impl Iterator<Item = &DoctorCheck> {
        self.checks.iter().filter(|check| check.state == CheckState::Failed)
    }
}

impl DoctorCheck {
    /// A check of which there is one, with nothing to be done.
    pub fn new(name: &str, state: CheckState, detail: impl Into<String>) -> Self {
        Self { name: name.to_owned(), subject: None, state, detail: detail.into(), hint: None }
    }

    /// The same of one of several.
    #[must_use]
    pub fn of(self, subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), ..self }
    }

    /// The same with what to do.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Its name, with which one it is.
    #[must_use]
    pub fn title(&self) -> String {
        self.subject.as_ref().map_or_else(|| self.name.clone(), |subject| format!("{} {subject}", self.name))
    }
}
