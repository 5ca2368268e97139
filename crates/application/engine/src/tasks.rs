//! The use cases of tasks: what agents made of them, what was said of it, and what of it is an example for training.
//!
//! Their state is in the store alone. They wait for the disk on the thread that calls.

use steadfast_wire::store_export::StoreLine;
use steadfast_wire::tasks::{SCHEMA_VERSION, Task, TaskFlag, TaskHead, TaskList, TaskMessage, TrainingSequence};

use crate::EngineError;
use crate::limits::{PAGE_ROWS_MAX, TAG_BYTES_MAX, TAGS_MAX};
use crate::page::{by_moment, pages, searchable};
use crate::privacy::is_reduced;
use crate::store::{self, Flag, Message, Quality, Stamp, TaskPage, TaskStore};

/// Messages that are read at a time.
const MESSAGE_ROWS: usize = 16;

/// Tasks that an export reads at a time.
const EXPORT_ROWS: usize = 64;

/// The whole of the last output of a task.
///
/// # Errors
/// [`EngineError::NoTask`], [`EngineError::NotKept`], or [`EngineError::Store`] where it cannot be read.
pub fn request_full_payload(store: &dyn TaskStore, task_id: &str) -> Result<String, EngineError> {
    let found = store.latest_message(task_id)?.ok_or_else(|| EngineError::NoTask(task_id.to_owned()))?;
    if is_reduced(&found.content) {
        return Err(EngineError::NotKept { id: task_id.to_owned() });
    }
    Ok(found.content)
}

/// Says of a task and all its messages whether they are an example: `good`, `bad` or `unsure`. Good and bad ones are candidates for
/// training, until somebody is unsure of them.
///
/// # Errors
/// [`EngineError::Quality`], [`EngineError::Tags`], [`EngineError::NoTask`], or [`EngineError::Store`] where it is not on the disk.
pub fn flag_sequence_quality(
    store: &dyn TaskStore,
    task_id: &str,
    quality: &str,
    tags: &[String],
) -> Result<(), EngineError> {
    let quality = Quality::of(quality).ok_or_else(|| EngineError::Quality { given: quality.to_owned() })?;
    if tags.len() > TAGS_MAX {
        return Err(EngineError::Tags { what: format!("{} tags are given, more than {TAGS_MAX}", tags.len()) });
    }
    let mut kept: Vec<String> = Vec::with_capacity(tags.len());
    for tag in tags {
        let tag = tag.trim();
        if tag.is_empty() || tag.len() > TAG_BYTES_MAX || tag.contains(char::is_control) {
            let what =
                format!("a tag holds 1 to {TAG_BYTES_MAX} bytes and no control characters; one has {}", tag.len());
            return Err(EngineError::Tags { what });
        }
        if !kept.iter().any(|it| it == tag) {
            kept.push(tag.to_owned());
        }
    }
    let Stamp { id, at } = store.stamp()?;
    if store.flag(task_id, Flag { id, at, quality, tags: kept })? {
        Ok(())
    } else {
        Err(EngineError::NoTask(task_id.to_owned()))
    }
}

/// Tells the messages of a task, oldest first.
fn each_message<E: From<EngineError>>(
    store: &dyn TaskStore,
    task_id: &str,
    each: impl FnMut(Message) -> Result<(), E>,
) -> Result<(), E> {
    let page = |after: Option<String>| {
        let found = store.messages(task_id, after.as_deref(), MESSAGE_ROWS)?;
        let next = found.last().map(|message| message.id.clone());
        Ok((found, next))
    };
    pages(page, each)
}

fn messages(store: &dyn TaskStore, task_id: &str) -> Result<Vec<Message>, EngineError> {
    let mut all = Vec::new();
    each_message(store, task_id, |message| {
        all.push(message);
        Ok::<(), EngineError>(())
    })?;
    Ok(all)
}

/// Tells all tasks in the order of their ids, page by page.
fn each_task<E: From<EngineError>>(
    store: &dyn TaskStore,
    candidates_only: bool,
    each: impl FnMut(store::Task) -> Result<(), E>,
) -> Result<(), E> {
    let page = |after: Option<String>| {
        let found = store.tasks(&TaskPage { candidates_only, after, limit: EXPORT_ROWS, ..TaskPage::default() })?;
        let next = found.last().map(|task| task.id.clone());
        Ok((found, next))
    };
    pages(page, each)
}

fn published(message: Message) -> TaskMessage {
    TaskMessage {
        id: message.id,
        role: message.role,
        content: message.content,
        created_at: message.created_at,
        eval_score: message.eval_score,
        eval_summary: message.eval_summary,
        recommendation: message.recommendation,
        quality_flag: message.quality_flag.map(|quality| quality.name().to_owned()),
        tags: message.tags,
        training_candidate: message.training_candidate,
        run_id: message.run_id,
    }
}

fn published_flag(flag: &Flag) -> TaskFlag {
    TaskFlag { at: flag.at.clone(), quality: flag.quality.name().to_owned(), tags: flag.tags.clone() }
}

/// A task with all that is kept of it.
///
/// # Errors
/// [`EngineError::NoTask`], or [`EngineError::Store`] where it cannot be read.
pub fn show_task(store: &dyn TaskStore, task_id: &str) -> Result<Task, EngineError> {
    let task = store.task(task_id)?.ok_or_else(|| EngineError::NoTask(task_id.to_owned()))?;
    Ok(Task {
        schema_version: SCHEMA_VERSION.to_owned(),
        flags: task.flags.iter().map(published_flag).collect(),
        messages: messages(store, task_id)?.into_iter().map(published).collect(),
        task_id: task.id,
        created_at: task.created_at,
        updated_at: task.updated_at,
    })
}

