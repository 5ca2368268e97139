//! What is taken of what a model read in a task: what stands in its words, says something that code does not, and asks for the same.

use std::collections::BTreeSet;

use steadfast_annotate::content_stems;
use steadfast_evidence::{FileId, Quote};
use steadfast_text::{Document, Format, QuoteIndex, Span};

use super::Aside;
use super::intake::{Proposed, Word};
use crate::intake::{self, INTENTS};
use crate::stage::Stage;
use crate::task::TaskSpec;

/// The longest wording of a question, in characters.
pub const WORDING_CHARACTERS_MAX: usize = 240;

/// Of the content words of a question one in so many has to stand in another wording of it. Uncalibrated.
const KEPT_WORDS_ONE_IN: usize = 3;

/// What was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// What the task is, where code reads it otherwise or not at all.
    pub readings: Vec<Reading>,
    /// What must hold beyond what code reads.
    pub constraints: Vec<Quote>,
    /// What should be asked beyond what code asks.
    pub questions: Vec<ProposedQuestion>,
    /// Questions of code in other words, by their place.
    pub wordings: Vec<Wording>,
    /// What was not taken.
    pub aside: Vec<Aside>,
}

/// One thing that the task is said to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// `intent`, `task_type`, `domain`, `stage` or `deliverable`.
    pub field: &'static str,
    /// What it is.
    pub value: String,
    /// The words of the task that say so.
    pub quote: Quote,
}

/// A question that a model would ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedQuestion {
    /// What is missing.
    pub what: String,
    /// The question.
    pub question: String,
    /// The words of the task that make it needed.
    pub quote: Quote,
}

/// A question in other words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    /// The question that code asks, by its place.
    pub question: usize,
    /// The other words.
    pub text: String,
}

/// Takes of a proposal what code can stand for. `spec` is what code reads in the task, `questions` what it asks. Neither is changed by it.
#[must_use]
pub fn accept(spec: &TaskSpec, questions: &[String], proposed: Proposed) -> Accepted {
    let document = Document::from_str_as(&spec.raw_query, Format::Plain);
    let taking = Taking { spec, questions, index: QuoteIndex::new(&document), document: &document };
    let mut accepted = Accepted::default();
    let judge = |what: &'static str, text: String, taken: Result<(), String>| {
        taken.err().map(|reason| Aside { what, text, reason })
    };
    let mut aside = Vec::new();
    for own in proposed.readings {
        let taken = taking.reading(&own, &mut accepted);
        aside.extend(judge(own.field, format!("{}: {}", own.value, own.quote), taken));
    }
    for own in proposed.constraints {
        let taken = taking.constraint(&own, &mut accepted);
        aside.extend(judge("constraint", own, taken));
    }
    for (what, question, quote) in proposed.missing {
        let taken = taking.question(&what, &question, &quote, &mut accepted);
        aside.extend(judge("question", question, taken));
    }
    let count = proposed.wordings.len();
    for (at, own) in proposed.wordings.into_iter().enumerate() {
        let taken = if count == questions.len() {
            taking.wording(at, &own)
        } else {
            Err(format!("{count} wordings were given for {} questions", questions.len()))
        };
        if taken.is_ok() {
            accepted.wordings.push(Wording { question: at, text: own.clone() });
        }
        aside.extend(judge("wording", own, taken));
    }
    accepted.aside = aside;
    accepted
}

struct Taking<'a> {
    spec: &'a TaskSpec,
    questions: &'a [String],
    document: &'a Document,
    index: QuoteIndex<'a>,
}

const NOT_FOUND: &str = "its quote does not stand in the task";

