//! The reading of a prompt, and why nothing could be evaluated, as text.

use std::fmt::Write as _;

use steadfast_wire::audit::{Contract, NotEvaluable};

use crate::digest::count_of;
use crate::markdown::escape::line as escaped;
use crate::plain::{one_line, shorten};

/// Characters of a quote that are shown.
const QUOTE_CHARS_MAX: usize = 240;
/// Characters of a reason and of a name that are shown.
const DETAIL_CHARS_MAX: usize = 600;

/// A contract as text: each obligation with its words, then what was not read.
#[must_use]
pub fn text(contract: &Contract) -> String {
    let mut out = String::new();
    let quote = |words: &str| shorten(&one_line(words), QUOTE_CHARS_MAX);
    // Infallible throughout: a string takes all that is written to it.
    let _ = writeln!(
        out,
        "{}: {}, {} that look like a request and were not read",
        one_line(&contract.source.file),
        count_of(contract.obligations.len(), "obligation"),
        count_of(contract.unread.len(), "sentence")
    );
    let width = contract.obligations.iter().map(|own| own.id.chars().count()).max().unwrap_or_default();
    for own in &contract.obligations {
        let put = format!("{} {}", own.strength.label(), own.polarity.label());
        let who = if own.by.name() == "code" { String::new() } else { format!(" (by {})", one_line(own.by.name())) };
        let _ = writeln!(out, "  {:width$}  {put:13}  “{}”{who}", one_line(&own.id), quote(&own.quote));
    }
    if !contract.unread.is_empty() {
        out.push_str("\nNot read:\n");
    }
    for own in &contract.unread {
        let _ = writeln!(out, "  “{}” ({})", quote(&own.quote), own.why.label());
    }
    out
}

/// Why nothing could be evaluated, as Markdown, so that whoever waits for a report finds one.
#[must_use]
pub fn not_evaluable(own: &NotEvaluable) -> String {
    let mut out = String::from("# Drift evaluation\n\n");
    let _ = writeln!(out, "**Not evaluable**: {}\n", escaped(&own.not_evaluable.detail, DETAIL_CHARS_MAX));
    let _ = writeln!(out, "Assessed: {}. There is no score, no risk and no verdict.\n", own.assessed.words());
    out.push_str("Files:\n\n");
    for source in &own.sources {
        let _ = writeln!(
            out,
            "- {} ({}, {} bytes)",
            escaped(&source.file, DETAIL_CHARS_MAX),
            source.role.label(),
            source.bytes
        );
    }
    out
}
