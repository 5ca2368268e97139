//! A summary for terminals.

use std::fmt::Write as _;

use steadfast_wire::Span;
use steadfast_wire::audit::{DriftEvaluation, DriftIncident, Obligation, Risk};

use crate::Texts;
use crate::context::Index;
use crate::decided;
use crate::digest::{
    by_severity, count_of, counted, incidents_of, is_thin, none_found, obligations, severity_word, total,
};
use crate::plain::{capital, one_line, shorten, shown};
use crate::standing::{Standing, tally, verdict};
use crate::trail;

const INCIDENTS_SHOWN_MAX: usize = 5;
/// Obligations of one state; of those that are in order, or that nothing speaks of, fewer.
const OBLIGATIONS_SHOWN_MAX: usize = 8;
const OTHERS_SHOWN_MAX: usize = 4;
/// Passages near an unclear obligation, and ids of obligations and incidents that are named and no more.
const PASSAGES_SHOWN_MAX: usize = 3;
const IDS_SHOWN_MAX: usize = 12;
const ACTIONS_SHOWN_MAX: usize = 5;
const QUOTE_CHARS_MAX: usize = 160;

/// Whether the summary carries ANSI colours. It reads the same without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    #[default]
    Off,
    /// With ANSI escape sequences.
    On,
}

/// What a piece of the summary is, for its colour.
#[derive(Clone, Copy)]
pub(crate) enum Style {
    Bold,
    Dim,
    Good,
    Warn,
    Bad,
}

impl Colour {
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        let code = match style {
            Style::Bold => "1",
            Style::Dim => "2",
            Style::Good => "32",
            Style::Warn => "33",
            Style::Bad => "31",
        };
        match self {
            Self::Off => text.to_owned(),
            Self::On => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        }
    }
}

/// The report as a summary for a terminal: how much was assessed, score, risk, why it is not usable, the five most severe incidents with
/// both quotes shortened, the obligations by what became of them, what to do. Control characters of judged text are shown, so none reaches the terminal.
#[must_use]
pub fn text(evaluation: &DriftEvaluation, texts: &Texts<'_>, colour: Colour) -> String {
    let index = Index::new(texts);
    let mut out = String::new();
    head(&mut out, evaluation, colour);
    let ordered = by_severity(evaluation);
    for (number, incident) in ordered.iter().take(INCIDENTS_SHOWN_MAX).enumerate() {
        one_incident(&mut out, number + 1, incident, &index, colour);
    }
    let shown = ordered.len().min(INCIDENTS_SHOWN_MAX);
    let rest = total(evaluation) - shown;
    if rest > 0 {
        let by = counted(ordered[shown..].iter().copied());
        let by = if by.is_empty() { by } else { format!(": {by}") };
        let _ =
            writeln!(out, "\n{}", colour.paint(Style::Dim, &format!("and {}{by}", count_of(rest, "more incident"))));
    }
    for state in Standing::ALL {
        one_state(&mut out, *state, evaluation, &index, colour);
    }
    if !evaluation.verdict_recommended_actions.is_empty() {
        let _ = writeln!(out, "\n{}", colour.paint(Style::Bold, "What to do"));
        for action in evaluation.verdict_recommended_actions.iter().take(ACTIONS_SHOWN_MAX) {
            let _ = writeln!(out, "  - {}", shorten(&one_line(action), QUOTE_CHARS_MAX));
        }
    }
    out
}

fn head(out: &mut String, evaluation: &DriftEvaluation, colour: Colour) {
    let risk_style = match evaluation.overall_drift_risk {
        Risk::Low if is_thin(evaluation) => Style::Warn,
        Risk::Low => Style::Good,
        Risk::Medium => Style::Warn,
        Risk::High | Risk::Critical => Style::Bad,
    };
    let _ = writeln!(out, "{}", colour.paint(Style::Bold, &format!("Assessed: {}", evaluation.assessed.words())));
    let usable =
        colour.paint(if evaluation.usable_as_is { Style::Good } else { Style::Bad }, &capital(&verdict(evaluation)));
    let score = colour.paint(Style::Bold, &format!("{:.1} / 5.0", evaluation.overall_fidelity_score));
    let risk = colour.paint(risk_style, &format!("{} risk", evaluation.overall_drift_risk));
    // A low risk says nothing of a report that is broken, and the score nothing where too little was assessed.
    let is_low = evaluation.overall_drift_risk == Risk::Low;
    let told = match (is_low, evaluation.usable_as_is) {
        (true, false) if is_thin(evaluation) => String::new(),
        (true, false) => format!(" · fidelity {score}"),
        (true, true) if is_thin(evaluation) => format!(" · fidelity {score} · {risk}, of what was assessed"),
        _ => format!(" · fidelity {score} · {risk}"),
    };
    let _ = writeln!(out, "{usable}{told}");
    for disqualifier in &evaluation.disqualifiers {
        let explanation = shorten(&one_line(&disqualifier.explanation), QUOTE_CHARS_MAX);
        let label = colour.paint(Style::Bad, disqualifier.condition.label());
        let _ = writeln!(out, "  - {label}: {explanation}");
    }
    if !evaluation.obligations.is_empty() {
        let count = count_of(evaluation.obligations.len(), "obligation");
        let _ = writeln!(out, "{count} of the prompt: {}", tally(evaluation));
    }
    match total(evaluation) {
        0 => {
            let _ = writeln!(out, "{}", none_found(evaluation));
        }
        count => {
            let _ = writeln!(out, "{}", count_of(count, "drift incident"));
        }
    }
    for fact in decided::facts(evaluation) {
        let _ = writeln!(out, "{}", shorten(&fact, 2 * QUOTE_CHARS_MAX));
    }
}

