//! How likely a part of a sentence asks for something: a logistic model over what is annotated of it.
//!
//! The coefficients stand in `coefficients.tsv`: a logistic regression over the parts of requests whose obligations were labelled by people who did not know
//! the program. `steadfast-measure calibrate reading --data data` fits them and says how they do on requests that were held out; a part asks where it shares
//! 30 % of the shorter with a labelled obligation, and features of fewer than five parts have none.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::lexicon::Class;
use steadfast_annotate::{Bound, Kind, NegationKind, Sentence, Token, Unit, is_stop_word};

use crate::cue::{self, Force};
use crate::topic::Topic;

/// The coefficients by the name of their feature.
static COEFFICIENTS: LazyLock<HashMap<&str, f64>> = LazyLock::new(|| {
    let lines = include_str!("../coefficients.tsv").lines();
    lines
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(name, value)| Some((name, value.parse().ok()?)))
        .collect()
});

/// What stands around a unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around<'a> {
    /// What its heading, label or lead-in says that it is.
    pub(crate) topic: Option<Topic>,
    /// Whether it is of an item of a list.
    pub(crate) item: bool,
    /// Whether it is of the first block of the request.
    pub(crate) first: bool,
    /// Whether it is of the last block.
    pub(crate) last: bool,
    /// The unit before it in its sentence.
    pub(crate) before: Option<&'a str>,
}

/// How likely a unit with these features asks for something, 0 to 1.
pub(crate) fn score(features: &[String]) -> f64 {
    let sum: f64 = features.iter().filter_map(|name| COEFFICIENTS.get(name.as_str())).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// The features that a unit has, by name.
pub(crate) fn features(sentence: &Sentence<'_>, unit: &Range<usize>, around: Around<'_>) -> Vec<String> {
    let text = &sentence.masked[unit.clone()];
    let tokens = of_unit(&sentence.tokens, unit);
    let mut found = vec!["bias".to_owned()];
    let mut add = |name: String| {
        if !found.contains(&name) {
            found.push(name);
        }
    };
    add(format!("topic {}", around.topic.map_or("none".to_owned(), |topic| format!("{topic:?}").to_lowercase())));
    for (name, is) in [("item", around.item), ("first block", around.first), ("last block", around.last)] {
        if is {
            add(name.to_owned());
        }
    }
    add(format!("does {}", force(text)));
    if let Some(before) = around.before {
        add(format!("after {}", force(before)));
    }
    let words: Vec<&Token<'_>> = tokens.iter().filter(|token| token.kind != Kind::Mark).collect();
    add(format!(
        "words {}",
        match words.len() {
            0..=2 => "1-2",
            3..=5 => "3-5",
            6..=10 => "6-10",
            11..=20 => "11-20",
            _ => "21-",
        }
    ));
    if let Some(first) = words.first() {
        add(if is_stop_word(&first.low) || first.is_a(Class::Pronoun) {
            format!("first {}", first.low)
        } else if first.kind == Kind::Number {
            "first number".to_owned()
        } else if first.is_a(Class::OrderVerb) {
            format!("first order{}", if first.is_a(Class::OrderNounVerb) { " or noun" } else { "" })
        } else {
            "first other".to_owned()
        });
    }
    for token in &words {
        if is_stop_word(&token.low)
            || token.is_a(Class::Modal)
            || token.is_a(Class::Pronoun)
            || token.is_a(Class::Determiner)
        {
            add(format!("word {}", token.low));
        }
    }
    if words.first().is_some_and(|first| is_label(text, first)) {
        add("numbered".to_owned());
    }
    let finite = words.iter().any(|token| token.finite || token.is_a(Class::Modal));
    add(if finite { "verb" } else { "no verb" }.to_owned());
    if is_past(&words) {
        add("past".to_owned());
    }
    let inside = |range: &Range<usize>| unit.start <= range.start && range.end <= unit.end;
    for quantity in sentence.quantities.iter().filter(|quantity| inside(&quantity.range)) {
        add(format!(
            "figure {}",
            match quantity.unit {
                Unit::Money(_) => "money",
                Unit::Percent | Unit::PercentagePoints | Unit::Ratio => "share",
                Unit::Count(_) => "count",
                Unit::Duration(_) => "duration",
                Unit::Date(_) => "date",
                Unit::Measure(_) => "measure",
                Unit::Ordinal | Unit::Label => "name",
                Unit::Plain => "plain",
            }
        ));
        if quantity.bound != Bound::Exact {
            add("figure bounded".to_owned());
        }
    }
    if sentence.code.iter().any(|range| range.start < unit.end && unit.start < range.end) {
        add("code".to_owned());
    }
    if sentence.quotes.iter().any(|range| range.start < unit.end && unit.start < range.end) {
        add("quotation".to_owned());
    }
    for negation in sentence.negations.iter().filter(|negation| inside(&negation.cue)) {
        add(format!(
            "negation {}",
            match negation.kind {
                NegationKind::Negated => "plain",
                NegationKind::Prohibited => "prohibits",
                NegationKind::Excluded => "excludes",
                NegationKind::Avoided => "avoids",
                NegationKind::Without => "without",
                NegationKind::Instead => "instead",
            }
        ));
        if negation.cue.start <= unit.start + 1 {
            add("negation first".to_owned());
        }
    }
    if words
        .iter()
        .any(|token| token.raw.len() > 2 && token.raw.chars().all(char::is_uppercase) && is_stop_word(&token.low))
    {
        add("capitals".to_owned());
    }
    let end = sentence.masked[unit.end..].trim_start_matches(['"', '\'', ')']).chars().next();
    if let Some(mark) = end.filter(|mark| matches!(mark, '?' | '!')) {
        add(format!("ends {mark}"));
    }
    if words.first().is_some_and(|first| is_greeting(&first.low)) {
        add("greeting".to_owned());
    }
    // Words of courtesy stand at the ends of a unit, outside.
    let beside = sentence.masked[..unit.start].split_whitespace().next_back().into_iter();
    let beside = beside.chain(sentence.masked[unit.end..].split_whitespace().next());
    let is_please = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
        matches!(word.as_str(), "please" | "pls" | "plz" | "kindly")
    };
    if text.split_whitespace().chain(beside).any(is_please) {
        add("please".to_owned());
    }
    if text.starts_with('(') {
        add("bracket".to_owned());
    }
    if unit.start == 0 || sentence.masked[..unit.start].trim().is_empty() {
        add("opens the sentence".to_owned());
    }
    found
}

