//! What holds for every document.

use proptest::prelude::*;
use steadfast_text::{Block, BlockKind, Document, Format, Span, locate, repeated_share, sentences, tokens};

/// Every promise of the types about spans, texts and indices.
#[track_caller]
fn check_invariants(document: &Document) {
    let source = &document.source;
    let fits = |span: Span| span.start <= span.end && source.get(span.range()).is_some();
    for (index, section) in document.sections.iter().enumerate() {
        assert!(fits(section.span), "section {index}");
        assert_eq!(section.level == 0, index == 0);
        if let Some(parent) = section.parent {
            assert!(parent < index && document.sections[parent].level < section.level);
            assert!(document.sections[parent].span.contains(section.span), "section {index}");
        }
    }
    for (index, block) in document.blocks.iter().enumerate() {
        assert!(block.section < document.sections.len() && fits(block.span), "block {index}");
        assert!(document.sections[block.section].span.contains(block.span), "block {index}");
        assert!(block.lead.is_none_or(|lead| lead < index), "lead of {index}");
        check_text(document, block);
    }
    for table in &document.tables {
        assert!(!table.rows.is_empty());
        for cell in table.rows.iter().flatten() {
            assert!(matches!(document.blocks[*cell].kind, BlockKind::TableCell { .. }));
        }
    }
    assert!(document.scripts.iter().all(|script| fits(*script)));
}

#[track_caller]
fn check_text(document: &Document, block: &Block) {
    let (source, text) = (&document.source, &block.text);
    let (mut plain, mut at) = (0, block.span.start);
    for piece in text.pieces().iter() {
        assert!(piece.plain == plain && piece.plain_len > 0, "the runs cover the text");
        assert!(piece.source.start >= at && !piece.source.is_empty(), "the runs stand in order");
        assert!(block.span.contains(piece.source));
        let read = &text.plain[piece.plain..piece.plain_end()];
        let stands = source.get(piece.source.range()).expect("runs end at characters");
        assert!(!piece.verbatim || read == stands, "{read:?} {stands:?}");
        (plain, at) = (piece.plain_end(), piece.source.end);
    }
    assert_eq!(plain, text.plain.len());
    let cell = matches!(block.kind, BlockKind::TableCell { .. });
    assert!(cell || !block.sentences.is_empty());
    let mut last = 0;
    let ranges = block.sentences.iter().chain(&block.struck).chain(block.label.as_deref());
    for range in ranges.clone() {
        assert!(range.start < range.end && text.plain.get(range.clone()).is_some());
        let span = text.source_span(range.clone());
        assert!(block.span.contains(span) && source.get(span.range()).is_some());
        if text.verbatim(range.clone()) {
            assert_eq!(document.quote(span), &text.plain[range.clone()]);
        }
        let evidence = document.evidence_span(block, range.clone());
        assert!(span.contains(evidence) && source.get(evidence.range()).is_some());
    }
    for range in &block.sentences {
        let sentence = &text.plain[range.clone()];
        assert!(range.start >= last && sentence.trim() == sentence);
        last = range.end;
    }
}

/// A block of a generated document.
#[derive(Clone, Debug)]
enum Part {
    Heading(usize, Vec<Word>),
    Paragraph(Vec<Word>),
    List(bool, Vec<(Vec<Word>, Vec<Vec<Word>>)>),
    Quote(Vec<Word>),
    Code(Vec<String>),
    Table(Vec<Vec<Vec<Word>>>),
}

/// Words, and how they are marked up: nothing, bold, struck out, code, a line break before it, a link.
#[derive(Clone, Debug)]
struct Word(String, u8);

const SPECIAL: &[(&str, &str, &str)] = &[
    ("&", "&amp;", "&amp;"),
    ("<", "\\<", "&lt;"),
    ("*", "\\*", "*"),
    ("—", "&mdash;", "&mdash;"),
    ("R&D", "R&D", "R&D"),
    ("é", "&eacute;", "&#233;"),
    ("café", "café", "café"),
    ("好。", "好。", "好。"),
];

fn markdown_line(words: &[Word]) -> String {
    let words: Vec<String> = words
        .iter()
        .map(|Word(word, mark)| {
            let text =
                SPECIAL.iter().find(|(plain, ..)| plain == word).map_or(word.clone(), |(_, md, _)| (*md).to_owned());
            match mark {
                1 => format!("**{text}**"),
                2 => format!("~~{text}~~"),
                3 if text == *word => format!("`{text}`"),
                4 => format!("<br>{text}"),
                5 => format!("[{text}](http://example.org)"),
                6 => format!("<i>{text}</i>"),
                _ => text,
            }
        })
        .collect();
    words.join(" ")
}

fn html_line(words: &[Word]) -> String {
    let words: Vec<String> = words
        .iter()
        .map(|Word(word, mark)| {
            let text = SPECIAL
                .iter()
                .find(|(plain, ..)| plain == word)
                .map_or(word.clone(), |(_, _, html)| (*html).to_owned());
            match mark {
                1 => format!("<strong>{text}</strong>"),
                2 => format!("<del>{text}</del>"),
                3 => format!("<code>{text}</code>"),
                4 => format!("<br/>\n{text}"),
                5 => format!("<a href='http://example.org'>{text}</a>"),
                6 => format!("<em>{text}</em>"),
                _ => text,
            }
        })
        .collect();
    words.join("\n ")
}

