//! What is told of runs: what section 9 of the contract for day plans lists, and the figures of every instrument.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use steadfast_engine::limits::{TRACE_EVENTS_MAX, TRACE_LIST_MAX, TRACE_SPANS_MAX, TRACE_TEXT_CHARS_MAX};
use steadfast_engine::review::{ReviewRequest, output_file, review};
use steadfast_engine::runs::{Asked, Stopwatch, Timing};
use steadfast_engine::store::{Stamp, Stamps, StoreFailure, uuid_v7};
use steadfast_engine::trace::{self, About, BenchDay, Capture, add_judge_scores};
use steadfast_engine::{
    AuditInput, AuditRequest, Heeded, NotesRequest, audit, context_file, plan, prompt_file, report_file,
};
use steadfast_testkit::wait;
use steadfast_wire::audit::{Dimension, DriftEvaluation, Judge};
use steadfast_wire::plan::{
    Bench, BenchFailureModes, BenchReader, BenchRow, BenchVariant, Confidence, ModelView, Opinion, OpinionScore,
    PlanResponse, Preferences, Status, TraceSpan, Variant,
};
use steadfast_wire::trace::{Attributes, Score, Span, Trace, Value};
use steadfast_wire::watch::{Aggregate, Alerting, Calibration, Step, StepRecord, Trajectory, Watch};
use steadfast_wire::{from_json, to_json_line};

const NOTES: &str = "\
# Plan

- [ ] write the board report (90 min)
- call Ana about the lease, 30 min
- book flights (15 min)
- standup 9:30-9:45
- busy 12:00-13:00
- I'm leaving at 16:30
";

/// A clock that goes on by seven milliseconds whenever it is asked.
#[derive(Default)]
struct Clock(AtomicU64);

impl Stamps for Clock {
    fn stamp(&self) -> Result<Stamp, StoreFailure> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        Ok(Stamp { id: uuid_v7(1_800_000_000_000_000, number), at: "2027-01-15T08:00:00.000Z".to_owned() })
    }

    fn ticks_ms(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) * 7
    }
}

fn timing(parts: &[&str]) -> Timing {
    let mut watch = Stopwatch::start(Arc::new(Clock::default())).unwrap();
    parts.iter().for_each(|part| watch.mark(part));
    watch.stop()
}

fn told<'a>(timing: &'a Timing, asked: &'a Asked, capture: Capture) -> About<'a> {
    About { timing, asked, exit_status: 0, stored: false, capture }
}

fn text<'a>(attributes: &'a Attributes, name: &str) -> &'a str {
    match attributes.get(name) {
        Some(Value::String(text)) => text,
        other => panic!("{name}: {other:?}"),
    }
}

fn list<'a>(attributes: &'a Attributes, name: &str) -> &'a [Value] {
    match attributes.get(name) {
        Some(Value::Array(list)) => list,
        other => panic!("{name}: {other:?}"),
    }
}

fn object<'a>(attributes: &'a Attributes, name: &str) -> &'a Attributes {
    match attributes.get(name) {
        Some(Value::Object(object)) => object,
        other => panic!("{name}: {other:?}"),
    }
}

fn score<'a>(trace: &'a Trace, name: &str) -> Option<&'a Score> {
    trace.scores.iter().find(|score| score.name == name)
}

fn names(spans: &[Span]) -> Vec<&str> {
    spans.iter().map(|span| span.name.as_str()).collect()
}

fn planned() -> (PlanResponse, Asked) {
    let request = NotesRequest {
        notes: context_file(NOTES.as_bytes().to_vec()),
        calendars: Vec::new(),
        current_time: "2026-01-26T08:00:00-05:00".to_owned(),
        timezone: "America/Toronto".to_owned(),
        preferences: Preferences::Soft,
        assumptions: Vec::new(),
        proposals: None,
        reading: None,
        answers: Vec::new(),
    };
    let asked = Asked::notes(&request, None).variant(Variant::V4Repair);
    (wait(plan(request, Variant::V4Repair)).unwrap().response, asked)
}

fn of_plan(response: &PlanResponse, asked: &Asked, capture: Capture) -> Trace {
    trace::plan(response, &told(&timing(&["read", "plan"]), asked, capture))
}

