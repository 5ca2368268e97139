//! What a judge finds of the changes, and what it says of faithful reports.
//!
//! A change is found where an incident that the faithful report does not have stands at the change's words, or says that something is missing
//! that the prompt says in the words which the change goes against. Every incident on a faithful report is a false one.

use std::collections::HashMap;

use steadfast_audit::{Source, audit};
use steadfast_evidence::{Evaluated, Evidence, FileId};
use steadfast_text::{Document, QuoteIndex, Span};
use steadfast_wire::audit::DriftType;
use steadfast_wire::mutate::{
    Change, FalseIncident, Missed, MutationCase, MutationQuestion, Mutations, OfOperator, SCHEMA_VERSION,
};

use super::answers::{Answer, Claimed};
use super::operators::OPERATORS;
use super::{Case, Pair, Settings};
use crate::sets::drift::share;
use crate::{Count, MeasureError, Metric, Row, Statistic};

/// The name of the set in figures and rows.
pub const SET: &str = "mutate";

const FALSE_INCIDENTS: usize = 1;
const TYPE_ACCURACY: usize = 2;
const NOTICED: usize = 3;
const FIRST_KIND: usize = 4;

const fn ratio(name: &'static str) -> Metric {
    Metric { name, statistic: Statistic::Ratio, floor: None, published: None }
}

/// The metrics: of changes those that were found, false incidents in 1,000 words of faithful reports, of found changes those to which the right type was given, changes
/// of which an incident anywhere in the report tells, and recall by type.
pub const METRICS: &[Metric] = &[
    ratio("recall"),
    ratio("false_incidents_per_1000_words"),
    ratio("type_accuracy"),
    ratio("noticed"),
    ratio("recall/A"),
    ratio("recall/B"),
    ratio("recall/C"),
    ratio("recall/D"),
    ratio("recall/E"),
    ratio("recall/F"),
    ratio("recall/G"),
    ratio("recall/H"),
    ratio("recall/I"),
    ratio("recall/J"),
];

/// An incident, whoever raised it.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// The check, where a check raised it.
    check: Option<&'static str>,
    kind: Option<DriftType>,
    /// Words of the report; none for what is missing.
    pub(super) quote: Option<String>,
    /// Where they stand.
    pub(super) spans: Vec<Span>,
    /// The words of the prompt.
    pub(super) source: Option<Span>,
}

/// What came of one case.
#[derive(Clone, Debug, Default)]
struct Outcome {
    found: bool,
    right_type: bool,
    noticed: bool,
    checks: Vec<&'static str>,
}

/// What the audit's rules find.
///
/// # Errors
///
/// [`MeasureError::Form`] with the pair where prompt or report hold nothing that could be judged.
pub fn judge_by_rules(
    pairs: &[Pair],
    cases: &[Case],
    settings: Settings,
) -> Result<(Mutations, Vec<Row>), MeasureError> {
    count("rules", pairs, cases, settings, &by_rules).map(|(report, rows, _)| (report, rows))
}

/// What the audit's rules find in one report.
pub(super) fn by_rules(case: &Case, pair: &Pair, report: &str) -> Result<Vec<Seen>, MeasureError> {
    let source =
        |file: u32, name: &str, document: Document| Source { file: FileId(file), name: name.to_owned(), document };
    let ask = source(0, "prompt", Document::from_str_as(&pair.ask, pair.ask_format));
    match audit(&ask, vec![source(1, "report", Document::from_str_as(report, pair.report_format))]) {
        Evaluated::Value(evaluation) => Ok(evaluation.incidents.iter().map(seen).collect()),
        // A report of which a change left nothing that could be judged is refused: that is found as well.
        Evaluated::NotEvaluable(_) if case.operator.is_some() => Ok(Vec::new()),
        Evaluated::NotEvaluable(reason) => {
            Err(MeasureError::Form { file: pair.name.clone(), what: reason.to_string() })
        }
    }
}

fn seen(incident: &steadfast_audit::incident::Incident) -> Seen {
    let finding = &incident.finding;
    let own = match &finding.evidence {
        Evidence::Quote(quote) => Some(quote),
        Evidence::Absence(_) => None,
    };
    Seen {
        check: Some(finding.check),
        kind: Some(incident.drift_type),
        quote: own.map(|quote| quote.text().to_owned()),
        spans: own.into_iter().chain(&finding.also_at).map(|quote| quote.span()).collect(),
        source: finding.source.as_ref().map(|quote| quote.span()),
    }
}

