//! A review as one self-contained page.

use askama::Template;
use steadfast_wire::review::Review;

use super::digest::{TEXT_CHARS_MAX, capped, counts, criterion, dimensions, findings, is_good, tokens, verdict};
use crate::context::Index;
use crate::html::policy::policy;
use crate::plain::line;
use crate::{Error, Texts};

const CSS: &str = concat!(include_str!("../../templates/report.css"), include_str!("../../templates/plan.css"));
const ROWS_SHOWN_MAX: usize = 400;

/// The values of `review.html`.
#[derive(Template)]
#[template(path = "review.html")]
struct Page {
    csp: String,
    css: &'static str,
    task: String,
    file: String,
    good: bool,
    verdict: String,
    why: String,
    findings: Vec<[String; 3]>,
    findings_more: usize,
    criteria: Vec<[String; 2]>,
    items: Vec<[String; 4]>,
    items_more: usize,
    steps: Vec<String>,
    summary: Vec<String>,
    figures: [String; 3],
}

/// The review as one self-contained page without a script. Text of the output is escaped.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn html(review: &Review, texts: &Texts<'_>) -> Result<String, Error> {
    let index = Index::new(texts);
    let found: Vec<[String; 3]> = findings(review)
        .iter()
        .map(|own| {
            let place = own.spans.first().map_or_else(String::new, |span| index.place(span));
            [own.rule.replace('_', " "), line(&own.message, 2 * TEXT_CHARS_MAX), place]
        })
        .collect();
    let items: Vec<[String; 4]> = review
        .items
        .iter()
        .take(ROWS_SHOWN_MAX)
        .map(|item| {
            let text = line(&item.text, 2 * TEXT_CHARS_MAX);
            [item.emoji.clone(), item.category.replace('_', " "), text, index.place(&item.span)]
        })
        .collect();
    let why =
        review.not_evaluable.clone().or_else(|| capped(review).map(|why| format!("No better than review: {why}.")));
    let page = Page {
        csp: policy(CSS, None),
        css: CSS,
        task: line(&review.task_id, 80),
        file: line(&review.output.file, 200),
        good: is_good(review),
        verdict: verdict(review),
        why: line(&why.unwrap_or_default(), 2 * TEXT_CHARS_MAX),
        findings_more: found.len().saturating_sub(ROWS_SHOWN_MAX),
        findings: found.into_iter().take(ROWS_SHOWN_MAX).collect(),
        criteria: review.criteria.iter().map(|own| [own.status.label().to_owned(), criterion(own)]).collect(),
        items_more: review.items.len().saturating_sub(ROWS_SHOWN_MAX),
        items,
        steps: review
            .check_in
            .iter()
            .flat_map(|own| &own.next_steps)
            .take(ROWS_SHOWN_MAX)
            .map(|step| line(step, TEXT_CHARS_MAX))
            .collect(),
        summary: review
            .summary
            .iter()
            .flat_map(|text| text.lines())
            .filter(|own| !own.trim().is_empty())
            .map(|own| line(own, 2 * TEXT_CHARS_MAX))
            .collect(),
        figures: [counts(review), dimensions(review), tokens(review)],
    };
    page.render().map_err(Error::Html)
}
