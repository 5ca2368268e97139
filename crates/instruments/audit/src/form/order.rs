//! In which order things stand in the answer: what comes first and last, what follows what, by what rows are sorted.

use std::ops::Range;

use steadfast_annotate::{Pattern, content_stems, quantities, stems};
use steadfast_evidence::Quote;
use steadfast_text::{Block, BlockKind};

use super::page::{Page, words_of};
use super::{Outcome, broken, kept};
use crate::details::{self, Worth};

/// An order that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Something comes first or last.
    Edge(Edge, What),
    /// These things, one behind the other.
    Sequence(Vec<String>),
    /// Rows or items by the values that these stems name.
    Sorted(Vec<String>, Option<Direction>),
}

/// The beginning or the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    First,
    Last,
}

/// What stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// These words.
    Words(String),
    /// A question.
    Question,
    /// A date.
    Date,
    /// Something that these stems name.
    Named(Vec<String>),
}

/// Whether values grow or shrink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
}

/// Blocks at either end that are its beginning and its end: a title, a greeting and the first paragraph; the last one and a signature.
const EDGE_BLOCKS: usize = 2;
/// Words that name a thing, at most.
const NAME_WORDS_MAX: usize = 9;
/// Things of a sequence, at least and at most.
const SEQUENCE_MIN: usize = 3;
const SEQUENCE_MAX: usize = 24;
/// Until so many minutes past midnight a day goes on, and how many it has.
const EARLY_MINUTES: f64 = 300.0;
const DAY_MINUTES: f64 = 1_440.0;
/// Rows that show how they are sorted, at least.
const ROWS_MIN: usize = 3;

static BEGINS: Pattern = Pattern::new(
    r"(?i)^\W*(?:please\s+)?(?:start|begin|open|lead)(?:s|ing)?\s+(?:it\s+|off\s+)?(?:with|w/|on)\s+(?:the\s+|a\s+|an\s+)?([^,;:.\n(]{3,80})",
);
static ENDS: Pattern = Pattern::new(
    r"(?i)^\W*(?:please\s+)?(?:end|finish|close|conclude)(?:s|ing)?\s+(?:it\s+|off\s+)?(?:with|w/|on|by)\s+(?:the\s+|a\s+|an\s+)?([^;:.\n(]{3,80})",
);
/// "The last line reads: …", "sign off "Best, Ros"", "starts with "Hello"".
static EDGE_WORDS: Pattern = Pattern::new(
    "(?i)\\b(?:(first|opening)|last|final|closing)\\s+(?:line|sentence|words?)(?:\\s+of\\s+\\w+(?:\\s+\\w+)?)?\\s*(?:is|be|reads?|must be|should be|should read|=|:)?:?\\s*[\"“]([^\"”\\n]{2,120})[\"”]|^\\W*(?:please\\s+)?(?:(start|begin|open)|end|finish|close|sign(?:\\s+off|\\s+it)?)(?:s|ing)?\\s+(?:it\\s+)?(?:only\\s+)?(?:with|w|as|on)?:?\\s*[\"“]([^\"”\\n]{2,120})[\"”]",
);
/// "Last line: questions to ext. 240".
static EDGE_LINE: Pattern = Pattern::new(
    r"(?i)\b(?:very )?(?:(first|top|opening)|last|final|bottom|closing) (?:line|sentence)(?: of all)?\s*(?:is|=|:|gives|should be|should|about)\s+([^;\n]{3,80})",
);
/// "This order" of goods is none.
static IN_ORDER: Pattern = Pattern::new(r"(?i)\bin (?:exactly )?(?:this|the following) order:?\s*|^\W*this order:\s*");
static THAT_ORDER: Pattern = Pattern::new(r"(?i),?\s*in (?:exactly )?that order\b");
static THEN: Pattern = Pattern::new(r"(?i),?\s*\b(?:and\s+)?then\b\s*(?:the\s+|a\s+)?");
static SORT: Pattern = Pattern::new(
    r"(?i)\b(?:sort(?:ed)?|order(?:ed)?)\s+(?:strictly\s+)?by\s+([\w -]{3,40})|\bin (date|alphabetical) order\b|\b(alphabetical)ly\b",
);
static UP: Pattern = Pattern::new(
    r"(?i)\b(?:lowest|smallest|cheapest|fewest|earliest|oldest|shortest|lightest|ascending|alphabetical\w*)\b",
);
static DOWN: Pattern = Pattern::new(
    r"(?i)\b(?:highest|biggest|largest|most (?:frequent|expensive|recent)|newest|latest|longest|heaviest|dearest|descending|slowest)\b",
);
static SUM: Pattern = Pattern::new(r"(?i)\b(?:totals?|sum|average|overall|altogether)\b");
static AT_HEAD: Pattern = Pattern::new(r"(?i)\b(?:first|on top|at the top|descending|ascending|alphabetical\w*)\b");

