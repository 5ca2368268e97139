//! Asks that cannot all be met. Only what numbers, dates and words settle is told: of two asks that a reader would have to weigh against
//! each other nothing is said.

use jiff::civil::Date;
use steadfast_annotate::{Bound, Pattern, base_form, content_stems, is_negated, quantities, stems};
use steadfast_ask::{Figure, Role, Rule, Statement};
use steadfast_evidence::Quote;
use steadfast_time::{DateReading, DateRole, DateValue, dates};

use super::quote_of;
use crate::ask::{Contract, ContractItem, Kind};
use crate::context;
use crate::matching::is_generic;
use crate::value::{self, Amount, Outcome, Value};

/// Most contradictions that are told.
const CONTRADICTIONS_MAX: usize = 20;
/// Most pairs of what is asked for and what is ruled out that are looked at further: a prompt that says both a thousand times has a million.
const ASKED_AND_BANNED_MAX: usize = 1_000;
/// Most obligations with a value that are held against each other.
const VALUED_MAX: usize = 200;
/// Share of the content words of either clause that the other has, at least, where two clauses are of one thing. Uncalibrated.
const SHARE_MIN: f64 = 0.66;

steadfast_evidence::vocabulary! {
    /// Why two asks cannot both be met.
    ContradictionKind {
        /// Two limits or values of one thing.
        Limits = "limits", "Limits that exclude each other";
        /// A thing is asked for and ruled out.
        AskedAndBanned = "asked_and_banned", "Asked for and ruled out";
        /// Something is due before it begins, or before the day of the prompt.
        Dates = "dates", "Dates that exclude each other";
    }
}

/// Two places of the prompt that cannot both hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Why.
    pub kind: ContradictionKind,
    /// One sentence for a reader.
    pub explanation: String,
    /// The place that stands first, and the other.
    pub quotes: [Quote; 2],
}

/// Verbs that only say that something is there: what is ruled out is their object.
const PRESENCE: &[&str] = &[
    "use", "includ", "have", "build", "buy", "make", "creat", "add", "offer", "contain", "employ", "adopt", "introduc",
];

/// What stands before a thing that is ruled out itself, whatever is done with it.
static THERE: Pattern = Pattern::new(
    r"(?i)\b(?:us(?:e|ing)|includ(?:e|ing)|hav(?:e|ing)|build(?:ing)?|buy(?:ing)?|mak(?:e|ing)|creat(?:e|ing)|add(?:ing)?|offer(?:ing)?|contain(?:ing)?|employ(?:ing)?|adopt(?:ing)?|introduc(?:e|ing)|no|without)(?: (?:a|an|any|the))*\W*$",
);

static BEGINS: Pattern = Pattern::new(
    r"(?i)\b(?:(?:project|programme|program|work|construction|pilot|it|we|plan|initiative|campaign|course|trip) (?:will |must |should |can |may )?(?:not )?(?:starts?|begins?|starting|beginning|kicks? off)|start(?:s|ing)? date|kick-?off|start(?: is)?:)\b[^.;]*$",
);

/// What cannot all be met, in the order of the prompt.
pub(super) fn find(contract: &Contract) -> Vec<Contradiction> {
    let mut found = limits(contract);
    found.extend(totals(contract));
    found.extend(asked_and_banned(contract));
    found.extend(due(contract));
    for own in &mut found {
        own.quotes.sort_by_key(Quote::span);
    }
    found.sort_by(|a, b| {
        let key = |own: &Contradiction| (own.quotes[0].span(), own.quotes[1].span(), own.kind);
        key(a).cmp(&key(b))
    });
    found.dedup_by(|a, b| a.quotes == b.quotes);
    found.truncate(CONTRADICTIONS_MAX);
    found
}

fn contradiction(kind: ContradictionKind, explanation: String, one: &Quote, other: &Quote) -> Contradiction {
    Contradiction { kind, explanation, quotes: [one.clone(), other.clone()] }
}

/// A clause that obliges and has a value.
struct Valued<'a> {
    item: &'a ContractItem,
    value: Value,
    stems: Vec<String>,
}

