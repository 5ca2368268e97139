//! Times and lengths as only notes write them: "8.20", "at my desk from 8", "0700–0745", "14h30", "20m", "12–1".
//!
//! The reader of time in prose leaves these alone, since elsewhere they are counts and decimals. In notes of a day the words
//! beside them tell.

use std::ops::Range;

use jiff::SignedDuration;
use jiff::civil::time;
use steadfast_time::{Expression, Length, Limit, LimitWord, Reading};

use super::cues::Cue;
use super::events::expression;
use super::words::{Word, hits};
use super::written::{effort, lettered_times};
use crate::list::List;

/// Adds to the expressions of a line what is written as in notes. `found` are in order, and so they are afterwards.
pub(super) fn add(text: &str, all: &[Word], found: &mut Vec<Expression>) {
    let late = hours_with_h(text, all);
    // Where a length, or a part of it, was read for a time: "Meeting with Claire 14h", "from 10h to 18h30".
    found.retain(|it| {
        let at = late.partition_point(|(span, _)| span.end <= it.span.start);
        late.get(at).is_none_or(|(span, _)| span.start >= it.span.end)
    });
    let mut more: Vec<Expression> = Vec::new();
    for (span, reading) in late.into_iter().chain(military(text, all)) {
        // "From 10h to 18h30": the word belongs to the range.
        let ranged = matches!(reading, Reading::TimeRange { .. });
        let limit = limit_before(all, span.start).filter(|it| !(ranged && it.limit == Limit::From));
        more.push(expression(span, vec![reading], limit));
    }
    let ranges = bare_ranges(text, all);
    // "9 til 11.30": what was read of a part of it is none.
    let around = |span: &Range<usize>| {
        let at = ranges.partition_point(|(_, end, ..)| *end <= span.start);
        let (start, end, ..) = ranges.get(at)?;
        (*start <= span.start && span.end <= *end).then_some(*start..*end)
    };
    found.retain(|it| around(&it.span).is_none_or(|range| range == it.span));
    for (span, at) in dotted_times(text, all) {
        if around(&span).is_some() {
            continue;
        }
        let limit = limit_before(all, span.start);
        more.push(expression(span, clock_readings(at), limit));
    }
    let mut lettered = lettered_times(text, all).into_iter().peekable();
    while let Some((span, at)) = lettered.next() {
        let dash = |end: &Range<usize>| matches!(text.get(span.end..end.start).map(str::trim), Some("-" | "\u{2013}"));
        // "1p – 2p".
        if let Some((last, end)) = lettered.next_if(|(last, end)| dash(last) && at < *end) {
            more.push(expression(span.start..last.end, vec![Reading::TimeRange { start: at, end }], None));
            continue;
        }
        let limit = limit_before(all, span.start);
        more.push(expression(span, vec![Reading::Time(at)], limit));
    }
    for (span, hour, limit) in bare_hours(text, all).into_iter().filter(|(span, ..)| around(span).is_none()) {
        more.push(expression(span, clock_readings((hour, 0)), limit));
    }
    for (span, minutes) in short_lengths(text, all) {
        let length = Length { clock: SignedDuration::from_mins(minutes), ..Length::default() };
        more.push(expression(span, vec![Reading::Duration { min: length, max: Some(length) }], None));
    }
    if let Some(effort) = effort(text) {
        found.retain(|it| it.span.end <= effort.span.start || effort.span.end <= it.span.start);
        more.push(effort);
    }
    for (start, end, first, last) in ranges {
        let readings = range_readings(first, last);
        if !readings.is_empty() {
            more.push(expression(start..end, readings, None));
        }
    }
    more.retain(|it| is_free(&it.span, found));
    super::events::merge(found, more);
}

/// Whether no expression touches these bytes.
pub(super) fn is_free(span: &Range<usize>, found: &[Expression]) -> bool {
    let at = found.partition_point(|it| it.span.end <= span.start);
    found.get(at).is_none_or(|it| {
        let from = it.limit.as_ref().map_or(it.span.start, |limit| limit.span.start.min(it.span.start));
        from >= span.end
    })
}

