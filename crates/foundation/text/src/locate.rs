//! Finding a quote in a document.

use std::cell::OnceCell;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::{Document, Format, Span};

/// How a quote was found: the first of these that finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchKind {
    /// The file's bytes are the quote's.
    Exact,
    /// The same but for white space, or for markup in the file that a reader does not see.
    Whitespace,
    /// The same but for typographic quotation marks, apostrophes, dashes and ellipses as well.
    Typographic,
    /// The same in Unicode normalisation form KC as well (ligatures, full width, accents as marks of their own).
    Normalised,
}

/// Where a quote stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// The first place in the file. It covers the quote wholly, whatever markup stands in between; characters that were
    /// normalised together are covered together.
    pub span: Span,
    /// How it was found.
    pub how: MatchKind,
}

/// A document made ready for looking up many quotes: what it is folded to is kept.
pub struct QuoteIndex<'a> {
    document: &'a Document,
    text: OnceCell<Folded>,
    /// The text and the file at the levels beyond the exact one.
    folded: [OnceCell<(Folded, Folded)>; 3],
}

impl<'a> QuoteIndex<'a> {
    /// An index of `document`. Nothing is folded before the first quote that needs it.
    #[must_use]
    pub fn new(document: &'a Document) -> Self {
        Self { document, text: OnceCell::new(), folded: [OnceCell::new(), OnceCell::new(), OnceCell::new()] }
    }

    /// Where `quote` stands, or nothing: first in the file as it is, then in its text and the file up to white space, up to
    /// typographic signs, and up to normalisation form KC. Case matters, and nothing is guessed. White space around the quote is
    /// ignored; one of nothing else stands nowhere. In HTML what a reader sees comes before what stands in tags.
    ///
    /// Time is linear in the document and the quote.
    #[must_use]
    pub fn locate(&self, quote: &str) -> Option<Located> {
        self.locate_where(quote, |_| true)
    }

    /// As [`QuoteIndex::locate`], but only where `accepts` takes the place: the first such place, and an exact one before all others.
    #[must_use]
    pub fn locate_where(&self, quote: &str, accepts: impl Fn(Span) -> bool) -> Option<Located> {
        let quote = quote.trim();
        if quote.is_empty() {
            return None;
        }
        if let Some(span) = self.exact(quote, &accepts) {
            return Some(Located { span, how: MatchKind::Exact });
        }
        for (how, cell) in
            [MatchKind::Whitespace, MatchKind::Typographic, MatchKind::Normalised].into_iter().zip(&self.folded)
        {
            let (text, file) = cell.get_or_init(|| {
                let mut file = Folded::default();
                file.add(&self.document.source, how, Span::new);
                (self.text_at(how), file)
            });
            let quote = fold(quote, how);
            let quote = quote.trim();
            if let Some(span) = text.find(quote, &accepts).or_else(|| file.find(quote, &accepts)) {
                return Some(Located { span, how });
            }
        }
        None
    }

    fn exact(&self, quote: &str, accepts: &impl Fn(Span) -> bool) -> Option<Span> {
        let source = &self.document.source;
        if self.document.format == Format::Html {
            let text = self.text.get_or_init(|| self.text_at(MatchKind::Exact));
            if let Some(span) = text.find(quote, &|span| self.document.quote(span) == quote && accepts(span)) {
                return Some(span);
            }
        }
        source.match_indices(quote).map(|(start, _)| Span::new(start, start + quote.len())).find(|span| accepts(*span))
    }

    /// The text of all blocks, one space between two.
    fn text_at(&self, how: MatchKind) -> Folded {
        let mut folded = Folded::default();
        for block in &self.document.blocks {
            let text = &block.text;
            // Ranges come in order, so the runs are walked once.
            let mut first = 0;
            folded.separate(block.span.start);
            let pieces = text.pieces();
            folded.add(&text.plain, how, |start, end| {
                while pieces.get(first).is_some_and(|piece| piece.plain_end() <= start) {
                    first += 1;
                }
                let mut last = first;
                while pieces.get(last).is_some_and(|piece| piece.plain_end() < end) {
                    last += 1;
                }
                match (pieces.get(first), pieces.get(last)) {
                    (Some(from), Some(to)) => {
                        Span::new(from.source_of(&(start..end)).start, to.source_of(&(start..end)).end)
                    }
                    _ => block.span,
                }
            });
        }
        folded
    }
}

/// Where `quote` stands in `document`, or nothing; see [`QuoteIndex::locate`]. For many quotes make a [`QuoteIndex`].
#[must_use]
pub fn locate(document: &Document, quote: &str) -> Option<Located> {
    QuoteIndex::new(document).locate(quote)
}

