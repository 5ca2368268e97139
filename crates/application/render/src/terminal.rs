//! A summary for terminals.

use std::fmt::Write as _;

use steadfast_wire::Span;
use steadfast_wire::audit::{DriftEvaluation, DriftIncident, Risk, Status};

use crate::Texts;
use crate::context::Index;
use crate::decided;
use crate::digest::{by_severity, count_of, counted, obligations, severity_word, total};
use crate::model_view;
use crate::plain::{one_line, shorten, shown};
use crate::trail;

const INCIDENTS_SHOWN_MAX: usize = 5;
const ACTIONS_SHOWN_MAX: usize = 5;
const MODEL_INCIDENTS_MAX: usize = 3;
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

/// The report as a summary for a terminal: score, risk, why it is not usable, the five most severe incidents with both
/// quotes shortened, what to do. Control characters of judged text are shown, so none reaches the terminal.
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
    if !evaluation.verdict_recommended_actions.is_empty() {
        let _ = writeln!(out, "\n{}", colour.paint(Style::Bold, "What to do"));
        for action in evaluation.verdict_recommended_actions.iter().take(ACTIONS_SHOWN_MAX) {
            let _ = writeln!(out, "  - {}", shorten(&one_line(action), QUOTE_CHARS_MAX));
        }
    }
    if let Some(view) = &evaluation.model_view {
        let _ = writeln!(out, "\n{}", colour.paint(Style::Bold, model_view::TITLE));
        let _ = writeln!(out, "{}", colour.paint(Style::Dim, model_view::NOTE));
        let incidents = model_view::incidents(view, MODEL_INCIDENTS_MAX, QUOTE_CHARS_MAX);
        let questions =
            view.questions.iter().take(ACTIONS_SHOWN_MAX).map(|question| format!("It would ask: {question}"));
        for text in model_view::facts(evaluation, view).into_iter().chain(incidents).chain(questions) {
            let _ = writeln!(out, "  - {}", shorten(&one_line(&text), 3 * QUOTE_CHARS_MAX));
        }
    }
    out
}

fn head(out: &mut String, evaluation: &DriftEvaluation, colour: Colour) {
    let risk_style = match evaluation.overall_drift_risk {
        Risk::Low => Style::Good,
        Risk::Medium => Style::Warn,
        Risk::High | Risk::Critical => Style::Bad,
    };
    let usable = if evaluation.usable_as_is {
        colour.paint(Style::Good, "usable as it is")
    } else {
        colour.paint(Style::Bad, "not usable as it is")
    };
    let score = colour.paint(Style::Bold, &format!("{:.1} / 5.0", evaluation.overall_fidelity_score));
    let risk = colour.paint(risk_style, &format!("{} risk", evaluation.overall_drift_risk));
    let _ = writeln!(out, "Fidelity {score} · {risk} · {usable}");
    for disqualifier in &evaluation.disqualifiers {
        let explanation = shorten(&one_line(&disqualifier.explanation), QUOTE_CHARS_MAX);
        let label = colour.paint(Style::Bad, disqualifier.condition.label());
        let _ = writeln!(out, "  - {label}: {explanation}");
    }
    let statuses = Status::ALL.iter().map(|status| (obligations(evaluation, *status).len(), status.label()));
    let statuses = statuses.filter(|(count, _)| *count > 0);
    let statuses: Vec<_> = statuses.map(|(count, label)| format!("{count} {}", label.to_lowercase())).collect();
    if !statuses.is_empty() {
        let count = count_of(evaluation.obligations.len(), "obligation");
        let _ = writeln!(out, "{count} of the prompt: {}", statuses.join(", "));
    }
    match total(evaluation) {
        0 => out.push_str("No drift incident was found.\n"),
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
    let _ = writeln!(
        out,
        "\n{} {} · {drift_type} {}{new}",
        colour.paint(Style::Bold, &format!("{number}.")),
        colour.paint(style, &severity),
        drift_type.label()
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