/// The word before byte `at`.
fn word_before(all: &[Word], at: usize) -> Option<&Word> {
    all.partition_point(|word| word.range.end <= at).checked_sub(1).and_then(|at| all.get(at))
}

/// The words from byte `at` on.
fn words_from(all: &[Word], at: usize) -> &[Word] {
    all.get(all.partition_point(|word| word.range.start < at)..).unwrap_or_default()
}

/// Words before a time of the clock with a dot.
const BEFORE_CLOCK: List = List("before-clock");

/// Things whose numbers have a dot.
const VERSIONED: List = List("versioned");

/// "8.20" where notes mean a time: after a word that stands before times, or beside something that takes place. The minutes
/// are a multiple of five; no sign of money, and no word of versions or sections stands before it.
fn dotted_times(text: &str, all: &[Word]) -> Vec<(Range<usize>, Clock)> {
    let mut out = Vec::new();
    let names = hits(all).iter().any(|hit| matches!(hit.cue, Cue::Event | Cue::Leave | Cue::Gone));
    for (at, word) in all.iter().enumerate().filter(|(_, word)| word.low.len() <= 2 && word.is_figure()) {
        let Some((clock, end)) = clock(text, word.range.start) else { continue };
        let dotted = text.get(word.range.end..end).is_some_and(|rest| rest.starts_with('.'));
        let glued =
            text[..word.range.start].chars().next_back().is_some_and(|c| !c.is_whitespace() && c != '(' && c != '@');
        let before = at.checked_sub(1).map_or("", |at| all[at].low.as_str());
        let cued = BEFORE_CLOCK.contains(before);
        let of_else = VERSIONED.contains(before);
        let rest = text.get(end..).unwrap_or_default();
        let closed = rest.is_empty()
            || rest.starts_with([',', ')', ';', '\n'])
            || rest.starts_with(" -")
            || rest.starts_with(" \u{2013}")
            || rest.starts_with(". ")
            || rest == ".";
        let heads = text[..word.range.start].trim().is_empty()
            && rest.trim_start().starts_with(char::is_alphabetic)
            && rest.starts_with(' ')
            && clock.0 >= 1;
        let worded = rest.starts_with(' ')
            && names
            && !rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || "%$€£".contains(c));
        if dotted
            && !glued
            && !of_else
            && clock.1 % 5 == 0
            && clock.0 < 24
            && (cued || heads || (closed && clock.0 >= 1) || (names && worded))
        {
            out.push((word.range.start..end, clock));
        }
    }
    out
}

/// "At my desk from 8", "not past 5": an hour without minutes after a word that begins or ends a time, where nothing follows
/// that it could be a count of.
fn bare_hours(text: &str, all: &[Word]) -> Vec<(Range<usize>, i8, Option<LimitWord>)> {
    let mut out = Vec::new();
    for (at, word) in all.iter().enumerate().skip(1) {
        // "Nothing past five".
        let spelled = || {
            let hour = HOURS.iter().position(|own| *own == word.low).filter(|_| all[at - 1].low == "past")?;
            i8::try_from(hour).ok().map(|hour| hour + 1)
        };
        let Some(hour @ 1..=23) = word.low.parse::<i8>().ok().or_else(spelled) else { continue };
        let rest = text.get(word.range.end..).unwrap_or_default();
        let next = all.get(at + 1).filter(|next| !next.parted).map_or("", |next| next.low.as_str());
        let closed = rest.trim().is_empty()
            || rest.starts_with([',', ';', ')', '!']) && !rest[1..].starts_with(|c: char| c.is_ascii_digit())
            || rest.starts_with(". ")
            || rest == "."
            || [" -", " \u{2013}", " \u{2014}", " ("].iter().any(|dash| rest.starts_with(dash))
            || AFTER_HOUR.contains(&next);
        let limit = match all[at - 1].low.as_str() {
            "at" if hour > 12 => None,
            "closes" | "close" | "shuts" | "shut" | "opens" | "open" | "stopping" | "finish" | "finishing" | "desk"
            | "leaving" | "leave" | "starting" | "home" => None,
            "from" => Some(Limit::From),
            "past" | "after" => Some(Limit::After),
            "before" => Some(Limit::Before),
            "by" => Some(Limit::By),
            "until" | "till" | "til" => Some(Limit::Until),
            _ => continue,
        };
        // "Bus from 4", "drawer on till 2": what has a number of its own.
        let numbered = at >= 2
            && matches!(all[at - 2].low.as_str(), "on" | "the" | "no" | "number" | "platform" | "gate" | "room");
        if closed && !numbered && !word.parted {
            let limit = limit.map(|limit| LimitWord { limit, span: all[at - 1].range.clone() });
            out.push((word.range.clone(), hour, limit));
        }
    }
    out
}

