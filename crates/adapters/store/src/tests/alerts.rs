//! Rules of alerts over a store: what waits for them, how they stand, what they said, through the end of a server and after a change of rules.

use std::path::Path;

use rusqlite::Connection;
use steadfast_engine::alerts::{Alerts, Begun, Bound, LeftOut, Metric, Rule, Share, untold};
use steadfast_engine::store::{
    AgentAudits, AlertDelivery, AlertStore, Appending, DeliveryState, LiveStore, Looked, NewStep, NoticePage, Pruned,
    RetentionStore, Run, RunPage, RunStore, Scoring, StoredNotice, StoredScore, StoredStream, StreamPage, rfc3339,
    uuid_v7,
};
use steadfast_wire::alerts::AlertState;

use super::folder;
use super::records::run;
use crate::Store;
use crate::connection::Limits;
use crate::migrations::{APPLICATION_ID, MIGRATIONS};

const SECOND_US: u64 = 1_000_000;
const DAY_S: u64 = 24 * 60 * 60;

/// A store whose clock stands still.
fn at(file: &Path, clock_us: fn() -> u64) -> Store {
    Store::open_within(file, Limits { clock_us, ..Limits::default() }).unwrap()
}

fn first() -> u64 {
    10 * DAY_S * SECOND_US
}

fn an_hour_later() -> u64 {
    first() + 3_600 * SECOND_US
}

fn two_days_later() -> u64 {
    first() + 2 * DAY_S * SECOND_US
}

fn rule(name: &str, metric: Metric, k: usize) -> Rule {
    Rule {
        name: name.to_owned(),
        metric,
        bound: Bound::Above(0.5),
        fires: Share { k, n: k },
        resolves: Share { k: 1, n: 1 },
        window_us: None,
        cooldown_us: 0,
        agent: "*".to_owned(),
        to: vec!["ops".to_owned()],
    }
}

fn begin(store: &Store, rules: &[Rule]) -> (Alerts, Option<String>, Vec<(String, AlertState)>) {
    let Begun { alerts, looked_at, ended } = Alerts::begin(store, rules.to_vec()).unwrap();
    let ended = ended.into_iter().map(|own| (own.notice.rule, own.notice.state)).collect();
    (alerts.unwrap(), looked_at, ended)
}

/// What changed, by rule, agent and state.
fn look(alerts: &mut Alerts, store: &Store) -> Vec<(String, String, AlertState)> {
    let looked = alerts.look(store).unwrap();
    assert_eq!(looked.left_out, LeftOut::default());
    let of = |own: steadfast_engine::alerts::Telling| {
        (own.notice.rule, own.notice.agent.unwrap_or_default(), own.notice.state)
    };
    looked.tellings.into_iter().map(of).collect()
}

fn steps(store: &Store, trajectory: &str, agent: &str, first: u64, values: &[f64]) {
    let step = NewStep { agent: Some(agent.to_owned()), output: Some("said".to_owned()), ..NewStep::default() };
    let appending = Appending {
        trajectory: trajectory.to_owned(),
        steps: vec![step; values.len()],
        key: None,
        key_us_max: 1,
        keys_max: 1,
        steps_max: 1_000,
        agents_max: 9,
    };
    store.append_steps(appending)().unwrap();
    scores(store, trajectory, first, values);
}

fn scores(store: &Store, trajectory: &str, first: u64, values: &[f64]) {
    let score = |(number, value): (u64, &f64)| StoredScore {
        scores: format!(
            r#"{{"step":{number},"ids":{value},"goal_distance":0.1,"goal_from":0,"update_type":null,"anchor_ids":0.1,"echo":0.0,"truncated":false,"no_text":false,"broken":[]}}"#
        ),
        goal: None,
    };
    let scoring = Scoring {
        trajectory: trajectory.to_owned(),
        first,
        scores: (first..).zip(values).map(score).collect(),
        scorer: "test".to_owned(),
        summary: None,
    };
    assert!(store.keep_scores(scoring).unwrap());
}

/// A review of this score that began at a moment.
fn review(store: &Store, number: u64, at_us: u64, agent: Option<&str>, score: f64) {
    let mut own = run(number, "review", &REVIEW.replace("SCORE", &score.to_string()));
    own.head.id = uuid_v7(at_us, number);
    own.head.created_at = rfc3339(at_us);
    own.head.agent = agent.map(str::to_owned);
    store.keep(own, None, Vec::new())().unwrap();
}

