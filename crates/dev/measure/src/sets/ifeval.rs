//! Prompts with demands on the form of an answer that a program can check, and answers.
//!
//! `extraction_f1` holds the forms that are read in a prompt against the set's instructions, arguments included (micro; terms in any order
//! and case); `extraction_f1/kind` leaves arguments out. `agreement/instruction` is the share of instructions on which our verdict, from the
//! given arguments, equals the official checker's. The set has no verdicts: lines of the official checker's output (`prompt`,
//! `response`, `follow_instruction_list`) are read where they are there, and `scripts/ifeval_verdicts.py` makes them. `followed/instruction` is
//! the share of instructions that the answers follow by our verdict, beside the published one of the same answers (over all 541
//! prompts).

mod official;

use std::collections::BTreeMap;
use std::mem::discriminant;

use serde::Deserialize;
use serde_json::Value;
use steadfast_ask::{Form, forms};

use super::drift::{ratio, share};
use super::{Reader, Set, Uses};
use crate::files::placed_json_lines;
use crate::row::{is_group_tuned, words_of};
use crate::{Count, Files, Means, MeasureError, Row};

pub(super) const SET: Set = Set {
    name: "ifeval",
    about: "demands on the form of an answer, and whether answers meet them",
    metrics: &[
        ratio("extraction_f1", None, None),
        ratio("extraction_f1/kind", None, None),
        ratio("agreement/instruction", None, None),
        ratio("followed/instruction", None, Some(0.8357)),
    ],
    read: Reader::of(Uses::Rules, read),
};

#[derive(Deserialize)]
struct Line {
    prompt: String,
    #[serde(default)]
    instruction_id_list: Vec<String>,
    #[serde(default)]
    kwargs: Option<Vec<Value>>,
    #[serde(default)]
    response: Option<String>,
    #[serde(default)]
    follow_instruction_list: Option<Vec<bool>>,
}

/// A prompt with its instructions.
struct Ask {
    place: String,
    ids: Vec<String>,
    wanted: Vec<Option<Form>>,
}

fn read(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let mut asks: BTreeMap<String, Ask> = BTreeMap::new();
    let mut answers: BTreeMap<(String, String), Option<Vec<bool>>> = BTreeMap::new();
    for (name, bytes) in files.ending(".jsonl") {
        for (place, line) in placed_json_lines::<Line>(name, bytes)? {
            if let Some(arguments) = line.kwargs {
                let wrong = |what: String| MeasureError::Form { file: place.clone(), what };
                if arguments.len() != line.instruction_id_list.len() {
                    let what =
                        format!("{} instructions and {} kwargs", line.instruction_id_list.len(), arguments.len());
                    return Err(wrong(what));
                }
                let wanted = line.instruction_id_list.iter().zip(&arguments).map(|(id, own)| official::form(id, own));
                let wanted: Vec<Option<Form>> = wanted.collect();
                asks.insert(line.prompt.clone(), Ask { place, ids: line.instruction_id_list, wanted });
            }
            if let Some(response) = line.response {
                let own = answers.entry((line.prompt, response)).or_default();
                *own = line.follow_instruction_list.or(own.take());
            }
        }
    }
    if asks.is_empty() {
        return Err(MeasureError::NoFile { set: SET.name, looked_for: "*.jsonl with prompts and kwargs".to_owned() });
    }
    let groups: BTreeMap<&String, usize> = asks.keys().enumerate().map(|(at, prompt)| (prompt, at)).collect();
    let mut rows: Vec<Row> = asks.iter().map(|(prompt, ask)| extracted(prompt, ask, groups[prompt])).collect();
    for ((prompt, response), verdicts) in &answers {
        let Some(ask) = asks.get(prompt) else { continue };
        if let Some(verdicts) = verdicts.as_ref().filter(|own| own.len() != ask.ids.len()) {
            let what = format!("{} instructions and {} verdicts on them", ask.ids.len(), verdicts.len());
            return Err(MeasureError::Form { file: ask.place.clone(), what });
        }
        rows.extend(judged(prompt, ask, response, verdicts.as_deref(), groups[prompt]));
    }
    Ok(rows)
}

