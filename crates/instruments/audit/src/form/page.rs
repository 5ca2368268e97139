//! The answer as one page: its parts, lists and tables.

use std::ops::Range;

use steadfast_annotate::Pattern;
use steadfast_evidence::Quote;
use steadfast_text::{Block, BlockKind};

use crate::answer::{Answer, Artefact};

/// The answer as one page.
pub(crate) struct Page<'a> {
    pub(super) artefact: &'a Artefact,
    /// The blocks that are judged, without code.
    pub(super) blocks: Vec<&'a Block>,
}

/// How the head of a column says that its cells are what was found.
static AS_FOUND: Pattern = Pattern::new(
    r"(?i)\b(?:as (?:typed|entered|found|given|written|read|it was)|raw|original(?:ly)?|before|source|old)\b",
);

/// Stems of words that name a part, at most: more of them tell more of it.
const NAME_STEMS_MAX: usize = 4;
/// Stems that name the first heading.
const TITLES: [&str; 3] = ["titl", "headlin", "head"];

impl<'a> Page<'a> {
    /// The answer, where it is one file.
    pub(crate) fn of(answer: &'a Answer) -> Option<Self> {
        let [artefact] = &answer.artefacts[..] else { return None };
        Some(Self { artefact, blocks: artefact.judged_blocks().collect() })
    }

    pub(super) fn quote(&self, block: &Block) -> Option<Quote> {
        Quote::cut(self.artefact.file, &self.artefact.document, block.span)
    }

    /// The quote of a part of a block's text.
    pub(super) fn quote_in(&self, block: &Block, range: Range<usize>) -> Option<Quote> {
        let span = self.artefact.document.evidence_span(block, range);
        Quote::cut(self.artefact.file, &self.artefact.document, span)
    }

    /// The first words of the answer that `find` finds in the text of a block, and where they stand.
    pub(super) fn first(&self, find: impl Fn(&str) -> Option<Range<usize>>) -> Option<(String, Quote)> {
        self.blocks.iter().find_map(|block| {
            let range = find(&block.text.plain)?;
            let said = block.text.plain.get(range.clone())?.to_owned();
            Some((said, self.quote_in(block, range)?))
        })
    }

    /// Every place that a pattern finds in a block, without those in code, in quotation marks and under the head of a column of what was found ("as typed"),
    /// which are spoken of: the words and where they stand.
    pub(super) fn uses(&self, pattern: &Pattern) -> Vec<(String, Quote)> {
        let document = &self.artefact.document;
        let mut found = Vec::new();
        for block in self.blocks.iter().filter(|block| !self.is_as_found(block)) {
            for own in pattern.find_iter(&block.text.plain) {
                let span = document.evidence_span(block, own.range());
                let before = document.source.get(..span.start).and_then(|before| before.chars().next_back());
                let quoted = before.is_some_and(|c| matches!(c, '`' | '"' | '“' | '\'' | '‘' | '«'));
                if let Some(quote) = Quote::cut(self.artefact.file, document, span).filter(|_| !quoted) {
                    found.push((own.as_str().to_owned(), quote));
                }
            }
        }
        found
    }

    /// Whether a block is a cell under the head of a column that says what was found, not what the report says.
    fn is_as_found(&self, block: &Block) -> bool {
        let BlockKind::TableCell { table, column, .. } = block.kind else { return false };
        let document = &self.artefact.document;
        let head = document.tables.get(table).filter(|own| own.has_header).and_then(|own| own.rows.first());
        let head = head.and_then(|row| document.blocks.get(*row.get(column)?));
        head.is_some_and(|head| AS_FOUND.is_match(&head.text.plain))
    }

