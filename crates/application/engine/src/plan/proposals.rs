//! What somebody who understands notes reads in them beside code: located, read by code, and taken where code can stand for it.

use steadfast_evidence::{FileId, WHY_CHARS_MAX};
use steadfast_plan::Settings;
use steadfast_plan::exchange::{Proposals, ProposedConstraint, ProposedTask, accept};
use steadfast_plan::model::Notes;
use steadfast_text::Document;
use steadfast_wire::model::Aside;
use steadfast_wire::plan::{Contested, PlanProposals, PlanProposed};

use crate::EngineError;
use crate::intake::File;
use crate::proposals::{refused, text};

/// Constraints that are contested, at most.
const CONTESTED_MAX: usize = 200;
/// Characters of the words of a constraint that a question repeats.
const SHOWN_CHARS_MAX: usize = 120;

/// What is proposed, from the bytes of a file.
///
/// # Errors
/// [`EngineError::ProposalsFile`]
pub(crate) fn read_proposals(file: &File) -> Result<PlanProposals, EngineError> {
    steadfast_wire::from_json(text(file)?).map_err(|error| refused(file, error.to_string()))
}

/// Takes of proposals what code can stand for, into the notes: tasks and constraints bind, and what is contested is asked about.
pub(super) fn taken(
    proposals: PlanProposals,
    document: &Document,
    notes: &mut Notes,
    settings: &Settings,
) -> PlanProposed {
    let PlanProposals { tasks, constraints, contested } = proposals;
    let proposals = Proposals {
        tasks: tasks.into_iter().map(|own| ProposedTask { quote: own.quote }).collect(),
        constraints: constraints
            .into_iter()
            .map(|own| ProposedConstraint { kind: own.kind.name().to_owned(), quote: own.quote, times: own.times })
            .collect(),
    };
    let accepted = accept(FileId(0), document, notes, settings, proposals);
    let mut proposed = PlanProposed {
        tasks: accepted.tasks().iter().map(|task| task.quote.text().to_owned()).collect(),
        constraints: accepted.constraints().iter().map(|constraint| constraint.id.clone()).collect(),
        contested: Vec::new(),
        set_aside: accepted
            .aside
            .iter()
            .map(|own| Aside { what: own.what.to_owned(), text: own.text.clone(), reason: own.reason.clone() })
            .collect(),
    };
    let own = accepted.own_constraints;
    *notes = accepted.notes;
    for (at, contest) in contested.into_iter().enumerate() {
        let id = contest.constraint.trim().to_owned();
        let found = notes.constraints.iter().take(own).find(|constraint| constraint.id == id);
        let Some(constraint) = found.filter(|_| at < CONTESTED_MAX) else {
            let reason = if at < CONTESTED_MAX {
                "code reads no constraint of that id in the notes".to_owned()
            } else {
                format!("more than {CONTESTED_MAX} constraints are contested")
            };
            proposed.set_aside.push(Aside { what: "contested".to_owned(), text: contest.constraint, reason });
            continue;
        };
        let why: String = contest.why.split_whitespace().collect::<Vec<_>>().join(" ");
        let why: String = why.chars().take(WHY_CHARS_MAX).collect();
        let words: String = constraint.text().chars().take(SHOWN_CHARS_MAX).collect();
        let reason = if why.is_empty() { String::new() } else { format!(" It is contested: {why}") };
        notes.questions.push(format!("Is \"{words}\" meant as {} ({id})?{reason}", constraint.kind().name()));
        proposed.contested.push(Contested { constraint: id, why });
    }
    notes.assumptions.push(format!(
        "of what was proposed beside code's reading {} tasks and {} constraints are taken, {} constraints are contested, {} proposals are set aside",
        proposed.tasks.len(),
        proposed.constraints.len(),
        proposed.contested.len(),
        proposed.set_aside.len(),
    ));
    proposed
}