/// Words behind an hour that make no count of it.
const AFTER_HOUR: &[&str] = &[
    "today", "because", "if", "so", "and", "then", "on", "as", "since", "when", "sharp", "latest", "this", "or",
    "closes", "shuts",
];

/// The hours of a clock in words.
const HOURS: &[&str] =
    &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// The word that limits a time which begins at `start`.
fn limit_before(all: &[Word], start: usize) -> Option<LimitWord> {
    let at = all.partition_point(|word| word.range.end <= start);
    let word = at.checked_sub(1).and_then(|at| all.get(at))?;
    let limit = match word.low.as_str() {
        "before" => Limit::Before,
        "by" => Limit::By,
        "until" | "till" => Limit::Until,
        "after" => Limit::After,
        "from" | "since" => Limit::From,
        _ => return None,
    };
    Some(LimitWord { limit, span: word.range.clone() })
}

/// "0700–0745", "@ 1400", "0900 bed meeting": four figures of the clock, as a range, after a word of times, or at the head of a
/// line before what takes place then. Years are none: a single one ends in a multiple of five minutes below 24 hours.
fn military(text: &str, all: &[Word]) -> Vec<(Range<usize>, Reading)> {
    let bytes = text.as_bytes();
    let four = |at: usize| -> Option<Clock> {
        let figures = bytes.get(at..at + 4)?;
        if !figures.iter().all(u8::is_ascii_digit) || bytes.get(at + 4).is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        let digit = |at: usize| i8::try_from(figures[at] - b'0').ok();
        let (hour, minute) = (digit(0)? * 10 + digit(1)?, digit(2)? * 10 + digit(3)?);
        (hour < 24 && minute < 60 && minute % 5 == 0).then_some((hour, minute))
    };
    let minute = |(hour, minute): Clock| i32::from(hour) * 60 + i32::from(minute);
    let mut out = Vec::new();
    let mut at = 0;
    while at + 4 <= bytes.len() {
        let glued = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || b"$#.:/+-_,".contains(&bytes[at - 1]));
        let Some(first) = four(at).filter(|_| !glued) else {
            at += 1;
            continue;
        };
        let end = at + 4;
        let dash = ["-", "\u{2013}", " - ", " \u{2013} "]
            .iter()
            .find_map(|dash| text.get(end..)?.strip_prefix(dash).map(|_| dash.len()));
        let second = dash.and_then(|dash| four(end + dash).map(|last| (last, end + dash + 4)));
        if let Some((last, until)) = second.filter(|(last, _)| minute(*last) > minute(first)) {
            out.extend(reading(minute(first), minute(last)).map(|reading| (at..until, reading)));
            at = until;
            continue;
        }
        let head = text.get(..at).unwrap_or_default();
        let before = word_before(all, at).map_or("", |word| word.low.as_str());
        let marked = head.trim_end().ends_with('@');
        let cued = marked || matches!(before, "at" | "by" | "until" | "till" | "til" | "before" | "after" | "from");
        let heads = head.trim().is_empty()
            && text
                .get(end..)
                .is_some_and(|rest| rest.starts_with(' ') && rest.trim_start().starts_with(char::is_alphabetic));
        let is_year = (19..=20).contains(&first.0) && first.0 == 20 && !marked && !heads && before != "at";
        if (cued || heads) && !is_year {
            out.push((at..end, Reading::Time(time(first.0, first.1, 0, 0))));
        }
        at = end;
    }
    out
}

