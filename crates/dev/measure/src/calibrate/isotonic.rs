//! Isotonic regression: the curve that never falls and is nearest to what was seen.

/// Points of a confidence curve that is written to a file, at most.
pub const CURVE_POINTS: usize = 12;

/// What was seen at a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The score.
    pub score: f64,
    /// What came of it, 0 to 1.
    pub worth: f64,
    /// How much it counts.
    pub weight: f64,
}

/// A stretch of scores with one value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// The mean score.
    pub score: f64,
    /// The value.
    pub value: f64,
    /// What it weighs.
    pub weight: f64,
}

impl Block {
    fn with(self, other: Self) -> Self {
        let weight = self.weight + other.weight;
        let mean = |a: f64, b: f64| (a * self.weight + b * other.weight) / weight;
        Self { score: mean(self.score, other.score), value: mean(self.value, other.value), weight }
    }

    /// How much the squared error grows where both become one (Ward 1963).
    fn cost(self, other: Self) -> f64 {
        self.weight * other.weight / (self.weight + other.weight) * (self.value - other.value).powi(2)
    }
}

/// The weighted least squares fit among all curves that do not fall, by pooling neighbours that do (Ayer, Brunk, Ewing, Reid and Silverman 1955):
/// stretches of one value, by rising score and value. What was seen at one score is one point. Time is `n log n`.
#[must_use]
pub fn isotonic(seen: &[Seen]) -> Vec<Block> {
    let mut sorted: Vec<Seen> = seen.iter().copied().filter(|it| it.weight > 0.0 && it.score.is_finite()).collect();
    sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
    let mut blocks: Vec<Block> = Vec::new();
    for equal in sorted.chunk_by(|a, b| a.score == b.score) {
        let weight: f64 = equal.iter().map(|it| it.weight).sum();
        let value = equal.iter().map(|it| it.worth * it.weight).sum::<f64>() / weight;
        let mut last = Block { score: equal[0].score, value, weight };
        while let Some(before) = blocks.pop_if(|before| before.value >= last.value) {
            last = before.with(last);
        }
        blocks.push(last);
    }
    blocks
}

/// The same as a curve of at most [`CURVE_POINTS`] points, in four decimals: of neighbours those become one that cost least.
#[must_use]
pub fn curve(seen: &[Seen]) -> Vec<(f64, f64)> {
    let mut blocks = isotonic(seen);
    while blocks.len() > CURVE_POINTS {
        let costs = blocks.windows(2).map(|pair| pair[0].cost(pair[1]));
        let least = costs.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(at, _)| at);
        let next = blocks.remove(least + 1);
        blocks[least] = blocks[least].with(next);
    }
    let rounded = |value: f64| (value * 1e4).round() / 1e4;
    let mut points: Vec<(f64, f64)> = blocks.iter().map(|it| (rounded(it.score), rounded(it.value))).collect();
    points.dedup_by(|next, before| next.0 <= before.0);
    points
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seen(all: &[(f64, f64, f64)]) -> Vec<Seen> {
        all.iter().map(|(score, worth, weight)| Seen { score: *score, worth: *worth, weight: *weight }).collect()
    }

    /// Pools neighbours one pair at a time, from the start again after each, and gives a value for every point.
    fn naive(all: &[Seen]) -> Vec<f64> {
        let mut sorted = all.to_vec();
        sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
        let mut pools: Vec<Vec<Seen>> = sorted.chunk_by(|a, b| a.score == b.score).map(<[Seen]>::to_vec).collect();
        let value = |pool: &[Seen]| {
            pool.iter().map(|it| it.worth * it.weight).sum::<f64>() / pool.iter().map(|it| it.weight).sum::<f64>()
        };
        while let Some(at) = pools.windows(2).position(|pair| value(&pair[0]) > value(&pair[1])) {
            let next = pools.remove(at + 1);
            pools[at].extend(next);
        }
        pools.iter().flat_map(|pool| vec![value(pool); pool.len()]).collect()
    }

    #[test]
    fn by_hand() {
        let blocks = isotonic(&seen(&[(0.1, 0.0, 1.0), (0.2, 1.0, 1.0), (0.3, 0.0, 1.0), (0.4, 1.0, 1.0)]));
        let told: Vec<(f64, f64)> = blocks.iter().map(|it| (it.score, it.value)).collect();
        assert_eq!(told, [(0.1, 0.0), (0.25, 0.5), (0.4, 1.0)]);
        assert_eq!(isotonic(&[]), []);
        assert_eq!(curve(&seen(&[(0.5, 1.0, 3.0), (0.5, 0.0, 1.0)])), [(0.5, 0.75)]);
    }

    proptest! {
        #[test]
        fn it_is_what_pooling_pair_by_pair_gives_and_never_falls(
            all in prop::collection::vec((0..20_u8, 0.0..1.0_f64, 0.1..3.0_f64), 0..60)
        ) {
            let all = seen(&all.iter().map(|it| (f64::from(it.0) / 20.0, it.1, it.2)).collect::<Vec<_>>());
            let blocks = isotonic(&all);
            prop_assert!(blocks.windows(2).all(|pair| pair[0].value < pair[1].value && pair[0].score < pair[1].score));
            let wanted = naive(&all);
            let mut sorted = all.clone();
            sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
            // A point's stretch: weights are used up in order.
            let (mut at, mut left) = (0, blocks.first().map_or(0.0, |it| it.weight));
            for (point, wanted) in sorted.iter().zip(wanted) {
                if left < 1e-9 {
                    at += 1;
                    left = blocks[at].weight;
                }
                prop_assert!((blocks[at].value - wanted).abs() < 1e-9, "{} {}", blocks[at].value, wanted);
                left -= point.weight;
            }
            let points = curve(&all);
            prop_assert!(points.len() <= CURVE_POINTS);
            prop_assert!(points.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1));
        }
    }
}
