//! Vectors of texts that were embedded before: identical texts are embedded once.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use sha2::{Digest, Sha256};
use steadfast_embed::{Embedder, Embedding};

/// Texts whose vectors are held at most, all in all: some 28 MB at 384 components.
pub const CACHE_TEXTS_MAX: usize = 16_384;
/// Texts that one piece of work on the pool embeds.
const JOB_TEXTS: usize = 16;

type Key = [u8; 32];

/// An embedder that remembers. What it gives is what the embedder itself would give, to the bit.
pub(crate) struct Cached {
    inner: Arc<dyn Embedder>,
    held: Mutex<Held>,
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
    pub(crate) fn new(inner: Arc<dyn Embedder>) -> Self {
        Self { inner, held: Mutex::default() }
    }

    /// Embeds on all threads of the pool what of `texts` is not held, each text once. Called on the pool.
    pub(crate) fn prepare(&self, texts: &[&str]) {
        let mut missing: Vec<(Key, &str)> = texts.iter().map(|text| (key(text), *text)).collect();
        missing.sort_unstable();
        missing.dedup_by_key(|(key, _)| *key);
        {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            missing.retain(|(key, _)| held.get(key).is_none());
        }
        // Texts of like length share a job, so that no thread waits long for another; the longest go first.
        missing.sort_by_key(|(key, text)| (std::cmp::Reverse(text.len()), *key));
        let jobs: Vec<&[(Key, &str)]> = missing.chunks(JOB_TEXTS).collect();
        let made: Vec<Vec<Embedding>> = jobs
            .par_iter()
            .map(|job| self.inner.embed(&job.iter().map(|(_, text)| *text).collect::<Vec<_>>()))
            .collect();
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        for ((key, _), embedding) in missing.iter().zip(made.into_iter().flatten()) {
            held.put(*key, embedding);
        }
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

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn embed(&self, texts: &[&str]) -> Vec<Embedding> {
        let keys: Vec<Key> = texts.iter().map(|text| key(text)).collect();
        let mut found: Vec<Option<Embedding>> = {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            keys.iter().map(|key| held.get(key)).collect()
        };
        let missing: Vec<usize> = (0..texts.len()).filter(|index| found[*index].is_none()).collect();
        if !missing.is_empty() {
            let made = self.inner.embed(&missing.iter().map(|index| texts[*index]).collect::<Vec<_>>());
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            for (index, embedding) in missing.into_iter().zip(made) {
                held.put(keys[index], embedding.clone());
                found[index] = Some(embedding);
            }
        }
        found.into_iter().flatten().collect()
    }

    fn windows(&self, text: &str) -> Vec<Range<usize>> {
        self.inner.windows(text)
    }
}
