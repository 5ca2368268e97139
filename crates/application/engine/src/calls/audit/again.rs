//! A person decides what an audit left open: the same audit again, with what they say of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_wire::audit::{
    CONTRACT_SCHEMA_VERSION, Contract, ContractObligation, ContractSource, DriftEvaluation, NotEvaluable, Obligation,
    Origin, Proposal, Proposed, Role, UndecidedObligation,
};
use steadfast_wire::request::{self, AgentName, JsonSource, Source};

use super::{AuditContext, Host, Refusal, audit};
use crate::audit::AuditOutcome;
use crate::audit::undecided::shown;
use crate::hash::sha256;

/// Longest name of a person, in bytes.
pub const PERSON_BYTES_MAX: usize = 200;

/// The obligations of an evaluation that a person may still decide: those that were not judged or are missing, and those that whoever calls found kept and is not
/// trusted with. `texts` are those of the files, by their names.
#[must_use]
pub fn open_to_a_person(evaluation: &DriftEvaluation, texts: &BTreeMap<String, String>) -> Vec<UndecidedObligation> {
    let is_open = |own: &&Obligation| !own.counted(evaluation.trust_host).assessed || own.is_missing();
    evaluation.obligations.iter().filter(is_open).map(|own| shown(own, texts)).collect()
}

/// The same of what stands in the place of an evaluation.
#[must_use]
pub fn open_of_nothing(answer: &NotEvaluable, texts: &BTreeMap<String, String>) -> Vec<UndecidedObligation> {
    answer.obligations.iter().map(|own| shown(own, texts)).collect()
}

/// Whether the texts of an evaluation are kept, as far as their lengths tell: [`audit_again`] looks at their hashes.
#[must_use]
pub fn texts_are_kept(evaluation: &DriftEvaluation, texts: &BTreeMap<String, String>) -> bool {
    evaluation.sources.iter().all(|source| texts.get(&source.file).is_some_and(|text| text.len() == source.bytes))
}

/// What a person proposes, who says who they are.
///
/// # Errors
/// [`Refusal`] where they give no name, or one that is none.
pub fn by_person(name: &str, proposals: Vec<Proposal>) -> Result<Proposed, Refusal> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Refusal::input("nobody signs").hint("give your name: the result says who decided"));
    }
    if name.len() > PERSON_BYTES_MAX || name.chars().any(char::is_control) {
        return Err(Refusal::input(format!("the name holds control characters or more than {PERSON_BYTES_MAX} bytes")));
    }
    if proposals.is_empty() {
        return Err(
            Refusal::input("nothing was decided").hint("say of one obligation at least how the report stands to it")
        );
    }
    Ok(Proposed { by: Origin::person(), person: Some(name.to_owned()), proposals })
}

/// Audits again what an evaluation is of, with its reading, what was proposed before, and what a person proposes now. It is kept as a run of its own.
/// `texts` are those of the files, by their names.
///
/// # Errors
/// [`Refusal`] where the texts are not those that were audited, and as [`audit`].
pub async fn audit_again(
    host: &Arc<dyn Host>,
    evaluation: DriftEvaluation,
    texts: &BTreeMap<String, String>,
    agent: Option<AgentName>,
    proposed: Proposed,
) -> Result<AuditOutcome, Refusal> {
    let request = request(&evaluation, texts, agent)?;
    let by_person = evaluation.reading.by == Origin::person();
    let earlier = evaluation.proposals.into_iter().chain([proposed]).collect();
    let context = AuditContext { by_person, earlier, ..AuditContext::default() };
    audit(host, request, context).await
}

/// The request of an audit that was made, by rules.
fn request(
    evaluation: &DriftEvaluation,
    texts: &BTreeMap<String, String>,
    agent: Option<AgentName>,
) -> Result<request::Audit, Refusal> {
    let of = |role: Role| {
        let sources = evaluation.sources.iter().filter(|source| source.role == role);
        let file = |source: &steadfast_wire::audit::Source| {
            let text = texts.get(&source.file).filter(|text| sha256(text.as_bytes()) == source.sha256);
            let lost = || Refusal::input(format!("{}: its text was not kept as it came", source.file));
            let text = text.ok_or_else(|| {
                lost().hint("`--proposals FILE --confirm NAME` of `steadfast audit` takes the files themselves")
            })?;
            Ok((source.file.clone(), text.clone()))
        };
        sources.map(file).collect::<Result<Vec<_>, Refusal>>()
    };
    let (asks, answers, context) = (of(Role::Ask)?, of(Role::Answer)?, of(Role::Context)?);
    let named = |(name, text): (String, String)| Source::Named { name, text };
    Ok(request::Audit {
        prompt: asks.into_iter().map(named).next(),
        report: answers.into_iter().map(named).collect(),
        contract: contract(evaluation)?.map(|contract| JsonSource::Source(Source::Text(contract))),
        context: context.into_iter().map(named).collect(),
        trust_host: evaluation.trust_host,
        usable_share: Some(evaluation.usable_share),
        agent,
        ..request::Audit::default()
    })
}

/// The reading that was handed in; `None` where the program's own was used.
fn contract(evaluation: &DriftEvaluation) -> Result<Option<String>, Refusal> {
    let by = &evaluation.reading.by;
    if *by == Origin::code() {
        return Ok(None);
    }
    // What proposals added they add again.
    let is_added = |own: &Obligation| own.by == Origin::host() || own.by.chat_name().is_some();
    let is_of_reading = |own: &&Obligation| *by != Origin::person() || !is_added(own);
    let stated = |own: &Obligation| ContractObligation {
        id: own.id.clone(),
        kind: own.kind,
        role: None,
        quote: own.span.quote.clone(),
        span: Some(own.span.clone()),
        strength: own.strength,
        polarity: own.polarity,
        value: None,
        by: own.by.clone(),
        confirmed_by: own.confirmed_by.clone(),
    };
    let obligations = evaluation.obligations.iter().filter(is_of_reading).filter(|own| !own.disputed).map(stated);
    let contract = Contract {
        schema: CONTRACT_SCHEMA_VERSION.to_owned(),
        source: ContractSource::default(),
        obligations: obligations.collect(),
        unread: Vec::new(),
    };
    steadfast_wire::to_json(&contract).map(Some).map_err(|error| Refusal::fault(error.to_string()))
}