/// What somebody else says of the same cases.
///
/// # Errors
///
/// [`MeasureError::Form`] where a case has no answer, and where an answer names no case.
pub fn judge_by_answers(
    file: &str,
    pairs: &[Pair],
    cases: &[Case],
    settings: Settings,
    answers: &HashMap<String, Answer>,
) -> Result<(Mutations, Vec<Row>), MeasureError> {
    all_answered(file, cases, settings, answers)?;
    let judge = |case: &Case, pair: &Pair, report: &str| Ok(by_answer(pair, report, answers.get(&case.id)));
    let (mut report, rows, not_located) = count("answers", pairs, cases, settings, &judge)?;
    report.not_located = not_located;
    Ok((report, rows))
}

/// Holds that every case has one answer, and every answer a case.
pub(super) fn all_answered(
    file: &str,
    cases: &[Case],
    settings: Settings,
    answers: &HashMap<String, Answer>,
) -> Result<(), MeasureError> {
    let strange = answers.iter().filter(|(id, _)| !cases.iter().any(|case| case.id == **id));
    if let Some((id, answer)) = strange.min_by_key(|(_, answer)| answer.place.clone()) {
        let what = format!(
            "`{id}` is no case of these pairs with seed {} and {} for each operator",
            settings.seed, settings.per_operator
        );
        return Err(MeasureError::Form { file: answer.place.clone(), what });
    }
    let unanswered: Vec<&str> =
        cases.iter().filter(|case| !answers.contains_key(&case.id)).map(|case| case.id.as_str()).collect();
    if let Some(first) = unanswered.first() {
        let what = format!("{} of {} cases have no answer, the first is `{first}`", unanswered.len(), cases.len());
        return Err(MeasureError::Form { file: file.to_owned(), what });
    }
    Ok(())
}

/// What an answer says of one report, where its quotes stand.
pub(super) fn by_answer(pair: &Pair, report: &str, answer: Option<&Answer>) -> Vec<Seen> {
    let (ask, report) =
        (Document::from_str_as(&pair.ask, pair.ask_format), Document::from_str_as(report, pair.report_format));
    let (ask, report) = (QuoteIndex::new(&ask), QuoteIndex::new(&report));
    let locate = |index: &QuoteIndex<'_>, text: &Option<String>| {
        text.as_deref().and_then(|text| index.locate(text)).map(|located| located.span)
    };
    let seen = |claimed: &Claimed| Seen {
        check: None,
        kind: claimed.kind,
        quote: claimed.output.clone(),
        spans: locate(&report, &claimed.output).into_iter().collect(),
        source: locate(&ask, &claimed.source),
    };
    answer.into_iter().flat_map(|answer| &answer.incidents).map(seen).collect()
}

type Judge<'a> = &'a dyn Fn(&Case, &Pair, &str) -> Result<Vec<Seen>, MeasureError>;

fn count(
    judge_name: &str,
    pairs: &[Pair],
    cases: &[Case],
    settings: Settings,
    judge: Judge<'_>,
) -> Result<(Mutations, Vec<Row>, usize), MeasureError> {
    let mut rows = Vec::new();
    let mut operators: Vec<OfOperator> = OPERATORS.iter().map(of_operator).collect();
    let (mut false_incidents, mut missed) = (Vec::new(), Vec::new());
    let mut not_located = 0;
    let mut faithful: Vec<Seen> = Vec::new();
    for case in cases {
        let pair = &pairs[case.pair];
        let seen = judge(case, pair, &case.report(&pair.report))?;
        not_located += seen.iter().filter(|it| it.quote.is_some() && it.spans.is_empty()).count();
        let Some(operator) = case.operator else {
            false_incidents.extend(seen.iter().map(|it| FalseIncident {
                pair: pair.name.clone(),
                check: it.check.map(str::to_owned),
                drift_type: it.kind,
                output_claim: it.quote.clone(),
            }));
            rows.push(faithful_row(case, pair, &seen));
            faithful = seen;
            continue;
        };
        let outcome = outcome(case, &seen, &faithful);
        rows.push(row(case, pair, operator.kind, operator.name, &outcome));
        if let Some(of) = operators.iter_mut().find(|of| of.operator == operator.name) {
            let (kept, found) = (usize::from(!pair.tuned), usize::from(outcome.found));
            of.cases += 1;
            of.found += found;
            of.kept_cases += kept;
            of.kept_found += kept * found;
        }
        if !outcome.found {
            missed.push(Missed {
                id: case.id.clone(),
                pair: pair.name.clone(),
                tuned: pair.tuned,
                drift_type: operator.kind,
                operator: operator.name.to_owned(),
                changes: changes(case, pair),
                source_reference: against(case, pair),
            });
        }
    }
    let figures = METRICS.iter().enumerate().map(|(index, metric)| crate::figure::figure(SET, metric, index, &rows));
    let pairs = cases.iter().filter(|case| case.operator.is_none()).count();
    let report = Mutations {
        schema_version: SCHEMA_VERSION.to_owned(),
        judge: judge_name.to_owned(),
        seed: settings.seed,
        per_operator: settings.per_operator,
        pairs,
        cases: cases.len() - pairs,
        rows: figures.collect(),
        operators,
        false_incidents,
        missed,
        not_located: 0,
    };
    Ok((report, rows, not_located))
}

