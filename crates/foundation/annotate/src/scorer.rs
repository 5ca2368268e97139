//! A linear scorer over named features: how likely each of a few columns is (softmax regression).
//!
//! Its coefficients stand in a file, a feature a line: the name, a tab, and `column:value` with blanks between. Features that the file does not name weigh nothing.

use std::collections::HashMap;

/// Coefficients by the hash of a feature's name.
#[derive(Clone, Debug, Default)]
pub struct Scorer {
    weights: HashMap<u64, Vec<(u8, f32)>>,
}

/// Takes the name of a feature, in parts.
pub type AddFeature<'f> = dyn FnMut(&[&str]) + 'f;

impl Scorer {
    /// Reads coefficients; a line that is not of the form is passed over.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let row = |line: &str| {
            let (name, values) = line.rsplit_once('\t')?;
            let value = |own: &str| {
                let (column, value) = own.split_once(':')?;
                Some((column.parse().ok()?, value.parse().ok()?))
            };
            Some((hash(&[name]), values.split(' ').filter_map(value).collect()))
        };
        Self { weights: text.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect() }
    }

    /// How likely each column is, by the features that `with` names. The shares sum to 1.
    pub fn shares<const N: usize>(&self, with: impl FnOnce(&mut AddFeature<'_>)) -> [f64; N] {
        let mut scores = [0.0_f64; N];
        with(&mut |name| {
            for (column, weight) in self.weights.get(&hash(name)).into_iter().flatten() {
                if let Some(score) = scores.get_mut(usize::from(*column)) {
                    *score += f64::from(*weight);
                }
            }
        });
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let shares = scores.map(|score| (score - most).exp());
        let all: f64 = shares.iter().sum();
        shares.map(|share| share / all)
    }
}

/// FNV-1a of texts one behind the other.
fn hash(parts: &[&str]) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    parts.iter().flat_map(|part| part.bytes()).fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::Scorer;

    #[test]
    fn shares_are_those_of_a_softmax() {
        let scorer = Scorer::read("# a comment\none\t0:1.00 1:-1.00\ntwo\t1:2.00\nno form\n");
        assert_eq!(scorer.shares::<2>(|_| {}), [0.5, 0.5]);
        let [first, second] = scorer.shares::<2>(|add| {
            add(&["o", "ne"]);
            add(&["unknown"]);
        });
        assert!((first - 1.0 / (1.0 + (-2.0_f64).exp())).abs() < 1e-9 && (first + second - 1.0).abs() < 1e-9);
        let [_, second] = scorer.shares::<2>(|add| {
            add(&["one"]);
            add(&["two"]);
        });
        assert!((second - 0.5).abs() < 1e-9);
    }
}
