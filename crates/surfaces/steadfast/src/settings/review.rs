//! Settings of `steadfast review`.

use steadfast_engine::calls::GateSet;
use steadfast_engine::runs::Asked;
use steadfast_wire::review::{ClaimState, CriterionStatus, Recommendation, Review};

use crate::exit::Failure;

/// What a review must be to pass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ReviewGates {
    /// Fails below this score.
    pub(crate) fail_below: Option<f64>,
    /// Fails at this recommendation or worse.
    pub(crate) recommendation: Option<Recommendation>,
    /// Fails when a claim is false.
    pub(crate) contradiction: bool,
    /// Fails when a criterion is not met or not reported.
    pub(crate) criteria: bool,
    /// Fails when a claim is contradicted, by what was done or by its own figures.
    pub(crate) contradicted: bool,
    /// Fails when no call speaks of a claim.
    pub(crate) unsupported: bool,
    /// Fails when a call breaks what the user forbade or demanded.
    pub(crate) broken: bool,
}

/// The gates of a review.
pub(crate) fn gates(fail_below: Option<&str>, conditions: &[String]) -> Result<ReviewGates, Failure> {
    let mut gates = ReviewGates { fail_below: fail_below.map(share).transpose()?, ..Default::default() };
    for condition in conditions {
        fail_on(condition, &mut gates)?;
    }
    Ok(gates)
}

/// The gates that a review does not pass, in a fixed order.
impl GateSet<Review> for ReviewGates {
    fn settings(&self, asked: Asked) -> Asked {
        asked
            .with("fail_below", self.fail_below)
            .with("fail_on_recommendation", self.recommendation.map(Recommendation::name))
            .with("fail_on_contradiction", self.contradiction)
            .with("fail_on_criteria", self.criteria)
            .with("fail_on_contradicted", self.contradicted)
            .with("fail_on_unsupported", self.unsupported)
            .with("fail_on_broken", self.broken)
    }

    fn failures(&self, review: &Review) -> Vec<String> {
        let mut out = Vec::new();
        if let (Some(fail_below), Some(score)) = (self.fail_below, review.score)
            && score < fail_below
        {
            out.push(format!("the score is {score:.2} (--fail-below {fail_below})"));
        }
        let rank = |it: Recommendation| match it {
            Recommendation::Approve => 0,
            Recommendation::Review => 1,
            Recommendation::RequestRevision => 2,
        };
        if let Some(worst) = self.recommendation.filter(|worst| rank(review.recommendation) >= rank(*worst)) {
            out.push(format!("the recommendation is {} (--fail-on recommendation={worst})", review.recommendation));
        }
        if self.contradiction && !review.contradictions.is_empty() {
            out.push(format!("{} false (--fail-on contradiction)", are(review.contradictions.len(), "claim")));
        }
        let open = review.criteria.iter().filter(|it| it.status != CriterionStatus::Met).count();
        if self.criteria && open > 0 {
            out.push(format!(
                "{open} of {} criteria are not met or not reported (--fail-on criteria)",
                review.criteria.len()
            ));
        }
        let claims = || review.claims.iter().flatten();
        let contradicted =
            claims().filter(|it| it.state == ClaimState::Contradicted).count() + review.contradictions.len();
        if self.contradicted && contradicted > 0 {
            out.push(format!("{} contradicted (--fail-on contradicted)", are(contradicted, "claim")));
        }
        let trusts_host = review.proposed.as_ref().is_some_and(|own| own.trust_host);
        let unsupported = claims().filter(|claim| claim.is_unsupported(trusts_host)).count();
        if self.unsupported && unsupported > 0 {
            out.push(format!("{} unsupported (--fail-on unsupported)", are(unsupported, "claim")));
        }
        let broken = review.breaks.iter().flatten().count();
        if self.broken && broken > 0 {
            out.push(format!("{} broken (--fail-on broken)", are(broken, "instruction")));
        }
        out
    }
}

/// "1 claim is", "2 claims are".
fn are(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun} is") } else { format!("{count} {noun}s are") }
}

fn share(text: &str) -> Result<f64, Failure> {
    match text.parse::<f64>() {
        Ok(score) if (0.0..=1.0).contains(&score) => Ok(score),
        _ => Err(Failure::usage(format!("`--fail-below {text}` is no score")).hint("a score lies between 0 and 1")),
    }
}

/// Reads one `--fail-on`. Of several recommendations the best holds, since each of them fails.
fn fail_on(condition: &str, gates: &mut ReviewGates) -> Result<(), Failure> {
    match condition {
        "contradiction" => gates.contradiction = true,
        "criteria" => gates.criteria = true,
        "contradicted" => gates.contradicted = true,
        "unsupported" => gates.unsupported = true,
        "broken" => gates.broken = true,
        "recommendation=review" => gates.recommendation = Some(Recommendation::Review),
        "recommendation=request_revision" => {
            gates.recommendation = gates.recommendation.or(Some(Recommendation::RequestRevision));
        }
        _ => {
            return Err(Failure::usage(format!("`--fail-on {condition}` is no condition of review"))
                .hint("review fails on `recommendation=review|request_revision`, `contradiction`, `criteria`, `contradicted`, `unsupported` or `broken`"));
        }
    }
    Ok(())
}
