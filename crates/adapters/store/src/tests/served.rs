//! What a server keeps: texts of runs, counts, decisions, keys, jobs.

use steadfast_engine::store::{
    DecisionPage, DecisionStore, JobChange, JobItem, JobStore, KeyStore, Quality, Run, RunPage, RunStore, RunText,
    StoredDecision, StoredJob, StoredKey, TaskPage, TaskStore, Whose, rfc3339, uuid_v7,
};

use super::folder;
use super::records::{flag, message, run};
use crate::Store;

fn text(name: &str, text: Option<&str>) -> RunText {
    RunText { name: name.to_owned(), bytes: text.map_or(99, str::len) as u64, text: text.map(str::to_owned) }
}

/// A run of a day of 1970, that read one file and came to something.
fn of(number: u64, verb: &str, verdict: &str, exit_status: u8, file: &str) -> Run {
    let mut own = run(number, verb, "{}");
    own.head.verdict = (!verdict.is_empty()).then(|| verdict.to_owned());
    own.head.exit_status = exit_status;
    own.head.inputs = format!(r#"[{{"name":{},"bytes":1,"sha256":"abc"}}]"#, serde_json::json!(file));
    own
}

fn store_of(runs: &[Run]) -> (tempfile::TempDir, Store) {
    let (folder, file) = folder();
    let store = Store::open(&file).unwrap();
    for run in runs {
        store.keep(run.clone(), None, Vec::new())().unwrap();
    }
    (folder, store)
}

#[track_caller]
fn found(store: &Store, page: RunPage) -> Vec<u64> {
    let heads = store.runs(&RunPage { newest_first: true, limit: 99, ..page }).unwrap();
    heads.iter().map(|head| u64::from_str_radix(&head.input_sha256, 16).unwrap()).collect()
}

#[test]
fn texts_of_a_run_go_with_it() {
    let (_folder, store) = store_of(&[]);
    let texts = vec![text("prompt.txt", Some("a \u{0} secret é")), text("report.md", None)];
    let own = run(1, "audit", "{}");
    store.keep(own.clone(), None, texts.clone())().unwrap();
    assert_eq!(store.run_texts(&own.head.id).unwrap(), texts);
    assert_eq!(store.run_texts("none").unwrap(), []);
    let twice = vec![text("a", Some("x")), text("a", Some("y"))];
    assert!(store.keep(run(2, "audit", "{}"), None, twice)().is_err());
    assert_eq!(found(&store, RunPage::default()), [1], "a run and its texts are kept both or neither");
    store.delete_runs(std::slice::from_ref(&own.head.id)).unwrap();
    assert_eq!(store.run_texts(&own.head.id).unwrap(), []);
}

#[test]
fn runs_are_found_by_what_they_came_to_when_and_of_what() {
    let mut with_task = of(6, "review", "approve", 0, "z");
    with_task.head.task_id = Some("Task-77".to_owned());
    let (_folder, store) = store_of(&[
        of(1, "audit", "risk low", 0, "Prompt.txt"),
        of(2, "audit", "risk high", 0, "b/prompt \"x\".txt"),
        of(3, "plan", "rejected", 1, "notes.md"),
        of(4, "watch", "0 alerts", 0, "steps.jsonl"),
        of(5, "watch", "2 alerts", 0, "steps.jsonl"),
        with_task,
        of(7, "review", "", 3, "z"),
        of(8, "plan check", "fail", 0, "abcdef.md"),
    ]);
    let page = RunPage::default;
    assert_eq!(found(&store, RunPage { verb: Some("watch".to_owned()), ..page() }), [5, 4]);
    assert_eq!(found(&store, RunPage { verdict: Some("risk high".to_owned()), ..page() }), [2]);
    assert_eq!(found(&store, RunPage { attention: true, ..page() }), [8, 7, 5, 3, 2]);
    assert_eq!(found(&store, RunPage { since: Some("1970-01-01T00:00:06.000Z".to_owned()), ..page() }), [8, 7, 6]);
    let search = |search: &str| found(&store, RunPage { search: Some(search.to_owned()), ..page() });
    assert_eq!(search("PROMPT"), [2, 1]);
    assert_eq!(search("prompt \"X"), [2], "a name that JSON escapes");
    assert_eq!(search("task-77"), [6]);
    assert_eq!(search("abc"), [8], "names are searched, not hashes");
    assert_eq!(search("name"), [0; 0]);
    assert_eq!(search("%"), [0; 0]);
    let id = uuid_v7(3_000_000, 3);
    assert_eq!(search(&id), [3]);
    assert_eq!(search(&id[..13].to_uppercase()), [3]);
    let both = RunPage { attention: true, verb: Some("watch".to_owned()), ..page() };
    assert_eq!(found(&store, RunPage { after: Some(uuid_v7(5_000_000, 5)), ..both }), [0; 0]);
}

#[test]
fn runs_are_counted_by_day() {
    const DAY: u64 = 24 * 60 * 60;
    let (_folder, store) = store_of(&[
        of(1, "audit", "risk low", 0, "a"),
        of(DAY, "audit", "risk low", 0, "a"),
        of(DAY + 1, "audit", "risk low", 0, "a"),
        of(DAY + 2, "audit", "risk low", 1, "a"),
        of(2 * DAY, "plan constraints", "", 0, "a"),
    ]);
    let told = |since: &str| -> Vec<String> {
        let counts = store.run_counts(since).unwrap();
        let line = |it: &steadfast_engine::store::DayCount| {
            format!("{} {} {:?} {} {}", it.day, it.verb, it.verdict.as_deref(), it.exit_status, it.runs)
        };
        counts.iter().map(line).collect()
    };
    assert_eq!(
        told("1970-01-02"),
        [
            "1970-01-02 audit Some(\"risk low\") 0 2",
            "1970-01-02 audit Some(\"risk low\") 1 1",
            "1970-01-03 plan constraints None 0 1"
        ]
    );
    assert_eq!((told("1970-01-01").len(), told("1970-01-04").len()), (4, 0));
}

#[test]
fn tasks_are_found_and_those_that_changed_last_come_first() {
    let (_folder, store) = store_of(&[]);
    for (number, task) in [(1, "a"), (2, "Big-b"), (3, "c"), (4, "a")] {
        store.keep(run(number, "review", "{}"), Some(message(number, task, "x")), Vec::new())().unwrap();
    }
    store.flag("c", flag(5, Quality::Bad, &[])).unwrap();
    store.flag("a", flag(6, Quality::Good, &[])).unwrap();
    store.flag("a", flag(7, Quality::Bad, &[])).unwrap();
    let found = |page: TaskPage| -> Vec<String> {
        store.tasks(&TaskPage { limit: 9, ..page }).unwrap().into_iter().map(|task| task.id).collect()
    };
    let newest = || TaskPage { newest_first: true, ..TaskPage::default() };
    assert_eq!(found(newest()), ["a", "c", "Big-b"]);
    assert_eq!(found(TaskPage { after: Some("a".to_owned()), ..newest() }), ["c", "Big-b"]);
    let moment = Some("1970-01-01T00:00:03.000Z".to_owned());
    assert_eq!(found(TaskPage { after: Some("c".to_owned()), after_at: moment, ..newest() }), ["Big-b"]);
    assert_eq!(found(TaskPage { search: Some("BIG".to_owned()), ..TaskPage::default() }), ["Big-b"]);
    assert_eq!(found(TaskPage { quality: Some(Quality::Bad), ..TaskPage::default() }), ["a", "c"]);
    assert_eq!(found(TaskPage { quality: Some(Quality::Good), ..TaskPage::default() }), [""; 0]);
}

fn decision(number: u64, finding: &str, decision: &str, run_id: Option<&str>) -> StoredDecision {
    StoredDecision {
        id: uuid_v7(number * 1_000_000, number),
        finding: finding.to_owned(),
        check: finding.rsplit_once('-').unwrap().0.to_owned(),
        run_id: run_id.map(str::to_owned),
        decision: decision.to_owned(),
        reason: "because \u{0}".to_owned(),
        author: Some("ci".to_owned()),
        until: Some("2026-03-31".to_owned()),
        created_at: rfc3339(number * 1_000_000),
    }
}

#[test]
fn the_last_decision_on_a_finding_holds() {
    let own = run(1, "audit", "{}");
    let (_folder, store) = store_of(std::slice::from_ref(&own));
    // The ids do not sort as the decisions were made: what was kept last is the last.
    let all = [
        decision(9, "scope-01", "accept", Some(&own.head.id)),
        decision(2, "scope-02", "contest", None),
        decision(3, "scope-01", "contest", None),
        decision(4, "banned-01", "accept", None),
        decision(1, "banned-01", "withdrawn", None),
    ];
    for one in &all {
        assert!(store.add_decision(one.clone()).unwrap());
    }
    assert!(!store.add_decision(decision(5, "x-1", "accept", Some("none"))).unwrap(), "a run that is not there");
    assert!(store.add_decision(decision(5, "x-1", "maybe", None)).is_err());
    assert_eq!(
        store.latest_decisions(&["scope-01", "none-1", "banned-01"]).unwrap(),
        [Some(all[2].clone()), None, Some(all[4].clone())]
    );
    let page = |page: DecisionPage| store.decisions(&DecisionPage { limit: 9, ..page }).unwrap();
    let newest: Vec<StoredDecision> = all.iter().rev().cloned().collect();
    assert_eq!(page(DecisionPage::default()), newest);
    assert_eq!(page(DecisionPage { after: Some(all[3].id.clone()), ..Default::default() }), newest[2..]);
    assert_eq!(page(DecisionPage { check: Some("banned".to_owned()), ..Default::default() }), newest[..2]);
    assert_eq!(page(DecisionPage { finding: Some("scope-02".to_owned()), ..Default::default() }), [all[1].clone()]);
    let latest = [all[4].clone(), all[2].clone(), all[1].clone()];
    assert_eq!(page(DecisionPage { latest_only: true, ..Default::default() }), latest);
    let counts: Vec<(String, String, u64)> =
        store.decision_counts().unwrap().into_iter().map(|it| (it.check, it.decision, it.count)).collect();
    assert_eq!(
        counts,
        [("banned".to_owned(), "withdrawn".to_owned(), 1), ("scope".to_owned(), "contest".to_owned(), 2)]
    );
    store.delete_runs(&[own.head.id]).unwrap();
    assert_eq!(page(DecisionPage::default())[4].run_id, None, "the decision outlives the run");
}

fn key(number: u8) -> StoredKey {
    StoredKey {
        id: uuid_v7(u64::from(number) * 1_000_000, 0),
        name: format!("key {number}"),
        scope: "read".to_owned(),
        sha256: [number; 32],
        created_at: rfc3339(u64::from(number) * 1_000_000),
        revoked_at: None,
    }
}

#[test]
fn keys_are_kept_up_to_a_limit_and_revoked_once() {
    let (_folder, store) = store_of(&[]);
    assert!(store.add_key(key(1), 2).unwrap() && store.add_key(key(2), 2).unwrap());
    assert!(!store.add_key(key(3), 2).unwrap(), "two hold");
    assert!(store.add_key(key(2), 9).is_err(), "a key is kept once");
    assert_eq!(store.revoke_key("none", "now").unwrap(), None);
    assert_eq!(store.revoke_key(&key(1).id, "now").unwrap().as_deref(), Some("now"));
    assert_eq!(store.revoke_key(&key(1).id, "later").unwrap().as_deref(), Some("now"));
    assert_eq!(store.keys(false).unwrap(), [key(2)]);
    assert_eq!(store.keys(true).unwrap(), [StoredKey { revoked_at: Some("now".to_owned()), ..key(1) }, key(2)]);
    assert!(store.add_key(key(3), 2).unwrap(), "one that was revoked leaves room");
}

const ENDED: &[&str] = &["done", "failed"];

fn job(number: u64, state: &str) -> StoredJob {
    StoredJob {
        id: uuid_v7(number * 1_000_000, 0),
        kind: "audit".to_owned(),
        state: state.to_owned(),
        created_at: "t0".to_owned(),
        updated_at: "t0".to_owned(),
        total: 3,
        done: 0,
        message: None,
    }
}

fn change(from: &'static [&'static str], state: &'static str, item: Option<u64>) -> JobChange {
    let item = item.map(|number| JobItem {
        number,
        name: format!("part {number}"),
        run_id: None,
        error: Some("broken".to_owned()),
    });
    JobChange { from, state, message: None, item, at: "t1".to_owned() }
}

