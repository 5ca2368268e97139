//! A comparison as a summary for a terminal.

use std::fmt::Write as _;

use steadfast_wire::audit::{AuditComparison, ComparedAudit, DriftIncident, ObligationChange, ObligationPair, Risk};

use super::BothTexts;
use super::words::{
    Indexes, Tone, asked, count, delta, does, evidence, head, is_told, name, of, outcome, quote, sides, tallies, usable,
};
use crate::Colour;
use crate::context::Index;
use crate::plain::line;
use crate::terminal::Style;

const ITEMS_SHOWN_MAX: usize = 8;
const INCIDENTS_SHOWN_MAX: usize = 5;
const QUOTE_CHARS_MAX: usize = 140;

/// The comparison as a summary for a terminal: what came of it, both verdicts, every obligation that changed, the most severe incidents that are new,
/// gone and still there. Control characters of judged text are shown, so none reaches the terminal.
#[must_use]
pub fn text(comparison: &AuditComparison, texts: BothTexts<'_>, colour: Colour) -> String {
    let indexes = Indexes::new(texts);
    let (tone, said) = outcome(comparison);
    let style = match tone {
        Tone::Worse => Style::Bad,
        Tone::Better => Style::Good,
        Tone::Same => Style::Bold,
    };
    let mut out = format!("{}\n", colour.paint(style, &said));
    side(&mut out, "A", &comparison.a, colour);
    side(&mut out, "B", &comparison.b, colour);
    let _ = writeln!(out, "Score, B less A: {}", delta(comparison));
    for tally in tallies(comparison) {
        let _ = writeln!(out, "{tally}");
    }
    for caveat in &comparison.caveats {
        let _ = writeln!(out, "{}", colour.paint(Style::Warn, caveat.label()));
    }
    for change in ObligationChange::ALL.iter().filter(|change| is_told(**change)) {
        let pairs = of(comparison, *change);
        if pairs.is_empty() {
            continue;
        }
        let title = format!("{} ({})", change.label(), count(comparison, *change));
        let _ = writeln!(out, "\n{}", colour.paint(Style::Bold, &title));
        for pair in pairs.iter().take(ITEMS_SHOWN_MAX) {
            obligation(&mut out, pair, &indexes, colour);
        }
        more(&mut out, pairs.len(), ITEMS_SHOWN_MAX, colour);
    }
    let incidents = &comparison.incidents;
    let still: Vec<&DriftIncident> = incidents.still.iter().map(|pair| &pair.b).collect();
    listed(&mut out, "New incidents", incidents.new.iter(), &indexes.b, colour);
    listed(&mut out, "Incidents that are gone", incidents.gone.iter(), &indexes.a, colour);
    listed(&mut out, "Incidents that are still there, as B has them", still.into_iter(), &indexes.b, colour);
    out
}

fn side(out: &mut String, letter: &str, own: &ComparedAudit, colour: Colour) {
    let risk = match own.risk {
        Risk::Low => Style::Good,
        Risk::Medium => Style::Warn,
        Risk::High | Risk::Critical => Style::Bad,
    };
    let usable = colour.paint(if own.usable_as_is { Style::Good } else { Style::Bad }, &usable(own));
    let risk = colour.paint(risk, &format!("{} risk", own.risk));
    let _ = writeln!(
        out,
        "{letter}: {} · assessed {} · fidelity {:.2} / 5.00 · {risk} · {usable}",
        name(own),
        own.assessed.words(),
        own.score
    );
}

fn obligation(out: &mut String, pair: &ObligationPair, indexes: &Indexes<'_>, colour: Colour) {
    let Some(asked) = asked(pair) else { return };
    let index = if pair.b.is_some() { &indexes.b } else { &indexes.a };
    let place = colour.paint(Style::Dim, &index.place(&asked.span));
    let _ = writeln!(out, "  - {}: “{}” {place}", asked.kind.label(), quote(&asked.span, QUOTE_CHARS_MAX));
    for (letter, own, index) in sides(pair, indexes) {
        let _ = match own.answer_spans.first() {
            Some(span) => {
                let place = colour.paint(Style::Dim, &index.place(span));
                writeln!(out, "      {letter} {}: “{}” {place}", does(own.status), quote(span, QUOTE_CHARS_MAX))
            }
            None => writeln!(out, "      {letter} {}", does(own.status)),
        };
    }
}

fn listed<'a>(
    out: &mut String,
    title: &str,
    incidents: impl ExactSizeIterator<Item = &'a DriftIncident>,
    index: &Index<'_>,
    colour: Colour,
) {
    let count = incidents.len();
    if count == 0 {
        return;
    }
    let _ = writeln!(out, "\n{}", colour.paint(Style::Bold, &format!("{title} ({count})")));
    for own in incidents.take(INCIDENTS_SHOWN_MAX) {
        let style = match own.severity {
            3.. => Style::Bad,
            2 => Style::Warn,
            _ => Style::Dim,
        };
        let _ =
            writeln!(out, "  - {}: {}", colour.paint(style, &head(own)), line(&own.explanation, 2 * QUOTE_CHARS_MAX));
        if let Some(span) = evidence(own) {
            let label = if own.absent { "missing" } else { "report" };
            let place = colour.paint(Style::Dim, &index.place(span));
            let _ = writeln!(out, "      {label}: “{}” {place}", quote(span, QUOTE_CHARS_MAX));
        }
    }
    more(out, count, INCIDENTS_SHOWN_MAX, colour);
}

fn more(out: &mut String, count: usize, shown: usize, colour: Colour) {
    if count > shown {
        let _ = writeln!(out, "  {}", colour.paint(Style::Dim, &format!("and {} more in the JSON", count - shown)));
    }
}
