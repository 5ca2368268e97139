//! Figures on labelled data, as a document.

mod markdown;

pub use markdown::{About, Constant, Detector, markdown};

/// Figures of a document, at most.
const FIGURES_MAX: usize = 2_000;
const NAME_CHARS_MAX: usize = 120;

fn none() -> String {
    "–".to_owned()
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(none, |value| format!("{value:.3}"))
}
