//! Fitting the coefficients of support on the tuning halves of sets by others.
//!
//! A logistic regression with a ridge, in which every feature counts the way that it means or not at all. Every part of a set weighs the same,
//! and in it what is supported as much as what is not, so that none rules and a score of ½ leans to neither side. Thresholds rest on scores
//! that no passage had a part in: groups lie in `FOLDS` folds, and each is scored by coefficients fitted without it.

use std::collections::BTreeMap;

use steadfast_embed::Embedder;
use steadfast_grounding::{Form, Sign};
use steadfast_wire::grounding as wire;

use crate::calibrate::fit::{ValuedRow, bounded_logistic};
use crate::calibrate::hash;
use crate::sets::support::{self, Corpus};
use crate::sets::{begin, entfa, summedits, wice};
use crate::{Files, MeasureError, Statistic};

/// The folders that are read; all of them have to be there.
pub const FOLDERS: &[&str] = &["summedits", "entfa", "wice", "begin"];

/// The version of features and fit together: it changes with either.
pub const VERSION: &str = "grounding/3";

/// What a coefficient costs: its square times this, where all rows together weigh as many as they are.
const RIDGE: f64 = 2.0;
/// Folds of the tuning half.
const FOLDS: usize = 5;
/// Of restatements that are right at most this share may be told to be wrong, with the confidence of [`CONFIDENCE_Z`].
const FALSE_ALARMS_MAX: f64 = 0.20;
/// Standard errors of a one-sided 95 %.
const CONFIDENCE_Z: f64 = 1.645;
/// Bins of the reliability curve.
const BINS: usize = 10;

/// A labelled passage.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The part of the set.
    pub part: &'static str,
    /// Whether coefficients are fitted on it.
    pub tuned: bool,
    /// Its group: what lies in one fold, and differs together.
    pub group: u64,
    /// Whether what it is held against supports it.
    pub supported: bool,
    /// Whether it says it in the same words: no false alarm can be told of it.
    pub same: bool,
    /// The features of its support.
    pub features: Vec<f64>,
}

impl Example {
    /// Of the hash all but the bit that says in which half it lies.
    fn fold(&self) -> usize {
        ((self.group >> 1) % FOLDS as u64) as usize
    }
}

type Reading = fn(&Files) -> Result<Corpus, MeasureError>;

/// The parts that are fitted on, in the order of the file.
const PARTS: [&str; 5] = [summedits::ORIGINAL, summedits::DOCUMENT, entfa::ENTITY, wice::CLAIM, begin::RESPONSE];

/// All labelled passages with their features.
///
/// # Errors
/// [`MeasureError`] where a set is not there or a file not of its form.
pub fn examples(data: &BTreeMap<String, Files>, embedder: Option<&dyn Embedder>) -> Result<Vec<Example>, MeasureError> {
    let readings: [Reading; 4] = [summedits::corpus, entfa::corpus, wice::corpus, begin::corpus];
    let none = Files::default();
    let mut out = Vec::new();
    for (folder, read) in FOLDERS.iter().zip(readings) {
        let corpus = read(data.get(*folder).unwrap_or(&none))?;
        for seen in support::judge(&corpus, embedder) {
            let fitted = PARTS.contains(&seen.case.part);
            if let Some(support) = seen.support.filter(|_| fitted) {
                let case = seen.case;
                let same = matches!(&corpus.asks[case.ask], support::Ask::Text(text) if *text == case.passage);
                out.push(Example {
                    part: case.part,
                    tuned: seen.tuned,
                    group: hash(&corpus.groups[case.group]),
                    supported: case.supported,
                    same,
                    features: support.features,
                });
            }
        }
    }
    Ok(out)
}

/// Fits the coefficients of both forms; of words alone where there is no embedder.
///
/// # Errors
/// As [`examples`], and where a part has no passage on one side.
pub fn calibrate(
    data: &BTreeMap<String, Files>,
    embedder: Option<&dyn Embedder>,
    program_version: &str,
) -> Result<wire::GroundingCoefficients, MeasureError> {
    let examples = examples(data, embedder)?;
    let forms = [Form::Lexical, Form::Minilm].into_iter().take(if embedder.is_some() { 2 } else { 1 });
    Ok(wire::GroundingCoefficients {
        schema_version: wire::SCHEMA_VERSION.to_owned(),
        version: VERSION.to_owned(),
        program_version: program_version.to_owned(),
        forms: forms.map(|form| fit(&examples, form)).collect::<Result<_, _>>()?,
    })
}

