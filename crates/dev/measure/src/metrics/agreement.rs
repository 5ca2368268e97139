//! How well what was found agrees with labels.

/// The area under the ROC curve, over scores and whether each is of a positive: the share of pairs of a positive and a negative in
/// which the positive has the higher score, equal scores counting half (the statistic of Mann and Whitney 1947 over the number of pairs).
/// `None` where all or none are positive.
#[must_use]
pub fn auc(scored: &[(f64, bool)]) -> Option<f64> {
    let mut order = scored.to_vec();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut ranks_of_positives, mut before) = (0.0, 0.0);
    for equal in order.chunk_by(|a, b| a.0 == b.0) {
        let mean_rank = before + (equal.len() as f64 + 1.0) / 2.0;
        ranks_of_positives += mean_rank * equal.iter().filter(|(_, positive)| *positive).count() as f64;
        before += equal.len() as f64;
    }
    let positives = order.iter().filter(|(_, positive)| *positive).count() as f64;
    let pairs = positives * (before - positives);
    (pairs > 0.0).then(|| (ranks_of_positives - positives * (positives + 1.0) / 2.0) / pairs)
}

/// The correlation of two values (Pearson); `None` where either is the same everywhere.
#[must_use]
pub fn pearson(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = pairs.len().max(1) as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (one, other) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut both, mut of_one, mut of_other) = (0.0, 0.0, 0.0);
    for pair in pairs {
        let (a, b) = (pair.0 - one, pair.1 - other);
        both += a * b;
        of_one += a * a;
        of_other += b * b;
    }
    let under = (of_one * of_other).sqrt();
    (under > 0.0).then(|| (both / under).clamp(-1.0, 1.0))
}

/// The correlation of the ranks of two values (Spearman 1904); equal values share the mean of their ranks. `None` where either is the same
/// everywhere.
#[must_use]
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    let (one, other): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let ranked: Vec<(f64, f64)> = ranks(&one).into_iter().zip(ranks(&other)).collect();
    pearson(&ranked)
}

/// The rank of each value, from 1; equal ones share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0.0;
    for equal in order.chunk_by(|a, b| values[*a] == values[*b]) {
        for place in equal {
            ranks[*place] = before + (equal.len() as f64 + 1.0) / 2.0;
        }
        before += equal.len() as f64;
    }
    ranks
}

/// The middle value; of an even number the mean of the two in the middle. `None` of nothing.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.get((values.len().max(1) - 1) / 2)?, values.get(values.len() / 2)?);
    Some(f64::midpoint(*low, *high))
}
