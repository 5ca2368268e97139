//! `steadfast watch` and `watch compare`.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;
use steadfast_engine::EngineError;
use steadfast_engine::chat::Role;
use steadfast_engine::embedder::Embedder;
use steadfast_engine::limits::TRACE_SPANS_MAX;
use steadfast_engine::runs::{self, Asked, InputHash, Outcome};
use steadfast_engine::store::EmbeddingStore;
use steadfast_engine::trace;
use steadfast_engine::watch::{Arm, WatchRequest, Watcher, alerting, compare};
use steadfast_render::Colour;
use steadfast_render::watch as draw;
use steadfast_wire::audit::Judge;
use steadfast_wire::runs::Input;
use steadfast_wire::watch::{GivenStep, Misread, Problem, StepReader, StepRecord, Watch, read_intents};

use crate::args::{ScoringArgs, WatchArgs, WatchCommand, WatchCompareArgs, WatchFormat};
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::place::Place;
use crate::record::{Recorder, mark};
use crate::talk::{Talk, legible};
use crate::{audit, chat, input, output, settings, wait};

/// Bytes of a file that are read at a time: what they hold of steps is embedded together.
const CHUNK_BYTES: usize = 1024 * 1024;

/// The exit status of a program that Ctrl-C ended, as shells have it.
const INTERRUPTED_STATUS: i32 = 130;

/// Problems that are told on stderr; the result has them all.
const TOLD_MAX: usize = 10;

