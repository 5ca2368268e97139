//! Word documents, as Markdown: paragraphs, headings, list items and the rows of tables; nothing of their looks.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::{archive, is_archive};
use crate::limits::{FILE_BYTES_MAX, INFLATION_FREE_BYTES, INFLATION_MAX};

/// The member that holds the text.
const BODY: &str = "word/document.xml";

/// Deepest level of a heading.
const LEVEL_MAX: usize = 6;

/// Whether bytes are a Word document.
pub(super) fn is_docx(bytes: &[u8]) -> bool {
    is_archive(bytes) && archive::holds(bytes, BODY)
}

/// The text of a Word document as Markdown.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn markdown(bytes: &[u8]) -> Result<String, String> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| format!("is no Word document: {error}"))?;
    let member = zip.by_name(BODY).map_err(|error| format!("is no Word document: {error}"))?;
    let (declared, packed) = (member.size(), member.compressed_size());
    if declared > FILE_BYTES_MAX || (declared > INFLATION_FREE_BYTES && declared / INFLATION_MAX > packed) {
        return Err("inflates beyond the limits of a file".to_owned());
    }
    let mut xml = String::new();
    // What the archive says may be a lie: what is inflated is bounded as well.
    member.take(FILE_BYTES_MAX).read_to_string(&mut xml).map_err(|error| format!("is damaged: {error}"))?;
    Ok(read(&xml))
}

/// What is being read.
#[derive(Default)]
struct Reader {
    out: String,
    paragraph: String,
    /// The level of the heading that the paragraph is; 0 for none.
    level: usize,
    is_item: bool,
    /// Inside the text of a run.
    in_text: bool,
    /// Cells of the row that is read, in tables that hold tables too.
    row: Vec<String>,
    cells: usize,
    /// Rows of the table so far.
    rows: usize,
}

fn read(xml: &str) -> String {
    let mut reader = Reader::default();
    let mut at = 0;
    while let Some(found) = xml[at..].find('<') {
        let open = at + found;
        if reader.in_text {
            unescape(&xml[at..open], &mut reader.paragraph);
        }
        let Some(close) = xml[open..].find('>').map(|close| open + close) else { break };
        reader.tag(&xml[open + 1..close]);
        at = close + 1;
    }
    reader.end_paragraph();
    reader.out
}

impl Reader {
    fn tag(&mut self, tag: &str) {
        let name = tag.trim_start_matches('/').split([' ', '/', '\n', '\t', '\r']).next().unwrap_or_default();
        let (closes, is_empty) = (tag.starts_with('/'), tag.ends_with('/'));
        match (name, closes) {
            ("w:t" | "w:delText", _) => self.in_text = !closes && !is_empty && name == "w:t",
            ("w:p", true) => self.end_paragraph(),
            ("w:p", false) if is_empty => self.end_paragraph(),
            ("w:pStyle", _) => self.style(attribute(tag, "w:val")),
            ("w:numPr", false) => self.is_item = true,
            ("w:br" | "w:cr", _) => self.paragraph.push('\n'),
            ("w:tab", false) => self.paragraph.push(' '),
            ("w:tbl", false) => self.rows = 0,
            ("w:tc", false) => self.cells += 1,
            ("w:tc", true) => {
                let cell = std::mem::take(&mut self.paragraph).replace('|', "\\|").replace('\n', " ");
                self.row.push(cell.trim().to_owned());
                self.cells = self.cells.saturating_sub(1);
            }
            ("w:tr", true) if self.cells == 0 => self.end_row(),
            ("w:tbl", true) if self.cells == 0 => self.out.push('\n'),
            _ => {}
        }
    }

    fn style(&mut self, style: &str) {
        let lower = style.to_ascii_lowercase();
        if lower == "title" {
            self.level = 1;
        } else if let Some(level) = lower.strip_prefix("heading").and_then(|level| level.parse::<usize>().ok()) {
            self.level = level.clamp(1, LEVEL_MAX);
        } else if lower.starts_with("list") {
            self.is_item = true;
        }
    }

