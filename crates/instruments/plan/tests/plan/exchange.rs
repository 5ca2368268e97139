//! Dialogues with a model about a day: what is asked, what of an answer is taken, and what is set aside and why.

use jiff::civil::DateTime;
use proptest::prelude::*;
use steadfast_dialogue::{Answer, Exchange, Nothing, Request, Role, Step};
use steadfast_evidence::{Evaluated, FileId};
use steadfast_plan::exchange::{
    Accepted, Brief, Generation, Judgement, NOTES_BYTES_MAX, Proposals, Proposed, ProposedConstraint, ProposedTask,
    accept, opinions,
};
use steadfast_plan::{
    Confidence, Feasibility, Given, Kind, Notes, Settings, Standing, Status, Variant, ask, check, generated, run,
};
use steadfast_text::{Document, Format};

use crate::broken::{breaks, checked};
use crate::days::day;
use crate::notation::zone;

/// Notes of which phrases leave something open. They speak to somebody, so pieces do not read them.
pub(crate) const NOTES: &str = "\
# Today

- Write the report by 15:00
- Call Ana
- Standup 9:30-9:45
- [x] Pay rent
- ~~Water plants~~
- Run 5k, never before 9:00 or after dark

You know. I was thinking we'd wrap up around five-ish, and honestly nothing happens before ten because the office is shut.
The vet said to bring Rex in before noon, Lea wants him back by 4pm. Before I forget: invoices. And the **deck** for \
Tuesday needs two hours of work today.

> Boss: no work before 11

## Tomorrow

- Call the bank before 10
";

pub(crate) fn read(text: &str) -> (Document, Notes) {
    let now = "2026-01-26T08:00".parse::<DateTime>().unwrap().to_zoned(zone()).unwrap();
    let document = Document::from_str_as(text, Format::Markdown);
    let notes = ask::read(FileId(0), &document, &now, &Settings::default());
    (document, notes)
}

fn taken(text: &str, proposals: Proposals) -> (Notes, Accepted) {
    let (document, notes) = read(text);
    let accepted = accept(FileId(0), &document, &notes, &Settings::default(), proposals);
    (notes, accepted)
}

fn task(quote: &str) -> ProposedTask {
    ProposedTask { quote: quote.to_owned() }
}

fn constraint(kind: &str, quote: &str, times: &str) -> ProposedConstraint {
    ProposedConstraint { kind: kind.to_owned(), quote: quote.to_owned(), times: times.to_owned() }
}

/// The answer of a model that wrote this in reply to a request.
pub(crate) fn answer(request: &Request, reply: &serde_json::Value) -> Option<Answer> {
    Some(Answer::Record(request.schema.read(&reply.to_string()).unwrap().record))
}

pub(crate) fn sent<P>(step: Step<P>) -> Request {
    match step {
        Step::Send(request) => request,
        Step::Done(_) => panic!("nothing is asked"),
    }
}

pub(crate) fn done<P>(step: Step<P>) -> P {
    match step {
        Step::Send(request) => panic!("{request:?}"),
        Step::Done(proposal) => proposal,
    }
}

/// What comes of one proposal: `task …`, or the id, kind and meaning of the constraint; else why it is set aside.
#[track_caller]
fn check_taken(proposals: Proposals, wanted: Result<&str, &str>) {
    let (notes, accepted) = taken(NOTES, proposals.clone());
    let tasks = accepted.tasks().iter().map(|own| format!("task {}: {}", own.text, own.quote.text()));
    let constraints = accepted
        .constraints()
        .iter()
        .map(|own| format!("{} {}: {}", own.id, own.kind().name(), own.quote.as_ref().unwrap().text()));
    let all: Vec<String> = tasks.chain(constraints).collect();
    match wanted {
        Ok(wanted) => assert_eq!(
            (all.as_slice(), accepted.aside.as_slice()),
            ([wanted.to_owned()].as_slice(), [].as_slice()),
            "{proposals:?}"
        ),
        Err(why) => {
            assert!(all.is_empty(), "{all:?}");
            assert_eq!(
                accepted.aside.iter().map(|own| own.reason.as_str()).collect::<Vec<_>>(),
                [why],
                "{proposals:?}"
            );
        }
    }
    assert_eq!(accepted.notes.tasks[..accepted.own_tasks], notes.tasks);
    assert_eq!(accepted.notes.constraints[..accepted.own_constraints], notes.constraints);
}