/// Section 9 of the contract for day plans, line by line.
#[test]
fn a_plan_logs_all_that_the_contract_lists() {
    let (mut response, asked) = planned();
    // A repair: the planner of these notes needs none, so its two steps are written in as the planner writes them.
    let step = |span: &str| TraceSpan {
        span: span.to_owned(),
        input: "1 hard findings".to_owned(),
        output: "fail".to_owned(),
    };
    response.trace.extend([step("repair"), step("validate")]);
    let mut own = of_plan(&response, &asked, Capture::Preview);

    // input context (or safe preview)
    let preview = text(&own.input, "context_preview");
    assert!(preview.contains("write the board report") && preview.chars().count() <= TRACE_TEXT_CHARS_MAX + 1);
    // extracted constraints
    let constraints = list(&own.output, "constraints");
    assert_eq!(constraints.len(), response.validation.constraints.len());
    let Value::Object(first) = &constraints[0] else { panic!("{constraints:?}") };
    for name in ["id", "kind", "hard", "text", "meaning"] {
        assert!(first.contains_key(name), "{name}");
    }
    let extract = &own.spans[0];
    assert_eq!(list(&extract.output, "constraints"), constraints);
    // selected variant
    assert_eq!(text(&own.input, "variant"), "v4_repair");
    assert!(own.tags.iter().any(|tag| tag == "v4_repair"));
    assert_eq!(text(object(&own.metadata, "settings"), "variant"), "v4_repair");
    // trace spans: extract → plan → validate → (repair) → validate
    assert_eq!(names(&own.spans), ["extract", "plan", "validate", "repair", "validate"]);
    assert!(own.spans.is_sorted_by_key(|span| span.start_us));
    assert!(own.spans.iter().all(|span| span.duration_us.is_none() && span.start_us >= 7_000), "{:?}", own.spans);
    let last = own.spans.last().unwrap();
    assert_eq!((text(&last.input, "in"), text(&last.output, "out")), ("1 hard findings", "fail"));
    // validation metrics and status
    assert_eq!(text(&own.output, "validation_status"), "pass");
    assert_eq!(text(&last.output, "status"), "pass");
    for metrics in [object(&own.output, "metrics"), object(&last.output, "metrics")] {
        for name in [
            "constraints_declared",
            "constraints_violated",
            "time_available_minutes",
            "time_planned_minutes",
            "time_overflow_minutes",
            "hallucination_flags",
            "human_feasibility_flags",
            "context_coverage_ratio",
        ] {
            assert!(metrics.contains_key(name), "{name}");
            assert!(score(&own, name).is_some(), "{name}");
        }
    }
    let validation = score(&own, "validation").unwrap();
    assert_eq!((validation.value, validation.label.as_deref()), (1.0, Some("pass")));
    // advisory judge scores (if used)
    add_judge_scores(
        &mut own,
        "a-model",
        [("clarity".to_owned(), 0.8, Some("clear".to_owned())), ("none".to_owned(), f64::NAN, None)],
    );
    let judged = score(&own, "judge.clarity").unwrap();
    assert_eq!((judged.value, judged.reason.as_deref(), text(&own.metadata, "judge")), (0.8, Some("clear"), "a-model"));
    assert!(score(&own, "judge.none").is_none(), "what is not finite is no score");
}

#[test]
fn the_scores_of_a_judge_go_with_the_plan_that_it_judged() {
    let (mut response, asked) = planned();
    let score = OpinionScore {
        dimension: "realism".to_owned(),
        score: 4,
        quote: "board report".to_owned(),
        item_index: 0,
        field: "task".to_owned(),
        comment: "Long enough.".to_owned(),
    };
    let opinion = Opinion { model: "a-model".to_owned(), self_judged: false, scores: vec![score], why: None };
    let nothing =
        ModelView { extraction: None, generation: None, opinion: None, set_aside: Vec::new(), calls: Vec::new() };
    response.model_view = Some(ModelView { opinion: Some(opinion), ..nothing });
    for (capture, reason) in [(Capture::Preview, Some("Long enough.")), (Capture::Hash, None)] {
        let own = of_plan(&response, &asked, capture);
        let judged = own.scores.iter().find(|it| it.name == "judge.realism").unwrap();
        assert_eq!((judged.value, judged.reason.as_deref(), text(&own.metadata, "judge")), (4.0, reason, "a-model"));
    }
}

