//! The way of a fault through a run, as it is published.

use steadfast_audit::trail::{Stand, Trail};
use steadfast_wire::audit as wire;

use super::span;

/// Artefacts that a trail lists.
const PLACES_MAX: usize = 60;

/// A trail as it is published. `names` are those of the prompt and of all artefacts, by their place in the list of sources.
pub(super) fn published(own: &Trail, names: &[&str]) -> wire::Trail {
    let place = |own: &steadfast_audit::trail::TrailPlace| wire::TrailPlace {
        position: own.artefact + 1,
        stand: own.stand,
        span: span(&own.quote, names),
    };
    let before = own.places.iter().take_while(|place| place.stand == Stand::Right);
    let last_right = before.last().map(|place| span(&place.quote, names).file);
    wire::Trail {
        artefacts: names.len().saturating_sub(1),
        last_right_in: last_right,
        places: own.places.iter().take(PLACES_MAX).map(place).collect(),
        left_out: own.places.len().saturating_sub(PLACES_MAX),
    }
}
