//! Headings, columns, and what is not to stand in the answer at all.

use std::ops::Range;

use steadfast_annotate::{Pattern, content_stems};
use steadfast_evidence::Quote;
use steadfast_text::{Block, BlockKind};

use super::{Demand, Outcome, Page, broken, kept};

/// Headings that a list has, at least and at most.
const HEADINGS_MIN: usize = 3;
const HEADINGS_MAX: usize = 24;
/// Words of a heading and of the name of a column, at most.
const HEADING_WORDS_MAX: usize = 8;
const COLUMN_WORDS_MAX: usize = 4;
/// Columns that a list has, at least.
const COLUMNS_MIN: usize = 2;

static SPEAKS_OF_HEADINGS: Pattern = Pattern::new(r"(?i)\b(?:headings?|headers|sections?|structure)\b");
static SPEAKS_OF_TABLE: Pattern = Pattern::new(r"(?i)\b(?:table|columns?|cols)\b");
static MARKED: Pattern = Pattern::new("`#* *([^`]+)`|\"([^\"]+)\"|“([^”]+)”");
static IN_THIS_ORDER: Pattern = Pattern::new(
    r"(?i),?\s*(?:(?:strictly )?in (?:exactly )?(?:this|that|the given) order|in order|please|no others?|nothing else)\s*$",
);
/// Names with capitals behind the word.
static BEHIND_HEADINGS: Pattern = Pattern::new(
    r"(?:[Hh]eadings|[Ss]ections)(?: called| named)? ((?:\p{Lu}[\w’' -]*(?:, | / | \| | and )){2,}\p{Lu}[\w’' -]*)",
);
static LIST_BEHIND: Pattern = Pattern::new(r"(?i)\b(?:columns?|cols|table)\b[^:()\n]{0,40}(?::|\()\s*([^()\n]+)");
static LIST_WITH: Pattern = Pattern::new(
    r"(?i)\b(?:columns|cols)\s+(?:for\s+|named\s+|called\s+)?([^.:()\n]+)|\btable\s+(?:with\s+)?(?:the\s+)?(?:columns\s+|cols\s+)?(\w[\w ().-]{0,30}(?: [|/] | ?/ ?|, )\w[^.:()\n]*)",
);

/// Something that can be kept out of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    Tables,
    Lists,
    Numbers,
    Boxes,
    Subject,
    Emoji,
    Headings,
    Links,
    Code,
    Exclamations,
    Bold,
}

static NO: Pattern = Pattern::new(
    r"(?i)\b(?:no|without|avoid|(?:don['’]?t|do not|never) (?:use|add|put|want|include|make)(?: any)?)\s+(?:[\w-]+\s+(?:or|and)\s+)?(tables?|bullets?|bullet[- ]points?|bulleted lists?|lists?|emojis?|emoticons|headings?|headers|links?|urls?|exclamation (?:marks?|points?)|code(?: blocks?)?|quot(?:e|ation) marks?|bold)\s*(?:$|[.,;:!)&/]|\b(?:at all|please|pls|anywhere|whatsoever|and|or|in (?:the|your|this) (?:report|answer|text|document|reply|summary|mail|post))\b)",
);

