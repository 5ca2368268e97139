//! The weekly summary of broken obligations, as text and as Markdown.

use std::fmt::Write as _;

use steadfast_wire::summary::{AgentWeek, Week, WeeklySummary};

use crate::markdown::escape::escape;
use crate::plain::line;

/// What runs are called that name no agent.
const NOBODY: &str = "(no agent)";

/// Characters of an agent's name.
const NAME_CHARS_MAX: usize = 80;

fn agent(own: &AgentWeek) -> String {
    own.agent.as_deref().map_or_else(|| NOBODY.to_owned(), |name| line(name, NAME_CHARS_MAX))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn title(week: &Week) -> String {
    format!("{} from {}", week.week, week.begins)
}

/// What is left out, where something is.
fn unread(summary: &WeeklySummary) -> Option<String> {
    let count = summary.unread;
    let runs = if count == 1 { "run was" } else { "runs were" };
    (count > 0).then(|| format!("{count} {runs} kept by another version and cannot be read: not counted"))
}

/// Lines for the terminal.
#[must_use]
pub fn text(summary: &WeeklySummary) -> String {
    let mut text = format!("Runs with a broken hard obligation, by week ({})\n", summary.timezone);
    for week in &summary.weeks {
        let all = &week.all;
        let _ = writeln!(text, "\n{}: {} of {} runs, {}", title(week), all.broken, all.runs, percent(all.share));
        for own in &week.agents {
            let _ = writeln!(text, "  {}: {} of {}, {}", agent(own), own.broken, own.runs, percent(own.share));
            for check in &own.checks {
                let _ = writeln!(text, "    {:<28} {:>4}  {:>7}", check.check, check.broken, percent(check.share));
            }
        }
    }
    if let Some(unread) = unread(summary) {
        let _ = writeln!(text, "\n{unread}");
    }
    text
}

/// A Markdown document.
#[must_use]
pub fn markdown(summary: &WeeklySummary) -> String {
    let mut text = format!("# Runs with a broken hard obligation\n\nWeeks of ISO 8601, {}.\n", summary.timezone);
    for week in &summary.weeks {
        let _ = writeln!(text, "\n## {}\n", title(week));
        if week.agents.is_empty() {
            text.push_str("No runs.\n");
            continue;
        }
        text.push_str("| agent | check | broken | runs | share |\n|---|---|--:|--:|--:|\n");
        let mut row = |agent: &str, check: &str, broken: u64, runs: u64, share: f64| {
            let agent = escape(agent);
            let _ = writeln!(text, "| {agent} | {check} | {broken} | {runs} | {} |", percent(share));
        };
        row("all", "any", week.all.broken, week.all.runs, week.all.share);
        for own in &week.agents {
            row(&agent(own), "any", own.broken, own.runs, own.share);
            for check in &own.checks {
                row(&agent(own), &format!("`{}`", check.check), check.broken, own.runs, check.share);
            }
        }
    }
    if let Some(unread) = unread(summary) {
        let _ = writeln!(text, "\n{unread}.");
    }
    text
}
