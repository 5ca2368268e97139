//! A reading composed of pieces: each piece of [`pieces`](super::pieces) names something, or tells something of what is named before it, behind
//! it, or of all the day. First everything is named, so that a piece can speak of what stands further down ("before the board call").

mod named;
mod structure;
mod telling;
mod times;

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::Timestamp;
use steadfast_time::{Anchor, Expression, Limit};

use self::named::{Named, Part, What, is_timed, low_is};
use self::telling::Side;
use self::times::{bare_length, bare_time, is_clock_by_h, own_times, to_come};
use super::Reader;
use super::clauses::Clause;
use super::cues::Cue;
use super::lines::Line;
use super::on_end::without;
use super::pieces::{Of, Says};
use super::references::referred;
use super::settle;
use super::statement::spot;
use super::tasks::is_conditional;
use super::when::{Clock, Shape, Stretch, day_end};
use super::words::{Word, words};
use crate::clash::SHIFT_MINUTES_MIN;
use crate::list::List;
use crate::model::{Priority, Readings, Rule, intent};
use crate::open::{Apart, Aside};
use crate::window::{Interval, minutes_after};

/// So many words say at most that something would be nice, and name nothing.
const WISH_WORDS_MAX: usize = 4;

/// From this probability on a piece is what the scorer takes it for.
const SURE_MIN: f64 = 0.45;

/// From this probability on a piece is nothing that a plan must heed.
const SURE_APART: f64 = 0.6;

/// The same, where a time or a length stands in it.
const SURE_TIMED: f64 = 0.9;

/// A task is done during an event where the event leaves so few minutes of the time that the task has.
const ROOM_MINUTES_MIN: i64 = 5;

/// Words that say of oneself that one is at work or about: "at the desk from 9.15", "I sit till 6.30".
const PRESENT: List = List("present");

/// Words that name one's hours, beside [`PRESENT`].
const HOURS: [&str; 12] =
    ["hrs", "hours", "shift", "wfh", "workshop", "shop", "day", "today", "normal", "usual", "rest", "half"];

/// Whether the word before a time says that an event is over then: "9.00 dentist, back 10.15".
fn ends_with(clause: &Clause<'_>, time: usize) -> bool {
    let before = clause.words.iter().rfind(|word| word.range.end <= time && word.low != "by" && word.low != "at");
    before.is_some_and(|word| ENDING.contains(&word.low) || low_is(&word.low, &["home", "finished"]))
}

/// Words that say that an event is over, or that one leaves.
const ENDING: List = List("event-end");

