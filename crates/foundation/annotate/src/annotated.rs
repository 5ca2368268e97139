//! A document with what was read in it.

use std::ops::Range;

use steadfast_text::{Block, BlockKind, Document, Span};

use crate::clauses::{Clauses, Role, clauses};
use crate::masked::{masked, quotations};
use crate::modality::{self, Reading};
use crate::names::{self, Name, NameContext};
use crate::negation::{self, Negation, NegationKind};
use crate::quantity::Quantity;
use crate::reader::quantities;
use crate::stem::fill_stems;
use crate::words::{Token, bytes, scan};

/// Most sentences that are read of one document.
pub const SENTENCES_MAX: usize = 40_000;
/// Longest sentence that is read whole, in bytes; of a longer one the beginning.
pub const SENTENCE_BYTES_MAX: usize = 16_000;
/// Most leads above a block that are kept: lists in lists.
pub const LEADS_MAX: usize = 8;

/// A document, read once. Sentences, blocks and sections are named by index, and places by bytes: those of a sentence's readings
/// in its text, that of the sentence in its block's text, and [`Document::evidence_span`] leads to the file.
#[derive(Clone, Debug)]
pub struct Annotated<'d> {
    /// The document.
    pub document: &'d Document,
    /// The part of the file that was read.
    pub body: Span,
    /// For each block of the document what governs it.
    pub governed: Vec<Governed>,
    /// Sentences, items of lists and cells, in order. Blocks of code have none.
    pub sentences: Vec<Sentence<'d>>,
    /// The first byte of the file that was passed over since the document has more than [`SENTENCES_MAX`] sentences.
    pub unread_from: Option<usize>,
}

/// What says of a block, from outside, what it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Governed {
    /// Sections with a heading that it stands in, nearest first.
    pub sections: Vec<usize>,
    /// Blocks that lead into its list, nearest first; [`LEADS_MAX`] at most.
    pub leads: Vec<usize>,
    /// The cell that heads its column.
    pub column: Option<usize>,
}

/// One sentence.
#[derive(Clone, Debug)]
pub struct Sentence<'d> {
    /// Index of its block.
    pub block: usize,
    /// Where it stands in the block's text: the part of it in the body.
    pub range: Range<usize>,
    /// Its text, without markup.
    pub text: &'d str,
    /// Bytes of the text that were read: all, unless it is longer than [`SENTENCE_BYTES_MAX`].
    pub read_bytes: usize,
    /// What was read of the text, byte for byte as long, with quotations blotted out by `_`.
    pub masked: String,
    /// Insides of quotations and of code between backticks.
    pub quotes: Vec<Range<usize>>,
    /// Code spans of Markdown.
    pub code: Vec<Range<usize>>,
    /// Its words, numbers and marks.
    pub tokens: Vec<Token<'d>>,
    /// Its clauses, in order.
    pub clauses: Vec<Clause>,
    /// What it denies, forbids, leaves out.
    pub negations: Vec<Negation>,
    /// How strongly it says what it says.
    pub modality: Reading,
    /// Its quantities; dates and lengths of time, by `steadfast-time`, are among them.
    pub quantities: Vec<Quantity>,
    /// Its names, without what other sentences know of them.
    pub names: Vec<Name>,
}

/// A clause of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What it is to the sentence.
    pub role: Role,
    /// The clause that governs it as well.
    pub parent: Option<usize>,
    /// Its tokens; a parenthesis inside belongs to another clause.
    pub tokens: Range<usize>,
    /// Its bytes.
    pub range: Range<usize>,
    /// Whether it holds a finite verb.
    pub predicate: bool,
    /// Whether what it says is denied or forbidden in it: an odd number of negations.
    pub negated: bool,
}

/// Reads a document. Linear in its length: every reader runs once for each sentence.
///
/// ```
/// use steadfast_annotate::annotate;
/// use steadfast_text::{Document, Format};
///
/// let document = Document::from_str_as("# Goals\n\n- Open 3 hubs, but do not sell anything.", Format::Markdown);
/// let annotated = annotate(&document);
/// let item = &annotated.sentences[1];
/// assert_eq!(document.sections[annotated.governed[item.block].sections[0]].title, "Goals");
/// assert_eq!(&item.text[item.quantities[0].range.clone()], "3 hubs");
/// assert_eq!(item.clauses.iter().map(|clause| clause.negated).collect::<Vec<_>>(), [false, true]);
/// ```
#[must_use]
pub fn annotate(document: &Document) -> Annotated<'_> {
    annotate_within(document, Span::new(0, document.source.len()))
}

