//! What a chat model lists of a whole report, beside what it says of obligations: what it lists alone is asked about once more, since a first reading lists too much.

use steadfast_audit::exchange::{CANDIDATES_MAX, Verdict, Words, again, decided};
use steadfast_audit::proposals::{Proposal, Relation};
use steadfast_dialogue::{Passage, Record, Request};
use steadfast_wire::audit as wire;
use steadfast_wire::to_json_line;

use super::super::Open;
use crate::chat::{FENCE_BYTES, fenced_bytes};

/// Bytes on either side of a finding that are shown with it where the report does not stand beside.
const AROUND_BYTES: usize = 400;

/// What was only listed.
pub(super) struct Candidates {
    all: Vec<Proposal>,
    texts: Vec<Passage>,
    /// A line for each of the first: those that fit beside the texts.
    lines: Vec<String>,
    said: Vec<Option<(Verdict, String)>>,
}

impl Candidates {
    /// What was listed and not said of an obligation.
    pub(super) fn of(
        listed: Vec<Proposal>,
        said: &[Proposal],
        open: &Open,
        texts: Vec<Passage>,
        room_bytes: usize,
    ) -> Self {
        let finds = |own: &&Proposal| !matches!(own.relation, Relation::Kept | Relation::Unrelated);
        let known: Vec<Words> = said.iter().filter(finds).map(|own| words_of(own, open)).collect();
        let is_new = |own: &Proposal| {
            let words = words_of(own, open);
            !known.iter().any(|known| known.is_same(&words))
        };
        let all: Vec<Proposal> = listed.into_iter().filter(is_new).collect();
        let beside: usize = texts.iter().map(|own| fenced_bytes(&own.text) + FENCE_BYTES).sum();
        let mut left = room_bytes.saturating_sub(beside + FENCE_BYTES);
        let line = |(at, own): (usize, &Proposal)| {
            let quote = own.quote.trim();
            let is_shown = quote.is_empty() || texts.iter().any(|text| text.text.contains(quote));
            let shown = wire::Candidate {
                asked: own.asked.clone().unwrap_or_default(),
                quote: own.quote.clone(),
                why: own.why.clone(),
                around: if is_shown { None } else { around(open, quote) },
            };
            // Plain data always has a JSON form.
            let line = format!("{} {}", at + 1, to_json_line(&shown).unwrap_or_default());
            left = left.checked_sub(fenced_bytes(&line))?;
            Some(line)
        };
        let lines: Vec<String> = all.iter().take(CANDIDATES_MAX).enumerate().map_while(line).collect();
        let said = vec![None; lines.len()];
        Self { all, texts, lines, said }
    }

    /// What is to be asked; `None` where that is nothing.
    pub(super) fn request(&self, reply_tokens_max: u32) -> Option<Request> {
        let mut passages = self.texts.clone();
        passages.push(Passage { label: "candidates", text: self.lines.concat() });
        (!self.lines.is_empty()).then(|| again(passages, reply_tokens_max))
    }

    /// Takes what was said of them.
    pub(super) fn decide(&mut self, record: &Record) {
        self.said = decided(record, self.lines.len());
    }

    /// What goes against words of the prompt on a second reading as well, and what does not.
    pub(super) fn left(self) -> (Vec<Proposal>, Vec<wire::Unconfirmed>) {
        let (mut stands, mut unconfirmed) = (Vec::new(), Vec::new());
        let mut said = self.said.into_iter();
        for own in self.all {
            let reason = match said.next().flatten() {
                Some((Verdict::Against, _)) => {
                    stands.push(own);
                    continue;
                }
                Some((_, why)) => why,
                None => "it was not looked at again".to_owned(),
            };
            let Proposal { asked, quote, why, .. } = own;
            unconfirmed.push(wire::Unconfirmed { asked: asked.unwrap_or_default(), quote, why, reason });
        }
        (stands, unconfirmed)
    }
}

/// The words of a finding.
fn words_of(own: &Proposal, open: &Open) -> Words {
    let id = own.obligation.as_deref();
    let named = open.obligations.iter().find(|it| Some(it.id.as_str()) == id).map(|it| it.span.quote.as_str());
    Words::of(&own.quote, named.or(own.asked.as_deref()).unwrap_or_default())
}

/// What stands around words of the report.
fn around(open: &Open, quote: &str) -> Option<String> {
    let answers = open.sources.iter().filter(|own| own.role == wire::Role::Answer);
    let (text, at) =
        answers.filter_map(|own| open.texts.get(&own.file)).find_map(|text| Some((text, text.find(quote)?)))?;
    let start = text.ceil_char_boundary(at.saturating_sub(AROUND_BYTES));
    let end = text.floor_char_boundary(at + quote.len() + AROUND_BYTES);
    Some(text[start..end].to_owned())
}