impl<'a> Reader<'a> {
    /// Reads all lines by their pieces.
    pub(super) fn compose(&mut self, lines: &[Line<'a>], found: &[Vec<Expression>]) {
        let now = self.notes.now.clone();
        let clock = Clock {
            now: &now,
            hours: None,
            counts_to_24: self.counts_to_24,
            waking: settle::waking(self.settings, now.time()),
        };
        let anchor = Anchor::new(now.clone());
        let mut parts: Vec<Part<'_>> = Vec::new();
        for (at, (line, found)) in lines.iter().zip(found).enumerate() {
            let on_end = self.on_end(line, found);
            let found = &without(found, on_end.as_ref())[..];
            for piece in super::pieces::pieces(line, found) {
                if on_end.as_ref().is_some_and(|own| own.contains(&piece.range.start)) {
                    continue;
                }
                let of_piece =
                    |it: &&Expression| piece.range.contains(&it.span.start) && !is_clock_by_h(line, &piece, it);
                let own = found.iter().filter(of_piece);
                let mut own: Vec<Expression> = own.cloned().collect();
                own.extend(bare_time(line, &piece, found, &anchor));
                own.sort_by_key(|it| it.span.start);
                let mut clause = Clause::read(&line.text, piece.range.clone(), &own, &clock);
                if piece.binds() || piece.says == Says::Others {
                    let tonight = |text: &str| text.contains("tonight") || text.contains("evening");
                    let before = parts.last().filter(|own| own.line == at).is_some_and(|own| tonight(own.clause.text));
                    let evening = before || tonight(clause.text);
                    to_come(&mut clause, evening, &now);
                }
                if piece.says == Says::Length && clause.when.lengths.is_empty() {
                    clause.when.lengths.extend(bare_length(&clause));
                }
                if !clause.words.is_empty() {
                    parts.push(Part { line: at, piece, clause });
                }
            }
        }
        let mut named: Vec<Named> = Vec::new();
        // What the scorers are not sure of states nothing, and is asked about.
        parts.retain(|part| !part.piece.binds() || part.piece.sure >= SURE_MIN);
        structure::correct(&mut parts);
        let mut waits: BTreeSet<usize> = BTreeSet::new();
        for (at, part) in parts.iter().enumerate() {
            if part.piece.says != Says::Task
                && !is_timed(&part.clause)
                && self.waits_for(&lines[part.line], &part.clause)
            {
                waits.insert(at);
            } else {
                self.names(lines, &parts, at, &mut named);
            }
        }
        for at in 0..parts.len() {
            if !waits.contains(&at) {
                self.tells(lines, &parts, at, &mut named);
            }
        }
        self.settle_hours(lines, &mut named);
        self.settle_shifts(&named);
        for part in parts.iter().filter(|part| part.piece.binds()) {
            let sure = part.piece.surely();
            let quote = self.quote(spot(&lines[part.line], &part.clause));
            self.notes.pieces.extend(quote.map(|quote| (quote.span(), sure)));
            if self.notes.least_sure.as_ref().is_none_or(|(_, least)| sure < *least)
                && let Some(quote) = self.quote(spot(&lines[part.line], &part.clause))
            {
                self.notes.least_sure = Some((quote, sure));
            }
        }
    }

    /// Sets a piece apart, where the scorer is sure of it.
    fn set_apart(&mut self, line: &Line<'a>, (clause, sure): (&Clause<'_>, f64), reason: Aside) {
        let timed = reason == Aside::Chatter && (is_timed(clause) || !clause.when.lengths.is_empty());
        if sure < if timed { SURE_TIMED } else { SURE_APART } {
            return;
        }
        let quote = self.quote(spot(line, clause));
        self.notes.apart.extend(quote.map(|quote| Apart { quote, reason }));
    }

    /// Puts down what a piece names.
    fn names(&mut self, lines: &[Line<'a>], parts: &[Part<'_>], at: usize, named: &mut Vec<Named>) {
        let Part { line, piece, clause } = &parts[at];
        let line = &lines[*line];
        match piece.says {
            Says::Task if line.parked => self.set_apart(line, (clause, 1.0), Aside::NotToday),
            Says::Task => {
                let free = |it: &&Stretch| it.limit.is_none() && matches!(it.shape, Shape::Point | Shape::Range);
                if own_times(clause).iter().any(free) && self.names_event(line, clause, at, named) {
                    return;
                }
                self.names_task(line, clause, at, named);
            }
            Says::Wish if piece.of != Of::Before && clause.words.len() > WISH_WORDS_MAX => {
                if let Some(task) = self.names_task(line, clause, at, named) {
                    self.notes.tasks[task].priority = Priority::Optional;
                }
            }
            Says::Event if self.goes_on_for(clause, named) => {}
            Says::Event if self.bounds_the_day(line, clause) => {}
            // "Heading out at 6", and nothing later.
            Says::Event if clause.has(Cue::Leave) && Self::is_last(parts, at) => {
                let by = own_times(clause).first().and_then(|it| it.starts());
                by.and_then(|by| self.state(spot(line, clause), Rule::Deadline { task: None, by }, false));
            }
            Says::Event => {
                let limits = |it: &&Stretch| matches!(it.limit, Some(Limit::After | Limit::By | Limit::Before));
                let own = own_times(clause);
                // "Barber after 4": a limit is none of an event.
                let is_task = !own.is_empty() && own.iter().all(limits);
                if is_task || !self.names_event(line, clause, at, named) && !own.is_empty() {
                    self.names_task(line, clause, at, named);
                }
            }
            Says::Others => {
                let stems = intent(&self.name_of(clause, &[]));
                let plain = |it: &&Stretch| Some(*it.readings.first()?.first()?);
                let when = own_times(clause).iter().filter_map(plain).collect();
                named.push(Named { what: What::Others, stems, when, ends: true, part: at });
                if !self.is_of_known(line) {
                    self.set_apart(line, (clause, piece.sure), Aside::NotMine);
                }
            }
            Says::By | Says::From | Says::Only | Says::Not if is_timed(clause) => {
                let plain = |it: &&Stretch| Some(*it.readings.first()?.first()?);
                let when = own_times(clause).iter().filter_map(plain).collect();
                named.push(Named { what: What::Others, stems: intent(clause.text), when, ends: true, part: at });
            }
            Says::NotToday | Says::Done if !is_conditional(clause) && clause.words[0].low != "unless" => {
                self.set_apart(line, (clause, piece.sure), Aside::NotToday)
            }
            // Of whoever is to be met or called as well it matters when they are there.
            Says::NotMine if !self.is_of_known(line) => self.set_apart(line, (clause, piece.sure), Aside::NotMine),
            Says::Chatter | Says::Heading if !(clause.text.trim_end().ends_with(':') && is_timed(clause)) => {
                // "I must not miss it".
                let musts = clause.has(Cue::Must) && !structure::musts_all(clause);
                if let (true, Some(task)) = (musts, self.line_task) {
                    self.mark(line, clause, task);
                }
                self.set_apart(line, (clause, piece.sure), Aside::Chatter);
            }
            _ => {}
        }
    }

