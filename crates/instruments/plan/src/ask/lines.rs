//! The lines of the notes that speak of this day: markup, done and struck-out work, quotations, other days and front matter
//! are set aside here.

use std::ops::Range;

use jiff::civil::Date;
use steadfast_text::{Block, BlockKind, Document};
use steadfast_time::{Anchor, Reading, expressions};

use super::words::words;

/// A line that ends without a full stop is wrapped where it has at least so many bytes: the next one goes on with it.
const WRAPPED_LINE_BYTES_MIN: usize = 50;

/// How a line stands in the notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// An item of a list, with a box to tick or without.
    Item {
        /// Whether it has a box.
        boxed: bool,
    },
    /// A line by itself that ends in no full stop: a half sentence.
    Fragment,
    /// Sentences.
    Prose,
    /// A cell of a table.
    Cell,
}

/// A line of the notes.
#[derive(Clone, Debug)]
pub(crate) struct Line<'a> {
    /// The block that it stands in.
    pub(crate) block: &'a Block,
    /// Where it begins in the text of the block.
    pub(crate) at: usize,
    /// Its text; what is struck out and the marks of links are spaces.
    pub(crate) text: String,
    /// How it stands.
    pub(crate) form: Form,
    /// What it stands under, in small letters: headings and the line that introduces the list.
    pub(crate) under: String,
    /// Whether a list of things to do is announced above it.
    pub(crate) todo: bool,
    /// Whether tasks below such a heading are none of today's: ideas, some day, waiting.
    pub(crate) parked: bool,
}

/// What a heading makes of what stands under it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Topic {
    /// It is of another day, or done.
    away: bool,
    todo: bool,
    parked: bool,
}

/// The lines of `document` that speak of the day of `anchor`.
pub(crate) fn lines<'a>(document: &'a Document, anchor: &Anchor) -> Vec<Line<'a>> {
    let matter = front_matter(&document.source);
    let mut out: Vec<Line<'a>> = Vec::new();
    let topics = sections(document, anchor);
    // Of each block what its own words make of the items below it.
    let mut leads: Vec<Option<(Topic, String)>> = vec![None; document.blocks.len()];
    let mut running: Option<(Topic, String)> = None;
    for (at, block) in document.blocks.iter().enumerate() {
        if block.span.end <= matter {
            continue;
        }
        let form = match &block.kind {
            BlockKind::Heading => {
                running = None;
                continue;
            }
            BlockKind::Quote | BlockKind::Code { .. } => continue,
            BlockKind::ListItem { checked, .. } => {
                if *checked == Some(true) {
                    continue;
                }
                Form::Item { boxed: checked.is_some() }
            }
            BlockKind::TableCell { .. } => Form::Cell,
            BlockKind::Paragraph => Form::Prose,
        };
        let section = topics.get(block.section).copied().unwrap_or_default();
        let lead = block.lead.and_then(|lead| leads.get(lead)).cloned().flatten();
        let is_item = matches!(form, Form::Item { .. });
        let text = masked(block);
        let title = document.sections.get(block.section).map_or("", |section| section.title.as_str()).to_lowercase();
        let mut last_introduces = false;
        for range in cut(&document.source, block, &text) {
            last_introduces = false;
            let piece = &text[range.clone()];
            let Some((skip, form)) = marker(piece, form) else { continue };
            let own = &piece[skip..];
            if let Some(topic) = introduces(own, anchor) {
                let words = own.to_lowercase();
                leads[at] = Some((topic, words.clone()));
                if !is_item {
                    running = Some((topic, words));
                }
                if !has_more(own) {
                    last_introduces = true;
                    continue;
                }
            }
            let above = lead.clone().or_else(|| if is_item || block.lead.is_none() { running.clone() } else { None });
            let (topic, words) = above.unwrap_or_default();
            if section.away || topic.away || leads[at].as_ref().is_some_and(|(topic, _)| topic.away) {
                continue;
            }
            out.push(Line {
                block,
                at: range.start + skip,
                text: own.to_owned(),
                form,
                under: format!("{title} {words}"),
                todo: section.todo || topic.todo,
                parked: section.parked || topic.parked,
            });
        }
        // A paragraph that introduces nothing ends what was introduced above it.
        if !is_item && !last_introduces && form != Form::Cell {
            running = None;
        }
        if is_item && leads[at].is_none() {
            leads[at] = lead;
        }
    }
    out
}