/// The orders that a text asks for, each with the words that say so.
pub(super) fn of(text: &str) -> Vec<(Order, Range<usize>)> {
    if let Some(found) = sequence(text) {
        return vec![(Order::Sequence(found), 0..text.len())];
    }
    if let Some(found) = sorted(text) {
        return vec![found];
    }
    let mut out = Vec::new();
    let edge = |is_first: bool| if is_first { Edge::First } else { Edge::Last };
    if let Some(found) = EDGE_WORDS.captures(text)
        && let (Some(all), Some(words)) = (found.get(0), found.get(2).or(found.get(4)))
    {
        let place = edge(found.get(1).or(found.get(3)).is_some());
        // "Close with "Thanks" and my name": then they need not be the very last.
        let is_all = stems(text.get(all.end()..).unwrap_or_default()).is_empty();
        let what = if is_all { What::Words(words.as_str().to_owned()) } else { What::Named(stems(words.as_str())) };
        return vec![(Order::Edge(place, what), all.range())];
    }
    if let Some(found) = EDGE_LINE.captures(text)
        && let (Some(all), Some(name)) = (found.get(0), found.get(2))
        && let Some(what) = what(name.as_str())
    {
        return vec![(Order::Edge(edge(found.get(1).is_some()), what), all.range())];
    }
    for (pattern, edge) in [(&BEGINS, Edge::First), (&ENDS, Edge::Last)] {
        let Some(found) = pattern.captures(text) else { continue };
        let (Some(all), Some(name)) = (found.get(0), found.get(1)) else { continue };
        if let Some(what) = what(name.as_str()) {
            out.push((Order::Edge(edge, what), all.range()));
        }
    }
    out
}

fn what(name: &str) -> Option<What> {
    let name = name.trim();
    let low = name.to_lowercase();
    if words_of(name) > NAME_WORDS_MAX {
        return None;
    }
    if low.starts_with("question") {
        return Some(What::Question);
    }
    if matches!(low.as_str(), "date" | "dates" | "the date" | "the dates") {
        return Some(What::Date);
    }
    let stems = stems(name);
    (!stems.is_empty()).then_some(What::Named(stems))
}

/// "In this order: a, b, c", "a first, then b, then c".
fn sequence(text: &str) -> Option<Vec<String>> {
    let behind = IN_ORDER.find(text).map(|found| &text[found.end()..]);
    let before = || THAT_ORDER.find(text).map(|found| text[..found.start()].rsplit(": ").next().unwrap_or_default());
    let listed = behind.or_else(before).and_then(|own| {
        let list = own.split(['\n', '.']).next()?;
        [" / ", " – ", " → ", " > ", "; ", ", "]
            .iter()
            .map(|mark| super::layout::names(list, mark))
            .find(|own| own.len() >= SEQUENCE_MIN)
    });
    let found = listed.or_else(|| {
        let parts: Vec<String> =
            THEN.split(text).map(|own| own.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()).collect();
        (parts.len() >= SEQUENCE_MIN).then_some(parts)
    })?;
    let fits = found.len() <= SEQUENCE_MAX && found.iter().all(|own| (1..=NAME_WORDS_MAX).contains(&words_of(own)));
    fits.then_some(found)
}

fn sorted(text: &str) -> Option<(Order, Range<usize>)> {
    let direction = match () {
        () if UP.is_match(text) => Some(Direction::Up),
        () if DOWN.is_match(text) => Some(Direction::Down),
        () => None,
    };
    if let Some(found) = SORT.captures(text) {
        let by = [1, 2, 3].iter().find_map(|group| found.get(*group))?;
        let own = by.as_str().split(" then ").next().unwrap_or_default();
        let stems = stems(own.split(',').next().unwrap_or_default());
        return Some((Order::Sorted(stems, direction), 0..text.len()));
    }
    let short = words_of(text) <= NAME_WORDS_MAX && AT_HEAD.is_match(text);
    direction.filter(|_| short).map(|direction| (Order::Sorted(Vec::new(), Some(direction)), 0..text.len()))
}

