//! Two arms on the same tasks.

use std::collections::{BTreeSet, HashMap};

use steadfast_watch::statistics::{
    BOOTSTRAP_RESAMPLES, BOOTSTRAP_SEED, WilcoxonMethod, bootstrap_mean, cohens_d, paired_t, summary, wilcoxon,
};
use steadfast_wire::watch::{
    Bootstrap, Comparison, Duplicate, PairedT, PairedTask, SCHEMA_VERSION, Side, TaskCurve, Trajectory, Unpaired,
    Watch, Wilcoxon, Winner,
};

use super::alerting::made;
use crate::EngineError;

/// One arm: what came of following it, and what it is called.
#[derive(Clone, Copy, Debug)]
pub struct Arm<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its trajectories.
    pub watch: &'a Watch,
}

/// Where a trajectory that counts for a task stands in its arm.
struct Standing<'a> {
    index: usize,
    trajectory: &'a Trajectory,
}

/// Compares two arms. A task of both is a pair; agents are not told apart, since arms are. Pairs whose trajectories are identical
/// to those of another pair in both arms are left out and named. Differences are B − A.
///
/// # Errors
/// [`EngineError::UnlikeEmbedders`] where the scores were made by different embedders or in different ways;
/// [`EngineError::NotEvaluable`] where no task is in both.
pub fn compare(a: Arm<'_>, b: Arm<'_>) -> Result<Comparison, EngineError> {
    if made(a.watch) != made(b.watch) {
        return Err(EngineError::UnlikeEmbedders {
            a: format!("{}: {}", a.name, made(a.watch)),
            b: format!("{}: {}", b.name, made(b.watch)),
        });
    }
    let (of_a, order_a, mut unpaired) = standings(a, Side::A);
    let (of_b, order_b, unpaired_b) = standings(b, Side::B);
    unpaired.extend(unpaired_b);
    let mut pairs = Vec::new();
    let mut curves = Vec::new();
    let mut duplicates_dropped = Vec::new();
    let mut seen: HashMap<(usize, usize), &str> = HashMap::new();
    let lonely = |side, task: &str, other: &str| Unpaired {
        side,
        task_id: task.to_owned(),
        reason: format!("{other} has no such task"),
    };
    for task in order_a {
        let Some(one) = of_a.get(task) else { continue };
        let Some(other) = of_b.get(task) else {
            unpaired.push(lonely(Side::A, task, b.name));
            continue;
        };
        if let Some(same_as) = seen.get(&(one.index, other.index)) {
            let same_as = (*same_as).to_owned();
            duplicates_dropped.push(Duplicate { task_id: task.to_owned(), agent: None, same_as });
            continue;
        }
        seen.insert((one.index, other.index), task);
        let (Some(a_mean), Some(b_mean)) = (one.trajectory.mean_ids, other.trajectory.mean_ids) else {
            let side = if one.trajectory.mean_ids.is_none() { Side::A } else { Side::B };
            let reason = "no step behind the first has a score".to_owned();
            unpaired.push(Unpaired { side, task_id: task.to_owned(), reason });
            continue;
        };
        let (a_mean_ids, b_mean_ids) = (six_decimals(a_mean), six_decimals(b_mean));
        let delta = six_decimals(b_mean_ids - a_mean_ids);
        let winner = match delta.total_cmp(&0.0) {
            _ if delta == 0.0 => Winner::Tie,
            std::cmp::Ordering::Less => Winner::B,
            _ => Winner::A,
        };
        pairs.push(PairedTask { task_id: task.to_owned(), a_mean_ids, b_mean_ids, delta, winner });
        let scores = |trajectory: &Trajectory| {
            trajectory.steps.iter().map(|step| step.ids.map(six_decimals)).collect::<Vec<_>>()
        };
        curves.push(TaskCurve { task_id: task.to_owned(), a: scores(one.trajectory), b: scores(other.trajectory) });
    }
    unpaired.extend(
        order_b
            .into_iter()
            .filter(|task| !of_a.contains_key(task))
            .filter(|task| of_b.contains_key(task))
            .map(|task| lonely(Side::B, task, a.name)),
    );
    if pairs.is_empty() {
        let what = format!("no task has scores in both {} and {}", a.name, b.name);
        return Err(EngineError::not_evaluable(a.name, &what));
    }
    let deltas: Vec<f64> = pairs.iter().map(|pair| pair.delta).collect();
    let mean = |side: fn(&PairedTask) -> f64| {
        summary(&pairs.iter().map(side).collect::<Vec<_>>()).ok().map(|summary| summary.mean)
    };
    let t = paired_t(&deltas).ok();
    let signed = wilcoxon(&deltas).ok();
    let problems = a.watch.problems.iter().chain(&b.watch.problems).cloned().collect();
    Ok(Comparison {
        schema_version: SCHEMA_VERSION.to_owned(),
        embedder: a.watch.embedder.clone(),
        embedding_version: a.watch.embedding_version.clone(),
        a: a.name.to_owned(),
        b: b.name.to_owned(),
        mean_a: mean(|pair| pair.a_mean_ids),
        mean_b: mean(|pair| pair.b_mean_ids),
        wins_b: pairs.iter().filter(|pair| pair.winner == Winner::B).count(),
        n: pairs.len(),
        paired_t: PairedT { t: t.map(|test| test.t), p: t.map(|test| test.p) },
        wilcoxon: Wilcoxon {
            w: signed.map(|test| test.w),
            p: signed.map(|test| test.p),
            exact: signed.is_some_and(|test| test.method != WilcoxonMethod::Normal),
        },
        cohens_d: cohens_d(&deltas).ok(),
        bootstrap_ci: bootstrap_mean(&deltas).ok().map(|interval| [interval.lo, interval.hi]),
        bootstrap: Bootstrap { resamples: BOOTSTRAP_RESAMPLES as u32, seed: BOOTSTRAP_SEED },
        pairs,
        duplicates_dropped,
        unpaired,
        curves,
        problems,
        run: None,
    })
}

