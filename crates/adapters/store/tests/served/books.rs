//! Keys, decisions, jobs, texts of runs, and runs at a glance.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use steadfast_engine::decisions::{self, DecisionFilter};
use steadfast_engine::keys::{self, KEY_BYTES};
use steadfast_engine::runs::{Asked, Outcome, Recorder, RunFilter, find_runs, overview, run_texts};
use steadfast_engine::store::{Keep, Quality, Whose};
use steadfast_engine::tasks::{TaskFilter, find_tasks};
use steadfast_engine::{EngineError, jobs};
use steadfast_store::Store;
use steadfast_wire::decisions::{DecisionGiven, DecisionKind};
use steadfast_wire::jobs::JobState;
use steadfast_wire::keys::Scope;

fn open(file: &Path) -> Arc<dyn Keep> {
    Arc::new(Store::open(file).unwrap())
}

fn outcome(verb: &'static str, verdict: &str) -> Outcome {
    Outcome {
        task_id: None,
        verb,
        schema_version: "1".to_owned(),
        rules_version: None,
        verdict: Some(verdict.to_owned()),
        broken: None,
        result: "{}".to_owned(),
        output: None,
        texts: BTreeMap::new(),
    }
}

fn kept(store: &Arc<dyn Keep>, outcome: Outcome, exit_status: u8) -> String {
    let recorder = Recorder::begin(Arc::clone(store)).unwrap();
    recorder.end(&Asked::default(), outcome, exit_status).unwrap().unwrap().id
}

#[test]
fn texts_are_kept_where_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("s.db"));
    let texts = BTreeMap::from([("prompt.txt".to_owned(), "Plan it.".to_owned())]);
    let with = kept(&store, outcome("audit", "risk low").with_texts(texts.clone()), 0);
    let without = kept(&store, outcome("audit", "risk low"), 0);
    assert_eq!(run_texts(&*store, &with).unwrap().texts, texts);
    let none = run_texts(&*store, &without).unwrap();
    assert!(none.texts.is_empty() && none.left_out.is_empty() && none.run_id == without);
    assert_eq!(run_texts(&*store, "none").unwrap_err(), EngineError::NoRun("none".to_owned()));
}

#[test]
fn runs_are_told_at_a_glance() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("s.db"));
    let high = kept(&store, outcome("audit", "risk high"), 0);
    kept(&store, outcome("audit", "risk low"), 0);
    let rejected = kept(&store, outcome("plan", "rejected"), 1);
    let all = overview(&*store, 1, 10).unwrap();
    let day = store.stamp().unwrap().at[..10].to_owned();
    assert!(all.since <= day && all.counts.iter().map(|count| count.runs).sum::<u64>() == 3, "{all:?}");
    let attention: Vec<&str> = all.attention.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(attention, [rejected.as_str(), high.as_str()]);
    assert!(overview(&*store, 0, 1).is_err() && overview(&*store, 3_661, 1).is_err());
    let page = find_runs(&*store, RunFilter { since: Some(day), ..RunFilter::default() }, None, 2).unwrap();
    assert_eq!((page.runs.len(), page.next_cursor.as_deref()), (2, Some(page.runs[1].id.as_str())));
    let next = find_runs(&*store, RunFilter::default(), page.next_cursor.as_deref(), 2).unwrap();
    assert_eq!((next.runs[0].id.as_str(), next.next_cursor), (high.as_str(), None));
    let later = RunFilter { since: Some("2999-01-01".to_owned()), ..RunFilter::default() };
    assert_eq!(find_runs(&*store, later, None, 9).unwrap().runs, []);
    for filter in [
        RunFilter { since: Some("soon".to_owned()), ..RunFilter::default() },
        RunFilter { search: Some(String::new()), ..RunFilter::default() },
        RunFilter { search: Some("x".repeat(257)), ..RunFilter::default() },
    ] {
        assert!(matches!(find_runs(&*store, filter, None, 9), Err(EngineError::Search { .. })));
    }
    let none = find_tasks(&*store, TaskFilter { quality: Some(Quality::Bad), ..TaskFilter::default() }, None, 9);
    assert_eq!(none.unwrap().tasks, []);
    let newest = TaskFilter { newest_first: true, ..TaskFilter::default() };
    assert!(matches!(find_tasks(&*store, newest, Some("odd"), 9), Err(EngineError::Cursor { .. })));
}

fn given(finding: &str, decision: DecisionKind, reason: &str) -> DecisionGiven {
    DecisionGiven {
        finding: finding.to_owned(),
        check: None,
        run_id: None,
        decision,
        reason: reason.to_owned(),
        until: None,
    }
}

#[test]
fn a_decision_holds_until_the_next_or_its_last_day() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("s.db"));
    let accepted = given("banned-term-00ff", DecisionKind::Accept, " It is a quotation.\nSee there. ");
    let own = decisions::decide(&*store, accepted, Some("ci")).unwrap();
    assert_eq!(own.check, "banned-term");
    assert_eq!((own.reason.as_str(), own.author.as_deref()), ("It is a quotation.\nSee there.", Some("ci")));
    let latest = decisions::latest(&*store, &["banned-term-00ff", "other-1"]).unwrap();
    assert_eq!(latest, BTreeMap::from([("banned-term-00ff".to_owned(), own)]));
    let past = DecisionGiven {
        until: Some("2020-02-29".to_owned()),
        ..given("banned-term-00ff", DecisionKind::Contest, "wrong")
    };
    assert!(decisions::decide(&*store, past, None).unwrap().expired);
    let open_end = DecisionGiven {
        until: Some("2999-12-31".to_owned()),
        ..given("banned-term-00ff", DecisionKind::Contest, "wrong")
    };
    assert!(!decisions::decide(&*store, open_end, None).unwrap().expired);
    let taken_back = decisions::decide(&*store, given("banned-term-00ff", DecisionKind::Withdrawn, ""), None).unwrap();
    assert_eq!(decisions::latest(&*store, &["banned-term-00ff"]).unwrap()["banned-term-00ff"], taken_back);
    let page = decisions::list(&*store, DecisionFilter::default(), None, 3).unwrap();
    assert_eq!((page.decisions.len(), &page.decisions[0]), (3, &taken_back));
    let rest = decisions::list(&*store, DecisionFilter::default(), page.next_cursor.as_deref(), 3).unwrap();
    assert_eq!((rest.decisions.len(), rest.next_cursor), (1, None));
    let counts = decisions::counts(&*store).unwrap().checks;
    assert_eq!((counts.len(), counts[0].accepted, counts[0].contested, counts[0].withdrawn), (1, 0, 0, 1));
}

