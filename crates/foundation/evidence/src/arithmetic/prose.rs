//! Sums, products, shares and differences in sentences.

use std::ops::Range;

use rust_decimal::Decimal;
use steadfast_annotate::{Pattern, Unit};
use steadfast_text::{Block, BlockKind};

use super::figure::{Figure, Interval, addable, addable_bare};
use super::found::{Found, Place};
use super::passage::Passage;
use super::{StatementKind, pattern};

/// The most figures of one equation or enumeration; a longer one is not read.
const CHAIN_FIGURES_MAX: usize = 200;

/// The longest list of the parts of a total, in bytes; what lies beyond is not read.
const LIST_BYTES_MAX: usize = 2_000;

/// What stands between two figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    Plus,
    Minus,
    Times,
    /// "12 engineers at $100k": a product only if a result follows.
    At,
    Equals,
    None,
}

static EQUALS: Pattern = pattern(
    r"(?i)^[\s)]*(?:[^\s\d,;:.()=+\[\]]+\s+){0,5}[)\s]*(?:=|≈|equals?|makes?|comes to|amounts to|gives|is equal to)\s*(?:~|≈|about|roughly|a total of|approximately)?\s*$",
);
static TOTALLING: Pattern = pattern(concat!(
    r"(?i)^(?:[\s)]*[^\s\d,;:.()=+\[\]]+){0,8}?[\s),;:(–—-]+(?:and |which |that |together |together, |for |giving |making |with |in )*",
    r"(?:a |an |the )?(?:combined |grand |overall |cumulative )?",
    r"(?:totall?ing|totals?|totalled|sum(?:s|med|ming)?(?: up)? to|add(?:s|ed|ing)?(?: up)? to|sum)",
    r"(?:\s+(?:cost|costs|budget|spend|amount|effort|headcount|team size|investment|price|expenditure))?\s*(?:of|is|:|=|comes to|amounts to|to)?\s*(?:~|≈|about|roughly|approximately)?\s*$"
));
static TIMES: Pattern = pattern(
    r"(?i)^\s*(?:[^\s\d,;:.()=+\[\]]+\s+){0,4}?(?:×|✕|\*|·|x|times|multiplied by)\s*(?:[^\s\d,;:.()=+\[\]]+\s+){0,2}$",
);
static AT: Pattern = pattern(
    r"(?i)^\s*(?:[^\s\d,;:.()=+\[\]]+\s+){0,3}?(?:at|@|for|over)\s*(?:an average of |a rate of |a price of |an average price of )?$",
);
static PLUS: Pattern = pattern(r"(?i)^[^+,;:.=×*/{}_^\\]{0,60}?(?:\+|(?-u:\b)plus(?-u:\b))[^+,;:.=×*/{}_^\\]{0,24}$");
static MINUS: Pattern =
    pattern(r"(?i)^\s*(?:[^\s\d,;:.()=+\[\]]+\s+){0,4}(?:[-−–]\s|minus(?-u:\b)|less(?-u:\b))[^+,;:.=×*/()]{0,24}$");
