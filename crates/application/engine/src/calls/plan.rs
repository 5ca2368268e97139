//! The calls about day plans.

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_dialogue::Role;
use steadfast_wire::plan::{Constraints, Status, Validity, Variant};

use super::{FAILED, Host, PASSED, Refusal, begin, desk, kept, of, texts_of};
use crate::intake::File;
use crate::plan::{CheckOutcome, EarlierPlan, NotesRequest, PlanAssistance, PlanOutcome};
use crate::runs::{AgentName, Asked, Outcome};
use crate::trace::{self, About};

/// What chat models are asked for beside the rules of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanModels {
    /// Whether a model reads the notes as well.
    pub extract: bool,
    /// Whether a model makes the plan.
    pub generate: bool,
    /// Whether a model gives an opinion on the plan.
    pub advise: bool,
}

/// Notes, and how a plan is made of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanCall {
    /// The notes, and the time that they are read at.
    pub request: NotesRequest,
    /// How the plan is made.
    pub variant: Variant,
    /// What chat models are asked for.
    pub models: PlanModels,
    /// The earlier plan that this one goes on with.
    pub earlier: Option<EarlierPlan>,
    /// Who has it made, where that is known.
    pub agent: Option<AgentName>,
}

/// An earlier plan, and which of its items are done.
///
/// # Errors
/// [`Refusal`] where items are done of no plan.
pub fn earlier_plan(plan: Option<File>, done: Option<Vec<usize>>) -> Result<Option<EarlierPlan>, Refusal> {
    match (plan, done) {
        (Some(plan), done) => Ok(Some(EarlierPlan { plan, done: done.unwrap_or_default() })),
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
pub async fn plan(host: &Arc<dyn Host>, call: PlanCall) -> Result<PlanOutcome, Refusal> {
    let PlanCall { request, variant, models, earlier, agent } = call;
    if earlier.is_some() && models != PlanModels::default() {
        let refused = Refusal::input("`from` is planned by rules alone");
        return Err(refused.hint("leave out `extract`, `generate` and `advise`"));
    }
    let request = NotesRequest { rules: host.rules(), ..request };
    let recorder = begin(&**host)?;
    let (asked, mut planned, given) = match earlier {
        Some(earlier) => {
            let asked = Asked::notes(&request, Some(&earlier.plan)).variant(variant).earlier(&earlier).about(agent);
            let given = texts_of(&earlier.plan);
            (asked, crate::plan_again(request, variant, earlier).await?, given)
        }
        None => {
            let PlanModels { extract, generate, advise } = models;
            let roles = [(extract, Role::PlanExtract), (generate, Role::PlanGenerate), (advise, Role::PlanJudge)];
            let desk = desk(&**host, roles.into_iter().filter(|(asked, _)| *asked).map(|(_, role)| role))?;
            let assistance = PlanAssistance { desk, extract, generate, advise };
            let asked = Asked::notes(&request, None).variant(variant).plan_assistance(&assistance).about(agent);
            (asked, crate::plan_assisted(request, variant, assistance).await?, BTreeMap::new())
        }
    };
    let response = &planned.response;
    let status = if response.status == Status::Recommended { PASSED } else { FAILED };
    let outcome = of(host, Outcome::plan(response)?, || with(planned.texts.clone(), given));
    planned.response.run = kept(host, recorder, asked, outcome, status, |about| trace::plan(response, about)).await?;
    Ok(planned)
}

/// Checks somebody's plan against notes. `agent` is whose plan it is, where that is known.
///
/// # Errors
/// [`Refusal`]: what [`plan_check`](crate::plan_check) refuses, or a record that cannot be kept.
pub async fn plan_check(
    host: &Arc<dyn Host>,
    request: NotesRequest,
    plan: File,
    agent: Option<AgentName>,
) -> Result<CheckOutcome, Refusal> {
    let recorder = begin(&**host)?;
    let request = NotesRequest { rules: host.rules(), ..request };
    let asked = Asked::notes(&request, Some(&plan)).about(agent);
    let given = texts_of(&plan);
    let mut checked = crate::plan_check(request, plan).await?;
    let validation = &checked.validation;
    let status = if validation.status == Validity::Pass { PASSED } else { FAILED };
    let outcome = of(host, Outcome::plan_check(validation)?, || with(checked.texts.clone(), given));
    let told = |about: &About<'_>| trace::plan_check(validation, about);
    checked.validation.run = kept(host, recorder, asked, outcome, status, told).await?;
    Ok(checked)
}

/// Lists what notes require.
///
/// # Errors
/// [`Refusal`]: what [`plan_constraints`](crate::plan_constraints) refuses, or a record that cannot be kept.
pub async fn plan_constraints(host: &Arc<dyn Host>, request: NotesRequest) -> Result<Constraints, Refusal> {
    let recorder = begin(&**host)?;
    let request = NotesRequest { rules: host.rules(), ..request };
    let asked = Asked::notes(&request, None);
    let read = crate::plan_constraints(request).await?;
    let mut constraints = read.constraints;
    let outcome = of(host, Outcome::plan_constraints(&constraints)?, || read.texts);
    let told = |about: &About<'_>| trace::plan_constraints(&constraints, about);
    constraints.run = kept(host, recorder, asked, outcome, PASSED, told).await?;
    Ok(constraints)
}

/// The texts that a result quotes, and the plan that was given. Where both have one name, what is quoted has it.
fn with(quoted: BTreeMap<String, String>, given: BTreeMap<String, String>) -> BTreeMap<String, String> {
    given.into_iter().chain(quoted).collect()
}
