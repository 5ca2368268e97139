//! `steadfast plan`, `plan check` and `plan constraints`.

use std::path::PathBuf;
use std::sync::Arc;

use steadfast_engine::calls;
use steadfast_engine::chat::Role;
use steadfast_engine::{CheckOutcome, File, PlanOutcome};
use steadfast_render::plan::{self as draw, Sheet};
use steadfast_render::{Checked, Colour, Texts};
use steadfast_wire::plan::{PlanFile, Status as PlanStatus, Validation, Validity};
use steadfast_wire::request::{Generator, JsonSource, Plan, PlanCheck, PlanConstraints, Reader, Source};

use crate::args::{
    ChatArgs, Format, PlanArgs, PlanCheckArgs, PlanCommand, PlanConstraintsArgs, PlanFormat, WritingArgs,
};
use crate::bench;
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::local::{Local, note_run};
use crate::place::Place;
use crate::settings::{self, Writing};
use crate::talk::{Talk, legible};
use crate::{chat, input, output, record, wait};

/// Does what is asked about notes.
pub(crate) fn plan(args: PlanArgs, talk: &Talk) -> Result<Status, Failure> {
    let PlanArgs { command, request, chat, writing } = args;
    match command {
        None => {
            // The parser asks for it.
            let request = request.ok_or_else(|| Failure::usage("no NOTES are given"))?;
            make(request, chat, writing, talk)
        }
        Some(PlanCommand::Check(args)) => check(args, talk),
        Some(PlanCommand::Constraints(args)) => constraints(args, talk),
        Some(PlanCommand::Bench(args)) => bench::bench(args, talk),
    }
}

/// Notes with their calendars, and somebody's plan, read; and the host that the call is made with.
struct Reading {
    context: Source,
    /// What the notes are called while they are worked on.
    name: String,
    calendars: Option<Vec<Source>>,
    plan: Option<JsonSource>,
    exports: Exports,
    host: Local,
}

/// Reads what a request names. `keeps` says whether the call is stored and exported.
fn read(
    context: &Source,
    calendars: Option<Vec<Source>>,
    at: Option<&str>,
    (plan, proposals): (Option<&JsonSource>, Option<&JsonSource>),
    writing: &mut Writing,
    keeps: bool,
    talk: Talk,
) -> Result<Reading, Failure> {
    let (notes, plan) = (Place::from(context), plan.map(Place::from));
    if notes == Place::Stdin && plan == Some(Place::Stdin) {
        return Err(Failure::usage("notes and plan cannot both be read from stdin")
            .hint("give one of them as a file: `steadfast plan check notes.md -`"));
    }
    let proposals = proposals.map(Place::from);
    if proposals == Some(Place::Stdin) && (notes == Place::Stdin || plan == Some(Place::Stdin)) {
        return Err(Failure::usage("only one file can be read from stdin").hint("give the others as files"));
    }
    let proposals = proposals.and_then(|place| place.path());
    let named: Vec<PathBuf> =
        notes.path().into_iter().chain(plan.as_ref().and_then(Place::path)).chain(proposals.clone()).collect();
    let outputs: Vec<PathBuf> = writing.output.clone().into_iter().collect();
    let exports = Exports::new(std::mem::take(&mut writing.export));
    let store = if keeps { record::open(writing.store.as_deref(), &exports, &named, &outputs)? } else { None };
    let calendars: Vec<PathBuf> = calendars.iter().flatten().filter_map(Source::path).collect();
    let input::Day { notes, calendars, paths } = input::day(&notes, &calendars, at)?;
    let (plan, plan_path) = plan.as_ref().map(input::plan).transpose()?.unzip();
    let read: Vec<PathBuf> = paths.into_iter().chain(plan_path.flatten()).chain(proposals).collect();
    output::spare(&read, &writing.output.as_deref().into_iter().collect::<Vec<_>>())?;
    let of = |File { name, bytes }: File| Source::Bytes { name, bytes };
    Ok(Reading {
        name: notes.name.clone(),
        context: of(notes),
        calendars: Some(calendars.into_iter().map(of).collect()),
        plan: plan.map(|plan| JsonSource::Source(of(plan))),
        host: Local::new(exports.clone(), talk).storing(store),
        exports,
    })
}

