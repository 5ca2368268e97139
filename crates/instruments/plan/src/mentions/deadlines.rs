//! Deadlines in the words of a plan, and whether the notes know them.

use std::collections::BTreeSet;

use jiff::civil::Time;

use super::words::{Word, words};
use super::{CALENDAR, stems};
use crate::model::{Constraint, Notes, Rule};
use crate::window::{Interval, Window};

/// A deadline that a plan names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// Its words: "by 5pm", "due Friday".
    pub words: String,
    /// When.
    at: When,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum When {
    /// A clock time; whether the half of the day is said.
    Clock(Time, bool),
    /// The end of the day.
    DayEnd,
    /// A weekday, month, date or relative day, by its stems.
    Date(Vec<String>),
    /// No time: "before the deadline".
    Unsaid,
}

/// The deadlines that `text` names: a time after "by", "before", "due" or "deadline", and "deadline" and "due" by themselves.
#[must_use]
pub fn deadlines(text: &str) -> Vec<Due> {
    let words = words(text);
    let mut found: Vec<Due> = Vec::new();
    let mut next = 0;
    for (at, word) in words.iter().enumerate() {
        if at < next {
            continue;
        }
        let cue = match word.low.as_str() {
            "by" | "before" => false,
            "due" | "deadline" | "deadlines" => true,
            "eod" | "cob" | "eob" | "eow" => {
                found.push(Due { words: word.raw.to_owned(), at: When::DayEnd });
                continue;
            }
            _ => continue,
        };
        if word.low == "due" && words.get(at + 1).is_some_and(|next| next.low == "to") {
            continue;
        }
        let mut place = at + 1;
        while words.get(place).is_some_and(|word| {
            matches!(
                word.low.as_str(),
                "by" | "on" | "at" | "is" | "the" | "before" | "this" | "next" | "of" | "for" | "today's" | "until"
            )
        }) {
            place += 1;
        }
        let read = if word.ends_clause && !matches!(word.low.as_str(), "deadline" | "deadlines") {
            None
        } else {
            when(&words, place)
        };
        match read {
            Some((time, end)) => {
                let range = word.range.start..words[end - 1].range.end;
                found.push(Due { words: text.get(range).unwrap_or_default().to_owned(), at: time });
                next = end;
            }
            None if cue => found.push(Due { words: word.raw.to_owned(), at: When::Unsaid }),
            None => {}
        }
    }
    found
}

/// The time that begins at word `at`, and one past its last word.
fn when(words: &[Word<'_>], at: usize) -> Option<(When, usize)> {
    let word = words.get(at)?;
    let low = word.low.as_str();
    let following = words.get(at + 1).filter(|_| !word.ends_clause).map(|word| word.low.as_str());
    match low {
        "noon" | "midday" => return Some((When::Clock(Time::constant(12, 0, 0, 0), true), at + 1)),
        "midnight" | "eod" | "cob" | "eob" | "tonight" => return Some((When::DayEnd, at + 1)),
        "end" if following == Some("of") => {
            let last = words.get(at + 2)?;
            let end = if matches!(last.low.as_str(), "the" | "this" | "business") { at + 4 } else { at + 3 };
            let what = words.get(end - 1)?;
            return match what.low.as_str() {
                "day" | "today" | "business" | "play" => Some((When::DayEnd, end)),
                other => Some((When::Date(vec![other.to_owned()]), end)),
            };
        }
        "today" => return Some((When::DayEnd, at + 1)),
        "tomorrow" => return Some((When::Date(vec![low.to_owned()]), at + 1)),
        _ => {}
    }
    if let Some(time) = clock(low, following) {
        let spoken = matches!(following, Some("am" | "pm" | "a.m" | "p.m" | "o'clock"));
        return Some((time, at + 1 + usize::from(spoken)));
    }
    let stem = word.stem.clone()?;
    if CALENDAR.contains(&stem) {
        let day = words.get(at + 1).filter(|_| !word.ends_clause);
        let numbered = day.filter(|day| day.low.starts_with(|c: char| c.is_ascii_digit()) && !day.low.contains(':'));
        let mut stems = vec![stem];
        stems.extend(numbered.and_then(|day| day.stem.clone()));
        return Some((When::Date(stems), at + 1 + usize::from(numbered.is_some())));
    }
    if low.len() <= 4
        && ["st", "nd", "rd", "th"].iter().any(|end| low.ends_with(end))
        && low.starts_with(|c: char| c.is_ascii_digit())
    {
        return Some((When::Date(vec![stem]), at + 1));
    }
    None
}

/// "5", "17:00", "5pm", "5:30" with "pm" behind it. A bare number is a clock time only up to 24, and not before a unit.
fn clock(low: &str, following: Option<&str>) -> Option<When> {
    let (digits, half) = ["am", "a.m", "pm", "p.m"]
        .iter()
        .find_map(|half| low.strip_suffix(half).map(|digits| (digits, Some(half.starts_with('p')))))
        .unwrap_or((low, None));
    let half = half.or(match following {
        Some("am" | "a.m") => Some(false),
        Some("pm" | "p.m") => Some(true),
        _ => None,
    });
    let (hour, minute) = match digits.split_once([':', '.', 'h']) {
        Some((hour, minute)) => (hour, if minute.is_empty() { "0" } else { minute }),
        None => (digits, "0"),
    };
    let number = |text: &str| {
        let fits = matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| text.parse::<i8>().ok())?
    };
    let (hour, minute) = (number(hour)?, number(minute)?);
    let is_bare = half.is_none() && !digits.contains([':', '.', 'h']);
    // "by 10 minutes", "by 20%", "before 3 other things": a count.
    if is_bare
        && following.is_some_and(|word| {
            word != "o'clock" && !matches!(word, "today" | "sharp" | "so" | "and" | "at" | "in" | "on" | "for" | "to")
        })
    {
        return None;
    }
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(after_noon) => hour % 12 + if after_noon { 12 } else { 0 },
        None => hour,
    };
    let time = Time::new(hour, minute, 0, 0).ok()?;
    Some(When::Clock(time, half.is_some() || hour > 12 || digits.starts_with('0')))
}

