//! Fitting by Newton's method: logistic regression over several classes, and least squares, both with a ridge; and logistic regression whose
//! coefficients keep to given signs.
//!
//! Rows of the first two are the features that they have (each 0 or 1), so that a sum over rows touches only those. The same rows give the same
//! bits.

/// What every row has, beside its features; it bears no ridge to speak of.
const CONSTANT_RIDGE: f64 = 1e-6;
/// Newton's steps, at most. A well-posed fit takes fewer than ten.
const STEPS_MAX: usize = 50;
/// A step that moves no coefficient by more than this is the last.
const CONVERGED: f64 = 1e-9;
/// Halvings of a step that would make things worse, at most.
const HALVINGS_MAX: usize = 30;

/// Sweeps over the coefficients within one step, at most, where signs are given.
const SWEEPS_MAX: usize = 20_000;
/// A sweep that moves no coefficient by more than this is the last.
const SWEPT: f64 = 1e-12;

/// A row: the features that it has, ascending, and what it weighs.
#[derive(Clone, Debug, PartialEq)]
pub struct FitRow {
    /// Which features it has.
    pub has: Vec<usize>,
    /// What it weighs.
    pub weight: f64,
}

/// The coefficients of `K` classes: for each feature, then for what every row has, one a class.
///
/// Minimises Σ weight · −ln share of the label + ridge / 2 · Σ coefficient² (Hastie, Tibshirani and Friedman, The Elements of Statistical
/// Learning, section 4.4; scikit-learn's `LogisticRegression` with C = 1 / ridge). `None` where there are no rows or the equations
/// cannot be solved.
#[must_use]
pub fn softmax<const K: usize>(rows: &[(FitRow, usize)], features: usize, ridge: f64) -> Option<Vec<[f64; K]>> {
    let width = (features + 1) * K;
    let ridge_of = |place: usize| if place / K < features { ridge } else { CONSTANT_RIDGE };
    let shares = |own: &[f64], row: &FitRow| -> [f64; K] {
        let mut logs = [0.0; K];
        for feature in row.has.iter().copied().chain([features]) {
            for (log, value) in logs.iter_mut().zip(&own[feature * K..]) {
                *log += value;
            }
        }
        let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let parts = logs.map(|log| (log - highest).exp());
        let all: f64 = parts.iter().sum();
        parts.map(|part| part / all)
    };
    let loss = |own: &[f64]| {
        let of_rows =
            rows.iter().map(|(row, label)| -row.weight * shares(own, row)[*label].max(f64::MIN_POSITIVE).ln());
        let of_ridge = own.iter().enumerate().map(|(place, value)| ridge_of(place) * value * value / 2.0);
        of_rows.sum::<f64>() + of_ridge.sum::<f64>()
    };
    if rows.is_empty() || rows.iter().any(|(row, label)| *label >= K || row.has.iter().any(|it| *it >= features)) {
        return None;
    }
    let mut own = vec![0.0; width];
    let mut before = loss(&own);
    for _ in 0..STEPS_MAX {
        let mut slope: Vec<f64> = own.iter().enumerate().map(|(place, value)| ridge_of(place) * value).collect();
        let mut bend = vec![0.0; width * width];
        for place in 0..width {
            bend[place * width + place] = ridge_of(place);
        }
        for (row, label) in rows {
            let shares = shares(&own, row);
            let has: Vec<usize> = row.has.iter().copied().chain([features]).collect();
            for feature in &has {
                for class in 0..K {
                    let wanted = if class == *label { 1.0 } else { 0.0 };
                    slope[feature * K + class] += row.weight * (shares[class] - wanted);
                    for other in &has {
                        for with in 0..K {
                            let same = if class == with { shares[class] } else { 0.0 };
                            bend[(feature * K + class) * width + other * K + with] +=
                                row.weight * (same - shares[class] * shares[with]);
                        }
                    }
                }
            }
        }
        let step = solve(bend, slope)?;
        let mut length = 1.0;
        let mut moved = false;
        for _ in 0..HALVINGS_MAX {
            let tried: Vec<f64> = own.iter().zip(&step).map(|(value, step)| value - length * step).collect();
            let after = loss(&tried);
            if after <= before {
                (own, before, moved) = (tried, after, true);
                break;
            }
            length /= 2.0;
        }
        if !moved || step.iter().all(|step| (length * step).abs() < CONVERGED) {
            break;
        }
    }
    Some(own.chunks_exact(K).map(|values| std::array::from_fn(|class| values[class])).collect())
}

