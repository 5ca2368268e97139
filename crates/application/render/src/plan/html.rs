//! A plan as one self-contained page.

use askama::Template;
use steadfast_wire::Span;
use steadfast_wire::plan::{Constraint, Finding};

use super::day::{ROWS_MAX, Row, What, civil_minute, clock, day, span};
use super::digest::{counts, coverage, findings, is_good, verdict};
use super::marked::marked;
use super::model::parts;
use super::{Origin, Sheet, moved};
use crate::context::Index;
use crate::digest::count_of;
use crate::html::Frame;
use crate::plain::{line, shorten, shown};
use crate::rows::rows_of;
use crate::{Error, OnePage, Pages, Texts};

/// The style of both pages.
pub(super) const CSS: &str =
    concat!(include_str!("../../templates/report.css"), include_str!("../../templates/plan.css"));

const LINES_SHOWN_MAX: usize = 60;
const CONSTRAINTS_SHOWN_MAX: usize = 400;
const TEXT_CHARS_MAX: usize = 300;
const QUOTE_CHARS_MAX: usize = 200;

/// Width of the picture of a day, in its own units.
const PICTURE_WIDTH: i64 = 1000;

/// Longest stretch that is drawn, in minutes.
const PICTURE_MINUTES_MAX: i64 = 36 * 60;

const DAY_MINUTES: i64 = 24 * 60;

/// Most hours that the picture names.
const TICKS_MAX: i64 = 14;

/// The values of `plan_part.html`.
#[derive(Template)]
#[template(path = "plan_part.html")]
struct Part {
    /// Notes with their constraints marked, for a page that has a glossary.
    marked: Option<String>,
    given: bool,
    good: bool,
    verdict: &'static str,
    rule: String,
    valid: bool,
    validity: &'static str,
    counts: String,
    confidence: Option<(&'static str, &'static str)>,
    proof: Option<Proof>,
    failing: Vec<FindingRow>,
    failing_count: usize,
    noted: Vec<FindingRow>,
    noted_count: usize,
    picture: Option<Picture>,
    rows: Vec<DayRow>,
    rows_pages: String,
    lists: Vec<List>,
    constraints: Vec<ConstraintRow>,
    constraints_more: usize,
    constraint_count: usize,
    metrics: Vec<(&'static str, &'static str, String)>,
    trace: Vec<[String; 3]>,
}

struct Proof {
    proof: String,
    drop: Vec<String>,
    more: usize,
}

struct FindingRow {
    check: String,
    message: String,
    item: Option<usize>,
    quote: String,
    place: String,
}

struct DayRow {
    when: String,
    taken: bool,
    number: usize,
    fails: bool,
    what: String,
    beside: String,
    why: String,
    kind: &'static str,
    place: String,
}

/// Lines under a heading.
pub(super) struct List {
    pub(super) title: &'static str,
    pub(super) items: Vec<String>,
    pub(super) more: usize,
}

/// A constraint of the notes.
pub(super) struct ConstraintRow {
    pub(super) kind: &'static str,
    pub(super) soft: bool,
    pub(super) meaning: String,
    pub(super) quote: String,
    pub(super) place: String,
    pub(super) broken: bool,
}

/// The day as a picture: what the notes take, and the plan below it.
pub(crate) struct Picture {
    pub(crate) label: String,
    pub(crate) bars: Vec<Bar>,
    pub(crate) ticks: Vec<Tick>,
}

/// An item, or time that the notes take.
pub(crate) struct Bar {
    pub(crate) class: &'static str,
    pub(crate) x: i64,
    pub(crate) width: i64,
    pub(crate) middle: i64,
    pub(crate) number: String,
    pub(crate) title: String,
}

/// An hour.
pub(crate) struct Tick {
    pub(crate) x: i64,
    pub(crate) label: String,
}

/// The plan as one self-contained page without a script: the verdict, what fails it, the day as a picture and a table with what the
/// notes take of it, constraints with their quotes, counts, assumptions and questions. Text of notes and plans is escaped.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn html(sheet: &Sheet<'_>, texts: &Texts<'_>) -> Result<String, Error> {
    let frame = Frame {
        css: CSS,
        kind: match sheet.origin {
            Origin::Made { .. } => "Day plan",
            Origin::Given { .. } => "Check of a plan",
        },
        title: title(sheet),
        beside: subtitle(sheet),
        part: drawn(sheet, texts, None, &OnePage)?,
        footer: "Steadfast plan. Every constraint stands in the notes at the place that is named; a plan passes if it breaks none, invents nothing, plans no more time than there is and holds seven tenths of the tasks. Times are those of the zone above.",
    };
    frame.render().map_err(Error::Html)
}

