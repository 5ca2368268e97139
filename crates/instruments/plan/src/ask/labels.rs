//! Headings, labels and the marks of what is done: what they make of the lines below and beside them.

use std::ops::Range;

use jiff::civil::Date;
use steadfast_text::Document;
use steadfast_time::{Anchor, Reading, expressions};

use super::cues::Cue;
use super::words::{hits, words};
use crate::list::List;

/// What a heading makes of what stands under it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Topic {
    /// It is of another day, or done.
    pub(super) away: bool,
    pub(super) todo: bool,
    pub(super) parked: bool,
    pub(super) must: bool,
    pub(super) optional: bool,
}

/// Sections and what their headings make of them: a section is of another day if one above it is.
pub(super) fn sections(document: &Document, anchor: &Anchor) -> Vec<Topic> {
    let mut topics: Vec<Topic> = Vec::with_capacity(document.sections.len());
    for section in &document.sections {
        // "# standup 9:15–9:30, retro 2–3": a line of the day, and no title.
        let timed = section.title.len() <= TITLE_BYTES_MAX
            && super::events::times(&section.title, anchor).iter().any(super::parts::is_clock);
        let dated = Topic { away: day_of(&section.title, anchor) == Some(false), ..Topic::default() };
        let own = if timed { dated } else { topic(&section.title, anchor) };
        let above = section.parent.and_then(|parent| topics.get(parent)).copied().unwrap_or_default();
        let names_today = day_of(&section.title, anchor) == Some(true);
        topics.push(Topic {
            away: own.away || (above.away && !names_today),
            todo: own.todo || (above.todo && !own.parked),
            parked: own.parked || (above.parked && !own.todo),
            must: own.must || (above.must && !own.optional),
            optional: own.optional || (above.optional && !own.must),
        });
    }
    topics
}

/// What a label makes of what it introduces, and where it ends in the line; nothing where there is none.
pub(super) fn introduces(line: &str, anchor: &Anchor) -> Option<(Topic, usize)> {
    let trimmed = line.trim();
    let begin = line.len() - line.trim_start().len();
    let whole = trimmed.trim_end_matches([':', '-', '\u{2013}', '\u{2014}']).trim();
    // "Shop - Wednesday": what a list is of, and of which day.
    let of_day =
        [" - ", " \u{2013} ", " \u{2014} "].iter().find_map(|dash| whole.split_once(dash)).is_some_and(|(a, b)| {
            let is_day = |text: &str| day_of(text, anchor).is_some() && is_only_a_day(text, anchor);
            let is_name =
                |text: &str| (1..=2).contains(&words(text).len()) && !text.contains(|c: char| c.is_ascii_digit());
            is_day(b) && is_name(a) || is_day(a) && is_name(b)
        });
    let bare_day = of_day || day_of(whole, anchor).is_some() && is_only_a_day(whole, anchor);
    // "Tomorrow, I'm in 9 to 5:" says hours besides.
    let timed = || super::events::times(whole, anchor).iter().any(super::parts::is_clock);
    let closes = trimmed.ends_with(':') && !timed();
    let (label, end) = if bare_day || closes {
        (whole, line.len())
    } else if let Some((label, end)) = colon_label(trimmed) {
        (label, begin + end)
    } else if is_topic_alone(trimmed) {
        (trimmed, line.len())
    } else {
        return None;
    };
    if words(label).len() > if closes { LEAD_WORDS_MAX } else { LABEL_WORDS_MAX } {
        return None;
    }
    let topic = topic(&capitalised(label), anchor);
    let today = day_of(label, anchor) == Some(true) && is_only_a_day(label, anchor);
    let alone = end == line.len();
    (topic != Topic::default() || bare_day || today || alone).then_some((topic, end))
}

