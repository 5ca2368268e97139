//! Free time: what the notes leave, once as generously as their readings allow, once with all of them kept.

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use crate::model::{Constraint, Notes, Readings, Rule, Times, Unit};
use crate::window::{Interval, merged, minutes_after, shared, total_minutes, without};

/// What is taken for granted where the notes say nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// When the day begins where the notes state no time for work.
    pub waking_from: Time,
    /// When it ends.
    pub waking_until: Time,
    /// Whether wishes bind like constraints.
    pub preferences_hard: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            waking_from: Time::constant(7, 0, 0, 0),
            waking_until: Time::constant(22, 0, 0, 0),
            preferences_hard: false,
        }
    }
}

impl Settings {
    /// The same with a day that begins now, where it has not begun yet: whoever plans at half past five is up. `None` where it has, and in the
    /// night.
    #[must_use]
    pub fn from_now(&self, notes: &Notes) -> Option<Self> {
        let now = notes.now.time();
        (NIGHT_ENDS..self.waking_from).contains(&now).then(|| Self { waking_from: now, ..self.clone() })
    }
}

/// When somebody may be up at the earliest of whom the notes say nothing else.
const NIGHT_ENDS: Time = Time::constant(4, 0, 0, 0);

/// How ambiguous times are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Time is free if it is under any reading: what lies outside it is certainly not free.
    Generous,
    /// Time is free if it is under every reading: what lies within it certainly is.
    Cautious,
}

/// Time that the notes leave for work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Free {
    /// Whether the notes state how much time there is: by an availability, an end of all work, or a total.
    pub stated: bool,
    /// The free intervals, merged, none before the current time.
    pub windows: Vec<Interval>,
    /// The most minutes of work that the notes allow.
    pub minutes_max: Option<i64>,
}

impl Free {
    /// Minutes that may be planned.
    #[must_use]
    pub fn minutes(&self) -> i64 {
        let minutes = total_minutes(&self.windows);
        self.minutes_max.map_or(minutes, |max| minutes.min(max).max(0))
    }
}

/// The time that the notes leave. Where they state none, the waking hours are free: of today, or of tomorrow where today's are
/// over.
#[must_use]
pub fn free(notes: &Notes, settings: &Settings, reading: Reading, with_wishes: bool) -> Free {
    let now = notes.now.timestamp();
    let mut windows = vec![Interval::from(now)];
    let mut blocked = Vec::new();
    let (mut stated, mut available, mut begins) = (false, false, false);
    let mut minutes_max: Option<i64> = None;
    for rule in rules(notes, settings, with_wishes) {
        match rule {
            Rule::Availability { who: None, when } => {
                stated = true;
                available = true;
                let times = admitted(when, reading);
                begins |= times.first().is_some_and(|first| first.start > now);
                windows = shared(&windows, &times);
            }
            Rule::Deadline { task: None, by } => {
                stated = true;
                let by = pick(by, reading == Reading::Generous);
                windows = shared(&windows, &[Interval::until(by)]);
            }
            Rule::NotBefore { task: None, from } => {
                let from = pick(from, reading == Reading::Cautious);
                begins |= from > now;
                windows = shared(&windows, &[Interval::from(from)]);
            }
            Rule::Blocked { who: None, when, .. } | Rule::FixedEvent { when, .. } => {
                blocked.extend(taken(when, reading));
            }
            Rule::Total { unit: Unit::Minutes, tasks, max: Some(max), .. } if tasks.is_empty() => {
                stated = true;
                minutes_max = Some(minutes_max.map_or(*max, |other| other.min(*max)));
            }
            _ => {}
        }
    }
    let windows = match (stated, begins) {
        (true, true) => ended(&windows, notes),
        (true, false) => from_morning(&ended(&windows, notes), notes, settings),
        (false, _) => shared(&windows, &open_hours(notes, settings)),
    };
    let windows = if available || !stated { windows } else { shared(&windows, &[Interval::until(night_end(notes))]) };
    Free { stated, windows: without(&windows, &merged(blocked)), minutes_max }
}

/// The rules that bind: those of hard constraints, and wishes where they are to be kept.
fn rules<'a>(notes: &'a Notes, settings: &Settings, with_wishes: bool) -> impl Iterator<Item = &'a Rule> {
    let wishes = with_wishes || settings.preferences_hard;
    notes.constraints.iter().filter_map(move |constraint| binding(constraint, wishes))
}

/// The rule of a constraint, or of the wish where wishes bind.
#[must_use]
pub fn binding(constraint: &Constraint, wishes: bool) -> Option<&Rule> {
    match &constraint.rule {
        Rule::Preference { wish } => wishes.then_some(&**wish),
        rule => (constraint.hard || wishes).then_some(rule),
    }
}

/// Time that is taken: under every reading where generous, under any where cautious.
#[must_use]
pub fn taken(when: &Readings<Times>, reading: Reading) -> Times {
    match reading {
        Reading::Cautious => merged(when.iter().flatten().copied().collect()),
        Reading::Generous => in_all(when),
    }
}

