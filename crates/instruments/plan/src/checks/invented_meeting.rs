//! The plan names a meeting that the notes do not know.
//!
//! A meeting is known if the notes have one at all and the words of its name are words of the notes. An item that carries out an
//! event of the notes invents none, whatever it calls it. "Call", "sync" and the like count as nouns alone. "Stand-up" and the like
//! count whole, in two words only behind an article ("the daily stand up"); "it stands next" and "a brief rest" are no meetings.
//!
//! Example: the notes have a standup; "Budget meeting with the board" is invented.
//!
//! Source: the contract for day plans, section 5.3 (meetings not present in input).

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::answer::Role;
use crate::mentions::unknown_meetings;

/// The check.
pub(super) const CHECK: Check = Check {
    id: "invented-meeting",
    gate: Gate::Invention,
    summary: "the plan names a meeting that the notes do not know",
    run: Run::Plan(judge),
};

fn judge(case: &Case<'_>, report: &mut Report) {
    let known = &case.known;
    for item in case.answer.items.iter().filter(|item| item.role != Role::Event) {
        let mut seen = Vec::new();
        for text in [&item.task, &item.why] {
            for meeting in unknown_meetings(text, case.notes, known) {
                if seen.contains(&meeting) {
                    continue;
                }
                report.broken(
                    item.index,
                    format!("{} speaks of {}, which the notes do not know.", case.name(item), quoted(&meeting)),
                );
                seen.push(meeting);
            }
        }
    }
}
