//! A reading that somebody hands in: tasks and constraints with the words of the notes that they rest on, instead of those that code reads.
//!
//! Every quote is located in the notes, every time and name is checked; what cannot be found is refused by name, and nothing is taken then.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{Timestamp, Zoned};
use steadfast_evidence::{FileId, Quote};
use steadfast_text::{Document, QuoteIndex, Span};

use crate::checks::{BREAK_MINUTES_MIN, TIMEBOX_MINUTES_MIN, counted};
use crate::model::{Constraint, Kind, Notes, Priority, Readings, Rule, Task, Unit, intent};
use crate::open::{Apart, Aside, Unread};
use crate::window::{Interval, merged, shared};

/// Most tasks of a reading that is handed in.
pub const TASKS_MAX: usize = 500;

/// Most constraints of one.
pub const CONSTRAINTS_MAX: usize = 2_000;

/// Most refusals that are named.
const REFUSED_MAX: usize = 20;

/// Words of the notes, and where they stand if that is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// The words, verbatim.
    pub quote: String,
    /// Their bytes in the file.
    pub span: Option<Span>,
}

/// Something to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenTask {
    /// What constraints call it.
    pub id: String,
    /// The words of the notes.
    pub words: Words,
    /// What a plan calls it; the words of the notes by default.
    pub name: Option<String>,
    /// How long it takes, where no constraint says so.
    pub minutes: Option<i64>,
    /// Whether it must be done.
    pub must: bool,
    /// Whether it may be left out.
    pub optional: bool,
    /// Whether it must be done in one piece.
    pub whole: bool,
}

/// Something required. Which members it needs depends on its kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenConstraint {
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: Option<Kind>,
    /// The words of the notes.
    pub words: Words,
    /// The tasks that it is about; none: all work.
    pub tasks: Vec<String>,
    /// Of an order what comes first.
    pub first: Vec<String>,
    /// Of an order what comes then.
    pub then: Vec<String>,
    /// From when on, RFC 3339.
    pub start: Option<String>,
    /// Until when, RFC 3339.
    pub end: Option<String>,
    /// At least so many minutes; of an exclusion the shortest rest.
    pub minutes_min: Option<i64>,
    /// At most so many; of an exclusion as many on end.
    pub minutes_max: Option<i64>,
    /// What an event is called.
    pub name: Option<String>,
    /// Whether it is a wish.
    pub soft: bool,
    /// Tasks that it does not bind: they may be done during an event, or outside of the hours.
    pub excepted: Vec<String>,
    /// Whether it stands as code read it: then its rule is taken from there.
    pub unchanged: bool,
}

impl GivenConstraint {
    /// Takes out the members that say nothing of its kind.
    pub(crate) fn leave_out_unused(&mut self) {
        let Some(kind) = self.kind else { return };
        for member in unused(kind, self) {
            match member {
                "`start`" => self.start = None,
                "`end`" => self.end = None,
                "`minutes_min`" => self.minutes_min = None,
                "`minutes_max`" => self.minutes_max = None,
                "`tasks`" => self.tasks.clear(),
                "`first`" => self.first.clear(),
                _ => self.then.clear(),
            }
        }
    }
}

/// A reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenReading {
    /// What is to be done.
    pub tasks: Vec<GivenTask>,
    /// What is required.
    pub constraints: Vec<GivenConstraint>,
    /// What is nothing to plan today.
    pub apart: Vec<(Words, Aside)>,
    /// What is not understood.
    pub unread: Vec<(Words, String)>,
}

/// Minutes of an event of which nothing says how long it lasts.
const EVENT_MINUTES: i64 = 60;

