//! The answer: every artefact of a report or a planner's run, and every claim in them, once.
//!
//! Planners say the same thing in many files. A *claim* is one sentence as a reader knows it; it has one text and as many
//! places as it was said in. Checks read claims, so one fault is one finding, however often it is repeated.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use steadfast_evidence::{FileId, Quote};
use steadfast_text::{Block, BlockKind, Document, Format, Span};

use steadfast_annotate::{Quantity, content_stems, quantities};
use steadfast_ask::is_question;

use crate::voice::{self, Stance, Voice};

/// Longest quote of one claim, in bytes: beyond it the clause around the words in question is quoted.
pub const QUOTE_BYTES_MAX: usize = 420;

/// The longest lead-in that is taken for a label, in bytes.
const LABEL_BYTES_MAX: usize = 120;

/// One file of the answer.
#[derive(Clone, Debug)]
pub struct Artefact {
    /// Its place in the list of sources.
    pub file: FileId,
    /// Its name, relative to the run.
    pub name: String,
    /// What was read in it.
    pub document: Document,
    /// What of it is not judged, in order: parts that repeat the ask or another artefact.
    pub left_out: Vec<LeftOut>,
}

impl Artefact {
    /// The blocks that are judged.
    pub(crate) fn judged_blocks(&self) -> impl Iterator<Item = &Block> {
        self.document.blocks.iter().zip(self.judged()).filter_map(|(block, judged)| judged.then_some(block))
    }

    /// For each block whether it is judged.
    fn judged(&self) -> Vec<bool> {
        let mut left_out = self.left_out.iter().peekable();
        let mut judged = Vec::with_capacity(self.document.blocks.len());
        for block in &self.document.blocks {
            while left_out.next_if(|left| left.span.end <= block.span.start).is_some() {}
            let out = left_out.peek().is_some_and(|left| left.span.contains(block.span));
            judged.push(!out && !matches!(block.kind, BlockKind::Code { .. }));
        }
        judged
    }
}

/// A part of an artefact that is not judged, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The part, in bytes of the file.
    pub span: Span,
    /// Why, for a reader.
    pub reason: &'static str,
}

/// Where a claim stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index into [`Answer::artefacts`].
    pub artefact: usize,
    /// Index into the document's blocks.
    pub block: usize,
    /// The sentence, as a range of the block's plain text.
    pub range: Range<usize>,
}

/// One sentence of the answer.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The sentence without markup, as it stands at its first place.
    pub text: String,
    /// How it is to be taken: its voice, whether it is flagged as assumed, whether it lists what is left out.
    pub stance: Stance,
    /// Every place at which it is taken so, in the run's order; never empty.
    pub places: Vec<Place>,
    /// Its quantities, with ranges in `text`.
    pub quantities: Vec<Quantity>,
    /// Its content words as stems, with ranges in `text`.
    pub stems: Vec<(Range<usize>, String)>,
}

impl Claim {
    /// In which voice it is said.
    #[must_use]
    pub const fn voice(&self) -> Voice {
        self.stance.voice
    }

    /// In which voice the words at `range` are said: criticism may turn to a proposal within a sentence.
    #[must_use]
    pub fn voice_at(&self, range: &Range<usize>) -> Voice {
        voice::at(self.stance.voice, &self.text, range)
    }

    /// Whether it is said of the plan itself, and not in a list of what is left out.
    #[must_use]
    pub const fn is_of_the_plan(&self) -> bool {
        self.stance.voice.is_of_the_plan() && !self.stance.excluded
    }

    /// Whether one of its content words has this stem.
    #[must_use]
    pub fn has_stem(&self, stem: &str) -> bool {
        self.stems.iter().any(|(_, own)| own == stem)
    }
}

/// All artefacts, in the run's order, and all claims, in the order in which they first appear.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The files.
    pub artefacts: Vec<Artefact>,
    /// The claims.
    pub claims: Vec<Claim>,
    /// Artefact and block of each of `by_block`, in order.
    blocks: Vec<(usize, usize)>,
    /// Claims that stand in blocks, by index.
    by_block: Vec<usize>,
}

impl Answer {
    /// The claims that stand in a block of an artefact, by index.
    #[must_use]
    pub fn claims_in(&self, artefact: usize, block: usize) -> &[usize] {
        let first = self.blocks.partition_point(|own| *own < (artefact, block));
        let last = self.blocks.partition_point(|own| *own <= (artefact, block));
        self.by_block.get(first..last).unwrap_or_default()
    }

