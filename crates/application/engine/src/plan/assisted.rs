//! A plan with chat models beside it: they read the notes too, make the plan, and give an opinion on it. Code locates, checks and decides.

use std::sync::Arc;

use steadfast_dialogue::Role;
use steadfast_evidence::{Evaluated, FileId};
use steadfast_plan as own;
use steadfast_plan::exchange::{
    Answered, Aside, Brief, Extraction, Generation, Judgement, Proposed, TakenReading, is_of_the_model, opinions,
    take_reading,
};
use steadfast_text::{Document, Format};
use steadfast_wire::model;
use steadfast_wire::plan as wire;
use steadfast_wire::plan::PlanAnswer;

use super::meaning::meaning;
use super::{NotesRequest, PlanOutcome, Read, publish};
use crate::EngineError;
use crate::chat::{CallLog, ChatModels, drive, extraction_room, published, room_bytes};
use crate::pool::on_pool;

/// What chat models are asked for beside the rules.
#[derive(Clone, Default)]
pub struct PlanAssistance {
    /// Who is asked; `None` where no model is configured.
    pub desk: Option<Arc<ChatModels>>,
    /// Whether a model reads the notes as well.
    pub extract: bool,
    /// Whether a model makes the plan.
    pub generate: bool,
    /// Whether a model gives an opinion on the plan.
    pub advise: bool,
}

impl PlanAssistance {
    /// Who is asked; `None` where nothing is asked for.
    pub(super) fn desk(&self) -> Result<Option<Arc<ChatModels>>, EngineError> {
        let asked = [
            (self.extract, Role::PlanExtract, "--extract model", "--extract rules"),
            (self.generate, Role::PlanGenerate, "--generate model", "--generate built-in"),
            (self.advise, Role::PlanJudge, "--advise", "steadfast plan"),
        ];
        let mut asked = asked.into_iter().filter(|(is_asked, ..)| *is_asked).peekable();
        let Some((_, _, option, without)) = asked.peek().copied() else { return Ok(None) };
        let Some(desk) = &self.desk else { return Err(EngineError::no_desk(option, without)) };
        match asked.find(|(_, role, ..)| desk.model(*role).is_none()) {
            Some((_, role, ..)) => Err(EngineError::NoChatModel { role: role.name().to_owned() }),
            None => Ok(Some(Arc::clone(desk))),
        }
    }
}

/// Makes a plan from notes and proves it, with chat models beside the rules. A reading that a model made binds the plan as far as code locates it in the
/// notes; a plan that a model made is checked like anybody's. Where nothing is asked of a model this is [`plan`](super::plan).
///
/// # Errors
/// Those of [`plan`](super::plan); [`EngineError::NoDesk`] and [`EngineError::NoChatModel`] where nobody can be asked;
/// [`EngineError::TwoReadings`] where a reading is handed in as well. That a call fails is no error: the result says so.
pub async fn plan_assisted(
    request: NotesRequest,
    variant: wire::Variant,
    assistance: PlanAssistance,
) -> Result<PlanOutcome, EngineError> {
    let Some(desk) = assistance.desk()? else { return super::plan(request, variant).await };
    let (mut log, mut view) = (Vec::new(), nothing_asked());
    let ground = if assistance.extract {
        grounded(request, publish::own_variant(variant), &desk, &mut log, &mut view).await?
    } else {
        on_pool(move || Ground::new(request, publish::own_variant(variant))).await?
    };
    let ground = Arc::new(ground);
    let made = if assistance.generate {
        let (made, generation) = generated(&ground, &desk, &mut log).await?;
        view.generation = Some(generation);
        made
    } else {
        built_in(&ground).await?
    };
    let Made { planned, unknown_ids } = made;
    let planned = Arc::new(planned);
    view.set_aside.extend(unknown_ids.iter().map(|id| model::Aside {
        what: "constraint id".to_owned(),
        text: id.clone(),
        reason: "the notes have no constraint of that id".to_owned(),
    }));
    if assistance.advise {
        let by_model = view.generation.as_ref().is_some_and(|it| it.made_by == wire::PlanMaker::Model);
        let (opinion, aside) = opinion(&ground, &planned, by_model, &desk, &mut log).await?;
        view.opinion = Some(opinion);
        view.set_aside.extend(aside);
    }
    view.calls = published(&log);

    on_pool(move || {
        let mut response = publish::response(&ground.read, &planned);
        if view.generation.as_ref().is_some_and(|it| it.made_by == wire::PlanMaker::Model) {
            publish::write_times(&ground.read, &planned.items, &mut response.plan);
        }
        response.model_view = Some(view);
        Ok(PlanOutcome { response, texts: ground.read.texts.clone() })
    })
    .await
}

