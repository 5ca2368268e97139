//! Fitting the thresholds of `pick` on vaults and tasks by others.
//!
//! Every task goes through all of `pick` once ([`tasks`]); [`sweep()`] tries all four thresholds on what came of it. The point is the one that is worth most
//! among those that ask no more than they may of clear tasks; tasks that hang together are held out together, so that every figure is there for tasks
//! that the thresholds have not seen. [`isotonic`] makes confidence of scores.

pub mod asides;
pub mod details;
pub mod fit;
pub mod grounding;
pub mod isotonic;
pub mod pieces;
pub mod reading;
mod softmax;
pub mod sweep;
pub mod tasks;

use std::collections::BTreeMap;

use steadfast_embed::Embedder;
use steadfast_engine::File;
use steadfast_pick::operating_point::{Mode, OperatingPoint};
use steadfast_wire::pick as wire;

use crate::{Files, MeasureError};
use isotonic::{Seen, curve};
use sweep::{Grid, SERVED, Tried, Value, best, sweep, value_at};
use tasks::{Plan, TaskSet};

/// Parts of the tasks that are held out in turn.
pub const FOLDS: usize = 5;

/// Of the clear tasks of each vault at most this share may end in a question, where nobody says another.
pub const ABSTAIN_MAX: f64 = 1.0 / 3.0;

/// Shares of questions for which the trade-off is told.
const TRADE_OFF: [f64; 10] = [0.0, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.40, 0.50, 1.0];

/// Points of the curve of risk over coverage.
const COVERAGE_POINTS: usize = 20;

/// Bins of the expected calibration error.
const ECE_BINS: usize = 10;

/// The objective, as a file says it.
const OBJECTIVE: &str = "the mean over what is wanted (single, several, absent, noise, gate, steps) of the mean over sets of the mean worth of what is chosen. \
    Worth: F1 of selected against wanted prompts, times Kendall's tau where their order is known; one half for a question that is wanted, for none where none \
    is wanted (gate), and for the right one of one or several steps";

/// How to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings<'a> {
    /// What selections will call it.
    pub name: &'a str,
    /// Of the clear tasks of each vault at most this share may end in a question.
    pub abstain_max: f64,
    /// The version of the program.
    pub program_version: &'a str,
    /// The files of the vault that ships with the program, for everyday tasks that bring none of their own.
    pub prompts: &'a [File],
}

/// Fits operating points on the folders that are there: one for words alone, and one for vectors where there is an embedder.
///
/// # Errors
/// [`MeasureError`] where a file is not of its form or no task is there.
pub fn calibrate(
    data: &BTreeMap<String, Files>,
    embedder: Option<&dyn Embedder>,
    settings: &Settings<'_>,
) -> Result<wire::OperatingPoints, MeasureError> {
    let plan = Plan::read(data, settings.prompts)?;
    let (with_vectors, by_words) = plan.tried(embedder, FOLDS)?;
    let name = embedder.map(|embedder| embedder.name().to_owned());
    let mut points = Vec::new();
    if let Some(tried) = with_vectors {
        points.push(fit(&plan.sets, &tried, name, settings));
    }
    points.push(fit(&plan.sets, &by_words, None, settings));
    Ok(wire::OperatingPoints {
        schema_version: wire::SCHEMA_VERSION.to_owned(),
        name: settings.name.to_owned(),
        points,
    })
}

/// Fits one operating point.
#[must_use]
pub fn fit(
    sets: &[TaskSet],
    tried: &[Tried],
    embedder: Option<String>,
    settings: &Settings<'_>,
) -> wire::PointThresholds {
    let groups: Vec<_> = sets.iter().map(|set| set.group.clone()).collect();
    let grid = Grid::default();
    let swept = sweep(&groups, tried, &grid, FOLDS);
    let places: Vec<usize> = swept.without.iter().map(|values| best(&grid, values, settings.abstain_max)).collect();
    let fold_points: Vec<OperatingPoint> = places.iter().take(FOLDS).map(|at| grid.point(*at)).collect();
    let all = &swept.without[FOLDS];
    let mut point = grid.point(places[FOLDS]);
    let held_out_point = |own: &Tried| &fold_points[own.fold];
    point.curve = curve(&seen(tried, sets, &|_| &point));

    let by_fold = fold_points.iter().enumerate().map(|(fold, own)| wire::FoldFit {
        tasks: tried.iter().filter(|it| it.fold == fold).count(),
        t_ambiguity: own.t_ambiguity,
        t_single: own.t_single,
        t_chain: own.t_chain,
        delta: own.delta,
        fitted: swept.without[fold][places[fold]].objective,
        held_out: value_at(&groups, tried.iter().filter(|it| it.fold == fold), own).objective,
    });
    let by_fold = by_fold.collect();
    let fit = wire::PointFit {
        program_version: settings.program_version.to_owned(),
        embedder: embedder.clone(),
        objective: OBJECTIVE.to_owned(),
        abstain_max: settings.abstain_max,
        folds: FOLDS,
        tried: grid.len(),
        fitted: figures(sets, tried, &|_| &point),
        held_out: figures(sets, tried, &held_out_point),
        by_fold,
        confidence: confidence(sets, tried, &fold_points),
        trade_off: trade_off(sets, tried, &grid, all),
        risk_coverage: risk_coverage(sets, tried, &point),
    };
    wire::PointThresholds {
        vectors: Some(embedder.is_some()),
        t_ambiguity: point.t_ambiguity,
        t_single: point.t_single,
        t_chain: point.t_chain,
        delta: point.delta,
        curve: point
            .curve
            .iter()
            .map(|(score, confidence)| wire::CurvePoint { score: *score, confidence: *confidence })
            .collect(),
        fit: Some(fit),
    }
}

