//! One labelled example, judged.

/// What one example counts for one metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// Which of [`crate::Set::metrics`], by its name.
    pub metric: &'static str,
    /// What is summed over rows: see [`crate::Statistic`] for the meaning of each.
    pub counts: [f64; 4],
}

/// One labelled example, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which example: file and place, or the id that the set gives it.
    pub id: String,
    /// What was predicted, in a few words.
    pub prediction: String,
    /// A score beside it, where there is one.
    pub score: Option<f64>,
    /// What the label says.
    pub label: String,
    /// Whether rules were tuned on it; the others are kept aside.
    pub tuned: bool,
    /// Rows with the same number hang together (the steps of one run, say): the bootstrap draws all of them or none. `None`: the
    /// row stands alone.
    pub group: Option<usize>,
    /// What it counts.
    pub counts: Vec<Count>,
}

/// Rules are tuned on the examples at even places of a file, the others are kept aside.
#[must_use]
pub(crate) const fn is_tuned(index: usize) -> bool {
    index.is_multiple_of(2)
}

/// Rules are tuned on half of the groups (documents, pairs, sentences that stand alone), the other half is kept aside: which one it is
/// follows from a hash of the group, so that it is the same in whatever file and order it stands. (FNV-1a, then the finaliser of
/// `SplitMix64`, since the bits of FNV alone are weak.)
#[must_use]
pub(crate) fn is_group_tuned(group: &str) -> bool {
    hash(group).is_multiple_of(2)
}

/// The hash of a group.
pub(crate) fn hash(group: &str) -> u64 {
    let mut mixed = group
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// A text's words in lower case, which copies of a sentence in other files share whatever became of its marks.
pub(crate) fn words_of(text: &str) -> String {
    let low = text.to_ascii_lowercase();
    let words = low.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{hash, is_group_tuned, words_of};

    #[test]
    fn halves_are_the_same_everywhere() {
        assert_eq!(words_of("Größe: 5.5 (Big)!"), "gr e 5 5 big");
        assert_eq!([is_group_tuned("a"), is_group_tuned("b"), is_group_tuned("c")], [true, false, true]);
        let tuned = (0..10_000).filter(|at| is_group_tuned(&format!("group {at}"))).count();
        assert!((4_800..5_200).contains(&tuned), "{tuned}");
        assert_ne!(hash("a"), hash("b"));
    }
}
