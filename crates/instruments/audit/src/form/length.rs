//! How long the answer is to be: words, pages, items.

use std::ops::Range;

use steadfast_ask::{Form, HowMany, forms};
use steadfast_steps::Regex;
use steadfast_text::BlockKind;

use super::{Demand, Outcome, Page, broken, counted, pattern};
use crate::pattern::{Pattern, hit};

/// A length that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Length {
    /// The fewest and the most.
    least: usize,
    most: usize,
    /// As the prompt has it.
    said: String,
    /// Whether it may be a part of the answer that is to be so long: what is longer as a whole does not show that it is broken.
    of_part: bool,
}

#[cfg(test)]
impl Length {
    pub(super) const fn bounds(&self) -> (usize, usize) {
        (self.least, self.most)
    }

    pub(super) const fn is_of_part(&self) -> bool {
        self.of_part
    }
}

/// Ways of counting words differ (hyphens, headings, signs between white space): a length is broken beyond this share of it.
const WAYS_DIFFER_PERCENT: usize = 10;
/// "About 150 words" is kept within this share, and broken beyond the other.
const ABOUT_PERCENT: usize = 20;
const NOT_ABOUT_PERCENT: usize = 50;
/// Words of a page: it is kept up to the first, and broken beyond the second. A page of A4 with single spacing holds about 500 words.
const PAGE_WORDS: usize = 500;
const TOO_LONG_PAGE_WORDS: usize = 1_000;

/// Words for a part of an answer.
static PART: Pattern = pattern!(
    r"(?i)\b(?:abstract|summary|intro(?:duction)?|conclusion|paragraphs?|titles?|headlines?|captions?|each|every|per|apiece|sections?|headings?|bullets?|items?|entr(?:y|ies)|subject|chapters?|quotes?|answers? to|description|blurb|caption|rows?|cells?|note|tweet|post|opening|first|last)\b"
);
static ABOUT: Pattern = pattern!(
    r"(?i)(?:\b(?:about|around|roughly|approximately|approx\.?|circa|ca\.?|some)\s+|~\s?)(\d{1,3}(?:,\d{3})+|\d{2,6})\s+words\b"
);
static PAGES: Pattern = pattern!(
    r"(?i)\b(half a|one|an?|single|two|three|four|five|\d{1,2})[ -](?:A4[ -]|full[ -]|single[ -])?(?:pages?|pager|sides?(?: of A4)?)\b"
);

/// The lengths that a text asks for, each with the words that say so.
pub(super) fn of(text: &str) -> Vec<(Demand, Range<usize>)> {
    let words = words(text).map(|(length, range)| (Demand::Words(length), range));
    let pages = pages(text).map(|(length, range)| (Demand::Pages(length), range));
    let items = items(text).map(|(count, range)| (Demand::Items(count), range));
    [words, pages, items].into_iter().flatten().collect()
}

/// How many words a text asks for.
fn words(text: &str) -> Option<(Length, Range<usize>)> {
    let of_part = hit(&PART, text);
    if let Some(about) = ABOUT.as_ref().and_then(|about| about.captures(text)) {
        let (all, number) = (about.get(0)?, about.get(1)?);
        let number: usize = number.as_str().replace(',', "").parse().ok()?;
        let part = number * ABOUT_PERCENT / 100;
        let length = Length { least: number - part, most: number + part, said: all.as_str().to_owned(), of_part };
        return Some((length, all.range()));
    }
    let mut length: Option<(Length, Range<usize>)> = None;
    for wanted in forms(text) {
        let Form::Words(how_many) = wanted.form else { continue };
        let (own, _) = length.get_or_insert_with(|| {
            let said = text.get(wanted.span.clone()).unwrap_or_default().to_owned();
            (Length { least: 0, most: usize::MAX, said, of_part }, wanted.span.clone())
        });
        match how_many {
            HowMany::AtLeast(count) => own.least = count,
            HowMany::LessThan(count) => own.most = count.saturating_sub(1),
        }
    }
    length
}

