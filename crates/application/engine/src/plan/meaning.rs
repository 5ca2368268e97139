//! How a constraint was understood, in one line for a reader.

use jiff::Timestamp;
use steadfast_plan::model::{Extent, Notes, Readings, Rule, Unit};
use steadfast_plan::window::{Interval, Window, clock, merged};

/// Times that a line names.
const TIMES_SHOWN_MAX: usize = 4;

/// Ways that a line names.
const LINKS_SHOWN_MAX: usize = 6;

/// Characters of the words of a task that a line repeats.
const TASK_CHARS_MAX: usize = 80;

/// The line of a rule.
pub(super) fn meaning(notes: &Notes, rule: &Rule) -> String {
    let task = |task: usize| task_of(notes, task);
    let whose = |who: &Option<String>| who.as_ref().map_or_else(String::new, |who| format!("{who}: "));
    match rule {
        Rule::FixedEvent { name, when, with, place } => {
            let with = if with.is_empty() { String::new() } else { format!(" with {}", with.join(", ")) };
            // A name that says where says it once.
            let place = place.as_ref().filter(|place| !name.contains(place.as_str()));
            let place = place.map_or_else(String::new, |place| format!(" at {place}"));
            format!("{name}{with}{place}, {}", times(notes, when))
        }
        Rule::Blocked { name, who, when } => {
            let name = name.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
            format!("{}nothing {}{name}", whose(who), times(notes, when))
        }
        Rule::Deadline { task: due, by } => {
            let due = due.map_or_else(|| "all work".to_owned(), task);
            format!("{due} is done by {}", instants(notes, by))
        }
        Rule::NotBefore { task: of, from } => {
            let of = of.map_or_else(|| "all work".to_owned(), task);
            format!("{of} begins no earlier than {}", instants(notes, from))
        }
        Rule::Availability { who, when } => format!("{}only {}", whose(who), times(notes, when)),
        Rule::TaskTimes { tasks, when, only } => {
            let named: Vec<String> = tasks.iter().map(|of| task(*of)).collect();
            format!("{} {} {}", named.join(", "), if *only { "only" } else { "not" }, times(notes, when))
        }
        Rule::MustDo { task: of, within } => {
            let within = within.map_or_else(String::new, |within| format!(", {}", interval(notes, within)));
            format!("{} must be done{within}", task(*of))
        }
        Rule::Duration { task: of, minutes_min, minutes_max } => {
            format!("{} takes {}", task(*of), bounds(*minutes_min, *minutes_max, "minute"))
        }
        Rule::Order { first, then, gap: 0 } => format!("{} before {}", task(*first), task(*then)),
        Rule::Order { first, then, gap } => {
            format!("{} at least {gap} minutes before {} begins", task(*first), task(*then))
        }
        Rule::Exclusion { intent, who, place, when } => {
            let mut what = Vec::new();
            if !intent.is_empty() {
                what.push(format!("of \"{}\"", intent.join(" ")));
            }
            what.extend(who.iter().map(|who| format!("with {who}")));
            what.extend(place.iter().map(|place| format!("at {place}")));
            let when = when.as_ref().map_or_else(String::new, |when| format!(", {}", times(notes, when)));
            format!("nothing {}{when}", what.join(", "))
        }
        Rule::Preference { wish } => format!("wish: {}", meaning(notes, wish)),
        Rule::Presence { who, place, when, extent } => {
            let who = who.as_deref().unwrap_or("the planner");
            let extent = match extent {
                Extent::Throughout => "is",
                Extent::Within => "is at some time",
            };
            format!("{who} {extent} at {place}, {}", any(when, |windows| windows_of(notes, windows)))
        }
        Rule::Travel { from, to, minutes, both_ways } => {
            let way = if *both_ways { "and back" } else { "one way" };
            format!("{from} to {to} ({way}) takes {}", counted(*minutes, "minute"))
        }
        Rule::Connection { links } => {
            let mut shown: Vec<String> = links
                .iter()
                .take(LINKS_SHOWN_MAX)
                .map(|link| format!("{} {} {}", link.from, if link.both_ways { "and" } else { "to" }, link.to))
                .collect();
            if links.len() > LINKS_SHOWN_MAX {
                shown.push(format!("{} more", links.len() - LINKS_SHOWN_MAX));
            }
            format!("the only ways: {}", shown.join("; "))
        }
        Rule::Stay { place, days_min, days_max } => format!("{} in {place}", bounds(*days_min, *days_max, "day")),
        Rule::Total { unit, min, max, .. } => {
            let noun = match unit {
                Unit::Days => "day",
                Unit::Minutes => "minute",
            };
            format!("all of it takes {}", bounds(*min, *max, noun))
        }
        Rule::Run { tasks, minutes_max, rest } => {
            let of = if tasks.is_empty() {
                "work".to_owned()
            } else {
                listed(tasks.iter().map(|task| task_of(notes, *task)))
            };
            format!(
                "{of}: at most {} on end, then {} without it",
                counted(*minutes_max, "minute"),
                counted(*rest, "minute")
            )
        }
        Rule::Objective { tasks } if tasks.is_empty() => "as many tasks as possible".to_owned(),
        Rule::Objective { tasks } => format!("as many as possible of {} tasks", tasks.len()),
        Rule::Contract(clause) => clause.text().to_owned(),
    }
}