/// Does what is asked about the steps of agents.
pub(crate) fn watch(args: WatchArgs, talk: &Talk) -> Result<Status, Failure> {
    let WatchArgs { command, files, mut scoring, alert, baseline, fail_on, judge, chat, require_chat, output } = args;
    if let Some(WatchCommand::Compare(args)) = command {
        return watch_compare(args, talk);
    }
    let files: Vec<Place> = files.iter().map(|path| Place::of(path)).collect();
    let baseline = baseline.as_deref().map(Place::of);
    let intents = intents_of(&scoring);
    let judge = judge.unwrap_or(Judge::Rules);
    let is_asked = judge == Judge::Both;
    if require_chat && !is_asked {
        return Err(Failure::usage("`--require-chat` is given, and no model is asked").hint("`--judge both` asks one"));
    }
    let export = mem::take(&mut scoring.export);
    let exports = Exports::new(settings::export(export, scoring.store.as_deref(), chat.config.clone())?);
    let models = settings::asked_models(is_asked, chat, "`--judge both`")?;
    let given = || files.iter().chain(&baseline).chain(&intents);
    if given().filter(|it| **it == Place::Stdin).count() > 1 {
        return Err(Failure::usage("only one input can be read from stdin"));
    }
    let fails_on_alert = settings::fails_on("alert", "watch", &fail_on)?;
    let threshold = alert.as_deref().map(threshold).transpose()?;
    let (format, output) = (output.format(), output.file());
    let paths: Vec<_> = given().filter_map(Place::path).collect();
    output::spare(&paths, &output.as_deref().into_iter().collect::<Vec<_>>())?;
    let outputs: Vec<_> = output.clone().into_iter().collect();
    let opened = models.as_ref().map(|models| chat::desk(models, &[Role::Watch])).transpose()?.flatten();
    if models.is_some() && opened.is_none() {
        // Before anything is followed: that may take as long as an agent works.
        return Err(EngineError::NoModel.into());
    }
    // What was only put down is no run.
    let is_dry = models.as_ref().is_some_and(|models| models.dry_run);
    let mut recorder =
        if is_dry { None } else { Recorder::begin(scoring.store.as_deref(), &exports, &paths, &outputs)? };
    let means = Means::of(&scoring, recorder.as_ref())?;
    mark(&mut recorder, "load");
    let mut inputs = Vec::new();
    let good = match &baseline {
        Some(place) => Some(followed(place, &scoring, &means, talk, &mut inputs)?),
        None => None,
    };
    let name = baseline.as_ref().map_or_else(String::new, Place::name);
    let named = good.as_ref().map(|good| (name.as_str(), good));
    let alert = alerting(threshold, named, (means.embedder.name(), means.embedder.version()), scoring.aggregate)?;
    let shade = output::colour(output.is_none());
    let live = match (format, &output) {
        _ if is_dry => None,
        (WatchFormat::Jsonl, None) => Some(Live::Lines),
        (WatchFormat::Text, None) if files.contains(&Place::Stdin) => Some(Live::Text(shade)),
        _ => None,
    };
    let keep_steps = live.is_none() && format != WatchFormat::Jsonl;
    let keep_texts = judge == Judge::Both;
    let request = WatchRequest { keep_texts, ..request(&scoring, alert, keep_steps)? };
    let mut watcher = means.watcher(request);
    let mut lines = String::new();
    let mut told = Told::new(&exports);
    let mut tell = |records: &[StepRecord]| -> Result<(), Failure> {
        told.take(records);
        match live {
            Some(live) => output::to_stdout(&live.tell(records)?),
            // Lines that go into a file appear whole or not at all, with it.
            None if format == WatchFormat::Jsonl => {
                lines.push_str(&Live::Lines.tell(records)?);
                Ok(())
            }
            None => Ok(()),
        }
    };
    let mut problems = 0_usize;
    for place in &files {
        problems += follow(place, &mut watcher, talk, &mut inputs, &mut tell)?;
    }
    if problems > TOLD_MAX {
        talk.warning(&format!("{} further problems stand in the result", problems - TOLD_MAX));
    }
    tell_unused(&watcher, &scoring, talk);
    let name = files.first().map_or_else(String::new, Place::name);
    let desk = opened.as_ref().map(|opened| &opened.desk);
    let message = (opened.is_some() && !talk.quiet).then(|| format!("asking about {}", legible(&name)));
    let mut watch = chat::ask(opened.as_ref(), watcher.finish_by(judge, &name, desk), message)??;
    if let Some(text) = opened.as_ref().map(|own| own.rehearsed(format == WatchFormat::Json)).transpose()?.flatten() {
        output::to(output.as_deref(), text)?;
        return Ok(Status::Passed);
    }
    let failed = watch.chat.as_ref().and_then(|own| own.failed.clone()).filter(|_| require_chat);
    let alerts: usize = watch.trajectories.iter().map(|trajectory| trajectory.alerts.len()).sum();
    let fails = fails_on_alert && alerts > 0;
    if let Some(mut recorder) = recorder {
        recorder.mark("watch");
        let asked = asked(&scoring, threshold, inputs).with("judge", judge.name());
        let status = if fails { Status::Gate } else { Status::Passed };
        let tells_itself = matches!(format, WatchFormat::Json | WatchFormat::Jsonl);
        let kept = Outcome::watch(&watch)?;
        watch.run = recorder.end(&asked, kept, status, tells_itself, *talk, |about| {
            trace::watch(&watch, &told.steps, told.count, about)
        })?;
    }
    let text = match format {
        WatchFormat::Text => draw::text(&watch, shade),
        WatchFormat::Json => steadfast_wire::to_json(&watch)?,
        WatchFormat::Jsonl => lines + &steadfast_wire::to_json_line(&watch)?,
        WatchFormat::Md => draw::markdown(&watch),
        WatchFormat::Html => draw::html(&watch)?,
    };
    match &output {
        Some(path) => output::to_files(&[(path.clone(), text)])?,
        None => output::to_stdout(&text)?,
    }
    if fails {
        let of = watch.trajectories.iter().filter(|trajectory| !trajectory.alerts.is_empty()).count();
        talk.gate(&format!("{alerts} alerts in {of} of {} trajectories", watch.trajectories.len()));
    }
    exports.send(*talk);
    if let Some(why) = failed {
        return Err(audit::chat_failed(&why));
    }
    Ok(if fails { Status::Gate } else { Status::Passed })
}