/// Notes as a model reads them, and what it was asked.
///
/// # Errors
/// Those of [`plan_assisted`] about a reading by a model.
pub(super) async fn read(request: NotesRequest, desk: &ChatModels) -> Result<(Read, wire::ModelView), EngineError> {
    let (mut log, mut view) = (Vec::new(), nothing_asked());
    let ground = grounded(request, own::Variant::default(), desk, &mut log, &mut view).await?;
    view.calls = published(&log);
    Ok((ground.read, view))
}

const fn nothing_asked() -> wire::ModelView {
    wire::ModelView { extraction: None, generation: None, opinion: None, set_aside: Vec::new(), calls: Vec::new() }
}

/// The notes as a model reads them. What came of asking it stands in `view`.
async fn grounded(
    mut request: NotesRequest,
    variant: own::Variant,
    desk: &ChatModels,
    log: &mut Vec<CallLog>,
    view: &mut wire::ModelView,
) -> Result<Ground, EngineError> {
    if request.reading.is_some() {
        return Err(EngineError::TwoReadings);
    }
    let answers = std::mem::take(&mut request.answers);
    let ground = Arc::new(on_pool(move || Ground::new(request, variant)).await?);
    let (ground, extraction, set_aside) = extracted(&ground, answers, desk, log).await?;
    view.extraction = Some(extraction);
    view.set_aside.extend(set_aside);
    Ok(ground)
}

/// The notes, as they are read, and what a model is shown of them.
#[derive(Clone)]
struct Ground {
    read: Read,
    document: Document,
    /// What a model is shown of them: their source, or of a page what a reader sees.
    text: String,
    variant: own::Variant,
}

impl Ground {
    fn new(request: NotesRequest, variant: own::Variant) -> Result<Self, EngineError> {
        let (read, document) = Read::with_document(request)?;
        if read.notes.tasks.is_empty() && read.notes.constraints.is_empty() {
            return Err(EngineError::not_evaluable(read.file, super::NOTHING));
        }
        let text = if document.format == Format::Html {
            document.blocks.iter().map(|block| block.text.plain.as_str()).collect::<Vec<_>>().join("\n")
        } else {
            document.source.strip_prefix('\u{feff}').unwrap_or(&document.source).to_owned()
        };
        Ok(Self { read, document, text, variant })
    }

    fn brief(&self, room_bytes: usize) -> Brief {
        let read = &self.read;
        let line = |own: &own::Constraint| {
            let wish = if own.hard { "" } else { ", a wish" };
            let meaning = meaning(&read.notes, &own.rule);
            format!("{} ({}{wish}): {meaning}; the notes say \"{}\"", own.id, own.kind().name(), own.text())
        };
        Brief {
            notes: self.text.clone(),
            now: self.read.notes.now.clone(),
            variant: self.variant,
            tasks: publish::tasks(read, &read.notes.tasks).iter().map(task_line).collect(),
            constraints: read.notes.constraints.iter().map(line).collect(),
            room_bytes,
        }
    }

    fn check(&self, items: &[own::Given]) -> Result<own::Validation, EngineError> {
        value(own::check(&self.read.notes, items, &self.read.settings), &self.read.file)
    }
}

fn value<T>(evaluated: Evaluated<T>, file: &str) -> Result<T, EngineError> {
    match evaluated {
        Evaluated::Value(value) => Ok(value),
        Evaluated::NotEvaluable(reason) => Err(EngineError::not_evaluable(file, &reason.0)),
    }
}

fn name(desk: &ChatModels, role: Role) -> String {
    desk.model(role).map(|model| model.name().to_owned()).unwrap_or_default()
}

fn aside(own: &Aside) -> model::Aside {
    model::Aside { what: own.what.to_owned(), text: own.text.clone(), reason: own.reason.clone() }
}

/// A task in the words of a brief.
fn task_line(own: &wire::Task) -> String {
    let long = own.minutes.map_or_else(String::new, |minutes| format!(", {minutes} minutes"));
    let need = if own.must {
        ", must be done"
    } else if own.optional {
        ", may be left out"
    } else {
        ""
    };
    format!("{} {}{long}{need}", own.id, own.task)
}

