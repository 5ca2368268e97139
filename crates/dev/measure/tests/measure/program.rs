//! `steadfast-measure`, on small sets written for these tests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use crate::common::Place;
use serde_json::Value;

/// Two days: one whose free window is (B), one with a label that is wrong.
const DAYS: &str = r#"{"examples": [
{"input": "Mara woke up at 6am. Jon saw Mara at the mill from 6am to 9am. Ida saw Mara in the market from 11am to 4pm. The weir was closed after 4pm.\nOptions:\n(A) 6am to 9am\n(B) 9am to 11am\n(C) 4pm to 6pm", "target": "(B)"},
{"input": "Mara woke up at 6am. Jon saw Mara at the mill from 6am to 9am. The weir was closed after 11am.\nOptions:\n(A) 6am to 9am\n(B) 9am to 11am", "target": "(A)"}
]}"#;

const CHRONO: &str = concat!(
    r#"{"text": "the train leaves at 9:30", "ref": "2026-03-02T08:00:00", "match": "9:30", "start": {"hour": 9, "minute": 30}, "end": {}}"#,
    "\n",
    r#"{"text": "version 9.30 is out", "ref": "2026-03-02T08:00:00", "expect_none": true}"#,
    "\n"
);

fn data() -> Place {
    Place::empty().with("data/bbh_time/temporal_sequences.json", DAYS).with("data/chrono_en/own.jsonl", CHRONO)
}

#[track_caller]
fn figure(json: &str, set: &str, metric: &str) -> Value {
    let report: Value = serde_json::from_str(json).unwrap();
    let mut rows = report["rows"].as_array().unwrap().iter().filter(|row| row["set"] == set && row["metric"] == metric);
    let figure = rows.next().unwrap().clone();
    assert!(rows.next().is_none(), "{metric} stands twice");
    figure
}

#[test]
fn a_set_gives_one_figure_for_each_metric() {
    let place = data();
    let end = place.measure("bbh_time --data data --json").status(0);
    let accuracy = figure(&end.stdout, "bbh_time", "accuracy");
    assert_eq!((&accuracy["value"], &accuracy["n"]), (&0.5.into(), &2.into()));
    assert_eq!((&accuracy["tuned"], &accuracy["kept"]), (&1.0.into(), &0.0.into()));
    assert_eq!(end.stdout, place.measure("bbh_time --data data --json").stdout);
}

#[test]
fn rows_are_enough_to_compute_the_figure_again() {
    let place = data();
    let end = place.measure("all --embedder lexical --data data --rows rows.jsonl --json").status(0);
    assert_eq!(figure(&end.stdout, "chrono_en", "false_hits")["value"], 0.0);
    let rows: Vec<Value> = place.read("rows.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (set, metric) in [("bbh_time", "accuracy"), ("chrono_en", "span_f1"), ("chrono_en", "value_accuracy")] {
        let counts = rows.iter().filter(|row| row["set"] == set).flat_map(|row| row["counts"].as_array().unwrap());
        let (over, under) =
            counts.filter(|count| count["metric"] == metric).fold((0.0, 0.0), |(over, under), count| {
                (over + count["counts"][0].as_f64().unwrap(), under + count["counts"][1].as_f64().unwrap())
            });
        assert_eq!(figure(&end.stdout, set, metric)["value"].as_f64(), Some(over / under), "{metric}");
    }
    assert!(rows.iter().all(|row| row["id"].is_string() && row["prediction"].is_string() && row["label"].is_string()));
}

#[test]
fn what_cannot_be_measured_is_said() {
    let place = data().with("data/recognizers_text/DateTime_DateParser.json", "[{\"Input\": 3}]");
    place
        .measure("soup --data data")
        .refused(2, "error: `soup` is no labelled set\nhint: `steadfast-measure list` names them");
    let end = place.measure("recognizers_text --data data").status(2);
    assert!(end.stderr.starts_with("error: DateTime_DateParser.json: "), "{}", end.stderr);
    let end = place.measure("bbh_time --data nowhere").status(2);
    assert_eq!(end.stderr.trim_end(), "error: nowhere/bbh_time: no such file or folder");
    let end = place.measure("bbh_time").status(2);
    assert!(end.stderr.contains("--data DIR"), "{}", end.stderr);
    assert!(place.measure("list").status(0).stdout.contains("bbh_time"));
}

