//! The page around obligations and incidents.

use std::collections::BTreeMap;

use askama::Template;
use steadfast_wire::audit::{Dimension, DriftEvaluation, DriftIncident, Risk, Role, Source};

use super::incidents::{Incidents, Link, Rendered, value};
use super::obligations::Group;
use super::places::Places;
use super::policy::policy;
use crate::decided;
use crate::digest::{self, count_of, files, is_thin, none_found, severity_word, total};
use crate::plain::{one_line, shorten};
use crate::standing::{because, tally};

const STYLE: &str = include_str!("../../templates/report.css");
const SCRIPT: &str = include_str!("../../templates/report.js");

const LIST_ITEMS_MAX: usize = 12;
const TEXT_CHARS_MAX: usize = 300;
const SOURCES_MAX: usize = 200;
const NOTES_MAX: usize = 6;
const SET_ASIDE_MAX: usize = 40;
const FILTER_OPTIONS_MAX: usize = 100;

/// By what incidents can be sorted out, by name and label.
pub(super) const FILTERS: [(&str, &str); 5] =
    [("severity", "Severity"), ("type", "Type"), ("check", "Check"), ("voice", "Voice"), ("file", "File")];

/// The values of `report.html`.
#[derive(Template)]
#[template(path = "report.html", blocks = ["why", "lists", "obligations", "dimensions", "rest"])]
pub(super) struct Page {
    csp: String,
    css: &'static str,
    script: &'static str,
    title: String,
    subtitle: String,
    assessed: String,
    assessed_width: String,
    states: String,
    score: String,
    score_width: String,
    /// Whether the score is of a small part of the obligations.
    score_is_thin: bool,
    risk: &'static str,
    risk_rule: &'static str,
    usable: bool,
    usable_rule: &'static str,
    why: Vec<Reason>,
    lists: Vec<List>,
    groups: Vec<Group>,
    obligation_count: usize,
    incident_count: usize,
    none_found: String,
    severities: Vec<Tally>,
    filters: Vec<Filter>,
    cards: String,
    more_cards: String,
    more_count: usize,
    rows: String,
    row_count: usize,
    hidden_count: usize,
    dimensions: Vec<DimensionRow>,
    /// Whether the page that holds its parts has a glossary.
    pub(super) help: bool,
    set_aside: Vec<SetAsideRow>,
    set_aside_count: usize,
    sources: Vec<SourceRow>,
    source_count: usize,
    counts: String,
    facts: Vec<String>,
    footer: String,
}

struct Reason {
    label: &'static str,
    explanation: String,
    incidents: Vec<Link>,
}

struct List {
    title: &'static str,
    class: &'static str,
    none: &'static str,
    items: Vec<String>,
    more: usize,
}

struct Tally {
    value: u8,
    label: &'static str,
    count: usize,
}

/// By what incidents can be sorted out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Its name in an address.
    pub name: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// What there is to choose.
    pub options: Vec<FilterOption>,
}

/// What a filter lets through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterOption {
    /// As an address has it.
    pub value: String,
    /// As it is shown.
    pub label: String,
    /// How many incidents it lets through.
    pub count: usize,
}

struct DimensionRow {
    label: &'static str,
    assessed: bool,
    score: String,
    width: u32,
}

struct SetAsideRow {
    what: String,
    text: String,
    reason: String,
}

struct SourceRow {
    file: String,
    href: String,
    notes: Vec<String>,
    role: &'static str,
    bytes: usize,
    sha256: String,
}

fn line(text: &str) -> String {
    shorten(&one_line(text), TEXT_CHARS_MAX)
}

impl Page {
    pub(super) fn new(
        evaluation: &DriftEvaluation,
        places: &Places<'_>,
        incidents: &Incidents<'_>,
        groups: Vec<Group>,
        rendered: Rendered,
    ) -> Self {
        let (css, script) = (STYLE.trim_end(), SCRIPT.trim_end());
        let (title, subtitle) = titles(evaluation);
        let score = evaluation.overall_fidelity_score.clamp(0.0, 5.0);
        let incident_count = total(evaluation);
        Self {
            csp: policy(css, Some(script)),
            css,
            script,
            title,
            subtitle,
            assessed: evaluation.assessed.words(),
            assessed_width: share(evaluation.assessed.n, evaluation.assessed.of),
            states: tally(evaluation),
            score: format!("{score:.1}"),
            score_width: format!("{:.0}", score * 20.0),
            score_is_thin: is_thin(evaluation),
            risk: evaluation.overall_drift_risk.name(),
            risk_rule: match evaluation.overall_drift_risk {
                Risk::Critical => "an incident has severity 4",
                Risk::High => "the score is below 2.5",
                Risk::Medium => "the score is below 3.5",
                Risk::Low if !evaluation.usable_as_is => {
                    "by the score alone: it is at least 3.5, and nothing is critical"
                }
                Risk::Low => "the score is at least 3.5, nothing is critical",
            },
            usable: evaluation.usable_as_is,
            usable_rule: because(evaluation),
            why: reasons(evaluation, incidents),
            lists: lists(evaluation),
            groups,
            obligation_count: evaluation.obligations.len(),
            incident_count,
            none_found: none_found(evaluation),
            severities: severities(evaluation),
            filters: filters(incidents),
            hidden_count: incident_count - rendered.listed,
            cards: rendered.cards,
            more_cards: rendered.more_cards,
            more_count: rendered.more_count,
            rows: rendered.rows,
            row_count: rendered.row_count,
            help: false,
            dimensions: Dimension::ALL.iter().map(|dimension| dimension_row(evaluation, *dimension)).collect(),
            set_aside: evaluation
                .set_aside
                .iter()
                .take(SET_ASIDE_MAX)
                .map(|item| SetAsideRow { what: line(&item.what), text: line(&item.text), reason: line(&item.reason) })
                .collect(),
            set_aside_count: evaluation.set_aside.len(),
            sources: evaluation.sources.iter().take(SOURCES_MAX).map(|source| source_row(source, places)).collect(),
            source_count: evaluation.sources.len(),
            counts: format!(
                "Counts: {} critical, {} unsupported, {} against a constraint, {} with inflated confidence.",
                evaluation.critical_drift_count,
                evaluation.unsupported_claim_count,
                evaluation.constraint_violation_count,
                evaluation.confidence_inflation_count
            ),
            facts: decided::facts(evaluation).iter().map(|fact| line(fact)).collect(),
            footer: format!(
                "Steadfast audit · judged by {} · rules version {} · schema version {}",
                evaluation.judge.label(),
                line(&evaluation.rules_version),
                line(&evaluation.schema_version)
            ),
        }
    }
}

