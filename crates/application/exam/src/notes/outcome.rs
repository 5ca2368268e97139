//! What a program makes of labelled notes, and whether that is right.
//!
//! A recommended plan is right when each of its items (breaks, buffers, meals, and what carries out an event apart) is a task of the labels by its words, every task that is
//! not optional is there, and it breaks nothing that the labels require.

use std::collections::BTreeSet;

use jiff::{Timestamp, Zoned};
use steadfast_evidence::{Evaluated, FileId};
use steadfast_plan::model::intent;
use steadfast_plan::plan::Feasibility;
use steadfast_plan::variant::{doubt, weigh};
use steadfast_plan::{Notes, Planned, Role, Settings, Standing, Variant};
use steadfast_text::{Document, Format};

use super::{Broken, Note, Placed, minutes, violations};

/// The settings under which labelled notes are read.
#[must_use]
pub fn settings() -> Settings {
    Settings::default()
}

/// The notes as the program reads them, and the document that they stand in.
#[must_use]
pub fn read_by_rules(note: &Note) -> (Notes, Document) {
    let document = Document::from_str_as(&note.notes, Format::Markdown);
    let at = note.at.parse::<Timestamp>().unwrap_or(Timestamp::UNIX_EPOCH);
    let now: Zoned = at.in_tz(&note.tz).unwrap_or_else(|_| at.to_zoned(jiff::tz::TimeZone::UTC));
    let (mut notes, other) = steadfast_plan::ask::read_for_its_day(FileId(0), &document, &now, &settings(), Vec::new());
    let document = other.map_or(document, |other| other.document);
    doubt(FileId(0), &document, &mut notes, &settings());
    weigh(&mut notes, &settings());
    (notes, document)
}

/// Stems of the words by which a task of the labels is known.
#[must_use]
pub fn stems_of(note: &Note, task: usize) -> BTreeSet<String> {
    let own = &note.tasks[task];
    intent(&own.name).into_iter().chain(intent(&own.quote)).collect()
}

/// The task of the labels that the words of an item name: by most of the words of its name, whose name is named most wholly first.
#[must_use]
pub fn named(note: &Note, words: &str) -> Option<usize> {
    let own: BTreeSet<String> = intent(words).into_iter().collect();
    let rank = |gold: usize| {
        let name: BTreeSet<String> = intent(&note.tasks[gold].name).into_iter().collect();
        let hits = name.intersection(&own).count();
        let near = stems_of(note, gold).intersection(&own).count();
        // "Webbing on the Pattersons' chairs" is the webbing, not the chairs that are glued up: whose name is named more wholly.
        let share = hits * 100 / name.len().max(1);
        (hits * 2 >= name.len().max(1) || near * 2 >= own.len().max(1)).then_some((share, hits, near))
    };
    (0..note.tasks.len())
        .filter_map(|gold| Some((rank(gold)?, std::cmp::Reverse(gold))))
        .filter(|((_, hits, near), _)| hits + near > 0)
        .max()
        .map(|(_, gold)| gold.0)
}

/// What the program makes of notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `recommended`, `rejected`, `infeasible` or `not evaluable`.
    pub name: &'static str,
    /// Whether that is right by the labels.
    pub is_right: bool,
    /// What is wrong with it, in a few words.
    pub why: String,
}

/// What the program makes of notes that are read so.
#[must_use]
pub fn outcome(note: &Note, notes: &Notes) -> Outcome {
    let planned = match steadfast_plan::run(notes, &settings(), Variant::default()) {
        Evaluated::Value(planned) => planned,
        Evaluated::NotEvaluable(_) => {
            return Outcome { name: "not evaluable", is_right: false, why: "nothing was read".to_owned() };
        }
    };
    if planned.standing == Standing::NeedsAnswer {
        let why: Vec<&str> = notes.unread.iter().map(|own| own.quote.text()).collect();
        return Outcome { name: "needs answer", is_right: false, why: why.join(" | ") };
    }
    if planned.standing == Standing::Recommended {
        let why = wrong_with(note, &planned);
        return Outcome { name: "recommended", is_right: why.is_empty() && note.good_plan.is_some(), why };
    }
    let infeasible = matches!(planned.plan.feasibility, Feasibility::Infeasible(_));
    let name = if infeasible { "infeasible" } else { "rejected" };
    Outcome { name, is_right: infeasible && note.good_plan.is_none(), why: planned.validation.errors.join("; ") }
}

/// Meals are no inventions: the labels name tasks alone.
const MEALS: [&str; 4] = ["breakfast", "lunch", "dinner", "supper"];

/// What is wrong with a plan by the labels; empty where nothing is.
fn wrong_with(note: &Note, planned: &Planned) -> String {
    let (mut placed, mut wrong): (Vec<Placed>, Vec<String>) = (Vec::new(), Vec::new());
    for item in planned.plan.items.iter().filter(|item| item.role == Role::Work) {
        // An item that carries out several small tasks does one after the other.
        let parts: Vec<&str> =
            if item.tasks.len() > 1 { item.task.split(['+', ';']).collect() } else { vec![&item.task] };
        let even = item.timebox_minutes / i64::try_from(parts.len()).unwrap_or(1);
        let labelled = |part: &&str| note.tasks[named(note, part)?].minutes;
        let lengths: Option<Vec<i64>> = parts.iter().map(labelled).collect();
        // Each takes as long as the labels say, where that makes up the item.
        let lengths = lengths.filter(|lengths| lengths.iter().sum::<i64>() == item.timebox_minutes);
        let mut start = minutes(item.when.start);
        for (at, part) in parts.iter().enumerate() {
            let end = start + lengths.as_ref().map_or(even, |lengths| lengths[at]);
            match named(note, part) {
                Some(task) => placed.push(Placed { task: note.tasks[task].name.clone(), start, end }),
                None if MEALS.iter().any(|meal| part.to_lowercase().contains(meal)) => {}
                None => wrong.push(format!("invents \"{part}\"")),
            }
            start = end;
        }
    }
    let there: BTreeSet<&str> = placed.iter().map(|item| item.task.as_str()).collect();
    let events: BTreeSet<String> = planned
        .plan
        .items
        .iter()
        .filter(|item| item.role == Role::Event)
        .filter_map(|item| named(note, &item.task))
        .map(|task| note.tasks[task].name.clone())
        .collect();
    for task in note.tasks.iter().filter(|task| !task.optional) {
        if !there.contains(task.name.as_str()) && !events.contains(&task.name) {
            wrong.push(format!("leaves out \"{}\"", task.name));
        }
    }
    for broken in violations(note, &placed, false) {
        wrong.push(match broken {
            Broken::Constraint(at) => format!("breaks \"{}\"", note.constraints[at].quote),
            Broken::Invariant(name) => name.to_owned(),
        });
    }
    wrong.join("; ")
}
