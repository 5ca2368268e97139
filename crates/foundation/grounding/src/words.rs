//! The words of one sentence: what each is, and what it is compared by.

use std::ops::Range;

use steadfast_annotate::{NameContext, Quantity, Unit, base_form, content_stems, country_of, names, quantities, stem};
use steadfast_text::{TokenKind, tokens};

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word that says something.
    Content,
    /// Part of a proper name.
    Name,
    /// A number, with all its digits or words.
    Number,
    /// A stop-word.
    Function,
}

/// Digits of the number that an item of a list begins with, at most.
const ENUMERATOR_DIGITS_MAX: usize = 2;
/// Words of a country's name, at most.
const COUNTRY_WORDS_MAX: usize = 4;
/// Months as dates shorten them; "May" is whole.
const MONTHS: &[(&str, &str)] = &[
    ("Jan", "January"),
    ("Feb", "February"),
    ("Mar", "March"),
    ("Apr", "April"),
    ("Jun", "June"),
    ("Jul", "July"),
    ("Aug", "August"),
    ("Sep", "September"),
    ("Sept", "September"),
    ("Oct", "October"),
    ("Nov", "November"),
    ("Dec", "December"),
];

/// One word, or one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Where it stands, in bytes of the sentence.
    pub(crate) range: Range<usize>,
    /// What it is compared by: the stem, of an irregular verb that of its base, of a number `#` and its value, of a stop-word itself.
    pub(crate) key: String,
    pub(crate) kind: Kind,
}

impl Word {
    pub(crate) const fn is_content(&self) -> bool {
        !matches!(self.kind, Kind::Function)
    }
}

/// What a number is compared by: its value, whatever its unit.
fn number_key(quantity: &Quantity) -> String {
    if quantity.low == quantity.high {
        format!("#{}", quantity.low.normalize())
    } else {
        format!("#{}..{}", quantity.low.normalize(), quantity.high.normalize())
    }
}

/// The words of a sentence in order, without marks. `known` says of a word at the head of a sentence whether it is a name.
pub(crate) fn words(sentence: &str, known: &dyn Fn(&str) -> bool) -> Vec<Word> {
    let numbers: Vec<(Range<usize>, String)> = quantities(sentence)
        .iter()
        // A date is written in many ways: its day, month and year are words by themselves.
        .filter(|it| !it.number_range.is_empty() && !matches!(it.unit, Unit::Date(_)))
        .map(|it| (it.number_range.clone(), number_key(it)))
        .collect();
    let named: Vec<Range<usize>> = names(sentence, &NameContext { known, title_case: false })
        .into_iter()
        .filter(|name| !name.generic)
        .map(|name| name.range)
        .collect();
    let (mut number, mut name) = (0, 0);
    let mut out: Vec<Word> = Vec::new();
    let from = enumerator(sentence);
    for (range, key, kind) in parts(sentence).into_iter().filter(|(range, _, _)| range.start >= from) {
        while numbers.get(number).is_some_and(|(own, _)| own.end <= range.start) {
            number += 1;
        }
        while named.get(name).is_some_and(|own| own.end <= range.start) {
            name += 1;
        }
        if let Some((own, value)) = numbers.get(number).filter(|(own, _)| own.start < range.end) {
            // A number of several words is one.
            if out.last().is_none_or(|last| last.range != *own) {
                out.push(Word { range: own.clone(), key: value.clone(), kind: Kind::Number });
            }
            continue;
        }
        if kind == Kind::Content && key.starts_with(|c: char| c.is_ascii_digit()) {
            out.push(Word { range, key: format!("#{}", key.trim_start_matches('0')), kind: Kind::Number });
            continue;
        }
        let is_named = kind == Kind::Content && named.get(name).is_some_and(|own| own.start < range.end);
        out.push(Word { range, key, kind: if is_named { Kind::Name } else { kind } });
    }
    countries(sentence, out)
}

/// Where a sentence begins behind the number of a list's item: "3) ", "(3) ", "3. ".
fn enumerator(sentence: &str) -> usize {
    let head = sentence.trim_start();
    let open = head.strip_prefix('(').unwrap_or(head);
    let digits = open.bytes().take_while(u8::is_ascii_digit).count();
    let marks = if open.len() < head.len() { &[')'][..] } else { &[')', '.'][..] };
    match open[digits..].strip_prefix(marks) {
        Some(rest) if (1..=ENUMERATOR_DIGITS_MAX).contains(&digits) && rest.starts_with(' ') => {
            sentence.len() - rest.len()
        }
        _ => 0,
    }
}

/// Makes one word of a country's name of several: "United Kingdom" is "UK", "South African" is "South Africa".
fn countries(sentence: &str, words: Vec<Word>) -> Vec<Word> {
    let is_upper = |word: &Word| sentence[word.range.clone()].starts_with(char::is_uppercase);
    let mut out = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let longest = COUNTRY_WORDS_MAX.min(words.len() - at);
        let named = (2..=longest).rev().filter(|_| is_upper(&words[at])).find_map(|count| {
            let range = words[at].range.start..words[at + count - 1].range.end;
            Some((count, country_of(&sentence[range.clone()])?, range))
        });
        match named {
            Some((count, country, range)) => {
                out.push(Word { range, key: country.to_owned(), kind: Kind::Name });
                at += count;
            }
            None => {
                out.push(words[at].clone());
                at += 1;
            }
        }
    }
    out
}

/// Content words by their stems, and between them the stop-words.
fn parts(sentence: &str) -> Vec<(Range<usize>, String, Kind)> {
    let content = content_stems(sentence);
    let mut next = content.iter().map(|(range, _)| range.clone()).peekable();
    let is_shouted = !sentence.contains(char::is_lowercase);
    let mut out: Vec<_> = Vec::with_capacity(content.len() * 2);
    for token in tokens(sentence) {
        while next.next_if(|range| range.end <= token.range.start).is_some() {}
        let is_content = next.peek().is_some_and(|range| range.start < token.range.end);
        if matches!(token.kind, TokenKind::Word | TokenKind::Number) && !is_content {
            let word = &sentence[token.range.clone()];
            let part = match acronym(word).filter(|_| !is_shouted) {
                Some(own) => (token.range, own, Kind::Content),
                None => (token.range.clone(), word.to_lowercase(), Kind::Function),
            };
            out.push(part);
        }
    }
    out.extend(content.into_iter().map(|(range, own_stem)| {
        let word = &sentence[range.clone()];
        // "German" and "Germany" name one country.
        let country = country_of(word).filter(|_| word.starts_with(char::is_uppercase));
        let month = || MONTHS.iter().find(|(short, _)| *short == word).map(|(_, month)| stem(month));
        let initials = || acronym(word).filter(|_| !is_shouted && word.contains('.'));
        let own = country.map(str::to_owned).or_else(month).or_else(initials);
        (range, own.unwrap_or_else(|| base_form(&own_stem).to_owned()), Kind::Content)
    }));
    out.sort_by_key(|(range, _, _)| range.start);
    out
}

/// Capitals that are no stop-word, whatever they spell: "US" and "U.S." are one name, and not "us".
pub(crate) fn acronym(word: &str) -> Option<String> {
    let letters: String = word.chars().filter(|c| *c != '.').collect();
    let is_one = letters.chars().nth(1).is_some() && letters.chars().all(char::is_uppercase);
    is_one.then_some(letters)
}
