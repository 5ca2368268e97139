//! Looking through stored runs: filters, counts, the texts that they were about.

use steadfast_wire::overview::{self, LeftOut, Overview, RunTexts};
use steadfast_wire::runs::{RunList, SCHEMA_VERSION};

use super::published;
use crate::EngineError;
use crate::limits::{LIVE_AGENTS_HOURS, LIVE_AGENTS_TOLD_MAX, PAGE_ROWS_MAX};
use crate::page::{by_id, searchable};
use crate::store::{AgentAudits, RunPage, RunStore, micros, rfc3339};

/// Days of an overview.
const OVERVIEW_DAYS_MAX: u64 = 3_660;

/// A day in microseconds.
const DAY_US: u64 = 24 * 60 * 60 * 1_000_000;

/// Which runs are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// Only those of this verb.
    pub verb: Option<String>,
    /// Only those that came to this, in the word that stands in the list.
    pub verdict: Option<String>,
    /// Only those that are about the work of this agent.
    pub agent: Option<String>,
    /// Only those that began then or later: RFC 3339, or a day in UTC.
    pub since: Option<String>,
    /// Only those whose id begins so, or of which the name of an input or the task holds this, in any case.
    pub search: Option<String>,
    /// Only those that want looking at: a gate failed, nothing could be evaluated, or the verdict is a bad one.
    pub attention: bool,
}

/// Stored runs that a filter leaves, the newest first: at most `limit` of them and [`PAGE_ROWS_MAX`], from a cursor on.
///
/// # Errors
/// [`EngineError::Search`], [`EngineError::Cursor`], or [`EngineError::Store`] where they cannot be read.
pub fn find_runs(
    store: &dyn RunStore,
    filter: RunFilter,
    cursor: Option<&str>,
    limit: usize,
) -> Result<RunList, EngineError> {
    let limit = limit.min(PAGE_ROWS_MAX);
    let RunFilter { verb, verdict, agent, since, search, attention } = filter;
    searchable(search.as_deref())?;
    let since = since.map(|since| moment(&since)).transpose()?;
    let page = RunPage {
        verb,
        verdict,
        agent,
        since,
        search,
        attention,
        after: by_id(cursor)?,
        newest_first: true,
        limit: limit + 1,
    };
    let mut heads = store.runs(&page)?;
    let more = heads.len() > limit;
    heads.truncate(limit);
    let next_cursor = heads.last().filter(|_| more).map(|head| head.id.clone());
    let runs = heads.into_iter().map(published).collect::<Result<_, _>>()?;
    Ok(RunList { schema_version: SCHEMA_VERSION.to_owned(), runs, next_cursor })
}

/// A moment, or the first one of a day in UTC, as runs have it.
fn moment(given: &str) -> Result<String, EngineError> {
    let us = micros(given).or_else(|| micros(&format!("{given}T00:00:00Z")));
    us.map(rfc3339)
        .ok_or_else(|| EngineError::Search { what: format!("`{given}` is neither a moment (RFC 3339) nor a day") })
}

/// Counts of the last so many days, today among them, and the newest runs that want looking at.
///
/// # Errors
/// [`EngineError::Search`] where there is no such number of days, or [`EngineError::Store`] where they cannot be read.
pub fn overview(store: &dyn RunStore, days: u64, attention: usize) -> Result<Overview, EngineError> {
    if !(1..=OVERVIEW_DAYS_MAX).contains(&days) {
        return Err(EngineError::Search { what: format!("an overview is of 1 to {OVERVIEW_DAYS_MAX} days") });
    }
    let now = store.stamp()?.at;
    let first = micros(&now).unwrap_or(0).saturating_sub((days - 1) * DAY_US);
    let since: String = rfc3339(first - first % DAY_US).chars().take("2026-01-25".len()).collect();
    let wanted = RunFilter { attention: true, ..RunFilter::default() };
    Ok(Overview {
        schema_version: overview::SCHEMA_VERSION.to_owned(),
        counts: store.run_counts(&since)?,
        since,
        attention: find_runs(store, wanted, None, attention)?.runs,
    })
}

/// Audits of the last [`LIVE_AGENTS_HOURS`] hours, by the agent whose work they are about: the [`LIVE_AGENTS_TOLD_MAX`] that have most, and all
/// others together.
///
/// # Errors
/// [`EngineError::Store`] where they cannot be read.
pub fn agent_audits(store: &dyn RunStore) -> Result<Vec<AgentAudits>, EngineError> {
    let now_us = micros(&store.stamp()?.at).unwrap_or_default();
    let since = rfc3339(now_us.saturating_sub(LIVE_AGENTS_HOURS * DAY_US / 24));
    Ok(store.agent_audits(&since, LIVE_AGENTS_TOLD_MAX)?)
}

/// The texts that a run was about, as far as they were kept.
///
/// # Errors
/// [`EngineError::NoRun`], or [`EngineError::Store`] where they cannot be read.
pub fn run_texts(store: &dyn RunStore, id: &str) -> Result<RunTexts, EngineError> {
    let mut found =
        RunTexts { schema_version: overview::SCHEMA_VERSION.to_owned(), run_id: id.to_owned(), ..RunTexts::default() };
    let kept = store.run_texts(id)?;
    if kept.is_empty() && store.run(id)?.is_none() {
        return Err(EngineError::NoRun(id.to_owned()));
    }
    for own in kept {
        match own.text {
            Some(text) => drop(found.texts.insert(own.name, text)),
            None => found.left_out.push(LeftOut { name: own.name, bytes: own.bytes }),
        }
    }
    Ok(found)
}
