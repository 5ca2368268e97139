//! What is said of tasks, in lists and in sentences: how long they take, what they wait for, whose time it is, rows of calendars.

use steadfast_evidence::Evaluated;
use steadfast_plan::open::Aside;
use steadfast_plan::{Settings, Variant, run};

use crate::reading::{NOW, check, read_at, shown};

#[test]
fn what_takes_so_long_is_to_be_done() {
    check(
        "Frying will take two hours, and packing another forty-five minutes. The rough-in itself is two hours.",
        &[
            "task Frying",
            "task packing another",
            "task The rough-in itself",
            "Frying: 120 min",
            "packing another: 45 min",
            "The rough-in itself: 120 min",
        ],
    );
    // Neither an event nor a way.
    check("The meeting will be two hours. The drive is forty minutes. It was two hours.", &[]);
}

#[test]
fn a_length_behind_a_mark_is_of_the_task_before_it() {
    check(
        "- sew the gown – 3 hours straight, small stitches too\n- pay the rent\n- call Ana",
        &["task sew the gown", "task pay the rent", "task call Ana with Ana", "sew the gown: 180 min"],
    );
}

#[test]
fn what_waits_comes_after_what_it_waits_for() {
    check(
        "- buy the lace\n- sew the gown. I can't start until the lace is in my hand\n- pay the rent",
        &["task buy the lace", "task sew the gown", "task pay the rent", "buy the lace < sew the gown"],
    );
    check(
        "The potatoes can't go in until the trench is dug. I must dig the trench and plant the potatoes.",
        &["task dig the trench", "task plant the potatoes", "dig the trench < plant the potatoes"],
    );
    // What it waits for is named by two tasks: it is asked.
    let notes =
        read_at(NOW, "- buy the lace\n- wash the lace\n- sew the gown. I can't start until the lace is in my hand");
    assert!(notes.constraints.is_empty() && notes.needs_answer(), "{:?}", shown(&notes));
    // So is what takes a time until then.
    let notes = read_at(
        NOW,
        "- fry the fish\n- pack the fish. I can't pack it until it has cooled for 30 minutes\n- pay the rent",
    );
    assert!(notes.needs_answer(), "{:?}", shown(&notes));
}

#[test]
fn what_stands_behind_a_time_and_a_comma_is_no_name() {
    check(
        "- fuel up 20 min, cheap diesel at the yard\n- care plan reviews, an hour the lot",
        &["task fuel up", "task care plan reviews", "fuel up: 20 min", "care plan reviews: 60 min"],
    );
    check("- bread, milk and eggs\n- pay the rent", &["task bread, milk and eggs", "task pay the rent"]);
}

#[test]
fn a_number_without_a_unit_is_a_likely_length() {
    let notes = read_at(NOW, "- walk round check 15\n- pay the rent, 10 min\n- call Ana, 10 min");
    assert_eq!(
        shown(&notes).get(3).map(String::as_str),
        Some("wish walk round check 15: 15 min"),
        "{:?}",
        shown(&notes)
    );
    assert!(!notes.needs_answer());
    let Evaluated::Value(planned) = run(&notes, &Settings::default(), Variant::default()) else { panic!("no plan") };
    let own = planned.plan.items.iter().find(|item| item.tasks == [0]).unwrap();
    assert_eq!(own.timebox_minutes, 15);
}

/// Why the last line of a list is set apart.
fn apart(line: &str) -> Option<Aside> {
    let notes = read_at(NOW, &format!("- write the report, 60 min\n- pay the rent, 10 min\n- {line}"));
    notes.apart.iter().find(|own| own.quote.text() == line).map(|own| own.reason)
}

#[test]
fn lines_say_by_their_form_that_they_are_nothing_to_plan() {
    for line in
        ["bins: Karen", "collect the amp – Karen's doing it now", "wife's at her mum's til 4", "Tom's out until 3"]
    {
        assert_eq!(apart(line), Some(Aside::NotMine), "{line}");
    }
    for line in ["gym? nah, tired", "paint pots – washed", "paint pots - all washed"] {
        assert_eq!(apart(line), Some(Aside::NotToday), "{line}");
    }
    for line in [
        "call: Karen",
        "send the report – Karen will check it",
        "bins: green",
        "pay the vet by 3? no, by 4",
        "Tom's out until 3, call him then",
        "it's at 4",
    ] {
        assert_eq!(apart(line), None, "{line}");
    }
}

