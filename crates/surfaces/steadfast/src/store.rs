//! `steadfast runs`, `tasks`, `backup` and `restore`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steadfast_engine::EngineError;
use steadfast_engine::runs::{self, RunFilter};
use steadfast_engine::store::Keep;
use steadfast_engine::tasks::{self, TaskFilter};
use steadfast_store::{Contents, Store};
use steadfast_wire::api::{Fields, Published, members};
use steadfast_wire::runs::{RunList, RunRecord, StoredRun, indented};
use steadfast_wire::tasks::{Task, TaskHead, TaskList};

use crate::args::{BackupArgs, RestoreArgs, RowsArgs, RowsFormat, RunsArgs, RunsCommand, TasksArgs, TasksCommand};
use crate::exit::{Failure, Status};
use crate::talk::{Talk, legible};
use crate::wait::meanwhile;
use crate::{output, settings};

/// Characters of a message that `tasks show` tells on a terminal.
const SHOWN_CHARS_MAX: usize = 400;

/// Looks at stored runs.
pub(crate) fn runs(args: RunsArgs, talk: &Talk) -> Result<Status, Failure> {
    match args.command {
        RunsCommand::List { store, verb, agent, limit, cursor, rows } => {
            let store = Store::open_to_read(&store.store)?;
            let filter = RunFilter { verb, agent, ..RunFilter::default() };
            let list = runs::find_runs(&store, filter, cursor.as_deref(), limit)?;
            write_rows::<StoredRun>(&rows, || list_text(&list), &list, "runs")
        }
        RunsCommand::Show { id, store, result, rows } => {
            let store = Store::open_to_read(&store.store)?;
            let record = runs::show_run(&store, &id)?;
            if result {
                return put(rows.output.file().as_deref(), &indented(record.result.get()));
            }
            write(&rows, || run_text(&record), &record)
        }
        RunsCommand::Export { store, verb, output } => {
            let path = store.store;
            let store = Store::open_to_read(&path)?;
            lines(&path, output.as_deref(), |line| {
                runs::export_runs(&store, verb.as_deref(), |record| line(&steadfast_wire::to_json_line(&record)?))
            })
        }
        RunsCommand::Delete { ids, store } => {
            let store = existing(&store.store)?;
            runs::delete_runs(&store, &ids)?;
            store.close()?;
            talk.note(&format!("deleted {}", counted(ids.len() as u64, "run")));
            Ok(Status::Passed)
        }
    }
}

/// Looks at tasks, and flags them.
pub(crate) fn tasks(args: TasksArgs, talk: &Talk) -> Result<Status, Failure> {
    match args.command {
        TasksCommand::List { store, limit, cursor, rows } => {
            let store = Store::open_to_read(&store.store)?;
            let list = tasks::find_tasks(&store, TaskFilter::default(), cursor.as_deref(), limit)?;
            write_rows::<TaskHead>(&rows, || tasks_text(&list), &list, "tasks")
        }
        TasksCommand::Show { task, store, rows } => {
            let store = Store::open_to_read(&store.store)?;
            let task = tasks::show_task(&store, &task)?;
            write(&rows, || task_text(&task), &task)
        }
        TasksCommand::Flag { task, quality, tags, store } => {
            // What is said of a task is kept as little as the settings say: so is its name, by which it is found.
            let store = keeping(&store.store)?;
            tasks::flag_sequence_quality(&*store, &task, &quality, &tags)?;
            talk.note(&format!("flagged {task} {quality}"));
            Ok(Status::Passed)
        }
        TasksCommand::Export { store, quality, tags, output } => {
            let path = store.store;
            let store = Store::open_to_read(&path)?;
            lines(&path, output.as_deref(), |line| {
                tasks::export_training(&store, quality.as_deref(), &tags, |one| {
                    line(&steadfast_wire::to_json_line(&one)?)
                })
            })
        }
        TasksCommand::Delete { task, store } => {
            let store = keeping(&store.store)?;
            tasks::delete_task(&*store, &task)?;
            talk.note(&format!("deleted {task}"));
            Ok(Status::Passed)
        }
    }
}

