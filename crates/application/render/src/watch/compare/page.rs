//! A comparison for terminals and as Markdown.

use std::fmt::Write as _;

use steadfast_wire::watch::Comparison;

use super::words::{Outcome, by_step, delta, lower, outcome, sentences, signed, task, unpaired};
use crate::Colour;
use crate::chart::Sparkline;
use crate::markdown::MARKDOWN_BYTES_MAX;
use crate::markdown::escape::escape;
use crate::page::Page;
use crate::plain::{line, shorten};
use crate::terminal::Style;
use crate::watch::digest::{repeats, score};
use crate::watch::page::{LINES_MARKDOWN_MAX, LINES_SHOWN_MAX, LISTS_END_BYTES, problems};

/// Pairs that are shown on a terminal and in Markdown; the greatest differences come first where there are more.
const PAIRS_SHOWN_MAX: usize = 60;
const ROWS_SHOWN_MAX: usize = 200;
/// The table of pairs ends before the Markdown has so many bytes.
const PAIRS_END_BYTES: usize = MARKDOWN_BYTES_MAX / 2;
const SPARKLINE_CHARS_MAX: usize = 60;
const TASK_WIDTH: usize = 32;
const MESSAGE_CHARS_MAX: usize = 300;
const VERSION_CHARS_MAX: usize = 160;

/// The comparison as a summary for a terminal: what came of it in a sentence, the statistics in words, scores by step, pairs, and what
/// was left out.
#[must_use]
pub fn text(comparison: &Comparison, colour: Colour) -> String {
    write(Page::terminal(colour, LINES_SHOWN_MAX), comparison)
}

/// The comparison as Markdown: the same, with the pairs as a table. Less than [`MARKDOWN_BYTES_MAX`] bytes; text of runs is escaped.
#[must_use]
pub fn markdown(comparison: &Comparison) -> String {
    write(Page::markdown("Intent Drift of Two Arms", LINES_MARKDOWN_MAX, LISTS_END_BYTES), comparison)
}

fn write(mut page: Page, comparison: &Comparison) -> String {
    let (sure, said) = outcome(comparison);
    let style = if sure == Outcome::Shown { Style::Good } else { Style::Warn };
    page.fact(&page.marked(style, &said));
    for (arm, name) in [("A", &comparison.a), ("B", &comparison.b)] {
        page.fact(&page.words(&format!("{arm}: {}", line(name, 120))));
    }
    let said = sentences(comparison);
    if !said.is_empty() {
        page.gap();
    }
    said.iter().for_each(|sentence| page.fact(&page.words(sentence)));
    curves(&mut page, comparison);
    pairs(&mut page, comparison);
    let duplicates = &comparison.duplicates_dropped;
    let title = format!("Duplicate pairs, left out before anything was computed ({})", duplicates.len());
    page.lines(Style::Bold, &title, &repeats(duplicates));
    let lines: Vec<String> = comparison.unpaired.iter().map(|it| unpaired(it, MESSAGE_CHARS_MAX)).collect();
    page.lines(Style::Bold, &format!("Without a partner ({})", lines.len()), &lines);
    problems(&mut page, &comparison.problems);
    page.end();
    let (embedder, version) = (&comparison.embedder, &comparison.embedding_version);
    let (embedder, version) = (line(embedder, 80), line(version, VERSION_CHARS_MAX));
    page.fact(&page.aside(&format!("Both arms scored with embedder {embedder} ({version})")));
    page.out
}

fn curves(page: &mut Page, comparison: &Comparison) {
    let rows = by_step(comparison, SPARKLINE_CHARS_MAX);
    if rows.is_empty() {
        return;
    }
    let a: Vec<Option<f64>> = rows.iter().map(|row| row.a.map(|own| own.mean)).collect();
    let b: Vec<Option<f64>> = rows.iter().map(|row| row.b.map(|own| own.mean)).collect();
    page.title(Style::Bold, "Mean IDS by step");
    let blocks = |values: &[Option<f64>]| Sparkline::new(values, SPARKLINE_CHARS_MAX).cells;
    let mut lines = vec![(None, format!("A   0 {} 1", blocks(&a))), (None, format!("B   0 {} 1", blocks(&b)))];
    let steps = rows.iter().map(|row| row.to - row.from + 1).max().unwrap_or(1);
    if steps > 1 {
        let note = format!("      a block stands for up to {steps} steps and shows their mean");
        lines.push((Some(Style::Dim), note));
    }
    page.block(&lines);
}

fn pairs(page: &mut Page, comparison: &Comparison) {
    if comparison.pairs.is_empty() {
        return;
    }
    let is_markdown = page.is_markdown();
    let shown_max = if is_markdown { ROWS_SHOWN_MAX } else { PAIRS_SHOWN_MAX };
    let mut shown: Vec<_> = comparison.pairs.iter().enumerate().collect();
    if shown.len() > shown_max {
        shown.sort_by(|(_, one), (_, other)| other.delta.abs().total_cmp(&one.delta.abs()));
        shown.truncate(shown_max);
        shown.sort_unstable_by_key(|(at, _)| *at);
    }
    let head = format!("  {:<TASK_WIDTH$} {:>7} {:>7} {:>8}  lower", "task", "A", "B", "B − A");
    if is_markdown {
        page.title(Style::Bold, &format!("Pairs ({})", comparison.n));
        page.out.push_str("| Task | A | B | B − A | Lower |\n|---|---|---|---|---|\n");
    } else {
        page.title(Style::Bold, &head);
    }
    let mut rows = 0;
    for (_, pair) in &shown {
        if is_markdown && page.out.len() > PAIRS_END_BYTES {
            break;
        }
        rows += 1;
        let (task, a, b) = (task(&pair.task_id), pair.a_mean_ids, pair.b_mean_ids);
        let (delta, lower) = (signed(pair.delta), lower(pair));
        let _ = if is_markdown {
            writeln!(page.out, "| {} | {a:.3} | {b:.3} | {delta} | {lower} |", escape(&task))
        } else {
            let task = shorten(&task, TASK_WIDTH - 1);
            writeln!(page.out, "  {task:<TASK_WIDTH$} {a:>7.3} {b:>7.3} {delta:>8}  {lower}")
        };
    }
    let mean = format!("mean of {}", comparison.n);
    let (a, b) = (score(comparison.mean_a), score(comparison.mean_b));
    let delta = delta(comparison).map_or_else(|| "n/a".to_owned(), signed);
    if is_markdown {
        let _ = writeln!(page.out, "| {mean} | {a} | {b} | {delta} |  |\n");
    }
    let hidden = comparison.pairs.len() - rows;
    if hidden > 0 {
        let (indent, which) = if is_markdown { ("", "") } else { ("  ", ", whose differences are smaller") };
        page.fact(&format!("{indent}and {hidden} more in the JSON{which}"));
    }
    if !is_markdown {
        let _ = writeln!(page.out, "  {mean:<TASK_WIDTH$} {a:>7} {b:>7} {delta:>8}");
    }
}