    /// "At the desk from 9.15", "I sit till 6.30": when one's own day begins or ends.
    fn bounds_the_day(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let times = own_times(clause);
        let [only] = times[..] else { return false };
        let rest = clause.words.iter().filter(|word| !clause.is_timed(word)).collect::<Vec<_>>();
        let sentence = clause.text.rsplit([',', ';']).next().unwrap_or_default();
        let tail = clause.text.len() - sentence.len();
        let behind = rest.iter().filter(|word| word.range.start >= tail).collect::<Vec<_>>();
        if only.shape != Shape::Point || behind.is_empty() || !behind.iter().all(|word| PRESENT.contains(&word.low)) {
            return false;
        }
        let Some(at) = only.starts() else { return false };
        let rule = match only.limit {
            Some(Limit::From | Limit::After) => Rule::NotBefore { task: None, from: at },
            Some(Limit::Until | Limit::By | Limit::Before) => Rule::Deadline { task: None, by: at },
            None => return false,
        };
        self.state(spot(line, clause), rule, false).is_some()
    }

    /// Whether a piece has one moment, after which no other names one.
    fn is_last(parts: &[Part<'_>], at: usize) -> bool {
        let starts = |part: &Part<'_>| -> Vec<Timestamp> {
            own_times(&part.clause).iter().filter_map(|it| Some(it.readings.first()?.first()?.start)).collect()
        };
        let own = starts(&parts[at]);
        let point = own_times(&parts[at].clause).iter().all(|it| it.shape == Shape::Point);
        let others = parts.iter().enumerate().filter(|(other, _)| *other != at).flat_map(|(_, part)| starts(part));
        own.len() == 1 && point && others.max().is_none_or(|last| last <= own[0])
    }

    fn names_task(&mut self, line: &Line<'a>, clause: &Clause<'_>, at: usize, named: &mut Vec<Named>) -> Option<usize> {
        let cut: Vec<Range<usize>> = referred(clause).into_iter().map(|(_, span, _)| span).collect();
        let before = named.iter().rev().find_map(|own| if let What::Task(task) = own.what { Some(task) } else { None });
        let task = self.task(line, clause, &cut)?;
        self.relations(line, clause, task, before, false);
        // "Prep for that".
        let low: Vec<&str> = clause.words.iter().map(|word| word.low.as_str()).collect();
        if low.ends_with(&["for", "that"]) || low.ends_with(&["for", "it"]) {
            let event = named.last().filter(|own| matches!(own.what, What::Event(_)));
            let rule = event.and_then(|own| self.beside(own, Side::Before, task));
            rule.and_then(|rule| self.state(spot(line, clause), rule, false));
        }
        if clause.then {
            let before = named.iter().rev().find(|own| own.what != What::Others);
            let rule = before.and_then(|own| self.beside(own, Side::After, task));
            rule.and_then(|rule| self.state(spot(line, clause), rule, false));
        }
        let stems = self.notes.tasks[task].intent.clone();
        named.push(Named { what: What::Task(task), stems, when: Vec::new(), ends: false, part: at });
        Some(task)
    }

