//! What alerts on scores rest on.

use steadfast_watch::alert::{self, FALSE_ALARM_RATE_MAX};
use steadfast_watch::onset;
use steadfast_wire::watch::{Aggregate, Alerting, Calibration, Trajectory, Watch};

use crate::EngineError;

/// Shares of runs without drift that raise an alert on raw scores at a threshold, under MiniLM: measured on the 16 different runs of
/// `intent_drift_runs` (`steadfast-measure intent_drift_runs`), in which every request is legitimate.
const MINILM_RATES: &[(f64, f64)] = &[
    (0.0, 1.0),
    (0.4, 0.9375),
    (0.45, 0.8125),
    (0.5, 0.8125),
    (0.55, 0.75),
    (0.6, 0.75),
    (0.65, 0.625),
    (0.7, 0.4375),
    (0.75, 0.3125),
    (0.8, 0.25),
    (0.85, 0.1875),
    (0.9, 0.0625),
];

/// What alerts rest on: on onsets and bans alone; on a threshold that was given; on one that is fitted on a baseline, runs that are
/// known to be good; or on one that was given, its rate measured on a baseline.
///
/// # Errors
/// [`EngineError::Baseline`] where no threshold can be fitted, [`EngineError::UnlikeEmbedders`] where the baseline was scored
/// by another embedder.
pub fn alerting(
    threshold: Option<f64>,
    baseline: Option<(&str, &Watch)>,
    embedder: (&str, &str),
    aggregate: Aggregate,
) -> Result<Alerting, EngineError> {
    let Some((name, baseline)) = baseline else {
        return Ok(match threshold {
            None => Alerting {
                threshold: None,
                calibration: Calibration::Test,
                false_alarm_rate: Some(onset::LEVEL),
                measured_on: "onset: shuffles of the run's own scores; bans: words of the ask".to_owned(),
            },
            Some(threshold) => uncalibrated(threshold, embedder.0, aggregate),
        });
    };
    let own = format!("{} ({}, {})", embedder.0, embedder.1, aggregate.name());
    let theirs = made(baseline);
    if own != theirs {
        return Err(EngineError::UnlikeEmbedders { a: own, b: format!("{name}: {theirs}") });
    }
    let levels: Vec<Option<f64>> = baseline.trajectories.iter().map(|it| alert::level(&scores(it))).collect();
    let on = |runs: usize| format!("{name}: {runs} different runs");
    match threshold {
        Some(threshold) => {
            let raised = levels.iter().flatten().filter(|level| **level >= threshold).count();
            Ok(Alerting {
                threshold: Some(threshold),
                calibration: Calibration::Baseline,
                false_alarm_rate: (!levels.is_empty()).then(|| raised as f64 / levels.len() as f64),
                measured_on: on(levels.len()),
            })
        }
        None => {
            let fitted = alert::fit(&levels).ok_or_else(|| EngineError::Baseline { file: name.to_owned() })?;
            let short = if fitted.false_alarm_rate > FALSE_ALARM_RATE_MAX { ", too few for a lower rate" } else { "" };
            Ok(Alerting {
                threshold: Some(fitted.threshold),
                calibration: Calibration::Baseline,
                false_alarm_rate: Some(fitted.false_alarm_rate),
                measured_on: format!("{}{short}", on(fitted.runs)),
            })
        }
    }
}

pub(super) fn made(watch: &Watch) -> String {
    format!("{} ({}, {})", watch.embedder, watch.embedding_version, watch.aggregate.name())
}

fn scores(trajectory: &Trajectory) -> Vec<f64> {
    trajectory.steps.iter().filter_map(|step| step.ids).collect()
}

fn uncalibrated(threshold: f64, embedder: &str, aggregate: Aggregate) -> Alerting {
    let rates = if embedder == "minilm" && aggregate == Aggregate::Whole { MINILM_RATES } else { &[] };
    // The rate falls as the threshold rises: the nearest measured threshold below is an upper bound.
    let measured = rates.iter().rev().find(|(at, _)| *at <= threshold);
    Alerting {
        threshold: Some(threshold),
        calibration: Calibration::Uncalibrated,
        false_alarm_rate: measured.map(|(_, rate)| *rate),
        measured_on: match measured {
            Some((at, _)) => format!("16 runs by others whose every request is legitimate, at {at:.2}"),
            None => "nothing".to_owned(),
        },
    }
}
