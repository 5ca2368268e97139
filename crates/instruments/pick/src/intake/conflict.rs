//! Asks that cannot both be met.

use std::ops::Range;

use steadfast_annotate::{Bound, Quantity, Unit};

use super::opposites;
use super::verbs::{Form, Intent, verb};
use super::words::{Text, singular};
use crate::task::Missing;

/// Figures of a task that are held against each other.
pub(super) const FIGURES_MAX: usize = 48;
/// Most conflicts that are named.
const CONFLICTS_MAX: usize = 3;

/// Conflicts, each with a question that names both sides.
pub(super) fn read(text: &Text<'_>, quantities: &[Quantity]) -> Vec<Missing> {
    let mut found = figures(text, quantities);
    found.extend(opposites::read(text));
    found.extend(bans(text));
    found.truncate(CONFLICTS_MAX);
    let question = |(one, other): (String, String)| Missing {
        what: "which of two that exclude each other".to_owned(),
        question: format!("“{one}” and “{other}” cannot both hold: which one is meant?"),
        required: true,
    };
    found.into_iter().map(question).collect()
}

/// A stated size of something.
struct Extent {
    range: Range<usize>,
    /// What is measured or counted.
    of: String,
    /// In which step: sizes of text are compared as words, times as seconds.
    scale: f64,
    low: f64,
    high: f64,
    /// Whether it is a limit.
    is_bound: bool,
}

/// What a size is measured in, so that two of them can be compared.
fn measure(unit: &Unit) -> Option<(String, f64)> {
    const SECONDS_A_DAY: f64 = 86_400.0;
    match unit {
        Unit::Count(counted) => {
            Some(of_text(&counted.stem).map_or_else(|| (counted.stem.clone(), 1.0), |scale| ("word".to_owned(), scale)))
        }
        Unit::Duration(unit) => Some(("time".to_owned(), number(&unit.days(1.into())?) * SECONDS_A_DAY)),
        Unit::Money(_) => Some(("money".to_owned(), 1.0)),
        _ => None,
    }
}

/// How many words go into one of these, roughly: see [`SLACK`].
fn of_text(unit: &str) -> Option<f64> {
    match unit {
        "page" => Some(400.0),
        "paragraph" => Some(90.0),
        "sentence" | "line" => Some(18.0),
        "word" => Some(1.0),
        _ => None,
    }
}

/// Whether a unit says how long a text, a talk or a recording is.
pub(super) fn is_length(unit: &Unit) -> bool {
    matches!(unit, Unit::Duration(_)) || matches!(unit, Unit::Count(counted) if of_text(&counted.stem).is_some())
}

/// Different units of length have to differ by more than this factor.
const SLACK: f64 = 4.0;

fn number(decimal: &impl ToString) -> f64 {
    decimal.to_string().parse().unwrap_or(0.0)
}

/// The sizes that a task states.
fn extents(text: &Text<'_>, quantities: &[Quantity]) -> Vec<Extent> {
    let mut found: Vec<Extent> = Vec::new();
    for quantity in quantities.iter().filter(|quantity| quantity.per.is_none()).take(FIGURES_MAX) {
        let Some((of, scale)) = measure(&quantity.unit) else { continue };
        let bound = bound(text, quantity);
        let (low, high) = (number(&quantity.low) * scale, number(&quantity.high) * scale);
        let (low, high) = match bound {
            Bound::AtLeast => (low, f64::INFINITY),
            Bound::AtMost => (0.0, high),
            Bound::Exact => (low, high),
        };
        let mut range = quantity.range.clone();
        if let Unit::Count(counted) = &quantity.unit {
            range.end = range.end.max(counted.head.end);
        }
        let is_bound = bound != Bound::Exact || is_exactly(text, &range);
        found.push(Extent { range, of, scale, low, high, is_bound });
    }
    // "one-page", "a single sentence": no numbers, yet sizes.
    for (at, _) in text.own().filter(|(_, word)| matches!(word.low.as_ref(), "one" | "single")).take(FIGURES_MAX) {
        let unit = text.low(at + 1);
        let (Some(scale), Some(first), Some(last)) = (of_text(unit), text.words.get(at), text.words.get(at + 1)) else {
            continue;
        };
        let range = first.range.start..last.range.end;
        if !found.iter().any(|extent| extent.range.start < range.end && range.start < extent.range.end) {
            found.push(Extent { range, of: "word".to_owned(), scale, low: scale, high: scale, is_bound: false });
        }
    }
    found.sort_by_key(|extent| extent.range.start);
    found.truncate(FIGURES_MAX);
    found
}