/// Fits one form.
///
/// # Errors
/// [`MeasureError::Form`] where a part has no passage on one side, or the equations have no solution.
pub fn fit(examples: &[Example], form: Form) -> Result<wire::GroundingForm, MeasureError> {
    let wrong = |what: String| MeasureError::Form { file: form.name().to_owned(), what };
    let width = form.features().len();
    let tuned: Vec<&Example> = examples.iter().filter(|it| it.tuned).collect();
    let mut fitted_on = Vec::new();
    let mut sides: BTreeMap<(&str, bool), f64> = BTreeMap::new();
    tuned.iter().for_each(|it| *sides.entry((it.part, it.supported)).or_default() += 1.0);
    for part in PARTS {
        let of = |side| sides.get(&(part, side)).copied().unwrap_or_default();
        if of(true) == 0.0 || of(false) == 0.0 {
            return Err(wrong(format!("the tuning half of {part} has passages on one side alone")));
        }
        let rows = (of(true) + of(false)) as usize;
        fitted_on.push(wire::GroundingSet { set: part.to_owned(), rows, supported: of(true) as usize });
    }
    let none = || wrong("the equations have no solution".to_owned());
    let rounded = solve(&tuned, form).ok_or_else(none)?;
    let score = |features: &[f64]| logistic(&rounded, &features[..width]);
    let mut scored: Vec<Scored> = examples.iter().filter(|it| !it.tuned).map(|it| Scored::of(it, &score)).collect();
    for fold in 0..FOLDS {
        let (own, others): (Vec<&Example>, Vec<&Example>) = tuned.iter().copied().partition(|it| it.fold() == fold);
        if !own.is_empty() {
            // Where all that is there lies in one fold there is nothing else to fit on.
            let without = if others.is_empty() { rounded.clone() } else { solve(&others, form).ok_or_else(none)? };
            scored.extend(own.into_iter().map(|it| Scored::of(it, &|features| logistic(&without, &features[..width]))));
        }
    }
    let thresholds = PARTS.map(|part| threshold(part, &scored));
    let named = form.features().iter().zip(&rounded[1..]);
    Ok(wire::GroundingForm {
        form: form.name().to_owned(),
        intercept: rounded[0],
        coefficients: named
            .map(|(feature, value)| wire::GroundingCoefficient { feature: feature.name.to_owned(), value: *value })
            .collect(),
        ridge: RIDGE,
        fitted_on,
        thresholds: thresholds.into_iter().collect(),
        reliability: reliability(examples, &score),
    })
}

/// Coefficients, intercept first, to six decimals.
fn solve(examples: &[&Example], form: Form) -> Option<Vec<f64>> {
    let mut sides: BTreeMap<(&str, bool), f64> = BTreeMap::new();
    examples.iter().for_each(|it| *sides.entry((it.part, it.supported)).or_default() += 1.0);
    let share = examples.len() as f64 / sides.len() as f64;
    let row = |it: &&Example| (share / sides[&(it.part, it.supported)], it.supported);
    let features = form.features();
    let bounds: Vec<(f64, f64)> = features
        .iter()
        .map(|feature| match feature.sign {
            Sign::For => (0.0, f64::INFINITY),
            Sign::Against => (f64::NEG_INFINITY, 0.0),
            Sign::Either => (f64::NEG_INFINITY, f64::INFINITY),
        })
        .collect();
    let rows: Vec<ValuedRow<'_>> = examples
        .iter()
        .map(|it| {
            let (weight, label) = row(it);
            ValuedRow { values: &it.features[..features.len()], label, weight }
        })
        .collect();
    let solved = bounded_logistic(&rows, &bounds, RIDGE)?;
    Some(solved.iter().map(|it| (it * 1e6).round() / 1e6).collect())
}

/// Intercept first.
fn logistic(coefficients: &[f64], features: &[f64]) -> f64 {
    let sum: f64 = coefficients[1..].iter().zip(features).map(|(a, b)| a * b).sum();
    1.0 / (1.0 + (-(coefficients[0] + sum)).exp())
}

/// What a threshold is the best by, on the tuning half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Objective {
    /// The mean of both sides told rightly.
    Balanced,
    /// The same, among thresholds with at most [`FALSE_ALARMS_MAX`] of what is supported in other words told not to be, over other
    /// groups than these as well.
    BalancedWithin,
    /// F1 of what is not supported.
    F1,
}

