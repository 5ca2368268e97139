//! What stands in a block, line by line.

use steadfast_text::Span;

use super::blocks::{Block, BlockKind, Segment, fence};
use super::marks::{Found, Group, beginnings, signs};
use super::sign::{Bare, Marked};
use super::{BareItem, CheckIn, Item, Labelled, NextStep, Report, is_task_id};

/// The longest label of a line, in bytes.
pub(super) const LABEL_BYTES_MAX: usize = 60;
/// The most words of a label.
pub(super) const LABEL_WORDS_MAX: usize = 6;
/// The longest text of one item, in bytes; what is longer is cut (its span is not).
pub(super) const ITEM_BYTES_MAX: usize = 4_000;

/// What the lines of a block belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Other,
    Criteria,
    NextSteps,
    Status,
}

/// What the last line began, and a wrapped line goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Nothing,
    Item,
    Bare,
    Step,
}

/// A block while it is read.
struct State {
    section: Section,
    open: Open,
    /// The column at which the open item's line begins.
    indent: usize,
    /// The column at which the section's key stands.
    key_indent: usize,
    /// The check-in of the block, by index.
    check_in: Option<usize>,
}

/// One line without its markers.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    text: &'a str,
    /// First byte after the markers.
    pub(super) start: usize,
    /// One past the last byte that is no white space.
    pub(super) end: usize,
    /// Columns before the first marker.
    indent: usize,
    /// Whether a list marker was taken off.
    listed: bool,
    /// `[x]` or `[ ]`.
    checked: Option<(bool, usize)>,
    /// A row of a table.
    row: bool,
}

impl<'a> Line<'a> {
    fn content(&self) -> &'a str {
        self.text.get(self.start..self.end).unwrap_or_default()
    }
}

pub(super) fn read(text: &str, blocks: Vec<Block>, segments: &[Segment]) -> Report {
    let mut reader = Reader { text, report: Report { blocks, ..Report::default() }, states: Vec::new() };
    for index in 0..reader.report.blocks.len() {
        let block = &reader.report.blocks[index];
        let check_in = (block.kind == BlockKind::CheckIn).then(|| {
            let task_id = block.task_id.clone().filter(|id| is_task_id(id));
            reader.report.check_ins.push(CheckIn { task_id, status: None, next_steps: Vec::new(), block: index });
            reader.report.check_ins.len() - 1
        });
        reader.states.push(State { section: Section::Other, open: Open::Nothing, indent: 0, key_indent: 0, check_in });
    }
    for segment in segments {
        if reader.report.blocks[segment.block].kind != BlockKind::Other {
            reader.segment(segment);
        }
    }
    for check_in in &mut reader.report.check_ins {
        if check_in.task_id.is_none() {
            check_in.task_id = reader.report.blocks[check_in.block].task_id.clone().filter(|id| is_task_id(id));
        }
    }
    reader.report
}

struct Reader<'a> {
    text: &'a str,
    report: Report,
    states: Vec<State>,
}

