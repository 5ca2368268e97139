//! What a clause says how much of something there is, and whether another clause says the same: quantities, ratios ("9 of 10",
//! "a third", "one for every 50"), numbers of times, times of day, dates; each with its bound.
//!
//! Only the two values are compared here. Whether they are values of one thing is for [`crate::context`].

mod days;

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::Date;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use steadfast_annotate::{Bound, Pattern, Quantity, Relation, Unit, quantities};
use steadfast_steps::Regex;
use steadfast_time::DateValue;
use steadfast_time::numeral::small_cardinal;

use crate::ask::{ContractItem, Kind};
use crate::details::day_of_year;
use crate::same_figure as same;

/// Most values that are read of one clause.
const VALUES_MAX: usize = 24;
/// Two shares that differ by less are one: 33 % and a third.
const SHARE_TOLERANCE: f64 = 0.005;
/// What is about so much may be off by this share of it.
const ABOUT_TOLERANCE: f64 = 0.1;

/// What kind of value it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Amount {
    /// A quantity with a unit.
    Quantity(Quantity),
    /// A share of a whole, 0 to 1, or so many for each.
    Share(f64),
    /// So many times.
    Times(f64),
    /// A time of day, in minutes from midnight.
    Clock(u32),
    /// It costs nothing.
    Free,
    /// From one time of day to another, in minutes from midnight.
    Hours(u32, u32),
    /// A number that parts a group from others: "children under 14"; whether it is the upper end, and the number.
    Threshold(bool, u32),
    /// So many days apart: "weekly", "every second Thursday".
    Every(f64),
    /// A level of a language (Common European Framework), 0 for A1 to 5 for C2.
    Level(u8),
    /// The days of a date.
    Date(Date, Date),
    /// The days of a date without its year, each as [`day_of_year`] numbers it.
    Yearless(i32, i32),
    /// From one day to another ("4 May to 8 May"), each as [`day_of_year`] numbers it.
    Days(i32, i32),
    /// From one day of the week to another ("Thu–Sat"), Monday is 0.
    Weekdays(u8, u8),
}

/// A value of a clause.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Value {
    /// Where it stands, in bytes of the text.
    pub(crate) range: Range<usize>,
    /// How much.
    pub(crate) amount: Amount,
    /// Whether it is a limit.
    pub(crate) bound: Bound,
    /// Whether it is only about so much.
    pub(crate) about: bool,
    /// Whether tax comes on top; nothing where it is not said.
    pub(crate) net: Option<bool>,
}

impl Value {
    fn new(range: Range<usize>, amount: Amount, bound: Bound) -> Self {
        Self { range, amount, bound, about: false, net: None }
    }

    /// A quantity alone, wherever it stands.
    pub(crate) fn of(quantity: &Quantity) -> Self {
        let own = Self::new(0..0, Amount::Quantity(quantity.clone()), quantity.bound);
        Self { about: quantity.approximate, ..own }
    }
}

/// How a value of the answer stands to one of the ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It says the same, or lies inside the bound.
    Keeps,
    /// It contradicts it.
    Breaks,
}

const NUMBER: &str = r"(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)";

static OF: LazyLock<Regex> = LazyLock::new(|| {
    steadfast_annotate::pattern(&format!(r"(?i)\b({NUMBER}) (?:out of|in|of)(?: every| each)? ({NUMBER})\b"))
        .expect("a constant pattern compiles")
});
static FOR_EVERY: LazyLock<Regex> = LazyLock::new(|| {
    steadfast_annotate::pattern(&format!(
        r"(?i)\b({NUMBER})(?: [\w-]+){{0,2}} (?:for|per) (?:every |each )?(\d+|ten|twelve|twenty)\b|\bfor (?:every|each) (\d+|ten|twelve|twenty)\b[^.;]{{0,40}}?\b({NUMBER})\b"
    ))
    .expect("a constant pattern compiles")
});
static PART: Pattern =
    Pattern::new(r"(?i)\b(?:(a|an|one|two|three)[ -])?(half|third|quarter|fifth|sixth|tenth)s?\b(?: of\b|,| the\b)");
