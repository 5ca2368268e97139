//! Trajectories that are under way, as the store keeps them.

use std::path::Path;

use steadfast_engine::store::{
    Appended, Appending, LiveStore, LiveSummary, NewStep, Scoring, StoredScore, TrajectoryHead, TrajectoryPage,
};

use super::folder;
use crate::Store;
use crate::connection::Limits;

fn step(output: &str) -> NewStep {
    NewStep { output: Some(output.to_owned()), ..NewStep::default() }
}

fn appending(trajectory: &str, outputs: &[&str]) -> Appending {
    Appending {
        trajectory: trajectory.to_owned(),
        steps: outputs.iter().map(|output| step(output)).collect(),
        key: None,
        key_us_max: 1_000,
        keys_max: 10,
        steps_max: 100,
        agents_max: 2,
    }
}

fn keyed(trajectory: &str, outputs: &[&str], key: &str, sha256: u8) -> Appending {
    Appending { key: Some((key.to_owned(), [sha256; 32])), ..appending(trajectory, outputs) }
}

fn append(store: &Store, appending: Appending) -> Appended {
    store.append_steps(appending)().unwrap()
}

#[track_caller]
fn kept(store: &Store, appending: Appending) -> (u64, Vec<String>) {
    match append(store, appending) {
        Appended::Kept { first, ids } => (first, ids),
        other => panic!("{other:?}"),
    }
}

/// A store whose clock stands still.
fn open_at(file: &Path, clock_us: fn() -> u64) -> Store {
    Store::open_within(file, Limits { clock_us, ..Limits::default() }).unwrap()
}

fn outputs(store: &Store, trajectory: &str, from: u64, limit: usize, bytes: u64) -> Vec<String> {
    let steps = store.steps(trajectory, from, limit, bytes).unwrap();
    steps.into_iter().map(|step| format!("{}{}", step.number, step.given.output.unwrap_or_default())).collect()
}

fn summary_of(head: &TrajectoryHead) -> LiveSummary {
    let TrajectoryHead { of_steps, mean_ids, max_ids, onset, alerts, .. } = *head;
    LiveSummary { of_steps, mean_ids, max_ids, onset, alerts }
}

#[test]
fn steps_are_got_in_the_order_in_which_they_were_put() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let (first, ids) = kept(&store, appending("t", &["a", "b"]));
    assert_eq!((first, ids.len()), (0, 2));
    kept(&store, appending("other", &["x"]));
    assert_eq!(kept(&store, appending("t", &["c"])).0, 2);
    assert_eq!(outputs(&store, "t", 0, 9, 99), ["0a", "1b", "2c"]);
    assert_eq!(outputs(&store, "t", 1, 1, 99), ["1b"]);
    assert_eq!(outputs(&store, "t", 0, 9, 2), ["0a", "1b"]);
    assert_eq!(outputs(&store, "t", 0, 9, 0), ["0a"], "always one");
    assert_eq!(outputs(&store, "none", 0, 9, 99), [""; 0]);
    let steps = store.steps("t", 0, 9, 99).unwrap();
    assert_eq!((&steps[0].id, &steps[1].id), (&ids[0], &ids[1]));
    assert!(ids.is_sorted() && ids.iter().all(|id| id.len() == 36 && &id[14..15] == "7"), "{ids:?}");
    let whole = NewStep {
        step: Some(-7),
        agent: Some(String::new()),
        prompt: Some("p \u{0}".to_owned()),
        output: None,
        initial_intent: Some("é".to_owned()),
        parent: Some("t".to_owned()),
    };
    let own = Appending { steps: vec![whole.clone()], ..appending("whole", &[]) };
    kept(&store, own);
    assert_eq!(store.steps("whole", 0, 9, 99).unwrap()[0].given, whole);
    let head = store.trajectory("whole").unwrap().unwrap();
    assert_eq!((head.intent.as_deref(), head.agent.as_deref(), head.agents), (Some("é"), Some(""), 1));
    assert_eq!(store.contents().unwrap().steps, 5);
}

#[test]
fn steps_and_agents_are_limited_at_the_edge() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let limited = |steps: &[&str]| Appending { steps_max: 3, ..appending("t", steps) };
    assert_eq!(append(&store, Appending { steps_max: 3, ..appending("new", &["a"; 4]) }), Appended::TooManySteps);
    assert_eq!(store.trajectory("new").unwrap(), None);
    kept(&store, limited(&["a", "b"]));
    assert_eq!(append(&store, limited(&["c", "d"])), Appended::TooManySteps);
    kept(&store, limited(&["c"]));
    assert_eq!(append(&store, limited(&["d"])), Appended::TooManySteps);
    assert_eq!(outputs(&store, "t", 0, 9, 99).len(), 3);
    let by = |agents: &[Option<&str>]| Appending {
        steps: agents.iter().map(|agent| NewStep { agent: agent.map(str::to_owned), ..NewStep::default() }).collect(),
        ..appending("agents", &[])
    };
    assert_eq!(
        append(&store, by(&[None, Some(""), Some("a")])),
        Appended::TooManyAgents,
        "no name is not an empty one"
    );
    kept(&store, by(&[None, Some("a"), None]));
    assert_eq!(append(&store, by(&[Some("b")])), Appended::TooManyAgents);
    kept(&store, by(&[Some("a"), None]));
    assert_eq!(store.trajectory("agents").unwrap().map(|head| (head.steps, head.agents)), Some((5, 2)));
}

