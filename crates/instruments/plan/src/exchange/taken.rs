//! What is taken of a model's reading of notes: what code locates in them and finds borne out by their figures, and where the readings of the two differ.

use std::collections::{BTreeMap, BTreeSet};

use steadfast_evidence::{Evaluated, FileId, Quote};
use steadfast_text::{Document, QuoteIndex, Span};

use super::Aside;
use super::extract::{Extracted, ProposedQuestion};
use super::figures::Figures;
use crate::again::moved;
use crate::answer::{self, Form};
use crate::ask::is_task_verb;
use crate::checks::quoted;
use crate::document::{GivenReading, read_what_holds};
use crate::free::Settings;
use crate::matching::Matcher;
use crate::model::{Constraint, Notes, Rule, Said, Task};
use crate::open::{AnswerError, Choice, Effect, OpenQuestion, QUESTIONS_MAX, Unread};
use crate::variant::{Variant, run};
use crate::verdict::validate;

/// Ids of constraints that a model reads begin with this.
const READ: &str = "m";

/// A reading that a model made, as far as code can stand for it.
#[derive(Clone, Debug)]
pub struct TakenReading {
    /// The notes as the model reads them. What calendars hold stands in them as well.
    pub notes: Notes,
    /// What code requires of the notes, the model does not, and the plan of the model's reading breaks: over the tasks of `notes`.
    pub disputed: Vec<Constraint>,
    /// What was not taken.
    pub aside: Vec<Aside>,
    /// What code reads in the notes and the model does not.
    beyond: Vec<Beyond>,
}

/// Something that code reads in the notes and a model does not.
#[derive(Clone, Debug)]
struct Beyond {
    /// Whether it is meant so.
    question: OpenQuestion,
    /// The constraint; `None` where it is a task.
    constraint: Option<Constraint>,
    /// Whether the model reads the same words otherwise.
    is_read_otherwise: bool,
}

/// Takes a model's reading of notes in the place of code's, which is `own`. Quotes that do not stand in the notes, times and lengths that no figure of the
/// notes says, and what does not hold together is set aside or asked about.
/// Where the two read the same words otherwise the model's reading holds, since whoever plans has chosen it; what it says nothing of is not dropped for that.
///
/// [`TakenReading::settle`] says afterwards what is left to ask.
///
/// # Errors
/// Why the reading cannot stand for all of the notes, so that code's stands.
pub fn take_reading(
    file: FileId,
    document: &Document,
    own: &Notes,
    extracted: Extracted,
) -> Result<TakenReading, String> {
    let Extracted { reading, questions, mut aside, nothing, full, unread_bytes } = extracted;
    if let Some(nothing) = nothing.first() {
        return Err(format!("of a part of the notes no reading came: {nothing}"));
    }
    if let Some(list) = full.first() {
        return Err(format!("its list of {list} is full, so more may be missing"));
    }
    if unread_bytes > 0 {
        return Err(format!("it was not shown the last {unread_bytes} bytes of the notes"));
    }
    let mut reading = numbered(reading);
    let doubts = doubts(document, own, &mut reading, &mut aside);
    let (mut notes, refused) = read_what_holds(file, document, own, &reading);
    aside.extend(refused.into_iter().map(|why| {
        let (what, reason) = why.split_once(": ").unwrap_or(("", why.as_str()));
        Aside::new("reading", what, reason)
    }));
    if notes.tasks.is_empty() && notes.constraints.is_empty() {
        return Err("it has neither a task nor a constraint with words of the notes".to_owned());
    }
    let elsewhere = own.constraints.iter().filter(|it| it.quote.as_ref().is_some_and(|quote| quote.file() != file));
    notes.constraints.extend(elsewhere.cloned());
    ask(file, document, &mut notes, questions, &mut aside);
    lengths(own, &mut notes, &doubts.lengths);
    for (id, why) in &doubts.constraints {
        doubt(&mut notes, id, why);
    }
    let beyond = beyond(own, &notes);
    Ok(TakenReading { notes, disputed: Vec::new(), aside, beyond })
}

