//! A review for terminals and as Markdown.

use std::fmt::Write as _;

use steadfast_wire::review::{ClaimState, CriterionStatus, Recommendation, Review};

use super::digest::{
    TEXT_CHARS_MAX, breaks, capped, claimed, claims, counts, criterion, deed, dimensions, done, doubtful_breaks, found,
    is_good, kept, open, proposed, tokens, typed, verdict,
};
use crate::context::Index;
use crate::decided;
use crate::digest::count_of;
use crate::markdown::MARKDOWN_BYTES_MAX;
use crate::page::Page;
use crate::plain::line;
use crate::terminal::Style;
use crate::{Colour, Texts};

/// Lines of a list on a terminal, and in Markdown, whose lists end so that what follows has room.
const LINES_SHOWN_MAX: usize = 20;
const LINES_MARKDOWN_MAX: usize = 100;
const LISTS_END_BYTES: usize = MARKDOWN_BYTES_MAX * 3 / 4;
/// Turns of the user that are shown on a terminal.
const TYPED_SHOWN_MAX: usize = 6;
const SUMMARY_CHARS_MAX: usize = 8_000;

/// The review as a summary for a terminal: recommendation and why it is no better, false claims, criteria with what reports on them,
/// items, next steps; where a revision is requested the summary that stands for the output. Control characters of the output are
/// shown, so none reaches the terminal.
#[must_use]
pub fn text(review: &Review, texts: &Texts<'_>, colour: Colour) -> String {
    write(Page::terminal(colour, LINES_SHOWN_MAX), review, &Index::new(texts))
}

/// The review as Markdown, less than [`MARKDOWN_BYTES_MAX`] bytes. Text of the output is escaped.
#[must_use]
pub fn markdown(review: &Review, texts: &Texts<'_>) -> String {
    write(Page::markdown("Review", LINES_MARKDOWN_MAX, LISTS_END_BYTES), review, &Index::new(texts))
}

fn write(mut page: Page, review: &Review, index: &Index<'_>) -> String {
    head(&mut page, review);
    let mut typed = typed(review);
    if !page.is_markdown() {
        typed.truncate(TYPED_SHOWN_MAX);
    }
    page.lines(Style::Bold, "What the user typed", &typed);
    let false_claims = review.contradictions.iter().map(|own| {
        let place = own.spans.first().map_or_else(String::new, |span| format!(" ({})", index.place(span)));
        format!("{}{place}{}", line(&own.message, TEXT_CHARS_MAX), decided::by(&own.origin, None))
    });
    page.lines(Style::Bad, "False claims", &false_claims.collect::<Vec<_>>());
    page.lines(Style::Bad, "Contradicted claims", &claims(review, ClaimState::Contradicted));
    page.lines(Style::Bad, "Calls that break what was asked", &breaks(review));
    page.lines(Style::Good, "Found kept of what was asked", &kept(review));
    page.lines(Style::Warn, "Doubtful breaks: read the words and the call", &doubtful_breaks(review));
    page.lines(Style::Warn, "Doubtful claims: look at the call", &claims(review, ClaimState::Doubtful));
    page.lines(Style::Warn, "Claims without a deed", &claims(review, ClaimState::Unsupported));
    page.lines(Style::Good, "Supported claims", &claims(review, ClaimState::Supported));
    page.lines(Style::Warn, "Claims that rules cannot tell", &claims(review, ClaimState::NotCheckable));
    let criteria = review.criteria.iter().map(|own| {
        let style = match own.status {
            CriterionStatus::Met => Style::Good,
            CriterionStatus::Unmet => Style::Bad,
            CriterionStatus::Unreported => Style::Warn,
        };
        format!("{}: {}", page.marked(style, own.status.label()), page.words(&criterion(own)))
    });
    page.listed(Style::Bold, "Acceptance criteria", &criteria.collect::<Vec<_>>());
    let items = review
        .items
        .iter()
        .filter(|item| open(item))
        .map(|item| format!("{} {} ({})", item.emoji, line(&item.text, TEXT_CHARS_MAX), index.place(&item.span)));
    page.lines(Style::Bold, "What the report finds", &items.collect::<Vec<_>>());
    if let Some(own) = &review.check_in {
        let status = own.status.as_deref().map_or_else(String::new, |status| format!(", {}", line(status, 60)));
        let steps: Vec<String> = own.next_steps.iter().map(|step| line(step, TEXT_CHARS_MAX)).collect();
        page.lines(Style::Bold, &format!("Next steps{status}"), &steps);
    }
    let others = review.warnings.iter().filter(|it| it.starts_with("a ") || it.starts_with("only "));
    page.lines(Style::Warn, "Worth knowing", &others.map(|it| line(it, TEXT_CHARS_MAX)).collect::<Vec<_>>());
    if let Some(text) = &review.summary {
        summary(&mut page, text);
    }
    let is_markdown = page.is_markdown();
    let deeds = review.deeds.iter().flatten().filter(|own| is_markdown || own.ok == Some(false)).map(deed);
    let title = if is_markdown { "What was done" } else { "Calls that failed" };
    page.lines(Style::Bold, title, &deeds.collect::<Vec<_>>());
    if let Some(claimed) = claimed(review) {
        page.gap();
        page.fact(&page.words(&claimed));
    }
    if review.session.is_some() && review.items.is_empty() {
        return page.out;
    }
    page.end();
    page.fact(&page.words(&counts(review)));
    if let Some(scores) = dimensions(review) {
        page.fact(&scores);
    }
    page.fact(&page.words(&tokens(review)));
    page.out
}

