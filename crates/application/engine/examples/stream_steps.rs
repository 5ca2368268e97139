//! What following costs beside the embedding: `stream_steps STEPS TRAJECTORIES` follows synthetic steps with an embedder that gives
//! every text the same vector, and prints steps, seconds and peak memory as it goes.
//!
//! `stream_steps STEPS TRAJECTORIES MODEL_FOLDER` follows them with all-MiniLM-L6-v2 and prints besides how many seconds of them went into
//! embedding. Held to one processor (`taskset -c 0`), what is left is the cost beside it.

use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::fs;
use std::future::Future;
use std::io::Write;
use std::ops::Range;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Instant;

use steadfast_embed::{Embedder, Embedding, MiniLm, ModelFiles, Precision};
use steadfast_engine::watch::{WatchRequest, Watcher, alerting};
use steadfast_wire::watch::{Aggregate, GivenStep};

/// Steps that are given at a time.
const CHUNK_STEPS: usize = 1_000;

/// Gives every text the same vector, or asks the model and counts its time.
struct Measured {
    constant: Arc<[f32]>,
    model: Option<MiniLm>,
    nanoseconds: Arc<AtomicU64>,
}

impl Embedder for Measured {
    fn name(&self) -> &'static str {
        "minilm"
    }

    fn version(&self) -> &'static str {
        "constant"
    }

    fn dimensions(&self) -> usize {
        self.constant.len()
    }

    fn embed(&self, texts: &[&str]) -> Vec<Embedding> {
        let Some(model) = &self.model else {
            return texts.iter().map(|_| Embedding { vector: Arc::clone(&self.constant), truncated: false }).collect();
        };
        let begun = Instant::now();
        let embeddings = model.embed(texts);
        self.nanoseconds.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
        embeddings
    }

    fn windows(&self, text: &str) -> Vec<Range<usize>> {
        std::iter::once(0..text.len()).collect()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (steps, trajectories, folder) = match &arguments[..] {
        [steps, trajectories] => (steps.parse()?, trajectories.parse()?, None),
        [steps, trajectories, folder] => (steps.parse()?, trajectories.parse()?, Some(folder)),
        _ => return Err("usage: stream_steps STEPS TRAJECTORIES [MODEL_FOLDER]".into()),
    };
    let nanoseconds = Arc::default();
    let model = folder.map(|folder| load(folder)).transpose()?;
    let embedder =
        Arc::new(Measured { constant: vec![0.05; 384].into(), model, nanoseconds: Arc::clone(&nanoseconds) });
    let request = WatchRequest {
        aggregate: Aggregate::Whole,
        alert: alerting(Some(0.6), None, ("minilm", "constant"), Aggregate::Whole)?,
        intents: HashMap::new(),
        keep_steps: false,
        keep_texts: false,
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
            let (all, embedding) = (begun.elapsed().as_secs_f64(), nanoseconds.load(Ordering::Relaxed) as f64 * 1e-9);
            writeln!(out, "{at} steps  {all:.2} s  {embedding:.2} s of it embedding  {} kB at most", peak_kb()?)?;
        }
    }
    let watch = watcher.finish("synthetic")?;
    writeln!(out, "{} trajectories, {} of them repeated", watch.trajectories.len(), watch.duplicates.len())?;
    Ok(())
}

fn load(folder: &str) -> Result<MiniLm, Box<dyn Error>> {
    let read = |name: &str| fs::read(format!("{folder}/{name}"));
    let vocabulary = read("vocab.txt")?;
    let files = ModelFiles { weights: read("model.safetensors")?, weights_sha256: "", vocabulary: &vocabulary };
    Ok(MiniLm::load(files, Precision::F32)?)
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
