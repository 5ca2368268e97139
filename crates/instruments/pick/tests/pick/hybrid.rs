//! The candidates for a task, with the embedder that needs no model.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use proptest::prelude::*;
use steadfast_embed::{Embedder, Lexical};
use steadfast_pick::record::PromptRecord;
use steadfast_pick::retrieve::filters::{Filters, Wanted};
use steadfast_pick::retrieve::hybrid::{Fusion, POOL_MAX, Pool, Request, Retriever, Source, in_order};
use steadfast_pick::retrieve::passages::texts;
use steadfast_pick::retrieve::priors::{Day, Feedback};
use steadfast_pick::retrieve::vectors::Vectors;

fn record(id: &str, text: &str) -> PromptRecord {
    PromptRecord { prompt_id: id.to_owned(), prompt_text: text.to_owned(), ..PromptRecord::default() }
}

fn with_vectors(records: Vec<PromptRecord>) -> Retriever {
    let mut retriever = Retriever::new(records.clone());
    let mut vectors = Vectors::new(Lexical.dimensions()).unwrap();
    for record in in_order(records) {
        let own = texts(&record);
        let embed = |text: &str| Lexical.embed(&[text]).remove(0).vector;
        let label = own.label.as_deref().map(embed);
        let passages: Vec<_> = own.passages.iter().map(|text| embed(text)).collect();
        vectors.push(label.as_deref(), passages.iter().map(AsRef::as_ref)).unwrap();
    }
    assert!(retriever.set_vectors(vectors));
    retriever
}

struct Asked {
    filters: Filters,
    feedback: HashMap<String, Feedback>,
    wanted: Wanted<'static>,
    at: Option<Day>,
    size: usize,
}

impl Default for Asked {
    fn default() -> Self {
        let (filters, feedback, wanted) = (Filters::default(), HashMap::new(), Wanted::default());
        Self { filters, feedback, wanted, at: None, size: POOL_MAX }
    }
}

impl Asked {
    fn of(&self, retriever: &Retriever, text: &str) -> Pool {
        let vector = retriever.vectors().map(|_| Lexical.embed(&[text]).remove(0).vector);
        let request = Request {
            text,
            vector: vector.as_deref(),
            wanted: self.wanted,
            filters: &self.filters,
            feedback: &self.feedback,
            at: self.at,
            size: self.size,
            fusion: Fusion::default(),
        };
        retriever.retrieve(&request).unwrap()
    }
}

fn ids(pool: &Pool) -> Vec<&str> {
    pool.candidates.iter().map(|candidate| candidate.prompt_id.as_str()).collect()
}

fn vault() -> Vec<PromptRecord> {
    vec![
        PromptRecord { parent_prompt: Some("minutes".to_owned()), ..record("minutes-short", "Three lines at most.") },
        record("minutes", "Write the minutes of a meeting from its notes: decisions, owners, dates."),
        PromptRecord {
            intent: Some("plan".to_owned()),
            domain: Some("marketing".to_owned()),
            last_updated: Some("2025-11-22T09:00:00Z".to_owned()),
            ..record("campaign", "Plan a marketing campaign over two weeks.")
        },
        record("campaign-copy", "Plan a marketing campaign over two weeks!"),
        record("poem", "A poem on the sea."),
    ]
}

#[test]
fn every_candidate_says_what_brought_it_and_has_all_components() {
    let asked = Asked {
        wanted: Wanted { intent: Some("plan"), domain: Some("Marketing"), task_type: None },
        feedback: HashMap::from([("campaign".to_owned(), Feedback { good: 4, bad: 0 })]),
        at: Day::of("2026-11-22"),
        ..Asked::default()
    };
    let pool = asked.of(&with_vectors(vault()), "plan a campaign");
    assert!(!pool.bm25_only);
    assert_eq!(ids(&pool)[..2], ["campaign", "campaign-copy"]);
    let best = &pool.candidates[0];
    assert_eq!(best.retrieval_sources, [Source::Metadata, Source::Bm25, Source::Vector, Source::Neighbor]);
    assert!((best.metadata_match - 0.85).abs() < 1e-12 && best.bm25_sim == 1.0);
    assert!(best.quality_prior == 0.75 && (best.freshness - (-1.0_f64).exp()).abs() < 1e-9, "{best:?}");
    assert!((best.score - (0.8 * best.dense_sim + 0.2)).abs() < 1e-12);
    let copy = &pool.candidates[1];
    assert_eq!((copy.duplicate_of, copy.quality_prior, copy.freshness), (Some(best.document), 0.5, 0.5));
}

#[test]
fn variants_come_along() {
    for retriever in [Retriever::new(vault()), with_vectors(vault())] {
        let pool = Asked::default().of(&retriever, "minutes of our meeting");
        let short = pool.candidates.iter().find(|candidate| candidate.prompt_id == "minutes-short").unwrap();
        assert!(short.retrieval_sources.contains(&Source::Neighbor), "{short:?}");
        assert_eq!(ids(&pool)[0], "minutes");
    }
}

#[test]
fn without_vectors_words_alone_decide_and_it_is_said() {
    let pool = Asked::default().of(&Retriever::new(vault()), "campaign");
    assert!(pool.bm25_only);
    assert!(pool.candidates.iter().all(|it| it.dense_sim == 0.0 && it.score == it.bm25_sim));
    assert!(pool.candidates.iter().all(|it| !it.retrieval_sources.contains(&Source::Vector)));
    assert!(Asked::default().of(&Retriever::new(Vec::new()), "campaign").candidates.is_empty());
    assert!(Asked::default().of(&Retriever::new(vault()), "").candidates.is_empty());
}

