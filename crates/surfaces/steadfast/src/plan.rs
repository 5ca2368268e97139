//! `steadfast plan`, `plan check` and `plan constraints`.

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_engine::chat::Role;
use steadfast_engine::runs::{Asked, Outcome};
use steadfast_engine::trace::{self, About};
use steadfast_engine::{CheckOutcome, EarlierPlan, NotesRequest, PlanAssistance, PlanOutcome, Rules};
use steadfast_render::plan::{self as draw, Sheet};
use steadfast_render::{Checked, Colour, Texts};
use steadfast_wire::plan::{PlanFile, Status as PlanStatus, Validation, Validity};
use steadfast_wire::trace::Trace;

use crate::args::Format;
use crate::audit::colour;
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::now::now;
use crate::record::{Recorder, mark};
use crate::settings::{PlanModels, PlanSettings, PlanTask};
use crate::talk::{Talk, legible};
use crate::{chat, input, output, wait};

/// Reads notes, asks the engine, writes, and says how it ended.
pub(crate) fn plan(settings: PlanSettings, rules: Rules, talk: &Talk) -> Result<Status, Failure> {
    let named = settings.notes.path().into_iter().chain(match &settings.task {
        PlanTask::Check(place) | PlanTask::Again(_, place, _) => place.path(),
        _ => None,
    });
    let outputs: Vec<_> = settings.output.clone().into_iter().collect();
    let exports = Exports::new(settings.export);
    let mut recorder = Recorder::begin(settings.store.as_deref(), &exports, &named.collect::<Vec<_>>(), &outputs)?;
    let day = input::day(&settings.notes, &settings.calendars, settings.at.as_deref())?;
    let input::Day { notes, calendars, paths } = day;
    let given = match &settings.task {
        PlanTask::Check(place) | PlanTask::Again(_, place, _) => Some(input::plan(place)?),
        _ => None,
    };
    let plan_path = given.as_ref().and_then(|(_, path)| path.clone());
    let read: Vec<_> = paths.into_iter().chain(plan_path).collect();
    output::spare(&read, &settings.output.as_deref().into_iter().collect::<Vec<_>>())?;

    let now = now(settings.at, settings.tz, &notes.name);
    mark(&mut recorder, "read");
    let message = |what: &str| (!talk.quiet).then(|| format!("{what} {}", legible(&notes.name)));
    let (planning, checking, reading) = (message("planning"), message("checking against"), message("reading"));
    let request = NotesRequest {
        notes,
        calendars,
        current_time: now.current_time,
        timezone: now.timezone,
        preferences: settings.preferences,
        assumptions: now.assumptions,
        rules,
    };
    let (format, shade) = (settings.format, colour(settings.output.is_none()));
    let asked = Asked::notes(&request, given.as_ref().map(|(plan, _)| plan)).about(settings.agent);
    let mut keep = |asked: Asked, outcome: Outcome, status, told: &dyn Fn(&About<'_>) -> Trace| -> Result<_, Failure> {
        mark(&mut recorder, "plan");
        let Some(recorder) = recorder.take() else { return Ok(None) };
        recorder.end(&asked, outcome, status, format == Format::Json, *talk, told)
    };
    let (text, failure) = match (settings.task, given) {
        (PlanTask::Make(variant), _) => {
            let PlanModels { extract, generate, advise } = settings.models;
            let roles = [(extract, Role::PlanExtract), (generate, Role::PlanGenerate), (advise, Role::PlanJudge)];
            // Who judges is compared with who made the plan.
            let roles: Vec<Role> = roles.into_iter().filter(|(asked, _)| *asked).map(|(_, role)| role).collect();
            let seated = settings.chat.as_ref().map(|chat| chat::desk(chat, &roles)).transpose()?.flatten();
            let desk = seated.as_ref().map(|seated| Arc::new(seated.desk.clone()));
            let assistance = PlanAssistance { desk, extract, generate, advise };
            let asked = asked.variant(variant).plan_assistance(&assistance);
            let planned = steadfast_engine::plan_assisted(request, variant, assistance);
            let mut outcome = chat::ask(seated.as_ref(), planned, planning)??;
            let json = format == Format::Json;
            if let Some(text) = seated.as_ref().map(|seated| seated.rehearsed(json)).transpose()?.flatten() {
                output::to(settings.output.as_deref(), text)?;
                return Ok(Status::Passed);
            }
            let response = &mut outcome.response;
            let status = if response.status == PlanStatus::Recommended { Status::Passed } else { Status::Gate };
            let told = |about: &About<'_>| trace::plan(response, about);
            response.run = keep(asked, Outcome::plan(response)?, status, &told)?;
            (written(&outcome, settings.file, format, shade, talk)?, rejected(&outcome))
        }
        (PlanTask::Again(variant, _, done), Some((plan, _))) => {
            let earlier = EarlierPlan { plan, done };
            let asked = asked.variant(variant).earlier(&earlier);
            let mut outcome = wait::wait(steadfast_engine::plan_again(request, variant, earlier), planning)?;
            let response = &mut outcome.response;
            let status = if response.status == PlanStatus::Recommended { Status::Passed } else { Status::Gate };
            let told = |about: &About<'_>| trace::plan(response, about);
            response.run = keep(asked, Outcome::plan(response)?, status, &told)?;
            (written(&outcome, settings.file, format, shade, talk)?, rejected(&outcome))
        }
        (PlanTask::Check(_), Some((plan, _))) => {
            let mut outcome = wait::wait(steadfast_engine::plan_check(request, plan), checking)?;
            let validation = &mut outcome.validation;
            let status = if validation.status == Validity::Pass { Status::Passed } else { Status::Gate };
            let told = |about: &About<'_>| trace::plan_check(validation, about);
            validation.run = keep(asked, Outcome::plan_check(validation)?, status, &told)?;
            (checked(&outcome, format, shade)?, failed(&outcome.validation))
        }
        _ => {
            let mut outcome = wait::wait(steadfast_engine::plan_constraints(request), reading)?;
            let constraints = &mut outcome.constraints;
            let told = |about: &About<'_>| trace::plan_constraints(constraints, about);
            constraints.run = keep(asked, Outcome::plan_constraints(constraints)?, Status::Passed, &told)?;
            let (constraints, texts) = (&outcome.constraints, texts(&outcome.texts));
            let text = match format.form() {
                None => steadfast_wire::to_json(constraints)?,
                Some(form) => match draw::constraints_drawn(constraints, &texts, form, shade)? {
                    Some(text) => text,
                    None => draw::constraints_text(constraints, &texts, shade),
                },
            };
            (text, None)
        }
    };
    output::to(settings.output.as_deref(), text)?;
    if let Some(failure) = &failure {
        talk.gate(failure);
    }
    exports.send(*talk);
    Ok(if failure.is_some() { Status::Gate } else { Status::Passed })
}

