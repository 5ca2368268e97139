//! `steadfast store`, and deleting what was kept long enough while a server runs.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use steadfast_engine::retention::{prune, prune_unasked};
use steadfast_engine::store::Keep;
use steadfast_engine::store_export::export_store;
use steadfast_engine::summary::weekly;
use steadfast_render::summary;
use steadfast_store::{LOG_BYTES_MAX, Store, VERSION};
use steadfast_wire::retention::PruneReport;
use tokio::task::spawn_blocking;
use tokio::time::interval;

use crate::args::{StoreCommand, StoreVerbArgs, SummaryFormat};
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::store::{counted, existing, lines, put, write};
use crate::talk::Talk;
use crate::wait::meanwhile;

/// How often a server looks for what was kept long enough.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// How often a server looks how long the store's log is.
const LOG_EVERY: Duration = Duration::from_secs(60);

/// Does something with a store as a whole.
pub(crate) fn store(args: StoreVerbArgs) -> Result<Status, Failure> {
    match args.command {
        StoreCommand::Prune { store, older_than, dry_run, rows } => {
            let store: Arc<dyn Keep> =
                if dry_run { Arc::new(Store::open_to_read(&store.store)?) } else { Arc::new(existing(&store.store)?) };
            let report = meanwhile("deleting".to_owned(), || prune(&*store, older_than, dry_run))?;
            write(&rows, || text(&report), &report)
        }
        StoreCommand::Export { store, output } => {
            let path = store.store;
            let store = Store::open_snapshot(&path)?;
            lines(&path, output.as_deref(), |line| {
                export_store(&store, VERSION, |own| line(&steadfast_wire::to_json_line(own)?))
            })
        }
        StoreCommand::Summary { store, weeks, tz, output } => {
            let store = Store::open_to_read(&store.store)?;
            let summary = meanwhile("counting".to_owned(), || weekly(&store, weeks, &tz))?;
            let text = match output.format() {
                SummaryFormat::Text => summary::text(&summary),
                SummaryFormat::Json => steadfast_wire::to_json(&summary)?,
                SummaryFormat::Md => summary::markdown(&summary),
            };
            put(output.file().as_deref(), &text)
        }
    }
}

fn text(report: &PruneReport) -> String {
    let mut text = String::new();
    let (done, before) = (if report.dry_run { "would delete" } else { "deleted" }, &report.before);
    let _ = writeln!(text, "{done} what nothing was added to since {before}");
    for (count, what) in [
        (report.runs, "run"),
        (report.tasks, "task"),
        (report.messages, "message"),
        (report.trajectories, "trajectory"),
        (report.jobs, "job"),
        (report.alerts, "record of alerts"),
    ] {
        let many = match what {
            "trajectory" => "trajectories".to_owned(),
            "record of alerts" => "records of alerts".to_owned(),
            what => format!("{what}s"),
        };
        let _ = writeln!(text, "  {count} {}", if count == 1 { what } else { &many });
    }
    text
}

/// Deletes what was kept as long as the settings say: now, and every hour from then on.
pub(crate) fn pruning(
    store: Option<&Arc<Store>>,
    exports: &Exports,
    talk: Talk,
) -> impl Future<Output = ()> + Send + use<> {
    let wanted = store.map(Arc::downgrade).zip(exports.privacy.retain_days);
    async move {
        let Some((store, days)) = wanted else { return };
        let mut hours = interval(EVERY);
        loop {
            hours.tick().await;
            // Once the server has ended there is none.
            let Some(store) = store.upgrade() else { return };
            let pruned = spawn_blocking(move || prune_unasked(&*store, days)).await;
            match pruned {
                Ok(Ok(report)) if report.total() > 0 => {
                    let what = counted(report.total(), "record");
                    talk.note(&format!("deleted {what} older than {}", counted(u64::from(days), "day")));
                }
                Ok(Ok(_)) => {}
                Ok(Err(error)) => {
                    let hint = error.hint().map_or_else(String::new, |hint| format!("; {hint}"));
                    talk.warning(&format!("what is older than {days} days was not deleted: {error}{hint}"));
                }
                Err(_) => return,
            }
        }
    }
}

/// Warns once where the store's write-ahead log passes its limit, and once more where it does so after it was short again.
pub(crate) fn log_watching(store: Option<&Arc<Store>>, talk: Talk) -> impl Future<Output = ()> + Send + use<> {
    let store = store.map(Arc::downgrade);
    async move {
        let Some(store) = store else { return };
        let (mut minutes, mut is_long) = (interval(LOG_EVERY), false);
        loop {
            minutes.tick().await;
            let Some(store) = store.upgrade() else { return };
            let Ok(bytes) = spawn_blocking(move || store.log_bytes()).await else { return };
            if let Some(warning) = log_warning(bytes, &mut is_long) {
                talk.warning(&warning);
            }
        }
    }
}

/// What is said of a log of so many bytes. `is_long` is whether it was said already.
fn log_warning(bytes: u64, is_long: &mut bool) -> Option<String> {
    const MIB: u64 = 1024 * 1024;
    let was_long = std::mem::replace(is_long, bytes > LOG_BYTES_MAX);
    (*is_long && !was_long).then(|| {
        format!(
            "the store's write-ahead log (`-wal`) holds {} MiB, more than {}: a process that reads the store keeps it from being emptied; it grows until \
             that process ends its transaction",
            bytes / MIB,
            LOG_BYTES_MAX / MIB
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{LOG_BYTES_MAX, log_warning};

    #[test]
    fn a_long_log_is_warned_of_once_each_time_that_it_passes_the_limit() {
        let mut is_long = false;
        let lengths = [0, LOG_BYTES_MAX, LOG_BYTES_MAX + 1, 2 * LOG_BYTES_MAX, LOG_BYTES_MAX, LOG_BYTES_MAX + 1];
        let warned = lengths.map(|bytes| log_warning(bytes, &mut is_long).is_some());
        assert_eq!(warned, [false, false, true, false, false, true]);
    }
}
