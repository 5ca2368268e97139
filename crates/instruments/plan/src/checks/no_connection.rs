//! The plan goes from one place to another where the notes know no way.
//!
//! Example: "direct flights: Oslo and Porto, Porto and Rome", and the plan goes from Oslo to Rome.
//!
//! Source: the rules of `docs/plan.md` (allowed connections).

use std::collections::{BTreeSet, HashSet};

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::matching::words;
use crate::model::{Constraint, Rule};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "no-connection",
    gate: Gate::Constraint,
    summary: "the plan goes where the notes know no way",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::Connection { links } = rule else { return };
    let mut ways: HashSet<(BTreeSet<String>, BTreeSet<String>)> = HashSet::new();
    for link in links {
        let (from, to) = (words(&link.from), words(&link.to));
        if link.both_ways {
            ways.insert((to.clone(), from.clone()));
        }
        ways.insert((from, to));
    }
    for pair in case.stops.windows(2) {
        let [a, b] = pair else { continue };
        let (from, to) = (words(&a.place), words(&b.place));
        if from == to || ways.contains(&(from, to)) {
            continue;
        }
        report.broken(
            b.item.or(a.item),
            format!("there is no way from {} to {} ({}).", a.place, b.place, quoted(constraint.text())),
        );
    }
}
