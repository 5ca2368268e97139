//! Limits at their edges, and input that means harm.

use steadfast_text::{
    BLOCKS_MAX, BlockKind, DOCUMENT_BYTES_MAX, Document, Format, NESTING_DEPTH_MAX, TextError, locate, repeated_share,
    tokens,
};

const FORMATS: [Format; 3] = [Format::Markdown, Format::Html, Format::Plain];

#[test]
fn formats_by_name() {
    #[track_caller]
    fn check(name: &str, expect: Format) {
        assert_eq!(Format::of_name(name), expect, "{name}");
    }
    check("a.md", Format::Markdown);
    check("a.b.MARKDOWN", Format::Markdown);
    check("dir.md/a.html", Format::Html);
    check("a.HTM", Format::Html);
    check("a.txt", Format::Plain);
    check("a", Format::Plain);
    check("", Format::Plain);
    check("md", Format::Plain);
    check(".md", Format::Markdown);
}

#[test]
fn size_at_the_edge() {
    let mut bytes = vec![b'\n'; DOCUMENT_BYTES_MAX];
    assert!(Document::read("a.txt", &bytes, Format::Plain).is_ok());
    bytes.push(b'\n');
    let error = Document::read("a.txt", &bytes, Format::Plain).unwrap_err();
    assert_eq!(error.to_string(), "a.txt: 67108865 bytes, more than the 67108864 that one document may have");
}

#[test]
fn bytes_that_are_no_text() {
    for format in FORMATS {
        let error = Document::read("a.md", b"ab\xFFc", format).unwrap_err();
        assert_eq!(error, TextError::NotUtf8 { name: "a.md".into(), offset: 2 });
        insta::allow_duplicates! {
            insta::assert_snapshot!(error, @"a.md: not UTF-8 at byte 2; hint: convert the file to UTF-8");
        }
        let error = Document::read("a.md", b"a\0b", format).unwrap_err();
        insta::allow_duplicates! {
            insta::assert_snapshot!(error, @"a.md: binary (NUL at byte 1); hint: give text, Markdown or HTML in UTF-8");
        }
    }
}

#[test]
fn byte_order_mark_stays_in_the_offsets() {
    for (format, source) in
        [(Format::Markdown, "\u{FEFF}# One"), (Format::Html, "\u{FEFF}<h1>One"), (Format::Plain, "\u{FEFF}One")]
    {
        let document = Document::read("a", source.as_bytes(), format).unwrap();
        let block = &document.blocks[0];
        assert_eq!(block.text.plain, "One");
        assert_eq!(document.quote(block.span), "One");
        assert_eq!(block.span.start, source.len() - 3);
    }
}

#[test]
fn lists_at_the_deepest() {
    for (nested, expect) in [(NESTING_DEPTH_MAX / 2 - 1, NESTING_DEPTH_MAX / 2 - 1), (5_000, NESTING_DEPTH_MAX)] {
        let source = format!("{}x", "<ul><li>a".repeat(nested));
        let document = Document::from_str_as(&source, Format::Html);
        let deepest = document
            .blocks
            .iter()
            .filter_map(|block| match block.kind {
                BlockKind::ListItem { depth, .. } => Some(usize::from(depth) + 1),
                _ => None,
            })
            .max()
            .unwrap();
        assert!(deepest <= expect, "{deepest}");
        assert_eq!(document.blocks.iter().filter(|block| block.text.plain.starts_with('a')).count(), nested);
    }
}

#[test]
fn hostile_input_ends_soon() {
    let pieces = [
        "<",
        "<p>",
        "</p>",
        "<b>",
        "<div><table><td>",
        "&",
        "&#",
        "&amp",
        "<!--",
        "<a b=\"",
        "<script>",
        "</x>",
        "<details><summary>a",
        "<button class=toggle>a",
        "<h1>",
        "*",
        "_a_ ",
        "[",
        "![",
        "`",
        "|",
        "| a ",
        "| a |\n",
        "> ",
        "- ",
        "- a\n",
        "# ",
        "#\n",
        "\\",
        "~~",
        "[a](",
        "1. ",
        "9",
        ".",
        ". ",
        ".)",
        "…",
        "a.",
        "\"",
        "\r",
        "\r\n",
        "\t",
        " ",
        "\u{301}",
        "\u{200D}",
        "他",
        "。",
        "-",
        "a-",
        "'",
        "---\n",
        "a: ",
        "<pre>\n",
        "<td>",
        "<tr><td>",
        "<li>",
        "<ul>",
        "</ul><ul><li>",
    ];
    for piece in pieces {
        let source = piece.repeat(60_000 / piece.len());
        for format in FORMATS {
            let start = std::time::Instant::now();
            let document = Document::from_str_as(&source, format);
            let _ = locate(&document, "nobody “wrote” this");
            let took = start.elapsed();
            assert!(took.as_secs() < 2, "{format:?} of {piece:?}: {took:?}");
        }
        let _ = (tokens(&source), repeated_share(&source, &source));
    }
}

#[test]
fn huge_lines_and_numbers() {
    for source in ["9".repeat(1_000_000), "a".repeat(1_000_000), "a b ".repeat(250_000), "A. ".repeat(300_000)] {
        for format in FORMATS {
            let document = Document::from_str_as(&source, format);
            assert_eq!(document.blocks.len(), 1);
        }
    }
}

#[test]
fn a_document_has_so_many_blocks_and_no_more() {
    let list = |items: usize| "- a\n".repeat(items);
    let read = |items: usize| Document::read("list.md", list(items).as_bytes(), Format::Markdown);
    assert_eq!(read(BLOCKS_MAX).unwrap().blocks.len(), BLOCKS_MAX);
    assert_eq!(read(BLOCKS_MAX + 1).unwrap_err(), TextError::TooManyBlocks { name: "list.md".to_owned() });
    assert_eq!(Document::from_str_as(&list(BLOCKS_MAX + 9), Format::Markdown).blocks.len(), BLOCKS_MAX + 1);
}
