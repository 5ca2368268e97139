//! What pieces state of whose part the scorers of [`pieces`](super::pieces) are sure.

use std::ops::Range;

use jiff::Timestamp;
use steadfast_time::Limit;

use super::Reader;
use super::amend::Thing;
use super::clauses::Clause;
use super::cues::Cue;
use super::lines::Line;
use super::pieces::{Of, Piece, Says};
use super::references::referred;
use super::statement::{Who, spot};
use super::when::{Shape, Stretch};
use crate::model::{Priority, Readings, Rule};
use crate::open::{Apart, Aside};
use crate::window::Interval;

/// From this probability on a piece is what the scorer takes it for.
const SURE: f64 = 0.45;

/// From this probability on a piece is nothing that a plan must heed.
const SURE_APART: f64 = 0.6;

/// The same, where a time stands in it.
const SURE_TIMED: f64 = 0.9;

/// From this probability on a limit binds all the day.
const SURE_DAY: f64 = 0.7;

/// What pieces of a line say of a task that is still to come.
#[derive(Debug, Default)]
pub(super) struct Ahead<'c> {
    /// What they say, and what was named before them.
    said: Vec<(Says, Clause<'c>, Option<Thing>)>,
    /// Whether that holds for all tasks behind it, up to the end of the line: "after work: …".
    heads: bool,
}

/// On which side of something a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    After,
    Between,
}

/// Words that say on which side.
const SIDES: [&str; 21] = [
    "before",
    "beforehand",
    "b4",
    "until",
    "till",
    "til",
    "prior",
    "by",
    "after",
    "afterwards",
    "afterward",
    "then",
    "once",
    "when",
    "following",
    "straight",
    "between",
    "right",
    "middle",
    "gap",
    "gaps",
];

/// Words for all that was named.
const ALL: [&str; 5] = ["all", "everything", "both", "these", "those"];

/// Words that point at what was named before.
const POINTING: [&str; 22] = [
    "that", "this", "it", "them", "those", "these", "the", "two", "both", "in", "and", "but", "so", "only", "done",
    "must", "be", "to", "has", "is", "also", "i",
];

/// So many words say at most that something would be nice, and name nothing.
const WISH_WORDS_MAX: usize = 4;

/// Whether a time of today stands in a clause.
fn is_timed(clause: &Clause<'_>) -> bool {
    clause.when.stretches.iter().any(|it| it.today && !it.past && it.shape != Shape::Days)
}

impl Side {
    fn of(clause: &Clause<'_>) -> Option<Self> {
        clause.words.iter().find_map(|word| match word.low.as_str() {
            "before" | "beforehand" | "b4" | "until" | "till" | "til" | "prior" | "by" => Some(Self::Before),
            "after" | "afterwards" | "afterward" | "then" | "once" | "when" | "following" => Some(Self::After),
            "between" | "middle" | "gap" | "gaps" => Some(Self::Between),
            _ => None,
        })
    }
}

