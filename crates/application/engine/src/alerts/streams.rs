//! The streams of all rules and agents, and what of them is kept.

use std::collections::BTreeMap;

use steadfast_wire::alerts::{AlertNotice, AlertState, SCHEMA_VERSION};

use super::{Bound, Change, Rule, Sample, Stream, matches};
use crate::limits::ALERT_STREAMS_MAX;
use crate::store::{StoredStream, micros, rfc3339};

/// How long a stream that does not fire is kept without a sample, in microseconds: no window and no silence is longer than that.
const IDLE_US: u64 = 7 * 24 * 60 * 60 * 1_000_000;

/// A rule by its place, and an agent.
type Key = (usize, Option<String>);

/// How a rule stands for an agent.
#[derive(Clone, Debug)]
struct Standing {
    stream: Stream,
    /// Since when it fires, or does not any more; `None` where it never fired.
    since_us: Option<u64>,
    /// The last value, and the run or trajectory that it is of.
    value: f64,
    subject: String,
}

/// The streams of some rules.
#[derive(Debug, Default)]
pub struct Streams {
    rules: Vec<Rule>,
    standing: BTreeMap<Key, Standing>,
    /// What changed since it was last kept, as it was before.
    before: BTreeMap<Key, Option<Standing>>,
}

impl Streams {
    /// Nothing was seen yet.
    #[must_use]
    pub fn new(rules: Vec<Rule>) -> Self {
        Self { rules, ..Self::default() }
    }

    /// The rule of a name.
    #[must_use]
    pub fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.name == name)
    }

    /// Takes up how a rule stood. `false` where there is no such rule any more, or it says something else.
    pub fn take_up(&mut self, stored: &StoredStream) -> bool {
        let own = |rule: &Rule| rule.name == stored.rule && rule.definition() == stored.definition;
        let Some(place) = self.rules.iter().position(own) else { return false };
        let stream = Stream {
            last: stored.last.iter().copied().collect(),
            now_us: stored.at_us,
            fired_us: stored.fired_us,
            firing: stored.firing,
        };
        let since_us = stored.since.as_deref().and_then(micros);
        let standing = Standing { stream, since_us, value: stored.value, subject: stored.subject.clone() };
        self.standing.insert((place, stored.agent.clone()), standing);
        true
    }

    /// Takes a sample, and tells what changed by it, in the order of the rules. Beyond [`ALERT_STREAMS_MAX`] streams of agents no new agent is looked at.
    pub fn push(&mut self, sample: &Sample) -> Vec<AlertNotice> {
        let mut notices = Vec::new();
        for (place, rule) in self.rules.iter().enumerate() {
            if rule.metric != sample.metric || !matches(&rule.agent, sample.agent.as_deref().unwrap_or_default()) {
                continue;
            }
            let key = (place, sample.agent.clone());
            let known = self.standing.get(&key);
            if known.is_none() && self.standing.len() >= ALERT_STREAMS_MAX {
                continue;
            }
            if !self.before.contains_key(&key) {
                self.before.insert(key.clone(), known.cloned());
            }
            let standing = self.standing.entry(key).or_insert_with(|| Standing {
                stream: Stream::default(),
                since_us: None,
                value: 0.0,
                subject: String::new(),
            });
            let change = standing.stream.push(rule, sample.at_us, sample.value);
            standing.value = sample.value;
            standing.subject.clone_from(&sample.subject);
            if let Some(change) = change {
                standing.since_us = Some(standing.stream.now_us);
                notices.push(notice(rule, sample, change));
            }
        }
        notices
    }

    /// What changed since it was last kept, as it is to be kept.
    #[must_use]
    pub fn changed(&self) -> Vec<StoredStream> {
        let stored = |key: &Key| {
            let (rule, own) = (self.rules.get(key.0)?, self.standing.get(key)?);
            Some(StoredStream {
                number: 0,
                rule: rule.name.clone(),
                agent: key.1.clone(),
                definition: rule.definition(),
                firing: own.stream.firing,
                since: own.since_us.map(rfc3339),
                fired_us: own.stream.fired_us,
                value: own.value,
                subject: own.subject.clone(),
                at_us: own.stream.now_us,
                last: own.stream.last.iter().copied().collect(),
            })
        };
        self.before.keys().filter_map(stored).collect()
    }

    /// What changed is kept.
    pub fn kept(&mut self) {
        self.before.clear();
    }

    /// What changed is not kept: it stands again as it stood before.
    pub fn undo(&mut self) {
        for (key, before) in std::mem::take(&mut self.before) {
            match before {
                Some(before) => drop(self.standing.insert(key, before)),
                None => drop(self.standing.remove(&key)),
            }
        }
    }

    /// Makes room where there is none left: forgets what does not fire and had no sample for a week. Gives what it forgot.
    pub fn make_room(&mut self, now_us: u64) -> Vec<(String, Option<String>)> {
        if self.standing.len() < ALERT_STREAMS_MAX {
            return Vec::new();
        }
        let oldest = now_us.saturating_sub(IDLE_US);
        let idle = |own: &Standing| !own.stream.firing && own.stream.now_us < oldest;
        let forgotten: Vec<Key> =
            self.standing.iter().filter(|(_, own)| idle(own)).map(|(key, _)| key.clone()).collect();
        let mut named = Vec::new();
        for key in forgotten {
            self.standing.remove(&key);
            named.extend(self.rules.get(key.0).map(|rule| (rule.name.clone(), key.1)));
        }
        named
    }
}

