//! From tokens to quantities.

use rust_decimal::Decimal;
use steadfast_time::bound::{stance_after, stance_before};
use steadfast_time::numeral::{Form, is_dash, lower, ordinal, range_joint};
use steadfast_time::scan::{Gap, Kind, Tokens, blocks};
use steadfast_time::{
    Bound, DateReading, DateValue, DurationReading, DurationUnit, dates_in, durations_in, stated_zeros, unit_from_word,
};

use crate::counted::{counted_at, is_label};
use crate::currency::Currency;
use crate::number::{Read, Side, side_at};
use crate::quantity::{Quantity, Unit};

/// Buffers that are used again for each block.
#[derive(Default)]
struct Buffers {
    dates: Vec<DateReading>,
    durations: Vec<DurationReading>,
}

/// Every quantity in `text`, in order, without overlaps. Dates and durations are among them.
///
/// One pass in time linear in the text; the digits of a number beyond
/// [`steadfast_time::numeral::SIGNIFICANT_DIGITS_MAX`] make it no quantity.
#[must_use]
pub fn quantities(text: &str) -> Vec<Quantity> {
    let mut found = Vec::new();
    let mut buffers = Buffers::default();
    blocks(text, |tokens| read_block(tokens, &mut buffers, &mut found));
    found
}

/// Appends the quantities of one block to `found`.
fn read_block(tokens: &Tokens<'_>, buffers: &mut Buffers, found: &mut Vec<Quantity>) {
    buffers.dates.clear();
    buffers.durations.clear();
    dates_in(tokens, &mut buffers.dates);
    durations_in(tokens, &mut buffers.durations);
    let mut dates = buffers.dates.iter().peekable();
    let mut durations = buffers.durations.iter().peekable();
    let mut at = 0;
    // First token that no quantity holds yet.
    let mut free = 0;
    while at < tokens.list.len() {
        let start = tokens.list[at].start;
        while dates.next_if(|date| date.range.start < start).is_some() {}
        while durations.next_if(|duration| duration.number_range.start < start).is_some() {}
        let past = |end: usize| at + tokens.list[at..].partition_point(|token| token.start < end);
        if let Some(date) = dates.next_if(|date| date.range.start == start) {
            found.push(of_date(date));
            at = past(date.range.end);
            free = at;
            continue;
        }
        if let Some(duration) = durations.next_if(|duration| duration.number_range.start == start) {
            let limit = tokens.list.get(free).map_or(start, |token| token.start).min(start);
            found.push(of_duration(duration, limit));
            at = past(duration.range.end);
            free = at;
            continue;
        }
        if !may_begin(tokens, at) {
            at += 1;
            continue;
        }
        // Neither end may reach into a date or a duration that begins later.
        let fence = [dates.peek().map(|date| date.range.start), durations.peek().map(|one| one.number_range.start)]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(usize::MAX);
        match quantity_at(tokens, at, free, fence) {
            Step::On => at += 1,
            Step::Skip(next) => at = next.max(at + 1),
            Step::Found(quantity, next) => {
                found.push(*quantity);
                at = next.max(at + 1);
                free = at;
            }
        }
    }
}

enum Step {
    On,
    Skip(usize),
    Found(Box<Quantity>, usize),
}

/// Whether a quantity may begin at this token; a quick look before the careful ones.
fn may_begin(tokens: &Tokens<'_>, at: usize) -> bool {
    match tokens.list[at].kind {
        Kind::Digits | Kind::Word => true,
        Kind::Mark(mark) => {
            matches!(mark, '-' | '−' | '–' | '½' | '¼' | '¾' | '⅓' | '⅔') || !mark.is_ascii() || mark == '$'
        }
        Kind::Opaque => false,
    }
}

