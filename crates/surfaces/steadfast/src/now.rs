//! What time it is, where nobody said: the one place that reads a clock.

use jiff::tz::TimeZone;
use jiff::{Timestamp, civil::Date};
use steadfast_engine::calls::Now;

/// The hour at which a day begins of which only the date is known.
const MORNING: &str = "07:00:00";

/// Bytes of "2026-01-26".
const DATE_BYTES: usize = 10;

/// The time and zone that were given, or else those of the file's name and of the machine.
pub(crate) fn now(at: Option<String>, tz: Option<String>, file: &str) -> Now {
    let mut assumptions = Vec::new();
    let timezone = tz.unwrap_or_else(|| match at.as_deref().and_then(offset) {
        Some(offset) => {
            assumptions.push(format!("No zone is given: that of the current time is taken, {offset}."));
            offset
        }
        None => {
            let (zone, known) = match TimeZone::system().iana_name() {
                Some(zone) => (zone.to_owned(), "the machine's is taken"),
                None => ("UTC".to_owned(), "the machine's is not known, so UTC is taken"),
            };
            assumptions.push(format!("No zone is given: {known}, {zone}."));
            zone
        }
    });
    let current_time = at.unwrap_or_else(|| match date(file) {
        Some(date) => {
            assumptions
                .push(format!("No current time is given: it is the morning, 07:00, of {date}, the file's own date."));
            format!("{date}T{MORNING}")
        }
        None => {
            let now = Timestamp::from_second(Timestamp::now().as_second()).unwrap_or(Timestamp::UNIX_EPOCH).to_string();
            assumptions.push(format!("No current time is given: the clock of the machine says {now}."));
            now
        }
    });
    Now { current_time, timezone, assumptions }
}

/// The offset at the end of a time: "-05:00", or UTC for `Z`.
fn offset(time: &str) -> Option<String> {
    if time.ends_with(['Z', 'z']) {
        return Some("UTC".to_owned());
    }
    let at = time.len().checked_sub(6)?;
    let offset = time.get(at..)?;
    let bytes = offset.as_bytes();
    let is_digit = |at: usize| bytes[at].is_ascii_digit();
    let is_one = matches!(bytes[0], b'+' | b'-') && bytes[3] == b':' && [1, 2, 4, 5].into_iter().all(is_digit);
    (is_one && time.contains(['T', 't'])).then(|| offset.to_owned())
}

/// The date that a file's name begins with: "2026-01-26.md", "2026-01-26 notes.md".
fn date(file: &str) -> Option<Date> {
    let (date, rest) = (file.get(..DATE_BYTES)?, file.get(DATE_BYTES..)?);
    if rest.starts_with(|next: char| next.is_ascii_digit()) {
        return None;
    }
    let bytes = date.as_bytes();
    (bytes[4] == b'-' && bytes[7] == b'-').then(|| date.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::{date, offset};

    #[test]
    fn dates_of_files() {
        let said = |file: &str| date(file).map(|date| date.to_string()).unwrap_or_default();
        assert_eq!(said("2026-01-26.md"), "2026-01-26");
        assert_eq!(said("2026-01-26 daily.md"), "2026-01-26");
        assert_eq!(said("2026-01-26"), "2026-01-26");
        for none in
            ["", "notes.md", "2026-01-261.md", "2026-13-26.md", "20260126.md", "notes 2026-01-26.md", "2026-01-2é"]
        {
            assert_eq!(said(none), "", "{none}");
        }
    }

    #[test]
    fn offsets_of_times() {
        let said = |time: &str| offset(time).unwrap_or_default();
        assert_eq!(said("2026-01-25T11:00:00-05:00"), "-05:00");
        assert_eq!(said("2026-01-25T11:00:00Z"), "UTC");
        for none in ["", "x", "2026-01-25T11:00", "2026-01-25T11:00:00", "-05:00", "é05:00", "2026-01-25"] {
            assert_eq!(said(none), "", "{none}");
        }
    }
}