static TIMES: Pattern = Pattern::new(r"(?i)\b(?:(once|twice|thrice)|(three|four|five|\d+) times)\b");
static CLOCK: Pattern = Pattern::new(r"\b([01]?\d|2[0-4])[:.]([0-5]\d)\b");
static HOURS: Pattern = Pattern::new(
    r"(?i)\b((?:[01]?\d|2[0-4])[:.][0-5]\d)\s*(?:h\s*)?(?:-|–|—|to|until|till)\s*((?:[01]?\d|2[0-4])[:.][0-5]\d)\b",
);
static GROUP: Pattern = Pattern::new(
    r"(?i)\b(?:children|kids|people|persons|adults|guests|visitors|pupils|members|women|men|anyone|everyone|those|aged?) (?:aged |of )?(under|below|over|above) (\d{1,3})\b",
);
static FREE: Pattern = Pattern::new(
    r"(?i)\b(?:free of charge|(?:is|are|stays?|remains?) free\b(?: for \w+)?\W*$|(?:pays?|costs?) nothing\b)",
);
static EVERY: Pattern = Pattern::new(
    r"(?i)\b(?:daily|weekly|fortnightly|bi-?weekly|monthly|quarterly|yearly|annually)\b|\bevery (?:(second|other|two|third|three|fourth|four) )?(days?|weeks?|months?|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b",
);
static LEVEL: Pattern = Pattern::new(r"\b[ABC][12]\b");
static NET: Pattern =
    Pattern::new(r"(?i)^,?\s*\(?(?:plus|\+|excl\w*\.?|ex\.?|net of|before|without) (?:of )?(?:vat|tax|gst|mwst)\b");
static GROSS: Pattern = Pattern::new(r"(?i)^,?\s*\(?(?:incl\w*\.?|with) (?:of )?(?:vat|tax|gst|mwst)\b");
static AT_LEAST: Pattern = Pattern::new(
    r"(?i)(?:\bat least|\bminimum(?: of)?|\bno (?:fewer|less|earlier) than|\bnot (?:fewer|less|before)(?: than)?|\bor more|\bnot below)\W*$",
);
static AT_MOST: Pattern = Pattern::new(
    r"(?i)(?:\bat most|\bmaximum(?: of)?|\bup to|\blimited to|\bfewer than|\bless than|\bwithin|\b(?:must|may|can|should) (?:stay |remain |be )?(?:under|below)|\bno (?:more|longer|later|higher|larger|greater|earlier)? ?than|\bnot (?:more|longer|later|higher|larger|greater) than|\b(?:no|none|nobody|not|never|n.t)\b[^.;,]{0,40}?\b(?:more|longer|later|higher|larger|greater) than|\b(?:not|never|n.t) (?:be )?(?:exceed|go above|go over|rise above|above|over)|\bor (?:less|fewer))\W*$",
);
static BY: Pattern = Pattern::new(
    r"(?i)\b(?:by|before|until|till|no later than|not later than|at the latest|due(?: on| by)?|deadline(?: is|:)?|closing (?:date|day)(?: is|:)?|clos(?:es|ing) on)(?: the end of)?(?: \w+day,?)?\W*$",
);
static AT_THE_LATEST: Pattern =
    Pattern::new(r"(?i)^\W*(?:at (?:the )?(?:latest|most)|or (?:less|fewer|earlier)|and no (?:more|later))\b");
static OR_MORE: Pattern = Pattern::new(r"(?i)^\W*(?:at (?:the )?(?:least|earliest)|or (?:more|later))\b");
static NOT_BEFORE: Pattern = Pattern::new(r"(?i)\b(?:not before|no earlier than|from|after|since|as of)\W*$");
static ABOUT: Pattern = Pattern::new(r"(?i)\b(?:about|around|roughly|approximately|some|nearly|almost|circa|ca)\W*$");

