//! A store that keeps of texts what it may.

use std::io;
use std::sync::Arc;

use steadfast_embed::Embedding;

use super::Lens;
use super::pending::Pending;
use crate::hash::hmac_sha256;
use crate::store::{
    AgentAudits, DayCount, DecisionCount, DecisionPage, DecisionStore, Derived, EmbeddingStore, Flag, JobChange,
    JobItem, JobStore, Keep, KeyStore, Message, PointCounts, PromptKey, Pruned, ReadAt, Receipt, RetentionStore, Run,
    RunHead, RunPage, RunStore, RunText, Stamp, Stamps, StoreFailure, StoredDecision, StoredFeedback, StoredJob,
    StoredKey, StoredPrompt, StoredSelection, Task, TaskPage, TaskStore, TextKey, VaultStore, Whose,
};

mod alerts;
mod live;

/// The verb whose input is called by its own words.
const NAMED_BY_TEXT: &str = "pick";

/// What stands before a store.
pub(super) struct Keeping {
    inner: Arc<dyn Keep>,
    lens: Lens,
    pending: Arc<Pending>,
}

impl Keeping {
    pub(super) fn new(inner: Arc<dyn Keep>, lens: Lens) -> Self {
        Self { inner, lens, pending: Arc::default() }
    }

    fn run(&self, run: Run) -> Result<Run, StoreFailure> {
        let Run { mut head, result } = run;
        let by_text = head.verb == NAMED_BY_TEXT;
        let result = self.lens.json(&result, false, false)?;
        head.inputs = self.lens.json(&head.inputs, false, by_text)?;
        head.settings = self.lens.json(&head.settings, true, false)?;
        head.input_sha256 = self.lens.digest(&head.input_sha256);
        head.task_id = head.task_id.map(|id| self.lens.name(&id));
        head.agent = head.agent.map(|agent| self.lens.name(&agent));
        head.result_bytes = result.len() as u64;
        Ok(Run { head, result })
    }

    fn message(&self, message: Message) -> Message {
        Message {
            task_id: self.lens.name(&message.task_id),
            content: self.lens.text(&message.content),
            eval_summary: message.eval_summary.map(|summary| self.lens.text(&summary)),
            tags: message.tags.iter().map(|tag| self.lens.name(tag)).collect(),
            ..message
        }
    }

    /// The text of an input: all of it or none, since results point at its bytes.
    fn input(&self, own: RunText) -> RunText {
        let whole = |text: &String| self.lens.keeps_texts() && self.lens.redacted(text) == *text;
        RunText { name: self.lens.name(&own.name), text: own.text.filter(whole), ..own }
    }

    fn item(&self, item: JobItem) -> JobItem {
        JobItem { name: self.lens.name(&item.name), error: item.error.map(|error| self.lens.text(&error)), ..item }
    }

    fn change(&self, change: JobChange) -> JobChange {
        JobChange {
            message: change.message.map(|message| self.lens.text(&message)),
            item: change.item.map(|item| self.item(item)),
            ..change
        }
    }
}

impl Stamps for Keeping {
    fn stamp(&self) -> Result<Stamp, StoreFailure> {
        self.inner.stamp()
    }

    fn ticks_ms(&self) -> u64 {
        self.inner.ticks_ms()
    }
}

impl RetentionStore for Keeping {
    fn log_bytes(&self) -> u64 {
        self.inner.log_bytes()
    }

    fn hash_key(&self) -> Result<[u8; 32], StoreFailure> {
        Ok(self.lens.key)
    }

    fn prune(&self, before: &str, limit: usize, dry_run: bool) -> Result<Pruned, StoreFailure> {
        self.inner.prune(before, limit, dry_run)
    }

    fn seen_at(&self) -> Result<Option<String>, StoreFailure> {
        self.inner.seen_at()
    }

    fn see(&self, at: &str) -> Result<(), StoreFailure> {
        self.inner.see(at)
    }
}

impl EmbeddingStore for Keeping {
    /// A vector says much of its text, its key is a hash that can be guessed, and no moment is known of it at which it would have to go: none is kept.
    fn get(&self, _: &str, keys: &[TextKey]) -> Result<Vec<Option<Embedding>>, StoreFailure> {
        Ok(vec![None; keys.len()])
    }

