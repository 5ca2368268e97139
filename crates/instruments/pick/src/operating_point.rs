//! The thresholds that decide between one prompt, a chain and a question, and what a score is worth.

mod points;

pub use points::Points;

/// Thresholds that were fitted or set together.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatingPoint {
    /// Its name.
    pub name: String,
    /// From this ambiguity on the task is asked about.
    pub t_ambiguity: f64,
    /// A single prompt is chosen from this score on.
    pub t_single: f64,
    /// A chain is chosen from this score on.
    pub t_chain: f64,
    /// A chain has to be better than a single prompt by this much.
    pub delta: f64,
    /// What a score is worth: (score, share of right selections at it), scores rising. Between points the line holds; without any a score
    /// is its own confidence.
    pub curve: Vec<(f64, f64)>,
}

impl OperatingPoint {
    /// The initial thresholds of section 6 of the prompt-orchestration document.
    #[must_use]
    pub fn seed() -> Self {
        Self {
            name: "seed".to_owned(),
            t_ambiguity: 0.65,
            t_single: 0.76,
            t_chain: 0.72,
            delta: 0.06,
            curve: Vec::new(),
        }
    }

    /// The thresholds that are in force where nobody asks for others, for a vault with vectors: [`Points::fitted`] has those for words alone
    /// as well. See `docs/pick.md` for what they were fitted on.
    #[must_use]
    pub fn fitted() -> Self {
        let fitted = Points::fitted();
        fitted.of(true).cloned().unwrap_or_else(Self::seed)
    }

    /// Whether it can be used.
    ///
    /// # Errors
    /// [`PointError`], the first that is found.
    pub fn check(&self) -> Result<(), PointError> {
        let thresholds = [
            ("t_ambiguity", self.t_ambiguity),
            ("t_single", self.t_single),
            ("t_chain", self.t_chain),
            ("delta", self.delta),
        ];
        if let Some((name, value)) = thresholds.into_iter().find(|(_, value)| !value.is_finite()) {
            return Err(PointError::Threshold { name, value });
        }
        if self.curve.len() > CURVE_POINTS_MAX {
            return Err(PointError::CurveTooLong { points: self.curve.len() });
        }
        for (at, (score, share)) in self.curve.iter().enumerate() {
            if !score.is_finite() || !(0.0..=1.0).contains(share) {
                return Err(PointError::CurveValue { at });
            }
            let falls = at.checked_sub(1).is_some_and(|before| {
                let (score_before, share_before) = self.curve[before];
                *score <= score_before || *share < share_before
            });
            if falls {
                return Err(PointError::CurveFalls { at });
            }
        }
        Ok(())
    }

    /// What a score is worth, 0 to 1.
    #[must_use]
    pub fn confidence(&self, score: f64) -> f64 {
        let (Some(first), Some(last)) = (self.curve.first(), self.curve.last()) else { return score.clamp(0.0, 1.0) };
        if score <= first.0 {
            return first.1;
        }
        if score >= last.0 {
            return last.1;
        }
        let pair = self.curve.windows(2).find(|pair| score <= pair[1].0);
        pair.map_or(last.1, |pair| {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            if x1 > x0 { y0 + (y1 - y0) * (score - x0) / (x1 - x0) } else { y1 }
        })
    }
}

/// Points of a confidence curve, at most.
pub const CURVE_POINTS_MAX: usize = 1_000;

/// Why an operating point cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PointError {
    /// A threshold is no number.
    #[error("`{name}` is {value}: a threshold is a finite number")]
    Threshold {
        /// Which.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// The curve has more points than [`CURVE_POINTS_MAX`].
    #[error("`curve` has {points} points, more than {CURVE_POINTS_MAX}")]
    CurveTooLong {
        /// How many it has.
        points: usize,
    },
    /// A point of the curve has a score that is no number, or a confidence outside 0 to 1.
    #[error("`curve[{at}]` is no point of a curve: a score is a finite number, a confidence lies in 0 to 1")]
    CurveValue {
        /// Its place, from 0.
        at: usize,
    },
    /// A point of the curve falls behind the one before it.
    #[error("`curve[{at}]` falls behind the point before it: scores rise, and confidence does not fall")]
    CurveFalls {
        /// Its place, from 0.
        at: usize,
    },
}

