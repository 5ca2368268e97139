//! SARIF 2.1.0 for line annotations.

pub(crate) mod log;

use std::collections::BTreeMap;

use steadfast_wire::Span;
use steadfast_wire::audit::{DriftEvaluation, DriftIncident};

use crate::context::Index;
use crate::decided;
use crate::digest::by_severity;
use crate::link::relative_uri;
use crate::plain::{one_line, shorten, shown};
use crate::{Error, Texts};

const QUOTE_CHARS_MAX: usize = 400;
/// Other places of one fault that a result names.
const RELATED_MAX: usize = 20;

/// The report as SARIF 2.1.0: a rule for each check, a result for each incident, located by line and column (UTF-16 code
/// units, from 1) and by byte in the report's files. Severity 3 and 4 are errors, 2 a warning, the rest notes; the
/// incident's id is the fingerprint. What is accepted or contested is suppressed, with the reason; against a baseline each result says
/// whether it is new. An absence stands at the nearest passage, or at the words of the ask where there is
/// none.
///
/// # Errors
/// [`Error::Sarif`] where the JSON cannot be written.
pub fn sarif(evaluation: &DriftEvaluation, texts: &Texts<'_>) -> Result<String, Error> {
    let index = Index::new(texts);
    let rules = rules(evaluation);
    let numbers: BTreeMap<String, usize> = rules.iter().enumerate().map(|(at, rule)| (rule.id.clone(), at)).collect();
    let is_decided = evaluation.decisions.is_some();
    let results =
        by_severity(evaluation).into_iter().map(|incident| result(incident, is_decided, &numbers, &index)).collect();
    let artifacts = evaluation.sources.iter().map(|source| log::Artifact {
        location: log::ArtifactLocation { uri: relative_uri(&source.file) },
        length: source.bytes,
        hashes: log::Hashes { sha256: source.sha256.clone() },
    });
    write(rules, semantic(&evaluation.rules_version), artifacts.collect(), results)
}

/// The document of one run.
pub(crate) fn write(
    rules: Vec<log::Rule>,
    semantic_version: Option<String>,
    artifacts: Vec<log::Artifact>,
    results: Vec<log::Result>,
) -> Result<String, Error> {
    let driver = log::Driver { name: "steadfast", semantic_version, rules };
    let run = log::Run { tool: log::Tool { driver }, column_kind: "utf16CodeUnits", artifacts, results };
    let mut json = serde_json::to_string_pretty(&log::Log::of(run)).map_err(Error::Sarif)?;
    json.push('\n');
    Ok(json)
}

/// The version if it is a semantic one, as SARIF asks.
fn semantic(version: &str) -> Option<String> {
    let core = version.split(['-', '+']).next().unwrap_or_default();
    let parts: Vec<_> = core.split('.').collect();
    let numeric = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    (parts.len() == 3 && numeric).then(|| version.to_owned())
}

fn rules(evaluation: &DriftEvaluation) -> Vec<log::Rule> {
    let mut rules: BTreeMap<&str, log::Rule> = BTreeMap::new();
    for check in &evaluation.checks {
        let description = escape(&one_line(&check.title));
        let title = check.drift_type.label();
        rules.insert(&check.id, log::Rule::new(&check.id, description, check.drift_type.name(), title));
    }
    for incident in &evaluation.drift_incidents {
        let (name, title) = (incident.drift_type.name(), incident.drift_type.label());
        let rule = || log::Rule::new(&incident.check, title.to_owned(), name, title);
        rules.entry(&incident.check).or_insert_with(rule);
    }
    rules.into_values().collect()
}

fn result(
    incident: &DriftIncident,
    is_decided: bool,
    rules: &BTreeMap<String, usize>,
    index: &Index<'_>,
) -> log::Result {
    let mut text = one_line(&incident.explanation);
    if let Some(span) = &incident.source_span {
        let quote = shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX);
        text = format!("{text} Asked: “{quote}” ({}).", index.place(span));
    }
    if !incident.repair_action.is_empty() {
        text = format!("{text} Repair: {}", one_line(&incident.repair_action));
    }
    let place = incident.output_span.as_ref().or(incident.source_span.as_ref());
    let related = incident.source_span.iter().map(|span| ("What was asked", span));
    let related = related.chain(incident.also_at.iter().take(RELATED_MAX).map(|span| ("The same fault", span)));
    let related = related.enumerate().map(|(id, (message, span))| {
        let mut location = location(span, index);
        location.id = Some(id + 1);
        location.message = Some(log::Message { text: message.to_owned() });
        location
    });
    log::Result {
        rule_id: incident.check.clone(),
        rule_index: rules.get(&incident.check).copied(),
        level: match incident.severity {
            3.. => "error",
            2 => "warning",
            _ => "note",
        },
        message: log::Message { text: escape(&text) },
        locations: place.iter().map(|span| location(span, index)).collect(),
        related_locations: related.collect(),
        partial_fingerprints: Some(log::Fingerprints { incident: incident.id.clone() }),
        rank: Some((incident.confidence * 100.0).round().clamp(0.0, 100.0)),
        baseline_state: incident.new.map(|new| if new { "new" } else { "unchanged" }),
        // SARIF has results of a run either all with suppressions or all without.
        suppressions: is_decided.then(|| suppressions(incident)),
        properties: log::Properties::Audit {
            severity: incident.severity,
            drift_type: incident.drift_type.name(),
            absent: incident.absent,
        },
    }
}

fn suppressions(incident: &DriftIncident) -> Vec<log::Suppression> {
    let suppression = || log::Suppression {
        kind: "external",
        status: "accepted",
        justification: decided::words(incident, QUOTE_CHARS_MAX),
    };
    incident.is_settled().then(suppression).into_iter().collect()
}

pub(crate) fn location(span: &Span, index: &Index<'_>) -> log::Location {
    let positions = index.positions(span);
    log::Location {
        id: None,
        message: None,
        physical_location: log::PhysicalLocation {
            artifact_location: log::ArtifactLocation { uri: relative_uri(&span.file) },
            region: Some(log::Region {
                start_line: positions.map(|(start, _)| start.line),
                start_column: positions.map(|(start, _)| start.column),
                end_line: positions.map(|(_, end)| end.line),
                end_column: positions.map(|(_, end)| end.column),
                byte_offset: span.start,
                byte_length: span.end.saturating_sub(span.start),
                snippet: log::Snippet { text: span.quote.clone() },
            }),
        },
        logical_locations: Vec::new(),
    }
}

/// A message in which no brackets of judged text are read as an embedded link (SARIF 2.1.0, section 3.11.6).
pub(crate) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}
