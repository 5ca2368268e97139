//! How a report groups obligations: by what became of them, what a reader asks for first before what is in order.

use steadfast_wire::audit::{DriftEvaluation, Obligation, Status, UsableBecause};

/// What became of an obligation, as a report groups it: what must be kept and is not mentioned is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The report breaks it.
    Broken,
    /// The report takes it up with less force.
    Weakened,
    /// It must be kept, and none of its words stands in the report.
    Missing,
    /// Something comes near it, and it is not decided what that means.
    Unclear,
    /// It forbids something, and nothing was found against it.
    NothingFound,
    /// Few of its words stand in the report, or none: it may be said in others.
    Unmentioned,
    /// It could not be judged.
    NotAssessed,
    /// Words of the report keep it.
    Kept,
}

impl Standing {
    /// All of them, in the order in which they are shown.
    pub const ALL: &'static [Self] = &[
        Self::Broken,
        Self::Weakened,
        Self::Missing,
        Self::Unclear,
        Self::NothingFound,
        Self::Unmentioned,
        Self::NotAssessed,
        Self::Kept,
    ];

    /// That of an obligation.
    #[must_use]
    pub const fn of(obligation: &Obligation) -> Self {
        match obligation.status {
            Status::Broken => Self::Broken,
            Status::Weakened => Self::Weakened,
            Status::Unmentioned if obligation.is_missing() => Self::Missing,
            Status::Unmentioned => Self::Unmentioned,
            Status::Unclear => Self::Unclear,
            Status::NothingFound => Self::NothingFound,
            Status::NotAssessed => Self::NotAssessed,
            Status::Kept => Self::Kept,
        }
    }

    /// What is said of it.
    #[must_use]
    pub const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

/// What is said of a state.
#[derive(Debug)]
pub struct Row {
    /// As it is spelled in addresses and classes.
    pub name: &'static str,
    /// In words for a reader.
    pub label: &'static str,
    /// What stands after a count.
    tally: &'static str,
    /// What the words of the report that come nearest are called beside it, where nobody decided yet and a reader may: `None` where that is settled.
    pub nearest: Option<&'static str>,
    /// What it says of the report.
    pub meaning: &'static str,
}

const fn row(
    name: &'static str,
    label: &'static str,
    tally: &'static str,
    nearest: Option<&'static str>,
    meaning: &'static str,
) -> Row {
    Row { name, label, tally, nearest, meaning }
}

/// In the order of [`Standing::ALL`].
static ROWS: [Row; 8] = [
    row("broken", "Broken", "broken", None, "the report breaks it"),
    row("weakened", "Weakened", "weakened", None, "the report takes it up with less force"),
    row("missing", "Missing", "missing", None, "it must be kept, and none of its words stands in the report"),
    row(
        "unclear",
        "Unclear",
        "unclear",
        Some("near"),
        "something comes near it, and rules cannot tell whether that keeps or breaks it",
    ),
    row(
        "nothing_found",
        "Nothing found against it",
        "with nothing found against",
        Some("nearest"),
        "it forbids something; that it is kept is not said",
    ),
    row(
        "unmentioned",
        "Not mentioned",
        "not mentioned",
        Some("nearest"),
        "few of its words stand in the report, or none; it may be said in others",
    ),
    row("not_assessed", "Not assessed", "not assessed", Some("nearest"), "it could not be judged"),
    row("kept", "Kept", "kept", None, "words of the report keep it"),
];

/// How many obligations are in each state that one is in: "1 broken, 2 unclear, 4 kept".
#[must_use]
pub fn tally(evaluation: &DriftEvaluation) -> String {
    let count = |state: Standing| evaluation.obligations.iter().filter(|own| Standing::of(own) == state).count();
    let counts = Standing::ALL.iter().map(|state| (count(*state), state.row().tally)).filter(|(count, _)| *count > 0);
    counts.map(|(count, words)| format!("{count} {words}")).collect::<Vec<_>>().join(", ")
}

/// Why a report is usable as it is, or not, in words.
#[must_use]
pub fn because(evaluation: &DriftEvaluation) -> &'static str {
    let is_bad = |own: &Obligation| own.is_broken() || own.is_missing();
    match evaluation.usable_because {
        // What is made up breaks no obligation.
        UsableBecause::Broken if !evaluation.obligations.iter().any(is_bad) => {
            if evaluation.disqualifiers.is_empty() {
                "its risk is too high"
            } else {
                "it is disqualified"
            }
        }
        UsableBecause::TooLittleAssessed if evaluation.rests_on_host() => {
            "only the host says that it keeps what rules leave open, and its word counts with --trust-host alone"
        }
        because => because.label(),
    }
}

/// Whether a report is usable as it is, and why it is not.
#[must_use]
pub fn verdict(evaluation: &DriftEvaluation) -> String {
    if evaluation.usable_as_is {
        return "usable as it is".to_owned();
    }
    format!("not usable as it is: {}", because(evaluation))
}