impl TakenReading {
    /// Takes answers, and asks what they leave: of words of which the model says nothing the tasks, and the constraints that the plan would break.
    ///
    /// # Errors
    /// [`AnswerError`]
    pub fn settle(&mut self, settings: &Settings, answers: &[(String, String)]) -> Result<(), AnswerError> {
        for (id, answer) in answers {
            if let Some(at) = self.beyond.iter().position(|own| own.question.id == *id) {
                self.notes.open.push(self.beyond.remove(at).question);
            }
            self.notes.answer(id, answer)?;
            let asked = self.notes.open.iter().position(|own| own.id == *id).map(|at| self.notes.open.remove(at));
            self.notes.unread.retain(|own| asked.as_ref().is_none_or(|asked| asked.quote != own.quote));
        }
        let broken = self.broken(settings);
        for own in &self.beyond {
            let matters = own.constraint.as_ref().is_none_or(|constraint| broken.contains(&constraint.id));
            if !matters {
                continue;
            }
            self.disputed.extend(own.constraint.clone());
            if own.is_read_otherwise {
                continue;
            }
            let quote = own.question.quote.clone();
            self.notes.unread.push(Unread { quote, why: own.question.text.clone(), must: true });
            self.notes.open.push(own.question.clone());
        }
        self.notes.open.truncate(QUESTIONS_MAX);
        Ok(())
    }

    /// The constraints of code beyond the model's that the plan of the model's reading breaks, by their ids.
    fn broken(&self, settings: &Settings) -> BTreeSet<String> {
        let beyond: Vec<Constraint> = self.beyond.iter().filter_map(|own| own.constraint.clone()).collect();
        if beyond.is_empty() {
            return BTreeSet::new();
        }
        let Evaluated::Value(planned) = run(&self.notes, settings, Variant::default()) else { return BTreeSet::new() };
        let mut both = self.notes.clone();
        both.constraints.extend(beyond);
        let answer = answer::read(&both, &planned.items, Form::Plan);
        let Evaluated::Value(validation) = validate(&both, &answer, settings) else { return BTreeSet::new() };
        validation.findings.into_iter().filter(|it| it.hard).filter_map(|it| it.constraint_id).collect()
    }
}

/// The same with constraints called `m1`, `m2` … in their order.
fn numbered(mut reading: GivenReading) -> GivenReading {
    let tasks: BTreeSet<&String> = reading.tasks.iter().map(|own| &own.id).collect();
    let ids: BTreeMap<String, String> = (1..)
        .zip(&reading.constraints)
        .map(|(number, own)| (own.id.clone(), format!("{READ}{number}")))
        .filter(|(id, _)| !tasks.contains(id))
        .collect();
    for (number, own) in (1..).zip(&mut reading.constraints) {
        own.id = format!("{READ}{number}");
        for id in own.first.iter_mut().chain(&mut own.then) {
            if let Some(new) = ids.get(id) {
                id.clone_from(new);
            }
        }
    }
    reading
}

/// What of a reading no figure of the notes bears out.
#[derive(Default)]
struct Doubts {
    /// The words of tasks whose length was set aside.
    lengths: Vec<String>,
    /// The ids of constraints, and why.
    constraints: Vec<(String, String)>,
}

/// Finds what no figure bears out. Lengths of tasks are set aside.
fn doubts(document: &Document, own: &Notes, reading: &mut GivenReading, aside: &mut Vec<Aside>) -> Doubts {
    let figures = Figures::new(document, own);
    let mut doubts = Doubts::default();
    for task in &mut reading.tasks {
        if let Some(why) = figures.of_task(task) {
            aside.push(Aside::new("minutes", &task.words.quote, why));
            doubts.lengths.push(task.words.quote.clone());
            task.minutes = None;
        }
    }
    let unlikely = reading.constraints.iter().filter_map(|it| Some((it.id.clone(), figures.of_constraint(it)?)));
    doubts.constraints.extend(unlikely);
    doubts
}