#[test]
fn what_is_no_decision_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("s.db"));
    let refused = |given: DecisionGiven| match decisions::decide(&*store, given, None) {
        Err(EngineError::Decision { what }) => what,
        other => panic!("{other:?}"),
    };
    let accept = |finding: &str, reason: &str| given(finding, DecisionKind::Accept, reason);
    assert_eq!(refused(accept("x-1", "  ")), "a decision needs a reason");
    assert!(refused(accept("x-1", &"é".repeat(1_001))).contains("at most 2000 bytes"));
    refused(accept("x-1", "a\u{1b}[2J"));
    refused(accept("", "why"));
    refused(accept("x\n-1", "why"));
    refused(accept(&"x".repeat(201), "why"));
    assert!(refused(accept("nohyphen", "why")).starts_with("the name of a check"));
    for until in ["tomorrow", "2026-02-30", "2026-2-3", "20260203", "2026-02-03T00:00"] {
        let given = DecisionGiven { until: Some(until.to_owned()), ..accept("x-1", "why") };
        assert!(refused(given).contains("is no day"), "{until}");
    }
    let run = DecisionGiven { run_id: Some("none".to_owned()), ..accept("x-1", "why") };
    let error = decisions::decide(&*store, run, None).unwrap_err();
    assert_eq!(error, EngineError::NoRun("none".to_owned()));
    decisions::decide(&*store, accept("x-1", &"é".repeat(1_000)), None).unwrap();
    let many = vec!["x-1"; 10_001];
    assert!(decisions::latest(&*store, &many).is_err());
}

#[test]
fn scopes_are_ordered_and_keys_differ() {
    assert!(Scope::Admin.covers(Scope::Write) && Scope::Write.covers(Scope::Read) && Scope::Read.covers(Scope::Read));
    assert!(!Scope::Read.covers(Scope::Write) && !Scope::Write.covers(Scope::Admin));
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("s.db"));
    let made = keys::create(&*store, &[0; KEY_BYTES], " ci ", Scope::Read).unwrap();
    assert_eq!((made.key.as_str(), made.kept.name.as_str()), ("sfk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "ci"));
    assert!(keys::create(&*store, &[0; KEY_BYTES], "again", Scope::Read).is_err(), "the same bytes make no other key");
    for name in ["", "  ", "a\tb", &"x".repeat(101)] {
        assert!(matches!(keys::create(&*store, &[1; KEY_BYTES], name, Scope::Read), Err(EngineError::KeyName { .. })));
    }
    assert_eq!(keys::check(&*store, &made.key).unwrap(), Some(made.kept.clone()));
    keys::revoke(&*store, &made.kept.id).unwrap();
    assert_eq!(keys::check(&*store, &made.key).unwrap(), None);
}

#[test]
fn a_job_goes_from_state_to_state_and_ends_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("s.db"));
    let job = jobs::create(&*store, "audit", 3).unwrap();
    assert_eq!((job.state, job.done), (JobState::Queued, 0));
    assert_eq!(jobs::start(&*store, &job.id).unwrap().state, JobState::Running);
    jobs::item_done(&*store, &job.id, 0, "a.zip", Ok("run".to_owned())).unwrap();
    jobs::item_done(&*store, &job.id, 1, "b.zip", Err("é".repeat(4_096))).unwrap();
    let shown = jobs::show(&*store, &job.id, None, 1).unwrap();
    assert_eq!((shown.job.done, shown.results.len(), shown.next_cursor), (2, 1, Some(1)));
    let rest = jobs::show(&*store, &job.id, shown.next_cursor, 9).unwrap();
    assert_eq!((rest.results[0].error.as_ref().map(String::len), rest.next_cursor), (Some(4_096), None));
    assert_eq!(jobs::cancel(&*store, &job.id).unwrap().state, JobState::Cancelled);
    // Whoever does it sees that at its next part, and changes nothing.
    assert_eq!(jobs::item_done(&*store, &job.id, 2, "c.zip", Ok("run".to_owned())).unwrap().state, JobState::Cancelled);
    assert_eq!(jobs::finish(&*store, &job.id).unwrap().done, 2);
    let left = jobs::create(&*store, "audit", 1).unwrap();
    assert_eq!(jobs::interrupt(&*store, Whose::Own).unwrap(), 1);
    let list = jobs::list(&*store, None, 1).unwrap();
    assert_eq!(
        (&list.jobs[0].id, list.jobs[0].state, list.next_cursor.is_some()),
        (&left.id, JobState::Interrupted, true)
    );
    assert!(list.jobs[0].message.is_some() && list.jobs[0].state.has_ended());
    assert!(matches!(jobs::start(&*store, "none"), Err(EngineError::NoJob { .. })));
    assert!(matches!(jobs::create(&*store, "audit", 10_001), Err(EngineError::JobTooLarge { .. })));
}
