//! A comparison as one self-contained page.

use askama::Template;
use steadfast_wire::Span;
use steadfast_wire::audit::{
    AuditComparison, Basis, ComparedAudit, DriftIncident, Obligation, ObligationChange, ObligationPair,
};

use super::BothTexts;
use super::words::{Indexes, Tone, asked, count, delta, does, evidence, is_told, name, of, outcome, quote, tallies};
use crate::context::Index;
use crate::digest::severity_word;
use crate::html::Frame;
use crate::plain::{line, one_line, shorten};
use crate::rows::rows_of;
use crate::{Error, OnePage, Pages};

const CSS: &str = concat!(include_str!("../../../templates/report.css"), include_str!("../../../templates/watch.css"));

/// Obligations of one change, and incidents of one list, on a page.
const ROWS_MAX: usize = 60;
const QUOTE_CHARS_MAX: usize = 240;
const EXPLANATION_CHARS_MAX: usize = 300;
const SOURCES_MAX: usize = 100;

/// The values of `audit_compare_part.html`.
#[derive(Template)]
#[template(path = "audit_compare_part.html")]
struct Part {
    help: bool,
    tone: &'static str,
    outcome: String,
    tallies: [String; 2],
    caveats: Vec<&'static str>,
    delta: String,
    sides: [Side; 2],
    groups: Vec<Group>,
    lists: Vec<List>,
    dimensions: Vec<(&'static str, String, String)>,
    sources: Vec<(&'static str, String, &'static str, String)>,
    sources_more: usize,
}

struct Side {
    letter: &'static str,
    name: String,
    assessed: String,
    score: String,
    risk: &'static str,
    usable: bool,
    because: &'static str,
    incidents: usize,
}

/// The obligations of one change.
struct Group {
    id: &'static str,
    label: &'static str,
    class: &'static str,
    count: usize,
    open: bool,
    rows: Vec<Row>,
    pages: String,
}

struct Row {
    kind: &'static str,
    implied: bool,
    quote: String,
    place: String,
    cells: [Option<Cell>; 2],
}

/// What a side does with an obligation.
struct Cell {
    does: &'static str,
    quote: String,
    place: String,
}

/// Incidents that are new, gone, or still there.
struct List {
    id: &'static str,
    label: &'static str,
    meaning: &'static str,
    count: usize,
    rows: Vec<Incident>,
    pages: String,
}

struct Incident {
    severity: u8,
    severity_word: &'static str,
    drift_type: &'static str,
    explanation: String,
    note: &'static str,
    quote: String,
    place: String,
}

/// The comparison as one self-contained page without a script: what came of it, both verdicts, every obligation by what became of it, incidents, the
/// ten dimensions, and what was read. Judged text is escaped.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn html(comparison: &AuditComparison, texts: BothTexts<'_>) -> Result<String, Error> {
    let version = |own: &ComparedAudit| line(&own.rules_version, 40);
    let (of_a, of_b) = (version(&comparison.a), version(&comparison.b));
    let rules =
        if of_a == of_b { format!("rules version {of_a}") } else { format!("rules versions {of_a} and {of_b}") };
    let frame = Frame {
        css: CSS,
        kind: "Comparison of two audits",
        title: format!("{} and {}", name(&comparison.a), name(&comparison.b)),
        beside: format!("A is what was before, B what is now; {rules}"),
        part: drawn(comparison, texts, false, &OnePage)?,
        footer: "Steadfast audit. Obligations of the two are one where they rest on the same words of the prompt. Incidents are one where check, obligation and quote are the same, or check and obligation alone: those are told in other words.",
    };
    frame.render().map_err(Error::Html)
}

/// What stands on that page below its title, for a page that has a glossary.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn part(comparison: &AuditComparison, texts: BothTexts<'_>, pages: &dyn Pages) -> Result<String, Error> {
    drawn(comparison, texts, true, pages)
}

fn drawn(comparison: &AuditComparison, texts: BothTexts<'_>, help: bool, pages: &dyn Pages) -> Result<String, Error> {
    let indexes = Indexes::new(texts);
    let (tone, outcome) = outcome(comparison);
    let incidents = &comparison.incidents;
    let new = incidents.new.iter().map(|own| (own, "")).collect::<Vec<_>>();
    let gone = incidents.gone.iter().map(|own| (own, "")).collect::<Vec<_>>();
    let still =
        incidents.still.iter().map(|pair| (&pair.b, if pair.reworded { "in other words than in A" } else { "" }));
    let still = still.collect::<Vec<_>>();
    let score = |own: Option<u8>| own.map_or_else(|| "n/a".to_owned(), |own| own.to_string());
    let sources = sources(comparison);
    let part = Part {
        help,
        tone: match tone {
            Tone::Worse => "why",
            Tone::Better => "good",
            Tone::Same => "open",
        },
        outcome,
        tallies: tallies(comparison),
        caveats: comparison.caveats.iter().map(|caveat| caveat.label()).collect(),
        delta: delta(comparison),
        sides: [side("A", &comparison.a), side("B", &comparison.b)],
        groups: groups(comparison, &indexes, pages)?,
        lists: vec![
            list("new", "New incidents", "only B has them", &new, &indexes.b, pages)?,
            list("gone", "Incidents that are gone", "only A has them", &gone, &indexes.a, pages)?,
            list(
                "still",
                "Incidents that are still there",
                "both have them; as B has them",
                &still,
                &indexes.b,
                pages,
            )?,
        ],
        dimensions: comparison
            .dimensions
            .iter()
            .map(|pair| (pair.dimension.label(), score(pair.a), score(pair.b)))
            .collect(),
        sources_more: sources.len().saturating_sub(SOURCES_MAX),
        sources: sources.into_iter().take(SOURCES_MAX).collect(),
    };
    part.render().map_err(Error::Html)
}

