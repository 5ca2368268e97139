//! What takes traces, and sends what waits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use steadfast_engine::store::micros;
use steadfast_engine::trace::TraceSink;
use steadfast_net::{Client, Method, Proxy, Timeouts};
use steadfast_wire::trace::{Batch, ExporterStatus, Queued};
use tokio::runtime;
use tokio::time::timeout;

use crate::queue::{Entry, Queue};
use crate::send::{Call, Came, call};
use crate::settings::{Exporter, Opik, Otlp};
use crate::{ExportError, jsonl, opik, otlp};

/// Entries that are sent together.
const TOGETHER_MAX: usize = 100;

/// Bytes of entries that are sent together, but for one that is larger by itself.
const TOGETHER_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// After a try that failed, runs leave the other side alone for so long, in microseconds; twice as long after the next, up to sixteen times.
const HOLD_OFF_US: u64 = 60_000_000;
const HOLD_OFF_DOUBLINGS_MAX: u64 = 4;

/// What the other side asks to be left alone is heeded up to so long, in microseconds.
const WAIT_US_MAX: u64 = 3_600_000_000;

/// How long a run waits, once its answer is out, where nobody says otherwise.
pub const WAIT_DEFAULT: Duration = Duration::from_secs(1);

/// Why something is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// A run has ended, its answer is out, and what waits is sent within this time, unless a try failed a short while ago.
    AfterRun(Duration),
    /// Somebody asked for it.
    Flush,
}

/// What came of sending to one exporter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The exporter.
    pub exporter: String,
    /// Entries that were sent.
    pub sent: u64,
    /// Entries that were put aside: the other side will never take them.
    pub failed: u64,
    /// Entries that still wait.
    pub waiting: u64,
    /// Spans that the other side did not keep of what it took.
    pub rejected_spans: u64,
    /// What the other side says of them, or of the last entry that it will never take.
    pub said: Option<String>,
    /// Why entries still wait.
    pub trouble: Option<String>,
}

impl Report {
    /// What somebody should know of it, a line each.
    #[must_use]
    pub fn troubles(&self) -> Vec<String> {
        let Self { exporter, failed, waiting, rejected_spans, said, trouble, .. } = self;
        let counted =
            |count: u64, what: &str| if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") };
        let said = said.as_ref().map_or_else(String::new, |said| format!(": {said}"));
        let mut troubles = Vec::new();
        if *failed > 0 {
            troubles.push(format!("{exporter}: {} will never be taken{said}", counted(*failed, "trace")));
        } else if *rejected_spans > 0 {
            troubles.push(format!("{exporter}: {} not kept by the other side{said}", counted(*rejected_spans, "span")));
        }
        if let Some(trouble) = trouble {
            let wait = if *waiting == 1 { "waits" } else { "wait" };
            let waiting = counted(*waiting, "trace");
            troubles.push(format!("{exporter}: {waiting} {wait}, `steadfast export flush` sends: {trouble}"));
        }
        troubles
    }
}

/// Takes traces for some exporters.
#[derive(Clone, Debug)]
pub struct Outbox {
    exporters: Vec<Exporter>,
    queue: Queue,
    wait: Duration,
    proxy: Proxy,
}

impl Outbox {
    /// An outbox with a queue.
    #[must_use]
    pub const fn new(exporters: Vec<Exporter>, queue: Queue) -> Self {
        Self { exporters, queue, wait: WAIT_DEFAULT, proxy: Proxy::Environment }
    }

    /// The same with how long a run waits, once its answer is out, until what waits is sent.
    #[must_use]
    pub fn waiting(self, wait: Duration) -> Self {
        Self { wait, ..self }
    }

    /// The same with another proxy than the one that the environment names, if any.
    #[must_use]
    pub fn by(self, proxy: Proxy) -> Self {
        Self { proxy, ..self }
    }

    /// The queue.
    #[must_use]
    pub const fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Sends what waits. Nothing is lost by it: what is not taken stays.
    ///
    /// # Errors
    /// Where the queue cannot be read or no client can be made. What is wrong with the other side stands in the reports.
    pub fn send(&self, urgency: Urgency) -> Result<Vec<Report>, ExportError> {
        let mut reports = Vec::new();
        let mut wanted: Vec<&Exporter> = Vec::new();
        for exporter in &self.exporters {
            let name = exporter.name();
            if wanted.iter().any(|other| other.name() == name) || self.queue.waiting(name)?.is_empty() {
                continue;
            }
            match self.held_off(name, urgency)? {
                Some(trouble) => reports.push(self.report(name, &trouble)?),
                None => wanted.push(exporter),
            }
        }
        if wanted.is_empty() {
            return Ok(reports);
        }
        let Some(_sender) = self.queue.sender()? else {
            // Whoever sends takes along what a run has put in.
            for exporter in wanted.into_iter().filter(|_| urgency == Urgency::Flush) {
                reports.push(self.report(exporter.name(), "another program is sending")?);
            }
            return Ok(reports);
        };
        reports.extend(self.send_to(&wanted, urgency)?);
        Ok(reports)
    }

