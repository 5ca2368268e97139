//! What no cue tells: parts of sentences that ask for something as they stand ("two pages and not a line more", "songs get no subs at all").
//!
//! A part is read where the [weights](crate::weigh) of what is annotated of it say that it asks, and nothing else was read there. One without a cue of
//! its own that goes on from the part before it belongs to that one. A text in which nothing is asked by a cue asks for nothing.

use std::ops::Range;

use steadfast_annotate::lexicon::Class;
use steadfast_annotate::{NegationKind, Sentence as Annotation, Strength, Token, is_stop_word};
use steadfast_text::{BlockKind, Span};

use super::{Reader, Sentence};
use crate::request::{Kind, Rule};
use crate::topic::Topic;
use crate::weigh::{self, Around};
use crate::{cue, unit};

/// A part of a sentence that may ask for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptPart {
    /// Where it stands in the document.
    pub span: Span,
    /// The features that it has, by name.
    pub features: Vec<String>,
}

/// From this score on a part asks for something. On prompts that the coefficients were not fitted on (eight folds of 53, `steadfast-measure
/// calibrate reading`) .82 of the labelled obligations lie in such a part, and .19 of such parts in none.
const ASKS_MIN: f64 = 0.55;
/// Below this score nothing is asked, whatever a weak cue says. Chosen on the same requests.
const TELLS_MAX: f64 = 0.35;

/// The same for what is only said to be unsure: a word of doubt is a cue that is seldom wrong.
const DOUBTS_MIN: f64 = 0.1;
/// From so many words on, one in as many is a function word, or the part is no English.
const WORDS_KNOWN_FROM: usize = 6;
/// Words before a colon that only name what follows, at most.
const LABEL_WORDS_MAX: usize = 4;

/// Words at the head of a part in which a negation denies all of it.
const HEAD_WORDS_MAX: usize = 5;

/// A part of a sentence that may ask for something.
pub(super) struct Part {
    /// Index into the annotated sentences.
    sentence: usize,
    /// Index into the statements.
    statement: usize,
    range: Range<usize>,
    /// Whether it goes on from the part before it without a cue.
    goes_on: bool,
    score: f64,
}

