//! Sessions that are kept: how they are named, how much of them is kept, and how they are listed.
//!
//! A session is a run of the verb [`VERB`] whose result is a review, one for each session: what is kept later stands in the place of what was kept before. Lists read the
//! results; there is no table beside them.

use steadfast_wire::from_json;
use steadfast_wire::review::{ClaimState, Review};
use steadfast_wire::runs::{RunList, RunRecord, StoredRun};
use steadfast_wire::sessions::{KeptSession, SCHEMA_VERSION, SessionList, SessionVerdict, VERB};

use crate::EngineError;
use crate::error::of_json;
use crate::hash::{sha256, uuid_v8};
use crate::retention::trusted_now;
use crate::runs::{RunFilter, find_runs, show_run};
use crate::store::{Keep, RunHead, RunPage, RunStore, micros, rfc3339};

/// Sessions of a page, at most: their results are read.
pub const SESSIONS_MAX: usize = 100;

/// Bytes of an identifier that a log gives itself.
const ID_BYTES_MAX: usize = 128;

/// Characters of what the user typed that a list shows.
const ASKED_CHARS_MAX: usize = 160;

/// Characters of a command line that are kept where references alone are.
const COMMAND_CHARS_MAX: usize = 500;

/// The setting of a run that says whether the hook kept the session.
pub(crate) const BY_HOOK: &str = "by_hook";

/// Runs that are looked through at a time.
const ROWS: usize = 64;

/// A day in microseconds.
const DAY_US: u64 = 24 * 60 * 60 * 1_000_000;

/// The identifier of a session: its own, else one that is made of its file and of what the user typed first. Both stay while a log grows.
pub(crate) fn id_of(review: &Review) -> String {
    let session = review.session.as_ref();
    let is_name = |id: &&str| (1..=ID_BYTES_MAX).contains(&id.len()) && !id.contains(char::is_control);
    let named = session.and_then(|own| own.id.as_deref()).filter(is_name);
    named.map_or_else(
        || {
            let first = review.ask.iter().flatten().next().map_or("", |ask| ask.text.as_str());
            let file = session.map_or("", |own| own.file.as_str());
            uuid_v8("steadfast session", &[file.as_bytes(), first.as_bytes()])
        },
        str::to_owned,
    )
}

/// Leaves of a review what the user typed, claims, calls and verdicts: no words of what calls gave back, and of the report its claims.
pub(crate) fn references_alone(review: &mut Review) {
    review.full_payload = None;
    review.summary = None;
    review.report = None;
    for evidence in review.claims.iter_mut().flatten().flat_map(|claim| &mut claim.evidence) {
        evidence.sha256 = Some(sha256(evidence.quote.as_bytes()));
        evidence.quote.clear();
    }
    for command in review.deeds.iter_mut().flatten().filter_map(|deed| deed.command.as_mut()) {
        if let Some((end, _)) = command.char_indices().nth(COMMAND_CHARS_MAX) {
            command.truncate(end);
            command.push('…');
        }
    }
}

fn count(review: &Review, state: ClaimState) -> usize {
    review.claims.iter().flatten().filter(|claim| claim.state == state).count()
}

/// A session as lists tell of it.
pub(crate) fn told(review: &Review, run: &str, kept: &str) -> KeptSession {
    let session = review.session.as_ref();
    let first = review.ask.iter().flatten().map(|ask| ask.text.trim()).find(|text| !text.is_empty());
    let words: Vec<&str> = first.unwrap_or_default().split_whitespace().collect();
    let words = words.join(" ");
    let asked = match words.char_indices().nth(ASKED_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    };
    KeptSession {
        id: review.task_id.clone(),
        run: run.to_owned(),
        kept: kept.to_owned(),
        file: session.map(|own| own.file.clone()).unwrap_or_default(),
        format: session.map(|own| own.format.clone()).unwrap_or_default(),
        turns: session.map_or(0, |own| own.turns),
        calls: review.deeds.as_ref().map_or(0, Vec::len),
        asked,
        verdict: SessionVerdict::of(review),
        contradicted: count(review, ClaimState::Contradicted) + review.contradictions.len(),
        broken: review.breaks.as_ref().map_or(0, Vec::len),
        doubtful: count(review, ClaimState::Doubtful) + review.doubtful_breaks.len(),
        unsupported: count(review, ClaimState::Unsupported),
        supported: count(review, ClaimState::Supported),
    }
}

