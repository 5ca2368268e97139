//! What pieces tell of what is named: limits, orders, lengths, and how much it matters.

use jiff::Timestamp;
use steadfast_time::Limit;

use super::super::Reader;
use super::super::clauses::Clause;
use super::super::cues::Cue;
use super::super::lines::{Form, Line};
use super::super::pieces::{Of, Says};
use super::super::statement::spot;
use super::super::ways::{Way, ways_of_piece};
use super::super::when::{Shape, Stretch};
use super::super::words::Word;
use super::named::{Named, Part, What, is_timed, low_is};
use super::structure;
use super::times::own_times;
use crate::list::List;
use crate::model::{Priority, Readings, Rule, Times, Unit, intent};
use crate::open::Aside;
use crate::window::{Interval, minutes_after};

/// From this probability on a limit is on the side that the scorer says, whatever its words: "he stops picking up after 5".
const SURE: f64 = 0.7;

/// Tasks of which one piece tells something, at most.
const TOLD_TASKS_MAX: usize = 32;

/// What somebody or something does that is waited for.
const ARRIVING: [&str; 11] =
    ["sends", "send", "said", "says", "comes", "coming", "arrives", "arriving", "arrive", "lands", "delivers"];

/// Constraints that are looked through in one step.
const LOOKED_AT: usize = 8;

/// On which side of something a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
    During,
    Outside,
}

/// Words that point at what was named before.
const POINTING: List = List("pointing");

/// Of what a piece tells something.
pub(super) enum Target {
    Tasks(Vec<usize>),
    /// An event, by its place among what is named.
    Event(usize),
    Day,
}

impl Side {
    pub(super) fn of(says: Says, clause: &Clause<'_>) -> Self {
        let word = |among: &[&str]| clause.words.iter().any(|word| low_is(&word.low, among));
        match says {
            Says::By => Self::Before,
            Says::Only => Self::During,
            Says::Not => Self::Outside,
            Says::From => Self::After,
            _ if word(&["before", "beforehand", "b4", "first", "prior", "until", "till"]) => Self::Before,
            _ if word(&["during", "while", "between"]) => Self::During,
            _ => Self::After,
        }
    }
}

impl<'a> Reader<'a> {
    /// Of what a piece tells something.
    fn target(lines: &[Line<'a>], parts: &[Part<'_>], at: usize, named: &[Named]) -> Target {
        let Part { line, piece, clause } = &parts[at];
        let rest = lines[*line].text.get(clause.at + clause.text.len()..).unwrap_or_default();
        let heads = clause.text.trim_end().ends_with(':') || rest.trim_start().starts_with(':');
        // What stands under another heading is not spoken of.
        let near = |own: &&Named| lines[parts[own.part].line].under == lines[*line].under && own.what != What::Others;
        let before = || named.iter().rposition(|own| own.part < at && near(&own));
        let behind = || named.iter().position(|own| own.part > at && near(&own));
        let one = |found: Option<usize>| match found.map(|found| (found, named[found].what)) {
            Some((_, What::Task(task))) => Target::Tasks(vec![task]),
            Some((found, What::Event(_))) => Target::Event(found),
            _ => Target::Day,
        };
        let tasks = |within: &dyn Fn(&Named) -> bool| -> Vec<usize> {
            let own = named.iter().filter(|own| within(own));
            own.filter_map(|own| if let What::Task(task) = own.what { Some(task) } else { None }).collect()
        };
        if heads {
            let sentence = |own: &Named| {
                let between = lines[*line].text.get(clause.at + clause.text.len()..parts[own.part].clause.at);
                !between.unwrap_or_default().contains(['.', '!'])
            };
            let own = tasks(&|own| own.part > at && parts[own.part].line == *line && sentence(own));
            if !own.is_empty() {
                return Target::Tasks(own);
            }
            // "Before I leave:" stands above a list.
            let items = lines.iter().skip(line + 1).take_while(|own| matches!(own.form, Form::Item { .. })).count();
            let own = tasks(&|own| (line + 1..=line + items).contains(&parts[own.part].line));
            if !own.is_empty() {
                return Target::Tasks(own);
            }
            return one(behind());
        }
        // "All of it has to be done by six", "both before lunch".
        let subject = at > 0 && parts[at - 1].line == *line && structure::speaks_of_all(&parts[at - 1].clause);
        let all = subject || clause.words.iter().any(|word| low_is(&word.low, &["all", "everything", "both"]));
        match piece.of {
            _ if subject => {
                let own = tasks(&|own| own.part < at);
                Target::Tasks(if own.is_empty() { tasks(&|_| true) } else { own })
            }
            Of::Before | Of::Day if all && piece.says != Says::Length => {
                let own = tasks(&|own| own.part < at && parts[own.part].line == *line);
                let own = if own.len() > 1 { own } else { tasks(&|own| own.part < at) };
                if own.is_empty() { Target::Day } else { Target::Tasks(own) }
            }
            Of::Before => one(before()),
            Of::Behind => one(behind().or_else(before)),
            Of::Day if is_timed(clause) => Target::Day,
            Of::Day => one(before().filter(|own| parts[named[*own].part].line == *line).or_else(behind)),
        }
    }