    fn put(&self, _: &str, _: Vec<(TextKey, Embedding)>) -> Receipt {
        Box::new(|| Ok(()))
    }
}

impl RunStore for Keeping {
    fn keep(&self, run: Run, message: Option<Message>, texts: Vec<RunText>) -> Receipt {
        match Self::run(self, run) {
            Ok(run) => self.inner.keep(
                run,
                message.map(|message| self.message(message)),
                texts.into_iter().map(|own| self.input(own)).collect(),
            ),
            Err(failure) => Box::new(move || Err(failure)),
        }
    }

    fn runs(&self, page: &RunPage) -> Result<Vec<RunHead>, StoreFailure> {
        let agent = page.agent.as_deref().map(|agent| self.lens.name(agent));
        self.inner.runs(&RunPage { agent, ..page.clone() })
    }

    fn run(&self, id: &str) -> Result<Option<Run>, StoreFailure> {
        self.inner.run(id)
    }

    fn run_texts(&self, id: &str) -> Result<Vec<RunText>, StoreFailure> {
        self.inner.run_texts(id)
    }

    fn run_counts(&self, since: &str) -> Result<Vec<DayCount>, StoreFailure> {
        self.inner.run_counts(since)
    }

    fn agent_audits(&self, since: &str, limit: usize) -> Result<Vec<AgentAudits>, StoreFailure> {
        self.inner.agent_audits(since, limit)
    }

    fn delete_runs(&self, ids: &[String]) -> Result<Option<String>, StoreFailure> {
        self.inner.delete_runs(ids)
    }
}

impl TaskStore for Keeping {
    fn task(&self, id: &str) -> Result<Option<Task>, StoreFailure> {
        self.inner.task(&self.lens.name(id))
    }

    fn tasks(&self, page: &TaskPage) -> Result<Vec<Task>, StoreFailure> {
        self.inner.tasks(page)
    }

    fn messages(&self, task_id: &str, after: Option<&str>, limit: usize) -> Result<Vec<Message>, StoreFailure> {
        self.inner.messages(&self.lens.name(task_id), after, limit)
    }

    fn latest_message(&self, task_id: &str) -> Result<Option<Message>, StoreFailure> {
        self.inner.latest_message(&self.lens.name(task_id))
    }

    fn flag(&self, task_id: &str, flag: Flag) -> Result<bool, StoreFailure> {
        let tags = flag.tags.iter().map(|tag| self.lens.name(tag)).collect();
        self.inner.flag(&self.lens.name(task_id), Flag { tags, ..flag })
    }

    fn delete_task(&self, id: &str) -> Result<bool, StoreFailure> {
        self.inner.delete_task(&self.lens.name(id))
    }
}

/// Prompts of a vault are kept because somebody asked for that: they stay whole.
impl VaultStore for Keeping {
    fn prompt_keys(&self) -> Result<Vec<PromptKey>, StoreFailure> {
        self.inner.prompt_keys()
    }

    fn each_prompt(&self, tell: &mut dyn FnMut(StoredPrompt) -> bool) -> Result<String, StoreFailure> {
        self.inner.each_prompt(tell)
    }

    fn prompts_of(&self, ids: &[&str]) -> Result<Vec<Option<StoredPrompt>>, StoreFailure> {
        self.inner.prompts_of(ids)
    }

    fn prompts_after(&self, after: Option<&str>, limit: usize) -> Result<Vec<StoredPrompt>, StoreFailure> {
        self.inner.prompts_after(after, limit)
    }

    fn vault_stamp(&self) -> Result<String, StoreFailure> {
        self.inner.vault_stamp()
    }

    fn derived(&self, kind: Derived) -> Option<Arc<dyn ReadAt>> {
        self.inner.derived(kind)
    }

