//! HTML as browsers read it, as far as text is concerned: which elements end a block, which are headings, lists and
//! tables, what nobody sees.
//!
//! The tokens come from `html5gum`; the tree builder of the standard is simplified to a stack with the implied end tags
//! of paragraphs, items, cells and rows.

use std::collections::HashMap;

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use crate::Span;
use crate::bounded::bounded;
use crate::builder::Builder;
use crate::read::NESTING_DEPTH_MAX;

/// Elements that never have an end tag.
const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// Elements that begin and end a block of text.
const BLOCK: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "search",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
];

/// Elements whose contents are no text that a reader sees.
const SKIPPED: &[&str] = &[
    "audio", "canvas", "datalist", "head", "iframe", "noembed", "noframes", "noscript", "object", "script", "style",
    "template", "title", "video",
];

/// Elements that may stand in a `head`; any other one ends it.
const IN_HEAD: &[&str] = &["base", "link", "meta", "noscript", "script", "style", "template", "title"];

/// Words in the class of a button that opens what stands below it.
const OPENER: &[&str] = &["collaps", "accordion", "expand", "toggle", "disclosure"];

/// The deepest level of a heading.
const LEVEL_MAX: u8 = 6;

/// Names of entities are no longer than this, in bytes.
const ENTITY_BYTES_MAX: usize = 32;

/// What ends with an element.
enum Effect {
    Nothing,
    Skipped,
    Bold,
    Struck,
    List,
    Item,
    Quote,
    Code,
    Cell,
    Row,
    Table,
    Heading,
    /// A button or summary whose text heads what stands below it.
    Opener,
}

struct Element {
    name: String,
    effect: Effect,
    /// How many sections are open again, and how far headings are shifted again, when the element ends.
    restore: Option<(usize, u8)>,
}

/// What is open; fed with the whole file, or with the pieces of HTML in a Markdown file.
pub(crate) struct Html {
    stack: Vec<Element>,
    /// How many elements of a name are open.
    counts: HashMap<String, usize>,
    /// Elements opened beyond [`NESTING_DEPTH_MAX`].
    beyond: usize,
    /// Open elements whose contents are not text.
    skipped: usize,
    /// Levels that headings are below what they say, since they stand under a button or summary.
    shift: u8,
}

pub(crate) fn read(builder: &mut Builder<'_>) {
    let start = builder.source.len() - builder.source.trim_start_matches('\u{FEFF}').len();
    let mut html = Html::new();
    html.feed(builder, Span::new(start, builder.source.len()));
    html.finish(builder);
}

impl Html {
    pub(crate) fn new() -> Self {
        let root = Element { name: String::new(), effect: Effect::Nothing, restore: None };
        Self { stack: vec![root], counts: HashMap::new(), beyond: 0, skipped: 0, shift: 0 }
    }

    /// Whether text that comes now is seen by nobody.
    pub(crate) const fn skips(&self) -> bool {
        self.skipped > 0
    }

    /// The level of a heading here that says it is of `level`.
    pub(crate) fn level(&self, level: u8) -> u8 {
        level.saturating_add(self.shift).min(LEVEL_MAX)
    }

    /// Reads the bytes `span` of the file.
    pub(crate) fn feed(&mut self, builder: &mut Builder<'_>, span: Span) {
        let source = builder.source;
        let Some(fragment) = source.get(span.range()) else { return };
        let mut emitter = DefaultEmitter::<usize>::new_with_span();
        emitter.naively_switch_states(true);
        let here = |at: html5gum::Span<usize>| Span::new(span.start + at.start, span.start + at.end);
        let fragment = bounded(fragment);
        for token in Tokenizer::new_with_emitter(fragment.as_ref(), emitter) {
            let Ok(token) = token;
            match token {
                Token::StartTag(tag) => self.start(builder, &tag, here(tag.span)),
                Token::EndTag(tag) => {
                    if let Ok(name) = std::str::from_utf8(&tag.name) {
                        self.end(builder, name, here(tag.span));
                    }
                }
                Token::String(text) => self.text(builder, here(text.span)),
                Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
            }
        }
    }

