//! Where sentences end.

use std::ops::Range;

use crate::token::is_lone_ideograph;

/// Abbreviations after which a sentence goes on: titles, and what stands before a name or number.
const BEFORE_MORE: &[&str] = &[
    "adj", "adm", "approx", "art", "bros", "brig", "c", "ca", "capt", "cf", "ch", "chap", "circ", "cmdr", "col",
    "comdr", "cpl", "dr", "e.g", "ed", "eds", "eg", "eq", "eqs", "esp", "est", "excl", "ex", "fig", "figs", "ft",
    "gen", "gov", "hon", "i.e", "ie", "incl", "insp", "lt", "maj", "messrs", "mlle", "mm", "mme", "mr", "mrs", "ms",
    "mt", "mx", "nos", "op", "p", "para", "paras", "pg", "pp", "pres", "prof", "pt", "pvt", "ref", "refs", "rep",
    "resp", "rev", "sec", "sen", "sgt", "st", "supt", "tab", "v", "viz", "vol", "vols", "vs",
];

/// Abbreviations that may end a sentence: it ends where a word follows that sentences begin with.
const MAY_END: &[&str] = &[
    "al", "apr", "assn", "aug", "ave", "blvd", "co", "corp", "dec", "dept", "depts", "dist", "div", "feb", "fri",
    "gmbh", "govt", "inc", "intl", "jan", "jr", "jul", "jun", "lab", "ltd", "mar", "mfg", "mon", "natl", "nov", "oct",
    "ph.d", "plc", "pty", "rd", "sat", "sep", "sept", "sr", "sun", "tel", "thu", "thurs", "tue", "tues", "univ", "wed",
    "b.sc", "m.sc",
];

/// Abbreviations only before a number.
const BEFORE_NUMBER: &[&str] = &["no", "max", "min", "avg", "nr", "num"];

/// Words that sentences begin with and names do not.
const STARTERS: &[&str] = &[
    "a",
    "after",
    "all",
    "also",
    "although",
    "an",
    "and",
    "another",
    "any",
    "as",
    "at",
    "because",
    "before",
    "both",
    "but",
    "by",
    "can",
    "consider",
    "despite",
    "do",
    "does",
    "during",
    "each",
    "ensure",
    "even",
    "every",
    "finally",
    "first",
    "for",
    "from",
    "furthermore",
    "given",
    "he",
    "hence",
    "her",
    "here",
    "his",
    "how",
    "however",
    "i",
    "if",
    "in",
    "instead",
    "is",
    "it",
    "its",
    "many",
    "meanwhile",
    "more",
    "moreover",
    "most",
    "my",
    "no",
    "nonetheless",
    "not",
    "nothing",
    "now",
    "of",
    "on",
    "once",
    "one",
    "only",
    "or",
    "other",
    "our",
    "over",
    "please",
    "she",
    "should",
    "since",
    "so",
    "some",
    "such",
    "that",
    "the",
    "their",
    "then",
    "there",
    "therefore",
    "these",
    "they",
    "this",
    "those",
    "through",
    "thus",
    "to",
    "today",
    "under",
    "unless",
    "until",
    "use",
    "we",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "why",
    "with",
    "within",
    "without",
    "yet",
    "you",
    "your",
];

/// Months in German, whose days have a full stop: "12. Juli".
const MONTHS: &[&str] = &[
    "april",
    "august",
    "dezember",
    "februar",
    "januar",
    "juli",
    "juni",
    "jänner",
    "mai",
    "märz",
    "november",
    "oktober",
    "september",
];

/// Words of two letters that end sentences, and are no abbreviations.
const SHORT_WORDS: &[&str] =
    &["am", "be", "by", "do", "go", "he", "in", "is", "it", "me", "my", "of", "on", "so", "to", "up", "us", "we"];

