//! What is thought of a prompt whatever the task: how it did, and how fresh it is.

/// What a Beta distribution begins with on either side.
const PRIOR: f64 = 2.0;
/// Days after which freshness has fallen to 1/e.
const FRESH_DAYS: f64 = 365.0;
/// The freshness of a prompt whose date nobody knows.
pub const FRESHNESS_UNKNOWN: f64 = 0.5;

/// How often a prompt was said to be good and bad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// Times that it was good.
    pub good: u32,
    /// Times that it was bad.
    pub bad: u32,
}

impl Feedback {
    /// The mean of a Beta(2, 2) distribution that was updated with what was said.
    #[must_use]
    pub fn quality_prior(self) -> f64 {
        let (good, bad) = (f64::from(self.good), f64::from(self.bad));
        (PRIOR + good) / (2.0 * PRIOR + good + bad)
    }
}

/// A day, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub i64);

impl Day {
    /// The day that an RFC 3339 time or a `YYYY-MM-DD` date begins with, as it is written there; none where it does not begin so.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let date = text.trim().get(..10)?;
        let mut parts = date.split('-').map(|part| {
            let digits = part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse::<i64>().ok().filter(|_| digits)
        });
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 => 28 + i64::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        if date.as_bytes()[4] != b'-' || parts.next().is_some() || !(1..=days).contains(&day) {
            return None;
        }
        // Years from March on, in eras of 400 (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let of_year = (153 * month + 2) / 5 + day - 1;
        Some(Self(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468))
    }
}

/// e^(−age / 365 days) of what was last changed at `updated`, as of `at`; what lies ahead is fresh. [`FRESHNESS_UNKNOWN`] where either is not known.
#[must_use]
pub fn freshness(updated: Option<&str>, at: Option<Day>) -> f64 {
    let (Some(updated), Some(at)) = (updated.and_then(Day::of), at) else { return FRESHNESS_UNKNOWN };
    (-((at.0 - updated.0).max(0) as f64) / FRESH_DAYS).exp()
}

#[cfg(test)]
mod tests {
    use super::{Day, FRESHNESS_UNKNOWN, Feedback, freshness};

    #[test]
    fn days_are_counted() {
        let check = |text: &str, expect: Option<i64>| assert_eq!(Day::of(text), expect.map(Day), "{text}");
        check("1970-01-01", Some(0));
        check("2000-03-01", Some(11_017));
        check("2026-11-22T08:00:00Z", Some(20_779));
        check("1969-12-31", Some(-1));
        check("2024-02-29", Some(19_782));
        for wrong in
            ["2023-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "20261122", "+026-11-22", "soon", "", "2026-11-2é"]
        {
            check(wrong, None);
        }
    }

    #[test]
    fn freshness_falls_with_age() {
        let at = Day::of("2026-11-22");
        assert_eq!(freshness(Some("2026-11-22"), at), 1.0);
        assert_eq!(freshness(Some("2027-01-01"), at), 1.0);
        assert!((freshness(Some("2025-11-22T10:00:00Z"), at) - (-1.0_f64).exp()).abs() < 1e-12);
        assert_eq!((freshness(None, at), freshness(Some("2026-11-22"), None)), (FRESHNESS_UNKNOWN, FRESHNESS_UNKNOWN));
    }

    #[test]
    fn feedback_moves_the_prior() {
        assert_eq!(Feedback::default().quality_prior(), 0.5);
        assert_eq!(Feedback { good: 4, bad: 0 }.quality_prior(), 0.75);
        assert_eq!(Feedback { good: 0, bad: 4 }.quality_prior(), 0.25);
    }
}