/// The thresholds that a task is judged by.
type At<'a> = dyn Fn(&Tried) -> &'a OperatingPoint + 'a;

/// Whether a set says which prompts are right, so that a score can be held against it.
fn is_judged(set: &TaskSet) -> bool {
    matches!(set.group.wants, "single" | "several" | "absent" | "noise")
}

/// Tasks that get prompts, with the score of what they get and what it is worth, each set of tasks weighing the same.
fn answered<'t>(sets: &[TaskSet], tried: &'t [Tried], at: &At<'_>) -> Vec<(&'t Tried, Seen)> {
    let mut sizes = vec![0.0; sets.len()];
    tried.iter().for_each(|own| sizes[own.set] += 1.0);
    let judged = tried.iter().filter(|own| is_judged(&sets[own.set]));
    let seen = judged.filter_map(|own| {
        let mode = own.mode(at(own));
        let score = own.score(mode).filter(|_| mode != Mode::Clarify)?;
        Some((own, Seen { score, worth: own.worth(mode), weight: 1.0 / sizes[own.set] }))
    });
    seen.collect()
}

fn seen(tried: &[Tried], sets: &[TaskSet], at: &At<'_>) -> Vec<Seen> {
    answered(sets, tried, at).into_iter().map(|(_, seen)| seen).collect()
}

/// Brier score and expected calibration error of scores as they are, and of curves that were fitted without the task's part.
fn confidence(sets: &[TaskSet], tried: &[Tried], fold_points: &[OperatingPoint]) -> wire::ConfidenceFit {
    let held_out = |own: &Tried| &fold_points[own.fold];
    let answered = answered(sets, tried, &held_out);
    let curves: Vec<OperatingPoint> = (0..FOLDS)
        .map(|fold| {
            let others: Vec<Tried> = tried.iter().copied().filter(|own| own.fold != fold).collect();
            let point = &fold_points[fold];
            OperatingPoint { curve: curve(&seen(&others, sets, &|_| point)), ..point.clone() }
        })
        .collect();
    let before: Vec<Told> = answered.iter().map(|(_, seen)| Told::new(seen.score.clamp(0.0, 1.0), seen)).collect();
    let after: Vec<Told> =
        answered.iter().map(|(own, seen)| Told::new(curves[own.fold].confidence(seen.score), seen)).collect();
    wire::ConfidenceFit {
        tasks: answered.len(),
        brier_before: brier(&before),
        brier_after: brier(&after),
        ece_before: ece(&before),
        ece_after: ece(&after),
    }
}

/// A confidence, and what came of it.
#[derive(Clone, Copy, Debug)]
struct Told {
    confidence: f64,
    worth: f64,
    weight: f64,
}

impl Told {
    const fn new(confidence: f64, seen: &Seen) -> Self {
        Self { confidence, worth: seen.worth, weight: seen.weight }
    }
}

/// The weighted mean of (confidence − worth)² (Brier 1950); 0 where there is nothing.
fn brier(all: &[Told]) -> f64 {
    let weight: f64 = all.iter().map(|it| it.weight).sum();
    let error: f64 = all.iter().map(|it| it.weight * (it.confidence - it.worth).powi(2)).sum();
    if weight > 0.0 { error / weight } else { 0.0 }
}

/// The expected calibration error: over ten bins of confidence of one width, the weighted mean of |mean confidence − mean worth| (Naeini, Cooper
/// and Hauskrecht 2015).
fn ece(all: &[Told]) -> f64 {
    let mut bins = [[0.0; 2]; ECE_BINS];
    let mut weight = 0.0;
    for it in all {
        let bin = &mut bins[((it.confidence * ECE_BINS as f64) as usize).min(ECE_BINS - 1)];
        bin[0] += it.weight * it.confidence;
        bin[1] += it.weight * it.worth;
        weight += it.weight;
    }
    // The weights of a bin cancel out: its share of all times the difference of its means.
    let off: f64 = bins.iter().map(|[confidence, worth]| (confidence - worth).abs()).sum();
    if weight > 0.0 { off / weight } else { 0.0 }
}