/// Where the front matter ends: the block between two lines of dashes at the head of the file.
fn front_matter(source: &str) -> usize {
    let body = source.trim_start_matches('\u{feff}');
    let offset = source.len() - body.len();
    let Some(rest) = body.strip_prefix("---\n").or_else(|| body.strip_prefix("---\r\n")) else { return 0 };
    let head = body.len() - rest.len();
    let mut at = head;
    for line in rest.split_inclusive('\n') {
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return offset + at;
        }
    }
    0
}

/// The text of a block with what is struck out and the brackets of wiki links as spaces, byte for byte.
fn masked(block: &Block) -> String {
    let plain = &block.text.plain;
    let mut bytes: Vec<u8> = plain.as_bytes().to_vec();
    for range in &block.struck {
        blank(&mut bytes, range.clone());
    }
    let mut open: Option<usize> = None;
    let mut at = 0;
    while at + 1 < bytes.len() {
        match &plain.as_bytes()[at..at + 2] {
            b"~~" => {
                if let Some(start) = open.take() {
                    blank(&mut bytes, start..at + 2);
                } else {
                    open = Some(at);
                }
                at += 2;
            }
            b"[[" | b"]]" => {
                blank(&mut bytes, at..at + 2);
                at += 2;
            }
            _ => at += 1,
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| plain.clone())
}

fn blank(bytes: &mut [u8], range: Range<usize>) {
    if let Some(part) = bytes.get_mut(range) {
        part.fill(b' ');
    }
}

/// The lines of a block: cut where the file has a line break that is no wrapping.
fn cut(source: &str, block: &Block, text: &str) -> Vec<Range<usize>> {
    let mut ends: Vec<Range<usize>> = Vec::new();
    for piece in &block.text.pieces {
        let plain = piece.plain..piece.plain_end();
        if !piece.verbatim && source.get(piece.source.range()).is_some_and(|gap| gap.contains('\n')) {
            ends.push(plain);
        } else if let Some(run) = text.get(plain.clone()) {
            ends.extend(run.match_indices('\n').map(|(at, _)| plain.start + at..plain.start + at + 1));
        }
    }
    let mut lines = Vec::new();
    let mut start = 0;
    for end in ends {
        let line = text.get(start..end.start).unwrap_or_default();
        let wrapped =
            line.trim().len() >= WRAPPED_LINE_BYTES_MIN && !line.trim_end().ends_with(['.', '!', '?', ':', ';']);
        if !wrapped {
            lines.push(start..end.start);
            start = end.end;
        }
    }
    lines.push(start..text.len());
    lines.retain(|range| text.get(range.clone()).is_some_and(|line| !line.trim().is_empty()));
    lines
}

/// What stands at the head of a line by hand: bullets, numbers, boxes, quotation. Nothing where the line is done or quoted.
fn marker(piece: &str, form: Form) -> Option<(usize, Form)> {
    let mut at = piece.len() - piece.trim_start().len();
    let mut form = if form == Form::Prose && !ends_sentence(piece) { Form::Fragment } else { form };
    if piece[at..].starts_with('>') {
        return None;
    }
    for bullet in ["- ", "* ", "\u{2022} ", "\u{2013} ", "+ "] {
        if piece[at..].starts_with(bullet) {
            at += bullet.len();
            form = Form::Item { boxed: false };
        }
    }
    for mark in ["[x]", "[X]", "\u{2713}", "\u{2714}", "\u{2705}", "\u{2611}"] {
        if piece[at..].starts_with(mark) {
            return None;
        }
    }
    for mark in ["[ ]", "[]", "\u{2610}"] {
        if piece[at..].starts_with(mark) {
            at += mark.len();
            form = Form::Item { boxed: true };
        }
    }
    let rest = &piece[at..];
    at += rest.len() - rest.trim_start().len();
    Some((at, form))
}

fn ends_sentence(piece: &str) -> bool {
    piece.trim_end().ends_with(['.', '!', '?'])
}

/// Sections and what their headings make of them: a section is of another day if one above it is.
fn sections(document: &Document, anchor: &Anchor) -> Vec<Topic> {
    let mut topics: Vec<Topic> = Vec::with_capacity(document.sections.len());
    for section in &document.sections {
        let own = topic(&section.title, anchor);
        let above = section.parent.and_then(|parent| topics.get(parent)).copied().unwrap_or_default();
        let names_today = day_of(&section.title, anchor) == Some(true);
        topics.push(Topic {
            away: own.away || (above.away && !names_today),
            todo: own.todo || (above.todo && !own.parked),
            parked: own.parked || (above.parked && !own.todo),
        });
    }
    topics
}

/// What a line that introduces others makes of them; nothing where it introduces none.
fn introduces(line: &str, anchor: &Anchor) -> Option<Topic> {
    let line = line.trim();
    let label = steadfast_text::lead_in(line).map(|range| line[range].trim());
    let whole = line.trim_end_matches([':', '-', '\u{2013}', '\u{2014}']).trim();
    let bare_day = day_of(whole, anchor).is_some() && is_only_a_day(whole, anchor);
    let label = if bare_day || line.ends_with(':') { Some(whole) } else { label };
    let label = label?;
    if words(label).len() > if line.ends_with(':') { LEAD_WORDS_MAX } else { LABEL_WORDS_MAX } {
        return None;
    }
    let topic = topic(label, anchor);
    let today = day_of(label, anchor) == Some(true) && is_only_a_day(label, anchor);
    (topic != Topic::default() || bare_day || today || line.ends_with(':')).then_some(topic)
}

/// Longest line that introduces what follows by a colon, in words.
const LEAD_WORDS_MAX: usize = 16;

/// Longest label, in words.
const LABEL_WORDS_MAX: usize = 8;

/// Whether a line says more than its label.
fn has_more(line: &str) -> bool {
    steadfast_text::lead_in(line.trim())
        .is_some_and(|label| line.trim().get(label.end..).is_some_and(|rest| rest.chars().any(char::is_alphanumeric)))
}

const TODO: &[&str] = &[
    "todo",
    "todos",
    "to-do",
    "to-dos",
    "tasks",
    "task",
    "priorities",
    "errands",
    "actions",
    "must",
    "do",
    "agenda",
    "chores",
];
const PARKED: &[&str] = &[
    "someday", "later", "backlog", "ideas", "idea", "parking", "parked", "waiting", "maybe", "icebox", "future",
    "wishlist", "reading",
];
const DONE: &[&str] = &["done", "completed", "finished", "log", "journal", "archive", "archived", "retro"];

fn topic(title: &str, anchor: &Anchor) -> Topic {
    let words = words(title);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.low.as_str()));
    let short = words.len() <= LABEL_WORDS_MAX;
    Topic {
        away: day_of(title, anchor) == Some(false) || (short && has(DONE) && !has(TODO)),
        todo: short && has(TODO),
        parked: short && has(PARKED),
    }
}

