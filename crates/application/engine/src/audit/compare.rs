//! The use case: two audits of one ask, held against each other.

use std::collections::BTreeMap;

use steadfast_wire::audit::{
    AuditComparison, Basis, COMPARISON_SCHEMA_VERSION, Caveat, ComparedAudit, ComparedIncidents, ComparisonCounts,
    Dimension, DimensionPair, DriftEvaluation, DriftIncident, IncidentPair, Judge, Obligation, ObligationChange,
    ObligationPair, Role, Status,
};
use steadfast_wire::from_json;

use super::{AuditInput, AuditRequest, audit};
use crate::EngineError;
use crate::pool::on_pool;
use crate::runs::{run_texts, show_run};
use crate::store::RunStore;

/// What is audited of one side, or was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuditGiven {
    /// Something to audit, by the rules.
    Input(AuditInput),
    /// An audit that was made.
    Result {
        /// Its JSON.
        json: String,
        /// The texts of its files, by their names in `sources`, as far as they are known.
        texts: BTreeMap<String, String>,
    },
}

/// One of two audits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditSide {
    /// What it is called.
    pub name: String,
    /// What is audited, or was.
    pub given: AuditGiven,
}

/// What came of two audits.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditComparisonOutcome {
    /// The comparison.
    pub comparison: AuditComparison,
    /// The texts of A's files and of B's, by their names in `sources`, as far as they are known.
    pub texts: [BTreeMap<String, String>; 2],
    /// Files that were given and not read.
    pub ignored: Vec<String>,
}

/// A stored run of `audit` as one of two.
///
/// # Errors
/// [`EngineError::NoRun`], [`EngineError::AuditFile`] where it is a run of another verb, or [`EngineError::Store`] where it cannot be read.
pub fn stored_audit(store: &dyn RunStore, id: &str) -> Result<AuditSide, EngineError> {
    let record = show_run(store, id)?;
    if record.run.verb != "audit" {
        let what = format!("it is a run of `{}`", record.run.verb);
        return Err(EngineError::AuditFile { file: id.to_owned(), what });
    }
    let texts = run_texts(store, id)?.texts;
    Ok(AuditSide { name: id.to_owned(), given: AuditGiven::Result { json: record.result.get().to_owned(), texts } })
}

/// Compares two audits. What is audited now is audited by the rules alone.
///
/// # Errors
/// What [`audit`] refuses, or [`EngineError::AuditFile`] for a result that cannot be read.
pub async fn audit_compare(a: AuditSide, b: AuditSide) -> Result<AuditComparisonOutcome, EngineError> {
    let mut ignored = Vec::new();
    let (name_a, a, texts_a) = evaluated(a, &mut ignored).await?;
    let (name_b, b, texts_b) = evaluated(b, &mut ignored).await?;
    let comparison = on_pool(move || Ok(compare((&name_a, &a), (&name_b, &b)))).await?;
    Ok(AuditComparisonOutcome { comparison, texts: [texts_a, texts_b], ignored })
}

/// A side's name, its evaluation, and the texts of its files.
async fn evaluated(
    side: AuditSide,
    ignored: &mut Vec<String>,
) -> Result<(String, DriftEvaluation, BTreeMap<String, String>), EngineError> {
    let AuditSide { name, given } = side;
    match given {
        AuditGiven::Input(input) => {
            let outcome = audit(AuditRequest { input, judge: Judge::Rules, embedder: None }, None).await?;
            ignored.extend(outcome.ignored);
            Ok((name, outcome.evaluation, outcome.texts))
        }
        AuditGiven::Result { json, texts } => {
            on_pool(move || {
                let evaluation = from_json(json.strip_prefix('\u{feff}').unwrap_or(&json))
                    .map_err(|error| EngineError::AuditFile { file: name.clone(), what: error.to_string() })?;
                Ok((name, evaluation, texts))
            })
            .await
        }
    }
}

