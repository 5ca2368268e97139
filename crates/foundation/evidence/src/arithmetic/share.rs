//! Percentages of stated amounts, and changes from one figure to another.

use std::ops::Range;

use steadfast_annotate::{Pattern, Unit};

use super::figure::{Figure, Interval, addable};
use super::found::{Found, Place};
use super::{StatementKind, pattern};

const GAP_BYTES_MAX: usize = 80;

/// "20 % [of the total budget of] €3.8M".
static OF: Pattern = pattern(
    r"(?i)^\s*(?:[^\s\d,;:.()=+\[\]]+\s+){0,2}of\s+(?:(?:the|a|an|its|our|total|overall|budget|cost|costs|funding|grant|project|planned|annual|full|initial|original|entire|whole|of|revenue|price|amount|sum|subtotal)\s+)*$",
);
/// Between a share and the amount that it makes.
static MAKES: Pattern = pattern(
    r"(?i)^\s*(?:\(\s*(?:=|i\.e\.,?|that is,?|or|about|roughly|~|≈)?|=|≈|is|are|equals|equal to|makes|amounts to|comes to|gives|→|—|–|,?\s*or|,?\s*i\.e\.,?|,?\s*that is,?|,?\s*which is|,?\s*namely)\s*(?:about|roughly|approximately|~|≈)?\s*$",
);
/// Between an amount and the share that it is.
static IS: Pattern = pattern(
    r"(?i)^\s*(?:\(\s*(?:=|i\.e\.,?|that is,?|about|roughly|~|≈)?|=|≈|is|equals|represents|,?\s*or|,?\s*i\.e\.,?|,?\s*that is,?|,?\s*which is|,?\s*representing|,?\s*equal to|,?\s*corresponding to)\s*(?:about|roughly|approximately|~|≈)?\s*$",
);
static FROM: Pattern = pattern(r"(?i)(?-u:\b)from\s+(?:about|roughly|~|≈)?\s*$");
static TO: Pattern =
    pattern(r"(?i)^\s*(?:[^\s\d,;:.()=+\[\]]+\s+){0,2}(?:to|→|down to|up to)\s+(?:just |only |about |roughly |~)?$");
static CHANGE_OF: Pattern = pattern(concat!(
    r"(?i)^[\s,;:(–—-]*(?:(?:which|that|this) (?:is|means|represents)\s+)?(?:(?:i\.e\.|or|a|an|the|total|net|relative|overall|marked|sharp|cost|percentage)[\s,]+)*",
    r"(?:reduction|decrease|drop|cut|decline|saving|savings|fall|increase|rise|growth|gain|jump|uplift|difference|change|improvement)s?",
    r"\s+(?:of|by)\s+(?:about|roughly|~)?\s*$"
));
static JOINED: Pattern = pattern(
    r"(?i)^[\s,;:(–—-]*(?:(?:which|that|this) (?:is|means|represents)\s+)?(?:(?:a|an|the|i\.e\.|or|about|roughly)\s+)*[+−–-]?$",
);
static CHANGE_AFTER: Pattern = pattern(
    r"(?i)^\s*(?:relative |net |overall |cost )?(?:reduction|decrease|drop|cut|decline|saving|savings|fall|increase|rise|growth|gain|jump|uplift|difference|change|less|more|fewer|lower|higher)(?-u:\b)",
);
static BY: Pattern = pattern(
    r"(?i)(?-u:\b)(?:reduc(?-u:\w)+|cut(?-u:\w)*|decreas(?-u:\w)+|fall(?-u:\w)*|fell|drop(?-u:\w)*|lower(?-u:\w)*|shrink(?-u:\w)*|increas(?-u:\w)+|grow(?-u:\w)*|grew|ris(?-u:\w)+|rose|rais(?-u:\w)+|improv(?-u:\w)+|expand(?-u:\w)*|jump(?-u:\w)*)\s+(?:[^\s\d,;:.()=+\[\]]+\s+){0,6}by\s+(?:about|roughly|~)?\s*$",
);
static BY_FROM: Pattern = pattern(r"(?i)^[\s,(]*from\s+(?:about|roughly|~)?\s*$");

fn gap<'a>(text: &'a str, left: &Figure, right: &Figure) -> Option<&'a str> {
    let (start, end) = (left.range.end, right.range.start);
    if end < start || end - start > GAP_BYTES_MAX {
        return None;
    }
    text.get(start..end)
}

fn claim(block: usize, first: &Figure, last: &Figure) -> Place {
    Place { block, range: first.range.start..last.range.end }
}

/// "20 % of €3.8M (€760K)", "€760K (20 % of €3.8M)".
pub(super) fn shares(text: &str, figures: &[Figure], block: usize) -> Vec<Found> {
    let mut out = Vec::new();
    for index in 0..figures.len().saturating_sub(1) {
        let (percent, base) = (&figures[index], &figures[index + 1]);
        if !percent.is_percent()
            || base.is_percent()
            || !base.exact_bound()
            || !gap(text, percent, base).is_some_and(|gap| OF.is_match(gap))
        {
            continue;
        }
        let after =
            figures.get(index + 2).filter(|result| gap(text, base, result).is_some_and(|gap| MAKES.is_match(gap)));
        let before = index
            .checked_sub(1)
            .and_then(|before| figures.get(before))
            .filter(|result| gap(text, result, percent).is_some_and(|gap| IS.is_match(gap)));
        let Some(result) = after.or(before) else { continue };
        let known = addable(base.unit(), result.unit()) && result.exact_bound() && !result.is_percent();
        // "10 % of the price per unit": a rate of a rate.
        if !known || result.quantity.per != base.quantity.per {
            continue;
        }
        let made = |percent: Interval, base: Interval| percent.hundredth().and_then(|share| share.mul(base));
        let Some((wide, nominal)) = made(percent.interval, base.interval).zip(made(percent.nominal, base.nominal))
        else {
            continue;
        };
        // Whole things are counted: 15 % of 50 people are 7 or 8.
        let wide = if matches!(result.unit(), Unit::Count(_) | Unit::Plain) {
            wide.widened(rust_decimal::Decimal::new(5, 1))
        } else {
            wide
        };
        let holds = wide.meets(result.as_result());
        let mut found = Found::new(StatementKind::PercentageOf, result, nominal, &[percent, base], holds);
        found.claim = if after.is_some() { claim(block, percent, result) } else { claim(block, result, base) };
        out.push(found);
    }
    out
}

