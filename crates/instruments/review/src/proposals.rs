//! What somebody who understands the output proposes: that it meets a criterion or does not, that one of its claims is contradicted by other words of it, and, where
//! there is a session, what the calls say of its claims and of what the user forbade or demanded.
//!
//! Code looks up the quotes and refuses what it can refute. What code finds unmet or false stays so: a proposal settles what code leaves open, and adds faults.

use steadfast_evidence::{Origin, PROPOSALS_MAX, find_words, quotable, shown};
use steadfast_text::{Document, QuoteIndex, Span};

use crate::answer::{Bare, Profile, Report};
use crate::checks::{Contradiction, ContradictionKind};
use crate::criterion::{Criterion, CriterionStatus, ReportedBy, good};
use crate::proposal::why;
use crate::session::Assessed;
use crate::session::proposed::{Held, Texts};

pub use crate::proposal::{Proposal, Proposed, Relation};

/// What was proposed and is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// Its words.
    pub text: String,
    /// Why.
    pub reason: String,
}

/// The id of a criterion, by its place from 0.
#[must_use]
pub fn criterion_id(at: usize) -> String {
    format!("criterion-{}", at + 1)
}

/// What proposals look into.
pub(crate) struct Look<'a> {
    pub(crate) document: &'a Document,
    pub(crate) report: &'a Report,
    pub(crate) profile: Profile,
}

/// Settles criteria by what was proposed of them, and adds claims that are contradicted. What is not taken is given back, with the reason.
pub(crate) fn settle(
    look: &Look<'_>,
    proposed: &Proposed,
    criteria: &mut [Criterion],
    contradictions: &mut Vec<Contradiction>,
    assessed: Option<&mut Assessed>,
) -> Vec<SetAside> {
    let index = QuoteIndex::new(look.document);
    let texts = assessed.as_deref().map(|own| Texts::of(own, &proposed.proposals));
    let mut held = assessed.zip(texts.as_ref()).map(|(own, texts)| Held::new(own, texts, &look.document.source));
    let mut set_aside = Vec::new();
    for (at, own) in proposed.proposals.iter().enumerate() {
        let taken = match (own.relation, &mut held) {
            _ if at >= PROPOSALS_MAX => Err(format!("it comes after the first {PROPOSALS_MAX} proposals")),
            (Relation::Contradicted, _) if own.turn.is_none() => {
                contradicted(look, &index, own, &proposed.by, contradictions)
            }
            (Relation::Met | Relation::Unmet | Relation::Unreported, _) => {
                of_criterion(look, &index, own, &proposed.by, criteria, contradictions)
            }
            (_, None) => Err("there is no session whose calls could say so".to_owned()),
            (Relation::Broken | Relation::Kept, Some(held)) => held.ask(own, &proposed.by),
            (Relation::Contradicted | Relation::Supported | Relation::Unsupported, Some(held)) => {
                claimed(look, &index, own).and_then(|(claim, _)| held.claim(claim, own, &proposed.by))
            }
        };
        if let Err(reason) = taken {
            let words = [Some(&own.quote), own.claim.as_ref(), own.asked.as_ref(), Some(&own.why)];
            let text = words.into_iter().flatten().map(|words| words.trim()).find(|words| !words.is_empty());
            set_aside.push(SetAside { text: text.unwrap_or_default().to_owned(), reason });
        }
    }
    if let Some(held) = held {
        held.finish();
    }
    set_aside
}

/// The claim that a proposal names.
fn claimed(look: &Look<'_>, index: &QuoteIndex<'_>, own: &Proposal) -> Result<(Span, String), String> {
    let claim = own.claim.as_deref().map(str::trim).filter(|claim| !claim.is_empty());
    locate(look, index, claim.ok_or_else(|| "it names no claim".to_owned())?)
}

