//! Following agents, with embedders whose vectors are known.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use steadfast_embed::{Embedder, Embedding};
use steadfast_engine::store::{EmbeddingStore, Receipt, StoreFailure, TextKey};
use steadfast_engine::watch::{Arm, TRAJECTORIES_MAX, WatchRequest, Watcher, alerting, compare};
use steadfast_engine::{EngineError, ErrorKind};
use steadfast_testkit::wait;
use steadfast_wire::watch::{Aggregate, Alerting, Calibration, GivenStep, UpdateType, Watch};

/// Every text lies on the unit circle at the angle, in degrees, that it begins with: "30 some words".
#[derive(Default)]
struct Circle {
    texts: AtomicUsize,
    seen: Mutex<Vec<String>>,
}

impl Embedder for Circle {
    fn name(&self) -> &'static str {
        "minilm"
    }

    fn version(&self) -> &str {
        "circle"
    }

    fn dimensions(&self) -> usize {
        2
    }

    fn embed(&self, texts: &[&str]) -> Vec<Embedding> {
        self.texts.fetch_add(texts.len(), Ordering::Relaxed);
        let mut seen = self.seen.lock().unwrap();
        texts
            .iter()
            .map(|text| {
                seen.push((*text).to_owned());
                let angle = text.split_whitespace().next().and_then(|word| word.parse::<f32>().ok()).unwrap_or(0.0);
                let (sin, cos) = angle.to_radians().sin_cos();
                Embedding { vector: [cos, sin].into(), truncated: text.len() > 100 }
            })
            .collect()
    }

    fn windows(&self, text: &str) -> Vec<Range<usize>> {
        std::iter::once(0..text.len()).filter(|whole| !whole.is_empty()).collect()
    }
}

fn request() -> WatchRequest {
    WatchRequest {
        aggregate: Aggregate::Whole,
        alert: Alerting {
            threshold: None,
            calibration: Calibration::Test,
            false_alarm_rate: None,
            measured_on: String::new(),
        },
        intents: HashMap::new(),
        keep_steps: true,
        keep_texts: false,
    }
}

/// A step of `task`; an output of `-` is absent.
fn step(task: &str, number: i64, prompt: &str, output: &str) -> GivenStep {
    GivenStep {
        task_id: Arc::from(task),
        step: Some(number),
        prompt: Some(Arc::from(prompt)),
        output: (output != "-").then(|| output.to_owned()),
        line: number as usize + 1,
        ..GivenStep::default()
    }
}

fn watch_with(embedder: Arc<Circle>, request: WatchRequest, steps: Vec<GivenStep>) -> Result<Watch, EngineError> {
    watch_stored(embedder, None, request, steps)
}

fn watch_stored(
    embedder: Arc<Circle>,
    store: Option<Arc<dyn EmbeddingStore>>,
    request: WatchRequest,
    steps: Vec<GivenStep>,
) -> Result<Watch, EngineError> {
    let mut watcher = Watcher::new(embedder, store, request);
    wait(watcher.push("run.jsonl", steps))?;
    watcher.finish("run.jsonl")
}

fn watch(steps: Vec<GivenStep>) -> Watch {
    watch_with(Arc::default(), request(), steps).unwrap()
}

fn near(value: Option<f64>, degrees: f64) {
    let expect = (1.0 - degrees.to_radians().cos()).clamp(0.0, 1.0);
    assert!((value.unwrap() - expect).abs() < 1e-6, "{value:?} is not that of {degrees} degrees, {expect}");
}

#[test]
fn replay_keeps_or_takes_the_goal_by_its_similarity() {
    // cos 30° = .87, cos 45° = .71, cos 60° = .5.
    let watch = watch(vec![
        step("t", 0, "80 not compared", "10 out"),
        step("t", 1, "110 refines", "100 out"),
        step("t", 2, "125 is a risk", "125 out"),
        step("t", 3, "185 is a shift", "185 out"),
    ]);
    let trajectory = &watch.trajectories[0];
    let types: Vec<_> = trajectory.steps.iter().map(|step| step.update_type.unwrap()).collect();
    assert_eq!(types, [UpdateType::Initial, UpdateType::Refinement, UpdateType::HighDriftRisk, UpdateType::MajorShift]);
    assert_eq!(trajectory.initial_intent.as_deref(), Some("80 not compared"));
    let goals: Vec<_> = trajectory.steps.iter().map(|step| step.goal.as_str()).collect();
    assert_eq!(goals, ["80 not compared", "80 not compared", "125 is a risk", "185 is a shift"]);
    near(trajectory.steps[0].ids, 70.0);
    near(trajectory.steps[1].ids, 20.0);
    near(trajectory.steps[2].ids, 0.0);
    near(trajectory.steps[3].anchor_ids, 105.0);
    near(trajectory.goal_shift, 105.0);
    let mean = trajectory.steps[1..].iter().map(|step| step.ids.unwrap()).sum::<f64>() / 3.0;
    assert!((trajectory.mean_ids.unwrap() - mean).abs() < 1e-12, "the first step is in no mean");
    near(trajectory.max_ids, 20.0);
}

