//! Figures from counts, with intervals.

use std::collections::HashMap;

use steadfast_engine::SplitMix;
use steadfast_wire::measure::Figure;

use crate::{Row, metrics};

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
    /// The mean of [`Statistic::Balanced`] over classes: counts are whether yes was told, whether yes is right, and the class. A class of
    /// which one side is not there has no part in it.
    MacroBalanced,
    /// The area under the ROC curve: counts are a score and whether the row is positive. It is the share of pairs of a positive and a
    /// negative row in which the positive one has the higher score, equal scores counting half (the statistic of Mann and Whitney 1947
    /// over the number of pairs).
    Auc,
    /// As [`Statistic::Auc`] of rows of which some have no score: a third count says whether there is one, and a pair in which one is missing
    /// counts half.
    AucOrHalf,
    /// Spearman's rank correlation of two values (the correlation of their ranks, equal values sharing the mean of theirs).
    Spearman,
    /// The median of the first count; of an even number of rows the mean of the two in the middle.
    Median,
}

impl Statistic {
    /// How many counts it has.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Self::Sum | Self::Median => 1,
            Self::Ratio | Self::Auc | Self::Spearman => 2,
            Self::MacroBalanced | Self::AucOrHalf => 3,
            Self::Balanced => 4,
        }
    }

    /// The value over the counts of rows; `None` where there is no row, and where a denominator is nought: for an area where all rows or
    /// none are positive.
    #[must_use]
    pub fn over(self, rows: &[[f64; 4]]) -> Option<f64> {
        if rows.is_empty() {
            return None;
        }
        let pairs = || rows.iter().map(|counts| (counts[0], counts[1])).collect::<Vec<_>>();
        match self {
            Self::Auc => metrics::auc(&rows.iter().map(|counts| (counts[0], counts[1] > 0.0)).collect::<Vec<_>>()),
            Self::AucOrHalf => auc_or_half(rows),
            Self::Median => metrics::median(&rows.iter().map(|counts| counts[0]).collect::<Vec<_>>()),
            Self::Spearman => metrics::spearman(&pairs()),
            Self::MacroBalanced => macro_balanced(rows),
            Self::Ratio | Self::Sum | Self::Balanced => self.of(sum(rows)),
        }
    }

    /// The value of summed counts.
    fn of(self, counts: [f64; 4]) -> Option<f64> {
        let ratio = |over: f64, under: f64| (under > 0.0).then_some(over / under);
        match self {
            Self::Ratio => ratio(counts[0], counts[1]),
            Self::Sum | Self::Auc | Self::AucOrHalf | Self::Median | Self::Spearman | Self::MacroBalanced => {
                Some(counts[0])
            }
            Self::Balanced => Some(f64::midpoint(ratio(counts[0], counts[1])?, ratio(counts[2], counts[3])?)),
        }
    }
}

/// The area of rows of which some have no score. `None` where all rows or none are positive.
fn auc_or_half(rows: &[[f64; 4]]) -> Option<f64> {
    let pairs = |of: &[(f64, bool)]| {
        let positive = of.iter().filter(|(_, positive)| *positive).count();
        (positive * (of.len() - positive)) as f64
    };
    let paired = |counts: &[f64; 4]| (counts[0], counts[1] > 0.0);
    let all: Vec<(f64, bool)> = rows.iter().map(paired).collect();
    let scored: Vec<(f64, bool)> = rows.iter().filter(|counts| counts[2] > 0.0).map(paired).collect();
    let (of_all, of_scored) = (pairs(&all), pairs(&scored));
    let right = metrics::auc(&scored).unwrap_or_default() * of_scored + (of_all - of_scored) / 2.0;
    (of_all > 0.0).then(|| right / of_all)
}

