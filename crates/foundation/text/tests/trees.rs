//! Small documents and what is read in them, written out.
#![expect(clippy::unwrap_used, reason = "writing to a string cannot fail")]

use std::fmt::Write;

use insta::assert_snapshot;
use steadfast_text::{BlockKind, Document, Format};

/// One line for a block: its sections, kind, label, lead and text with its sentences parted by `|`.
fn tree(source: &str, format: Format) -> String {
    let document = Document::from_str_as(source, format);
    let mut out = String::new();
    for (index, block) in document.blocks.iter().enumerate() {
        let path = document.section_path(block.section).join(" > ");
        let kind = match &block.kind {
            BlockKind::Heading => format!("h{}", document.sections[block.section].level),
            BlockKind::Paragraph => "p".to_owned(),
            BlockKind::Quote => "quote".to_owned(),
            BlockKind::Code { language } => format!("code({})", language.as_deref().unwrap_or("")),
            BlockKind::ListItem { depth, ordinal, checked } => {
                let number = ordinal.map_or(String::new(), |number| format!(" {number}."));
                let check = checked.map_or("", |checked| if checked { " [x]" } else { " [ ]" });
                format!("li{depth}{number}{check}")
            }
            BlockKind::TableCell { table, row, column, header } => {
                format!("{}{table}:{row},{column}", if *header { "th" } else { "td" })
            }
        };
        let plain = &block.text.plain;
        let label =
            block.label.as_deref().cloned().map_or(String::new(), |range| format!(" label={:?}", &plain[range]));
        let lead = block.lead.map_or(String::new(), |lead| format!(" lead={lead}"));
        let struck: String = block.struck.iter().map(|range| format!(" struck={:?}", &plain[range.clone()])).collect();
        let sentences: Vec<String> =
            block.sentences.iter().map(|range| format!("{:?}", &plain[range.clone()])).collect();
        writeln!(out, "{index} [{path}] {kind}{label}{lead}{struck} {}", sentences.join(" | ")).unwrap();
    }
    for (index, table) in document.tables.iter().enumerate() {
        writeln!(out, "table {index} header={} {:?}", table.has_header, table.rows).unwrap();
    }
    for script in &document.scripts {
        writeln!(out, "script {:?}", document.quote(*script)).unwrap();
    }
    out
}

#[track_caller]
fn markdown(source: &str) -> String {
    tree(source, Format::Markdown)
}

#[track_caller]
fn html(source: &str) -> String {
    tree(source, Format::Html)
}