#[test]
fn a_job_changes_only_from_the_states_it_may() {
    let (_folder, store) = store_of(&[]);
    let own = job(1, "queued");
    store.add_job(own.clone(), ENDED, 9).unwrap();
    assert_eq!(store.job(&own.id).unwrap(), Some(own.clone()));
    assert_eq!(store.change_job("none", change(&["queued"], "running", None)).unwrap(), None);
    let running = store.change_job(&own.id, change(&["queued"], "running", None)).unwrap().unwrap();
    assert_eq!((running.state.as_str(), running.updated_at.as_str()), ("running", "t1"));
    for number in [1, 0] {
        store.change_job(&own.id, change(&["running"], "running", Some(number))).unwrap().unwrap();
    }
    let said = JobChange { message: Some("why".to_owned()), ..change(&["queued", "running"], "failed", None) };
    let failed = store.change_job(&own.id, said).unwrap().unwrap();
    assert_eq!((failed.state.as_str(), failed.done, failed.message.as_deref()), ("failed", 2, Some("why")));
    // Whoever comes too late changes nothing.
    let late = store.change_job(&own.id, change(&["running"], "running", Some(2))).unwrap().unwrap();
    assert_eq!(late, failed);
    let items = |from, limit| -> Vec<u64> {
        store.job_items(&own.id, from, limit).unwrap().iter().map(|item| item.number).collect()
    };
    assert_eq!((items(0, 9), items(1, 9), items(0, 1)), (vec![0, 1], vec![1], vec![0]));
    assert!(store.change_job(&own.id, change(&["failed"], "odd", None)).is_err());
}

