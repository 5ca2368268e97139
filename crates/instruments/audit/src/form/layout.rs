//! Headings, columns, and what is not to stand in the answer at all.

use std::ops::Range;

use steadfast_annotate::content_stems;
use steadfast_evidence::Quote;
use steadfast_steps::Regex;
use steadfast_text::{Block, BlockKind};

use super::{Demand, Outcome, Page, broken, kept, pattern};
use crate::pattern::{Pattern, hit};

/// Headings that a list has, at least and at most.
const HEADINGS_MIN: usize = 3;
const HEADINGS_MAX: usize = 24;
/// Words of a heading and of the name of a column, at most.
const HEADING_WORDS_MAX: usize = 8;
const COLUMN_WORDS_MAX: usize = 4;
/// Columns that a list has, at least.
const COLUMNS_MIN: usize = 2;

static SPEAKS_OF_HEADINGS: Pattern = pattern!(r"(?i)\b(?:headings?|headers|sections?|structure)\b");
static SPEAKS_OF_TABLE: Pattern = pattern!(r"(?i)\b(?:table|columns?|cols)\b");
static MARKED: Pattern = pattern!("`#* *([^`]+)`|\"([^\"]+)\"|“([^”]+)”");
static IN_THIS_ORDER: Pattern = pattern!(
    r"(?i),?\s*(?:(?:exactly |strictly )?in (?:this|that|the given) order|in order|please|no others?|nothing else)\s*$"
);
static LIST_BEHIND: Pattern = pattern!(r"(?i)\b(?:columns?|cols|table)\b[^:()\n]{0,40}(?::|\()\s*([^()\n]+)");
static LIST_WITH: Pattern = pattern!(r"(?i)\bcolumns\s+(?:for\s+|named\s+|called\s+)?([^.:()\n]+)");

/// Something that can be kept out of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    Tables,
    Lists,
    Emoji,
    Headings,
    Links,
}

static NO: Pattern = pattern!(
    r"(?i)\b(?:no|without|avoid|(?:don['’]?t|do not|never) (?:use|add|put|want|include|make)(?: any)?)\s+(?:[\w-]+\s+(?:or|and)\s+)?(tables?|bullets?|bullet[- ]points?|bulleted lists?|lists?|emojis?|emoticons|headings?|headers|links?|urls?)\s*(?:$|[.,;:!)&/]|\b(?:at all|please|pls|anywhere|whatsoever|and|or|in (?:the|your|this) (?:report|answer|text|document|reply|summary|mail|post))\b)"
);

/// "Use bullet points", "as a table". "In the table" speaks of one that is there.
static AS: Pattern = pattern!(
    r"(?i)\b(?:use|using|as|in|with) (?:(?:an?|short|simple|plain|small|single|one|markdown|clear) ){0,3}(tables?|bullets|bullet[- ]points|bulleted lists?|headings)\s*(?:$|[.,;:!)]|\b(?:please|pls|only|for|to|and)\b)"
);
/// "Give me a table with one row per day".
static MAKE: Pattern = pattern!(
    r"(?i)\b(?:give (?:me|us)|make|create|include|return|provide|add) (?:(?:an?|short|simple|plain|small|single|one|markdown|clear) ){1,3}(tables?)\s*(?:$|[.,;:!)]|\b(?:please|pls|with|of|that|showing|where|per|and)\b)"
);
static DENIED: Pattern = pattern!(r"(?i)(?:\b(?:no|not|never|without|avoid)|n['’]t)\b[^.;:]*$");

/// The headings that a text lists; `None` where it speaks of no headings.
pub(super) fn headings(text: &str) -> Option<Vec<String>> {
    hit(&SPEAKS_OF_HEADINGS, text).then(|| listed(text)).flatten()
}

/// The headings that a sentence lists, for a part of it that is the list or speaks of it.
pub(super) fn headings_of_part(part: &str, sentence: &str) -> Option<Vec<String>> {
    let all = (part.len() < sentence.len()).then(|| headings(sentence)).flatten()?;
    let own = folded(part);
    (hit(&SPEAKS_OF_HEADINGS, part)
        || all.contains(&own)
        || all.iter().filter(|title| own.contains(title.as_str())).count() > 1)
        .then_some(all)
}

