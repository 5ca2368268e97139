//! Numbers as they are published: bounded on reading, rounded on writing.

use serde::{Deserialize, Deserializer, Serializer};

/// Writes a number rounded to two decimals, half away from zero. The weights of the fidelity score have two decimals
/// and the scores that they weigh are whole, so the score itself loses nothing by it. What is not finite is written as
/// `null`.
pub(crate) fn two_decimals<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    let rounded = (value * 100.0).round() / 100.0;
    // -0.0 and 0.0 are the same number and must be the same bytes.
    serializer.serialize_f64(if rounded == 0.0 { 0.0 } else { rounded })
}

/// Writes a share rounded to six decimals, half away from zero.
pub(crate) fn share<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(to_six_decimals(*value))
}

/// Writes a number rounded to six decimals, half away from zero; what is not finite or not there as `null`.
pub(crate) fn six_decimals<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value.map(to_six_decimals) {
        Some(rounded) => serializer.serialize_some(&rounded),
        None => serializer.serialize_none(),
    }
}

/// The same for both ends of an interval.
pub(crate) fn six_decimals_of_two<S: Serializer>(value: &Option<[f64; 2]>, serializer: S) -> Result<S::Ok, S::Error> {
    match value.map(|ends| ends.map(to_six_decimals)) {
        Some(rounded) => serializer.serialize_some(&rounded),
        None => serializer.serialize_none(),
    }
}

fn to_six_decimals(value: f64) -> f64 {
    let rounded = (value * 1e6).round() / 1e6;
    // -0.0 and 0.0 are the same number and must be the same bytes.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// Reads a severity, 0 to 4.
pub(crate) fn severity<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    at_most(deserializer, 4, "severity")
}

/// Reads a dimension's score, 0 to 5.
pub(crate) fn score<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    at_most(deserializer, 5, "score")
}

fn at_most<'de, D: Deserializer<'de>>(deserializer: D, most: u8, what: &str) -> Result<u8, D::Error> {
    let value = u8::deserialize(deserializer)?;
    if value > most {
        return Err(serde::de::Error::custom(format_args!("{what} {value} lies outside 0 to {most}")));
    }
    Ok(value)
}
