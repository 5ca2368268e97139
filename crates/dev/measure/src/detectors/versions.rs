//! What made the figures.

use std::collections::BTreeMap;

use steadfast_embed::Embedder;
use steadfast_grounding::{Form, Model};
use steadfast_pick::operating_point::Points;

use super::DETECTORS;

/// The versions of what the detectors of these sets rest on, by name. They are kept beside the figures, so that a document can say what was
/// measured.
#[must_use]
pub fn versions(sets: &[&str], embedder: Option<&dyn Embedder>) -> BTreeMap<String, String> {
    let measured = DETECTORS.iter().filter(|own| own.sets.iter().any(|name| sets.contains(name)));
    let names = measured.flat_map(|own| own.versions).copied();
    let mut versions: BTreeMap<String, String> =
        names.filter_map(|name| Some((name.to_owned(), version(name, embedder)?))).collect();
    versions.insert("program".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    versions
}

fn version(name: &str, embedder: Option<&dyn Embedder>) -> Option<String> {
    match name {
        "rules" => Some(steadfast_engine::RULES_VERSION.to_owned()),
        "support score" => Some(Model::shipped(Form::Lexical).version),
        "operating point" => Some(Points::fitted().name),
        "embedder" => embedder.map(|own| format!("{} {}", own.name(), own.version())),
        _ => None,
    }
}