steadfast_evidence::vocabulary! {
    /// What a task gets.
    #[schemars(rename = "PickMode")]
    Mode {
        /// One prompt.
        Single = "single", "one prompt";
        /// Several, in order.
        Chain = "chain", "a chain of prompts";
        /// A question.
        Clarify = "clarify", "a question first";
    }
}

/// The policy of section 5.6: a single prompt from `t_single` on where no chain is better by `delta`, else a chain from `t_chain` on,
/// else a question.
#[must_use]
pub fn select(single: Option<f64>, chain: Option<f64>, point: &OperatingPoint) -> Mode {
    let better = match (single, chain) {
        (Some(single), Some(chain)) => chain - single >= point.delta,
        _ => false,
    };
    if single.is_some_and(|single| single >= point.t_single) && !better {
        Mode::Single
    } else if chain.is_some_and(|chain| chain >= point.t_chain) {
        Mode::Chain
    } else {
        Mode::Clarify
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_of_the_document() {
        let point = OperatingPoint::seed();
        let mode = |single, chain| select(single, chain, &point);
        assert_eq!(mode(Some(0.76), None), Mode::Single);
        assert_eq!(mode(Some(0.7599), None), Mode::Clarify);
        assert_eq!(mode(Some(0.80), Some(0.85)), Mode::Single, "not better by delta");
        assert_eq!(mode(Some(0.80), Some(0.87)), Mode::Chain);
        assert_eq!(mode(Some(0.50), Some(0.72)), Mode::Chain);
        assert_eq!(mode(Some(0.50), Some(0.7199)), Mode::Clarify);
        assert_eq!(mode(None, None), Mode::Clarify);
        // A good single prompt, a chain that is better but below its own threshold: neither.
        let strict = OperatingPoint { t_chain: 0.95, ..point };
        assert_eq!(select(Some(0.80), Some(0.87), &strict), Mode::Clarify);
    }

    #[test]
    fn what_cannot_be_used_is_told_with_its_place() {
        let check = |change: &dyn Fn(&mut OperatingPoint), expect: &str| {
            let mut point = OperatingPoint { curve: vec![(0.2, 0.1), (0.6, 0.5)], ..OperatingPoint::seed() };
            change(&mut point);
            let said = point.check().map_or_else(|error| error.to_string(), |()| String::new());
            assert_eq!(said, expect);
        };
        check(&|_| {}, "");
        check(&|it| it.delta = -1.0, "");
        check(&|it| it.curve[1].1 = 0.1, "");
        check(&|it| it.delta = f64::NAN, "`delta` is NaN: a threshold is a finite number");
        check(&|it| it.t_chain = f64::INFINITY, "`t_chain` is inf: a threshold is a finite number");
        let value = "`curve[1]` is no point of a curve: a score is a finite number, a confidence lies in 0 to 1";
        check(&|it| it.curve[1].1 = 1.01, value);
        check(&|it| it.curve[1].0 = f64::NAN, value);
        let falls = "`curve[1]` falls behind the point before it: scores rise, and confidence does not fall";
        check(&|it| it.curve[1].1 = 0.09, falls);
        check(&|it| it.curve[1].0 = 0.2, falls);
        let rising = |points: usize| (0..points).map(|at| (at as f64, 0.5)).collect();
        check(&|it| it.curve = rising(CURVE_POINTS_MAX), "");
        check(&|it| it.curve = rising(CURVE_POINTS_MAX + 1), "`curve` has 1001 points, more than 1000");
    }

    #[test]
    fn a_curve_is_followed_between_its_points() {
        let point = OperatingPoint { curve: vec![(0.2, 0.1), (0.6, 0.5), (0.8, 0.9)], ..OperatingPoint::seed() };
        let near = |score: f64, wanted: f64| assert!((point.confidence(score) - wanted).abs() < 1e-12, "{score}");
        near(0.0, 0.1);
        near(0.4, 0.3);
        near(0.6, 0.5);
        near(0.7, 0.7);
        near(1.0, 0.9);
        assert_eq!(OperatingPoint::seed().confidence(1.7), 1.0);
    }
}