#[test]
fn a_request_with_a_key_is_done_once() {
    let (_folder, file) = folder();
    let store = open_at(&file, || 5_000_000);
    let (first, ids) = kept(&store, keyed("t", &["a", "b"], "k", 1));
    kept(&store, appending("t", &["c"]));
    assert_eq!(append(&store, keyed("t", &["a", "b"], "k", 1)), Appended::Again { first, ids: ids.clone() });
    assert_eq!(append(&store, keyed("t", &["x"], "k", 2)), Appended::OtherRequest);
    assert_eq!(outputs(&store, "t", 0, 9, 99).len(), 3);
    kept(&store, keyed("other", &["a", "b"], "k", 1));
    store.close().unwrap();
    // The key is remembered as long as it may be, and not longer.
    let store = open_at(&file, || 5_001_000);
    assert_eq!(append(&store, keyed("t", &["a", "b"], "k", 1)), Appended::Again { first, ids });
    store.close().unwrap();
    let store = open_at(&file, || 5_001_001);
    assert_eq!(kept(&store, keyed("t", &["x"], "k", 2)).0, 3);
    assert_eq!(append(&store, keyed("t", &["x"], "k", 1)), Appended::OtherRequest);
}

#[test]
fn keys_are_forgotten_once_there_are_too_many() {
    let (_folder, file) = folder();
    let store = open_at(&file, || 5_000_000);
    for number in 0..40 {
        kept(&store, keyed("t", &["a"], &format!("k{number}"), 1));
    }
    let known = |key: &str| matches!(append(&store, keyed("t", &["b"], key, 2)), Appended::OtherRequest);
    assert!(known("k39") && known("k30"));
    assert!(!known("k29") && !known("k0"));
    let kept: i64 = store.read(|it| it.query_row("SELECT count(*) FROM step_keys", [], |row| row.get(0))).unwrap();
    assert_eq!(kept, 10);
}

fn scoring(trajectory: &str, first: u64, scores: &[(&str, Option<&str>)]) -> Scoring {
    let score = |(scores, goal): &(&str, Option<&str>)| StoredScore {
        scores: (*scores).to_owned(),
        goal: goal.map(str::to_owned),
    };
    Scoring {
        trajectory: trajectory.to_owned(),
        first,
        scores: scores.iter().map(score).collect(),
        scorer: "s/1".to_owned(),
        summary: None,
    }
}

#[test]
fn scores_are_kept_in_their_order_once() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let with_prompt = NewStep { prompt: Some("do it".to_owned()), ..step("b") };
    kept(&store, Appending { steps: vec![step("a"), with_prompt, step("c")], ..appending("t", &[]) });
    kept(&store, appending("u", &["a"]));
    assert_eq!(store.unscored_steps().unwrap(), 4);
    assert!(!store.keep_scores(scoring("t", 1, &[("{}", None)])).unwrap(), "the first comes first");
    assert!(!store.keep_scores(scoring("none", 0, &[("{}", None)])).unwrap());
    assert!(!store.keep_scores(scoring("t", 0, &[("{}", None); 4])).unwrap(), "more than there are steps");
    let summary = LiveSummary { of_steps: 2, mean_ids: Some(0.5), max_ids: None, onset: Some(-3), alerts: 2 };
    let own = scoring("t", 0, &[("{\"a\":1}", Some("goal")), ("{}", None)]);
    assert!(store.keep_scores(Scoring { summary: Some(summary.clone()), ..own }).unwrap());
    assert!(!store.keep_scores(scoring("t", 0, &[("{}", None)])).unwrap(), "once");
    let scored = store.scored_steps("t", 0, 9, 99).unwrap();
    let told: Vec<Option<&str>> = scored.iter().map(|step| step.scores.as_deref()).collect();
    assert_eq!(told, [Some("{\"a\":1}"), Some("{}"), None]);
    let goals = store.goals("t", &[0, 1, 2, 9]).unwrap();
    assert_eq!(goals, [(0, "goal".to_owned()), (1, "do it".to_owned())]);
    let head = store.trajectory("t").unwrap().unwrap();
    assert_eq!((head.scored, head.scorer.as_deref(), summary_of(&head)), (2, Some("s/1"), summary));
    assert_eq!(store.unscored_steps().unwrap(), 2);
    store.drop_scores("t", "s/1").unwrap();
    assert_eq!(store.trajectory("t").unwrap().unwrap().scored, 2, "its own stay");
    store.drop_scores("t", "s/2").unwrap();
    let head = store.trajectory("t").unwrap().unwrap();
    assert_eq!((head.scored, head.scorer.as_deref(), summary_of(&head)), (0, None, LiveSummary::default()));
    assert!(store.keep_scores(scoring("t", 0, &[("{}", None)])).unwrap());
}