fn side(letter: &'static str, own: &ComparedAudit) -> Side {
    Side {
        letter,
        name: name(own),
        assessed: own.assessed.words(),
        score: format!("{:.2}", own.score),
        risk: own.risk.name(),
        usable: own.usable_as_is,
        because: own.usable_because.label(),
        incidents: own.incidents,
    }
}

fn groups(comparison: &AuditComparison, indexes: &Indexes<'_>, pages: &dyn Pages) -> Result<Vec<Group>, Error> {
    let mut groups = Vec::new();
    for change in ObligationChange::ALL.iter().copied() {
        let pairs = of(comparison, change);
        if pairs.is_empty() {
            continue;
        }
        let shown = rows_of(pages, change.name(), "obligations", ROWS_MAX, pairs.len());
        let rows = pairs.into_iter().skip(shown.from).take(ROWS_MAX).filter_map(|pair| row(pair, indexes));
        groups.push(Group {
            id: change.name(),
            label: change.label(),
            class: match change {
                ObligationChange::NewlyBroken | ObligationChange::StillBroken => "broken",
                ObligationChange::NewlyUnmentioned | ObligationChange::StillUnmentioned => "missing",
                ObligationChange::Repaired | ObligationChange::KeptInBoth => "kept",
                ObligationChange::NoLongerBroken | ObligationChange::Undecided => "unclear",
                ObligationChange::OnlyA | ObligationChange::OnlyB | ObligationChange::NotAssessed => "not_assessed",
            },
            count: count(comparison, change),
            open: is_told(change) || shown.from > 0,
            rows: rows.collect(),
            pages: shown.html()?,
        });
    }
    Ok(groups)
}

fn row(pair: &ObligationPair, indexes: &Indexes<'_>) -> Option<Row> {
    let own = asked(pair)?;
    let index = if pair.b.is_some() { &indexes.b } else { &indexes.a };
    Some(Row {
        kind: own.kind.label(),
        implied: own.basis == Basis::Implied,
        quote: quote(&own.span, QUOTE_CHARS_MAX),
        place: index.place(&own.span),
        cells: [pair.a.as_ref().map(|own| cell(own, &indexes.a)), pair.b.as_ref().map(|own| cell(own, &indexes.b))],
    })
}

fn cell(own: &Obligation, index: &Index<'_>) -> Cell {
    let (quote, place) = quoted(own.answer_spans.first(), index);
    Cell { does: does(own.status), quote, place }
}

fn quoted(span: Option<&Span>, index: &Index<'_>) -> (String, String) {
    span.map_or_else(Default::default, |span| (quote(span, QUOTE_CHARS_MAX), index.place(span)))
}

fn list(
    id: &'static str,
    label: &'static str,
    meaning: &'static str,
    incidents: &[(&DriftIncident, &'static str)],
    index: &Index<'_>,
    pages: &dyn Pages,
) -> Result<List, Error> {
    let shown = rows_of(pages, id, "incidents", ROWS_MAX, incidents.len());
    let rows = incidents.iter().skip(shown.from).take(ROWS_MAX).map(|(own, note)| {
        let (quote, place) = quoted(evidence(own), index);
        Incident {
            severity: own.severity.min(4),
            severity_word: severity_word(own.severity),
            drift_type: own.drift_type.label(),
            explanation: line(&own.explanation, EXPLANATION_CHARS_MAX),
            note: if own.absent { "missing in the report; the prompt says" } else { note },
            quote,
            place,
        }
    });
    Ok(List { id, label, meaning, count: incidents.len(), rows: rows.collect(), pages: shown.html()? })
}

/// Side, file, what it was read as, and hash of everything that was read.
fn sources(comparison: &AuditComparison) -> Vec<(&'static str, String, &'static str, String)> {
    let of = |letter: &'static str, own: &ComparedAudit| {
        let row = |source: &steadfast_wire::audit::Source| {
            (letter, shorten(&one_line(&source.file), 160), source.role.label(), line(&source.sha256, 64))
        };
        own.sources.iter().map(row).collect::<Vec<_>>()
    };
    [of("A", &comparison.a), of("B", &comparison.b)].concat()
}
