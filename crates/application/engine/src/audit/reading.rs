//! The reading of a prompt, from the document to the instrument and back.

use std::collections::BTreeSet;

use steadfast_audit::ask::{Contract, ContractItem, EntityRole, Kind};
use steadfast_audit::proposals::{Proposal, Proposed};
use steadfast_audit::reading::{Reading, Stated, adopt, value_of};
use steadfast_audit::run;
use steadfast_audit::unread::{Unread, unread};
use steadfast_evidence::{FileId, Origin};
use steadfast_text::Span;
use steadfast_wire::audit as wire;

use super::judge::{self, span};
use super::{Read, read};
use crate::EngineError;
use crate::hash::sha256;
use crate::intake::{self, File};
use crate::pool::judging;
use crate::proposals::{refused, text};

/// A contract that was handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandedContract {
    /// What it is called in messages.
    pub name: String,
    /// What it states.
    pub contract: wire::Contract,
    /// Whether a person hands it in: it replaces what the program reads. Anybody else only adds to it.
    pub by_person: bool,
}

impl HandedContract {
    /// Reads one from the bytes of a file.
    ///
    /// # Errors
    /// [`EngineError::ContractFile`]
    pub fn read(file: &File, by_person: bool) -> Result<Self, EngineError> {
        let refused = |what: String| EngineError::ContractFile { file: file.name.clone(), what };
        let text = std::str::from_utf8(&file.bytes).map_err(|error| refused(format!("is not UTF-8: {error}")))?;
        let contract = steadfast_wire::from_json(text.trim_start_matches('\u{feff}'))
            .map_err(|error| refused(error.to_string()))?;
        Ok(Self { name: file.name.clone(), contract, by_person })
    }

    /// The same, each obligation confirmed by somebody.
    #[must_use]
    pub fn confirmed(mut self, by: Option<&str>) -> Self {
        if let Some(by) = by {
            for own in &mut self.contract.obligations {
                own.confirmed_by = Some(by.to_owned());
            }
        }
        self
    }
}

/// What was proposed, from the bytes of a file.
///
/// # Errors
/// [`EngineError::ProposalsFile`]
pub fn read_proposals(file: &File) -> Result<Vec<wire::Proposal>, EngineError> {
    steadfast_wire::from_json(text(file)?).map_err(|error| refused(file, error.to_string()))
}

/// Reads a prompt as a contract; with an earlier one what of it still stands is taken over. With the name of a person each obligation is confirmed by
/// that person.
///
/// # Errors
/// [`EngineError`]: a prompt that cannot be read or says nothing, or an earlier contract of which something does not stand in the prompt.
pub async fn audit_contract(
    prompt: File,
    handed: Option<HandedContract>,
    confirmed_by: Option<String>,
) -> Result<wire::Contract, EngineError> {
    judging(prompt.bytes.len(), move || {
        let Read { source, document } = read(&prompt, wire::Role::Ask, "", intake::holds_prompt_in_json(&prompt.name))?;
        let body = run::body(&document);
        let not = |what: &str| EngineError::not_evaluable(source.file.clone(), what);
        if document.quote(body).trim().is_empty() {
            return Err(not("the prompt is empty"));
        }
        let own = steadfast_audit::ask::read(FileId(0), &document, body);
        if own.request.statements.is_empty() {
            return Err(not("the prompt holds no sentence that could be read"));
        }
        let mut contract = match handed {
            None => own,
            Some(handed) => taken_over(own, handed)?.0,
        };
        if confirmed_by.is_some() {
            contract.obligations.iter_mut().for_each(|item| item.confirmed_by.clone_from(&confirmed_by));
        }
        Ok(document_of(&contract, &source))
    })
    .await
}

/// The contract with one that was handed in, and what of that is not heeded.
pub(super) fn taken_over(own: Contract, handed: HandedContract) -> Result<(Contract, Vec<String>), EngineError> {
    let HandedContract { name, contract, by_person } = handed;
    let mut notes = Vec::new();
    let confirms = contract.obligations.iter().filter(|own| own.confirmed_by.is_some()).count();
    if !by_person && confirms > 0 {
        notes.push(format!(
            "`confirmed_by` of {confirms} obligations is ignored: what comes over HTTP or MCP confirms nothing"
        ));
    }
    let obligations = contract.obligations.into_iter().map(stated).collect();
    let from = if by_person { Origin::Person(None) } else { Origin::Host };
    let adopted = adopt(own, Reading { obligations, from })
        .map_err(|refused| EngineError::ContractRefused { file: name, refused })?;
    Ok((adopted, notes))
}