/// From this hour on "14h" is a time; below it is a length, unless a word of times stands before it.
const H_HOUR_MIN: i8 = 7;

/// From this hour on "14h" is a time wherever it stands: nobody notes so long a length for something to do.
const H_LATE_MIN: i8 = 13;

/// "14h", "8h30": the hour and the minute.
pub(super) fn clock_by_h(low: &str) -> Option<Clock> {
    let (hour, minute) = low.split_once('h')?;
    let shown = minute.len();
    let (hour, minute): (i8, i8) = (hour.parse().ok()?, if minute.is_empty() { 0 } else { minute.parse().ok()? });
    ((0..24).contains(&hour) && (0..60).contains(&minute) && matches!(shown, 0 | 2)).then_some((hour, minute))
}

/// Times as much of Europe writes them: "14h", "12h30", "from 9h to 18h". One after a word that stands before times, one that
/// joins such a one, or a late one beside something that takes place, or one that is too late or too exact to be a length.
fn hours_with_h(text: &str, all: &[Word]) -> Vec<(Range<usize>, Reading)> {
    let named = hits(all).iter().any(|hit| matches!(hit.cue, Cue::Event | Cue::Hours | Cue::Gone | Cue::Leave));
    let clock = |word: &Word| clock_by_h(&word.low);
    let mut out: Vec<(Range<usize>, Reading)> = Vec::new();
    let mut at = 0;
    while let Some(word) = all.get(at) {
        at += 1;
        let Some(first) = clock(word) else { continue };
        let before = at.checked_sub(2).map_or("", |at| all[at].low.as_str());
        let cued =
            matches!(before, "at" | "by" | "until" | "till" | "before" | "after" | "from" | "around" | "between");
        let heads =
            at == 1 && first.0 >= H_HOUR_MIN && text.get(..word.range.start).is_some_and(|head| head.trim().is_empty());
        let cued = cued || heads;
        // "12h30 - 13h30", "from 9h to 18h".
        let second = all.get(at).and_then(|next| {
            let gap = text.get(word.range.end..next.range.start)?;
            let joined = matches!(gap.trim(), "-" | "\u{2013}" | "\u{2014}");
            let (next, step) =
                if matches!(next.low.as_str(), "to" | "until" | "till" | "and") && (cued || next.low != "and") {
                    (all.get(at + 1)?, 2)
                } else {
                    (next, 1)
                };
            (joined || step == 2).then(|| clock(next).map(|last| (last, next.range.end, step))).flatten()
        });
        let minute = |(hour, minute): Clock| i32::from(hour) * 60 + i32::from(minute);
        if let Some((last, end, step)) =
            second.filter(|(last, ..)| minute(*last) > minute(first) && (cued || first.0 >= H_HOUR_MIN))
        {
            out.extend(reading(minute(first), minute(last)).map(|reading| (word.range.start..end, reading)));
            at += step;
        } else if cued || first.0 >= H_LATE_MIN || (first.0 >= H_HOUR_MIN && (named || !word.low.ends_with('h'))) {
            out.push((word.range.clone(), Reading::Time(time(first.0, first.1, 0, 0))));
        }
    }
    out
}

fn clock_readings(at: Clock) -> Vec<Reading> {
    let other = (1..=11).contains(&at.0).then_some((at.0 + 12, at.1));
    std::iter::once(at).chain(other).map(|(hour, minute)| Reading::Time(time(hour, minute, 0, 0))).collect()
}

/// Most minutes of "20m": beyond them metres are meant.
const SHORT_MINUTES_MAX: i64 = 240;

/// Words that make a length one beside a time.
const AFTER_LENGTH: List = List("after-length");

