//! Rules of alerts: what fires now, what was told, and what the rules say.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query as Form, State};
use axum::http::StatusCode;
use axum::response::Response;
use steadfast_engine::EngineError;
use steadfast_engine::alerts::{AlertFilter, Metric, alert_history, alert_standing};
use steadfast_engine::store::Keep;
use steadfast_wire::alerts::{AlertDelivery, AlertRule, AlertStanding, AlertState, DeliveryState, ToldNotice};

use super::Query;
use super::shell::{Page, Section, encoded, filters, keeps, kept, non_empty, show_as, with_query};
use crate::app::App;
use crate::problem::Problem;

/// Rules and agents that the page lists as firing.
const FIRING_SHOWN: usize = 200;

/// Notices on a page.
const NOTICES_ON_A_PAGE: usize = 50;

/// A rule that fires for an agent.
pub(crate) struct Firing {
    pub(crate) own: AlertStanding,
    /// The page of the run or trajectory that the last value is of.
    pub(crate) href: String,
    pub(crate) metric: String,
}

/// A notice, as the page lists it.
struct Told {
    own: ToldNotice,
    href: String,
    fires: bool,
    deliveries: Vec<To>,
}

/// Whom a notice went to.
struct To {
    own: AlertDelivery,
    tone: &'static str,
    said: String,
}

/// What a rule says, in words.
struct Said {
    own: AlertRule,
    bound: String,
    window: String,
    to: String,
}

#[derive(Template)]
#[template(path = "alerts.html")]
struct AlertsPage {
    page: Page,
    keeps: bool,
    rule: String,
    agent: String,
    filtered: bool,
    firing: Vec<Firing>,
    more: bool,
    told: Vec<Told>,
    rules: Vec<Said>,
    first: String,
    next: String,
}

/// What fires now, at most so many, and whether there is more.
pub(crate) fn firing(
    store: &dyn Keep,
    rules: &[AlertRule],
    filter: AlertFilter,
    limit: usize,
) -> Result<(Vec<Firing>, bool), EngineError> {
    let list = alert_standing(store, Vec::new(), AlertFilter { firing: true, ..filter }, None, limit)?;
    let of = |own: AlertStanding| {
        let metric =
            rules.iter().find(|rule| rule.name == own.rule).map(|rule| rule.metric.clone()).unwrap_or_default();
        Firing { href: subject(&metric, &own.subject), metric, own }
    };
    Ok((list.standing.into_iter().map(of).collect(), list.next_cursor.is_some()))
}

/// Where a run or trajectory is looked at.
fn subject(metric: &str, subject: &str) -> String {
    let steps = Metric::ALL.iter().any(|own| own.name() == metric && own.is_of_steps());
    if steps { format!("/watch/live/{}", encoded(subject)) } else { format!("/runs/{}", encoded(subject)) }
}

/// The page.
pub(super) async fn page(State(app): State<Arc<App>>, Form(query): Form<Query>) -> Result<Response, Problem> {
    let value = |name: &str| query.get(name).cloned().unwrap_or_default();
    let (rule, agent, cursor) = (value("rule"), value("agent"), value("cursor"));
    let here = |cursor: &str| with_query("/alerts", &[("rule", &rule), ("agent", &agent), ("cursor", cursor)]);
    let filter = AlertFilter { firing: false, rule: non_empty(&rule), agent: non_empty(&agent) };
    let keeps = keeps(&app);
    let mut found = Ok((Vec::new(), false, Vec::new(), None));
    if keeps {
        let (rules, after) = (app.settings.rules.clone(), non_empty(&cursor));
        found = kept(&app, move |store| {
            let (firing, more) = firing(store, &rules, filter.clone(), FIRING_SHOWN)?;
            let history = alert_history(store, filter, after.as_deref(), NOTICES_ON_A_PAGE)?;
            Ok((firing, more, history.notices, history.next_cursor))
        })
        .await;
    }
    let ((firing, more, notices, next), trouble) = match found {
        Ok(found) => (found, None),
        Err(problem) if problem.status.is_client_error() => ((Vec::new(), false, Vec::new(), None), Some(problem)),
        Err(problem) => return Err(problem),
    };
    let status = trouble.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let shown = AlertsPage {
        page: Page::new(Section::Overview, "Alerts")
            .in_section()
            .lead("Rules over what agents do: what fires now, and what was said of it.")
            .json("/api/alerts")
            .trouble(trouble),
        keeps,
        filtered: !(rule.is_empty() && agent.is_empty()),
        first: if cursor.is_empty() { String::new() } else { here("") },
        next: next.map(|next| here(&next)).unwrap_or_default(),
        firing,
        more,
        told: notices.into_iter().map(told).collect(),
        rules: app.settings.rules.iter().map(said).collect(),
        rule,
        agent,
    };
    show_as(status, &shown)
}

fn told(own: ToldNotice) -> Told {
    let to = |own: &AlertDelivery| {
        let tries = if own.attempts == 1 { "1 attempt".to_owned() } else { format!("{} attempts", own.attempts) };
        let (tone, said) = match own.state {
            DeliveryState::Waiting => ("info", "waits".to_owned()),
            DeliveryState::Told => ("good", format!("told, {tries}")),
            DeliveryState::Failed => ("bad", format!("not told, {tries}")),
        };
        To { own: own.clone(), tone, said }
    };
    Told {
        href: subject(&own.notice.metric, &own.notice.subject),
        fires: own.notice.state == AlertState::Firing,
        deliveries: own.deliveries.iter().map(to).collect(),
        own,
    }
}

fn said(own: &AlertRule) -> Said {
    let bound = match (own.above, own.below) {
        (Some(above), _) => format!("above {above}"),
        (None, Some(below)) => format!("below {below}"),
        (None, None) => String::new(),
    };
    let window = own.window_minutes.map_or_else(|| "any age".to_owned(), |minutes| format!("{minutes} minutes"));
    let to = if own.to.is_empty() { "nobody".to_owned() } else { own.to.join(", ") };
    Said { bound, window, to, own: own.clone() }
}