    /// Puts down what a piece tells of what is named.
    pub(super) fn tells(&mut self, lines: &[Line<'a>], parts: &[Part<'_>], at: usize, named: &mut [Named]) {
        let Part { line, piece, clause } = &parts[at];
        let line = &lines[*line];
        let timed_heading = piece.says == Says::Heading && clause.text.trim_end().ends_with(':') && is_timed(clause);
        let says = if timed_heading { Says::From } else { piece.says };
        let is_named = named.binary_search_by_key(&at, |own| own.part).is_ok_and(|own| named[own].what != What::Others);
        if !piece.binds() && structure::musts_all(clause) {
            steadfast_steps::spend(named.len());
            let task = |own: &Named| if let What::Task(task) = own.what { Some(task) } else { None };
            let before = named.iter().filter(|own| own.part < at).filter_map(task).collect::<Vec<_>>();
            let all = if before.is_empty() { named.iter().filter_map(task).collect() } else { before };
            all.into_iter().take(TOLD_TASKS_MAX).for_each(|task| self.mark(line, clause, task));
            return;
        }
        if is_named || !says.tells() && says != Says::Total {
            return;
        }
        steadfast_steps::spend(named.len());
        if says == Says::Length && self.lets_wait(line, parts, at, named) {
            return;
        }
        if says == Says::Total {
            let minutes: i64 = clause.when.lengths.iter().filter_map(|it| it.max.or(it.min)).sum();
            if minutes > 0 {
                let rule = Rule::Total { unit: Unit::Minutes, tasks: Vec::new(), min: None, max: Some(minutes) };
                self.state(spot(line, clause), rule, false);
            }
            return;
        }
        match Self::target(lines, parts, at, named) {
            Target::Tasks(tasks) => {
                for task in tasks.into_iter().take(TOLD_TASKS_MAX) {
                    steadfast_steps::spend(named.len());
                    self.tells_of(line, says, parts, at, task, named);
                }
            }
            Target::Event(event) if says == Says::Length && self.is_on_the_way(line, clause, &named[event]) => {}
            Target::Event(event) => self.tells_of_event(says, clause, &mut named[event]),
            Target::Day => {
                if let Some(rule) = self.limit_of((says, piece.sure >= SURE), clause, None) {
                    self.state(spot(line, clause), rule, clause.has(Cue::Wish));
                }
            }
        }
    }