/// Lengths as notes write them and prose does not: "20m", "90'", "1/2 hr".
fn short_lengths(text: &str, all: &[Word]) -> Vec<(Range<usize>, i64)> {
    let mut out = Vec::new();
    for (at, word) in all.iter().enumerate() {
        // "Report, an hour": prose wants a verb beside it.
        let hour = matches!(word.low.as_str(), "an" | "one")
            && all.get(at + 1).is_some_and(|next| next.low == "hour" && !next.parted);
        let follows = all.get(at + 2).filter(|next| !next.parted).map_or("", |next| next.low.as_str());
        let relative = AFTER_LENGTH.contains(follows);
        if let (Some(next), true) = (all.get(at + 1), hour && !relative) {
            out.push((word.range.start..next.range.end, 60));
            continue;
        }
        let digits = word.low.bytes().take_while(u8::is_ascii_digit).count();
        let (Some(figure), unit) = (word.low.get(..digits), word.low.get(digits..).unwrap_or_default()) else {
            continue;
        };
        let Ok(count) = figure.parse::<i64>() else { continue };
        let rest = text.get(word.range.end..).unwrap_or_default();
        let glued = text
            .get(..word.range.start)
            .and_then(|text| text.chars().next_back())
            .is_some_and(|c| "$€£#.,:/+_".contains(c));
        if glued || count == 0 || count > SHORT_MINUTES_MAX {
            continue;
        }
        // "(45)" beside what it is the length of.
        let alone = unit.is_empty()
            && count % 5 == 0
            && count >= 5
            && text.get(..word.range.start).is_some_and(|head| head.ends_with('('))
            && rest.starts_with(')');
        if alone {
            out.push((word.range.clone(), count));
            continue;
        }
        let spaced = unit.is_empty()
            && all.get(at + 1).is_some_and(|next| {
                next.low == "m" && !next.parted && text.get(next.range.end..).is_some_and(|rest| rest.starts_with(')'))
            });
        if let (Some(next), true) = (all.get(at + 1), spaced) {
            out.push((word.range.start..next.range.end, count));
        } else if unit == "m" {
            out.push((word.range.clone(), count));
        } else if unit.is_empty()
            && rest.starts_with(['\'', '\u{2019}', '\u{2032}'])
            && !rest.get(1..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
        {
            let mark = rest.chars().next().map_or(0, char::len_utf8);
            out.push((word.range.start..word.range.end + mark, count));
        } else if unit.is_empty() && rest.starts_with('/') {
            // "1/2 hr", "3/4 hour".
            let (Some(under), Some(hour)) = (all.get(at + 1), all.get(at + 2)) else { continue };
            let is_hour = matches!(hour.low.as_str(), "h" | "hr" | "hour" | "hrs");
            if let (Ok(parts @ 2..=4), true) = (under.low.parse::<i64>(), is_hour) {
                out.push((word.range.start..hour.range.end, count.saturating_mul(60) / parts));
            }
        }
    }
    out
}

pub(super) type Clock = (i8, i8);

/// Things that are numbered: "slides 8–14", "pages 12–20".
const NUMBERED: List = List("numbered");

/// Words before a range that make times of it.
const RANGED: List = List("before-range");

/// Words after a range of times.
const AFTER_RANGE: &[&str] =
    &["both", "and", "as", "blocked", "busy", "clear", "for", "free", "off", "then", "while", "with"];

/// Words after a range of numbers that make a count of it.
const UNITS: &[&str] = &[
    "am", "day", "days", "h", "hour", "hours", "hr", "hrs", "items", "k", "kids", "km", "m", "min", "mins", "minute",
    "minutes", "months", "of", "pages", "people", "players", "pm", "times", "week", "weeks", "x", "year", "years",
];

/// Words that are looked at behind a range for something that takes place.
const BEHIND_WORDS: usize = 6;

/// "12–1", "9:30-11", "2 to 2.30" where nothing follows that makes a count of it: start, end, and the two clock times.
fn bare_ranges(text: &str, all: &[Word]) -> Vec<(usize, usize, Clock, Clock)> {
    let bytes = text.as_bytes();
    let length = text.trim_end().len();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        let before = word_before(all, start).map_or("", |word| word.low.as_str());
        let glued = NUMBERED.contains(before)
            || text[..start].chars().next_back().is_some_and(|c| c.is_alphanumeric() || "$€£#.:/+-–_".contains(c));
        let Some((first, next)) = clock(text, at) else {
            at += bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            continue;
        };
        at = next;
        // With spaces only where one side shows minutes or a word of times stands before it.
        let spaced = text[at..].starts_with(' ');
        let joints = ["-", "\u{2013}", "\u{2014}", " - ", " \u{2013} ", " to ", " till ", " til ", " until "];
        let Some(dash) = joints.iter().find_map(|dash| text[at..].strip_prefix(dash).map(|_| dash.len())) else {
            continue;
        };
        let Some((last, end)) = clock(text, at + dash) else { continue };
        let minutes = text[start..end].contains([':', '.']);
        let only = text[end..].trim_start().starts_with("only");
        if spaced && !(minutes || only || RANGED.contains(before) || (end == length && !before.is_empty())) {
            at = end;
            continue;
        }
        let after = text[end..].trim_start_matches(' ');
        let behind = words_from(all, end);
        let behind = behind.get(..behind.len().min(BEHIND_WORDS)).unwrap_or_default();
        let follows = behind.first().filter(|word| !word.parted && word.range.start <= end + 1);
        let follow = follows.map_or("", |word| word.low.as_str());
        let counts = after.starts_with(|c: char| c.is_alphanumeric() || "%$€£/-–:.°".contains(c))
            && !after.starts_with(". ")
            && after != ".";
        let named = hits(behind).iter().any(|hit| hit.cue == Cue::Event);
        let beside = word_before(all, start)
            .is_some_and(|word| hits(std::slice::from_ref(word)).iter().any(|hit| hit.cue == Cue::Event));
        let joined = AFTER_RANGE.contains(&follow) && (RANGED.contains(before) || beside);
        // "12-1 lunch with Ana" at the head of a line.
        let heads = text[..start].trim_start().is_empty()
            && first.0 >= 6
            && follows.is_some_and(|word| word.capital || !word.low.ends_with('s') || named);
        let money = after.starts_with(['%', '$', '\u{20ac}', '\u{a3}']);
        let shown = (minutes || only) && !money;
        if !glued && !UNITS.contains(&follow) && (!counts || joined || shown || heads || end == text.len()) {
            out.push((start, end, first, last));
        }
        at = end;
    }
    out
}

