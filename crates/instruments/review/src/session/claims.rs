//! What a report says of the work, held against the deeds. One file for one kind of claim.

mod added;
mod breaking;
mod figures;
mod files;
mod lines;
mod names;
mod pushed;
mod runs;
pub mod said;
mod sure;
pub mod tests;
mod todos;
mod untouched;

use super::claim::{Claim, ClaimState};
use super::deeds::Deed;
use super::units::units;
pub(super) use sure::is_sure;

/// The most claims that are kept, in the order of the report.
pub const CLAIMS_MAX: usize = 500;

/// What a report claims, in its order. A sentence may claim several things; the same thing claimed twice in one sentence counts once.
#[must_use]
pub fn claims(report: &str, deeds: &[Deed]) -> Vec<Claim> {
    let units = units(report);
    let runs = tests::Runs::of(deeds);
    let told = tests::Told::of(&units);
    let mut out = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        if out.len() >= CLAIMS_MAX {
            break;
        }
        // What is marked as not done is an admission.
        if unit.open {
            continue;
        }
        let mut own: Vec<Claim> = Vec::new();
        own.extend(tests::check(unit, told.of_unit(at), &told, &runs, deeds));
        own.extend(runs::check(unit, deeds));
        own.extend(added::check(unit, deeds));
        own.extend(files::check(unit, deeds));
        own.extend(lines::check(unit, deeds));
        own.extend(breaking::check(unit, deeds));
        own.extend(todos::check(unit, deeds));
        own.extend(pushed::check(unit, deeds));
        own.extend(figures::check(unit, deeds));
        own.extend(names::check(unit, deeds));
        own.extend(untouched::check(unit, deeds));
        out.append(&mut own);
    }
    // "Only `a.py` was changed" does not half hold: what is contradicted is not supported as well.
    let denied: Vec<_> =
        out.iter().filter(|own| own.state == ClaimState::Contradicted).map(|own| (own.span, own.kind)).collect();
    out.retain(|own| own.state != ClaimState::Supported || !denied.contains(&(own.span, own.kind)));
    out.sort_by_key(|claim| (claim.span.start, claim.kind));
    out.truncate(CLAIMS_MAX);
    out.dedup_by(|a, b| {
        a.span == b.span && a.kind == b.kind && a.state != ClaimState::Contradicted && a.state == b.state
    });
    out
}
