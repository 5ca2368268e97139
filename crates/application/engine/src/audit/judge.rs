//! From documents to the evaluation: the instrument judges, and its result becomes the type that is published.

mod remaining;
mod trail;
mod view;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use steadfast_audit::ask::{Contract, EntityRole, Kind};
use steadfast_audit::checks;
use steadfast_audit::evaluation::{self, Evaluation, Examined, incident_quote};
use steadfast_audit::incident::{Disqualifies, DriftType, Incident};
use steadfast_audit::passages::{self, FoundBy};
use steadfast_audit::run::order_key;
use steadfast_audit::verdict::{Dimension, Risk, Usable};
use steadfast_audit::voice::Voice;
use steadfast_embed::Embedder;
use steadfast_evidence::{Basis, Evaluated, Evidence, FileId, Polarity, Quote, RULES_VERSION, Status, Strength};
use steadfast_wire::audit as wire;

use crate::EngineError;
use crate::audit::Read;

pub use remaining::Reckoning;
pub(crate) use view::with_view;

/// Hexadecimal digits of a fingerprint in an incident's id: 48 bits.
pub(crate) const FINGERPRINT_DIGITS: usize = 12;

/// What rules found, as it is published and as the instrument has it.
pub(crate) struct Judged {
    pub(crate) evaluation: wire::DriftEvaluation,
    pub(crate) examined: Box<Examined>,
}

/// Whether a check of the audit is called so.
#[must_use]
pub fn is_check(id: &str) -> bool {
    checks::ALL.iter().any(|check| check.id == id)
}

/// Judges by rules alone. `artefacts` stand in the order of their names.
///
/// # Errors
/// [`EngineError::NotEvaluable`] where the instrument finds nothing to evaluate.
pub(crate) fn rules(
    prompt: Read,
    artefacts: Vec<Read>,
    embedder: Option<&dyn Embedder>,
) -> Result<Judged, EngineError> {
    let given = prompt.source.file.clone();
    let mut files = Vec::with_capacity(artefacts.len() + 1);
    let mut take = |read: Read| {
        let file = FileId(u32::try_from(files.len()).unwrap_or(u32::MAX));
        let name = read.source.file.clone();
        files.push(read.source);
        steadfast_audit::Source { file, name, document: read.document }
    };
    let prompt = take(prompt);
    let mut report: Vec<steadfast_audit::Source> = artefacts.into_iter().map(&mut take).collect();
    report.sort_by_cached_key(|source| order_key(&source.name));
    match steadfast_audit::examine(&prompt, report, embedder) {
        Evaluated::Value(examined) => {
            let embedder = embedder.map(|own| format!("{} {}", own.name(), own.version()));
            let evaluation = wire::DriftEvaluation { embedder, ..published(&examined.evaluation, files) };
            Ok(Judged { evaluation, examined: Box::new(examined) })
        }
        Evaluated::NotEvaluable(reason) => Err(EngineError::not_evaluable(given, &reason.0)),
    }
}

fn published(evaluation: &Evaluation, mut sources: Vec<wire::Source>) -> wire::DriftEvaluation {
    for (file, left) in &evaluation.left_out {
        if let Some(source) = sources.get_mut(file.0 as usize) {
            source.left_out.push(wire::LeftOut {
                start: left.span.start,
                end: left.span.end,
                reason: left.reason.to_owned(),
            });
        }
    }
    let names: Vec<&str> = sources.iter().map(|source| source.file.as_str()).collect();
    let obligation_ids = obligation_ids(evaluation);
    let incidents = incidents(&evaluation.incidents, evaluation, &names, &obligation_ids);
    let obligations = evaluation
        .obligations
        .iter()
        .filter_map(|judged| {
            let item = evaluation.contract.obligations.get(judged.item)?;
            Some(wire::Obligation {
                id: obligation_ids.get(judged.item)?.clone(),
                kind: kind(item.obligation.kind),
                text: item.obligation.text.clone(),
                basis: basis(item.obligation.basis),
                span: span(item.obligation.source(), &names),
                strength: strength(item.strength),
                polarity: polarity(item.polarity),
                status: status(judged.status),
                assessed: judged.assessed,
                origin: wire::Origin::code(),
                answer_spans: judged.answer.iter().map(|quote| span(quote, &names)).collect(),
                passages: judged.passages.iter().map(|own| passage(own, &names)).collect(),
            })
        })
        .collect();
    let disqualifiers = evaluation
        .disqualifiers
        .iter()
        .map(|found| {
            let (condition, explanation) = disqualification(found.why, found.incidents.len());
            wire::Disqualifier {
                condition,
                explanation,
                incidents: found.incidents.iter().filter_map(|&at| Some(incidents.get(at)?.id.clone())).collect(),
            }
        })
        .collect();
    let totals = wire::Totals::of(&incidents);
    wire::DriftEvaluation {
        rules_version: RULES_VERSION.to_owned(),
        assessed: assessed(&evaluation.assessed),
        prompt_contract: contract(evaluation),
        dimension_scores: dimension_scores(&evaluation.scores.dimensions),
        overall_fidelity_score: evaluation.scores.overall,
        overall_drift_risk: risk(evaluation.risk),
        critical_drift_count: evaluation.counts.critical_drift,
        unsupported_claim_count: evaluation.counts.unsupported_claim,
        constraint_violation_count: evaluation.counts.constraint_violation,
        confidence_inflation_count: evaluation.counts.confidence_inflation,
        usable_as_is: evaluation.usable.is_yes(),
        usable_because: usable_because(evaluation.usable),
        verdict_preserved_well: evaluation.preserved_well.clone(),
        verdict_major_failures: evaluation.major_failures.clone(),
        verdict_recommended_actions: evaluation.recommended_actions.clone(),
        obligations,
        disqualifiers,
        unassessed_dimensions: evaluation.scores.unassessed.iter().map(|own| dimension(*own)).collect(),
        set_aside: Vec::new(),
        model_view: None,
        judge: wire::Judge::Rules,
        checks: run_checks(&incidents),
        totals,
        drift_incidents: incidents,
        sources,
        ..wire::DriftEvaluation::default()
    }
}

