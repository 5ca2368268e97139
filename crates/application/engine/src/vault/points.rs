//! Operating points as somebody's file gives them, and several that are tried against each other.

use sha2::{Digest, Sha256};
use steadfast_pick::operating_point::{OperatingPoint, Points};
use steadfast_wire::pick as wire;

use crate::EngineError;
use crate::hash::hex;

/// The longest file of operating points, in bytes.
pub const POINTS_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The longest name of an operating point, in bytes.
const NAME_BYTES_MAX: usize = 128;

/// Operating points of a file of this name and text: one for every vault, or one for vaults with vectors and one for words alone.
///
/// # Errors
/// [`EngineError::Points`] with the place and what is wrong there; [`EngineError::FileTooLarge`].
pub fn points(file: &str, text: &str) -> Result<Points, EngineError> {
    if text.len() > POINTS_BYTES_MAX {
        let (bytes, limit_bytes) = (text.len() as u64, POINTS_BYTES_MAX as u64);
        return Err(EngineError::FileTooLarge { file: file.to_owned(), bytes, limit_bytes });
    }
    let wrong = |what: String| EngineError::Points { file: file.to_owned(), what };
    let read = wire::read_points(text).map_err(|misread| wrong(format!(":{misread}")))?;
    if read.schema_version != wire::SCHEMA_VERSION {
        return Err(wrong(format!(": `schema_version` is `{}`, not `{}`", read.schema_version, wire::SCHEMA_VERSION)));
    }
    if read.name.trim().is_empty() || read.name.len() > NAME_BYTES_MAX || read.name.contains(char::is_control) {
        let what = format!(": `name` is empty, longer than {NAME_BYTES_MAX} bytes, or holds control characters");
        return Err(wrong(what));
    }
    let mut out = Points { name: read.name.clone(), vectors: None, words: None };
    for (at, given) in read.points.iter().enumerate() {
        let point = of(&read.name, given);
        point.check().map_err(|error| wrong(format!(": `points[{at}]`: {error}")))?;
        for (wanted, slot) in [(true, &mut out.vectors), (false, &mut out.words)] {
            if given.vectors.is_some_and(|vectors| vectors != wanted) {
                continue;
            }
            if slot.replace(point.clone()).is_some() {
                let what = if wanted { "vaults with vectors" } else { "words alone" };
                return Err(wrong(format!(": `points[{at}]` is the second one for {what}")));
            }
        }
    }
    if out.vectors.is_none() && out.words.is_none() {
        return Err(wrong(": `points` holds no operating point".to_owned()));
    }
    Ok(out)
}

fn of(name: &str, own: &wire::PointThresholds) -> OperatingPoint {
    OperatingPoint {
        name: name.to_owned(),
        t_ambiguity: own.t_ambiguity,
        t_single: own.t_single,
        t_chain: own.t_chain,
        delta: own.delta,
        curve: own.curve.iter().map(|it| (it.score, it.confidence)).collect(),
    }
}

/// The operating points that are tried against each other in a vault with vectors, or without.
///
/// # Errors
/// [`EngineError::PointsOfOneName`] where two have one name, [`EngineError::Points`] where one has no thresholds for such a vault.
pub fn against(all: &[Points], vectors: bool) -> Result<Vec<OperatingPoint>, EngineError> {
    for (at, own) in all.iter().enumerate() {
        if all[..at].iter().any(|other| other.name == own.name) {
            return Err(EngineError::PointsOfOneName { name: own.name.clone() });
        }
    }
    let of = |own: &Points| {
        let what = if vectors { "vectors" } else { "words alone" };
        own.of(vectors).cloned().ok_or_else(|| EngineError::Points {
            file: format!("operating point `{}`", own.name),
            what: format!(" has no thresholds for {what}, by which this vault is searched"),
        })
    };
    all.iter().map(of).collect()
}

/// The SHA-256 of thresholds, in hexadecimal: what chooses, whatever it is called.
pub(super) fn sha256_of(own: &wire::Thresholds) -> String {
    let mut hash = Sha256::new();
    for threshold in [own.t_ambiguity, own.t_single, own.t_chain, own.delta] {
        // 0 and −0 are the same threshold.
        hash.update((threshold + 0.0).to_le_bytes());
    }
    hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &str = include_str!("../../../../instruments/pick/src/operating_point.json");

    #[test]
    fn the_shipped_file_is_read_and_is_the_default() {
        assert_eq!(points("operating_point.json", SHIPPED), Ok(Points::fitted()));
        assert_eq!(Points::fitted().vectors, Some(OperatingPoint::fitted()));
    }

    fn file(points: &str) -> String {
        format!("{{\"schema_version\": \"1\", \"name\": \"mine\",\n \"points\": [{points}]}}")
    }

    const ONE: &str = "{\"t_ambiguity\": 0.5, \"t_single\": 0.4, \"t_chain\": 0.3, \"delta\": 0}";

    #[test]
    fn a_file_by_hand_is_enough_and_holds_for_every_vault() {
        let own = points("own.json", &file(ONE)).unwrap();
        assert_eq!((own.name.as_str(), own.vectors == own.words), ("mine", true));
        assert_eq!(own.of(false).map(|point| (point.t_single, point.curve.len())), Some((0.4, 0)));
    }

    #[track_caller]
    fn refused(text: &str, expect: &str) {
        assert_eq!(points("own.json", text).unwrap_err().to_string(), expect);
    }

    #[test]
    fn what_cannot_be_used_is_told_with_its_place() {
        refused("{", "own.json:1:1: EOF while parsing an object");
        refused(&file(""), "own.json: `points` holds no operating point");
        refused(
            &file(&format!("{ONE}, {}", ONE.replace('{', "{\"vectors\": true, "))),
            "own.json: `points[1]` is the second one for vaults with vectors",
        );
        refused(&file("{\"t_single\": 0.4}"), "own.json:2:29: missing field `t_ambiguity`");
        let falling = "\"curve\": [{\"score\": 0.5, \"confidence\": 0.5}, {\"score\": 0.6, \"confidence\": 0.4}]}";
        refused(
            &file(&ONE.replace('}', &format!(", {falling}"))),
            "own.json: `points[0]`: `curve[1]` falls behind the point before it: scores rise, and confidence does not fall",
        );
        refused(&file(ONE).replace("\"1\"", "\"2\""), "own.json: `schema_version` is `2`, not `1`");
        refused(
            &file(ONE).replace("mine", " "),
            "own.json: `name` is empty, longer than 128 bytes, or holds control characters",
        );
    }

    #[test]
    fn points_that_could_not_be_told_apart_are_not_tried() {
        let (seed, own) = (Points::seed(), points("own.json", &file(ONE)).unwrap());
        let tried = against(&[seed.clone(), own.clone()], true).unwrap();
        assert_eq!(tried.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["seed", "mine"]);
        let error = against(&[seed.clone(), own.clone(), seed], true).unwrap_err();
        assert_eq!(error, EngineError::PointsOfOneName { name: "seed".to_owned() });
        let error = against(&[Points { words: None, ..own }], false).unwrap_err().to_string();
        assert_eq!(error, "operating point `mine` has no thresholds for words alone, by which this vault is searched");
    }
}
