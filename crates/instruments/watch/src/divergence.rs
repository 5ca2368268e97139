//! How far one text is from another: 1 − cosine similarity, as the Intent Drift Score has it.

use std::ops::Range;

use steadfast_embed::{Embedder, Embedding, cosine};
use steadfast_text::sentences;

/// What of a long output is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aggregate {
    /// The whole output as one text. What lies behind the embedder's limit has no part in it.
    #[default]
    Whole,
    /// The sentence that is most like the goal: the smallest divergence over all sentences.
    MaxSentence,
    /// The mean of the divergences of all stretches that the embedder reads whole.
    MeanChunk,
}

/// Sentences or stretches of one output that are compared at most. What lies behind them has no part in the score, and the
/// step is marked as truncated.
pub const PIECES_MAX: usize = 4_096;

/// The pieces of `output` that are compared with a goal under `aggregate`, as ranges of bytes, and whether some were left out.
#[must_use]
pub fn pieces(output: &str, aggregate: Aggregate, embedder: &dyn Embedder) -> (Vec<Range<usize>>, bool) {
    let mut pieces = match aggregate {
        Aggregate::Whole => Vec::new(),
        Aggregate::MaxSentence => sentences(output),
        Aggregate::MeanChunk => embedder.windows(output),
    };
    let left_out = pieces.len() > PIECES_MAX;
    pieces.truncate(PIECES_MAX);
    if pieces.is_empty() {
        // The whole, which is also what a text without a single sentence is.
        pieces.push(0..output.len());
    }
    (pieces, left_out)
}

/// Whether a text counts as empty: it holds white space alone.
#[must_use]
pub fn is_empty(text: &str) -> bool {
    text.trim().is_empty()
}

/// The divergence of two texts that may be empty: both empty 0, one empty 1, else `between`.
fn of_texts(a: &str, b: &str, between: impl FnOnce() -> f64) -> f64 {
    match (is_empty(a), is_empty(b)) {
        (true, true) => 0.0,
        (false, false) => between(),
        _ => 1.0,
    }
}

/// `clamp(1 − sim, 0, 1)`.
#[must_use]
pub fn of_similarity(similarity: f64) -> f64 {
    (1.0 - similarity.clamp(-1.0, 1.0)).clamp(0.0, 1.0)
}

/// A text with its vector.
#[derive(Clone, Debug)]
pub struct Vectored {
    /// The text.
    pub text: String,
    /// Its vector.
    pub embedding: Embedding,
}

impl Vectored {
    /// Embeds `text`.
    #[must_use]
    pub fn new(text: &str, embedder: &dyn Embedder) -> Self {
        Self { text: text.to_owned(), embedding: embed_one(text, embedder) }
    }
}

/// The vector of one text.
pub(crate) fn embed_one(text: &str, embedder: &dyn Embedder) -> Embedding {
    embedder.embed(&[text]).into_iter().next().unwrap_or(Embedding { vector: [].into(), truncated: false })
}

/// The vectors of an output's pieces.
#[derive(Clone, Debug)]
pub struct Output<'a> {
    text: &'a str,
    pieces: Vec<Embedding>,
    aggregate: Aggregate,
    /// Whether some of the output had no part in the vectors.
    pub truncated: bool,
}

impl<'a> Output<'a> {
    /// Embeds what of `text` is compared under `aggregate`.
    #[must_use]
    pub fn new(text: &'a str, aggregate: Aggregate, embedder: &dyn Embedder) -> Self {
        if is_empty(text) {
            return Self { text, pieces: Vec::new(), aggregate, truncated: false };
        }
        let (ranges, left_out) = pieces(text, aggregate, embedder);
        let texts: Vec<&str> = ranges.into_iter().map(|range| &text[range]).collect();
        let pieces = embedder.embed(&texts);
        let truncated = left_out || pieces.iter().any(|piece| piece.truncated);
        Self { text, pieces, aggregate, truncated }
    }

    /// The divergence of the output from `goal`, from 0 to 1.
    #[must_use]
    pub fn divergence(&self, goal: &Vectored) -> f64 {
        of_texts(self.text, &goal.text, || {
            let each = self.pieces.iter().map(|piece| of_similarity(cosine(&piece.vector, &goal.embedding.vector)));
            match self.aggregate {
                Aggregate::Whole | Aggregate::MaxSentence => each.fold(1.0, f64::min),
                Aggregate::MeanChunk => {
                    let (sum, count) = each.fold((0.0, 0.0), |(sum, count), one| (sum + one, count + 1.0));
                    if count == 0.0 { 1.0 } else { sum / count }
                }
            }
        })
    }
}

/// The Intent Drift Score of an output against the current goal, from 0 (aligned) to 1 (maximum drift).
///
/// Both empty: 0. One of them empty: 1. Else `clamp(1 − cos(embedding(output), embedding(goal)), 0, 1)`.
#[must_use]
pub fn compute_ids(output: &str, current_goal: &str, embedder: &dyn Embedder) -> f64 {
    of_texts(output, current_goal, || {
        Output::new(output, Aggregate::Whole, embedder).divergence(&Vectored::new(current_goal, embedder))
    })
}

/// How far the goal moved in the whole, from 0 (not at all) to 1: the same formula over the initial and the final goal.
#[must_use]
pub fn compute_goal_shift(initial_goal: &str, final_goal: &str, embedder: &dyn Embedder) -> f64 {
    compute_ids(initial_goal, final_goal, embedder)
}

/// The goal shift of two goals that are already embedded.
pub(crate) fn goal_shift(initial: &Vectored, last: &Vectored) -> f64 {
    of_texts(&initial.text, &last.text, || of_similarity(cosine(&initial.embedding.vector, &last.embedding.vector)))
}
