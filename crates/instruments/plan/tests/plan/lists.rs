//! Lists as people write them: what stands behind a comma, a dash or a picture, several tasks at once, the fields of todo.txt and Org mode.

use crate::reading::check;

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
