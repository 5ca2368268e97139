//! Clock times.

use jiff::civil::{Time, time};

use super::cue;
use super::dates::weekday_word;
use super::lex::Lex;
use super::numbers::{small, spoken};
use crate::scan::Kind;

/// A clock time as it is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    /// As said: 0 to 24.
    pub(crate) hour: u32,
    pub(crate) minute: u32,
    pub(crate) second: u32,
    /// Whether the other half of the day is meant as well as this one.
    pub(crate) either: bool,
    /// A number alone: a time only where a cue says so.
    pub(crate) bare: bool,
    /// Whether it can be no other kind of number, so that its neighbours are times as well.
    pub(crate) strong: bool,
    pub(crate) approximate: bool,
    /// "midnight": with a day, its first or last moment.
    pub(crate) midnight: bool,
}

impl Clock {
    pub(crate) const fn fixed(hour: u32, minute: u32, second: u32) -> Self {
        Self { hour, minute, second, either: false, bare: false, strong: true, approximate: false, midnight: false }
    }

    /// The times that it can be, the earlier first. An hour of 24 is 0.
    pub(crate) fn times(self) -> Vec<Time> {
        let at = |hour: u32| {
            let part = |value: u32| i8::try_from(value).unwrap_or_default();
            time(part(hour % 24), part(self.minute % 60), part(self.second % 60), 0)
        };
        if self.either { vec![at(self.hour % 12), at(self.hour % 12 + 12)] } else { vec![at(self.hour)] }
    }

    /// Whether figures alone are an hour only beside the other end of a range: "15".
    pub(crate) const fn wants_partner(self) -> bool {
        self.hour > 12 && self.minute == 0
    }

    /// Before (`false`) or after noon.
    pub(crate) fn with_half(mut self, after_noon: bool) -> Self {
        if self.either {
            self.hour = self.hour % 12 + if after_noon { 12 } else { 0 };
            self.either = false;
        }
        self.bare = false;
        self
    }
}

/// What "am" or "pm" says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Am,
    Pm,
    Either,
}

/// "am", "p.m.", "a m", "ampm" at `at`, and where it ends.
pub(crate) fn half_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Half, usize)> {
    if !lex.near(at) {
        return None;
    }
    let half = |letter: &str| match letter {
        "a" => Some(Half::Am),
        "p" => Some(Half::Pm),
        _ => None,
    };
    match lex.word(at) {
        "am" => Some((Half::Am, at + 1)),
        "pm" => Some((Half::Pm, at + 1)),
        "ampm" => Some((Half::Either, at + 1)),
        letter => {
            let half = half(letter)?;
            let dotted = lex.mark(at + 1) == Some('.') && lex.glued(at + 1);
            let m = at + 1 + usize::from(dotted);
            if !lex.is(m, "m") || !lex.near(m) {
                return None;
            }
            let end = if dotted { lex.past_stop(m + 1) } else { m + 1 };
            Some((half, end))
        }
    }
}

/// A clock time at `at`, and where it ends. Of a bare number nothing is asked here but that it can be an hour.
pub(crate) fn clock_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Clock, usize)> {
    match lex.tokens.get(at)?.kind {
        Kind::Digits => past_or_to(lex, at).or_else(|| digits_at(lex, at)),
        Kind::Word => named(lex, at).or_else(|| past_or_to(lex, at)).or_else(|| words_at(lex, at)),
        _ => None,
    }
}

