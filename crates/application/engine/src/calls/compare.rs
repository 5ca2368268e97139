//! The call that compares two arms.

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_wire::tools::EmbedderChoice;
use steadfast_wire::watch::{Aggregate, Comparison, Watch};
use steadfast_wire::{begins_a_result, from_json};

use super::{Host, PASSED, Refusal, begin, blocking, kept};
use crate::embedder::Embedder;
use crate::intake::{self, File};
use crate::runs::{Asked, Outcome, Recorder, input};
use crate::store::EmbeddingStore;
use crate::trace;
use crate::watch::{Arm, WatchRequest, Watcher, alerting, compare};

/// Two arms, and how their steps are scored.
#[derive(Clone, Debug)]
pub struct CompareCall {
    /// The log of the one arm, or a result that was kept.
    pub a: File,
    /// The log of the other.
    pub b: File,
    /// What makes vectors of the texts.
    pub embedder: EmbedderChoice,
    /// What of a long output is compared with the goal.
    pub aggregate: Aggregate,
    /// The initial intent of tasks, by task id.
    pub intents: BTreeMap<String, String>,
}

/// Compares two arms on the same tasks. `stopped` is asked between two pieces of their logs.
///
/// # Errors
/// [`Refusal`]: what [`Watcher`] and [`compare`] refuse, an embedder that is not there, or a record that cannot be kept.
pub async fn watch_compare(
    host: &Arc<dyn Host>,
    call: CompareCall,
    stopped: impl Fn() -> bool + Send + Sync,
) -> Result<Comparison, Refusal> {
    let CompareCall { a, b, embedder: choice, aggregate, intents } = call;
    let recorder = begin(&**host)?;
    let store = recorder.as_ref().and_then(Recorder::store);
    let vectors = store.map(|store| -> Arc<dyn EmbeddingStore> { store });
    // Two results that were kept need no embedder.
    let mut embedder: Option<Arc<dyn Embedder>> = None;
    let mut watches = Vec::with_capacity(2);
    for log in [&a, &b] {
        if let Some(saved) = saved(log)? {
            watches.push(saved);
            continue;
        }
        let own = match &embedder {
            Some(embedder) => Arc::clone(embedder),
            None => {
                let own = Arc::clone(host);
                Arc::clone(embedder.insert(blocking(host, move || own.embedder(choice)).await?))
            }
        };
        let alert = alerting(None, None, (own.name(), own.version()), aggregate)?;
        let intents = intents.clone().into_iter().collect();
        let request = WatchRequest { aggregate, alert, intents, keep_steps: true, rules: host.rules() };
        let mut watcher = Watcher::new(own, vectors.clone(), request);
        watcher.follow(log, &stopped).await?;
        watches.push(watcher.finish(&log.name)?);
    }
    let (of_a, of_b) = (Arm { name: &a.name, watch: &watches[0] }, Arm { name: &b.name, watch: &watches[1] });
    let mut comparison = compare(of_a, of_b)?;
    let asked = Asked::watch(vec![input(&a), input(&b)], aggregate, None);
    let outcome = Outcome::watch_compare(&comparison)?;
    let told = |about: &trace::About<'_>| trace::watch_compare(&comparison, about);
    comparison.run = kept(host, recorder, asked, outcome, PASSED, told).await?;
    Ok(comparison)
}

/// A result of `watch` that was kept; `None` where it is a log.
fn saved(log: &File) -> Result<Option<Watch>, Refusal> {
    if !begins_a_result(&log.bytes) {
        return Ok(None);
    }
    let text = intake::text(&log.name, log)?;
    let read =
        from_json(text).map_err(|error| Refusal::input(format!("{}: is no result of `watch`: {error}", log.name)));
    read.map(Some)
}
