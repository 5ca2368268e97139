//! Finding by words.

use proptest::prelude::*;
use steadfast_pick::retrieve::bm25::{Builder, Index, Parameters, Query, Workspace};
use steadfast_pick::retrieve::top::Hit;

fn index(texts: &[&str], parameters: Parameters) -> Index {
    let mut builder = Builder::default();
    texts.iter().for_each(|text| builder.push([(1, *text)]));
    builder.build(parameters)
}

fn search(index: &Index, query: &str, k: usize) -> Vec<Hit> {
    index.search(&Query::new(query), k, &mut Workspace::default(), |_| true)
}

const TEXTS: [&str; 4] =
    ["Summarise the meeting notes", "A plan for a marketing campaign", "Summarise a plan, then plan again", ""];

#[test]
fn scores_follow_the_formula() {
    for (k1, b) in [(1.2, 0.75), (0.0, 0.5), (2.0, 0.0), (1.8, 1.0)] {
        let index = index(&TEXTS, Parameters { k1, b });
        // Lengths without stop words: 3, 3, 3, 0; "plan" stands in two of four documents, "campaign" in one.
        let idf = |with: f64| (1.0 + (4.0 - with + 0.5) / (with + 0.5)).ln();
        let (k1, b) = (f64::from(k1), f64::from(b));
        let part = |tf: f64, length: f64| tf * (k1 + 1.0) / (tf + k1 * (1.0 - b + b * length / 2.25));
        let query = Query::new("plans for the campaign, a plan");
        for (document, expect) in [
            (1, 2.0 * idf(2.0) * part(1.0, 3.0) + idf(1.0) * part(1.0, 3.0)),
            (2, 2.0 * idf(2.0) * part(2.0, 3.0)),
            (0, 0.0),
            (3, 0.0),
        ] {
            let found = f64::from(index.score(&query, document));
            assert!((found - expect).abs() < 1e-6, "document {document} has {found}, not {expect}");
        }
    }
}

#[test]
fn an_explanation_names_the_words_and_adds_up() {
    let index = index(&TEXTS, Parameters::default());
    let query = Query::new("Planning: plan the campaign, or a plan of zebras");
    let explained = index.explain(&query, 1);
    let words: Vec<String> = explained.iter().map(|it| format!("{}={}", it.term, it.words.join("/"))).collect();
    assert_eq!(words, ["plan=Planning/plan", "campaign=campaign"]);
    let sum: f32 = explained.iter().map(|it| it.score).sum();
    assert!((sum - index.score(&query, 1)).abs() < 1e-6);
    assert!(index.explain(&query, 0).is_empty());
}

#[test]
fn equal_scores_stand_in_the_order_of_the_documents() {
    let index = index(&["a plan", "b plan", "plan c", "nothing"], Parameters::default());
    let numbers: Vec<u32> = search(&index, "plan", 9).iter().map(|hit| hit.document).collect();
    assert_eq!(numbers, [0, 1, 2]);
    assert_eq!(search(&index, "plan", 2).len(), 2);
    assert!(search(&index, "the", 9).is_empty() && search(&index, "", 9).is_empty());
    let even = index.search(&Query::new("plan"), 9, &mut Workspace::default(), |document| document != 0);
    assert_eq!(even.len(), 2);
}

#[test]
fn an_index_of_nothing_finds_nothing() {
    assert!(search(&Builder::default().build(Parameters::default()), "plan", 3).is_empty());
    assert!(search(&index(&["", "the"], Parameters::default()), "plan", 3).is_empty());
    assert!(Builder::default().build(Parameters::default()).is_empty());
}

#[test]
fn fields_count_by_their_weight() {
    let mut builder = Builder::default();
    builder.push([(3, "budget"), (1, "notes on a river"), (0, "forest")]);
    builder.push([(1, "budget budget budget notes river")]);
    builder.push([(1, "other words stand here")]);
    let index = builder.build(Parameters::default());
    let query = Query::new("budget");
    assert_eq!(index.score(&query, 0), index.score(&query, 1));
    assert_eq!(index.score(&Query::new("forest"), 0), 0.0);
}

