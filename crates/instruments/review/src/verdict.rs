//! The score and the recommendation: functions of the items and of what code found.

use crate::answer::{Profile, Sign};

/// The threshold below which a summary is enough, where none is given (the task-evals document, "Recommendation Logic").
pub const THRESHOLD_DEFAULT: f64 = 0.6;
/// From this score on an output is approved, unless the threshold is higher (same section).
pub const APPROVE_SCORE_MIN: f64 = 0.8;

steadfast_evidence::vocabulary! {
    /// What to do with an output.
    Recommendation {
        /// Take it.
        Approve = "approve", "approve";
        /// Read it with care.
        Review = "review", "review";
        /// Send it back.
        RequestRevision = "request_revision", "request a revision";
    }
}

steadfast_evidence::vocabulary! {
    /// What holds a recommendation at review.
    Cap {
        /// A 🔒 stands.
        OpenSecurity = "open_security", "a security item stands";
        /// A 🐛 stands.
        OpenBug = "open_bug", "a bug stands";
        /// An acceptance criterion is not met.
        CriterionUnmet = "criterion_unmet", "an acceptance criterion is not met";
        /// No item reports on an acceptance criterion.
        CriterionUnreported = "criterion_unreported", "no item reports on an acceptance criterion";
        /// Code finds a claim false.
        Contradiction = "contradiction", "a claim is false";
        /// What was done contradicts a claim.
        ClaimContradicted = "claim_contradicted", "what was done contradicts a claim";
        /// A call breaks what the user forbade or demanded.
        AskBroken = "ask_broken", "a call breaks what was asked";
        /// There is no score.
        NotEvaluable = "not_evaluable", "there is nothing to score";
    }
}

/// The group of categories that a dimension is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// Does it do what it should: ✅, 🐛, ⚠️.
    Correctness,
    /// Is it safe: 🔒.
    Security,
    /// Is it whole: 🧩, 📝, ❓.
    Completeness,
    /// Is it well made: 🚀, 🔄.
    Style,
}

impl Dimension {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Correctness, Self::Security, Self::Completeness, Self::Style];

    /// The dimension that a sign belongs to; each belongs to one.
    #[must_use]
    pub const fn of(sign: Sign) -> Self {
        match sign {
            Sign::Verified | Sign::Bug | Sign::Pitfall => Self::Correctness,
            Sign::Security => Self::Security,
            Sign::EdgeCase | Sign::Todo | Sign::Clarification => Self::Completeness,
            Sign::Improvement | Sign::Refactor => Self::Style,
        }
    }
}

/// The score of items, from 0 to 1; `None` where there are none.
///
/// `score = (sum_of_weights + abs(min_possible)) / (max_possible + abs(min_possible))` (the task-evals document, "NPL Reflection
/// Parser"), where `min_possible` and `max_possible` are −1 and +1 for each item. Sums are of whole tenths, so the order of the
/// items does not matter to the bit.
#[must_use]
pub fn score(signs: impl IntoIterator<Item = Sign>, profile: Profile) -> Option<f64> {
    let (mut sum, mut count) = (0_i64, 0_i64);
    for sign in signs {
        sum += sign.weight_tenths(profile);
        count += 1;
    }
    (count > 0).then(|| (sum + 10 * count) as f64 / (20 * count) as f64)
}

/// The recommendation for a score: at or above both 0.8 and the threshold approve, at or above the threshold review, else request a
/// revision; whatever caps it, never better than review. Without a score it is review: somebody has to read it.
#[must_use]
pub fn recommend(score: Option<f64>, threshold: f64, capped: bool) -> Recommendation {
    match score {
        Some(score) if score < threshold => Recommendation::RequestRevision,
        Some(score) if score >= APPROVE_SCORE_MIN && !capped => Recommendation::Approve,
        _ => Recommendation::Review,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(score: f64, threshold: f64, capped: bool, expect: Recommendation) {
        assert_eq!(recommend(Some(score), threshold, capped), expect, "{score} {threshold} {capped}");
    }

    #[test]
    fn thresholds_are_those_of_the_document() {
        check(0.8, 0.6, false, Recommendation::Approve);
        check(0.799_999, 0.6, false, Recommendation::Review);
        check(0.6, 0.6, false, Recommendation::Review);
        check(0.599_999, 0.6, false, Recommendation::RequestRevision);
    }

    #[test]
    fn a_threshold_replaces_the_lower_one_and_can_only_raise_the_upper() {
        check(0.85, 0.9, false, Recommendation::RequestRevision);
        check(0.9, 0.9, false, Recommendation::Approve);
        check(0.5, 0.4, false, Recommendation::Review);
        check(0.79, 0.4, false, Recommendation::Review);
        check(0.0, 0.0, false, Recommendation::Review);
        check(1.0, 1.0, false, Recommendation::Approve);
    }

    #[test]
    fn a_cap_holds_back_approval_and_nothing_else() {
        check(1.0, 0.6, true, Recommendation::Review);
        check(0.7, 0.6, true, Recommendation::Review);
        check(0.1, 0.6, true, Recommendation::RequestRevision);
        assert_eq!(recommend(None, 0.6, true), Recommendation::Review);
    }

    #[test]
    fn a_score_lies_between_the_worst_and_the_best_that_so_many_items_can_say() {
        let of = |signs: &[Sign], profile| score(signs.iter().copied(), profile);
        assert_eq!(of(&[], Profile::Seed), None);
        assert_eq!(of(&[Sign::Verified], Profile::Seed), Some(1.0));
        assert_eq!(
            (of(&[Sign::Security], Profile::Seed), of(&[Sign::Security], Profile::Fixed)),
            (Some(0.0), Some(1.0))
        );
        // 1 and -0.3 of at most 2: (0.7 + 2) / 4.
        assert_eq!(of(&[Sign::Verified, Sign::Todo], Profile::Seed), Some(0.675));
        assert_eq!(of(&[Sign::Refactor; 3], Profile::Seed), Some(0.4));
    }

    #[test]
    fn each_sign_belongs_to_one_dimension() {
        for (dimension, signs) in [
            (Dimension::Correctness, &[Sign::Verified, Sign::Bug, Sign::Pitfall][..]),
            (Dimension::Security, &[Sign::Security]),
            (Dimension::Completeness, &[Sign::EdgeCase, Sign::Todo, Sign::Clarification]),
            (Dimension::Style, &[Sign::Improvement, Sign::Refactor]),
        ] {
            assert!(signs.iter().all(|sign| Dimension::of(*sign) == dimension), "{dimension:?}");
        }
        assert_eq!(Sign::ALL.len(), 9);
    }
}
