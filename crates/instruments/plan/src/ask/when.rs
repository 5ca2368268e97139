//! The times of a clause: settled, put together with the days that stand beside them, as instants.

use std::ops::Range;

use jiff::civil::{Date, DateTime, Time, time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use steadfast_time::{Diagnostic, Expression, Limit, LocalTime, PartName, Reading, resolve_in};

use super::settle::{Beside, Candidate, settle};
use super::ways::{Way, ways};
use super::words::Word;
use crate::list::List;
use crate::model::{Readings, Times};
use crate::window::Interval;

/// What a stretch of time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A moment: the interval begins and ends with it.
    Point,
    /// From one moment to another.
    Range,
    /// Whole days.
    Days,
    /// A part of a day that no clock bounds.
    Part,
}

/// A time of a clause.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    /// Its bytes with the words that limit it.
    pub(crate) span: Range<usize>,
    /// What the words before it make of it.
    pub(crate) limit: Option<Limit>,
    /// What it is.
    pub(crate) shape: Shape,
    /// Each reading with its intervals: several where it holds on several days.
    pub(crate) readings: Vec<Times>,
    /// Whether it lies wholly in days before today.
    pub(crate) past: bool,
    /// Whether it touches the day on which the notes are read.
    pub(crate) today: bool,
}

impl Stretch {
    /// The times that it stands for once its limit is heeded: "after 3" reaches to the end of that day.
    pub(crate) fn times(&self, zone: &TimeZone) -> Option<Readings<Times>> {
        let bounded = |it: &Interval| match self.limit {
            None => *it,
            Some(Limit::After) => {
                Interval::new(if self.shape == Shape::Point { it.start } else { it.end }, day_end(it.start, zone))
            }
            Some(Limit::From) => Interval::new(it.start, day_end(it.start, zone)),
            Some(Limit::Before) => Interval::new(day_start(it.start, zone), it.start),
            Some(Limit::By | Limit::Until) => {
                Interval::new(day_start(it.start, zone), if self.shape == Shape::Point { it.start } else { it.end })
            }
        };
        Readings::of(self.readings.iter().map(|times| times.iter().map(bounded).collect()).collect())
    }

    /// The moments at which each reading begins.
    pub(crate) fn starts(&self) -> Option<Readings<Timestamp>> {
        Readings::of(self.readings.iter().filter_map(|times| times.first().map(|it| it.start)).collect())
    }

    /// The moments at which each reading ends.
    pub(crate) fn ends(&self) -> Option<Readings<Timestamp>> {
        Readings::of(self.readings.iter().filter_map(|times| times.last().map(|it| it.end)).collect())
    }
}

/// A length of time of a clause, in minutes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Length {
    /// Its bytes.
    pub(crate) span: Range<usize>,
    /// At least.
    pub(crate) min: Option<i64>,
    /// At most.
    pub(crate) max: Option<i64>,
    /// "about", "or so".
    pub(crate) approximate: bool,
}

/// What the times of a clause are read with.
#[derive(Clone, Debug)]
pub(crate) struct Clock<'a> {
    /// Now.
    pub(crate) now: &'a Zoned,
    /// Hours that the notes give.
    pub(crate) hours: Option<(Time, Time)>,
    /// Whether the notes count the hours of a day to 24.
    pub(crate) counts_to_24: bool,
    /// Waking hours.
    pub(crate) waking: (Time, Time),
}

/// The times of a clause.
#[derive(Clone, Debug, Default)]
pub(crate) struct When {
    /// Stretches, in order.
    pub(crate) stretches: Vec<Stretch>,
    /// Lengths, in order.
    pub(crate) lengths: Vec<Length>,
    /// Ways to what the clause speaks of, in order: no lengths of anything else.
    pub(crate) ways: Vec<Way>,
    /// The bytes of every expression with its limit, in order.
    pub(crate) spans: Vec<Range<usize>>,
    /// What was settled.
    pub(crate) assumptions: Vec<String>,
    /// What must be asked.
    pub(crate) questions: Vec<String>,
}

/// One time before its day is known.
struct Loose {
    span: Range<usize>,
    limit: Option<Limit>,
    shape: Shape,
    candidates: Vec<Candidate>,
    zones: Vec<TimeZone>,
}

/// Where a civil time is put, and how it is shown.
struct Place<'p> {
    zone: &'p TimeZone,
    /// Of two instants the second.
    later: bool,
    shown: &'p str,
}

enum Piece {
    Days(Range<usize>, Option<Limit>, Vec<(Date, Date)>),
    Loose(Loose),
}

