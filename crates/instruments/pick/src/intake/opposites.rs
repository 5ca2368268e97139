//! Demands that exclude each other by what their words mean: short and exhaustive, secret and public, formal and casual.

use std::sync::LazyLock;

use super::conflict::FIGURES_MAX;
use super::words::{Phrases, Text};

/// What two words are opposites in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Matter {
    Length,
    Room,
    Tense,
    Colour,
    Mood,
    Tone,
    Names,
    Secrecy,
    Direction,
    Readers,
    Change,
    Form,
    Network,
    Cost,
    Company,
    Past,
    Stance,
}

/// Words that exclude each other when they are said of one thing: what they are opposites in, and on which side they stand.
static OPPOSITES: LazyLock<Phrases<(Matter, bool)>> = LazyLock::new(|| {
    use Matter::{
        Change, Colour, Company, Cost, Direction, Form, Length, Mood, Names, Network, Past, Readers, Room, Secrecy,
        Stance, Tense, Tone,
    };
    Phrases::new(&[
        (
            "one page|single page|half a page|two sentence|three sentence|few lines|short|very short|extremely short|as short as possible|one paragraph|concise|in a nutshell|as brief as possible|very brief",
            (Length, false),
        ),
        (
            "very long|extremely long|as long as possible|exhaustive|exhaustively|hundred page|in full detail|full detail|every detail|every single detail|all the details|as detailed as possible|cover everything|covers everything|covering everything|leave nothing out|leaves nothing out|leaving nothing out|without leaving anything out|in depth|at great length|book length",
            (Length, true),
        ),
        ("one word|in one word|one sentence|one line|single word|single sentence", (Room, false)),
        ("detailed|thorough|thoroughly|comprehensive|in detail|every aspect|all aspects|at length", (Room, true)),
        ("past tense", (Tense, false)),
        ("present tense|future tense", (Tense, true)),
        ("black and white|without colour|without color|grayscale|greyscale", (Colour, false)),
        ("colourful|colorful|in colour|in color|full colour|full color", (Colour, true)),
        ("serious|seriously|solemn|dead serious|sombre|somber|mournful", (Mood, false)),
        ("funny|hilarious|humorous|silly|full of jokes|packed with jokes|comical|comedy|light hearted", (Mood, true)),
        ("formal|formally", (Tone, false)),
        ("informal|casual|casually|slangy|slang", (Tone, true)),
        ("anonymous|anonymously|without naming|anonymity", (Names, false)),
        (
            "signed by name|with my name|with names|with full names|name everyone|name next to|names next to|person's name|tell who|see who|know who|show who|shows who|which person",
            (Names, true),
        ),
        (
            "keep it secret|keep this secret|stay secret|stays secret|remain secret|secret from|top secret|strictly confidential|keep it confidential|keep this confidential|stay confidential|remain confidential|keep it quiet|keep this quiet|keep it between us|keep it private|under wraps|nobody may know|no one may know|nobody must know|no one must know|must not find out|tell no one|tell nobody|nobody may hear|no one may hear|must not hear|internal only|internal use only|staff only|board only|eyes only|confidential",
            (Secrecy, false),
        ),
        (
            "publish it|publicly|make it public|public announcement|tell everyone|tell everybody|tell every|tell all|announce it|post it publicly|on our blog|all our customers|all customers|to everyone|in a press release|on social media",
            (Secrecy, true),
        ),
        ("make it shorter|shorten it|shorter", (Direction, false)),
        ("make it longer|lengthen it|longer", (Direction, true)),
        (
            "absolute beginner|complete beginner|beginner|layperson|laypeople|no prior knowledge|five year old|non expert",
            (Readers, false),
        ),
        (
            "assume the reader has|assume the reader knows|assume readers have|assume readers know|assume prior|assume advanced|assume expert|assume a phd|has a phd|have a phd|phd level|experts only|specialists only",
            (Readers, true),
        ),
        (
            "no changes|without changing anything|do not change anything|don't change anything|change nothing|without any changes|keep everything as it is|leave everything as it is|without changing a word|without changing a single word|don't change a word|not change a word|not change a single word|keep every word|leave every word|keep every sentence|leave every sentence as",
            (Change, false),
        ),
        (
            "rewrite everything|completely rewrite|rewrite|rephrase|shorten|half as long|paraphrase|rewrite it completely|change everything|from scratch",
            (Change, true),
        ),
        (
            "running text|plain prose|continuous prose|flowing prose|as prose|flowing text|prose only|only prose|continuous text|no lists",
            (Form, false),
        ),
        ("bullet point|bulleted list|in bullets|as a list|as a table|in a table", (Form, true)),
        (
            "neutral|neutrally|impartial|unbiased|takes no side|take no side|without taking sides|even handed",
            (Stance, false),
        ),
        (
            "argue forcefully|argues forcefully|argue strongly|argues strongly|one sided|takes a clear side|take a clear side|persuade the reader|convince the reader|convince readers",
            (Stance, true),
        ),
        ("completely offline|without internet|no internet|offline only", (Network, false)),
        (
            "using online|live web search|search the web|streaming online|real time online|online api|web api|network connection|internet connection|internet access|over the internet|from the internet",
            (Network, true),
        ),
        (
            "free of charge|at no cost|spend nothing|zero budget|no budget|for free|without spending anything",
            (Cost, false),
        ),
        ("spare no expense|whatever it costs|most expensive|no matter the cost", (Cost, true)),
        ("alone|solo|by myself", (Company, false)),
        ("as a team|with the whole team|in a group", (Company, true)),
        (
            "by yesterday|until yesterday|before yesterday|due yesterday|by last week|finished yesterday|by last month|in the past",
            (Past, false),
        ),
        ("not started yet|start tomorrow|starting tomorrow|starting next week|start next week", (Past, true)),
    ])
});