/// "exactly seven names": a size that is no less a limit for being one number.
fn is_exactly(text: &Text<'_>, range: &Range<usize>) -> bool {
    let before = text.own().take_while(|(_, word)| word.range.end <= range.start).last();
    let first = text.own().find(|(_, word)| word.range.start >= range.start);
    [before, first].into_iter().flatten().any(|(_, word)| matches!(word.low.as_ref(), "exactly" | "precisely"))
}

/// Two sizes of one thing that no value meets.
fn figures(text: &Text<'_>, quantities: &[Quantity]) -> Vec<(String, String)> {
    let extents = extents(text, quantities);
    let said = |extent: &Extent| text.plain.get(extent.range.clone()).unwrap_or_default().to_owned();
    let pairs =
        extents.iter().enumerate().flat_map(|(at, one)| extents[at + 1..].iter().map(move |other| (one, other)));
    let mut clashing = pairs.filter(|(one, other)| conflict(text, one, other));
    clashing.next().map(|(one, other)| (said(one), said(other))).into_iter().collect()
}

fn conflict(text: &Text<'_>, one: &Extent, other: &Extent) -> bool {
    let slack = if (one.scale - other.scale).abs() < f64::EPSILON { 1.0 } else { SLACK };
    let apart = one.low > other.high * slack || other.low > one.high * slack;
    if one.of != other.of || !apart || one.range.end > other.range.start {
        return false;
    }
    // "Summarize a 50-page report in two pages": one is what is given, the other what is made.
    let remade = is_remade(text, one.range.start);
    let between = text.plain.get(one.range.end..other.range.start).unwrap_or_default();
    // "Keep it under 300 words. It has to be at least 1,500 words long.": of the same thing where a pronoun goes on.
    let goes_on = one.is_bound && other.is_bound && goes_on(between, one.of != "word" && one.of != "time");
    if remade
        || between.len() > BETWEEN_BYTES_MAX
        || (between.contains(['.', ';', '?']) && !goes_on)
        || SOURCES.iter().any(|source| between.contains(source))
    {
        return false;
    }
    let limits = one.is_bound && other.is_bound && one.of != "money";
    limits
        || ((one.is_bound || other.is_bound) && of_itself(between))
        || (other.is_bound && one.of == "word" && is_held_within(between))
        || (one.of == "time" && lasts(between))
}

/// "a 3,000-word history of the canal in no more than 100 words": one thing, and the length that it is to be told in.
fn is_held_within(between: &str) -> bool {
    const WITHIN_WORDS_MAX: usize = 16;
    let low = between.to_lowercase();
    let mut words: Vec<&str> = low.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    while words.last().is_some_and(|last| {
        matches!(
            *last,
            "no" | "more" | "less" | "fewer" | "not" | "than" | "at" | "most" | "least" | "under" | "over" | "exactly"
        )
    }) {
        words.pop();
    }
    let second = words.iter().any(|word| {
        of_text(singular(word).as_deref().unwrap_or(word)).is_some()
            || matches!(*word, "with" | "and" | "plus" | "including" | "whose" | "then" | "or" | "not")
    });
    words.last().is_some_and(|last| matches!(*last, "in" | "within" | "using"))
        && words.len() <= WITHIN_WORDS_MAX
        && !low.contains([',', ';', ':'])
        && !second
}

