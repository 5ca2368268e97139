//! Where blocks stand: `<npl-block type="…">`, `<npl-ref>`, `<npl-reflection>`, closed or cut off.

use steadfast_text::Span;

/// The longest opening tag, in bytes; what is longer is no tag.
pub const TAG_BYTES_MAX: usize = 2_000;

/// How a block is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// `<npl-block type="…">`.
    NplBlock,
    /// `<npl-ref>`.
    NplRef,
    /// `<npl-reflection>`.
    NplReflection,
}

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// What an agent thinks of its own work.
    Reflection,
    /// Where it stands with a task.
    CheckIn,
    /// A block of another type: none of this instrument's business.
    Other,
}

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// How it is written.
    pub syntax: Syntax,
    /// What it holds.
    pub kind: BlockKind,
    /// Its `task-id`, or the `task_id:` in it, as it is written.
    pub task_id: Option<String>,
    /// From its opening tag to the end of its closing tag, in bytes of the output.
    pub span: Span,
    /// What stands between them.
    pub body: Span,
    /// Whether it has no closing tag: a token limit cut it off, or somebody forgot it.
    pub cut_off: bool,
}

/// A tag in the text.
struct Tag {
    span: Span,
    syntax: Syntax,
    closing: bool,
    /// `<npl-ref/>`.
    empty: bool,
    kind: BlockKind,
    task_id: Option<String>,
    /// Whether it stands in a code fence.
    fenced: bool,
    /// The text ends within the tag.
    torn: bool,
}

/// A run of bytes that belongs to one block and to none within it.
pub(super) struct Segment {
    pub(super) block: usize,
    pub(super) span: Span,
}

/// The blocks of an output in the order in which they begin, and their bodies without the blocks within. Blocks in code fences
/// count only where there are no others: else they are examples. Linear in the output.
pub(super) fn blocks(text: &str) -> (Vec<Block>, Vec<Segment>) {
    let mut tags = tags(text);
    if tags.iter().any(|tag| !tag.fenced && !tag.closing) {
        tags.retain(|tag| !tag.fenced);
    }
    paired(text, &tags)
}

/// Follows code fences and inline code along the text.
struct Fences<'a> {
    text: &'a str,
    /// Up to where lines were read: the beginning of a line.
    line: usize,
    /// Up to where the end of that line was looked for in vain.
    searched: usize,
    /// The fence that is open: its character and length.
    open: Option<(u8, usize)>,
    /// Up to where back ticks of the line were counted, and whether their number is odd.
    ticks: (usize, bool),
}

impl<'a> Fences<'a> {
    /// Reads all lines that end before `at`; gives whether `at` stands in a fence and whether in inline code.
    fn at(&mut self, at: usize) -> (bool, bool) {
        while let Some(len) = self.text.get(self.searched..at).and_then(|rest| rest.find('\n')) {
            let end = self.searched + len;
            let line = &self.text[self.line..end];
            if let Some(fence) = fence(line) {
                self.open = match self.open {
                    None => Some(fence),
                    // A fence closes with the same characters, at least as many, and nothing after them.
                    Some(open) if open.0 == fence.0 && fence.1 >= open.1 && bare(line) => None,
                    open => open,
                };
            }
            self.line = end + 1;
            self.searched = self.line;
        }
        self.searched = self.searched.max(at);
        if self.ticks.0 < self.line {
            self.ticks = (self.line, false);
        }
        let ticks = self.text.as_bytes().get(self.ticks.0..at).unwrap_or_default();
        let odd = ticks.iter().filter(|byte| **byte == b'`').count() % 2 == 1;
        self.ticks = (at.max(self.ticks.0), self.ticks.1 != odd);
        (self.open.is_some(), self.ticks.1)
    }
}

/// The character and length of a code fence that stands on a line: at least three back ticks or tildes.
pub(super) fn fence(line: &str) -> Option<(u8, usize)> {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let first = *line.as_bytes().first()?;
    if first != b'`' && first != b'~' {
        return None;
    }
    let len = line.bytes().take_while(|byte| *byte == first).count();
    (len >= 3 && !(first == b'`' && line[len..].contains('`'))).then_some((first, len))
}