/// Words between two opposites that leave it open, turn one into the other, or give each a time or a thing of its own.
const APART: &[&str] = &[
    "or", "than", "vs", "versus", "version", "into", "until", "before", "then", "once", "after", "followed", "plus",
    "when", "later",
];

/// Words that turn what follows them to the other side.
const DENIALS: &[&str] =
    &["not", "no", "never", "nobody", "none", "can't", "cannot", "don't", "without", "less", "either", "isn't"];

/// As many words before an opposite a denial turns it.
const DENIAL_WORDS_MAX: usize = 6;

/// Pairs of words of a text that exclude each other.
pub(super) fn read(text: &Text<'_>) -> Vec<(String, String)> {
    let all: Vec<(Matter, bool, std::ops::Range<usize>)> = OPPOSITES
        .all(text)
        .into_iter()
        .take(FIGURES_MAX)
        .map(|((matter, side), words)| (matter, side != is_denied(text, words.start), words))
        .collect();
    let mut found = Vec::new();
    for (at, (matter, side, words)) in all.iter().enumerate() {
        let tight = |matter: Matter, side: bool| matter == Matter::Room && !side;
        let wide = |matter: Matter, side: bool| matter == Matter::Length && side;
        let against = all.iter().skip(at + 1).find(|(other, of, _)| {
            (other == matter && of != side)
                || (tight(*matter, *side) && wide(*other, *of))
                || (wide(*matter, *side) && tight(*other, *of))
        });
        if let Some((_, _, other)) = against
            && (words.end..other.start).all(|at| !text.is(at, APART))
            && !text.is(words.end, &["to", "from"])
        {
            found.push((text.said(words.clone()).to_owned(), text.said(other.clone()).to_owned()));
        }
    }
    let past = all.iter().find(|(matter, side, _)| *matter == Matter::Past && !*side);
    if let Some((_, _, words)) =
        past.filter(|_| found.is_empty()).filter(|(_, _, words)| text.is(words.start, &["by", "until", "due"]))
    {
        found.push((text.said(words.clone()).to_owned(), "something still to be done".to_owned()));
    }
    found.extend(languages(text));
    found.extend(begins_after_its_end(text));
    found.extend(ends_before_it_begins(text));
    found.extend(not_before(text));
    found
}

/// Whether a word shortly before `at`, of the same sentence, denies what stands there.
fn is_denied(text: &Text<'_>, at: usize) -> bool {
    let window = (at.saturating_sub(DENIAL_WORDS_MAX)..at).rev();
    let mut near = window.take_while(|before| !text.starts(before + 1));
    near.any(|before| {
        // From farther off only a person is denied: "nobody, me included, can tell who".
        let close = at - before <= 2;
        text.is(before, DENIALS) && (close || text.is(before, &["nobody", "none", "cannot", "can't"]))
            || text.is(before, &["one"]) && before > 0 && text.is(before - 1, &["no"])
    })
}

