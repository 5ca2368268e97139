//! What the program does.

pub(crate) mod args;
mod mutate;
mod robustness;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steadfast_engine::EngineError;
use steadfast_engine::embedder::{Embedder, on_all_cores, on_all_cores_keeping};
use steadfast_measure::calibrate::{
    Fitted, Settings, asides, calibrate, details, grounding, pieces, reading, tasks::FOLDERS,
};
use steadfast_measure::{Files, Means, MeasureError, Metric, Row, SET_BYTES_MAX, SETS, Set, Uses};
use steadfast_store::Store;
use steadfast_wire::measure::{Counted, Figure, JudgedRow, Measurement};

use steadfast::exit::{Failure, Status};
use steadfast::talk::{Talk, legible};
use steadfast::{embedder, input, output, shipped, vault, wait};
use steadfast_wire::request::EmbedderChoice;

use args::{CalibrateArg, CalibrateArgs, LogsArgs, MeasureArgs, MeasureCommand, MeasureFormat, ReportArgs};

/// The sets that are there without any data.
const SHIPPED_SETS: &[&str] = &["pick_tasks"];
/// How deep folders of cases lie in the folder of a set that has them: a group and a case in it.
const FOLDERS_DEEP: usize = 4;
/// Bytes of kept figures, at most.
const KEPT_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Lists the sets, measures one or all of them, or fits thresholds.
pub(crate) fn measure(args: MeasureArgs, talk: &Talk) -> Result<Status, Failure> {
    match args.command {
        Some(MeasureCommand::Calibrate(args)) => {
            return match args.what {
                CalibrateArg::Pick => fit(args, talk),
                CalibrateArg::Grounding => fit_grounding(args, talk),
                CalibrateArg::Reading => fit_scorer(args, &reading::FOLDERS, reading::calibrate, talk),
                CalibrateArg::Asides => fit_scorer(args, &asides::FOLDERS, asides::calibrate, talk),
                CalibrateArg::Pieces if args.output.is_none() => {
                    Err(Failure::usage("`calibrate pieces` writes three files: `-o DIR` names their folder"))
                }
                CalibrateArg::Pieces => fit_scorer(args, &pieces::FOLDERS, pieces::calibrate, talk),
                CalibrateArg::Details => fit_scorer(args, &details::FOLDERS, details::calibrate, talk),
            };
        }
        Some(MeasureCommand::Report(args)) => return report(&args),
        Some(MeasureCommand::Mutate(args)) => return mutate::mutate(&args, talk),
        Some(MeasureCommand::Logs(args)) => return logs(&args, talk),
        Some(MeasureCommand::Robustness(args)) => return robustness::robustness(&args, talk),
        None => {}
    }
    let set = args.set.unwrap_or_default();
    if set == "list" {
        output::to_stdout(&list())?;
        return Ok(Status::Passed);
    }
    let sets: Vec<&Set> = match set.as_str() {
        "all" => SETS.iter().collect(),
        names => names.split(',').map(named).collect::<Result<_, _>>()?,
    };
    // Of several sets those are measured that are there.
    let several = sets.len() > 1;
    if args.data.is_none() && !sets.iter().all(|set| SHIPPED_SETS.contains(&set.name)) {
        return Err(Failure::usage("no labelled data is given").hint("`--data DIR` is the folder that holds `SET/`"));
    }
    let format = format_of(args.format, args.json, args.output.as_deref());
    let (measurement, judged) = figures(&sets, args.data.as_deref(), several, args.embedder)?;
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    if let Some(path) = &args.keep {
        files.push((path.clone(), steadfast_wire::to_json(&measurement)?));
    }
    if !measurement.missing.is_empty() {
        talk.note(&format!("not there, so not measured: {}", measurement.missing.join(", ")));
    }
    let mut text = drawn(&measurement, format, args.keep.as_deref(), args.output.as_deref())?;
    if format == MeasureFormat::Text {
        text += &listings(&judged);
    }
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

fn named(name: &str) -> Result<&'static Set, Failure> {
    steadfast_measure::sets::named(name).ok_or_else(|| {
        Failure::usage(format!("`{name}` is no labelled set")).hint("`steadfast-measure list` names them")
    })
}

/// Draws kept figures again.
fn report(args: &ReportArgs) -> Result<Status, Failure> {
    let measurement = kept(&args.kept)?;
    let format = args.format.or_else(|| by_ending(args.output.as_deref())).unwrap_or(MeasureFormat::Markdown);
    let text = drawn(&measurement, format, Some(&args.kept), args.output.as_deref())?;
    fitted(text, args.output.clone())
}