fn task_of(notes: &Notes, task: usize) -> String {
    let words = notes.tasks.get(task).map_or("a task", |task| task.text.as_str());
    let mut shown: String = words.chars().take(TASK_CHARS_MAX).collect();
    if shown.len() < words.len() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

/// Readings in words, "or" between them.
fn any<T>(readings: &Readings<T>, shown: impl Fn(&T) -> String) -> String {
    let all: Vec<String> = readings.iter().take(TIMES_SHOWN_MAX).map(shown).collect();
    all.join(", or ")
}

fn times(notes: &Notes, when: &Readings<Vec<Interval>>) -> String {
    any(when, |intervals| listed(merged(intervals.clone()).into_iter().map(|it| interval(notes, it))))
}

fn windows_of(notes: &Notes, windows: &[Window]) -> String {
    listed(windows.iter().map(|window| match window {
        Window::Clock(it) => interval(notes, *it),
        Window::Days(days) if days.first == days.last => format!("day {}", days.first),
        Window::Days(days) => format!("days {} to {}", days.first, days.last),
    }))
}

fn listed(all: impl ExactSizeIterator<Item = String>) -> String {
    let rest = all.len().saturating_sub(TIMES_SHOWN_MAX);
    let mut shown: Vec<String> = all.take(TIMES_SHOWN_MAX).collect();
    if rest > 0 {
        shown.push(format!("{rest} more"));
    }
    if shown.is_empty() { "at no time".to_owned() } else { shown.join(" and ") }
}

fn instants(notes: &Notes, readings: &Readings<Timestamp>) -> String {
    any(readings, |it| at(notes, *it))
}

fn at(notes: &Notes, at: Timestamp) -> String {
    clock(at, notes.now.time_zone(), notes.now.date())
}

fn interval(notes: &Notes, interval: Interval) -> String {
    match (interval.start == Timestamp::MIN, interval.end == Timestamp::MAX) {
        (true, true) => "always".to_owned(),
        (true, false) => format!("until {}", at(notes, interval.end)),
        (false, true) => format!("from {}", at(notes, interval.start)),
        (false, false) => format!("{} to {}", at(notes, interval.start), at(notes, interval.end)),
    }
}

fn bounds(min: Option<i64>, max: Option<i64>, noun: &str) -> String {
    match (min, max) {
        (Some(min), Some(max)) if min == max => counted(min, noun),
        (Some(min), Some(max)) => format!("{min} to {}", counted(max, noun)),
        (Some(min), None) => format!("at least {}", counted(min, noun)),
        (None, Some(max)) => format!("at most {}", counted(max, noun)),
        (None, None) => format!("some {noun}s"),
    }
}

fn counted(count: i64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
