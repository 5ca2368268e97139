//! Long series made short: stretches of positions, and what stands for each.

use std::ops::Range;

/// The positions 0 to `count` − 1 in at most `stretches_max` stretches of one length, give or take one.
pub(crate) fn stretches(count: usize, stretches_max: usize) -> impl Iterator<Item = Range<usize>> {
    let stretches = count.min(stretches_max.max(1));
    (0..stretches).map(move |at| at * count / stretches..(at + 1) * count / stretches)
}

/// The position within a stretch that has the highest value, the first among equals.
pub(crate) fn highest(stretch: Range<usize>, value: impl Fn(usize) -> Option<f64>) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for at in stretch {
        if let Some(own) = value(at)
            && best.is_none_or(|(_, highest)| own > highest)
        {
            best = Some((at, own));
        }
    }
    best.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::{highest, stretches};

    #[test]
    fn stretches_hold_every_position_once() {
        for count in [0, 1, 2, 7, 59, 60, 61, 119, 120, 5_000] {
            for stretches_max in [0, 1, 7, 60] {
                let all: Vec<_> = stretches(count, stretches_max).collect();
                assert!(all.len() <= stretches_max.max(1));
                assert!(all.iter().all(|stretch| !stretch.is_empty()));
                assert_eq!(all.into_iter().flatten().collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn the_first_of_the_highest_stands_for_a_stretch() {
        let values = [None, Some(0.2), Some(0.9), Some(0.9), None];
        assert_eq!(highest(0..5, |at| values[at]), Some(2));
        assert_eq!(highest(0..1, |at| values[at]), None);
        assert_eq!(highest(2..2, |at| values[at]), None);
    }
}
