//! What a reading leaves open: what is not understood, questions, answers, and readings that are handed in.

use steadfast_evidence::{Evaluated, FileId};
use steadfast_plan::document::{GivenConstraint, GivenReading, GivenTask, Words, read_given};
use steadfast_plan::open::{AnswerError, Aside, QUESTIONS_MAX};
use steadfast_plan::plan::Feasibility;
use steadfast_plan::variant::{doubt, weigh};
use steadfast_plan::window::minutes_between;
use steadfast_plan::{Finding, Given, Kind, Notes, Settings, Standing, Variant, ask, check, plan, run};
use steadfast_text::{Document, Format};

use crate::reading::{NOW, read_at, shown};

fn standing(notes: &Notes) -> Standing {
    match run(notes, &Settings::default(), Variant::default()) {
        Evaluated::Value(planned) => planned.standing,
        Evaluated::NotEvaluable(reason) => panic!("{}", reason.0),
    }
}

fn answered(text: &str, answers: &[(&str, &str)]) -> Result<Notes, AnswerError> {
    let mut notes = read_at(NOW, text);
    let document = Document::from_str_as(text, Format::Markdown);
    let answers: Vec<(String, String)> =
        answers.iter().map(|(id, answer)| ((*id).to_owned(), (*answer).to_owned())).collect();
    ask::answer(FileId(0), &document, &Settings::default(), &mut notes, &answers)?;
    Ok(notes)
}

/// Notes of which the last line is not understood.
const OPEN: &str = "- write the report, 60 min\n- buy stamps, 15 min\n- cousin is moving at noon, told him no";

#[test]
fn what_is_understood_is_recommended() {
    let notes = read_at(NOW, "- write the report, 60 min\n- buy stamps, 15 min\n- call Ana before 4pm, 10 min");
    assert!(notes.unread.is_empty(), "{:?}", notes.unread);
    assert_eq!(standing(&notes), Standing::Recommended);
    assert!((notes.read_confidence() - 1.0).abs() < 1e-9);
}

#[test]
fn a_time_that_nothing_is_bound_to_is_asked_about() {
    let notes = read_at(NOW, OPEN);
    let unread: Vec<&str> = notes.unread.iter().map(|own| own.quote.text()).collect();
    assert_eq!(unread, ["cousin is moving at noon, told him no"]);
    assert_eq!(standing(&notes), Standing::NeedsAnswer);
    assert!(notes.read_confidence() < 1.0);
    let [question] = notes.open.as_slice() else { panic!("{:?}", notes.open) };
    assert!(question.choices.iter().any(|own| own.text == "\"buy stamps\" not before 12:00"), "{question:?}");
}

#[test]
fn an_answer_becomes_part_of_the_reading() {
    let id = read_at(NOW, OPEN).open[0].id.clone();
    let notes = answered(OPEN, &[(&id, "\"Buy stamps\" not before  12:00")]).unwrap();
    let last = notes.constraints.last().unwrap();
    assert!(Notes::is_answered(last));
    assert_eq!(shown(&notes).last().unwrap(), "buy stamps: from 12:00");
    assert!(notes.unread.is_empty() && notes.open.is_empty());
    assert_eq!(standing(&notes), Standing::Recommended);
}

#[test]
fn what_is_nothing_for_today_is_set_apart() {
    let id = read_at(NOW, OPEN).open[0].id.clone();
    let notes = answered(OPEN, &[(&id, "nothing for today")]).unwrap();
    assert!(notes.apart.iter().any(|own| own.reason == Aside::NotToday));
    assert_eq!(standing(&notes), Standing::Recommended);
}

#[test]
fn answers_that_nobody_asked_for_are_refused_by_name() {
    assert_eq!(answered(OPEN, &[("q1", "1")]).unwrap_err(), AnswerError::NoQuestion("q1".to_owned()));
    let id = read_at(NOW, OPEN).open[0].id.clone();
    for answer in ["0", "99", "perhaps", ""] {
        let error = answered(OPEN, &[(&id, answer)]).unwrap_err();
        assert!(matches!(error, AnswerError::NoChoice { .. }), "{answer}: {error}");
    }
}

