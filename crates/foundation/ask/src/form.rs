//! What an ask wants of an answer's form, and whether an answer has it: lengths, words that must or must not stand in it, layout, case,
//! language, how it begins and ends.
//!
//! [`forms`] reads the demands, each with the words that say so; [`Form::holds`] looks at an answer. Where people count in different
//! ways (what a word is, where a sentence ends), the ways are those of the checker of Zhou et al., "Instruction-Following Evaluation
//! for Large Language Models" (2023), and stand with each form.

mod check;
mod counts;
mod layout;
mod read;
mod terms;
mod tongue;

use std::ops::Range;

pub use tongue::Tongue;

/// How many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HowMany {
    /// That many or more.
    AtLeast(usize),
    /// Fewer than that.
    LessThan(usize),
}

impl HowMany {
    /// Whether `count` is as many as wanted.
    #[must_use]
    pub const fn admits(self, count: usize) -> bool {
        match self {
            Self::AtLeast(wanted) => count >= wanted,
            Self::LessThan(wanted) => count < wanted,
        }
    }
}

/// What is wanted of an answer's form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// So many words: runs of letters, digits and underscores.
    Words(HowMany),
    /// So many sentences: a full stop, question or exclamation mark ends one where white space follows; abbreviations do not.
    Sentences(HowMany),
    /// Exactly so many paragraphs, parted by `***`.
    Paragraphs(usize),
    /// Exactly so many paragraphs, parted by empty lines, of which one begins with a word.
    ParagraphBegins {
        /// How many paragraphs.
        paragraphs: usize,
        /// Which one, from 1.
        nth: usize,
        /// Its first word, in lower case.
        word: String,
    },
    /// Exactly so many bullet points: lines that begin with `*` or `-`.
    Bullets(usize),
    /// At least so many highlights: `*text*` or `**text**`.
    Highlights(usize),
    /// At least so many placeholders: `[text]`.
    Placeholders(usize),
    /// At least so many sections, each marked by a label and a number.
    Sections {
        /// The label: "SECTION" of "SECTION 1".
        label: String,
        /// How many.
        count: usize,
    },
    /// So many words in capital letters.
    CapitalWords(HowMany),
    /// A letter or mark so often, whatever its case.
    Letter(char, HowMany),
    /// A term so often, whatever its case, inside of words too.
    Term(String, HowMany),
    /// All of these terms, whatever their case, inside of words too.
    Has(Vec<String>),
    /// None of these words, whatever their case.
    HasNot(Vec<String>),
    /// One of these phrases, as they stand.
    OneOf(Vec<String>),
    /// At its end this phrase, whatever its case.
    Ends(String),
    /// A postscript that begins with this mark: `P.S.` or `P.P.S`.
    Postscript(String),
    /// A title in double angle brackets.
    Title,
    /// Double quotation marks around the whole.
    Quoted,
    /// JSON and nothing else; a code fence may stand around it.
    Json,
    /// No comma.
    NoComma,
    /// No capital letter, in English.
    LowerCase,
    /// No small letter, in English.
    UpperCase,
    /// In one language.
    Language(Tongue),
    /// Two different answers, parted by `******`.
    TwoAnswers,
    /// First this part of the ask, word for word.
    Repeats(String),
}

/// A form that an ask wants, and where it says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedForm {
    /// What is wanted.
    pub form: Form,
    /// The words that say so, in bytes of the ask. For terms the first of them.
    pub span: Range<usize>,
}

/// Bytes of an ask that are read for forms, at most; what follows is passed over.
pub const FORM_BYTES_MAX: usize = 64 * 1024;
/// Forms of one ask, at most.
pub const FORMS_MAX: usize = 64;

/// The forms that an ask wants of its answer, in the order in which it says so. Of an ask of more than [`FORM_BYTES_MAX`] its first part is
/// read. Linear in its length.
///
/// ```
/// use steadfast_ask::{Form, HowMany, forms};
/// let found = forms("Describe the harbour in at least 200 words. Do not use any commas.");
/// assert_eq!(found[0].form, Form::Words(HowMany::AtLeast(200)));
/// assert_eq!(found[1].form, Form::NoComma);
/// ```
#[must_use]
pub fn forms(ask: &str) -> Vec<WantedForm> {
    read::forms(&ask[..ask.floor_char_boundary(FORM_BYTES_MAX)])
}

impl Form {
    /// Whether an answer has the form. Where a language cannot be told, as of an answer without letters, it counts as right.
    #[must_use]
    pub fn holds(&self, answer: &str) -> bool {
        check::holds(self, answer)
    }
}