const REVIEW: &str = r#"{"schema_version":"1","task_id":"t","score":SCORE,"not_evaluable":null,"recommendation":"approve","capped_by":[],"threshold":0.6,"profile":"seed","dimensions":{"correctness":null,"security":null,"completeness":null,"style":null},"warnings":[],"items":[],"categories":{},"criteria":[],"contradictions":[],"check_in":null,"timeline":[],"not_counted":[],"reflection":[],"tokens":{"full":1,"returned":1,"estimate":"x"},"output":{"file":"o","bytes":1,"sha256":"0"},"embedding_version":null}"#;

#[test]
fn an_older_store_keeps_all_that_it_holds() {
    let (_folder, file) = folder();
    let connection = Connection::open(&file).unwrap();
    for tables in &MIGRATIONS[..7] {
        connection.execute_batch(tables).unwrap();
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    connection.pragma_update(None, "user_version", 7).unwrap();
    let id = uuid_v7(first(), 1);
    connection
        .execute(
            "INSERT INTO runs VALUES (?1, 'audit', ?2, '0', '1', NULL, ?3, '[]', '{}', 'risk low', 0, '{}', NULL, 2, '{}')",
            [&id, &rfc3339(first()), &"0".repeat(64)],
        )
        .unwrap();
    connection
        .execute_batch(
            "INSERT INTO trajectories VALUES (1, 't', 'a', 'b', NULL, 'poet', 1, 1, 1, 'x', 1, NULL, NULL, NULL, 0);
             INSERT INTO steps VALUES ('0189a8d2-6f00-7000-8000-000000000001', 1, 0, NULL, 'poet', NULL, NULL, NULL, 'said');
             INSERT INTO step_scores VALUES (1, 0, NULL, '{}');",
        )
        .unwrap();
    drop(connection);
    let store = Store::open(&file).unwrap();
    let kept = RunStore::run(&store, &id).unwrap().unwrap();
    assert_eq!((kept.head.agent, kept.result.as_str()), (None, "{}"));
    let head = store.trajectory("t").unwrap().unwrap();
    assert_eq!((head.agent.as_deref(), head.scored), (Some("poet"), 1));
    assert_eq!(store.scored_steps("t", 0, 9, 99).unwrap()[0].scores.as_deref(), Some("{}"));
    // Nothing of it waits for rules.
    let (mut alerts, looked_at, _) = begin(&store, &[rule("r", Metric::Ids, 1)]);
    assert_eq!((looked_at, look(&mut alerts, &store)), (None, Vec::new()));
}

#[test]
fn an_agent_stands_with_its_runs_and_audits_are_counted_by_it() {
    let (_folder, file) = folder();
    let store = at(&file, an_hour_later);
    let keep = |number: u64, agent: Option<&str>, verb: &str, broken: Option<u64>| {
        let mut own = run(number, verb, "{}");
        own.head.id = uuid_v7(first(), number);
        own.head.agent = agent.map(str::to_owned);
        own.head.broken = broken;
        store.keep(own, None, Vec::new())().unwrap();
    };
    keep(1, Some("baker"), "audit", Some(0));
    keep(2, Some("baker"), "audit", Some(3));
    keep(3, Some("poet"), "audit", Some(1));
    keep(4, None, "audit", Some(0));
    keep(5, Some("poet"), "plan", Some(1));
    keep(6, Some("poet"), "watch", None);
    let of = |agent: &str| {
        let page = RunPage { agent: Some(agent.to_owned()), limit: 9, ..RunPage::default() };
        store.runs(&page).unwrap().into_iter().map(|own| (own.verb, own.agent)).collect::<Vec<_>>()
    };
    let poet = Some("poet".to_owned());
    let verbs = ["audit", "plan", "watch"].map(|verb| (verb.to_owned(), poet.clone()));
    assert_eq!(of("poet"), verbs);
    assert_eq!(of("po"), []);
    let count = |agent: Option<&str>, rest: bool, audits: u64, broken: u64| AgentAudits {
        agent: agent.map(str::to_owned),
        rest,
        audits,
        broken,
    };
    let since = rfc3339(first() - 1);
    assert_eq!(
        store.agent_audits(&since, 9).unwrap(),
        [count(Some("baker"), false, 2, 1), count(None, false, 1, 0), count(Some("poet"), false, 1, 1)]
    );
    assert_eq!(store.agent_audits(&since, 1).unwrap(), [count(Some("baker"), false, 2, 1), count(None, true, 2, 1)]);
    assert_eq!(store.agent_audits(&rfc3339(first() + SECOND_US), 9).unwrap(), []);
    // What is said of a run goes with it.
    let ids: Vec<String> = (1..=4).map(|number| uuid_v7(first(), number)).collect();
    assert_eq!(store.delete_runs(&ids).unwrap(), None);
    assert_eq!(store.agent_audits(&since, 9).unwrap(), []);
}

#[test]
fn what_is_stored_while_nobody_looks_is_looked_at_later_and_once() {
    let (_folder, file) = folder();
    let rules = [rule("ids", Metric::Ids, 2), rule("score", Metric::ReviewScore, 1)];
    let (poet, fires) = ("poet".to_owned(), AlertState::Firing);
    let store = at(&file, first);
    review(&store, 1, first() - SECOND_US, Some("poet"), 0.9);
    steps(&store, "t", "poet", 0, &[0.9]);
    let (mut alerts, looked_at, _) = begin(&store, &rules);
    assert_eq!((looked_at, look(&mut alerts, &store)), (None, Vec::new()), "what was there before is none of theirs");
    steps(&store, "t", "poet", 1, &[0.9]);
    assert_eq!(look(&mut alerts, &store), []);
    store.close().unwrap();

    // While no server looks: one more step, which is the second that is wrong, and a run.
    let store = at(&file, first);
    steps(&store, "t", "poet", 2, &[0.9]);
    review(&store, 2, first(), None, 0.9);
    store.close().unwrap();

    let store = at(&file, an_hour_later);
    let (mut alerts, looked_at, ended) = begin(&store, &rules);
    assert_eq!((looked_at, ended), (Some(rfc3339(first())), Vec::new()));
    let told = look(&mut alerts, &store);
    assert_eq!(told, [("score".to_owned(), String::new(), fires), ("ids".to_owned(), poet.clone(), fires)]);
    assert_eq!(look(&mut alerts, &store), []);
    store.close().unwrap();

    // The next one fires nothing again, and knows what fires.
    let store = at(&file, an_hour_later);
    assert_eq!(untold(&store).unwrap().len(), 2, "nobody said that it was told");
    let (mut alerts, _, _) = begin(&store, &rules);
    assert_eq!(look(&mut alerts, &store), []);
    steps(&store, "t", "poet", 3, &[0.9, 0.9]);
    assert_eq!(look(&mut alerts, &store), []);
    steps(&store, "u", "poet", 0, &[0.1]);
    assert_eq!(look(&mut alerts, &store), [("ids".to_owned(), poet, AlertState::Resolved)]);
    let firing = StreamPage { firing: true, limit: 9, ..StreamPage::default() };
    let names: Vec<String> = store.alert_streams(&firing).unwrap().into_iter().map(|own| own.rule).collect();
    assert_eq!(names, ["score"]);
}

#[test]
fn what_is_older_than_a_day_is_left_out_and_counted() {
    let (_folder, file) = folder();
    let rules = [rule("ids", Metric::Ids, 1), rule("score", Metric::ReviewScore, 1)];
    let store = at(&file, first);
    begin(&store, &rules);
    steps(&store, "t", "poet", 0, &[0.9, 0.9]);
    review(&store, 1, first(), None, 0.9);
    let on_the_edge = two_days_later() - DAY_S * SECOND_US;
    review(&store, 2, on_the_edge - 1_000, None, 0.9);
    review(&store, 3, on_the_edge, Some("edge"), 0.9);
    store.close().unwrap();
    let store = at(&file, two_days_later);
    let (mut alerts, _, _) = begin(&store, &rules);
    let looked = alerts.look(&store).unwrap();
    assert_eq!(looked.left_out, LeftOut { runs: 2, steps: 2 });
    let agents: Vec<Option<String>> = looked.tellings.into_iter().map(|own| own.notice.agent).collect();
    assert_eq!(agents, [Some("edge".to_owned())]);
    assert_eq!(alerts.look(&store).unwrap().left_out, LeftOut::default());
}

#[test]
fn steps_that_have_no_scores_yet_wait_until_they_have() {
    let (_folder, file) = folder();
    let store = at(&file, first);
    let step = NewStep { agent: Some("poet".to_owned()), output: Some("said".to_owned()), ..NewStep::default() };
    let appending = |steps| Appending {
        trajectory: "t".to_owned(),
        steps,
        key: None,
        key_us_max: 1,
        keys_max: 1,
        steps_max: 9,
        agents_max: 9,
    };
    store.append_steps(appending(vec![step.clone()]))().unwrap();
    let (mut alerts, _, _) = begin(&store, &[rule("ids", Metric::Ids, 1)]);
    store.append_steps(appending(vec![step]))().unwrap();
    assert_eq!(look(&mut alerts, &store), []);
    scores(&store, "t", 0, &[0.9, 0.1]);
    let states: Vec<AlertState> = look(&mut alerts, &store).into_iter().map(|(_, _, state)| state).collect();
    assert_eq!(states, [AlertState::Firing, AlertState::Resolved]);
}

#[test]
fn a_rule_that_is_gone_or_another_ends_what_it_said_once() {
    let (_folder, file) = folder();
    let store = at(&file, first);
    let rules = [rule("changed", Metric::Ids, 1), rule("gone", Metric::Ids, 1), rule("same", Metric::Ids, 1)];
    let (mut alerts, _, _) = begin(&store, &rules);
    steps(&store, "t", "poet", 0, &[0.9]);
    assert_eq!(look(&mut alerts, &store).len(), 3);
    for own in untold(&store).unwrap() {
        let told = AlertDelivery {
            to: "ops".to_owned(),
            state: DeliveryState::Told,
            attempts: 2,
            at: rfc3339(first()),
            error: None,
        };
        assert!(store.keep_delivery(&own.id, told).unwrap());
    }
    assert_eq!(untold(&store).unwrap(), []);
    store.close().unwrap();

    let store = at(&file, an_hour_later);
    let same = Rule { to: Vec::new(), ..rule("same", Metric::Ids, 1) };
    let rules = [rule("changed", Metric::Ids, 2), same];
    let (mut alerts, _, ended) = begin(&store, &rules);
    let over = ["changed", "gone"].map(|name| (name.to_owned(), AlertState::Resolved));
    assert_eq!(ended, over);
    let waiting = untold(&store).unwrap();
    assert!(
        waiting.iter().all(|own| own.to == ["ops"] && own.notice.of == 0 && own.notice.value == 0.9),
        "{waiting:?}"
    );
    assert_eq!(waiting.len(), 2);
    let (_, _, again) = begin(&store, &rules);
    assert_eq!(again, []);
    // One more that is wrong is the first one of the changed rule.
    steps(&store, "t", "poet", 1, &[0.9]);
    assert_eq!(look(&mut alerts, &store), []);
    steps(&store, "t", "poet", 2, &[0.9]);
    assert_eq!(look(&mut alerts, &store), [("changed".to_owned(), "poet".to_owned(), AlertState::Firing)]);

    // Without rules nothing waits any more.
    let Begun { alerts: None, ended, .. } = Alerts::begin(&store, Vec::new()).unwrap() else {
        panic!("there are none")
    };
    assert_eq!(ended.len(), 2);
    assert_eq!(
        (
            store.alerts_looked().unwrap(),
            store.alert_streams(&StreamPage { limit: 9, ..StreamPage::default() }).unwrap()
        ),
        (None, Vec::new())
    );
    review(&store, 9, an_hour_later(), None, 0.9);
    assert_eq!(store.unlooked_runs(9).unwrap(), [""; 0]);
    assert!(!store.keep_looked(Looked::default()).unwrap());
}

#[test]
fn what_cannot_be_kept_is_looked_at_again() {
    let (_folder, file) = folder();
    let store = at(&file, first);
    let (mut alerts, _, _) = begin(&store, &[rule("ids", Metric::Ids, 2)]);
    steps(&store, "t", "poet", 0, &[0.9]);
    let broken = Connection::open(&file).unwrap();
    broken
        .execute_batch("CREATE TRIGGER full BEFORE UPDATE ON alert_state BEGIN SELECT RAISE(ABORT, 'full'); END")
        .unwrap();
    assert!(alerts.look(&store).is_err());
    broken.execute_batch("DROP TRIGGER full").unwrap();
    // Had the first look counted, this would be the second of two that are wrong.
    assert_eq!(look(&mut alerts, &store), []);
    steps(&store, "t", "poet", 1, &[0.9]);
    assert_eq!(look(&mut alerts, &store).len(), 1);
}

fn notice(number: u64, rule: &str, agent: Option<&str>, targets: &[&str]) -> StoredNotice {
    let delivery = |target: &&str| AlertDelivery {
        to: (*target).to_owned(),
        state: DeliveryState::Waiting,
        attempts: 0,
        at: rfc3339(number * SECOND_US),
        error: None,
    };
    StoredNotice {
        id: uuid_v7(number * SECOND_US, number),
        rule: rule.to_owned(),
        agent: agent.map(str::to_owned),
        created_at: rfc3339(number * SECOND_US),
        notice: "{}".to_owned(),
        deliveries: targets.iter().map(delivery).collect(),
    }
}

#[test]
fn of_what_was_said_the_last_is_kept_and_told_of_by_rule_and_agent() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    store.begin_alerts("a").unwrap();
    let notices = vec![
        notice(1, "r", None, &["a"]),
        notice(2, "r", Some("poet"), &["b", "a"]),
        notice(3, "other", Some("poet"), &[]),
        notice(4, "r", None, &["a"]),
    ];
    store
        .keep_looked(Looked { notices: notices.clone(), notices_max: 3, at: "b".to_owned(), ..Looked::default() })
        .unwrap();
    let of = |page: NoticePage| store.alert_notices(&NoticePage { limit: 9, ..page }).unwrap();
    let mut second = notices[1].clone();
    second.deliveries.sort_by(|a, b| a.to.cmp(&b.to));
    assert_eq!(
        of(NoticePage::default()),
        [notices[3].clone(), notices[2].clone(), second.clone()],
        "the first one went"
    );
    let rule = Some("r".to_owned());
    assert_eq!(
        of(NoticePage { rule: rule.clone(), agent: Some("poet".to_owned()), ..NoticePage::default() }),
        [second.clone()]
    );
    assert_eq!(of(NoticePage { rule, agent: Some(String::new()), ..NoticePage::default() }), [notices[3].clone()]);
    assert_eq!(of(NoticePage { after: Some(notices[2].id.clone()), ..NoticePage::default() }), [second.clone()]);
    assert_eq!(of(NoticePage { waiting: true, ..NoticePage::default() }), [second.clone(), notices[3].clone()]);
    let failed = AlertDelivery {
        state: DeliveryState::Failed,
        attempts: 5,
        error: Some("status 500".to_owned()),
        ..second.deliveries[0].clone()
    };
    assert!(store.keep_delivery(&second.id, failed.clone()).unwrap());
    assert_eq!(of(NoticePage { waiting: true, ..NoticePage::default() })[0].deliveries[0], failed);
    assert!(!store.keep_delivery(&notices[0].id, failed).unwrap(), "its notice went");

    // What is old goes by age, and what fires stays.
    let stream = |rule: &str, firing: bool| StoredStream {
        rule: rule.to_owned(),
        agent: Some("poet".to_owned()),
        definition: "d".to_owned(),
        firing,
        since: Some("s".to_owned()),
        fired_us: Some(7),
        value: 0.25,
        subject: "t".to_owned(),
        at_us: 2 * SECOND_US,
        last: vec![(1, true), (u64::MAX >> 1, false)],
        ..StoredStream::default()
    };
    let streams = vec![stream("r", false), stream("other", true)];
    store
        .keep_looked(Looked { streams: streams.clone(), notices_max: 9, at: "c".to_owned(), ..Looked::default() })
        .unwrap();
    let kept = store.alert_streams(&StreamPage { limit: 9, ..StreamPage::default() }).unwrap();
    let numbered = |(number, own): (u64, &StoredStream)| StoredStream { number, ..own.clone() };
    assert_eq!(kept, (1..).zip(&streams).map(numbered).collect::<Vec<_>>());
    let after = store.alert_streams(&StreamPage { after: Some(1), limit: 9, ..StreamPage::default() }).unwrap();
    assert_eq!(after.len(), 1);
    assert_eq!(store.prune(&rfc3339(2 * SECOND_US), 99, false).unwrap(), Pruned::default());
    let pruned = store.prune(&rfc3339(2 * SECOND_US + 1_000), 99, false).unwrap();
    assert_eq!(pruned, Pruned { alerts: 2, ..Pruned::default() });
    assert_eq!(of(NoticePage::default()).len(), 2);
    assert_eq!(store.alert_streams(&StreamPage { limit: 9, ..StreamPage::default() }).unwrap()[0].rule, "other");
}

#[test]
fn a_run_that_is_deleted_does_not_wait() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    store.begin_alerts("a").unwrap();
    let runs: Vec<Run> = (1..=2).map(|number| run(number, "audit", "{}")).collect();
    for own in &runs {
        store.keep(own.clone(), None, Vec::new())().unwrap();
    }
    assert_eq!(store.unlooked_runs(9).unwrap().len(), 2);
    store.delete_runs(std::slice::from_ref(&runs[0].head.id)).unwrap();
    assert_eq!(store.unlooked_runs(9).unwrap(), [runs[1].head.id.as_str()]);
}
