//! The decisions of the scorers of [`pieces`](super::pieces) on notes whose pieces are labelled, for whoever fits them.

use std::ops::Range;

use steadfast_annotate::AddFeature;
use steadfast_time::Expression;

use super::lines::Line;
use super::pieces::{Of, Says, Seen};
use super::words::Word;

/// One decision of a scorer, with the right answer and the names of the features.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The column that is right.
    pub column: usize,
    /// What speaks for it or against.
    pub features: Vec<String>,
}

/// The decisions of the three scorers on a note.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cases {
    /// Where lines are cut.
    pub cuts: Vec<Case>,
    /// What pieces say.
    pub says: Vec<Case>,
    /// What they say it of.
    pub of: Vec<Case>,
}

/// A labelled piece: its bytes of the file, what it says, and of what.
pub type Labelled = (Range<usize>, Option<Says>, Option<Of>);

/// The decisions that labelled pieces of a note stand for. `start` gives the place in the file of a byte of a line.
pub(super) fn cases(
    line: &Line<'_>,
    found: &[Expression],
    labels: &[Labelled],
    start: impl Fn(usize) -> usize,
    out: &mut Cases,
) {
    let seen = Seen::new(line, found);
    let named = |column: usize, with: &dyn Fn(&mut AddFeature<'_>)| {
        let mut features = Vec::new();
        with(&mut |name| features.push(name.concat()));
        Case { column, features }
    };
    let owner = |word: &Word| {
        let at = start(word.range.start);
        labels.iter().position(|(range, ..)| range.contains(&at))
    };
    let owners: Vec<Option<usize>> = seen.words.iter().map(owner).collect();
    // What joins two pieces belongs to the second.
    let joined: Vec<Option<usize>> = (0..owners.len()).map(|at| owners[at..].iter().find_map(|own| *own)).collect();
    let (mut first, mut before) = (0, Vec::new());
    for at in 1..=owners.len() {
        let cut = at == owners.len() || joined[at] != joined[at - 1];
        if at < owners.len() {
            out.cuts.push(named(usize::from(cut), &|add| seen.of_cut(at, add)));
        }
        if !cut {
            continue;
        }
        let own = first..at;
        if let Some((_, Some(says), of)) = joined[first].and_then(|label| labels.get(label)) {
            out.says.push(named(says.column(), &|add| seen.of_piece(&own, &before, add)));
            if let Some(of) = of {
                let column = Of::ALL.iter().position(|own| own == of).unwrap_or_default();
                out.of.push(named(column, &|add| seen.of_what(&own, *says, &before, add)));
            }
            before.push(*says);
        }
        first = at;
    }
}
