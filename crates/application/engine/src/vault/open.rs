//! A vault that is ready to be searched and picked from.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use sha2::{Digest, Sha256};
use steadfast_embed::Embedder;
use steadfast_pick::candidate::StageFit;
use steadfast_pick::compatibility::{Compatibility, Likeness, terms_of};
use steadfast_pick::infer::{completed, stage_fit};
use steadfast_pick::record::{PromptRecord, Records};
use steadfast_pick::retrieve::hybrid::Retriever;
use steadfast_pick::retrieve::passages::texts;
use steadfast_pick::retrieve::priors::Feedback;
use steadfast_pick::retrieve::vectors::Tiers;
use steadfast_wire::from_json;
use steadfast_wire::pick as wire;

use super::kept;
use super::publish::{inferred_of, record_of};
use crate::EngineError;
use crate::cache::Cached;
use crate::error::of_json;
use crate::hash::hex;
use crate::store::{EmbeddingStore, Keep, StoredPrompt, TextKey};

/// Prompts that are embedded between two words of progress.
const EMBED_PROMPTS: usize = 256;

/// Bytes of a prompt's beginning by which two prompts are held to be alike where there are no vectors.
const LEAD_BYTES: usize = 2_000;

/// Bytes of prompts that are held after they were read, about.
const HELD_BYTES_MAX: usize = 64 << 20;

/// A vault that is ready to be searched and picked from. It is of the moment at which it was opened, but that prompts which were removed since are not
/// found. Prompts are read from the store as they are needed.
pub struct OpenVault {
    pub(super) retriever: Retriever,
    pub(super) feedback: HashMap<String, Feedback>,
    pub(super) embedder: Option<Arc<dyn Embedder>>,
    pub(super) compatibility: Compatibility,
    /// A hash of all that decides what is picked.
    pub(super) state: String,
    prompts: Source,
}

/// Where prompts are read from.
enum Source {
    /// A store; those that were read are held.
    Kept(Arc<dyn Keep>, Mutex<Held>),
    /// All of them are here, by their places.
    ReadPrompts(Vec<Known>),
}

/// Prompts that were read.
#[derive(Default)]
struct Held {
    prompts: HashMap<usize, Known>,
    bytes: usize,
}

/// A prompt that was read, and what was made of it.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) record: Arc<PromptRecord>,
    /// How well it serves each stage.
    pub(super) stage_fit: StageFit,
    /// The terms with which it begins, as far as they were asked for before.
    lead: Arc<OnceLock<BTreeSet<String>>>,
}

impl Known {
    fn new(record: PromptRecord) -> Self {
        Self { stage_fit: stage_fit(&record), record: Arc::new(record), lead: Arc::default() }
    }

    fn lead(&self) -> &BTreeSet<String> {
        let text = &self.record.prompt_text;
        self.lead.get_or_init(|| terms_of(&text[..text.floor_char_boundary(LEAD_BYTES)]))
    }
}

/// Prompts by their places.
#[derive(Clone, Default)]
pub(super) struct Prompts(pub(super) HashMap<usize, Known>);

impl Records for Prompts {
    fn get(&self, place: usize) -> Option<&PromptRecord> {
        self.0.get(&place).map(|known| &*known.record)
    }
}

impl OpenVault {
    /// Opens the vault of a store. With an embedder, vectors are used where every prompt has its own; they are read, not made. What is made from the vault is kept
    /// beside the store, and made again where the vault is another.
    ///
    /// # Errors
    /// [`EngineError::Store`] where it cannot be read, [`EngineError::Internal`] where what is stored was damaged.
    pub fn open(store: Arc<dyn Keep>, embedder: Option<Arc<dyn Embedder>>) -> Result<Self, EngineError> {
        Self::open_within(store, embedder, Tiers::default())
    }

