//! Whatever the text: no panic, ranges on character boundaries, a scope holds its cue.

use std::ops::Range;

use proptest::prelude::*;
use steadfast_annotate::{
    NameContext, TermMatcher, content_stems, is_mention, is_negated, modality, names, negations, stem,
};

fn sliceable(text: &str, range: &Range<usize>) -> bool {
    text.get(range.clone()).is_some_and(|slice| !slice.is_empty())
}

fn holds(text: &str) {
    let reading = modality(text);
    for mark in &reading.marks {
        assert!(sliceable(text, &mark.range) && sliceable(text, &mark.scope), "{text:?} {mark:?}");
        assert!(mark.scope.start <= mark.range.start && mark.range.end <= mark.scope.end, "{text:?} {mark:?}");
    }
    for negation in negations(text) {
        assert!(sliceable(text, &negation.cue) && sliceable(text, &negation.scope), "{text:?} {negation:?}");
        let Range { start, end } = negation.scope;
        assert!(start <= negation.cue.start && negation.cue.end <= end, "{text:?} {negation:?}");
    }
    let mut last = 0;
    for name in names(text, &NameContext::default()) {
        assert!(sliceable(text, &name.range) && name.range.start >= last, "{text:?} {name:?}");
        last = name.range.end;
    }
    for (range, _) in content_stems(text) {
        assert!(sliceable(text, &range));
    }
    for found in TermMatcher::new(&["AR", "app", "smart home", text]).find_all(text) {
        assert!(sliceable(text, &found.range));
    }
    for range in [0..0, 0..1, 3..9, 0..text.len(), text.len()..usize::MAX] {
        let _ = (reading.strength_at(range.clone()), is_negated(text, range.clone()), is_mention(text, range));
    }
    let _ = stem(text);
}

const WORDS: &[&str] = &[
    "the",
    "AR",
    "will",
    "might",
    "not",
    "no",
    "ban",
    "banned",
    "words",
    ":",
    ",",
    ".",
    "(",
    ")",
    "to",
    "ensure",
    "if",
    "Bonn",
    "Dr",
    "and",
    "but",
    "or",
    "which",
    "that",
    "\u{2014}",
    ";",
    "never",
    "without",
    "aims",
    "University",
    "of",
    "A/S",
    "-",
    "non-",
    "-free",
    "100",
    "%",
    "\u{201C}",
    "Ærø",
    "日本語",
    "don\u{2019}t",
    "reduces",
    "ensuring",
    "!",
    "?",
    "Inc",
    "imagine",
    "a",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text(text in ".{0,80}") {
        holds(&text);
    }

    #[test]
    fn any_words(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..30), glue in any::<bool>()) {
        holds(&words.join(if glue { "" } else { " " }));
        holds(&words.join(" "));
    }
}

#[test]
fn hostile_texts() {
    holds("");
    holds("\u{0}\u{1}\u{FEFF}\n\r\t");
    holds("((((((((((((((((");
    holds("))))))))))))))))");
    holds("not not not not not but but but");
    holds("-----\u{2014}\u{2014}\u{2014}");
}

/// Long texts of any one kind are read in time that grows with their length.
#[test]
fn nothing_is_quadratic() {
    for piece in [
        "not ",
        "(",
        "a, ",
        "Bonn ",
        "if ",
        "9",
        "-",
        "that will ",
        "\" term ",
        "A (B) ",
        "no x, ",
        "will and ",
        "ban ",
    ] {
        let text = piece.repeat(20_000 / piece.len());
        let _ = (modality(&text), negations(&text), names(&text, &NameContext::default()));
        let _ = (content_stems(&text), is_mention(&text, 9..10));
    }
}
