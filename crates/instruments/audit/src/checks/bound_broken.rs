//! A value of the answer contradicts a bound or a value that the ask sets for the same thing: a ratio, a count, a length of time, a
//! share, a time of day, a date.
//!
//! Every clause of the ask that obliges and has a value is held against the plan's own claims with a value of the same kind. They
//! speak of the same thing where they share enough of their content words (label, row and column of a table speak for a cell, the
//! sentence before for a pronoun); a value belongs to the clause that it meets best. Values that the ask gives anywhere, mere
//! possibilities, changes, extras and parts are none, and a claim elsewhere that keeps the bound and meets the clause better outweighs it.
//!
//! Example: "at least 9 of 10 things come back whole" against "at least 7 of 10 things come back whole".

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Bound, Unit, is_mention, is_negated, quantities};
use steadfast_ask::Rule;
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident, rule};
use crate::answer::Claim;
use crate::ask::Kind;
use crate::context::{self, Meeting};
use crate::incident::{DriftType, Incident};
use crate::same_figure::{Pattern, hit};
use crate::value::{self, Amount, Outcome, Value};

/// The check's id.
pub(super) const ID: &str = "bound-broken";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "a value contradicts the bound that the ask sets for the same thing",
    on_by_default: true,
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 8;
/// Share of the words of the ask's clause that the claim has, at least, where the ask sets a bound. Uncalibrated.
const SHARE_BOUND_MIN: f64 = 0.5;
/// The same where the ask gives a plain value.
const SHARE_VALUE_MIN: f64 = 0.6;
/// Most values of the ask that are held against the report.
const ASKED_MAX: usize = 400;
/// Most values of the ask that a value of the report is looked up among.
const VALUES_MAX: usize = 2_000;
/// Content words of a claim, at most: longer ones speak of many things.
const CLAIM_WORDS_MAX: usize = 40;

static OPEN: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:could|might|would|if|unless|instead of|rather than|compared (?:to|with)|e\.g\.|for example|such as|in case|not yet|so far|already|have signed up|currently|last year|each costs?)\b").ok()
});
static OTHER: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:increas\w*|decreas\w*|reduc\w*|sav(?:e|es|ing|ings)|additional|extra|further|another|other|overruns?|contingenc\w+|penalt\w+|remaining|rest|difference|previous|up from|down from|comparable|similar|first|next|last)\b[^;]{0,20}$").ok()
});
/// Somebody else's value.
static ELSEWHERE: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:comparable|similar|elsewhere|previous(?:ly)?|last year|candidates?|shortlist\w*|another (?:\w+ )?(?:town|city|project|group|team|house|club|school))\b").ok()
});
/// In the ask: what holds only under a condition.
static CONDITION: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:if|unless|in case|where|above which|requires? approval|approv\w+)\b").ok()
});

/// A value that an obligation of the ask sets.
struct Asked<'a> {
    item: usize,
    text: &'a str,
    value: Value,
    stems: Vec<String>,
    /// Whether it is put as a bound or a duty, so that any other value breaks it.
    firm: bool,
}

