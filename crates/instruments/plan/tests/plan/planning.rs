//! What the planner makes of notes.

use std::fmt::Write as _;

use steadfast_evidence::Evaluated;
use steadfast_plan::variant::{Standing, Variant, run};
use steadfast_plan::{Confidence, Feasibility, Planned, Role, Status};

use crate::days::shown;
use crate::notation::{Asked, notes};

fn planned(text: &str, variant: Variant) -> Planned {
    let Asked { notes, settings } = notes(text);
    match run(&notes, &settings, variant) {
        Evaluated::Value(planned) => planned,
        Evaluated::NotEvaluable(reason) => panic!("{reason}"),
    }
}

/// The plan, a line an item.
fn drawn(planned: &Planned) -> String {
    let mut out = String::new();
    for item in &planned.plan.items {
        writeln!(out, "{}-{} {}", shown(item.when.start), shown(item.when.end), item.task).unwrap();
    }
    out
}

/// Plans `text`; the plan must be the lines of `expect` and pass.
#[track_caller]
fn check(text: &str, expect: &str) -> Planned {
    let planned = planned(text, Variant::default());
    let lines: Vec<&str> = expect.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let own = drawn(&planned);
    assert_eq!(own.lines().collect::<Vec<_>>(), lines, "{:#?}", planned.plan);
    assert_eq!(planned.validation.status, Status::Pass, "{:#?}", planned.validation.errors);
    assert_eq!(planned.standing, Standing::Recommended);
    planned
}

#[test]
fn a_plain_morning() {
    let planned = check(
        "standup 9:30 to 9:45 | event 09:30-09:45 standup
         write the report, 90 minutes, due at noon | task write_the_report 90
         due at noon | deadline write_the_report 12:00
         call the bank, they open at 9, ten minutes | task call_the_bank 10
         they open at 9 | after call_the_bank 09:00
         water the plants, 20 minutes | task water_the_plants 20
         I leave at two | deadline * 14:00",
        "08:00-09:30 write the report
         09:45-09:55 call the bank
         09:55-10:15 water the plants",
    );
    assert!(planned.plan.questions.is_empty());
    assert_eq!(planned.plan.confidence, Confidence::High);
    assert_eq!(planned.plan.feasibility, Feasibility::Feasible);
    let why = &planned.plan.items[0].why;
    assert_eq!(
        why,
        "The notes say \"write the report, 90 minutes, due at noon\"; it is due by 12:00 (\"due at noon\")."
    );
    assert_eq!(planned.plan.items[0].constraint_ids, ["c2", "c3"]);
}

#[test]
fn fewer_than_three_are_completed() {
    let planned = check(
        "standup 9:30 to 9:45 | event 09:30-09:45 standup
         write the report, 60 minutes | task write_the_report 60
         free until eleven | available 08:00-11:00",
        "08:00-09:00 write the report
         09:30-09:45 standup
         09:45-10:00 Break",
    );
    let roles: Vec<Role> = planned.plan.items.iter().map(|item| item.role).collect();
    assert_eq!(roles, [Role::Work, Role::Event, Role::Break]);
    check(
        "write the report, 60 minutes | task write_the_report 60
         free until nine | available 08:00-09:00",
        "08:00-08:15 write the report
         08:15-08:30 write the report (continued)
         08:30-09:00 write the report (continued)",
    );
}

#[test]
fn more_than_seven_are_batched() {
    let mut text = String::new();
    for at in 0..40 {
        let thing = crate::days::THINGS[at % 12].split_once(' ').unwrap().1.replace(' ', "_");
        writeln!(text, "{thing} of house {at} | task {thing}_of_house_{at} 10").unwrap();
    }
    text.push_str("from eight to six | available 08:00-18:00\n");
    let planned = planned(&text, Variant::default());
    assert!(planned.plan.items.len() <= 7, "{}", drawn(&planned));
    assert_eq!(planned.standing, Standing::Recommended, "{:#?}", planned.validation.errors);
    assert_eq!(planned.validation.metrics.context_coverage_ratio, Some(1.0));
    assert_eq!(planned.validation.metrics.human_feasibility_flags, 0, "{}", drawn(&planned));
    assert!(planned.plan.items.iter().any(|item| item.role == Role::Break));
}