fn markdown(parts: &[Part]) -> String {
    let mut out = String::new();
    for (index, part) in parts.iter().enumerate() {
        match part {
            Part::Heading(level, words) => out += &format!("{} {}\n", "#".repeat(*level), markdown_line(words)),
            Part::Paragraph(words) => out += &format!("{}\n", markdown_line(words)),
            Part::Quote(words) => out += &format!("> {}\n", markdown_line(words)),
            Part::Code(lines) => out += &format!("```\n{}\n```\n", lines.join("\n")),
            Part::List(ordered, items) => {
                let marker = if *ordered { "1." } else { "- " };
                for (item, below) in items {
                    out += &format!("{marker} {}\n", markdown_line(item));
                    for item in below {
                        out += &format!("   * {}\n", markdown_line(item));
                    }
                }
            }
            Part::Table(rows) => {
                for (index, row) in rows.iter().enumerate() {
                    out += "|";
                    for cell in row {
                        out += &format!(" {} |", markdown_line(cell));
                    }
                    out += "\n";
                    if index == 0 {
                        out += &format!("|{}\n", "---|".repeat(row.len()));
                    }
                }
            }
        }
        // A comment parts neighbouring lists, which would be one otherwise.
        out += &format!("\n<!-- {index} -->\n\n");
    }
    out
}

fn html(parts: &[Part]) -> String {
    let mut out = String::from("<!DOCTYPE html>\n<html><head><title>No text</title></head><body>\n");
    for part in parts {
        match part {
            Part::Heading(level, words) => out += &format!("<h{level}>{}</h{level}>\n", html_line(words)),
            Part::Paragraph(words) => out += &format!("<p>{}</p>\n", html_line(words)),
            Part::Quote(words) => out += &format!("<blockquote>\n<p>{}</p>\n</blockquote>\n", html_line(words)),
            Part::Code(lines) => out += &format!("<pre><code>{}\n</code></pre>\n", lines.join("\n")),
            Part::List(ordered, items) => {
                let name = if *ordered { "ol" } else { "ul" };
                out += &format!("<{name}>\n");
                for (item, below) in items {
                    out += &format!("<li>{}", html_line(item));
                    if !below.is_empty() {
                        let below: String =
                            below.iter().map(|item| format!("<li>{}</li>\n", html_line(item))).collect();
                        out += &format!("\n<ul>\n{below}</ul>\n");
                    }
                    out += "</li>\n";
                }
                out += &format!("</{name}>\n");
            }
            Part::Table(rows) => {
                out += "<table>\n<thead>\n";
                for (index, row) in rows.iter().enumerate() {
                    let name = if index == 0 { "th" } else { "td" };
                    let cells: String =
                        row.iter().map(|cell| format!("<{name}>{}</{name}>\n", html_line(cell))).collect();
                    out += &format!("<tr>\n{cells}</tr>\n");
                    if index == 0 {
                        out += "</thead>\n<tbody>\n";
                    }
                }
                out += "</tbody>\n</table>\n";
            }
        }
        out += "<!-- x -->\n";
    }
    out + "</body></html>\n"
}

fn word() -> impl Strategy<Value = Word> {
    let text = prop_oneof![
        6 => "[A-Za-z]{1,8}[.:?,]?",
        2 => "[0-9]{1,3}(\\.[0-9])?%?",
        1 => proptest::sample::select(vec!["e.g.", "U.S.", "Inc.", "$1.5M.", "(so)", "vs.", "it's"]).prop_map(str::to_owned),
        1 => proptest::sample::select(SPECIAL).prop_map(|(plain, ..)| (*plain).to_owned()),
    ];
    (text, prop_oneof![6 => Just(0_u8), 4 => 1..7_u8]).prop_map(|(text, mark)| {
        // Numbers with a full stop would begin a list; so they come in bold.
        Word(text, mark)
    })
}

/// A line begins with a word of letters without markup, so that Markdown takes it as text.
fn line() -> impl Strategy<Value = Vec<Word>> {
    ("[A-Z][a-z]{0,6}", proptest::collection::vec(word(), 0..9)).prop_map(|(first, mut words)| {
        words.insert(0, Word(first, 0));
        words
    })
}

