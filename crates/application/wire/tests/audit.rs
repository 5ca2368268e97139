//! The JSON of an audit: its bytes, its strictness, its schema, its pages.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use steadfast_wire::audit::{
    Assessed, Basis, Dimension, Disqualification, DriftEvaluation, DriftType, EntityRole, FoundBy, Judge,
    ObligationKind, Page, Polarity, Risk, Role, Status, Strength, Totals, UsableBecause, Voice,
};
use steadfast_wire::{from_json, schema, to_json};

const EXAMPLE: &str = include_str!("data/drift-evaluation.json");
const FILES: [(&str, &str); 3] = [
    ("initial_plan.txt", include_str!("data/run/initial_plan.txt")),
    ("report.md", include_str!("data/run/report.md")),
    ("annex.html", include_str!("data/run/annex.html")),
];

fn example() -> DriftEvaluation {
    from_json(EXAMPLE).unwrap()
}

#[test]
fn what_is_read_is_written_byte_for_byte() {
    assert_eq!(to_json(&example()).unwrap(), EXAMPLE);
}

#[test]
fn the_example_quotes_what_stands_there() {
    let example = example();
    let incidents = example.drift_incidents.iter();
    let spans = incidents.flat_map(|i| i.source_span.iter().chain(&i.output_span).chain(&i.also_at));
    let spans = spans.chain(example.obligations.iter().flat_map(|o| std::iter::once(&o.span).chain(&o.answer_spans)));
    let passages = example.obligations.iter().flat_map(|own| &own.passages);
    assert!(passages.clone().all(|own| own.quote == own.span.quote));
    for span in spans.chain(passages.map(|own| &own.span)) {
        let text = FILES.iter().find(|(name, _)| *name == span.file).unwrap().1;
        assert_eq!(text.get(span.start..span.end), Some(span.quote.as_str()));
    }
    assert_eq!(Totals::of(&example.drift_incidents), example.totals);
}

