//! A review as SARIF 2.1.0.

use std::collections::{BTreeMap, BTreeSet};

use steadfast_wire::review::Review;

use super::digest::findings;
use crate::context::Index;
use crate::link::relative_uri;
use crate::plain::one_line;
use crate::sarif::{escape, location, log, write};
use crate::{Error, Texts};

/// Results of one review; the rest stand in the JSON.
const RESULTS_MAX: usize = 5_000;
/// Other places of one result.
const RELATED_MAX: usize = 20;

/// The review as SARIF 2.1.0: a result for each false claim and each criterion that is not met or not reported (errors), and for each
/// item that speaks against the output (an error where it is a 🐛 or 🔒 that stands, else a note), located in the output by
/// line and column and by byte.
///
/// # Errors
/// [`Error::Sarif`] where the JSON cannot be written.
pub fn sarif(review: &Review, texts: &Texts<'_>) -> Result<String, Error> {
    let index = Index::new(texts);
    let findings = findings(review);
    let ids: BTreeSet<&str> = findings.iter().map(|own| own.rule).collect();
    let numbers: BTreeMap<&str, usize> = ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let rules = ids.iter().map(|id| log::Rule::plain(id, id.replace('_', " "))).collect();
    let results = findings.iter().take(RESULTS_MAX).map(|own| {
        let first = own
            .spans
            .first()
            .map_or_else(|| log::Location::of_file(relative_uri(&review.output.file)), |span| location(span, &index));
        log::Result {
            rule_id: own.rule.to_owned(),
            rule_index: numbers.get(own.rule).copied(),
            level: if own.hard { "error" } else { "note" },
            message: log::Message { text: escape(&one_line(&own.message)) },
            locations: vec![first],
            related_locations: own
                .spans
                .iter()
                .skip(1)
                .take(RELATED_MAX)
                .enumerate()
                .map(|(at, span)| log::Location { id: Some(at + 1), ..location(span, &index) })
                .collect(),
            partial_fingerprints: None,
            baseline_state: None,
            suppressions: None,
            rank: None,
            properties: log::Properties::Review { recommendation: review.recommendation.name() },
        }
    });
    let artifact = log::Artifact {
        location: log::ArtifactLocation { uri: relative_uri(&review.output.file) },
        length: review.output.bytes,
        hashes: log::Hashes { sha256: review.output.sha256.clone() },
    };
    write(rules, None, vec![artifact], results.collect())
}