fn of_date(date: &DateReading) -> Quantity {
    let (low, high) = match date.value {
        DateValue::Window(window) => (i64::from(window.first.year()), i64::from(window.last.year())),
        DateValue::Project(point) => (i64::from(point.low), i64::from(point.high)),
        DateValue::Yearless { from, to } => (i64::from(from.month), i64::from(to.month)),
    };
    Quantity {
        range: date.range.clone(),
        number_range: date.range.clone(),
        low: Decimal::from(low),
        high: Decimal::from(high),
        unit: Unit::Date(date.value),
        approximate: date.approximate,
        bound: Bound::Exact,
        precision: Decimal::ONE,
        per: None,
    }
}

fn of_duration(duration: &DurationReading, limit: usize) -> Quantity {
    Quantity {
        range: duration.range.start.max(limit)..duration.range.end,
        number_range: duration.number_range.clone(),
        low: duration.low,
        high: duration.high,
        unit: Unit::Duration(duration.unit),
        approximate: duration.approximate,
        bound: duration.bound,
        precision: duration.precision,
        per: None,
    }
}

/// Whether the number of `side` only counts a list: "1. First", "(2) second", "[3]", "## 3.2 Title".
fn is_enumerator(tokens: &Tokens<'_>, side: &Side) -> bool {
    let (at, end) = (side.number, side.end);
    if side.unit.is_some() || side.form == Form::Words {
        return false;
    }
    let short = tokens.digits(at).is_some_and(|digits| digits.len() <= 2);
    let opened = at.checked_sub(1).and_then(|before| tokens.mark(before));
    let closed = tokens.mark(end);
    let bracketed =
        (opened == Some('(') && closed == Some(')') && short) || (opened == Some('[') && closed == Some(']'));
    if bracketed {
        return true;
    }
    // "… thing 2. **Second**"
    let bold =
        tokens.mark(end + 1) == Some('*') && tokens.mark(end + 2) == Some('*') && tokens.gap(end + 1) == Gap::Space;
    if short && bold && closed == Some('.') && tokens.gap(end) == Gap::None && tokens.gap(at) != Gap::None {
        return true;
    }
    // Only marks of lists, headings and emphasis stand before it on its line.
    let mut first = at;
    let mut heading = false;
    while tokens.gap(first) != Gap::Line {
        match first.checked_sub(1).and_then(|before| tokens.mark(before)) {
            Some(mark @ ('#' | '*' | '-' | '>' | '|' | '(' | '[' | '_' | '•')) => {
                heading |= mark == '#';
                first -= 1;
            }
            _ => break,
        }
    }
    let line_start =
        tokens.gap(first) == Gap::Line && (first == at || opened != Some('-') || tokens.gap(at) != Gap::None);
    let dotted = matches!(closed, Some('.' | ')' | ':')) && tokens.gap(end) == Gap::None;
    if line_start && tokens.mark(first) != Some('|') {
        let next_apart = tokens.gap(end + 1) != Gap::None || tokens.mark(end + 1).is_some();
        if dotted && next_apart && (closed != Some(':') || heading) {
            return true;
        }
        if heading
            && (side.form == Form::Digits || first + 1 == at && short && closed.is_none())
            && side.step < Decimal::ONE
        {
            return true;
        }
    }
    // "… done. 5. **Consult** …", "as follows: 1) one; 2) two"
    let after_end = matches!(opened, Some('.' | ':' | ';' | '*' | ')' | '|' | ',' | '?' | '!'));
    let next = end + 1;
    short
        && after_end
        && dotted
        && closed != Some(':')
        && tokens.gap(next) >= Gap::Space
        && (closed == Some(')')
            || tokens.mark(next) == Some('*')
            || tokens.word(next).starts_with(|first: char| first.is_uppercase()))
}

/// "Street 19, 2300 Copenhagen": four or five digits between a comma or line end and a capitalised name.
fn is_postcode(tokens: &Tokens<'_>, side: &Side) -> bool {
    let digits = tokens.digits(side.number).is_some_and(|digits| matches!(digits.len(), 4 | 5));
    let before = side.number.checked_sub(1).and_then(|before| tokens.mark(before)) == Some(',');
    let name =
        tokens.gap(side.end) == Gap::Space && tokens.word(side.end).starts_with(|first: char| first.is_uppercase());
    digits && before && name && side.form == Form::Integer && side.unit.is_none() && !side.scaled
}