#[test]
fn sections_restart() {
    assert_snapshot!(markdown("Before.\n\n# One\n\n### Deep\n\ntext\n\n## Two\n\n# Again\n\nend\n"), @r#"
    0 [] p "Before."
    1 [One] h1 "One"
    2 [One > Deep] h3 "Deep"
    3 [One > Deep] p "text"
    4 [One > Two] h2 "Two"
    5 [Again] h1 "Again"
    6 [Again] p "end"
    "#);
}

/// The sentences of a paragraph.
fn sentences(source: &str) -> Vec<String> {
    let document = Document::from_str_as(source, Format::Markdown);
    let block = &document.blocks[0];
    block.sentences.iter().map(|range| block.text.plain[range.clone()].to_owned()).collect()
}

#[test]
fn a_line_that_its_writer_ended_ends_a_sentence() {
    assert_eq!(
        sentences("new menu pls\nsoup 4.20, bread 1.10, apple cake with cream 3.80\nno prices for kids"),
        ["new menu pls", "soup 4.20, bread 1.10, apple cake with cream 3.80", "no prices for kids"]
    );
    // Lines that were full go on, and so does a line that ends where no clause can.
    assert_eq!(
        sentences("The soup of the day is made from what the\nmarket has, and bread comes with it at no\nextra price."),
        ["The soup of the day is made from what the market has, and bread comes with it at no extra price."]
    );
    assert_eq!(
        sentences("soup and\nbread for everybody who comes to the hall on the first Sunday of the month"),
        ["soup and bread for everybody who comes to the hall on the first Sunday of the month"]
    );
}

#[test]
fn labels_and_leads() {
    assert_snapshot!(markdown(
        "**Banned:**\n- gold\n- **Impact:** High. It costs 5.\n  - below\n\n    **Why**: so\n\n- Timeframe: 3 weeks\n\n**Bold words** start it.\n\nPlain text.\n\n1. first\n1. second\n\n   more of it:\n   - [x] done\n   - [ ] open\n"
    ), @r#"
    0 [] p label="Banned" "Banned:"
    1 [] li0 lead=0 "gold"
    2 [] li0 label="Impact" lead=0 "Impact: High." | "It costs 5."
    3 [] li1 lead=2 "below"
    4 [] p label="Why" lead=3 "Why: so"
    5 [] li0 label="Timeframe" lead=0 "Timeframe: 3 weeks"
    6 [] p "Bold words start it."
    7 [] p "Plain text."
    8 [] li0 1. lead=7 "first"
    9 [] li0 2. lead=7 "second"
    10 [] p label="more of it" lead=9 "more of it:"
    11 [] li1 [x] lead=10 "done"
    12 [] li1 [ ] lead=10 "open"
    "#);
}

#[test]
fn inline_markup() {
    assert_snapshot!(markdown(
        "A ~~struck out~~ word, `code | span`, a [link](http://a.b \"t\"), ![picture](x.png) and\nmore  text &amp; \\*stars\\*<br>new <b>line</b><!-- no -->.\nHard  \nbreak.\n\n> Quoted. Twice.\n>\n> - item\n\n```rust\nlet a = 1;\n\nlet b;\n```\n"
    ), @r#"
    0 [] p struck="struck out" "A struck out word, code | span, a link, and more text & *stars*" | "new line." | "Hard" | "break."
    1 [] quote "Quoted." | "Twice."
    2 [] li0 lead=1 "item"
    3 [] code(rust) "let a = 1;" | "let b;"
    "#);
}

#[test]
fn tables() {
    assert_snapshot!(markdown(
        "| Role | Pay |\n|---|--:|\n| **CEO** | $5<br>Label: x |\n| | a \\| b |\n\nafter\n"
    ), @r#"
    0 [] th0:0,0 "Role"
    1 [] th0:0,1 "Pay"
    2 [] td0:1,0 "CEO"
    3 [] td0:1,1 "$5" | "Label: x"
    4 [] td0:2,0 
    5 [] td0:2,1 "a | b"
    6 [] p "after"
    table 0 header=true [[0, 1], [2, 3], [4, 5]]
    "#);
}

#[test]
fn tables_without_a_header() {
    assert_snapshot!(markdown(
        "Budget:\n| Salaries | $1,720,000 | a **big** note |\n| Software | $44,000 | Hardware | $62,000 |\n\n| a | b | c |\n|---|---|\n| 1 | 2 | `x|y` |\n\nNo | table | here\n"
    ), @r#"
    0 [] p label="Budget" "Budget:"
    1 [] td0:0,0 "Salaries"
    2 [] td0:0,1 "$1,720,000"
    3 [] td0:0,2 "a big note"
    4 [] td0:1,0 "Software"
    5 [] td0:1,1 "$44,000"
    6 [] td0:1,2 "Hardware"
    7 [] td0:1,3 "$62,000"
    8 [] th1:0,0 "a"
    9 [] th1:0,1 "b"
    10 [] th1:0,2 "c"
    11 [] td1:1,0 "1"
    12 [] td1:1,1 "2"
    13 [] td1:1,2 "x|y"
    14 [] p "No | table | here"
    table 0 header=false [[1, 2, 3], [4, 5, 6, 7]]
    table 1 header=true [[8, 9, 10], [11, 12, 13]]
    "#);
}

#[test]
fn front_matter_and_mark() {
    assert_snapshot!(markdown("\u{FEFF}---\ntitle: x\n---\n# One\n"), @r#"0 [One] h1 "One""#);
    assert_snapshot!(markdown("---\n\ntext\n\n---\n\nmore\n"), @r#"
    0 [] p "text"
    1 [] p "more"
    "#);
}

#[test]
fn html_in_markdown() {
    assert_snapshot!(markdown(
        "<details>\n<summary>More</summary>\n\n# Below\n\ntext\n\n</details>\n\n# Next\n\n<table><tr><th>A</th></tr>\n<tr><td>1<td>2</table>\n\nEnd <script>x()</script>here.\n"
    ), @r#"
    0 [More] h1 "More"
    1 [More > Below] h2 "Below"
    2 [More > Below] p "text"
    3 [Next] h1 "Next"
    4 [Next] th0:0,0 "A"
    5 [Next] td0:1,0 "1"
    6 [Next] td0:1,1 "2"
    7 [Next] p "End here."
    table 0 header=true [[4], [5, 6]]
    "#);
}

#[test]
fn html_elements() {
    assert_snapshot!(html(
        "<!DOCTYPE html><html><head><title>T</title><style>p{}</style><script>var a = '<p>';</script></head><body>\n<h1>One &amp; all</h1><p>First<br>line &mdash; and <b>Label:</b> x<p hidden>no</p><p style=\"Display : none\">no</p>\n<div>bare <s>old</s> text<div>inner</div> tail</div>\n<ol start=3><li>three<li value=7>seven<ul><li><input type=checkbox checked> done</ul></ol>\n<blockquote><p>q</p></blockquote>\n<pre class=\"mermaid\">\ngraph TD\n  A --> B\n</pre><noscript>no</noscript><template>no</template>\n<table><thead><tr><td>H</td></tr></thead><tr><td><p>a</p><p>b</p><ul><li>c</ul></td><td></td></tr></table>"
    ), @r#"
    0 [One & all] h1 "One & all"
    1 [One & all] p "First" | "line — and Label: x"
    2 [One & all] p struck="old" "bare old text"
    3 [One & all] p "inner"
    4 [One & all] p "tail"
    5 [One & all] li0 3. lead=4 "three"
    6 [One & all] li0 7. lead=4 "seven"
    7 [One & all] li1 [x] lead=6 "done"
    8 [One & all] quote "q"
    9 [One & all] code(mermaid) "graph TD" | "A --> B"
    10 [One & all] th0:0,0 "H"
    11 [One & all] td0:1,0 "a" | "b" | "c"
    12 [One & all] td0:1,1 
    table 0 header=true [[10], [11, 12]]
    script "var a = '<p>';"
    "#);
}

#[test]
fn buttons_head_what_stands_below() {
    assert_snapshot!(html(
        "<h1>Plan</h1><div><button class=\"collapsible\">Summary</button><div><h1>Aim</h1><h2>Goal</h2><p>x</p></div></div><div><button class=\"collapsible\">Team</button><p>y <button>inline</button></p></div><p>after</p><h2>Own</h2><button>Zoom</button>"
    ), @r#"
    0 [Plan] h1 "Plan"
    1 [Summary] h1 "Summary"
    2 [Summary > Aim] h2 "Aim"
    3 [Summary > Aim > Goal] h3 "Goal"
    4 [Summary > Aim > Goal] p "x"
    5 [Team] h1 "Team"
    6 [Team] p "y inline"
    7 [] p "after"
    8 [Own] h2 "Own"
    9 [Own] p "Zoom"
    "#);
    assert_snapshot!(html(
        "<button class=accordion>A</button><div><h1>a</h1></div><button class=accordion>B</button><div><h1>b</h1></div>"
    ), @r#"
    0 [A] h1 "A"
    1 [A > a] h2 "a"
    2 [B] h1 "B"
    3 [B > b] h2 "b"
    "#);
}

#[test]
fn broken_html() {
    assert_snapshot!(html("<p>a &lt b &notit; &#x41;&#0;&bogus; R&D <b>x<p>y</i></div><ul><li>z<table><td>t"), @r#"
    0 [] p "a < b ¬it; A�&bogus; R&D x"
    1 [] p "y"
    2 [] li0 lead=1 "z"
    3 [] td0:0,0 "t"
    table 0 header=false [[3]]
    "#);
}

#[test]
fn plain_text() {
    assert_snapshot!(tree(
        "Plan:\nBuild a house.\n\nMust do:\n- one\n- two is a line that goes on for so long that it is wrapped\n  here\n  * below\n\n1. first\n2) second\n\nEnd of it, a line that is so long that the editor wrapped it\nat this point.\nShort\nlines\n",
        Format::Plain
    ), @r#"
    0 [] p label="Plan" "Plan:" | "Build a house."
    1 [] p label="Must do" "Must do:"
    2 [] li0 lead=1 "one"
    3 [] li0 lead=1 "two is a line that goes on for so long that it is wrapped here"
    4 [] li1 lead=3 "below"
    5 [] li0 1. "first"
    6 [] li0 2. "second"
    7 [] p "End of it, a line that is so long that the editor wrapped it at this point." | "Short" | "lines"
    "#);
}