    /// Ends what must not reach from one block of Markdown into the next.
    pub(crate) fn settle(&mut self, builder: &mut Builder<'_>, at: usize) {
        while self.stack.last().is_some_and(|top| matches!(top.effect, Effect::Bold | Effect::Struck | Effect::Skipped))
        {
            self.pop(builder, at);
        }
    }

    /// Ends everything.
    pub(crate) fn finish(&mut self, builder: &mut Builder<'_>) {
        let end = builder.source.len();
        while self.stack.len() > 1 {
            self.pop(builder, end);
        }
        builder.flush();
    }

    fn text(&mut self, builder: &mut Builder<'_>, span: Span) {
        if self.skipped > 0 {
            if self.stack.last().is_some_and(|top| top.name == "script") {
                builder.scripts.push(span);
            }
            return;
        }
        let source = builder.source;
        let mut at = span.start;
        while let Some(found) = source.get(at..span.end).and_then(|rest| rest.find('&')) {
            let start = at + found;
            builder.verbatim(Span::new(at, start));
            at = start + 1;
            let rest = &source.as_bytes()[at..span.end];
            let name = rest
                .iter()
                .take(ENTITY_BYTES_MAX)
                .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#')
                .count();
            let closed = rest.get(name) == Some(&b';');
            let end = at + name + usize::from(closed);
            match decode(&source[start..end]) {
                Some(decoded) => {
                    // "&ampere": the entity is "&amp", what follows it is text.
                    let kept = if closed && decoded.chars().count() <= 2 {
                        0
                    } else {
                        decoded.bytes().rev().zip(source[start..end].bytes().rev()).take_while(|(a, b)| a == b).count()
                    };
                    let (text, tail) = (decoded.len() - kept, end - kept);
                    builder.decoded(decoded.get(..text).unwrap_or(&decoded), Span::new(start, tail));
                    at = tail;
                }
                None => {
                    builder.verbatim(Span::new(start, end));
                    at = end;
                }
            }
        }
        builder.verbatim(Span::new(at, span.end));
    }

    fn start(&mut self, builder: &mut Builder<'_>, tag: &StartTag<usize>, span: Span) {
        let Ok(name) = std::str::from_utf8(&tag.name) else { return };
        if self.is_open("head") && !IN_HEAD.contains(&name) && name != "head" {
            self.close(builder, &["head"], &[], span);
        }
        if VOID.contains(&name) {
            if self.skipped == 0 {
                match name {
                    "br" => builder.line_break(span),
                    "hr" => self.boundary(builder, span),
                    "input" if attribute(tag, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox")) => {
                        builder.check_box(attribute(tag, "checked").is_some());
                    }
                    _ => {}
                }
            }
            return;
        }
        if tag.self_closing && (self.is_open("svg") || self.is_open("math")) {
            return;
        }
        if self.stack.len() > NESTING_DEPTH_MAX {
            if self.skipped == 0 && BLOCK.contains(&name) {
                self.boundary(builder, span);
            }
            self.beyond += 1;
            return;
        }
        self.implied_ends(builder, name, span);
        let effect = if SKIPPED.contains(&name) || is_hidden(tag) {
            self.skipped += 1;
            Effect::Skipped
        } else if self.skipped > 0 {
            Effect::Nothing
        } else {
            self.effect(builder, name, tag, span)
        };
        *self.counts.entry(name.to_owned()).or_default() += 1;
        self.stack.push(Element { name: name.to_owned(), effect, restore: None });
    }