/// What begins at token `at`, if a quantity does. `free` and `fence` (a byte) are what it may not reach over.
fn quantity_at(tokens: &Tokens<'_>, at: usize, free: usize, fence: usize) -> Step {
    if let Some(ordinal) = ordinal_word(tokens, at) {
        return ordinal;
    }
    let first = match side_at(tokens, at, false) {
        Read::Nothing => return Step::On,
        Read::Skip(next) => return Step::Skip(next),
        Read::Side(side) => side,
    };
    // A clock time, or a proportion.
    if tokens.mark(first.end) == Some(':')
        && tokens.gap(first.end) == Gap::None
        && tokens.gap(first.end + 1) == Gap::None
        && let Some(digits) = tokens.digits(first.end + 1)
    {
        return proportion(tokens, first, digits, free);
    }
    // "1.6.A", "3.b"
    let lettered = tokens.mark(first.end) == Some('.')
        && tokens.gap(first.end) == Gap::None
        && tokens.gap(first.end + 1) == Gap::None
        && (1..=2).contains(&tokens.word(first.end + 1).len());
    // "555-123-4567": a chain is no range. So are dialled numbers.
    let chain = |end: usize| {
        tokens.mark(end).is_some_and(is_dash)
            && tokens.gap(end) == Gap::None
            && tokens.gap(end + 1) == Gap::None
            && tokens.digits(end + 1).is_some()
    };
    // "003-2_plan.md"
    let path = matches!(tokens.mark(first.end), Some('-' | '_'))
        && tokens.gap(first.end) == Gap::None
        && tokens.gap(first.end + 1) == Gap::None
        && tokens.get(first.end + 1).is_some_and(|token| token.kind == Kind::Opaque);
    if lettered || path {
        return Step::Skip(first.end + 2);
    }
    if first.unit.is_none() && first.form == Form::Integer {
        let mut end = first.end;
        let mut links = 0;
        while chain(end) {
            end += 2;
            links += 1;
        }
        if links >= 2 {
            return Step::Skip(end);
        }
        if let Some(end) = dialled(tokens, &first) {
            return Step::Skip(end);
        }
    }
    if is_enumerator(tokens, &first) || is_postcode(tokens, &first) {
        return Step::Skip(first.end);
    }
    if first.form == Form::Slash {
        let nine_eleven = &tokens.text[tokens.range(first.number, first.number_end)] == "9/11";
        if first.value > Decimal::ONE || first.unit.is_some() || nine_eleven {
            return Step::Skip(first.end);
        }
        let side = Side { unit: Some(Unit::Ratio), ..first };
        return finish(tokens, side.clone(), side, free, fence);
    }
    if first.form == Form::Fraction && first.unit.is_none() {
        let half = tokens.is_word(first.number, "half");
        let next = tokens.word(first.end);
        let share = matches!(next, "of" | "the" | "all" | "its" | "their" | "our" | "these" | "those")
            && (next == "of" || half);
        if half && (!share || tokens.gap(first.number) == Gap::None) {
            return Step::Skip(first.end);
        }
        let side = Side { unit: Some(Unit::Ratio), ..first };
        return finish(tokens, side.clone(), side, free, fence);
    }
    if first.unit == Some(Unit::Ordinal) {
        return finish(tokens, first.clone(), first, free, fence);
    }
    match tolerance(tokens, &first).or_else(|| second_side(tokens, &first, fence)) {
        Some((low, high)) => finish(tokens, low, high, free, fence),
        None => finish(tokens, first.clone(), first, free, fence),
    }
}

