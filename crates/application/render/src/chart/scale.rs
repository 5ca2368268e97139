//! From values to places.

/// A linear scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    from: f64,
    until: f64,
    start: f64,
    end: f64,
}

impl Scale {
    /// The scale that puts `from` at `start` and `until` at `end`.
    pub(crate) const fn new((from, until): (f64, f64), (start, end): (f64, f64)) -> Self {
        Self { from, until, start, end }
    }

    /// Where a value stands; values outside the scale stand at its nearer end. A scale without extent has one place, its middle.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = if self.until > self.from { (value - self.from) / (self.until - self.from) } else { 0.5 };
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }
}

/// Positions 0 to `count` − 1 at which an axis of steps names a number: multiples of 1, 2 or 5 times a power of ten, at most
/// `ticks_max` of them.
pub(crate) fn step_ticks(count: usize, ticks_max: usize) -> Vec<usize> {
    let mut every = 1_usize;
    let mut next = [2, 5, 10].into_iter().cycle();
    let mut power = 1;
    while count.div_ceil(every) > ticks_max.max(1) {
        let factor = next.next().unwrap_or(10);
        every = factor * power;
        if factor == 10 {
            power *= 10;
        }
    }
    (0..count).step_by(every).collect()
}

/// A tick of a scale from 0 to 1, without needless zeros.
pub(crate) fn tick_label(value: f64) -> String {
    let text = format!("{value:.2}");
    let trimmed = text.trim_end_matches('0').trim_end_matches('.');
    trimmed.to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Scale, step_ticks, tick_label};

    #[test]
    fn values_stand_within_their_scale() {
        let scale = Scale::new((0.0, 1.0), (100.0, 0.0));
        for (value, place) in [(0.0, 100.0), (1.0, 0.0), (0.25, 75.0), (-3.0, 100.0), (7.0, 0.0)] {
            assert!((scale.at(value) - place).abs() < 1e-12, "{value}");
        }
        assert!((Scale::new((0.0, 0.0), (10.0, 20.0)).at(0.0) - 15.0).abs() < 1e-12);
    }

    #[test]
    fn steps_are_named_at_round_numbers() {
        assert_eq!(step_ticks(0, 5), [0; 0]);
        assert_eq!(step_ticks(1, 5), [0]);
        assert_eq!(step_ticks(5, 5), [0, 1, 2, 3, 4]);
        assert_eq!(step_ticks(6, 5), [0, 2, 4]);
        assert_eq!(step_ticks(20, 5), [0, 5, 10, 15]);
        assert_eq!(step_ticks(5_000, 5), [0, 1_000, 2_000, 3_000, 4_000]);
        for count in 0..3_000 {
            assert!(step_ticks(count, 8).len() <= 8);
        }
    }

    #[test]
    fn ticks_have_no_needless_zeros() {
        let labels = [0.0, 0.25, 0.5, 0.75, 1.0].map(tick_label);
        assert_eq!(labels, ["0", "0.25", "0.5", "0.75", "1"]);
    }
}