/// The first steps, where the run is told of: a stream holds none of them itself.
struct Told {
    is_asked: bool,
    steps: Vec<StepRecord>,
    count: usize,
}

impl Told {
    const fn new(exports: &Exports) -> Self {
        Self { is_asked: exports.is_asked(), steps: Vec::new(), count: 0 }
    }

    fn take(&mut self, records: &[StepRecord]) {
        if self.is_asked {
            self.count += records.len();
            let room = TRACE_SPANS_MAX.saturating_sub(self.steps.len());
            self.steps.extend(records.iter().take(room).cloned());
        }
    }
}

/// Compares two arms.
fn watch_compare(args: WatchCompareArgs, talk: &Talk) -> Result<Status, Failure> {
    let WatchCompareArgs { a, b, mut scoring, output } = args;
    let (place_a, place_b) = (Place::of(&a), Place::of(&b));
    if place_a == Place::Stdin && place_b == Place::Stdin {
        return Err(Failure::usage("both arms cannot be read from stdin"));
    }
    let (format, output) = (output.format(), output.file());
    let export = mem::take(&mut scoring.export);
    let exports = Exports::new(settings::export(export, scoring.store.as_deref(), None)?);
    let intents = intents_of(&scoring);
    let paths: Vec<_> = [&place_a, &place_b].into_iter().chain(&intents).filter_map(Place::path).collect();
    output::spare(&paths, &output.as_deref().into_iter().collect::<Vec<_>>())?;
    let outputs: Vec<_> = output.clone().into_iter().collect();
    let mut recorder = Recorder::begin(scoring.store.as_deref(), &exports, &paths, &outputs)?;
    let mut inputs = Vec::new();
    // Two saved results need neither embedder nor store; where they are needed they are loaded once.
    let mut means = None;
    let mut arm = |place: &Place| -> Result<Watch, Failure> {
        if let Some(saved) = saved(place, &mut inputs)? {
            return Ok(saved);
        }
        let means = match &means {
            Some(means) => means,
            None => means.insert(Means::of(&scoring, recorder.as_ref())?),
        };
        scored(place, &scoring, means, talk, &mut inputs)
    };
    let (a, b) = (arm(&place_a)?, arm(&place_b)?);
    let (name_a, name_b) = (place_a.name(), place_b.name());
    let mut comparison = compare(Arm { name: &name_a, watch: &a }, Arm { name: &name_b, watch: &b })?;
    if let Some(mut recorder) = recorder.take() {
        recorder.mark("compare");
        let (asked, kept) = (asked(&scoring, None, inputs), Outcome::watch_compare(&comparison)?);
        let tells_itself = matches!(format, WatchFormat::Json | WatchFormat::Jsonl);
        comparison.run = recorder
            .end(&asked, kept, Status::Passed, tells_itself, *talk, |about| trace::watch_compare(&comparison, about))?;
    }
    let text = match format {
        WatchFormat::Json => steadfast_wire::to_json(&comparison)?,
        WatchFormat::Jsonl => steadfast_wire::to_json_line(&comparison)?,
        WatchFormat::Text => draw::compare_text(&comparison, output::colour(output.is_none())),
        WatchFormat::Md => draw::compare_markdown(&comparison),
        WatchFormat::Html => draw::compare_html(&comparison)?,
    };
    match &output {
        Some(path) => output::to_files(&[(path.clone(), text)])?,
        None => output::to_stdout(&text)?,
    }
    exports.send(*talk);
    Ok(Status::Passed)
}

/// From which score on an alert is raised.
fn threshold(text: &str) -> Result<f64, Failure> {
    match text.parse::<f64>() {
        Ok(threshold) if (0.0..=1.0).contains(&threshold) => Ok(threshold),
        _ => Err(Failure::usage(format!("`--alert {text}` is no threshold")).hint("scores lie between 0 and 1")),
    }
}

