//! Calls that make something of what is kept: runs and tasks.

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_wire::pick::{FinalOutput, PromptRecord};
use steadfast_wire::plan::Preferences;
use steadfast_wire::runs::{Input, RunRecord, StoredRun};
use steadfast_wire::{from_json, to_json_line};

use super::{Host, Refusal, blocking, store};
use crate::error::of_json;
use crate::intake::File;
use crate::plan::{CheckOutcome, NotesRequest, calendar_names};
use crate::store::Keep;
use crate::{EngineError, runs, tasks};

/// A stored run with what its result is drawn from.
#[derive(Clone, Debug)]
pub struct Drawable {
    /// The run.
    pub record: RunRecord,
    /// The texts that it was about, as far as they are kept.
    pub texts: BTreeMap<String, String>,
    /// Titles of the prompts that were picked, by their ids; those that are gone have none.
    pub titles: BTreeMap<String, String>,
    /// The plan that was checked, read again. `None` for other verbs, and where its text or that of the notes is not kept.
    pub checked: Option<CheckOutcome>,
}

/// One stored run with what its result is drawn from.
///
/// # Errors
/// [`Refusal`] where nothing is kept, no such run, or it cannot be read.
pub async fn drawable(host: &Arc<dyn Host>, id: String) -> Result<Drawable, Refusal> {
    let store = store(&**host)?;
    let mut own = blocking(host, move || {
        let record = runs::show_run(&*store, &id)?;
        let mut texts = runs::run_texts(&*store, &id)?.texts;
        if let (Some(task_id), [output]) = (&record.run.task_id, record.run.inputs.as_slice()) {
            // What was reviewed is kept with its task, which may be gone.
            let task = tasks::show_task(&*store, task_id).ok();
            let message = task.and_then(|task| task.messages.into_iter().find(|own| own.run_id.as_ref() == Some(&id)));
            texts.extend(message.map(|message| (output.name.clone(), message.content)));
        }
        let titles = if record.run.verb == "pick" { titles(&*store, record.result.get())? } else { BTreeMap::new() };
        Ok(Drawable { record, texts, titles, checked: None })
    })
    .await?;
    if own.record.run.verb == "plan check" {
        own.checked = checked(&own.record.run, &own.texts).await?;
    }
    Ok(own)
}

fn titles(store: &dyn Keep, result: &str) -> Result<BTreeMap<String, String>, EngineError> {
    let found: FinalOutput = from_json(result).map_err(of_json)?;
    let ids: Vec<&str> = found.selected_prompts.iter().map(|own| own.prompt_id.as_str()).collect();
    let mut titles = BTreeMap::new();
    for own in store.prompts_of(&ids)?.into_iter().flatten() {
        let record: PromptRecord = from_json(&own.record).map_err(of_json)?;
        titles.extend(record.title.map(|title| (own.id, title)));
    }
    Ok(titles)
}

/// The plan that was checked: it is read again, from the same bytes and at the same time.
async fn checked(run: &StoredRun, texts: &BTreeMap<String, String>) -> Result<Option<CheckOutcome>, Refusal> {
    let setting = |name: &str| run.settings.get(name).and_then(|it| it.as_str()).unwrap_or_default().to_owned();
    let file = |of: &Input| file_of(of, texts.get(&of.name));
    let [notes, calendars @ .., plan] = run.inputs.as_slice() else { return Ok(None) };
    let Some(calendars) = calendars_of(&notes.name, calendars, texts) else { return Ok(None) };
    let (Some(notes), Some(plan)) = (file(notes), file(plan)) else { return Ok(None) };
    let preferences = setting("preferences");
    let request = NotesRequest {
        notes,
        calendars,
        current_time: setting("current_time"),
        timezone: setting("timezone"),
        preferences: Preferences::ALL
            .iter()
            .copied()
            .find(|own| own.name() == preferences)
            .unwrap_or(Preferences::Soft),
        assumptions: Vec::new(),
        proposals: None,
        reading: None,
        answers: Vec::new(),
    };
    Ok(Some(crate::plan_check(request, plan).await?))
}

/// An input as it was, where its text is kept.
fn file_of(input: &Input, text: Option<&String>) -> Option<File> {
    let file = File::of(&*input.name, text?.as_str());
    (runs::input(&file) == *input).then_some(file)
}

/// The calendars beside notes; `None` where the text of one is not kept.
fn calendars_of(notes: &str, inputs: &[Input], texts: &BTreeMap<String, String>) -> Option<Vec<File>> {
    let names = calendar_names(notes, inputs.iter().map(|own| own.name.as_str()));
    inputs.iter().zip(names).map(|(own, name)| file_of(own, texts.get(&name))).collect()
}

/// The notes that a stored run read, and the calendars beside them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredNotes {
    /// The notes; `None` where their text is not kept.
    pub notes: Option<File>,
    /// The calendars; `None` where the text of one is not kept.
    pub calendars: Option<Vec<File>>,
    /// Whether there were any calendars.
    pub had_calendars: bool,
}

/// The notes of a run of `plan`, from what is kept of it, for whoever plans from them again.
#[must_use]
pub fn notes_of(run: &StoredRun, texts: &BTreeMap<String, String>) -> StoredNotes {
    let Some((notes, mut beside)) = run.inputs.split_first() else { return StoredNotes::default() };
    // A run that went on with an earlier plan read that last.
    if run.settings.contains_key("done") {
        beside = beside.split_last().map_or(beside, |(_, calendars)| calendars);
    }
    StoredNotes {
        notes: file_of(notes, texts.get(&notes.name)),
        calendars: calendars_of(&notes.name, beside, texts),
        had_calendars: !beside.is_empty(),
    }
}

/// The sequences that are candidates for training, as JSON lines: at most `bytes_max` of them.
///
/// # Errors
/// [`Refusal`] where nothing is kept, no such quality is known, it cannot be read, or there is more.
pub async fn export_training(
    host: &Arc<dyn Host>,
    quality: Option<String>,
    tags: Vec<String>,
    bytes_max: usize,
) -> Result<String, Refusal> {
    let store = store(&**host)?;
    blocking(host, move || {
        let mut lines = String::new();
        tasks::export_training(&*store, quality.as_deref(), &tags, |sequence| {
            let line = to_json_line(&sequence).map_err(|error| Refusal::external(error.to_string()))?;
            if lines.len() + line.len() > bytes_max {
                return Err(Refusal::input(format!("what is to be exported holds more than {bytes_max} bytes"))
                    .hint("ask for one quality or tag, or use `steadfast tasks export`, which knows no limit"));
            }
            lines.push_str(&line);
            Ok(())
        })?;
        Ok(lines)
    })
    .await
}