#[test]
fn a_plan_without_repair_has_the_spans_of_its_own_trace_and_no_more() {
    let (response, asked) = planned();
    let own = of_plan(&response, &asked, Capture::Preview);
    let steps: Vec<&str> = response.trace.iter().map(|step| step.span.as_str()).collect();
    assert_eq!(names(&own.spans), steps);
    assert_eq!((own.name.as_str(), own.id.as_bytes()[14], own.duration_us), ("plan", b'7', Some(21_000)));
    let Value::Object(file) = &list(&own.input, "files")[0] else { panic!() };
    assert_eq!((text(file, "name"), text(file, "sha256").len()), ("context.md", 64));
    assert_eq!(object(&own.metadata, "ms").get("plan"), Some(&Value::from(7)));
    let ids: BTreeSet<&str> = own.spans.iter().map(|span| span.id.as_str()).chain([own.id.as_str()]).collect();
    assert_eq!(ids.len(), own.spans.len() + 1);
    assert!(ids.iter().all(|id| id.as_bytes()[14] == b'7' && id[..13] == own.id[..13]), "UUIDv7 of the same moment");
    // The same result gives the same trace.
    assert_eq!(own, of_plan(&response, &asked, Capture::Preview));
    assert_eq!(from_json::<Trace>(&to_json_line(&own).unwrap()).unwrap(), own);
}

#[test]
fn where_no_text_is_captured_no_word_of_the_notes_is_told() {
    let (mut response, asked) = planned();
    response.validation.errors.push("the board report is overdue".to_owned());
    response.questions.push("Which Ana?".to_owned());
    let own = to_json_line(&of_plan(&response, &asked, Capture::Hash)).unwrap();
    for word in ["board", "Ana", "lease", "flights", "standup", "16:30", "overdue"] {
        assert!(!own.contains(word), "{word} in {own}");
    }
    assert!(
        own.contains("\"constraints_declared\"") && own.contains("\"sha256\"") && own.contains("\"questions_count\":1")
    );
    assert!(to_json_line(&of_plan(&response, &asked, Capture::Preview)).unwrap().contains("board"));
}

#[test]
fn texts_are_cut_and_control_characters_shown() {
    let (mut response, asked) = planned();
    let context = |preview: String, response: &mut PlanResponse| {
        response.debug.context_preview = preview;
        text(&of_plan(response, &asked, Capture::Preview).input, "context_preview").to_owned()
    };
    let exact = "é".repeat(TRACE_TEXT_CHARS_MAX);
    assert_eq!(context(exact.clone(), &mut response), exact);
    assert_eq!(context(format!("{exact}x"), &mut response), format!("{exact}…"));
    assert_eq!(context("a\u{1b}[31m\nb".to_owned(), &mut response), "a\u{241b}[31m\u{240a}b");
}