/// Two bounds of one thing of which one lies beyond the other.
fn limits(contract: &Contract) -> Vec<Contradiction> {
    let duty = |item: &&ContractItem| {
        matches!(item.obligation.kind, Kind::Constraint | Kind::Metric | Kind::Budget | Kind::Deadline)
    };
    let mut valued: Vec<Valued<'_>> = Vec::new();
    for item in contract.obligations.iter().filter(duty) {
        let text = quote_of(item).text();
        let values = value::read(text, &quantities(text));
        let ranges: Vec<_> = values.iter().map(|value| value.range.clone()).collect();
        let stems = context::of_clause(text, &ranges);
        // A clause of many values speaks of many things.
        if values.len() == 1 && valued.len() < VALUED_MAX {
            valued.extend(values.into_iter().map(|value| Valued { item, value, stems: stems.clone() }));
        }
    }
    let mut found = Vec::new();
    for (at, one) in valued.iter().enumerate() {
        for other in &valued[at + 1..] {
            let (a, b) = (quote_of(one.item), quote_of(other.item));
            if a.span().overlaps(b.span())
                || !of_one_thing(&one.stems, &other.stems)
                || !excludes(&one.value, &other.value)
            {
                continue;
            }
            found.push(contradiction(
                ContradictionKind::Limits,
                "These set limits on the same thing that cannot both hold.".to_owned(),
                a,
                b,
            ));
        }
    }
    found
}

fn of_one_thing(a: &[String], b: &[String]) -> bool {
    let (one, other) = (context::meeting(a, b), context::meeting(b, a));
    one.telling > 0 && one.share >= SHARE_MIN && other.share >= SHARE_MIN
}

/// Whether no amount keeps both.
fn excludes(a: &Value, b: &Value) -> bool {
    let (one, other) = (value::limit_of(a), value::limit_of(b));
    match (one, other) {
        // Of two limits of one direction the narrower keeps both.
        (Bound::AtMost, Bound::AtMost) | (Bound::AtLeast, Bound::AtLeast) => false,
        // Two plain values may be of two things that are called alike.
        (Bound::Exact, Bound::Exact) => false,
        (Bound::Exact, _) => value::compare(b, a) == Some(Outcome::Breaks),
        (Bound::AtMost, Bound::AtLeast) if matches!(a.amount, Amount::Date(..)) => late(b, a),
        (Bound::AtLeast, Bound::AtMost) if matches!(a.amount, Amount::Date(..)) => late(a, b),
        _ => value::compare(a, b) == Some(Outcome::Breaks),
    }
}

/// Whether what is to be no earlier than `first` cannot be by `last`.
fn late(first: &Value, last: &Value) -> bool {
    match (&first.amount, &last.amount) {
        (Amount::Date(begin, _), Amount::Date(_, end)) => begin > end,
        _ => false,
    }
}

/// Two totals of money, or of time, that are not the same.
fn totals(contract: &Contract) -> Vec<Contradiction> {
    let mut found = Vec::new();
    for role in [Role::BudgetTotal, Role::DurationTotal] {
        let figures: Vec<&Figure> =
            contract.request.figures.iter().filter(|figure| figure.role == role && !figure.denied).collect();
        let Some((first, others)) = figures.split_first() else { continue };
        for other in others {
            let (asked, stated) = (Value::of(&first.quantity), Value::of(&other.quantity));
            let both_exact = (value::limit_of(&asked), value::limit_of(&stated)) == (Bound::Exact, Bound::Exact);
            let differs = if both_exact {
                value::compare(&asked, &stated) == Some(Outcome::Breaks)
            } else {
                excludes(&asked, &stated)
            };
            if differs && first.statement != other.statement {
                let what = if role == Role::BudgetTotal {
                    "the money that there is in all"
                } else {
                    "how long the whole takes"
                };
                let explanation = format!("These say differently {what}.");
                found.push(contradiction(ContradictionKind::Limits, explanation, &first.quote, &other.quote));
            }
        }
    }
    found
}

