//! What an obligation asks of the form of the answer, and whether the answer has it: headings, columns of a table, length, layout, spelling,
//! notation of dates, times and percentages, words to be taken over as they are.
//!
//! Looked at are answers of one file, since what is asked of a report's form is not asked of each file of a run. Words are counted as word
//! processors do: runs between white space that hold a letter or a digit, without code blocks.

mod layout;
mod length;
mod notation;

use std::ops::Range;

use steadfast_annotate::content_stems;
use steadfast_evidence::Quote;
use steadfast_text::{Block, BlockKind};

use crate::answer::{Answer, Artefact};
use crate::pattern::Pattern;

/// A form that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// These headings, in this order.
    Headings(Vec<String>),
    /// A table with these columns.
    Columns(Vec<String>),
    /// Nothing of a kind.
    Without(layout::Thing),
    /// Something of a kind.
    With(layout::Thing),
    /// So many words.
    Words(length::Length),
    /// So many pages at most.
    Pages(length::Length),
    /// A list of so many items.
    Items(usize),
    /// These words as they stand.
    Verbatim(String),
    /// The spelling of a country.
    Spelling(notation::Country),
    /// Years first, and digits alone.
    IsoDates,
    /// Clock times from 0 to 24.
    Clock24,
    /// Percentages without decimals.
    WholePercentages,
}

/// What became of a form that is asked for.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// The answer has it; these words show it, or so much was counted from them on.
    Kept(Quote, Option<String>),
    /// What must not stand in the answer does not.
    NothingFound,
    /// The answer does not have it.
    Broken(Fault),
    /// The answer does not show whether it has it.
    Open,
}

/// A form that the answer does not have.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// The words of the answer that show it.
    pub(crate) quote: Quote,
    /// What was asked and what the answer has, in a sentence.
    pub(crate) because: String,
    /// What to do about it.
    pub(crate) repair: &'static str,
}

/// The answer as one page.
pub(crate) struct Page<'a> {
    artefact: &'a Artefact,
    /// The blocks that are judged, without code.
    blocks: Vec<&'a Block>,
}

/// The forms that an obligation asks for, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Demands {
    /// Each of them.
    pub(crate) all: Vec<Demand>,
    /// Whether the obligation asks for nothing else: "under 250 words, and tell me what you could not verify" does.
    pub(crate) is_all: bool,
}

/// The longest text that is read for a form, in bytes: what is longer is seldom a form, and every obligation of a sentence looks at it.
const TEXT_BYTES_MAX: usize = 320;
/// Content words beside its forms from which on an obligation asks for something else as well.
const OTHER_WORDS_MIN: usize = 3;

