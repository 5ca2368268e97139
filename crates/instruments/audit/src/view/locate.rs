//! Looking up what a model quotes.

use steadfast_evidence::Quote;
use steadfast_text::{Document, QuoteIndex, Span};

use super::{Item, obligations_at};
use crate::answer::{Artefact, Claim, Place};
use crate::evaluation::Examined;
use crate::exchange::{Part, Piece, ProposedIncident, ProposedItem};
use crate::run;
use crate::voice::Voice;

/// What a source says that is not in the prompt.
const NOT_IN_PROMPT: &str = "not in prompt";

/// A claim of less points at nothing, in bytes of letters and digits.
const CLAIM_BYTES_MIN: usize = 8;
/// The same for words of the prompt: bans are short.
const SOURCE_BYTES_MIN: usize = 4;
/// The same for an item of the contract: names are short.
const ITEM_BYTES_MIN: usize = 2;

/// A quote of more points at nothing, in bytes …
const QUOTE_BYTES_MAX: usize = 600;
/// … nor does one of more sentences.
const SENTENCES_MAX: usize = 3;

/// Words that stand at more places point at none.
const PLACES_MAX: usize = 20;

/// Words of the report that stand in the prompt are the prompt's, from so many words on.
const REPEATED_WORDS_MIN: usize = 5;

/// A proposed incident whose words were found.
pub(super) struct Located {
    /// The words of the report.
    pub(super) quote: Quote,
    /// The same words elsewhere in the report.
    pub(super) also_at: Vec<Quote>,
    /// The words of the prompt.
    pub(super) source: Option<Quote>,
    /// In which voice the report says it.
    pub(super) voice: Voice,
    /// Whether it is flagged as assumed.
    pub(super) assumed: bool,
    /// The titles above it.
    pub(super) section: Vec<String>,
}

