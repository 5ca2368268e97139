//! Logs of agents that failed, with the step and the agent whose mistake decided it.
//!
//! The goal is the question; steps are the messages as they stand, those without a text having no output. The step that is taken is the one
//! that `watch` offers: its onset, else the step with the highest goal distance, the first of equals. The agent is that of the step: its name, else its role, without
//! what stands in brackets. `…/ids` takes the step with the highest Intent Drift Score, `…/second` always the second step, `…/random` any
//! step with equal chance, which is given as what it comes to on average.

use serde::Deserialize;
use steadfast_embed::Embedder;
use steadfast_watch::divergence::is_empty;
use steadfast_watch::{Settings, Step, Tracker};

use super::drift::{prepare, ratio, share};
use super::{Reader, Set, Uses};
use crate::files::examples;
use crate::row::is_tuned;
use crate::{Count, Files, Means, MeasureError, Row};

pub(super) const SET: Set = Set {
    name: "who_and_when",
    about: "the decisive step of agents that failed, and whose it was",
    metrics: &[
        ratio("step_accuracy", Some(0.12), Some(0.142)),
        ratio("agent_accuracy", None, None),
        ratio("step_accuracy/ids", None, None),
        ratio("agent_accuracy/ids", None, None),
        ratio("step_accuracy/second", None, None),
        ratio("agent_accuracy/second", None, None),
        ratio("step_accuracy/random", None, None),
        ratio("agent_accuracy/random", None, None),
    ],
    read: Reader::of(Uses::Embedder, read),
};

#[derive(Deserialize)]
struct Log {
    id: String,
    question: String,
    mistake_agent: String,
    mistake_step: usize,
    history: Vec<Message>,
}

#[derive(Deserialize)]
struct Message {
    role: Option<String>,
    name: Option<String>,
    content: Option<String>,
}

impl Message {
    fn text(&self) -> Option<&str> {
        self.content.as_deref().filter(|content| !is_empty(content))
    }

    fn agent(&self) -> &str {
        bare(self.name.as_deref().or(self.role.as_deref()).unwrap_or_default())
    }
}

/// An agent's name without what stands in brackets behind it.
fn bare(agent: &str) -> &str {
    agent.split(" (").next().unwrap_or_default().trim()
}

fn read(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let embedder = means.needed(SET.name)?;
    let mut rows = Vec::new();
    for (index, place, log) in examples::<Log>(files, SET.name, ".jsonl")? {
        if log.mistake_step >= log.history.len() {
            let what = format!("step {} of {} is the mistake", log.mistake_step, log.history.len());
            return Err(MeasureError::Form { file: place, what });
        }
        rows.push(judge(&log, is_tuned(index), embedder));
    }
    Ok(rows)
}

fn judge(log: &Log, tuned: bool, embedder: &dyn Embedder) -> Row {
    prepare(embedder, [log.question.as_str()], log.history.iter().filter_map(Message::text));
    let mut tracker = Tracker::new(Some(&log.question), Settings::default(), embedder);
    let scores: Vec<_> = log
        .history
        .iter()
        .zip(0..)
        .map(|(message, number)| {
            tracker.push(
                &Step { number, instruction: None, output: message.text().map(str::to_owned), ..Step::default() },
                embedder,
            )
        })
        .collect();
    let onset = tracker.summary().onset.and_then(|onset| usize::try_from(onset.step).ok());
    let farthest = highest(scores.iter().map(|score| score.goal_distance));
    let own = onset.or(farthest).unwrap_or_default();
    let ids = highest(scores.iter().map(|score| score.ids)).unwrap_or_default();
    let second = 1.min(log.history.len() - 1);
    let wanted = bare(&log.mistake_agent);
    let is_agent = |at: usize| log.history[at].agent() == wanted;
    let mut counts = vec![
        share("step_accuracy", own == log.mistake_step),
        share("agent_accuracy", is_agent(own)),
        share("step_accuracy/ids", ids == log.mistake_step),
        share("agent_accuracy/ids", is_agent(ids)),
        share("step_accuracy/second", second == log.mistake_step),
        share("agent_accuracy/second", is_agent(second)),
    ];
    let steps = log.history.len() as f64;
    let of_agent = (0..log.history.len()).filter(|at| is_agent(*at)).count() as f64;
    counts.push(Count { metric: "step_accuracy/random", counts: [1.0 / steps, 1.0, 0.0, 0.0] });
    counts.push(Count { metric: "agent_accuracy/random", counts: [of_agent / steps, 1.0, 0.0, 0.0] });
    let by = if onset.is_some() { "onset" } else { "highest goal distance" };
    Row {
        id: log.id.clone(),
        prediction: format!("{own} {} ({by})", log.history[own].agent()),
        score: scores[own].goal_distance,
        label: format!("{} {wanted}", log.mistake_step),
        tuned,
        group: None,
        counts,
    }
}

/// The place of the highest score, the first of equals.
fn highest(scores: impl Iterator<Item = Option<f64>>) -> Option<usize> {
    let scored = scores.enumerate().filter_map(|(at, score)| Some((at, score?)));
    scored
        .fold(None, |best: Option<(usize, f64)>, it| if best.is_none_or(|b| it.1 > b.1) { Some(it) } else { best })
        .map(|it| it.0)
}
