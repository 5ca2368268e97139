//! What an agent did, as `review` publishes it: the ask, the deeds, claims held against them, and bans that they break.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ClaimKind, ClaimState};
use crate::Span;
use crate::audit::Origin;

/// The session that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionRead {
    /// The file.
    pub file: String,
    /// The format of its log.
    pub format: String,
    /// The session's own identifier; absent where the log has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// SHA-256 of its bytes, in lower-case hexadecimal digits.
    pub sha256: String,
    /// How many turns it has.
    pub turns: usize,
    /// What was not read of it, and what else a reader should know.
    pub notes: Vec<String>,
}

/// What the user typed in one turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionAsk {
    /// The words.
    pub text: String,
    /// The turn, from 1.
    pub turn: usize,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionDeed {
    /// The turn, from 1.
    pub turn: usize,
    /// The tool.
    pub tool: String,
    /// The command line; `null` where it runs none.
    pub command: Option<String>,
    /// The files that it names or changes.
    pub files: Vec<String>,
    /// The exit status; `null` where the log has none.
    pub exit: Option<i64>,
    /// Whether it came through; `null` where the log does not say.
    pub ok: Option<bool>,
}

impl SessionDeed {
    /// Whether it changes the files that it names by a tool of its own, not by a command.
    #[must_use]
    pub fn is_edit(&self) -> bool {
        const EDITS: [&str; 7] = ["edit", "write", "patch", "replace", "create", "insert", "change"];
        let tool = self.tool.to_lowercase();
        self.command.is_none() && !self.files.is_empty() && EDITS.iter().any(|own| tool.contains(own))
    }
}

/// A claim of the report, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionClaim {
    /// The sentence that claims it.
    pub quote: String,
    /// Where it stands in the report.
    pub span: Span,
    /// What it is about.
    pub kind: ClaimKind,
    /// What became of it.
    pub state: ClaimState,
    /// Why, in one sentence.
    pub why: String,
    /// What that rests on.
    pub evidence: Vec<SessionEvidence>,
    /// Who says so.
    #[serde(default)]
    pub origin: Origin,
    /// What code says, where somebody else settled a claim that code reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_code: Option<ClaimState>,
}

impl SessionClaim {
    /// Whether it counts as one that no call speaks of. What whoever calls finds borne out may be its own work, and counts only where it is trusted.
    #[must_use]
    pub fn is_unsupported(&self, trust_host: bool) -> bool {
        let is_settled = self.state == ClaimState::Supported && (trust_host || self.origin != Origin::host());
        [Some(self.state), self.by_code].contains(&Some(ClaimState::Unsupported)) && !is_settled
    }
}

/// Words of a call, or of what it gave back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionEvidence {
    /// The turn, from 1.
    pub turn: usize,
    /// The line of the log, or the place in the document's list, at which that turn begins, from 1; absent where it is not of a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The words; empty where a [kept session](crate::sessions) holds references alone.
    pub quote: String,
    /// SHA-256 of the words, in lower-case hexadecimal digits, where they are not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// What the user forbade or demanded, and the call that breaks or keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionBreak {
    /// The user's words.
    pub obligation: String,
    /// The turn in which they stand, from 1; 0 of rules.
    pub asked: usize,
    /// The file in which they stand, where they are rules that were handed in; absent where the user typed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The turn of the call, from 1; `null` where no call meets a demand.
    pub turn: Option<usize>,
    /// The call: its command line, or its tool and files; `null` where there is none.
    pub call: Option<String>,
    /// Why, in one sentence.
    pub why: String,
    /// Who says so.
    #[serde(default)]
    pub origin: Origin,
}
