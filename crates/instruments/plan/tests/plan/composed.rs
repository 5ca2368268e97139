//! Notes that are read by their pieces.

use crate::reading::{NOW, read_at, shown};

/// Notes with a line that phrases leave open and pieces account for, read by their pieces.
fn by_pieces(text: &str) -> Vec<String> {
    let notes = read_at(NOW, text);
    assert!(notes.by_pieces, "{:?} {:?}", shown(&notes), notes.unread);
    shown(&notes)
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(by_pieces(text), expected, "{text}");
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
}

#[test]
fn long_notes_are_read_by_phrases() {
    let text = "- pay the rent\n".repeat(5_000);
    assert!(text.len() > 64 * 1024);
    let notes = read_at(NOW, &text);
    assert!(!notes.by_pieces);
}

/// A list in one line, which phrases do not read to its end.
#[track_caller]
fn in_one_line(text: &str, expected: &[&str]) {
    check(&format!("{text}. dont forget name tag"), expected);
}

#[test]
fn a_piece_says_something_of_all_that_is_named() {
    in_one_line(
        "haircut 10:30, deposit check, car wash 15 min, return the jeans 20 min, put gas in, all of it done by 4",
        &[
            "task deposit check",
            "task car wash",
            "task return the jeans",
            "task put gas",
            "event 10:30-11:30 haircut",
            "car wash: 15 min",
            "return the jeans: 20 min",
            "deposit check: by 16:00",
            "car wash: by 16:00",
            "return the jeans: by 16:00",
            "put gas: by 16:00",
        ],
    );
}

#[test]
fn events_go_on_and_end() {
    in_one_line(
        "practice til 5:15, calc problem set 1h, spanish quiz 20 min, email mr dunn, shower when i get home",
        &[
            "task calc problem set",
            "task spanish quiz",
            "task email mr dunn",
            "task shower",
            "event 08:00-17:15 practice",
            "calc problem set: 60 min",
            "spanish quiz: 20 min",
            "shower: from 17:15",
        ],
    );
    in_one_line(
        "dentist 10:15, it takes 45 minutes, drop off the keys after the dentist, pay the rent, iron shirts 20 min",
        &[
            "task drop off the keys",
            "task pay the rent",
            "task iron shirts",
            "event 10:15-11:00 dentist",
            "drop off the keys: from 11:00",
            "iron shirts: 20 min",
        ],
    );
    in_one_line(
        "standup 9:15-9:30, 1:1 with Priya 11-11:30, pay the rent, iron shirts between the two, 20 min, call mum",
        &[
            "task pay the rent",
            "task iron shirts",
            "task call mum",
            "event 09:15-09:30 standup",
            "event 11:00-11:30 1:1 with Priya with Priya",
            "only iron shirts: 09:30-11:00",
            "iron shirts: 20 min",
        ],
    );
}

#[test]
fn a_number_is_a_time_where_a_piece_tells_of_one() {
    in_one_line(
        "call oma, lines 8 to 4, pay the rent, dinner with Sam somewhere around 7, iron shirts 20 min",
        &[
            "task call oma",
            "task pay the rent",
            "task iron shirts",
            "event 19:00-20:00 dinner with Sam somewhere with Sam",
            "only call oma: 08:00-16:00",
            "iron shirts: 20 min",
        ],
    );
}

#[test]
fn a_shift_of_two_readings_is_the_one_that_is_to_come() {
    let text =
        "work 1-9 today, deposit check, car wash 15 min, return the jeans 20 min, call mum on the way home, put gas in";
    let own = by_pieces(&format!("{text}. dont forget name tag"));
    assert!(own.iter().any(|line| line == "call mum: from 21:00"), "{own:?}");
}

#[test]
fn hostile_lists_are_read_in_bounded_work() {
    // Each event is a shift, each task is due in it, and each line is told of all.
    let text = "work 9-5\ncall Ana by 4, both by 6, all of it before work\ndont forget name tag\n".repeat(800);
    let (notes, steps) = steadfast_steps::counted(|| read_at(NOW, &text));
    assert!(!notes.tasks.is_empty() && steps < 3_000 * text.len() as u64, "{steps}");
}
