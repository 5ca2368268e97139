//! Finding by words: an inverted index in memory, and BM25 over it.
//!
//! The score of a document for a query is the sum over the query's terms of
//!
//! ```text
//! count(term, query) · idf(term) · (k1 + 1) · tf / (tf + k1 · (1 − b + b · length / mean length))
//! idf(term) = ln(1 + (N − df + 0.5) / (df + 0.5))
//! ```
//!
//! (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, with the idf of Lucene, which is never
//! negative). `tf` and `length` are sums over a document's fields, each times the weight of its field, as in the simple form of BM25F (Robertson, Zaragoza and Taylor,
//! "Simple BM25 Extension to Multiple Weighted Fields", 2004). Lengths are exact.
//!
//! A document is known by its number, its place in the order in which it was given: whoever builds an index gives documents in the order of
//! their ids, and equal scores stand in that order.

use std::collections::HashMap;

use super::pack::{Damaged, Packer, Strings, Unpacker, are_ends};
use super::terms::{Vocabulary, each_word, term};
use super::top::{Hit, Top};

/// Different terms of a query that count, in the order in which they are met.
pub const QUERY_TERMS_MAX: usize = 512;

/// The highest count of a term in a document that is told from higher ones.
pub const FREQUENCY_MAX: u16 = u16::MAX;

/// Postings of an index, each a term in a document; a document that would be beyond it is found by no word.
pub const POSTINGS_MAX: usize = u32::MAX as usize;

/// The highest k1; beyond it a score hardly differs from the count.
pub const K1_MAX: f32 = 1_000.0;

/// What shapes the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// How far a term's count matters: at 0 it does not. From 0 to [`K1_MAX`].
    pub k1: f32,
    /// How far long documents count less, 0 to 1.
    pub b: f32,
}

impl Default for Parameters {
    /// Chosen on `prompt_vaults`, with all rows in view; on `cranfield` the usual 1.2 and 0.75 do about as well in MAP and somewhat better in nDCG@10.
    fn default() -> Self {
        Self { k1: 3.0, b: 0.9 }
    }
}

/// An inverted index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Index {
    parameters: Parameters,
    /// The terms in their order: their places are their numbers.
    terms: Strings,
    /// Where the postings of a term begin; one more than there are terms.
    starts: Vec<u32>,
    /// The documents of all terms, each term's in their order, and how often it stands in each.
    documents: Vec<u32>,
    frequencies: Vec<u16>,
    /// The length of each document, in weighted terms.
    lengths: Vec<u32>,
    /// `k1 · (1 − b + b · length / mean length)` of each document.
    norms: Vec<f32>,
}

/// Takes documents one by one and makes an index of them.
#[derive(Debug, Default)]
pub struct Builder {
    vocabulary: Vocabulary,
    /// Term and count, document by document.
    pairs: Vec<(u32, u16)>,
    /// Where the pairs of each document end.
    ends: Vec<usize>,
    lengths: Vec<u32>,
    /// The terms of the document that is being read, one for each time it stands there in a field of weight 1.
    counts: HashMap<u32, u32>,
}

impl Builder {
    /// Takes the next document: its fields with their weights. A field of weight 0 does not count.
    pub fn push<'a>(&mut self, fields: impl IntoIterator<Item = (u16, &'a str)>) {
        self.counts.clear();
        let mut length = 0_u32;
        for (weight, text) in fields.into_iter().filter(|(weight, _)| *weight > 0) {
            let weight = u32::from(weight);
            each_word(text, |word| {
                if let Some(number) = self.vocabulary.number(word) {
                    let count = self.counts.entry(number).or_default();
                    *count = count.saturating_add(weight);
                    length = length.saturating_add(weight);
                }
            });
        }
        if self.pairs.len() + self.counts.len() <= POSTINGS_MAX {
            let narrow = |count: u32| u16::try_from(count).unwrap_or(FREQUENCY_MAX);
            self.pairs.extend(self.counts.iter().map(|(term, count)| (*term, narrow(*count))));
        }
        self.ends.push(self.pairs.len());
        self.lengths.push(length);
    }

    /// The index of all documents that were given.
    #[must_use]
    pub fn build(self, parameters: Parameters) -> Index {
        let mut sorted: Vec<(Box<str>, u32)> = self.vocabulary.into_terms().into_iter().collect();
        sorted.sort_unstable();
        let (mut terms, mut places) = (Strings::default(), vec![0_u32; sorted.len()]);
        for (place, (term, number)) in (0..).zip(&sorted) {
            // Terms are at most as long as words: all that there can be fit.
            terms.push(term);
            places[*number as usize] = place;
        }
        drop(sorted);
        let mut starts = vec![0_u32; terms.len() + 1];
        for (term, _) in &self.pairs {
            starts[places[*term as usize] as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut documents = vec![0_u32; self.pairs.len()];
        let mut frequencies = vec![0_u16; self.pairs.len()];
        let mut begin = 0;
        for (document, end) in (0..).zip(&self.ends) {
            for (term, count) in &self.pairs[begin..*end] {
                let place = &mut next[places[*term as usize] as usize];
                documents[*place as usize] = document;
                frequencies[*place as usize] = *count;
                *place += 1;
            }
            begin = *end;
        }
        let mut index =
            Index { parameters, terms, starts, documents, frequencies, lengths: self.lengths, norms: Vec::new() };
        index.set_parameters(parameters);
        index
    }
}

/// A query's terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Each term once, in alphabetical order, so that a score does not depend on the order of the words.
    pub terms: Vec<QueryTerm>,
}

