//! Looking up what a model quotes.

use steadfast_evidence::{PROPOSED_QUOTE_BYTES_MAX, Quote};
use steadfast_text::Span;

use super::{Item, obligations_at};
use crate::answer::{Claim, Place};
use crate::exchange::{Part, Piece, ProposedIncident, ProposedItem};
use crate::locate::{Finder, SOURCE_BYTES_MIN, is_left_out, points, whole_words};
use crate::voice::Voice;

/// What a source says that is not in the prompt.
const NOT_IN_PROMPT: &str = "not in prompt";

/// A claim of less points at nothing, in bytes of letters and digits.
const CLAIM_BYTES_MIN: usize = 8;
/// The same for an item of the contract: names are short.
const ITEM_BYTES_MIN: usize = 2;

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

impl Finder<'_> {
    /// An item of the contract, in the prompt.
    pub(super) fn item(&self, item: &ProposedItem) -> Result<Item, String> {
        points(&item.text, ITEM_BYTES_MIN)?;
        let quote = self.in_prompt(&item.text).ok_or("its words do not stand in the prompt")?;
        let obligation = obligations_at(self.contract, quote.span()).first().copied();
        Ok(Item { kind: item.kind, quote, obligation })
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
            return Err(self.not_in_report(claim));
        };
        let artefact = &self.answer.artefacts[place.text];
        if place.span.len() > PROPOSED_QUOTE_BYTES_MAX {
            return Err(format!("it quotes more than {PROPOSED_QUOTE_BYTES_MAX} bytes, which points at nothing"));
        }
        let quote =
            Quote::cut(artefact.file, &artefact.document, place.span).ok_or_else(|| self.not_in_report(claim))?;
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
        let section = self.answer.section_path(at).into_iter().map(str::to_owned).collect();
        Ok(Located { quote, also_at, source, voice, assumed: own.stance.assumed, section })
    }

    /// The other places of the very same words in what is judged.
    fn elsewhere(&self, quote: &Quote, place: Part) -> Result<Vec<Quote>, String> {
        let mut places = Vec::new();
        for (text, artefact) in self.answer.artefacts.iter().enumerate() {
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
