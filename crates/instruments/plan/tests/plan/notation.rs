//! Notes and plans in a short notation, so that a case is a few lines.
//!
//! Each line of notes is what somebody wrote, a bar, and what a reader makes of it; a line without a bar is read as nothing:
//!
//! ```text
//!  | now 2026-01-26 08:00
//! write the report, 90 min | task report 90
//! don't book over lunch | blocked 12:00-13:00 lunch
//! standup at 9:30 | event 09:30-09:45 standup
//! ```
//!
//! Each line of a plan is an item: `10:00-11:30 write the report [90] because …  with Ana at library`. See [`notes`], [`plan`].

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use steadfast_evidence::{FileId, Quote};
use steadfast_plan::model::{Extent, Link, Unit, intent, vocabulary};
use steadfast_plan::open::{Apart, Aside};
use steadfast_plan::window::minutes_after;
use steadfast_plan::{
    Constraint, Days, Form, Given, Interval, Notes, Priority, Readings, Rule, Settings, Task, Window,
};
use steadfast_text::{Document, Format, Span};

/// New York's rule, without a data base of zones.
pub(crate) fn zone() -> TimeZone {
    TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap()
}

/// The time at which notes are read that do not say.
const NOW: &str = "2026-01-26 08:00";

/// What is settled beside the notes.
pub(crate) struct Asked {
    pub(crate) notes: Notes,
    pub(crate) settings: Settings,
}

/// Reads notes. The right side of a line is a kind and what belongs to it, by words:
///
/// - `now DATE TIME`, `preferences hard` (their left side is ignored)
/// - `task NAME [MINUTES|MIN-MAX] [urgent|high|low|optional] [with:A,B] [at:PLACE] [whole]`: its minutes are a constraint of
///   their own
/// - `event T-T NAME…`, `blocked T-T [who:P] [NAME…]`, `available T-T [who:P]`; several times by commas, several readings by `/`
/// - `deadline NAME|* T`, `after NAME|* T`, `must NAME`, `order NAME NAME`
/// - `only NAME T-T`, `never NAME T-T`, `apart not_today|not_mine|chatter`
/// - `exclude [words:A,B] [who:P] [place:P] [T-T]`
/// - `wish RULE…`: any of these as a preference
/// - `person P PLACE T-T|DAYS`, `here PLACE T-T|DAYS [within]`, `way A B MINUTES`, `links A>B,C=D`
/// - `run NAME,…|* MAX REST`: minutes on end, and off
/// - `stay PLACE MIN-MAX`, `total days|minutes MIN-MAX [NAME,…]`, `most [NAME…]`
///
/// Names of more than one word have `_` for the space.
pub(crate) fn notes(text: &str) -> Asked {
    let left: String = text.lines().map(|line| format!("{}\n", line.split('|').next().unwrap().trim())).collect();
    let document = Document::from_str_as(&left, Format::Plain);
    let now = text.lines().find_map(|line| line.split_once('|')?.1.trim().strip_prefix("now ")).unwrap_or(NOW);
    let now = moment(now);
    let mut asked = Asked { notes: Notes::empty(now), settings: Settings::default() };
    asked.notes.vocabulary = vocabulary(&left);
    asked.notes.lines = left.lines().map(str::to_owned).collect();
    let mut names: Vec<String> = Vec::new();
    let mut at = 0;
    for line in text.lines() {
        let words = line.split('|').next().unwrap().trim();
        let span = Span::new(at, at + words.len());
        at += words.len() + 1;
        let Some((_, right)) = line.split_once('|') else { continue };
        let parts: Vec<&str> = right.split_whitespace().collect();
        let quote = || Quote::cut(FileId(0), &document, span).unwrap();
        match parts[..] {
            ["now", ..] => {}
            ["preferences", "hard"] => asked.settings.preferences_hard = true,
            ["task", name, ref rest @ ..] => {
                let mut task = Task {
                    quote: quote(),
                    text: spaced(name),
                    intent: intent(&spaced(name)),
                    priority: Priority::Normal,
                    with: Vec::new(),
                    place: None,
                    in_one_go: false,
                };
                let mut minutes = None;
                for part in rest {
                    match *part {
                        "urgent" => task.priority = Priority::Urgent,
                        "high" => task.priority = Priority::High,
                        "low" => task.priority = Priority::Low,
                        "optional" => task.priority = Priority::Optional,
                        "whole" => task.in_one_go = true,
                        part => match part.split_once(':') {
                            Some(("with", people)) => task.with = people.split(',').map(spaced).collect(),
                            Some(("at", place)) => task.place = Some(spaced(place)),
                            _ => minutes = Some(range(part)),
                        },
                    }
                }
                let index = asked.notes.tasks.len();
                asked.notes.tasks.push(task);
                names.push(name.to_owned());
                if let Some((minutes_min, minutes_max)) = minutes {
                    let rule = Rule::Duration { task: index, minutes_min, minutes_max };
                    push(&mut asked.notes, rule, quote());
                }
            }
            ["wish", ref rest @ ..] => {
                let wish = Box::new(rule(&asked.notes.now, &names, rest));
                push(&mut asked.notes, Rule::Preference { wish }, quote());
            }
            ["apart", reason] => {
                let reason = Aside::ALL.iter().copied().find(|own| own.name() == reason).unwrap();
                asked.notes.apart.push(Apart { quote: quote(), reason });
            }
            _ => {
                let rule = rule(&asked.notes.now, &names, &parts);
                push(&mut asked.notes, rule, quote());
            }
        }
    }
    asked
}