#[test]
fn few_questions_are_asked_at_once() {
    let lines = "- cousin is moving at noon, told him no\n".repeat(QUESTIONS_MAX + 2);
    let mut notes = read_at(NOW, &format!("- write the report, 60 min\n- buy stamps, 15 min\n{lines}"));
    weigh(&mut notes, &Settings::default());
    assert_eq!(notes.unread.len(), QUESTIONS_MAX + 2, "{:?}", notes.unread);
    assert_eq!(notes.open.len(), QUESTIONS_MAX);
}

#[test]
fn what_no_plan_depends_on_is_not_asked() {
    let mut notes = read_at(NOW, "- write the report, 60 min (never fun)\n- buy stamps, 15 min\n- call Ana, 10 min");
    weigh(&mut notes, &Settings::default());
    assert!(!notes.needs_answer(), "{:?}", notes.unread);
    assert_eq!(notes.tasks.len(), 3, "{:?}", notes.tasks);
}

#[test]
fn lines_that_are_nothing_to_plan_are_set_apart() {
    let notes = read_at(
        NOW,
        "- write the report, 60 min\n- yoga 6pm CANCELLED\n- call the bank, 10 min, before the report\n- Karen has the visits today, not me",
    );
    let apart: Vec<(&str, Aside)> = notes.apart.iter().map(|own| (own.quote.text(), own.reason)).collect();
    assert_eq!(
        apart,
        [("yoga 6pm CANCELLED", Aside::NotToday), ("Karen has the visits today, not me", Aside::NotMine)]
    );
    assert_eq!(notes.tasks.len(), 2, "{:?}", notes.tasks);
}

#[test]
fn somebody_whose_name_is_part_of_a_word_is_not_named() {
    let notes = read_at(NOW, "- write the Annual report, 60 min\n- pay the rent\n- Ann has the visits today, not me");
    assert_eq!(notes.apart.len(), 1, "{:?}", shown(&notes));
    let notes = read_at(NOW, "- call Ann, 10 min\n- pay the rent\n- Ann has the visits today, not me");
    assert!(notes.apart.iter().all(|own| own.reason == Aside::Chatter), "{:?}", notes.apart);
}

/// Lines that may be nothing to plan, with words that would be asked about by themselves.
const DOUBTED: &[&str] = &[
    "church - skip, not going",
    "yoga - skipping, no energy before noon",
    "new bike when I win the lotto, not before",
    "breakfast whenever, nothing fancy, not before coffee",
    "the fan man did not come, then Monday",
    "cinema with Bo, not sure, after dinner",
];

#[test]
fn a_line_is_asked_about_once() {
    let mut doubted = 0;
    for line in DOUBTED {
        let notes = read_at(NOW, &format!("- write the report, 60 min\n- buy stamps, 15 min\n- {line}"));
        let mut ids: Vec<&str> = notes.open.iter().map(|own| own.id.as_str()).collect();
        ids.dedup();
        assert_eq!(ids.len(), notes.open.len(), "{line}: {:?}", notes.open);
        doubted += usize::from(notes.open.iter().any(|own| own.text.contains("something to do today")));
    }
    assert!(doubted > 0);
}

#[test]
fn a_question_says_whether_its_answers_make_different_plans() {
    let mut notes = read_at(NOW, OPEN);
    weigh(&mut notes, &Settings::default());
    assert!(notes.open[0].changes_plan);
}

fn words(quote: &str) -> Words {
    Words { quote: quote.to_owned(), span: None }
}

fn given() -> GivenReading {
    let task = |id: &str, quote: &str| GivenTask { id: id.to_owned(), words: words(quote), ..GivenTask::default() };
    GivenReading {
        tasks: vec![task("a", "write the report"), task("b", "buy stamps")],
        constraints: vec![GivenConstraint {
            id: "k".to_owned(),
            kind: Some(Kind::Availability),
            words: words("moving at noon"),
            tasks: vec!["b".to_owned()],
            start: Some("2026-01-26T10:00:00-05:00".to_owned()),
            end: Some("2026-01-26T12:00:00-05:00".to_owned()),
            ..GivenConstraint::default()
        }],
        ..GivenReading::default()
    }
}