#[track_caller]
fn refused(from: &str, to: &str, expected: &str) {
    assert!(EXAMPLE.contains(from), "{from} is not in the example");
    let error = from_json::<DriftEvaluation>(&EXAMPLE.replacen(from, to, 1)).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn reading_is_strict() {
    refused("\"judge\": \"rules\"", "\"judge\": \"dice\"", "unknown variant `dice`");
    refused("\"judge\": \"rules\"", "\"judge\": \"rules\", \"extra\": 1", "unknown field `extra`");
    refused("\"absent\": false,", "", "missing field `absent`");
    refused("\"absent\": false,", "\"absent\": false, \"more\": 1,", "unknown field `more`");
    refused("\"severity\": 4", "\"severity\": 5", "severity 5 lies outside 0 to 4");
    refused("\"severity\": 4", "\"severity\": -1", "invalid value");
    refused("\"severity\": 4", "\"severity\": \"4\"", "invalid type");
    refused("\"scope_fidelity\": 2", "\"scope_fidelity\": 6", "score 6 lies outside 0 to 5");
    refused("\"TypeB\"", "\"TypeK\"", "unknown variant `TypeK`");
    refused("\"customer\":", "\"friend\":", "unknown variant `friend`");
    refused("\"kind\": \"intent\"", "\"kind\": \"Intent\"", "unknown variant `Intent`");
    refused("\"start\": ", "\"begin\": 0, \"start\": ", "unknown field `begin`");
    refused("{", "[", "cannot read JSON");
}

#[track_caller]
fn rounds(value: f64, expected: &str) {
    let evaluation = DriftEvaluation { overall_fidelity_score: value, ..DriftEvaluation::default() };
    let json = to_json(&evaluation).unwrap();
    let line = json.lines().find(|line| line.contains("overall_fidelity_score")).unwrap();
    assert_eq!(line.trim(), format!("\"overall_fidelity_score\": {expected},"));
}

#[test]
fn scores_have_two_decimals() {
    rounds(3.0, "3.0");
    rounds(2.34567, "2.35");
    rounds(3.145, "3.15");
    rounds(0.1 + 0.2, "0.3");
    rounds(-0.0, "0.0");
    rounds(-0.001, "0.0");
    rounds(4.999, "5.0");
    rounds(1.95, "1.95");
    rounds(f64::NAN, "null");
}

#[test]
fn judged_text_is_verbatim() {
    let mut evaluation = example();
    for hostile in ["\u{0}\u{1b}[31m", "\u{202e}\u{2066}", "</script>", "\"\\\n\r\t", "\u{2028}\u{feff}", "🚲\u{fffd}"]
    {
        evaluation.drift_incidents[0].output_claim = hostile.to_owned();
        let json = to_json(&evaluation).unwrap();
        assert!(!json.contains('\u{1b}') && !json.contains('\u{0}'));
        assert_eq!(from_json::<DriftEvaluation>(&json).unwrap(), evaluation);
    }
}

#[track_caller]
fn spelled(actual: Vec<&str>, expected: &str) {
    assert_eq!(actual.join(" "), expected);
}

#[test]
fn vocabularies_are_spelled_as_published() {
    let types = "TypeA TypeB TypeC TypeD TypeE TypeF TypeG TypeH TypeI TypeJ";
    spelled(DriftType::ALL.iter().map(|x| x.name()).collect(), types);
    spelled(DriftType::ALL.iter().map(|x| x.letter()).collect(), "A B C D E F G H I J");
    let kinds =
        "intent problem solution non_goal constraint banned entity optional uncertainty metric budget deadline place";
    spelled(ObligationKind::ALL.iter().map(|x| x.name()).collect(), kinds);
    let statuses = "broken weakened unmentioned unclear nothing_found not_assessed kept";
    spelled(Status::ALL.iter().map(|x| x.name()).collect(), statuses);
    spelled(Strength::ALL.iter().map(|x| x.name()).collect(), "must should may");
    spelled(Polarity::ALL.iter().map(|x| x.name()).collect(), "do not");
    spelled(FoundBy::ALL.iter().map(|x| x.name()).collect(), "words anchor vector");
    spelled(UsableBecause::ALL.iter().map(|x| x.name()).collect(), "ok broken too_little_assessed");
    spelled(Basis::ALL.iter().map(|x| x.name()).collect(), "explicit implied");
    spelled(Risk::ALL.iter().map(|x| x.name()).collect(), "low medium high critical");
    spelled(Judge::ALL.iter().map(|x| x.name()).collect(), "rules both");
    let roles = "buyer user customer operator regulator partner place";
    spelled(EntityRole::ALL.iter().map(|x| x.name()).collect(), roles);
    spelled(Role::ALL.iter().map(|x| x.name()).collect(), "ask answer context");
    assert_eq!(Voice::ALL.len(), 9);
    assert_eq!(Disqualification::ALL.len(), 6);
    for dimension in Dimension::ALL {
        assert_eq!(serde_json::to_value(dimension).unwrap(), dimension.name());
        assert!(serde_json::to_value(example().dimension_scores).unwrap().get(dimension.name()).is_some());
    }
}

#[test]
fn what_was_assessed_is_said_in_words() {
    let said = |n, of, must_n, must_of| Assessed { n, of, must_n, must_of, by_host: 0 }.words();
    assert_eq!(said(9, 18, 7, 12), "9 of 18 obligations, 7 of 12 that must be kept");
    assert_eq!(said(0, 1, 0, 1), "0 of 1 obligation, 0 of 1 that must be kept");
    assert_eq!(said(1, 2, 0, 0), "1 of 2 obligations");
    assert_eq!(UsableBecause::Yes.verdict(), "usable as it is");
    assert_eq!(UsableBecause::TooLittleAssessed.verdict(), "not usable as it is: too little was assessed");
}

#[test]
fn the_schema_names_every_member_and_closes_every_object() {
    let schema = serde_json::to_value(schema::<DriftEvaluation>()).unwrap();
    let value: serde_json::Value = serde_json::from_str(EXAMPLE).unwrap();
    for name in value.as_object().unwrap().keys() {
        assert!(schema["properties"].get(name).is_some(), "{name}");
    }
    assert_eq!(schema["additionalProperties"], false);
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        if definition["type"] == "object" {
            assert_eq!(definition["additionalProperties"], false, "{name}");
        }
    }
    assert_eq!(schema["$defs"]["DriftIncident"]["properties"]["severity"]["maximum"], 4);
    assert_eq!(schema["$defs"]["DimensionScores"]["properties"]["scope_fidelity"]["maximum"], 5);
}

#[test]
fn pages_cover_the_list_once() {
    let whole = example();
    let mut seen = Vec::new();
    let mut page = Page { limit: Some(4), ..Page::default() };
    loop {
        let part = whole.page(&page).unwrap();
        assert!(part.drift_incidents.len() <= 4);
        assert_eq!(part.totals, whole.totals);
        seen.extend(part.drift_incidents.iter().map(|i| i.id.clone()));
        match part.next_cursor {
            Some(cursor) => page.cursor = Some(cursor),
            None => break,
        }
    }
    assert_eq!(seen, whole.drift_incidents.iter().map(|i| i.id.clone()).collect::<Vec<_>>());
    let severe = whole.page(&Page { min_severity: 3, ..Page::default() }).unwrap();
    assert_eq!(severe.drift_incidents.len(), 6);
    assert!(whole.page(&Page { cursor: Some("nobody".to_owned()), ..Page::default() }).is_err());
    assert_eq!(whole.page(&Page { limit: Some(0), ..Page::default() }).unwrap().drift_incidents.len(), 0);
}
