//! Tasks with a vault of their own and the fit of thresholds, on rows written by hand.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use steadfast_embed::Lexical;
use steadfast_engine::File;
use steadfast_measure::calibrate::{ABSTAIN_MAX, FOLDS, Settings, calibrate};
use steadfast_measure::{Files, Means, measure, sets};
use steadfast_wire::measure::Measurement;

const VAULT: &str = concat!(
    r#"{"prompt_id": "minutes", "stage": "execute", "title": "Minutes", "description": "Write minutes of a meeting", "prompt_text": "From the notes of a meeting write minutes: decisions, owners, dates."}"#,
    "\n",
    r#"{"prompt_id": "agenda", "stage": "plan", "title": "Agenda", "description": "Plan the agenda of a meeting", "prompt_text": "Plan an agenda for the meeting, with a time for each point."}"#,
    "\n",
    r#"{"prompt_id": "poem", "stage": "execute", "title": "Poem", "description": "Write a poem", "prompt_text": "Write a poem about the sea."}"#,
    "\n",
);

const TASKS: &str = concat!(
    r#"{"qid": "1", "query": "Write minutes of the meeting of Monday", "wanted_mode": "single", "wanted_stages": ["execute"], "relevant": {"execute": ["minutes"]}}"#,
    "\n",
    r#"{"qid": "2", "query": "fix it", "wanted_mode": "clarify"}"#,
    "\n",
    r#"{"qid": "3", "query": "Write a poem about the sea", "wanted_mode": "single", "relevant": {"execute": ["agenda"]}, "kind": "mislabelled"}"#,
    "\n",
);

fn files(named: &[(&str, &str)]) -> Files {
    Files(named.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect())
}

fn value(measurement: &Measurement, metric: &str) -> (Option<f64>, usize) {
    let figure = measurement.rows.iter().find(|figure| figure.metric == metric).unwrap();
    (figure.value, figure.n)
}

#[test]
fn tasks_are_judged_against_the_vault_of_their_folder() {
    let set = sets::named("pick_tasks").unwrap();
    let own = files(&[("tasks.jsonl", TASKS), ("vault.jsonl", VAULT)]);
    for embedder in [None, Some(&Lexical as _)] {
        let means = Means { embedder, ..Means::default() };
        let (found, rows) = measure(set, &own, &means).unwrap();
        assert_eq!((rows.len(), found.embedder.is_some()), (3, embedder.is_some()));
        assert_eq!(value(&found, "hit_at_1/bm25"), (Some(0.5), 2));
        assert_eq!(value(&found, "hit_at_1/pick"), (Some(0.5), 2));
        assert_eq!(value(&found, "mode_accuracy"), (Some(1.0), 3), "{rows:?}");
        // One of five places holds something relevant.
        assert!(value(&found, "precision_at_5").0.unwrap() <= 0.2);
        assert_eq!(value(&found, "abstain_precision"), (Some(1.0), 3));
        assert_eq!(value(&found, "abstain_recall"), (Some(1.0), 1));
        assert_eq!(value(&found, "sequence").1, 0);
    }
}

#[test]
fn without_a_vault_of_its_own_the_one_that_was_handed_in_is_picked_from() {
    let set = sets::named("pick_tasks").unwrap();
    let own = files(&[("tasks.jsonl", TASKS)]);
    let prompts = [File { name: "vault.jsonl".to_owned(), bytes: VAULT.as_bytes().to_vec() }];
    let (found, _) = measure(set, &own, &Means { prompts: &prompts, ..Means::default() }).unwrap();
    assert_eq!(value(&found, "hit_at_1/pick"), (Some(0.5), 2));
    let none = measure(set, &own, &Means::default()).unwrap_err().to_string();
    assert_eq!(none, "pick_tasks: there is no vault to pick from");
    let wrong = files(&[("tasks.jsonl", "{\"qid\": \"1\", \"query\": \"x\", \"wanted_mode\": \"both\"}")]);
    let error = measure(set, &wrong, &Means { prompts: &prompts, ..Means::default() }).unwrap_err().to_string();
    assert!(error.starts_with("tasks.jsonl:1: unknown variant `both`"), "{error}");
}