#[test]
fn jobs_that_were_left_are_changed_at_once_and_the_oldest_that_ended_go() {
    let (_folder, store) = store_of(&[]);
    for (number, state) in [(1, "done"), (2, "running"), (3, "failed"), (4, "queued")] {
        store.add_job(job(number, state), ENDED, 9).unwrap();
    }
    let states = || -> Vec<String> {
        store.jobs(None, 9).unwrap().into_iter().map(|job| format!("{}{}", &job.id[10..13], job.state)).collect()
    };
    assert_eq!(store.change_jobs(Whose::Ended, change(&["queued", "running"], "interrupted", None)).unwrap(), 0);
    assert_eq!(store.change_jobs(Whose::Own, change(&["queued", "running"], "interrupted", None)).unwrap(), 2);
    assert_eq!(states(), ["fa0interrupted", "bb8failed", "7d0interrupted", "3e8done"]);
    let page = store.jobs(Some(&job(3, "").id), 1).unwrap();
    assert_eq!(page[0].id, job(2, "").id);
    store.add_job(job(5, "queued"), ENDED, 4).unwrap();
    assert_eq!(states().len(), 4, "the oldest that ended is gone");
    assert_eq!(store.job(&job(1, "").id).unwrap(), None);
    // What has not ended stays, whatever the limit.
    store.add_job(job(6, "queued"), ENDED, 1).unwrap();
    assert_eq!(store.jobs(None, 9).unwrap().len(), 4);
}