/// Deletes what was kept before this run of the same session in the same file. A log says itself which session it is of: one that names another's takes
/// nothing of that away.
pub(crate) fn replace(store: &dyn RunStore, id: &str, file: &str, newest: &str) -> Result<(), EngineError> {
    let mut older = found(store, id, file)?;
    older.retain(|run| run != newest);
    if !older.is_empty() {
        store.delete_runs(&older)?;
    }
    Ok(())
}

/// The runs that hold a session, by its whole identifier and the file of its log.
fn found(store: &dyn RunStore, id: &str, file: &str) -> Result<Vec<String>, EngineError> {
    let filter = RunFilter { verb: Some(VERB.to_owned()), search: Some(id.to_owned()), ..RunFilter::default() };
    let RunList { runs, .. } = find_runs(store, filter, None, SESSIONS_MAX)?;
    let is_same =
        |run: &StoredRun| run.task_id.as_deref() == Some(id) && run.inputs.iter().any(|input| input.name == file);
    Ok(runs.into_iter().filter(is_same).map(|run| run.id).collect())
}

/// Sessions that are kept, the newest first: at most `limit` of them and [`SESSIONS_MAX`], from a cursor on.
///
/// # Errors
/// [`EngineError::Cursor`], or [`EngineError::Store`] where they cannot be read.
pub fn list_sessions(store: &dyn RunStore, cursor: Option<&str>, limit: usize) -> Result<SessionList, EngineError> {
    let filter = RunFilter { verb: Some(VERB.to_owned()), ..RunFilter::default() };
    let list = find_runs(store, filter, cursor, limit.min(SESSIONS_MAX))?;
    let told = |id: &String| -> Result<Option<KeptSession>, EngineError> {
        let Some(run) = store.run(id)? else { return Ok(None) };
        let review: Review = from_json(&run.result).map_err(of_json)?;
        Ok(Some(told(&review, &run.head.id, &run.head.created_at)))
    };
    let ids: Vec<String> = list.runs.into_iter().map(|run| run.id).collect();
    let sessions: Vec<Option<KeptSession>> = ids.iter().map(told).collect::<Result<_, _>>()?;
    Ok(SessionList {
        schema_version: SCHEMA_VERSION.to_owned(),
        sessions: sessions.into_iter().flatten().collect(),
        next_cursor: list.next_cursor,
    })
}

/// The run that holds a session, by the session's identifier or how it begins, or by that of the run.
///
/// # Errors
/// [`EngineError::NoSession`] where none is found or several are, or [`EngineError::Store`] where they cannot be read.
pub fn show_session(store: &dyn RunStore, id: &str) -> Result<RunRecord, EngineError> {
    let none = || EngineError::NoSession(id.to_owned());
    let filter = RunFilter { verb: Some(VERB.to_owned()), search: Some(id.to_owned()), ..RunFilter::default() };
    let RunList { runs, .. } = find_runs(store, filter, None, SESSIONS_MAX)?;
    let whole = runs.iter().find(|run| run.task_id.as_deref() == Some(id) || run.id == id);
    let begins = |own: Option<&str>| own.is_some_and(|own| own.starts_with(id));
    let mut others = runs.iter().filter(|run| begins(run.task_id.as_deref()) || begins(Some(&run.id)));
    let run = whole.or_else(|| others.next().filter(|_| others.next().is_none())).ok_or_else(none)?;
    show_run(store, &run.id)
}

/// Deletes the sessions that a hook kept more than so many days ago; how many. As [`prune_unasked`](crate::retention::prune_unasked) it
/// deletes nothing by a clock that jumped ahead, so it comes before a session is kept, which has the time of that clock.
///
/// # Errors
/// [`EngineError::ClockJumped`], or [`EngineError::Store`] where they cannot be read or deleted.
pub fn forget_sessions(store: &dyn Keep, days: u32) -> Result<usize, EngineError> {
    let now = trusted_now(store)?;
    let oldest = rfc3339(micros(&now).unwrap_or(0).saturating_sub(u64::from(days) * DAY_US));
    let mut page = RunPage { verb: Some(VERB.to_owned()), limit: ROWS, ..RunPage::default() };
    let kept = format!("\"{BY_HOOK}\":true");
    let mut forgotten = 0;
    loop {
        let runs = store.runs(&page)?;
        let old: Vec<&RunHead> = runs.iter().take_while(|run| run.created_at < oldest).collect();
        let Some(last) = old.last() else { break };
        page.after = Some(last.id.clone());
        let ids: Vec<String> =
            old.iter().filter(|run| run.settings.contains(&kept)).map(|run| run.id.clone()).collect();
        if !ids.is_empty() && store.delete_runs(&ids)?.is_none() {
            forgotten += ids.len();
        }
    }
    store.see(&now)?;
    Ok(forgotten)
}