/// Where initial intents are read from.
fn intents_of(scoring: &ScoringArgs) -> Option<Place> {
    scoring.intents.as_deref().map(Place::of)
}

/// What a run was asked for besides its inputs.
fn asked(scoring: &ScoringArgs, alert: Option<f64>, inputs: Vec<Input>) -> Asked {
    Asked::watch(inputs, scoring.aggregate, alert).with("intents", intents_of(scoring).as_ref().map(Place::name))
}

/// What makes vectors of texts, and what holds those of earlier runs.
struct Means {
    embedder: Arc<dyn Embedder>,
    store: Option<Arc<dyn EmbeddingStore>>,
}

impl Means {
    fn of(scoring: &ScoringArgs, recorder: Option<&Recorder>) -> Result<Self, Failure> {
        let store = recorder.and_then(Recorder::vectors);
        Ok(Self { embedder: crate::embedder::load(scoring.embedder)?, store })
    }

    fn watcher(&self, request: WatchRequest) -> Watcher {
        Watcher::new(Arc::clone(&self.embedder), self.store.clone(), request)
    }
}

/// How steps are told as they come.
#[derive(Clone, Copy)]
enum Live {
    /// JSON, a line a step.
    Lines,
    /// A line a step for a reader.
    Text(Colour),
}

impl Live {
    fn tell(self, records: &[StepRecord]) -> Result<String, Failure> {
        match self {
            Self::Lines => Ok(records.iter().map(steadfast_wire::to_json_line).collect::<Result<_, _>>()?),
            Self::Text(shade) => Ok(records.iter().map(|record| draw::step_line(record, shade)).collect()),
        }
    }
}

fn request(
    scoring: &ScoringArgs,
    alert: steadfast_wire::watch::Alerting,
    keep_steps: bool,
) -> Result<WatchRequest, Failure> {
    let intents = match &intents_of(scoring) {
        None => HashMap::new(),
        Some(place) => {
            let (file, _) = input::intents(place)?;
            let read = read_intents(&file.bytes);
            let read = read.map_err(|problem| Failure::usage(format!("{}:{problem}", file.name)));
            read.map_err(|failure| failure.hint("intents are a JSON object from task id to initial intent"))?
                .into_iter()
                .collect()
        }
    };
    Ok(WatchRequest { aggregate: scoring.aggregate, alert, intents, keep_steps, keep_texts: false })
}

/// What came of an arm or a baseline: a saved result, or steps that are scored now.
fn followed(
    place: &Place,
    scoring: &ScoringArgs,
    means: &Means,
    talk: &Talk,
    inputs: &mut Vec<Input>,
) -> Result<Watch, Failure> {
    match saved(place, inputs)? {
        Some(saved) => Ok(saved),
        None => scored(place, scoring, means, talk, inputs),
    }
}

fn scored(
    place: &Place,
    scoring: &ScoringArgs,
    means: &Means,
    talk: &Talk,
    inputs: &mut Vec<Input>,
) -> Result<Watch, Failure> {
    let alert = alerting(None, None, (means.embedder.name(), means.embedder.version()), scoring.aggregate)?;
    let mut watcher = means.watcher(request(scoring, alert, true)?);
    follow(place, &mut watcher, talk, inputs, &mut |_| Ok(()))?;
    tell_unused(&watcher, scoring, talk);
    Ok(watcher.finish(&place.name())?)
}

/// Warns of initial intents that no step has the task of: a wrong name would else go unseen.
fn tell_unused(watcher: &Watcher, scoring: &ScoringArgs, talk: &Talk) {
    let unused = watcher.intents_unused();
    let Some(first) = unused.first() else { return };
    let name = intents_of(scoring).as_ref().map_or_else(String::new, Place::name);
    let first = legible(first);
    talk.warning(&match unused.len() {
        1 => format!("{name}: no step is of the task `{first}`, so its intent is not used"),
        count => {
            format!("{name}: {count} intents are not used: no step is of their tasks, the first of them `{first}`")
        }
    });
}

