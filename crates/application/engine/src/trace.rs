//! What is told of runs to whoever collects traces, and the port that takes it.
//!
//! A trace is a record of ours, made of a published result and of what the [`Stopwatch`](crate::runs::Stopwatch) timed: it depends on no
//! subscriber and no filter, and the same result gives the same trace but for ids and times. What it shows of texts is up to [`Capture`].

mod audit;
mod bench;
mod build;
mod capture;
mod pick;
mod plan;
mod review;
mod watch;

use steadfast_wire::trace::{Batch, Score, Trace};

use crate::runs::{Asked, Timing};

pub use audit::audit;
pub use bench::{BenchDay, bench};
pub use capture::Capture;
pub use pick::pick;
pub use plan::{plan, plan_check, plan_constraints};
pub use review::review;
pub use watch::{watch, watch_compare};

/// What is known of a run besides its result.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Its identity, and how long its parts took.
    pub timing: &'a Timing,
    /// What it read, and how it was asked.
    pub asked: &'a Asked,
    /// The exit status.
    pub exit_status: u8,
    /// Whether it is stored.
    pub stored: bool,
    /// What is shown of texts: at most their first [`TRACE_TEXT_CHARS_MAX`](crate::limits::TRACE_TEXT_CHARS_MAX) characters, control characters
    /// shown; where no words are, names, lengths, counts, ids and figures, and with [`Capture::Hash`] the hashes of what was read.
    pub capture: Capture,
}

/// Whoever takes traces.
pub trait TraceSink: Send + Sync {
    /// Takes what a run came to, without waiting for anybody. Nothing that goes wrong here is a fault of the run: what could not be taken is
    /// said, a line each.
    fn take(&self, batch: &Batch) -> Vec<String>;

    /// Sends what waits, within limits of its own. It blocks, so it is called where nobody waits: once the answer of a run is out. What could not be
    /// sent waits on; what somebody should know is said, a line each.
    fn send_waiting(&self) -> Vec<String>;
}

/// A judge's figures of a run, which decide nothing: each goes by the name `judge.NAME`. What is not finite is left out.
pub fn add_judge_scores(
    trace: &mut Trace,
    judge: &str,
    scores: impl IntoIterator<Item = (String, f64, Option<String>)>,
) {
    trace.metadata.insert("judge".to_owned(), judge.into());
    for (name, value, reason) in scores {
        if value.is_finite() {
            trace.scores.push(Score { name: format!("judge.{name}"), value, label: None, reason, span: None });
        }
    }
}