/// Makes a plan, or goes on with one.
fn make(request: Plan, chat: ChatArgs, writing: WritingArgs<PlanFormat>, talk: &Talk) -> Result<Status, Failure> {
    let (extract, generate) = (request.extract == Some(Reader::Model), request.generate == Some(Generator::Model));
    let roles =
        [(extract, Role::PlanExtract), (generate, Role::PlanGenerate), (request.advise == Some(true), Role::PlanJudge)];
    // Who judges is compared with who made the plan.
    let roles: Vec<Role> = roles.into_iter().filter(|(asked, _)| *asked).map(|(_, role)| role).collect();
    let config = chat.config.clone();
    let flags = "`--extract model`, `--generate model` or `--advise`";
    let models = settings::asked_models(!roles.is_empty(), chat, flags)?;
    if request.from.is_some() && !roles.is_empty() {
        return Err(Failure::usage("`--from` is planned by rules alone")
            .hint("leave out `--extract model`, `--generate model` and `--advise`"));
    }
    let Writing { format, output, store, export } = settings::writing(writing, config)?;
    let (format, file) = match format.format() {
        Ok(format) => (format, None),
        Err(file) => (Format::Text, Some(file)),
    };
    let mut writing = Writing { format, output, store, export };
    let keeps = !models.as_ref().is_some_and(|models| models.dry_run);
    let Plan { context, calendars, from, .. } = &request;
    let at = request.current_time.as_deref();
    let reading =
        read(context, calendars.clone(), at, (from.as_ref(), request.proposals.as_ref()), &mut writing, keeps, *talk)?;
    let seated = models.as_ref().map(|models| chat::desk(models, &roles)).transpose()?.flatten();
    let desk = seated.as_ref().map(|seated| Arc::new(seated.desk.clone()));
    let Reading { context, name, calendars, plan, exports, host } = reading;
    let request = Plan { context, calendars, from: plan, ..request };
    let (host, message) = (host.asking(desk).host(), (!talk.quiet).then(|| format!("planning {}", legible(&name))));
    let outcome = chat::ask(seated.as_ref(), calls::plan(&host, request), message)??;
    let json = writing.format == Format::Json;
    if let Some(text) = seated.as_ref().map(|seated| seated.rehearsed(json)).transpose()?.flatten() {
        output::to(writing.output.as_deref(), text)?;
        return Ok(Status::Passed);
    }
    note_run(outcome.response.run.as_ref(), writing.store.as_deref(), json, *talk);
    let text = written(&outcome, file, writing.format, output::colour(writing.output.is_none()), talk)?;
    end(&writing, text, rejected(&outcome), &exports, *talk)
}

/// Checks somebody's plan.
fn check(args: PlanCheckArgs, talk: &Talk) -> Result<Status, Failure> {
    let PlanCheckArgs { request, writing } = args;
    let mut writing = settings::writing(writing, None)?;
    let (plan, at) = (Some(&request.plan), request.current_time.as_deref());
    let reading = read(
        &request.context,
        request.calendars.clone(),
        at,
        (plan, request.proposals.as_ref()),
        &mut writing,
        true,
        *talk,
    )?;
    let Reading { context, name, calendars, plan, exports, host } = reading;
    let plan = plan.unwrap_or(request.plan);
    let request = PlanCheck { context, calendars, plan, ..request };
    let (host, message) = (host.host(), (!talk.quiet).then(|| format!("checking against {}", legible(&name))));
    let outcome = wait::wait(calls::plan_check(&host, request), message)?;
    note_run(outcome.validation.run.as_ref(), writing.store.as_deref(), writing.format == Format::Json, *talk);
    let text = checked(&outcome, writing.format, output::colour(writing.output.is_none()))?;
    end(&writing, text, failed(&outcome.validation), &exports, *talk)
}

