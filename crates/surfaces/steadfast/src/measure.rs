//! `steadfast measure`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use steadfast_engine::embedder::on_all_cores;
use steadfast_measure::{Row, SETS, Set};
use steadfast_wire::measure::{Counted, JudgedRow, Measurement};

use crate::args::{EmbedderArg, MeasureArgs, MeasureFormat};
use crate::exit::{Failure, Status};
use crate::talk::legible;
use crate::{embedder, input, output, wait};

/// Lists the sets, or measures one or all of them.
pub(crate) fn measure(args: MeasureArgs) -> Result<Status, Failure> {
    if args.set == "list" {
        output::to_stdout(&list())?;
        return Ok(Status::Passed);
    }
    let sets: Vec<&Set> = match args.set.as_str() {
        "all" => SETS.iter().collect(),
        name => vec![steadfast_measure::sets::named(name).ok_or_else(|| {
            Failure::usage(format!("`{name}` is no labelled set")).hint("`steadfast measure list` names them")
        })?],
    };
    let Some(data) = args.data else {
        return Err(Failure::usage("no labelled data is given").hint("`--data DIR` is the folder that holds `SET/`"));
    };
    let (measurement, judged) = figures(&sets, &data, args.set == "all", args.embedder)?;
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
    data: &Path,
    all: bool,
    embedder: EmbedderArg,
) -> Result<(Measurement, Vec<JudgedRow>), Failure> {
    let sets: Vec<(&Set, PathBuf)> = sets.iter().map(|set| (*set, data.join(set.name))).collect();
    let there: Vec<&(&Set, PathBuf)> = sets.iter().filter(|(_, folder)| !all || folder.is_dir()).collect();
    // Before anything is measured: without the model nothing has been waited for in vain.
    let embedder = match there.iter().any(|(set, folder)| set.needs_embedder() && folder.is_dir()) {
        true => Some(on_all_cores(embedder::load(embedder)?)),
        false => None,
    };
    let mut measurement = Measurement::default();
    let mut judged = Vec::new();
    for (set, folder) in &there {
        let files = input::set(folder)?;
        let own = wait::meanwhile(format!("measuring {}", set.name), || {
            steadfast_measure::measure(set, &files, embedder.as_deref())
        });
        let (own, rows) = own.map_err(|error| Failure::usage(error.to_string()))?;
        measurement.embedder = measurement.embedder.or(own.embedder);
        measurement.rows.extend(own.rows);
        judged.extend(rows.into_iter().map(|row| published(set, row)));
    }
    if there.is_empty() {
        return Err(Failure::usage(format!("{}: holds no labelled set", data.display()))
            .hint("`steadfast measure list` names the folders that are looked for"));
    }
    Ok((measurement, judged))
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
    if let Some(embedder) = &measurement.embedder {
        let _ = writeln!(out, "embedder: {embedder}");
    }
    out
}
