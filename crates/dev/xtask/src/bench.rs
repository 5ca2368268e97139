//! `cargo xtask bench`: our programs beside those of others, in turn, pair by pair, and PERFORMANCE.md of it.
//!
//! What is measured goes on in processes that stay alive: each says first how long it took to be ready, then answers every line with the seconds that the work
//! took. In each round ours and theirs do the same once, and which of them begins changes from round to round, so that what else the machine does meets both; a ratio is
//! the median of the ratios of rounds. It is no part of `verify`.

mod peers;
mod report;
mod texts;
mod worker;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::python::target;
use peers::Peers;
use report::{Machine, Pair, Report, Single};
use worker::Worker;

/// Rounds, where nobody says another number.
const ROUNDS: usize = 9;
/// Where all of it is, in the target folder.
const FOLDER: &str = "bench";
/// What is written, in the repository.
const DOCUMENT: &str = "PERFORMANCE.md";

/// Runs everything and writes the document. `rounds` and `programs` (a folder with the release build, which is not built then) may be given.
///
/// # Errors
/// When our programs cannot be built or run, or the document cannot be written. A peer that cannot be installed or run is named in the document.
pub(crate) fn bench(root: &Path, arguments: &[&str]) -> Result<bool> {
    let mut rounds = ROUNDS;
    let mut programs = None;
    for pair in arguments.chunks(2) {
        match *pair {
            ["--rounds", number] => {
                rounds = number.parse().ok().filter(|it| *it > 0).context("--rounds takes a number from 1 on")?;
            }
            ["--programs", folder] => programs = Some(PathBuf::from(folder)),
            _ => bail!("bench takes `--rounds NUMBER` and `--programs FOLDER`, not `{}`", pair.join(" ")),
        }
    }
    let folder = target()?.join(FOLDER);
    fs::create_dir_all(&folder).context("the target folder cannot be written to")?;
    let programs = match programs {
        Some(programs) => programs,
        None => build(root)?,
    };
    texts::write(root, &folder)?;
    let peers = peers::install(&folder)?;
    let before = report::load();
    let measured = Bench { root, folder: &folder, programs: &programs, peers: &peers, rounds }.all()?;
    let machine = Machine::here(root, before)?;
    let text = report::markdown(&measured, &peers, &machine, rounds);
    fs::write(root.join(DOCUMENT), text).with_context(|| format!("{DOCUMENT} cannot be written"))?;
    println!("bench: wrote {DOCUMENT}");
    Ok(true)
}

/// Builds the programs, and says where they are.
fn build(root: &Path) -> Result<PathBuf> {
    println!("bench: building");
    let cargo = || Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for wanted in [
        &["--package", "steadfast"][..],
        &["--package", "steadfast-embed", "--example", "embedding_speed"],
        &["--package", "steadfast-pick", "--example", "search_speed"],
    ] {
        let mut command = cargo();
        command.args(["build", "--release", "--locked", "--quiet"]).args(wanted).current_dir(root);
        if !command.stdin(Stdio::null()).status().context("cargo cannot be started")?.success() {
            bail!("cargo build failed: what it wrote above says why");
        }
    }
    Ok(target()?.join("release"))
}

struct Bench<'a> {
    root: &'a Path,
    folder: &'a Path,
    programs: &'a Path,
    peers: &'a Peers,
    rounds: usize,
}