fn push(notes: &mut Notes, rule: Rule, quote: Quote) {
    let hard = !matches!(rule, Rule::Preference { .. });
    let id = format!("c{}", notes.constraints.len() + 1);
    notes.constraints.push(Constraint { id, rule, quote: Some(quote), hard });
}

fn rule(now: &Zoned, names: &[String], parts: &[&str]) -> Rule {
    let task = |name: &str| names.iter().position(|known| known == name).unwrap();
    let some_task = |name: &str| (name != "*").then(|| task(name));
    let who = |parts: &[&str]| parts.iter().find_map(|part| part.strip_prefix("who:")).map(spaced);
    let rest = |parts: &[&str]| {
        let words: Vec<String> = parts.iter().filter(|part| !part.contains(':')).map(|part| spaced(part)).collect();
        words.join(" ")
    };
    match *parts {
        ["event", times, ref name @ ..] => {
            Rule::FixedEvent { name: rest(name), when: readings(now, times), with: Vec::new(), place: None }
        }
        ["blocked", times, ref name @ ..] => {
            let words = rest(name);
            Rule::Blocked { name: (!words.is_empty()).then_some(words), who: who(name), when: readings(now, times) }
        }
        ["available", times, ref name @ ..] => Rule::Availability { who: who(name), when: readings(now, times) },
        ["deadline", name, times] => Rule::Deadline { task: some_task(name), by: instants(now, times) },
        ["after", name, times] => Rule::NotBefore { task: some_task(name), from: instants(now, times) },
        ["only", name, times] => Rule::TaskTimes { tasks: vec![task(name)], when: readings(now, times), only: true },
        ["never", name, times] => Rule::TaskTimes { tasks: vec![task(name)], when: readings(now, times), only: false },
        ["must", name] => {
            let day = now.start_of_day().unwrap();
            let within = Interval::new(day.timestamp(), day.tomorrow().unwrap().timestamp());
            Rule::MustDo { task: task(name), within: Some(within) }
        }
        ["order", first, then] => Rule::Order { first: task(first), then: task(then), gap: 0 },
        ["exclude", ref rest @ ..] => {
            let of = |name: &str| rest.iter().find_map(|part| part.strip_prefix(name)).map(spaced);
            Rule::Exclusion {
                intent: of("words:").map_or(Vec::new(), |words| intent(&words.replace(',', " "))),
                who: of("who:"),
                place: of("place:"),
                when: rest.iter().find(|part| part.starts_with(char::is_numeric)).map(|times| readings(now, times)),
            }
        }
        ["person", name, place, when] => Rule::Presence {
            who: Some(spaced(name)),
            place: spaced(place),
            when: windows(now, when),
            extent: Extent::Within,
        },
        ["here", place, when, ref rest @ ..] => Rule::Presence {
            who: None,
            place: spaced(place),
            when: windows(now, when),
            extent: if rest.contains(&"within") { Extent::Within } else { Extent::Throughout },
        },
        ["way", from, to, minutes] => {
            Rule::Travel { from: spaced(from), to: spaced(to), minutes: minutes.parse().unwrap(), both_ways: true }
        }
        ["links", links] => {
            let link = |link: &str| {
                let (from, to) = link.split_once(['>', '=']).unwrap();
                Link { from: spaced(from), to: spaced(to), both_ways: link.contains('=') }
            };
            Rule::Connection { links: links.split(',').map(link).collect() }
        }
        ["stay", place, days] => {
            let (days_min, days_max) = range(days);
            Rule::Stay { place: spaced(place), days_min, days_max }
        }
        ["run", names, minutes_max, rest] => Rule::Run {
            tasks: names.split(',').filter(|name| *name != "*").map(task).collect(),
            minutes_max: minutes_max.parse().unwrap(),
            rest: rest.parse().unwrap(),
        },
        ["total", unit, amount, names] => {
            let (min, max) = range(amount);
            assert_eq!(unit, "minutes");
            Rule::Total { unit: Unit::Minutes, tasks: names.split(',').map(task).collect(), min, max }
        }
        ["total", unit, amount] => {
            let (min, max) = range(amount);
            Rule::Total { unit: if unit == "days" { Unit::Days } else { Unit::Minutes }, tasks: Vec::new(), min, max }
        }
        ["most", ref rest @ ..] => Rule::Objective { tasks: rest.iter().map(|name| task(name)).collect() },
        _ => panic!("no rule: {parts:?}"),
    }
}

fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// "90": exactly, "30-60", "30-", "-60".
fn range(text: &str) -> (Option<i64>, Option<i64>) {
    match text.split_once('-') {
        None => (Some(text.parse().unwrap()), Some(text.parse().unwrap())),
        Some((min, max)) => (min.parse().ok(), max.parse().ok()),
    }
}

