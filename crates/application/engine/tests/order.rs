//! Whatever the order in which files are given, the run is the same.

use proptest::prelude::*;
use steadfast_engine::File;
use steadfast_engine::intake::Run;

proptest! {
    #[test]
    fn the_order_of_files_does_not_matter(
        mut files in prop::collection::btree_map(
            "(run/)?(deep/)?[0-9]{0,3}-?(a|b|plan|prompt|x y)\\.(md|txt|html|json|png)",
            prop::collection::vec(any::<u8>(), 0..4),
            0..8,
        ).prop_map(|files| files.into_iter().map(|(name, bytes)| File { name, bytes }).collect::<Vec<_>>()),
        turn in 0_usize..8,
    ) {
        let expected = Run::of("given", files.clone());
        let turn = turn % files.len().max(1);
        files.rotate_left(turn);
        prop_assert_eq!(Run::of("given", files.clone()), expected.clone());
        files.reverse();
        prop_assert_eq!(Run::of("given", files.clone()), expected.clone());
        if let Ok(run) = expected {
            // Every file that was given is somewhere, once.
            prop_assert_eq!(1 + run.artefacts.len() + run.ignored.len(), files.len());
        }
    }
}
