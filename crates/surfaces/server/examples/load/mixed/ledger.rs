//! What a server acknowledged, held against what it gives when it is asked again.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

/// A server shows its last 1,000 jobs.
pub(crate) const JOBS_KEPT: usize = 1_000;

/// What was acknowledged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    /// The ids of steps by trajectory, in the order in which they were acknowledged.
    pub(crate) steps: BTreeMap<String, Vec<String>>,
    /// The ids of runs, each with the digest of its answer.
    pub(crate) runs: Vec<(String, u64)>,
    /// The ids of jobs, each with the number of its parts.
    pub(crate) jobs: BTreeMap<String, usize>,
    /// Requests whose answers nobody waited for: each may have made a run.
    pub(crate) left: usize,
}

/// What is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// The ids of steps by trajectory, in their order.
    pub(crate) steps: BTreeMap<String, Vec<String>>,
    /// The ids of runs that are listed.
    pub(crate) runs: Vec<String>,
    /// The digests of the results of runs, as far as they are there.
    pub(crate) results: BTreeMap<String, u64>,
    /// The ids of jobs, each with the runs of its parts.
    pub(crate) jobs: BTreeMap<String, Vec<String>>,
}

impl Ledger {
    /// Takes in what another client was told.
    pub(crate) fn merge(&mut self, other: Self) {
        for (trajectory, steps) in other.steps {
            self.steps.entry(trajectory).or_default().extend(steps);
        }
        self.runs.extend(other.runs);
        self.jobs.extend(other.jobs);
        self.left += other.left;
    }

    /// What is missing, changed or there more often than it should be, a line for each kind and name.
    pub(crate) fn amiss(&self, kept: &Kept) -> Vec<String> {
        let mut amiss = Vec::new();
        for (trajectory, acknowledged) in &self.steps {
            let own = kept.steps.get(trajectory).map_or(&[][..], Vec::as_slice);
            // One client alone sends the steps of a trajectory, and none twice but under the same key: the order is that of its answers.
            if own != acknowledged.as_slice() {
                amiss.push(format!("{trajectory}: {} steps acknowledged, {} there", acknowledged.len(), own.len()));
            }
        }
        let strange = kept.steps.keys().filter(|own| !self.steps.contains_key(*own)).count();
        if strange > 0 {
            amiss.push(format!("{strange} trajectories that nobody made"));
        }
        // Identifiers sort by the time at which they were made: those that are no longer shown stand first.
        let hidden = self.jobs.len().saturating_sub(JOBS_KEPT);
        let unseen: usize = self.jobs.values().take(hidden).sum();
        for (job, count) in self.jobs.iter().skip(hidden) {
            let runs = kept.jobs.get(job).map_or(&[][..], Vec::as_slice);
            if runs.len() != *count {
                amiss.push(format!("job {job}: {count} parts, {} runs", runs.len()));
            }
        }
        let acknowledged: Vec<&String> =
            self.runs.iter().map(|(id, _)| id).chain(kept.jobs.values().flatten()).collect();
        let distinct: BTreeSet<&String> = acknowledged.iter().copied().collect();
        if distinct.len() != acknowledged.len() {
            amiss.push(format!("{} runs were acknowledged twice", acknowledged.len() - distinct.len()));
        }
        let listed: BTreeSet<&String> = kept.runs.iter().collect();
        if listed.len() != kept.runs.len() {
            amiss.push(format!("{} runs are listed twice", kept.runs.len() - listed.len()));
        }
        let missing = distinct.difference(&listed).count();
        if missing > 0 {
            amiss.push(format!("{missing} runs are not listed"));
        }
        let beside = listed.difference(&distinct).count();
        if beside > self.left + unseen {
            amiss.push(format!("{beside} runs that nobody was told of, of {} requests that were left", self.left));
        }
        let changed = self.runs.iter().filter(|(id, digest)| kept.results.get(id) != Some(digest)).count();
        if changed > 0 {
            amiss.push(format!("{changed} results are not there or are not those that were given"));
        }
        amiss
    }
}

