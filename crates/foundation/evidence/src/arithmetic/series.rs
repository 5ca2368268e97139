//! Rows of label and figure with a total among them: what tables and lists have in common.

use rust_decimal::Decimal;
use steadfast_annotate::{Pattern, Unit};

use super::figure::{Figure, Interval, addable_bare};
use super::found::{Found, Place, TERMS_MAX};
use super::{StatementKind, pattern};

/// What a row is to its series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Item,
    /// Taken off: a discount, a rebate.
    Deduction,
    Subtotal,
    Total,
    /// An average, a share, a part of the row above: no term.
    Aside,
}

/// One row of a series.
#[derive(Clone, Debug)]
pub(super) struct Row<'a> {
    pub(super) role: Role,
    pub(super) figure: Option<&'a Figure>,
    /// Something stands there that is not a figure ("to be decided"): the sum is not known.
    pub(super) unknown: bool,
    /// The row stands out in bold, or its number has no point ("2" over "2.1"): it may hold the sum of rows below.
    pub(super) prominent: bool,
    /// The passage that states the row.
    pub(super) place: Option<Place>,
}

static TOTAL: Pattern = pattern(concat!(
    r"(?i)^\W*(?:[\d.]+\s+)?(?:(?:grand|overall|project|programme|program|estimated|combined|all-in|planned|final|budget|cost|annual|year \d+|phase \d+|est\.?|approx\.?)\s+){0,3}",
    r"(?:(?P<sub>sub-?\s?total)|totals?|sum(?:me)?|gesamt(?:summe|kosten)?|i alt|in total)",
    r"(?:\s+(?:project|development|production|programme|program|estimated|annual|direct|capital|capex|opex|first[- ]year|year \d+|phase \d+|(?P<before>before|excl(?-u:\w)*|ex))){0,3}",
    r"(?:\s+(?:budget|costs?|expenses?|expenditures?|amount|funding|investment|price|hours|effort|days|weeks|revenue|income|headcount|staff|fte|team|people|points|spend(?:ing)?|sources|uses|required|requested|allocation|capex|opex))?",
    r"(?:\s+(?:\d+\s+)?(?:cost|required|request(?:ed)?|contingency|tax|vat))?\s*(?:\([^()]*\))?\W*$",
));
static SUBTOTAL: Pattern = pattern(r"(?i)(?-u:\b)sub-?\s?totals?(?-u:\b)");
static ENDS_TOTAL: Pattern = pattern(r"(?i)(?-u:\b)(?:sub-?)?total\s*(?:\([^()]*\))?\W*$");
static ASIDE: Pattern = pattern(
    r"(?i)(?-u:\b)(?:average|avg|mean|median|of which|thereof|per (?:unit|person|month|year|head|capita)|remaining|balance|variance|difference|minimum|maximum|ratio|target)(?-u:\b)",
);
static DEDUCTION: Pattern = pattern(r"(?i)^\W*(?:less|minus|discount|deduction|rebate|credit|refund)(?-u:\b)");

/// The longest label that can name a total, in bytes.
const LABEL_BYTES_MAX: usize = 120;

/// What a label makes of its row.
pub(super) fn role(label: &str) -> Role {
    if label.len() > LABEL_BYTES_MAX {
        return Role::Item;
    }
    if SUBTOTAL.is_match(label) {
        return Role::Subtotal;
    }
    if TOTAL.is_match(label) || ENDS_TOTAL.is_match(label) {
        return Role::Total;
    }
    if ASIDE.is_match(label) {
        return Role::Aside;
    }
    if DEDUCTION.is_match(label) { Role::Deduction } else { Role::Item }
}

/// Sums the rows and holds every total against its terms.
pub(super) fn check(rows: &[Row<'_>], kind: StatementKind) -> Vec<Found> {
    let mut out = Vec::new();
    let Some(unit) =
        rows.iter().filter_map(|row| row.figure).find(|f| !matches!(f.unit(), Unit::Plain)).map(Figure::unit)
    else {
        return check_all(rows, kind);
    };
    if rows.iter().filter_map(|row| row.figure).all(|figure| addable_bare(figure.unit(), unit)) {
        out = check_all(rows, kind);
    }
    out
}

/// Rows that are added up.
#[derive(Clone)]
struct Group<'a> {
    /// At most [`TERMS_MAX`] of them, so that a table of a thousand totals stays linear.
    items: Vec<&'a Figure>,
    count: usize,
    /// Sums of the nominal values and of the intervals; `None` once they overflow.
    nominal: Option<Interval>,
    wide: Option<Interval>,
    unknown: bool,
    bounded: bool,
}