/// Words that begin a sentence of whoever writes without capitals, and that follow no abbreviation; "don" of "don't".
const SMALL_STARTERS: &[&str] = &[
    "also", "can", "cannot", "do", "doesn", "don", "i", "it", "keep", "make", "no", "nothing", "please", "that",
    "then", "there", "these", "they", "this", "use", "we", "you",
];

/// Fewest letters of the last word of a sentence that a small letter follows: shorter ones are abbreviations too often.
const SMALL_WORD_LETTERS_MIN: usize = 3;

/// Fewest words of a sentence that begins with a small letter and ends before one.
const SMALL_WORDS_MIN: usize = 2;

/// Longest enumerator ("12." at the head of a sentence), in digits.
const ENUMERATOR_DIGITS_MAX: usize = 3;

/// Longest sentence, in bytes. What is longer is no prose, and comes in pieces: whoever looks at all of a sentence for each of its words
/// stays linear in the text.
pub const SENTENCE_BYTES_MAX: usize = 2_000;

/// The sentences of a text as ranges of it, trimmed of white space. A line break ends one (soft breaks within wrapped lines have become spaces
/// when a block is read).
///
/// A sentence ends after a full stop, question mark, exclamation mark or ellipsis, and the quotation marks, brackets and
/// note marks behind it, where white space follows and then no small letter, or where the writer uses no capitals; not after abbreviations, initials and
/// numbers at its head, as far as a table knows them. "Inc.", "U.S." and the like end one only before a word that
/// sentences begin with. The full stops of Chinese and Japanese need no white space. What is longer than
/// [`SENTENCE_BYTES_MAX`] comes in pieces.
#[must_use]
pub fn sentences(plain: &str) -> Vec<Range<usize>> {
    steadfast_steps::spend(plain.len());
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(c) = plain[at..].chars().next() {
        let next = at + c.len_utf8();
        at = match c {
            '\n' => {
                push(&mut found, plain, start..at);
                start = next;
                next
            }
            '。' | '！' | '？' | '｡' | '．' => {
                let end = closers_end(plain, terminators_end(plain, next));
                push(&mut found, plain, start..end);
                start = end;
                end
            }
            '.' | '!' | '?' | '…' | '؟' | '।' | '॥' => {
                let last = terminators_end(plain, next);
                let end = closers_end(plain, last);
                if ends_here(plain, start, at, last, end) {
                    push(&mut found, plain, start..end);
                    start = end;
                }
                end
            }
            _ => next,
        };
    }
    push(&mut found, plain, start..plain.len());
    found
}

fn push(found: &mut Vec<Range<usize>>, plain: &str, range: Range<usize>) {
    let text = &plain[range.clone()];
    let mut start = range.start + (text.len() - text.trim_start().len());
    let end = start + text.trim().len();
    while end - start > SENTENCE_BYTES_MAX {
        let cut = start + cut(&plain[start..end]);
        found.push(start..start + plain[start..cut].trim_end().len());
        start = end - plain[cut..end].trim_start().len();
    }
    if start < end {
        found.push(start..end);
    }
}

/// Where a sentence that is too long is cut: at the last white space of the second half of what a sentence may have, else where it must be.
fn cut(text: &str) -> usize {
    let most = text.floor_char_boundary(SENTENCE_BYTES_MAX);
    let half = text.floor_char_boundary(SENTENCE_BYTES_MAX / 2);
    text[half..most].rfind(char::is_whitespace).map_or(most, |at| half + at)
}

