//! Vaults of prompts by others, and needs in words: is the prompt found?
//!
//! Where a prompt's own description is the query (`fabric`, `copilot`, `claude_subagents`), the record is its text alone: name, description and tags
//! are taken away. Elsewhere the record is whole: `fabric_queries` and `claude_subagents_queries` ask for one prompt in other words, `bundles` for
//! all that somebody put together for a purpose.
//!
//! Ranked are the candidates of `pick`, [`POOL_MAX`] of them; what is not among them is not found. `…/bm25` ranks by words alone, `…/vectors` by meaning alone, and `…/over_bm25` and `…/over_vectors` are how much
//! higher the reciprocal rank is than theirs, query by query, so that their intervals are paired. `all` is the mean over all queries that are there.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::Deserialize;
use steadfast_embed::Embedder;
use steadfast_pick::record::PromptRecord;
use steadfast_pick::retrieve::filters::{Filters, Wanted};
use steadfast_pick::retrieve::hybrid::{Fusion, POOL_MAX, Request, Retriever};
use steadfast_pick::retrieve::passages::texts;
use steadfast_pick::retrieve::vectors::{VectorError, Vectors};

use super::drift::ratio;
use super::{Reader, Set, Uses};
use crate::files::placed_json_lines;
use crate::metrics::Ranking;
use crate::row::is_tuned;
use crate::{Count, Files, Means, MeasureError, Metric, Row};

/// What is asked of a vault.
struct Queries {
    vault: &'static str,
    /// The file with queries; none where the descriptions are they.
    file: Option<&'static str>,
}

const QUERIES: [Queries; 6] = [
    Queries { vault: "fabric_patterns.jsonl", file: None },
    Queries { vault: "fabric_patterns.jsonl", file: Some("fabric_queries.jsonl") },
    Queries { vault: "awesome_copilot.jsonl", file: None },
    Queries { vault: "awesome_copilot.jsonl", file: Some("awesome_copilot_plugins.jsonl") },
    Queries { vault: "claude_subagents.jsonl", file: None },
    Queries { vault: "claude_subagents.jsonl", file: Some("claude_subagents_queries.jsonl") },
];

/// The metrics of a set of queries, with its floors of hit@1, R@5 and MRR.
macro_rules! metrics {
    ($($name:literal: $hit:expr, $recall:expr, $mrr:expr;)*) => {
        &[$(
            ratio(concat!("hit_at_1/", $name), $hit, None),
            ratio(concat!("recall_at_5/", $name), $recall, None),
            ratio(concat!("mrr/", $name), $mrr, None),
            ratio(concat!("recall_at_30/", $name), None, None),
            ratio(concat!("mrr/", $name, "/over_bm25"), None, None),
            ratio(concat!("mrr/", $name, "/over_vectors"), None, None),
            ratio(concat!("hit_at_1/", $name, "/bm25"), None, None),
            ratio(concat!("recall_at_5/", $name, "/bm25"), None, None),
            ratio(concat!("mrr/", $name, "/bm25"), None, None),
            ratio(concat!("hit_at_1/", $name, "/vectors"), None, None),
            ratio(concat!("recall_at_5/", $name, "/vectors"), None, None),
            ratio(concat!("mrr/", $name, "/vectors"), None, None),
        )*]
    };
}

/// In the order of [`QUERIES`], then all of them together.
const ALL: &[Metric] = metrics! {
    "fabric": Some(0.564), Some(0.760), Some(0.660);
    "fabric_queries": None, None, None;
    "copilot": Some(0.794), Some(0.950), Some(0.861);
    "bundles": None, None, None;
    "claude_subagents": None, None, None;
    "claude_subagents_queries": None, None, None;
    "all": None, None, None;
};

pub(super) const SET: Set = Set {
    name: "prompt_vaults",
    about: "vaults of prompts, and the needs that they serve",
    metrics: ALL,
    read: Reader::of(Uses::Embedder, read),
};

/// A prompt of a vault.
#[derive(Deserialize)]
pub(crate) struct Prompt {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) name: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
}

/// A line on what is needed, and the prompts that serve it.
#[derive(Deserialize)]
pub(crate) struct Need {
    #[serde(alias = "pid")]
    qid: String,
    pub(crate) query: String,
    pub(crate) relevant: Vec<String>,
}

fn read(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let embedder = means.needed(SET.name)?;
    let mut vaults: BTreeMap<&str, Vec<Prompt>> = BTreeMap::new();
    let mut known = Known { embedder, vectors: HashMap::new() };
    let mut rows = Vec::new();
    for (number, queries) in QUERIES.iter().enumerate() {
        let Some(bytes) = files.named(queries.vault) else { continue };
        let needs: Option<Vec<Need>> = match queries.file {
            None => None,
            Some(file) => match files.named(file) {
                None => continue,
                Some(bytes) => Some(placed_json_lines(file, bytes)?.into_iter().map(|(_, need)| need).collect()),
            },
        };
        if !vaults.contains_key(queries.vault) {
            let prompts = placed_json_lines(queries.vault, bytes)?.into_iter().map(|(_, prompt)| prompt);
            vaults.insert(queries.vault, prompts.collect());
        }
        let prompts = &vaults[queries.vault];
        let vault = Vault::new(prompts, needs.is_some(), &mut known)
            .map_err(|error| MeasureError::Form { file: queries.vault.to_owned(), what: error.to_string() })?;
        let needs = needs.unwrap_or_else(|| prompts.iter().filter_map(own_description).collect());
        known.learn(needs.iter().map(|need| need.query.clone()).collect());
        for (index, need) in needs.iter().enumerate() {
            rows.extend(vault.judge(need, number, is_tuned(index), &mut known));
        }
    }
    if rows.is_empty() {
        return Err(MeasureError::NoFile {
            set: SET.name,
            looked_for: "fabric_patterns.jsonl, awesome_copilot.jsonl, claude_subagents.jsonl".to_owned(),
        });
    }
    Ok(rows)
}

