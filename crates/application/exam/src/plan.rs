//! The part of the model that reads notes.

use steadfast_engine::EngineError;
use steadfast_engine::chat::{ChatModels, drive, extraction_room};
use steadfast_evidence::FileId;
use steadfast_plan::exchange::{Extraction, take_reading};
use steadfast_wire::chat::ExamFigure;

use crate::Calls;
use crate::figures::{Bar, Share, share};
use crate::notes::{Note, Outcome, outcome, read_by_rules, settings};

/// At least so many of the plans that are recommended are right.
const RIGHT_LEAST: f64 = 0.90;

/// At least so many notes end in a right plan, or in a proof that there is none.
const OUTCOME_LEAST: f64 = 0.75;

/// Of at least so many notes the model's reading stands: elsewhere the plan is that of rules, and says nothing of the model.
const TAKEN_LEAST: f64 = 0.90;

/// What came of notes.
pub(crate) struct Planned {
    outcome: Outcome,
    /// Whether the plan rests on the model's reading.
    stands: bool,
}

/// Has notes read, and makes a plan of that.
pub(crate) async fn examine(models: &ChatModels, note: &Note) -> Result<(Planned, Calls), EngineError> {
    let (own, document) = read_by_rules(note);
    let (room_bytes, reply_tokens) = extraction_room(models);
    let mut log = Vec::new();
    let mut dialogue = Extraction::new(&note.notes, &own.now, &[], room_bytes, reply_tokens);
    let extracted = drive(&mut dialogue, models, &mut log).await?;
    let taken = take_reading(FileId(0), &document, &own, extracted).and_then(|mut taken| {
        taken.settle(&settings(), &[]).map_err(|error| error.to_string())?;
        Ok(taken.notes)
    });
    let planned = match taken {
        Ok(notes) => Planned { outcome: outcome(note, &notes), stands: true },
        Err(_) => Planned { outcome: outcome(note, &own), stands: false },
    };
    Ok((planned, Calls::of(&log)))
}

/// What rules alone make of notes.
pub(crate) fn by_rules(note: &Note) -> Outcome {
    outcome(note, &read_by_rules(note).0)
}

/// The figures, of what came of each time that each note was read, and beside them those of rules alone.
pub(crate) fn figures(runs: &[Vec<Planned>], rules: &[Outcome]) -> Vec<ExamFigure> {
    let all = || runs.iter().flatten().map(|own| &own.outcome);
    let mut flips = Share::default();
    for runs in runs.iter().filter(|runs| runs.len() > 1) {
        let said = |own: &Planned| (own.outcome.name, own.outcome.is_right);
        flips.put(runs.iter().any(|own| said(own) != said(&runs[0])));
    }
    let mut stand = Share::default();
    runs.iter().flatten().for_each(|own| stand.put(own.stands));
    let figure = |name, of: fn(&Outcome) -> Option<bool>, bar| {
        let counted = |outcomes: &mut dyn Iterator<Item = &Outcome>| {
            let mut own = Share::default();
            outcomes.filter_map(of).for_each(|hit| own.put(hit));
            own
        };
        share(name, counted(&mut all()), Some(counted(&mut rules.iter())), bar)
    };
    vec![
        figure("recommended_right", |own| (own.name == "recommended").then_some(own.is_right), Bar::Least(RIGHT_LEAST)),
        figure("outcome_right", |own| Some(own.is_right), Bar::Least(OUTCOME_LEAST)),
        figure("recommended", |own| Some(own.name == "recommended"), Bar::None),
        figure("needs_answer", |own| Some(own.name == "needs answer"), Bar::None),
        share("readings_taken", stand, None, Bar::Least(TAKEN_LEAST)),
        share("flips", flips, None, Bar::None),
    ]
}
