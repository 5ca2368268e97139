//! Decisions of a file, held to the rules by which a store keeps them.

use std::collections::BTreeSet;

use jiff::Timestamp;
use steadfast_wire::decisions::{AcceptedFile, AcceptedFinding, DecisionKind};

use super::{check_of, day, judged_reason, named};
use crate::EngineError;
use crate::hash::uuid_v8;
use crate::limits::FINDINGS_MAX;
use crate::store::StoredDecision;

/// The decisions of `given`, which was read from `file`, the oldest first; of those of one moment in the order of the file.
///
/// # Errors
/// [`EngineError::AcceptedFile`] with the first that cannot be.
pub fn accepted_file(file: &str, given: AcceptedFile) -> Result<Vec<StoredDecision>, EngineError> {
    let refused = |what: String| EngineError::AcceptedFile { file: file.to_owned(), what };
    if given.finding.len() > FINDINGS_MAX {
        return Err(refused(format!("holds {} decisions, more than {FINDINGS_MAX}", given.finding.len())));
    }
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut decisions = Vec::with_capacity(given.finding.len());
    for (at, finding) in given.finding.into_iter().enumerate() {
        let place = format!("decision {} (`{}`)", at + 1, finding.id);
        if !seen.insert(finding.id.clone()) {
            return Err(refused(format!(
                "{place}: an earlier one is on the same finding, and a file keeps one for each"
            )));
        }
        decisions.push(stored(finding).map_err(|error| refused(format!("{place}: {error}")))?);
    }
    decisions.sort_by(|a, b| a.created_at.cmp(&b.created_at));
    Ok(decisions)
}

fn stored(given: AcceptedFinding) -> Result<StoredDecision, EngineError> {
    let AcceptedFinding { id, decision, reason, until, author, decided } = given;
    named("the fingerprint of a finding", &id)?;
    author.as_deref().map_or(Ok(()), |author| named("who decides", author))?;
    if decision == DecisionKind::Withdrawn {
        return Err(super::refused("what is taken back has no place in a file: leave the entry out"));
    }
    let reason = judged_reason(&reason, decision)?.to_owned();
    until.as_deref().map_or(Ok(()), day)?;
    Ok(StoredDecision {
        id: uuid_v8("decision", &[id.as_bytes()]),
        check: check_of(&id).to_owned(),
        finding: id,
        run_id: None,
        decision: decision.name().to_owned(),
        reason,
        author,
        until,
        created_at: moment(&decided)?,
    })
}

/// The moment at which something was decided: RFC 3339, or the beginning of a day.
fn moment(given: &str) -> Result<String, EngineError> {
    if day(given).is_ok() {
        return Ok(format!("{given}T00:00:00.000Z"));
    }
    let what =
        || super::refused(format!("`{given}` is neither a day nor a moment: write 2026-03-31 or 2026-03-31T18:30:00Z"));
    given.parse::<Timestamp>().map(|moment| format!("{moment:.3}")).map_err(|_| what())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(id: &str, decided: &str) -> AcceptedFinding {
        AcceptedFinding {
            id: id.to_owned(),
            decision: DecisionKind::Accept,
            reason: "so".to_owned(),
            until: None,
            author: None,
            decided: decided.to_owned(),
        }
    }

    fn said(finding: Vec<AcceptedFinding>) -> String {
        accepted_file("accepted.toml", AcceptedFile { finding }).unwrap_err().to_string()
    }

    #[test]
    fn decisions_stand_in_the_order_of_their_moments() {
        let given =
            vec![finding("b-0123456789ab", "2026-03-31T10:00:00+02:00"), finding("a-0123456789ab", "2026-03-31")];
        let found = accepted_file("accepted.toml", AcceptedFile { finding: given }).unwrap();
        let told: Vec<[&str; 3]> =
            found.iter().map(|own| [own.finding.as_str(), own.check.as_str(), own.created_at.as_str()]).collect();
        assert_eq!(
            told,
            [["a-0123456789ab", "a", "2026-03-31T00:00:00.000Z"], ["b-0123456789ab", "b", "2026-03-31T08:00:00.000Z"]]
        );
    }

    #[test]
    fn what_cannot_be_is_named() {
        let own = || finding("a-0123456789ab", "2026-03-31");
        let place = "accepted.toml: decision 1 (`a-0123456789ab`): ";
        assert_eq!(
            said(vec![AcceptedFinding { reason: " ".to_owned(), ..own() }]),
            format!("{place}a decision needs a reason")
        );
        assert_eq!(
            said(vec![AcceptedFinding { until: Some("soon".to_owned()), ..own() }]),
            format!("{place}`soon` is no day: one is written as 2026-03-31")
        );
        assert_eq!(
            said(vec![AcceptedFinding { decided: "yesterday".to_owned(), ..own() }]),
            format!("{place}`yesterday` is neither a day nor a moment: write 2026-03-31 or 2026-03-31T18:30:00Z")
        );
        assert_eq!(
            said(vec![AcceptedFinding { decision: DecisionKind::Withdrawn, ..own() }]),
            format!("{place}what is taken back has no place in a file: leave the entry out")
        );
        assert_eq!(
            said(vec![own(), own()]),
            "accepted.toml: decision 2 (`a-0123456789ab`): an earlier one is on the same finding, and a file keeps one for each"
        );
    }
}
