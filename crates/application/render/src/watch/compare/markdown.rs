//! A comparison as Markdown.

use std::fmt::Write as _;

use steadfast_wire::watch::Comparison;

use super::words::{by_step, lower, outcome, sentences, signed, task, unpaired};
use crate::chart::Sparkline;
use crate::markdown::MARKDOWN_BYTES_MAX;
use crate::markdown::escape::{escape, line};
use crate::watch::digest::repeats;
use crate::watch::markdown::{listed, problems};

const PAIRS_SHOWN_MAX: usize = 200;
/// The table of pairs ends before the report has so many bytes.
const PAIRS_END_BYTES: usize = MARKDOWN_BYTES_MAX / 2;
const SPARKLINE_CHARS_MAX: usize = 60;
const MESSAGE_CHARS_MAX: usize = 300;

/// The comparison as Markdown: what came of it, the statistics in words, scores by step as lines of blocks, pairs as a table, and what
/// was left out. Less than [`MARKDOWN_BYTES_MAX`] bytes; text of runs is escaped.
#[must_use]
pub fn markdown(comparison: &Comparison) -> String {
    let mut out = String::from("# Intent Drift of Two Arms\n\n");
    let _ = writeln!(out, "**{}**\n", escape(&outcome(comparison).1));
    let _ = writeln!(out, "- **A:** {}", line(&comparison.a, 120));
    let _ = writeln!(out, "- **B:** {}\n", line(&comparison.b, 120));
    for sentence in sentences(comparison) {
        let _ = writeln!(out, "- {}", escape(&sentence));
    }
    out.push('\n');
    curves(&mut out, comparison);
    pairs(&mut out, comparison);
    let duplicates: Vec<String> = repeats(&comparison.duplicates_dropped).iter().map(|it| escape(it)).collect();
    listed(&mut out, "Duplicate Pairs, Left Out", comparison.duplicates_dropped.len(), &duplicates);
    let lines: Vec<String> = comparison.unpaired.iter().map(|it| escape(&unpaired(it, MESSAGE_CHARS_MAX))).collect();
    listed(&mut out, "Without a Partner", lines.len(), &lines);
    listed(&mut out, "Problems", comparison.problems.len(), &problems(&comparison.problems));
    let (embedder, version) = (line(&comparison.embedder, 80), line(&comparison.embedding_version, 160));
    let _ = writeln!(out, "---\n\nBoth arms scored with embedder {embedder} ({version}).");
    out
}

fn curves(out: &mut String, comparison: &Comparison) {
    let rows = by_step(comparison, SPARKLINE_CHARS_MAX);
    if rows.is_empty() {
        return;
    }
    let a: Vec<Option<f64>> = rows.iter().map(|row| row.a.map(|own| own.mean)).collect();
    let b: Vec<Option<f64>> = rows.iter().map(|row| row.b.map(|own| own.mean)).collect();
    out.push_str("## Mean IDS by Step\n\n```text\n");
    let _ = writeln!(out, "A 0 {} 1", Sparkline::new(&a, SPARKLINE_CHARS_MAX).cells);
    let _ = writeln!(out, "B 0 {} 1\n```\n", Sparkline::new(&b, SPARKLINE_CHARS_MAX).cells);
    let steps = rows.iter().map(|row| row.to - row.from + 1).max().unwrap_or(1);
    if steps > 1 {
        let _ = writeln!(out, "A block stands for up to {steps} steps and shows their mean.\n");
    }
}

fn pairs(out: &mut String, comparison: &Comparison) {
    if comparison.pairs.is_empty() {
        return;
    }
    let _ = writeln!(out, "## Pairs ({})\n", comparison.n);
    out.push_str("| Task | A | B | B − A | Lower |\n|---|---|---|---|---|\n");
    let mut shown = 0;
    for pair in comparison.pairs.iter().take(PAIRS_SHOWN_MAX) {
        if out.len() > PAIRS_END_BYTES {
            break;
        }
        shown += 1;
        let _ = writeln!(
            out,
            "| {} | {:.3} | {:.3} | {} | {} |",
            escape(&task(&pair.task_id)),
            pair.a_mean_ids,
            pair.b_mean_ids,
            signed(pair.delta),
            lower(pair)
        );
    }
    if comparison.pairs.len() > shown {
        let _ = writeln!(out, "\nand {} more in the JSON", comparison.pairs.len() - shown);
    }
    out.push('\n');
}
