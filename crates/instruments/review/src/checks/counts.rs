//! Counts that a report states of itself, where they can be counted: "all 12 sections", "three issues remain:" and a list, "4 of 5
//! criteria met".
//!
//! Headings are counted by level, and a stated number is false only if no way of counting them gives it. The items of a list
//! are counted where the sentence before it ends in the number and what it counts. Left alone are numbers that bound or
//! hedge ("at least", "about"), documents without headings, and lists introduced by anything else.

use std::collections::BTreeMap;

use steadfast_evidence::Origin;
use steadfast_text::{BlockKind, Document, Span};

use super::{Contradiction, ContradictionKind, Sentence};
use crate::words::{fraction, hedged, number, words};

/// The id of this check.
pub const ID: &str = "counts";

/// What became of acceptance criteria.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// How many there are.
    pub all: usize,
    /// How many are met.
    pub met: usize,
}

fn contradiction(
    kind: ContradictionKind,
    unit: &str,
    claim: &str,
    span: Span,
    stated: u64,
    computed: u64,
) -> Contradiction {
    Contradiction {
        origin: Origin::Code,
        kind,
        claim: claim.to_owned(),
        stated: stated as f64,
        computed: computed as f64,
        unit: unit.to_owned(),
        spans: vec![span],
        message: format!("{stated} {unit} are stated, {computed} counted"),
        refuted_by: Vec::new(),
    }
}

/// "All 12 sections present".
pub(super) fn sections(document: &Document, sentences: &[Sentence<'_>]) -> Vec<Contradiction> {
    let mut levels: BTreeMap<u8, u64> = BTreeMap::new();
    for section in document.sections.iter().filter(|section| section.level > 0) {
        *levels.entry(section.level).or_default() += 1;
    }
    let all: u64 = levels.values().sum();
    // Sections that stand under bold labels are counted by nobody here.
    let labelled = document.blocks.iter().any(|block| {
        block.kind == BlockKind::Paragraph
            && block.label.as_ref().is_some_and(|label| label.end + 1 >= block.text.plain.len())
    });
    if all < 2 || labelled {
        return Vec::new();
    }
    // Each level, all down to a level, and the same without a title.
    let mut ways: Vec<u64> = levels.values().copied().collect();
    let mut sum = 0;
    for count in levels.values() {
        sum += count;
        ways.extend([sum, sum.saturating_sub(1)]);
    }
    let mut out = Vec::new();
    for sentence in sentences.iter().filter(|it| it.reported) {
        let words = words(sentence.text);
        if hedged(&words) {
            continue;
        }
        for (at, word) in words.iter().enumerate() {
            let Some(stated) = number(word).filter(|stated| *stated >= 2) else { continue };
            let noun =
                words.iter().skip(at + 1).take(3).position(|word| matches!(word.as_str(), "sections" | "chapters"));
            let Some(noun) = noun else { continue };
            let between = words.get(at + 1..at + 1 + noun).unwrap_or_default();
            if !between.iter().all(|word| {
                matches!(
                    word.as_str(),
                    "required"
                        | "requested"
                        | "main"
                        | "mandatory"
                        | "top-level"
                        | "of"
                        | "the"
                        | "planned"
                        | "numbered"
                )
            }) {
                continue;
            }
            let whole = at > 0 && words.get(at - 1).is_some_and(|word| word == "all");
            let present = words.iter().any(|word| {
                matches!(
                    word.as_str(),
                    "present" | "included" | "complete" | "completed" | "covered" | "written" | "delivered" | "done"
                )
            });
            if (whole || present) && !ways.contains(&stated) {
                // The nearest way of counting.
                let computed = ways.iter().copied().min_by_key(|way| way.abs_diff(stated)).unwrap_or(all);
                out.push(contradiction(
                    ContradictionKind::SectionCount,
                    "sections",
                    document.quote(sentence.span),
                    sentence.span,
                    stated,
                    computed,
                ));
                break;
            }
        }
    }
    out
}

/// "Three issues remain:" and a list of four.
pub(super) fn lists(document: &Document) -> Vec<Contradiction> {
    // Items of each list by the block that introduces it; only the outermost of them.
    let mut lists: BTreeMap<usize, Vec<(u8, usize)>> = BTreeMap::new();
    for (index, block) in document.blocks.iter().enumerate() {
        if let BlockKind::ListItem { depth, .. } = block.kind
            && let Some(lead) = block.lead
        {
            lists.entry(lead).or_default().push((depth, index));
        }
    }
    let mut out = Vec::new();
    for (lead, items) in lists {
        let Some(block) = document.blocks.get(lead) else { continue };
        // A list that goes on past a paragraph of its own may be two.
        if !matches!(block.kind, BlockKind::Paragraph)
            || items
                .iter()
                .any(|(_, index)| document.blocks.get(*index).is_none_or(|item| item.section != block.section))
        {
            continue;
        }
        let contiguous = items.windows(2).all(|pair| {
            document
                .blocks
                .get(pair[0].1 + 1..pair[1].1)
                .unwrap_or_default()
                .iter()
                .all(|between| matches!(between.kind, BlockKind::ListItem { .. }))
        });
        let Some(range) = block.sentences.last() else { continue };
        let text = block.text.plain.get(range.clone()).unwrap_or_default();
        let Some(head) = text.trim_end().strip_suffix(':') else { continue };
        let words = words(head);
        if !contiguous || hedged(&words) {
            continue;
        }
        // The number, at most two words before what it counts, and at most two words after that.
        let numbers: Vec<(usize, u64)> =
            words.iter().enumerate().filter_map(|(at, word)| Some((at, number(word)?))).collect();
        let [(at, stated)] = numbers.as_slice() else { continue };
        let after = words.get(at + 1..).unwrap_or_default();
        let counted = after.iter().position(|word| word.len() > 3 && word.ends_with('s') && !word.ends_with("ss"));
        let near = counted.is_some_and(|noun| noun <= 2 && after.len() <= noun + 3);
        let place = after.iter().any(|word| {
            matches!(
                word.as_str(),
                "in" | "of"
                    | "for"
                    | "from"
                    | "to"
                    | "per"
                    | "by"
                    | "with"
                    | ","
                    | "%"
                    | "days"
                    | "hours"
                    | "minutes"
                    | "weeks"
                    | "months"
                    | "years"
                    | "files"
            )
        });
        let computed = items.len() as u64;
        // "Change 3: limits" is a name, and "tasks 1.1 to 1.10" are several.
        let is_name = head.split_whitespace().any(|word| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != ':');
            number(word.trim_end_matches(':')) == Some(*stated) && word.ends_with(':')
        }) || head
            .split_whitespace()
            .collect::<Vec<_>>()
            .windows(2)
            .any(|pair| number(pair[0]) == Some(*stated) && !pair[1].chars().any(char::is_alphanumeric));
        let is_span =
            items.iter().filter_map(|(_, index)| document.blocks.get(*index)).any(|item| holds_span(&item.text.plain));
        if is_name || is_span {
            continue;
        }
        if near && !place && *stated >= 2 && *stated <= 100 && *stated != computed {
            let span = block.text.source_span(range.clone());
            let mut found =
                contradiction(ContradictionKind::ListCount, "items", document.quote(span), span, *stated, computed);
            found.spans.extend(items.iter().take(11).filter_map(|(_, index)| Some(document.blocks.get(*index)?.span)));
            out.push(found);
        }
    }
    out
}