/// "Use bullet points", "as a table". "In the table" speaks of one that is there.
static AS: Pattern = Pattern::new(
    r"(?i)\b(?:use|using|as|in|with|into|make it|one) (?:(?:an?|short|simple|plain|small|single|one|markdown|clear) ){0,3}(tables?|bullets|bullet[- ]points|bulleted lists?|headings)\s*(?:$|[.,;:!()]|\b(?:please|pls|only|for|to|and|with|sorted)\b)",
);
/// "Give me a table with one row per day".
static MAKE: Pattern = Pattern::new(
    r"(?i)\b(?:give (?:me|us)|make|create|include|return|provide|add) (?:(?:an?|short|simple|plain|small|single|one|markdown|clear) ){1,3}(tables?)\s*(?:$|[.,;:!)]|\b(?:please|pls|with|of|that|showing|where|per|and)\b)",
);
/// "Numbered", "as tick boxes", "subject line, please".
static FORM: Pattern = Pattern::new(
    r"(?i)\b(numbered)(?: (?:list|steps|sections|items|rules|points|questions|answers)\b|\s*(?:$|[,.;:!(]))|\b(?:as|with|use|in) (?:an? )?(tick ?boxes|check ?boxes)\b|^\W*(subject line)(?:,? (?:too|please|pls|included))?\W*$|\bgive (?:me|us|it) a (subject line)",
);
static DENIED: Pattern = Pattern::new(r"(?i)(?:\b(?:no|not|never|without|avoid)|n['’]t)\b[^.;:]*$");

/// The headings that a text lists; `None` where it speaks of no headings.
pub(super) fn headings(text: &str) -> Option<Vec<String>> {
    SPEAKS_OF_HEADINGS.is_match(text).then(|| listed(text)).flatten()
}

/// The headings that a sentence lists, for a part of it that is the list or speaks of it.
pub(super) fn headings_of_part(part: &str, sentence: &str) -> Option<Vec<String>> {
    let all = (part.len() < sentence.len()).then(|| headings(sentence)).flatten()?;
    let own = folded(part);
    (SPEAKS_OF_HEADINGS.is_match(part)
        || all.contains(&own)
        || all.iter().filter(|title| own.contains(title.as_str())).count() > 1)
        .then_some(all)
}

fn listed(text: &str) -> Option<Vec<String>> {
    let text = IN_THIS_ORDER.find(text).map_or(text, |found| &text[..found.start()]);
    let marked: Vec<String> = MARKED
        .captures_iter(text)
        .filter_map(|found| found.get(1).or(found.get(2)).or(found.get(3)))
        .map(|found| folded(found.as_str()))
        .take(HEADINGS_MAX)
        .collect();
    if marked.len() >= HEADINGS_MIN {
        return Some(marked);
    }
    // "Headings: Aim, People, Money", "sections called Aim, People and Money".
    let behind = BEHIND_HEADINGS.captures(text).and_then(|found| found.get(1));
    let lists = [text.rsplit_once(": ").map(|(_, list)| list), behind.map(|list| list.as_str())];
    lists.into_iter().flatten().find_map(|list| {
        [" / ", " – ", " — ", " - ", "; ", " → ", " > ", " | ", ", "].iter().map(|mark| names(list, mark)).find(
            |titles| {
                titles.len() >= HEADINGS_MIN && titles.iter().all(|title| title.split(' ').count() <= HEADING_WORDS_MAX)
            },
        )
    })
}

