//! How long a large store takes: 20,000 trajectories with 1,000,000 steps and 20,000 runs beside them; and how many steps a second are taken in.
//!
//! `cargo bench -p steadfast-store --bench live -- [--trajectories N] [--steps N] [--runs N] [--result-bytes N] [--store FILE]`
//!
//! `--steps` is the number of each trajectory. `--store` keeps the store; one that holds trajectories is only measured. Every figure is of 100 queries, the 50th
//! and the 95th of them. A step counts once it is on the disk.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench fails by panicking and says what it found")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use steadfast_engine::store::{
    Appending, LiveStore, NewStep, Receipt, Run, RunHead, RunPage, RunStore, Scoring, Stamps, StoredScore,
    TrajectoryPage,
};
use steadfast_store::Store;

/// Queries of each kind.
const QUERIES: usize = 100;

/// How long steps are taken in.
const INTAKE: Duration = Duration::from_secs(5);

struct Arguments {
    trajectories: usize,
    steps: usize,
    runs: usize,
    result_bytes: usize,
    store: Option<PathBuf>,
}

fn arguments() -> Arguments {
    let mut found = Arguments { trajectories: 20_000, steps: 50, runs: 20_000, result_bytes: 8_000, store: None };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let mut number = || given.next().unwrap().parse().unwrap();
        match name.as_str() {
            "--trajectories" => found.trajectories = number(),
            "--steps" => found.steps = number(),
            "--runs" => found.runs = number(),
            "--result-bytes" => found.result_bytes = number(),
            "--store" => found.store = given.next().map(PathBuf::from),
            // What cargo itself gives.
            _ => {}
        }
    }
    found
}

fn step(number: usize) -> NewStep {
    NewStep {
        prompt: Some(format!("Write section {} of the plan for the seed library.", number / 5)),
        output: Some(format!(
            "Section {number}: members of the seed library lend and return seeds, and note what grew well in which bed."
        )),
        agent: Some("writer".to_owned()),
        ..NewStep::default()
    }
}

fn appending(trajectory: String, steps: Vec<NewStep>) -> Appending {
    Appending { trajectory, steps, key: None, key_us_max: 0, keys_max: 0, steps_max: u64::MAX, agents_max: 64 }
}

/// Scores as long as real ones.
fn scored(trajectory: String, first: u64, count: usize) -> Scoring {
    let score = StoredScore {
        scores: r#"{"step":7,"ids":0.412345,"goal_distance":0.512345,"goal_from":5,"update_type":"refinement","anchor_ids":0.412345,"echo":0.1,"truncated":false,"no_text":false,"broken":[]}"#.to_owned(),
        goal: None,
    };
    Scoring { trajectory, first, scores: vec![score; count], scorer: "lexical (1), whole".to_owned(), summary: None }
}

