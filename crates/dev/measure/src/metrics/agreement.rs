//! How well what was found agrees with labels.

use std::collections::BTreeMap;

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

/// How often each class was found, labelled, and both.
fn classes(pairs: &[(f64, f64)]) -> Vec<[f64; 3]> {
    let mut of: BTreeMap<u64, [f64; 3]> = BTreeMap::new();
    for (found, label) in pairs {
        // Nought has two signs.
        of.entry((found + 0.0).to_bits()).or_default()[0] += 1.0;
        of.entry((label + 0.0).to_bits()).or_default()[1] += 1.0;
        if found == label {
            of.entry((found + 0.0).to_bits()).or_default()[2] += 1.0;
        }
    }
    of.into_values().collect()
}

/// The mean over classes of F1, over pairs of the class found and that of the label; classes are those that occur in either. `None` of
/// nothing.
#[must_use]
pub fn macro_f1(pairs: &[(f64, f64)]) -> Option<f64> {
    let classes = classes(pairs);
    let f1 = classes.iter().map(|[found, labelled, both]| 2.0 * both / (found + labelled));
    (!classes.is_empty()).then(|| f1.sum::<f64>() / classes.len() as f64)
}

/// The mean over the labels' classes of the share that was found. `None` of nothing.
#[must_use]
pub fn balanced_accuracy(pairs: &[(f64, f64)]) -> Option<f64> {
    let recalls: Vec<f64> = classes(pairs)
        .iter()
        .filter(|[_, labelled, _]| *labelled > 0.0)
        .map(|[_, labelled, both]| both / labelled)
        .collect();
    (!recalls.is_empty()).then(|| recalls.iter().sum::<f64>() / recalls.len() as f64)
}

/// The share of pairs of class found and label that are equal. `None` of nothing.
#[must_use]
pub fn accuracy(pairs: &[(f64, f64)]) -> Option<f64> {
    let right = pairs.iter().filter(|(found, label)| found == label).count();
    (!pairs.is_empty()).then(|| right as f64 / pairs.len() as f64)
}

/// F1 of the positives: twice the hits over what was found and what was wanted. `None` where there are neither.
#[must_use]
pub fn f1(hits: usize, found: usize, wanted: usize) -> Option<f64> {
    (found + wanted > 0).then(|| 2.0 * hits as f64 / (found + wanted) as f64)
}

/// Agreement beyond chance of class found and label (Cohen 1960). `None` of nothing, and where both have a single class.
#[must_use]
pub fn kappa(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = pairs.len() as f64;
    let observed = accuracy(pairs)?;
    let by_chance = classes(pairs).iter().map(|[found, labelled, _]| found * labelled).sum::<f64>() / (count * count);
    (by_chance < 1.0).then(|| (observed - by_chance) / (1.0 - by_chance))
}
