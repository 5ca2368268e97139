//! The candidates for a task: section 5.3 of the prompt-orchestration document, with the components of section 4.3.
//!
//! Words and meaning each bring their best; neighbours of the best (variants by `parent_prompt`, near-duplicates) come along. Every candidate has
//! all components, whichever source brought it. Candidates are ordered by
//!
//! ```text
//! score = dense · dense_sim + (1 − dense) · trust · bm25_sim
//! ```
//!
//! with `dense` of [`Fusion`] and `trust` 1 where the best match by words is a good one, less where it is a weak one; without vectors by `bm25_sim` alone. Cosines of sentence models lie close together and BM25 over the query's best does not, so
//! that a weight above one half is what makes both count.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use super::bm25::{self, Contribution, Index, Parameters, Query, Workspace};
use super::catalog::{self, Catalog};
use super::duplicates::{self, Duplicates};
use super::filters::{Facts, Filters, Wanted};
use super::pack::{Damaged, Packer, Unpacker};
use super::priors::{Day, Feedback, freshness};
use super::top::Hit;
use super::vectors::{VectorError, Vectors};
use crate::record::PromptRecord;

/// Candidates of a pool, where the vault has as many that anything speaks for.
pub const POOL_MIN: usize = 30;
/// Candidates of a pool, at most: section 7 of the document.
pub const POOL_MAX: usize = 80;
/// The best candidates, whose neighbours come along.
const ROOTS_MAX: usize = 10;
/// Neighbours of one candidate that come along, at most.
const NEIGHBOURS_MAX: usize = 8;
/// Bytes of a prompt's beginning that count more than the rest: it says what the prompt is for.
const LEAD_BYTES: usize = 800;
/// Bytes of metadata fields that are read for words.
const FIELD_BYTES_MAX: usize = 16 * 1024;

/// Weights of a record's fields in the search by words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldWeights {
    /// The words of its id.
    pub id: u16,
    /// Its title.
    pub title: u16,
    /// Its description.
    pub description: u16,
    /// Its tags.
    pub tags: u16,
    /// The whole prompt.
    pub text: u16,
    /// The beginning of the prompt, beside what it counts in the whole.
    pub lead: u16,
}

impl Default for FieldWeights {
    /// `lead` was chosen on `prompt_vaults`, with all rows in view; the others hardly matter there.
    fn default() -> Self {
        Self { id: 1, title: 2, description: 2, tags: 1, text: 1, lead: 2 }
    }
}

/// How similarity of meaning and of words make one score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fusion {
    /// The weight of `dense_sim`, 0 to 1; that of `bm25_sim` is the rest, where words match well.
    pub dense: f64,
    /// From this share on of what a query's words could score at most ([`Index::ceiling`]) the best match is a good one; below it words count less
    /// in proportion. At 0 they always count alike.
    pub covered: f64,
}

impl Default for Fusion {
    /// Chosen on `prompt_vaults` with MiniLM, with all rows in view; not fitted for another embedder.
    fn default() -> Self {
        Self { dense: 0.8, covered: 0.4 }
    }
}

impl Fusion {
    /// The score of a candidate of a query whose best match by words scores `coverage` of what it could; it never falls where a similarity or the
    /// coverage rises.
    #[must_use]
    pub fn score(self, dense_sim: Option<f64>, bm25_sim: f64, coverage: f64) -> f64 {
        let weight = if self.dense.is_finite() { self.dense.clamp(0.0, 1.0) } else { Self::default().dense };
        let trust = if self.covered > 0.0 { (coverage / self.covered).clamp(0.0, 1.0) } else { 1.0 };
        dense_sim.map_or(bm25_sim, |dense_sim| weight * dense_sim + (1.0 - weight) * trust * bm25_sim)
    }
}

steadfast_evidence::vocabulary! {
    /// Where a candidate came from.
    #[schemars(rename = "RetrievalSource")]
    Source {
        /// Its metadata are those of the task.
        Metadata = "metadata", "metadata";
        /// It shares words with the task.
        Bm25 = "bm25", "words";
        /// It is near the task in meaning.
        Vector = "vector", "meaning";
        /// It is a relative of another candidate.
        Neighbor = "neighbor", "a relative";
    }
}

