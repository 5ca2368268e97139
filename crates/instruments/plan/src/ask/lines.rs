//! The lines of the notes that speak of this day: markup, done and struck-out work, quotations, other days and front matter
//! are set aside here.

use std::ops::Range;

use steadfast_text::{Block, BlockKind, Document};
use steadfast_time::Anchor;

use super::labels::{
    TITLE_BYTES_MAX, Topic, day_of, introduces, is_mail_header, is_ticked, sections, stamp, stated_before,
};
use super::rows;
use super::verbs::is_task_verb;
use super::words::words;
use super::written::fields;
use crate::list::List;

/// Lines below a task of Org mode in which its properties are looked for.
const PROPERTY_LINES_MAX: usize = 8;

/// Lines are wrapped only where the longest has so many characters.
const WRAPPED_LINE_CHARS_MIN: usize = 50;

/// Two lines are one text only where the first has so many.
const WRAPPED_PAIR_CHARS_MIN: usize = 60;

/// Longest line that is read as one, in bytes. What is longer comes in pieces, so that whoever looks at all of a line for each of its words
/// stays linear in the notes.
const LINE_BYTES_MAX: usize = 4_000;

/// What of a heading or a line above stands by each line below it, in bytes.
const UNDER_BYTES_MAX: usize = 400;

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
}

/// A cell of a row that a line is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell<'a> {
    /// Where it begins in the text of the line.
    pub(crate) start: usize,
    /// Its block.
    pub(crate) block: &'a Block,
    /// Where it begins in the text of its block.
    pub(crate) at: usize,
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
    /// Whether what stands there must be done.
    pub(crate) must: bool,
    /// Whether it is done only if there is time.
    pub(crate) optional: bool,
    /// Whether it is one of several half sentences or items, and not the title of them.
    pub(crate) among: bool,
    /// Whether it is indented below a line of its block, and goes on with it.
    pub(crate) continues: bool,
    /// The cells of a row of a table after the first, which the text holds behind commas.
    pub(crate) cells: Vec<Cell<'a>>,
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
                // "# standup 9:15–9:30": what a heading gives a time is said like in any line.
                let plain = &block.text.plain;
                let timed = || super::events::times(plain, anchor).iter().any(super::parts::is_clock);
                if plain.len() > TITLE_BYTES_MAX || !timed() {
                    continue;
                }
                Form::Fragment
            }
            BlockKind::Quote | BlockKind::Code { .. } => continue,
            BlockKind::ListItem { checked, .. } => {
                if *checked == Some(true) {
                    continue;
                }
                Form::Item { boxed: checked.is_some() }
            }
            BlockKind::TableCell { header: true, .. } => continue,
            BlockKind::TableCell { .. } => Form::Item { boxed: false },
            BlockKind::Paragraph => Form::Prose,
        };
        let section = topics.get(block.section).copied().unwrap_or_default();
        let lead = block.lead.and_then(|lead| leads.get(lead)).cloned().flatten();
        let row = row_of(block);
        let is_item = matches!(form, Form::Item { .. }) && row.is_none();
        let mut text = masked(block);
        let title = document.sections.get(block.section).map_or("", |section| beginning(&section.title)).to_lowercase();
        let mut last_introduces = false;
        // Whether the line before it of the block was left out, and whether one was taken.
        let (mut done, mut begun) = (false, false);
        let pieces = cut(&document.source, block, &text);
        let left_out = rows::of_calendar(&mut text, &pieces);
        for (nth, range) in pieces.iter().enumerate().filter(|(nth, _)| !left_out.contains(nth)) {
            last_introduces = false;
            let piece = &text[range.clone()];
            let indented = begun && is_indented(&document.source, block, range.start);
            if indented && done {
                continue;
            }
            begun = true;
            let Some((skip, form)) = marker(piece, form) else {
                done = true;
                continue;
            };
            // "SCHEDULED: <2026-10-07 Wed>" below it.
            let mut below = pieces[nth + 1..].iter().take(PROPERTY_LINES_MAX).enumerate();
            done = !indented
                && matches!(form, Form::Item { boxed: true })
                && below
                    .by_ref()
                    .take_while(|(far, own)| *far == 0 || is_indented(&document.source, block, own.start))
                    .find_map(|(_, own)| trimmed(&text, own).strip_prefix("SCHEDULED:"))
                    .is_some_and(|day| day_of(day, anchor) == Some(false));
            if done {
                continue;
            }
            let skip = skip + stamp(&piece[skip..]);
            if is_mail_header(&piece[skip..]) {
                continue;
            }
            let mut own = &piece[skip..];
            let mut own_topic = Topic::default();
            let mut label = 0;
            if row.is_none()
                && let Some((topic, end)) = introduces(own, anchor)
            {
                let words = beginning(own).to_lowercase();
                let rest = own.get(end..).unwrap_or_default();
                let alone = !rest.chars().any(char::is_alphanumeric);
                if alone || topic.away {
                    leads[at] = Some((topic, words.clone()));
                }
                if alone && !is_item {
                    running = Some((topic, words));
                }
                if alone {
                    last_introduces = true;
                    // "Teaching 8:15–2:45, so only free 2:45–5 for the rest:" says more than what follows.
                    let told = stated_before(own, anchor);
                    if told == 0 {
                        continue;
                    }
                    own = &own[..told];
                } else {
                    own_topic = topic;
                    // "Today: the report, call Sam": what follows in the line is to be done.
                    own_topic.todo |= day_of(own.get(..end).unwrap_or_default(), anchor) == Some(true);
                    label = if topic == Topic::default() { 0 } else { end };
                }
            }
            let above = lead.clone().or_else(|| if is_item || block.lead.is_none() { running.clone() } else { None });
            let (topic, words) = above.unwrap_or_default();
            let apart = own_topic.must || own_topic.optional || own_topic.todo;
            if section.away || (topic.away && !apart) || own_topic.away || is_ticked(own) {
                continue;
            }
            let rest = own.get(label..).unwrap_or_default();
            let label = label + rest.len() - rest.trim_start().len();
            // A row of a table is read as one line.
            if let Some(last) = out
                .last_mut()
                .filter(|last| row.is_some() && row_of(last.block) == row && last.text.len() < LINE_BYTES_MAX)
            {
                last.text.push_str(", ");
                last.cells.push(Cell { start: last.text.len(), block, at: range.start + skip + label });
                last.text.push_str(own.get(label..).unwrap_or_default());
                continue;
            }
            out.push(Line {
                block,
                at: range.start + skip + label,
                text: own.get(label..).unwrap_or_default().to_owned(),
                form,
                under: format!("{title} {words}"),
                todo: section.todo || topic.todo || own_topic.todo,
                parked: (section.parked || topic.parked || own_topic.parked) && !apart,
                must: (section.must || topic.must || own_topic.must) && !own_topic.optional,
                among: false,
                continues: indented,
                cells: Vec::new(),
                optional: (section.optional || topic.optional || own_topic.optional) && !own_topic.must,
            });
        }
        // A paragraph that introduces nothing ends what was introduced above it.
        if !is_item && !last_introduces && row.is_none() {
            running = None;
        }
        if is_item && leads[at].is_none() {
            leads[at] = lead;
        }
    }
    let listed = out.iter().filter(|line| line.form != Form::Prose).count() >= LISTED_LINES_MIN;
    for (at, line) in out.iter_mut().enumerate() {
        line.among = listed
            && (at > 0
                || !is_title(&line.text)
                || matches!(line.form, Form::Item { .. })
                || line.text.bytes().any(|byte| byte.is_ascii_digit()));
    }
    out
}

