//! Bytes, chunk by chunk, as lines.

/// How many bytes a line may have, without its end. A longer one is skipped without being held.
pub const LINE_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A line that is whole.
pub(super) enum Line<'a> {
    /// Its bytes, without the end.
    Bytes(&'a [u8]),
    /// It has more bytes than [`LINE_BYTES_MAX`].
    TooLong,
}

/// Makes lines of chunks.
#[derive(Debug, Default)]
pub(super) struct Lines {
    begun: Vec<u8>,
    too_long: bool,
    ended: usize,
}

impl Lines {
    /// Takes a chunk and gives the lines that it ends, each with its number.
    pub(super) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(usize, Line<'_>)) {
        while let Some(end) = bytes.iter().position(|it| *it == b'\n') {
            let (rest_of_line, after) = (&bytes[..end], &bytes[end + 1..]);
            bytes = after;
            if self.begun.is_empty() && !self.too_long && rest_of_line.len() <= LINE_BYTES_MAX {
                self.ended += 1;
                each(self.ended, Line::Bytes(trimmed(self.ended, rest_of_line)));
                continue;
            }
            self.hold(rest_of_line);
            self.end(&mut each);
        }
        self.hold(bytes);
    }

    /// Gives the last line, where the bytes do not end in a line feed.
    pub(super) fn finish(&mut self, mut each: impl FnMut(usize, Line<'_>)) {
        if self.too_long || !self.begun.is_empty() {
            self.end(&mut each);
        }
    }

    fn hold(&mut self, bytes: &[u8]) {
        if self.too_long || self.begun.len() + bytes.len() > LINE_BYTES_MAX {
            self.too_long = true;
            self.begun = Vec::new();
        } else {
            self.begun.extend_from_slice(bytes);
        }
    }

    fn end(&mut self, each: &mut impl FnMut(usize, Line<'_>)) {
        self.ended += 1;
        if self.too_long {
            self.too_long = false;
            each(self.ended, Line::TooLong);
        } else {
            each(self.ended, Line::Bytes(trimmed(self.ended, &self.begun)));
            self.begun.clear();
        }
    }
}

/// Without the carriage return at its end and, on the first line, the byte order mark.
fn trimmed(number: usize, line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line }
}
