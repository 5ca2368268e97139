//! The calls that follow agents through logs.

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_dialogue::Role;
use steadfast_wire::audit::Judge;
use steadfast_wire::request::{self, EmbedderChoice, Source, WatchStep};
use steadfast_wire::watch::{Aggregate, Comparison, Watch};
use steadfast_wire::{begins_a_result, from_json, to_json_line};

use super::record::{PASSED, begin, keep, mark, outcome_with, text_of};
use super::source::file;
use super::{Host, Refusal, Stopped, UseCase, blocking};
use crate::EngineError;
use crate::embedder::Embedder;
use crate::intake::{self, File};
use crate::runs::{Asked, Outcome, Recorder, input};
use crate::store::EmbeddingStore;
use crate::trace::{self, About};
use crate::watch::{Arm, WatchRequest, Watcher, alerting, compare};

/// The role of the chat model that is asked about steps.
const ROLES: [Role; 1] = [Role::Watch];

/// What a log is called that comes without a file.
const LOG_NAME: &str = "steps.jsonl";

/// What the arms are called by default.
const ARM_NAMES: [&str; 2] = ["a.jsonl", "b.jsonl"];

/// Steps or a log as a file: exactly one of the two.
async fn log_file(
    host: &Arc<dyn Host>,
    name: &str,
    steps: Option<Vec<WatchStep>>,
    log: Option<Source>,
) -> Result<File, Refusal> {
    match (steps, log) {
        (Some(_), Some(_)) => Err(Refusal::input("`steps` and `log` are both given").hint("give one of them")),
        (None, None) => Err(Refusal::input("nothing is given to watch").hint("give one of `steps` and `log`")),
        (None, Some(log)) => file(host, log, |text| File::of(name, text)).await,
        (Some(steps), None) => {
            let lines: Result<String, _> = steps.iter().map(to_json_line).collect();
            let lines = lines.map_err(|error| Refusal::fault(error.to_string()))?;
            Ok(File::of(name, lines))
        }
    }
}

/// Scores the steps of a log. `stopped` is asked between two pieces of it.
///
/// # Errors
/// [`Refusal`]: what [`Watcher`] refuses, an embedder that is not there, or a record that cannot be kept.
pub async fn watch(host: &Arc<dyn Host>, request: request::Watch, stopped: &Stopped) -> Result<Watch, Refusal> {
    let request::Watch { steps, log, intents, embedder: choice, aggregate, alert, judge } = request;
    if let Some(alert) = alert.filter(|alert| !(0.0..=1.0).contains(alert)) {
        return Err(Refusal::input(format!("`alert` is {alert}: scores lie between 0 and 1")));
    }
    let judge = judge.unwrap_or(Judge::Rules);
    let desk = match judge {
        Judge::Rules => None,
        Judge::Both => Some(host.chat_models(&ROLES)?.ok_or(EngineError::NoModel)?),
    };
    let mut recorder = begin(&**host)?;
    let log = log_file(host, LOG_NAME, steps, log).await?;
    let (own, choice) = (Arc::clone(host), choice.unwrap_or(EmbedderChoice::Minilm));
    let embedder = blocking(host, move || own.embedder(choice)).await?;
    let aggregate = aggregate.unwrap_or(Aggregate::Whole);
    let asked = Asked::watch(vec![input(&log)], aggregate, alert).with("judge", judge.name());
    let alert = alerting(alert, None, (embedder.name(), embedder.version()), aggregate)?;
    let intents = intents.unwrap_or_default().into_iter().collect();
    let vectors = vectors(recorder.as_ref());
    mark(&mut recorder, "load");
    let keep_texts = judge == Judge::Both;
    let request = WatchRequest { aggregate, alert, intents, keep_steps: true, keep_texts };
    let mut watcher = Watcher::new(embedder, vectors, request);
    watcher.follow(&log, || stopped.is_stopped()).await?;
    let mut watch = watcher.finish_by(judge, &log.name, desk.as_deref()).await?;
    mark(&mut recorder, "watch");
    let outcome = outcome_with(host, Outcome::watch(&watch)?, || text_of(&log));
    let steps: usize = watch.trajectories.iter().map(|own| own.steps.len()).sum();
    let trace = |about: &About<'_>| trace::watch(&watch, &[], steps, about);
    watch.run = keep(host, recorder, asked, outcome, PASSED, trace).await?;
    Ok(watch)
}

/// The vectors of the store, where there is one.
fn vectors(recorder: Option<&Recorder>) -> Option<Arc<dyn EmbeddingStore>> {
    recorder.and_then(Recorder::store).map(|store| -> Arc<dyn EmbeddingStore> { store })
}

impl UseCase for request::Watch {
    async fn answer(self, host: Arc<dyn Host>, stopped: Stopped) -> Result<Watch, Refusal> {
        watch(&host, self, &stopped).await
    }
}

/// Compares two arms on the same tasks. `stopped` is asked between two pieces of their logs.
///
/// # Errors
/// [`Refusal`]: what [`Watcher`] and [`compare`] refuse, an embedder that is not there, or a record that cannot be kept.
pub async fn watch_compare(
    host: &Arc<dyn Host>,
    request: request::WatchCompare,
    stopped: &Stopped,
) -> Result<Comparison, Refusal> {
    let request::WatchCompare { a, b, intents, embedder: choice, aggregate } = request;
    let (choice, aggregate) = (choice.unwrap_or(EmbedderChoice::Minilm), aggregate.unwrap_or(Aggregate::Whole));
    let intents: BTreeMap<String, String> = intents.unwrap_or_default();
    let mut logs = Vec::with_capacity(2);
    for (arm, name) in [a, b].into_iter().zip(ARM_NAMES) {
        let request::Arm { name: own, steps, log } = arm;
        logs.push(log_file(host, own.as_deref().unwrap_or(name), steps, log).await?);
    }
    let recorder = begin(&**host)?;
    let vectors = vectors(recorder.as_ref());
    // Two results that were kept need no embedder.
    let mut embedder: Option<Arc<dyn Embedder>> = None;
    let mut watches = Vec::with_capacity(2);
    for log in &logs {
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
        let request = WatchRequest { aggregate, alert, intents, keep_steps: true, keep_texts: false };
        let mut watcher = Watcher::new(own, vectors.clone(), request);
        watcher.follow(log, || stopped.is_stopped()).await?;
        watches.push(watcher.finish(&log.name)?);
    }
    let arm = |at: usize| Arm { name: &logs[at].name, watch: &watches[at] };
    let mut comparison = compare(arm(0), arm(1))?;
    let asked = Asked::watch(logs.iter().map(input).collect(), aggregate, None);
    let outcome = Outcome::watch_compare(&comparison)?;
    let trace = |about: &About<'_>| trace::watch_compare(&comparison, about);
    comparison.run = keep(host, recorder, asked, outcome, PASSED, trace).await?;
    Ok(comparison)
}

/// A result of `watch` that was kept; `None` where the file is a log.
fn saved(log: &File) -> Result<Option<Watch>, Refusal> {
    if !begins_a_result(&log.bytes) {
        return Ok(None);
    }
    let text = intake::text(&log.name, log)?;
    let text = text.as_ref();
    let read =
        from_json(text).map_err(|error| Refusal::input(format!("{}: is no result of `watch`: {error}", log.name)));
    read.map(Some)
}

impl UseCase for request::WatchCompare {
    async fn answer(self, host: Arc<dyn Host>, stopped: Stopped) -> Result<Comparison, Refusal> {
        watch_compare(&host, self, &stopped).await
    }
}
