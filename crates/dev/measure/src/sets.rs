//! The labelled sets, one file each: how its rows are read, what is predicted, and what counts as right.

mod bbh_time;
pub(crate) mod begin;
mod chrono_en;
mod clariq;
mod days;
pub(crate) mod drift;
pub(crate) mod entfa;
pub(crate) mod everyday;
mod goal_drift;
mod ifeval;
mod in3;
mod intent_drift_runs;
mod llmbar;
mod natural_plan;
mod npl_reflections;
pub(crate) mod pick_tasks;
pub(crate) mod prompt_vaults;
mod recognizers_text;
mod sessions;
mod sgd_intents;
mod smart;
mod spans;
pub(crate) mod summedits;
pub(crate) mod support;
mod taskbench;
mod who_and_when;
pub(crate) mod wice;

pub use sessions::logs;

use crate::{Files, Means, MeasureError, Metric, Row};

/// A labelled set.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// Its name, and that of its folder unless its reader names another.
    pub name: &'static str,
    /// What is measured.
    pub about: &'static str,
    /// Its metrics, in the order of the report.
    pub metrics: &'static [Metric],
    /// Reads and judges its rows.
    pub read: Reader,
}

impl Set {
    /// The folder of its files.
    #[must_use]
    pub const fn folder(&self) -> &'static str {
        match self.read.within {
            Some(folder) => folder,
            None => self.name,
        }
    }
}

/// What a set is measured with, beside rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uses {
    /// Nothing.
    Rules,
    /// The vectors of an embedder: without one it cannot be measured.
    Embedder,
    /// A vault to pick from: with vectors where there is an embedder, else by words.
    Vault,
    /// The vectors of the model that coefficients were fitted with, beside words alone, where that model is there.
    Model,
}

/// Reads and judges rows.
pub type Read = fn(&Files, &Means<'_>) -> Result<Vec<Row>, MeasureError>;

/// How the rows of a set are read and judged.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// With what.
    pub uses: Uses,
    /// The folder of the files where they lie in folders within it, so that a file's name is its path with `/` between the parts. `None`: they lie in the folder of the
    /// set's name.
    pub within: Option<&'static str>,
    /// By what.
    pub read: Read,
}

impl Reader {
    /// Of files in the folder of the set's name.
    const fn of(uses: Uses, read: Read) -> Self {
        Self { uses, within: None, read }
    }

    /// Of files in folders within `folder`.
    const fn within(folder: &'static str, uses: Uses, read: Read) -> Self {
        Self { uses, within: Some(folder), read }
    }
}

/// All sets.
pub const SETS: &[Set] = &[
    natural_plan::SET,
    days::SET,
    days::PLAIN,
    days::WIDE,
    days::HOST,
    days::CHAT,
    days::PLAIN_CHAT,
    days::WIDE_CHAT,
    recognizers_text::SET,
    chrono_en::SET,
    bbh_time::SET,
    intent_drift_runs::SET,
    goal_drift::SET,
    llmbar::SET,
    who_and_when::SET,
    sgd_intents::SET,
    npl_reflections::SET,
    prompt_vaults::SET,
    pick_tasks::SET,
    pick_tasks::RANKED,
    smart::CRANFIELD,
    smart::CISI,
    taskbench::SET,
    in3::SET,
    clariq::SET,
    ifeval::SET,
    everyday::SET,
    everyday::HOST,
    everyday::CHAT,
    everyday::ALONE,
    everyday::SHORT,
    everyday::PAIRS,
    sessions::SET,
    sessions::HOST,
    summedits::SET,
    entfa::SET,
    wice::SET,
    begin::SET,
];

/// The set of a name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Set> {
    SETS.iter().find(|set| set.name == name)
}