/// A clock time without am or pm that begins at `at`, and where it ends.
fn clock(text: &str, at: usize) -> Option<(Clock, usize)> {
    let bytes = text.as_bytes();
    let digits = bytes.get(at..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=2).contains(&digits) {
        return None;
    }
    let hour: i8 = text.get(at..at + digits)?.parse().ok()?;
    let mut end = at + digits;
    let mut minute = 0;
    let colon = bytes.get(end) == Some(&b':') || bytes.get(end) == Some(&b'.');
    if colon && bytes.get(end + 1..end + 3).is_some_and(|two| two.iter().all(u8::is_ascii_digit)) {
        minute = text.get(end + 1..end + 3)?.parse().ok()?;
        end += 3;
    }
    let longer = bytes.get(end).is_some_and(u8::is_ascii_digit);
    (hour <= 24 && minute < 60 && !longer && (hour < 24 || minute == 0)).then_some(((hour, minute), end))
}

fn range_readings(first: Clock, last: Clock) -> Vec<Reading> {
    let minute = |(hour, minute): Clock| i32::from(hour) * 60 + i32::from(minute);
    let (from, to) = (minute(first), minute(last));
    if first.0 == 0 || first.0 > 12 || last.0 > 12 {
        return reading(from, to).into_iter().collect();
    }
    // The end is the next time that the clock shows so after the start.
    let from = from % 720;
    let length = (to - from).rem_euclid(720);
    if length == 0 {
        return Vec::new();
    }
    [from, from + 720].into_iter().filter_map(|from| reading(from, from + length)).collect()
}

fn reading(from: i32, to: i32) -> Option<Reading> {
    let at = |minute: i32| {
        let minute = minute.rem_euclid(1440);
        Some(time(i8::try_from(minute / 60).ok()?, i8::try_from(minute % 60).ok()?, 0, 0))
    };
    (from != to).then_some(Reading::TimeRange { start: at(from)?, end: at(to)? })
}