/// A folded text and where it stands in the file.
#[derive(Default)]
struct Folded {
    text: String,
    /// Runs of the folded text in order: where each begins, what of the file it stands for, and whether byte by byte.
    runs: Vec<(usize, Span, bool)>,
}

impl Folded {
    fn add(&mut self, plain: &str, how: MatchKind, mut source: impl FnMut(usize, usize) -> Span) {
        for_each_unit(plain, how, |start, end, folded| {
            // White space folds across what was added before, too.
            if folded == " " && how != MatchKind::Exact && self.text.ends_with(' ') {
                return;
            }
            let span = source(start, end);
            let same = plain.get(start..end) == Some(folded) && span.len() == folded.len();
            match self.runs.last_mut() {
                Some((_, last, true)) if same && last.end == span.start => last.end = span.end,
                _ => self.runs.push((self.text.len(), span, same)),
            }
            self.text.push_str(folded);
        });
    }

    /// A space between two blocks.
    fn separate(&mut self, at: usize) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.runs.push((self.text.len(), Span::new(at, at), false));
            self.text.push(' ');
        }
    }

    fn find(&self, quote: &str, accepts: &impl Fn(Span) -> bool) -> Option<Span> {
        if quote.is_empty() {
            return None;
        }
        self.text
            .match_indices(quote)
            .filter_map(|(start, _)| self.span_of(start, start + quote.len()))
            .find(|span| accepts(*span))
    }

    /// What of the file a part of the folded text stands for.
    fn span_of(&self, start: usize, end: usize) -> Option<Span> {
        let run = |at: usize| {
            let index = self.runs.partition_point(|(begin, _, _)| *begin <= at).checked_sub(1)?;
            self.runs.get(index)
        };
        let (begin, first, same) = run(start)?;
        let from = if *same { first.start + (start - begin) } else { first.start };
        let (begin, last, same) = run(end - 1)?;
        let to = if *same { last.start + (end - begin) } else { last.end };
        Some(Span::new(from, to))
    }
}

fn fold(quote: &str, how: MatchKind) -> String {
    let mut folded = String::with_capacity(quote.len());
    for_each_unit(quote, how, |_, _, unit| {
        if unit != " " || !folded.ends_with(' ') {
            folded.push_str(unit);
        }
    });
    folded
}

/// Calls `each` with every unit of `text` that folds by itself (start, end, what it folds to), in order.
fn for_each_unit(text: &str, how: MatchKind, mut each: impl FnMut(usize, usize, &str)) {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        at += c.len_utf8();
        if how == MatchKind::Exact {
            // The text as it is, a word at a time.
            at = text[at..].find(char::is_whitespace).map_or(text.len(), |len| at + len);
            each(start, at, &text[start..at]);
        } else if c.is_whitespace() {
            at = text[at..].find(|c: char| !c.is_whitespace()).map_or(text.len(), |len| at + len);
            each(start, at, " ");
        } else if let Some(sign) = typographic(c).filter(|_| how >= MatchKind::Typographic) {
            each(start, at, sign);
        } else if how == MatchKind::Normalised {
            let alone = c.is_ascii();
            while let Some(next) = text[at..].chars().next().filter(|next| joins(*next)) {
                at += next.len_utf8();
            }
            let unit = &text[start..at];
            if alone && unit.len() == 1 {
                each(start, at, unit);
            } else {
                let normal: String = unit.nfkc().collect();
                // What normalises to a typographic sign or white space is folded as that.
                let mut folded = String::with_capacity(normal.len());
                for c in normal.chars() {
                    match typographic(c) {
                        Some(sign) => folded.push_str(sign),
                        None if c.is_whitespace() => folded.push(' '),
                        None => folded.push(c),
                    }
                }
                each(start, at, &folded);
            }
        } else {
            each(start, at, &text[start..at]);
        }
    }
}

/// Whether a character may be normalised together with the one before it.
fn joins(c: char) -> bool {
    !c.is_ascii() && (canonical_combining_class(c) != 0 || is_nfkc_quick(std::iter::once(c)) == IsNormalized::Maybe)
}

