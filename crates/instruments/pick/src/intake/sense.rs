//! Whether a text is a task at all: keyboard noise, word salad, nothing.

use std::sync::LazyLock;

use super::actions::Action;
use super::verbs::{Form, verb};
use super::words::{Kind, Phrases, Text};
use crate::task::Missing;

/// What is missing of a text that is no task.
pub(super) const NO_TASK: &str = "a task";
/// What is missing of a text that is one word for a thing.
pub(super) const BARE_THING: &str = "what is to be done with it";
/// From this share of noise on a text is noise.
const NOISE_SHARE_MIN: f64 = 0.5;
/// Words without any that tie them together, from which on they are no phrase.
const SALAD_WORDS_MIN: usize = 5;
/// From this share of impossible neighbours on words are a salad.
const CLASHES_SHARE_MIN: f64 = 0.25;

/// From as many doubled words on words are a salad.
const DOUBLED_MIN: usize = 2;

/// What is missing where there is no task.
pub(super) fn read(text: &Text<'_>, actions: &[Action]) -> Vec<Missing> {
    let question = if text.words.iter().all(|word| word.kind != Kind::Word) {
        "What is to be done? The text has no words."
    } else if is_noise(text) {
        "What is to be done? The text reads like random keys."
    } else if is_filler(text) {
        "What is to be done? The text is what typesetters fill pages with."
    } else if is_salad(text, actions) {
        "What is to be done? The words do not make a sentence or name a piece of work."
    } else if is_bare_thing(text) {
        let question = "What is to be done with it? The text names a thing and no piece of work.".to_owned();
        return vec![Missing { what: BARE_THING.to_owned(), question, required: true }];
    } else if is_statement(text, actions) {
        "What is to be done? The text says something and asks for nothing."
    } else {
        return Vec::new();
    };
    vec![Missing { what: NO_TASK.to_owned(), question: question.to_owned(), required: true }]
}

fn is_noise(text: &Text<'_>) -> bool {
    let (mut noise, mut all) = (0, 0);
    for word in text.words.iter().filter(|word| word.kind == Kind::Word && !word.quoted) {
        let letters = word.low.chars().count();
        all += letters;
        if is_noise_word(&word.low) && !(is_acronym(text, word) && letters <= 5) {
            noise += letters;
        }
    }
    // Nothing but quotes is no noise; marks and digits between single letters are.
    let marks = text.words.iter().filter(|word| word.kind == Kind::Mark && !word.quoted).count();
    all > 0 && (noise as f64 >= NOISE_SHARE_MIN * all as f64 || marks > 2 * all)
}

fn is_acronym(text: &Text<'_>, word: &super::words::Word<'_>) -> bool {
    text.plain.get(word.range.clone()).is_some_and(|raw| raw.chars().filter(|c| c.is_uppercase()).count() > 1)
}

/// Rows of keyboards, forth and back.
const ROWS: &[&str] = &[
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "poiuytrewq",
    "lkjhgfdsa",
    "mnbvcxz",
    "qwertzuiop",
    "azertyuiop",
    "qsdfghjklm",
    "йцукенгшщзхъ",
    "фывапролджэ",
    "ячсмитьбю",
    "эждлорпавыф",
];

/// Whether no language has such a word: runs of keys, of one letter, of consonants, pairs of letters that no English word has.
fn is_noise_word(low: &str) -> bool {
    let letters: Vec<char> = low.chars().take(64).filter(|c| c.is_alphabetic()).collect();
    if letters.len() < 4 || verb(low).is_some() {
        return false;
    }
    let run = |length: usize| letters.windows(length).any(|run| run.iter().all(|c| *c == run[0]));
    let keys = letters.windows(4).any(|keys| {
        let keys: String = keys.iter().collect();
        ROWS.iter().any(|row| row.contains(keys.as_str()))
    }) && !low.contains("rewe")
        && !matches!(low, "property" | "properties" | "uiop" | "poverty" | "tree" | "trew");
    if run(4) || keys {
        return true;
    }
    if !low.is_ascii() {
        return false;
    }
    let vowel = |c: &char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let consonants = letters.windows(6).any(|run| !run.iter().any(vowel)) || !letters.iter().any(vowel);
    let odd = letters.windows(2).filter(|pair| is_odd(pair[0], pair[1])).count();
    let half: String = letters[..letters.len() / 2].iter().collect();
    let repeated = letters.len() >= 8
        && letters.len().is_multiple_of(2)
        && letters[letters.len() / 2..].iter().collect::<String>() == half;
    consonants || odd * 5 >= letters.len() || (repeated && odd > 0)
}

