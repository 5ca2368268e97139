//! A sink that is told what is left of texts once they are redacted.

use std::sync::Arc;

use steadfast_wire::texts::{StringKind, rewrite};
use steadfast_wire::trace::Batch;
use steadfast_wire::{Error, from_json, to_json_line};

use super::Redaction;
use crate::trace::TraceSink;

/// What ends a text that a trace shows the beginning of.
const MORE: char = '…';

/// What stands before a sink.
pub(super) struct Telling {
    inner: Arc<dyn TraceSink>,
    redaction: Redaction,
}

impl Telling {
    pub(super) fn new(inner: Arc<dyn TraceSink>, redaction: Redaction) -> Self {
        Self { inner, redaction }
    }

    fn redacted(&self, batch: &Batch) -> Result<Batch, Error> {
        let json = rewrite(&to_json_line(batch)?, &mut |kind, value| match kind {
            StringKind::Made | StringKind::Digest => None,
            StringKind::Name | StringKind::Member | StringKind::Text => Some(self.redaction.text(whole_words(value))),
        })?;
        from_json(&json)
    }
}

/// A text without the word in which it was cut, nor numbers before that: half of what is to be taken out matches no pattern.
fn whole_words(text: &str) -> &str {
    if !text.ends_with(MORE) {
        return text;
    }
    let text = text.trim_end_matches(MORE);
    let text = text.trim_end_matches(|own: char| !own.is_whitespace());
    text.trim_end_matches(|own: char| !own.is_alphabetic())
}

impl TraceSink for Telling {
    fn take(&self, batch: &Batch) -> Vec<String> {
        match self.redacted(batch) {
            Ok(batch) => self.inner.take(&batch),
            // Nothing is told where it is not sure what it says.
            Err(error) => vec![format!("a trace was not kept, since it could not be redacted: {error}")],
        }
    }

    fn send_waiting(&self) -> Vec<String> {
        self.inner.send_waiting()
    }
}

#[cfg(test)]
mod tests {
    use super::whole_words;

    #[test]
    fn a_text_that_was_cut_ends_with_a_whole_word() {
        assert_eq!(whole_words("write to ana@exam…"), "write to");
        assert_eq!(whole_words("call +49 170 12…"), "call");
        assert_eq!(whole_words("write to ana@example.com"), "write to ana@example.com");
        assert_eq!(whole_words("oneword…"), "");
    }
}
