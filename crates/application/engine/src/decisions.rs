//! The use cases of decisions on findings: decide, and ask how was decided.
//!
//! A finding is known by its fingerprint, so what was decided on it holds in every later run that finds it again. Nothing is written
//! over: the last decision on a finding holds, until somebody takes it back or its last day is over.

mod file;
mod mark;

use std::collections::BTreeMap;

use steadfast_wire::decisions::{
    CheckDecisions, Decision, DecisionCounts, DecisionGiven, DecisionKind, DecisionList, SCHEMA_VERSION,
};

pub use file::accepted_file;
pub use mark::{AsOf, mark};

use crate::EngineError;
use crate::audit::judge::FINGERPRINT_DIGITS;
use crate::limits::{FINDING_BYTES_MAX, FINDINGS_MAX, PAGE_ROWS_MAX, REASON_BYTES_MAX};
use crate::page::by_id;
use crate::store::{DecisionPage, DecisionStore, Stamp, StoredDecision};

/// Which decisions are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionFilter {
    /// Only those on this finding.
    pub finding: Option<String>,
    /// Only those on findings of this check.
    pub check: Option<String>,
    /// Only the last one on each finding.
    pub latest_only: bool,
}

/// Keeps a decision: it is on the disk when this returns. `author` is who decides, as far as that is known.
///
/// # Errors
/// [`EngineError::Decision`] where it cannot be kept, [`EngineError::NoRun`], or [`EngineError::Store`].
pub fn decide(store: &dyn DecisionStore, given: DecisionGiven, author: Option<&str>) -> Result<Decision, EngineError> {
    let DecisionGiven { finding, check, run_id, decision, reason, until } = given;
    named("the fingerprint of a finding", &finding)?;
    let check = check.unwrap_or_else(|| check_of(&finding).to_owned());
    named("the name of a check", &check)?;
    author.map_or(Ok(()), |author| named("who decides", author))?;
    let reason = judged_reason(&reason, decision)?;
    if let Some(until) = &until {
        day(until)?;
    }
    let Stamp { id, at } = store.stamp()?;
    let stored = StoredDecision {
        id,
        finding,
        check,
        run_id,
        decision: decision.name().to_owned(),
        reason: reason.to_owned(),
        author: author.map(str::to_owned),
        until,
        created_at: at.clone(),
    };
    if !store.add_decision(stored.clone())? {
        return Err(EngineError::NoRun(stored.run_id.unwrap_or_default()));
    }
    published(stored, &at)
}

/// The check that a fingerprint names: it is the check, a hyphen and hexadecimal digits, and where several incidents share those a
/// hyphen and a number.
#[must_use]
pub fn check_of(finding: &str) -> &str {
    let cut = |text: &str| text.rsplit_once('-').map(|(check, rest)| (check.len(), rest.len()));
    let Some((end, length)) = cut(finding) else { return "" };
    let numbered = length < FINGERPRINT_DIGITS && finding[end + 1..].bytes().all(|byte| byte.is_ascii_digit());
    match cut(&finding[..end]) {
        Some((check, FINGERPRINT_DIGITS)) if numbered => &finding[..check],
        _ => &finding[..end],
    }
}

fn refused(what: impl Into<String>) -> EngineError {
    EngineError::Decision { what: what.into() }
}

/// The reason of a decision, without white space around it.
fn judged_reason(reason: &str, decision: DecisionKind) -> Result<&str, EngineError> {
    let reason = reason.trim();
    if reason.is_empty() && decision != DecisionKind::Withdrawn {
        return Err(refused("a decision needs a reason"));
    }
    if reason.len() > REASON_BYTES_MAX || reason.contains(|own: char| own.is_control() && own != '\n') {
        let bytes = reason.len();
        return Err(refused(format!(
            "a reason has at most {REASON_BYTES_MAX} bytes and no control characters; this one has {bytes} bytes"
        )));
    }
    Ok(reason)
}

fn named(what: &str, name: &str) -> Result<(), EngineError> {
    if name.is_empty() || name.len() > FINDING_BYTES_MAX || name.contains(char::is_control) {
        let bytes = name.len();
        return Err(refused(format!(
            "{what} has 1 to {FINDING_BYTES_MAX} bytes and no control characters; this one has {bytes} bytes"
        )));
    }
    Ok(())
}