fn one_incident(out: &mut String, number: usize, incident: &DriftIncident, index: &Index<'_>, colour: Colour) {
    let style = match incident.severity {
        3.. => Style::Bad,
        2 => Style::Warn,
        _ => Style::Dim,
    };
    let severity = format!("severity {} {}", incident.severity, severity_word(incident.severity));
    let drift_type = incident.drift_type;
    let new = if decided::is_new(incident) { " · new" } else { "" };
    let by = decided::by(&incident.origin, incident.person.as_deref());
    let _ = writeln!(
        out,
        "\n{} {} · {drift_type} {}{new}{by} {}",
        colour.paint(Style::Bold, &format!("{number}.")),
        colour.paint(style, &severity),
        drift_type.label(),
        colour.paint(Style::Dim, &shorten(&one_line(&incident.id), QUOTE_CHARS_MAX))
    );
    let _ = writeln!(out, "   {}", shorten(&one_line(&incident.explanation), 2 * QUOTE_CHARS_MAX));
    let quote = |label: &str, span: Option<&Span>, none: &str| match span {
        Some(span) => {
            let quote = shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX);
            format!("   {label} “{quote}” {}\n", colour.paint(Style::Dim, &index.place(span)))
        }
        None => format!("   {label} {}\n", colour.paint(Style::Dim, none)),
    };
    out.push_str(&quote("asked: ", incident.source_span.as_ref(), "not in prompt"));
    let label = if incident.absent { "nearest:" } else { "report:" };
    out.push_str(&quote(label, incident.output_span.as_ref(), "nothing comes near to it"));
    let decided = decided::words(incident, QUOTE_CHARS_MAX);
    if !decided.is_empty() {
        let _ = writeln!(out, "   {}", colour.paint(Style::Dim, &decided));
    }
    if !incident.also_at.is_empty() {
        let more = count_of(incident.also_at.len(), "more place");
        let _ = writeln!(out, "   {}", colour.paint(Style::Dim, &format!("and at {more}")));
    }
    if let Some(trail) = &incident.trail {
        let _ = writeln!(out, "   through the run: {}", trail::sentence(trail));
    }
}

/// The obligations of one state with their ids, and the words that say so; those that are not settled with what comes nearest to them.
fn one_state(out: &mut String, state: Standing, evaluation: &DriftEvaluation, index: &Index<'_>, colour: Colour) {
    let those = obligations(evaluation, state);
    if those.is_empty() {
        return;
    }
    let style = match state {
        Standing::Broken | Standing::Weakened | Standing::Missing => Style::Bad,
        Standing::Unclear => Style::Warn,
        Standing::Kept => Style::Good,
        Standing::NothingFound | Standing::Unmentioned | Standing::NotAssessed => Style::Bold,
    };
    let meaning = colour.paint(Style::Dim, &format!("— {}", state.row().meaning));
    let title = colour.paint(style, &format!("{} ({})", state.row().label, those.len()));
    let _ = writeln!(out, "\n{title} {meaning}");
    let shown_max = match state {
        Standing::Broken | Standing::Weakened | Standing::Missing | Standing::Unclear => OBLIGATIONS_SHOWN_MAX,
        Standing::NothingFound | Standing::Unmentioned | Standing::NotAssessed | Standing::Kept => OTHERS_SHOWN_MAX,
    };
    for obligation in those.iter().take(shown_max) {
        one_obligation(out, state, obligation, evaluation, index, colour);
    }
    if those.len() > shown_max {
        let rest = ids(those[shown_max..].iter().map(|own| own.id.as_str()));
        let line = format!("and {} more: {rest}", those.len() - shown_max);
        let _ = writeln!(out, "  {}", colour.paint(Style::Dim, &line));
    }
}

fn one_obligation(
    out: &mut String,
    state: Standing,
    obligation: &Obligation,
    evaluation: &DriftEvaluation,
    index: &Index<'_>,
    colour: Colour,
) {
    let quoted = |span: &Span| {
        let quote = shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX);
        format!("“{quote}” {}", colour.paint(Style::Dim, &index.place(span)))
    };
    let id = shorten(&one_line(&obligation.id), QUOTE_CHARS_MAX);
    let judged_by = decided::by(&obligation.origin, obligation.person.as_deref());
    let _ = writeln!(out, "  - {id}: {}{judged_by}", quoted(&obligation.span));
    match state {
        Standing::Broken | Standing::Weakened | Standing::Missing => {
            let by = ids(incidents_of(evaluation, obligation));
            if !by.is_empty() {
                let _ = writeln!(out, "      {}", colour.paint(Style::Dim, &format!("by {by}")));
            } else if let Some(span) = obligation.answer_spans.first() {
                let _ = writeln!(out, "      report: {}", quoted(span));
            }
        }
        Standing::Kept => {
            if let Some(measured) = &obligation.measured {
                let _ = writeln!(out, "      report: {}", one_line(measured));
            } else if let Some(span) = obligation.answer_spans.first() {
                let _ = writeln!(out, "      report: {}", quoted(span));
            }
        }
        Standing::Unclear | Standing::NothingFound | Standing::Unmentioned | Standing::NotAssessed => {}
    }
    if let Some(nearest) = state.row().nearest {
        for passage in obligation.passages.iter().take(PASSAGES_SHOWN_MAX) {
            let _ = writeln!(out, "      {nearest}: {}", quoted(&passage.span));
        }
    }
}

/// The first ids of a list.
fn ids<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    let mut all: Vec<String> = ids.take(IDS_SHOWN_MAX + 1).map(|id| shorten(&one_line(id), QUOTE_CHARS_MAX)).collect();
    if all.len() > IDS_SHOWN_MAX {
        all.truncate(IDS_SHOWN_MAX);
        all.push("…".to_owned());
    }
    all.join(", ")
}
