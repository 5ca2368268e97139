//! A comparison as Markdown.

use std::fmt::Write as _;

use steadfast_wire::audit::{AuditComparison, ComparedAudit, DriftIncident, ObligationChange, ObligationPair};

use super::BothTexts;
use super::words::{
    Indexes, asked, count, delta, does, evidence, head, is_told, name, of, outcome, quote, sides, tallies,
};
use crate::context::Index;
use crate::markdown::MARKDOWN_BYTES_MAX;
use crate::markdown::escape::{code, escape, line};
use crate::plain::{one_line, shorten};

const ITEMS_SHOWN_MAX: usize = 20;
const QUOTE_CHARS_MAX: usize = 200;
const EXPLANATION_CHARS_MAX: usize = 420;
/// What is kept free for the headings and tables that come behind the lists.
const END_BYTES_MAX: usize = 8_000;

/// The comparison as Markdown: what came of it, both verdicts, every obligation that changed, incidents that are new, gone and still there, the ten
/// dimensions. Less than [`MARKDOWN_BYTES_MAX`] bytes; judged text is escaped.
#[must_use]
pub fn markdown(comparison: &AuditComparison, texts: BothTexts<'_>) -> String {
    let indexes = Indexes::new(texts);
    let mut out = String::from("# Comparison of Two Audits\n\n");
    let _ = writeln!(out, "**{}**\n", outcome(comparison).1);
    out.push_str("| | Assessed | Score | Risk | Usable as is | Incidents |\n|---|---|---|---|---|---|\n");
    side(&mut out, "A", &comparison.a);
    side(&mut out, "B", &comparison.b);
    let _ = writeln!(out, "\nScore, B less A: {}\n", delta(comparison));
    for tally in tallies(comparison) {
        let _ = writeln!(out, "- {tally}");
    }
    for caveat in &comparison.caveats {
        let _ = writeln!(out, "- **{}**", caveat.label());
    }
    out.push('\n');
    for change in ObligationChange::ALL.iter().filter(|change| is_told(**change)) {
        let items: Vec<String> = of(comparison, *change)
            .into_iter()
            .take(ITEMS_SHOWN_MAX)
            .filter_map(|pair| obligation(pair, &indexes))
            .collect();
        list(&mut out, change.label(), count(comparison, *change), items);
    }
    let incidents = &comparison.incidents;
    let shown = |own: &DriftIncident, index: &Index<'_>| incident(own, index);
    let new = incidents.new.iter().take(ITEMS_SHOWN_MAX).map(|own| shown(own, &indexes.b)).collect();
    list(&mut out, "New Incidents", incidents.new.len(), new);
    let gone = incidents.gone.iter().take(ITEMS_SHOWN_MAX).map(|own| shown(own, &indexes.a)).collect();
    list(&mut out, "Incidents That Are Gone", incidents.gone.len(), gone);
    let still = incidents.still.iter().take(ITEMS_SHOWN_MAX).map(|pair| shown(&pair.b, &indexes.b)).collect();
    list(&mut out, "Incidents That Are Still There, as B Has Them", incidents.still.len(), still);
    dimensions(&mut out, comparison);
    let version = |own: &ComparedAudit| code(&shorten(&one_line(&own.rules_version), 40));
    let (a, b) = (version(&comparison.a), version(&comparison.b));
    let _ = writeln!(out, "---\n\nRules version of A {a}, of B {b}.");
    out
}

fn side(out: &mut String, letter: &str, own: &ComparedAudit) {
    let usable = if own.usable_as_is { "yes".to_owned() } else { format!("no: {}", own.usable_because.label()) };
    let assessed = own.assessed.words();
    let (score, risk, incidents) = (own.score, own.risk, own.incidents);
    let _ = writeln!(
        out,
        "| {letter}: {} | {assessed} | {score:.2} | {risk} | {usable} | {incidents} |",
        escape(&name(own))
    );
}

fn obligation(pair: &ObligationPair, indexes: &Indexes<'_>) -> Option<String> {
    let asked = asked(pair)?;
    let index = if pair.b.is_some() { &indexes.b } else { &indexes.a };
    let words = escape(&quote(&asked.span, QUOTE_CHARS_MAX));
    let mut item = format!("- **{}:** “{words}” ({})\n", asked.kind.label(), code(&index.place(&asked.span)));
    for (letter, own, index) in sides(pair, indexes) {
        let _ = match own.answer_spans.first() {
            Some(span) => {
                let words = escape(&quote(span, QUOTE_CHARS_MAX));
                writeln!(item, "  - {letter} {}: “{words}” ({})", does(own.status), code(&index.place(span)))
            }
            None => writeln!(item, "  - {letter} {}", does(own.status)),
        };
    }
    Some(item)
}

fn incident(own: &DriftIncident, index: &Index<'_>) -> String {
    let mut item = format!("- **{}.** {}\n", head(own), line(&own.explanation, EXPLANATION_CHARS_MAX));
    if let Some(span) = evidence(own) {
        let label = if own.absent { "missing" } else { "report" };
        let words = escape(&quote(span, QUOTE_CHARS_MAX));
        let _ = writeln!(item, "  - {label}: “{words}” ({})", code(&index.place(span)));
    }
    item
}

fn list(out: &mut String, title: &str, count: usize, items: Vec<String>) {
    if count == 0 {
        return;
    }
    let _ = writeln!(out, "## {title} ({count})\n");
    let mut shown = 0;
    for item in items {
        if out.len() + item.len() > MARKDOWN_BYTES_MAX - END_BYTES_MAX {
            break;
        }
        out.push_str(&item);
        shown += 1;
    }
    if count > shown {
        let _ = writeln!(out, "- and {} more in the JSON", count - shown);
    }
    out.push('\n');
}

fn dimensions(out: &mut String, comparison: &AuditComparison) {
    out.push_str("## Dimension Scores\n\n| Dimension | A | B |\n|---|---|---|\n");
    let score = |own: Option<u8>| own.map_or_else(|| "n/a".to_owned(), |own| own.to_string());
    for pair in &comparison.dimensions {
        let _ = writeln!(out, "| {} | {} | {} |", pair.dimension.label(), score(pair.a), score(pair.b));
    }
    out.push('\n');
}
