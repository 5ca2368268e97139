//! Which reading of an ambiguous clock time is meant.
//!
//! A time with two readings is settled by, in this order: after the current time; an opening time or range beside it; the kind
//! of thing; morning for 7 to 11 unless a word of the evening stands near; waking hours. What is left after that is kept, all
//! of it, and asked.

use jiff::civil::{Date, Time};

use super::words::Word;
use crate::free::Settings;

/// One reading: on a day that is said or not, from a time to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The day, where it is said.
    pub(crate) date: Option<Date>,
    /// From.
    pub(crate) start: Time,
    /// Until; on the next day where it is not after the start.
    pub(crate) end: Option<Time>,
}

/// What is known beside a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beside<'a> {
    /// The day on which an undated time lies.
    pub(crate) date: Date,
    /// The day on which the notes are read, and the time.
    pub(crate) now: (Date, Time),
    /// Opening times or a range beside it.
    pub(crate) hours: Option<(Time, Time)>,
    /// The words near it.
    pub(crate) words: &'a [Word],
    /// Waking hours.
    pub(crate) waking: (Time, Time),
    /// Whether something is to be over by it.
    pub(crate) ends: bool,
}

/// Why a reading was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The others are over, or lie outside waking hours.
    AfterNow,
    /// It lies in the hours that are said beside it.
    Hours,
    /// The thing takes place at that time of day.
    Kind,
    /// Morning for 7 to 11.
    Morning,
    /// One is awake then.
    Waking,
}

/// Between a time as it is written and as it is read.
const READ_AS: &str = " is read as ";

/// Says of all times that were chosen for one reason in one assumption that they were: "3.15" as 15:15, "5" as 17:00.
pub(crate) fn join_readings(assumptions: &mut Vec<String>) {
    let parts = |own: &str| -> Option<(String, String, String)> {
        let (shown, rest) = own.split_once(READ_AS)?;
        let (read, reason) = rest.split_once(": ")?;
        Rule::ALL.iter().find(|rule| rule.reason() == reason)?;
        Some((shown.to_owned(), read.to_owned(), reason.to_owned()))
    };
    let mut joined: Vec<(String, Option<usize>)> = Vec::new();
    let mut first: Vec<(String, usize)> = Vec::new();
    let mut groups: Vec<Vec<(String, String)>> = Vec::new();
    for own in assumptions.drain(..) {
        let Some((shown, read, reason)) = parts(&own) else {
            joined.push((own, None));
            continue;
        };
        match first.iter().find(|(known, _)| *known == reason) {
            Some((_, group)) => groups[*group].push((shown, read)),
            None => {
                first.push((reason.clone(), groups.len()));
                joined.push((reason, Some(groups.len())));
                groups.push(vec![(shown, read)]);
            }
        }
    }
    assumptions.extend(joined.into_iter().map(|(own, group)| match group {
        None => own,
        Some(group) => {
            let (head, rest) = groups[group].split_at(1);
            let rest: String = rest.iter().map(|(shown, read)| format!(", {shown} as {read}")).collect();
            let head = head.first().map_or_else(String::new, |(shown, read)| format!("{shown}{READ_AS}{read}"));
            format!("{head}{rest}: {own}")
        }
    }));
}

impl Rule {
    /// All of them.
    const ALL: [Self; 5] = [Self::AfterNow, Self::Hours, Self::Kind, Self::Morning, Self::Waking];

    /// In the words of a person.
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Self::AfterNow => "the other reading is over, or lies outside waking hours",
            Self::Hours => "it lies in the hours that the notes give",
            Self::Kind => "such things take place then",
            Self::Morning => "7 to 11 is taken as the morning",
            Self::Waking => "the other reading lies outside waking hours",
        }
    }
}

/// Things and the time of day at which they take place: words, first and last hour.
const KINDS: &[(&[&str], i8, i8)] = &[
    (&["standup", "stand-up", "scrum", "daily"], 7, 13),
    (&["breakfast"], 5, 12),
    (&["drop-off", "dropoff", "drop"], 6, 11),
    (&["lunch", "brunch"], 10, 16),
    (&["pick-up", "pickup", "pick"], 11, 20),
    (&["shuts", "closes", "closing"], 12, 24),
    (&["opens"], 5, 13),
    (&["school", "nursery", "kindergarten", "daycare"], 7, 20),
    (
        &[
            "dinner", "supper", "drinks", "party", "cinema", "theatre", "concert", "bedtime", "date", "pub", "film",
            "movie", "gig",
        ],
        16,
        24,
    ),
    (
        &[
            "meeting",
            "meetings",
            "call",
            "sync",
            "1:1",
            "dentist",
            "doctor",
            "appointment",
            "interview",
            "workshop",
            "bank",
        ],
        7,
        19,
    ),
];

