//! Charts as SVG and as lines of text: scales, ticks, lines with gaps, bands, marks. No plotting crate: the same values give the
//! same bytes, and nothing of a chart rests on its colour alone.

mod scale;
mod sparkline;
mod stretches;
mod svg;

pub(crate) use scale::{Scale, step_ticks, tick_label};
pub(crate) use sparkline::{Sparkline, bar};
pub(crate) use stretches::{highest, stretches};
pub(crate) use svg::{Anchor, Frame, Mark, Svg};
