//! The use case: what can be said of a prompt before anybody plans by it?

use std::collections::BTreeMap;

use steadfast_audit::lint::{self as own, Lint};
use steadfast_evidence::{Evaluated, FileId, Quote, RULES_VERSION};
use steadfast_wire::audit::{Role, Source};
use steadfast_wire::lint::{self as wire, PromptLint};

use crate::EngineError;
use crate::audit::judge::{kind, span};
use crate::hash::sha256;
use crate::intake::{self, File};
use crate::pool::judging;

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct LintOutcome {
    /// What is said of the prompt.
    pub lint: PromptLint,
    /// The text of the prompt, by its name in `source`.
    pub texts: BTreeMap<String, String>,
}

/// Reads a prompt by itself. The same prompt gives the same outcome.
///
/// # Errors
/// [`EngineError`]: a prompt that cannot be read, or that says nothing.
pub async fn lint_prompt(prompt: File) -> Result<LintOutcome, EngineError> {
    judging(prompt.bytes.len(), move || work(&prompt)).await
}

fn work(prompt: &File) -> Result<LintOutcome, EngineError> {
    let document = intake::prompt_document(&prompt.name, prompt, intake::holds_prompt_in_json(&prompt.name))?;
    let texts = BTreeMap::from([(prompt.name.clone(), document.source.to_string())]);
    let source = Source {
        file: prompt.name.clone(),
        role: Role::Ask,
        bytes: prompt.bytes.len(),
        sha256: sha256(&prompt.bytes),
        left_out: Vec::new(),
        note: None,
    };
    let read = steadfast_audit::Source { file: FileId(0), name: prompt.name.clone(), document };
    match own::lint(&read) {
        Evaluated::Value(found) => Ok(LintOutcome { lint: published(found, source), texts }),
        Evaluated::NotEvaluable(reason) => Err(EngineError::not_evaluable(prompt.name.clone(), &reason.0)),
    }
}

fn published(found: Lint, source: Source) -> PromptLint {
    let names = [source.file.as_str()];
    let place = |quote: &Quote| span(quote, &names);
    let obligations = found.contract.obligations.iter().zip(&found.checkable_by);
    let obligations = obligations.map(|(item, checks)| wire::LintObligation {
        id: item.id.clone(),
        kind: kind(item.obligation.kind),
        text: item.obligation.text.clone(),
        basis: item.obligation.basis,
        span: place(item.obligation.source()),
        checkable_by: checks.iter().map(|check| (*check).to_owned()).collect(),
    });
    let obligations = obligations.collect();
    let contradictions = found.contradictions.iter().map(|own| wire::Contradiction {
        kind: own.kind,
        explanation: own.explanation.clone(),
        spans: [place(&own.quotes[0]), place(&own.quotes[1])],
    });
    let contradictions = contradictions.collect();
    let vague =
        found.vague.iter().map(|own| wire::Vague { kind: own.kind, word: own.word.clone(), span: place(&own.quote) });
    let vague = vague.collect();
    PromptLint {
        schema_version: wire::SCHEMA_VERSION.to_owned(),
        rules_version: RULES_VERSION.to_owned(),
        obligations,
        contradictions,
        vague,
        unsaid: found.unsaid,
        source,
    }
}