    fn end_paragraph(&mut self) {
        // Paragraphs of a cell are joined.
        if self.cells > 0 {
            self.paragraph.push(' ');
            return;
        }
        let text = std::mem::take(&mut self.paragraph);
        let (level, is_item) = (std::mem::take(&mut self.level), std::mem::take(&mut self.is_item));
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if level > 0 {
            self.out.push_str(&"#".repeat(level));
            self.out.push(' ');
            self.out.push_str(&text.replace('\n', " "));
            self.out.push_str("\n\n");
        } else if is_item {
            self.out.push_str("- ");
            self.out.push_str(&text.replace('\n', " "));
            self.out.push('\n');
        } else {
            if self.out.ends_with('\n') && !self.out.ends_with("\n\n") {
                self.out.push('\n');
            }
            self.out.push_str(text);
            self.out.push_str("\n\n");
        }
    }

    fn end_row(&mut self) {
        let row = std::mem::take(&mut self.row);
        if row.is_empty() {
            return;
        }
        if self.rows == 0 && !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
        self.out.push_str(&format!("| {} |\n", row.join(" | ")));
        if self.rows == 0 {
            self.out.push_str(&format!("|{}\n", " --- |".repeat(row.len())));
        }
        self.rows += 1;
    }
}

/// The value of an attribute; empty where it is not there.
fn attribute<'a>(tag: &'a str, name: &str) -> &'a str {
    let value =
        tag.split_once(name).and_then(|(_, rest)| rest.split_once('"')).and_then(|(_, rest)| rest.split_once('"'));
    value.map_or("", |(value, _)| value)
}

/// Adds a text of XML with its references resolved.
fn unescape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        out.push_str(before);
        let Some((name, after)) = behind.split_once(';').filter(|(name, _)| name.len() <= 8) else {
            out.push('&');
            rest = behind;
            continue;
        };
        let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
        let resolved = match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            name => match name.strip_prefix('#') {
                Some(digits) => digits.strip_prefix('x').map_or_else(|| number(digits, 10), |hex| number(hex, 16)),
                None => None,
            },
        };
        match resolved.filter(|c| *c != '\0') {
            Some(c) => out.push(c),
            None => out.push_str(&format!("&{name};")),
        }
        rest = after;
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::{is_docx, read};

    #[test]
    fn paragraphs_headings_lists_and_tables() {
        let xml = r#"<?xml version="1.0"?><w:document><w:body>
            <w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Costs &amp; dates</w:t></w:r></w:p>
            <w:p><w:r><w:t xml:space="preserve">It costs </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>500 EUR</w:t></w:r><w:r><w:t>.</w:t></w:r></w:p>
            <w:p><w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr><w:r><w:t>first</w:t></w:r></w:p>
            <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>second &#8211; &#x41;</w:t></w:r><w:r><w:delText>gone</w:delText></w:r></w:p>
            <w:p/><w:p><w:r><w:t>After.</w:t></w:r></w:p>
            <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Item</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>EUR</w:t></w:r></w:p></w:tc></w:tr>
            <w:tr><w:tc><w:p><w:r><w:t>a|b</w:t></w:r></w:p><w:p><w:r><w:t>more</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>7</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
            <w:p><w:r><w:t>End</w:t></w:r></w:p></w:body></w:document>"#;
        let expect = "## Costs & dates\n\nIt costs 500 EUR.\n\n- first\n- second – A\n\nAfter.\n\n| Item | EUR |\n| --- | --- |\n| a\\|b more | 7 |\n\nEnd\n\n";
        assert_eq!(read(xml), expect);
    }

    #[test]
    fn what_is_no_document_is_read_without_a_fault() {
        for xml in ["", "<", "<w:t>", "<w:tc></w:tc></w:tr></w:tbl>", "<w:p><w:t>a &lt &;&#xZZ; &#0;</w:p>"] {
            let _ = read(xml);
        }
        assert_eq!(read("<w:p><w:t>a &lt b &#0; c</w:t></w:p>"), "a &lt b &#0; c\n\n");
        assert!(!is_docx(b"PK\x03\x04 and no archive") && !is_docx(b"text"));
    }
}
