//! The port to how rules of alerts stand.
//!
//! From the first time on that rules look, what is stored waits to be looked at, whoever stores it and whether a server runs or not. What rules looked
//! at, how they stand then and what is to be told of it goes to the disk at once, so that nothing is looked at twice or told of what is forgotten.

use steadfast_wire::alerts::AlertDelivery;

use super::{Stamps, StoreFailure};

/// How a rule stands for an agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredStream {
    /// Its place among all of them, in the order in which they began.
    pub number: u64,
    /// The rule, by its name.
    pub rule: String,
    /// The agent, where one is known.
    pub agent: Option<String>,
    /// What the rule says: what stood under another rule of the same name is none of this one's.
    pub definition: String,
    /// Whether it fires.
    pub firing: bool,
    /// Since when it fires, or does not any more: RFC 3339 in UTC; `None` where it never fired.
    pub since: Option<String>,
    /// When it fired last, in microseconds since 1970.
    pub fired_us: Option<u64>,
    /// The last value.
    pub value: f64,
    /// The run, or the trajectory, that it is of.
    pub subject: String,
    /// When it came about, in microseconds since 1970.
    pub at_us: u64,
    /// The values that count: when each came about, and whether it was wrong; the newest last.
    pub last: Vec<(u64, bool)>,
}

/// A change of a rule for an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredNotice {
    /// Its UUIDv7.
    pub id: String,
    /// The rule, by its name.
    pub rule: String,
    /// The agent, where one is known.
    pub agent: Option<String>,
    /// When it was seen: RFC 3339 in UTC.
    pub created_at: String,
    /// Its JSON, as it is told.
    pub notice: String,
    /// Whom it goes to, by their names.
    pub deliveries: Vec<AlertDelivery>,
}

/// What a look came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looked {
    /// Runs that wait no more.
    pub runs: Vec<String>,
    /// Trajectories, and how many of their first steps were looked at.
    pub trajectories: Vec<(String, u64)>,
    /// Rules that stand otherwise than before.
    pub streams: Vec<StoredStream>,
    /// What is forgotten: a rule by its name, and an agent.
    pub dropped: Vec<(String, Option<String>)>,
    /// What is to be told.
    pub notices: Vec<StoredNotice>,
    /// Beyond so many notices the oldest go.
    pub notices_max: usize,
    /// When this was: RFC 3339 in UTC.
    pub at: String,
}

/// Which streams are listed, in the order of their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamPage {
    /// Only those that fire.
    pub firing: bool,
    /// Only those of this rule.
    pub rule: Option<String>,
    /// Only those of this agent.
    pub agent: Option<String>,
    /// Only those that come after this place.
    pub after: Option<u64>,
    /// At most so many.
    pub limit: usize,
}

/// Which notices are listed, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoticePage {
    /// Only those of this rule.
    pub rule: Option<String>,
    /// Only those of this agent.
    pub agent: Option<String>,
    /// Only those that come after the one of this id, in the order of the list.
    pub after: Option<String>,
    /// Only those that wait to be told to somebody; these come the oldest first.
    pub waiting: bool,
    /// At most so many.
    pub limit: usize,
}

/// How rules of alerts stand.
pub trait AlertStore: Stamps + Send + Sync {
    /// When rules last found something new; `None` where none look.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn alerts_looked(&self) -> Result<Option<String>, StoreFailure>;

    /// From now on what is stored waits to be looked at; where that was so before, nothing changes. What is stored already does not wait, but for
    /// steps without scores.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn begin_alerts(&self, at: &str) -> Result<(), StoreFailure>;

    /// From now on nothing waits to be looked at, and how rules stand is forgotten; what was told is not.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn end_alerts(&self) -> Result<(), StoreFailure>;

    /// Runs that wait to be looked at, the oldest first.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn unlooked_runs(&self, limit: usize) -> Result<Vec<String>, StoreFailure>;

    /// Trajectories with scores that wait to be looked at, and how many of their first steps were.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn unlooked_trajectories(&self, limit: usize) -> Result<Vec<(String, u64)>, StoreFailure>;

    /// Keeps what a look came to, and waits for the disk: all or nothing. `false` where rules do not look any more.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn keep_looked(&self, looked: Looked) -> Result<bool, StoreFailure>;

    /// How rules stand, of a page.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be read.
    fn alert_streams(&self, page: &StreamPage) -> Result<Vec<StoredStream>, StoreFailure>;

    /// Notices of a page.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn alert_notices(&self, page: &NoticePage) -> Result<Vec<StoredNotice>, StoreFailure>;

    /// Keeps what came of telling a notice, and waits for the disk. `false` where it is not there any more.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn keep_delivery(&self, notice: &str, delivery: AlertDelivery) -> Result<bool, StoreFailure>;
}