impl Order {
    /// The same where the sentence of the prompt goes on: "close with "Thanks" and my name" leaves open which of them is the very last.
    pub(super) fn in_sentence(self, text: &str, sentence: &str) -> Self {
        let behind = sentence.find(text).and_then(|at| sentence.get(at + text.len()..)).unwrap_or_default();
        match self {
            Self::Edge(edge, What::Words(words)) if behind.trim_start().starts_with("and ") => {
                Self::Edge(edge, What::Named(stems(&words)))
            }
            other => other,
        }
    }

    /// What became of it.
    pub(super) fn look(&self, page: &Page<'_>) -> Outcome {
        match self {
            Self::Edge(edge, what) => edge.look(what, page),
            Self::Sequence(things) => look_for_sequence(things, page),
            Self::Sorted(stems, direction) => look_for_sorted(stems, *direction, page),
        }
    }
}

/// Whether a text has all stems of a thing.
fn has_all(stems: &[String], text: &[String]) -> bool {
    !stems.is_empty() && stems.iter().all(|stem| text.contains(stem))
}

impl Edge {
    fn look(self, what: &What, page: &Page<'_>) -> Outcome {
        let blocks = &page.blocks;
        let many = EDGE_BLOCKS + usize::from(blocks.first().is_some_and(|own| own.kind == BlockKind::Heading));
        let edge: Vec<&Block> = match self {
            Self::First => blocks.iter().take(many).copied().collect(),
            Self::Last => blocks.iter().rev().take(EDGE_BLOCKS).copied().collect(),
        };
        let found = edge.iter().find(|block| self.has(what, block));
        if let Some(block) = found {
            return kept(page.quote(block));
        }
        // What stands elsewhere is in the wrong place; what stands nowhere may be said in other words.
        let is_elsewhere = match what {
            What::Question => true,
            What::Words(_) | What::Date => blocks.iter().any(|block| what.stands_in(&block.text.plain)),
            What::Named(_) => false,
        };
        match edge.first().filter(|_| is_elsewhere) {
            Some(block) => {
                let place = if self == Self::First { "begins" } else { "ends" };
                broken(
                    page.quote(block),
                    format!("The report {place} with something else than was asked."),
                    "Put it where it was asked for.",
                )
            }
            None => Outcome::Open,
        }
    }

    /// Whether a block begins or ends with something.
    fn has(self, what: &What, block: &Block) -> bool {
        let text = block.text.plain.trim();
        let sentence = match self {
            Self::First => block.sentences.first(),
            Self::Last => block.sentences.last(),
        };
        let bare = |text: &str| super::notation::spaced(text.trim_matches(|c: char| !c.is_alphanumeric()));
        match what {
            What::Words(words) if self == Self::First => bare(text).starts_with(&bare(words)),
            What::Words(words) => bare(text).ends_with(&bare(words)),
            What::Question => text.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '?').ends_with('?'),
            What::Date => {
                sentence.and_then(|own| block.text.plain.get(own.clone())).is_some_and(|own| what.stands_in(own))
            }
            What::Named(_) => what.stands_in(text),
        }
    }
}

impl What {
    fn stands_in(&self, text: &str) -> bool {
        match self {
            Self::Words(words) => super::notation::spaced(text).contains(&super::notation::spaced(words)),
            Self::Question => text.contains('?'),
            Self::Date => {
                details::read(text).iter().any(|own| matches!(own.worth, Worth::Date(..) | Worth::Weekday(_)))
            }
            Self::Named(named) => has_all(named, &stems(text)),
        }
    }
}

fn look_for_sequence(things: &[String], page: &Page<'_>) -> Outcome {
    let named: Vec<Vec<String>> = things.iter().map(|own| stems(own)).collect();
    let is_head = |block: &&&Block| {
        block.kind == BlockKind::Heading
            || block.label.is_some()
            || matches!(block.kind, BlockKind::ListItem { .. } | BlockKind::TableCell { column: 0, header: false, .. })
    };
    let texts: Vec<Vec<String>> = page.blocks.iter().map(|block| stems(&block.text.plain)).collect();
    let place = |own: &Vec<String>, heads: bool| {
        let blocks = page.blocks.iter().zip(&texts);
        blocks.into_iter().position(|(block, text)| (!heads || is_head(&block)) && has_all(own, text))
    };
    for heads in [true, false] {
        let places: Option<Vec<usize>> = named.iter().map(|own| place(own, heads)).collect();
        let Some(places) = places else { continue };
        let Some(pair) = places.windows(2).position(|pair| pair[0] >= pair[1]) else {
            return kept(page.quote(page.blocks[places[0]]));
        };
        if heads && places[pair] != places[pair + 1] {
            let because = format!("Asked: {} before {}; report: the other way round.", things[pair], things[pair + 1]);
            return broken(page.quote(page.blocks[places[pair + 1]]), because, "Put them in the order of the prompt.");
        }
    }
    Outcome::Open
}

