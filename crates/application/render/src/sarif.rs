//! SARIF 2.1.0 for line annotations.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use steadfast_wire::Span;
use steadfast_wire::audit::{DriftEvaluation, DriftIncident, DriftType};

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
    let numbers: BTreeMap<&str, usize> = rules.keys().enumerate().map(|(at, id)| (*id, at)).collect();
    let is_decided = evaluation.decisions.is_some();
    let results =
        by_severity(evaluation).into_iter().map(|incident| result(incident, is_decided, &numbers, &index)).collect();
    let artifacts = evaluation.sources.iter().map(|source| artifact(&source.file, source.bytes, &source.sha256));
    let artifacts = artifacts.collect();
    write(rules.into_values().collect(), semantic(&evaluation.rules_version), artifacts, results)
}

/// The document of one run.
pub(crate) fn write(
    rules: Vec<Value>,
    semantic_version: Option<String>,
    artifacts: Vec<Value>,
    results: Vec<Value>,
) -> Result<String, Error> {
    let mut driver = json!({"name": "steadfast", "rules": rules});
    if let Some(version) = semantic_version {
        driver["semanticVersion"] = version.into();
    }
    let mut run = json!({"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "artifacts": artifacts});
    run["results"] = results.into();
    let mut log = json!({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0"});
    log["runs"] = vec![run].into();
    let mut json = serde_json::to_string_pretty(&log).map_err(Error::Sarif)?;
    json.push('\n');
    Ok(json)
}

/// A rule of which no more is known than its description.
pub(crate) fn rule(id: &str, description: &str) -> Value {
    json!({"id": id, "shortDescription": {"text": description}})
}

/// A file that was judged.
pub(crate) fn artifact(file: &str, bytes: usize, sha256: &str) -> Value {
    json!({"location": {"uri": relative_uri(file)}, "length": bytes, "hashes": {"sha-256": sha256}})
}

/// The version if it is a semantic one, as SARIF asks.
fn semantic(version: &str) -> Option<String> {
    let core = version.split(['-', '+']).next().unwrap_or_default();
    let parts: Vec<_> = core.split('.').collect();
    let numeric = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    (parts.len() == 3 && numeric).then(|| version.to_owned())
}

/// The rules by their ids.
fn rules(evaluation: &DriftEvaluation) -> BTreeMap<&str, Value> {
    let of = |id: &str, description: &str, kind: DriftType| {
        let mut rule = rule(id, description);
        rule["properties"] = json!({"tags": [kind.name(), kind.label()]});
        rule
    };
    let mut rules: BTreeMap<&str, Value> = BTreeMap::new();
    for check in &evaluation.checks {
        rules.insert(&check.id, of(&check.id, &escape(&one_line(&check.title)), check.drift_type));
    }
    for incident in &evaluation.drift_incidents {
        let kind = incident.drift_type;
        rules.entry(&incident.check).or_insert_with(|| of(&incident.check, kind.label(), kind));
    }
    rules
}

fn result(incident: &DriftIncident, is_decided: bool, rules: &BTreeMap<&str, usize>, index: &Index<'_>) -> Value {
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
    let related: Vec<Value> = related
        .enumerate()
        .map(|(id, (message, span))| {
            let mut location = location(span, index);
            location["id"] = (id + 1).into();
            location["message"] = json!({"text": message});
            location
        })
        .collect();
    let mut result = json!({
        "ruleId": incident.check,
        "ruleIndex": rules.get(incident.check.as_str()),
        "level": match incident.severity {
            3.. => "error",
            2 => "warning",
            _ => "note",
        },
        "message": {"text": escape(&text)},
        "locations": place.iter().map(|span| location(span, index)).collect::<Vec<_>>(),
        "relatedLocations": related,
        "partialFingerprints": {"steadfastIncident/v1": incident.id},
        "rank": (incident.confidence * 100.0).round().clamp(0.0, 100.0),
        "properties": {
            "severity": incident.severity,
            "drift_type": incident.drift_type.name(),
            "absent": incident.absent,
        },
    });
    if let Some(new) = incident.new {
        result["baselineState"] = if new { "new" } else { "unchanged" }.into();
    }
    // SARIF has results of a run either all with suppressions or all without: a list, even an empty one, says that it was looked at.
    if is_decided {
        let justification = || decided::words(incident, QUOTE_CHARS_MAX);
        let suppression = || json!({"kind": "external", "status": "accepted", "justification": justification()});
        result["suppressions"] = incident.is_settled().then(suppression).into_iter().collect();
    }
    result
}

pub(crate) fn location(span: &Span, index: &Index<'_>) -> Value {
    let mut region = json!({
        "byteOffset": span.start,
        "byteLength": span.end.saturating_sub(span.start),
        "snippet": {"text": span.quote},
    });
    if let Some((start, end)) = index.positions(span) {
        region["startLine"] = start.line.into();
        region["startColumn"] = start.column.into();
        region["endLine"] = end.line.into();
        region["endColumn"] = end.column.into();
    }
    let mut location = of_file(&span.file);
    location["physicalLocation"]["region"] = region;
    location
}

/// A file, no place in it.
pub(crate) fn of_file(file: &str) -> Value {
    json!({"physicalLocation": {"artifactLocation": {"uri": relative_uri(file)}}})
}

/// A message in which no brackets of judged text are read as an embedded link (SARIF 2.1.0, section 3.11.6).
pub(crate) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}
