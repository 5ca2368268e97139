//! `steadfast review`, `review convention` and `review criteria`.

use std::path::PathBuf;
use std::sync::Arc;

use steadfast_engine::chat::Role;
use steadfast_engine::review::{CONVENTION, ReviewOutcome, criteria_of};
use steadfast_engine::{File, HandedContract, calls};
use steadfast_render::{Colour, Texts};
use steadfast_wire::api::{Fields, members};
use steadfast_wire::audit::Judge;
use steadfast_wire::request::{Review, ReviewUndecided, Source};
use steadfast_wire::review as wire;

use crate::args::{Format, ReviewArgs, ReviewCommand, ReviewUndecidedArgs, UndecidedFormat};
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::local::{Local, note_run};
use crate::place::Place;
use crate::session_log::with_sub_agents;
use crate::settings::{self, ExportSettings, Writing};
use crate::store::fields;
use crate::talk::{Talk, legible};
use crate::{audit, chat, input, output, record, wait};

/// Prints what to tell a sub-agent.
fn convention() -> Result<Status, Failure> {
    output::to_stdout(CONVENTION)?;
    Ok(Status::Passed)
}

/// Reads the log of a session, with those of its sub-agents.
fn session_log(place: &Place) -> Result<(File, Option<PathBuf>), Failure> {
    let (log, path) = input::output(place)?;
    Ok(match &path {
        Some(own) => (with_sub_agents(own, log), path),
        None => (log, None),
    })
}

