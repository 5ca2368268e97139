//! Trajectories while they go on: the list of them, and the page of one, which a small script keeps up with.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, Query as Asked, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use steadfast_engine::live::TrajectoryFilter;
use steadfast_render::watch::{self as drawing, StepText};
use steadfast_wire::live::{KeptStep, StepScored, TrajectoryHead, TrajectoryPage};
use steadfast_wire::watch::{Step, Trajectory};

use super::Query;
use super::results::{made, value};
use super::shell::{Page, Section, encoded, filters, host_of, non_empty, show, with_query};
use crate::app::App;
use crate::problem::Problem;

/// Trajectories on a page.
const TRAJECTORIES_ON_A_PAGE: usize = 50;

/// Steps on a page.
const STEPS_ON_A_PAGE: usize = 50;

/// Steps that the curve shows: the last ones that have scores.
const CURVE_STEPS_MAX: usize = 500;

/// Curves of a page: one for each agent.
const CURVES_MAX: usize = 8;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/watch/live", get(list)).route("/watch/live/{id}", get(one))
}

/// A trajectory in the list.
pub(super) struct Row {
    pub(super) mean: String,
    pub(super) max: String,
    pub(super) waiting: u64,
    pub(super) head: TrajectoryHead,
}

impl Row {
    fn of(head: TrajectoryHead) -> Self {
        let waiting = head.steps.saturating_sub(head.scored);
        Self { mean: score(head.mean_ids), max: score(head.max_ids), waiting, head }
    }
}

/// The trajectories that changed last; none where the server follows none.
pub(super) async fn recent(app: &App, count: usize) -> Result<Vec<Row>, Problem> {
    let Some(door) = app.live.as_ref() else { return Ok(Vec::new()) };
    let found = door.read(move |live| live.list(TrajectoryFilter::default(), None, count)).await?;
    Ok(found.trajectories.into_iter().map(Row::of).collect())
}

#[derive(Template)]
#[template(path = "live_list.html")]
struct ListPage {
    page: Page,
    keeps: bool,
    rows: Vec<Row>,
    search: String,
    alerting: bool,
    filtered: bool,
    here: String,
    first: String,
    next: String,
    /// By which name the server was called.
    host: String,
}

fn score(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.3}"))
}

fn nothing_kept() -> Problem {
    let refusal = steadfast_engine::calls::Refusal::input("this server keeps nothing, so it follows no trajectory");
    refusal.hint("start the server without `--no-store`").into()
}

/// Trajectories, those that changed last first.
async fn list(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Asked(query): Asked<Query>,
) -> Result<Response, Problem> {
    let (search, cursor) = (value(&query, "search"), value(&query, "cursor"));
    let alerting = value(&query, "alerting") == "true";
    let only = if alerting { "true" } else { "" };
    let filters = [("search", search.as_str()), ("alerting", only)];
    let here = with_query("/watch/live", &filters);
    let page = Page::new(Section::Watch, "Live trajectories")
        .in_section()
        .lead("Agents that post their steps while they work, those that did so last first.");
    let mut own = ListPage {
        page,
        keeps: app.live.is_some(),
        rows: Vec::new(),
        filtered: alerting || !search.is_empty(),
        here: here.clone(),
        first: if cursor.is_empty() { String::new() } else { here },
        next: String::new(),
        host: host_of(&headers),
        alerting,
        search: search.clone(),
    };
    let Some(door) = app.live.as_ref() else { return show(&own) };
    let limit = TRAJECTORIES_ON_A_PAGE.to_string();
    let all = [filters[0], filters[1], ("limit", limit.as_str()), ("cursor", cursor.as_str())];
    own.page.json = Some(with_query("/api/trajectories", &all));
    let (filter, after) = (TrajectoryFilter { alerting, search: non_empty(&search) }, non_empty(&cursor));
    let found = door.read(move |live| live.list(filter, after.as_deref(), TRAJECTORIES_ON_A_PAGE)).await?;
    own.rows = found.trajectories.into_iter().map(Row::of).collect();
    own.next = found
        .next_cursor
        .map_or_else(String::new, |next| with_query("/watch/live", &[filters[0], filters[1], ("cursor", &next)]));
    show(&own)
}

#[derive(Template)]
#[template(path = "live.html")]
struct LivePage {
    page: Page,
    head: TrajectoryHead,
    mean: String,
    max: String,
    onset: String,
    waiting_note: String,
    of_steps: String,
    /// What is told from here on.
    events: String,
    /// Whether the page shows the newest steps, which change.
    newest: bool,
    newest_href: String,
    here: String,
    /// The curve of each agent, as HTML.
    curves: Vec<(String, String)>,
    curve_cut: bool,
    curve_steps: usize,
    /// Steps one after the other of the same agent, as HTML.
    stretches: Vec<(String, String)>,
    /// The beginnings of what steps say that have no scores yet.
    unscored: Vec<String>,
    unscored_from: u64,
    first: u64,
    last: u64,
    earlier: String,
    later: String,
}

