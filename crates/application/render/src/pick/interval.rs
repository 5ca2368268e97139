//! A share with its interval, as a small picture beside its numbers.

use crate::chart::{Mark, Scale, Svg};

/// Width and height of the picture in its own units.
const SIZE: (f64, f64) = (160.0, 18.0);

/// A share and its interval on a line from 0 to 1; empty where there is neither. The numbers have to stand beside it.
#[must_use]
pub fn interval(share: Option<f64>, interval: Option<[f64; 2]>) -> String {
    let (Some(share), Some([lo, hi])) = (share, interval) else { return String::new() };
    if ![share, lo, hi].iter().all(|value| value.is_finite()) {
        return String::new();
    }
    let along = Scale::new((0.0, 1.0), (6.0, SIZE.0 - 6.0));
    let middle = SIZE.1 / 2.0;
    let mut svg = Svg::ornament("interval", SIZE);
    svg.line("grid", (along.at(0.0), middle), (along.at(1.0), middle));
    svg.line("ids", (along.at(lo.clamp(0.0, 1.0)), middle), (along.at(hi.clamp(0.0, 1.0)), middle));
    svg.mark("ids-mark", Mark::Circle, (along.at(share.clamp(0.0, 1.0)), middle), "");
    svg.finish()
}