/// "mon" as "Mon": a label of small letters may be a day.
fn capitalised(label: &str) -> String {
    let mut chars = label.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The words before the first colon of a line that no digit follows, and where what it introduces begins.
fn colon_label(line: &str) -> Option<(&str, usize)> {
    let colon = line.find(": ").or_else(|| line.find(":\t"))?;
    let label = line.get(..colon)?.trim_matches(['*', '_', ' ']);
    (!label.is_empty() && label.chars().any(char::is_alphabetic)).then_some((label, colon + 1))
}

/// Words for kinds of things to do.
const KINDS: List = List("kind");

/// Whether a line says nothing but what kind of things follow: "Must", "Nice to have".
fn is_topic_alone(line: &str) -> bool {
    // "PARKED (January)".
    let line = line.split('(').next().unwrap_or(line).trim_end();
    let all = words(line);
    let hits = hits(&all);
    let named = |at: usize| {
        hits.iter().any(|hit| matches!(hit.cue, Cue::Must | Cue::Optional) && hit.words.contains(&at))
            || (all[at].low == "not" && all.len() > 1)
            || [TODO, PARKED, DONE, OFF, KINDS].iter().any(|list| list.contains(&all[at].low))
    };
    !all.is_empty()
        && all.len() <= TOPIC_WORDS_MAX
        && line.ends_with(|c: char| c.is_alphabetic())
        && (0..all.len()).all(named)
}

/// Longest line that only names a kind of things, in words.
const TOPIC_WORDS_MAX: usize = 4;

/// Most words behind the mark of what is done.
const TICKED_WORDS_MAX: usize = 2;

/// Whether a line ends with the mark of what is done, or with a word or two behind it.
pub(super) fn is_ticked(line: &str) -> bool {
    let line = line.trim_end();
    let marks = ['\u{2713}', '\u{2714}', '\u{2705}', '\u{2611}'];
    let ticked = |at: usize| line[at..].split_whitespace().count() <= TICKED_WORDS_MAX + 1;
    line.rfind(marks).is_some_and(ticked)
        || ["(done)", "[done]", "- done", "\u{2013} done", "\u{2014} done"].iter().any(|end| {
            line.len() >= end.len()
                && line.is_char_boundary(line.len() - end.len())
                && line[line.len() - end.len()..].eq_ignore_ascii_case(end)
        })
}

/// How much of a line that introduces others states times by the clock, in bytes: its sentences up to the last that does.
pub(super) fn stated_before(line: &str, anchor: &Anchor) -> usize {
    if line.len() > TITLE_BYTES_MAX || words(line).len() <= TOPIC_WORDS_MAX {
        return 0;
    }
    let clocks = super::events::times(line, anchor);
    let clocked = |sentence: &Range<usize>| {
        clocks.iter().any(|it| {
            sentence.contains(&it.span.start)
                && it.readings.iter().any(|reading| {
                    matches!(reading, Reading::TimeRange { .. } | Reading::DateTimeRange { .. } | Reading::Time(_))
                })
        })
    };
    steadfast_text::sentences(line).into_iter().filter(clocked).map(|sentence| sentence.end).max().unwrap_or_default()
}

/// Longest line that introduces what follows by a colon, in words.
const LEAD_WORDS_MAX: usize = 16;

/// Longest label, in words.
const LABEL_WORDS_MAX: usize = 8;

const TODO: List = List("todo");
const PARKED: List = List("parked");
const DONE: List = List("done");

/// Words of what is not done.
const OFF: List = List("off");

fn topic(title: &str, anchor: &Anchor) -> Topic {
    let words = words(title);
    let has = |list: List| words.iter().any(|word| list.contains(&word.low));
    // "Everything needs to be done today:" is what is to do.
    let is_done = words.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).map(|at| words[at].low.as_str());
        DONE.contains(&word.low) && !matches!(before, Some("be" | "get" | "gets" | "getting"))
    });
    let short = words.len() <= LABEL_WORDS_MAX;
    let hits = hits(&words);
    let says = |cue: Cue| hits.iter().any(|hit| hit.cue == cue);
    let not = words.first().is_some_and(|word| matches!(word.low.as_str(), "not" | "no" | "won't" | "don't"));
    let optional = short
        && (says(Cue::Optional) || matches!(title.to_lowercase().trim(), "if possible" | "could" | "coulds" | "want"));
    Topic {
        away: day_of(title, anchor) == Some(false)
            || (short && is_done && !has(TODO))
            || (short && (has(OFF) || (not && !says(Cue::Optional)))),
        todo: short && has(TODO),
        parked: short && has(PARKED) && !optional,
        must: short && says(Cue::Must) && !not && !optional,
        optional,
    }
}

