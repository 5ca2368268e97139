//! What operators see of a pair: sentences with their places, which words tell, which sentences speak of the same thing.
//!
//! Nothing here knows a lexicon: a word tells the less the more of the texts have it, and two sentences speak of the same thing where they
//! share words that tell.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use steadfast_text::{BlockKind, Document, Span};

use super::Pair;

/// Letters by which words are compared: "accept" and "accepted" are the same.
const KEY_CHARS: usize = 5;
/// Words that more than this share of the texts have tell nothing.
const COMMON_SHARE: f64 = 0.5;
/// Two sentences speak of the same thing where what they share weighs at least this part of the lighter of the two.
const SAME_SHARE: f64 = 0.5;

/// A sentence that stands in the file as it reads: no markup within.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    /// Where it stands.
    pub(crate) span: Span,
    /// Its words.
    pub(crate) text: String,
    /// The block that it stands in, by its place in the document.
    pub(crate) block: usize,
    /// Whether it is an item of a list.
    pub(crate) item: bool,
    /// Its words as they are compared, each once.
    keys: Vec<String>,
}

/// A text and its sentences, those of paragraphs and lists, in order.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) document: Document,
    pub(crate) sentences: Vec<Sentence>,
}

impl Reading {
    pub(crate) fn new(document: Document) -> Self {
        let mut sentences = Vec::new();
        for (at, block) in document.blocks.iter().enumerate() {
            let item = matches!(block.kind, BlockKind::ListItem { .. });
            if !item && block.kind != BlockKind::Paragraph {
                continue;
            }
            for range in block.sentences.iter().filter(|range| block.text.verbatim((*range).clone())) {
                let text = block.text.plain[range.clone()].to_owned();
                let span = block.text.source_span(range.clone());
                let mut keys = keys(&text);
                keys.sort_unstable();
                keys.dedup();
                sentences.push(Sentence { span, text, block: at, item, keys });
            }
        }
        Self { document, sentences }
    }

    /// The text as it was given.
    pub(crate) fn source(&self) -> &str {
        &self.document.source
    }

    /// The sentences of paragraphs.
    pub(crate) fn prose(&self) -> impl Iterator<Item = &Sentence> {
        self.sentences.iter().filter(|sentence| !sentence.item)
    }

    /// The last sentence of each paragraph that can take another one: it ends as a sentence does.
    pub(crate) fn ends(&self) -> Vec<&Sentence> {
        let last = |sentence: &&Sentence| {
            let later =
                self.sentences.iter().any(|it| it.block == sentence.block && it.span.start > sentence.span.start);
            !later && sentence.text.ends_with('.')
        };
        self.prose().filter(last).collect()
    }
}

/// The words of a text in order, as they are compared.
pub(crate) fn keys(text: &str) -> Vec<String> {
    words(text).into_iter().map(|range| key(&text[range])).collect()
}

fn key(word: &str) -> String {
    word.chars().flat_map(char::to_lowercase).take(KEY_CHARS).collect()
}

/// Where words and numbers stand.
pub(crate) fn words(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = None;
    let inside = |at: usize, c: char| {
        let between =
            |other: char| text[at + c.len_utf8()..].chars().next().is_some_and(char::is_alphanumeric) && c == other;
        c.is_alphanumeric() || between('\'') || between('’')
    };
    for (at, c) in text.char_indices() {
        match (start, inside(at, c)) {
            (None, true) => start = Some(at),
            (Some(begun), false) => {
                found.push(begun..at);
                start = None;
            }
            _ => {}
        }
    }
    found.extend(start.map(|begun| begun..text.len()));
    found
}

/// A pair, read.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) ask: Reading,
    pub(crate) report: Reading,
}

/// All texts together: those that are changed, and those that only give words.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    pub(crate) pairs: Vec<Read>,
    /// How many pairs have a word.
    having: HashMap<String, usize>,
}

