//! Whether a figure of the answer is the figure of the same thing as one of the ask.
//!
//! Two numbers of one unit are seldom figures of one thing: a budget has parts, thresholds and overruns, and what is counted
//! comes in candidates, subsets and extras. Everything here would rather say no.

use std::sync::LazyLock;

use rust_decimal::Decimal;
use steadfast_annotate::{Quantity, Relation, Unit, comparable, content_stems, stem};
use steadfast_ask::{Figure, Role};
use steadfast_text::BlockKind;

use crate::answer::{Answer, Claim, Place};
use crate::ask::Contract;
use crate::figures::Stated;
use crate::pattern::{Pattern, hit};

/// Nouns that count the same things.
const SAME_COUNT: &[&[&str]] = &[
    &["bed", "bedroom", "room", "suite"],
    &["participant", "subject", "patient"],
    &["site", "location", "hub", "venue"],
    &["employee", "staff", "people", "person", "worker"],
    &["shop", "store", "outlet", "branch"],
    &["pupil", "student", "learner"],
    &["home", "house", "dwelling"],
];

/// Nouns that are counted for many things within one plan.
const VAGUE_HEADS: &[&str] = &[
    "aim",
    "aspect",
    "case",
    "criterion",
    "factor",
    "goal",
    "half",
    "hand",
    "item",
    "kind",
    "more",
    "option",
    "other",
    "part",
    "phase",
    "point",
    "stage",
    "step",
    "thing",
    "time",
    "type",
    "way",
];

/// Stems of words around money that do not say what it is for.
const MONEY_WORDS: &[&str] = &[
    "alloc", "amount", "approxim", "are", "budget", "cost", "estim", "fund", "invest", "overal", "price", "roughli",
    "set", "rang", "spend", "total",
];

static NOT_THE_SAME: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:above|below|exceed\w*|over|under|more than|less than|beyond|increas\w*|decreas\w*|reduc\w*|rais\w*|sav(?:e|es|ing|ings)|additional|extra|further|overruns?|contingenc\w+|reserves?|fines?|penalt\w+|loss\w*|los(?:e|es|ing)|remaining|rest|share|of which|spent|tranche|instal?lments?|deposit|delays?|damages?|insurance|per cent of|% of|another|each|every|similar|comparable|previous|other|up by|grew|grown|risen|first|only|some)\b[^;]{0,28}$",
    )
    .ok()
});
static HYPOTHETICAL: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:could|might|would|if|unless|instead of|rather than|compared (?:to|with)|e\.g\.|for example|such as|in case)\b").ok()
});
static DECISION: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:approv\w+|threshold|escalat\w+|sign-?off|decision rights?|reallocat\w+|authority|expenditures?|invoices?)\b").ok()
});
static WHOLE_BEFORE: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:budget|funding|total costs?)\s*(?:is|are|of|at|:|=|–|-|\||totals?|amounts? to|stands at|will be|remains|comes to)?\s*(?:set at|fixed at|estimated at|approximately|about|up to|a total of)?\s*\(?$",
    )
    .ok()
});
static WHOLE_AFTER: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)^\s*((?:[\w&'’-]+ ){0,2}?)budget\b").ok());
static TOTAL_LABEL: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^\W*(?:grand |overall |project )?total(?: budget| costs?| funding)?\W*$").ok()
});
static BUDGET_HEADING: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^\W*(?:\d+[.)]?\s*)?(?:total |overall |project |estimated |initial )*(?:budget|costs?|funding)(?: summary| breakdown| overview| estimate| allocation)?\W*$|^timeline and budget$").ok()
});

/// Words before "budget" that leave it the whole.
const PLAIN: &[&str] = &[
    "approved",
    "available",
    "entire",
    "estimated",
    "fixed",
    "full",
    "given",
    "high",
    "initial",
    "limited",
    "overall",
    "plan",
    "planned",
    "program",
    "programme",
    "project",
    "project's",
    "project’s",
    "required",
    "stated",
    "tight",
    "total",
    "whole",
];

