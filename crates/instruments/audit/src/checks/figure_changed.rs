//! A figure of the ask appears with another value: a budget, a count, a price, a rate, a currency.
//!
//! The figure must be that of the same thing: same family of unit, same role, the words of the ask beside it or in its label
//! or row, nothing that makes it another's (a phase, a threshold, an impact, a subset, a candidate), and it must not be
//! another figure of the ask or made of them. What lies within a bound of the ask is kept; what passes it is
//! `limit-exceeded`'s. Another currency counts where the number is the same, or where no rate could make the one of the other.
//!
//! Example: the ask says "8 bedrooms"; "the house offers 4 bedrooms" is an incident.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use rust_decimal::prelude::ToPrimitive;
use steadfast_annotate::{Bound, Relation, Unit, content_stems};
use steadfast_ask::{Figure, Role};
use steadfast_evidence::{Evidence, Quote, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::figures::{self, Stated};
use crate::incident::{DriftType, Incident};
use crate::matching::is_generic;
use crate::same_figure::{self as same, Pattern, hit};

/// The check's id.
pub(super) const ID: &str = "figure-changed";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::C,
    summary: "a figure of the ask appears with another value",
    on_by_default: true,
    run,
};

/// A currency may be off from its usual rate by this factor before it is no conversion.
const RATE_FACTOR_MAX: f64 = 1.7;

/// What states how many there are of something, rather than some of them.
static STATES_ALL: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:has|have|offers?|hous(?:es|ing)|contains?|compris\w+|consists? of|provides?|with|establish\w*|buil(?:d|ds|ding)|open(?:s|ing)?|total of|in total|number of|capacity (?:of|for)|fit(?:s|ted)? out|runs?|secure|deliver|achieve|produce|complete|inclu\w+)\b[^;,]{0,50}$").ok()
});
static PER: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\bper[ -](?:[\w]+-)?(\w+)").ok());

/// Stems of verbs between who pays and how much.
const PAYS: &[&str] = &[
    "add",
    "allot",
    "bear",
    "bring",
    "carri",
    "contribut",
    "cover",
    "donat",
    "give",
    "grant",
    "lend",
    "paid",
    "pay",
    "provid",
    "put",
    "spend",
];

/// What was found of one figure of the ask.
struct Found<'a> {
    claim: &'a Claim,
    range: Range<usize>,
    severity: Severity,
    confidence: f64,
    words: String,
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut found: BTreeMap<usize, Vec<Found<'_>>> = BTreeMap::new();
    for claim in &case.answer.claims {
        if claim.stance.excluded || claim.quantities.is_empty() {
            continue;
        }
        let around = same::around(case.answer, claim);
        for stated in figures::stated(claim, case.answer) {
            let range = stated.quantity.range.clone();
            let baseline = same::is_baseline(&claim.text, range.start);
            if !claim.voice_at(&range).can_drift() {
                continue;
            }
            if (!baseline && same::is_other(claim, &stated, &around))
                || same::is_given_or_derived(case.ask, claim, &stated.quantity)
            {
                continue;
            }
            let hit = match stated.quantity.unit {
                Unit::Money(_) => money(case, claim, &stated, &around),
                Unit::Count(_) => count(case, claim, &stated),
                Unit::Duration(_) => duration(case, claim, &stated, &around),
                Unit::Percent => percentage(case, claim, &stated),
                _ => None,
            };
            let Some((asked, severity, confidence)) = hit else { continue };
            let confidence =
                if claim.stance.assumed || !claim.is_of_the_plan() { confidence - 0.1 } else { confidence };
            let words = stated.quantity_text(&claim.text).trim().to_owned();
            found.entry(asked).or_default().push(Found { claim, range, severity, confidence, words });
        }
    }
    found.into_iter().filter_map(|(asked, places)| told(case, asked, places)).collect()
}

fn told(case: &Case<'_>, asked: usize, mut places: Vec<Found<'_>>) -> Option<Incident> {
    let figure = case.ask.request.figures.get(asked)?;
    // The plainest statement first; what is flagged as assumed after it.
    places.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let first = places.first()?;
    let quote = case.answer.quote(first.claim, &first.range)?;
    let others: Vec<Quote> =
        places.iter().skip(1).filter_map(|found| case.answer.quote(found.claim, &found.range)).collect();
    let draft = incident(&CHECK, first.severity, first.confidence, Evidence::Quote(quote))
        .at(case.answer, first.claim, &first.range)
        .voice(first.claim.voice_at(&first.range))
        .also(others)
        .source(&figure.quote)
        .because(format!(
            "The prompt says \"{}\"; the report gives {} for it.",
            figure.quote.text().trim(),
            first.words
        ))
        .repair("Put the figure of the prompt back, or say openly that it is changed and why.")
        .unsupported_number();
    Some(match figures::obligation(case.ask, figure) {
        Some(index) => draft.obligation(index).done(),
        None => draft.done(),
    })
}

