//! A piece of work from its ask to its report on one self-contained page: what each instrument found of it, with quotes.
//!
//! The page tells what the results hold and no more: it is drawn of any five results, and links to the full report of each.

use std::collections::BTreeMap;

use askama::Template;
use steadfast_wire::Span;
use steadfast_wire::audit::DriftEvaluation;
use steadfast_wire::pick::{FinalOutput, PickMode};
use steadfast_wire::plan::PlanResponse;
use steadfast_wire::review::{CriterionStatus, Review};
use steadfast_wire::watch::{AlertCause, Trajectory, Watch};

use crate::context::Index;
use crate::digest::{by_severity, count_of, obligations, severity_word};
use crate::html::policy::policy;
use crate::plain::{line, shorten, shown};
use crate::plan::{Picture, Sheet, clock, counts, picture_of};
use crate::review;
use crate::standing::{Standing, because, tally};
use crate::watch;
use crate::{Error, Texts};

const CSS: &str = concat!(
    include_str!("../templates/report.css"),
    include_str!("../templates/plan.css"),
    include_str!("../templates/watch.css"),
    include_str!("../templates/story.css")
);

/// Paragraphs of the ask that are shown, and characters of each.
const PARAGRAPHS_MAX: usize = 60;
const PARAGRAPH_CHARS_MAX: usize = 1_200;
/// Tasks, plans, trajectories and rows of each list that are shown; the full reports have the others.
const TASKS_MAX: usize = 12;
const PLANS_MAX: usize = 6;
const TRAJECTORIES_MAX: usize = 6;
const ROWS_MAX: usize = 12;
const TEXT_CHARS_MAX: usize = 400;
const QUOTE_CHARS_MAX: usize = 500;
/// Points of a drift curve.
const POINTS_MAX: usize = 400;

/// A piece of work, as five instruments saw it.
#[derive(Clone, Copy, Debug)]
pub struct Story<'a> {
    /// What it is about.
    pub title: &'a str,
    /// What was asked for: the file's name and its text.
    pub ask: (&'a str, &'a str),
    /// What was picked, a result for each task.
    pub picks: &'a [FinalOutput],
    /// Titles of prompts, by their ids.
    pub titles: &'a BTreeMap<String, String>,
    /// Plans of the same notes, each with the address of its full report. What is shown last is the one to go by.
    pub plans: &'a [(&'a PlanResponse, &'a str)],
    /// How the agent kept to its goal.
    pub watch: &'a Watch,
    /// What a sub-agent reported.
    pub review: &'a Review,
    /// The report.
    pub audit: &'a DriftEvaluation,
    /// Where the full reports of pick, watch, review and audit stand, seen from the page.
    pub reports: Reports<'a>,
    /// What the reader should know of how it was made.
    pub notes: &'a [String],
}

/// Where full reports stand: relative addresses, percent-encoded by the caller where they need to be.
#[derive(Clone, Copy, Debug)]
pub struct Reports<'a> {
    /// Of `pick`.
    pub pick: &'a str,
    /// Of `watch`.
    pub watch: &'a str,
    /// Of `review`.
    pub review: &'a str,
    /// Of `audit`.
    pub audit: &'a str,
}

/// The values of `story.html`.
#[derive(Template)]
#[template(path = "story.html")]
struct Page<'a> {
    csp: String,
    css: &'static str,
    title: String,
    ask_file: String,
    ask: Vec<String>,
    ask_more: usize,
    notes: Vec<String>,
    picks: Vec<Picked>,
    plans: Vec<Planned<'a>>,
    alerted: String,
    made_with: String,
    runs: Vec<Followed>,
    review: Reviewed,
    audit: Audited,
    reports: Reports<'a>,
}

struct Picked {
    task: String,
    mode: &'static str,
    asks: bool,
    prompts: Vec<Prompt>,
    questions: Vec<String>,
}

struct Prompt {
    title: String,
    id: String,
    stage: &'static str,
    why: String,
}

struct Planned<'a> {
    variant: &'static str,
    good: bool,
    verdict: &'static str,
    counts: String,
    picture: Option<Picture>,
    failing: Vec<Told>,
    failing_more: usize,
    items: Vec<[String; 3]>,
    items_more: usize,
    report: &'a str,
}

/// One thing that was found, with the words that it rests on.
struct Told {
    message: String,
    quote: String,
    place: String,
}