/// The deadlines and other times of the notes, against which those of a plan are held.
#[derive(Clone, Debug)]
pub struct Known {
    times: BTreeSet<Time>,
    dates: BTreeSet<String>,
    has_deadline: bool,
}

impl Known {
    /// The times that the constraints of the notes begin and end at, the days on which they do, and whether there is a deadline.
    #[must_use]
    pub fn new(notes: &Notes) -> Self {
        let zone = notes.now.time_zone();
        let mut known = Self { times: BTreeSet::new(), dates: BTreeSet::new(), has_deadline: false };
        let mut instants = Vec::new();
        for constraint in &notes.constraints {
            let rule = match &constraint.rule {
                Rule::Preference { wish } => wish,
                rule => rule,
            };
            known.has_deadline |= matches!(rule, Rule::Deadline { .. } | Rule::MustDo { .. } | Rule::TaskTimes { .. });
            let mut both = |interval: &Interval| {
                if interval.start > jiff::Timestamp::MIN {
                    instants.push(interval.start);
                }
                if interval.end < jiff::Timestamp::MAX {
                    instants.push(interval.end);
                }
            };
            match rule {
                Rule::FixedEvent { when, .. }
                | Rule::Blocked { when, .. }
                | Rule::Availability { when, .. }
                | Rule::TaskTimes { when, .. } => {
                    when.iter().flatten().for_each(&mut both);
                }
                Rule::Exclusion { when: Some(when), .. } => when.iter().flatten().for_each(&mut both),
                Rule::Deadline { by, .. } => instants.extend(by.iter().copied()),
                Rule::NotBefore { from, .. } => instants.extend(from.iter().copied()),
                Rule::Presence { when, .. } => {
                    for window in when.iter().flatten() {
                        if let Window::Clock(interval) = window {
                            both(interval);
                        }
                    }
                }
                _ => {}
            }
        }
        for at in instants {
            let local = at.to_zoned(zone.clone());
            known.times.extend(Time::new(local.hour(), local.minute(), 0, 0).ok());
            for form in ["%A", "%a", "%B", "%b", "%-d"] {
                known.dates.extend(stems(&local.strftime(form).to_string()));
            }
            if notes.now.date().tomorrow().is_ok_and(|tomorrow| tomorrow == local.date()) {
                known.dates.insert("tomorrow".to_owned());
            }
        }
        // What the notes say in so many words is known, whatever the reader made of it.
        let words =
            notes.tasks.iter().map(|task| task.quote.text()).chain(notes.constraints.iter().map(Constraint::text));
        for due in words.flat_map(deadlines) {
            if let When::Clock(time, _) = due.at {
                known.times.insert(time);
            }
        }
        known
    }

    /// Whether the notes know a deadline of a plan; `own` are the times of the plan's own items.
    #[must_use]
    pub fn knows(&self, due: &Due, own: &BTreeSet<Time>, words: &BTreeSet<String>) -> bool {
        let due_words = || words.contains("deadlin") || words.contains("due");
        match &due.at {
            When::Clock(time, half_said) => {
                let same = |other: &Time| {
                    other == time
                        || (!half_said && other.minute() == time.minute() && other.hour() % 12 == time.hour() % 12)
                };
                self.times.iter().chain(own).any(same)
            }
            When::DayEnd => {
                let said = ["eod", "cob", "eob", "tonight", "today", "midnight", "day"]
                    .iter()
                    .any(|word| words.contains(*word));
                self.has_deadline || said || !self.times.is_empty()
            }
            When::Date(stems) => stems.iter().all(|stem| {
                let bare = stem.trim_end_matches(|c: char| c.is_ascii_alphabetic());
                let day = if bare.is_empty() { stem.as_str() } else { bare };
                words.contains(stem) || self.dates.contains(stem) || words.contains(day) || self.dates.contains(day)
            }),
            When::Unsaid => self.has_deadline || due_words(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_deadlines(text: &str, expect: &[&str]) {
        let found: Vec<String> = deadlines(text).into_iter().map(|due| due.words).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn deadlines_of_plans_are_read() {
        check_deadlines("Send the deck by 5pm", &["by 5pm"]);
        check_deadlines("Due Friday, so first", &["Due Friday"]);
        check_deadlines("must be done before noon today", &["before noon"]);
        check_deadlines("finish by 17:30.", &["by 17:30"]);
        check_deadlines("by end of day", &["by end of day"]);
        check_deadlines("due by 3 March", &["due"]);
        check_deadlines("by March 3", &["by March 3"]);
        check_deadlines("EOD", &["EOD"]);
        check_deadlines("before the deadline", &["deadline"]);
        check_deadlines("late due to rain", &[]);
        check_deadlines("sort by name, cut by 10 percent, before lunch", &[]);
        check_deadlines("call Ana before the standup", &[]);
    }
}
