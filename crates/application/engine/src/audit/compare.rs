//! The use case: two audits of one ask, held against each other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use steadfast_wire::audit::{
    AuditComparison, Basis, COMPARISON_SCHEMA_VERSION, Caveat, ComparedAudit, ComparedIncidents, ComparisonCounts,
    Dimension, DimensionPair, DriftEvaluation, DriftIncident, IncidentPair, Judge, Obligation, ObligationChange,
    ObligationPair, Role, Status,
};
use steadfast_wire::from_json;

use super::{AuditInput, AuditRequest, Heeded, audit};
use crate::EngineError;
use crate::pool::on_pool;
use crate::runs::{run_texts, show_run};
use crate::store::RunStore;

/// What is audited of one side, or was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuditGiven {
    /// Something to audit, by rules alone.
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

/// Compares two audits. What is audited now is audited by these rules alone.
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
            let outcome = audit(
                AuditRequest { input, judge: Judge::Rules, heeded: Heeded::default(), context: Vec::new() },
                None,
                None,
            )
            .await?;
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
        a: ComparedAudit::of(name_a, a),
        b: ComparedAudit::of(name_b, b),
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

/// For each of A its place in B, of those that are free: each takes the first with its key. What is taken is noted.
fn pair<K: Ord>(
    a: impl Iterator<Item = Option<K>>,
    b: impl Iterator<Item = Option<K>>,
    found: &mut [Option<usize>],
    taken: &mut [bool],
) {
    let mut free: BTreeMap<K, VecDeque<usize>> = BTreeMap::new();
    for (at, key) in b.enumerate().filter(|(at, _)| !taken[*at]) {
        if let Some(key) = key {
            free.entry(key).or_default().push_back(at);
        }
    }
    for (key, place) in a.zip(found).filter(|(_, place)| place.is_none()) {
        *place = key.and_then(|key| free.get_mut(&key)?.pop_front());
        if let Some(at) = *place {
            taken[at] = true;
        }
    }
}

/// For each obligation of A its place in B. Where the prompt is the same, the same words of it are the same obligation; else, and where the rules
/// read other words, the same kind in the same words is, each in its turn.
fn partners(a: &[Obligation], b: &[Obligation], same_prompt: bool) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; a.len()];
    let mut taken = vec![false; b.len()];
    if same_prompt {
        let by_span = |own: &Obligation| Some((own.kind.name(), own.span.start, own.span.end, folded(&own.text)));
        pair(a.iter().map(by_span), b.iter().map(by_span), &mut found, &mut taken);
    }
    let by_quote = |own: &Obligation| Some((own.kind.name(), folded(&own.span.quote)));
    pair(a.iter().map(by_quote), b.iter().map(by_quote), &mut found, &mut taken);
    let by_text = |own: &Obligation| Some((own.kind.name(), folded(&own.text)));
    pair(a.iter().map(by_text), b.iter().map(by_text), &mut found, &mut taken);
    found
}