    fn send_to(&self, wanted: &[&Exporter], urgency: Urgency) -> Result<Vec<Report>, ExportError> {
        let broken = |what: String| ExportError::Internal { what };
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| broken(format!("no runtime can be started: {error}")))?;
        let mut client = None;
        if wanted.iter().any(|exporter| !matches!(exporter, Exporter::Jsonl(_))) {
            client = Some(Client::new(Timeouts::default(), self.proxy).map_err(|error| broken(error.to_string()))?);
        }
        let mut reports = Vec::new();
        let done = runtime.block_on(async {
            let all = async {
                for exporter in wanted {
                    reports.push(Sender { queue: &self.queue, exporter, client: client.as_ref() }.run().await?);
                }
                Ok(())
            };
            match urgency {
                Urgency::Flush => all.await,
                Urgency::AfterRun(within) => timeout(within, all).await.unwrap_or(Ok(())),
            }
        });
        // A name that is still being looked up is waited for by nobody.
        runtime.shutdown_background();
        done?;
        // Who was cut off in the middle has no report yet, and neither have those behind: it is no fault of theirs, so the next run tries them at once.
        for (at, exporter) in wanted.iter().skip(reports.len()).enumerate() {
            let Urgency::AfterRun(within) = urgency else { break };
            let mut why = "another exporter took all the time".to_owned();
            if at == 0 {
                why = format!("not all of it was taken within {} ms", within.as_millis());
                self.queue.later(exporter.name(), &why, None)?;
            }
            reports.push(self.report(exporter.name(), &why)?);
        }
        Ok(reports)
    }

    /// Why nothing is tried now, if so.
    fn held_off(&self, exporter: &str, urgency: Urgency) -> Result<Option<String>, ExportError> {
        let status = self.queue.status()?.exporters.into_iter().find(|status| status.exporter == exporter);
        Ok(held_off(&status.unwrap_or_default(), self.queue.now_us(), urgency))
    }

    fn report(&self, exporter: &str, trouble: &str) -> Result<Report, ExportError> {
        let waiting = self.queue.waiting(exporter)?.len() as u64;
        Ok(Report { exporter: exporter.to_owned(), waiting, trouble: Some(trouble.to_owned()), ..Report::default() })
    }

    fn take_one(&self, exporter: &Exporter, batch: &Batch) -> Result<(), ExportError> {
        let Exporter::Jsonl(file) = exporter else { return self.queue.put(exporter.name(), None, batch) };
        match jsonl::append(file, &jsonl::lines(batch)?) {
            Ok(()) => Ok(()),
            // It waits until the file can be written: that is said when it is tried again, at the end of the run.
            Err(_) => self.queue.put(exporter.name(), Some(&located(file)), batch),
        }
    }
}

impl TraceSink for Outbox {
    fn take(&self, batch: &Batch) -> Vec<String> {
        let troubles = self.exporters.iter().filter_map(|exporter| {
            let error = self.take_one(exporter, batch).err()?;
            Some(format!("{}: the trace is not kept: {error}", exporter.name()))
        });
        troubles.collect()
    }

    fn send_waiting(&self) -> Vec<String> {
        // No time to send is no failure of the other side.
        if self.wait.is_zero() {
            return Vec::new();
        }
        match self.send(Urgency::AfterRun(self.wait)) {
            Ok(reports) => reports.iter().flat_map(Report::troubles).collect(),
            Err(error) => vec![format!("traces are not sent: {error}")],
        }
    }
}

/// A path that leads to the same file from wherever the queue is flushed.
fn located(file: &Path) -> PathBuf {
    std::path::absolute(file).unwrap_or_else(|_| file.to_owned())
}

/// What came of trying some entries.
enum Tried {
    Sent(otlp::Partial),
    Never(String),
    Later(String, Option<Duration>),
}

