//! The coefficients by which `ask` tells which parts of a prompt ask for something, fitted on prompts whose obligations are labelled.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Deserialize;
use steadfast_annotate::annotate;
use steadfast_ask::PromptPart;
use steadfast_text::{Document, Format, Span};

use super::fit::{ValuedRow, bounded_logistic};
use super::{Fitted, HeldOut};
use crate::files::{json, without_mark};
use crate::{Files, MeasureError};

/// The folders that are read: labelled prompts, and the cases of `everyday` that may be looked at.
pub const FOLDERS: [&str; 2] = ["prompts", "everyday"];
/// How the names of the files end that hold labels, by folder: beside those of a case of `everyday` lie what was proposed and listed of it.
const ENDINGS: [&str; 2] = [".json", "gold.json"];
/// A folder of this name holds cases that nothing is fitted on.
const KEPT: &str = "kept";
/// The ridge, as [`bounded_logistic`] counts it. Chosen on folds of the prompts.
const RIDGE: f64 = 2.0;
/// Parts that a feature stands in, at least.
const PARTS_MIN: usize = 5;
/// Folds over prompts.
const FOLDS: usize = 8;
/// A part asks where it shares at least this share of the shorter with an obligation, in per cent.
const SHARED_MIN: usize = 30;
/// The probabilities from which on a part is counted as asking.
const THRESHOLDS: [f64; 5] = [0.5, 0.55, 0.6, 0.65, 0.7];
/// The feature that every part has: its coefficient is the constant.
const CONSTANT: &str = "bias";

/// A prompt's labels; what else stands in the file is not read.
#[derive(Deserialize)]
struct Labels {
    #[serde(default)]
    prompt: String,
    obligations: Vec<Label>,
}

#[derive(Deserialize)]
struct Label {
    quote: String,
}

/// A prompt, where its obligations stand, and its parts, each with whether it asks.
struct Case {
    obligations: Vec<Span>,
    parts: Vec<(PromptPart, bool)>,
}

/// What is counted for a threshold.
#[derive(Clone, Copy, Default)]
struct Counts {
    taken: usize,
    idle: usize,
    found: usize,
}

/// Fits the coefficients on all prompts that are there.
///
/// # Errors
/// [`MeasureError`] where no prompt is there, a file is not of its form, or a quote does not stand in its prompt.
pub fn calibrate(data: &BTreeMap<String, Files>) -> Result<Fitted, MeasureError> {
    let cases = cases(data)?;
    let features = features(&cases);
    let wrong = || MeasureError::Form { file: FOLDERS.join(", "), what: "the equations have no solution".to_owned() };
    let (mut wanted, mut counts) = (0_usize, [Counts::default(); THRESHOLDS.len()]);
    for fold in 0..FOLDS {
        let is_held = |at: usize| at % FOLDS == fold;
        let others: Vec<&Case> =
            cases.iter().enumerate().filter(|(at, _)| !is_held(*at)).map(|(_, case)| case).collect();
        if others.is_empty() || others.len() == cases.len() {
            continue;
        }
        let own = solve(&others, &features).ok_or_else(wrong)?;
        for (_, case) in cases.iter().enumerate().filter(|(at, _)| is_held(*at)) {
            wanted += case.obligations.len();
            let scores: Vec<f64> = case.parts.iter().map(|(part, _)| probability(&own, part, &features)).collect();
            for (counts, threshold) in counts.iter_mut().zip(THRESHOLDS) {
                let asking =
                    || case.parts.iter().zip(&scores).filter(|(_, score)| **score >= threshold).map(|(part, _)| part);
                counts.taken += asking().count();
                counts.idle += asking().filter(|(_, asks)| !asks).count();
                let is_found = |span: &&Span| asking().any(|(part, _)| belong(part.span, **span));
                counts.found += case.obligations.iter().filter(is_found).count();
            }
        }
    }
    let all: Vec<&Case> = cases.iter().collect();
    let own = solve(&all, &features).ok_or_else(wrong)?;
    let mut lines: BTreeMap<&str, f64> =
        features.iter().zip(&own[1..]).map(|(name, value)| (name.as_str(), *value)).collect();
    lines.insert(CONSTANT, own[0]);
    let mut coefficients = String::new();
    for (name, value) in lines {
        let _ = writeln!(coefficients, "{name}\t{value:.3}");
    }
    let parts: usize = cases.iter().map(|case| case.parts.len()).sum();
    let held_out = counts.iter().zip(THRESHOLDS).map(|(own, threshold)| HeldOut {
        threshold,
        found: own.found as f64 / wanted.max(1) as f64,
        right: 1.0 - own.idle as f64 / own.taken.max(1) as f64,
        false_per_1000_words: None,
    });
    Ok(Fitted {
        files: vec![("coefficients", coefficients)],
        told: vec![format!("{parts} parts of {} prompts; on prompts that were held out", cases.len())],
        held_out: held_out.collect(),
    })
}