/// "noon", "midnight", "midday".
fn named(lex: &Lex<'_, '_>, at: usize) -> Option<(Clock, usize)> {
    let midnight = Clock { midnight: true, ..Clock::fixed(0, 0, 0) };
    match lex.word(at) {
        "noon" | "midday" | "noontime" | "midnight" if coloured(lex, at) => None,
        "noon" | "midday" | "noontime" => Some(roughly(lex, Clock::fixed(12, 0, 0), at + 1)),
        "noonish" => Some((Clock { approximate: true, ..Clock::fixed(12, 0, 0) }, at + 1)),
        "midnight" => Some(roughly(lex, midnight, at + 1)),
        "mid" => {
            let next = lex.past_hyphen(at + 1);
            match lex.word(next) {
                "day" => Some((Clock::fixed(12, 0, 0), next + 1)),
                "night" => Some((midnight, next + 1)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// "noon-ish"
fn roughly(lex: &Lex<'_, '_>, clock: Clock, end: usize) -> (Clock, usize) {
    ish(lex, end).map_or((clock, end), |next| (Clock { approximate: true, ..clock }, next))
}

/// "midnight blue", "the noon sun": the name of a time that colours a thing.
fn coloured(lex: &Lex<'_, '_>, at: usize) -> bool {
    matches!(lex.word(at + 1), "sun" | "blue" | "black" | "oil" | "sky" | "heat") && lex.near(at + 1)
}

/// What follows the figures of a time and settles it: am, pm, o'clock, noon.
fn settle(lex: &Lex<'_, '_>, mut clock: Clock, at: usize) -> Option<(Clock, usize)> {
    let mut end = at;
    if let Some(next) = oclock(lex, end) {
        clock.bare = false;
        clock.strong = true;
        end = next;
    }
    if let Some(next) = ish(lex, end) {
        clock.approximate = true;
        clock.bare = false;
        end = next;
    }
    let dotted = usize::from(lex.mark(end) == Some('.') && lex.glued(end) && lex.glued(end + 1));
    if let Some((half, next)) = half_at(lex, end + dotted) {
        clock.strong = true;
        clock.bare = false;
        end = next;
        match half {
            Half::Either => {}
            // "15:30 pm" is said too; "14am" is nothing.
            Half::Am if !clock.either && clock.hour >= 12 => return None,
            Half::Pm if !clock.either && clock.hour == 0 => return None,
            half => clock = clock.with_half(half == Half::Pm),
        }
    } else if lex.glued(end) && matches!(lex.word(end), "a" | "p") && clock.hour <= 12 && clock.either {
        let after_noon = lex.is(end, "p");
        let bare = clock.bare;
        clock = clock.with_half(after_noon);
        clock.bare = bare;
        end += 1;
    } else if clock.hour == 12 && clock.either && lex.near(end) {
        match lex.word(end) {
            "noon" | "midday" => {
                clock = clock.with_half(true);
                clock.strong = true;
                end += 1;
            }
            "midnight" => {
                clock = clock.with_half(false);
                clock.midnight = true;
                clock.strong = true;
                end += 1;
            }
            _ => {}
        }
    }
    // "5 sharp", "5 on the dot", "10 at the latest"
    let dot = lex.is(end, "on") && lex.is(end + 1, "the") && lex.is(end + 2, "dot");
    let edge = lex.is(end, "at") && lex.is(end + 1, "the") && matches!(lex.word(end + 2), "latest" | "earliest");
    if clock.bare && lex.near(end) && (dot || edge || lex.is(end, "sharp") && cue::clause_ends(lex, end + 1)) {
        clock.bare = false;
    }
    Some((clock, end))
}

/// "h", "hrs", "hours" after figures that are written like a time.
fn hours_at(lex: &Lex<'_, '_>, at: usize) -> bool {
    matches!(lex.word(at), "h" | "hr" | "hrs" | "hours")
}

/// "o'clock", "oclock", "o clock", "hundred hours".
fn oclock(lex: &Lex<'_, '_>, at: usize) -> Option<usize> {
    if !lex.near(at) {
        return None;
    }
    match lex.word(at) {
        "oclock" => Some(at + 1),
        "o" => {
            let next = if lex.apostrophe(at + 1) { at + 2 } else { at + 1 };
            lex.is(next, "clock").then_some(next + 1)
        }
        _ => None,
    }
}

/// "ish", "-ish"
fn ish(lex: &Lex<'_, '_>, at: usize) -> Option<usize> {
    let next = lex.past_hyphen(at);
    ((lex.glued(at) || lex.near(at) && next == at) && lex.is(next, "ish")).then_some(next + 1)
}

const fn hour12(hour: u32, minute: u32, second: u32) -> Clock {
    Clock {
        hour,
        minute,
        second,
        either: hour >= 1 && hour <= 12,
        bare: false,
        strong: false,
        approximate: false,
        midnight: false,
    }
}

/// Times that begin with digits.
fn digits_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Clock, usize)> {
    let digits = lex.tokens.digits(at)?;
    if cue::is_embedded(lex, at) {
        return None;
    }
    let value = lex.number(at, 4)?;
    let next = at + 1;
    // "9:30", "9:30:15"
    if lex.mark(next) == Some(':') && lex.glued(next) && lex.glued(next + 1) && digits.len() <= 2 {
        return colon_at(lex, at, value, digits.len());
    }
    // "7h01", "15h30"
    if lex.glued(next)
        && lex.is(next, "h")
        && lex.glued(next + 1)
        && let Some(minute) = lex.number(next + 1, 2).filter(|minute| *minute < 60)
        && lex.tokens.digits(next + 1).is_some_and(|digits| digits.len() == 2)
        && value < 24
    {
        let mut clock = Clock { bare: true, ..hour12(value, minute, 0) };
        clock.either &= !digits.starts_with('0');
        return settle(lex, clock, next + 2);
    }
    // "15h", "10 H 10 pm"
    if lex.is(next, "h") && digits.len() <= 2 && value < 24 {
        let minute = lex.number(next + 1, 2).filter(|minute| *minute < 60 && lex.near(next + 1));
        if let Some(minute) = minute
            && let Some((_, _)) = half_at(lex, next + 2)
        {
            return settle(lex, hour12(value, minute, 0), next + 2);
        }
        return (lex.glued(next) && value >= 13).then_some((Clock { bare: true, ..hour12(value, 0, 0) }, next + 1));
    }
    // "8.30 pm", and "8.30" where a cue stands
    if lex.mark(next) == Some('.')
        && lex.glued(next)
        && lex.glued(next + 1)
        && digits.len() <= 2
        && value < 24
        && let Some(minute) = lex.number(next + 1, 2).filter(|minute| *minute < 60)
        && lex.tokens.digits(next + 1).is_some_and(|digits| digits.len() == 2)
        && !(lex.glued(next + 2) && (lex.mark(next + 2) == Some('.') && lex.glued(next + 3)))
    {
        // "at 17.30 h"; without a word before it that is a length.
        if hours_at(lex, next + 2) && lex.near(next + 2) {
            let range = at > 3 && lex.dash(at - 1) && lex.mark(at - 3) == Some('.') && lex.glued(at - 3);
            let told =
                range || cue::is_before(lex, at) || matches!(lex.before(at, 1), "from" | "between" | "to" | "and");
            return told.then_some((Clock::fixed(value, minute, 0), next + 3));
        }
        // "at 8.02" is a figure; "at 8.30" a time.
        let beside = at > 0 && cue::joint(lex, at - 1);
        if half_at(lex, next + 2).is_none() && !beside && (minute % 5 != 0 || value == 0 && digits.len() == 1) {
            return None;
        }
        return settle(lex, Clock { bare: true, ..hour12(value, minute, 0) }, next + 2);
    }
    if lex.glued(next) && matches!(lex.mark(next), Some('.' | ',' | '/' | ':')) && lex.glued(next + 1) && {
        lex.tokens.digits(next + 1).is_some()
    } {
        return None;
    }
    // "1530", "340pm"
    if digits.len() >= 3 {
        let (hour, minute) = (value / 100, value % 100);
        if hour > 23 || minute > 59 {
            return None;
        }
        // "between 2013-16", "the 21st until 2001", "2024-01-01": figures that are a year rather than a time
        let year = (1900..=2100).contains(&value) && half_at(lex, next).is_none() && !hours_at(lex, next);
        // "since 1837", "by 2303": a time of day that is only written so has "at" before it, or is a round one.
        let at_word = lex.before(at, 1) == "at" || at > 0 && lex.mark(at - 1) == Some('@') || hours_at(lex, next);
        // "from 0800 to 1930", "at 1900-2100"
        let other = at.checked_sub(2).filter(|_| cue::joint(lex, at - 1)).and_then(|other| lex.tokens.digits(other));
        let beside = other.is_some_and(|it| it.len() == 4 && (it.starts_with('0') || lex.before(at - 2, 1) == "at"));
        let at_word = at_word || beside;
        let plain = digits.len() == 4 && !digits.starts_with('0') && half_at(lex, next).is_none() && !at_word;
        if plain && (minute % 5 != 0 || year || matches!(lex.before(at, 1), "since" | "circa")) {
            return None;
        }
        if year && !at_word && lex.dash(next) && lex.glued(next) && lex.tokens.digits(next + 1).is_some() {
            return None;
        }
        let mut clock = Clock { bare: true, ..hour12(hour, minute, 0) };
        clock.either &= digits.len() == 3 || !digits.starts_with('0');
        // "1530h", "0900 hours", "at 1730 hrs"; "1730 hours" alone is a length.
        if digits.len() == 4 && hours_at(lex, next) && lex.near(next) {
            let told = digits.starts_with('0') || cue::is_before(lex, at) || {
                matches!(lex.before(at, 1), "from" | "between" | "to" | "and")
            };
            let glued = lex.glued(next) && matches!(lex.word(next), "h" | "hrs");
            return (told || glued).then_some((Clock { either: false, bare: false, strong: true, ..clock }, next + 1));
        }
        return settle(lex, clock, next).filter(|(clock, _)| digits.len() == 4 || !clock.bare);
    }
    if value > 24 {
        return None;
    }
    // "7" with whatever settles it
    // "14pm" is nothing, "14:00 pm" is said.
    if value > 12 && half_at(lex, next).is_some() {
        return None;
    }
    // "4. Check …" at the beginning of a line is an item of a list.
    let item = lex.begins_line(at) && at > 0 && matches!(lex.mark(next), Some('.' | ')')) && lex.glued(next);
    if item && !lex.glued(next + 1) || digits == "0" && !cue::joint(lex, next) {
        return None;
    }
    let mut clock = Clock { bare: true, ..hour12(value, 0, 0) };
    clock.either &= !digits.starts_with('0') || value == 0;
    let (mut clock, end) = settle(lex, clock, next).filter(|(clock, _)| value <= 23 || !clock.bare)?;
    // "3 or 4pm", "at 2 and 4pm": the half of the day holds for both.
    if clock.bare
        && clock.either
        && (lex.is(end, "or") || lex.is(end, "and") && lex.before(at, 1) == "at")
        && lex.number(end + 1, 2).is_some_and(|other| other > value && other <= 12)
        && let Some((half @ (Half::Am | Half::Pm), _)) = half_at(lex, end + 2)
    {
        clock = clock.with_half(half == Half::Pm);
    }
    Some((clock, end))
}

/// "9:30", "9:30:15.250", "09:30"
fn colon_at(lex: &Lex<'_, '_>, at: usize, hour: u32, width: usize) -> Option<(Clock, usize)> {
    let two = |at: usize| {
        lex.number(at, 2).filter(|value| *value < 60 && lex.tokens.digits(at).is_some_and(|digits| digits.len() == 2))
    };
    let minute = two(at + 2)?;
    let mut end = at + 3;
    let mut second = 0;
    if lex.mark(end) == Some(':') && lex.glued(end) && lex.glued(end + 1) && lex.tokens.digits(end + 1).is_some() {
        second = two(end + 1)?;
        end += 2;
        // "10:00:00.250"
        let fraction = matches!(lex.mark(end), Some('.' | ',')) && lex.glued(end) && lex.glued(end + 1);
        if fraction && lex.number(end + 1, 9).is_some() {
            end += 2;
        }
    }
    let goes_on = lex.glued(end)
        && (matches!(lex.mark(end), Some(':' | '/' | '%'))
            || (matches!(lex.mark(end), Some('.' | ',')) && lex.glued(end + 1)))
        && lex.glued(end + 1)
        && lex.tokens.digits(end + 1).is_some()
        && !cue::iso_day(lex, end + 1);
    if hour > 24 || (hour == 24 && minute + second > 0) || goes_on || cue::is_ratio(lex, at, end) {
        return None;
    }
    // "14:30h"; "10:30x" is a name.
    if lex.glued(end) && !lex.word(end).is_empty() {
        match lex.word(end) {
            "h" | "hrs" => {
                return Some((Clock { strong: true, either: false, ..hour12(hour, minute, second) }, end + 1));
            }
            "am" | "pm" | "a" | "p" | "ampm" | "ish" | "o" | "z" | "noon" | "utc" | "gmt" | "et" | "pt" => {}
            word if word.len() == 3 && word.ends_with('t') => {}
            _ => return None,
        }
    }
    let mut clock = hour12(hour, minute, second);
    clock.strong = true;
    // Two figures with a leading nought are of the clock with 24 hours.
    clock.either &= !(width == 2 && hour < 10);
    settle(lex, clock, end)
}

/// "half past eight", "ten to five", "a quarter to 8", "20 min past eight", "three quarters past 9".
fn past_or_to(lex: &Lex<'_, '_>, at: usize) -> Option<(Clock, usize)> {
    let (minutes, mut next, plain) = match lex.word(at) {
        "half" => (30, at + 1, true),
        "a" if lex.is(at + 1, "quarter") => (15, at + 2, true),
        "quarter" => (15, at + 1, true),
        "three" if matches!(lex.word(at + 1), "quarter" | "quarters") => (45, at + 2, true),
        _ => {
            let (minutes, mut next) = small(lex, at).filter(|(minutes, _)| (1..=59).contains(minutes))?;
            let said = matches!(lex.word(next), "min" | "mins" | "minute" | "minutes");
            next += usize::from(said);
            (minutes, next, said)
        }
    };
    if !lex.near(next) {
        return None;
    }
    // "half-past"
    next = lex.past_hyphen(next);
    // "at half seven", as the British say for half past seven
    if lex.is(at, "half")
        && cue::is_before(lex, at)
        && let Some((clock, end)) = hour_at(lex, next).filter(|(clock, _)| clock.either && clock.minute == 0)
        && !cue::counts(lex, end)
    {
        return Some((Clock { minute: 30, bare: false, ..clock }, end));
    }
    let after = match lex.word(next) {
        "past" => true,
        "after" if plain && !lex.is(at, "half") => true,
        "to" | "til" | "till" | "before" | "of" if !lex.is(at, "half") => {
            // "5 to 6" is a range, "20 to five" a time only of tens and fives, and never of what is an hour too.
            if !plain && (lex.tokens.digits(at).is_some() || minutes < 13 && minutes != 10 && minutes != 5) {
                return None;
            }
            if !plain && !lex.is(next, "to") || lex.is(next, "of") && !lex.before(next, 1).starts_with("quarter") {
                return None;
            }
            false
        }
        _ => return None,
    };
    if !lex.near(next + 1) {
        return None;
    }
    let (clock, end) = hour_at(lex, next + 1)?;
    // "a quarter of five", never "a quarter of 2016"
    if lex.is(next, "of") && (clock.minute > 0 || !clock.either) {
        return None;
    }
    // "ten to five pm", but "5 to seven" is a range: settled above by the form of the number.
    let total = clock.hour * 60 + clock.minute;
    let shifted = if after { total + minutes } else { (total + 24 * 60 - minutes) % (24 * 60) };
    let mut result = Clock { hour: shifted / 60 % 24, minute: shifted % 60, ..clock };
    if clock.either {
        // The half of the day is still open: count within twelve hours.
        let twelve = (clock.hour % 12) * 60 + clock.minute;
        let shifted = if after { twelve + minutes } else { twelve + 12 * 60 - minutes } % (12 * 60);
        result.hour = if shifted / 60 == 0 { 12 } else { shifted / 60 };
        result.minute = shifted % 60;
    }
    result.bare = false;
    result.midnight = false;
    result.strong = plain || after;
    // "five to ten" can be a range of hours or of anything.
    // "from twenty to eight to nine"
    let range = matches!(lex.before(at, 1), "from" | "between") && (cue::joint(lex, end) || lex.is(end, "and"));
    let told = range || cue::is_before(lex, at) || matches!(lex.before(at, 1), "is" | "was" | "s" | "its");
    (result.strong || clock.strong || told).then_some((result, end))
}

/// An hour after "past" or "to": "eight", "8pm", "seven o'clock", "five thirty", "noon".
fn hour_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Clock, usize)> {
    if let Some(found) = named(lex, at) {
        return Some(found);
    }
    if lex.tokens.digits(at).is_some() {
        return digits_at(lex, at).filter(|(clock, _)| clock.hour <= 23);
    }
    words_at(lex, at)
}

/// Times in words: "seven", "seven thirty", "eleven five", "fifteen thirty pm".
fn words_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Clock, usize)> {
    let (hour, mut end) = spoken(lex, at).filter(|(hour, _)| (1..=23).contains(hour))?;
    let mut minute = 0;
    let mut said = false;
    let zero = matches!(lex.word(end), "oh" | "zero") && lex.near(end);
    let place = if zero { end + 1 } else { lex.past_hyphen(end) };
    if lex.near(place)
        && let Some((minutes, after)) = spoken(lex, place)
        && minutes < 60
        && (zero && (1..=9).contains(&minutes) || !zero && (minutes >= 10 || minutes == 5))
    {
        minute = minutes;
        end = after;
        said = true;
    }
    let clock = Clock { bare: true, ..hour12(hour, minute, 0) };
    let (clock, end) = settle(lex, clock, end)?;
    // "one Saturday afternoon in 1968"
    if clock.bare && lex.is(at, "one") && weekday_word(lex.word(end)).is_some() && !cue::is_before(lex, at) {
        return None;
    }
    // "the World at One", "at Two Step Beach": a name
    if clock.bare && lex.capital(at) && !lex.before(at, 1).is_empty() && !lex.capital(at - 1) {
        return None;
    }
    // "twenty one" is no 20:01, but "one thirty" says minutes.
    (said || hour <= 12 || !clock.bare).then_some((clock, end))
}