/// Whether a title names the day of `anchor` (true), other days alone (false), or none.
pub(super) fn day_of(title: &str, anchor: &Anchor) -> Option<bool> {
    if title.len() > TITLE_BYTES_MAX {
        return None;
    }
    let today = anchor.today();
    let mut named = None;
    for found in expressions(title, anchor) {
        if found.limit.is_some() {
            continue;
        }
        let mut dates = found.readings.iter().filter_map(|reading| covers(reading, today)).peekable();
        if dates.peek().is_some() {
            named = Some(named.unwrap_or(false) || dates.any(|is| is));
        }
    }
    named
}

/// Longest title that is read for a day, in bytes.
pub(super) const TITLE_BYTES_MAX: usize = 200;

fn covers(reading: &Reading, today: Date) -> Option<bool> {
    match reading {
        Reading::Date(date) => Some(*date == today),
        Reading::DateRange { first, last } => {
            Some(first.is_none_or(|first| first <= today) && last.is_none_or(|last| today <= last))
        }
        Reading::DateTime(at) => Some(at.date() == today),
        _ => None,
    }
}

/// Whether a title says nothing but which day it is of.
pub(super) fn is_only_a_day(title: &str, anchor: &Anchor) -> bool {
    if title.len() > TITLE_BYTES_MAX {
        return false;
    }
    let found = expressions(title, anchor);
    let outside =
        |range: &Range<usize>| !found.iter().any(|it| it.span.start <= range.start && range.end <= it.span.end);
    words(title)
        .iter()
        .all(|word| !outside(&word.range) || matches!(word.low.as_str(), "the" | "on" | "for" | "and" | "plan"))
}

/// Lines that mail puts around what is written.
pub(super) fn is_mail_header(line: &str) -> bool {
    let line = line.trim();
    let heads = ["subject:", "to:", "cc:", "bcc:", "sent from my ", "sent from ", "-- ", "re:", "fwd:"];
    heads.iter().any(|head| {
        line.len() >= head.len() && line.is_char_boundary(head.len()) && line[..head.len()].eq_ignore_ascii_case(head)
    }) && line.len() <= TITLE_BYTES_MAX
        || is_mail_date(line)
}

/// "Date: Thu, 19 Feb 2026 08:31 +0100": a header with a day and a time of the clock.
fn is_mail_date(line: &str) -> bool {
    let value = ["Date:", "Sent:"].iter().find_map(|head| line.strip_prefix(head));
    value.is_some_and(|value| {
        value.contains(':') && value.split_whitespace().any(|word| word.len() == 4 && word.starts_with("20"))
    })
}

/// The length of the time at which somebody wrote a line, in brackets at its head: "[08:02] ".
pub(super) fn stamp(line: &str) -> usize {
    let Some(rest) = line.strip_prefix('[') else { return 0 };
    let Some(close) = rest.find(']').filter(|close| *close <= STAMP_BYTES_MAX) else { return 0 };
    let inside = &rest[..close];
    let is_time = inside.contains(':') && inside.chars().all(|c| c.is_ascii_digit() || ":.,/- apmAPM".contains(c));
    if !is_time {
        return 0;
    }
    let after = &rest[close + 1..];
    let start = 2 + close + (after.len() - after.trim_start().len());
    // "[07:01] Me: mark scripts": the one who writes the notes.
    let own = line.get(start..).unwrap_or_default();
    let speaker = ["Me:", "me:", "I:"].iter().find_map(|name| own.strip_prefix(name));
    speaker.map_or(start, |rest| line.len() - rest.trim_start().len())
}

/// Longest time in brackets at the head of a line, in bytes.
const STAMP_BYTES_MAX: usize = 24;
