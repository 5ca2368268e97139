//! One async function for each use case, and what surrounds them: taking files in, the pool that works, gates.
//!
//! A surface reads bytes, calls one function here and prints what comes back. Names of files are relative to what the user
//! gave, with `/` between their parts; no path of a machine comes in here, so none can go out.

pub mod alerts;
mod audit;
mod baseline;
mod cache;
pub mod calls;
pub mod chat;
pub mod days;
pub mod decisions;
pub mod embedder;
mod error;
mod gate;
mod hash;
pub mod hook;
pub mod intake;
pub mod jobs;
pub mod keys;
pub mod limits;
mod lint;
pub mod live;
mod page;
mod plan;
mod pool;
pub mod privacy;
mod proposals;
pub mod retention;
pub mod review;
pub mod runs;
pub mod sessions;
mod slot;
pub mod store;
pub mod store_export;
pub mod summary;
pub mod tasks;
pub mod trace;
pub mod vault;
pub mod watch;

pub use audit::{
    AuditComparisonOutcome, AuditGiven, AuditInput, AuditOutcome, AuditRequest, AuditSide, HandedContract, Heeded,
    PROMPT_NAME, REPORT_NAME, REPORT_PAGE_NAME, Reckoning, audit, audit_compare, audit_contract, is_check,
    newly_broken, prompt_file, proposed, read_proposals, report_file, stored_audit,
};
pub use baseline::compare_with_baseline;
pub use error::{EngineError, ErrorKind};
pub use gate::Gates;
pub use intake::File;
pub use lint::{LintOutcome, lint_prompt};
pub use page::{Page, page};
pub use plan::{
    CALENDAR_NAME, CALENDARS_MAX, CONTEXT_NAME, CONTEXT_PAGE_NAME, CheckOutcome, ConstraintsOutcome, EarlierPlan,
    NotesRequest, PLAN_NAME, PlanAssistance, PlanOutcome, context_file, is_calendar, plan, plan_again, plan_as_read,
    plan_assisted, plan_check, plan_constraints, plan_file,
};
pub use steadfast_evidence::RULES_VERSION;
pub use steadfast_watch::statistics::SplitMix64 as SplitMix;