/// What the plan is called.
#[must_use]
pub fn title(sheet: &Sheet<'_>) -> String {
    match sheet.origin {
        Origin::Made { .. } => format!("Plan for {}", sheet.current_time.get(..10).unwrap_or_default()),
        Origin::Given { file } => line(file, QUOTE_CHARS_MAX),
    }
}

/// The time and the zone that the notes were read in.
#[must_use]
pub fn subtitle(sheet: &Sheet<'_>) -> String {
    format!("{}, {}", clock(sheet.current_time, ""), line(sheet.timezone, QUOTE_CHARS_MAX))
}

/// What stands on that page below its title, for a page that has a glossary: the verdict, then sections, with the constraints marked in
/// the notes where their text is there. Its looks are in [`RESULT_CSS`](crate::RESULT_CSS).
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn part(sheet: &Sheet<'_>, texts: &Texts<'_>, pages: &dyn Pages) -> Result<String, Error> {
    drawn(sheet, texts, Some(marked(&sheet.validation.constraints, &sheet.validation.findings, texts)?), pages)
}

fn drawn(sheet: &Sheet<'_>, texts: &Texts<'_>, marked: Option<String>, pages: &dyn Pages) -> Result<String, Error> {
    let index = Index::new(texts);
    let validation = sheet.validation;
    let (hard, soft) = (findings(sheet, true), findings(sheet, false));
    let day = day(sheet);
    let shown = rows_of(pages, "plan", "rows", ROWS_MAX, day.len());
    let all: Vec<&Constraint> = validation.constraints.iter().collect();
    let (mut constraints, constraints_more) = stated(&all, &index);
    let with_words = validation.constraints.iter().filter(|it| it.span.is_some());
    for (row, constraint) in constraints.iter_mut().zip(with_words) {
        row.broken = hard.iter().any(|finding| finding.constraint_id.as_ref() == Some(&constraint.id));
    }
    let said: Vec<_> = sheet.model_view.iter().flat_map(|view| parts(view, &index)).collect();
    let part = Part {
        marked,
        given: matches!(sheet.origin, Origin::Given { .. }),
        good: is_good(sheet),
        verdict: verdict(sheet),
        rule: rule(sheet).to_owned(),
        valid: hard.is_empty(),
        validity: validation.status.name(),
        counts: counts(&validation.metrics).join(" · "),
        confidence: match sheet.origin {
            Origin::Made { confidence, variant, .. } => Some((confidence.name(), variant)),
            Origin::Given { .. } => None,
        },
        proof: match sheet.origin {
            Origin::Made { overload: Some(overload), .. } => Some(Proof {
                proof: line(&overload.proof, 2 * TEXT_CHARS_MAX),
                drop: overload.drop.iter().take(LINES_SHOWN_MAX).map(|task| line(task, TEXT_CHARS_MAX)).collect(),
                more: overload.drop.len().saturating_sub(LINES_SHOWN_MAX),
            }),
            _ => None,
        },
        failing: hard.iter().take(LINES_SHOWN_MAX).map(|finding| finding_row(finding, &index)).collect(),
        failing_count: hard.len(),
        noted: soft.iter().take(LINES_SHOWN_MAX).map(|finding| finding_row(finding, &index)).collect(),
        noted_count: soft.len(),
        picture: picture(&day[..day.len().min(ROWS_MAX)], sheet),
        rows: day.iter().skip(shown.from).take(ROWS_MAX).map(|row| day_row(row, sheet, &index)).collect(),
        rows_pages: shown.html()?,
        lists: [
            list(moved::TITLE, &moved::lines(sheet.moved, sheet.current_time)),
            list("Questions", sheet.questions),
            list("Not planned", sheet.set_apart),
            list("Assumptions", sheet.assumptions),
            list("Not checked", &validation.unchecked),
        ]
        .into_iter()
        .chain(said.iter().map(|part| list(part.title, &part.lines)))
        .filter(|list| !list.items.is_empty())
        .collect(),
        constraint_count: constraints.len() + constraints_more,
        constraints,
        constraints_more,
        metrics: metrics(sheet),
        trace: match sheet.origin {
            Origin::Made { trace, .. } => trace
                .iter()
                .map(|step| [&step.span, &step.input, &step.output].map(|text| line(text, TEXT_CHARS_MAX)))
                .collect(),
            Origin::Given { .. } => Vec::new(),
        },
    };
    part.render().map_err(Error::Html)
}

