//! A review as one self-contained page.

use askama::Template;
use steadfast_wire::review::{
    ClaimState, Contradiction, Criterion, CriterionStatus, Recommendation, Review, SessionDeed,
};
use steadfast_wire::sessions::SessionVerdict;

use super::digest::{TEXT_CHARS_MAX, breaks, claims, done, doubtful_breaks, kept, proposed, verdict, weight_tenths};
use crate::context::Index;
use crate::decided;
use crate::html::Frame;
use crate::plain::{block, line};
use crate::rows::rows_of;
use crate::{Error, OnePage, Pages, Texts};

const CSS: &str = concat!(
    include_str!("../../templates/report.css"),
    include_str!("../../templates/plan.css"),
    include_str!("../../templates/watch.css"),
    include_str!("../../templates/part.css")
);
const ROWS_SHOWN_MAX: usize = 400;
const CONTRADICTIONS_MAX: usize = 60;
const PASSAGES_MAX: usize = 6;
/// Turns of the user that the page holds, and characters of each.
const TYPED_MAX: usize = 200;
const TYPED_CHARS_MAX: usize = 4_000;
/// Characters of a turn that are shown unasked.
const TYPED_FIRST_CHARS: usize = 400;
const PASSAGE_RADIUS_BYTES: usize = 240;
/// Characters of an output that the page holds.
const PAYLOAD_CHARS_MAX: usize = 200_000;
/// From this score on an output is approved, whatever lower threshold is asked for.
const APPROVE_SCORE_MIN: f64 = 0.8;

/// The values of `review_part.html`.
#[derive(Template)]
#[template(path = "review_part.html")]
struct Part {
    help: bool,
    tone: &'static str,
    recommendation: &'static str,
    capped: Vec<&'static str>,
    not_evaluable: Option<String>,
    score: Option<String>,
    width: String,
    threshold: String,
    approve_from: String,
    returned: usize,
    full: usize,
    estimate: String,
    contradictions: Vec<False>,
    contradictions_more: usize,
    criteria: Vec<Reported>,
    criteria_count: usize,
    criteria_pages: String,
    met: usize,
    worked: Vec<Worked>,
    worked_sum: String,
    worked_count: usize,
    worked_double: usize,
    worked_score: String,
    dimensions: Vec<(&'static str, String)>,
    categories: Vec<Category>,
    item_count: usize,
    session: Option<Read>,
    /// What code says of a session that has no score, and how it is coloured.
    said: Option<(String, &'static str)>,
    lists: Vec<(&'static str, Vec<String>, usize)>,
    summary: Vec<String>,
    payload: Option<(String, usize)>,
}

/// A claim that is false.
struct False {
    number: usize,
    kind: &'static str,
    message: String,
    sum: Option<(String, String, String)>,
    refuted_by: Vec<usize>,
    passages: Vec<(String, String, String, String)>,
    passages_more: usize,
}

/// A session: what the user typed, and what was done.
struct Read {
    file: String,
    format: String,
    turns: usize,
    done: String,
    /// What was not read of its log.
    notes: Vec<String>,
    /// The turn, how it begins, and the rest of it.
    typed: Vec<(usize, String, String)>,
    typed_more: usize,
    deeds: Vec<Done>,
    deeds_pages: String,
}

/// A call of a session.
struct Done {
    turn: usize,
    tool: String,
    what: String,
    end: String,
    tone: &'static str,
}

/// A criterion and what reports on it.
struct Reported {
    tone: &'static str,
    status: &'static str,
    text: String,
    by: String,
    found: String,
    place: String,
}

/// What the items of one category add to the score.
struct Worked {
    category: String,
    weight: String,
    count: usize,
    adds: String,
}

/// The items of one category.
struct Category {
    name: String,
    open: bool,
    items: Vec<(String, String, bool)>,
    count: usize,
    pages: String,
}

/// The review as one self-contained page without a script. Text of the output is escaped.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn html(review: &Review, texts: &Texts<'_>) -> Result<String, Error> {
    let frame = Frame {
        css: CSS,
        kind: "Review",
        title: line(&review.output.file, 200),
        beside: format!("Task {}", line(&review.task_id, 80)),
        part: drawn(review, texts, false, &OnePage)?,
        footer: "Steadfast review. The score is a function of the report's own items; false claims and criteria are what code found.",
    };
    frame.render().map_err(Error::Html)
}

/// What stands on that page below its title, for a page that has a glossary: the verdict, false claims with their sums, criteria, the score
/// worked out, items by category, and the output itself, folded.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn part(review: &Review, texts: &Texts<'_>, pages: &dyn Pages) -> Result<String, Error> {
    drawn(review, texts, true, pages)
}

/// Whether a warning says only that a session has no score: it needs none.
fn scoreless(review: &Review, warning: &str) -> bool {
    review.session.is_some() && review.score.is_none() && warning.starts_with("not evaluable")
}

/// How what code says of a session is coloured.
fn session_tone(review: &Review) -> &'static str {
    match SessionVerdict::of(review) {
        SessionVerdict::Contradicted | SessionVerdict::Broken => "no",
        SessionVerdict::Doubtful | SessionVerdict::Unsupported => "sev2",
        SessionVerdict::Supported => "yes",
        SessionVerdict::Open => "",
    }
}

