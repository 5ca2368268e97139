//! Runs, tasks, messages, flags.

use proptest::prelude::*;
use steadfast_engine::store::{
    Flag, Message, Quality, Run, RunHead, RunPage, RunStore as _, RunText, Stamps as _, TaskPage, TaskStore as _,
};

use super::folder;
use crate::{Pending, Store, tasks};

pub(super) fn run(number: u64, verb: &str, result: &str) -> Run {
    Run {
        head: RunHead {
            id: steadfast_engine::store::uuid_v7(number * 1_000_000, number),
            verb: verb.to_owned(),
            created_at: steadfast_engine::store::rfc3339(number * 1_000_000),
            program_version: "0.1.0".to_owned(),
            schema_version: "1".to_owned(),
            rules_version: number.is_multiple_of(2).then(|| "rules/1".to_owned()),
            input_sha256: format!("{number:064x}"),
            inputs: "[]".to_owned(),
            settings: r#"{"judge":"rules"}"#.to_owned(),
            verdict: Some("risk low".to_owned()),
            exit_status: 1,
            spans: r#"{"total":3.5}"#.to_owned(),
            task_id: None,
            agent: number.is_multiple_of(3).then(|| format!("agent {}", number % 2)),
            broken: None,
            result_bytes: result.len() as u64,
        },
        result: result.to_owned(),
    }
}

pub(super) fn message(number: u64, task: &str, content: &str) -> Message {
    Message {
        id: steadfast_engine::store::uuid_v7(number * 1_000_000, number),
        task_id: task.to_owned(),
        role: "assistant".to_owned(),
        content: content.to_owned(),
        created_at: steadfast_engine::store::rfc3339(number * 1_000_000),
        eval_score: Some(0.6125),
        eval_summary: None,
        recommendation: Some("review".to_owned()),
        quality_flag: None,
        tags: Vec::new(),
        training_candidate: false,
        run_id: None,
    }
}

pub(super) fn flag(number: u64, quality: Quality, tags: &[&str]) -> Flag {
    Flag {
        id: steadfast_engine::store::uuid_v7(number * 1_000_000, number),
        at: steadfast_engine::store::rfc3339(number * 1_000_000),
        quality,
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
    }
}

impl Store {
    /// A message without a run.
    fn message_put(&self, message: Message) -> Pending {
        self.write(move |connection| tasks::put(connection, &message))
    }
}

fn page(verb: Option<&str>, after: Option<&Run>, newest_first: bool, limit: usize) -> RunPage {
    let (verb, after) = (verb.map(str::to_owned), after.map(|run| run.head.id.clone()));
    RunPage { verb, after, newest_first, limit, ..RunPage::default() }
}

#[test]
fn a_run_is_got_as_it_was_put() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let kept = run(7, "audit", "{\n  \"a\": \"\u{0} é ❓\"\n}\n");
    store.keep(kept.clone(), None, Vec::new())().unwrap();
    assert_eq!(store.run(&kept.head.id).unwrap(), Some(kept));
    assert_eq!(store.run("no such id").unwrap(), None);
}

