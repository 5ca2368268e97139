//! A prompt alone: options that speak of a report mean nothing there.

use crate::args::{AuditArgs, EmbedderArg, Format, JudgeArg};
use crate::exit::Failure;

/// The first option that needs a report, where one is given.
pub(super) fn needs_report(args: &AuditArgs) -> Option<&'static str> {
    let heed = &args.heed;
    let given = [
        ("--judge", args.judge != JudgeArg::Rules),
        ("--embedder", args.embedder != EmbedderArg::Lexical),
        ("--fail-below", args.fail_below.is_some()),
        ("--fail-on", !args.fail_on.is_empty()),
        ("--accepted", heed.accepted.is_some()),
        ("--at", heed.at.is_some()),
        ("--baseline", heed.baseline.is_some()),
        ("--as-prompt", heed.as_prompt),
        ("--format junit", args.format == Format::Junit),
        ("--format sarif", args.format == Format::Sarif),
        ("--out-dir", args.out_dir.is_some()),
        ("--limit", args.limit.is_some()),
        ("--min-severity", args.min_severity > 0),
        ("--cursor", args.cursor.is_some()),
        ("--fields", !args.fields.is_empty()),
        ("--store", args.store.is_some()),
        ("--export", !args.export.to.is_empty()),
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