/// Coefficients of least squares: for each feature, then for what every row has. Minimises Σ weight · (value − sum)² + ridge · Σ
/// coefficient² (Hoerl and Kennard 1970; scikit-learn's `Ridge` with alpha = ridge). `None` as in [`softmax`].
#[must_use]
pub fn least_squares(rows: &[(FitRow, f64)], features: usize, ridge: f64) -> Option<Vec<f64>> {
    let width = features + 1;
    if rows.is_empty() || rows.iter().any(|(row, _)| row.has.iter().any(|it| *it >= features)) {
        return None;
    }
    let mut bend = vec![0.0; width * width];
    for place in 0..width {
        bend[place * width + place] = if place < features { ridge } else { CONSTANT_RIDGE };
    }
    let mut wanted = vec![0.0; width];
    for (row, value) in rows {
        let has: Vec<usize> = row.has.iter().copied().chain([features]).collect();
        for feature in &has {
            wanted[*feature] += row.weight * value;
            for other in &has {
                bend[feature * width + other] += row.weight;
            }
        }
    }
    solve(bend, wanted)
}

/// A row with a value for each feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValuedRow<'a> {
    /// The values of its features.
    pub values: &'a [f64],
    /// On which side it is.
    pub label: bool,
    /// What it weighs.
    pub weight: f64,
}

/// Coefficients of logistic regression between bounds: first what every row has, unbounded, then one a feature, from the first to the second
/// of its bounds, which have nought between them.
///
/// Minimises Σ weight · −ln share of the label + ridge / 2 · Σ coefficient²; each of Newton's steps goes to the least value of the parabola
/// within the bounds, which is found one coefficient at a time (Friedman, Hastie and Tibshirani 2010; scikit-learn's `LogisticRegression`
/// where no bound is met). `None` where there are no rows, a row has not as many values as there are bounds, or nothing finite comes of it.
#[must_use]
pub fn bounded_logistic(rows: &[ValuedRow<'_>], bounds: &[(f64, f64)], ridge: f64) -> Option<Vec<f64>> {
    let width = bounds.len() + 1;
    if rows.is_empty() || rows.iter().any(|row| row.values.len() != bounds.len()) {
        return None;
    }
    let value = |row: &ValuedRow<'_>, at: usize| if at == 0 { 1.0 } else { row.values[at - 1] };
    let ridge_of = |at: usize| if at == 0 { CONSTANT_RIDGE } else { ridge };
    let bound = |at: usize| if at == 0 { (f64::NEG_INFINITY, f64::INFINITY) } else { bounds[at - 1] };
    let sum =
        |own: &[f64], row: &ValuedRow<'_>| own[0] + own[1..].iter().zip(row.values).map(|(a, b)| a * b).sum::<f64>();
    let loss = |own: &[f64]| {
        // ln(1 + exp x) without overflow.
        let of = |row: &ValuedRow<'_>| {
            let against = if row.label { -sum(own, row) } else { sum(own, row) };
            row.weight * (against.max(0.0) + (-against.abs()).exp().ln_1p())
        };
        let cost = own.iter().enumerate().map(|(at, own)| ridge_of(at) * own * own / 2.0);
        rows.iter().map(of).sum::<f64>() + cost.sum::<f64>()
    };
    let mut own = vec![0.0; width];
    let mut before = loss(&own);
    for _ in 0..STEPS_MAX {
        let mut slope: Vec<f64> = own.iter().enumerate().map(|(at, own)| ridge_of(at) * own).collect();
        let mut bend = vec![0.0; width * width];
        for at in 0..width {
            bend[at * width + at] = ridge_of(at);
        }
        for row in rows {
            let told = 1.0 / (1.0 + (-sum(&own, row)).exp());
            let error = row.weight * (told - f64::from(u8::from(row.label)));
            let spread = row.weight * told * (1.0 - told);
            for a in 0..width {
                slope[a] += error * value(row, a);
                for b in 0..width {
                    bend[a * width + b] += spread * value(row, a) * value(row, b);
                }
            }
        }
        // The step within the bounds, and the slope of the parabola where it stands.
        let mut step = vec![0.0; width];
        let mut rest = slope;
        for _ in 0..SWEEPS_MAX {
            let mut moved = 0.0_f64;
            for at in 0..width {
                let (low, high) = bound(at);
                let wanted = (own[at] + step[at] - rest[at] / bend[at * width + at]).clamp(low, high) - own[at];
                let by = wanted - step[at];
                if by != 0.0 {
                    step[at] = wanted;
                    rest.iter_mut().enumerate().for_each(|(other, rest)| *rest += by * bend[other * width + at]);
                    moved = moved.max(by.abs());
                }
            }
            if moved < SWEPT {
                break;
            }
        }
        let mut length = 1.0;
        let mut moved = false;
        for _ in 0..HALVINGS_MAX {
            let tried: Vec<f64> = own.iter().zip(&step).map(|(own, step)| own + length * step).collect();
            let after = loss(&tried);
            if after <= before {
                (own, before, moved) = (tried, after, true);
                break;
            }
            length /= 2.0;
        }
        if !moved || step.iter().all(|step| (length * step).abs() < CONVERGED) {
            break;
        }
    }
    own.iter().all(|own| own.is_finite()).then_some(own)
}