#[test]
fn jobs_belong_to_the_store_that_took_them_in_until_it_is_closed() {
    let (folder, first) = store_of(&[]);
    let file = first.place.path().to_owned();
    let second = Store::open(&file).unwrap();
    first.add_job(job(1, "running"), ENDED, 9).unwrap();
    second.add_job(job(2, "queued"), ENDED, 9).unwrap();
    let all = || change(&["queued", "running"], "interrupted", None);
    // Each sees the jobs of the other, and lets them be.
    assert_eq!(second.change_jobs(Whose::Ended, all()).unwrap(), 0);
    assert_eq!(first.change_jobs(Whose::Ended, all()).unwrap(), 0);
    assert_eq!(second.jobs(None, 9).unwrap().len(), 2);
    let locks = || {
        let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().contains(".jobs-")).count()
    };
    assert_eq!(locks(), 2);
    first.close().unwrap();
    assert_eq!(locks(), 1);
    assert_eq!(second.change_jobs(Whose::Ended, all()).unwrap(), 1);
    assert_eq!(second.job(&job(1, "").id).unwrap().unwrap().state, "interrupted");
    assert_eq!(second.job(&job(2, "").id).unwrap().unwrap().state, "queued");
    // A file that a killed process left is no lock, and goes.
    let left = format!("{}.jobs-0123456789abcdef", file.display());
    std::fs::write(&left, "").unwrap();
    let own = "UPDATE jobs SET owner = '0123456789abcdef'";
    second.write_and_tell(move |connection| connection.execute(own, [])).unwrap();
    assert_eq!(second.change_jobs(Whose::Ended, all()).unwrap(), 1);
    assert!(!std::path::Path::new(&left).exists());
    // A name that is none of ours names no file.
    second.add_job(job(3, "queued"), ENDED, 9).unwrap();
    second.write_and_tell(|connection| connection.execute("UPDATE jobs SET owner = '../../x'", [])).unwrap();
    assert_eq!(second.change_jobs(Whose::Ended, all()).unwrap(), 1);
}
