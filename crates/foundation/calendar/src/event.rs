//! The events of one day: which of a file take place on it, and which of those take no time.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use jiff::civil::{Date, DateTime};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use jiff::{SignedDuration, Timestamp};

use crate::lines::{Line, lines, unescaped};
use crate::recur::{Rule, recurrences};
use crate::values::{Lasts, Stamp};
use crate::zone::{Zone, Zones};
use crate::{CALENDAR_BYTES_MAX, CalendarError, DAY_EVENTS_MAX, DEPTH_MAX, EVENTS_MAX, NAME_CHARS_MAX};

/// Days after the day that is read up to which changes of clocks are counted.
const ZONE_DAYS: i32 = 400;

/// The day that is read, in the zone of whoever has it: times without a zone are in that.
#[derive(Clone, Debug)]
pub struct Day {
    /// The day.
    pub date: Date,
    /// The zone.
    pub zone: TimeZone,
}

/// Something that takes place and takes time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What it is called.
    pub name: String,
    /// From when.
    pub start: Timestamp,
    /// Until when, after that.
    pub end: Timestamp,
    /// Where, where the file says so.
    pub place: Option<String>,
    /// The bytes of the file that name it, or that say when it begins where nothing names it.
    pub span: Range<usize>,
    /// The line of the file on which it begins, from 1.
    pub line: usize,
}

/// Why an event of the day takes no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// It is called off.
    Cancelled,
    /// It is marked as free.
    Free,
    /// It is of the day, not of a time.
    AllDay,
    /// It ends when it begins.
    NoLength,
}

impl Why {
    /// In words: "it is marked as free".
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Cancelled => "it is cancelled",
            Self::Free => "it is marked as free",
            Self::AllDay => "it is of the whole day",
            Self::NoLength => "it ends when it begins",
        }
    }
}

/// An event of the day that takes no time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedOver {
    /// What it is called.
    pub name: String,
    /// Why.
    pub why: Why,
    /// The line of the file on which it begins, from 1.
    pub line: usize,
}

/// What of a file takes place on a day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventsOfDay {
    /// What takes time, in the order of the times.
    pub events: Vec<Event>,
    /// What takes none, in the order of the file.
    pub passed_over: Vec<PassedOver>,
}

/// Reads the events of a day from the text of an iCalendar file. Recurring events count where they recur on the day, in the times of their own zones; zones are
/// `known` ones or described in the file.
///
/// # Errors
/// [`CalendarError`] where the text is no calendar, is larger than is read, or has an event whose time cannot be told: left out, it might be the one that matters.
pub fn read(text: &str, day: &Day, known: &TimeZoneDatabase) -> Result<EventsOfDay, CalendarError> {
    if text.len() > CALENDAR_BYTES_MAX {
        return Err(CalendarError::TooLarge { bytes: text.len() });
    }
    let lines = lines(text)?;
    let (described, events) = components(&lines)?;
    // Days after the one that is read belong to no event of it, but to ends of rules.
    let until = day.date.saturating_add(jiff::Span::new().days(ZONE_DAYS));
    let mut zones = Zones::new(until.at(0, 0, 0, 0));
    for own in described {
        zones.describe(own)?;
    }
    let reader = Reader::new(day, known, zones, &events)?;
    let mut out = EventsOfDay::default();
    for event in &events {
        reader.add(event, &mut out)?;
        if out.events.len() + out.passed_over.len() > DAY_EVENTS_MAX {
            return Err(CalendarError::TooMany { what: "events of that day", limit: DAY_EVENTS_MAX });
        }
    }
    out.events.sort_by(|a, b| (a.start, a.end, &a.name, a.line).cmp(&(b.start, b.end, &b.name, b.line)));
    Ok(out)
}

/// The lines of an event, without those of its alarms.
struct Source<'a> {
    line: usize,
    lines: Vec<&'a Line>,
}

impl<'a> Source<'a> {
    fn find(&self, name: &str) -> Option<&'a Line> {
        self.lines.iter().find(|line| line.name == name).copied()
    }

    fn all(&self, name: &'a str) -> impl Iterator<Item = &'a Line> {
        self.lines.iter().filter(move |line| line.name == name).copied()
    }

    fn says(&self, name: &str, value: &str) -> bool {
        self.find(name).is_some_and(|line| line.value.trim().eq_ignore_ascii_case(value))
    }
}

