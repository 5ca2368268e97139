//! What the resolving reader makes of a text: one line a case.
//!
//! The anchor of all cases is Wednesday, 21 January 2026, 11:00 in Toronto, unless a case says another.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod clocks;
mod dated;
mod days;
mod forms;
mod lengths;
mod limits;
mod more;
mod notes;
mod nothing;
mod properties;
mod repeats;
mod show;
mod written;
mod zones;

use show::shown;
use steadfast_time::{Anchor, expressions};

/// The anchor of the cases.
pub(crate) fn anchor() -> Anchor {
    at("2026-01-21T11:00:00-05:00[America/Toronto]")
}

/// An anchor at this moment, in this zone.
pub(crate) fn at(now: &str) -> Anchor {
    Anchor::new(now.parse().unwrap())
}

/// Each expression of `text` as `words = reading | reading`, with its limit before it and what is to be said of it behind.
#[track_caller]
pub(crate) fn check(text: &str, expected: &str) {
    check_at(&anchor(), text, expected);
}

#[track_caller]
pub(crate) fn check_at(anchor: &Anchor, text: &str, expected: &str) {
    let found: Vec<String> = expressions(text, anchor).iter().map(|it| shown(text, it)).collect();
    assert_eq!(found.join(" ; "), expected, "in {text:?}");
}