/// What the verdict rests on.
const fn rule(sheet: &Sheet<'_>) -> &'static str {
    match sheet.origin {
        Origin::Made { feasible: Some(false), .. } => "not everything fits",
        _ if is_good(sheet) => "every constraint is kept, nothing is invented",
        _ => "it breaks what the notes or the contract require",
    }
}

fn finding_row(finding: &Finding, index: &Index<'_>) -> FindingRow {
    let (quote, place) = finding.ask_span.as_ref().map_or_else(Default::default, |span| quoted(span, index));
    FindingRow {
        check: line(&finding.check, 80),
        message: line(&finding.message, 2 * TEXT_CHARS_MAX),
        item: finding.item_index.map(|at| at + 1),
        quote,
        place,
    }
}

fn quoted(span: &Span, index: &Index<'_>) -> (String, String) {
    (shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX), index.place(span))
}

/// Constraints that the notes state, and how many there are beyond those.
pub(super) fn stated(constraints: &[&Constraint], index: &Index<'_>) -> (Vec<ConstraintRow>, usize) {
    let stated = constraints.iter().filter_map(|it| it.span.as_ref().map(|span| (it, span)));
    let count = stated.clone().count();
    let rows = stated.take(CONSTRAINTS_SHOWN_MAX).map(|(constraint, span)| {
        let (quote, place) = quoted(span, index);
        ConstraintRow {
            kind: constraint.kind.label(),
            soft: !constraint.hard,
            meaning: line(&constraint.meaning, TEXT_CHARS_MAX),
            quote,
            place,
            broken: false,
        }
    });
    (rows.collect(), count.saturating_sub(CONSTRAINTS_SHOWN_MAX))
}

/// Lines under a heading.
pub(super) fn list(title: &'static str, lines: &[String]) -> List {
    List {
        title,
        items: lines.iter().take(LINES_SHOWN_MAX).map(|text| line(text, TEXT_CHARS_MAX)).collect(),
        more: lines.len().saturating_sub(LINES_SHOWN_MAX),
    }
}

fn day_row(row: &Row<'_>, sheet: &Sheet<'_>, index: &Index<'_>) -> DayRow {
    let when = span(row.start, row.end, sheet.current_time);
    match row.what {
        What::Item(at, item) => {
            let mut beside = vec![count_of(usize::try_from(item.timebox_minutes).unwrap_or(0), "minute")];
            if !item.with.is_empty() {
                beside.push(format!("with {}", line(&item.with.join(", "), QUOTE_CHARS_MAX)));
            }
            beside.extend(item.place.iter().map(|place| format!("at {}", line(place, QUOTE_CHARS_MAX))));
            let task = line(&item.task, TEXT_CHARS_MAX);
            DayRow {
                when,
                taken: false,
                number: at + 1,
                fails: sheet.validation.findings.iter().any(|it| it.hard && it.item_index == Some(at)),
                what: if task.is_empty() { "(no task named)".to_owned() } else { task },
                beside: beside.join(", "),
                why: line(&item.why, TEXT_CHARS_MAX),
                kind: "",
                place: String::new(),
            }
        }
        What::Taken(constraint) => DayRow {
            when,
            taken: true,
            number: 0,
            fails: false,
            what: line(What::named(constraint), QUOTE_CHARS_MAX),
            beside: String::new(),
            why: String::new(),
            kind: constraint.kind.label(),
            place: constraint.span.as_ref().map_or_else(String::new, |span| index.place(span)),
        },
    }
}

/// The picture of a plan's day.
pub(crate) fn picture_of(sheet: &Sheet<'_>) -> Option<Picture> {
    let day = day(sheet);
    picture(&day[..day.len().min(ROWS_MAX)], sheet)
}

