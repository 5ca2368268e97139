//! Tasks in people's words, with the mode, the stages and the prompts that somebody wants for each: the whole of `pick` against a vault.
//!
//! The vault is `vault.jsonl` of the folder, else the one that ships with the program. Gains are binary: every prompt that is relevant to any stage of a task
//! has the gain 1. `precision_at_5`, `ndcg_at_10` and `mrr` judge the candidates in the order in which `pick` tells them, over the tasks that want prompts
//! of which the vault has any; a cut at 5 or 10 counts places that hold nothing, and equal scores stand in the order of ids. `hit_at_1/…` is over those of
//! them that want one prompt: `bm25` and `search` are what a search lists first, by words alone and by all that there is; `pick` is the prompt that is
//! picked, and nothing where something is asked. `mode_accuracy` is over all tasks. `sequence/stages`: of the tasks that want a chain, those whose stages
//! are exactly the wanted ones, in order; `sequence/prompts`: of the stages that the vault can serve, those that get a prompt that is right for
//! them; `sequence` both at once, over the tasks that the vault can serve. `abstain_precision` is the share of questions that are wanted,
//! `abstain_recall` the share of wanted questions that are asked; under `…/or_unserved` a question is also right where the vault has nothing for the task.

mod ranked;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use steadfast_embed::Embedder;
use steadfast_engine::File;
use steadfast_engine::vault::{Points, ReadPrompts, Selection, Trial, read as read_prompts};
use steadfast_pick::operating_point::Mode;

use super::drift::{one_if, ratio, share};
use super::{Reader, Set, Uses};
use crate::files::json_lines;
use crate::metrics::Ranking;
use crate::row::is_tuned;
use crate::{Count, Files, Means, MeasureError, Row};

/// The file of the vault, where the folder has one.
const VAULT: &str = "vault.jsonl";

pub(super) use ranked::SET as RANKED;

pub(super) const SET: Set = Set {
    name: "pick_tasks",
    about: "tasks in everyday words: which prompts, in which order, or a question",
    metrics: &[
        ratio("precision_at_5", None, None),
        ratio("ndcg_at_10", None, None),
        ratio("mrr", None, None),
        ratio("hit_at_1/bm25", None, None),
        ratio("hit_at_1/search", None, None),
        ratio("hit_at_1/pick", None, None),
        ratio("mode_accuracy", None, None),
        ratio("mode_accuracy/seed", None, None),
        ratio("sequence/stages", None, None),
        ratio("sequence/prompts", None, None),
        ratio("sequence", None, None),
        ratio("abstain_precision", None, None),
        ratio("abstain_recall", None, None),
        ratio("abstain_precision/or_unserved", None, None),
    ],
    read: Reader::of(Uses::Vault, read),
};

/// A task, as `examples/pick/tasks.jsonl` has it. What is for people alone is not read.
#[derive(Deserialize)]
struct Task {
    qid: String,
    query: String,
    wanted_mode: Wanted,
    #[serde(default)]
    wanted_stages: Vec<String>,
    #[serde(default)]
    relevant: BTreeMap<String, Vec<String>>,
    #[serde(default = "yes")]
    fit: bool,
}

const fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Wanted {
    Single,
    Chain,
    Clarify,
}

impl Wanted {
    const fn mode(self) -> Mode {
        match self {
            Self::Single => Mode::Single,
            Self::Chain => Mode::Chain,
            Self::Clarify => Mode::Clarify,
        }
    }
}

fn read(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let tasks = tasks(files)?;
    if tasks.is_empty() {
        return Err(MeasureError::NoFile { set: SET.name, looked_for: "*.jsonl".to_owned() });
    }
    let mut vault = vault(files, means)?;
    let queries: Vec<&str> = tasks.iter().map(|task| task.query.as_str()).collect();
    let vectors = means.embedder.map(|embedder| embedder.embed(&queries));
    let rows = tasks.iter().enumerate().map(|(at, task)| {
        let vector = vectors.as_ref().and_then(|all| all.get(at)).map(|own| &*own.vector);
        judge(task, &mut vault, means.embedder, vector, is_tuned(at))
    });
    rows.collect()
}

fn vault(files: &Files, means: &Means<'_>) -> Result<Trial, MeasureError> {
    Ok(Trial::new(prompts(files, means.prompts)?, means.embedder)?)
}

/// The vault that the tasks of a folder are asked of: its own, else the one that ships.
///
/// # Errors
/// [`MeasureError`] where there is none, or it is not of the form.
pub(crate) fn prompts(files: &Files, shipped: &[File]) -> Result<ReadPrompts, MeasureError> {
    let own = files.named(VAULT).map(|bytes| vec![File { name: VAULT.to_owned(), bytes: bytes.to_vec() }]);
    let given = read_prompts(own.as_deref().unwrap_or(shipped), &Selection::default());
    if let Some((file, what)) = given.refused.first() {
        return Err(MeasureError::Form { file: file.clone(), what: what.clone() });
    }
    if given.prompts.is_empty() { Err(MeasureError::NoVault { set: SET.name }) } else { Ok(given) }
}

