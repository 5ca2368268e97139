//! Content lines: unfolded, with the way back to the bytes of the file.

use std::ops::Range;

use crate::{CalendarError, LINES_MAX};

/// A content line: `NAME;PARAM=VALUE:VALUE`.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The line of the file that it begins on, from 1.
    pub(crate) number: usize,
    /// In capitals.
    pub(crate) name: String,
    /// Names in capitals, values without quotes.
    params: Vec<(String, String)>,
    /// As it is written, unfolded.
    pub(crate) value: String,
    /// The bytes of the file that hold the value, folds among them.
    pub(crate) span: Range<usize>,
}

impl Line {
    /// The value of a parameter.
    pub(crate) fn param(&self, name: &str) -> Option<&str> {
        self.params.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Something wrong with this line.
    pub(crate) fn wrong(&self, what: impl Into<String>) -> CalendarError {
        CalendarError::at(self.number, what)
    }

    /// The value in a message: short and on one line.
    pub(crate) fn shown(&self) -> String {
        const SHOWN_CHARS_MAX: usize = 60;
        self.value.chars().filter(|c| !c.is_control()).take(SHOWN_CHARS_MAX).collect()
    }
}

/// The content lines of a file, in its order.
pub(crate) fn lines(text: &str) -> Result<Vec<Line>, CalendarError> {
    let mut out = Vec::new();
    let mut open: Option<Open> = None;
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let from = at;
    for (number, raw) in text[from..].split_inclusive('\n').enumerate() {
        let line = raw.strip_suffix('\n').map_or(raw, |line| line.strip_suffix('\r').unwrap_or(line));
        if let Some(more) = line.strip_prefix([' ', '\t']) {
            let Some(open) = &mut open else {
                return Err(CalendarError::at(number + 1, "goes on with a line that is not there"));
            };
            open.add(more, at + 1);
        } else if !line.trim().is_empty() {
            out.extend(open.take().map(Open::close).transpose()?);
            if out.len() == LINES_MAX {
                return Err(CalendarError::TooMany { what: "lines", limit: LINES_MAX });
            }
            let mut next = Open { number: number + 1, text: String::new(), pieces: Vec::new() };
            next.add(line, at);
            open = Some(next);
        }
        at += raw.len();
    }
    out.extend(open.take().map(Open::close).transpose()?);
    Ok(out)
}

/// A line that may go on.
struct Open {
    number: usize,
    text: String,
    /// Where a piece begins in the text, and where in the file.
    pieces: Vec<(usize, usize)>,
}

impl Open {
    fn add(&mut self, piece: &str, at: usize) {
        self.pieces.push((self.text.len(), at));
        self.text.push_str(piece);
    }

    /// The byte of the file that a byte of the text is.
    fn of_file(&self, at: usize) -> usize {
        let piece = self.pieces.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        self.pieces.get(piece).map_or(0, |(start, file)| file + (at - start))
    }

    fn close(self) -> Result<Line, CalendarError> {
        let number = self.number;
        let (mut quoted, mut colon) = (false, None);
        for (at, own) in self.text.char_indices() {
            match own {
                '"' => quoted = !quoted,
                ':' if !quoted => {
                    colon = Some(at);
                    break;
                }
                _ => {}
            }
        }
        let Some(colon) = colon else {
            return Err(CalendarError::at(number, "is no line of a calendar: it has no `:`"));
        };
        let (head, value) = (&self.text[..colon], &self.text[colon + 1..]);
        let mut parts = parted(head).into_iter();
        let name = parts.next().unwrap_or_default().to_ascii_uppercase();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Err(CalendarError::at(number, "is no line of a calendar: it begins with no name"));
        }
        let params = parts.filter_map(|part| {
            let (name, value) = part.split_once('=')?;
            Some((name.to_ascii_uppercase(), value.trim_matches('"').to_owned()))
        });
        let span = match value.char_indices().next_back() {
            Some((last, own)) => self.of_file(colon + 1)..self.of_file(colon + 1 + last) + own.len_utf8(),
            None => self.of_file(colon)..self.of_file(colon),
        };
        Ok(Line { number, name, params: params.collect(), value: value.to_owned(), span })
    }
}

/// Name and parameters, which `;` parts outside quotes.
fn parted(head: &str) -> Vec<&str> {
    let (mut parts, mut from, mut quoted) = (Vec::new(), 0, false);
    for (at, own) in head.char_indices() {
        match own {
            '"' => quoted = !quoted,
            ';' if !quoted => {
                parts.push(&head[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&head[from..]);
    parts
}

/// Text without its escapes: `\,`, `\;`, `\\`, `\n`.
pub(crate) fn unescaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(own) = chars.next() {
        match own {
            '\\' => match chars.next() {
                Some('n' | 'N') => out.push(' '),
                Some(other) => out.push(other),
                None => {}
            },
            own => out.push(own),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_lines_are_one_with_the_way_back() {
        let text = "\u{feff}BEGIN:VEVENT\r\nSUM\r\n MARY;LANGUAGE=\"e:n\":Stand\r\n up\\, all\r\n\r\nEND:VEVENT";
        let found = lines(text).unwrap();
        let summary = &found[1];
        assert_eq!((summary.name.as_str(), summary.number, summary.value.as_str()), ("SUMMARY", 2, "Standup\\, all"));
        assert_eq!(&text[summary.span.clone()], "Stand\r\n up\\, all");
        assert_eq!((summary.param("LANGUAGE"), unescaped(&summary.value).as_str()), (Some("e:n"), "Standup, all"));
        assert_eq!((found[2].name.as_str(), found[2].number), ("END", 5 + 1));
    }

    #[test]
    fn what_is_no_line_is_told() {
        let said = |text: &str| lines(text).unwrap_err().to_string();
        assert_eq!(said("BEGIN:X\nnonsense\n"), "line 2: is no line of a calendar: it has no `:`");
        assert_eq!(said(" x"), "line 1: goes on with a line that is not there");
        assert_eq!(said(":x"), "line 1: is no line of a calendar: it begins with no name");
    }
}
