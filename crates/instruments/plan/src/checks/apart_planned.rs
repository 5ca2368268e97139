//! A plan does what the notes set apart: what is done, cancelled, for another day or somebody else's.
//!
//! An item is judged by the words of its `task`, compared as stems, where it carries out no task of the notes and no event. It does what
//! is set apart if at least half of its words stand there.
//!
//! Example: "newsletter: not today", and the plan has "newsletter".
//!
//! Source: `docs/plan.md` (every line of the notes is read, set apart or asked about).

use std::collections::BTreeSet;

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::model::vocabulary;
use crate::open::Aside;

/// The check.
pub(super) const CHECK: Check = Check {
    id: "apart-planned",
    gate: Gate::Invention,
    summary: "the plan does what the notes set apart",
    run: Run::Plan(judge),
};

fn judge(case: &Case<'_>, report: &mut Report) {
    let asks = |own: &&crate::open::Apart| own.reason != Aside::Chatter;
    let apart: Vec<(&crate::open::Apart, BTreeSet<String>)> =
        case.notes.apart.iter().filter(asks).map(|own| (own, vocabulary(own.quote.text()))).collect();
    for item in
        case.answer.items.iter().filter(|item| item.is_work() && item.tasks.is_empty() && !item.stems.is_empty())
    {
        let shares = |stems: &BTreeSet<String>| item.stems.intersection(stems).count() * 2 >= item.stems.len();
        if let Some((own, _)) = apart.iter().find(|(_, stems)| shares(stems)) {
            let message = format!("{} is set apart in the notes ({}).", case.name(item), quoted(own.quote.text()));
            report.broken(item.index, message);
        }
    }
}
