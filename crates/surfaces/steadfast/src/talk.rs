//! What is said on stderr. It reads the same without colour; control characters of file names are shown, never passed on.

use std::io::Write;

use steadfast_render::acts_unseen;

use crate::exit::Failure;

const RED: &str = "\u{1b}[1;31m";
const YELLOW: &str = "\u{1b}[1;33m";
const CYAN: &str = "\u{1b}[36m";
const OFF: &str = "\u{1b}[0m";

/// Names of files that were not read, in a note.
const NAMED_MAX: usize = 3;

/// The one way to talk.
#[derive(Clone, Copy, Debug)]
pub struct Talk {
    /// Nothing but errors and failed gates.
    pub quiet: bool,
}

impl Talk {
    /// Why a command ended without a result.
    pub fn failure(self, failure: &Failure) {
        say(RED, "error", &failure.message);
        if let Some(hint) = &failure.hint {
            say(CYAN, "hint", hint);
        }
    }

    /// A gate that was not passed.
    pub fn gate(self, message: &str) {
        say(RED, "failed", message);
    }

    /// Something that was passed over.
    pub fn warning(self, message: &str) {
        if !self.quiet {
            say(YELLOW, "warning", message);
        }
    }

    /// Something worth knowing.
    pub fn note(self, message: &str) {
        if !self.quiet {
            say(CYAN, "note", message);
        }
    }

    /// Files of a run that were not read.
    pub(crate) fn ignored(self, ignored: &[String]) {
        if let Some((first, _)) = ignored.split_first() {
            let (count, named) =
                (ignored.len(), ignored.iter().take(NAMED_MAX).cloned().collect::<Vec<_>>().join(", "));
            let more = if count > NAMED_MAX { ", …" } else { "" };
            self.note(&if count == 1 {
                format!("{first} is not read as an artefact")
            } else {
                format!("{count} files are not read as artefacts: {named}{more}")
            });
        }
    }
}

fn say(colour: &str, what: &str, message: &str) {
    // anstream takes the colours out where stderr is no terminal or NO_COLOR is set. A stderr that is gone is no error.
    drop(writeln!(anstream::stderr(), "{colour}{what}:{OFF} {}", legible(message)));
}

/// Text without what acts on a terminal unseen: control characters other than line breaks, bidirectional marks and overrides.
pub fn legible(text: &str) -> String {
    let mut legible = String::with_capacity(text.len());
    for character in text.chars() {
        if (character.is_control() || acts_unseen(character)) && character != '\n' {
            legible.extend(character.escape_default());
        } else {
            legible.push(character);
        }
    }
    legible
}