struct Followed {
    name: String,
    steps: usize,
    svg: String,
    onset: Option<String>,
    alerts: Vec<(String, &'static str)>,
    bans: Vec<Ban>,
    bans_more: usize,
}

struct Ban {
    step: i64,
    term: String,
    ban: String,
    quote: String,
}

struct Reviewed {
    file: String,
    good: bool,
    verdict: String,
    why: String,
    false_claims: Vec<Told>,
    criteria: Vec<(&'static str, &'static str, String)>,
    more: usize,
}

struct Audited {
    assessed: String,
    score: String,
    risk: &'static str,
    usable: bool,
    because: &'static str,
    reasons: Vec<String>,
    counts: String,
    incidents: Vec<Incident>,
    more: usize,
    missing: Vec<Told>,
    missing_more: usize,
    kept: usize,
}

struct Incident {
    severity: u8,
    severity_word: &'static str,
    label: &'static str,
    explanation: String,
    absent: bool,
    asked: Option<Told>,
    said: Option<Told>,
}

/// The page, without a script: nothing is fetched, judged text is escaped, the full reports are linked. `texts` are those of all files that results quote.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn html(story: &Story<'_>, texts: &Texts<'_>) -> Result<String, Error> {
    let index = Index::new(texts);
    let paragraphs = paragraphs(story.ask.1);
    let page = Page {
        csp: policy(CSS, None),
        css: CSS,
        title: line(story.title, TEXT_CHARS_MAX),
        ask_file: line(story.ask.0, TEXT_CHARS_MAX),
        ask: paragraphs.iter().take(PARAGRAPHS_MAX).map(|own| line(own, PARAGRAPH_CHARS_MAX)).collect(),
        ask_more: paragraphs.len().saturating_sub(PARAGRAPHS_MAX),
        notes: story.notes.iter().take(ROWS_MAX).map(|own| line(own, TEXT_CHARS_MAX)).collect(),
        picks: story.picks.iter().take(TASKS_MAX).map(|own| picked(own, story.titles)).collect(),
        plans: story.plans.iter().take(PLANS_MAX).map(|(own, report)| planned(own, report, &index)).collect(),
        alerted: watch::alerted_count(story.watch),
        made_with: watch::made_with(story.watch),
        runs: story.watch.trajectories.iter().take(TRAJECTORIES_MAX).enumerate().map(followed).collect(),
        review: reviewed(story.review, &index),
        audit: audited(story.audit, &index),
        reports: story.reports,
    };
    page.render().map_err(Error::Html)
}

/// What stands between empty lines.
fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for own in text.lines() {
        match (own.trim().is_empty(), paragraphs.last_mut()) {
            (true, Some(last)) if !last.is_empty() => paragraphs.push(String::new()),
            (false, Some(last)) => {
                last.push_str(own);
                last.push('\n');
            }
            _ => {}
        }
    }
    paragraphs.retain(|own| !own.is_empty());
    paragraphs
}

fn picked(own: &FinalOutput, titles: &BTreeMap<String, String>) -> Picked {
    let prompts = own.selected_prompts.iter().take(ROWS_MAX).map(|it| Prompt {
        title: line(titles.get(&it.prompt_id).unwrap_or(&it.prompt_id), TEXT_CHARS_MAX),
        id: line(&it.prompt_id, TEXT_CHARS_MAX),
        stage: it.stage.label(),
        why: line(&it.why, TEXT_CHARS_MAX),
    });
    Picked {
        task: line(&own.task_spec.raw_query, TEXT_CHARS_MAX),
        mode: own.mode.label(),
        asks: own.mode == PickMode::Clarify,
        prompts: prompts.collect(),
        questions: own.clarification_questions.iter().take(ROWS_MAX).map(|it| line(it, TEXT_CHARS_MAX)).collect(),
    }
}

fn planned<'a>(own: &PlanResponse, report: &'a str, index: &Index<'_>) -> Planned<'a> {
    let sheet = Sheet::from(own);
    let failing: Vec<_> = own.validation.findings.iter().filter(|it| it.hard).collect();
    let told = |it: &steadfast_wire::plan::Finding| told(&it.message, it.ask_span.as_ref(), index);
    let time = |at: &Option<String>| at.as_deref().map_or_else(String::new, |at| clock(at, &own.current_time));
    let item = |it: &steadfast_wire::plan::PlanItem| {
        [
            format!("{}–{}", time(&it.start), time(&it.end)),
            line(&it.task, TEXT_CHARS_MAX),
            line(&it.why, TEXT_CHARS_MAX),
        ]
    };
    Planned {
        variant: own.debug.variant.name(),
        good: own.status == steadfast_wire::plan::Status::Recommended,
        verdict: own.status.label(),
        counts: counts(&own.validation.metrics).join(" · "),
        picture: picture_of(&sheet),
        failing_more: failing.len().saturating_sub(ROWS_MAX),
        failing: failing.into_iter().take(ROWS_MAX).map(told).collect(),
        items: own.plan.iter().take(ROWS_MAX).map(item).collect(),
        items_more: own.plan.len().saturating_sub(ROWS_MAX),
        report,
    }
}