/// A prompt that may serve: section 4.3 but for `stage_fit`, which depends on the stage. All components lie in 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its number in the [`Catalog`].
    pub document: u32,
    /// Its id.
    pub prompt_id: String,
    /// What orders candidates in a search.
    pub score: f64,
    /// max(0, cosine), rounded to six decimals, so that the kind of processor seldom shows; 0 without vectors.
    pub dense_sim: f64,
    /// BM25 over the query's best.
    pub bm25_sim: f64,
    /// How far its metadata are what is wanted.
    pub metadata_match: f64,
    /// What feedback says of it.
    pub quality_prior: f64,
    /// How fresh it is.
    pub freshness: f64,
    /// What brought it, in order, each once.
    pub retrieval_sources: Vec<Source>,
    /// The best candidate before it of which it is nearly a copy.
    pub duplicate_of: Option<u32>,
}

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The task, or any words.
    pub text: &'a str,
    /// Its vector; `None` searches by words alone.
    pub vector: Option<&'a [f32]>,
    /// What the metadata should be.
    pub wanted: Wanted<'a>,
    /// What the metadata must be.
    pub filters: &'a Filters,
    /// What was said of prompts, by id.
    pub feedback: &'a HashMap<String, Feedback>,
    /// The day that freshness is as of.
    pub at: Option<Day>,
    /// How many candidates, at most.
    pub size: usize,
    /// How similarities make a score.
    pub fusion: Fusion,
}

/// The candidates for a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Best first.
    pub candidates: Vec<Candidate>,
    /// Whether meaning had no part in it.
    pub bm25_only: bool,
}

/// How many documents are looked for by words, and by meaning.
fn depth(request: &Request<'_>) -> usize {
    request.size.max(POOL_MAX)
}

/// A vault that is ready to be searched. It holds no prompt, only what searching needs of it.
#[derive(Debug)]
pub struct Retriever {
    catalog: Catalog,
    index: Index,
    vectors: Option<Vectors>,
    duplicates: Duplicates,
    /// The documents by the id of their parent.
    variants: HashMap<String, Vec<u32>>,
    /// Memory that searches share, so that none has to ask for its own.
    workspace: Mutex<Workspace>,
}

/// Records in the order in which their documents are numbered: by their ids.
#[must_use]
pub fn in_order(mut records: Vec<PromptRecord>) -> Vec<PromptRecord> {
    records.sort_by(|a, b| a.prompt_id.cmp(&b.prompt_id).then_with(|| a.prompt_text.cmp(&b.prompt_text)));
    records
}

/// Takes the prompts of a vault one by one, in the order of their ids.
#[derive(Debug, Default)]
pub struct Builder {
    weights: FieldWeights,
    catalog: catalog::Builder,
    index: bm25::Builder,
    duplicates: duplicates::Builder,
}

impl Builder {
    /// Takes the next prompt. Its id comes after that of the one before.
    pub fn push(&mut self, record: &PromptRecord) {
        self.catalog.push(record);
        self.index.push(fields(record, self.weights));
        self.duplicates.push(&record.prompt_text);
    }

    /// The vault of all prompts that were given.
    #[must_use]
    pub fn build(self) -> Retriever {
        Retriever::of(self.catalog.build(), self.index.build(Parameters::default()), self.duplicates.build())
    }
}

impl Retriever {
    /// Indexes records. The order in which they are given changes nothing.
    #[must_use]
    pub fn new(records: Vec<PromptRecord>) -> Self {
        let mut builder = Builder::default();
        in_order(records).iter().for_each(|record| builder.push(record));
        builder.build()
    }

    fn of(catalog: Catalog, index: Index, duplicates: Duplicates) -> Self {
        let variants = catalog.variants();
        Self { catalog, index, vectors: None, duplicates, variants, workspace: Mutex::default() }
    }

    /// Writes all but the vectors.
    pub fn pack(&self, packer: &mut Packer) {
        self.catalog.pack(packer);
        self.index.pack(packer);
        self.duplicates.pack(packer);
    }

    /// Reads what was written, without vectors.
    ///
    /// # Errors
    ///
    /// [`Damaged`] where it is none.
    pub fn unpack(unpacker: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let catalog = Catalog::unpack(unpacker)?;
        let index = Index::unpack(unpacker)?;
        let duplicates = Duplicates::unpack(unpacker, catalog.len())?;
        if index.len() == catalog.len() { Ok(Self::of(catalog, index, duplicates)) } else { Err(Damaged) }
    }

    /// What is known of each prompt: documents are numbered in the order of their ids.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The index of words.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The near-duplicate graph.
    #[must_use]
    pub fn duplicates(&self) -> &Duplicates {
        &self.duplicates
    }

    /// The vectors, where there are any.
    #[must_use]
    pub fn vectors(&self) -> Option<&Vectors> {
        self.vectors.as_ref()
    }

    /// Gives the vectors of all documents, in their order; they are not taken where they are not as many as documents.
    pub fn set_vectors(&mut self, vectors: Vectors) -> bool {
        let fits = vectors.len() == self.catalog.len();
        if fits {
            self.vectors = Some(vectors);
        }
        fits
    }

    /// Which words of a text bring a document, the one that adds most first.
    #[must_use]
    pub fn explain(&self, text: &str, document: u32) -> Vec<Contribution> {
        self.index.explain(&Query::new(text), document)
    }