/// A part of a whole in whole percent, for the width of a bar.
fn share(part: usize, whole: usize) -> String {
    format!("{}", part.min(whole) * 100 / whole.max(1))
}

fn titles(evaluation: &DriftEvaluation) -> (String, String) {
    let name = |role: Role, noun: &str| match files(evaluation, role).as_slice() {
        [] => format!("no {noun}"),
        [file] => shorten(&one_line(file), 90),
        several => count_of(several.len(), &format!("{noun} file")),
    };
    let title = format!("{} against {}", name(Role::Answer, "report"), name(Role::Ask, "prompt"));
    let obligations = count_of(evaluation.obligations.len(), "obligation");
    let incidents = count_of(total(evaluation), "drift incident");
    (title, format!("{obligations} of the prompt, {incidents} in the report"))
}

fn reasons(evaluation: &DriftEvaluation, incidents: &Incidents<'_>) -> Vec<Reason> {
    let reasons = evaluation.disqualifiers.iter().take(LIST_ITEMS_MAX).map(|disqualifier| Reason {
        label: disqualifier.condition.label(),
        explanation: line(&disqualifier.explanation),
        incidents: disqualifier.incidents.iter().filter_map(|id| incidents.link(id)).take(LIST_ITEMS_MAX).collect(),
    });
    reasons.collect()
}

fn lists(evaluation: &DriftEvaluation) -> Vec<List> {
    let list = |title, class, none, items: &[String]| List {
        title,
        class,
        none,
        items: items.iter().take(LIST_ITEMS_MAX).map(|item| line(item)).collect(),
        more: items.len().saturating_sub(LIST_ITEMS_MAX),
    };
    let (no_failures, no_actions) = digest::no_failures(evaluation);
    vec![
        list("Major failures", "failures", no_failures, &evaluation.verdict_major_failures),
        list("Recommended actions", "actions", no_actions, &evaluation.verdict_recommended_actions),
        list(
            "What was preserved well",
            "preserved",
            "Nothing was found to be kept.",
            &evaluation.verdict_preserved_well,
        ),
    ]
}

fn severities(evaluation: &DriftEvaluation) -> Vec<Tally> {
    let counted = evaluation.totals.by_severity.iter().rev().filter(|(_, count)| **count > 0);
    counted.map(|(value, count)| Tally { value: *value, label: severity_word(*value), count: *count }).collect()
}

/// The filters of all incidents, most severe first.
pub(super) fn filters(incidents: &Incidents<'_>) -> Vec<Filter> {
    let label = |name: &str, incident: &DriftIncident| match name {
        "severity" => format!("{} {}", incident.severity, severity_word(incident.severity)),
        "type" => format!("{} {}", incident.drift_type, incident.drift_type.label()),
        "voice" => incident.voice.label().to_owned(),
        other => value(incident, other),
    };
    let filter = |name: &'static str, title: &'static str| {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (_, incident) in &incidents.ordered {
            *counts.entry((value(incident, name), label(name, incident))).or_default() += 1;
        }
        let options = counts.into_iter().map(|((value, label), count)| FilterOption { value, label, count });
        let mut options: Vec<_> = options.filter(|option| !option.value.is_empty()).take(FILTER_OPTIONS_MAX).collect();
        if name == "severity" {
            options.reverse();
        }
        Filter { name, label: title, options }
    };
    FILTERS.iter().map(|(name, label)| filter(name, label)).collect()
}

fn dimension_row(evaluation: &DriftEvaluation, dimension: Dimension) -> DimensionRow {
    let assessed = !evaluation.unassessed_dimensions.contains(&dimension);
    let score = evaluation.dimension_scores.get(dimension);
    DimensionRow {
        label: dimension.label(),
        assessed,
        score: if assessed { score.to_string() } else { "n/a".to_owned() },
        width: u32::from(score.min(5)) * 20,
    }
}

fn source_row(source: &Source, places: &Places<'_>) -> SourceRow {
    let left_out = source.left_out.iter().take(NOTES_MAX);
    let left_out =
        left_out.map(|left| format!("left out: bytes {} to {}, {}", left.start, left.end, line(&left.reason)));
    SourceRow {
        file: shorten(&one_line(&source.file), 160),
        href: places.href(&source.file),
        notes: source.note.iter().map(|note| line(note)).chain(left_out).collect(),
        role: source.role.label(),
        bytes: source.bytes,
        sha256: one_line(&source.sha256),
    }
}