/// A claim that meets it.
struct Met<'a> {
    claim: &'a Claim,
    range: Range<usize>,
    meeting: Meeting,
    outcome: Outcome,
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let asked = asked(case);
    if asked.is_empty() {
        return Vec::new();
    }
    let mut met: Vec<Vec<Met<'_>>> = asked.iter().map(|_| Vec::new()).collect();
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan() && !claim.stance.assumed) {
        if claim.stems.len() > CLAIM_WORDS_MAX
            || !claim.text.contains(|c: char| c.is_ascii_digit())
                && claim.quantities.is_empty()
                && !has_words(&claim.text)
        {
            continue;
        }
        let stated = value::read(&claim.text, &claim.quantities);
        if stated.is_empty() {
            continue;
        }
        let comparable = |own: &Value| asked.iter().any(|one| value::compare(&one.value, own).is_some());
        if !stated.iter().any(comparable) {
            continue;
        }
        let stems = context::of_claim(case.answer, claim);
        for own in &stated {
            // The clause that it meets best.
            let best = asked
                .iter()
                .enumerate()
                .filter_map(|(at, one)| {
                    let outcome = value::compare(&one.value, own)?;
                    Some((at, context::meeting(&one.stems, &stems), outcome))
                })
                .filter(|(at, meeting, _)| is_same(&asked[*at], own, *meeting))
                .max_by(|a, b| {
                    a.1.share.total_cmp(&b.1.share).then((a.2 == Outcome::Keeps).cmp(&(b.2 == Outcome::Keeps)))
                });
            if let Some((at, meeting, outcome)) = best {
                met[at].push(Met { claim, range: own.range.clone(), meeting, outcome });
            }
        }
    }
    let given: Vec<Amount> = case
        .ask
        .request
        .statements
        .iter()
        .flat_map(|statement| value::read(&statement.text, &quantities(&statement.text)))
        .map(|value| value.amount)
        .take(VALUES_MAX)
        .collect();
    let mut incidents = Vec::new();
    let mut told: Vec<Option<(usize, usize, usize)>> = Vec::new();
    for (one, found) in asked.iter().zip(&met) {
        let kept =
            found.iter().filter(|met| met.outcome == Outcome::Keeps).map(|met| met.meeting.share).fold(0.0, f64::max);
        let broken: Vec<&Met<'_>> = found
            .iter()
            .filter(|met| met.outcome == Outcome::Breaks && met.meeting.share >= kept && says(&given, one, met))
            .collect();
        // The clearest; of equals the one that the report says first.
        let first = broken.iter().copied().reduce(
            |best, next| {
                if next.meeting.share > best.meeting.share { next } else { best }
            },
        );
        let Some(first) = first else { continue };
        let place = first.claim.places.first();
        let spot = place.map(|place| (place.artefact, place.block, place.range.start + first.range.start));
        if told.contains(&spot) || incidents.len() == INCIDENTS_MAX {
            continue;
        }
        told.push(spot);
        let Some(quote) = case.answer.quote(first.claim, &first.range) else { continue };
        let source = case.ask.obligations[one.item].obligation.source();
        let others = broken
            .iter()
            .filter(|met| !std::ptr::eq(**met, first))
            .filter_map(|met| case.answer.quote(met.claim, &met.range));
        // A date in a table may be that of a step; `schedule-overruns` reads the table as a whole.
        let in_table = first
            .claim
            .places
            .first()
            .is_some_and(|place| crate::same_figure::cell_heads(case.answer, place)[0].is_some());
        let severity =
            if in_table && matches!(one.value.amount, Amount::Date(..)) { Severity::Moderate } else { Severity::Major };
        incidents.push(
            incident(&CHECK, severity, 0.75, Evidence::Quote(quote))
                .at(case.answer, first.claim, &first.range)
                .also(others)
                .source(source)
                .obligation(one.item)
                .because(format!(
                    "The prompt says \"{}\"; the report says \"{}\" of the same.",
                    source.text().trim(),
                    first.claim.text.get(first.range.clone()).unwrap_or_default().trim()
                ))
                .repair("Put the value of the prompt back, or say openly that it is changed and why.")
                .done(),
        );
    }
    incidents
}

/// Whether a text without digits may hold a value.
fn has_words(text: &str) -> bool {
    let low = text.to_lowercase();
    ["half", "third", "quarter", "fifth", "tenth", "once", "twice", " of ten"].iter().any(|word| low.contains(word))
}

/// Every value that an obligation of the ask sets.
fn asked<'a>(case: &Case<'a>) -> Vec<Asked<'a>> {
    let ask = case.ask;
    let mut found: Vec<Asked<'a>> = Vec::new();
    for (item, obligation) in ask.obligations.iter().enumerate() {
        let firm = match rule(case, item) {
            Some(Rule::Require { .. }) => true,
            Some(Rule::Figure { figure }) => {
                if ask.request.figures.get(*figure).is_none_or(|figure| figure.denied) {
                    continue;
                }
                false
            }
            _ => continue,
        };
        if !matches!(obligation.obligation.kind, Kind::Constraint | Kind::Metric | Kind::Budget | Kind::Deadline) {
            continue;
        }
        let text = obligation.obligation.source().text();
        // "It is a success if …" is no condition.
        if obligation.obligation.kind != Kind::Metric && hit(&CONDITION, text) {
            continue;
        }
        let values = value::read(text, &quantities(text));
        let ranges: Vec<Range<usize>> = values.iter().map(|value| value.range.clone()).collect();
        let mut stems = context::of_clause(text, &ranges);
        for value in &values {
            if let Amount::Quantity(quantity) = &value.amount
                && let Unit::Count(counted) = &quantity.unit
            {
                let own = text.get(counted.phrase.clone()).unwrap_or_default();
                for stem in context::of_clause(own, &[]) {
                    if !stems.contains(&stem) {
                        stems.push(stem);
                    }
                }
            }
        }
        if stems.is_empty() {
            continue;
        }
        for value in values {
            let span = obligation.obligation.source().span();
            let known = found.iter().any(|other| {
                other.value.amount == value.amount
                    && ask.obligations[other.item].obligation.source().span().overlaps(span)
            });
            let whole = matches!(&value.amount, Amount::Quantity(quantity) if matches!(quantity.unit, Unit::Money(_)));
            let source = whole && obligation.obligation.kind == Kind::Budget && firm && !is_bound(&value);
            if !known && !source && found.len() < ASKED_MAX {
                found.push(Asked { item, text, stems: stems.clone(), firm, value });
            }
        }
    }
    found
}

