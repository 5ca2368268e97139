//! Zones of a calendar: those that the program knows by name, and those that the file alone describes.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};

use crate::CalendarError;
use crate::lines::Line;
use crate::recur::{Budget, Rule, recurrences};
use crate::values::{Stamp, offset_seconds};

/// A zone in which a time is written.
#[derive(Clone, Debug)]
pub(crate) enum Zone {
    /// One that is known.
    Known(TimeZone),
    /// One that the file describes: from when on which offset holds, in seconds east of UTC, in the order of the times.
    Described(Rc<Vec<(DateTime, i32)>>),
}

/// A part of a zone as it is described: an offset, and when it comes into force.
#[derive(Clone, Debug)]
struct Observance {
    start: DateTime,
    rule: Option<Rule>,
    dates: Vec<DateTime>,
    offset_seconds: i32,
    line: usize,
}

impl Zone {
    /// The instant of a time by the clock. One that clocks skip is taken after them, of one that comes twice the first.
    pub(crate) fn instant(&self, at: DateTime, line: &Line) -> Result<Timestamp, CalendarError> {
        let beyond = || line.wrong("lies beyond what can be counted");
        match self {
            Self::Known(zone) => zone.to_timestamp(at).map_err(|_| beyond()),
            Self::Described(onsets) => {
                // Before the first of them that one holds.
                let after = onsets.partition_point(|(onset, _)| *onset <= at).saturating_sub(1);
                let seconds = onsets.get(after).map_or(0, |(_, seconds)| *seconds);
                let offset = Offset::from_seconds(seconds).map_err(|_| beyond())?;
                offset.to_timestamp(at).map_err(|_| beyond())
            }
        }
    }

    /// The time by the clock of an instant, for what a rule counts in.
    pub(crate) fn civil(&self, at: Timestamp, line: &Line) -> Result<DateTime, CalendarError> {
        match self {
            Self::Known(zone) => Ok(zone.to_datetime(at)),
            // The offset of the time in UTC is right but for hours around a change.
            Self::Described(_) => {
                let utc = TimeZone::UTC.to_datetime(at);
                let there = self.instant(utc, line)?;
                let seconds =
                    utc.to_zoned(TimeZone::UTC).map_or(0, |zoned| zoned.timestamp().as_second() - there.as_second());
                let offset = Offset::from_seconds(i32::try_from(seconds).unwrap_or(0)).unwrap_or(Offset::UTC);
                Ok(offset.to_datetime(at))
            }
        }
    }
}

impl Observance {
    /// When it comes into force, up to a time.
    fn onsets(&self, until: DateTime, budget: &Budget) -> Result<Vec<DateTime>, CalendarError> {
        let mut onsets = match &self.rule {
            Some(rule) => recurrences(self.start, rule, until, self.line, budget)?,
            None => vec![self.start],
        };
        onsets.extend(&self.dates);
        Ok(onsets)
    }
}

/// The zones of a file, by the names that its events call them.
pub(crate) struct Zones {
    described: BTreeMap<String, Described>,
    /// Until when changes of clocks are counted.
    until: DateTime,
    /// What was counted in the file.
    pub(crate) budget: Budget,
}

/// A zone as a file describes it.
#[derive(Default)]
struct Described {
    location: Option<String>,
    parts: Vec<Observance>,
    /// What [`Zone::Described`] holds, once it was asked for.
    onsets: OnceCell<Rc<Vec<(DateTime, i32)>>>,
}

impl Described {
    fn onsets(&self, until: DateTime, budget: &Budget) -> Result<Rc<Vec<(DateTime, i32)>>, CalendarError> {
        if let Some(known) = self.onsets.get() {
            return Ok(Rc::clone(known));
        }
        let mut all = Vec::new();
        for part in &self.parts {
            all.extend(part.onsets(until, budget)?.into_iter().map(|onset| (onset, part.offset_seconds)));
        }
        all.sort_unstable();
        Ok(Rc::clone(self.onsets.get_or_init(|| Rc::new(all))))
    }
}