/// The members that a constraint of a kind has besides those that all have, and that say nothing of it.
fn unused(kind: Kind, given: &GivenConstraint) -> Vec<&'static str> {
    let times = [("`start`", given.start.is_some()), ("`end`", given.end.is_some())];
    let minutes = [("`minutes_min`", given.minutes_min.is_some()), ("`minutes_max`", given.minutes_max.is_some())];
    let tasks = ("`tasks`", !given.tasks.is_empty());
    let order = [("`first`", !given.first.is_empty()), ("`then`", !given.then.is_empty())];
    let (used_times, used_minutes, used_tasks, used_order): ([bool; 2], [bool; 2], bool, bool) = match kind {
        Kind::FixedEvent => ([true, true], [true, true], true, false),
        Kind::Blocked | Kind::Travel => ([true, true], [false, false], false, false),
        Kind::Deadline => ([false, true], [false, false], true, false),
        Kind::NotBefore => ([true, false], [false, false], true, false),
        Kind::Availability | Kind::Preference => ([true, true], [false, false], true, false),
        Kind::Exclusion => ([true, true], [true, true], true, false),
        Kind::MustDo | Kind::Objective => ([true, true], [false, false], true, false),
        Kind::Duration | Kind::Total => ([false, false], [true, true], true, false),
        Kind::Order => ([false, false], [true, false], false, true),
        // What can only be kept as code read it is refused with that reason.
        Kind::Presence | Kind::Connection | Kind::Stay | Kind::Contract => ([true, true], [true, true], true, true),
    };
    let times = times.into_iter().zip(used_times);
    let minutes = minutes.into_iter().zip(used_minutes);
    let others = order.into_iter().map(|member| (member, used_order)).chain([(tasks, used_tasks)]);
    times
        .chain(minutes)
        .chain(others)
        .filter(|((_, is_given), is_used)| *is_given && !is_used)
        .map(|((name, _), _)| name)
        .collect()
}

struct Taking<'a> {
    file: FileId,
    document: &'a Document,
    index: QuoteIndex<'a>,
    now: &'a Zoned,
    tasks: BTreeMap<String, usize>,
    /// Where code reads of something that it is done in one go.
    whole: Vec<Span>,
    /// Fixed events by their ids, each from when until when.
    events: BTreeMap<String, Interval>,
    assumptions: Vec<String>,
    refused: Vec<String>,
}

/// The notes as a reading has them. `own` is what code reads in them.
///
/// # Errors
/// What cannot be found or does not hold together, each by the name of its task or constraint.
pub fn read_given(file: FileId, document: &Document, own: &Notes, given: &GivenReading) -> Result<Notes, Vec<String>> {
    for (what, count, max) in
        [("tasks", given.tasks.len(), TASKS_MAX), ("constraints", given.constraints.len(), CONSTRAINTS_MAX)]
    {
        if count > max {
            return Err(vec![format!("it has {count} {what}; at most {max} are taken")]);
        }
    }
    let (notes, mut refused) = read_what_holds(file, document, own, given);
    refused.truncate(REFUSED_MAX);
    if refused.is_empty() { Ok(notes) } else { Err(refused) }
}

/// The notes as those parts of a reading have them that can be found and hold together, and why the others do not.
pub(crate) fn read_what_holds(
    file: FileId,
    document: &Document,
    own: &Notes,
    given: &GivenReading,
) -> (Notes, Vec<String>) {
    let mut taking = Taking {
        file,
        document,
        index: QuoteIndex::new(document),
        now: &own.now,
        tasks: BTreeMap::new(),
        whole: own.tasks.iter().filter(|task| task.in_one_go).map(|task| task.quote.span()).collect(),
        events: BTreeMap::new(),
        assumptions: Vec::new(),
        refused: Vec::new(),
    };
    let mut notes = Notes {
        tasks: Vec::new(),
        constraints: Vec::new(),
        questions: Vec::new(),
        apart: Vec::new(),
        unread: Vec::new(),
        open: Vec::new(),
        answered: Vec::new(),
        disputed: false,
        excepted: Vec::new(),
        by_pieces: false,
        least_sure: None,
        pieces: Vec::new(),
        other: None,
        handed_in: true,
        ..own.clone()
    };
    for task in &given.tasks {
        taking.task(task, &mut notes);
    }
    let old: Vec<String> = (1..=own.tasks.len()).map(|at| format!("t{at}")).collect();
    let mut ids: BTreeSet<&str> = BTreeSet::new();
    // An order may name an event that stands behind it.
    let is_order = |constraint: &&GivenConstraint| constraint.kind == Some(Kind::Order);
    let (orders, others): (Vec<_>, Vec<_>) = given.constraints.iter().partition(is_order);
    for constraint in others.into_iter().chain(orders) {
        if !ids.insert(&constraint.id) {
            taking.refuse(format!("constraint `{}`: there are two of that id", constraint.id));
            continue;
        }
        taking.constraint(constraint, own, &old, &mut notes);
    }
    unite_windows(&mut notes);
    // What code assumed of words that it read otherwise, or not any more, is assumed no longer.
    let unchanged: Vec<&str> =
        given.constraints.iter().filter(|own| own.unchanged).map(|own| own.words.quote.as_str()).collect();
    notes.assumptions.retain(|line| {
        let words = line.split('"').nth(1).unwrap_or_default();
        !words.is_empty() && unchanged.iter().any(|quote| quote.contains(words))
    });
    notes.assumptions.append(&mut taking.assumptions);
    let said = notes.said();
    for (at, own) in said.iter().enumerate() {
        if let (Some(min), Some(max)) = (own.minutes_min, own.minutes_max)
            && max < min
        {
            let name = crate::checks::quoted(&notes.tasks[at].text);
            taking.refuse(format!(
                "{name} takes at least {min} and at most {max} minutes: its durations contradict each other"
            ));
        }
    }
    for task in &given.tasks {
        let Some(at) = taking.tasks.get(&task.id).copied() else { continue };
        let quote = notes.tasks[at].quote.clone();
        let mut add = |rule: Rule, what: &str| {
            let id = format!("{}-{what}", task.id);
            notes.constraints.push(Constraint { id, rule, quote: Some(quote.clone()), hard: true });
        };
        let is_said = said[at].minutes_min.is_some() || said[at].minutes_max.is_some();
        if let Some(minutes) = task.minutes.filter(|_| !is_said) {
            add(Rule::Duration { task: at, minutes_min: Some(minutes), minutes_max: Some(minutes) }, "minutes");
        }
        if task.must && !said[at].must_do {
            add(Rule::MustDo { task: at, within: None }, "must");
        }
    }
    for (words, reason) in &given.apart {
        if let Some(quote) = taking.quote("set_apart", words) {
            notes.apart.push(Apart { quote, reason: *reason });
        }
    }
    for (words, why) in &given.unread {
        if let Some(quote) = taking.quote("unread", words) {
            notes.unread.push(Unread { quote, why: why.clone(), must: true });
        }
    }
    let forgotten = forgotten(own, &notes);
    notes.unread.extend(forgotten);
    (notes, taking.refused)
}

