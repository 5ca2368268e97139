//! Traces of watched agents: a span for each trajectory, in it one for each step.

use steadfast_wire::trace::{Trace, Value};
use steadfast_wire::watch::{Comparison, StepRecord, Trajectory, Watch};

use super::About;
use super::build::{Builder, named, preview};
use crate::limits::TRACE_SPANS_MAX;

/// The part of the run in which steps are scored.
const PART: &str = "watch";

/// The trace of agents that were followed. `steps` are those that were kept as they came, where the result itself holds none: the first
/// [`TRACE_SPANS_MAX`] of `steps_count` are enough.
#[must_use]
pub fn watch(watch: &Watch, steps: &[StepRecord], steps_count: usize, about: &About<'_>) -> Trace {
    let mut own = Builder::new("watch", about);
    let alerts: usize = watch.trajectories.iter().map(|trajectory| trajectory.alerts.len()).sum();
    own.output("trajectories", watch.trajectories.len());
    own.output("duplicates", watch.duplicates.len());
    own.output("problems", watch.problems.len());
    own.output("alerts", alerts);
    own.trace.metadata.extend(named([
        ("embedder", watch.embedder.as_str().into()),
        ("embedding_version", watch.embedding_version.as_str().into()),
        ("aggregate", watch.aggregate.name().into()),
        ("calibration", watch.alert.calibration.name().into()),
    ]));
    own.count("alerts", alerts);
    own.count("trajectories", watch.trajectories.len());

    let start_us = own.part_start_us(PART);
    let mut at = 0_u64;
    let mut told_steps = 0;
    for trajectory in &watch.trajectories {
        let Some(parent) = begin(&mut own, trajectory, start_us.saturating_add(at)) else {
            own.leave_out(trajectory.steps.len());
            continue;
        };
        let is_of = |step: &&StepRecord| step.task_id == trajectory.task_id && step.agent == trajectory.agent;
        let kept: Vec<&StepRecord> =
            if trajectory.steps.is_empty() { steps.iter().filter(is_of).collect() } else { Vec::new() };
        let scores = trajectory.steps.iter().chain(kept.iter().map(|step| &step.scores));
        let (task_id, agent) = (preview(&trajectory.task_id), trajectory.agent.as_deref().map(preview));
        at += 1;
        for step in scores {
            let mut attributes = named([
                ("task_id", task_id.as_str().into()),
                ("step", step.step.into()),
                ("truncated", step.truncated.into()),
                ("no_text", step.no_text.into()),
                ("bans_broken", step.broken.len().into()),
            ]);
            attributes.extend(agent.as_ref().map(|agent| ("agent".to_owned(), agent.as_str().into())));
            attributes.extend(step.update_type.map(|it| ("update_type".to_owned(), it.name().into())));
            let goal = own.text(&step.goal);
            told_steps += 1;
            let Some(id) = own.span(Some(&parent), "step", start_us.saturating_add(at), None, attributes) else {
                continue;
            };
            at += 1;
            if let Some(span) = own.last() {
                span.input.extend(goal.map(|goal| ("goal".to_owned(), goal)));
            }
            own.span_score(&id, "ids", step.ids);
            own.span_score(&id, "anchor_ids", step.anchor_ids);
            own.span_score(&id, "echo", step.echo);
            own.span_score(&id, "goal_distance", step.goal_distance);
        }
    }
    // Of a stream only the first steps are kept.
    own.leave_out(steps_count.saturating_sub(told_steps.max(steps.len().min(TRACE_SPANS_MAX))));
    own.output("steps", steps_count.max(told_steps));
    own.end()
}

/// A span for a trajectory, with its scores and alerts.
fn begin(own: &mut Builder<'_>, trajectory: &Trajectory, start_us: u64) -> Option<String> {
    let mut attributes = named([("task_id", preview(&trajectory.task_id).into())]);
    for (name, value) in [("agent", &trajectory.agent), ("parent_task_id", &trajectory.parent)] {
        attributes.extend(value.as_ref().map(|value| (name.to_owned(), preview(value).into())));
    }
    attributes.extend(trajectory.onset.map(|onset| ("onset".to_owned(), onset.into())));
    let intent = trajectory.initial_intent.as_ref().and_then(|intent| own.text(intent));
    let id = own.span(None, "trajectory", start_us, None, attributes)?;
    if let Some(span) = own.last() {
        span.input.extend(intent.map(|intent| ("initial_intent".to_owned(), intent)));
        span.output.insert("alerts".to_owned(), trajectory.alerts.len().into());
    }
    own.span_score(&id, "mean_ids", trajectory.mean_ids);
    own.span_score(&id, "max_ids", trajectory.max_ids);
    own.span_score(&id, "goal_shift", trajectory.goal_shift);
    for alert in &trajectory.alerts {
        let mut told = named([
            ("from_step", alert.from_step.into()),
            ("to_step", alert.to_step.into()),
            ("cause", alert.cause.name().into()),
        ]);
        told.extend(own.text(&alert.message).map(|text| ("message".to_owned(), text)));
        own.event(Some(&id), "alert", told);
    }
    Some(id)
}

/// The trace of a comparison of two arms.
#[must_use]
pub fn watch_compare(comparison: &Comparison, about: &About<'_>) -> Trace {
    let mut own = Builder::new("watch compare", about);
    own.output("a", comparison.a.as_str());
    own.output("b", comparison.b.as_str());
    own.output("n", comparison.n);
    let pairs = comparison.pairs.iter().take(crate::limits::TRACE_LIST_MAX).map(|pair| {
        Value::Object(named([
            ("task_id", preview(&pair.task_id).into()),
            ("a_mean_ids", pair.a_mean_ids.into()),
            ("b_mean_ids", pair.b_mean_ids.into()),
            ("delta", pair.delta.into()),
        ]))
    });
    own.output("pairs", pairs.collect::<Vec<_>>());
    own.trace.metadata.insert("embedding_version".to_owned(), comparison.embedding_version.as_str().into());
    own.count("wins_b", comparison.wins_b);
    own.count("n", comparison.n);
    for (name, value) in [
        ("mean_a", comparison.mean_a),
        ("mean_b", comparison.mean_b),
        ("cohens_d", comparison.cohens_d),
        ("paired_t_p", comparison.paired_t.p),
        ("wilcoxon_p", comparison.wilcoxon.p),
    ] {
        if let Some(value) = value {
            own.score(name, value);
        }
    }
    own.parts("compare");
    own.end()
}