/// After a product: the result is not the product alone.
static NET: Pattern = pattern(
    r"(?i)(?-u:\b)(?:net|after|before|excluding|excl|less|minus|including|incl|plus|gross of|with (?:tax|vat|overhead|discount|benefits)|discount(?-u:\w)*|capped|rounded|savings?|at most|at least)(?-u:\b)",
);
/// A gap that only parts two members of an enumeration.
static LISTED: Pattern = pattern(r"(?i)[,;/&+]|(?-u:\b)and(?-u:\b)|(?-u:\b)plus(?-u:\b)");
/// Words that say that a figure is more than a member of an enumeration.
static RELATION: Pattern = pattern(concat!(
    r"(?i)[.!?:=<>≤≥→%]|(?-u:\b)(?:from|of|over|per|than|increas(?-u:\w)+|decreas(?-u:\w)+|reduc(?-u:\w)+|by|if|until|till|which|that|while|whereas|instead|versus|vs|",
    r"compared|against|is|are|was|were|will|would|could|should|may|might|can|has|have|had|after|before|between|or|not|total(?-u:\w)*|within|during|",
    r"every|each|including|includes?|excluding|more|fewer|another|additional|remaining|rest|same|these|those|half|only|because|since|but)(?-u:\b)"
));
/// Words between a total and its members.
static PARTITION: Pattern = pattern(concat!(
    r"(?i)(?-u:\b)(?:split|divided|broken down|breaks down|breakdown|made up of|composed of|consist(?:s|ing)? of|compris(?:es|ed of|ing)|",
    r"gated|distributed (?:across|over|among|as)|allocated (?:across|as)|spread across|spread over|apportioned)(?-u:\b)"
));
/// Words right before shares that make the whole.
static SHARED_OUT: Pattern = pattern(concat!(
    r"(?i)(?-u:\b)(?:split|divided|broken down|breaks down|breakdown|made up of|composed of|consist(?:s|ing)? of|compris(?:es|ed of|ing)|distributed|",
    r"allocated|allocation|distribution|mix|gated)(?:\s+(?:is|are|into|as follows|as|across|among|between|of|the|roughly|about))*[\s:(,—–-]*$"
));
static WHOLE: Pattern =
    pattern(r"(?i)(?-u:\b)(?:total|totals|overall|altogether|in all|sum|combined|entire|whole)(?-u:\b)");
/// What is listed is not all.
static PARTIAL: Pattern = pattern(
    r"(?i)(?-u:\b)(?:includ(?-u:\w)+|e\.?g|such as|for example|for instance|mostly|mainly|largely|notably|at least|up to|of which|among|plus|remain(?-u:\w)*|rest|balance|remainder|others?|etc|some|partly|primarily|initially|first)(?-u:\b)|\.\.\.|…",
);

/// `gap` without what stands in brackets; `None` if a bracket stays open or closes what was opened before.
fn unbracketed(gap: &str) -> Option<String> {
    if !gap.contains(['(', ')', '[', ']']) {
        return Some(gap.to_owned());
    }
    let mut out = String::with_capacity(gap.len());
    let mut depth = 0usize;
    for c in gap.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    (depth == 0).then_some(out)
}

pub(super) fn read(index: usize, block: &Block, figures: &[Figure]) -> Vec<Found> {
    if figures.len() < 2 || matches!(block.kind, BlockKind::Code { .. }) {
        return Vec::new();
    }
    let passage = Passage { block: index, text: &block.text.plain, figures, sentences: &block.sentences };
    let mut out = equations(&passage);
    let taken: Vec<Range<usize>> = out.iter().map(|found| found.stated_at.range.clone()).collect();
    let mut more = totals(&passage);
    more.extend(super::share::shares(passage.text, passage.figures, passage.block));
    more.extend(super::share::differences(passage.text, passage.figures, passage.sentences, passage.block));
    // The same result read in two ways is one statement: the equation is the stricter reading.
    more.retain(|found| taken.binary_search_by_key(&found.stated_at.range.start, |range| range.start).is_err());
    out.extend(more);
    out
}

fn join(gap: &str) -> Join {
    let bracket_free = unbracketed(gap);
    let text = bracket_free.as_deref().unwrap_or(gap);
    if bracket_free.is_some() {
        if TIMES.is_match(text) {
            return Join::Times;
        }
        if PLUS.is_match(text) {
            return Join::Plus;
        }
        if MINUS.is_match(text) {
            return Join::Minus;
        }
        if AT.is_match(text) {
            return Join::At;
        }
    }
    if EQUALS.is_match(text) { Join::Equals } else { Join::None }
}