/// Whether a sentence that began at `start` ends with the full stop (or another mark) at `mark`, whose run goes to
/// `last` and, with the closing quotes and brackets behind it, to `end`.
fn ends_here(plain: &str, start: usize, mark: usize, last: usize, end: usize) -> bool {
    let rest = &plain[end..];
    let Some(white) = rest.chars().next() else { return true };
    if !white.is_whitespace() {
        return false;
    }
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
    let rest = rest.trim_start_matches(|c: char| "\"'“”‘’«([{¿¡*_".contains(c));
    let Some(next) = rest.chars().next() else { return true };
    if next == '\n' {
        return true;
    }
    if matches!(next, ',' | ';' | ':' | ')' | ']') {
        return false;
    }
    let head = &plain[start..mark];
    let word = last_word(head);
    // "iOS and Android" begins a sentence as well as a capital does.
    let capital = rest.chars().take_while(|c| c.is_alphanumeric()).take(16).any(char::is_uppercase);
    if next.is_lowercase() && !capital {
        let asks = plain[mark..last].contains(['?', '!']);
        return end == last && (asks || &plain[mark..last] == "." && ends_before_small(head, word, rest));
    }
    if &plain[mark..last] != "." {
        return true;
    }
    if word.is_empty() {
        return !head.trim().is_empty();
    }
    let first = word.len() == head.trim_start().trim_start_matches(|c: char| "\"'“‘([".contains(c)).len();
    if first && word.len() <= ENUMERATOR_DIGITS_MAX && word.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    if word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit()) {
        let month: String =
            rest.chars().take_while(|c| c.is_alphabetic()).take(16).flat_map(char::to_lowercase).collect();
        if MONTHS.contains(&month.as_str()) {
            return false;
        }
    }
    let lower = word.to_lowercase();
    let lower = lower.as_str();
    // "200 ms. Then", "5 ft. The": behind a number it is a unit, and no title.
    let of_number = head[..head.len() - word.len()].trim_end().ends_with(|c: char| c.is_ascii_digit());
    if of_number && word.chars().all(char::is_lowercase) && next.is_uppercase() {
        return true;
    }
    if BEFORE_MORE.contains(&lower) {
        // "Option C." and "Plan V." are no abbreviations, "c. 1900" and "v. Smith" are.
        let capital = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
        return capital && begins_sentence(rest);
    }
    if BEFORE_NUMBER.contains(&lower) {
        return !(next.is_numeric() || next == '#');
    }
    // "5 p.m. Then", "U.S. The", "J. Smith", "vitamin C. It".
    let letters = word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic));
    if (letters && !word.chars().all(is_lone_ideograph)) || MAY_END.contains(&lower) {
        let clock = matches!(lower, "a.m" | "p.m") && !rest.starts_with(char::is_numeric) && !time_zone(rest);
        let single = letters && word.chars().count() == 1 && word.chars().all(char::is_lowercase);
        return clock || single || begins_sentence(rest);
    }
    true
}

/// Whether a sentence ends before a small letter, as in "at most 80 words. don't name prices": behind an ordinary word, where the sentence
/// itself began with a small letter or the next word is one that sentences begin with.
fn ends_before_small(head: &str, word: &str, rest: &str) -> bool {
    let lower = word.to_lowercase();
    let known = |table: &[&str]| table.contains(&lower.as_str());
    let ordinary = if word.chars().all(char::is_alphabetic) {
        (word.chars().count() >= SMALL_WORD_LETTERS_MIN || known(SHORT_WORDS))
            && lower != "etc"
            && ![BEFORE_MORE, MAY_END, BEFORE_NUMBER].into_iter().any(known)
    } else {
        word.bytes().all(|byte| byte.is_ascii_digit())
    };
    // "(9pp, sorry). can you …"
    let closed = word.is_empty() && head.ends_with([')', '"', '”']);
    let begins_small = head.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_lowercase)
        && head.split_whitespace().nth(SMALL_WORDS_MIN - 1).is_some();
    let next: String = rest.chars().take_while(|c| c.is_alphabetic()).take(16).collect();
    let starts = SMALL_STARTERS.contains(&next.as_str());
    (ordinary || closed) && (begins_small || starts && word.chars().all(char::is_lowercase))
}