impl When {
    /// What is a way is no length, and its words are words of time.
    fn set_ways(&mut self, ways: Vec<Way>) {
        for way in &ways {
            self.lengths.retain(|it| it.span.start != way.span.start);
            for span in self.spans.iter_mut().filter(|it| it.start <= way.span.start && way.span.start < it.end) {
                span.end = span.end.max(way.span.end);
            }
        }
        self.ways = ways;
    }
}

impl Clock<'_> {
    fn today(&self) -> Date {
        self.now.date()
    }

    /// Reads the expressions of a clause whose text is `text` and whose words are `words`.
    pub(crate) fn read(&self, text: &str, words: &[Word], found: &[Expression]) -> When {
        let mut when = When::default();
        let mut pieces: Vec<Piece> = Vec::new();
        let ranged = found
            .iter()
            .any(|it| matches!(it.readings.first(), Some(Reading::TimeRange { .. } | Reading::DateTimeRange { .. })));
        for expression in found.iter().filter(|it| !(is_attribute(text, words, it) || ranged && is_hours(it))) {
            let shown = text.get(expression.span.clone()).unwrap_or_default();
            when.spans.push(whole_span(expression));
            if let Some(length) = length(expression) {
                when.lengths.push(length);
                continue;
            }
            if expression.diagnostics.contains(&Diagnostic::NoSuchTime) {
                when.questions.push(format!("\"{shown}\" {}: which time is meant?", Diagnostic::NoSuchTime.message()));
            }
            if let Some(piece) = self.piece(expression) {
                pieces.push(piece);
            }
        }
        self.group(text, words, pieces, &mut when);
        let timed = |it: &Stretch| it.limit.is_none() && matches!(it.shape, Shape::Point | Shape::Range);
        if when.stretches.iter().any(timed) {
            when.set_ways(ways(text, words, &when.lengths));
        }
        when
    }

    /// Times and the days beside them: days that follow one another go together, and hold for the times after them; where
    /// times come first, for those before.
    fn group(&self, text: &str, words: &[Word], pieces: Vec<Piece>, when: &mut When) {
        let mut days: Vec<(Date, Date)> = Vec::new();
        let mut days_span: Option<(Range<usize>, Option<Limit>)> = None;
        let mut waiting: Vec<Loose> = Vec::new();
        let mut used = true;
        let mut trailing = false;
        for piece in pieces {
            match piece {
                Piece::Days(span, limit, dates) => {
                    if used && !trailing {
                        days.clear();
                        days_span = None;
                    }
                    if !waiting.is_empty() {
                        trailing = true;
                    }
                    if !trailing && !used && limit.is_some() {
                        self.close(&mut days, &mut days_span, when);
                    }
                    days.extend(dates);
                    days_span = Some(match days_span.take() {
                        Some((whole, limit)) => (whole.start..span.end, limit),
                        None => (span, limit),
                    });
                    used = trailing;
                }
                Piece::Loose(loose) => {
                    if trailing {
                        // The days after the times before: they are complete now.
                        for earlier in waiting.drain(..) {
                            self.put(text, words, earlier, &days, when);
                        }
                        trailing = false;
                        days.clear();
                        days_span = None;
                    }
                    let own = loose.candidates.iter().find_map(|it| it.date);
                    if let Some(date) = own {
                        if !used {
                            self.close(&mut days, &mut days_span, when);
                        }
                        days = vec![(self.coming(&loose.candidates).unwrap_or(date), date)];
                        days[0].1 = days[0].0;
                        days_span = None;
                        used = true;
                        self.put(text, words, loose, &[], when);
                    } else if days.is_empty() {
                        waiting.push(loose);
                        used = true;
                    } else {
                        used = true;
                        self.put(text, words, loose, &days, when);
                    }
                }
            }
        }
        if trailing || days.is_empty() {
            for loose in waiting {
                self.put(text, words, loose, &days, when);
            }
        } else {
            for loose in waiting {
                self.put(text, words, loose, &[], when);
            }
        }
        if !used {
            self.close(&mut days, &mut days_span, when);
        }
        when.stretches.sort_by_key(|it| it.span.start);
    }

    /// Days that no clock time goes with.
    fn close(&self, days: &mut Vec<(Date, Date)>, span: &mut Option<(Range<usize>, Option<Limit>)>, when: &mut When) {
        let Some((span, limit)) = span.take() else { return };
        let zone = self.now.time_zone();
        let times: Times = days
            .iter()
            .filter_map(|(first, last)| {
                let start = first.to_zoned(zone.clone()).ok()?.timestamp();
                let end = last.tomorrow().ok()?.to_zoned(zone.clone()).ok()?.timestamp();
                Some(Interval::new(start, end))
            })
            .collect();
        if !times.is_empty() {
            when.stretches.push(self.stretch(span, limit, Shape::Days, vec![times]));
        }
        days.clear();
    }

    fn stretch(&self, span: Range<usize>, limit: Option<Limit>, shape: Shape, readings: Vec<Times>) -> Stretch {
        let zone = self.now.time_zone();
        let midnight = self.today().to_zoned(zone.clone()).map_or(self.now.timestamp(), |at| at.timestamp());
        let end = day_end(self.now.timestamp(), zone);
        let past = readings.iter().flatten().all(|it| it.end <= midnight && it.start < midnight);
        let today = readings.iter().flatten().any(|it| it.start < end && it.end >= midnight);
        Stretch { span, limit, shape, readings, past, today }
    }

    /// The day that is meant where several are: the first that is not over.
    fn coming(&self, candidates: &[Candidate]) -> Option<Date> {
        let dates = candidates.iter().filter_map(|it| it.date);
        dates.clone().filter(|date| *date >= self.today()).min().or_else(|| dates.max())
    }

    /// Settles a time and puts it on its days.
    fn put(&self, text: &str, words: &[Word], loose: Loose, days: &[(Date, Date)], when: &mut When) {
        let shown = text.get(loose.span.clone()).unwrap_or_default().trim();
        let dates: Vec<Date> = match self.coming(&loose.candidates) {
            Some(date) => vec![date],
            None if days.is_empty() => vec![self.today()],
            None => days.iter().flat_map(|(first, last)| each_day(*first, *last)).collect(),
        };
        let Some(first) = dates.first().copied() else { return };
        let own: Vec<Candidate> =
            loose.candidates.iter().copied().filter(|it| it.date.is_none_or(|date| date == first)).collect();
        let literal = self.counts_to_24 && is_written_to_24(shown) && own.len() > 1;
        let (left, rule) = if literal {
            let hour = written_hour(shown);
            let said: Vec<Candidate> = own.iter().copied().filter(|it| Some(it.start.hour()) == hour).collect();
            (if said.is_empty() { own } else { said }, None)
        } else {
            let near = near(words, &loose.span);
            let beside = Beside {
                date: first,
                now: (self.today(), self.now.time()),
                hours: self.hours,
                words: near,
                waking: self.waking,
                ends: matches!(loose.limit, Some(Limit::By | Limit::Before | Limit::Until)),
            };
            settle(own, &beside)
        };
        let clock = |it: &Candidate| match it.end {
            Some(end) => format!("{} to {}", it.start.strftime("%H:%M"), end.strftime("%H:%M")),
            None => it.start.strftime("%H:%M").to_string(),
        };
        if let (Some(rule), Some(only)) = (rule, left.first()) {
            when.assumptions.push(format!("\"{shown}\" is read as {}: {}", clock(only), rule.reason()));
        }
        if left.len() > 1 {
            let all: Vec<String> = left.iter().map(clock).collect();
            when.questions.push(format!("\"{shown}\" can be {}: which is meant?", all.join(" or ")));
        }
        let mut readings: Vec<Times> = Vec::new();
        for zone in &loose.zones {
            // Of a time that a change of the clocks repeats both are read: the first, then the second.
            for (candidate, later) in left.iter().flat_map(|candidate| [(candidate, false), (candidate, true)]) {
                let place = Place { zone, later, shown };
                let times = dates.iter().filter_map(|date| self.interval(*date, candidate, &place, when)).collect();
                if !readings.contains(&times) {
                    readings.push(times);
                }
            }
        }
        if loose.zones.len() > 1 && readings.len() > 1 {
            when.questions.push(format!("\"{shown}\": {}: which is meant?", Diagnostic::WhichZone.message()));
        }
        readings.retain(|times| !times.is_empty());
        if !readings.is_empty() {
            when.stretches.push(self.stretch(loose.span, loose.limit, loose.shape, readings));
        }
    }

    fn interval(&self, date: Date, it: &Candidate, place: &Place<'_>, when: &mut When) -> Option<Interval> {
        let start = self.instant(date.to_datetime(it.start), place, when)?;
        let Some(end) = it.end else { return Some(Interval::new(start, start)) };
        let end_date = if end <= it.start { date.tomorrow().ok()? } else { date };
        let end = self.instant(end_date.to_datetime(end), place, when)?;
        Some(Interval::new(start, end))
    }

    fn instant(&self, at: DateTime, place: &Place<'_>, when: &mut When) -> Option<Timestamp> {
        let shown = place.shown;
        Some(match resolve_in(at, place.zone)? {
            LocalTime::Unique(at) => at.timestamp(),
            LocalTime::Skipped { after, .. } => {
                when.assumptions.push(format!(
                    "\"{shown}\" {}: {} is taken",
                    Diagnostic::Skipped.message(),
                    after.strftime("%H:%M")
                ));
                after.timestamp()
            }
            LocalTime::Repeated { first, second } => {
                when.questions
                    .push(format!("\"{shown}\" {}: the first or the second?", Diagnostic::Repeated.message()));
                if place.later { second.timestamp() } else { first.timestamp() }
            }
        })
    }

    fn piece(&self, it: &Expression) -> Option<Piece> {
        let limit = it.limit.as_ref().map(|limit| limit.limit);
        let span = whole_span(it);
        let mut days: Vec<(Date, Date)> = Vec::new();
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut shape = Shape::Point;
        for reading in &it.readings {
            match reading {
                Reading::Time(at) => candidates.push(Candidate { date: None, start: *at, end: None }),
                Reading::TimeRange { start, end } => {
                    shape = Shape::Range;
                    candidates.push(Candidate { date: None, start: *start, end: Some(*end) });
                }
                Reading::DateTime(at) => {
                    candidates.push(Candidate { date: Some(at.date()), start: at.time(), end: None })
                }
                Reading::DateTimeRange { start: Some(start), end: Some(end) } => {
                    shape = Shape::Range;
                    candidates.push(Candidate { date: Some(start.date()), start: start.time(), end: Some(end.time()) });
                }
                Reading::DateTimeRange { start: Some(at), end: None }
                | Reading::DateTimeRange { start: None, end: Some(at) } => {
                    candidates.push(Candidate { date: Some(at.date()), start: at.time(), end: None });
                }
                Reading::Date(date) => days.push((*date, *date)),
                Reading::DateRange { first: Some(first), last: Some(last) } => days.push((*first, *last)),
                Reading::DayPart { part, date } => {
                    shape = Shape::Part;
                    let (start, end) = part_window(part.name, part.window());
                    candidates.push(Candidate { date: *date, start, end: Some(end) });
                }
                Reading::Recurrence(it) => {
                    let is_today = it.weekdays.is_empty() || it.weekdays.contains(&self.today().weekday());
                    let (Some(at), true) = (it.at, is_today) else { continue };
                    shape = if it.until.is_some() { Shape::Range } else { Shape::Point };
                    candidates.push(Candidate { date: None, start: at, end: it.until });
                }
                _ => {}
            }
        }
        if !candidates.is_empty() {
            let offset = |zone: &TimeZone| zone.to_offset(self.now.timestamp());
            let is_own = |zone: &TimeZone| offset(zone) == self.now.offset();
            let zones = match &it.zone {
                // A name of several zones means the one where the notes are written, if it is one of them.
                Some(zone) if zone.candidates.iter().any(is_own) => vec![self.now.time_zone().clone()],
                Some(zone) if !zone.candidates.is_empty() => zone.candidates.clone(),
                _ => vec![self.now.time_zone().clone()],
            };
            return Some(Piece::Loose(Loose { span, limit, shape, candidates, zones }));
        }
        let coming = days.iter().copied().filter(|(_, last)| *last >= self.today()).min();
        let chosen = coming.or_else(|| days.iter().copied().max())?;
        Some(Piece::Days(span, limit, vec![chosen]))
    }
}

