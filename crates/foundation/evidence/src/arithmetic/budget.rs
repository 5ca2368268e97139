//! "30 % of the total budget = €1.14M", where the budget itself is stated elsewhere.

use steadfast_annotate::Pattern;
use steadfast_text::{BlockKind, Document};

use super::figure::{Figure, Interval, addable, unit_name};
use super::found::{Place, middle, show_interval};
use super::restated::Fact;
use super::{Statement, StatementKind, pattern};
use crate::FileId;

/// The longest text between a share and the amount that it makes, in bytes.
const GAP_BYTES_MAX: usize = 80;

/// The most budgets that one share is held against.
const BUDGETS_MAX: usize = 64;

static OF_BUDGET: Pattern = pattern(concat!(
    r"(?i)^\s*of\s+(?:(?:the|its|our)\s+)?(?:(?P<whole>total|overall|entire|full)\s+)?(?:project\s+)?budget",
    r"\s*(?:\(\s*(?:=|or|i\.e\.,?)?|=|≈|,(?:\s+or)?|:|–|—|or|is|equals|amounts to|comes to)\s*(?:about|roughly|approximately|~|≈)?\s*$"
));

/// Every share of a budget with the amount that it is said to make. It is wrong only if it names the whole budget, if
/// that is one and the same wherever it is stated, and if no budget of the document makes it.
pub(super) fn read(file: FileId, document: &Document, figures: &[Vec<Figure>], facts: &[Fact]) -> Vec<Statement> {
    // One fact for each budget that is stated.
    let mut budgets: Vec<&Fact> = Vec::new();
    for fact in facts.iter().filter(|fact| fact.key.ends_with("budget")) {
        let known = budgets.iter().any(|other| {
            (other.nominal, &other.key, other.strong) == (fact.nominal, &fact.key, fact.strong)
                && addable(&other.unit, &fact.unit)
        });
        if !known && budgets.len() < BUDGETS_MAX {
            budgets.push(fact);
        }
    }
    let mut out = Vec::new();
    for (block, own) in document.blocks.iter().zip(figures) {
        if matches!(block.kind, BlockKind::Heading | BlockKind::Code { .. }) {
            continue;
        }
        for pair in own.windows(2) {
            let [percent, result] = pair else { continue };
            let joined = percent.is_percent() && result.is_money() && result.exact_bound();
            if !joined || result.range.start.saturating_sub(percent.range.end) > GAP_BYTES_MAX {
                continue;
            }
            let gap = block.text.plain.get(percent.range.end..result.range.start).unwrap_or_default();
            let Some(words) = OF_BUDGET.captures(gap) else { continue };
            let share = Share { file, document, percent, result, whole: words.name("whole").is_some() };
            out.extend(share.held(&budgets));
        }
    }
    out
}

struct Share<'a> {
    file: FileId,
    document: &'a Document,
    percent: &'a Figure,
    result: &'a Figure,
    whole: bool,
}

impl Share<'_> {
    fn held(&self, budgets: &[&Fact]) -> Option<Statement> {
        let made = |percent: Interval, base: Interval| percent.hundredth().and_then(|share| share.mul(base));
        let comparable: Vec<&Fact> =
            budgets.iter().copied().filter(|fact| addable(&fact.unit, self.result.unit())).collect();
        let agreed = comparable.iter().copied().find(|fact| {
            made(self.percent.interval, fact.interval).is_some_and(|wide| wide.meets(self.result.as_result()))
        });
        let base = match agreed {
            Some(fact) => fact,
            None => {
                let mut whole = comparable.iter().copied().filter(|fact| fact.strong && fact.key == "budget");
                let only = whole.next()?;
                let sure = self.whole && whole.next().is_none() && self.percent.exact_bound();
                sure.then_some(only)?
            }
        };
        let claim = Place { block: self.result.block, range: self.percent.range.start..self.result.range.end };
        let claim = claim.quote(self.file, self.document)?;
        let terms =
            vec![Place::of(self.percent).quote(self.file, self.document)?, base.place.quote(self.file, self.document)?];
        let computed = made(self.percent.nominal, base.nominal)?;
        let unit = unit_name(self.result.unit());
        let (stated, made) = (show_interval(self.result.nominal, &unit), show_interval(computed, &unit));
        let budget = show_interval(base.nominal, &unit);
        let message = if agreed.is_some() {
            format!("{stated} agrees with the {made} that this share of {budget} makes")
        } else {
            format!("{stated} is stated as the share, but of the budget of {budget} it makes {made}")
        };
        Some(Statement {
            kind: StatementKind::PercentageOf,
            places: vec![claim.clone(), terms.last()?.clone()],
            claim,
            stated: middle(self.result.nominal),
            computed: middle(computed),
            unit,
            terms,
            message,
            holds: agreed.is_some(),
        })
    }
}