/// What the user typed and what was done, in their order.
fn session(review: &Review, pages: &dyn Pages) -> Result<Option<Read>, Error> {
    let Some(own) = &review.session else { return Ok(None) };
    let deeds = review.deeds.as_deref().unwrap_or_default();
    let rows = rows_of(pages, "deeds", "calls", ROWS_SHOWN_MAX, deeds.len());
    let asked = review.ask.as_deref().unwrap_or_default();
    let typed: Vec<(usize, String, String)> = asked
        .iter()
        .take(TYPED_MAX)
        .map(|ask| {
            let text = block(&ask.text, TYPED_CHARS_MAX).0;
            let end = text.char_indices().nth(TYPED_FIRST_CHARS).map_or(text.len(), |(at, _)| at);
            let (first, rest) = text.split_at(end);
            (ask.turn, first.to_owned(), rest.to_owned())
        })
        .collect();
    let shown = |deed: &SessionDeed| Done {
        turn: deed.turn,
        tool: line(&deed.tool, 60),
        what: line(&deed.command.clone().unwrap_or_else(|| deed.files.join(", ")), 2 * TEXT_CHARS_MAX),
        end: match (deed.exit, deed.ok) {
            (Some(exit), _) => format!("exit {exit}"),
            (None, Some(false)) => "failed".to_owned(),
            (None, _) => String::new(),
        },
        tone: if deed.ok == Some(false) { "no" } else { "" },
    };
    Ok(Some(Read {
        file: line(&own.file, 200),
        format: line(&own.format, 40),
        turns: own.turns,
        notes: own.notes.iter().map(|note| line(note, TEXT_CHARS_MAX)).collect(),
        done: done(review).unwrap_or_default(),
        typed_more: asked.len().saturating_sub(typed.len()),
        typed,
        deeds: deeds.iter().skip(rows.from).take(ROWS_SHOWN_MAX).map(shown).collect(),
        deeds_pages: rows.html()?,
    }))
}

