//! What must hold for all notes and plans.

use proptest::prelude::*;
use steadfast_evidence::{Evaluated, FileId, Quote};
use steadfast_plan::model::{intent, vocabulary};
use steadfast_plan::variant::{Standing, Variant, run};
use steadfast_plan::verdict::{Metrics, passes};
use steadfast_plan::{
    Constraint, Form, Given, Interval, Notes, Priority, Readings, Rule, Settings, Status, Task, answer, check, validate,
};
use steadfast_text::{Document, Format, Span};

use crate::broken::{breaks, checked};
use crate::days::{Dice, day};
use crate::notation::{moment, zone};

/// The findings without their order.
fn sorted(validation: &steadfast_plan::Validation) -> Vec<(String, Option<String>, Option<usize>, bool)> {
    let mut findings: Vec<_> = validation
        .findings
        .iter()
        .map(|it| (it.message.clone(), it.constraint_id.clone(), it.item_index, it.hard))
        .collect();
    findings.sort();
    findings
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The order of constraints changes neither verdict nor findings nor plan.
    #[test]
    fn order_does_not_matter(seed in any::<u64>(), shuffle in any::<u64>(), pick in any::<prop::sample::Index>()) {
        let day = day(seed, usize::try_from(2 + seed % 4).unwrap());
        let mut other = day.notes.clone();
        let mut dice = Dice::new(shuffle);
        for at in (1..other.constraints.len()).rev() {
            let with = usize::try_from(dice.roll(0, i64::try_from(at).unwrap())).unwrap();
            other.constraints.swap(at, with);
        }
        let settings = Settings::default();
        let plan = steadfast_plan::plan(&day.notes, &settings);
        let again = steadfast_plan::plan(&other, &settings);
        let times = |plan: &steadfast_plan::Plan| -> Vec<_> { plan.items.iter().map(|it| (it.task.clone(), it.when)).collect() };
        prop_assert_eq!(times(&plan), times(&again));
        let all = breaks(&day.notes, &plan.items);
        let broken = &all[pick.index(all.len())];
        let (a, b) = (checked(&day.notes, &broken.items), checked(&other, &broken.items));
        prop_assert_eq!(a.status, b.status);
        prop_assert_eq!(a.metrics, b.metrics);
        prop_assert_eq!(sorted(&a), sorted(&b));
    }

    /// A further violated constraint never turns fail into pass, nor pass into pass.
    #[test]
    fn a_further_violation_never_helps(seed in any::<u64>(), pick in any::<prop::sample::Index>(), at in any::<prop::sample::Index>()) {
        let day = day(seed, usize::try_from(2 + seed % 4).unwrap());
        let plan = steadfast_plan::plan(&day.notes, &Settings::default());
        let mut all: Vec<Vec<Given>> = breaks(&day.notes, &plan.items).into_iter().map(|it| it.items).collect();
        all.push(plan.given(&zone()));
        let items = &all[pick.index(all.len())];
        let before = checked(&day.notes, items);
        let mut notes = day.notes.clone();
        let work: Vec<Interval> = plan.items.iter().filter(|it| !it.tasks.is_empty()).map(|it| it.when).collect();
        let quote = notes.constraints[0].quote.clone();
        let task = at.index(notes.tasks.len());
        let rules = [
            Rule::MustDo { task, within: Some(Interval::until(notes.now.timestamp())) },
            Rule::Deadline { task: None, by: Readings::unique(notes.now.timestamp()) },
            Rule::Availability { who: None, when: Readings::unique(vec![Interval::until(notes.now.timestamp())]) },
            Rule::Blocked { name: None, who: None, when: Readings::unique(work) },
        ];
        for rule in rules {
            notes.constraints.push(Constraint { id: "added".to_owned(), rule, quote: quote.clone(), hard: true });
            let after = checked(&notes, items);
            if before.status == Status::Fail {
                prop_assert_eq!(after.status, Status::Fail);
            }
            if items.iter().all(|item| item.start.is_some()) && items.len() > 2 {
                prop_assert_eq!(after.status, Status::Fail, "{:?}", notes.constraints.last());
            }
            notes.constraints.pop();
        }
    }

    /// The pass rule is monotone in each metric.
    #[test]
    fn the_pass_rule_is_monotone(
        violated in 0_usize..3, flags in 0_usize..3, available in 0_i64..100, overflow in 0_i64..3, ratio in 0.0_f64..=1.0,
    ) {
        let metrics = Metrics {
            constraints_declared: 9,
            constraints_violated: violated,
            time_available_minutes: available,
            time_planned_minutes: available + overflow,
            time_overflow_minutes: overflow,
            hallucination_flags: flags,
            human_feasibility_flags: 1,
            context_coverage_ratio: Some(ratio),
        };
        let worse = [
            Metrics { constraints_violated: violated + 1, ..metrics },
            Metrics { hallucination_flags: flags + 1, ..metrics },
            Metrics { time_overflow_minutes: overflow + 1, ..metrics },
            Metrics { context_coverage_ratio: Some(ratio / 2.0), ..metrics },
        ];
        for worse in worse {
            prop_assert!(passes(&metrics) || !passes(&worse));
        }
    }

    /// What is recommended passes, whatever the notes demand; every item lies after the current time.
    #[test]
    fn what_is_recommended_passes(seed in any::<u64>(), count in 1_usize..12, squeeze in 0_i64..600) {
        let mut day = day(seed, count);
        // Less time than the day needs, as often as not.
        let end = steadfast_plan::window::minutes_after(day.notes.now.timestamp(), squeeze);
        let quote = day.notes.constraints[0].quote.clone();
        let rule = Rule::Deadline { task: None, by: Readings::unique(end) };
        day.notes.constraints.push(Constraint { id: "end".to_owned(), rule, quote, hard: true });
        for variant in Variant::ALL {
            let Evaluated::Value(planned) = run(&day.notes, &Settings::default(), variant) else { panic!("not evaluable") };
            let again = checked(&day.notes, &planned.items);
            prop_assert_eq!(&again, &planned.validation);
            // Neither a task in its own words nor what we say of it is an invention.
            prop_assert!(again.findings.iter().all(|it| !it.check.starts_with("invented-")), "{:?}", again.errors);
            if planned.standing == Standing::Recommended {
                prop_assert_eq!(again.status, Status::Pass);
            }
            if let steadfast_plan::Feasibility::Infeasible(overload) = &planned.plan.feasibility {
                prop_assert!(overload.needed_minutes > overload.free_minutes);
                prop_assert!(!overload.drop.is_empty());
                prop_assert_eq!(planned.standing, Standing::Rejected);
            }
            if variant != Variant::V1Naive {
                prop_assert!(planned.plan.items.len() <= 7);
                // All that the planner plans is sound: only what is left out, or too little, can fail it.
                let faults: Vec<_> = again.findings.iter().filter(|it| it.hard).map(|it| it.check).collect();
                let excused = |check: &&str| ["must-do-missing", "coverage-low", "item-count"].contains(check);
                prop_assert!(faults.iter().all(excused), "{:?} {:#?}", again.errors, planned.items);
            }
        }
    }

    /// Any text in any field is read without a panic, and messages stay short.
    #[test]
    fn any_plan_is_read(
        task in ".{0,200}", why in "\\PC{0,200}", minutes in any::<i64>(), start in "[0-9:apmDy .-]{0,20}", end in ".{0,30}",
        with in ".{0,40}", count in 0_usize..12, form in any::<bool>(), seed in any::<u64>(),
    ) {
        let day = day(seed, 3);
        let item = Given {
            task: Some(task),
            why: Some(why),
            timebox_minutes: Some(minutes),
            start: Some(start),
            end: Some(end),
            with: vec![with],
            place: None,
        };
        let items = vec![item; count];
        let form = if form { Form::Plan } else { Form::Events };
        let answer = answer::read(&day.notes, &items, form);
        let Evaluated::Value(validation) = validate(&day.notes, &answer, &Settings::default()) else { panic!("not evaluable") };
        prop_assert!(validation.findings.iter().all(|it| it.message.len() < 4_000));
        let plan = steadfast_plan::repair(&day.notes, &Settings::default(), &answer, &validation);
        prop_assert!(plan.items.len() <= 7);
    }

    /// Notes that say anything at all are planned without a panic.
    #[test]
    fn any_notes_are_planned(
        texts in prop::collection::vec("\\PC{1,60}", 0..20), minutes in prop::collection::vec(any::<i64>(), 20),
        times in prop::collection::vec((any::<i32>(), any::<i32>()), 20), kinds in prop::collection::vec(0_u8..9, 20),
    ) {
        let now = moment("2026-03-08 00:30");
        let text: String = texts.iter().map(|line| format!("x{line}\n")).collect();
        let document = Document::from_str_as(&text, Format::Plain);
        let mut notes = Notes::empty(now);
        notes.vocabulary = vocabulary(&text);
        let mut start = 0;
        for (at, line) in texts.iter().enumerate() {
            let quote = Quote::cut(FileId(0), &document, Span::new(start, start + line.len() + 1)).unwrap();
            start += line.len() + 2;
            notes.tasks.push(Task {
                quote: quote.clone(),
                text: line.clone(),
                intent: intent(line),
                priority: Priority::Normal,
                with: Vec::new(),
                place: None,
                in_one_go: at % 3 == 0,
            });
            let moment = |second: i32| jiff::Timestamp::from_second(i64::from(second)).unwrap();
            let (a, b) = (moment(times[at].0), moment(times[at].1));
            let when = || Readings::new(vec![Interval::new(a, b)], vec![vec![Interval::from(b)], Vec::new()]);
            let rule = match kinds[at] {
                0 => Rule::Duration { task: at, minutes_min: Some(minutes[at]), minutes_max: Some(minutes[19 - at % 20]) },
                1 => Rule::Blocked { name: Some(line.clone()), who: None, when: when() },
                2 => Rule::FixedEvent { name: line.clone(), when: when(), with: Vec::new(), place: None },
                3 => Rule::Availability { who: None, when: when() },
                4 => Rule::Order { first: at, then: (at * 7 + 3) % texts.len(), gap: 0 },
                5 => Rule::Deadline { task: Some(at), by: Readings::new(a, vec![b]) },
                6 => Rule::MustDo { task: at, within: Some(Interval::new(a, b)) },
                7 => Rule::Total { unit: steadfast_plan::model::Unit::Minutes, tasks: Vec::new(), min: None, max: Some(minutes[at]) },
                _ => Rule::Objective { tasks: vec![at, at / 2] },
            };
            notes.constraints.push(Constraint { id: format!("c{at}"), rule, quote: Some(quote), hard: true });
        }
        for variant in Variant::ALL {
            if let Evaluated::Value(planned) = run(&notes, &Settings::default(), variant) {
                prop_assert!(planned.plan.items.len() <= 7);
            } else {
                prop_assert!(texts.is_empty());
            }
        }
    }
}

