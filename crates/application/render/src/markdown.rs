//! Markdown in the seed's layout.

pub(crate) mod escape;

use std::fmt::Write as _;

use steadfast_wire::Span;
use steadfast_wire::audit::{Dimension, DriftEvaluation, DriftIncident, Obligation, Risk};

use crate::Texts;
use crate::context::Index;
use crate::decided;
use crate::digest::{self, by_severity, count_of, counted, incidents_of, is_thin, obligations, total};
use crate::plain::{one_line, shorten, shown};
use crate::standing::{Standing, because, tally};
use crate::trail;
use escape::{code, escape, line};

/// How many incidents are shown, most severe first (the rest are counted).
pub const INCIDENTS_SHOWN_MAX: usize = 20;
/// A CI summary that is longer is cut by its host: incidents stop being shown before this many bytes.
pub const MARKDOWN_BYTES_MAX: usize = 60_000;
/// What is kept free for the end of the report.
const END_BYTES_MAX: usize = 2_000;
const LIST_ITEMS_MAX: usize = 6;
const LIST_ITEM_CHARS_MAX: usize = 220;
const QUOTE_CHARS_MAX: usize = 420;
const SHORT_QUOTE_CHARS_MAX: usize = 110;
/// Obligations of one state, passages near one that is not settled, and ids that are named and no more.
const OBLIGATIONS_SHOWN_MAX: usize = 12;
const PASSAGES_SHOWN_MAX: usize = 3;
const IDS_SHOWN_MAX: usize = 20;
const ID_CHARS_MAX: usize = 80;
/// What the obligations of one state may take, what is kept free of it for the ids of the rest, and what incidents leave to all states.
const STATE_BYTES_MAX: usize = 5_000;
const REST_BYTES_MAX: usize = 500;
const STATES_BYTES_MIN: usize = 6_000;
const ALSO_AT_MAX: usize = 6;

/// The report as Markdown: how much was assessed, the seed's headings, the obligations by what became of them, the 20 most severe incidents with the quotes of
/// both sides. Less than [`MARKDOWN_BYTES_MAX`] bytes; judged text is escaped.
#[must_use]
pub fn markdown(evaluation: &DriftEvaluation, texts: &Texts<'_>) -> String {
    let index = Index::new(texts);
    let mut out = String::new();
    head(&mut out, evaluation);
    list(&mut out, "What Was Preserved Well", &evaluation.verdict_preserved_well, "Nothing was found to be kept.");
    let (no_failures, no_actions) = digest::no_failures(evaluation);
    list(&mut out, "Major Failures", &evaluation.verdict_major_failures, no_failures);
    list(&mut out, "Recommended Actions", &evaluation.verdict_recommended_actions, no_actions);
    dimensions(&mut out, evaluation);
    let needed = states(evaluation, &index, STATES_BYTES_MIN).len();
    incidents(&mut out, evaluation, &index, END_BYTES_MAX + needed);
    let room = (MARKDOWN_BYTES_MAX - END_BYTES_MAX).saturating_sub(out.len());
    out.push_str(&states(evaluation, &index, room));
    end(&mut out, evaluation);
    out
}

fn head(out: &mut String, evaluation: &DriftEvaluation) {
    let usable = if evaluation.usable_as_is { "yes".to_owned() } else { format!("no: {}", because(evaluation)) };
    let _ = writeln!(out, "# Drift Evaluation Report\n");
    // Two spaces end a line within a paragraph.
    let _ = writeln!(out, "**Assessed:** {}  ", evaluation.assessed.words());
    let part = if is_thin(evaluation) { ", of what was assessed" } else { "" };
    let _ = writeln!(out, "**Overall Fidelity Score:** {:.1} / 5.0{part}  ", evaluation.overall_fidelity_score);
    let is_low = evaluation.overall_drift_risk == Risk::Low;
    // A low risk says nothing of a report that is broken.
    let of = match is_low {
        true if !evaluation.usable_as_is => ", by the score alone",
        true if is_thin(evaluation) => ", of what was assessed",
        _ => "",
    };
    let _ = writeln!(out, "**Drift Risk:** {}{of}  ", evaluation.overall_drift_risk);
    let _ = writeln!(out, "**Usable As-Is:** {usable}\n");
    for disqualifier in evaluation.disqualifiers.iter().take(LIST_ITEMS_MAX) {
        let explanation = line(&disqualifier.explanation, LIST_ITEM_CHARS_MAX);
        let _ = writeln!(out, "- **{}:** {explanation}", disqualifier.condition.label());
    }
    if !evaluation.disqualifiers.is_empty() {
        out.push('\n');
    }
    for fact in decided::facts(evaluation) {
        let _ = writeln!(out, "{}\n", line(&fact, QUOTE_CHARS_MAX));
    }
    if !evaluation.obligations.is_empty() {
        let count = count_of(evaluation.obligations.len(), "obligation");
        let _ = writeln!(out, "{count} of the prompt: {}.\n", tally(evaluation));
    }
}