/// "2026-01-26 08:00" in New York.
pub(crate) fn moment(text: &str) -> Zoned {
    let (date, time) = text.trim().split_once(' ').unwrap();
    date.parse::<Date>().unwrap().to_datetime(time.parse::<Time>().unwrap()).to_zoned(zone()).unwrap()
}

/// A clock time of the day on which the notes are read; "24:00" ends it, "+1:9:00" is of the next day.
pub(crate) fn at(now: &Zoned, text: &str) -> Timestamp {
    let (date, text) = match text.strip_prefix("+1:") {
        Some(rest) => (now.date().tomorrow().unwrap(), rest),
        None => (now.date(), text),
    };
    let (hour, minute) = text.split_once(':').unwrap();
    let midnight = date.to_zoned(zone()).unwrap();
    let (hour, minute): (i64, i64) = (hour.parse().unwrap(), minute.parse().unwrap());
    if hour >= 24 {
        return midnight.tomorrow().unwrap().timestamp();
    }
    let time = Time::new(i8::try_from(hour).unwrap(), i8::try_from(minute).unwrap(), 0, 0).unwrap();
    date.to_datetime(time).to_zoned(zone()).unwrap().timestamp()
}

fn interval(now: &Zoned, text: &str) -> Interval {
    let (start, end) = text.split_once('-').unwrap();
    let start = if start.is_empty() { Timestamp::MIN } else { at(now, start) };
    let end = if end.is_empty() { Timestamp::MAX } else { at(now, end) };
    Interval::new(start, end)
}

fn readings(now: &Zoned, text: &str) -> Readings<Vec<Interval>> {
    let reading = |text: &str| text.split(',').map(|one| interval(now, one)).collect();
    Readings::of(text.split('/').map(reading).collect()).unwrap()
}

fn instants(now: &Zoned, text: &str) -> Readings<Timestamp> {
    Readings::of(text.split('/').map(|one| at(now, one)).collect()).unwrap()
}

fn windows(now: &Zoned, text: &str) -> Readings<Vec<Window>> {
    if text.contains(':') {
        let reading = |text: &str| text.split(',').map(|one| Window::Clock(interval(now, one))).collect();
        return Readings::of(text.split('/').map(reading).collect()).unwrap();
    }
    let (first, last) = text.split_once('-').unwrap();
    let days = Days { first: first.parse().unwrap(), last: last.parse().unwrap() };
    Readings::unique(vec![Window::Days(days)])
}

/// Reads a plan, a line an item: times (`10:00-11:30` or `Day 1-4`) or `-`, the task, and in this order if at all `[MINUTES]`,
/// `with A, B`, `at PLACE`, `because WHY` after two spaces each. A first line `events` makes a bare list of events of it.
pub(crate) fn plan(text: &str) -> (Form, Vec<Given>) {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    let form = match lines.next_if(|line| line.trim() == "events") {
        Some(_) => Form::Events,
        None => Form::Plan,
    };
    let item = |line: &str| {
        let mut parts = line.trim().split("  ").map(str::trim).filter(|part| !part.is_empty());
        let head = parts.next().unwrap();
        let (times, task) = if let Some(days) = head.strip_prefix("Day ") {
            let (days, task) = days.split_once(' ').unwrap_or((days, ""));
            (format!("Day {days}"), task)
        } else {
            let (times, task) = head.split_once(' ').unwrap_or((head, ""));
            (times.to_owned(), task)
        };
        let mut given = Given { task: (!task.is_empty()).then(|| task.to_owned()), ..Given::default() };
        match times.split_once('-') {
            Some(("", "")) | None => given.start = (times != "-").then_some(times),
            Some(_) if times.starts_with("Day") => given.start = Some(times),
            Some((start, end)) => {
                given.start = Some(start.to_owned());
                given.end = Some(end.to_owned());
            }
        }
        for part in parts {
            if let Some(minutes) = part.strip_prefix('[') {
                given.timebox_minutes = Some(minutes.trim_end_matches(']').parse().unwrap());
            } else if let Some(people) = part.strip_prefix("with ") {
                given.with = people.split(", ").map(str::to_owned).collect();
            } else if let Some(place) = part.strip_prefix("at ") {
                given.place = Some(place.to_owned());
            } else if let Some(why) = part.strip_prefix("because ") {
                given.why = Some(why.to_owned());
            } else {
                panic!("no part of an item: {part}");
            }
        }
        if form == Form::Plan && given.timebox_minutes.is_none() {
            given.timebox_minutes = minutes(&given);
        }
        given
    };
    (form, lines.map(item).collect())
}

/// The minutes between the clock times of an item.
fn minutes(given: &Given) -> Option<i64> {
    let now = moment(NOW);
    let (start, end) = (given.start.as_ref()?, given.end.as_ref()?);
    let read = |text: &str| text.parse::<Time>().is_ok().then(|| at(&now, text));
    let (start, end) = (read(start)?, read(end)?);
    Some((minutes_after(end, 0).as_second() - start.as_second()) / 60)
}
