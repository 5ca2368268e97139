//! Putting together what the readers of single forms find.

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_steps::Regex;

use super::{FORMS_MAX, Form, WantedForm};

/// A pattern that is compiled once. All are tested; one that could not be compiled would find nothing.
pub(super) type Cue = LazyLock<Option<Regex>>;

macro_rules! cue {
    ($source:expr) => {
        std::sync::LazyLock::new(|| {
            regex::RegexBuilder::new($source)
                .case_insensitive(true)
                .size_limit(1 << 24)
                .build()
                .ok()
                .map(steadfast_steps::Regex::from)
        })
    };
}
pub(super) use cue;

/// What is found in an ask.
#[derive(Default)]
pub(super) struct Found(pub(super) Vec<WantedForm>);

impl Found {
    pub(super) fn add(&mut self, form: Form, span: Range<usize>) {
        if self.0.iter().all(|it| it.form != form) {
            self.0.push(WantedForm { form, span });
        }
    }
}

/// Matches of a cue, where it stands.
pub(super) fn find(cue: &'static Cue, text: &str) -> Vec<Range<usize>> {
    cue.as_ref().map(|cue| cue.find_iter(text).map(|it| it.range()).collect()).unwrap_or_default()
}

/// The first match of a cue.
pub(super) fn first(cue: &'static Cue, text: &str) -> Option<Range<usize>> {
    cue.as_ref()?.find(text).map(|it| it.range())
}

pub(super) fn forms(ask: &str) -> Vec<WantedForm> {
    let mut found = Found::default();
    super::counts::read(ask, &mut found);
    super::terms::read(ask, &mut found);
    super::layout::read(ask, &mut found);
    super::tongue::read(ask, &mut found);
    let mut found = found.0;
    found.sort_by_key(|it| it.span.start);
    found.truncate(FORMS_MAX);
    found
}

/// Bytes of a sentence on either side of a place that are looked at, at most.
const SENTENCE_BYTES_MAX: usize = 1_000;

/// The sentence around a place: from the last full stop, question or exclamation mark or line end before it to the next one after it.
pub(super) fn sentence(text: &str, at: usize) -> Range<usize> {
    static END: Cue = cue!(r"[.?!][\x22”’')\]]?\s|\n");
    let from = text.floor_char_boundary(at.saturating_sub(SENTENCE_BYTES_MAX));
    let until = text.floor_char_boundary(at + SENTENCE_BYTES_MAX).max(at);
    let Some(end) = END.as_ref() else { return from..until };
    let start = end.find_iter(&text[from..at]).last().map_or(from, |it| from + it.end());
    start..end.find(&text[at..until]).map_or(until, |it| at + it.end())
}