fn bare(line: &str) -> bool {
    line.trim_start_matches([' ', '\t', '>']).trim_start_matches(['`', '~']).trim().is_empty()
}

fn tags(text: &str) -> Vec<Tag> {
    let mut out: Vec<Tag> = Vec::new();
    let mut fences = Fences { text, line: 0, searched: 0, open: None, ticks: (0, false) };
    // The fence that was open when the block that is open began.
    let mut before: Vec<Option<(u8, usize)>> = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find('<')).map(|found| from + found) {
        from = at + 1;
        let Some((mut tag, inside)) = tag_at(text, at) else { continue };
        let (fenced, coded) = fences.at(at);
        if tag.closing {
            if text[..at].ends_with('`') && coded {
                continue;
            }
            // A fence that was opened within the block and left open ends with it.
            if let Some(open) = before.pop() {
                fences.open = open;
            }
            tag.fenced = fences.open.is_some();
        } else {
            if coded {
                continue;
            }
            tag.fenced = fenced;
            if !tag.empty {
                before.push(fences.open);
            }
        }
        fences.ticks = (tag.span.end, false);
        from = inside.max(from);
        out.push(tag);
    }
    out
}

/// The tag that begins at byte `at`, where there is one of ours, and the byte from which to look for the next.
fn tag_at(text: &str, at: usize) -> Option<(Tag, usize)> {
    let rest = &text[at + 1..];
    let (closing, name) = match rest.strip_prefix('/') {
        Some(name) => (true, name),
        None => (false, rest),
    };
    let len =
        name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')).take(16).count();
    let known = name[..len].to_ascii_lowercase().replace('_', "-");
    let syntax = match known.as_str() {
        "npl-block" => Syntax::NplBlock,
        "npl-ref" => Syntax::NplRef,
        "npl-reflection" => Syntax::NplReflection,
        _ => return None,
    };
    let begin = at + 1 + usize::from(closing) + len;
    let (attributes, end, torn) = inside(text, begin)?;
    let empty = !closing && attributes.trim_end().ends_with('/');
    let (kind, task_id) = if closing { (BlockKind::Other, None) } else { described(syntax, attributes) };
    let span = Span::new(at, end);
    Some((Tag { span, syntax, closing, empty, kind, task_id, fenced: false, torn }, end))
}

/// What stands in a tag from `begin` on, where it ends, and whether the text ends within it.
fn inside(text: &str, begin: usize) -> Option<(&str, usize, bool)> {
    let rest = &text[begin..];
    let mut quote: Option<char> = None;
    let mut first_end = None;
    for (offset, c) in rest.char_indices() {
        if offset >= TAG_BYTES_MAX || c == '<' {
            // A quote that was never closed: the first `>` ended the tag.
            return first_end.map(|end: usize| (&rest[..end], begin + end + 1, false));
        }
        match (c, quote) {
            ('>', None) => return Some((&rest[..offset], begin + offset + 1, false)),
            ('>', Some(_)) => first_end = first_end.or(Some(offset)),
            ('"' | '\'', None) => quote = Some(c),
            (_, Some(open)) if c == open => quote = None,
            _ => {}
        }
    }
    match first_end {
        Some(end) => Some((&rest[..end], begin + end + 1, false)),
        // A name that only begins so ("<npl-refs") was told apart already; the text ends here.
        None => Some((rest, text.len(), true)),
    }
}

/// Kind and task of an opening tag.
fn described(syntax: Syntax, attributes: &str) -> (BlockKind, Option<String>) {
    let mut kind = BlockKind::Reflection;
    let mut task_id = None;
    for (name, value) in self::attributes(attributes) {
        match name.to_ascii_lowercase().replace('_', "-").as_str() {
            "type" if syntax == Syntax::NplBlock => {
                let letters: String = value.chars().filter(char::is_ascii_alphabetic).collect();
                let letters = letters.to_ascii_lowercase();
                kind = if letters == "checkin" {
                    BlockKind::CheckIn
                } else if letters.ends_with("reflection") || letters == "reflect" {
                    BlockKind::Reflection
                } else {
                    BlockKind::Other
                };
            }
            "task-id" | "taskid" if !value.trim().is_empty() && task_id.is_none() => {
                task_id = Some(value.trim().to_owned());
            }
            _ => {}
        }
    }
    (kind, task_id)
}