struct Sender<'a> {
    queue: &'a Queue,
    exporter: &'a Exporter,
    client: Option<&'a Client>,
}

impl Sender<'_> {
    /// Sends the oldest entries first, until none waits or one has to wait.
    async fn run(&self) -> Result<Report, ExportError> {
        let name = self.exporter.name();
        let mut report = Report { exporter: name.to_owned(), ..Report::default() };
        // Lines go one by one, since each entry may name its own file.
        let together_max = if matches!(self.exporter, Exporter::Jsonl(_)) { 1 } else { TOGETHER_MAX };
        loop {
            let waiting = self.queue.waiting(name)?;
            if waiting.is_empty() {
                return Ok(report);
            }
            let mut read: Vec<(Entry, Queued)> = Vec::new();
            let mut bytes = 0;
            for entry in waiting.iter().take(together_max) {
                if !read.is_empty() && bytes + entry.bytes > TOGETHER_BYTES_MAX {
                    break;
                }
                match self.queue.read(entry) {
                    Ok(queued) => {
                        bytes += entry.bytes;
                        read.push((entry.clone(), queued));
                    }
                    Err(reason) => self.fail(entry, reason, &mut report)?,
                }
            }
            // What goes together fails together: one that is not taken is then found by itself.
            let together = self.some(&read).await?;
            let later = match together {
                Tried::Sent(partial) => {
                    self.sent(&read, partial, &mut report)?;
                    None
                }
                Tried::Later(why, wait) => Some((why, wait)),
                Tried::Never(reason) if read.len() == 1 => {
                    self.fail(&read[0].0, reason, &mut report)?;
                    None
                }
                Tried::Never(_) => self.one_by_one(read, &mut report).await?,
            };
            if let Some((why, wait)) = later {
                let wait_us = wait.map(|wait| u64::try_from(wait.as_micros()).unwrap_or(u64::MAX).min(WAIT_US_MAX));
                self.queue.later(name, &why, wait_us)?;
                report.waiting = self.queue.waiting(name)?.len() as u64;
                report.trouble = Some(why);
                return Ok(report);
            }
        }
    }

    async fn one_by_one(
        &self,
        read: Vec<(Entry, Queued)>,
        report: &mut Report,
    ) -> Result<Option<(String, Option<Duration>)>, ExportError> {
        for one in read {
            let one = [one];
            match self.some(&one).await? {
                Tried::Sent(partial) => self.sent(&one, partial, report)?,
                Tried::Never(reason) => self.fail(&one[0].0, reason, report)?,
                Tried::Later(why, wait) => return Ok(Some((why, wait))),
            }
        }
        Ok(None)
    }

    fn sent(&self, read: &[(Entry, Queued)], partial: otlp::Partial, report: &mut Report) -> Result<(), ExportError> {
        let entries: Vec<Entry> = read.iter().map(|(entry, _)| entry.clone()).collect();
        self.queue.sent(self.exporter.name(), &entries, partial.rejected_spans)?;
        report.sent += entries.len() as u64;
        report.rejected_spans += partial.rejected_spans;
        if !partial.message.is_empty() {
            report.said = Some(crate::send::shown(&partial.message));
        }
        Ok(())
    }

    fn fail(&self, entry: &Entry, reason: String, report: &mut Report) -> Result<(), ExportError> {
        self.queue.fail(entry, &reason)?;
        report.failed += 1;
        report.said = Some(reason);
        Ok(())
    }

    /// Sends some entries.
    async fn some(&self, read: &[(Entry, Queued)]) -> Result<Tried, ExportError> {
        let batches: Vec<&Batch> = read.iter().map(|(_, queued)| &queued.batch).collect();
        if batches.is_empty() {
            return Ok(Tried::Sent(otlp::Partial::default()));
        }
        match (self.exporter, self.client) {
            (Exporter::Jsonl(_), _) => self.lines(read),
            (Exporter::Opik(own), Some(client)) => to_opik(client, own, &batches).await,
            (Exporter::Otlp(own), Some(client)) => Ok(to_otlp(client, own, &batches).await),
            (_, None) => Err(ExportError::Internal { what: "no client was made".to_owned() }),
        }
    }

    /// Writes the lines of an entry to the file that it names.
    fn lines(&self, read: &[(Entry, Queued)]) -> Result<Tried, ExportError> {
        for (_, queued) in read {
            let Some(file) = &queued.file else { return Ok(Tried::Never("the entry names no file".to_owned())) };
            if let Err(error) = jsonl::append(Path::new(file), &jsonl::lines(&queued.batch)?) {
                return Ok(Tried::Later(error.to_string(), None));
            }
        }
        Ok(Tried::Sent(otlp::Partial::default()))
    }
}

