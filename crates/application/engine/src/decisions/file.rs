//! Decisions of a file, held to the rules by which a store keeps them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use steadfast_wire::decisions::{AcceptedFile, AcceptedFinding, DecisionKind};

use super::{check_of, day, judged_reason, named};
use crate::EngineError;
use crate::hash::uuid_v8;
use crate::limits::FINDINGS_MAX;
use crate::store::StoredDecision;

/// What is wrong with a decision: the member of it, and why.
type Wrong = (&'static str, EngineError);

/// The decisions of `given`, which was read from `file`, the oldest first; of those of one moment in the order of the file. `line` knows on which line of the
/// file a member of a decision stands, or the decision itself where it has none of that name: decisions are counted from 0, lines from 1.
///
/// # Errors
/// [`EngineError::AcceptedFile`] with the first that cannot be.
pub fn accepted_file(
    file: &str,
    given: AcceptedFile,
    line: &dyn Fn(usize, &str) -> Option<usize>,
) -> Result<Vec<StoredDecision>, EngineError> {
    let refused = |what: String| EngineError::AcceptedFile { file: file.to_owned(), what };
    if given.finding.len() > FINDINGS_MAX {
        return Err(refused(format!("holds {} decisions, more than {FINDINGS_MAX}", given.finding.len())));
    }
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut decisions = Vec::with_capacity(given.finding.len());
    for (at, finding) in given.finding.into_iter().enumerate() {
        let refused = |(member, why): Wrong, id: Option<&str>| EngineError::AcceptedFile {
            file: line(at, member).map_or_else(|| file.to_owned(), |line| format!("{file}:{line}")),
            what: format!("decision {}{}: {why}", at + 1, id.map_or_else(String::new, |id| format!(" (`{id}`)"))),
        };
        let id = finding.id.clone();
        // An id that is none is not repeated.
        named("the fingerprint of a finding", &id).map_err(|error| refused(("id", error), None))?;
        if let Some(earlier) = seen.insert(id.clone(), at) {
            let what = format!("decision {} is on the same finding, and a file keeps one for each", earlier + 1);
            return Err(refused(("id", super::refused(what)), Some(&id)));
        }
        decisions.push(stored(finding).map_err(|wrong| refused(wrong, Some(&id)))?);
    }
    decisions.sort_by(|a, b| a.created_at.cmp(&b.created_at));
    Ok(decisions)
}

fn stored(given: AcceptedFinding) -> Result<StoredDecision, Wrong> {
    let AcceptedFinding { id, decision, reason, until, author, decided } = given;
    let of = |member: &'static str| move |error: EngineError| (member, error);
    author.as_deref().map_or(Ok(()), |author| named("who decides", author)).map_err(of("author"))?;
    if decision == DecisionKind::Withdrawn {
        let what = "what is taken back has no place in a file: leave the entry out";
        return Err(("decision", super::refused(what)));
    }
    let reason = judged_reason(&reason, decision).map_err(of("reason"))?.to_owned();
    until.as_deref().map_or(Ok(()), day).map_err(of("until"))?;
    Ok(StoredDecision {
        id: uuid_v8("decision", &[id.as_bytes()]),
        check: check_of(&id).to_owned(),
        finding: id,
        run_id: None,
        decision: decision.name().to_owned(),
        reason,
        author,
        until,
        created_at: moment(&decided).map_err(of("decided"))?,
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
    use crate::limits::FINDING_BYTES_MAX;

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
        // Members stand on lines of their own, six for a decision.
        let members = ["id", "decision", "reason", "until", "author", "decided"];
        let line = |at: usize, member: &str| members.iter().position(|own| *own == member).map(|own| at * 6 + own + 1);
        accepted_file("accepted.toml", AcceptedFile { finding }, &line).unwrap_err().to_string()
    }

    #[test]
    fn decisions_stand_in_the_order_of_their_moments() {
        let given =
            vec![finding("b-0123456789ab", "2026-03-31T10:00:00+02:00"), finding("a-0123456789ab", "2026-03-31")];
        let found = accepted_file("accepted.toml", AcceptedFile { finding: given }, &|_, _| None).unwrap();
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
        let place = |line: usize| format!("accepted.toml:{line}: decision 1 (`a-0123456789ab`): ");
        assert_eq!(
            said(vec![AcceptedFinding { reason: " ".to_owned(), ..own() }]),
            format!("{}a decision needs a reason", place(3))
        );
        assert_eq!(
            said(vec![AcceptedFinding { until: Some("soon".to_owned()), ..own() }]),
            format!("{}`soon` is no day: one is written as 2026-03-31", place(4))
        );
        assert_eq!(
            said(vec![AcceptedFinding { decided: "yesterday".to_owned(), ..own() }]),
            format!("{}`yesterday` is neither a day nor a moment: write 2026-03-31 or 2026-03-31T18:30:00Z", place(6))
        );
        assert_eq!(
            said(vec![AcceptedFinding { decision: DecisionKind::Withdrawn, ..own() }]),
            format!("{}what is taken back has no place in a file: leave the entry out", place(2))
        );
        // It has ten characters and is read as a day where days are read at large.
        assert!(said(vec![AcceptedFinding { until: Some("2026-W14-2".to_owned()), ..own() }]).contains("is no day"));
        for id in ["", "a\u{7}", "x".repeat(FINDING_BYTES_MAX + 1).as_str()] {
            let said = said(vec![AcceptedFinding { id: id.to_owned(), ..own() }]);
            assert!(
                said.starts_with("accepted.toml:1: decision 1: the fingerprint of a finding has 1 to 200"),
                "{said}"
            );
            assert!(said.len() < 200, "{said}");
        }
        assert_eq!(
            said(vec![own(), own()]),
            "accepted.toml:7: decision 2 (`a-0123456789ab`): decision 1 is on the same finding, and a file keeps one for each"
        );
    }
}
