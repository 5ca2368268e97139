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
use sweep::{Grid, SERVED, Tried, best, sweep};
use tasks::{Plan, TaskSet};

/// Parts of the tasks that are held out in turn.
pub const FOLDS: usize = 5;

/// Of the clear tasks of each vault at most this share may end in a question, where nobody says another.
pub const ABSTAIN_MAX: f64 = 1.0 / 3.0;

/// The objective, as a file says it.
const OBJECTIVE: &str = "the mean over what is wanted (single, several, absent, noise, gate, steps) of the mean over sets of the mean worth of what is chosen. \
    Worth: F1 of selected against wanted prompts, times Kendall's tau where their order is known; one half for a question that is wanted, for none where none \
    is wanted (gate), and for the right one of one or several steps";

/// The coefficients of a scorer, and how it does on what it was not fitted on.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The files that hold them, by name.
    pub files: Vec<(&'static str, String)>,
    /// What was read, and what else there is to say, a line each.
    pub told: Vec<String>,
    /// By the probability from which on something is taken.
    pub held_out: Vec<HeldOut>,
}

/// What a threshold gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOut {
    /// The probability from which on something is taken.
    pub threshold: f64,
    /// Of what is to be found the share that is found.
    pub found: f64,
    /// Of what is found the share that is right.
    pub right: f64,
    /// How much is found in faithful reports, in 1,000 of their words, where there are such reports.
    pub false_per_1000_words: Option<f64>,
}

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
    let mut point = grid.point(places[FOLDS]);
    let held_out_point = |own: &Tried| &fold_points[own.fold];
    point.curve = curve(&seen(sets, tried, &point));
    let fit = wire::PointFit {
        program_version: settings.program_version.to_owned(),
        embedder: embedder.clone(),
        objective: OBJECTIVE.to_owned(),
        abstain_max: settings.abstain_max,
        folds: FOLDS,
        tried: grid.len(),
        fitted: figures(sets, tried, &|_| &point),
        held_out: figures(sets, tried, &held_out_point),
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

/// The score of tasks that get prompts and what they are worth, each set of tasks weighing the same.
fn seen(sets: &[TaskSet], tried: &[Tried], point: &OperatingPoint) -> Vec<Seen> {
    let mut sizes = vec![0.0; sets.len()];
    tried.iter().for_each(|own| sizes[own.set] += 1.0);
    let judged = tried.iter().filter(|own| is_judged(&sets[own.set]));
    let seen = judged.filter_map(|own| {
        let mode = own.mode(point);
        let score = own.score(mode).filter(|_| mode != Mode::Clarify)?;
        Some(Seen { score, worth: own.worth(mode), weight: 1.0 / sizes[own.set] })
    });
    seen.collect()
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

/// The hash of Fowler, Noll and Vo (FNV-1a, 64 bits), then the finaliser of MurmurHash3 (Appleby), since the low bits of the first alone are weak:
/// the same everywhere.
pub(crate) fn hash(text: &str) -> u64 {
    let mut hash = tasks::fnv(text);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}