#[test]
fn an_absent_output_is_not_an_empty_one() {
    let watch = watch(vec![
        step("t", 0, "0 go", "0 done"),
        step("t", 1, "0 go", "-"),
        step("t", 2, "0 go", "  "),
        step("t", 3, "0 go", "90 away"),
    ]);
    let steps = &watch.trajectories[0].steps;
    assert_eq!((steps[1].ids, steps[1].no_text), (None, true));
    assert_eq!((steps[2].ids, steps[2].no_text), (Some(1.0), false));
    assert!((watch.trajectories[0].mean_ids.unwrap() - 1.0).abs() < 1e-6, "absent outputs are in no mean");
}

#[test]
fn the_intent_comes_from_the_request_then_the_steps_then_the_first_instruction() {
    let given = |intent: Option<&str>| GivenStep {
        initial_intent: intent.map(Arc::from),
        ..step("t", 0, "10 instruction", "0 out")
    };
    let intent = |request: WatchRequest, step| {
        let watch = watch_with(Arc::default(), request, vec![step]).unwrap();
        watch.trajectories[0].initial_intent.clone().unwrap()
    };
    let named = WatchRequest { intents: [("t".to_owned(), "30 named".to_owned())].into(), ..request() };
    assert_eq!(intent(named, given(Some("20 said"))), "30 named");
    assert_eq!(intent(request(), given(Some("20 said"))), "20 said");
    assert_eq!(intent(request(), given(None)), "10 instruction");
}

#[test]
fn identical_trajectories_count_once_and_are_named() {
    let run = |task: &str, last: &str| vec![step(task, 0, "0 go", "0 a"), step(task, 1, "0 on", last)];
    let watch = watch([run("a", "10 b"), run("b", "10 b"), run("c", "20 b")].concat());
    let listed: Vec<_> = watch.trajectories.iter().map(|it| it.task_id.as_str()).collect();
    assert_eq!(listed, ["a", "c"]);
    assert_eq!((watch.duplicates[0].task_id.as_str(), watch.duplicates[0].same_as.as_str()), ("b", "a"));
}

#[test]
fn identical_texts_are_embedded_once() {
    let circle = Arc::new(Circle::default());
    let steps = (0..1_000).map(|number| step("t", number, "0 go", &format!("{} out", number % 7))).collect();
    watch_with(Arc::clone(&circle), request(), steps).unwrap();
    assert_eq!(circle.texts.load(Ordering::Relaxed), 8, "{:?}", circle.seen.lock().unwrap());
}

/// A store in memory, which may fail.
#[derive(Default)]
struct Shelf {
    held: Mutex<HashMap<(String, TextKey), Embedding>>,
    reading_fails: bool,
    writing_fails: bool,
}

fn failure(what: &str) -> StoreFailure {
    StoreFailure { what: what.to_owned(), hint: Some("mend it".to_owned()), full: false }
}

impl EmbeddingStore for Shelf {
    fn get(&self, version: &str, keys: &[TextKey]) -> Result<Vec<Option<Embedding>>, StoreFailure> {
        if self.reading_fails {
            return Err(failure("s.db: cannot be read"));
        }
        let held = self.held.lock().unwrap();
        Ok(keys.iter().map(|key| held.get(&(version.to_owned(), *key)).cloned()).collect())
    }

    fn put(&self, version: &str, vectors: Vec<(TextKey, Embedding)>) -> Receipt {
        if self.writing_fails {
            return Box::new(|| Err(failure("s.db: the disk is full")));
        }
        self.held.lock().unwrap().extend(vectors.into_iter().map(|(key, it)| ((version.to_owned(), key), it)));
        Box::new(|| Ok(()))
    }
}

/// Steps of several batches, with texts that are truncated.
fn many_steps() -> Vec<GivenStep> {
    let output = |number: i64| format!("{} out. {}", number % 70, "and on ".repeat(number as usize % 40));
    (0..600).map(|number| step("t", number, &format!("{} go", number / 100), &output(number))).collect()
}