const PAIR: &str = r#"{"id": "a", "subset": "Own/Neighbor", "input": "Name a bird that swims.", "output_1": "A bird that swims is the duck.", "output_2": "Bread.", "label": 1}"#;

#[test]
fn a_set_of_watch_is_measured_with_an_embedder() {
    let place = data().with("data/llmbar/own.jsonl", PAIR);
    let end = place.measure("llmbar --data data --embedder lexical --rows rows.jsonl --json").status(0);
    let accuracy = figure(&end.stdout, "llmbar", "accuracy/neighbor");
    assert_eq!((&accuracy["value"], &accuracy["n"], &accuracy["floor"]), (&1.0.into(), &1.into(), &0.64.into()));
    assert_eq!(figure(&end.stdout, "llmbar", "accuracy/neighbor/shorter")["value"], 0.0);
    let report: Value = serde_json::from_str(&end.stdout).unwrap();
    assert_eq!(report["embedder"], "lexical");
    let row: Value = serde_json::from_str(place.read("rows.jsonl").trim_end()).unwrap();
    assert_eq!((&row["id"], &row["prediction"], &row["label"]), (&"a".into(), &"1".into(), &"1".into()));
    let table = place.measure("bbh_time,llmbar --data data --embedder lexical").status(0).stdout;
    assert!(table.contains("accuracy/neighbor/ids") && table.contains("\nembedder: lexical\n"), "{table}");
    let without = place.measure("bbh_time --data data --json").status(0).stdout;
    assert!(!without.contains("embedder"), "{without}");
}

#[test]
fn without_the_model_sets_of_watch_are_not_measured() {
    let place = data().with("data/llmbar/own.jsonl", PAIR);
    for what in ["llmbar", "bbh_time,llmbar"] {
        let output = Command::new(env!("CARGO_BIN_EXE_steadfast-measure"))
            .args([what, "--data", "data"])
            .current_dir(place.root())
            .env("STEADFAST_MODELS", "nowhere")
            .output()
            .unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(4), &b""[..]), "{what}");
        assert_eq!(
            String::from_utf8(output.stderr).unwrap().trim_end(),
            "error: the embedding model all-MiniLM-L6-v2 is not there\n\
             hint: `steadfast embedder pull` fetches it; `--embedder lexical` needs none"
        );
    }
}

#[test]
fn a_set_without_a_figure_is_listed_for_reading() {
    let output = "The timber costs $1,200 + $450 = $1,750.\n\n<npl-block type=\"reflection\">\nCorrectness: numbers internally consistent.\n</npl-block>\n";
    let place = Place::empty().with("data/npl_reflections/own.md", output);
    let listed = place.measure("npl_reflections --data data").status(0).stdout;
    let lines: Vec<&str> = listed.lines().skip(1).collect();
    assert_eq!(lines.len(), 2, "{listed}");
    assert!(lines[0].contains("Sum: stated 1750, computed 1650"), "{listed}");
    assert!(lines[1].contains("ConsistencyClaim: stated 1750, computed 1650"), "{listed}");
    place.with("empty/x", "").measure("all --data empty").refused(
        2,
        "error: empty: holds no labelled set\nhint: `steadfast-measure list` names the folders that are looked for",
    );
}

#[test]
fn cases_of_everyday_lie_in_folders_of_their_groups() {
    let gold = r#"{"obligations": [{"id": "o1", "quote": "Order 40 chairs.", "faithful": "kept", "drifted": "broken"}],
        "drifts": [{"id": "d1", "quote": "60 chairs", "obligation": "o1", "kind": "number"}]}"#;
    let mut place = Place::empty().with("data/everyday/README.md", "No case.");
    for case in ["alone", "kept/chairs"] {
        for (file, text) in [
            ("prompt.md", "Order 40 chairs."),
            ("faithful.md", "We ordered 40 chairs."),
            ("drifted.md", "We ordered 60 chairs."),
            ("gold.json", gold),
        ] {
            place = place.with(&format!("data/everyday/{case}/{file}"), text);
        }
    }
    let end = place.measure("everyday --data data --rows rows.jsonl --json").status(0);
    let evaluable = figure(&end.stdout, "everyday", "evaluable");
    assert_eq!(evaluable["n"], 4);
    assert!(evaluable["tuned"].is_number() && evaluable["kept"].is_number(), "{evaluable}");
    let rows = place.read("rows.jsonl");
    assert!(rows.contains("alone/drift d1") && rows.contains("kept/chairs/drift d1"), "{rows}");
    let place = place.with("data/everyday/kept/chairs/drifted.md", "We ordered some.");
    place
        .measure("everyday --data data")
        .refused(2, "error: kept/chairs/gold.json: d1: `60 chairs` does not stand in the drifted report");
}

