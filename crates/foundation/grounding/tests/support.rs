//! What the support score promises, whatever the texts.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use proptest::prelude::*;
use steadfast_evidence::Evaluated;
use steadfast_grounding::{
    ASK_SENTENCES_MAX, FEATURES, Form, Grounding, Model, PASSAGE_SENTENCES_MAX, SENTENCE_WORDS_MAX, Sign, Support,
};

const ASK: &str = "The city bought 12 electric buses in March 2024 for €4.8 million. Maria Hansen leads the project. \
    The operator must not sell the old depot. Night lines may start in autumn.";

#[track_caller]
fn support(ask: &Grounding<'_>, passage: &str) -> Support {
    match ask.support(passage) {
        Evaluated::Value(support) => support,
        Evaluated::NotEvaluable(reason) => panic!("{passage:?}: {reason}"),
    }
}

#[track_caller]
fn feature(support: &Support, name: &str) -> f64 {
    support.features[FEATURES.iter().position(|feature| feature.name == name).unwrap()]
}

#[test]
fn the_coefficients_that_ship_are_read_in_both_forms() {
    for form in [Form::Lexical, Form::Minilm] {
        let model = Model::shipped(form);
        assert_eq!(model.version, "grounding/3");
        assert_eq!(model.coefficients.len(), form.features().len());
        assert_eq!(model.sets, ["summedits/original", "summedits/document", "entfa", "wice", "begin"]);
        assert!(model.thresholds.iter().all(|threshold| threshold.score > 0.0 && threshold.score < 1.0));
        assert_eq!(model.threshold("no such set"), 0.5);
    }
}

#[test]
fn what_the_ask_says_scores_above_what_it_does_not() {
    let ask = Grounding::of_text(ASK);
    for (said, not) in [
        ("The city bought 12 electric buses in March 2024.", "The city bought 14 electric buses in March 2024."),
        ("Maria Hansen leads the project.", "Peter Jensen leads the project."),
        ("Night lines may start in autumn.", "Passengers welcome the heated shelters."),
    ] {
        let (high, low) = (support(&ask, said).score, support(&ask, not).score);
        assert!(high > 0.5 && high > low + 0.1, "{said} {high}, {not} {low}");
    }
}

#[test]
fn a_ban_that_was_left_out_lowers_the_score() {
    let ask = Grounding::of_text(ASK);
    let (kept, lost) = ("The operator must not sell the old depot.", "The operator must sell the old depot.");
    let (kept, lost) = (support(&ask, kept), support(&ask, lost));
    assert_eq!((feature(&kept, "negation"), feature(&lost, "negation") > 0.4), (0.0, true));
    assert!(lost.score < kept.score - 0.2, "{} {}", kept.score, lost.score);
}

#[test]
fn a_verb_of_the_other_direction_is_seen_in_the_passive() {
    let ask = Grounding::of_text(ASK);
    let (bought, sold) =
        ("Twelve electric buses were purchased by the city.", "Twelve electric buses were sold by the city.");
    let (bought, sold) = (support(&ask, bought), support(&ask, sold));
    assert_eq!((feature(&bought, "opposed"), feature(&sold, "opposed") > 0.0), (0.0, true), "{bought:?} {sold:?}");
    assert!(sold.score < bought.score - 0.05, "{} {}", bought.score, sold.score);
}

#[test]
fn what_was_said_of_another_is_seen() {
    let ask = Grounding::of_text("Acme sued Beta over the patent.");
    let turned = |passage: &str| feature(&support(&ask, passage), "turned");
    assert!(turned("Beta sued Acme over the patent.") > 0.0);
    assert!(turned("Acme was sued by Beta over the patent.") > 0.0);
    assert_eq!(turned("Beta was sued by Acme over the patent."), 0.0);
}