fn drawn(review: &Review, texts: &Texts<'_>, help: bool, pages: &dyn Pages) -> Result<String, Error> {
    let criteria = rows_of(pages, "criteria", "criteria", ROWS_SHOWN_MAX, review.criteria.len());
    let index = Index::new(texts);
    let (worked, sum_tenths) = worked(review);
    let counted = review.items.len();
    let long = |text: &String| line(text, 2 * TEXT_CHARS_MAX);
    let limited = |title: &'static str, lines: Vec<String>| {
        let more = lines.len().saturating_sub(ROWS_SHOWN_MAX);
        (title, lines.into_iter().take(ROWS_SHOWN_MAX).collect::<Vec<_>>(), more)
    };
    let text = texts.files.get(review.output.file.as_str()).copied();
    let payload = review.full_payload.as_deref().or(text);
    let part = Part {
        help,
        tone: match (review.score, review.recommendation) {
            (Some(_), Recommendation::Approve) => "yes",
            (Some(_), Recommendation::Review) => "sev2",
            (Some(_), Recommendation::RequestRevision) => "no",
            (None, _) => "",
        },
        recommendation: review.recommendation.label(),
        capped: review.capped_by.iter().map(|cap| cap.label()).collect(),
        not_evaluable: review.not_evaluable.as_ref().map(long),
        score: review.score.map(|score| format!("{score:.2}")),
        width: format!("{:.0}", review.score.unwrap_or_default().clamp(0.0, 1.0) * 100.0),
        threshold: format!("{:.2}", review.threshold),
        approve_from: format!("{:.2}", review.threshold.max(APPROVE_SCORE_MIN)),
        returned: review.tokens.returned,
        full: review.tokens.full,
        estimate: line(&review.tokens.estimate, 60),
        contradictions: review
            .contradictions
            .iter()
            .take(CONTRADICTIONS_MAX)
            .enumerate()
            .map(|(at, own)| contradiction(at + 1, own, &index))
            .collect(),
        contradictions_more: review.contradictions.len().saturating_sub(CONTRADICTIONS_MAX),
        criteria_count: review.criteria.len(),
        criteria: review
            .criteria
            .iter()
            .skip(criteria.from)
            .take(ROWS_SHOWN_MAX)
            .map(|own| reported(own, &index))
            .collect(),
        criteria_pages: criteria.html()?,
        met: review.criteria.iter().filter(|own| own.status == CriterionStatus::Met).count(),
        worked,
        worked_sum: tenths(sum_tenths),
        worked_count: counted,
        worked_double: 2 * counted,
        worked_score: review.score.map_or_else(|| "none".to_owned(), |score| format!("{score:.4}")),
        dimensions: dimensions(review),
        categories: categories(review, &index, pages)?,
        item_count: counted,
        session: session(review, pages)?,
        said: (review.session.is_some() && review.score.is_none()).then(|| (verdict(review), session_tone(review))),
        lists: [
            limited("Contradicted claims", claims(review, ClaimState::Contradicted)),
            limited("Calls that break what was asked", breaks(review)),
            limited("Found kept of what was asked", kept(review)),
            limited("Doubtful breaks", doubtful_breaks(review)),
            limited("Doubtful claims", claims(review, ClaimState::Doubtful)),
            limited("Claims without a deed", claims(review, ClaimState::Unsupported)),
            limited("Supported claims", claims(review, ClaimState::Supported)),
            limited("Claims that rules cannot tell", claims(review, ClaimState::NotCheckable)),
            limited("Warnings", review.warnings.iter().filter(|own| !scoreless(review, own)).map(long).collect()),
            limited("What was proposed", proposed(review)),
            limited("Where the task stands", stands(review)),
            limited(
                "Next steps",
                review.check_in.iter().flat_map(|own| &own.next_steps).map(|step| line(step, TEXT_CHARS_MAX)).collect(),
            ),
            limited(
                "Reported, and not counted",
                review
                    .not_counted
                    .iter()
                    .map(|own| format!("{} {} ({})", line(&own.mark, 20), long(&own.text), index.place(&own.span)))
                    .collect(),
            ),
            limited(
                "What it says of itself",
                review
                    .reflection
                    .iter()
                    .map(|own| format!("{}: {}", line(&own.label, 60), line(&own.span.quote, 2 * TEXT_CHARS_MAX)))
                    .collect(),
            ),
        ]
        .into_iter()
        .filter(|(_, lines, _)| !lines.is_empty())
        .collect(),
        summary: review
            .summary
            .iter()
            .flat_map(|text| text.lines())
            .filter(|own| !own.trim().is_empty())
            .map(|own| line(own, 2 * TEXT_CHARS_MAX))
            .collect(),
        payload: payload.map(|text| block(text, PAYLOAD_CHARS_MAX)),
    };
    part.render().map_err(Error::Html)
}

/// What each category adds to the score, and the sum of all, in tenths.
fn worked(review: &Review) -> (Vec<Worked>, i64) {
    let mut sum = 0;
    let mut rows = Vec::new();
    for (category, count) in &review.categories {
        let Some(weight) = weight_tenths(category) else { continue };
        let adds = weight * i64::try_from(*count).unwrap_or(0);
        sum += adds;
        rows.push(Worked {
            category: line(category, 40).replace('_', " "),
            weight: tenths(weight),
            count: *count,
            adds: tenths(adds),
        });
    }
    (rows, sum)
}

