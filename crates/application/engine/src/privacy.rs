//! Keeping less: what of texts is kept and told, and what is taken out of them first.
//!
//! There is one place for it: [`keeping`] stands before a store and [`telling`] before whoever takes traces, so whatever is kept or told has
//! gone through [`Privacy`], by whatever door it came in. What a caller is answered is not changed: the caller has the texts already.

mod keep;
mod pending;
mod redact;
mod tell;

use std::sync::Arc;

use steadfast_wire::texts::{StringKind, rewrite};

use crate::error::of_json;
use crate::hash::{hex, hmac_sha256};
use crate::limits::PREVIEW_CHARS_MAX;
use crate::store::{Keep, StoreFailure};
use crate::trace::TraceSink;

pub use crate::trace::Capture;
pub use redact::{NAMED, Redaction, RedactionError};

/// What stands in the place of a text that is not kept.
pub const NOT_KEPT: &str = "[not kept]";

/// What ends a text of which the beginning is kept.
const CUT: &str = "…[cut]";

/// How the hash of a text begins.
const HASHED: &str = "[hmac-sha256:";

/// What of texts is kept, and what is taken out of them.
#[derive(Clone, Debug)]
pub struct Privacy {
    /// How much of a text is kept.
    pub capture: Capture,
    /// What is taken out of a text before anything else is done with it.
    pub redaction: Redaction,
    /// After how many days what is kept is deleted; never where it is `None`.
    pub retain_days: Option<u32>,
}

impl Default for Privacy {
    fn default() -> Self {
        Self { capture: Capture::Full, redaction: Redaction::default(), retain_days: None }
    }
}

impl Privacy {
    /// Whether everything is kept as it is, and for ever.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.keeps_all() && self.retain_days.is_none()
    }

    /// Whether texts are kept as they are.
    fn keeps_all(&self) -> bool {
        self.capture == Capture::Full && self.redaction.is_empty()
    }
}

/// The same store, which keeps of texts what `privacy` lets it.
///
/// # Errors
/// [`StoreFailure`] where the key by which it hashes cannot be had.
pub fn keeping(store: Arc<dyn Keep>, privacy: &Privacy) -> Result<Arc<dyn Keep>, StoreFailure> {
    if privacy.is_open() {
        return Ok(store);
    }
    let lens = Lens { privacy: privacy.clone(), key: store.hash_key()? };
    Ok(Arc::new(keep::Keeping::new(store, lens)))
}

/// The same sink, which is told of texts what is left once they are redacted. How much of them a trace shows is decided where it is made.
#[must_use]
pub fn telling(sink: Arc<dyn TraceSink>, privacy: &Privacy) -> Arc<dyn TraceSink> {
    if privacy.redaction.is_empty() { sink } else { Arc::new(tell::Telling::new(sink, privacy.redaction.clone())) }
}

/// Whether a text that is kept is less than the whole one.
#[must_use]
pub fn is_reduced(text: &str) -> bool {
    text == NOT_KEPT || (text.starts_with(HASHED) && text.ends_with(']')) || text.ends_with(CUT)
}

/// What is done to everything that goes into one store.
#[derive(Clone, Debug)]
struct Lens {
    privacy: Privacy,
    /// The key of hashes: a short text could be guessed from a hash without one.
    key: [u8; 32],
}

impl Lens {
    fn capture(&self) -> Capture {
        self.privacy.capture
    }

    /// Whether all of a text is kept, but for what is redacted.
    fn keeps_texts(&self) -> bool {
        self.capture() == Capture::Full
    }

    /// A text without what is to be taken out.
    fn redacted(&self, text: &str) -> String {
        self.privacy.redaction.text(text)
    }

    /// A name without what is to be taken out: two names stay two.
    fn name(&self, name: &str) -> String {
        self.privacy.redaction.name(name, &self.key)
    }

    /// A text as it is kept.
    fn text(&self, text: &str) -> String {
        let text = self.redacted(text);
        if text.is_empty() {
            return text;
        }
        match self.capture() {
            Capture::None => NOT_KEPT.to_owned(),
            Capture::Hash => format!("{HASHED}{}]", self.hashed(&text)),
            Capture::Preview => match text.char_indices().nth(PREVIEW_CHARS_MAX) {
                Some((end, _)) => format!("{}{CUT}", &text[..end]),
                None => text,
            },
            Capture::Full => text,
        }
    }

