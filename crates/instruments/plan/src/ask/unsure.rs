//! Asks whether notes that are read by pieces are read right where that is least sure, and says in words how they are read there.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use steadfast_evidence::Quote;
use steadfast_text::Span;

use super::account::{Found, Loose, asides};
use super::clauses::Clause;
use super::holds::Index;
use super::verbs::is_task_verb;
use super::when::Shape;
use super::words::words;
use crate::model::open::Doubt;
use crate::model::{Constraint, Notes, Readings, Rule, Task, Times};
use crate::open::{Apart, Aside, Choice, Effect, OpenQuestion, QUESTIONS_MAX, Unread};
use crate::window::{Interval, clock, minutes_after};

/// Most things that are said of words that are asked about.
const SAID_MAX: usize = 2;

/// The same hours twelve hours later, of hours before noon: nothing but the hour says whether it is in the morning.
fn half_a_day_later(loose: Loose, zone: &TimeZone) -> Option<Loose> {
    let Loose::Time(mut stretch) = loose else { return None };
    stretch.readings.truncate(1);
    let early = |it: &Interval| it.start.to_zoned(zone.clone()).hour() < 12;
    if !matches!(stretch.shape, Shape::Point | Shape::Range) || !stretch.readings.iter().flatten().all(early) {
        return None;
    }
    for it in stretch.readings.iter_mut().flatten() {
        *it = Interval::new(minutes_after(it.start, 12 * 60), minutes_after(it.end, 12 * 60));
    }
    Some(Loose::Time(stretch))
}

/// A piece that is less sure is asked about, beside the least sure one of all.
const ASKED_BELOW: f64 = 0.8;

/// From this probability on what pieces name as something to do, and phrases read over, is asked about. Of 73 plans that were recommended of all
/// labelled notes this and the reverse (phrases name what pieces set apart) doubt 14 that are wrong and none that is right; with .5 or .7, and
/// whatever pieces do not name, 16 and 5.
const TASK_SURE: f64 = 0.95;

/// Most tasks and constraints of a reading that is compared with the other one: nobody notes as much for a day.
const COMPARED_MAX: usize = 500;

/// Words that say of themselves that a stretch is when things are done.
const HOURS_SAID: [&str; 9] = ["only", "have", "free", "available", "working", "hours", "hrs", "desk", "wfh"];

/// What is asked of words that one reading sets apart.
const TO_DO: &str = "something to do";
const MINE: &str = "something of yours";

/// The other reading, where neither says so much that comparing each with each takes long.
fn compared(notes: &Notes) -> Option<&Notes> {
    let few = |notes: &Notes| notes.tasks.len() + notes.constraints.len() <= COMPARED_MAX;
    notes.other.as_deref().filter(|other| few(notes) && few(other))
}