impl Zones {
    /// None so far, with changes of clocks up to a time: later ones matter to nobody.
    pub(crate) fn new(until: DateTime) -> Self {
        Self { described: BTreeMap::new(), until, budget: Budget::default() }
    }

    /// Takes in what stands between `BEGIN:VTIMEZONE` and its end.
    pub(crate) fn describe(&mut self, lines: &[Line]) -> Result<(), CalendarError> {
        let mut name = None;
        let mut own = Described::default();
        let mut part: Option<Vec<&Line>> = None;
        for line in lines {
            match (line.name.as_str(), &mut part) {
                ("BEGIN", _) => part = Some(Vec::new()),
                ("END", open) => own.parts.extend(open.take().map(|lines| observance(&lines, line)).transpose()?),
                (_, Some(open)) => open.push(line),
                ("TZID", None) => name = Some(line.value.clone()),
                ("X-LIC-LOCATION", None) => own.location = Some(line.value.clone()),
                _ => {}
            }
        }
        if let Some(name) = name {
            self.described.insert(name, own);
        }
        Ok(())
    }

    /// The zone that an event calls by a name: one that is known, by that name (where it names a place, or the file describes none), by the end of it ("/example.org/Europe/Berlin") or by what the file says
    /// of its place; else the one that the file describes.
    pub(crate) fn find(&self, name: &str, known: &TimeZoneDatabase, line: &Line) -> Result<Zone, CalendarError> {
        let described = self.described.get(name);
        let has_parts = described.is_some_and(|own| !own.parts.is_empty());
        // A name without a place ("EST") is what the file says it is, summer time and all.
        let own_name = (!has_parts || name.contains('/')).then_some(name);
        let ends = name.match_indices('/').map(|(at, _)| &name[at + 1..]);
        let names = own_name.into_iter().chain(ends).chain(described.and_then(|own| own.location.as_deref()));
        for own in names {
            if let Ok(zone) = known.get(own) {
                return Ok(Zone::Known(zone));
            }
        }
        match described.filter(|_| has_parts) {
            Some(own) => Ok(Zone::Described(own.onsets(self.until, &self.budget)?)),
            None => {
                let shown: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
                Err(line.wrong(format!("its zone `{shown}` is neither known nor described in the file")))
            }
        }
    }
}

fn observance(lines: &[&Line], end: &Line) -> Result<Observance, CalendarError> {
    let find = |name: &str| lines.iter().find(|line| line.name == name).copied();
    let start = find("DTSTART").ok_or_else(|| end.wrong("the part of a zone that ends here has no DTSTART"))?;
    let Some(Stamp::Local(at)) = Stamp::read(&start.value) else {
        return Err(start.wrong(format!("DTSTART `{}` is no time of a zone", start.shown())));
    };
    let offset = find("TZOFFSETTO").ok_or_else(|| end.wrong("the part of a zone that ends here has no TZOFFSETTO"))?;
    let offset_seconds = offset_seconds(&offset.value)
        .ok_or_else(|| offset.wrong(format!("TZOFFSETTO `{}` is no offset", offset.shown())))?;
    // A zone's UNTIL is in UTC; hours of difference do not matter for a rule of years.
    let rule = find("RRULE").map(|line| {
        Rule::read(line, |stamp| match stamp {
            Stamp::Day(date) => Ok(date.at(23, 59, 59, 0)),
            Stamp::Local(at) | Stamp::Utc(at) => Ok(at),
        })
    });
    let dates = lines.iter().filter(|line| line.name == "RDATE").flat_map(|line| line.value.split(','));
    let dates = dates.filter_map(|text| match Stamp::read(text) {
        Some(Stamp::Local(at) | Stamp::Utc(at)) => Some(at),
        _ => None,
    });
    Ok(Observance { start: at, rule: rule.transpose()?, dates: dates.collect(), offset_seconds, line: start.number })
}