/// Vaults and requests in the form of the folders that are fitted on.
fn data() -> BTreeMap<String, Files> {
    const THINGS: [&str; 12] = [
        "meeting", "garden", "budget", "poem", "novel", "invoice", "recipe", "contract", "lecture", "survey",
        "website", "podcast",
    ];
    let prompt = |thing: &&str| {
        format!(
            "{{\"id\": \"f-{thing}\", \"name\": \"{thing}\", \"description\": \"Write the {thing} summary for readers\", \
             \"text\": \"You write about a {thing}. Say what matters of the {thing}.\"}}\n"
        )
    };
    let need = |thing: &&str| {
        format!("{{\"qid\": \"q-{thing}\", \"query\": \"Summarize my {thing}\", \"relevant\": [\"f-{thing}\"]}}\n")
    };
    let vault: String = THINGS.iter().map(prompt).collect();
    let queries: String = THINGS.iter().map(need).collect();
    let requests = concat!(
        "{\"task\": \"Fix it\", \"vague\": true}\n",
        "{\"task\": \"Tell me the height of the Eiffel Tower in metres\", \"vague\": false}\n",
    );
    let steps = concat!(
        "{\"id\": \"1\", \"domain\": \"d\", \"type\": \"single\", \"request\": \"Download the image\"}\n",
        "{\"id\": \"2\", \"domain\": \"d\", \"type\": \"chain\", \"request\": \"Plan the film, then write it, then check it\"}\n",
    );
    let tools = "{\"nodes\": [{\"id\": \"Downloader\", \"desc\": \"Downloads an image\", \"input-type\": [\"url\"], \"output-type\": [\"image\"]}]}";
    [
        (
            "prompt_vaults".to_owned(),
            files(&[("fabric_patterns.jsonl", vault.as_str()), ("fabric_queries.jsonl", queries.as_str())]),
        ),
        ("in3".to_owned(), files(&[("train.jsonl", requests)])),
        ("taskbench".to_owned(), files(&[("requests.jsonl", steps), ("tool_desc_d.json", tools)])),
    ]
    .into()
}

const SETTINGS: Settings<'static> =
    Settings { name: "test", abstain_max: ABSTAIN_MAX, prompts: &[], program_version: "0" };

#[test]
fn thresholds_are_fitted_for_vectors_and_for_words_and_the_same_again() {
    let found = calibrate(&data(), Some(&Lexical), &SETTINGS).unwrap();
    let kinds: Vec<Option<bool>> = found.points.iter().map(|point| point.vectors).collect();
    assert_eq!((found.name.as_str(), kinds), ("test", vec![Some(true), Some(false)]));
    for point in &found.points {
        let fit = point.fit.as_ref().unwrap();
        assert_eq!(fit.folds, FOLDS);
        let names: Vec<&str> = fit.fitted.sets.iter().map(|set| set.set.as_str()).collect();
        assert_eq!(
            names,
            [
                "fabric/noise",
                "fabric",
                "fabric/absent",
                "fabric_queries",
                "fabric_queries/absent",
                "in3/vague",
                "in3/clear",
                "taskbench/one",
                "taskbench/several"
            ]
        );
        for set in fit.fitted.sets.iter().filter(|set| set.wants == "single") {
            assert!(set.modes[2].share <= ABSTAIN_MAX + 1e-9, "{set:?}");
            assert!((set.modes.iter().map(|mode| mode.share).sum::<f64>() - 1.0).abs() < 1e-9);
        }
        assert!(point.curve.windows(2).all(|pair| pair[0].confidence <= pair[1].confidence));
    }
    assert_eq!(found, calibrate(&data(), Some(&Lexical), &SETTINGS).unwrap());
    // Words alone are fitted the same whether there is an embedder or not, as long as the same is taken out of the vaults.
    let words = calibrate(&data(), None, &SETTINGS).unwrap();
    assert_eq!(words.points.len(), 1);
}

#[test]
fn what_cannot_be_fitted_on_is_told() {
    let error = calibrate(&BTreeMap::new(), None, &SETTINGS).unwrap_err().to_string();
    assert!(error.starts_with("no labelled tasks are there (looked for prompt_vaults, in3, taskbench)"), "{error}");
    let broken = [("in3".to_owned(), files(&[("train.jsonl", "{\"task\": 5}")]))].into();
    let error = calibrate(&broken, None, &SETTINGS).unwrap_err().to_string();
    assert!(error.starts_with("train.jsonl:1: "), "{error}");
}