/// Words behind a day that it does not belong to.
const NO_HEAD: List = List("no-head");

/// "Thursday's talk", "the quarterly report": which of its kind, not when.
fn is_attribute(text: &str, words: &[Word], it: &Expression) -> bool {
    let rest = text.get(it.span.end..).unwrap_or_default();
    // "The Saturday job", "plan the Xmas raffle".
    let day = it.limit.is_none()
        && it.readings.iter().all(|reading| matches!(reading, Reading::Date(_) | Reading::DateRange { .. }));
    let first = words.partition_point(|word| word.range.end <= it.span.start);
    let before = first.checked_sub(1).and_then(|at| words.get(at));
    let determined = before.is_some_and(|word| {
        matches!(word.low.as_str(), "the" | "a" | "an" | "my" | "our" | "your" | "his" | "her" | "their")
    });
    let next = words.get(words.partition_point(|word| word.range.start < it.span.end)).filter(|word| !word.parted);
    let named = next.is_some_and(|word| !word.is_figure() && word.low.len() > 2 && !NO_HEAD.contains(&word.low));
    if day && determined && named {
        return true;
    }
    let owns = rest.starts_with("'s") || rest.starts_with("\u{2019}s");
    let vague =
        |reading: &Reading| matches!(reading, Reading::Recurrence(it) if it.at.is_none() && it.weekdays.is_empty());
    // "The Q3 deck": a stretch of months says nothing of a day.
    let long = |reading: &Reading| match reading {
        Reading::DateRange { first: Some(first), last: Some(last) } => {
            last.since(*first).is_ok_and(|span| span.get_days() > DAYS_OF_PLAN_MAX)
        }
        _ => false,
    };
    let all = |of: &dyn Fn(&Reading) -> bool| !it.readings.is_empty() && it.readings.iter().all(of);
    owns || all(&vague) || (it.limit.is_none() && all(&long))
}

