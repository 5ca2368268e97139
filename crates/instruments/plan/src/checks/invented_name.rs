//! The plan names somebody or something that the notes do not know: in an item's task, its `why`, beside it.
//!
//! A name is known if all its words are words of the notes. Weekdays, months and short forms that everybody uses are no names;
//! a capital at the head of a sentence makes none. Nor does the plan invent what the notes say in other words: the support score
//! ([`steadfast_grounding`]) holds that they name it, and that something in them stands for every word of it ("UN" for "United Nations",
//! "German" for "Germany"). Of the labelled entities of `entfa` whose words are not all in the article that takes 23 of 57 false alarms of the
//! kept half away, and 11 of 205 that are right (of the tuned half 26 of 50, and 16 of 252).
//!
//! Example: the notes speak of Ana; "Call Ana and Zoltan" invents Zoltan.
//!
//! Source: the contract for day plans, section 5.3 (people or entities not present in input).

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::mentions::{is_known, is_nobody, unknown_names};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "invented-name",
    gate: Gate::Invention,
    summary: "the plan names somebody or something that the notes do not know",
    run: Run::Plan(judge),
};

fn judge(case: &Case<'_>, report: &mut Report) {
    let known = &case.known;
    for item in &case.answer.items {
        let beside = item.with.iter().chain(&item.place).filter(|name| !is_nobody(name) && !is_known(name, known));
        let mut invented: Vec<String> = beside.filter(|name| !case.says_otherwise(name, name)).cloned().collect();
        for text in [&item.task, &item.why] {
            for name in unknown_names(text, known) {
                if !invented.contains(&name) && !case.says_otherwise(text, &name) {
                    invented.push(name);
                }
            }
        }
        for name in invented {
            report.broken(item.index, format!("{} names {}, which the notes do not.", case.name(item), quoted(&name)));
        }
    }
}
