//! What refers to something said elsewhere: "before the board call", "after the report".

use std::collections::{BTreeSet, HashMap};

use super::clauses::Clause;
use super::cues::Cue;
use super::lines::Line;
use super::verbs::is_task_verb;
use super::words::words;
use super::{Reader, Spot};
use crate::model::{Rule, intent};

/// A task that stands in a relation to something else.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) task: usize,
    before: bool,
    stems: Vec<String>,
    quote: steadfast_evidence::Quote,
    wish: bool,
    many: Many,
}

/// Something that cannot be done until something else is: "the potatoes can't go in until the trench is dug".
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// What waits, where the line says so.
    pub(super) task: Option<usize>,
    /// The stems of what waits.
    named: Vec<String>,
    /// The stems of what it waits for.
    stems: Vec<String>,
    quote: steadfast_evidence::Quote,
}

/// How many things words refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Many {
    One,
    /// "Both drops", "all the visits".
    Several,
    /// "Anything", "everything else".
    All,
}

impl Reference {
    /// The order of its task and another.
    const fn order(&self, other: usize) -> Rule {
        let (first, then) = if self.before { (self.task, other) } else { (other, self.task) };
        Rule::Order { first, then, gap: 0 }
    }
}

impl Many {
    fn of(clause: &Clause<'_>, span: &std::ops::Range<usize>) -> Self {
        let said = clause.words.iter().filter(|word| span.start <= word.range.start && word.range.end <= span.end);
        let many = |word: &super::words::Word| match word.low.as_str() {
            "both" | "all" => Some(Self::Several),
            "anything" | "everything" => Some(Self::All),
            _ => None,
        };
        said.into_iter().find_map(many).unwrap_or(Self::One)
    }
}

/// Most things that share a word with a reference and are looked at.
const ALIKE_MAX: usize = 64;

/// An event that is meant by "work" lasts so long at least.
const HELD_MINUTES_MIN: i64 = 180;

/// Longest name of what is referred to, in words.
const NAMED_WORDS_MAX: usize = 6;

/// Where a clause refers to something: whether what it says comes before that, the bytes of the words, and their stems.
pub(super) fn referred(clause: &Clause<'_>) -> Vec<(bool, std::ops::Range<usize>, Vec<String>)> {
    let mut out = Vec::new();
    for hit in clause.hits.iter().filter(|hit| matches!(hit.cue, Cue::After | Cue::Before) && !clause.in_time(hit)) {
        let from = hit.words.end;
        let mut to = from;
        while let Some(word) = clause.words.get(to) {
            if to - from >= NAMED_WORDS_MAX
                || (to > from
                    && matches!(word.low.as_str(), "or" | "so" | "but" | "cos" | "because" | "otherwise" | "since"))
                || (to > from && word.parted)
                || (to > from
                    && matches!(word.low.as_str(), "i" | "we" | "you" | "i'll" | "we'll" | "i'm" | "i'd" | "i've"))
                || clause.is_timed(word)
                || (to > from
                    && !clause.words.get(to - 1).is_some_and(|before| {
                        matches!(
                            before.low.as_str(),
                            "the" | "my" | "our" | "a" | "an" | "his" | "her" | "their" | "your"
                        )
                    })
                    && is_task_verb(&word.low)
                    && word.low != "call"
                    && word.low != "review")
            {
                break;
            }
            to += 1;
        }
        let (Some(first), Some(last)) = (clause.words.get(hit.words.start), clause.words.get(to.saturating_sub(1)))
        else {
            continue;
        };
        let inner = clause.words.get(from).filter(|_| to > from);
        let Some(inner) = inner else { continue };
        let stems = intent(clause.text.get(inner.range.start..last.range.end).unwrap_or_default());
        if !stems.is_empty() {
            out.push((hit.cue == Cue::Before, first.range.start..last.range.end, stems));
        }
    }
    out
}

impl<'a> Reader<'a> {
    /// Remembers what a task's clause refers to.
    pub(super) fn refer(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize, wish: bool) {
        for (before, span, stems) in referred(clause) {
            let spot = Spot { line, start: clause.at + span.start, end: clause.at + span.end };
            let whole = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
            if let Some(quote) = self.quote(whole).or_else(|| self.quote(spot)) {
                let many = Many::of(clause, &span);
                self.references.push(Reference { task, before, stems, quote, wish, many });
            }
        }
    }

    /// "Sweep up last thing": after everything else.
    pub(super) fn last_thing_of_all(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) {
        let is_last = super::manner::last_thing(clause).is_some();
        let whole = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
        if let (true, Some(quote)) = (is_last, self.quote(whole)) {
            let stems = Vec::new();
            self.references.push(Reference { task, before: false, stems, quote, wish: false, many: Many::All });
        }
    }

    /// Remembers that a task comes after what the stems name, or before it.
    pub(super) fn refer_to(
        &mut self,
        line: &Line<'a>,
        clause: &Clause<'_>,
        task: usize,
        before: bool,
        stems: Vec<String>,
    ) {
        let whole = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
        if let (Some(quote), false) = (self.quote(whole), stems.is_empty()) {
            self.references.push(Reference { task, before, stems, quote, wish: false, many: Many::One });
        }
    }