fn part() -> impl Strategy<Value = Part> {
    let lines = || proptest::collection::vec(line(), 0..3);
    prop_oneof![
        (1..=6_usize, line()).prop_map(|(level, words)| Part::Heading(level, words)),
        line().prop_map(Part::Paragraph),
        line().prop_map(Part::Quote),
        proptest::collection::vec("[a-z]{1,6}( [a-z]{1,4})?", 1..4).prop_map(Part::Code),
        (any::<bool>(), proptest::collection::vec((line(), lines()), 1..4))
            .prop_map(|(ordered, items)| Part::List(ordered, items)),
        (1..4_usize).prop_flat_map(|columns| {
            proptest::collection::vec(proptest::collection::vec(line(), columns), 1..4).prop_map(Part::Table)
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn markdown_and_html_read_alike(parts in proptest::collection::vec(part(), 0..6)) {
        let (md, ht) = (markdown(&parts), html(&parts));
        let (md, ht) = (Document::from_str_as(&md, Format::Markdown), Document::from_str_as(&ht, Format::Html));
        check_invariants(&md);
        check_invariants(&ht);
        let tree = |document: &Document| -> Vec<String> {
            let blocks = document.blocks.iter();
            blocks
                .map(|block| {
                    let Block { kind, section, text, sentences, lead, label, struck, .. } = block;
                    format!("{:?}", (kind, section, &text.plain, sentences, lead, label, struck))
                })
                .collect()
        };
        prop_assert_eq!(tree(&md), tree(&ht));
        let sections = |document: &Document| -> Vec<String> {
            document.sections.iter().map(|section| format!("{:?}", (&section.title, section.level, section.parent))).collect()
        };
        prop_assert_eq!(sections(&md), sections(&ht));
        let tables = |document: &Document| format!("{:?}", document.tables);
        prop_assert_eq!(tables(&md), tables(&ht));
        // Whatever a reader sees can be found.
        for document in [&md, &ht] {
            for block in document.blocks.iter().take(4) {
                for sentence in &block.sentences {
                    prop_assert!(locate(document, &block.text.plain[sentence.clone()]).is_some());
                }
            }
        }
    }

    #[test]
    fn html_evidence_holds_no_markup(parts in proptest::collection::vec(part(), 0..4)) {
        let document = Document::from_str_as(&html(&parts), Format::Html);
        for block in &document.blocks {
            for sentence in &block.sentences {
                let quote = document.quote(document.evidence_span(block, sentence.clone()));
                let plain = &block.text.plain[sentence.clone()];
                let folded = quote.split_whitespace().collect::<Vec<_>>().join(" ");
                prop_assert!(
                    plain.split_whitespace().collect::<Vec<_>>().join(" ").contains(&folded) || !plain.is_ascii() || plain.contains(['&', '<']),
                    "{:?} for {:?}", quote, plain
                );
            }
        }
    }

    #[test]
    fn nothing_panics_on_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        for format in [Format::Markdown, Format::Html, Format::Plain] {
            if let Ok(document) = Document::read("x", &bytes, format) {
                check_invariants(&document);
            }
        }
    }

    #[test]
    fn invariants_of_soup(
        pieces in proptest::collection::vec(proptest::sample::select(vec![
            "<", ">", "<p>", "</p>", "<b>", "</b>", "<ul>", "</ul>", "<li>", "<table>", "<tr>", "<td>", "</td>", "</table>", "<h1>", "</h1>", "<h3>",
            "<br>", "<pre>", "</pre>", "<code class=language-x>", "<div hidden>", "</div>", "<script>", "</script>", "<!--", "-->", "&amp;", "&notit;", "&#x1F600;",
            "&", ";", "<button class=toggle>", "</button>", "<details>", "<summary>", "</summary>", "</details>", "<div>", "<blockquote>", "</blockquote>",
            "a", "Bc", "d. E", " ", "  ", "\n", "\n\n", "\r\n", "\t", "**", "*", "_", "~~", "`", "```", "| ", "|", "|---|", "\n| a | b |\n", "- ", "1. ", "# ", "> ", "---\n",
            "[", "](x)", "![", "\\", ": ", "é", "他。", "\u{301}", "😀", "\u{A0}", "\u{FEFF}", "    ", "- [x] ",
        ]), 0..60)
    ) {
        let source = pieces.concat();
        for format in [Format::Markdown, Format::Html, Format::Plain] {
            let document = Document::from_str_as(&source, format);
            check_invariants(&document);
            for block in &document.blocks {
                if let Some(found) = locate(&document, &block.text.plain) {
                    prop_assert!(document.source.get(found.span.range()).is_some());
                }
            }
            if let Some(found) = locate(&document, "d. E a") {
                prop_assert!(document.source.get(found.span.range()).is_some());
            }
        }
    }

    #[test]
    fn sentences_and_tokens_cover_the_text(text in "\\PC{0,80}|[a-zA-Z.!? ()\"'\n0-9]{0,120}") {
        let mut covered = vec![false; text.len()];
        for range in sentences(&text) {
            covered[range].fill(true);
        }
        let mut last = 0;
        for token in tokens(&text) {
            prop_assert!(token.range.start >= last && token.range.start < token.range.end);
            prop_assert!(text.get(token.range.clone()).is_some());
            prop_assert!(text[last..token.range.start].chars().all(char::is_whitespace));
            prop_assert!(covered[token.range.start]);
            last = token.range.end;
        }
        prop_assert!(text[last..].chars().all(char::is_whitespace));
        let share = repeated_share(&text, &text);
        prop_assert!(share == 1.0 || share == 0.0);
    }
}