/// Longest stretch of days that says when something is done rather than what it is about.
const DAYS_OF_PLAN_MAX: i32 = 31;

/// "Office hours": where their times are said too, those hold.
fn is_hours(it: &Expression) -> bool {
    let hours =
        |reading: &Reading| matches!(reading, Reading::DayPart { part, .. } if part.name == PartName::BusinessHours);
    it.readings.iter().all(hours)
}

/// The bytes of an expression with the words that limit it.
fn whole_span(it: &Expression) -> Range<usize> {
    let start = it.limit.as_ref().map_or(it.span.start, |limit| limit.span.start.min(it.span.start));
    let end = it.limit.as_ref().map_or(it.span.end, |limit| limit.span.end.max(it.span.end));
    start..end
}

/// Lunch is an hour at noon, the end of a day the end of usual work: what is nearer to what people mean than the whole part.
const fn part_window(name: PartName, window: (Time, Time)) -> (Time, Time) {
    match name {
        PartName::Lunch => (time(12, 0, 0, 0), time(13, 0, 0, 0)),
        PartName::EndOfDay | PartName::CloseOfBusiness => (window.0, time(18, 0, 0, 0)),
        _ => window,
    }
}

pub(super) fn length(it: &Expression) -> Option<Length> {
    let Some(Reading::Duration { min, max }) = it.readings.first() else { return None };
    let least = min.minutes();
    let most = max.and_then(|max| max.minutes());
    let is_floor = most != least;
    Some(Length {
        span: it.span.clone(),
        min: if is_floor { least.filter(|minutes| *minutes > 0) } else { least },
        max: most,
        approximate: it.approximate,
    })
}

