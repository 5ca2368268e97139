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
pub mod tests;
mod todos;
mod untouched;

use steadfast_session::purpose::Purpose;
use steadfast_session::test_log::test_log;

use super::claim::{Claim, ClaimKind, ClaimState};
use super::deeds::Deed;
use super::units::units;

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
    out.sort_by_key(|claim| (claim.span.start, claim.kind));
    out.truncate(CLAIMS_MAX);
    out.dedup_by(|a, b| {
        a.span == b.span && a.kind == b.kind && a.state != ClaimState::Contradicted && a.state == b.state
    });
    out
}

/// Words of the longest sentence that code is sure of: what more words say of a run is seldom all there is to it.
const SURE_WORDS_MAX: usize = 16;

/// Whether code is sure of what contradicts a claim: the claim says in few words how a run ended that failed, and nothing that may be such a run
/// came through behind it. What is said of files, figures and interfaces depends on what is meant by it.
pub(super) fn is_sure(claim: &Claim, report: &str, deeds: &[Deed]) -> bool {
    let stems: &[&str] = match claim.kind {
        ClaimKind::Tests => &["test", "spec", "check", "verify", "ci"],
        ClaimKind::Build => &["build", "compile", "check", "make", "test", "run"],
        ClaimKind::Lint => &["lint", "check", "clippy", "verify", "ci"],
        ClaimKind::Types => &["type", "tsc", "check", "build", "verify", "ci"],
        _ => return false,
    };
    let said = report.get(claim.span.range()).unwrap_or_default();
    let line = report[..claim.span.start.min(report.len())].rfind('\n').map_or(0, |at| at + 1);
    let is_prose = !report[line..].trim_start().starts_with(['#', '|', '>']);
    let Some(at) = claim.evidence.first().and_then(|own| deeds.iter().rposition(|deed| deed.turn == own.turn)) else {
        return false;
    };
    let speaks_of_it = |deed: &Deed| {
        let line = deed.line.as_deref().unwrap_or_default().to_lowercase();
        line.split(|c: char| !c.is_alphanumeric()).any(|word| stems.iter().any(|stem| word.starts_with(stem)))
    };
    // Where tests were run in several ways, which of them a claim means is not plain.
    let mut ways =
        deeds.iter().filter(|deed| deed.runs(Purpose::Test).next().is_some()).map(|deed| deed.key(&[Purpose::Test]));
    let is_one_way = claim.kind != ClaimKind::Tests || ways.next().is_none_or(|first| ways.all(|way| way == first));
    is_prose
        && is_one_way
        && said.split_whitespace().count() <= SURE_WORDS_MAX
        && failed(&deeds[at])
        && deeds[at + 1..].iter().all(|deed| failed(deed) || !speaks_of_it(deed))
}

/// Whether a run failed, by its status or by what it says of its tests.
fn failed(deed: &Deed) -> bool {
    deed.ok == Some(false) || test_log(&deed.output).is_some_and(|log| log.failed > 0)
}
