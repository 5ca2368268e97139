//! Passages that an embedding model finds: what the answer says in other words than the obligation's.
//!
//! The list of words and the list of vectors become one by reciprocal rank fusion (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion
//! outperforms Condorcet and individual Rank Learning Methods", 2009): a passage scores `1 / (60 + rank)` in each list that it stands in.
//! States were decided before on passages found by words and figures, and stay as they are.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use steadfast_embed::{Embedder, Embedding, cosine};

use crate::answer::Answer;
use crate::ask::{Contract, ContractItem};
use crate::passages::{Around, FoundBy, PASSAGES_MAX, Passage, Passages};
use crate::status::Judged;

/// Bytes of the sentences and rows that are compared by meaning, at most: some 4,500 word pieces, for which two cores take one to two seconds. Of a
/// longer answer those count that words put nearest to the obligations.
pub const COMPARED_BYTES_MAX: usize = 16 * 1024;
/// How many of each list are fused. On 95 drifts of pairs that may be looked at, fives find 66 % of the breaking passages, tens 70 %.
const DEPTH: usize = 10;
/// How much less the first of a list counts than a passage that heads both: the constant of the source.
const FUSION_CONSTANT: f64 = 60.0;

/// Replaces the passages of each obligation by the [`PASSAGES_MAX`] nearest by words, figures and meaning together.
pub fn add(contract: &Contract, answer: &Answer, obligations: &mut [Judged], embedder: &dyn Embedder) {
    let passages = Passages::new(answer);
    let candidates = candidates(contract, &passages);
    let units: Vec<usize> = candidates.keys().copied().collect();
    let asked: Vec<&ContractItem> =
        obligations.iter().filter_map(|judged| contract.obligations.get(judged.item)).collect();
    if units.is_empty() || asked.len() < obligations.len() {
        return;
    }
    let quotes = asked.iter().map(|item| item.obligation.source().text());
    let all: Vec<&str> = candidates.values().map(String::as_str).chain(quotes).collect();
    let vectors = embedder.embed(&all);
    let (of_units, of_obligations) = vectors.split_at(units.len().min(vectors.len()));
    let mut around = Around::default();
    for ((judged, item), vector) in obligations.iter_mut().zip(asked).zip(of_obligations) {
        let by_words = passages.of(item, around.of(contract, item), DEPTH);
        let by_vectors = nearest(vector, of_units).into_iter().filter_map(|at| {
            let unit = *units.get(at)?;
            passages.passage(unit, FoundBy::Vector, 0.0, 0)
        });
        judged.passages = fused(by_words, by_vectors.collect());
    }
}

/// What is compared by meaning, with its text: all of a short answer; of a long one what words put nearest, the first of every obligation before the
/// second of any.
fn candidates(contract: &Contract, passages: &Passages<'_>) -> BTreeMap<usize, String> {
    let all = 0..passages.len();
    if all.clone().map(|unit| passages.text(unit).len()).sum::<usize>() <= COMPARED_BYTES_MAX {
        return all.map(|unit| (unit, passages.text(unit))).collect();
    }
    let mut around = Around::default();
    let nearest = |item: &ContractItem| passages.nearest(item, around.of(contract, item));
    let lists: Vec<Vec<usize>> = contract.obligations.iter().map(nearest).collect();
    let deepest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let in_turn = (0..deepest).flat_map(|rank| lists.iter().filter_map(move |list| list.get(rank)));
    let (mut chosen, mut room) = (BTreeMap::new(), COMPARED_BYTES_MAX);
    for unit in in_turn {
        if let Entry::Vacant(free) = chosen.entry(*unit) {
            let text = passages.text(*unit);
            let Some(rest) = room.checked_sub(text.len()) else { continue };
            room = rest;
            free.insert(text);
        }
    }
    chosen
}

