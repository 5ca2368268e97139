//! How long something may be done on end: what notes say of it, and plans that keep to it.

use steadfast_evidence::Evaluated;
use steadfast_plan::model::Notes;
use steadfast_plan::plan::{Feasibility, Plan};
use steadfast_plan::{Role, Settings, Status, Variant, run};

use crate::notation::notes;
use crate::reading::{NOW, check, read_at, shown};

#[test]
fn notes_say_how_long_something_may_be_done_on_end() {
    check(
        "- Benefits spreadsheet 1.5 hrs\n- call Ana, 10 min\nNever more than 1 hour of the spreadsheet in one go, then 15 min away from it.",
        &[
            "task Benefits spreadsheet",
            "task call Ana with Ana",
            "Benefits spreadsheet: 90 min",
            "call Ana: 10 min",
            "Benefits spreadsheet: 60 min on end, then 15 off",
        ],
    );
    // What names none of them is of the one before it; where nothing is said of the rest it is ten minutes.
    check(
        "- call Ana, 10 min\n- fix the login bug, 3 hrs, max 90 min at a stretch",
        &[
            "task call Ana with Ana",
            "task fix the login bug",
            "call Ana: 10 min",
            "fix the login bug: 180 min",
            "fix the login bug: 90 min on end, then 10 off",
        ],
    );
    // A bare number of minutes off.
    check(
        "- read the proofs, 2 hrs\nmax 50 min of proofs at a time, then 10 off the screen",
        &["task read the proofs", "read the proofs: 120 min", "read the proofs: 50 min on end, then 10 off"],
    );
}

#[test]
fn a_length_that_is_no_limit_says_nothing_of_it() {
    for text in
        ["- read the proofs, 2 hrs in one go", "- answer mails, no more than 30 min", "- call Ana at once, 10 min"]
    {
        let lines = shown(&read_at(NOW, text));
        assert!(!lines.iter().any(|line| line.contains("on end")), "{text}: {lines:?}");
    }
}

fn planned(notes: &Notes) -> (Status, Plan) {
    match run(notes, &Settings::default(), Variant::default()) {
        Evaluated::Value(own) => (own.validation.status, own.plan),
        Evaluated::NotEvaluable(reason) => panic!("{}", reason.0),
    }
}

/// The times of the items that carry out a task, by the minutes since eight.
fn times(plan: &Plan, notes: &Notes, task: usize) -> Vec<(i64, i64)> {
    let since = |at| steadfast_plan::window::minutes_between(notes.now.timestamp(), at);
    let own = plan.items.iter().filter(|item| item.role == Role::Work && item.tasks.contains(&task));
    own.map(|item| (since(item.when.start), since(item.when.end))).collect()
}

#[test]
fn a_plan_parts_the_task_and_rests() {
    let asked =
        notes("read the proofs | task read 150\nfrom 8 to 12 | available 08:00-12:00\nat most | run read 60 15");
    let (status, plan) = planned(&asked.notes);
    assert_eq!(status, Status::Pass, "{plan:?}");
    let times = times(&plan, &asked.notes, 0);
    assert!(times.len() >= 3 && times.iter().all(|(start, end)| end - start <= 60), "{times:?}");
    assert!(times.windows(2).all(|two| two[1].0 - two[0].1 >= 15), "{times:?}");
    assert_eq!(times.iter().map(|(start, end)| end - start).sum::<i64>(), 150);
}

#[test]
fn two_tasks_of_one_kind_rest_from_each_other() {
    let asked = notes(
        "soup | task soup 40\nironing | task ironing 40\ncall Ana | task call_Ana 20\nat once | run soup,ironing 45 20",
    );
    let (status, plan) = planned(&asked.notes);
    assert_eq!(status, Status::Pass, "{plan:?}");
    let mut both = [times(&plan, &asked.notes, 0), times(&plan, &asked.notes, 1)].concat();
    both.sort_unstable();
    assert!(both.len() == 2 && both[1].0 - both[0].1 >= 20, "{both:?}");
}

#[test]
fn what_several_tasks_may_take_bounds_the_guesses() {
    let asked = notes("iron | task iron\neat something | task eat\nhalf an hour for both | total minutes -30 iron,eat");
    let (status, plan) = planned(&asked.notes);
    assert_eq!(status, Status::Pass, "{plan:?}");
    let asked =
        notes("the oven | task oven\nthe bath | task bath\ntwo hours for the lot | total minutes 120- oven,bath");
    let (status, plan) = planned(&asked.notes);
    assert_eq!(status, Status::Pass, "{plan:?}");
}

#[test]
fn what_comes_before_a_deadline_is_due_earlier() {
    let asked = notes(
        "overtime | task overtime 120\ncheck run | task check_run 105\nbank file | task bank_file 45\nfrom 9 to 5 | available 09:00-17:00\ncut-off | deadline bank_file 15:00\nthen | order overtime check_run\nthen | order check_run bank_file\nTeams | event 11:00-12:00 Teams\nschool | event 13:00-13:45 school",
    );
    let (_, plan) = planned(&asked.notes);
    let Feasibility::Infeasible(proof) = &plan.feasibility else { panic!("{plan:?}") };
    assert_eq!((proof.needed_minutes, proof.free_minutes), (270, 255), "{}", proof.proof);
}

#[test]
fn what_takes_two_minutes_gets_the_shortest_item() {
    let asked = notes("send the fees | task send 2\nwrite the report | task write 60\ncall Ana | task call_Ana 20");
    assert_eq!(planned(&asked.notes).0, Status::Pass);
}
