//! Sessions that are kept: what code says of an agent's log, one record for each session.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::review::{ClaimState, Review};
use crate::vocabulary::names;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// The verb of the run that holds a session; its result is that of `review`.
pub const VERB: &str = "session";

names! {
    /// How much of a session is kept.
    SessionCapture {
        /// What the user typed, claims, calls and verdicts. Of what calls gave back, and of the report beside its claims, references alone.
        Refs = "refs", "references";
        /// All that `review` gives.
        Full = "full", "all of it";
    }
}

names! {
    /// The gravest thing that code says of a session.
    SessionVerdict {
        /// A call says otherwise than the report.
        Contradicted = "contradicted", "contradicted";
        /// A call breaks what the user said.
        Broken = "broken", "broken";
        /// A call seems to say otherwise, or to break what the user said.
        Doubtful = "doubtful", "doubtful";
        /// No call speaks of a claim.
        Unsupported = "unsupported", "unsupported";
        /// Claims are borne out, and nothing else is said.
        Supported = "supported", "supported";
        /// Code says nothing.
        Open = "open", "open";
    }
}

impl SessionVerdict {
    /// That of a review of a session.
    #[must_use]
    pub fn of(review: &Review) -> Self {
        let has = |state| review.claims.iter().flatten().any(|claim| claim.state == state);
        if has(ClaimState::Contradicted) || !review.contradictions.is_empty() {
            Self::Contradicted
        } else if review.breaks.as_ref().is_some_and(|own| !own.is_empty()) {
            Self::Broken
        } else if has(ClaimState::Doubtful) || !review.doubtful_breaks.is_empty() {
            Self::Doubtful
        } else if has(ClaimState::Unsupported) {
            Self::Unsupported
        } else if has(ClaimState::Supported) {
            Self::Supported
        } else {
            Self::Open
        }
    }

    /// Whether it speaks against the agent.
    #[must_use]
    pub const fn is_against(self) -> bool {
        matches!(self, Self::Contradicted | Self::Broken)
    }
}

/// A session that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeptSession {
    /// The session's own identifier, else one that is made of its first words.
    pub id: String,
    /// The run that holds it.
    pub run: String,
    /// When it was kept: RFC 3339 in UTC.
    pub kept: String,
    /// The file of its log, without the folders of the machine.
    pub file: String,
    /// The format of the log.
    pub format: String,
    /// How many turns it has.
    pub turns: usize,
    /// How many calls of tools.
    pub calls: usize,
    /// How the first thing that the user typed begins; empty where the log has nothing typed.
    pub asked: String,
    /// The gravest thing that code says of it.
    pub verdict: SessionVerdict,
    /// Claims that a call contradicts.
    pub contradicted: usize,
    /// Calls that break what the user said.
    pub broken: usize,
    /// Claims that a call seems to contradict, and calls that seem to break what the user said.
    pub doubtful: usize,
    /// Claims of which no call speaks.
    pub unsupported: usize,
    /// Claims that a call bears out.
    pub supported: usize,
}

impl KeptSession {
    /// What code says of it, in counts that are not 0, each with its name.
    #[must_use]
    pub fn said(&self) -> Vec<(usize, &'static str)> {
        let all = [
            (self.contradicted, SessionVerdict::Contradicted),
            (self.broken, SessionVerdict::Broken),
            (self.doubtful, SessionVerdict::Doubtful),
            (self.unsupported, SessionVerdict::Unsupported),
            (self.supported, SessionVerdict::Supported),
        ];
        all.into_iter().filter(|(count, _)| *count > 0).map(|(count, own)| (count, own.label())).collect()
    }
}

/// Sessions that are kept, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionList {
    /// The version of this JSON.
    pub schema_version: String,
    /// The sessions of this page.
    pub sessions: Vec<KeptSession>,
    /// Where the next page begins; absent where no more follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A file that was not taken in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PassedOver {
    /// The file, as it was found.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// What came of taking in logs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionImport {
    /// The version of this JSON.
    pub schema_version: String,
    /// The sessions that were kept.
    pub sessions: Vec<KeptSession>,
    /// The files that were not.
    pub passed_over: Vec<PassedOver>,
}
