//! Claims of an encyclopaedia and the page that each cites, in sentences: does the page support the claim, and where?
//!
//! `auc/supported` tells supported claims from those that are supported in part or not at all. `recall_at_10` is the share of the supporting sentences
//! among the ten best aligned ones, of the annotator's choice that is found best, over claims that have any. `token_f1` is that of the words of
//! claims that the page does not support.

use serde::Deserialize;

use super::drift::{metric, one_if, scored};
use super::support::{Ask, Case, Corpus, Models, Seen, judge, scores};
use super::{Reader, Set, Uses};
use crate::files::examples;
use crate::{Count, Files, Means, MeasureError, Row, Statistic};

/// Where the set stands in the file of coefficients.
pub(crate) const CLAIM: &str = "wice";
/// The part whose words are labelled.
const TOKENS: &str = "wice/tokens";

pub(super) const SET: Set = Set {
    name: "wice",
    about: "claims and the page that each cites: is it supported, and by which sentences",
    metrics: &[
        metric("auc/supported", Statistic::Auc, Some(0.692), Some(0.943)),
        metric("recall_at_10", Statistic::Ratio, Some(0.924), None),
        metric("token_f1", Statistic::Ratio, None, None),
        metric("auc/supported/minilm", Statistic::Auc, None, None),
    ],
    read: Reader::of(Uses::Model, read),
};

#[derive(Deserialize)]
struct Claim {
    label: String,
    claim: String,
    evidence: Vec<String>,
    supporting_sentences: Vec<Vec<usize>>,
    meta: Meta,
    #[serde(default)]
    claim_tokens: Vec<String>,
    #[serde(default)]
    non_supported_spans: Vec<bool>,
}

#[derive(Deserialize)]
struct Meta {
    id: String,
    claim_title: String,
}

fn claims(files: &Files) -> Result<Vec<Claim>, MeasureError> {
    let mut all = Vec::new();
    for (_, place, claim) in examples::<Claim>(files, SET.name, ".jsonl")? {
        if !["supported", "partially_supported", "not_supported"].contains(&claim.label.as_str()) {
            return Err(MeasureError::Form { file: place, what: format!("`{}` is no label", claim.label) });
        }
        if claim.claim_tokens.len() != claim.non_supported_spans.len() {
            let what = "not every word of the claim has a label".to_owned();
            return Err(MeasureError::Form { file: place, what });
        }
        all.push(claim);
    }
    Ok(all)
}

/// The claims that are labelled as a whole, and those whose words are.
pub(crate) fn corpus(files: &Files) -> Result<Corpus, MeasureError> {
    Ok(corpus_of(&claims(files)?))
}

fn corpus_of(claims: &[Claim]) -> Corpus {
    let mut corpus = Corpus::default();
    for (at, claim) in claims.iter().enumerate() {
        // One page is cited by several claims of an article.
        let group = corpus.group(&claim.meta.claim_title);
        corpus.asks.push(Ask::Sentences(claim.evidence.clone()));
        corpus.cases.push(Case {
            id: claim.meta.id.clone(),
            part: if claim.claim_tokens.is_empty() { CLAIM } else { TOKENS },
            ask: at,
            group,
            passage: claim.claim.clone(),
            range: None,
            supported: claim.label == "supported",
        });
    }
    corpus
}

fn read(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let claims = claims(files)?;
    let corpus = corpus_of(&claims);
    let models = Models::shipped(means.embedder);
    let judged = judge(&corpus, means.embedder);
    let rows = judged.iter().zip(&claims).map(|(seen, claim)| {
        let scores = scores(&models, seen);
        let mut counts = Vec::new();
        if seen.case.part == CLAIM {
            let auc = scores.iter().zip(["auc/supported", "auc/supported/minilm"]);
            counts.extend(auc.map(|(score, metric)| scored(metric, *score, seen.case.supported)));
            counts.extend(
                found(seen, claim).map(|share| Count { metric: "recall_at_10", counts: [share, 1.0, 0.0, 0.0] }),
            );
        } else {
            counts.push(Count { metric: "token_f1", counts: tokens(seen, claim) });
        }
        Row {
            id: seen.case.id.clone(),
            prediction: scores.first().map(|score| format!("{score:.4}")).unwrap_or_default(),
            score: scores.first().copied(),
            label: claim.label.clone(),
            tuned: seen.tuned,
            group: Some(seen.case.group),
            counts,
        }
    });
    Ok(rows.collect())
}

/// The best share of an annotator's sentences among the ten best aligned.
fn found(seen: &Seen<'_>, claim: &Claim) -> Option<f64> {
    let aligned: Vec<usize> =
        seen.support.iter().flat_map(|support| &support.aligned).map(|own| own.sentence).collect();
    let choices = claim.supporting_sentences.iter().filter(|choice| !choice.is_empty());
    let share =
        |choice: &Vec<usize>| choice.iter().filter(|own| aligned.contains(own)).count() as f64 / choice.len() as f64;
    choices.map(share).max_by(f64::total_cmp)
}

/// Twice the words that are rightly told, over those told and those labelled. The words stand in the claim in their order.
fn tokens(seen: &Seen<'_>, claim: &Claim) -> [f64; 4] {
    let unsupported = seen.support.as_ref().map(|support| support.unsupported.as_slice()).unwrap_or_default();
    let (mut hits, mut told_all, mut wanted_all, mut from) = (0.0, 0.0, 0.0, 0);
    for (token, wanted) in claim.claim_tokens.iter().zip(&claim.non_supported_spans) {
        let start = claim.claim[from..].find(token.as_str()).map_or(from, |at| from + at);
        let end = (start + token.len()).min(claim.claim.len());
        from = claim.claim.floor_char_boundary(end);
        let told = unsupported.iter().any(|own| own.start < end && start < own.end);
        hits += one_if(told && *wanted);
        told_all += one_if(told);
        wanted_all += one_if(*wanted);
    }
    [2.0 * hits, told_all + wanted_all, 0.0, 0.0]
}