impl<'a> Reader<'a> {
    /// Whether a piece is what the scorer takes it for, so that it was put down.
    pub(super) fn says_surely<'c>(
        &mut self,
        line: &Line<'a>,
        piece: &Piece,
        clause: &Clause<'c>,
        ahead: &mut Ahead<'c>,
    ) -> bool {
        if piece.sure < SURE {
            return false;
        }
        match piece.says {
            Says::Task => self.names_task(line, clause, ahead),
            // "Would be good to go for a run".
            Says::Wish if piece.of != Of::Before && clause.words.len() > WISH_WORDS_MAX => {
                let named = self.names_task(line, clause, ahead);
                if let (true, Some(own)) = (named, self.line_task.and_then(|task| self.notes.tasks.get_mut(task))) {
                    own.priority = Priority::Optional;
                }
                named
            }
            // "Tonight at home: …".
            Says::Heading if is_timed(clause) && clause.text.trim_end().ends_with(':') => {
                let piece = Piece { says: Says::From, of: Of::Behind, of_sure: 1.0, ..piece.clone() };
                self.tells(line, &piece, clause, ahead)
            }
            Says::Event => self.names_event(line, clause),
            Says::By | Says::From | Says::Only | Says::Not | Says::Order | Says::Length | Says::Wish => {
                self.tells(line, piece, clause, ahead)
            }
            Says::NotToday | Says::Done if piece.sure >= SURE_APART => self.set_apart(line, clause, Aside::NotToday),
            // Of whoever is to be met or called as well it matters when they are there.
            Says::NotMine | Says::Others if self.is_of_known(line) => false,
            Says::Others if piece.sure >= SURE_APART => {
                self.moment = clause.when.stretches.iter().rfind(|it| it.today && !it.past).and_then(Stretch::ends);
                self.set_apart(line, clause, Aside::NotMine)
            }
            Says::NotMine if piece.sure >= SURE_APART => self.set_apart(line, clause, Aside::NotMine),
            Says::Chatter | Says::Heading => {
                let timed = is_timed(clause) || !clause.when.lengths.is_empty();
                // "I must not miss it".
                if let (true, Some(task)) = (clause.has(Cue::Must), self.line_task) {
                    self.mark(line, clause, task);
                }
                piece.sure >= if timed { SURE_TIMED } else { SURE_APART }
                    && self.set_apart(line, clause, Aside::Chatter)
            }
            _ => false,
        }
    }

    fn set_apart(&mut self, line: &Line<'a>, clause: &Clause<'_>, reason: Aside) -> bool {
        let Some(quote) = self.quote(spot(line, clause)) else { return false };
        self.notes.apart.push(Apart { quote, reason });
        true
    }

    fn names_task<'c>(&mut self, line: &Line<'a>, clause: &Clause<'c>, ahead: &mut Ahead<'c>) -> bool {
        if line.parked {
            return self.set_apart(line, clause, Aside::NotToday);
        }
        let before = self.line_task;
        let (named, moment) = (self.last_thing, self.moment.clone());
        let cut: Vec<Range<usize>> = referred(clause).into_iter().map(|(_, span, _)| span).collect();
        let Some(task) = self.task(line, clause, &cut) else { return false };
        match before {
            Some(first) if clause.then => {
                self.state(spot(line, clause), Rule::Order { first, then: task, gap: 0 }, false);
            }
            None if clause.then => self.behind_event(line, clause, task),
            _ => {}
        }
        self.relations(line, clause, task, before, false);
        // "Beforehand practise the Dvořák".
        if clause.words.first().is_some_and(|word| word.low == "beforehand") {
            self.moment = moment.clone();
            let head = Clause { words: clause.words[..1].to_vec(), ..clause.clone() };
            self.beside(line, &head, task, named);
        }
        self.moment = moment;
        let said = std::mem::take(&mut ahead.said);
        for (says, own, named) in &said {
            self.tells_of(line, *says, own, task, *named);
        }
        if ahead.heads {
            ahead.said = said;
        }
        self.moment = None;
        self.line_tasks.push(task);
        true
    }

    fn names_event(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        if self.own_hours(line, clause, &Who::Own, false) {
            return true;
        }
        // "Barber after 4": a limit is none of an event.
        if !clause.when.stretches.is_empty()
            && clause.when.stretches.iter().all(|it| matches!(it.limit, Some(Limit::After | Limit::By | Limit::Before)))
        {
            return self.names_task(line, clause, &mut Ahead::default());
        }
        let free = |it: &Stretch| it.limit.is_none() && !it.past && matches!(it.shape, Shape::Point | Shape::Range);
        if !clause.when.stretches.iter().any(free) || clause.when.stretches.iter().any(|it| it.limit.is_some()) {
            return false;
        }
        let mut name = self.name_of(clause, &[]);
        if crate::model::intent(&name).is_empty() {
            name = clause.text.trim().to_owned();
        }
        let before = self.notes.constraints.len();
        self.take_place(line, clause, &name);
        self.line_task = None;
        self.notes.constraints.len() > before
    }

    /// What a piece says of the task before it, of the task behind it, or of the day.
    fn tells<'c>(&mut self, line: &Line<'a>, piece: &Piece, clause: &Clause<'c>, ahead: &mut Ahead<'c>) -> bool {
        let rest = line.text.get(clause.at + clause.text.len()..).unwrap_or_default();
        let heads = clause.text.trim_end().ends_with(':') || rest.trim_start().starts_with(':');
        // "After work: …" is of what follows, and nothing is of the day that names no time.
        let of = match piece.of {
            _ if heads => Of::Behind,
            Of::Day if clause.when.stretches.is_empty() => {
                if self.line_task.is_some() {
                    Of::Before
                } else {
                    Of::Behind
                }
            }
            of => of,
        };
        match of {
            Of::Behind => {
                if heads {
                    ahead.said.clear();
                }
                ahead.heads = heads;
                ahead.said.push((piece.says, clause.clone(), self.last_thing));
                true
            }
            Of::Before => match self.line_task {
                Some(task) => {
                    let named = self.named_before(task);
                    self.tells_of(line, piece.says, clause, task, named)
                }
                None => piece.says == Says::Length && self.line_event.is_some() && self.lasts(clause),
            },
            Of::Day => self.tells_of_day(line, (piece.says, piece.sure), clause),
        }
    }

    fn tells_of(
        &mut self,
        line: &Line<'a>,
        says: Says,
        clause: &Clause<'_>,
        task: usize,
        named: Option<Thing>,
    ) -> bool {
        if clause.has(Cue::Must) {
            self.mark(line, clause, task);
        }
        match says {
            Says::Length => {
                let before = self.notes.constraints.len();
                self.lengths(line, clause, task);
                self.notes.constraints.len() > before
            }
            Says::Wish if clause.when.stretches.is_empty() => {
                if let Some(own) = self.notes.tasks.get_mut(task) {
                    own.priority = Priority::Optional;
                }
                self.set_apart(line, clause, Aside::Chatter)
            }
            Says::By | Says::From | Says::Only | Says::Not | Says::Order => {
                // How long it takes may stand beside it.
                self.lengths(line, clause, task);
                let wish = clause.has(Cue::Wish) || clause.has(Cue::Optional);
                if let Some(rule) = self.limit_of(says, clause, Some(task)) {
                    // "All of it has to be done by six", "both before lunch".
                    let all = clause.words.iter().any(|word| ALL.contains(&word.low.as_str()));
                    let others = if all { self.line_tasks.clone() } else { Vec::new() };
                    for other in others.into_iter().filter(|other| *other != task) {
                        if let Some(rule) = self.limit_of(says, clause, Some(other)) {
                            self.state(spot(line, clause), rule, wish);
                        }
                    }
                    self.state(spot(line, clause), rule, wish);
                    return true;
                }
                if !clause.when.stretches.is_empty() {
                    return false;
                }
                self.beside(line, clause, task, named)
            }
            _ => false,
        }
    }

    /// What was named last before a task.
    fn named_before(&self, task: usize) -> Option<Thing> {
        self.named.iter().rev().find(|own| !matches!(own, Thing::Task { task: other, .. } if *other == task)).copied()
    }

    /// "Before that", "straight after", "between the two", "once the cake is in": where a task stands to something that was named, before it or by its name.
    fn beside(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize, named: Option<Thing>) -> bool {
        let Some(side) = Side::of(clause) else { return false };
        let points =
            clause.words.iter().all(|word| SIDES.contains(&word.low.as_str()) || POINTING.contains(&word.low.as_str()));
        if side == Side::Between {
            let Some(rule) = self.between(task).filter(|_| points) else { return false };
            return self.state(spot(line, clause), rule, false).is_some();
        }
        if points {
            if let Some(at) = self.moment.clone() {
                let task = Some(task);
                let rule = match side {
                    Side::Before => Rule::Deadline { task, by: at },
                    _ => Rule::NotBefore { task, from: at },
                };
                return self.state(spot(line, clause), rule, false).is_some();
            }
            let rule = match named {
                Some(Thing::Task { task: other, .. }) if other != task && side == Side::Before => {
                    Some(Rule::Order { first: task, then: other, gap: 0 })
                }
                Some(Thing::Task { task: other, .. }) if other != task => {
                    Some(Rule::Order { first: other, then: task, gap: 0 })
                }
                Some(Thing::Event(event)) => self.beside_event_of(event, side == Side::Before, task),
                _ => None,
            };
            return rule.is_some_and(|rule| self.state(spot(line, clause), rule, false).is_some());
        }
        let before = (self.references.len(), self.notes.constraints.len(), self.before_leaving.len());
        self.relations(line, clause, task, None, false);
        if before == (self.references.len(), self.notes.constraints.len(), self.before_leaving.len()) {
            let words = clause.words.iter().filter(|word| !SIDES.contains(&word.low.as_str()));
            let stems = words.map(|word| word.low.clone()).collect();
            self.refer_to(line, clause, task, side == Side::Before, stems);
        }
        before != (self.references.len(), self.notes.constraints.len(), self.before_leaving.len())
    }

    /// Between the two events that were named last.
    fn between(&self, task: usize) -> Option<Rule> {
        let mut events = self.named.iter().rev().filter_map(|own| match own {
            Thing::Event(at) => Some(self.taken(*at)),
            Thing::Task { .. } => None,
        });
        let mut last: Vec<Interval> = events.next()?;
        if last.len() < 2 {
            last.extend(events.next()?);
        }
        last.sort_by_key(|own| own.start);
        let [first, second] = last[..] else { return None };
        let open = Interval::new(first.end, second.start);
        (open.start < open.end).then(|| Rule::TaskTimes {
            tasks: vec![task],
            when: Readings::unique(vec![open]),
            only: true,
        })
    }

    /// When an event is, where that is plain.
    fn taken(&self, event: usize) -> Vec<Interval> {
        match self.notes.constraints.get(event).map(|own| &own.rule) {
            Some(Rule::FixedEvent { when, .. } | Rule::Blocked { when, .. }) if when.is_unique() => {
                when.first().clone()
            }
            _ => Vec::new(),
        }
    }

    fn tells_of_day(&mut self, line: &Line<'a>, (says, sure): (Says, f64), clause: &Clause<'_>) -> bool {
        let Some(rule) = self.limit_of(says, clause, None).filter(|_| sure >= SURE_DAY) else { return false };
        self.state(spot(line, clause), rule, false);
        true
    }

    /// The limit that the times of a clause are, for a task or for the day.
    fn limit_of(&self, says: Says, clause: &Clause<'_>, task: Option<usize>) -> Option<Rule> {
        let timed =
            |it: &&Stretch| it.today && !it.past && matches!(it.shape, Shape::Point | Shape::Range | Shape::Part);
        let times: Vec<&Stretch> = clause.when.stretches.iter().filter(timed).collect();
        // "By 11:30, she presents at 12": the time that is a limit.
        let limits: Vec<&Stretch> = times.iter().copied().filter(|it| it.limit.is_some()).collect();
        let (stretch, other) = match (&times[..], &limits[..]) {
            ([one], _) => (*one, None),
            ([first, second], []) => (*first, Some(*second)),
            (_, [one]) => (*one, None),
            _ => return None,
        };
        let zone = self.notes.now.time_zone();
        let point = stretch.shape == Shape::Point;
        // "Not before 10", "isn't in until 5", "nothing after 6": what is denied turns its limit around.
        let denies = |low: &str| {
            matches!(low, "not" | "never" | "no" | "cant" | "cannot" | "nothing" | "nobody") || low.ends_with("n't")
        };
        let denied = clause.words.iter().any(|word| word.range.start < stretch.span.start && denies(&word.low));
        let says = match (says, stretch.limit, denied) {
            (Says::By | Says::From, Some(Limit::Before | Limit::Until), true) => Says::From,
            (Says::By | Says::From, Some(Limit::Before | Limit::By), false) => Says::By,
            (Says::By | Says::From, Some(Limit::After), true) => Says::By,
            (Says::By | Says::From, Some(Limit::After | Limit::From), false) => Says::From,
            _ => says,
        };
        let moment = |end: bool| if end { stretch.ends() } else { stretch.starts() };
        // "Opens at 10, closes at 4".
        if let Some(other) = other {
            if says != Says::Only || !point || other.shape != Shape::Point {
                return None;
            }
            let window = |from: &Timestamp| {
                let until = other.starts()?.iter().copied().find(|until| from < until)?;
                Some(vec![Interval::new(*from, until)])
            };
            let when = Readings::of(stretch.starts()?.iter().filter_map(window).collect())?;
            return Some(match task {
                Some(task) => Rule::TaskTimes { tasks: vec![task], when, only: true },
                None => Rule::Availability { who: None, when },
            });
        }
        Some(match says {
            Says::By => {
                let end = !point && !matches!(stretch.limit, Some(Limit::Before));
                Rule::Deadline { task, by: moment(end)? }
            }
            Says::From => {
                let end = !point && !matches!(stretch.limit, Some(Limit::From));
                let end = end && matches!(stretch.limit, Some(Limit::After));
                Rule::NotBefore { task, from: moment(end)? }
            }
            Says::Only | Says::Not if point && stretch.limit.is_none() => return None,
            Says::Only => match task {
                Some(task) => Rule::TaskTimes { tasks: vec![task], when: stretch.times(zone)?, only: true },
                None => Rule::Availability { who: None, when: stretch.times(zone)? },
            },
            Says::Not => match task {
                Some(task) => Rule::TaskTimes { tasks: vec![task], when: stretch.times(zone)?, only: false },
                None => Rule::Blocked { name: None, who: None, when: stretch.times(zone)? },
            },
            _ => return None,
        })
    }

    /// What stands in the clause of a task says of its order and its times.
    pub(super) fn relations(
        &mut self,
        line: &Line<'a>,
        clause: &Clause<'_>,
        task: usize,
        before: Option<usize>,
        wish: bool,
    ) {
        self.refer(line, clause, task, wish);
        self.by_then(line, clause, task);
        self.beside_it(line, clause, task, before);
        self.last_thing_of_all(line, clause, task);
        self.before_leaving(line, clause, task);
        for stretch in clause.when.stretches.iter().filter(|it| !it.past) {
            self.bound(line, clause, task, stretch, wish);
        }
    }
}