/// Which tasks are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFilter {
    /// Those that changed last first; else in the order of their ids.
    pub newest_first: bool,
    /// Only those whose id holds this, in any case.
    pub search: Option<String>,
    /// Only those of which this was said last.
    pub quality: Option<Quality>,
}

/// Tasks that a filter leaves: at most `limit` of them and [`PAGE_ROWS_MAX`], from a cursor on.
///
/// # Errors
/// [`EngineError::Search`], [`EngineError::Cursor`], or [`EngineError::Store`] where they cannot be read.
pub fn find_tasks(
    store: &dyn TaskStore,
    filter: TaskFilter,
    cursor: Option<&str>,
    limit: usize,
) -> Result<TaskList, EngineError> {
    let limit = limit.min(PAGE_ROWS_MAX);
    let TaskFilter { newest_first, search, quality } = filter;
    searchable(search.as_deref())?;
    // The moment at which the last one changed, and its id: it may have changed since.
    let (after_at, after) = match cursor {
        cursor if newest_first => by_moment(cursor)?.unzip(),
        cursor => (None, cursor.map(str::to_owned)),
    };
    let page = TaskPage { newest_first, after, after_at, candidates_only: false, search, quality, limit: limit + 1 };
    let mut found = store.tasks(&page)?;
    let more = found.len() > limit;
    found.truncate(limit);
    let cursor = |task: &store::Task| {
        if newest_first { format!("{} {}", task.updated_at, task.id) } else { task.id.clone() }
    };
    let next_cursor = found.last().filter(|_| more).map(cursor);
    let head = |task: store::Task| {
        let flag = task.flags.last().map(published_flag);
        TaskHead {
            task_id: task.id,
            created_at: task.created_at,
            updated_at: task.updated_at,
            messages: task.messages,
            candidates: task.candidates,
            tags: flag.as_ref().map(|flag| flag.tags.clone()).unwrap_or_default(),
            quality: flag.map(|flag| flag.quality),
        }
    };
    let tasks = found.into_iter().map(head).collect();
    Ok(TaskList { schema_version: SCHEMA_VERSION.to_owned(), tasks, next_cursor })
}

/// Deletes a task with its messages and what was said of it.
///
/// # Errors
/// [`EngineError::NoTask`], or [`EngineError::Store`] where it cannot be deleted.
pub fn delete_task(store: &dyn TaskStore, task_id: &str) -> Result<(), EngineError> {
    if store.delete_task(task_id)? { Ok(()) } else { Err(EngineError::NoTask(task_id.to_owned())) }
}

/// The sequences that are candidates for training, one by one: those of a quality, with all of these tags.
///
/// # Errors
/// [`EngineError::Quality`], [`EngineError::Store`] where they cannot be read, or what `each` gives.
pub fn export_training<E: From<EngineError>>(
    store: &dyn TaskStore,
    quality: Option<&str>,
    tags: &[String],
    mut each: impl FnMut(TrainingSequence) -> Result<(), E>,
) -> Result<(), E> {
    if let Some(given) = quality.filter(|given| !Quality::of(given).is_some_and(Quality::is_candidate)) {
        return Err(EngineError::Quality { given: given.to_owned() }.into());
    }
    each_task(store, true, |task| {
        let Some(flag) = task.flags.last() else { return Ok(()) };
        let wanted = quality.is_none_or(|quality| flag.quality.name() == quality)
            && tags.iter().all(|tag| flag.tags.contains(tag));
        if !wanted {
            return Ok(());
        }
        let mut said = messages(store, &task.id)?;
        said.retain(|message| message.training_candidate);
        each(sequence(&task, flag, said))
    })
}

/// All tasks in the order of their ids, each with its messages behind it.
pub(crate) fn export_tasks<E: From<EngineError>>(
    store: &dyn TaskStore,
    tell: &mut impl FnMut(StoreLine) -> Result<(), E>,
) -> Result<(), E> {
    each_task(store, false, |store::Task { id, created_at, updated_at, flags, .. }| {
        let flags = flags.iter().map(published_flag).collect();
        tell(StoreLine::Task { task_id: id.clone(), created_at, updated_at, flags })?;
        each_message(store, &id, |message| {
            tell(StoreLine::Message { task_id: id.clone(), message: published(message) })
        })
    })
}

fn sequence(task: &store::Task, flag: &Flag, said: Vec<Message>) -> TrainingSequence {
    let flags = task.flags.iter().map(|flag| {
        let tags = if flag.tags.is_empty() { String::new() } else { format!(": {}", flag.tags.join(", ")) };
        format!("flagged {} at {}{tags}", flag.quality.name(), flag.at)
    });
    let scores = said.iter().filter_map(|message| {
        let score = message.eval_score?;
        let so = message.recommendation.as_ref().map_or_else(String::new, |it| format!(": {it}"));
        Some(format!("message {} scored {score}{so}", message.id))
    });
    TrainingSequence {
        schema_version: SCHEMA_VERSION.to_owned(),
        task_id: task.id.clone(),
        quality: flag.quality.name().to_owned(),
        tags: flag.tags.clone(),
        flagged_at: flag.at.clone(),
        because: flags.chain(scores).collect(),
        messages: said.into_iter().map(published).collect(),
    }
}