/// The mean over classes of balanced accuracy.
fn macro_balanced(rows: &[[f64; 4]]) -> Option<f64> {
    let mut classes: Vec<[f64; 4]> = Vec::new();
    for [told, right, class, _] in rows {
        let class = *class as usize;
        if classes.len() <= class {
            classes.resize(class + 1, [0.0; 4]);
        }
        let first = if *right > 0.0 { 0 } else { 2 };
        classes[class][first] += f64::from(u8::from((*told > 0.0) == (*right > 0.0)));
        classes[class][first + 1] += 1.0;
    }
    let values: Vec<f64> = classes.into_iter().filter_map(|counts| Statistic::Balanced.of(counts)).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
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

/// What one row counts for one metric.
struct Counted {
    counts: [f64; 4],
    tuned: bool,
    group: Option<usize>,
}

/// The figure of one metric over rows.
pub(crate) fn figure(set: &str, metric: &Metric, rows: &[Row]) -> Figure {
    let counted: Vec<Counted> = rows
        .iter()
        .flat_map(|row| {
            let own = row.counts.iter().filter(|it| it.metric == metric.name);
            own.map(|it| Counted { counts: it.counts, tuned: row.tuned, group: row.group })
        })
        .collect();
    let value = |part: &dyn Fn(bool) -> bool| {
        let of_part: Vec<[f64; 4]> = counted.iter().filter(|it| part(it.tuned)).map(|it| it.counts).collect();
        metric.statistic.over(&of_part)
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

fn sum(rows: &[[f64; 4]]) -> [f64; 4] {
    rows.iter().fold([0.0; 4], |mut sum, counts| {
        for (sum, count) in sum.iter_mut().zip(counts) {
            *sum += count;
        }
        sum
    })
}

/// Rows that are drawn together, in the order in which their groups begin.
fn groups(counted: &[Counted]) -> Vec<Vec<[f64; 4]>> {
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut groups: Vec<Vec<[f64; 4]>> = Vec::new();
    for it in counted {
        let place = it.group.map_or(groups.len(), |group| *places.entry(group).or_insert(groups.len()));
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(it.counts);
    }
    groups
}

/// The percentile bootstrap over rows, or over groups of rows that hang together (Efron and Tibshirani, An Introduction to the
/// Bootstrap, chapters 8 and 13): the same rows give the same interval.
fn interval(statistic: Statistic, counted: &[Counted]) -> Option<[f64; 2]> {
    let groups = groups(counted);
    if groups.len() < 2 {
        return None;
    }
    let mut random = SplitMix::new(0x5EED);
    let mut resampled = Vec::with_capacity(counted.len());
    let mut values: Vec<f64> = (0..BOOTSTRAP_RESAMPLES)
        .filter_map(|_| {
            resampled.clear();
            for _ in 0..groups.len() {
                resampled.extend_from_slice(&groups[random.below(groups.len())]);
            }
            statistic.over(&resampled)
        })
        .collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = (share * (values.len() as f64 - 1.0)).round();
        values.get(place as usize).copied()
    };
    Some([at(TAIL)?, at(1.0 - TAIL)?])
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
                group: None,
                counts: vec![Count { metric: "accuracy", counts: [if at < right { 1.0 } else { 0.0 }, 1.0, 0.0, 0.0] }],
            })
            .collect()
    }

    const ACCURACY: Metric = Metric { name: "accuracy", statistic: Statistic::Ratio, floor: None, published: None };

    #[test]
    fn a_figure_is_the_ratio_of_sums_with_its_interval() {
        let figure = figure("any", &ACCURACY, &rows(75, 100));
        assert_eq!((figure.value, figure.n, figure.tuned, figure.kept), (Some(0.75), 100, Some(0.76), Some(0.74)));
        let [low, high] = figure.ci95.unwrap_or_default();
        assert!((0.64..0.70).contains(&low) && (0.80..0.86).contains(&high), "{low} {high}");
    }

    #[test]
    fn nothing_to_count_is_no_figure() {
        let figure = figure("any", &ACCURACY, &[]);
        assert_eq!((figure.value, figure.ci95, figure.n), (None, None, 0));
    }

    #[test]
    fn statistics() {
        let check = |statistic: Statistic, rows: &[[f64; 4]], expect: Option<f64>| {
            assert_eq!(statistic.over(rows), expect, "{statistic:?} of {rows:?}");
        };
        check(Statistic::Balanced, &[[3.0, 4.0, 1.0, 2.0]], Some(0.625));
        check(Statistic::Balanced, &[[3.0, 4.0, 0.0, 0.0]], None);
        check(Statistic::Sum, &[[3.0, 0.0, 0.0, 0.0], [4.0, 0.0, 0.0, 0.0]], Some(7.0));
        check(Statistic::Sum, &[], None);
        check(Statistic::Ratio, &[[1.0, 0.0, 0.0, 0.0]], None);
        // One class half right on either side, one all right, one without a positive row.
        let classes = [
            [1.0, 1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0],
            [1.0, 1.0, 2.0, 0.0],
            [0.0, 0.0, 2.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ];
        check(Statistic::MacroBalanced, &classes, Some(0.75));
        check(Statistic::MacroBalanced, &classes[6..], None);
        let values = |values: &[f64]| values.iter().map(|it| [*it, 0.0, 0.0, 0.0]).collect::<Vec<_>>();
        check(Statistic::Median, &values(&[5.0, 1.0, 3.0]), Some(3.0));
        check(Statistic::Median, &values(&[5.0, 1.0, 3.0, 4.0]), Some(3.5));
        check(Statistic::Median, &[], None);
    }

    #[test]
    fn an_area_is_the_share_of_pairs_in_the_right_order() {
        let check = |positives: &[f64], negatives: &[f64], expect: Option<f64>| {
            let of =
                |scores: &[f64], positive: f64| scores.iter().map(|it| [*it, positive, 0.0, 0.0]).collect::<Vec<_>>();
            let rows = [of(positives, 1.0), of(negatives, 0.0)].concat();
            assert_eq!(Statistic::Auc.over(&rows), expect, "{positives:?} over {negatives:?}");
        };
        check(&[0.9, 0.8], &[0.1, 0.2, 0.3], Some(1.0));
        check(&[0.1], &[0.2, 0.3], Some(0.0));
        check(&[0.5, 0.5], &[0.5], Some(0.5));
        // Pairs: .4 over .3 and under .6, .7 over both: three of four.
        check(&[0.4, 0.7], &[0.3, 0.6], Some(0.75));
        // .4 is level with .4 and over .3, .2 is under both: one and a half of four.
        check(&[0.4, 0.2], &[0.4, 0.3], Some(0.375));
        check(&[0.4], &[], None);
        check(&[], &[0.4], None);
    }

    #[test]
    fn a_row_without_a_score_is_half_right() {
        let check = |rows: &[[f64; 4]], expect: Option<f64>| {
            assert_eq!(Statistic::AucOrHalf.over(rows), expect, "{rows:?}");
        };
        let (high, low) = ([4.0, 1.0, 1.0, 0.0], [2.0, 0.0, 1.0, 0.0]);
        let (no_positive, no_negative) = ([0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]);
        check(&[high, low], Some(1.0));
        // One pair right, one half.
        check(&[high, no_positive, low], Some(0.75));
        // One pair right, three half.
        check(&[high, no_positive, low, no_negative], Some(0.625));
        check(&[no_positive, low], Some(0.5));
        check(&[high, no_positive], None);
    }

    #[test]
    fn rank_correlation() {
        let check = |pairs: &[(f64, f64)], expect: Option<f64>| {
            let rows: Vec<_> = pairs.iter().map(|(one, other)| [*one, *other, 0.0, 0.0]).collect();
            let value = Statistic::Spearman.over(&rows);
            assert_eq!(
                value.map(|value| (value * 1e9).round()),
                expect.map(|value| (value * 1e9).round()),
                "{pairs:?}"
            );
        };
        check(&[(1.0, 10.0), (2.0, 100.0), (3.0, 1000.0)], Some(1.0));
        check(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)], Some(-1.0));
        // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 · 5).
        check(&[(1.0, 1.0), (2.0, 2.0), (2.0, 3.0), (5.0, 4.0)], Some(4.5 / (4.5_f64 * 5.0).sqrt()));
        check(&[(1.0, 1.0), (1.0, 2.0)], None);
        check(&[], None);
    }

    #[test]
    fn rows_that_hang_together_are_drawn_together() {
        // Two runs, one all right, one all wrong: an interval over rows would be narrow, over runs it is everything.
        let mut of_two = rows(50, 100);
        let apart = figure("any", &ACCURACY, &of_two).ci95.unwrap_or_default();
        assert!(apart[0] > 0.35 && apart[1] < 0.65, "{apart:?}");
        for (at, row) in of_two.iter_mut().enumerate() {
            row.group = Some(at / 50);
        }
        assert_eq!(figure("any", &ACCURACY, &of_two).ci95, Some([0.0, 1.0]));
    }
}
