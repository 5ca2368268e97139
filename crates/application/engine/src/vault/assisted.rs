//! What a chat model says of a task beside what was picked for it, and what it chooses of the candidates where it is asked to.

use std::sync::Arc;

use steadfast_dialogue::Role;
use steadfast_evidence::Quote;
use steadfast_pick::exchange::{self, Choice, Intake, Ranking, accept, choose};
use steadfast_pick::intake;
use steadfast_pick::record::{PromptRecord, Records as _};
use steadfast_wire::pick as wire;
use steadfast_wire::{Span, model};

use super::choose::Picked;
use crate::EngineError;
use crate::chat::{CallLog, ChatModels, drive, published, room_bytes};
use crate::hash::uuid_v8;
use crate::pool::on_pool;

/// What all that a model proposed rests on.
const BASIS: &str = "proposed by a model, located by code";

/// What the task is called in spans.
const TASK_NAME: &str = "task";

/// What a chat model is asked for beside the rules.
#[derive(Clone, Default)]
pub struct PickAssistance {
    /// Who is asked; `None` where no model is configured.
    pub desk: Option<Arc<ChatModels>>,
    /// Whether a model reads the task as well, and words the questions.
    pub intake: bool,
    /// Whether a model chooses among the candidates.
    pub rank: bool,
}

impl PickAssistance {
    /// The roles in which a model is asked, in the order in which it is.
    #[must_use]
    pub fn roles(intake: bool, rank: bool) -> Vec<Role> {
        let asked = [(rank, Role::PickRank), (intake, Role::PickIntake)];
        asked.into_iter().filter(|(asked, _)| *asked).map(|(_, role)| role).collect()
    }

    /// Whether somebody is there for what is asked for; to be asked before anything is picked.
    ///
    /// # Errors
    /// [`EngineError::NoDesk`] and [`EngineError::NoChatModel`] where nobody can be asked.
    pub fn ready(&self) -> Result<(), EngineError> {
        self.desk().map(|_| ())
    }

    /// Who is asked; `None` where nothing is asked for.
    fn desk(&self) -> Result<Option<&Arc<ChatModels>>, EngineError> {
        let roles = Self::roles(self.intake, self.rank);
        let Some(first) = roles.first() else { return Ok(None) };
        let (with, without) = match first {
            Role::PickRank => ("--rank model", "--rank rules"),
            _ => ("--intake model", "--intake rules"),
        };
        let desk = self.desk.as_ref().ok_or_else(|| EngineError::no_desk(with, without))?;
        match roles.into_iter().find(|role| desk.model(*role).is_none()) {
            Some(role) => Err(EngineError::NoChatModel { role: role.name().to_owned() }),
            None => Ok(Some(desk)),
        }
    }
}

/// What was picked, with what a model was asked for: its choice of the candidates, where it can be used, in the place of that of rules; what it says of the task beside
/// it. Where nothing is asked of a model all is as rules have it.
///
/// # Errors
/// Those of [`PickAssistance::ready`]. That a call fails is no error: the result says so.
pub async fn pick_assisted(picked: Picked, assistance: &PickAssistance) -> Result<wire::FinalOutput, EngineError> {
    let Some(desk) = assistance.desk()? else { return Ok(picked.output()) };
    let mut log = Vec::new();
    let mut view = wire::ModelView { intake: None, rank: None, set_aside: Vec::new(), calls: Vec::new() };
    let task = picked.request.task.clone();
    let mut found = if assistance.rank { ranked(picked, desk, &mut log, &mut view).await? } else { picked.output() };
    if assistance.intake {
        view.intake = Some(read(&task, &found.clarification_questions, desk, &mut log, &mut view.set_aside).await?);
    }
    view.calls = published(&log);
    found.model_view = Some(view);
    Ok(found)
}

fn model_of(desk: &ChatModels, role: Role) -> String {
    desk.model(role).map(|model| model.name().to_owned()).unwrap_or_default()
}

fn told(aside: Vec<exchange::Aside>) -> impl Iterator<Item = model::Aside> {
    aside.into_iter().map(|own| model::Aside { what: own.what.to_owned(), text: own.text, reason: own.reason })
}

/// Why rules' choice stands where no model is asked.
const ASKS_FIRST: &str = "no model was asked: rules ask for what the task lacks, and no prompt answers that";
const NO_CANDIDATES: &str = "no model was asked: there are no candidates";
/// Why it stands where a reply was read.
const NOT_TAKEN: &str = "its reply was set aside";