#[test]
fn no_coefficient_says_the_opposite_of_what_its_feature_means() {
    for form in [Form::Lexical, Form::Minilm] {
        for (feature, value) in form.features().iter().zip(Model::shipped(form).coefficients) {
            let holds = match feature.sign {
                Sign::For => value >= 0.0,
                Sign::Against => value <= 0.0,
                Sign::Either => true,
            };
            assert!(holds, "{} {value}", feature.name);
        }
    }
}

#[test]
fn features_say_what_is_wrong() {
    let ask = Grounding::of_text(ASK);
    let of = |passage: &str, name: &str| feature(&support(&ask, passage), name);
    assert!(of("The city bought 14 electric buses.", "numbers_novel") > 0.4);
    assert_eq!(of("The city bought twelve electric buses.", "numbers_novel"), 0.0);
    assert!(of("Peter Jensen leads the project.", "names_novel") > 0.4);
    assert!(of("The operator must not sell the new depot.", "opposed") > 0.0);
    assert!(of("The city only bought 12 electric buses.", "added") > 0.0);
    assert!(of("Night lines will start in autumn.", "modality") > 0.0);
    assert_eq!(of("Night lines may start in autumn.", "modality"), 0.0);
    // "not safe" and "unsafe" are one.
    let ask = Grounding::of_text("The depot is not safe for buses.");
    let same = support(&ask, "The depot is unsafe for buses.");
    assert_eq!((feature(&same, "opposed"), feature(&same, "negation")), (0.0, 0.0), "{same:?}");
}

#[test]
fn names_are_one_however_they_are_written() {
    let ask = Grounding::of_text(
        "The United Nations met in the UK. South African firms paid the BBC on 3 Nov. 2021 (see Nato Review).",
    );
    let novel = |passage: &str| feature(&support(&ask, passage), "names_novel");
    for same in
        ["It met in the United Kingdom.", "The UN met.", "Firms from South Africa paid.", "They paid in November 2021."]
    {
        assert_eq!(novel(same), 0.0, "{same}");
        assert!(support(&ask, same).unsupported.is_empty(), "{same}: {:?}", support(&ask, same).unsupported);
    }
    for other in ["It met in the United States.", "The EU met.", "Firms from South Korea paid."] {
        assert!(novel(other) > 0.4, "{other}");
    }
    let ask = Grounding::of_text("The UN met, and so did the FA.");
    let novel = |passage: &str| feature(&support(&ask, passage), "names_novel");
    assert_eq!(novel("They say that the United Nations met."), 0.0);
    assert!(novel("They say that United Artists met.") > 0.4);
}

#[test]
fn the_number_of_an_item_is_no_number_of_the_sentence() {
    let ask = Grounding::of_text(ASK);
    let of = |passage: &str| feature(&support(&ask, passage), "numbers_novel");
    for item in ["3) Maria Hansen leads the project.", "(7) Maria Hansen leads.", "9. Maria Hansen leads the project."]
    {
        assert_eq!(of(item), 0.0, "{item}");
    }
    assert!(of("300) Maria Hansen leads the project.") > 0.4 && of("3 people lead the project.") > 0.4);
}

#[test]
fn what_nothing_stands_for_is_told_with_its_place() {
    let ask = Grounding::of_text(ASK);
    let passage = "Maria Hansen leads the project. Copenhagen Airport pays for 12 electric buses.";
    let found = support(&ask, passage);
    let told: Vec<&str> = found.unsupported.iter().map(|range| &passage[range.clone()]).collect();
    assert_eq!(told, ["Copenhagen Airport pays"]);
    let best = found.aligned[0];
    assert_eq!(best.sentence, 1);
}

#[test]
fn a_part_is_judged_by_its_own_words() {
    let ask = Grounding::of_text(ASK);
    let passage = "Maria Jensen leads the project.";
    let score = |range| match ask.support_part(passage, range) {
        Evaluated::Value(support) => support.score,
        Evaluated::NotEvaluable(reason) => panic!("{reason}"),
    };
    assert!(score(0..5) > score(6..12) + 0.1, "{} {}", score(0..5), score(6..12));
    for range in [3..60, 60..61] {
        assert!(matches!(ask.support_part(passage, range), Evaluated::NotEvaluable(_)));
    }
    assert!(matches!(ask.support_part("é", 1..2), Evaluated::NotEvaluable(_)), "half a character");
}

