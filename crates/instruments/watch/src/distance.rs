//! Goal distance: the step score that says more than the Intent Drift Score, and costs about twice its vectors.
//!
//! ```text
//! goal_distance = clamp(1 − (W + S + T) / 3, 0, 1)
//! W = cos(vector of the output, vector of the goal)            what the Intent Drift Score has
//! S = mean over the output's sentences of cos(sentence, goal)  how much of the output is about the goal
//! T = cos of the counts of content stems                       how far it speaks of the goal in the goal's own words
//! ```
//!
//! The vector of a whole text sees its topic; the mean over sentences is not carried by one sentence that is on the goal, and reads
//! past the embedder's limit; the stems see the specific words that a neighbouring task replaces. The three weigh the same:
//! weights that were fitted did no better on rows that were kept aside. `docs/watch.md` has the figures.

use std::collections::HashMap;
use std::ops::Range;

use steadfast_annotate::content_stems;
use steadfast_embed::{Embedder, cosine};
use steadfast_text::sentences;

use crate::divergence::{Vectored, is_empty};

/// Sentences of an output that have a part in the score: the first ones.
pub const SENTENCES_MAX: usize = 64;

/// Bytes of an output whose stems and sentences have a part in the score: the first ones.
pub const OUTPUT_BYTES_MAX: usize = 256 * 1024;

/// The sentences of an output that have a part in the score, as ranges of bytes: those with a content word; the whole output where none
/// has one.
#[must_use]
pub fn counted_sentences(output: &str) -> Vec<Range<usize>> {
    let read = head(output);
    let mut found: Vec<Range<usize>> = sentences(read)
        .into_iter()
        .filter(|range| !content_stems(&read[range.clone()]).is_empty())
        .take(SENTENCES_MAX)
        .collect();
    if found.is_empty() {
        found.push(0..read.len());
    }
    found
}

fn head(output: &str) -> &str {
    &output[..output.floor_char_boundary(OUTPUT_BYTES_MAX)]
}

/// How often each content stem of a text occurs in it.
#[derive(Clone, Debug, Default)]
pub struct Stems {
    counts: HashMap<String, u32>,
    length: f64,
}

impl Stems {
    /// Counts the stems of `text`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for (_, stem) in content_stems(head(text)) {
            *counts.entry(stem).or_default() += 1;
        }
        // Squares of counts are whole numbers: their sum is exact in any order.
        let length = counts.values().map(|count| f64::from(*count).powi(2)).sum::<f64>().sqrt();
        Self { counts, length }
    }

    /// The cosine of two texts' counts; 0 where one has no stem.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> f64 {
        if self.length == 0.0 || other.length == 0.0 {
            return 0.0;
        }
        let (few, many) = if self.counts.len() < other.counts.len() { (self, other) } else { (other, self) };
        let dot: f64 = few
            .counts
            .iter()
            .filter_map(|(stem, count)| many.counts.get(stem).map(|other| f64::from(*count) * f64::from(*other)))
            .sum();
        dot / (self.length * other.length)
    }
}

/// The goal distance of an output, from 0 (all about the goal, in its words) to 1. Both empty: 0; one empty: 1.
#[must_use]
pub fn goal_distance(output: &str, goal: &Vectored, stems_of_goal: &Stems, embedder: &dyn Embedder) -> f64 {
    match (is_empty(output), is_empty(&goal.text)) {
        (true, true) => return 0.0,
        (false, false) => {}
        _ => return 1.0,
    }
    let ranges = counted_sentences(output);
    let texts: Vec<&str> = std::iter::once(output).chain(ranges.into_iter().map(|range| &output[range])).collect();
    let cosines: Vec<f64> =
        embedder.embed(&texts).iter().map(|embedding| cosine(&embedding.vector, &goal.embedding.vector)).collect();
    let Some((whole, of_sentences)) = cosines.split_first() else { return 1.0 };
    let mean = of_sentences.iter().sum::<f64>() / of_sentences.len().max(1) as f64;
    let stems = Stems::new(output).cosine(stems_of_goal);
    (1.0 - (whole + mean + stems) / 3.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use steadfast_embed::Lexical;

    use super::*;

    /// The cosine of stems, and the goal distance under the lexical embedder, of an output; worked out apart from this code.
    #[track_caller]
    fn check(goal: &str, output: &str, stems: f64, distance: f64) {
        let (own, of_goal) = (Stems::new(output), Stems::new(goal));
        assert!((own.cosine(&of_goal) - stems).abs() < 1e-6, "{}", own.cosine(&of_goal));
        let found = goal_distance(output, &Vectored::new(goal, &Lexical), &of_goal, &Lexical);
        assert!((found - distance).abs() < 1e-5, "{found}");
    }

    #[test]
    fn three_views_weigh_the_same() {
        let bread = "List three ways to keep bread fresh.";
        check(
            bread,
            "Bread keeps best in a paper bag. A clay pot works too. Sliced bread can be frozen.",
            0.339_683,
            0.715_04,
        );
        check(bread, "Knead the dough for ten minutes. Let it rise.\n---\nBake it hot.", 0.0, 0.992_109);
        let machines = "Sell the old machines and lease new ones.";
        check(
            machines,
            "We sold two machines today; the leases for 3 new machines start on Monday.",
            0.471_405,
            0.537_214,
        );
        check(machines, "The weather was fine.", 0.0, 1.0);
        check(machines, " ", 0.0, 1.0);
        check("", "", 0.0, 0.0);
    }

    #[test]
    fn what_lies_behind_the_limits_has_no_part() {
        assert_eq!(counted_sentences(&"It rained today. ".repeat(100)).len(), SENTENCES_MAX);
        let whole = counted_sentences("…");
        assert!(whole.len() == 1 && whole[0] == (0.."…".len()));
        let long = "word ".repeat(OUTPUT_BYTES_MAX);
        assert!(counted_sentences(&long).iter().all(|range| range.end <= OUTPUT_BYTES_MAX));
    }
}
