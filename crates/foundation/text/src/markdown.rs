//! Markdown: CommonMark with GitHub's tables, strikethrough and task lists, by `pulldown-cmark`.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::Span;
use crate::builder::Builder;
use crate::html::Html;

/// What stands in a paragraph line by line, where its lines are rows of a table without a header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    /// No row: running text.
    No,
    /// A row whose cells are read.
    Cells,
    /// `|---|---|`.
    Delimiter,
}

struct Reader {
    html: Html,
    row: Row,
    /// Whether a table without a header is open.
    bare_table: bool,
    in_code: bool,
    in_paragraph: bool,
    /// Whether the lines of the open paragraph end where their writer ended them, not where they were full.
    is_typed: bool,
    /// Open images: what describes one is not text of the document.
    images: usize,
    /// The pieces of the open HTML block.
    raw: Vec<Span>,
}

pub(crate) fn read(builder: &mut Builder<'_>) {
    let base = front_matter_end(builder.source);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut reader = Reader {
        html: Html::new(),
        row: Row::No,
        bare_table: false,
        in_code: false,
        in_paragraph: false,
        is_typed: false,
        images: 0,
        raw: Vec::new(),
    };
    let source = builder.source;
    for (event, range) in Parser::new_ext(&source[base..], options).into_offset_iter() {
        reader.event(builder, event, Span::new(base + range.start, base + range.end));
    }
    reader.html.finish(builder);
}

impl Reader {
    fn event(&mut self, builder: &mut Builder<'_>, event: Event<'_>, span: Span) {
        match event {
            Event::Start(tag) => self.start(builder, tag, span),
            Event::End(tag) => self.end(builder, tag, span),
            Event::Text(text) => self.text(builder, &text, span),
            Event::Code(text) => self.code(builder, &text, span),
            Event::Html(_) => match self.raw.last_mut() {
                Some(last) if last.end == span.start => last.end = span.end,
                _ => self.raw.push(span),
            },
            Event::InlineHtml(_) if self.images == 0 && self.row != Row::Delimiter => self.html.feed(builder, span),
            Event::SoftBreak | Event::HardBreak if self.images > 0 => {}
            Event::SoftBreak | Event::HardBreak => {
                let hard = event == Event::HardBreak || self.is_typed && ends_clause(builder.source, span.start);
                if self.in_paragraph {
                    self.end_line(builder, span.end);
                }
                if self.row == Row::No && hard {
                    builder.line_break(span);
                } else if self.row == Row::No {
                    builder.white(span);
                }
            }
            Event::Rule => {
                builder.flush();
            }
            Event::TaskListMarker(checked) => builder.check_box(checked),
            _ => {}
        }
    }