    /// Does what the beginning of an element does to the text, and says what its end will do.
    fn effect(&mut self, builder: &mut Builder<'_>, name: &str, tag: &StartTag<usize>, span: Span) -> Effect {
        match name {
            "b" | "strong" => {
                builder.bold += 1;
                return Effect::Bold;
            }
            "s" | "del" | "strike" => {
                builder.struck += 1;
                return Effect::Struck;
            }
            "code" if builder.preserve => builder.set_language(language(tag)),
            "button" if !builder.has_text() && !builder.in_line() => {
                builder.flush();
                if is_opener(tag) {
                    return self.opener(builder, span);
                }
            }
            _ => {}
        }
        if !BLOCK.contains(&name) {
            return Effect::Nothing;
        }
        if name == "table" {
            builder.start_table();
            return Effect::Table;
        }
        if matches!(name, "td" | "th") {
            builder.start_cell(name == "th" || self.is_open("thead"), span.start);
            return Effect::Cell;
        }
        self.boundary(builder, span);
        if builder.in_line() {
            return Effect::Nothing;
        }
        match name {
            "tr" => Effect::Row,
            "ul" | "ol" | "menu" | "dir" => {
                let first = attribute(tag, "start").and_then(|number| number.trim().parse().ok());
                builder.start_list((name == "ol").then_some(first.unwrap_or(1)));
                Effect::List
            }
            "li" => {
                builder.start_item(attribute(tag, "value").and_then(|number| number.trim().parse().ok()));
                Effect::Item
            }
            "blockquote" => {
                builder.quotes += 1;
                Effect::Quote
            }
            "pre" => start_code(builder, tag, span),
            "div" if has_class(tag, "mermaid") => start_code(builder, tag, span),
            "summary" => self.opener(builder, span),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = name.as_bytes()[1] - b'0';
                builder.start_heading(self.level(level), span.start);
                Effect::Heading
            }
            _ => Effect::Nothing,
        }
    }

    /// A button or summary that heads its parent: a heading above all `h1` that stand in that parent.
    fn opener(&self, builder: &mut Builder<'_>, span: Span) -> Effect {
        let shift = self.stack.last().and_then(|parent| parent.restore).map_or(self.shift, |(_, shift)| shift);
        builder.start_heading(shift.saturating_add(1).min(LEVEL_MAX), span.start);
        Effect::Opener
    }

    /// The end of a block; in a cell or heading, of a line.
    fn boundary(&self, builder: &mut Builder<'_>, span: Span) {
        if builder.in_line() {
            builder.line_break(span);
        } else {
            builder.flush();
        }
    }

    fn implied_ends(&mut self, builder: &mut Builder<'_>, name: &str, span: Span) {
        const TABLE: &[&str] = &["table"];
        const CELL: &[&str] = &["table", "td", "th", "caption"];
        if BLOCK.contains(&name) && self.is_open("p") {
            self.close(builder, &["p"], CELL, span);
        }
        match name {
            "li" => self.close(builder, &["li"], &["ul", "ol", "menu", "dir", "table", "td", "th"], span),
            "dt" | "dd" => self.close(builder, &["dt", "dd"], &["dl", "table", "td", "th"], span),
            "option" => self.close(builder, &["option"], &["select"], span),
            "td" | "th" => self.close(builder, &["td", "th"], TABLE, span),
            "tr" => self.close(builder, &["tr"], TABLE, span),
            "thead" | "tbody" | "tfoot" => self.close(builder, &["thead", "tbody", "tfoot"], TABLE, span),
            _ => {}
        }
    }

    fn is_open(&self, name: &str) -> bool {
        self.counts.get(name).is_some_and(|count| *count > 0)
    }

    /// Ends the innermost element of one of `names`, and all within it, unless one of `barriers` stands in between.
    fn close(&mut self, builder: &mut Builder<'_>, names: &[&str], barriers: &[&str], span: Span) {
        if !names.iter().any(|name| self.is_open(name)) {
            return;
        }
        let found =
            self.stack.iter().enumerate().rev().find(|(_, element)| {
                names.contains(&element.name.as_str()) || barriers.contains(&element.name.as_str())
            });
        let Some((index, element)) = found else { return };
        if names.contains(&element.name.as_str()) {
            while self.stack.len() > index.max(1) {
                self.pop(builder, span.start);
            }
        }
    }

    fn end(&mut self, builder: &mut Builder<'_>, name: &str, span: Span) {
        const TABLE_PARTS: &[&str] = &["table", "tbody", "thead", "tfoot", "tr", "td", "th", "body", "html"];
        if self.beyond > 0 && !VOID.contains(&name) {
            self.beyond -= 1;
            if self.skipped == 0 && BLOCK.contains(&name) {
                self.boundary(builder, span);
            }
            return;
        }
        let barriers: &[&str] = match name {
            "table" | "body" | "html" => &[],
            _ if TABLE_PARTS.contains(&name) => &["table"],
            _ => &["table", "td", "th"],
        };
        let block = self.skipped == 0 && BLOCK.contains(&name);
        let line = (name == "br" && self.skipped == 0) || (block && !TABLE_PARTS.contains(&name));
        if line && (builder.in_line() || name == "br") {
            builder.line_break(span);
        } else if block && !builder.in_line() {
            builder.flush();
        }
        self.close(builder, &[name], barriers, span);
    }

    fn pop(&mut self, builder: &mut Builder<'_>, at: usize) {
        let Some(element) = self.stack.pop() else { return };
        if let Some(count) = self.counts.get_mut(&element.name) {
            *count = count.saturating_sub(1);
        }
        match element.effect {
            Effect::Nothing => {}
            Effect::Skipped => self.skipped = self.skipped.saturating_sub(1),
            Effect::Bold => builder.bold = builder.bold.saturating_sub(1),
            Effect::Struck => builder.struck = builder.struck.saturating_sub(1),
            Effect::List => builder.end_list(),
            Effect::Item => builder.end_item(),
            Effect::Quote => {
                builder.flush();
                builder.quotes = builder.quotes.saturating_sub(1);
            }
            Effect::Code => {
                builder.flush();
                builder.preserve = false;
            }
            Effect::Cell => {
                builder.flush();
            }
            Effect::Row => builder.end_row(),
            Effect::Table => builder.end_table(),
            Effect::Heading => {
                builder.flush();
            }
            Effect::Opener => {
                let headed = builder.has_text() && builder.in_line();
                builder.flush();
                if let Some(parent) = self.stack.last_mut().filter(|_| headed) {
                    let shift = parent.restore.map_or(self.shift, |(_, shift)| shift);
                    parent.restore = Some((builder.open_sections().saturating_sub(1), shift));
                    self.shift = shift.saturating_add(1);
                }
            }
        }
        if let Some((sections, shift)) = element.restore {
            builder.flush();
            builder.close_sections(sections, at);
            self.shift = shift;
        }
    }
}

