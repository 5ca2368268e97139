//! What an output says that code can compute again. One file for one check; none decides a verdict.

pub mod arithmetic;
pub mod code;
pub mod consistency;
pub mod counts;
pub mod test_log;

use std::ops::Range;

use steadfast_evidence::Origin;
use steadfast_text::{BlockKind, Document, Format, Span};

use crate::answer::Report;

steadfast_evidence::vocabulary! {
    /// What kind of claim is false.
    ContradictionKind {
        /// Terms do not make the stated sum.
        Sum = "sum", "sum";
        /// Factors do not make the stated product.
        Product = "product", "product";
        /// A row or column of a table does not make its total.
        TableTotal = "table_total", "total of a table";
        /// A percentage does not make the stated amount.
        Percentage = "percentage", "percentage";
        /// Two figures do not lie as far apart as stated.
        Difference = "difference", "difference";
        /// One quantity is stated otherwise in another place.
        Restated = "restated", "stated twice";
        /// The report says that its figures agree, and they do not.
        ConsistencyClaim = "consistency_claim", "claim of consistency";
        /// Sections are counted otherwise than stated.
        SectionCount = "section_count", "number of sections";
        /// A list has more or fewer items than its introduction says.
        ListCount = "list_count", "number of items";
        /// Acceptance criteria are met otherwise than stated.
        CriteriaCount = "criteria_count", "number of criteria met";
        /// Tests pass otherwise than stated.
        TestCount = "test_count", "number of tests";
        /// Other words of the output say otherwise, as somebody proposes.
        Quoted = "quoted", "contradicted by a quote";
    }
}

/// The id of what is proposed, where results name a check.
const PROPOSAL: &str = "proposal";

impl ContradictionKind {
    /// The id of the check that finds it.
    #[must_use]
    pub const fn check(self) -> &'static str {
        match self {
            Self::Sum | Self::Product | Self::TableTotal | Self::Percentage | Self::Difference | Self::Restated => {
                arithmetic::ID
            }
            Self::ConsistencyClaim => consistency::ID,
            Self::SectionCount | Self::ListCount | Self::CriteriaCount => counts::ID,
            Self::TestCount => test_log::ID,
            Self::Quoted => PROPOSAL,
        }
    }
}

/// A claim that is found false.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// Who finds it.
    pub origin: Origin,
    /// What kind of claim it is.
    pub kind: ContradictionKind,
    /// The words that claim it.
    pub claim: String,
    /// What is stated.
    pub stated: f64,
    /// What code computed.
    pub computed: f64,
    /// The unit of both: a currency's code, "%", "tests"; empty for a bare number.
    pub unit: String,
    /// Every place that a reader must see, the claim first, in bytes of the output.
    pub spans: Vec<Span>,
    /// One sentence for a reader.
    pub message: String,
    /// For a claim about other figures the contradictions that refute it, by index.
    pub refuted_by: Vec<usize>,
}

/// The output as a document in which the tags of its blocks are white space: every byte keeps its place, and what stands in a
/// block is read like the rest.
#[must_use]
pub fn document(output: &str, report: &Report) -> Document {
    let mut bytes = output.as_bytes().to_vec();
    for block in &report.blocks {
        for tag in [block.span.start..block.body.start, block.body.end..block.span.end] {
            blank(&mut bytes, tag);
        }
    }
    // Tags are cut out at characters, so this is text still.
    let text = String::from_utf8(bytes).unwrap_or_else(|_| output.to_owned());
    Document::from_str_as(&text, Format::Markdown)
}

/// A tag becomes line ends and spaces, so that what stands before and behind it are paragraphs of their own.
fn blank(bytes: &mut [u8], range: Range<usize>) {
    let Some(tag) = bytes.get_mut(range) else { return };
    let last = tag.len().saturating_sub(1);
    for (index, byte) in tag.iter_mut().enumerate() {
        *byte = if index == 0 || index == last || index == last.saturating_sub(1) { b'\n' } else { b' ' };
    }
}

/// A sentence of prose, with its place in the output.
struct Sentence<'a> {
    text: &'a str,
    span: Span,
    /// Whether it stands in a reflection or check-in.
    reported: bool,
}

/// The sentences of a document that are no code, no heading and no cell of a table, at most [`SENTENCES_MAX`] from each end.
fn sentences<'a>(document: &'a Document, report: &Report) -> Vec<Sentence<'a>> {
    let mut out = Vec::new();
    let mut block = 0;
    let mut reach = 0;
    for own in &document.blocks {
        while let Some(next) = report.blocks.get(block).filter(|next| next.span.start <= own.span.start) {
            reach = reach.max(next.span.end);
            block += 1;
        }
        if matches!(own.kind, BlockKind::Code { .. } | BlockKind::Heading | BlockKind::TableCell { .. }) {
            continue;
        }
        for range in &own.sentences {
            let Some(text) = own.text.plain.get(range.clone()) else { continue };
            let span = own.text.source_span(range.clone());
            out.push(Sentence { text, span, reported: own.span.start < reach });
        }
    }
    out
}

/// The most contradictions that are kept, in the order of the checks and of the output.
pub const CONTRADICTIONS_MAX: usize = 1_000;

/// Every claim of an output that code finds false: figures first, then counts, then what the report says of them.
#[must_use]
pub fn contradictions(document: &Document, report: &Report, unmet: &counts::Criteria) -> Vec<Contradiction> {
    let mut out = arithmetic::check(document);
    let sentences = sentences(document, report);
    out.extend(consistency::check(document, &sentences, &out));
    out.extend(counts::sections(document, &sentences));
    out.extend(counts::lists(document));
    out.extend(counts::criteria(&sentences, unmet));
    out.extend(test_log::check(document, &sentences));
    out.truncate(CONTRADICTIONS_MAX);
    out
}