pub(super) fn count_words(length: &Length, page: &Page<'_>) -> Outcome {
    let count: usize = page.blocks.iter().map(|block| words_of(&block.text.plain)).sum();
    let about = hit(&ABOUT, &length.said);
    let slack = if about { NOT_ABOUT_PERCENT - ABOUT_PERCENT } else { WAYS_DIFFER_PERCENT };
    let over = count > length.most.saturating_add(length.most / 100 * slack + slack.min(length.most));
    let under = count < length.least - length.least * slack / 100;
    if length.least <= count && count <= length.most {
        return counted(page.blocks.first().and_then(|block| page.quote(block)), count, "words");
    }
    if !length.of_part && (over || under) {
        let quote = page.blocks.last().and_then(|block| page.quote(block));
        let repair = if over { "Shorten it." } else { "Say more." };
        return broken(quote, format!("Asked: {}; the report has {count} words.", length.said.trim()), repair);
    }
    Outcome::Open
}

/// Words as word processors count them.
fn words_of(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

/// How many pages a text asks for.
fn pages(text: &str) -> Option<(Length, Range<usize>)> {
    let found = PAGES.as_ref().and_then(|pages: &Regex| pages.captures(text))?;
    let (all, number) = (found.get(0)?, found.get(1)?);
    let halves = match number.as_str().to_lowercase().as_str() {
        "half a" => 1,
        "a" | "an" | "one" | "single" => 2,
        "two" => 4,
        "three" => 6,
        "four" => 8,
        "five" => 10,
        digits => digits.parse::<usize>().ok()? * 2,
    };
    // "See page 3", "a page of the site": a page is a length only where something is to be so long.
    static LENGTH: Pattern = pattern!(
        r"(?i)\b(?:max(?:imum)?|most|more than|longer|over|under|within|in|on|fits? on|keep|pager|short|long|exceed|letter|report|memo|summary|brief|document|answer|write)\b"
    );
    let length = Length { least: 0, most: halves, said: all.as_str().to_owned(), of_part: false };
    hit(&LENGTH, text).then(|| (length, all.range()))
}

pub(super) fn count_pages(length: &Length, page: &Page<'_>) -> Outcome {
    let count: usize = page.blocks.iter().map(|block| words_of(&block.text.plain)).sum();
    if count <= length.most * PAGE_WORDS / 2 {
        return counted(page.blocks.first().and_then(|block| page.quote(block)), count, "words");
    }
    if count > length.most * TOO_LONG_PAGE_WORDS / 2 {
        let quote = page.blocks.last().and_then(|block| page.quote(block));
        return broken(quote, format!("Asked: {}; the report has {count} words.", length.said.trim()), "Shorten it.");
    }
    Outcome::Open
}

/// How many items of a list a text asks for.
fn items(text: &str) -> Option<(usize, Range<usize>)> {
    if hit(&PART_OF_LIST, text) {
        return None;
    }
    forms(text).into_iter().find_map(|wanted| match wanted.form {
        Form::Bullets(count) => Some((count, wanted.span)),
        _ => None,
    })
}

static PART_OF_LIST: Pattern =
    pattern!(r"(?i)\b(?:each|every|per|under|section|sections|end with|start with|begin with|followed by)\b");

pub(super) fn count_items(asked: usize, page: &Page<'_>) -> Outcome {
    let items: Vec<_> =
        page.blocks.iter().filter(|block| matches!(block.kind, BlockKind::ListItem { depth: 0, .. })).collect();
    let Some(first) = items.first() else { return Outcome::Open };
    if items.len() == asked {
        return counted(page.quote(first), asked, "items");
    }
    // Further lists may be something else.
    if items.iter().any(|item| item.section != first.section) {
        return Outcome::Open;
    }
    let quote = items.last().and_then(|item| page.quote(item));
    broken(
        quote,
        format!("Asked: {asked} items; the list of the report has {}.", items.len()),
        "Give as many items as were asked for.",
    )
}
