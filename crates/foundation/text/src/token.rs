//! Words, numbers and what stands between them.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Letters.
    Word,
    /// Digits.
    Number,
    /// Full stops, commas, brackets, quotes, dashes, slashes.
    Punctuation,
    /// Currency and mathematical signs, `%`, `#`, `@`, `&`, pictures.
    Symbol,
}

/// One token of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it stands, in bytes of the text.
    pub range: Range<usize>,
    /// What it is.
    pub kind: TokenKind,
}

/// The tokens of a text, in order; white space lies between them and nothing else does.
///
/// - A word is a run of letters, and of digits after the first letter ("Q3", "B2B"). An apostrophe or underscore between
///   letters or digits stays inside ("don't", "snake_case"), and so does a hyphen before a letter ("wi-fi",
///   "state-of-the-art") or between a word and digits ("COVID-19"), but not in a date ("2026-Mar-24": number, hyphen,
///   word, hyphen, number). A slash parts words ("AR/VR" is three tokens). Single letters with full stops are one word with
///   them ("U.S.", "e.g.").
/// - A number is a run of digits with full stops, commas or apostrophes between digits ("1,720,000.50"). Its sign, unit and
///   currency are tokens of their own ("HK$470": word, symbol, number; "1.8M": number, word; "18-20": number,
///   punctuation, number).
/// - Ideographs and kana are words of one character each; other scripts without spaces are one word for each run.
/// - Every other character is a token of its own, but that marks (accents, variation selectors, joiners) stay with what
///   they follow.
#[must_use]
pub fn tokens(plain: &str) -> Vec<Token> {
    steadfast_steps::spend(plain.len());
    let mut found: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(first) = plain[at..].chars().next() {
        let start = at;
        at += first.len_utf8();
        let kind = if first.is_whitespace() {
            continue;
        } else if first.is_numeric() && !first.is_alphabetic() {
            at = number_end(plain, at);
            TokenKind::Number
        } else if is_lone_ideograph(first) {
            at = marks_end(plain, at);
            TokenKind::Word
        } else if first.is_alphabetic() {
            let in_date = plain[..start].ends_with('-')
                && plain[..start - 1].chars().next_back().is_some_and(|before| before.is_ascii_digit());
            at = dotted_end(plain, start).unwrap_or_else(|| word_end(plain, at, in_date));
            TokenKind::Word
        } else {
            at = marks_end(plain, at);
            if is_punctuation(first) { TokenKind::Punctuation } else { TokenKind::Symbol }
        };
        found.push(Token { range: start..at, kind });
    }
    found
}

fn number_end(plain: &str, mut at: usize) -> usize {
    loop {
        let mut rest = plain[at..].chars();
        match (rest.next(), rest.next()) {
            (Some(next), _) if next.is_numeric() && !next.is_alphabetic() => at += next.len_utf8(),
            (Some(point @ ('.' | ',' | '\'' | '’')), Some(digit)) if digit.is_ascii_digit() => at += point.len_utf8(),
            _ => return at,
        }
    }
}

fn word_end(plain: &str, mut at: usize, in_date: bool) -> usize {
    loop {
        let mut rest = plain[at..].chars();
        let Some(next) = rest.next() else { return at };
        let after = rest.next();
        let joins = match next {
            '\'' | '’' | '_' => after.is_some_and(char::is_alphanumeric),
            '-' | '‐' | '‑' => {
                after.is_some_and(|c| (c.is_alphabetic() && !is_lone_ideograph(c)) || (c.is_numeric() && !in_date))
            }
            _ => (next.is_alphanumeric() && !is_lone_ideograph(next)) || is_mark(next),
        };
        if !joins {
            return at;
        }
        at += next.len_utf8();
    }
}

/// "U.S.", "e.g.", "i.e": at least two single letters parted by full stops.
fn dotted_end(plain: &str, start: usize) -> Option<usize> {
    let mut at = start;
    let mut letters = 0;
    loop {
        let mut rest = plain[at..].chars();
        match (rest.next(), rest.next()) {
            (Some(letter), Some('.')) if letter.is_alphabetic() => {
                letters += 1;
                at += letter.len_utf8() + 1;
            }
            (Some(letter), after) if letter.is_alphabetic() && letters > 0 => {
                // "Ph.D" ends so; "a.module" does not begin a dotted abbreviation.
                let last = !after.is_some_and(char::is_alphanumeric);
                return last.then(|| at + letter.len_utf8());
            }
            _ => return (letters > 1).then_some(at),
        }
    }
}

