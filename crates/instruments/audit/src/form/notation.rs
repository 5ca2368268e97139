//! How words, dates, times and percentages are to be written.

use std::ops::Range;

use steadfast_annotate::lexicon::{self, Class};
use steadfast_annotate::{Pattern, content_stems, stems};
use steadfast_ask::{Form, Tongue, forms};

use super::{Demand, Outcome, Page, broken, kept};

/// A country whose spelling is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Country {
    Britain,
    America,
}

/// Words that are to be taken over, at least and at most.
const VERBATIM_WORDS_MIN: usize = 3;
const VERBATIM_BYTES_MAX: usize = 1_000;
/// Share of such words that a sentence must have to be the sentence that was changed.
const VERBATIM_SHARE_MIN: f64 = 0.5;

static BRITISH: Pattern = Pattern::new(r"(?i)\b(?:british|UK)[ -](?:spelling|english)\b");
static AMERICAN: Pattern = Pattern::new(r"(?i)\b(?:american|US)[ -](?:spelling|english)\b");
static ISO: Pattern =
    Pattern::new(r"(?i)\bYYYY-MM-DD\b|\bISO(?:[ -]8601)?[ -](?:dates?|format)\b|\bdates?\b[^.\n]{0,30}\bISO\b");
static CLOCK: Pattern = Pattern::new(
    r"(?i)\b(?:24|twenty-four)[ -]?h(?:ours?|rs?)?\b[^.\n]{0,20}\b(?:clock|times?|format|notation)?|\b24-hour\b",
);
static WHOLE: Pattern = Pattern::new(
    r"(?i)\bpercent\w*\b[^.\n]{0,30}\bwhole numbers?\b|\bwhole[- ](?:number )?percent\w*\b|\bpercent\w*\b[^.\n]{0,20}\b(?:no|without) decimals?\b",
);
static AS_IT_STANDS: Pattern = Pattern::new(
    r"(?i)\b(?:unchanged|word[- ]for[- ]word|verbatim|as it stands|to the letter|exactly (?:this|these|the following))\b",
);
static QUOTED: Pattern = Pattern::new("\"([^\"\n]+)\"|“([^”\n]+)”");

static ISO_DATE: Pattern = Pattern::new(r"\b\d{4}-\d{2}-\d{2}\b");
static OTHER_DATE: Pattern = Pattern::new(
    r"\b\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})\b|\b\d{1,2}(?:st|nd|rd|th)? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]* \d{4}\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b",
);
static TIME: Pattern = Pattern::new(r"\b(?:[01]?\d|2[0-4]):[0-5]\d\b");
static HALF_DAY: Pattern = Pattern::new(r"(?i)\b\d{1,2}(?:[:.][0-5]\d)?\s?[ap]\.?m\b\.?");
static DECIMAL_PERCENT: Pattern = Pattern::new(r"\d[.,]\d+\s?(?:%|per ?cent\b)");
static PERCENT: Pattern = Pattern::new(r"(?:^|[^\d.,])\d+\s?(?:%|per ?cent\b)");

/// The notations that a text asks for, each with the words that say so.
pub(super) fn of(text: &str) -> Vec<(Demand, Range<usize>)> {
    if let Some((words, range)) = verbatim(text) {
        return vec![(Demand::Verbatim(words), range)];
    }
    let spelling = [(&BRITISH, Demand::Spelling(Country::Britain)), (&AMERICAN, Demand::Spelling(Country::America))];
    let numbers = [(&ISO, Demand::IsoDates), (&CLOCK, Demand::Clock24), (&WHOLE, Demand::WholePercentages)];
    static ENGLISH: Pattern = Pattern::new(r"(?i)\bin (?:plain |simple )?english\b|\benglish (?:only|please)\b");
    let english = || {
        let found = ENGLISH.find(text)?;
        Some((Demand::Language(Tongue::of_code("en")?), found.range()))
    };
    let language = forms(text).into_iter().find_map(|wanted| match wanted.form {
        Form::Language(tongue) => Some((Demand::Language(tongue), wanted.span)),
        _ => None,
    });
    let language = language.or_else(english);
    let all = spelling.into_iter().chain(numbers);
    let written = all
        .filter(|(_, demand)| *demand != Demand::Clock24 || !DURATION.is_match(text))
        .filter_map(|(pattern, demand)| Some((demand, pattern.find(text)?.range())));
    written.chain(language).collect()
}

pub(super) fn look_at_language(tongue: Tongue, page: &Page<'_>) -> Outcome {
    let text: Vec<&str> = page.blocks.iter().map(|block| block.text.plain.as_str()).collect();
    let quote = page.blocks.first().and_then(|block| page.quote(block));
    match Tongue::of(&text.join("\n")) {
        Some(own) if own == tongue => kept(quote),
        Some(own) => {
            let because = format!("Asked: {}; the report is in {}.", tongue.name(), own.name());
            broken(quote, because, "Write it in the language that was asked for.")
        }
        None => Outcome::Open,
    }
}

