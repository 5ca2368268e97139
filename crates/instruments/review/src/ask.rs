//! Acceptance criteria: which item of a report speaks of which.
//!
//! A criterion is matched lexically: by the stems that it shares with an item, each weighed by how rare it is among all criteria
//! and items, words that any report uses counting little. An item is the partner of a criterion only if it covers most of what
//! the criterion says, shares at least two telling stems with it, and stands clear of the next best. In doubt there is no partner: an unreported criterion makes somebody look, a
//! wrong partner does not. Where an embedder is asked for, its cosine stands beside: it can find a partner that shares few words, and by itself
//! never takes one away.

use std::collections::{BTreeMap, HashMap};

use steadfast_annotate::content_stems;
use steadfast_embed::{Embedder, cosine};

use crate::answer::sign_at;

/// The most criteria of one review.
pub const CRITERIA_MAX: usize = 200;
/// The longest criterion that is matched whole, in bytes; of a longer one the beginning is.
pub const CRITERION_BYTES_MAX: usize = 2_000;
/// The most stems of a text that are compared.
const STEMS_MAX: usize = 48;
/// The most items that are embedded, from the last on.
pub const EMBEDDED_ITEMS_MAX: usize = 512;

/// What a text must share with a criterion to report on it. Fitted on the first half of `tests/data`, held on the second.
const SCORE_MIN: f64 = 0.42;
/// How far the best must stand above the next best that says otherwise.
const MARGIN_MIN: f64 = 0.06;
/// The weight of words that any report uses.
const GENERAL_WEIGHT: f64 = 0.25;
/// The least cosine at which an embedder alone finds a partner, and its margin over the next.
const COSINE_MIN: f64 = 0.62;
const COSINE_MARGIN_MIN: f64 = 0.08;

/// A text that may report on a criterion.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// What it says.
    pub text: &'a str,
    /// The block that it stands in: what a later block reports replaces what an earlier one did.
    pub block: usize,
}

/// A candidate that reports on a criterion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Which one, by its index.
    pub candidate: usize,
    /// How well it fits, from 0 to 1.
    pub score: f64,
    /// Whether words found it; else the embedder did.
    pub lexical: bool,
}

/// For each criterion the candidate that reports on it, `None` where none clearly does.
#[must_use]
pub fn matches(criteria: &[&str], candidates: &[Candidate<'_>], embedder: Option<&dyn Embedder>) -> Vec<Option<Match>> {
    let stems: Vec<Stems> = criteria.iter().map(|text| Stems::of(text)).collect();
    let of: Vec<Stems> = candidates.iter().map(|it| Stems::of(it.text)).collect();
    let weights = Weights::of(stems.iter().chain(&of));
    // Which candidates hold a stem.
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, own) in of.iter().enumerate() {
        for stem in own.0.keys() {
            holders.entry(stem).or_default().push(index);
        }
    }
    let totals: Vec<f64> = of.iter().map(|own| weights.sum(own)).collect();
    let mut out: Vec<Option<Match>> =
        stems.iter().map(|own| best(own, candidates, &holders, &weights, &totals)).collect();
    if let Some(embedder) = embedder {
        embedded(criteria, candidates, embedder, &mut out);
    }
    out
}

/// The distinct stems of a text with how much of a word each is (1, or less for words that any report uses).
struct Stems(BTreeMap<String, f64>);

impl Stems {
    fn of(text: &str) -> Self {
        let mut cut = text.len().min(CRITERION_BYTES_MAX);
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        let text = &text[..cut];
        let mut out = BTreeMap::new();
        for (range, stem) in content_stems(text) {
            if out.len() >= STEMS_MAX {
                break;
            }
            // Hyphenated words are their parts: "market-size".
            let raw = text.get(range).unwrap_or_default();
            if raw.contains(['-', '_']) && raw.chars().any(char::is_alphabetic) {
                for (_, part) in content_stems(&raw.replace(['-', '_'], " ")) {
                    let (key, weight) = canonical(&part);
                    out.insert(key, weight);
                }
                continue;
            }
            let (key, weight) = canonical(&stem);
            out.insert(key, weight);
        }
        Self(out)
    }
}

