//! Calls that look after the vault of prompts.

use std::sync::Arc;

use steadfast_wire::pick::{Import, PromptList, VaultStatus};

use super::{Host, Refusal, blocking, store};
use crate::intake::File;
use crate::vault::{self, Filters, Selection, import_vault, source_of, vault_list, vault_status};

/// What stands before the name of a source that comes in without a file, so that it is never taken for the path of one.
const GIVEN_SOURCE: &str = "given as ";

/// The longest name of a source, in characters.
pub const SOURCE_CHARS_MAX: usize = 1024;

/// What the vault holds.
///
/// # Errors
/// [`Refusal`] where there is none, or it cannot be read.
pub async fn status(host: &Arc<dyn Host>) -> Result<VaultStatus, Refusal> {
    let (store, shelf) = (store(&**host)?, host.vault()?);
    blocking(host, move || {
        let version = shelf.embedding_version()?;
        let (embedded, near) =
            shelf.with(|open| Ok((if open.has_vectors() { open.len() } else { 0 }, open.near_duplicates())))?;
        Ok(vault_status(&*store, version, embedded, near)?)
    })
    .await
}

/// Prompts that filters leave, in the order of their ids, as [`vault_list`] gives them.
///
/// # Errors
/// [`Refusal`] where there is no vault, or it cannot be read.
pub async fn list(
    host: &Arc<dyn Host>,
    filters: Filters,
    cursor: Option<String>,
    limit: usize,
) -> Result<PromptList, Refusal> {
    let (store, shelf) = (store(&**host)?, host.vault()?);
    blocking(host, move || shelf.with(|open| Ok(vault_list(&*store, open, &filters, cursor.as_deref(), limit)?))).await
}

/// Takes texts in as prompts of a source, whose earlier prompts they take the place of.
///
/// # Errors
/// [`Refusal`] where nothing is kept, the source has no usable name, or it cannot be written.
pub async fn import(host: &Arc<dyn Host>, source: String, files: Vec<File>) -> Result<Import, Refusal> {
    let store = store(&**host)?;
    let name = source.trim();
    if name.is_empty() || name.chars().count() > SOURCE_CHARS_MAX || name.contains(char::is_control) {
        let what = format!("a source has a name of 1 to {SOURCE_CHARS_MAX} characters and no control characters");
        return Err(Refusal::input(what));
    }
    let source = source_of(&format!("{GIVEN_SOURCE}{name}"));
    blocking(host, move || {
        // What is sent was chosen by whoever sends it: its name decides nothing.
        let given = vault::read(&files, &Selection::default().for_named());
        // What cannot be read takes the place of nothing.
        if let (true, Some((place, why))) = (given.prompts.is_empty(), given.refused.first()) {
            return Err(Refusal::input(format!("no prompt could be read: {place}: {why}"))
                .hint("a line of JSON is an object with at least `prompt_id` and `prompt_text`"));
        }
        Ok(import_vault(&*store, &source, given)?)
    })
    .await
}
