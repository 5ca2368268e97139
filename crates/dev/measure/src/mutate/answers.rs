//! What another judge says of the cases, line by line.

use std::collections::HashMap;

use serde::Deserialize;
use steadfast_wire::audit::DriftType;

use crate::MeasureError;
use crate::files::placed_json_lines;

/// Incidents of one answer, at most.
const INCIDENTS_MAX: usize = 1_000;

/// An answer, as it is written. Members beside these are passed over: what an audit gives can stand as it is.
#[derive(Deserialize)]
struct Line {
    id: String,
    drift_incidents: Vec<Incident>,
}

#[derive(Deserialize)]
struct Incident {
    output_claim: Option<String>,
    source_reference: Option<String>,
    drift_type: Option<String>,
}

/// What a judge says of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// File and line.
    pub place: String,
    /// What it found.
    pub incidents: Vec<Claimed>,
}

/// Something that a judge says it found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// The words of the report; `None` for what is missing there.
    pub output: Option<String>,
    /// The words of the prompt.
    pub source: Option<String>,
    /// The type.
    pub kind: Option<DriftType>,
}

/// The answers of a file of JSON lines, by the ids of cases: `{"id", "drift_incidents": [{"output_claim"?, "source_reference"?, "drift_type"?}]}`, the type
/// as `TypeB` or `B`.
///
/// # Errors
///
/// [`MeasureError::Form`] with the line where one is of another form, answers a case again, names no type or has more than `INCIDENTS_MAX` incidents.
pub fn read_answers(file: &str, bytes: &[u8]) -> Result<HashMap<String, Answer>, MeasureError> {
    let mut answers = HashMap::new();
    for (place, line) in placed_json_lines::<Line>(file, bytes)? {
        let wrong = |what: String| MeasureError::Form { file: place.clone(), what };
        if line.drift_incidents.len() > INCIDENTS_MAX {
            return Err(wrong(format!("{} incidents, more than {INCIDENTS_MAX}", line.drift_incidents.len())));
        }
        let mut incidents = Vec::new();
        for it in line.drift_incidents {
            let said = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
            let kind = it
                .drift_type
                .map(|name| kind_of(&name).ok_or_else(|| wrong(format!("`{name}` is no type of drift, A to J"))));
            let (output, source, kind) = (said(it.output_claim), said(it.source_reference), kind.transpose()?);
            if output.is_none() && source.is_none() {
                return Err(wrong("an incident has neither `output_claim` nor `source_reference`".to_owned()));
            }
            incidents.push(Claimed { output, source, kind });
        }
        let id = line.id;
        if answers.insert(id.clone(), Answer { place: place.clone(), incidents }).is_some() {
            return Err(wrong(format!("the case `{id}` is answered twice")));
        }
    }
    Ok(answers)
}

fn kind_of(name: &str) -> Option<DriftType> {
    DriftType::ALL.iter().copied().find(|kind| kind.name() == name || kind.letter() == name)
}

#[cfg(test)]
mod tests {
    use super::{INCIDENTS_MAX, read_answers};

    #[track_caller]
    fn refused(lines: &str, told: &str) {
        assert_eq!(read_answers("a.jsonl", lines.as_bytes()).unwrap_err().to_string(), told);
    }

    #[test]
    fn answers_are_read_line_by_line() {
        let answers = read_answers(
            "a.jsonl",
            br#"{"id": "m1", "drift_incidents": [{"output_claim": "five", "drift_type": "B", "severity": 3}], "other": 1}
{"id": "m2", "drift_incidents": []}"#,
        );
        let answers = answers.unwrap();
        assert_eq!(answers["m1"].incidents[0].output.as_deref(), Some("five"));
        assert!(answers["m2"].incidents.is_empty());
    }

    #[test]
    fn what_is_no_answer_is_refused_with_its_line() {
        refused("\n{\"id\": \"m1\"}", "a.jsonl:2: missing field `drift_incidents` at line 1 column 12");
        let twice = "{\"id\": \"m1\", \"drift_incidents\": []}\n".repeat(2);
        refused(&twice, "a.jsonl:2: the case `m1` is answered twice");
        let of = |incident: &str| format!("{{\"id\": \"m1\", \"drift_incidents\": [{incident}]}}");
        refused(&of("{\"output_claim\": \"x\", \"drift_type\": \"K\"}"), "a.jsonl:1: `K` is no type of drift, A to J");
        refused(
            &of("{\"output_claim\": \" \"}"),
            "a.jsonl:1: an incident has neither `output_claim` nor `source_reference`",
        );
        let many = |count: usize| of(&vec!["{\"output_claim\": \"x\"}"; count].join(","));
        assert!(read_answers("a.jsonl", many(INCIDENTS_MAX).as_bytes()).is_ok());
        refused(&many(INCIDENTS_MAX + 1), "a.jsonl:1: 1001 incidents, more than 1000");
    }
}