/// "from 120 to 90, a reduction of 25 %", "cut by 30, from 120 to 90".
pub(super) fn differences(text: &str, figures: &[Figure], sentences: &[Range<usize>], block: usize) -> Vec<Found> {
    let mut out = Vec::new();
    let mut index = 0;
    while index < figures.len() {
        let Some((from, to, next)) = pair(text, figures, index) else {
            index += 1;
            continue;
        };
        let last = &figures[next - 1];
        let sentence_end = sentences
            .get(sentences.partition_point(|sentence| sentence.end <= last.range.start))
            .map_or(text.len(), |sentence| sentence.end);
        let after = figures.get(next).filter(|change| {
            change.range.start < sentence_end
                && gap(text, last, change).is_some_and(|gap| {
                    let tail = text.get(change.range.end..).unwrap_or_default();
                    CHANGE_OF.is_match(gap)
                        || JOINED.is_match(gap) && CHANGE_AFTER.is_match(tail.get(..40.min(tail.len())).unwrap_or(""))
                })
        });
        let before = index.checked_sub(1).and_then(|before| figures.get(before)).filter(|change| {
            let start = change.range.start.saturating_sub(GAP_BYTES_MAX);
            let lead =
                (start..=change.range.start).find_map(|start| text.get(start..change.range.start)).unwrap_or_default();
            BY.is_match(lead)
                && gap(text, change, &figures[index]).is_some_and(|gap| BY_FROM.is_match(gap) || gap.trim().is_empty())
        });
        if let Some(change) = after.or(before)
            && let Some(mut found) = difference(&from, &to, change, &figures[index..next])
        {
            found.claim =
                if after.is_some() { claim(block, &figures[index], change) } else { claim(block, change, last) };
            out.push(found);
        }
        index = next;
    }
    out
}

/// "from A to B" at figure `index`: both values, and the index of the figure after them. They may have been read as one
/// range.
fn pair(text: &str, figures: &[Figure], index: usize) -> Option<(Figure, Figure, usize)> {
    let first = figures.get(index)?;
    let start = first.range.start.saturating_sub(24);
    let lead = (start..=first.range.start).find_map(|start| text.get(start..first.range.start)).unwrap_or_default();
    let own = text.get(first.range.clone()).unwrap_or_default();
    let said = FROM.is_match(lead) || own.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("from "));
    if !said {
        return None;
    }
    if first.is_range() {
        let half = |value: Interval, nominal: Interval| (nominal.low - value.low).max(value.high - nominal.high);
        let by = half(first.interval, first.nominal);
        let one = |value| {
            let mut figure = first.clone();
            figure.nominal = Interval { low: value, high: value };
            figure.interval = Interval::around(value, by)?;
            Some(figure)
        };
        return Some((one(first.nominal.low)?, one(first.nominal.high)?, index + 1));
    }
    let second = figures.get(index + 1)?;
    let joined = gap(text, first, second).is_some_and(|gap| TO.is_match(gap));
    (joined && !second.is_range()).then(|| (first.clone(), second.clone(), index + 2))
}

fn difference(from: &Figure, to: &Figure, change: &Figure, terms: &[Figure]) -> Option<Found> {
    let alike = match (from.unit(), to.unit()) {
        (Unit::Count(from), Unit::Count(to)) => from.stem == to.stem,
        (Unit::Plain, _) => true,
        (from, to) => addable(from, to),
    };
    if !alike || !change.exact_bound() || change.is_range() {
        return None;
    }
    let sized = |value: Interval| if value.high < rust_decimal::Decimal::ZERO { value.negated() } else { value };
    let apart = |a: Interval, b: Interval| b.sub(a).map(sized);
    let (wide, nominal) = (apart(from.interval, to.interval)?, apart(from.nominal, to.nominal)?);
    let relative = wide.percent_of(from.interval).zip(nominal.percent_of(from.nominal));
    let points =
        addable(to.unit(), change.unit()) || matches!(change.unit(), Unit::PercentagePoints) && to.is_percent();
    let absolute = points && wide.meets(change.as_result());
    let share = change.is_percent() && relative.is_some_and(|(wide, _)| wide.meets(change.interval));
    let computed = match relative {
        Some((_, nominal)) if change.is_percent() && !to.is_percent() => nominal,
        _ if points => nominal,
        _ => return None,
    };
    // Percentages may differ by points or in relation.
    let computed = if share && !absolute { relative.map_or(computed, |(_, nominal)| nominal) } else { computed };
    let terms: Vec<&Figure> = terms.iter().collect();
    Some(Found::new(StatementKind::Difference, change, computed, &terms, absolute || share))
}
