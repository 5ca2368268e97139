//! What a chat model says of a task, beside what was picked for it: it is asked when everything is decided.

use std::sync::Arc;

use steadfast_dialogue::Role;
use steadfast_evidence::Quote;
use steadfast_pick::exchange::{Intake, accept};
use steadfast_pick::intake;
use steadfast_wire::pick as wire;
use steadfast_wire::{Span, model};

use super::choose::PickRequest;
use crate::EngineError;
use crate::chat::{ChatModels, drive, published, room_bytes};
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
}

impl PickAssistance {
    /// Whether somebody is there for what is asked for; to be asked before anything is picked.
    ///
    /// # Errors
    /// [`EngineError::NoDesk`] and [`EngineError::NoChatModel`] where nobody can be asked.
    pub fn ready(&self) -> Result<(), EngineError> {
        self.desk().map(|_| ())
    }

    /// Who is asked; `None` where nothing is asked for.
    fn desk(&self) -> Result<Option<&Arc<ChatModels>>, EngineError> {
        if !self.intake {
            return Ok(None);
        }
        let desk = self.desk.as_ref().ok_or_else(|| EngineError::no_desk("--intake model", "--intake rules"))?;
        if desk.model(Role::PickIntake).is_none() {
            return Err(EngineError::NoChatModel { role: Role::PickIntake.name().to_owned() });
        }
        Ok(Some(desk))
    }
}

/// Puts beside what was picked what a model says of the task: `model_view` is all that is written. Where nothing is asked of a model nothing is.
///
/// # Errors
/// Those of [`PickAssistance::ready`]. That a call fails is no error: the result says so.
pub async fn pick_assisted(
    picked: &mut wire::FinalOutput,
    request: &PickRequest,
    assistance: &PickAssistance,
) -> Result<(), EngineError> {
    let Some(desk) = assistance.desk()? else { return Ok(()) };
    let task = request.task.as_str();
    let mut log = Vec::new();
    let room = room_bytes(desk, Role::PickIntake);
    let answer = drive(&mut Intake::new(task, &picked.clarification_questions, room), desk, &mut log).await?;
    let mut view = wire::ModelView {
        intake: wire::Intake {
            model: desk.model(Role::PickIntake).map(|model| model.name().to_owned()).unwrap_or_default(),
            basis: BASIS.to_owned(),
            readings: Vec::new(),
            constraints: Vec::new(),
            questions: Vec::new(),
            wordings: Vec::new(),
            why: None,
            unread_bytes: Intake::unread_bytes(task, room),
        },
        set_aside: Vec::new(),
        calls: published(&log),
    };
    match answer {
        Err(nothing) => view.intake.why = Some(nothing.to_string()),
        Ok(proposed) => {
            let (task, questions) = (task.to_owned(), picked.clarification_questions.clone());
            let found = on_pool(move || Ok(accept(&intake::read(&task), &questions, proposed))).await?;
            let into = &mut view.intake;
            into.readings = found
                .readings
                .into_iter()
                .map(|own| wire::IntakeReading {
                    field: own.field.to_owned(),
                    value: own.value,
                    span: span(&own.quote),
                })
                .collect();
            into.constraints = found.constraints.iter().map(span).collect();
            into.questions = found
                .questions
                .into_iter()
                .map(|own| wire::IntakeQuestion { what: own.what, question: own.question, span: span(&own.quote) })
                .collect();
            into.wordings = found
                .wordings
                .into_iter()
                .filter_map(|own| {
                    let question = picked.clarification_questions.get(own.question)?.clone();
                    Some(wire::IntakeWording { question, wording: own.text })
                })
                .collect();
            view.set_aside = found
                .aside
                .into_iter()
                .map(|own| model::Aside { what: own.what.to_owned(), text: own.text, reason: own.reason })
                .collect();
        }
    }
    picked.model_view = Some(view);
    Ok(())
}

fn span(quote: &Quote) -> Span {
    let own = quote.span();
    Span { file: TASK_NAME.to_owned(), start: own.start, end: own.end, quote: quote.text().to_owned() }
}
