//! The ask, read once: its sentences, their words, and where each word stands.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use steadfast_annotate::{base_form, content_stems};
use steadfast_embed::{Embedder, Embedding, cosine};
use steadfast_evidence::{Evaluated, Reason};
use steadfast_text::sentences;

use crate::features::Form;
use crate::model::Model;
use crate::passage::{self, Support};
use crate::words::{Kind, Word, acronym, words};

/// Sentences of the ask that are read; what follows supports nothing, and [`Grounding::truncated`] says so.
pub const ASK_SENTENCES_MAX: usize = 50_000;
/// Words of a sentence that are read, of the ask and of a passage.
pub const SENTENCE_WORDS_MAX: usize = 160;
/// Bytes of a sentence that are read: no sentence of as many words as are read is longer.
const SENTENCE_BYTES_MAX: usize = 4_096;

/// Words of a name that an acronym can stand for, at most.
const ACRONYM_WORDS_MAX: usize = 6;

/// A sentence of the ask.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    pub(crate) text: String,
    pub(crate) words: Vec<Word>,
    /// Content words.
    pub(crate) content: usize,
    /// Weight of all its content words, each once.
    pub(crate) weight: f64,
}

/// What passages are held against.
pub struct Grounding<'a> {
    pub(crate) sentences: Vec<Sentence>,
    /// In which sentences a word stands, in their order.
    pub(crate) places: HashMap<String, Vec<u32>>,
    /// Pairs of content words that follow each other.
    pub(crate) pairs: HashSet<(String, String)>,
    /// Words that stand capitalised inside a sentence.
    pub(crate) capitalised: HashSet<String>,
    /// Words in capitals alone.
    acronyms: HashSet<String>,
    /// What names of several words begin with: "UN" of "United Nations".
    initials: HashSet<String>,
    /// Vectors of sentences, made when they are first asked for; one place for each sentence.
    vectors: Vec<OnceLock<Embedding>>,
    pub(crate) embedder: Option<&'a dyn Embedder>,
    pub(crate) model: Model,
    /// Whether the ask is longer than what is read of it.
    pub truncated: bool,
}

impl fmt::Debug for Grounding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grounding")
            .field("sentences", &self.sentences.len())
            .field("truncated", &self.truncated)
            .finish_non_exhaustive()
    }
}