/// The forms that the words of an obligation ask for; `None` where they ask for none. `sentence` is the sentence of the prompt that it is a part of:
/// a list of headings is often parted from the words that say what it is.
pub(crate) fn demands(text: &str, sentence: &str) -> Option<Demands> {
    let own = demands_of(text);
    if !own.is_empty() {
        let mut rest = text.to_owned();
        for (_, range) in own.iter().rev() {
            rest.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        let is_all = content_stems(&rest).len() < OTHER_WORDS_MIN;
        return Some(Demands { all: own.into_iter().map(|(demand, _)| demand).collect(), is_all });
    }
    let sentence = if sentence.len() > TEXT_BYTES_MAX || text.len() > TEXT_BYTES_MAX { "" } else { sentence };
    let of_sentence = layout::headings_of_part(text, sentence).map(Demand::Headings).or_else(|| {
        let (words, _) = notation::verbatim(sentence)?;
        let is_part = text.len() < sentence.len() && (text.contains(&words) || words.contains(text));
        is_part.then_some(Demand::Verbatim(words))
    })?;
    Some(Demands { all: vec![of_sentence], is_all: true })
}

/// The forms that a text asks for, each with the words that say so, in their order; none of a text of more than [`TEXT_BYTES_MAX`].
pub(crate) fn demands_of(text: &str) -> Vec<(Demand, Range<usize>)> {
    let mut found: Vec<(Demand, Range<usize>)> = Vec::new();
    if text.len() > TEXT_BYTES_MAX {
        return found;
    }
    // A list of headings or columns is all that stands around it.
    found.extend(layout::headings(text).map(|asked| (Demand::Headings(asked), 0..text.len())));
    if found.is_empty() {
        found.extend(layout::columns(text).map(|asked| (Demand::Columns(asked), 0..text.len())));
    }
    found.extend(layout::without(text));
    if found.is_empty() {
        found.extend(layout::with(text));
    }
    found.extend(length::of(text));
    found.extend(notation::of(text));
    found.sort_by_key(|(_, range)| (range.start, range.end));
    found
}

impl Demands {
    /// What became of all of them: one that is broken breaks the obligation, and one that does not show leaves it open.
    pub(crate) fn look(&self, page: &Page<'_>, prompt: &str) -> Outcome {
        let mut outcomes: Vec<Outcome> = self.all.iter().map(|demand| demand.look(page, prompt)).collect();
        let rank = |outcome: &Outcome| match outcome {
            Outcome::Broken(_) => 0,
            Outcome::Open => 1,
            Outcome::Kept(..) => 2,
            Outcome::NothingFound => 3,
        };
        outcomes.sort_by_key(rank);
        outcomes.into_iter().next().unwrap_or(Outcome::Open)
    }
}

impl Demand {
    /// Whether it rules something out.
    pub(crate) const fn rules_out(&self) -> bool {
        matches!(self, Self::Without(_))
    }

    /// What became of it.
    pub(crate) fn look(&self, page: &Page<'_>, prompt: &str) -> Outcome {
        match self {
            Self::Headings(asked) => layout::look_for_headings(asked, page),
            Self::Columns(asked) => layout::look_for_columns(asked, page),
            Self::Without(thing) => layout::look_for(*thing, page),
            Self::With(thing) => layout::look_for_one(*thing, page),
            Self::Words(length) => length::count_words(length, page),
            Self::Pages(length) => length::count_pages(length, page),
            Self::Items(wanted) => length::count_items(*wanted, page),
            Self::Verbatim(words) => notation::look_for_words(words, page),
            Self::Spelling(country) => notation::look_at_spelling(*country, page, prompt),
            Self::IsoDates => notation::look_at_dates(page),
            Self::Clock24 => notation::look_at_clock(page),
            Self::WholePercentages => notation::look_at_percentages(page),
        }
    }
}

impl<'a> Page<'a> {
    /// The answer, where it is one file.
    pub(crate) fn of(answer: &'a Answer) -> Option<Self> {
        let [artefact] = &answer.artefacts[..] else { return None };
        Some(Self { artefact, blocks: artefact.judged_blocks().collect() })
    }

    fn quote(&self, block: &Block) -> Option<Quote> {
        Quote::cut(self.artefact.file, &self.artefact.document, block.span)
    }

    /// The first words of the answer that `find` finds in the text of a block, and where they stand.
    fn first(&self, find: impl Fn(&str) -> Option<Range<usize>>) -> Option<(String, Quote)> {
        self.blocks.iter().find_map(|block| {
            let range = find(&block.text.plain)?;
            let said = block.text.plain.get(range.clone())?.to_owned();
            let span = self.artefact.document.evidence_span(block, range);
            Some((said, Quote::cut(self.artefact.file, &self.artefact.document, span)?))
        })
    }

    /// Every place that a pattern finds in a block, without those in code, in quotation marks and under the head of a column of what was found ("as typed"),
    /// which are spoken of: the words and where they stand.
    fn uses(&self, pattern: &Pattern) -> Vec<(String, Quote)> {
        let document = &self.artefact.document;
        let mut found = Vec::new();
        for block in self.blocks.iter().filter(|block| !self.is_as_found(block)) {
            for own in pattern.iter().flat_map(|pattern| pattern.find_iter(&block.text.plain)) {
                let span = document.evidence_span(block, own.range());
                let before = document.source.get(..span.start).and_then(|before| before.chars().next_back());
                let quoted = before.is_some_and(|c| matches!(c, '`' | '"' | '“' | '\'' | '‘' | '«'));
                if let Some(quote) = Quote::cut(self.artefact.file, document, span).filter(|_| !quoted) {
                    found.push((own.as_str().to_owned(), quote));
                }
            }
        }
        found
    }

    /// Whether a block is a cell under the head of a column that says what was found, not what the report says.
    fn is_as_found(&self, block: &Block) -> bool {
        let BlockKind::TableCell { table, column, .. } = block.kind else { return false };
        let document = &self.artefact.document;
        let head = document.tables.get(table).filter(|own| own.has_header).and_then(|own| own.rows.first());
        let head = head.and_then(|row| document.blocks.get(*row.get(column)?));
        head.is_some_and(|head| AS_FOUND.as_ref().is_some_and(|own| own.is_match(&head.text.plain)))
    }
}

fn kept(quote: Option<Quote>) -> Outcome {
    quote.map_or(Outcome::Open, |quote| Outcome::Kept(quote, None))
}

/// The same where code counted, and how much of what.
fn counted(quote: Option<Quote>, count: usize, of: &str) -> Outcome {
    quote.map_or(Outcome::Open, |quote| Outcome::Kept(quote, Some(format!("{count} {of}"))))
}

fn broken(quote: Option<Quote>, because: String, repair: &'static str) -> Outcome {
    quote.map_or(Outcome::Open, |quote| Outcome::Broken(Fault { quote, because, repair }))
}

/// A pattern that is compiled once.
macro_rules! pattern {
    ($source:expr) => {
        std::sync::LazyLock::new(|| steadfast_annotate::pattern($source).ok())
    };
}
use pattern;

/// How the head of a column says that its cells are what was found.
static AS_FOUND: Pattern =
    pattern!(r"(?i)\b(?:as (?:typed|entered|found|given|written|read|it was)|raw|original(?:ly)?|before|source|old)\b");

#[cfg(test)]
mod tests;
