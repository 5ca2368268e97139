//! Whether a figure of the answer is the figure of the same thing as one of the ask.
//!
//! Two numbers of one unit are seldom figures of one thing: a budget has parts, thresholds and overruns, and what is counted
//! comes in candidates, subsets and extras. Everything here would rather say no.

use steadfast_annotate::{Quantity, Relation, Unit, comparable};
use steadfast_ask::Figure;
use steadfast_text::BlockKind;

use crate::answer::{Answer, Claim, Place};
use crate::ask::Contract;

/// Nouns that count the same things.
const SAME_COUNT: &[&[&str]] = &[
    &["bed", "bedroom", "room", "suite"],
    &["participant", "subject", "patient"],
    &["site", "location", "hub", "venue"],
    &["employee", "staff", "people", "person", "worker"],
    &["shop", "store", "outlet", "branch"],
    &["pupil", "student", "learner"],
    &["home", "house", "dwelling"],
];

/// Nouns that are counted for many things within one plan.
const VAGUE_HEADS: &[&str] = &[
    "aim",
    "aspect",
    "case",
    "criterion",
    "factor",
    "goal",
    "half",
    "hand",
    "item",
    "kind",
    "more",
    "option",
    "other",
    "part",
    "phase",
    "point",
    "stage",
    "step",
    "thing",
    "time",
    "type",
    "way",
];

/// The words that say what a claim is about without being in it: its label, and the heads of its row and column.
#[must_use]
pub(crate) fn around(answer: &Answer, claim: &Claim) -> String {
    let Some(place) = claim.places.first() else { return String::new() };
    let mut out = answer.label(place);
    for head in cell_heads(answer, place).into_iter().flatten() {
        out.push_str(" | ");
        out.push_str(head);
    }
    out
}

/// The first cell of the row and the header of the column that a cell stands in.
#[must_use]
pub(crate) fn cell_heads<'a>(answer: &'a Answer, place: &Place) -> [Option<&'a str>; 2] {
    let Some(artefact) = answer.artefacts.get(place.artefact) else { return [None, None] };
    let blocks = &artefact.document.blocks;
    let Some(BlockKind::TableCell { table, row, column, .. }) = blocks.get(place.block).map(|block| &block.kind) else {
        return [None, None];
    };
    // Cells of a table stand together, row by row.
    let find = |wanted_row: usize, wanted_column: usize| {
        blocks[..place.block]
            .iter()
            .rev()
            .take_while(|block| matches!(&block.kind, BlockKind::TableCell { table: own, .. } if own == table))
            .take(CELLS_LOOKED_BACK_MAX)
            .find(|block| {
                matches!(&block.kind, BlockKind::TableCell { row, column, .. } if *row == wanted_row && *column == wanted_column)
            })
            .map(|block| block.text.plain.as_str())
    };
    [if *column > 0 { find(*row, 0) } else { None }, if *row > 0 { find(0, *column) } else { None }]
}

/// Cells between a cell and its header that are looked through at most.
const CELLS_LOOKED_BACK_MAX: usize = 400;

/// How a figure of the answer stands to one of the ask, counts of the same things under other names included.
#[must_use]
pub(crate) fn relation(stated: &Quantity, asked: &Quantity) -> Option<Relation> {
    if let (Unit::Count(own), Unit::Count(other)) = (&stated.unit, &asked.unit)
        && own.stem != other.stem
        && (SAME_COUNT.iter().any(|group| group.contains(&own.stem.as_str()) && group.contains(&other.stem.as_str()))
            || is_short_for(&own.stem, &other.stem)
            || is_short_for(&other.stem, &own.stem))
    {
        let renamed = Quantity { unit: asked.unit.clone(), ..stated.clone() };
        return comparable(&renamed, asked);
    }
    comparable(stated, asked)
}

/// "char" for "character": the beginning of a word stands for it.
fn is_short_for(short: &str, long: &str) -> bool {
    const LETTERS_MIN: usize = 4;
    short.len() >= LETTERS_MIN && long.len() > short.len() + 2 && long.starts_with(short)
}

/// Whether a noun is counted for many things.
#[must_use]
pub(crate) fn is_vague(head: &str) -> bool {
    VAGUE_HEADS.contains(&head) || head.chars().count() < 3
}

/// All before a figure in its half of the sentence.
#[must_use]
pub(crate) fn sentence_before(text: &str, at: usize) -> &str {
    let all = text.get(..at).unwrap_or_default();
    &all[all.rfind(';').map_or(0, |at| at + 1)..]
}

/// The text of the sentence that states a figure of the ask.
#[must_use]
pub(crate) fn statement_of<'a>(contract: &'a Contract, figure: &Figure) -> &'a str {
    contract.request.statements.get(figure.statement).map_or("", |statement| statement.text.as_str())
}