fn run(store: &Store, at: usize, result_bytes: usize) -> Run {
    let stamp = store.stamp().unwrap();
    let head = RunHead {
        id: stamp.id,
        verb: ["audit", "plan", "watch", "review"][at % 4].to_owned(),
        created_at: stamp.at,
        program_version: "0.1.0".to_owned(),
        schema_version: "1".to_owned(),
        rules_version: None,
        input_sha256: "0".repeat(64),
        inputs: format!(r#"[{{"name":"reports/report-{at}.md","bytes":1234,"sha256":"{}"}}]"#, "0".repeat(64)),
        settings: "{}".to_owned(),
        verdict: Some("risk low".to_owned()),
        exit_status: 0,
        spans: r#"{"whole":12}"#.to_owned(),
        task_id: None,
        agent: Some(format!("agent-{}", at % 7)),
        broken: Some(0),
        result_bytes: result_bytes as u64,
    };
    Run { head, result: format!("{{\"x\":\"{}\"}}", "x".repeat(result_bytes)) }
}

fn fill(store: &Store, given: &Arguments) {
    let begun = Instant::now();
    let mut waiting: Vec<Receipt> = Vec::new();
    for at in 0..given.runs {
        waiting.push(store.keep(run(store, at, given.result_bytes), None, Vec::new()));
        if waiting.len() == 64 {
            waiting.drain(..).for_each(|receipt| receipt().unwrap());
        }
    }
    waiting.drain(..).for_each(|receipt| receipt().unwrap());
    println!("{} runs kept in {:.1} s", given.runs, begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    let mut waiting = Vec::new();
    for at in 0..given.trajectories {
        let steps = (0..given.steps).map(step).collect();
        waiting.push(store.append_steps(appending(format!("t-{at}"), steps)));
        if waiting.len() == 64 {
            waiting.drain(..).for_each(|receipt| drop(receipt().unwrap()));
        }
    }
    waiting.drain(..).for_each(|receipt| drop(receipt().unwrap()));
    let took = begun.elapsed().as_secs_f64();
    let steps = given.trajectories * given.steps;
    println!("{steps} steps kept in {took:.1} s, {:.0} a second, {} at a time", steps as f64 / took, given.steps);
    // Those that were used last have scores, as pages show them.
    for at in given.trajectories.saturating_sub(200)..given.trajectories {
        store.keep_scores(scored(format!("t-{at}"), 0, given.steps)).unwrap();
    }
}

/// How long a query takes.
fn time<T>(name: &str, limit_ms: u64, mut query: impl FnMut(usize) -> T) {
    let mut all: Vec<Duration> = (0..QUERIES)
        .map(|at| {
            let begun = Instant::now();
            drop(std::hint::black_box(query(at)));
            begun.elapsed()
        })
        .collect();
    all.sort();
    let (median, most) = (all[QUERIES / 2], all[QUERIES * 95 / 100]);
    let said = if most <= Duration::from_millis(limit_ms) { "within" } else { "OVER" };
    println!("{name}: median {median:.1?}, of 100 the 95th {most:.1?}, {said} {limit_ms} ms");
}

fn measure(store: &Store, given: &Arguments) {
    let list = |page: TrajectoryPage| store.trajectories(&TrajectoryPage { limit: 50, ..page }).unwrap();
    time("list of trajectories, first page", 100, |_| list(TrajectoryPage::default()));
    let mut after = None;
    time("list of trajectories, page after page", 100, |_| {
        let page = list(TrajectoryPage { after: after.take(), ..TrajectoryPage::default() });
        after = page.last().map(|last| (last.updated_at.clone(), last.id.clone()));
    });
    time("list of trajectories, those with alerts", 100, |_| {
        list(TrajectoryPage { alerting: true, ..TrajectoryPage::default() })
    });
    time("list of trajectories, searched for one", 100, |at| {
        list(TrajectoryPage { search: Some(format!("t-{at}9")), ..TrajectoryPage::default() })
    });
    time("list of trajectories, searched in vain", 100, |at| {
        list(TrajectoryPage { search: Some(format!("nowhere {at}")), ..TrajectoryPage::default() })
    });
    time("page of a trajectory", 150, |at| {
        let id = format!("t-{}", given.trajectories - 1 - at % 200);
        let steps = store.steps(&id, 0, 50, 1 << 20).unwrap();
        (store.trajectory(&id).unwrap(), steps, store.scored_steps(&id, 0, 50, u64::MAX).unwrap())
    });
    time("steps without scores", 100, |_| store.unscored_steps().unwrap());
    let runs = |page: RunPage| store.runs(&RunPage { limit: 50, newest_first: true, ..page }).unwrap();
    time("list of runs", 100, |_| runs(RunPage::default()));
    time("list of runs of a verb", 100, |_| runs(RunPage { verb: Some("audit".to_owned()), ..RunPage::default() }));
    time("list of runs, searched for one by its input", 100, |at| {
        runs(RunPage { search: Some(format!("report-{at}7.md")), ..RunPage::default() })
    });
    time("list of runs, searched in vain", 100, |at| {
        runs(RunPage { search: Some(format!("nowhere {at}")), ..RunPage::default() })
    });
    time("counts of runs", 100, |_| store.run_counts("2020-01-01T00:00:00Z").unwrap());
}

/// Steps of many callers, each of whom waits until they are on the disk.
fn intake(store: &Arc<Store>, callers: usize, batch: usize, aim: f64) {
    let end = Instant::now() + INTAKE;
    let threads: Vec<_> = (0..callers)
        .map(|caller| {
            let store = Arc::clone(store);
            thread::spawn(move || {
                let mut taken = 0;
                while Instant::now() < end {
                    let steps = (taken..taken + batch).map(step).collect();
                    store.append_steps(appending(format!("intake-{batch}-{caller}"), steps))().unwrap();
                    taken += batch;
                }
                taken
            })
        })
        .collect();
    let taken: usize = threads.into_iter().map(|own| own.join().unwrap()).sum();
    let rate = taken as f64 / INTAKE.as_secs_f64();
    println!("intake, {callers} callers, {batch} at a time: {rate:.0} steps a second, {:.2} of the aim", rate / aim);
}

fn main() {
    let given = arguments();
    let folder = tempfile::tempdir().unwrap();
    let file = given.store.clone().unwrap_or_else(|| folder.path().join("live.db"));
    let filled = Path::new(&file).exists();
    let store = Arc::new(Store::open(&file).unwrap());
    if !filled {
        fill(&store, &given);
    }
    measure(&store, &given);
    intake(&store, 64, 1, 3_000.0);
    intake(&store, 8, 100, 20_000.0);
}