impl Objective {
    /// As each set has it: whoever is told that a restatement is wrong wants that to be so.
    fn of(part: &str) -> Self {
        match part {
            summedits::ORIGINAL => Self::BalancedWithin,
            entfa::ENTITY => Self::F1,
            _ => Self::Balanced,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Balanced | Self::BalancedWithin => "balanced accuracy",
            Self::F1 => "F1 of what is not supported",
        }
    }

    /// The most false alarms that it allows.
    fn false_alarms_max(self) -> Option<f64> {
        (self == Self::BalancedWithin).then_some(FALSE_ALARMS_MAX)
    }

    fn value(self, scored: &[&Scored], at: f64) -> f64 {
        let table = table(scored, at);
        match self {
            Self::BalancedWithin if false_alarms_at_most(scored, at) > FALSE_ALARMS_MAX => 0.0,
            Self::Balanced | Self::BalancedWithin => balanced(&table),
            Self::F1 => f1_of_unsupported(&table),
        }
    }
}

/// A passage with its score.
struct Scored {
    part: &'static str,
    tuned: bool,
    group: u64,
    score: f64,
    supported: bool,
    same: bool,
}

impl Scored {
    fn of(example: &Example, score: &dyn Fn(&[f64]) -> f64) -> Self {
        let Example { part, tuned, group, supported, same, .. } = *example;
        Self { part, tuned, group, score: score(&example.features), supported, same }
    }
}

/// The score from which on most is told rightly on the tuning half of a part. Of equal ones the middle.
fn threshold(part: &'static str, scored: &[Scored]) -> wire::GroundingThreshold {
    let of =
        |tuned: bool| -> Vec<&Scored> { scored.iter().filter(|it| it.part == part && it.tuned == tuned).collect() };
    let (mut tuned, kept) = (of(true), of(false));
    tuned.sort_by(|a, b| a.score.total_cmp(&b.score));
    let objective = Objective::of(part);
    let mut cuts: Vec<f64> = tuned.windows(2).map(|pair| f64::midpoint(pair[0].score, pair[1].score)).collect();
    cuts.dedup();
    let values: Vec<f64> = cuts.iter().map(|cut| objective.value(&tuned, *cut)).collect();
    let best = values.iter().copied().fold(0.0, f64::max);
    let ties: Vec<f64> =
        cuts.iter().zip(&values).filter(|(_, value)| **value >= best - 1e-12).map(|(cut, _)| *cut).collect();
    let at = ties.get(ties.len() / 2).copied().unwrap_or(0.5);
    let at = (at * 1e6).round() / 1e6;
    let (precision, recall) = of_unsupported(&table(&kept, at));
    wire::GroundingThreshold {
        set: part.to_owned(),
        objective: objective.name().to_owned(),
        false_alarms_max: objective.false_alarms_max(),
        score: at,
        balanced_accuracy_tuned: balanced(&table(&tuned, at)),
        balanced_accuracy_kept: balanced(&table(&kept, at)),
        false_alarms_tuned: false_alarms(&tuned, at),
        false_alarms_kept: false_alarms(&kept, at),
        precision_kept: precision,
        recall_kept: recall,
    }
}

/// Of what is supported in other words, the share that is told not to be.
fn false_alarms(scored: &[&Scored], at: f64) -> f64 {
    let restated = || scored.iter().filter(|it| it.supported && !it.same);
    restated().filter(|it| it.score < at).count() as f64 / restated().count().max(1) as f64
}

/// The upper bound of that share: groups differ from each other, so that its error is that of a ratio over groups (Cochran, Sampling
/// Techniques, 1977, section 6.3).
fn false_alarms_at_most(scored: &[&Scored], at: f64) -> f64 {
    let mut groups: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for it in scored.iter().filter(|it| it.supported && !it.same) {
        let group = groups.entry(it.group).or_default();
        group.0 += f64::from(u8::from(it.score < at));
        group.1 += 1.0;
    }
    let (told, all) = groups.values().fold((0.0, 0.0), |(told, all), group| (told + group.0, all + group.1));
    if all == 0.0 {
        return 0.0;
    }
    let share: f64 = told / all;
    let off: f64 = groups.values().map(|(told, all)| (told - share * all).powi(2)).sum();
    let n = groups.len() as f64;
    share + CONFIDENCE_Z * (off * n / (n - 1.0).max(1.0)).sqrt() / all
}