fn force(text: &str) -> &'static str {
    match cue::read(text).map(|reading| (reading.force, reading.strength)) {
        Some((Force::Prohibits, _)) => "forbid",
        Some((Force::Disclaims, _)) => "disclaim",
        Some((Force::Offers, _)) => "offer",
        Some((Force::Demands, steadfast_annotate::Strength::Committed)) => "demand",
        Some((Force::Demands, steadfast_annotate::Strength::Intended)) => "order",
        Some((Force::Demands, _)) => "want",
        Some((Force::Hedges, _)) => "hedge",
        None if cue::is_background(text) => "tell",
        None => "nothing",
    }
}

fn is_greeting(low: &str) -> bool {
    matches!(
        low,
        "hi" | "hey"
            | "hello"
            | "hiya"
            | "dear"
            | "thanks"
            | "thank"
            | "thx"
            | "ta"
            | "cheers"
            | "regards"
            | "kind"
            | "best"
            | "greetings"
            | "sorry"
            | "ok"
            | "okay"
            | "oh"
            | "right"
            | "ps"
            | "yours"
    )
}

/// "FR-001", "US2", "NFR-3": the unit opens with a number that its author gave it.
fn is_label(text: &str, first: &Token<'_>) -> bool {
    let own = text.trim_start_matches(|c: char| !c.is_alphanumeric()).split_whitespace().next().unwrap_or_default();
    first.raw.chars().next().is_some_and(char::is_uppercase)
        && own.chars().take_while(|c| c.is_ascii_uppercase()).count() >= 2
        && own.chars().any(|c| c.is_ascii_digit())
}

/// Whether a verb tells what was.
fn is_past(words: &[&Token<'_>]) -> bool {
    words.iter().enumerate().any(|(at, token)| {
        matches!(token.low.as_ref(), "was" | "were" | "had" | "did" | "didn't" | "wasn't" | "weren't" | "hadn't")
            || (at > 0 && token.is_a(Class::Irregular) && words[at - 1].is_a(Class::Pronoun))
            || (at > 0 && token.low.ends_with("ed") && words[at - 1].is_a(Class::Pronoun))
    })
}

/// The tokens of a unit.
fn of_unit<'a, 'b>(tokens: &'b [Token<'a>], unit: &Range<usize>) -> &'b [Token<'a>] {
    let start = tokens.partition_point(|token| token.range.start < unit.start);
    let end = tokens.partition_point(|token| token.range.start < unit.end);
    &tokens[start..end.max(start)]
}
