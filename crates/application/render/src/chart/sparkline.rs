//! A series as one line of text.

use super::{highest, stretches};

const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// What stands where nothing was scored.
const NOTHING: char = '·';

/// A series on the fixed scale from 0 to 1, a character for a position or, where it is long, for a stretch of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sparkline {
    /// The characters.
    pub(crate) cells: String,
    count: usize,
    width: usize,
}

impl Sparkline {
    /// Draws `values` in at most `width_max` characters; of a stretch its highest value.
    pub(crate) fn new(values: &[Option<f64>], width_max: usize) -> Self {
        let cells: String = stretches(values.len(), width_max)
            .map(|stretch| highest(stretch, |at| values[at]).and_then(|at| values[at]).map_or(NOTHING, level))
            .collect();
        let width = cells.chars().count();
        Self { cells, count: values.len(), width }
    }

    /// The character that a position is drawn in, counted from 0.
    pub(crate) fn cell_of(&self, position: usize) -> usize {
        if self.count == 0 { 0 } else { ((position + 1) * self.width).div_ceil(self.count) - 1 }
    }

    /// How many positions a character stands for at most.
    pub(crate) fn positions_per_cell(&self) -> usize {
        self.count.div_ceil(self.width.max(1))
    }
}

fn level(value: f64) -> char {
    LEVELS[((value.clamp(0.0, 1.0) * 8.0) as usize).min(7)]
}

/// A value from 0 to 1 as a bar of always `cells` characters.
pub(crate) fn bar(value: Option<f64>, cells: usize) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let Some(value) = value else { return NOTHING.to_string() + &" ".repeat(cells.saturating_sub(1)) };
    let eighths = (value.clamp(0.0, 1.0) * (cells * 8) as f64).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    if eighths / 8 < cells {
        bar.push(EIGHTHS[eighths % 8]);
        bar.push_str(&" ".repeat(cells - eighths / 8 - 1));
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::{Sparkline, bar};

    #[track_caller]
    fn drawn(values: &[Option<f64>], width_max: usize, expect: &str) {
        assert_eq!(Sparkline::new(values, width_max).cells, expect);
    }

    #[test]
    fn the_scale_is_fixed() {
        drawn(&[], 10, "");
        drawn(&[Some(0.0)], 10, "▁");
        drawn(&[Some(1.0)], 10, "█");
        drawn(&[None], 10, "·");
        drawn(&[None; 30], 10, "··········");
        drawn(&[0.0, 0.124, 0.125, 0.25, 0.5, 0.874, 0.875, 1.0].map(Some), 8, "▁▁▂▃▅▇██");
        drawn(&[Some(-1.0), Some(7.0), Some(f64::NAN)], 8, "▁█▁");
        drawn(&[Some(0.4), None, Some(0.4)], 8, "▄·▄");
        drawn(&[Some(0.4)], 0, "▄");
    }

    #[test]
    fn of_a_stretch_the_highest_is_shown() {
        drawn(&[Some(0.1), Some(0.9), Some(0.1), None], 2, "█▁");
        drawn(&[None, None, Some(0.5), None], 2, "·▅");
        let mut long = [Some(0.0); 5_000];
        long[4_321] = Some(1.0);
        let line = Sparkline::new(&long, 60);
        assert_eq!(line.cells.chars().position(|cell| cell == '█'), Some(line.cell_of(4_321)));
        assert_eq!(line.positions_per_cell(), 84);
    }

    #[test]
    fn every_position_has_its_cell() {
        for count in [1, 2, 3, 59, 60, 61, 100, 119, 121, 601] {
            let line = Sparkline::new(&vec![Some(0.5); count], 60);
            for (cell, stretch) in super::stretches(count, 60).enumerate() {
                assert!(stretch.clone().all(|at| line.cell_of(at) == cell), "{count}: {stretch:?}");
            }
        }
        assert_eq!(Sparkline::new(&[], 60).cell_of(3), 0);
    }

    #[test]
    fn a_bar_has_always_one_width() {
        for (value, expect) in [
            (None, "·   "),
            (Some(0.0), "    "),
            (Some(0.5), "██  "),
            (Some(0.53), "██▏ "),
            (Some(0.99), "████"),
            (Some(1.0), "████"),
            (Some(9.0), "████"),
        ] {
            assert_eq!(bar(value, 4), expect, "{value:?}");
        }
    }
}