#[test]
fn sets_that_are_not_there_are_named() {
    let end = data().measure("natural_plan,bbh_time,chrono_en,ifeval --embedder lexical --data data --json").status(0);
    let report: Value = serde_json::from_str(&end.stdout).unwrap();
    let missing: Vec<&str> = report["missing"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(missing.contains(&"ifeval") && !missing.contains(&"bbh_time"), "{missing:?}");
    assert!(end.stderr.starts_with("note: not there, so not measured: natural_plan, "), "{}", end.stderr);
}

#[test]
fn kept_figures_that_are_none_are_refused() {
    let place = data().with("empty.json", "{\"schema_version\": \"1\", \"rows\": []}").with("none.json", "[");
    for (file, told) in [
        ("empty.json", "error: empty.json: holds no figure"),
        ("none.json", "error: none.json: is no measurement: "),
        ("gone.json", "error: gone.json: "),
    ] {
        let end = place.measure(&format!("report {file}")).status(2);
        assert!(end.stderr.starts_with(told) && end.stdout.is_empty(), "{}", end.stderr);
    }
}

#[test]
fn a_document_of_kept_figures_says_what_each_detector_is_bad_at() {
    let place = data();
    let told = place.measure("all --embedder lexical --data data --keep kept.json -o figures.md").status(0);
    assert_eq!(told.stdout, "");
    let document = place.read("figures.md");
    for part in [
        "# How far to trust each detector\n",
        "`bbh_time`\n\nthe free window of a day, from sightings.\n\n`steadfast-measure bbh_time --data DIR`\n",
        "| `accuracy` | 0.500 |",
        "| `false_hits` ↓ |",
        "**Bad at**\n\n- ",
        "**uncalibrated**",
        "measure all --data DIR --keep kept.json -o figures.md",
        "Not measured, since the folder was not there: natural\\_plan,",
        "Measured with ",
        ", program ",
    ] {
        assert!(document.contains(part), "{part}\n{document}");
    }
    // The figures alone give the same bytes again.
    place.measure("report kept.json -o figures.md").status(0);
    assert_eq!(place.read("figures.md"), document);
    let drawn = place.measure("report kept.json").status(0).stdout;
    assert_eq!(drawn, document.replace("figures.md", "ACCURACY.md"));
    let kept: Value = serde_json::from_str(&place.read("kept.json")).unwrap();
    assert!(kept["versions"]["program"].is_string(), "{kept}");
    assert!(place.measure("report kept.json --format text").status(0).stdout.contains("bbh_time"));
}

#[test]
fn names_of_a_file_that_somebody_wrote_break_no_table() {
    let figure = r#"{"set": "a|b`\n## x", "metric": "m|`", "value": 0.5, "ci95": null, "n": 1, "floor": null, "published": null, "tuned": null, "kept": null}"#;
    let kept = format!(
        r#"{{"schema_version": "1", "versions": {{"<b>|": "[x](y)"}}, "missing": ["*a*"], "rows": [{figure}]}}"#
    );
    let drawn = Place::empty().with("kept.json", &kept).measure("report kept.json").status(0).stdout;
    assert!(drawn.contains("## Other sets\n\n### `a¦b' ## x`\n"), "{drawn}");
    assert!(drawn.contains("| `m¦'` | 0.500 |") && drawn.contains("\\<b\\>¦ \\[x\\](y)"), "{drawn}");
    assert!(drawn.contains("not there: \\*a\\*."), "{drawn}");
}