#[test]
fn with_a_store_a_text_is_embedded_once_ever_and_the_bytes_are_the_same() {
    let bytes = |watch: &Watch| steadfast_wire::to_json(watch).unwrap();
    let without = watch(many_steps());
    let shelf = Arc::new(Shelf::default());
    let run = || {
        let circle = Arc::new(Circle::default());
        let watch = watch_stored(Arc::clone(&circle), Some(shelf.clone()), request(), many_steps()).unwrap();
        (bytes(&watch), circle.texts.load(Ordering::Relaxed))
    };
    let (first, embedded) = run();
    assert_eq!((first == bytes(&without), embedded), (true, shelf.held.lock().unwrap().len()));
    let (second, embedded) = run();
    assert_eq!((second == first, embedded), (true, 0), "the second run embeds nothing");
    let one = shelf.held.lock().unwrap().keys().next().cloned().unwrap();
    shelf.held.lock().unwrap().remove(&one);
    assert_eq!(run().1, 1, "what is missing alone is embedded");
}

#[test]
fn a_store_that_fails_ends_the_run() {
    let end = |shelf: Shelf| {
        let error = watch_stored(Arc::default(), Some(Arc::new(shelf)), request(), many_steps()).unwrap_err();
        assert_eq!((error.kind(), error.hint()), (ErrorKind::External, Some("mend it")));
        error.to_string()
    };
    assert_eq!(end(Shelf { reading_fails: true, ..Shelf::default() }), "s.db: cannot be read");
    assert_eq!(end(Shelf { writing_fails: true, ..Shelf::default() }), "s.db: the disk is full");
    let one_batch = vec![step("t", 0, "0 go", "0 out")];
    let full = Arc::new(Shelf { writing_fails: true, ..Shelf::default() });
    let error = watch_stored(Arc::default(), Some(full), request(), one_batch).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::External, "the last write is waited for");
}

#[test]
fn vectors_of_another_length_are_never_used() {
    let steps = || vec![step("t", 0, "0 go", "0 out")];
    let shelf = Arc::new(Shelf::default());
    watch_stored(Arc::default(), Some(shelf.clone()), request(), steps()).unwrap();
    for held in shelf.held.lock().unwrap().values_mut() {
        held.vector = [1.0].into();
    }
    let error = watch_stored(Arc::default(), Some(shelf), request(), steps()).unwrap_err();
    assert_eq!(error.to_string(), "the store holds something else than vectors of circle");
}

#[test]
fn nothing_to_score_is_not_evaluable() {
    let kind = |steps| watch_with(Arc::default(), request(), steps).unwrap_err();
    assert_eq!(kind(Vec::new()).kind(), ErrorKind::NotEvaluable);
    let error = kind(vec![step("t", 0, "0 go", "-")]);
    assert_eq!(error.kind(), ErrorKind::NotEvaluable);
    assert!(error.hint().unwrap().contains("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"));
}

#[test]
fn a_step_out_of_order_is_named() {
    let watch = watch(vec![step("t", 1, "0 go", "0 a"), step("t", 0, "0 go", "0 b")]);
    assert_eq!(
        watch.problems[0].message,
        "step 0 of `t` comes after its step 1: steps are scored in the order of the lines"
    );
}

#[test]
fn too_many_trajectories_are_refused() {
    let steps = |count: usize| (0..count).map(|task| step(&task.to_string(), 0, "0", "0")).collect();
    assert!(watch_with(Arc::default(), request(), steps(TRAJECTORIES_MAX)).is_ok());
    assert_eq!(
        watch_with(Arc::default(), request(), steps(TRAJECTORIES_MAX + 1)).unwrap_err().kind(),
        ErrorKind::Input
    );
}

#[test]
fn scores_that_persist_raise_an_alert_and_rising_for_good_has_an_onset() {
    let mut threshold = request();
    threshold.alert.threshold = Some(0.6);
    let steps = (0..20).map(|number| {
        let degrees = if number < 12 { 20 + number % 5 } else { 70 + number % 3 };
        step("t", number, "0 go", &format!("{degrees} out"))
    });
    let watch = watch_with(Arc::default(), threshold, steps.collect()).unwrap();
    let trajectory = &watch.trajectories[0];
    assert_eq!(trajectory.onset, Some(12));
    let alerts: Vec<_> =
        trajectory.alerts.iter().map(|alert| (alert.from_step, alert.to_step, alert.cause.name())).collect();
    assert_eq!(alerts, [(12, 19, "onset"), (12, 19, "ids")]);
}