#[track_caller]
fn check_task(quote: &str, wanted: Result<&str, &str>) {
    check_taken(Proposals { tasks: vec![task(quote)], ..Proposals::default() }, wanted);
}

#[track_caller]
fn check_constraint(kind: &str, quote: &str, wanted: Result<&str, &str>) {
    check_taken(Proposals { constraints: vec![constraint(kind, quote, "")], ..Proposals::default() }, wanted);
}

const NOT_THERE: &str = "its quote does not stand in the notes";
const NOT_TODAY: &str = "its quote stands in no line of the notes that speaks of this day: it is done, struck out, quoted, a heading, meant for \
                         another day, or spread over several lines";
const WITHIN: &str = "its quote begins or ends within a word of the notes";

#[test]
fn a_task_is_words_of_this_day_that_code_reads_as_one() {
    check_task("bring Rex in", Ok("task bring Rex: bring Rex in"));
    check_task("invoices", Ok("task invoices: invoices"));
    check_task("the **deck** for Tuesday", Ok("task the deck: the **deck** for Tuesday"));
    check_task("the deck for\n  Tuesday", Ok("task the deck: the **deck** for Tuesday"));
    check_task("Call", Err("code has read a task there already: \"Call Ana\""));
    check_task("Write the report by 15:00", Err("code has read a task there already: \"Write the report\""));
    check_task("Pay rent", Err(NOT_TODAY));
    check_task("Water plants", Err(NOT_TODAY));
    check_task("no work before 11", Err(NOT_TODAY));
    check_task("Call the bank", Err(NOT_TODAY));
    check_task("Today", Err(NOT_TODAY));
    check_task("nvoices", Err(WITHIN));
    check_task("Buy a pony", Err(NOT_THERE));
    check_task("", Err(NOT_THERE));
    check_task("Standup", Err("code has read it as an event, c2, which needs no task"));
    check_task("before noon", Err("code reads no task in these words"));
}

#[test]
fn a_constraint_is_words_out_of_which_code_makes_one_of_that_kind() {
    check_constraint("not_before", "Run 5k, never before 9:00", Err("code has read that there already, as c3"));
    check_constraint("blocked", "nothing happens before ten", Ok("m1 blocked: nothing happens before ten"));
    check_constraint("not_before", "nothing happens before ten", Err("code reads these words as blocked"));
    check_constraint("deadline", "wrap up around five", Err("code reads no constraint in these words"));
    check_constraint("deadline", "by 18:00", Err(NOT_THERE));
    check_constraint("deadline", "Write the report by 15:00", Err("code has read that there already, as c1"));
    check_constraint("fixed_event", "Standup 9:30", Err("code has read that there already, as c2"));
    check_constraint("duration", "Standup 9:30-9:45", Err("code reads these words as fixed_event"));
    check_constraint("deadline", "port by 15:00", Err(WITHIN));
    check_constraint("not_before", "no work before 11", Err(NOT_TODAY));
    check_constraint("deadline", "Call the bank before 10", Err(NOT_TODAY));
    // What a task needs that nobody proposed.
    check_constraint(
        "deadline",
        "bring Rex in before noon",
        Err("it speaks of a task that cannot be told among those of the notes"),
    );
}

#[test]
fn a_constraint_may_speak_of_a_task_that_was_proposed_as_well() {
    let proposals = Proposals {
        tasks: vec![task("bring Rex in"), task("the deck for Tuesday"), task("bring Rex in before noon")],
        constraints: vec![
            constraint("deadline", "bring Rex in before noon", "before noon"),
            constraint("deadline", "bring Rex in before noon", ""),
            constraint("duration", "deck for Tuesday needs two hours of work today", "two  Hours"),
            constraint("duration", "deck for Tuesday needs two hours of work today", "three hours"),
        ],
    };
    let (notes, accepted) = taken(NOTES, proposals);
    let ids: Vec<(&str, &str)> =
        accepted.constraints().iter().map(|own| (own.id.as_str(), own.kind().name())).collect();
    assert_eq!(ids, [("m1", "deadline"), ("m2", "duration")], "{:?}", accepted.aside);
    assert_eq!(accepted.tasks().len(), 2);
    let reasons: Vec<&str> = accepted.aside.iter().map(|own| own.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "code has read a task there already: \"bring Rex\"",
            "code has read that there already, as m1",
            "its times are no words of its quote"
        ]
    );
    let said = accepted.notes.said();
    assert_eq!(said[notes.tasks.len() + 1].minutes_min, Some(120));
}

