//! What is read in a document, and what governs its blocks.

use proptest::prelude::*;
use steadfast_annotate::{
    Annotated, NameKind, SENTENCE_BYTES_MAX, Strength, annotate, annotate_within, modality, negations, quantities,
};
use steadfast_text::{Document, Format, Span};

fn with(text: &str, look: impl FnOnce(&Annotated<'_>)) {
    look(&annotate(&Document::from_str_as(text, Format::Markdown)));
}

#[test]
fn a_sentence_has_what_stands_in_it() {
    with("Maria Hansen must open 3 hubs in Bonn, but she may not say “cheap” or use `rm`.", |annotated| {
        let sentence = &annotated.sentences[0];
        let text = |range: &std::ops::Range<usize>| &sentence.text[range.clone()];
        assert_eq!(sentence.quantities.iter().map(|it| text(&it.range)).collect::<Vec<_>>(), ["3 hubs"]);
        let names: Vec<_> = sentence.names.iter().map(|name| (name.text.as_str(), name.kind)).collect();
        assert_eq!(names, [("Maria Hansen", NameKind::Person), ("Bonn", NameKind::Place)]);
        assert_eq!(sentence.quotes.iter().map(text).collect::<Vec<_>>(), ["cheap"]);
        assert_eq!(sentence.code.iter().map(text).collect::<Vec<_>>(), ["rm"]);
        assert!(sentence.masked.contains("“_____”") && sentence.masked.len() == sentence.text.len());
        assert_eq!(sentence.modality.strength, Strength::Committed);
        assert_eq!(sentence.clauses.iter().map(|clause| clause.negated).collect::<Vec<_>>(), [false, true]);
        let stems: Vec<&str> = sentence.tokens.iter().map(|it| it.stem.as_str()).filter(|it| !it.is_empty()).collect();
        assert_eq!(stems, ["maria", "hansen", "open", "3", "hub", "bonn", "say", "cheap", "use", "rm"]);
    });
}

#[test]
fn blocks_are_governed_by_headings_leads_and_columns() {
    let text =
        "# Plan\n\n## Limits\n\nWe will not:\n\n- sell\n  - abroad\n\n| Cost | Owner |\n|---|---|\n| 5 EUR | Ann |\n";
    with(text, |annotated| {
        let of = |text: &str| {
            let sentence = annotated.sentences.iter().find(|sentence| sentence.text == text).unwrap();
            let governed = &annotated.governed[sentence.block];
            let block = |at: &usize| annotated.document.blocks[*at].text.plain.as_str();
            let title = |at: &usize| annotated.document.sections[*at].title.as_str();
            (
                governed.sections.iter().map(title).collect::<Vec<_>>().join("<"),
                governed.leads.iter().map(block).collect::<Vec<_>>().join("<"),
                governed.column.as_ref().map(block),
            )
        };
        assert_eq!(of("abroad"), ("Limits<Plan".to_owned(), "sell<We will not:".to_owned(), None));
        assert_eq!(of("5 EUR"), ("Limits<Plan".to_owned(), String::new(), Some("Cost")));
        assert_eq!(of("Owner").2, None);
    });
}

#[test]
fn the_body_alone_is_read() {
    let text = "Keep it small. Open 3 hubs by May.";
    let document = Document::from_str_as(text, Format::Plain);
    let annotated = annotate_within(&document, Span::new(15, 26));
    let [sentence] = annotated.sentences.as_slice() else { panic!("{} sentences", annotated.sentences.len()) };
    assert_eq!((sentence.text, sentence.range.start), ("Open 3 hubs", 15));
}

#[test]
fn what_is_past_a_limit_is_marked() {
    for unit in ["1234567 ", ", ", "and and ", "\"", "“a", "x", "(", "not no "] {
        with(&unit.repeat(80_000 / unit.len()), |annotated| {
            for sentence in &annotated.sentences {
                let whole = sentence.text.len() <= SENTENCE_BYTES_MAX;
                assert!(whole == (sentence.read_bytes == sentence.text.len()), "{unit:?}");
                assert!(sentence.tokens.iter().all(|token| token.range.end <= sentence.read_bytes), "{unit:?}");
            }
        });
    }
}

proptest! {
    #[test]
    fn readings_are_those_of_the_single_readers(text in "[ -~“”’éß\n*`]{0,200}") {
        with(&text, |annotated| {
            for sentence in &annotated.sentences {
                assert_eq!(sentence.modality, modality(sentence.text));
                assert_eq!(sentence.negations, negations(sentence.text));
                assert_eq!(sentence.quantities, quantities(sentence.text));
                for clause in &sentence.clauses {
                    assert!(sentence.text.get(clause.range.clone()).is_some());
                }
                for range in sentence.quotes.iter().chain(&sentence.code) {
                    assert!(sentence.text.get(range.clone()).is_some());
                }
            }
        });
    }
}
