//! Where a JSON value ends that goes over several lines: its brackets are followed as the bytes come, so that a break is
//! noticed at once and nothing is read twice.

/// How deep values may be nested: the bound of the parser.
pub const NESTING_MAX: usize = 128;

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    Nothing,
}

/// How far a value has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// It goes on.
    Open,
    /// It has ended, and nothing but white space came after.
    Whole,
    /// These bytes cannot be its continuation.
    Broken,
}

/// Follows one value.
#[derive(Debug)]
pub(super) struct Nesting {
    /// The open brackets, outermost first: whether each is an object's.
    open: Vec<bool>,
    next: Next,
    /// In a string; and whether the next byte is escaped.
    string: bool,
    escaped: bool,
    /// In a number or a word.
    word: bool,
}

impl Nesting {
    pub(super) const fn new() -> Self {
        Self { open: Vec::new(), next: Next::Value, string: false, escaped: false, word: false }
    }

    /// Takes a line, without its end.
    pub(super) fn line(&mut self, bytes: &[u8]) -> Progress {
        for byte in bytes {
            if !self.byte(*byte) {
                return Progress::Broken;
            }
        }
        self.word = false;
        if self.string {
            return Progress::Broken;
        }
        if self.next == Next::Nothing { Progress::Whole } else { Progress::Open }
    }

    fn byte(&mut self, byte: u8) -> bool {
        if self.string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.string = false,
                0..=0x1f => return false,
                _ => {}
            }
            return true;
        }
        let in_word = self.word;
        self.word = false;
        match byte {
            b' ' | b'\t' | b'\r' => true,
            b'"' => {
                self.string = true;
                match self.next {
                    Next::Key | Next::KeyOrEnd => {
                        self.next = Next::Colon;
                        true
                    }
                    _ => self.value(),
                }
            }
            b'{' | b'[' => {
                let object = byte == b'{';
                let fits = self.value() && self.open.len() < NESTING_MAX;
                self.open.push(object);
                self.next = if object { Next::KeyOrEnd } else { Next::ValueOrEnd };
                fits
            }
            b'}' | b']' => {
                let ends = matches!(self.next, Next::CommaOrEnd | Next::KeyOrEnd | Next::ValueOrEnd);
                let matches = self.open.pop() == Some(byte == b'}');
                self.next = if self.open.is_empty() { Next::Nothing } else { Next::CommaOrEnd };
                ends && matches
            }
            b':' => self.step(Next::Colon, Next::Value),
            b',' => match self.open.last() {
                Some(true) => self.step(Next::CommaOrEnd, Next::Key),
                Some(false) => self.step(Next::CommaOrEnd, Next::Value),
                None => false,
            },
            b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                self.word = true;
                in_word || self.value()
            }
            _ => false,
        }
    }

    /// A value begins, and what may come after it.
    fn value(&mut self) -> bool {
        let may = matches!(self.next, Next::Value | Next::ValueOrEnd);
        self.next = if self.open.is_empty() { Next::Nothing } else { Next::CommaOrEnd };
        may
    }

    fn step(&mut self, from: Next, to: Next) -> bool {
        let may = self.next == from;
        self.next = to;
        may
    }
}