#[test]
fn trajectories_have_their_turn_one_after_another() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    assert_eq!(store.unscored_trajectory(None).unwrap(), None);
    for id in ["b", "a", "c"] {
        kept(&store, appending(id, &["x"]));
    }
    let next = |after: Option<&str>| store.unscored_trajectory(after).unwrap();
    assert_eq!(next(None).as_deref(), Some("b"));
    assert_eq!(next(Some("b")).as_deref(), Some("a"));
    assert_eq!(next(Some("c")).as_deref(), Some("b"), "from the beginning again");
    assert_eq!(next(Some("gone")).as_deref(), Some("b"));
    assert!(store.keep_scores(scoring("a", 0, &[("{}", None)])).unwrap());
    assert_eq!(next(Some("b")).as_deref(), Some("c"));
}

#[test]
fn trajectories_are_listed_by_their_last_change() {
    let (_folder, file) = folder();
    type At = (&'static str, fn() -> u64);
    let clocks: [At; 4] = [("a", || 1_000_000), ("b", || 2_000_000), ("c", || 2_000_000), ("a", || 3_000_000)];
    for (id, clock_us) in clocks {
        let store = open_at(&file, clock_us);
        kept(
            &store,
            Appending {
                steps: vec![NewStep { prompt: Some(format!("Find {id}")), ..step("x") }],
                ..appending(id, &[])
            },
        );
        store.close().unwrap();
    }
    let store = Store::open(&file).unwrap();
    let listed = |page: TrajectoryPage| -> Vec<String> {
        store.trajectories(&TrajectoryPage { limit: 9, ..page }).unwrap().into_iter().map(|head| head.id).collect()
    };
    assert_eq!(listed(TrajectoryPage::default()), ["a", "c", "b"]);
    let after =
        |at: &str, id: &str| TrajectoryPage { after: Some((at.to_owned(), id.to_owned())), ..Default::default() };
    assert_eq!(listed(after("1970-01-01T00:00:02.000Z", "c")), ["b"]);
    assert_eq!(listed(after("1970-01-01T00:00:03.000Z", "a")), ["c", "b"]);
    assert_eq!(listed(TrajectoryPage { search: Some("FIND B".to_owned()), ..Default::default() }), ["b"]);
    assert_eq!(listed(TrajectoryPage { alerting: true, ..Default::default() }), [""; 0]);
    let summary = LiveSummary { of_steps: 1, alerts: 1, ..LiveSummary::default() };
    assert!(store.keep_scores(Scoring { summary: Some(summary), ..scoring("c", 0, &[("{}", None)]) }).unwrap());
    assert_eq!(listed(TrajectoryPage { alerting: true, ..Default::default() }), ["c"]);
}

#[test]
fn what_is_deleted_is_gone() {
    let (folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let secret = "a secret that nobody else says";
    kept(&store, keyed("t", &[secret, "b"], "k", 1));
    assert!(store.keep_scores(scoring("t", 0, &[("{}", Some(secret))])).unwrap());
    assert!(store.delete_trajectory("t").unwrap() && !store.delete_trajectory("t").unwrap());
    assert_eq!((store.trajectory("t").unwrap(), store.contents().unwrap().steps), (None, 0));
    for table in ["trajectory_agents", "step_scores", "step_keys"] {
        let rows: i64 =
            store.read(|it| it.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))).unwrap();
        assert_eq!(rows, 0, "{table}");
    }
    store.close().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let bytes = std::fs::read(&file).unwrap();
    assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
}

#[test]
fn agents_are_counted_and_those_beyond_the_limit_together() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    for (trajectory, agent) in
        [("a1", Some("a")), ("a2", Some("a")), ("b1", Some("b")), ("c1", Some("c")), ("n1", None)]
    {
        let mut appending = appending(trajectory, &["one", "two"]);
        appending.steps.iter_mut().for_each(|step| step.agent = agent.map(str::to_owned));
        kept(&store, appending);
    }
    let summary = LiveSummary { of_steps: 2, mean_ids: Some(0.5), max_ids: Some(0.75), onset: Some(1), alerts: 3 };
    let scored = Scoring { summary: Some(summary), ..scoring("a1", 0, &[("{}", None)]) };
    assert!(store.keep_scores(scored).unwrap());
    let told = |limit: usize| -> Vec<(Option<String>, bool, u64, u64, u64)> {
        let counts = store.agent_counts("", limit).unwrap();
        counts.into_iter().map(|own| (own.agent, own.rest, own.trajectories, own.steps, own.alerts)).collect()
    };
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(
        told(9),
        [(name("a"), false, 2, 4, 3), (None, false, 1, 2, 0), (name("b"), false, 1, 2, 0), (name("c"), false, 1, 2, 0)]
    );
    assert_eq!(told(1), [(name("a"), false, 2, 4, 3), (None, true, 3, 6, 0)]);
    let first = store.agent_counts("", 1).unwrap().remove(0);
    assert_eq!((first.mean_ids, first.max_ids, first.onsets), (Some(0.5), Some(0.75), 1));
    assert_eq!(store.agent_counts("9999", 9).unwrap(), []);
}
