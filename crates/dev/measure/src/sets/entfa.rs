//! News summaries that a model wrote, with each entity labelled: does the article have it?
//!
//! `f1` is that of entities that the article does not have. Entities that the world has and the article has not ("factual hallucination") count
//! as such: what is asked is whether the text at hand supports them.

use serde::Deserialize;

use super::drift::{metric, one_if};
use super::support::{Ask, Case, Corpus, Models, judge, scores};
use super::{Reader, Set, Uses};
use crate::files::json;
use crate::{Count, Files, Means, MeasureError, Row, Statistic};

/// Where the set stands in the file of coefficients.
pub(crate) const ENTITY: &str = "entfa";

pub(super) const SET: Set = Set {
    name: "entfa",
    about: "entities of news summaries that the article does not have",
    metrics: &[metric("f1", Statistic::Ratio, Some(0.849), None), metric("f1/minilm", Statistic::Ratio, None, None)],
    read: Reader::of(Uses::Model, read),
};

#[derive(Deserialize)]
struct Summary {
    source: String,
    prediction: String,
    entities: Vec<Entity>,
}

#[derive(Deserialize)]
struct Entity {
    start: usize,
    end: usize,
    label: String,
    ent: String,
}

pub(crate) fn corpus(files: &Files) -> Result<Corpus, MeasureError> {
    let mut corpus = Corpus::default();
    for (name, bytes) in files.ending(".json") {
        for (at, summary) in json::<Vec<Summary>>(name, bytes)?.into_iter().enumerate() {
            let group = corpus.group(&summary.source);
            corpus.asks.push(Ask::Text(summary.source));
            // Places are those of characters.
            let mut places: Vec<usize> = summary.prediction.char_indices().map(|(place, _)| place).collect();
            places.push(summary.prediction.len());
            for entity in summary.entities {
                let id = format!("{name}:{at}:{}", entity.start);
                let range = places.get(entity.start).copied().zip(places.get(entity.end).copied());
                let range = range.filter(|(start, end)| start < end && summary.prediction[*start..*end] == entity.ent);
                let Some((start, end)) = range else {
                    let what = format!("`{}` does not stand at {} to {}", entity.ent, entity.start, entity.end);
                    return Err(MeasureError::Form { file: id, what });
                };
                let supported = match entity.label.as_str() {
                    "Non-hallucinated" => true,
                    "Factual Hallucination" | "Non-factual Hallucination" | "Intrinsic Hallucination" => false,
                    other => {
                        return Err(MeasureError::Form { file: id, what: format!("`{other}` is no label") });
                    }
                };
                corpus.cases.push(Case {
                    id,
                    part: ENTITY,
                    ask: corpus.asks.len() - 1,
                    group,
                    passage: summary.prediction.clone(),
                    range: Some(start..end),
                    supported,
                });
            }
        }
    }
    if corpus.cases.is_empty() {
        return Err(MeasureError::NoFile { set: SET.name, looked_for: "*.json".to_owned() });
    }
    Ok(corpus)
}

fn read(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let corpus = corpus(files)?;
    let models = Models::shipped(means.embedder);
    let judged = judge(&corpus, means.embedder);
    let rows = judged.iter().map(|seen| {
        let scores = scores(&models, seen);
        let invented = |(score, (_, model)): (&f64, &(_, steadfast_grounding::Model))| {
            seen.support.is_some() && *score < model.threshold(ENTITY)
        };
        // Of what says nothing ("one") nobody can say that it was invented.
        let told: Vec<bool> = scores.iter().zip(&models.0).map(invented).collect();
        // Twice the hits, over what was told and what was there.
        let of = |told: bool| {
            [2.0 * one_if(told && !seen.case.supported), one_if(told) + one_if(!seen.case.supported), 0.0, 0.0]
        };
        Row {
            id: seen.case.id.clone(),
            prediction: if told[0] { "invented" } else { "there" }.to_owned(),
            score: scores.first().copied(),
            label: if seen.case.supported { "there" } else { "invented" }.to_owned(),
            tuned: seen.tuned,
            group: Some(seen.case.group),
            counts: told
                .iter()
                .zip(SET.metrics)
                .map(|(told, it)| Count { metric: it.name, counts: of(*told) })
                .collect(),
        }
    });
    Ok(rows.collect())
}