/// Lists what notes require.
fn constraints(args: PlanConstraintsArgs, talk: &Talk) -> Result<Status, Failure> {
    let PlanConstraintsArgs { request, chat, writing } = args;
    let (config, extract) = (chat.config.clone(), request.extract == Some(Reader::Model));
    let models = settings::asked_models(extract, chat, "`--extract model`")?;
    let mut writing = settings::writing(writing, config)?;
    if matches!(writing.format, Format::Junit | Format::Sarif) {
        return Err(Failure::usage("`plan constraints` finds nothing that JUnit or SARIF could say")
            .hint("`--format json` has every constraint with its place"));
    }
    let at = request.current_time.as_deref();
    let reading = read(
        &request.context,
        request.calendars.clone(),
        at,
        (None, request.proposals.as_ref()),
        &mut writing,
        !models.as_ref().is_some_and(|models| models.dry_run),
        *talk,
    )?;
    let Reading { context, name, calendars, exports, host, .. } = reading;
    let request = PlanConstraints { context, calendars, ..request };
    let seated = models.as_ref().map(|models| chat::desk(models, &[Role::PlanExtract])).transpose()?.flatten();
    let desk = seated.as_ref().map(|seated| Arc::new(seated.desk.clone()));
    let (host, message) = (host.asking(desk).host(), (!talk.quiet).then(|| format!("reading {}", legible(&name))));
    let outcome = chat::ask(seated.as_ref(), calls::plan_constraints(&host, request), message)??;
    let rehearsed = seated.as_ref().map(|seated| seated.rehearsed(writing.format == Format::Json));
    if let Some(text) = rehearsed.transpose()?.flatten() {
        output::to(writing.output.as_deref(), text)?;
        return Ok(Status::Passed);
    }
    let (constraints, texts) = (&outcome.constraints, Texts::of(&outcome.texts));
    note_run(constraints.run.as_ref(), writing.store.as_deref(), writing.format == Format::Json, *talk);
    let shade = output::colour(writing.output.is_none());
    let text = match writing.format.form() {
        None => steadfast_wire::to_json(constraints)?,
        Some(form) => match draw::constraints_drawn(constraints, &texts, form, shade)? {
            Some(text) => text,
            None => draw::constraints_text(constraints, &texts, shade),
        },
    };
    end(&writing, text, None, &exports, *talk)
}

/// Writes a result, says why it fails where it does, and sends traces.
fn end(
    writing: &Writing,
    text: String,
    failure: Option<String>,
    exports: &Exports,
    talk: Talk,
) -> Result<Status, Failure> {
    output::to(writing.output.as_deref(), text)?;
    if let Some(failure) = &failure {
        talk.gate(failure);
    }
    exports.send(talk);
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
        Some(form) => Ok(draw::drawn(&Sheet::from(&outcome.response), &Texts::of(&outcome.texts), form, shade)?),
    }
}

fn checked(outcome: &CheckOutcome, format: Format, shade: Colour) -> Result<String, Failure> {
    let CheckOutcome { validation, items, file, current_time, timezone, texts: own } = outcome;
    let Some(form) = format.form() else { return Ok(steadfast_wire::to_json(validation)?) };
    let sheet = Checked { items, file, current_time, timezone }.sheet(validation);
    Ok(draw::drawn(&sheet, &Texts::of(own), form, shade)?)
}

/// Why a plan is rejected.
fn rejected(outcome: &PlanOutcome) -> Option<String> {
    let response = &outcome.response;
    if response.status == PlanStatus::Recommended {
        return None;
    }
    if response.status == PlanStatus::NeedsAnswer {
        let asked = response.open_questions.first().map_or_else(
            || {
                let unread = response.unread.first().map(|own| format!(": \"{}\"", legible(&own.quote)));
                format!("not all of the notes is understood{}", unread.unwrap_or_default())
            },
            |own| format!("{} `--answer {}=NUMBER` says so", own.text, own.id),
        );
        return Some(format!("the plan needs an answer: {asked}"));
    }
    let said = failed(&response.validation).or_else(|| response.overload.as_ref().map(|it| it.proof.clone()));
    Some(format!("the plan is rejected: {}", said.unwrap_or_else(|| "it leaves out what must be in it".to_owned())))
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