/// The zones and events of a file.
fn components(lines: &[Line]) -> Result<(Vec<&[Line]>, Vec<Source<'_>>), CalendarError> {
    let (mut zones, mut events): (Vec<&[Line]>, Vec<Source<'_>>) = (Vec::new(), Vec::new());
    let mut open: Vec<(String, usize, usize)> = Vec::new();
    let mut has_calendar = false;
    for (at, line) in lines.iter().enumerate() {
        match line.name.as_str() {
            "BEGIN" => {
                let name = line.value.trim().to_ascii_uppercase();
                has_calendar |= name == "VCALENDAR";
                if !has_calendar {
                    return Err(CalendarError::NoCalendar);
                }
                if open.len() == DEPTH_MAX {
                    return Err(line.wrong(format!("lies within more than {DEPTH_MAX} others")));
                }
                if name == "VEVENT" && !open.iter().any(|(name, ..)| name == "VEVENT") {
                    if events.len() == EVENTS_MAX {
                        return Err(CalendarError::TooMany { what: "events", limit: EVENTS_MAX });
                    }
                    events.push(Source { line: line.number, lines: Vec::new() });
                }
                open.push((name, at, line.number));
            }
            "END" => {
                let name = line.value.trim().to_ascii_uppercase();
                match open.pop() {
                    Some((begun, from, _)) if begun == name => {
                        if name == "VTIMEZONE" {
                            zones.push(&lines[from + 1..at]);
                        }
                    }
                    Some((begun, _, number)) => {
                        return Err(
                            line.wrong(format!("ends `{}`, but `{begun}` of line {number} is open", line.shown()))
                        );
                    }
                    None => return Err(line.wrong(format!("ends `{}`, which did not begin", line.shown()))),
                }
            }
            _ if !has_calendar => return Err(CalendarError::NoCalendar),
            _ if open.last().is_some_and(|(name, ..)| name == "VEVENT") => {
                if let Some(event) = events.last_mut() {
                    event.lines.push(line);
                }
            }
            _ => {}
        }
    }
    match open.last() {
        Some((name, _, number)) => Err(CalendarError::at(*number, format!("`{name}` begins here and does not end"))),
        None if !has_calendar => Err(CalendarError::NoCalendar),
        None => Ok((zones, events)),
    }
}

/// Occurrences that others stand in the place of, or that are taken out.
#[derive(Debug, Default)]
struct Instances {
    at: BTreeSet<Timestamp>,
    on: BTreeSet<Date>,
}

impl Instances {
    fn has(&self, start: Timestamp, day: Date) -> bool {
        self.at.contains(&start) || self.on.contains(&day)
    }
}

/// How long an event lasts.
#[derive(Clone, Copy, Debug)]
enum Length {
    /// From time to time by the clock of one zone.
    Clock(SignedDuration),
    /// As long as is said, or from a time of one zone to that of another.
    Lasts(Lasts),
}

/// What is known of the file and of the day.
struct Reader<'a> {
    day: &'a Day,
    known: &'a TimeZoneDatabase,
    zones: Zones,
    start: Timestamp,
    end: Timestamp,
    /// Occurrences of events that are told apart, by the event's UID.
    replaced: BTreeMap<&'a str, Instances>,
}

