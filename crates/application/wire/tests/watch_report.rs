//! The JSON that `watch` publishes: the contract's own members, schemas, strictness.

use serde_json::{Value, json};
use steadfast_testkit::schema::breaches;
use steadfast_wire::watch::{
    Aggregate, AlertCause, Calibration, Comparison, StepRecord, StepSaid, UpdateType, Watch, Winner,
};
use steadfast_wire::{from_json, schema, to_json, to_json_line};

const REPORT: &str = include_str!("data/watch.json");
const COMPARISON: &str = include_str!("data/watch-comparison.json");

#[test]
fn what_is_read_is_written_byte_for_byte() {
    assert_eq!(to_json(&from_json::<Watch>(REPORT).unwrap()).unwrap(), REPORT);
    assert_eq!(to_json(&from_json::<Comparison>(COMPARISON).unwrap()).unwrap(), COMPARISON);
}

/// The members that the contract names stand in `value`.
#[track_caller]
fn holds(value: &Value, members: &str) {
    for member in members.split_whitespace() {
        assert!(value.get(member).is_some(), "{member} is missing");
    }
}

#[test]
fn the_members_of_the_contract_are_there() {
    let report: Value = serde_json::from_str(REPORT).unwrap();
    holds(&report, "embedder embedding_version trajectories alert duplicates");
    holds(&report["trajectories"][0], "task_id agent initial_intent steps mean_ids max_ids goal_shift onset alerts");
    holds(&report["trajectories"][0]["steps"][0], "step ids goal update_type anchor_ids echo truncated no_text broken");
    holds(&report["trajectories"][0]["alerts"][0], "from_step to_step");
    holds(&report["alert"], "threshold calibration");
    let comparison: Value = serde_json::from_str(COMPARISON).unwrap();
    holds(&comparison, "pairs mean_a mean_b wins_b n paired_t wilcoxon cohens_d bootstrap_ci duplicates_dropped");
    holds(&comparison["pairs"][0], "task_id a_mean_ids b_mean_ids delta winner");
    holds(&comparison["paired_t"], "t p");
    holds(&comparison["wilcoxon"], "w p");
}

#[test]
fn examples_keep_to_their_schemas() {
    let report = serde_json::to_value(schema::<Watch>()).unwrap();
    let example: Value = serde_json::from_str(REPORT).unwrap();
    assert_eq!(breaches(&report, &example), [""; 0]);
    let comparison = serde_json::to_value(schema::<Comparison>()).unwrap();
    assert_eq!(breaches(&comparison, &serde_json::from_str(COMPARISON).unwrap()), [""; 0]);

    let spoiled = |path: &str, value: Value| {
        let mut example = example.clone();
        *example.pointer_mut(path).unwrap() = value;
        breaches(&report, &example)
    };
    assert_eq!(
        spoiled("/trajectories/0/steps/0/ids", json!(1.5)),
        ["$.trajectories[0].steps[0].ids: 1.5 lies above 1.0"]
    );
    assert_eq!(spoiled("/trajectories/0/steps/0/update_type", json!("shift")).len(), 1);
    assert_eq!(spoiled("/problems/0/line", json!(-1)), ["$.problems[0].line: -1 lies below 0"]);
    assert!(!spoiled("/alert", json!({})).is_empty());
}

#[test]
fn a_step_of_a_stream_is_one_line() {
    let report: Watch = from_json(REPORT).unwrap();
    let own = &report.trajectories[0];
    let record = StepRecord { task_id: own.task_id.clone(), agent: own.agent.clone(), scores: own.steps[3].clone() };
    assert_eq!(
        to_json_line(&record).unwrap(),
        "{\"task_id\":\"booking-7\",\"agent\":\"planner\",\"step\":3,\"ids\":0.331,\"goal_distance\":0.3779,\
         \"goal\":\"Find a hotel near the station that takes a dog\",\"update_type\":\"high_drift_risk\",\
         \"anchor_ids\":0.502,\"echo\":0.12,\"truncated\":false,\"no_text\":false,\"broken\":[]}\n"
    );
}

#[test]
fn unknown_members_are_refused() {
    let spoiled = REPORT.replacen("\"embedder\"", "\"embeder\"", 1);
    assert!(from_json::<Watch>(&spoiled).unwrap_err().to_string().contains("unknown field `embeder`"));
    let spoiled = COMPARISON.replacen("\"wins_b\"", "\"wins\"", 1);
    assert!(from_json::<Comparison>(&spoiled).unwrap_err().to_string().contains("unknown field `wins`"));
}

#[test]
fn vocabularies_are_spelled_as_published() {
    let joined = |names: Vec<&str>| names.join(" ");
    assert_eq!(
        joined(UpdateType::ALL.iter().map(|it| it.name()).collect()),
        "initial refinement high_drift_risk major_shift"
    );
    assert_eq!(joined(Aggregate::ALL.iter().map(|it| it.name()).collect()), "whole max-sentence mean-chunk");
    assert_eq!(joined(AlertCause::ALL.iter().map(|it| it.name()).collect()), "onset ids banned loop stuck");
    assert_eq!(joined(StepSaid::ALL.iter().map(|it| it.name()).collect()), "drift on_the_way unclear");
    assert_eq!(joined(Calibration::ALL.iter().map(|it| it.name()).collect()), "uncalibrated baseline test");
    assert_eq!(joined(Winner::ALL.iter().map(|it| it.name()).collect()), "a b tie");
}