/// Solves a symmetric, positive definite system by Cholesky's method; `None` where it is neither. `matrix` has its rows one after the
/// other.
fn solve(mut matrix: Vec<f64>, mut values: Vec<f64>) -> Option<Vec<f64>> {
    let width = values.len();
    for at in 0..width {
        let (above, below) = matrix.split_at_mut(at * width);
        let (own, rest) = below.split_at_mut(width);
        let _ = above;
        let pivot = own[at] - own[..at].iter().map(|it| it * it).sum::<f64>();
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        let root = pivot.sqrt();
        own[at] = root;
        for row in rest.chunks_exact_mut(width) {
            let dot: f64 = row[..at].iter().zip(&own[..at]).map(|(a, b)| a * b).sum();
            row[at] = (row[at] - dot) / root;
        }
    }
    for at in 0..width {
        let row = &matrix[at * width..at * width + at];
        let dot: f64 = row.iter().zip(&values).map(|(a, b)| a * b).sum();
        values[at] = (values[at] - dot) / matrix[at * width + at];
    }
    for at in (0..width).rev() {
        let mut left = values[at];
        for below in at + 1..width {
            left -= matrix[below * width + at] * values[below];
        }
        values[at] = left / matrix[at * width + at];
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::{FitRow, ValuedRow, bounded_logistic, least_squares, softmax, solve};

    fn row(has: &[usize]) -> FitRow {
        FitRow { has: has.to_vec(), weight: 1.0 }
    }

    #[test]
    fn a_small_system() {
        let found = solve(vec![4.0, 2.0, 2.0, 3.0], vec![10.0, 9.0]).unwrap();
        assert!((found[0] - 1.5).abs() < 1e-12 && (found[1] - 2.0).abs() < 1e-12, "{found:?}");
        assert_eq!(solve(vec![1.0, 2.0, 2.0, 1.0], vec![1.0, 1.0]), None);
    }

    #[test]
    fn without_features_shares_are_those_of_the_labels() {
        let rows = [(row(&[]), 0), (row(&[]), 1), (row(&[]), 1), (row(&[]), 1)];
        let found = softmax::<2>(&rows, 0, 1.0).unwrap();
        assert!((found[0][1] - found[0][0] - 3.0_f64.ln()).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn a_feature_that_tells_gets_a_coefficient_that_the_ridge_holds_down() {
        let rows: Vec<_> = (0..40).map(|at| if at % 2 == 0 { (row(&[0]), 0) } else { (row(&[1]), 1) }).collect();
        let weak = softmax::<2>(&rows, 2, 10.0).unwrap();
        let strong = softmax::<2>(&rows, 2, 0.1).unwrap();
        assert!(weak[0][0] > 0.1 && strong[0][0] > weak[0][0], "{weak:?} {strong:?}");
        assert!(softmax::<2>(&[], 2, 1.0).is_none() && softmax::<2>(&[(row(&[2]), 0)], 2, 1.0).is_none());
    }

    #[test]
    fn least_squares_finds_a_plane() {
        let rows = [(row(&[]), 1.0), (row(&[0]), 3.0), (row(&[1]), 0.0), (row(&[0, 1]), 2.0)];
        let found = least_squares(&rows, 2, 1e-9).unwrap();
        for (found, expect) in found.iter().zip([2.0, -1.0, 1.0]) {
            assert!((found - expect).abs() < 1e-5, "{found}");
        }
    }
    const FREE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

    fn valued(values: &[f64], label: bool, weight: f64) -> ValuedRow<'_> {
        ValuedRow { values, label, weight }
    }

    #[test]
    fn a_logistic_fit_is_where_the_slope_is_nought() {
        // One feature, two values, weights 3 to 1 and 1 to 3.
        let rows = [
            valued(&[0.0], false, 30.0),
            valued(&[0.0], true, 10.0),
            valued(&[1.0], false, 10.0),
            valued(&[1.0], true, 30.0),
        ];
        let found = bounded_logistic(&rows, &[FREE], 2.0).unwrap();
        // By symmetry the middle is even; 40 · (¾ − share) = ridge · coefficient.
        assert!((found[0] + found[1] / 2.0).abs() < 1e-6, "{found:?}");
        let told = 1.0 / (1.0 + (-found[0] - found[1]).exp());
        assert!((40.0 * (0.75 - told) - 2.0 * found[1]).abs() < 1e-6 && told > 0.6, "{found:?}");
    }

    #[test]
    fn a_bound_is_kept_and_the_others_make_the_best_of_it() {
        let values: Vec<[f64; 2]> = (0..60).map(|at| [f64::from(at % 7) / 7.0, f64::from(at % 4) / 4.0]).collect();
        // The second feature speaks against.
        let rows: Vec<_> = values.iter().map(|own| valued(own, own[0] > own[1], 1.0)).collect();
        let free = bounded_logistic(&rows, &[FREE, FREE], 1.0).unwrap();
        assert!(free[1] > 0.5 && free[2] < -0.5, "{free:?}");
        let bounded = bounded_logistic(&rows, &[(0.0, f64::INFINITY), (0.0, f64::INFINITY)], 1.0).unwrap();
        assert_eq!(bounded[2], 0.0);
        let first: Vec<_> = values.iter().map(|own| valued(&own[..1], own[0] > own[1], 1.0)).collect();
        let alone = bounded_logistic(&first, &[FREE], 1.0).unwrap();
        assert!((alone[0] - bounded[0]).abs() < 1e-8 && (alone[1] - bounded[1]).abs() < 1e-8, "{alone:?} {bounded:?}");
        let turned: Vec<_> = rows.iter().rev().copied().collect();
        let again = bounded_logistic(&turned, &[FREE, FREE], 1.0).unwrap();
        assert!(free.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-8), "{free:?} {again:?}");
        assert!(bounded_logistic(&[], &[FREE], 1.0).is_none() && bounded_logistic(&rows, &[FREE], 1.0).is_none());
    }
}
