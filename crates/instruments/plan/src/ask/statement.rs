//! What a clause states, by its phrases, who it speaks of and its times.

use std::ops::Range;

use steadfast_time::Limit;

use super::clauses::Clause;
use super::cues::Cue;
use super::lines::{Form, Line};
use super::manner::{
    NOUN_ITEM_WORDS_MAX, is_denied, is_in_order, is_of_the_answer, is_small, says_something, side_of, states,
    tells_of_hours, tells_of_the_past,
};
use super::other_days::{begins_day, is_among_commas, is_any_time, is_left_to};
use super::people::run;
use super::references::referred;
use super::when::{Shape, Stretch};
use super::{Last, Reader, Spot, is_listed};
use crate::list::List;
use crate::model::{Rule, intent};

/// Of whom a clause speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The one who plans, or nobody in particular.
    Own,
    /// Somebody else.
    Person(String),
}

impl Who {
    pub(super) fn name(&self) -> Option<String> {
        match self {
            Self::Own => None,
            Self::Person(name) => Some(name.clone()),
        }
    }
}

/// Words beside what says how much a task matters.
const BESIDE_MARK: List = List("beside-mark");

/// Words of clauses that say nothing.
const IDLE: List = List("idle");

impl<'a> Reader<'a> {
    /// Reads one clause.
    pub(super) fn clause(&mut self, line: &Line<'a>, clause: &Clause<'_>) {
        // "10am here / 4pm CET – call with Munich": the time stands before what it is the time of.
        if !self.pending.is_empty() && clause.when.stretches.is_empty() && !clause.is_bare() {
            let mut own = clause.clone();
            own.when.stretches = std::mem::take(&mut self.pending);
            for stretch in &mut own.when.stretches {
                stretch.span = 0..0;
            }
            self.stated(line, &own);
        } else {
            self.stated(line, clause);
        }
        self.remember_time(clause);
    }