/// The word before a full stop, its inner full stops with it; nothing if none stands there. No word is longer than 24
/// characters here, so that time stays linear: a longer one is no abbreviation anyway.
fn last_word(head: &str) -> &str {
    const WORD_CHARACTERS_MAX: usize = 24;
    let start = head
        .char_indices()
        .rev()
        .take(WORD_CHARACTERS_MAX)
        .take_while(|(_, c)| c.is_alphanumeric() || *c == '.')
        .last()
        .map_or(head.len(), |(index, _)| index);
    head[start..].trim_start_matches('.')
}

fn begins_sentence(rest: &str) -> bool {
    let word: String = rest.chars().take_while(|c| c.is_alphabetic()).take(16).flat_map(char::to_lowercase).collect();
    STARTERS.binary_search(&word.as_str()).is_ok()
}

/// "ET", "HKT", "UTC": two to four capitals.
fn time_zone(rest: &str) -> bool {
    let letters = rest.bytes().take_while(u8::is_ascii_uppercase).count();
    (2..=4).contains(&letters) && !rest[letters..].starts_with(char::is_alphabetic)
}

/// Past a run of full stops and the like.
fn terminators_end(plain: &str, at: usize) -> usize {
    let rest = &plain[at..];
    at + (rest.len() - rest.trim_start_matches(['.', '!', '?', '…', '。', '！', '？', '｡']).len())
}

/// Past closing quotes and brackets, and note marks like "[12]".
fn closers_end(plain: &str, mut at: usize) -> usize {
    const CLOSERS: &[char] = &['"', '\'', '”', '’', '»', ')', ']', '}', '」', '』', '）', '】', '》', '*', '_'];
    loop {
        let rest = &plain[at..];
        let closed = rest.len() - rest.trim_start_matches(CLOSERS).len();
        let note = rest.strip_prefix('[').map_or(0, |inside| {
            let digits = inside.bytes().take(4).take_while(u8::is_ascii_digit).count();
            if digits > 0 && inside[digits..].starts_with(']') { digits + 2 } else { 0 }
        });
        if closed + note == 0 {
            return at;
        }
        at += closed.max(note);
    }
}

#[cfg(test)]
mod tests {
    use super::{BEFORE_MORE, MAY_END, SENTENCE_BYTES_MAX, STARTERS, sentences};

    /// `expect` has the sentences parted by `|`.
    #[track_caller]
    fn check(text: &str, expect: &str) {
        let got: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(got.join("|"), expect, "for {text:?}");
    }

    #[test]
    fn words_of_the_tables() {
        assert!(STARTERS.is_sorted(), "searched by halves");
        assert!(!BEFORE_MORE.iter().any(|word| MAY_END.contains(word)), "each abbreviation is of one kind");
    }

    #[test]
    fn plain_ends() {
        check("", "");
        check("  \n ", "");
        check("One", "One");
        check("One.", "One.");
        check("One. Two.", "One.|Two.");
        check("One.  Two", "One.|Two");
        check("One! Two? Three", "One!|Two?|Three");
        check("Really?! Yes.", "Really?!|Yes.");
        check("a\nb", "a|b");
        check("One.\nTwo.", "One.|Two.");
        check("Done. ✅ Next.", "Done.|✅ Next.");
        check("Cost: high. Owner: Ann.", "Cost: high.|Owner: Ann.");
        check("No space.Next", "No space.Next");
        check("It ended. 5 people left.", "It ended.|5 people left.");
        check("Foo.* Bar", "Foo.*|Bar");
        check("Growth.[1] The rest.", "Growth.[1]|The rest.");
    }

