//! A result that is written once, for terminals and as Markdown.

use std::fmt::Write as _;

use crate::markdown::escape::{code, escape};
use crate::plain::capital;
use crate::terminal::{Colour, Style};

/// Whom a page is for.
#[derive(Clone, Copy)]
pub(crate) enum Sink {
    Terminal(Colour),
    Markdown,
}

/// A page that is being written. Words are text fit to be shown on one line, which Markdown has escaped; what is marked is ready for the page.
pub(crate) struct Page {
    pub(crate) out: String,
    pub(crate) sink: Sink,
    /// Lines of a list.
    pub(crate) lines_max: usize,
    /// Where lists end, so that what follows has room.
    pub(crate) lists_end_bytes: usize,
}

impl Page {
    pub(crate) const fn terminal(colour: Colour, lines_max: usize) -> Self {
        Self { out: String::new(), sink: Sink::Terminal(colour), lines_max, lists_end_bytes: usize::MAX }
    }

    pub(crate) fn markdown(title: &str, lines_max: usize, lists_end_bytes: usize) -> Self {
        Self { out: format!("# {title}\n\n"), sink: Sink::Markdown, lines_max, lists_end_bytes }
    }

    pub(crate) const fn is_markdown(&self) -> bool {
        matches!(self.sink, Sink::Markdown)
    }

    pub(crate) fn words(&self, words: &str) -> String {
        if self.is_markdown() { escape(words) } else { words.to_owned() }
    }

    /// Words in a colour, or in bold.
    pub(crate) fn marked(&self, style: Style, words: &str) -> String {
        match self.sink {
            Sink::Terminal(colour) => colour.paint(style, words),
            Sink::Markdown => format!("**{}**", escape(words)),
        }
    }

    /// Words that stand back.
    pub(crate) fn aside(&self, words: &str) -> String {
        match self.sink {
            Sink::Terminal(colour) => colour.paint(Style::Dim, words),
            Sink::Markdown => escape(words),
        }
    }

    /// A place in a file.
    pub(crate) fn place(&self, place: &str) -> String {
        if self.is_markdown() { code(place) } else { self.aside(place) }
    }

    /// A paragraph of marked words.
    pub(crate) fn fact(&mut self, marked: &str) {
        let end = if self.is_markdown() { "\n\n" } else { "\n" };
        self.out.push_str(marked);
        self.out.push_str(end);
    }

    /// A line between what stands above and a paragraph.
    pub(crate) fn gap(&mut self) {
        if !self.is_markdown() {
            self.out.push('\n');
        }
    }

    /// The end of the page begins.
    pub(crate) fn end(&mut self) {
        self.out.push_str(if self.is_markdown() { "---\n\n" } else { "\n" });
    }

    pub(crate) fn title(&mut self, style: Style, words: &str) {
        let _ = match self.sink {
            Sink::Terminal(colour) => writeln!(self.out, "\n{}", colour.paint(style, words)),
            Sink::Markdown => writeln!(self.out, "## {}\n", escape(words)),
        };
    }

    /// An item of marked words.
    pub(crate) fn item(&mut self, marked: &str) {
        let mark = if self.is_markdown() { "- " } else { "  - " };
        let _ = writeln!(self.out, "{mark}{marked}");
    }

    /// An item with a name before its marked words.
    pub(crate) fn named(&mut self, name: &str, marked: &str) {
        let _ = match (self.sink, name) {
            (Sink::Terminal(_), _) => writeln!(self.out, "  {name:<7} {marked}"),
            (Sink::Markdown, "") => writeln!(self.out, "- {marked}"),
            (Sink::Markdown, _) => writeln!(self.out, "- **{}:** {marked}", capital(name)),
        };
    }

    /// What is not shown of a list.
    pub(crate) fn more(&mut self, count: usize, what: &str) {
        if count > 0 {
            let mark = if self.is_markdown() { "- " } else { "  " };
            let _ = writeln!(self.out, "{mark}and {count} more{what}");
        }
    }

    /// Items of marked words under a title; nothing where there are none.
    pub(crate) fn listed(&mut self, style: Style, title: &str, items: &[String]) {
        if items.is_empty() {
            return;
        }
        self.title(style, title);
        self.items(items);
    }

    /// Items of marked words, as many as there is room for.
    pub(crate) fn items(&mut self, items: &[String]) {
        let mut shown = 0;
        for item in items.iter().take(self.lines_max) {
            if self.out.len().saturating_add(item.len()) > self.lists_end_bytes {
                break;
            }
            self.item(item);
            shown += 1;
        }
        self.more(items.len() - shown, " in the JSON");
        if self.is_markdown() {
            self.out.push('\n');
        }
    }

    /// The same with plain words.
    pub(crate) fn lines(&mut self, style: Style, title: &str, words: &[String]) {
        let items: Vec<String> = words.iter().map(|it| self.words(it)).collect();
        self.listed(style, title, &items);
    }

    /// Lines in which every character has one width; none is text of others.
    pub(crate) fn block(&mut self, lines: &[(Option<Style>, String)]) {
        match self.sink {
            Sink::Terminal(colour) => lines.iter().for_each(|(style, line)| {
                let line = style.map_or_else(|| line.clone(), |style| colour.paint(style, line));
                let _ = writeln!(self.out, "  {line}");
            }),
            Sink::Markdown => {
                let lines: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
                let _ = writeln!(self.out, "\n```text\n{}\n```\n", lines.join("\n"));
            }
        }
    }
}