/// As much of a text as stands by each line below it.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(UNDER_BYTES_MAX)]
}

/// The table and the row in it to which a block belongs, if it is a cell.
fn row_of(block: &Block) -> Option<(usize, usize)> {
    match &block.kind {
        BlockKind::TableCell { table, row, .. } => Some((*table, *row)),
        _ => None,
    }
}

/// So many half sentences or items make a list of notes.
const LISTED_LINES_MIN: usize = 3;

/// Words of titles of notes.
const TITLES: List = List("title");

/// Whether the first line of notes is their title rather than the first thing in them.
fn is_title(line: &str) -> bool {
    let words = words(line);
    let titles = |low: &str| TITLES.contains(low);
    let shouted = line.chars().any(char::is_uppercase) && !line.chars().any(char::is_lowercase);
    words.len() <= TITLE_WORDS_MAX && (shouted || words.iter().any(|word| titles(&word.low)))
}

/// Longest title of notes, in words.
const TITLE_WORDS_MAX: usize = 5;

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
    fields(&mut bytes);
    String::from_utf8(bytes).unwrap_or_else(|_| plain.to_string())
}

fn blank(bytes: &mut [u8], range: Range<usize>) {
    if let Some(part) = bytes.get_mut(range) {
        part.fill(b' ');
    }
}

/// Whether a line of a block is indented in the file.
fn is_indented(source: &str, block: &Block, at: usize) -> bool {
    let start = block.text.source_span(at..at + 1).start;
    let head = source.get(..start).unwrap_or_default();
    head.ends_with("  ") && head.trim_end_matches(' ').ends_with('\n')
}