/// Pieces of notes that speak of one another.
const PIECES: &[&str] = &[
    "call Sam",
    "scratch that",
    "never mind",
    "send the deck before I leave",
    "leaving at 5",
    "leave at 4 for the dentist",
    "review moved to 3",
    "dentist at 5",
    "cancelled",
    "no wait, it's 4",
    "(the card says 8:45)",
    "already paid",
    "so not me",
    "must go out by 3",
    "20m",
    "then test it",
    "report",
    "back at 7",
    "they close at 6",
    "if there's time",
    "tomorrow",
    "9-17",
    "only 9-11",
    "until 2",
    "needs it by then",
    "before it I call Ana",
    "free after that",
    "another day",
    "call Ana",
    "(20 min)",
    "everything before that",
    "calls only after 2",
    "must",
    "todo: a, b, c",
    "the report has to be finished by then",
];

/// What stands between them.
const JOINTS: &[&str] = &[", ", ". ", "\n", "\n- ", " \u{2013} ", " \u{2192} ", "; ", " and ", "\n\n", " | ", ": "];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever is taken back, corrected or said of something else: every constraint names tasks that are there and quotes
    /// the notes, and the day can be planned.
    #[test]
    fn what_is_taken_back_leaves_nothing_behind(picks in prop::collection::vec((0..PIECES.len(), 0..JOINTS.len()), 1..25)) {
        let mut text = String::new();
        for (piece, joint) in picks {
            text.push_str(PIECES[piece]);
            text.push_str(JOINTS[joint]);
        }
        let now = "2026-01-26T08:00:00-05:00[America/Toronto]".parse().unwrap();
        let document = Document::from_str_as(&text, Format::Markdown);
        let notes = steadfast_plan::ask::read(FileId(0), &document, &now, &Settings::default());
        for (at, constraint) in notes.constraints.iter().enumerate() {
            let rule = if let Rule::Preference { wish } = &constraint.rule { wish } else { &constraint.rule };
            let named: Vec<usize> = match rule {
                Rule::MustDo { task, .. } | Rule::Duration { task, .. } => vec![*task],
                Rule::Deadline { task, .. } | Rule::NotBefore { task, .. } => task.iter().copied().collect(),
                Rule::Order { first, then, .. } => vec![*first, *then],
                Rule::Objective { tasks } => tasks.clone(),
                _ => Vec::new(),
            };
            prop_assert!(named.iter().all(|task| *task < notes.tasks.len()), "{rule:?}\n{text}");
            let quote = constraint.quote.as_ref().unwrap();
            prop_assert_eq!(text.get(quote.span().range()), Some(quote.text()));
            prop_assert_eq!(&constraint.id, &format!("c{}", at + 1));
        }
        let planned = run(&notes, &Settings::default(), Variant::V4Repair);
        prop_assert!(matches!(planned, Evaluated::Value(_)) || (notes.tasks.is_empty() && notes.constraints.is_empty()));
    }
}

#[test]
fn long_texts_are_read_in_time() {
    let day = day(1, 3);
    for text in ["a ".repeat(500_000), "7".repeat(1_000_000), "((((".repeat(250_000), "by 5 ".repeat(200_000)] {
        let item = Given { task: Some(text.clone()), why: Some(text.clone()), start: Some(text), ..Given::default() };
        assert!(matches!(check(&day.notes, &[item], &Settings::default()), Evaluated::Value(_)));
    }
}