/// Makes a question of a constraint.
fn doubt(notes: &mut Notes, id: &str, why: &str) {
    let is_of = |own: &Constraint| own.id.split('.').next() == Some(id);
    let (doubted, sure) = std::mem::take(&mut notes.constraints).into_iter().partition::<Vec<_>, _>(is_of);
    notes.constraints = sure;
    let Some(quote) = doubted.first().and_then(|own| own.quote.clone()) else { return };
    let kind = doubted[0].kind().name();
    let words = quoted(quote.text().trim());
    let text = format!("The model reads {words} as {}, and {why}. Is it meant so?", kind.replace('_', " "));
    notes.unread.push(Unread { quote: quote.clone(), why: why.to_owned(), must: true });
    notes.open.push(OpenQuestion {
        id: format!("{}-{id}", question_id(quote.span())),
        text,
        quote,
        choices: yes_or_no(Effect::Rules(doubted.into_iter().map(|own| own.rule).collect())),
        changes_plan: true,
    });
}

/// The id of a question about words of the notes.
fn question_id(span: Span) -> String {
    format!("{READ}{}", span.start)
}

/// Makes questions of a model open questions: its answers stand for themselves, since the model reads the notes again with them.
fn ask(file: FileId, document: &Document, notes: &mut Notes, questions: Vec<ProposedQuestion>, aside: &mut Vec<Aside>) {
    let index = QuoteIndex::new(document);
    for own in questions {
        let quote = index.locate(&own.quote).and_then(|found| Quote::cut(file, document, found.span));
        let refused = match &quote {
            None => Some("its quote does not stand in the notes"),
            Some(_) if !own.question.ends_with('?') => Some("it is no question"),
            Some(_) if own.choices.len() < 2 => Some("it does not offer two answers"),
            Some(quote) if notes.open.iter().any(|it| it.id == question_id(quote.span())) => {
                Some("it is asked already")
            }
            Some(_) => None,
        };
        let Some(quote) = quote.filter(|_| refused.is_none()) else {
            aside.push(Aside::new("question", &own.question, refused.unwrap_or_default()));
            continue;
        };
        let choice = |text: String| Choice { text, effect: Effect::NothingMore };
        notes.unread.push(Unread { quote: quote.clone(), why: "it can be meant in two ways".to_owned(), must: true });
        notes.open.push(OpenQuestion {
            id: question_id(quote.span()),
            text: own.question,
            quote,
            choices: own.choices.into_iter().map(choice).collect(),
            changes_plan: true,
        });
    }
}

/// Whether a question is one that a model asked: its answers stand for themselves until the model reads the notes with one.
#[must_use]
pub fn is_of_the_model(question: &OpenQuestion) -> bool {
    question.id.starts_with(READ) && question.choices.iter().all(|choice| choice.effect == Effect::NothingMore)
}

/// For each task of code the task of a model that stands in the same words, or else is named by them.
fn places(own: &Notes, notes: &Notes) -> Vec<Option<usize>> {
    let matcher = Matcher::new(notes);
    own.tasks
        .iter()
        .map(|task| {
            let span = task.quote.span();
            let shared = |at: usize| {
                let other = notes.tasks[at].quote.span();
                other.end.min(span.end).saturating_sub(other.start.max(span.start))
            };
            let best = (0..notes.tasks.len()).filter(|at| shared(*at) > 0).max_by_key(|at| shared(*at));
            best.or_else(|| match matcher.tasks(&task.intent.iter().cloned().collect()).as_slice() {
                [only] => Some(*only),
                _ => None,
            })
        })
        .collect()
}

/// Gives tasks at these words the length that code reads.
fn lengths(own: &Notes, notes: &mut Notes, words: &[String]) {
    let places = places(own, notes);
    for constraint in own.constraints.iter().filter(|it| matches!(it.rule, Rule::Duration { .. })) {
        let Some(rule @ Rule::Duration { task, .. }) = moved(&constraint.rule, &places) else { continue };
        if words.iter().any(|quote| quote == notes.tasks[task].quote.text()) {
            notes.constraints.push(Constraint { rule, ..constraint.clone() });
        }
    }
}