impl<'a> Grounding<'a> {
    /// Reads the ask from plain text.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self::read(sentences(text).into_iter().map(|range| text[range].to_owned()).collect())
    }

    /// Takes the ask as sentences that somebody else has parted.
    #[must_use]
    pub fn of_sentences<S: AsRef<str>>(parted: &[S]) -> Self {
        Self::read(parted.iter().map(|text| text.as_ref().to_owned()).collect())
    }

    /// The same ask, with vectors of its sentences: the form `minilm`. Scores are then those of the coefficients that were fitted with
    /// vectors. Only sentences that something is aligned with are embedded, each once.
    #[must_use]
    pub fn with_embedder(mut self, embedder: &'a dyn Embedder) -> Self {
        self.vectors = vec![OnceLock::new(); self.sentences.len()];
        self.embedder = Some(embedder);
        self.model = Model::shipped(Form::Minilm);
        self
    }

    /// Which form scores have here.
    #[must_use]
    pub const fn form(&self) -> Form {
        if self.embedder.is_some() { Form::Minilm } else { Form::Lexical }
    }

    /// How well the ask supports `passage`: a sentence, or a few that belong together. Not evaluable where the ask or the passage says
    /// nothing.
    ///
    /// Linear in the passage, up to its limits; the work for a word is bounded whatever the ask.
    #[must_use]
    pub fn support(&self, passage: &str) -> Evaluated<Support> {
        self.support_part(passage, 0..passage.len())
    }

    /// How well the ask supports the part `range` of `passage`, such as a name in it. The whole passage is aligned, so that the part is
    /// looked for where the ask speaks of the same; its words alone are counted. A range that does not lie on the passage's characters is
    /// not evaluable.
    #[must_use]
    pub fn support_part(&self, passage: &str, range: Range<usize>) -> Evaluated<Support> {
        if self.places.is_empty() {
            return Evaluated::NotEvaluable(Reason("the ask says nothing".to_owned()));
        }
        if passage.get(range.clone()).is_none() {
            return Evaluated::NotEvaluable(Reason(format!(
                "bytes {} to {} are no part of the passage",
                range.start, range.end
            )));
        }
        passage::support(self, passage, range)
            .map_or_else(|| Evaluated::NotEvaluable(Reason("the passage says nothing".to_owned())), Evaluated::Value)
    }

    /// How similar the vectors of these sentences are to one of `text`, in their order; `None` without an embedder.
    pub(crate) fn cosines(&self, text: &str, sentences: &[usize]) -> Option<Vec<f64>> {
        let embedder = self.embedder?;
        let missing: Vec<usize> = sentences.iter().copied().filter(|at| self.vectors[*at].get().is_none()).collect();
        let mut texts: Vec<&str> = vec![text];
        texts.extend(missing.iter().map(|at| cut(&self.sentences[*at].text)));
        let mut made = embedder.embed(&texts).into_iter();
        let own = made.next()?;
        for (at, vector) in missing.into_iter().zip(made) {
            self.vectors[at].get_or_init(|| vector);
        }
        let of = |at: &usize| self.vectors[*at].get().map_or(0.0, |their| cosine(&own.vector, &their.vector).max(0.0));
        Some(sentences.iter().map(of).collect())
    }

    fn read(mut all: Vec<String>) -> Self {
        let truncated = all.len() > ASK_SENTENCES_MAX;
        all.truncate(ASK_SENTENCES_MAX);
        let mut capitalised = HashSet::new();
        for text in &all {
            for (range, stem) in content_stems(cut(text)) {
                if range.start > 0 && text[range].chars().next().is_some_and(char::is_uppercase) {
                    capitalised.insert(stem);
                }
            }
        }
        let mut own = Self {
            sentences: Vec::with_capacity(all.len()),
            places: HashMap::new(),
            pairs: HashSet::new(),
            capitalised,
            acronyms: HashSet::new(),
            initials: HashSet::new(),
            vectors: Vec::new(),
            embedder: None,
            model: Model::shipped(Form::Lexical),
            truncated,
        };
        for text in all {
            let (words, _) = own.words(&text);
            let at = own.sentences.len() as u32;
            for word in words.iter().filter(|word| word.is_content()) {
                let places = own.places.entry(word.key.clone()).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
            let capitals = words.iter().filter(|word| word.is_content());
            own.acronyms.extend(capitals.filter_map(|word| acronym(&text[word.range.clone()])));
            own.initials.extend(runs(&text, &words).into_iter().map(|(_, initials)| initials));
            let content: Vec<&Word> = words.iter().filter(|word| word.is_content()).collect();
            for pair in content.windows(2) {
                own.pairs.insert((pair[0].key.clone(), pair[1].key.clone()));
            }
            let content = content.len();
            own.sentences.push(Sentence { text, words, content, weight: 0.0 });
        }
        for at in 0..own.sentences.len() {
            own.sentences[at].weight = own.weight_of(&own.sentences[at].words);
        }
        own
    }

    /// The words of a sentence, of the ask or of a passage, and whether it has more than are read.
    pub(crate) fn words(&self, sentence: &str) -> (Vec<Word>, bool) {
        let known = |word: &str| content_stems(word).first().is_some_and(|(_, stem)| self.capitalised.contains(stem));
        let mut words = words(cut(sentence), &known);
        let truncated = words.len() > SENTENCE_WORDS_MAX || cut(sentence).len() < sentence.len();
        words.truncate(SENTENCE_WORDS_MAX);
        (words, truncated)
    }

    /// How rare a word is in the ask: ln(1 + n / sentences with it), with a half for a word that is not there (Spärck Jones 1972).
    pub(crate) fn rarity(&self, key: &str) -> f64 {
        let with = self.places.get(key).map_or(0.5, |places| places.len() as f64);
        (1.0 + self.sentences.len() as f64 / with).ln()
    }

    /// The weight of the content words, each once.
    fn weight_of(&self, words: &[Word]) -> f64 {
        let mut seen = HashSet::new();
        let once = words.iter().filter(|word| word.is_content() && seen.insert(word.key.as_str()));
        once.map(|word| self.rarity(&word.key)).sum()
    }

    /// Where words begin that the ask holds in another form: an acronym for a name of several words, or such a name for its acronym.
    pub(crate) fn spelled(&self, sentence: &str, words: &[Word]) -> HashSet<usize> {
        let short = words.iter().filter(|word| {
            acronym(&sentence[word.range.clone()]).is_some_and(|initials| self.initials.contains(&initials))
        });
        let long = runs(sentence, words).into_iter().filter(|(_, initials)| self.acronyms.contains(initials));
        let long = long.flat_map(|(run, _)| &words[run]);
        short.chain(long).map(|word| word.range.start).collect()
    }

    /// Whether the ask holds the word; of a number that is not there whether it holds all that it is written with.
    pub(crate) fn holds(&self, sentence: &str, word: &Word) -> bool {
        if self.places.contains_key(&word.key) {
            return true;
        }
        if word.kind != Kind::Number {
            return false;
        }
        let parts = content_stems(&sentence[word.range.clone()]);
        !parts.is_empty() && parts.iter().all(|(_, stem)| self.places.contains_key(base_form(stem)))
    }
}

/// The beginning of a sentence that is read.
pub(crate) fn cut(sentence: &str) -> &str {
    &sentence[..sentence.floor_char_boundary(SENTENCE_BYTES_MAX)]
}

/// Names of several words that stand side by side, and what their words begin with; of a long name every part as well.
fn runs(sentence: &str, words: &[Word]) -> Vec<(Range<usize>, String)> {
    let mut out = Vec::new();
    let mut end = 0;
    for start in 0..words.len() {
        end = end.max(start);
        while words.get(end).is_some_and(|word| word.kind == Kind::Name) {
            end += 1;
        }
        let letter = |word: &Word| sentence[word.range.clone()].chars().next().filter(|own| own.is_uppercase());
        for last in start + 2..=end.min(start + ACRONYM_WORDS_MAX) {
            if let Some(initials) = words[start..last].iter().map(letter).collect::<Option<String>>() {
                out.push((start..last, initials));
            }
        }
    }
    out
}
