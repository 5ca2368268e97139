//! A script as words and operators.

use super::Joined;

/// What stands between words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Join(Joined),
    Open,
    Close,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word {
        text: String,
        quoted: bool,
        substitutions: Vec<String>,
    },
    /// A file that is written to.
    Write(String),
    /// A here document or here string.
    Input(String),
    Operator(Operator),
}

/// A script while it is read.
struct Lexer<'a> {
    text: &'a str,
    at: usize,
    out: Vec<Token>,
    /// Here documents whose text begins with the next line: the word that ends them, and whether tabs are taken off.
    due: Vec<(String, bool)>,
}

pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0, out: Vec::new(), due: Vec::new() };
    lexer.run();
    lexer.out
}

impl Lexer<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn starts(&self, with: &str) -> bool {
        self.text[self.at..].starts_with(with)
    }

    fn operator(&mut self, bytes: usize, own: Operator) {
        self.at += bytes;
        self.out.push(Token::Operator(own));
    }

    fn run(&mut self) {
        let mut word_before = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => {
                    self.at += 1;
                    // The text of a here document belongs to the command before the line's end.
                    self.documents();
                    self.out.push(Token::Operator(Operator::Join(Joined::Then)));
                    word_before = false;
                }
                b' ' | b'\t' | b'\r' => {
                    self.at += 1;
                    word_before = false;
                }
                b'#' if !word_before => {
                    while self.peek().is_some_and(|it| it != b'\n') {
                        self.at += 1;
                    }
                }
                b'&' if self.starts("&&") => self.operator(2, Operator::Join(Joined::And)),
                b'&' if self.starts("&>") => self.redirect(),
                b'&' => self.operator(1, Operator::Join(Joined::Then)),
                b'|' if self.starts("||") => self.operator(2, Operator::Join(Joined::Or)),
                b'|' => {
                    let bytes = if self.starts("|&") { 2 } else { 1 };
                    self.operator(bytes, Operator::Join(Joined::Pipe));
                }
                b';' => self.operator(1, Operator::Join(Joined::Then)),
                b'(' => self.operator(1, Operator::Open),
                b')' => self.operator(1, Operator::Close),
                b'>' | b'<' => self.redirect(),
                b'0'..=b'9' if self.is_numbered_redirect() => self.redirect(),
                _ => {
                    self.word();
                    word_before = true;
                }
            }
        }
    }

    fn is_numbered_redirect(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let digits = rest.iter().take_while(|it| it.is_ascii_digit()).count();
        matches!(rest.get(digits), Some(b'>' | b'<'))
    }

    fn redirect(&mut self) {
        let numbered = self.text.as_bytes()[self.at..].iter().take_while(|it| it.is_ascii_digit()).count();
        self.at += numbered;
        if self.starts("<<<") {
            self.at += 3;
            self.blanks();
            if let Some(Token::Word { text, .. }) = self.one_word() {
                self.out.push(Token::Input(text));
            }
            return;
        }
        if self.starts("<<") {
            self.at += 2;
            let tabs = self.starts("-");
            self.at += usize::from(tabs);
            self.blanks();
            if let Some(Token::Word { text, .. }) = self.one_word() {
                self.due.push((text, tabs));
            }
            return;
        }
        let reads = self.peek() == Some(b'<');
        while matches!(self.peek(), Some(b'>' | b'<' | b'&' | b'|')) {
            self.at += 1;
        }
        // `2>&1` copies a stream, `<(…)` runs a command.
        if self.peek() == Some(b'(') {
            return;
        }
        self.blanks();
        if let Some(Token::Word { text, .. }) = self.one_word()
            && !reads
            && !text.bytes().all(|it| it.is_ascii_digit() || it == b'-')
            && text != "/dev/null"
        {
            self.out.push(Token::Write(text));
        }
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    fn documents(&mut self) {
        for (end, tabs) in std::mem::take(&mut self.due) {
            let mut body = String::new();
            while self.at < self.text.len() {
                let rest = &self.text[self.at..];
                let line = rest.split('\n').next().unwrap_or_default();
                self.at = (self.at + line.len() + 1).min(self.text.len());
                let own = line.strip_suffix('\r').unwrap_or(line);
                let own = if tabs { own.trim_start_matches('\t') } else { own };
                if own == end {
                    break;
                }
                body.push_str(own);
                body.push('\n');
            }
            self.out.push(Token::Input(body));
        }
    }

    fn word(&mut self) {
        if let Some(token) = self.one_word() {
            self.out.push(token);
        } else {
            // Nothing that a word is made of: never stay in place.
            self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8);
        }
    }

    fn one_word(&mut self) -> Option<Token> {
        let (from, mut text, mut quoted) = (self.at, String::new(), false);
        let mut substitutions = Vec::new();
        while let Some(c) = self.text[self.at..].chars().next() {
            match c {
                ' ' | '\t' | '\r' | '\n' | '&' | '|' | ';' | '(' | ')' | '<' | '>' => break,
                '\'' => {
                    quoted = true;
                    self.at += 1;
                    let inner = self.text[self.at..].split('\'').next().unwrap_or_default();
                    text.push_str(inner);
                    self.at = (self.at + inner.len() + 1).min(self.text.len());
                }
                '"' => {
                    quoted = true;
                    self.at += 1;
                    self.double(&mut text, &mut substitutions);
                }
                '\\' => {
                    self.at += 1;
                    if let Some(next) = self.text[self.at..].chars().next() {
                        self.at += next.len_utf8();
                        if next != '\n' {
                            text.push(next);
                        }
                    }
                }
                '`' | '$' => self.dollar(c, &mut text, &mut substitutions),
                _ => {
                    text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        (self.at > from).then_some(Token::Word { text, quoted, substitutions })
    }

    fn double(&mut self, text: &mut String, substitutions: &mut Vec<String>) {
        while let Some(c) = self.text[self.at..].chars().next() {
            match c {
                '"' => {
                    self.at += 1;
                    return;
                }
                '\\' => {
                    self.at += 1;
                    if let Some(next) = self.text[self.at..].chars().next() {
                        self.at += next.len_utf8();
                        match next {
                            '"' | '\\' | '$' | '`' => text.push(next),
                            '\n' => {}
                            _ => {
                                text.push('\\');
                                text.push(next);
                            }
                        }
                    }
                }
                '`' | '$' => self.dollar(c, text, substitutions),
                _ => {
                    text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    /// A variable stays as it is written; a substitution is read as a script of its own.
    fn dollar(&mut self, c: char, text: &mut String, substitutions: &mut Vec<String>) {
        let from = self.at;
        self.at += 1;
        let inner = if c == '`' {
            let inner = self.text[self.at..].split('`').next().unwrap_or_default();
            self.at = (self.at + inner.len() + 1).min(self.text.len());
            Some(inner.to_owned())
        } else if self.starts("((") {
            None
        } else if self.starts("(") {
            self.at += 1;
            let end = closing(&self.text[self.at..]);
            let inner = self.text[self.at..self.at + end].to_owned();
            self.at = (self.at + end + 1).min(self.text.len());
            Some(inner)
        } else {
            None
        };
        match inner {
            Some(inner) => {
                text.push_str(&self.text[from..self.at]);
                substitutions.push(inner);
            }
            None => text.push(c),
        }
    }
}

/// Where the bracket closes that stands before a text: its end where it does not.
fn closing(text: &str) -> usize {
    let (mut depth, mut single, mut double, mut escaped) = (0_usize, false, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if escaped {
            escaped = false;
            continue;
        }
        match byte {
            b'\\' if !single => escaped = true,
            b'\'' if !double => single = !single,
            b'"' if !single => double = !double,
            b'(' if !single && !double => depth += 1,
            b')' if !single && !double => {
                if depth == 0 {
                    return at;
                }
                depth -= 1;
            }
            _ => {}
        }
    }
    text.len()
}
