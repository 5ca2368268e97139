//! The way of a wrong figure or a banned term through the artefacts of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Stand;
use crate::Span;

/// The way of a wrong figure or a banned term through the artefacts of a run, in the run's order: by the numbers in their names, else by the dates,
/// else by the names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trail {
    /// How many artefacts the run has.
    pub artefacts: usize,
    /// The last artefact before the fault that says what the ask says; `null` where none does.
    pub last_right_in: Option<String>,
    /// The artefacts that speak of it, in the run's order. All others are silent.
    pub places: Vec<TrailPlace>,
    /// Artefacts that speak of it and are not listed, since there are too many.
    pub left_out: usize,
}

/// What one artefact says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrailPlace {
    /// Its place in the run's order, from 1.
    pub position: usize,
    /// What it says.
    pub stand: Stand,
    /// The first place that says so, with its file; of an artefact that says both, the wrong one.
    pub span: Span,
}