/// "third", "Second": ordinals in words, where they are not part of a set phrase.
fn ordinal_word(tokens: &Tokens<'_>, at: usize) -> Option<Step> {
    let word = tokens.word(at);
    if !(5..=7).contains(&word.len()) {
        return None;
    }
    let mut buffer = [0; 7];
    let value = ordinal(lower(word, &mut buffer)?).filter(|value| *value <= 10)?;
    let next = tokens.word(at + 1);
    let before = at.checked_sub(1).map_or("", |before| tokens.word(before));
    let joined = matches!(tokens.mark(at + 1), Some('-' | '‑')) && tokens.gap(at + 1) == Gap::None;
    let phrase = joined
        || matches!(next, "party" | "parties" | "aid" | "hand" | "and" | "of" | "thoughts" | "nature")
        || matches!(before, "at" | "per" | "each" | "split" | "a" | "one" | "every" | "At")
        // An adverb ("First, hire …") orders sentences.
        || tokens.mark(at + 1) == Some(',') || tokens.mark(at + 1) == Some(':')
        || next.is_empty();
    if phrase {
        return Some(Step::Skip(at + 1));
    }
    let value = Decimal::from(value);
    Some(Step::Found(
        Box::new(Quantity {
            range: tokens.range(at, at + 1),
            number_range: tokens.range(at, at + 1),
            low: value,
            high: value,
            unit: Unit::Ordinal,
            approximate: false,
            bound: Bound::Exact,
            precision: Decimal::ONE,
            per: None,
        }),
        at + 1,
    ))
}

/// "3:1" is a proportion, "10:30" and "10:30:00" are times of day.
fn proportion(tokens: &Tokens<'_>, first: Side, digits: &str, free: usize) -> Step {
    let mut end = first.end + 2;
    let mut parts = 2;
    while tokens.mark(end) == Some(':') && tokens.gap(end) == Gap::None && tokens.digits(end + 1).is_some() {
        end += 2;
        parts += 1;
    }
    let under = if digits.len() <= 4 { digits.parse::<i64>().unwrap_or(0) } else { 0 };
    let clock = digits.len() == 2 && under < 60 && first.value < Decimal::from(24) && first.value != Decimal::from(16);
    let glued = tokens.gap(end) == Gap::None && !tokens.word(end).is_empty();
    if parts > 2 || under == 0 || clock || glued || first.unit.is_some() || first.form != Form::Integer {
        return Step::Skip(end);
    }
    let Some(value) = first.value.checked_div(Decimal::from(under)) else { return Step::Skip(end) };
    let side = Side { value, number_end: end, end, unit: Some(Unit::Ratio), step: Decimal::new(1, 2), ..first };
    finish(tokens, side.clone(), side, free, usize::MAX)
}

/// The end of a telephone number that begins with `first`: "+45 12 34 56 78", "(555) 123-4567".
fn dialled(tokens: &Tokens<'_>, first: &Side) -> Option<usize> {
    let before = first.number.checked_sub(1)?;
    let plus =
        tokens.mark(before) == Some('+') && tokens.gap(first.number) == Gap::None && tokens.gap(before) != Gap::None;
    let area = tokens.mark(before) == Some('(')
        && tokens.mark(first.end) == Some(')')
        && tokens.digits(first.end + 1).is_some();
    if !plus && !area {
        return None;
    }
    let mut end = first.end;
    let mut groups = 0;
    loop {
        let skip = usize::from(matches!(tokens.mark(end), Some('-' | ')' | '(' | '.')));
        if tokens.digits(end + skip).is_none_or(|digits| digits.len() < 2) || tokens.gap(end + skip) > Gap::Space {
            break;
        }
        end += skip + 1;
        groups += 1;
    }
    (groups >= 2 || area && groups >= 1).then_some(end)
}

/// "100 ± 5", "±5%": both ends.
fn tolerance(tokens: &Tokens<'_>, first: &Side) -> Option<(Side, Side)> {
    let before = first.first.checked_sub(1);
    if before.and_then(|before| tokens.mark(before)) == Some('±') {
        let mut low = first.clone();
        low.value = -first.value;
        low.first -= 1;
        return Some((low, first.clone()));
    }
    if tokens.mark(first.end) != Some('±') {
        return None;
    }
    let Read::Side(second) = side_at(tokens, first.end + 1, true) else { return None };
    if first.unit.is_none() && second.unit == Some(Unit::Percent) {
        return None;
    }
    let mut low = first.clone();
    let mut high = second.clone();
    low.value = first.value.checked_sub(second.value)?;
    high.value = first.value.checked_add(second.value)?;
    high.unit = second.unit.or_else(|| first.unit.clone());
    low.unit = high.unit.clone();
    Some((low, high))
}