    /// Reads the claims of `artefacts`, which stand in the run's order. Blocks inside `left_out` are passed over, and so
    /// is what an HTML page repeats of the artefacts in another format.
    #[must_use]
    pub fn read(mut artefacts: Vec<Artefact>) -> Self {
        leave_out_repeated_html(&mut artefacts);
        let mut claims: Vec<Claim> = Vec::new();
        let mut known: HashMap<(String, Stance), usize> = HashMap::new();
        for (artefact_index, artefact) in artefacts.iter().enumerate() {
            let stances = voice::of_blocks(&artefact.name, &artefact.document);
            let judged = artefact.judged();
            for (block_index, block) in artefact.document.blocks.iter().enumerate() {
                if !judged[block_index] {
                    continue;
                }
                for range in &block.sentences {
                    let text = &block.text.plain[range.clone()];
                    let place = Place { artefact: artefact_index, block: block_index, range: range.clone() };
                    let mut stance = stances[block_index];
                    if is_question(text) {
                        stance.voice = Voice::Question;
                    }
                    match known.entry((folded(text), stance)) {
                        Entry::Occupied(entry) => claims[*entry.get()].places.push(place),
                        Entry::Vacant(entry) => {
                            entry.insert(claims.len());
                            claims.push(Claim {
                                text: text.to_owned(),
                                stance,
                                places: vec![place],
                                quantities: quantities(text),
                                stems: content_stems(text),
                            });
                        }
                    }
                }
            }
        }
        let mut by_block: Vec<((usize, usize), usize)> = Vec::new();
        for (index, claim) in claims.iter_mut().enumerate() {
            claim.places.shrink_to_fit();
            by_block.extend(claim.places.iter().map(|place| ((place.artefact, place.block), index)));
        }
        by_block.sort_unstable();
        let (blocks, by_block) = by_block.into_iter().unzip();
        Self { artefacts, claims, blocks, by_block }
    }

    /// The words of the file behind `range` of the claim's text at its first place; the clause around it where the
    /// sentence is long.
    #[must_use]
    pub fn quote(&self, claim: &Claim, range: &Range<usize>) -> Option<Quote> {
        self.quote_at(claim, claim.places.first()?, range)
    }

    /// The other places of a claim, as quotes.
    #[must_use]
    pub fn repetitions(&self, claim: &Claim, range: &Range<usize>) -> Vec<Quote> {
        claim.places.iter().skip(1).filter_map(|place| self.quote_at(claim, place, range)).collect()
    }

    /// The words of the file behind `range` of the claim's text at one of its places.
    pub(crate) fn quote_at(&self, claim: &Claim, place: &Place, range: &Range<usize>) -> Option<Quote> {
        let artefact = self.artefacts.get(place.artefact)?;
        let block = artefact.document.blocks.get(place.block)?;
        let inner = clause_around(&claim.text, range, QUOTE_BYTES_MAX);
        let length = place.range.len();
        let in_block = if length == claim.text.len() {
            place.range.start + inner.start..place.range.start + inner.end
        } else {
            place.range.clone()
        };
        let span = artefact.document.evidence_span(block, in_block);
        Quote::cut(artefact.file, &artefact.document, with_emphasis(&artefact.document, span))
    }

    /// Titles of the sections around a place, from the top, without empty ones.
    #[must_use]
    pub fn section_path(&self, place: &Place) -> Vec<&str> {
        self.artefacts
            .get(place.artefact)
            .and_then(|artefact| {
                let block = artefact.document.blocks.get(place.block)?;
                Some(artefact.document.section_path(block.section))
            })
            .unwrap_or_default()
    }

    /// The label that a place stands under: its own lead-in, else its block's, else what [`Answer::heading`] gives.
    #[must_use]
    pub fn label(&self, place: &Place) -> String {
        let block = self.block(place);
        // Lines of one paragraph may have a label each: "**Question**: … **Answer**: … **Rationale**: …".
        let own = block.and_then(|block| line_label(block.text.plain.get(place.range.clone())?));
        if let Some(own) = own {
            return own.to_owned();
        }
        match block.and_then(|block| Some((block, block.label.as_deref().cloned()?))) {
            Some((block, label)) => block.text.plain[label].to_owned(),
            None => self.heading(place),
        }
    }