fn stated(own: wire::ContractObligation) -> Stated {
    Stated {
        id: own.id,
        kind: kind_of(own.kind, own.role),
        quote: own.quote,
        span: own.span.map(|span| Span::new(span.start.min(span.end), span.end)),
        strength: own.strength,
        polarity: own.polarity,
        value: own.value,
        by: own.by.chat_name().map_or(Origin::Code, |name| Origin::Chat(name.to_owned())),
        confirmed_by: own.confirmed_by,
    }
}

fn kind_of(kind: wire::ObligationKind, role: Option<wire::EntityRole>) -> Kind {
    match kind {
        wire::ObligationKind::Intent => Kind::Intent,
        wire::ObligationKind::Problem => Kind::Problem,
        wire::ObligationKind::Solution => Kind::Solution,
        wire::ObligationKind::NonGoal => Kind::NonGoal,
        wire::ObligationKind::Constraint => Kind::Constraint,
        wire::ObligationKind::Banned => Kind::Banned,
        wire::ObligationKind::Optional => Kind::Optional,
        wire::ObligationKind::Uncertainty => Kind::Uncertainty,
        wire::ObligationKind::Metric => Kind::Metric,
        wire::ObligationKind::Budget => Kind::Budget,
        wire::ObligationKind::Deadline => Kind::Deadline,
        wire::ObligationKind::Place => Kind::Place,
        wire::ObligationKind::Entity => Kind::Entity(role.unwrap_or(EntityRole::Partner)),
    }
}

/// A contract as it is published.
fn document_of(contract: &Contract, source: &wire::Source) -> wire::Contract {
    let names = [source.file.as_str()];
    wire::Contract {
        schema: wire::CONTRACT_SCHEMA_VERSION.to_owned(),
        source: wire::ContractSource { file: source.file.clone(), sha256: source.sha256.clone() },
        obligations: contract.obligations.iter().map(|item| obligation(item, &names)).collect(),
        unread: left_unread(contract, &names),
    }
}

fn obligation(item: &ContractItem, names: &[&str]) -> wire::ContractObligation {
    let source = item.obligation.source();
    wire::ContractObligation {
        id: item.id.clone(),
        kind: judge::kind(item.obligation.kind),
        role: match item.obligation.kind {
            Kind::Entity(role) => Some(role),
            _ => None,
        },
        quote: source.text().to_owned(),
        span: Some(span(source, names)),
        strength: item.strength,
        polarity: item.polarity,
        value: value_of(item),
        by: judge::origin(&item.by),
        confirmed_by: item.confirmed_by.clone(),
    }
}

/// Which reading an evaluation rests on.
pub(super) fn reading(contract: &Contract, notes: &[String], names: &[&str]) -> wire::Reading {
    let obligations: Vec<wire::ContractObligation> =
        contract.obligations.iter().map(|item| obligation(item, names)).collect();
    // Strings and numbers always have a JSON form.
    let line = steadfast_wire::to_json_line(&obligations).unwrap_or_default();
    let confirmed: BTreeSet<&String> =
        contract.obligations.iter().filter_map(|item| item.confirmed_by.as_ref()).collect();
    wire::Reading {
        sha256: sha256(line.as_bytes()),
        by: judge::origin(&contract.by),
        confirmed_by: confirmed.into_iter().cloned().collect(),
        disputed: contract.disputed.iter().map(|item| obligation(item, names)).collect(),
        unread: left_unread(contract, names),
        notes: notes.to_vec(),
    }
}

fn left_unread(contract: &Contract, names: &[&str]) -> Vec<wire::Unread> {
    let published =
        |own: Unread| wire::Unread { quote: own.quote.text().to_owned(), span: span(&own.quote, names), why: own.why };
    unread(contract).into_iter().map(published).collect()
}

/// What one origin proposes, as the instrument takes it.
#[must_use]
pub fn proposed(own: wire::Proposed) -> Proposed {
    let proposal = |own: wire::Proposal| Proposal {
        obligation: own.obligation,
        asked: own.asked,
        relation: own.relation,
        quote: own.quote,
        why: own.why,
    };
    let by = match own.by.chat_name() {
        Some(name) => Origin::Chat(name.to_owned()),
        None if own.by == wire::Origin::person() => Origin::Person(own.person),
        None => Origin::Host,
    };
    Proposed { by, proposals: own.proposals.into_iter().map(proposal).collect() }
}