/// A day of the calendar.
fn day(given: &str) -> Result<(), EngineError> {
    let well_formed = given.len() == 10 && given.parse::<jiff::civil::Date>().is_ok();
    if well_formed { Ok(()) } else { Err(refused(format!("`{given}` is no day: one is written as 2026-03-31"))) }
}

/// As it is published at a moment.
fn published(stored: StoredDecision, now: &str) -> Result<Decision, EngineError> {
    let kind = DecisionKind::ALL.iter().copied().find(|kind| kind.name() == stored.decision);
    let decision = kind.ok_or_else(|| EngineError::Internal {
        what: format!("what is stored cannot be read: `{}` is no decision", stored.decision),
    })?;
    // Days are written so that they sort, and a moment begins with its day.
    let expired = stored.until.as_deref().is_some_and(|until| now.get(..until.len()).is_some_and(|day| day > until));
    Ok(Decision {
        id: stored.id,
        finding: stored.finding,
        check: stored.check,
        run_id: stored.run_id,
        decision,
        reason: stored.reason,
        author: stored.author,
        until: stored.until,
        expired,
        created_at: stored.created_at,
    })
}

/// The last decision on each of these findings, by finding; those that nothing was decided on are left out.
///
/// # Errors
/// [`EngineError::Decision`] where more than [`FINDINGS_MAX`] are asked for, or [`EngineError::Store`] where they cannot be read.
pub fn latest(store: &dyn DecisionStore, findings: &[&str]) -> Result<BTreeMap<String, Decision>, EngineError> {
    if findings.len() > FINDINGS_MAX {
        return Err(refused(format!("{} findings are asked for, more than {FINDINGS_MAX}", findings.len())));
    }
    held(store, findings, &store.stamp()?.at)
}

/// The same as of a moment, or a day.
fn held(store: &dyn DecisionStore, findings: &[&str], now: &str) -> Result<BTreeMap<String, Decision>, EngineError> {
    let found = store.latest_decisions(findings)?.into_iter().flatten();
    found.map(|stored| Ok((stored.finding.clone(), published(stored, now)?))).collect()
}

/// Decisions, the newest first: at most `limit` of them and [`PAGE_ROWS_MAX`], from a cursor on.
///
/// # Errors
/// [`EngineError::Cursor`], or [`EngineError::Store`] where they cannot be read.
pub fn list(
    store: &dyn DecisionStore,
    filter: DecisionFilter,
    cursor: Option<&str>,
    limit: usize,
) -> Result<DecisionList, EngineError> {
    let limit = limit.min(PAGE_ROWS_MAX);
    let DecisionFilter { finding, check, latest_only } = filter;
    let page = DecisionPage { finding, check, latest_only, after: by_id(cursor)?, limit: limit + 1 };
    let mut found = store.decisions(&page)?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next_cursor = found.last().filter(|_| more).map(|last| last.id.clone());
    let now = store.stamp()?.at;
    let decisions = found.into_iter().map(|stored| published(stored, &now)).collect::<Result<_, _>>()?;
    Ok(DecisionList { schema_version: SCHEMA_VERSION.to_owned(), decisions, next_cursor })
}

/// How findings were last decided on, by check. What is contested often is wrong often.
///
/// # Errors
/// [`EngineError::Store`] where it cannot be read.
pub fn counts(store: &dyn DecisionStore) -> Result<DecisionCounts, EngineError> {
    let mut checks: Vec<CheckDecisions> = Vec::new();
    for found in store.decision_counts()? {
        if checks.last().is_none_or(|last| last.check != found.check) {
            checks.push(CheckDecisions { check: found.check.clone(), ..CheckDecisions::default() });
        }
        let Some(last) = checks.last_mut() else { continue };
        match found.decision.as_str() {
            "accept" => last.accepted = found.count,
            "contest" => last.contested = found.count,
            _ => last.withdrawn = found.count,
        }
    }
    Ok(DecisionCounts { schema_version: SCHEMA_VERSION.to_owned(), checks })
}

#[cfg(test)]
mod tests {
    use super::check_of;

    #[test]
    fn a_fingerprint_names_its_check() {
        for (finding, check) in [
            ("detail-differs-0123456789ab", "detail-differs"),
            ("detail-differs-0123456789ab-2", "detail-differs"),
            ("detail-differs-012345678901", "detail-differs"),
            ("model-0123456789ab", "model"),
            ("plain-1", "plain"),
            ("none", ""),
        ] {
            assert_eq!(check_of(finding), check, "{finding}");
        }
    }
}
