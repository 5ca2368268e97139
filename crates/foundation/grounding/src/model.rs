//! The coefficients: a file that anyone can read.

use serde_json::Value;

use crate::error::GroundingError;
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

/// What was seen among scores: a point of the reliability curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// The mean score.
    pub score: f64,
    /// The share of the passages that the ask supports.
    pub supported: f64,
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
    /// How often passages of a score were supported, on the half that was not fitted on.
    pub reliability: Vec<CurvePoint>,
}

impl Model {
    /// The coefficients that ship. A test holds that they are read.
    #[must_use]
    pub fn shipped(form: Form) -> Self {
        Self::read(SHIPPED, form).unwrap_or_default()
    }

    /// Reads the coefficients of a form out of what `steadfast-measure calibrate grounding` wrote.
    ///
    /// # Errors
    /// [`GroundingError`] where the text is no such file, lacks the form, or was fitted on other features.
    pub fn read(text: &str, form: Form) -> Result<Self, GroundingError> {
        let wrong = |what: &str| GroundingError::Form { what: what.to_owned() };
        let file: Value =
            serde_json::from_str(text).map_err(|error| GroundingError::Form { what: error.to_string() })?;
        let number = |of: &Value, name: &str| {
            of[name].as_f64().filter(|it| it.is_finite()).ok_or_else(|| wrong(&format!("`{name}` is no number")))
        };
        let list = |of: &Value, name: &str| of[name].as_array().cloned().unwrap_or_default();
        let word = |of: &Value, name: &str| of[name].as_str().unwrap_or_default().to_owned();
        let forms = list(&file, "forms");
        let own = forms.iter().find(|it| it["form"].as_str() == Some(form.name()));
        let own = own.ok_or(GroundingError::NoForm { form: form.name() })?;
        let given = list(own, "coefficients");
        let features = form.features();
        for place in 0..given.len().max(features.len()) {
            let expected = features.get(place).map_or("", |feature| feature.name);
            let found = given.get(place).map(|it| word(it, "feature")).unwrap_or_default();
            if found != expected {
                return Err(GroundingError::Feature { place, found, expected });
            }
        }
        let thresholds = list(own, "thresholds")
            .iter()
            .map(|it| Ok(Threshold { set: word(it, "set"), score: number(it, "score")? }))
            .collect::<Result<_, GroundingError>>()?;
        let reliability = list(own, "reliability")
            .iter()
            .map(|it| Ok(CurvePoint { score: number(it, "score")?, supported: number(it, "supported")? }))
            .collect::<Result<_, GroundingError>>()?;
        Ok(Self {
            version: word(&file, "version"),
            sets: list(own, "fitted_on").iter().map(|it| word(it, "set")).collect(),
            intercept: number(own, "intercept")?,
            coefficients: given.iter().map(|it| number(it, "value")).collect::<Result<_, _>>()?,
            thresholds,
            reliability,
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
