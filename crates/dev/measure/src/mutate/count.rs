//! What `audit` finds of the changes, and what it says of the faithful report.
//!
//! A change is found where an incident that the faithful report does not have stands at the change's words, or says that something is missing
//! that the prompt says in the words which the change goes against. Every incident on a faithful report is a false one.

use steadfast_audit::incident::Incident;
use steadfast_audit::{Source, audit};
use steadfast_evidence::{Evaluated, Evidence, FileId, Quote};
use steadfast_text::{Document, Span};

use super::operators::{OPERATORS, Operator};
use super::{Case, Pair};
use crate::MeasureError;

/// What is found of one pair.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What is found of each operator, in the order of [`OPERATORS`].
    pub operators: Vec<OfOperator>,
    /// What is said of the faithful report.
    pub false_incidents: Vec<FalseIncident>,
}

/// What is found of the changes of one operator.
#[derive(Clone, Debug)]
pub struct OfOperator {
    /// The operator.
    pub operator: &'static Operator,
    /// Its drifted reports.
    pub cases: usize,
    /// Those of which the change is found.
    pub found: usize,
}

/// An incident on the faithful report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FalseIncident {
    /// The check that raised it.
    pub check: &'static str,
    /// The words of the report; `None` for what is said to be missing.
    pub quote: Option<String>,
}

/// What `audit` finds of the cases of one pair.
///
/// # Errors
///
/// [`MeasureError::Form`] with the pair where prompt or report hold nothing that could be judged.
pub fn judge(pair: &Pair, cases: &[Case]) -> Result<Judged, MeasureError> {
    let mut operators: Vec<OfOperator> =
        OPERATORS.iter().map(|operator| OfOperator { operator, cases: 0, found: 0 }).collect();
    let faithful = incidents(pair, &pair.report)?;
    for case in cases {
        let Some(of) = operators.iter_mut().find(|of| case.operator.is_some_and(|it| it.name == of.operator.name))
        else {
            continue;
        };
        // A report of which a change left nothing that could be judged is refused: no incident stands there.
        let seen = incidents(pair, &case.report(&pair.report)).unwrap_or_default();
        of.cases += 1;
        of.found += usize::from(is_found(case, &seen, &faithful));
    }
    let false_incidents = faithful
        .iter()
        .map(|it| FalseIncident { check: it.finding.check, quote: quote(it).map(|quote| quote.text().to_owned()) });
    Ok(Judged { operators, false_incidents: false_incidents.collect() })
}

fn incidents(pair: &Pair, report: &str) -> Result<Vec<Incident>, MeasureError> {
    let source =
        |file: u32, name: &str, document: Document| Source { file: FileId(file), name: name.to_owned(), document };
    let ask = source(0, "prompt", Document::from_str_as(&pair.ask, pair.ask_format));
    match audit(&ask, vec![source(1, "report", Document::from_str_as(report, pair.report_format))]) {
        Evaluated::Value(evaluation) => Ok(evaluation.incidents),
        Evaluated::NotEvaluable(reason) => {
            Err(MeasureError::Form { file: pair.name.clone(), what: reason.to_string() })
        }
    }
}

const fn quote(incident: &Incident) -> Option<&Quote> {
    match &incident.finding.evidence {
        Evidence::Quote(quote) => Some(quote),
        Evidence::Absence(_) => None,
    }
}

/// Where an incident stands in the report.
fn spans(incident: &Incident) -> impl Iterator<Item = Span> {
    quote(incident).into_iter().chain(&incident.finding.also_at).map(|quote| quote.span())
}

/// Whether the change of a case is among what is seen and was not seen in the faithful report.
fn is_found(case: &Case, seen: &[Incident], faithful: &[Incident]) -> bool {
    let changes = case.spans();
    let source = |it: &Incident| it.finding.source.as_ref().map(|quote| quote.span());
    let text = |it: &Incident| quote(it).map(|quote| quote.text().to_owned());
    let was_there = |it: &Incident, was: &Incident| {
        was.finding.check == it.finding.check
            && was.drift_type == it.drift_type
            && (text(was) == text(it) && source(was) == source(it)
                || spans(was).any(|span| case.edits.iter().any(|edit| edit.span.overlaps(span))))
    };
    seen.iter().filter(|it| !faithful.iter().any(|was| was_there(it, was))).any(|it| {
        let missing = quote(it).is_none()
            && source(it).is_some_and(|source| case.against.is_some_and(|against| against.overlaps(source)));
        missing || spans(it).any(|span| changes.iter().any(|change| change.overlaps(span)))
    })
}