impl Reader<'_> {
    fn segment(&mut self, segment: &Segment) {
        // No item goes on behind a block that stands within its own: the last one read is that block's.
        self.states[segment.block].open = Open::Nothing;
        let mut at = segment.span.start;
        while at < segment.span.end {
            let rest = &self.text[at..segment.span.end];
            let len = rest.find('\n').unwrap_or(rest.len());
            let mut end = at + len;
            if end == segment.span.end && self.report.blocks[segment.block].cut_off {
                end = at + torn_end(&self.text[at..end]);
            }
            self.line(segment.block, at, end);
            at += len + 1;
        }
    }

    fn line(&mut self, block: usize, start: usize, end: usize) {
        let raw = &self.text[start..end];
        if raw.trim().is_empty() || fence(raw).is_some() {
            self.states[block].open = Open::Nothing;
            return;
        }
        let mut line = stripped(self.text, start, end);
        let signs = signs(self.text, line.start, line.end);
        let label = label(line.content());
        let first = signs.first().map_or(usize::MAX, |sign| sign.start);
        if let Some((name, value)) = label.filter(|(_, value)| line.start + value <= first) {
            if self.key(block, name, &mut line, value) {
                return;
            }
            if self.states[block].section == Section::Other && signs.is_empty() && !line.listed {
                let from = line.start + value;
                let span = Span::new(line.start, line.end);
                let text = folded(self.text.get(from..line.end).unwrap_or_default());
                self.report.labelled.push(Labelled { label: name.to_owned(), text, span, block });
            }
        }
        match self.states[block].section {
            Section::NextSteps => self.next_step(block, line),
            Section::Status => {}
            Section::Other | Section::Criteria => self.items(block, line, &signs),
        }
    }

    /// A key of the convention: what follows belongs to it. True where nothing of the line is left to read.
    fn key(&mut self, block: usize, name: &str, line: &mut Line<'_>, value: usize) -> bool {
        let key: String = name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
        let from = line.start + value;
        let inline = self.text.get(from..line.end).unwrap_or_default().trim();
        let state = &mut self.states[block];
        match key.as_str() {
            "acceptancecriteria" | "criteria" => state.section = Section::Criteria,
            "nextsteps" | "nextstep" => state.section = Section::NextSteps,
            "status" if state.check_in.is_some() => state.section = Section::Status,
            "taskid" if !inline.is_empty() => {
                let own = &mut self.report.blocks[block].task_id;
                if own.is_none() {
                    *own = Some(unquoted(inline).to_owned());
                }
                return true;
            }
            // Another key of the block itself ends a section; a label within an item does not.
            _ if !line.listed && line.indent <= state.key_indent => {
                state.section = Section::Other;
                state.open = Open::Nothing;
                state.key_indent = line.indent;
                return inline.is_empty() && !name.contains(' ');
            }
            _ => return false,
        }
        state.open = Open::Nothing;
        state.indent = line.indent;
        state.key_indent = line.indent;
        if state.section == Section::Status {
            if let Some(check_in) = state.check_in
                && !inline.is_empty()
            {
                self.report.check_ins[check_in].status = Some(unquoted(inline).to_owned());
            }
            self.states[block].section = Section::Other;
            return true;
        }
        if inline.is_empty() || matches!(inline, "|" | ">" | "|-" | ">-") {
            return true;
        }
        if state.section == Section::NextSteps {
            // `next_steps: [a, b]`, or one step on the same line.
            let listed = inline.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
            let begin = from + self.text[from..line.end].find(inline).unwrap_or(0);
            match listed {
                Some(list) => {
                    let mut at = begin + 1;
                    for part in list.split(',') {
                        self.step(block, at, at + part.len());
                        at += part.len() + 1;
                    }
                }
                None => self.step(block, begin, begin + inline.len()),
            }
            return true;
        }
        line.start = from;
        false
    }

    fn next_step(&mut self, block: usize, line: Line<'_>) {
        let state = &self.states[block];
        if !line.listed && state.open == Open::Step && line.indent > state.indent {
            if let Some(step) = state.check_in.and_then(|it| self.report.check_ins[it].next_steps.last_mut()) {
                step.span.end = line.end;
                if step.text.len() < ITEM_BYTES_MAX {
                    step.text.push(' ');
                    step.text.push_str(&cleaned(self.text, Span::new(line.start, line.end)));
                }
            }
            return;
        }
        self.step(block, line.start, line.end);
        self.states[block].open = Open::Step;
        self.states[block].indent = line.indent;
    }

    fn step(&mut self, block: usize, start: usize, end: usize) {
        let Some(check_in) = self.states[block].check_in else { return };
        let span = trimmed(self.text, start, end);
        if !span.is_empty() {
            let text = unquoted(&cleaned(self.text, span)).to_owned();
            self.report.check_ins[check_in].next_steps.push(NextStep { text, span });
        }
    }

    fn items(&mut self, block: usize, line: Line<'_>, signs: &[Found]) {
        let criterion = self.states[block].section == Section::Criteria;
        let begins = beginnings(self.text, &line, signs);
        if let Some(first) = begins.first() {
            for (index, group) in begins.iter().enumerate() {
                let until = begins.get(index + 1).map_or(line.end, |next| next.start);
                self.push(block, criterion, group, until, (index == 0).then_some(first.lead).flatten());
            }
            let state = &mut self.states[block];
            state.open = match begins.last().and_then(|group| group.signs.last()) {
                Some(Found { marked: Marked::Weighted(_), .. }) => Open::Item,
                _ => Open::Bare,
            };
            state.indent = line.indent;
            return;
        }
        // In a list or a table a sign at the end marks what stands before it.
        if (line.listed || line.row)
            && let Some(last) = signs.last()
            && self.text[last.end..line.end].chars().all(|c| c.is_whitespace() || "|)]*_.".contains(c))
        {
            let span = trimmed(self.text, line.start, last.start);
            let text = cleaned(self.text, span);
            let whole = Span::new(span.start.min(last.start), last.end);
            self.add(block, criterion, last, text, whole);
            self.states[block].open = Open::Nothing;
            return;
        }
        if let Some((done, start)) = line.checked {
            let span = trimmed(self.text, line.start, line.end);
            self.report.bare.push(BareItem {
                sign: if done { Bare::Done } else { Bare::Open },
                mark: (if done { "[x]" } else { "[ ]" }).to_owned(),
                text: cleaned(self.text, span),
                span: Span::new(start, span.end.max(start + 3)),
                block,
                criterion,
            });
            self.states[block].open = Open::Bare;
            self.states[block].indent = line.indent;
            return;
        }
        self.wrapped(block, &line);
    }

    /// A line that goes on with the item above it: deeper, and no item of a list.
    fn wrapped(&mut self, block: usize, line: &Line<'_>) {
        let state = &mut self.states[block];
        if line.listed || line.row || line.indent <= state.indent {
            state.open = Open::Nothing;
            return;
        }
        let (text, span) = match state.open {
            Open::Item => match self.report.items.last_mut() {
                Some(item) => (&mut item.text, &mut item.span),
                None => return,
            },
            Open::Bare => match self.report.bare.last_mut() {
                Some(item) => (&mut item.text, &mut item.span),
                None => return,
            },
            Open::Nothing | Open::Step => return,
        };
        let more = trimmed(self.text, line.start, line.end);
        if more.is_empty() {
            return;
        }
        span.end = more.end.max(span.end);
        if text.len() < ITEM_BYTES_MAX {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&cleaned(self.text, more));
        }
        if state.open == Open::Item
            && let Some(item) = self.report.items.last_mut()
        {
            item.none = says_none(&item.text);
        }
    }

    fn push(&mut self, block: usize, criterion: bool, group: &Group, until: usize, lead: Option<Span>) {
        let mut span = trimmed(self.text, group.end, until);
        let mut text = cleaned(self.text, span);
        let mut start = group.start;
        if text.is_empty()
            && let Some(lead) = lead
        {
            // "Tests: ✅": what is reported on stands before the sign.
            text = cleaned(self.text, lead);
            start = lead.start;
        }
        span.end = span.end.max(group.end);
        for found in &group.signs {
            self.add(block, criterion, found, text.clone(), Span::new(start, span.end));
        }
    }

    fn add(&mut self, block: usize, criterion: bool, found: &Found, text: String, span: Span) {
        match found.marked {
            Marked::Weighted(sign) => {
                let none = says_none(&text);
                self.report.items.push(Item { sign, text, span, block, criterion, none });
            }
            Marked::Bare(sign) => {
                let mark = self.text[found.start..found.end].to_owned();
                self.report.bare.push(BareItem { sign, mark, text, span, block, criterion });
            }
        }
    }
}