async fn to_opik(client: &Client, own: &Opik, batches: &[&Batch]) -> Result<Tried, ExportError> {
    let headers = [("Comet-Workspace", own.workspace.as_str())];
    for one in opik::calls(batches, &own.project)? {
        match call(client, &own.url, &headers, &own.credentials, &own.secrets, &one).await {
            Came::Taken(_) => {}
            Came::Never(reason) => return Ok(Tried::Never(reason)),
            Came::Later { why, wait } => return Ok(Tried::Later(why, wait)),
        }
    }
    Ok(Tried::Sent(otlp::Partial::default()))
}

async fn to_otlp(client: &Client, own: &Otlp, batches: &[&Batch]) -> Tried {
    let body = otlp::request(batches, &own.resource);
    let one = Call { method: Method::Post, path: "", content_type: otlp::CONTENT_TYPE, body };
    match call(client, &own.url, &[], &own.credentials, &own.secrets, &one).await {
        Came::Taken(body) => {
            let partial = otlp::partial(&body);
            Tried::Sent(otlp::Partial { message: own.secrets.hide(&partial.message), ..partial })
        }
        Came::Never(reason) => Tried::Never(reason),
        Came::Later { why, wait } => Tried::Later(why, wait),
    }
}

/// Why nothing is tried now, if so. A clock that was set back holds nothing off for ever: what lies further ahead than anybody could have asked for is
/// passed over.
fn held_off(status: &ExporterStatus, now_us: u64, urgency: Urgency) -> Option<String> {
    let until =
        status.not_before.as_deref().and_then(micros).filter(|until| *until > now_us && until - now_us <= WAIT_US_MAX);
    if until.is_some() {
        return Some(format!("asks to be left alone until {}", status.not_before.clone().unwrap_or_default()));
    }
    let last = status.last_failure.as_ref().filter(|_| urgency != Urgency::Flush)?;
    let doublings = status.tries_failed.saturating_sub(1).min(HOLD_OFF_DOUBLINGS_MAX);
    let since_us = now_us.checked_sub(micros(&last.at)?)?;
    (since_us < HOLD_OFF_US << doublings).then(|| format!("{} (at {})", last.what, last.at))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use steadfast_engine::store::rfc3339;
    use steadfast_wire::trace::{ExportFailure, ExporterStatus};

    use super::{HOLD_OFF_US, Urgency, WAIT_US_MAX, held_off};

    const NOW_US: u64 = 1_800_000_000_000_000;
    const RUN: Urgency = Urgency::AfterRun(Duration::from_secs(1));

    #[test]
    fn a_failure_holds_runs_off_and_no_flush() {
        let held = |at_us: u64, tries_failed: u64, urgency| {
            let last_failure = Some(ExportFailure { at: rfc3339(at_us), what: "down".to_owned() });
            let status = ExporterStatus { tries_failed, last_failure, ..ExporterStatus::default() };
            held_off(&status, NOW_US, urgency).is_some()
        };
        assert!(held(NOW_US, 1, RUN) && held(NOW_US - HOLD_OFF_US + 1_000, 1, RUN));
        assert!(!held(NOW_US - HOLD_OFF_US, 1, RUN) && held(NOW_US - HOLD_OFF_US, 2, RUN));
        assert!(held(NOW_US - 16 * HOLD_OFF_US + 1_000, 99, RUN) && !held(NOW_US - 16 * HOLD_OFF_US, 99, RUN));
        assert!(!held(NOW_US, 1, Urgency::Flush));
        // The clock was set back.
        assert!(!held(NOW_US + 1_000, 1, RUN));
    }

    #[test]
    fn whoever_asks_to_be_left_alone_is() {
        let held = |until_us: u64, urgency| {
            let status = ExporterStatus { not_before: Some(rfc3339(until_us)), ..ExporterStatus::default() };
            held_off(&status, NOW_US, urgency)
        };
        let said = held(NOW_US + 1_000, Urgency::Flush).unwrap();
        assert_eq!(said, "asks to be left alone until 2027-01-15T08:00:00.001Z");
        assert!(held(NOW_US + WAIT_US_MAX, RUN).is_some());
        assert!(held(NOW_US, RUN).is_none() && held(NOW_US + WAIT_US_MAX + 1_000, RUN).is_none());
    }
}
