//! The tables, version by version, and whether a file is a store at all.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::StoreError;

/// What marks a file as a store of ours, in its header: `Stdf`.
pub(crate) const APPLICATION_ID: i64 = 0x5374_6466;

/// How the tables of a version are made from those before it. A store of version N has gone through the first N. What stands here is
/// never changed, only added to.
pub(crate) const MIGRATIONS: &[&str] = &[
    // 1: vectors of texts. A text is known by its SHA-256 alone; vectors are 32-bit floats, little-endian.
    "CREATE TABLE embedding_versions (
        id INTEGER PRIMARY KEY,
        version TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE embeddings (
        version_id INTEGER NOT NULL REFERENCES embedding_versions (id),
        text_sha256 BLOB NOT NULL CHECK (length(text_sha256) = 32),
        truncated INTEGER NOT NULL CHECK (truncated IN (0, 1)),
        vector BLOB NOT NULL CHECK (length(vector) % 4 = 0),
        UNIQUE (version_id, text_sha256)
    ) STRICT;",
    // 2: runs of all instruments, tasks, and the history of their messages. Times are RFC 3339 in UTC, ids UUIDv7; an id of a task is
    // what its messages call it. JSON that the program made itself is not parsed again where it may be large.
    "CREATE TABLE runs (
        id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
        verb TEXT NOT NULL,
        created_at TEXT NOT NULL,
        program_version TEXT NOT NULL,
        schema_version TEXT NOT NULL,
        rules_version TEXT,
        input_sha256 TEXT NOT NULL CHECK (length(input_sha256) = 64),
        inputs TEXT NOT NULL CHECK (json_type(inputs) = 'array'),
        settings TEXT NOT NULL CHECK (json_type(settings) = 'object'),
        verdict TEXT,
        exit_status INTEGER NOT NULL,
        spans TEXT NOT NULL CHECK (json_type(spans) = 'object'),
        task_id TEXT,
        result_bytes INTEGER NOT NULL,
        result TEXT NOT NULL
    ) STRICT;
    CREATE INDEX runs_by_verb ON runs (verb, id);
    CREATE TABLE tasks (
        id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE flags (
        id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
        task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
        created_at TEXT NOT NULL,
        quality TEXT NOT NULL CHECK (quality IN ('good', 'bad', 'unsure')),
        tags TEXT NOT NULL CHECK (json_type(tags) = 'array')
    ) STRICT;
    CREATE INDEX flags_by_task ON flags (task_id, id);
    CREATE TABLE message_history (
        id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
        task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
        role TEXT NOT NULL,
        created_at TEXT NOT NULL,
        eval_score REAL CHECK (eval_score BETWEEN 0 AND 1),
        quality_flag TEXT CHECK (quality_flag IN ('good', 'bad', 'unsure')),
        training_candidate INTEGER NOT NULL DEFAULT 0 CHECK (training_candidate IN (0, 1)),
        tags TEXT NOT NULL DEFAULT '[]' CHECK (json_type(tags) = 'array'),
        recommendation TEXT,
        run_id TEXT REFERENCES runs (id) ON DELETE SET NULL,
        eval_summary TEXT,
        content TEXT NOT NULL
    ) STRICT;
    CREATE INDEX messages_by_task ON message_history (task_id, id);
    CREATE INDEX messages_by_run ON message_history (run_id) WHERE run_id IS NOT NULL;
    CREATE INDEX messages_to_train ON message_history (task_id) WHERE training_candidate = 1;",
    // 3: the vault of prompts, what was picked of it, and what was said of that. A record is JSON as it is published; `source` tells
    // the folder or file that it came from by a hash, `confidence` is the least of what was inferred (1 where nothing was).
    "CREATE TABLE prompts (
        id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
        source TEXT NOT NULL,
        content_hash TEXT NOT NULL CHECK (length(content_hash) = 64),
        confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
        inferred TEXT NOT NULL CHECK (json_type(inferred) = 'array'),
        record TEXT NOT NULL
    ) STRICT;
    CREATE INDEX prompts_by_source ON prompts (source, id, content_hash);
    CREATE INDEX prompts_by_confidence ON prompts (confidence, id);
    CREATE TABLE selections (
        trace_id TEXT NOT NULL PRIMARY KEY CHECK (trace_id <> ''),
        created_at TEXT NOT NULL,
        operating_point TEXT NOT NULL,
        prompts TEXT NOT NULL CHECK (json_type(prompts) = 'array')
    ) STRICT;
    CREATE TABLE feedback (
        id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
        trace_id TEXT NOT NULL REFERENCES selections (trace_id) ON DELETE CASCADE,
        prompt_id TEXT NOT NULL,
        good INTEGER NOT NULL CHECK (good IN (0, 1)),
        created_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX feedback_by_prompt ON feedback (prompt_id, good);
    CREATE INDEX feedback_by_trace ON feedback (trace_id);",
    // 4: what changes whenever a prompt does, so that what was made from the vault is known to be of it or not. There is none before the first prompt.
    "CREATE TABLE vault_state (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        stamp TEXT NOT NULL CHECK (length(stamp) = 32)
    ) STRICT;
    INSERT INTO vault_state SELECT 1, lower(hex(randomblob(16))) WHERE EXISTS (SELECT 1 FROM prompts);",
    // 5: which thresholds stood behind the name of an operating point; not known of earlier selections.
    "ALTER TABLE selections ADD COLUMN point_sha256 TEXT CHECK (length(point_sha256) = 64);",
    // 6: what a server keeps: texts that runs were about, decisions on findings, keys (by their hash alone), jobs, and trajectories that are
    // under way. A step is written once; its scores stand beside it. A goal is told where it came into force, and is the
    // instruction of that step where no other is told. `scored` steps of a trajectory have scores, the first ones.
    "CREATE TABLE run_texts (
        run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        text TEXT,
        PRIMARY KEY (run_id, name)
    ) STRICT;
    CREATE INDEX runs_by_outcome ON runs (created_at, verb, verdict, exit_status);
    CREATE INDEX runs_attention ON runs (id) WHERE exit_status <> 0
        OR verdict IN ('risk high', 'risk critical', 'rejected', 'fail', 'request_revision')
        OR (verb = 'watch' AND verdict <> '0 alerts');
    CREATE INDEX tasks_by_update ON tasks (updated_at, id);
    CREATE TABLE decisions (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
        finding TEXT NOT NULL CHECK (finding <> ''),
        check_id TEXT NOT NULL,
        run_id TEXT REFERENCES runs (id) ON DELETE SET NULL,
        decision TEXT NOT NULL CHECK (decision IN ('accept', 'contest', 'withdrawn')),
        reason TEXT NOT NULL,
        author TEXT,
        until TEXT CHECK (length(until) = 10),
        created_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX decisions_by_finding ON decisions (finding, number);
    CREATE INDEX decisions_by_check ON decisions (check_id, number);
    CREATE INDEX decisions_by_run ON decisions (run_id);
    CREATE TABLE api_keys (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
        name TEXT NOT NULL,
        scope TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
        key_sha256 BLOB NOT NULL UNIQUE CHECK (length(key_sha256) = 32),
        created_at TEXT NOT NULL,
        revoked_at TEXT
    ) STRICT;
    CREATE TABLE jobs (
        id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
        kind TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled', 'interrupted')),
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        total INTEGER NOT NULL,
        done INTEGER NOT NULL,
        message TEXT
    ) STRICT;
    CREATE TABLE job_items (
        job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        run_id TEXT,
        error TEXT,
        PRIMARY KEY (job_id, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE trajectories (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE CHECK (id <> ''),
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        intent TEXT,
        agent TEXT,
        agents INTEGER NOT NULL,
        steps INTEGER NOT NULL,
        scored INTEGER NOT NULL CHECK (scored BETWEEN 0 AND steps),
        scorer TEXT,
        of_steps INTEGER NOT NULL,
        mean_ids REAL,
        max_ids REAL,
        onset INTEGER,
        alerts INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX trajectories_by_update ON trajectories (updated_at, id);
    CREATE INDEX trajectories_alerting ON trajectories (updated_at, id) WHERE alerts > 0;
    CREATE INDEX trajectories_unscored ON trajectories (number) WHERE scored < steps;
    CREATE TABLE trajectory_agents (
        trajectory INTEGER NOT NULL REFERENCES trajectories (number) ON DELETE CASCADE,
        agent TEXT NOT NULL,
        PRIMARY KEY (trajectory, agent)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE steps (
        id TEXT NOT NULL CHECK (length(id) = 36),
        trajectory INTEGER NOT NULL REFERENCES trajectories (number) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        step INTEGER,
        agent TEXT,
        parent TEXT,
        prompt TEXT,
        initial_intent TEXT,
        output TEXT,
        UNIQUE (trajectory, number)
    ) STRICT;
    CREATE TABLE step_scores (
        trajectory INTEGER NOT NULL REFERENCES trajectories (number) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        goal TEXT,
        scores TEXT NOT NULL,
        PRIMARY KEY (trajectory, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE step_keys (
        number INTEGER PRIMARY KEY,
        trajectory INTEGER NOT NULL REFERENCES trajectories (number) ON DELETE CASCADE,
        key TEXT NOT NULL,
        request_sha256 BLOB NOT NULL CHECK (length(request_sha256) = 32),
        first INTEGER NOT NULL,
        count INTEGER NOT NULL,
        created_us INTEGER NOT NULL,
        UNIQUE (trajectory, key)
    ) STRICT;",
    // 7: the key of the hashes of texts that are not kept. It is made when it is first needed.
    "CREATE TABLE hash_key (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        key BLOB NOT NULL CHECK (length(key) = 32)
    ) STRICT;",
    // 8: what stands beside a run, apart from it since its result is long: whose work it is about, and how many checks found a hard obligation
    // broken, where one could be. And how rules of alerts stand. Rules look once `alert_state` has its row: from then on runs queue in `alert_runs`
    // until they were looked at; of a trajectory the first `looked` steps were. An agent that is not known is ''. `last` of a stream holds its
    // samples: eight bytes each, little-endian, twice the moment in microseconds and one where it was wrong.
    "CREATE TABLE run_facts (
        run_id TEXT NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
        verb TEXT NOT NULL,
        agent TEXT,
        broken INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX run_facts_by_agent ON run_facts (agent, run_id) WHERE agent IS NOT NULL;
    ALTER TABLE trajectories ADD COLUMN looked INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX trajectories_unlooked ON trajectories (number) WHERE looked < scored;
    CREATE TABLE alert_state (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        looked_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE alert_runs (
        run_id TEXT NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE alert_streams (
        number INTEGER PRIMARY KEY,
        rule TEXT NOT NULL,
        agent TEXT NOT NULL,
        definition TEXT NOT NULL,
        firing INTEGER NOT NULL CHECK (firing IN (0, 1)),
        since TEXT,
        fired_us INTEGER,
        value REAL NOT NULL,
        subject TEXT NOT NULL,
        at_us INTEGER NOT NULL,
        last BLOB NOT NULL CHECK (length(last) % 8 = 0),
        UNIQUE (rule, agent)
    ) STRICT;
    CREATE INDEX alert_streams_firing ON alert_streams (number) WHERE firing = 1;
    CREATE TABLE alert_notices (
        id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
        rule TEXT NOT NULL,
        agent TEXT NOT NULL,
        created_at TEXT NOT NULL,
        notice TEXT NOT NULL CHECK (json_type(notice) = 'object')
    ) STRICT;
    CREATE INDEX alert_notices_by_stream ON alert_notices (rule, agent, id);
    CREATE TABLE alert_deliveries (
        notice_id TEXT NOT NULL REFERENCES alert_notices (id) ON DELETE CASCADE,
        target TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'told', 'failed')),
        attempts INTEGER NOT NULL,
        at TEXT NOT NULL,
        error TEXT,
        PRIMARY KEY (notice_id, target)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX alert_deliveries_waiting ON alert_deliveries (notice_id) WHERE state = 'waiting';",
    // 9: which process took a job in, and the latest moment that is known to have been, by which a clock that jumped is known.
    "ALTER TABLE jobs ADD COLUMN owner TEXT;
    CREATE TABLE retention_state (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        seen_at TEXT NOT NULL
    ) STRICT;",
];

/// The version of the tables that this program writes.
pub const VERSION: i64 = MIGRATIONS.len() as i64;

fn number(connection: &Connection, pragma: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, pragma, |row| row.get(0))
}

/// The version of its tables.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    number(connection, "user_version")
}

fn newer(file: &str, found: i64, known: usize) -> Option<StoreError> {
    let known = i64::try_from(known).unwrap_or(i64::MAX);
    (found > known).then(|| StoreError::Newer { file: file.to_owned(), found, known })
}

/// Why a file is left alone, if it is. An empty one is a store to be.
pub(crate) fn refusal(connection: &mut Connection, file: &str) -> rusqlite::Result<Option<StoreError>> {
    // One transaction, so that all three are of the same moment.
    let transaction = connection.transaction()?;
    let id = number(&transaction, "application_id")?;
    let version = number(&transaction, "user_version")?;
    let things: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(match (id, version, things) {
        (APPLICATION_ID, ..) => newer(file, version, MIGRATIONS.len()),
        (0, 0, 0) => None,
        _ => Some(StoreError::NotOurs { file: file.to_owned() }),
    })
}

/// Brings the tables to the newest version, each step in a transaction of its own, and a new store to it in one: whoever starts a server waits for
/// the disk once. `save` is called in it, with the version that is left, before a step changes a store that holds something; where it fails, nothing is changed.
pub(crate) fn migrate(
    connection: &mut Connection,
    file: &str,
    migrations: &[&str],
    fault: impl Fn(rusqlite::Error) -> StoreError,
    save: impl Fn(i64) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let known = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
    while number(connection, "user_version").map_err(&fault)? < known {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&fault)?;
        // Only now it is sure that nobody else migrates.
        let version = number(&transaction, "user_version").map_err(&fault)?;
        if version < known && holds_something(&transaction).map_err(&fault)? {
            save(version)?;
        }
        let steps = if version == 0 { 0..known } else { version..version + 1 };
        for version in steps {
            step(&transaction, version, migrations).map_err(&fault)?;
        }
        transaction.commit().map_err(&fault)?;
    }
    // Another process may have been faster, and newer.
    newer(file, number(connection, "user_version").map_err(&fault)?, migrations.len()).map_or(Ok(()), Err)
}

/// Whether any table has a row.
pub(crate) fn holds_something(connection: &Connection) -> rusqlite::Result<bool> {
    for table in tables(connection)? {
        if connection.query_row(&format!("SELECT EXISTS (SELECT 1 FROM {table})"), [], |row| row.get(0))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The names of all tables, quoted.
pub(crate) fn tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut select = connection.prepare(
        "SELECT '\"' || replace(name, '\"', '\"\"') || '\"' FROM sqlite_schema
         WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )?;
    select.query_map([], |row| row.get(0))?.collect()
}

fn step(transaction: &Transaction<'_>, version: i64, migrations: &[&str]) -> rusqlite::Result<()> {
    let next = usize::try_from(version).ok().and_then(|version| migrations.get(version));
    if let Some(tables) = next {
        transaction.execute_batch(tables)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", version + 1)?;
    }
    Ok(())
}
