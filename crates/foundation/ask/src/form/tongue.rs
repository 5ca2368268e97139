//! Languages: which one an ask wants, and which one an answer is in.
//!
//! A language is told by its script where no other has it, else by letters and by words that other languages of the script do not have.

use super::Form;
use super::read::{Cue, Found, cue, find, first, sentence};

/// A language, by its code of ISO 639-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tongue(&'static str);

/// Code, name, and words that tell it from others of its script.
const TONGUES: &[(&str, &str, &str)] = &[
    ("en", "English", "the of and to in is that it for was with as on are this you be have not"),
    ("de", "German", "der die und das ist nicht ein eine zu den mit ich sie von dem auf für sich auch"),
    ("fr", "French", "le la les et des est une un que pour dans du qui sur pas avec vous il au"),
    ("es", "Spanish", "el la los de que y en un una es por con para se las del no su como"),
    ("it", "Italian", "il di che la e un una per è non con del sono della in gli si le come"),
    ("pt", "Portuguese", "o de que e a do da em um uma para com não os no na se por mais"),
    ("nl", "Dutch", "de het een en van is dat niet op te zijn voor met die aan er ook"),
    ("fi", "Finnish", "ja on ei se että oli ovat hän kun mutta joka tai kuin myös voi olla"),
    ("sv", "Swedish", "och att det som en på är av för med den till inte om ett har"),
    ("pl", "Polish", "i w na z do się nie jest to że o jak po za od przez dla"),
    ("sw", "Swahili", "na ya wa kwa ni katika za la cha kuwa hii yake kama hiyo wao watu kwamba si"),
    ("vi", "Vietnamese", "và của là có không cho một được người trong những này các với khi để"),
    ("tr", "Turkish", "ve bir bu için ile da de çok olarak daha ne gibi var kadar"),
    ("ru", "Russian", "и в не на что он с как это по но из у за от так же вы"),
    ("uk", "Ukrainian", "і в не на що він з як це та але за від до її й"),
    ("bg", "Bulgarian", "и на да се не в за от са с че по това как но е ще"),
    ("hi", "Hindi", "है के में की और का से को हैं पर यह एक नहीं भी कि ने"),
    ("mr", "Marathi", "आहे आणि या हे च्या तर ते मध्ये आहेत नाही एक म्हणून व की साठी"),
    ("ne", "Nepali", "छ र को मा हो छन् गर्न यो पनि का लागि हुन्छ एक गर्ने भने"),
    ("ar", "Arabic", "في من على أن إلى هذا التي ما هو لا مع عن كان و هذه"),
    ("fa", "Persian", "در به از که این را با است و برای آن یک می خود شود"),
    ("ur", "Urdu", "ہے کے میں کی اور کا سے کو ہیں پر یہ ایک نہیں بھی کہ نے"),
    ("bn", "Bengali", ""),
    ("pa", "Punjabi", ""),
    ("gu", "Gujarati", ""),
    ("ta", "Tamil", ""),
    ("te", "Telugu", ""),
    ("kn", "Kannada", ""),
    ("ml", "Malayalam", ""),
    ("th", "Thai", ""),
    ("ko", "Korean", ""),
    ("ja", "Japanese", ""),
    ("zh", "Chinese", ""),
    ("el", "Greek", ""),
    ("he", "Hebrew", ""),
];

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
        TONGUES.iter().find(|(own, ..)| *own == code).map(|(own, ..)| Self(own))
    }

    /// Its code of ISO 639-1.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.0
    }

    /// Its English name.
    #[must_use]
    pub fn name(self) -> &'static str {
        TONGUES.iter().find(|(own, ..)| *own == self.0).map_or("", |(_, name, _)| name)
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
    let mut best: Option<(usize, Tongue)> = None;
    for (code, _, own) in TONGUES.iter().filter(|(code, ..)| candidates.contains(code)) {
        let own: Vec<&str> = own.split(' ').collect();
        let count = words.iter().filter(|word| own.contains(word)).count();
        if best.as_ref().is_none_or(|(most, _)| count > *most) {
            best = Some((count, Tongue(code)));
        }
    }
    best.map(|(_, tongue)| tongue)
}

static ONLY: Cue = cue!(
    r"\b(?:only|entire(?:ly)?|no other language|all|completely|exclusively|whole|must|should|language|respond|reply|response|answer|output|written|write|translate)\b"
);
static OF_IT: Cue = cue!(
    r"\b(?:in|using|use|only|entirely|the|into|with|be)\s+(?:(?:only|entirely|the|just|fluent|pure|native|proper)\s+){0,3}$"
);
static LANGUAGE_AFTER: Cue = cue!(r"^\s+(?:language|only|poem|words?|text)\b");

pub(super) fn read(ask: &str, found: &mut Found) {
    static NAMES: Cue = cue!(
        r"\b(?:German|French|Spanish|Italian|Portuguese|Dutch|Finnish|Swedish|Polish|Swahili|Vietnamese|Turkish|Russian|Ukrainian|Bulgarian|Hindi|Marathi|Nepali|Arabic|Persian|Farsi|Urdu|Bengali|Punjabi|Gujarati|Tamil|Telugu|Kannada|Malayalam|Thai|Korean|Japanese|Chinese|Greek|Hebrew)\b"
    );
    for at in find(&NAMES, ask) {
        let name = &ask[at.clone()];
        let name = if name.eq_ignore_ascii_case("farsi") { "Persian" } else { name };
        let Some((code, ..)) = TONGUES.iter().find(|(_, own, _)| own.eq_ignore_ascii_case(name)) else { continue };
        let own = sentence(ask, at.start);
        let before = &ask[own.start.min(at.start)..at.start];
        let named = first(&OF_IT, before).is_some() || first(&LANGUAGE_AFTER, &ask[at.end..]).is_some();
        if named && first(&ONLY, &ask[own.start.min(at.start)..own.end.max(at.end)]).is_some() {
            found.add(Form::Language(Tongue(code)), at);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SCRIPTS, TONGUES, Tongue};

    #[test]
    fn every_script_names_languages_that_are_known() {
        for (from, to, own) in SCRIPTS {
            assert!(from < to && own.iter().all(|code| TONGUES.iter().any(|(known, ..)| known == code)));
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
