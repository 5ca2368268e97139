//! The plan that is checked, from plain values: whoever made it, it is read in the same way.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use jiff::civil::{DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, Zoned};
use steadfast_steps::flat;

use crate::matching::{Events, Matcher, same_person, same_place};
use crate::model::{Notes, Rule, vocabulary};
use crate::window::{Days, Interval, Moment, Window, minutes_after};

/// Most items of a plan that are read; what follows is named in `unchecked`.
pub const ITEMS_MAX: usize = 1_000;

/// An item of somebody's plan as it was given. What is not given cannot be checked, and is said so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// What is to be done.
    pub task: Option<String>,
    /// Why.
    pub why: Option<String>,
    /// For how many minutes.
    pub timebox_minutes: Option<i64>,
    /// From when: RFC 3339, a date and time without offset, a clock time of the current day, or `Day n`.
    pub start: Option<String>,
    /// Until when, in the same forms.
    pub end: Option<String>,
    /// With whom.
    pub with: Vec<String>,
    /// Where.
    pub place: Option<String>,
}

/// What a plan claims to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A planner's answer: item count, timeboxes and coverage bind it.
    Plan,
    /// Somebody's bare list of events.
    Events,
}

/// What an item is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Work, or something that the notes know nothing of.
    Work,
    /// It carries out an event of the notes at its time, or what a blocked time is for.
    Event,
    /// A break.
    Break,
    /// Time left free on purpose.
    Buffer,
    /// A look back or ahead.
    Review,
}

/// An item as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its place in the plan.
    pub index: usize,
    /// What is to be done; empty where it was not given.
    pub task: String,
    /// Why; empty where it was not given.
    pub why: String,
    /// For how many minutes.
    pub timebox_minutes: Option<i64>,
    /// When, as far as it was given or follows from the timebox.
    pub when: Option<Window>,
    /// With whom.
    pub with: Vec<String>,
    /// Where, as it was given.
    pub place: Option<String>,
    /// Where it takes place: the place that was given, or the only one at which the notes have the people it is with.
    pub at: Option<String>,
    /// Stems of the task.
    pub stems: BTreeSet<String>,
    /// The tasks of the notes that it carries out.
    pub tasks: Vec<usize>,
    /// The constraints whose event it carries out, by their place in the notes.
    pub events: Vec<usize>,
    /// What it is for.
    pub role: Role,
}

impl Item {
    /// Its interval, where it has one by the clock.
    #[must_use]
    pub const fn interval(&self) -> Option<Interval> {
        match self.when {
            Some(Window::Clock(interval)) => Some(interval),
            _ => None,
        }
    }

    /// Its days, where the plan counts days.
    #[must_use]
    pub const fn days(&self) -> Option<Days> {
        match self.when {
            Some(Window::Days(days)) => Some(days),
            _ => None,
        }
    }

    /// Its timebox, or else the minutes between its start and end.
    #[must_use]
    pub fn minutes(&self) -> Option<i64> {
        self.timebox_minutes.or_else(|| self.interval().map(Interval::minutes))
    }

    /// Whether it is work: neither an event nor a break, buffer or review.
    #[must_use]
    pub fn is_work(&self) -> bool {
        self.role == Role::Work
    }

    /// Whether it is done with `person`: named beside it, in its task, or in a task that it carries out.
    #[must_use]
    pub fn is_with(&self, person: &str, notes: &Notes) -> bool {
        let named = self.with.iter().any(|name| same_person(name, person));
        let of_task = || {
            let mut tasks = self.tasks.iter().filter_map(|task| notes.tasks.get(*task));
            tasks.any(|task| task.with.iter().any(|name| same_person(name, person)))
        };
        let in_words = || {
            let stems = vocabulary(person);
            !stems.is_empty() && stems.is_subset(&self.stems)
        };
        named || in_words() || of_task()
    }
}

/// A plan as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What it claims to be.
    pub form: Form,
    /// Its items, in their order.
    pub items: Vec<Item>,
    /// Times that cannot be read or do not fit together: item and why.
    pub faults: Vec<(usize, String)>,
    /// What could not be read at all.
    pub unchecked: Vec<String>,
}

/// What somebody's plan claims to be: a planner's answer where every item has a task and a timebox, and where there is no item.
#[must_use]
pub fn form(items: &[Given]) -> Form {
    let full = |item: &Given| item.task.is_some() && item.timebox_minutes.is_some();
    if items.iter().all(full) { Form::Plan } else { Form::Events }
}

