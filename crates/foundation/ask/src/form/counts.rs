//! "At least 300 words", "exactly 3 bullet points", "fewer than ten sentences", "the letter o at least 6 times".

use regex::Captures;
use steadfast_annotate::Pattern;
use steadfast_annotate::lexicon::{self, Class};
use steadfast_time::numeral::small_cardinal;

use super::read::{Found, cue, find, sentence};
use super::{Form, HowMany};

/// Larger numbers are no counts of anything in an answer.
const COUNT_MAX: usize = 1_000_000;

macro_rules! number {
    () => {
        r"\d{1,3}(?:,\d{3})+|\d{1,6}|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty"
    };
}
macro_rules! how_many {
    () => {
        concat!(
            r"(?:(?P<pre>at least|no fewer than|no less than|not less than|not fewer than|a minimum of|minimum of|minimum|more than|greater than|over|above|less than|fewer than|shorter than|under|below|at most|no more than|not more than|not longer than|no longer than|longer than|not exceed|not exceeding|up to|a maximum of|maximum of|maximum|max\.?|min\.?|exactly|between|only|within)\s+)?",
            r"\b(?P<n>", number!(), r")(?P<plus>\+)?(?:\s*(?:-|–|—|to|and|or)\s*(?P<m>", number!(), r")\b)?(?P<post>\s+or\s+(?:more|less|fewer)|\s+at\s+(?:minimum|least|most)|\s+minimum|\s+maximum)?"
        )
    };
}

