//! Gauges of the agents that were followed lately, or whose work was audited. Only the first ones have their own, so that whoever invents names makes no more lines.

use steadfast_engine::store::{AgentAudits, AgentCount};

use super::Text;

/// What all agents are called that have no gauges of their own.
const REST: &str = "other";

/// A gauge: its name, what it is, and its value, where there is one.
type Gauge = (&'static str, &'static str, fn(&AgentCount) -> Option<String>);

/// All of them.
const GAUGES: [Gauge; 6] = [
    (
        "steadfast_agent_trajectories",
        "Trajectories with a step in the last 24 hours, by the agent that began them.",
        |own| Some(own.trajectories.to_string()),
    ),
    ("steadfast_agent_steps", "Steps of these trajectories.", |own| Some(own.steps.to_string())),
    ("steadfast_agent_alerts", "Alerts of these trajectories.", |own| Some(own.alerts.to_string())),
    ("steadfast_agent_onsets", "Those of these trajectories that have an onset of a sustained change.", |own| {
        Some(own.onsets.to_string())
    }),
    ("steadfast_agent_ids_mean", "The mean of their mean Intent Drift Scores.", |own| {
        own.mean_ids.map(|value| value.to_string())
    }),
    ("steadfast_agent_ids_max", "The greatest of their Intent Drift Scores.", |own| {
        own.max_ids.map(|value| value.to_string())
    }),
];

/// A gauge of audits.
type AuditGauge = (&'static str, &'static str, fn(&AgentAudits) -> String);

/// All of them.
const AUDIT_GAUGES: [AuditGauge; 3] = [
    (
        "steadfast_agent_audits",
        "Stored audits that began in the last 24 hours, by the agent whose work they are about.",
        |own| own.audits.to_string(),
    ),
    ("steadfast_agent_audits_broken", "Those of these audits that found a hard obligation broken.", |own| {
        own.broken.to_string()
    }),
    ("steadfast_agent_audits_broken_ratio", "Their share, 0 to 1.", |own| {
        // There is no agent without an audit.
        (own.broken as f64 / own.audits.max(1) as f64).to_string()
    }),
];

/// The label of an agent: its name, none where it has none. One that is called as the others together are is told apart.
fn label(agent: Option<&str>, rest: bool) -> String {
    match (agent, rest) {
        (_, true) => REST.to_owned(),
        (Some(agent), _) if agent == REST => format!("{REST} (agent)"),
        (Some(agent), _) => agent.to_owned(),
        (None, _) => String::new(),
    }
}

/// Tells of agents.
pub(super) fn tell(text: &mut Text, agents: &[AgentCount]) {
    for (name, about, value) in GAUGES {
        text.family(name, "gauge", about);
        for own in agents {
            if let Some(value) = value(own) {
                text.sample(name, &[("agent", &label(own.agent.as_deref(), own.rest))], &value);
            }
        }
    }
}

/// Tells of audits of their work.
pub(super) fn tell_audits(text: &mut Text, audits: &[AgentAudits]) {
    for (name, about, value) in AUDIT_GAUGES {
        text.family(name, "gauge", about);
        for own in audits {
            text.sample(name, &[("agent", &label(own.agent.as_deref(), own.rest))], &value(own));
        }
    }
}
