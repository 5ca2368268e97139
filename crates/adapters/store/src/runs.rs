//! Runs of all instruments.

use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use steadfast_engine::store::{AgentAudits, DayCount, Run, RunHead, RunPage, RunText, micros, uuid_v7};

use crate::{alerts, signed};

/// The columns of a run without its result, in the order in which `head` reads them.
const HEAD: &str = "id, verb, created_at, program_version, schema_version, rules_version, input_sha256, inputs, settings, verdict, \
                    exit_status, spans, task_id, result_bytes";

/// Whose work a run is about, as a column behind them.
const AGENT: &str = "(SELECT agent FROM run_facts WHERE run_id = id)";

/// Keeps a run; `false` where it is there already, with this id: its request was retried.
pub(crate) fn put(connection: &Connection, run: &Run) -> rusqlite::Result<bool> {
    let head = &run.head;
    let added = connection
        .prepare(&format!(
            "INSERT INTO runs ({HEAD}, result)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15
             WHERE NOT EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND verb = ?2 AND input_sha256 = ?7)"
        ))?
        .execute(params![
            head.id,
            head.verb,
            head.created_at,
            head.program_version,
            head.schema_version,
            head.rules_version,
            head.input_sha256,
            head.inputs,
            head.settings,
            head.verdict,
            head.exit_status,
            head.spans,
            head.task_id,
            signed(run.result.len()),
            run.result,
        ])?;
    if added == 0 {
        return Ok(false);
    }
    if head.agent.is_some() || head.broken.is_some() {
        connection
            .prepare_cached("INSERT INTO run_facts (run_id, verb, agent, broken) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![head.id, head.verb, head.agent, head.broken.map(signed)])?;
    }
    alerts::queue(connection, &head.id)?;
    Ok(true)
}

fn head(row: &Row<'_>) -> rusqlite::Result<RunHead> {
    Ok(RunHead {
        id: row.get(0)?,
        verb: row.get(1)?,
        created_at: row.get(2)?,
        program_version: row.get(3)?,
        schema_version: row.get(4)?,
        rules_version: row.get(5)?,
        input_sha256: row.get(6)?,
        inputs: row.get(7)?,
        settings: row.get(8)?,
        verdict: row.get(9)?,
        exit_status: row.get(10)?,
        spans: row.get(11)?,
        task_id: row.get(12)?,
        result_bytes: row.get::<_, i64>(13)?.unsigned_abs(),
        agent: row.get(14)?,
        broken: None,
    })
}

/// Which runs want looking at: word for word as the index `runs_attention` has it.
const ATTENTION: &str = "exit_status <> 0
        OR verdict IN ('risk high', 'risk critical', 'rejected', 'fail', 'request_revision')
        OR (verb = 'watch' AND verdict <> '0 alerts')";

/// Whether a run is found: by its id, by the name of one of its inputs, or by its task. The first test is a quick one, over the JSON as it
/// stands; a name that JSON escapes is left to the second.
const FOUND: &str = "(substr(id, 1, length(:search)) = lower(:search)
        OR instr(lower(task_id), lower(:search)) > 0
        OR ((instr(lower(inputs), lower(:search)) > 0 OR :escaped)
            AND EXISTS (SELECT 1 FROM json_each(inputs) WHERE instr(lower(value ->> 'name'), lower(:search)) > 0)))";

/// The runs of a page. Ids sort by time.
pub(crate) fn page(connection: &Connection, page: &RunPage) -> rusqlite::Result<Vec<RunHead>> {
    let (beyond, order) = if page.newest_first { ("id < :after", "DESC") } else { ("id > :after", "ASC") };
    let mut wanted: Vec<&str> = Vec::new();
    let mut given: Vec<(&str, &dyn ToSql)> = Vec::new();
    let limit = signed(page.limit);
    given.push((":limit", &limit));
    if let Some(verb) = &page.verb {
        wanted.push("verb = :verb");
        given.push((":verb", verb));
    }
    if let Some(verdict) = &page.verdict {
        wanted.push("verdict = :verdict");
        given.push((":verdict", verdict));
    }
    if let Some(agent) = &page.agent {
        wanted.push("id IN (SELECT run_id FROM run_facts WHERE agent = :agent)");
        given.push((":agent", agent));
    }
    if let Some(after) = &page.after {
        wanted.push(beyond);
        given.push((":after", after));
    }
    let since = page.since.as_deref().map(first_id);
    if let Some(since) = &since {
        wanted.push("id >= :since");
        given.push((":since", since));
    }
    let escaped = page.search.as_ref().is_some_and(|search| search.contains(['"', '\\']));
    if let Some(search) = &page.search {
        wanted.push(FOUND);
        given.push((":search", search));
        given.push((":escaped", &escaped));
    }
    let attention = format!("({ATTENTION})");
    if page.attention {
        wanted.push(&attention);
    }
    let wanted = if wanted.is_empty() { String::new() } else { format!("WHERE {}", wanted.join(" AND ")) };
    let mut select = connection
        .prepare_cached(&format!("SELECT {HEAD}, {AGENT} FROM runs {wanted} ORDER BY id {order} LIMIT :limit"))?;
    select.query_map(&*given, head)?.collect()
}

