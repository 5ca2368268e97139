//! Edits that somebody made by hand beside those of operators: what the audit finds of the edits of `summedits`, and what the support score does.

use steadfast_audit::{Source, audit};
use steadfast_evidence::{Evaluated, FileId};
use steadfast_text::{Document, Format};
use steadfast_wire::measure::Figure;

use crate::sets::drift::{ratio, share};
use crate::sets::summedits::{self, EDITS};
use crate::{Files, MeasureError, Metric, Row, measure, sets};

/// What the audit tells of summaries against their originals: of the edited ones those on which it raises an incident, by kind of edit, and the same of
/// those that still agree.
const METRICS: &[Metric] = &[
    ratio("audit/recall/entity_modification", None, None),
    ratio("audit/recall/antonym_swap", None, None),
    ratio("audit/recall/hallucinated_fact_insertion", None, None),
    ratio("audit/recall/negation_insertion_removal", None, None),
    ratio("audit/false_alarm_rate", None, None),
];

/// The figures of `summedits` by kind of edit: by the audit, with the original summary as the prompt, and by the support score of words.
///
/// # Errors
///
/// [`MeasureError`] where the set is not there or not of its form.
pub fn beside(files: &Files) -> Result<Vec<Figure>, MeasureError> {
    let rows: Vec<Row> =
        summedits::pairs(files)?.iter().filter(|pair| pair.summary != pair.original_summary).map(row).collect();
    let mut figures: Vec<Figure> = METRICS
        .iter()
        .enumerate()
        .map(|(at, metric)| crate::figure::figure(summedits::SET.name, metric, at, &rows))
        .collect();
    let set = sets::named(summedits::SET.name).unwrap_or(&summedits::SET);
    let (supported, _) = measure(set, files, None)?;
    let told = |figure: &Figure| {
        let metric = figure.metric.as_str();
        !metric.ends_with("/minilm") && (metric.starts_with("recall/") || metric == "false_alarm_rate")
    };
    figures.extend(supported.rows.into_iter().filter(told));
    Ok(figures)
}

fn row(pair: &summedits::Pair) -> Row {
    let source = |file: u32, text: &str| Source {
        file: FileId(file),
        name: pair.id.clone(),
        document: Document::from_str_as(text, Format::Plain),
    };
    let told = match audit(&source(0, &pair.original_summary), vec![source(1, &pair.summary)]) {
        Evaluated::Value(evaluation) => !evaluation.incidents.is_empty(),
        Evaluated::NotEvaluable(_) => false,
    };
    let counts = if pair.label == 1 {
        vec![share(EDITS.len(), told)]
    } else {
        let kinds = EDITS.iter().enumerate().filter(|(_, edit)| pair.edit_types.iter().any(|own| own == *edit));
        kinds.map(|(kind, _)| share(kind, told)).collect()
    };
    let group = crate::row::hash(&pair.doc_id) as usize;
    Row {
        id: pair.id.clone(),
        prediction: told.to_string(),
        score: None,
        label: pair.label.to_string(),
        tuned: crate::row::is_group_tuned(&pair.doc_id),
        group: Some(group),
        counts,
    }
}
