//! The use case of what was kept long enough: it is deleted.

use crate::EngineError;
use crate::limits::RETAIN_DAYS_MAX;
use crate::store::{Keep, Pruned, Stamp, micros, rfc3339};
use steadfast_wire::retention::{PruneReport, SCHEMA_VERSION};

/// A day, in microseconds.
const DAY_US: u64 = 24 * 60 * 60 * 1_000_000;

/// Rows of each kind that are deleted in one transaction: others write between two of them.
const ROWS: usize = 500;

/// Deletes runs, tasks, trajectories and jobs that nothing was added to for so many days; or counts them, where `dry_run` is set. It waits for the disk
/// on the thread that calls.
///
/// # Errors
/// [`EngineError::Days`], or [`EngineError::Store`] where they cannot be deleted.
pub fn prune(store: &dyn Keep, days: u32, dry_run: bool) -> Result<PruneReport, EngineError> {
    if days == 0 || days > RETAIN_DAYS_MAX {
        return Err(EngineError::Days { days });
    }
    let Stamp { at, .. } = store.stamp()?;
    let before = rfc3339(micros(&at).unwrap_or_default().saturating_sub(u64::from(days) * DAY_US));
    let mut all = Pruned::default();
    loop {
        let Pruned { runs, tasks, messages, trajectories, jobs, alerts } = store.prune(&before, ROWS, dry_run)?;
        all.runs += runs;
        all.tasks += tasks;
        all.messages += messages;
        all.trajectories += trajectories;
        all.jobs += jobs;
        all.alerts += alerts;
        let more = [runs, tasks, messages, trajectories, jobs, alerts].into_iter().any(|rows| rows >= ROWS as u64);
        if dry_run || !more {
            break;
        }
    }
    let Pruned { runs, tasks, messages, trajectories, jobs, alerts } = all;
    let schema_version = SCHEMA_VERSION.to_owned();
    Ok(PruneReport { schema_version, before, dry_run, runs, tasks, messages, trajectories, jobs, alerts })
}