type Standings<'a> = (HashMap<&'a str, Standing<'a>>, Vec<&'a str>, Vec<Unpaired>);

/// The trajectory of each task of an arm, the tasks in the order in which they began, and what cannot stand for a task.
fn standings(arm: Arm<'_>, side: Side) -> Standings<'_> {
    let mut found: HashMap<&str, Standing<'_>> = HashMap::new();
    let mut order = Vec::new();
    let mut unpaired = Vec::new();
    let mut several = BTreeSet::new();
    let by_name: HashMap<_, usize> = arm
        .watch
        .trajectories
        .iter()
        .enumerate()
        .map(|(index, it)| ((it.task_id.as_str(), &it.agent), index))
        .collect();
    let listed = arm.watch.trajectories.iter().enumerate().map(|(index, it)| (it.task_id.as_str(), Some(index)));
    let repeated = arm.watch.duplicates.iter();
    let repeated = repeated.map(|it| (it.task_id.as_str(), by_name.get(&(it.same_as.as_str(), &it.agent)).copied()));
    for (task, index) in listed.chain(repeated) {
        let Some(index) = index else { continue };
        match found.get(task) {
            Some(standing) if standing.index == index => {}
            Some(_) => drop(several.insert(task)),
            None => {
                order.push(task);
                found.insert(task, Standing { index, trajectory: &arm.watch.trajectories[index] });
            }
        }
    }
    for task in several {
        found.remove(task);
        let reason = format!("{} has several trajectories of this task", arm.name);
        unpaired.push(Unpaired { side, task_id: task.to_owned(), reason });
    }
    (found, order, unpaired)
}

/// Rounded as it is published.
fn six_decimals(value: f64) -> f64 {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded == 0.0 { 0.0 } else { rounded }
}
