//! Small cases whose figures can be counted by hand.

use steadfast_exam::pairs::{Became, Incident, Judged, Place, Verdict, belong};
use steadfast_text::Span;

use super::gold::cases;
use super::{METRICS, SET, rows};
use crate::{Files, Means, Row, figure, measure};

const PROMPT: &str = "Order 40 chairs. Name no donor. Send it by Friday.";
const DRIFTED: &str = "We ordered 60 chairs. It went out on Friday.";
const GOLD: &str = r#"{
 "obligations": [
  {"id": "o1", "quote": "Order 40 chairs.", "kind": "metric", "strength": "must", "faithful": "kept", "drifted": "broken"},
  {"id": "o2", "quote": "Name no donor.", "kind": "ban", "strength": "must", "faithful": "kept", "drifted": "weakened"},
  {"id": "o3", "quote": "Send it by Friday.", "kind": "deadline", "strength": "must", "faithful": "kept", "drifted": "kept"}],
 "drifts": [
  {"id": "d1", "quote": "ordered 60 chairs", "obligation": "o1", "type": "B", "severity": 3, "kind": "number", "why": "x"},
  {"id": "d2", "quote": "", "obligation": "o2", "type": "B", "severity": 3, "kind": "omission", "why": "x"}],
 "tempting": []}"#;

fn files(group: &str, gold: &str) -> Files {
    let texts = [
        ("prompt.md", PROMPT),
        ("faithful.md", "40 chairs, no names, Friday."),
        ("drifted.md", DRIFTED),
        ("gold.json", gold),
    ];
    Files(texts.iter().map(|(file, text)| (format!("{group}{file}"), text.as_bytes().to_vec())).collect())
}

/// What the program says, with incidents by their words in the report and in the prompt.
fn verdict(overall: Option<f64>, statuses: &[&str], incidents: &[(Option<&str>, Option<&str>)]) -> Verdict {
    let find = |text: &str, words: &str| {
        let start = text.find(words).unwrap();
        Span::new(start, start + words.len())
    };
    let told = ["Order 40 chairs", "Name no donor", "Send it by Friday"];
    let judged = |(words, status): (&&str, &&str)| Judged {
        span: find(PROMPT, words),
        status: (*status).to_owned(),
        passages: Vec::new(),
        by_model: false,
    };
    let incident = |(words, asked): &(Option<&str>, Option<&str>)| Incident {
        check: "any".to_owned(),
        words: words.iter().map(|words| find(DRIFTED, words)).collect(),
        asked: asked.map(|words| find(PROMPT, words)),
        by_model: false,
    };
    Verdict {
        overall,
        usable: overall.is_some_and(|score| score > 3.0),
        incidents: incidents.iter().map(incident).collect(),
        obligations: told.iter().zip(statuses).map(judged).collect(),
        reason: String::new(),
    }
}

fn of_case(faithful: &Verdict, drifted: &Verdict) -> Vec<Row> {
    let files = files("kept/chairs/", GOLD);
    rows(0, &cases(&files).unwrap()[0], faithful, drifted)
}

#[track_caller]
fn check(rows: &[Row], metric: &str, value: Option<f64>, n: usize) {
    let own = METRICS.iter().find(|own| own.name == metric).unwrap();
    let figure = figure::figure("everyday", own, rows);
    assert_eq!((figure.value, figure.n), (value, n), "{metric}");
}

#[test]
fn a_case_is_read_and_its_folder_says_which_part_it_is_of() {
    let (kept, flat) = (files("kept/chairs/", GOLD), files("kept-chairs/", GOLD));
    let read = &cases(&kept).unwrap()[0];
    assert_eq!((read.name, read.tuned), ("kept/chairs", false));
    assert!(cases(&flat).unwrap()[0].tuned);
    assert_eq!(
        (read.labels.obligations[1].span, read.labels.obligations[1].drifted),
        (Span::new(17, 31), Became::Weakened)
    );
    let places: Vec<Place> = read.labels.drifts.iter().map(|drift| drift.place).collect();
    assert_eq!(places, [Place::Said(Span::new(3, 20)), Place::LeftOut(Span::new(17, 31))]);
}

#[test]
fn labels_that_do_not_fit_their_files_are_refused() {
    let refused = |from: &str, to: &str| {
        let files = files("dev/chairs/", &GOLD.replacen(from, to, 1));
        let told = cases(&files).unwrap_err().to_string();
        told.strip_prefix("dev/chairs/gold.json: ").unwrap().to_owned()
    };
    assert_eq!(refused("Name no", "Name a"), "o2: `Name a donor.` does not stand in the prompt");
    assert_eq!(refused("d 60", "d 61"), "d1: `ordered 61 chairs` does not stand in the drifted report");
    assert_eq!(refused("\"obligation\": \"o2\"", "\"obligation\": \"o9\""), "d2: there is no obligation `o9`");
    assert_eq!(refused("\"obligation\": \"o2\"", "\"obligation\": null"), "d2: has neither words nor an obligation");
    assert!(refused("weakened", "bent").contains("unknown variant `bent`"));
    let mut without = files("dev/chairs/", GOLD);
    without.0.remove("dev/chairs/faithful.md");
    assert_eq!(cases(&without).unwrap_err().to_string(), "dev/chairs/faithful.md: is not there");
    assert!(
        measure(&SET, &Files::default(), &Means::default())
            .unwrap_err()
            .to_string()
            .starts_with("everyday: none of its files")
    );
}