/// "a + b = c", "3 × 4 weeks = 12 weeks", "c = a + b", "12 engineers at $100k, for a total of $1.2M".
fn equations(passage: &Passage<'_>) -> Vec<Found> {
    let figures = passage.figures;
    let mut out = Vec::new();
    let joins: Vec<Join> =
        (0..figures.len().saturating_sub(1)).map(|index| passage.gap(index).map_or(Join::None, join)).collect();
    let operator = |join: &Join| matches!(join, Join::Plus | Join::Minus | Join::Times | Join::At);
    let mut index = 0;
    while index < joins.len() {
        if !operator(&joins[index]) {
            index += 1;
            continue;
        }
        let start = index;
        while index < joins.len() && operator(&joins[index]) {
            index += 1;
        }
        // Figures start..=index are joined by operators.
        let terms = &figures[start..=index];
        let operators = &joins[start..index];
        if terms.len() > CHAIN_FIGURES_MAX {
            continue;
        }
        let leading = passage.before(terms[0].range.start, 12);
        let leading = leading.trim_end_matches(|c: char| c.is_whitespace() || c == '(');
        let cut_left = leading.ends_with(['+', '×', '*', '/', '-', '−', '^']) || leading.ends_with(" x");
        let follows = joins.get(index).copied().unwrap_or(Join::None);
        let gap = passage.gap(index).unwrap_or_default();
        let result = figures.get(index + 1);
        let forward = follows == Join::Equals
            || TOTALLING.is_match(gap) && !operators.contains(&Join::At)
            || TOTALLING.is_match(gap) && operators.iter().all(|join| matches!(join, Join::At | Join::Times));
        if let Some(result) = result.filter(|_| forward && !cut_left) {
            let unfinished = passage.after(result.range.end, 3).trim_start().starts_with(['+', '×', '*', '/', '^']);
            if !unfinished {
                out.extend(equation(passage, terms, operators, result));
            }
            continue;
        }
        // "c = a + b": the result stands first. Nothing may follow that belongs to the sum.
        let result =
            start.checked_sub(1).filter(|before| joins[*before] == Join::Equals).and_then(|before| figures.get(before));
        if let Some(result) = result
            && (start < 2 || !operator(&joins[start - 2]))
            && !operators.contains(&Join::At)
            && !passage.after(terms[terms.len() - 1].range.end, 40).contains(['+', '×', '='])
            && !NET.is_match(passage.after(terms[terms.len() - 1].range.end, 40))
        {
            out.extend(equation(passage, terms, operators, result));
        }
    }
    out
}

fn equation(passage: &Passage<'_>, terms: &[Figure], operators: &[Join], result: &Figure) -> Option<Found> {
    let product = operators.iter().any(|join| matches!(join, Join::Times | Join::At));
    let added = operators.iter().any(|join| matches!(join, Join::Plus | Join::Minus));
    // "468 - 561" may have been read as a range where it is a difference.
    let dashed = |figure: &Figure| {
        figure.is_range()
            && passage.text.get(figure.range.clone()).is_some_and(|text| text.contains(" - ") || text.contains(" − "))
    };
    if terms.iter().any(dashed) {
        return None;
    }
    if product && !multipliable(terms, result) || !result.exact_bound() || terms.iter().any(|term| !term.exact_bound())
    {
        return None;
    }
    if !product && !terms.iter().all(|term| addable_bare(term.unit(), result.unit()) || term.is_percent()) {
        return None;
    }
    if product && NET.is_match(passage.after(result.range.end, 40)) {
        return None;
    }
    let wide = evaluate(terms, operators, |figure| figure.interval)?;
    let nominal = evaluate(terms, operators, |figure| figure.nominal)?;
    let stated = if product { result.as_result() } else { result.interval };
    let kind = if product && !added { StatementKind::Product } else { StatementKind::Sum };
    let terms: Vec<&Figure> = terms.iter().collect();
    let mut found = Found::new(kind, result, nominal, &terms, wide.meets(stated));
    found.claim = passage.claim(terms.first()?, result);
    Some(found)
}

