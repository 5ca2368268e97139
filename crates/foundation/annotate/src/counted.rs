//! What a number counts, and numbers that only name something.

use rust_decimal::Decimal;
use steadfast_time::numeral::lower;
use steadfast_time::scan::{Gap, Kind, Tokens};

use crate::lexicon::{self, Class};
use crate::quantity::Counted;

/// Words looked at after a number, at most, for the noun that it counts.
const WORDS_AFTER_MAX: usize = 5;

/// Words that end the run of adjectives and nouns after a number.
fn is_stop(word: &str) -> bool {
    let mut buffer = [0; 12];
    lower(word, &mut buffer).is_some_and(|word| lexicon::has(Class::CountedStop, word))
}

/// Plurals without an s, and nouns that are counted in their bare form.
fn is_bare_plural(word: &str) -> bool {
    let mut buffer = [0; 12];
    lower(word, &mut buffer).is_some_and(|word| lexicon::has(Class::BarePlural, word))
}

/// Whether a word looks like a plural noun.
fn is_plural(word: &str) -> bool {
    if is_bare_plural(word) {
        return true;
    }
    let bytes = word.as_bytes();
    word.len() >= 3
        && bytes[bytes.len() - 1] == b's'
        && !matches!(bytes[bytes.len() - 2], b's' | b'u' | b'i')
        && !is_stop(word)
        // "RTOS", "DAYS": capitals are plural only with a small s.
        && !word.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// The singular of a noun in lower case, by ending.
pub(crate) fn singular(word: &str) -> String {
    // "GPUs": capitals and a small s.
    if let Some(capitals) = word.strip_suffix('s').filter(|rest| rest.len() > 1 && rest.chars().all(char::is_uppercase))
    {
        return capitals.to_lowercase();
    }
    let word = word.to_lowercase();
    if matches!(word.as_str(), "series" | "species" | "premises") {
        return word;
    }
    if let Some(irregular) = lexicon::lemma(Class::IrregularPlural, &word) {
        return irregular.to_owned();
    }
    let cut = |ending: &str| word.strip_suffix(ending).map(str::to_owned);
    if word.len() > 4
        && let Some(stem) = cut("ies")
    {
        return stem + "y";
    }
    for ending in ["sses", "shes", "ches", "xes", "zzes"] {
        if word.ends_with(ending) {
            return cut("es").unwrap_or(word);
        }
    }
    if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return word;
    }
    cut("s").unwrap_or(word)
}

