//! What Markdown, HTML and plain text have in common: blocks, sections, lists and tables as they are met in the file.

use std::ops::Range;

use crate::document::{Block, BlockKind, Document, Format, Section, Table};
use crate::label::label;
use crate::read::{BLOCKS_MAX, NESTING_DEPTH_MAX};
use crate::{MappedText, Piece, SharedStr, Span, sentences};

/// A list that is open.
struct List {
    /// The number of the next item, in an ordered list.
    next: Option<u64>,
    /// What introduces the list.
    lead: Option<usize>,
    /// The item that is open.
    item: Option<Item>,
}

/// An item that is open.
#[derive(Default)]
struct Item {
    ordinal: Option<u64>,
    checked: Option<bool>,
    /// Its block, once it has text.
    block: Option<usize>,
}

/// A table that is open.
#[derive(Default)]
struct OpenTable {
    /// Its index, once it has a cell.
    index: Option<usize>,
    row: Vec<usize>,
    /// Whether a cell of the row is no header cell.
    row_has_data: bool,
}

/// Text that is read, and its runs.
#[derive(Default)]
struct Text {
    plain: String,
    pieces: Vec<Piece>,
}

/// A block that is open.
struct Open {
    kind: BlockKind,
    lead: Option<usize>,
    text: Text,
    bold: Vec<Range<usize>>,
    struck: Vec<Range<usize>>,
    /// Bytes where the block stands, should it have no text.
    at: usize,
}

