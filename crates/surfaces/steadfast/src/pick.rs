//! `steadfast pick` and `feedback`.

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_engine::EngineError;
use steadfast_engine::runs::{Asked, Outcome, Recorder};
use steadfast_engine::trace::{self, About};
use steadfast_engine::vault::{
    OpenVault, PickAssistance, PickRequest, Points, against, assigned, filled_chain, filters, give_feedback,
    keep_selection, pick_assisted, points,
};
use steadfast_wire::pick::{FinalOutput, PickMode};
use steadfast_wire::request::{Reader, Word};
use steadfast_wire::trace::Batch;

use crate::args::{FeedbackArgs, PickArgs, RowsFormat};
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::place::Place;
use crate::settings;
use crate::store::{counted, existing, lines, write};
use crate::talk::{Talk, legible};
use crate::{chat, input, output, record, vault};

/// Picks prompts for a task, or for each of many.
pub(crate) fn pick(args: PickArgs, talk: &Talk) -> Result<Status, Failure> {
    let mut fails = false;
    for condition in &args.fail_on {
        if condition != "clarify" {
            return Err(Failure::usage(format!("`--fail-on {condition}` is no condition of pick"))
                .hint("pick fails on `clarify`"));
        }
        fails = true;
    }
    if let Some(at) = args.at.as_deref().filter(|at| !is_date(at)) {
        return Err(Failure::usage(format!("`--at {at}` is no date")).hint("a date is written as 2026-01-26"));
    }
    let values = values(&args.set)?;
    let (intake, rank) = (args.intake == Reader::Model, args.rank == Reader::Model);
    let config = args.chat.config.clone();
    let own = settings::asked_models(intake || rank, args.chat, "`--intake model` or `--rank model`")?;
    let seated = own.as_ref().map(|own| chat::desk(own, &PickAssistance::roles(intake, rank))).transpose()?.flatten();
    let desk = seated.as_ref().map(|seated| Arc::new(seated.desk.clone()));
    let assistance = PickAssistance { desk, intake, rank };
    assistance.ready()?;
    if own.as_ref().is_some_and(|own| own.dry_run) && args.tasks.is_some() {
        return Err(Failure::usage("`--dry-run` is said of one task, not of `--tasks`"));
    }
    let exports = Exports::new(settings::export(args.export, Some(&args.vault.vault), config)?);
    for file in &exports.files {
        record::distinct(
            file,
            Some(&args.vault.vault),
            &args.tasks.iter().cloned().collect::<Vec<_>>(),
            &args.rows.output.file().into_iter().collect::<Vec<_>>(),
        )?;
    }
    let store = Arc::new(existing(&args.vault.vault)?);
    let given: Vec<Points> = args.operating_point.iter().map(|name| points_of(name)).collect::<Result<_, _>>()?;
    let mut open = vault::open(store.clone(), talk)?;
    if open.is_empty() {
        return Err(Failure::usage(format!("{}: the vault holds no prompts", args.vault.vault.display())).hint(
            "`steadfast vault import PATH --vault FILE` takes some in; `--shipped` those that ship with the program",
        ));
    }
    let points = against(&given, open.has_vectors())?;
    let point_of = |task: &str| {
        assigned(task, &points).ok_or_else(|| EngineError::Internal { what: "no operating point is there".to_owned() })
    };
    let wanted = filters(&args.filters.filter, &args.filters.exclude)?;
    let request =
        |qid, task| PickRequest { qid, task, at: args.at.clone(), explain: args.explain, filters: wanted.clone() };
    let mut asked_first = 0_usize;
    match (args.tasks, args.task) {
        (Some(path), _) => {
            let tasks = vault::tasks(&path)?;
            let mut receipts = Vec::new();
            lines(&args.vault.vault, args.rows.output.file().as_deref(), |line| {
                tasks.into_iter().try_for_each(|task| {
                    let request = request(Some(task.qid), task.query);
                    let picked = open.picked(&request, point_of(&request.task)?, rank)?;
                    let found = chat::ask(seated.as_ref(), pick_assisted(picked, &assistance), None)??;
                    asked_first += usize::from(found.mode == PickMode::Clarify);
                    receipts.push(keep_selection(&*store, &found)?);
                    line(&steadfast_wire::to_json_line(&found)?)
                })
            })?;
            // Whoever sees status 0 can say something of each.
            receipts.into_iter().try_for_each(|receipt| receipt()).map_err(EngineError::from)?;
        }
        (None, task) => {
            let request = request(None, task.unwrap_or_default());
            let mut recorder = Recorder::begin(exports.keeping(store.clone()).map_err(EngineError::from)?)?;
            let point = point_of(&request.task)?;
            let picked = open.picked(&request, point, rank)?;
            let mut found = chat::ask(seated.as_ref(), pick_assisted(picked, &assistance), None)??;
            let json = args.rows.output.format() == RowsFormat::Json;
            if let Some(text) = seated.as_ref().map(|seated| seated.rehearsed(json)).transpose()?.flatten() {
                output::to(args.rows.output.file().as_deref(), text)?;
                return Ok(Status::Passed);
            }
            recorder.mark("pick");
            // What cannot be printed is told before anything is kept.
            let chain = if args.print { Some(filled_chain(&*store, &found, &values)?) } else { None };
            asked_first += usize::from(found.mode == PickMode::Clarify);
            keep_selection(&*store, &found)?().map_err(EngineError::from)?;
            let status = if fails && asked_first > 0 { Status::Gate } else { Status::Passed };
            let outcome = Outcome::pick(&found)?;
            let told =
                [args.filters.filter, args.filters.exclude.iter().map(|own| format!("not {own}")).collect()].concat();
            let asked = Asked::pick(&request, &point.name, told);
            let (asked, timing) = (asked.pick_assistance(&assistance), recorder.stop());
            found.run = recorder.end(&asked, outcome, status as u8)?;
            if exports.is_asked() {
                let capture = exports.capture;
                let about = About { timing: &timing, asked: &asked, exit_status: status as u8, stored: true, capture };
                exports.take(&Batch { traces: vec![trace::pick(&found, &about)], experiment: None }, *talk);
            }
            let text = match &chain {
                Some(chain) => steadfast_render::pick::filled_markdown(chain),
                None => steadfast_render::pick::text(&found, &titles(&found, &open)?),
            };
            write(&args.rows, || text, &found)?;
            if let Some(chain) = &chain {
                let unfilled: Vec<&str> = chain.unfilled().collect();
                if !unfilled.is_empty() {
                    talk.note(&format!("not filled: {} (`--set NAME=VALUE`)", legible(&unfilled.join(", "))));
                }
            }
        }
    }
    if fails && asked_first > 0 {
        talk.gate(&format!("{} first (--fail-on clarify)", counted(asked_first as u64, "task asks something")));
    }
    exports.send(*talk);
    Ok(if fails && asked_first > 0 { Status::Gate } else { Status::Passed })
}

