//! The texts that quotes come from: lines, columns, and the paragraph around a quote.

use std::collections::BTreeMap;

use steadfast_wire::Span;

use crate::plain::{is_html, one_line, opens_tag, shorten, shown, shown_beside};

/// The texts of the files that a result quotes, by the name that the result gives them. A file that is missing costs
/// line numbers and context, nothing else.
#[derive(Clone, Debug, Default)]
pub struct Texts<'a> {
    /// From file name to the whole text, as the spans count it (a byte order mark stays).
    pub files: BTreeMap<&'a str, &'a str>,
}

impl<'a> Texts<'a> {
    /// Texts by their names.
    pub fn of(texts: impl IntoIterator<Item = (&'a String, &'a String)>) -> Self {
        Self { files: texts.into_iter().map(|(name, text)| (name.as_str(), text.as_str())).collect() }
    }
}

/// A place as editors count it: both from 1, columns in UTF-16 code units as SARIF and language servers count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A quote with what stands around it in its paragraph, each fit to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passage {
    pub(crate) before: String,
    pub(crate) quote: String,
    pub(crate) after: String,
}

/// How many bytes lie between two stored counts of UTF-16 code units: what a column costs, whatever the line's length.
const STRIDE_BYTES: usize = 1024;

/// One file with its lines counted once.
struct File<'a> {
    text: &'a str,
    /// Where each line begins.
    lines: Vec<usize>,
    /// UTF-16 code units before each multiple of [`STRIDE_BYTES`].
    units: Vec<usize>,
}

impl<'a> File<'a> {
    fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut lines = vec![0];
        let mut units = Vec::with_capacity(bytes.len() / STRIDE_BYTES + 1);
        let mut count = 0;
        for chunk in bytes.chunks(STRIDE_BYTES) {
            units.push(count);
            count += utf16_units(chunk);
        }
        units.push(count);
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                lines.push(at + 1);
            }
        }
        Self { text, lines, units }
    }

    fn units_before(&self, at: usize) -> usize {
        let block = at / STRIDE_BYTES;
        self.units[block] + utf16_units(&self.text.as_bytes()[block * STRIDE_BYTES..at])
    }

    fn line_at(&self, at: usize) -> usize {
        self.lines.partition_point(|start| *start <= at)
    }

    fn position(&self, at: usize) -> Position {
        let line = self.line_at(at);
        Position { line, column: self.units_before(at) - self.units_before(self.lines[line - 1]) + 1 }
    }
}

/// Code units of UTF-16 that the characters take whose first byte lies in `bytes`.
fn utf16_units(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| usize::from(byte & 0xC0 != 0x80) + usize::from(*byte >= 0xF0)).sum()
}

/// All files of a result, ready to be asked for places.
pub(crate) struct Index<'a> {
    files: BTreeMap<&'a str, File<'a>>,
}

impl<'a> Index<'a> {
    pub(crate) fn new(texts: &Texts<'a>) -> Self {
        Self { files: texts.files.iter().map(|(name, text)| (*name, File::new(text))).collect() }
    }

