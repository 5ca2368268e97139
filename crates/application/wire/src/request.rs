//! What each use case takes: one type a use case, which every door reads.
//!
//! A request is the body of a route, the arguments of a tool, and, with the feature `clap`, the arguments of a verb. Its doc comments are the
//! reference in all three places, so they say what a member does and what holds without it. Where the program comes with its own files on the command line and with
//! texts over the network, a member is a [`Source`]. What a use case gives, and how each door names it, stands beside the type as a [`Call`](crate::call::Call).

mod agent;
mod audit;
mod pick;
mod plan;
mod review;
mod source;
mod watch;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

pub use agent::{AGENT_BYTES_MAX, AgentName, BadAgentName};
pub use audit::{AUDIT_CONDITIONS, Audit, AuditCompare, AuditContract, AuditUndecided, Lint};
pub use pick::{Feedback, Pick, VaultSearch};
pub use plan::{Plan, PlanCheck, PlanConstraints};
pub use review::{Flag, FullPayload, Review, ReviewUndecided};
pub use source::{JsonSource, Source};
pub use watch::{Arm, Watch, WatchCompare, WatchStep};

use crate::api::members;
use crate::vocabulary::names;

names! {
    /// What makes vectors of texts.
    EmbedderChoice {
        /// The sentence model all-MiniLM-L6-v2; `steadfast embedder pull` fetches it.
        Minilm = "minilm", "sentence model";
        /// Words and parts of words; needs no model.
        Lexical = "lexical", "words";
    }
}

names! {
    /// Who reads.
    Reader {
        /// The rules of the program alone.
        Rules = "rules", "rules";
        /// A chat model beside them.
        Model = "model", "a model";
    }
}

names! {
    /// Who makes a plan.
    Generator {
        /// The planner of the program.
        BuiltIn = "built-in", "the built-in planner";
        /// A chat model.
        Model = "model", "a model";
    }
}

names! {
    /// The operating points that ship with the program.
    PointChoice {
        /// The one that was fitted on vaults by others.
        Default = "default", "the fitted point";
        /// That of the document which describes the instrument.
        Seed = "seed", "the document's point";
    }
}

names! {
    /// Whether something was of use.
    Word {
        /// It was.
        Good = "good", "good";
        /// It was not.
        Bad = "bad", "bad";
    }
}

/// The schema of `fields`: names of members of a result, at least one.
fn names_of_members<T: JsonSchema>(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["array", "null"], "items": {"type": "string", "enum": members::<T>()}, "minItems": 1})
}
