//! What the sets on support share: passages, what they are held against, and whether that supports them.
//!
//! A group (a document, an article, a page) lies whole in one half: that half on which coefficients are fitted where the hash of what it is
//! called is even.

use std::collections::HashMap;
use std::ops::Range;

use steadfast_embed::Embedder;
use steadfast_evidence::Evaluated;
use steadfast_grounding::{Form, Grounding, Model, Support};

use crate::calibrate::hash;

/// What passages are held against.
pub(crate) enum Ask {
    /// A text.
    Text(String),
    /// Sentences that the set has parted.
    Sentences(Vec<String>),
}

/// A passage with its label.
pub(crate) struct Case {
    /// Which example.
    pub(crate) id: String,
    /// The part of the set that it is measured and weighed in.
    pub(crate) part: &'static str,
    /// What it is held against: a place in [`Corpus::asks`].
    pub(crate) ask: usize,
    /// The group, by its place in [`Corpus::groups`].
    pub(crate) group: usize,
    pub(crate) passage: String,
    /// What of the passage is judged; `None`: all.
    pub(crate) range: Option<Range<usize>>,
    pub(crate) supported: bool,
}

/// A whole set.
#[derive(Default)]
pub(crate) struct Corpus {
    pub(crate) asks: Vec<Ask>,
    /// What groups are called.
    pub(crate) groups: Vec<String>,
    places: HashMap<String, usize>,
    pub(crate) cases: Vec<Case>,
}

impl Corpus {
    /// The place of a group, which is added where it is new.
    pub(crate) fn group(&mut self, name: &str) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        self.groups.push(name.to_owned());
        self.places.insert(name.to_owned(), self.groups.len() - 1);
        self.groups.len() - 1
    }
}

/// A case with what came of it.
pub(crate) struct Seen<'c> {
    pub(crate) case: &'c Case,
    /// Whether coefficients are fitted on its group.
    pub(crate) tuned: bool,
    /// `None` where nothing could be evaluated.
    pub(crate) support: Option<Support>,
}

/// Whether coefficients are fitted on a group.
pub(crate) fn is_tuned(group: &str) -> bool {
    hash(group).is_multiple_of(2)
}

/// Judges all cases, those of one ask together; in their order.
pub(crate) fn judge<'c>(corpus: &'c Corpus, embedder: Option<&dyn Embedder>) -> Vec<Seen<'c>> {
    let mut order: Vec<usize> = (0..corpus.cases.len()).collect();
    order.sort_by_key(|at| corpus.cases[*at].ask);
    let mut seen: Vec<Option<Support>> = vec![None; corpus.cases.len()];
    for of_ask in order.chunk_by(|a, b| corpus.cases[*a].ask == corpus.cases[*b].ask) {
        let ask = &corpus.asks[corpus.cases[of_ask[0]].ask];
        let ask = match ask {
            Ask::Text(text) => Grounding::of_text(text),
            Ask::Sentences(parted) => Grounding::of_sentences(parted),
        };
        let ask = match embedder {
            Some(embedder) => ask.with_embedder(embedder),
            None => ask,
        };
        for at in of_ask {
            let case = &corpus.cases[*at];
            let range = case.range.clone().unwrap_or(0..case.passage.len());
            if let Evaluated::Value(support) = ask.support_part(&case.passage, range) {
                seen[*at] = Some(support);
            }
        }
    }
    let tuned: Vec<bool> = corpus.groups.iter().map(|group| is_tuned(group)).collect();
    let cases = corpus.cases.iter().zip(seen);
    cases.map(|(case, support)| Seen { case, tuned: tuned[case.group], support }).collect()
}

/// The score in each form that the features are there for; where nothing could be evaluated, nothing is supported.
pub(crate) fn scores(models: &Models, seen: &Seen<'_>) -> Vec<f64> {
    let features = seen.support.as_ref().map(|support| support.features.as_slice());
    let of = |(form, model): &(Form, Model)| {
        features.map_or(0.0, |features| model.probability(&features[..form.features().len().min(features.len())]))
    };
    models.0.iter().map(of).collect()
}

/// The forms that are measured, in the order of the metrics.
pub(crate) struct Models(pub(crate) Vec<(Form, Model)>);

impl Models {
    /// The shipped ones: words alone, and vectors where a model makes them.
    pub(crate) fn shipped(embedder: Option<&dyn Embedder>) -> Self {
        let forms = [Form::Lexical, Form::Minilm];
        let there = if embedder.is_some() { 2 } else { 1 };
        Self(forms.into_iter().take(there).map(|form| (form, Model::shipped(form))).collect())
    }
}