/// Letters that hardly ever follow another in English words.
fn is_odd(first: char, second: char) -> bool {
    let never = match first {
        'b' => "fgkqxz",
        'c' => "bfgjpvwxz",
        'd' => "qxz",
        'f' => "bcdghjkmnpqvwxz",
        'g' => "cjkqvxz",
        'h' => "cfgjkpqvxz",
        'j' => "bcdfghjklmnpqrstvwxyz",
        'k' => "cdfjqvxz",
        'l' => "jqxz",
        'm' => "cdgjkqrtvxz",
        'p' => "jqvxz",
        'q' => "abcdefghijklmnopqrstvwxyz",
        's' => "xz",
        't' => "jqx",
        'v' => "bcdfghjklmnpqtwxz",
        'w' => "gjqvxz",
        'x' => "bdgjkmnrsvz",
        'y' => "jqy",
        'z' => "bcdfgjkmnpqrstvwx",
        _ => "",
    };
    never.contains(second)
}

/// Text that stands for text, whatever its words: typesetters' Latin.
static FILLER: LazyLock<Phrases<()>> = LazyLock::new(|| {
    Phrases::new(&[("lorem ipsum|dolor sit amet|consectetur adipiscing|blah blah|bla bla|foo bar baz", ())])
});

/// Whether nothing but filler is said: a task may well speak of it ("replace the lorem ipsum on our page").
fn is_filler(text: &Text<'_>) -> bool {
    let filler: usize = FILLER.all(text).into_iter().map(|(_, words)| words.len()).sum();
    filler > 0 && !text.own().any(|(_, word)| verb(&word.low).is_some() || super::pieces::is_piece(&word.low))
}

/// "lamp": one word that is no verb, no piece of work, no field of work and no name of anything that is done.
fn is_bare_thing(text: &Text<'_>) -> bool {
    let mut own = text.own();
    let (Some((at, word)), None) = (own.next(), own.next()) else { return false };
    let low = word.low.as_ref();
    let question = text.words.iter().any(|word| word.low == "?");
    text.words.len() <= 2
        && !question
        && low.is_ascii()
        && low.len() < LONG_WORD_BYTES_MIN
        && verb(low).is_none()
        && !super::pieces::is_piece(low)
        && !super::pieces::speaks_of_work(text)
        && !is_acronym(text, &text.words[at])
        && !DONE_ENDINGS.iter().any(|ending| low.ends_with(ending))
}

/// From this length on a word is mostly one for what is done, or of a field.
const LONG_WORD_BYTES_MIN: usize = 12;

/// Endings of words for what is done: "brainstorming", "negotiation", "forgiveness".
const DONE_ENDINGS: &[&str] = &["ing", "tion", "sion", "ment", "ness", "ance", "ence", "ship", "ology", "ics", "ism"];

/// Words that no other language has as well: what is not understood is no nonsense.
const ENGLISH: &[&str] = &[
    "the", "of", "and", "is", "are", "was", "were", "my", "with", "from", "by", "that", "this", "it", "every", "under",
    "because",
];

/// Whether a text of some length asks for nothing, speaks of nobody's need, and names no work.
fn is_statement(text: &Text<'_>, actions: &[Action]) -> bool {
    let need = text.any(&[
        "i", "i'm", "i've", "i'd", "we", "we're", "we've", "me", "us", "need", "needs", "want", "how", "what", "why",
        "who", "when", "where", "which", "help", "should", "can", "please", "wanted", "looking", "you", "your",
        "let's",
    ]);
    let asks = text.words.iter().any(|word| matches!(word.low.as_ref(), "?" | "|" | ">" | "/") && !word.quoted);
    let own = text.own().count();
    let english = text
        .own()
        .any(|(_, word)| ENGLISH.contains(&word.low.as_ref()) || word.low.len() > 6 && word.low.ends_with("ly"));
    // Any verb that a task is put in, in whatever form, and any piece of work, unless it is a common word that a sentence has anyway.
    let work = text.own().any(|(at, word)| {
        verb(&word.low).is_some_and(|verb| !verb.light && (verb.form != Form::Base || !verb.also_noun))
            || super::pieces::is_piece(text.low(at)) && !matches!(text.low(at), "ideas" | "idea" | "image" | "story")
    });
    // "Returns the address of a channel": what a prompt does is told in the third person.
    let told = text.low(0).len() > 4 && text.low(0).ends_with('s') && !text.low(0).ends_with("ss");
    // "The quick brown fox jumps over the lazy dog": who begins with a subject of its own tells of it, whatever everyday word comes.
    let spoken =
        if text.low(0) == "the" { super::pieces::work_words(text) > 0 } else { super::pieces::speaks_of_work(text) };
    english && !told && actions.is_empty() && !need && !asks && !work && own >= SALAD_WORDS_MIN && !spoken
}

