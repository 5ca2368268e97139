//! A part of a long list: what is asked for is shown, what is counted stays.

use steadfast_wire::audit::DriftEvaluation;

use crate::EngineError;

/// Which incidents are listed. Scores, counts, totals and obligations stay those of the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// How many at most; all of them where it is `None`.
    pub limit: Option<usize>,
    /// Only incidents of at least this severity, 0 to 4.
    pub min_severity: u8,
    /// Where the page begins, as `next_cursor` of the page before said.
    pub cursor: Option<String>,
}

/// Leaves in `evaluation` only the incidents that `page` asks for.
///
/// # Errors
/// [`EngineError::Cursor`] where the cursor is no number within the list.
pub fn page(mut evaluation: DriftEvaluation, page: &Page) -> Result<DriftEvaluation, EngineError> {
    evaluation.drift_incidents.retain(|incident| incident.severity >= page.min_severity);
    let listed = evaluation.drift_incidents.len();
    let start = match &page.cursor {
        None => 0,
        Some(cursor) => match cursor.parse::<usize>() {
            Ok(start) if start <= listed => start,
            _ => return Err(EngineError::Cursor { cursor: cursor.clone() }),
        },
    };
    evaluation.drift_incidents.drain(..start);
    if let Some(limit) = page.limit.filter(|limit| *limit < evaluation.drift_incidents.len()) {
        evaluation.drift_incidents.truncate(limit);
        evaluation.next_cursor = Some((start + limit).to_string());
    }
    Ok(evaluation)
}

#[cfg(test)]
mod tests {
    use steadfast_wire::audit::{DriftIncident, DriftType, Totals, Voice};

    use super::*;

    fn incident(severity: u8) -> DriftIncident {
        DriftIncident {
            id: String::new(),
            check: String::new(),
            drift_type: DriftType::A,
            severity,
            section: String::new(),
            source_reference: String::new(),
            output_claim: String::new(),
            explanation: String::new(),
            confidence: 1.0,
            source_span: None,
            output_span: None,
            absent: false,
            also_at: Vec::new(),
            repair_action: String::new(),
            voice: Voice::Asserted,
            introduced_in: None,
            obligation: None,
        }
    }

    /// Severities that are listed, and the next cursor.
    #[track_caller]
    fn check(limit: Option<usize>, min_severity: u8, cursor: Option<&str>, expect: &str) {
        let incidents: Vec<DriftIncident> = [4, 3, 3, 2, 0].map(incident).to_vec();
        let totals = Totals::of(&incidents);
        let evaluation = DriftEvaluation { drift_incidents: incidents, totals, ..DriftEvaluation::default() };
        let page = super::page(evaluation, &Page { limit, min_severity, cursor: cursor.map(str::to_owned) });
        let said = match page {
            Ok(page) => {
                assert_eq!(page.totals.incidents, 5, "totals are of the whole");
                let listed: Vec<String> = page.drift_incidents.iter().map(|it| it.severity.to_string()).collect();
                format!("{} | {}", listed.join(" "), page.next_cursor.unwrap_or_default())
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(said, expect);
    }

    #[test]
    fn pages() {
        check(None, 0, None, "4 3 3 2 0 | ");
        check(Some(2), 0, None, "4 3 | 2");
        check(Some(2), 0, Some("2"), "3 2 | 4");
        check(Some(2), 0, Some("4"), "0 | ");
        check(Some(5), 0, None, "4 3 3 2 0 | ");
        check(Some(0), 0, None, " | 0");
        check(None, 3, None, "4 3 3 | ");
        check(Some(1), 3, Some("1"), "3 | 2");
        check(None, 0, Some("6"), "`6` is no cursor of this list");
        check(None, 0, Some("-1"), "`-1` is no cursor of this list");
    }
}