#[test]
fn of_ten_thousand_proposals_only_so_many_are_looked_at() {
    let tasks: Vec<ProposedTask> = (0..10_000).map(|_| task("invoices")).collect();
    let (_, accepted) = taken(NOTES, Proposals { tasks, ..Proposals::default() });
    assert_eq!((accepted.tasks().len(), accepted.aside.len()), (1, 9_999));
    assert_eq!(accepted.aside[9_998].reason, "more than 200 of its kind were proposed");
}

/// A reply to an extraction: what is not said of a part is empty.
fn brief(variant: Variant) -> Brief {
    let (_, notes) = read(NOTES);
    let constraints = notes.constraints.iter().map(|own| format!("{}: {}", own.id, own.text())).collect();
    let tasks = notes.tasks.iter().map(|own| own.text.clone()).collect();
    Brief { notes: NOTES.to_owned(), now: notes.now, variant, tasks, constraints, room_bytes: usize::MAX }
}

#[test]
fn a_naive_generator_sees_the_notes_alone_and_the_others_what_code_read() {
    let first = |variant| sent(Generation::first(&brief(variant)).next(None));
    let labels = |request: &Request| request.passages.iter().map(|it| it.label).collect::<Vec<_>>();
    let naive = first(Variant::V1Naive);
    assert_eq!((naive.role, labels(&naive)), (Role::PlanGenerate, vec!["notes"]));
    assert!(naive.instructions.contains("It is Monday, 2026-01-26T08:00:00-05:00 now"), "{}", naive.instructions);
    assert!(!naive.instructions.contains("constraints") && !naive.instructions.contains("3 to 7"));
    for variant in [Variant::V2Constraints, Variant::V3Validator, Variant::V4Repair] {
        let request = first(variant);
        assert_eq!(labels(&request), ["notes", "tasks", "constraints"]);
        assert!(request.instructions.contains("3 to 7 items"));
        assert!(request.passages[1].text.starts_with("- Write the report\n- Call Ana\n"));
        assert!(request.passages[2].text.starts_with("- c1: Write the report by 15:00\n- c2: Standup 9:30-9:45\n"));
        assert!(!request.instructions.contains("Rex") && !request.instructions.contains("Standup"));
    }
}

#[test]
fn a_repair_is_told_the_findings_verbatim_with_the_words_of_the_notes() {
    let (_, notes) = read(NOTES);
    let plan = vec![item("Write the report", 30, "15:00", "15:30")];
    let Evaluated::Value(validation) = check(&notes, &plan, &Settings::default()) else { panic!("not evaluable") };
    let request = sent(Generation::repair(&brief(Variant::V4Repair), &plan, &validation).next(None));
    let [_, _, _, shown, findings] = request.passages.as_slice() else { panic!("{:?}", request.passages) };
    assert_eq!((shown.label, findings.label), ("plan", "findings"));
    assert_eq!(shown.text, "1. 15:00 to 15:30, 30 minutes: Write the report\n");
    assert!(validation.errors.len() >= 2);
    for error in &validation.errors {
        assert!(findings.text.contains(error), "{error}\n{}", findings.text);
    }
    assert!(findings.text.contains("(the notes: \"Write the report by 15:00\")"), "{}", findings.text);
    assert!(!request.instructions.contains("Write the report"));
}

