//! A prompt that stands in JSON: `{"plan_prompt": "…", …}`. It is read as plain text whose every byte knows its place in the
//! JSON, escapes included, so that quotes of it are quotes of the file.

use std::ops::Range;

use steadfast_text::{Document, Format, MappedText, Piece, Span};

use crate::EngineError;

/// The member that holds the prompt.
const MEMBER: &str = "plan_prompt";

/// Nesting of other members that is passed over.
const NESTING_MAX: usize = 128;

/// The prompt in `source` as a document over the bytes of `source`.
///
/// # Errors
/// [`EngineError::PromptFile`] where there is no such member or the JSON is broken before it.
pub(super) fn document(shown: &str, source: String) -> Result<Document, EngineError> {
    let mapped = member(&source).map_err(|what| EngineError::PromptFile { file: shown.to_owned(), what })?;
    let mut document = Document::from_str_as(&mapped.plain, Format::Plain);
    for section in &mut document.sections {
        section.span = onto(&mapped, section.span);
    }
    for block in &mut document.blocks {
        block.span = onto(&mapped, block.span);
        let own = block.text.pieces().iter().flat_map(|piece| pieces(&mapped, *piece)).collect();
        block.text = MappedText::new(block.text.plain.clone(), own);
    }
    document.source = source.into();
    Ok(document)
}

/// A span of the prompt as a span of the JSON.
fn onto(mapped: &MappedText, span: Span) -> Span {
    mapped.source_span(span.range())
}

/// A run of the prompt as runs of the JSON: in as many parts as escapes cut it into.
fn pieces(mapped: &MappedText, piece: Piece) -> Vec<Piece> {
    if !piece.verbatim {
        return vec![Piece { source: onto(mapped, piece.source), ..piece }];
    }
    let range = piece.source.range();
    let cut = |inner: &Piece| {
        let start = inner.plain.max(range.start);
        let end = (inner.plain + inner.plain_len).min(range.end);
        Piece {
            plain: piece.plain + (start - range.start),
            plain_len: end - start,
            source: mapped.source_span(start..end),
            verbatim: inner.verbatim,
        }
    };
    mapped.pieces_of(&range).iter().map(cut).collect()
}

/// Reads the one member of the outermost object. What stands before it is passed over, what follows is not looked at.
fn member(source: &str) -> Result<MappedText, String> {
    let mut reader = Reader { source, at: 0 };
    reader.take_mark();
    reader.space();
    reader.expect(b'{')?;
    loop {
        reader.space();
        if reader.peek() == Some(b'}') {
            return Err(format!("holds no `{MEMBER}`"));
        }
        let name = reader.string()?;
        reader.space();
        reader.expect(b':')?;
        reader.space();
        if name.plain == MEMBER {
            return reader.string();
        }
        reader.pass(0)?;
        reader.space();
        if reader.peek() == Some(b',') {
            reader.at += 1;
        }
    }
}

