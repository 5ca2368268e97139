//! What is embedded and searched: made of the prompts that ship and of numbers that are drawn, the same each time.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Texts that are embedded at a time: what it is called, how many, of how many word pieces each.
pub(super) const EMBEDDED: [(&str, usize, usize); 3] = [
    ("embedding a text of 12 word pieces", 1, 12),
    ("embedding a text of 128 word pieces", 1, 128),
    ("embedding 256 texts of 32 word pieces", 256, 32),
];
/// What searching is called.
pub(super) const SEARCHED_WORDS: &str = "100 searches by words among 10,000 texts, the ten best";
/// The same for vectors.
pub(super) const SEARCHED_VECTORS: &str = "100 searches among 10,000 vectors of 384 numbers, the ten best";

const DOCUMENTS: usize = 10_000;
const QUERIES: usize = 100;
const DIMENSIONS: usize = 384;
/// Vectors lie around so many centres, as those of texts on so many subjects do.
const CENTRES: usize = 200;
/// Sentences of a text.
const SENTENCES: usize = 6;

/// Words that are one word piece each.
const WORDS: &str = "time people year way day man thing woman life child world school state family student group country problem hand part place case \
    week company system program question work government number night point home water room mother area money story fact month lot right study book \
    eye job word business issue side kind head house service friend father power hour game line";

/// A JSON list of so many texts of so many word pieces, with those that mark beginning and end.
pub(super) fn json(count: usize, pieces: usize) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let text = |first: usize| {
        let own = (0..pieces - 2).map(|at| words[(first + 7 * at) % words.len()]);
        format!("\"{}\"", own.collect::<Vec<_>>().join(" "))
    };
    format!("[{}]", (0..count).map(text).collect::<Vec<_>>().join(", "))
}

/// A generator (Knuth's LCG): the same numbers each time.
struct Drawn(u64);

impl Drawn {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next()).unwrap_or(0) % count
    }

    /// From −1 to 1, most often near 0.
    fn number(&mut self) -> f64 {
        let mut one = || self.next() as f64 / f64::from(1_u32 << 31);
        one() + one() - 1.0
    }
}

/// Writes texts and vectors, and what is looked for among them.
pub(super) fn write(root: &Path, folder: &Path) -> Result<()> {
    let sentences = sentences(&root.join("vault"))?;
    let mut drawn = Drawn(7);
    let mut lines = |count: usize, parts: usize| {
        let mut out = String::new();
        for _ in 0..count {
            let own: Vec<&str> = (0..parts).map(|_| sentences[drawn.below(sentences.len())].as_str()).collect();
            let _ = writeln!(out, "{}", own.join(" "));
        }
        out
    };
    let (documents, queries) = (lines(DOCUMENTS, SENTENCES), lines(QUERIES, 1));
    let centres: Vec<Vec<f64>> = (0..CENTRES).map(|_| (0..DIMENSIONS).map(|_| drawn.number()).collect()).collect();
    let mut rows = |count: usize| {
        let mut bytes = Vec::with_capacity(count * DIMENSIONS * 4);
        for at in 0..count {
            let row: Vec<f64> = centres[at % CENTRES].iter().map(|centre| centre + drawn.number()).collect();
            let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            row.iter().for_each(|x| bytes.extend_from_slice(&((x / length) as f32).to_le_bytes()));
        }
        bytes
    };
    let (document_rows, query_rows) = (rows(DOCUMENTS), rows(QUERIES));
    for (name, bytes) in [
        ("documents.txt", documents.into_bytes()),
        ("queries.txt", queries.into_bytes()),
        ("documents.f32", document_rows),
        ("queries.f32", query_rows),
    ] {
        fs::write(folder.join(name), bytes).with_context(|| format!("{name} cannot be written"))?;
    }
    Ok(())
}

/// Sentences of the prompts that ship, in the order of their files.
fn sentences(vault: &Path) -> Result<Vec<String>> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![vault.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).context("the prompts that ship cannot be read")? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let mut sentences = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let parts = text.split(['\n', '.']).map(str::trim).filter(|part| part.len() > 30);
        sentences.extend(parts.map(str::to_owned));
    }
    anyhow::ensure!(!sentences.is_empty(), "the prompts that ship hold no sentence");
    Ok(sentences)
}

#[cfg(test)]
mod tests {
    use super::{Drawn, json};

    #[test]
    fn texts_have_the_words_that_were_asked_for() {
        assert_eq!(json(1, 4), "[\"time woman\"]");
        let many = json(256, 32);
        assert_eq!((many.matches('"').count(), many.split_whitespace().count()), (512, 256 * 30));
    }

    #[test]
    fn what_is_drawn_is_the_same_each_time_and_lies_in_its_range() {
        let draw = || (0..1_000).scan(Drawn(1), |drawn, _| Some(drawn.number())).collect::<Vec<f64>>();
        assert_eq!(draw(), draw());
        assert!(draw().iter().all(|it| (-1.0..=1.0).contains(it)));
        assert!(draw().iter().sum::<f64>().abs() < 100.0);
    }
}
