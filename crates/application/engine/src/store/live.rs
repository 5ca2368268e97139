//! The port to trajectories that are under way.

use steadfast_wire::live::TrajectoryHead;

use super::{Stamps, StoreFailure};

/// A step, as it is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewStep {
    /// Its number, where whoever gave it counts.
    pub step: Option<i64>,
    /// Who made it.
    pub agent: Option<String>,
    /// The instruction under which it was made.
    pub prompt: Option<String>,
    /// What the agent said; `None` where it said nothing in words.
    pub output: Option<String>,
    /// The goal of the whole task, where it is stated.
    pub initial_intent: Option<String>,
    /// The trajectory of the agent that called this one.
    pub parent: Option<String>,
}

/// A step, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredStep {
    /// Its UUIDv7.
    pub id: String,
    /// Its place in the trajectory, from 0, in the order in which steps were kept.
    pub number: u64,
    /// What was given.
    pub given: NewStep,
}

/// The scores of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredScore {
    /// Their JSON, as it is published.
    pub scores: String,
    /// The goal, where it came into force with this step and is not its instruction.
    pub goal: Option<String>,
}

/// A step with its scores, without what the agent said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredStep {
    /// The step's UUIDv7.
    pub id: String,
    /// Its place in the trajectory, from 0.
    pub number: u64,
    /// Who made it.
    pub agent: Option<String>,
    /// The JSON of its scores; `None` where it has none yet.
    pub scores: Option<String>,
}

/// What a trajectory came to so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveSummary {
    /// How many of its steps this is of.
    pub of_steps: u64,
    /// The mean of the scores of all steps but the first, of the agent that did worst.
    pub mean_ids: Option<f64>,
    /// The greatest of them.
    pub max_ids: Option<f64>,
    /// The number of the first step of a sustained change, by whoever counts steps.
    pub onset: Option<i64>,
    /// How many alerts there are.
    pub alerts: u64,
}

/// What the trajectories of one agent came to: of those that it began.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentCount {
    /// The agent, where it has a name.
    pub agent: Option<String>,
    /// Whether these are all agents but those that are told by themselves.
    pub rest: bool,
    /// How many trajectories.
    pub trajectories: u64,
    /// Their steps.
    pub steps: u64,
    /// Their alerts.
    pub alerts: u64,
    /// Those that have an onset.
    pub onsets: u64,
    /// The mean of their mean scores.
    pub mean_ids: Option<f64>,
    /// The greatest of their scores.
    pub max_ids: Option<f64>,
}

/// Which trajectories are listed, those that changed last first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrajectoryPage {
    /// Only those that have alerts.
    pub alerting: bool,
    /// Only those of which the id, the beginning of the intent or the first agent holds this.
    pub search: Option<String>,
    /// Only those that come after this one, by the moment of its last step and its id.
    pub after: Option<(String, String)>,
    /// At most so many.
    pub limit: usize,
}

/// Steps that are to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appending {
    /// The trajectory; it is made where it does not exist.
    pub trajectory: String,
    /// The steps, in their order.
    pub steps: Vec<NewStep>,
    /// What this request is called, so that it is done once, and the SHA-256 of what it asks for.
    pub key: Option<(String, [u8; 32])>,
    /// How long a key is remembered, in microseconds.
    pub key_us_max: u64,
    /// How many keys are remembered.
    pub keys_max: u64,
    /// How many steps a trajectory has at most.
    pub steps_max: u64,
    /// How many agents make its steps at most.
    pub agents_max: u64,
}

/// What came of keeping steps. Numbers are those of the trajectory, in the order in which steps were kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appended {
    /// They are on the disk.
    Kept {
        /// The number of the first.
        first: u64,
        /// Their ids.
        ids: Vec<String>,
    },
    /// The same request was done before.
    Again {
        /// The number of the first.
        first: u64,
        /// Their ids.
        ids: Vec<String>,
    },
    /// Another request was done under the same key.
    OtherRequest,
    /// The trajectory would have more steps than it may.
    TooManySteps,
    /// Its steps would be of more agents than they may.
    TooManyAgents,
}

