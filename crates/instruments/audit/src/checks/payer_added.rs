//! Somebody pays of whom the ask says nothing of the kind: a payer from nowhere, those for whom it is and who pay nothing there, a
//! price of something of which nobody speaks. A price on what is free is for `value-differs`.
//!
//! Looked at are sentences in which somebody pays, funds, gives or is charged money, and sentences that set a price. Who pays is
//! looked for in the ask: a payer whom neither the ask nor any other sentence of the report names is from nowhere; one whom
//! the ask names must pay there too, where the ask says of its money at all. What the plan itself spends, lines of a budget, conditions,
//! denials and the ask's own figures are none.
//!
//! Example: the ask is a choir that lives on its members' fees; "The brewery pays for the robes" is an incident.

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Strength, Unit, is_mention, is_negated, modality};
use steadfast_evidence::{Evidence, Quote, Severity};
use steadfast_grounding::related;
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::Kind;
use crate::context::is_empty_word;
use crate::incident::{Disqualifies, DriftType, Incident};
use crate::kin::{self, folded, states};

/// The check's id.
pub(super) const ID: &str = "payer-added";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::E,
    summary: "somebody pays, or something has a price, of which the ask says nothing of the kind",
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;
/// Content words of a payer, at most: more are a clause and no name.
const PAYER_WORDS_MAX: usize = 8;

/// To give money, whatever stands behind it.
static PAYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:pays?|(?:is|are|will be) charged|will pay|funds|financ(?:e|es)|will (?:fund|finance|sponsor)|sponsors|subsidi[sz]es?|donates?|(?:bears?|covers?|meets?|carr(?:y|ies)|shares?) (?:the |all |half (?:of )?|part of )*(?:costs?|expenses?|bills?))\b").ok()
});
/// To give something, which is money only where a sum follows.
static GIVES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:gives?|adds?|contributes?|provides?|lends?|grants?|puts? in|spends?|buys?|earns?|brings?(?: in)?)\b",
    )
    .ok()
});
/// Paid by somebody.
static PAID_BY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:paid(?: for)?|funded|financed|sponsored|subsidi[sz]ed|donated|borne|covered|met) by\b",
    )
    .ok()
});
/// A price, before or behind the sum.
static PRICE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:costs?|prices?|priced|fees?|charges?|charged|sells?|sold|pays?|paid|tickets?|earns?|income|revenue|fares?|rents?|wages?)\b").ok()
});
/// A price that is asked of those who come.
static TARIFF: LazyLock<Option<Regex>> =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:price|fee|fare|ticket|charge)s? (?:for|of|to)\b").ok());
/// Words of such a sentence that stand nowhere else, at least.
const ALONE_MIN: usize = 2;
/// Words of money in an ask.
static MONEY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:pay\w*|paid|fund\w*|grants?|subsid\w+|donat\w+|money|cash|budgets?|costs?|pric\w+|charg\w+|fees?|s[eo]ll?s?|sold|selling|financ\w+|sponsor\w*|income|invest\w*|buy\w*|loans?|contribut\w+|spend\w*)\b").ok()
});
/// Where a name ends and what narrows it begins.
static NARROWS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i) (?:of|to|for|in|on|at|from|with|by|near|between|among|who|that|which|and)\b")
        .ok()
});
/// Words that say who speaks: the plan, not somebody else.
static OWN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^\W*(?:we|i|our|us|everybody|everyone|nobody|it|they|that|which|who)\b|\b(?:plan|project|team|budget|reserve)\b")
        .ok()
});

fn run(case: &Case<'_>) -> Vec<Incident> {
    if !case.kin.judges() {
        return Vec::new();
    }
    let says_of_money =
        !case.ask.funding.is_empty() || case.ask.obligations.iter().any(|item| item.obligation.kind == Kind::Budget);
    let mut incidents = Vec::new();
    for claim in case.answer.claims.iter().filter(|claim| states(case.answer, claim)) {
        if incidents.len() == INCIDENTS_MAX {
            break;
        }
        if is_mention(&claim.text, 0..claim.text.len()) || modality(&claim.text).strength < Strength::Likely {
            continue;
        }
        let found = payer(case, claim, says_of_money).or_else(|| says_of_money.then(|| stray(case, claim)).flatten());
        incidents.extend(found);
    }
    incidents
}

/// Where a sum of money that is no figure of the ask stands.
fn sum(case: &Case<'_>, claim: &Claim) -> Option<Range<usize>> {
    let money = claim.quantities.iter().filter(|quantity| matches!(quantity.unit, Unit::Money(_)));
    let known = |low| case.ask.request.figures.iter().any(|figure| figure.quantity.low == low);
    money.filter(|quantity| !known(quantity.low)).map(|quantity| quantity.range.clone()).next()
}

