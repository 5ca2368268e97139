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
mod intake;
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

use steadfast_embed::Embedder;

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
    /// Whether it is measured with an embedder.
    #[must_use]
    pub const fn needs_embedder(&self) -> bool {
        matches!(self.read, Reader::Embedded(_))
    }

    /// Whether it picks from a vault, with an embedder where there is one.
    #[must_use]
    pub const fn picks(&self) -> bool {
        matches!(self.read, Reader::Picked(_))
    }

    /// Whether its files lie in folders within its folder.
    #[must_use]
    pub const fn has_folders(&self) -> bool {
        matches!(self.read, Reader::Folders(_) | Reader::FoldersOf(..) | Reader::RulesOf(..))
    }

    /// The folder of its files.
    #[must_use]
    pub const fn folder(&self) -> &'static str {
        match self.read {
            Reader::FoldersOf(folder, _) | Reader::RulesOf(folder, _) => folder,
            _ => self.name,
        }
    }

    /// Whether it is measured without vectors, and beside that with those of a model where there is one.
    #[must_use]
    pub const fn may_embed(&self) -> bool {
        matches!(self.read, Reader::Supported(_) | Reader::Folders(_) | Reader::FoldersOf(..))
    }
}

/// What reads and judges the rows of a set, with a model where there is one.
pub type Supported = fn(&Files, Option<&dyn Embedder>) -> Result<Vec<Row>, MeasureError>;

/// How the rows of a set are read and judged.
#[derive(Clone, Copy, Debug)]
pub enum Reader {
    /// By rules alone.
    Rules(fn(&Files) -> Result<Vec<Row>, MeasureError>),
    /// By rules alone, from files in folders within the folder of that name.
    RulesOf(&'static str, fn(&Files) -> Result<Vec<Row>, MeasureError>),
    /// By rules, and with passages that a model finds where there is one, from files in folders: a file's name is its path, with `/` between the
    /// parts.
    Folders(Supported),
    /// The same, from the folder of another set.
    FoldersOf(&'static str, Supported),
    /// With the vectors of an embedder.
    Embedded(fn(&Files, &dyn Embedder) -> Result<Vec<Row>, MeasureError>),
    /// By picking from a vault: with vectors where there is an embedder, else by words.
    Picked(fn(&Files, &Means<'_>) -> Result<Vec<Row>, MeasureError>),
    /// By the support score: of words alone, and of the vectors of a model as well where there is one.
    Supported(Supported),
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