impl Taking<'_> {
    /// Whole words of the task.
    fn find(&self, quote: &str) -> Result<Quote, String> {
        let located = self.index.locate(quote).ok_or(NOT_FOUND)?;
        if !is_whole_words(&self.document.source, located.span) {
            return Err("its quote begins or ends within a word of the task".to_owned());
        }
        Ok(Quote::cut(FileId(0), self.document, located.span).ok_or(NOT_FOUND)?)
    }

    fn reading(&self, own: &Word, accepted: &mut Accepted) -> Result<(), String> {
        let quote = self.find(&own.quote)?;
        let spec = self.spec;
        let known = match own.field {
            "intent" => {
                if !INTENTS.contains(&own.value.as_str()) {
                    return Err("it is no intent that a prompt can have".to_owned());
                }
                spec.intent == own.value
            }
            "stage" => {
                let stage = Stage::ALL.iter().copied().find(|stage| stage.name() == own.value);
                spec.stages.contains(&stage.ok_or("it is no stage")?)
            }
            "deliverable" => {
                if folded(&own.value) != folded(quote.text()) {
                    return Err("it is other words than its quote".to_owned());
                }
                spec.deliverable.as_deref().map(folded) == Some(folded(&own.value))
            }
            // Open lists: what code, given these words alone, reads in them too.
            field => {
                let read = intake::kind(quote.text());
                let (read, whole) = match field {
                    "domain" => (read.domain.unwrap_or("none"), spec.domain_hint.as_deref()),
                    _ => (read.task_type, Some(spec.task_type.as_str())),
                };
                if read != own.value {
                    return Err(format!("code reads {read} in these words"));
                }
                whole == Some(read)
            }
        };
        let reading = Reading { field: own.field, value: own.value.clone(), quote };
        if known {
            return Err("code reads the same".to_owned());
        }
        if accepted.readings.iter().any(|it| (it.field, &it.value) == (reading.field, &reading.value)) {
            return Err("it was proposed already".to_owned());
        }
        accepted.readings.push(reading);
        Ok(())
    }

    fn constraint(&self, quote: &str, accepted: &mut Accepted) -> Result<(), String> {
        let quote = self.find(quote)?;
        let own = folded(quote.text());
        let task = folded(&self.spec.raw_query);
        if own == task {
            return Err("it is the whole task".to_owned());
        }
        if self.spec.constraints.iter().any(|known| {
            let known = folded(known);
            known.contains(&own) || own.contains(&known)
        }) {
            return Err("code reads it already".to_owned());
        }
        let span = quote.span();
        if accepted.constraints.iter().any(|it| it.span().start < span.end && span.start < it.span().end) {
            return Err("it was proposed already".to_owned());
        }
        accepted.constraints.push(quote);
        Ok(())
    }

    fn question(&self, what: &str, question: &str, quote: &str, accepted: &mut Accepted) -> Result<(), String> {
        let quote = self.find(quote)?;
        asks(question)?;
        let same = |other: &str| folded(other) == folded(question);
        let known = self.spec.missing.iter().any(|it| same(&it.question) || folded(&it.what) == folded(what));
        if known || self.questions.iter().any(|it| same(it)) {
            return Err("code asks it already".to_owned());
        }
        if accepted.questions.iter().any(|it| same(&it.question)) {
            return Err("it was proposed already".to_owned());
        }
        let (what, question) = (what.to_owned(), question.to_owned());
        accepted.questions.push(ProposedQuestion { what, question, quote });
        Ok(())
    }

    /// Whether other words ask for what a question asks for.
    fn wording(&self, at: usize, own: &str) -> Result<(), String> {
        let Some(question) = self.questions.get(at) else { return Err("code asks no such question".to_owned()) };
        // "What is “that”? Nothing before it says.": some questions of code end in a remark.
        plain(own)?;
        if !(own.ends_with('?') || own.contains('?') && !question.ends_with('?')) {
            return Err(NO_QUESTION.to_owned());
        }
        if own.chars().count() > WORDING_CHARACTERS_MAX {
            return Err(format!("it has more than {WORDING_CHARACTERS_MAX} characters"));
        }
        if folded(own) == folded(question) {
            return Err("it is worded as before".to_owned());
        }
        if let Some(lost) = quotations(question).into_iter().find(|words| !holds(&folded(own), &folded(words))) {
            return Err(format!("it drops “{lost}”"));
        }
        let missing = self.spec.missing.iter().find(|it| it.question == *question);
        let wanted = stems(question);
        let named = missing.map(|it| stems(&it.what)).unwrap_or_default();
        let kept = stems(own).iter().filter(|stem| wanted.contains(*stem) || named.contains(*stem)).count();
        if kept < wanted.len().div_ceil(KEPT_WORDS_ONE_IN).max(1) {
            return Err("it drops what is asked for".to_owned());
        }
        Ok(())
    }
}

const NO_QUESTION: &str = "it is no question of one line";

/// A question has its mark at its end.
fn asks(text: &str) -> Result<(), String> {
    if text.ends_with('?') { plain(text) } else { Err(NO_QUESTION.to_owned()) }
}

/// What is shown as a question or a reason is one line, and sends nobody anywhere.
pub(super) fn plain(text: &str) -> Result<(), String> {
    if text.chars().any(char::is_control) {
        return Err("it is not one line of plain text".to_owned());
    }
    let low = text.to_lowercase();
    if low.contains("://") || low.contains("www.") {
        return Err("it holds a web address".to_owned());
    }
    Ok(())
}

fn stems(text: &str) -> BTreeSet<String> {
    content_stems(text).into_iter().map(|(_, stem)| stem).collect()
}

/// A text in small letters, with one space between two words and plain quotation marks.
fn folded(text: &str) -> String {
    let plain = text.replace(['\u{201c}', '\u{201d}'], "\"").replace(['\u{2018}', '\u{2019}'], "'");
    plain.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a text holds these words, and not only within others.
fn holds(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| is_whole_words(text, Span::new(at, at + words.len())))
}

/// What stands in quotation marks.
fn quotations(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once('\u{201c}') {
        let Some((words, behind)) = behind.split_once('\u{201d}') else { break };
        found.push(words);
        rest = behind;
    }
    found
}

fn is_whole_words(source: &str, span: Span) -> bool {
    let inner = source.get(span.range()).unwrap_or_default();
    let meets =
        |a: Option<char>, b: Option<char>| a.is_some_and(char::is_alphanumeric) && b.is_some_and(char::is_alphanumeric);
    let before = source.get(..span.start).and_then(|text| text.chars().next_back());
    let behind = source.get(span.end..).and_then(|text| text.chars().next());
    !meets(before, inner.chars().next()) && !meets(inner.chars().next_back(), behind)
}
