//! Two audits held against each other, in every format.

mod html;
mod markdown;
mod terminal;
mod words;

pub use html::{html, part};
pub use markdown::markdown;
pub use terminal::text;

use crate::Texts;

/// The texts that the quotes of two audits come from.
#[derive(Clone, Copy, Debug)]
pub struct BothTexts<'a> {
    /// Those of A.
    pub a: &'a Texts<'a>,
    /// Those of B.
    pub b: &'a Texts<'a>,
}