    /// Remembers the time that a clause names last: "by then".
    pub(super) fn remember_time(&mut self, clause: &Clause<'_>) {
        let moment = clause.when.stretches.iter().rev().find(|it| !it.past && it.shape != Shape::Days);
        if let Some(at) = moment.and_then(Stretch::starts) {
            self.last_time = Some(at);
        }
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

    fn stated(&mut self, line: &Line<'a>, clause: &Clause<'_>) {
        for what in &clause.when.assumptions {
            self.assume(what.clone());
        }
        // "gym? 45m": an item of a list that may be done.
        let perhaps = line.form != Form::Prose && clause.at == 0 && super::manner::names_a_thing_with(clause, '?');
        if perhaps && self.task(line, clause, &[]).is_some() {
            return;
        }
        if clause.text.trim_end().ends_with('?') && clause.verb().is_none() {
            self.ask(format!("the notes ask \"{}\"", clause.text.trim()));
            return;
        }
        for what in &clause.when.questions {
            self.ask(what.clone());
        }
        let of_task = line.form != Form::Prose && self.line_task.is_some();
        if is_of_the_answer(clause) || (!of_task && self.journey(line, clause)) {
            return;
        }
        if clause.has(Cue::Most) && !clause.has(Cue::AtMost) {
            self.state(spot(line, clause), Rule::Objective { tasks: Vec::new() }, false);
            return;
        }
        if self.lasts(clause) {
            return;
        }
        if self.corrects(line, clause)
            || (begins_day(clause) && self.own_hours(line, clause, &Who::Own, false))
            || (clause.is_bare() && self.goes_on(line, clause))
            || self.marks(line, clause)
            || self.waits_for(line, clause)
            || self.continues(line, clause)
            || self.takes(line, clause)
        {
            return;
        }
        if tells_of_the_past(clause) {
            let timed = clause.when.stretches.iter().any(|it| it.shape != Shape::Days);
            self.told = timed.then(|| self.name_of(clause, &[])).filter(|name| !intent(name).is_empty());
            return;
        }
        if self.waits_for_another_day(line, clause) {
            return;
        }
        let who = self.who(clause);
        let wish = clause.has(Cue::Wish);
        self.bare_days.clear();
        self.bare_hours = None;
        if self.others_hours(line, clause)
            || self.own_hours(line, clause, &who, wish)
            || self.leaves_for(line, clause, &who)
            || self.available(line, clause, &who, wish)
            || self.kept_free(line, clause, wish)
            || self.only_then(line, clause, wish)
            || self.busy(line, clause, &who, wish)
            || self.forbidden(line, clause, &who, wish)
            || self.ends(line, clause, &who, wish)
        {
            return;
        }
        self.last = None;
        if self.is_told(line, clause) {
            return;
        }
        if self.everything(line, clause)
            || self.says(line, clause)
            || self.only(line, clause)
            || self.event(line, clause, wish)
            || self.wished(line, clause, wish)
        {
            return;
        }
        self.work(line, clause, wish);
    }

    /// A person named before the phrase that says something of them, or meant by a pronoun at the head.
    fn who(&mut self, clause: &Clause<'_>) -> Who {
        let says = |cue: Cue| {
            matches!(
                cue,
                Cue::Busy
                    | Cue::Free
                    | Cue::Not
                    | Cue::Wish
                    | Cue::Gone
                    | Cue::Present
                    | Cue::Leave
                    | Cue::Begin
                    | Cue::Need
            )
        };
        let until =
            clause.hits.iter().find(|hit| says(hit.cue) && !clause.in_time(hit)).map_or(0, |hit| hit.words.start);
        let mut found = Who::Own;
        let mut at = 0;
        while at < until.min(clause.words.len()) {
            let run = run(&clause.words, at);
            if let Some(person) = self.people.person(clause.text, &clause.words, &run) {
                found = Who::Person(person);
            }
            at = run.end.max(at + 1);
        }
        let head =
            clause.words.iter().find(|word| !matches!(word.low.as_str(), "and" | "but" | "so" | "also" | "then"));
        if found == Who::Own
            && head.is_some_and(|word| {
                matches!(
                    word.low.as_str(),
                    "he" | "she" | "they" | "his" | "her" | "their" | "he's" | "she's" | "they're"
                )
            })
            && let Some(person) = &self.person
        {
            found = Who::Person(person.clone());
        }
        if let Who::Person(person) = &found {
            self.person = Some(person.clone());
        }
        found
    }

    /// A time alone goes on with what the clause before it stated; a length alone belongs to the task of the line.
    fn goes_on(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        if clause.when.stretches.is_empty() {
            if let (Some(task), false) = (self.line_task, clause.when.lengths.is_empty()) {
                self.lengths(line, clause, task);
            }
            return true;
        }
        if clause.when.stretches.iter().all(|it| it.shape == Shape::Range && it.limit.is_none())
            && self.hours_of_line(line, clause)
        {
            return true;
        }
        let last = self.last.clone().filter(|_| self.line_task.is_none());
        match last {
            Some(Last::Blocked { who, wish }) => {
                self.limit_days(clause);
                self.block(line, clause, None, who, wish);
                true
            }
            Some(Last::Available { who, wish }) => {
                self.open(line, clause, who, wish);
                true
            }
            None if self.line_task.is_none() && self.line_event.is_none() => {
                if self.pending.is_empty() {
                    self.pending = clause.when.stretches.clone();
                }
                true
            }
            None => false,
        }
    }

    /// "Must do today", "urgent": what is said of the task before it.
    fn marks(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let Some(task) = self.line_task else { return false };
        let marks = [Cue::Must, Cue::Today, Cue::Urgent, Cue::High, Cue::Low, Cue::Optional, Cue::OneGo, Cue::Need];
        let marked = |at: usize| clause.hits.iter().any(|hit| marks.contains(&hit.cue) && hit.words.contains(&at));
        let small = |low: &str| BESIDE_MARK.contains(low);
        let only = clause.words.iter().enumerate().all(|(at, word)| {
            marked(at)
                || small(&word.low)
                || (clause.is_timed(word) && clause.when.stretches.iter().all(|it| it.shape == Shape::Days))
        });
        if !only {
            return false;
        }
        self.mark(line, clause, task);
        // "Must do today, ~20 min".
        self.lengths(line, clause, task);
        true
    }

    /// Whether a clause tells how things are or were, so that nothing is to be done.
    fn is_told(&self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let boxed = matches!(line.form, Form::Item { boxed: true });
        let past = !clause.when.stretches.is_empty() && clause.when.stretches.iter().all(|it| it.past);
        let state = states(clause);
        (state && !boxed && !line.todo) || (past && !clause.when.stretches.iter().any(|it| it.today))
    }

    /// Something at its time: "standup 9:30", "lunch with Ana 12–1".
    fn event(&mut self, line: &Line<'a>, clause: &Clause<'_>, wish: bool) -> bool {
        let at_its_time = clause.when.stretches.iter().any(|it| {
            it.limit.is_none()
                && !it.past
                && side_of(clause, it).is_none()
                && (matches!(it.shape, Shape::Point | Shape::Range)
                    || (it.shape == Shape::Part && clause.has(Cue::Event)))
        });
        if !at_its_time || wish || (tells_of_hours(clause) && clause.verb().is_none()) {
            return at_its_time && !wish && tells_of_hours(clause) && clause.verb().is_none();
        }
        if clause.has(Cue::Due) || clause.has(Cue::Arrange) {
            return false;
        }
        if self.is_done_by_others(line, clause) {
            return true;
        }
        let cut: Vec<Range<usize>> = referred(clause).into_iter().map(|(_, span, _)| span).collect();
        let mut name = self.name_of(clause, &cut);
        if intent(&name).is_empty() {
            name = clause.text.trim().to_owned();
        }
        // On another day it takes none of today's time.
        let own =
            clause.when.stretches.iter().any(|it| it.limit.is_none() && it.shape != Shape::Days && self.is_of_plan(it));
        if own {
            let before = self.notes.constraints.len();
            self.take_place(line, clause, &name);
            self.on_the_way(line, clause, before, &name);
        }
        true
    }

    /// Whether a time lies today, or on a day for which the notes state hours.
    fn is_of_plan(&self, it: &Stretch) -> bool {
        it.today
            || self.notes.constraints.iter().rev().take(AVAILABILITIES_MAX).any(|constraint| {
                let Rule::Availability { when, .. } = &constraint.rule else { return false };
                when.iter()
                    .flatten()
                    .any(|open| it.readings.iter().flatten().any(|own| own.start < open.end && open.start <= own.end))
            })
    }

    /// "Ideally mornings", "I'd prefer after lunch": a wish for all of the day.
    fn wished(&mut self, line: &Line<'a>, clause: &Clause<'_>, wish: bool) -> bool {
        let timed = clause.when.stretches.iter().any(|it| !it.past);
        let names = clause.verb().is_some()
            || self.name_of(clause, &[]).split_whitespace().any(|word| !is_small(&word.to_lowercase()));
        if !wish || !timed || names {
            return false;
        }
        if let Some(task) = self.line_task {
            for stretch in clause.when.stretches.iter().filter(|it| !it.past) {
                self.bound(line, clause, task, stretch, true);
            }
            return true;
        }
        self.open(line, clause, None, true);
        self.last = Some(Last::Available { who: None, wish: true });
        true
    }

    /// Something to do, and what is said of when.
    fn work(&mut self, line: &Line<'a>, clause: &Clause<'_>, wish: bool) {
        let verb = clause.verb().is_some();
        let needed = (clause.has(Cue::Need) || clause.has(Cue::Due) || clause.has(Cue::Must)) && !is_denied(clause);
        // "I need to eat", "have to be home": nothing to plan.
        let idle = clause.hits.iter().any(|hit| {
            matches!(hit.cue, Cue::Need | Cue::Must)
                && clause.words.get(hit.words.end).is_some_and(|next| {
                    matches!(
                        next.low.as_str(),
                        "eat" | "sleep" | "rest" | "know" | "see" | "breathe" | "calm" | "relax"
                    ) || (next.low == "be"
                        && hit.words.start <= 2
                        && clause.words.first().is_some_and(|word| matches!(word.low.as_str(), "i" | "we")))
                })
        });
        let needed = needed && !idle;
        let boxed = matches!(line.form, Form::Item { boxed: true });
        let listed = is_listed(line.form)
            && !states(clause)
            && (line.todo
                || clause
                    .when
                    .lengths
                    .iter()
                    .any(|it| it.min.max(it.max).is_some_and(|minutes| minutes < DAY_MINUTES))
                || clause.has(Cue::Urgent)
                || clause.has(Cue::Optional)
                || self.is_noun_item(line, clause));
        let listed = listed || (is_in_order(clause) && !states(clause) && clause.when.stretches.is_empty());
        // "Lecture slides for week 6, about two hours.": a thing and how long it takes.
        let lasting =
            (!clause.when.lengths.is_empty() || clause.has(Cue::Optional) || super::tasks::is_conditional(clause))
                && clause.when.stretches.iter().all(|it| it.limit.is_some() || side_of(clause, it).is_some())
                && !states(clause)
                && !says_something(clause)
                && clause.words.len() <= NOUN_ITEM_WORDS_MAX;
        let listed = listed || lasting || is_left_to(clause) || is_among_commas(line, clause) || is_any_time(clause);
        // "A walk would be nice."
        let named =
            clause.words.first().is_some_and(|word| matches!(word.low.as_str(), "a" | "an" | "some" | "the" | "my"));
        let nice = clause.has(Cue::Optional) && clause.text.to_lowercase().contains("would be");
        let listed = listed || (nice && (named || !clause.when.lengths.is_empty()));
        let asks = clause.text.trim_end().ends_with('?');
        if !boxed
            && !self.says_itself(clause)
            && super::roles::is_said_of(
                line,
                clause,
                (self.line_task.is_some() && !verb, self.line_event.is_some() && !needed),
            )
        {
            return;
        }
        if self.is_of_others(clause)
            || (!verb && !needed && !boxed && !is_among_commas(line, clause) && self.is_remark(line, clause))
        {
            return;
        }
        if !(verb || needed || boxed || line.todo || listed) || line.parked || (asks && !verb) {
            return;
        }
        // What is to be done on another day is none of today's; "slides for Thursday" are made before it.
        let is_for = |it: &Stretch| {
            let before = clause.words.partition_point(|word| word.range.end <= it.span.start);
            let before = clause.words.get(..before).unwrap_or_default();
            let about = |word: &super::words::Word| {
                matches!(
                    word.low.as_str(),
                    "for" | "about" | "re" | "regarding" | "of" | "concerning" | "if" | "whether"
                )
            };
            // "Ask Walter for a lift on Sunday": what is asked for is for that day.
            let asks = before.iter().any(|word| ASKING.contains(&word.low.as_str()));
            before.last().is_some_and(about) || (asks && before.iter().any(about))
        };
        let elsewhere =
            clause.when.stretches.iter().any(|it| it.limit.is_none() && !it.today && !it.past && !is_for(it));
        if elsewhere && !clause.has(Cue::Arrange) {
            self.assume(format!("\"{}\" is for another day", clause.text.trim()));
            return;
        }
        // "Plan nothing" is nothing to do.
        let idle = clause.verb().and_then(|at| clause.words.get(at + 1)).is_some_and(|word| word.low == "nothing");
        if idle || self.is_same_meeting(clause) {
            return;
        }
        if !verb
            && (needed || clause.has(Cue::Must))
            && let Some(task) = self.known_task(clause)
        {
            self.line_task = Some(task);
            self.about(line, clause, task, true);
            return;
        }
        let before = self.line_task;
        let cut: Vec<Range<usize>> = referred(clause).into_iter().map(|(_, span, _)| span).collect();
        let Some(task) = self.task(line, clause, &cut) else { return };
        self.arranged |= clause.has(Cue::Arrange);
        if clause.then
            && let Some(first) = before
        {
            self.state(spot(line, clause), Rule::Order { first, then: task, gap: 0 }, wish);
        } else if clause.then {
            self.behind_event(line, clause, task);
        }
        self.relations(line, clause, task, before, wish);
    }

    /// "Find a time that works", "they would like to meet as early as they can": said of the meeting that is arranged already.
    fn is_same_meeting(&self, clause: &Clause<'_>) -> bool {
        let arranges =
            clause.has(Cue::Arrange) || clause.words.iter().any(|word| matches!(word.low.as_str(), "meet" | "meeting"));
        self.arranged
            && arranges
            && clause.when.lengths.is_empty()
            && self.people.among(clause.text, &clause.words).is_empty()
    }

    /// What a time beside a task makes of it: by when it is due, or when it may begin.
    pub(super) fn bound(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize, stretch: &Stretch, wish: bool) {
        let point = stretch.shape == Shape::Point;
        let due = clause.has(Cue::Due);
        let task = Some(task);
        let limit = stretch.limit.or(if due { Some(Limit::By) } else { side_of(clause, stretch) });
        let rule = match limit {
            Some(Limit::By | Limit::Until) => stretch.ends().map(|by| Rule::Deadline { task, by }),
            Some(Limit::Before) => stretch.starts().map(|by| Rule::Deadline { task, by }),
            Some(Limit::After) => {
                let from = if point { stretch.starts() } else { stretch.ends() };
                from.map(|from| Rule::NotBefore { task, from })
            }
            Some(Limit::From) => stretch.starts().map(|from| Rule::NotBefore { task, from }),
            None if matches!(stretch.shape, Shape::Part | Shape::Range) => {
                if let Some(from) = stretch.starts() {
                    self.state(spot(line, clause), Rule::NotBefore { task, from }, wish);
                }
                stretch.ends().map(|by| Rule::Deadline { task, by })
            }
            None => None,
        };
        if let Some(rule) = rule {
            self.state(spot(line, clause), rule, wish);
        }
    }

    /// "…, quick one", "(same-day cutoff)", "– 3 pages": words beside what the line states already.
    fn is_remark(&self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let before = line.text.get(..clause.at).unwrap_or_default().trim_end();
        let opens = clause.text.trim_start().starts_with('(');
        let beside = opens || before.ends_with([',', '(', '-', '\u{2013}', '\u{2014}']);
        (self.line_task.is_some() || self.line_event.is_some())
            && beside
            && !line.todo
            && !clause.then
            && clause.when.lengths.is_empty()
            && !clause.has(Cue::Optional)
    }

    /// "Groceries", "tax return": an item that names a thing and says nothing of it.
    fn is_noun_item(&self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let item = matches!(line.form, Form::Item { .. } | Form::Fragment);
        let for_it =
            |it: &Stretch| clause.text.get(..it.span.start).is_some_and(|head| head.trim_end().ends_with("for"));
        let parted =
            clause.when.stretches.iter().any(|it| it.shape == Shape::Part && it.limit.is_none() && !for_it(it));
        let says = says_something(clause);
        let long = clause.words.len() > NOUN_ITEM_WORDS_MAX;
        let dated = clause.when.stretches.iter().any(|it| !it.past && it.limit.is_some());
        let item = item && (matches!(line.form, Form::Item { .. }) || line.among);
        let idle = clause.words.iter().all(|word| IDLE.contains(&word.low));
        let told = clause.words.iter().any(|word| {
            matches!(
                word.low.as_str(),
                "didn't" | "don't" | "doesn't" | "isn't" | "never" | "already" | "wrote" | "dump"
            )
        });
        item && !idle && !told && !says && !long && !parted && (clause.words.len() <= 6 || dated)
    }
}

/// Verbs of asking and arranging, whose object may be of another day.
const ASKING: &[&str] = &[
    "ask", "email", "text", "msg", "message", "tell", "write", "remind", "book", "order", "reserve", "prepare", "buy",
    "pack", "check", "confirm", "arrange", "plan", "get", "renew", "reply", "answer", "set", "make", "print", "draft",
];

/// Minutes of a day: what takes as long is no item of a list.
const DAY_MINUTES: i64 = 24 * 60;

/// Constraints that are looked at for stated hours.
const AVAILABILITIES_MAX: usize = 200;

pub(super) fn spot<'l, 'a>(line: &'l Line<'a>, clause: &Clause<'_>) -> Spot<'l, 'a> {
    Spot { line, start: clause.at, end: clause.at + clause.text.len() }
}