/// Whether a product of these can have the unit of the result, as far as units are read.
fn multipliable(terms: &[Figure], result: &Figure) -> bool {
    let money = terms.iter().filter(|term| term.is_money()).count();
    if money > 1 || (money == 1) != result.is_money() {
        return false;
    }
    if let Some(price) = terms.iter().find(|term| term.is_money())
        && !addable(price.unit(), result.unit())
    {
        return false;
    }
    let periods: Vec<_> = terms
        .iter()
        .filter_map(|term| match term.unit() {
            Unit::Duration(unit) => Some(*unit),
            _ => None,
        })
        .collect();
    let per: Vec<_> = terms.iter().filter_map(|term| term.quantity.per).collect();
    match (per.as_slice(), periods.as_slice(), result.quantity.per) {
        // "$8,400 a month for 14 months": the periods agree, or it is another rate.
        ([], [], None) => true,
        ([], [], Some(_)) => false,
        ([], [period], None) => match result.unit() {
            Unit::Duration(unit) => unit == period,
            Unit::Count(_) | Unit::Plain => true,
            _ => false,
        },
        ([rate], [], result) => result.is_none_or(|unit| unit == *rate),
        ([rate], [period], None) => rate == period,
        _ => false,
    }
}

/// Products first, then sums; a percentage that is added is one of the sum so far, a percentage as a factor a share.
fn evaluate(terms: &[Figure], operators: &[Join], value: impl Fn(&Figure) -> Interval) -> Option<Interval> {
    let share = |figure: &Figure| if figure.is_percent() { value(figure).hundredth() } else { Some(value(figure)) };
    let all_percent = terms.iter().all(Figure::is_percent);
    let mut sum = Interval::ZERO;
    let mut sign_minus = false;
    let mut index = 0;
    while index < terms.len() {
        let lone = !operators.get(index).is_some_and(|join| matches!(join, Join::Times | Join::At));
        let mut product = if lone && !all_percent && terms[index].is_percent() {
            sum.mul(value(&terms[index]).hundredth()?)?
        } else if lone {
            value(&terms[index])
        } else {
            share(&terms[index])?
        };
        while operators.get(index).is_some_and(|join| matches!(join, Join::Times | Join::At)) {
            index += 1;
            product = product.mul(share(&terms[index])?)?;
        }
        sum = if sign_minus { sum.sub(product)? } else { sum.add(product)? };
        sign_minus = operators.get(index) == Some(&Join::Minus);
        index += 1;
    }
    Some(sum)
}

/// Whether only the gap of an enumeration lies between two figures.
fn listed(gap: &str) -> bool {
    let text = unbracketed(&gap.replace(") ", " ").replace("),", ",").replace(");", ";").replace(" (", " "))
        .unwrap_or_else(|| gap.to_owned());
    let parts = text.matches([',', ';', '+']).count() + text.matches(" and ").count().min(1);
    (1..=2).contains(&parts)
        && (parts < 2 || text.contains(", and ") || text.contains("; and "))
        && text.split_whitespace().count() <= 10
        && LISTED.is_match(&text)
        && !RELATION.is_match(&text)
}

/// "a, b and c, totalling T"; "a total of T (a, b and c)"; "T, split into a, b and c".
fn totals(passage: &Passage<'_>) -> Vec<Found> {
    let figures = passage.figures;
    let gaps: Vec<&str> =
        (0..figures.len().saturating_sub(1)).map(|index| passage.gap(index).unwrap_or("\u{0}")).collect();
    let lists: Vec<bool> = gaps.iter().map(|gap| listed(gap)).collect();
    let mut out = Vec::new();
    // Where the enumeration that ends at a figure begins.
    let mut begin = 0;
    for index in 0..gaps.len() {
        if index > 0 && !lists[index - 1] {
            begin = index;
        }
        let total = &figures[index + 1];
        if index - begin >= 1
            && index - begin < CHAIN_FIGURES_MAX
            && TOTALLING.is_match(gaps[index])
            && total.exact_bound()
        {
            out.extend(enumerated(passage, begin..index + 1, total));
        }
    }
    for (index, gap) in gaps.iter().enumerate() {
        if PARTITION.is_match(gap) || opens(gap) && WHOLE.is_match(passage.before(figures[index].range.start, 60)) {
            out.extend(parted(passage, index, &lists));
        }
    }
    out.extend(parted_shares(passage, &lists));
    out
}

