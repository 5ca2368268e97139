//! Softmax regression over named features, for the scorers that [`Scorer`](steadfast_annotate::Scorer) reads.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Cases that a feature stands in, at least.
const CASES_MIN: u32 = 3;
/// How often all cases are gone through.
const PASSES: usize = 16;
/// The first step of each coefficient; later ones shrink with the root of its squared slopes (AdaGrad: Duchi, Hazan and Singer 2011).
const RATE: f64 = 0.2;

/// A labelled decision.
pub(super) struct Example<'c> {
    /// The column that is right.
    pub(super) column: usize,
    /// The names of its features.
    pub(super) features: &'c [String],
    /// How much it counts.
    pub(super) weight: f64,
}

/// Coefficients by feature.
pub(super) struct Fit {
    columns: usize,
    weights: BTreeMap<String, Vec<f64>>,
}

impl Fit {
    /// Softmax regression by stochastic descent, the cases in an order that is always the same.
    /// `ridge` says, by how many cases a feature stands in, what is taken off its coefficients in proportion to them each time that it does.
    pub(super) fn of(cases: &[Example<'_>], columns: usize, ridge: impl Fn(u32) -> f64) -> Self {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for name in cases.iter().flat_map(|case| case.features) {
            *counts.entry(name).or_default() += 1;
        }
        counts.retain(|_, count| *count >= CASES_MIN);
        let ridges: Vec<f64> = counts.values().map(|count| ridge(*count)).collect();
        let names: Vec<&str> = counts.into_keys().collect();
        let rows: Vec<Vec<usize>> = cases
            .iter()
            .map(|case| case.features.iter().filter_map(|name| names.binary_search(&name.as_str()).ok()).collect())
            .collect();
        let mut weights = vec![0.0_f64; names.len() * columns];
        let mut squares = vec![1e-3_f64; names.len() * columns];
        let mut state = 1_u64;
        let mut order: Vec<usize> = (0..rows.len()).collect();
        for _ in 0..PASSES {
            for at in (1..order.len()).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                order.swap(at, (state >> 33) as usize % (at + 1));
            }
            for at in &order {
                let mut off =
                    softmax(rows[*at].iter().map(|own| &weights[own * columns..(own + 1) * columns]), columns);
                off[cases[*at].column] -= 1.0;
                off.iter_mut().for_each(|off| *off *= cases[*at].weight);
                for own in &rows[*at] {
                    for (column, off) in off.iter().enumerate() {
                        let place = own * columns + column;
                        let slope = off + ridges[*own] * weights[place];
                        squares[place] += slope * slope;
                        weights[place] -= RATE * slope / squares[place].sqrt();
                    }
                }
            }
        }
        let weights = names
            .iter()
            .enumerate()
            .map(|(at, name)| ((*name).to_owned(), weights[at * columns..(at + 1) * columns].to_vec()));
        Self { columns, weights: weights.collect() }
    }

    pub(super) fn shares(&self, features: &[String]) -> Vec<f64> {
        softmax(features.iter().filter_map(|name| self.weights.get(name)).map(Vec::as_slice), self.columns)
    }

    /// The coefficients as their file has them, without those nearer to nought than `small`.
    pub(super) fn written(&self, small: f64) -> String {
        let mut out = String::new();
        for (name, weights) in &self.weights {
            let values: Vec<String> = weights
                .iter()
                .enumerate()
                .filter(|(_, weight)| weight.abs() >= small)
                .map(|(column, weight)| format!("{column}:{weight:.2}"))
                .collect();
            if !values.is_empty() && !name.contains(['\n', '\t']) {
                let _ = writeln!(out, "{name}\t{}", values.join(" "));
            }
        }
        out
    }
}

fn softmax<'w>(weights: impl Iterator<Item = &'w [f64]>, columns: usize) -> Vec<f64> {
    let mut scores = vec![0.0; columns];
    for own in weights {
        for (score, weight) in scores.iter_mut().zip(own) {
            *score += weight;
        }
    }
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let shares: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
    let all: f64 = shares.iter().sum();
    shares.iter().map(|share| share / all).collect()
}