/// Words at which the noun phrase of "budget" begins.
const STOPPERS: &[&str] = &[
    "a", "an", "and", "by", "for", "from", "given", "has", "have", "in", "is", "its", "of", "on", "our", "secure",
    "the", "their", "this", "to", "with", "within",
];

/// The words that say what a claim is about without being in it: its label, and the heads of its row and column.
#[must_use]
pub(crate) fn around(answer: &Answer, claim: &Claim) -> String {
    let Some(place) = claim.places.first() else { return String::new() };
    let mut out = answer.label(place);
    for head in cell_heads(answer, place).into_iter().flatten() {
        out.push_str(" | ");
        out.push_str(head);
    }
    out
}

/// The first cell of the row and the header of the column that a cell stands in.
#[must_use]
pub(crate) fn cell_heads<'a>(answer: &'a Answer, place: &Place) -> [Option<&'a str>; 2] {
    let Some(artefact) = answer.artefacts.get(place.artefact) else { return [None, None] };
    let blocks = &artefact.document.blocks;
    let Some(BlockKind::TableCell { table, row, column, .. }) = blocks.get(place.block).map(|block| &block.kind) else {
        return [None, None];
    };
    // Cells of a table stand together, row by row.
    let find = |wanted_row: usize, wanted_column: usize| {
        blocks[..place.block]
            .iter()
            .rev()
            .take_while(|block| matches!(&block.kind, BlockKind::TableCell { table: own, .. } if own == table))
            .take(CELLS_LOOKED_BACK_MAX)
            .find(|block| {
                matches!(&block.kind, BlockKind::TableCell { row, column, .. } if *row == wanted_row && *column == wanted_column)
            })
            .map(|block| block.text.plain.as_str())
    };
    [if *column > 0 { find(*row, 0) } else { None }, if *row > 0 { find(0, *column) } else { None }]
}

/// Cells between a cell and its header that are looked through at most.
const CELLS_LOOKED_BACK_MAX: usize = 400;

/// How a figure of the answer stands to one of the ask, counts of the same things under other names included.
#[must_use]
pub(crate) fn relation(stated: &Quantity, asked: &Quantity) -> Option<Relation> {
    if let (Unit::Count(own), Unit::Count(other)) = (&stated.unit, &asked.unit)
        && own.stem != other.stem
        && (SAME_COUNT.iter().any(|group| group.contains(&own.stem.as_str()) && group.contains(&other.stem.as_str()))
            || is_short_for(&own.stem, &other.stem)
            || is_short_for(&other.stem, &own.stem))
    {
        let renamed = Quantity { unit: asked.unit.clone(), ..stated.clone() };
        return comparable(&renamed, asked);
    }
    comparable(stated, asked)
}

/// "char" for "character": the beginning of a word stands for it.
fn is_short_for(short: &str, long: &str) -> bool {
    const LETTERS_MIN: usize = 4;
    short.len() >= LETTERS_MIN && long.len() > short.len() + 2 && long.starts_with(short)
}

/// Whether a noun is counted for many things.
#[must_use]
pub(crate) fn is_vague(head: &str) -> bool {
    VAGUE_HEADS.contains(&head) || head.chars().count() < 3
}

/// The last words before a figure, up to a break of the clause.
#[must_use]
pub(crate) fn before(text: &str, at: usize) -> &str {
    let all = text.get(..at).unwrap_or_default();
    let cut = [", ", "; ", ": ", " (", " – ", " — "]
        .iter()
        .filter_map(|mark| all.rfind(mark).map(|at| at + mark.len()))
        .max();
    &all[cut.unwrap_or(0)..]
}

/// All before a figure in its half of the sentence.
#[must_use]
pub(crate) fn sentence_before(text: &str, at: usize) -> &str {
    let all = text.get(..at).unwrap_or_default();
    &all[all.rfind(';').map_or(0, |at| at + 1)..]
}

