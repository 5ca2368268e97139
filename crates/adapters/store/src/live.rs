//! Trajectories that are under way, their steps and scores.

use std::collections::BTreeSet;

use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use steadfast_engine::store::{
    AgentCount, Appended, Appending, NewStep, ScoredStep, Scoring, StoredStep, TrajectoryHead, TrajectoryPage, rfc3339,
    uuid_v7,
};

use crate::signed;

/// Characters of an initial intent that a list shows.
const INTENT_CHARS_MAX: usize = 200;

/// Keys that are looked at with every new one, to see whether they are too old.
const KEYS_LOOKED_AT: i64 = 4;

fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.unsigned_abs())
}

/// An agent as the list of agents has it: one without a name is another than one with an empty name.
fn agent(step: &NewStep) -> String {
    step.agent.as_ref().map_or_else(String::new, |agent| format!("={agent}"))
}

/// A trajectory as far as appending needs it.
struct Begun {
    number: i64,
    steps: u64,
    agents: u64,
}

/// Keeps steps, all of them or none.
pub(crate) fn append(connection: &Connection, given: &Appending, now_us: u64) -> rusqlite::Result<Appended> {
    let found = connection
        .prepare_cached("SELECT number, steps, agents FROM trajectories WHERE id = ?1")?
        .query_row([&given.trajectory], |row| {
            Ok(Begun { number: row.get(0)?, steps: count(row, 1)?, agents: count(row, 2)? })
        })
        .optional()?;
    if let (Some(found), Some((key, sha256))) = (&found, &given.key)
        && let Some(before) = before(connection, found.number, key, sha256, now_us.saturating_sub(given.key_us_max))?
    {
        return Ok(before);
    }
    let first = found.as_ref().map_or(0, |found| found.steps);
    let steps = first.saturating_add(given.steps.len() as u64);
    if steps > given.steps_max {
        return Ok(Appended::TooManySteps);
    }
    let mut agents: BTreeSet<String> = given.steps.iter().map(agent).collect();
    if let Some(found) = &found {
        let mut known = connection
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM trajectory_agents WHERE trajectory = ?1 AND agent = ?2)")?;
        let mut new = BTreeSet::new();
        for agent in agents {
            if !known.query_row(params![found.number, agent], |row| row.get::<_, bool>(0))? {
                new.insert(agent);
            }
        }
        agents = new;
    }
    let agents_now = found.as_ref().map_or(0, |found| found.agents) + agents.len() as u64;
    if agents_now > given.agents_max {
        return Ok(Appended::TooManyAgents);
    }
    let at = rfc3339(now_us);
    let trajectory = match &found {
        Some(found) => {
            connection
                .prepare_cached(
                    "UPDATE trajectories SET steps = ?2, agents = ?3, updated_at = max(updated_at, ?4) WHERE number = ?1",
                )?
                .execute(params![found.number, signed(steps), signed(agents_now), at])?;
            found.number
        }
        None => {
            let begin = given.steps.first();
            let intent = begin.and_then(|step| step.initial_intent.as_ref().or(step.prompt.as_ref()));
            let intent = intent.map(|intent| intent.chars().take(INTENT_CHARS_MAX).collect::<String>());
            connection
                .prepare_cached(
                    "INSERT INTO trajectories (id, created_at, updated_at, intent, agent, agents, steps, scored, of_steps, alerts)
                     VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, 0, 0, 0)",
                )?
                .execute(params![
                    given.trajectory,
                    at,
                    intent,
                    begin.and_then(|step| step.agent.as_ref()),
                    signed(agents_now),
                    signed(steps)
                ])?;
            connection.last_insert_rowid()
        }
    };
    let mut insert = connection.prepare_cached("INSERT INTO trajectory_agents (trajectory, agent) VALUES (?1, ?2)")?;
    for agent in agents {
        insert.execute(params![trajectory, agent])?;
    }
    let ids = insert_steps(connection, trajectory, first, &given.steps, now_us)?;
    if let Some((key, sha256)) = &given.key {
        remember(connection, trajectory, (key, sha256), (first, ids.len() as u64), given, now_us)?;
    }
    Ok(Appended::Kept { first, ids })
}

fn insert_steps(
    connection: &Connection,
    trajectory: i64,
    first: u64,
    steps: &[NewStep],
    now_us: u64,
) -> rusqlite::Result<Vec<String>> {
    let mut random = connection.prepare_cached("SELECT random()")?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO steps (id, trajectory, number, step, agent, parent, prompt, initial_intent, output)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    let mut ids = Vec::with_capacity(steps.len());
    for (place, step) in (0_u64..).zip(steps) {
        // SQLite's generator is seeded by the system. A microsecond for each step, so that their ids sort as they do.
        let random = random.query_row([], |row| row.get::<_, i64>(0))?.cast_unsigned();
        let id = uuid_v7(now_us + place, random);
        let number = signed(first + place);
        insert.execute(params![
            id,
            trajectory,
            number,
            step.step,
            step.agent,
            step.parent,
            step.prompt,
            step.initial_intent,
            step.output
        ])?;
        ids.push(id);
    }
    Ok(ids)
}