/// A document in the making.
pub(crate) struct Builder<'a> {
    pub(crate) source: &'a str,
    /// The same, which verbatim texts are parts of.
    shared: SharedStr,
    sections: Vec<Section>,
    /// Sections that are open, outermost first; the first is the file.
    path: Vec<usize>,
    blocks: Vec<Block>,
    tables: Vec<Table>,
    pub(crate) scripts: Vec<Span>,
    open: Option<Open>,
    /// The level of the open heading.
    heading_level: u8,
    lists: Vec<List>,
    /// Lists opened beyond [`NESTING_DEPTH_MAX`].
    lists_beyond: usize,
    open_tables: Vec<OpenTable>,
    /// Open block quotes.
    pub(crate) quotes: usize,
    /// Open spans of bold and of struck-out text.
    pub(crate) bold: usize,
    pub(crate) struck: usize,
    /// White space stands as it is (`pre`).
    pub(crate) preserve: bool,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        let file = Section { title: String::new(), level: 0, parent: None, span: Span::new(0, source.len()) };
        Self {
            source,
            shared: source.to_owned().into(),
            sections: vec![file],
            path: vec![0],
            blocks: Vec::new(),
            tables: Vec::new(),
            scripts: Vec::new(),
            open: None,
            heading_level: 1,
            lists: Vec::new(),
            lists_beyond: 0,
            open_tables: Vec::new(),
            quotes: 0,
            bold: 0,
            struck: 0,
            preserve: false,
        }
    }

    /// Whether a block is open that has text.
    pub(crate) fn has_text(&self) -> bool {
        self.open.as_ref().is_some_and(|open| !open.text.plain.is_empty())
    }

    /// Whether what comes is the text of one cell or heading, in which block boundaries are line breaks.
    pub(crate) fn in_line(&self) -> bool {
        self.open.as_ref().is_some_and(|open| matches!(open.kind, BlockKind::TableCell { .. } | BlockKind::Heading))
    }

    /// The bytes `span` of the file, as they stand there.
    pub(crate) fn verbatim(&mut self, span: Span) {
        let Some(text) = self.source.get(span.range()) else {
            return;
        };
        if self.preserve {
            // A line break directly after `<pre>` is not part of the code.
            let skip = if self.has_text() { 0 } else { text.len() - text.trim_start_matches(['\r', '\n']).len() };
            self.push(&text[skip..], Span::new(span.start + skip, span.end), true);
            return;
        }
        let mut rest = text;
        let mut at = span.start;
        while !rest.is_empty() {
            let white = rest.len() - rest.trim_start_matches(is_white).len();
            if white > 0 {
                self.white(Span::new(at, at + white));
                at += white;
                rest = &rest[white..];
                continue;
            }
            // A single space between words stays in the run; wider white space is folded.
            let mut end = 0;
            let bytes = rest.as_bytes();
            while end < bytes.len() {
                let white = is_white(char::from(bytes[end]));
                let lone = bytes[end] == b' ' && bytes.get(end + 1).is_some_and(|next| !is_white(char::from(*next)));
                if white && !lone {
                    break;
                }
                end += 1;
            }
            self.push(&rest[..end], Span::new(at, at + end), true);
            at += end;
            rest = &rest[end..];
        }
    }

    /// Text that the bytes `span` of the file stand for (an entity, an escape).
    pub(crate) fn decoded(&mut self, text: &str, span: Span) {
        if self.source.get(span.range()) == Some(text) {
            self.verbatim(span);
        } else if !self.preserve && !text.is_empty() && text.chars().all(is_white) {
            self.white(span);
        } else {
            self.push(text, span, false);
        }
    }

    /// White space between words: one space, or nothing where a line begins.
    pub(crate) fn white(&mut self, span: Span) {
        let Some(open) = &self.open else { return };
        let plain = &open.text.plain;
        if !span.is_empty() && !plain.is_empty() && !plain.ends_with([' ', '\n']) {
            let verbatim = self.source.get(span.range()) == Some(" ");
            self.push(" ", span, verbatim);
        }
    }

    /// The end of a line that the writer wants.
    pub(crate) fn line_break(&mut self, span: Span) {
        let Some(open) = &mut self.open else { return };
        if open.text.plain.ends_with(' ') {
            pop_last(&mut open.text);
        }
        let plain = &open.text.plain;
        if !span.is_empty() && !plain.is_empty() && !plain.ends_with('\n') {
            let verbatim = self.source.get(span.range()) == Some("\n");
            self.push("\n", span, verbatim);
        }
    }

    fn push(&mut self, text: &str, source: Span, verbatim: bool) {
        // The columns that a tab leaves over stand for no byte of the file.
        let last = self.open.as_ref().and_then(|open| open.text.pieces.last()).map_or(0, |piece| piece.source.end);
        if text.is_empty() || source.is_empty() || source.start < last {
            return;
        }
        if self.open.is_none() {
            let (kind, lead) = self.kind_here();
            self.start(kind, lead, source.start);
        }
        let (bold, struck) = (self.bold > 0, self.struck > 0);
        let Some(open) = &mut self.open else { return };
        let plain = open.text.plain.len();
        open.text.plain.push_str(text);
        let range = plain..open.text.plain.len();
        if bold {
            extend(&mut open.bold, range.clone());
        }
        if struck {
            extend(&mut open.struck, range);
        }
        match open.text.pieces.last_mut() {
            Some(last) if verbatim && last.verbatim && last.source.end == source.start => {
                last.plain_len += text.len();
                last.source.end = source.end;
            }
            _ => open.text.pieces.push(Piece { plain, plain_len: text.len(), source, verbatim }),
        }
    }

    /// What a block is that begins here without saying so.
    fn kind_here(&self) -> (BlockKind, Option<usize>) {
        if let Some((depth, list)) = self.lists.iter().enumerate().next_back()
            && let Some(item) = &list.item
        {
            return match item.block {
                None => {
                    let depth = u8::try_from(depth).unwrap_or(u8::MAX);
                    (BlockKind::ListItem { depth, ordinal: item.ordinal, checked: item.checked }, list.lead)
                }
                Some(block) => (BlockKind::Paragraph, Some(block)),
            };
        }
        let kind = if self.quotes > 0 { BlockKind::Quote } else { BlockKind::Paragraph };
        (kind, None)
    }

    fn start(&mut self, kind: BlockKind, lead: Option<usize>, at: usize) {
        self.open = Some(Open { kind, lead, text: Text::default(), bold: Vec::new(), struck: Vec::new(), at });
    }

    /// Ends the open block, if there is one, and gives its index if it stays.
    pub(crate) fn flush(&mut self) -> Option<usize> {
        let mut open = self.open.take()?;
        if self.blocks.len() > BLOCKS_MAX {
            return None;
        }
        let code = matches!(open.kind, BlockKind::Code { .. });
        while open.text.plain.ends_with(if code { &['\n', '\r'][..] } else { &[' ', '\n'][..] }) {
            pop_last(&mut open.text);
        }
        let text = open.text;
        let len = text.plain.len();
        let cell = matches!(open.kind, BlockKind::TableCell { .. });
        if text.plain.trim().is_empty() && !cell {
            return None;
        }
        for ranges in [&mut open.bold, &mut open.struck] {
            for range in ranges.iter_mut() {
                range.end = range.end.min(len);
            }
            ranges.retain(|range| range.start < range.end);
        }
        let span = match (text.pieces.first(), text.pieces.last()) {
            (Some(first), Some(last)) => Span::new(first.source.start, last.source.end),
            _ => Span::new(open.at, open.at),
        };
        if open.kind == BlockKind::Heading {
            self.open_section(&text.plain, open.at.min(span.start));
        }
        let index = self.blocks.len();
        if matches!(open.kind, BlockKind::ListItem { .. })
            && let Some(item) = self.lists.last_mut().and_then(|list| list.item.as_mut())
        {
            item.block = Some(index);
        }
        if cell && let Some(table) = self.open_tables.last_mut() {
            table.row.push(index);
        }
        let parted = if code { lines(&text.plain) } else { sentences(&text.plain) };
        let label = label(&open.kind, &text.plain, &open.bold);
        // A table has more blocks than anything else: a cell that stands in the file as it is has no memory of its own.
        let plain = match text.pieces.as_slice() {
            [] => self.shared.slice(span.range()),
            [only] if only.verbatim => self.shared.slice(only.source.range()),
            _ => text.plain.into(),
        };
        self.blocks.push(Block {
            section: self.path.last().copied().unwrap_or_default(),
            span,
            sentences: parted.into(),
            label: label.map(Box::new),
            lead: open.lead,
            struck: open.struck.into_boxed_slice(),
            kind: open.kind,
            text: MappedText::new(plain, text.pieces),
        });
        Some(index)
    }

    /// Begins a heading of `level`, whose section begins at `at`. Its text comes next; [`Builder::flush`] ends it. One
    /// without text opens no section.
    pub(crate) fn start_heading(&mut self, level: u8, at: usize) {
        self.flush();
        self.start(BlockKind::Heading, None, at);
        self.heading_level = level;
    }

    /// Opens the section of a heading.
    fn open_section(&mut self, title: &str, at: usize) {
        let level = self.heading_level;
        while self.path.len() > 1
            && self.path.last().is_some_and(|last| self.sections.get(*last).is_some_and(|open| open.level >= level))
        {
            self.close_section(at);
        }
        let parent = self.path.last().copied();
        let span = Span::new(at, self.source.len());
        self.path.push(self.sections.len());
        self.sections.push(Section { title: title.replace('\n', " "), level, parent, span });
    }

    /// How many sections are open, the file counted.
    pub(crate) fn open_sections(&self) -> usize {
        self.path.len()
    }

    /// Closes sections until `open` are left.
    pub(crate) fn close_sections(&mut self, open: usize, at: usize) {
        while self.path.len() > open.max(1) {
            self.close_section(at);
        }
    }

    fn close_section(&mut self, at: usize) {
        if let Some(section) = self.path.pop().and_then(|index| self.sections.get_mut(index)) {
            section.span.end = at.max(section.span.start);
        }
    }

    /// Begins a code block.
    pub(crate) fn start_code(&mut self, language: Option<String>, at: usize) {
        self.flush();
        let (kind, lead) = self.kind_here();
        // An item that begins with code keeps its place for the text that may follow.
        let lead = if matches!(kind, BlockKind::ListItem { .. }) { None } else { lead };
        self.start(BlockKind::Code { language }, lead, at);
    }

    /// Names the language of the open code block, unless it has one.
    pub(crate) fn set_language(&mut self, name: Option<String>) {
        if let Some(Open { kind: BlockKind::Code { language }, .. }) = &mut self.open
            && language.is_none()
        {
            *language = name;
        }
    }

    /// Rows of the innermost table that have ended.
    pub(crate) fn rows_so_far(&self) -> usize {
        self.open_tables.last().and_then(|open| self.tables.get(open.index?)).map_or(0, |table| table.rows.len())
    }

    /// Begins a list; `start` is the first number of an ordered one.
    pub(crate) fn start_list(&mut self, start: Option<u64>) {
        self.flush();
        if self.lists.len() >= NESTING_DEPTH_MAX {
            self.lists_beyond += 1;
            return;
        }
        let last = self.blocks.len().checked_sub(1);
        let above = self.lists.iter().rev().find_map(|list| list.item.as_ref().map(|item| item.block.or(list.lead)));
        let here = self.path.last().copied();
        let introduces = |block: &Block| {
            Some(block.section) == here
                && match block.kind {
                    BlockKind::Paragraph => above.is_none_or(|above| block.lead == above),
                    BlockKind::Quote => above.is_none(),
                    _ => false,
                }
        };
        let lead = last.filter(|last| self.blocks.get(*last).is_some_and(introduces)).or_else(|| above.flatten());
        self.lists.push(List { next: start, lead, item: None });
    }

    /// Ends the innermost list.
    pub(crate) fn end_list(&mut self) {
        self.flush();
        if self.lists_beyond > 0 {
            self.lists_beyond -= 1;
        } else {
            self.lists.pop();
        }
    }

    /// Begins an item of the innermost list; one outside any list begins a paragraph.
    pub(crate) fn start_item(&mut self, number: Option<u64>) {
        self.flush();
        if let Some(list) = self.lists.last_mut() {
            let ordinal = number.filter(|_| list.next.is_some()).or(list.next);
            list.next = ordinal.map(|number| number.saturating_add(1));
            list.item = Some(Item { ordinal, ..Item::default() });
        }
    }

    /// Ends the open item.
    pub(crate) fn end_item(&mut self) {
        self.flush();
        if self.lists_beyond == 0
            && let Some(list) = self.lists.last_mut()
        {
            list.item = None;
        }
    }

    /// The box at the head of an item.
    pub(crate) fn check_box(&mut self, checked: bool) {
        if self.has_text() {
            return;
        }
        if let Some(item) = self.lists.last_mut().and_then(|list| list.item.as_mut()) {
            item.checked = Some(checked);
        }
    }

    /// Begins a table.
    pub(crate) fn start_table(&mut self) {
        self.flush();
        if self.open_tables.len() < NESTING_DEPTH_MAX {
            self.open_tables.push(OpenTable::default());
        }
    }

    /// Begins a cell of the innermost table; one outside any table begins a paragraph.
    pub(crate) fn start_cell(&mut self, header: bool, at: usize) {
        self.flush();
        let Some(table) = self.open_tables.last_mut() else {
            return;
        };
        let index = *table.index.get_or_insert_with(|| {
            self.tables.push(Table::default());
            self.tables.len() - 1
        });
        table.row_has_data |= !header;
        let row = self.tables.get(index).map_or(0, |table| table.rows.len());
        let kind = BlockKind::TableCell { table: index, row, column: table.row.len(), header };
        self.start(kind, None, at);
    }

    /// Ends a row; a row without cells is none.
    pub(crate) fn end_row(&mut self) {
        self.flush();
        let Some(open) = self.open_tables.last_mut() else {
            return;
        };
        let row = std::mem::take(&mut open.row);
        let data = std::mem::take(&mut open.row_has_data);
        if let Some(table) = open.index.and_then(|index| self.tables.get_mut(index)).filter(|_| !row.is_empty()) {
            table.has_header |= table.rows.is_empty() && !data;
            table.rows.push(row);
        }
    }

    /// Ends the innermost table. A table without cells is none.
    pub(crate) fn end_table(&mut self) {
        self.end_row();
        self.open_tables.pop();
    }

    /// Makes the first row of the innermost table, which was not known to be one, its header.
    pub(crate) fn make_header(&mut self) {
        let Some(table) = self.open_tables.last().and_then(|open| self.tables.get_mut(open.index?)) else {
            return;
        };
        if let [row] = table.rows.as_slice() {
            table.has_header = true;
            for cell in row {
                if let Some(Block { kind: BlockKind::TableCell { header, .. }, .. }) = self.blocks.get_mut(*cell) {
                    *header = true;
                }
            }
        }
    }

    pub(crate) fn finish(mut self, format: Format) -> Document {
        while !self.open_tables.is_empty() {
            self.end_table();
        }
        self.flush();
        Document {
            format,
            source: self.shared,
            sections: self.sections,
            blocks: self.blocks,
            tables: self.tables,
            scripts: self.scripts,
        }
    }
}

/// White space that folds. A no-break space is a character like any other.
pub(crate) const fn is_white(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0C')
}

fn extend(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}

/// Takes the last byte, which is ASCII, off a text.
fn pop_last(text: &mut Text) {
    text.plain.pop();
    let Some(last) = text.pieces.last_mut() else {
        return;
    };
    if last.plain_len <= 1 {
        text.pieces.pop();
    } else {
        last.plain_len -= 1;
        last.source.end -= 1;
    }
}

/// The lines of code that hold anything.
fn lines(plain: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let mut found = Vec::new();
    for line in plain.split_inclusive('\n') {
        let text = line.trim();
        if !text.is_empty() {
            let start = at + (line.len() - line.trim_start().len());
            found.push(start..start + text.len());
        }
        at += line.len();
    }
    found
}
