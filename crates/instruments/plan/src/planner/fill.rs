//! Breaks, and what completes a plan of fewer than three items: events of the notes, a break, a review, a buffer; in the last
//! resort the longest item in two parts.

use jiff::Timestamp;

use super::{Attempt, BREAK_MINUTES};
use crate::answer::Role;
use crate::checks::{BREAK_FROM_MINUTES, BREAK_MINUTES_MIN, ITEMS_MAX, ITEMS_MIN, TIMEBOX_MINUTES_MIN, quoted};
use crate::matching::{Events, Matcher};
use crate::model::{Rule, vocabulary};
use crate::plan::PlanItem;
use crate::window::{Interval, merged, minutes_after, shared, without};

/// Minutes of a review of the day, and of time left free.
const REVIEW_MINUTES: i64 = 10;
const BUFFER_MINUTES: i64 = 15;

impl Attempt<'_> {
    /// Adds a break where the work needs one, and completes three items.
    pub(super) fn fill(&self, items: &mut Vec<PlanItem>) {
        let minutes: i64 = items.iter().map(|item| item.timebox_minutes).sum();
        if minutes >= BREAK_FROM_MINUTES && items.len() < ITEMS_MAX && !items.iter().any(|it| it.role == Role::Break) {
            self.add_break(items);
        }
        if items.len() < ITEMS_MIN {
            self.add_events(items);
        }
        let why = "The notes leave time; a plan that fills it holds less";
        let extras = [
            ("Break", "A rest from the work of the plan", BREAK_MINUTES, Role::Break),
            ("Review of the day", "A look at what is done and what is left", REVIEW_MINUTES, Role::Review),
            ("Buffer", why, BUFFER_MINUTES, Role::Buffer),
        ];
        for (task, why, minutes, role) in extras {
            if items.len() < ITEMS_MIN && !items.iter().any(|item| item.role == role) {
                self.add_extra(items, task, why, minutes, role);
            }
        }
        while items.len() < ITEMS_MIN && part(items) {}
        items.sort_by_key(|item| item.when);
    }

    /// The gaps of a plan in which a break may lie: free time, else time blocked for work.
    fn add_break(&self, items: &mut Vec<PlanItem>) {
        let gaps: Vec<Interval> = items
            .windows(2)
            .map(|pair| Interval::new(pair[0].when.end, pair[1].when.start))
            .filter(|gap| gap.minutes() >= BREAK_MINUTES_MIN)
            .collect();
        let blocked: Vec<Interval> = self.fixed(|rule| matches!(rule, Rule::Blocked { who: None, .. }));
        let events = self.fixed(|rule| matches!(rule, Rule::FixedEvent { .. }));
        let rest = without(&merged(blocked), &merged(events));
        let worked = |gap: &Interval| -> i64 {
            items.iter().filter(|item| item.when.end <= gap.start).map(|it| it.timebox_minutes).sum()
        };
        let all: i64 = items.iter().map(|item| item.timebox_minutes).sum();
        // A rest parts the work as evenly as it can.
        let room = |times: &[Interval]| {
            let fit = shared(&merged(gaps.clone()), times).into_iter().filter(|gap| gap.minutes() >= BREAK_MINUTES_MIN);
            fit.min_by_key(|gap| ((2 * worked(gap) - all).abs(), *gap))
        };
        let allowed = self.allowed_more(items);
        let gap = room(&self.free.windows).filter(|_| allowed >= BREAK_MINUTES_MIN).or_else(|| room(&rest));
        if let Some(gap) = gap {
            let minutes = gap.minutes().min(BREAK_MINUTES);
            let worked = worked(&gap);
            let why = format!("A rest after {worked} minutes of work.");
            items.push(extra("Break", &why, gap.start, minutes, Role::Break));
            items.sort_by_key(|item| item.when);
        }
    }

    /// Minutes that the notes allow beyond those planned.
    fn allowed_more(&self, items: &[PlanItem]) -> i64 {
        let planned: i64 = items.iter().filter(|item| item.role != Role::Event).map(|item| item.timebox_minutes).sum();
        self.free.minutes_max.map_or(i64::MAX, |max| max.saturating_sub(planned))
    }

    /// The times of constraints, under any reading.
    fn fixed(&self, wanted: impl Fn(&Rule) -> bool) -> Vec<Interval> {
        let hard = self.notes.constraints.iter().filter(|it| it.hard && wanted(&it.rule));
        hard.filter_map(|it| match &it.rule {
            Rule::Blocked { when, .. } | Rule::FixedEvent { when, .. } => Some(when),
            _ => None,
        })
        .flat_map(|when| when.iter().flatten().copied())
        .collect()
    }

    /// Events of the notes that lie ahead, at their times.
    fn add_events(&self, items: &mut Vec<PlanItem>) {
        if items.len() >= ITEMS_MIN {
            return;
        }
        let now = self.notes.now.timestamp();
        let end = crate::free::day_end(&self.notes.now);
        let (events, matcher) = (Events::new(self.notes), Matcher::new(self.notes));
        let mut ahead: Vec<(Interval, usize)> = Vec::new();
        for (at, constraint) in self.notes.constraints.iter().enumerate().filter(|(_, it)| it.hard) {
            let Rule::FixedEvent { name, when, .. } = &constraint.rule else { continue };
            if !when.is_unique() || name.trim().is_empty() {
                continue;
            }
            for time in when.first() {
                let fits = time.start >= now && time.end <= end && time.minutes() >= TIMEBOX_MINUTES_MIN;
                if fits && time.is_bounded() {
                    ahead.push((*time, at));
                }
            }
        }
        ahead.sort_unstable();
        for (time, at) in ahead {
            if items.len() >= ITEMS_MIN {
                break;
            }
            let alone = |items: &[PlanItem]| !items.iter().any(|item| item.when.overlaps(time));
            let others = self.notes.constraints.iter().enumerate().filter(|(other, it)| *other != at && it.hard);
            let mut taken = others.filter_map(|(_, it)| match &it.rule {
                Rule::FixedEvent { when, .. } | Rule::Blocked { who: None, when, .. } => Some(when),
                _ => None,
            });
            let clashes = taken.any(|when| when.iter().flatten().any(|other| other.overlaps(time)));
            if clashes || !alone(items) {
                continue;
            }
            let constraint = &self.notes.constraints[at];
            let Rule::FixedEvent { name, with, place, .. } = &constraint.rule else { continue };
            // Asked last: of many events with one name each is compared with all others.
            let words = vocabulary(name);
            if !events.of(&words).contains(&at) || !matcher.tasks(&words).is_empty() {
                continue;
            }
            items.push(PlanItem {
                task: name.trim().to_owned(),
                why: format!("The notes say {}.", quoted(constraint.text())),
                timebox_minutes: time.minutes(),
                when: time,
                with: with.clone(),
                place: place.clone(),
                constraint_ids: vec![constraint.id.clone()],
                tasks: Vec::new(),
                role: Role::Event,
            });
        }
    }

    /// Adds a break, review or buffer in free time: after the last item if there is room, else before the first gap's end.
    fn add_extra(&self, items: &mut Vec<PlanItem>, task: &str, why: &str, minutes: i64, role: Role) {
        let taken: Vec<Interval> = items.iter().map(|item| item.when).collect();
        let room = without(&self.free.windows, &merged(taken));
        let last = items.iter().map(|item| item.when.end).max();
        let allowed = self.allowed_more(items).min(minutes);
        for minutes in [allowed, allowed.min(TIMEBOX_MINUTES_MIN)] {
            if minutes < TIMEBOX_MINUTES_MIN {
                return;
            }
            let fits = |window: &&Interval| window.minutes() >= minutes;
            let later = room.iter().filter(fits).find(|window| last.is_none_or(|last| window.start >= last));
            if let Some(window) = later.or_else(|| room.iter().rfind(fits)) {
                items.push(extra(task, &format!("{why}."), window.start, minutes, role));
                items.sort_by_key(|item| item.when);
                return;
            }
        }
    }
}