/// True positives, positives, true negatives, negatives; positive is supported.
fn table(scored: &[&Scored], at: f64) -> [f64; 4] {
    let mut table = [0.0; 4];
    for it in scored {
        let first = if it.supported { 0 } else { 2 };
        table[first] += f64::from(u8::from((it.score >= at) == it.supported));
        table[first + 1] += 1.0;
    }
    table
}

fn balanced(table: &[f64; 4]) -> f64 {
    Statistic::Balanced.over(&[*table]).unwrap_or_default()
}

/// Precision and recall of what is told to be unsupported.
fn of_unsupported([right, positives, hits, negatives]: &[f64; 4]) -> (f64, f64) {
    let told = hits + positives - right;
    (hits / told.max(1.0), hits / negatives.max(1.0))
}

fn f1_of_unsupported(table: &[f64; 4]) -> f64 {
    let (precision, recall) = of_unsupported(table);
    if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
}

/// How often passages of a score were supported, in ten bins of one width, on the kept half: each side of each part weighs the same there too.
fn reliability(examples: &[Example], score: &dyn Fn(&[f64]) -> f64) -> Vec<wire::GroundingPoint> {
    let kept: Vec<&Example> = examples.iter().filter(|it| !it.tuned).collect();
    let mut sides: BTreeMap<(&str, bool), f64> = BTreeMap::new();
    kept.iter().for_each(|it| *sides.entry((it.part, it.supported)).or_default() += 1.0);
    let mut bins = [[0.0; 3]; BINS];
    for it in kept {
        let told = score(&it.features);
        let weight = 1.0 / sides[&(it.part, it.supported)];
        let bin = &mut bins[((told * BINS as f64) as usize).min(BINS - 1)];
        bin[0] += weight;
        bin[1] += weight * told;
        bin[2] += weight * f64::from(u8::from(it.supported));
    }
    let whole: f64 = bins.iter().map(|bin| bin[0]).sum();
    let filled = bins.iter().filter(|bin| bin[0] > 0.0);
    let of = |[weight, told, supported]: &[f64; 3]| wire::GroundingPoint {
        score: told / weight,
        supported: supported / weight,
        share: weight / whole,
    };
    filled.map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(part: &'static str, tuned: bool, supported: bool, covered: f64) -> Example {
        let mut features = vec![0.0; Form::Lexical.features().len()];
        features[0] = covered;
        Example { part, tuned, group: (covered * 200.0).round() as u64, supported, same: false, features }
    }

    #[test]
    fn a_form_is_fitted_on_the_tuning_half_alone() {
        let of = |tuned: bool, turned: bool| {
            PARTS.into_iter().flat_map(move |part| {
                // Fewer groups say too little of false alarms for any threshold to keep within their bound.
                (0..40).map(move |at| {
                    let supported = at % 2 == 0;
                    let covered = if supported == turned { 0.2 } else { 0.8 } + f64::from(at) / 200.0;
                    example(part, tuned, supported, covered)
                })
            })
        };
        let straight: Vec<Example> = of(true, false).chain(of(false, false)).collect();
        let turned: Vec<Example> = of(true, false).chain(of(false, true)).collect();
        let (one, other) = (fit(&straight, Form::Lexical).unwrap(), fit(&turned, Form::Lexical).unwrap());
        assert_eq!((&one.coefficients, &one.fitted_on), (&other.coefficients, &other.fitted_on));
        assert!(one.coefficients[0].value > 1.0);
        assert_eq!(one.fitted_on[0].rows, 40);
        for (one, other) in one.thresholds.iter().zip(&other.thresholds) {
            assert_eq!((one.score, one.balanced_accuracy_tuned), (other.score, 1.0));
            assert_eq!((one.balanced_accuracy_kept, one.precision_kept, one.recall_kept), (1.0, 1.0, 1.0));
            assert_eq!((other.balanced_accuracy_kept, other.recall_kept), (0.0, 0.0));
        }
    }

    #[test]
    fn a_part_with_one_side_alone_is_refused() {
        let all: Vec<Example> = PARTS.into_iter().map(|part| example(part, true, true, 1.0)).collect();
        let error = fit(&all, Form::Lexical).unwrap_err().to_string();
        assert_eq!(error, "lexical: the tuning half of summedits/original has passages on one side alone");
    }
}