/// Reads the part of a document that lies in `body`.
#[must_use]
pub fn annotate_within(document: &Document, body: Span) -> Annotated<'_> {
    let mut annotated = Annotated {
        document,
        body,
        governed: document.blocks.iter().map(|block| governed(document, block)).collect(),
        sentences: Vec::new(),
        unread_from: None,
    };
    for (index, block) in document.blocks.iter().enumerate() {
        if !block.span.overlaps(body) || matches!(block.kind, BlockKind::Code { .. }) {
            continue;
        }
        for range in &block.sentences {
            let Some(range) = within(block, range, body) else { continue };
            if annotated.sentences.len() == SENTENCES_MAX {
                annotated.unread_from = Some(block.text.source_span(range).start);
                return annotated;
            }
            annotated.sentences.push(sentence(document, index, range));
        }
    }
    annotated
}

fn governed(document: &Document, block: &Block) -> Governed {
    let mut found = Governed::default();
    let mut at = Some(block.section);
    while let Some((index, section)) = at.and_then(|index| Some((index, document.sections.get(index)?))) {
        if section.level > 0 {
            found.sections.push(index);
        }
        at = section.parent.filter(|parent| *parent < index);
    }
    let mut lead = block.lead;
    while let Some((index, above)) = lead.and_then(|index| Some((index, document.blocks.get(index)?)))
        && found.leads.len() < LEADS_MAX
    {
        found.leads.push(index);
        lead = above.lead;
    }
    if let BlockKind::TableCell { table, column, header: false, .. } = block.kind {
        let table = document.tables.get(table).filter(|table| table.has_header);
        found.column = table.and_then(|table| table.rows.first()?.get(column).copied());
    }
    found
}

fn sentence(document: &Document, index: usize, range: Range<usize>) -> Sentence<'_> {
    let block = &document.blocks[index];
    let text = &block.text.plain[range.clone()];
    let read = &text[..text.floor_char_boundary(SENTENCE_BYTES_MAX)];
    let mut tokens = scan(read);
    let parts = clauses(&tokens);
    let negations = negation::of(&tokens, &parts);
    let modality = modality::of(&tokens, &parts);
    let names = names::of(read, &tokens, &NameContext::default());
    let clauses = read_clauses(&tokens, parts, &negations);
    fill_stems(&mut tokens);
    let quotes = quotations(read);
    Sentence {
        block: index,
        text,
        read_bytes: read.len(),
        masked: masked(read),
        quotes,
        code: code(document, block, &range),
        tokens,
        clauses,
        negations,
        modality,
        quantities: quantities(read),
        names,
        range,
    }
}

fn read_clauses(tokens: &[Token<'_>], parts: Clauses, negations: &[Negation]) -> Vec<Clause> {
    let mut negated = vec![false; parts.list.len()];
    for negation in negations {
        let at = tokens.partition_point(|token| token.range.end <= negation.cue.start);
        if let Some(clause) = parts.of.get(at)
            && matches!(negation.kind, NegationKind::Negated | NegationKind::Prohibited)
        {
            negated[*clause] ^= true;
        }
    }
    let mut found: Vec<Clause> = Vec::with_capacity(parts.list.len());
    for (clause, negated) in parts.list.into_iter().zip(negated) {
        let range = bytes(tokens, clause.tokens.start, clause.tokens.end);
        found.push(Clause {
            role: clause.role,
            parent: clause.parent,
            tokens: clause.tokens,
            range,
            predicate: clause.predicate,
            negated,
        });
    }
    found
}

/// The pieces of a sentence that stand between backticks in the file.
fn code(document: &Document, block: &Block, range: &Range<usize>) -> Vec<Range<usize>> {
    let source = document.source.as_bytes();
    let ticked = |at: Option<usize>| at.and_then(|at| source.get(at)) == Some(&b'`');
    let pieces = block.text.pieces_of(range);
    let pieces = pieces.iter();
    pieces
        .filter(|piece| ticked(piece.source.start.checked_sub(1)) && ticked(Some(piece.source.end)))
        .map(|piece| piece.plain.max(range.start) - range.start..piece.plain_end().min(range.end) - range.start)
        .collect()
}

/// The part of a sentence that lies in the body.
fn within(block: &Block, range: &Range<usize>, body: Span) -> Option<Range<usize>> {
    let span = block.text.source_span(range.clone());
    if body.contains(span) {
        return Some(range.clone());
    }
    if !body.overlaps(span) {
        return None;
    }
    let plain = &block.text.plain;
    let inside = |at: usize| {
        let here = block.text.source_span(at..at + plain[at..].chars().next().map_or(1, char::len_utf8));
        body.contains(here)
    };
    let mut kept = plain[range.clone()].char_indices().map(|(at, _)| range.start + at).filter(|at| inside(*at));
    let start = kept.next()?;
    let last = kept.next_back().unwrap_or(start);
    let end = last + plain[last..].chars().next().map_or(0, char::len_utf8);
    let text = &plain[start..end];
    let lead = text.len() - text.trim_start().len();
    let end = start + text.trim_end().len();
    (start + lead < end).then(|| start + lead..end)
}