/// One trajectory: its figures, its curve, a page of its steps; the newest where no place is named.
async fn one(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Asked(query): Asked<Query>,
) -> Result<Response, Problem> {
    let Some(door) = app.live.as_ref() else { return Err(nothing_kept()) };
    let named = query.get("from").and_then(|from| from.parse::<u64>().ok());
    let wanted = id.clone();
    let read = door.read(move |live| {
        let steps = live.trajectory(&wanted)?.steps;
        let rows = STEPS_ON_A_PAGE as u64;
        let newest = steps.saturating_sub(1) / rows * rows;
        let from = named.unwrap_or(newest).min(newest);
        let page = live.page(&wanted, Some(from), STEPS_ON_A_PAGE)?;
        let mut after = page.trajectory.scored.checked_sub(CURVE_STEPS_MAX as u64 + 1);
        let mut told: Vec<StepScored> = Vec::new();
        while told.len() < CURVE_STEPS_MAX {
            let more = live.events(&wanted, after, CURVE_STEPS_MAX - told.len())?;
            let Some(last) = more.last() else { break };
            after = Some(last.number);
            told.extend(more);
        }
        Ok((page, from, told))
    });
    let (read, from, told) = read.await?;
    show(&shown(&id, read, from, told, named.is_none())?)
}

fn shown(id: &str, read: TrajectoryPage, from: u64, told: Vec<StepScored>, newest: bool) -> Result<LivePage, Problem> {
    let TrajectoryPage { trajectory: head, steps, goals, next_cursor, .. } = read;
    let place = |from: u64| with_query(&address(id), &[("from", &from.to_string())]);
    let after = head.scored.checked_sub(1).map(|last| last.to_string()).unwrap_or_default();
    let waiting = head.steps.saturating_sub(head.scored);
    let last = from + steps.len() as u64;
    let mut stretches: Vec<(String, String)> = Vec::new();
    let scored: Vec<&KeptStep> = steps.iter().filter(|step| step.scores.is_some()).collect();
    for same in scored.chunk_by(|one, next| one.agent == next.agent) {
        let agent = same.first().and_then(|step| step.agent.clone());
        let of = same.iter().filter_map(|step| {
            let scores = step.scores.clone()?;
            let goal = goals.get(&scores.goal_from).cloned().unwrap_or_default();
            Some(scores.with_goal(goal))
        });
        let own = trajectory(id, agent.clone(), of.collect(), &head);
        let texts = |at: usize| {
            same.get(at).map_or_else(StepText::default, |step| StepText {
                prompt: step.prompt.as_deref(),
                output: step.output.as_deref(),
            })
        };
        stretches.push((agent.unwrap_or_default(), made(drawing::steps(&own, 0, &texts))?));
    }
    let unscored: Vec<&KeptStep> = steps.iter().filter(|step| step.scores.is_none()).collect();
    let mut page = Page::new(Section::Watch, id.to_owned()).in_section().below("Live", "/watch/live");
    page.json = Some(format!("/api/trajectories/{}?cursor={from}&limit={STEPS_ON_A_PAGE}", encoded(id)));
    page.lead = head.intent.clone().unwrap_or_default();
    page.scripts = &["instruments.js", "live.js"];
    Ok(LivePage {
        page,
        mean: score(head.mean_ids),
        max: score(head.max_ids),
        onset: head.onset.map_or_else(|| "none".to_owned(), |step| format!("step {step}")),
        waiting_note: if waiting == 0 { String::new() } else { format!("{waiting} of them wait for their scores") },
        of_steps: if head.of_steps == head.steps { String::new() } else { format!("of {} steps", head.of_steps) },
        events: with_query(&format!("/api/trajectories/{}/events", encoded(id)), &[("after", &after)]),
        newest,
        newest_href: address(id),
        here: if newest { address(id) } else { place(from) },
        curve_cut: head.scored > CURVE_STEPS_MAX as u64,
        curves: curves(id, told, &head)?,
        curve_steps: CURVE_STEPS_MAX,
        stretches,
        unscored_from: unscored.first().map_or(1, |step| step.number + 1),
        unscored: unscored
            .into_iter()
            .map(|step| step.output.clone().or_else(|| step.prompt.clone()).unwrap_or_else(|| "(no text)".to_owned()))
            .collect(),
        first: from + 1,
        last,
        earlier: if from == 0 { String::new() } else { place(from.saturating_sub(STEPS_ON_A_PAGE as u64)) },
        later: next_cursor.map(place).unwrap_or_default(),
        head,
    })
}

fn address(id: &str) -> String {
    format!("/watch/live/{}", encoded(id))
}

/// The curve of each agent over the steps that were told.
fn curves(id: &str, told: Vec<StepScored>, head: &TrajectoryHead) -> Result<Vec<(String, String)>, Problem> {
    let mut agents: Vec<(Option<String>, Vec<Step>)> = Vec::new();
    for step in told {
        let scores = step.scores.with_goal(step.goal.unwrap_or_default());
        match agents.iter_mut().find(|(agent, _)| *agent == step.agent) {
            Some((_, steps)) => steps.push(scores),
            None => agents.push((step.agent, vec![scores])),
        }
    }
    let drawn = agents.into_iter().take(CURVES_MAX).enumerate().map(|(at, (agent, steps))| {
        let own = trajectory(id, agent.clone(), steps, head);
        Ok((agent.unwrap_or_default(), made(drawing::live_curve(at + 1, &own))?))
    });
    drawn.collect()
}

/// Steps as a trajectory that `render` draws. What is known of the whole is known of the agent where there is one alone.
fn trajectory(id: &str, agent: Option<String>, steps: Vec<Step>, head: &TrajectoryHead) -> Trajectory {
    let alone = head.agents <= 1;
    Trajectory {
        task_id: id.to_owned(),
        agent,
        parent: None,
        initial_intent: None,
        steps,
        mean_ids: head.mean_ids.filter(|_| alone),
        max_ids: head.max_ids.filter(|_| alone),
        goal_shift: None,
        onset: head.onset.filter(|_| alone),
        onset_test: None,
        alerts: Vec::new(),
    }
}