/// Waits until steps are on the disk, and says what came of it.
pub type AppendReceipt = Box<dyn FnOnce() -> Result<Appended, StoreFailure> + Send>;

/// Scores that are to be kept: those of steps that lie behind one another.
#[derive(Clone, Debug, PartialEq)]
pub struct Scoring {
    /// The trajectory.
    pub trajectory: String,
    /// The number of the first step. Where another one is the first without scores, nothing is kept.
    pub first: u64,
    /// The scores.
    pub scores: Vec<StoredScore>,
    /// What made them.
    pub scorer: String,
    /// What the trajectory came to, where that is known.
    pub summary: Option<LiveSummary>,
}

/// Trajectories that are under way.
pub trait LiveStore: Stamps + Send + Sync {
    /// Queues steps to be kept, all of them or none. It does not wait for the disk: the receipt does.
    fn append_steps(&self, appending: Appending) -> AppendReceipt;

    /// Keeps scores, and waits for the disk. `false` where somebody else was first.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be written.
    fn keep_scores(&self, scoring: Scoring) -> Result<bool, StoreFailure>;

    /// Takes the scores of a trajectory away that something else than `scorer` made, and waits for the disk. `false` where they stay, since the
    /// texts are not kept of which others could be made.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be written.
    fn drop_scores(&self, trajectory: &str, scorer: &str) -> Result<bool, StoreFailure>;

    /// One trajectory.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn trajectory(&self, id: &str) -> Result<Option<TrajectoryHead>, StoreFailure>;

    /// Trajectories of a page.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn trajectories(&self, page: &TrajectoryPage) -> Result<Vec<TrajectoryHead>, StoreFailure>;

    /// Steps of a trajectory in the order of their numbers: those from `from` on, at most so many, and no more once `bytes` of text are
    /// read, but always one.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn steps(&self, trajectory: &str, from: u64, limit: usize, bytes: u64) -> Result<Vec<StoredStep>, StoreFailure>;

    /// The same steps with the texts by which they are scored, as far as they are at hand: those that are kept, unless less is kept of texts.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn steps_to_score(
        &self,
        trajectory: &str,
        from: u64,
        limit: usize,
        bytes: u64,
    ) -> Result<Vec<StoredStep>, StoreFailure> {
        self.steps(trajectory, from, limit, bytes)
    }

    /// The same steps without their texts, with their scores.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn scored_steps(
        &self,
        trajectory: &str,
        from: u64,
        limit: usize,
        bytes: u64,
    ) -> Result<Vec<ScoredStep>, StoreFailure>;

    /// The goals that came into force at these steps, as far as they have scores.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn goals(&self, trajectory: &str, numbers: &[u64]) -> Result<Vec<(u64, String)>, StoreFailure>;

    /// The next trajectory that has steps without scores, in the order in which they began, and from the beginning again after the last:
    /// the one after the trajectory `after`.
    ///
    /// # Errors
    /// [`StoreFailure`] where that cannot be read.
    fn unscored_trajectory(&self, after: Option<&str>) -> Result<Option<String>, StoreFailure>;

    /// How many steps have no scores yet.
    ///
    /// # Errors
    /// [`StoreFailure`] where that cannot be read.
    fn unscored_steps(&self) -> Result<u64, StoreFailure>;

    /// What trajectories came to that a step was added to since a moment, by the agent that began them: the `limit` agents that have most, in that
    /// order, and all others together.
    ///
    /// # Errors
    /// [`StoreFailure`] where that cannot be read.
    fn agent_counts(&self, since: &str, limit: usize) -> Result<Vec<AgentCount>, StoreFailure>;

    /// Deletes a trajectory with its steps, and waits for the disk. `false` where there is none.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be deleted.
    fn delete_trajectory(&self, id: &str) -> Result<bool, StoreFailure>;
}