/// Whether a time is written as the clock counts to 24: "9:30", "16:00", not "4" or "4pm".
fn is_written_to_24(shown: &str) -> bool {
    let low = shown.to_ascii_lowercase();
    let hour = shown.split(':').next().unwrap_or_default();
    let is_two = hour.bytes().filter(u8::is_ascii_digit).count() == 2;
    is_two
        && shown.contains(':')
        && !low.contains("am")
        && !low.contains("pm")
        && !low.contains("a.m")
        && !low.contains("p.m")
}

/// The hour that a time is written with.
fn written_hour(shown: &str) -> Option<i8> {
    let start = shown.find(|c: char| c.is_ascii_digit())?;
    let rest = shown.get(start..)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    rest.get(..digits)?.parse().ok()
}

/// Words that stand so near to a time that they say of what kind it is.
const NEAR_WORDS: usize = 6;

fn near<'a>(words: &'a [Word], span: &Range<usize>) -> &'a [Word] {
    let first = words.partition_point(|word| word.range.end <= span.start);
    let last = words.partition_point(|word| word.range.start < span.end);
    // "Opens 10 closes 6": each verb tells of its own time.
    let tells = |at: &usize| matches!(words[*at].low.as_str(), "opens" | "closes" | "shuts");
    if let Some(at) = (first.saturating_sub(2)..first).rev().find(tells) {
        return words.get(at..at + 1).unwrap_or_default();
    }
    let from = first.saturating_sub(NEAR_WORDS);
    words.get(from..(last + NEAR_WORDS).min(words.len())).unwrap_or_default()
}

/// Most days of a range on which a time is put.
const DAYS_MAX: usize = 62;

fn each_day(first: Date, last: Date) -> Vec<Date> {
    let mut days = vec![first];
    let mut at = first;
    while at < last && days.len() < DAYS_MAX {
        let Ok(next) = at.tomorrow() else { break };
        days.push(next);
        at = next;
    }
    days
}

/// The midnight that begins the day of an instant.
pub(crate) fn day_start(at: Timestamp, zone: &TimeZone) -> Timestamp {
    at.to_zoned(zone.clone()).start_of_day().map_or(at, |start| start.timestamp())
}

/// The midnight that ends it.
pub(crate) fn day_end(at: Timestamp, zone: &TimeZone) -> Timestamp {
    crate::free::day_end(&at.to_zoned(zone.clone()))
}
