//! A passing plan, broken in every way that its constraints allow: each break is caught, and by the right check.

use std::collections::BTreeMap;

use steadfast_evidence::Evaluated;
use steadfast_plan::variant::{Standing, Variant, run};
use steadfast_plan::window::minutes_after;
use steadfast_plan::{
    Feasibility, Given, Interval, Notes, PlanItem, Role, Rule, Settings, Status, Validation, answer, repair, validate,
};

use crate::days::{Day, day, given};
use crate::notation::zone;

/// A plan with one fault, and the check that has to find it.
pub(crate) struct Broken {
    pub(crate) check: &'static str,
    pub(crate) items: Vec<Given>,
}

pub(crate) fn checked(notes: &Notes, items: &[Given]) -> Validation {
    let answer = answer::read(notes, items, steadfast_plan::Form::Plan);
    match validate(notes, &answer, &Settings::default()) {
        Evaluated::Value(validation) => validation,
        Evaluated::NotEvaluable(reason) => panic!("{reason}"),
    }
}

/// Moves an item, its length kept.
fn moved(item: &PlanItem, start: jiff::Timestamp) -> PlanItem {
    let mut item = item.clone();
    item.when = Interval::new(start, minutes_after(start, item.timebox_minutes));
    item
}

/// Every way to break a passing plan that its constraints allow.
pub(crate) fn breaks(notes: &Notes, items: &[PlanItem]) -> Vec<Broken> {
    let zone = zone();
    let plain = |items: &[PlanItem]| -> Vec<Given> { items.iter().map(|item| item.given(&zone)).collect() };
    let mut out = Vec::new();
    let mut with = |check: &'static str, at: usize, change: &dyn Fn(&PlanItem) -> PlanItem| {
        let mut items = items.to_vec();
        items[at] = change(&items[at]);
        out.push(Broken { check, items: plain(&items) });
    };
    let work = |at: &usize| items[*at].role == Role::Work;
    let works: Vec<usize> = (0..items.len()).filter(work).collect();
    let of = |task: usize| works.iter().copied().find(|at| items[*at].tasks == [task]);
    let whole = |task: usize| works.iter().filter(|at| items[**at].tasks.contains(&task)).count() == 1;
    for constraint in &notes.constraints {
        match &constraint.rule {
            Rule::Blocked { when, .. } | Rule::FixedEvent { when, .. } => {
                for at in &works {
                    with("time-blocked", *at, &|item| moved(item, when.first()[0].start));
                }
            }
            Rule::Deadline { task: Some(task), by } => {
                if let Some(at) = of(*task) {
                    with("deadline-missed", at, &|item| {
                        moved(item, minutes_after(*by.first(), 5 - item.timebox_minutes))
                    });
                }
            }
            Rule::Deadline { task: None, by } => {
                for at in &works {
                    with("deadline-missed", *at, &|item| moved(item, *by.first()));
                }
            }
            Rule::NotBefore { task: Some(task), from } => {
                if let Some(at) = of(*task) {
                    with("begun-early", at, &|item| moved(item, minutes_after(*from.first(), -5)));
                }
            }
            Rule::Availability { when, .. } => {
                let times = when.first()[0];
                for at in &works {
                    with("outside-availability", *at, &|item| moved(item, minutes_after(times.end, -5)));
                }
            }
            Rule::Duration { task, .. } => {
                if let Some(at) = of(*task).filter(|_| whole(*task)) {
                    with("duration-broken", at, &|item| {
                        let mut item = item.clone();
                        item.timebox_minutes -= 5;
                        item.when.end = minutes_after(item.when.end, -5);
                        item
                    });
                }
            }
            _ => {}
        }
    }
    for at in &works {
        with("invented-name", *at, &|item| PlanItem { with: vec!["Zoltan".to_owned()], ..item.clone() });
        with("invented-name", *at, &|item| PlanItem {
            task: format!("{} with Zoltan Varga", item.task),
            ..item.clone()
        });
        with("invented-name", *at, &|item| PlanItem {
            why: "It was Priya who asked for it.".to_owned(),
            ..item.clone()
        });
        with("invented-meeting", *at, &|item| PlanItem {
            why: "It is needed for the board meeting.".to_owned(),
            ..item.clone()
        });
        with("invented-deadline", *at, &|item| PlanItem { why: "It is due by 4:07 pm.".to_owned(), ..item.clone() });
        with("start-past", *at, &|item| moved(item, minutes_after(notes.now.timestamp(), -120)));
        with("item-times", *at, &|item| PlanItem { timebox_minutes: item.timebox_minutes + 30, ..item.clone() });
        with("timebox-min", *at, &|item| PlanItem { timebox_minutes: 3, ..item.clone() });
        if let Some(next) = items.get(at + 1) {
            with("items-overlap", *at, &|item| {
                let when = Interval::new(item.when.start, minutes_after(next.when.start, 5));
                PlanItem { timebox_minutes: when.minutes(), when, ..item.clone() }
            });
        }
    }
    let mut whole_plan = |check: &'static str, items: Vec<PlanItem>| {
        out.push(Broken { check, items: plain(&items) });
    };
    for constraint in &notes.constraints {
        match &constraint.rule {
            Rule::MustDo { task, .. } => {
                let rest = items.iter().filter(|item| !item.tasks.contains(task)).cloned().collect();
                whole_plan("must-do-missing", rest);
            }
            Rule::Order { first, then, .. } => {
                if let (Some(a), Some(b)) = (of(*first).filter(|_| whole(*first)), of(*then).filter(|_| whole(*then))) {
                    let mut swapped = items.to_vec();
                    swapped[a] = moved(&items[a], items[b].when.start);
                    swapped[b] = moved(&items[b], items[a].when.start);
                    whole_plan("order-reversed", swapped);
                }
            }
            _ => {}
        }
    }
    whole_plan("item-count", items[..2].to_vec());
    let mut many = items.to_vec();
    while many.len() < 8 {
        many.push(PlanItem { task: "Buffer".to_owned(), tasks: Vec::new(), role: Role::Buffer, ..items[0].clone() });
    }
    whole_plan("item-count", many);
    let few: Vec<PlanItem> = items.iter().filter(|item| item.role != Role::Work).cloned().collect();
    whole_plan("coverage-low", few);
    // Without times nothing but the sum shows that it is too much.
    let mut untimed = plain(items);
    for item in &mut untimed {
        item.start = None;
        item.end = None;
        item.timebox_minutes = item.timebox_minutes.map(|minutes| minutes + 600);
    }
    out.push(Broken { check: "time-overflow", items: untimed });
    out
}