#[test]
fn somebody_elses_hours_are_not_mine() {
    let notes = read_at(NOW, "- write the report, 60 min\n- pay the rent\n- Karen in the Dublin office 9-5");
    assert!(shown(&notes).contains(&"available 09:00-17:00 of Karen".to_owned()), "{:?}", shown(&notes));
}

#[test]
fn rows_of_a_calendar_are_events() {
    check(
        "Start,End,Title,Who,Notes\n07:45,08:15,Twins arrive,me,\n08:30,09:10,School run,me,walk\n10:00,10:45,Webinar,Bethan,\n18:00,19:00,Pilates,me,CANCELLED\n17:30,,Twins picked up,me,\n",
        &["event 07:45-08:15 Twins arrive", "event 08:30-09:10 School run", "event 17:30-18:30 Twins picked up"],
    );
    // Without the names of the columns, or with other cells, they are no rows.
    check("Start,End,Title\nmilk,bread,eggs", &[]);
}

#[test]
fn fields_of_todo_txt_say_something_of_their_task() {
    check(
        "(A) smoke test est:30m\n(B) sign-off est:1h note:smoke-first\n(B) passport form @station est:25m note:desk-open-10-to-12-only",
        &[
            "task smoke test",
            "task sign-off",
            "task passport form @station",
            "smoke test: 30 min",
            "sign-off: 60 min",
            "passport form @station: 25 min",
            "only passport form @station: 10:00-12:00",
            "smoke test < sign-off",
        ],
    );
}

#[test]
fn headings_with_times_are_lines_of_the_day() {
    check(
        "# standup 9:15-9:30, retro 2-3\n- write the report\n- pay the rent",
        &["task write the report", "task pay the rent", "event 09:15-09:30 standup", "event 14:00-15:00 retro"],
    );
}

#[test]
fn times_are_settled_by_what_is_said_beside_them() {
    let notes = read_at(
        "2026-01-26T06:20:00-05:00[America/Toronto]",
        "- school bus 7.15–8.00\n- dentist 2.15, out by three\n- pay the rent",
    );
    assert_eq!(shown(&notes)[1..], ["event 07:15-08:00 school bus", "event 14:15-15:00 dentist"]);
    let notes = read_at("2026-01-26T10:40:00-05:00[America/Toronto]", "- gig 9 til 11.30\n- pay the rent");
    assert_eq!(shown(&notes)[1], "event 21:00-23:30 gig");
    let notes = read_at(
        "2026-01-26T19:45:00-05:00[America/Toronto]",
        "- meds round, no earlier than 10, finished by 11\n- pay the rent",
    );
    assert_eq!(&shown(&notes)[2..], ["meds round: from 22:00", "meds round: by 23:00"]);
}

#[test]
fn what_changes_no_plan_is_not_asked() {
    for line in [
        "- gumbo base 1h / roux = no walking away",
        "- report 1h. Woke before the milkman",
        "- feed the cats, they can look after themselves",
    ] {
        let notes = read_at(NOW, &format!("{line}\n- pay the rent\n- call Ana"));
        assert!(!notes.needs_answer(), "{line}: {:?}", notes.unread);
    }
    for line in ["- turn the mattress at 12, 3 and 6", "- handover email 10 min, very last job of the day"] {
        let notes = read_at(NOW, &format!("{line}\n- pay the rent\n- call Ana"));
        assert!(notes.needs_answer(), "{line}: {:?}", shown(&notes));
    }
    let notes = read_at(NOW, "- hoover the hall, not while they're asleep\n- pay the rent\n- call Ana");
    assert!(notes.needs_answer());
}

#[test]
fn a_must_may_be_said_by_a_denial() {
    check(
        "- clearance at the office, I must not miss it\n- pay the rent\n- call Ana",
        &[
            "task clearance at the office",
            "task pay the rent",
            "task call Ana with Ana",
            "clearance at the office: must",
        ],
    );
}