/// Words that tie others together.
fn ties(low: &str) -> bool {
    matches!(
        low,
        "a" | "an"
            | "the"
            | "of"
            | "for"
            | "to"
            | "in"
            | "on"
            | "with"
            | "and"
            | "or"
            | "my"
            | "our"
            | "your"
            | "is"
            | "are"
            | "at"
            | "by"
            | "from"
            | "that"
            | "this"
            | "about"
            | "into"
            | "as"
            | "i"
            | "we"
            | "it"
            | "how"
            | "what"
            | "me"
            | "be"
            | "was"
            | "do"
            | "not"
            | "who"
            | "why"
            | "when"
            | "where"
            | "which"
    )
}

fn is_salad(text: &Text<'_>, actions: &[Action]) -> bool {
    let own: Vec<(usize, &str)> = text.own().map(|(at, word)| (at, word.low.as_ref())).collect();
    if own.len() < SALAD_WORDS_MIN || own.iter().any(|(_, low)| !low.is_ascii()) {
        return false;
    }
    let clashes = own
        .windows(2)
        .filter(|pair| pair[0].0 + 1 == pair[1].0 && !text.starts(pair[1].0) && clash(pair[0].1, pair[1].1))
        .count();
    // "plan of of test": who writes doubles a word now and then, not twice in a line.
    let doubled = own
        .windows(2)
        .filter(|pair| {
            pair[0].0 + 1 == pair[1].0
                && pair[0].1 == pair[1].1
                && !text.starts(pair[1].0)
                && !matches!(pair[0].1, "that" | "had" | "very" | "really" | "so" | "no" | "bye" | "more")
        })
        .count();
    if doubled >= DOUBLED_MIN {
        return true;
    }
    if clashes as f64 >= CLASHES_SHARE_MIN * own.len() as f64 || (clashes > 1 && actions.is_empty()) {
        return true;
    }
    // Words in a row that nothing ties together, none of which names a piece of work or something to be done.
    let tied = own.iter().any(|(_, low)| ties(low));
    let known = own.iter().any(|(at, low)| {
        super::pieces::is_piece(low)
            || verb(low).is_some_and(|verb| !verb.also_noun)
            || actions.iter().any(|action| action.at == *at)
    });
    let named = own.iter().skip(1).any(|(at, _)| text.words[*at].capital);
    !tied && !known && !named
}

/// Whether two words never stand side by side in a sentence.
fn clash(first: &str, second: &str) -> bool {
    let determiner =
        |low: &str| matches!(low, "a" | "an" | "the" | "my" | "our" | "your" | "their" | "his" | "its" | "every");
    let joint = |low: &str| {
        matches!(
            low,
            "of" | "and"
                | "or"
                | "from"
                | "into"
                | "with"
                | "at"
                | "because"
                | "than"
                | "if"
                | "the"
                | "is"
                | "are"
                | "was"
                | "to"
                | "by"
        )
    };
    (determiner(first)
        && (joint(second) || determiner(second) || matches!(second, "quickly" | "very" | "it" | "they" | "i" | "we"))
        && !(second == "very" || first == "its" && second == "the"))
        || (matches!(first, "of" | "and" | "or" | "at" | "from" | "into")
            && matches!(second, "of" | "and" | "or" | "than" | "is" | "are" | "was"))
        || (matches!(first, "is" | "are" | "was" | "were")
            && matches!(second, "of" | "is" | "are" | "was" | "were" | "and"))
}