/// The documents, made ready for looking up quotes.
pub(super) struct Finder<'a> {
    examined: &'a Examined,
    prompt: Option<(QuoteIndex<'a>, &'a Document, Span)>,
    report: Vec<QuoteIndex<'a>>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(examined: &'a Examined) -> Self {
        let prompt = examined.evaluation.contract.document.as_ref();
        Self {
            examined,
            prompt: prompt.map(|document| (QuoteIndex::new(document), document, run::body(document))),
            report: examined.answer.artefacts.iter().map(|artefact| QuoteIndex::new(&artefact.document)).collect(),
        }
    }

    /// An item of the contract, in the prompt.
    pub(super) fn item(&self, item: &ProposedItem) -> Result<Item, String> {
        points(&item.text, ITEM_BYTES_MIN)?;
        let quote = self.in_prompt(&item.text).ok_or("its words do not stand in the prompt")?;
        let obligation = obligations_at(&self.examined.evaluation.contract, quote.span()).first().copied();
        Ok(Item { kind: item.kind, quote, obligation })
    }

    /// Words of the user in the prompt; not of the frame around them.
    fn in_prompt(&self, text: &str) -> Option<Quote> {
        let (index, document, body) = self.prompt.as_ref()?;
        let found = index.locate_where(text, |span| body.contains(span) && whole_words(document, span))?;
        self.examined.evaluation.contract.quote(found.span)
    }

    /// An incident: its words in the piece that was asked about, else anywhere in the report, and its source in the prompt.
    pub(super) fn incident(&self, own: &ProposedIncident, pieces: &[Piece]) -> Result<Located, String> {
        let claim = own.output_claim.trim();
        if claim.is_empty() {
            return Err("it quotes no words of the report".to_owned());
        }
        points(claim, CLAIM_BYTES_MIN)?;
        let source = match own.source_reference.trim() {
            "" => return Err("it names no words of the prompt, nor says `not in prompt`".to_owned()),
            NOT_IN_PROMPT => None,
            words => {
                points(words, SOURCE_BYTES_MIN)?;
                Some(self.in_prompt(words).ok_or("its `source_reference` does not stand in the prompt")?)
            }
        };
        let parts = pieces.get(own.piece).map_or(&[][..], |piece| piece.parts.as_slice());
        let Some(place) = self.in_report(claim, parts) else {
            return Err(if self.in_prompt(claim).is_some() {
                "its words stand in the prompt alone, which says nothing of the report".to_owned()
            } else if self.left_out(claim) {
                "its words stand only where the report repeats the prompt or another artefact".to_owned()
            } else {
                "its `output_claim` does not stand in the report".to_owned()
            });
        };
        let artefact = &self.examined.answer.artefacts[place.text];
        if place.span.len() > QUOTE_BYTES_MAX {
            return Err(format!("it quotes more than {QUOTE_BYTES_MAX} bytes, which points at nothing"));
        }
        let quote = Quote::cut(artefact.file, &artefact.document, place.span)
            .ok_or("its `output_claim` does not stand in the report")?;
        let also_at = self.elsewhere(&quote, place)?;
        if claim.split_whitespace().count() >= REPEATED_WORDS_MIN && self.in_prompt(claim).is_some() {
            return Err("the report says it in the prompt's own words".to_owned());
        }
        let said = self.said_at(place);
        if said.is_empty() {
            return Err("nothing is claimed where it stands (code, or text without a sentence)".to_owned());
        }
        if said.len() > SENTENCES_MAX {
            return Err(format!("it quotes more than {SENTENCES_MAX} sentences, which points at nothing"));
        }
        let voiced: Vec<(Voice, &Claim, &Place)> =
            said.into_iter().map(|(own, at)| (voice_of(own, claim), own, at)).collect();
        let can_drift = |(voice, own, _): &&(Voice, &Claim, &Place)| voice.can_drift() && !own.stance.excluded;
        let Some(&(voice, own, at)) = voiced.iter().find(can_drift) else {
            let excluded = voiced.iter().any(|(_, own, _)| own.stance.excluded);
            let voice = voiced.first().map_or(Voice::Asserted, |first| first.0);
            return Err(if excluded && voice.can_drift() {
                "it stands in a list of what is left out or banned, so it is not done".to_owned()
            } else {
                format!("it is said as {}, which cannot drift", named(voice))
            });
        };
        let section = self.examined.answer.section_path(at).into_iter().map(str::to_owned).collect();
        Ok(Located { quote, also_at, source, voice, assumed: own.stance.assumed, section })
    }

    /// Where words stand in what is judged of the report: in these parts, else anywhere, in the run's order.
    fn in_report(&self, words: &str, parts: &[Part]) -> Option<Part> {
        let artefacts = &self.examined.answer.artefacts;
        let find = |text: usize, within: Option<Span>| {
            let artefact = artefacts.get(text)?;
            let accepts = |span: Span| {
                within.is_none_or(|within| within.contains(span))
                    && whole_words(&artefact.document, span)
                    && !is_left_out(artefact, span)
            };
            Some(Part { text, span: self.report.get(text)?.locate_where(words, accepts)?.span })
        };
        parts
            .iter()
            .find_map(|part| find(part.text, Some(part.span)))
            .or_else(|| (0..artefacts.len()).find_map(|text| find(text, None)))
    }

    /// Whether words stand in what is not judged.
    fn left_out(&self, words: &str) -> bool {
        let artefacts = &self.examined.answer.artefacts;
        let mut indexed = self.report.iter().zip(artefacts);
        indexed.any(|(index, own)| index.locate_where(words, |span| whole_words(&own.document, span)).is_some())
    }

    /// The other places of the very same words in what is judged.
    fn elsewhere(&self, quote: &Quote, place: Part) -> Result<Vec<Quote>, String> {
        let mut places = Vec::new();
        for (text, artefact) in self.examined.answer.artefacts.iter().enumerate() {
            for (start, _) in artefact.document.source.match_indices(quote.text()) {
                let span = Span::new(start, start + quote.text().len());
                if (text == place.text && span == place.span)
                    || is_left_out(artefact, span)
                    || !whole_words(&artefact.document, span)
                {
                    continue;
                }
                if places.len() + 1 == PLACES_MAX {
                    return Err(format!("its words stand at more than {PLACES_MAX} places, so they point at none"));
                }
                places.extend(Quote::cut(artefact.file, &artefact.document, span));
            }
        }
        Ok(places)
    }

    /// The sentences of the report at a place, with where they stand, in their order.
    fn said_at(&self, place: Part) -> Vec<(&'a Claim, &'a Place)> {
        let answer = &self.examined.answer;
        let Some(artefact) = answer.artefacts.get(place.text) else { return Vec::new() };
        let mut said = Vec::new();
        for (index, block) in artefact.document.blocks.iter().enumerate() {
            if !block.span.overlaps(place.span) {
                continue;
            }
            for &claim in answer.by_block.get(&(place.text, index)).into_iter().flatten() {
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

/// In which voice the quoted words of a sentence are said: criticism may turn to a proposal before their end.
fn voice_of(own: &Claim, quoted: &str) -> Voice {
    let end = own.text.find(quoted).map_or(own.text.len(), |start| start + quoted.len());
    own.voice_at(&(end..end))
}

const fn named(voice: Voice) -> &'static str {
    match voice {
        Voice::Asserted => "the plan's own words",
        Voice::Chosen => "a chosen option",
        Voice::Proposed => "a proposal",
        Voice::OptionNotChosen => "an option that was not chosen",
        Voice::Question => "a question",
        Voice::Criticism => "criticism",
        Voice::Imagined => "something imagined",
        Voice::Reference => "something about other projects",
        Voice::ToBeMade => "something about documents still to be made",
    }
}

/// Whether words are enough to point at a place.
fn points(words: &str, bytes_min: usize) -> Result<(), String> {
    let bytes: usize = words.chars().filter(|c| c.is_alphanumeric()).map(char::len_utf8).sum();
    if bytes < bytes_min {
        return Err(format!("\"{}\" is too short to point at a place", words.trim()));
    }
    Ok(())
}

fn is_left_out(artefact: &Artefact, span: Span) -> bool {
    artefact.left_out.iter().any(|left| left.span.overlaps(span))
}

/// Whether a place begins and ends where words do. Scripts that write no space between words end one with every character.
fn whole_words(document: &Document, span: Span) -> bool {
    let source = &document.source;
    let (Some(before), Some(own), Some(after)) =
        (source.get(..span.start), source.get(span.range()), source.get(span.end..))
    else {
        return false;
    };
    let joined = |left: Option<char>, right: Option<char>| match (left, right) {
        (Some(left), Some(right)) => spaced(left) && spaced(right),
        _ => false,
    };
    !joined(before.chars().next_back(), own.chars().next()) && !joined(own.chars().next_back(), after.chars().next())
}

/// A letter or digit of a script that parts words by spaces: not of the planes of East and South-East Asia.
fn spaced(c: char) -> bool {
    c.is_alphanumeric()
        && !matches!(c,
            '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}
