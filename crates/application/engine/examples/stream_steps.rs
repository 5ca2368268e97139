//! What following costs beside the embedding: `stream_steps STEPS TRAJECTORIES` follows synthetic steps with an embedder that gives
//! every text the same vector, and prints steps, seconds and peak memory as it goes.

use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::fs;
use std::future::Future;
use std::io::Write;
use std::ops::Range;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Instant;

use steadfast_embed::{Embedder, Embedding};
use steadfast_engine::watch::{WatchRequest, Watcher, alerting};
use steadfast_wire::watch::{Aggregate, GivenStep};

/// Steps that are given at a time.
const CHUNK_STEPS: usize = 1_000;

/// Gives every text the same vector.
struct Constant(Arc<[f32]>);

impl Embedder for Constant {
    fn name(&self) -> &'static str {
        "minilm"
    }

    fn version(&self) -> &'static str {
        "constant"
    }

    fn dimensions(&self) -> usize {
        self.0.len()
    }

    fn embed(&self, texts: &[&str]) -> Vec<Embedding> {
        texts.iter().map(|_| Embedding { vector: Arc::clone(&self.0), truncated: false }).collect()
    }

    fn windows(&self, text: &str) -> Vec<Range<usize>> {
        std::iter::once(0..text.len()).collect()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<usize> = env::args().skip(1).map(|it| it.parse()).collect::<Result<_, _>>()?;
    let [steps, trajectories] = arguments[..] else { return Err("usage: stream_steps STEPS TRAJECTORIES".into()) };
    let embedder = Arc::new(Constant(vec![0.05; 384].into()));
    let request = WatchRequest {
        aggregate: Aggregate::Whole,
        alert: alerting(Some(0.6), None, ("minilm", "constant"), Aggregate::Whole)?,
        intents: HashMap::new(),
        keep_steps: false,
    };
    let mut watcher = Watcher::new(embedder, None, request);
    let mut out = std::io::stdout().lock();
    let begun = Instant::now();
    let mut at = 0;
    while at < steps {
        let chunk: Vec<GivenStep> = (at..(at + CHUNK_STEPS).min(steps)).map(|at| step(at, trajectories)).collect();
        at += chunk.len();
        wait(watcher.push("synthetic", chunk))?;
        if at.is_multiple_of(steps.div_ceil(10).next_multiple_of(CHUNK_STEPS)) || at == steps {
            writeln!(out, "{at} steps  {:.1} s  {} kB at most", begun.elapsed().as_secs_f64(), peak_kb()?)?;
        }
    }
    let watch = watcher.finish("synthetic")?;
    writeln!(out, "{} trajectories, {} of them repeated", watch.trajectories.len(), watch.duplicates.len())?;
    Ok(())
}

/// An instruction of some 12 words and an output of some 60, no two alike.
fn step(at: usize, trajectories: usize) -> GivenStep {
    let words = |count: usize, seed: usize| {
        (0..count).map(|word| format!("word{}", (word * 31 + seed * 7) % 5_003)).collect::<Vec<_>>().join(" ")
    };
    GivenStep {
        task_id: format!("task {}", at % trajectories).into(),
        step: Some((at / trajectories) as i64),
        prompt: Some(words(12, at).into()),
        output: Some(format!("{}. {at} {}.", words(30, at + 1), words(30, at + 2))),
        line: at + 1,
        ..GivenStep::default()
    }
}

fn peak_kb() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::yield_now(),
        }
    }
}
