//! Settings of `steadfast audit compare`.

use std::path::PathBuf;

use crate::args::{AuditCompareArgs, AuditCompareFormat};
use crate::exit::Failure;
use crate::place::Place;

/// Settings of `steadfast audit compare`.
#[derive(Debug)]
pub(crate) struct AuditCompareSettings {
    /// What was before.
    pub(crate) a: Place,
    /// What is now.
    pub(crate) b: Place,
    /// The prompt of reports.
    pub(crate) prompt: Option<Place>,
    /// Where runs are looked for by their ids.
    pub(crate) store: Option<PathBuf>,
    /// Whether an obligation that is newly broken fails.
    pub(crate) fail_on_new: bool,
    /// What is written.
    pub(crate) format: AuditCompareFormat,
    /// Where to; stdout where it is `None`.
    pub(crate) output: Option<PathBuf>,
}

/// Settings of `steadfast audit compare`.
pub(crate) fn audit_compare(args: AuditCompareArgs) -> Result<AuditCompareSettings, Failure> {
    let (a, b, prompt) = (Place::of(&args.a), Place::of(&args.b), args.prompt.as_deref().map(Place::of));
    if [&a, &b].into_iter().chain(&prompt).filter(|it| **it == Place::Stdin).count() > 1 {
        return Err(Failure::usage("only one of A, B and the prompt can be read from stdin"));
    }
    for condition in &args.fail_on {
        if condition != "new" {
            let known = ["disqualified", "alert", "clarify"].contains(&condition.as_str());
            let what = if known || condition.starts_with("risk=") {
                "does not apply to audit compare"
            } else {
                "is no condition"
            };
            return Err(Failure::usage(format!("`--fail-on {condition}` {what}")).hint("audit compare fails on `new`"));
        }
    }
    Ok(AuditCompareSettings {
        a,
        b,
        prompt,
        store: args.store,
        fail_on_new: !args.fail_on.is_empty(),
        format: args.output.format(),
        output: args.output.file(),
    })
}