/// What came of a request of this key before; a key that is too old is forgotten.
fn before(
    connection: &Connection,
    trajectory: i64,
    key: &str,
    sha256: &[u8; 32],
    since_us: u64,
) -> rusqlite::Result<Option<Appended>> {
    let found: Option<(i64, [u8; 32], u64, u64, u64)> = connection
        .prepare_cached(
            "SELECT number, request_sha256, first, count, created_us FROM step_keys WHERE trajectory = ?1 AND key = ?2",
        )?
        .query_row(params![trajectory, key], |row| {
            Ok((row.get(0)?, row.get(1)?, count(row, 2)?, count(row, 3)?, count(row, 4)?))
        })
        .optional()?;
    let Some((number, same, first, steps, created_us)) = found else { return Ok(None) };
    if created_us < since_us {
        connection.prepare_cached("DELETE FROM step_keys WHERE number = ?1")?.execute([number])?;
        return Ok(None);
    }
    if same != *sha256 {
        return Ok(Some(Appended::OtherRequest));
    }
    let mut select = connection
        .prepare_cached("SELECT id FROM steps WHERE trajectory = ?1 AND number >= ?2 ORDER BY number LIMIT ?3")?;
    let ids = select.query_map(params![trajectory, signed(first), signed(steps)], |row| row.get(0))?;
    Ok(Some(Appended::Again { first, ids: ids.collect::<Result<_, _>>()? }))
}

/// Remembers a key. With every new one some of the oldest are looked at: so there are never many more than may be, and no write
/// takes long.
fn remember(
    connection: &Connection,
    trajectory: i64,
    (key, sha256): (&str, &[u8; 32]),
    (first, steps): (u64, u64),
    given: &Appending,
    now_us: u64,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO step_keys (trajectory, key, request_sha256, first, count, created_us)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![trajectory, key, sha256, signed(first), signed(steps), signed(now_us)])?;
    let newest = connection.last_insert_rowid();
    connection
        .prepare_cached(
            "DELETE FROM step_keys WHERE number IN (SELECT number FROM step_keys ORDER BY number LIMIT ?1)
             AND (created_us < ?2 OR number <= ?3)",
        )?
        .execute(params![
            KEYS_LOOKED_AT,
            signed(now_us.saturating_sub(given.key_us_max)),
            newest.saturating_sub(signed(given.keys_max))
        ])
        .map(drop)
}

/// Keeps scores, where the first of them is the next to be kept.
pub(crate) fn score(connection: &Connection, scoring: &Scoring) -> rusqlite::Result<bool> {
    let found: Option<(i64, u64, u64)> = connection
        .prepare_cached("SELECT number, steps, scored FROM trajectories WHERE id = ?1")?
        .query_row([&scoring.trajectory], |row| Ok((row.get(0)?, count(row, 1)?, count(row, 2)?)))
        .optional()?;
    let end = scoring.first + scoring.scores.len() as u64;
    let Some((trajectory, _, _)) = found.filter(|(_, steps, scored)| *scored == scoring.first && end <= *steps) else {
        return Ok(false);
    };
    let mut insert = connection
        .prepare_cached("INSERT INTO step_scores (trajectory, number, goal, scores) VALUES (?1, ?2, ?3, ?4)")?;
    for (number, score) in (scoring.first..).zip(&scoring.scores) {
        insert.execute(params![trajectory, signed(number), score.goal, score.scores])?;
    }
    connection
        .prepare_cached("UPDATE trajectories SET scored = ?2, scorer = ?3 WHERE number = ?1")?
        .execute(params![trajectory, signed(end), scoring.scorer])?;
    if let Some(summary) = &scoring.summary {
        connection
            .prepare_cached(
                "UPDATE trajectories SET of_steps = ?2, mean_ids = ?3, max_ids = ?4, onset = ?5, alerts = ?6 WHERE number = ?1",
            )?
            .execute(params![
                trajectory,
                signed(summary.of_steps),
                summary.mean_ids,
                summary.max_ids,
                summary.onset,
                signed(summary.alerts)
            ])?;
    }
    Ok(true)
}

/// Takes the scores away that something else made.
pub(crate) fn drop_scores(connection: &Connection, id: &str, scorer: &str) -> rusqlite::Result<()> {
    connection.execute(
        "DELETE FROM step_scores WHERE trajectory = (SELECT number FROM trajectories WHERE id = ?1 AND scorer <> ?2)",
        [id, scorer],
    )?;
    connection
        .execute(
            "UPDATE trajectories SET scored = 0, scorer = NULL, of_steps = 0, mean_ids = NULL, max_ids = NULL,
             onset = NULL, alerts = 0 WHERE id = ?1 AND scorer <> ?2",
            [id, scorer],
        )
        .map(drop)
}