fn made(day: &Day) -> steadfast_plan::Planned {
    match run(&day.notes, &Settings::default(), Variant::V2Constraints) {
        Evaluated::Value(planned) => planned,
        Evaluated::NotEvaluable(reason) => panic!("{reason}"),
    }
}

/// Days that the following tests go through.
const DAYS: u64 = 24;

#[test]
fn what_fits_is_planned_and_passes() {
    let mut flagged = 0;
    for seed in 0..DAYS * 10 {
        let day = day(seed, usize::try_from(1 + seed % 5).unwrap());
        let truth: Vec<Given> =
            day.notes.tasks.iter().zip(&day.truth).map(|(task, when)| given(&task.text, *when)).collect();
        let validation = checked(&day.notes, &truth);
        let faults: Vec<_> = validation.findings.iter().filter(|it| it.hard && it.check != "item-count").collect();
        assert!(faults.is_empty(), "seed {seed}: the schedule that is known to hold: {faults:#?}");
        let planned = made(&day);
        assert_eq!(planned.plan.feasibility, Feasibility::Feasible, "seed {seed}: {:#?}", planned.plan);
        assert_eq!(
            planned.validation.status,
            Status::Pass,
            "seed {seed}: {:#?}\n{:#?}",
            planned.validation.errors,
            planned.plan
        );
        assert_eq!(planned.standing, Standing::Recommended);
        let is_flagged = |validation: &Validation| validation.metrics.human_feasibility_flags > 0;
        flagged += usize::from(is_flagged(&planned.validation) && !is_flagged(&validation));
    }
    println!("{flagged} of {} plans leave no room for a break where the known schedule does", DAYS * 10);
    assert!(flagged * 50 <= usize::try_from(DAYS * 10).unwrap(), "{flagged}");
}