/// The label of a line ("Correctness: …"), and where in it what follows begins.
fn label(content: &str) -> Option<(&str, usize)> {
    let head = content.char_indices().find(|(at, _)| *at > LABEL_BYTES_MAX).map_or(content, |(at, _)| &content[..at]);
    let colon = head.find(':')?;
    // "http://", ":bug:", "10:30" are no labels.
    let name = head[..colon].trim().trim_matches(['*', '_', '`', '"', '\'']).trim();
    let after = &content[colon + 1..];
    let open = after.is_empty() || after.starts_with(|c: char| c.is_whitespace() || matches!(c, '*' | '_'));
    let words = name.split_whitespace().count();
    let worded = name.starts_with(char::is_alphabetic)
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '/' | '&' | '(' | ')' | '\''));
    if !open || !worded || words == 0 || words > LABEL_WORDS_MAX {
        return None;
    }
    let rest = after.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_'));
    Some((name, content.len() - rest.len()))
}

/// Takes indentation, quote and list markers, checkboxes and table bars off a line.
fn stripped(text: &str, start: usize, end: usize) -> Line<'_> {
    let raw = &text[start..end];
    let end = start + raw.trim_end().len();
    let (mut at, mut indent, mut listed, mut row, mut checked) = (start, 0, false, false, None);
    loop {
        let rest = &text[at..end];
        let Some(first) = rest.chars().next() else { break };
        let spaced = |len: usize| rest[len..].chars().next().is_none_or(char::is_whitespace);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).take(9).count();
        match first {
            ' ' if !listed => {
                indent += 1;
                at += 1;
            }
            '\t' if !listed => {
                indent += 4;
                at += 1;
            }
            c if c.is_whitespace() => at += c.len_utf8(),
            '>' | '|' => {
                row |= first == '|';
                at += 1;
            }
            '#' if !listed => at += 1,
            '-' | '*' | '+' | '•' | '◦' | '▪' | '‣' | '·' | '–' | '—' if spaced(first.len_utf8()) => {
                listed = true;
                at += first.len_utf8();
            }
            '[' if rest.len() >= 3 && rest.is_char_boundary(3) && checked.is_none() => match &rest[..3] {
                "[ ]" | "[]" => {
                    checked = Some((false, at));
                    at += 3;
                }
                "[x]" | "[X]" => {
                    checked = Some((true, at));
                    at += 3;
                }
                _ => break,
            },
            _ if digits > 0 && rest[digits..].starts_with(['.', ')']) && spaced(digits + 1) => {
                listed = true;
                at += digits + 1;
            }
            _ => break,
        }
    }
    Line { text, start: at.min(end), end: end.max(at.min(end)), indent, listed, checked, row }
}

