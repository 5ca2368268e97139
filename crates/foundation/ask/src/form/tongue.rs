//! Languages: which one an ask wants, and which one an answer is in.
//!
//! A language is told by its script where no other has it, else by letters and by words that other languages of the script do not have.

use steadfast_annotate::Pattern;
use steadfast_annotate::lexicon::{self, Class};

use super::Form;
use super::read::{Found, cue, find, sentence};

/// A language, by its code of ISO 639-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tongue(&'static str);

/// Scripts by the first and last of their characters, and the languages that they are written in here.
const SCRIPTS: &[(char, char, &[&str])] = &[
    ('a', 'z', &["en", "de", "fr", "es", "it", "pt", "nl", "fi", "sv", "pl", "sw", "vi", "tr"]),
    ('\u{C0}', '\u{24F}', &["en", "de", "fr", "es", "it", "pt", "nl", "fi", "sv", "pl", "sw", "vi", "tr"]),
    ('\u{1E00}', '\u{1EFF}', &["vi"]),
    ('\u{370}', '\u{3FF}', &["el"]),
    ('\u{400}', '\u{4FF}', &["ru", "uk", "bg"]),
    ('\u{590}', '\u{5FF}', &["he"]),
    ('\u{600}', '\u{6FF}', &["ar", "fa", "ur"]),
    ('\u{900}', '\u{97F}', &["hi", "mr", "ne"]),
    ('\u{980}', '\u{9FF}', &["bn"]),
    ('\u{A00}', '\u{A7F}', &["pa"]),
    ('\u{A80}', '\u{AFF}', &["gu"]),
    ('\u{B80}', '\u{BFF}', &["ta"]),
    ('\u{C00}', '\u{C7F}', &["te"]),
    ('\u{C80}', '\u{CFF}', &["kn"]),
    ('\u{D00}', '\u{D7F}', &["ml"]),
    ('\u{E00}', '\u{E7F}', &["th"]),
    ('\u{AC00}', '\u{D7AF}', &["ko"]),
    ('\u{3040}', '\u{30FF}', &["ja"]),
    ('\u{4E00}', '\u{9FFF}', &["zh", "ja"]),
];

/// Words of an answer that are looked at, at most.
const WORDS_MAX: usize = 5_000;

impl Tongue {
    /// The language of a code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        lexicon::forms(Class::Tongue).iter().find(|(_, own)| *own == code).map(|(_, own)| Self(own))
    }

    /// Its code of ISO 639-1.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.0
    }

    /// Its English name.
    #[must_use]
    pub fn name(self) -> &'static str {
        lexicon::forms(Class::Tongue).iter().find(|(_, own)| *own == self.0).map_or("", |(name, _)| name)
    }

    /// Whether `low` is one of the words that tell it from others of its script.
    fn has_word(self, low: &str) -> bool {
        let all = lexicon::forms(Class::TongueWord);
        all.binary_search(&(low, self.0)).is_ok()
    }

    /// The language of a text, `None` where it cannot be told.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let mut letters = vec![0_usize; SCRIPTS.len()];
        for c in text.chars().flat_map(char::to_lowercase).take(WORDS_MAX * 10) {
            if let Some(at) = SCRIPTS.iter().position(|(from, to, _)| (*from..=*to).contains(&c)) {
                letters[at] += 1;
            }
        }
        // Both parts of the Latin script count together; Vietnamese letters are a part of it.
        let latin: usize = letters[..3].iter().sum();
        let (most, script) = letters
            .iter()
            .enumerate()
            .skip(3)
            .map(|(at, count)| (*count, at))
            .max_by_key(|(count, at)| (*count, usize::MAX - at))?;
        let candidates = if latin >= most {
            if latin == 0 {
                return None;
            }
            if letters[2] * 20 > latin {
                return Self::of_code("vi");
            }
            SCRIPTS[0].2
        } else {
            // Japanese is written with Chinese characters as well.
            if SCRIPTS[script].2 == ["zh", "ja"]
                && letters.iter().zip(SCRIPTS).any(|(count, own)| own.2 == ["ja"] && *count * 10 > most)
            {
                return Self::of_code("ja");
            }
            SCRIPTS[script].2
        };
        let [only] = candidates else { return by_words(text, candidates) };
        Self::of_code(only)
    }
}