/// Whether what stands between two figures ends one sentence and goes on in the next about the same thing: by a pronoun, or, where things of one name are
/// counted, by saying how many there are to be.
fn goes_on(between: &str, counted: bool) -> bool {
    let mut sentences = between.split(['.', ';']);
    let (Some(end), Some(next), None) = (sentences.next(), sentences.next(), sentences.next()) else { return false };
    let next = next.trim_start().to_lowercase();
    let pronoun = [
        "it ", "and it ", "but it ", "this ", "but ", "at least", "at most", "no less", "no more", "minimum", "maximum",
    ]
    .iter()
    .any(|opening| next.starts_with(opening));
    let there = counted
        && [
            "there must be",
            "there should be",
            "there have to be",
            "there has to be",
            "there are to be",
            "i need",
            "i want",
            "give me",
        ]
        .iter()
        .any(|opening| next.starts_with(opening));
    (pronoun || there) && end.split_whitespace().count() <= 6
}

/// Whether a verb before byte `before` makes something given into something else.
pub(super) fn is_remade(text: &Text<'_>, before: usize) -> bool {
    let own = text.own().take_while(|(_, word)| word.range.end <= before).take(REMAKING_WORDS_MAX);
    own.filter_map(|(_, word)| verb(&word.low)).any(|verb| {
        verb.form == Form::Base
            && matches!(verb.intent, Intent::Summarize | Intent::Transform | Intent::Review | Intent::Analyze)
    })
}

/// Words in which a verb that remakes is looked for.
const REMAKING_WORDS_MAX: usize = 200;

/// Two sizes further apart are sizes of two things.
const BETWEEN_BYTES_MAX: usize = 120;

/// The bound that a figure has, by its own words or by those before it.
fn bound(text: &Text<'_>, quantity: &Quantity) -> Bound {
    if !matches!(quantity.bound, Bound::Exact) {
        return quantity.bound;
    }
    let mut from = quantity.range.start.saturating_sub(24);
    while !text.plain.is_char_boundary(from) {
        from += 1;
    }
    let before = text.plain.get(from..quantity.range.start).unwrap_or_default().trim_end().to_lowercase();
    let ends = |words: &[&str]| words.iter().any(|word| before.ends_with(word));
    if ends(&["at least", "no less than", "no fewer than", "not less than", "minimum", "minimum of", "more than"]) {
        Bound::AtLeast
    } else if ends(&[
        "at most",
        "no more than",
        "not more than",
        "maximum",
        "maximum of",
        "up to",
        "less than",
        "fewer than",
    ]) {
        Bound::AtMost
    } else {
        Bound::Exact
    }
}

/// Words between two figures that give each a thing of its own.
const SOURCES: &[&str] = &[
    "from",
    "report",
    "document",
    "each",
    "every",
    "per ",
    "paper",
    "book",
    "article",
    "transcript",
    "then",
    "later",
    "out of",
    "between",
];

/// "a one-page summary of at least ten pages": between the two stands one thing, and "of", "with", "having".
fn of_itself(between: &str) -> bool {
    let between = between.trim().to_lowercase();
    let words: Vec<&str> = between.split_whitespace().collect();
    let link = words.last().is_some_and(|last| {
        matches!(
            *last,
            "of" | "with"
                | "having"
                | "containing"
                | "in"
                | "has"
                | "is"
                | "be"
                | "and"
                | "but"
                | "spanning"
                | "using"
                | "not"
        )
    });
    let bound = [
        "at least",
        "no less than",
        "no fewer than",
        "more than",
        "minimum of",
        "at most",
        "no more than",
        "over",
        "under",
    ]
    .iter()
    .any(|bound| between.ends_with(bound));
    let thing =
        words.iter().filter(|word| super::pieces::is_piece(word.trim_matches(|c: char| !c.is_alphanumeric()))).count();
    words.len() <= 7
        && (link || bound || words.is_empty())
        && thing <= 1
        && !["from", "the", "per", "each", "every"].iter().any(|word| words.contains(word))
}

/// "a two-day course lasting three weeks".
fn lasts(between: &str) -> bool {
    let words: Vec<&str> = between.split_whitespace().collect();
    words.len() <= 4
        && words.last().is_some_and(|last| {
            matches!(*last, "lasting" | "lasts" | "takes" | "taking" | "spanning" | "runs" | "running")
        })
}