/// The plain sign for a typographic one.
const fn typographic(c: char) -> Option<&'static str> {
    match c {
        '‘' | '’' | '‚' | '‛' | '′' | '´' | 'ʼ' => Some("'"),
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' => Some("\""),
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => Some("-"),
        '…' => Some("..."),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{MatchKind, QuoteIndex, locate};
    use crate::{Document, Format, Span};

    /// `expect` is what stands in the file.
    #[track_caller]
    fn check(source: &str, format: Format, quote: &str, expect: Option<(&str, MatchKind)>) {
        let document = Document::from_str_as(source, format);
        let found = locate(&document, quote);
        let got = found.map(|found| (document.quote(found.span), found.how));
        assert_eq!(got, expect, "{quote:?} in {source:?}");
    }

    #[test]
    fn markdown() {
        use Format::Markdown as Md;
        use MatchKind::{Exact, Normalised, Typographic, Whitespace};
        check("", Md, "a", None);
        check("a", Md, "", None);
        check("a b", Md, " \n", None);
        check("We pay 5 teams.", Md, "pay 5", Some(("pay 5", Exact)));
        check("We pay 5 teams.", Md, "  pay 5\n", Some(("pay 5", Exact)));
        check("We Pay 5 teams.", Md, "pay 5", None);
        check("We pay 5 teams.", Md, "pay 6", None);
        check("We pay\n5 teams.", Md, "pay 5", Some(("pay\n5", Whitespace)));
        check("We  pay 5", Md, "We pay", Some(("We  pay", Whitespace)));
        check("We pay 5", Md, "We\n pay", Some(("We pay", Whitespace)));
        check("We **pay** 5 teams.", Md, "pay 5", Some(("pay** 5", Whitespace)));
        check("We **pay** 5 teams.", Md, "**pay** 5", Some(("**pay** 5", Exact)));
        check("We **pay**  5 teams.", Md, "**pay** 5", Some(("**pay**  5", Whitespace)));
        check("- one\n- two", Md, "one two", Some(("one\n- two", Whitespace)));
        check("a &amp; b", Md, "a & b", Some(("a &amp; b", Whitespace)));
        check("It’s “so”", Md, "It's \"so\"", Some(("It’s “so”", Typographic)));
        check("It's \"so\"", Md, "It’s “so”", Some(("It's \"so\"", Typographic)));
        check("18–20 months", Md, "18-20 months", Some(("18–20 months", Typographic)));
        check("wait… now", Md, "wait... now", Some(("wait… now", Typographic)));
        check("of\u{FB01}ce", Md, "ofice", None);
        check("of\u{FB01}ce", Md, "office", Some(("of\u{FB01}ce", Normalised)));
        check("cafe\u{301} x", Md, "café x", Some(("cafe\u{301} x", Normalised)));
        check("café x", Md, "cafe\u{301}", Some(("café", Normalised)));
        check("a\u{A0}b", Md, "a b", Some(("a\u{A0}b", Whitespace)));
        check("１２ teams", Md, "12 teams", Some(("１２ teams", Normalised)));
        check("他来了。我走了。", Md, "我走", Some(("我走", Exact)));
    }

    #[test]
    fn html() {
        use Format::Html;
        use MatchKind::{Exact, Typographic, Whitespace};
        check("<p class='a b'>x a b</p>", Html, "a b", Some(("a b", Exact)));
        check("<p>P&amp;A is HK$195</p>", Html, "P&A is", Some(("P&amp;A is", Whitespace)));
        check("<p>We <b>pay</b> 5</p>", Html, "We pay 5", Some(("We <b>pay</b> 5", Whitespace)));
        check("<p>We <b>pay</b> 5</p>", Html, "pay</b> 5", Some(("pay</b> 5", Exact)));
        check("<li>one</li>\n<li>two</li>", Html, "one two", Some(("one</li>\n<li>two", Whitespace)));
        check("<p>it&rsquo;s</p>", Html, "it's", Some(("it&rsquo;s", Typographic)));
        check("<script>var a</script><p>b</p>", Html, "z", None);
    }

    #[test]
    fn a_place_can_be_asked_for() {
        use MatchKind::{Exact, Whitespace};
        let document = Document::from_str_as("one two. **one**  two. one two", Format::Markdown);
        let index = QuoteIndex::new(&document);
        let found = |quote: &str, from: usize, to: usize| {
            let within = Span::new(from, to);
            index.locate_where(quote, |span| within.contains(span)).map(|found| (found.span.start, found.how))
        };
        assert_eq!(found("one two", 0, 30), Some((0, Exact)));
        assert_eq!(found("one two", 1, 30), Some((23, Exact)));
        assert_eq!(found("one two", 1, 22), Some((11, Whitespace)));
        assert_eq!(found("one two", 12, 22), None);
        assert_eq!(found(" ", 0, 30), None);
        let page = Document::from_str_as("<p>a b</p><p class='a b'>a b</p>", Format::Html);
        let found = QuoteIndex::new(&page).locate_where("a b", |span| span.start > 3).unwrap();
        assert_eq!((found.span.start, found.how), (25, Exact));
    }

    #[test]
    fn place_in_html_is_where_the_reader_sees_it() {
        let document = Document::from_str_as("<p class='a b'>x a b</p>", Format::Html);
        assert_eq!(locate(&document, "a b").map(|found| found.span.start), Some(17));
    }
}
