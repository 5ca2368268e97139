//! Rules that watch what agents do, and say so once when it goes wrong and once when it is well again.
//!
//! [`Stream`] is the machine of one rule and one agent, pure: samples with their moments go in, changes come out. [`Alerts`] reads samples
//! from a store, whoever wrote them there, and tells a notice of each change; where it goes is the affair of whoever asks.

mod read;
mod stream;
mod webhook;

use std::collections::BTreeMap;

use steadfast_wire::alerts::{AlertNotice, AlertState, SCHEMA_VERSION};

use crate::limits::ALERT_STREAMS_MAX;
use crate::store::rfc3339;

pub use read::Alerts;
pub use stream::{Change, Stream};
pub use webhook::{WEBHOOK_SECRET_PREFIX, signature, webhook_secret};

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// Of a step under way: the Intent Drift Score.
    Ids,
    /// Of a step under way: how far it is from the initial intent.
    AnchorIds,
    /// Of a step under way: how many bans it breaks.
    BrokenBans,
    /// Of an audit: its score, 0 to 5.
    Fidelity,
    /// Of a stored run: how many checks found a hard obligation broken.
    BrokenObligations,
    /// Of a review: its score, 0 to 1.
    ReviewScore,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Ids, Self::AnchorIds, Self::BrokenBans, Self::Fidelity, Self::BrokenObligations, Self::ReviewScore];

    /// Its name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ids => "ids",
            Self::AnchorIds => "anchor_ids",
            Self::BrokenBans => "broken_bans",
            Self::Fidelity => "fidelity",
            Self::BrokenObligations => "broken_obligations",
            Self::ReviewScore => "review_score",
        }
    }
}

/// On which side of a value something is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// What is greater.
    Above(f64),
    /// What is less.
    Below(f64),
}

impl Bound {
    /// Whether a value is wrong.
    #[must_use]
    pub fn is_broken_by(self, value: f64) -> bool {
        match self {
            Self::Above(bound) => value > bound,
            Self::Below(bound) => value < bound,
        }
    }
}

/// So many of the last so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// How many.
    pub k: usize,
    /// Of how many.
    pub n: usize,
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// What it is called.
    pub name: String,
    /// What it looks at.
    pub metric: Metric,
    /// What is wrong.
    pub bound: Bound,
    /// How many of the last samples must be wrong for it to fire.
    pub fires: Share,
    /// How many must be right for it to be resolved.
    pub resolves: Share,
    /// How old a sample may be to count, in microseconds; any age where it is `None`.
    pub window_us: Option<u64>,
    /// How long it is silent after it fired, in microseconds.
    pub cooldown_us: u64,
    /// Which agents it looks at: `*` stands for any characters, `?` for one.
    pub agent: String,
}

/// One value of one agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What was measured.
    pub metric: Metric,
    /// Whose it is, where that is known.
    pub agent: Option<String>,
    /// When it came about, in microseconds since 1970.
    pub at_us: u64,
    /// How much.
    pub value: f64,
    /// The run, or the trajectory, that it is of.
    pub subject: String,
}

/// The streams of some rules.
#[derive(Debug, Default)]
pub struct Streams {
    rules: Vec<Rule>,
    streams: BTreeMap<(usize, Option<String>), Stream>,
}

impl Streams {
    /// Nothing was seen yet.
    #[must_use]
    pub fn new(rules: Vec<Rule>) -> Self {
        Self { rules, streams: BTreeMap::new() }
    }

    /// Takes a sample, and tells what changed by it, in the order of the rules. Beyond [`ALERT_STREAMS_MAX`] streams of agents no new agent is looked at.
    pub fn push(&mut self, sample: &Sample) -> Vec<AlertNotice> {
        let mut notices = Vec::new();
        for (place, rule) in self.rules.iter().enumerate() {
            if rule.metric != sample.metric || !matches(&rule.agent, sample.agent.as_deref().unwrap_or_default()) {
                continue;
            }
            let key = (place, sample.agent.clone());
            if self.streams.len() >= ALERT_STREAMS_MAX && !self.streams.contains_key(&key) {
                continue;
            }
            let change = self.streams.entry(key).or_default().push(rule, sample.at_us, sample.value);
            notices.extend(change.map(|change| notice(rule, sample, change)));
        }
        notices
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

/// Whether a name is one of a pattern, in which `*` stands for any characters and `?` for one.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut place) = (0, 0);
    // Where the last `*` stands, and what of the name it covers at least.
    let mut star: Option<(usize, usize)> = None;
    while place < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(own) if *own == '?' || *own == name[place] => {
                at += 1;
                place += 1;
            }
            _ => match star {
                Some((star_at, covered)) => {
                    star = Some((star_at, covered + 1));
                    at = star_at + 1;
                    place = covered + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|own| *own == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_agents() {
        for (pattern, name, expect) in [
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("support-*", "support-1", true),
            ("support-*", "sales-1", false),
            ("*-eu-?", "chat-eu-eu-7", true),
            ("*-eu-?", "chat-eu-77", false),
            ("a*b*c", "aXbXbXc", true),
            ("a*b*c", "aXbXbX", false),
            ("?", "é", true),
        ] {
            assert_eq!(matches(pattern, name), expect, "{pattern} {name}");
        }
    }

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
    }
}