/// The values of a clause, in order; `quantities` are those of the same text.
pub(crate) fn read(text: &str, quantities: &[Quantity]) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let mut add = |range: Range<usize>, amount: Amount, bound: Option<Bound>, about: bool| {
        if found.len() < VALUES_MAX
            && !found.iter().any(|one| one.range.start < range.end && range.start < one.range.end)
        {
            let bound = bound.unwrap_or_else(|| bound_at(text, &range));
            let about = about || ABOUT.is_match(text.get(..range.start).unwrap_or_default());
            let tax = tax(text.get(range.end..).unwrap_or_default());
            let range = range.start..range.end + tax.map_or(0, |(_, bytes)| bytes);
            found.push(Value { range, amount, bound, about, net: tax.map(|(net, _)| net) });
        }
    };
    for pattern in [&*OF, &*FOR_EVERY] {
        for taken in pattern.captures_iter(text) {
            let pair = [(1, 2), (4, 3)].into_iter().find_map(|(part, whole)| {
                Some((number(taken.get(part)?.as_str())?, number(taken.get(whole)?.as_str())?))
            });
            let (Some((part, whole)), Some(all)) = (pair, taken.get(0)) else { continue };
            if whole > 1.0 && part <= whole {
                add(all.range(), Amount::Share(part / whole), None, false);
            }
        }
    }
    for taken in PART.captures_iter(text) {
        let (Some(all), Some(word)) = (taken.get(0), taken.get(2)) else { continue };
        let times = taken.get(1).and_then(|times| number(times.as_str())).unwrap_or(1.0);
        let of = match word.as_str().to_lowercase().as_str() {
            "half" => 2.0,
            "third" => 3.0,
            "quarter" => 4.0,
            "fifth" => 5.0,
            "sixth" => 6.0,
            _ => 10.0,
        };
        add(all.range(), Amount::Share(times / of), None, false);
    }
    for taken in TIMES.captures_iter(text) {
        let Some(all) = taken.get(0) else { continue };
        let times = match (taken.get(1), taken.get(2)) {
            (Some(word), _) => match word.as_str().to_lowercase().as_str() {
                "once" => 1.0,
                "twice" => 2.0,
                _ => 3.0,
            },
            (_, Some(count)) => number(count.as_str()).unwrap_or(1.0),
            _ => continue,
        };
        add(all.range(), Amount::Times(times), None, false);
    }
    for taken in HOURS.captures_iter(text) {
        let (Some(all), Some(from), Some(to)) = (taken.get(0), taken.get(1), taken.get(2)) else { continue };
        if let (Some(from), Some(to)) = (minutes(from.as_str()), minutes(to.as_str())) {
            add(all.range(), Amount::Hours(from, to), Some(Bound::Exact), false);
        }
    }
    for taken in GROUP.captures_iter(text) {
        let (Some(way), Some(count)) = (taken.get(1), taken.get(2)) else { continue };
        let upper = way.as_str().len() == 5 && !way.as_str().eq_ignore_ascii_case("above");
        if let Ok(count_of) = count.as_str().parse() {
            add(way.start()..count.end(), Amount::Threshold(upper, count_of), Some(Bound::Exact), false);
        }
    }
    for taken in CLOCK.captures_iter(text) {
        let (Some(all), Some(hour), Some(minute)) = (taken.get(0), taken.get(1), taken.get(2)) else { continue };
        if !all.as_str().contains(':') {
            continue;
        }
        let (Ok(hour), Ok(minute)) = (hour.as_str().parse::<u32>(), minute.as_str().parse::<u32>()) else { continue };
        add(all.range(), Amount::Clock(hour * 60 + minute), None, false);
    }
    for taken in EVERY.captures_iter(text) {
        let Some(all) = taken.get(0) else { continue };
        let days = match all.as_str().to_lowercase().as_str() {
            "daily" => 1.0,
            "weekly" => 7.0,
            "fortnightly" | "biweekly" | "bi-weekly" => 14.0,
            "monthly" => 30.0,
            "quarterly" => 91.0,
            "yearly" | "annually" => 365.0,
            _ => {
                let times = match taken.get(1).map(|word| word.as_str().to_lowercase()).as_deref() {
                    None => 1.0,
                    Some("third" | "three") => 3.0,
                    Some("four" | "fourth") => 4.0,
                    Some(_) => 2.0,
                };
                let unit = taken.get(2).map_or(7.0, |unit| match unit.as_str().to_lowercase().trim_end_matches('s') {
                    "day" => 1.0,
                    "month" => 30.0,
                    "year" => 365.0,
                    _ => 7.0,
                });
                times * unit
            }
        };
        add(all.range(), Amount::Every(days), Some(Bound::Exact), false);
    }
    for level in LEVEL.find_iter(text) {
        let bytes = level.as_str().as_bytes();
        add(level.range(), Amount::Level((bytes[0] - b'A') * 2 + (bytes[1] - b'1')), Some(Bound::Exact), false);
    }
    if let Some(free) = FREE.find(text) {
        add(free.range(), Amount::Free, Some(Bound::Exact), false);
    }
    for quantity in quantities {
        let amount = match &quantity.unit {
            Unit::Label | Unit::Ordinal | Unit::Plain => continue,
            Unit::Percent if quantity.low == quantity.high => {
                Amount::Share(quantity.high.to_f64().unwrap_or(0.0) / 100.0)
            }
            Unit::Date(DateValue::Window(window)) => Amount::Date(window.first, window.last),
            Unit::Date(DateValue::Yearless { from, to }) => Amount::Yearless(
                day_of_year(from.month, from.day.unwrap_or(1)),
                day_of_year(to.month, to.day.unwrap_or(31)),
            ),
            Unit::Date(_) => continue,
            _ => Amount::Quantity(quantity.clone()),
        };
        let bound = (quantity.bound != Bound::Exact).then_some(quantity.bound);
        add(quantity.range.clone(), amount, bound, quantity.approximate);
    }
    days::add(text, &mut found);
    for value in &mut found {
        if matches!(value.amount, Amount::Clock(_) | Amount::Date(..) | Amount::Yearless(..)) {
            value.bound = due(text, value);
            if value.bound == Bound::AtMost && is_before(text, value) {
                day_earlier(&mut value.amount);
            }
        }
    }
    found.sort_by_key(|value| value.range.start);
    found
}

