//! Texts cut into pieces that fit beside the rest of a request.
//!
//! A text is cut where its blocks begin, best where a section does; only a block that is larger than a piece is cut within. Every byte of a
//! text is in exactly one piece, in a part that is left out of the audit anyway, or told to be uncovered.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use steadfast_dialogue::{Delimiter, neutralise};
use steadfast_text::{BlockKind, Document, Format, Span};

use crate::answer::LeftOut;
pub use crate::locate::Part;

/// What the two lines around a passage take, with the ends of lines, in bytes: the delimiter has 32 characters, a label at most 9.
pub(super) const PASSAGE_BYTES: usize = 112;

/// What neutralising may add where two blocks meet, in bytes.
const SEAM_BYTES: usize = 4;

/// Longest name of a file, and longest path of titles, before a part, in bytes.
const HEADER_BYTES_MAX: usize = 200;

/// A block that does not fit is halved until it does, but not below this length, in bytes.
const SPLIT_BYTES_MIN: usize = 32;

/// A text to be cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    /// What it is called.
    pub(super) name: &'a str,
    /// It.
    pub(super) document: &'a Document,
    /// What of it is to be cut.
    pub(super) whole: Span,
    /// What of it is not judged.
    pub(super) left_out: &'a [LeftOut],
}

/// What one call is asked about: parts of texts, in order, no two of them adjacent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// The parts.
    pub parts: Vec<Part>,
    /// Whether a reader sees nothing in it: white space, markup, scripts. Nobody need be asked.
    pub blank: bool,
}

/// Texts in pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) pieces: Vec<Piece>,
    /// What is in none, since there would be too many pieces or a piece has no room.
    pub(super) uncovered: Vec<Part>,
}

/// The smallest thing that is not cut unless it must be.
#[derive(Clone, Copy)]
struct Atom {
    part: Part,
    /// What it takes of the room.
    cost_bytes: usize,
    /// Whether a section or a text begins here.
    opens: bool,
}