fn taken(given: &GivenReading) -> Result<Notes, Vec<String>> {
    let own = read_at(NOW, OPEN);
    read_given(FileId(0), &Document::from_str_as(OPEN, Format::Markdown), &own, given)
}

#[test]
fn a_reading_that_is_handed_in_takes_the_place_of_code_s() {
    let notes = taken(&given()).unwrap();
    assert_eq!(shown(&notes), ["task write the report", "task buy stamps", "only buy stamps: 10:00-12:00"]);
    assert_eq!(standing(&notes), Standing::Recommended);
}

#[test]
fn a_reading_is_refused_by_name() {
    #[track_caller]
    fn refused(change: impl Fn(&mut GivenReading), said: &str) {
        let mut given = given();
        change(&mut given);
        let refused = taken(&given).unwrap_err();
        assert!(refused.iter().any(|own| own.contains(said)), "{refused:?}");
    }
    refused(
        |own| own.tasks[0].words.quote = "write the book".to_owned(),
        "task `a`: \"write the book\" does not stand",
    );
    refused(|own| own.constraints[0].words.quote = "moving at one".to_owned(), "constraint `k`: \"moving at one\"");
    refused(|own| own.constraints[0].tasks[0] = "z".to_owned(), "(\"moving at noon\"): there is no task `z`");
    refused(|own| own.constraints[0].start = Some("ten".to_owned()), "`start` \"ten\" is no time");
    refused(
        |own| own.constraints[0].end = Some("2026-01-26T09:00:00-05:00".to_owned()),
        "`end` is not after its `start`",
    );
    refused(|own| own.constraints[0].kind = Some(Kind::Presence), "kind presence");
    refused(|own| own.constraints[0].kind = None, "it has no kind");
    refused(|own| own.constraints[0].kind = Some(Kind::Order), "`start`, `end`, `tasks` says nothing of a constraint");
    refused(
        |own| {
            own.constraints[0] = GivenConstraint { start: None, end: None, ..own.constraints[0].clone() };
            own.constraints[0].tasks.clear();
            own.constraints[0].kind = Some(Kind::Order);
        },
        "needs `first` and `then`",
    );
    refused(
        |own| {
            own.constraints.push(duration("long", Some(60), None));
            own.constraints.push(duration("short", None, Some(30)));
        },
        "\"buy stamps\" takes at least 60 and at most 30 minutes",
    );
    refused(|own| own.constraints.push(duration("k2", Some(60), Some(30))), "`minutes_max` is less");
    refused(|own| own.tasks[1].id = "a".to_owned(), "task `a`: there are two of that id");
    refused(|own| own.tasks[0].minutes = Some(1440), "task `a`: `minutes` is not between 1 and 1439");
    refused(|own| own.constraints.push(own.constraints[0].clone()), "constraint `k`: there are two of that id");
}

fn duration(id: &str, minutes_min: Option<i64>, minutes_max: Option<i64>) -> GivenConstraint {
    GivenConstraint {
        id: id.to_owned(),
        kind: Some(Kind::Duration),
        words: words("buy stamps"),
        tasks: vec!["b".to_owned()],
        minutes_min,
        minutes_max,
        ..GivenConstraint::default()
    }
}

/// A constraint of a kind on the words "moving at noon".
fn about(id: &str, kind: Kind) -> GivenConstraint {
    GivenConstraint {
        id: id.to_owned(),
        kind: Some(kind),
        words: words("moving at noon"),
        ..GivenConstraint::default()
    }
}

fn at(clock: &str) -> Option<String> {
    Some(format!("2026-01-26T{clock}:00-05:00"))
}

#[test]
fn an_order_may_ask_for_time_between_and_name_an_event() {
    let mut own = given();
    own.constraints.clear();
    own.constraints.push(GivenConstraint {
        first: vec!["a".to_owned()],
        then: vec!["b".to_owned()],
        minutes_min: Some(50),
        ..about("o", Kind::Order)
    });
    // The event stands behind the order that names it.
    own.constraints.push(GivenConstraint {
        first: vec!["e".to_owned()],
        then: vec!["a".to_owned()],
        ..about("o2", Kind::Order)
    });
    own.constraints.push(GivenConstraint { start: at("12:00"), end: at("12:30"), ..about("e", Kind::FixedEvent) });
    let notes = taken(&own).unwrap();
    let plan = plan(&notes, &Settings::default());
    let when = |task: usize| plan.items.iter().find(|item| item.tasks == [task]).unwrap().when;
    assert!(when(0).start >= "2026-01-26T12:30:00-05:00".parse().unwrap(), "{plan:?}");
    assert!(minutes_between(when(0).end, when(1).start) >= 50, "{plan:?}");
}