#[test]
fn long_notes_are_cut_at_a_line_and_told_so() {
    let notes = "- a line of notes\n".repeat(NOTES_BYTES_MAX / 18 + 10);
    let brief = Brief { notes: notes.clone(), ..brief(Variant::V1Naive) };
    let shown = sent(Generation::first(&brief).next(None)).passages[0].text.clone();
    assert!(shown.len() <= NOTES_BYTES_MAX && shown.ends_with("notes\n") && notes.starts_with(&shown));
    assert_eq!(brief.unread_bytes(), notes.len() - shown.len());
    assert_eq!(Brief { notes: "x".repeat(NOTES_BYTES_MAX), ..brief.clone() }.unread_bytes(), 0);
    assert_eq!(Brief { notes: "ü".repeat(NOTES_BYTES_MAX / 2 + 1), ..brief }.unread_bytes(), 2);
}

#[test]
fn a_reply_is_read_as_plain_values() {
    let mut exchange = Generation::first(&brief(Variant::V2Constraints));
    let request = sent(exchange.next(None));
    let said = serde_json::json!({
        "items": [
            {"task": " Call Ana ", "why": "", "timebox_minutes": -5, "start": "10:00", "end": " ", "constraint_ids": ["c1", "c9"]},
        ],
        "assumptions": ["all is well"], "questions": ["why?"], "confidence": "high"
    });
    let proposed = done(exchange.next(answer(&request, &said))).unwrap();
    assert_eq!(
        proposed,
        Proposed {
            items: vec![Given {
                task: Some("Call Ana".to_owned()),
                why: Some(String::new()),
                timebox_minutes: Some(-5),
                start: Some("10:00".to_owned()),
                end: None,
                with: Vec::new(),
                place: None,
            }],
            constraint_ids: vec![vec!["c1".to_owned(), "c9".to_owned()]],
            assumptions: vec!["all is well".to_owned()],
            questions: vec!["why?".to_owned()],
            confidence: Confidence::High,
        }
    );
    for nothing in [Nothing::Declined, Nothing::Failed("refused".to_owned()), Nothing::Unreadable(Vec::new())] {
        let mut exchange = Generation::first(&brief(Variant::V2Constraints));
        sent(exchange.next(None));
        assert_eq!(done(exchange.next(Some(Answer::Nothing(nothing.clone())))), Err(nothing));
    }
}

fn item(task: &str, minutes: i64, start: &str, end: &str) -> Given {
    Given {
        task: Some(task.to_owned()),
        timebox_minutes: Some(minutes),
        start: Some(start.to_owned()),
        end: Some(end.to_owned()),
        ..Given::default()
    }
}

fn proposal(items: Vec<Given>) -> Proposed {
    let constraint_ids = vec![Vec::new(); items.len()];
    Proposed { items, constraint_ids, assumptions: Vec::new(), questions: Vec::new(), confidence: Confidence::High }
}

fn value<T>(evaluated: Evaluated<T>) -> T {
    match evaluated {
        Evaluated::Value(value) => value,
        Evaluated::NotEvaluable(reason) => panic!("{reason}"),
    }
}

/// Days that the following tests go through.
const DAYS: u64 = 12;