struct Reader<'a> {
    source: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn take_mark(&mut self) {
        if self.source.starts_with('\u{FEFF}') {
            self.at = '\u{FEFF}'.len_utf8();
        }
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), String> {
        if self.peek() != Some(byte) {
            return Err(format!("is no JSON object: `{}` is missing at byte {}", char::from(byte), self.at));
        }
        self.at += 1;
        Ok(())
    }

    /// Passes over any value.
    fn pass(&mut self, depth: usize) -> Result<(), String> {
        if depth > NESTING_MAX {
            return Err(format!("is nested deeper than {NESTING_MAX} levels at byte {}", self.at));
        }
        match self.peek() {
            Some(b'"') => self.string().map(drop),
            Some(open @ (b'{' | b'[')) => {
                let close = if open == b'{' { b'}' } else { b']' };
                self.at += 1;
                loop {
                    self.space();
                    match self.peek() {
                        Some(byte) if byte == close => {
                            self.at += 1;
                            return Ok(());
                        }
                        Some(b',' | b':') => self.at += 1,
                        Some(_) => self.pass(depth + 1)?,
                        None => return Err("ends within a value".to_owned()),
                    }
                }
            }
            Some(byte) if byte.is_ascii_alphanumeric() || byte == b'-' => {
                while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) {
                    self.at += 1;
                }
                Ok(())
            }
            _ => Err(format!("is broken JSON at byte {}", self.at)),
        }
    }

    /// A string, with the place of each of its characters.
    fn string(&mut self) -> Result<MappedText, String> {
        self.expect(b'"')?;
        let (mut plain, mut pieces) = (String::new(), Vec::new());
        let mut push = |text: &str, source: Range<usize>, verbatim: bool| {
            let source = Span::new(source.start, source.end);
            pieces.push(Piece { plain: plain.len(), plain_len: text.len(), source, verbatim });
            plain.push_str(text);
        };
        loop {
            let start = self.at;
            let rest = &self.source[start..];
            let run = rest.find(['"', '\\']).ok_or_else(|| "ends within a string".to_owned())?;
            if run > 0 {
                push(&rest[..run], start..start + run, true);
            }
            self.at = start + run;
            if self.peek() == Some(b'"') {
                self.at += 1;
                return Ok(MappedText::new(plain.into(), pieces));
            }
            let escape = self.at;
            let character = self.escape().ok_or_else(|| format!("has a broken escape at byte {escape}"))?;
            push(character.encode_utf8(&mut [0; 4]), escape..self.at, false);
        }
    }

    fn escape(&mut self) -> Option<char> {
        self.at += 1;
        let kind = self.peek()?;
        self.at += 1;
        Some(match kind {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let high = self.unit()?;
                if let Some(character) = char::from_u32(high) {
                    return Some(character);
                }
                if !self.source[self.at..].starts_with("\\u") {
                    return None;
                }
                self.at += 2;
                char::decode_utf16([u16::try_from(high).ok()?, u16::try_from(self.unit()?).ok()?]).next()?.ok()?
            }
            _ => return None,
        })
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.source.get(self.at..self.at + 4)?;
        self.at += 4;
        if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) { u32::from_str_radix(digits, 16).ok() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sentences of the prompt, each with the bytes of the file that it stands at.
    #[track_caller]
    fn check(source: &str, expect: &[(&str, &str)]) {
        let document = document("plan_raw.json", source.to_owned()).unwrap();
        let mut found = Vec::new();
        for block in &document.blocks {
            for sentence in &block.sentences {
                let span = block.text.source_span(sentence.clone());
                found.push((block.text.plain[sentence.clone()].to_owned(), document.quote(span).to_owned()));
            }
        }
        let expect: Vec<(String, String)> = expect.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn quotes_are_bytes_of_the_file() {
        check(r#"{"plan_prompt": "Build a barn."}"#, &[("Build a barn.", "Build a barn.")]);
        check(
            r#"{"date": [1, {"a": "}"}], "plan_prompt": "Build \"it\" now.\n\nNo caf\u00e9 there.\n\nCows \ud83d\ude00 too."}"#,
            &[
                ("Build \"it\" now.", r#"Build \"it\" now."#),
                ("No café there.", r"No caf\u00e9 there."),
                ("Cows 😀 too.", r"Cows \ud83d\ude00 too."),
            ],
        );
        check("\u{FEFF}{ \"plan_prompt\" : \"Go.\" }", &[("Go.", "Go.")]);
    }

    #[test]
    fn what_is_no_prompt_is_refused() {
        let deep = "[".repeat(100_000);
        for (source, expect) in [
            ("", "p: is no JSON object: `{` is missing at byte 0"),
            ("[]", "p: is no JSON object: `{` is missing at byte 0"),
            ("{}", "p: holds no `plan_prompt`"),
            (r#"{"a": 1}"#, "p: holds no `plan_prompt`"),
            (r#"{"plan_prompt": 1}"#, "p: is no JSON object: `\"` is missing at byte 16"),
            (r#"{"plan_prompt": "cut"#, "p: ends within a string"),
            (r#"{"plan_prompt": "\ud83d"}"#, "p: has a broken escape at byte 17"),
            (r#"{"plan_prompt": "\u12"}"#, "p: has a broken escape at byte 17"),
            (r#"{"a": {"b": 1, "#, "p: ends within a value"),
            (&format!("{{\"a\": {deep}"), "p: is nested deeper than 128 levels at byte 135"),
        ] {
            assert_eq!(document("p", source.to_owned()).unwrap_err().to_string(), expect);
        }
    }
}