/// Reads a plan against the notes that it was made for.
#[must_use]
pub fn read(notes: &Notes, given: &[Given], form: Form) -> Answer {
    let (matcher, events) = (Matcher::new(notes), Events::new(notes));
    let mut answer = Answer { form, items: Vec::new(), faults: Vec::new(), unchecked: Vec::new() };
    if given.len() > ITEMS_MAX {
        answer.unchecked.push(format!("the plan has {} items; only the first {ITEMS_MAX} were read", given.len()));
    }
    for (index, given) in given.iter().take(ITEMS_MAX).enumerate() {
        let when = when(notes, given).unwrap_or_else(|fault| {
            answer.faults.push((index, fault));
            None
        });
        let task = given.task.clone().unwrap_or_default();
        let with = given.with.iter().filter(|name| !name.trim().is_empty()).cloned().collect();
        let mut item = Item {
            index,
            stems: vocabulary(&task),
            task,
            why: given.why.clone().unwrap_or_default(),
            timebox_minutes: given.timebox_minutes,
            when,
            with,
            place: given.place.clone().filter(|place| !place.trim().is_empty()),
            at: None,
            tasks: Vec::new(),
            events: Vec::new(),
            role: Role::Work,
        };
        item.tasks = tasks(notes, &matcher, &item);
        item.events = events.of(&item.stems);
        item.role = role(notes, &item);
        item.at = item.place.clone().or_else(|| met_at(notes, &item));
        answer.items.push(item);
    }
    answer
}

/// The only place at which the notes have the people that an item is with.
fn met_at(notes: &Notes, item: &Item) -> Option<String> {
    let mut found: Option<&String> = None;
    for constraint in &notes.constraints {
        if let Rule::Presence { who: Some(who), place, .. } = &constraint.rule
            && item.is_with(who, notes)
        {
            if found.is_some_and(|other| !same_place(other, place)) {
                return None;
            }
            found = Some(place);
        }
    }
    found.cloned()
}

/// The tasks that an item carries out: by its words; without words by the people it names; and where it names nobody either,
/// the only task that there is.
fn tasks(notes: &Notes, matcher: &Matcher, item: &Item) -> Vec<usize> {
    // What is called exactly as one task is that one alone.
    let own = |task: &crate::model::Task| task.text.eq_ignore_ascii_case(item.task.trim());
    if let Some(task) = notes.tasks.iter().position(own).filter(|_| !item.task.is_empty()) {
        return vec![task];
    }
    let found = matcher.tasks(&item.stems);
    if !found.is_empty() {
        return found;
    }
    let all = || notes.tasks.iter().enumerate();
    if !item.with.is_empty() {
        let named = |people: &[String]| {
            !people.is_empty() && people.iter().all(|a| item.with.iter().any(|b| same_person(a, b)))
        };
        return all().filter(|(_, task)| named(&task.with)).map(|(at, _)| at).collect();
    }
    if item.stems.is_empty() && item.place.is_none() && notes.tasks.len() == 1 {
        return vec![0];
    }
    Vec::new()
}

/// Words of breaks; one of them at least makes an item a break.
static BREAK: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    flat(0, || {
        vocabulary(
            "break breaktime breakfast breather brunch coffee dinner lunch lunchtime meal nap pause recharge relax rest siesta \
         snack stretch supper tea unwind walk",
        )
    })
});

/// Words of time left free.
static BUFFER: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| flat(0, || vocabulary("buffer contingency margin slack spare overrun")));

/// Words of looking back or ahead.
static REVIEW: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| flat(0, || vocabulary("review reflect recap retrospective wrap wrap-up tomorrow")));

/// Words that say nothing beside one of those.
static BESIDE: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    flat(0, || {
        vocabulary(
            "afternoon air away block day done eat end evening free fresh left list long midday minute min morning next note \
         open outside overflow personal plan quick screen short step task time today unplanned water what",
        )
    })
});

/// What an item is for. A break, buffer or review says nothing but that, and carries out no task.
fn role(notes: &Notes, item: &Item) -> Role {
    let is = |words: &BTreeSet<String>| {
        let mut named = false;
        let only = item.stems.iter().all(|stem| {
            let own = words.contains(stem);
            named |= own;
            own || BESIDE.contains(stem) || stem.bytes().all(|byte| byte.is_ascii_digit())
        });
        only && named && item.with.is_empty()
    };
    if item.tasks.is_empty() {
        for (words, role) in [(&*BREAK, Role::Break), (&*BUFFER, Role::Buffer), (&*REVIEW, Role::Review)] {
            if is(words) {
                return role;
            }
        }
    }
    let event = item.events.iter().filter_map(|at| notes.constraints.get(*at));
    if item.tasks.is_empty()
        && event.into_iter().any(|it| matches!(it.rule, Rule::FixedEvent { .. } | Rule::Blocked { .. }))
    {
        return Role::Event;
    }
    Role::Work
}

