//! The coefficients: a file that anyone can read.

use serde_json::Value;

use crate::features::Form;

/// The coefficients that ship, as `steadfast-measure calibrate grounding` wrote them.
const SHIPPED: &str = include_str!("../coefficients.json");

/// What a score means for one kind of question.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// The labelled set, and the part of it, whose tuning half it was fitted on.
    pub set: String,
    /// From this score on the ask supports the passage.
    pub score: f64,
}

/// A logistic model: score = 1 / (1 + exp(−(intercept + Σ coefficient · feature))).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The version of the coefficients; it changes with any of them.
    pub version: String,
    /// The sets that they were fitted on.
    pub sets: Vec<String>,
    /// What is there without any feature.
    pub intercept: f64,
    /// One coefficient for each feature of the form, in the order of [`crate::FEATURES`].
    pub coefficients: Vec<f64>,
    /// What a score means, by set.
    pub thresholds: Vec<Threshold>,
}

impl Model {
    /// The coefficients that ship. A test holds that they are read.
    #[must_use]
    pub fn shipped(form: Form) -> Self {
        Self::read(form).unwrap_or_default()
    }

    /// Reads the coefficients of a form; `None` where the file lacks it, or has it for other features.
    fn read(form: Form) -> Option<Self> {
        let file: Value = serde_json::from_str(SHIPPED).ok()?;
        let list = |of: &Value, name: &str| of[name].as_array().cloned().unwrap_or_default();
        let word = |of: &Value, name: &str| of[name].as_str().unwrap_or_default().to_owned();
        let own = list(&file, "forms").into_iter().find(|it| it["form"].as_str() == Some(form.name()))?;
        let fitted = list(&own, "coefficients");
        let features = form.features();
        if !fitted.iter().map(|it| it["feature"].as_str()).eq(features.iter().map(|feature| Some(feature.name))) {
            return None;
        }
        let threshold = |it: &Value| Some(Threshold { set: word(it, "set"), score: it["score"].as_f64()? });
        Some(Self {
            version: word(&file, "version"),
            sets: list(&own, "fitted_on").iter().map(|it| word(it, "set")).collect(),
            intercept: own["intercept"].as_f64()?,
            coefficients: fitted.iter().map(|it| it["value"].as_f64()).collect::<Option<_>>()?,
            thresholds: list(&own, "thresholds").iter().map(threshold).collect::<Option<_>>()?,
        })
    }

    /// The score of features, 0 to 1.
    #[must_use]
    pub fn probability(&self, features: &[f64]) -> f64 {
        let sum: f64 = self.coefficients.iter().zip(features).map(|(coefficient, feature)| coefficient * feature).sum();
        1.0 / (1.0 + (-(self.intercept + sum)).exp())
    }

    /// The threshold that was fitted on a set; ½ where none was.
    #[must_use]
    pub fn threshold(&self, set: &str) -> f64 {
        self.thresholds.iter().find(|it| it.set == set).map_or(0.5, |it| it.score)
    }
}