/// Tasks and fixed events that code reads in words of which a reading says nothing: neither as something to do or to heed, nor as set apart.
/// They are listed and move nothing, since the reading replaces that of code.
fn forgotten(own: &Notes, given: &Notes) -> Vec<Unread> {
    let spans = |notes: &Notes| -> Vec<Span> {
        let tasks = notes.tasks.iter().map(|it| it.quote.span());
        let constraints = notes.constraints.iter().filter_map(|it| Some(it.quote.as_ref()?.span()));
        let apart = notes.apart.iter().map(|it| it.quote.span());
        tasks.chain(constraints).chain(apart).chain(notes.unread.iter().map(|it| it.quote.span())).collect()
    };
    let said = spans(given);
    let is_event = |own: &&Constraint| matches!(own.rule, Rule::FixedEvent { .. });
    let tasks = own.tasks.iter().map(|it| &it.quote);
    let events = own.constraints.iter().filter(is_event).filter_map(|it| it.quote.as_ref());
    let mut out: Vec<&Quote> = tasks.chain(events).collect();
    out.sort_by_key(|it| (it.span().start, it.span().end));
    out.dedup();
    out.retain(|it| !said.iter().any(|span| span.start < it.span().end && it.span().start < span.end));
    let why = "the reading that was handed in says nothing of it";
    out.into_iter().map(|it| Unread { quote: it.clone(), why: why.to_owned(), must: false }).collect()
}

/// One order for each pair of tasks.
fn orders(first: &[usize], then: &[usize], gap: i64) -> Vec<Rule> {
    let pairs = first.iter().flat_map(|first| then.iter().map(move |then| (*first, *then)));
    pairs.filter(|(first, then)| first != then).map(|(first, then)| Rule::Order { first, then, gap }).collect()
}

/// Of a task, or all work, with several windows that have nothing in common each is one in which it may be done: "free 10 to 11 and 3 to 4" said in two constraints.
fn unite_windows(notes: &mut Notes) {
    let windows = |own: &Constraint| match &own.rule {
        Rule::TaskTimes { tasks, when, only: true } if own.hard && when.is_unique() => {
            Some((tasks.clone(), when.first().clone()))
        }
        Rule::Availability { who: None, when } if own.hard && when.is_unique() => {
            Some((Vec::new(), when.first().clone()))
        }
        _ => None,
    };
    let all: Vec<Option<(Vec<usize>, Vec<Interval>)>> = notes.constraints.iter().map(windows).collect();
    for (at, own) in all.iter().enumerate() {
        let Some((tasks, times)) = own else { continue };
        let others = all.iter().enumerate().filter(|(other, _)| *other != at).filter_map(|(_, own)| own.as_ref());
        let apart = others.filter(|(of, other)| of == tasks && shared(other, times).is_empty());
        let united = merged(apart.flat_map(|(_, other)| other).chain(times).copied().collect());
        if let Rule::TaskTimes { when, .. } | Rule::Availability { when, .. } = &mut notes.constraints[at].rule {
            *when = Readings::unique(united);
        }
    }
}