#[test]
fn a_run_that_is_stored_again_stays_as_it_was() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let put = |own: &Run, number| {
        let own_message = Message { run_id: Some(own.head.id.clone()), ..message(number, "t", "x") };
        let texts = vec![RunText { name: "a".to_owned(), bytes: 1, text: Some("x".to_owned()) }];
        store.keep(own.clone(), Some(own_message), texts)()
    };
    let first = run(7, "audit", "{}");
    put(&first, 1).unwrap();
    let again = Run { head: RunHead { spans: r#"{"total":9.5}"#.to_owned(), ..first.head.clone() }, ..first.clone() };
    put(&again, 2).unwrap();
    assert_eq!(store.run(&first.head.id).unwrap(), Some(first.clone()));
    assert_eq!(store.messages("t", None, 9).unwrap().len(), 1);
    let another = Run { head: RunHead { verb: "plan".to_owned(), ..first.head }, ..first };
    assert!(put(&another, 3).is_err(), "an id is given once");
}

#[test]
fn runs_are_listed_page_by_page_both_ways() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let all: Vec<Run> =
        (1..=9).map(|number| run(number, if number % 3 == 0 { "plan" } else { "audit" }, "{}")).collect();
    for one in &all {
        drop(store.keep(one.clone(), None, Vec::new()));
    }
    store.flush().unwrap();
    let listed = |page: RunPage| -> Vec<u64> {
        let heads = store.runs(&page).unwrap();
        heads.iter().map(|head| u64::from_str_radix(&head.input_sha256, 16).unwrap()).collect()
    };
    assert_eq!(listed(page(None, None, true, 4)), [9, 8, 7, 6]);
    assert_eq!(listed(page(None, Some(&all[5]), true, 4)), [5, 4, 3, 2]);
    assert_eq!(listed(page(None, Some(&all[5]), false, 9)), [7, 8, 9]);
    assert_eq!(listed(page(Some("plan"), None, false, 9)), [3, 6, 9]);
    assert_eq!(listed(page(Some("plan"), Some(&all[8]), true, 9)), [6, 3]);
    assert_eq!(listed(page(Some("watch"), None, true, 9)), [0; 0]);
    assert_eq!(listed(page(None, None, true, 0)), [0; 0]);
}

#[test]
fn runs_are_deleted_all_or_none_and_their_bytes_are_gone() {
    let (folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let secret = "a secret that nobody else says";
    let (a, b) = (run(1, "audit", secret), run(2, "audit", secret));
    store.keep(a.clone(), None, Vec::new())().unwrap();
    store.keep(b.clone(), Some(Message { run_id: Some(b.head.id.clone()), ..message(3, "t", "x") }), Vec::new())()
        .unwrap();
    let ids = [a.head.id.clone(), "missing".to_owned()];
    assert_eq!(store.delete_runs(&ids).unwrap().as_deref(), Some("missing"));
    assert!(store.run(&a.head.id).unwrap().is_some(), "none was deleted");
    assert_eq!(store.delete_runs(&[a.head.id, b.head.id]).unwrap(), None);
    assert_eq!(store.runs(&page(None, None, true, 9)).unwrap(), []);
    assert_eq!(store.latest_message("t").unwrap().unwrap().run_id, None, "the message stays");
    store.close().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let bytes = std::fs::read(&file).unwrap();
    assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
}

#[test]
fn a_run_and_its_message_are_kept_both_or_neither() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let bad = Message { eval_score: Some(1.5), ..message(1, "task-1", "x") };
    assert!(store.keep(run(1, "review", "{}"), Some(bad), Vec::new())().is_err());
    assert_eq!(store.runs(&page(None, None, true, 9)).unwrap(), []);
    assert_eq!(store.task("task-1").unwrap(), None);
    let dangling = Message { run_id: Some("no run".to_owned()), ..message(1, "task-1", "x") };
    assert!(store.message_put(dangling).wait().is_err());
}

#[test]
fn messages_of_a_task_stand_in_their_order() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let said: Vec<Message> = (1..=5).map(|number| message(number, "task-1", &format!("m{number} \u{0}"))).collect();
    for one in said.iter().rev() {
        drop(store.message_put(one.clone()));
    }
    drop(store.message_put(message(9, "task-2", "other")));
    store.flush().unwrap();
    assert_eq!(store.messages("task-1", None, 9).unwrap(), said);
    assert_eq!(store.messages("task-1", Some(&said[1].id), 2).unwrap(), said[2..4]);
    assert_eq!(store.latest_message("task-1").unwrap().as_ref(), said.last());
    assert_eq!(store.latest_message("task-3").unwrap(), None);
    let task = store.task("task-1").unwrap().unwrap();
    assert_eq!((task.messages, task.candidates, task.flags.len()), (5, 0, 0));
    assert_eq!((task.updated_at.as_str(), task.created_at < task.updated_at), ("1970-01-01T00:00:05.000Z", false));
}

