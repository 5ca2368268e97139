//! What is new since an earlier evaluation, by the fingerprints of incidents.

use std::collections::BTreeSet;

use steadfast_wire::Error;
use steadfast_wire::audit::{BaselineComparison, DriftEvaluation, EarlierEvaluation, Role};

use crate::EngineError;
use crate::intake::{self, File};

/// Says of each incident whether `earlier`, the JSON of an earlier evaluation, has it too. `evaluation` holds all incidents, not a page
/// of them.
///
/// # Errors
/// [`EngineError::EarlierEvaluation`] where the file holds no evaluation, or a page of one; [`EngineError::NotText`] and
/// [`EngineError::FileTooLarge`].
pub fn compare_with_baseline(evaluation: &mut DriftEvaluation, earlier: &File) -> Result<(), EngineError> {
    let refused = |what: String| EngineError::EarlierEvaluation { file: earlier.name.clone(), what };
    let text = intake::text(&earlier.name, earlier)?;
    let text = text.as_ref();
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let found: EarlierEvaluation = steadfast_wire::from_json(text).map_err(|error| match error {
        Error::Read(error) => refused(format!("is no evaluation: {error}")),
        other => refused(other.to_string()),
    })?;
    let (listed, total) = (found.drift_incidents.len(), found.totals.incidents);
    if listed != total {
        return Err(refused(format!("lists {listed} of its {total} incidents, so the others would seem to be new")));
    }
    let before: BTreeSet<&str> = found.drift_incidents.iter().map(|incident| incident.id.as_str()).collect();
    for incident in &mut evaluation.drift_incidents {
        incident.new = Some(!before.contains(incident.id.as_str()));
    }
    let now: BTreeSet<&str> = evaluation.drift_incidents.iter().map(|incident| incident.id.as_str()).collect();
    let new = evaluation.drift_incidents.iter().filter(|incident| incident.new == Some(true)).count();
    let gone = found.drift_incidents.iter().filter(|incident| !now.contains(incident.id.as_str()));
    let asked_then = found.sources.iter().find(|source| source.role == Role::Ask).map(|source| &source.sha256);
    let asked_now = evaluation.sources.iter().find(|source| source.role == Role::Ask).map(|source| &source.sha256);
    evaluation.baseline = Some(BaselineComparison {
        rules_version: found.rules_version.clone(),
        incidents: total,
        same_prompt: asked_then == asked_now,
        new,
        known: evaluation.drift_incidents.len() - new,
        gone: gone.map(|incident| incident.id.clone()).collect(),
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use steadfast_wire::audit::{DriftIncident, Source, Totals};

    use super::*;
    use crate::page::tests::incident;

    fn evaluation(ids: &[&str], prompt: &str) -> DriftEvaluation {
        let drift_incidents: Vec<DriftIncident> = ids.iter().map(|id| incident(id, 2)).collect();
        let source = Source {
            file: "prompt.txt".to_owned(),
            role: Role::Ask,
            bytes: 1,
            sha256: prompt.to_owned(),
            left_out: Vec::new(),
            note: None,
        };
        let totals = Totals::of(&drift_incidents);
        DriftEvaluation { drift_incidents, totals, sources: vec![source], ..DriftEvaluation::default() }
    }

    fn file(text: String) -> File {
        File { name: "earlier.json".to_owned(), bytes: text.into_bytes() }
    }

    fn compared(earlier: &DriftEvaluation) -> (DriftEvaluation, BaselineComparison) {
        let mut own = evaluation(&["a", "b", "c"], "one");
        compare_with_baseline(&mut own, &file(steadfast_wire::to_json(earlier).unwrap())).unwrap();
        let comparison = own.baseline.clone().unwrap();
        (own, comparison)
    }

    #[test]
    fn what_was_not_there_is_new() {
        let (own, comparison) = compared(&evaluation(&["b", "z", "c"], "one"));
        let new: Vec<Option<bool>> = own.drift_incidents.iter().map(|incident| incident.new).collect();
        assert_eq!(new, [Some(true), Some(false), Some(false)]);
        assert_eq!((comparison.new, comparison.known, comparison.incidents), (1, 2, 3));
        assert_eq!((comparison.gone, comparison.same_prompt), (vec!["z".to_owned()], true));
    }

    #[test]
    fn another_prompt_is_told() {
        assert!(!compared(&evaluation(&[], "other")).1.same_prompt);
    }

    #[test]
    fn what_is_no_evaluation_or_a_page_of_one_is_refused() {
        let mut own = evaluation(&["a"], "one");
        let said = |own: &mut DriftEvaluation, text: &str| {
            compare_with_baseline(own, &file(text.to_owned())).unwrap_err().to_string()
        };
        assert_eq!(
            said(&mut own, "{}"),
            "earlier.json: is no evaluation: missing field `rules_version` at line 1 column 2"
        );
        assert!(said(&mut own, "# report").starts_with("earlier.json: is no evaluation: expected value at line 1"));
        let mut page = evaluation(&["a", "b"], "one");
        page.drift_incidents.truncate(1);
        assert_eq!(
            said(&mut own, &steadfast_wire::to_json(&page).unwrap()),
            "earlier.json: lists 1 of its 2 incidents, so the others would seem to be new"
        );
        assert_eq!(own.baseline, None);
    }
}