    /// What heads a place, whatever its own label: the lead-in of its list, else its section's title.
    #[must_use]
    pub fn heading(&self, place: &Place) -> String {
        let lead = self.block(place).and_then(|block| block.lead).and_then(|lead| {
            let blocks = &self.artefacts.get(place.artefact)?.document.blocks;
            let lead = blocks.get(lead)?;
            Some(match lead.label.as_deref() {
                Some(label) => &lead.text.plain[label.clone()],
                None => lead.text.plain.as_str(),
            })
        });
        match lead {
            Some(lead) if lead.len() <= LABEL_BYTES_MAX => lead.to_owned(),
            _ => self.section_path(place).last().map_or(String::new(), |title| (*title).to_owned()),
        }
    }

    fn block(&self, place: &Place) -> Option<&Block> {
        self.artefacts.get(place.artefact)?.document.blocks.get(place.block)
    }

    /// The text that introduces the list or the label that a place stands under, if any.
    #[must_use]
    pub fn lead(&self, place: &Place) -> Option<&str> {
        let blocks = &self.artefacts.get(place.artefact)?.document.blocks;
        let lead = blocks.get(place.block)?.lead?;
        blocks.get(lead).map(|block| block.text.plain.as_str())
    }
}

/// The label that opens a sentence: one to three words with a capital and a colon.
fn line_label(sentence: &str) -> Option<&str> {
    let (label, rest) = sentence.split_once(": ")?;
    let words = label.split_whitespace().count();
    let plain = label.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '-');
    (plain && (1..=3).contains(&words) && label.starts_with(char::is_uppercase) && !rest.trim().is_empty())
        .then_some(label)
}

/// A quote that cuts emphasis in two ("Lead:** rest") takes in the mark that opens or closes it.
fn with_emphasis(document: &Document, span: Span) -> Span {
    let source = document.source.as_bytes();
    if document.format != Format::Markdown || document.quote(span).matches("**").count().is_multiple_of(2) {
        return span;
    }
    if source[..span.start].ends_with(b"**") {
        Span::new(span.start - 2, span.end)
    } else if source[span.end..].starts_with(b"**") {
        Span::new(span.start, span.end + 2)
    } else {
        span
    }
}

/// A sentence as two places are compared: case, white space and closing punctuation folded.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
    while out.ends_with(['.', ';', ':', ',']) {
        out.pop();
    }
    out
}

/// The part of `text` around `range` that is at most `bytes_max` long, cut at clause marks where there are any.
fn clause_around(text: &str, range: &Range<usize>, bytes_max: usize) -> Range<usize> {
    if text.len() <= bytes_max || range.end > text.len() {
        return 0..text.len();
    }
    let slack = bytes_max.saturating_sub(range.len()) / 2;
    let floor = text.floor_char_boundary(range.start.saturating_sub(slack));
    let ceiling = text.floor_char_boundary(range.end + slack);
    let start = if floor == 0 {
        0
    } else {
        text[floor..range.start].find([',', ';', ':', '—', '(']).map_or_else(
            || text[floor..range.start].find(' ').map_or(range.start, |at| floor + at + 1),
            |at| next_word(text, floor + at),
        )
    };
    let end = if ceiling == text.len() {
        ceiling
    } else {
        text[range.end..ceiling].rfind([',', ';', ')']).map_or_else(
            || text[range.end..ceiling].rfind(' ').map_or(range.end, |at| range.end + at),
            |at| range.end + at,
        )
    };
    start.min(range.start)..end.max(range.end)
}

fn next_word(text: &str, from: usize) -> usize {
    text[from..].char_indices().skip(1).find(|(_, c)| !c.is_whitespace()).map_or(text.len(), |(at, _)| from + at)
}

/// A planner's HTML page shows the other artefacts again: what they carry is read there, once.
fn leave_out_repeated_html(artefacts: &mut [Artefact]) {
    let carried: HashSet<String> = artefacts
        .iter()
        .filter(|artefact| artefact.document.format != Format::Html)
        .flat_map(|artefact| artefact.document.blocks.iter())
        .map(|block| folded(&block.text.plain))
        .collect();
    if carried.is_empty() {
        return;
    }
    for artefact in artefacts.iter_mut().filter(|artefact| artefact.document.format == Format::Html) {
        let mut repeated: Vec<LeftOut> = Vec::new();
        let mut last_is_repeated = false;
        for block in &artefact.document.blocks {
            let repeats = carried.contains(&folded(&block.text.plain));
            match repeated.last_mut() {
                Some(last) if repeats && last_is_repeated => last.span.end = block.span.end.max(last.span.end),
                _ if repeats => repeated.push(LeftOut { span: block.span, reason: "another artefact carries it" }),
                _ => {}
            }
            last_is_repeated = repeats;
        }
        artefact.left_out.extend(repeated);
        artefact.left_out.sort_by_key(|left| (left.span.start, left.span.end));
    }
}