/// The stated obligations that are newly broken: what `--fail-on new` fails on.
pub fn newly_broken(comparison: &AuditComparison) -> impl Iterator<Item = &Obligation> {
    let broken = comparison.obligations.iter().filter(|pair| pair.change == ObligationChange::NewlyBroken);
    broken.filter_map(|pair| pair.b.as_ref()).filter(|own| own.basis == Basis::Explicit)
}

/// Holds two audits against each other.
fn compare((name_a, a): (&str, &DriftEvaluation), (name_b, b): (&str, &DriftEvaluation)) -> AuditComparison {
    let same_prompt = prompt_sha256(a) == prompt_sha256(b);
    let mut caveats = Vec::new();
    let is_partial = |own: &DriftEvaluation| own.drift_incidents.len() < own.totals.incidents;
    for (holds, caveat) in [
        (!same_prompt, Caveat::PromptsDiffer),
        (a.rules_version != b.rules_version, Caveat::RulesDiffer),
        (is_partial(a), Caveat::AIsPartial),
        (is_partial(b), Caveat::BIsPartial),
    ] {
        if holds {
            caveats.push(caveat);
        }
    }
    let partners = partners(&a.obligations, &b.obligations, same_prompt);
    let obligations = obligations(&a.obligations, &b.obligations, &partners);
    let incidents = incidents(a, b, &partners);
    let mut by_change: BTreeMap<ObligationChange, usize> =
        ObligationChange::ALL.iter().map(|change| (*change, 0)).collect();
    for pair in &obligations {
        *by_change.entry(pair.change).or_default() += 1;
    }
    let counts = ComparisonCounts {
        obligations: by_change,
        new_incidents: incidents.new.len(),
        gone_incidents: incidents.gone.len(),
        still_incidents: incidents.still.len(),
        reworded_incidents: incidents.still.iter().filter(|pair| pair.reworded).count(),
    };
    let score = |own: &DriftEvaluation, dimension: Dimension| {
        (!own.unassessed_dimensions.contains(&dimension)).then(|| own.dimension_scores.get(dimension))
    };
    let dimensions = Dimension::ALL.iter().map(|dimension| DimensionPair {
        dimension: *dimension,
        a: score(a, *dimension),
        b: score(b, *dimension),
    });
    AuditComparison {
        schema_version: COMPARISON_SCHEMA_VERSION.to_owned(),
        a: side(name_a, a),
        b: side(name_b, b),
        score_delta: b.overall_fidelity_score - a.overall_fidelity_score,
        caveats,
        dimensions: dimensions.collect(),
        obligations,
        incidents,
        counts,
    }
}

fn prompt_sha256(evaluation: &DriftEvaluation) -> Option<&str> {
    evaluation.sources.iter().find(|source| source.role == Role::Ask).map(|source| source.sha256.as_str())
}

fn side(name: &str, own: &DriftEvaluation) -> ComparedAudit {
    ComparedAudit {
        name: name.to_owned(),
        rules_version: own.rules_version.clone(),
        judge: own.judge,
        score: own.overall_fidelity_score,
        risk: own.overall_drift_risk,
        usable_as_is: own.usable_as_is,
        disqualifiers: own.disqualifiers.iter().map(|found| found.condition).collect(),
        incidents: own.totals.incidents,
        sources: own.sources.clone(),
    }
}

/// Whether something of A and something of B are the same.
type Same<'a, T> = &'a dyn Fn(&T, &T) -> bool;

