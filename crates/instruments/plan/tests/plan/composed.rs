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