/// The seed's contract: the words of the prompt, and `not specified` where it says nothing.
fn contract(evaluation: &Evaluation) -> wire::PromptContract {
    let plain = evaluation.contract.plain();
    let stated = |text: Option<String>| text.unwrap_or_else(|| wire::NOT_SPECIFIED.to_owned());
    wire::PromptContract {
        core_intent: stated(plain.core_intent),
        primary_problem: stated(plain.primary_problem),
        proposed_solution: stated(plain.proposed_solution),
        non_goals: plain.non_goals,
        constraints: plain.constraints,
        core_entities: plain.core_entities.into_iter().map(|(role, name)| (entity_role(role), name)).collect(),
        optional_features: plain.optional_features,
        uncertainties: plain.uncertainties,
        success_metrics: plain.success_metrics,
    }
}

fn obligation_ids(evaluation: &Evaluation) -> Vec<String> {
    ids_of(&evaluation.contract)
}

/// `constraint-2` is the second constraint of the prompt.
pub(crate) fn ids_of(contract: &Contract) -> Vec<String> {
    let mut seen: BTreeMap<&'static str, usize> = BTreeMap::new();
    contract
        .obligations
        .iter()
        .map(|item| {
            let name = kind(item.obligation.kind).name();
            let count = seen.entry(name).or_default();
            *count += 1;
            format!("{name}-{count}")
        })
        .collect()
}

fn incidents(
    found: &[Incident],
    evaluation: &Evaluation,
    names: &[&str],
    obligation_ids: &[String],
) -> Vec<wire::DriftIncident> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    found
        .iter()
        .map(|incident| {
            let obligation = incident.finding.obligation.and_then(|index| obligation_ids.get(index)).cloned();
            let mut id = fingerprint(incident, evaluation);
            let count = seen.entry(id.clone()).or_default();
            *count += 1;
            if *count > 1 {
                // Infallible: a string takes all that is written to it.
                let _ = write!(id, "-{count}");
            }
            let quote = incident_quote(incident);
            let mut places: Vec<&Quote> = quote.into_iter().chain(&incident.finding.also_at).collect();
            places.sort_by_cached_key(|quote| {
                (order_key(names.get(quote.file().0 as usize).copied().unwrap_or_default()), quote.span())
            });
            let introduced_in = places.first().and_then(|quote| names.get(quote.file().0 as usize));
            wire::DriftIncident {
                id,
                check: incident.finding.check.to_owned(),
                origin: wire::Origin::code(),
                drift_type: drift_type(incident.drift_type),
                severity: incident.finding.severity.level(),
                section: incident.section.join(" > "),
                source_reference: incident
                    .finding
                    .source
                    .as_ref()
                    .map_or_else(|| wire::NOT_IN_PROMPT.to_owned(), |quote| quote.text().to_owned()),
                output_claim: quote.map_or_else(String::new, |quote| quote.text().to_owned()),
                explanation: incident.finding.explanation.clone(),
                confidence: incident.finding.confidence.value(),
                source_span: incident.finding.source.as_ref().map(|quote| span(quote, names)),
                output_span: quote.map(|quote| span(quote, names)),
                absent: matches!(incident.finding.evidence, Evidence::Absence(_)),
                also_at: incident.finding.also_at.iter().map(|quote| span(quote, names)).collect(),
                repair_action: incident.repair.clone(),
                voice: voice(incident.voice),
                introduced_in: introduced_in.map(|&name| name.to_owned()),
                trail: incident.trail.as_ref().map(|own| trail::published(own, names)),
                obligation,
                decision: None,
                new: None,
            }
        })
        .collect()
}