impl Reader<'_> {
    /// Weighs the parts of a sentence behind its label, which ends at `list`.
    pub(super) fn weigh(&mut self, sentence: &Sentence<'_>, topic: Option<Topic>, list: usize) {
        let blocks = self.annotated.document.blocks.len();
        let mut before: Option<Range<usize>> = None;
        for unit in unit::units(sentence.read) {
            let range = unit.start.max(list.min(unit.end))..unit.end;
            let text = &sentence.masked[range.clone()];
            let names = text.starts_with('[') || sentence.masked[range.end..].starts_with(':');
            if !text.chars().any(char::is_alphanumeric)
                || names && text.split_whitespace().nth(LABEL_WORDS_MAX).is_none()
            {
                continue;
            }
            let around = Around {
                topic,
                item: matches!(sentence.block.kind, BlockKind::ListItem { .. }),
                first: sentence.read.block <= 1,
                last: sentence.read.block + 1 >= blocks,
                before: before.as_ref().map(|range| &sentence.masked[range.clone()]),
            };
            let features = weigh::features(sentence.read, &range, around);
            let has_figure = sentence.read.quantities.iter().any(|own| range.contains(&own.range.start));
            let goes_on = before.is_some() && !has_figure && cue::read(&sentence.masked[range.clone()]).is_none();
            let score = weigh::score(&features);
            before = Some(range.clone());
            // A row of a table is read whole, and no cell of it is a part.
            if let Some(kept) = self.kept.as_mut()
                && !matches!(sentence.block.kind, BlockKind::TableCell { .. })
            {
                let own = sentence.read.range.start + range.start..sentence.read.range.start + range.end;
                kept.push(PromptPart { span: self.annotated.document.evidence_span(sentence.block, own), features });
            }
            self.parts.push(Part { sentence: sentence.at, statement: sentence.statement, range, goes_on, score });
        }
    }

    /// Reads the parts that ask for something and were not read, and drops what a weak cue alone read in parts that only tell.
    pub(super) fn weighed(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        self.drop_told(&parts);
        if self.request.demands.is_empty() {
            return;
        }
        let ruled = self.request.demands.len();
        let mut at = 0;
        while at < parts.len() {
            let part = &parts[at];
            at += 1;
            if part.score < ASKS_MIN {
                continue;
            }
            let mut range = part.range.clone();
            while let Some(next) = parts.get(at)
                && next.sentence == part.sentence
                && next.goes_on
                && next.score >= ASKS_MIN
            {
                range.end = next.range.end;
                at += 1;
            }
            self.ask(part, range, ruled);
        }
    }

    /// Reads a part, unless most of it was read or it is no English.
    fn ask(&mut self, part: &Part, range: Range<usize>, ruled: usize) {
        let (annotated, document) = (self.annotated, self.annotated.document);
        let Some(read) = annotated.sentences.get(part.sentence) else { return };
        let words: Vec<_> =
            read.tokens.iter().filter(|own| range.contains(&own.range.start) && own.is_word()).collect();
        // "while …", "because …": how it is done or why, and nothing of its own.
        if words.first().is_some_and(|first| first.is_a(Class::Subordinator) && !first.is("as")) {
            return;
        }
        let is_known =
            |own: &&Token<'_>| is_stop_word(&own.low) || own.is_a(Class::Determiner) || own.is_a(Class::Preposition);
        if words.len() >= WORDS_KNOWN_FROM
            && words.iter().filter(|own| is_known(own)).count() * WORDS_KNOWN_FROM < words.len()
        {
            return;
        }
        let block = &document.blocks[read.block];
        let text = &read.text[..read.read_bytes];
        let sentence =
            Sentence { block, read, text, masked: &read.masked, statement: part.statement, at: part.sentence };
        let Some(quote) = self.quote(block, read.range.start + range.start..read.range.start + range.end) else {
            return;
        };
        if self.is_read(part.statement, quote.span(), ruled) {
            return;
        }
        let demands = self.request.demands.len();
        self.clause(&sentence, range.clone());
        if self.request.demands.len() > demands {
            return;
        }
        let denied = is_denied(read, &range);
        let rule = if denied {
            self.avoid(&sentence, range.clone())
        } else {
            let (what, stems) = self.what(&sentence, range.clone());
            Rule::Require { what, stems }
        };
        self.demand(&sentence, range, Kind::Constraint, rule, Strength::Asserted);
    }

    /// Whether half of the words at `span` or more are those of demands of the same statement. The first `ruled` demands stand in the order of their
    /// statements, and those of this statement are the last behind them.
    fn is_read(&self, statement: usize, span: Span, ruled: usize) -> bool {
        let (by_cue, by_weight) = self.request.demands.split_at(ruled.min(self.request.demands.len()));
        let from = by_cue.partition_point(|demand| demand.kind.statement < statement);
        let own = by_cue[from..].iter().take_while(|demand| demand.kind.statement == statement);
        let last = by_weight.iter().rev().take_while(|demand| demand.kind.statement == statement);
        own.chain(last).map(|demand| demand.source().span()).any(|other| {
            let shared = span.end.min(other.end).saturating_sub(span.start.max(other.start));
            shared * 2 >= span.len()
        })
    }

    /// Drops demands that rest on a weak cue where the parts that they stand in only tell something.
    fn drop_told(&mut self, parts: &[Part]) {
        let spans: Vec<(usize, Span, f64)> = parts
            .iter()
            .filter_map(|part| {
                let read = self.annotated.sentences.get(part.sentence)?;
                let block = self.annotated.document.blocks.get(read.block)?;
                let range = read.range.start + part.range.start..read.range.start + part.range.end;
                Some((part.statement, self.annotated.document.evidence_span(block, range), part.score))
            })
            .collect();
        self.request.demands.retain(|demand| {
            let weak = demand.kind.kind == Kind::Uncertainty
                || matches!(demand.kind.strength, Strength::Asserted | Strength::Likely | Strength::Intended);
            let from = spans.partition_point(|(statement, ..)| *statement < demand.kind.statement);
            let own = spans[from..].iter().take_while(|(statement, ..)| *statement == demand.kind.statement);
            let mut scores =
                own.filter(|(_, span, _)| span.overlaps(demand.source().span())).map(|(.., score)| *score).peekable();
            let least = match demand.kind.rule {
                Rule::Hedge { .. } => DOUBTS_MIN,
                // What may be spent is asked for, however it is put.
                Rule::Figure { .. } if demand.kind.kind == Kind::Budget => 0.0,
                _ => TELLS_MAX,
            };
            !(weak && scores.peek().is_some() && scores.all(|score| score < least))
        });
    }
}

/// Whether what a part says is ruled out: by a word at its head, by one whose reach is all of it, or in its main clause.
pub(super) fn is_denied(read: &Annotation<'_>, range: &Range<usize>) -> bool {
    let head = read.tokens.iter().filter(|token| range.contains(&token.range.start) && token.is_word());
    let head = head.take(HEAD_WORDS_MAX).last().map_or(range.start, |token| token.range.end);
    let own = read.negations.iter().filter(|own| range.contains(&own.cue.start));
    own.into_iter().any(|negation| match negation.kind {
        NegationKind::Negated => negation.cue.start < head,
        NegationKind::Prohibited | NegationKind::Excluded | NegationKind::Avoided => {
            negation.cue.start < head || negation.scope.start <= head
        }
        NegationKind::Without | NegationKind::Instead => negation.cue.start <= range.start + 1,
    })
}
