//! What part a clause plays that names one time: a limit on the task before it in the line, an event, or nothing of today's. A linear scorer
//! over its words tells, by the coefficients of `roles.tsv`; what it is not sure of is left to others, and to a question.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use steadfast_steps::flat;
use steadfast_time::Expression;

use super::clauses::Clause;
use super::lines::{Form, Line};
use super::parts::parts;
use super::when::{Clock, Length, Shape, Stretch};
use super::{Reader, Spot};
use crate::model::{Readings, Rule};

/// A part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Done by then.
    By,
    /// Not before then.
    From,
    /// Only then.
    Only,
    /// Not then.
    Not,
    /// It takes place then.
    Event,
    /// Nothing of today's.
    Nothing,
}

/// The parts, in the order of the columns.
const ROLES: [Role; 6] = [Role::By, Role::From, Role::Only, Role::Not, Role::Event, Role::Nothing];

/// Probability from which on a limit is taken. On folds of notes that the scorer never saw .91 of those are right where a task stands before.
const SURE: f64 = 0.7;

/// The coefficients by feature.
static WEIGHTS: LazyLock<HashMap<&'static str, [f64; 6]>> = LazyLock::new(|| {
    flat(0, || {
        let row = |line: &'static str| {
            let mut columns = line.split('\t');
            let name = columns.next()?;
            let mut weights = [0.0; 6];
            for weight in &mut weights {
                *weight = columns.next()?.parse().ok()?;
            }
            Some((name, weights))
        };
        include_str!("roles.tsv").lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
    })
});

/// The only time of today that a clause names.
fn only_time<'c>(clause: &'c Clause<'_>) -> Option<&'c Stretch> {
    let timed = |it: &&Stretch| it.today && !it.past && matches!(it.shape, Shape::Point | Shape::Range);
    let mut times = clause.when.stretches.iter().filter(timed);
    let first = times.next()?;
    times.next().is_none().then_some(first)
}

/// The likeliest part of a clause behind a task, and how likely it is.
fn role(clause: &Clause<'_>, stretch: &Stretch) -> (Role, f64) {
    let mut names: Vec<String> = vec!["*".to_owned(), "after".to_owned()];
    names.push(if stretch.shape == Shape::Range { "range" } else { "point" }.to_owned());
    for word in &clause.words {
        let low = word.low.trim_start_matches(|c: char| c.is_ascii_digit());
        let name = format!("w:{low}");
        if !low.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    let mut scores = [0.0; 6];
    for weights in names.iter().filter_map(|name| WEIGHTS.get(name.as_str())) {
        for (score, weight) in scores.iter_mut().zip(weights) {
            *score += weight;
        }
    }
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let all: f64 = scores.iter().map(|score| (score - most).exp()).sum();
    let best = scores.iter().position(|score| *score >= most).unwrap_or_default();
    (ROLES[best], 1.0 / all)
}

/// The limit that a clause surely puts on the task before it.
fn limit(clause: &Clause<'_>) -> Option<(Role, Stretch)> {
    let stretch = only_time(clause)?;
    // "Never before 9": what a denied limit says is read by its words.
    let denies = |low: &str| matches!(low, "not" | "never" | "no") || low.ends_with("n't");
    if stretch.limit.is_some() && clause.words.iter().any(|word| denies(&word.low)) {
        return None;
    }
    let (role, sure) = role(clause, stretch);
    let fits = match role {
        Role::By | Role::From => stretch.shape == Shape::Point,
        Role::Only | Role::Not => stretch.shape == Shape::Range || stretch.limit.is_some(),
        Role::Event | Role::Nothing => false,
    };
    (fits && sure >= SURE).then(|| (role, stretch.clone()))
}

/// A line in pieces that say one thing each: its parts, and in a list what a comma leads to that limits what stands before it.
pub(super) fn pieces(line: &Line<'_>, found: &[Expression], clock: &Clock<'_>) -> Vec<Range<usize>> {
    let all = parts(&line.text, found, line.todo);
    if line.form == Form::Prose {
        return all;
    }
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in all {
        let mut start = range.start;
        let commas = line.text.get(range.clone()).unwrap_or_default().match_indices(", ");
        let commas: Vec<usize> = commas.map(|(at, _)| range.start + at).collect();
        for (at, comma) in commas.iter().enumerate() {
            let end = commas.get(at + 1).copied().unwrap_or(range.end);
            let inside = found.iter().any(|it| it.span.start < *comma && *comma < it.span.end);
            if inside || line.text.get(start..*comma).is_none_or(|head| !head.chars().any(char::is_alphabetic)) {
                continue;
            }
            let clause = Clause::read(&line.text, comma + 2..end, found, clock);
            if clause.when.lengths.is_empty() && limit(&clause).is_some() {
                out.push(start..*comma);
                start = comma + 2;
            }
        }
        out.push(start..range.end);
    }
    out
}

impl<'a> Reader<'a> {
    /// A limit on the task of the line, in a list: "oil change 45m, the place only does walk-ins 2 to 4".
    pub(super) fn limits(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        if line.form == Form::Prose {
            return false;
        }
        let (Some(task), Some((role, stretch))) = (self.line_task, limit(clause)) else { return false };
        let spot = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
        let zone = self.notes.now.time_zone().clone();
        let starts = stretch.starts();
        let rule = match role {
            Role::By => starts.map(|by| Rule::Deadline { task: Some(task), by }),
            Role::From => starts.map(|from| Rule::NotBefore { task: Some(task), from }),
            _ => stretch.times(&zone).map(|when: Readings<_>| Rule::TaskTimes {
                tasks: vec![task],
                when,
                only: role == Role::Only,
            }),
        };
        let Some(rule) = rule else { return false };
        // "…, they need it before 4, 90 min": a length of its own is the task's.
        let apart = |it: &Length| {
            clause.text.get(..it.span.start).is_some_and(|head| head.trim_end().ends_with([',', '(', '\u{2013}', '-']))
        };
        if clause.when.lengths.iter().any(apart) {
            self.lengths(line, clause, task);
        }
        self.state(spot, rule, false);
        true
    }
}
