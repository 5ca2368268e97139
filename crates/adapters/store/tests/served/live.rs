//! Trajectories under way: the same scores as `watch`, whatever way and in whatever pieces steps come.

use std::collections::HashMap;
use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;

use proptest::prelude::*;
use steadfast_embed::{Embedder, Lexical};
use steadfast_engine::live::{LOG_NAME, Live, LiveSettings, NewSteps, TrajectoryFilter};
use steadfast_engine::store::Keep;
use steadfast_engine::watch::{WatchRequest, Watcher, alerting};
use steadfast_engine::{EngineError, File};
use steadfast_store::Store;
use steadfast_wire::live::{LiveStep, StepsTaken};
use steadfast_wire::watch::{Aggregate, Watch};
use steadfast_wire::{to_json, to_json_line};

/// Waits on this thread.
fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::yield_now(),
        }
    }
}

/// Takes steps as a door does.
trait Take {
    fn take(
        &self,
        trajectory: &str,
        steps: Vec<LiveStep>,
        key: Option<&str>,
        score: bool,
    ) -> Result<StepsTaken, EngineError>;
}

impl Take for Live {
    fn take(
        &self,
        trajectory: &str,
        steps: Vec<LiveStep>,
        key: Option<&str>,
        score: bool,
    ) -> Result<StepsTaken, EngineError> {
        let steps = NewSteps::of(trajectory, steps, key)?;
        if score {
            // Whoever cannot have scores is told before anything is kept.
            self.ready()?;
        }
        let taken = self.taken(self.begin(steps, !score))?;
        if score { self.with_scores(taken) } else { Ok(taken) }
    }
}

fn open(file: &Path, settings: LiveSettings) -> Live {
    let store: Arc<dyn Keep> = Arc::new(Store::open(file).unwrap());
    Live::new(store, settings, Box::new(|| Ok(Arc::new(Lexical))), Box::new(|_| {}))
}

/// What `steadfast watch` gives for a file of these steps.
fn watched(id: &str, steps: &[LiveStep], settings: LiveSettings) -> Result<Watch, EngineError> {
    let line = |step: &LiveStep| {
        let named = LiveStep { task_id: Some(id.to_owned()), parent: None, ..step.clone() };
        to_json_line(&named).unwrap()
    };
    let log = File { name: LOG_NAME.to_owned(), bytes: steps.iter().map(line).collect::<String>().into_bytes() };
    let embedder: Arc<dyn Embedder> = Arc::new(Lexical);
    let alert = alerting(settings.alert, None, (embedder.name(), embedder.version()), settings.aggregate)?;
    let (aggregate, intents) = (settings.aggregate, HashMap::new());
    let request = WatchRequest { aggregate, alert, intents, keep_steps: true, keep_texts: false };
    let mut watcher = Watcher::new(embedder, None, request);
    wait(watcher.follow(&log, || false))?;
    watcher.finish(LOG_NAME)
}

fn json<T: serde::Serialize>(value: &T) -> String {
    to_json(value).unwrap()
}

fn step(prompt: &str, output: &str) -> LiveStep {
    LiveStep { prompt: Some(prompt.to_owned()), output: Some(output.to_owned()), ..LiveStep::default() }
}

/// A run whose goal moves, that leaves it in the end, breaks a ban, and of which some steps have no text or no instruction.
fn drifting(count: usize) -> Vec<LiveStep> {
    let goal = "Plan a seed library for the allotments of our town. Do not use blockchain.";
    let mut steps =
        vec![LiveStep { initial_intent: Some(goal.to_owned()), ..step(goal, "The seed library opens in spring.") }];
    for number in 1..count {
        let prompt = format!("Write section {} of the plan for the seed library.", number / 3);
        let output = match number % 7 {
            3 => None,
            5 => Some(String::new()),
            _ if number > count * 2 / 3 => Some(format!("Tokens on a blockchain {number} reward traders of coins.")),
            _ => Some(format!("Section {number}: members of the seed library lend and return seeds.")),
        };
        steps.push(LiveStep { prompt: (number % 4 != 2).then_some(prompt), output, ..LiveStep::default() });
    }
    steps
}

fn followed() -> LiveSettings {
    LiveSettings { alert: Some(0.5), ..LiveSettings::default() }
}