    /// "It's 45 minutes", "out at nine": how long the event that was named last takes, or when it is over.
    fn goes_on_for(&mut self, clause: &Clause<'_>, named: &mut [Named]) -> bool {
        let Some(last) = named.last_mut().filter(|own| matches!(own.what, What::Event(_)) && !own.ends) else {
            return false;
        };
        let times = own_times(clause);
        let length = times.is_empty() && !clause.when.lengths.is_empty();
        let rest = clause.words.iter().filter(|word| !clause.is_timed(word));
        let stems = intent(
            &rest
                .clone()
                .filter(|word| !ENDING.contains(&word.low))
                .map(|word| word.low.as_str())
                .collect::<Vec<_>>()
                .join(" "),
        );
        let ends = times.len() == 1
            && times[0].shape == Shape::Point
            && stems.is_empty()
            && (times[0].limit == Some(Limit::Until) || rest.clone().any(|word| ENDING.contains(&word.low)));
        if length || ends {
            self.tells_of_event(if length { Says::Length } else { Says::By }, clause, last);
        }
        length || ends
    }

    fn names_event(&mut self, line: &Line<'a>, clause: &Clause<'_>, at: usize, named: &mut Vec<Named>) -> bool {
        let mut own = clause.clone();
        let spans: Vec<_> = own_times(clause).iter().map(|it| it.span.clone()).collect();
        own.when.stretches.retain(|it| spans.contains(&it.span));
        let mut name = self.name_of(clause, &[]);
        if intent(&name).is_empty() {
            // "8.20-12 and then 12.30-3.20": the same again.
            let before = named.last().filter(|own| matches!(own.what, What::Event(_)));
            let again = before.and_then(|own| match own.what {
                What::Event(at) => self.event_name(at),
                _ => None,
            });
            name = again.unwrap_or_else(|| clause.text.trim().to_owned());
        }
        let mut ends = own.when.stretches.iter().any(|it| it.shape != Shape::Point || it.limit == Some(Limit::Until))
            || !own.when.lengths.is_empty();
        let before = self.notes.constraints.len();
        // "From 11 through till 8".
        if let [first, second] = &mut own.when.stretches[..]
            && first.shape == Shape::Point
            && second.shape == Shape::Point
            && (matches!(second.limit, Some(Limit::Until | Limit::By))
                || second.limit.is_none() && ends_with(clause, second.span.start))
        {
            first.limit = None;
            second.limit = Some(Limit::Until);
            let start = first.readings.first().and_then(|it| it.first()).map(|it| it.start);
            for it in second.readings.iter_mut().flatten().filter(|it| start.is_some_and(|start| it.end < start)) {
                *it = Interval::new(minutes_after(it.start, 12 * 60), minutes_after(it.end, 12 * 60));
            }
        }
        let open = match &own.when.stretches[..] {
            // "Practice til 5:15": it goes on now.
            [only] if only.limit == Some(Limit::Until) && only.shape == Shape::Point && !clause.has(Cue::Not) => {
                let behind = named.iter().rev().filter(|own| own.ends).find_map(|own| own.when.last()).map(|it| it.end);
                let until = only.starts().map(|all| *all.first());
                let start = behind.filter(|own| until.is_some_and(|until| *own < until));
                let start = start.unwrap_or_else(|| self.notes.now.timestamp());
                Some(only.starts().and_then(|all| {
                    Readings::of(
                        all.iter().filter(|at| start < **at).map(|at| vec![Interval::new(start, *at)]).collect(),
                    )
                }))
            }
            // "My shift starts from 4", "doesn't start until 4": nothing says until when.
            [only] if only.limit.is_some() && only.shape == Shape::Point => {
                ends = false;
                let zone = self.notes.now.time_zone();
                let lasting = |at: &Timestamp| vec![Interval::new(*at, day_end(*at, zone))];
                Some(only.starts().and_then(|all| Readings::of(all.iter().map(lasting).collect())))
            }
            _ => None,
        };
        match open {
            Some(when) => {
                let Some(when) = when else { return false };
                let rule = Rule::FixedEvent { name: name.clone(), when, with: Vec::new(), place: None };
                self.state(spot(line, clause), rule, false);
            }
            None => self.take_place(line, &own, &name),
        }
        let constraint = before;
        if self.notes.constraints.len() == before {
            return false;
        }
        let when = self.taken(constraint);
        named.push(Named { what: What::Event(constraint), stems: intent(&name), when, ends, part: at });
        true
    }

