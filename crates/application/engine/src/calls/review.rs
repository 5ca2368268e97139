//! The calls that review what sub-agents give back, and look after what is kept of it.

use std::sync::Arc;

use steadfast_dialogue::Role;
use steadfast_wire::audit::Judge;
use steadfast_wire::request;
use steadfast_wire::review::{Flagged, FullPayload, Review, ReviewUndecided};

use super::record::{FAILED, GateSet, NOT_EVALUABLE, PASSED, begin, keep, mark};
use super::source::{file, files, json_file};
use super::{Host, Refusal, Stopped, UseCase, blocking, store};
use crate::intake::File;
use crate::review::{
    ReviewOutcome, ReviewProposals, ReviewRequest, UndecidedRequest, criteria_of_each, output_file, report_of,
    undecided,
};
use crate::runs::{Asked, Outcome};
use crate::{tasks, trace};

/// The role of the chat model that a review asks.
const ROLES: [Role; 1] = [Role::Review];

/// What proposals are called that come without a file.
const PROPOSALS_NAME: &str = "proposals.json";

/// What rules are called that come without a file.
const RULES_NAME: &str = "AGENTS.md";

/// What a session is called that comes without a file.
const SESSION_NAME: &str = "session.jsonl";

/// Reviews what a sub-agent gave back. `person` stands behind its proposals; without one they are those of whoever calls. What was reviewed is kept to be asked for again where the host keeps anything. The gates that it does not pass come with it,
/// in words.
///
/// # Errors
/// [`Refusal`]: what [`review`](crate::review::review) refuses, or a record that cannot be kept.
pub async fn review(
    host: &Arc<dyn Host>,
    request: request::Review,
    person: Option<String>,
    gates: &dyn GateSet<Review>,
) -> Result<(ReviewOutcome, Vec<String>), Refusal> {
    let request::Review {
        output,
        session,
        rules,
        evidence,
        acceptance_criteria,
        judge,
        proposals,
        trust_host,
        threshold,
        profile,
        summary_tokens,
        embedder,
        agent,
        fields: _,
    } = request;
    let mut recorder = begin(&**host)?;
    let session = session_of(host, session).await?;
    let (output, is_report) = reported(host, output, session.as_ref()).await?;
    let mut request = ReviewRequest::new(output);
    request.judge = judge.unwrap_or(Judge::Rules);
    let desk = if request.judge == Judge::Rules { None } else { host.chat_models(&ROLES)? };
    request.session = session.map(|log| (log, is_report));
    request.rules = files(host, rules, |_| RULES_NAME.to_owned()).await?;
    request.evidence = files(host, evidence, evidence_name).await?;
    request.criteria = criteria_of_each(&acceptance_criteria.unwrap_or_default());
    request.threshold = threshold.unwrap_or(request.threshold);
    request.profile = profile.unwrap_or(request.profile);
    request.summary_tokens_max = summary_tokens.map_or(request.summary_tokens_max, |tokens| tokens as usize);
    if let Some(choice) = embedder {
        let own = Arc::clone(host);
        request.embedder = Some(blocking(host, move || own.embedder(choice)).await?);
    }
    if let Some(source) = proposals {
        let file = json_file(host, source, |json| File::of(PROPOSALS_NAME, json)).await?;
        request.proposed = Some(ReviewProposals::read(&file, person)?);
    }
    request.trust_host = trust_host || host.trusts_callers();
    mark(&mut recorder, "load");
    let asked = gates.settings(Asked::review(&request)).about(agent);
    let mut outcome = crate::review::review(request, desk.as_deref()).await?;
    mark(&mut recorder, "review");
    let failures = gates.failures(&outcome.review);
    // A gate that was asked for fails where no score can be given as well.
    let status = match &outcome.not_evaluable {
        _ if !failures.is_empty() => FAILED,
        Some(_) => NOT_EVALUABLE,
        None => PASSED,
    };
    let (review, content) = (&outcome.review, outcome.texts.values().next().map_or("", String::as_str));
    let kept = Outcome::review(review, content)?;
    outcome.review.run = keep(host, recorder, asked, kept, status, |about| trace::review(review, about)).await?;
    Ok((outcome, failures))
}

/// The log of a session.
async fn session_of(host: &Arc<dyn Host>, session: Option<request::Source>) -> Result<Option<File>, Refusal> {
    match session {
        Some(source) => Ok(Some(file(host, source, |text| File::of(SESSION_NAME, text)).await?)),
        None => Ok(None),
    }
}

/// The report, and whether it is the agent's last words in a session.
async fn reported(
    host: &Arc<dyn Host>,
    output: Option<request::Source>,
    session: Option<&File>,
) -> Result<(File, bool), Refusal> {
    match (output, session.cloned()) {
        (Some(source), _) => Ok((file(host, source, |text| output_file(text.into_bytes())).await?, false)),
        (None, Some(log)) => Ok((blocking(host, move || Ok(report_of(&log)?)).await?, true)),
        (None, None) => {
            Err(Refusal::input("`output` is missing, and no `session` is given whose last words could be reviewed"))
        }
    }
}

/// What a text of evidence is called that comes without a file.
fn evidence_name(number: usize) -> String {
    format!("evidence-{number}.txt")
}

impl UseCase for request::Review {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<Review, Refusal> {
        Ok(review(&host, self, None, &()).await?.0.review)
    }
}

/// What code leaves open of a session, for whoever understands it. It is not stored.
///
/// # Errors
/// [`Refusal`]: a session that cannot be read or in which the agent says nothing, and a batch that there is not.
pub async fn review_undecided(
    host: &Arc<dyn Host>,
    request: request::ReviewUndecided,
) -> Result<ReviewUndecided, Refusal> {
    let request::ReviewUndecided { session, output, rules, evidence, cursor } = request;
    if session.is_none() && evidence.is_empty() {
        return Err(Refusal::input("neither `session` nor `evidence` is given: nothing would bear the report out"));
    }
    let rules = files(host, rules, |_| RULES_NAME.to_owned()).await?;
    let session = session_of(host, session).await?;
    let (report, _) = reported(host, output, session.as_ref()).await?;
    let evidence = files(host, evidence, evidence_name).await?;
    Ok(undecided(UndecidedRequest { session, rules, evidence, report, cursor }).await?)
}

impl UseCase for request::ReviewUndecided {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<ReviewUndecided, Refusal> {
        review_undecided(&host, self).await
    }
}

/// All of the last output of a task.
///
/// # Errors
/// [`Refusal`] where nothing is kept, or nothing of this task.
pub async fn full_payload(host: &Arc<dyn Host>, request: request::FullPayload) -> Result<FullPayload, Refusal> {
    let store = store(&**host)?;
    blocking(host, move || Ok(FullPayload { full_output: tasks::request_full_payload(&*store, &request.task_id)? }))
        .await
}

impl UseCase for request::FullPayload {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<FullPayload, Refusal> {
        full_payload(&host, self).await
    }
}

/// Says that what is kept of a task is a good or a bad example, or takes that back.
///
/// # Errors
/// [`Refusal`] where nothing is kept, nothing of this task, or no such quality is known.
pub async fn flag(host: &Arc<dyn Host>, request: request::Flag) -> Result<Flagged, Refusal> {
    let store = store(&**host)?;
    let request::Flag { task_id, quality, tags } = request;
    blocking(host, move || {
        tasks::flag_sequence_quality(&*store, &task_id, &quality, &tags.unwrap_or_default())?;
        Ok(Flagged { success: true })
    })
    .await
}

impl UseCase for request::Flag {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<Flagged, Refusal> {
        flag(&host, self).await
    }
}