fn listed(text: &str) -> Option<Vec<String>> {
    let text = IN_THIS_ORDER.as_ref().and_then(|order| order.find(text)).map_or(text, |found| &text[..found.start()]);
    let marked: Vec<String> = MARKED
        .iter()
        .flat_map(|pattern| pattern.captures_iter(text))
        .filter_map(|found| found.get(1).or(found.get(2)).or(found.get(3)))
        .map(|found| folded(found.as_str()))
        .take(HEADINGS_MAX)
        .collect();
    if marked.len() >= HEADINGS_MIN {
        return Some(marked);
    }
    let list = text.rsplit_once(": ").map(|(_, list)| list)?;
    [" / ", " – ", " — ", " - ", "; ", " → ", " > ", ", "].iter().map(|mark| names(list, mark)).find(|titles| {
        titles.len() >= HEADINGS_MIN && titles.iter().all(|title| title.split(' ').count() <= HEADING_WORDS_MAX)
    })
}

/// The names of a list, the last of which may stand behind "and".
fn names(list: &str, mark: &str) -> Vec<String> {
    let mut found: Vec<String> = list.split(mark).map(str::trim).map(str::to_owned).take(HEADINGS_MAX).collect();
    if mark == ", "
        && let Some(last) = found.pop()
    {
        let bare = last.strip_prefix("and ").unwrap_or(&last);
        match bare.split_once(" and ") {
            Some((one, other)) if bare.len() == last.len() => found.extend([one.to_owned(), other.to_owned()]),
            _ => found.push(bare.to_owned()),
        }
    }
    found.iter().map(|name| folded(name)).filter(|name| !name.is_empty()).collect()
}

/// A heading in lower case, without marks and numbers around it.
fn folded(title: &str) -> String {
    title.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase().replace('’', "'")
}

pub(super) fn look_for_headings(asked: &[String], page: &Page<'_>) -> Outcome {
    let document = &page.artefact.document;
    let own: Vec<(u8, String, &Block)> = page
        .blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Heading)
        .map(|block| {
            let level = document.sections.get(block.section).map_or(0, |section| section.level);
            (level, folded(&block.text.plain), *block)
        })
        .collect();
    let place = |title: &String| own.iter().position(|(_, own, _)| own == title);
    let places: Vec<Option<usize>> = asked.iter().map(place).collect();
    let there: Vec<usize> = places.iter().flatten().copied().collect();
    if there.len() * 2 < asked.len() || there.is_empty() {
        return Outcome::Open;
    }
    if let Some(missing) = asked.iter().zip(&places).find(|(_, place)| place.is_none()).map(|(title, _)| title) {
        let level = there.first().map(|at| own[*at].0);
        let other =
            own.iter().find(|(own, title, _)| Some(*own) == level && !asked.contains(title) && !title.is_empty());
        return match other {
            Some((_, title, block)) => broken(
                page.quote(block),
                format!("Asked: the heading \"{missing}\"; report: \"{title}\"."),
                "Use the headings of the prompt.",
            ),
            None => Outcome::Open,
        };
    }
    if let Some(pair) = there.windows(2).find(|pair| pair[0] > pair[1]) {
        let (earlier, later) = (&own[pair[1]], &own[pair[0]]);
        return broken(
            page.quote(earlier.2),
            format!("Asked: \"{}\" before \"{}\"; report: the other way round.", later.1, earlier.1),
            "Put the headings in the order of the prompt.",
        );
    }
    kept(page.quote(own[there[0]].2))
}

/// The columns that a text lists for a table.
pub(super) fn columns(text: &str) -> Option<Vec<String>> {
    if !hit(&SPEAKS_OF_TABLE, text) {
        return None;
    }
    let list = [&LIST_BEHIND, &LIST_WITH]
        .into_iter()
        .filter_map(|pattern| pattern.as_ref())
        .find_map(|pattern: &Regex| pattern.captures(text)?.get(1).map(|list| list.as_str()))?;
    [" | ", " / ", "; ", ", "].iter().map(|mark| names(list, mark)).find(|names| {
        names.len() >= COLUMNS_MIN && names.iter().all(|name| name.split(' ').count() <= COLUMN_WORDS_MAX)
    })
}

pub(super) fn look_for_columns(asked: &[String], page: &Page<'_>) -> Outcome {
    let tables = page.artefact.document.tables.len();
    let mut best: Option<(Vec<&String>, &Block)> = None;
    for table in 0..tables {
        let heads = page.blocks.iter().filter(
            |block| matches!(block.kind, BlockKind::TableCell { table: own, header: true, .. } if own == table),
        );
        let heads: Vec<&&Block> = heads.collect();
        let Some(first) = heads.first() else { continue };
        let has = |name: &String| {
            let stems = content_stems(name);
            heads.iter().any(|head| {
                let own = content_stems(&head.text.plain);
                folded(&head.text.plain) == *name
                    || !stems.is_empty() && stems.iter().all(|(_, stem)| own.iter().any(|(_, other)| other == stem))
            })
        };
        let missing: Vec<&String> = asked.iter().filter(|name| !has(name)).collect();
        if best.as_ref().is_none_or(|(least, _)| missing.len() < least.len()) {
            best = Some((missing, first));
        }
    }
    let Some((missing, first)) = best else { return Outcome::Open };
    match missing[..] {
        [] => kept(page.quote(first)),
        [missing] if asked.len() > COLUMNS_MIN => broken(
            page.quote(first),
            format!("Asked: a column \"{missing}\"; the table of the report has none."),
            "Add the column.",
        ),
        _ => Outcome::Open,
    }
}

