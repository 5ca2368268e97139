//! What people decided on incidents, and what is new, in words. Reasons are texts of others: each format escapes them as it does judged text.

use steadfast_wire::audit::{DriftEvaluation, DriftIncident};

use crate::digest::count_of;
use crate::plain::{one_line, shorten};

/// "accepted until 2026-12-31: the council raised the budget"; empty where nothing is decided.
pub(crate) fn words(incident: &DriftIncident, reason_chars_max: usize) -> String {
    let Some(decision) = &incident.decision else { return String::new() };
    let until = match &decision.until {
        Some(until) if decision.expired => format!(" until {}, which is over", one_line(until)),
        Some(until) => format!(" until {}", one_line(until)),
        None => String::new(),
    };
    format!("{}{until}: {}", decision.kind.label(), shorten(&one_line(&decision.reason), reason_chars_max))
}

/// Whether an incident is known to be new.
pub(crate) fn is_new(incident: &DriftIncident) -> bool {
    incident.new == Some(true)
}

/// What is said of the whole: how many are settled and what remains without them, how many are new.
pub(crate) fn facts(evaluation: &DriftEvaluation) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(own) = &evaluation.decisions {
        let counts = [(own.accepted, "accepted"), (own.contested, "contested"), (own.expired, "expired")];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, label)| format!("{count} {label}")).collect();
        let as_of = own.as_of.as_ref().map_or_else(String::new, |day| format!(" as of {}", one_line(day)));
        let mut fact = format!("Decided on{as_of}: {}.", counts.join(", "));
        if own.accepted + own.contested > 0 {
            let rest = &own.remaining;
            let usable = rest.usable_because.verdict();
            let incidents = count_of(rest.incidents, "incident");
            let (score, risk) = (rest.overall_fidelity_score, rest.overall_drift_risk);
            fact.push_str(&format!(" Without what is settled: {incidents}, {score:.1} / 5.0, {risk} risk, {usable}."));
        }
        facts.push(fact);
        facts.extend(own.assumption.as_ref().map(|text| one_line(text)));
    }
    if let Some(own) = &evaluation.baseline {
        let other = if own.same_prompt { "" } else { " It is of another prompt." };
        facts.push(format!(
            "Against the baseline: {} new, {} known, {} gone.{other}",
            own.new,
            own.known,
            own.gone.len()
        ));
    }
    facts
}
