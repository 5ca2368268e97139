//! From documents to the evaluation: the instrument judges, and its result becomes the type that is published.

mod remaining;
mod trail;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use steadfast_audit::ask::{Contract, ContractItem, Kind};
use steadfast_audit::checks;
use steadfast_audit::evaluation::{self, ByCode, Evaluation, Examined, Settings, incident_quote};
use steadfast_audit::incident::{Disqualifies, Incident};
use steadfast_audit::passages;
use steadfast_audit::proposals::SetAside;
use steadfast_audit::run::order_key;
use steadfast_audit::verdict::USABLE_SHARE;
use steadfast_embed::Embedder;
use steadfast_evidence::{Evidence, FileId, Origin, Quote, RULES_VERSION, Status};
use steadfast_wire::audit as wire;

use crate::EngineError;
use crate::audit::{Heeded, Read, reading};
pub(crate) use crate::proposals::origin;

pub use remaining::Reckoning;

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

/// Why nothing was judged.
pub(crate) enum Unjudged {
    /// What was handed in cannot be taken.
    Refused(EngineError),
    /// There is nothing to evaluate. The detail is the reason as the instrument gives it.
    Nothing(Box<wire::NotEvaluable>),
}

/// Judges by rules alone, and by what is heeded beside them. `artefacts` stand in the order of their names.
pub(crate) fn rules(
    prompt: Read,
    artefacts: Vec<Read>,
    context: Vec<Read>,
    heeded: Heeded,
    embedder: Option<&dyn Embedder>,
) -> Result<Judged, Unjudged> {
    let mut files = Vec::with_capacity(artefacts.len() + context.len() + 1);
    let mut take = |read: Read| {
        let file = FileId(u32::try_from(files.len()).unwrap_or(u32::MAX));
        let name = read.source.file.clone();
        files.push(read.source);
        steadfast_audit::Source { file, name, document: read.document }
    };
    let prompt = take(prompt);
    let mut report: Vec<steadfast_audit::Source> = artefacts.into_iter().map(&mut take).collect();
    let context = context.into_iter().map(|read| take(read).document).collect();
    report.sort_by_cached_key(|source| order_key(&source.name));
    let Heeded { contract: handed, proposals, trust_host, usable_share } = heeded;
    let confirmed_by = proposals.iter().rev().find_map(|own| own.person.clone());
    let settings = Settings {
        proposals: proposals.iter().cloned().map(reading::proposed).collect(),
        trusts_host: trust_host,
        usable_share: usable_share.unwrap_or(USABLE_SHARE),
        context,
    };
    let mut notes = Vec::new();
    let judged = match evaluation::read(&prompt, report) {
        Err(not) => Err(not),
        Ok((own, answer)) => {
            let contract = match handed {
                None => own,
                Some(handed) => {
                    let (contract, said) = reading::taken_over(own, handed).map_err(Unjudged::Refused)?;
                    notes = said;
                    contract
                }
            };
            evaluation::judge(&prompt.name, contract, answer, &settings, embedder)
        }
    };
    let names: Vec<&str> = files.iter().map(|source| source.file.as_str()).collect();
    match judged {
        Ok(examined) => {
            let reading = reading::reading(&examined.evaluation.contract, &notes, &names);
            let by_chat = proposals.iter().any(|own| own.by.chat_name().is_some());
            let mut evaluation = wire::DriftEvaluation {
                judge: if by_chat { wire::Judge::Both } else { wire::Judge::Rules },
                reading,
                usable_share: settings.usable_share,
                trust_host,
                proposals,
                confirmed_by,
                ..published(&examined.evaluation, files)
            };
            if evaluation.rests_on_host() {
                let clean = if evaluation.drift_incidents.is_empty() { "Nothing is left to mend. " } else { "" };
                evaluation.verdict_recommended_actions.push(format!("{clean}{ON_HOST_ALONE}"));
            }
            Ok(Judged { evaluation, examined: Box::new(examined) })
        }
        Err(not) => {
            let reading = not.contract.as_ref().map(|contract| reading::reading(contract, &notes, &names));
            let contract = not.contract.as_deref();
            let obligations =
                contract.map_or_else(Vec::new, |contract| obligations(contract, &not.obligations, &[], &names));
            let (reason, detail) = (not.why, not.reason.0);
            let not_evaluable = wire::NotEvaluableBecause { reason, detail };
            let assessed = assessed(&not.assessed);
            let answer = wire::NotEvaluable {
                not_evaluable,
                reading,
                assessed,
                sources: files,
                obligations,
                chat: None,
                chat_failed: None,
                gates: None,
            };
            Err(Unjudged::Nothing(Box::new(answer)))
        }
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
    let incidents = incidents(&evaluation.incidents, &evaluation.contract, &names);
    let by_code = &evaluation.by_code;
    let obligations = obligations(&evaluation.contract, &evaluation.obligations, &by_code.obligations, &names);
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
        overall_drift_risk: evaluation.risk,
        critical_drift_count: evaluation.counts.critical_drift,
        unsupported_claim_count: evaluation.counts.unsupported_claim,
        constraint_violation_count: evaluation.counts.constraint_violation,
        confidence_inflation_count: evaluation.counts.confidence_inflation,
        usable_as_is: evaluation.usable.is_yes(),
        usable_because: evaluation.usable,
        verdict_preserved_well: evaluation.preserved_well.clone(),
        verdict_major_failures: evaluation.major_failures.clone(),
        verdict_recommended_actions: evaluation.recommended_actions.clone(),
        obligations,
        disqualifiers,
        unassessed_dimensions: evaluation.scores.unassessed.clone(),
        set_aside: set_aside(&evaluation.set_aside),
        by_code: published_by_code(by_code),
        checks: run_checks(&incidents),
        totals,
        drift_incidents: incidents,
        sources,
        ..wire::DriftEvaluation::default()
    }
}