/// All prompts, in the order of their files.
fn cases(data: &BTreeMap<String, Files>) -> Result<Vec<Case>, MeasureError> {
    let mut cases = Vec::new();
    for (folder, ending) in FOLDERS.into_iter().zip(ENDINGS) {
        let Some(files) = data.get(folder) else { continue };
        for (name, bytes) in files.ending(ending) {
            let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
            if folder.split('/').any(|part| part == KEPT) {
                continue;
            }
            let labels: Labels = json(name, bytes)?;
            let prompt = match files.named(&format!("{folder}/prompt.md")) {
                Some(bytes) => std::str::from_utf8(without_mark(bytes))
                    .map_err(|error| MeasureError::Form { file: name.to_owned(), what: error.to_string() })?,
                None => labels.prompt.as_str(),
            };
            cases.push(case(name, prompt, &labels.obligations)?);
        }
    }
    if cases.is_empty() {
        return Err(MeasureError::NoFile {
            set: "reading",
            looked_for: "prompts/*.json, everyday/*/gold.json".to_owned(),
        });
    }
    Ok(cases)
}

fn case(name: &str, prompt: &str, labels: &[Label]) -> Result<Case, MeasureError> {
    let place = |label: &Label| {
        let start = prompt.find(&label.quote).filter(|_| !label.quote.trim().is_empty());
        start.map(|start| Span::new(start, start + label.quote.len())).ok_or_else(|| MeasureError::Form {
            file: name.to_owned(),
            what: format!("`{}` does not stand in the prompt", label.quote),
        })
    };
    let obligations = labels.iter().map(place).collect::<Result<Vec<Span>, MeasureError>>()?;
    let document = Document::from_str_as(prompt, Format::Markdown);
    let parts = steadfast_ask::parts(&annotate(&document));
    let labelled = |part: PromptPart| {
        let asks = obligations.iter().any(|own| belong(part.span, *own));
        (part, asks)
    };
    Ok(Case { parts: parts.into_iter().map(labelled).collect(), obligations })
}

/// Whether two spans belong together.
fn belong(one: Span, other: Span) -> bool {
    let shared = one.end.min(other.end).saturating_sub(one.start.max(other.start));
    shared > 0 && shared * 100 >= SHARED_MIN * one.len().min(other.len())
}

/// The features that enough parts have, but for the constant, sorted.
fn features(cases: &[Case]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in cases.iter().flat_map(|case| &case.parts).flat_map(|(part, _)| &part.features) {
        *counts.entry(name).or_default() += 1;
    }
    let often = counts.into_iter().filter(|(name, count)| *count >= PARTS_MIN && *name != CONSTANT);
    often.map(|(name, _)| name.to_owned()).collect()
}