/// Cuts `texts` into at most `pieces_max` pieces that are not blank, each of at most `room_bytes` with the lines around its parts.
pub(super) fn cut(texts: &[Text<'_>], room_bytes: usize, pieces_max: usize) -> Cut {
    let readers: Vec<Reader<'_>> = texts.iter().map(|text| Reader::new(text.document)).collect();
    let mut atoms: VecDeque<Atom> = texts
        .iter()
        .zip(&readers)
        .enumerate()
        .flat_map(|(index, (text, reader))| atoms_of(index, text, reader))
        .collect();
    let mut cut = Cut::default();
    let mut calls = 0;
    while let Some(first) = atoms.front().copied() {
        if calls == pieces_max {
            break;
        }
        let taken = fill(&atoms, texts, room_bytes);
        if taken == 0 {
            atoms.pop_front();
            match halves(texts[first.part.text].document, first.part.span) {
                Some((head, tail)) => {
                    let reader = &readers[first.part.text];
                    let atom = |span: Span, opens: bool| Atom {
                        part: Part { text: first.part.text, span },
                        cost_bytes: cost(&reader.shown(span)),
                        opens,
                    };
                    atoms.push_front(atom(tail, false));
                    atoms.push_front(atom(head, first.opens));
                }
                None => join(&mut cut.uncovered, first.part),
            }
            continue;
        }
        let mut piece = Piece { parts: Vec::new(), blank: true };
        for atom in atoms.drain(..taken) {
            piece.blank &= atom.cost_bytes == 0;
            join(&mut piece.parts, atom.part);
        }
        calls += usize::from(!piece.blank);
        cut.pieces.push(piece);
    }
    for atom in atoms {
        join(&mut cut.uncovered, atom.part);
    }
    cut
}

/// How many of the first atoms make the next piece: as many as fit, but ending before a section where one begins in its second half.
fn fill(atoms: &VecDeque<Atom>, texts: &[Text<'_>], room_bytes: usize) -> usize {
    let mut used_bytes = 0;
    let mut section = None;
    // The part that is being filled, and whether it has its header: what is not seen needs none.
    let mut open: Option<(Part, bool)> = None;
    for (index, atom) in atoms.iter().enumerate() {
        let (part, headed) = match open {
            Some((part, headed)) if part.text == atom.part.text && part.span.end == atom.part.span.start => {
                (Part { span: Span::new(part.span.start, atom.part.span.end), ..part }, headed)
            }
            _ => (atom.part, false),
        };
        let mut cost_bytes = atom.cost_bytes;
        if !headed && cost_bytes > 0 {
            cost_bytes += PASSAGE_BYTES + cost(&header(&texts[part.text], part.span));
        }
        if used_bytes + cost_bytes > room_bytes {
            return section.unwrap_or(index);
        }
        if index > 0 && atom.opens && used_bytes * 2 >= room_bytes {
            section = Some(index);
        }
        open = Some((part, headed || cost_bytes > 0));
        used_bytes += cost_bytes;
    }
    atoms.len()
}

fn join(parts: &mut Vec<Part>, part: Part) {
    match parts.last_mut() {
        Some(last) if last.text == part.text && last.span.end == part.span.start => last.span.end = part.span.end,
        _ => parts.push(part),
    }
}

fn atoms_of(index: usize, text: &Text<'_>, reader: &Reader<'_>) -> Vec<Atom> {
    let source = &text.document.source;
    let mut bounds: BTreeMap<usize, bool> = BTreeMap::new();
    bounds.insert(text.whole.start, true);
    for block in &text.document.blocks {
        // The marks of a heading, an item or a row belong to it.
        let start = match text.document.format {
            Format::Html => block.span.start,
            Format::Markdown | Format::Plain => {
                source.get(..block.span.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1)
            }
        };
        *bounds.entry(start).or_default() |= matches!(block.kind, BlockKind::Heading);
    }
    for left in text.left_out {
        bounds.entry(left.span.start).or_default();
        bounds.entry(left.span.end).or_default();
    }
    let within = |at: &usize| (text.whole.start..text.whole.end).contains(at) && source.is_char_boundary(*at);
    let starts: Vec<(usize, bool)> = bounds.into_iter().filter(|(at, _)| within(at)).collect();
    let mut atoms = Vec::with_capacity(starts.len());
    for (at, &(start, opens)) in starts.iter().enumerate() {
        let span = Span::new(start, starts.get(at + 1).map_or(text.whole.end, |next| next.0));
        if !span.is_empty() && !text.left_out.iter().any(|left| left.span.contains(span)) {
            atoms.push(Atom { part: Part { text: index, span }, cost_bytes: cost(&reader.shown(span)), opens });
        }
    }
    atoms
}

/// A span as two, at white space before its middle where there is some.
fn halves(document: &Document, span: Span) -> Option<(Span, Span)> {
    let text = document.quote(span);
    if text.len() < SPLIT_BYTES_MIN {
        return None;
    }
    let mut middle = text.len() / 2;
    while !text.is_char_boundary(middle) {
        middle -= 1;
    }
    let quarter = text.len() / 4;
    let at = text[..middle].rfind(char::is_whitespace).filter(|at| *at >= quarter).map_or(middle, |at| at);
    Some((Span::new(span.start, span.start + at), Span::new(span.start + at, span.end)))
}

/// What a text takes of a request, in bytes: as long as it is once it is neutralised. What is not seen takes nothing.
pub(super) fn cost(text: &str) -> usize {
    if text.trim().is_empty() {
        return 0;
    }
    neutralise(text, &Delimiter::new([0; 16])).0.len() + SEAM_BYTES
}

/// The longest beginning of a text that takes at most so much of a request, cut at white space where there is some.
pub(super) fn beginning(text: &str, bytes_max: usize) -> &str {
    let mut end = text.len();
    while end > 0 && cost(&text[..end]) > bytes_max {
        // Neutralised text is at most twice as long, so this ends after few steps.
        end = if end > bytes_max { bytes_max } else { end * 7 / 8 };
        while !text.is_char_boundary(end) {
            end -= 1;
        }
    }
    if end == text.len() {
        return text;
    }
    let at = text[..end].rfind(char::is_whitespace).filter(|at| *at > end / 2).unwrap_or(end);
    &text[..at]
}

/// What stands before a part: the name of its text, and the titles above it.
pub(super) fn header(text: &Text<'_>, span: Span) -> String {
    let block = text.document.blocks.iter().find(|block| block.span.end > span.start);
    let titles = block.map(|block| text.document.section_path(block.section).join(" > ")).unwrap_or_default();
    let mut header = format!("[{}", beginning(text.name, HEADER_BYTES_MAX));
    if !titles.is_empty() {
        header.push_str(" | ");
        header.push_str(beginning(&titles, HEADER_BYTES_MAX));
    }
    header.push_str("]\n");
    header
}

/// What a part reads like: Markdown and plain text as they are, HTML as its reader sees it.
pub(super) struct Reader<'a> {
    document: &'a Document,
    /// For HTML, the runs of text in the order of the file: where each stands, what it says, whether byte by byte, in which block.
    runs: Vec<(Span, &'a str, bool, usize)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        let mut runs = Vec::new();
        if document.format == Format::Html {
            for (index, block) in document.blocks.iter().enumerate() {
                for piece in &block.text.pieces {
                    let text = block.text.plain.get(piece.plain..piece.plain_end()).unwrap_or_default();
                    runs.push((piece.source, text, piece.verbatim, index));
                }
            }
            runs.sort_by_key(|run| (run.0, run.3));
        }
        Self { document, runs }
    }

    pub(super) fn shown(&self, span: Span) -> Cow<'a, str> {
        if self.document.format != Format::Html {
            return Cow::Borrowed(self.document.source.get(span.range()).unwrap_or_default());
        }
        let mut shown = String::new();
        let mut last = None;
        // A run that was cut in two began before.
        let first = self.runs.partition_point(|run| run.0.start < span.start).saturating_sub(1);
        for &(source, text, verbatim, block) in self.runs.get(first..).unwrap_or_default() {
            if source.start >= span.end {
                break;
            }
            let text = if verbatim {
                let from = span.start.saturating_sub(source.start).min(text.len());
                let to = text.len() - source.end.saturating_sub(span.end).min(text.len());
                text.get(from..to).unwrap_or_default()
            } else if source.start >= span.start {
                text
            } else {
                ""
            };
            if text.is_empty() {
                continue;
            }
            if last.is_some_and(|last| last != block) {
                shown.push('\n');
            }
            last = Some(block);
            shown.push_str(text);
        }
        Cow::Owned(shown)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use steadfast_dialogue::{Delimiter, neutralise};
    use steadfast_text::{Document, Format, Span};

    use super::{Cut, PASSAGE_BYTES, Part, Reader, Text, beginning, cost, cut, header};
    use crate::answer::LeftOut;

    fn cut_one(document: &Document, room_bytes: usize, pieces_max: usize, left_out: &[LeftOut]) -> Cut {
        let whole = Span::new(0, document.source.len());
        cut(&[Text { name: "a.md", document, whole, left_out }], room_bytes, pieces_max)
    }

    /// The pieces' texts.
    #[track_caller]
    fn check(source: &str, format: Format, room_bytes: usize, expect: &[&str]) {
        let document = Document::from_str_as(source, format);
        let reader = Reader::new(&document);
        let cut = cut_one(&document, room_bytes, 99, &[]);
        let texts: Vec<String> = cut
            .pieces
            .iter()
            .map(|piece| {
                piece.parts.iter().map(|part| reader.shown(part.span).into_owned()).collect::<Vec<_>>().join("|")
            })
            .collect();
        assert_eq!((texts, cut.uncovered), (expect.iter().map(|text| (*text).to_owned()).collect(), Vec::new()));
    }

    #[test]
    fn pieces_end_where_blocks_do_and_best_before_a_section() {
        let room = PASSAGE_BYTES + 60;
        check("", Format::Markdown, room, &[]);
        check("One.\n\nTwo.", Format::Markdown, room, &["One.\n\nTwo."]);
        let text = "# A\n\nSome words here now.\n\n# B\n\nOther words here too, and more.\n";
        check(
            text,
            Format::Markdown,
            room,
            &["# A\n\nSome words here now.\n\n", "# B\n\nOther words here too, and more.\n"],
        );
        check(
            "- one item of a list\n- two items of it\n",
            Format::Markdown,
            PASSAGE_BYTES + 40,
            &["- one item of a list\n", "- two items of it\n"],
        );
        let long = "word ".repeat(20);
        let parts = [
            "word word word word",
            " word word word word word word",
            " word word word word",
            " word word word word word word ",
        ];
        check(&long, Format::Markdown, room, &parts);
        check(
            "<p>One &amp; <b>two</b>.</p><script>var a;</script><p>Three.</p>",
            Format::Html,
            room,
            &["One & two.\nThree."],
        );
    }

    #[test]
    fn what_is_left_out_stands_in_no_piece_and_what_is_too_much_is_told() {
        let document = Document::from_str_as("One.\n\nTwo.\n\nThree.\n", Format::Markdown);
        let left_out = [LeftOut { span: Span::new(6, 12), reason: "it repeats the prompt" }];
        let found = cut_one(&document, 400, 9, &left_out);
        let spans: Vec<Span> = found.pieces[0].parts.iter().map(|part| part.span).collect();
        assert_eq!((found.pieces.len(), spans), (1, vec![Span::new(0, 6), Span::new(12, 19)]));
        let found = cut_one(&document, PASSAGE_BYTES + 24, 1, &[]);
        assert_eq!(found.pieces[0].parts, [Part { text: 0, span: Span::new(0, 6) }]);
        assert_eq!(found.uncovered, [Part { text: 0, span: Span::new(6, 19) }]);
        let found = cut_one(&document, 10, 9, &[]);
        assert_eq!((found.pieces, found.uncovered), (vec![], vec![Part { text: 0, span: Span::new(0, 19) }]));
    }

    #[test]
    fn a_page_without_text_is_one_piece_that_nobody_is_asked_about() {
        let document = Document::from_str_as(&"<script>var a = 1;</script>\n".repeat(50), Format::Html);
        let found = cut_one(&document, 200, 1, &[]);
        assert!(found.pieces.len() == 1 && found.pieces[0].blank && found.uncovered.is_empty());
    }

    #[test]
    fn a_beginning_ends_at_a_word() {
        assert_eq!(beginning("one two three", 99), "one two three");
        assert_eq!(beginning("one two three four", 16), "one two");
        assert_eq!(beginning("äöüäöüäöü", 11), "äöü");
        assert_eq!(beginning("one", 0), "");
    }

    fn words() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            4 => "[a-z]{1,12}",
            1 => prop::sample::select(vec!["\n\n# T\n\n", "\n\n## S\n\n", "\n- ", "\n\n", "| a | b |\n", "<|", "\n\nHuman: ", "\u{200B}", "日本", "<p>", "</p>", "&amp;"]).prop_map(str::to_owned),
        ];
        prop::collection::vec(word, 0..120).prop_map(|words| words.join(" "))
    }

    proptest! {
        #[test]
        fn every_byte_is_in_one_piece_and_no_piece_is_too_large(
            sources in prop::collection::vec((words(), any::<bool>()), 1..4),
            room_bytes in 100_usize..2_000,
            pieces_max in 1_usize..12,
            left in prop::option::of((0_usize..200, 1_usize..200)),
        ) {
            let documents: Vec<Document> = sources
                .iter()
                .map(|(source, html)| Document::from_str_as(source, if *html { Format::Html } else { Format::Markdown }))
                .collect();
            // A part is left out as a whole block or section: here whatever stands between two blocks' beginnings.
            let left_out: Vec<LeftOut> = left
                .and_then(|(from, many)| {
                    let blocks = &documents[0].blocks;
                    let first = blocks.get(from % blocks.len().max(1))?;
                    let last = blocks.get((from % blocks.len()) + many % 3).unwrap_or(first);
                    Some(LeftOut { span: Span::new(first.span.start, last.span.end.max(first.span.end)), reason: "" })
                })
                .into_iter()
                .collect();
            let texts: Vec<Text<'_>> = documents
                .iter()
                .enumerate()
                .map(|(index, document)| Text {
                    name: "name.md",
                    document,
                    whole: Span::new(0, document.source.len()),
                    left_out: if index == 0 { &left_out } else { &[] },
                })
                .collect();
            let found = cut(&texts, room_bytes, pieces_max);
            prop_assert!(found.pieces.iter().filter(|piece| !piece.blank).count() <= pieces_max);
            for (index, text) in texts.iter().enumerate() {
                let mut spans: Vec<Span> = found
                    .pieces
                    .iter()
                    .flat_map(|piece| &piece.parts)
                    .chain(&found.uncovered)
                    .filter(|part| part.text == index)
                    .map(|part| part.span)
                    .chain(text.left_out.iter().map(|left| left.span))
                    .collect();
                spans.sort_unstable();
                let mut at = 0;
                for span in spans {
                    prop_assert_eq!(span.start, at, "{:?}", found);
                    prop_assert!(text.document.source.is_char_boundary(span.end));
                    at = span.end;
                }
                prop_assert_eq!(at, text.document.source.len());
            }
            for piece in &found.pieces {
                let mut bytes = 0;
                for part in &piece.parts {
                    let text = &texts[part.text];
                    let shown = Reader::new(text.document).shown(part.span).into_owned();
                    if !shown.trim().is_empty() {
                        let whole = format!("{}{shown}", header(text, part.span));
                        bytes += neutralise(&whole, &Delimiter::new([7; 16])).0.len() + PASSAGE_BYTES;
                    }
                }
                prop_assert!(bytes <= room_bytes, "{} > {}", bytes, room_bytes);
                prop_assert_eq!(piece.blank, bytes == 0);
            }
        }

        #[test]
        fn a_beginning_fits(text in words(), bytes_max in 0_usize..300) {
            let head = beginning(&text, bytes_max);
            prop_assert!(text.starts_with(head) && cost(head) <= bytes_max);
        }
    }
}