    /// "I can't start until the lace is here": remembers what waits for what. What takes a time until then is left to a question.
    pub(super) fn waits_for(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let denies =
            |low: &str| matches!(low, "not" | "cannot" | "never" | "cant" | "dont" | "wont") || low.ends_with("n't");
        let Some(not) = clause.words.iter().position(|word| denies(&word.low) && !clause.is_timed(word)) else {
            return false;
        };
        let until = clause.words.iter().skip(not + 1).position(|word| {
            matches!(word.low.as_str(), "until" | "till" | "til") && !clause.is_timed(word) && !word.parted
        });
        let Some(until) = until.map(|at| at + not + 1) else { return false };
        let of = |words: &[super::words::Word]| {
            let said = words.iter().filter(|word| !clause.is_timed(word));
            let text = said.filter_map(|word| clause.text.get(word.range.clone())).collect::<Vec<_>>().join(" ");
            intent(&text)
        };
        let ahead = clause.words.get(until + 1..).unwrap_or_default();
        let own = clause.words.get(..not).unwrap_or_default();
        let own =
            own.iter().any(|word| matches!(word.low.as_str(), "i" | "we" | "it" | "this" | "that")) || own.is_empty();
        let said: Vec<_> = [&clause.words[..not], &clause.words[not + 1..until]].concat();
        let (named, stems) = (of(&said), of(ahead));
        if stems.is_empty() || !clause.when.stretches.is_empty() {
            return false;
        }
        if !clause.when.lengths.is_empty() || self.waiting.len() >= ALIKE_MAX {
            return true;
        }
        let task = self.line_task.filter(|_| own);
        let spot = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
        if let Some(quote) = self.quote(spot) {
            self.waiting.push(Waiting { task, named, stems, quote });
        }
        true
    }

    /// Puts down the orders of what waits, where it is clear which two tasks are meant. What is not is asked about.
    fn settle_waiting(&mut self) {
        for waiting in std::mem::take(&mut self.waiting) {
            let only = |stems: &[String], but: Option<usize>| {
                let shared =
                    |at: &usize| self.notes.tasks[*at].intent.iter().filter(|stem| stems.contains(stem)).count();
                let tasks = (0..self.notes.tasks.len()).filter(|at| Some(*at) != but);
                let most = tasks.clone().map(|at| shared(&at)).max().filter(|most| *most > 0)?;
                let mut best = tasks.filter(|at| shared(at) == most);
                best.next().filter(|_| best.next().is_none())
            };
            let Some(then) = waiting.task.or_else(|| only(&waiting.named, None)) else { continue };
            let Some(first) = only(&waiting.stems, Some(then)) else { continue };
            self.push(Rule::Order { first, then, gap: 0 }, waiting.quote);
        }
    }