#[test]
fn an_audit_tells_the_dimensions_that_were_assessed_and_its_incidents() {
    let prompt = prompt_file(
        "Plan a seed library. It must open within 3 months. Budget: 500 EUR. Do not use blockchain.\n".to_owned(),
    );
    let report = report_file(
        "# Seed library\n\nIt opens within 9 months, costs 5,000 EUR and records loans on a blockchain.\n".to_owned(),
    );
    let request = AuditRequest {
        input: AuditInput::Pair { prompt, reports: vec![report] },
        judge: Judge::Rules,
        heeded: Heeded::default(),
        context: Vec::new(),
    };
    let evaluation: DriftEvaluation = wait(audit(request, None, None)).unwrap().evaluation;
    let (timing, asked) = (timing(&["read", "audit"]), Asked::audit(&evaluation));
    let own = trace::audit(&evaluation, &told(&timing, &asked, Capture::Preview));
    for dimension in Dimension::ALL {
        let assessed = !evaluation.unassessed_dimensions.contains(dimension);
        assert_eq!(score(&own, dimension.name()).is_some(), assessed, "{dimension}");
    }
    assert_eq!(score(&own, "overall_fidelity_score").unwrap().value, evaluation.overall_fidelity_score);
    let risk = score(&own, "overall_drift_risk").unwrap();
    assert_eq!(risk.label.as_deref(), Some(evaluation.overall_drift_risk.name()));
    for name in
        ["critical_drift_count", "unsupported_claim_count", "constraint_violation_count", "confidence_inflation_count"]
    {
        assert!(score(&own, name).is_some(), "{name}");
    }
    assert_eq!(names(&own.spans), ["read", "audit"]);
    assert_eq!((own.spans[1].start_us, own.spans[1].duration_us), (7_000, Some(7_000)));
    let incidents = &own.spans[1].events;
    assert!(!incidents.is_empty() && incidents.len() == evaluation.drift_incidents.len());
    assert_eq!(text(&incidents[0].attributes, "check"), evaluation.drift_incidents[0].check);
    assert!(incidents[0].attributes.contains_key("output_claim"));
    let hidden = to_json_line(&trace::audit(&evaluation, &told(&timing, &asked, Capture::Hash))).unwrap();
    assert!(!hidden.contains("blockchain") && !hidden.contains("months"), "{hidden}");

    // Incidents beyond the limit are counted.
    let many = TRACE_EVENTS_MAX + 3;
    let incident = evaluation.drift_incidents[0].clone();
    let flood = DriftEvaluation { drift_incidents: vec![incident; many], ..evaluation };
    let own = trace::audit(&flood, &told(&timing, &asked, Capture::Preview));
    assert_eq!(
        (own.spans[1].events.len(), own.metadata.get("events_left_out")),
        (TRACE_EVENTS_MAX, Some(&Value::from(3)))
    );
}

#[test]
fn a_review_tells_its_score_and_what_follows() {
    let output =
        "<npl-block type=\"reflection\">\n✅ Verified: tests pass\n🐛 Bug: crashes on empty input\n</npl-block>\n";
    let request = ReviewRequest::new(output_file(output.as_bytes().to_vec()));
    let asked = Asked::review(&request);
    let own = wait(review(request, None)).unwrap().review;
    let told = trace::review(&own, &told(&timing(&["load", "review"]), &asked, Capture::Preview));
    assert_eq!(score(&told, "score").map(|score| score.value), own.score);
    let approved = score(&told, "approved").unwrap();
    assert_eq!((approved.value, approved.label.as_deref()), (0.0, Some(own.recommendation.name())));
    assert_eq!(text(&told.output, "recommendation"), own.recommendation.name());
    assert_eq!(names(&told.spans), ["load", "review"]);
}

fn step(number: i64) -> Step {
    Step {
        step: number,
        ids: Some(0.25),
        goal_distance: Some(0.5),
        goal: "tidy the shed".to_owned(),
        update_type: None,
        anchor_ids: Some(0.75),
        echo: None,
        truncated: false,
        no_text: false,
        broken: Vec::new(),
    }
}

fn followed(steps: Vec<Step>) -> Watch {
    let alert = Alerting {
        threshold: None,
        calibration: Calibration::Test,
        false_alarm_rate: None,
        measured_on: String::new(),
    };
    let mut watch = Watch::new("lexical", "lexical-1", Aggregate::Whole, alert);
    watch.trajectories.push(Trajectory {
        task_id: "t1".to_owned(),
        agent: Some("scout".to_owned()),
        parent: None,
        initial_intent: Some("tidy".to_owned()),
        steps,
        mean_ids: Some(0.25),
        max_ids: None,
        goal_shift: None,
        onset: Some(1),
        onset_test: None,
        alerts: Vec::new(),
    });
    watch
}