/// Names and values: quoted by straight or typographic quotes, or up to the next white space.
fn attributes(text: &str) -> Vec<(&str, &str)> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(equals) = rest.find('=') {
        let name = rest[..equals].trim_end();
        let name = name.rsplit(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')).next().unwrap_or_default();
        let value = rest[equals + 1..].trim_start();
        let quoted = match value.chars().next() {
            Some('"') => Some(&['"'][..]),
            Some('\'') => Some(&['\''][..]),
            Some('“' | '”') => Some(&['”', '“', '"'][..]),
            Some('‘' | '’') => Some(&['’', '‘', '\''][..]),
            _ => None,
        };
        let (value, after) = match quoted {
            Some(ends) => {
                let begin = value.chars().next().map_or(0, char::len_utf8);
                let value = &value[begin..];
                let end = value.find(ends).unwrap_or(value.len());
                let close = value[end..].chars().next().map_or(0, char::len_utf8);
                (&value[..end], &value[end + close..])
            }
            None => {
                let end = value.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(value.len());
                value.split_at(end)
            }
        };
        out.push((name, value));
        rest = after;
    }
    out
}

/// Pairs opening with closing tags. A block without one of its own ends where the next block begins, else with the text.
fn paired(text: &str, tags: &[Tag]) -> (Vec<Block>, Vec<Segment>) {
    // The closing tag of each opening one, by index.
    let mut closes: Vec<Option<usize>> = vec![None; tags.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, tag) in tags.iter().enumerate() {
        if tag.closing {
            if let Some(opening) = open.pop() {
                closes[opening] = Some(index);
            }
        } else if !tag.empty && !tag.torn {
            open.push(index);
        }
    }
    let mut next_opening = vec![text.len(); tags.len() + 1];
    for (index, tag) in tags.iter().enumerate().rev() {
        next_opening[index] = if tag.closing { next_opening[index + 1] } else { tag.span.start };
    }
    let mut out: Vec<Block> = Vec::new();
    let mut segments: Vec<Segment> = Vec::new();
    // Blocks that are open at the place that was reached: index, and where the body ends.
    let mut nest: Vec<(usize, usize)> = Vec::new();
    let mut reached = 0;
    let mut settle = |nest: &mut Vec<(usize, usize)>, reached: &mut usize, until: usize| {
        while let Some((block, end)) = nest.last().copied() {
            let stop = end.min(until);
            if *reached < stop {
                segments.push(Segment { block, span: Span::new(*reached, stop) });
            }
            *reached = (*reached).max(stop);
            if end > until {
                return;
            }
            nest.pop();
        }
        *reached = (*reached).max(until);
    };
    for (index, tag) in tags.iter().enumerate() {
        settle(&mut nest, &mut reached, tag.span.start);
        reached = reached.max(tag.span.end);
        if tag.closing {
            continue;
        }
        let (body, end, cut_off) = if tag.empty || tag.torn {
            (Span::new(tag.span.end, tag.span.end), tag.span.end, tag.torn)
        } else if let Some(close) = closes[index].and_then(|close| tags.get(close)) {
            (Span::new(tag.span.end, close.span.start), close.span.end, false)
        } else {
            let end = next_opening[index + 1].max(tag.span.end);
            (Span::new(tag.span.end, end), end, true)
        };
        nest.push((out.len(), body.end));
        out.push(Block {
            syntax: tag.syntax,
            kind: tag.kind,
            task_id: tag.task_id.clone(),
            span: Span::new(tag.span.start, end),
            body,
            cut_off,
        });
    }
    settle(&mut nest, &mut reached, text.len());
    (out, segments)
}