/// The notes as a model reads them, what is published of that, and what was set aside. Where no reading came that can stand in the place of that of rules,
/// the latter stays, and the reason stands in what is published.
async fn extracted(
    ground: &Arc<Ground>,
    answers: Vec<PlanAnswer>,
    desk: &ChatModels,
    log: &mut Vec<CallLog>,
) -> Result<(Ground, wire::Extraction, Vec<model::Aside>), EngineError> {
    let mut said = read_by_model(ground, &[], desk, log).await?;
    // What a model asked and somebody answered it reads once more, with the answer.
    let known = said.taken.as_ref().map(|taken| answered(taken, &answers)).unwrap_or_default();
    let (known_ids, known): (Vec<String>, Vec<Answered>) = known.into_iter().unzip();
    if !known.is_empty() {
        said = read_by_model(ground, &known, desk, log).await?;
    }
    let (model, exam) = (name(desk, Role::PlanExtract), desk.mark(Role::PlanExtract).cloned());
    let of = Arc::clone(ground);
    on_pool(move || {
        let mut own = Ground::clone(&of);
        let Said { taken, unread_bytes } = said;
        let mut published = wire::Extraction {
            model: model.clone(),
            exam,
            stands: taken.is_ok(),
            why: taken.as_ref().err().cloned(),
            tasks: Vec::new(),
            constraints: Vec::new(),
            disputed: Vec::new(),
            unread_bytes,
        };
        let Ok(mut taken) = taken else {
            super::reading::answered(&own.document, &own.read.settings, &mut own.read.notes, answers)?;
            own::variant::weigh(&mut own.read.notes, &own.read.settings);
            return Ok((own, published, Vec::new()));
        };
        let left = answers.into_iter().filter(|own| !known_ids.contains(&own.id)).map(|own| (own.id, own.answer));
        let settled = taken.settle(&own.read.settings, &left.collect::<Vec<_>>());
        settled.map_err(|error| EngineError::PlanAnswer(error.to_string()))?;
        own.read.notes = taken.notes;
        own.read.by = format!("chat:{model}");
        published.tasks = publish::tasks(&own.read, &own.read.notes.tasks);
        published.constraints = publish::reading(&own.read, &own.read.notes);
        published.disputed = publish::constraints(&own.read, &taken.disputed);
        Ok((own, published, taken.aside.iter().map(aside).collect()))
    })
    .await
}

/// What came of asking a model to read notes.
struct Said {
    /// Its reading, or why none can stand for all of the notes.
    taken: Result<TakenReading, String>,
    unread_bytes: usize,
}

async fn read_by_model(
    ground: &Arc<Ground>,
    answers: &[Answered],
    desk: &ChatModels,
    log: &mut Vec<CallLog>,
) -> Result<Said, EngineError> {
    let now = &ground.read.notes.now;
    let (room_bytes, reply_tokens) = extraction_room(desk);
    let mut dialogue = Extraction::new(&ground.text, now, answers, room_bytes, reply_tokens);
    let extracted = drive(&mut dialogue, desk, log).await?;
    let unread_bytes = extracted.unread_bytes;
    let of = Arc::clone(ground);
    let taken = on_pool(move || Ok(take_reading(FileId(0), &of.document, &of.read.notes, extracted))).await?;
    Ok(Said { taken, unread_bytes })
}

/// The answers to what a model asked, each with the id of its question.
fn answered(taken: &TakenReading, answers: &[PlanAnswer]) -> Vec<(String, Answered)> {
    let of_the_model = |own: &PlanAnswer| {
        let question = taken.notes.open.iter().find(|it| it.id == own.id && is_of_the_model(it))?;
        let chosen = question.choice(&own.answer).and_then(|at| question.choices.get(at));
        // An answer in other words than the choices goes to the model as well.
        let answer = chosen.map_or(own.answer.trim(), |choice| choice.text.as_str()).to_owned();
        let quote = question.quote.text().to_owned();
        Some((own.id.clone(), Answered { quote, question: question.text.clone(), answer }))
    };
    answers.iter().filter_map(of_the_model).collect()
}

/// A plan, and the ids of constraints that a model named for its items and that the notes do not have.
struct Made {
    planned: own::Planned,
    unknown_ids: Vec<String>,
}