fn head(page: &mut Page, review: &Review) {
    let style = match review.recommendation {
        Recommendation::Approve => Style::Good,
        Recommendation::Review => Style::Warn,
        Recommendation::RequestRevision => Style::Bad,
    };
    let is_session = review.session.is_some();
    // A session without a block has no score, and needs none.
    let scored = if is_session && review.score.is_none() {
        String::new()
    } else {
        format!(" · threshold {} · task {}", review.threshold, line(&review.task_id, 80))
    };
    page.fact(&format!("{}{}", page.marked(style, &verdict(review)), page.words(&scored)));
    if let Some(session) = &review.session {
        let (file, format) = (line(&session.file, 120), line(&session.format, 40));
        let done = done(review).unwrap_or_default();
        let turns = count_of(session.turns, "turn");
        page.fact(&page.words(&format!("session {file} ({format}, {turns}) · {done}")));
        for note in &session.notes {
            page.fact(&page.words(&line(note, TEXT_CHARS_MAX)));
        }
    }
    // A report of a session needs no block.
    if let Some(why) = review.not_evaluable.as_ref().filter(|_| found(review).is_none()) {
        page.fact(&page.words(&line(why, TEXT_CHARS_MAX)));
    }
    if let Some(why) = capped(review).filter(|_| !is_good(review) && !is_session) {
        page.fact(&page.words(&format!("no better than review: {why}")));
    }
    for fact in proposed(review) {
        page.fact(&page.words(&fact));
    }
}

/// The summary that stands for the output.
fn summary(page: &mut Page, text: &str) {
    page.title(Style::Bold, "Summary of the output");
    let is_markdown = page.is_markdown();
    let mut used = 0;
    for own in text.lines().filter(|own| !is_markdown || !own.trim().is_empty()) {
        used += own.len();
        if is_markdown && used > SUMMARY_CHARS_MAX {
            break;
        }
        let own = page.words(&line(own, 2 * TEXT_CHARS_MAX));
        let _ = if is_markdown { writeln!(page.out, "> {own}\n>") } else { writeln!(page.out, "  {own}") };
    }
    if is_markdown {
        page.out.push('\n');
    }
}