#[test]
fn too_little_time_between_two_tasks_is_found() {
    let mut own = given();
    own.constraints = vec![GivenConstraint {
        first: vec!["a".to_owned()],
        then: vec!["b".to_owned()],
        minutes_min: Some(60),
        ..about("o", Kind::Order)
    }];
    let notes = taken(&own).unwrap();
    let item = |task: &str, start: &str, end: &str| Given {
        task: Some(task.to_owned()),
        timebox_minutes: Some(30),
        start: at(start),
        end: at(end),
        ..Given::default()
    };
    for (start, end, found) in [("13:59", "14:29", true), ("14:00", "14:30", false)] {
        let items = [item("write the report", "12:30", "13:00"), item("buy stamps", start, end)];
        let Evaluated::Value(validation) = check(&notes, &items, &Settings::default()) else { unreachable!() };
        let is_gap = |own: &Finding| own.message.contains("after \"write the report\" is done, not 60");
        assert_eq!(validation.findings.iter().any(is_gap), found, "{:?}", validation.findings);
    }
}

#[test]
fn windows_of_a_task_that_lie_apart_are_united() {
    let mut own = given();
    own.constraints.push(GivenConstraint {
        tasks: vec!["b".to_owned()],
        start: at("14:00"),
        end: at("15:00"),
        ..about("k2", Kind::Availability)
    });
    assert_eq!(
        shown(&taken(&own).unwrap())[2..],
        ["only buy stamps: 10:00-12:00,14:00-15:00", "only buy stamps: 10:00-12:00,14:00-15:00"]
    );
    own.constraints[1].start = at("11:00");
    assert_eq!(shown(&taken(&own).unwrap())[2..], ["only buy stamps: 10:00-12:00", "only buy stamps: 11:00-15:00"]);
}

#[test]
fn an_event_without_an_end_says_how_long_it_is_taken_to_last() {
    let mut own = given();
    own.constraints = vec![
        GivenConstraint { start: at("13:00"), name: Some("the call".to_owned()), ..about("e", Kind::FixedEvent) },
        GivenConstraint {
            start: at("16:00"),
            end: at("16:00"),
            name: Some("the rider".to_owned()),
            ..about("m", Kind::FixedEvent)
        },
    ];
    let notes = taken(&own).unwrap();
    assert_eq!(
        notes.assumptions,
        ["\"the call\" is taken to last 60 minutes", "\"the rider\" is taken to last 5 minutes"]
    );
}

#[test]
fn a_plan_without_a_task_that_is_not_optional_is_not_recommended() {
    let mut own = given();
    // Two windows of ten minutes hold no half hour, and nothing proves that the day is too full.
    own.constraints = vec![duration("d", Some(30), Some(30))];
    for (id, start, end) in [("k", "13:00", "13:10"), ("k2", "15:00", "15:10")] {
        own.constraints.push(GivenConstraint {
            tasks: vec!["b".to_owned()],
            start: at(start),
            end: at(end),
            ..about(id, Kind::Availability)
        });
    }
    assert_eq!(standing(&taken(&own).unwrap()), Standing::Rejected);
    own.tasks[1].optional = true;
    assert_eq!(standing(&taken(&own).unwrap()), Standing::Recommended);
}

#[test]
fn what_fits_in_parts_alone_is_planned_in_parts_unless_it_is_whole() {
    let mut own = given();
    own.constraints = vec![duration("d", Some(70), Some(70))];
    for (id, start, end) in [("k", "13:00", "13:50"), ("k2", "15:00", "15:40")] {
        own.constraints.push(GivenConstraint {
            tasks: vec!["b".to_owned()],
            start: at(start),
            end: at(end),
            ..about(id, Kind::Availability)
        });
    }
    let planned = plan(&taken(&own).unwrap(), &Settings::default());
    let minutes: Vec<i64> =
        planned.items.iter().filter(|item| item.tasks == [1]).map(|item| item.timebox_minutes).collect();
    assert_eq!(minutes, [50, 20]);
    assert_eq!(standing(&taken(&own).unwrap()), Standing::Recommended);
    own.tasks[1].whole = true;
    assert_eq!(standing(&taken(&own).unwrap()), Standing::Rejected);
}

