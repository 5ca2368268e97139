//! Dates, times and durations as calendars write them.

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Span};

/// A date, or a date with a time, which may be in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stamp {
    /// A whole day.
    Day(Date),
    /// A time by the clock, of a zone that is said beside it or of whoever reads.
    Local(DateTime),
    /// A time in UTC.
    Utc(DateTime),
}

impl Stamp {
    /// `20260126`, `20260126T093000`, `20260126T143000Z`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (day, time) = match text.split_once(['T', 't']) {
            Some((day, time)) => (day, Some(time)),
            None => (text, None),
        };
        let figures = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
        if !figures(day, 8) {
            return None;
        }
        let date = Date::new(day[..4].parse().ok()?, day[4..6].parse().ok()?, day[6..].parse().ok()?).ok()?;
        let Some(time) = time else { return Some(Self::Day(date)) };
        let (time, is_utc) = time.strip_suffix(['Z', 'z']).map_or((time, false), |time| (time, true));
        if !figures(time, 6) {
            return None;
        }
        // A leap second is the last of its minute.
        let second: i8 = time[4..].parse().ok()?;
        let second = if second == 60 { 59 } else { second };
        let (hour, minute): (i8, i8) = (time[..2].parse().ok()?, time[2..4].parse().ok()?);
        let at = date.to_datetime(Time::new(hour, minute, second, 0).ok()?);
        Some(if is_utc { Self::Utc(at) } else { Self::Local(at) })
    }

    /// The day that it lies on, as it is written.
    pub(crate) fn date(self) -> Date {
        match self {
            Self::Day(date) => date,
            Self::Local(at) | Self::Utc(at) => at.date(),
        }
    }
}

/// How long something lasts: days by the calendar, and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lasts {
    pub(crate) days: i32,
    pub(crate) time: SignedDuration,
}

/// Longest event, in days: what lasts longer is no event of a day.
const LASTS_DAYS_MAX: i64 = 20_000;

impl Lasts {
    /// `PT1H30M`, `P1D`, `P2W`; nothing that goes back.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        // Of the forms that a span is read from only that of ISO 8601.
        let span: Span = text.strip_prefix('+').unwrap_or(text).strip_prefix('P').and_then(|_| text.parse().ok())?;
        if span.is_negative() || span.get_months() != 0 || span.get_years() != 0 {
            return None;
        }
        let days = i64::from(span.get_weeks()) * 7 + i64::from(span.get_days());
        let hours = i64::from(span.get_hours());
        if days > LASTS_DAYS_MAX || hours > LASTS_DAYS_MAX * 24 {
            return None;
        }
        let seconds = hours * 3600 + span.get_minutes() * 60 + span.get_seconds();
        let seconds = Some(seconds).filter(|it| *it <= LASTS_DAYS_MAX * 24 * 3600)?;
        Some(Self { days: i32::try_from(days).ok()?, time: SignedDuration::from_secs(seconds) })
    }
}

/// `+0100`, `-053000`: seconds east of UTC.
pub(crate) fn offset_seconds(text: &str) -> Option<i32> {
    let text = text.trim();
    let (sign, rest) = match text.as_bytes().first()? {
        b'+' => (1, &text[1..]),
        b'-' => (-1, &text[1..]),
        _ => return None,
    };
    if !matches!(rest.len(), 4 | 6) || !rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let two = |at: usize| rest.get(at..at + 2).map_or(Some(0), |two| two.parse::<i32>().ok());
    Some(sign * (two(0)? * 3600 + two(2)? * 60 + two(4)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_read() {
        let said = |text: &str| Stamp::read(text).map(|it| format!("{it:?}")).unwrap_or_default();
        assert_eq!(said("20260126"), "Day(2026-01-26)");
        assert_eq!(said("20260126T093000"), "Local(2026-01-26T09:30:00)");
        assert_eq!(said("20261231T235960Z"), "Utc(2026-12-31T23:59:59)");
        for none in
            ["", "2026-01-26", "20261326", "20260126T", "20260126T25", "20260126T253000", "2026012６", "20260126T0930"]
        {
            assert_eq!(said(none), "", "{none}");
        }
    }

    #[test]
    fn durations_and_offsets_are_read() {
        let said = |text: &str| Lasts::read(text).map(|it| (it.days, it.time.as_secs()));
        assert_eq!(said("PT1H30M"), Some((0, 5400)));
        assert_eq!(said("P1W"), Some((7, 0)));
        assert_eq!(said("P1DT2H"), Some((1, 7200)));
        for none in ["", "-PT1H", "P1M", "1H", "P99999999D"] {
            assert_eq!(said(none), None, "{none}");
        }
        assert_eq!(
            (offset_seconds("+0530"), offset_seconds("-013015"), offset_seconds("0100")),
            (Some(19_800), Some(-5_415), None)
        );
    }
}
