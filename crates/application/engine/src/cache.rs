//! Vectors of texts that were embedded before: identical texts are embedded once, and with a store once ever.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use sha2::{Digest, Sha256};
use steadfast_embed::{Embedder, Embedding};
use steadfast_steps::spend;

use crate::pool::on_pool_meanwhile;
use crate::store::{EmbeddingStore, Receipt, StoreFailure, TextKey as Key};

/// Texts whose vectors are held at most, all in all: some 28 MB at 384 components.
pub const CACHE_TEXTS_MAX: usize = 16_384;
/// Texts that one piece of work on the pool embeds.
const JOB_TEXTS: usize = 16;

/// Steps for a byte that is embedded.
const EMBEDDING_STEPS: usize = 256;

/// An embedder that remembers. What it gives is what the embedder itself would give, to the bit.
pub(crate) struct Cached {
    inner: Arc<dyn Embedder>,
    held: Mutex<Held>,
    kept: Option<Kept>,
    /// Whether it embeds on all threads of the pool without being told to.
    ahead: bool,
}

/// What is kept over runs.
struct Kept {
    store: Arc<dyn EmbeddingStore>,
    state: Mutex<KeptState>,
}

/// One write is under way at most, so that memory stays bounded where the disk is slow. After a failure the store is left alone.
#[derive(Default)]
struct KeptState {
    writing: Option<Receipt>,
    failed: Option<StoreFailure>,
}

impl Kept {
    fn state(&self) -> MutexGuard<'_, KeptState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What went wrong up to now.
    fn check(&self) -> Result<(), StoreFailure> {
        self.state().failed.clone().map_or(Ok(()), Err)
    }

    /// The vectors of these texts; none after a failure.
    fn get(&self, inner: &dyn Embedder, keys: &[Key]) -> Vec<Option<Embedding>> {
        if keys.is_empty() || self.check().is_err() {
            return vec![None; keys.len()];
        }
        let found = self.store.get(inner.bits(), keys).and_then(|found| {
            let fits = |it: &Embedding| it.vector.len() == inner.dimensions();
            if found.len() == keys.len() && found.iter().flatten().all(fits) {
                return Ok(found);
            }
            let what = format!("the store holds something else than vectors of {}", inner.bits());
            Err(StoreFailure { what, hint: Some("give another file to --store".to_owned()), full: false })
        });
        found.unwrap_or_else(|failure| {
            self.state().failed = Some(failure);
            vec![None; keys.len()]
        })
    }

    fn put(&self, inner: &dyn Embedder, vectors: Vec<(Key, Embedding)>) {
        if !vectors.is_empty() && self.settle().is_ok() {
            let receipt = self.store.put(inner.bits(), vectors);
            self.state().writing = Some(receipt);
        }
    }

    /// Waits until all that was written is on the disk.
    fn settle(&self) -> Result<(), StoreFailure> {
        let mut state = self.state();
        if let Some(Err(failure)) = state.writing.take().map(|receipt| receipt()) {
            state.failed.get_or_insert(failure);
        }
        drop(state);
        self.check()
    }
}

/// Two generations: what is used moves to the young one; when that is full it becomes the old one, and what was old is forgotten.
#[derive(Default)]
struct Held {
    young: HashMap<Key, Embedding>,
    old: HashMap<Key, Embedding>,
}

impl Held {
    fn get(&mut self, key: &Key) -> Option<Embedding> {
        if let Some(found) = self.young.get(key) {
            return Some(found.clone());
        }
        let found = self.old.remove(key)?;
        self.put(*key, found.clone());
        Some(found)
    }

    fn put(&mut self, key: Key, embedding: Embedding) {
        if self.young.len() >= CACHE_TEXTS_MAX / 2 {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, embedding);
    }
}

impl Cached {
    pub(crate) fn new(inner: Arc<dyn Embedder>, store: Option<Arc<dyn EmbeddingStore>>) -> Self {
        let kept = store.map(|store| Kept { store, state: Mutex::default() });
        Self { inner, held: Mutex::default(), kept, ahead: false }
    }

    /// The same, which embeds several texts on all threads of the pool.
    pub(crate) fn ahead(self) -> Self {
        Self { ahead: true, ..self }
    }