/// Words of software and reports that say the same, as stems: the first stands for all.
const SAME: &[&[&str]] = &[
    &["authent", "auth", "login", "logon", "log-in", "signin"],
    &["document", "doc", "docs", "readm", "docstr"],
    &["configur", "config", "setup"],
    &["databas", "db"],
    &["perform", "perf", "speed", "fast", "faster"],
    &["latenc", "millisecond", "ms"],
    &["error", "except"],
    &["endpoint", "rout"],
    &["delet", "remov", "drop"],
    &["repositori", "repo"],
    &["paramet", "param", "argument", "arg"],
    &["credenti", "password", "secret"],
    &["encrypt", "cipher"],
    &["concurr", "parallel", "simultan", "race"],
    &["email", "e-mail", "mail"],
    &["rollback", "revert"],
    &["linux", "ubuntu"],
    &["artifact", "artefact"],
    &["citat", "cite"],
    &["sync", "synchron", "synchronis"],
    &["paginat", "pagin"],
    &["label", "labell"],
    &["million", "1000000"],
    &["number", "figur"],
    &["buyer", "custom", "client"],
    &["bot", "chatbot"],
    &["consumpt", "consum", "use"],
    &["lint", "linter"],
    &["sign", "signatur"],
    &["valid", "check"],
    &["limit", "limiter", "throttl"],
    &["test", "spec"],
    &["twice", "2"],
    &["minut", "min"],
    &["once", "1"],
    &["two", "2"],
    &["three", "3"],
    &["five", "5"],
];

/// Stems that any criterion or report may hold.
const GENERAL: &[&str] = &[
    "implement",
    "add",
    "work",
    "support",
    "handl",
    "includ",
    "complet",
    "done",
    "finish",
    "creat",
    "provid",
    "ensur",
    "verifi",
    "confirm",
    "correct",
    "proper",
    "success",
    "fulli",
    "new",
    "make",
    "made",
    "set",
    "get",
    "run",
    "pass",
    "fail",
    "need",
    "use",
    "miss",
    "allow",
    "possibl",
    "must",
    "should",
    "can",
    "user",
    "system",
    "code",
    "featur",
    "function",
    "applic",
    "app",
    "project",
    "requir",
    "current",
    "exist",
    "avail",
    "case",
    "yet",
    "still",
    "all",
    "each",
    "everi",
    "per",
    "within",
    "without",
    "one",
    "not",
    "also",
    "well",
    "now",
    "end",
    "show",
    "shown",
    "appear",
    "carri",
    "keep",
    "kept",
    "stay",
    "return",
    "receiv",
    "page",
    "report",
    "item",
    "thing",
    "way",
    "time",
    "cover",
    "found",
    "find",
    "least",
    "most",
    "more",
    "less",
    "than",
    "below",
    "abov",
    "same",
    "differ",
    "first",
    "second",
    "state",
    "type",
    "valu",
    "data",
];

fn canonical(stem: &str) -> (String, f64) {
    let stem = SAME.iter().find(|group| group.contains(&stem)).and_then(|group| group.first()).copied().unwrap_or(stem);
    (stem.to_owned(), if GENERAL.contains(&stem) { GENERAL_WEIGHT } else { 1.0 })
}

/// How much each stem tells.
struct Weights {
    texts: f64,
    held: HashMap<String, u32>,
}

impl Weights {
    fn of<'a>(all: impl Iterator<Item = &'a Stems>) -> Self {
        let mut held: HashMap<String, u32> = HashMap::new();
        let mut texts = 0.0;
        for stems in all {
            texts += 1.0;
            for stem in stems.0.keys() {
                *held.entry(stem.clone()).or_default() += 1;
            }
        }
        Self { texts, held }
    }

    /// `ln(1 + N / n)` for a stem that `n` of `N` texts hold. A stem that two texts share is held by two at least.
    fn weight(&self, stem: &str, part: f64) -> f64 {
        let held = self.held.get(stem).map_or(1.0, |held| f64::from(*held)).max(2.0);
        part * (1.0 + self.texts.max(4.0) / held).ln()
    }

    fn sum(&self, stems: &Stems) -> f64 {
        stems.0.iter().map(|(stem, part)| self.weight(stem, *part)).sum()
    }
}