const HEAD: &str = "SELECT id, created_at, updated_at, intent, agent, agents, steps, scored, scorer, of_steps, mean_ids, max_ids, \
                    onset, alerts FROM trajectories";

fn head(row: &Row<'_>) -> rusqlite::Result<TrajectoryHead> {
    Ok(TrajectoryHead {
        id: row.get(0)?,
        created_at: row.get(1)?,
        updated_at: row.get(2)?,
        intent: row.get(3)?,
        agent: row.get(4)?,
        agents: count(row, 5)?,
        steps: count(row, 6)?,
        scored: count(row, 7)?,
        scorer: row.get(8)?,
        of_steps: count(row, 9)?,
        mean_ids: row.get(10)?,
        max_ids: row.get(11)?,
        onset: row.get(12)?,
        alerts: count(row, 13)?,
    })
}

/// One trajectory.
pub(crate) fn get(connection: &Connection, id: &str) -> rusqlite::Result<Option<TrajectoryHead>> {
    connection.prepare_cached(&format!("{HEAD} WHERE id = ?1"))?.query_row([id], head).optional()
}

/// Trajectories of a page, those that changed last first.
pub(crate) fn page(connection: &Connection, page: &TrajectoryPage) -> rusqlite::Result<Vec<TrajectoryHead>> {
    let mut wanted: Vec<&str> = Vec::new();
    let mut given: Vec<(&str, &dyn ToSql)> = Vec::new();
    let limit = signed(page.limit);
    given.push((":limit", &limit));
    if page.alerting {
        wanted.push("alerts > 0");
    }
    if let Some((moment, id)) = &page.after {
        wanted.push("(updated_at, id) < (:moment, :after)");
        given.push((":moment", moment));
        given.push((":after", id));
    }
    if let Some(search) = &page.search {
        wanted.push(
            "(instr(lower(id), lower(:search)) > 0 OR instr(lower(intent), lower(:search)) > 0
              OR instr(lower(agent), lower(:search)) > 0)",
        );
        given.push((":search", search));
    }
    let wanted = if wanted.is_empty() { String::new() } else { format!("WHERE {}", wanted.join(" AND ")) };
    let mut select =
        connection.prepare_cached(&format!("{HEAD} {wanted} ORDER BY updated_at DESC, id DESC LIMIT :limit"))?;
    select.query_map(&*given, head)?.collect()
}

/// Which steps are read.
#[derive(Clone, Copy)]
pub(crate) struct Stretch {
    /// The number of the first.
    pub(crate) from: u64,
    /// At most so many.
    pub(crate) limit: usize,
    /// No more once so many bytes of text are read, but always one.
    pub(crate) bytes: u64,
}

/// Takes rows until there are enough of them.
fn take<T>(
    rows: impl Iterator<Item = rusqlite::Result<T>>,
    bytes_max: u64,
    bytes_of: impl Fn(&T) -> u64,
) -> rusqlite::Result<Vec<T>> {
    let mut taken = Vec::new();
    let mut bytes = 0_u64;
    for row in rows {
        let row = row?;
        bytes += bytes_of(&row);
        if bytes > bytes_max && !taken.is_empty() {
            break;
        }
        taken.push(row);
    }
    Ok(taken)
}

fn length(texts: &[&Option<String>]) -> u64 {
    texts.iter().map(|text| text.as_ref().map_or(0, String::len) as u64).sum()
}

/// Steps of a trajectory.
pub(crate) fn steps(connection: &Connection, id: &str, stretch: Stretch) -> rusqlite::Result<Vec<StoredStep>> {
    let mut select = connection.prepare_cached(
        "SELECT id, number, step, agent, parent, prompt, initial_intent, output FROM steps
         WHERE trajectory = (SELECT number FROM trajectories WHERE id = :id) AND number >= :from
         ORDER BY number LIMIT :limit",
    )?;
    let step = |row: &Row<'_>| {
        Ok(StoredStep {
            id: row.get(0)?,
            number: count(row, 1)?,
            given: NewStep {
                step: row.get(2)?,
                agent: row.get(3)?,
                parent: row.get(4)?,
                prompt: row.get(5)?,
                initial_intent: row.get(6)?,
                output: row.get(7)?,
            },
        })
    };
    let limit = signed(stretch.limit);
    let rows = select.query_map(named_params! { ":id": id, ":from": signed(stretch.from), ":limit": limit }, step)?;
    take(rows, stretch.bytes, |step| {
        length(&[
            &step.given.agent,
            &step.given.parent,
            &step.given.prompt,
            &step.given.initial_intent,
            &step.given.output,
        ])
    })
}

