//! A plan with chat models beside it: they read the notes too, make the plan, and give an opinion on it. Code locates, checks and decides.

use std::sync::Arc;

use steadfast_dialogue::{Nothing, Role};
use steadfast_evidence::{Evaluated, FileId};
use steadfast_plan as own;
use steadfast_plan::exchange::{
    Accepted, Aside, Brief, Extracted, Extraction, Generation, Judgement, Proposed, accept, opinions,
};
use steadfast_text::{Document, Format};
use steadfast_wire::model;
use steadfast_wire::plan as wire;

use super::meaning::meaning;
use super::{NotesRequest, PlanOutcome, Read, publish};
use crate::EngineError;
use crate::chat::{CallLog, ChatModels, drive, published, room_bytes};
use crate::pool::on_pool;

/// What all that a model proposed rests on.
const BASIS: &str = "proposed by a model, read by code";

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
    fn desk(&self) -> Result<Option<Arc<ChatModels>>, EngineError> {
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

/// Makes a plan from notes and proves it, with chat models beside the rules. What they say stands in `model_view`; a plan that a model made is
/// checked like anybody's. Where nothing is asked of a model this is [`plan`](super::plan).
///
/// # Errors
/// Those of [`plan`](super::plan); [`EngineError::NoDesk`] and [`EngineError::NoChatModel`] where nobody can be asked. That a call fails
/// is no error: the result says so.
pub async fn plan_assisted(
    request: NotesRequest,
    variant: wire::Variant,
    assistance: PlanAssistance,
) -> Result<PlanOutcome, EngineError> {
    let Some(desk) = assistance.desk()? else { return super::plan(request, variant).await };
    let ground = Arc::new(on_pool(move || Ground::new(request, publish::own_variant(variant))).await?);
    let mut log = Vec::new();
    let mut view =
        wire::ModelView { extraction: None, generation: None, opinion: None, set_aside: Vec::new(), calls: Vec::new() };

    let mut taken = None;
    if assistance.extract {
        let extracted =
            drive(&mut Extraction::new(&ground.text, room_bytes(&desk, Role::PlanExtract)), &desk, &mut log).await?;
        let of = Arc::clone(&ground);
        let read = Arc::new(on_pool(move || Ok(Taken::new(&of, extracted))).await?);
        view.set_aside.extend(read.accepted.aside.iter().map(aside));
        taken = Some(read);
    }

    let made = if assistance.generate {
        let (made, generation) = generated(&ground, taken.as_deref(), &desk, &mut log).await?;
        view.generation = Some(generation);
        made
    } else {
        built_in(&ground).await?
    };
    let Made { planned, unknown_ids } = made;
    let planned = Arc::new(planned);
    view.set_aside.extend(unknown_ids.iter().filter(|id| taken.as_ref().is_none_or(|it| !it.has(id))).map(|id| {
        model::Aside {
            what: "constraint id".to_owned(),
            text: id.clone(),
            reason: "the notes have no constraint of that id".to_owned(),
        }
    }));

    if let Some(taken) = taken {
        let (of, planned) = (Arc::clone(&ground), Arc::clone(&planned));
        let model = name(&desk, Role::PlanExtract);
        view.extraction = Some(on_pool(move || Ok(taken.published(&of, &planned, model))).await?);
    }
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

/// The notes, as code reads them and as a model does.
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
            return Err(EngineError::not_evaluable(read.file, "the notes hold neither a task nor a constraint"));
        }
        let text = if document.format == Format::Html {
            document.blocks.iter().map(|block| block.text.plain.as_str()).collect::<Vec<_>>().join("\n")
        } else {
            document.source.strip_prefix('\u{feff}').unwrap_or(&document.source).to_owned()
        };
        Ok(Self { read, document, text, variant })
    }

    fn brief(&self, taken: Option<&Taken>, room_bytes: usize) -> Brief {
        let read = taken.map_or(&self.read, |taken| &taken.read);
        let line = |own: &own::Constraint| {
            let wish = if own.hard { "" } else { ", a wish" };
            let meaning = meaning(&read.notes, &own.rule);
            format!("{} ({}{wish}): {meaning}; the notes say \"{}\"", own.id, own.kind().name(), own.text())
        };
        Brief {
            notes: self.text.clone(),
            now: self.read.notes.now.clone(),
            variant: self.variant,
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

/// What was taken of an extraction.
struct Taken {
    accepted: Accepted,
    /// The notes with it.
    read: Read,
    nothing: Vec<Nothing>,
    unread_bytes: usize,
}

impl Taken {
    fn new(ground: &Ground, mut extracted: Extracted) -> Self {
        let (nothing, unread_bytes) = (std::mem::take(&mut extracted.nothing), extracted.unread_bytes);
        let Read { notes, settings, .. } = &ground.read;
        let accepted = accept(FileId(0), &ground.document, notes, settings, extracted);
        let read = Read { notes: accepted.notes.clone(), ..ground.read.clone() };
        Self { accepted, read, nothing, unread_bytes }
    }

    fn has(&self, id: &str) -> bool {
        self.accepted.constraints().iter().any(|own| own.id == id)
    }

    /// What was taken, and what would follow if it held: a function of the plan at hand that changes nothing of it.
    fn published(&self, ground: &Ground, planned: &own::Planned, model: String) -> wire::Extraction {
        let (accepted, read) = (&self.accepted, &self.read);
        let answer = own::answer::read(&read.notes, &planned.items, own::Form::Plan);
        let would_be = match own::validate(&read.notes, &answer, &read.settings) {
            Evaluated::Value(validation) => validation,
            Evaluated::NotEvaluable(_) => planned.validation.clone(),
        };
        let passes = planned.validation.status == own::Status::Pass;
        let breaks = passes && would_be.status == own::Status::Fail;
        let known = &planned.validation.findings;
        let more = publish::validation(
            read,
            &own::Validation {
                findings: would_be.findings.into_iter().filter(|finding| !known.contains(finding)).collect(),
                constraints: Vec::new(),
                ..would_be
            },
        );
        let again = breaks.then(|| own::run(&read.notes, &read.settings, ground.variant));
        let alternative = match again {
            Some(Evaluated::Value(planned)) => {
                let response = publish::response(read, &planned);
                Some(wire::Alternative { status: response.status, plan: response.plan })
            }
            _ => None,
        };
        wire::Extraction {
            model,
            basis: BASIS.to_owned(),
            tasks: publish::tasks(read, accepted.tasks()),
            constraints: publish::constraints(read, accepted.constraints()),
            questions: accepted
                .questions
                .iter()
                .map(|own| wire::ProposedQuestion { question: own.text.clone(), span: publish::span(read, &own.quote) })
                .collect(),
            would_be: if passes && !breaks { wire::Validity::Pass } else { wire::Validity::Fail },
            findings: more.findings,
            alternative,
            nothing: self.nothing.iter().map(ToString::to_string).collect(),
            unread_bytes: self.unread_bytes,
        }
    }
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
    taken: Option<&Taken>,
    desk: &ChatModels,
    log: &mut Vec<CallLog>,
) -> Result<(Made, wire::Generation), EngineError> {
    let brief = ground.brief(taken, room_bytes(desk, Role::PlanGenerate));
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
    told.confidence = Some(publish::confidence(stands.confidence));
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