    /// The file, if it is known and the span's quote stands there.
    fn file_of(&self, span: &Span) -> Option<&File<'a>> {
        let file = self.files.get(span.file.as_str())?;
        (file.text.get(span.start..span.end)? == span.quote).then_some(file)
    }

    /// Where a span begins and ends; the end is the place after its last character.
    pub(crate) fn positions(&self, span: &Span) -> Option<(Position, Position)> {
        let file = self.file_of(span)?;
        Some((file.position(span.start), file.position(span.end)))
    }

    /// `file:line`, or the file alone where the line is not known.
    pub(crate) fn place(&self, span: &Span) -> String {
        let name = shorten(&one_line(&span.file), 160);
        match self.file_of(span) {
            Some(file) => format!("{name}:{}", file.line_at(span.start)),
            None => name,
        }
    }

    /// The places of spans, each once, in their order: a span that begins there, and how many do.
    pub(crate) fn places<'s>(&self, spans: &'s [Span]) -> Vec<(&'s Span, usize)> {
        let mut named: Vec<(String, &Span, usize)> = Vec::new();
        for span in spans {
            let place = self.place(span);
            match named.iter_mut().find(|(own, ..)| *own == place) {
                Some((.., count)) => *count += 1,
                None => named.push((place, span, 1)),
            }
        }
        named.into_iter().map(|(_, span, count)| (span, count)).collect()
    }

    /// The quote within its paragraph: at most `quote_chars_max` of the quote and `radius_bytes` on either side.
    pub(crate) fn passage(&self, span: &Span, radius_bytes: usize, quote_chars_max: usize) -> Passage {
        let quote = shorten(&shown(&span.file, &span.quote), quote_chars_max);
        let Some(file) = self.file_of(span) else { return Passage { quote, ..Passage::default() } };
        let from = file.text.floor_char_boundary(span.start.saturating_sub(radius_bytes));
        let to = file.text.ceil_char_boundary((span.end + radius_bytes).min(file.text.len()));
        let (before, after) = (&file.text[from..span.start], &file.text[span.end..to]);
        let (head, tail) = if is_html(&span.file) {
            (html_head(before), html_tail(after))
        } else {
            let line = file.line_at(span.start);
            let own = &file.text.as_bytes()[file.lines[line - 1]..];
            (head_of_paragraph(before, stands_alone(own)), tail_of_paragraph(after))
        };
        // What the radius cut off, rather than the paragraph's own beginning or end, is marked.
        let cut_before = head.len() == before.len() && from > 0;
        let cut_after = tail.len() == after.len() && to < file.text.len();
        let shown_before = shown_beside(&span.file, if cut_before { from_word(head) } else { head });
        let shown_after = shown_beside(&span.file, if cut_after { to_word(tail) } else { tail });
        let before = if cut_before { format!("…{shown_before}") } else { shown_before.trim_start().to_owned() };
        let after = if cut_after { format!("{shown_after} …") } else { shown_after.trim_end().to_owned() };
        Passage { before, quote, after }
    }
}

fn from_word(head: &str) -> &str {
    head.find(char::is_whitespace).map_or(head, |at| &head[at..])
}

fn to_word(tail: &str) -> &str {
    tail.rfind(char::is_whitespace).map_or(tail, |at| &tail[..at])
}

/// Whether a line is an item, a row or a heading, which is read by itself and not as part of a paragraph.
fn stands_alone(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match line.first() {
        Some(b'|' | b'#') => true,
        Some(b'-' | b'*' | b'+') => line.get(1) == Some(&b' '),
        Some(_) if (1..10).contains(&digits) => {
            matches!(line.get(digits), Some(b'.' | b')')) && line.get(digits + 1) == Some(&b' ')
        }
        _ => false,
    }
}

fn head_of_paragraph(before: &str, own_line_stands_alone: bool) -> &str {
    let mut start = before.len();
    for line in before.split_inclusive('\n').rev() {
        let complete = line.ends_with('\n');
        if complete && (line.trim().is_empty() || own_line_stands_alone || line.trim_start().starts_with(['#', '|'])) {
            break;
        }
        start -= line.len();
        if complete && stands_alone(line.as_bytes()) {
            break;
        }
    }
    &before[start..]
}

fn tail_of_paragraph(after: &str) -> &str {
    let mut end = 0;
    for (number, line) in after.split_inclusive('\n').enumerate() {
        if number > 0 && (line.trim().is_empty() || stands_alone(line.as_bytes())) {
            break;
        }
        end += line.len();
    }
    &after[..end]
}

/// Whether the tag at the start of `rest` begins or ends a paragraph, an item, a cell or the like.
fn opens_block(rest: &str) -> bool {
    const BLOCKS: [&str; 34] = [
        "p",
        "li",
        "ul",
        "ol",
        "dl",
        "dt",
        "dd",
        "td",
        "th",
        "tr",
        "table",
        "tbody",
        "thead",
        "div",
        "section",
        "article",
        "main",
        "header",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "br",
        "hr",
        "pre",
        "blockquote",
        "body",
        "html",
        "script",
        "style",
        "summary",
    ];
    if !opens_tag(rest) {
        return false;
    }
    let name = rest[1..].trim_start_matches('/');
    let end = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
    BLOCKS.iter().any(|block| block.eq_ignore_ascii_case(&name[..end]))
}

fn html_head(before: &str) -> &str {
    for (at, _) in before.rmatch_indices('<') {
        if opens_block(&before[at..]) {
            return before[at..].find('>').map_or("", |end| &before[at + end + 1..]);
        }
    }
    // The radius may have cut a tag in two: what is left of it is no text.
    match (before.find('>'), before.find('<')) {
        (Some(end), open) if open.is_none_or(|open| end < open) => &before[end + 1..],
        _ => before,
    }
}

