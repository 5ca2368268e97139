//! The fitted scale: a line of coefficients for each feature, as a text that people can read.

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::features::claim_features;
use super::{ClaimKind, ClaimReading};

/// The scale that ships.
const SHIPPED: &str = include_str!("scale.txt");
/// The version of the file's form and of the features. A file of another version is refused.
const VERSION: &str = "1";
/// Bytes of a file, at most.
const BYTES_MAX: usize = 64 * 1024;
/// The name of the line that every sentence has.
const CONSTANT: &str = "(constant)";
/// Coefficients are at most so large, either way.
const COEFFICIENT_MAX: f64 = 100.0;
/// Certainty lies between these: 1 doubts, 6 is certain (Pei and Jurgens, "Measuring Sentence-Level and Aspect-Level
/// (Un)certainty in Science Communications", 2021).
pub const CERTAINTY_RANGE: [f64; 2] = [1.0, 6.0];

/// What is wrong with a file of coefficients.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScaleError {
    /// It is too large.
    #[error("the scale has {bytes} bytes, more than {BYTES_MAX}")]
    TooLarge {
        /// Its bytes.
        bytes: usize,
    },
    /// A line is not of the form.
    #[error("line {line} of the scale: {what}")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A line is missing.
    #[error("the scale has no line `{name}`")]
    Missing {
        /// Its name.
        name: String,
    },
}

/// Coefficients of the strength of claims: for each feature four log-odds, of the four kinds of claim in their order, and what it
/// adds to certainty.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimScale {
    /// The sets that it was fitted on.
    pub sets: Vec<String>,
    /// What every sentence has.
    pub constant: [f64; 5],
    /// The coefficients of each feature, in the order of [`claim_features`].
    pub coefficients: Vec<[f64; 5]>,
}

static SCALE: LazyLock<Option<ClaimScale>> = LazyLock::new(|| ClaimScale::parse(SHIPPED).ok());

impl ClaimScale {
    /// The scale that ships with the program, fitted on the tuning halves of the sets that it names.
    /// A test holds that the file can be read.
    #[must_use]
    pub fn shipped() -> &'static Self {
        /// What stands in for a file that cannot be read.
        static NONE: ClaimScale = ClaimScale { sets: Vec::new(), constant: [0.0; 5], coefficients: Vec::new() };
        SCALE.as_ref().unwrap_or(&NONE)
    }

    /// Reads a file of coefficients: lines of a name and values, `#` begins a comment.
    ///
    /// # Errors
    ///
    /// [`ScaleError`] where the text is too large, of another version, has a line that is none of its form or twice, or lacks one.
    pub fn parse(text: &str) -> Result<Self, ScaleError> {
        if text.len() > BYTES_MAX {
            return Err(ScaleError::TooLarge { bytes: text.len() });
        }
        let names = claim_features();
        let (mut version, mut sets, mut constant) = (None, None, None);
        let mut coefficients: Vec<Option<[f64; 5]>> = vec![None; names.len()];
        for (place, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let mut words = line.split_whitespace();
            let Some(name) = words.next() else { continue };
            let wrong = |what: String| ScaleError::Line { line: place + 1, what };
            let values: Vec<&str> = words.collect();
            let twice = match name {
                "version" => version.replace(values.join(" ")).is_some(),
                "sets" => sets.replace(values.iter().map(|set| (*set).to_owned()).collect::<Vec<_>>()).is_some(),
                CONSTANT => constant.replace(numbers::<5>(&values).map_err(wrong)?).is_some(),
                _ => {
                    let at = names.iter().position(|own| *own == name);
                    let at = at.ok_or_else(|| wrong(format!("`{}` is no feature", name.escape_debug())))?;
                    coefficients[at].replace(numbers::<5>(&values).map_err(wrong)?).is_some()
                }
            };
            if twice {
                return Err(wrong(format!("`{name}` stands there twice")));
            }
            if let Some(other) = version.as_ref().filter(|version| *version != VERSION) {
                return Err(wrong(format!("version `{}` is not {VERSION}", other.escape_debug())));
            }
        }
        let missing = |name: &str| ScaleError::Missing { name: name.to_owned() };
        version.ok_or_else(|| missing("version"))?;
        let coefficients = coefficients.into_iter().zip(&names).map(|(own, name)| own.ok_or_else(|| missing(name)));
        Ok(Self {
            sets: sets.ok_or_else(|| missing("sets"))?,
            constant: constant.ok_or_else(|| missing(CONSTANT))?,
            coefficients: coefficients.collect::<Result<_, _>>()?,
        })
    }

    /// The file of these coefficients, rounded to three decimals. `notes` stand at its head as comments.
    #[must_use]
    pub fn to_text(&self, notes: &[String]) -> String {
        let mut out = String::new();
        for note in notes {
            let _ = writeln!(out, "# {note}");
        }
        let _ = writeln!(out, "version {VERSION}\nsets {}\n", self.sets.join(" "));
        let _ = writeln!(
            out,
            "# {:<28} {:>14} {:>14} {:>14} {:>14} {:>14}",
            "feature", "none", "correlational", "conditional", "causal", "certainty"
        );
        let names = claim_features();
        let own = names.iter().copied().zip(&self.coefficients);
        for (name, values) in std::iter::once((CONSTANT, &self.constant)).chain(own) {
            let _ = write!(out, "{name:<30}");
            for value in values {
                // Nought has no sign.
                let rounded = (value * 1000.0).round() / 1000.0 + 0.0;
                let _ = write!(out, " {rounded:>14.3}");
            }
            out.push('\n');
        }
        out
    }

    /// How strongly a sentence claims that one thing acts on another, and how certain it is of what it says. Linear in its length;
    /// of a very long sentence the first thousand words are read.
    #[must_use]
    pub fn read(&self, sentence: &str) -> ClaimReading {
        let found = super::features::read(sentence);
        let mut sums = self.constant;
        for (_, own) in found.iter().zip(&self.coefficients).filter(|(found, _)| **found) {
            for (sum, value) in sums.iter_mut().zip(own) {
                *sum += value;
            }
        }
        let [none, correlational, conditional, causal, certainty] = sums;
        let logs = [none, correlational, conditional, causal];
        let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let parts = logs.map(|log| (log - highest).exp());
        let all: f64 = parts.iter().sum();
        let [low, high] = CERTAINTY_RANGE;
        ClaimReading { shares: parts.map(|part| part / all), certainty: certainty.clamp(low, high) }
    }
}