impl Bench<'_> {
    fn all(&self) -> Result<Report> {
        let mut report = Report::default();
        self.embedding(&mut report)?;
        self.searching(&mut report)?;
        self.starting(&mut report)?;
        self.commands(&mut report)?;
        Ok(report)
    }

    fn example(&self, name: &str) -> PathBuf {
        self.programs.join("examples").join(name)
    }

    fn script(&self, name: &str) -> PathBuf {
        self.root.join("scripts").join(name)
    }

    /// Vectors of texts, on one processor.
    fn embedding(&self, report: &mut Report) -> Result<()> {
        let Some(torch) = self.peers.python("sentence-transformers") else { return Ok(()) };
        let Some(model) = peers::model(&torch) else {
            report.failed.push(
                "sentence-transformers: the model's package was installed, and its folder is not there".to_owned(),
            );
            return Ok(());
        };
        let onnx = self.folder.join("model.onnx");
        if !onnx.is_file() {
            let mut export = Command::new(&torch);
            export.arg(self.script("embedding_speed.py")).arg("--export").arg(&model).arg(&onnx).stderr(Stdio::null());
            if !export.status().is_ok_and(|status| status.success()) {
                report.failed.push("onnxruntime: the model could not be written as ONNX by torch".to_owned());
            }
        }
        let theirs = |kind: &str, python: &Path| {
            let mut command = worker::pinned(python);
            command.arg(self.script("embedding_speed.py")).args(["--worker", kind]).arg(&model).arg("1").arg(&onnx);
            command
        };
        let path = if report::has_avx512() { "avx512" } else { "avx2" };
        for (name, kind) in [("onnxruntime", "onnxruntime"), ("sentence-transformers", "torch")] {
            let Some(python) = self.peers.python(name).filter(|_| kind == "torch" || onnx.is_file()) else { continue };
            let mut ours = worker::pinned(&self.example("embedding_speed"));
            ours.arg(&model).args(["f32", path, "1"]);
            let tasks = texts::EMBEDDED.map(|(what, count, pieces)| (what, texts::json(count, pieces)));
            self.pairs(
                report,
                ("loading the model", "memory with the model"),
                name,
                ours,
                theirs(kind, &python),
                &tasks,
            )?;
        }
        Ok(())
    }

    /// The ten best of many texts and of many vectors.
    fn searching(&self, report: &mut Report) -> Result<()> {
        for (name, what, own) in [
            ("bm25s", texts::SEARCHED_WORDS, ("words", "indexing 10,000 texts", "memory with 10,000 texts")),
            ("chromadb", texts::SEARCHED_VECTORS, ("vectors", "indexing 10,000 vectors", "memory with 10,000 vectors")),
        ] {
            let Some(python) = self.peers.python(name) else { continue };
            let mut ours = worker::pinned(&self.example("search_speed"));
            ours.arg(own.0).arg(self.folder);
            let mut theirs = worker::pinned(&python);
            theirs.arg(self.script("search_speed.py")).arg(name).arg(self.folder);
            self.pairs(report, (own.1, own.2), name, ours, theirs, &[(what, "all".to_owned())])?;
        }
        Ok(())
    }

    /// Both do every task in turn. What fails on their side is noted, and ends the pair; on ours it is an error.
    fn pairs(
        &self,
        report: &mut Report,
        (loading, memory): (&str, &str),
        name: &str,
        ours: Command,
        theirs: Command,
        tasks: &[(&str, String)],
    ) -> Result<()> {
        println!("bench: {name}");
        let mut ours = Worker::start(ours).with_context(|| format!("our side beside {name}"))?;
        let mut theirs = match Worker::start(theirs) {
            Ok(theirs) => theirs,
            Err(error) => {
                report.failed.push(format!("{name}: {error:#}"));
                return Ok(());
            }
        };
        let mut pairs = vec![Pair::of_one(loading, name, "s", ours.ready_seconds, theirs.ready_seconds)];
        for (what, line) in tasks {
            let mut pair = Pair::new(what, name, "s");
            // The first time is none: caches are cold, and threads have to start.
            for round in 0..=self.rounds {
                let both = if round % 2 == 0 {
                    ours.ask(line).and_then(|own| Ok((own, theirs.ask(line)?)))
                } else {
                    theirs.ask(line).and_then(|peer| Ok((ours.ask(line)?, peer)))
                };
                let (own, peer) = both.with_context(|| format!("{what}, beside {name}"))?;
                if round > 0 {
                    pair.push(own, peer);
                }
            }
            pairs.push(pair);
        }
        pairs.push(Pair::of_one(memory, name, "bytes", ours.ask("memory")?, theirs.ask("memory")?));
        report.pairs.extend(pairs);
        Ok(())
    }

    /// Commands that only say how they are used.
    fn starting(&self, report: &mut Report) -> Result<()> {
        for name in ["deepeval", "opik"] {
            let Some(program) = self.peers.program(name) else { continue };
            println!("bench: {name}");
            let mut pair = Pair::new(&format!("`--help`, beside `{name} --help`"), name, "s");
            for round in 0..=self.rounds {
                let own = || timed(&self.programs.join("steadfast"), &["--help"], self.root);
                let peer = || timed(&program, &["--help"], self.folder);
                let (own, peer) = if round % 2 == 0 {
                    let own = own()?;
                    (own, peer())
                } else {
                    let peer = peer();
                    (own()?, peer)
                };
                match peer {
                    Ok(peer) if round > 0 => pair.push(own, peer),
                    Ok(_) => {}
                    Err(error) => {
                        report.failed.push(format!("{name}: {error:#}"));
                        break;
                    }
                }
            }
            if !pair.is_empty() {
                report.pairs.push(pair);
            }
        }
        Ok(())
    }

    /// Our commands on the texts that ship, which no peer does without a chat model.
    fn commands(&self, report: &mut Report) -> Result<()> {
        let steadfast = self.programs.join("steadfast");
        for line in [
            "audit examples/audit/prompt.txt examples/audit/drifted.md --json",
            "audit examples/story/ask.txt examples/story/report.md --json",
            "plan examples/story/2026-02-18.md --at 2026-02-18T08:00:00+01:00 --tz Europe/Berlin --json",
            "review examples/story/check-in.md --json",
            "watch examples/story/steps.jsonl --embedder lexical --json",
            "watch examples/story/steps.jsonl --json",
        ] {
            println!("bench: steadfast {line}");
            let arguments: Vec<&str> = line.split(' ').collect();
            let mut single = Single { what: format!("`steadfast {line}`"), seconds: Vec::new() };
            timed(&steadfast, &arguments, self.root)?;
            for _ in 0..self.rounds {
                single.seconds.push(timed(&steadfast, &arguments, self.root)?);
            }
            report.commands.push(single);
        }
        Ok(())
    }
}

/// The seconds of a whole process. A gate that fails (status 1) is an answer.
fn timed(program: &Path, arguments: &[&str], folder: &Path) -> Result<f64> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).envs(peers::QUIET.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begun = Instant::now();
    let status = command.status().with_context(|| format!("{} cannot be started", name_of(program)))?;
    let seconds = begun.elapsed().as_secs_f64();
    if !matches!(status.code(), Some(0 | 1)) {
        bail!("{} {} ended with {status}", name_of(program), arguments.join(" "));
    }
    Ok(seconds)
}

/// A program without its folder.
fn name_of(program: &Path) -> String {
    program.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