fn html_tail(after: &str) -> &str {
    let end = after.match_indices('<').find(|(at, _)| opens_block(&after[*at..]));
    end.map_or(after, |(at, _)| &after[..at])
}

#[cfg(test)]
mod tests {
    use super::{Index, Texts};
    use steadfast_wire::Span;

    fn span(file: &str, text: &str, quote: &str) -> Span {
        let start = text.find(quote).unwrap();
        Span { file: file.to_owned(), start, end: start + quote.len(), quote: quote.to_owned() }
    }

    fn with<T>(file: &str, text: &str, quote: &str, f: impl FnOnce(&Index<'_>, &Span) -> T) -> T {
        let texts = Texts { files: [(file, text)].into() };
        f(&Index::new(&texts), &span(file, text, quote))
    }

    #[track_caller]
    fn at(text: &str, quote: &str, expected: &str) {
        let (start, end) = with("a.md", text, quote, |index, span| index.positions(span).unwrap());
        assert_eq!(format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column), expected);
    }

    #[test]
    fn lines_and_columns_are_those_of_an_editor() {
        at("app", "app", "1:1-1:4");
        at("an app", "app", "1:4-1:7");
        at("a\nan app", "app", "2:4-2:7");
        at("a\r\nan app\r\n", "app", "2:4-2:7");
        at("a\ran app", "app", "2:4-2:7");
        at("ø app", "app", "1:3-1:6");
        at("日本 app", "app", "1:4-1:7");
        at("🚲 app", "app", "1:4-1:7");
        at("🚲🚲 é app 🚲", "app 🚲", "1:8-1:14");
        at("one\ntwo\nthree", "two\nth", "2:1-3:3");
        at("\u{feff}app", "app", "1:2-1:5");
        at("app\n", "app\n", "1:1-2:1");
        let long = format!("{}app", "🚲".repeat(1000));
        at(&long, "app", "1:2001-1:2004");
        let long = format!("x\n{}é app", "ab🚲".repeat(700));
        at(&long, "app", "2:2803-2:2806");
    }

    #[test]
    fn a_quote_that_is_not_there_has_no_line() {
        let texts = Texts { files: [("a.md", "other")].into() };
        let span = Span { file: "a.md".to_owned(), start: 0, end: 3, quote: "app".to_owned() };
        assert_eq!(Index::new(&texts).place(&span), "a.md");
        let span = Span { file: "b.md".to_owned(), ..span };
        assert_eq!(Index::new(&texts).place(&span), "b.md");
        let span = Span { file: "a.md".to_owned(), start: 3, end: 900, quote: "app".to_owned() };
        assert_eq!(Index::new(&texts).positions(&span), None);
    }

    #[track_caller]
    fn around(file: &str, text: &str, quote: &str, expected: &str) {
        let passage = with(file, text, quote, |index, span| index.passage(span, 40, 100));
        assert_eq!(format!("{}[{}]{}", passage.before, passage.quote, passage.after), expected);
    }

    #[test]
    fn a_quote_stands_in_its_paragraph() {
        around("a.md", "Before.\n\nOne two\nthree four.\n\nAfter.", "three", "One two [three] four.");
        around("a.md", "# Head\nOne two.", "two", "One [two].");
        around("a.md", "- one\n- two three\n- four", "three", "- two [three]");
        around("a.md", "- one\n  two three\n- four", "three", "- one two [three]");
        around("a.md", "| a | b |\n| - | - |\n| one | two |\n| x | y |", "two", "| one | [two] |");
        around("a.md", "1. one\n2. two", "two", "2. [two]");
        around("a.md", "alone", "alone", "[alone]");
        let long = format!("{}here is it{}", "word ".repeat(20), " word".repeat(20));
        around(
            "a.md",
            &long,
            "is",
            "… word word word word word word here [is] it word word word word word word word …",
        );
        around(
            "a.md",
            "日本語の文章。ここは東京です。そして、これは長い文章です。",
            "東京",
            "日本語の文章。ここは[東京]です。そして、これは長い文章 …",
        );
    }

    #[test]
    fn a_quote_of_html_stands_in_its_block() {
        around("a.html", "<p>One</p><p>The <b>app</b> &amp; more</p><p>x</p>", "app", "The [app] & more");
        around("a.html", "<td>1</td><td class=\"x\">two three</td>", "three", "two [three]");
        around("a.html", "text <em>one</em> two", "two", "text one [two]");
        around("a.html", "<p>a < b and app", "app", "a < b and [app]");
    }
}