/// The lines of a block: cut where the file has a line break that is no wrapping.
fn cut(source: &str, block: &Block, text: &str) -> Vec<Range<usize>> {
    let mut ends: Vec<Range<usize>> = Vec::new();
    for piece in block.text.pieces().iter() {
        let plain = piece.plain..piece.plain_end();
        if !piece.verbatim && source.get(piece.source.range()).is_some_and(|gap| gap.contains('\n')) {
            ends.push(plain);
        } else if let Some(run) = text.get(plain.clone()) {
            ends.extend(run.match_indices('\n').map(|(at, _)| plain.start + at..plain.start + at + 1));
        }
    }
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for end in ends {
        lines.push(start..end.start);
        start = end.end;
    }
    lines.push(start..text.len());
    lines.retain(|range| text.get(range.clone()).is_some_and(|line| !line.trim().is_empty()));
    // A paragraph ends a sentence; notes line by line seldom do.
    let closes =
        lines.last().is_some_and(|last| ends_sentence(trimmed(text, last)) || trimmed(text, last).ends_with(':'));
    let prose = block.kind != BlockKind::Paragraph || closes;
    let lines = if prose && is_wrapped(text, &lines) { joined(text, &lines) } else { lines };
    lines.into_iter().flat_map(|line| bounded(text, line)).collect()
}

/// A line in pieces that are not too long, cut where sentences end.
fn bounded(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    if line.len() <= LINE_BYTES_MAX {
        return vec![line];
    }
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for sentence in steadfast_text::sentences(&text[line.clone()]) {
        let own = line.start + sentence.start..line.start + sentence.end;
        match pieces.last_mut().filter(|last| own.end - last.start <= LINE_BYTES_MAX) {
            Some(last) => last.end = own.end,
            None => pieces.push(own),
        }
    }
    pieces
}

/// Whether the lines of a block are one text wrapped to a width: each but the last ends a sentence, or is so long that the
/// word that follows would not have fitted. One line that was ended before makes a list of all of them.
fn is_wrapped(text: &str, lines: &[Range<usize>]) -> bool {
    // Two lines show no width: the first must be as long as lines usually are.
    let least = if lines.len() > 2 { WRAPPED_LINE_CHARS_MIN } else { WRAPPED_PAIR_CHARS_MIN };
    let width = lines.iter().map(|range| trimmed(text, range).chars().count()).max().unwrap_or_default();
    width >= least
        && lines.windows(2).all(|pair| {
            let (line, next) = (trimmed(text, &pair[0]), trimmed(text, &pair[1]));
            let word = next.split_whitespace().next().unwrap_or_default();
            let full = line.chars().count() + 1 + word.chars().count() > width;
            ends_sentence(line) || line.ends_with(':') || (full && (goes_on(line) || !begins_anew(next)))
        })
}

/// Whether a line says by its own words that it begins something: an item, a capital, something to do.
fn begins_anew(line: &str) -> bool {
    let word = words(line).into_iter().next();
    !line.starts_with(char::is_alphanumeric)
        || word.is_some_and(|word| word.capital || word.is_figure() || is_task_verb(&word.low))
}

/// Words with which no phrase ends.
const BROKEN_OFF: List = List("broken-off");

/// Whether a line breaks off in the middle of a phrase.
fn goes_on(line: &str) -> bool {
    let last = words(line).pop();
    line.ends_with(',') || last.is_some_and(|word| BROKEN_OFF.contains(&word.low))
}

/// The wrapped lines as one for each run that no sentence ends.
fn joined(text: &str, lines: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    for range in lines {
        match out.last_mut().filter(|_| open) {
            Some(last) => last.end = range.end,
            None => out.push(range.clone()),
        }
        let line = trimmed(text, range);
        open = !(ends_sentence(line) || line.ends_with([':', ';']));
    }
    out
}

fn trimmed<'t>(text: &'t str, range: &Range<usize>) -> &'t str {
    text.get(range.clone()).unwrap_or_default().trim()
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
    // "(A) call Sam" and "x 2026-11-30 call Sam" of todo.txt.
    let rest = &piece[at..];
    let bytes = rest.as_bytes();
    if bytes.len() > 4 && bytes[0] == b'(' && bytes[1].is_ascii_uppercase() && &rest.as_bytes()[2..4] == b") " {
        at += 4;
        form = Form::Item { boxed: true };
    }
    if rest.starts_with("x ") && form != Form::Prose && !matches!(form, Form::Item { boxed: true }) {
        return None;
    }
    // "* TODO call Sam" of Org mode, whose stars a reader of Markdown takes for bullets.
    let stars = piece[at..].bytes().take_while(|byte| *byte == b'*').count();
    if stars > 0 && piece[at + stars..].starts_with(' ') {
        at += stars + 1;
    }
    let listed = stars > 0 || matches!(form, Form::Item { .. });
    let word = piece[at..].split(' ').next().unwrap_or_default();
    match word {
        "TODO" | "NEXT" => {
            at += word.len();
            form = Form::Item { boxed: true };
        }
        "DONE" | "CANCELLED" | "CANCELED" if listed => return None,
        _ if listed && waits(&piece[at..]) => form = Form::Item { boxed: false },
        _ => {}
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

/// Whether a line begins with a state of Org mode in which nothing is to be done yet.
pub(super) fn waits(line: &str) -> bool {
    matches!(line.split(' ').next(), Some("WAITING" | "SOMEDAY" | "HOLD"))
}

fn ends_sentence(piece: &str) -> bool {
    piece.trim_end().ends_with(['.', '!', '?'])
}