/// A value for each feature: 1 where the part has it.
fn values(part: &PromptPart, features: &[String]) -> Vec<f64> {
    let own: BTreeSet<&str> = part.features.iter().map(String::as_str).collect();
    features.iter().map(|name| f64::from(u8::from(own.contains(name.as_str())))).collect()
}

/// The coefficients: the constant, then one a feature.
fn solve(cases: &[&Case], features: &[String]) -> Option<Vec<f64>> {
    let rows: Vec<(Vec<f64>, bool)> =
        cases.iter().flat_map(|case| &case.parts).map(|(part, asks)| (values(part, features), *asks)).collect();
    let rows: Vec<ValuedRow<'_>> =
        rows.iter().map(|(values, label)| ValuedRow { values, label: *label, weight: 1.0 }).collect();
    bounded_logistic(&rows, &vec![(f64::NEG_INFINITY, f64::INFINITY); features.len()], RIDGE)
}

fn probability(own: &[f64], part: &PromptPart, features: &[String]) -> f64 {
    let sum: f64 = own[1..].iter().zip(values(part, features)).map(|(weight, value)| weight * value).sum();
    1.0 / (1.0 + (-(own[0] + sum)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(named: &[(&str, &str)]) -> Files {
        Files(named.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect())
    }

    #[test]
    fn coefficients_tell_what_asks_from_what_tells() {
        let prompts: Vec<(String, String)> = (0..16)
            .map(|number| {
                let prompt = format!("We met {number} people last week. Please write the plan for hall {number}.");
                let quote = format!("write the plan for hall {number}");
                let case = serde_json::json!({"prompt": prompt, "obligations": [{"quote": quote}]});
                (format!("{number}.json"), case.to_string())
            })
            .collect();
        let named: Vec<(&str, &str)> = prompts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let data = BTreeMap::from([("prompts".to_owned(), files(&named))]);
        let fit = calibrate(&data).unwrap();
        let (parts, prompts) = fit.told[0].split_once(" parts of ").unwrap();
        assert_eq!(prompts, "16 prompts; on prompts that were held out");
        assert_eq!(fit.held_out[0], HeldOut { threshold: 0.5, found: 1.0, right: 1.0, false_per_1000_words: None });
        assert_eq!(fit.held_out.len(), THRESHOLDS.len());
        assert!(parts.parse::<usize>().unwrap() >= 32);
        let names: Vec<&str> = fit.files[0].1.lines().filter_map(|line| line.split('\t').next()).collect();
        assert!(names.is_sorted() && names.contains(&CONSTANT));
        assert_eq!(fit, calibrate(&data).unwrap(), "the same prompts give the same coefficients");
    }

    #[test]
    fn kept_cases_are_not_read_and_quotes_are_looked_up() {
        let gold = r#"{"obligations": [{"quote": "write"}]}"#;
        let kept = files(&[("kept/a/gold.json", gold), ("kept/a/prompt.md", "Please write.")]);
        let data = BTreeMap::from([("everyday".to_owned(), kept)]);
        assert!(matches!(calibrate(&data), Err(MeasureError::NoFile { .. })));
        // What somebody listed or proposed lies beside the labels.
        let listed = r#"{"departures": []}"#;
        let beside = [("dev/a/drifted.listed.json", listed), ("dev/a/faithful.proposals.json", "[]")];
        let own = [("dev/a/gold.json", gold), ("dev/a/prompt.md", "Please write.")];
        let data = BTreeMap::from([("everyday".to_owned(), files(&[&own[..], &beside].concat()))]);
        assert!(calibrate(&data).unwrap().told[0].ends_with(" parts of 1 prompts; on prompts that were held out"));
        let bad = files(&[("dev/a/gold.json", gold), ("dev/a/prompt.md", "Please draw.")]);
        let error = calibrate(&BTreeMap::from([("everyday".to_owned(), bad)])).unwrap_err();
        assert!(error.to_string().contains("`write` does not stand in the prompt"), "{error}");
    }
}