/// The picture of a day; none where nothing has a time by the clock, or the times lie too far apart.
fn picture(rows: &[Row<'_>], sheet: &Sheet<'_>) -> Option<Picture> {
    let today = sheet.current_time;
    let fails = |at: usize| sheet.validation.findings.iter().any(|it| it.hard && it.item_index == Some(at));
    let timed: Vec<(&Row<'_>, i64, i64)> = rows
        .iter()
        .filter_map(|row| {
            let (start, end) = (civil_minute(row.start?)?, civil_minute(row.end?)?);
            (start < end).then_some((row, start, end))
        })
        .collect();
    let items = timed.iter().filter(|(row, ..)| matches!(row.what, What::Item(..)));
    let (first, last) = (items.clone().map(|it| it.1).min()?, items.map(|it| it.2).max()?);
    if last - first > PICTURE_MINUTES_MAX {
        return None;
    }
    // All that begins and ends on the days of the plan is drawn, however far from its items; what reaches beyond those days, as a night
    // does, is cut off an hour beside the rest.
    let (dawn, midnight) =
        (first.div_euclid(DAY_MINUTES) * DAY_MINUTES, -((-last).div_euclid(DAY_MINUTES)) * DAY_MINUTES);
    let within = || timed.iter().filter(|(_, start, end)| *start >= dawn && *end <= midnight);
    let over_dawn = timed.iter().filter(|(_, start, end)| *start < dawn && *end > dawn).map(|it| it.2 - 60);
    let over_midnight = timed.iter().filter(|(_, start, end)| *start < midnight && *end > midnight).map(|it| it.1 + 60);
    let from = within().map(|it| it.1).chain(over_dawn).min()?.max(dawn);
    let until = within().map(|it| it.2).chain(over_midnight).max()?.min(midnight);
    let (from, until) = (from.div_euclid(60) * 60, (until + 59).div_euclid(60) * 60);
    let x = |minute: i64| (minute.clamp(from, until) - from) * PICTURE_WIDTH / (until - from);
    let bars = timed.iter().filter(|(_, start, end)| *end > from && *start < until).map(|(row, start, end)| {
        let when = span(row.start, row.end, today);
        let (class, number, title) = match row.what {
            // What fails is marked by more than its colour.
            What::Item(at, item) if fails(at) => {
                ("item fails", format!("{}!", at + 1), format!("fails: {}", line(&item.task, QUOTE_CHARS_MAX)))
            }
            What::Item(at, item) => ("item", (at + 1).to_string(), line(&item.task, QUOTE_CHARS_MAX)),
            What::Taken(constraint) => ("taken", String::new(), line(&constraint.text, QUOTE_CHARS_MAX)),
        };
        let (left, right) = (x(*start), x(*end));
        Bar {
            class,
            x: left,
            width: (right - left).max(2),
            middle: i64::midpoint(left, right),
            number,
            title: format!("{when} {title}"),
        }
    });
    let hours = (until - from) / 60;
    let step = (hours + TICKS_MAX - 1) / TICKS_MAX;
    let ticks = (0..=hours).step_by(usize::try_from(step.max(1)).unwrap_or(1)).map(|hour| Tick {
        x: x(from + hour * 60),
        label: format!("{}", (from + hour * 60).div_euclid(60).rem_euclid(24)),
    });
    let named = |minute: i64| format!("{:02}:00", minute.div_euclid(60).rem_euclid(24));
    Some(Picture {
        label: format!("The plan from {} to {}, {}", named(from), named(until), clock(today, "")),
        bars: bars.collect(),
        ticks: ticks.collect(),
    })
}

/// The metrics of the contract: name, word in the glossary, value.
fn metrics(sheet: &Sheet<'_>) -> Vec<(&'static str, &'static str, String)> {
    let metrics = &sheet.validation.metrics;
    vec![
        ("constraints_declared", "constraint", metrics.constraints_declared.to_string()),
        ("constraints_violated", "constraint", metrics.constraints_violated.to_string()),
        ("time_available_minutes", "time-available", metrics.time_available_minutes.to_string()),
        ("time_planned_minutes", "time-planned", metrics.time_planned_minutes.to_string()),
        ("time_overflow_minutes", "time-overflow", metrics.time_overflow_minutes.to_string()),
        ("hallucination_flags", "hallucinations", metrics.hallucination_flags.to_string()),
        ("human_feasibility_flags", "human-feasibility", metrics.human_feasibility_flags.to_string()),
        ("context_coverage_ratio", "coverage", coverage(metrics)),
    ]
}