/// Whether a gap only opens the list of the parts.
fn opens(gap: &str) -> bool {
    let text = gap.trim_end_matches(|c: char| c.is_whitespace());
    (text.ends_with('(') || text.ends_with(':'))
        && text.split_whitespace().count() <= 8
        && text.matches('(').count() <= 1
        && !text.contains([';', ')'])
}

/// Terms and then their total.
fn enumerated(passage: &Passage<'_>, members: Range<usize>, total: &Figure) -> Option<Found> {
    let terms: Vec<&Figure> = passage.figures.get(members.clone())?.iter().collect();
    let agree = terms.iter().all(|term| {
        addable_bare(term.unit(), total.unit()) && term.exact_bound() && term.quantity.per == total.quantity.per
    });
    if !agree {
        return None;
    }
    let sentence = passage.sentence(total.range.start);
    let clear = terms[0].range.start >= sentence.start
        && !passage.figures[..members.start]
            .iter()
            .rev()
            .take_while(|figure| figure.range.start >= sentence.start)
            .take(CHAIN_FIGURES_MAX)
            .any(|figure| addable_bare(figure.unit(), total.unit()));
    let claim = passage.claim(terms[0], total);
    let found = summed(&terms, total, claim)?;
    let lead = passage.before(terms[0].range.start, 200);
    if !found.holds && (!clear || PARTIAL.is_match(lead) || lead.trim_end().ends_with([',', '+', '&'])) {
        return None;
    }
    if matches!(total.unit(), Unit::Duration(_)) && !found.holds && LISTED.is_match(lead) {
        return None;
    }
    Some(found)
}

fn summed(terms: &[&Figure], total: &Figure, claim: Place) -> Option<Found> {
    let mut wide = Interval::ZERO;
    let mut nominal = Interval::ZERO;
    for term in terms {
        wide = wide.add(term.interval)?;
        nominal = nominal.add(term.nominal)?;
    }
    let mut found = Found::new(StatementKind::Sum, total, nominal, terms, wide.meets(total.interval));
    found.claim = claim;
    Some(found)
}

/// The members of the enumeration that begins at figure `first`, and whether it is clear that it ends where it does.
fn members<'a>(passage: &Passage<'a>, first: usize, opener: &str, lists: &[bool]) -> (Vec<&'a Figure>, bool) {
    let figures = passage.figures;
    let begin = figures[first].range.start;
    let sentence = passage.sentence(begin);
    // In brackets the list ends with them; else with the sentence.
    let inside = opener.trim_end().ends_with('(');
    let end = if inside {
        closing(passage.text, begin, sentence.end.min(begin.saturating_add(LIST_BYTES_MAX))).unwrap_or(sentence.end)
    } else {
        sentence.end
    };
    let end = passage.text.floor_char_boundary(end.min(begin.saturating_add(LIST_BYTES_MAX))).max(begin);
    let area = passage.text.get(begin..end).unwrap_or_default();
    let within = figures[first..].iter().take_while(|figure| figure.range.start < end).take(CHAIN_FIGURES_MAX).count();
    if area.contains(';') {
        // Clauses: the figure that each begins with is the member.
        let mut terms = Vec::new();
        let mut at = begin;
        let mut clear = true;
        for clause in area.split(';') {
            let stop = at + clause.len();
            match figures[first..first + within]
                .iter()
                .find(|figure| figure.range.start >= at && figure.range.start < stop)
            {
                Some(figure)
                    if passage
                        .text
                        .get(at..figure.range.start)
                        .is_some_and(|words| words.split_whitespace().count() <= 4) =>
                {
                    terms.push(figure)
                }
                _ => clear = clear && clause.trim().is_empty(),
            }
            at = stop + 1;
        }
        return (terms, clear);
    }
    let mut last = first;
    while last + 1 < first + within && lists.get(last).copied().unwrap_or(false) {
        last += 1;
    }
    let clear = last + 1 == first + within;
    (figures[first..=last].iter().collect(), clear)
}

