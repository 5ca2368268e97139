//! The ports that a server needs: keys, decisions, jobs, trajectories under way.

use std::sync::mpsc::channel;

use steadfast_engine::store::{
    AgentCount, AppendReceipt, Appending, DecisionCount, DecisionPage, DecisionStore, JobChange, JobItem, JobStore,
    KeyStore, LiveStore, Pruned, RetentionStore, ScoredStep, Scoring, StoreFailure, StoredDecision, StoredJob,
    StoredKey, StoredStep, TrajectoryHead, TrajectoryPage, Whose,
};

use crate::live::Stretch;
use crate::{Store, decisions, jobs, keys, live, retention};

impl KeyStore for Store {
    fn add_key(&self, key: StoredKey, limit: usize) -> Result<bool, StoreFailure> {
        Ok(self.write_and_tell(move |connection| keys::add(connection, &key, limit))?)
    }

    fn keys(&self, revoked_too: bool) -> Result<Vec<StoredKey>, StoreFailure> {
        Ok(self.read(|connection| keys::all(connection, revoked_too))?)
    }

    fn revoke_key(&self, id: &str, at: &str) -> Result<Option<String>, StoreFailure> {
        let (id, at) = (id.to_owned(), at.to_owned());
        Ok(self.write_and_tell(move |connection| keys::revoke(connection, &id, &at))?)
    }
}

impl DecisionStore for Store {
    fn add_decision(&self, decision: StoredDecision) -> Result<bool, StoreFailure> {
        Ok(self.write_and_tell(move |connection| decisions::add(connection, &decision))?)
    }

    fn latest_decisions(&self, findings: &[&str]) -> Result<Vec<Option<StoredDecision>>, StoreFailure> {
        Ok(self.read_at_once(|connection| decisions::latest(connection, findings))?)
    }

    fn decisions(&self, page: &DecisionPage) -> Result<Vec<StoredDecision>, StoreFailure> {
        Ok(self.read(|connection| decisions::page(connection, page))?)
    }

    fn decision_counts(&self) -> Result<Vec<DecisionCount>, StoreFailure> {
        Ok(self.read(|connection| decisions::counts(connection))?)
    }
}

impl JobStore for Store {
    fn add_job(&self, job: StoredJob, ended: &'static [&'static str], kept_max: usize) -> Result<(), StoreFailure> {
        let owner = self.owner()?;
        Ok(self.write_and_tell(move |connection| jobs::add(connection, &job, &owner, ended, kept_max))?)
    }

    fn change_job(&self, id: &str, change: JobChange) -> Result<Option<StoredJob>, StoreFailure> {
        let id = id.to_owned();
        Ok(self.write_and_tell(move |connection| jobs::change(connection, &id, &change))?)
    }

    fn change_jobs(&self, whose: Whose, change: JobChange) -> Result<usize, StoreFailure> {
        let owners = match whose {
            Whose::Own => vec![Some(self.owner()?)],
            Whose::Ended => self.read(|connection| jobs::owners(connection, change.from))?,
        };
        let mut changed = 0;
        for owner in owners {
            if whose == Whose::Ended && owner.as_deref().is_some_and(|owner| self.goes_on(owner)) {
                continue;
            }
            let change = change.clone();
            changed +=
                self.write_and_tell(move |connection| jobs::change_all(connection, owner.as_deref(), &change))?;
        }
        Ok(changed)
    }

    fn job(&self, id: &str) -> Result<Option<StoredJob>, StoreFailure> {
        Ok(self.read(|connection| jobs::get(connection, id))?)
    }

    fn job_items(&self, id: &str, from: u64, limit: usize) -> Result<Vec<JobItem>, StoreFailure> {
        Ok(self.read(|connection| jobs::items(connection, id, from, limit))?)
    }

    fn jobs(&self, after: Option<&str>, limit: usize) -> Result<Vec<StoredJob>, StoreFailure> {
        Ok(self.read(|connection| jobs::page(connection, after, limit))?)
    }
}

