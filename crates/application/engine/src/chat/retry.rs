//! When a failed attempt is made again, and after how long: a pure function of what is known.

use std::time::Duration;

use jiff::fmt::rfc2822::DateTimeParser;

/// Most attempts of one call: the first and two more. Asking again in another form counts.
pub const ATTEMPTS_MAX: u32 = 3;

/// Shortest and longest wait before the second attempt; the one before the third is twice that.
const BACKOFF_MIN: Duration = Duration::from_millis(500);

/// Longest wait that a server's `Retry-After` is granted.
pub const RETRY_AFTER_MAX: Duration = Duration::from_secs(60);

/// Statuses below 500 after which an attempt is made again: a time ran out, a conflict, too many questions.
const RETRIED: [u16; 3] = [408, 409, 429];

/// Why an attempt brought no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// In words: no key, no judged text.
    pub why: String,
    /// Of which kind.
    pub kind: FaultKind,
    /// The server's `Retry-After`, as it stood there.
    pub retry_after: Option<String>,
    /// The server's own time, as `Date` said it.
    pub date: Option<String>,
    /// How many bytes of a reply had come, where the server had begun to answer: they may have to be paid.
    pub began: Option<usize>,
}

impl Fault {
    /// A fault of which no more is known.
    #[must_use]
    pub fn new(kind: FaultKind, why: impl Into<String>) -> Self {
        Self { why: why.into(), kind, retry_after: None, date: None, began: None }
    }
}

/// What kind of fault it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// No connection, or one that broke off or fell silent: another time it may hold.
    Transport,
    /// An answer of this status.
    Status(u16),
    /// An answer, or one within the reply, that says the server is too busy or failed: another time it may not.
    Busy,
    /// The server does not take the form in which it was asked; the next attempt is made in another, at once.
    Form,
    /// What came is no answer, or one without an end, and would come again.
    Wrong,
    /// The time for all attempts is up.
    TimeUp,
    /// It was our side: nothing was sent.
    Ours,
}

impl FaultKind {
    /// Whether the server is at fault, as far as its breaker is concerned.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        match self {
            Self::Transport | Self::Busy | Self::TimeUp => true,
            Self::Status(status) => status >= 500,
            Self::Form | Self::Wrong | Self::Ours => false,
        }
    }

    fn is_retried(self) -> bool {
        match self {
            Self::Transport | Self::Busy | Self::Form => true,
            Self::Status(status) => status >= 500 || RETRIED.contains(&status),
            Self::Wrong | Self::TimeUp | Self::Ours => false,
        }
    }
}

/// What comes after a failed attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another one, after this time.
    Wait(Duration),
    /// None. What there is to say of that beside the fault itself, if anything.
    GiveUp(Option<String>),
}

/// What comes after attempt number `attempt` (from 1) ended in `fault`. `random` decides where between its bounds a wait lies; `elapsed` is how
/// long the call has taken, of the `whole` that it may take; `unix_seconds` is the time of day, for a `Retry-After` that names a moment
/// where the server does not say its own time.
///
/// The wait before the second attempt is 0.5 to 1 s, the one before the third 1 to 2 s (exponential backoff with equal jitter), or what
/// `Retry-After` says if that is longer.
#[must_use]
pub fn next(attempt: u32, fault: &Fault, random: u64, elapsed: Duration, whole: Duration, unix_seconds: i64) -> Next {
    if !fault.kind.is_retried() || attempt >= ATTEMPTS_MAX {
        return Next::GiveUp(None);
    }
    let left = whole.saturating_sub(elapsed);
    if fault.kind == FaultKind::Form {
        return if left.is_zero() { Next::GiveUp(None) } else { Next::Wait(Duration::ZERO) };
    }
    let least = BACKOFF_MIN * 2_u32.saturating_pow(attempt.saturating_sub(1));
    let mut wait = least + least * u32::from((random >> 48) as u16) / u32::from(u16::MAX);
    let asked = fault.retry_after.as_deref().and_then(|text| retry_after(text, fault.date.as_deref(), unix_seconds));
    if let Some(asked) = asked {
        if asked > RETRY_AFTER_MAX {
            let (seconds, most) = (asked.as_secs(), RETRY_AFTER_MAX.as_secs());
            return Next::GiveUp(Some(format!(
                "it asks for a wait of {seconds} s, and no more than {most} s is waited"
            )));
        }
        wait = wait.max(asked);
    }
    if wait >= left {
        return Next::GiveUp(asked.map(|asked| {
            format!("it asks for a wait of {} s, and only {} s are left for the call", asked.as_secs(), left.as_secs())
        }));
    }
    Next::Wait(wait)
}

