//! Rules that watch what agents do, and say so once when it goes wrong and once when it is well again.
//!
//! [`Stream`] is the machine of one rule and one agent, pure: samples with their moments go in, changes come out. [`Alerts`] reads samples
//! from a store, whoever wrote them there, keeps how rules stand in it, and tells a notice of each change; where it goes is the affair of whoever asks.

mod list;
mod read;
mod stream;
mod streams;
mod webhook;

pub use list::{AlertFilter, alert_history, alert_standing, shown_rule};
pub use read::{Alerts, Begun, LeftOut, Look, Telling, untold};
pub use stream::{Change, Stream};
pub use streams::Streams;
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
    /// Of a step under way: 1 from the onset of a sustained change on, 0 before and where there is none.
    Onset,
    /// Of an audit: its risk, 0 for low, 1 for medium, 2 for high, 3 for critical.
    AuditRisk,
    /// Of a stored run: how many checks found a hard obligation broken.
    BrokenObligations,
    /// Of a review: its score, 0 to 1.
    ReviewScore,
    /// Of a review: what it recommends, 0 to approve, 1 to review, 2 to request a revision.
    ReviewRecommendation,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Ids,
        Self::AnchorIds,
        Self::BrokenBans,
        Self::Onset,
        Self::Fidelity,
        Self::AuditRisk,
        Self::BrokenObligations,
        Self::ReviewScore,
        Self::ReviewRecommendation,
    ];

    /// Whether it is of steps under way: its subject is a trajectory then, else a run.
    #[must_use]
    pub const fn is_of_steps(self) -> bool {
        matches!(self, Self::Ids | Self::AnchorIds | Self::BrokenBans | Self::Onset)
    }

    /// Its name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ids => "ids",
            Self::AnchorIds => "anchor_ids",
            Self::BrokenBans => "broken_bans",
            Self::Onset => "onset",
            Self::Fidelity => "fidelity",
            Self::AuditRisk => "audit_risk",
            Self::BrokenObligations => "broken_obligations",
            Self::ReviewScore => "review_score",
            Self::ReviewRecommendation => "review_recommendation",
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
    /// Who is told, by the names of webhooks and commands.
    pub to: Vec<String>,
}

impl Rule {
    /// What it says, but for its name and who is told: where that is another, nothing that was counted before counts.
    #[must_use]
    pub fn definition(&self) -> String {
        let (side, bound) = match self.bound {
            Bound::Above(bound) => ("above", bound),
            Bound::Below(bound) => ("below", bound),
        };
        let Self { fires, resolves, window_us, cooldown_us, .. } = self;
        let window = window_us.map_or_else(|| "any".to_owned(), |window| window.to_string());
        format!(
            "{} {side} {bound}, {} of {}, {} of {}, window {window} us, cooldown {cooldown_us} us, agent {}",
            self.metric.name(),
            fires.k,
            fires.n,
            resolves.k,
            resolves.n,
            self.agent
        )
    }
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
    fn what_a_rule_says_is_all_of_it_but_its_name_and_who_is_told() {
        let rule = Rule {
            name: "r".to_owned(),
            metric: Metric::Ids,
            bound: Bound::Above(0.5),
            fires: Share { k: 1, n: 2 },
            resolves: Share { k: 2, n: 3 },
            window_us: None,
            cooldown_us: 4,
            agent: "a*".to_owned(),
            to: Vec::new(),
        };
        let own = "ids above 0.5, 1 of 2, 2 of 3, window any us, cooldown 4 us, agent a*";
        assert_eq!(rule.definition(), own);
        let same = Rule { name: "other".to_owned(), to: vec!["ops".to_owned()], ..rule.clone() };
        assert_eq!(same.definition(), own);
        for other in [
            Rule { metric: Metric::AnchorIds, ..rule.clone() },
            Rule { bound: Bound::Below(0.5), ..rule.clone() },
            Rule { fires: Share { k: 2, n: 2 }, ..rule.clone() },
            Rule { resolves: Share { k: 3, n: 3 }, ..rule.clone() },
            Rule { window_us: Some(4), ..rule.clone() },
            Rule { cooldown_us: 5, ..rule.clone() },
            Rule { agent: "*".to_owned(), ..rule },
        ] {
            assert_ne!(other.definition(), own);
        }
    }

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
}
