//! The use case of what was kept long enough: it is deleted.

use crate::EngineError;
use crate::limits::RETAIN_DAYS_MAX;
use crate::store::{Keep, Pruned, Stamp, micros, rfc3339};
use steadfast_wire::retention::{PruneReport, SCHEMA_VERSION};

/// A day, in microseconds.
const DAY_US: u64 = 24 * 60 * 60 * 1_000_000;

/// Rows of each kind that are deleted in one transaction: others write between two of them.
const ROWS: usize = 500;

/// Days for which a server may have stood still before its clock is not believed any more.
const GAP_DAYS_MAX: u64 = 7;

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
    let now = at.clone();
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
    if !dry_run {
        store.see(&now)?;
    }
    let Pruned { runs, tasks, messages, trajectories, jobs, alerts } = all;
    let schema_version = SCHEMA_VERSION.to_owned();
    Ok(PruneReport { schema_version, before, dry_run, runs, tasks, messages, trajectories, jobs, alerts })
}

/// The same without anybody asking for it at this moment. A clock that jumped ahead would have everything deleted: where it says far more than the
/// store knows of the time, nothing is, until somebody has it deleted by [`prune`].
///
/// # Errors
/// As [`prune`], and [`EngineError::ClockJumped`].
pub fn prune_unasked(store: &dyn Keep, days: u32) -> Result<PruneReport, EngineError> {
    trusted_now(store)?;
    prune(store, days, false)
}

/// What time it is, where the clock is not far ahead of what the store knows of the time.
pub(crate) fn trusted_now(store: &dyn Keep) -> Result<String, EngineError> {
    let now = store.stamp()?.at;
    if let Some(seen_at) = store.seen_at()? {
        let moment = |text: &str| micros(text).unwrap_or_default();
        if moment(&now).saturating_sub(moment(&seen_at)) > GAP_DAYS_MAX * DAY_US {
            return Err(EngineError::ClockJumped { now, seen_at, days: GAP_DAYS_MAX });
        }
    }
    Ok(now)
}
