//! The calls about day plans.

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_dialogue::Role;
use steadfast_wire::plan::{Constraints, PlanAnswer, PlanResponse, Preferences, Status, Validation, Validity, Variant};
use steadfast_wire::request::{self, Generator, JsonSource, Reader, Source};

use super::record::{FAILED, PASSED, begin, keep, mark, outcome_with, text_of};
use super::source::{file, files, json_file};
use super::{Host, Refusal, Stopped, UseCase, desk};
use crate::intake::File;
use crate::plan::{
    CALENDAR_NAME, CALENDARS_MAX, CheckOutcome, ConstraintsOutcome, EarlierPlan, NotesRequest, PlanAssistance,
    PlanOutcome, context_file, plan_file, read_proposals, read_reading,
};
use crate::runs::{Asked, Outcome};
use crate::trace::{self, About};
use crate::{EngineError, trace as traces};

/// What proposals are called that come without a file.
const PROPOSALS_NAME: &str = "proposals.json";

/// What a reading is called that comes without a file.
const READING_NAME: &str = "constraints.json";

/// What all requests about notes have.
struct Notes {
    context: Source,
    calendars: Option<Vec<Source>>,
    current_time: Option<String>,
    timezone: Option<String>,
    preferences: Option<Preferences>,
    proposals: Option<JsonSource>,
    constraints: Option<JsonSource>,
    answers: Option<Vec<PlanAnswer>>,
}

impl Notes {
    async fn read(self, host: &Arc<dyn Host>) -> Result<NotesRequest, Refusal> {
        let notes = file(host, self.context, |text| context_file(text.into_bytes())).await?;
        let sources = self.calendars.unwrap_or_default();
        if sources.len() > CALENDARS_MAX {
            return Err(EngineError::TooManyCalendars { calendars: sources.len() }.into());
        }
        let calendars = files(host, sources, |_| CALENDAR_NAME.to_owned()).await?;
        let proposals = match self.proposals {
            None => None,
            Some(source) => {
                Some(read_proposals(&json_file(host, source, |json| File::of(PROPOSALS_NAME, json)).await?)?)
            }
        };
        let reading = match self.constraints {
            None => None,
            Some(source) => Some(read_reading(&json_file(host, source, |json| File::of(READING_NAME, json)).await?)?),
        };
        let now = host.now(self.current_time, self.timezone, &notes.name);
        Ok(NotesRequest {
            notes,
            calendars,
            current_time: now.current_time,
            timezone: now.timezone,
            preferences: self.preferences.unwrap_or(Preferences::Soft),
            assumptions: now.assumptions,
            proposals,
            reading,
            answers: self.answers.unwrap_or_default(),
        })
    }
}

/// The earlier plan that a plan goes on with, and which of its items are done.
async fn earlier(
    host: &Arc<dyn Host>,
    from: Option<JsonSource>,
    done: Option<Vec<usize>>,
    current_time: Option<&String>,
) -> Result<Option<EarlierPlan>, Refusal> {
    match (from, done) {
        (Some(_), _) if current_time.is_none() => Err(Refusal::input("`from` is given without `current_time`")
            .hint("`current_time` says from when on the rest of the day is planned")),
        (Some(from), done) => {
            Ok(Some(EarlierPlan { plan: json_file(host, from, plan_file).await?, done: done.unwrap_or_default() }))
        }
        (None, None) => Ok(None),
        (None, Some(_)) => {
            Err(Refusal::input("`done` is given without `from`").hint("`from` is the plan whose items are done"))
        }
    }
}

/// Makes a plan from notes and proves it, or goes on with an earlier one.
///
/// # Errors
/// [`Refusal`]: what [`plan_assisted`](crate::plan_assisted) and [`plan_again`](crate::plan_again) refuse, chat models beside an earlier plan, or a
/// record that cannot be kept.
pub async fn plan(host: &Arc<dyn Host>, request: request::Plan) -> Result<PlanOutcome, Refusal> {
    let request::Plan {
        context,
        current_time,
        timezone,
        calendars,
        from,
        done,
        variant,
        preferences,
        proposals,
        constraints,
        answers,
        extract,
        generate,
        advise,
        files: _,
        agent,
    } = request;
    let (extract, generate) = (extract == Some(Reader::Model), generate == Some(Generator::Model));
    let (advise, variant) = (advise == Some(true), variant.unwrap_or(Variant::V4Repair));
    if from.is_some() && (extract || generate || advise) {
        let refusal = Refusal::input("`from` is planned by rules alone");
        return Err(refusal.hint("leave out `extract`, `generate` and `advise`"));
    }
    let mut recorder = begin(&**host)?;
    let earlier = earlier(host, from, done, current_time.as_ref()).await?;
    let notes = Notes { context, calendars, current_time, timezone, preferences, proposals, constraints, answers }
        .read(host)
        .await?;
    mark(&mut recorder, "read");
    let (asked, mut planned, plan_text) = match earlier {
        Some(earlier) => {
            let asked = Asked::notes(&notes, Some(&earlier.plan)).variant(variant).earlier(&earlier);
            let text = text_of(&earlier.plan);
            (asked, crate::plan_again(notes, variant, earlier).await?, text)
        }
        None => {
            let roles = [(extract, Role::PlanExtract), (generate, Role::PlanGenerate), (advise, Role::PlanJudge)];
            let desk = desk(&**host, roles.into_iter().filter(|(asked, _)| *asked).map(|(_, role)| role))?;
            let assistance = PlanAssistance { desk, extract, generate, advise };
            let asked = Asked::notes(&notes, None).variant(variant).plan_assistance(&assistance);
            (asked, crate::plan_assisted(notes, variant, assistance).await?, BTreeMap::new())
        }
    };
    mark(&mut recorder, "plan");
    let response = &planned.response;
    let status = if response.status == Status::Recommended { PASSED } else { FAILED };
    let outcome = outcome_with(host, Outcome::plan(response)?, || merged(planned.texts.clone(), plan_text));
    let asked = asked.about(agent);
    planned.response.run = keep(host, recorder, asked, outcome, status, |about| trace::plan(response, about)).await?;
    Ok(planned)
}