fn start_code(builder: &mut Builder<'_>, tag: &StartTag<usize>, span: Span) -> Effect {
    builder.start_code(language(tag), span.start);
    builder.preserve = true;
    Effect::Code
}

/// What an entity stands for; nothing where it is none.
fn decode(entity: &str) -> Option<String> {
    if entity.len() < 3 {
        return None;
    }
    let mut decoded = String::new();
    for token in Tokenizer::new(entity) {
        let Ok(token) = token;
        if let Token::String(text) = token {
            decoded.push_str(std::str::from_utf8(&text).ok()?);
        }
    }
    (decoded != entity && !decoded.is_empty()).then_some(decoded)
}

fn attribute<'t>(tag: &'t StartTag<usize>, name: &str) -> Option<&'t str> {
    tag.attributes.get(name.as_bytes()).map(|value| std::str::from_utf8(value).unwrap_or_default())
}

fn has_class(tag: &StartTag<usize>, class: &str) -> bool {
    attribute(tag, "class").is_some_and(|classes| classes.split_whitespace().any(|one| one == class))
}

fn is_hidden(tag: &StartTag<usize>) -> bool {
    attribute(tag, "hidden").is_some()
        || attribute(tag, "style").is_some_and(|style| {
            style.split(';').any(|rule| {
                let rule: String = rule.chars().filter(|c| !c.is_whitespace()).collect();
                rule.get(..12).is_some_and(|head| head.eq_ignore_ascii_case("display:none"))
            })
        })
}

fn is_opener(tag: &StartTag<usize>) -> bool {
    let class = attribute(tag, "class").unwrap_or_default().to_ascii_lowercase();
    OPENER.iter().any(|word| class.contains(word))
        || ["aria-expanded", "aria-controls", "data-toggle", "data-bs-toggle"]
            .iter()
            .any(|name| attribute(tag, name).is_some())
}

/// The language of code: a class "language-…" or "lang-…", or "mermaid".
fn language(tag: &StartTag<usize>) -> Option<String> {
    attribute(tag, "class")?.split_whitespace().find_map(|class| {
        let named = class.strip_prefix("language-").or_else(|| class.strip_prefix("lang-"));
        named.or((class == "mermaid").then_some(class)).map(str::to_owned)
    })
}
