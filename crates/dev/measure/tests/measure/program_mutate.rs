//! `steadfast-measure mutate` on a pair written for these tests.

use crate::common::Place;

const ASK: &str = "Plan a reading club for sailors. The club is for sailors on long voyages. It is not a club for landlubbers. \
    Books may weigh at most 30 kilograms in all. We have 12 lanterns. The purser will possibly lend a cupboard. Do not lend atlases.\n";
const REPORT: &str = "# A reading club\n\nThe club is for sailors on long voyages. All books together weigh at most 30 kilograms.\n\n\
    There are 12 lanterns. Atlases are not lent.\n\nThe purser will possibly lend a cupboard.\n";

#[test]
fn a_pair_of_ones_own_is_changed_by_words_of_the_shipped_ones() {
    let place = Place::empty().with("ask.txt", ASK).with("report.md", REPORT);
    let end = place.measure("mutate ask.txt report.md --seed 3").status(0);
    let line = |name: &str| end.stdout.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    // An operator stands with what was found of it: another figure is, what the prompt bans is not.
    for (name, found) in [("figure_changed", "1 of 1"), ("bound_broken", "1 of 1"), ("ban_restored", "0 of 1")] {
        assert!(line(name).contains(found), "{}", end.stdout);
    }
    assert!(end.stdout.contains("nothing to do for: "), "{}", end.stdout);
    assert!(end.stdout.ends_with(" changes found, seed 3, judged by rules\n"), "{}", end.stdout);
    let again = place.measure("mutate ask.txt report.md --seed 3").status(0);
    assert_eq!(end.stdout, again.stdout, "the same bytes each time");
    let other = place.measure("mutate ask.txt report.md --seed 3 --per-operator 1").status(0);
    assert_ne!(end.stdout, other.stdout);
}

#[test]
fn what_cannot_be_used_is_said() {
    let place = Place::empty().with("ask.txt", ASK).with("report.md", REPORT).with("empty.md", " \n");
    let of = |options: &str| place.measure(&format!("mutate ask.txt {options}"));
    of("report.md --per-operator 0").refused(2, "error: `--per-operator 0` does not lie in 1 to 20");
    of("report.md --per-operator 21").refused(2, "error: `--per-operator 21` does not lie in 1 to 20");
    of("empty.md").refused(2, "error: empty.md: is empty");
    of("gone.md").refused(2, "error: gone.md: no such file or folder");
    assert!(place.measure("mutate ask.txt").status(2).stderr.contains("REPORT"));
}