/// The two ends of a range that begins with `first`.
fn second_side(tokens: &Tokens<'_>, first: &Side, fence: usize) -> Option<(Side, Side)> {
    let or = tokens.is_word(first.end, "or") && first.unit.is_none();
    let joint = match range_joint(tokens, first.end, first.first) {
        Some(joint) => joint,
        None if or => first.end + 1,
        None => return None,
    };
    if tokens.list.get(joint).is_none_or(|token| token.start >= fence) {
        return None;
    }
    let Read::Side(mut high) = side_at(tokens, joint, true) else { return None };
    if high.form == Form::Slash || high.form == Form::Fraction || first.form == Form::Slash {
        return None;
    }
    let mut low = first.clone();
    match (&low.unit, &high.unit) {
        (None, None) => {}
        (Some(unit), None) => high.unit = Some(unit.clone()),
        (None, Some(unit)) => low.unit = Some(unit.clone()),
        (Some(Unit::Money(own)), Some(Unit::Money(other))) => {
            if own != other && !(*own == Currency::Dollar || *other == Currency::Dollar) && !own.matches(*other) {
                return None;
            }
            // "$120–HK$220": the named one names both.
            let named = if *own == Currency::Dollar { *other } else { *own };
            low.unit = Some(Unit::Money(named));
            high.unit = low.unit.clone();
        }
        (Some(own), Some(other)) if own == other => {}
        // "from 5% to 10 percentage points" and the like are two.
        _ => return None,
    }
    // "0.5–2.0 billion", "$5-10M": the magnitude of the second holds for the first, unless that turns the range round.
    if high.scaled && !low.scaled && low.form != Form::Words {
        let bare = high.step;
        let factor = scale_of(tokens, &high);
        if let Some(factor) = factor
            && let Some(value) = low.value.checked_mul(factor)
            && value <= high.value
        {
            low.value = value;
            low.step = low.step.saturating_mul(factor);
            low.scaled = true;
        } else {
            low.step = low.step.max(Decimal::ZERO);
        }
        high.step = bare;
    }
    let near = !or || (high.value - low.value == Decimal::ONE);
    (low.value < high.value && near).then_some((low, high))
}

/// The factor by which the magnitude scaled a side.
fn scale_of(tokens: &Tokens<'_>, side: &Side) -> Option<Decimal> {
    match steadfast_time::numeral::numeral_at(tokens, side.number) {
        steadfast_time::numeral::Found::Number(numeral) => side.step.checked_div(numeral.step),
        _ => None,
    }
}