/// "without pictures … include pictures": what is banned and asked for.
fn bans(text: &Text<'_>) -> Vec<(String, String)> {
    let mut banned: Vec<(String, Range<usize>)> = Vec::new();
    let mut asked: Vec<(String, Range<usize>)> = Vec::new();
    for (at, _) in text.own() {
        let ban = text.is(at, &["without", "avoid", "excluding", "omit", "exclude"])
            || (text.is(at, &["no"])
                && !text.is(at + 1, &["more", "less", "fewer", "later", "longer", "matter", "one"]))
            || (text.is(at, &["not", "don't", "dont", "never"])
                && text.is(at + 1, &["use", "include", "mention", "add", "contain", "have", "show", "make"]));
        let negated = (at.saturating_sub(2)..at)
            .any(|before| text.is(before, &["not", "don't", "dont", "never", "no", "without", "avoid"]));
        // "I want a table": what is to be made.
        let made = text.is(at, &["a", "an"])
            && super::pieces::is_piece(text.low(at + 1))
            && !text.is(at + 2, &["of"])
            && at.checked_sub(1).is_some_and(|before| {
                text.is(before, &["want", "need"]) || verb(text.low(before)).is_some_and(|verb| verb.form == Form::Base)
            });
        let wish = !negated
            && (made
                || text.is(at, &["include", "including", "add", "contain", "containing", "with", "must", "using"])
                || text.is(at, &["as", "in"]) && text.is(at + 1, &["a", "an"]));
        if !ban && !wish {
            continue;
        }
        let mut from = at + 1;
        while text.is(
            from,
            &[
                "use",
                "include",
                "mention",
                "add",
                "contain",
                "any",
                "a",
                "an",
                "the",
                "many",
                "lots",
                "of",
                "have",
                "using",
                "some",
                "show",
                "at",
                "least",
                "plenty",
                "mentioning",
                "exactly",
            ],
        ) || text.words.get(from).is_some_and(|word| word.kind == super::words::Kind::Number)
            || text.is(from, &["one", "two", "three", "four", "five", "ten"])
        {
            from += 1;
            if from > at + 8 {
                break;
            }
        }
        // "as a five-column table": what is asked for is the piece that its other words describe.
        if wish
            && text.is(at, &["as", "in"])
            && let Some(piece) =
                (from..from + 3).take_while(|at| !text.starts(*at)).find(|at| super::pieces::is_piece(text.low(*at)))
        {
            from = piece;
        }
        let noun = text.low(from);
        if noun.len() < 4 || text.starts(from) || verb(noun).is_some_and(|verb| !verb.also_noun) {
            continue;
        }
        let noun = singular(noun).map_or_else(|| noun.to_owned(), |noun| noun.to_string());
        let list = if ban { &mut banned } else { &mut asked };
        if list.len() < FIGURES_MAX {
            list.push((noun, at..from + 1));
        }
        // "no lists or tables": both.
        if ban && text.is(from + 1, &["or", "nor"]) && banned.len() < FIGURES_MAX {
            let noun = text.low(from + 2);
            if noun.len() >= 4 && verb(noun).is_none_or(|verb| verb.also_noun) && !text.starts(from + 2) {
                let noun = text.singular(from + 2).unwrap_or(noun).to_owned();
                banned.push((noun, from + 2..from + 3));
            }
        }
    }
    let mut found = Vec::new();
    for (noun, words) in &banned {
        // "without sugar … with sugar substitutes": the same thing only where nothing goes on.
        let whole = |words: &Range<usize>| {
            text.starts(words.end)
                || verb(text.low(words.end)).is_some_and(|verb| verb.form == Form::Gerund)
                || text.words.get(words.end).is_some_and(|word| word.kind == super::words::Kind::Mark)
                || text.is(
                    words.end,
                    &["and", "but", "or", "in", "that", "on", "for", "to", "with", "please", "of", "at", "anywhere"],
                )
        };
        if let Some((_, other)) = asked.iter().find(|(asked, other)| asked == noun && whole(other) && whole(words)) {
            found.push((text.said(words.clone()).to_owned(), text.said(other.clone()).to_owned()));
        }
    }
    found
}