/// Copies a store while others write to it.
pub(crate) fn backup(args: &BackupArgs, talk: &Talk) -> Result<Status, Failure> {
    let store = Store::open_to_read(&args.store.store)?;
    let contents = meanwhile("copying".to_owned(), || store.backup(&args.file))?;
    talk.note(&format!("{} holds {}; the copy was read back whole", args.file.display(), told(contents)));
    Ok(Status::Passed)
}

/// Puts a copy in the place of a store.
pub(crate) fn restore(args: &RestoreArgs, talk: &Talk) -> Result<Status, Failure> {
    let path = &args.store.store;
    let restored = meanwhile("restoring".to_owned(), || steadfast_store::restore(&args.file, path))?;
    talk.note(&format!("{} holds {}", path.display(), told(restored.contents)));
    if let Some(replaced) = restored.replaced {
        talk.note(&format!("what it held before is kept in {replaced}"));
    }
    Ok(Status::Passed)
}

/// A store that is written and not made.
pub(crate) fn existing(path: &Path) -> Result<Store, Failure> {
    drop(Store::open_to_read(path)?);
    Ok(Store::open(path)?)
}

/// A store that is written and not made, and keeps of texts what the settings let it.
pub(crate) fn keeping(path: &Path) -> Result<Arc<dyn Keep>, Failure> {
    let privacy = settings::privacy(None)?;
    Ok(steadfast_engine::privacy::keeping(Arc::new(existing(path)?), &privacy).map_err(EngineError::from)?)
}

/// Writes an answer as its text, or as JSON.
pub(crate) fn write<T: Published>(
    rows: &RowsArgs,
    text: impl FnOnce() -> String,
    value: &T,
) -> Result<Status, Failure> {
    written(rows, text, value, members::<T>, None)
}

/// Writes a list, whose rows stand in the member `name` and are `R` each, as its text, or as JSON.
pub(crate) fn write_rows<R: Published>(
    rows: &RowsArgs,
    text: impl FnOnce() -> String,
    list: &impl Published,
    name: &str,
) -> Result<Status, Failure> {
    written(rows, text, list, members::<R>, Some(name))
}

fn written(
    rows: &RowsArgs,
    text: impl FnOnce() -> String,
    value: &impl Published,
    known: fn() -> Vec<String>,
    name: Option<&str>,
) -> Result<Status, Failure> {
    let is_json = rows.output.format() == RowsFormat::Json;
    let fields = fields(&rows.fields, is_json, known)?;
    let written = match fields {
        Some(fields) => fields.json(value, name)?,
        None if is_json => steadfast_wire::to_json(value)?,
        None => text(),
    };
    put(rows.output.file().as_deref(), &written)
}

/// The members that `--fields` names, where it does.
pub(crate) fn fields(
    names: &[String],
    is_json: bool,
    known: impl FnOnce() -> Vec<String>,
) -> Result<Option<Fields>, Failure> {
    if names.is_empty() {
        return Ok(None);
    }
    if !is_json {
        return Err(Failure::usage("--fields names members of the JSON".to_owned()).hint("--json writes it"));
    }
    let fields = Fields::of(names, known).map_err(|unknown| Failure::usage(format!("--fields {unknown}")))?;
    Ok(Some(fields))
}

pub(crate) fn put(output: Option<&Path>, text: &str) -> Result<Status, Failure> {
    output::to(output.filter(|path| path.as_os_str() != "-"), text.to_owned())?;
    Ok(Status::Passed)
}

/// Writes lines of JSON as they come: to stdout at once, into a file whole or not at all. Whoever shows a file on a terminal has nothing act on it unseen.
pub(crate) fn lines(
    store: &Path,
    output: Option<&Path>,
    each: impl FnOnce(&mut dyn FnMut(&str) -> Result<(), Failure>) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    match output.filter(|path| path.as_os_str() != "-") {
        Some(path) => {
            output::spare(&[PathBuf::from(store)], &[path])?;
            output::stream(path, |write| each(&mut |line| write(&output::escaped(line))))?;
        }
        None => each(&mut |line| output::to_stdout(&output::escaped(line)))?,
    }
    Ok(Status::Passed)
}

