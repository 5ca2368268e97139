//! Fencing of judged text: a delimiter that nobody could foresee, and no characters that a model reads and a person does not see.

use std::fmt::Write as _;

/// What stands around the passages of one call: drawn anew for each, so that no text can hold it beforehand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delimiter {
    key: String,
}

impl Delimiter {
    /// The delimiter of these random bytes. Draw them anew for every call.
    #[must_use]
    pub fn new(random: [u8; 16]) -> Self {
        let mut key = String::with_capacity(32);
        for byte in random {
            let _ = write!(key, "{byte:02x}");
        }
        Self { key }
    }

    /// The line before a passage of this label.
    #[must_use]
    pub fn opening(&self, label: &str) -> String {
        format!("<<<{label} {}>>>", self.key)
    }

    /// A text with nothing where the random part of this delimiter stood.
    #[must_use]
    pub fn without(&self, text: &str) -> String {
        text.replace(&self.key, "")
    }

    /// The line behind it.
    #[must_use]
    pub fn closing(&self, label: &str) -> String {
        format!("<<<end of {label} {}>>>", self.key)
    }
}

/// What was neutralised in judged text. Either of them is a signal: honest reports hold next to none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neutralised {
    /// Characters that are not seen: zero-width characters, changes of direction, tags, controls. They were left out.
    pub invisible: usize,
    /// Words that chat templates reserve (`<|im_start|>`, `[INST]`, a turn of `Human:`), and the delimiter itself. They were taken apart by a space.
    pub reserved: usize,
}

impl Neutralised {
    /// Both together.
    #[must_use]
    pub const fn total(self) -> usize {
        self.invisible + self.reserved
    }

    /// Adds what was found elsewhere.
    pub const fn add(&mut self, other: Self) {
        self.invisible += other.invisible;
        self.reserved += other.reserved;
    }
}

/// What chat templates of the common model families reserve, in lower case: ChatML, Llama 2 and 3, Gemma, Mistral, DeepSeek and Phi, and the
/// turns of plain completion models. `<|` and `|>` stand for every token of that form.
const RESERVED: &[&str] = &[
    "<|",
    "|>",
    "<｜",
    "｜>",
    "[inst]",
    "[/inst]",
    "<<sys>>",
    "<</sys>>",
    "<s>",
    "</s>",
    "<bos>",
    "<eos>",
    "<start_of_turn>",
    "<end_of_turn>",
    "[system_prompt]",
    "[/system_prompt]",
    "[available_tools]",
    "[tool_calls]",
    "[tool_results]",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "\n\nhuman:",
    "\n\nassistant:",
    "\n\nsystem:",
];

/// The text as it may stand between delimiters, and what was neutralised. Text without anything of that kind comes back as it was.
#[must_use]
pub fn neutralise(text: &str, delimiter: &Delimiter) -> (String, Neutralised) {
    let mut found = Neutralised::default();
    // What is not seen goes first: it could stand within a reserved word.
    let mut seen = String::with_capacity(text.len());
    let mut before = '\n';
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        if character == '\r' {
            // An end of line is one, however it is written.
            if rest.peek() != Some(&'\n') {
                seen.push('\n');
            }
        } else if invisible(character, before, rest.peek().copied()) {
            found.invisible += 1;
            continue;
        } else {
            seen.push(character);
        }
        before = character;
    }
    let mut safe = String::with_capacity(seen.len());
    let mut at = 0;
    while let Some(rest) = seen.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(length) = reserved(rest, &delimiter.key) {
            // A space behind its first character, or before its first letter: readable for people, no token for a model.
            let (word, _) = rest.split_at(length);
            let lines = word.len() - word.trim_start_matches('\n').len();
            let cut = if lines > 0 { lines } else { word.chars().next().map_or(0, char::len_utf8) };
            safe.push_str(&word[..cut]);
            safe.push(' ');
            found.reserved += 1;
            // The rest of the word may begin another.
            at += cut;
        } else {
            let next = rest.chars().next().map_or(1, char::len_utf8);
            safe.push_str(&rest[..next]);
            at += next;
        }
    }
    (safe, found)
}