fn quote_and_place(span: &Span, index: &Index<'_>) -> String {
    let quote = shorten(&shown(&span.file, &span.quote), SHORT_QUOTE_CHARS_MAX);
    format!("“{}” ({})", escape(&quote), code(&index.place(span)))
}

fn list(out: &mut String, title: &str, items: &[String], none: &str) {
    let _ = writeln!(out, "## {title}\n");
    if items.is_empty() {
        let _ = writeln!(out, "{none}\n");
        return;
    }
    for item in items.iter().take(LIST_ITEMS_MAX) {
        let _ = writeln!(out, "- {}", line(item, LIST_ITEM_CHARS_MAX));
    }
    if items.len() > LIST_ITEMS_MAX {
        let _ = writeln!(out, "- and {} more", items.len() - LIST_ITEMS_MAX);
    }
    out.push('\n');
}

fn dimensions(out: &mut String, evaluation: &DriftEvaluation) {
    out.push_str("## Dimension Scores\n\n| Dimension | Score |\n|---|---|\n");
    for dimension in Dimension::ALL {
        if evaluation.unassessed_dimensions.contains(dimension) {
            let _ = writeln!(out, "| {} | n/a |", dimension.label());
        } else {
            let _ = writeln!(out, "| {} | {} |", dimension.label(), evaluation.dimension_scores.get(*dimension));
        }
    }
    out.push('\n');
}

fn incidents(out: &mut String, evaluation: &DriftEvaluation, index: &Index<'_>, kept_free: usize) {
    let _ = writeln!(out, "## Drift Incidents ({} total)\n", total(evaluation));
    let ordered = by_severity(evaluation);
    let mut shown = 0;
    for (number, incident) in ordered.iter().take(INCIDENTS_SHOWN_MAX).enumerate() {
        let text = incident_text(number + 1, incident, index);
        if out.len() + text.len() > MARKDOWN_BYTES_MAX - kept_free {
            break;
        }
        out.push_str(&text);
        shown += 1;
    }
    let rest = total(evaluation) - shown;
    if rest > 0 {
        let by = counted(ordered[shown..].iter().copied());
        let by = if by.is_empty() { by } else { format!(" ({by})") };
        let _ = writeln!(out, "**{rest} more**{by}: in `drift-evaluation.json` and in the HTML report.\n");
    }
}

fn incident_text(number: usize, incident: &DriftIncident, index: &Index<'_>) -> String {
    let mut out = String::new();
    let drift_type = incident.drift_type;
    let _ = writeln!(
        out,
        "### Incident {number} — Severity {} ({drift_type}: {}){}\n",
        incident.severity,
        drift_type.label(),
        if decided::is_new(incident) { " — new" } else { "" }
    );
    let section = shorten(&one_line(&incident.section), LIST_ITEM_CHARS_MAX);
    let section = if section.is_empty() { "(no heading)".to_owned() } else { escape(&section) };
    let check = code(&shorten(&one_line(&incident.check), 80));
    let id = code(&shorten(&one_line(&incident.id), ID_CHARS_MAX));
    let voice = incident.voice.label();
    let by = escape(&decided::by(&incident.origin, incident.person.as_deref()));
    let _ = writeln!(
        out,
        "**Section:** {section} · {voice} · {check}{by} · confidence {:.2} · {id}\n",
        incident.confidence
    );
    let _ = writeln!(out, "{}\n", line(&incident.explanation, QUOTE_CHARS_MAX));
    match &incident.source_span {
        Some(span) => {
            let _ = writeln!(out, "> **Prompt**, {}: {}\n", code(&index.place(span)), long_quote(span));
        }
        None => out.push_str("> **Prompt**: not in prompt\n\n"),
    }
    let label = if incident.absent { "**Report** (missing; nearest passage)" } else { "**Report**" };
    match &incident.output_span {
        Some(span) => {
            let _ = writeln!(out, "> {label}, {}: {}\n", code(&index.place(span)), long_quote(span));
        }
        None => {
            let _ = writeln!(out, "> {label}: nothing comes near to it\n");
        }
    }
    let decided = decided::words(incident, LIST_ITEM_CHARS_MAX);
    if !decided.is_empty() {
        let _ = writeln!(out, "**Decided:** {}\n", line(&decided, QUOTE_CHARS_MAX));
    }
    if !incident.repair_action.is_empty() {
        let _ = writeln!(out, "**Repair:** {}\n", line(&incident.repair_action, LIST_ITEM_CHARS_MAX));
    }
    if !incident.also_at.is_empty() {
        let all = index.places(&incident.also_at);
        let places = all.iter().take(ALSO_AT_MAX).map(|(span, count)| {
            let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
            format!("{}{times}", code(&shorten(&index.place(span), 90)))
        });
        let places: Vec<_> = places.collect();
        let more = all.len() - places.len();
        let more = if more > 0 { format!(" and {}", count_of(more, "more place")) } else { String::new() };
        let _ = writeln!(out, "**Also at:** {}{more}\n", places.join(", "));
    }
    if let Some(trail) = &incident.trail {
        let _ = writeln!(out, "**Through the run:** {}\n", escape(&trail::sentence(trail)));
    }
    out
}