/// The value by which a cell is sorted: a date, a time of day or a number.
fn value(text: &str) -> Option<f64> {
    use rust_decimal::prelude::ToPrimitive;
    let found = details::read(text);
    // "Mon 16 – Wed 18 March" has two.
    if text.contains(['–', '—']) || text.contains(" to ") {
        return None;
    }
    let date = found.iter().find_map(|own| match &own.worth {
        Worth::Date(first, ..) => Some(f64::from(*first)),
        _ => None,
    });
    let clock = || {
        found.iter().find_map(|own| match &own.worth {
            Worth::Clock(minutes) => minutes.first().map(|own| f64::from(*own)),
            _ => None,
        })
    };
    date.or_else(clock).or_else(|| quantities(text).first().and_then(|own| own.low.to_f64()))
}

fn look_for_sorted(stems: &[String], direction: Option<Direction>, page: &Page<'_>) -> Outcome {
    let alphabetical = stems.iter().any(|stem| stem.starts_with("alphabet"));
    let document = &page.artefact.document;
    for (number, table) in document.tables.iter().enumerate() {
        let shown =
            page.blocks.iter().any(|block| matches!(block.kind, BlockKind::TableCell { table, .. } if table == number));
        let mut rows = &table.rows[usize::from(table.has_header).min(table.rows.len())..];
        let text = |cell: &usize| document.blocks.get(*cell).map_or("", |block| block.text.plain.as_str());
        if let Some((_, rest)) = rows.split_last().filter(|(last, _)| last.iter().any(|cell| SUM.is_match(text(cell))))
        {
            rows = rest;
        }
        if !shown || rows.len() < ROWS_MIN {
            continue;
        }
        let heads = table.rows.first().filter(|_| table.has_header);
        let columns = heads.map_or(0, Vec::len);
        let named: Vec<usize> = (0..columns)
            .filter(|at| {
                heads
                    .and_then(|heads| heads.get(*at))
                    .is_some_and(|cell| content_stems(text(cell)).iter().any(|(_, stem)| stems.contains(stem)))
            })
            .collect();
        let is_sorted = |column: usize| {
            if alphabetical {
                let own: Vec<String> =
                    rows.iter().filter_map(|row| row.get(column)).map(|cell| text(cell).to_lowercase()).collect();
                return Some(own.windows(2).all(|pair| pair[0] <= pair[1]));
            }
            let own: Option<Vec<f64>> =
                rows.iter().map(|row| row.get(column).and_then(|cell| value(text(cell)))).collect();
            let mut own = own?;
            // What goes on after midnight comes last.
            if rows.iter().filter_map(|row| row.get(column)).all(|cell| text(cell).contains(':')) {
                own.iter_mut().skip(1).filter(|own| **own < EARLY_MINUTES).for_each(|own| *own += DAY_MINUTES);
            }
            let up = own.windows(2).all(|pair| pair[0] <= pair[1]);
            let down = own.windows(2).all(|pair| pair[0] >= pair[1]);
            Some(match direction {
                Some(Direction::Up) => up,
                Some(Direction::Down) => down,
                None => up || down,
            })
        };
        let candidates: Vec<usize> = if named.is_empty() { (0..columns).collect() } else { named.clone() };
        let verdicts: Vec<bool> = candidates.iter().filter_map(|column| is_sorted(*column)).collect();
        let quote: Option<Quote> =
            rows.first().and_then(|row| document.blocks.get(*row.first()?)).and_then(|block| page.quote(block));
        if verdicts.contains(&true) && (named.len() == 1 || direction.is_some() || alphabetical) {
            return kept(quote);
        }
        if !verdicts.is_empty() && !verdicts.contains(&true) && named.len() == 1 {
            return broken(quote, "The rows are not in the order that was asked for.".to_owned(), "Sort the rows.");
        }
    }
    Outcome::Open
}