/// How many runs came to what since a moment.
pub(crate) fn counts(connection: &Connection, since: &str) -> rusqlite::Result<Vec<DayCount>> {
    let mut select = connection.prepare_cached(
        "SELECT substr(created_at, 1, 10) AS day, verb, verdict, exit_status, count(*) FROM runs
         WHERE created_at >= :since GROUP BY day, verb, verdict, exit_status ORDER BY day, verb, verdict, exit_status",
    )?;
    let count = |row: &Row<'_>| {
        Ok(DayCount {
            day: row.get(0)?,
            verb: row.get(1)?,
            verdict: row.get(2)?,
            exit_status: row.get(3)?,
            runs: row.get::<_, i64>(4)?.unsigned_abs(),
        })
    };
    select.query_map(named_params! { ":since": since }, count)?.collect()
}

/// Audits since a moment, by the agent that they are about: the agents that have most, and all others together.
pub(crate) fn agent_audits(connection: &Connection, since: &str, limit: usize) -> rusqlite::Result<Vec<AgentAudits>> {
    let mut select = connection.prepare_cached(
        "SELECT min(place, ?2 + 1) AS row, agent, sum(audits), sum(broken)
         FROM (SELECT agent, count(*) AS audits, sum(broken > 0) AS broken, row_number() OVER (ORDER BY count(*) DESC, agent) AS place
               FROM run_facts WHERE run_id >= ?1 AND verb = 'audit' AND broken IS NOT NULL GROUP BY agent)
         GROUP BY row ORDER BY row",
    )?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX - 1);
    let own = |row: &Row<'_>| {
        let rest = row.get::<_, i64>(0)? > limit;
        Ok(AgentAudits {
            agent: if rest { None } else { row.get(1)? },
            rest,
            audits: row.get::<_, i64>(2)?.unsigned_abs(),
            broken: row.get::<_, i64>(3)?.unsigned_abs(),
        })
    };
    select.query_map(params![first_id(since), limit], own)?.collect()
}

/// The least id of a moment; beyond all of them where it is none.
fn first_id(since: &str) -> String {
    uuid_v7(micros(since).unwrap_or(u64::MAX), 0)
}

/// Keeps the texts of a run.
pub(crate) fn put_texts(connection: &Connection, run_id: &str, texts: &[RunText]) -> rusqlite::Result<()> {
    let mut insert =
        connection.prepare_cached("INSERT INTO run_texts (run_id, name, bytes, text) VALUES (?1, ?2, ?3, ?4)")?;
    for text in texts {
        insert.execute(params![run_id, text.name, signed(text.bytes), text.text])?;
    }
    Ok(())
}

/// The texts of a run, by their names.
pub(crate) fn texts(connection: &Connection, run_id: &str) -> rusqlite::Result<Vec<RunText>> {
    let mut select =
        connection.prepare_cached("SELECT name, bytes, text FROM run_texts WHERE run_id = ?1 ORDER BY name")?;
    let text = |row: &Row<'_>| {
        Ok(RunText { name: row.get(0)?, bytes: row.get::<_, i64>(1)?.unsigned_abs(), text: row.get(2)? })
    };
    select.query_map([run_id], text)?.collect()
}

/// One run.
pub(crate) fn get(connection: &Connection, id: &str) -> rusqlite::Result<Option<Run>> {
    connection
        .prepare(&format!("SELECT {HEAD}, {AGENT}, result FROM runs WHERE id = ?1"))?
        .query_row([id], |row| Ok(Run { head: head(row)?, result: row.get(15)? }))
        .optional()
}

/// Deletes runs; where one is not there none is, and it is named.
pub(crate) fn delete(connection: &Connection, ids: &[String]) -> rusqlite::Result<Option<String>> {
    let mut exists = connection.prepare("SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1)")?;
    for id in ids {
        if !exists.query_row([id], |row| row.get::<_, bool>(0))? {
            return Ok(Some(id.clone()));
        }
    }
    let mut delete = connection.prepare("DELETE FROM runs WHERE id = ?1")?;
    for id in ids {
        delete.execute([id])?;
    }
    Ok(None)
}
