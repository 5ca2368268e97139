//! Looking up quotes in prompt and report.

use steadfast_evidence::{PROPOSED_QUOTE_BYTES_MAX, Quote, is_whole, quotable};
use steadfast_text::{BlockKind, Document, QuoteIndex, Span};

use crate::answer::{Answer, Artefact, Claim, Place};
use crate::ask::Contract;
use crate::run;

/// Words of a list item that can be asked for as it is.
const SHORT_ITEM_WORDS: usize = 12;

/// A part of one artefact.
#[derive(Clone, Copy)]
struct Part {
    /// Which, by its place in the list.
    text: usize,
    /// Its bytes.
    span: Span,
}

/// The documents, made ready for looking up quotes.
pub(crate) struct Finder<'a> {
    contract: &'a Contract,
    answer: &'a Answer,
    prompt: Option<(QuoteIndex<'a>, &'a Document, Span)>,
    report: Vec<QuoteIndex<'a>>,
}

/// Words of the report that somebody points at.
pub(crate) struct Shown<'a> {
    /// The words.
    pub(crate) quote: Quote,
    /// The sentences that they stand in, in their order; none in code.
    pub(crate) said: Vec<&'a Claim>,
    /// The titles above them.
    pub(crate) section: Vec<String>,
    /// Whether they are a heading, a part of a table or a short item of a list: the form of a report, which may have to say what the prompt says.
    pub(crate) is_form: bool,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(contract: &'a Contract, answer: &'a Answer) -> Self {
        let prompt = contract.document.as_ref();
        Self {
            contract,
            answer,
            prompt: prompt.map(|document| (QuoteIndex::new(document), document, run::body(document))),
            report: answer.artefacts.iter().map(|artefact| QuoteIndex::new(&artefact.document)).collect(),
        }
    }

    /// Words of the report, wherever they stand first in what is judged of it.
    pub(crate) fn shown(&self, words: &str) -> Result<Shown<'a>, String> {
        let words = words.trim();
        if let Err(why) = quotable(words)
            && !self.is_a_figure_said_once(words)
        {
            return Err(why);
        }
        let place = self.in_report(words).ok_or_else(|| self.not_in_report(words))?;
        if place.span.len() > PROPOSED_QUOTE_BYTES_MAX {
            return Err(format!("it quotes more than {PROPOSED_QUOTE_BYTES_MAX} bytes, which points at nothing"));
        }
        let artefact = self.answer.artefacts.get(place.text).ok_or_else(|| self.not_in_report(words))?;
        let quote = Quote::cut(artefact.file, &artefact.document, place.span);
        let said = self.said_at(place);
        let section = said.first().map(|(_, at)| self.answer.section_path(at)).unwrap_or_default();
        let section = section.into_iter().map(str::to_owned).collect();
        let said = said.into_iter().map(|(claim, _)| claim).collect();
        let mut blocks = artefact.document.blocks.iter().filter(|own| own.span.overlaps(place.span));
        let is_form = blocks.all(|own| match own.kind {
            BlockKind::Heading | BlockKind::TableCell { .. } => true,
            BlockKind::ListItem { .. } => own.text.plain.split_whitespace().count() <= SHORT_ITEM_WORDS,
            _ => false,
        });
        Ok(Shown { quote: quote.ok_or_else(|| self.not_in_report(words))?, said, section, is_form })
    }

    /// Why words point at nothing in the report.
    fn not_in_report(&self, words: &str) -> String {
        if self.in_prompt(words).is_some() {
            "its words stand in the prompt alone, which says nothing of the report".to_owned()
        } else if self.left_out(words) {
            "its words stand only where the report repeats the prompt or another artefact".to_owned()
        } else {
            "its words do not stand in the report".to_owned()
        }
    }

    /// Words of the user in the prompt; not of the frame around them.
    fn in_prompt(&self, text: &str) -> Option<Quote> {
        let (index, document, body) = self.prompt.as_ref()?;
        let found = index.locate_where(text, |span| body.contains(span) && is_whole(document, span))?;
        self.contract.quote(found.span)
    }

    /// Where words stand first in what is judged of the report, in the run's order.
    fn in_report(&self, words: &str) -> Option<Part> {
        self.answer.artefacts.iter().zip(&self.report).enumerate().find_map(|(text, (artefact, index))| {
            let accepts = |span: Span| is_whole(&artefact.document, span) && !is_left_out(artefact, span);
            Some(Part { text, span: index.locate_where(words, accepts)?.span })
        })
    }

    /// Whether words hold a figure that the report states once: however short, it points at its place.
    fn is_a_figure_said_once(&self, words: &str) -> bool {
        let Some(first) = self.in_report(words).filter(|_| words.contains(|c: char| c.is_ascii_digit())) else {
            return false;
        };
        !self.answer.artefacts.iter().zip(&self.report).enumerate().any(|(text, (artefact, index))| {
            let is_another = |span: Span| {
                is_whole(&artefact.document, span)
                    && !is_left_out(artefact, span)
                    && (text, span) != (first.text, first.span)
            };
            index.locate_where(words, is_another).is_some()
        })
    }

    /// Whether words stand in what is not judged.
    fn left_out(&self, words: &str) -> bool {
        let artefacts = &self.answer.artefacts;
        let mut indexed = self.report.iter().zip(artefacts);
        indexed.any(|(index, own)| index.locate_where(words, |span| is_whole(&own.document, span)).is_some())
    }

    /// The sentences of the report at a place, with where they stand, in their order.
    fn said_at(&self, place: Part) -> Vec<(&'a Claim, &'a Place)> {
        let answer = self.answer;
        let Some(artefact) = answer.artefacts.get(place.text) else { return Vec::new() };
        let mut said = Vec::new();
        for (index, block) in artefact.document.blocks.iter().enumerate() {
            if !block.span.overlaps(place.span) {
                continue;
            }
            for &claim in answer.claims_in(place.text, index) {
                let Some(claim) = answer.claims.get(claim) else { continue };
                for at in &claim.places {
                    let here = at.artefact == place.text && at.block == index;
                    if here && block.text.source_span(at.range.clone()).overlaps(place.span) {
                        said.push((claim, at));
                    }
                }
            }
        }
        said.sort_by_key(|(_, at)| (at.block, at.range.start));
        said.dedup_by_key(|(_, at)| (at.block, at.range.start));
        said
    }
}

fn is_left_out(artefact: &Artefact, span: Span) -> bool {
    artefact.left_out.iter().any(|left| left.span.overlaps(span))
}