#[test]
fn a_flag_marks_what_is_there_and_an_unsure_one_takes_it_back() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    assert!(!store.flag("task-1", flag(1, Quality::Good, &[])).unwrap(), "no such task");
    store.message_put(message(1, "task-1", "first")).wait().unwrap();
    store.message_put(message(2, "task-2", "other")).wait().unwrap();
    assert!(store.flag("task-1", flag(3, Quality::Good, &["auth", "é \"quoted\""])).unwrap());
    store.message_put(message(4, "task-1", "later")).wait().unwrap();
    let said = store.messages("task-1", None, 9).unwrap();
    assert_eq!(said[0].tags, ["auth", "é \"quoted\""]);
    assert_eq!((said[0].quality_flag, said[0].training_candidate), (Some(Quality::Good), true));
    assert_eq!((said[1].quality_flag, said[1].training_candidate, said[1].tags.len()), (None, false, 0));
    let candidates = TaskPage { candidates_only: true, limit: 9, ..TaskPage::default() };
    assert_eq!(store.tasks(&candidates).unwrap(), [store.task("task-1").unwrap().unwrap()]);
    assert!(store.flag("task-1", flag(5, Quality::Unsure, &[])).unwrap());
    assert_eq!(store.tasks(&candidates).unwrap(), []);
    let task = store.task("task-1").unwrap().unwrap();
    let said: Vec<&str> = task.flags.iter().map(|flag| flag.quality.name()).collect();
    assert_eq!((said, task.candidates), (vec!["good", "unsure"], 0));
    let all = TaskPage { limit: 1, after: Some("task-1".to_owned()), ..TaskPage::default() };
    assert_eq!(store.tasks(&all).unwrap()[0].id, "task-2");
    assert!(store.delete_task("task-1").unwrap() && !store.delete_task("task-1").unwrap());
    assert_eq!(store.messages("task-1", None, 9).unwrap(), []);
    assert_eq!(store.contents().unwrap().messages, 1);
}

#[test]
fn stamps_are_given_once_and_sort() {
    let (_folder, file) = folder();
    let store = Store::open(&file).unwrap();
    let stamps: Vec<_> = (0..2_000).map(|_| store.stamp().unwrap()).collect();
    let mut ids: Vec<&str> = stamps.iter().map(|stamp| stamp.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 2_000);
    assert!(stamps.iter().all(|stamp| stamp.at.ends_with('Z') && stamp.at.len() == 24));
}

#[test]
fn what_is_only_read_writes_nothing() {
    let (folder, file) = folder();
    assert_eq!(Store::open_to_read(&file).map(drop).unwrap_err().to_string().split(": ").last(), Some("no such file"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let store = Store::open(&file).unwrap();
    store.keep(run(1, "audit", "{}"), None, Vec::new())().unwrap();
    let reading = Store::open_to_read(&file).unwrap();
    assert_eq!(reading.runs(&page(None, None, true, 9)).unwrap().len(), 1);
    store.keep(run(2, "audit", "{}"), None, Vec::new())().unwrap();
    assert_eq!(reading.runs(&page(None, None, true, 9)).unwrap().len(), 2, "it sees what is written meanwhile");
    let error = reading.keep(run(3, "audit", "{}"), None, Vec::new())().unwrap_err();
    assert!(error.what.ends_with(": may not be read and written"), "{error}");
    store.close().unwrap();
    reading.close().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_text_is_got_as_it_was_put(
        task in "\\PC{1,40}", content in ".{0,200}", role in "\\PC{0,9}",
        tags in prop::collection::vec(".{0,20}", 0..4), score in prop::option::of(0.0..=1.0_f64),
    ) {
        let (_folder, file) = folder();
        let store = Store::open(&file).unwrap();
        let kept = Message { eval_score: score, role, ..message(1, &task, &content) };
        store.message_put(kept.clone()).wait().unwrap();
        prop_assert_eq!(store.latest_message(&task).unwrap(), Some(kept));
        let flag = Flag { tags, ..flag(2, Quality::Bad, &[]) };
        prop_assert!(store.flag(&task, flag.clone()).unwrap());
        prop_assert_eq!(&store.latest_message(&task).unwrap().unwrap().tags, &flag.tags);
        prop_assert_eq!(store.task(&task).unwrap().unwrap().flags, [flag]);
    }
}