fn money(case: &Case<'_>, claim: &Claim, stated: &Stated, around: &str) -> Option<(usize, Severity, f64)> {
    if let Some((index, total)) = same::asked_total(case.ask)
        && same::is_whole_budget(case.answer, claim, stated, &total.subject)
        && !beside(claim, stated, total)
        && !is_a_lesser_budget(claim, stated, total)
    {
        return match same::relation(&stated.quantity, &total.quantity) {
            Some(Relation::Below | Relation::Above) if total.quantity.bound == Bound::Exact => {
                Some((index, Severity::Major, 0.85))
            }
            Some(_) => None,
            None => another_currency(stated, total).map(|severity| (index, severity, 0.85)),
        };
    }
    let before = same::sentence_before(&claim.text, stated.quantity.range.start);
    let after = claim.text.get(stated.quantity.range.end..).unwrap_or_default();
    let after: String = after.chars().take(45).collect();
    let window = format!("{around} {before} {after}").replace('-', " ");
    let stems: Vec<String> = content_stems(&window).into_iter().map(|(_, stem)| stem).collect();
    let lower = window.to_lowercase();
    let per = per_word(&after, before);
    case.ask.request.figures.iter().enumerate().find_map(|(index, figure)| {
        if figure.denied || figure.role == Role::BudgetTotal || figure.role == Role::Other {
            return None;
        }
        let text = same::statement_of(case.ask, figure);
        let key = same::key(text, &figure.quantity);
        if key.iter().all(|stem| is_generic(stem) && !stem.contains('&') && key.len() < 2) {
            return None;
        }
        let has = |stem: &String| stems.contains(stem) || (stem.contains('&') && lower.contains(stem.as_str()));
        if !key.iter().all(has) || figure.quantity.bound != Bound::Exact || beside(claim, stated, figure) {
            return None;
        }
        // Words of the claim right before the figure that the ask does not have make it another's.
        let asked: Vec<String> = content_stems(&text.replace('-', " ")).into_iter().map(|(_, stem)| stem).collect();
        let own = same::noun_phrase(&claim.text, stated.quantity.range.start);
        let baseline = same::is_baseline(&claim.text, stated.quantity.range.start);
        let foreign = |stem: &String| {
            !asked.contains(stem) && !is_generic(stem) && !stem.contains('&') && !PAYS.contains(&stem.as_str())
        };
        if !baseline && own.iter().any(foreign) {
            return None;
        }
        let asked_after: String = text.get(figure.quantity.range.end..).unwrap_or_default().chars().take(30).collect();
        if per != per_word(&asked_after, same::before(text, figure.quantity.range.start)) {
            return None;
        }
        match same::relation(&stated.quantity, &figure.quantity) {
            Some(Relation::Below | Relation::Above) => Some((index, Severity::Major, 0.75)),
            _ => None,
        }
    })
}

/// "Within a budget of …" for something in the plan: less than half of the whole, and not called the budget.
fn is_a_lesser_budget(claim: &Claim, stated: &Stated, total: &Figure) -> bool {
    let left = claim.text.get(..stated.quantity.range.start).unwrap_or_default().to_lowercase();
    left.trim_end().ends_with(" a budget of")
        && stated.quantity.high.checked_mul(rust_decimal::Decimal::TWO).is_none_or(|twice| twice < total.quantity.low)
}

/// Whether the claim gives the asked figure beside this one: a conversion or a comparison.
fn beside(claim: &Claim, stated: &Stated, figure: &Figure) -> bool {
    claim.quantities.iter().any(|other| {
        other.range != stated.quantity.range && same::relation(other, &figure.quantity) == Some(Relation::Equal)
    })
}

/// What an amount is paid per: "night" of "€35 per night", "€35 per participant-night" and "a per-night fee of €35".
fn per_word(after: &str, before: &str) -> Option<String> {
    let found = PER.as_ref()?.captures(after).or_else(|| PER.as_ref()?.captures(before))?;
    Some(steadfast_annotate::stem(&found.get(1)?.as_str().to_lowercase()))
}

fn another_currency(stated: &Stated, asked: &Figure) -> Option<Severity> {
    let (Unit::Money(own), Unit::Money(other)) = (&stated.quantity.unit, &asked.quantity.unit) else { return None };
    if stated.quantity.low == asked.quantity.low && stated.quantity.high == asked.quantity.high {
        return Some(Severity::Critical);
    }
    let dollars = stated.quantity.high.to_f64()? / same::per_dollar(own.code())?;
    let asked = asked.quantity.high.to_f64()? / same::per_dollar(other.code())?;
    let factor = if dollars > asked { dollars / asked } else { asked / dollars };
    (factor > RATE_FACTOR_MAX).then_some(if factor > 4.0 { Severity::Critical } else { Severity::Major })
}

