//! What is taken of somebody's proposals: what code locates in the notes, and reads out of the located words by itself.

use steadfast_evidence::{FileId, Quote};
use steadfast_text::{Document, Format, QuoteIndex, Span};

use super::Aside;
use crate::ask::{self, OfThisDay};
use crate::free::Settings;
use crate::matching::{Events, Matcher};
use crate::model::{Constraint, Notes, Rule, Task, vocabulary};

/// Most proposals of one kind that are looked at; the rest is set aside.
const LOOKED_AT_MAX: usize = 200;

/// What somebody proposes beside what code reads. Nothing of it has been looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposals {
    /// What is to be done.
    pub tasks: Vec<ProposedTask>,
    /// What is required.
    pub constraints: Vec<ProposedConstraint>,
}

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedTask {
    /// The words of the notes.
    pub quote: String,
}

/// Something required.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedConstraint {
    /// The name of its kind.
    pub kind: String,
    /// The words of the notes.
    pub quote: String,
    /// Those of them that say when; empty where none do.
    pub times: String,
}

/// What was taken of proposals.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// The notes as code reads them, and behind their own tasks and constraints what was proposed and taken. The ids of the latter begin
    /// with `m`.
    pub notes: Notes,
    /// How many tasks the notes have by themselves.
    pub own_tasks: usize,
    /// How many constraints the notes have by themselves.
    pub own_constraints: usize,
    /// What was not taken.
    pub aside: Vec<Aside>,
}

impl Accepted {
    /// The tasks that were taken.
    #[must_use]
    pub fn tasks(&self) -> &[Task] {
        self.notes.tasks.get(self.own_tasks..).unwrap_or_default()
    }

    /// The constraints that were taken.
    #[must_use]
    pub fn constraints(&self) -> &[Constraint] {
        self.notes.constraints.get(self.own_constraints..).unwrap_or_default()
    }
}

/// Takes of proposals what code can stand for. A task is words of the notes that code reads as something to do and has not read yet; a
/// constraint is words of the notes out of which code, reading them alone, makes a constraint of the kind that was proposed, and of
/// which it has none there yet. Nothing that the notes require by themselves is removed or changed.
///
/// `document` is the notes, file `file` of the sources, and `notes` what code read in them.
#[must_use]
pub fn accept(file: FileId, document: &Document, notes: &Notes, settings: &Settings, proposals: Proposals) -> Accepted {
    let mut taking = Taking {
        file,
        document,
        settings,
        index: QuoteIndex::new(document),
        of_this_day: OfThisDay::new(document, &notes.now),
        base: notes,
        accepted: Accepted {
            notes: notes.clone(),
            own_tasks: notes.tasks.len(),
            own_constraints: notes.constraints.len(),
            aside: Vec::new(),
        },
    };
    let Proposals { tasks, constraints } = proposals;
    // Tasks first: a constraint may speak of one that was proposed as well.
    for (at, proposed) in tasks.into_iter().enumerate() {
        taking.judge("task", &proposed.quote, at, |taking| taking.task(&proposed));
    }
    for (at, proposed) in constraints.into_iter().enumerate() {
        let text = format!("{}: {}", proposed.kind, proposed.quote);
        taking.judge("constraint", &text, at, |taking| taking.constraint(&proposed));
    }
    taking.accepted
}

struct Taking<'a> {
    file: FileId,
    document: &'a Document,
    settings: &'a Settings,
    index: QuoteIndex<'a>,
    of_this_day: OfThisDay,
    base: &'a Notes,
    accepted: Accepted,
}

/// Words of the notes: where they stand, and what a reader sees of them.
struct Found {
    quote: Quote,
    words: String,
}

const NOT_FOUND: &str = "its quote does not stand in the notes";