    /// The same with other limits between the forms in which vectors are scanned.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_within(
        store: Arc<dyn Keep>,
        embedder: Option<Arc<dyn Embedder>>,
        tiers: Tiers,
    ) -> Result<Self, EngineError> {
        let mut words = kept::words(&*store)?;
        let vectors = match &embedder {
            Some(embedder) if !words.retriever.catalog().is_empty() => {
                kept::vectors(&*store, &words, &**embedder, tiers)?
            }
            _ => None,
        };
        let embedder = embedder.filter(|_| vectors.is_some_and(|vectors| words.retriever.set_vectors(vectors)));
        let feedback: HashMap<String, Feedback> =
            store.feedback()?.into_iter().map(|(id, good, bad)| (id, Feedback { good, bad })).collect();
        let mut hash = Sha256::new();
        hash.update(&words.content);
        let mut said: Vec<_> = feedback.iter().collect();
        said.sort_by_key(|(id, _)| id.as_str());
        said.iter().for_each(|(id, said)| hash.update(format!("{} {} {id}\n", said.good, said.bad)));
        hash.update(embedder.as_ref().map_or("", |embedder| embedder.version()));
        let state = hex(&hash.finalize());
        let (retriever, compatibility) = (words.retriever, Compatibility::default());
        let prompts = Source::Kept(store, Mutex::default());
        Ok(Self { retriever, feedback, embedder, compatibility, state, prompts })
    }

    /// A vault of prompts that are all here, in the order of their documents. Nothing is known of their use.
    pub(super) fn of(retriever: Retriever, records: Vec<PromptRecord>) -> Self {
        let (compatibility, state) = (Compatibility::default(), String::new());
        let prompts = Source::ReadPrompts(records.into_iter().map(Known::new).collect());
        Self { retriever, feedback: HashMap::new(), embedder: None, compatibility, state, prompts }
    }

    /// How many prompts it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.retriever.catalog().len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What people call a prompt.
    ///
    /// # Errors
    /// [`EngineError::Store`] where it cannot be read.
    pub fn title(&self, prompt_id: &str) -> Result<Option<String>, EngineError> {
        let Some(document) = self.retriever.catalog().document(prompt_id) else { return Ok(None) };
        let place = document as usize;
        Ok(self.known(&[place])?.get(place).and_then(|record| record.title.clone()))
    }

    /// Pairs of prompts that are nearly the same text.
    #[must_use]
    pub fn near_duplicates(&self) -> usize {
        self.retriever.duplicates().pairs.len()
    }

    /// The ids of the prompts that are nearly the same text as this one, in their order.
    #[must_use]
    pub fn near_duplicates_of(&self, prompt_id: &str) -> Vec<String> {
        let catalog = self.retriever.catalog();
        let Some(document) = catalog.document(prompt_id) else { return Vec::new() };
        let mut ids: Vec<String> =
            self.retriever.duplicates().of_document(document).map(|other| catalog.id(other).to_owned()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Whether vectors are used.
    #[must_use]
    pub fn has_vectors(&self) -> bool {
        self.embedder.is_some()
    }

    /// Prompts by their places; those that are not there any more are left out.
    pub(super) fn known(&self, places: &[usize]) -> Result<Prompts, EngineError> {
        let (store, held) = match &self.prompts {
            Source::ReadPrompts(all) => {
                let known = places.iter().filter_map(|place| Some((*place, all.get(*place)?.clone())));
                return Ok(Prompts(known.collect()));
            }
            Source::Kept(store, held) => (store, held),
        };
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        let missing: Vec<usize> = places.iter().copied().filter(|place| !held.prompts.contains_key(place)).collect();
        if !missing.is_empty() {
            let id = |place: &usize| u32::try_from(*place).map_or("", |document| self.retriever.catalog().id(document));
            let read = store.prompts_of(&missing.iter().map(id).collect::<Vec<_>>())?;
            for (place, stored) in missing.into_iter().zip(read) {
                let Some(stored) = stored else { continue };
                held.bytes += stored.record.len();
                held.prompts.insert(place, Known::new(record(&stored)?));
            }
        }
        let known = |place: &usize| Some((*place, held.prompts.get(place)?.clone()));
        let found = places.iter().filter_map(known).collect();
        if held.bytes > HELD_BYTES_MAX {
            *held = Held::default();
        }
        Ok(Prompts(found))
    }
}

/// A stored prompt, with what was inferred of it.
pub(super) fn record(stored: &StoredPrompt) -> Result<PromptRecord, EngineError> {
    let published: wire::PromptRecord = from_json(&stored.record).map_err(of_json)?;
    let inferred: Vec<wire::Inferred> = from_json(&stored.inferred).map_err(of_json)?;
    Ok(completed(&record_of(published), &inferred_of(&inferred)))
}

/// What a text is kept under.
pub(super) fn key(text: &str) -> TextKey {
    Sha256::digest(text.as_bytes()).into()
}

/// Makes the vectors that prompts of a store lack, and keeps them, so that what was made is not lost where it is ended; `told` hears how many of how many
/// prompts are done. Gives how many there are.
///
/// # Errors
/// [`EngineError::Store`] where they cannot be read or kept.
pub fn embed_vault(
    store: &Arc<dyn Keep>,
    embedder: &Arc<dyn Embedder>,
    mut told: impl FnMut(usize, usize),
) -> Result<usize, EngineError> {
    let cached = Cached::new(Arc::clone(embedder), Some(Arc::clone(store) as Arc<dyn EmbeddingStore>));
    let keys = store.prompt_keys()?;
    for (at, some) in keys.chunks(EMBED_PROMPTS).enumerate() {
        told(at * EMBED_PROMPTS, keys.len());
        let ids: Vec<&str> = some.iter().map(|key| key.id.as_str()).collect();
        let stored = store.prompts_of(&ids)?;
        let records = stored.iter().flatten().map(record).collect::<Result<Vec<_>, _>>()?;
        let own: Vec<_> = records.iter().map(texts).collect();
        let mut own: Vec<&str> = own.iter().flat_map(|texts| texts.iter()).collect();
        own.sort_unstable();
        own.dedup();
        cached.prepare(&own)?;
    }
    cached.settle()?;
    told(keys.len(), keys.len());
    Ok(keys.len())
}

/// How like prompts are: by their vectors, else by the words of their beginnings.
pub(super) struct ByVectors<'a> {
    pub(super) retriever: &'a Retriever,
    pub(super) prompts: &'a Prompts,
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
        let lead = |place: usize| self.prompts.0.get(&place).map(Known::lead);
        let (Some(a), Some(b)) = (lead(a), lead(b)) else { return 0.0 };
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        a.intersection(b).count() as f64 / ((a.len() * b.len()) as f64).sqrt()
    }
}