#[test]
fn where_nothing_is_said_nothing_is_evaluated() {
    for ask in ["", " \n", "…"] {
        let found = Grounding::of_text(ask).support("The city bought buses.");
        assert!(matches!(found, Evaluated::NotEvaluable(ref why) if why.0 == "the ask says nothing"), "{found:?}");
    }
    for passage in ["", "…", "of the"] {
        let found = Grounding::of_text(ASK).support(passage);
        assert!(matches!(found, Evaluated::NotEvaluable(ref why) if why.0 == "the passage says nothing"), "{found:?}");
    }
}

#[test]
fn limits_hold() {
    let many = "a bus. ".repeat(ASK_SENTENCES_MAX);
    let parted: Vec<&str> = many.split_inclusive(". ").collect();
    assert!(!Grounding::of_sentences(&parted).truncated);
    let more: Vec<&str> = parted.iter().copied().chain(["a tram."]).collect();
    let ask = Grounding::of_sentences(&more);
    assert!(ask.truncated);
    let passage = |sentences: usize| "The bus waits. ".repeat(sentences);
    assert!(!support(&ask, &passage(PASSAGE_SENTENCES_MAX)).truncated);
    assert!(support(&ask, &passage(PASSAGE_SENTENCES_MAX + 1)).truncated);
    // A sentence without an end is read in pieces of at most 2,000 bytes.
    assert!(support(&ask, &"bus".repeat(1_000 * (PASSAGE_SENTENCES_MAX + 1))).truncated);
    assert!(!support(&ask, &"bus ".repeat(SENTENCE_WORDS_MAX)).truncated);
    assert!(support(&ask, &"bus ".repeat(SENTENCE_WORDS_MAX + 1)).truncated);
}

#[test]
fn hostile_asks_and_passages_end() {
    let ask = "not 7 no never A ".repeat(60_000);
    let ask = Grounding::of_text(&ask);
    let passage = "No 7 A never 8 B not. ".repeat(2_000);
    assert!(matches!(ask.support(&passage), Evaluated::Value(_)));
}

proptest! {
    #[test]
    fn any_texts_have_the_same_score_each_time(ask in "\\PC{0,300}", passage in "\\PC{0,120}") {
        let grounding = Grounding::of_text(&ask);
        let found = grounding.support(&passage);
        prop_assert_eq!(&found, &Grounding::of_text(&ask).support(&passage));
        if let Evaluated::Value(support) = found {
            prop_assert!((0.0..=1.0).contains(&support.score));
            prop_assert!(support.features.iter().all(|it| (0.0..=1.0).contains(it)), "{:?}", support.features);
            prop_assert!(support.unsupported.iter().all(|range| passage.get(range.clone()).is_some()));
            prop_assert!(support.aligned.len() <= 10);
        }
    }

    #[test]
    fn a_sentence_of_the_ask_is_covered_and_closest(
        sentences in prop::collection::vec("[A-Z][a-z]{4,9}( [a-z]{3,9}){4,9}\\.", 1..6),
        at in any::<prop::sample::Index>(),
    ) {
        let ask = Grounding::of_sentences(&sentences);
        if let Evaluated::Value(support) = ask.support(&sentences[at.index(sentences.len())]) {
            let of = |name: &str| support.features[FEATURES.iter().position(|feature| feature.name == name).unwrap()];
            prop_assert_eq!((of("opposed"), of("numbers_novel"), of("names_novel")), (0.0, 0.0, 0.0));
            prop_assert!((of("three") - 1.0).abs() < 1e-9 && (of("window") - 1.0).abs() < 1e-9);
            prop_assert!(support.score > 0.5, "{}", support.score);
            prop_assert!(support.unsupported.is_empty());
        }
    }
}