#[test]
fn spans_belong_together_from_30_per_cent_of_the_shorter_on() {
    let check = |one: (usize, usize), other: (usize, usize), expect: bool| {
        let (one, other) = (Span::new(one.0, one.1), Span::new(other.0, other.1));
        assert_eq!((belong(one, other), belong(other, one)), (expect, expect), "{one:?} {other:?}");
    };
    check((0, 10), (7, 100), true);
    check((0, 10), (8, 100), false);
    check((0, 100), (40, 50), true);
    check((0, 10), (10, 20), false);
    check((5, 5), (0, 10), false);
}

#[test]
fn drifts_are_found_by_their_words_and_what_is_left_out_by_those_of_the_prompt() {
    let none = verdict(Some(4.0), &["kept"; 3], &[]);
    let two = [(Some("ordered 60"), None), (None, Some("Name no")), (Some("went out on Friday"), None)];
    let found = of_case(&none, &verdict(Some(4.0), &["kept"; 3], &two));
    check(&found, "recall", Some(1.0), 2);
    check(&found, "recall/omission", Some(1.0), 1);
    check(&found, "recall/date", None, 0);
    check(&found, "incidents_right", Some(2.0 / 3.0), 3);
    // One letter of the drift's seventeen, the words of another obligation, and words of the report for what is not in it.
    let beside = [(Some("We o"), Some("Send it")), (Some("It went out"), None)];
    let missed = of_case(&none, &verdict(Some(4.0), &["kept"; 3], &beside));
    check(&missed, "recall", Some(0.0), 2);
    check(&missed, "incidents_right", Some(0.0), 2);
    check(&missed, "false_per_1000_words", Some(0.0), 1);
    let alarm = of_case(&verdict(Some(4.0), &["kept"; 3], &[(Some("Friday"), None)]), &none);
    check(&alarm, "false_per_1000_words", Some(200.0), 1);
}

#[test]
fn statuses_are_held_against_the_labels() {
    let faithful = verdict(Some(4.0), &["kept", "unclear", "broken"], &[]);
    let of = of_case(&faithful, &verdict(Some(4.0), &["kept", "broken", "kept"], &[]));
    check(&of, "kept_wrong", Some(1.0 / 3.0), 3);
    check(&of, "kept_found", Some(0.5), 4);
    check(&of, "broken_kept", Some(1.0 / 3.0), 3);
    check(&of, "unclear", Some(1.0 / 3.0), 3);
    check(&of, "read", Some(1.0), 3);
    check(&of, "junk", Some(0.0), 3);
    // What was not read is neither kept nor broken.
    let of = of_case(&verdict(Some(4.0), &["kept"], &[]), &verdict(None, &[], &[]));
    check(&of, "kept_wrong", Some(0.0), 1);
    check(&of, "kept_found", Some(0.25), 4);
    check(&of, "read", Some(1.0 / 3.0), 3);
    check(&of, "evaluable", Some(0.5), 2);
}

#[test]
fn of_several_statuses_a_breach_comes_first_and_then_what_is_kept() {
    let files = files("dev/chairs/", GOLD);
    let case = &cases(&files).unwrap()[0];
    let told = |statuses: &[&str]| {
        let judged = |status: &&str| Judged {
            span: Span::new(6, 15),
            status: (*status).to_owned(),
            passages: Vec::new(),
            by_model: false,
        };
        let verdict = Verdict { obligations: statuses.iter().map(judged).collect(), ..Verdict::default() };
        verdict.of_obligation(&case.labels.obligations[0]).map(|own| own.status.clone())
    };
    assert_eq!(told(&["unmentioned", "kept", "broken"]).as_deref(), Some("broken"));
    assert_eq!(told(&["unclear", "kept"]).as_deref(), Some("kept"));
    assert_eq!(told(&["unclear", "unmentioned"]).as_deref(), Some("unclear"));
    assert_eq!(told(&[]), None);
}

#[test]
fn a_report_without_a_number_is_half_right_and_never_usable() {
    let with = |overall: Option<f64>| verdict(overall, &["kept"; 3], &[]);
    check(&of_case(&with(Some(4.0)), &with(Some(2.0))), "headline_auc", Some(1.0), 2);
    check(&of_case(&with(Some(2.0)), &with(Some(4.0))), "headline_auc", Some(0.0), 2);
    let none = of_case(&with(None), &with(Some(4.0)));
    check(&none, "headline_auc", Some(0.5), 2);
    check(&none, "usable/drifted", Some(1.0), 1);
    check(&none, "usable/faithful", Some(0.0), 1);
    check(&none, "usable/faithful_answered", None, 0);
}

#[test]
fn the_program_judges_a_case() {
    let (measured, rows) = measure(&SET, &files("dev/chairs/", GOLD), &Means::default()).unwrap();
    let of = |metric: &str| measured.rows.iter().find(|own| own.metric == metric).unwrap();
    assert_eq!((of("recall").n, of("evaluable").n, of("kept_found").n), (2, 2, 4));
    // What an incident quotes is in view.
    assert_eq!((of("in_view").n, of("in_view").value), (1, Some(1.0)));
    assert_eq!((of("recall").kept, of("evaluable").tuned), (None, of("evaluable").value));
    assert!(rows.iter().any(|row| row.id == "dev/chairs/drift d1" && row.label == "number"));
}
