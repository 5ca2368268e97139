//! How long a vault of many prompts takes: to be taken in, to be taken in again, to be opened, to be picked from with the embedding of the task
//! included; and how many of the ten best the scans find.
//!
//! `cargo bench -p steadfast-store --bench vault -- [--prompts N]… [--vault FILE] [--texts FILE] [--models DIR]`
//!
//! Without `--texts` the prompts are put together of sentences of those that ship with the program. Their vectors are drawn: a vector of a shipped prompt, moved by
//! half the difference of two others, so that they spread as real ones do. Tasks are those of `examples/pick/tasks.jsonl`, embedded by all-MiniLM-L6-v2. With `--texts`, a file of prompts as
//! JSON lines, vectors are made by the model too. `--vault` keeps the store; one that holds prompts is only opened and measured, so that its memory is that of a
//! process that serves.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench fails by panicking and says what it found")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use steadfast_embed::{Embedder, Embedding, MiniLm, ModelFiles, Precision};
use steadfast_engine::File;
use steadfast_engine::store::Keep;
use steadfast_engine::vault::{
    Filters, OpenVault, OperatingPoint, PickRequest, Selection, Tiers, embed_vault, import_vault, read, source_of,
};
use steadfast_store::Store;
use steadfast_wire::pick::{GivenPrompt, PromptRecord, read_task};
use steadfast_wire::to_json_line;

/// Times that every task is picked for after the first.
const ROUNDS: usize = 3;
/// Vaults up to this size are opened with exact vectors too.
const EXACT_MAX: usize = 200_000;

struct Arguments {
    prompts: Vec<usize>,
    vault: Option<PathBuf>,
    texts: Option<PathBuf>,
    models: PathBuf,
}

fn arguments() -> Arguments {
    let home = std::env::var("HOME").unwrap_or_default();
    let models = Path::new(&home).join(".cache/steadfast/models/all-MiniLM-L6-v2");
    let mut found = Arguments { prompts: Vec::new(), vault: None, texts: None, models };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        match name.as_str() {
            "--prompts" => found.prompts.push(given.next().unwrap().parse().unwrap()),
            "--vault" => found.vault = given.next().map(PathBuf::from),
            "--texts" => found.texts = given.next().map(PathBuf::from),
            "--models" => found.models = given.next().map(PathBuf::from).unwrap(),
            // What cargo itself gives.
            _ => {}
        }
    }
    if found.prompts.is_empty() {
        found.prompts = vec![1_000, 100_000];
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn model(folder: &Path) -> MiniLm {
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let (weights, vocabulary) = (read("model.safetensors"), read("vocab.txt"));
    let weights_sha256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db";
    MiniLm::load(ModelFiles { weights, weights_sha256, vocabulary: &vocabulary }, Precision::F32).unwrap()
}

/// The prompts that ship with the program.
fn shipped() -> Vec<GivenPrompt> {
    let mut files = Vec::new();
    for stage in ["clarify", "plan", "execute", "verify", "reflect"] {
        for file in fs::read_dir(root().join("vault").join(stage)).unwrap() {
            let path = file.unwrap().path();
            files.push(File { name: path.to_string_lossy().into_owned(), bytes: fs::read(path).unwrap() });
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    read(&files, &Selection::default()).prompts.into_iter().map(|(_, prompt)| prompt).collect()
}

/// Whole numbers that look like chance, the same each time.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }
}

/// So many prompts as JSON lines.
fn generated(count: usize) -> Vec<u8> {
    let prompts = shipped();
    let sentences: Vec<&str> = prompts
        .iter()
        .flat_map(|it| it.prompt_text.split_inclusive(['.', '\n']))
        .map(str::trim)
        .filter(|sentence| sentence.len() > 30)
        .collect();
    let mut chance = Chance(7);
    let mut out = String::new();
    for at in 0..count {
        let like = &prompts[chance.next(prompts.len())];
        let text: Vec<&str> = (0..4 + chance.next(5)).map(|_| sentences[chance.next(sentences.len())]).collect();
        let prompt = PromptRecord {
            prompt_id: format!("p{at:07}"),
            prompt_text: format!("{} ({at})", text.join(" ")),
            description: like.description.as_ref().map(|text| format!("{text} No. {at}")),
            intent: like.intent.clone(),
            task_type: like.task_type.clone(),
            domain: like.domain.clone(),
            ..PromptRecord::default()
        };
        out.push_str(&to_json_line(&prompt).unwrap());
    }
    out.into_bytes()
}

/// The model for tasks; for other texts vectors that are drawn.
struct Drawn {
    model: MiniLm,
    real: Vec<Arc<[f32]>>,
    tasks: HashSet<String>,
}

impl Drawn {
    fn draw(&self, text: &str) -> Embedding {
        let seed = text.bytes().fold(11_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mut chance = Chance(seed);
        let [centre, a, b] = [0; 3].map(|_| &self.real[chance.next(self.real.len())]);
        let moved = centre.iter().zip(&**a).zip(&**b).map(|((centre, a), b)| centre + 0.5 * (a - b));
        let row: Vec<f32> = moved.collect();
        let length = row.iter().map(|x| x * x).sum::<f32>().sqrt();
        Embedding { vector: row.iter().map(|x| x / length).collect(), truncated: false }
    }
}

impl Embedder for Drawn {
    fn name(&self) -> &'static str {
        "drawn"
    }

    fn version(&self) -> &str {
        "drawn-1"
    }

    fn bits(&self) -> &str {
        "drawn-1"
    }

    fn dimensions(&self) -> usize {
        self.model.dimensions()
    }

    fn embed(&self, texts: &[&str]) -> Vec<Embedding> {
        let one = |text: &&str| match self.tasks.contains(*text) {
            true => self.model.embed(&[text]).remove(0),
            false => self.draw(text),
        };
        texts.iter().map(one).collect()
    }

    fn windows(&self, text: &str) -> Vec<std::ops::Range<usize>> {
        self.model.windows(text)
    }
}

fn timed<T>(what: &str, count: usize, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let result = work();
    let took = begun.elapsed();
    println!("  {what}: {:.3} s, {:.0} prompts/s", took.as_secs_f64(), count as f64 / took.as_secs_f64());
    result
}

/// The memory of the process, in MiB.
fn memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()).map_or(0, |kib| kib / 1024)
    };
    format!("{} MiB now, {} MiB at most", line("VmRSS:"), line("VmHWM:"))
}