impl Taking<'_> {
    fn judge(&mut self, what: &'static str, text: &str, at: usize, take: impl FnOnce(&mut Self) -> Result<(), String>) {
        let taken = if at < LOOKED_AT_MAX {
            take(self)
        } else {
            Err(format!("more than {LOOKED_AT_MAX} of its kind were proposed"))
        };
        if let Err(reason) = taken {
            self.accepted.aside.push(Aside::new(what, text, reason));
        }
    }

    /// Words of the notes that stand in a line which speaks of this day.
    fn find(&self, quote: &str) -> Result<Found, String> {
        let located = self.index.locate(quote).ok_or(NOT_FOUND)?;
        if !self.is_whole_words(located.span) {
            return Err("its quote begins or ends within a word of the notes".to_owned());
        }
        let quote = Quote::cut(self.file, self.document, located.span).ok_or(NOT_FOUND)?;
        let words = seen(self.document, located.span);
        if words.is_empty() {
            return Err(NOT_FOUND.to_owned());
        }
        if !self.of_this_day.holds(located.span, &words) {
            return Err("its quote stands in no line of the notes that speaks of this day: it is done, struck out, \
                        quoted, a heading, meant for another day, or spread over several lines"
                .to_owned());
        }
        Ok(Found { quote, words })
    }

    fn is_whole_words(&self, span: Span) -> bool {
        let source = &self.document.source;
        let inner = source.get(span.range()).unwrap_or_default();
        let meets = |a: Option<char>, b: Option<char>| {
            a.is_some_and(char::is_alphanumeric) && b.is_some_and(char::is_alphanumeric)
        };
        let before = source.get(..span.start).and_then(|text| text.chars().next_back());
        let behind = source.get(span.end..).and_then(|text| text.chars().next());
        !meets(before, inner.chars().next()) && !meets(inner.chars().next_back(), behind)
    }

    /// What code reads in these words alone.
    fn read(&self, words: &str) -> Notes {
        let document = Document::from_str_as(words, Format::Markdown);
        ask::read(self.file, &document, &self.base.now, self.settings)
    }

    fn task(&mut self, proposed: &ProposedTask) -> Result<(), String> {
        let found = self.find(&proposed.quote)?;
        let span = found.quote.span();
        if let Some(own) = self.accepted.notes.tasks.iter().find(|task| overlap(task.quote.span(), span)) {
            return Err(format!("code has read a task there already: \"{}\"", own.text));
        }
        let read = self.read(&format!("- {}", found.words));
        let [task] = read.tasks.as_slice() else {
            return Err(if read.tasks.is_empty() {
                "code reads no task in these words".to_owned()
            } else {
                "code reads several tasks in these words".to_owned()
            });
        };
        if task.intent.is_empty() {
            return Err("its words do not say what is to be done".to_owned());
        }
        let stems = vocabulary(&task.text);
        if let Some(own) = Events::new(self.base).of(&stems).first().and_then(|at| self.base.constraints.get(*at)) {
            return Err(format!("code has read it as an event, {}, which needs no task", own.id));
        }
        let same = Matcher::new(&self.accepted.notes).tasks(&stems);
        if let Some(own) = same.first().and_then(|at| self.accepted.notes.tasks.get(*at)) {
            return Err(format!("code has read it already: \"{}\"", own.text));
        }
        let task = Task { quote: found.quote, ..task.clone() };
        self.accepted.notes.tasks.push(task);
        Ok(())
    }

    fn constraint(&mut self, proposed: &ProposedConstraint) -> Result<(), String> {
        let found = self.find(&proposed.quote)?;
        if !proposed.times.is_empty() && !holds_words(&found.words, &proposed.times) {
            return Err("its times are no words of its quote".to_owned());
        }
        let read = self.read(&found.words);
        let wanted = |constraint: &&Constraint| constraint.kind().name() == proposed.kind;
        let Some(constraint) = read.constraints.iter().find(wanted) else {
            let others: Vec<&str> = read.constraints.iter().map(|it| it.kind().name()).collect();
            return Err(if others.is_empty() {
                "code reads no constraint in these words".to_owned()
            } else {
                format!("code reads these words as {}", others.join(", "))
            });
        };
        let span = found.quote.span();
        let there = |own: &&Constraint| {
            own.kind() == constraint.kind() && own.quote.as_ref().is_some_and(|quote| overlap(quote.span(), span))
        };
        if let Some(own) = self.accepted.notes.constraints.iter().find(there) {
            return Err(format!("code has read that there already, as {}", own.id));
        }
        let matcher = Matcher::new(&self.accepted.notes);
        let task_of = |task: usize| {
            let text = &read.tasks.get(task)?.text;
            match matcher.tasks(&vocabulary(text)).as_slice() {
                [only] => Some(*only),
                _ => None,
            }
        };
        let rule = remapped(&constraint.rule, &task_of)
            .ok_or("it speaks of a task that cannot be told among those of the notes")?;
        if let Some(own) = self.accepted.notes.constraints.iter().find(|own| own.rule == rule) {
            return Err(format!("code has read the same already, as {}", own.id));
        }
        let id = format!("m{}", self.accepted.constraints().len() + 1);
        let hard = constraint.hard;
        self.accepted.notes.constraints.push(Constraint { id, rule, quote: Some(found.quote), hard });
        Ok(())
    }
}

const fn overlap(a: Span, b: Span) -> bool {
    a.start < b.end && b.start < a.end
}

/// The words at a place of a file as a reader sees them, with one space between two.
fn seen(document: &Document, span: Span) -> String {
    let mut words: Vec<&str> = Vec::new();
    for block in document.blocks.iter().filter(|block| overlap(block.span, span)) {
        let pieces = block.text.pieces();
        let mut pieces = pieces.iter().filter(|piece| overlap(piece.source, span));
        let Some(first) = pieces.next() else { continue };
        let last = pieces.next_back().unwrap_or(first);
        let start =
            if first.verbatim { first.plain + span.start.saturating_sub(first.source.start) } else { first.plain };
        let end = last.plain_end() - if last.verbatim { last.source.end.saturating_sub(span.end) } else { 0 };
        words.extend(block.text.plain.get(start..end).unwrap_or_default().split_whitespace());
    }
    words.join(" ")
}

/// Whether words hold others, up to white space and case.
fn holds_words(words: &str, others: &str) -> bool {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    folded(words).contains(&folded(others))
}

/// A rule over other tasks; `None` where one of its tasks has no other.
fn remapped(rule: &Rule, task_of: &dyn Fn(usize) -> Option<usize>) -> Option<Rule> {
    let mut rule = rule.clone();
    match &mut rule {
        Rule::Deadline { task: Some(task), .. }
        | Rule::NotBefore { task: Some(task), .. }
        | Rule::MustDo { task, .. }
        | Rule::Duration { task, .. } => *task = task_of(*task)?,
        Rule::Order { first, then, .. } => (*first, *then) = (task_of(*first)?, task_of(*then)?),
        Rule::Objective { tasks } => {
            for task in tasks {
                *task = task_of(*task)?;
            }
        }
        Rule::Preference { wish } => **wish = remapped(wish, task_of)?,
        _ => {}
    }
    Some(rule)
}