/// The language of most of the words that tell languages of one script apart; of equals the first.
fn by_words(text: &str, candidates: &[&str]) -> Option<Tongue> {
    let low = text.to_lowercase();
    let words: Vec<&str> = low
        .split(|c: char| c.is_whitespace() || c.is_ascii_punctuation() || matches!(c, '।' | '،' | '“' | '”'))
        .filter(|word| !word.is_empty())
        .take(WORDS_MAX)
        .collect();
    // Of equals the first candidate.
    let mut best: Option<(usize, Tongue)> = None;
    for tongue in candidates.iter().filter_map(|code| Tongue::of_code(code)) {
        let count = words.iter().filter(|word| tongue.has_word(word)).count();
        if best.is_none_or(|(most, _)| count > most) {
            best = Some((count, tongue));
        }
    }
    best.map(|(_, tongue)| tongue)
}

static ONLY: Pattern = cue(
    r"\b(?:only|entire(?:ly)?|no other language|all|completely|exclusively|whole|must|should|language|respond|reply|response|answer|output|written|write|translate)\b",
);
static OF_IT: Pattern = cue(
    r"\b(?:in|using|use|only|entirely|the|into|with|be)\s+(?:(?:only|entirely|the|just|fluent|pure|native|proper)\s+){0,3}$",
);
static LANGUAGE_AFTER: Pattern = cue(r"^\s+(?:language|only|poem|words?|text)\b");

pub(super) fn read(ask: &str, found: &mut Found) {
    static NAMES: Pattern = cue(
        r"\b(?:German|French|Spanish|Italian|Portuguese|Dutch|Finnish|Swedish|Polish|Swahili|Vietnamese|Turkish|Russian|Ukrainian|Bulgarian|Hindi|Marathi|Nepali|Arabic|Persian|Farsi|Urdu|Bengali|Punjabi|Gujarati|Tamil|Telugu|Kannada|Malayalam|Thai|Korean|Japanese|Chinese|Greek|Hebrew)\b",
    );
    for at in find(&NAMES, ask) {
        let name = &ask[at.clone()];
        let name = if name.eq_ignore_ascii_case("farsi") { "Persian" } else { name };
        let known = lexicon::forms(Class::Tongue).iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        let Some((_, code)) = known else { continue };
        let own = sentence(ask, at.start);
        let before = &ask[own.start.min(at.start)..at.start];
        let named = OF_IT.is_match(before) || LANGUAGE_AFTER.is_match(&ask[at.end..]);
        if named && ONLY.is_match(&ask[own.start.min(at.start)..own.end.max(at.end)]) {
            found.add(Form::Language(Tongue(code)), at);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SCRIPTS, Tongue};

    #[test]
    fn every_script_names_languages_that_are_known() {
        for (from, to, own) in SCRIPTS {
            assert!(from < to && own.iter().all(|code| Tongue::of_code(code).is_some()));
        }
    }

    #[test]
    fn texts_in_some_languages() {
        for (text, code) in [
            ("The harbour is closed for the winter and it is cold.", "en"),
            ("THE HARBOUR IS CLOSED FOR THE WINTER.", "en"),
            ("Der Hafen ist im Winter geschlossen und es ist kalt.", "de"),
            ("Le port est fermé pour l'hiver et il fait froid.", "fr"),
            ("Bandari imefungwa kwa majira ya baridi na ni baridi.", "sw"),
            ("Cảng đóng cửa vào mùa đông và trời rất lạnh.", "vi"),
            ("Порт закрыт на зиму, и это не новость.", "ru"),
            ("Пристанището е затворено за зимата и това не е новина.", "bg"),
            ("बंदरगाह सर्दियों में बंद है और यह ठंडा है।", "hi"),
            ("बंदर हिवाळ्यात बंद आहे आणि ते थंड आहे.", "mr"),
            ("항구는 겨울에 문을 닫는다.", "ko"),
            ("港は冬の間閉まっています。", "ja"),
        ] {
            assert_eq!(Tongue::of(text).map(Tongue::code), Some(code), "{text}");
        }
        assert_eq!(Tongue::of("12 + 3"), None);
        assert_eq!(Tongue::of_code("xx"), None);
        assert_eq!(Tongue::of_code("ko").map(Tongue::name), Some("Korean"));
    }
}