#[test]
fn an_overfull_day_is_proved_to_be_one() {
    let planned = planned(
        "write the report, two hours | task write_the_report 120
         call the bank, 15 minutes | task call_the_bank 15
         tax return, 90 minutes, must | task tax_return 90
         must | must tax_return
         clean the aquarium, an hour | task clean_the_aquarium 60 low
         from one to half past four | available 13:00-16:30",
        Variant::default(),
    );
    assert_eq!(planned.standing, Standing::Rejected);
    let Feasibility::Infeasible(overload) = &planned.plan.feasibility else { panic!("{:#?}", planned.plan) };
    assert_eq!((overload.needed_minutes, overload.free_minutes), (285, 210));
    assert_eq!(
        overload.proof,
        "Needs 285 minutes, has 210 between 13:00 and 16:30: \"write the report\", \"call the bank\", \"tax return\", \
         \"clean the aquarium\"."
    );
    let dropped: Vec<&str> = overload.drop.iter().map(|task| ["report", "bank", "tax", "aquarium"][*task]).collect();
    assert_eq!(dropped, ["report"], "the most that fits: three of four, the one that must be done among them");
    assert!(planned.plan.items.iter().any(|item| item.task == "tax return"));
    assert_eq!(planned.plan.confidence, Confidence::Low);
    assert_eq!(planned.plan.questions.len(), 1);
}

#[test]
fn a_deadline_that_is_over_is_an_overload() {
    let planned = planned(
        " | now 2026-01-26 16:00
         send the deck by 3 | task send_the_deck 30
         by 3 | deadline send_the_deck 15:00
         must | must send_the_deck
         water the plants | task water_the_plants 10",
        Variant::default(),
    );
    assert_eq!(planned.standing, Standing::Rejected);
    let Feasibility::Infeasible(overload) = &planned.plan.feasibility else { panic!("{:#?}", planned.plan) };
    assert_eq!((overload.needed_minutes, overload.free_minutes), (30, 0));
    assert_eq!(overload.proof, "Needs 30 minutes, has 0: the notes leave no time for \"send the deck\".");
}

#[test]
fn what_is_optional_makes_no_day_overfull() {
    let planned = planned(
        "write the report, an hour | task write_the_report 60
         call the bank, 20 minutes | task call_the_bank 20
         iron the shirts, 20 minutes | task iron_the_shirts 20
         back up photographs, 10 minutes | task back_up_photographs 10
         if there is time: paint the door, two hours | task paint_the_door 120 optional
         from one to three | available 13:00-15:00",
        Variant::default(),
    );
    assert_eq!(planned.plan.feasibility, Feasibility::Feasible);
    assert_eq!(planned.plan.left_out, [4]);
    assert_eq!(planned.standing, Standing::Recommended, "{:#?}", planned.validation.errors);
}

#[test]
fn estimates_shrink_before_tasks_go() {
    let planned = check(
        "write the report | task write_the_report
         call the bank | task call_the_bank
         iron the shirts | task iron_the_shirts
         from one to two | available 13:00-14:00",
        "13:00-13:15 write the report
         13:15-13:30 call the bank
         13:30-13:45 iron the shirts",
    );
    assert_eq!(
        planned.plan.assumptions,
        [
            "15 minutes are set for what has no duration in the notes: \"write the report\", \"call the bank\", \"iron the shirts\"."
        ]
    );
}

#[test]
fn wishes_are_kept_while_all_fits() {
    let wish = "would rather not work after two | wish blocked 14:00-24:00
         write the report, an hour | task write_the_report 60
         call the bank, an hour | task call_the_bank 60
         iron the shirts, an hour | task iron_the_shirts 60\n";
    check(
        &format!("{wish} from 11 to 5 | available 11:00-17:00"),
        "11:00-12:00 write the report
         12:00-13:00 call the bank
         13:00-14:00 iron the shirts",
    );
    let planned = check(
        &format!("{wish} from 1 to 5 | available 13:00-17:00"),
        "13:00-14:00 write the report
         14:00-15:00 call the bank
         15:00-16:00 iron the shirts",
    );
    assert!(planned.validation.findings.iter().any(|it| it.check == "preference-broken" && !it.hard));
    assert_eq!(planned.plan.assumptions.len(), 1, "it says that the wish is not granted");
}