/// What a number that ends before token `at` counts, and the token after it.
pub(crate) fn counted_at(tokens: &Tokens<'_>, at: usize, value: Decimal) -> Option<(Counted, usize)> {
    let made = |first: usize, head: usize| {
        let last = tokens.range(head, head + 1);
        let mut stem = singular(&tokens.text[last.clone()]);
        let mut head_range = last;
        // "person-days" are no days.
        if head >= first + 2
            && tokens.mark(head - 1) == Some('-')
            && matches!(tokens.word(head - 2), "person" | "man" | "staff" | "Person" | "full-time")
        {
            head_range = tokens.range(head - 2, head + 1);
            stem = format!("{}-{stem}", tokens.word(head - 2).to_lowercase());
        }
        Some((Counted { phrase: tokens.range(first, head + 1), head: head_range, stem }, head + 1))
    };
    // "500-seat", "three-part"
    if matches!(tokens.mark(at), Some('-' | '‑')) && tokens.gap(at) == Gap::None {
        let word = tokens.word(at + 1);
        let joined = tokens.gap(at + 1) == Gap::None && word.len() > 1 && !is_stop(word);
        return if joined && value > Decimal::ONE && !matches!(word, "fold" | "year" | "old") {
            made(at + 1, at + 1)
        } else {
            None
        };
    }
    if tokens.gap(at) == Gap::None || tokens.gap(at) == Gap::Wide {
        return None;
    }
    let mut place = at;
    let mut last = None;
    let mut words = 0;
    while words < WORDS_AFTER_MAX {
        let word = tokens.word(place);
        if word.is_empty() || is_stop(word) || (words > 0 && tokens.gap(place) == Gap::Wide) {
            break;
        }
        if words > 0 && word.len() > 3 && word.ends_with("ly") && last.is_some() {
            break;
        }
        // "high-performance": a compound is one word.
        let mut end = place + 1;
        while matches!(tokens.mark(end), Some('-' | '‑'))
            && tokens.gap(end) == Gap::None
            && !tokens.word(end + 1).is_empty()
            && tokens.gap(end + 1) == Gap::None
        {
            end += 2;
        }
        let head = end - 1;
        last = Some(head);
        words += 1;
        if is_plural(tokens.word(head)) {
            // "graphics cards": of plurals in a row the last one.
            let next = tokens.word(end);
            // "-ates", "-izes", "-ifies" are verbs.
            let verb = ["ates", "izes", "ises", "ifies"].iter().any(|ending| next.ends_with(ending));
            let further = tokens.gap(end) == Gap::Space && is_plural(next) && !is_stop(next) && !verb;
            return made(at, if further { end } else { head });
        }
        place = end;
        // "key stakeholders/partners", "Docker (containers)": a mark ends the run.
        if tokens.get(place).is_none_or(|token| token.kind != Kind::Word) {
            break;
        }
    }
    let last = last?;
    let ended = tokens.word(last + 1).is_empty() || is_stop(tokens.word(last + 1));
    let capitals =
        last == at && tokens.word(at).len() >= 2 && tokens.word(at).bytes().all(|byte| byte.is_ascii_uppercase());
    if ended && ((value == Decimal::ONE && words <= 3) || capitals) {
        return made(at, last);
    }
    None
}

/// Nouns before a number that the number names rather than counts, singular.
fn names_things(word: &str) -> Option<bool> {
    let mut buffer = [0; 15];
    let word = lower(word, &mut buffer)?;
    let word = if word.len() > 4 && !word.ends_with("ss") && word != "series" {
        word.strip_suffix('s').unwrap_or(word)
    } else {
        word
    };
    // True: also a verb or a plain noun, so a plural after the number makes it a count.
    let classes = lexicon::classes(word);
    let also = classes.has(Class::LabelNounAlso);
    (also || classes.has(Class::LabelNoun)).then_some(also)
}

/// Whether the number whose first token is `at` and whose last ends before `end` names the word before it: "Phase 2",
/// "ISO 27001", "RTX 4090". `decimal`: it has a point ("Section 3.2").
pub(crate) fn is_label(tokens: &Tokens<'_>, at: usize, end: usize, decimal: bool) -> bool {
    let Some(mut before) = at.checked_sub(1) else { return false };
    // "No. 5", "Fig. 3"
    if tokens.mark(before) == Some('.') && tokens.gap(before) == Gap::None && before > 0 {
        return matches!(tokens.word(before - 1), "No" | "Nr" | "Fig" | "no" | "Sec" | "Art" | "Vol" | "pp" | "Ch");
    }
    if tokens.gap(at) != Gap::Space {
        return false;
    }
    // "Regulation (EU) 910"
    if tokens.mark(before) == Some(')') && before >= 3 && tokens.mark(before - 2) == Some('(') {
        before -= 3;
        return names_things(tokens.word(before)) == Some(false);
    }
    let word = tokens.word(before);
    if word.is_empty() {
        return false;
    }
    let counts = || {
        !tokens.word(end).is_empty()
            && tokens.word(end).starts_with(|first: char| first.is_lowercase())
            && counted_at(tokens, end, Decimal::TWO).is_some()
    };
    match names_things(word) {
        Some(false) => return true,
        Some(true) => return !counts(),
        None => {}
    }
    if decimal {
        return false;
    }
    let mut letters = word.chars();
    let capital = letters.next().is_some_and(char::is_uppercase);
    if !capital {
        return false;
    }
    let capitals = word.len() >= 2 && word.chars().all(char::is_uppercase);
    if capitals {
        return true;
    }
    // "Hire 5 engineers" counts; a month or a function word at the start of a sentence names nothing.
    !is_stop(word) && !counts()
}
