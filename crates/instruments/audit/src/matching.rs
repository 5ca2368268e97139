//! What claims and the ask have in common, in words.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use crate::answer::{Answer, Claim};

/// Stems that every plan shares: managing, succeeding, making known. A goal made of them alone adds nothing.
static GENERIC: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("generic.txt").split_whitespace().collect());

/// Whether a stem says nothing of what a plan is about.
pub(crate) fn is_generic(stem: &str) -> bool {
    GENERIC.contains(stem) || stem.chars().all(|c| !c.is_alphabetic()) || stem.chars().count() < 3
}

/// The words of the answer, for looking up: which claims use a stem.
#[derive(Debug)]
pub struct Index<'a> {
    answer: &'a Answer,
    claims_with: HashMap<&'a str, Vec<usize>>,
}

/// How well a claim's words meet those of an obligation.
#[derive(Clone, Debug, PartialEq)]
pub struct Alignment {
    /// Index into [`Answer::claims`].
    pub claim: usize,
    /// Share of the obligation's words that the claim has, each weighted by its rarity, 0 to 1.
    pub share: f64,
    /// How many of the obligation's words the claim has.
    pub hits: usize,
    /// From the first to the last of the tightest group of these words, in bytes of the claim's text.
    pub range: Range<usize>,
    /// Content words of the claim from the first to the last of that group.
    pub words: usize,
}

/// A word that every plan shares tells this much less than another of the same rarity.
const GENERIC_WEIGHT: f64 = 0.25;

impl<'a> Index<'a> {
    /// Reads every claim once, in any voice.
    #[must_use]
    pub fn new(answer: &'a Answer) -> Self {
        let mut claims_with: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, claim) in answer.claims.iter().enumerate() {
            for (_, stem) in &claim.stems {
                let claims = claims_with.entry(stem).or_default();
                if claims.last() != Some(&at) {
                    claims.push(at);
                }
            }
        }
        Self { answer, claims_with }
    }

    /// How many claims use a stem.
    #[must_use]
    pub fn count(&self, stem: &str) -> usize {
        self.claims_with.get(stem).map_or(0, Vec::len)
    }

    /// How much a stem tells: the rarer in the answer the more, from 1 on; words that every plan shares tell little.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of claims are far below 2^52")]
    pub fn weight(&self, stem: &str) -> f64 {
        let rarity = 1.0 + ((self.answer.claims.len() as f64 + 1.0) / (self.count(stem) as f64 + 1.0)).ln();
        if is_generic(stem) { GENERIC_WEIGHT * rarity } else { rarity }
    }

    /// The claims that have at least `share` of the weighted `stems`, the best first; of equals the earlier.
    #[must_use]
    pub fn aligned(&self, stems: &[String], share: f64) -> Vec<Alignment> {
        let mut sums: HashMap<usize, (f64, usize)> = HashMap::new();
        let mut total = 0.0;
        for stem in stems {
            let weight = self.weight(stem);
            total += weight;
            for claim in self.claims_with.get(stem.as_str()).into_iter().flatten() {
                let sum = sums.entry(*claim).or_default();
                sum.0 += weight;
                sum.1 += 1;
            }
        }
        let mut found: Vec<Alignment> = sums
            .into_iter()
            .filter(|(_, (weight, _))| *weight >= share * total)
            .filter_map(|(claim, (weight, hits))| {
                let (range, words) = tightest(self.answer.claims.get(claim)?, stems, hits)?;
                Some(Alignment { claim, share: weight / total, hits, range, words })
            })
            .collect();
        found.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.claim.cmp(&b.claim)));
        found
    }
}

/// The shortest part of a claim that has `distinct` different ones of `stems`, and its length in content words.
fn tightest(claim: &Claim, stems: &[String], distinct: usize) -> Option<(Range<usize>, usize)> {
    let places: Vec<(usize, &Range<usize>, &str)> = claim
        .stems
        .iter()
        .enumerate()
        .filter(|(_, (_, stem))| stems.contains(stem))
        .map(|(at, (range, stem))| (at, range, stem.as_str()))
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut first = 0;
    let mut best: Option<(Range<usize>, usize)> = None;
    for &(at, range, stem) in &places {
        *counts.entry(stem).or_default() += 1;
        while counts.len() == distinct {
            let (from, start, dropped) = places[first];
            let words = at - from + 1;
            if best.as_ref().is_none_or(|(_, least)| words < *least) {
                best = Some((start.start..range.end, words));
            }
            if let Some(count) = counts.get_mut(dropped) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(dropped);
                }
            }
            first += 1;
        }
    }
    best
}
