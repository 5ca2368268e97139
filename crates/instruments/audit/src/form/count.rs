//! How much of something the answer is to have: words, sentences, paragraphs, items, rows, signs, pages.

use std::ops::Range;

use steadfast_annotate::{Kind, Token, scan, stems};
use steadfast_text::{Block, BlockKind};
use steadfast_time::numeral::small_cardinal;

use super::page::{Page, words_of};
use super::{Outcome, broken, counted};

/// A number of something that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    unit: Unit,
    /// The fewest and the most.
    least: usize,
    most: usize,
    /// Of what.
    scope: Scope,
    /// "About 150 words" is kept within [`ABOUT_PERCENT`] and broken beyond [`NOT_ABOUT_PERCENT`].
    about: bool,
    /// As the prompt has it.
    said: String,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Words,
    Characters,
    Sentences,
    Paragraphs,
    Items,
    Rows,
    Columns,
    Headings,
    Tables,
    /// Half pages.
    Pages,
    Emoji,
    Exclamations,
}

/// Of what so much is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Of the whole answer.
    Whole,
    /// Of each of its parts.
    Each,
    /// Of something that these stems name, which may be a part of it or the whole; without any, of another part than can be told.
    Named(Vec<String>),
}

/// Ways of counting words differ (hyphens, headings, signs between white space): a length is broken beyond this share of it.
const WAYS_DIFFER_PERCENT: usize = 10;
const ABOUT_PERCENT: usize = 20;
const NOT_ABOUT_PERCENT: usize = 50;
/// Words of a page: it is kept up to the first, and broken beyond the second. A page of A4 with single spacing holds about 500 words.
const PAGE_WORDS: usize = 500;
const TOO_LONG_PAGE_WORDS: usize = 1_000;
/// Words between a number and what it counts ("three short bullets"), and before and behind them that are read for a bound.
const BETWEEN_WORDS_MAX: usize = 2;
const BOUND_WORDS: usize = 4;
/// The largest number that is a count.
const COUNT_MAX: usize = 100_000;
/// Words of a paragraph, at least: what is shorter greets or signs.
const PARAGRAPH_WORDS_MIN: usize = 4;
/// Words of a sentence that ends without a mark, at least.
const SENTENCE_WORDS_MIN: usize = 2;

/// How a bound is said before the number and behind the unit: its words, the least and the most that it lets a number be.
const BEFORE: [(&str, Bound); 31] = [
    ("at most", Bound::Most),
    ("no more than", Bound::Most),
    ("not more than", Bound::Most),
    ("no longer than", Bound::Most),
    ("not longer than", Bound::Most),
    ("not over", Bound::Most),
    ("not above", Bound::Most),
    ("never above", Bound::Most),
    ("never over", Bound::Most),
    ("never more than", Bound::Most),
    ("up to", Bound::Most),
    ("max", Bound::Most),
    ("maximum", Bound::Most),
    ("maximum of", Bound::Most),
    ("within", Bound::Most),
    ("limit of", Bound::Most),
    ("limit to", Bound::Most),
    ("less than", Bound::Less),
    ("fewer than", Bound::Less),
    ("under", Bound::Less),
    ("below", Bound::Less),
    ("shorter than", Bound::Less),
    ("at least", Bound::Least),
    ("no fewer than", Bound::Least),
    ("no less than", Bound::Least),
    ("not less than", Bound::Least),
    ("min", Bound::Least),
    ("minimum", Bound::Least),
    ("minimum of", Bound::Least),
    ("exactly", Bound::Exact),
    ("only", Bound::Exact),
];
const BEHIND: [(&str, Bound); 16] = [
    ("max", Bound::Most),
    ("maximum", Bound::Most),
    ("tops", Bound::Most),
    ("at most", Bound::Most),
    ("at the most", Bound::Most),
    ("at the very most", Bound::Most),
    ("at the outside", Bound::Most),
    ("or less", Bound::Most),
    ("or fewer", Bound::Most),
    ("not more", Bound::Most),
    ("no more", Bound::Most),
    ("or more", Bound::Least),
    ("minimum", Bound::Least),
    ("min", Bound::Least),
    ("at least", Bound::Least),
    ("exactly", Bound::Exact),
];
const ABOUT: [&str; 8] = ["about", "around", "roughly", "approximately", "approx", "circa", "ca", "some"];