#[test]
fn a_broken_ban_raises_an_alert_that_quotes_both_sides() {
    let watch = watch(vec![
        step("t", 0, "0 write to the guests, and never use the word \"cheap\"", "0 welcome"),
        step("t", 1, "0 now the price list", "0 rooms are cheap in May"),
    ]);
    let trajectory = &watch.trajectories[0];
    let broken = &trajectory.steps[1].broken[0];
    assert_eq!((broken.term.as_str(), broken.quote.as_str()), ("cheap", "0 rooms are cheap in May"));
    assert_eq!((trajectory.alerts[0].from_step, trajectory.alerts[0].cause.name()), (1, "banned"));
}

/// An arm whose tasks have two steps, the second at so many degrees from the goal.
fn arm(tasks: &[(&str, u32)]) -> Watch {
    let steps = tasks
        .iter()
        .flat_map(|(task, degrees)| [step(task, 0, "0 go", "0 a"), step(task, 1, "0 go", &format!("{degrees} b"))]);
    watch(steps.collect())
}

#[test]
fn arms_are_paired_by_task_and_identical_pairs_count_once() {
    let a = arm(&[("x", 60), ("x-again", 60), ("y", 50), ("z", 40), ("only-a", 10)]);
    let b = arm(&[("x", 20), ("x-again", 20), ("y", 20), ("z", 45), ("only-b", 10)]);
    let comparison = compare(Arm { name: "a.jsonl", watch: &a }, Arm { name: "b.jsonl", watch: &b }).unwrap();
    let pairs: Vec<_> = comparison.pairs.iter().map(|pair| format!("{} {}", pair.task_id, pair.winner)).collect();
    assert_eq!(pairs, ["x b", "y b", "z a"]);
    assert_eq!((comparison.n, comparison.wins_b), (3, 2));
    assert_eq!(comparison.duplicates_dropped[0].task_id, "x-again");
    let alone: Vec<_> = comparison.unpaired.iter().map(|it| it.task_id.as_str()).collect();
    assert_eq!(alone, ["only-a", "only-b"]);
    assert!(comparison.mean_b < comparison.mean_a && comparison.cohens_d < Some(0.0));
    let ci = comparison.bootstrap_ci.unwrap();
    assert!(ci[0] <= comparison.mean_b.unwrap() - comparison.mean_a.unwrap() && ci[0] <= ci[1]);
}

#[test]
fn repeats_that_differ_in_one_arm_are_pairs() {
    let a = arm(&[("x", 60), ("x-again", 60)]);
    let b = arm(&[("x", 20), ("x-again", 30)]);
    let comparison = compare(Arm { name: "a", watch: &a }, Arm { name: "b", watch: &b }).unwrap();
    assert_eq!((comparison.n, comparison.duplicates_dropped.len()), (2, 0));
}

#[test]
fn unlike_embedders_are_never_compared() {
    let a = arm(&[("x", 60)]);
    let b = Watch { embedding_version: "other".to_owned(), ..arm(&[("x", 20)]) };
    let error = compare(Arm { name: "a", watch: &a }, Arm { name: "b", watch: &b }).unwrap_err();
    assert!(error.to_string().starts_with("scores of different embedders cannot be compared"), "{error}");
    let other = arm(&[("y", 20)]);
    let error = compare(Arm { name: "a", watch: &a }, Arm { name: "b", watch: &other }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotEvaluable);
}

#[test]
fn a_threshold_says_what_it_rests_on() {
    let rests_on = |threshold, aggregate| {
        let alert = alerting(threshold, None, ("minilm", "v"), aggregate).unwrap();
        (alert.calibration, alert.false_alarm_rate)
    };
    assert_eq!(rests_on(None, Aggregate::Whole), (Calibration::Test, Some(0.045)));
    assert_eq!(rests_on(Some(0.6), Aggregate::Whole), (Calibration::Uncalibrated, Some(0.75)));
    assert_eq!(rests_on(Some(0.64), Aggregate::Whole), (Calibration::Uncalibrated, Some(0.75)), "the bound from below");
    assert_eq!(rests_on(Some(0.6), Aggregate::MeanChunk), (Calibration::Uncalibrated, None), "nothing was measured");
    let good = watch((0..8).map(|number| step("t", number, "0 go", "60 out")).collect());
    let fitted = alerting(None, Some(("good", &good)), ("minilm", "circle"), Aggregate::Whole).unwrap();
    assert_eq!((fitted.calibration, fitted.false_alarm_rate), (Calibration::Baseline, Some(0.5)));
    assert!((fitted.threshold.unwrap() - 0.500_001).abs() < 1e-6);
    let given = alerting(Some(0.4), Some(("good", &good)), ("minilm", "circle"), Aggregate::Whole).unwrap();
    assert_eq!(given.false_alarm_rate, Some(1.0));
    assert!(alerting(None, Some(("good", &good)), ("lexical", "circle"), Aggregate::Whole).is_err());
}