    /// Embeds on all threads of the pool what of `texts` is not held, each text once. Called on the pool.
    ///
    /// # Errors
    /// [`StoreFailure`] where the store failed, now or before.
    pub(crate) fn prepare(&self, texts: &[&str]) -> Result<(), StoreFailure> {
        let mut missing: Vec<(Key, &str)> = texts.iter().map(|text| (key(text), *text)).collect();
        missing.sort_unstable();
        missing.dedup_by_key(|(key, _)| *key);
        {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            missing.retain(|(key, _)| held.get(key).is_none());
        }
        if let Some(kept) = &self.kept {
            let keys: Vec<Key> = missing.iter().map(|(key, _)| *key).collect();
            let found = kept.get(&*self.inner, &keys);
            kept.check()?;
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            let mut found = found.into_iter();
            missing.retain(|(key, _)| match found.next().flatten() {
                Some(embedding) => {
                    held.put(*key, embedding);
                    false
                }
                None => true,
            });
        }
        // Texts of like length share a job, so that no thread waits long for another; the longest go first.
        missing.sort_by_key(|(key, text)| (std::cmp::Reverse(text.len()), *key));
        let jobs: Vec<&[(Key, &str)]> = missing.chunks(JOB_TEXTS).collect();
        // Before the threads for parts take it up: here it can wait for its lane, or end.
        spend(EMBEDDING_STEPS * missing.iter().map(|(_, text)| text.len()).sum::<usize>());
        let embed = |job: &&[(Key, &str)]| self.inner.embed(&job.iter().map(|(_, text)| *text).collect::<Vec<_>>());
        let made: Vec<Vec<Embedding>> = on_pool_meanwhile(|| jobs.par_iter().map(embed).collect());
        let made: Vec<(Key, Embedding)> = missing.iter().map(|(key, _)| *key).zip(made.into_iter().flatten()).collect();
        {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            for (key, embedding) in &made {
                held.put(*key, embedding.clone());
            }
        }
        if let Some(kept) = &self.kept {
            kept.put(&*self.inner, made);
            kept.check()?;
        }
        Ok(())
    }

    /// Waits until what was embedded is in the store.
    ///
    /// # Errors
    /// [`StoreFailure`] where the store failed, now or before.
    pub(super) fn settle(&self) -> Result<(), StoreFailure> {
        self.kept.as_ref().map_or(Ok(()), Kept::settle)
    }
}

fn key(text: &str) -> Key {
    Sha256::digest(text).into()
}

impl Embedder for Cached {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn version(&self) -> &str {
        self.inner.version()
    }

    fn bits(&self) -> &str {
        self.inner.bits()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn embed(&self, texts: &[&str]) -> Vec<Embedding> {
        if self.ahead && texts.len() > 1 {
            // What fails is told by the next `prepare` or `settle`.
            on_pool_meanwhile(|| drop(self.prepare(texts)));
        }
        let keys: Vec<Key> = texts.iter().map(|text| key(text)).collect();
        let mut found: Vec<Option<Embedding>> = {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            keys.iter().map(|key| held.get(key)).collect()
        };
        let missing = |found: &[Option<Embedding>]| -> Vec<usize> {
            (0..found.len()).filter(|index| found[*index].is_none()).collect()
        };
        // A failure of the store is told by the next `prepare` or `settle`.
        if let Some(kept) = &self.kept {
            let asked = missing(&found);
            let stored = kept.get(&*self.inner, &asked.iter().map(|index| keys[*index]).collect::<Vec<_>>());
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            for (index, embedding) in asked.into_iter().zip(stored) {
                if let Some(embedding) = &embedding {
                    held.put(keys[index], embedding.clone());
                }
                found[index] = embedding;
            }
        }
        let missing = missing(&found);
        if !missing.is_empty() {
            let made = self.inner.embed(&missing.iter().map(|index| texts[*index]).collect::<Vec<_>>());
            let mut new = Vec::with_capacity(missing.len());
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            for (index, embedding) in missing.into_iter().zip(made) {
                held.put(keys[index], embedding.clone());
                new.push((keys[index], embedding.clone()));
                found[index] = Some(embedding);
            }
            drop(held);
            if let Some(kept) = &self.kept {
                kept.put(&*self.inner, new);
            }
        }
        found.into_iter().flatten().collect()
    }

    fn windows(&self, text: &str) -> Vec<Range<usize>> {
        self.inner.windows(text)
    }
}