/// What a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Most,
    Less,
    Least,
    Exact,
}

/// Words that say that a number is of each part.
const EACH: [&str; 4] = ["each", "every", "per", "apiece"];
/// Words that say that it is of the whole.
const WHOLE: [&str; 8] = ["total", "overall", "altogether", "whole", "entire", "all", "body", "length"];
/// Words of a place in the answer, or of something that was named before.
const PLACES: [&str; 22] = [
    "on",
    "about",
    "below",
    "underneath",
    "above",
    "after",
    "before",
    "then",
    "that",
    "this",
    "them",
    "those",
    "first",
    "followed",
    "top",
    "bottom",
    "end",
    "start",
    "begin",
    "open",
    "close",
    "under",
];
/// What is said beside a number, and names no part.
const BESIDE: [&str; 30] = [
    "keep", "keeping", "please", "pls", "put", "make", "write", "give", "answer", "reply", "report", "text", "short",
    "long", "limit", "word", "sentence", "page", "plain", "use", "stay", "fit", "it", "max", "maximum", "draft", "try",
    "aim", "want", "need",
];

impl Unit {
    /// The unit that a word names, and whether it is one only beside a bound: "three points to note" is no form.
    fn of(low: &str) -> Option<(Self, bool)> {
        Some(match low {
            "word" | "words" => (Self::Words, true),
            "character" | "characters" | "chars" => (Self::Characters, true),
            "sentence" | "sentences" => (Self::Sentences, false),
            "paragraph" | "paragraphs" | "para" | "paras" => (Self::Paragraphs, false),
            "bullet" | "bullets" => (Self::Items, false),
            "items" | "item" | "points" | "point" | "boxes" | "steps" | "entries" => (Self::Items, true),
            "row" | "rows" => (Self::Rows, true),
            "column" | "columns" | "cols" => (Self::Columns, true),
            "section" | "sections" | "heading" | "headings" => (Self::Headings, true),
            "table" | "tables" => (Self::Tables, true),
            "page" | "pages" | "pager" => (Self::Pages, false),
            "emoji" | "emojis" | "emoticon" => (Self::Emoji, true),
            _ => return None,
        })
    }

    const fn named(self) -> &'static str {
        match self {
            Self::Words | Self::Pages => "words",
            Self::Characters => "characters",
            Self::Sentences => "sentences",
            Self::Paragraphs => "paragraphs",
            Self::Items => "items",
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Headings => "headings",
            Self::Tables => "tables",
            Self::Emoji => "emoji",
            Self::Exclamations => "exclamation marks",
        }
    }
}

/// The numbers that a text asks for, each with the words that say so.
pub(super) fn of(text: &str) -> Vec<(Count, Range<usize>)> {
    let tokens = scan(text);
    let mut out: Vec<(Count, Range<usize>)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let exclamation =
            token.is("exclamation") && tokens.get(at + 1).is_some_and(|next| next.is_in(&["mark", "marks"]));
        let unit = if exclamation { Some((Unit::Exclamations, true)) } else { Unit::of(&token.low) };
        let Some((unit, is_bounded)) = unit else { continue };
        let Some(found) = number_before(&tokens, at) else { continue };
        let about =
            found.first.checked_sub(1).is_some_and(|before| tokens[before].is_in(&ABOUT) || tokens[before].is("~"));
        let (before, begins) = bound_before(&tokens, found.first);
        let (behind, ends) = bound_behind(&tokens, at + 1 + usize::from(exclamation));
        let bound = before.or(behind);
        if unit == Unit::Pages && bound.is_none() && !is_of_a_text(&tokens, at) || found.is_loose && unit != Unit::Pages
        {
            continue;
        }
        let is_range = found.least != found.most;
        if is_bounded && bound.is_none() && !is_range && !about {
            continue;
        }
        let (mut least, mut most) = match bound {
            _ if is_range => (found.least, found.most),
            Some(Bound::Most) => (0, found.most),
            Some(Bound::Less) => (0, found.most.saturating_sub(1)),
            Some(Bound::Least) => (found.most, usize::MAX),
            None if unit == Unit::Pages => (0, found.most),
            Some(Bound::Exact) | None => (found.most, found.most),
        };
        if unit == Unit::Pages {
            (least, most) = (0, if found.is_loose { 1 } else { most.saturating_mul(2) });
        }
        if about {
            least -= least * ABOUT_PERCENT / 100;
            most += most / 100 * ABOUT_PERCENT + most % 100 * ABOUT_PERCENT / 100;
        }
        let first = if before.is_some() { begins } else { found.first.saturating_sub(usize::from(about)) };
        let last = if behind.is_some() { ends } else { at + usize::from(exclamation) };
        let range = tokens[first].range.start..tokens[last].range.end;
        let scope = scope_of(text, &range, &tokens[first..=last]);
        let said = text.get(range.clone()).unwrap_or_default().to_owned();
        if out.last().is_none_or(|(_, own)| own.end <= range.start) {
            out.push((Count { unit, least, most, scope, about, said }, range));
        }
    }
    out
}

