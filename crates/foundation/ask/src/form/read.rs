//! Putting together what the readers of single forms find.

use std::ops::Range;

use regex::RegexBuilder;
use steadfast_annotate::Pattern;
use steadfast_steps::Regex;

use super::{FORMS_MAX, Form, WantedForm};

/// A pattern of these readers, for which upper and lower case are one.
pub(super) const fn cue(source: &'static str) -> Pattern {
    Pattern::with(source, |source| {
        RegexBuilder::new(source).case_insensitive(true).size_limit(1 << 24).build().map(Regex::from)
    })
}

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
pub(super) fn find(cue: &'static Pattern, text: &str) -> Vec<Range<usize>> {
    cue.find_iter(text).map(|it| it.range()).collect()
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
    static END: Pattern = cue(r"[.?!][\x22”’')\]]?\s|\n");
    let from = text.floor_char_boundary(at.saturating_sub(SENTENCE_BYTES_MAX));
    let until = text.floor_char_boundary(at + SENTENCE_BYTES_MAX).max(at);
    let start = END.find_iter(&text[from..at]).last().map_or(from, |it| from + it.end());
    start..END.find(&text[at..until]).map_or(until, |it| at + it.end())
}