/// The quantity between two ends (the same one twice for a single value): bounds, what is counted, the period.
fn finish(tokens: &Tokens<'_>, low: Side, high: Side, free: usize, fence: usize) -> Step {
    let single = low.number == high.number && low.value == high.value;
    let mut end = high.end;
    let mut unit = high.unit.clone();
    let before = stance_before(tokens, low.first);
    let mut bound = if low.bound != Bound::Exact { low.bound } else { high.bound };
    if bound == Bound::Exact {
        bound = before.bound;
    }
    let mut approximate = before.approximate || low.approximate || high.approximate;
    let words = high.form == Form::Words;
    if unit.is_none() {
        let edge = before.edge;
        let decimal = low.step < Decimal::ONE;
        let labelled = edge == low.first
            && !low.scaled
            && matches!(low.form, Form::Integer | Form::Digits)
            && (decimal || low.form == Form::Integer)
            && is_label(tokens, low.number, end, decimal);
        if labelled {
            unit = Some(Unit::Label);
        } else {
            let within = tokens.list.get(end).is_some_and(|token| token.start < fence);
            let found = if within { counted_at(tokens, end, high.value) } else { None };
            match found.filter(|(counted, _)| counted.phrase.end <= fence) {
                Some((counted, past)) => {
                    unit = Some(Unit::Count(counted));
                    end = past;
                }
                // "one of the", "zero trust": words that seldom count by themselves.
                None if words && single && !low.scaled && low.value <= Decimal::ONE => return Step::Skip(end),
                None => {}
            }
            let set_phrase = words && single && low.value <= Decimal::ONE && is_set_phrase(tokens, &low, &unit);
            if set_phrase {
                return Step::Skip(high.end);
            }
        }
    }
    let unit = unit.unwrap_or(Unit::Plain);
    let after = stance_after(tokens, end);
    if unit != Unit::Label && bound == Bound::Exact && (after.bound != Bound::Exact || after.approximate) {
        let lone = tokens.is_word(end, "maximum")
            || tokens.is_word(end, "minimum")
            || tokens.is_word(end, "max")
            || tokens.is_word(end, "min");
        if !lone || tokens.word(after.edge).is_empty() {
            bound = after.bound;
            approximate |= after.approximate;
            end = after.edge;
        }
    }
    let mut per = None;
    if matches!(unit, Unit::Money(_) | Unit::Count(_) | Unit::Percent | Unit::Measure(_) | Unit::Plain | Unit::Ratio)
        && let Some((period, past)) = period_at(tokens, end)
    {
        per = Some(period);
        end = past;
    }
    let mut precision = low.step.max(high.step);
    if approximate && single && precision >= Decimal::ONE {
        precision = stated_zeros(high.value.abs(), precision);
    }
    let first = before.edge.max(free).min(low.first);
    Step::Found(
        Box::new(Quantity {
            range: tokens.range(first, end),
            number_range: tokens.range(low.number, high.number_end),
            low: low.value,
            high: high.value,
            unit,
            approximate,
            bound,
            precision,
            per,
        }),
        end,
    )
}

/// "no one", "one another", "zero trust", "one size": words for one and none that count nothing.
fn is_set_phrase(tokens: &Tokens<'_>, side: &Side, unit: &Option<Unit>) -> bool {
    let before = side.first.checked_sub(1).map_or("", |before| tokens.word(before));
    let next = tokens.word(side.end);
    matches!(
        before,
        "no" | "No" | "the" | "this" | "that" | "any" | "net" | "Net" | "which" | "another" | "Day" | "each" | "every"
    ) || matches!(
        next,
        "another" | "day" | "size" | "thing" | "trust" | "sum" | "tolerance" | "knowledge" | "hand" | "way"
    ) || matches!(unit, Some(Unit::Count(_))) && tokens.gap(side.first) == Gap::None && side.first > 0
}

/// "per month", "a year", "/day", "annually" at `at`, and the token after it.
fn period_at(tokens: &Tokens<'_>, at: usize) -> Option<(DurationUnit, usize)> {
    if tokens.mark(at) == Some('/') && tokens.gap(at) == Gap::None {
        let word = tokens.word(at + 1);
        let unit = unit_from_word(word).filter(|_| !word.ends_with('s') || word == "hrs")?;
        // "3 days/weeks" lists; "/second" and longer are periods.
        return Some((unit, at + 2));
    }
    if tokens.gap(at) > Gap::Space {
        return None;
    }
    let next = tokens.word(at + 1);
    match tokens.word(at) {
        "per" if next == "annum" => Some((DurationUnit::Year, at + 2)),
        "per" | "each" | "every" => unit_from_word(next).map(|unit| (unit, at + 2)),
        "a" | "an" => unit_from_word(next).filter(|_| !tokens.is_word(at + 2, "ago")).map(|unit| (unit, at + 2)),
        "annually" | "yearly" => Some((DurationUnit::Year, at + 1)),
        "monthly" => Some((DurationUnit::Month, at + 1)),
        "weekly" => Some((DurationUnit::Week, at + 1)),
        "daily" => Some((DurationUnit::Day, at + 1)),
        _ => None,
    }
}