fn followed((at, own): (usize, &Trajectory)) -> Followed {
    let broken: Vec<Ban> = own
        .steps
        .iter()
        .flat_map(|step| step.broken.iter().map(move |ban| (step.step, ban)))
        .map(|(step, ban)| Ban {
            step,
            term: line(&ban.term, TEXT_CHARS_MAX),
            ban: line(&ban.ban, QUOTE_CHARS_MAX),
            quote: line(&ban.quote, QUOTE_CHARS_MAX),
        })
        .take(ROWS_MAX + 1)
        .collect();
    let count = own.steps.iter().map(|step| step.broken.len()).sum::<usize>();
    let alerts = own.alerts.iter().filter(|it| it.cause == AlertCause::Ids).take(ROWS_MAX);
    Followed {
        name: watch::name(&own.task_id, own.agent.as_deref()),
        steps: own.steps.len(),
        svg: watch::curve(own, &format!("curve-{}", at + 1), POINTS_MAX, true).svg,
        onset: watch::onset(own),
        alerts: alerts.map(|it| (watch::steps_of(it), it.cause.label())).collect(),
        bans_more: count.saturating_sub(ROWS_MAX),
        bans: broken.into_iter().take(ROWS_MAX).collect(),
    }
}

fn reviewed(own: &Review, index: &Index<'_>) -> Reviewed {
    let why =
        own.not_evaluable.clone().or_else(|| review::capped(own).map(|why| format!("No better than review: {why}.")));
    let class = |status| match status {
        CriterionStatus::Met => "yes",
        CriterionStatus::Unmet => "no",
        CriterionStatus::Unreported => "open-one",
    };
    let beyond = |count: usize| count.saturating_sub(ROWS_MAX);
    Reviewed {
        file: line(&own.output.file, TEXT_CHARS_MAX),
        good: review::is_good(own),
        verdict: review::verdict(own),
        why: line(&why.unwrap_or_default(), TEXT_CHARS_MAX),
        false_claims: own
            .contradictions
            .iter()
            .take(ROWS_MAX)
            .map(|it| told(&it.message, it.spans.first(), index))
            .collect(),
        criteria: own
            .criteria
            .iter()
            .take(ROWS_MAX)
            .map(|it| (it.status.label(), class(it.status), review::criterion(it)))
            .collect(),
        more: beyond(own.criteria.len()) + beyond(own.contradictions.len()),
    }
}

fn audited(own: &DriftEvaluation, index: &Index<'_>) -> Audited {
    let incidents = by_severity(own);
    let missing = obligations(own, Standing::Missing);
    Audited {
        assessed: own.assessed.words(),
        score: format!("{:.1}", own.overall_fidelity_score.clamp(0.0, 5.0)),
        risk: own.overall_drift_risk.name(),
        usable: own.usable_as_is,
        because: because(own),
        reasons: own
            .disqualifiers
            .iter()
            .take(ROWS_MAX)
            .map(|it| format!("{}: {}", it.condition.label(), line(&it.explanation, TEXT_CHARS_MAX)))
            .collect(),
        counts: format!("{} of the prompt: {}", count_of(own.obligations.len(), "obligation"), tally(own)),
        more: incidents.len().saturating_sub(ROWS_MAX),
        incidents: incidents
            .into_iter()
            .take(ROWS_MAX)
            .map(|it| Incident {
                severity: it.severity,
                severity_word: severity_word(it.severity),
                label: it.drift_type.label(),
                explanation: line(&it.explanation, TEXT_CHARS_MAX),
                absent: it.absent,
                asked: it.source_span.as_ref().map(|span| told("", Some(span), index)),
                said: it.output_span.as_ref().map(|span| told("", Some(span), index)),
            })
            .collect(),
        missing_more: missing.len().saturating_sub(ROWS_MAX),
        missing: missing.iter().take(ROWS_MAX).map(|it| told("", Some(&it.span), index)).collect(),
        kept: obligations(own, Standing::Kept).len(),
    }
}

fn told(message: &str, span: Option<&Span>, index: &Index<'_>) -> Told {
    let (quote, place) = span.map_or_else(Default::default, |span| {
        (shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX), index.place(span))
    });
    Told { message: line(message, TEXT_CHARS_MAX), quote, place }
}
