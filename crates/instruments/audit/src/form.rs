//! What an obligation asks of the form of the answer, and whether the answer has it: headings, columns of a table, how much of what, in which order, layout,
//! language and spelling, notation of dates, times and percentages, words to be taken over as they are.
//!
//! Looked at are answers of one file, since what is asked of a report's form is not asked of each file of a run. Words are counted as word
//! processors do: runs between white space that hold a letter or a digit, without code blocks.

mod count;
mod layout;
mod notation;
mod order;
mod page;

use std::ops::Range;

use steadfast_annotate::{Pattern, content_stems};
use steadfast_ask::Tongue;
use steadfast_evidence::Quote;

pub(crate) use self::page::Page;

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
    /// So much of something.
    Count(count::Count),
    /// Things in an order.
    Order(order::Order),
    /// In one language.
    Language(Tongue),
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
        let in_sentence = |demand| match demand {
            Demand::Count(count) => Demand::Count(count.in_sentence(text, sentence)),
            Demand::Order(order) => Demand::Order(order.in_sentence(text, sentence)),
            other => other,
        };
        return Some(Demands { all: own.into_iter().map(|(demand, _)| in_sentence(demand)).collect(), is_all });
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
    let is_listed = found.iter().any(|(demand, _)| matches!(demand, Demand::Headings(_) | Demand::Columns(_)));
    let counts = count::of(text).into_iter().filter(|(count, _)| !is_listed || !count.is_of_names());
    found.extend(counts.map(|(count, range)| (Demand::Count(count), range)));
    if !is_listed {
        found.extend(order::of(text).into_iter().map(|(order, range)| (Demand::Order(order), range)));
    }
    found.extend(notation::of(text));
    found.sort_by_key(|(_, range)| (range.start, range.end));
    found
}

/// What of a text asks for a form and nothing else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// What stands between, and asks for something else.
    pub(crate) rest: Vec<Range<usize>>,
    /// Each with whether it rules something out.
    pub(crate) forms: Vec<(Range<usize>, bool)>,
}

/// The parts of a text between its marks that ask for a form and nothing else, and the rest between them. A text that asks for nothing else, or for a list of names, has none.
pub(crate) fn parts(text: &str) -> Parts {
    let is_list = |(demand, _): &(Demand, Range<usize>)| {
        matches!(
            demand,
            Demand::Headings(_) | Demand::Columns(_) | Demand::Verbatim(_) | Demand::Order(order::Order::Sequence(_))
        )
    };
    let found = demands_of(text);
    if found.is_empty() || found.iter().any(is_list) {
        return Parts::default();
    }
    let Parts { mut rest, mut forms } = Parts::default();
    let mut open = false;
    for own in segments(text) {
        let demands = text.get(own.clone()).and_then(|own| demands(own, "")).filter(|demands| demands.is_all);
        match (demands, rest.last_mut()) {
            (Some(demands), _) => {
                forms.push((own, demands.all.iter().all(Demand::rules_out)));
                open = false;
                continue;
            }
            (None, Some(last)) if open => last.end = own.end,
            (None, _) => rest.push(own),
        }
        open = true;
    }
    rest.retain(|own| text.get(own.clone()).is_some_and(|own| !content_stems(own).is_empty()));
    if rest.is_empty() && forms.len() < 2 { Parts::default() } else { Parts { rest, forms } }
}

/// The parts of a text between commas, semicolons, brackets and "and", without what joins them.
fn segments(text: &str) -> Vec<Range<usize>> {
    static JOINS: Pattern =
        Pattern::new(r"(?i)[,;:]\s+(?:(?:and|but|then)\s+)*|\s+and\s+(?:then\s+)?|\s*[()]\s*|[.!]\s+");
    let mut out = Vec::new();
    let mut start = 0;
    let ends = JOINS.find_iter(text).map(|found| found.range());
    for join in ends.chain(std::iter::once(text.len()..text.len())) {
        if start < join.start {
            out.push(start..join.start);
        }
        start = join.end;
    }
    out
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
            Self::Count(count) => count.look(page),
            Self::Order(order) => order.look(page),
            Self::Language(tongue) => notation::look_at_language(*tongue, page),
            Self::Verbatim(words) => notation::look_for_words(words, page),
            Self::Spelling(country) => notation::look_at_spelling(*country, page, prompt),
            Self::IsoDates => notation::look_at_dates(page),
            Self::Clock24 => notation::look_at_clock(page),
            Self::WholePercentages => notation::look_at_percentages(page),
        }
    }
}

fn kept(quote: Option<Quote>) -> Outcome {
    quote.map_or(Outcome::Open, |quote| Outcome::Kept(quote, None))
}

/// The same where code counted, and how much of what.
fn counted(quote: Option<Quote>, count: usize, of: &str) -> Outcome {
    let of = if count == 1 { of.trim_end_matches('s') } else { of };
    quote.map_or(Outcome::Open, |quote| Outcome::Kept(quote, Some(format!("{count} {of}"))))
}

fn broken(quote: Option<Quote>, because: String, repair: &'static str) -> Outcome {
    quote.map_or(Outcome::Open, |quote| Outcome::Broken(Fault { quote, because, repair }))
}

#[cfg(test)]
mod tests;
