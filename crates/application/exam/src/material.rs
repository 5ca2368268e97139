//! The cases that ship: those parts of `data/` that no prompt and no rule was tuned on.

use include_dir::{Dir, include_dir};

use crate::notes::Note;
use crate::pairs::Labels;

/// A folder for each writer, and in it one for each request.
static PAIRS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../../data/pairs/kept");

/// Files of notes, each by several writers.
const NOTES: [&str; 2] = [
    include_str!("../../../../data/notes_plain/kept/notes.json"),
    include_str!("../../../../data/notes_wide/kept/notes.json"),
];

/// Pairs of reports that ship.
#[cfg(test)]
const PAIRS_MAX: usize = 144;

/// Notes that ship.
#[cfg(test)]
const NOTES_MAX: usize = 156;

/// A request with two reports and their labels.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) prompt: &'static str,
    pub(crate) faithful: &'static str,
    pub(crate) drifted: &'static str,
    pub(crate) labels: Labels,
}

/// The first pairs, one of each writer in turn.
pub(crate) fn pairs(count: usize) -> Vec<Pair> {
    let mut writers: Vec<&Dir<'_>> = PAIRS.dirs().collect();
    writers.sort_by_key(|own| own.path());
    let of_writer = writers.iter().map(|writer| {
        let mut cases: Vec<&Dir<'_>> = writer.dirs().collect();
        cases.sort_by_key(|own| own.path());
        cases.into_iter().filter_map(pair).collect()
    });
    in_turn(of_writer.collect(), count)
}

fn pair(folder: &Dir<'static>) -> Option<Pair> {
    let text = |name: &str| folder.get_file(folder.path().join(name))?.contents_utf8();
    let (prompt, faithful, drifted) = (text("prompt.md")?, text("faithful.md")?, text("drifted.md")?);
    let labels = Labels::read(text("gold.json")?.as_bytes(), prompt, drifted).ok()?;
    Some(Pair { prompt, faithful, drifted, labels })
}

/// The first notes, one of each file in turn.
pub(crate) fn notes(count: usize) -> Vec<Note> {
    let of_file = NOTES.iter().map(|text| serde_json::from_str(text).unwrap_or_default());
    in_turn(of_file.collect(), count)
}

fn in_turn<T>(lists: Vec<Vec<T>>, count: usize) -> Vec<T> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    while all.len() < count {
        let before = all.len();
        all.extend(lists.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            break;
        }
    }
    all.truncate(count);
    all
}

#[cfg(test)]
mod tests {
    use super::{NOTES_MAX, PAIRS_MAX, in_turn, notes, pairs};

    #[test]
    fn every_case_ships_whole_and_few_are_of_many_writers() {
        assert_eq!((pairs(usize::MAX).len(), notes(usize::MAX).len()), (PAIRS_MAX, NOTES_MAX));
        assert!(pairs(PAIRS_MAX).iter().all(|own| !own.labels.obligations.is_empty() && !own.labels.drifts.is_empty()));
        assert!(notes(NOTES_MAX).iter().all(|own| !own.tasks.is_empty()));
        assert_eq!((pairs(40).len(), notes(40).len()), (40, 40));
        assert_eq!(in_turn(vec![vec![1, 4, 6], vec![2], vec![3, 5]], 5), [1, 2, 3, 4, 5]);
    }
}