/// Check, obligation and the quote with case and white space folded: the same fault has the same id wherever it stands.
fn fingerprint(incident: &Incident, evaluation: &Evaluation) -> String {
    let mut hash = Sha256::new();
    let obligation = incident
        .finding
        .obligation
        .and_then(|index| evaluation.contract.obligations.get(index))
        .map_or("", |item| item.obligation.source().text());
    let quote = incident_quote(incident).map_or("", Quote::text);
    for part in [incident.finding.check, obligation, quote] {
        for word in part.split_whitespace() {
            hash.update(word.to_lowercase());
            hash.update(" ");
        }
        hash.update("\n");
    }
    let digits: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}", incident.finding.check, &digits[..FINGERPRINT_DIGITS])
}

fn run_checks(incidents: &[wire::DriftIncident]) -> Vec<wire::Check> {
    checks::ALL
        .iter()
        .map(|check| wire::Check {
            id: check.id.to_owned(),
            title: check.summary.to_owned(),
            drift_type: drift_type(check.drift_type),
            enabled: check.on_by_default,
            incidents: incidents.iter().filter(|incident| incident.check == check.id).count(),
            note: (!check.on_by_default)
                .then(|| "off by default: it is right too seldom (see docs/checks.md)".to_owned()),
        })
        .collect()
}

pub(crate) fn span(quote: &Quote, names: &[&str]) -> steadfast_wire::Span {
    steadfast_wire::Span {
        file: names.get(quote.file().0 as usize).copied().unwrap_or_default().to_owned(),
        start: quote.span().start,
        end: quote.span().end,
        quote: quote.text().to_owned(),
    }
}

fn passage(own: &passages::Passage, names: &[&str]) -> wire::Passage {
    wire::Passage {
        quote: own.quote.text().to_owned(),
        span: span(&own.quote, names),
        found_by: match own.found_by {
            FoundBy::Words => wire::FoundBy::Words,
            FoundBy::Anchor => wire::FoundBy::Anchor,
        },
    }
}

const fn status(status: Status) -> wire::Status {
    match status {
        Status::Kept => wire::Status::Kept,
        Status::Broken => wire::Status::Broken,
        Status::Weakened => wire::Status::Weakened,
        Status::Unmentioned => wire::Status::Unmentioned,
        Status::Unclear => wire::Status::Unclear,
        Status::NothingFound => wire::Status::NothingFound,
        Status::NotAssessed => wire::Status::NotAssessed,
    }
}

const fn strength(strength: Strength) -> wire::Strength {
    match strength {
        Strength::Must => wire::Strength::Must,
        Strength::Should => wire::Strength::Should,
        Strength::May => wire::Strength::May,
    }
}

const fn polarity(polarity: Polarity) -> wire::Polarity {
    match polarity {
        Polarity::Do => wire::Polarity::Do,
        Polarity::Not => wire::Polarity::Not,
    }
}

const fn assessed(own: &evaluation::Assessed) -> wire::Assessed {
    wire::Assessed { n: own.n, of: own.of, must_n: own.must_n, must_of: own.must_of }
}

const fn usable_because(usable: Usable) -> wire::UsableBecause {
    match usable {
        Usable::Yes => wire::UsableBecause::Ok,
        Usable::Broken => wire::UsableBecause::Broken,
        Usable::TooLittleAssessed => wire::UsableBecause::TooLittleAssessed,
    }
}

pub(crate) const fn basis(basis: Basis) -> wire::Basis {
    match basis {
        Basis::Explicit => wire::Basis::Explicit,
        Basis::Implied => wire::Basis::Implied,
    }
}

pub(crate) const fn kind(kind: Kind) -> wire::ObligationKind {
    match kind {
        Kind::Intent => wire::ObligationKind::Intent,
        Kind::Problem => wire::ObligationKind::Problem,
        Kind::Solution => wire::ObligationKind::Solution,
        Kind::NonGoal => wire::ObligationKind::NonGoal,
        Kind::Constraint => wire::ObligationKind::Constraint,
        Kind::Banned => wire::ObligationKind::Banned,
        Kind::Entity(_) => wire::ObligationKind::Entity,
        Kind::Optional => wire::ObligationKind::Optional,
        Kind::Uncertainty => wire::ObligationKind::Uncertainty,
        Kind::Metric => wire::ObligationKind::Metric,
        Kind::Budget => wire::ObligationKind::Budget,
        Kind::Deadline => wire::ObligationKind::Deadline,
        Kind::Place => wire::ObligationKind::Place,
    }
}