/// Whether the words around a figure say that it is something else: a change, a part, a threshold, a mere possibility.
#[must_use]
pub(crate) fn is_other(claim: &Claim, stated: &Stated, around: &str) -> bool {
    let before = sentence_before(&claim.text, stated.quantity.range.start);
    let own = claim.text.get(stated.quantity.range.start..stated.quantity.number_range.start).unwrap_or_default();
    let full = format!("{before}{own}");
    stated.denied
        || hit(&NOT_THE_SAME, full.trim_end())
        || hit(&HYPOTHETICAL, &claim.text)
        || (matches!(stated.quantity.unit, Unit::Money(_))
            && (hit(&DECISION, around)
                || (hit(&DECISION, &claim.text) && stated.quantity.bound != steadfast_annotate::Bound::Exact)))
}

/// Whether the claim states the whole budget with this figure; `known` are stems of words that qualify the ask's own.
#[must_use]
pub(crate) fn is_whole_budget(answer: &Answer, claim: &Claim, stated: &Stated, known: &[String]) -> bool {
    if !matches!(stated.quantity.unit, Unit::Money(_)) || stated.quantity.per.is_some() {
        return false;
    }
    let range = &stated.quantity.range;
    let (left, right) =
        (claim.text.get(..range.start).unwrap_or_default(), claim.text.get(range.end..).unwrap_or_default());
    let plain = |word: &str| PLAIN.contains(&word) || known.contains(&stem(word));
    if let Some(found) = WHOLE_BEFORE.as_ref().and_then(|pattern| pattern.find(left)) {
        // From "budget" back to the beginning of its noun phrase.
        let mut words = left[..found.start()].split_whitespace().rev().map(str::to_lowercase);
        let other = words.by_ref().find(|word| STOPPERS.contains(&word.as_str()) || !plain(word));
        return other.is_none_or(|word| STOPPERS.contains(&word.as_str()) || word.ends_with([',', ':', ';', '.', '(']));
    }
    if let Some(found) = WHOLE_AFTER.as_ref().and_then(|pattern| pattern.captures(right)) {
        return found
            .get(1)
            .is_none_or(|words| words.as_str().split_whitespace().all(|word| plain(&word.to_lowercase())));
    }
    let label = left.trim_end_matches([' ', ':', '|', '*', '-', '–', '=']);
    let Some(place) = claim.places.first() else { return false };
    let label = if label.trim().is_empty() { cell_heads(answer, place)[0].unwrap_or_default() } else { label };
    hit(&TOTAL_LABEL, label)
        && (label.to_lowercase().contains("cost")
            || label.to_lowercase().contains("budget")
            || answer.section_path(place).last().is_some_and(|title| hit(&BUDGET_HEADING, title))
            || answer.lead(place).is_some_and(|lead| hit(&BUDGET_HEADING, lead)))
}

/// The stems that say what money or time of the ask is for: the last content words before it in its clause, else the first
/// after it. Empty where nothing but "budget" is said.
#[must_use]
pub(crate) fn key(text: &str, figure: &Quantity) -> Vec<String> {
    let stems_in = |text: &str| -> Vec<String> {
        let text = text.replace('-', " ");
        content_stems(&text)
            .into_iter()
            .map(|(_, stem)| stem)
            .filter(|stem| !MONEY_WORDS.contains(&stem.as_str()))
            .collect()
    };
    let left = before(text, figure.range.start);
    let mut key = stems_in(left);
    key.drain(..key.len().saturating_sub(4));
    if let Some(word) = left.split_whitespace().find(|word| word.contains('&')) {
        key.push(word.to_lowercase());
    }
    if key.is_empty() && left.trim().is_empty() {
        let right = text.get(figure.range.end..).unwrap_or_default();
        let end = right.find([',', ';', '.', '(']).unwrap_or(right.len());
        key = stems_in(&right[..end]);
        key.truncate(4);
    }
    key.sort_unstable();
    key.dedup();
    key
}

