//! The ports of the engine, kept by the store.

use std::io;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use steadfast_embed::Embedding;
use steadfast_engine::store::{
    AgentAudits, DayCount, Derived, EmbeddingStore, Flag, Message, PointCounts, PromptKey, ReadAt, Receipt, Run,
    RunHead, RunPage, RunStore, RunText, Stamp, Stamps, StoreFailure, StoredFeedback, StoredPrompt, StoredSelection,
    Task, TaskPage, TaskStore, TextKey, VaultStore, rfc3339, uuid_v7,
};

use crate::{Pending, Store, StoreError, derived, embeddings, prompts, runs, tasks};

mod alerts;
mod served;

fn receipt(pending: Pending) -> Receipt {
    Box::new(move || Ok(pending.wait()?))
}

impl EmbeddingStore for Store {
    fn get(&self, version: &str, keys: &[TextKey]) -> Result<Vec<Option<Embedding>>, StoreFailure> {
        Ok(self.read(|connection| embeddings::get(connection, version, keys))?)
    }

    fn put(&self, version: &str, vectors: Vec<(TextKey, Embedding)>) -> Receipt {
        let version = version.to_owned();
        receipt(self.write(move |connection| embeddings::put(connection, &version, &vectors)))
    }
}

impl Stamps for Store {
    fn stamp(&self) -> Result<Stamp, StoreFailure> {
        // SQLite's generator is seeded by the system.
        let random = self.read(|connection| connection.query_row("SELECT random()", [], |row| row.get::<_, i64>(0)))?;
        let at_us = (self.place.limits.clock_us)();
        Ok(Stamp { id: uuid_v7(at_us, random.cast_unsigned()), at: rfc3339(at_us) })
    }

