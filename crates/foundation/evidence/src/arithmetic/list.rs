//! Totals in lists: an item that is the total of its siblings, or a paragraph that introduces the list as a breakdown.

use std::collections::BTreeMap;

use steadfast_annotate::Pattern;
use steadfast_text::{Block, BlockKind, Document};

use super::figure::Figure;
use super::found::{Found, Place};
use super::series::{self, Role, Row};
use super::table::{STATED_BYTES_MAX, bracketed};
use super::{StatementKind, pattern};

/// Words with which a paragraph says that the list below it is the whole.
pub(super) static BREAKDOWN: Pattern = pattern(concat!(
    r"(?i)(?-u:\b)(?:broken down|breaks down|breakdown|break-down|split|divided|made up of|composed of|",
    r"consist(?:s|ing)? of|compris(?:es|ed of|ing)|allocated as follows|distributed as follows|as follows|gated)(?-u:\b)"
));

/// The one figure that an item states: "Label: $5,000 (…)", "$5,000 for …", "Label – $5,000".
fn stated<'a>(block: &Block, figures: &'a [Figure]) -> Option<(&'a Figure, String)> {
    let text = block.text.plain.as_str();
    let head = text.get(..text.len().min(STATED_BYTES_MAX)).unwrap_or(text);
    let mut outside =
        figures.iter().take(8).filter(|figure| !bracketed(text, figure.range.start.min(STATED_BYTES_MAX)));
    let figure = outside.next()?;
    if figure.range.start >= head.len() || text.len() > STATED_BYTES_MAX * 2 {
        return None;
    }
    if outside.next().is_some() {
        return None;
    }
    let before = text.get(..figure.range.start)?.trim();
    let after = text.get(figure.range.end..)?.trim_start();
    if before.is_empty() {
        return Some((figure, after.trim_start_matches(['–', '—', '-', ':']).to_owned()));
    }
    let label = before.strip_suffix([':', '–', '—', '-', '=', '|']).or_else(|| {
        // "**Total** $1,181,000": the label is set apart by its markup.
        let label = block.label.as_deref()?;
        (text.get(label.clone())?.trim() == before).then_some(before)
    });
    let label = match label {
        Some(label) => label.trim(),
        None => return None,
    };
    // What follows the figure may only be an aside.
    let aside = after.is_empty()
        || after.starts_with(['(', '[', ',', ';', '.', '–', '—', '-'])
        || after.split_whitespace().count() <= 3;
    aside.then(|| (figure, label.to_owned()))
}

/// The lists of a document as runs of sibling items: for each the blocks of its items.
fn runs(document: &Document) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = Vec::new();
    // Open runs by depth.
    let mut open: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
    let mut place = None;
    for (index, block) in document.blocks.iter().enumerate() {
        let BlockKind::ListItem { depth, .. } = &block.kind else {
            // A paragraph may belong to an item; a heading, a table or a paragraph of the section ends every list.
            out.extend(std::mem::take(&mut open).into_values());
            place = None;
            continue;
        };
        if place.is_some_and(|section| section != block.section) {
            out.extend(std::mem::take(&mut open).into_values());
        }
        place = Some(block.section);
        let deeper = open.split_off(&(depth.saturating_add(1)));
        out.extend(deeper.into_values());
        open.entry(*depth).or_default().push(index);
    }
    out.extend(open.into_values());
    out.sort_by_key(|run| run.first().copied());
    out
}

pub(super) fn read(document: &Document, figures: &[Vec<Figure>]) -> Vec<Found> {
    let mut out = Vec::new();
    for run in runs(document) {
        let items: Vec<(usize, Option<(&Figure, String)>)> = run
            .iter()
            .filter_map(|index| Some((*index, stated(document.blocks.get(*index)?, figures.get(*index)?))))
            .collect();
        let rows: Vec<Row<'_>> = items
            .iter()
            .map(|(index, item)| Row {
                role: item.as_ref().map_or(Role::Item, |(_, label)| series::role(label)),
                figure: item.as_ref().map(|(figure, _)| *figure),
                unknown: item.is_none(),
                prominent: false,
                place: document
                    .blocks
                    .get(*index)
                    .map(|block| Place { block: *index, range: 0..block.text.plain.len() }),
            })
            .collect();
        if rows.iter().any(|row| row.role == Role::Total) {
            // An item without a figure may be a heading of its own: then nothing can be said.
            out.extend(
                series::check(&rows, StatementKind::Sum)
                    .into_iter()
                    .filter(|found| found.holds || !rows.iter().any(|row| row.unknown)),
            );
            continue;
        }
        out.extend(introduced(document, &run, &rows, figures));
    }
    out
}

/// "The budget of €100,000 breaks down as follows:" and a list whose every item states a part.
fn introduced(document: &Document, run: &[usize], rows: &[Row<'_>], figures: &[Vec<Figure>]) -> Option<Found> {
    let lead = document.blocks.get(*run.first()?)?.lead?;
    let text = document.blocks.get(lead)?.text.plain.as_str();

    let clause = text.rfind(['.', '!', '?']).filter(|at| at + 1 < text.trim_end().len()).map_or(0, |at| at + 1);
    let own: Vec<&Figure> = figures.get(lead)?.iter().filter(|figure| figure.range.start >= clause).collect();
    let [stated] = own.as_slice() else { return None };
    if !BREAKDOWN.is_match(text.get(clause..)?)
        || rows.len() < 2
        || rows.iter().any(|row| row.unknown || row.role != Role::Item)
    {
        return None;
    }
    let mut rows = rows.to_vec();
    rows.push(Row {
        role: Role::Total,
        figure: Some(stated),
        unknown: false,
        prominent: false,
        place: Some(Place { block: lead, range: clause..text.len() }),
    });
    let mut found = series::check(&rows, StatementKind::Sum);
    found.pop()
}
