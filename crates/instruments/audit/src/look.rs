//! What the checks find in a report, arranged: one incident for one fault.

use std::num::NonZeroU64;

use steadfast_evidence::{Evidence, Status};
use steadfast_steps::{current, spend, within};
use steadfast_text::Document;

use crate::answer::Answer;
use crate::ask::Contract;
use crate::checks::{self, Case};
use crate::given::Given;
use crate::incident::{Incident, incident_quote};
use crate::status::Judged;
use crate::{status, trail};

/// What the wanted checks find, arranged.
pub(crate) struct Looked {
    pub(crate) incidents: Vec<Incident>,
    /// The obligations before incidents are counted.
    pub(crate) before: Vec<Judged>,
    /// Whether a check was broken off: it would have taken too many steps.
    pub(crate) broken_off: bool,
}

/// One check spends at most one part in so many of what may still be spent.
const CHECK_PARTS: NonZeroU64 = NonZeroU64::new(4).expect("it is not 0");

/// Why a report is not judged.
pub(crate) const TOO_MUCH: &str = "to judge it takes more steps than a text of its size may take";

/// Looks at the report with all checks. Where one of them is broken off, no obligation counts as judged but those that the others
/// find broken.
pub(crate) fn look(contract: &Contract, answer: &Answer, context: &[Document]) -> Looked {
    let case = Case::new(contract, answer);
    let mut incidents: Vec<Incident> = Vec::new();
    let mut broken_off = false;
    for check in checks::ALL {
        match within(&current().part(CHECK_PARTS), || (check.run)(&case)) {
            Ok(found) => incidents.extend(found),
            Err(_) => broken_off = true,
        }
    }
    link(&mut incidents, contract);
    let given = Given::of(context);
    incidents.retain(|incident| !rests_on_disputed(incident, contract) && !given.has(incident));
    let mut before = status::of_obligations(contract, answer, case.near);
    if broken_off {
        for judged in &mut before {
            (judged.status, judged.assessed) = (Status::NotAssessed, false);
        }
    }
    // What something in the report comes near is not missing.
    incidents.retain(|incident| {
        matches!(incident.finding.evidence, Evidence::Quote(_))
            || incident
                .finding
                .obligation
                .and_then(|index| before.get(index))
                .is_none_or(|judged| judged.status == Status::Unmentioned)
    });
    arrange(&mut incidents);
    trail::follow(&mut incidents, contract, answer);
    Looked { incidents, before, broken_off }
}

/// Whether an incident rests on words that a person's reading leaves out.
fn rests_on_disputed(incident: &Incident, contract: &Contract) -> bool {
    let Some(source) = incident.finding.source.as_ref().filter(|_| incident.finding.obligation.is_none()) else {
        return false;
    };
    contract.disputed.iter().any(|item| item.obligation.source().span().overlaps(source.span()))
}

/// An incident whose source is the very words of an obligation breaks that obligation.
fn link(incidents: &mut [Incident], contract: &Contract) {
    for incident in incidents.iter_mut().filter(|incident| incident.finding.obligation.is_none()) {
        let Some(source) = &incident.finding.source else { continue };
        spend(contract.obligations.len());
        incident.finding.obligation =
            contract.obligations.iter().position(|item| item.obligation.source().span() == source.span());
    }
}

/// Sorts incidents, the gravest and surest first.
pub(crate) fn sort(incidents: &mut [Incident]) {
    incidents.sort_by(|a, b| {
        let key = |incident: &Incident| {
            (
                std::cmp::Reverse(incident.finding.severity),
                std::cmp::Reverse((incident.finding.confidence.value() * 1e6) as u64),
                incident.drift_type,
                incident_quote(incident).map(|quote| (quote.file(), quote.span())),
                incident.finding.check,
            )
        };
        key(a).cmp(&key(b))
    });
}

/// Sorts incidents, the gravest and surest first, and keeps one for one fault: of two of one type on the same words the
/// graver stays.
fn arrange(incidents: &mut Vec<Incident>) {
    sort(incidents);
    let mut kept: Vec<Incident> = Vec::with_capacity(incidents.len());
    for incident in incidents.drain(..) {
        spend(kept.len());
        let repeats = kept.iter().any(|earlier| {
            earlier.drift_type == incident.drift_type
                && !breaks_another(earlier, &incident)
                && match (&earlier.finding.evidence, &incident.finding.evidence) {
                    (Evidence::Quote(a), Evidence::Quote(b)) => a.file() == b.file() && a.span().overlaps(b.span()),
                    _ => false,
                }
        });
        if !repeats {
            kept.push(incident);
        }
    }
    // What another incident shows to be changed or misread is not missing as well.
    let shown: Vec<usize> = kept
        .iter()
        .filter(|incident| matches!(incident.finding.evidence, Evidence::Quote(_)))
        .filter_map(|incident| incident.finding.obligation)
        .collect();
    kept.retain(|incident| {
        matches!(incident.finding.evidence, Evidence::Quote(_))
            || incident.finding.obligation.is_none_or(|index| !shown.contains(&index))
    });
    *incidents = kept;
}

/// Whether two incidents of one check break two obligations: "bullet points and an emoji in each heading" may break two bans. What a report is as a
/// whole breaks one of its own.
fn breaks_another(earlier: &Incident, incident: &Incident) -> bool {
    let (one, other) = (&earlier.finding, &incident.finding);
    let apart = match (&one.source, &other.source) {
        (Some(a), Some(b)) => !a.span().overlaps(b.span()),
        _ => false,
    };
    let whole = [one.check, other.check].contains(&checks::OF_THE_WHOLE);
    whole && (apart || one.check == other.check)
        || one.check == other.check && one.obligation.is_some() && other.obligation.is_some() && apart
}