    /// A hash that nobody can make without the key of the store.
    fn hashed(&self, text: &str) -> String {
        hex(&hmac_sha256(&self.key, text.as_bytes()))
    }

    /// The hash of something that was read, as it is kept: where less than all of a text is, nobody is to guess it from its hash.
    fn digest(&self, sha256: &str) -> String {
        if self.keeps_texts() { sha256.to_owned() } else { self.hashed(sha256) }
    }

    /// A JSON document as it is kept. `ours` are the names of members that no published type has: those of settings are the program's.
    fn json(&self, json: &str, ours: bool, names_are_texts: bool) -> Result<String, StoreFailure> {
        if self.privacy.keeps_all() {
            return Ok(json.to_owned());
        }
        let mut members = 0_usize;
        let changed = rewrite(json, &mut |kind, value| {
            let new = match kind {
                StringKind::Made => return None,
                StringKind::Digest => self.digest(value),
                StringKind::Name if names_are_texts => self.text(value),
                StringKind::Name => self.name(value),
                StringKind::Member if ours || self.keeps_texts() => self.redacted(value),
                // Two members stay two.
                StringKind::Member => {
                    members += 1;
                    format!("{NOT_KEPT} {members}")
                }
                StringKind::Text => self.text(value),
            };
            Some(new)
        });
        changed.map_err(|error| StoreFailure { what: of_json(error).to_string(), hint: None, full: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lens(capture: Capture) -> Lens {
        let redaction = Redaction::new(&["email".to_owned()], []).unwrap_or_default();
        Lens { privacy: Privacy { capture, redaction, retain_days: None }, key: [7; 32] }
    }

    #[test]
    fn a_text_is_kept_as_far_as_is_asked_for() {
        let of = |capture, text: &str| lens(capture).text(text);
        assert_eq!(of(Capture::None, "call Ana"), NOT_KEPT);
        assert_eq!(of(Capture::Full, "call ana@example.com"), "call [redacted:email]");
        assert_eq!(of(Capture::Preview, "call ana@example.com"), "call [redacted:email]");
        let (one, other) = (of(Capture::Hash, "call Ana"), of(Capture::Hash, "call Bob"));
        assert!(one.starts_with(HASHED) && one.len() == HASHED.len() + 65 && one != other, "{one}");
        assert_ne!(one, Lens { key: [8; 32], ..lens(Capture::Hash) }.text("call Ana"));
        for capture in Capture::ALL {
            assert_eq!(of(capture, ""), "");
        }
        let exact = "é".repeat(PREVIEW_CHARS_MAX);
        assert_eq!(of(Capture::Preview, &exact), exact);
        assert_eq!(of(Capture::Preview, &format!("{exact}x")), format!("{exact}{CUT}"));
    }

    #[test]
    fn what_is_kept_is_known_as_reduced() {
        for capture in [Capture::None, Capture::Hash, Capture::Preview] {
            let once = lens(capture).text(&"word ".repeat(100));
            assert!(is_reduced(&once), "{once}");
        }
        assert!(!is_reduced("a text [not kept]") && !is_reduced(""));
    }

    #[test]
    fn of_json_numbers_ids_and_words_of_vocabularies_stay() {
        let json = r#"{"check":"goal-added","severity":3,"drift_type":"TypeA","output_claim":"ana@example.com pays","task_id":"ana@example.com","odd":1,"odder":2}"#;
        let of = |capture| lens(capture).json(json, false, false).unwrap_or_default();
        let full = of(Capture::Full);
        assert!(full.starts_with(r#"{"check":"goal-added","severity":3,"drift_type":"TypeA","output_claim":"[redacted:email] pays","task_id":"[redacted:email-"#), "{full}");
        let none = of(Capture::None);
        assert!(
            none.contains(r#""output_claim":"[not kept]""#) && none.ends_with(r#""[not kept] 1":1,"[not kept] 2":2}"#),
            "{none}"
        );
        assert!(!none.contains("example"), "{none}");
    }
}
