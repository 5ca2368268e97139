//! Lists: what a heading or a label announces, item by item.

use std::ops::Range;

use steadfast_annotate::{Annotated, Pattern, Strength};
use steadfast_text::BlockKind;

use super::{Reader, Sentence};
use crate::cue::{self, Force};
use crate::request::{Kind, Rule};
use crate::scan::{items, pattern, trimmed};
use crate::topic::Topic;

/// For each block whether it leads into a list.
pub(super) fn leads(annotated: &Annotated<'_>) -> Vec<bool> {
    let mut leads = vec![false; annotated.document.blocks.len()];
    for lead in annotated.governed.iter().filter_map(|governed| governed.leads.first()) {
        leads[*lead] = true;
    }
    leads
}

impl Reader<'_> {
    /// A list under a heading or a label: what it announces, its items are.
    pub(super) fn list(&mut self, sentence: &Sentence<'_>, range: Range<usize>, topic: Topic) {
        let masked = sentence.masked;
        // A whole bullet is one item, unless it is itself a list between semicolons; prose after a label is a list.
        let bullet = matches!(sentence.block.kind, BlockKind::ListItem { .. });
        let list = if bullet && range.start == 0 { vec![trimmed(masked, range)] } else { items(masked, range) };
        for item in list {
            let text = &masked[item.clone()];
            if item.is_empty() || !text.chars().any(char::is_alphanumeric) {
                continue;
            }
            let reading = cue::read(text);
            let force = reading.as_ref().map(|reading| reading.force);
            let strength = reading.map(|reading| reading.strength);
            // What an item itself forbids or leaves to choice it says louder than its heading.
            let forbids = matches!(force, Some(Force::Prohibits | Force::Disclaims));
            match topic {
                Topic::Metric | Topic::Uncertain if forbids || force == Some(Force::Offers) => {
                    self.clause(sentence, item)
                }
                Topic::NonGoal => {
                    let rule = self.avoid(sentence, item.clone());
                    self.demand(sentence, item, Kind::NonGoal, rule, Strength::Committed);
                }
                Topic::Excluded => {
                    let rule = self.avoid(sentence, item.clone());
                    self.demand(sentence, item, Kind::Constraint, rule, Strength::Committed);
                }
                Topic::Optional => self.option(sentence, item),
                Topic::Metric => {
                    let (what, stems) = self.what(sentence, item.clone());
                    self.demand(
                        sentence,
                        item,
                        Kind::Metric,
                        Rule::Require { what, stems },
                        strength.unwrap_or(Strength::Asserted),
                    );
                }
                Topic::Uncertain => {
                    // Several hedges are several claims; else the item is one, whatever hedges it.
                    if cue::hedges(text).len() >= 2 {
                        self.hedges(sentence, item);
                        continue;
                    }
                    let bare = cue::bare_claim(text);
                    let (what, stems) = self.what(sentence, item.start + bare.start..item.start + bare.end);
                    self.demand(sentence, item, Kind::Uncertainty, Rule::Hedge { what, stems }, Strength::Possible);
                }
                _ => match force {
                    Some(Force::Offers) => self.option(sentence, item),
                    Some(Force::Prohibits | Force::Disclaims) => {
                        let rule = self.avoid(sentence, item.clone());
                        let kind = if force == Some(Force::Disclaims) { Kind::NonGoal } else { Kind::Constraint };
                        self.demand(sentence, item, kind, rule, Strength::Committed);
                    }
                    _ => {
                        let (what, stems) = self.what(sentence, item.clone());
                        let strength = strength.unwrap_or(Strength::Committed);
                        self.demand(sentence, item.clone(), Kind::Constraint, Rule::Require { what, stems }, strength);
                        self.set_against(sentence, item);
                    }
                },
            }
        }
    }
}

/// Where the list of "should include …" begins.
pub(super) fn inclusion(clause: &str) -> Option<usize> {
    static INCLUDE: Pattern = pattern(r"(?i)\b(?:include|consist of|contain|comprise|cover|have|be made up of)\b:?\s+");
    INCLUDE.find(clause).map(|found| found.end())
}