impl Texts {
    pub(crate) fn new(pairs: &[Pair]) -> Self {
        let read = |pair: &Pair| Read {
            ask: Reading::new(Document::from_str_as(&pair.ask, pair.ask_format)),
            report: Reading::new(Document::from_str_as(&pair.report, pair.report_format)),
        };
        let pairs: Vec<Read> = pairs.iter().map(read).collect();
        let mut having: HashMap<String, usize> = HashMap::new();
        for pair in &pairs {
            let sentences = pair.ask.sentences.iter().chain(&pair.report.sentences);
            let own: HashSet<&String> = sentences.flat_map(|sentence| &sentence.keys).collect();
            for key in own {
                *having.entry(key.clone()).or_default() += 1;
            }
        }
        Self { pairs, having }
    }

    /// How much a word tells, 0 for those that many texts have.
    fn weight(&self, key: &str) -> f64 {
        let all = self.pairs.len() as f64;
        let having = self.having.get(key).copied().unwrap_or_default() as f64;
        if having > COMMON_SHARE * all { 0.0 } else { ((all + 1.0) / having.max(1.0)).ln() }
    }

    /// Whether a word tells anything.
    pub(crate) fn tells(&self, word: &str) -> bool {
        self.weight(&key(word)) > 0.0
    }

    fn total(&self, keys: &[String]) -> f64 {
        keys.iter().map(|key| self.weight(key)).sum()
    }

    /// How much two sentences have in common, from 0 to 1; 0 where they share a single word of several.
    pub(crate) fn likeness(&self, one: &Sentence, other: &Sentence) -> f64 {
        let shared: Vec<String> =
            one.keys.iter().filter(|key| other.keys.binary_search(key).is_ok()).cloned().collect();
        let telling = shared.iter().filter(|key| self.weight(key) > 0.0).count();
        let least = self.total(&one.keys).min(self.total(&other.keys));
        let of = |sentence: &Sentence| sentence.keys.iter().filter(|key| self.weight(key) > 0.0).count();
        // Of a few words that tell, one suffices.
        let enough = if of(one).min(of(other)) <= 2 { 1 } else { 2 };
        if least <= 0.0 || telling < enough { 0.0 } else { self.total(&shared) / least }
    }

    /// The sentence of `others` that speaks of the same thing, if any does.
    pub(crate) fn same<'a>(&self, sentence: &Sentence, others: &'a [Sentence]) -> Option<&'a Sentence> {
        let mut best: Option<(&Sentence, f64)> = None;
        for other in others {
            let likeness = self.likeness(sentence, other);
            if likeness >= SAME_SHARE && best.is_none_or(|(_, most)| likeness > most) {
                best = Some((other, likeness));
            }
        }
        best.map(|(other, _)| other)
    }

    /// Whether a text is foreign to a reading: of its words that tell, at most a quarter stand there.
    pub(crate) fn is_foreign(&self, text: &str, to: &Reading) -> bool {
        let there: HashSet<&String> = to.sentences.iter().flat_map(|sentence| &sentence.keys).collect();
        let telling: Vec<String> = keys(text).into_iter().filter(|key| self.weight(key) > 0.0).collect();
        let known = telling.iter().filter(|key| there.contains(key)).count();
        !telling.is_empty() && known * 4 <= telling.len()
    }
}

#[cfg(test)]
mod tests {
    use steadfast_text::{Document, Format};

    use super::{Reading, Texts, words};
    use crate::mutate::shipped;

    #[test]
    fn words_and_their_places() {
        let text = "The owner's €60,000 – don’t!";
        let found: Vec<&str> = words(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["The", "owner's", "60", "000", "don’t"]);
    }

    #[test]
    fn sentences_stand_where_they_say() {
        let text = "# Title\n\nOne is here. Two is *there*.\n\n- Three.\n\n| a | b |\n|---|---|\n| c | d |\n";
        let reading = Reading::new(Document::from_str_as(text, Format::Markdown));
        let found: Vec<&str> = reading.sentences.iter().map(|it| &text[it.span.range()]).collect();
        assert_eq!(found, ["One is here.", "Three."]);
    }

    #[test]
    fn what_many_texts_have_tells_nothing() {
        let texts = Texts::new(&shipped().unwrap());
        assert!(!texts.tells("the") && !texts.tells("must") && texts.tells("wheelchair"));
    }
}