/// Time that is admitted: under any reading where generous, under every one where cautious (the first, where they share
/// nothing).
#[must_use]
pub fn admitted(when: &Readings<Times>, reading: Reading) -> Times {
    match reading {
        Reading::Generous => merged(when.iter().flatten().copied().collect()),
        Reading::Cautious => {
            let all = in_all(when);
            if all.is_empty() { merged(when.first().clone()) } else { all }
        }
    }
}

fn in_all(when: &Readings<Times>) -> Times {
    let mut readings = when.iter().map(|times| merged(times.clone()));
    let first = readings.next().unwrap_or_default();
    readings.fold(first, |all, times| shared(&all, &times))
}

/// The latest reading, or the earliest.
#[must_use]
pub fn pick(readings: &Readings<Timestamp>, latest: bool) -> Timestamp {
    let extreme = if latest { readings.iter().max() } else { readings.iter().min() };
    extreme.copied().unwrap_or(*readings.first())
}

/// Intervals without an end last until the end of the day on which they begin.
fn ended(windows: &[Interval], notes: &Notes) -> Vec<Interval> {
    let zone = notes.now.time_zone();
    let end = |interval: &Interval| {
        if interval.end == Timestamp::MAX {
            Interval::new(interval.start, day_end(&interval.start.to_zoned(zone.clone())))
        } else {
            *interval
        }
    };
    windows.iter().map(end).collect()
}

/// The midnight that ends the day of `at`, where clocks change too.
#[must_use]
pub fn day_end(at: &Zoned) -> Timestamp {
    let end = at.tomorrow().and_then(|tomorrow| tomorrow.start_of_day()).map(|midnight| midnight.timestamp());
    end.unwrap_or_else(|_| minutes_after(at.timestamp(), 24 * 60))
}

/// Of another day than the one on which it is planned the night is none of the time that notes leave which say when that time ends, and not when
/// it begins. Whoever plans in the night is up.
fn from_morning(windows: &[Interval], notes: &Notes, settings: &Settings) -> Vec<Interval> {
    if notes.now.time() != Time::midnight() {
        return windows.to_vec();
    }
    let mut up = open_hours(notes, settings);
    up.extend(up.last().map(|last| Interval::from(last.start)));
    let left = shared(windows, &merged(up));
    if left.is_empty() { windows.to_vec() } else { left }
}

/// When a day ends in which no time for work is stated: at midnight, or where it is evening and all work is due in the next morning, then.
fn night_end(notes: &Notes) -> Timestamp {
    let end = day_end(&notes.now);
    let dues = notes.constraints.iter().filter(|own| own.hard).filter_map(|own| match &own.rule {
        Rule::Deadline { task: None, by } => Some(*by.first()),
        _ => None,
    });
    dues.filter(|due| is_of_night(notes, *due)).max().map_or(end, |due| due.max(end))
}

/// Whether a time lies in the morning after the evening in which the plan is made.
fn is_of_night(notes: &Notes, at: Timestamp) -> bool {
    const EVENING: Time = Time::constant(17, 0, 0, 0);
    const MORNING_MINUTES: i64 = 12 * 60;
    let end = day_end(&notes.now);
    notes.now.time() >= EVENING && at > end && at <= minutes_after(end, MORNING_MINUTES)
}

/// The waking hours, and the nights for which the notes say that something is to be done then.
fn open_hours(notes: &Notes, settings: &Settings) -> Vec<Interval> {
    let mut hours = waking(notes, settings);
    let now = notes.now.timestamp();
    let Some(first) = hours.first().map(|own| own.start) else { return hours };
    for constraint in notes.constraints.iter().filter(|own| own.hard) {
        match &constraint.rule {
            Rule::TaskTimes { when, only: true, .. } => {
                hours.extend(when.first().iter().filter(|own| own.is_bounded()).copied());
            }
            Rule::Deadline { task: Some(_), by } if *by.first() > now && *by.first() <= first => {
                let up = local(notes.now.date().to_datetime(NIGHT_ENDS), notes.now.time_zone());
                let from = up.filter(|up| notes.now.time() == Time::midnight() && *up < *by.first());
                hours.push(Interval::new(from.unwrap_or(now), *by.first()));
            }
            Rule::Deadline { task: Some(_), by } if is_of_night(notes, *by.first()) => {
                hours.push(Interval::new(now.max(first), *by.first()));
            }
            _ => {}
        }
    }
    merged(hours)
}

/// The waking hours of today, or of tomorrow where today's are over.
fn waking(notes: &Notes, settings: &Settings) -> Vec<Interval> {
    let now = &notes.now;
    let over = now.time() >= settings.waking_until;
    let date = if over { now.date().tomorrow().unwrap_or(now.date()) } else { now.date() };
    let at = |time: Time| local(date.to_datetime(time), now.time_zone());
    match (at(settings.waking_from), at(settings.waking_until)) {
        (Some(from), Some(until)) => merged(vec![Interval::new(from, until)]),
        _ => vec![Interval::new(now.timestamp(), day_end(now))],
    }
}

fn local(civil: jiff::civil::DateTime, zone: &TimeZone) -> Option<Timestamp> {
    zone.to_ambiguous_zoned(civil).compatible().ok().map(|zoned| zoned.timestamp())
}