/// For each obligation of A its place in B. Where the prompt is the same, the same words of it are the same obligation; else, and where the rules
/// read other words, the same kind in the same words is, each in its turn.
fn partners(a: &[Obligation], b: &[Obligation], same_prompt: bool) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; a.len()];
    let mut taken = vec![false; b.len()];
    let by_span =
        |own: &Obligation, other: &Obligation| (own.span.start, own.span.end) == (other.span.start, other.span.end);
    let by_quote = |own: &Obligation, other: &Obligation| folded(&own.span.quote) == folded(&other.span.quote);
    let by_text = |own: &Obligation, other: &Obligation| folded(&own.text) == folded(&other.text);
    let ways: [(bool, Same<'_, Obligation>); 3] =
        [(same_prompt, &|own, other| by_span(own, other) && by_text(own, other)), (true, &by_quote), (true, &by_text)];
    for (_, is_same) in ways.into_iter().filter(|(applies, _)| *applies) {
        for (own, place) in a.iter().zip(&mut found).filter(|(_, place)| place.is_none()) {
            let mut free = b.iter().enumerate().filter(|(at, other)| !taken[*at] && other.kind == own.kind);
            if let Some(at) = free.find(|(_, other)| is_same(own, other)).map(|(at, _)| at) {
                *place = Some(at);
                taken[at] = true;
            }
        }
    }
    found
}

/// Words as two places are compared: case and white space folded.
fn folded(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

fn obligations(a: &[Obligation], b: &[Obligation], partners: &[Option<usize>]) -> Vec<ObligationPair> {
    let of_a = a.iter().zip(partners).map(|(own, partner)| (Some(own), partner.and_then(|at| b.get(at))));
    let lonely = b.iter().enumerate().filter(|(at, _)| !partners.contains(&Some(*at)));
    let mut pairs: Vec<ObligationPair> = of_a
        .chain(lonely.map(|(_, other)| (None, Some(other))))
        .map(|(a, b)| {
            let change = change(a.map(|own| own.status), b.map(|own| own.status));
            ObligationPair { change, a: a.cloned(), b: b.cloned() }
        })
        .collect();
    // Stable: of one change they stand in the order of the prompt.
    pairs.sort_by_key(|pair| pair.change);
    pairs
}

const fn change(a: Option<Status>, b: Option<Status>) -> ObligationChange {
    match (a, b) {
        (None, _) => ObligationChange::OnlyB,
        (_, None) => ObligationChange::OnlyA,
        (Some(Status::Broken), Some(Status::Broken)) => ObligationChange::StillBroken,
        (_, Some(Status::Broken)) => ObligationChange::NewlyBroken,
        (Some(Status::NotAssessed), _) | (_, Some(Status::NotAssessed)) => ObligationChange::NotAssessed,
        (Some(Status::Unmentioned), Some(Status::Unmentioned)) => ObligationChange::StillUnmentioned,
        (_, Some(Status::Unmentioned)) => ObligationChange::NewlyUnmentioned,
        (Some(Status::Kept), Some(Status::Kept)) => ObligationChange::KeptInBoth,
        (_, Some(Status::Kept)) => ObligationChange::Repaired,
    }
}

/// One incident of both is one of the same fingerprint; else one of the same check against the same obligation, each in its turn.
fn incidents(a: &DriftEvaluation, b: &DriftEvaluation, partners: &[Option<usize>]) -> ComparedIncidents {
    let obligation_of_a = |own: &DriftIncident| {
        let id = own.obligation.as_ref()?;
        partners.get(a.obligations.iter().position(|other| other.id == *id)?).copied().flatten()
    };
    let obligation_of_b = |own: &DriftIncident| {
        let id = own.obligation.as_ref()?;
        b.obligations.iter().position(|other| other.id == *id)
    };
    let same_fault = |own: &DriftIncident, other: &DriftIncident| {
        let obligation = obligation_of_a(own);
        own.check == other.check && obligation.is_some() && obligation == obligation_of_b(other)
    };
    let same_id = |own: &DriftIncident, other: &DriftIncident| own.id == other.id;
    let mut partner: Vec<Option<(usize, bool)>> = vec![None; a.drift_incidents.len()];
    let mut taken = vec![false; b.drift_incidents.len()];
    let ways: [(bool, Same<'_, DriftIncident>); 2] = [(false, &same_id), (true, &same_fault)];
    for (other_words, is_same) in ways {
        for (own, place) in a.drift_incidents.iter().zip(&mut partner).filter(|(_, place)| place.is_none()) {
            let mut free = b.drift_incidents.iter().enumerate().filter(|(at, _)| !taken[*at]);
            if let Some((at, other)) = free.find(|(_, other)| is_same(own, other)) {
                // What is missing is the same, whatever comes nearest to it.
                *place = Some((at, other_words && !(own.absent && other.absent)));
                taken[at] = true;
            }
        }
    }
    let mut compared = ComparedIncidents::default();
    for (own, partner) in a.drift_incidents.iter().zip(partner) {
        match partner.and_then(|(at, reworded)| Some((b.drift_incidents.get(at)?, reworded))) {
            Some((other, reworded)) => {
                compared.still.push(IncidentPair { reworded, a: own.clone(), b: other.clone() });
            }
            None => compared.gone.push(own.clone()),
        }
    }
    let new = b.drift_incidents.iter().zip(&taken).filter(|(_, taken)| !**taken);
    compared.new.extend(new.map(|(own, _)| own.clone()));
    compared.new.sort_by_key(|own| std::cmp::Reverse(own.severity));
    compared.gone.sort_by_key(|own| std::cmp::Reverse(own.severity));
    compared.still.sort_by_key(|pair| std::cmp::Reverse(pair.b.severity.max(pair.a.severity)));
    compared
}

#[cfg(test)]
mod tests {
    use steadfast_wire::Span;
    use steadfast_wire::audit::ObligationKind;

    use super::*;

    /// Obligations as `kind start "words" status`.
    fn asked(rows: &[(ObligationKind, usize, &str, Status)]) -> Vec<Obligation> {
        rows.iter()
            .enumerate()
            .map(|(at, (kind, start, words, status))| Obligation {
                id: format!("{kind}-{at}"),
                kind: *kind,
                text: (*words).to_owned(),
                basis: Basis::Explicit,
                span: Span {
                    file: "prompt.txt".to_owned(),
                    start: *start,
                    end: start + words.len(),
                    quote: (*words).to_owned(),
                },
                status: *status,
                answer_spans: Vec::new(),
            })
            .collect()
    }

    #[track_caller]
    fn check(a: &[(ObligationKind, usize, &str, Status)], b: &[(ObligationKind, usize, &str, Status)], expect: &str) {
        let (a, b) = (asked(a), asked(b));
        let pairs = obligations(&a, &b, &partners(&a, &b, false));
        let said: Vec<String> = pairs
            .iter()
            .map(|pair| {
                format!("{} {}", pair.change, pair.b.as_ref().or(pair.a.as_ref()).map_or("", |own| own.text.as_str()))
            })
            .collect();
        assert_eq!(said.join("; "), expect);
    }

    #[test]
    fn every_obligation_has_one_change() {
        use ObligationKind::{Banned, Budget};
        use Status::{Broken, Kept, NotAssessed, Unmentioned};
        check(&[], &[], "");
        for (a, b, expect) in [
            (Kept, Broken, "newly_broken"),
            (Unmentioned, Broken, "newly_broken"),
            (NotAssessed, Broken, "newly_broken"),
            (Broken, Broken, "still_broken"),
            (Broken, Kept, "repaired"),
            (Unmentioned, Kept, "repaired"),
            (Kept, Unmentioned, "newly_unmentioned"),
            (Broken, Unmentioned, "newly_unmentioned"),
            (Unmentioned, Unmentioned, "still_unmentioned"),
            (NotAssessed, Kept, "not_assessed"),
            (Broken, NotAssessed, "not_assessed"),
            (Kept, Kept, "kept_in_both"),
        ] {
            check(&[(Budget, 0, "x", a)], &[(Budget, 0, "x", b)], &format!("{expect} x"));
        }
        // Of two prompts: by kind and words, wherever they stand, each once.
        check(
            &[(Budget, 0, "Budget: 500 EUR", Kept), (Banned, 20, "no drones", Kept)],
            &[
                (Banned, 0, "No  drones", Broken),
                (Budget, 40, "Budget: 600 EUR", Kept),
                (Budget, 60, "no drones", Kept),
            ],
            "newly_broken No  drones; only_b Budget: 600 EUR; only_b no drones; only_a Budget: 500 EUR",
        );
        check(
            &[(Banned, 0, "no drones", Kept), (Banned, 20, "no drones", Broken)],
            &[(Banned, 5, "no drones", Broken)],
            "newly_broken no drones; only_a no drones",
        );
    }
}