/// The obligations with what became of them; `by_code` says for each what code says.
fn obligations(
    contract: &Contract,
    judged: &[evaluation::Judged],
    by_code: &[(Status, bool)],
    names: &[&str],
) -> Vec<wire::Obligation> {
    let published = |judged: &evaluation::Judged| {
        let item = contract.obligations.get(judged.item)?;
        let by_code = by_code.get(judged.item).filter(|_| judged.origin != Origin::Code);
        Some(wire::Obligation {
            id: item.id.clone(),
            kind: kind(item.obligation.kind),
            text: item.obligation.text.clone(),
            basis: item.obligation.basis,
            span: span(item.obligation.source(), names),
            strength: item.strength,
            polarity: item.polarity,
            status: judged.status,
            assessed: judged.assessed,
            origin: origin(&judged.origin),
            person: person(&judged.origin),
            answer_spans: judged.answer.iter().map(|quote| span(quote, names)).collect(),
            measured: judged.measured.clone().filter(|_| judged.status == Status::Kept),
            passages: judged.passages.iter().map(|own| passage(own, names)).collect(),
            by: origin(&item.by),
            confirmed_by: item.confirmed_by.clone(),
            disputed: item.disputed,
            by_code: by_code.map(|(own, assessed)| wire::CodeState { status: *own, assessed: *assessed }),
        })
    };
    judged.iter().filter_map(published).collect()
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
        core_entities: plain.core_entities,
        optional_features: plain.optional_features,
        uncertainties: plain.uncertainties,
        success_metrics: plain.success_metrics,
    }
}

fn incidents(found: &[Incident], contract: &Contract, names: &[&str]) -> Vec<wire::DriftIncident> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    found
        .iter()
        .map(|incident| {
            let obligation = incident.finding.obligation.and_then(|index| contract.obligations.get(index));
            let mut id = fingerprint(incident, obligation);
            let obligation = obligation.map(|item| item.id.clone());
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
                origin: origin(&incident.origin),
                person: person(&incident.origin),
                drift_type: incident.drift_type,
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
                voice: incident.voice,
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
fn fingerprint(incident: &Incident, obligation: Option<&ContractItem>) -> String {
    let mut hash = Sha256::new();
    let obligation = obligation.map_or("", |item| item.obligation.source().text());
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
            drift_type: check.drift_type,
            incidents: incidents.iter().filter(|incident| incident.check == check.id).count(),
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
    wire::Passage { quote: own.quote.text().to_owned(), span: span(&own.quote, names), found_by: own.found_by }
}

pub(crate) const fn assessed(own: &evaluation::Assessed) -> wire::Assessed {
    wire::Assessed { n: own.n, of: own.of, must_n: own.must_n, must_of: own.must_of, by_host: own.by_host }
}

fn person(own: &Origin) -> Option<String> {
    match own {
        Origin::Person(name) => name.clone(),
        Origin::Code | Origin::Chat(_) | Origin::Host => None,
    }
}

fn published_by_code(own: &ByCode) -> wire::ByCode {
    wire::ByCode {
        assessed: assessed(&own.assessed),
        incidents: own.incidents,
        overall_fidelity_score: own.score.map(|(overall, _)| overall),
        overall_drift_risk: own.score.map(|(_, found)| found),
        usable_as_is: own.usable.is_yes(),
        usable_because: own.usable,
    }
}

pub(crate) fn set_aside(own: &[SetAside]) -> Vec<wire::SetAside> {
    let published = |own: &SetAside| wire::SetAside {
        what: own.what.to_owned(),
        text: own.text.clone(),
        reason: own.reason.clone(),
    };
    own.iter().map(published).collect()
}

/// What to do where too much rests on what the host alone says.
const ON_HOST_ALONE: &str = "Only the host says that what rules leave open is kept, so a person has to confirm it (--confirm NAME), or whoever starts the program has to trust the host (--trust-host).";

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

fn dimension_scores(scores: &[u8; 10]) -> wire::DimensionScores {
    wire::DimensionScores::from_fn(|wanted| scores[wanted as usize])
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
