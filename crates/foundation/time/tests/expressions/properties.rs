//! What holds for every text.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use steadfast_time::{Diagnostic, Expression, READINGS_MAX, expressions};

use crate::anchor;

/// Words and marks that expressions are made of, so that random texts come near them.
const PIECES: &[&str] = &[
    "at",
    "from",
    "to",
    "between",
    "and",
    "until",
    "before",
    "after",
    "by",
    "on",
    "in",
    "the",
    "of",
    "next",
    "last",
    "this",
    "Monday",
    "Friday",
    "Sat",
    "May",
    "March",
    "Feb",
    "week",
    "month",
    "year",
    "weekend",
    "day",
    "half",
    "past",
    "quarter",
    "a",
    "an",
    "5",
    "12",
    "9:30",
    "3pm",
    "2026",
    "03/04",
    "29",
    "31st",
    "first",
    "second",
    "twenty",
    "one",
    "thousand",
    "hours",
    "min",
    "-",
    "–",
    ",",
    ".",
    "(",
    ")",
    ":",
    "'",
    "s",
    "T",
    "Z",
    "UTC",
    "+5:45",
    "ago",
    "later",
    "every",
    "other",
    "morning",
    "tonight",
    "noon",
    "midnight",
    "end",
    "early",
    "rest",
    "Q3",
    "1h30",
    "EOD",
    "now",
    "for",
    "about",
    "\n",
    "é",
    "第",
    "\u{200b}",
    "00:00",
    "24:00",
    "99999999999999999999",
    "0",
    "Tokyo",
    "time",
    "starting",
    "within",
    "or",
    "no more than",
    "coming",
    "Sun",
    "+",
    "/",
    "h",
    "1800",
    "00s",
    "EOM",
    "Eastern",
    "in the",
];

fn sound(text: &str, found: &[Expression]) {
    let mut end = 0;
    for it in found {
        assert!(it.span.start >= end && it.span.end > it.span.start && it.span.end <= text.len(), "{it:?} in {text:?}");
        end = it.span.end;
        let limit = it.limit.iter().map(|limit| &limit.span);
        let zone = it.zone.iter().map(|zone| &zone.span);
        let parts = it.parts.iter().map(|part| &part.span);
        for span in [&it.span].into_iter().chain(limit).chain(zone).chain(parts) {
            assert!(text.get(span.clone()).is_some(), "{span:?} of {it:?} in {text:?}");
        }
        assert!(it.readings.len() <= READINGS_MAX);
        assert!(!it.readings.is_empty() || it.diagnostics == [Diagnostic::NoSuchTime], "{it:?} in {text:?}");
        assert!(it.zone.iter().all(|zone| !zone.candidates.is_empty()));
        for (index, reading) in it.readings.iter().enumerate() {
            assert!(!it.readings[..index].contains(reading), "{it:?} in {text:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_are_sound_on_any_text(text in ".{0,200}") {
        sound(&text, &expressions(&text, &anchor()));
    }

    #[test]
    fn spans_are_sound_on_what_looks_like_times(
        pieces in prop::collection::vec((prop::sample::select(PIECES), prop::bool::weighted(0.8)), 0..40),
    ) {
        let text: String = pieces.iter().map(|(piece, blank)| format!("{piece}{}", if *blank { " " } else { "" })).collect();
        sound(&text, &expressions(&text, &anchor()));
    }
}

#[test]
fn anchors_at_the_ends_of_the_calendar_do_no_harm() {
    for now in ["9999-12-30T12:00:00Z[UTC]", "-009998-01-02T12:00:00Z[UTC]", "0001-01-01T00:00:00Z[UTC]"] {
        let anchor = crate::at(now);
        for text in [
            "tomorrow",
            "next year",
            "last century",
            "in 99999999 years",
            "next Friday",
            "3 days ago",
            "the weekend",
            "Feb 29",
            "week 53",
            "rest of the day",
            "in 2000000000 months",
            "in 2000000000 working days",
            "2000000000 business days ago",
            "2000000000 weeks today",
            "a week ago Tuesday",
            "+2000000000 hours",
            "the weekend of the 5th",
            "the week before Christmas",
            "last Christmas",
            "Thursday after next",
            "5 and 8 December",
            "EOY",
            "the next working day",
            "for 9999999999 hours from noon",
            "last decade",
            "the day after tomorrow at 5",
            "next quarter",
            "the month after next",
            "tonight at 1",
            "Friday the 13th",
        ] {
            sound(text, &expressions(text, &anchor));
        }
    }
}

/// Much of one pattern on one line is read in seconds, not in hours: 10 MB of the worst one.
#[test]
fn hostile_text_ends_soon() {
    let patterns = [
        "9",
        ":",
        "9:",
        "1 ",
        "at ",
        "from ",
        "between 5 and ",
        "first week of ",
        "the week of the first week of ",
        "early ",
        "next ",
        "the ",
        "every ",
        "Monday ",
        "Monday, ",
        "March ",
        "2026-",
        "5 to ",
        "half past ",
        "a ",
        "one ",
        "twenty ",
        "in ",
        "1h",
        "1 hour ",
        "1 hour and ",
        "for 1 hour from ",
        "(",
        "\u{301}",
        "第",
        "A1",
        "12/",
        "5 or ",
        "Tokyo ",
        "3pm Tokyo ",
        "rest of the ",
        "- 9-10 x\n",
        "1,",
        "five minutes to ",
        "end of the end of ",
        "at 5 x ",
        "Sat ",
        "Sat Sun ",
        "Mon/",
        "this coming ",
        "the day before ",
        "the Friday after ",
        "3 or ",
        "+",
        "2026-12-05/",
        "Oct-",
        "no more than ",
        "1800-",
        "max. ",
    ];
    for pattern in patterns {
        let text = pattern.repeat(300_000 / pattern.len());
        let start = Instant::now();
        let found = expressions(&text, &anchor());
        let taken = start.elapsed();
        assert!(taken < Duration::from_secs(10), "{pattern:?} took {taken:?} for {} expressions", found.len());
    }
    let text = "the week of the first Friday at 9:30 next ".repeat(10_000_000 / 42);
    let start = Instant::now();
    sound(&text, &expressions(&text, &anchor()));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}
