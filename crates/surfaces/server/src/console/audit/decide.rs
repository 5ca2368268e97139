//! Accepting and contesting incidents.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::{Extension, Form};
use steadfast_engine::decisions;
use steadfast_engine::limits::FINDINGS_MAX;
use steadfast_engine::runs::show_run;
use steadfast_wire::audit::DriftEvaluation;
use steadfast_wire::decisions::{Decision, DecisionGiven, DecisionKind};

use super::super::Query;
use super::super::shell::{encoded, filters, go, kept, non_empty};
use super::{evaluation, one_incident};
use crate::app::App;
use crate::guard::Asker;
use crate::problem::Problem;

/// What was decided on an incident, and the form that decides.
#[derive(Template)]
#[template(path = "audit_decide.html")]
pub(super) struct Decide {
    id: String,
    finding: String,
    /// The words of the decision that holds; empty where none does.
    words: &'static str,
    tone: &'static str,
    reason: String,
    when: String,
    author: String,
    until: String,
    /// What was typed and not taken.
    typed: String,
    /// Whether it stands on the page of the incident, and leads back there.
    alone: bool,
}

impl Decide {
    pub(super) fn new(id: &str, finding: &str, decisions: &BTreeMap<String, Decision>, alone: bool) -> Self {
        let decision = decisions.get(finding).filter(|decision| !decision.expired);
        let decision = decision.filter(|decision| decision.decision != DecisionKind::Withdrawn);
        let (words, tone) = match decision.map(|decision| decision.decision) {
            Some(DecisionKind::Accept) => ("accepted", "good"),
            Some(DecisionKind::Contest) => ("contested", "warn"),
            _ => ("", ""),
        };
        let text = |of: fn(&Decision) -> String| decision.map(of).unwrap_or_default();
        Self {
            id: id.to_owned(),
            finding: finding.to_owned(),
            words,
            tone,
            reason: text(|decision| decision.reason.clone()),
            when: text(|decision| decision.created_at.clone()),
            author: text(|decision| decision.author.clone().unwrap_or_default()),
            until: text(|decision| decision.until.clone().unwrap_or_default()),
            typed: String::new(),
            alone,
        }
    }
}

/// The decisions that hold on the incidents of an evaluation.
pub(super) async fn decided(
    app: &Arc<App>,
    evaluation: &DriftEvaluation,
) -> Result<BTreeMap<String, Decision>, Problem> {
    let findings: Vec<String> = evaluation.drift_incidents.iter().map(|incident| incident.id.clone()).collect();
    kept(app, move |store| {
        let mut found = BTreeMap::new();
        for some in findings.chunks(FINDINGS_MAX) {
            let some: Vec<&str> = some.iter().map(String::as_str).collect();
            found.extend(decisions::latest(store, &some)?);
        }
        Ok(found)
    })
    .await
}

/// Keeps a decision, and leads back to where it was made.
pub(super) async fn decide(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Extension(Asker(author)): Extension<Asker>,
    Form(form): Form<Query>,
) -> Result<Response, Problem> {
    let value = |name: &str| form.get(name).map(|value| value.replace("\r\n", "\n")).unwrap_or_default();
    let (finding, reason, alone) = (value("finding"), value("reason"), form.contains_key("alone"));
    let wanted = id.clone();
    let record = kept(&app, move |store| show_run(store, &wanted)).await?;
    let evaluation = evaluation(&record)?;
    let incident = evaluation.drift_incidents.iter().find(|incident| incident.id == finding);
    let kind = DecisionKind::ALL.iter().find(|kind| kind.name() == value("decision")).copied();
    let given = DecisionGiven {
        finding: finding.clone(),
        check: incident.map(|incident| incident.check.clone()),
        run_id: Some(id.clone()),
        decision: kind.unwrap_or(DecisionKind::Withdrawn),
        reason: reason.clone(),
        until: non_empty(&value("until")),
    };
    let done = match (incident, kind) {
        (Some(_), Some(_)) => kept(&app, move |store| decisions::decide(store, given, Some(&author))).await.map(|_| ()),
        _ => Err(Problem::new(
            axum::http::StatusCode::UNPROCESSABLE_ENTITY,
            "Nothing was decided",
            "the form names no incident of this run, or nothing to decide",
        )),
    };
    let own = format!("/runs/{}", encoded(&id));
    match done {
        Ok(()) if alone => Ok(go(&format!("{own}?incident={}", encoded(&finding)))),
        Ok(()) => Ok(go(&format!("{own}?decided=1#decide-{}", encoded(&finding)))),
        Err(problem) => {
            let texts = super::super::runs::texts_of(&app, &id).await?;
            let decisions = decided(&app, &evaluation).await?;
            let decide = Decide { typed: reason, ..Decide::new(&id, &finding, &decisions, true) };
            one_incident(&record.run, &evaluation, &texts, &finding, decide, Some(problem))
        }
    }
}