/// What is picked where a model chooses among the candidates.
async fn ranked(
    mut picked: Picked,
    desk: &Arc<ChatModels>,
    log: &mut Vec<CallLog>,
    view: &mut wire::ModelView,
) -> Result<wire::FinalOutput, EngineError> {
    let rules = picked.output();
    let model = model_of(desk, Role::PickRank);
    let mut own = wire::Ranking { model, shown: 0, none: None, why: None };
    let stands = |own: wire::Ranking, why: String, view: &mut wire::ModelView| {
        view.rank = Some(wire::Ranking { why: Some(why), ..own });
        rules.clone()
    };
    let mut places = picked.selection.to_rank();
    if picked.selection.asks_of_task() || places.is_empty() {
        let why = if places.is_empty() { NO_CANDIDATES } else { ASKS_FIRST };
        return Ok(stands(own, why.to_owned(), view));
    }
    let stages = picked.selection.stages_to_serve();
    let mut exchange = {
        let record = |place: &usize| picked.prompts.get(picked.selection.candidates.get(*place)?.record);
        let records: Vec<&PromptRecord> = places.iter().filter_map(record).collect();
        Ranking::new(&picked.request.task, &records, &stages, room_bytes(desk, Role::PickRank))
    };
    places.truncate(exchange.shown());
    own.shown = places.len();
    let proposed = match drive(&mut exchange, desk, log).await? {
        Ok(proposed) => proposed,
        Err(nothing) => return Ok(stands(own, nothing.to_string(), view)),
    };
    let ids: Vec<String> = places.iter().map(|place| picked.id(*place)).collect();
    let (choice, aside, picked) = on_pool(move || {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let (choice, aside) = choose(proposed, &ids, !stages.is_empty());
        if let Some(choice) = &choice {
            picked.selection = picked.selection.ranked(&picked.spec, &picked.prompts, &places, choice);
        }
        Ok((choice, aside, picked))
    })
    .await?;
    view.set_aside.extend(told(aside));
    let Some(choice) = choice else { return Ok(stands(own, NOT_TAKEN.to_owned(), view)) };
    if let Choice::Nothing(why) = choice {
        own.none = Some(why);
    }
    let mut found = picked.output();
    let origin = format!("chat:{}", own.model);
    let prompt_ids = |of: &wire::FinalOutput| of.selected_prompts.iter().map(|own| own.prompt_id.clone()).collect();
    let chosen: Vec<String> = prompt_ids(&found);
    let parts = [&rules.trace_id, &origin].into_iter().chain(&chosen).map(|own| own.as_bytes());
    found.trace_id = uuid_v8("steadfast pick rank", &parts.collect::<Vec<_>>());
    found.by_rules =
        Some(wire::PickedByRules { mode: rules.mode, confidence: rules.confidence, prompt_ids: prompt_ids(&rules) });
    (found.origin, found.confidence) = (origin, None);
    view.rank = Some(own);
    Ok(found)
}

/// What a model reads in a task, and other words for the questions that code asks of it.
async fn read(
    task: &str,
    questions: &[String],
    desk: &Arc<ChatModels>,
    log: &mut Vec<CallLog>,
    set_aside: &mut Vec<model::Aside>,
) -> Result<wire::Intake, EngineError> {
    let room = room_bytes(desk, Role::PickIntake);
    let answer = drive(&mut Intake::new(task, questions, room), desk, log).await?;
    let mut into = wire::Intake {
        model: model_of(desk, Role::PickIntake),
        basis: BASIS.to_owned(),
        readings: Vec::new(),
        constraints: Vec::new(),
        questions: Vec::new(),
        wordings: Vec::new(),
        why: None,
        unread_bytes: Intake::unread_bytes(task, room),
    };
    let proposed = match answer {
        Ok(proposed) => proposed,
        Err(nothing) => return Ok(wire::Intake { why: Some(nothing.to_string()), ..into }),
    };
    let (task, asked) = (task.to_owned(), questions.to_vec());
    let found = on_pool(move || Ok(accept(&intake::read(&task), &asked, proposed))).await?;
    into.readings = found
        .readings
        .into_iter()
        .map(|own| wire::IntakeReading { field: own.field.to_owned(), value: own.value, span: span(&own.quote) })
        .collect();
    into.constraints = found.constraints.iter().map(span).collect();
    into.questions = found
        .questions
        .into_iter()
        .map(|own| wire::IntakeQuestion { what: own.what, question: own.question, span: span(&own.quote) })
        .collect();
    let wording = |own: exchange::Wording| {
        Some(wire::IntakeWording { question: questions.get(own.question)?.clone(), wording: own.text })
    };
    into.wordings = found.wordings.into_iter().filter_map(wording).collect();
    set_aside.extend(told(found.aside));
    Ok(into)
}

fn span(quote: &Quote) -> Span {
    let own = quote.span();
    Span { file: TASK_NAME.to_owned(), start: own.start, end: own.end, quote: quote.text().to_owned() }
}