/// The names of a list, the last of which may stand behind "and".
pub(super) fn names(list: &str, mark: &str) -> Vec<String> {
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
    // What follows tells of the list.
    let ends = |name: &str| name.starts_with("then ") || name.ends_with(" first");
    found
        .iter()
        .map(|name| folded(name.trim_end_matches(" in that order")))
        .take_while(|name| !ends(name))
        .filter(|name| !name.is_empty())
        .collect()
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
    if !SPEAKS_OF_TABLE.is_match(text) {
        return None;
    }
    let list = [&LIST_BEHIND, &LIST_WITH].into_iter().find_map(|pattern| {
        let found = pattern.captures(text)?;
        found.get(1).or(found.get(2)).map(|list| list.as_str())
    })?;
    [" | ", " / ", "; ", ", ", "/"].iter().map(|mark| names(list, mark)).find(|names| {
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
    let found = NO.captures_iter(text);
    let things =
        found.filter_map(|found| Some((Demand::Without(thing(found.get(1)?.as_str())), found.get(0)?.range())));
    things.collect()
}

/// What a text wants the answer to have, each with the words that say so.
pub(super) fn with(text: &str) -> Vec<(Demand, Range<usize>)> {
    let found = [&AS, &MAKE, &FORM].into_iter().flat_map(|pattern| pattern.captures_iter(text));
    let is_denied = |at: usize| DENIED.is_match(text.get(..at).unwrap_or_default());
    let things = found.filter_map(|found| {
        let all = found.get(0).filter(|all| !is_denied(all.start()))?;
        let named = (1..found.len()).find_map(|group| found.get(group))?;
        Some((Demand::With(thing(named.as_str())), all.range()))
    });
    things.collect()
}

fn thing(named: &str) -> Thing {
    match named.to_lowercase().as_str() {
        it if it.starts_with("table") => Thing::Tables,
        it if it.starts_with("bullet") || it.starts_with("list") => Thing::Lists,
        it if it.starts_with("emo") => Thing::Emoji,
        it if it.starts_with("head") => Thing::Headings,
        it if it.starts_with("number") => Thing::Numbers,
        it if it.contains("box") => Thing::Boxes,
        it if it.starts_with("subject") => Thing::Subject,
        it if it.starts_with("code") => Thing::Code,
        it if it.starts_with("excl") => Thing::Exclamations,
        "bold" => Thing::Bold,
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
            Self::Numbers => block(|kind| matches!(kind, BlockKind::ListItem { ordinal: Some(_), .. }))
                .or_else(|| page.first(numbered).map(|(_, quote)| Some(quote))),
            Self::Boxes => block(|kind| matches!(kind, BlockKind::ListItem { checked: Some(_), .. })).or_else(|| {
                page.first(|text| sign(text, |c| matches!(c, '☐' | '☑' | '□'))).map(|(_, quote)| Some(quote))
            }),
            Self::Subject => page.first(subject).map(|(_, quote)| Some(quote)),
            Self::Code => page.code(),
            Self::Exclamations => page.first(|text| sign(text, |c| c == '!')).map(|(_, quote)| Some(quote)),
            Self::Bold => page.bold(),
            Self::Emoji => page.first(|text| sign(text, is_emoji)).map(|(_, quote)| Some(quote)),
            Self::Links => page.first(link).map(|(_, quote)| Some(quote)),
        }
    }

    const fn named(self) -> &'static str {
        match self {
            Self::Tables => "a table",
            Self::Lists => "a list",
            Self::Headings => "a heading",
            Self::Numbers => "numbered items",
            Self::Boxes => "boxes to tick",
            Self::Subject => "a subject line",
            Self::Emoji => "an emoji",
            Self::Links => "a link",
            Self::Code => "code",
            Self::Exclamations => "an exclamation mark",
            Self::Bold => "bold text",
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

/// Whether a character is a pictograph, or a sign that is shown as one. Arrows, check marks and stars of plain typography are none.
pub(super) const fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1F300}'..='\u{1FAFF}' | '\u{2705}' | '\u{274C}' | '\u{2728}' | '\u{26A0}' | '\u{2B50}' | '\u{2744}')
}

/// The first character of a kind.
fn sign(text: &str, is: impl Fn(char) -> bool) -> Option<Range<usize>> {
    let (at, own) = text.char_indices().find(|(_, own)| is(*own))?;
    Some(at..at + own.len_utf8())
}

fn subject(text: &str) -> Option<Range<usize>> {
    let first = text.lines().next().unwrap_or_default();
    first.get(..7).filter(|own| own.eq_ignore_ascii_case("subject")).map(|_| 0..first.len())
}

/// "1. …" where Markdown sees no list.
fn numbered(text: &str) -> Option<Range<usize>> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &text[digits..];
    ((1..=2).contains(&digits) && rest.starts_with(['.', ')']) && rest[1..].starts_with(' ')).then_some(0..digits + 1)
}

fn link(text: &str) -> Option<Range<usize>> {
    static LINK: Pattern = Pattern::new(r"https?://\S+");
    LINK.find(text).map(|found| found.range())
}
