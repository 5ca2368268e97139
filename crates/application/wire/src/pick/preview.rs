//! What an import would take, file by file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::names;

names! {
    /// Why something of a folder is not taken in.
    NotTakenReason {
        /// Its ending is none of prompts.
        NotPrompts = "not_prompts", "no file of prompts";
        /// It speaks of the folder: README, LICENSE and their like.
        About = "about", "about the folder";
        /// A `system.md` beside it is the prompt.
        BesideSystem = "beside_system", "beside a `system.md`";
        /// It is called by a day, a week or a month.
        DailyNote = "daily_note", "daily note";
        /// It is a template for notes.
        Template = "template", "template for notes";
        /// It was thrown away.
        Trash = "trash", "in the trash";
        /// Its name, or that of its folder, begins with a dot.
        Hidden = "hidden", "hidden";
        /// It is what synchronising left of two versions.
        SyncConflict = "sync_conflict", "sync conflict";
        /// It is a drawing in the form of a note.
        Drawing = "drawing", "drawing";
        /// No `--include` names it.
        NotIncluded = "not_included", "not included";
        /// An `--exclude` names it.
        Excluded = "excluded", "excluded";
        /// It has none of the tags.
        NoTag = "no_tag", "without the tag";
        /// It cannot be read.
        Unreadable = "unreadable", "cannot be read";
        /// Another prompt of the import has its name.
        SameId = "same_id", "same name as another";
        /// Another prompt of the import has its text.
        SameText = "same_text", "same text as another";
    }
}

names! {
    /// How a file holds its prompts.
    HeldAs {
        /// The whole note is one.
        Note = "note", "the whole note";
        /// Each is a line or a row.
        Rows = "rows", "rows";
        /// Each stands under a heading "Prompt".
        Headings = "headings", "under headings";
        /// Each is a code fence.
        Fences = "fences", "in code fences";
    }
}

/// What an import would take: the answer of `vault import --dry-run`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportPreview {
    /// The version of this JSON.
    pub schema_version: String,
    /// Prompts that would be taken.
    pub prompts: usize,
    /// What was looked at, in the order of the names.
    pub files: Vec<PreviewFile>,
}

/// A file or hidden folder, and what of it would be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewFile {
    /// Its name.
    pub file: String,
    /// How it holds its prompts; `null` where it was not read.
    pub held_as: Option<HeldAs>,
    /// The ids of its prompts that would be taken.
    pub prompts: Vec<String>,
    /// What of it would not be taken, and why.
    pub not_taken: Vec<NotTaken>,
}

/// Something that is not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotTaken {
    /// The line of the file; `null` where it is all of it.
    pub line: Option<usize>,
    /// Why, by a name.
    pub reason: NotTakenReason,
    /// Why, in words.
    pub why: String,
}
