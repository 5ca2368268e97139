//! Traces of reviews.

use steadfast_wire::review::{CriterionStatus, Recommendation, Review};
use steadfast_wire::trace::{Trace, Value};

use super::About;
use super::build::{Builder, named};

/// The part of the run in which is judged.
const PART: &str = "review";

/// The trace of a review.
#[must_use]
pub fn review(review: &Review, about: &About<'_>) -> Trace {
    let mut own = Builder::new("review", about);
    own.output("recommendation", review.recommendation.name());
    own.output("task_id", review.task_id.as_str());
    own.output("items", review.items.len());
    own.output("categories", super::build::counts(&review.categories));
    let capped = review.capped_by.iter().map(|cap| Value::from(cap.name()));
    own.output("capped_by", capped.collect::<Vec<_>>());
    own.lines("warnings", &review.warnings);
    if let Some(summary) = &review.summary {
        own.said("summary", summary);
    }
    if let Some(reason) = &review.not_evaluable {
        own.output("not_evaluable", reason.as_str());
    }
    own.trace.metadata.insert("threshold".to_owned(), review.threshold.into());
    if let Some(score) = review.score {
        own.score("score", score);
    }
    let approved = if review.recommendation == Recommendation::Approve { 1.0 } else { 0.0 };
    let reason = review.capped_by.iter().map(|cap| cap.label()).collect::<Vec<_>>().join(", ");
    own.labelled("approved", approved, review.recommendation.name(), Some(reason.as_str()).filter(|it| !it.is_empty()));
    let dimensions = &review.dimensions;
    for (name, value) in [
        ("correctness", dimensions.correctness),
        ("security", dimensions.security),
        ("completeness", dimensions.completeness),
        ("style", dimensions.style),
    ] {
        if let Some(value) = value {
            own.score(name, value);
        }
    }
    if !review.criteria.is_empty() {
        let met = review.criteria.iter().filter(|it| it.status == CriterionStatus::Met).count();
        own.count("criteria_met", met);
        own.count("criteria_open", review.criteria.len() - met);
    }
    own.count("contradictions", review.contradictions.len());

    let part = own.parts(PART);
    for contradiction in &review.contradictions {
        let mut told = named([("kind", contradiction.kind.name().into())]);
        for (name, value) in [("computed", contradiction.computed), ("stated", contradiction.stated)] {
            told.extend(value.map(|value| (name.to_owned(), value.into())));
        }
        told.extend(own.text(&contradiction.claim).map(|text| ("claim".to_owned(), text)));
        own.event(part.as_deref(), "contradiction", told);
    }
    own.end()
}
