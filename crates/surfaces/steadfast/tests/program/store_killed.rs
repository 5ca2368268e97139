//! Processes that are killed while they store: what was acknowledged is there, once, and the store is ready again at once.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::common::Place;
use steadfast_engine::store::{RunPage, RunStore as _, TaskStore as _};
use steadfast_faults::Random;
use steadfast_store::Store;

/// Rounds, each with its processes.
const ROUNDS: u64 = 200;

/// Processes of a round.
const PROCESSES: u64 = 4;

/// How long the store may take to be ready after a round.
const READY: Duration = Duration::from_secs(1);

/// Rounds between two whole checks of the file.
const CHECK_EVERY: u64 = 20;

fn seed() -> u64 {
    let chosen = std::env::var("STEADFAST_KILL_SEED").ok().and_then(|seed| seed.parse().ok());
    chosen.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        u64::from(now.subsec_nanos()) << 20 | u64::from(std::process::id())
    })
}

/// A process that reviews an output and stores it, known by its task.
fn start(place: &Place, task: &str) -> Child {
    let output = place.path(&format!("{task}.md"));
    let block = format!("<npl-block type=\"check-in\" task-id=\"{task}\">\n- ✅ Done\n</npl-block>\n");
    std::fs::write(&output, block).unwrap();
    Command::new(env!("CARGO_BIN_EXE_steadfast"))
        .args(["review", "-", "--store", "s.db", "-q"])
        .current_dir(place.root())
        .stdin(std::fs::File::open(output).unwrap())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// How often the run of each task is there.
fn kept(store: &Store) -> HashMap<String, u64> {
    let mut found = HashMap::new();
    let mut page = RunPage { verb: Some("review".to_owned()), limit: 1_000, ..RunPage::default() };
    loop {
        let heads = store.runs(&page).unwrap();
        let Some(last) = heads.last() else { return found };
        page.after = Some(last.id.clone());
        for head in heads {
            *found.entry(head.task_id.unwrap()).or_default() += 1;
        }
    }
}

#[test]
fn what_was_acknowledged_is_kept_once_whoever_is_killed() {
    let seed = seed();
    println!("STEADFAST_KILL_SEED={seed}");
    let mut random = Random(seed);
    let place = Place::empty();
    // How long one takes alone; from then on the moments of death follow what the rounds show, so that they lie within them.
    let began = Instant::now();
    assert!(start(&place, "first").wait().unwrap().success());
    let mut span_us = u64::try_from(began.elapsed().as_micros()).unwrap();
    std::fs::remove_file(place.path("s.db")).unwrap();

    let mut acknowledged: Vec<String> = Vec::new();
    let (mut killed, mut slowest) = (0_u64, Duration::ZERO);
    for round in 0..ROUNDS {
        let mut running: Vec<(String, Child, Instant)> = (0..PROCESSES)
            .map(|process| {
                let name = format!("task-{round}-{process}");
                let dies = Instant::now() + Duration::from_micros(random.draw() % span_us);
                let child = start(&place, &name);
                (name, child, dies)
            })
            .collect();
        running.sort_by_key(|(.., dies)| *dies);
        let killed_before = killed;
        for (name, mut child, dies) in running {
            thread::sleep(dies.saturating_duration_since(Instant::now()));
            // SIGKILL; one that has ended is not hurt.
            child.kill().unwrap();
            let status = child.wait().unwrap();
            match status.code() {
                Some(0) => acknowledged.push(name),
                None => killed += 1,
                Some(code) => panic!("round {round}, {name}: ended with {code}"),
            }
        }
        span_us = if killed - killed_before > PROCESSES / 2 { span_us * 5 / 4 } else { span_us * 4 / 5 }.max(1_000);
        let began = Instant::now();
        let store = Store::open(&place.path("s.db")).unwrap();
        store.flush().unwrap();
        slowest = slowest.max(began.elapsed());
        if round % CHECK_EVERY == CHECK_EVERY - 1 {
            let found = kept(&store);
            for name in &acknowledged {
                assert_eq!(found.get(name), Some(&1), "round {round}, {name}");
                assert_eq!(store.task(name).unwrap().unwrap().messages, 1, "round {round}, {name}");
            }
            assert!(found.values().all(|count| *count == 1), "round {round}: none is there twice");
            let copy = place.path("copy.db");
            // A copy is looked through page by page.
            let contents = store.backup(&copy).unwrap();
            assert_eq!((contents.runs, contents.messages), (found.len() as u64, found.len() as u64));
        }
    }
    println!("{} acknowledged, {killed} killed, ready in {slowest:?} at most", acknowledged.len());
    assert!(slowest <= READY, "{slowest:?}");
    let (all, whole) = (ROUNDS * PROCESSES, acknowledged.len() as u64);
    assert!(whole > all / 10 && killed > all / 10, "the moments of death lie badly");
}