/// The values that an obligation sets. What may be spent is a limit: spending less keeps it.
pub(crate) fn of_obligation(item: &ContractItem) -> Vec<Value> {
    let said = item.obligation.source().text();
    let mut values = read(said, &quantities(said));
    relative(said, &mut values);
    if item.obligation.kind == Kind::Budget {
        for value in &mut values {
            let is_money = matches!(&value.amount, Amount::Quantity(own) if matches!(own.unit, Unit::Money(_)));
            if is_money && value.bound == Bound::Exact {
                value.bound = Bound::AtMost;
            }
        }
    }
    values
}

fn number(word: &str) -> Option<f64> {
    let low = word.to_lowercase();
    match low.as_str() {
        "a" | "an" => Some(1.0),
        _ => low.parse().ok().or_else(|| small_cardinal(&low).map(f64::from)),
    }
}

/// A time of day in minutes from midnight.
fn minutes(clock: &str) -> Option<u32> {
    let (hour, minute) = clock.split_once([':', '.'])?;
    Some(hour.parse::<u32>().ok()? * 60 + minute.parse::<u32>().ok()?)
}

/// Whether the words behind an amount say that tax comes on top of it, or is in it, and how many bytes they have.
fn tax(behind: &str) -> Option<(bool, usize)> {
    let found = |pattern: &Pattern| pattern.find(behind).map(|found| found.end());
    found(&NET).map(|bytes| (true, bytes)).or_else(|| found(&GROSS).map(|bytes| (false, bytes)))
}

/// "At most 10 % above today's 62 MB": a share of a value that is given, as a limit of its own.
fn relative(said: &str, values: &mut Vec<Value>) {
    static ABOVE: Pattern = Pattern::new(
        r"(?i)^\s*(?:(above|over|higher than|more than)|(below|under|lower than|less than))\b[^.;:,]{0,32}$",
    );
    for at in 1..values.len() {
        let (before, own) = (&values[at - 1], &values[at]);
        let (Amount::Share(share), Amount::Quantity(base)) = (&before.amount, &own.amount) else { continue };
        let Some(found) =
            said.get(before.range.end..base.number_range.start).and_then(|between| ABOVE.captures(between))
        else {
            continue;
        };
        let up = found.get(1).is_some();
        let factor = Decimal::from_f64_retain(if up { 1.0 + share } else { 1.0 - share }).unwrap_or(Decimal::ONE);
        let Some(limit) = base.high.checked_mul(factor).map(|limit| limit.round_dp(6)) else { continue };
        let range = before.range.start..own.range.end;
        let bound = if up { Bound::AtMost } else { Bound::AtLeast };
        let quantity = Quantity { low: limit, high: limit, bound, approximate: false, ..base.clone() };
        values[at] = Value::new(range, Amount::Quantity(quantity), bound);
        values.remove(at - 1);
        return;
    }
}

/// The bound that the words around a value give it.
fn bound_at(text: &str, range: &Range<usize>) -> Bound {
    let (before, after) = (text.get(..range.start).unwrap_or_default(), text.get(range.end..).unwrap_or_default());
    if AT_LEAST.is_match(before) || OR_MORE.is_match(after) {
        Bound::AtLeast
    } else if AT_MOST.is_match(before) || AT_THE_LATEST.is_match(after) {
        Bound::AtMost
    } else {
        Bound::Exact
    }
}

