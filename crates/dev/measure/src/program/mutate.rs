//! `steadfast-measure mutate`.

use std::fmt::Write as _;
use std::path::PathBuf;

use steadfast_measure::mutate::{
    AGAIN_METRICS, Case, METRICS, PER_OPERATOR_MAX, Pair, SET, Settings, again, beside, cases, judge_by_answers,
    judge_by_rules, published, question, read_answers, read_pair, read_pairs, shipped,
};
use steadfast_measure::{MeasureError, SET_BYTES_MAX};
use steadfast_wire::mutate::Mutations;

use super::args::{MeasureFormat, MutateArgs};
use super::{format_of, table_of};
use steadfast::exit::{Failure, Status};
use steadfast::talk::{Talk, legible};
use steadfast::{input, output, wait};

/// Makes pairs drift, and says what of it is found.
pub(super) fn mutate(args: MutateArgs, talk: &Talk) -> Result<Status, Failure> {
    if !(1..=PER_OPERATOR_MAX).contains(&args.per_operator) {
        return Err(Failure::usage(format!(
            "`--per-operator {}` does not lie in 1 to {PER_OPERATOR_MAX}",
            args.per_operator
        )));
    }
    let format = format_of(args.format, args.json, args.output.as_deref());
    if format == MeasureFormat::Markdown {
        return Err(Failure::usage("what is found of drift made on purpose has no form in Markdown")
            .hint("`--format text`, `json` or `html`; `steadfast-measure all` has it in its document"));
    }
    let read = [&args.prompt, &args.report, &args.pairs, &args.answers];
    let read: Vec<PathBuf> = read.into_iter().flatten().chain(&args.again).cloned().collect();
    let written = [&args.write, &args.questions, &args.rows, &args.output];
    output::spare(&read, &written.into_iter().flatten().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let settings = Settings { seed: args.seed, per_operator: args.per_operator };
    let (pairs, own) = pairs(&args)?;
    let made = cases(&pairs, own, settings).map_err(|error| Failure::usage(error.to_string()))?;
    let (mut report, rows) = judged(&args, &pairs, &made, settings)?;
    if let Some(data) = &args.data {
        let files = super::files_of(&data.join("summedits"), 0)?;
        let figures = wait::meanwhile("measuring summedits".to_owned(), || beside(&files));
        report.rows.extend(figures.map_err(|error| Failure::usage(error.to_string()))?);
    }
    if report.cases == 0 {
        talk.warning("no operator found anything to change: a report is changed where it speaks of what its prompt asks for, in sentences");
    }
    let text = match format {
        MeasureFormat::Text | MeasureFormat::Markdown => told(&report),
        MeasureFormat::Json => steadfast_wire::to_json(&report)?,
        MeasureFormat::Html => steadfast_render::measure::mutations_html(&report)?,
    };
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    if let Some(path) = args.write {
        files.push((
            path,
            made.iter().map(|case| steadfast_wire::to_json_line(&published(case, &pairs))).collect::<Result<_, _>>()?,
        ));
    }
    if let Some(path) = args.questions {
        files.push((
            path,
            made.iter().map(|case| steadfast_wire::to_json_line(&question(case, &pairs))).collect::<Result<_, _>>()?,
        ));
    }
    if let Some(path) = args.rows {
        let metrics = [METRICS, AGAIN_METRICS].concat();
        let lines = rows.into_iter().map(|row| steadfast_wire::to_json_line(&super::published(SET, &metrics, row)));
        files.push((path, lines.collect::<Result<_, _>>()?));
    }
    match args.output.filter(|path| path.as_os_str() != "-") {
        Some(path) => files.push((path, text)),
        None => output::to_stdout(&text)?,
    }
    output::to_files(&files)?;
    Ok(Status::Passed)
}

/// The pairs, and how many of them are changed: the shipped ones give words to those of the user's.
fn pairs(args: &MutateArgs) -> Result<(Vec<Pair>, usize), Failure> {
    let shipped = shipped().map_err(|error| Failure::external(error.to_string()))?;
    let mut own = match (&args.pairs, &args.prompt, &args.report) {
        (Some(path), ..) => {
            let bytes = input::lines(path, SET_BYTES_MAX)?;
            read_pairs(&path.display().to_string(), &bytes).map_err(|error| Failure::usage(error.to_string()))?
        }
        (None, Some(prompt), Some(report)) => {
            let [prompt, report] = [prompt, report].map(|path| input::file_at(path));
            vec![read_pair(&prompt?, &report?).map_err(|error| Failure::usage(error.to_string()))?]
        }
        _ => {
            let changed = shipped.len();
            return Ok((shipped, changed));
        }
    };
    let changed = own.len();
    own.extend(shipped);
    Ok((own, changed))
}

type Judged = (Mutations, Vec<steadfast_measure::Row>);

fn judged(args: &MutateArgs, pairs: &[Pair], made: &[Case], settings: Settings) -> Result<Judged, Failure> {
    let hint =
        "the cases that want an answer are those of `--questions`, with the same pairs, --seed and --per-operator";
    let Some(path) = &args.answers else {
        return wait::meanwhile(format!("judging {} reports", made.len()), || judge_by_rules(pairs, made, settings))
            .map_err(|error| Failure::usage(error.to_string()));
    };
    let refused = |error: MeasureError| Failure::usage(error.to_string());
    let wrong = |error: MeasureError| refused(error).hint(hint);
    let answers = |path: &PathBuf| {
        let name = path.display().to_string();
        let bytes = input::lines(path, SET_BYTES_MAX)?;
        let answers = read_answers(&name, &bytes).map_err(refused)?;
        Ok::<_, Failure>((name, answers))
    };
    let first = answers(path)?;
    let (mut report, mut rows) = judge_by_answers(&first.0, pairs, made, settings, &first.1).map_err(wrong)?;
    if !args.again.is_empty() {
        let rest: Vec<_> = args.again.iter().map(answers).collect::<Result<_, _>>()?;
        let all: Vec<_> = std::iter::once(first).chain(rest).collect();
        let (figures, more) = again(pairs, made, settings, &all).map_err(wrong)?;
        report.rows.extend(figures);
        rows.extend(more);
    }
    Ok((report, rows))
}

/// For the terminal.
fn told(report: &Mutations) -> String {
    let mut out = table_of(&report.rows);
    let _ = writeln!(
        out,
        "\n{:<4} {:<18} {:>9} {:>13}  what is done to the faithful report",
        "type", "operator", "found", "found (kept)"
    );
    for it in report.operators.iter().filter(|it| it.cases > 0) {
        let of = |found: usize, cases: usize| format!("{found} of {cases}");
        let _ = writeln!(
            out,
            "{:<4} {:<18} {:>9} {:>13}  {}",
            it.drift_type.letter(),
            it.operator,
            of(it.found, it.cases),
            of(it.kept_found, it.kept_cases),
            it.about
        );
    }
    let idle: Vec<&str> = report.operators.iter().filter(|it| it.cases == 0).map(|it| it.operator.as_str()).collect();
    if !idle.is_empty() {
        let _ = writeln!(out, "nothing to do for: {}", idle.join(", "));
    }
    for it in &report.false_incidents {
        let what = it.output_claim.as_deref().unwrap_or("something is said to be missing");
        let by = it.check.as_deref().unwrap_or("the answers");
        let _ = writeln!(out, "false: {}, by {by}: {}", legible(&it.pair), legible(&what.replace('\n', " ")));
    }
    if report.not_located > 0 {
        let _ = writeln!(out, "{} quotes stand nowhere in the report that they speak of", report.not_located);
    }
    let _ = writeln!(
        out,
        "{} drifted reports of {} pairs, seed {}, judged by {}",
        report.cases, report.pairs, report.seed, report.judge
    );
    out
}
