//! From what was found to the expression that is given out.

use jiff::civil::{DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};

use super::lex::Lex;
use super::moment::{Moment, distinct};
use super::{cue, limits};
use crate::expression::{Anchor, Diagnostic, Expression, LimitWord, Part, PartRole, Reading, Zone};

/// An expression while it is read: its tokens and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) first: usize,
    pub(crate) end: usize,
    pub(crate) readings: Vec<Reading>,
    pub(crate) why: Vec<Diagnostic>,
    pub(crate) limit: Option<LimitWord>,
    pub(crate) zone: Option<Zone>,
    pub(crate) approximate: bool,
    pub(crate) parts: Vec<Part>,
    /// Whether the words before and after it can make a limit of it.
    pub(crate) limits: bool,
}

impl Found {
    pub(crate) const fn new(first: usize, end: usize) -> Self {
        Self {
            first,
            end,
            readings: Vec::new(),
            why: Vec::new(),
            limit: None,
            zone: None,
            approximate: false,
            parts: Vec::new(),
            limits: false,
        }
    }

    pub(crate) fn part(&mut self, lex: &Lex<'_, '_>, role: PartRole, first: usize, end: usize, readings: Vec<Reading>) {
        self.parts.push(Part { span: lex.tokens.range(first, end), role, readings });
    }

    /// One moment by itself.
    pub(crate) fn of(lex: &Lex<'_, '_>, moment: &Moment, anchor: &Anchor) -> Self {
        let mut found = Self::new(moment.first, moment.end);
        (found.readings, found.why) = moment.readings(anchor);
        found.limit.clone_from(&moment.limit);
        found.zone.clone_from(&moment.zone);
        found.approximate = moment.approximate;
        found.limits = true;
        if let Some(time) = as_time(lex, moment) {
            found.readings.push(Reading::Time(time));
            found.why.push(Diagnostic::YearOrTime);
        }
        let day = moment.cal.as_ref().map(|cal| (cal.first, cal.end));
        let clock = moment.clock.as_ref().map(|clock| (clock.first, clock.end));
        let part = moment.part.as_ref().map(|part| (part.first, part.end));
        if let (Some(day), true) = (day.or(part), clock.is_some()) {
            let days = moment.cal.as_ref().map(|cal| cal.it.candidates(anchor).0).unwrap_or_default();
            found.part(lex, PartRole::Day, day.0, day.1, days.iter().map(|(day, _)| Reading::Date(*day)).collect());
        }
        if let (Some((first, end)), true) = (clock, day.is_some() || part.is_some()) {
            let times = moment.times(None).into_iter().map(|(time, _)| Reading::Time(time)).collect();
            found.part(lex, PartRole::Clock, first, end, times);
        }
        if let (Some((first, end)), Some(said), true) = (part, &moment.part, clock.is_none() && day.is_some()) {
            if let Some(day) = day {
                let days = moment.cal.as_ref().map(|cal| cal.it.candidates(anchor).0).unwrap_or_default();
                found.part(lex, PartRole::Day, day.0, day.1, days.iter().map(|(day, _)| Reading::Date(*day)).collect());
            }
            found.part(lex, PartRole::Clock, first, end, vec![Reading::DayPart { part: said.it.part, date: None }]);
        }
        found
    }

    /// What is given out.
    pub(crate) fn finish(mut self, lex: &Lex<'_, '_>, anchor: &Anchor) -> Expression {
        distinct(&mut self.readings);
        if self.limits && self.limit.is_none() {
            self.limit =
                limits::limit_before(lex, self.first).or_else(|| limits::limit_after(lex, self.first, self.end));
        }
        self.approximate |= cue::approximate_before(lex, self.first).is_some();
        let home = anchor.now.time_zone();
        let zone = self.zone.as_ref().and_then(|zone| zone.candidates.first()).unwrap_or(home);
        let moments = self.readings.iter().flat_map(|reading| match reading {
            Reading::DateTime(at) => [Some(*at), None],
            Reading::DateTimeRange { start, end } => [*start, *end],
            _ => [None, None],
        });
        let shifts: Vec<Diagnostic> = moments.flatten().filter_map(|at| clock_change(at, zone)).collect();
        self.why.extend(shifts);
        if self.zone.as_ref().is_some_and(|zone| self.readings.iter().any(|it| offsets_differ(it, zone, anchor))) {
            self.why.push(Diagnostic::WhichZone);
        }
        if self.readings.is_empty() {
            self.why = vec![Diagnostic::NoSuchTime];
        }
        self.why.sort_unstable();
        self.why.dedup();
        Expression {
            span: lex.tokens.range(self.first, self.end),
            readings: self.readings,
            limit: self.limit,
            zone: self.zone,
            approximate: self.approximate,
            diagnostics: self.why,
            parts: self.parts,
        }
    }
}

/// The time that four figures can be which were read as a year: "until 2030".
fn as_time(lex: &Lex<'_, '_>, moment: &Moment) -> Option<Time> {
    let alone = moment.clock.is_none() && moment.part.is_none() && moment.end == moment.first + 1;
    let figures = lex.tokens.digits(moment.first).filter(|digits| alone && digits.len() == 4)?;
    let led = matches!(lex.before(moment.first, 1), "until" | "till" | "by" | "before" | "after");
    let (hour, minute) = (figures[..2].parse().ok()?, figures[2..].parse().ok()?);
    Time::new(hour, minute, 0, 0).ok().filter(|_| led)
}

/// Whether the zones that can be meant differ at the moment that is read; a time without a day is one of the anchor's day.
fn offsets_differ(reading: &Reading, zone: &Zone, anchor: &Anchor) -> bool {
    let today = anchor.today();
    let at = match reading {
        Reading::DateTime(at) => *at,
        Reading::DateTimeRange { start, end } => start.or(*end).unwrap_or(today.into()),
        Reading::Time(time) => today.to_datetime(*time),
        Reading::TimeRange { start, .. } => today.to_datetime(*start),
        _ => today.into(),
    };
    let offset = |zone: &TimeZone| zone.to_ambiguous_timestamp(at).offset();
    let mut offsets = zone.candidates.iter().map(offset);
    let first = offsets.next();
    offsets.any(|other| Some(other) != first)
}

fn clock_change(at: DateTime, zone: &TimeZone) -> Option<Diagnostic> {
    match zone.to_ambiguous_timestamp(at).offset() {
        AmbiguousOffset::Unambiguous { .. } => None,
        AmbiguousOffset::Gap { .. } => Some(Diagnostic::Skipped),
        AmbiguousOffset::Fold { .. } => Some(Diagnostic::Repeated),
    }
}