/// When an item takes place.
fn when(notes: &Notes, given: &Given) -> Result<Option<Window>, String> {
    let (now, zone) = (&notes.now, notes.now.time_zone());
    let read = |text: &Option<String>| match text.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => moment(text, now, zone).map(Some),
        None => Ok(None),
    };
    let (start, end) = (read(&given.start)?, read(&given.end)?);
    let timebox = given.timebox_minutes.filter(|minutes| *minutes > 0);
    Ok(match (start, end) {
        (None, None) => None,
        (Some(Read::Days(a)), Some(Read::Days(b))) => Some(Window::Days(Days { first: a.first, last: b.last })),
        (Some(Read::Days(days)), None) | (None, Some(Read::Days(days))) => Some(Window::Days(days)),
        (Some(Read::Days(_)), Some(_)) | (Some(_), Some(Read::Days(_))) => {
            return Err("its start and end are not of one kind: one counts days, the other does not".to_owned());
        }
        (Some(start), Some(end)) => {
            let (Some((start_at, _)), Some((end_at, by_clock))) = (start.at(), end.at()) else { return Ok(None) };
            // "23:00" to "00:30": the night between two days.
            let end_at = if by_clock && end_at <= start_at && start.is_evening(zone) && end.is_night(zone) {
                minutes_after(end_at, DAY_MINUTES)
            } else {
                end_at
            };
            Some(Window::Clock(Interval::new(start_at, end_at)))
        }
        (Some(start), None) => match (start.at(), timebox) {
            (Some((at, _)), Some(minutes)) => Some(Window::Clock(Interval::new(at, minutes_after(at, minutes)))),
            _ => None,
        },
        (None, Some(end)) => match (end.at(), timebox) {
            (Some((at, _)), Some(minutes)) => Some(Window::Clock(Interval::new(minutes_after(at, -minutes), at))),
            _ => None,
        },
    })
}

/// Minutes of a day of 24 hours.
const DAY_MINUTES: i64 = 24 * 60;

/// A time as a plan gives it.
#[derive(Clone, Copy)]
enum Read {
    /// An instant, and whether it was a clock time alone.
    At(Timestamp, bool),
    Days(Days),
}

impl Read {
    const fn at(self) -> Option<(Timestamp, bool)> {
        match self {
            Self::At(at, by_clock) => Some((at, by_clock)),
            Self::Days(_) => None,
        }
    }

    fn hour(self, zone: &TimeZone) -> Option<i8> {
        self.at().map(|(at, _)| at.to_zoned(zone.clone()).hour())
    }

    fn is_evening(self, zone: &TimeZone) -> bool {
        self.hour(zone).is_some_and(|hour| hour >= 18)
    }

    fn is_night(self, zone: &TimeZone) -> bool {
        self.hour(zone).is_some_and(|hour| hour < 6)
    }
}

/// Longest text of a time, in bytes.
const TIME_BYTES_MAX: usize = 80;

/// Reads one time of a plan.
fn moment(text: &str, now: &Zoned, zone: &TimeZone) -> Result<Read, String> {
    let shown = || text.chars().take(40).collect::<String>();
    if text.len() <= TIME_BYTES_MAX {
        if let Some(days) = days(text) {
            return if days.count() > 0 && days.first >= 1 {
                Ok(Read::Days(days))
            } else {
                Err(format!("\"{}\" is no day of a journey", shown()))
            };
        }
        if let Ok(at) = text.parse::<Timestamp>() {
            return Ok(Read::At(at, false));
        }
        let by_clock = clock_time(text);
        let civil = by_clock.map(|time| now.date().to_datetime(time)).or_else(|| text.parse::<DateTime>().ok());
        if let Some(civil) = civil {
            let ambiguous = zone.to_ambiguous_zoned(civil);
            if matches!(ambiguous.offset(), AmbiguousOffset::Gap { .. }) {
                return Err(format!("\"{}\" does not exist on that day: clocks are put forward over it", shown()));
            }
            if let Ok(zoned) = ambiguous.compatible() {
                return Ok(Read::At(zoned.timestamp(), by_clock.is_some()));
            }
        }
    }
    Err(format!("\"{}\" is no time that can be read", shown()))
}

