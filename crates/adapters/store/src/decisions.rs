//! What people decided on findings.

use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension, Row, params};
use steadfast_engine::store::{DecisionCount, DecisionPage, StoredDecision};

use crate::signed;

const DECISION: &str =
    "SELECT id, finding, check_id, run_id, decision, reason, author, until, created_at FROM decisions";

/// Whether a decision is the last one on its finding.
const LATEST: &str =
    "number = (SELECT max(later.number) FROM decisions AS later WHERE later.finding = decisions.finding)";

/// Keeps a decision; `false` where its run is not there.
pub(crate) fn add(connection: &Connection, decision: &StoredDecision) -> rusqlite::Result<bool> {
    if let Some(run) = &decision.run_id {
        let there: bool =
            connection.query_row("SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1)", [run], |row| row.get(0))?;
        if !there {
            return Ok(false);
        }
    }
    connection.execute(
        "INSERT INTO decisions (id, finding, check_id, run_id, decision, reason, author, until, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            decision.id,
            decision.finding,
            decision.check,
            decision.run_id,
            decision.decision,
            decision.reason,
            decision.author,
            decision.until,
            decision.created_at,
        ],
    )?;
    Ok(true)
}

fn decision(row: &Row<'_>) -> rusqlite::Result<StoredDecision> {
    Ok(StoredDecision {
        id: row.get(0)?,
        finding: row.get(1)?,
        check: row.get(2)?,
        run_id: row.get(3)?,
        decision: row.get(4)?,
        reason: row.get(5)?,
        author: row.get(6)?,
        until: row.get(7)?,
        created_at: row.get(8)?,
    })
}

/// The last decision on each finding.
pub(crate) fn latest(connection: &Connection, findings: &[&str]) -> rusqlite::Result<Vec<Option<StoredDecision>>> {
    let mut select =
        connection.prepare_cached(&format!("{DECISION} WHERE finding = ?1 ORDER BY number DESC LIMIT 1"))?;
    findings.iter().map(|finding| select.query_row([*finding], decision).optional()).collect()
}

/// The decisions of a page, the newest first.
pub(crate) fn page(connection: &Connection, page: &DecisionPage) -> rusqlite::Result<Vec<StoredDecision>> {
    let mut wanted: Vec<&str> = Vec::new();
    let mut given: Vec<(&str, &dyn ToSql)> = Vec::new();
    let limit = signed(page.limit);
    given.push((":limit", &limit));
    if let Some(finding) = &page.finding {
        wanted.push("finding = :finding");
        given.push((":finding", finding));
    }
    if let Some(check) = &page.check {
        wanted.push("check_id = :check");
        given.push((":check", check));
    }
    if let Some(after) = &page.after {
        wanted.push("number < (SELECT number FROM decisions WHERE id = :after)");
        given.push((":after", after));
    }
    if page.latest_only {
        wanted.push(LATEST);
    }
    let wanted = if wanted.is_empty() { String::new() } else { format!("WHERE {}", wanted.join(" AND ")) };
    let mut select = connection.prepare_cached(&format!("{DECISION} {wanted} ORDER BY number DESC LIMIT :limit"))?;
    select.query_map(&*given, decision)?.collect()
}

/// How many findings of each check were last decided on in which way.
pub(crate) fn counts(connection: &Connection) -> rusqlite::Result<Vec<DecisionCount>> {
    let mut select = connection.prepare_cached(&format!(
        "SELECT check_id, decision, count(*) FROM decisions WHERE {LATEST} GROUP BY check_id, decision
         ORDER BY check_id, decision"
    ))?;
    let count = |row: &Row<'_>| {
        Ok(DecisionCount { check: row.get(0)?, decision: row.get(1)?, count: row.get::<_, i64>(2)?.unsigned_abs() })
    };
    select.query_map([], count)?.collect()
}