impl<'a> Reader<'a> {
    fn new(
        day: &'a Day,
        known: &'a TimeZoneDatabase,
        zones: Zones,
        events: &[Source<'a>],
    ) -> Result<Self, CalendarError> {
        let edge = |date: Date| date.to_zoned(day.zone.clone()).map_or(Timestamp::MAX, |zoned| zoned.timestamp());
        let next = day.date.tomorrow().unwrap_or(day.date);
        let (start, end) = (edge(day.date), edge(next));
        let mut reader = Self { day, known, zones, start, end, replaced: BTreeMap::new() };
        for event in events {
            let (Some(line), Some(uid)) = (event.find("RECURRENCE-ID"), event.find("UID")) else { continue };
            if line.param("RANGE").is_some_and(|range| range.eq_ignore_ascii_case("THISANDFUTURE")) {
                return Err(line.wrong("changes all later occurrences (RANGE=THISANDFUTURE), which is not read"));
            }
            let mut own = reader.replaced.remove(uid.value.as_str()).unwrap_or_default();
            reader.instances(line, &mut own)?;
            reader.replaced.insert(uid.value.as_str(), own);
        }
        Ok(reader)
    }

    fn stamp(line: &Line, text: &str) -> Result<Stamp, CalendarError> {
        // Of a period its beginning.
        let text = text.split('/').next().unwrap_or_default();
        Stamp::read(text)
            .ok_or_else(|| line.wrong(format!("{} `{}` is neither a date nor a time", line.name, line.shown())))
    }

    /// The zone in which a line writes its times.
    fn zone(&self, line: &Line, stamp: Stamp) -> Result<Zone, CalendarError> {
        match (stamp, line.param("TZID")) {
            (Stamp::Utc(_), _) => Ok(Zone::Known(TimeZone::UTC)),
            (_, Some(name)) => self.zones.find(name, self.known, line),
            _ => Ok(Zone::Known(self.day.zone.clone())),
        }
    }

    /// Takes in the occurrences that a line names.
    fn instances(&self, line: &Line, into: &mut Instances) -> Result<(), CalendarError> {
        for text in line.value.split(',').filter(|text| !text.trim().is_empty()) {
            match Self::stamp(line, text)? {
                Stamp::Day(date) => into.on.insert(date),
                stamp @ (Stamp::Local(at) | Stamp::Utc(at)) => {
                    into.at.insert(self.zone(line, stamp)?.instant(at, line)?)
                }
            };
        }
        Ok(())
    }

    /// Adds the occurrences of an event on the day.
    fn add(&self, event: &Source<'a>, out: &mut EventsOfDay) -> Result<(), CalendarError> {
        let start = event
            .find("DTSTART")
            .ok_or_else(|| CalendarError::at(event.line, "the event that begins here has no DTSTART"))?;
        let mut excepted = Instances::default();
        for line in event.all("EXDATE") {
            self.instances(line, &mut excepted)?;
        }
        let uid = event.find("UID").filter(|_| event.find("RECURRENCE-ID").is_none());
        let replaced = uid.and_then(|uid| self.replaced.get(uid.value.as_str()));
        let gone: Vec<&Instances> = replaced.into_iter().chain([&excepted]).collect();
        let summary = event.find("SUMMARY").filter(|line| !line.value.trim().is_empty());
        let name = summary.map_or_else(|| "event without a name".to_owned(), |line| named(&line.value));
        let said = if event.says("STATUS", "CANCELLED") {
            Some(Why::Cancelled)
        } else if event.says("TRANSP", "TRANSPARENT") || event.says("X-MICROSOFT-CDO-BUSYSTATUS", "FREE") {
            Some(Why::Free)
        } else {
            None
        };
        match Self::stamp(start, &start.value)? {
            Stamp::Day(date) => {
                if self.is_on_day(event, start, date, &gone)? {
                    out.passed_over.push(PassedOver { name, why: said.unwrap_or(Why::AllDay), line: event.line });
                }
            }
            stamp @ (Stamp::Local(at) | Stamp::Utc(at)) => {
                for (start_at, end_at) in self.timed(event, start, stamp, at, &gone)? {
                    let why = said.or((end_at <= start_at).then_some(Why::NoLength));
                    if let Some(why) = why {
                        out.passed_over.push(PassedOver { name: name.clone(), why, line: event.line });
                        continue;
                    }
                    out.events.push(Event {
                        name: name.clone(),
                        start: start_at,
                        end: end_at,
                        place: event.find("LOCATION").map(|line| named(&line.value)).filter(|place| !place.is_empty()),
                        span: summary.unwrap_or(start).span.clone(),
                        line: event.line,
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether an event of whole days is on the day.
    fn is_on_day(
        &self,
        event: &Source<'a>,
        line: &Line,
        date: Date,
        gone: &[&Instances],
    ) -> Result<bool, CalendarError> {
        let midnight = |date: Date| date.at(0, 0, 0, 0);
        let days = match (event.find("DTEND"), event.find("DURATION")) {
            (Some(end), _) => {
                i64::from(date.until(Self::stamp(end, &end.value)?.date()).map_or(1, |span| span.get_days()))
            }
            (None, Some(own)) => i64::from(lasts(own)?.days),
            (None, None) => 1,
        };
        let mut dates = self.begins(event, line, midnight(date), midnight(self.day.date), |stamp| match stamp {
            Stamp::Day(date) => Ok(midnight(date)),
            Stamp::Local(at) | Stamp::Utc(at) => Ok(at),
        })?;
        dates.retain(|at| !gone.iter().any(|own| own.on.contains(&at.date())));
        let is_within = |at: &DateTime| {
            let since = at.date().until(self.day.date).map_or(-1, |span| i64::from(span.get_days()));
            (0..days.max(1)).contains(&since)
        };
        Ok(dates.iter().any(is_within))
    }

    /// Beginnings and ends of an event's occurrences on the day.
    fn timed(
        &self,
        event: &Source<'a>,
        line: &Line,
        stamp: Stamp,
        at: DateTime,
        gone: &[&Instances],
    ) -> Result<Vec<(Timestamp, Timestamp)>, CalendarError> {
        let zone = self.zone(line, stamp)?;
        let length = self.length(event, line, stamp, &zone)?;
        let latest = zone.civil(self.end, line)?;
        let begins = self.begins(event, line, at, latest, |own| match own {
            Stamp::Day(date) => Ok(date.at(23, 59, 59, 0)),
            Stamp::Local(at) => Ok(at),
            Stamp::Utc(at) => zone.civil(Zone::Known(TimeZone::UTC).instant(at, line)?, line),
        })?;
        let mut out = Vec::new();
        for begin in begins {
            let beyond = || line.wrong("the event ends beyond what can be counted");
            let lasts = match length {
                Length::Clock(time) => Lasts { days: 0, time },
                Length::Lasts(lasts) => lasts,
            };
            let last_day = begin.checked_add(jiff::Span::new().days(lasts.days)).map_err(|_| beyond())?;
            let until = last_day.checked_add(lasts.time).map_err(|_| beyond())?;
            // What ended long ago needs no zone.
            if until.date() < self.day.date.yesterday().and_then(|it| it.yesterday()).unwrap_or(self.day.date) {
                continue;
            }
            let start = zone.instant(begin, line)?;
            let end = match length {
                // Where clocks skip its beginning, it is as long as it is written.
                Length::Clock(time) => match zone.instant(until, line)? {
                    end if end <= start => start.checked_add(time).map_err(|_| beyond())?,
                    end => end,
                },
                Length::Lasts(_) => zone.instant(last_day, line)?.checked_add(lasts.time).map_err(|_| beyond())?,
            };
            let is_here = start < self.end && (end > self.start || start >= self.start);
            let is_gone = || gone.iter().any(|own| own.has(start, begin.date()));
            if is_here && !is_gone() {
                out.push((start, end));
            }
        }
        Ok(out)
    }

    /// How long an event lasts that begins at a time of a zone.
    fn length(&self, event: &Source<'a>, line: &Line, stamp: Stamp, zone: &Zone) -> Result<Length, CalendarError> {
        let (Some(end), Stamp::Local(at) | Stamp::Utc(at)) = (event.find("DTEND"), stamp) else {
            return Ok(Length::Lasts(event.find("DURATION").map_or(Ok(Lasts::default()), lasts)?));
        };
        let is_of_zone = end.param("TZID") == line.param("TZID");
        let (time, is_by_clock) = match (Self::stamp(end, &end.value)?, stamp) {
            (Stamp::Day(date), _) => (date.at(0, 0, 0, 0).duration_since(at), true),
            (Stamp::Local(until), Stamp::Local(_)) if is_of_zone => (until.duration_since(at), true),
            (own @ (Stamp::Local(until) | Stamp::Utc(until)), _) => {
                let until = self.zone(end, own)?.instant(until, end)?;
                (until.duration_since(zone.instant(at, line)?), false)
            }
        };
        if time.is_negative() {
            return Err(end.wrong("the event ends before it begins"));
        }
        Ok(if is_by_clock { Length::Clock(time) } else { Length::Lasts(Lasts { days: 0, time }) })
    }

    /// When an event begins, by the clock of its zone, up to `latest`.
    fn begins(
        &self,
        event: &Source<'a>,
        line: &Line,
        at: DateTime,
        latest: DateTime,
        local: impl Fn(Stamp) -> Result<DateTime, CalendarError> + Copy,
    ) -> Result<Vec<DateTime>, CalendarError> {
        let mut begins = vec![at];
        for own in event.all("RRULE") {
            begins.extend(recurrences(at, &Rule::read(own, local)?, latest, own.number, &self.zones.budget)?);
        }
        for own in event.all("RDATE") {
            for text in own.value.split(',').filter(|text| !text.trim().is_empty()) {
                let stamp = Self::stamp(own, text)?;
                begins.push(match (stamp, own.param("TZID") == line.param("TZID")) {
                    (Stamp::Local(_) | Stamp::Day(_), true) => local(stamp)?,
                    (Stamp::Utc(_) | Stamp::Day(_), _) => local(stamp)?,
                    (Stamp::Local(there), false) => {
                        let here = self.zone(line, stamp)?;
                        here.civil(self.zone(own, stamp)?.instant(there, own)?, own)?
                    }
                });
            }
        }
        begins.sort_unstable();
        begins.dedup();
        Ok(begins)
    }
}

fn lasts(line: &Line) -> Result<Lasts, CalendarError> {
    Lasts::read(&line.value).ok_or_else(|| line.wrong(format!("DURATION `{}` is no length of an event", line.shown())))
}

/// A text of the file as a name: on one line, and not too long.
fn named(value: &str) -> String {
    let text = unescaped(value);
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|it| !it.is_empty()).collect();
    words.join(" ").chars().take(NAME_CHARS_MAX).collect()
}
