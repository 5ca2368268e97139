//! The way of a fault through the artefacts of a run: a sentence, and a picture that shows the same.

use steadfast_wire::audit::{Stand, Trail, TrailPlace};

use crate::chart::{Anchor, Svg};
use crate::digest::count_of;
use crate::plain::line;

/// Names of files in a sentence, of each kind.
const NAMED_MAX: usize = 3;
const NAME_CHARS_MAX: usize = 80;
const WIDTH: f64 = 720.0;
/// Room for the names of the lanes.
const LEFT: f64 = 72.0;
const LANE: f64 = 12.0;
const GAP: f64 = 4.0;
/// An artefact of a short run is no wider.
const CELL_MAX: f64 = 28.0;
/// An artefact of a long run is no narrower: neighbours may touch.
const CELL_MIN: f64 = 3.0;

/// What the trail says, such as "right in 004-a.md; wrong from 007-b.md on (3 of 12 artefacts)". Names are fit to be shown and not escaped.
pub(crate) fn sentence(trail: &Trail) -> String {
    let wrong = |place: &&TrailPlace| place.stand != Stand::Right;
    let Some(first) = trail.places.iter().find(wrong) else { return String::new() };
    let right = |place: &&TrailPlace| place.stand == Stand::Right;
    let before: Vec<&TrailPlace> =
        trail.places.iter().filter(right).filter(|place| place.position < first.position).collect();
    let after: Vec<&TrailPlace> =
        trail.places.iter().filter(right).filter(|place| place.position > first.position).collect();
    let count = trail.places.iter().filter(wrong).count();
    let mut parts = Vec::new();
    if !before.is_empty() {
        parts.push(format!("right in {}", named(&before)));
    }
    let name = name(first);
    let of = count_of(trail.artefacts, "artefact");
    parts.push(match count {
        1 => format!("wrong in {name} alone ({of})"),
        _ => format!("wrong from {name} on ({count} of {of})"),
    });
    if !after.is_empty() {
        parts.push(format!("right again in {}", named(&after)));
    }
    if trail.left_out > 0 {
        parts.push(format!("{} more speak of it", trail.left_out));
    }
    parts.join("; ")
}

fn name(place: &TrailPlace) -> String {
    line(&place.span.file, NAME_CHARS_MAX)
}

/// The first names, and how many there are besides.
fn named(places: &[&TrailPlace]) -> String {
    let names: Vec<String> = places.iter().take(NAMED_MAX).map(|place| name(place)).collect();
    let more = places.len().saturating_sub(NAMED_MAX);
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}

/// The trail as a picture: a lane for what was asked and one for what is wrong, the artefacts from left to right. `id` is the page's only one.
pub(crate) fn picture(trail: &Trail, id: &str) -> String {
    let count = trail.artefacts.max(1) as f64;
    let step = ((WIDTH - LEFT) / count).min(CELL_MAX);
    let cell = (step - 2.0).max(CELL_MIN);
    let (upper, lower) = (0.0, LANE + GAP);
    let height = 2.0 * LANE + GAP + 18.0;
    let title = "Through the run";
    let mut svg = Svg::new(id, "trail-of", (WIDTH, height), title, &sentence(trail));
    for (label, top) in [("as asked", upper), ("wrong", lower)] {
        svg.text("lane", Anchor::End, (LEFT - 8.0, top + LANE - 2.0), label);
        svg.rect("track", (LEFT, top), (step * count, LANE));
    }
    let left = |place: &TrailPlace| (LEFT + place.position.saturating_sub(1) as f64 * step).min(WIDTH - cell);
    for place in &trail.places {
        if place.stand != Stand::Wrong {
            svg.rect("level", (left(place), upper), (cell, LANE));
        }
        if place.stand != Stand::Right {
            svg.rect("wrong", (left(place), lower), (cell, LANE));
        }
    }
    if let Some(first) = trail.places.iter().find(|place| place.stand != Stand::Right) {
        let x = left(first);
        let anchor = if x > WIDTH / 2.0 { Anchor::End } else { Anchor::Start };
        let at = if x > WIDTH / 2.0 { x + cell } else { x };
        svg.text("lane", anchor, (at, height - 4.0), &format!("first wrong in {}", name(first)));
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use steadfast_wire::Span;

    use super::*;

    fn trail(artefacts: usize, places: &[(usize, Stand)]) -> Trail {
        let places = places.iter().map(|(position, stand)| TrailPlace {
            position: *position,
            stand: *stand,
            span: Span { file: format!("{position:03}.md"), ..Span::default() },
        });
        Trail { artefacts, last_right_in: None, places: places.collect(), left_out: 0 }
    }

    #[test]
    fn a_trail_is_one_sentence() {
        use Stand::{Both, Right, Wrong};
        for (places, expect) in [
            (&[(3, Wrong)][..], "wrong in 003.md alone (9 artefacts)"),
            (&[(1, Right), (3, Wrong)], "right in 001.md; wrong in 003.md alone (9 artefacts)"),
            (
                &[(1, Right), (2, Right), (3, Both), (5, Wrong), (7, Right)],
                "right in 001.md, 002.md; wrong from 003.md on (2 of 9 artefacts); right again in 007.md",
            ),
            (
                &[(1, Right), (2, Right), (3, Right), (4, Right), (5, Wrong)],
                "right in 001.md, 002.md, 003.md and 1 more; wrong in 005.md alone (9 artefacts)",
            ),
            (&[], ""),
        ] {
            assert_eq!(sentence(&trail(9, places)), expect);
        }
    }

    #[test]
    fn a_picture_has_a_cell_for_what_speaks_and_none_for_what_is_silent() {
        let svg = picture(&trail(40, &[(4, Stand::Right), (7, Stand::Both), (9, Stand::Wrong)]), "t");
        let cells = |class: &str| svg.matches(&format!("<rect class=\"{class}\"")).count();
        assert_eq!((cells("track"), cells("level"), cells("wrong")), (2, 2, 2));
        assert!(svg.contains("first wrong in 007.md") && svg.contains("id=\"t-d\""), "{svg}");
        // However long the run is, it fits.
        let long = picture(&trail(10_000, &[(10_000, Stand::Wrong)]), "t");
        assert!(long.contains("x=\"717\""), "{long}");
    }
}
