//! How rules of alerts stand, and what was told of them.

use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension, Row, params};
use steadfast_engine::store::{
    AlertDelivery, DeliveryState, Looked, NoticePage, StoredNotice, StoredStream, StreamPage,
};

use crate::signed;

/// An agent as it is kept: no agent has an empty name.
fn kept(agent: Option<&str>) -> &str {
    agent.unwrap_or_default()
}

fn given(agent: String) -> Option<String> {
    Some(agent).filter(|agent| !agent.is_empty())
}

/// A run waits to be looked at, where rules look.
pub(crate) fn queue(connection: &Connection, run_id: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO alert_runs (run_id) SELECT ?1 WHERE EXISTS (SELECT 1 FROM alert_state)")?
        .execute([run_id])
        .map(drop)
}

/// When rules last found something new.
pub(crate) fn looked_at(connection: &Connection) -> rusqlite::Result<Option<String>> {
    connection.query_row("SELECT looked_at FROM alert_state", [], |row| row.get(0)).optional()
}

/// From now on what is stored waits for rules.
pub(crate) fn begin(connection: &Connection, at: &str) -> rusqlite::Result<()> {
    if connection.execute("INSERT INTO alert_state (id, looked_at) VALUES (1, ?1) ON CONFLICT DO NOTHING", [at])? > 0 {
        connection.execute("UPDATE trajectories SET looked = scored WHERE looked < scored", [])?;
    }
    Ok(())
}

/// Nothing waits any more, and how rules stand is forgotten.
pub(crate) fn end(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("DELETE FROM alert_state; DELETE FROM alert_runs; DELETE FROM alert_streams;")
}

/// Runs that wait.
pub(crate) fn unlooked_runs(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<String>> {
    let mut select = connection.prepare_cached("SELECT run_id FROM alert_runs ORDER BY run_id LIMIT ?1")?;
    select.query_map([signed(limit)], |row| row.get(0))?.collect()
}

/// Trajectories with scores that wait.
pub(crate) fn unlooked_trajectories(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<(String, u64)>> {
    let mut select = connection
        .prepare_cached("SELECT id, looked FROM trajectories WHERE looked < scored ORDER BY number LIMIT ?1")?;
    select.query_map([signed(limit)], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs())))?.collect()
}

/// Keeps what a look came to; `false` where rules do not look any more.
pub(crate) fn looked(connection: &Connection, own: &Looked) -> rusqlite::Result<bool> {
    if connection.execute("UPDATE alert_state SET looked_at = ?1", [&own.at])? == 0 {
        return Ok(false);
    }
    let mut done = connection.prepare_cached("DELETE FROM alert_runs WHERE run_id = ?1")?;
    for id in &own.runs {
        done.execute([id])?;
    }
    let mut done = connection.prepare_cached("UPDATE trajectories SET looked = ?2 WHERE id = ?1")?;
    for (id, count) in &own.trajectories {
        done.execute(params![id, signed(*count)])?;
    }
    let mut forget = connection.prepare_cached("DELETE FROM alert_streams WHERE rule = ?1 AND agent = ?2")?;
    for (rule, agent) in &own.dropped {
        forget.execute(params![rule, kept(agent.as_deref())])?;
    }
    for stream in &own.streams {
        put(connection, stream)?;
    }
    for notice in &own.notices {
        connection
            .prepare_cached(
                "INSERT INTO alert_notices (id, rule, agent, created_at, notice) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                notice.id,
                notice.rule,
                kept(notice.agent.as_deref()),
                notice.created_at,
                notice.notice
            ])?;
        for delivery in &notice.deliveries {
            deliver(connection, &notice.id, delivery)?;
        }
    }
    if !own.notices.is_empty() {
        connection.execute(
            "DELETE FROM alert_notices WHERE id <= (SELECT id FROM alert_notices ORDER BY id DESC LIMIT 1 OFFSET ?1)",
            [signed(own.notices_max)],
        )?;
    }
    Ok(true)
}

fn put(connection: &Connection, own: &StoredStream) -> rusqlite::Result<()> {
    let last: Vec<u8> = own.last.iter().flat_map(|(at, wrong)| (at << 1 | u64::from(*wrong)).to_le_bytes()).collect();
    connection
        .prepare_cached(
            "INSERT INTO alert_streams (rule, agent, definition, firing, since, fired_us, value, subject, at_us, last)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (rule, agent) DO UPDATE SET definition = excluded.definition, firing = excluded.firing, since = excluded.since,
                 fired_us = excluded.fired_us, value = excluded.value, subject = excluded.subject, at_us = excluded.at_us, last = excluded.last",
        )?
        .execute(params![
            own.rule,
            kept(own.agent.as_deref()),
            own.definition,
            own.firing,
            own.since,
            own.fired_us.map(signed),
            own.value,
            own.subject,
            signed(own.at_us),
            last,
        ])
        .map(drop)
}