/// Languages that a text is asked for in.
const LANGUAGES: &[&str] = &[
    "english",
    "german",
    "french",
    "spanish",
    "italian",
    "portuguese",
    "dutch",
    "chinese",
    "japanese",
    "korean",
    "arabic",
    "russian",
    "hindi",
    "polish",
    "turkish",
    "swedish",
    "danish",
    "norwegian",
    "finnish",
    "greek",
    "czech",
    "ukrainian",
    "hungarian",
];

/// "into French … leave every sentence in English": all of it in two languages.
fn languages(text: &Text<'_>) -> Option<(String, String)> {
    let named: Vec<usize> = text
        .own()
        .filter(|(at, word)| LANGUAGES.contains(&word.low.as_ref()) && *at > 0 && text.is(at - 1, &["in", "into"]))
        .map(|(at, _)| at)
        .take(FIGURES_MAX)
        .collect();
    // "keep all of it in English", "leave every sentence in English", "only in English".
    let whole = |at: &usize| {
        let from = at.saturating_sub(7);
        let kept =
            (from..*at).rfind(|before| text.is(*before, &["keep", "leave", "stay", "stays", "remain", "written"]));
        let all = |from: usize| {
            (from..*at).any(|place| {
                text.is(place, &["all", "every", "everything", "it", "whole", "entire", "entirely", "completely"])
            })
        };
        kept.is_some_and(|kept| all(kept) || kept + 2 == *at)
    };
    let only = only_languages(text);
    if let [first, .., last] = only[..]
        && text.low(first) != text.low(last)
    {
        let said = |at: usize| text.said(at.saturating_sub(1)..(at + 2).min(text.words.len())).to_owned();
        return Some((said(first), said(last)));
    }
    // "into German, no German words".
    let barred = named.iter().find_map(|at| {
        let again = (at + 1..text.words.len()).find(|other| {
            text.low(*other) == text.low(*at)
                && text.is(other - 1, &["no", "any", "without"])
                && text.is(other + 1, &["word", "words", "text", "sentence", "sentences"])
        })?;
        Some((text.said(at - 1..at + 1).to_owned(), text.said(again - 1..again + 2).to_owned()))
    });
    if barred.is_some() {
        return barred;
    }
    let second = named.iter().find(|at| whole(at))?;
    let first = named.iter().find(|at| text.low(**at) != text.low(*second) && !whole(at))?;
    let said = |at: usize| text.said(at - 1..at + 1).to_owned();
    Some((said(*first), said(*second)))
}

/// Languages of which it is said that all is to be in them: "in English only", "entirely in Spanish".
fn only_languages(text: &Text<'_>) -> Vec<usize> {
    let whole = |at: &usize| {
        let after = text.is(at + 1, &["only"]);
        let before = |back: usize| at.checked_sub(back);
        let within = before(1).is_some_and(|at| text.is(at, &["in"]))
            && before(2).is_some_and(|at| text.is(at, &["entirely", "only", "completely", "exclusively", "solely"]));
        after || within
    };
    let named = text.own().filter(|(_, word)| LANGUAGES.contains(&word.low.as_ref())).map(|(at, _)| at);
    named.filter(whole).take(FIGURES_MAX).collect()
}

/// "finished by Monday, and start on it next Wednesday".
fn begins_after_its_end(text: &Text<'_>) -> Option<(String, String)> {
    let places = |words: &[&str], links: &[&str]| {
        let words = (0..text.words.len()).filter(|at| text.is(*at, words) && !text.words[*at].quoted);
        words.take(FIGURES_MAX).find_map(|at| {
            let link = (at + 1..at + 5).take_while(|at| !text.starts(*at)).find(|at| text.is(*at, links))?;
            (!text.starts(link + 1)).then_some(at..link + 2)
        })
    };
    let ends = places(
        &["finished", "finish", "done", "ready", "completed", "complete", "delivered", "due"],
        &["by", "before"],
    )?;
    let starts = places(&["start", "begin", "starting", "beginning", "starts", "begins"], &["next", "after"])?;
    // "finish A by Monday, then start B next week" is a row of two.
    let one_thing = (ends.start..starts.end.min(text.words.len())).any(|at| text.is(at, &["it", "this", "that"]));
    let later = text.is(ends.end - 1, &["next", "the", "then", "after"]);
    (one_thing && !later && ends.end <= starts.start)
        .then(|| (text.said(ends.clone()).to_owned(), text.said(starts.clone()).to_owned()))
}