    /// The candidates for a task, best first: by score, then quality, freshness and id.
    ///
    /// # Errors
    ///
    /// Where the request's vector is none of those that the vault holds.
    pub fn retrieve(&self, request: &Request<'_>) -> Result<Pool, VectorError> {
        let by_meaning = self.by_meaning(&[request])?.into_iter().next().unwrap_or_default();
        self.pool(request, by_meaning)
    }

    /// What [`retrieve`](Self::retrieve) finds for each of several requests, such as a task and its parts: the vectors are gone through once.
    ///
    /// # Errors
    ///
    /// As [`retrieve`](Self::retrieve), for any of them.
    pub fn retrieve_all(&self, requests: &[Request<'_>]) -> Result<Vec<Pool>, VectorError> {
        let found = self.by_meaning(&requests.iter().collect::<Vec<_>>())?;
        requests.iter().zip(found).map(|(request, by_meaning)| self.pool(request, by_meaning)).collect()
    }

    /// The documents nearest to each request's vector; none where it has none, or the vault.
    fn by_meaning(&self, requests: &[&Request<'_>]) -> Result<Vec<Vec<Hit>>, VectorError> {
        let mut found = vec![Vec::new(); requests.len()];
        let asked: Vec<usize> = (0..requests.len()).filter(|at| requests[*at].vector.is_some()).collect();
        let Some(vectors) = self.vectors.as_ref().filter(|_| !asked.is_empty()) else { return Ok(found) };
        let queries: Vec<&[f32]> = asked.iter().filter_map(|at| requests[*at].vector).collect();
        let deep = asked.iter().map(|at| depth(requests[*at])).max().unwrap_or_default();
        let lets = |at: &usize| self.accepting(requests[*at]);
        let accepting: Vec<_> = asked.iter().map(lets).collect();
        let accepts = |query: usize, document: u32| accepting[query](document);
        for (at, mut hits) in asked.iter().zip(vectors.search_all(&queries, deep, accepts)?) {
            hits.truncate(depth(requests[*at]));
            found[*at] = hits;
        }
        Ok(found)
    }

    /// Says of a document whether its metadata are what they must be.
    fn accepting<'a>(&'a self, request: &Request<'a>) -> impl Fn(u32) -> bool + Copy + 'a {
        let (filters, all) = (request.filters, request.filters.is_empty());
        move |document| all || filters.accept(&self.catalog.facts(document))
    }

    /// The candidates for a task, of which those nearest in meaning are known.
    fn pool(&self, request: &Request<'_>, by_meaning: Vec<Hit>) -> Result<Pool, VectorError> {
        let accepts = self.accepting(request);
        let query = Query::new(request.text);
        let by_words = {
            let mut workspace = self.workspace.lock().unwrap_or_else(PoisonError::into_inner);
            self.index.search(&query, depth(request), &mut workspace, accepts)
        };
        let dense = self.vectors.as_ref().zip(request.vector);
        let best = by_words.first().map_or(0.0, |hit| f64::from(hit.score));
        let ceiling = self.index.ceiling(&query);
        let mut found = Found {
            retriever: self,
            request,
            best,
            coverage: if ceiling > 0.0 { (best / ceiling).clamp(0.0, 1.0) } else { 0.0 },
            dense,
            query: &query,
            candidates: HashMap::new(),
        };
        for hit in by_meaning {
            found.add(hit.document, Source::Vector, Some(hit.score))?;
        }
        for hit in by_words {
            found.add(hit.document, Source::Bm25, None)?;
        }
        for root in found.sorted().into_iter().take(ROOTS_MAX) {
            let neighbours = self.neighbours(root.document).into_iter().filter(|document| accepts(*document));
            for neighbour in neighbours.take(NEIGHBOURS_MAX) {
                found.add(neighbour, Source::Neighbor, None)?;
            }
        }
        if found.candidates.len() < POOL_MIN.min(request.size) {
            for document in self.by_metadata(request, accepts) {
                found.add(document, Source::Metadata, None)?;
            }
        }
        let mut candidates = found.sorted();
        candidates.truncate(request.size);
        for at in 1..candidates.len() {
            let (before, rest) = candidates.split_at_mut(at);
            let near = |other: &&Candidate| self.duplicates.are(other.document, rest[0].document);
            rest[0].duplicate_of = before.iter().find(near).map(|other| other.document);
        }
        Ok(Pool { candidates, bm25_only: dense.is_none() })
    }

    /// Variants and near-duplicates of a document: its parent, those that have it as their parent, those that have the same one,
    /// then those that are nearly the same.
    #[must_use]
    pub fn neighbours(&self, document: u32) -> Vec<u32> {
        let variants_of = |id: &str| self.variants.get(id).map_or(&[][..], Vec::as_slice);
        let parent = self.catalog.parent(document);
        let family = parent.and_then(|parent| self.catalog.document(parent)).into_iter();
        let family = family.chain(variants_of(self.catalog.id(document)).iter().copied());
        let family = family.chain(parent.map_or(&[][..], variants_of).iter().copied());
        let mut seen = BTreeSet::from([document]);
        let all = family.chain(self.duplicates.of_document(document));
        all.filter(|other| seen.insert(*other)).take(2 * NEIGHBOURS_MAX).collect()
    }

    /// The documents whose metadata speak for them, best first.
    fn by_metadata(&self, request: &Request<'_>, accepts: impl Fn(u32) -> bool) -> Vec<u32> {
        if request.wanted == Wanted::default() {
            return Vec::new();
        }
        let unknown = Wanted::default().metadata_match(&Facts::default());
        let all = 0..u32::try_from(self.catalog.len()).unwrap_or(u32::MAX);
        let matches = all.map(|document| (request.wanted.metadata_match(&self.catalog.facts(document)), document));
        let mut matches: Vec<(f64, u32)> =
            matches.filter(|(matched, document)| *matched > unknown && accepts(*document)).collect();
        matches.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        matches.into_iter().take(POOL_MIN).map(|(_, document)| document).collect()
    }
}

/// The fields of a record with their weights.
fn fields(record: &PromptRecord, weights: FieldWeights) -> Vec<(u16, &str)> {
    fn short(text: &str) -> &str {
        &text[..text.floor_char_boundary(FIELD_BYTES_MAX)]
    }
    let text = record.prompt_text.as_str();
    let mut fields = vec![(weights.id, short(&record.prompt_id))];
    fields.extend(record.title.as_deref().map(|title| (weights.title, short(title))));
    fields.extend(record.description.as_deref().map(|description| (weights.description, short(description))));
    fields.extend(record.tags.iter().map(|tag| (weights.tags, short(tag))));
    fields.push((weights.text, text));
    fields.push((weights.lead, &text[..text.floor_char_boundary(LEAD_BYTES)]));
    fields
}

/// Six decimals.
fn rounded(similarity: f32) -> f64 {
    (f64::from(similarity) * 1e6).round() / 1e6
}

/// Candidates while they are gathered.
struct Found<'a> {
    retriever: &'a Retriever,
    request: &'a Request<'a>,
    best: f64,
    /// The share of what the query's words could score that the best match has.
    coverage: f64,
    dense: Option<(&'a Vectors, &'a [f32])>,
    query: &'a Query,
    candidates: HashMap<u32, Candidate>,
}

impl Found<'_> {
    /// Takes a candidate, of which the similarity may be known.
    fn add(&mut self, document: u32, source: Source, known: Option<f32>) -> Result<(), VectorError> {
        if let Some(known) = self.candidates.get_mut(&document) {
            if !known.retrieval_sources.contains(&source) {
                known.retrieval_sources.push(source);
                known.retrieval_sources.sort_unstable();
            }
            return Ok(());
        }
        let (facts, prompt_id) = (self.retriever.catalog.facts(document), self.retriever.catalog.id(document));
        let dense_sim = match (self.dense, known) {
            (Some(_), Some(known)) => Some(rounded(known)),
            (Some((vectors, vector)), None) => Some(rounded(vectors.similarity(vector, document)?)),
            (None, _) => None,
        };
        let bm25 = f64::from(self.retriever.index.score(self.query, document));
        let bm25_sim = if self.best > 0.0 { (bm25 / self.best).min(1.0) } else { 0.0 };
        let mut sources = vec![source];
        if source != Source::Metadata && self.request.wanted.is_met(&facts) {
            sources.insert(0, Source::Metadata);
        }
        self.candidates.insert(
            document,
            Candidate {
                document,
                prompt_id: prompt_id.to_owned(),
                score: self.request.fusion.score(dense_sim, bm25_sim, self.coverage),
                dense_sim: dense_sim.unwrap_or_default(),
                bm25_sim,
                metadata_match: self.request.wanted.metadata_match(&facts),
                quality_prior: self.request.feedback.get(prompt_id).copied().unwrap_or_default().quality_prior(),
                freshness: freshness(self.retriever.catalog.updated(document), self.request.at),
                retrieval_sources: sources,
                duplicate_of: None,
            },
        );
        Ok(())
    }

    fn sorted(&self) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = self.candidates.values().cloned().collect();
        candidates.sort_by(order);
        candidates
    }
}

/// The better candidate first; no two are equal.
fn order(a: &Candidate, b: &Candidate) -> Ordering {
    b.score
        .total_cmp(&a.score)
        .then_with(|| b.quality_prior.total_cmp(&a.quality_prior))
        .then_with(|| b.freshness.total_cmp(&a.freshness))
        .then_with(|| a.document.cmp(&b.document))
}