#[test]
fn every_break_is_caught_by_its_check() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..DAYS {
        let day = day(seed, usize::try_from(2 + seed % 4).unwrap());
        let planned = made(&day);
        for broken in breaks(&day.notes, &planned.plan.items) {
            let validation = checked(&day.notes, &broken.items);
            assert_eq!(validation.status, Status::Fail, "seed {seed}, {}: {:#?}", broken.check, broken.items);
            let caught = validation.findings.iter().any(|finding| finding.hard && finding.check == broken.check);
            assert!(caught, "seed {seed}, {}: {:#?}\n{:#?}", broken.check, broken.items, validation.findings);
            *counts.entry(broken.check).or_default() += 1;
        }
    }
    println!("{counts:?}");
    assert!(counts.len() >= 16, "{counts:?}");
    assert!(counts.values().sum::<usize>() >= 500, "{counts:?}");
}

#[test]
fn every_broken_plan_is_repaired() {
    let mut count = 0;
    let mut kept = (0, 0);
    for seed in 0..DAYS {
        let day = day(seed, usize::try_from(2 + seed % 4).unwrap());
        let settings = Settings::default();
        let planned = made(&day);
        for broken in breaks(&day.notes, &planned.plan.items) {
            let answer = answer::read(&day.notes, &broken.items, steadfast_plan::Form::Plan);
            let before = checked(&day.notes, &broken.items);
            let plan = repair(&day.notes, &settings, &answer, &before);
            let items = plan.given(&zone());
            let after = checked(&day.notes, &items);
            assert_eq!(
                after.status,
                Status::Pass,
                "seed {seed}, {}: {:#?}\n{items:#?}\n{:#?}",
                broken.check,
                broken.items,
                after.errors
            );
            assert!(!matches!(plan.feasibility, Feasibility::Infeasible(_)), "seed {seed}, {}", broken.check);
            let said = day.notes.said();
            assert!(plan.left_out.iter().all(|task| said[*task].is_optional()), "seed {seed}, {}", broken.check);
            for (at, item) in broken.items.iter().enumerate() {
                if item.start.is_some() && !before.findings.iter().any(|it| it.hard && it.item_index == Some(at)) {
                    kept.1 += 1;
                    kept.0 += usize::from(items.contains(item));
                }
            }
            count += 1;
        }
    }
    assert!(count >= 500, "{count}");
    println!("{count} plans repaired; of {} items without a fault {} stand as they were", kept.1, kept.0);
    // What was right stays as it was, but where it stands in the way of what was not.
    assert!(kept.0 * 10 >= kept.1 * 9, "{kept:?}");
}

#[test]
fn repair_does_not_shorten_below_the_notes() {
    for seed in 0..DAYS {
        let day = day(seed, 4);
        let settings = Settings::default();
        let items: Vec<Given> = day
            .notes
            .tasks
            .iter()
            .map(|task| Given { task: Some(task.text.clone()), timebox_minutes: Some(5), ..Given::default() })
            .collect();
        let answer = answer::read(&day.notes, &items, steadfast_plan::Form::Plan);
        let Evaluated::Value(validation) = validate(&day.notes, &answer, &settings) else { panic!("not evaluable") };
        let plan = repair(&day.notes, &settings, &answer, &validation);
        let again = checked(&day.notes, &plan.given(&zone()));
        assert_eq!(again.status, Status::Pass, "seed {seed}: {:#?}", again.errors);
    }
}