/// The months of the year.
pub(super) const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// "10 May", "May 10", "the 10th of May" from word `at` on: month and day, and one past the last word.
fn day_of_year(text: &Text<'_>, at: usize) -> Option<((usize, u32), usize)> {
    let month = |at: usize| {
        let low = text.low(at);
        // "may" is a month only with a capital.
        let written = low.len() >= 3 && text.words.get(at).is_some_and(|word| word.capital);
        MONTHS.iter().position(|month| *month == low || (low.len() == 3 && month.starts_with(low))).filter(|_| written)
    };
    let day = |at: usize| {
        let low = text.low(at);
        let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| low.strip_suffix(ending)).unwrap_or(low);
        digits.parse::<u32>().ok().filter(|day| (1..=31).contains(day))
    };
    if let Some(day) = day(at) {
        let of = usize::from(text.is(at + 1, &["of"]));
        return month(at + 1 + of).map(|month| ((month, day), at + 2 + of));
    }
    let month = month(at)?;
    day(at + 1).map(|day| ((month, day), at + 2))
}

/// Words between "begins" and its date.
const DATE_WORDS_MAX: usize = 5;

/// "begins on 10 May and is finished by 2 May": an end before the beginning. Where a year is named, or the next one, nothing is held against anything.
fn ends_before_it_begins(text: &Text<'_>) -> Option<(String, String)> {
    let dated = |verbs: &[&str]| {
        let words = (0..text.words.len()).filter(|at| text.is(*at, verbs) && !text.words[*at].quoted);
        words.take(FIGURES_MAX).find_map(|at| {
            let mut near =
                (at + 1..at + 1 + DATE_WORDS_MAX).take_while(|at| !text.starts(*at) && !text.is(*at, &[",", "and"]));
            near.find_map(|from| day_of_year(text, from)).map(|(day, end)| (day, at..end))
        })
    };
    let (first, begins) = dated(&["begins", "begin", "beginning", "starts", "start", "starting", "kicks"])?;
    let (last, ends) = dated(&[
        "ends",
        "end",
        "ending",
        "finish",
        "finished",
        "finishes",
        "done",
        "complete",
        "completed",
        "over",
        "concludes",
    ])?;
    let other_year = text.any(&["next", "following"]) && text.any(&["year", "year's"])
        || text.own().any(|(_, word)| word.low.len() == 4 && word.low.parse::<u32>().is_ok_and(|year| year > 1900));
    (last < first && !other_year)
        .then(|| (text.said(begins), text.said(ends)))
        .map(|(one, other)| (one.to_owned(), other.to_owned()))
}

/// "ready by Tuesday, but not before Thursday": a deadline before the earliest day.
fn not_before(text: &Text<'_>) -> Option<(String, String)> {
    const DAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let day = |at: usize| {
        let next = text.is(at, &["next"]);
        let day = DAYS.iter().position(|day| *day == text.low(at + usize::from(next)))?;
        Some((if next { DAYS.len() + day } else { day }, at + 1 + usize::from(next)))
    };
    let (mut latest, mut earliest) = (None, None);
    for at in 0..text.words.len() {
        let denied = at > 0 && text.is(at - 1, &["not"]);
        let Some((day, end)) = day(at + 1) else { continue };
        if text.is(at, &["by", "until"]) && !denied {
            latest = latest.or(Some((day, at..end)));
        } else if text.is(at, &["before", "until"]) && denied {
            earliest = earliest.or(Some((day, at - 1..end)));
        }
    }
    let ((latest, by), (earliest, from)) = latest.zip(earliest)?;
    (earliest > latest).then(|| (text.said(by).to_owned(), text.said(from).to_owned()))
}
