//! A vault in memory, from which is told what `pick` would do at any thresholds: for figures and for fitting thresholds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use steadfast_embed::Embedder;
use steadfast_pick::operating_point::OperatingPoint;
use steadfast_pick::record::PromptRecord;
use steadfast_pick::retrieve::filters::Filters;
use steadfast_pick::retrieve::hybrid::{POOL_MAX, Retriever};
use steadfast_pick::retrieve::passages::texts;
use steadfast_pick::retrieve::vectors::Vectors;
use steadfast_pick::task::TaskSpec;
use steadfast_pick::{Vault, Weighed, intake, weigh};
use steadfast_wire::pick::FinalOutput;

use super::choose::{Looked, PickRequest, Picked, VectorsOf, limited};
use super::import::ReadPrompts;
use super::open::{ByVectors, OpenVault, record};
use super::take_in::{Hashed, stored};
use crate::EngineError;

/// Texts that are embedded at a time.
const TEXTS_AT_A_TIME: usize = 1_024;

/// A vault in memory. It picks as [`OpenVault`] does, from the same records.
pub struct Trial {
    open: OpenVault,
}

impl Trial {
    /// Takes prompts in as an import does: of the same id the first is kept, of the same text the one whose id comes first. With an embedder
    /// vectors are made.
    ///
    /// # Errors
    /// [`EngineError::Internal`] where a prompt cannot be written as JSON or an embedder gives vectors of other lengths than it says.
    pub fn new(given: ReadPrompts, embedder: Option<&dyn Embedder>) -> Result<Self, EngineError> {
        let mut prompts = BTreeMap::new();
        for (_, prompt) in given.prompts {
            let prompt = Hashed::of(prompt)?;
            prompts.entry(prompt.record.prompt_id.clone()).or_insert(prompt);
        }
        let mut seen = BTreeSet::new();
        prompts.retain(|_, prompt| seen.insert(prompt.text));
        let records = prompts.into_values().map(|prompt| record(&stored("", prompt.record)?));
        let records = records.collect::<Result<Vec<_>, _>>()?;
        let mut retriever = Retriever::new(records.clone());
        if let Some(embedder) = embedder {
            retriever.set_vectors(vectors(&records, embedder)?);
        }
        Ok(Self { open: OpenVault::of(retriever, records) })
    }

    /// The id of a prompt: candidates name them by their places in the order of these.
    #[must_use]
    pub fn id(&self, place: usize) -> &str {
        u32::try_from(place).map_or("", |document| self.open.retriever.catalog().id(document))
    }

    /// Picks prompts for a task, as [`OpenVault::pick`] does.
    ///
    /// # Errors
    /// Those of [`OpenVault::pick`].
    pub fn pick(&mut self, request: &PickRequest, point: &OperatingPoint) -> Result<FinalOutput, EngineError> {
        self.open.pick(request, point)
    }

    /// The same with its candidates, as [`OpenVault::picked`] gives them. `vectors_of` gives the vectors of texts, as for [`Self::weigh`].
    ///
    /// # Errors
    /// Those of [`OpenVault::pick`].
    pub fn picked(
        &mut self,
        request: &PickRequest,
        point: &OperatingPoint,
        vectors_of: VectorsOf<'_>,
    ) -> Result<Picked, EngineError> {
        self.open.picked_by(request, point, true, Some(vectors_of))
    }

    /// What is understood of a task, and what its prompts are worth whatever the thresholds. `vectors_of` gives the vectors of texts (of the task
    /// and of its parts); where it gives none words alone decide. Prompts of `without` are not looked at.
    ///
    /// # Errors
    /// [`EngineError::FileTooLarge`] where the task is too long, [`EngineError::Internal`] where its vector is none of this vault's.
    pub fn weigh(
        &mut self,
        task: &str,
        vectors_of: VectorsOf<'_>,
        without: &BTreeSet<String>,
    ) -> Result<(TaskSpec, Weighed), EngineError> {
        limited(task)?;
        let spec = intake::read(task);
        let filters = Filters { ids_excluded: without.clone(), ..Filters::default() };
        let looked = Looked { spec: Some(&spec), at: None, size: POOL_MAX, filters: &filters };
        let (found, prompts, _) = self.open.found(task, vectors_of, &looked)?;
        let mut compatibility = std::mem::take(&mut self.open.compatibility);
        let likeness = ByVectors { retriever: &self.open.retriever, prompts: &prompts };
        let vault = Vault { records: &prompts, likeness: &likeness, compatibility: &mut compatibility };
        let weighed = weigh(&spec, vault, |_| found);
        self.open.compatibility = compatibility;
        Ok((spec, weighed))
    }

    /// The ids of the prompts that a search lists, best first; without a vector by words alone.
    ///
    /// # Errors
    /// As [`weigh`](Self::weigh).
    pub fn ranked(&self, query: &str, vector: Option<&[f32]>) -> Result<Vec<&str>, EngineError> {
        limited(query)?;
        let looked = Looked { spec: None, at: None, size: POOL_MAX, filters: &Filters::default() };
        let mut pools = self.open.pools(&[query], &[vector.map(Arc::from)], &looked)?;
        let Some(pool) = pools.pop() else { return Ok(Vec::new()) };
        Ok(pool.candidates.iter().map(|own| self.id(own.document as usize)).collect())
    }

    /// The prompts that say nearly what one says: its near-copies, and with vectors those whose cosine to it reaches `cosine_min`.
    #[must_use]
    pub fn like(&self, prompt_id: &str, cosine_min: f32) -> BTreeSet<String> {
        let (retriever, catalog) = (&self.open.retriever, self.open.retriever.catalog());
        let Some(own) = catalog.document(prompt_id) else { return BTreeSet::new() };
        let near = |other: u32| {
            let cosine = retriever.vectors().and_then(|vectors| vectors.between(own, other));
            cosine.is_some_and(|cosine| cosine >= cosine_min)
        };
        let all = (0..u32::try_from(catalog.len()).unwrap_or(u32::MAX)).filter(|other| *other != own);
        let like = all.filter(|other| retriever.duplicates().are(own, *other) || near(*other));
        like.map(|other| catalog.id(other).to_owned()).collect()
    }
}

fn vectors(records: &[PromptRecord], embedder: &dyn Embedder) -> Result<Vectors, EngineError> {
    let internal = |error: &dyn std::fmt::Display| EngineError::Internal { what: error.to_string() };
    let all: Vec<_> = records.iter().map(texts).collect();
    let flat: Vec<&str> = all.iter().flat_map(|own| own.iter()).collect();
    let chunks = flat.chunks(TEXTS_AT_A_TIME);
    let mut rows = chunks.flat_map(|some| embedder.embed(some)).map(|embedding| embedding.vector);
    let mut vectors = Vectors::new(embedder.dimensions()).map_err(|error| internal(&error))?;
    for own in &all {
        let rows: Vec<_> = rows.by_ref().take(own.iter().count()).collect();
        let (label, passages) = rows.split_at(usize::from(own.label.is_some()).min(rows.len()));
        let label = label.first().map(|row| &**row);
        vectors.push(label, passages.iter().map(|row| &**row)).map_err(|error| internal(&error))?;
    }
    Ok(vectors)
}