    /// "Must rest 1 hour, then bake": what comes next waits for what goes on by itself.
    fn lets_wait(&mut self, line: &Line<'a>, parts: &[Part<'_>], at: usize, named: &[Named]) -> bool {
        let resting = at > 0 && structure::rests(&parts[at - 1], parts[at].line);
        let Some(gap) = structure::waits_minutes(&parts[at].clause, resting) else { return false };
        let task = |own: &Named| match own.what {
            What::Task(task) => Some((task, own.part)),
            _ => None,
        };
        let first = named.iter().rev().filter(|own| own.part < at).find_map(task);
        let then = named.iter().filter(|own| own.part > at).find_map(task);
        let near = |part: usize| {
            parts[part].line == parts[at].line || parts[part].line == parts[at].line + 1 && parts[part].clause.then
        };
        match (first, then) {
            (Some((first, _)), Some((then, part))) if first != then && near(part) => {
                self.state(spot(line, &parts[at].clause), Rule::Order { first, then, gap }, false).is_some()
            }
            _ => false,
        }
    }

    /// "Site meeting 2-3, 40 min drive each way".
    fn is_on_the_way(&mut self, line: &Line<'a>, clause: &Clause<'_>, event: &Named) -> bool {
        let What::Event(at) = event.what else { return false };
        let mut own = clause.clone();
        own.when.ways = ways_of_piece(clause);
        // "Be there 15 min before".
        let ahead = clause.words.iter().any(|word| low_is(&word.low, &["before", "early", "earlier", "beforehand"]));
        let length =
            clause.when.lengths.first().and_then(|it| it.max.or(it.min)).filter(|own| ahead && (1..=180).contains(own));
        if let (true, Some(minutes)) = (own.when.ways.is_empty(), structure::way_minutes(clause).or(length)) {
            own.when.ways.push(Way { minutes, back: false, span: 0..clause.text.len() });
        }
        let name = self.event_name(at).filter(|_| !own.when.ways.is_empty());
        name.is_some_and(|name| {
            self.on_the_way(line, &own, at, &name);
            true
        })
    }

    /// "…, 20 min", "…, until 2": when an event is over.
    pub(super) fn tells_of_event(&mut self, says: Says, clause: &Clause<'_>, event: &mut Named) {
        let What::Event(at) = event.what else { return };
        if event.ends {
            return;
        }
        let length =
            clause.when.lengths.iter().find_map(|it| it.max.or(it.min)).filter(|own| (1..24 * 60).contains(own));
        let until = own_times(clause).iter().find_map(|it| it.starts()).map(|all| *all.first());
        let Some(Rule::FixedEvent { when, .. }) = self.notes.constraints.get_mut(at).map(|own| &mut own.rule) else {
            return;
        };
        when.change(|it| match (says, length, until) {
            (Says::Length, Some(minutes), _) => it.end = minutes_after(it.start, minutes),
            (Says::By | Says::Only | Says::Length, None, Some(until)) if it.start < until => it.end = until,
            _ => {}
        });
        event.when = when.first().clone();
    }

    fn tells_of(&mut self, line: &Line<'a>, says: Says, parts: &[Part<'_>], at: usize, task: usize, named: &[Named]) {
        let clause = &parts[at].clause;
        if clause.has(Cue::Must) {
            self.mark(line, clause, task);
        }
        match says {
            // Two lengths of one task: what the second is of is asked.
            Says::Length if self.lasts_otherwise(clause, task) => {}
            Says::Length => self.lengths(line, clause, task),
            Says::Wish | Says::Condition
                if clause.has(Cue::Urgent) || clause.has(Cue::High) || clause.has(Cue::Must) =>
            {
                self.mark(line, clause, task);
                self.set_apart(line, (clause, 1.0), Aside::Chatter);
            }
            Says::Wish | Says::Condition if !is_timed(clause) => {
                if let Some(own) = self.notes.tasks.get_mut(task) {
                    own.priority = Priority::Optional;
                }
                self.set_apart(line, (clause, 1.0), Aside::Chatter);
            }
            _ => {
                // How long it takes may stand beside it.
                if !clause.when.lengths.is_empty() {
                    self.lengths(line, clause, task);
                }
                let wish =
                    matches!(says, Says::Wish | Says::Condition) || clause.has(Cue::Wish) || clause.has(Cue::Optional);
                let limits = match says {
                    Says::Wish | Says::Condition | Says::Order => {
                        match own_times(clause).first().and_then(|it| it.limit) {
                            Some(Limit::After | Limit::From) => Says::From,
                            Some(_) => Says::By,
                            None => Says::Only,
                        }
                    }
                    says => says,
                };
                // "Before lunch", where the notes say when lunch is.
                let digits = |it: &&Stretch| {
                    clause
                        .text
                        .get(it.span.clone())
                        .is_some_and(|shown| shown.bytes().any(|byte| byte.is_ascii_digit()))
                };
                let stems = intent(clause.text);
                let meal = own_times(clause).iter().all(|it| !digits(it)).then(|| {
                    named.iter().find(|own| {
                        matches!(own.what, What::Event(_)) && own.stems.iter().any(|stem| stems.contains(stem))
                    })
                });
                let meal = meal
                    .flatten()
                    .filter(|_| is_timed(clause))
                    .and_then(|own| self.beside(own, Side::of(says, clause), task));
                let rule = meal
                    .or_else(|| self.limit_of((limits, parts[at].piece.sure >= SURE), clause, Some(task)))
                    .or_else(|| self.refers(says, clause, at, task, named));
                // "Before noon, she is away after": what cannot both hold is asked.
                let rule = rule.filter(|rule| !self.rules_out(rule));
                rule.and_then(|rule| self.state(spot(line, clause), rule, wish));
            }
        }
    }

    /// Whether a limit of a task leaves no time beside one that a piece told of before; else it is remembered.
    fn rules_out(&mut self, rule: &Rule) -> bool {
        let (task, from, by) = match rule {
            Rule::NotBefore { task: Some(task), from } => (*task, Some(*from.first()), None),
            Rule::Deadline { task: Some(task), by } => (*task, None, Some(*by.first())),
            _ => return false,
        };
        let told = self.told_limits.entry(task).or_default();
        let (from, by) = (from.or(told.0), by.or(told.1));
        let rules_out = matches!((from, by), (Some(from), Some(by)) if by <= from);
        if !rules_out {
            *told = (from, by);
        }
        rules_out
    }

    /// Whether it was said before that a task takes another time than a piece of nothing but a length says.
    fn lasts_otherwise(&self, clause: &Clause<'_>, task: usize) -> bool {
        let Some(length) = clause.when.lengths.first().map(|it| it.max.or(it.min)) else { return false };
        steadfast_steps::spend(self.notes.constraints.len() / LOOKED_AT);
        let known = self.notes.constraints.iter().find_map(|own| match own.rule {
            Rule::Duration { task: of, minutes_min, minutes_max } if of == task && own.hard => {
                Some(minutes_max.or(minutes_min))
            }
            _ => None,
        });
        known.is_some_and(|known| known != length)
    }

    /// "Before that", "straight after", "once the cake is in": where a task stands to something that is named.
    fn refers(&self, says: Says, clause: &Clause<'_>, at: usize, task: usize, named: &[Named]) -> Option<Rule> {
        let side = Side::of(says, clause);
        let word = |among: &[&str]| clause.words.iter().any(|word| low_is(&word.low, among));
        if word(&["between", "gap", "gaps"])
            && let Some(rule) = Self::between(at, task, named)
        {
            return Some(rule);
        }
        let others = || named.iter().filter(|own| own.what != What::Task(task) && own.part != at);
        // "On the way home", "after work", "before I go": what takes longest.
        let main = || {
            let own = others().filter(|own| matches!(own.what, What::Event(_)));
            own.max_by_key(|own| own.when.iter().map(|it| it.minutes()).sum::<i64>())
        };
        let going = |word: &Word| low_is(&word.low, &["work", "wk", "shift", "leave", "go", "home"]);
        let bare = |word: &Word| {
            POINTING.contains(&word.low) || going(word) || low_is(&word.low, &["on", "my", "way", "get", "out", "from"])
        };
        let leaves =
            clause.words.windows(2).any(|two| two[0].low == "i" && low_is(&two[1].low, &["leave", "go", "head"]));
        if word(&["work", "wk", "shift", "leave", "go", "home"]) && (leaves || clause.words.iter().all(bare)) {
            // "Out of the house by 8:45", "work 9 to 6": what says when one leaves, or works.
            let of = |stems: &[&str]| {
                let mut own = others().filter(|own| !own.when.is_empty());
                own.rfind(|own| own.stems.iter().any(|stem| stems.contains(&stem.as_str())))
            };
            let said = if side == Side::Before && (leaves || word(&["leave", "go"])) {
                of(&["leav", "hous", "door", "head"])
            } else if word(&["work", "wk", "shift"]) {
                of(&["work", "shift", "offic"])
            } else {
                None
            };
            return said.or_else(main).and_then(|own| self.beside(own, side, task));
        }
        let stems = intent(clause.text);
        let shared = |own: &Named| own.stems.iter().filter(|stem| stems.contains(stem)).count();
        let best = others().filter(|own| shared(own) > 0).max_by_key(|own| {
            (
                shared(own),
                !own.when.is_empty() || matches!(own.what, What::Task(_)),
                std::cmp::Reverse(own.part.abs_diff(at)),
            )
        });
        if let Some(own) = best {
            // "Needs eggs from the big shop".
            let side = if word(&["needs", "need"]) { Side::After } else { side };
            return self.beside(own, side, task);
        }
        let then = clause.words.windows(2).any(|two| {
            low_is(&two[0].low, &["by", "before", "until", "till", "til"]) && low_is(&two[1].low, &["then", "that"])
        });
        let points = then || clause.words.iter().all(|word| POINTING.contains(&word.low));
        let last = named.iter().rev().filter(|own| own.part < at && own.what != What::Task(task)).find(|own| {
            !own.when.is_empty() || matches!(own.what, What::Task(_)) && matches!(side, Side::Before | Side::After)
        });
        last.filter(|_| points).and_then(|own| self.beside(own, side, task))
    }

    /// The rule by which a task stands on a side of something.
    pub(super) fn beside(&self, own: &Named, side: Side, task: usize) -> Option<Rule> {
        if let What::Task(other) = own.what {
            return match side {
                _ if other == task => None,
                Side::Before => Some(Rule::Order { first: task, then: other, gap: 0 }),
                Side::After => Some(Rule::Order { first: other, then: task, gap: 0 }),
                _ => None,
            };
        }
        let when = Readings::unique(own.when.clone());
        Some(match side {
            Side::Before => Rule::Deadline { task: Some(task), by: Readings::unique(own.when.first()?.start) },
            Side::After => Rule::NotBefore { task: Some(task), from: Readings::unique(own.when.last()?.end) },
            _ if own.when.iter().all(|it| it.start < it.end) && !own.when.is_empty() => {
                Rule::TaskTimes { tasks: vec![task], when, only: side == Side::During }
            }
            _ => return None,
        })
    }

    /// Between the two stretches that were named last.
    fn between(at: usize, task: usize, named: &[Named]) -> Option<Rule> {
        let mut last: Vec<Interval> = named
            .iter()
            .rev()
            .filter(|own| own.part < at)
            .flat_map(|own| own.when.iter().rev().copied())
            .take(2)
            .collect();
        last.sort_by_key(|own| own.start);
        let [first, second] = last[..] else { return None };
        let open = Interval::new(first.end, second.start);
        (open.start < open.end).then(|| Rule::TaskTimes {
            tasks: vec![task],
            when: Readings::unique(vec![open]),
            only: true,
        })
    }

    /// The limit that the times of a clause are, for a task or for the day.
    fn limit_of(&self, (says, sure): (Says, bool), clause: &Clause<'_>, task: Option<usize>) -> Option<Rule> {
        let zone = self.notes.now.time_zone();
        let times = own_times(clause);
        let stretch = *times.iter().find(|it| it.limit.is_some()).or(times.first())?;
        let point = stretch.shape == Shape::Point;
        let word = |among: &[&str]| clause.words.iter().any(|word| low_is(&word.low, among));
        // "Opens at 10, closes at 4", "in at 9, out at 5".
        let leaves = |until: &Stretch| {
            let before = clause.words.iter().filter(|own| own.range.end <= until.span.start && !clause.is_timed(own));
            before
                .rev()
                .take(2)
                .any(|own| low_is(&own.low, &["out", "off", "finish", "done", "home", "leave", "close", "closes"]))
        };
        if let [first, second] = times[..]
            && first.shape == Shape::Point
            && second.shape == Shape::Point
            && !matches!(first.limit, Some(Limit::By | Limit::Before | Limit::Until))
            && (says == Says::Only || matches!(says, Says::By | Says::From) && leaves(second))
        {
            let window = |from: &Timestamp| {
                let until = second.starts()?.iter().copied().find(|until| from < until)?;
                Some(vec![Interval::new(*from, until)])
            };
            let when = Readings::of(first.starts()?.iter().filter_map(window).collect())?;
            return Some(within(task, when, true));
        }
        // "Not before 10", "isn't in until 5", "nothing after 6": what is denied turns its limit around.
        let denies = |low: &str| {
            low_is(low, &["not", "never", "no", "cant", "cannot", "nothing", "nobody"]) || low.ends_with("n't")
        };
        let denied = clause.words.iter().any(|word| word.range.start < stretch.span.start && denies(&word.low));
        let says = match (says, stretch.limit, denied) {
            (Says::By | Says::From | Says::Not, Some(Limit::Before | Limit::Until), true) => Says::From,
            (Says::Not, Some(Limit::Before | Limit::Until | Limit::By), false) if point => Says::From,
            (Says::By | Says::From, Some(Limit::After), true) => Says::By,
            (Says::By | Says::From, Some(Limit::Before | Limit::By), false) if !sure => Says::By,
            (Says::By | Says::From, Some(Limit::After | Limit::From), false) if !sure => Says::From,
            // "The office is there from 8".
            (Says::By, Some(Limit::From), false)
                if !word(&["away", "off", "out", "gone", "closed", "busy", "stops", "leaves"]) =>
            {
                Says::From
            }
            (Says::Not, Some(Limit::After | Limit::From), _) if point => Says::By,
            (Says::Only, Some(Limit::By | Limit::Before | Limit::Until), false) if point => Says::By,
            (Says::Only, Some(Limit::After | Limit::From), false) if point => Says::From,
            // "He sends at 2", "she said around 1": what is waited for is there then.
            (Says::By | Says::Only, None, false)
                if point && word(&ARRIVING) && !word(&["before", "b4", "until", "till", "by"]) =>
            {
                Says::From
            }
            // "Library 9:30-12:30".
            (Says::By | Says::From, None, false)
                if stretch.shape == Shape::Range
                    && task.is_some()
                    && !word(&["before", "b4", "by", "due", "until", "till", "after", "once"]) =>
            {
                Says::Only
            }
            // "I knock off at 5".
            (Says::From | Says::Only, None, _)
                if point && task.is_none() && word(&["knock", "finish", "finished", "done", "stop", "leave"]) =>
            {
                Says::By
            }
            (Says::Only, None, _) if point && word(&["close", "closes", "shut", "shuts", "ends", "til", "till"]) => {
                Says::By
            }
            (Says::Only, None, _) if point && word(&["open", "opens", "starts", "from"]) => Says::From,
            (says, ..) => says,
        };
        Some(match says {
            Says::By => {
                let end = !point && stretch.limit != Some(Limit::Before);
                Rule::Deadline { task, by: if end { stretch.ends() } else { stretch.starts() }? }
            }
            Says::From => {
                let end = !point && stretch.limit == Some(Limit::After);
                Rule::NotBefore { task, from: if end { stretch.ends() } else { stretch.starts() }? }
            }
            // "In at 7", "in bed at 11:30".
            Says::Only if point && task.is_none() && word(&["start", "starts", "arrive", "here"]) => {
                Rule::NotBefore { task, from: stretch.starts()? }
            }
            Says::Only if point && task.is_none() => Rule::Deadline { task, by: stretch.starts()? },
            Says::Only | Says::Not if point => return None,
            Says::Only => within(task, stretch.times(zone)?, true),
            Says::Not => within(task, stretch.times(zone)?, false),
            _ => return None,
        })
    }
}

/// Within times, or outside of them.
fn within(task: Option<usize>, when: Readings<Times>, only: bool) -> Rule {
    match (task, only) {
        (Some(task), only) => Rule::TaskTimes { tasks: vec![task], when, only },
        (None, true) => Rule::Availability { who: None, when },
        (None, false) => Rule::Blocked { name: None, who: None, when },
    }
}