fn percentile(times: &mut [Duration], share: f64) -> f64 {
    times.sort();
    let place = (share * times.len() as f64).ceil() as usize;
    times[place.saturating_sub(1)].as_secs_f64() * 1e3
}

fn measure(store: &Arc<dyn Keep>, embedder: &Arc<dyn Embedder>, tasks: &[String]) {
    let open = || OpenVault::open(Arc::clone(store), Some(Arc::clone(embedder))).unwrap();
    let count = store.prompt_keys().unwrap().len();
    drop(timed("open, and make what is kept beside it where it is not there", count, open));
    let mut vault = timed("open", count, open);
    assert!(vault.has_vectors() && vault.len() == count);
    println!("  memory: {}", memory());
    let mut embedding: Vec<Duration> = Vec::new();
    let mut first: Vec<Duration> = Vec::new();
    let mut warm: Vec<Duration> = Vec::new();
    let point = OperatingPoint::fitted();
    for round in 0..=ROUNDS {
        for task in tasks {
            let request =
                PickRequest { qid: None, task: task.clone(), at: None, explain: false, filters: Filters::default() };
            let begun = Instant::now();
            vault.pick(&request, &point).unwrap();
            if round == 0 { &mut first } else { &mut warm }.push(begun.elapsed());
            let begun = Instant::now();
            embedder.embed(&[task]);
            embedding.push(begun.elapsed());
        }
    }
    for (what, times) in
        [("pick, first time", &mut first), ("pick", &mut warm), ("of it the embedding", &mut embedding)]
    {
        println!("  {what}: p50 {:.2} ms, p95 {:.2} ms", percentile(times, 0.5), percentile(times, 0.95));
    }
    println!("  memory: {}", memory());
    if count > EXACT_MAX {
        return;
    }
    let tiers = Tiers { exact_rows_max: usize::MAX, ..Tiers::default() };
    let exact = OpenVault::open_within(Arc::clone(store), Some(Arc::clone(embedder)), tiers).unwrap();
    let ids = |vault: &OpenVault, task: &str| -> Vec<String> {
        let found = vault.search(None, task, 10, &Filters::default()).unwrap();
        found.candidates.into_iter().map(|own| own.prompt_id).collect()
    };
    let signs = Tiers { exact_rows_max: 0, bytes_rows_max: 0 };
    let signs = OpenVault::open_within(Arc::clone(store), Some(Arc::clone(embedder)), signs).unwrap();
    for (what, other) in [("as it is", &vault), ("by signs", &signs)] {
        let (mut shared, mut all) = (0, 0);
        for task in tasks {
            let (best, found) = (ids(&exact, task), ids(other, task));
            shared += best.iter().filter(|id| found.contains(id)).count();
            all += best.len();
        }
        let share = shared as f64 / all as f64;
        println!("  of the ten best by exact vectors found {what}: {share:.4} ({} tasks)", tasks.len());
    }
}

fn main() {
    let arguments = arguments();
    let lines = fs::read_to_string(root().join("examples/pick/tasks.jsonl")).unwrap();
    let tasks: Vec<String> = lines.lines().map(|line| read_task(1, line).unwrap().query).collect();
    let model = model(&arguments.models);
    let embedder: Arc<dyn Embedder> = match &arguments.texts {
        Some(_) => Arc::new(model),
        None => {
            let texts = shipped().into_iter().flat_map(|it| [it.prompt_text, it.description.unwrap_or_default()]);
            let real = texts.map(|text| model.embed(&[&text]).remove(0).vector).collect();
            Arc::new(Drawn { model, real, tasks: tasks.iter().cloned().collect() })
        }
    };
    for count in arguments.prompts {
        let folder = tempfile::tempdir().unwrap();
        let file = arguments.vault.clone().unwrap_or_else(|| folder.path().join("vault.db"));
        let store: Arc<dyn Keep> = Arc::new(Store::open(&file).unwrap());
        if store.prompt_keys().unwrap().is_empty() {
            let bytes = match &arguments.texts {
                Some(path) => fs::read(path).unwrap(),
                None => generated(count),
            };
            let count = bytes.iter().filter(|byte| **byte == b'\n').count();
            println!("{count} prompts, {} MB", bytes.len() / 1_000_000);
            let given =
                || read(&[File { name: "prompts.jsonl".to_owned(), bytes: bytes.clone() }], &Selection::default());
            let import = || import_vault(&*store, &source_of("prompts.jsonl"), given()).unwrap();
            let first = timed("taken in", count, import);
            assert_eq!(first.added + first.duplicates, count);
            let again = timed("taken in again, unchanged", count, import);
            assert_eq!((again.unchanged, again.added), (first.added, 0));
            timed("vectors made and kept", count, || embed_vault(&store, &embedder, |_, _| {}).unwrap());
        }
        measure(&store, &embedder, &tasks);
    }
}