fn count(case: &Case<'_>, claim: &Claim, stated: &Stated) -> Option<(usize, Severity, f64)> {
    let Unit::Count(counted) = &stated.quantity.unit else { return None };
    let own = stated.quantity_text(&claim.text);
    let compound = own.contains('-') && stated.quantity.low == stated.quantity.high;
    let after = claim.text.get(stated.quantity.range.end..).unwrap_or_default();
    if after.trim_start().to_lowercase().starts_with("of the") {
        return None;
    }
    let intent = case.ask.request.statements.first().map_or("", |statement| statement.text.as_str());
    case.ask.request.figures.iter().enumerate().find_map(|(index, figure)| {
        let Unit::Count(asked) = &figure.quantity.unit else { return None };
        if figure.denied || same::is_vague(&asked.stem) {
            return None;
        }
        let text = same::statement_of(case.ask, figure);
        // "At least one council adopts": the reader takes the verb for the noun.
        let relation = same::relation(&stated.quantity, &figure.quantity).or_else(|| {
            let first = text.get(asked.phrase.clone())?.split_whitespace().next()?.to_lowercase();
            let verb = steadfast_annotate::stem(&first);
            (figure.quantity.bound == Bound::AtLeast
                && (verb == steadfast_annotate::stem(&counted.stem)
                    || content_stems(own).iter().any(|(_, stem)| *stem == verb)))
            .then(|| {
                let renamed =
                    steadfast_annotate::Quantity { unit: figure.quantity.unit.clone(), ..stated.quantity.clone() };
                steadfast_annotate::comparable(&renamed, &figure.quantity)
            })?
        })?;
        // Stems that the claim shares with the sentence of the ask or with what the whole is about.
        let context = content_stems(text).into_iter().chain(content_stems(intent)).map(|(_, stem)| stem);
        let mut shared: Vec<String> =
            context.filter(|stem| claim.has_stem(stem) && *stem != steadfast_annotate::stem(&counted.stem)).collect();
        shared.sort_unstable();
        shared.dedup();
        let telling = shared.iter().filter(|stem| !is_generic(stem)).count();
        match (figure.quantity.bound, stated.quantity.bound) {
            // A threshold that is set higher: two of two things said of it must be the same.
            (Bound::AtLeast, Bound::AtLeast) => {
                let raised = stated.quantity.low > figure.quantity.low;
                let conditional = text.to_lowercase().contains("if ");
                (raised && !conditional && telling >= 2 && relation != Relation::Equal).then_some((
                    index,
                    Severity::Moderate,
                    0.75,
                ))
            }
            (Bound::Exact, Bound::Exact) => {
                let one = figure.quantity.high == rust_decimal::Decimal::ONE;
                let below = relation == Relation::Below;
                if one || !matches!(relation, Relation::Below | Relation::Above) || telling == 0 {
                    return None;
                }
                if same::has_foreign_modifier(claim, &stated.quantity, text) {
                    return None;
                }
                let left = claim.text.get(..stated.quantity.range.start).unwrap_or_default();
                // A subset is no change of the whole.
                if below && !compound && !hit(&STATES_ALL, left) {
                    return None;
                }
                // "Each of them gets three": a count of another owner.
                if !compound && !hit(&STATES_ALL, left) && telling < 2 {
                    return None;
                }
                Some((index, Severity::Major, if compound { 0.85 } else { 0.75 }))
            }
            _ => None,
        }
    })
}

/// A share of the same thing: "cut food waste by 30%" against "cuts food waste by 50%".
fn percentage(case: &Case<'_>, claim: &Claim, stated: &Stated) -> Option<(usize, Severity, f64)> {
    let alone = claim.quantities.iter().filter(|quantity| quantity.unit == Unit::Percent).count() == 1;
    if !alone || stated.quantity.bound != Bound::Exact || stated.denied {
        return None;
    }
    case.ask.request.figures.iter().enumerate().find_map(|(index, figure)| {
        if figure.denied || figure.quantity.unit != Unit::Percent || figure.quantity.bound != Bound::Exact {
            return None;
        }
        let telling: Vec<&String> = figure.subject.iter().filter(|stem| !is_generic(stem)).collect();
        let shared = telling.iter().filter(|stem| claim.has_stem(stem)).count();
        let same = shared >= 2 && shared * 3 >= telling.len() * 2 || shared >= 3 && shared * 2 >= telling.len();
        let other =
            matches!(same::relation(&stated.quantity, &figure.quantity), Some(Relation::Below | Relation::Above));
        (same && other).then_some((index, Severity::Major, 0.75))
    })
}

fn duration(case: &Case<'_>, claim: &Claim, stated: &Stated, around: &str) -> Option<(usize, Severity, f64)> {
    if stated.role != Role::DurationPart || stated.quantity.bound != Bound::Exact {
        return None;
    }
    let window = format!("{around} {}", same::sentence_before(&claim.text, stated.quantity.range.start));
    let stems: Vec<String> = content_stems(&window).into_iter().map(|(_, stem)| stem).collect();
    case.ask.request.figures.iter().enumerate().find_map(|(index, figure)| {
        if figure.denied || figure.role != Role::DurationPart || figure.quantity.bound != Bound::Exact {
            return None;
        }
        let text = same::statement_of(case.ask, figure);
        let key = same::key(text, &figure.quantity);
        let telling = key.iter().filter(|stem| !is_generic(stem)).count();
        let known = key.iter().all(|stem| stems.contains(stem)) && telling >= 2;
        (known && matches!(same::relation(&stated.quantity, &figure.quantity), Some(Relation::Below | Relation::Above)))
            .then_some((index, Severity::Moderate, 0.7))
    })
}