/// "−0.8", "+1", "0".
fn tenths(value: i64) -> String {
    let whole = value.abs() / 10;
    let text = match value.abs() % 10 {
        0 => whole.to_string(),
        rest => format!("{whole}.{rest}"),
    };
    match value {
        0 => text,
        value if value < 0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

fn dimensions(review: &Review) -> Vec<(&'static str, String)> {
    let own = &review.dimensions;
    let all = [
        ("Correctness", own.correctness),
        ("Security", own.security),
        ("Completeness", own.completeness),
        ("Style", own.style),
    ];
    all.into_iter()
        .map(|(name, score)| (name, score.map_or_else(|| "n/a".to_owned(), |score| format!("{score:.2}"))))
        .collect()
}

fn contradiction(number: usize, own: &Contradiction, index: &Index<'_>) -> False {
    let said = |value: f64| {
        let unit = line(&own.unit, 20);
        if unit.is_empty() { amount(value) } else { format!("{} {unit}", amount(value)) }
    };
    False {
        number,
        kind: own.kind.label(),
        message: line(&own.message, 2 * TEXT_CHARS_MAX),
        sum: match (own.stated, own.computed) {
            (Some(stated), Some(computed)) => Some((said(stated), said(computed), said(stated - computed))),
            (Some(stated), None) => Some((said(stated), "beyond what a number holds".to_owned(), String::new())),
            _ => None,
        },
        refuted_by: own.refuted_by.iter().map(|at| at + 1).collect(),
        passages: own
            .spans
            .iter()
            .take(PASSAGES_MAX)
            .map(|span| {
                let passage = index.passage(span, PASSAGE_RADIUS_BYTES, TEXT_CHARS_MAX);
                (index.place(span), passage.before, passage.quote, passage.after)
            })
            .collect(),
        passages_more: own.spans.len().saturating_sub(PASSAGES_MAX),
    }
}

/// A number as people write it: at most six decimals, thousands apart.
fn amount(value: f64) -> String {
    let text = format!("{:.6}", value.abs());
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let decimals = decimals.trim_end_matches('0');
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let sign = if value < 0.0 && (grouped != "0" || !decimals.is_empty()) { "−" } else { "" };
    if decimals.is_empty() { format!("{sign}{grouped}") } else { format!("{sign}{grouped}.{decimals}") }
}

fn reported(own: &Criterion, index: &Index<'_>) -> Reported {
    let by = own.reported_by.as_ref();
    Reported {
        tone: match own.status {
            CriterionStatus::Met => "yes",
            CriterionStatus::Unmet => "no",
            CriterionStatus::Unreported => "sev2",
        },
        status: own.status.label(),
        text: format!("{}{}", line(&own.text, TEXT_CHARS_MAX), decided::by(&own.origin, None)),
        by: by.map_or_else(String::new, |by| line(&by.text, TEXT_CHARS_MAX)),
        found: by.map_or_else(String::new, |by| match by.fit {
            Some(fit) => format!("{}, fit {fit:.2}", by.matched.label()),
            None => by.matched.label().to_owned(),
        }),
        place: by.map_or_else(String::new, |by| index.place(&by.span)),
    }
}

/// The items by category; those that speak against the output are open.
fn categories(review: &Review, index: &Index<'_>, pages: &dyn Pages) -> Result<Vec<Category>, Error> {
    let each = review.categories.keys().enumerate().map(|(at, category)| {
        let own: Vec<_> = review.items.iter().filter(|item| item.category == *category).collect();
        let shown = rows_of(pages, &format!("category-{}", at + 1), "items", ROWS_SHOWN_MAX, own.len());
        Ok(Category {
            name: line(category, 40).replace('_', " "),
            open: weight_tenths(category).is_some_and(|weight| weight < 0) || shown.from > 0,
            count: own.len(),
            pages: shown.html()?,
            items: own
                .into_iter()
                .skip(shown.from)
                .take(ROWS_SHOWN_MAX)
                .map(|item| (line(&item.text, 2 * TEXT_CHARS_MAX), index.place(&item.span), item.says_none))
                .collect(),
        })
    });
    each.collect()
}

/// Every check-in in a line.
fn stands(review: &Review) -> Vec<String> {
    review
        .timeline
        .iter()
        .map(|own| {
            let status = own.status.as_ref().map_or_else(|| "no status".to_owned(), |it| line(it, TEXT_CHARS_MAX));
            let task = own.task_id.as_ref().map_or_else(String::new, |it| format!("{}: ", line(it, 80)));
            let cut = if own.cut_off { " (its block has no end)" } else { "" };
            format!("{task}{status}{cut}")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{amount, tenths};

    #[test]
    fn numbers_are_written_as_people_write_them() {
        let written = [0.0, -0.0, 12.0, 1234.5, -1_000_000.25, 0.1, 999.0].map(amount);
        assert_eq!(written, ["0", "0", "12", "1,234.5", "−1,000,000.25", "0.1", "999"]);
        assert_eq!([0, 10, -8, 25, -10].map(tenths), ["0", "+1", "−0.8", "+2.5", "−1"]);
    }
}