/// "All acceptance criteria are met", "4 of 5 criteria met".
pub(super) fn criteria(sentences: &[Sentence<'_>], own: &Criteria) -> Vec<Contradiction> {
    let mut out = Vec::new();
    if own.all == 0 {
        return out;
    }
    for sentence in sentences {
        let words = words(sentence.text);
        let Some(noun) = words.iter().position(|word| word == "criteria") else { continue };
        let met = words
            .iter()
            .skip(noun + 1)
            .take(4)
            .any(|word| matches!(word.as_str(), "met" | "satisfied" | "fulfilled" | "pass" | "passed"));
        let hedges: Vec<String> = words.iter().filter(|word| *word != "no").cloned().collect();
        if !met || hedged(&hedges) {
            continue;
        }
        let from = noun.saturating_sub(6);
        let stated = (from..noun).find_map(|at| {
            if let Some((part, whole, _)) = fraction(&words, at) {
                return (whole == own.all as u64).then_some(part);
            }
            (words.get(at)? == "all").then_some(own.all as u64)
        });
        if let Some(stated) = stated.filter(|stated| *stated != own.met as u64) {
            let computed = own.met as u64;
            out.push(contradiction(
                ContradictionKind::CriteriaCount,
                "criteria met",
                sentence.text,
                sentence.span,
                stated,
                computed,
            ));
        }
    }
    out
}

/// Whether a text names several things: by the first and the last of them ("1.1-1.10", "3 to 7"), or by how many they are ("4 tests of paths").
fn holds_span(text: &str) -> bool {
    let digit = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let joined = |word: &str| {
        word.split_once(['-', '–'])
            .is_some_and(|(from, to)| digit(from) && digit(to) && from.chars().all(|c| c.is_ascii_digit() || c == '.'))
    };
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches([',', ':', ';', '(', ')'])).collect();
    let between =
        words.windows(3).any(|own| digit(own[0]) && matches!(own[1], "to" | "through" | "-" | "–") && digit(own[2]));
    let counts = words.iter().find(|word| word.chars().any(char::is_alphanumeric)).and_then(|word| number(word));
    between || counts.is_some_and(|count| count >= 2) || words.iter().any(|word| joined(word))
}