    fn make_derived(
        &self,
        kind: Derived,
        write: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<Arc<dyn ReadAt>, StoreFailure> {
        self.inner.make_derived(kind, write)
    }

    fn unsure_prompts(&self, below: f64, rows: (usize, usize)) -> Result<(Vec<StoredPrompt>, usize), StoreFailure> {
        self.inner.unsure_prompts(below, rows)
    }

    fn change_prompts(&self, put: Vec<StoredPrompt>, remove: Vec<String>) -> Result<(), StoreFailure> {
        self.inner.change_prompts(put, remove)
    }

    fn keep_selection(&self, selection: StoredSelection) -> Receipt {
        self.inner.keep_selection(selection)
    }

    fn selection(&self, trace_id: &str) -> Result<Option<StoredSelection>, StoreFailure> {
        self.inner.selection(trace_id)
    }

    fn selections_after(&self, after: Option<&str>, limit: usize) -> Result<Vec<StoredSelection>, StoreFailure> {
        self.inner.selections_after(after, limit)
    }

    fn feedback_after(&self, after: Option<&str>, limit: usize) -> Result<Vec<StoredFeedback>, StoreFailure> {
        self.inner.feedback_after(after, limit)
    }

    fn add_feedback(&self, said: Vec<StoredFeedback>) -> Result<(), StoreFailure> {
        self.inner.add_feedback(said)
    }

    fn feedback(&self) -> Result<Vec<(String, u32, u32)>, StoreFailure> {
        self.inner.feedback()
    }

    fn results(&self) -> Result<Vec<PointCounts>, StoreFailure> {
        self.inner.results()
    }
}

impl KeyStore for Keeping {
    fn add_key(&self, key: StoredKey, limit: usize) -> Result<bool, StoreFailure> {
        self.inner.add_key(key, limit)
    }

    fn keys(&self, revoked_too: bool) -> Result<Vec<StoredKey>, StoreFailure> {
        self.inner.keys(revoked_too)
    }

    fn revoke_key(&self, id: &str, at: &str) -> Result<Option<String>, StoreFailure> {
        self.inner.revoke_key(id, at)
    }
}

/// What people decide is kept to be read: it is redacted, never cut.
impl DecisionStore for Keeping {
    fn add_decision(&self, decision: StoredDecision) -> Result<bool, StoreFailure> {
        self.inner.add_decision(StoredDecision {
            reason: self.lens.redacted(&decision.reason),
            author: decision.author.map(|author| self.lens.name(&author)),
            ..decision
        })
    }

    fn latest_decisions(&self, findings: &[&str]) -> Result<Vec<Option<StoredDecision>>, StoreFailure> {
        self.inner.latest_decisions(findings)
    }

    fn decisions(&self, page: &DecisionPage) -> Result<Vec<StoredDecision>, StoreFailure> {
        self.inner.decisions(page)
    }

    fn decision_counts(&self) -> Result<Vec<DecisionCount>, StoreFailure> {
        self.inner.decision_counts()
    }
}

impl JobStore for Keeping {
    fn add_job(&self, job: StoredJob, ended: &'static [&'static str], kept_max: usize) -> Result<(), StoreFailure> {
        let message = job.message.map(|message| self.lens.text(&message));
        self.inner.add_job(StoredJob { message, ..job }, ended, kept_max)
    }

    fn change_job(&self, id: &str, change: JobChange) -> Result<Option<StoredJob>, StoreFailure> {
        self.inner.change_job(id, self.change(change))
    }

    fn change_jobs(&self, whose: Whose, change: JobChange) -> Result<usize, StoreFailure> {
        self.inner.change_jobs(whose, self.change(change))
    }

    fn job(&self, id: &str) -> Result<Option<StoredJob>, StoreFailure> {
        self.inner.job(id)
    }

    fn job_items(&self, id: &str, from: u64, limit: usize) -> Result<Vec<JobItem>, StoreFailure> {
        self.inner.job_items(id, from, limit)
    }

    fn jobs(&self, after: Option<&str>, limit: usize) -> Result<Vec<StoredJob>, StoreFailure> {
        self.inner.jobs(after, limit)
    }
}

/// The hash of a request, which nobody can guess without the key of the store.
fn keyed(lens: &Lens, sha256: &[u8; 32]) -> [u8; 32] {
    hmac_sha256(&lens.key, sha256)
}
