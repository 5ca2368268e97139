//! What a model proposed, looked up and put beside the verdict.

use steadfast_audit::Examined;
use steadfast_audit::ask::Contract;
use steadfast_audit::exchange::{Call, Claimed, ItemKind, NotJudged, Proposal};
use steadfast_audit::view::{self, Agreement, Item, View, WouldBe};
use steadfast_wire::audit as wire;

use super::{Judged, dimension_scores, drift_type, entity_role, incidents, risk, set_aside, span};
use crate::chat::{CallLog, published};

/// The evaluation with what a model proposed of it: `model_view`, `set_aside` and `judge` are set, and nothing else is touched.
pub(crate) fn with_view(
    judged: Judged,
    proposal: Proposal,
    log: &[CallLog],
    model: String,
    judge: wire::Judge,
) -> (wire::DriftEvaluation, Box<Examined>) {
    let Judged { mut evaluation, examined } = judged;
    let any_judged = proposal.judged_pieces > 0;
    let found = view::view(&examined, proposal, &model);
    let names: Vec<&str> = evaluation.sources.iter().map(|source| source.file.as_str()).collect();
    let read = &examined.evaluation.contract;
    let drift_incidents = incidents(&found.incidents, read, &names);
    let file_of = |text: usize| {
        let file = examined.answer.artefacts.get(text)?.file;
        names.get(file.0 as usize).map(|name| (*name).to_owned())
    };
    let prompt = examined.evaluation.contract.file.and_then(|file| names.get(file.0 as usize)).copied();
    let model_view = wire::ModelView {
        model,
        contract: found.contract.iter().map(|item| contract_item(item, read, &names)).collect(),
        adjusted: adjusted(&found, &drift_incidents),
        scores_would_be: any_judged.then(|| would_be(&found.would_be)),
        agreement: (judge == wire::Judge::Both)
            .then(|| agreement(&found.agreement, &evaluation.drift_incidents, &drift_incidents)),
        questions: found.questions,
        claimed: found.claimed.map(claimed),
        calls: published(log),
        not_judged: found
            .not_judged
            .into_iter()
            .map(|untold| {
                let file = match untold.what {
                    Call::Contract => prompt.map(str::to_owned),
                    Call::Incidents | Call::Scores => untold.part.and_then(|part| file_of(part.text)),
                };
                not_judged(untold, file)
            })
            .collect(),
        drift_incidents,
    };
    evaluation.set_aside.extend(set_aside(&found.set_aside));
    evaluation.model_view = Some(model_view);
    evaluation.judge = judge;
    (evaluation, examined)
}

fn contract_item(item: &Item, read: &Contract, names: &[&str]) -> wire::ModelContractItem {
    let (field, role) = match item.kind {
        ItemKind::CoreIntent => (wire::ContractField::CoreIntent, None),
        ItemKind::PrimaryProblem => (wire::ContractField::PrimaryProblem, None),
        ItemKind::ProposedSolution => (wire::ContractField::ProposedSolution, None),
        ItemKind::NonGoal => (wire::ContractField::NonGoals, None),
        ItemKind::Constraint => (wire::ContractField::Constraints, None),
        ItemKind::Entity(role) => (wire::ContractField::CoreEntities, Some(entity_role(role))),
        ItemKind::OptionalFeature => (wire::ContractField::OptionalFeatures, None),
        ItemKind::Uncertainty => (wire::ContractField::Uncertainties, None),
        ItemKind::SuccessMetric => (wire::ContractField::SuccessMetrics, None),
    };
    wire::ModelContractItem {
        field,
        role,
        span: span(&item.quote, names),
        obligation: item.obligation.and_then(|index| Some(read.obligations.get(index)?.id.clone())),
    }
}

fn adjusted(found: &View, published: &[wire::DriftIncident]) -> Vec<wire::Adjusted> {
    published
        .iter()
        .zip(&found.proposed)
        .filter(|(own, proposed)| own.drift_type != drift_type(proposed.0) || own.severity != proposed.1)
        .map(|(own, proposed)| wire::Adjusted {
            incident: own.id.clone(),
            proposed_type: drift_type(proposed.0),
            proposed_severity: proposed.1,
        })
        .collect()
}

fn would_be(own: &WouldBe) -> wire::WouldBe {
    wire::WouldBe {
        dimension_scores: dimension_scores(&own.scores.dimensions),
        overall_fidelity_score: own.scores.overall,
        overall_drift_risk: risk(own.risk),
        critical_drift_count: own.counts.critical_drift,
        unsupported_claim_count: own.counts.unsupported_claim,
        constraint_violation_count: own.counts.constraint_violation,
        confidence_inflation_count: own.counts.confidence_inflation,
        usable_as_is: own.usable_as_is,
    }
}

fn agreement(own: &Agreement, rules: &[wire::DriftIncident], model: &[wire::DriftIncident]) -> wire::Agreement {
    let id = |list: &[wire::DriftIncident], index: usize| list.get(index).map(|own| own.id.clone()).unwrap_or_default();
    wire::Agreement {
        rules_found_by_model: rules.len() - own.rules_only.len(),
        both: own
            .both
            .iter()
            .map(|&(rule, found)| wire::AgreedPair { rules: id(rules, rule), model: id(model, found) })
            .collect(),
        rules_only: own.rules_only.iter().map(|&index| id(rules, index)).collect(),
        model_only: own.model_only.iter().map(|&index| id(model, index)).collect(),
    }
}

fn claimed(own: Claimed) -> wire::ModelClaim {
    wire::ModelClaim {
        dimension_scores: Some(dimension_scores(&own.dimensions)),
        overall_fidelity_score: own.overall,
        overall_drift_risk: own.risk,
        critical_drift_count: own.critical_drift,
        unsupported_claim_count: own.unsupported_claim,
        constraint_violation_count: own.constraint_violation,
        confidence_inflation_count: own.confidence_inflation,
        usable_as_is: own.usable_as_is,
        verdict_preserved_well: own.preserved_well,
        verdict_major_failures: own.major_failures,
        verdict_recommended_actions: own.recommended_actions,
    }
}

fn not_judged(own: NotJudged, file: Option<String>) -> wire::NotJudged {
    wire::NotJudged {
        what: match own.what {
            Call::Contract => wire::ModelPart::Contract,
            Call::Incidents => wire::ModelPart::Incidents,
            Call::Scores => wire::ModelPart::Scores,
        },
        file,
        start: own.part.map(|part| part.span.start),
        end: own.part.map(|part| part.span.end),
        reason: own.why,
    }
}
