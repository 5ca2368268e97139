//! A document: the file's own text, and what was read in it.

use std::ops::Range;

use crate::{MappedText, Ranges, SharedStr, Span};

/// How a file is marked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// CommonMark with GitHub's tables and task lists.
    Markdown,
    /// HTML as browsers read it.
    Html,
    /// Paragraphs parted by blank lines.
    Plain,
}

/// A file as a tree of sections and blocks whose every piece of text maps back to the bytes of the file.
#[derive(Clone, Debug)]
pub struct Document {
    /// How the file is marked up.
    pub format: Format,
    /// The file, byte for byte (a byte order mark stays).
    pub source: SharedStr,
    /// Sections in the order of the file; the first is the file itself (level 0, no title).
    pub sections: Vec<Section>,
    /// Blocks in the order of the file.
    pub blocks: Vec<Block>,
    /// Tables in the order of the file.
    pub tables: Vec<Table>,
    /// Contents of scripts in HTML: never text, but planners keep schedules in them.
    pub scripts: Vec<Span>,
}

/// A heading and what stands under it.
#[derive(Clone, Debug)]
pub struct Section {
    /// The heading's text without markup; empty for the file itself.
    pub title: String,
    /// 0 for the file itself, 1 to 6 for headings.
    pub level: u8,
    /// The section that this one stands in.
    pub parent: Option<usize>,
    /// From the heading to the next heading of the same or a higher level.
    pub span: Span,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading.
    Heading,
    /// A paragraph.
    Paragraph,
    /// The text of a list item, without the items below it.
    ListItem {
        /// 0 for an outermost list.
        depth: u8,
        /// The item's number in an ordered list.
        ordinal: Option<u64>,
        /// `Some(true)` for `[x]`, `Some(false)` for `[ ]`.
        checked: Option<bool>,
    },
    /// One cell of a table.
    TableCell {
        /// Index into [`Document::tables`].
        table: usize,
        /// Row, from 0; the header row counts.
        row: usize,
        /// Column, from 0.
        column: usize,
        /// Whether it is a header cell.
        header: bool,
    },
    /// A paragraph of a block quote.
    Quote,
    /// A code block.
    Code {
        /// The language that the fence announces.
        language: Option<String>,
    },
}

/// The smallest piece that stands by itself: a heading, a paragraph, the text of one list item, one cell.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Index into [`Document::sections`].
    pub section: usize,
    /// The bytes of the file from its first to its last character of text.
    pub span: Span,
    /// Its text without markup, entities decoded, with the way back to the file.
    pub text: MappedText,
    /// Its sentences, as ranges of `text.plain`, trimmed of white space.
    pub sentences: Ranges,
    /// The paragraph or item that introduces the list that this item stands in ("Banned: "), or the item above it.
    pub lead: Option<usize>,
    /// A bold or colon-ended lead-in of the block ("**Timeframe:** …"), as a range of `text.plain` without its colon.
    pub label: Option<Box<Range<usize>>>,
    /// Ranges of `text.plain` that are struck out.
    pub struck: Box<[Range<usize>]>,
}

/// A table as rows of cells.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// For each row the block of each cell; the header row is first, if there is one.
    pub rows: Vec<Vec<usize>>,
    /// Whether the first row is a header.
    pub has_header: bool,
}
