//! A prompt alone: options that speak of a report mean nothing there.

use crate::args::{AuditArgs, Format};
use crate::exit::Failure;

/// The first option that needs a report, where one is given.
pub(crate) fn needs_report(args: &AuditArgs) -> Option<&'static str> {
    let (heed, writing, request) = (&args.heed, &args.writing, args.request.as_ref()?);
    let given = [
        ("--judge", request.judge.is_some()),
        ("--contract", request.contract.is_some()),
        ("--proposals", request.proposals.is_some()),
        ("--context", !request.context.is_empty()),
        ("--trust-host", request.trust_host),
        ("--usable-share", request.usable_share.is_some()),
        ("--confirm", args.confirm.is_some()),
        ("--fail-below", request.fail_below.is_some()),
        ("--fail-on", !request.fail_on.is_empty()),
        ("--accepted", heed.accepted.is_some()),
        ("--at", heed.at.is_some()),
        ("--baseline", heed.baseline.is_some()),
        ("--as-prompt", heed.as_prompt),
        ("--format junit", writing.output.format() == Format::Junit),
        ("--format sarif", writing.output.format() == Format::Sarif),
        ("--out-dir", args.out_dir.is_some()),
        ("--limit", request.limit.is_some()),
        ("--min-severity", request.min_severity.is_some()),
        ("--cursor", request.cursor.is_some()),
        ("--fields", request.fields.is_some()),
        ("--store", writing.store.is_some()),
        ("--export", !writing.export.to.is_empty()),
    ];
    given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
}

/// Refuses an option that needs a report.
pub(crate) fn refuse(option: Option<&'static str>, prompt: &str) -> Result<(), Failure> {
    option.map_or(Ok(()), |option| {
        Err(Failure::usage(format!(
            "`{option}` needs a report, and {prompt} alone is neither a folder nor a zip archive"
        ))
        .hint("a report needs its prompt: `steadfast audit PROMPT REPORT`; a prompt alone is linted"))
    })
}
