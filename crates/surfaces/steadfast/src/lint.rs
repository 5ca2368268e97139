//! `steadfast audit PROMPT`: a prompt alone.

use std::path::{Path, PathBuf};

use steadfast_engine::{File, lint_prompt};
use steadfast_render::Texts;

use crate::args::Format;
use crate::exit::{Failure, Status};
use crate::talk::{Talk, legible};
use crate::{output, wait};

/// Says what can be said of a prompt before anybody plans by it.
pub(crate) fn lint(
    (prompt, path): (File, Option<PathBuf>),
    target: Option<&Path>,
    format: Format,
    talk: Talk,
) -> Result<Status, Failure> {
    output::spare(&path.into_iter().collect::<Vec<_>>(), &target.into_iter().collect::<Vec<_>>())?;
    let message = (!talk.quiet).then(|| format!("reading {}", legible(&prompt.name)));
    let outcome = wait::wait(lint_prompt(prompt), message)?;
    let texts = Texts::of(&outcome.texts);
    let drawn = match format.form() {
        None => None,
        Some(form) => steadfast_render::lint::drawn(&outcome.lint, &texts, form, output::colour(target.is_none()))?,
    };
    let text = match drawn {
        Some(text) => text,
        None => steadfast_wire::to_json(&outcome.lint)?,
    };
    output::to(target, text)?;
    Ok(Status::Passed)
}