#[test]
fn the_whole_document_is_that_of_watch_to_the_byte() {
    for settings in [LiveSettings::default(), followed(), LiveSettings { keep_vectors: true, ..followed() }] {
        for aggregate in [Aggregate::Whole, Aggregate::MaxSentence] {
            let settings = LiveSettings { aggregate, ..settings };
            let folder = tempfile::tempdir().unwrap();
            let live = open(&folder.path().join("s.db"), settings);
            let steps = drifting(60);
            for chunk in steps.chunks(7) {
                live.take("t-1", chunk.to_vec(), None, true).unwrap();
            }
            let own = watched("t-1", &steps, settings).unwrap();
            assert!(own.trajectories[0].onset.is_some() && !own.trajectories[0].alerts.is_empty());
            assert_eq!(json(&live.watch("t-1").unwrap()), json(&own));
        }
    }
}

#[test]
fn a_server_that_is_ended_after_every_request_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.db");
    let steps = drifting(24);
    for (place, step) in steps.iter().enumerate() {
        let live = open(&file, followed());
        let taken = live.take("t", vec![step.clone()], None, place % 3 != 1).unwrap();
        assert_eq!((taken.steps[0].number, taken.steps[0].scores.is_some()), (place as u64, place % 3 != 1));
    }
    let live = open(&file, followed());
    assert_eq!(live.backlog().unwrap(), 0, "who asks for scores has those before it made");
    assert_eq!(json(&live.watch("t").unwrap()), json(&watched("t", &steps, followed()).unwrap()));
}

#[test]
fn steps_of_several_agents_are_trajectories_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let live = open(&folder.path().join("s.db"), followed());
    let steps: Vec<LiveStep> = drifting(30)
        .into_iter()
        .enumerate()
        .map(|(place, step)| LiveStep {
            agent: [None, Some("b"), Some("a"), Some("a")][place % 4].map(str::to_owned),
            // Numbers that go back are noted, with the line of the step.
            step: (place % 5 == 4).then_some(2),
            ..step
        })
        .collect();
    live.take("t", steps.clone(), None, false).unwrap();
    let own = watched("t", &steps, followed()).unwrap();
    assert!(own.trajectories.len() == 3 && own.problems.len() > 1, "{:?}", own.problems);
    assert_eq!(json(&live.watch("t").unwrap()), json(&own));
    assert_eq!(live.trajectory("t").unwrap().agents, 3);
}

#[test]
fn what_has_no_text_is_not_evaluable() {
    let folder = tempfile::tempdir().unwrap();
    let live = open(&folder.path().join("s.db"), followed());
    let silent = vec![LiveStep { prompt: Some("Find it.".to_owned()), ..LiveStep::default() }];
    let taken = live.take("t", silent.clone(), None, true).unwrap();
    assert!(taken.steps[0].scores.as_ref().is_some_and(|scores| scores.no_text && scores.ids.is_none()));
    let own = watched("t", &silent, followed()).unwrap_err();
    assert_eq!(live.watch("t").unwrap_err(), own);
    assert_eq!(live.watch("none").unwrap_err(), EngineError::NoTrajectory { id: "none".to_owned() });
}

/// A server with its thread, and what it was told of.
struct Serving {
    live: Arc<Live>,
    told: Receiver<String>,
    thread: Option<thread::JoinHandle<Result<(), EngineError>>>,
}

impl Serving {
    fn begin(file: &Path) -> Self {
        let store: Arc<dyn Keep> = Arc::new(Store::open(file).unwrap());
        let (tell, told) = channel();
        let tell = Mutex::new(tell);
        let live = Arc::new(Live::new(
            store,
            followed(),
            Box::new(|| Ok(Arc::new(Lexical))),
            Box::new(move |id| drop(tell.lock().unwrap().send(id.to_owned()))),
        ));
        let own = Arc::clone(&live);
        Self { live, told, thread: Some(thread::spawn(move || own.work_off())) }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.live.stop();
        let end = self.thread.take().unwrap().join().unwrap();
        assert_eq!(end, Ok(()));
    }
}