/// Writes the cases of sessions for whoever judges them.
fn logs(args: &LogsArgs, talk: &Talk) -> Result<Status, Failure> {
    let files = files_of(&args.data.join("sessions"), FOLDERS_DEEP)?;
    let cases = steadfast_measure::sets::logs(&files).map_err(|error| Failure::usage(error.to_string()))?;
    let count = cases.len();
    let mut written = Vec::new();
    for (folder, log) in cases {
        let folder = args.output.join(folder);
        output::make_folder(&folder)?;
        written.push((folder.join("session.jsonl"), log));
    }
    output::to_files(&written)?;
    talk.note(&format!("{count} cases written"));
    Ok(Status::Passed)
}

/// The format that a file's name says.
fn by_ending(output: Option<&Path>) -> Option<MeasureFormat> {
    match output?.extension()?.to_str()? {
        "json" => Some(MeasureFormat::Json),
        "md" | "markdown" => Some(MeasureFormat::Markdown),
        "txt" => Some(MeasureFormat::Text),
        _ => None,
    }
}

/// Figures in a format. A document names the file in which its figures are kept, and itself.
fn drawn(
    measurement: &Measurement,
    format: MeasureFormat,
    kept: Option<&Path>,
    output: Option<&Path>,
) -> Result<String, Failure> {
    let named = |path: Option<&Path>, otherwise: &str| {
        let path = path.filter(|path| path.as_os_str() != "-");
        path.map_or_else(|| otherwise.to_owned(), |path| path.to_string_lossy().replace('\\', "/"))
    };
    Ok(match format {
        MeasureFormat::Text => table(measurement),
        MeasureFormat::Json => steadfast_wire::to_json(measurement)?,
        MeasureFormat::Markdown => steadfast_measure::detectors::document(
            measurement,
            &named(kept, "accuracy.json"),
            &named(output, "ACCURACY.md"),
        ),
    })
}

/// In which format something is written: what was asked for, else what the file's ending says.
fn format_of(asked: Option<MeasureFormat>, json: bool, output: Option<&Path>) -> MeasureFormat {
    match asked {
        _ if json => MeasureFormat::Json,
        Some(format) => format,
        None => by_ending(output).unwrap_or(MeasureFormat::Text),
    }
}

