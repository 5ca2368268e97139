//! The three lists of the verdict, in words: what is kept, what is broken, what to do.

use steadfast_evidence::{Severity, Status};

use crate::ask::Contract;
use crate::incident::{Incident, incident_quote};
use crate::status::Judged;

/// Most lines of each list; the obligations and incidents themselves are all in the result.
pub const LINES_MAX: usize = 12;

/// Longest quote in a line, in characters.
const QUOTE_CHARACTERS_MAX: usize = 140;

/// One line for each obligation that is kept, with the words that keep it.
#[must_use]
pub fn preserved(contract: &Contract, obligations: &[Judged]) -> Vec<String> {
    obligations
        .iter()
        .filter(|judged| judged.status == Status::Kept)
        .filter_map(|judged| {
            let item = contract.obligations.get(judged.item)?;
            let quote = judged.answer.first()?;
            let words = shortened(quote.text());
            Some(match &judged.measured {
                Some(measured) => format!("{}: {measured}, from \"{words}\" on", item.obligation.text),
                None => format!("{}: \"{words}\"", item.obligation.text),
            })
        })
        .take(LINES_MAX)
        .collect()
}

/// One line for each incident of severity 3 or more.
#[must_use]
pub fn failures(incidents: &[Incident]) -> Vec<String> {
    incidents
        .iter()
        .filter(|incident| incident.finding.severity >= Severity::Major)
        .map(|incident| match incident_quote(incident) {
            Some(quote) => format!("{} (\"{}\")", incident.finding.explanation, shortened(quote.text())),
            None => incident.finding.explanation.clone(),
        })
        .take(LINES_MAX)
        .collect()
}

/// What to do, the gravest first, each once.
#[must_use]
pub fn actions(incidents: &[Incident]) -> Vec<String> {
    let mut actions: Vec<String> = Vec::new();
    for incident in incidents.iter().filter(|incident| !incident.repair.is_empty()) {
        if actions.len() == LINES_MAX {
            break;
        }
        if !actions.contains(&incident.repair) {
            actions.push(incident.repair.clone());
        }
    }
    actions
}

/// A quote on one line, cut at a word where it is long.
#[must_use]
pub fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // The bold label that a line begins with says where it stands, not what it says.
    let line = match line.strip_prefix("**").and_then(|rest| rest.split_once("**")) {
        Some((_, rest)) if rest.trim_start_matches([':', ' ']).len() > 3 => {
            rest.trim_start_matches([':', ' ']).to_owned()
        }
        _ => line,
    };
    if line.chars().count() <= QUOTE_CHARACTERS_MAX {
        return line;
    }
    let cut: String = line.chars().take(QUOTE_CHARACTERS_MAX).collect();
    let at = cut.rfind(' ').unwrap_or(cut.len());
    format!("{} …", &cut[..at])
}
