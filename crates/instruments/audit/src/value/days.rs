//! Days that a clause says otherwise than as one date: spans ("4 May to 8 May", "Thu–Sat"), and days that have a name.

use std::sync::LazyLock;

use steadfast_annotate::Pattern;
use steadfast_steps::Regex;
use steadfast_time::weekday_word;

use super::{Amount, Bound, VALUES_MAX, Value};
use crate::details::day_of_year;

static WEEKDAYS: LazyLock<Regex> = LazyLock::new(|| {
    let day = r"(mon|tue|tues|wed|weds|thu|thur|thurs|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?";
    steadfast_annotate::pattern(&format!(r"(?i)\b{day}\.?\s*(?:-|–|—|to|until|till|through)\s*{day}\b"))
        .expect("a constant pattern compiles")
});
/// Days that have a name and one date in each year.
static NAMED_DAY: Pattern = Pattern::new(
    r"(?i)\b(?:the day (before|after) )?(?:(christmas eve)|(christmas day)|(boxing day)|(new year['’]s eve)|(new year['’]s day))\b",
);
/// What stands between the two ends of a span of days.
static UNTIL: Pattern = Pattern::new(
    r"(?i)^\s*(?:-|–|—|to|until|till|through|up to(?: and including)?)\s*(?:and including\s*)?(?:(?:the|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?,?\s*)?$",
);
/// Adds days with a name and spans of days to the values of a text.
pub(super) fn add(text: &str, found: &mut Vec<Value>) {
    for day in NAMED_DAY.captures_iter(text) {
        let days = [(12, 24), (12, 25), (12, 26), (12, 31), (1, 1)];
        let named = (2..days.len() + 2).find(|at| day.get(*at).is_some()).and_then(|at| days.get(at - 2));
        let off = day.get(1).map_or(0, |side| if side.as_str().eq_ignore_ascii_case("before") { -1 } else { 1 });
        if let (Some(all), Some((month, day))) = (day.get(0), named)
            && found.len() < VALUES_MAX
        {
            let day = day_of_year(*month, *day) + off;
            found.push(Value::new(all.range(), Amount::Yearless(day, day), Bound::Exact));
        }
    }
    found.sort_by_key(|value| value.range.start);
    spans(text, found);
    for taken in WEEKDAYS.captures_iter(text) {
        let (Some(all), Some(from), Some(to)) = (taken.get(0), taken.get(1), taken.get(2)) else { continue };
        if let (Some(from), Some(to)) = (weekday(from.as_str()), weekday(to.as_str()))
            && found.len() < VALUES_MAX
        {
            let amount = Amount::Weekdays(from, to);
            found.push(Value::new(all.range(), amount, Bound::Exact));
        }
    }
}

/// Two days with a word between that makes them the ends of a span, and a date that is written as one, become the span.
fn spans(text: &str, found: &mut Vec<Value>) {
    let ends = |amount: &Amount| match amount {
        Amount::Date(first, last) => {
            Some((day_of_year(first.month(), first.day()), day_of_year(last.month(), last.day())))
        }
        Amount::Yearless(first, last) => Some((*first, *last)),
        _ => None,
    };
    let mut at = 0;
    while at < found.len() {
        let next = found.get(at + 1);
        let joined = next.and_then(|next| {
            let between = text.get(found[at].range.end..next.range.start)?;
            let (from, single) = ends(&found[at].amount)?;
            let (other, to) = ends(&next.amount)?;
            (from == single && other == to && UNTIL.is_match(between)).then_some((from, to, next.range.end))
        });
        if let Some((from, to, end)) = joined {
            found[at].amount = Amount::Days(from, to);
            found[at].bound = Bound::Exact;
            found[at].range.end = end;
            found.remove(at + 1);
        } else if let Some((from, to)) = ends(&found[at].amount).filter(|(from, to)| from != to)
            && text.get(found[at].range.clone()).is_some_and(is_span_of_days)
        {
            found[at].amount = Amount::Days(from, to);
            found[at].bound = Bound::Exact;
        }
        at += 1;
    }
}

/// Whether a date is written with two days: "4–8 May".
fn is_span_of_days(written: &str) -> bool {
    static TWO_DAYS: Pattern = Pattern::new(
        r"(?i)\d(?:st|nd|rd|th)?(?: [a-z]{3,9}\.?)?\s*(?:-|–|—|to|until|till|through)\s*(?:[a-z]{3,9}\.? )?\d",
    );
    TWO_DAYS.is_match(written)
}

/// Which day of the week a name or its short form is.
fn weekday(name: &str) -> Option<u8> {
    let day = weekday_word(name.to_lowercase().trim_end_matches('s'))?;
    u8::try_from(day.to_monday_zero_offset()).ok()
}