#[test]
fn filters_hold_for_neighbours_too() {
    let filters = Filters { domains: vec!["marketing".to_owned()], ..Filters::default() };
    let pool = Asked { filters, ..Asked::default() }.of(&with_vectors(vault()), "plan the minutes of a campaign");
    assert_eq!(ids(&pool), ["campaign"]);
}

#[test]
fn metadata_fill_a_pool_that_words_leave_empty() {
    let wanted = Wanted { intent: Some("plan"), domain: None, task_type: None };
    let pool = Asked { wanted, ..Asked::default() }.of(&Retriever::new(vault()), "zebra");
    assert_eq!((ids(&pool), &pool.candidates[0].retrieval_sources[..]), (vec!["campaign"], &[Source::Metadata][..]));
}

#[test]
fn vectors_of_another_vault_are_not_taken() {
    let mut retriever = Retriever::new(vault());
    assert!(!retriever.set_vectors(Vectors::new(16).unwrap()) && retriever.vectors().is_none());
    let request_vector = vec![0.0; 16];
    let retriever = with_vectors(vault());
    let request = Request {
        text: "plan",
        vector: Some(&request_vector),
        wanted: Wanted::default(),
        filters: &Filters::default(),
        feedback: &HashMap::new(),
        at: None,
        size: 5,
        fusion: Fusion::default(),
    };
    assert!(retriever.retrieve(&request).is_err());
}

#[test]
fn a_pool_is_as_large_as_it_may_be() {
    let records: Vec<PromptRecord> =
        (0..200).map(|at| record(&format!("p{at:03}"), &format!("plan number {at} of the week"))).collect();
    let retriever = with_vectors(records);
    assert_eq!(Asked::default().of(&retriever, "plan").candidates.len(), POOL_MAX);
    assert_eq!(Asked { size: 3, ..Asked::default() }.of(&retriever, "plan").candidates.len(), 3);
    assert_eq!(Asked { size: 150, ..Asked::default() }.of(&retriever, "plan").candidates.len(), 150);
}

fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["plan", "minutes", "campaign", "sea", "the", "C++", "他", "…"]);
    prop::collection::vec(word, 0..8).prop_map(|words| words.join(" "))
}

fn records() -> impl Strategy<Value = Vec<PromptRecord>> {
    let one = (text(), prop::option::of(text()), prop::option::of(0_usize..8));
    prop::collection::vec(one, 0..8).prop_map(|all| {
        let of = |(at, (text, title, parent)): (usize, (String, Option<String>, Option<usize>))| PromptRecord {
            title,
            parent_prompt: parent.map(|parent| format!("p{parent}")),
            ..record(&format!("p{at}"), &text)
        };
        all.into_iter().enumerate().map(of).collect()
    })
}

proptest! {
    #[test]
    fn permuting_the_vault_changes_nothing(records in records(), query in text(), turn in 0_usize..8) {
        let mut turned = records.clone();
        turned.rotate_left(turn % records.len().max(1));
        turned.reverse();
        let asked = Asked::default();
        prop_assert_eq!(asked.of(&Retriever::new(records.clone()), &query), asked.of(&Retriever::new(turned.clone()), &query));
        prop_assert_eq!(asked.of(&with_vectors(records), &query), asked.of(&with_vectors(turned), &query));
    }

    #[test]
    fn components_lie_between_nought_and_one(records in records(), query in text()) {
        let pool = Asked::default().of(&with_vectors(records), &query);
        for it in &pool.candidates {
            for value in [it.score, it.dense_sim, it.bm25_sim, it.metadata_match, it.quality_prior, it.freshness] {
                prop_assert!((0.0..=1.0).contains(&value), "{:?}", it);
            }
            prop_assert!(!it.retrieval_sources.is_empty() && it.retrieval_sources.is_sorted());
        }
        prop_assert!(pool.candidates.is_sorted_by(|a, b| a.score >= b.score));
    }

    #[test]
    fn more_evidence_never_lowers_a_score(
        dense in 0.0_f64..=1.0, bm25 in 0.0_f64..=1.0, more in 0.0_f64..=1.0, weight in -0.5_f64..1.5,
        coverage in 0.0_f64..=1.0, covered in 0.0_f64..=1.0,
    ) {
        let fusion = Fusion { dense: weight, covered };
        let score = fusion.score(Some(dense), bm25, coverage);
        prop_assert!(fusion.score(Some((dense + more).min(1.0)), bm25, coverage) >= score);
        prop_assert!(fusion.score(Some(dense), (bm25 + more).min(1.0), coverage) >= score);
        prop_assert!(fusion.score(Some(dense), bm25, (coverage + more).min(1.0)) >= score);
        prop_assert!(fusion.score(None, (bm25 + more).min(1.0), coverage) >= fusion.score(None, bm25, coverage));
    }

    #[test]
    fn no_text_breaks_it(texts in prop::collection::vec(any::<String>(), 0..4), query in any::<String>()) {
        let records = texts.iter().enumerate().map(|(at, text)| record(&at.to_string(), text)).collect();
        prop_assert!(Asked::default().of(&with_vectors(records), &query).candidates.len() <= texts.len());
    }
}
