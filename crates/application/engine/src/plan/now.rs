//! The current time and its zone, as they are given.

use std::sync::LazyLock;

use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, Zoned};

use crate::EngineError;

/// Zones as the program knows them, not as the machine does: the same name means the same everywhere.
pub(super) static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// Longest name of a zone, and longest text of a time, in bytes.
const TEXT_BYTES_MAX: usize = 80;

/// Characters of a name or time that a message repeats.
const SHOWN_CHARS_MAX: usize = 60;

/// The current time in its zone, and the zone's name as it is published. What had to be settled is added to `settled`.
pub(super) fn now(time: &str, zone: &str, settled: &mut Vec<String>) -> Result<(Zoned, String), EngineError> {
    let (zone, name) = time_zone(zone)?;
    let refuse = |what: &str| EngineError::Time { given: shown(time), what: what.to_owned() };
    if time.len() > TEXT_BYTES_MAX || time.contains('[') {
        return Err(refuse("is no RFC 3339 time"));
    }
    if let Ok(at) = time.parse::<Timestamp>() {
        return Ok((at.to_zoned(zone), name));
    }
    let civil = time.parse::<DateTime>().ok().filter(|_| time.contains(['T', 't', ' ']));
    let Some(civil) = civil else { return Err(refuse("is no RFC 3339 time")) };
    let ambiguous = zone.to_ambiguous_zoned(civil);
    match ambiguous.offset() {
        AmbiguousOffset::Unambiguous { .. } => {}
        AmbiguousOffset::Gap { .. } => {
            return Err(refuse(&format!("does not exist in {name}: clocks are put forward over it")));
        }
        AmbiguousOffset::Fold { .. } => {
            settled.push(format!("{civil} comes twice in {name}, where clocks are put back: the first is meant."));
        }
    }
    let at = ambiguous.compatible().map_err(|_| refuse("lies beyond what can be counted"))?;
    Ok((at, name))
}

/// A zone by its IANA name, or by an offset.
pub(crate) fn time_zone(given: &str) -> Result<(TimeZone, String), EngineError> {
    let unknown = || EngineError::Zone { given: shown(given) };
    if given.is_empty() || given.len() > TEXT_BYTES_MAX {
        return Err(unknown());
    }
    if let Some(offset) = offset(given) {
        return Ok((TimeZone::fixed(offset), given.to_owned()));
    }
    let zone = ZONES.get(given).map_err(|_| unknown())?;
    let name = zone.iana_name().unwrap_or(given).to_owned();
    Ok((zone, name))
}

/// "+05:30", "-05:00".
fn offset(text: &str) -> Option<Offset> {
    let (sign, rest) = match text.as_bytes().first()? {
        b'+' => (1, &text[1..]),
        b'-' => (-1, &text[1..]),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let number = |part: &str, most: i32| {
        let two = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        two.then(|| part.parse::<i32>().ok())?.filter(|value| *value <= most)
    };
    Offset::from_seconds(sign * (number(hours, 23)? * 3600 + number(minutes, 59)? * 60)).ok()
}

/// Given text in a message: short, and without control characters.
fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN_CHARS_MAX).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN_CHARS_MAX).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(time: &str, zone: &str, expect: &str) {
        let mut settled = Vec::new();
        let said = match now(time, zone, &mut settled) {
            Ok((at, name)) => format!("{} {name}", at.strftime("%Y-%m-%dT%H:%M:%S%:z")),
            Err(error) => error.to_string(),
        };
        assert_eq!(said, expect);
    }

    #[test]
    fn times_and_zones_are_read() {
        let toronto = "America/Toronto";
        check("2026-01-25T11:00:00-05:00", toronto, "2026-01-25T11:00:00-05:00 America/Toronto");
        check("2026-01-25T16:00:00Z", toronto, "2026-01-25T11:00:00-05:00 America/Toronto");
        check("2026-01-25T11:00:00.5-05:00", "america/toronto", "2026-01-25T11:00:00-05:00 America/Toronto");
        check("2026-01-25T11:00", toronto, "2026-01-25T11:00:00-05:00 America/Toronto");
        check("2026-01-25T11:00:00+05:30", "+05:30", "2026-01-25T11:00:00+05:30 +05:30");
        check("2026-01-25T11:00:00Z", "UTC", "2026-01-25T11:00:00+00:00 UTC");
        check("2026-03-08T01:30", toronto, "2026-03-08T01:30:00-05:00 America/Toronto");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let toronto = "America/Toronto";
        check("yesterday", toronto, "`yesterday` is no RFC 3339 time");
        check("", toronto, "`` is no RFC 3339 time");
        check("2026-01-25", toronto, "`2026-01-25` is no RFC 3339 time");
        check("2026-13-25T11:00:00Z", toronto, "`2026-13-25T11:00:00Z` is no RFC 3339 time");
        check("2026-02-30T11:00:00Z", toronto, "`2026-02-30T11:00:00Z` is no RFC 3339 time");
        check("2026-01-25T11:00:00Z[UTC]", toronto, "`2026-01-25T11:00:00Z[UTC]` is no RFC 3339 time");
        check(
            "2026-03-08T02:30",
            toronto,
            "`2026-03-08T02:30` does not exist in America/Toronto: clocks are put forward over it",
        );
        check("2026-01-25T11:00:00Z", "Mars/Olympus", "`Mars/Olympus` is no time zone");
        check("2026-01-25T11:00:00Z", "", "`` is no time zone");
        check("2026-01-25T11:00:00Z", "+25:00", "`+25:00` is no time zone");
        check("2026-01-25T11:00:00Z", "a\u{1b}[31m", "`a\\u{1b}[31m` is no time zone");
        check("2026-01-25T11:00:00Z", &"x".repeat(200), &format!("`{}…` is no time zone", "x".repeat(60)));
    }

    #[test]
    fn a_time_that_comes_twice_is_settled_aloud() {
        let mut settled = Vec::new();
        let (at, _) = now("2026-11-01T01:30", "America/Toronto", &mut settled).ok().unzip();
        assert_eq!(at.map(|at| at.offset().seconds()), Some(-4 * 3600));
        assert_eq!(
            settled,
            ["2026-11-01T01:30:00 comes twice in America/Toronto, where clocks are put back: the first is meant."]
        );
    }
}