/// What is asked for in one place and ruled out in another.
fn asked_and_banned(contract: &Contract) -> Vec<Contradiction> {
    let rule = |item: &ContractItem| {
        item.demand.and_then(|demand| contract.request.demands.get(demand)).map(|demand| demand.kind.rule.clone())
    };
    let mut ruled_out: Vec<(&ContractItem, String, Vec<String>)> = Vec::new();
    for item in &contract.obligations {
        match rule(item) {
            Some(Rule::Ban { terms, context: None }) => {
                ruled_out.extend(terms.into_iter().map(|term| {
                    let stems = folded(&term);
                    (item, term, stems)
                }));
            }
            Some(Rule::Avoid { what, .. }) => {
                let mut stems = folded(&what);
                if stems.first().is_some_and(|first| PRESENCE.contains(&first.as_str())) {
                    stems.remove(0);
                }
                // "Do not retrofit the pumps" rules no pumps out.
                let text = quote_of(item).text();
                let words = content_stems(text);
                let own: Vec<String> = words.iter().map(|(_, stem)| base_form(stem).to_owned()).collect();
                let at = own.windows(stems.len().max(1)).position(|window| window == stems.as_slice());
                let before = at.and_then(|at| text.get(..words[at].0.start));
                if before.is_some_and(|before| THERE.is_match(before)) {
                    ruled_out.push((item, what, stems));
                }
            }
            _ => {}
        }
    }
    ruled_out.retain(|(_, _, stems)| stems.iter().any(|stem| !is_generic(stem)));
    let mut found = Vec::new();
    for item in &contract.obligations {
        let asks = match rule(item) {
            Some(Rule::Require { .. } | Rule::Option { .. } | Rule::Figure { .. }) => true,
            Some(_) => false,
            None => matches!(item.obligation.kind, Kind::Solution | Kind::Intent),
        };
        if !asks {
            continue;
        }
        let text = quote_of(item).text();
        let words = content_stems(text);
        let stems: Vec<String> = words.iter().map(|(_, stem)| base_form(stem).to_owned()).collect();
        for (ban, what, wanted) in &ruled_out {
            if quote_of(ban).span().overlaps(quote_of(item).span()) {
                continue;
            }
            let at = stems.windows(wanted.len()).position(|window| window == wanted.as_slice());
            let Some(at) = at else { continue };
            if found.len() == ASKED_AND_BANNED_MAX {
                return found;
            }
            if !is_negated(text, words[at].0.clone()) {
                let explanation = format!("This is asked for in one place and ruled out in another: {what}.");
                found.push(contradiction(
                    ContradictionKind::AskedAndBanned,
                    explanation,
                    quote_of(ban),
                    quote_of(item),
                ));
            }
        }
    }
    found
}

fn folded(text: &str) -> Vec<String> {
    stems(text).iter().map(|stem| base_form(stem).to_owned()).collect()
}

/// Deadlines before the day of the prompt, and a beginning that lies after all of them.
fn due(contract: &Contract) -> Vec<Contradiction> {
    let mut deadlines: Vec<(&Statement, Date)> = Vec::new();
    let mut begin: Option<(&Statement, Date)> = None;
    for statement in &contract.request.statements {
        for date in dates(&statement.text) {
            let Some((first, last)) = window(&date) else { continue };
            let before = statement.text.get(..date.range.start).unwrap_or_default();
            if BEGINS.is_match(before) && !matches!(date.role, DateRole::By | DateRole::Before) {
                begin = begin.or(Some((statement, first)));
            } else if matches!(date.role, DateRole::By | DateRole::Before) {
                deadlines.push((statement, last));
            }
        }
    }
    let mut found = Vec::new();
    if let Some((today, place)) = contract.request.today
        && let Some(quote) = contract.quote(place)
    {
        for (statement, date) in deadlines.iter().filter(|(_, date)| *date < today) {
            let explanation = format!("This is due by {date}, and the prompt is of {today}.");
            found.push(contradiction(ContradictionKind::Dates, explanation, &statement.quote, &quote));
        }
    }
    let last = deadlines.iter().max_by_key(|(_, date)| *date);
    if let (Some((starts, begin)), Some((due, last))) = (begin, last)
        && begin > *last
    {
        let explanation = format!("It begins on {begin}, after all that it is due by; the last is {last}.");
        found.push(contradiction(ContradictionKind::Dates, explanation, &starts.quote, &due.quote));
    }
    found
}

/// The first and the last day of a date that can be read in one way only.
fn window(date: &DateReading) -> Option<(Date, Date)> {
    match (date.value, date.alternative) {
        (DateValue::Window(window), None) => Some((window.first, window.last)),
        _ => None,
    }
}
