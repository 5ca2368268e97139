//! What is shown of an output that is not worth reading in full: extracts within a budget, the same for the same input.
//!
//! First what code found false, then what the report itself finds (heaviest first), then criteria that are not met, next steps, and
//! what room is left for the most central sentences: those whose TF-IDF vector lies nearest to the mean of all, of at most
//! [`SENTENCES_MAX`], in the order of the output.

use std::collections::{BTreeMap, HashMap, HashSet};

use steadfast_annotate::content_stems;
use steadfast_text::{BlockKind, Document};

/// The most sentences that are compared: those of the beginning.
pub const SENTENCES_MAX: usize = 2_000;
/// The budget of a summary where none is given, in tokens.
pub const SUMMARY_TOKENS_DEFAULT: usize = 400;
/// Characters that count as one token.
pub const CHARACTERS_PER_TOKEN: usize = 4;
/// The longest line of a summary, in characters.
const LINE_CHARACTERS_MAX: usize = 300;
/// Words of a sentence that can stand for others: fewer say little, more are a table or a log.
const SENTENCE_WORDS: std::ops::RangeInclusive<usize> = 5..=60;

/// Tokens of a text: its characters by four, rounded up.
#[must_use]
pub fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(CHARACTERS_PER_TOKEN)
}

/// Lines under a heading.
pub(crate) struct Part {
    pub(crate) title: &'static str,
    pub(crate) lines: Vec<String>,
}

/// Puts a head line and parts together within `budget` tokens and says how many of `full` are kept back.
pub(crate) fn summary(head: &str, parts: &[Part], document: &Document, full: usize, budget: usize) -> String {
    let mut out = String::from(head);
    out.push('\n');
    let room = budget.max(1) * CHARACTERS_PER_TOKEN;
    // The last line says what was kept back.
    let reserve = 64;
    let mut used = out.chars().count() + reserve;
    let mut left_out = 0;
    for part in parts {
        let mut titled = false;
        for line in &part.lines {
            let line = short(line);
            let own = line.chars().count() + 3 + if titled { 0 } else { part.title.chars().count() + 3 };
            if used + own > room {
                left_out += 1;
                continue;
            }
            if !titled {
                out.push_str(&format!("\n{}:\n", part.title));
                titled = true;
            }
            out.push_str(&format!("- {line}\n"));
            used += own;
        }
    }
    if left_out > 0 {
        let line = format!("({left_out} further lines left out)\n");
        used += line.chars().count();
        out.push_str(&line);
    }
    let central = central(document, room.saturating_sub(used + 20));
    if !central.is_empty() {
        out.push_str("\nFrom the output:\n");
        for sentence in central {
            out.push_str(&format!("- {sentence}\n"));
        }
    }
    let returned = tokens(&out) + reserve / CHARACTERS_PER_TOKEN;
    let kept = full.saturating_sub(returned);
    out.push_str(&format!("\n[{kept} of {full} tokens kept back]\n"));
    out
}

/// A line on one line, cut at a word.
fn short(line: &str) -> String {
    let mut out = String::new();
    let mut length = 0;
    for word in line.split_whitespace() {
        let own = word.chars().count() + 1;
        if length + own > LINE_CHARACTERS_MAX {
            if out.is_empty() {
                out.extend(word.chars().take(LINE_CHARACTERS_MAX));
            }
            out.push('…');
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        length += own;
    }
    out
}

/// The most central sentences that fit into `room` characters, in the order of the output.
fn central(document: &Document, room: usize) -> Vec<String> {
    if room < 40 {
        return Vec::new();
    }
    let mut texts: Vec<&str> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    'blocks: for block in &document.blocks {
        if !matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem { .. } | BlockKind::Quote) {
            continue;
        }
        for range in &block.sentences {
            let Some(text) = block.text.plain.get(range.clone()) else { continue };
            let words = text.split_whitespace().take(SENTENCE_WORDS.end() + 1).count();
            if SENTENCE_WORDS.contains(&words) && seen.insert(text) {
                texts.push(text);
                if texts.len() >= SENTENCES_MAX {
                    break 'blocks;
                }
            }
        }
    }
    let counts: Vec<BTreeMap<String, f64>> = texts
        .iter()
        .map(|text| {
            let mut own: BTreeMap<String, f64> = BTreeMap::new();
            for (_, stem) in content_stems(text) {
                *own.entry(stem).or_default() += 1.0;
            }
            own
        })
        .collect();
    let mut held: HashMap<&str, f64> = HashMap::new();
    for stem in counts.iter().flat_map(BTreeMap::keys) {
        *held.entry(stem).or_default() += 1.0;
    }
    let all = texts.len() as f64;
    let vectors: Vec<Vec<(&str, f64)>> = counts
        .iter()
        .map(|own| {
            let weighed: Vec<(&str, f64)> = own
                .iter()
                .map(|(stem, count)| {
                    let stem = stem.as_str();
                    (stem, count * (1.0 + all / held.get(stem).copied().unwrap_or(1.0)).ln())
                })
                .collect();
            let norm = weighed.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
            weighed.into_iter().map(|(stem, weight)| (stem, if norm > 0.0 { weight / norm } else { 0.0 })).collect()
        })
        .collect();
    let mut mean: HashMap<&str, f64> = HashMap::new();
    for (stem, weight) in vectors.iter().flatten() {
        *mean.entry(stem).or_default() += weight;
    }
    let mut ranked: Vec<(f64, usize)> = vectors
        .iter()
        .enumerate()
        .map(|(index, own)| {
            (own.iter().map(|(stem, weight)| weight * mean.get(stem).copied().unwrap_or(0.0)).sum(), index)
        })
        .collect();
    ranked.sort_by(|a: &(f64, usize), b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut used = 0;
    let mut chosen: Vec<usize> = Vec::new();
    for (_, index) in ranked {
        let Some(text) = texts.get(index) else { continue };
        let own = short(text).chars().count() + 3;
        if used + own <= room {
            used += own;
            chosen.push(index);
        }
    }
    chosen.sort_unstable();
    chosen.into_iter().filter_map(|index| Some(short(texts.get(index)?))).collect()
}