/// The best candidate for a criterion, where it is clear.
fn best(
    own: &Stems,
    candidates: &[Candidate<'_>],
    holders: &HashMap<&str, Vec<usize>>,
    weights: &Weights,
    totals: &[f64],
) -> Option<Match> {
    let total = weights.sum(own);
    if total <= 0.0 {
        return None;
    }
    // Shared weight and telling stems of each candidate.
    let mut shared: HashMap<usize, (f64, usize)> = HashMap::new();
    for (stem, part) in &own.0 {
        let weight = weights.weight(stem, *part);
        for holder in holders.get(stem.as_str()).map_or(&[][..], Vec::as_slice) {
            let entry = shared.entry(*holder).or_default();
            entry.0 += weight;
            entry.1 += usize::from(*part >= 1.0);
        }
    }
    let telling = own.0.values().filter(|part| **part >= 1.0).count();
    let mut scored: Vec<(f64, usize)> = shared
        .iter()
        .filter(|(_, (_, common))| *common >= telling.clamp(1, 2))
        .map(|(index, (weight, _))| {
            // The share of the criterion that the item covers, and a little of the share of the item that this is.
            let of_item = totals.get(*index).map_or(0.0, |sum| if *sum > 0.0 { weight / sum } else { 0.0 });
            (0.75 * weight / total + 0.25 * of_item, *index)
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    let (top, first) = *scored.first()?;
    if top < SCORE_MIN {
        return None;
    }
    let block = |index: usize| candidates.get(index).map_or(0, |it| it.block);
    // A later block replaces an earlier one that fits as well.
    let latest = scored
        .iter()
        .take_while(|(score, _)| *score >= top - MARGIN_MIN)
        .max_by_key(|(score, index)| (block(*index), (*score * 1e9) as u64))
        .copied()
        .unwrap_or((top, first));
    let rival = scored
        .iter()
        .any(|(score, index)| *index != latest.1 && block(*index) == block(latest.1) && *score > latest.0 - MARGIN_MIN);
    (!rival).then_some(Match { candidate: latest.1, score: latest.0.min(1.0), lexical: true })
}

/// Partners that the embedder finds where words found none.
fn embedded(criteria: &[&str], candidates: &[Candidate<'_>], embedder: &dyn Embedder, out: &mut [Option<Match>]) {
    let open: Vec<usize> = (0..criteria.len()).filter(|index| out.get(*index).is_some_and(Option::is_none)).collect();
    let skipped = candidates.len().saturating_sub(EMBEDDED_ITEMS_MAX);
    let texts: Vec<&str> = open
        .iter()
        .filter_map(|index| criteria.get(*index).copied())
        .chain(candidates.iter().skip(skipped).map(|it| it.text))
        .collect();
    if open.is_empty() || candidates.is_empty() {
        return;
    }
    let vectors = embedder.embed(&texts);
    let (asked, offered) = vectors.split_at(open.len().min(vectors.len()));
    for (index, asked) in open.iter().zip(asked) {
        let mut scored: Vec<(f64, usize)> = offered
            .iter()
            .enumerate()
            .map(|(at, own)| ((cosine(&asked.vector, &own.vector) * 1e6).round() / 1e6, at + skipped))
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        let Some((top, candidate)) = scored.first().copied() else { continue };
        let next = scored.get(1).map_or(0.0, |it| it.0);
        if top >= COSINE_MIN && top - next >= COSINE_MARGIN_MIN {
            out[*index] = Some(Match { candidate, score: top, lexical: false });
        }
    }
}

/// The criteria of a text: a line each, list markers, checkboxes and signs taken off; blank lines, headings and comments (`#`) are
/// left out.
#[must_use]
pub fn criteria_of(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.trim_start_matches('\u{FEFF}').lines() {
        let mut rest = line.trim();
        if rest.starts_with('#') {
            continue;
        }
        for marker in ["- ", "* ", "+ ", "• "] {
            rest = rest.strip_prefix(marker).unwrap_or(rest).trim_start();
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0
            && let Some(after) = rest.get(digits..).and_then(|it| it.strip_prefix(['.', ')']))
            && after.starts_with(' ')
        {
            rest = after.trim_start();
        }
        for checkbox in ["[ ]", "[x]", "[X]"] {
            rest = rest.strip_prefix(checkbox).unwrap_or(rest).trim_start();
        }
        if let Some((_, end)) = sign_at(rest, 0) {
            rest = rest.get(end..).unwrap_or_default().trim_start();
        }
        if rest.chars().any(char::is_alphanumeric) {
            out.push(rest.to_owned());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::criteria_of;

    #[test]
    fn criteria_are_lines() {
        let text = "# Criteria\n\n- Users log in\n* [ ] Tests pass\n1. ✅ Docs\n---\n   2 nodes suffice\n";
        assert_eq!(criteria_of(text), ["Users log in", "Tests pass", "Docs", "2 nodes suffice"]);
    }
}