/// What is read in a prompt, against its instructions.
fn extracted(prompt: &str, ask: &Ask, group: usize) -> Row {
    let found: Vec<Form> = forms(prompt).into_iter().map(|it| official::normal(it.form)).collect();
    let wanted: Vec<Form> = ask.wanted.iter().flatten().cloned().map(official::normal).collect();
    // An instruction that stands there twice is wanted once more than it can be found.
    let hits = |same: &dyn Fn(&Form, &Form) -> bool| {
        let mut left: Vec<&Form> = wanted.iter().collect();
        let mut hits = 0.0;
        for own in &found {
            if let Some(at) = left.iter().position(|it| same(own, it)) {
                left.swap_remove(at);
                hits += 1.0;
            }
        }
        hits
    };
    let both = (found.len() + ask.ids.len()) as f64;
    let count = |metric, hits: f64| Count { metric, counts: [2.0 * hits, both, 0.0, 0.0] };
    let told = |forms: &[Form]| forms.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>().join("; ");
    Row {
        id: ask.place.clone(),
        prediction: told(&found),
        score: None,
        label: told(&wanted),
        tuned: is_group_tuned(&words_of(prompt)),
        group: Some(group),
        counts: vec![
            count("extraction_f1", hits(&|one, other| one == other)),
            count("extraction_f1/kind", hits(&|one, other| discriminant(one) == discriminant(other))),
        ],
    }
}

/// A verdict for each instruction on an answer.
fn judged<'a>(
    prompt: &'a str,
    ask: &'a Ask,
    response: &'a str,
    verdicts: Option<&'a [bool]>,
    group: usize,
) -> impl Iterator<Item = Row> + 'a {
    let tuned = is_group_tuned(&words_of(prompt));
    ask.ids.iter().zip(&ask.wanted).enumerate().map(move |(at, (id, form))| {
        // An empty answer follows nothing.
        let follows = !response.trim().is_empty() && form.as_ref().is_some_and(|form| form.holds(response));
        let told = |follows: bool| if follows { "followed" } else { "not followed" }.to_owned();
        let official = verdicts.and_then(|own| own.get(at)).copied();
        let mut counts = vec![share("followed/instruction", follows)];
        counts.extend(official.map(|official| share("agreement/instruction", official == follows)));
        Row {
            id: format!("{} {id} {}", ask.place, at + 1),
            prediction: told(follows),
            score: None,
            label: official.map(told).unwrap_or_default(),
            tuned,
            group: Some(group),
            counts,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::{Files, Means};

    const ASK: &str = r#"{"key": 1, "prompt": "Write 2 or more words, no commas.", "instruction_id_list": ["punctuation:no_comma", "length_constraints:number_words"], "kwargs": [{}, {"relation": "at least", "num_words": 2}]}"#;

    fn rows(lines: &[&str]) -> Result<Vec<crate::Row>, String> {
        let files = Files([("a.jsonl".to_owned(), lines.join("\n").into_bytes())].into());
        read(&files, &Means::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_prompt_and_an_answer_with_verdicts() {
        let verdict = r#"{"prompt": "Write 2 or more words, no commas.", "response": "one, two", "follow_instruction_list": [false, false]}"#;
        let rows = rows(&[ASK, verdict]).unwrap();
        assert_eq!(rows[0].counts[0].counts, [4.0, 4.0, 0.0, 0.0], "{rows:?}");
        // A comma is there, and two words are.
        assert_eq!([rows[1].prediction.as_str(), rows[2].prediction.as_str()], ["not followed", "followed"]);
        assert_eq!(rows[1].counts[1].counts[..2], [1.0, 1.0]);
        assert_eq!(rows[2].counts[1].counts[..2], [0.0, 1.0]);
    }

    #[test]
    fn without_verdicts_nothing_agrees() {
        let response = r#"{"prompt": "Write 2 or more words, no commas.", "response": ""}"#;
        let rows = rows(&[ASK, response]).unwrap();
        assert_eq!((rows[1].counts.len(), rows[1].prediction.as_str()), (1, "not followed"));
    }

    #[test]
    fn what_does_not_fit_together_is_told() {
        let short = ASK.replace("[{}, ", "[");
        assert_eq!(rows(&[&short]).unwrap_err(), "a.jsonl:1: 2 instructions and 1 kwargs");
        let verdict =
            r#"{"prompt": "Write 2 or more words, no commas.", "response": "x", "follow_instruction_list": [false]}"#;
        assert_eq!(rows(&[ASK, verdict]).unwrap_err(), "a.jsonl:1: 2 instructions and 1 verdicts on them");
        assert!(rows(&[verdict]).unwrap_err().starts_with("ifeval: none of its files is there"));
    }
}