/// What code reads in the notes and a model does not, each with its question.
fn beyond(own: &Notes, notes: &Notes) -> Vec<Beyond> {
    let places = places(own, notes);
    let known: BTreeSet<&str> = notes.constraints.iter().map(|it| it.id.as_str()).collect();
    let said = spans(notes);
    let is_said = |quote: &Quote| said.iter().any(|span| span.overlaps(quote.span()));
    // Of words that a model says nothing of, what one of code's readings has and the other does not is not asked about.
    let of_other: Option<Vec<Span>> = own.other.as_ref().map(|other| {
        let tasks = other.tasks.iter().map(|own| own.quote.span());
        tasks.chain(other.constraints.iter().filter_map(|own| Some(own.quote.as_ref()?.span()))).collect()
    });
    let is_of_both =
        |quote: &Quote| of_other.as_ref().is_none_or(|all| all.iter().any(|span| span.overlaps(quote.span())));
    let mut all: Vec<Beyond> = own
        .constraints
        .iter()
        .filter(|it| it.hard && !known.contains(it.id.as_str()))
        .filter_map(|it| Some(Constraint { rule: moved(&it.rule, &places)?, ..it.clone() }))
        .filter(|it| !notes.constraints.iter().any(|other| other.rule == it.rule))
        .filter(|it| it.quote.as_ref().is_some_and(|quote| is_said(quote) || is_of_both(quote)))
        .filter_map(|it| {
            let question = of_constraint(&it)?;
            Some(Beyond { is_read_otherwise: is_said(&question.quote), question, constraint: Some(it) })
        })
        .collect();
    // A fragment that nothing else speaks of is listed as not planned; it is not asked about.
    let acts = |task: &Task| task.text.split_whitespace().next().is_some_and(|word| is_task_verb(&word.to_lowercase()));
    let tasks = own.tasks.iter().zip(own.said());
    let silent = tasks.filter(|(task, said)| {
        !is_said(&task.quote) && is_of_both(&task.quote) && (acts(task) || *said != Said::default())
    });
    all.extend(silent.map(|(task, _)| Beyond { question: of_task(task), constraint: None, is_read_otherwise: false }));
    let mut ids = BTreeSet::new();
    all.retain(|own| ids.insert(own.question.id.clone()));
    all
}

/// Where a reading says something.
fn spans(notes: &Notes) -> Vec<Span> {
    let tasks = notes.tasks.iter().map(|own| &own.quote);
    let constraints = notes.constraints.iter().filter_map(|own| own.quote.as_ref());
    let apart = notes.apart.iter().map(|own| &own.quote);
    tasks.chain(constraints).chain(apart).chain(notes.open.iter().map(|own| &own.quote)).map(Quote::span).collect()
}

fn of_constraint(own: &Constraint) -> Option<OpenQuestion> {
    let quote = own.quote.clone()?;
    let kind = own.kind().name().replace('_', " ");
    let words = quoted(quote.text().trim());
    Some(OpenQuestion {
        id: format!("{}-{}", question_id(quote.span()), own.kind().name()),
        text: format!("Rules read {words} as {kind}, the model does not. Is it meant so?"),
        quote,
        choices: yes_or_no(Effect::Rules(vec![own.rule.clone()])),
        changes_plan: true,
    })
}

fn of_task(own: &Task) -> OpenQuestion {
    OpenQuestion {
        id: format!("{}-task", question_id(own.quote.span())),
        text: format!("The model says nothing of {}. Is it to be done?", quoted(&own.text)),
        quote: own.quote.clone(),
        choices: yes_or_no(Effect::Task(None)),
        changes_plan: true,
    }
}

fn yes_or_no(yes: Effect) -> Vec<Choice> {
    vec![Choice { text: "yes".to_owned(), effect: yes }, Choice { text: "no".to_owned(), effect: Effect::NothingMore }]
}
