//! What the reader of notes makes of a day, against what the generator knows.

use jiff::Timestamp;
use steadfast_plan::free::{Reading, free};
use steadfast_plan::model::Notes;
use steadfast_plan::{Interval, Rule, Settings};

use super::Day;
use super::truth::{Duty, Span, shown};

/// What is wrong with the reading of a day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Misread {
    /// With the free time.
    pub(super) free_time: Vec<String>,
    /// With what is to be done.
    pub(super) tasks: Vec<String>,
    /// With lengths, deadlines, beginnings and must-dos.
    pub(super) limits: Vec<String>,
}

impl Misread {
    /// All of it.
    pub(super) fn all(&self) -> Vec<String> {
        [self.free_time.as_slice(), &self.tasks, &self.limits].concat()
    }
}

/// Minutes since the midnight on which the day begins.
pub(super) fn minute(day: &Day, at: Timestamp) -> i64 {
    let zoned = at.to_zoned(day.now.time_zone().clone());
    let days = zoned.date().duration_since(day.now.date()).as_hours() / 24;
    days * 24 * 60 + i64::from(zoned.hour()) * 60 + i64::from(zoned.minute())
}

/// The same for an interval.
pub(super) fn span(day: &Day, interval: Interval) -> Span {
    (minute(day, interval.start), minute(day, interval.end))
}

/// Holds what was read against what the generator knows. Of several readings of a time the first counts for deadlines; free is what
/// is free under every reading.
pub(super) fn misread(day: &Day, notes: &Notes, settings: &Settings) -> Misread {
    let mut found = Misread::default();
    let read: Vec<Span> =
        free(notes, settings, Reading::Cautious, false).windows.iter().map(|it| span(day, *it)).collect();
    let truth = day.truth.free();
    if read != truth {
        found.free_time.push(format!("free time read as {}, is {}", list(&read), list(&truth)));
    }
    for duty in &day.truth.duties {
        let own: Vec<usize> = (0..notes.tasks.len()).filter(|at| is_of(notes, *at, &duty.key)).collect();
        match own.as_slice() {
            [] => found.tasks.push(format!("“{}” is not read as a task", duty.key)),
            [task] => limits(day, notes, duty, *task, &mut found.limits),
            _ => found.tasks.push(format!("“{}” is read as {} tasks", duty.key, own.len())),
        }
    }
    let keys = || day.truth.duties.iter().map(|duty| &duty.key).chain(&day.truth.optional);
    for at in 0..notes.tasks.len() {
        if !keys().any(|key| is_of(notes, at, key)) {
            found.tasks.push(format!("read as a task: “{}”", notes.tasks[at].text));
        }
    }
    found
}

fn is_of(notes: &Notes, task: usize, key: &str) -> bool {
    notes.tasks[task].text.to_lowercase().contains(key)
}

/// The task that a rule limits, and when; `None` for other rules.
type Limit = fn(&Rule) -> Option<(Option<usize>, Timestamp)>;

fn limits(day: &Day, notes: &Notes, duty: &Duty, task: usize, found: &mut Vec<String>) {
    let said = notes.said()[task];
    if said.minutes_min != Some(duty.minutes) {
        let read = said.minutes_min.map_or_else(|| "not read".to_owned(), |minutes| format!("read as {minutes}"));
        found.push(format!("“{}” takes {} minutes, {read}", duty.key, duty.minutes));
    }
    if said.must_do != duty.must {
        let read = if said.must_do { "read as a must-do, is none" } else { "is a must-do, not read so" };
        found.push(format!("“{}” {read}", duty.key));
    }
    let first = |wanted: Limit| {
        let all = notes.constraints.iter().filter_map(|constraint| wanted(&constraint.rule));
        all.filter(|(own, _)| *own == Some(task)).map(|(_, at)| minute(day, at)).next()
    };
    let by = first(|rule| match rule {
        Rule::Deadline { task, by } => Some((*task, *by.first())),
        _ => None,
    });
    let from = first(|rule| match rule {
        Rule::NotBefore { task, from } => Some((*task, *from.first())),
        _ => None,
    });
    for (what, read, is) in [("is due by", by, duty.by), ("begins from", from, duty.from)] {
        if read != is {
            let clock = |at: Option<i64>| {
                at.map_or_else(
                    || "nothing".to_owned(),
                    |at| format!("{:02}:{:02}", at.div_euclid(60), at.rem_euclid(60)),
                )
            };
            found.push(format!("“{}” {what} {}, read as {}", duty.key, clock(is), clock(read)));
        }
    }
}

fn list(spans: &[Span]) -> String {
    if spans.is_empty() {
        return "none".to_owned();
    }
    spans.iter().map(|span| shown(*span)).collect::<Vec<_>>().join(", ")
}