    /// When an event is: of several readings the first that is still to come.
    fn taken(&self, event: usize) -> Vec<Interval> {
        let now = self.notes.now.timestamp();
        match self.notes.constraints.get(event).map(|own| &own.rule) {
            Some(Rule::FixedEvent { when, .. } | Rule::Blocked { when, .. }) => {
                let ahead = |times: &&Vec<Interval>| times.first().is_some_and(|it| now <= it.start);
                when.iter().find(ahead).unwrap_or(when.first()).clone()
            }
            _ => Vec::new(),
        }
    }

    /// "Working 8 till 4", "online 8:30 to 4:30": a long stretch at work in which other events lie is when all is done, unless the notes plan
    /// around it ("after work").
    fn settle_hours(&mut self, lines: &[Line<'a>], named: &mut Vec<Named>) {
        let around = |line: &Line<'_>| {
            let all = words(&line.text);
            all.windows(2).any(|two| {
                let by = low_is(&two[0].low, &["after", "before", "off", "my", "on", "get", "b4", "at"]);
                by && low_is(&two[1].low, &["work", "wk", "shift", "lunch", "break", "home", "class"])
            })
        };
        if lines.iter().any(around) {
            return;
        }
        let long = |own: &Named| match own.what {
            What::Event(at) => match &self.notes.constraints[at].rule {
                Rule::FixedEvent { name, when, .. } if when.is_unique() && when.first().len() == 1 => {
                    let all = words(name);
                    let is = |word: &Word| PRESENT.contains(&word.low) || low_is(&word.low, &HOURS);
                    let works = all.iter().filter(|word| !word.is_figure()).all(is);
                    Some((at, when.first()[0])).filter(|(_, it)| works && it.minutes() >= SHIFT_MINUTES_MIN)
                }
                _ => None,
            },
            _ => None,
        };
        let named_hours = |at: usize| match &self.notes.constraints[at].rule {
            Rule::FixedEvent { name, .. } => words(name).iter().any(|word| low_is(&word.low, &["hours", "hrs"])),
            _ => false,
        };
        let Some((place, (at, hours))) = named.iter().enumerate().find_map(|(place, own)| Some((place, long(own)?)))
        else {
            return;
        };
        let within = |own: &Named| {
            matches!(own.what, What::Event(other) if other != at)
                && own.when.iter().any(|it| hours.start <= it.start && it.end <= hours.end)
        };
        if named_hours(at) || named.iter().any(within) {
            self.notes.constraints[at].rule = Rule::Availability { who: None, when: Readings::unique(vec![hours]) };
            named.remove(place);
        }
    }

    /// Tasks that can only be done during a long event are done there: what is due at work while one is at work.
    fn settle_shifts(&mut self, named: &[Named]) {
        let mut open = vec![Interval::from(self.notes.now.timestamp()); self.notes.tasks.len()];
        for own in self.notes.constraints.iter().filter(|own| own.hard) {
            let (tasks, within) = match &own.rule {
                Rule::Deadline { task: Some(task), by } => (std::slice::from_ref(task), Interval::until(*by.first())),
                Rule::NotBefore { task: Some(task), from } => {
                    (std::slice::from_ref(task), Interval::from(*from.first()))
                }
                Rule::TaskTimes { tasks, when, only: true } if when.is_unique() && when.first().len() == 1 => {
                    (&tasks[..], when.first()[0])
                }
                _ => continue,
            };
            for task in tasks {
                open[*task] = open[*task].meet(within);
            }
        }
        for event in named {
            let (What::Event(constraint), [shift]) = (event.what, &event.when[..]) else { continue };
            if shift.minutes() < SHIFT_MINUTES_MIN {
                continue;
            }
            steadfast_steps::spend(open.len());
            let id = &self.notes.constraints[constraint].id;
            for (task, open) in open.iter().enumerate().filter(|(_, open)| open.is_bounded() && !open.is_empty()) {
                let room = Interval::new(open.start, shift.start.min(open.end)).minutes()
                    + Interval::new(shift.end.max(open.start), open.end).minutes();
                if room < ROOM_MINUTES_MIN {
                    self.notes.excepted.push((id.clone(), task));
                }
            }
        }
    }
}