/// The figures of an earlier measurement.
fn kept(path: &Path) -> Result<Measurement, Failure> {
    let wrong = |what: String| Failure::usage(format!("{}: {what}", path.display()));
    let bytes = std::fs::metadata(path).map_err(|error| input::unreadable(path, &error))?.len();
    if bytes > KEPT_BYTES_MAX {
        return Err(wrong(format!("has {bytes} bytes, more than {KEPT_BYTES_MAX}")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| input::unreadable(path, &error))?;
    let kept: Measurement =
        steadfast_wire::from_json(&text).map_err(|error| wrong(format!("is no measurement: {error}")))?;
    if kept.rows.iter().all(|row| row.value.is_none()) {
        return Err(wrong("holds no figure".to_owned()));
    }
    Ok(kept)
}

/// The figures of the sets, and their rows. Of all sets those whose folder is not there are passed over, and named.
fn figures(
    sets: &[&Set],
    data: Option<&Path>,
    several: bool,
    embedder: EmbedderChoice,
) -> Result<(Measurement, Vec<JudgedRow>), Failure> {
    let is_there = |folder: &Option<PathBuf>| folder.as_ref().is_none_or(|folder| folder.is_dir());
    let folder = |name: &str| {
        let own = data.map(|data| data.join(name));
        // Of several, what ships stands in for a folder that is not there.
        own.filter(|own| !(several && SHIPPED_SETS.contains(&name)) || own.is_dir())
    };
    let sets: Vec<(&Set, Option<PathBuf>)> = sets.iter().map(|set| (*set, folder(set.folder()))).collect();
    let there: Vec<&(&Set, Option<PathBuf>)> = sets.iter().filter(|(_, folder)| !several || is_there(folder)).collect();
    // Before anything is measured: without the model nothing has been waited for in vain.
    let embedder = match there.iter().any(|(set, folder)| set.read.uses == Uses::Embedder && is_there(folder)) {
        true => Some(on_all_cores(embedder::load(embedder)?)),
        false if !there.iter().any(|(set, _)| matches!(set.read.uses, Uses::Vault | Uses::Model)) => None,
        false if embedder == EmbedderChoice::Minilm => vault::model(true)?,
        false => Some(on_all_cores(embedder::load(embedder)?)),
    };
    let prompts = shipped::files();
    let mut measurement = Measurement {
        missing: sets
            .iter()
            .filter(|(_, folder)| several && !is_there(folder))
            .map(|(set, _)| set.name.to_owned())
            .collect(),
        ..Measurement::default()
    };
    let mut judged = Vec::new();
    for (set, folder) in &there {
        let files = match folder {
            Some(folder) => files_of(folder, if set.read.within.is_some() { FOLDERS_DEEP } else { 0 })?,
            None => Files([("tasks.jsonl".to_owned(), shipped::TASKS.as_bytes().to_vec())].into()),
        };
        let means = Means { embedder: embedder.as_deref(), prompts: &prompts, tasks: shipped::TASKS };
        let own =
            wait::meanwhile(format!("measuring {}", set.name), || steadfast_measure::measure(set, &files, &means));
        let (own, rows) = own.map_err(|error| Failure::usage(error.to_string()))?;
        measurement.embedder = measurement.embedder.or(own.embedder);
        measurement.rows.extend(own.rows);
        judged.extend(rows.into_iter().map(|row| published(set.name, set.metrics, row)));
    }
    if let Some(data) = data.filter(|_| several && there.iter().all(|(_, folder)| folder.is_none())) {
        return Err(Failure::usage(format!("{}: holds no labelled set", data.display()))
            .hint("`steadfast-measure list` names the folders that are looked for"));
    }
    let names: Vec<&str> = there.iter().map(|(set, _)| set.name).collect();
    let used = embedder.as_deref().filter(|_| measurement.embedder.is_some());
    measurement.versions = steadfast_measure::detectors::versions(&names, used);
    Ok((measurement, judged))
}

/// The files of a labelled set, by their names in its folder, and those of folders in it down to `depth`.
fn files_of(folder: &Path, depth: usize) -> Result<Files, Failure> {
    let mut files = Files::default();
    let mut bytes = 0_u64;
    let mut open = vec![(folder.to_owned(), String::new(), depth)];
    while let Some((within, prefix, depth)) = open.pop() {
        for entry in std::fs::read_dir(&within).map_err(|error| input::unreadable(&within, &error))? {
            let path = entry.map_err(|error| input::unreadable(&within, &error))?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if name.starts_with('.') {
                continue;
            }
            if depth > 0 && path.is_dir() {
                open.push((path, format!("{prefix}{name}/"), depth - 1));
                continue;
            }
            if !path.is_file() {
                continue;
            }
            let content = input::lines(&path, SET_BYTES_MAX)?;
            bytes += content.len() as u64;
            if bytes > SET_BYTES_MAX {
                return Err(
                    EngineError::RunTooLarge { run: folder.display().to_string(), limit_bytes: SET_BYTES_MAX }.into()
                );
            }
            files.0.insert(format!("{prefix}{name}"), content);
        }
    }
    Ok(files)
}

/// The folders of those names that are there, with the files in folders within them down to `depth`.
fn folders(data: &Path, names: &[&str], depth: usize) -> Result<BTreeMap<String, Files>, Failure> {
    let mut read = BTreeMap::new();
    for name in names {
        let folder = data.join(name);
        if folder.is_dir() {
            read.insert((*name).to_owned(), files_of(&folder, depth)?);
        }
    }
    Ok(read)
}

/// The model on all cores where it is there, keeping its vectors in a store where one is named.
fn remembering(store: Option<&Path>, talk: &Talk) -> Result<Option<Arc<dyn Embedder>>, Failure> {
    let embedder = match (vault::model(false)?, store) {
        (Some(model), Some(path)) => Some(on_all_cores_keeping(model, Arc::new(Store::open(path)?))),
        (model, _) => model.map(on_all_cores),
    };
    if embedder.is_none() {
        talk.note("fitted for words alone: the embedding model is not there; `steadfast embedder pull` fetches it");
    }
    Ok(embedder)
}

/// Where what was fitted or drawn goes.
fn fitted(text: String, output: Option<PathBuf>) -> Result<Status, Failure> {
    match output.filter(|path| path.as_os_str() != "-") {
        Some(path) => output::to_files(&[(path, text)])?,
        None => output::to_stdout(&text)?,
    }
    Ok(Status::Passed)
}

/// Fits the coefficients of the support score.
fn fit_grounding(args: CalibrateArgs, talk: &Talk) -> Result<Status, Failure> {
    let data = folders(&args.data, grounding::FOLDERS, 0)?;
    let embedder = remembering(args.store.as_deref(), talk)?;
    let fit = || grounding::calibrate(&data, embedder.as_deref(), env!("CARGO_PKG_VERSION"));
    let coefficients = wait::meanwhile("fitting".to_owned(), fit).map_err(|error| Failure::usage(error.to_string()))?;
    fitted(steadfast_wire::to_json(&coefficients)?, args.output)
}

/// What fits a scorer on folders.
type Fit = fn(&BTreeMap<String, Files>) -> Result<Fitted, MeasureError>;

/// Fits the coefficients of a scorer, and says how it does on what it was not fitted on. `-o` names the file, or the folder of several.
fn fit_scorer(args: CalibrateArgs, names: &[&str], fit: Fit, talk: &Talk) -> Result<Status, Failure> {
    if args.store.is_some() {
        return Err(Failure::usage("`--store` is for `pick` and `grounding`"));
    }
    let data = folders(&args.data, names, FOLDERS_DEEP)?;
    let fit = wait::meanwhile("fitting".to_owned(), || fit(&data));
    let mut fit = fit.map_err(|error| Failure::usage(error.to_string()))?;
    fit.told.iter().for_each(|line| talk.note(line));
    for own in &fit.held_out {
        let false_ones = own.false_per_1000_words;
        let false_ones = false_ones.map(|it| format!(", and {it:.2} is found in 1,000 words of faithful reports"));
        talk.note(&format!(
            "from {:.2} on {:.3} of it is found, and {:.3} of what is found is right{}",
            own.threshold,
            own.found,
            own.right,
            false_ones.unwrap_or_default()
        ));
    }
    if fit.files.len() == 1 {
        return fitted(fit.files.remove(0).1, args.output);
    }
    let folder = args.output.unwrap_or_default();
    let files: Vec<(PathBuf, String)> =
        fit.files.into_iter().map(|(name, text)| (folder.join(format!("{name}.tsv")), text)).collect();
    output::to_files(&files)?;
    Ok(Status::Passed)
}

/// Fits what is asked for on the folders that are there.
fn fit(args: CalibrateArgs, talk: &Talk) -> Result<Status, Failure> {
    if !(0.0..=1.0).contains(&args.abstain_max) {
        return Err(
            Failure::usage(format!("`--abstain-max {}` is no share", args.abstain_max)).hint("a share lies in 0 to 1")
        );
    }
    let mut data = folders(&args.data, &FOLDERS, 0)?;
    let own = || Files([("tasks.jsonl".to_owned(), shipped::TASKS.as_bytes().to_vec())].into());
    data.entry("pick_tasks".to_owned()).or_insert_with(own);
    let prompts = shipped::files();
    let embedder = remembering(args.store.as_deref(), talk)?;
    let version = env!("CARGO_PKG_VERSION");
    let settings =
        Settings { name: &args.name, abstain_max: args.abstain_max, program_version: version, prompts: &prompts };
    let points = wait::meanwhile("fitting".to_owned(), || calibrate(&data, embedder.as_deref(), &settings));
    let points = points.map_err(|error| Failure::usage(error.to_string()))?;
    fitted(steadfast_wire::to_json(&points)?, args.output)
}

fn published(set: &str, metrics: &[Metric], row: Row) -> JudgedRow {
    let counts = row.counts.iter().filter_map(|count| {
        let metric = metrics.iter().find(|metric| metric.name == count.metric)?;
        Some(Counted { metric: metric.name.to_owned(), counts: count.counts[..metric.statistic.width()].to_vec() })
    });
    JudgedRow {
        set: set.to_owned(),
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

/// Rows that are there to be read: of sets that have no figure.
fn listings(judged: &[JudgedRow]) -> String {
    let mut out = String::new();
    let no_figure = |name: &str| steadfast_measure::sets::named(name).is_some_and(|set| set.metrics.is_empty());
    for row in judged.iter().filter(|row| no_figure(&row.set)) {
        let _ = writeln!(out, "{:<18} {}  {}", row.set, legible(&row.id), legible(&row.prediction));
    }
    out
}

fn table(measurement: &Measurement) -> String {
    let mut out = table_of(&measurement.rows);
    let picks = |name: &str| steadfast_measure::sets::named(name).is_some_and(|set| set.read.uses == Uses::Vault);
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

/// Figures, a line each.
fn table_of(figures: &[Figure]) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"));
    let mut out = format!(
        "{:<18} {:<28} {:>9} {:>19} {:>6} {:>9} {:>9} {:>9} {:>9}\n",
        "set", "metric", "value", "95 % interval", "n", "tuned", "kept", "floor", "published"
    );
    for figure in figures {
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
    out
}