impl Taking<'_> {
    fn refuse(&mut self, why: String) {
        self.refused.push(why);
    }

    fn quote(&mut self, what: &str, words: &Words) -> Option<Quote> {
        let stands = |span: &Span| self.document.source.get(span.start..span.end) == Some(words.quote.as_str());
        let span = words.span.filter(stands).or_else(|| self.index.locate(&words.quote).map(|found| found.span));
        let quote = span.and_then(|span| Quote::cut(self.file, self.document, span));
        if quote.is_none() {
            self.refuse(format!("{what}: \"{}\" does not stand in the notes", words.quote));
        }
        quote
    }

    fn task(&mut self, given: &GivenTask, notes: &mut Notes) {
        let what = format!("task `{}`", given.id);
        let Some(quote) = self.quote(&what, &given.words) else { return };
        let text = given.name.clone().unwrap_or_else(|| quote.text().split_whitespace().collect::<Vec<_>>().join(" "));
        let stems = intent(&text);
        if stems.is_empty() {
            return self.refuse(format!("{what}: \"{text}\" does not say what is to be done"));
        }
        if given.minutes.is_some_and(|minutes| !(1..24 * 60).contains(&minutes)) {
            return self.refuse(format!("{what}: `minutes` is not between 1 and 1439"));
        }
        if given.must && given.optional {
            return self.refuse(format!("{what}: it is `must` and `optional` at once"));
        }
        if self.tasks.contains_key(&given.id) {
            return self.refuse(format!("{what}: there are two of that id"));
        }
        self.tasks.insert(given.id.clone(), notes.tasks.len());
        notes.vocabulary.extend(stems.iter().cloned());
        notes.tasks.push(Task {
            intent: stems,
            text,
            priority: if given.optional { Priority::Optional } else { Priority::Normal },
            with: Vec::new(),
            place: None,
            in_one_go: given.whole || self.whole.iter().any(|span| span.overlaps(quote.span())),
            quote,
        });
    }

    /// The places of tasks, by their ids.
    fn named(&mut self, what: &str, ids: &[String]) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for id in ids {
            match self.tasks.get(id) {
                Some(at) => found.push(*at),
                None => self.refuse(format!("{what}: there is no task `{id}`")),
            }
        }
        (found.len() == ids.len()).then_some(found)
    }

    /// Tasks and fixed events, by their ids.
    fn named_or_events(&mut self, what: &str, ids: &[String]) -> Option<(Vec<usize>, Vec<Interval>)> {
        let (events, tasks): (Vec<String>, Vec<String>) =
            ids.iter().cloned().partition(|id| !self.tasks.contains_key(id) && self.events.contains_key(id));
        let events = events.iter().filter_map(|id| self.events.get(id).copied()).collect();
        Some((self.named(what, &tasks)?, events))
    }

    fn instant(&mut self, what: &str, member: &str, text: Option<&String>) -> Option<Option<Timestamp>> {
        let Some(text) = text else { return Some(None) };
        let found = text.parse::<Timestamp>().ok();
        if found.is_none() {
            self.refuse(format!(
                "{what}: `{member}` \"{text}\" is no time with an offset, such as {}",
                self.now.timestamp().to_zoned(self.now.time_zone().clone()).strftime("%Y-%m-%dT%H:%M:%S%:z")
            ));
        }
        found.map(Some)
    }

    fn constraint(&mut self, given: &GivenConstraint, own: &Notes, old: &[String], notes: &mut Notes) {
        let what = format!("constraint `{}`", given.id);
        let Some(quote) = self.quote(&what, &given.words) else { return };
        let what = format!("{what} ({})", crate::checks::quoted(quote.text()));
        let Some(excepted) = self.named(&what, &given.excepted) else { return };
        let rules = if given.unchanged {
            self.rule_of_code(&what, given, own, old).map(|rule| vec![rule])
        } else {
            self.rules(&what, given, &quote)
        };
        let Some(rules) = rules else { return };
        let many = rules.len() > 1;
        for (at, rule) in rules.into_iter().enumerate() {
            let id = if many { format!("{}.{}", given.id, at + 1) } else { given.id.clone() };
            let rule = match rule {
                Rule::Preference { .. } => rule,
                rule if given.soft => Rule::Preference { wish: Box::new(rule) },
                rule => rule,
            };
            let hard = !given.soft && !matches!(rule, Rule::Preference { .. });
            notes.excepted.extend(excepted.iter().map(|task| (id.clone(), *task)));
            notes.constraints.push(Constraint { id, rule, quote: Some(quote.clone()), hard });
        }
    }

    /// The rule that code read, with its tasks where they are now.
    fn rule_of_code(&mut self, what: &str, given: &GivenConstraint, own: &Notes, old: &[String]) -> Option<Rule> {
        let Some(constraint) = own.constraints.iter().find(|it| it.id == given.id) else {
            self.refuse(format!("{what}: code reads none of that id"));
            return None;
        };
        let places: Vec<Option<usize>> = old.iter().map(|id| self.tasks.get(id).copied()).collect();
        let rule = crate::again::moved(&constraint.rule, &places);
        if rule.is_none() {
            self.refuse(format!("{what}: it is about a task that is not there any more"));
        }
        rule
    }

    fn rules(&mut self, what: &str, given: &GivenConstraint, quote: &Quote) -> Option<Vec<Rule>> {
        let start = self.instant(what, "start", given.start.as_ref())?;
        let end = self.instant(what, "end", given.end.as_ref())?;
        let tasks = self.named(what, &given.tasks)?;
        let (first, events_first) = self.named_or_events(what, &given.first)?;
        let (then, events_then) = self.named_or_events(what, &given.then)?;
        let Some(kind) = given.kind else {
            self.refuse(format!("{what}: it has no kind"));
            return None;
        };
        let is_moment = kind == Kind::FixedEvent && start.is_some() && start == end;
        if let (Some(start), Some(end)) = (start, end)
            && end <= start
            && !is_moment
        {
            self.refuse(format!("{what}: its `end` is not after its `start`"));
            return None;
        }
        let unused = unused(kind, given);
        if !unused.is_empty() {
            self.refuse(format!("{what}: {} says nothing of a constraint of kind {}", unused.join(", "), kind.name()));
            return None;
        }
        // Of an exclusion the one is how long a rest is, the other how long work is on end.
        let bounds = given.minutes_min.zip(given.minutes_max).filter(|_| kind != Kind::Exclusion);
        if bounds.is_some_and(|(min, max)| max < min) {
            self.refuse(format!("{what}: its `minutes_max` is less than its `minutes_min`"));
            return None;
        }
        let mut missing = |member: &str| {
            self.refuse(format!("{what}: a constraint of kind {} needs {member}", kind.name()));
            None
        };
        let when = Interval::new(start.unwrap_or(Timestamp::MIN), end.unwrap_or(Timestamp::MAX));
        let open = start.is_none() && end.is_none();
        let times = || Readings::unique(vec![when]);
        let of_each = |rule: &dyn Fn(Option<usize>) -> Rule| -> Vec<Rule> {
            if tasks.is_empty() { vec![rule(None)] } else { tasks.iter().map(|task| rule(Some(*task))).collect() }
        };
        Some(match kind {
            Kind::FixedEvent => {
                let Some(start) = start else { return missing("`start`") };
                let name = given.name.clone().unwrap_or_else(|| quote.text().to_owned());
                let said = end.map(|end| crate::window::minutes_between(start, end));
                let said = said.or(given.minutes_max).or(given.minutes_min);
                let minutes = said.unwrap_or(EVENT_MINUTES).max(TIMEBOX_MINUTES_MIN);
                if said != Some(minutes) {
                    let name = crate::checks::quoted(&name);
                    self.assumptions.push(format!("{name} is taken to last {}", counted(minutes, "minute")));
                }
                let when = Interval::new(
                    start,
                    end.filter(|end| *end > start && said == Some(minutes))
                        .unwrap_or_else(|| crate::window::minutes_after(start, minutes)),
                );
                self.events.insert(given.id.clone(), when);
                if tasks.is_empty() {
                    vec![Rule::FixedEvent { name, when: Readings::unique(vec![when]), with: Vec::new(), place: None }]
                } else {
                    let long = Some(when.minutes()).filter(|_| said.is_some());
                    let lasts = |task: &usize| Rule::Duration { task: *task, minutes_min: long, minutes_max: long };
                    let lengths: Vec<Rule> =
                        tasks.iter().filter(|_| tasks.len() == 1 && long.is_some()).map(lasts).collect();
                    let mut rules = vec![Rule::TaskTimes { tasks, when: Readings::unique(vec![when]), only: true }];
                    rules.extend(lengths);
                    rules
                }
            }
            Kind::Blocked if open => return missing("`start` or `end`"),
            Kind::Blocked => vec![Rule::Blocked { name: given.name.clone(), who: None, when: times() }],
            Kind::Travel if start.is_some() && end.is_some() => {
                vec![Rule::Blocked {
                    name: given.name.clone().or_else(|| Some("the way".to_owned())),
                    who: None,
                    when: times(),
                }]
            }
            Kind::Deadline => match end {
                Some(by) => of_each(&|task| Rule::Deadline { task, by: Readings::unique(by) }),
                None => return missing("`end`"),
            },
            Kind::NotBefore => match start {
                Some(from) => of_each(&|task| Rule::NotBefore { task, from: Readings::unique(from) }),
                None => return missing("`start`"),
            },
            Kind::Availability if open => return missing("`start` or `end`"),
            Kind::Availability if tasks.is_empty() => vec![Rule::Availability { who: None, when: times() }],
            Kind::Availability => vec![Rule::TaskTimes { tasks, when: times(), only: true }],
            Kind::Exclusion if given.minutes_min.is_some() && given.minutes_max.is_none() => {
                return missing("`minutes_max` beside `minutes_min`");
            }
            Kind::Exclusion if tasks.is_empty() && (given.minutes_max.is_none() || !open) => return missing("`tasks`"),
            Kind::Exclusion => {
                let run = given.minutes_max.map(|minutes_max| Rule::Run {
                    tasks: tasks.clone(),
                    minutes_max,
                    rest: given.minutes_min.unwrap_or(BREAK_MINUTES_MIN),
                });
                let never = (run.is_none() || !open).then(|| Rule::TaskTimes { tasks, when: times(), only: false });
                never.into_iter().chain(run).collect()
            }
            Kind::MustDo if tasks.is_empty() => return missing("`tasks`"),
            Kind::MustDo => tasks.iter().map(|task| Rule::MustDo { task: *task, within: None }).collect(),
            Kind::Duration if tasks.is_empty() => return missing("`tasks`"),
            Kind::Duration if given.minutes_min.is_none() && given.minutes_max.is_none() => {
                return missing("`minutes_min` or `minutes_max`");
            }
            Kind::Duration => tasks
                .iter()
                .map(|task| Rule::Duration {
                    task: *task,
                    minutes_min: given.minutes_min,
                    minutes_max: given.minutes_max,
                })
                .collect(),
            Kind::Order if given.first.is_empty() || given.then.is_empty() => return missing("`first` and `then`"),
            Kind::Order if !events_first.is_empty() || !events_then.is_empty() => {
                let gap = given.minutes_min.unwrap_or_default();
                let after = events_first.iter().map(|event| event.end).max();
                let before = events_then.iter().map(|event| event.start).min();
                let mut rules = Vec::new();
                for (task, after) in then.iter().filter_map(|task| Some((*task, after?))) {
                    let from = Readings::unique(crate::window::minutes_after(after, gap));
                    rules.push(Rule::NotBefore { task: Some(task), from });
                }
                for (task, before) in first.iter().filter_map(|task| Some((*task, before?))) {
                    let by = Readings::unique(crate::window::minutes_after(before, -gap));
                    rules.push(Rule::Deadline { task: Some(task), by });
                }
                rules.extend(orders(&first, &then, gap));
                rules
            }
            Kind::Order => orders(&first, &then, given.minutes_min.unwrap_or_default()),
            Kind::Total if given.minutes_min.is_none() && given.minutes_max.is_none() => {
                return missing("`minutes_min` or `minutes_max`");
            }
            Kind::Total => {
                vec![Rule::Total { unit: Unit::Minutes, tasks, min: given.minutes_min, max: given.minutes_max }]
            }
            Kind::Preference if tasks.is_empty() || open => {
                return missing("`tasks`, and `start` or `end`");
            }
            Kind::Preference => {
                let wish = Rule::TaskTimes { tasks, when: times(), only: true };
                vec![Rule::Preference { wish: Box::new(wish) }]
            }
            Kind::Objective => vec![Rule::Objective { tasks }],
            Kind::Travel | Kind::Presence | Kind::Connection | Kind::Stay | Kind::Contract => {
                self.refuse(format!("{what}: one of kind {} can be kept as code read it, or left out", kind.name()));
                return None;
            }
        })
    }
}