/// Values for placeholders, by their names.
fn values(set: &[String]) -> Result<BTreeMap<String, String>, Failure> {
    let mut values = BTreeMap::new();
    for own in set {
        let Some((name, value)) = own.split_once('=').filter(|(name, _)| !name.trim().is_empty()) else {
            return Err(Failure::usage(format!("`--set {}` gives no value", legible(own)))
                .hint("a value is given as `--set NAME=VALUE`"));
        };
        let name = name.trim().to_owned();
        if values.contains_key(&name) {
            return Err(Failure::usage(format!("`--set {}` is given twice", legible(&name))));
        }
        values.insert(name, value.to_owned());
    }
    Ok(values)
}

/// The operating points of a name, or of a file.
fn points_of(name: &str) -> Result<Points, Failure> {
    match name {
        "default" => return Ok(Points::fitted()),
        "seed" => return Ok(Points::seed()),
        _ => {}
    }
    let place = if name == "-" { Place::Stdin } else { Place::Path(name.into()) };
    let file = input::given(&place)?;
    let text = steadfast_engine::intake::text(&file.name, &file)?;
    Ok(points(&file.name, &text)?)
}

/// Says whether prompts that were picked were of use.
pub(crate) fn feedback(args: &FeedbackArgs, talk: &Talk) -> Result<Status, Failure> {
    let store = existing(&args.vault.vault)?;
    let good = args.verdict == Word::Good;
    let said = give_feedback(&store, &args.trace_id, good, &args.prompt_ids)?;
    store.close()?;
    let what = if good { "good" } else { "bad" };
    talk.note(&format!("{what}: {}", legible(&said.prompt_ids.join(", "))));
    Ok(Status::Passed)
}

fn is_date(text: &str) -> bool {
    text.parse::<jiff::civil::Date>().is_ok_and(|_| text.len() == 10)
}

/// The titles of the prompts that were picked, by their ids.
fn titles(found: &FinalOutput, open: &OpenVault) -> Result<BTreeMap<String, String>, Failure> {
    let of = |id: &String| Ok(open.title(id)?.map(|title| (id.clone(), title)));
    found.selected_prompts.iter().filter_map(|own| of(&own.prompt_id).transpose()).collect()
}
