//! The first page: what needs attention, how much ran, and what ran lately.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use jiff::ToSpan;
use jiff::civil::Date;
use steadfast_engine::alerts::AlertFilter;
use steadfast_engine::runs::{RunFilter, find_runs, overview};
use steadfast_render::{Day, trend};
use steadfast_wire::overview::{DayCount, Overview};

use super::alerts::{Firing, firing};
use super::live;
use super::runs::{Row, wants_looking_at};
use super::shell::{Page, Section, filters, host_of, keeps, kept, show};
use crate::app::App;
use crate::problem::Problem;

/// Runs that the page lists.
const RUNS_SHOWN: usize = 10;

/// Trajectories that the page lists.
const FOLLOWED_SHOWN: usize = 5;

/// Rules and agents that the page lists as firing.
const FIRING_SHOWN: usize = 5;

/// Runs that want looking at, on the page.
const ATTENTION_SHOWN: usize = 8;

/// Days that are counted.
const DAYS: u64 = 30;

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage {
    page: Page,
    host: String,
    keeps: bool,
    days: u64,
    runs: u64,
    wanting: u64,
    instruments: Vec<Instrument>,
    attention: Vec<Row>,
    rows: Vec<Row>,
    /// Agents that are followed while they work, those that posted last first.
    followed: Vec<live::Row>,
    /// Whether there are rules of alerts.
    has_rules: bool,
    /// What fires now, and whether that is not all.
    firing: Vec<Firing>,
    more: bool,
}

/// What ran of one instrument.
struct Instrument {
    label: &'static str,
    href: &'static str,
    verb: &'static str,
    runs: u64,
    wanting: u64,
    chart: String,
}

pub(super) async fn page(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Problem> {
    let keeps = keeps(&app);
    let mut shown = OverviewPage {
        page: Page::new(Section::Overview, "Overview"),
        host: host_of(&headers),
        keeps,
        days: DAYS,
        runs: 0,
        wanting: 0,
        instruments: Vec::new(),
        attention: Vec::new(),
        rows: Vec::new(),
        followed: live::recent(&app, FOLLOWED_SHOWN).await?,
        has_rules: !app.settings.rules.is_empty(),
        firing: Vec::new(),
        more: false,
    };
    if keeps {
        let rules = app.settings.rules.clone();
        let (glance, recent, today, (fires, more)) = kept(&app, move |store| {
            let today: String = store.stamp()?.at.chars().take("2026-01-25".len()).collect();
            let fires = firing(store, &rules, AlertFilter::default(), FIRING_SHOWN)?;
            let recent = find_runs(store, RunFilter::default(), None, RUNS_SHOWN)?;
            Ok((overview(store, DAYS, ATTENTION_SHOWN)?, recent, today, fires))
        })
        .await?;
        (shown.firing, shown.more) = (fires, more);
        shown.rows = recent.runs.iter().map(Row::of).collect();
        shown.attention = glance.attention.iter().map(Row::of).collect();
        let days = days(&glance.since, &today);
        let sections = [Section::Pick, Section::Plan, Section::Watch, Section::Review, Section::Audit];
        shown.instruments = sections.iter().map(|section| instrument(*section, &glance, &days)).collect();
        shown.runs = shown.instruments.iter().map(|own| own.runs).sum();
        shown.wanting = shown.instruments.iter().map(|own| own.wanting).sum();
    }
    show(&shown)
}

/// The days from the first to the last one, `DAYS` at most: both are dates of RFC 3339, and what is none gives no days.
fn days(first: &str, last: &str) -> Vec<String> {
    let all = first.parse::<Date>().into_iter().flat_map(|first| first.series(1.day()));
    all.map(|day| day.to_string()).take(DAYS as usize).take_while(|day| **day <= *last).collect()
}

fn instrument(section: Section, glance: &Overview, days: &[String]) -> Instrument {
    let mut by_day: BTreeMap<&str, Day> = BTreeMap::new();
    let wanting = |count: &DayCount| wants_looking_at(&count.verb, count.verdict.as_deref(), count.exit_status);
    for count in glance.counts.iter().filter(|count| Section::of_verb(&count.verb) == section) {
        let day = by_day.entry(count.day.as_str()).or_default();
        day.runs += count.runs;
        day.attention += if wanting(count) { count.runs } else { 0 };
    }
    let (runs, attention) =
        by_day.values().fold((0, 0), |(runs, attention), day| (runs + day.runs, attention + day.attention));
    let bars: Vec<Day> = days
        .iter()
        .map(|day| Day { day: day.clone(), ..by_day.get(day.as_str()).cloned().unwrap_or_default() })
        .collect();
    let verb = match section {
        Section::Pick => "pick",
        Section::Plan => "plan",
        Section::Watch => "watch",
        Section::Review => "review",
        _ => "audit",
    };
    Instrument {
        label: section.label(),
        href: section.href(),
        verb,
        runs,
        wanting: attention,
        chart: trend(&format!("trend-{verb}"), &format!("Runs of {verb} by day"), &bars),
    }
}

#[cfg(test)]
mod tests {
    use super::days;

    #[test]
    fn days_follow_each_other() {
        for (day, next) in [
            ("2026-01-25", "2026-01-26"),
            ("2026-01-31", "2026-02-01"),
            ("2026-02-28", "2026-03-01"),
            ("2028-02-28", "2028-02-29"),
            ("2028-02-29", "2028-03-01"),
            ("2100-02-28", "2100-03-01"),
            ("2026-12-31", "2027-01-01"),
        ] {
            assert_eq!(days(day, next), [day, next]);
        }
        assert!(days("today", "tomorrow").is_empty());
        assert_eq!(days("2026-02-27", "2026-03-01"), ["2026-02-27", "2026-02-28", "2026-03-01"]);
        assert!(days("2026-03-02", "2026-03-01").is_empty() && days("2026-01-01", "9999").len() == 30);
    }
}
