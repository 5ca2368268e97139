//! The ports of the engine, kept by the store.

use std::io;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use steadfast_embed::Embedding;
use steadfast_engine::store::{
    AgentAudits, Derived, EmbeddingStore, Flag, Message, PointCounts, PromptKey, ReadAt, Receipt, Run, RunCount,
    RunHead, RunPage, RunStore, RunText, Stamp, Stamps, StoreFailure, StoredFeedback, StoredPrompt, StoredSelection,
    Task, TaskPage, TaskStore, TextKey, VaultStore,
};

use crate::{Pending, Store, StoreError, derived, prompts, runs};

mod alerts;
mod served;

fn receipt(pending: Pending) -> Receipt {
    Box::new(move || Ok(pending.wait()?))
}

impl EmbeddingStore for Store {
    fn get(&self, version: &str, keys: &[TextKey]) -> Result<Vec<Option<Embedding>>, StoreFailure> {
        Ok(self.embeddings_get(version, keys)?)
    }

    fn put(&self, version: &str, vectors: Vec<(TextKey, Embedding)>) -> Receipt {
        receipt(self.embeddings_put(version, vectors))
    }
}

impl Stamps for Store {
    fn stamp(&self) -> Result<Stamp, StoreFailure> {
        Ok(Self::stamp(self)?)
    }

    fn ticks_ms(&self) -> u64 {
        static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
        u64::try_from(FIRST.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl RunStore for Store {
    fn keep(&self, run: Run, message: Option<Message>, texts: Vec<RunText>) -> Receipt {
        receipt(self.run_put(run, message, texts))
    }

    fn runs(&self, page: &RunPage) -> Result<Vec<RunHead>, StoreFailure> {
        Ok(Self::runs(self, page)?)
    }

    fn run(&self, id: &str) -> Result<Option<Run>, StoreFailure> {
        Ok(Self::run(self, id)?)
    }

    fn run_texts(&self, id: &str) -> Result<Vec<RunText>, StoreFailure> {
        Ok(self.read(|connection| runs::texts(connection, id))?)
    }

    fn run_counts(&self, since: &str) -> Result<Vec<RunCount>, StoreFailure> {
        Ok(self.read(|connection| runs::counts(connection, since))?)
    }

    fn agent_audits(&self, since: &str, limit: usize) -> Result<Vec<AgentAudits>, StoreFailure> {
        Ok(self.read(|connection| runs::agent_audits(connection, since, limit))?)
    }

    fn delete_runs(&self, ids: &[String]) -> Result<Option<String>, StoreFailure> {
        Ok(self.runs_delete(ids)?)
    }
}

impl TaskStore for Store {
    fn task(&self, id: &str) -> Result<Option<Task>, StoreFailure> {
        Ok(Self::task(self, id)?)
    }

    fn tasks(&self, page: &TaskPage) -> Result<Vec<Task>, StoreFailure> {
        Ok(Self::tasks(self, page)?)
    }

    fn messages(&self, task_id: &str, after: Option<&str>, limit: usize) -> Result<Vec<Message>, StoreFailure> {
        Ok(Self::messages(self, task_id, after, limit)?)
    }

    fn latest_message(&self, task_id: &str) -> Result<Option<Message>, StoreFailure> {
        Ok(self.message_latest(task_id)?)
    }

    fn flag(&self, task_id: &str, flag: Flag) -> Result<bool, StoreFailure> {
        Ok(self.task_flag(task_id, flag)?)
    }

    fn delete_task(&self, id: &str) -> Result<bool, StoreFailure> {
        Ok(self.task_delete(id)?)
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