fn numbers<const N: usize>(values: &[&str]) -> Result<[f64; N], String> {
    let own: Vec<f64> = values
        .iter()
        .map(|value| {
            let number = value.parse::<f64>().ok().filter(|number| number.abs() <= COEFFICIENT_MAX);
            number.ok_or_else(|| format!("`{}` is no coefficient", value.escape_debug()))
        })
        .collect::<Result<_, _>>()?;
    <[f64; N]>::try_from(own).map_err(|own| format!("{} values, not {N}", own.len()))
}

impl ClaimReading {
    /// The likeliest kind; of equal ones the weakest.
    #[must_use]
    pub fn kind(&self) -> ClaimKind {
        let mut best = ClaimKind::None;
        for kind in ClaimKind::ALL {
            if self.shares[kind as usize] > self.shares[best as usize] {
                best = kind;
            }
        }
        best
    }

    /// How strong the claim is on average, 0 (none) to 3 (causal).
    #[must_use]
    pub fn strength(&self) -> f64 {
        self.shares.iter().zip(0_u8..).map(|(share, level)| share * f64::from(level)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{ClaimScale, SHIPPED, ScaleError, VERSION};
    use crate::claim::ClaimKind;

    #[test]
    fn the_shipped_scale_reads_and_writes_itself() {
        let scale = ClaimScale::parse(SHIPPED).unwrap();
        assert_eq!(ClaimScale::shipped(), &scale);
        assert_eq!(scale.sets, ["claim_strength", "certainty"]);
        assert_eq!(ClaimScale::parse(&scale.to_text(&["a note".to_owned()])).unwrap(), scale);
        assert!(scale.to_text(&[]).starts_with(&format!("version {VERSION}\n")));
    }

    #[test]
    fn bad_files_are_told_by_line() {
        let of = |text: &str| ClaimScale::parse(text).unwrap_err().to_string();
        assert_eq!(of("version 2"), "line 1 of the scale: version `2` is not 1");
        assert_eq!(of("version 1\n\u{202e}x 1"), "line 2 of the scale: `\\u{202e}x` is no feature");
        assert_eq!(of("version 1\nthan 0 0 0 0 NaN"), "line 2 of the scale: `NaN` is no coefficient");
        assert_eq!(of("version 1\nthan 0 0 0 0 1e9"), "line 2 of the scale: `1e9` is no coefficient");
        assert_eq!(of("version 1\nthan"), "line 2 of the scale: 0 values, not 5");
        assert_eq!(of("version 1\nversion 1"), "line 2 of the scale: `version` stands there twice");
        assert_eq!(of("version 1\nsets a"), "the scale has no line `(constant)`");
        assert_eq!(of(""), "the scale has no line `version`");
        assert_eq!(of(&SHIPPED.replace("\nthan ", "\n# ")), "the scale has no line `than`");
        let (edge, over) = (" ".repeat(super::BYTES_MAX), " ".repeat(super::BYTES_MAX + 1));
        assert_eq!(of(&edge), "the scale has no line `version`");
        assert_eq!(ClaimScale::parse(&over).unwrap_err(), ScaleError::TooLarge { bytes: super::BYTES_MAX + 1 });
    }

    #[test]
    fn four_sentences_of_rising_strength() {
        let scale = ClaimScale::shipped();
        let [none, together, perhaps, causal] = [
            "Further research is needed on night work.",
            "Night work was associated with more errors.",
            "Night work may lead to more errors.",
            "Night work leads to more errors.",
        ]
        .map(|sentence| scale.read(sentence));
        assert_eq!(
            [none.kind(), together.kind(), perhaps.kind(), causal.kind()],
            [ClaimKind::None, ClaimKind::Correlational, ClaimKind::Conditional, ClaimKind::Causal]
        );
        assert!(causal.strength() > perhaps.strength() && perhaps.strength() > none.strength());
        assert!(causal.certainty > perhaps.certainty, "{} {}", causal.certainty, perhaps.certainty);
    }
}