/// "14:30", "14:30:00", "2:30 pm", "2pm".
fn clock_time(text: &str) -> Option<Time> {
    let lower = text.to_ascii_lowercase();
    let (digits, half) = ["am", "a.m.", "pm", "p.m."]
        .iter()
        .find_map(|half| lower.strip_suffix(half).map(|digits| (digits.trim_end(), half.starts_with('p'))))
        .map_or((lower.as_str(), None), |(digits, after_noon)| (digits, Some(after_noon)));
    let mut parts = digits.split(':');
    let number = |part: Option<&str>| {
        let part = part?;
        (matches!(part.len(), 1 | 2) && part.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| part.parse::<i8>().ok())?
    };
    let hour = number(parts.next())?;
    let (minute, second) = match (parts.next(), half) {
        (None, Some(_)) => (0, 0),
        (None, None) => return None,
        (Some(minute), _) => (number(Some(minute))?, parts.next().map_or(Some(0), |second| number(Some(second)))?),
    };
    if parts.next().is_some() {
        return None;
    }
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(after_noon) => hour % 12 + if after_noon { 12 } else { 0 },
        None => hour,
    };
    Time::new(hour, minute, second, 0).ok()
}

/// "Day 3", "Day 1-4", "days 1 to 4".
fn days(text: &str) -> Option<Days> {
    let lower = text.to_lowercase();
    let rest = lower.strip_prefix("days").or_else(|| lower.strip_prefix("day"))?.trim();
    let mut numbers = rest
        .split(['-', '\u{2013}', '\u{2014}'])
        .flat_map(|part| part.split(" to "))
        .map(|part| part.trim().trim_start_matches("day").trim().parse::<i64>());
    let first = numbers.next()?.ok()?;
    let last = numbers.next().unwrap_or(Ok(first)).ok()?;
    numbers.next().is_none().then_some(Days { first, last })
}

/// A moment as a plan writes it down: RFC 3339 with the zone's offset, or `Day n`.
#[must_use]
pub fn written(moment: Moment, zone: &TimeZone) -> String {
    match moment {
        Moment::At(at) => at.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        Moment::Day(day) => format!("Day {day}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// New York's rule, without a data base of zones.
    fn zone() -> TimeZone {
        TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap()
    }

    #[track_caller]
    fn check(day: &str, start: &str, end: &str, expect: &str) {
        let now = day.parse::<DateTime>().unwrap().to_zoned(zone()).unwrap();
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let given = Given { start: some(start), end: some(end), timebox_minutes: Some(30), ..Given::default() };
        let got = match when(&Notes::empty(now), &given) {
            Ok(None) => "none".to_owned(),
            Ok(Some(Window::Days(days))) => format!("{}-{}", days.first, days.last),
            Ok(Some(Window::Clock(interval))) => {
                let at = |at: Timestamp| at.to_zoned(zone()).strftime("%d %H:%M %:z").to_string();
                format!("{} to {}", at(interval.start), at(interval.end))
            }
            Err(fault) => fault,
        };
        assert_eq!(got, expect, "{start} to {end}");
    }

    #[test]
    fn times_of_plans_are_read() {
        let day = "2026-01-26T08:00";
        check(day, "", "", "none");
        check(day, "2026-01-26T09:00:00-05:00", "2026-01-26T15:00:00Z", "26 09:00 -05:00 to 26 10:00 -05:00");
        check(day, "2026-01-26T09:00", "", "26 09:00 -05:00 to 26 09:30 -05:00");
        check(day, "", "9:00", "26 08:30 -05:00 to 26 09:00 -05:00");
        check(day, "2pm", "2:45 p.m.", "26 14:00 -05:00 to 26 14:45 -05:00");
        check(day, "23:00", "00:30", "26 23:00 -05:00 to 27 00:30 -05:00");
        check(day, "11:00", "10:00", "26 11:00 -05:00 to 26 10:00 -05:00");
        check(day, "Day 3", "", "3-3");
        check(day, "day 1-4", "", "1-4");
        check(day, "Day 1", "Day 4", "1-4");
        check(day, "Day 4-1", "", "\"Day 4-1\" is no day of a journey");
        check(day, "Day 0", "", "\"Day 0\" is no day of a journey");
        check(day, "Day 1", "10:00", "its start and end are not of one kind: one counts days, the other does not");
        check(day, "25:00", "", "\"25:00\" is no time that can be read");
        check(day, "13pm", "", "\"13pm\" is no time that can be read");
        check(day, "half ten", "", "\"half ten\" is no time that can be read");
    }

    #[test]
    fn clocks_that_change_are_respected() {
        // 8 March 2026: 02:00 to 03:00 does not exist; 1 November 2026: 01:00 to 02:00 comes twice.
        check("2026-03-08T00:00", "02:30", "", "\"02:30\" does not exist on that day: clocks are put forward over it");
        check("2026-03-08T00:00", "01:30", "03:30", "08 01:30 -05:00 to 08 03:30 -04:00");
        check("2026-11-01T00:00", "01:30", "", "01 01:30 -04:00 to 01 01:00 -05:00");
    }
}