/// The words that a text wants to be taken over.
pub(super) fn verbatim(text: &str) -> Option<(String, Range<usize>)> {
    let found = AS_IT_STANDS.is_match(text).then(|| QUOTED.captures(text)).flatten()?;
    let words = found.get(1).or(found.get(2))?.as_str();
    let fits = words.split_whitespace().count() >= VERBATIM_WORDS_MIN && words.len() <= VERBATIM_BYTES_MAX;
    fits.then(|| (words.to_owned(), 0..text.len()))
}

/// "Within 24 hours" is no notation.
static DURATION: Pattern = Pattern::new(
    r"(?i)\b(?:within|in|for|after|every|next|last|than|under|over|least|most)\s+(?:24|twenty-four)\b|\b24[ -]?(?:hours?|hrs?)\b(?:\W*$| (?:notice|before|after|of|later|ahead))",
);

pub(super) fn look_for_words(words: &str, page: &Page<'_>) -> Outcome {
    let wanted = spaced(words);
    for block in &page.blocks {
        if spaced(&block.text.plain).contains(&wanted) {
            return kept(page.quote(block));
        }
    }
    let stems: Vec<String> = stems(words);
    let near = page.first(|text| {
        steadfast_text::sentences(text).into_iter().find(|range| {
            let own = content_stems(&text[range.clone()]);
            let shared = stems.iter().filter(|stem| own.iter().any(|(_, other)| other == *stem)).count();
            #[expect(clippy::cast_precision_loss, reason = "a sentence has few words")]
            let share = shared as f64 / stems.len().max(1) as f64;
            share >= VERBATIM_SHARE_MIN
        })
    });
    match near {
        Some((said, quote)) => broken(
            Some(quote),
            format!("Asked word for word: \"{words}\"; report: \"{said}\"."),
            "Put the words of the prompt in as they stand.",
        ),
        None => Outcome::Open,
    }
}

/// A text with single spaces and plain quotation marks, in lower case.
pub(super) fn spaced(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| match c {
            '’' | '‘' => '\'',
            '“' | '”' => '"',
            _ => c,
        })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

pub(super) fn look_at_spelling(country: Country, page: &Page<'_>, prompt: &str) -> Outcome {
    let (wanted, other) = match country {
        Country::Britain => (Class::BritishOnly, Class::AmericanOnly),
        Country::America => (Class::AmericanOnly, Class::BritishOnly),
    };
    let prompt = prompt.to_lowercase();
    let of = |class: Class| {
        page.first(|text| {
            word_of(text, |word| lexicon::has(class, word) && (class == wanted || !has_word(&prompt, word)))
        })
    };
    if let Some((said, quote)) = of(other) {
        let (asked, has) = match country {
            Country::Britain => ("British", "American"),
            Country::America => ("American", "British"),
        };
        return broken(Some(quote), format!("Asked: {asked} spelling; \"{said}\" is {has}."), "Spell it as was asked.");
    }
    of(wanted).map_or(Outcome::Open, |(_, quote)| Outcome::Kept(quote, None))
}

fn has_word(text: &str, word: &str) -> bool {
    word_of(text, |own| own == word).is_some()
}

/// The first word of a text that fits, in lower case: letters alone, and no part of a name in code.
fn word_of(text: &str, fits: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    let mut start = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let own = start..start + piece.len();
        start = own.end;
        let word = piece.trim_matches(|c: char| !c.is_alphabetic());
        if !word.is_empty() && word.chars().all(char::is_alphabetic) && fits(&word.to_lowercase()) {
            let at = own.start + piece.find(word)?;
            return Some(at..at + word.len());
        }
    }
    None
}

/// What is written as was asked, against what is written otherwise. A report that has neither, or only a few of the other kind, does not show how
/// it writes.
fn written(page: &Page<'_>, asked: &str, wanted: &Pattern, other: &Pattern, repair: &'static str) -> Outcome {
    let (wanted, others) = (page.uses(wanted), page.uses(other));
    match (wanted.into_iter().next(), &others[..]) {
        (Some(_), [(said, quote), ..]) | (None, [(said, quote), _, _, ..]) => {
            broken(Some(quote.clone()), format!("Asked: {asked}; report: \"{said}\"."), repair)
        }
        (first, _) => kept(first.map(|(_, quote)| quote)),
    }
}

pub(super) fn look_at_dates(page: &Page<'_>) -> Outcome {
    written(page, "dates as YYYY-MM-DD", &ISO_DATE, &OTHER_DATE, "Write the date as was asked.")
}

pub(super) fn look_at_clock(page: &Page<'_>) -> Outcome {
    written(page, "times of 24 hours", &TIME, &HALF_DAY, "Write the time as was asked.")
}

pub(super) fn look_at_percentages(page: &Page<'_>) -> Outcome {
    written(page, "percentages as whole numbers", &PERCENT, &DECIMAL_PERCENT, "Round it to a whole number.")
}