    #[test]
    fn numbers() {
        check("Pay 1.5 million. Then stop.", "Pay 1.5 million.|Then stop.");
        check("It costs 1.8M. The rest is free.", "It costs 1.8M.|The rest is free.");
        check("It costs $44,000. Rent is more.", "It costs $44,000.|Rent is more.");
        check("Answer within 200 ms. Budget: 500 EUR.", "Answer within 200 ms.|Budget: 500 EUR.");
        check("See no. 5 fig. 3 of it.", "See no. 5 fig. 3 of it.");
        check("Use v2.0.1. It works.", "Use v2.0.1.|It works.");
        check("Ends in 2028. Next year we rest.", "Ends in 2028.|Next year we rest.");
        check("1. Buy milk. 2. Sell it.", "1. Buy milk.|2. Sell it.");
        check("See No. 5 today.", "See No. 5 today.");
        check("See no. 12. Then go.", "See no. 12.|Then go.");
        check("We said no. Then we left.", "We said no.|Then we left.");
        check("Takes max. 30 days. Fine.", "Takes max. 30 days.|Fine.");
        check("Ready in 5 min. Bring tea.", "Ready in 5 min.|Bring tea.");
        check("Das Fest ist am 12. Juli. Kommt alle.", "Das Fest ist am 12. Juli.|Kommt alle.");
        check("dont say it caused it. all we see is timing", "dont say it caused it.|all we see is timing");
        check("it was back by 06:15. that's from the log", "it was back by 06:15.|that's from the log");
        check("notes attached (9pp, sorry). can u list them", "notes attached (9pp, sorry).|can u list them");
        check("how does it look? not essential", "how does it look?|not essential");
        check("Proof is kept there. iOS comes first.", "Proof is kept there.|iOS comes first.");
        check("We need 12. May we start?", "We need 12.|May we start?");
        check("Grow 5.5%. Shrink .5 points.", "Grow 5.5%.|Shrink .5 points.");
        check("See Fig. 3. It shows it.", "See Fig. 3.|It shows it.");
        check("Section 4.2. Scope is set.", "Section 4.2.|Scope is set.");
    }

    #[test]
    fn abbreviations() {
        check("Use tools, e.g. Jira. Fine.", "Use tools, e.g. Jira.|Fine.");
        check("The buyer, i.e. The City.", "The buyer, i.e. The City.");
        check("Tools (e.g., A. Then B).", "Tools (e.g., A.|Then B).");
        check("Ask Dr. Smith. He knows.", "Ask Dr. Smith.|He knows.");
        check("Mr. and Mrs. Li came. We ate.", "Mr. and Mrs. Li came.|We ate.");
        check("In the U.S. Army he served.", "In the U.S. Army he served.");
        check("We sell in the U.S. The rest waits.", "We sell in the U.S.|The rest waits.");
        check("approx. 40 people. Some left.", "approx. 40 people.|Some left.");
        check("Red vs. Blue. Blue won.", "Red vs. Blue.|Blue won.");
        check("Acme Inc. Holdings grew. It did.", "Acme Inc. Holdings grew.|It did.");
        check("We work for Acme Inc. The firm grew.", "We work for Acme Inc.|The firm grew.");
        check("Tea, milk, etc. are here.", "Tea, milk, etc. are here.");
        check("Tea, milk, etc. Bring cups.", "Tea, milk, etc.|Bring cups.");
        check("Smith et al. Report this.", "Smith et al. Report this.");
        check("Smith et al. The rest agreed.", "Smith et al.|The rest agreed.");
        check("Meet at 5 p.m. Bring tea.", "Meet at 5 p.m.|Bring tea.");
        check("Meet at 5 p.m. ET on Monday.", "Meet at 5 p.m. ET on Monday.");
        check("On Jan. 5 we start. Good.", "On Jan. 5 we start.|Good.");
        check("She has a Ph.D. Her thesis won.", "She has a Ph.D.|Her thesis won.");
        check("St. John's is far. Go.", "St. John's is far.|Go.");
    }

    #[test]
    fn small_letters() {
        check("no more than 80 words. don't name prices.", "no more than 80 words.|don't name prices.");
        check("At most 80 words. no prices please", "At most 80 words.|no prices please");
        check("keep it short. write in english. thanks", "keep it short.|write in english.|thanks");
        check("Tea, milk, etc. are here.", "Tea, milk, etc. are here.");
        check("The temp. of the room is 20 degrees.", "The temp. of the room is 20 degrees.");
        check("about approx. forty people", "about approx. forty people");
        check("we wait... and wait", "we wait... and wait");
        check("we use node.js. it runs", "we use node.js. it runs");
        check("he said \"stop.\" and left", "he said \"stop.\" and left");
    }

