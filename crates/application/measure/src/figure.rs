//! Figures from counts, with intervals.

use steadfast_wire::measure::Figure;

use crate::Row;

/// How a metric follows from summed counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// First over second: accuracy (right, all), F1 over spans (twice the hits, found and wanted).
    Ratio,
    /// The first alone: how many.
    Sum,
    /// The mean of two ratios, first over second and third over fourth: balanced accuracy (true positives, positives, true
    /// negatives, negatives).
    Balanced,
}

impl Statistic {
    /// How many counts it has.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Self::Sum => 1,
            Self::Ratio => 2,
            Self::Balanced => 4,
        }
    }

    /// The value; `None` where a denominator is nought.
    #[must_use]
    pub fn of(self, counts: [f64; 4]) -> Option<f64> {
        let ratio = |over: f64, under: f64| (under > 0.0).then_some(over / under);
        match self {
            Self::Ratio => ratio(counts[0], counts[1]),
            Self::Sum => Some(counts[0]),
            Self::Balanced => Some(f64::midpoint(ratio(counts[0], counts[1])?, ratio(counts[2], counts[3])?)),
        }
    }
}

/// A metric of a set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    /// Its name, unique in the set.
    pub name: &'static str,
    /// How it follows from the counts.
    pub statistic: Statistic,
    /// What a few lines of rules reach on the whole set, where somebody measured it.
    pub floor: Option<f64>,
    /// What others report.
    pub published: Option<f64>,
}

/// Resamples of the bootstrap.
pub const BOOTSTRAP_RESAMPLES: usize = 1_000;
/// The 95 % interval leaves out this share on either side.
const TAIL: f64 = 0.025;

/// The figure of one metric over rows.
pub(crate) fn figure(set: &str, metric: &Metric, index: usize, rows: &[Row]) -> Figure {
    let counted: Vec<([f64; 4], bool)> = rows
        .iter()
        .flat_map(|row| row.counts.iter().filter(|it| it.metric == index).map(|it| (it.counts, row.tuned)))
        .collect();
    let value = |part: &dyn Fn(bool) -> bool| {
        let of_part = counted.iter().filter(|(_, tuned)| part(*tuned)).map(|(counts, _)| *counts);
        let mut any = of_part.clone().peekable();
        any.peek().is_some().then(|| metric.statistic.of(sum(of_part))).flatten()
    };
    Figure {
        set: set.to_owned(),
        metric: metric.name.to_owned(),
        value: value(&|_| true),
        ci95: interval(metric.statistic, &counted),
        n: counted.len(),
        floor: metric.floor,
        published: metric.published,
        tuned: value(&|tuned| tuned),
        kept: value(&|tuned| !tuned),
    }
}

fn sum(counts: impl Iterator<Item = [f64; 4]>) -> [f64; 4] {
    counts.fold([0.0; 4], |mut sum, counts| {
        for (sum, count) in sum.iter_mut().zip(counts) {
            *sum += count;
        }
        sum
    })
}

/// The percentile bootstrap over rows (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 13): the same rows give the
/// same interval.
fn interval(statistic: Statistic, counted: &[([f64; 4], bool)]) -> Option<[f64; 2]> {
    if counted.len() < 2 {
        return None;
    }
    let mut random = SplitMix(0x5EED);
    let mut values: Vec<f64> = (0..BOOTSTRAP_RESAMPLES)
        .filter_map(|_| {
            let resampled = (0..counted.len()).map(|_| counted[random.below(counted.len())].0);
            statistic.of(sum(resampled))
        })
        .collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = (share * (values.len() as f64 - 1.0)).round();
        values.get(place as usize).copied()
    };
    Some([at(TAIL)?, at(1.0 - TAIL)?])
}

/// `SplitMix64` (Steele, Lea and Flood 2014): small, and the same everywhere.
pub(crate) struct SplitMix(u64);

impl SplitMix {
    /// The same seed gives the same numbers.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; the bias is below 2^-32 for any set that fits in memory.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{Metric, Statistic, figure};
    use crate::{Count, Row};

    fn rows(right: usize, all: usize) -> Vec<Row> {
        (0..all)
            .map(|at| Row {
                id: at.to_string(),
                prediction: String::new(),
                score: None,
                label: String::new(),
                tuned: at % 2 == 0,
                counts: vec![Count { metric: 0, counts: [if at < right { 1.0 } else { 0.0 }, 1.0, 0.0, 0.0] }],
            })
            .collect()
    }

    const ACCURACY: Metric = Metric { name: "accuracy", statistic: Statistic::Ratio, floor: None, published: None };

    #[test]
    fn a_figure_is_the_ratio_of_sums_with_its_interval() {
        let figure = figure("any", &ACCURACY, 0, &rows(75, 100));
        assert_eq!((figure.value, figure.n, figure.tuned, figure.kept), (Some(0.75), 100, Some(0.76), Some(0.74)));
        let [low, high] = figure.ci95.unwrap_or_default();
        assert!((0.64..0.70).contains(&low) && (0.80..0.86).contains(&high), "{low} {high}");
    }

    #[test]
    fn nothing_to_count_is_no_figure() {
        let figure = figure("any", &ACCURACY, 0, &[]);
        assert_eq!((figure.value, figure.ci95, figure.n), (None, None, 0));
    }

    #[test]
    fn statistics() {
        assert_eq!(Statistic::Balanced.of([3.0, 4.0, 1.0, 2.0]), Some(0.625));
        assert_eq!(Statistic::Balanced.of([3.0, 4.0, 0.0, 0.0]), None);
        assert_eq!(Statistic::Sum.of([7.0, 0.0, 0.0, 0.0]), Some(7.0));
        assert_eq!(Statistic::Ratio.of([1.0, 0.0, 0.0, 0.0]), None);
    }
}