impl LiveStore for Store {
    fn append_steps(&self, appending: Appending) -> AppendReceipt {
        let (tell, told) = channel();
        let clock_us = self.place.limits.clock_us;
        let pending = self.write(move |connection| {
            // Whoever waits is there until the work is done; it does not listen where nobody waits.
            drop(tell.send(live::append(connection, &appending, clock_us())?));
            Ok(())
        });
        let file = self.place.file();
        Box::new(move || {
            pending.wait()?;
            Ok(told.recv().map_err(|_| Self::ended(file))?)
        })
    }

    fn keep_scores(&self, scoring: Scoring) -> Result<bool, StoreFailure> {
        Ok(self.write_and_tell(move |connection| live::score(connection, &scoring))?)
    }

    fn drop_scores(&self, trajectory: &str, scorer: &str) -> Result<bool, StoreFailure> {
        let (trajectory, scorer) = (trajectory.to_owned(), scorer.to_owned());
        self.write_and_tell(move |connection| live::drop_scores(connection, &trajectory, &scorer))?;
        Ok(true)
    }

    fn trajectory(&self, id: &str) -> Result<Option<TrajectoryHead>, StoreFailure> {
        Ok(self.read(|connection| live::get(connection, id))?)
    }

    fn trajectories(&self, page: &TrajectoryPage) -> Result<Vec<TrajectoryHead>, StoreFailure> {
        Ok(self.read(|connection| live::page(connection, page))?)
    }

    fn steps(&self, trajectory: &str, from: u64, limit: usize, bytes: u64) -> Result<Vec<StoredStep>, StoreFailure> {
        Ok(self.read(|connection| live::steps(connection, trajectory, Stretch { from, limit, bytes }))?)
    }

    fn scored_steps(
        &self,
        trajectory: &str,
        from: u64,
        limit: usize,
        bytes: u64,
    ) -> Result<Vec<ScoredStep>, StoreFailure> {
        Ok(self.read(|connection| live::scored(connection, trajectory, Stretch { from, limit, bytes }))?)
    }

    fn goals(&self, trajectory: &str, numbers: &[u64]) -> Result<Vec<(u64, String)>, StoreFailure> {
        Ok(self.read_at_once(|connection| live::goals(connection, trajectory, numbers))?)
    }

    fn unscored_trajectory(&self, after: Option<&str>) -> Result<Option<String>, StoreFailure> {
        Ok(self.read_at_once(|connection| live::unscored(connection, after))?)
    }

    fn unscored_steps(&self) -> Result<u64, StoreFailure> {
        Ok(self.read(|connection| live::unscored_steps(connection))?)
    }

    fn agent_counts(&self, since: &str, limit: usize) -> Result<Vec<AgentCount>, StoreFailure> {
        Ok(self.read(|connection| live::agent_counts(connection, since, limit))?)
    }

    fn delete_trajectory(&self, id: &str) -> Result<bool, StoreFailure> {
        let id = id.to_owned();
        Ok(self.write_and_tell(move |connection| live::delete(connection, &id))?)
    }
}

impl RetentionStore for Store {
    fn log_bytes(&self) -> u64 {
        Self::log_bytes(self)
    }

    fn hash_key(&self) -> Result<[u8; 32], StoreFailure> {
        match self.read(|connection| retention::hash_key(connection))? {
            Some(key) => Ok(key),
            None => Ok(self.write_and_tell(retention::make_hash_key)?),
        }
    }

    fn prune(&self, before: &str, limit: usize, dry_run: bool) -> Result<Pruned, StoreFailure> {
        if dry_run {
            return Ok(self.read_at_once(|connection| retention::old(connection, before))?);
        }
        let before = before.to_owned();
        let pruned = self.write_and_tell(move |connection| retention::prune(connection, &before, limit))?;
        if pruned != Pruned::default() {
            // The log still holds pages as they were.
            self.empty_log().wait()?;
        }
        Ok(pruned)
    }

    fn seen_at(&self) -> Result<Option<String>, StoreFailure> {
        Ok(self.read(|connection| retention::seen_at(connection))?)
    }

    fn see(&self, at: &str) -> Result<(), StoreFailure> {
        let at = at.to_owned();
        Ok(self.write_and_tell(move |connection| retention::see(connection, &at))?)
    }
}