impl UseCase for request::Plan {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<PlanResponse, Refusal> {
        Ok(plan(&host, self).await?.response)
    }
}

/// Checks somebody's plan against notes.
///
/// # Errors
/// [`Refusal`]: what [`plan_check`](crate::plan_check) refuses, or a record that cannot be kept.
pub async fn plan_check(host: &Arc<dyn Host>, request: request::PlanCheck) -> Result<CheckOutcome, Refusal> {
    let request::PlanCheck {
        context,
        plan,
        current_time,
        timezone,
        calendars,
        preferences,
        proposals,
        constraints,
        answers,
        agent,
    } = request;
    let mut recorder = begin(&**host)?;
    let plan = json_file(host, plan, plan_file).await?;
    let notes = Notes { context, calendars, current_time, timezone, preferences, proposals, constraints, answers }
        .read(host)
        .await?;
    mark(&mut recorder, "read");
    let asked = Asked::notes(&notes, Some(&plan)).about(agent);
    let plan_text = text_of(&plan);
    let mut checked = crate::plan_check(notes, plan).await?;
    mark(&mut recorder, "plan");
    let validation = &checked.validation;
    let status = if validation.status == Validity::Pass { PASSED } else { FAILED };
    let outcome = outcome_with(host, Outcome::plan_check(validation)?, || merged(checked.texts.clone(), plan_text));
    let trace = |about: &About<'_>| traces::plan_check(validation, about);
    checked.validation.run = keep(host, recorder, asked, outcome, status, trace).await?;
    Ok(checked)
}

impl UseCase for request::PlanCheck {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<Validation, Refusal> {
        Ok(plan_check(&host, self).await?.validation)
    }
}

/// Lists what notes require.
///
/// # Errors
/// [`Refusal`]: what [`plan_constraints`](crate::plan_constraints) refuses, or a record that cannot be kept.
pub async fn plan_constraints(
    host: &Arc<dyn Host>,
    request: request::PlanConstraints,
) -> Result<ConstraintsOutcome, Refusal> {
    let request::PlanConstraints {
        context,
        current_time,
        timezone,
        calendars,
        preferences,
        proposals,
        constraints,
        answers,
        extract,
    } = request;
    let extract = extract == Some(Reader::Model);
    let mut recorder = begin(&**host)?;
    let notes = Notes { context, calendars, current_time, timezone, preferences, proposals, constraints, answers }
        .read(host)
        .await?;
    mark(&mut recorder, "read");
    let desk = desk(&**host, extract.then_some(Role::PlanExtract))?;
    let assistance = PlanAssistance { desk, extract, ..PlanAssistance::default() };
    let asked = Asked::notes(&notes, None).plan_assistance(&assistance);
    let mut read = crate::plan_constraints(notes, assistance).await?;
    mark(&mut recorder, "plan");
    let constraints = &read.constraints;
    let outcome = outcome_with(host, Outcome::plan_constraints(constraints)?, || read.texts.clone());
    let trace = |about: &About<'_>| traces::plan_constraints(constraints, about);
    read.constraints.run = keep(host, recorder, asked, outcome, PASSED, trace).await?;
    Ok(read)
}

impl UseCase for request::PlanConstraints {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<Constraints, Refusal> {
        Ok(plan_constraints(&host, self).await?.constraints)
    }
}

/// The texts that a result quotes, and the plan that came with the request. Where both have one name, what is quoted has it.
fn merged(quoted: BTreeMap<String, String>, plan: BTreeMap<String, String>) -> BTreeMap<String, String> {
    plan.into_iter().chain(quoted).collect()
}