fn notice(rule: &Rule, sample: &Sample, change: Change) -> AlertNotice {
    let (above, below) = match rule.bound {
        Bound::Above(bound) => (Some(bound), None),
        Bound::Below(bound) => (None, Some(bound)),
    };
    let (state, counted, of) = match change {
        Change::Fires { wrong } => (AlertState::Firing, wrong, rule.fires.n),
        Change::Resolves { right } => (AlertState::Resolved, right, rule.resolves.n),
    };
    AlertNotice {
        schema_version: SCHEMA_VERSION.to_owned(),
        rule: rule.name.clone(),
        state,
        metric: rule.metric.name().to_owned(),
        above,
        below,
        value: sample.value,
        counted,
        of,
        agent: sample.agent.clone(),
        subject: sample.subject.clone(),
        at: rfc3339(sample.at_us),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Metric, Share};
    use super::*;

    fn rule(name: &str, metric: Metric, agent: &str) -> Rule {
        Rule {
            name: name.to_owned(),
            metric,
            bound: Bound::Above(0.5),
            fires: Share { k: 1, n: 1 },
            resolves: Share { k: 1, n: 1 },
            window_us: None,
            cooldown_us: 0,
            agent: agent.to_owned(),
            to: Vec::new(),
        }
    }

    fn sample(agent: &str, value: f64) -> Sample {
        let agent = Some(agent.to_owned());
        Sample { metric: Metric::Ids, agent, at_us: 1_000_000, value, subject: "t".to_owned() }
    }

    #[test]
    fn each_agent_has_a_stream_of_its_own_for_each_rule() {
        let mut streams = Streams::new(vec![
            rule("all", Metric::Ids, "*"),
            rule("b", Metric::Ids, "b"),
            rule("other", Metric::Fidelity, "*"),
        ]);
        let mut told = |agent: &str, value: f64| -> Vec<(String, AlertState)> {
            streams.push(&sample(agent, value)).into_iter().map(|own| (own.rule, own.state)).collect()
        };
        assert_eq!(told("a", 0.9), [("all".to_owned(), AlertState::Firing)]);
        assert_eq!(told("b", 0.9), [("all".to_owned(), AlertState::Firing), ("b".to_owned(), AlertState::Firing)]);
        assert_eq!(told("a", 0.9), []);
        assert_eq!(told("a", 0.1), [("all".to_owned(), AlertState::Resolved)]);
    }

    #[test]
    fn whoever_invents_agents_makes_no_more_streams_than_there_may_be() {
        let mut streams = Streams::new(vec![rule("all", Metric::Ids, "*")]);
        for number in 0..ALERT_STREAMS_MAX {
            assert_eq!(streams.push(&sample(&number.to_string(), 0.1)), []);
        }
        assert_eq!(streams.push(&sample("one more", 0.9)), []);
        assert_eq!(streams.push(&sample("7", 0.9)).len(), 1);
        // A week later there is room again: only what fires stays.
        assert_eq!(streams.make_room(1_000_000 + IDLE_US), []);
        assert_eq!(streams.make_room(1_000_001 + IDLE_US).len(), ALERT_STREAMS_MAX - 1);
        assert_eq!(streams.push(&sample("one more", 0.9)).len(), 1);
        assert_eq!(streams.push(&sample("7", 0.1)).len(), 1);
    }

    #[test]
    fn what_is_taken_up_goes_on_as_if_nothing_had_been_between() {
        let of_three = Rule { fires: Share { k: 2, n: 3 }, cooldown_us: 3_000_000, ..rule("all", Metric::Ids, "*") };
        let values = [0.9, 0.1, 0.9, 0.1, 0.9, 0.9, 0.1, 0.9, 0.9, 0.9, 0.1];
        let at = |place: usize, value| Sample { at_us: place as u64 * 1_000_000, ..sample("a", value) };
        let mut whole = Streams::new(vec![of_three.clone()]);
        let expect: Vec<_> = values.iter().enumerate().map(|(place, value)| whole.push(&at(place, *value))).collect();
        assert!(expect.iter().flatten().count() >= 3);
        let mut stored = Vec::new();
        for (place, value) in values.iter().enumerate() {
            // Another server each time.
            let mut own = Streams::new(vec![of_three.clone()]);
            assert!(stored.iter().all(|stored| own.take_up(stored)));
            assert_eq!(own.push(&at(place, *value)), expect[place], "{place}");
            stored = own.changed();
        }
        let changed = Rule { cooldown_us: 1, ..of_three };
        assert!(!Streams::new(vec![changed]).take_up(&stored[0]));
        assert!(!Streams::new(Vec::new()).take_up(&stored[0]));
    }

    #[test]
    fn what_cannot_be_kept_is_undone() {
        let mut streams = Streams::new(vec![rule("all", Metric::Ids, "*")]);
        assert_eq!(streams.push(&sample("a", 0.9)).len(), 1);
        assert_eq!(streams.changed().len(), 1);
        streams.undo();
        assert!(streams.changed().is_empty() && streams.standing.is_empty());
        assert_eq!(streams.push(&sample("a", 0.9)).len(), 1);
        streams.kept();
        assert_eq!(streams.push(&sample("a", 0.1)).len(), 1);
        assert_eq!(streams.push(&sample("b", 0.1)), []);
        streams.undo();
        assert_eq!(streams.standing.len(), 1);
        assert_eq!(streams.push(&sample("a", 0.1)).len(), 1, "it fires still");
    }
}