const fn entity_role(role: EntityRole) -> wire::EntityRole {
    match role {
        EntityRole::Buyer => wire::EntityRole::Buyer,
        EntityRole::User => wire::EntityRole::User,
        EntityRole::Customer => wire::EntityRole::Customer,
        EntityRole::Operator => wire::EntityRole::Operator,
        EntityRole::Regulator => wire::EntityRole::Regulator,
        EntityRole::Partner => wire::EntityRole::Partner,
        EntityRole::Place => wire::EntityRole::Place,
    }
}

const fn drift_type(own: DriftType) -> wire::DriftType {
    match own {
        DriftType::A => wire::DriftType::A,
        DriftType::B => wire::DriftType::B,
        DriftType::C => wire::DriftType::C,
        DriftType::D => wire::DriftType::D,
        DriftType::E => wire::DriftType::E,
        DriftType::F => wire::DriftType::F,
        DriftType::G => wire::DriftType::G,
        DriftType::H => wire::DriftType::H,
        DriftType::I => wire::DriftType::I,
        DriftType::J => wire::DriftType::J,
    }
}

const fn dimension(own: Dimension) -> wire::Dimension {
    match own {
        Dimension::Scope => wire::Dimension::Scope,
        Dimension::Constraint => wire::Dimension::Constraint,
        Dimension::ClaimStrength => wire::Dimension::ClaimStrength,
        Dimension::EvidenceGrounding => wire::Dimension::EvidenceGrounding,
        Dimension::Entity => wire::Dimension::Entity,
        Dimension::Causal => wire::Dimension::Causal,
        Dimension::Epistemic => wire::Dimension::Epistemic,
        Dimension::SourceTrace => wire::Dimension::SourceTrace,
        Dimension::StructuralPriority => wire::Dimension::StructuralPriority,
        Dimension::LanguagePosture => wire::Dimension::LanguagePosture,
    }
}

fn dimension_scores(scores: &[u8; 10]) -> wire::DimensionScores {
    wire::DimensionScores::from_fn(|wanted| {
        Dimension::ALL.into_iter().find(|own| dimension(*own) == wanted).map_or(0, |own| scores[own as usize])
    })
}

const fn risk(own: Risk) -> wire::Risk {
    match own {
        Risk::Low => wire::Risk::Low,
        Risk::Medium => wire::Risk::Medium,
        Risk::High => wire::Risk::High,
        Risk::Critical => wire::Risk::Critical,
    }
}

const fn voice(own: Voice) -> wire::Voice {
    match own {
        Voice::Asserted => wire::Voice::Asserted,
        Voice::Chosen => wire::Voice::Chosen,
        Voice::Proposed => wire::Voice::Proposed,
        Voice::OptionNotChosen => wire::Voice::OptionNotChosen,
        Voice::Question => wire::Voice::Question,
        Voice::Criticism => wire::Voice::Criticism,
        Voice::Imagined => wire::Voice::ImaginedExample,
        Voice::Reference => wire::Voice::OtherProject,
        Voice::ToBeMade => wire::Voice::FutureDocument,
    }
}

fn disqualification(why: Option<Disqualifies>, incidents: usize) -> (wire::Disqualification, String) {
    match why {
        Some(Disqualifies::BannedUsed) => {
            (wire::Disqualification::BannedConcept, "What the prompt bans is used again.".to_owned())
        }
        Some(Disqualifies::NonGoalPursued) => {
            (wire::Disqualification::NonGoal, "What the prompt calls no goal is pursued.".to_owned())
        }
        Some(Disqualifies::CustomerChanged) => {
            (wire::Disqualification::Customer, "The report is for somebody else than the prompt says.".to_owned())
        }
        Some(Disqualifies::BusinessModelChanged) => {
            (wire::Disqualification::BusinessModel, "The money comes from elsewhere than the prompt says.".to_owned())
        }
        Some(Disqualifies::RegulatoryMisrepresented) => (
            wire::Disqualification::RegulatoryPosture,
            "The report claims approvals or duties that the prompt does not give.".to_owned(),
        ),
        None => (
            wire::Disqualification::NumericalClaims,
            format!("{incidents} figures of severity 3 or more rest on nothing in the prompt."),
        ),
    }
}