    /// Finds what is referred to.
    pub(super) fn resolve(&mut self) {
        self.settle_waiting();
        let references = std::mem::take(&mut self.references);
        if references.is_empty() {
            return;
        }
        let mut events: HashMap<String, Vec<usize>> = HashMap::new();
        let mut tasks: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, constraint) in self.notes.constraints.iter().enumerate() {
            let name = match &constraint.rule {
                Rule::FixedEvent { name, .. } => name,
                Rule::Blocked { name: Some(name), who: None, .. } => name,
                _ => continue,
            };
            // "Work", "class": what is no content word elsewhere.
            let held = words(name).into_iter().map(|word| word.low).filter(|low| super::other_days::is_held(low));
            for stem in intent(name).into_iter().chain(held).collect::<BTreeSet<String>>() {
                events.entry(stem).or_default().push(at);
            }
        }
        for (at, task) in self.notes.tasks.iter().enumerate() {
            for stem in &task.intent {
                tasks.entry(stem.clone()).or_default().push(at);
            }
        }
        let (of_all, references): (Vec<_>, Vec<_>) = references.into_iter().partition(|it| it.many == Many::All);
        for reference in references {
            if let Some(others) = several(&reference, &tasks) {
                for other in others {
                    self.relate(&reference, reference.order(other));
                }
                continue;
            }
            let event = best(&reference.stems, &events, usize::MAX);
            let task = best(&reference.stems, &tasks, reference.task);
            let event = event.or_else(|| self.held(&reference.stems).map(|at| (at, 1)));
            let rule = match (event, task) {
                (Some((event, a)), task) if task.is_none_or(|(_, b)| a >= b) => {
                    self.beside_event(event, reference.before, reference.task, false)
                }
                (_, Some((task, _))) => Some(reference.order(task)),
                _ => None,
            };
            if let Some(rule) = rule {
                self.relate(&reference, rule);
            }
        }
        self.beside_all(&of_all);
    }

    /// "After work", "before my shift": the long event of the day, whatever the notes call it.
    fn held(&self, stems: &[String]) -> Option<usize> {
        if !stems.iter().any(|stem| super::other_days::is_working_time(stem)) {
            return None;
        }
        let long = |rule: &Rule| match rule {
            Rule::FixedEvent { when, .. } | Rule::Blocked { when, who: None, .. } => {
                when.first().first().map(|it| it.minutes())
            }
            _ => None,
        };
        let events = self.notes.constraints.iter().enumerate().filter_map(|(at, own)| Some((long(&own.rule)?, at)));
        events.filter(|(minutes, _)| *minutes >= HELD_MINUTES_MIN).max().map(|(_, at)| at)
    }

    /// "Before anything moves", "after everything else": orders with all other tasks. Where another order says the opposite, two lines
    /// that both come before everything say, or the tasks are very many, none is put down, and the clause is asked about.
    fn beside_all(&mut self, references: &[Reference]) {
        let tasks = self.notes.tasks.len();
        if tasks > ALIKE_MAX {
            return;
        }
        let orders = |reference: &Reference| -> Vec<Rule> {
            (0..tasks).filter(|other| *other != reference.task).map(|other| reference.order(other)).collect()
        };
        let pair = |rule: &Rule| match rule {
            Rule::Order { first, then, .. } => Some((*first, *then)),
            _ => None,
        };
        let stated = self.notes.constraints.iter().filter_map(|own| pair(&own.rule));
        let meant = references.iter().flat_map(&orders).filter_map(|rule| pair(&rule));
        let mut put: BTreeSet<(usize, usize)> = stated.collect();
        let all: BTreeSet<(usize, usize)> = put.iter().copied().chain(meant).collect();
        for reference in references {
            let orders = orders(reference);
            if !orders.iter().filter_map(pair).any(|(first, then)| all.contains(&(then, first))) {
                let fresh: Vec<Rule> =
                    orders.into_iter().filter(|rule| pair(rule).is_some_and(|own| put.insert(own))).collect();
                fresh.into_iter().for_each(|rule| self.relate(reference, rule));
            }
        }
    }

    /// Puts down what a reference came to.
    fn relate(&mut self, reference: &Reference, rule: Rule) {
        self.push(rule.wished(reference.wish), reference.quote.clone());
    }

    /// One event at two times: both stand, and it is asked.
    pub(super) fn contradictions(&mut self) {
        let mut named: HashMap<BTreeSet<String>, usize> = HashMap::new();
        let mut questions = Vec::new();
        for (at, constraint) in self.notes.constraints.iter().enumerate() {
            let Rule::FixedEvent { name, when, .. } = &constraint.rule else { continue };
            let stems: BTreeSet<String> = intent(name).into_iter().collect();
            if stems.is_empty() {
                continue;
            }
            if let Some(other) = named.insert(stems, at) {
                let other = &self.notes.constraints[other];
                if !matches!(&other.rule, Rule::FixedEvent { when: earlier, .. } if earlier == when) {
                    questions.push(format!(
                        "the notes give \"{name}\" two times (\"{}\" and \"{}\"): which holds?",
                        other.text(),
                        constraint.text()
                    ));
                }
            }
        }
        for question in questions {
            self.ask(question);
        }
    }

    /// "As many friends as possible": the tasks that are done with somebody, where there are such.
    pub(super) fn objectives(&mut self) {
        let with: Vec<usize> =
            (0..self.notes.tasks.len()).filter(|at| !self.notes.tasks[*at].with.is_empty()).collect();
        for constraint in &mut self.notes.constraints {
            if let Rule::Objective { tasks } = &mut constraint.rule {
                tasks.clone_from(&with);
            }
        }
    }
}

/// "After both drops", "when all the visits are done": the tasks that share a word with it, where they are several.
fn several(reference: &Reference, tasks: &HashMap<String, Vec<usize>>) -> Option<BTreeSet<usize>> {
    if reference.many != Many::Several {
        return None;
    }
    let alike = reference.stems.iter().filter_map(|stem| tasks.get(stem)).flatten().copied();
    let found: BTreeSet<usize> = alike.filter(|at| *at != reference.task).take(ALIKE_MAX).collect();
    (found.len() > 1).then_some(found)
}

/// The thing that shares most stems with a reference, the last of several, and the share; more than half is needed.
fn best(stems: &[String], known: &HashMap<String, Vec<usize>>, but: usize) -> Option<(usize, usize)> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for stem in stems {
        for at in known
            .get(stem)
            .or_else(|| doubled(stem).and_then(|stem| known.get(stem)))
            .into_iter()
            .flatten()
            .rev()
            .take(ALIKE_MAX)
            .filter(|at| **at != but)
        {
            *counts.entry(*at).or_default() += 1;
        }
    }
    let best = counts.into_iter().max_by_key(|(at, count)| (*count, *at))?;
    (best.1 * 2 >= stems.len()).then_some(best)
}

/// "Fuelling" and "fuel": a stem without the last of two like consonants.
fn doubled(stem: &str) -> Option<&str> {
    let bytes = stem.as_bytes();
    let [.., before, last] = bytes else { return None };
    (before == last && last.is_ascii_alphabetic()).then(|| &stem[..stem.len() - 1])
}
