//! How often hard obligations were broken, week by week.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query as Asked, State};
use axum::http::StatusCode;
use axum::response::Response;
use steadfast_engine::calls::with_store;
use steadfast_engine::limits::SUMMARY_WEEKS_MAX;
use steadfast_engine::summary::weekly;
use steadfast_wire::summary::WeeklySummary;

use super::Query;
use super::results::value;
use super::shell::{Page, Section, filters, keeps, show_as, with_query};
use crate::api::{WEEKS_DEFAULT, ZONE_DEFAULT};
use crate::app::App;
use crate::problem::Problem;

#[derive(Template)]
#[template(path = "summary.html")]
struct SummaryPage {
    page: Page,
    keeps: bool,
    weeks: String,
    weeks_max: u32,
    timezone: String,
    unread: u64,
    rows: Vec<Week>,
}

/// A week as the page shows it, the newest first.
struct Week {
    title: String,
    broken: u64,
    runs: u64,
    share: String,
    rows: Vec<Row>,
}

/// What one agent broke, in all (no check) or by one check.
struct Row {
    agent: Option<String>,
    check: String,
    broken: u64,
    runs: u64,
    share: String,
}

pub(super) async fn page(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Response, Problem> {
    let or = |typed: String, other: String| if typed.is_empty() { other } else { typed };
    let weeks = or(value(&query, "weeks"), WEEKS_DEFAULT.to_string());
    let timezone = or(value(&query, "timezone"), ZONE_DEFAULT.to_owned());
    let page = Page::new(Section::Overview, "Week by week")
        .in_section()
        .lead("In which share of runs a hard obligation was broken, by agent and check.");
    let mut shown = SummaryPage {
        page,
        keeps: keeps(&app),
        weeks,
        weeks_max: SUMMARY_WEEKS_MAX,
        timezone,
        unread: 0,
        rows: Vec::new(),
    };
    if !shown.keeps {
        return show_as(StatusCode::OK, &shown);
    }
    // What is no number is as little a number of weeks as none.
    let count = shown.weeks.parse().unwrap_or(0);
    let zone = shown.timezone.clone();
    match with_store(&app.host, move |store| weekly(store, count, &zone)).await {
        Ok(summary) => {
            let asked = [("weeks", shown.weeks.as_str()), ("timezone", shown.timezone.as_str())];
            shown.page = shown.page.json(with_query("/api/summary", &asked));
            shown.unread = summary.unread;
            shown.rows = rows(&summary);
            show_as(StatusCode::OK, &shown)
        }
        Err(refusal) => {
            let problem = Problem::from(refusal);
            let status = problem.status;
            shown.page = shown.page.trouble(Some(problem));
            show_as(status, &shown)
        }
    }
}

fn rows(summary: &WeeklySummary) -> Vec<Week> {
    let share = |share: f64| format!("{:.1} %", share * 100.0);
    let weeks = summary.weeks.iter().rev().map(|week| {
        let mut rows = Vec::new();
        for own in &week.agents {
            let row = |check: &str, broken: u64, part: f64| Row {
                agent: own.agent.clone(),
                check: check.to_owned(),
                broken,
                runs: own.runs,
                share: share(part),
            };
            rows.push(row("", own.broken, own.share));
            rows.extend(own.checks.iter().map(|check| row(&check.check, check.broken, check.share)));
        }
        Week {
            title: format!("{} from {}", week.week, week.begins),
            broken: week.all.broken,
            runs: week.all.runs,
            share: share(week.all.share),
            rows,
        }
    });
    weeks.collect()
}