/// A prompt that is looked for by its own description.
pub(crate) fn own_description(prompt: &Prompt) -> Option<Need> {
    let query = prompt.description.clone().filter(|description| !description.trim().is_empty())?;
    Some(Need { qid: prompt.id.clone(), query, relevant: vec![prompt.id.clone()] })
}

/// Vectors that were made already.
struct Known<'a> {
    embedder: &'a dyn Embedder,
    vectors: HashMap<String, Arc<[f32]>>,
}

impl Known<'_> {
    /// Makes the vectors of texts, all at once.
    fn learn(&mut self, mut texts: Vec<String>) {
        texts.retain(|text| !self.vectors.contains_key(text));
        texts.sort_unstable();
        texts.dedup();
        let given: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors: Vec<Arc<[f32]>> = self.embedder.embed(&given).into_iter().map(|it| it.vector).collect();
        self.vectors.extend(texts.into_iter().zip(vectors));
    }

    fn of(&self, text: &str) -> &[f32] {
        self.vectors.get(text).map(AsRef::as_ref).unwrap_or_default()
    }
}

struct Vault {
    retriever: Retriever,
    /// The id that the set gives each document.
    ids: Vec<String>,
}

impl Vault {
    fn new(prompts: &[Prompt], whole: bool, known: &mut Known<'_>) -> Result<Self, VectorError> {
        let records = prompts.iter().enumerate().map(|(at, prompt)| {
            let mut record = PromptRecord {
                prompt_id: format!("{at:09}"),
                prompt_text: prompt.text.clone(),
                ..PromptRecord::default()
            };
            if whole {
                record.title = prompt.title.clone().or_else(|| prompt.name.clone());
                record.description.clone_from(&prompt.description);
                record.tags.clone_from(&prompt.tags);
            }
            record
        });
        let records: Vec<PromptRecord> = records.collect();
        let own: Vec<_> = records.iter().map(texts).collect();
        known.learn(own.iter().flat_map(|texts| texts.iter().map(str::to_owned)).collect());
        let mut vectors = Vectors::new(known.embedder.dimensions())?;
        for texts in &own {
            let label = texts.label.as_deref().map(|label| known.of(label));
            vectors.push(label, texts.passages.iter().map(|passage| known.of(passage)))?;
        }
        let mut retriever = Retriever::new(records);
        retriever.set_vectors(vectors);
        let ids = prompts.iter().map(|prompt| prompt.id.clone()).collect();
        Ok(Self { retriever, ids })
    }

    /// The ids of the candidates, best first.
    fn ranked(&self, query: &str, vector: Option<&[f32]>, fusion: Fusion) -> Vec<&str> {
        let request = Request {
            text: query,
            vector,
            wanted: Wanted::default(),
            filters: &Filters::default(),
            feedback: &HashMap::new(),
            at: None,
            size: POOL_MAX,
            fusion,
        };
        let candidates = self.retriever.retrieve(&request).map(|pool| pool.candidates).unwrap_or_default();
        candidates.iter().map(|candidate| self.ids[candidate.document as usize].as_str()).collect()
    }

    fn judge(&self, need: &Need, queries: usize, tuned: bool, known: &mut Known<'_>) -> Option<Row> {
        let judged: BTreeMap<&str, u32> = need.relevant.iter().map(|id| (id.as_str(), 1)).collect();
        let vector = Some(known.of(&need.query));
        let ranked = self.ranked(&need.query, vector, Fusion::default());
        let own = Ranking::new(&ranked, &judged)?;
        let by_words = Ranking::new(&self.ranked(&need.query, None, Fusion::default()), &judged)?;
        let by_meaning =
            Ranking::new(&self.ranked(&need.query, vector, Fusion { dense: 1.0, ..Fusion::default() }), &judged)?;
        let three = |ranking: &Ranking| [ranking.hit_at(1), ranking.recall_at(5), ranking.reciprocal_rank()];
        let ([hit, recall, mrr], words, meaning) = (three(&own), three(&by_words), three(&by_meaning));
        // In the order of `metrics!`.
        let over = [mrr - words[2], mrr - meaning[2]];
        let values = [&[hit, recall, mrr, own.recall_at(30)][..], &over, &words, &meaning].concat();
        let counts = [queries, QUERIES.len()].into_iter().flat_map(|set| {
            let own = ALL.iter().skip(set * values.len()).zip(&values);
            own.map(|(metric, value)| Count { metric: metric.name, counts: [*value, 1.0, 0.0, 0.0] })
        });
        Some(Row {
            id: format!("{} {}", QUERIES[queries].file.unwrap_or(QUERIES[queries].vault), need.qid),
            prediction: ranked.iter().take(5).copied().collect::<Vec<_>>().join(" "),
            score: Some(mrr),
            label: need.relevant.join(" "),
            tuned,
            group: None,
            counts: counts.collect(),
        })
    }
}
