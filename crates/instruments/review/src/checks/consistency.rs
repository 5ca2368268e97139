//! "Numbers internally consistent": what a report says of its own figures, while code finds some that are not.
//!
//! A claim about figures in general ("numbers", "totals", "the arithmetic") is refuted by any figure that does not add up. One about a
//! certain figure ("the budget adds up") only by a contradiction that speaks of it. Left alone are sentences that
//! deny or hedge ("the totals do not match", "should add up").

use steadfast_evidence::Origin;
use steadfast_text::Document;

use super::{Contradiction, ContradictionKind, Sentence};
use crate::words::words;

/// The id of this check.
pub const ID: &str = "consistency";

const GENERAL: &[&str] = &[
    "number",
    "numbers",
    "figure",
    "figures",
    "total",
    "totals",
    "sum",
    "sums",
    "arithmetic",
    "math",
    "maths",
    "mathematics",
    "calculation",
    "calculations",
    "computation",
    "computations",
    "amounts",
    "numerics",
    "financials",
];
const CERTAIN: &[&str] = &[
    "budget",
    "budgets",
    "cost",
    "costs",
    "revenue",
    "revenues",
    "salaries",
    "expenses",
    "break-even",
    "price",
    "prices",
    "pricing",
    "projection",
    "projections",
    "headcount",
    "hours",
    "margin",
    "margins",
    "forecast",
    "forecasts",
];
const AGREE: &[&str] = &[
    "consistent",
    "consistently",
    "match",
    "matches",
    "matched",
    "align",
    "aligns",
    "aligned",
    "reconcile",
    "reconciles",
    "reconciled",
    "cross-checked",
    "crosschecked",
    "double-checked",
    "agree",
    "agrees",
    "balances",
    "verified",
    "correct",
    "accurate",
    "coherent",
];
const DENY: &[&str] = &[
    "not",
    "no",
    "never",
    "inconsistent",
    "should",
    "would",
    "must",
    "need",
    "needs",
    "unless",
    "if",
    "whether",
    "todo",
    "cannot",
    "except",
    "unverified",
    "incorrect",
    "mismatch",
    "without",
];

pub(super) fn check(document: &Document, sentences: &[Sentence<'_>], found: &[Contradiction]) -> Vec<Contradiction> {
    let mut out = Vec::new();
    if found.is_empty() {
        return out;
    }
    for sentence in sentences.iter().filter(|it| it.reported) {
        let words = words(sentence.text);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let adds = words.windows(2).any(|pair| {
            matches!(
                (pair[0].as_str(), pair[1].as_str()),
                ("add" | "adds" | "added" | "sum" | "sums" | "tie" | "ties", "up" | "out")
                    | ("checks" | "check", "out")
            )
        });
        let agrees = adds || has(AGREE);
        // Only what stands before the claim, or in its own clause, can deny it: "consistent, though no audit was made".
        let clause =
            words.iter().position(|word| AGREE.contains(&word.as_str()) || word == "up").unwrap_or(words.len());
        let denied = words.iter().take(clause + 1).any(|word| DENY.contains(&word.as_str()) || word.ends_with("n't"));
        if !agrees || denied {
            continue;
        }
        let refuted: Vec<usize> = if has(GENERAL) {
            (0..found.len()).collect()
        } else {
            let named: Vec<&str> =
                CERTAIN.iter().copied().filter(|noun| words.iter().any(|word| word == noun)).collect();
            (0..found.len())
                .filter(|index| found.get(*index).is_some_and(|it| speaks_of(document, it, &named)))
                .collect()
        };
        let Some(first) = refuted.first().and_then(|index| found.get(*index)) else { continue };
        let mut spans = vec![sentence.span];
        for span in refuted.iter().filter_map(|index| found.get(*index)?.spans.first()) {
            if spans.len() < 12 && !spans.contains(span) {
                spans.push(*span);
            }
        }
        let others = match refuted.len() {
            1 => "one figure does".to_owned(),
            n => format!("{n} figures do"),
        };
        out.push(Contradiction {
            origin: Origin::Code,
            kind: ContradictionKind::ConsistencyClaim,
            claim: document.quote(sentence.span).to_owned(),
            stated: first.stated,
            computed: first.computed,
            unit: first.unit.clone(),
            spans,
            message: format!("the report says that its figures agree, but {others} not: {}", first.message),
            refuted_by: refuted,
        });
    }
    out
}

/// Whether a contradiction speaks of one of the nouns: in its own words, or in those of its places.
fn speaks_of(document: &Document, found: &Contradiction, nouns: &[&str]) -> bool {
    let near = found.spans.iter().flat_map(|span| {
        let block = document.blocks.partition_point(|block| block.span.end <= span.start);
        let block = document.blocks.get(block)?;
        let title = document.sections.get(block.section).map_or("", |section| section.title.as_str());
        Some([title.to_lowercase()])
    });
    let own = found.spans.iter().map(|span| document.quote(*span).to_lowercase());
    let texts: Vec<String> = near.flatten().chain(own).collect();
    nouns.iter().any(|noun| {
        let root = noun.strip_suffix("ies").or_else(|| noun.strip_suffix('s')).unwrap_or(noun);
        texts.iter().any(|text| text.contains(root))
    })
}
