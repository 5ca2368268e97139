//! A review for terminals.

use std::fmt::Write as _;

use steadfast_wire::review::{ClaimState, CriterionStatus, Recommendation, Review};

use super::digest::{
    TEXT_CHARS_MAX, breaks, capped, claimed, claims, counts, criterion, deed, dimensions, done, doubtful_breaks, found,
    is_good, kept, open, proposed, tokens, typed, verdict,
};
use crate::context::Index;
use crate::decided;
use crate::digest::count_of;
use crate::plain::line;
use crate::terminal::Style;
use crate::{Colour, Texts};

const LINES_SHOWN_MAX: usize = 20;
/// Turns of the user that are shown.
const TYPED_SHOWN_MAX: usize = 6;

/// The review as a summary for a terminal: recommendation and why it is no better, false claims, criteria with what reports on them,
/// items, next steps; where a revision is requested the summary that stands for the output. Control characters of the output are
/// shown, so none reaches the terminal.
#[must_use]
pub fn text(review: &Review, texts: &Texts<'_>, colour: Colour) -> String {
    let index = Index::new(texts);
    let style = match review.recommendation {
        Recommendation::Approve => Style::Good,
        Recommendation::Review => Style::Warn,
        Recommendation::RequestRevision => Style::Bad,
    };
    let mut out = String::new();
    let is_session = review.session.is_some();
    // A session without a block has no score, and needs none.
    let scored = if is_session && review.score.is_none() {
        String::new()
    } else {
        format!(" · threshold {} · task {}", review.threshold, line(&review.task_id, 80))
    };
    let _ = writeln!(out, "{}{scored}", colour.paint(style, &verdict(review)));
    if let Some(session) = &review.session {
        let (file, format) = (line(&session.file, 120), line(&session.format, 40));
        let done = done(review).unwrap_or_default();
        let _ = writeln!(out, "session {file} ({format}, {}) · {done}", count_of(session.turns, "turn"));
        for note in &session.notes {
            let _ = writeln!(out, "{}", line(note, TEXT_CHARS_MAX));
        }
    }
    // A report of a session needs no block.
    if let Some(why) = review.not_evaluable.as_ref().filter(|_| found(review).is_none()) {
        let _ = writeln!(out, "{}", line(why, TEXT_CHARS_MAX));
    }
    if let Some(why) = capped(review).filter(|_| !is_good(review) && !is_session) {
        let _ = writeln!(out, "no better than review: {why}");
    }
    for fact in proposed(review) {
        let _ = writeln!(out, "{fact}");
    }
    listed(&mut out, "What the user typed", Style::Bold, typed(review).into_iter().take(TYPED_SHOWN_MAX), colour);
    let false_claims = review.contradictions.iter().map(|own| {
        let place = own.spans.first().map_or_else(String::new, |span| format!(" ({})", index.place(span)));
        format!("{}{place}{}", line(&own.message, TEXT_CHARS_MAX), decided::by(&own.origin, None))
    });
    listed(&mut out, "False claims", Style::Bad, false_claims, colour);
    let contradicted = claims(review, ClaimState::Contradicted).into_iter();
    listed(&mut out, "Contradicted claims", Style::Bad, contradicted, colour);
    listed(&mut out, "Calls that break what was asked", Style::Bad, breaks(review).into_iter(), colour);
    listed(&mut out, "Found kept of what was asked", Style::Good, kept(review).into_iter(), colour);
    let seeming = doubtful_breaks(review).into_iter();
    listed(&mut out, "Doubtful breaks: read the words and the call", Style::Warn, seeming, colour);
    let doubtful = claims(review, ClaimState::Doubtful).into_iter();
    listed(&mut out, "Doubtful claims: look at the call", Style::Warn, doubtful, colour);
    let unsupported = claims(review, ClaimState::Unsupported).into_iter();
    listed(&mut out, "Claims without a deed", Style::Warn, unsupported, colour);
    let supported = claims(review, ClaimState::Supported).into_iter();
    listed(&mut out, "Supported claims", Style::Good, supported, colour);
    let open_claims = claims(review, ClaimState::NotCheckable).into_iter();
    listed(&mut out, "Claims that rules cannot tell", Style::Warn, open_claims, colour);
    let criteria = review.criteria.iter().map(|own| {
        let style = match own.status {
            CriterionStatus::Met => Style::Good,
            CriterionStatus::Unmet => Style::Bad,
            CriterionStatus::Unreported => Style::Warn,
        };
        format!("{}: {}", colour.paint(style, own.status.label()), criterion(own))
    });
    listed(&mut out, "Acceptance criteria", Style::Bold, criteria, colour);
    let items = review
        .items
        .iter()
        .filter(|item| open(item))
        .map(|item| format!("{} {} ({})", item.emoji, line(&item.text, TEXT_CHARS_MAX), index.place(&item.span)));
    listed(&mut out, "What the report finds", Style::Bold, items, colour);
    if let Some(own) = &review.check_in {
        let status = own.status.as_deref().map_or_else(String::new, |status| format!(", {}", line(status, 60)));
        let steps = own.next_steps.iter().map(|step| line(step, TEXT_CHARS_MAX));
        listed(&mut out, &format!("Next steps{status}"), Style::Bold, steps, colour);
    }
    let others = review.warnings.iter().filter(|it| it.starts_with("a ") || it.starts_with("only "));
    listed(&mut out, "Worth knowing", Style::Warn, others.map(|it| line(it, TEXT_CHARS_MAX)), colour);
    if let Some(summary) = &review.summary {
        let _ = writeln!(out, "\n{}", colour.paint(Style::Bold, "Summary of the output"));
        for own in summary.lines() {
            let _ = writeln!(out, "  {}", line(own, 2 * TEXT_CHARS_MAX));
        }
    }
    let failed = review.deeds.iter().flatten().filter(|own| own.ok == Some(false)).map(deed);
    listed(&mut out, "Calls that failed", Style::Bold, failed, colour);
    if let Some(claimed) = claimed(review) {
        let _ = writeln!(out, "\n{claimed}");
    }
    if is_session && review.items.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\n{}", counts(review));
    if let Some(scores) = dimensions(review) {
        let _ = writeln!(out, "{scores}");
    }
    let _ = writeln!(out, "{}", tokens(review));
    out
}

fn listed(out: &mut String, title: &str, style: Style, lines: impl Iterator<Item = String>, colour: Colour) {
    let mut more = 0;
    for (at, own) in lines.enumerate() {
        if at == 0 {
            let _ = writeln!(out, "\n{}", colour.paint(style, title));
        }
        if at < LINES_SHOWN_MAX {
            let _ = writeln!(out, "  - {own}");
        } else {
            more += 1;
        }
    }
    if more > 0 {
        let _ = writeln!(out, "  and {more} more");
    }
}