fn stream(row: &Row<'_>) -> rusqlite::Result<StoredStream> {
    let last: Vec<u8> = row.get(10)?;
    let (samples, _) = last.as_chunks::<8>();
    Ok(StoredStream {
        number: row.get::<_, i64>(0)?.unsigned_abs(),
        rule: row.get(1)?,
        agent: given(row.get(2)?),
        definition: row.get(3)?,
        firing: row.get(4)?,
        since: row.get(5)?,
        fired_us: row.get::<_, Option<i64>>(6)?.map(i64::unsigned_abs),
        value: row.get(7)?,
        subject: row.get(8)?,
        at_us: row.get::<_, i64>(9)?.unsigned_abs(),
        last: samples
            .iter()
            .map(|own| {
                let sample = u64::from_le_bytes(*own);
                (sample >> 1, sample & 1 == 1)
            })
            .collect(),
    })
}

/// How rules stand, of a page.
pub(crate) fn streams(connection: &Connection, page: &StreamPage) -> rusqlite::Result<Vec<StoredStream>> {
    let (after, limit) = (page.after.map_or(-1, signed), signed(page.limit));
    let mut wanted = vec!["number > :after"];
    let mut given: Vec<(&str, &dyn ToSql)> = vec![(":after", &after), (":limit", &limit)];
    if page.firing {
        wanted.push("firing = 1");
    }
    if let Some(rule) = &page.rule {
        wanted.push("rule = :rule");
        given.push((":rule", rule));
    }
    if let Some(agent) = &page.agent {
        wanted.push("agent = :agent");
        given.push((":agent", agent));
    }
    let mut select = connection.prepare_cached(&format!(
        "SELECT number, rule, agent, definition, firing, since, fired_us, value, subject, at_us, last FROM alert_streams
         WHERE {} ORDER BY number LIMIT :limit",
        wanted.join(" AND ")
    ))?;
    select.query_map(&*given, stream)?.collect()
}

/// Notices of a page.
pub(crate) fn notices(connection: &Connection, page: &NoticePage) -> rusqlite::Result<Vec<StoredNotice>> {
    let limit = signed(page.limit);
    let mut wanted = vec!["1"];
    let mut given: Vec<(&str, &dyn ToSql)> = vec![(":limit", &limit)];
    if let Some(rule) = &page.rule {
        wanted.push("rule = :rule");
        given.push((":rule", rule));
    }
    if let Some(agent) = &page.agent {
        wanted.push("agent = :agent");
        given.push((":agent", agent));
    }
    if let Some(after) = &page.after {
        wanted.push(if page.waiting { "id > :after" } else { "id < :after" });
        given.push((":after", after));
    }
    if page.waiting {
        wanted.push("id IN (SELECT notice_id FROM alert_deliveries WHERE state = 'waiting')");
    }
    let order = if page.waiting { "ASC" } else { "DESC" };
    let mut select = connection.prepare_cached(&format!(
        "SELECT id, rule, agent, created_at, notice FROM alert_notices WHERE {} ORDER BY id {order} LIMIT :limit",
        wanted.join(" AND ")
    ))?;
    let notice = |row: &Row<'_>| {
        Ok(StoredNotice {
            id: row.get(0)?,
            rule: row.get(1)?,
            agent: self::given(row.get(2)?),
            created_at: row.get(3)?,
            notice: row.get(4)?,
            deliveries: Vec::new(),
        })
    };
    let mut found = select.query_map(&*given, notice)?.collect::<rusqlite::Result<Vec<StoredNotice>>>()?;
    for own in &mut found {
        own.deliveries = deliveries(connection, &own.id)?;
    }
    Ok(found)
}

fn deliveries(connection: &Connection, notice: &str) -> rusqlite::Result<Vec<AlertDelivery>> {
    let mut select = connection.prepare_cached(
        "SELECT target, state, attempts, at, error FROM alert_deliveries WHERE notice_id = ?1 ORDER BY target",
    )?;
    let delivery = |row: &Row<'_>| {
        let state: String = row.get(1)?;
        Ok(AlertDelivery {
            to: row.get(0)?,
            // The table takes no other.
            state: DeliveryState::ALL.iter().copied().find(|own| own.name() == state).unwrap_or(DeliveryState::Failed),
            attempts: row.get::<_, i64>(2)?.unsigned_abs(),
            at: row.get(3)?,
            error: row.get(4)?,
        })
    };
    select.query_map([notice], delivery)?.collect()
}

/// Keeps how far a delivery has come; `false` where its notice is not there.
pub(crate) fn deliver(connection: &Connection, notice: &str, own: &AlertDelivery) -> rusqlite::Result<bool> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO alert_deliveries (notice_id, target, state, attempts, at, error)
         SELECT id, ?2, ?3, ?4, ?5, ?6 FROM alert_notices WHERE id = ?1
         ON CONFLICT (notice_id, target) DO UPDATE SET state = excluded.state, attempts = excluded.attempts, at = excluded.at,
             error = excluded.error",
    )?;
    let changed = insert.execute(params![notice, own.to, own.state.name(), signed(own.attempts), own.at, own.error])?;
    Ok(changed > 0)
}
