//! Taking steps.

use sha2::{Digest, Sha256};
use steadfast_wire::live::{LiveStep, SCHEMA_VERSION, StepsTaken, TakenStep};
use steadfast_wire::to_json_line;

use super::Live;
use crate::EngineError;
use crate::error::of_json;
use crate::limits::{
    IDEMPOTENCY_HOURS_MAX, IDEMPOTENCY_KEY_BYTES_MAX, IDEMPOTENCY_KEYS_MAX, LIVE_AGENTS_MAX, LIVE_NAME_BYTES_MAX,
    LIVE_OUTPUT_BYTES_MAX, LIVE_PROMPT_BYTES_MAX, LIVE_STEPS_MAX, LIVE_TRAJECTORY_STEPS_MAX,
};
use crate::store::{AppendReceipt, Appended, Appending, NewStep};

/// An hour in microseconds.
const HOUR_US: u64 = 60 * 60 * 1_000_000;

/// Steps that are queued to be kept.
#[must_use = "whether they were kept is told by `Live::taken` alone"]
pub struct Taking {
    trajectory: String,
    key: Option<String>,
    is_scored_later: bool,
    receipt: AppendReceipt,
}

impl Live {
    /// Loads the embedder where that was not done yet.
    ///
    /// # Errors
    /// Those of the embedder.
    pub fn ready(&self) -> Result<(), EngineError> {
        self.scorer().map(drop)
    }

    /// Queues steps to be kept. It waits for room in the queue, not for the disk: so one thread can queue the steps of many callers, which then go
    /// to the disk together. Where `score_later` is set they are scored in the background.
    pub fn begin(&self, steps: NewSteps, score_later: bool) -> Taking {
        let NewSteps { trajectory, steps, key } = steps;
        let called = key.as_ref().map(|(key, _)| key.clone());
        let receipt = self.store.append_steps(Appending {
            trajectory: trajectory.clone(),
            steps,
            key,
            key_us_max: IDEMPOTENCY_HOURS_MAX * HOUR_US,
            keys_max: IDEMPOTENCY_KEYS_MAX,
            steps_max: LIVE_TRAJECTORY_STEPS_MAX,
            agents_max: LIVE_AGENTS_MAX,
        });
        Taking { trajectory, key: called, is_scored_later: score_later, receipt }
    }

    /// Waits until steps that were queued are on the disk.
    ///
    /// # Errors
    /// [`EngineError::KeyReused`], [`EngineError::StepsTooLarge`], or [`EngineError::Store`].
    pub fn taken(&self, taking: Taking) -> Result<StepsTaken, EngineError> {
        let Taking { trajectory, key, is_scored_later, receipt } = taking;
        let (first, ids) = match receipt()? {
            Appended::Kept { first, ids } => {
                (self.changed)(&trajectory);
                if is_scored_later {
                    self.wake();
                }
                (first, ids)
            }
            Appended::Again { first, ids } => (first, ids),
            Appended::OtherRequest => return Err(EngineError::KeyReused { key: key.unwrap_or_default() }),
            Appended::TooManySteps => {
                let what = format!("the trajectory would have more than {LIVE_TRAJECTORY_STEPS_MAX} steps");
                return Err(EngineError::StepsTooLarge { what });
            }
            Appended::TooManyAgents => {
                let what = format!("the steps of the trajectory would be of more than {LIVE_AGENTS_MAX} agents");
                return Err(EngineError::StepsTooLarge { what });
            }
        };
        Ok(StepsTaken {
            schema_version: SCHEMA_VERSION.to_owned(),
            trajectory_id: trajectory,
            steps: (first..).zip(ids).map(|(number, id)| TakenStep { id, number, scores: None }).collect(),
            goals: Default::default(),
        })
    }

    /// What was taken with its scores, which are made where they are not there yet.
    ///
    /// # Errors
    /// Those of the embedder, or [`EngineError::Store`].
    pub fn with_scores(&self, mut taken: StepsTaken) -> Result<StepsTaken, EngineError> {
        let first = taken.steps.first().map_or(0, |step| step.number);
        let count = taken.steps.len();
        self.score_up_to(&taken.trajectory_id, first + count as u64)?;
        let (scored, goals) = self.scores(&taken.trajectory_id, first, count, u64::MAX)?;
        for (own, (_, scores)) in taken.steps.iter_mut().zip(scored) {
            own.scores = scores;
        }
        taken.goals = goals;
        Ok(taken)
    }
}

