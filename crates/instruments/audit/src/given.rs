//! What the user gave beside the prompt: what stands there is no invention.

use steadfast_evidence::Evidence;
use steadfast_text::{Document, Shingles};

use crate::incident::{DriftType, Incident};
use crate::status::{self, REPEATED_SHARE_MIN};

/// What the user gave beside the prompt, for looking up.
pub(crate) struct Given {
    /// Its text in lower case.
    lower: String,
    shingles: Option<Shingles>,
}

impl Given {
    pub(crate) fn of(context: &[Document]) -> Self {
        let texts = context.iter().flat_map(|document| &document.blocks).map(|block| block.text.plain.as_str());
        let text = texts.collect::<Vec<_>>().join("\n");
        Self { lower: text.to_lowercase(), shingles: (!text.is_empty()).then(|| Shingles::of(&text)) }
    }

    /// Whether what is called invented stands there: every name and number of it, or where it has none, most of its words in a row.
    pub(crate) fn has(&self, incident: &Incident) -> bool {
        let (DriftType::C, Evidence::Quote(quote), Some(shingles)) =
            (incident.drift_type, &incident.finding.evidence, &self.shingles)
        else {
            return false;
        };
        let named = status::named(quote.text());
        if named.is_empty() {
            return shingles.share_of(quote.text()) >= REPEATED_SHARE_MIN;
        }
        named.iter().all(|word| self.lower.contains(word.as_str()))
    }
}