fn figures(sets: &[TaskSet], tried: &[Tried], at: &At<'_>) -> wire::PointFigures {
    let mut own: Vec<wire::SetFigures> = Vec::new();
    let mut objectives: Vec<(&str, f64, f64)> = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        let mut modes = [0_usize; 3];
        let (mut worth, mut worth_answered) = (0.0, 0.0);
        for task in tried.iter().filter(|task| task.set == number) {
            let mode = task.mode(at(task));
            modes[mode as usize] += 1;
            worth += task.worth(mode);
            worth_answered += if mode == Mode::Clarify { 0.0 } else { task.worth(mode) };
        }
        let tasks: usize = modes.iter().sum();
        if tasks == 0 {
            continue;
        }
        let success = worth / tasks as f64;
        match objectives.iter_mut().find(|it| it.0 == set.group.wants) {
            _ if set.group.wants == SERVED => {}
            Some(it) => *it = (it.0, it.1 + success, it.2 + 1.0),
            None => objectives.push((set.group.wants, success, 1.0)),
        }
        let shares = [wire::PickMode::Single, wire::PickMode::Chain, wire::PickMode::Clarify].into_iter().zip(modes);
        let answered = modes[0] + modes[1];
        own.push(wire::SetFigures {
            set: set.name.clone(),
            wants: set.group.wants.to_owned(),
            tasks,
            success,
            modes: shares.map(|(mode, count)| wire::ModeShare { mode, share: count as f64 / tasks as f64 }).collect(),
            success_answered: (answered > 0).then(|| worth_answered / answered as f64),
        });
    }
    let objective = objectives.iter().map(|it| it.1 / it.2).sum::<f64>() / (objectives.len() as f64).max(1.0);
    wire::PointFigures { objective, sets: own }
}

/// For each share of questions that may be asked of clear tasks, the best point.
fn trade_off(sets: &[TaskSet], tried: &[Tried], grid: &Grid, values: &[Value]) -> Vec<wire::TradeOff> {
    let of = |abstain_max: f64| {
        let place = best(grid, values, abstain_max);
        let point = grid.point(place);
        let figures = figures(sets, tried, &|_| &point);
        let mean = |of: &dyn Fn(&wire::SetFigures) -> Option<f64>| {
            let all: Vec<f64> = figures.sets.iter().filter_map(of).collect();
            (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
        };
        let asked = |own: &wire::SetFigures| own.modes.last().map_or(0.0, |it| it.share);
        let is_clear = |own: &wire::SetFigures| own.wants == "single";
        let wants_question =
            |own: &wire::SetFigures| matches!(own.wants.as_str(), "absent" | "noise") || own.set == "in3/vague";
        wire::TradeOff {
            abstain_max,
            abstained: mean(&|own| is_clear(own).then(|| asked(own))).unwrap_or_default(),
            success_answered: mean(&|own| own.success_answered.filter(|_| is_clear(own))),
            asked: mean(&|own| wants_question(own).then(|| asked(own))).unwrap_or_default(),
            objective: values[place].objective,
        }
    };
    TRADE_OFF.into_iter().map(of).collect()
}

/// Of answered tasks the surest share, and how often they fail; equal scores stand in the order of the tasks.
fn risk_coverage(sets: &[TaskSet], tried: &[Tried], point: &OperatingPoint) -> Vec<wire::RiskCoverage> {
    let mut all: Vec<Told> = answered(sets, tried, &|_| point)
        .into_iter()
        .map(|(_, seen)| Told::new(point.confidence(seen.score), &seen))
        .collect();
    all.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let whole: f64 = all.iter().map(|it| it.weight).sum();
    let mut out = Vec::new();
    let (mut weight, mut worth, mut due) = (0.0, 0.0, 1.0 / COVERAGE_POINTS as f64);
    for equal in all.chunk_by(|a, b| a.confidence == b.confidence) {
        for it in equal {
            weight += it.weight;
            worth += it.weight * it.worth;
        }
        let coverage = weight / whole;
        if coverage >= due.min(1.0) - 1e-9 {
            out.push(wire::RiskCoverage { coverage, risk: 1.0 - worth / weight });
            due = coverage + 1.0 / COVERAGE_POINTS as f64;
        }
    }
    out
}

/// The hash of Fowler, Noll and Vo (FNV-1a, 64 bits), then the finaliser of MurmurHash3 (Appleby), since the low bits of the first alone are weak:
/// the same everywhere.
pub(crate) fn hash(text: &str) -> u64 {
    let mut hash = tasks::fnv(text);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}