/// The places of the vectors nearest to one, the nearest first; of equals the earlier.
fn nearest(own: &Embedding, others: &[Embedding]) -> Vec<usize> {
    let mut ranked: Vec<(usize, f64)> =
        others.iter().enumerate().map(|(at, other)| (at, cosine(&own.vector, &other.vector))).collect();
    ranked.sort_by(|(a, one), (b, other)| other.total_cmp(one).then(a.cmp(b)));
    ranked.truncate(DEPTH);
    ranked.into_iter().map(|(at, _)| at).collect()
}

/// Both lists as one. A passage of both stays found by words or figures.
fn fused(by_words: Vec<Passage>, by_vectors: Vec<Passage>) -> Vec<Passage> {
    let mut scores: HashMap<Vec<usize>, f64> = HashMap::new();
    for list in [&by_words, &by_vectors] {
        for (rank, passage) in (1_u32..).zip(list) {
            *scores.entry(passage.claims.clone()).or_default() += 1.0 / (FUSION_CONSTANT + f64::from(rank));
        }
    }
    let mut all = by_words;
    for passage in by_vectors {
        if !all.iter().any(|own| own.claims == passage.claims) {
            all.push(passage);
        }
    }
    let score = |passage: &Passage| scores.get(&passage.claims).copied().unwrap_or(0.0);
    // Stable: of equals what words found comes first.
    all.sort_by(|one, other| score(other).total_cmp(&score(one)));
    all.truncate(PASSAGES_MAX);
    all
}

#[cfg(test)]
mod tests {
    use steadfast_embed::Lexical;
    use steadfast_evidence::FileId;
    use steadfast_text::{Document, Format};

    use super::*;
    use crate::evaluation::{self, Settings, Source};

    fn source(file: u32, text: &str) -> Source {
        Source { file: FileId(file), name: String::new(), document: Document::from_str_as(text, Format::Markdown) }
    }

    #[test]
    fn vectors_add_passages_and_move_no_state() {
        let prompt =
            "Write the plan for the garden. It must open within 3 months. Do not use pesticides. Name a gardener.";
        let filler = "The path is laid with gravel that a lorry brings. ".repeat(12);
        let report =
            format!("# Garden\n\nThe garden opens within 3 months.\n\n{filler}\n\nMs Ito gardens there every day.\n");
        let judge = |embedder: Option<&dyn Embedder>| {
            let (contract, answer) = evaluation::read(&source(0, prompt), vec![source(1, &report)]).unwrap();
            evaluation::judge("ask", contract, answer, &Settings::default(), embedder).unwrap().evaluation
        };
        let (without, with) = (judge(None), judge(Some(&Lexical)));
        let states = |own: &evaluation::Evaluation| -> Vec<_> {
            own.obligations.iter().map(|judged| (judged.status, judged.assessed, judged.answer.clone())).collect()
        };
        assert_eq!(states(&without), states(&with));
        assert_eq!(without.incidents.len(), with.incidents.len());
        let by_vectors = |own: &evaluation::Evaluation| {
            own.obligations
                .iter()
                .flat_map(|judged| &judged.passages)
                .filter(|own| own.found_by == FoundBy::Vector)
                .count()
        };
        assert_eq!(by_vectors(&without), 0);
        assert!(by_vectors(&with) > 0, "the lexical embedder finds what shares parts of words");
        assert!(with.obligations.iter().all(|judged| judged.passages.len() <= PASSAGES_MAX));
    }

    #[test]
    fn of_a_long_answer_the_nearest_by_words_are_compared() {
        let prompt = "Plan the seed library. It must open within 3 months. Do not use blockchain.";
        let mut report = String::from("# Library\n\n");
        for number in 0..2_000 {
            report.push_str(&format!("Crate {number} stands in the shed.\n\n"));
        }
        report.push_str("The seed library opens within 3 months.\n");
        let (contract, answer) = evaluation::read(&source(0, prompt), vec![source(1, &report)]).unwrap();
        let passages = Passages::new(&answer);
        let chosen = candidates(&contract, &passages);
        assert!(chosen.values().map(String::len).sum::<usize>() <= COMPARED_BYTES_MAX);
        assert!(!chosen.is_empty() && chosen.len() < passages.len());
        assert!(chosen.values().any(|text| text.contains("seed library opens")));
    }
}