/// Words of the evening.
const EVENING: &[&str] = &[
    "evening", "tonight", "night", "dinner", "supper", "drinks", "party", "late", "pm", "cinema", "concert", "theatre",
    "bedtime", "gig",
];

/// What began so many minutes ago is hardly noted as something of the day to come.
const RUNNING_MINUTES_MAX: i32 = 60;

/// From this hour on what lies ahead is meant, though one sleeps then.
const LATE_HOUR_MIN: i8 = 18;

/// Whether a reading keeps a rule.
type Holds<'a> = &'a dyn Fn(&Candidate) -> bool;

/// The readings that are left, and the rule that chose, where one did.
pub(crate) fn settle(mut all: Vec<Candidate>, beside: &Beside<'_>) -> (Vec<Candidate>, Option<Rule>) {
    if all.len() < 2 {
        return (all, None);
    }
    let is_today = |it: &Candidate| it.date.unwrap_or(beside.date) == beside.now.0;
    // "Gig 9 til 11.30" at twenty to eleven: what began long before may be the other one.
    let minutes = |at: Time| i32::from(at.hour()) * 60 + i32::from(at.minute());
    let long_ago = |it: &Candidate| {
        let since = minutes(beside.now.1) - minutes(it.start);
        is_today(it) && since >= RUNNING_MINUTES_MAX && it.end.is_some_and(|end| beside.now.1 < end)
    };
    // What has no end may have begun just now: "9-ish start" at nine.
    let grace = if beside.ends { 0 } else { RUNNING_MINUTES_MAX };
    let begins = |it: &Candidate| minutes(it.start) + grace > minutes(beside.now.1);
    let is_long_running = all.iter().any(long_ago);
    // Who plans in the evening plans the night.
    let is_late = beside.now.1.hour() >= LATE_HOUR_MIN;
    let rules: [(Rule, Holds<'_>); 5] = [
        // Nobody means half past ten at night by "10:30 review" because it is noon: what is over may be told.
        (Rule::AfterNow, &|it| {
            !is_today(it)
                || (crosses(it) && (is_late || is_long_running || is_evening(beside.words)))
                || (it.end.map_or_else(|| begins(it), |end| !crosses(it) && end > beside.now.1)
                    && (lies_in(it, beside.waking.0, beside.waking.1)
                        || is_evening(beside.words)
                        || is_late
                        || is_long_running))
        }),
        (Rule::Hours, &|it| beside.hours.is_none_or(|hours| lies_in(it, hours.0, hours.1))),
        (Rule::Kind, &|it| kind(beside.words).is_none_or(|(from, to)| (from..to).contains(&it.start.hour()))),
        (Rule::Morning, &|it| {
            if is_long_running {
                return true;
            }
            let morning = (7..=11).contains(&(it.start.hour() % 12)) || it.start.hour() % 12 == 11;
            !morning || (it.start.hour() >= 12) == is_evening(beside.words)
        }),
        (Rule::Waking, &|it| is_long_running || lies_in(it, beside.waking.0, beside.waking.1)),
    ];
    for (rule, holds) in rules {
        let left: Vec<Candidate> = all.iter().copied().filter(|it| holds(it)).collect();
        if left.len() == 1 {
            return (left, Some(rule));
        }
        if !left.is_empty() {
            all = left;
        }
    }
    (all, None)
}

/// From when on a time of a day that lies ahead is meant in the morning: who plans tomorrow in the evening does not plan the night.
const EARLY: Time = Time::constant(5, 30, 0, 0);

/// Waking hours as of a moment: who is up early is awake, and the first moment of a day is nobody's.
pub(crate) fn waking(settings: &Settings, now: Time) -> (Time, Time) {
    let from = if now == Time::midnight() { EARLY } else { now };
    (settings.waking_from.min(from), settings.waking_until)
}

fn is_evening(words: &[Word]) -> bool {
    words.iter().any(|word| EVENING.contains(&word.low.as_str()))
}

fn crosses(it: &Candidate) -> bool {
    it.end.is_some_and(|end| end <= it.start)
}

fn lies_in(it: &Candidate, from: Time, until: Time) -> bool {
    let fits = |at: Time| from <= at && at <= until;
    fits(it.start) && !crosses(it) && it.end.is_none_or(fits)
}

/// The hours of the first thing among the words that has some.
fn kind(words: &[Word]) -> Option<(i8, i8)> {
    words.iter().find_map(|word| {
        let found = KINDS.iter().find(|(names, ..)| names.contains(&word.low.trim_end_matches("'s")));
        found.map(|(_, from, to)| (*from, *to))
    })
}