/// The tasks of a folder that rules are tuned on, that want prompts and that the vault can serve: id and query.
///
/// # Errors
/// [`MeasureError::Form`] where a file is not of its form.
pub(crate) fn served(files: &Files) -> Result<Vec<(String, String)>, MeasureError> {
    let tuned = tasks(files)?.into_iter().enumerate().filter(|(at, _)| is_tuned(*at));
    let served = tuned.filter(|(_, task)| task.fit && task.wanted_mode.mode() != Mode::Clarify);
    Ok(served.map(|(_, task)| (task.qid, task.query)).collect())
}

fn tasks(files: &Files) -> Result<Vec<Task>, MeasureError> {
    let mut tasks = Vec::new();
    for (name, bytes) in files.ending(".jsonl").filter(|(name, _)| *name != VAULT) {
        tasks.extend(json_lines::<Task>(name, bytes)?);
    }
    Ok(tasks)
}

fn judge(
    task: &Task,
    vault: &mut Trial,
    embedder: Option<&dyn Embedder>,
    vector: Option<&[f32]>,
    tuned: bool,
) -> Result<Row, MeasureError> {
    let vectors_of = |texts: &[&str]| {
        let embedded = embedder.map_or_else(Vec::new, |embedder| embedder.embed(texts));
        embedded.into_iter().map(|own| Some(own.vector)).collect()
    };
    let (_, weighed) = vault.weigh(&task.query, &vectors_of, &BTreeSet::new())?;
    let by_words: Option<String> = vault.ranked(&task.query, None)?.first().map(|id| (*id).to_owned());
    let searched: Option<String> = vault.ranked(&task.query, vector)?.first().map(|id| (*id).to_owned());
    let id = |candidate: usize| weighed.candidates.get(candidate).map_or("", |own| vault.id(own.record));
    let mode_at = |points: &Points| points.of(vector.is_some()).map_or(Mode::Clarify, |point| weighed.mode(point));
    let (mode, wanted) = (mode_at(&Points::fitted()), task.wanted_mode.mode());
    let chosen: Vec<&str> = weighed.chosen(mode).into_iter().map(id).collect();
    let stages: Vec<&str> = match (&weighed.chain, mode) {
        (Some(chain), Mode::Chain) => chain.links.iter().map(|link| link.stage.name()).collect(),
        _ => Vec::new(),
    };

    let mut counts =
        vec![share("mode_accuracy", mode == wanted), share("mode_accuracy/seed", mode_at(&Points::seed()) == wanted)];
    let asked = one_if(mode == Mode::Clarify);
    let right = one_if(mode == Mode::Clarify && wanted == Mode::Clarify);
    let unserved = one_if(mode == Mode::Clarify && (wanted == Mode::Clarify || !task.fit));
    counts.push(Count { metric: "abstain_precision", counts: [right, asked, 0.0, 0.0] });
    counts.push(Count { metric: "abstain_precision/or_unserved", counts: [unserved, asked, 0.0, 0.0] });
    if wanted == Mode::Clarify {
        counts.push(share("abstain_recall", mode == Mode::Clarify));
    }
    let judged: BTreeMap<&str, u32> = task.relevant.values().flatten().map(|id| (id.as_str(), 1)).collect();
    let ranked: Vec<&str> = (0..weighed.candidates.len()).map(id).collect();
    let served = Ranking::new(&ranked, &judged).filter(|_| wanted != Mode::Clarify);
    if let Some(ranking) = &served {
        let values = [
            ("precision_at_5", ranking.precision_at(5)),
            ("ndcg_at_10", ranking.ndcg_at(10)),
            ("mrr", ranking.reciprocal_rank()),
        ];
        counts.extend(values.map(|(metric, value)| Count { metric, counts: [value, 1.0, 0.0, 0.0] }));
        if wanted == Mode::Single {
            let is_right = |id: Option<&str>| id.is_some_and(|id| judged.contains_key(id));
            counts.push(share("hit_at_1/bm25", is_right(by_words.as_deref())));
            counts.push(share("hit_at_1/search", is_right(searched.as_deref())));
            counts.push(share("hit_at_1/pick", mode == Mode::Single && is_right(chosen.first().copied())));
        }
    }
    if wanted == Mode::Chain {
        let in_order = stages == task.wanted_stages;
        counts.push(share("sequence/stages", in_order));
        let servable = task.relevant.iter().filter(|(_, ids)| !ids.is_empty());
        let got = |stage: &str, ids: &[String]| {
            stages.iter().zip(&chosen).any(|(own, id)| *own == stage && ids.iter().any(|it| it == id))
        };
        let (mut hits, mut all) = (0.0, 0.0);
        for (stage, ids) in servable {
            all += 1.0;
            hits += one_if(got(stage, ids));
        }
        if task.fit && all > 0.0 {
            counts.push(Count { metric: "sequence/prompts", counts: [hits, all, 0.0, 0.0] });
            counts.push(share("sequence", in_order && hits == all));
        }
    }
    let labelled: Vec<&str> = task.relevant.values().flatten().map(String::as_str).collect();
    Ok(Row {
        id: task.qid.clone(),
        prediction: format!("{}: {}", mode.name(), chosen.join(" ")),
        score: weighed.score(mode),
        label: format!("{}: {}", wanted.name(), labelled.join(" ")),
        tuned,
        group: None,
        counts,
    })
}