/// The text of the sentence that states a figure of the ask.
#[must_use]
pub(crate) fn statement_of<'a>(contract: &'a Contract, figure: &Figure) -> &'a str {
    contract.request.statements.get(figure.statement).map_or("", |statement| statement.text.as_str())
}

/// Whether the ask gives this very figure anywhere, or it is made of figures that it gives: a sum, a difference, a multiple, a
/// share that the claim names.
#[must_use]
pub(crate) fn is_given_or_derived(contract: &Contract, claim: &Claim, stated: &Quantity) -> bool {
    let without_bound =
        |quantity: &Quantity| Quantity { bound: steadfast_annotate::Bound::Exact, per: None, ..quantity.clone() };
    let own = without_bound(stated);
    let given: Vec<&Figure> = contract
        .request
        .figures
        .iter()
        .filter(|figure| relation(&own, &without_bound(&figure.quantity)).is_some())
        .collect();
    if given.iter().any(|figure| {
        matches!(relation(&own, &without_bound(&figure.quantity)), Some(Relation::Equal | Relation::Within))
    }) {
        return true;
    }
    // Between the least and the most that the ask gives for different uses of it.
    if !matches!(stated.unit, Unit::Money(_)) && given.len() > 1 {
        let low = given.iter().map(|figure| figure.quantity.low).min().unwrap_or_default();
        let high = given.iter().map(|figure| figure.quantity.high).max().unwrap_or_default();
        if stated.low >= low && stated.high <= high {
            return true;
        }
    }
    let near = |value: Decimal| {
        let slack = stated.precision / Decimal::TWO;
        value + slack >= stated.low && value - slack <= stated.high
    };
    let values: Vec<Decimal> = given.iter().map(|figure| figure.quantity.high).take(24).collect();
    if stated.low != stated.high {
        return false;
    }
    let money = matches!(stated.unit, Unit::Money(_));
    for (at, a) in values.iter().enumerate() {
        for b in &values[at + 1..] {
            if a.checked_add(*b).is_some_and(&near) || (money && near((*a - *b).abs())) {
                return true;
            }
        }
        if money {
            if (2..=12).any(|times| a.checked_mul(Decimal::from(times)).is_some_and(&near)) {
                return true;
            }
            let shares = claim.quantities.iter().filter(|other| other.unit == Unit::Percent);
            for share in shares.flat_map(|other| [other.low, other.high]) {
                let part = a.checked_mul(share).map(|part| part / Decimal::ONE_HUNDRED);
                if part.is_some_and(|part| near(part) || near((*a - part).abs())) {
                    return true;
                }
            }
        }
    }
    false
}

/// Whether words between the number and the noun, or before it, make the counted things others than those of the ask.
#[must_use]
pub(crate) fn has_foreign_modifier(claim: &Claim, stated: &Quantity, ask_text: &str) -> bool {
    let Unit::Count(counted) = &stated.unit else { return false };
    let asked: Vec<String> = content_stems(ask_text).into_iter().map(|(_, stem)| stem).collect();
    let words = claim.text.get(counted.phrase.start..counted.head.start).unwrap_or_default();
    content_stems(words).into_iter().any(|(_, stem)| !asked.contains(&stem) && !NEUTRAL.contains(&stem.as_str()))
}

/// Stems of adjectives that leave the counted things the same.
const NEUTRAL: &[&str] =
    &["activ", "dedic", "full", "function", "modern", "new", "oper", "individu", "privat", "total", "singl"];

/// The money that the ask gives for the whole.
pub(crate) fn asked_total(contract: &Contract) -> Option<(usize, &Figure)> {
    contract.request.figures.iter().enumerate().find(|(_, figure)| figure.role == Role::BudgetTotal && !figure.denied)
}