fn extra(task: &str, why: &str, start: Timestamp, minutes: i64, role: Role) -> PlanItem {
    PlanItem {
        task: task.to_owned(),
        why: why.to_owned(),
        timebox_minutes: minutes,
        when: Interval::new(start, minutes_after(start, minutes)),
        with: Vec::new(),
        place: None,
        constraint_ids: Vec::new(),
        tasks: Vec::new(),
        role,
    }
}

/// Parts the longest item that carries out a task in two; whether there was one.
fn part(items: &mut Vec<PlanItem>) -> bool {
    let long = |item: &&PlanItem| item.timebox_minutes >= 2 * TIMEBOX_MINUTES_MIN && item.role == Role::Work;
    let longest = items.iter().filter(long).max_by_key(|item| (item.timebox_minutes, std::cmp::Reverse(item.when)));
    let Some(at) = longest.and_then(|item| items.iter().position(|other| other.when == item.when)) else {
        return false;
    };
    let first = &mut items[at];
    let mut second = first.clone();
    let half = first.timebox_minutes / 2;
    let middle = minutes_after(first.when.start, half);
    first.timebox_minutes = half;
    first.when.end = middle;
    second.timebox_minutes -= half;
    second.when.start = middle;
    second.task.push_str(" (continued)");
    items.insert(at + 1, second);
    true
}
