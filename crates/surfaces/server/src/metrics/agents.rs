//! Gauges of the agents that were followed lately. Only the first ones have their own, so that whoever invents names makes no more lines.

use steadfast_engine::store::AgentCount;

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

/// The label of an agent: its name, none where it has none. One that is called as the others together are is told apart.
fn label(own: &AgentCount) -> String {
    match (&own.agent, own.rest) {
        (_, true) => REST.to_owned(),
        (Some(agent), _) if agent == REST => format!("{REST} (agent)"),
        (Some(agent), _) => agent.clone(),
        (None, _) => String::new(),
    }
}

/// Tells of agents.
pub(super) fn tell(text: &mut Text, agents: &[AgentCount]) {
    for (name, about, value) in GAUGES {
        text.family(name, "gauge", about);
        for own in agents {
            if let Some(value) = value(own) {
                text.sample(name, &[("agent", &label(own))], &value);
            }
        }
    }
}