#[test]
fn steps_that_nobody_waits_for_are_scored_in_the_background_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let serving = Serving::begin(&folder.path().join("s.db"));
    let steps = drifting(600);
    let live = &serving.live;
    for chunk in steps.chunks(50) {
        for id in ["a", "b"] {
            let taken = live.take(id, chunk.to_vec(), None, false).unwrap();
            assert!(taken.steps.iter().all(|step| step.scores.is_none()) && taken.goals.is_empty());
        }
    }
    // Events are read after each change, from where the reader was: none is missing, none comes twice.
    let mut seen: HashMap<String, Vec<u64>> = HashMap::new();
    while seen.values().map(Vec::len).sum::<usize>() < 1_200 {
        let id = serving.told.recv().unwrap();
        let own = seen.entry(id.clone()).or_default();
        loop {
            let events = live.events(&id, own.last().copied(), 64).unwrap();
            if events.is_empty() {
                break;
            }
            own.extend(events.iter().map(|event| event.number));
        }
    }
    let all: Vec<u64> = (0..600).collect();
    assert_eq!(seen, HashMap::from([("a".to_owned(), all.clone()), ("b".to_owned(), all)]));
    assert_eq!(live.backlog().unwrap(), 0);
    assert_eq!(json(&live.watch("a").unwrap()), json(&watched("a", &steps, followed()).unwrap()));
    let head = live.trajectory("b").unwrap();
    assert_eq!((head.steps, head.scored), (600, 600));
    assert!(head.of_steps >= 550 && head.alerts > 0 && head.mean_ids.is_some(), "{head:?}");
}

#[test]
fn what_was_left_unscored_is_scored_by_whoever_starts_next() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.db");
    open(&file, followed()).take("t", drifting(300), None, false).unwrap();
    let serving = Serving::begin(&file);
    while serving.live.backlog().unwrap() > 0 {
        serving.told.recv().unwrap();
    }
    assert_eq!(serving.live.events("t", Some(298), 9).unwrap().len(), 1);
}

#[test]
fn a_page_has_the_steps_with_their_scores_and_goals() {
    let folder = tempfile::tempdir().unwrap();
    let live = open(&folder.path().join("s.db"), followed());
    let steps = drifting(30);
    live.take("t", steps[..20].to_vec(), None, true).unwrap();
    live.take("t", steps[20..].to_vec(), None, false).unwrap();
    let own = watched("t", &steps[..20], followed()).unwrap();
    let page = live.page("t", Some(10), 15).unwrap();
    assert_eq!((page.steps.len(), page.steps[0].number, page.next_cursor), (15, 10, Some(25)));
    for kept in &page.steps {
        let given = &steps[kept.number as usize];
        assert_eq!((&kept.prompt, &kept.output), (&given.prompt, &given.output));
        let scores = kept.scores.clone().map(|scores| {
            let goal = page.goals[&scores.goal_from].clone();
            scores.with_goal(goal)
        });
        let expect = own.trajectories[0].steps.get(kept.number as usize);
        assert_eq!(scores.as_ref().map(json), expect.map(json), "{}", kept.number);
    }
    assert_eq!(live.page("t", Some(25), 15).unwrap().next_cursor, None);
    assert_eq!(live.page("t", Some(99), 15).unwrap().steps, []);
    assert_eq!(live.events("t", None, 100).unwrap().len(), 20);
    assert_eq!(live.events("t", Some(u64::MAX), 100).unwrap(), []);
    // Long texts end a page early, and one step is always there.
    let long = "x".repeat(900_000);
    live.take("long", vec![step("p", &long), step("p", &long), step("p", "end")], None, false).unwrap();
    let first = live.page("long", None, 10).unwrap();
    assert_eq!((first.steps.len(), first.next_cursor), (1, Some(1)));
    assert_eq!(live.page("long", first.next_cursor, 10).unwrap().steps.len(), 2);
}