/// Whether a value is a limit.
fn is_bound(value: &Value) -> bool {
    let own = match &value.amount {
        Amount::Quantity(quantity) => quantity.bound,
        _ => Bound::Exact,
    };
    own != Bound::Exact || value.bound != Bound::Exact
}

/// Whether a value is one of the same thing.
fn is_same(asked: &Asked<'_>, stated: &Value, meeting: Meeting) -> bool {
    let bounded = is_bound(&asked.value)
        || matches!(asked.value.amount, Amount::Free)
        || (asked.firm && !matches!(asked.value.amount, Amount::Quantity(_)));
    let counts = |value: &Value| match &value.amount {
        Amount::Quantity(quantity) => matches!(quantity.unit, Unit::Count(_)),
        _ => false,
    };
    let least = if asked.stems.len() <= 2 && !counts(stated) { 1 } else { 2 };
    let share = if bounded { SHARE_BOUND_MIN } else { SHARE_VALUE_MIN };
    let whole = meeting.share > 0.99 && (meeting.common >= 2 || bounded);
    meeting.share >= share && (meeting.common >= least || whole) && (meeting.telling >= 1 || whole)
}

/// Whether a claim says its value of the thing itself, as settled, and the ask has the value nowhere.
fn says(given: &[Amount], asked: &Asked<'_>, met: &Met<'_>) -> bool {
    let text = met.claim.text.as_str();
    let before = text.get(..met.range.start).unwrap_or_default();
    if hit(&OPEN, text)
        || hit(&ELSEWHERE, text)
        || hit(&OTHER, before)
        || is_negated(text, met.range.clone())
        || is_mention(text, met.range.clone())
    {
        return false;
    }
    if !met.claim.voice_at(&met.range).can_drift() {
        return false;
    }
    // A clause with several values of one kind ("between 8:00 and 17:00") is kept where one of them stands in the claim.
    let own = value::read(text, &met.claim.quantities);
    let siblings = value::read(asked.text, &quantities(asked.text));
    let keeps_one = own.iter().any(|own| {
        siblings.iter().any(|asked_value| {
            own.range != met.range
                && std::mem::discriminant(&own.amount) == std::mem::discriminant(&asked_value.amount)
                && exactly(&own.amount, &asked_value.amount)
        })
    });
    let stated = own.iter().find(|own| own.range == met.range);
    let given = stated.is_some_and(|stated| given.iter().any(|given| exactly(given, &stated.amount)));
    let between = stated.is_some_and(|stated| lies_between(asked.text, &siblings, &stated.amount));
    !keeps_one && !given && !between
}

/// Whether a time or a day lies between the two that a clause names so ("between 12:00 and 13:00"): it keeps them, though it is neither.
fn lies_between(text: &str, ends: &[Value], own: &Amount) -> bool {
    ends.windows(2).any(|pair| {
        let [first, last] = pair else { return false };
        let before = text.get(..first.range.start).unwrap_or_default().trim_end().to_lowercase();
        let joined = text.get(first.range.end..last.range.start).unwrap_or_default().trim();
        let within = match (&first.amount, &last.amount, own) {
            (Amount::Clock(first), Amount::Clock(last), Amount::Clock(own)) => (first..=last).contains(&own),
            (Amount::Date(first, _), Amount::Date(_, last), Amount::Date(from, to)) => first <= from && to <= last,
            _ => false,
        };
        within && joined == "and" && before.ends_with("between")
    })
}

/// Whether two amounts are one.
fn exactly(a: &Amount, b: &Amount) -> bool {
    match (a, b) {
        (Amount::Quantity(a), Amount::Quantity(b)) => {
            let plain = |quantity: &steadfast_annotate::Quantity| steadfast_annotate::Quantity {
                bound: Bound::Exact,
                ..quantity.clone()
            };
            crate::same_figure::relation(&plain(a), &plain(b)) == Some(steadfast_annotate::Relation::Equal)
        }
        (Amount::Share(a), Amount::Share(b)) | (Amount::Times(a), Amount::Times(b)) => (a - b).abs() < 1e-9,
        _ => a == b,
    }
}