#[test]
fn both_readings_of_a_time_are_kept_free() {
    check(
        "dentist at 9 | blocked 09:00-10:00/21:00-22:00
         write the report, two hours | task write_the_report 120
         call the bank, half an hour | task call_the_bank 30
         iron the shirts, half an hour | task iron_the_shirts 30",
        "08:00-08:30 call the bank
         08:30-09:00 iron the shirts
         10:00-12:00 write the report",
    );
}

#[test]
fn long_tasks_are_parted_unless_asked_for() {
    let planned = check(
        "write the report, five hours | task write_the_report 300
         from nine to six | available 09:00-18:00",
        "09:00-11:30 write the report (part 1 of 2)
         11:30-11:45 Break
         11:45-14:15 write the report (part 2 of 2)",
    );
    assert_eq!(planned.validation.metrics.human_feasibility_flags, 0);
    check(
        "write the report, five hours in one go | task write_the_report 300 whole
         from nine to six | available 09:00-18:00",
        "09:00-14:00 write the report
         14:00-14:15 Break
         14:15-14:25 Review of the day",
    );
}

#[test]
fn days_on_which_clocks_change() {
    // 8 March 2026: one to four o'clock are two hours.
    let planned = planned(
        " | now 2026-03-08 00:30
         from one to four | available 01:00-04:00
         write the report, 150 minutes | task write_the_report 150
         call the bank, 30 minutes | task call_the_bank 30",
        Variant::default(),
    );
    let Feasibility::Infeasible(overload) = &planned.plan.feasibility else { panic!("{:#?}", planned.plan) };
    assert_eq!((overload.needed_minutes, overload.free_minutes), (180, 120));
    // 1 November 2026: midnight to three o'clock are four hours.
    check(
        " | now 2026-10-31 23:30
         from midnight to three | available +1:0:00-+1:3:00
         write the report, 150 minutes | task write_the_report 150
         call the bank, 30 minutes | task call_the_bank 30
         iron the shirts, an hour | task iron_the_shirts 60",
        "00:00-01:30 write the report
         01:30-02:00 call the bank
         02:00-03:00 iron the shirts",
    );
}

#[test]
fn late_in_the_evening_tomorrow_is_planned() {
    let planned = planned(
        " | now 2026-01-26 22:30
         write the report | task write_the_report
         call the bank | task call_the_bank",
        Variant::default(),
    );
    assert_eq!(planned.standing, Standing::Recommended);
    assert_eq!(planned.plan.items[0].when.start.to_string(), "2026-01-27T12:00:00Z");
    assert_eq!(
        planned.plan.assumptions[0],
        "The notes state no time for work: it is planned between Tue 07:00 and Tue 22:00."
    );
}

#[test]
fn ways_are_gone() {
    check(
        "I arrive at the station at 9 | here station 09:00-09:00
         station to library 20 minutes | way station library 20
         library to pool 15 minutes | way library pool 15
         station to pool 30 minutes | way station pool 30
         Ana is at the library 10 to 12 | person Ana library 10:00-12:00
         Ben is at the pool 9 to 11 | person Ben pool 09:00-11:00
         meet Ana for an hour | task meet_Ana 60- with:Ana
         meet Ben for an hour | task meet_Ben 60- with:Ben
         paint the door, half an hour | task paint_the_door 30",
        "09:30-10:30 meet Ben
         10:45-11:45 meet Ana
         11:45-12:15 paint the door",
    );
}

#[test]
fn a_part_of_the_day_that_does_not_fit_is_left_out_by_worth() {
    let planned = planned(
        "write the report, two hours | task write_the_report 120 urgent
         call the bank, an hour | task call_the_bank 60
         iron the shirts, an hour | task iron_the_shirts 60 low
         bake bread, an hour | task bake_bread 60 high
         from one to five | available 13:00-17:00",
        Variant::default(),
    );
    assert_eq!(planned.plan.left_out, [2]);
    assert_eq!(planned.standing, Standing::Rejected, "what does not fit is proved: {:#?}", planned.plan.feasibility);
    assert_eq!(planned.validation.status, Status::Pass, "the partial plan keeps the pass rule");
}

#[test]
fn nobody_is_at_two_places() {
    check(
        "I am at the office until 11 | here office 08:00-11:00
         paint the door at home, an hour | task paint_the_door 60 at:home
         sort receipts at the office, an hour | task sort_receipts 60 at:office
         call the bank, half an hour | task call_the_bank 30",
        "08:00-09:00 sort receipts
         09:00-09:30 call the bank
         11:00-12:00 paint the door",
    );
}