/// A term of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryTerm {
    /// The term.
    pub term: String,
    /// How often it stands in the query.
    pub count: u32,
    /// The words that it is the term of, as they first stand there.
    pub words: Vec<String>,
}

impl Query {
    /// The terms of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut terms: Vec<QueryTerm> = Vec::new();
        each_word(text, |word| {
            let Some(term) = term(word) else { return };
            let place = *places.entry(term).or_insert_with_key(|term| {
                if terms.len() < QUERY_TERMS_MAX {
                    terms.push(QueryTerm { term: term.clone(), count: 0, words: Vec::new() });
                    terms.len() - 1
                } else {
                    QUERY_TERMS_MAX
                }
            });
            if let Some(it) = terms.get_mut(place) {
                it.count = it.count.saturating_add(1);
                if !it.words.iter().any(|known| known == word) && it.words.len() < WORDS_MAX {
                    it.words.push(word.to_owned());
                }
            }
        });
        terms.sort_by(|a, b| a.term.cmp(&b.term));
        Self { terms }
    }
}

/// Forms of one term that are kept.
const WORDS_MAX: usize = 4;

/// Memory that searches share.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// The score of each document, 0 between two searches.
    scores: Vec<f32>,
    /// The documents whose score is not 0.
    touched: Vec<u32>,
}

/// What one term of the query adds to a document's score.
#[derive(Clone, Debug, PartialEq)]
pub struct Contribution {
    /// The term.
    pub term: String,
    /// The query's words that it is the term of.
    pub words: Vec<String>,
    /// What it adds.
    pub score: f32,
}

impl Index {
    /// How many documents it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Writes it.
    pub fn pack(&self, packer: &mut Packer) {
        packer.numbers(&[self.parameters.k1, self.parameters.b], f32::to_le_bytes);
        self.terms.pack(packer);
        packer.u32s(&self.starts);
        packer.u32s(&self.documents);
        packer.numbers(&self.frequencies, u16::to_le_bytes);
        packer.u32s(&self.lengths);
    }

    /// Reads it.
    ///
    /// # Errors
    /// [`Damaged`] where it is none.
    pub fn unpack(unpacker: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let parameters = unpacker.numbers(f32::from_le_bytes)?;
        let mut index = Self {
            parameters: Parameters::default(),
            terms: Strings::unpack(unpacker)?,
            starts: unpacker.u32s()?,
            documents: unpacker.u32s()?,
            frequencies: unpacker.numbers(u16::from_le_bytes)?,
            lengths: unpacker.u32s()?,
            norms: Vec::new(),
        };
        let documents = u32::try_from(index.lengths.len()).map_err(|_| Damaged)?;
        let fits = index.starts.len() == index.terms.len() + 1
            && index.starts.first() == Some(&0)
            && are_ends(&index.starts, index.documents.len())
            && index.frequencies.len() == index.documents.len()
            && index.documents.iter().all(|document| *document < documents);
        let [k1, b] = parameters[..] else { return Err(Damaged) };
        if !fits {
            return Err(Damaged);
        }
        index.set_parameters(Parameters { k1, b });
        Ok(index)
    }