#[test]
fn watched_steps_are_spans_of_their_trajectory_with_their_scores() {
    let (timing, asked) = (timing(&["load", "watch"]), Asked::default());
    let about = told(&timing, &asked, Capture::Preview);
    let kept = trace::watch(&followed(vec![step(0), step(1)]), &[], 2, &about);
    let record =
        |number| StepRecord { task_id: "t1".to_owned(), agent: Some("scout".to_owned()), scores: step(number) };
    let streamed = trace::watch(&followed(Vec::new()), &[record(0), record(1)], 2, &about);
    assert_eq!(kept, streamed, "a stream tells the same");
    assert_eq!(names(&kept.spans), ["trajectory", "step", "step"]);
    let (parent, child) = (&kept.spans[0], &kept.spans[2]);
    assert_eq!((child.parent.as_ref(), child.attributes.get("step")), (Some(&parent.id), Some(&Value::from(1))));
    assert_eq!((text(&child.input, "goal"), text(&child.attributes, "agent")), ("tidy the shed", "scout"));
    let of = |span: &str| -> Vec<(&str, f64)> {
        let own = kept.scores.iter().filter(|score| score.span.as_deref() == Some(span));
        own.map(|score| (score.name.as_str(), score.value)).collect()
    };
    assert_eq!(of(&child.id), [("ids", 0.25), ("anchor_ids", 0.75), ("goal_distance", 0.5)]);
    assert_eq!(of(&parent.id), [("mean_ids", 0.25)]);
    assert_eq!(kept.output.get("steps"), Some(&Value::from(2)));
    let hidden =
        to_json_line(&trace::watch(&followed(vec![step(0)]), &[], 1, &told(&timing, &asked, Capture::Hash))).unwrap();
    assert!(!hidden.contains("tidy"), "{hidden}");
}

#[test]
fn names_that_others_give_are_cut() {
    let (timing, asked) = (timing(&["watch"]), Asked::default());
    let mut watch = followed(vec![step(0); 10]);
    watch.trajectories[0].task_id = "t".repeat(1 << 20);
    watch.trajectories[0].agent = Some("a".repeat(1 << 20));
    let own = to_json_line(&trace::watch(&watch, &[], 10, &told(&timing, &asked, Capture::Preview))).unwrap();
    assert!(own.len() < 50_000, "{}", own.len());
}

#[test]
fn steps_beyond_the_limit_are_counted() {
    let (timing, asked) = (timing(&["watch"]), Asked::default());
    let about = told(&timing, &asked, Capture::Preview);
    let left_out = |own: &Trace| own.metadata.get("spans_left_out").cloned();
    // One span is the trajectory's.
    let all = |count: usize| trace::watch(&followed((0..count as i64).map(step).collect()), &[], count, &about);
    assert_eq!((all(TRACE_SPANS_MAX - 1).spans.len(), left_out(&all(TRACE_SPANS_MAX - 1))), (TRACE_SPANS_MAX, None));
    let over = all(TRACE_SPANS_MAX + 4);
    assert_eq!((over.spans.len(), left_out(&over)), (TRACE_SPANS_MAX, Some(Value::from(5))));
    assert_eq!(over.output.get("steps"), Some(&Value::from(TRACE_SPANS_MAX as i64 + 4)));
    // Of a stream the first steps alone were kept.
    let record =
        |number| StepRecord { task_id: "t1".to_owned(), agent: Some("scout".to_owned()), scores: step(number) };
    let records: Vec<StepRecord> = (0..TRACE_SPANS_MAX as i64).map(record).collect();
    let stream = trace::watch(&followed(Vec::new()), &records, 1_000_000, &about);
    assert_eq!((stream.spans.len(), stream.output.get("steps")), (TRACE_SPANS_MAX, Some(&Value::from(1_000_000))));
    assert_eq!(left_out(&stream), Some(Value::from(1_000_000 - (TRACE_SPANS_MAX as i64 - 1))));
}

fn row(day: &str, in_long_notes: bool, variant: Variant) -> BenchRow {
    BenchRow {
        day: day.to_owned(),
        in_long_notes,
        feasible: true,
        variant,
        status: Status::Recommended,
        confidence: Confidence::High,
        right: day == "a",
        problems: if day == "a" { Vec::new() } else { vec!["lost: lunch".to_owned()] },
    }
}

fn bench() -> Bench {
    let variant = |variant| BenchVariant {
        variant,
        passed: 1,
        pass_rate: 0.5,
        true_passed: 1,
        true_pass_rate: 0.5,
        wrongly_recommended: 1,
        infeasible_rejected: 0,
        infeasible_proved: 0,
        falsely_proved: 0,
        constraints_violated: 2,
        days_with_violations: 1,
        overflow_days: 1,
        hallucination_flags: 3,
        confidence: Vec::new(),
        confidence_mismatches: 1,
        failure_modes: BenchFailureModes::default(),
    };
    let rows = |variant| [row("a", false, variant), row("a", true, variant), row("b", false, variant)];
    Bench {
        schema_version: "1.0".to_owned(),
        days: 2,
        canonical_days: 1,
        feasible_days: 2,
        infeasible_days: 0,
        reader: BenchReader { right: 2, free_time_right: 2, tasks_right: 2, limits_right: 2, wrong: Vec::new() },
        variants: vec![variant(Variant::V1Naive), variant(Variant::V4Repair)],
        rows: [rows(Variant::V1Naive), rows(Variant::V4Repair)].concat(),
    }
}

