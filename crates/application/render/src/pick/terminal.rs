//! What was picked, for terminals.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use steadfast_wire::pick::{Candidate, FinalOutput, PickMode, PickedByRules};

use super::view_text;
use crate::plain::one_line;

/// What was picked: the mode, what has to be asked, the prompts in their order with why, what else would do, and the candidates where they are
/// told. `titles` are those of prompts by their ids. Control characters are shown, so none reaches the terminal.
#[must_use]
pub fn text(found: &FinalOutput, titles: &BTreeMap<String, String>) -> String {
    let sure = found.confidence.map_or_else(
        || format!("chosen by {}", one_line(&found.origin)),
        |confidence| format!("confidence {confidence:.2}"),
    );
    let mut text = format!("{} · {sure} · trace {}\n", found.mode.label(), found.trace_id);
    for question in &found.clarification_questions {
        let _ = writeln!(text, "  ? {}", one_line(question));
    }
    for own in &found.selected_prompts {
        let title = titles.get(&own.prompt_id).map_or_else(String::new, |title| format!("  {}", one_line(title)));
        let (id, why) = (one_line(&own.prompt_id), one_line(&own.why));
        let _ = writeln!(text, "\n{}. {}  {id}{title}", own.rank, own.stage);
        if let Some(reason) = &own.reason {
            let _ = writeln!(text, "   {}: {}", one_line(&found.origin), one_line(reason));
        }
        let _ = writeln!(text, "   {why}");
    }
    let others: Vec<String> = found.fallback.prompt_ids.iter().map(|id| one_line(id)).collect();
    if !others.is_empty() {
        let what = if found.mode == PickMode::Clarify { "nearest" } else { "else" };
        let _ = writeln!(text, "\n{what}: {}", others.join(", "));
    }
    if let Some(own) = &found.by_rules {
        let _ = writeln!(text, "{}", one_line(&by_rules(own)));
    }
    if let Some(candidates) = found.candidates.as_ref().filter(|_| found.mode != PickMode::Clarify) {
        text.push('\n');
        candidates.iter().for_each(|own| text.push_str(&candidate(own)));
    }
    if let Some(view) = &found.model_view {
        text.push_str(&view_text(view));
    }
    text
}

/// What rules alone pick, on a line.
pub(super) fn by_rules(own: &PickedByRules) -> String {
    let sure = own.confidence.map_or_else(String::new, |confidence| format!(" (confidence {confidence:.2})"));
    let ids = if own.prompt_ids.is_empty() { String::new() } else { format!(": {}", own.prompt_ids.join(", ")) };
    format!("by rules alone: {}{sure}{ids}", own.mode.label())
}

fn candidate(own: &Candidate) -> String {
    let sources: Vec<&str> = own.retrieval_sources.iter().map(|source| source.name()).collect();
    format!(
        "{:.3}  {}  dense {:.2} bm25 {:.2} metadata {:.2}  [{}]\n",
        own.score,
        one_line(&own.prompt_id),
        own.dense_sim,
        own.bm25_sim,
        own.metadata_match,
        sources.join(", ")
    )
}
