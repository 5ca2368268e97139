//! Replies that run away are not read to their end.

/// Longest reply, in bytes.
pub const REPLY_BYTES_MAX: usize = 1 << 20;

/// Most characters of white space in a row.
pub const WHITE_SPACE_MAX: usize = 256;

/// Most digits in a row.
pub const DIGITS_MAX: usize = 128;

/// How often a line may stand in a row.
pub const LINE_REPEATS_MAX: usize = 64;

/// How much of a reply must not be one piece over and over, in bytes.
const LOOP_BYTES: usize = 4_096;

/// Longest such piece, in bytes.
const LOOP_PIECE_BYTES_MAX: usize = 256;

/// Watches a reply as it comes.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    white_space: usize,
    digits: usize,
    line: Line,
    before: Line,
    repeats: usize,
    backslash: bool,
    /// How much of the reply was looked through for loops.
    looked: usize,
}

/// What is known of a line: its length and a hash of it (FNV-1a), white space left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Line {
    bytes: usize,
    hash: u64,
}

impl Line {
    fn push(&mut self, character: char) {
        let start = if self.bytes == 0 { 0xcbf2_9ce4_8422_2325 } else { self.hash };
        self.hash = (start ^ u64::from(u32::from(character))).wrapping_mul(0x0100_0000_01b3);
        self.bytes += character.len_utf8();
    }
}

impl Guard {
    /// Takes note of a piece that `text` ends in.
    ///
    /// # Errors
    /// How the reply runs away.
    pub(crate) fn push(&mut self, text: &str, piece: &str) -> Result<(), String> {
        if text.len() > REPLY_BYTES_MAX {
            return Err(format!("the reply is longer than {REPLY_BYTES_MAX} bytes"));
        }
        for character in piece.chars() {
            self.white_space = if character.is_whitespace() { self.white_space + 1 } else { 0 };
            self.digits = if character.is_ascii_digit() { self.digits + 1 } else { 0 };
            if self.white_space > WHITE_SPACE_MAX {
                return Err(format!(
                    "the reply runs away: more than {WHITE_SPACE_MAX} characters of white space in a row"
                ));
            }
            if self.digits > DIGITS_MAX {
                return Err(format!("the reply runs away: more than {DIGITS_MAX} digits in a row"));
            }
            // A line ends in a line break, or in one as JSON writes it.
            if character == '\n' || (self.backslash && character == 'n') {
                self.end_of_line()?;
            } else if !character.is_whitespace() {
                self.line.push(character);
            }
            self.backslash = character == '\\';
        }
        while let Some(part) = text.as_bytes().get(self.looked..self.looked + LOOP_BYTES) {
            self.looked += LOOP_BYTES;
            if (1..=LOOP_PIECE_BYTES_MAX).any(|length| part[length..] == part[..LOOP_BYTES - length]) {
                return Err("the reply runs away: it says the same over and over".to_owned());
            }
        }
        Ok(())
    }

    fn end_of_line(&mut self) -> Result<(), String> {
        let line = std::mem::take(&mut self.line);
        if line.bytes == 0 {
            return Ok(());
        }
        self.repeats = if line == self.before { self.repeats + 1 } else { 1 };
        self.before = line;
        if self.repeats > LINE_REPEATS_MAX {
            return Err(format!("the reply runs away: the same line more than {LINE_REPEATS_MAX} times in a row"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{DIGITS_MAX, Guard, LINE_REPEATS_MAX, LOOP_BYTES, REPLY_BYTES_MAX, WHITE_SPACE_MAX};

    /// Takes a text in pieces of so many characters.
    fn guarded(text: &str, piece_characters: usize) -> Result<(), String> {
        let (mut guard, mut come) = (Guard::default(), String::new());
        let characters: Vec<char> = text.chars().collect();
        for piece in characters.chunks(piece_characters) {
            let piece: String = piece.iter().collect();
            come.push_str(&piece);
            guard.push(&come, &piece)?;
        }
        Ok(())
    }

    /// `most` passes, one more does not, however it is cut.
    #[track_caller]
    fn edge(most: &str, more: &str, why: &str) {
        for piece in [1, 7, 100_000] {
            assert_eq!(guarded(most, piece), Ok(()), "{piece}");
            let error = guarded(more, piece).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn white_space_and_digits_have_their_most() {
        let flood = |count| format!("{{{}}}", "\n".repeat(count));
        edge(&flood(WHITE_SPACE_MAX), &flood(WHITE_SPACE_MAX + 1), "white space");
        let digits = |count| format!("{{\"a\": {}}}", "3".repeat(count));
        edge(&digits(DIGITS_MAX), &digits(DIGITS_MAX + 1), "digits");
    }

    #[test]
    fn a_line_may_stand_only_so_often_in_a_row_also_within_a_string() {
        for end in ["\n", "\\n", "\r\n"] {
            let lines = |count| format!("{{{end}{}", format!("  and so on, and on{end}").repeat(count));
            edge(&lines(LINE_REPEATS_MAX), &lines(LINE_REPEATS_MAX + 1), "the same line");
        }
        let other = (0..1_000).map(|n| format!("line {n}\n")).collect::<String>();
        assert_eq!(guarded(&other, 5), Ok(()));
    }

    #[test]
    fn a_piece_over_and_over_is_seen_without_lines() {
        let pieces = "{\"text\": \"".to_owned() + &"no no never ".repeat(2 * LOOP_BYTES / 12 + 1);
        assert!(guarded(&pieces, 9).unwrap_err().contains("over and over"));
        let numbers: String = (0..4_000).map(|n| format!("{{\"id\": {n}}}, ")).collect();
        assert_eq!(guarded(&numbers, 9), Ok(()));
    }

    #[test]
    fn a_reply_has_a_longest() {
        let long: String =
            (0..).flat_map(|n: u32| format!("{n} ").into_bytes()).map(char::from).take(REPLY_BYTES_MAX).collect();
        edge(&long, &(long.clone() + "x"), "longer than 1048576 bytes");
    }
}
