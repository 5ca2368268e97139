//! What a model made of the candidates for each task, recorded once, taken as `pick --rank model` takes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use steadfast::wait;
use steadfast_dialogue::Role;
use steadfast_engine::chat::{Asking, Call, ChatModel, ChatModels, Completion, Entropy, Finish};
use steadfast_engine::vault::{Filters, PickAssistance, PickRequest, Points, Trial, against, assigned, pick_assisted};
use steadfast_pick::operating_point::Mode;
use steadfast_wire::pick::{FinalOutput, PickMode};

use super::{Task, one_if, prompts, ratio, share, tasks};
use crate::files::json_lines;
use crate::row::is_tuned;
use crate::sets::{Reader, Set, Uses};
use crate::{Count, Files, Means, MeasureError, Row};

/// The file of the replies, a line each.
const REPLIES: &str = "ranked.jsonl";

pub(in crate::sets) const SET: Set = Set {
    name: "pick_rank",
    about: "the tasks of `pick_tasks` where a model chooses among the candidates (`ranked.jsonl`): which prompts, or none",
    metrics: &[
        ratio("hit_at_1", None, None),
        ratio("shown", None, None),
        ratio("clarify_asked", None, None),
        ratio("unserved_left", None, None),
        ratio("served_picked", None, None),
        ratio("sequence/prompts", None, None),
    ],
    read: Reader::of(Uses::Vault, read),
};

/// A reply.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ranked {
    qid: String,
    reply: Value,
}

/// Says what was recorded.
struct Recorded(String);

impl ChatModel for Recorded {
    fn name(&self) -> &'static str {
        "recorded"
    }

    fn context_tokens(&self) -> usize {
        32_000
    }

    fn ask<'a>(&'a self, _: &'a Call) -> Asking<'a> {
        let text = self.0.clone();
        Box::pin(async move {
            Ok(Completion { text, finish: Finish::Stop, prompt_tokens: None, reply_tokens: None, attempts: 1 })
        })
    }
}

/// A delimiter that nobody reads.
struct Still;

impl Entropy for Still {
    fn bytes(&self) -> [u8; 16] {
        [7; 16]
    }
}

fn read(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let bytes = files.named(REPLIES);
    let bytes = bytes.ok_or_else(|| MeasureError::NoFile { set: SET.name, looked_for: REPLIES.to_owned() })?;
    let replies = json_lines::<Ranked>(REPLIES, bytes)?;
    let replies: BTreeMap<String, String> = replies.into_iter().map(|own| (own.qid, own.reply.to_string())).collect();
    let mut vault = Trial::new(prompts(files, means.prompts)?, means.embedder)?;
    let points = against(&[Points::fitted()], means.embedder.is_some())?;
    let shipped = Files([("tasks.jsonl".to_owned(), means.tasks.as_bytes().to_vec())].into());
    let all = tasks(&shipped)?;
    let rows = all.iter().enumerate().map(|(at, task)| {
        let request =
            PickRequest { qid: None, task: task.query.clone(), at: None, explain: true, filters: Filters::default() };
        let point = assigned(&task.query, &points).ok_or(MeasureError::NoVault { set: SET.name })?;
        let picked = vault.picked(&request, point, &|texts| {
            let embedded = means.embedder.map_or_else(Vec::new, |embedder| embedder.embed(texts));
            embedded.into_iter().map(|own| Some(own.vector)).collect()
        })?;
        let model = replies.get(&task.qid).cloned().unwrap_or_default();
        let models = ChatModels::new(Arc::new(Still)).with(Role::PickRank, Arc::new(Recorded(model)));
        let assistance = PickAssistance { desk: Some(Arc::new(models)), intake: false, rank: true };
        let output = wait::wait(pick_assisted(picked, &assistance), None)?;
        Ok(judge(task, &output, is_tuned(at)))
    });
    rows.collect()
}

fn judge(task: &Task, output: &FinalOutput, tuned: bool) -> Row {
    let wanted = task.wanted_mode.mode();
    let relevant: Vec<&str> = task.relevant.values().flatten().map(String::as_str).collect();
    let chosen: Vec<(&str, &str)> =
        output.selected_prompts.iter().map(|own| (own.stage.name(), own.prompt_id.as_str())).collect();
    let has_chosen = output.mode != PickMode::Clarify && !chosen.is_empty();
    let mut counts = Vec::new();
    if wanted == Mode::Single && !relevant.is_empty() {
        let first = chosen.first().filter(|_| has_chosen);
        counts.push(share("hit_at_1", first.is_some_and(|(_, id)| relevant.contains(id))));
        let shown = output.candidates.iter().flatten().take(steadfast_pick::exchange::RANKED_MAX);
        counts.push(share("shown", shown.into_iter().any(|own| relevant.contains(&own.prompt_id.as_str()))));
    }
    match (wanted, task.fit) {
        (Mode::Clarify, _) => counts.push(share("clarify_asked", !has_chosen)),
        (_, false) => counts.push(share("unserved_left", !has_chosen)),
        (_, true) => counts.push(share("served_picked", has_chosen)),
    }
    if wanted == Mode::Chain && task.fit {
        let servable: Vec<_> = task.relevant.iter().filter(|(_, ids)| !ids.is_empty()).collect();
        let got = |stage: &str, ids: &[String]| {
            has_chosen && chosen.iter().any(|(own, id)| *own == stage && ids.iter().any(|it| it == id))
        };
        let hits: f64 = servable.iter().map(|(stage, ids)| one_if(got(stage, ids))).sum();
        #[expect(clippy::cast_precision_loss, reason = "a count of stages")]
        counts.push(Count { metric: "sequence/prompts", counts: [hits, servable.len() as f64, 0.0, 0.0] });
    }
    let ids: Vec<&str> = chosen.iter().map(|(_, id)| *id).collect();
    Row {
        id: task.qid.clone(),
        prediction: format!("{}: {}", output.mode.name(), ids.join(" ")),
        score: None,
        label: format!("{}: {}", wanted.name(), relevant.join(" ")),
        tuned,
        group: None,
        counts,
    }
}