/// Whether a title names the day of `anchor` (true), other days alone (false), or none.
fn day_of(title: &str, anchor: &Anchor) -> Option<bool> {
    if title.len() > TITLE_BYTES_MAX {
        return None;
    }
    let today = anchor.today();
    let mut named = None;
    for found in expressions(title, anchor) {
        if found.limit.is_some() {
            continue;
        }
        let mut dates = found.readings.iter().filter_map(|reading| covers(reading, today)).peekable();
        if dates.peek().is_some() {
            named = Some(named.unwrap_or(false) || dates.any(|is| is));
        }
    }
    named
}

/// Longest title that is read for a day, in bytes.
const TITLE_BYTES_MAX: usize = 200;

fn covers(reading: &Reading, today: Date) -> Option<bool> {
    match reading {
        Reading::Date(date) => Some(*date == today),
        Reading::DateRange { first, last } => {
            Some(first.is_none_or(|first| first <= today) && last.is_none_or(|last| today <= last))
        }
        Reading::DateTime(at) => Some(at.date() == today),
        _ => None,
    }
}

/// Whether a title says nothing but which day it is of.
fn is_only_a_day(title: &str, anchor: &Anchor) -> bool {
    if title.len() > TITLE_BYTES_MAX {
        return false;
    }
    let found = expressions(title, anchor);
    let outside =
        |range: &Range<usize>| !found.iter().any(|it| it.span.start <= range.start && range.end <= it.span.end);
    words(title)
        .iter()
        .all(|word| !outside(&word.range) || matches!(word.low.as_str(), "the" | "on" | "for" | "and" | "plan"))
}