    /// What stands under the heading, or behind the label, that stems name.
    pub(super) fn part(&self, stems: &[String]) -> Option<Vec<&'a Block>> {
        if stems.is_empty() {
            return None;
        }
        if stems.iter().all(|stem| TITLES.contains(&stem.as_str())) {
            return self.blocks.iter().find(|block| block.kind == BlockKind::Heading).map(|block| vec![*block]);
        }
        let names = |text: &str| {
            let own = steadfast_annotate::stems(text);
            let within = |one: &[String], other: &[String]| one.iter().all(|stem| other.contains(stem));
            !own.is_empty() && (within(stems, &own) || stems.len() <= NAME_STEMS_MAX && within(&own, stems))
        };
        let labelled = |block: &&Block| {
            block.label.as_deref().is_some_and(|label| block.text.plain.get(label.clone()).is_some_and(names))
        };
        let at = self
            .blocks
            .iter()
            .position(|block| block.kind == BlockKind::Heading && names(&block.text.plain) || labelled(block))?;
        let head = self.blocks[at];
        let document = &self.artefact.document;
        let part: Vec<&Block> = if head.kind == BlockKind::Heading {
            let span = document.sections.get(head.section)?.span;
            self.blocks.iter().skip(at + 1).filter(|block| span.contains(block.span)).copied().collect()
        } else {
            let is_its = |block: &&&Block| {
                matches!(block.kind, BlockKind::ListItem { .. }) && !matches!(head.kind, BlockKind::ListItem { .. })
            };
            let behind = self.blocks.iter().skip(at + 1).take_while(is_its).copied();
            std::iter::once(head).chain(behind).collect()
        };
        (!part.is_empty() && part.len() < self.blocks.len()).then_some(part)
    }

    /// The outermost lists among some blocks.
    pub(super) fn lists<'b>(&self, blocks: &[&'b Block]) -> Vec<Vec<&'b Block>> {
        let mut out: Vec<Vec<&Block>> = Vec::new();
        let mut open = false;
        for block in blocks {
            let BlockKind::ListItem { depth, ordinal, .. } = block.kind else {
                open = false;
                continue;
            };
            if depth > 0 {
                continue;
            }
            match out.last_mut().filter(|_| open && ordinal != Some(1)) {
                Some(list) => list.push(block),
                None => out.push(vec![block]),
            }
            open = true;
        }
        out
    }

    /// The first code block.
    pub(super) fn code(&self) -> Option<Option<Quote>> {
        let document = &self.artefact.document;
        // `pd.read_csv("a.csv")` in a sentence is code, `a.csv` is a name.
        let is_code = |block: &&Block| {
            let source = document.source.get(block.span.start..block.span.end).unwrap_or_default();
            matches!(block.kind, BlockKind::Code { .. })
                || source.split('`').skip(1).step_by(2).any(|own| own.contains('(') && own.contains(')'))
        };
        document.blocks.iter().find(is_code).map(|block| self.quote(block))
    }

    /// The first block with bold text.
    pub(super) fn bold(&self) -> Option<Option<Quote>> {
        let source = &self.artefact.document.source;
        let is_bold =
            |block: &&&Block| source.get(block.span.start..block.span.end).is_some_and(|own| own.contains("**"));
        self.blocks.iter().find(is_bold).map(|block| self.quote(block))
    }

    /// The rows without the head and the columns of each table among some blocks.
    pub(super) fn tables(&self, blocks: &[&Block]) -> Vec<(usize, usize)> {
        let mut out: Vec<(usize, (usize, usize))> = Vec::new();
        for block in blocks {
            let BlockKind::TableCell { table, .. } = block.kind else { continue };
            if out.iter().any(|(own, _)| *own == table) {
                continue;
            }
            if let Some(own) = self.artefact.document.tables.get(table) {
                let rows = own.rows.len() - usize::from(own.has_header).min(own.rows.len());
                out.push((table, (rows, own.rows.first().map_or(0, Vec::len))));
            }
        }
        out.into_iter().map(|(_, size)| size).collect()
    }

    /// How many headings there are of each level, without a single one above all.
    pub(super) fn headings(&self, blocks: &[&Block]) -> Vec<usize> {
        let mut levels = [0_usize; 8];
        for block in blocks.iter().filter(|block| block.kind == BlockKind::Heading) {
            levels[usize::from(self.level(block)).min(7)] += 1;
        }
        let first = levels.iter().position(|count| *count > 0);
        let is_title =
            |at: usize| first == Some(at) && levels[at] == 1 && levels[at + 1..].iter().any(|count| *count > 0);
        levels.iter().enumerate().filter(|(at, count)| **count > 0 && !is_title(*at)).map(|(_, count)| *count).collect()
    }

    pub(super) fn level(&self, heading: &Block) -> u8 {
        self.artefact.document.sections.get(heading.section).map_or(0, |section| section.level)
    }

    /// What stands under each heading that has no other below it.
    pub(super) fn sections(&self) -> Vec<Vec<&'a Block>> {
        let mut out: Vec<Vec<&Block>> = Vec::new();
        for (at, block) in self.blocks.iter().enumerate() {
            let follows = self.blocks.get(at + 1).is_some_and(|next| next.kind != BlockKind::Heading);
            match block.kind {
                BlockKind::Heading if follows => out.push(Vec::new()),
                BlockKind::Heading => {}
                _ => {
                    if let Some(own) = out.last_mut() {
                        own.push(block);
                    }
                }
            }
        }
        out
    }
}

/// Words as word processors count them.
pub(super) fn words_of(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}