fn of_criterion(
    look: &Look<'_>,
    index: &QuoteIndex<'_>,
    own: &Proposal,
    by: &Origin,
    criteria: &mut [Criterion],
    contradictions: &[Contradiction],
) -> Result<(), String> {
    let named = own.criterion.as_deref().map(str::trim).filter(|named| !named.is_empty());
    let named = named.ok_or_else(|| "it names no criterion".to_owned())?;
    let at =
        criteria.iter().enumerate().position(|(at, criterion)| criterion_id(at) == named || criterion.text == named);
    let at = at.ok_or_else(|| format!("there is no criterion `{}`", shown(named)))?;
    let criterion = &mut criteria[at];
    // What code says of it, whoever spoke of it before.
    let by_code = criterion.by_code.unwrap_or(criterion.status);
    let quote = if own.quote.trim().is_empty() { None } else { Some(locate(look, index, &own.quote)?) };
    let status = match own.relation {
        Relation::Met if by_code == CriterionStatus::Unmet => return Err("code finds it unmet".to_owned()),
        Relation::Met if criterion.status == CriterionStatus::Unmet => return Err("it is found unmet".to_owned()),
        Relation::Met if by_code == CriterionStatus::Met && criterion.status == CriterionStatus::Met => return Ok(()),
        Relation::Met => {
            let (span, words) = quote.as_ref().ok_or_else(|| "it quotes no words of the output".to_owned())?;
            refute_met(look, *span, words, &criterion.text, contradictions)?;
            CriterionStatus::Met
        }
        Relation::Unmet => CriterionStatus::Unmet,
        Relation::Unreported if criterion.status == CriterionStatus::Unmet => {
            return Err("it is found unmet".to_owned());
        }
        Relation::Unreported if criterion.by.as_ref().is_some_and(|by| by.fit.is_none() && !by.proposed) => {
            return Err("the output lists it itself".to_owned());
        }
        // No other relation is said of a criterion.
        _ => CriterionStatus::Unreported,
    };
    if status == by_code && criterion.by_code.is_none() {
        return Ok(());
    }
    criterion.by = match (status, quote) {
        (CriterionStatus::Unreported, _) => None,
        (_, Some((span, text))) => Some(reported(look, span, text)),
        (_, None) => criterion.by.take(),
    };
    criterion.status = status;
    criterion.by_code = Some(by_code);
    criterion.origin = by.clone();
    Ok(())
}

/// What code can say against words that are to meet a criterion.
fn refute_met(
    look: &Look<'_>,
    span: Span,
    words: &str,
    criterion: &str,
    contradictions: &[Contradiction],
) -> Result<(), String> {
    if let Some(item) = look.report.items.iter().find(|item| item.span.overlaps(span)) {
        if !good(item.sign, look.profile) {
            return Err(format!("the output says otherwise there: {} {}", item.sign.emoji(), shown(&item.text)));
        }
    } else if let Some(item) = look.report.bare.iter().find(|item| item.span.overlaps(span)) {
        if item.sign != Bare::Done {
            return Err(format!("the output says otherwise there: {} {}", item.mark, shown(&item.text)));
        }
    } else if folded(words) == folded(criterion) {
        return Err("the output only repeats the criterion there".to_owned());
    }
    if contradictions.iter().any(|own| own.spans.first().is_some_and(|claim| claim.overlaps(span))) {
        return Err("the claim there is found false".to_owned());
    }
    Ok(())
}

fn contradicted(
    look: &Look<'_>,
    index: &QuoteIndex<'_>,
    own: &Proposal,
    by: &Origin,
    contradictions: &mut Vec<Contradiction>,
) -> Result<(), String> {
    let (claim, words) = claimed(look, index, own)?;
    let (against, said) = locate(look, index, &own.quote)?;
    if claim.overlaps(against) {
        return Err("the claim and the words against it are the same".to_owned());
    }
    if contradictions.iter().any(|known| known.spans.first().is_some_and(|known| known.overlaps(claim))) {
        return Ok(());
    }
    let why = why(own);
    let message = if why.is_empty() { format!("\"{}\", but \"{}\"", shown(&words), shown(&said)) } else { why };
    contradictions.push(Contradiction {
        origin: by.clone(),
        kind: ContradictionKind::Quoted,
        claim: words,
        stated: f64::NAN,
        computed: f64::NAN,
        unit: String::new(),
        spans: vec![claim, against],
        message,
        refuted_by: Vec::new(),
    });
    Ok(())
}

/// Where words stand in the output, and what stands there.
fn locate(look: &Look<'_>, index: &QuoteIndex<'_>, words: &str) -> Result<(Span, String), String> {
    let words = quotable(words)?;
    find_words(look.document, index, words).ok_or_else(|| "its words do not stand in the output".to_owned())
}

/// What reports on a criterion: the item there, else the words themselves.
fn reported(look: &Look<'_>, span: Span, text: String) -> ReportedBy {
    let item = look.report.items.iter().position(|item| item.span.overlaps(span));
    let mark = match item.and_then(|at| look.report.items.get(at)) {
        Some(item) => item.sign.emoji().to_owned(),
        None => look
            .report
            .bare
            .iter()
            .find(|item| item.span.overlaps(span))
            .map_or_else(String::new, |item| item.mark.clone()),
    };
    ReportedBy { item, mark, text, span, fit: None, lexical: true, proposed: true }
}

/// Letters and digits alone, in lower case.
fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
