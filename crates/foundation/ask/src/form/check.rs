//! Whether an answer has a form. The ways of counting are those of the checker that [`super`] names.

use regex::RegexBuilder;
use steadfast_annotate::Pattern;
use steadfast_annotate::lexicon::{self, Class};
use steadfast_steps::Regex;

use super::read::{cue, find};
use super::{Form, Tongue};

static BULLET: Pattern = cue(r"(?m)^\s*\*[^\*].*$");
static DASH: Pattern = cue(r"(?m)^\s*-.*$");
static PLACEHOLDER: Pattern = cue(r"\[[^\n]*?\]");
static HIGHLIGHT: Pattern = cue(r"\*[^\n\*]*\*");
static STRONG: Pattern = cue(r"\*\*[^\n\*]*\*\*");
static TITLE: Pattern = cue(r"<<[^\n]+>>");
static POST_POST: Pattern = cue(r"p\.\s?p\.\s?s");
static POST: Pattern = cue(r"p\.\s?s\.");
static WORD: Pattern = cue(r"\w+");
static DIVIDER: Pattern = cue(r"\s?\*\*\*\s?");

pub(super) fn holds(form: &Form, answer: &str) -> bool {
    match form {
        Form::Words(wanted) => wanted.admits(find(&WORD, answer).len()),
        Form::Sentences(wanted) => wanted.admits(sentences(answer)),
        Form::Paragraphs(wanted) => divided(&split(&DIVIDER, answer)) == Some(*wanted),
        Form::ParagraphBegins { paragraphs, nth, word } => begins(answer, *paragraphs, *nth, word),
        Form::Bullets(wanted) => find(&BULLET, answer).len() + find(&DASH, answer).len() == *wanted,
        Form::Highlights(wanted) => highlights(answer) >= *wanted,
        Form::Placeholders(wanted) => find(&PLACEHOLDER, answer).len() >= *wanted,
        Form::Sections { label, count } => literal(&format!(r"\s?{}\s?\d+\s?", regex::escape(label)), false)
            .is_some_and(|cue| cue.find_iter(answer).count() >= *count),
        Form::CapitalWords(wanted) => wanted.admits(capital_words(answer)),
        Form::Letter(letter, wanted) => {
            let low = letter.to_lowercase().next().unwrap_or(*letter);
            wanted.admits(answer.chars().flat_map(char::to_lowercase).filter(|c| *c == low).count())
        }
        Form::Term(term, wanted) => wanted.admits(count(term, answer)),
        Form::Has(terms) => terms.iter().all(|term| count(term, answer) > 0),
        Form::HasNot(terms) => terms.iter().all(|term| {
            literal(&format!(r"\b{}\b", regex::escape(term)), true).is_none_or(|cue| !cue.is_match(answer))
        }),
        Form::OneOf(phrases) => phrases.iter().any(|phrase| answer.trim().contains(phrase.as_str())),
        Form::Ends(phrase) => {
            let own = answer.trim().trim_matches('"').to_lowercase();
            own.ends_with(phrase.trim().to_lowercase().as_str())
        }
        Form::Postscript(mark) if mark == "P.P.S" => POST_POST.is_match(answer),
        Form::Postscript(mark) if mark == "P.S." => POST.is_match(answer),
        Form::Postscript(mark) => answer.to_lowercase().contains(mark.to_lowercase().as_str()),
        Form::Title => find(&TITLE, answer)
            .into_iter()
            .any(|at| !answer[at].trim_start_matches('<').trim_end_matches('>').trim().is_empty()),
        Form::Quoted => {
            let own = answer.trim();
            own.chars().count() > 1 && own.starts_with('"') && own.ends_with('"')
        }
        Form::Json => json(answer),
        Form::NoComma => !answer.contains(','),
        Form::LowerCase => is_case(answer, char::is_lowercase, char::is_uppercase) && is_in("en", answer),
        Form::UpperCase => is_case(answer, char::is_uppercase, char::is_lowercase) && is_in("en", answer),
        Form::Language(tongue) => is_in(tongue.code(), answer),
        Form::TwoAnswers => {
            let parts: Vec<&str> = answer.split("******").collect();
            let own: Vec<&str> = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
            divided(&parts) == Some(2) && own.first() != own.last()
        }
        Form::Repeats(part) => answer.trim().to_lowercase().starts_with(part.trim().to_lowercase().as_str()),
    }
}