async fn built_in(ground: &Arc<Ground>) -> Result<Made, EngineError> {
    let ground = Arc::clone(ground);
    on_pool(move || {
        let Read { notes, settings, file, .. } = &ground.read;
        let planned = value(own::run(notes, settings, ground.variant), file)?;
        Ok(Made { planned, unknown_ids: Vec::new() })
    })
    .await
}

/// The plan of a model, with one repair where the variant has one and the plan fails. Where no plan comes, the built-in planner's, and it
/// is said so: who asked has a plan all the same, and it is no worse than without a model.
async fn generated(
    ground: &Arc<Ground>,
    desk: &ChatModels,
    log: &mut Vec<CallLog>,
) -> Result<(Made, wire::Generation), EngineError> {
    let brief = ground.brief(room_bytes(desk, Role::PlanGenerate));
    let mut told = wire::Generation {
        model: name(desk, Role::PlanGenerate),
        made_by: wire::PlanMaker::Model,
        why: None,
        repair: None,
        assumptions: Vec::new(),
        questions: Vec::new(),
        confidence: None,
        unread_bytes: brief.unread_bytes(),
    };
    let first = match drive(&mut Generation::first(&brief), desk, log).await? {
        Ok(first) => first,
        Err(nothing) => {
            told.made_by = wire::PlanMaker::BuiltIn;
            told.why = Some(nothing.to_string());
            return Ok((built_in(ground).await?, told));
        }
    };
    let (of, items) = (Arc::clone(ground), first.items.clone());
    let validation = on_pool(move || of.check(&items)).await?;
    let mut repaired = None;
    if ground.variant == own::Variant::V4Repair && validation.status == own::Status::Fail {
        let again = drive(&mut Generation::repair(&brief, &first.items, &validation), desk, log).await?;
        repaired = Some(again.map_err(|nothing| nothing.to_string()));
    }
    let of = Arc::clone(ground);
    let (made, first, repaired) = on_pool(move || {
        let Read { notes, settings, file, .. } = &of.read;
        let planned = value(own::generated(notes, settings, of.variant, &first, repaired.as_ref()), file)?;
        Ok((planned, first, repaired))
    })
    .await?;
    let is_first = made.items == first.items;
    told.repair = repaired.as_ref().map(|again| match again {
        Err(_) => wire::RepairOutcome::Nothing,
        Ok(_) if is_first => wire::RepairOutcome::NoBetter,
        Ok(_) => wire::RepairOutcome::Taken,
    });
    let stands: Proposed = match repaired {
        Some(Ok(again)) if !is_first => again,
        _ => first,
    };
    told.confidence = Some(stands.confidence);
    told.assumptions = stands.assumptions;
    told.questions = stands.questions;
    let mut unknown_ids: Vec<String> = Vec::new();
    for id in stands.constraint_ids.into_iter().flatten() {
        let known = ground.read.notes.constraints.iter().any(|own| own.id == id);
        if !known && !unknown_ids.contains(&id) {
            unknown_ids.push(id);
        }
    }
    Ok((Made { planned: made, unknown_ids }, told))
}

async fn opinion(
    ground: &Arc<Ground>,
    planned: &Arc<own::Planned>,
    by_model: bool,
    desk: &ChatModels,
    log: &mut Vec<CallLog>,
) -> Result<(wire::Opinion, Vec<model::Aside>), EngineError> {
    let model = name(desk, Role::PlanJudge);
    let self_judged = by_model && model == name(desk, Role::PlanGenerate);
    let mut opinion = wire::Opinion { model, self_judged, scores: Vec::new(), why: None };
    if planned.items.is_empty() {
        opinion.why = Some("the plan is empty".to_owned());
        return Ok((opinion, Vec::new()));
    }
    let said =
        match drive(&mut Judgement::new(&ground.text, &planned.items, room_bytes(desk, Role::PlanJudge)), desk, log)
            .await?
        {
            Ok(said) => said,
            Err(nothing) => {
                opinion.why = Some(nothing.to_string());
                return Ok((opinion, Vec::new()));
            }
        };
    let of = Arc::clone(planned);
    let (found, set_aside) = on_pool(move || Ok(opinions(&of.items, said))).await?;
    opinion.scores = found
        .into_iter()
        .map(|own| wire::OpinionScore {
            dimension: own.dimension,
            score: own.score,
            quote: own.quote,
            item_index: own.item,
            field: own.field.name().to_owned(),
            comment: own.comment,
        })
        .collect();
    Ok((opinion, set_aside.iter().map(aside).collect()))
}