/// Where the bracket that is open at `from` closes.
fn closing(text: &str, from: usize, to: usize) -> Option<usize> {
    let mut depth = 1usize;
    for (at, byte) in text.as_bytes().iter().enumerate().take(to).skip(from) {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// A total and then its parts.
fn parted(passage: &Passage<'_>, index: usize, lists: &[bool]) -> Option<Found> {
    let total = passage.figures.get(index)?;
    let first = passage.figures.get(index + 1)?;
    let gap = passage.gap(index)?;
    if total.is_percent()
        || first.is_percent()
        || !total.exact_bound()
        || gap.contains(['.', '!', '?']) && gap.contains(". ")
    {
        return None;
    }
    let (terms, clear) = members(passage, index + 1, gap, lists);
    let agree = terms.iter().all(|term| {
        addable_bare(term.unit(), total.unit()) && term.exact_bound() && term.quantity.per == total.quantity.per
    });
    if terms.len() < 2 || !agree || matches!(total.unit(), Unit::Plain) && terms.iter().any(|term| term.is_money()) {
        return None;
    }
    let last = terms.last().copied()?;
    let found = summed(&terms, total, passage.claim(total, last))?;
    let vague = PARTIAL.is_match(gap)
        || PARTIAL.is_match(passage.text.get(first.range.start..last.range.end).unwrap_or_default())
        || PARTIAL.is_match(passage.after(last.range.end, 60));
    // A list of things that are counted apart ("12 workshops: 3 days each") is no partition.
    let differs = match (total.unit(), first.unit()) {
        (Unit::Count(_), Unit::Count(_)) => {
            !PARTITION.is_match(gap) && !WHOLE.is_match(passage.before(total.range.start, 30))
        }
        _ => false,
    };
    if !found.holds && (!clear || vague || differs) {
        return None;
    }
    Some(found)
}

/// "split 50 % film financing, 30 % pre-sales and 20 % equity": said to be the whole.
fn parted_shares(passage: &Passage<'_>, lists: &[bool]) -> Vec<Found> {
    let figures = passage.figures;
    let mut out = Vec::new();
    let mut index = 0;
    while index + 1 < figures.len() {
        let mut last = index;
        while last < lists.len() && figures[last].is_percent() && figures[last + 1].is_percent() && lists[last] {
            last += 1;
        }
        if last == index {
            index += 1;
            continue;
        }
        let terms: Vec<&Figure> = figures[index..=last].iter().take(CHAIN_FIGURES_MAX).collect();
        let lead = passage.before(terms[0].range.start, 80);
        let whole = Interval { low: Decimal::ONE_HUNDRED, high: Decimal::ONE_HUNDRED };
        let (mut wide, mut nominal) = (Some(Interval::ZERO), Some(Interval::ZERO));
        for term in &terms {
            wide = wide.and_then(|sum| sum.add(term.interval));
            nominal = nominal.and_then(|sum| sum.add(term.nominal));
        }
        let earlier = index > 0
            && figures[index - 1].is_percent()
            && passage.sentence(terms[0].range.start).contains(&figures[index - 1].range.start);
        let later = figures.get(last + 1).is_some_and(|next| {
            next.is_percent() && passage.sentence(terms[0].range.start).contains(&next.range.start)
        });
        if let (Some(wide), Some(nominal)) = (wide, nominal)
            && terms.len() >= 2
            && SHARED_OUT.is_match(lead)
            && !PARTIAL.is_match(lead)
            && terms.iter().all(|term| term.exact_bound())
        {
            let holds = wide.meets(whole);
            let after = passage.after(terms[terms.len() - 1].range.end, 60);
            if holds || !earlier && !later && !PARTIAL.is_match(after) {
                let stated = terms[terms.len() - 1];
                let mut found = Found::new(StatementKind::PercentageOf, stated, nominal, &terms, holds);
                found.stated = whole;
                found.claim = passage.claim(terms[0], stated);
                found.stated_at = found.claim.clone();
                out.push(found);
            }
        }
        index = last + 1;
    }
    out
}
