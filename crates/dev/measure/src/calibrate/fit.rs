//! Fitting by Newton's method: logistic regression whose coefficients keep to given signs. The same rows give the same bits.

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

#[cfg(test)]
mod tests {
    use super::{ValuedRow, bounded_logistic};

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