/// A result of `watch --json` that was saved; `None` where the file is none.
fn saved(place: &Place, inputs: &mut Vec<Input>) -> Result<Option<Watch>, Failure> {
    let Place::Path(path) = place else { return Ok(None) };
    let mut beginning = [0; 64];
    let length = {
        let mut file = fs::File::open(path).map_err(|error| input::unreadable(path, &error))?;
        file.read(&mut beginning).map_err(|error| input::unreadable(path, &error))?
    };
    if !steadfast_wire::begins_a_result(&beginning[..length]) {
        return Ok(None);
    }
    let (file, _) = input::result(place)?;
    inputs.push(runs::input(&file));
    let text = String::from_utf8(file.bytes)
        .map_err(|error| Failure::usage(format!("{}: is not text: {error}", file.name)))?;
    let watch = steadfast_wire::from_json(&text)
        .map_err(|error| Failure::usage(format!("{}: is no result of `watch`: {error}", file.name)))?;
    Ok(Some(watch))
}

/// Pushes the steps of one input to the watcher, and gives the number of its problems.
fn follow(
    place: &Place,
    watcher: &mut Watcher,
    talk: &Talk,
    inputs: &mut Vec<Input>,
    tell: &mut dyn FnMut(&[StepRecord]) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let name = place.name();
    let mut reader = StepReader::new(&name);
    let mut problems = 0;
    let mut take = |found: Vec<Result<GivenStep, Misread>>| -> Result<(), Failure> {
        let mut steps = Vec::with_capacity(found.len());
        for one in found {
            match one {
                Ok(step) => steps.push(step),
                Err(problem) => {
                    problems += 1;
                    if problems <= TOLD_MAX {
                        talk.warning(&format!("{name}:{problem}"));
                    }
                    watcher.problem(Problem {
                        file: name.clone(),
                        line: problem.line as u64,
                        column: problem.column as u64,
                        message: legible(&problem.message),
                    });
                }
            }
        }
        if steps.is_empty() {
            return Ok(());
        }
        tell(&wait::wait(watcher.push(&name, steps), None)?)
    };
    let mut source: Box<dyn Read> = match place {
        Place::Stdin => {
            outlive_interrupt()?;
            Box::new(io::stdin().lock())
        }
        Place::Path(path) => Box::new(open(path)?),
    };
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut hash = InputHash::default();
    loop {
        match source.read(&mut chunk) {
            Ok(0) => break,
            Ok(length) => {
                hash.push(&chunk[..length]);
                take(reader.push(&chunk[..length]))?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Failure::external(format!("{name}: cannot be read: {error}"))),
        }
    }
    take(reader.finish())?;
    inputs.push(hash.end(&name));
    Ok(problems)
}

/// Ctrl-C reaches whoever writes into the pipe as well and ends it, so the first one only ends the input here, and the summary is made;
/// the second one ends the program.
fn outlive_interrupt() -> Result<(), Failure> {
    let told = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register_conditional_shutdown(SIGINT, INTERRUPTED_STATUS, Arc::clone(&told))
        .and_then(|_| signal_hook::flag::register(SIGINT, told))
        .map_err(|error| Failure::external(format!("Ctrl-C cannot be listened to: {error}")))?;
    Ok(())
}

fn open(path: &Path) -> Result<fs::File, Failure> {
    let file = fs::File::open(path).map_err(|error| input::unreadable(path, &error))?;
    if file.metadata().is_ok_and(|found| found.is_dir()) {
        return Err(Failure::usage(format!("{}: is a folder, no file", path.display())));
    }
    Ok(file)
}