/// A plan in a format, or as a file that other programs read.
fn written(
    outcome: &PlanOutcome,
    file: Option<PlanFile>,
    format: Format,
    shade: Colour,
    talk: &Talk,
) -> Result<String, Failure> {
    let Some(file) = file else { return made(outcome, format, shade) };
    let (text, left_out) = draw::file(&outcome.response, file);
    if left_out > 0 {
        talk.warning(&format!("{} no times and no place in a calendar", has(left_out)));
    }
    Ok(text)
}

fn has(items: usize) -> String {
    if items == 1 { "1 item has".to_owned() } else { format!("{items} items have") }
}

fn made(outcome: &PlanOutcome, format: Format, shade: Colour) -> Result<String, Failure> {
    match format.form() {
        None => Ok(steadfast_wire::to_json(&outcome.response)?),
        Some(form) => Ok(draw::drawn(&Sheet::from(&outcome.response), &texts(&outcome.texts), form, shade)?),
    }
}

fn checked(outcome: &CheckOutcome, format: Format, shade: Colour) -> Result<String, Failure> {
    let CheckOutcome { validation, items, file, current_time, timezone, texts: own } = outcome;
    let Some(form) = format.form() else { return Ok(steadfast_wire::to_json(validation)?) };
    let sheet = Checked { items, file, current_time, timezone }.sheet(validation);
    Ok(draw::drawn(&sheet, &texts(own), form, shade)?)
}

fn texts(own: &BTreeMap<String, String>) -> Texts<'_> {
    Texts { files: own.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect() }
}

/// Why a plan is rejected.
fn rejected(outcome: &PlanOutcome) -> Option<String> {
    let response = &outcome.response;
    if response.status == PlanStatus::Recommended {
        return None;
    }
    let said = failed(&response.validation).or_else(|| response.overload.as_ref().map(|it| it.proof.clone()));
    Some(format!("the plan is rejected: {}", said.unwrap_or_else(|| "not everything fits".to_owned())))
}

/// Why a plan fails.
fn failed(validation: &Validation) -> Option<String> {
    if validation.status == Validity::Pass {
        return None;
    }
    let count = validation.findings.iter().filter(|finding| finding.hard).count();
    Some(match validation.errors.split_first() {
        Some((first, [])) => first.clone(),
        Some((first, _)) => format!("{count} findings, the first: {first}"),
        None => format!("{count} findings"),
    })
}