/// What a text wants to be left out of the answer, each with the words that say so.
pub(super) fn without(text: &str) -> Vec<(Demand, Range<usize>)> {
    let found = NO.iter().flat_map(|pattern| pattern.captures_iter(text));
    let things =
        found.filter_map(|found| Some((Demand::Without(thing(found.get(1)?.as_str())), found.get(0)?.range())));
    things.collect()
}

/// What a text wants the answer to have, each with the words that say so.
pub(super) fn with(text: &str) -> Vec<(Demand, Range<usize>)> {
    let found = AS.iter().chain(MAKE.iter()).flat_map(|pattern| pattern.captures_iter(text));
    let is_denied = |at: usize| hit(&DENIED, text.get(..at).unwrap_or_default());
    let things = found.filter_map(|found| {
        let all = found.get(0).filter(|all| !is_denied(all.start()))?;
        Some((Demand::With(thing(found.get(1)?.as_str())), all.range()))
    });
    things.collect()
}

fn thing(named: &str) -> Thing {
    match named.to_lowercase().as_str() {
        it if it.starts_with("table") => Thing::Tables,
        it if it.starts_with("bullet") || it.starts_with("list") => Thing::Lists,
        it if it.starts_with("emo") => Thing::Emoji,
        it if it.starts_with("head") => Thing::Headings,
        _ => Thing::Links,
    }
}

impl Thing {
    /// The first of its kind in the answer.
    fn first(self, page: &Page<'_>) -> Option<Option<Quote>> {
        let block = |fits: fn(&BlockKind) -> bool| {
            page.blocks.iter().find(|block| fits(&block.kind)).map(|block| page.quote(block))
        };
        match self {
            Self::Tables => block(|kind| matches!(kind, BlockKind::TableCell { .. })),
            // A line that begins with a bullet is an item to whoever reads it, though Markdown has no such mark.
            Self::Lists => block(|kind| matches!(kind, BlockKind::ListItem { .. }))
                .or_else(|| page.first(bulleted).map(|(_, quote)| Some(quote))),
            Self::Headings => block(|kind| matches!(kind, BlockKind::Heading)),
            Self::Emoji => page.first(emoji).map(|(_, quote)| Some(quote)),
            Self::Links => page.first(link).map(|(_, quote)| Some(quote)),
        }
    }

    const fn named(self) -> &'static str {
        match self {
            Self::Tables => "a table",
            Self::Lists => "a list",
            Self::Headings => "a heading",
            Self::Emoji => "an emoji",
            Self::Links => "a link",
        }
    }
}

pub(super) fn look_for(thing: Thing, page: &Page<'_>) -> Outcome {
    match thing.first(page) {
        Some(quote) => {
            broken(quote, format!("The prompt rules it out; the report has {}.", thing.named()), "Take it out.")
        }
        None => Outcome::NothingFound,
    }
}

pub(super) fn look_for_one(thing: Thing, page: &Page<'_>) -> Outcome {
    match thing.first(page) {
        Some(quote) => kept(quote),
        None => {
            let quote = page.blocks.first().and_then(|block| page.quote(block));
            broken(
                quote,
                format!("The prompt asks for {}; the report has none.", thing.named()),
                "Use the form of the prompt.",
            )
        }
    }
}

fn bulleted(text: &str) -> Option<Range<usize>> {
    text.starts_with(['•', '◦', '‣', '▪', '●']).then(|| 0..text.lines().next().map_or(0, str::len))
}

fn emoji(text: &str) -> Option<Range<usize>> {
    // Pictographs, and signs that are shown as such. Arrows, check marks and stars of plain typography are none.
    let at = text.find(|c: char| {
        matches!(c, '\u{1F300}'..='\u{1FAFF}' | '\u{2705}' | '\u{274C}' | '\u{2728}' | '\u{26A0}' | '\u{2B50}')
    })?;
    let end = at + text[at..].chars().next()?.len_utf8();
    Some(at..end)
}

fn link(text: &str) -> Option<Range<usize>> {
    static LINK: Pattern = pattern!(r"https?://\S+");
    LINK.as_ref()?.find(text).map(|found| found.range())
}
