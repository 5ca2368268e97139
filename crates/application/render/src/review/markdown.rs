//! A review as Markdown.

use std::fmt::Write as _;

use steadfast_wire::review::{ClaimState, Review};

use super::digest::{
    TEXT_CHARS_MAX, breaks, capped, claimed, claims, counts, criterion, deed, dimensions, doubtful_breaks, kept, open,
    proposed, tokens, typed, verdict,
};
use crate::Texts;
use crate::context::Index;
use crate::markdown::MARKDOWN_BYTES_MAX;
use crate::markdown::escape::{code, escape, line};

/// Where lists end, so that what follows has room.
const LISTS_END_BYTES: usize = MARKDOWN_BYTES_MAX * 3 / 4;
const LINES_SHOWN_MAX: usize = 100;
const SUMMARY_CHARS_MAX: usize = 8_000;

/// The review as Markdown, less than [`MARKDOWN_BYTES_MAX`] bytes. Text of the output is escaped.
#[must_use]
pub fn markdown(review: &Review, texts: &Texts<'_>) -> String {
    let index = Index::new(texts);
    let mut out = String::from("# Review\n\n");
    let _ =
        writeln!(out, "**{}**, task {}\n", escape(&verdict(review)), code(&crate::plain::line(&review.task_id, 80)));
    if let Some(why) = &review.not_evaluable {
        let _ = writeln!(out, "{}\n", line(why, TEXT_CHARS_MAX));
    }
    if let Some(why) = capped(review) {
        let _ = writeln!(out, "No better than review: {}.\n", escape(&why));
    }
    for fact in proposed(review) {
        let _ = writeln!(out, "{}\n", escape(&fact));
    }
    let place = |span: Option<&steadfast_wire::Span>| {
        span.map_or_else(String::new, |span| format!(" ({})", escape(&index.place(span))))
    };
    let escaped = |lines: Vec<String>| lines.into_iter().map(|own| escape(&own));
    listed(&mut out, "What the User Typed", escaped(typed(review)));
    let contradictions = review.contradictions.iter().map(|own| {
        format!("**{}:** {}{}", own.kind.label(), line(&own.message, TEXT_CHARS_MAX), place(own.spans.first()))
    });
    listed(&mut out, "False Claims", contradictions);
    listed(&mut out, "Contradicted Claims", escaped(claims(review, ClaimState::Contradicted)));
    listed(&mut out, "Calls That Break What Was Asked", escaped(breaks(review)));
    listed(&mut out, "Found Kept of What Was Asked", escaped(kept(review)));
    listed(&mut out, "Doubtful Breaks", escaped(doubtful_breaks(review)));
    listed(&mut out, "Doubtful Claims", escaped(claims(review, ClaimState::Doubtful)));
    listed(&mut out, "Claims Without a Deed", escaped(claims(review, ClaimState::Unsupported)));
    listed(&mut out, "Supported Claims", escaped(claims(review, ClaimState::Supported)));
    listed(&mut out, "Claims That Rules Cannot Tell", escaped(claims(review, ClaimState::NotCheckable)));
    let criteria = review.criteria.iter().map(|own| format!("**{}:** {}", own.status.label(), escape(&criterion(own))));
    listed(&mut out, "Acceptance Criteria", criteria);
    let items = review
        .items
        .iter()
        .filter(|item| open(item))
        .map(|item| format!("{} {}{}", item.emoji, line(&item.text, TEXT_CHARS_MAX), place(Some(&item.span))));
    listed(&mut out, "What the Report Finds", items);
    let steps = review.check_in.iter().flat_map(|own| &own.next_steps).map(|step| line(step, TEXT_CHARS_MAX));
    listed(&mut out, "Next Steps", steps);
    if let Some(summary) = &review.summary {
        out.push_str("## Summary of the Output\n\n");
        let mut used = 0;
        for own in summary.lines().filter(|own| !own.trim().is_empty()) {
            used += own.len();
            if used > SUMMARY_CHARS_MAX {
                break;
            }
            let own = line(own, 2 * TEXT_CHARS_MAX);
            let _ = writeln!(out, "> {own}\n>");
        }
        out.push('\n');
    }
    if let Some(claimed) = claimed(review) {
        let _ = writeln!(out, "{}.\n", escape(&claimed));
    }
    listed(&mut out, "What Was Done", escaped(review.deeds.iter().flatten().map(deed).collect()));
    let scores = dimensions(review).map_or_else(String::new, |it| format!("{it}. "));
    let _ = writeln!(out, "---\n\n{}. {scores}{}.", escape(&counts(review)), escape(&tokens(review)));
    out
}

fn listed(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let mut more = 0;
    let mut shown = 0;
    for own in lines {
        if shown == 0 {
            let _ = writeln!(out, "## {title}\n");
        }
        if shown < LINES_SHOWN_MAX && out.len() + own.len() < LISTS_END_BYTES {
            let _ = writeln!(out, "- {own}");
            shown += 1;
        } else {
            more += 1;
        }
    }
    if more > 0 {
        let _ = writeln!(out, "- and {more} more in the JSON");
    }
    if shown + more > 0 {
        out.push('\n');
    }
}
