//! Notes that are read by their pieces, and which of two readings is planned by.

use steadfast_plan::variant::choose;
use steadfast_plan::{Notes, Settings, Standing};

use crate::open::standing;
use crate::reading::{NOW, read_at, shown};

/// The reading by pieces, alone or beside that by phrases.
fn by_pieces(text: &str) -> Notes {
    let notes = read_at(NOW, text);
    let own = notes.other.as_deref().unwrap_or(&notes).clone();
    assert!(own.by_pieces, "{:?}", shown(&own));
    own
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(shown(&by_pieces(text)), expected, "{text}");
}

#[test]
fn a_piece_says_something_of_what_stands_beside_it() {
    check(
        "- taxes, 1 hr, while the twins nap, 12:30 to 2:15\n- vacuum, 20 min, not then\n- pay rent",
        &[
            "task taxes",
            "task vacuum",
            "task pay rent",
            "taxes: 60 min",
            "only taxes: 12:30-14:15",
            "vacuum: 20 min",
            "never vacuum: 12:30-14:15",
        ],
    );
    check(
        "- lunch 1 to 1.45\n- fix the login bug, 2 hrs, Arjun wants it before lunch\n- review the PR, 30 min\n- release notes after the review",
        &[
            "task fix the login bug",
            "task review the PR",
            "task release notes",
            "event 13:00-13:45 lunch",
            "fix the login bug: 120 min",
            "fix the login bug: by 13:00",
            "review the PR: 30 min",
            "review the PR < release notes",
        ],
    );
}

#[test]
fn a_piece_says_something_of_all_that_it_heads_or_ends() {
    check(
        "Before I leave at 12:40:\n- haircut 10:30\n- car wash 15 min\n- put gas in",
        &[
            "task car wash",
            "task put gas",
            "event 10:30-11:30 haircut",
            "car wash: by 12:40",
            "put gas: by 12:40",
            "car wash: 15 min",
        ],
    );
    check(
        "- call Ana\n- pay rent\n- groceries 45 min\n- all of it done by 6",
        &[
            "task call Ana with Ana",
            "task pay rent",
            "task groceries",
            "groceries: 45 min",
            "call Ana: by 18:00",
            "pay rent: by 18:00",
            "groceries: by 18:00",
        ],
    );
    check(
        "- pack dinner\n- feed the cat\n- sort mail\nOff at 6",
        &["task pack dinner", "task feed the cat", "task sort mail", "all: by 18:00"],
    );
}

#[test]
fn a_plan_is_recommended_where_both_readings_have_it() {
    let mut agreed = read_at(NOW, "- write the report, 60 min\n- buy stamps, 15 min\n- call Ana before 4pm, 10 min");
    assert!(agreed.other.is_some());
    choose(&mut agreed, &Settings::default());
    assert!(!agreed.by_pieces && agreed.other.is_none());
    assert_eq!(standing(&agreed), Standing::Recommended);
}

#[test]
fn where_the_readings_differ_it_is_asked() {
    let text = "- pack dinner\n- feed the cat\n- sort mail\nOff at 6";
    let mut notes = read_at(NOW, text);
    let mut other = by_pieces(text);
    // What one reading has that the other's plan breaks.
    let rule = steadfast_plan::Rule::Duration { task: 0, minutes_min: Some(7 * 60), minutes_max: None };
    other.constraints[0].rule = rule;
    notes.by_pieces = false;
    notes.unread.clear();
    notes.open.clear();
    notes.other = Some(Box::new(other));
    choose(&mut notes, &Settings::default());
    assert!(notes.by_pieces);
    assert_eq!(standing(&notes), Standing::NeedsAnswer);
}

#[test]
fn long_notes_are_read_by_phrases() {
    let text = "- pay the rent\n".repeat(5_000);
    assert!(text.len() > 64 * 1024);
    let notes = read_at(NOW, &text);
    assert!(!notes.by_pieces && notes.other.is_none());
}
