//! Dialogues of a user with an assistant, with the user's active intents at each turn: where does the user change the goal?
//!
//! A row is a turn of the user after the first; it is a change where an intent is active that was not at the user's turn before. Intent
//! replay takes the first turn as the initial intent and every turn of the user as an instruction; `change_f1` is the F1 of its
//! `major_shift`, `auc` that of the divergence of the turn from the goal in force before it. `assistant_shifts` counts turns whose goal is another where the
//! assistant's turns are followed as the outputs. `…/every_turn`, `…/seven_words` and `…/longer` are trivial: every turn, turns of seven words or
//! more, the number of words.

use std::collections::BTreeSet;

use serde::Deserialize;
use steadfast_embed::Embedder;
use steadfast_watch::{Settings, Step, Thresholds, Tracker, UpdateType, compute_ids, intent_replay};

use super::drift::{auc, metric, named, one_if, prepare, ratio, scored};
use super::{Reader, Set, Uses};
use crate::files::examples;
use crate::row::is_tuned;
use crate::{Count, Files, Means, MeasureError, Row, Statistic};

pub(super) const SET: Set = Set {
    name: "sgd_intents",
    about: "the turns at which a user changes the goal",
    metrics: &[
        ratio("change_f1", None, None),
        ratio("change_f1/every_turn", None, None),
        ratio("change_f1/seven_words", None, None),
        auc("auc", Some(0.54)),
        auc("auc/longer", None),
        metric("assistant_shifts", Statistic::Sum, None, None),
    ],
    read: Reader::of(Uses::Embedder, read),
};

#[derive(Deserialize)]
struct Dialogue {
    id: String,
    turns: Vec<Turn>,
}

#[derive(Deserialize)]
struct Turn {
    s: Speaker,
    u: String,
    #[serde(default)]
    intents: BTreeSet<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
enum Speaker {
    #[serde(rename = "U")]
    User,
    #[serde(rename = "S")]
    Assistant,
}

fn read(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let embedder = means.needed(SET.name)?;
    let thresholds = Thresholds::of(embedder.name())
        .ok_or_else(|| MeasureError::NoThresholds { set: SET.name, embedder: embedder.name() })?;
    let mut rows = Vec::new();
    for (group, (index, _, dialogue)) in examples::<Dialogue>(files, SET.name, ".jsonl")?.into_iter().enumerate() {
        judge(&dialogue, thresholds, embedder, &mut |id, prediction, score, label, counts| {
            rows.push(Row { id, prediction, score, label, tuned: is_tuned(index), group: Some(group), counts });
        });
    }
    Ok(rows)
}

type Tell<'a> = &'a mut dyn FnMut(String, String, Option<f64>, String, Vec<Count>);

fn judge(dialogue: &Dialogue, thresholds: Thresholds, embedder: &dyn Embedder, tell: Tell<'_>) {
    let of = |speaker| dialogue.turns.iter().filter(move |turn| turn.s == speaker).map(|turn| turn.u.as_str());
    prepare(embedder, of(Speaker::User), of(Speaker::Assistant));
    let users: Vec<&Turn> = dialogue.turns.iter().filter(|turn| turn.s == Speaker::User).collect();
    let Some(first) = users.first() else { return };
    let instructions: Vec<&str> = users.iter().map(|turn| turn.u.as_str()).collect();
    let replayed = intent_replay(&first.u, &instructions, thresholds, embedder);
    let followed = followed(dialogue, &first.u, thresholds, embedder);
    for (at, pair) in users.windows(2).enumerate() {
        let (before, turn, own) = (&replayed[at], pair[1], &replayed[at + 1]);
        let changed = !turn.intents.is_subset(&pair[0].intents);
        let shift = own.update_type == UpdateType::MajorShift;
        let divergence = compute_ids(&turn.u, &before.goal, embedder);
        let words = turn.u.split_whitespace().count();
        let f1 = |metric, told| {
            let counts = [2.0 * one_if(told && changed), one_if(told) + one_if(changed), 0.0, 0.0];
            Count { metric, counts }
        };
        let shifted = followed.get(at + 1) != Some(&own.goal);
        let counts = vec![
            f1("change_f1", shift),
            f1("change_f1/every_turn", true),
            f1("change_f1/seven_words", words >= 7),
            scored("auc", divergence, changed),
            scored("auc/longer", words as f64, changed),
            Count { metric: "assistant_shifts", counts: [one_if(shifted), 0.0, 0.0, 0.0] },
        ];
        let label = if changed { "changed" } else { "same" }.to_owned();
        let prediction = named(own.update_type);
        tell(format!("{}:{}", dialogue.id, at + 1), prediction.to_owned(), Some(divergence), label, counts);
    }
}

/// The goal at each turn of the user where the assistant's answers are followed as the outputs.
fn followed(dialogue: &Dialogue, first: &str, thresholds: Thresholds, embedder: &dyn Embedder) -> Vec<String> {
    let settings = Settings { thresholds: Some(thresholds), ..Settings::default() };
    let mut tracker = Tracker::new(Some(first), settings, embedder);
    let mut goals = Vec::new();
    for (number, turn) in (0..).zip(&dialogue.turns).filter(|(_, turn)| turn.s == Speaker::User) {
        let answer = dialogue.turns.get(number as usize + 1).filter(|next| next.s == Speaker::Assistant);
        let step = Step {
            number,
            instruction: Some(turn.u.clone()),
            output: answer.map(|answer| answer.u.clone()),
            ..Step::default()
        };
        goals.push(tracker.push(&step, embedder).goal);
    }
    goals
}
