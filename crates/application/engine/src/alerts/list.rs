//! How rules stand, and what was told of them, as it is published.

use steadfast_wire::alerts::{AlertHistory, AlertList, AlertRule, AlertStanding, SCHEMA_VERSION, ToldNotice};
use steadfast_wire::from_json;

use super::{Bound, Rule};
use crate::EngineError;
use crate::error::of_json;
use crate::limits::PAGE_ROWS_MAX;
use crate::page::by_id;
use crate::store::{AlertStore, NoticePage, StoredNotice, StoredStream, StreamPage, rfc3339};

/// A minute, in microseconds.
const MINUTE_US: f64 = 60e6;

/// Which rows are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlertFilter {
    /// Only those that fire; of what was told this leaves all.
    pub firing: bool,
    /// Only those of this rule.
    pub rule: Option<String>,
    /// Only those of this agent.
    pub agent: Option<String>,
}

/// A rule as it is published.
#[must_use]
pub fn shown_rule(rule: &Rule) -> AlertRule {
    let (above, below) = match rule.bound {
        Bound::Above(bound) => (Some(bound), None),
        Bound::Below(bound) => (None, Some(bound)),
    };
    AlertRule {
        name: rule.name.clone(),
        metric: rule.metric.name().to_owned(),
        above,
        below,
        k: rule.fires.k,
        n: rule.fires.n,
        recover_k: rule.resolves.k,
        recover_n: rule.resolves.n,
        window_minutes: rule.window_us.map(|window| window as f64 / MINUTE_US),
        cooldown_minutes: rule.cooldown_us as f64 / MINUTE_US,
        agent: rule.agent.clone(),
        to: rule.to.clone(),
    }
}

/// How rules stand, in the order in which a first value came: at most `limit` rows and [`PAGE_ROWS_MAX`], from a cursor on.
///
/// # Errors
/// [`EngineError::Cursor`], or [`EngineError::Store`] where it cannot be read.
pub fn alert_standing(
    store: &dyn AlertStore,
    rules: Vec<AlertRule>,
    filter: AlertFilter,
    cursor: Option<&str>,
    limit: usize,
) -> Result<AlertList, EngineError> {
    let limit = limit.min(PAGE_ROWS_MAX);
    let number = |cursor: &str| cursor.parse().map_err(|_| EngineError::Cursor { cursor: cursor.to_owned() });
    let AlertFilter { firing, rule, agent } = filter;
    let page = StreamPage { firing, rule, agent, after: cursor.map(number).transpose()?, limit: limit + 1 };
    let mut found = store.alert_streams(&page)?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next_cursor = found.last().filter(|_| more).map(|last| last.number.to_string());
    let standing = found.into_iter().map(standing).collect();
    Ok(AlertList { schema_version: SCHEMA_VERSION.to_owned(), rules, standing, next_cursor })
}

fn standing(own: StoredStream) -> AlertStanding {
    AlertStanding {
        rule: own.rule,
        agent: own.agent,
        firing: own.firing,
        since: own.since,
        value: own.value,
        subject: own.subject,
        at: rfc3339(own.at_us),
    }
}

/// What was told of rules, the newest first: at most `limit` notices and [`PAGE_ROWS_MAX`], from a cursor on.
///
/// # Errors
/// [`EngineError::Cursor`], or [`EngineError::Store`] where it cannot be read.
pub fn alert_history(
    store: &dyn AlertStore,
    filter: AlertFilter,
    cursor: Option<&str>,
    limit: usize,
) -> Result<AlertHistory, EngineError> {
    let limit = limit.min(PAGE_ROWS_MAX);
    let AlertFilter { firing: _, rule, agent } = filter;
    let page = NoticePage { rule, agent, after: by_id(cursor)?, waiting: false, limit: limit + 1 };
    let mut found = store.alert_notices(&page)?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next_cursor = found.last().filter(|_| more).map(|last| last.id.clone());
    let notices = found.into_iter().map(told).collect::<Result<_, _>>()?;
    Ok(AlertHistory { schema_version: SCHEMA_VERSION.to_owned(), notices, next_cursor })
}

fn told(own: StoredNotice) -> Result<ToldNotice, EngineError> {
    Ok(ToldNotice {
        id: own.id,
        seen_at: own.created_at,
        notice: from_json(&own.notice).map_err(of_json)?,
        deliveries: own.deliveries,
    })
}