/// Words as two places are compared: case and white space folded.
fn folded(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

fn obligations(a: &[Obligation], b: &[Obligation], partners: &[Option<usize>]) -> Vec<ObligationPair> {
    let of_a = a.iter().zip(partners).map(|(own, partner)| (Some(own), partner.and_then(|at| b.get(at))));
    let taken: BTreeSet<usize> = partners.iter().flatten().copied().collect();
    let lonely = b.iter().enumerate().filter(|(at, _)| !taken.contains(at));
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
    use Status::{Broken, Kept, NotAssessed, NothingFound, Unclear, Unmentioned, Weakened};
    let (Some(a), Some(b)) = (a, b) else {
        return if a.is_none() { ObligationChange::OnlyB } else { ObligationChange::OnlyA };
    };
    match (a, b) {
        (Broken | Weakened, Broken | Weakened) => ObligationChange::StillBroken,
        (_, Broken | Weakened) => ObligationChange::NewlyBroken,
        (NotAssessed, _) | (_, NotAssessed) => ObligationChange::NotAssessed,
        (Unmentioned, Unmentioned) => ObligationChange::StillUnmentioned,
        (_, Unmentioned) => ObligationChange::NewlyUnmentioned,
        (Broken | Weakened, Unclear | NothingFound) => ObligationChange::NoLongerBroken,
        (Kept, Kept) => ObligationChange::KeptInBoth,
        (Broken | Weakened | Unmentioned, Kept) => ObligationChange::Repaired,
        // Where a text is silent or does not tell, nothing is known to have changed.
        (Unclear | NothingFound, Unclear | NothingFound | Kept) | (Kept | Unmentioned, Unclear | NothingFound) => {
            ObligationChange::Undecided
        }
    }
}

/// One incident of both is one of the same fingerprint; else one of the same check against the same obligation, each in its turn.
fn incidents(a: &DriftEvaluation, b: &DriftEvaluation, partners: &[Option<usize>]) -> ComparedIncidents {
    let places = |own: &[Obligation]| -> BTreeMap<String, usize> {
        // Of two of one id the first.
        own.iter().enumerate().rev().map(|(at, own)| (own.id.clone(), at)).collect()
    };
    let (of_a, of_b) = (places(&a.obligations), places(&b.obligations));
    let fault_of_a = |own: &DriftIncident| {
        let place = partners.get(*of_a.get(own.obligation.as_ref()?)?).copied().flatten()?;
        Some((own.check.clone(), place))
    };
    let fault_of_b = |own: &DriftIncident| Some((own.check.clone(), *of_b.get(own.obligation.as_ref()?)?));
    let mut partner: Vec<Option<usize>> = vec![None; a.drift_incidents.len()];
    let mut taken = vec![false; b.drift_incidents.len()];
    let by_id = |own: &DriftIncident| Some(own.id.clone());
    let (of_a, of_b) = (a.drift_incidents.iter(), b.drift_incidents.iter());
    pair(of_a.clone().map(by_id), of_b.clone().map(by_id), &mut partner, &mut taken);
    let same_words = partner.clone();
    pair(of_a.map(fault_of_a), of_b.map(fault_of_b), &mut partner, &mut taken);
    let mut compared = ComparedIncidents::default();
    for (own, (partner, same_words)) in a.drift_incidents.iter().zip(partner.into_iter().zip(same_words)) {
        match partner.and_then(|at| b.drift_incidents.get(at)) {
            Some(other) => {
                // What is missing is the same, whatever comes nearest to it.
                let reworded = same_words.is_none() && !(own.absent && other.absent);
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
    use steadfast_wire::audit::{ObligationKind, Origin, Polarity, Strength};

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
                strength: Strength::Must,
                polarity: Polarity::Do,
                status: *status,
                assessed: true,
                origin: Origin::code(),
                person: None,
                answer_spans: Vec::new(),
                measured: None,
                passages: Vec::new(),
                by: Origin::code(),
                confirmed_by: None,
                disputed: false,
                by_code: None,
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
        use Status::{Broken, Kept, NotAssessed, NothingFound, Unclear, Unmentioned, Weakened};
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
            (Kept, Weakened, "newly_broken"),
            (Unclear, Weakened, "newly_broken"),
            (NothingFound, Broken, "newly_broken"),
            (Weakened, Broken, "still_broken"),
            (Weakened, Kept, "repaired"),
            (Broken, NothingFound, "no_longer_broken"),
            (Weakened, Unclear, "no_longer_broken"),
            (Unclear, Kept, "undecided"),
            (Kept, Unclear, "undecided"),
            (NothingFound, NothingFound, "undecided"),
            (Unmentioned, Unclear, "undecided"),
            (Unclear, Unmentioned, "newly_unmentioned"),
            (Unclear, NotAssessed, "not_assessed"),
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

    #[test]
    fn thousands_are_paired_as_one_is() {
        use ObligationKind::Budget;
        use Status::Kept;
        let words: Vec<String> = (0..20_000).map(|at| format!("{at} EUR")).collect();
        let rows: Vec<_> = words.iter().enumerate().map(|(at, words)| (Budget, at, words.as_str(), Kept)).collect();
        let (a, b) = (asked(&rows), asked(&rows.iter().rev().copied().collect::<Vec<_>>()));
        let expect: Vec<Option<usize>> = (0..rows.len()).rev().map(Some).collect();
        assert_eq!(partners(&a, &b, false), expect);
    }
}
