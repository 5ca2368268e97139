//! `steadfast measure`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steadfast_engine::embedder::{on_all_cores, on_all_cores_keeping};
use steadfast_measure::calibrate::{Settings, calibrate, tasks::FOLDERS};
use steadfast_measure::{Files, Means, Row, SETS, Set};
use steadfast_store::Store;
use steadfast_wire::measure::{Counted, JudgedRow, Measurement};

use crate::args::{CalibrateArgs, EmbedderArg, MeasureArgs, MeasureCommand, MeasureFormat};
use crate::exit::{Failure, Status};
use crate::talk::{Talk, legible};
use crate::{embedder, input, output, shipped, vault, wait};

/// The set that is there without any data.
const SHIPPED_SET: &str = "pick_tasks";

/// Lists the sets, measures one or all of them, or fits thresholds.
pub(crate) fn measure(args: MeasureArgs, talk: &Talk) -> Result<Status, Failure> {
    if let Some(MeasureCommand::Calibrate(args)) = args.command {
        return fit(args, talk);
    }
    let set = args.set.unwrap_or_default();
    if set == "list" {
        output::to_stdout(&list())?;
        return Ok(Status::Passed);
    }
    let sets: Vec<&Set> = match set.as_str() {
        "all" => SETS.iter().collect(),
        name => vec![steadfast_measure::sets::named(name).ok_or_else(|| {
            Failure::usage(format!("`{name}` is no labelled set")).hint("`steadfast measure list` names them")
        })?],
    };
    if args.data.is_none() && set != SHIPPED_SET {
        return Err(Failure::usage("no labelled data is given").hint("`--data DIR` is the folder that holds `SET/`"));
    }
    let (measurement, judged) = figures(&sets, args.data.as_deref(), set == "all", args.embedder)?;
    let text = match args.format {
        _ if args.json => steadfast_wire::to_json(&measurement)?,
        MeasureFormat::Text => table(&measurement) + &listings(&judged),
        MeasureFormat::Json => steadfast_wire::to_json(&measurement)?,
    };
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    if let Some(path) = args.rows {
        let lines = judged.iter().map(steadfast_wire::to_json_line).collect::<Result<String, _>>()?;
        files.push((path, lines));
    }
    match args.output.filter(|path| path.as_os_str() != "-") {
        Some(path) => files.push((path, text)),
        None => output::to_stdout(&text)?,
    }
    output::to_files(&files)?;
    Ok(Status::Passed)
}

/// The figures of the sets, and their rows. Of all sets those whose folder is not there are passed over.
fn figures(
    sets: &[&Set],
    data: Option<&Path>,
    all: bool,
    embedder: EmbedderArg,
) -> Result<(Measurement, Vec<JudgedRow>), Failure> {
    let sets: Vec<(&Set, Option<PathBuf>)> =
        sets.iter().map(|set| (*set, data.map(|data| data.join(set.name)))).collect();
    let is_there = |folder: &Option<PathBuf>| folder.as_ref().is_none_or(|folder| folder.is_dir());
    let there: Vec<&(&Set, Option<PathBuf>)> = sets.iter().filter(|(_, folder)| !all || is_there(folder)).collect();
    // Before anything is measured: without the model nothing has been waited for in vain.
    let embedder = match there.iter().any(|(set, folder)| set.needs_embedder() && is_there(folder)) {
        true => Some(on_all_cores(embedder::load(embedder)?)),
        false if !there.iter().any(|(set, _)| set.picks()) => None,
        false if embedder == EmbedderArg::Minilm => vault::model(true)?,
        false => Some(on_all_cores(embedder::load(embedder)?)),
    };
    let prompts = shipped::files();
    let mut measurement = Measurement::default();
    let mut judged = Vec::new();
    for (set, folder) in &there {
        let files = match folder {
            Some(folder) => input::set(folder)?,
            None => Files([("tasks.jsonl".to_owned(), shipped::TASKS.as_bytes().to_vec())].into()),
        };
        let means = Means { embedder: embedder.as_deref(), prompts: &prompts };
        let own =
            wait::meanwhile(format!("measuring {}", set.name), || steadfast_measure::measure_with(set, &files, &means));
        let (own, rows) = own.map_err(|error| Failure::usage(error.to_string()))?;
        measurement.embedder = measurement.embedder.or(own.embedder);
        measurement.rows.extend(own.rows);
        judged.extend(rows.into_iter().map(|row| published(set, row)));
    }
    if let Some(data) = data.filter(|_| there.is_empty()) {
        return Err(Failure::usage(format!("{}: holds no labelled set", data.display()))
            .hint("`steadfast measure list` names the folders that are looked for"));
    }
    Ok((measurement, judged))
}