#[test]
fn no_plan_passes_that_code_fails_and_a_repair_stands_only_where_it_is_better() {
    let settings = Settings::default();
    let (mut count, mut checks) = (0, std::collections::BTreeSet::new());
    for seed in 0..DAYS {
        let day = day(seed, usize::try_from(2 + seed % 4).unwrap());
        let notes = &day.notes;
        let built = value(run(notes, &settings, Variant::V2Constraints));
        let good = proposal(built.items.clone());
        let passed = value(generated(notes, &settings, Variant::V4Repair, &good, None));
        assert_eq!(
            (passed.standing, passed.plan.feasibility),
            (Standing::Recommended, Feasibility::Feasible),
            "seed {seed}"
        );
        assert_eq!(passed.validation, built.validation);
        for broken in breaks(notes, &built.plan.items) {
            let bad = proposal(broken.items.clone());
            let wanted = checked(notes, &broken.items);
            for variant in Variant::ALL {
                let found = value(generated(notes, &settings, variant, &bad, None));
                assert_eq!(found.standing, Standing::Rejected, "seed {seed}, {}", broken.check);
                assert_eq!(found.validation, wanted);
                assert_eq!(found.items, broken.items);
            }
            let repaired = |again: Result<Proposed, String>| {
                let found = value(generated(notes, &settings, Variant::V4Repair, &bad, Some(&again)));
                let spans: Vec<&str> = found.trace.iter().map(|step| step.span).collect();
                (found.standing, found.items == bad.items, spans.len(), found.trace.last().unwrap().output.clone())
            };
            let (standing, is_first, steps, _) = repaired(Ok(good.clone()));
            assert_eq!((standing, is_first, steps), (Standing::Recommended, false, 5));
            let (standing, is_first, steps, _) = repaired(Ok(bad.clone()));
            assert_eq!((standing, is_first, steps), (Standing::Rejected, true, 5));
            let (standing, is_first, steps, last) = repaired(Err("the call failed: refused".to_owned()));
            assert_eq!(
                (standing, is_first, steps, last.as_str()),
                (Standing::Rejected, true, 4, "nothing: the call failed: refused")
            );
            // Nothing at all is worse than one fault, whatever the fault.
            let empty = value(generated(notes, &settings, Variant::V4Repair, &bad, Some(&Ok(proposal(Vec::new())))));
            assert_eq!(empty.standing, Standing::Rejected);
            assert!(empty.validation.hard_count() <= wanted.hard_count());
            checks.insert(broken.check);
            count += 1;
        }
    }
    assert!(count >= 200 && checks.len() >= 14, "{count} {checks:?}");
}

#[test]
fn a_day_that_is_proved_overfull_has_no_plan_that_may_be_presented() {
    let (_, notes) = read(
        "- Write the report (2 hours)\n- Fix the gate (2 hours)\n- Call Ana\n- Call Bob\n- I only have 9:00 to 11:00\n",
    );
    let plan = proposal(vec![
        item("Write the report", 105, "09:00", "10:45"),
        item("Call Ana", 5, "10:45", "10:50"),
        item("Call Bob", 5, "10:50", "10:55"),
        item("Fix the gate", 5, "10:55", "11:00"),
    ]);
    let found = value(generated(&notes, &Settings::default(), Variant::V3Validator, &plan, None));
    assert_eq!(found.standing, Standing::Rejected);
    assert!(
        matches!(&found.plan.feasibility, Feasibility::Infeasible(proof) if proof.needed_minutes > proof.free_minutes)
    );
}

#[test]
fn of_the_ids_that_a_model_names_those_of_the_notes_stand_and_its_confidence_yields_to_questions() {
    let (_, mut notes) = read(NOTES);
    let mut plan = proposal(vec![item("Call Ana", 15, "10:00", "10:15"), item("Run 5k", 30, "10:15", "10:45")]);
    plan.constraint_ids[0] = ["c2", "m1", "c2", "contract-overlap", "c1"].map(str::to_owned).to_vec();
    let found = |notes: &Notes| value(generated(notes, &Settings::default(), Variant::V2Constraints, &plan, None)).plan;
    assert_eq!(found(&notes).items[0].constraint_ids, ["c2", "c1"]);
    notes.questions.clear();
    assert_eq!(found(&notes).confidence, Confidence::High);
    notes.questions.push("Which Ana?".to_owned());
    assert_eq!(found(&notes).confidence, Confidence::Low);
    assert_eq!(found(&notes).questions, ["Which Ana?"]);
}