#[test]
fn a_bench_is_one_dataset_and_one_experiment_for_each_variant() {
    let day = |id: &str| BenchDay {
        id: id.to_owned(),
        notes: format!("notes of {id}"),
        current_time: "2026-01-26T08:00:00-05:00".to_owned(),
    };
    let days = [day("a"), day("b")];
    let clock = Clock::default();
    let batches = trace::bench(&bench(), &days, &timing(&[]), &clock).unwrap();
    let later = trace::bench(&bench(), &days, &timing(&[]), &clock).unwrap();
    assert_eq!(batches.len(), 2);
    let mut ids = BTreeSet::new();
    for (batch, again) in batches.iter().zip(&later) {
        let (own, other) = (batch.experiment.as_ref().unwrap(), again.experiment.as_ref().unwrap());
        assert_eq!(own.dataset, batches[0].experiment.as_ref().unwrap().dataset);
        assert_eq!(own.dataset, other.dataset, "items are the same whenever they are made");
        assert!(own.id != other.id);
        assert_eq!((own.dataset.items.len(), own.items.len(), batch.traces.len()), (3, 3, 3));
        for (item, trace) in own.items.iter().zip(&batch.traces) {
            assert_eq!(item.trace_id, trace.id);
            let data = &own.dataset.items.iter().find(|it| it.id == item.dataset_item_id).unwrap().data;
            assert_eq!(
                (data.get("day"), data.get("in_long_notes")),
                (trace.input.get("day"), trace.input.get("in_long_notes"))
            );
            assert_eq!(text(data, "notes"), format!("notes of {}", text(data, "day")));
            assert_eq!(trace.duration_us, None, "days are not timed one by one");
            ids.extend([item.id.as_str(), item.trace_id.as_str(), own.id.as_str()]);
        }
        let wanted = [
            "pass_rate",
            "constraints_violated",
            "time_overflow_frequency",
            "hallucination_flags",
            "confidence_mismatches",
        ];
        for name in wanted {
            assert!(own.scores.iter().any(|score| score.name == name), "section 10: {name}");
        }
    }
    assert_eq!(ids.len(), 2 * (1 + 3 + 3));
    let right = score(&batches[0].traces[2], "right").unwrap();
    assert_eq!((right.value, right.reason.as_deref()), (0.0, Some("lost: lunch")));
    // Other days are another dataset.
    let others = trace::bench(&bench(), &[day("a"), day("c")], &timing(&[]), &clock).unwrap();
    assert!(
        others[0].experiment.as_ref().unwrap().dataset.name != batches[0].experiment.as_ref().unwrap().dataset.name
    );
}

#[test]
fn lists_are_bounded() {
    let (mut response, asked) = planned();
    let constraint = response.validation.constraints[0].clone();
    response.validation.constraints = vec![constraint; TRACE_LIST_MAX + 1];
    let own = of_plan(&response, &asked, Capture::Preview);
    assert_eq!(list(&own.output, "constraints").len(), TRACE_LIST_MAX);
}

#[test]
fn a_stopwatch_times_parts_in_their_order_and_stops_once() {
    let clock = Arc::new(Clock::default());
    let mut watch = Stopwatch::start(Arc::<Clock>::clone(&clock)).unwrap();
    watch.mark("read");
    watch.mark("plan");
    let first = watch.stop();
    clock.ticks_ms();
    let second = watch.stop();
    assert_eq!(first, second);
    let parts: Vec<(&str, u64, u64)> =
        first.parts.iter().map(|part| (part.name.as_str(), part.start_ms, part.ms)).collect();
    assert_eq!((parts, first.total_ms), (vec![("read", 0, 7), ("plan", 7, 7)], 21));
    assert_eq!(
        first.ms().into_iter().collect::<Vec<_>>(),
        [("plan".to_owned(), 7), ("read".to_owned(), 7), ("total".to_owned(), 21)]
    );
}
