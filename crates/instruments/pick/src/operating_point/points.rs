//! The operating points of one name: scores with vectors and without are not the same numbers, so each has its own thresholds.

use serde_json::Value;

use super::OperatingPoint;

/// The default, as `steadfast-measure calibrate pick` wrote it.
const SHIPPED: &str = include_str!("../operating_point.json");

/// Thresholds of one name, for vaults with vectors and for words alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Their name.
    pub name: String,
    /// Those for a vault with vectors.
    pub vectors: Option<OperatingPoint>,
    /// Those for words alone.
    pub words: Option<OperatingPoint>,
}

impl Points {
    /// The initial thresholds of section 6 of the prompt-orchestration document, whatever a vault has.
    #[must_use]
    pub fn seed() -> Self {
        let seed = OperatingPoint::seed();
        Self { name: seed.name.clone(), vectors: Some(seed.clone()), words: Some(seed) }
    }

    /// The default. A test of `engine` holds that the shipped file is read, and that it is all that stands in it.
    #[must_use]
    pub fn fitted() -> Self {
        let file: Value = serde_json::from_str(SHIPPED).unwrap_or_default();
        let name = file["name"].as_str().unwrap_or("default");
        let points = file["points"].as_array().map(Vec::as_slice).unwrap_or_default();
        let with = |vectors: bool| {
            let own = points.iter().find(|it| it["vectors"].as_bool() == Some(vectors))?;
            read(name, own)
        };
        Self { name: name.to_owned(), vectors: with(true), words: with(false) }
    }

    /// The operating point for a vault with vectors, or for one without; `None` where there is none for it.
    #[must_use]
    pub const fn of(&self, vectors: bool) -> Option<&OperatingPoint> {
        if vectors { self.vectors.as_ref() } else { self.words.as_ref() }
    }
}

fn read(name: &str, own: &Value) -> Option<OperatingPoint> {
    let curve = own["curve"].as_array().map(Vec::as_slice).unwrap_or_default();
    Some(OperatingPoint {
        name: name.to_owned(),
        t_ambiguity: own["t_ambiguity"].as_f64()?,
        t_single: own["t_single"].as_f64()?,
        t_chain: own["t_chain"].as_f64()?,
        delta: own["delta"].as_f64()?,
        curve: curve.iter().filter_map(|it| Some((it["score"].as_f64()?, it["confidence"].as_f64()?))).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_there_for_both_kinds_of_vault_and_can_be_used() {
        let fitted = Points::fitted();
        assert_eq!(fitted.name, "default");
        for vectors in [true, false] {
            assert_eq!(fitted.of(vectors).map(OperatingPoint::check), Some(Ok(())));
            assert_eq!(Points::seed().of(vectors), Some(&OperatingPoint::seed()));
        }
        assert_eq!(fitted.vectors, Some(OperatingPoint::fitted()));
    }
}