/// A number before what it counts.
struct Number {
    /// The token with which it begins.
    first: usize,
    least: usize,
    most: usize,
    /// "Half a page", "a page".
    is_loose: bool,
}

fn value(token: &Token<'_>) -> Option<usize> {
    let own = token.raw.replace(',', "").parse().ok();
    own.or_else(|| small_cardinal(&token.low).map(usize::from))
        .or_else(|| token.is("single").then_some(1))
        .filter(|own| *own <= COUNT_MAX)
}

fn number_before(tokens: &[Token<'_>], at: usize) -> Option<Number> {
    let (mut most, mut words, mut scale) = (None, 0, 1);
    for place in (0..at).rev() {
        let token = &tokens[place];
        if let Some(count) = value(token) {
            most = Some((place, count * scale));
            break;
        }
        match &*token.low {
            "hundred" => scale = 100,
            "thousand" => scale = 1_000,
            _ => {}
        }
        // "Half a page", "one A4 page".
        let joins = token.is_word() || token.is_in(&["-", "\u{2011}"]) || token.is("a4");
        if !joins || token.is_in(&["and", "or", "of", "the", "in", "per", "for", "to", "with", "this", "that"]) {
            break;
        }
        words += usize::from(token.is_word());
        if words > BETWEEN_WORDS_MAX {
            break;
        }
    }
    let Some((place, most)) = most else {
        let article = at.checked_sub(1).filter(|place| tokens[*place].is_in(&["a", "an"]))?;
        let half = article.checked_sub(1).is_some_and(|place| tokens[place].is("half"));
        return half.then(|| Number { first: article - 1, least: 1, most: 1, is_loose: true });
    };
    let joined = |place: usize| tokens.get(place).is_some_and(|own| own.is_in(&["to", "and", "or", "-", "–", "—"]));
    let lower = place.checked_sub(2).filter(|_| joined(place - 1)).and_then(|own| Some((own, value(&tokens[own])?)));
    if let Some((own, least)) = lower.filter(|(_, least)| *least < most) {
        let between = own.checked_sub(1).filter(|before| tokens[*before].is("between"));
        return Some(Number { first: between.unwrap_or(own), least, most, is_loose: false });
    }
    Some(Number { first: place, least: most, most, is_loose: false })
}

/// The words of some tokens with single spaces; nothing where another mark than the dot of "max." stands among them.
fn words_in(tokens: &[Token<'_>]) -> Option<String> {
    let is_word = |own: &&Token<'_>| own.kind != Kind::Mark;
    let words: Vec<&str> = tokens.iter().filter(is_word).map(|own| &*own.low).collect();
    let fits = tokens.first().is_some_and(|own| is_word(&own)) && tokens.iter().all(|own| is_word(&own) || own.is("."));
    fits.then(|| words.join(" "))
}

/// The bound that stands before a token, and where it begins.
fn bound_before(tokens: &[Token<'_>], first: usize) -> (Option<Bound>, usize) {
    for count in (1..=BOUND_WORDS.min(first)).rev() {
        let Some(own) = words_in(&tokens[first - count..first]) else { continue };
        if let Some((_, bound)) = BEFORE.iter().find(|(words, _)| *words == own) {
            return (Some(*bound), first - count);
        }
    }
    (None, first)
}

/// The bound that stands behind a token, and where it ends.
fn bound_behind(tokens: &[Token<'_>], next: usize) -> (Option<Bound>, usize) {
    // "Two sentences under it, not more": words may stand between.
    for start in next..tokens.len().min(next + BOUND_WORDS) {
        for end in (start + 1..=tokens.len().min(start + BOUND_WORDS)).rev() {
            let found = words_in(&tokens[start..end]).and_then(|own| BEHIND.iter().find(|(words, _)| *words == own));
            if let Some((_, bound)) = found.filter(|_| tokens[end - 1].kind != Kind::Mark) {
                return (Some(*bound), end - 1);
            }
        }
        let goes_on = tokens.get(start + 1).is_some_and(|own| own.is_in(&["not", "no", "max", "maximum"]));
        if tokens[start].is("and") || tokens[start].kind == Kind::Mark && !(tokens[start].is_in(&[",", "("]) && goes_on)
        {
            break;
        }
    }
    (None, next)
}

/// "See page 3", "a page of the site": a page is a length only where something is to be so long.
fn is_of_a_text(tokens: &[Token<'_>], at: usize) -> bool {
    const TEXTS: [&str; 10] =
        ["letter", "report", "memo", "summary", "brief", "document", "spec", "comparison", "fit", "keep"];
    let hyphen = at.checked_sub(1).is_some_and(|before| tokens[before].is_in(&["-", "\u{2011}"]));
    hyphen || tokens[at].is("pager") || tokens.len() <= BOUND_WORDS || tokens.iter().any(|own| own.is_in(&TEXTS))
}

fn scope_of(text: &str, range: &Range<usize>, own: &[Token<'_>]) -> Scope {
    let (before, behind) = (scan(&text[..range.start]), scan(&text[range.end..]));
    let is_each = |token: Option<&Token<'_>>| token.is_some_and(|token| token.is_in(&EACH));
    if own.iter().any(|token| token.is_in(&EACH)) || is_each(before.last()) || is_each(behind.first()) {
        return Scope::Each;
    }
    let words: Vec<&Token<'_>> = before.iter().chain(&behind).collect();
    if words.iter().any(|word| word.is_in(&WHOLE)) {
        return Scope::Whole;
    }
    if words.iter().any(|word| word.is_in(&PLACES)) {
        return Scope::Named(Vec::new());
    }
    // What is counted as well: "under 250 words, British spelling" names no part.
    let near = [
        text[..range.start].rsplit([',', ';', '.', '\n']).next(),
        text[range.end..].split([',', ';', '.', '\n']).next(),
    ];
    let stems: Vec<String> = near
        .into_iter()
        .flatten()
        .flat_map(stems)
        .filter(|stem| !BESIDE.iter().any(|word| *stem == steadfast_annotate::stem(word)))
        .collect();
    if stems.is_empty() { Scope::Whole } else { Scope::Named(stems) }
}

/// A count of something, at least and at most: people count in different ways.
#[derive(Clone, Copy)]
struct Found {
    low: usize,
    high: usize,
}

impl Count {
    /// The same where the sentence of the prompt says before these words of what: "Hypothesis: one sentence", "then two sentences".
    pub(super) fn in_sentence(mut self, text: &str, sentence: &str) -> Self {
        let before = scan(sentence.find(text).map_or("", |at| &sentence[..at]));
        let is_each = before.iter().any(|token| token.is_in(&EACH));
        match before.last().filter(|_| self.scope == Scope::Whole) {
            Some(token) if token.is(":") => self.scope = Scope::Named(stems(&sentence[..token.range.start])),
            Some(token) if is_each || token.is_in(&PLACES) => self.scope = Scope::Named(Vec::new()),
            _ => {}
        }
        self
    }

    /// Whether it counts what a list of names says as well.
    pub(super) const fn is_of_names(&self) -> bool {
        matches!(self.unit, Unit::Headings | Unit::Columns)
    }

    /// What became of it.
    pub(super) fn look(&self, page: &Page<'_>) -> Outcome {
        match &self.scope {
            Scope::Each => self.look_at_each(page),
            Scope::Whole => self.look_at(page, &page.blocks, true),
            Scope::Named(stems) => match page.part(stems) {
                Some(part) => self.look_at(page, &part, true),
                None => self.look_at(page, &page.blocks, false),
            },
        }
    }

    /// Some blocks, which are what is meant or which it may be a part of: where all of it is within a bound above, a part is as well.
    fn look_at(&self, page: &Page<'_>, blocks: &[&Block], is_it: bool) -> Outcome {
        let Some(found) = self.count(page, blocks) else { return Outcome::Open };
        if self.is_within(found) && (is_it || self.least == 0 || self.unit == Unit::Items) {
            let quote = blocks.first().and_then(|block| page.quote(block));
            return counted(quote, self.amount(blocks, found), self.unit.named());
        }
        if is_it && self.is_beyond(found) && (blocks.len() < page.blocks.len() || self.is_plausible(found)) {
            self.fault(page, blocks.last().copied(), found)
        } else {
            Outcome::Open
        }
    }

    fn is_within(&self, found: Found) -> bool {
        self.least <= found.low && found.high <= self.most
    }

    /// What the whole answer has more than twice over was asked of a part of it.
    fn is_plausible(&self, found: Found) -> bool {
        found.low <= self.most.saturating_mul(2) && found.high.saturating_mul(2) >= self.least
    }

    fn is_beyond(&self, found: Found) -> bool {
        let slack = match self.unit {
            Unit::Words | Unit::Characters if self.about => NOT_ABOUT_PERCENT - ABOUT_PERCENT,
            Unit::Words => WAYS_DIFFER_PERCENT,
            _ => 0,
        };
        let over = self.most.saturating_add(self.most / 100 * slack + self.most % 100 * slack / 100);
        found.low > over || found.high < self.least - self.least * slack / 100
    }

    fn fault(&self, page: &Page<'_>, block: Option<&Block>, found: Found) -> Outcome {
        let over = found.low > self.most;
        let repair = match self.unit {
            Unit::Words | Unit::Characters | Unit::Sentences | Unit::Pages if over => "Shorten it.",
            Unit::Words | Unit::Characters | Unit::Sentences | Unit::Pages => "Say more.",
            _ => "Give as many as were asked for.",
        };
        let count = self.amount(&page.blocks, found);
        let because = format!("Asked: {}; the report has {count} {}.", self.said.trim(), self.unit.named());
        broken(block.and_then(|block| page.quote(block)), because, repair)
    }

    /// The count that a reader is shown: pages are words.
    fn amount(&self, blocks: &[&Block], found: Found) -> usize {
        let words = || blocks.iter().map(|own| words_of(&own.text.plain)).sum();
        if self.unit == Unit::Pages { words() } else { found.high }
    }

    /// How many there are in some blocks; nothing where they do not show it.
    fn count(&self, page: &Page<'_>, blocks: &[&Block]) -> Option<Found> {
        let exactly = |count: usize| Found { low: count, high: count };
        let is_part = blocks.len() < page.blocks.len();
        // "Subject: …" is as long as what stands behind it.
        let own = |block: &Block, count: &dyn Fn(&str) -> usize| match &block.label {
            Some(label) if is_part => {
                count(block.text.plain.get(label.end..).unwrap_or_default().trim_start_matches(':').trim())
            }
            _ => count(&block.text.plain),
        };
        let of_text = |count: &dyn Fn(&str) -> usize| blocks.iter().map(|block| own(block, count)).sum::<usize>();
        let spread = |counts: Vec<usize>| Some(Found { low: *counts.iter().min()?, high: *counts.iter().max()? });
        Some(match self.unit {
            Unit::Words => exactly(of_text(&words_of)),
            Unit::Characters => exactly(of_text(&|text| text.chars().count())),
            Unit::Pages => {
                let words = of_text(&words_of);
                Found { low: (2 * words).div_ceil(TOO_LONG_PAGE_WORDS), high: (2 * words).div_ceil(PAGE_WORDS) }
            }
            Unit::Sentences => {
                let mut found = exactly(0);
                for block in blocks {
                    let (low, high) = sentences(block);
                    found = Found { low: found.low + low, high: found.high + high };
                }
                if found.high == 0 {
                    return None;
                }
                found
            }
            Unit::Paragraphs => {
                let own = blocks.iter().filter(|block| matches!(block.kind, BlockKind::Paragraph | BlockKind::Quote));
                own.clone().next()?;
                // What is short, or no sentence, greets or signs; a single sentence may lead in.
                let long =
                    own.filter(|block| words_of(&block.text.plain) > PARAGRAPH_WORDS_MIN && sentences(block).0 > 0);
                let low = long.clone().filter(|block| sentences(block).1 > 1).count();
                Found { low, high: long.count().max(1) }
            }
            Unit::Items => {
                let lists: Vec<usize> = page.lists(blocks).iter().map(Vec::len).collect();
                let all = lists.iter().sum();
                if self.least <= all && all <= self.most { exactly(all) } else { Found { high: all, ..spread(lists)? } }
            }
            Unit::Rows => spread(page.tables(blocks).iter().map(|(rows, _)| *rows).collect())?,
            Unit::Columns => spread(page.tables(blocks).iter().map(|(_, columns)| *columns).collect())?,
            Unit::Headings => spread(page.headings(blocks))?,
            Unit::Tables => exactly(page.tables(blocks).len()),
            Unit::Emoji => exactly(of_text(&|text| text.chars().filter(|c| super::layout::is_emoji(*c)).count())),
            Unit::Exclamations => exactly(of_text(&|text| text.matches('!').count())),
        })
    }

    /// The parts that the answer has: the items of its lists, its sections.
    fn look_at_each(&self, page: &Page<'_>) -> Outcome {
        let items: Vec<Vec<&Block>> = page.lists(&page.blocks).into_iter().flatten().map(|item| vec![item]).collect();
        let groupings: Vec<Vec<Vec<&Block>>> =
            [items, page.sections()].into_iter().filter(|groups| groups.len() > 1).collect();
        let mut first_fault = None;
        let mut kept = 0;
        for groups in &groupings {
            let counts: Option<Vec<Found>> = groups.iter().map(|blocks| self.count(page, blocks)).collect();
            let Some(counts) = counts else { continue };
            if counts.iter().all(|found| self.is_within(*found)) {
                kept += 1;
            }
            let fault = groups.iter().zip(counts).find(|(_, found)| self.is_beyond(*found));
            first_fault = first_fault.or_else(|| fault.map(|(blocks, found)| (blocks.last().copied(), found)));
        }
        match first_fault {
            None if kept > 0 && kept == groupings.len() => counted(
                groupings[0].first().and_then(|blocks| page.quote(blocks.first()?)),
                groupings[0].len(),
                "parts",
            ),
            Some((block, found)) if kept == 0 && groupings.len() == 1 => self.fault(page, block, found),
            _ => Outcome::Open,
        }
    }
}

/// The sentences of a block: those that end in a mark, and with them those that may be one without.
fn sentences(block: &Block) -> (usize, usize) {
    if !matches!(block.kind, BlockKind::Paragraph | BlockKind::Quote | BlockKind::ListItem { .. }) {
        return (0, 0);
    }
    let text = |range: &Range<usize>| block.text.plain.get(range.clone()).unwrap_or_default();
    let ends = |own: &str| {
        let bare = own.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '”' | '\'' | '’' | ')' | '*'));
        bare.ends_with(['.', '!', '?', '…'])
    };
    let all = block.sentences.iter().map(text).filter(|own| words_of(own) >= SENTENCE_WORDS_MIN);
    let marked = all.clone().filter(|own| ends(own)).count();
    // What ends in a comma or a colon greets or leads in.
    let open = all
        .filter(|own| !ends(own) && !own.trim_end().ends_with([',', ':']) && words_of(own) > PARAGRAPH_WORDS_MIN)
        .count();
    (marked, marked + open)
}

#[cfg(test)]
impl Count {
    /// Its unit, its bounds and whether it is of the whole.
    pub(super) fn shown(&self) -> (Unit, usize, usize, bool) {
        (self.unit, self.least, self.most, self.scope == Scope::Whole)
    }
}