#[test]
fn an_opinion_rests_on_words_of_the_plan() {
    let mut plan = vec![item("Call Ana about the  budget", 15, "10:00", "10:15"), item("Run 5k", 30, "10:15", "10:45")];
    plan[1].why = Some("It is “never before 9:00”.".to_owned());
    let mut exchange = Judgement::new(NOTES, &plan, usize::MAX);
    let request = sent(exchange.next(None));
    assert_eq!(request.role, Role::PlanJudge);
    assert_eq!(request.passages.iter().map(|it| it.label).collect::<Vec<_>>(), ["notes", "plan"]);
    let score = |dimension: &str, score: i64, quote: &str| serde_json::json!({"dimension": dimension, "score": score, "quote": quote, "comment": "so"});
    let said = serde_json::json!({"scores": [
        score("clarity", 4, "\"never before 9:00\""),
        score("realism", 5, "Write the report by 15:00"),
        score("specificity", 0, "Call Ana about the budget"),
        score("specificity", 5, "Run 5k"),
        score("alignment", 5, ""),
    ]});
    let said = done(exchange.next(answer(&request, &said))).unwrap();
    let (found, aside) = opinions(&plan, said);
    let found: Vec<_> = found
        .iter()
        .map(|own| (own.dimension.as_str(), own.score, own.item, own.field.name(), own.quote.as_str()))
        .collect();
    assert_eq!(
        found,
        [("specificity", 0, 0, "task", "Call Ana about the  budget"), ("clarity", 4, 1, "why", "“never before 9:00”")]
    );
    let aside: Vec<_> = aside.iter().map(|own| (own.what, own.text.as_str(), own.reason.as_str())).collect();
    assert_eq!(
        aside,
        [
            ("opinion", "realism 5: Write the report by 15:00", "its quote does not stand in the plan"),
            ("opinion", "specificity 5: Run 5k", "there is a score of that name already"),
            ("opinion", "alignment 5: ", "its quote does not stand in the plan"),
        ]
    );
    assert!(
        request
            .schema
            .read(r#"{"scores": [{"dimension": "realism", "score": 6, "quote": "", "comment": ""}]}"#)
            .is_err()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever is proposed, what the notes require by themselves stays as it is, and what is taken is words of them.
    #[test]
    fn a_proposal_adds_and_never_takes_away(
        proposals in prop::collection::vec((0..=Kind::ALL.len(), 0..NOTES.len(), 1..80_usize), 0..12),
    ) {
        let mut all = Proposals::default();
        for (kind, start, length) in proposals {
            let start = (0..=start).rev().find(|at| NOTES.is_char_boundary(*at) && (*at == 0 || NOTES.as_bytes()[at - 1] <= b' ')).unwrap();
            let end = (start + length).min(NOTES.len());
            let end = (end..=NOTES.len()).find(|at| *at == NOTES.len() || NOTES.as_bytes()[*at] <= b' ').unwrap();
            let quote = &NOTES[start..end];
            match Kind::ALL.get(kind) {
                None => all.tasks.push(task(quote)),
                Some(kind) => all.constraints.push(constraint(kind.name(), quote, "")),
            }
        }
        let proposed = all.tasks.len() + all.constraints.len();
        let (notes, accepted) = taken(NOTES, all);
        prop_assert_eq!(&accepted.notes.tasks[..accepted.own_tasks], &notes.tasks[..]);
        prop_assert_eq!(&accepted.notes.constraints[..accepted.own_constraints], &notes.constraints[..]);
        let taken = accepted.tasks().len() + accepted.constraints().len();
        prop_assert_eq!(taken + accepted.aside.len(), proposed);
        for own in accepted.constraints() {
            let quote = own.quote.as_ref().unwrap();
            prop_assert_eq!(&NOTES[quote.span().start..quote.span().end], quote.text());
        }
        // A plan made without them is held against the same notes as before.
        let settings = Settings::default();
        let planned = value(run(&notes, &settings, Variant::V4Repair));
        let again = value(run(&notes, &settings, Variant::V4Repair));
        prop_assert_eq!(planned, again);
    }
}

#[test]
fn status_is_of_the_notes_alone() {
    let (document, notes) = read(NOTES);
    let settings = Settings::default();
    let proposals = Proposals {
        constraints: vec![constraint("blocked", "nothing happens before ten", "")],
        ..Proposals::default()
    };
    let accepted = accept(FileId(0), &document, &notes, &settings, proposals);
    assert_eq!(accepted.constraints().len(), 1);
    let early = proposal(vec![
        item("Call Ana", 15, "08:30", "08:45"),
        item("Write the report", 60, "10:00", "11:00"),
        item("Run 5k", 30, "11:00", "11:30"),
    ]);
    let found = value(generated(&notes, &settings, Variant::V4Repair, &early, None));
    assert_eq!(found.validation.status, Status::Pass, "{:#?}", found.validation.errors);
    assert_eq!(checked(&accepted.notes, &early.items).status, Status::Fail);
}
