//! Asks whether notes that are read by pieces are read right where that is least sure, and says in words how they are read there.

use jiff::Timestamp;
use steadfast_evidence::Quote;

use super::account::{Found, asides};
use crate::model::{Readings, Rule, Times};
use crate::open::{Choice, Effect, OpenQuestion, Unread};
use crate::window::clock;

/// Most things that are said of words that are asked about.
const SAID_MAX: usize = 2;

impl Found<'_> {
    /// Asks it until somebody has looked at it. Whether it was asked.
    pub(super) fn ask_least_sure(&mut self) -> bool {
        let Some((quote, _)) = self.notes.least_sure.clone().filter(|_| self.notes.by_pieces && self.unread.is_empty())
        else {
            return false;
        };
        if !self.notes.answered.is_empty() {
            return false;
        }
        let read = self.read_as(&quote);
        let mut choices =
            vec![Choice { text: format!("yes, and all else is read right: {read}"), effect: Effect::Keep }];
        let requires = self.notes.constraints.iter().any(|own| own.quote.as_ref() == Some(&quote));
        let no = || Choice { text: "no, nothing of that kind".to_owned(), effect: Effect::NotSaid };
        choices.extend(requires.then(no));
        choices.extend(asides(""));
        let id = format!("q{}", quote.span().start);
        let text = format!("Does \"{}\" mean this: {read}? The reading is not sure of it.", quote.text());
        self.open.push(OpenQuestion { id, text, quote: quote.clone(), choices, changes_plan: true });
        self.unread.push(Unread { quote, why: "whether it is read right".to_owned(), must: true });
        true
    }

    /// What words are read as: what they require, else what they name.
    fn read_as(&self, quote: &Quote) -> String {
        let span = quote.span();
        let here = |own: &Quote| own.span().start < span.end && span.start < own.span().end;
        let of_here = self.notes.constraints.iter().filter(|own| own.quote.as_ref().is_some_and(here));
        let said: Vec<String> = of_here.take(SAID_MAX).map(|own| self.said(&own.rule)).collect();
        if !said.is_empty() {
            return said.join(", and ");
        }
        match self.notes.tasks.iter().position(|own| here(&own.quote)) {
            Some(task) => format!("{} is something to do", self.name(task)),
            None => "nothing to plan".to_owned(),
        }
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