impl Found<'_> {
    /// Remembers a piece that states something, where it is among the least sure ones.
    pub(super) fn unsure(&mut self, clause: &Clause<'_>, quote: &Quote, sure: f64, index: &Index) {
        let place = self.doubts.partition_point(|own| own.sure <= sure);
        if place >= QUESTIONS_MAX {
            return;
        }
        let time = clause.when.stretches.iter().find(|it| !it.past && it.today && it.shape != Shape::Days);
        let length = clause.when.lengths.first().and_then(|it| it.max.or(it.min));
        let loose = time.cloned().map(Loose::Time).or(length.map(Loose::Length));
        let near: Vec<usize> = self.near(index, quote.span()).into_iter().take(1).collect();
        let mut meanings = loose.as_ref().map_or_else(Vec::new, |loose| self.meanings(clause, &near, loose));
        let zone = self.notes.now.time_zone();
        if let Some(later) = loose.and_then(|own| half_a_day_later(own, zone)) {
            meanings.extend(self.meanings(clause, &near, &later));
        }
        self.doubts.insert(place, Doubt { sure, quote: quote.clone(), meanings });
        self.doubts.truncate(QUESTIONS_MAX);
    }

    /// Asks of a reading by pieces whether it is right where it is least sure, until somebody has looked at it. Whether nothing else is open, and
    /// it was asked.
    pub(super) fn ask_least_sure(&mut self) -> bool {
        if !self.notes.by_pieces {
            return false;
        }
        let is_complete = self.unread.is_empty();
        if is_complete && self.notes.answered.is_empty() {
            let least = self.notes.least_sure.as_ref().map(|(quote, _)| self.doubt_of(quote));
            let asked = least.into_iter().chain(self.doubts.iter().cloned()).find(|own| self.is_open(own));
            asked.into_iter().for_each(|own| self.ask_whether(own));
        }
        if self.notes.other.is_some() {
            self.ask_more();
        }
        is_complete && !self.unread.is_empty()
    }

    /// Asks what else is not sure of a reading by pieces, as long as there is room.
    pub(super) fn ask_more(&mut self) {
        if !self.notes.by_pieces {
            return;
        }
        let room = QUESTIONS_MAX.saturating_sub(self.notes.answered.len() + self.open.len());
        let asked = |own: &Doubt| self.unread.iter().any(|unread| unread.quote == own.quote);
        let rest = self.doubts.iter().filter(|own| own.sure < ASKED_BELOW && self.is_open(own) && !asked(own));
        let rest: Vec<Doubt> = rest.take(room).cloned().collect();
        rest.into_iter().for_each(|own| self.ask_whether(own));
    }

    /// What is known of words as a doubt.
    fn doubt_of(&self, quote: &Quote) -> Doubt {
        let known = self.doubts.iter().find(|own| own.quote == *quote).cloned();
        known.unwrap_or_else(|| Doubt { sure: 0.0, quote: quote.clone(), meanings: Vec::new() })
    }

    /// Whether something can be said of the words of a doubt, and nobody has answered it: nothing is of "20 min" behind an event.
    fn is_open(&self, doubt: &Doubt) -> bool {
        let seen = self.notes.answered.iter().any(|own| own.span.overlaps(doubt.quote.span()));
        !seen && self.read_as(&doubt.quote).is_some()
    }

    /// Asks whether words are read right.
    fn ask_whether(&mut self, doubt: Doubt) {
        let Doubt { quote, meanings, .. } = doubt;
        let Some((read, rules)) = self.read_as(&quote) else { return };
        let yes = format!("yes: {read}");
        let mut choices = vec![Choice { text: yes, effect: Effect::Keep }];
        let others =
            meanings.into_iter().filter(|(text, own)| *text != read && !own.iter().all(|rule| rules.contains(rule)));
        let instead = |(text, rules)| Choice { text: format!("no: {text}"), effect: Effect::Instead(rules) };
        choices.extend(others.map(instead));
        if !rules.is_empty() {
            choices.push(Choice { text: "no, nothing of that kind".to_owned(), effect: Effect::NotSaid });
        }
        choices.extend(asides(""));
        let id = format!("q{}", quote.span().start);
        let text = format!("Does \"{}\" mean this: {read}? The reading is not sure of it.", quote.text());
        self.open.push(OpenQuestion { id, text, quote: quote.clone(), choices, changes_plan: true });
        self.unread.push(Unread { quote, why: "whether it is read right".to_owned(), must: true });
    }

    /// Asks what one reading takes for something to do, or for an event, and the other does not.
    pub(super) fn ask_unshared_tasks(&mut self) {
        let notes = self.notes;
        let Some(other) = compared(notes).filter(|_| !notes.by_pieces && self.unread.is_empty()) else { return };
        let stated = |notes: &Notes, span: Span| {
            notes.tasks.iter().any(|own| own.quote.span().overlaps(span))
                || notes
                    .constraints
                    .iter()
                    .any(|own| own.quote.as_ref().is_some_and(|quote| quote.span().overlaps(span)))
        };
        let answered = |span: Span| notes.answered.iter().any(|own| own.span.overlaps(span));
        let sure = |span: Span| {
            let pieces = other.pieces.iter().filter(|(own, _)| own.overlaps(span));
            pieces.map(|(_, sure)| *sure).fold(1.0, f64::min)
        };
        let apart = |span: Span| other.apart.iter().find(|own| own.quote.span().overlaps(span));
        let lacks = |task: &&Task| {
            let span = task.quote.span();
            !answered(span) && sure(span) >= TASK_SURE && !stated(notes, span)
        };
        let invents = |task: &&Task| {
            let span = task.quote.span();
            // "Then wrap the present" is an order, and no chatter, whatever the scorers say.
            let mut words = task.quote.text().split_whitespace().map(str::to_lowercase);
            let first = words.find(|word| !matches!(word.as_str(), "then" | "and" | "also" | "please" | "-"));
            let orders = first.is_some_and(|word| is_task_verb(&word));
            let is = |own: &Apart| own.reason != Aside::Chatter || !orders;
            // What is only told of something else there is no task either: "leave 20 mins to drive there".
            let named = other.tasks.iter().any(|own| own.quote.span().overlaps(span));
            let way = other.constraints.iter().any(|own| {
                matches!(own.rule, Rule::Blocked { name: Some(_), .. })
                    && own.quote.as_ref().is_some_and(|quote| quote.span().overlaps(span))
            });
            !answered(span) && (apart(span).is_some_and(is) && !stated(other, span) || way && !named)
        };
        // An event that pieces set apart: "Leila has swimming at 4:45 and Omar is taking her".
        let strange = |own: &&Constraint| {
            let event = matches!(own.rule, Rule::FixedEvent { .. }) && own.hard;
            event
                && own.quote.as_ref().is_some_and(|quote| {
                    let span = quote.span();
                    quote.file() == self.file && !answered(span) && apart(span).is_some() && !stated(other, span)
                })
        };
        let lacking = other.tasks.iter().filter(lacks).map(|task| (task.quote.clone(), TO_DO, Effect::Task(None)));
        let invented = notes.tasks.iter().filter(invents).map(|task| (task.quote.clone(), TO_DO, Effect::Keep));
        let events = notes.constraints.iter().filter(strange).filter_map(|own| own.quote.clone());
        // What is left for a way is no task: which way it is the other reading says.
        let way_of = |quote: &Quote| {
            let touching = |own: &&Constraint| own.quote.as_ref().is_some_and(|it| it.span().overlaps(quote.span()));
            let way = |own: &&Constraint| matches!(own.rule, Rule::Blocked { name: Some(_), .. });
            other.constraints.iter().find(|own| touching(own) && way(own)).map(|own| own.rule.clone())
        };
        let all = lacking.chain(invented).chain(events.map(|quote| (quote, MINE, Effect::Keep)));
        let all: Vec<(Quote, &str, Effect)> = all.take(SAID_MAX).collect();
        for (quote, asked, effect) in all {
            let yes = if asked == TO_DO { "something to do" } else { "yes, my time is taken then" };
            let mut choices = vec![Choice { text: yes.to_owned(), effect }];
            if let (true, Some(rule)) = (asked == TO_DO, way_of(&quote)) {
                let text = match &rule {
                    Rule::Blocked { name: Some(name), .. } => format!("the {name}: {}", self.said(&rule)),
                    _ => self.said(&rule),
                };
                choices.push(Choice { text, effect: Effect::NoTask(vec![rule]) });
            }
            choices.extend(asides(""));
            let id = format!("q{}", quote.span().start);
            let text = format!("Is \"{}\" {asked} today?", quote.text());
            self.open.push(OpenQuestion { id, text, quote: quote.clone(), choices, changes_plan: true });
            self.unread.push(Unread { quote, why: format!("whether it is {asked} today"), must: true });
        }
    }

    /// Asks what a stretch is that one reading takes for the hours in which all is done, and the other for time that is taken.
    pub(super) fn ask_hours(&mut self) {
        let notes = self.notes;
        let Some(other) = compared(notes).filter(|_| self.open.len() < QUESTIONS_MAX) else { return };
        let stretch = |own: &Constraint| match &own.rule {
            Rule::Availability { who: None, when } if when.is_unique() => Some((true, when.first().clone())),
            Rule::FixedEvent { when, .. } | Rule::Blocked { who: None, when, .. } if when.is_unique() => {
                Some((false, when.first().clone()))
            }
            _ => None,
        };
        let asked = notes.constraints.iter().filter(|own| own.hard).find_map(|own| {
            let (quote, (hours, when)) = (own.quote.as_ref()?, stretch(own)?);
            let span = quote.span();
            let told = words(quote.text()).iter().any(|word| HOURS_SAID.contains(&word.low.as_str()));
            let seen = told || quote.file() != self.file || notes.answered.iter().any(|it| it.span.overlaps(span));
            let differs = other.constraints.iter().any(|it| {
                it.quote.as_ref().is_some_and(|it| it.span().overlaps(span))
                    && stretch(it).is_some_and(|(one, two)| one != hours && two == when)
            });
            (!seen && differs).then(|| (quote.clone(), hours, when))
        });
        let Some((quote, hours, when)) = asked else { return };
        if self.unread.iter().any(|own| own.quote.span().overlaps(quote.span())) {
            return;
        }
        let times = when.iter().map(|own| self.shown(*own)).collect::<Vec<_>>().join(" and ");
        let when = Readings::unique(when);
        let name = quote.text().trim().to_owned();
        let taken = Rule::FixedEvent { name, when: when.clone(), with: Vec::new(), place: None };
        let (mine, open) = if hours {
            (Effect::Instead(vec![taken]), Effect::Keep)
        } else {
            (Effect::Keep, Effect::Instead(vec![Rule::Availability { who: None, when }]))
        };
        let mut choices = vec![
            Choice { text: format!("I do these things then, {times}"), effect: open },
            Choice { text: format!("I am taken then, {times}, and do these things at other times"), effect: mine },
        ];
        choices.extend(asides(""));
        let id = format!("q{}", quote.span().start);
        let text = format!("Do you do these things during \"{}\", or at other times?", quote.text());
        self.open.push(OpenQuestion { id, text, quote: quote.clone(), choices, changes_plan: true });
        self.unread.push(Unread {
            quote,
            why: "whether all is done in these hours or at other times".to_owned(),
            must: true,
        });
    }

    /// What words are read as: what they require, else what they name. And what they require, as rules.
    fn read_as(&self, quote: &Quote) -> Option<(String, Vec<Rule>)> {
        let span = quote.span();
        let here = |own: &Quote| own.span().start < span.end && span.start < own.span().end;
        let of_here = self.notes.constraints.iter().filter(|own| own.quote.as_ref().is_some_and(here));
        let rules: Vec<Rule> = of_here.map(|own| own.rule.clone()).collect();
        let said: Vec<String> = rules.iter().take(SAID_MAX).map(|own| self.said(own)).collect();
        if !said.is_empty() {
            return Some((said.join(", and "), rules));
        }
        let task = self.notes.tasks.iter().position(|own| here(&own.quote))?;
        Some((format!("{} is something to do", self.name(task)), rules))
    }

    /// A rule in words.
    fn said(&self, rule: &Rule) -> String {
        let of = |task: &Option<usize>| task.map_or_else(|| "all work".to_owned(), |task| self.name(task));
        let all = |tasks: &[usize]| tasks.iter().map(|task| self.name(*task)).collect::<Vec<_>>().join(" and ");
        let at = |at: &Readings<Timestamp>| clock(*at.first(), self.notes.now.time_zone(), self.notes.now.date());
        let when = |times: &Readings<Times>| {
            times.first().iter().map(|own| self.shown(*own)).collect::<Vec<_>>().join(" and ")
        };
        match rule {
            Rule::Deadline { task, by } => format!("{} is done by {}", of(task), at(by)),
            Rule::NotBefore { task, from } => format!("{} begins at {} or later", of(task), at(from)),
            Rule::Order { first, then, .. } => format!("{} comes before {}", self.name(*first), self.name(*then)),
            Rule::Duration { task, minutes_min, minutes_max } => match minutes_max.or(*minutes_min) {
                Some(minutes) => format!("{} takes {minutes} minutes", self.name(*task)),
                None => format!("{} takes some time", self.name(*task)),
            },
            Rule::MustDo { task, .. } => format!("{} must be done", self.name(*task)),
            Rule::TaskTimes { tasks, when: times, only: true } => format!("{} only {}", all(tasks), when(times)),
            Rule::TaskTimes { tasks, when: times, only: false } => format!("{} not {}", all(tasks), when(times)),
            Rule::FixedEvent { when: times, .. } | Rule::Blocked { when: times, .. } => {
                format!("my own time is taken {}", when(times))
            }
            Rule::Availability { when: times, .. } => format!("I work only {}", when(times)),
            Rule::Preference { wish } => format!("a wish that {}", self.said(wish)),
            other => other.kind().name().replace('_', " "),
        }
    }
}
