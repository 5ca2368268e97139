//! Lists as people write them: what stands behind a comma, a dash or a picture, several tasks at once, the fields of todo.txt and Org mode.

use steadfast_plan::open::Aside;

use crate::reading::{NOW, check, read_at, shown};

#[test]
fn what_stands_behind_is_said_of_the_task_before_it() {
    check(
        "- new strings, 30 min\n- learn the tune 45 min, new strings first\n- pay the rent",
        &[
            "task new strings",
            "task learn the tune",
            "task pay the rent",
            "new strings: 30 min",
            "learn the tune: 45 min",
            "new strings < learn the tune",
        ],
    );
}

#[test]
fn orders_name_several_tasks() {
    check(
        "- drop the chairs, 30 min\n- drop the tables, 40 min\n- fuel up 20 min after both drops\n- check the van before anything moves",
        &[
            "task drop the chairs",
            "task drop the tables",
            "task fuel up",
            "task check the van",
            "drop the chairs: 30 min",
            "drop the tables: 40 min",
            "fuel up: 20 min",
            "drop the chairs < fuel up",
            "drop the tables < fuel up",
            "check the van < drop the chairs",
            "check the van < drop the tables",
            "check the van < fuel up",
        ],
    );
}

#[test]
fn times_that_only_lists_write() {
    check(
        "- handover 8–8.20\n- line check 4:15p-4:30p\n- pay the rent",
        &["task pay the rent", "event 08:00-08:20 handover", "event 16:15-16:30 line check"],
    );
}

#[test]
fn lines_that_end_the_day() {
    check(
        "- write the report\n- pay the rent\n- laptop off by 9.30 pm",
        &["task write the report", "task pay the rent", "all: by 21:30"],
    );
}

#[test]
fn fields_of_todo_txt_and_org_mode() {
    check(
        "- (A) smoke test +release est:30m\n- x 2026-01-25 book the vet\n- pay the rent",
        &["task smoke test", "task pay the rent", "smoke test: 30 min"],
    );
    check(
        "* TODO Rerun the figures\n  :Effort: 1:30\n* DONE Book the flight\n* TODO Groceries\n  SCHEDULED: <2026-02-07 Sat>",
        &["task Rerun the figures", "Rerun the figures: 90 min"],
    );
}

#[test]
fn a_word_that_ends_days_may_be_of_a_task() {
    check(
        "- finish the report by 4pm\n- home insurance renewal by 5pm\n- bed linen by 3pm",
        &[
            "task finish the report",
            "task home insurance renewal",
            "task bed linen",
            "finish the report: by 16:00",
            "home insurance renewal: by 17:00",
            "bed linen: by 15:00",
        ],
    );
    let ends = [
        "finish 4pm sharp no matter what Debs says",
        "finish work by 4pm",
        "laptop shut at 4pm I mean it",
        "out the cab by 4pm or the boss moans",
        "sleep by 4pm abeg",
        "home by 4pm for Lily",
    ];
    for end in ends {
        check(
            &format!("- write the report\n- pay the rent\n- {end}"),
            &["task write the report", "task pay the rent", "all: by 16:00"],
        );
    }
}

#[test]
fn what_is_in_before_one_is_out_begins_the_day() {
    let notes = read_at(
        "2026-01-26T05:30:00-05:00[America/Toronto]",
        "- tacho in 6.00, out the cab by 3\n- pay the rent\n- call the bank",
    );
    let hours: Vec<String> =
        shown(&notes).into_iter().filter(|own| own.starts_with("all") || own.starts_with("event")).collect();
    assert_eq!(hours, ["all: from 06:00", "all: by 15:00"]);
}

/// The words that are set apart in a list of one line more than two tasks.
fn apart(line: &str) -> Vec<(String, Aside)> {
    let notes = read_at(NOW, &format!("- write the report, 60 min\n- pay the rent, 10 min\n{line}"));
    notes.apart.iter().map(|own| (own.quote.text().to_owned(), own.reason)).collect()
}

#[test]
fn a_line_takes_back_what_it_names_only_at_its_end() {
    for own in [
        "- ask for a refund of the cancelled flight, 20 min",
        "- ring about the rescheduled dentist",
        "- email Ana that yoga is cancelled",
    ] {
        assert_eq!(apart(own), [], "{own}");
    }
    for own in ["serif workshop 6pm cancelled", "audit meeting 5.30 – called off", "meet the vet 3pm CANCELLED"] {
        assert_eq!(apart(&format!("- {own}")), [(own.to_owned(), Aside::NotToday)]);
    }
    assert_eq!(apart("- yoga 6pm unless cancelled"), []);
}

#[test]
fn a_date_of_org_mode_is_of_the_task_above_it() {
    check(
        "* TODO Groceries\n  the long list\n* TODO Rerun the figures\n  SCHEDULED: <2026-02-07 Sat>",
        &["task Groceries", "task the long list"],
    );
    check(
        "TODO call the bank\nTODO groceries\nSCHEDULED: <2026-02-07 Sat>\nTODO pay the rent",
        &["task call the bank", "task pay the rent"],
    );
    let far = format!("* TODO Groceries\n{}  SCHEDULED: <2026-02-07 Sat>", "  more of it\n".repeat(8));
    assert!(read_at(NOW, &far).tasks.iter().any(|task| task.text == "Groceries"));
}

#[test]
fn states_of_org_mode_stand_behind_a_mark() {
    check(
        "write the report\npay the rent\nHOLD 3pm for the auditor",
        &["task write the report", "task pay the rent", "event 15:00-16:00 the auditor"],
    );
    for own in ["WAITING for the parts", "SOMEDAY learn to sail", "HOLD the letter to the bank"] {
        assert_eq!(apart(&format!("* {own}")), [(own.to_owned(), Aside::NotToday)]);
    }
    assert_eq!(apart("* CANCELLED the vet"), [("CANCELLED the vet".to_owned(), Aside::NotToday)]);
}

#[test]
fn letters_behind_figures_may_be_no_time() {
    check(
        "- parcel to flat 2a\n- pay the 10p deposit\n- pay the rent",
        &["task parcel to flat 2a", "task pay the 10p deposit", "task pay the rent"],
    );
    check(
        "- dentist 3p\n- 5p standup\n- call the bank by 4p\n- handover 1p – 2p",
        &[
            "task call the bank",
            "event 15:00-16:00 dentist",
            "event 17:00-17:15 standup",
            "call the bank: by 16:00",
            "event 13:00-14:00 handover",
        ],
    );
}

#[test]
fn two_lines_that_come_before_everything_are_asked_about() {
    let tasks = |notes: &steadfast_plan::Notes| notes.tasks.len();
    let both = read_at(
        NOW,
        "- check the boiler before anything else\n- post the letters before anything else\n- pay the rent",
    );
    assert_eq!(tasks(&both), 3);
    assert_eq!(both.constraints, []);
    assert_eq!(both.open.len(), 2, "{:?}", both.unread);
    check(
        "- check the boiler before anything else\n- post the letters after everything else\n- pay the rent",
        &[
            "task check the boiler",
            "task post the letters",
            "task pay the rent",
            "check the boiler < post the letters",
            "check the boiler < pay the rent",
            "pay the rent < post the letters",
        ],
    );
}

#[test]
fn so_many_are_not_the_first_of_the_notes() {
    check(
        "- pay the rent\n- write the report\n- feed the cat after all two visits",
        &["task pay the rent", "task write the report", "task feed the cat"],
    );
}
