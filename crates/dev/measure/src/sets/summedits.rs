//! Summaries that somebody edited, and whether they still agree with what they sum up.
//!
//! Each is held against the original summary (`original`) and against the document (`document`). Balanced accuracy is the mean over domains;
//! `recall/<edit>` is the share of disagreeing summaries with that kind of edit that are told from the original, `false_alarm_rate` that of
//! agreeing ones, those that are the original itself left out.

use std::collections::HashMap;

use serde::Deserialize;

use super::drift::{metric, one_if, share};
use super::support::{Ask, Case, Corpus, Models, judge, scores};
use super::{Reader, Set, Uses};
use crate::files::{examples, json_lines};
use crate::{Count, Files, Means, MeasureError, Row, Statistic};

/// Where the parts of the set stand in the file of coefficients.
pub(crate) const ORIGINAL: &str = "summedits/original";
pub(crate) const DOCUMENT: &str = "summedits/document";

/// Kinds of edit, in the order of their metrics.
pub(crate) const EDITS: [&str; 4] =
    ["entity_modification", "antonym_swap", "hallucinated_fact_insertion", "negation_insertion_removal"];
const FIRST_EDIT: usize = 2;
const FALSE_ALARMS: usize = FIRST_EDIT + EDITS.len();
/// Metrics of one form.
const METRICS: usize = FALSE_ALARMS + 1;

pub(crate) const SET: Set = Set {
    name: "summedits",
    about: "edited summaries: do they still agree with the original, and with the document",
    metrics: &[
        metric("balanced_accuracy/original", Statistic::MacroBalanced, Some(0.653), None),
        metric("balanced_accuracy/document", Statistic::MacroBalanced, None, Some(0.821)),
        metric("recall/entity_modification", Statistic::Ratio, None, None),
        metric("recall/antonym_swap", Statistic::Ratio, None, None),
        metric("recall/hallucinated_fact_insertion", Statistic::Ratio, None, None),
        metric("recall/negation_insertion_removal", Statistic::Ratio, None, None),
        metric("false_alarm_rate", Statistic::Ratio, None, None),
        metric("balanced_accuracy/original/minilm", Statistic::MacroBalanced, None, None),
        metric("balanced_accuracy/document/minilm", Statistic::MacroBalanced, None, None),
        metric("recall/entity_modification/minilm", Statistic::Ratio, None, None),
        metric("recall/antonym_swap/minilm", Statistic::Ratio, None, None),
        metric("recall/hallucinated_fact_insertion/minilm", Statistic::Ratio, None, None),
        metric("recall/negation_insertion_removal/minilm", Statistic::Ratio, None, None),
        metric("false_alarm_rate/minilm", Statistic::Ratio, None, None),
    ],
    read: Reader::of(Uses::Model, read),
};

#[derive(Deserialize)]
struct Doc {
    doc_id: String,
    doc: String,
}

#[derive(Deserialize)]
pub(crate) struct Pair {
    pub(crate) id: String,
    pub(crate) summary: String,
    pub(crate) label: u8,
    pub(crate) original_summary: String,
    pub(crate) edit_types: Vec<String>,
    pub(crate) doc_id: String,
    domain: String,
}

pub(crate) fn pairs(files: &Files) -> Result<Vec<Pair>, MeasureError> {
    let valid = |(_, place, pair): (usize, String, Pair)| match pair.label {
        0 | 1 => Ok(pair),
        label => Err(MeasureError::Form { file: place, what: format!("the label {label} is not 0 or 1") }),
    };
    examples(files, SET.name, "pairs.jsonl")?.into_iter().map(valid).collect()
}

/// Every pair twice: against the original summary, then against the document.
pub(crate) fn corpus(files: &Files) -> Result<Corpus, MeasureError> {
    corpus_of(files, &pairs(files)?)
}

fn corpus_of(files: &Files, pairs: &[Pair]) -> Result<Corpus, MeasureError> {
    let mut docs: HashMap<String, String> = HashMap::new();
    for (name, bytes) in files.ending("docs.jsonl") {
        docs.extend(json_lines::<Doc>(name, bytes)?.into_iter().map(|doc| (doc.doc_id, doc.doc)));
    }
    let mut corpus = Corpus::default();
    let mut asks: HashMap<String, usize> = HashMap::new();
    for pair in pairs {
        let Some(doc) = docs.get(&pair.doc_id) else {
            let what = format!("the document `{}` of `{}` is not there", pair.doc_id, pair.id);
            return Err(MeasureError::Form { file: "docs.jsonl".to_owned(), what });
        };
        let group = corpus.group(&pair.doc_id);
        for (part, text) in [(ORIGINAL, &pair.original_summary), (DOCUMENT, doc)] {
            let ask = *asks.entry(text.clone()).or_insert_with(|| {
                corpus.asks.push(Ask::Text(text.clone()));
                corpus.asks.len() - 1
            });
            corpus.cases.push(Case {
                id: pair.id.clone(),
                part,
                ask,
                group,
                passage: pair.summary.clone(),
                range: None,
                supported: pair.label == 1,
            });
        }
    }
    Ok(corpus)
}

fn read(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let pairs = pairs(files)?;
    let corpus = corpus_of(files, &pairs)?;
    let models = Models::shipped(means.embedder);
    let mut domains: Vec<&str> = Vec::new();
    let mut rows = Vec::new();
    for (at, seen) in judge(&corpus, means.embedder).iter().enumerate() {
        let pair = &pairs[at / 2];
        let domain = domains.iter().position(|own| *own == pair.domain).unwrap_or_else(|| {
            domains.push(&pair.domain);
            domains.len() - 1
        });
        let is_original = seen.case.part == ORIGINAL;
        let scores = scores(&models, seen);
        let mut counts = Vec::new();
        let mut told_first = false;
        for (place, (score, (_, model))) in scores.iter().zip(&models.0).enumerate() {
            let name = |at: usize| SET.metrics[place * METRICS + at].name;
            let told = *score >= model.threshold(seen.case.part);
            told_first = if place == 0 { told } else { told_first };
            let metric = name(usize::from(!is_original));
            counts.push(Count { metric, counts: [one_if(told), one_if(seen.case.supported), domain as f64, 0.0] });
            if !is_original {
                continue;
            }
            let alarm = |at| share(name(at), !told);
            if seen.case.supported {
                if pair.summary != pair.original_summary {
                    counts.push(alarm(FALSE_ALARMS));
                }
            } else {
                let kinds = EDITS.iter().enumerate().filter(|(_, edit)| pair.edit_types.iter().any(|own| own == *edit));
                counts.extend(kinds.map(|(kind, _)| alarm(FIRST_EDIT + kind)));
            }
        }
        rows.push(Row {
            id: format!("{}/{}", pair.id, if is_original { "original" } else { "document" }),
            prediction: if told_first { "agrees" } else { "disagrees" }.to_owned(),
            score: scores.first().copied(),
            label: if seen.case.supported { "agrees" } else { "disagrees" }.to_owned(),
            tuned: seen.tuned,
            group: Some(seen.case.group),
            counts,
        });
    }
    Ok(rows)
}