fn literal(source: &str, any_case: bool) -> Option<Regex> {
    RegexBuilder::new(source).case_insensitive(any_case).build().ok().map(Regex::from)
}

fn split<'t>(cue: &'static Pattern, text: &'t str) -> Vec<&'t str> {
    cue.split(text).collect()
}

/// How many parts there are; the first and the last may be empty and do not count, no other may.
fn divided(parts: &[&str]) -> Option<usize> {
    let last = parts.len().saturating_sub(1);
    let inner = parts.iter().enumerate().any(|(at, part)| at != 0 && at != last && part.trim().is_empty());
    (!inner).then(|| parts.iter().filter(|part| !part.trim().is_empty()).count())
}

fn begins(answer: &str, paragraphs: usize, nth: usize, word: &str) -> bool {
    let all: Vec<&str> = answer.split("\n\n").collect();
    let count = all.iter().filter(|it| !it.trim().is_empty()).count();
    let Some(own) = nth.checked_sub(1).and_then(|at| all.get(at)).filter(|_| nth <= count) else { return false };
    let first = own.split_whitespace().next().unwrap_or_default().trim_start_matches('\'').trim_start_matches('"');
    let end = first.find(['.', ',', '?', '!', '\'', '"']).unwrap_or(first.len());
    count == paragraphs && first[..end].to_lowercase() == word.to_lowercase()
}

fn highlights(answer: &str) -> usize {
    let one = find(&HIGHLIGHT, answer).into_iter().filter(|at| !answer[at.clone()].trim_matches('*').trim().is_empty());
    let two = find(&STRONG, answer).into_iter().filter(|at| !answer[at.start + 2..at.end - 2].trim().is_empty());
    one.count() + two.count()
}

/// How often a term stands in a text, whatever its case.
fn count(term: &str, text: &str) -> usize {
    literal(&regex::escape(term), true).map_or(0, |cue| cue.find_iter(text).count())
}

fn is_case(text: &str, wanted: fn(char) -> bool, other: fn(char) -> bool) -> bool {
    text.chars().any(wanted) && !text.chars().any(other)
}

fn is_in(code: &str, text: &str) -> bool {
    Tongue::of(text).is_none_or(|tongue| tongue.code() == code)
}

fn json(answer: &str) -> bool {
    let mut own = answer.trim();
    for fence in ["```json", "```Json", "```JSON", "```"] {
        own = own.strip_prefix(fence).unwrap_or(own);
    }
    let own = own.strip_suffix("```").unwrap_or(own).trim();
    serde_json::from_str::<serde_json::Value>(own).is_ok()
}

/// Words in capital letters. What an apostrophe parts counts twice, as "I'M" does for whoever counts "I" and "'M".
fn capital_words(answer: &str) -> usize {
    let mut count = 0;
    for word in answer.split(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ',' | ';'
                    | ':'
                    | '!'
                    | '?'
                    | '('
                    | ')'
                    | '['
                    | ']'
                    | '{'
                    | '}'
                    | '"'
                    | '<'
                    | '>'
                    | '…'
                    | '“'
                    | '”'
                    | '#'
                    | '$'
                    | '%'
                    | '&'
                    | '@'
            )
    }) {
        let word = word.trim_matches(['*', '`', '\'', '.', '_']);
        if is_case(word, char::is_uppercase, char::is_lowercase) {
            count += 1 + usize::from(word.contains('\'') && !word.ends_with('\''));
        }
    }
    count
}

/// Sentences: a mark that ends one, perhaps with quotes or brackets behind it, and white space.
fn sentences(answer: &str) -> usize {
    let text = answer.trim();
    if text.is_empty() {
        return 0;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut count = 1;
    for (at, word) in words.iter().enumerate() {
        let Some(next) = words.get(at + 1) else { break };
        let bare = word.trim_end_matches(['"', '\'', ')', ']', '”', '’', '*', '_', '}']);
        let ends = match bare.chars().next_back() {
            Some('!' | '?') => true,
            Some('.') => {
                let own = bare.trim_end_matches('.').trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
                let initial = own.chars().count() == 1 && own.chars().all(char::is_alphabetic);
                let dots = bare.ends_with("..");
                let goes_on = next.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_lowercase);
                !(lexicon::has(Class::Abbreviation, &own) || initial || dots && goes_on)
            }
            _ => false,
        };
        count += usize::from(ends && next.chars().any(char::is_alphanumeric));
    }
    count
}