/// Whether a date or a time of day is one by which something is to be done, or one before which nothing is.
fn due(text: &str, value: &Value) -> Bound {
    let (before, after) =
        (text.get(..value.range.start).unwrap_or_default(), text.get(value.range.end..).unwrap_or_default());
    let own = text.get(value.range.clone()).unwrap_or_default().to_lowercase();
    if NOT_BEFORE.is_match(before) || OR_MORE.is_match(after) {
        Bound::AtLeast
    } else if BY.is_match(before)
        || AT_THE_LATEST.is_match(after)
        || own.starts_with("by ")
        || own.starts_with("before ")
    {
        Bound::AtMost
    } else {
        value.bound
    }
}

/// Whether a day is one before which something is to be done, not one on which it may still be: "before 24 November".
fn is_before(text: &str, value: &Value) -> bool {
    static BEFORE: Pattern = Pattern::new(r"(?i)\bbefore(?: \w+day,?)?\W*$");
    BEFORE.is_match(text.get(..value.range.start).unwrap_or_default())
        || text.get(value.range.clone()).is_some_and(|own| own.to_lowercase().starts_with("before "))
}

/// "Before the 24th" is by the 23rd. What is no single day stays: "before March".
fn day_earlier(amount: &mut Amount) {
    match amount {
        Amount::Date(first, last) if first == last => {
            if let Ok(day) = last.yesterday() {
                *amount = Amount::Date(day, day);
            }
        }
        Amount::Yearless(first, last) if first == last && *last > day_of_year(1, 1) => {
            *amount = Amount::Yearless(*first - 1, *last - 1);
        }
        _ => {}
    }
}

/// How `stated` of the answer stands to `asked` of the ask; nothing where they are no values of one kind.
pub(crate) fn compare(asked: &Value, stated: &Value) -> Option<Outcome> {
    match (&asked.amount, &stated.amount) {
        (Amount::Date(..) | Amount::Yearless(..), _) if asked.amount == stated.amount => Some(Outcome::Keeps),
        (Amount::Share(a), Amount::Share(b)) => Some(numbers(*a, asked, *b, stated, SHARE_TOLERANCE)),
        (Amount::Free, Amount::Free) => Some(Outcome::Keeps),
        (Amount::Free, Amount::Quantity(own)) if matches!(own.unit, Unit::Money(_)) => Some(Outcome::Breaks),
        (Amount::Hours(..), Amount::Hours(..)) => Some(keeps(asked.amount == stated.amount)),
        (Amount::Threshold(one, a), Amount::Threshold(other, b)) if one == other => Some(keeps(a == b)),
        (Amount::Every(a), Amount::Every(b)) => Some(keeps((a - b).abs() < 0.5)),
        (Amount::Level(a), Amount::Level(b)) => Some(keeps(a == b)),
        (Amount::Days(..), Amount::Days(..)) | (Amount::Weekdays(..), Amount::Weekdays(..)) => {
            Some(keeps(asked.amount == stated.amount))
        }
        (Amount::Times(a), Amount::Times(b)) => Some(numbers(*a, asked, *b, stated, 0.0)),
        (Amount::Clock(a), Amount::Clock(b)) => Some(numbers(f64::from(*a), asked, f64::from(*b), stated, 0.0)),
        (Amount::Date(a, last), Amount::Date(first, b)) => days((a, last), asked.bound, (first, b), stated.bound),
        (Amount::Date(..) | Amount::Yearless(..), Amount::Date(..) | Amount::Yearless(..)) => {
            let (a, last) = within_year(&asked.amount)?;
            let (first, b) = within_year(&stated.amount)?;
            days((&a, &last), asked.bound, (&first, &b), stated.bound)
        }
        (Amount::Quantity(a), Amount::Quantity(b)) => {
            if matches!((asked.net, stated.net), (Some(one), Some(other)) if one != other) && a.high == b.high {
                return Some(Outcome::Breaks);
            }
            // "Fell by 0.4" says what "−0.4" says.
            let size = |quantity: &Quantity| Quantity {
                low: quantity.low.abs().min(quantity.high.abs()),
                high: quantity.low.abs().max(quantity.high.abs()),
                ..quantity.clone()
            };
            let (a, b) = (&size(a), &size(b));
            let bounded = |quantity: &Quantity, bound: Bound, about: bool| Quantity {
                bound,
                approximate: quantity.approximate || about,
                ..quantity.clone()
            };
            let asked_bound = bound_of(a, asked);
            let a = bounded(a, asked_bound, asked.about);
            // A budget for the whole is held against sums for the whole.
            let own = bounded(b, Bound::Exact, stated.about);
            let relation = same::relation(&own, &a)?;
            Some(match (asked_bound, bound_of(b, stated)) {
                (Bound::AtMost, _) => keeps(relation != Relation::Above),
                (Bound::AtLeast, _) => keeps(relation != Relation::Below),
                (Bound::Exact, Bound::AtMost) => keeps(relation != Relation::Above || relation == Relation::Equal),
                (Bound::Exact, _) => keeps(!matches!(relation, Relation::Above | Relation::Below)),
            })
        }
        _ => None,
    }
}