/// Somebody pays who pays nothing in the ask.
fn payer(case: &Case<'_>, claim: &Claim, says_of_money: bool) -> Option<Incident> {
    let text = claim.text.as_str();
    let (who, verb) = who(claim)?;
    if is_negated(text, verb.clone()) || OWN.as_ref()?.is_match(&text[who.clone()]) {
        return None;
    }
    let words: Vec<String> =
        folded(&text[who.clone()]).map(|(_, stem)| stem).filter(|stem| !is_empty_word(stem)).collect();
    if words.is_empty() || words.len() > PAYER_WORDS_MAX {
        return None;
    }
    let range = who.start.min(verb.start)..who.end.max(verb.end);
    let name = text[who.clone()].trim();
    // "The owners of the house": the first of them says who it is.
    let head_end = NARROWS.as_ref()?.find(&text[who.clone()]).map_or(who.end, |found| who.start + found.start());
    let head =
        folded(&text[who.start..head_end]).last().map(|(at, stem)| (who.start + at.start..who.start + at.end, stem));
    let (head_at, head) = head?;
    if !case.kin.is_asked(&head) {
        // Whom another sentence of the report names was brought in there.
        let told = case.kin.told(&head) > 1 || case.kin.ties(claim, &head_at).told > 0;
        return (!told && !kin::leans(&text[who])).then(|| {
            let because = format!(
                "In the report \"{name}\" pays; neither the prompt nor another sentence of the report names them."
            );
            one(case, claim, &range, None, because)
        })?;
    }
    // Whom the ask names pays there too, or the ask says who pays and it is somebody else.
    let pays_in_ask = case.ask.request.statements.iter().any(|statement| {
        let text = &statement.text;
        let named = folded(text).any(|(_, stem)| related(&head, &stem));
        named
            && MONEY.as_ref().is_some_and(|money| {
                money.find_iter(text).any(|found| !is_negated(text, found.range()))
                    || case.ask.request.figures.iter().any(|figure| {
                        figure.quote.span().overlaps(statement.quote.span())
                            && matches!(figure.quantity.unit, Unit::Money(_))
                    })
            })
    });
    if pays_in_ask || !says_of_money {
        return None;
    }
    let sum = sum(case, claim)?;
    let because =
        format!("In the report \"{name}\" pays {}; the prompt names them, and nowhere lets them pay.", &text[sum]);
    let source = case.ask.funding.first();
    one(case, claim, &range, source, because)
}

/// Who gives money in a sentence, and the word that says so.
fn who(claim: &Claim) -> Option<(Range<usize>, Range<usize>)> {
    let text = claim.text.as_str();
    if let Some(by) = PAID_BY.as_ref()?.find(text) {
        let rest = &text[by.end()..];
        let end = rest.find([';', ':', '(']).or_else(|| rest.find(", ")).unwrap_or(rest.trim_end_matches('.').len());
        return Some((by.end()..by.end() + end, by.range()));
    }
    let verb = PAYS.as_ref()?.find(text).or_else(|| {
        let given = GIVES.as_ref()?.find(text)?;
        let follows = |quantity: &steadfast_annotate::Quantity| {
            matches!(quantity.unit, Unit::Money(_)) && quantity.range.start >= given.end()
        };
        claim.quantities.iter().any(follows).then_some(given)
    })?;
    let start = text[..verb.start()].rfind([';', ':', '(']).map_or(0, |at| at + 1);
    let start = text[start..verb.start()].rfind(", ").map_or(start, |at| start + at + 1);
    (start < verb.start()).then(|| (start..verb.start(), verb.range()))
}

/// A sum for something of which neither the ask nor the rest of the report speaks.
fn stray(case: &Case<'_>, claim: &Claim) -> Option<Incident> {
    let sum = sum(case, claim)?;
    let ties = case.kin.ties(claim, &(0..claim.text.len()));
    // A price is asked of somebody; what a thing costs is the plan's own.
    let asked_of = TARIFF.as_ref()?.is_match(&claim.text) && ties.alone.len() >= ALONE_MIN;
    if !(ties.is_stranger() || asked_of) || kin::leans(&claim.text) || !PRICE.as_ref()?.is_match(&claim.text) {
        return None;
    }
    let because = format!(
        "The report speaks of {}; neither the prompt nor the rest of the report speaks of {}.",
        &claim.text[sum],
        ties.words(&claim.text)
    );
    one(case, claim, &(0..claim.text.len()), None, because)
}

fn one(
    case: &Case<'_>,
    claim: &Claim,
    range: &Range<usize>,
    source: Option<&Quote>,
    because: String,
) -> Option<Incident> {
    let quote = case.answer.quote(claim, range)?;
    let mut draft = incident(&CHECK, Severity::Major, 0.7, Evidence::Quote(quote))
        .at(case.answer, claim, range)
        .because(because)
        .repair("Keep to those who pay in the prompt, or mark this as a proposal.");
    if let Some(source) = source {
        draft = draft.source(source).disqualifies(Disqualifies::BusinessModelChanged);
    }
    Some(draft.done())
}