fn marks_end(plain: &str, at: usize) -> usize {
    let rest = &plain[at..];
    rest.find(|c| !is_mark(c)).map_or(plain.len(), |len| at + len)
}

/// Combining marks, joiners and variation selectors.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\u{20E3}')
        || (!c.is_ascii() && unicode_normalization::char::is_combining_mark(c))
}

/// Scripts that write without spaces and whose characters are words or syllables.
pub(crate) fn is_lone_ideograph(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3134F}')
        && c != '・'
}

fn is_punctuation(c: char) -> bool {
    match c {
        '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~' | '%' | '#' | '@' | '&' | '*' => false,
        _ if c.is_ascii() => c.is_ascii_punctuation(),
        '¡' | '§' | '«' | '¶' | '·' | '»' | '¿' | '‰' => c != '‰',
        '\u{2010}'..='\u{2027}' | '\u{2032}'..='\u{205E}' | '\u{2E00}'..='\u{2E7F}' => true,
        '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301F}' | '・' => true,
        '\u{FF01}' | '\u{FF08}' | '\u{FF09}' | '\u{FF0C}'..='\u{FF0F}' | '\u{FF1A}' | '\u{FF1B}' | '\u{FF1F}' => true,
        '\u{FF5F}'..='\u{FF65}' | '،' | '؛' | '؟' | '।' | '॥' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, tokens};

    /// Tokens as `text/kind`, the kind by its first letter in lower case.
    #[track_caller]
    fn check(text: &str, expect: &str) {
        let got: Vec<String> = tokens(text)
            .into_iter()
            .map(|token| {
                let kind = match token.kind {
                    TokenKind::Word => 'w',
                    TokenKind::Number => 'n',
                    TokenKind::Punctuation => 'p',
                    TokenKind::Symbol => 's',
                };
                format!("{}{kind}", &text[token.range])
            })
            .collect();
        assert_eq!(got.join(" "), expect, "for {text:?}");
    }

    #[test]
    fn cases() {
        check("", "");
        check(" \t\n ", "");
        check("one two", "onew twow");
        check("AR/VR", "ARw /p VRw");
        check("wi-fi", "wi-fiw");
        check("wi\u{2011}fi", "wi\u{2011}fiw");
        check("HK$470", "HKw $s 470n");
        check("HK470", "HK470w");
        check("US$1,720,000.50.", "USw $s 1,720,000.50n .p");
        check("1.8M", "1.8n Mw");
        check("18-20", "18n -p 20n");
        check("18–20 months", "18n –p 20n monthsw");
        check("24-hour", "24n -p hourw");
        check("COVID-19", "COVID-19w");
        check("2026-Mar-24", "2026n -p Marw -p 24n");
        check("2026-03-24", "2026n -p 03n -p 24n");
        check("Q3", "Q3w");
        check("3rd", "3n rdw");
        check("don't", "don'tw");
        check("don’t", "don’tw");
        check("'quoted'", "'p quotedw 'p");
        check("teams' plan", "teamsw 'p planw");
        check("snake_case", "snake_casew");
        check("U.S. law", "U.S.w laww");
        check("e.g. this", "e.g.w thisw");
        check("i.e., this", "i.e.w ,p thisw");
        check("A. B", "Aw .p Bw");
        check("end.Next", "endw .p Nextw");
        check("a.module", "aw .p modulew");
        check("state-of-the-art", "state-of-the-artw");
        check("re- and", "rew -p andw");
        check("P&L", "Pw &s Lw");
        check("C++", "Cw +s +s");
        check("50%", "50n %s");
        check("≥ 80 %", "≥s 80n %s");
        check("#1", "#s 1n");
        check("(a) [b]", "(p aw )p [p bw ]p");
        check("“so”…", "“p sow ”p …p");
        check("v2.0.1", "v2w .p 0.1n");
        check("🛑 High", "🛑s Highw");
        check("⚠️ Medium", "⚠️s Mediumw");
        check("他来了。", "他w 来w 了w 。p");
        check("Größe naïve", "Größew naïvew");
        check("cafe\u{301} x", "cafe\u{301}w xw");
        check("русский текст", "русскийw текстw");
        check("3,4", "3,4n");
        check("3, 4", "3n ,p 4n");
        check("10:30", "10n :p 30n");
        check("½ cup", "½n cupw");
    }
}