/// Fits thresholds on the folders that are there.
fn fit(args: CalibrateArgs, talk: &Talk) -> Result<Status, Failure> {
    if !(0.0..=1.0).contains(&args.abstain_max) {
        return Err(
            Failure::usage(format!("`--abstain-max {}` is no share", args.abstain_max)).hint("a share lies in 0 to 1")
        );
    }
    let mut data: BTreeMap<String, Files> = BTreeMap::new();
    for name in FOLDERS {
        let folder = args.data.join(name);
        if folder.is_dir() {
            data.insert(name.to_owned(), input::set(&folder)?);
        }
    }
    let own = || Files([("tasks.jsonl".to_owned(), shipped::TASKS.as_bytes().to_vec())].into());
    data.entry("pick_tasks".to_owned()).or_insert_with(own);
    let prompts = shipped::files();
    let embedder = match (vault::model(false)?, &args.store) {
        (Some(model), Some(path)) => Some(on_all_cores_keeping(model, Arc::new(Store::open(path)?))),
        (model, _) => model.map(on_all_cores),
    };
    if embedder.is_none() {
        talk.note("fitted for words alone: the embedding model is not there; `steadfast embedder pull` fetches it");
    }
    let version = env!("CARGO_PKG_VERSION");
    let settings =
        Settings { name: &args.name, abstain_max: args.abstain_max, program_version: version, prompts: &prompts };
    let points = wait::meanwhile("fitting".to_owned(), || calibrate(&data, embedder.as_deref(), &settings));
    let points = points.map_err(|error| Failure::usage(error.to_string()))?;
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    if let Some(path) = args.report {
        files.push((path, steadfast_render::pick::calibration_html(&points)?));
    }
    let text = steadfast_wire::to_json(&points)?;
    match args.output.filter(|path| path.as_os_str() != "-") {
        Some(path) => files.push((path, text)),
        None => output::to_stdout(&text)?,
    }
    output::to_files(&files)?;
    Ok(Status::Passed)
}

fn published(set: &Set, row: Row) -> JudgedRow {
    let counts = row.counts.iter().filter_map(|count| {
        let metric = set.metrics.get(count.metric)?;
        Some(Counted { metric: metric.name.to_owned(), counts: count.counts[..metric.statistic.width()].to_vec() })
    });
    JudgedRow {
        set: set.name.to_owned(),
        counts: counts.collect(),
        id: row.id,
        prediction: row.prediction,
        score: row.score,
        label: row.label,
        tuned: row.tuned,
    }
}

fn list() -> String {
    let mut out = String::new();
    for set in SETS {
        let metrics: Vec<&str> = set.metrics.iter().map(|metric| metric.name).collect();
        let _ = writeln!(out, "{:<18} {}: {}", set.name, set.about, metrics.join(", "));
    }
    out
}

/// Rows of sets that have no figure and are there to be read.
fn listings(judged: &[JudgedRow]) -> String {
    let mut out = String::new();
    let no_figure = |name: &str| steadfast_measure::sets::named(name).is_some_and(|set| set.metrics.is_empty());
    for row in judged.iter().filter(|row| no_figure(&row.set)) {
        let _ = writeln!(out, "{:<18} {}  {}", row.set, legible(&row.id), legible(&row.prediction));
    }
    out
}

fn table(measurement: &Measurement) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"));
    let mut out = format!(
        "{:<18} {:<28} {:>9} {:>19} {:>6} {:>9} {:>9} {:>9} {:>9}\n",
        "set", "metric", "value", "95 % interval", "n", "tuned", "kept", "floor", "published"
    );
    for figure in &measurement.rows {
        let interval = figure.ci95.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.4} to {high:.4}"));
        let _ = writeln!(
            out,
            "{:<18} {:<28} {:>9} {:>19} {:>6} {:>9} {:>9} {:>9} {:>9}",
            figure.set,
            figure.metric,
            number(figure.value),
            interval,
            figure.n,
            number(figure.tuned),
            number(figure.kept),
            number(figure.floor),
            number(figure.published)
        );
    }
    let picks = |name: &str| steadfast_measure::sets::named(name).is_some_and(Set::picks);
    match &measurement.embedder {
        Some(embedder) => {
            let _ = writeln!(out, "embedder: {embedder}");
        }
        None if measurement.rows.iter().any(|figure| picks(&figure.set)) => {
            out.push_str("embedder: none, prompts are found by words and metadata alone\n");
        }
        None => {}
    }
    out
}