/// Writes what rules leave undecided of a session.
fn undecided(args: ReviewUndecidedArgs, talk: Talk) -> Result<Status, Failure> {
    let ReviewUndecidedArgs { request, format: UndecidedFormat::Json, json: _, output } = args;
    let (log, report) = (request.session.as_ref().map(Place::from), request.output.as_ref().map(Place::from));
    if log == Some(Place::Stdin) && report == Some(Place::Stdin) {
        return Err(Failure::usage("only one file can be read from stdin").hint("give the others as files"));
    }
    let log = log.as_ref().map(session_log).transpose()?;
    let evidence = input::evidence(&request.evidence)?;
    let report = report.as_ref().map(input::output).transpose()?;
    let read: Vec<PathBuf> = log
        .iter()
        .chain(&report)
        .filter_map(|(_, path)| path.clone())
        .chain(evidence.iter().map(|(_, path)| path.clone()))
        .collect();
    output::spare(&read, &output.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let first = log.iter().chain(&report).map(|(file, _)| legible(&file.name)).next();
    let message = first.filter(|_| !talk.quiet).map(|name| format!("reading {name}"));
    let bytes = |file: File| Source::Bytes { name: file.name, bytes: file.bytes };
    let request = ReviewUndecided {
        session: log.map(|(file, _)| bytes(file)),
        output: report.map(|(file, _)| bytes(file)),
        evidence: evidence.into_iter().map(|(file, _)| bytes(file)).collect(),
        rules: request.rules,
        cursor: request.cursor,
    };
    let host = Local::new(Exports::new(ExportSettings::default()), talk).host();
    let batch = wait::wait(calls::review_undecided(&host, request), message)?;
    output::to(output.as_deref(), steadfast_wire::to_json(&batch)?)?;
    Ok(Status::Passed)
}

/// Does what is asked about self-reports.
pub(crate) fn review(args: ReviewArgs, talk: &Talk) -> Result<Status, Failure> {
    let ReviewArgs {
        command,
        request,
        chat,
        require_chat,
        criteria: criteria_path,
        pass_through,
        fail_below,
        fail_on,
        confirm,
        writing,
    } = args;
    match command {
        Some(ReviewCommand::Convention) => return convention(),
        Some(ReviewCommand::Criteria(args)) => return audit::contract(*args, *talk),
        Some(ReviewCommand::Undecided(args)) => return undecided(*args, *talk),
        None => {}
    }
    // The parser asks for it.
    let request = request.ok_or_else(|| Failure::usage("no FILE is given"))?;
    let is_asked = request.judge == Some(Judge::Both);
    if require_chat && !is_asked {
        return Err(Failure::usage("`--require-chat` is given, and no model is asked").hint("`--judge both` asks one"));
    }
    let config = chat.config.clone();
    let models = settings::asked_models(is_asked, chat, "`--judge both`")?;
    let is_dry = models.as_ref().is_some_and(|models| models.dry_run);
    if is_dry && pass_through {
        return Err(Failure::usage(
            "`--dry-run` writes what would be asked, and `--pass-through` the output: give one of them",
        ));
    }
    let place = request.output.as_ref().map(Place::from);
    let session = request.session.as_ref().map(Place::from);
    if place.is_none() && session.is_none() {
        return Err(Failure::usage("no FILE is given, and no `--session` whose last words could be reviewed"));
    }
    let criteria_place = criteria_path.as_deref().map(Place::of);
    let proposals = request.proposals.as_ref().map(Place::from);
    let from_stdin = [&place, &session].into_iter().filter(|own| **own == Some(Place::Stdin)).count();
    if from_stdin > 1 || (from_stdin == 1 && criteria_place == Some(Place::Stdin)) {
        return Err(Failure::usage("only one of output, session and criteria can be read from stdin")
            .hint("give the others as files: `steadfast review - --criteria criteria.txt`"));
    }
    if proposals == Some(Place::Stdin) && (from_stdin == 1 || criteria_place == Some(Place::Stdin)) {
        return Err(Failure::usage("only one file can be read from stdin").hint("give the others as files"));
    }
    if confirm.is_some() && proposals.is_none() {
        return Err(Failure::usage("`--confirm` is given, and no proposals that somebody could stand behind")
            .hint("`--proposals FILE` names them"));
    }
    let gates = settings::review_gates(fail_below.as_deref(), &fail_on)?;
    let Writing { format, output, store, export } = settings::writing(writing, config)?;
    let named = request.fields.as_deref().unwrap_or_default();
    let wanted = fields(named, format == Format::Json, members::<wire::Review>)?;
    let acceptance_criteria = criteria_place.as_ref().map(criteria).transpose()?;
    let log = session.as_ref().map(session_log).transpose()?;
    let evidence = input::evidence(&request.evidence)?;
    let (file, path) = match &place {
        Some(place) => input::output(place)?,
        None => {
            let Some((log, _)) = &log else { return Err(Failure::usage("no FILE is given")) };
            (steadfast_engine::review::report_of(log)?, None)
        }
    };
    let read: Vec<_> = path
        .into_iter()
        .chain(log.iter().filter_map(|(_, path)| path.clone()))
        .chain(evidence.iter().map(|(_, path)| path.clone()))
        .chain(criteria_place.as_ref().and_then(Place::path))
        .chain(proposals.as_ref().and_then(Place::path))
        .collect();
    let outputs: Vec<_> = output.clone().into_iter().collect();
    output::spare(&read, &outputs.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    if pass_through {
        // Before anything else can fail: the next program in the pipe gets what the agent wrote.
        output::bytes_to_stdout(&file.bytes)?;
        if steadfast_engine::intake::text(&file.name, &file).is_err() {
            // What is not text holds no block.
            return Ok(Status::Passed);
        }
    }
    let exports = Exports::new(export);
    let opened = models.as_ref().map(|models| chat::desk(models, &[Role::Review])).transpose()?.flatten();
    let kept = if is_dry { None } else { record::open(store.as_deref(), &exports, &read, &outputs)? };
    let desk = opened.as_ref().map(|opened| Arc::new(opened.desk.clone()));
    let host = Local::new(exports.clone(), *talk).storing(kept).asking(desk).host();
    let message = (!talk.quiet && !pass_through).then(|| format!("reviewing {}", legible(&file.name)));
    let bytes = |file: File| Source::Bytes { name: file.name, bytes: file.bytes };
    let request = Review {
        output: place.is_some().then(|| bytes(file)),
        session: log.map(|(file, _)| bytes(file)),
        evidence: evidence.into_iter().map(|(file, _)| bytes(file)).collect(),
        acceptance_criteria,
        ..request
    };
    let (outcome, failures) = chat::ask(opened.as_ref(), calls::review(&host, request, confirm, &gates), message)??;
    if let Some(text) = opened.as_ref().map(|own| own.rehearsed(format == Format::Json)).transpose()?.flatten() {
        output::to(output.as_deref(), text)?;
        return Ok(Status::Passed);
    }
    let failed = outcome.review.chat.as_ref().and_then(|own| own.failed.clone()).filter(|_| require_chat);
    if pass_through && outcome.not_evaluable.is_some() && failures.is_empty() {
        return Ok(Status::Passed);
    }
    let tells_itself = format == Format::Json && !pass_through;
    note_run(outcome.review.run.as_ref(), store.as_deref(), tells_itself, *talk);
    match &output {
        Some(path) => {
            output::to_files(&[(path.clone(), render(&outcome, format, Colour::Off, wanted.as_ref())?)])?;
        }
        None if pass_through => {}
        None => output::to_stdout(&render(&outcome, format, output::colour(true), wanted.as_ref())?)?,
    }
    if let Some(error) = outcome.not_evaluable.filter(|_| failures.is_empty()) {
        exports.send(*talk);
        return Err(error.into());
    }
    let own = &outcome.review;
    if pass_through {
        let score = own.score.map_or_else(String::new, |score| format!(", score {score:.2}"));
        talk.note(&format!("{}: {}{score}", own.task_id, own.recommendation.label()));
    }
    for failure in &failures {
        talk.gate(failure);
    }
    exports.send(*talk);
    if let Some(why) = failed {
        return Err(audit::chat_failed(&why));
    }
    Ok(if failures.is_empty() { Status::Passed } else { Status::Gate })
}

/// Reads acceptance criteria: lines of text, or the reading of what was asked.
fn criteria(place: &Place) -> Result<Vec<String>, Failure> {
    let file: File = input::criteria(place)?;
    let text = steadfast_engine::intake::text(&file.name, &file)?;
    let criteria = if text.trim_start().starts_with('{') {
        let document = HandedContract::read(&file, true)?;
        document.contract.obligations.into_iter().map(|own| own.quote).collect()
    } else {
        criteria_of(&text)
    };
    if criteria.is_empty() {
        return Err(Failure::usage(format!("{}: holds no criteria", file.name))
            .hint("criteria are lines of text, or what `steadfast review criteria ASK` writes"));
    }
    Ok(criteria)
}

fn render(outcome: &ReviewOutcome, format: Format, shade: Colour, wanted: Option<&Fields>) -> Result<String, Failure> {
    let review = &outcome.review;
    let texts = Texts::of(&outcome.texts);
    Ok(match (format.form(), wanted) {
        (None, Some(fields)) => fields.json(review, None)?,
        (None, None) => steadfast_wire::to_json(review)?,
        (Some(form), _) => steadfast_render::review::drawn(review, &texts, form, shade)?,
    })
}