fn long_quote(span: &Span) -> String {
    format!("“{}”", escape(&shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX)))
}

/// The obligations by what became of them, each with its id and the words that say so; those that are unclear with what comes nearest to
/// them. At most `room` bytes, of which each state has its share, so that none is left out.
fn states(evaluation: &DriftEvaluation, index: &Index<'_>, room: usize) -> String {
    let there = Standing::ALL.iter().map(|state| (*state, obligations(evaluation, *state)));
    let there: Vec<_> = there.filter(|(_, those)| !those.is_empty()).collect();
    let mut out = String::new();
    for (at, (state, those)) in there.iter().enumerate() {
        let share = room.saturating_sub(out.len()) / (there.len() - at);
        out.push_str(&one_state(*state, those, evaluation, index, share.min(STATE_BYTES_MAX)));
    }
    out
}

fn one_state(
    state: Standing,
    those: &[&Obligation],
    evaluation: &DriftEvaluation,
    index: &Index<'_>,
    room: usize,
) -> String {
    let mut section = format!("## {} ({})\n\n", state.row().label, those.len());
    let mut shown = 0;
    for obligation in those.iter().take(OBLIGATIONS_SHOWN_MAX) {
        let text = obligation_text(state, obligation, evaluation, index);
        if section.len() + text.len() + REST_BYTES_MAX > room {
            break;
        }
        section.push_str(&text);
        shown += 1;
    }
    if those.len() > shown {
        let count = format!("- and {} more", those.len() - shown);
        let named = format!("{count}: {}", ids(those[shown..].iter().map(|own| own.id.as_str())));
        section.push_str(if named.len() < REST_BYTES_MAX { &named } else { &count });
        section.push('\n');
    }
    section.push('\n');
    section
}

fn obligation_text(
    state: Standing,
    obligation: &Obligation,
    evaluation: &DriftEvaluation,
    index: &Index<'_>,
) -> String {
    let id = code(&shorten(&one_line(&obligation.id), ID_CHARS_MAX));
    let mut out = format!("- {id} {}", quote_and_place(&obligation.span, index));
    if let Some(measured) = obligation.measured.as_ref().filter(|_| state == Standing::Kept) {
        let _ = write!(out, " — the report: {}", one_line(measured));
    } else if matches!(state, Standing::Broken | Standing::Weakened | Standing::Kept)
        && let Some(answer) = obligation.answer_spans.first()
    {
        let _ = write!(out, " — the report: {}", quote_and_place(answer, index));
    }
    let by = ids(incidents_of(evaluation, obligation));
    if !by.is_empty() {
        let _ = write!(out, " — {by}");
    }
    out.push('\n');
    if let Some(nearest) = state.row().nearest {
        for passage in obligation.passages.iter().take(PASSAGES_SHOWN_MAX) {
            let _ = writeln!(out, "  - {nearest}: {}", quote_and_place(&passage.span, index));
        }
    }
    out
}

/// The first ids of a list.
fn ids<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    let shown = |id: &str| code(&shorten(&one_line(id), ID_CHARS_MAX));
    let mut all: Vec<String> = ids.take(IDS_SHOWN_MAX + 1).map(shown).collect();
    if all.len() > IDS_SHOWN_MAX {
        all.truncate(IDS_SHOWN_MAX);
        all.push("…".to_owned());
    }
    all.join(", ")
}

fn end(out: &mut String, evaluation: &DriftEvaluation) {
    let files = count_of(evaluation.sources.len(), "file");
    let version = code(&shorten(&one_line(&evaluation.rules_version), 40));
    let _ = write!(out, "---\n\nJudged by {}, rules version {version}; {files} read.", evaluation.judge.label());
    if !evaluation.set_aside.is_empty() {
        let set_aside = count_of(evaluation.set_aside.len(), "proposal");
        let _ = write!(out, " {set_aside} set aside: not located, or refuted.");
    }
    out.push('\n');
}