/// The digest of an answer or a stored result, without what says of which run it is.
pub(crate) fn digest(result: &Value) -> u64 {
    let mut whole = result.clone();
    if let Some(members) = whole.as_object_mut() {
        members.remove("run");
    }
    let mut hasher = DefaultHasher::new();
    whole.to_string().hash(&mut hasher);
    hasher.finish()
}

/// By how many percent the mean of the last quarter is over that of the second one, in which what is held from the start is there.
pub(crate) fn growth_percent(samples: &[f64]) -> f64 {
    let quarter = samples.len() / 4;
    if quarter == 0 {
        return 0.0;
    }
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let (second, last) = (mean(&samples[quarter..2 * quarter]), mean(&samples[samples.len() - quarter..]));
    if second > 0.0 { (last / second - 1.0) * 100.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> Vec<String> {
        all.iter().map(|own| (*own).to_owned()).collect()
    }

    fn one() -> (Ledger, Kept) {
        let ledger = Ledger {
            steps: BTreeMap::from([("t".to_owned(), names(&["a", "b"]))]),
            runs: vec![("r".to_owned(), 7)],
            jobs: BTreeMap::from([("j".to_owned(), 1)]),
            left: 1,
        };
        let kept = Kept {
            steps: BTreeMap::from([("t".to_owned(), names(&["a", "b"]))]),
            runs: names(&["r", "p"]),
            results: BTreeMap::from([("r".to_owned(), 7)]),
            jobs: BTreeMap::from([("j".to_owned(), names(&["p"]))]),
        };
        (ledger, kept)
    }

    /// What is said once `kept` was changed.
    #[track_caller]
    fn check(change: impl FnOnce(&mut Kept), expected: &[&str]) {
        let (ledger, mut kept) = one();
        change(&mut kept);
        assert_eq!(ledger.amiss(&kept), expected);
    }

    #[test]
    fn what_is_there_once_is_in_order() {
        check(|_| {}, &[]);
        // The request that was left may have made one.
        check(|kept| kept.runs.push("x".to_owned()), &[]);
    }

    #[test]
    fn what_is_missing_or_doubled_is_said() {
        check(|kept| kept.steps.clear(), &["t: 2 steps acknowledged, 0 there"]);
        check(|kept| kept.steps.get_mut("t").unwrap().push("c".to_owned()), &["t: 2 steps acknowledged, 3 there"]);
        check(|kept| kept.steps.get_mut("t").unwrap().swap(0, 1), &["t: 2 steps acknowledged, 2 there"]);
        check(|kept| drop(kept.steps.insert("u".to_owned(), Vec::new())), &["1 trajectories that nobody made"]);
        check(|kept| drop(kept.runs.remove(0)), &["1 runs are not listed"]);
        check(|kept| kept.runs.push("r".to_owned()), &["1 runs are listed twice"]);
        check(
            |kept| kept.runs.extend(names(&["x", "y"])),
            &["2 runs that nobody was told of, of 1 requests that were left"],
        );
        check(
            |kept| *kept.results.get_mut("r").unwrap() = 8,
            &["1 results are not there or are not those that were given"],
        );
        check(|kept| kept.jobs.get_mut("j").unwrap().clear(), &["job j: 1 parts, 0 runs"]);
        check(|kept| kept.jobs.get_mut("j").unwrap()[0] = "r".to_owned(), &["1 runs were acknowledged twice"]);
    }

    #[test]
    fn a_digest_heeds_all_but_the_run() {
        let of = |text: &str| digest(&serde_json::from_str(text).unwrap());
        assert_eq!(of(r#"{"a": 1, "run": {"id": "x"}}"#), of(r#"{"a":1}"#));
        assert_ne!(of(r#"{"a": 1}"#), of(r#"{"a": 2}"#));
    }

    #[test]
    fn growth_is_of_the_last_quarter_over_the_second() {
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
        close(growth_percent(&[1.0, 100.0, 100.0, 110.0]), 10.0);
        close(growth_percent(&[1.0, 1.0, 50.0, 50.0, 70.0, 70.0, 40.0, 40.0]), -20.0);
        close(growth_percent(&[5.0, 9.0]), 0.0);
    }
}
