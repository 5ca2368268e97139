//! The labelled sets, one file each: how its rows are read, what is predicted, and what counts as right.

mod bbh_time;
mod chrono_en;
mod natural_plan;
mod recognizers_text;
mod spans;

use crate::{Files, MeasureError, Metric, Row};

/// A labelled set.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// Its name, and that of its folder.
    pub name: &'static str,
    /// What is measured.
    pub about: &'static str,
    /// Its metrics, in the order of the report.
    pub metrics: &'static [Metric],
    /// Reads and judges its rows.
    pub read: fn(&Files) -> Result<Vec<Row>, MeasureError>,
}

/// All sets.
pub const SETS: &[Set] = &[natural_plan::SET, recognizers_text::SET, chrono_en::SET, bbh_time::SET];

/// The set of a name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Set> {
    SETS.iter().find(|set| set.name == name)
}