#[test]
fn trajectories_are_listed_page_by_page() {
    let folder = tempfile::tempdir().unwrap();
    let live = open(&folder.path().join("s.db"), followed());
    for number in 0..7 {
        live.take(&format!("t {number}"), vec![step("Find it.", "Here.")], None, false).unwrap();
    }
    let mut seen = Vec::new();
    let mut cursor = None;
    loop {
        let page = live.list(TrajectoryFilter::default(), cursor.as_deref(), 3).unwrap();
        seen.extend(page.trajectories.into_iter().map(|head| head.id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    seen.sort();
    assert_eq!(seen, ["t 0", "t 1", "t 2", "t 3", "t 4", "t 5", "t 6"]);
    let error = live.list(TrajectoryFilter::default(), Some("odd"), 3).unwrap_err();
    assert_eq!(error, EngineError::Cursor { cursor: "odd".to_owned() });
    let long = TrajectoryFilter { search: Some("x".repeat(257)), ..TrajectoryFilter::default() };
    assert!(matches!(live.list(long, None, 3), Err(EngineError::Search { .. })));
    live.delete("t 3").unwrap();
    assert_eq!(live.delete("t 3").unwrap_err(), EngineError::NoTrajectory { id: "t 3".to_owned() });
    live.take("t 3", vec![step("Find it.", "Here.")], None, true).unwrap();
    assert_eq!(live.trajectory("t 3").unwrap().steps, 1, "it begins anew");
}

fn ids(taken: &StepsTaken) -> Vec<&str> {
    taken.steps.iter().map(|step| step.id.as_str()).collect()
}

#[test]
fn a_request_that_is_sent_again_is_answered_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.db");
    let live = open(&file, followed());
    let steps = drifting(12);
    let first = live.take("t", steps.clone(), Some("key-1"), true).unwrap();
    live.take("t", vec![step("p", "more")], None, true).unwrap();
    assert_eq!(json(&live.take("t", steps.clone(), Some("key-1"), true).unwrap()), json(&first));
    let without = live.take("t", steps.clone(), Some("key-1"), false).unwrap();
    assert_eq!(ids(&without), ids(&first));
    let other = live.take("t", steps[1..].to_vec(), Some("key-1"), true).unwrap_err();
    assert_eq!(other, EngineError::KeyReused { key: "key-1".to_owned() });
    drop(live);
    let live = open(&file, followed());
    assert_eq!(json(&live.take("t", steps.clone(), Some("key-1"), true).unwrap()), json(&first));
    assert_eq!(live.trajectory("t").unwrap().steps, 13);
    // At the same time, too.
    let answers: Vec<String> = thread::scope(|scope| {
        let ask = || json(&live.take("u", steps.clone(), Some("key-1"), true).unwrap());
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        asked.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(live.trajectory("u").unwrap().steps, 12);
}

#[test]
fn many_at_a_time_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let live = open(&folder.path().join("s.db"), followed());
    thread::scope(|scope| {
        for caller in 0..8 {
            let live = &live;
            scope.spawn(move || {
                for number in 0..20 {
                    let score = number % 2 == 0;
                    let id = format!("t{}", (caller + number) % 3);
                    let taken =
                        live.take(&id, vec![step("Find it.", &format!("{caller}/{number}"))], None, score).unwrap();
                    assert_eq!(taken.steps[0].scores.is_some(), score);
                }
            });
        }
    });
    let mut outputs: Vec<String> = Vec::new();
    for id in ["t0", "t1", "t2"] {
        let page = live.page(id, None, 1_000).unwrap();
        let numbers: Vec<u64> = page.steps.iter().map(|step| step.number).collect();
        assert_eq!(numbers, (0..page.trajectory.steps).collect::<Vec<_>>());
        outputs.extend(page.steps.into_iter().filter_map(|step| step.output));
    }
    outputs.sort();
    outputs.dedup();
    assert_eq!(outputs.len(), 160);
}

#[test]
fn scores_of_other_settings_are_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.db");
    let steps = drifting(20);
    let before = open(&file, LiveSettings::default());
    before.take("t", steps.clone(), None, true).unwrap();
    let scorer = before.trajectory("t").unwrap().scorer.unwrap();
    drop(before);
    let other = LiveSettings { aggregate: Aggregate::MaxSentence, ..followed() };
    let live = open(&file, other);
    assert_eq!(json(&live.watch("t").unwrap()), json(&watched("t", &steps, other).unwrap()));
    let head = live.trajectory("t").unwrap();
    assert!(head.scorer.as_ref().is_some_and(|own| *own != scorer) && head.scored == 20, "{head:?}");
}

#[test]
fn what_cannot_be_taken_is_refused_and_nothing_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let live = open(&folder.path().join("s.db"), followed());
    let small = || vec![step("p", "o")];
    let steps = |result: Result<StepsTaken, EngineError>| matches!(result, Err(EngineError::Steps { .. }));
    let large = |result: Result<StepsTaken, EngineError>| matches!(result, Err(EngineError::StepsTooLarge { .. }));
    for name in ["", "a\nb", &"x".repeat(513)] {
        assert!(steps(live.take(name, small(), None, false)), "{name}");
    }
    for key in ["", "a b", "é", &"x".repeat(257)] {
        assert!(steps(live.take("t", small(), Some(key), false)), "{key}");
    }
    assert!(steps(live.take("t", Vec::new(), None, false)));
    assert!(steps(live.take("t", vec![LiveStep::default(); 1_001], None, false)));
    let other = LiveStep { task_id: Some("u".to_owned()), ..LiveStep::default() };
    assert!(steps(live.take("t", vec![LiveStep::default(), other], None, false)));
    let named = LiveStep { agent: Some("\u{7}".to_owned()), ..LiveStep::default() };
    assert!(steps(live.take("t", vec![named], None, false)));
    let output = |bytes: usize| vec![LiveStep { output: Some("x".repeat(bytes)), ..LiveStep::default() }];
    let prompt = |bytes: usize| vec![LiveStep { prompt: Some("x".repeat(bytes)), ..LiveStep::default() }];
    assert!(large(live.take("t", output(1_048_577), None, false)));
    assert!(large(live.take("t", prompt(262_145), None, false)));
    assert_eq!(live.trajectory("t").unwrap_err(), EngineError::NoTrajectory { id: "t".to_owned() });
    live.take(&"x".repeat(512), output(1_048_576), Some(&"x".repeat(256)), false).unwrap();
    live.take("t", prompt(262_144), None, false).unwrap();
    live.take("u", vec![LiveStep::default(); 1_000], None, false).unwrap();
}

#[test]
fn without_an_embedder_steps_are_kept_and_scores_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Keep> = Arc::new(Store::open(&folder.path().join("s.db")).unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&asked);
    let load = move || -> Result<Arc<dyn Embedder>, EngineError> {
        if own.fetch_add(1, Ordering::Relaxed) < 2 {
            return Err(EngineError::Model { what: "model.safetensors is not there".to_owned() });
        }
        Ok(Arc::new(Lexical))
    };
    let live = Live::new(store, followed(), Box::new(load), Box::new(|_| {}));
    assert!(matches!(live.take("t", drifting(3), None, true), Err(EngineError::Model { .. })));
    assert!(live.trajectory("t").is_err(), "whoever cannot have scores is told before anything is kept");
    live.take("t", drifting(3), None, false).unwrap();
    assert!(matches!(live.work_off(), Err(EngineError::Model { .. })));
    assert_eq!((live.backlog().unwrap(), asked.load(Ordering::Relaxed)), (3, 2));
    assert_eq!(live.watch("t").unwrap().trajectories[0].steps.len(), 3, "once it is there, all goes on");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn scores_do_not_depend_on_the_pieces(
        texts in prop::collection::vec((prop::option::of("[a-f ]{0,12}"), prop::option::of("[a-f .]{0,20}"), 0_u8..3), 1..30),
        sizes in prop::collection::vec((1_usize..9, any::<bool>(), any::<bool>()), 1..30),
    ) {
        let steps: Vec<LiveStep> = texts
            .into_iter()
            .map(|(prompt, output, agent)| LiveStep {
                prompt,
                output,
                agent: (agent > 0).then(|| format!("agent {agent}")),
                ..LiveStep::default()
            })
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("s.db");
        let mut live = open(&file, followed());
        let mut rest = &steps[..];
        for (size, score, again) in sizes.into_iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (now, later) = rest.split_at(size.min(rest.len()));
            live.take("t", now.to_vec(), None, score).unwrap();
            rest = later;
            if again {
                drop(live);
                live = open(&file, followed());
            }
        }
        match watched("t", &steps, followed()) {
            Ok(own) => prop_assert_eq!(json(&live.watch("t").unwrap()), json(&own)),
            Err(error) => prop_assert_eq!(live.watch("t").unwrap_err(), error),
        }
    }
}