/// The wait that a `Retry-After` asks for: seconds, or a moment against the server's own `Date`, else against ours. `None` where it
/// says neither.
fn retry_after(text: &str, date: Option<&str>, unix_seconds: i64) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // More than can be counted is more than is waited.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let moment = |text: &str| {
        let parser = DateTimeParser::new().relaxed_weekday(true);
        parser.parse_timestamp(text.trim()).ok().map(jiff::Timestamp::as_second)
    };
    let until = moment(text)?;
    let now = date.and_then(moment).unwrap_or(unix_seconds);
    Some(Duration::from_secs(u64::try_from(until.saturating_sub(now)).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Fault, FaultKind, Next, next, retry_after};

    const WHOLE: Duration = Duration::from_secs(120);
    const NEW_YEAR: i64 = 1_767_225_600;

    fn status(status: u16, retry_after: Option<&str>) -> Fault {
        let fault = Fault::new(FaultKind::Status(status), "busy");
        Fault { retry_after: retry_after.map(str::to_owned), ..fault }
    }

    fn after(attempt: u32, fault: &Fault, random: u64, elapsed_s: u64) -> Next {
        next(attempt, fault, random, Duration::from_secs(elapsed_s), WHOLE, NEW_YEAR)
    }

    #[test]
    fn only_what_may_go_better_another_time_is_tried_again() {
        for code in [408, 409, 429, 500, 502, 503, 504, 529] {
            assert!(matches!(after(1, &status(code, None), 0, 0), Next::Wait(_)), "{code}");
        }
        for code in [400, 401, 402, 403, 404, 405, 410, 413, 418, 422, 451] {
            assert_eq!(after(1, &status(code, Some("1")), 0, 0), Next::GiveUp(None), "{code}");
        }
        for (kind, again) in [
            (FaultKind::Transport, true),
            (FaultKind::Busy, true),
            (FaultKind::Wrong, false),
            (FaultKind::TimeUp, false),
            (FaultKind::Ours, false),
        ] {
            assert_eq!(matches!(after(1, &Fault::new(kind, ""), 0, 0), Next::Wait(_)), again, "{kind:?}");
        }
    }

    #[test]
    fn waits_grow_and_lie_between_their_bounds() {
        let fault = status(500, None);
        let wait = |attempt, random| after(attempt, &fault, random, 0);
        assert_eq!(wait(1, 0), Next::Wait(Duration::from_millis(500)));
        assert_eq!(wait(1, u64::MAX), Next::Wait(Duration::from_secs(1)));
        assert_eq!(wait(2, 0), Next::Wait(Duration::from_secs(1)));
        assert_eq!(wait(2, u64::MAX), Next::Wait(Duration::from_secs(2)));
        assert_eq!(wait(3, 0), Next::GiveUp(None));
        assert_eq!(after(1, &Fault::new(FaultKind::Form, ""), u64::MAX, 0), Next::Wait(Duration::ZERO));
        assert_eq!(after(3, &Fault::new(FaultKind::Form, ""), 0, 0), Next::GiveUp(None));
    }

    #[test]
    fn what_the_server_asks_for_is_waited_within_bounds() {
        assert_eq!(after(1, &status(429, Some("7")), 0, 0), Next::Wait(Duration::from_secs(7)));
        assert_eq!(after(1, &status(429, Some("0")), 0, 0), Next::Wait(Duration::from_millis(500)));
        assert_eq!(after(1, &status(429, Some("60")), 0, 0), Next::Wait(Duration::from_secs(60)));
        let told = |next: Next| match next {
            Next::GiveUp(Some(why)) => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            told(after(1, &status(429, Some("61")), 0, 0)),
            "it asks for a wait of 61 s, and no more than 60 s is waited"
        );
        assert_eq!(
            told(after(1, &status(503, Some("20")), 0, 100)),
            "it asks for a wait of 20 s, and only 20 s are left for the call"
        );
        assert_eq!(after(1, &status(503, Some("19")), 0, 100), Next::Wait(Duration::from_secs(19)));
        assert_eq!(after(1, &status(503, None), 0, 120), Next::GiveUp(None));
    }

    #[test]
    fn seconds_and_dates_are_read_and_nothing_else() {
        let seconds = |text, date| retry_after(text, date, NEW_YEAR).map(|wait| wait.as_secs());
        assert_eq!(seconds("120", None), Some(120));
        assert_eq!(seconds("99999999999999999999999999", None), Some(u64::MAX));
        assert_eq!(seconds("Thu, 01 Jan 2026 00:00:05 GMT", None), Some(5));
        assert_eq!(seconds("Wed, 31 Dec 2025 23:00:00 GMT", None), Some(0));
        // The server's own time counts, whatever ours is.
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT", Some("Sun, 06 Nov 1994 08:49:34 GMT")), Some(3));
        for text in ["", "soon", "-1", "1.5", "1e3", "2026-01-01T00:00:05Z"] {
            assert_eq!(seconds(text, None), None, "{text}");
        }
    }
}
