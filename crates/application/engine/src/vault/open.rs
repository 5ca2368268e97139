//! A vault that is ready to be searched and picked from.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};
use steadfast_embed::{Embedder, Embedding};
use steadfast_pick::candidate::StageFit;
use steadfast_pick::compatibility::{Compatibility, Likeness, terms_of};
use steadfast_pick::infer::completed;
use steadfast_pick::record::PromptRecord;
use steadfast_pick::retrieve::hybrid::Retriever;
use steadfast_pick::retrieve::passages::texts;
use steadfast_pick::retrieve::priors::Feedback;
use steadfast_pick::retrieve::vectors::Vectors;
use steadfast_wire::from_json;
use steadfast_wire::pick as wire;

use super::publish::{inferred_of, record_of};
use crate::EngineError;
use crate::cache::Cached;
use crate::hash::hex;
use crate::runs::of_json;
use crate::store::{EmbeddingStore, Keep, StoredPrompt, TextKey};

/// Texts whose vectors are read at a time.
const VECTOR_ROWS: usize = 4_096;

/// Bytes of a prompt's beginning by which two prompts are held to be alike where there are no vectors.
const LEAD_BYTES: usize = 2_000;

/// A vault that is ready to be searched and picked from. It is of the moment at which it was opened.
pub struct OpenVault {
    pub(super) retriever: Retriever,
    pub(super) feedback: HashMap<String, Feedback>,
    pub(super) embedder: Option<Arc<dyn Embedder>>,
    pub(super) compatibility: Compatibility,
    /// How well each prompt serves each stage, as far as it was asked before.
    pub(super) fits: Vec<OnceLock<StageFit>>,
    /// The terms with which each prompt begins, as far as they were asked before.
    pub(super) leads: Vec<OnceLock<BTreeSet<String>>>,
    /// A hash of all that decides what is picked.
    pub(super) state: String,
}

impl OpenVault {
    /// Opens the vault of a store. With an embedder, vectors are used where every prompt has its own; they are read, not made.
    ///
    /// # Errors
    /// [`EngineError::Store`] where it cannot be read, [`EngineError::Internal`] where what is stored was damaged.
    pub fn open(store: &dyn Keep, embedder: Option<Arc<dyn Embedder>>) -> Result<Self, EngineError> {
        let stored = store.prompts()?;
        let feedback: HashMap<String, Feedback> =
            store.feedback()?.into_iter().map(|(id, good, bad)| (id, Feedback { good, bad })).collect();
        let mut hash = Sha256::new();
        let mut records = Vec::with_capacity(stored.len());
        for prompt in &stored {
            hash.update(format!("{} {}\n", prompt.content_hash, prompt.id));
            records.push(record(prompt)?);
        }
        let mut said: Vec<_> = feedback.iter().collect();
        said.sort_by_key(|(id, _)| id.as_str());
        said.iter().for_each(|(id, said)| hash.update(format!("{} {} {id}\n", said.good, said.bad)));
        let mut retriever = Retriever::new(records);
        let embedder = match embedder {
            Some(embedder) if take_vectors(&mut retriever, store, &*embedder)? => Some(embedder),
            _ => None,
        };
        hash.update(embedder.as_ref().map_or("", |embedder| embedder.version()));
        let state = hex(&hash.finalize());
        Ok(Self::over(retriever, feedback, embedder, state))
    }

    /// A vault of which nothing was asked yet.
    pub(super) fn over(
        retriever: Retriever,
        feedback: HashMap<String, Feedback>,
        embedder: Option<Arc<dyn Embedder>>,
        state: String,
    ) -> Self {
        let prompts = retriever.records().len();
        Self {
            retriever,
            feedback,
            embedder,
            compatibility: Compatibility::default(),
            fits: vec![OnceLock::new(); prompts],
            leads: vec![OnceLock::new(); prompts],
            state,
        }
    }

    /// How many prompts it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.retriever.records().len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What people call a prompt.
    #[must_use]
    pub fn title(&self, prompt_id: &str) -> Option<&str> {
        let document = self.retriever.document(prompt_id)? as usize;
        self.retriever.records().get(document)?.title.as_deref()
    }

    /// Whether vectors are used.
    #[must_use]
    pub fn has_vectors(&self) -> bool {
        self.embedder.is_some()
    }
}