#[test]
fn parameters_that_are_no_numbers_do_no_harm() {
    for k1 in [f32::NAN, f32::INFINITY, -1.0, f32::MAX] {
        for b in [f32::NAN, f32::NEG_INFINITY, -1.0, 7.0] {
            let hits = search(&index(&TEXTS, Parameters { k1, b }), "plan campaign summarise", 9);
            assert_eq!(hits.len(), 3, "{k1} {b}");
            assert!(hits.iter().all(|hit| hit.score.is_finite() && hit.score > 0.0), "{k1} {b}: {hits:?}");
        }
    }
}

/// Words of a small language, so that texts share some.
fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["plan", "note", "budget", "river", "the", "email", "C#", "他", "🛑"]);
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn the_order_of_documents_changes_nothing(
        texts in prop::collection::vec(text(), 1..12), query in text(), turn in 0_usize..12,
    ) {
        let turn = turn % texts.len();
        let given: Vec<&str> = texts.iter().map(String::as_str).collect();
        let turned: Vec<&str> = given[turn..].iter().chain(&given[..turn]).copied().collect();
        let (one, other) = (index(&given, Parameters::default()), index(&turned, Parameters::default()));
        let query = Query::new(&query);
        for at in 0..given.len() {
            let there = (at + texts.len() - turn) % texts.len();
            prop_assert_eq!(one.score(&query, at as u32).to_bits(), other.score(&query, there as u32).to_bits());
        }
    }

    #[test]
    fn the_order_of_the_querys_words_changes_nothing(texts in prop::collection::vec(text(), 1..8), query in text()) {
        let given: Vec<&str> = texts.iter().map(String::as_str).collect();
        let index = index(&given, Parameters::default());
        let back = query.split(' ').rev().collect::<Vec<_>>().join(" ");
        prop_assert_eq!(search(&index, &query, 9), search(&index, &back, 9));
    }

    #[test]
    fn a_word_of_the_query_in_place_of_another_never_lowers_the_score(
        others in prop::collection::vec(text(), 0..8), before in text(), after in text(), query in text(),
        k1 in 0.0_f32..5.0, b in 0.0_f32..1.0,
    ) {
        let query = Query::new(&query);
        for term in &query.terms {
            let index_with = |word: &str| {
                let own = format!("{before} {word} {after}");
                let texts: Vec<&str> = others.iter().map(String::as_str).chain([own.as_str()]).collect();
                index(&texts, Parameters { k1, b })
            };
            let own = others.len() as u32;
            let (without, with) = (index_with("xylophone"), index_with(&term.words[0]));
            // Where the term was there before, its rarity stays; where it was not, it adds to what there is.
            prop_assert!(with.score(&query, own) >= without.score(&query, own));
        }
    }

    #[test]
    fn a_search_gives_the_scores_of_its_documents(texts in prop::collection::vec(text(), 0..9), query in text()) {
        let given: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (index, query, mut workspace) =
            (index(&given, Parameters::default()), Query::new(&query), Workspace::default());
        for _ in 0..2 {
            let hits = index.search(&query, 9, &mut workspace, |_| true);
            for hit in &hits {
                prop_assert_eq!(hit.score.to_bits(), index.score(&query, hit.document).to_bits());
            }
            let scored = (0..given.len()).filter(|at| index.score(&query, *at as u32) > 0.0).count();
            prop_assert_eq!(hits.len(), scored);
        }
    }

    #[test]
    fn no_text_breaks_it(texts in prop::collection::vec(any::<String>(), 0..6), query in any::<String>()) {
        let given: Vec<&str> = texts.iter().map(String::as_str).collect();
        let index = index(&given, Parameters::default());
        let hits = search(&index, &query, 9);
        prop_assert!(hits.iter().all(|hit| index.explain(&Query::new(&query), hit.document).iter().all(|it| it.score > 0.0)));
    }
}
