//! `steadfast-measure mutate` and `steadfast-measure stability`, on the pairs that ship and on pairs written for these tests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use crate::common::Place;
use serde_json::{Value, json};

const ASK: &str = "Plan a reading club for sailors. The club is for sailors on long voyages. It is not a club for landlubbers. \
    Books may weigh at most 30 kilograms in all. We have 12 lanterns. The purser will possibly lend a cupboard. Do not lend atlases.\n";
const REPORT: &str = "# A reading club\n\nThe club is for sailors on long voyages. All books together weigh at most 30 kilograms.\n\n\
    There are 12 lanterns. Atlases are not lent.\n\nThe purser will possibly lend a cupboard.\n";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[track_caller]
fn figure<'a>(report: &'a Value, metric: &str) -> &'a Value {
    report["rows"].as_array().unwrap().iter().find(|row| row["metric"] == metric).unwrap()
}

#[test]
fn the_shipped_pairs_are_made_to_drift_and_judged() {
    let place = Place::empty();
    let end = place.measure("mutate --per-operator 1 --json --rows rows.jsonl --write cases.jsonl").status(0);
    let report: Value = serde_json::from_str(&end.stdout).unwrap();
    assert_eq!((&report["judge"], &report["pairs"], &report["seed"]), (&"rules".into(), &12.into(), &1.into()));
    let cases = lines(&place.read("cases.jsonl"));
    assert_eq!(report["cases"].as_u64().unwrap() as usize + 12, cases.len());
    // Every type is there, and every figure follows from the rows.
    let rows = lines(&place.read("rows.jsonl"));
    for metric in ["recall", "false_incidents_per_1000_words", "recall/A", "recall/B", "recall/E", "recall/J"] {
        let counts =
            rows.iter().flat_map(|row| row["counts"].as_array().unwrap()).filter(|count| count["metric"] == metric);
        let (over, under) = counts.fold((0.0, 0.0), |(over, under), count| {
            (over + count["counts"][0].as_f64().unwrap(), under + count["counts"][1].as_f64().unwrap())
        });
        assert!(under > 0.0, "{metric}");
        let own: f64 = format!("{:.6}", over / under).parse().unwrap();
        assert!((figure(&report, metric)["value"].as_f64().unwrap() - own).abs() < 1e-6, "{metric}");
    }
    // What is missed and what is found are all cases.
    let operators = report["operators"].as_array().unwrap();
    let sum = |name: &str| operators.iter().map(|it| it[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("found") as usize + report["missed"].as_array().unwrap().len(), sum("cases") as usize);
    assert_eq!(sum("cases"), report["cases"].as_u64().unwrap());
    // Changes stand where they say.
    for case in &cases {
        let drifted = case["report"].as_str().unwrap();
        for change in case["changes"].as_array().unwrap() {
            let (start, end) = (change["start"].as_u64().unwrap() as usize, change["end"].as_u64().unwrap() as usize);
            assert_eq!(&drifted[start..end], change["is"].as_str().unwrap());
        }
        assert_eq!(case["drift_type"].is_null(), case["changes"].as_array().unwrap().is_empty());
    }
    let again = place.measure("mutate --per-operator 1 --json").status(0);
    assert_eq!(end.stdout, again.stdout, "the same bytes each time");
}

#[test]
fn a_pair_of_ones_own_is_changed_by_words_of_the_shipped_ones() {
    let place = Place::empty().with("ask.txt", ASK).with("report.md", REPORT);
    let end = place.measure("mutate ask.txt report.md --seed 3").status(0);
    assert!(end.stdout.contains("figure_changed") && end.stdout.contains("ban_restored"), "{}", end.stdout);
    assert!(
        end.stdout.contains("nothing to do for: ") && end.stdout.contains("of 1 pairs, seed 3, judged by rules"),
        "{}",
        end.stdout
    );
    let page = place.measure("mutate ask.txt report.md -o page.html").status(0);
    assert_eq!(page.stdout, "");
    let page = place.read("page.html");
    for part in
        ["<!DOCTYPE html>", "Content-Security-Policy", "recall/A", "figure_changed", "In faithful reports", "</html>"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<script") && !page.contains("http://"), "{page}");
    let line = json!({"id": "club", "prompt": ASK, "report": REPORT}).to_string();
    let place = place.with("pairs.jsonl", format!("{line}\n"));
    let report: Value =
        serde_json::from_str(&place.measure("mutate --pairs pairs.jsonl --json").status(0).stdout).unwrap();
    assert_eq!((&report["pairs"], report["cases"].as_u64().unwrap() > 5), (&1.into(), true));
}

/// The words around a change, from stop to stop.
fn sentence(case: &Value, change: &Value) -> String {
    let report = case["report"].as_str().unwrap();
    let place = |name: &str| change[name].as_u64().unwrap() as usize;
    let begin = report[..place("start")].rfind(['.', '\n']).map_or(0, |stop| stop + 1);
    // A change may end with the stop of its sentence.
    let last = place("end") - 1;
    let end = report[last..].find(['.', '\n']).map_or(report.len(), |stop| last + stop + 1);
    report[begin..end].trim().to_owned()
}

#[test]
fn a_judge_of_ones_own_answers_questions_that_tell_nothing() {
    let place = Place::empty().with("ask.txt", ASK).with("report.md", REPORT);
    let own = "mutate ask.txt report.md --per-operator 1";
    place.measure(&format!("{own} --questions questions.jsonl --write cases.jsonl")).status(0);
    let (questions, cases) = (lines(&place.read("questions.jsonl")), lines(&place.read("cases.jsonl")));
    assert_eq!(questions.len(), cases.len());
    for question in &questions {
        assert_eq!(question.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "prompt", "report"]);
    }
    // A judge that knows every change finds all of them; one that always quotes the title finds none and is wrong on the faithful report.
    let knows = |case: &Value| -> Value {
        let changes = case["changes"].as_array().unwrap().iter();
        let incidents = changes.map(|change| match change["is"].as_str().unwrap().trim() {
            "" => json!({"source_reference": case["source_reference"], "drift_type": case["drift_type"]}),
            // The whole sentence: a word of it may stand elsewhere as well.
            _ => json!({"output_claim": sentence(case, change), "drift_type": case["drift_type"], "severity": 3}),
        });
        json!({"id": case["id"], "drift_incidents": incidents.collect::<Vec<_>>()})
    };
    let cries = |case: &Value| json!({"id": case["id"], "drift_incidents": [{"output_claim": "A reading club"}, {"output_claim": "nowhere at all"}]});
    let written =
        |judge: &dyn Fn(&Value) -> Value| cases.iter().map(|case| format!("{}\n", judge(case))).collect::<String>();
    let place = place.with("knows.jsonl", written(&knows)).with("cries.jsonl", written(&cries));
    let of = |answers: &str| -> Value {
        serde_json::from_str(&place.measure(&format!("{own} --answers {answers} --json")).status(0).stdout).unwrap()
    };
    let knows = of("knows.jsonl");
    assert_eq!((&knows["judge"], &knows["not_located"]), (&"answers".into(), &0.into()));
    for metric in ["recall", "type_accuracy", "recall/B", "recall/D"] {
        assert_eq!(figure(&knows, metric)["value"], 1.0, "{metric}");
    }
    assert_eq!(figure(&knows, "false_incidents_per_1000_words")["value"], 0.0);
    let cries = of("cries.jsonl");
    assert_eq!(figure(&cries, "recall")["value"], 0.0);
    assert_eq!(cries["false_incidents"].as_array().unwrap().len(), 2);
    assert_eq!(cries["not_located"].as_u64().unwrap() as usize, cases.len());

    // Answered again: the same answers flip nowhere; of two judges one sees nothing in the faithful report alone, and they share no sentence.
    let steady = of("knows.jsonl --again knows.jsonl --again knows.jsonl --rows rows.jsonl");
    for metric in ["flips/sentences", "flips/verdict"] {
        assert_eq!(figure(&steady, metric)["value"], 0.0, "{metric}");
    }
    for metric in ["agreement/sentences", "agreement/verdict"] {
        let value = figure(&steady, metric)["value"].as_f64().unwrap();
        assert!(value > 0.0 && value <= 1.0, "{metric}: {value}");
    }
    let rows = place.read("rows.jsonl");
    assert_eq!(rows.lines().filter(|row| row.contains("/again\"")).count(), cases.len());
    let mixed = of("knows.jsonl --again cries.jsonl");
    assert_eq!(figure(&mixed, "flips/sentences")["value"], 1.0);
    let one = figure(&mixed, "flips/verdict")["value"].as_f64().unwrap();
    assert!((one * cases.len() as f64 - 1.0).abs() < 1e-3, "{one}");
    assert!(knows["rows"].as_array().unwrap().iter().all(|row| row["metric"] != "flips/verdict"));
    assert!(place.measure(&format!("{own} --again knows.jsonl")).status(2).stderr.contains("--answers"));
}

#[test]
fn what_cannot_be_used_is_said() {
    let place = Place::empty().with("ask.txt", ASK).with("report.md", REPORT).with("empty.md", " \n");
    place.measure("mutate --per-operator 0").refused(2, "error: `--per-operator 0` does not lie in 1 to 20");
    place.measure("mutate --per-operator 21").refused(2, "error: `--per-operator 21` does not lie in 1 to 20");
    place.measure("mutate ask.txt empty.md").refused(2, "error: empty.md: is empty");
    assert!(place.measure("mutate ask.txt").status(2).stderr.contains("REPORT"));
    let one = json!({"id": "x", "prompt": ASK, "report": REPORT}).to_string();
    let place = place
        .with("twice.jsonl", format!("{one}\n{one}\n"))
        .with("none.jsonl", "\n")
        .with("form.jsonl", "{\"prompt\": 3}\n")
        .with("short.jsonl", "{\"id\": \"m1\", \"drift_incidents\": []}\n")
        .with("nothing.jsonl", "");
    place.measure("mutate --pairs twice.jsonl").refused(2, "error: twice.jsonl:2: the id `x` stands twice");
    place.measure("mutate --pairs none.jsonl").refused(2, "error: none.jsonl: holds no pair");
    assert!(place.measure("mutate --pairs form.jsonl").status(2).stderr.starts_with("error: form.jsonl:1: "));
    place.measure("mutate --pairs gone.jsonl").refused(2, "error: gone.jsonl: no such file or folder");
    let end = place.measure("mutate --answers short.jsonl").status(2);
    assert!(
        end.stderr.starts_with(
            "error: short.jsonl:1: `m1` is no case of these pairs with seed 1 and 2 for each operator\nhint: "
        ),
        "{}",
        end.stderr
    );
    let end = place.measure("mutate ask.txt report.md --answers nothing.jsonl").status(2);
    assert!(end.stderr.contains("cases have no answer, the first is `m"), "{}", end.stderr);
    let end = place.measure("mutate ask.txt report.md --write report.md").status(2);
    assert!(end.stderr.contains("report.md: is read, so it is not written over"), "{}", end.stderr);
    assert_eq!(place.read("report.md"), REPORT);
}

#[test]
fn edits_that_people_made_stand_beside() {
    let pair = |id: &str, summary: &str, label: u8, edit: &str| {
        json!({"id": id, "summary": summary, "label": label, "original_summary": "The mill grinds 40 sacks of rye each day.", "edit_types": [edit], "doc_id": id, "domain": "mills"}).to_string()
    };
    let pairs = [
        pair("a", "The mill grinds 90 sacks of rye each day.", 0, "entity_modification"),
        pair("b", "The mill does not grind rye.", 0, "negation_insertion_removal"),
        pair("c", "Each day the mill grinds 40 sacks of rye.", 1, "none"),
    ];
    let docs =
        ["a", "b", "c"].map(|id| json!({"doc_id": id, "doc": "The mill grinds 40 sacks of rye each day."}).to_string());
    let place = Place::empty()
        .with("ask.txt", ASK)
        .with("report.md", REPORT)
        .with("data/summedits/pairs.jsonl", pairs.join("\n"))
        .with("data/summedits/docs.jsonl", docs.join("\n"));
    let end = place.measure("mutate ask.txt report.md --data data --json").status(0);
    let report: Value = serde_json::from_str(&end.stdout).unwrap();
    let beside: BTreeMap<&str, u64> = report["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["set"] == "summedits")
        .map(|row| (row["metric"].as_str().unwrap(), row["n"].as_u64().unwrap()))
        .collect();
    assert_eq!((beside["audit/recall/entity_modification"], beside["recall/entity_modification"]), (1, 1));
    assert_eq!((beside["audit/false_alarm_rate"], beside["false_alarm_rate"]), (1, 1));
    assert!(place.measure("mutate --data nowhere").status(2).stderr.starts_with("error: nowhere/summedits: "));
}

#[test]
fn flips_are_named_with_pair_and_form() {
    let place = Place::empty();
    let end = place.measure("stability --json --rows rows.jsonl").status(0);
    let report: Value = serde_json::from_str(&end.stdout).unwrap();
    for form in [
        "white_space",
        "line_breaks",
        "carriage_returns",
        "sections",
        "file_names",
        "function_words",
        "bullets",
        "prose",
        "html",
    ] {
        let figure = figure(&report, &format!("flips/{form}"));
        assert!(figure["n"].as_u64().unwrap() > 0 && figure["value"].as_f64().unwrap() <= 1.0, "{figure}");
    }
    let flipped: Vec<Value> =
        lines(&place.read("rows.jsonl")).into_iter().filter(|row| row["prediction"] != "same").collect();
    let text = place.measure("stability").status(0).stdout;
    for row in &flipped {
        assert!(text.contains(row["id"].as_str().unwrap()), "{row}");
    }
}
