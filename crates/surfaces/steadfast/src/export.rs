//! Runs that are told to whoever collects traces: `--export`, `export flush` and `export status`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use steadfast_engine::privacy::{Capture, Privacy, keeping, telling};
use steadfast_engine::store::{Keep, StoreFailure};
use steadfast_engine::trace::TraceSink;
use steadfast_export::{ExportError, Exporter, Outbox, Queue, Report, Urgency, exporter};
use steadfast_wire::trace::{Batch, ExportStatus};

use crate::args::{ExportCommand, ExportsArgs};
use crate::exit::{Failure, Status};
use crate::settings::{self, ExportSettings};
use crate::store::{counted, write};
use crate::talk::{Talk, legible};
use crate::wait::meanwhile;

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        let failure = match error {
            ExportError::Unknown { .. } | ExportError::Setting { .. } => Self::usage(error.to_string()),
            _ => Self::external(error.to_string()),
        };
        match error.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

/// Where a run is told of.
#[derive(Clone)]
pub(crate) struct Exports {
    sink: Option<Arc<dyn TraceSink>>,
    /// What is told of texts.
    pub(crate) capture: Capture,
    /// The files that lines are added to.
    pub(crate) files: Vec<PathBuf>,
    /// What is kept and told of texts, and for how long.
    pub(crate) privacy: Privacy,
}

impl Exports {
    /// Nothing is written or sent yet.
    pub(crate) fn new(settings: ExportSettings) -> Self {
        let ExportSettings { exporters, queue, capture, wait, privacy } = settings;
        let file = |exporter: &Exporter| match exporter {
            Exporter::Jsonl(file) => Some(file.clone()),
            _ => None,
        };
        let files = exporters.iter().filter_map(file).collect();
        let sink = (!exporters.is_empty()).then(|| {
            let outbox = Outbox::new(exporters, Queue::new(queue)).waiting(wait);
            telling(Arc::new(outbox), &privacy)
        });
        Self { sink, capture, files, privacy }
    }

    /// Whether the run is told of anywhere.
    pub(crate) const fn is_asked(&self) -> bool {
        self.sink.is_some()
    }

    /// What takes traces, where anything does.
    pub(crate) fn sink(&self) -> Option<Arc<dyn TraceSink>> {
        self.sink.clone()
    }

    /// A store, which keeps of texts what the settings let it.
    pub(crate) fn keeping(&self, store: Arc<dyn Keep>) -> Result<Arc<dyn Keep>, StoreFailure> {
        keeping(store, &self.privacy)
    }

    /// Takes what a run came to; nothing is sent yet.
    pub(crate) fn take(&self, batch: &Batch, talk: Talk) {
        let troubles = self.sink.as_ref().map_or_else(Vec::new, |sink| sink.take(batch));
        for trouble in troubles {
            talk.warning(&trouble);
        }
    }

    /// Sends what waits, once the answer is out: for as long as it may, and not at all where that failed a short while ago. Nothing that goes wrong
    /// here is a fault of the run.
    pub(crate) fn send(&self, talk: Talk) {
        let troubles = self.sink.as_ref().map_or_else(Vec::new, |sink| sink.send_waiting());
        for trouble in troubles {
            talk.warning(&trouble);
        }
    }
}

/// `steadfast export`.
pub(crate) fn export(args: ExportsArgs, talk: &Talk) -> Result<Status, Failure> {
    match args.command {
        ExportCommand::Status { place, rows } => {
            let queue = Queue::new(settings::queue(place.queue, place.store.as_deref())?);
            let status = queue.status()?;
            write(&rows, || text(&status), &status)
        }
        ExportCommand::Flush { place, failed, rows } => {
            let queue = Queue::new(settings::queue(place.queue, place.store.as_deref())?);
            if failed {
                queue.retry_failed()?;
            }
            let (exporters, troubles) = wanted(&queue)?;
            let outbox = Outbox::new(exporters, queue);
            let reports = meanwhile("sending traces".to_owned(), || outbox.send(Urgency::Flush))?;
            let sent: u64 = reports.iter().map(|report| report.sent).sum();
            reports.iter().flat_map(Report::troubles).chain(troubles).for_each(|trouble| talk.warning(&trouble));
            let status = outbox.queue().status()?;
            let waiting: u64 = status.exporters.iter().map(|exporter| exporter.waiting).sum();
            let refused: u64 = reports.iter().map(|report| report.failed).sum();
            write(&rows, || text(&status), &status)?;
            talk.note(&format!("sent {}, {waiting} wait, {refused} failed now", counted(sent, "trace")));
            Ok(if waiting + refused > 0 { Status::External } else { Status::Passed })
        }
    }
}

/// The exporters for which something waits, and why one of them cannot be asked.
fn wanted(queue: &Queue) -> Result<(Vec<Exporter>, Vec<String>), Failure> {
    let (mut exporters, mut troubles) = (Vec::new(), Vec::new());
    for status in queue.status()?.exporters.into_iter().filter(|status| status.waiting > 0) {
        // The entries themselves name the file.
        if status.exporter == "jsonl" {
            exporters.push(Exporter::Jsonl(PathBuf::new()));
            continue;
        }
        match exporter(&status.exporter, &settings::text) {
            Ok(exporter) => exporters.push(exporter),
            Err(error) => troubles.push(error.to_string()),
        }
    }
    Ok((exporters, troubles))
}

fn text(status: &ExportStatus) -> String {
    let mut text = String::new();
    if status.exporters.is_empty() {
        text.push_str("nothing was exported by way of this queue\n");
    }
    for own in &status.exporters {
        let _ = writeln!(
            text,
            "{:<6} {} waiting ({} bytes), {} sent, {} failed, {} refused",
            legible(&own.exporter),
            own.waiting,
            own.waiting_bytes,
            own.sent,
            own.failed,
            own.refused
        );
        if own.rejected_spans > 0 {
            let _ = writeln!(text, "       {} not kept by the other side", counted(own.rejected_spans, "span"));
        }
        if let Some(failure) = &own.last_failure {
            let tries = if own.tries_failed == 1 { "1 try".to_owned() } else { format!("{} tries", own.tries_failed) };
            let _ = writeln!(text, "       {tries} failed, the last at {}: {}", failure.at, legible(&failure.what));
        }
        if let Some(until) = &own.not_before {
            let _ = writeln!(text, "       asks to be left alone until {}", legible(until));
        }
    }
    text
}