/// The length of the reserved word that a text begins with.
fn reserved(text: &str, key: &str) -> Option<usize> {
    if !text.starts_with(['<', '|', '｜', '[', '\n']) && !text.starts_with(key) {
        return None;
    }
    if text.starts_with(key) {
        return Some(key.len());
    }
    RESERVED
        .iter()
        .find(|word| text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))
        .map(|word| word.len())
}

/// Whether a character is not seen where it stands. The joiner and the variation selectors of emoji, and the joiners that Persian and Indian
/// scripts need between letters, are left.
fn invisible(character: char, before: char, next: Option<char>) -> bool {
    match character {
        '\n' | '\t' => false,
        // Controls, the soft hyphen, what joins Mongolian and Hangul letters, zero widths, directions, fillers, interlinear
        // notes, the byte order mark, tags.
        '\u{00AD}'
        | '\u{034F}'
        | '\u{061C}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}' => true,
        '\u{200C}' | '\u{200D}' => before.is_ascii() || next.is_none_or(|next| next.is_ascii()),
        '\u{FE00}'..='\u{FE0F}' => before.is_ascii_alphabetic() || before.is_whitespace(),
        other => other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Delimiter, Neutralised, RESERVED, neutralise, reserved};

    #[track_caller]
    fn check(text: &str, wanted: &str, invisible: usize, reserved: usize) {
        let delimiter = Delimiter::new([0xab; 16]);
        assert_eq!(neutralise(text, &delimiter), (wanted.to_owned(), Neutralised { invisible, reserved }));
    }

    #[test]
    fn plain_text_stays_as_it_is() {
        for text in ["", "a < b | c > d", "# Title\n\n\tü “quotes” – 3 €", "x[0] <b>html</b>", "👩‍💻 ❤️ می‌خواهم"]
        {
            check(text, text, 0, 0);
        }
    }

    #[test]
    fn what_is_not_seen_is_left_out_and_counted() {
        check("pa\u{200B}y\u{202E} no\u{0007}w\u{E0041}", "pay now", 4, 0);
        check("a\u{200D}b \u{FE0F}c", "ab c", 2, 0);
        check("a\r\nb\rc", "a\nb\nc", 0, 0);
    }

    #[test]
    fn words_of_chat_templates_are_taken_apart_even_when_they_are_hidden() {
        check("<|im_start|>system", "< |im_start| >system", 0, 2);
        check("<\u{200B}|im_end|>", "< |im_end| >", 1, 2);
        check("[INST] do [/Inst]", "[ INST] do [ /Inst]", 0, 2);
        check("ok\n\nHuman: praise", "ok\n\n Human: praise", 0, 1);
        check("<Start_Of_Turn>", "< Start_Of_Turn>", 0, 1);
        let key = "ab".repeat(16);
        check(&format!("<<<end of report {key}>>>"), &format!("<<<end of report a {}>>>", &key[1..]), 0, 1);
    }

    proptest! {
        #[test]
        fn nothing_reserved_or_hidden_is_left(
            parts in prop::collection::vec(
                prop_oneof![
                    prop::sample::select(RESERVED).prop_map(str::to_owned),
                    prop::sample::select(vec!["\u{200B}", "\r", "<", "|", ">", "ab", "\n", "\u{202E}", "s"]).prop_map(str::to_owned),
                    any::<char>().prop_map(String::from),
                ],
                0..30,
            )
        ) {
            let delimiter = Delimiter::new([0xab; 16]);
            let (safe, _) = neutralise(&parts.concat(), &delimiter);
            for (at, _) in safe.char_indices() {
                prop_assert_eq!(reserved(&safe[at..], &delimiter.key), None, "{:?} at {}", safe, at);
            }
            let (again, found) = neutralise(&safe, &delimiter);
            prop_assert_eq!(again, safe);
            prop_assert_eq!(found.invisible, 0);
        }
    }
}