    /// What shapes the score.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Changes what shapes the score; nothing is built again.
    pub fn set_parameters(&mut self, parameters: Parameters) {
        let k1 = if parameters.k1.is_finite() { parameters.k1.clamp(0.0, K1_MAX) } else { Parameters::default().k1 };
        let b = if parameters.b.is_finite() { parameters.b.clamp(0.0, 1.0) } else { Parameters::default().b };
        self.parameters = Parameters { k1, b };
        let sum: u64 = self.lengths.iter().map(|length| u64::from(*length)).sum();
        let mean = (sum as f64 / self.lengths.len().max(1) as f64).max(f64::MIN_POSITIVE);
        let norm = |length: &u32| f64::from(k1) * (1.0 - f64::from(b) + f64::from(b) * f64::from(*length) / mean);
        self.norms = self.lengths.iter().map(|length| norm(length) as f32).collect();
    }

    /// The postings of a term.
    fn postings(&self, term: &str) -> std::ops::Range<usize> {
        let Ok(at) = self.terms.search(term) else { return 0..0 };
        self.starts[at] as usize..self.starts[at + 1] as usize
    }

    /// What a term's score is at most, for a count that has no end.
    fn weight(&self, term: &QueryTerm, documents: usize) -> f32 {
        let (all, with) = (self.len() as f64, documents as f64);
        let idf = (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
        (f64::from(term.count) * idf * (f64::from(self.parameters.k1) + 1.0)) as f32
    }

    /// What a term adds to the score of the document of a posting. It grows with the count after rounding too.
    #[inline]
    fn added(&self, weight: f32, posting: usize) -> f32 {
        let norm = self.norms[self.documents[posting] as usize];
        weight / (1.0 + norm / f32::from(self.frequencies[posting]))
    }

    /// The scores of all documents that hold a term of the query are told, in the order in which they were met first.
    pub fn each_score(&self, query: &Query, workspace: &mut Workspace, mut tell: impl FnMut(u32, f32)) {
        workspace.scores.resize(self.len(), 0.0);
        for term in &query.terms {
            let postings = self.postings(&term.term);
            let weight = self.weight(term, postings.len());
            for posting in postings {
                let document = self.documents[posting];
                let score = &mut workspace.scores[document as usize];
                if *score == 0.0 {
                    workspace.touched.push(document);
                }
                *score += self.added(weight, posting);
            }
        }
        for document in workspace.touched.drain(..) {
            tell(document, std::mem::take(&mut workspace.scores[document as usize]));
        }
    }

    /// The `k` documents with the highest scores among those that `accepts` lets through, best first; none that holds no term of the query. Equal scores stand
    /// in the order of their documents. Time is linear in the postings of the query's terms.
    #[must_use]
    pub fn search(
        &self,
        query: &Query,
        k: usize,
        workspace: &mut Workspace,
        accepts: impl Fn(u32) -> bool,
    ) -> Vec<Hit> {
        let mut top = Top::new(k);
        self.each_score(query, workspace, |document, score| {
            if accepts(document) {
                top.push(document, score);
            }
        });
        top.into_hits()
    }

    /// The score of one document, 0 where it holds no term of the query: the same bits as in a search.
    #[must_use]
    pub fn score(&self, query: &Query, document: u32) -> f32 {
        self.contributions(query, document).fold(0.0, |sum, (_, score)| sum + score)
    }

    /// What a document would score at most that held nothing but the query's terms, without end: every score of the query lies below it.
    #[must_use]
    pub fn ceiling(&self, query: &Query) -> f64 {
        query.terms.iter().map(|term| f64::from(self.weight(term, self.postings(&term.term).len()))).sum()
    }

    /// Which words of the query brought a document, the one that adds most first.
    #[must_use]
    pub fn explain(&self, query: &Query, document: u32) -> Vec<Contribution> {
        let mut found: Vec<Contribution> = self
            .contributions(query, document)
            .map(|(term, score)| Contribution { term: term.term.clone(), words: term.words.clone(), score })
            .collect();
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.term.cmp(&b.term)));
        found
    }

    fn contributions<'a>(&self, query: &'a Query, document: u32) -> impl Iterator<Item = (&'a QueryTerm, f32)> {
        query.terms.iter().filter_map(move |term| {
            let postings = self.postings(&term.term);
            let place = self.documents[postings.clone()].binary_search(&document).ok()?;
            Some((term, self.added(self.weight(term, postings.len()), postings.start + place)))
        })
    }
}
