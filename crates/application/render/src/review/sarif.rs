//! A review as SARIF 2.1.0.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use steadfast_wire::review::Review;

use super::digest::findings;
use crate::context::Index;
use crate::plain::one_line;
use crate::sarif::{artifact, escape, location, of_file, rule, write};
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
    let rules = ids.iter().map(|id| rule(id, &id.replace('_', " "))).collect();
    let results = findings.iter().take(RESULTS_MAX).map(|own| {
        let first = own.spans.first().map_or_else(|| of_file(&review.output.file), |span| location(span, &index));
        let related = own.spans.iter().skip(1).take(RELATED_MAX).enumerate().map(|(at, span)| {
            let mut location = location(span, &index);
            location["id"] = (at + 1).into();
            location
        });
        json!({
            "ruleId": own.rule,
            "ruleIndex": numbers.get(own.rule),
            "level": if own.hard { "error" } else { "note" },
            "message": {"text": escape(&one_line(&own.message))},
            "locations": [first],
            "relatedLocations": related.collect::<Vec<Value>>(),
            "properties": {"recommendation": review.recommendation.name()},
        })
    });
    let output = &review.output;
    let artifacts = vec![artifact(&output.file, output.bytes, &output.sha256)];
    write(rules, None, artifacts, results.collect())
}