/// Steps of a trajectory with their scores, without their texts.
pub(crate) fn scored(connection: &Connection, id: &str, stretch: Stretch) -> rusqlite::Result<Vec<ScoredStep>> {
    let mut select = connection.prepare_cached(
        "SELECT own.id, own.number, own.agent, score.scores FROM steps AS own
         LEFT JOIN step_scores AS score ON score.trajectory = own.trajectory AND score.number = own.number
         WHERE own.trajectory = (SELECT number FROM trajectories WHERE id = :id) AND own.number >= :from
         ORDER BY own.number LIMIT :limit",
    )?;
    let step = |row: &Row<'_>| {
        Ok(ScoredStep { id: row.get(0)?, number: count(row, 1)?, agent: row.get(2)?, scores: row.get(3)? })
    };
    let limit = signed(stretch.limit);
    let rows = select.query_map(named_params! { ":id": id, ":from": signed(stretch.from), ":limit": limit }, step)?;
    take(rows, stretch.bytes, |step| length(&[&step.agent, &step.scores]))
}

/// The goals that came into force at these steps.
pub(crate) fn goals(connection: &Connection, id: &str, numbers: &[u64]) -> rusqlite::Result<Vec<(u64, String)>> {
    let mut select = connection.prepare_cached(
        "SELECT coalesce(score.goal, own.prompt, '') FROM step_scores AS score
         JOIN steps AS own ON own.trajectory = score.trajectory AND own.number = score.number
         WHERE score.trajectory = (SELECT number FROM trajectories WHERE id = ?1) AND score.number = ?2",
    )?;
    let mut found = Vec::with_capacity(numbers.len());
    for number in numbers {
        let goal: Option<String> = select.query_row(params![id, signed(*number)], |row| row.get(0)).optional()?;
        found.extend(goal.map(|goal| (*number, goal)));
    }
    Ok(found)
}

/// The next trajectory that has steps without scores, after another.
pub(crate) fn unscored(connection: &Connection, after: Option<&str>) -> rusqlite::Result<Option<String>> {
    let mut select = connection
        .prepare_cached("SELECT id FROM trajectories WHERE scored < steps AND number > ?1 ORDER BY number LIMIT 1")?;
    let mut next = |after: i64| select.query_row([after], |row| row.get(0)).optional();
    let after: Option<i64> = match after {
        None => None,
        Some(after) => connection
            .prepare_cached("SELECT number FROM trajectories WHERE id = ?1")?
            .query_row([after], |row| row.get(0))
            .optional()?,
    };
    match after {
        Some(after) => Ok(match next(after)? {
            Some(found) => Some(found),
            None => next(0)?,
        }),
        None => next(0),
    }
}

/// How many steps have no scores.
pub(crate) fn unscored_steps(connection: &Connection) -> rusqlite::Result<u64> {
    connection
        .prepare_cached("SELECT coalesce(sum(steps - scored), 0) FROM trajectories WHERE scored < steps")?
        .query_row([], |row| count(row, 0))
}

/// Deletes a trajectory with its steps; `false` where there is none.
pub(crate) fn delete(connection: &Connection, id: &str) -> rusqlite::Result<bool> {
    Ok(connection.execute("DELETE FROM trajectories WHERE id = ?1", [id])? > 0)
}

/// What trajectories came to since a moment, by the agent that began them; the agents beyond the first `limit` together.
pub(crate) fn agent_counts(connection: &Connection, since: &str, limit: usize) -> rusqlite::Result<Vec<AgentCount>> {
    let mut select = connection.prepare_cached(
        "SELECT min(place, ?2 + 1) AS row, agent, sum(trajectories), sum(steps), sum(alerts), sum(onsets),
             sum(sum_ids) / nullif(sum(count_ids), 0), max(max_ids)
         FROM (SELECT agent, count(*) AS trajectories, sum(steps) AS steps, sum(alerts) AS alerts, sum(onset IS NOT NULL) AS onsets,
                   sum(mean_ids) AS sum_ids, count(mean_ids) AS count_ids, max(max_ids) AS max_ids,
                   row_number() OVER (ORDER BY count(*) DESC, agent) AS place
               FROM trajectories WHERE updated_at >= ?1 GROUP BY agent)
         GROUP BY row ORDER BY row",
    )?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX - 1);
    let own = |row: &Row<'_>| {
        let rest = row.get::<_, i64>(0)? > limit;
        Ok(AgentCount {
            agent: if rest { None } else { row.get(1)? },
            rest,
            trajectories: count(row, 2)?,
            steps: count(row, 3)?,
            alerts: count(row, 4)?,
            onsets: count(row, 5)?,
            mean_ids: row.get(6)?,
            max_ids: row.get(7)?,
        })
    };
    select.query_map(params![since, limit], own)?.collect()
}