/// Where the text of a cut-off block ends without the beginning of a closing tag ("</npl-bl").
fn torn_end(last: &str) -> usize {
    match last.rfind('<') {
        Some(at) if "</npl-reflection".starts_with(&last[at..]) || "</npl-block".starts_with(&last[at..]) => at,
        _ => last.len(),
    }
}

/// A span without white space and markup at its ends.
fn trimmed(text: &str, start: usize, end: usize) -> Span {
    let (start, end) = (start.min(end), end);
    let raw = text.get(start..end).unwrap_or_default();
    let lead = |c: char| c.is_whitespace() || matches!(c, ':' | '|' | '–' | '—' | '→' | ')' | ']' | '\u{FEFF}');
    let left = raw.trim_start_matches(lead);
    let left = left.strip_prefix("- ").unwrap_or(left);
    let right =
        left.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '|' | ';' | ',' | '·' | '•' | '–' | '—'));
    if right.is_empty() {
        return Span::new(start, start);
    }
    let from = end - left.len();
    Span::new(from, from + right.len())
}

/// The text of a span: emphasis at its ends taken off, white space folded, at most [`ITEM_BYTES_MAX`].
fn cleaned(text: &str, span: Span) -> String {
    let raw = text.get(span.range()).unwrap_or_default();
    let mut cut = raw.len().min(ITEM_BYTES_MAX);
    while !raw.is_char_boundary(cut) {
        cut -= 1;
    }
    let mut own = folded(&raw[..cut]);
    for mark in ["**", "__"] {
        if let Some(inner) = own.strip_prefix(mark) {
            own = inner.replacen(mark, "", 1);
        } else if own.matches(mark).count() % 2 == 1 {
            // The other half stands before the sign: "**✅ Done**".
            own = own.replacen(mark, "", 1);
        }
    }
    own.trim().to_owned()
}

fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    for quote in ['"', '\'', '`'] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|it| it.strip_suffix(quote)) {
            return inner;
        }
    }
    text
}

/// Whether an item's whole text says that there is nothing of its kind: "none", "n/a", "Bugs: none found", "no known issues".
fn says_none(text: &str) -> bool {
    if text.len() > 80 {
        return false;
    }
    let low = text.to_lowercase();
    let low = match low.split_once(':') {
        Some((label, rest)) if label.split_whitespace().count() <= 3 => rest,
        _ => &low,
    };
    let words: Vec<&str> =
        low.split(|c: char| !c.is_alphanumeric() && c != '/').filter(|word| !word.is_empty()).collect();
    let (first, rest) = match words.as_slice() {
        [] => return false,
        [first, rest @ ..] => (*first, rest),
    };
    const NOUNS: &[&str] = &[
        "bug",
        "bugs",
        "issue",
        "issues",
        "concern",
        "concerns",
        "problem",
        "problems",
        "vulnerability",
        "vulnerabilities",
        "todo",
        "todos",
        "pitfall",
        "pitfalls",
        "risk",
        "risks",
        "finding",
        "findings",
        "question",
        "questions",
        "defect",
        "defects",
    ];
    const AROUND: &[&str] = &[
        "known",
        "open",
        "new",
        "security",
        "remaining",
        "outstanding",
        "further",
        "major",
        "were",
        "was",
        "are",
        "found",
        "identified",
        "detected",
        "at",
        "this",
        "time",
        "so",
        "far",
        "yet",
        "left",
        "to",
        "report",
        "here",
        "in",
    ];
    match first {
        "n/a" | "na" => rest.is_empty(),
        "none" | "nothing" => rest.iter().all(|word| AROUND.contains(word) && !matches!(*word, "in")),
        "no" => {
            rest.iter().any(|word| NOUNS.contains(word))
                && rest
                    .iter()
                    .all(|word| NOUNS.contains(word) || AROUND.contains(word) && !matches!(*word, "in" | "new"))
        }
        _ => false,
    }
}