#[test]
fn what_is_optional_spends_no_total_of_others_and_lies_in_the_afternoon() {
    let mut own = given();
    own.tasks[1].optional = true;
    own.constraints = vec![duration("d", Some(40), Some(40))];
    let starts = |own: &GivenReading| {
        let planned = plan(&taken(own).unwrap(), &Settings::default());
        planned.items.iter().find(|item| item.tasks == [1]).map(|item| item.when.start)
    };
    assert_eq!(starts(&own), Some("2026-01-26T13:00:00-05:00".parse().unwrap()));
    own.tasks[0].minutes = Some(60);
    own.constraints.push(GivenConstraint {
        tasks: vec!["a".to_owned(), "b".to_owned()],
        minutes_max: Some(90),
        ..about("t", Kind::Total)
    });
    assert_eq!(starts(&own), None);
    assert_eq!(standing(&taken(&own).unwrap()), Standing::Recommended);
}

#[test]
fn a_day_begins_when_it_is_planned_where_not_everything_fits_otherwise() {
    let early = "2026-01-26T05:30:00-05:00[America/Toronto]";
    let plan = |text: &str| plan(&read_at(early, text), &Settings::default());
    let first = |text: &str| plan(text).items.first().unwrap().when.start;
    let seven = "2026-01-26T07:00:00-05:00".parse().unwrap();
    assert!(first("- write the report, 60 min\n- buy stamps, 15 min") >= seven);
    let due = plan("- write the report, 90 min, by 8:00\n- buy stamps, 15 min");
    assert!(due.left_out.is_empty() && due.items[0].when.start < seven, "{due:?}");
}

#[test]
fn what_a_reading_leaves_unread_still_needs_an_answer() {
    let mut own = given();
    own.unread.push((words("60 min"), "how long".to_owned()));
    assert_eq!(standing(&taken(&own).unwrap()), Standing::NeedsAnswer);
}

/// A note with two events at the same time.
const CLASH: &str = "- print the forms, 10 min\n- usability session 13:30-14:30\n- parent teacher meeting 14:00-14:20";

#[test]
fn two_events_at_once_are_asked_about() {
    let notes = read_at(NOW, CLASH);
    let [question] = notes.open.as_slice() else { panic!("{:?} {:?}", notes.open, shown(&notes)) };
    assert!(question.text.contains("are at the same time"), "{question:?}");
    assert_eq!(standing(&notes), Standing::NeedsAnswer);
    let both = answered(CLASH, &[(&question.id, "yes, and I cannot be at both")]).unwrap();
    let Feasibility::Infeasible(proof) = plan(&both, &Settings::default()).feasibility else { panic!("it fits") };
    assert!(proof.proof.ends_with("are at the same time: nobody is at both."), "{}", proof.proof);
    let one = answered(CLASH, &[(&question.id, "somebody else's")]).unwrap();
    assert_eq!(standing(&one), Standing::Recommended);
}

#[test]
fn what_takes_place_during_a_shift_clashes_with_nothing() {
    for text in [
        "- print the forms, 10 min\n- workshop 9:00-12:30\n- call with Ana 10:00-10:20",
        "- print the forms, 10 min\n- session 13:30-14:30\n- call with Ana 14:30-14:50",
    ] {
        let notes = read_at(NOW, text);
        assert!(!notes.open.iter().any(|own| own.text.contains("at the same time")), "{:?}", notes.open);
    }
}