impl<'a> Group<'a> {
    const fn new() -> Self {
        Self {
            items: Vec::new(),
            count: 0,
            nominal: Some(Interval::ZERO),
            wide: Some(Interval::ZERO),
            unknown: false,
            bounded: false,
        }
    }

    fn push(&mut self, figure: &'a Figure, taken_off: bool) {
        let signed = |value: Interval| if taken_off && value.low >= Decimal::ZERO { value.negated() } else { value };
        if self.items.len() < TERMS_MAX {
            self.items.push(figure);
        }
        self.count += 1;
        self.nominal = self.nominal.and_then(|sum| sum.add(signed(figure.nominal)));
        self.wide = self.wide.and_then(|sum| sum.add(signed(figure.interval)));
        self.bounded |= !figure.exact_bound();
    }

    /// This group and then the other.
    fn and(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.items.extend_from_slice(&other.items);
        both.items.truncate(TERMS_MAX);
        both.count += other.count;
        both.nominal = both.nominal.zip(other.nominal).and_then(|(a, b)| a.add(b));
        both.wide = both.wide.zip(other.wide).and_then(|(a, b)| a.add(b));
        both.unknown |= other.unknown;
        both.bounded |= other.bounded;
        both
    }
}

fn check_all(rows: &[Row<'_>], kind: StatementKind) -> Vec<Found> {
    let mut out = Vec::new();
    let Some(last_item) = rows.iter().rposition(|row| row.role == Role::Item && row.figure.is_some()) else {
        return out;
    };
    // A total may stand first: then its terms are the rows below.
    let first = rows.iter().position(|row| row.figure.is_some());
    let totals_later = rows
        .iter()
        .enumerate()
        .any(|(index, row)| Some(index) != first && row.role == Role::Total && row.figure.is_some());
    let leading = first.filter(|index| rows[*index].role == Role::Total && *index < last_item && !totals_later);

    // All items; those since the last total or subtotal; the subtotals and totals that stand for items above; the rows
    // that stand out.
    let (mut all, mut open, mut closed, mut prominent) = (Group::new(), Group::new(), Group::new(), Group::new());
    for (index, row) in rows.iter().enumerate() {
        if Some(index) == leading {
            continue;
        }
        match (row.role, row.figure) {
            (Role::Aside, _) | (Role::Subtotal | Role::Total, None) => {}
            (Role::Item | Role::Deduction, figure) => {
                open.unknown |= row.unknown;
                all.unknown |= row.unknown;
                if let Some(figure) = figure {
                    let off = row.role == Role::Deduction;
                    open.push(figure, off);
                    all.push(figure, off);
                    if row.prominent {
                        prominent.push(figure, off);
                    }
                }
            }
            (role, Some(stated)) => {
                let levels = closed.and(&open);
                let candidates = if role == Role::Subtotal {
                    [&open, &all, &levels, &prominent]
                } else {
                    [&all, &levels, &open, &prominent]
                };
                out.extend(hold(stated, row, &candidates, kind));
                if role == Role::Total {
                    closed = Group::new();
                }
                closed.unknown |= open.unknown;
                closed.push(stated, false);
                open = Group::new();
            }
        }
    }
    if let Some(row) = leading.and_then(|index| rows.get(index))
        && let Some(stated) = row.figure
        && !rows.iter().any(|row| row.role == Role::Subtotal && row.figure.is_some())
    {
        out.extend(hold(stated, row, &[&all, &prominent], kind));
    }
    out
}

/// Holds one total against the groups that it may be the sum of; the first is the one that is named if none agrees.
fn hold(stated: &Figure, row: &Row<'_>, candidates: &[&Group<'_>], kind: StatementKind) -> Option<Found> {
    let natural = candidates.iter().copied().find(|group| group.count >= 2)?;
    let agreed = candidates
        .iter()
        .copied()
        .filter(|group| group.count >= 2)
        .find(|group| group.wide.is_some_and(|sum| sum.meets(stated.interval)));
    if agreed.is_none() {
        // "At least" is no figure to hold a sum against; a length of time is no sum of lengths: tasks run side by side.
        if !stated.exact_bound() || natural.bounded || matches!(stated.unit(), Unit::Duration(_)) {
            return None;
        }
        // What is not known adds to the sum; what is counted twice (rows and the rows below them) doubles it.
        let sum = natural.wide?;
        if natural.unknown && stated.interval.high >= sum.low || sum.meets(stated.interval.add(stated.interval)?) {
            return None;
        }
    }
    let group = agreed.unwrap_or(natural);
    let mut found = Found::new(kind, stated, group.nominal?, &group.items, agreed.is_some());
    found.count = group.count;
    if let Some(place) = &row.place {
        found.claim = place.clone();
    }
    Some(found)
}