pub(crate) fn told(contents: Contents) -> String {
    format!(
        "{}, {}, {}, {}, {} and {} in {} bytes",
        counted(contents.runs, "run"),
        counted(contents.tasks, "task"),
        counted(contents.messages, "message"),
        counted(contents.vectors, "vector"),
        counted(contents.prompts, "prompt"),
        counted(contents.steps, "step"),
        contents.bytes
    )
}

pub(crate) fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn line(run: &StoredRun) -> String {
    let verdict = run.verdict.as_deref().unwrap_or("-");
    let inputs: Vec<&str> = run.inputs.iter().map(|input| input.name.as_str()).take(3).collect();
    let more = if run.inputs.len() > inputs.len() { ", …" } else { "" };
    let agent = run.agent.as_ref().map_or_else(String::new, |agent| format!("  by {agent}"));
    legible(&format!(
        "{}  {}  {:<16} {}  {:<24} {}{more}{agent}",
        run.id,
        run.started,
        run.verb,
        run.exit_status,
        verdict,
        inputs.join(", ")
    ))
}

fn list_text(list: &RunList) -> String {
    let mut text: String = list.runs.iter().map(|run| line(run) + "\n").collect();
    if list.runs.is_empty() {
        text.push_str("no runs\n");
    }
    next(&mut text, list.next_cursor.as_deref());
    text
}

pub(crate) fn next(text: &mut String, cursor: Option<&str>) {
    if let Some(cursor) = cursor {
        let _ = writeln!(text, "more: --cursor {}", legible(cursor));
    }
}

fn run_text(record: &RunRecord) -> String {
    let run = &record.run;
    let mut text = line(run) + "\n";
    let rules = run.rules_version.as_ref().map_or_else(String::new, |rules| format!(", rules {rules}"));
    let _ = writeln!(text, "  steadfast {}, schema {}{rules}", run.program_version, run.result_schema_version);
    for input in &run.inputs {
        let _ = writeln!(text, "  input   {}  {} bytes, sha256 {}", legible(&input.name), input.bytes, input.sha256);
    }
    let json = steadfast_wire::to_json_line(&run.settings).unwrap_or_default();
    let _ = write!(text, "  asked   {json}");
    let spans: Vec<String> = run.ms.iter().map(|(span, ms)| format!("{span} {ms} ms")).collect();
    let _ = writeln!(text, "  took    {}", spans.join(", "));
    let _ = writeln!(text, "  result  {} bytes: `steadfast runs show {} --result`", run.result_bytes, run.id);
    text
}

fn tasks_text(list: &TaskList) -> String {
    let mut text = String::new();
    for task in &list.tasks {
        let flag = task.quality.as_deref().unwrap_or("-");
        let tags = task.tags.join(", ");
        let messages = counted(task.messages, "message");
        text.push_str(&legible(&format!("{}  {}  {messages}  {flag}  {tags}", task.task_id, task.updated_at)));
        text.push('\n');
    }
    if list.tasks.is_empty() {
        text.push_str("no tasks\n");
    }
    next(&mut text, list.next_cursor.as_deref());
    text
}

fn task_text(task: &Task) -> String {
    let mut text = format!("{}  {} to {}\n", legible(&task.task_id), task.created_at, task.updated_at);
    for flag in &task.flags {
        let _ = writeln!(text, "  flagged {} at {}  {}", flag.quality, flag.at, flag.tags.join(", "));
    }
    for message in &task.messages {
        let score = message.eval_score.map_or_else(|| "not evaluable".to_owned(), |score| format!("score {score}"));
        let so = message.recommendation.as_deref().unwrap_or("-");
        let _ = writeln!(text, "\n{}  {}  {}  {score}  {so}", message.id, message.created_at, legible(&message.role));
        let shown: String = message.content.chars().take(SHOWN_CHARS_MAX).collect();
        let more = if shown.len() < message.content.len() { "…" } else { "" };
        for line in legible(&shown).lines() {
            let _ = writeln!(text, "  {line}");
        }
        if !more.is_empty() {
            let _ = writeln!(text, "  {more} ({} bytes: --json has all of it)", message.content.len());
        }
    }
    text
}
