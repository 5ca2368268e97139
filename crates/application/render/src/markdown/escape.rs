//! Judged text within Markdown.

use crate::plain;

/// The text as Markdown that reads as the text: nothing in it is markup, a link, an image or HTML. It is meant for text
/// that already is on one line.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut previous = '\0';
    for (at, character) in text.char_indices() {
        let marks = match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '#' | '$' => true,
            // A list, a rule or a heading's underline where a line begins so.
            '-' | '+' | '=' => at == 0,
            '.' | ')' => {
                let numbers_item =
                    digits > 0 && at == digits && matches!(text.as_bytes().get(at + 1), None | Some(b' '));
                numbers_item || (character == '.' && ends_with_www(&text[..at]))
            }
            // `http://` and its like, which GitHub links bare; the slash after a colon is enough to stop it.
            '/' => previous == ':',
            _ => false,
        };
        match character {
            // GitHub calls whoever is named so; an entity of any text is shown as that text.
            '@' => escaped.push_str("&#64;"),
            '&' => escaped.push_str("&amp;"),
            _ => {
                if marks {
                    escaped.push('\\');
                }
                escaped.push(character);
            }
        }
        previous = character;
    }
    escaped
}

fn ends_with_www(head: &str) -> bool {
    head.len() >= 3 && head.as_bytes()[head.len() - 3..].eq_ignore_ascii_case(b"www")
}

/// Judged text on one line as Markdown that reads as the text, of at most `chars_max` characters before it is escaped.
pub(crate) fn line(text: &str, chars_max: usize) -> String {
    escape(&plain::line(text, chars_max))
}

/// The text as a code span whose fence is longer than any run of backticks in it. Within a table a bar would still end
/// the cell, so bars are shown as their look-alike.
pub(crate) fn code(text: &str) -> String {
    let text = text.replace('|', "¦");
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::{code, escape};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(escape(text), expected);
    }

    #[test]
    fn text_is_no_markup() {
        check("plain, text; with (brackets) and 18 %!", "plain, text; with (brackets) and 18 %!");
        check("*a* _b_ ~c~", "\\*a\\* \\_b\\_ \\~c\\~");
        check("`a` ```b```", "\\`a\\` \\`\\`\\`b\\`\\`\\`");
        check("[a](b) ![c](d)", "\\[a\\](b) !\\[c\\](d)");
        check("<b> </b> <!-- -->", "\\<b\\> \\</b\\> \\<!-- --\\>");
        check("a | b", "a \\| b");
        check("# Head #1", "\\# Head \\#1");
        check("- item", "\\- item");
        check("a - b", "a - b");
        check("+ item", "\\+ item");
        check("=== x", "\\=== x");
        check("1. item", "1\\. item");
        check("12) item", "12\\) item");
        check("1.5 million. Yes.", "1.5 million. Yes.");
        check("1.", "1\\.");
        check("&lt;b&gt;", "&amp;lt;b&amp;gt;");
        check("http://evil.example/x", "http:\\//evil.example/x");
        check("WWW.evil.example", "WWW\\.evil.example");
        check("@someone", "&#64;someone");
        check("$880K + $1,181K", "\\$880K + \\$1,181K");
        check("back\\slash", "back\\\\slash");
        check("", "");
        check("日本語", "日本語");
    }

    #[track_caller]
    fn check_code(text: &str, expected: &str) {
        assert_eq!(code(text), expected);
    }

    #[test]
    fn no_text_ends_its_code_span() {
        check_code("report.md", "`report.md`");
        check_code("a`b", "``a`b``");
        check_code("a```b``", "```` a```b`` ````");
        check_code("`", "`` ` ``");
        check_code("", "`  `");
        check_code("a|b", "`a¦b`");
    }
}