    fn start(&mut self, builder: &mut Builder<'_>, tag: Tag<'_>, span: Span) {
        match tag {
            Tag::Paragraph => {
                self.in_paragraph = true;
                self.is_typed = is_typed(builder.source.get(span.range()).unwrap_or_default());
                if !builder.in_line() {
                    builder.flush();
                    self.start_line(builder, span.start);
                }
            }
            Tag::Heading { level, .. } => builder.start_heading(self.html.level(level as u8), span.start),
            Tag::BlockQuote(_) => {
                builder.flush();
                builder.quotes += 1;
            }
            Tag::CodeBlock(kind) => {
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => info.split([' ', ',', '{']).next().filter(|name| !name.is_empty()),
                    CodeBlockKind::Indented => None,
                };
                builder.start_code(language.map(str::to_owned), span.start);
                builder.preserve = true;
                self.in_code = true;
            }
            Tag::HtmlBlock => self.raw.clear(),
            Tag::List(first) => builder.start_list(first),
            Tag::Item => builder.start_item(None),
            Tag::Table(_) => builder.start_table(),
            Tag::TableCell => builder.start_cell(self.in_head(builder), span.start),
            Tag::Strong => builder.bold += 1,
            Tag::Strikethrough => builder.struck += 1,
            Tag::Image { .. } => self.images += 1,
            _ => {}
        }
    }

    /// Whether the row that is read is the header: the first one of a table that Markdown knows as one.
    fn in_head(&self, builder: &Builder<'_>) -> bool {
        builder.rows_so_far() == 0
    }

    fn end(&mut self, builder: &mut Builder<'_>, tag: TagEnd, span: Span) {
        match tag {
            TagEnd::Paragraph => {
                self.html.settle(builder, span.end);
                self.end_table(builder);
                self.in_paragraph = false;
                self.is_typed = false;
                if !builder.in_line() {
                    builder.flush();
                }
            }
            TagEnd::Heading(_) => {
                self.html.settle(builder, span.end);
                builder.flush();
            }
            TagEnd::BlockQuote(_) => {
                builder.flush();
                builder.quotes = builder.quotes.saturating_sub(1);
            }
            TagEnd::CodeBlock => {
                builder.flush();
                builder.preserve = false;
                self.in_code = false;
            }
            TagEnd::HtmlBlock => {
                for span in std::mem::take(&mut self.raw) {
                    self.html.feed(builder, span);
                }
                self.html.settle(builder, span.end);
                if !builder.in_line() {
                    builder.flush();
                }
            }
            TagEnd::List(_) => builder.end_list(),
            TagEnd::Item => {
                self.html.settle(builder, span.end);
                builder.end_item();
            }
            TagEnd::Table => builder.end_table(),
            TagEnd::TableHead | TagEnd::TableRow => builder.end_row(),
            TagEnd::TableCell => {
                self.html.settle(builder, span.end);
                builder.flush();
            }
            TagEnd::Strong => builder.bold = builder.bold.saturating_sub(1),
            TagEnd::Strikethrough => builder.struck = builder.struck.saturating_sub(1),
            TagEnd::Image => self.images = self.images.saturating_sub(1),
            _ => {}
        }
    }

    fn text(&mut self, builder: &mut Builder<'_>, text: &str, span: Span) {
        if self.images > 0 || self.html.skips() || self.row == Row::Delimiter {
            return;
        }
        if self.row == Row::Cells && builder.source.get(span.range()) == Some(text) {
            self.cells(builder, span);
        } else {
            builder.decoded(text, span);
        }
    }

    /// A code span: the file's bytes without the backticks, where they are the text.
    fn code(&mut self, builder: &mut Builder<'_>, text: &str, span: Span) {
        if self.images > 0 || self.html.skips() || self.row == Row::Delimiter {
            return;
        }
        let raw = builder.source.get(span.range()).unwrap_or_default();
        match raw.find(text).filter(|_| !text.is_empty()) {
            Some(at) => builder.verbatim(Span::new(span.start + at, span.start + at + text.len())),
            None => builder.decoded(text, span),
        }
    }

    /// Text of a row, parted at its bars.
    fn cells(&self, builder: &mut Builder<'_>, span: Span) {
        let source = builder.source;
        let mut at = span.start;
        for (offset, _) in source[span.range()].match_indices('|') {
            let bar = span.start + offset;
            if bar.checked_sub(1).is_some_and(|before| source.as_bytes().get(before) == Some(&b'\\')) {
                continue;
            }
            builder.verbatim(Span::new(at, bar));
            at = bar + 1;
            builder.flush();
            // Only up to the next character that is not white: a line of bars alone must not take quadratic time.
            let rest = source[at..].trim_start_matches([' ', '\t', '\r']);
            if !rest.is_empty() && !rest.starts_with('\n') {
                builder.start_cell(false, at);
            }
        }
        builder.verbatim(Span::new(at, span.end));
    }

    /// Begins a line of a paragraph.
    fn start_line(&mut self, builder: &mut Builder<'_>, at: usize) {
        let line = builder.source.get(at..).unwrap_or_default().split('\n').next().unwrap_or_default().trim();
        self.row = if !line.starts_with('|') || line.bytes().filter(|byte| *byte == b'|').nth(1).is_none() {
            Row::No
        } else if line.contains("--") && line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t')) {
            Row::Delimiter
        } else {
            Row::Cells
        };
        if self.row == Row::No {
            self.end_table(builder);
        } else if !self.bare_table {
            builder.start_table();
            self.bare_table = true;
        }
        if self.row == Row::Delimiter {
            builder.make_header();
        }
    }

    /// Ends a line of a paragraph and begins the next one, which starts at or after `next`.
    fn end_line(&mut self, builder: &mut Builder<'_>, next: usize) {
        if self.row != Row::No {
            builder.end_row();
        }
        let rest = builder.source.get(next..).unwrap_or_default();
        let at = next + (rest.len() - rest.trim_start_matches([' ', '\t', '>']).len());
        let was = self.row;
        if was == Row::No && !builder.source.get(at..).is_some_and(|line| line.starts_with('|')) {
            return;
        }
        self.start_line(builder, at);
    }

    fn end_table(&mut self, builder: &mut Builder<'_>) {
        if self.bare_table {
            builder.end_table();
        }
        self.bare_table = false;
        self.row = Row::No;
    }
}

/// Where the text begins: after the byte order mark and the YAML front matter, if there is any.
fn front_matter_end(source: &str) -> usize {
    let text = source.trim_start_matches('\u{FEFF}');
    let start = source.len() - text.len();
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else { return start };
    let mut at = start + first.len();
    for (number, line) in lines.enumerate() {
        at += line.len();
        let text = line.trim_end();
        if text == "---" || text == "..." {
            return if number > 0 { at } else { start };
        }
        // The first line must be a key, or the rule is no more than a rule.
        let key = text.split_once(':').map_or("", |(key, _)| key);
        if number == 0 && (key.is_empty() || !key.chars().all(|c| c.is_alphanumeric() || "_- ".contains(c))) {
            return start;
        }
    }
    start
}

/// Characters that an editor puts on a line at most, where it breaks lines at all.
const WRAPPED_CHARS_MAX: usize = 130;

/// Characters by which a line that was full falls short of the longest one at most.
const RAGGED_CHARS: usize = 12;

/// Whether the lines of a paragraph end where their writer ended them: one is longer than editors make them, or the first word of the next line would
/// have had room on one.
fn is_typed(paragraph: &str) -> bool {
    let lines: Vec<&str> = paragraph.trim_end().lines().map(str::trim).collect();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let has_room = |pair: &[&str]| {
        let word = pair[1].split(' ').next().unwrap_or_default();
        pair[0].chars().count() + 1 + word.chars().count() + RAGGED_CHARS <= longest
    };
    lines.len() > 1 && (longest > WRAPPED_CHARS_MAX || lines.windows(2).any(has_room))
}

/// Whether the line that ends at `at` ends with something that a clause can end with: no comma, and no word that another must follow.
fn ends_clause(source: &str, at: usize) -> bool {
    const GO_ON: [&str; 22] = [
        "a", "an", "and", "as", "at", "but", "by", "for", "from", "if", "in", "is", "of", "on", "or", "that", "the",
        "to", "which", "with", "without", "not",
    ];
    let line = source.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default().trim_end();
    let word = line.rsplit(' ').next().unwrap_or_default();
    !line.ends_with(',') && !GO_ON.iter().any(|own| word.eq_ignore_ascii_case(own))
}