#[test]
fn two_events_at_once_of_a_reading_that_is_handed_in_prove_that_not_everything_fits() {
    let own = read_at(NOW, CLASH);
    let document = Document::from_str_as(CLASH, Format::Markdown);
    let words = |quote: &str| Words { quote: quote.to_owned(), span: None };
    let event = |id: &str, quote: &str, start: &str, end: &str| GivenConstraint {
        id: id.to_owned(),
        kind: Some(Kind::FixedEvent),
        words: words(quote),
        start: Some(format!("2026-01-26T{start}:00-05:00")),
        end: Some(format!("2026-01-26T{end}:00-05:00")),
        ..GivenConstraint::default()
    };
    let reading = GivenReading {
        tasks: vec![GivenTask { id: "t1".to_owned(), words: words("print the forms"), ..GivenTask::default() }],
        constraints: vec![
            event("c1", "usability session", "13:30", "14:30"),
            event("c2", "parent teacher meeting", "14:00", "14:20"),
        ],
        ..GivenReading::default()
    };
    let notes = read_given(FileId(0), &document, &own, &reading).unwrap();
    assert!(matches!(plan(&notes, &Settings::default()).feasibility, Feasibility::Infeasible(_)));
}

#[test]
fn a_reading_says_how_long_something_may_be_done_on_end() {
    let text = "- read the proofs, 2 hrs\nmax 50 min of proofs at a time";
    let own = read_at(NOW, text);
    let document = Document::from_str_as(text, Format::Markdown);
    let words = |quote: &str| Words { quote: quote.to_owned(), span: None };
    let reading = |minutes_min, minutes_max| GivenReading {
        tasks: vec![GivenTask { id: "t1".to_owned(), words: words("read the proofs"), ..GivenTask::default() }],
        constraints: vec![GivenConstraint {
            id: "c1".to_owned(),
            kind: Some(Kind::Exclusion),
            words: words("max 50 min of proofs at a time"),
            tasks: vec!["t1".to_owned()],
            minutes_min,
            minutes_max,
            ..GivenConstraint::default()
        }],
        ..GivenReading::default()
    };
    let read = |min, max| read_given(FileId(0), &document, &own, &reading(min, max));
    assert_eq!(shown(&read(None, Some(50)).unwrap())[1], "read the proofs: 50 min on end, then 10 off");
    // A rest may be longer than the work.
    assert_eq!(shown(&read(Some(90), Some(50)).unwrap())[1], "read the proofs: 50 min on end, then 90 off");
    assert!(read(Some(10), None).unwrap_err()[0].contains("needs `minutes_max` beside `minutes_min`"));
}

#[test]
fn where_two_readings_differ_and_it_matters_it_is_asked() {
    let text = "- pack dinner\n- feed the cat, 10 min\n- sort mail, 10 min";
    let document = Document::from_str_as(text, Format::Markdown);
    let doubted = |sure: f64, leaves_open: bool| {
        let mut notes = read_at(NOW, text);
        let mut other = notes.other.take().expect("phrases leave nothing open");
        let quote = other.tasks[0].quote.clone();
        // What one reading has that a plan of the other breaks.
        let rule = steadfast_plan::Rule::Duration { task: 0, minutes_min: Some(7 * 60), minutes_max: None };
        let id = "c9".to_owned();
        other.constraints.push(steadfast_plan::Constraint { id, rule, quote: Some(quote.clone()), hard: true });
        other.pieces = vec![(quote.span(), sure)];
        other.least_sure = (!leaves_open).then(|| (quote.clone(), sure));
        notes.other = Some(other);
        doubt(FileId(0), &document, &mut notes, &Settings::default());
        notes
    };
    let mut asked = doubted(0.9, false);
    assert!(asked.by_pieces && asked.other.as_ref().is_some_and(|own| !own.by_pieces));
    let [question] = asked.open.as_slice() else { panic!("{:?}", asked.open) };
    assert_eq!(
        question.text,
        "Does \"pack dinner\" mean this: \"pack dinner\" takes 420 minutes? The reading is not sure of it."
    );
    assert_eq!(standing(&asked), Standing::NeedsAnswer);
    let id = question.id.clone();
    asked.answer(&id, "no, nothing of that kind").unwrap();
    assert!(!asked.constraints.iter().any(|own| own.id == "c9") && asked.tasks.len() == 3, "{:?}", shown(&asked));
    // What a scorer is not sure of doubts nothing, nor does a reading that leaves something open itself.
    for notes in [doubted(0.4, false), doubted(0.9, true)] {
        assert!(!notes.by_pieces);
        assert_eq!(standing(&notes), Standing::Recommended);
    }
}