    #[test]
    fn initials() {
        check("J. Smith spoke. We heard.", "J. Smith spoke.|We heard.");
        check("J.K. Rowling wrote. We read.", "J.K. Rowling wrote.|We read.");
        check("Take plan B. The first failed.", "Take plan B.|The first failed.");
        check("Choose option C. It is best.", "Choose option C.|It is best.");
        check("John F. Kennedy spoke.", "John F. Kennedy spoke.");
    }

    #[test]
    fn ellipses_and_quotes() {
        check("Well... maybe not.", "Well... maybe not.");
        check("Well... Maybe.", "Well...|Maybe.");
        check("Wait… Go.", "Wait…|Go.");
        check("Wait… then go.", "Wait… then go.");
        check("He said \"Stop.\" Then he left.", "He said \"Stop.\"|Then he left.");
        check("He said “Stop.” Then he left.", "He said “Stop.”|Then he left.");
        check("\"Why?\" he asked. She smiled.", "\"Why?\" he asked.|She smiled.");
        check("(One.) Two.", "(One.)|Two.");
        check("It works (see above). Good.", "It works (see above).|Good.");
        check("He left. \"Why?\" she said.", "He left.|\"Why?\" she said.");
        check("He left. (She stayed.)", "He left.|(She stayed.)");
        check("Is it 'done'? Yes.", "Is it 'done'?|Yes.");
        check("Use node.js. It runs.", "Use node.js.|It runs.");
        check("See example.com. It is up.", "See example.com.|It is up.");
        check("'One.' 'Two.'", "'One.'|'Two.'");
    }

    #[test]
    fn other_scripts() {
        check("他来了。我走了。", "他来了。|我走了。");
        check("「行く。」と言った。", "「行く。」|と言った。");
        check("Что? Да. Нет.", "Что?|Да.|Нет.");
        check("¿Qué? ¡Sí! Bueno.", "¿Qué?|¡Sí!|Bueno.");
        check("यह है। वह था।", "यह है।|वह था।");
        check("Ça va. École. Été.", "Ça va.|École.|Été.");
    }

    #[test]
    fn what_is_too_long_comes_in_pieces() {
        let most = "a".repeat(SENTENCE_BYTES_MAX);
        assert_eq!(sentences(&most), vec![0..most.len(); 1]);
        assert_eq!(sentences(&format!("{most}b")), [0..SENTENCE_BYTES_MAX, SENTENCE_BYTES_MAX..SENTENCE_BYTES_MAX + 1]);
        for unit in ["and ", "é", "long-word ", "\u{200B}", "a\u{301} "] {
            let text = unit.repeat(5 * SENTENCE_BYTES_MAX / unit.len());
            let found = sentences(&text);
            assert!(found.iter().all(|range| range.len() <= SENTENCE_BYTES_MAX), "{unit:?}");
            let joined: String = found.iter().map(|range| &text[range.clone()]).collect();
            assert_eq!(joined.replace(' ', ""), text.replace(' ', ""), "{unit:?}");
            let words = found.iter().flat_map(|range| text[range.clone()].split(' '));
            assert!(
                words
                    .filter(|word| !word.is_empty())
                    .all(|word| unit == "é" || unit == "\u{200B}" || word == unit.trim_end()),
                "{unit:?}"
            );
        }
    }

    #[test]
    fn hostile() {
        let dots = ". ".repeat(10_000);
        assert!(sentences(&dots).len() <= 10_000);
        let long = format!("{}. A", "a.".repeat(100_000));
        assert!(!sentences(&long).is_empty());
        let closers = ".)".repeat(100_000);
        assert_eq!(sentences(&closers).len(), 200_000 / SENTENCE_BYTES_MAX);
    }
}
