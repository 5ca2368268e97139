//! What somebody who understands the output proposes: that it meets a criterion or does not, or that one of its claims is contradicted by other words of it.
//!
//! Code looks up the quotes and refuses what it can refute. What code finds unmet or false stays so: a proposal settles what code leaves open, and adds faults.

use steadfast_evidence::{Origin, PROPOSALS_MAX, PROPOSED_QUOTE_BYTES_MAX, PROPOSED_QUOTE_BYTES_MIN, WHY_CHARS_MAX};
use steadfast_text::{Document, QuoteIndex, Span};

use crate::answer::{Bare, Profile, Report};
use crate::checks::{Contradiction, ContradictionKind};
use crate::criterion::{Criterion, CriterionStatus, ReportedBy, good};

/// What is said of a criterion, or of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The quote meets the criterion.
    Met,
    /// The output leaves it unmet.
    Unmet,
    /// What was taken for a report on it is none.
    Unreported,
    /// Other words of the output contradict the claim.
    Contradicted,
}

/// What is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The criterion: its id, or its text.
    pub criterion: Option<String>,
    /// Words of the output that claim something.
    pub claim: Option<String>,
    /// What is said of it.
    pub relation: Relation,
    /// Words of the output that say so.
    pub quote: String,
    /// Why, for a reader.
    pub why: String,
}

/// What one origin proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// Who proposes it.
    pub by: Origin,
    /// What is proposed.
    pub proposals: Vec<Proposal>,
}

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
) -> Vec<SetAside> {
    let index = QuoteIndex::new(look.document);
    let mut set_aside = Vec::new();
    for (at, own) in proposed.proposals.iter().enumerate() {
        let taken = if at >= PROPOSALS_MAX {
            Err(format!("it comes after the first {PROPOSALS_MAX} proposals"))
        } else if own.relation == Relation::Contradicted {
            contradicted(look, &index, own, &proposed.by, contradictions)
        } else {
            of_criterion(look, &index, own, &proposed.by, criteria, contradictions)
        };
        if let Err(reason) = taken {
            let words = [own.quote.as_str(), own.claim.as_deref().unwrap_or_default(), own.why.as_str()];
            let text = words.iter().map(|words| words.trim()).find(|words| !words.is_empty()).unwrap_or_default();
            set_aside.push(SetAside { text: text.to_owned(), reason });
        }
    }
    set_aside
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
        Relation::Unreported | Relation::Contradicted => CriterionStatus::Unreported,
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
    let claim = own.claim.as_deref().map(str::trim).filter(|claim| !claim.is_empty());
    let claim = claim.ok_or_else(|| "it names no claim".to_owned())?;
    let (claim, words) = locate(look, index, claim)?;
    let (against, said) = locate(look, index, &own.quote)?;
    if claim.overlaps(against) {
        return Err("the claim and the words against it are the same".to_owned());
    }
    if contradictions.iter().any(|known| known.spans.first().is_some_and(|known| known.overlaps(claim))) {
        return Ok(());
    }
    let why: String = own.why.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(WHY_CHARS_MAX).collect();
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
    let words = words.trim();
    let telling: usize = words.chars().filter(|c| c.is_alphanumeric()).map(char::len_utf8).sum();
    if telling < PROPOSED_QUOTE_BYTES_MIN {
        return Err(format!("\"{}\" is too short to point at a place", shown(words)));
    }
    if words.len() > PROPOSED_QUOTE_BYTES_MAX {
        return Err(format!("it quotes more than {PROPOSED_QUOTE_BYTES_MAX} bytes, which points at nothing"));
    }
    let source = &look.document.source;
    let joined = |left: Option<char>, right: Option<char>| {
        left.is_some_and(char::is_alphanumeric) && right.is_some_and(char::is_alphanumeric)
    };
    let whole = |span: Span| {
        let parts = (source.get(..span.start), source.get(span.range()), source.get(span.end..));
        let (Some(before), Some(own), Some(after)) = parts else { return false };
        !joined(before.chars().next_back(), own.chars().next())
            && !joined(own.chars().next_back(), after.chars().next())
    };
    let found = index.locate_where(words, whole).ok_or_else(|| "its words do not stand in the output".to_owned())?;
    Ok((found.span, source.get(found.span.range()).unwrap_or_default().to_owned()))
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

/// The first words of a text, for a message.
fn shown(text: &str) -> String {
    const SHOWN_CHARS_MAX: usize = 120;
    let mut shown: String = text.chars().take(SHOWN_CHARS_MAX).flat_map(char::escape_debug).collect();
    if text.chars().count() > SHOWN_CHARS_MAX {
        shown.push('…');
    }
    shown
}