    fn ticks_ms(&self) -> u64 {
        static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
        u64::try_from(FIRST.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl RunStore for Store {
    fn keep(&self, run: Run, message: Option<Message>, texts: Vec<RunText>) -> Receipt {
        // All or nothing. Nothing changes where the run is there already, with its id: its request was retried.
        receipt(self.write(move |connection| {
            if !runs::put(connection, &run)? {
                return Ok(());
            }
            runs::put_texts(connection, &run.head.id, &texts)?;
            message.iter().try_for_each(|message| tasks::put(connection, message))
        }))
    }

    fn runs(&self, page: &RunPage) -> Result<Vec<RunHead>, StoreFailure> {
        Ok(self.read(|connection| runs::page(connection, page))?)
    }

    fn run(&self, id: &str) -> Result<Option<Run>, StoreFailure> {
        Ok(self.read(|connection| runs::get(connection, id))?)
    }

    fn run_texts(&self, id: &str) -> Result<Vec<RunText>, StoreFailure> {
        Ok(self.read(|connection| runs::texts(connection, id))?)
    }

    fn run_counts(&self, since: &str) -> Result<Vec<DayCount>, StoreFailure> {
        Ok(self.read(|connection| runs::counts(connection, since))?)
    }

    fn agent_audits(&self, since: &str, limit: usize) -> Result<Vec<AgentAudits>, StoreFailure> {
        Ok(self.read(|connection| runs::agent_audits(connection, since, limit))?)
    }

    fn delete_runs(&self, ids: &[String]) -> Result<Option<String>, StoreFailure> {
        let ids = ids.to_vec();
        Ok(self.write_and_tell(move |connection| runs::delete(connection, &ids))?)
    }
}

impl TaskStore for Store {
    fn task(&self, id: &str) -> Result<Option<Task>, StoreFailure> {
        Ok(self.read_at_once(|connection| tasks::get(connection, id))?)
    }

    fn tasks(&self, page: &TaskPage) -> Result<Vec<Task>, StoreFailure> {
        Ok(self.read_at_once(|connection| tasks::page(connection, page))?)
    }

    fn messages(&self, task_id: &str, after: Option<&str>, limit: usize) -> Result<Vec<Message>, StoreFailure> {
        Ok(self.read(|connection| tasks::messages(connection, task_id, after, limit))?)
    }

    fn latest_message(&self, task_id: &str) -> Result<Option<Message>, StoreFailure> {
        Ok(self.read(|connection| tasks::latest(connection, task_id))?)
    }

    fn flag(&self, task_id: &str, flag: Flag) -> Result<bool, StoreFailure> {
        let task_id = task_id.to_owned();
        Ok(self.write_and_tell(move |connection| tasks::flag(connection, &task_id, &flag))?)
    }

    fn delete_task(&self, id: &str) -> Result<bool, StoreFailure> {
        let id = id.to_owned();
        Ok(self.write_and_tell(move |connection| tasks::delete(connection, &id))?)
    }
}

impl From<StoreError> for StoreFailure {
    fn from(error: StoreError) -> Self {
        let full = matches!(error, StoreError::Full { .. } | StoreError::NoWrite { .. });
        Self { what: error.to_string(), hint: Some(error.hint().to_owned()), full }
    }
}

impl VaultStore for Store {
    fn prompt_keys(&self) -> Result<Vec<PromptKey>, StoreFailure> {
        Ok(self.read(|connection| prompts::keys(connection))?)
    }

    fn each_prompt(&self, tell: &mut dyn FnMut(StoredPrompt) -> bool) -> Result<String, StoreFailure> {
        Ok(self.read_at_once(|connection| prompts::each(connection, tell))?)
    }

    fn prompts_of(&self, ids: &[&str]) -> Result<Vec<Option<StoredPrompt>>, StoreFailure> {
        Ok(self.read_at_once(|connection| prompts::of(connection, ids))?)
    }

    fn prompts_after(&self, after: Option<&str>, limit: usize) -> Result<Vec<StoredPrompt>, StoreFailure> {
        Ok(self.read(|connection| prompts::after(connection, after, limit))?)
    }

    fn vault_stamp(&self) -> Result<String, StoreFailure> {
        Ok(self.read(|connection| prompts::stamp(connection))?)
    }

    fn derived(&self, kind: Derived) -> Option<Arc<dyn ReadAt>> {
        derived::open(&self.place, kind).ok()
    }

    fn make_derived(
        &self,
        kind: Derived,
        write: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<Arc<dyn ReadAt>, StoreFailure> {
        Ok(derived::make(&self.place, kind, write)?)
    }

    fn unsure_prompts(&self, below: f64, rows: (usize, usize)) -> Result<(Vec<StoredPrompt>, usize), StoreFailure> {
        Ok(self.read_at_once(|connection| prompts::unsure(connection, below, rows))?)
    }

    fn change_prompts(&self, put: Vec<StoredPrompt>, remove: Vec<String>) -> Result<(), StoreFailure> {
        Ok(self.write_and_tell(move |connection| prompts::change(connection, &put, &remove))?)
    }

    fn keep_selection(&self, selection: StoredSelection) -> Receipt {
        receipt(self.write(move |connection| prompts::select(connection, &selection)))
    }

    fn selection(&self, trace_id: &str) -> Result<Option<StoredSelection>, StoreFailure> {
        Ok(self.read(|connection| prompts::selection(connection, trace_id))?)
    }

    fn selections_after(&self, after: Option<&str>, limit: usize) -> Result<Vec<StoredSelection>, StoreFailure> {
        Ok(self.read(|connection| prompts::selections_after(connection, after, limit))?)
    }

    fn feedback_after(&self, after: Option<&str>, limit: usize) -> Result<Vec<StoredFeedback>, StoreFailure> {
        Ok(self.read(|connection| prompts::feedback_after(connection, after, limit))?)
    }

    fn add_feedback(&self, said: Vec<StoredFeedback>) -> Result<(), StoreFailure> {
        Ok(self.write_and_tell(move |connection| prompts::say(connection, &said))?)
    }

    fn feedback(&self) -> Result<Vec<(String, u32, u32)>, StoreFailure> {
        Ok(self.read(|connection| prompts::feedback(connection))?)
    }

    fn results(&self) -> Result<Vec<PointCounts>, StoreFailure> {
        Ok(self.read(|connection| prompts::results(connection))?)
    }
}
