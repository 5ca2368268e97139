//! What claims and the ask have in common, in words.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use steadfast_annotate::content_stems;

use crate::answer::{Answer, Claim};

/// Stems that every plan shares: managing, succeeding, making known. A goal made of them alone adds nothing.
pub const GENERIC: &[&str] = &[
    "abil",
    "absenc",
    "accept",
    "access",
    "accident",
    "acclaim",
    "accord",
    "account",
    "achiev",
    "acquir",
    "action",
    "activ",
    "adapt",
    "address",
    "adher",
    "adjust",
    "advis",
    "advisor",
    "afford",
    "agil",
    "aim",
    "align",
    "allow",
    "amount",
    "analysi",
    "approach",
    "appropri",
    "approv",
    "area",
    "aspect",
    "assess",
    "assign",
    "audienc",
    "avail",
    "averag",
    "awar",
    "base",
    "baselin",
    "benefit",
    "best",
    "boost",
    "budget",
    "build",
    "busi",
    "capabl",
    "capac",
    "captur",
    "case",
    "challeng",
    "chang",
    "channel",
    "checklist",
    "clear",
    "collabor",
    "collect",
    "commit",
    "committe",
    "commun",
    "communiti",
    "compani",
    "complaint",
    "complet",
    "compli",
    "complianc",
    "comprehens",
    "concept",
    "concern",
    "conduct",
    "confirm",
    "consid",
    "consist",
    "constraint",
    "consult",
    "consum",
    "content",
    "context",
    "conting",
    "contingenc",
    "continu",
    "contractor",
    "contribut",
    "control",
    "coordin",
    "core",
    "cost",
    "creat",
    "critic",
    "csr",
    "custom",
    "dashboard",
    "data",
    "day",
    "deadlin",
    "decis",
    "delay",
    "deliv",
    "deliver",
    "deliveri",
    "demonstr",
    "depend",
    "design",
    "detail",
    "determin",
    "develop",
    "director",
    "document",
    "driven",
    "earli",
    "effect",
    "effici",
    "effort",
    "element",
    "employe",
    "enabl",
    "engag",
    "enhanc",
    "ensur",
    "environment",
    "equip",
    "esg",
    "establish",
    "estim",
    "ethic",
    "ethical",
    "evalu",
    "execut",
    "exist",
    "expect",
    "experi",
    "expert",
    "expertis",
    "explor",
    "extern",
    "facil",
    "factor",
    "feedback",
    "final",
    "financi",
    "focus",
    "follow",
    "foster",
    "framework",
    "full",
    "fulli",
    "function",
    "fund",
    "gain",
    "gather",
    "gdpr",
    "general",
    "global",
    "goal",
    "govern",
    "growth",
    "happi",
    "hardwar",
    "help",
    "high",
    "identifi",
    "impact",
    "implement",
    "improv",
    "incid",
    "includ",
    "increas",
    "indic",
    "industri",
    "inform",
    "infrastructur",
    "initi",
    "injuri",
    "innov",
    "integr",
    "intern",
    "interview",
    "invest",
    "investor",
    "involv",
    "issu",
    "job",
    "key",
    "knowledg",
    "kpi",
    "launch",
    "law",
    "lawyer",
    "lead",
    "legal",
    "level",
    "leverag",
    "licens",
    "local",
    "long",
    "maintain",
    "make",
    "manag",
    "manager",
    "market",
    "master",
    "materi",
    "maxim",
    "maximis",
    "maximum",
    "measur",
    "meet",
    "member",
    "method",
    "metric",
    "mileston",
    "milestone",
    "minim",
    "minimis",
    "minimum",
    "mitig",
    "model",
    "monitor",
    "month",
    "nation",
    "need",
    "negat",
    "new",
    "number",
    "object",
    "obtain",
    "offer",
    "ongo",
    "oper",
    "opportun",
    "optim",
    "optimis",
    "organ",
    "organis",
    "organiz",
    "outcom",
    "outlin",
    "overal",
    "overrun",
    "particip",
    "partner",
    "partnership",
    "peopl",
    "percent",
    "perform",
    "permit",
    "phase",
    "plan",
    "player",
    "polici",
    "posit",
    "possibl",
    "potenti",
    "practic",
    "prepar",
    "primari",
    "prioriti",
    "proactiv",
    "problem",
    "procedur",
    "process",
    "produc",
    "product",
    "profession",
    "profit",
    "progress",
    "project",
    "promot",
    "protect",
    "provid",
    "public",
    "purpos",
    "qualit",
    "qualiti",
    "quantit",
    "questionnair",
    "quick",
    "rate",
    "ratio",
    "reach",
    "reader",
    "recogn",
    "recognit",
    "recommend",
    "reduc",
    "region",
    "regul",
    "regular",
    "regulatori",
    "relat",
    "relationship",
    "relev",
    "reliabl",
    "report",
    "reput",
    "requir",
    "resili",
    "resourc",
    "respons",
    "result",
    "revenu",
    "review",
    "risk",
    "roi",
    "role",
    "safe",
    "safeti",
    "sale",
    "satisfact",
    "satisfi",
    "schedul",
    "scope",
    "sector",
    "secur",
    "servic",
    "set",
    "share",
    "signific",
    "skill",
    "small",
    "smart",
    "social",
    "societi",
    "softwar",
    "solut",
    "specialist",
    "specif",
    "staff",
    "stage",
    "stakehold",
    "standard",
    "start",
    "step",
    "strateg",
    "strategi",
    "strength",
    "strengthen",
    "strong",
    "structur",
    "success",
    "suitabl",
    "supplier",
    "support",
    "survey",
    "sustain",
    "swot",
    "system",
    "target",
    "task",
    "team",
    "technic",
    "technolog",
    "term",
    "test",
    "time",
    "timeli",
    "timelin",
    "toler",
    "tool",
    "total",
    "track",
    "train",
    "transpar",
    "trust",
    "understand",
    "uniqu",
    "use",
    "user",
    "util",
    "valu",
    "variou",
    "vendor",
    "viabil",
    "viabl",
    "vision",
    "week",
    "within",
    "work",
    "workflow",
    "workshop",
    "world",
    "year",
];

/// Whether a stem says nothing of what a plan is about.
#[must_use]
pub fn is_generic(stem: &str) -> bool {
    GENERIC.binary_search(&stem).is_ok() || stem.chars().all(|c| !c.is_alphabetic()) || stem.chars().count() < 3
}

/// Whether the ask has a stem, or a longer word that holds it ("gameplay" holds "game").
#[must_use]
pub fn is_asked(stem: &str, asked: &HashSet<String>) -> bool {
    asked.contains(stem)
        || (stem.len() >= STEM_PART_BYTES_MIN
            && asked
                .iter()
                .any(|own| own.contains(stem) || (own.len() >= STEM_PART_BYTES_MIN && stem.contains(own.as_str()))))
}

/// Shorter stems stand inside too many words, in bytes.
const STEM_PART_BYTES_MIN: usize = 4;

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

/// The content stems of a text, each once, in order.
#[must_use]
pub fn stems_once(text: &str) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for (_, stem) in content_stems(text) {
        if !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generic_stems_are_sorted() {
        assert!(GENERIC.is_sorted(), "{:?}", GENERIC.windows(2).find(|pair| pair[0] >= pair[1]));
    }
}