#[test]
fn the_important_comes_first() {
    check(
        "call the bank, an hour | task call_the_bank 60
         write the report, an hour | task write_the_report 60 urgent
         iron the shirts, half an hour, must | task iron_the_shirts 30
         must | must iron_the_shirts
         from one to five | available 13:00-17:00",
        "13:00-13:30 iron the shirts
         13:30-14:30 write the report
         14:30-15:30 call the bank",
    );
}

#[test]
fn variants_differ() {
    let text = "write the report, two hours | task write_the_report 120
         don't book over lunch, 8 to 9 | blocked 08:00-09:00 lunch
         call the bank, ten minutes | task call_the_bank 10
         iron the shirts, an hour | task iron_the_shirts 60";
    let naive = planned(text, Variant::V1Naive);
    assert_eq!(naive.standing, Standing::Rejected);
    assert_eq!(drawn(&naive), "08:00-08:30 write the report\n08:30-09:00 call the bank\n09:00-09:30 iron the shirts\n");
    let spans = |planned: &Planned| planned.trace.iter().map(|step| step.span).collect::<Vec<_>>();
    assert_eq!(spans(&naive), ["extract", "plan", "validate"]);
    for variant in [Variant::V2Constraints, Variant::V3Validator, Variant::V4Repair] {
        let planned = planned(text, variant);
        assert_eq!(planned.standing, Standing::Recommended);
        assert_eq!(spans(&planned), ["extract", "plan", "validate"], "nothing to repair");
    }
}

#[test]
fn notes_that_say_nothing_are_not_evaluable() {
    let Asked { notes, settings } = notes("hello there");
    assert!(matches!(run(&notes, &settings, Variant::default()), Evaluated::NotEvaluable(_)));
}

#[test]
fn words_of_errors() {
    let Asked { notes, settings } = notes(
        "don't book over lunch, 12 to 1 | blocked 12:00-13:00 lunch
         send the invoice, must be today | task send_the_invoice 15
         must be today | must send_the_invoice
         write the report | task write_the_report
         from 9 to 1 | available 09:00-13:00",
    );
    let (_, items) = crate::notation::plan(
        "11:30-12:30 write the report\n09:00-11:30 call Zoltan\n12:45-13:45 write the report, part two",
    );
    let Evaluated::Value(validation) = steadfast_plan::check(&notes, &items, &settings) else {
        panic!("not evaluable")
    };
    assert_eq!(
        validation.errors,
        [
            "Item 1 \"write the report\" (11:30 to 12:30) lies in \"don't book over lunch, 12 to 1\": 12:00 to 13:00 is blocked.",
            "Item 3 \"write the report, part two\" (12:45 to 13:45) lies in \"don't book over lunch, 12 to 1\": 12:00 to 13:00 is \
             blocked.",
            "Item 3 \"write the report, part two\" (12:45 to 13:45) lies outside the available time, 09:00 to 13:00 (\"from 9 to 1\").",
            "\"send the invoice\" must be done (\"must be today\"), and nothing in the plan does it.",
            "270 minutes are planned, but only 180 are available: 90 too many.",
            "Item 2 \"call Zoltan\" (09:00 to 11:30) names \"Zoltan\", which the notes do not.",
            "The plan holds 1 of 2 tasks; missing are \"send the invoice\".",
        ]
    );
}

#[test]
fn the_night_before_another_day_is_no_time_for_work() {
    // Notes of tomorrow, read at its first moment, that say when the day ends and not when it begins.
    let tomorrow = " | now 2026-01-27 00:00\nwater the plants | task water 20\nall done by five | deadline * 17:00\n";
    let first = |text: &str| {
        let asked = notes(text);
        let made = steadfast_plan::plan(&asked.notes, &asked.settings);
        let start = made.items.iter().map(|item| item.when.start).min().unwrap();
        start.to_zoned(crate::notation::zone()).strftime("%H:%M").to_string()
    };
    assert_eq!(first(tomorrow), "07:00");
    // Who says when it begins is up then, and so is who plans in the night.
    assert_eq!(first(&format!("{tomorrow}from five | after * 05:00\n")), "05:00");
    assert_eq!(first(&tomorrow.replace("00:00", "01:50")), "01:50");
    // What is due before the morning is done in its last hours.
    assert_eq!(first(&format!("{tomorrow}before the sun is up | deadline water 06:00\n")), "04:00");
}