/// A stored prompt, with what was inferred of it.
pub(super) fn record(stored: &StoredPrompt) -> Result<PromptRecord, EngineError> {
    let published: wire::PromptRecord = from_json(&stored.record).map_err(of_json)?;
    let inferred: Vec<wire::Inferred> = from_json(&stored.inferred).map_err(of_json)?;
    Ok(completed(&record_of(published), &inferred_of(&inferred)))
}

/// Gives a retriever its vectors, where the store has all of them.
fn take_vectors(retriever: &mut Retriever, store: &dyn Keep, embedder: &dyn Embedder) -> Result<bool, EngineError> {
    let Ok(mut vectors) = Vectors::new(embedder.dimensions()) else { return Ok(false) };
    for records in retriever.records().chunks(VECTOR_ROWS / 5) {
        let all: Vec<_> = records.iter().map(texts).collect();
        let keys: Vec<TextKey> = all.iter().flat_map(|own| own.iter()).map(key).collect();
        let found: Vec<Option<Embedding>> = EmbeddingStore::get(store, embedder.bits(), &keys)?;
        let mut found = found.into_iter();
        for own in &all {
            let rows: Vec<Embedding> = found.by_ref().take(own.iter().count()).flatten().collect();
            if rows.len() < own.iter().count() {
                return Ok(false);
            }
            let (label, passages) = rows.split_at(usize::from(own.label.is_some()));
            let label = label.first().map(|row| &*row.vector);
            if vectors.push(label, passages.iter().map(|row| &*row.vector)).is_err() {
                return Ok(false);
            }
        }
    }
    Ok(retriever.set_vectors(vectors))
}

fn key(text: &str) -> TextKey {
    Sha256::digest(text.as_bytes()).into()
}

/// Makes the vectors that prompts of a store lack, and keeps them; `told` hears how many of how many texts are done. Gives how many
/// prompts there are.
///
/// # Errors
/// [`EngineError::Store`] where they cannot be read or kept.
pub fn embed_vault(
    store: &Arc<dyn Keep>,
    embedder: &Arc<dyn Embedder>,
    mut told: impl FnMut(usize, usize),
) -> Result<usize, EngineError> {
    let records = store.prompts()?.iter().map(record).collect::<Result<Vec<_>, _>>()?;
    let mut all: Vec<String> =
        records.iter().flat_map(|own| texts(own).iter().map(str::to_owned).collect::<Vec<_>>()).collect();
    all.sort_unstable();
    all.dedup();
    let cached = Cached::new(Arc::clone(embedder), Some(Arc::clone(store) as Arc<dyn EmbeddingStore>));
    for (at, some) in all.chunks(256).enumerate() {
        told(at * 256, all.len());
        let some: Vec<&str> = some.iter().map(String::as_str).collect();
        cached.prepare(&some)?;
    }
    cached.settle()?;
    told(all.len(), all.len());
    Ok(records.len())
}

/// How like prompts are: by their vectors, else by the words of their beginnings.
pub(super) struct ByVectors<'a> {
    retriever: &'a Retriever,
    leads: &'a [OnceLock<BTreeSet<String>>],
}

impl OpenVault {
    /// How like its prompts are.
    pub(super) fn likeness(&self) -> ByVectors<'_> {
        ByVectors { retriever: &self.retriever, leads: &self.leads }
    }
}

impl Likeness for ByVectors<'_> {
    fn cosine(&self, a: usize, b: usize) -> f64 {
        let (Ok(first), Ok(second)) = (u32::try_from(a), u32::try_from(b)) else { return 0.0 };
        let near = self.retriever.vectors().and_then(|vectors| vectors.between(first, second));
        near.map_or_else(|| self.by_words(a, b), f64::from)
    }
}

impl ByVectors<'_> {
    /// The cosine of the sets of terms with which two prompts begin.
    fn by_words(&self, a: usize, b: usize) -> f64 {
        let terms = |at: usize| {
            let (record, known) = (self.retriever.records().get(at)?, self.leads.get(at)?);
            let lead = || terms_of(&record.prompt_text[..record.prompt_text.floor_char_boundary(LEAD_BYTES)]);
            Some(known.get_or_init(lead))
        };
        let (Some(a), Some(b)) = (terms(a), terms(b)) else { return 0.0 };
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        a.intersection(b).count() as f64 / ((a.len() * b.len()) as f64).sqrt()
    }
}
