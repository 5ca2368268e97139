//! A row of the prompt's table returns with another figure in one of its cells.
//!
//! Rows belong together where their first cells say the same and they have as many figures. An incident is a row of the report in which some of
//! the figures, and fewer than half of them, differ; where more differ it is another table.
//!
//! Example: "Calibration slope | 0.97 | 0.84" against "Calibration slope | 0.97 | 0.94".

use rust_decimal::Decimal;
use steadfast_annotate::stems;
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};
use crate::numbers::numbers;
use crate::passages::whole;

/// The check's id.
pub(super) const ID: &str = "row-differs";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::C, summary: "a row of the prompt's table returns with another figure", run };

/// What parts the cells of a row.
const CELL: &str = " | ";

/// Whether an obligation is a row with figures.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    row(&item.obligation.text).is_some()
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for ((at, item), near) in case.ask.obligations.iter().enumerate().zip(&case.near) {
        let Some((label, asked)) = row(&item.obligation.text) else { continue };
        for passage in near {
            let Some(claim) = whole(case.answer, passage).filter(|claim| claim.is_of_the_plan()) else { continue };
            let Some((own, stated)) = row(&claim.text) else { continue };
            if own != label || stated.len() != asked.len() {
                continue;
            }
            // "<10" and "0 ?" are no other figures: they say that one is withheld, or not sure.
            let plain = |cell: &str| !cell.contains(['<', '>', '?', '~']);
            let pairs = asked
                .iter()
                .zip(&stated)
                .filter(|((one, wanted), (other, said))| one != other && plain(wanted) && plain(said));
            let differing: Vec<_> = pairs.collect();
            let Some(((_, wanted), (_, said))) = differing.first().filter(|_| differing.len() * 2 <= asked.len())
            else {
                continue;
            };
            incidents.push(
                incident(&CHECK, Severity::Major, 0.9, Evidence::Quote(passage.quote.clone()))
                    .at(case.answer, &claim, &(0..claim.text.len()))
                    .source(item.obligation.source())
                    .obligation(at)
                    .because(format!("Asked: \"{wanted}\"; report: \"{said}\"."))
                    .repair("Put the figure of the prompt back, or say openly that it is changed and why.")
                    .done(),
            );
            break;
        }
    }
    incidents
}

/// The stems of the first cell of a row, and the numbers of each cell that has some, with the cell.
type Row<'a> = (Vec<String>, Vec<(Vec<Decimal>, &'a str)>);

/// The words of the first cell of a row and the figures of the others with the words that have them; nothing for what is no row with figures.
fn row(text: &str) -> Option<Row<'_>> {
    let mut cells = text.split(CELL).map(str::trim);
    let label: Vec<String> = stems(cells.next()?);
    let figures: Vec<(Vec<Decimal>, &str)> =
        cells.map(|cell| (numbers(cell), cell)).filter(|(numbers, _)| !numbers.is_empty()).collect();
    (!label.is_empty() && !figures.is_empty()).then_some((label, figures))
}
