//! Rows of tables: a row obliges as a whole, by what its cells say together, and a cell by nothing of its own.

use steadfast_annotate::{Sentence as Annotation, Strength, content_stems};
use steadfast_evidence::{Basis, Obligation, Quote};
use steadfast_text::{BlockKind, Span};

use super::{Reader, Sentence, TEXT_BYTES_MAX, WHAT_BYTES_MAX};
use crate::request::{Demand, Kind, Rule};
use crate::scan::short;
use crate::topic::Topic;

/// Cells of one row that are read, at most.
const CELLS_MAX: usize = 64;

impl Reader<'_> {
    /// A cell has its figures; what it obliges to, its row says.
    pub(super) fn cell(&mut self, sentence: &Sentence<'_>, topic: Option<Topic>, title: &str) {
        let demands = self.request.demands.len();
        self.figures(sentence, topic, "", title, true, true);
        self.request.demands.truncate(demands);
        self.row(sentence.read, sentence.statement, topic);
    }

    /// Reads the row that a cell opens; nothing for another cell, for a header, and for a row with one cell that says something.
    fn row(&mut self, cell: &Annotation<'_>, statement: usize, topic: Option<Topic>) {
        let document = self.annotated.document;
        let BlockKind::TableCell { table, row, column: 0, header: false } = document.blocks[cell.block].kind else {
            return;
        };
        let Some(cells) = document.tables.get(table).and_then(|table| table.rows.get(row)) else { return };
        let said: Vec<_> = cells
            .iter()
            .take(CELLS_MAX)
            .filter_map(|cell| document.blocks.get(*cell))
            .filter(|block| !block.text.plain.trim().is_empty())
            .collect();
        let (Some(first), Some(last)) = (said.first(), said.last()) else { return };
        if said.len() < 2 {
            return;
        }
        let span = Span::new(first.span.start, last.span.end);
        let Some(quote) = Quote::cut(self.file, document, span) else { return };
        let level = said.iter().find_map(|block| level(&block.text.plain));
        let text: Vec<&str> =
            said.iter().map(|block| block.text.plain.trim()).filter(|text| level_is_not(text)).collect();
        let none = text.iter().skip(1).any(|text| is_none(text));
        let denied =
            matches!(topic, Some(Topic::NonGoal | Topic::Excluded)) || none || level.is_some_and(|(_, denied)| denied);
        let what = short(&text.join(" | "), WHAT_BYTES_MAX);
        let named = if none { text[0] } else { what.as_str() };
        let mut stems: Vec<String> = Vec::new();
        for (_, stem) in content_stems(named) {
            if !stems.contains(&stem) {
                stems.push(stem);
            }
        }
        let strength = level.map_or(Strength::Asserted, |(strength, _)| strength);
        let shown = short(&text.join(" | "), TEXT_BYTES_MAX);
        let (kind, rule) = match (denied, strength) {
            (true, _) => (Kind::Constraint, Rule::Avoid { what, stems }),
            (false, Strength::Possible) => (Kind::Optional, Rule::Option { what, stems, deferred_until: None }),
            _ => (Kind::Constraint, Rule::Require { what, stems }),
        };
        self.request.demands.push(Obligation::new(
            Demand { kind, rule, strength, statement },
            shown,
            Basis::Explicit,
            quote,
        ));
    }
}

/// What a cell says of how binding its row is, and whether it forbids (RFC 2119).
fn level(text: &str) -> Option<(Strength, bool)> {
    Some(match text.trim().to_uppercase().as_str() {
        "MUST" | "SHALL" | "REQUIRED" | "MANDATORY" => (Strength::Committed, false),
        "MUST NOT" | "SHALL NOT" | "NEVER" => (Strength::Committed, true),
        "SHOULD" | "RECOMMENDED" => (Strength::Likely, false),
        "SHOULD NOT" | "NOT RECOMMENDED" => (Strength::Likely, true),
        "MAY" | "COULD" | "OPTIONAL" | "NICE TO HAVE" => (Strength::Possible, false),
        _ => return None,
    })
}

fn level_is_not(text: &str) -> bool {
    level(text).is_none()
}

/// Whether a cell says that there is to be none of what its row names.
fn is_none(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    matches!(first.to_lowercase().as_str(), "no" | "none" | "never")
}