static UNITS: Pattern = cue(concat!(
    how_many!(),
    r"(?:\s+|-)(?:(?:very|short|different|separate|distinct|unique|main|total|full|complete|markdown|text|such|of|your|the|favou?rite|names|all|in|capital|capitalized|all-caps|uppercase|bracketed)\s+){0,4}?(?P<unit>words?|sentences?|paragraphs?|bullet(?:ed)?(?:\s|-)?points?|bullets|bulletpoints?|placeholders?|hashtags?|exclamation (?:marks?|points?)|question marks?|all[- ]caps words?)\b(?P<after>\s+(?:at (?:most|least)|or (?:more|less|fewer)|max(?:imum)?|min(?:imum)?|tops)\b)?"
));
static TIMES: Pattern = cue(concat!(
    r"(?:",
    how_many!(),
    r"\s+(?:or\s+(?:more|less|fewer)\s+)?times?\b|(?P<pre2>at least|more than|at most|no more than|less than|exactly|only)?\s*\b(?P<adverb>once|twice|thrice))"
));
static PLACEHOLDER: Pattern = cue(concat!(how_many!(), r"\s+(?:\w+\s+){0,2}?placeholders?\b"));
static CAPITALS: Pattern = cue(
    r"all[- ]caps\b|(?:words?|some|few)\b[^.?!\n]{0,40}\b(?:all\s+)?(?:capital(?:s|ized)?(?:\s+letters)?|capitalized|upper\s?-?case)|capitalized\s+words?|stress\s+words|words?\s+(?:that\s+are\s+)?capitalized|capitalize\s+(?:a few|some|at least)",
);
static CAPITAL_COUNT: Pattern = cue(concat!(how_many!(), r"\s+(?:\w+[\s-]+){0,3}?(?:times|words?)\b"));
static SUBJECT: Pattern = cue(
    r#"\b(?:the\s+)?(?P<kind>letter|words?|keywords?|key\s+words?|terms?|phrase|name|character)\s+(?:of\s+)?(?:["“”'‘’`*]{1,2}(?P<quoted>[^"“”‘’`*\n]{1,60}?)["“”'‘’`*]{1,2}|(?P<bare>[#!]|[\p{L}\p{N}_-]+))"#,
);
static QUOTED_SUBJECT: Pattern =
    cue(r#"(?:mention|use|include|say|contain|repeat)\s+(?:the\s+)?["“](?P<quoted>[^"“”\n]{1,40})["”]"#);
static NEGATED: Pattern = cue(
    r"\b(?:not|no|don't|don’t|never|without|avoid|cannot|can't|doesn't|doesn’t|isn't|shouldn't|nothing|anything)\b",
);
static HIGHLIGHT: Pattern =
    cue(r"\b(?:highlight(?:ed|ing)?|italici[sz]e[ds]?|italics?|bold(?:ed|en)?|emphasi[sz]e[ds]?)\b");
static HIGHLIGHT_COUNT: Pattern = cue(concat!(
    r"\b(?:highlight|italici[sz]e|bold|emphasi[sz]e)(?:ed|ing|s)?\s+",
    how_many!(),
    r"\b",
    r"|",
    r"(?:at least|minimum of|a minimum of|include|contain|have|exactly|with)\s+(?P<n2>",
    number!(),
    r")\s+(?:\w+\s+){0,2}?(?:highlighted|italic(?:i[sz]ed)?|bold(?:ed)?)"
));
static SECTION: Pattern = cue(concat!(
    r"\b(?P<n>",
    number!(),
    r")\s+(?:\w+\s+){0,2}?(?:sections|parts|chapters|versions|advertisements|stanzas|verses|days|scenes|paragraphs|acts|steps)\b"
));
static SECTION_LABEL: Pattern = cue(
    r#"(?:start(?:s|ing)?|begin(?:s|ning)?|mark(?:ed|ing)?|label(?:l?ed|s)?|titled|named|called|indicat\w*|denot\w*|separat\w*|split|divid\w*)\b[^.?!\n]{0,80}?["“‘']?\b(?-i:(?P<label>[A-Z][A-Za-z]+|[A-Z]+))\s+(?-i:X|#|\d\b|[0-9i]\b|\[[^\]\n]{1,6}\])"#,
);
static PARAGRAPH_DIVIDER: Pattern = cue(r"\*\*\*(?:[^*]|$)|3 ast?erisks?|three ast?erisks?|markdown divider");
static NTH_PARAGRAPH: Pattern = cue(
    r#"(?:(?P<ordinal>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final|\d{1,2}(?:st|nd|rd|th))\s+paragraph|paragraph\s+(?P<cardinal>\d{1,2}))\b[^.?!\n"“]{0,40}?\b(?:start|begin|starts|begins|starting|beginning)\s+with\s+(?:the\s+)?(?:word\s+)?["“'‘]?(?P<word>[\p{L}\p{N}-]+)|(?:start|begin)\s+(?:the\s+)?(?:(?P<ordinal2>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final|\d{1,2}(?:st|nd|rd|th))\s+paragraph|paragraph\s+(?P<cardinal2>\d{1,2}))\s+with\s+(?:the\s+)?(?:word\s+)?["“'‘]?(?P<word2>[\p{L}\p{N}-]+)"#,
);
static PARAGRAPHS: Pattern = cue(concat!(
    r"\b(?P<n>",
    number!(),
    r")\s+(?:\w+\s+){0,2}?(?:paragraphs?|parts|sections|code snippets|snippets|stanzas|steps)\b"
));

/// Bytes after a term in which it is said how often it stands, at most.
const TIMES_BYTES_MAX: usize = 110;

pub(super) fn number(word: &str) -> Option<usize> {
    let low = word.to_ascii_lowercase();
    let digits = low.replace(',', "").parse().ok();
    digits.or_else(|| small_cardinal(&low).map(usize::from)).filter(|it| *it <= COUNT_MAX)
}

/// What a count says: one bound or two. `plain` is what a number without any word of comparison means.
fn bounds(found: &Captures<'_>, negated: bool, plain: fn(usize) -> Vec<HowMany>) -> Vec<HowMany> {
    use HowMany::{AtLeast, LessThan};
    let name = |name: &str| found.name(name).map(|it| it.as_str().trim().to_lowercase());
    let Some(count) = found.name("n").and_then(|it| number(it.as_str())) else { return Vec::new() };
    if let Some(most) = name("m").and_then(|it| number(&it)).filter(|most| *most > count) {
        return vec![AtLeast(count), LessThan(most + 1)];
    }
    let post = name("post").or_else(|| name("after")).unwrap_or_default();
    if found.name("plus").is_some() || post.contains("more") || post.contains("least") || post.contains("min") {
        return vec![AtLeast(count)];
    }
    if post.contains("less")
        || post.contains("fewer")
        || post.contains("most")
        || post.contains("max")
        || post.contains("tops")
    {
        return vec![LessThan(count + 1)];
    }
    match name("pre").or_else(|| name("pre2")).as_deref() {
        Some("more than" | "greater than" | "over" | "above" | "longer than") if negated => vec![LessThan(count + 1)],
        Some("less than" | "fewer than" | "shorter than" | "under" | "below") if negated => vec![AtLeast(count)],
        Some("more than" | "greater than" | "over" | "above" | "longer than") => vec![AtLeast(count + 1)],
        Some("less than" | "fewer than" | "shorter than" | "under" | "below") => vec![LessThan(count)],
        Some(
            "at least" | "no fewer than" | "no less than" | "not less than" | "not fewer than" | "a minimum of"
            | "minimum of" | "minimum" | "min" | "min.",
        ) => vec![AtLeast(count)],
        Some("exactly" | "only") => vec![AtLeast(count), LessThan(count + 1)],
        Some(_) => vec![LessThan(count + 1)],
        None => plain(count),
    }
}

fn none(_: usize) -> Vec<HowMany> {
    Vec::new()
}

fn at_least(count: usize) -> Vec<HowMany> {
    vec![HowMany::AtLeast(count)]
}

fn captures<'t>(cue: &'static Pattern, text: &'t str) -> Vec<Captures<'t>> {
    cue.captures_iter(text).collect()
}

/// Whether a negation stands before a place in its sentence, at most so many bytes away.
fn is_negated(text: &str, at: usize, bytes_max: usize) -> bool {
    let from = text.floor_char_boundary(at.saturating_sub(bytes_max).max(sentence(text, at).start.min(at)));
    NEGATED.is_match(&text[from..at])
}

pub(super) fn read(ask: &str, found: &mut Found) {
    units(ask, found);
    times(ask, found);
    highlights(ask, found);
    paragraphs(ask, found);
    sections(ask, found);
}

fn units(ask: &str, found: &mut Found) {
    for it in captures(&UNITS, ask) {
        let (Some(all), Some(unit)) = (it.get(0), it.name("unit")) else { continue };
        let own = sentence(ask, all.start());
        let negated = is_negated(ask, all.start(), 24);
        let unit = unit.as_str().to_lowercase();
        let span = all.range();
        let capitals = || {
            find(&CAPITALS, &ask[own.clone()]).iter().any(|at| {
                let (start, end) = (own.start + at.start, own.start + at.end);
                start < span.end + 12 && span.start < end + 24
            })
        };
        if unit.starts_with("word") && !capitals() {
            for bound in bounds(&it, negated, none) {
                found.add(Form::Words(bound), span.clone());
            }
        } else if unit.contains("word") {
            for bound in bounds(&it, negated, none) {
                found.add(Form::CapitalWords(bound), span.clone());
            }
        } else if unit.starts_with("sentence") {
            for bound in bounds(&it, negated, none) {
                found.add(Form::Sentences(bound), span.clone());
            }
        } else if unit.starts_with("bullet") {
            if let Some(count) = it.name("n").and_then(|it| number(it.as_str())) {
                found.add(Form::Bullets(count), span);
            }
        } else if let Some(mark) = match unit.as_bytes().first() {
            Some(b'h') => Some('#'),
            Some(b'e') => Some('!'),
            Some(b'q') => Some('?'),
            _ => None,
        } {
            for bound in bounds(&it, negated, at_least) {
                found.add(Form::Letter(mark, bound), span.clone());
            }
        }
    }
    for it in captures(&PLACEHOLDER, ask) {
        let (Some(all), Some(count)) = (it.get(0), it.name("n").and_then(|it| number(it.as_str()))) else { continue };
        found.add(Form::Placeholders(count), all.range());
    }
}

/// "The word fake should appear 6 or 7 times", "words in all capital letters at least 3 times".
fn times(ask: &str, found: &mut Found) {
    let mut subjects: Vec<(usize, usize, bool, String)> = Vec::new();
    for (cue, letter) in [(&SUBJECT, true), (&QUOTED_SUBJECT, false)] {
        for it in captures(cue, ask) {
            let Some(term) = it.name("quoted").or_else(|| if letter { it.name("bare") } else { None }) else {
                continue;
            };
            if it.name("quoted").is_none() && lexicon::has(Class::NoTerm, &term.as_str().to_lowercase()) {
                continue;
            }
            let is_letter = letter
                && it
                    .name("kind")
                    .is_some_and(|kind| matches!(kind.as_str().to_lowercase().as_str(), "letter" | "character"));
            subjects.push((it.get(0).map_or(0, |all| all.start()), term.end(), is_letter, term.as_str().to_owned()));
        }
    }
    for (start, end, is_letter, term) in subjects {
        let stop = sentence(ask, end).end.min(ask.floor_char_boundary(end + TIMES_BYTES_MAX));
        let rest = &ask[end..stop];
        // "the words 'a' at least twice and 'b' …": only up to the next quoted word.
        let Some(how_often) = TIMES.captures(rest) else { continue };
        let Some(at) = how_often.get(0) else { continue };
        if SUBJECT.is_match(&rest[..at.start()]) || find(&CAPITALS, &ask[start..end]).len() > 1 {
            continue;
        }
        let bounds = match how_often.name("adverb").map(|it| it.as_str().to_lowercase()) {
            Some(adverb) => {
                let count = ["once", "twice", "thrice"].iter().position(|it| *it == adverb).map_or(1, |at| at + 1);
                match how_often.name("pre2").map(|it| it.as_str().to_lowercase()).as_deref() {
                    Some("less than") => vec![HowMany::LessThan(count)],
                    Some("at most" | "no more than") => vec![HowMany::LessThan(count + 1)],
                    Some("more than") => vec![HowMany::AtLeast(count + 1)],
                    _ => vec![HowMany::AtLeast(count)],
                }
            }
            None => bounds(&how_often, is_negated(rest, at.start(), 12), at_least),
        };
        let span = start..end + at.end();
        for bound in bounds {
            let one: Vec<char> = term.chars().collect();
            match one.as_slice() {
                [letter] if is_letter => found.add(Form::Letter(letter.to_ascii_lowercase(), bound), span.clone()),
                _ if is_letter => {}
                _ => found.add(Form::Term(term.clone(), bound), span.clone()),
            }
        }
    }
    for at in find(&CAPITALS, ask) {
        let own = sentence(ask, at.start);
        let near = ask.floor_char_boundary(at.start.saturating_sub(60).max(own.start))..own.end;
        for it in captures(&CAPITAL_COUNT, &ask[near.clone()]).into_iter().chain(captures(&TIMES, &ask[near.clone()])) {
            let Some(all) = it.get(0) else { continue };
            let (start, end) = (near.start + all.start(), near.start + all.end());
            if SUBJECT.is_match(&ask[at.start..start.max(at.start)]) && start > at.end + 60 {
                continue;
            }
            for bound in bounds(&it, is_negated(ask, start, 16), at_least) {
                found.add(Form::CapitalWords(bound), start..end);
            }
        }
    }
}

fn highlights(ask: &str, found: &mut Found) {
    for it in captures(&HIGHLIGHT_COUNT, ask) {
        let Some(all) = it.get(0) else { continue };
        let count = it.name("n").or_else(|| it.name("n2")).and_then(|it| number(it.as_str()));
        if let Some(count) = count {
            found.add(Form::Highlights(count), all.range());
        }
    }
    if found.0.iter().all(|it| !matches!(it.form, Form::Highlights(_))) {
        static SECTIONS: Pattern =
            cue(concat!(r"\b(?P<n>", number!(), r")\s+(?:\w+\s+){0,2}?(?:sections?|parts?|phrases?|words?)\b"));
        for at in find(&HIGHLIGHT, ask) {
            let own = sentence(ask, at.start);
            if let Some(it) = captures(&SECTIONS, &ask[own.clone()]).first()
                && let Some(count) = it.name("n").and_then(|it| number(it.as_str()))
            {
                found.add(Form::Highlights(count), own);
                return;
            }
        }
    }
}

fn paragraphs(ask: &str, found: &mut Found) {
    let ordinal = |word: &str, last: usize| {
        let low = word.to_lowercase();
        let names = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
        match low.as_str() {
            "last" | "final" => Some(last),
            _ => names
                .iter()
                .position(|it| *it == low)
                .map(|at| at + 1)
                .or_else(|| low.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()),
        }
    };
    let count = captures(&PARAGRAPHS, ask)
        .into_iter()
        .find_map(|it| Some((it.name("n").and_then(|it| number(it.as_str()))?, it.get(0)?.range())));
    let mut begins = false;
    for it in captures(&NTH_PARAGRAPH, ask) {
        let Some((paragraphs, _)) = count else { continue };
        let nth = it
            .name("ordinal")
            .or_else(|| it.name("ordinal2"))
            .and_then(|word| ordinal(word.as_str(), paragraphs))
            .or_else(|| it.name("cardinal").or_else(|| it.name("cardinal2")).and_then(|it| number(it.as_str())));
        let word = it.name("word").or_else(|| it.name("word2"));
        if let (Some(nth), Some(word), Some(all)) = (nth, word, it.get(0)) {
            let word = word.as_str().to_lowercase();
            found.add(Form::ParagraphBegins { paragraphs, nth, word }, all.range());
            begins = true;
        }
    }
    if !begins && PARAGRAPH_DIVIDER.is_match(ask) {
        static EXAMPLE: Pattern = cue(r"(?m)^\s*\*\*\*\s*$");
        let counted = count.or_else(|| {
            let dividers = find(&EXAMPLE, ask);
            dividers.first().map(|at| (dividers.len() + 1, at.clone()))
        });
        if let Some((count, span)) = counted {
            found.add(Form::Paragraphs(count), span);
        }
    }
}

fn sections(ask: &str, found: &mut Found) {
    let Some(label) = captures(&SECTION_LABEL, ask).into_iter().next() else { return };
    let (Some(name), Some(all)) = (label.name("label"), label.get(0)) else { return };
    if matches!(name.as_str().to_lowercase().as_str(), "paragraph" | "use" | "at" | "the") {
        return;
    }
    let counts = captures(&SECTION, ask);
    let nearest = counts.iter().min_by_key(|it| it.get(0).map_or(usize::MAX, |at| at.start().abs_diff(all.start())));
    if let Some(count) = nearest.and_then(|it| it.name("n")).and_then(|it| number(it.as_str())) {
        found.add(Form::Sections { label: name.as_str().to_owned(), count }, all.range());
    }
}
