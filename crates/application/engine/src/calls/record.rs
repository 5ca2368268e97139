//! The record of a call: what was asked for, what came of it, how long it took.

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_wire::Run;
use steadfast_wire::trace::{Batch, Trace};

use super::{Host, Refusal, blocking};
use crate::intake::File;
use crate::runs::{Asked, Outcome, Recorder};
use crate::trace::About;

/// The exit statuses of the commands of the same names, by which runs are listed.
pub(super) const PASSED: u8 = 0;
pub(super) const FAILED: u8 = 1;
pub(super) const NOT_EVALUABLE: u8 = 3;

/// What a result must be to pass. Gates are functions of a result, apart from it; `()` asks for nothing.
pub trait GateSet<T>: Send + Sync {
    /// The gates, as settings of the run.
    fn settings(&self, asked: Asked) -> Asked {
        asked
    }

    /// The gates that the result does not pass, in words, in a fixed order.
    fn failures(&self, result: &T) -> Vec<String> {
        let _ = result;
        Vec::new()
    }
}

impl<T> GateSet<T> for () {}

/// Begins a record of a call, where the host keeps any or exports traces.
pub(super) fn begin(host: &dyn Host) -> Result<Option<Recorder>, Refusal> {
    let recorder = match host.store() {
        Some(store) => Some(Recorder::begin(store)),
        None => host.traces().map(|traces| Recorder::timed(traces.clock)),
    };
    Ok(recorder.transpose()?)
}

/// The time since the last mark was spent on this part of the work.
pub(super) fn mark(recorder: &mut Option<Recorder>, span: &str) {
    if let Some(recorder) = recorder {
        recorder.mark(span);
    }
}

/// An outcome, with the texts that it is about where this host keeps them: the console shows quotes in their places.
pub(super) fn outcome_with(
    host: &Arc<dyn Host>,
    outcome: Outcome,
    texts: impl FnOnce() -> BTreeMap<String, String>,
) -> Outcome {
    if host.keeps_texts() { outcome.with_texts(texts()) } else { outcome }
}

/// The text of a file by its name; nothing where it is not UTF-8.
pub(super) fn text_of(file: &File) -> BTreeMap<String, String> {
    std::str::from_utf8(&file.bytes).map(|text| (file.name.clone(), text.to_owned())).into_iter().collect()
}

/// Keeps a record of a call, where the host keeps any: it is on the disk when this returns. Where traces are exported, this call's is, when nobody
/// waits for it.
pub(super) async fn keep(
    host: &Arc<dyn Host>,
    recorder: Option<Recorder>,
    asked: Asked,
    outcome: Outcome,
    exit_status: u8,
    trace: impl FnOnce(&About<'_>) -> Trace,
) -> Result<Option<Run>, Refusal> {
    let Some(mut recorder) = recorder else { return Ok(None) };
    let (stored, timing) = (recorder.store().is_some(), recorder.stop());
    let traces = host.traces().map(|traces| {
        let about = About { timing: &timing, asked: &asked, exit_status, stored, capture: traces.capture };
        (Batch { traces: vec![trace(&about)], experiment: None }, traces)
    });
    let own = Arc::clone(host);
    blocking(host, move || {
        let run = recorder.end(&asked, outcome, exit_status)?;
        if let Some((batch, traces)) = traces {
            traces.sink.take(&batch).iter().for_each(|trouble| own.warn(trouble));
            if traces.sends {
                // The call does not wait until it is sent.
                let noting = Arc::clone(&own);
                let sink = traces.sink;
                own.spawn(Box::new(move || sink.send_waiting().iter().for_each(|trouble| noting.warn(trouble))));
            }
        }
        Ok(run)
    })
    .await
}