fn of_operator(operator: &super::operators::Operator) -> OfOperator {
    OfOperator {
        drift_type: operator.kind,
        operator: operator.name.to_owned(),
        about: operator.about.to_owned(),
        cases: 0,
        found: 0,
        kept_cases: 0,
        kept_found: 0,
    }
}

/// What came of a case, against what was seen in the faithful report.
fn outcome(case: &Case, seen: &[Seen], faithful: &[Seen]) -> Outcome {
    let spans = case.spans();
    let mut outcome = Outcome::default();
    for it in seen {
        let before = |was: &Seen| {
            was.check == it.check
                && was.kind == it.kind
                && (was.quote == it.quote && was.source == it.source
                    || was.spans.iter().any(|span| case.edits.iter().any(|edit| edit.span.overlaps(*span))))
        };
        if faithful.iter().any(before) {
            continue;
        }
        outcome.noticed = true;
        let at_change = it.spans.iter().any(|span| spans.iter().any(|change| change.overlaps(*span)));
        let missing = it.quote.is_none()
            && it.source.is_some_and(|source| case.against.is_some_and(|against| against.overlaps(source)));
        if at_change || missing {
            outcome.found = true;
            outcome.right_type |= it.kind.is_some() && it.kind == case.kind();
            outcome.checks.extend(it.check);
        }
    }
    outcome
}

fn faithful_row(case: &Case, pair: &Pair, seen: &[Seen]) -> Row {
    let words = pair.report.split_whitespace().count();
    let checks: Vec<&str> = seen.iter().filter_map(|it| it.check).collect();
    Row {
        id: format!("{}/faithful", pair.name),
        prediction: if checks.is_empty() { format!("{} incidents", seen.len()) } else { checks.join(", ") },
        score: None,
        label: String::new(),
        tuned: pair.tuned,
        group: Some(case.pair),
        counts: vec![Count { metric: FALSE_INCIDENTS, counts: [seen.len() as f64 * 1_000.0, words as f64, 0.0, 0.0] }],
    }
}

fn row(case: &Case, pair: &Pair, kind: DriftType, operator: &str, outcome: &Outcome) -> Row {
    let mut counts = vec![
        share(0, outcome.found),
        share(NOTICED, outcome.noticed),
        share(FIRST_KIND + kind as usize, outcome.found),
    ];
    if outcome.found {
        counts.push(share(TYPE_ACCURACY, outcome.right_type));
    }
    let is: Vec<&str> = case.edits.iter().map(|edit| edit.text.trim()).filter(|text| !text.is_empty()).collect();
    Row {
        id: format!("{}/{}", pair.name, case.id),
        prediction: if outcome.checks.is_empty() && outcome.found {
            "found".to_owned()
        } else {
            outcome.checks.join(", ")
        },
        score: None,
        label: format!("{} {operator}: {}", kind.letter(), is.join(" … ")),
        tuned: pair.tuned,
        group: Some(case.pair),
        counts,
    }
}

/// The changes of a case with what stood there.
fn changes(case: &Case, pair: &Pair) -> Vec<Change> {
    let mut moved = 0_isize;
    let of = |edit: &super::Edit| {
        let start = edit.span.start.saturating_add_signed(moved);
        moved += edit.text.len() as isize - edit.span.len() as isize;
        Change {
            start,
            end: start + edit.text.len(),
            was: pair.report[edit.span.range()].to_owned(),
            is: edit.text.clone(),
        }
    };
    case.edits.iter().map(of).collect()
}

fn against(case: &Case, pair: &Pair) -> Option<String> {
    case.against.and_then(|span| pair.ask.get(span.range())).map(str::to_owned)
}

/// A case with all that is known of it.
#[must_use]
pub fn published(case: &Case, pairs: &[Pair]) -> MutationCase {
    let pair = &pairs[case.pair];
    MutationCase {
        id: case.id.clone(),
        pair: pair.name.clone(),
        tuned: pair.tuned,
        drift_type: case.kind(),
        operator: case.operator.map(|operator| operator.name.to_owned()),
        prompt: pair.ask.clone(),
        report: case.report(&pair.report),
        changes: changes(case, pair),
        source_reference: against(case, pair),
    }
}

/// A case as a judge is to see it.
#[must_use]
pub fn question(case: &Case, pairs: &[Pair]) -> MutationQuestion {
    let pair = &pairs[case.pair];
    MutationQuestion { id: case.id.clone(), prompt: pair.ask.clone(), report: case.report(&pair.report) }
}
