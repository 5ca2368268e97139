//! A comparison for terminals.

use std::fmt::Write as _;

use steadfast_wire::watch::Comparison;

use super::words::{Outcome, by_step, delta, lower, outcome, sentences, signed, task, unpaired};
use crate::Colour;
use crate::chart::Sparkline;
use crate::plain::{line, shorten};
use crate::terminal::Style;
use crate::watch::digest::{repeats, score};
use crate::watch::terminal::{listed, problems};

/// Pairs that are shown; the greatest differences come first where there are more.
const PAIRS_SHOWN_MAX: usize = 60;
const SPARKLINE_CHARS_MAX: usize = 60;
const TASK_WIDTH: usize = 32;
const MESSAGE_CHARS_MAX: usize = 300;
const VERSION_CHARS_MAX: usize = 160;

/// The comparison as a summary for a terminal: what came of it in a sentence, the statistics in words, scores by step, pairs, and what
/// was left out.
#[must_use]
pub fn text(comparison: &Comparison, colour: Colour) -> String {
    let (sure, said) = outcome(comparison);
    let style = if sure == Outcome::Shown { Style::Good } else { Style::Warn };
    let mut out = format!("{}\n", colour.paint(style, &said));
    let _ = writeln!(out, "A: {}\nB: {}", line(&comparison.a, 120), line(&comparison.b, 120));
    let said = sentences(comparison);
    if !said.is_empty() {
        out.push('\n');
    }
    for sentence in said {
        let _ = writeln!(out, "{sentence}");
    }
    curves(&mut out, comparison, colour);
    pairs(&mut out, comparison, colour);
    let duplicates = repeats(&comparison.duplicates_dropped);
    listed(
        &mut out,
        "Duplicate pairs, left out before anything was computed",
        comparison.duplicates_dropped.len(),
        &duplicates,
        colour,
    );
    let lines: Vec<String> = comparison.unpaired.iter().map(|it| unpaired(it, MESSAGE_CHARS_MAX)).collect();
    listed(&mut out, "Without a partner", lines.len(), &lines, colour);
    listed(&mut out, "Problems", comparison.problems.len(), &problems(&comparison.problems), colour);
    let embedder = format!(
        "Both arms scored with embedder {} ({})",
        line(&comparison.embedder, 80),
        line(&comparison.embedding_version, VERSION_CHARS_MAX)
    );
    let _ = writeln!(out, "\n{}", colour.paint(Style::Dim, &embedder));
    out
}

fn curves(out: &mut String, comparison: &Comparison, colour: Colour) {
    let rows = by_step(comparison, SPARKLINE_CHARS_MAX);
    if rows.is_empty() {
        return;
    }
    let a: Vec<Option<f64>> = rows.iter().map(|row| row.a.map(|own| own.mean)).collect();
    let b: Vec<Option<f64>> = rows.iter().map(|row| row.b.map(|own| own.mean)).collect();
    let _ = writeln!(out, "\n{}", colour.paint(Style::Bold, "Mean IDS by step"));
    let _ = writeln!(out, "  A   0 {} 1", Sparkline::new(&a, SPARKLINE_CHARS_MAX).cells);
    let _ = writeln!(out, "  B   0 {} 1", Sparkline::new(&b, SPARKLINE_CHARS_MAX).cells);
    let steps = rows.iter().map(|row| row.to - row.from + 1).max().unwrap_or(1);
    if steps > 1 {
        let note = format!("a block stands for up to {steps} steps and shows their mean");
        let _ = writeln!(out, "        {}", colour.paint(Style::Dim, &note));
    }
}

fn pairs(out: &mut String, comparison: &Comparison, colour: Colour) {
    if comparison.pairs.is_empty() {
        return;
    }
    let mut shown: Vec<_> = comparison.pairs.iter().enumerate().collect();
    if shown.len() > PAIRS_SHOWN_MAX {
        shown.sort_by(|(_, one), (_, other)| other.delta.abs().total_cmp(&one.delta.abs()));
        shown.truncate(PAIRS_SHOWN_MAX);
        shown.sort_unstable_by_key(|(at, _)| *at);
    }
    let head = format!("  {:<TASK_WIDTH$} {:>7} {:>7} {:>8}  lower", "task", "A", "B", "B − A");
    let _ = writeln!(out, "\n{}", colour.paint(Style::Bold, &head));
    for (_, pair) in &shown {
        let _ = writeln!(
            out,
            "  {:<TASK_WIDTH$} {:>7.3} {:>7.3} {:>8}  {}",
            shorten(&task(&pair.task_id), TASK_WIDTH - 1),
            pair.a_mean_ids,
            pair.b_mean_ids,
            signed(pair.delta),
            lower(pair)
        );
    }
    if comparison.pairs.len() > shown.len() {
        let hidden = comparison.pairs.len() - shown.len();
        let _ = writeln!(out, "  and {hidden} more in the JSON, whose differences are smaller");
    }
    let _ = writeln!(
        out,
        "  {:<TASK_WIDTH$} {:>7} {:>7} {:>8}",
        format!("mean of {}", comparison.n),
        score(comparison.mean_a),
        score(comparison.mean_b),
        delta(comparison).map_or_else(|| "n/a".to_owned(), signed),
    );
}