/// How the values of a passage stand to one that is asked; of those of another kind nothing. Where a limit is asked and the passage states limits
/// of the same direction, they alone are compared: "1 g, up to 6 g a day" says of "at most 4 g a day" what its "up to" says.
pub(crate) fn outcomes<'a>(asked: &Value, stated: impl Iterator<Item = &'a Value>) -> Vec<(&'a Value, Outcome)> {
    let all: Vec<(&Value, Outcome)> = stated.filter_map(|own| Some((own, compare(asked, own)?))).collect();
    let limit = limit_of(asked);
    let is_counterpart = |(own, _): &&(&Value, Outcome)| limit != Bound::Exact && limit_of(own) == limit;
    let counterparts: Vec<(&Value, Outcome)> = all.iter().filter(is_counterpart).copied().collect();
    if counterparts.is_empty() { all } else { counterparts }
}

/// Whether a passage keeps the values of an obligation, or breaks one: nothing where it has none of their kind. Beside it the parts of the obligation
/// whose value it keeps. Of several values of a kind one is enough for a value, and all count for a limit.
pub(crate) fn meet(asked: &[Value], stated: &[Value]) -> (Option<Outcome>, Vec<Range<usize>>) {
    let mut met = Vec::new();
    for asked in asked {
        let outcomes = outcomes(asked, stated.iter());
        let keeps = |(_, outcome): &(&Value, Outcome)| *outcome == Outcome::Keeps;
        let is_met =
            if limit_of(asked) == Bound::Exact { outcomes.iter().any(keeps) } else { outcomes.iter().all(keeps) };
        match (outcomes.is_empty(), is_met) {
            (true, _) => {}
            (false, true) => met.push(asked.range.clone()),
            (false, false) => return (Some(Outcome::Breaks), met),
        }
    }
    ((!met.is_empty()).then_some(Outcome::Keeps), met)
}

/// In which direction a value is a limit, by its own words or those around it.
pub(crate) const fn limit_of(value: &Value) -> Bound {
    match &value.amount {
        Amount::Quantity(quantity) => bound_of(quantity, value),
        _ => value.bound,
    }
}

/// The first and last day of a date that lies within one year.
fn within_year(amount: &Amount) -> Option<(i32, i32)> {
    match amount {
        Amount::Date(first, last) if first.year() == last.year() => {
            Some((day_of_year(first.month(), first.day()), day_of_year(last.month(), last.day())))
        }
        // "October to March" runs over the end of a year.
        Amount::Yearless(first, last) if first <= last => Some((*first, *last)),
        _ => None,
    }
}

/// How stated days stand to asked ones, by their bounds. Where the answer only names an earliest day, it says nothing of the last.
fn days<T: Ord>((a, last): (&T, &T), asked: Bound, (first, b): (&T, &T), stated: Bound) -> Option<Outcome> {
    Some(keeps(match asked {
        Bound::AtMost if stated == Bound::AtLeast => return None,
        Bound::AtMost => first <= last,
        Bound::AtLeast => b >= a,
        Bound::Exact => last >= first && a <= b,
    }))
}

const fn bound_of(quantity: &Quantity, value: &Value) -> Bound {
    match quantity.bound {
        Bound::Exact => value.bound,
        bound => bound,
    }
}

const fn keeps(is: bool) -> Outcome {
    if is { Outcome::Keeps } else { Outcome::Breaks }
}

fn numbers(a: f64, asked: &Value, b: f64, stated: &Value, tolerance: f64) -> Outcome {
    let slack = if asked.about || stated.about { a.abs() * ABOUT_TOLERANCE } else { tolerance };
    keeps(match asked.bound {
        Bound::AtMost => b <= a + slack,
        Bound::AtLeast => b + slack >= a,
        Bound::Exact => (a - b).abs() <= slack,
    })
}

#[cfg(test)]
mod tests;