/// Steps that may be kept.
#[derive(Clone, Debug)]
pub struct NewSteps {
    trajectory: String,
    steps: Vec<NewStep>,
    key: Option<(String, [u8; 32])>,
}

impl NewSteps {
    /// The next steps of a trajectory, as they are given, and the key of the request.
    ///
    /// # Errors
    /// [`EngineError::Steps`] and [`EngineError::StepsTooLarge`] where they cannot be taken.
    pub fn of(trajectory: &str, steps: Vec<LiveStep>, key: Option<&str>) -> Result<Self, EngineError> {
        name("the name of a trajectory", trajectory)?;
        if steps.is_empty() || steps.len() > LIVE_STEPS_MAX {
            let what = format!("1 to {LIVE_STEPS_MAX} steps are taken at a time, not {}", steps.len());
            return Err(EngineError::Steps { what });
        }
        let key = key.map(|key| keyed(key, &steps)).transpose()?;
        let steps = steps
            .into_iter()
            .enumerate()
            .map(|(place, step)| taken(trajectory, place, step))
            .collect::<Result<_, _>>()?;
        Ok(Self { trajectory: trajectory.to_owned(), steps, key })
    }
}

/// A key, and the hash of what is asked for under it.
fn keyed(key: &str, steps: &[LiveStep]) -> Result<(String, [u8; 32]), EngineError> {
    if key.is_empty() || key.len() > IDEMPOTENCY_KEY_BYTES_MAX || key.contains(|own: char| !own.is_ascii_graphic()) {
        let what = format!(
            "the key of a request has 1 to {IDEMPOTENCY_KEY_BYTES_MAX} printable characters of ASCII and no space; this one has {} bytes",
            key.len()
        );
        return Err(EngineError::Steps { what });
    }
    let mut hash = Sha256::new();
    for step in steps {
        hash.update(to_json_line(step).map_err(of_json)?);
    }
    Ok((key.to_owned(), hash.finalize().into()))
}

fn name(what: &str, given: &str) -> Result<(), EngineError> {
    let bytes = given.len();
    if !given.is_empty() && bytes <= LIVE_NAME_BYTES_MAX && !given.contains(char::is_control) {
        return Ok(());
    }
    let what =
        format!("{what} has 1 to {LIVE_NAME_BYTES_MAX} bytes and no control characters; this one has {bytes} bytes");
    Err(EngineError::Steps { what })
}

/// A step as it is kept.
fn taken(trajectory: &str, place: usize, given: LiveStep) -> Result<NewStep, EngineError> {
    let LiveStep { task_id, step, prompt, output, agent, initial_intent, parent } = given;
    if let Some(task_id) = task_id.filter(|task_id| task_id != trajectory) {
        let shown: String = task_id.chars().take(80).flat_map(char::escape_debug).collect();
        let what = format!("step {place} of the request is of `{shown}`, another trajectory than that it is posted to");
        return Err(EngineError::Steps { what });
    }
    for (what, given) in [("agent", &agent), ("parent", &parent)] {
        if let Some(given) = given {
            name(&format!("`{what}` of step {place} of the request"), given)?;
        }
    }
    for (what, text, limit) in [
        ("prompt", &prompt, LIVE_PROMPT_BYTES_MAX),
        ("initial_intent", &initial_intent, LIVE_PROMPT_BYTES_MAX),
        ("output", &output, LIVE_OUTPUT_BYTES_MAX),
    ] {
        if let Some(bytes) = text.as_ref().map(String::len).filter(|bytes| *bytes > limit) {
            let what = format!("`{what}` of step {place} of the request has {bytes} bytes, more than {limit}");
            return Err(EngineError::StepsTooLarge { what });
        }
    }
    Ok(NewStep { step, agent, prompt, output, initial_intent, parent })
}
