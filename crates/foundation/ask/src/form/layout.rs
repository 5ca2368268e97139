//! Layout, case, and how an answer begins and ends.

use steadfast_annotate::Pattern;

use super::Form;
use super::read::{Found, cue, find, sentence};

static ENDS: Pattern = cue(
    r#"\b(?:(?:finish|end|conclude|close|complete)(?:ing|es|s|ed)?\b[^.?!\n"“‘]{0,60}?\b(?:with|by\s+saying|in)\b[^.?!\n"“]{0,60}?:?\s{0,3}["“](?P<one>[^"”\n]{3,200})["”]|(?:last|final|closing)\s+(?:sentence|words?|line|phrase|thing)\b[^.?!\n"“]{0,80}?["“](?P<two>[^"”\n]{3,200})["”]|(?:very\s+)?end\s+of\s+(?:your|the)\b[^.?!\n"“]{0,60}?(?:read|say|be|state)s?\b[^.?!\n"“]{0,20}["“](?P<three>[^"”\n]{3,200})["”]|(?:finish|end|conclude)\b[^.?!\n"“]{0,60}?\b(?:with|phrase|by)[^.?!\n"“]{0,40}:\s*\n+\s*(?P<four>[^\n"“]{3,200}))"#,
);
static POSTSCRIPT: Pattern = cue(r"\bpost\s?-?script\b|\bP\.?\s?P\.?\s?S\b|\bP\.\s?S\b|\bPS\b");
static POST_POST: Pattern = cue(r"\bP\.?\s?P\.?\s?S\b");
static TITLE: Pattern = cue(r"double\s+angular\s+bracket|double\s+angle\s+bracket|<<[^<>\n]{1,80}>>");
static QUOTED: Pattern = cue(
    r"\b(?:wrap|surround|enclose|put|place|enclosed|wrapped|surrounded|inside|within|contained|start and end|encapsulate)\w*\b[^.?!\n]{0,90}?\bdouble\s+quot\w+|\bdouble\s+quot(?:es|ation\s+marks)\b[^.?!\n]{0,40}\b(?:around|surround|placed|wrap)",
);
static JSON: Pattern = cue(r#"(?:[^'"“‘\w]|^)JSON\b(?:[^'"”’]|$)"#);
static JSON_WORDS: Pattern = cue(r"\b(?:format|wrap\w*|output|block|valid|structured|as|in|using|object|return)\b");
static NO_COMMA: Pattern = cue(
    r"\b(?:no|without|avoid(?:ing)?|not|n['’]t|don['’]t|refrain(?:ing)?|never|zero|free\s+of|instead\s+of|exclud\w+|omit\w*)\b[^.?!\n]{0,60}?\bcommas?\b|\bcommas?\b[^.?!\n]{0,30}\b(?:not\s+allowed|forbidden|(?:not|n['’]t)\s+(?:be\s+)?(?:use|appear|contain|includ))",
);
static LOWER: Pattern = cue(
    r"\b(?:lower\s?-?case[sd]?|small\s+letters)\b|\b(?:no|not|n['’]t|without|avoid(?:ing)?|refrain\s+from)\b[^.?!\n]{0,50}?\b(?:capital(?:i[sz]ed)?(?:\s+letters?)|capitali[sz]ations?|capitals|upper\s?-?case|capitali[sz](?:e|ing))\b",
);
static UPPER: Pattern = cue(
    r"\b(?:all|only|entire(?:ly)?|every(?:thing)?|in|whole|using|fully|completely)\b[^.?!\n]{0,50}?\b(?:capital(?:s|\s+letters?)|upper\s?-?case(?:d)?|all[- ]caps|caps|capitali[sz]ed)\b|\bcapitali[sz]e\s+(?:all|every|your\s+(?:entire|whole)|the\s+entire|each\s+letter)|\b(?:upper\s?-?case|capitali[sz]ed|capital)\s+letters\s+only\b|\ball\s+(?:the\s+)?letters\b[^.?!\n]{0,40}\bcapital",
);
static SOME_WORDS: Pattern = cue(
    r"\b(?:words?|some|few|names?|terms?|certain|least|most|than|times|first\s+letter)\b[^.?!\n]{0,40}\b(?:capital|all[- ]caps|upper|caps)|(?:all[- ]caps|capital\w*|upper\s?case|caps)[^.?!\n]{0,16}\bwords?\b|(?:capital\w*|caps)[^.?!\n]{0,60}\b(?:times|at least|at most|less than|more than)\b",
);
static NEGATED: Pattern = cue(r"\b(?:no|not|n['’]t|don['’]t|without|avoid(?:ing)?|refrain)\b");
static TWO: Pattern = cue(
    r"\b(?:two|2)\s+(?:(?:different|distinct|separate|unique|completely|possible|alternative|short|very)\s+){0,3}(?:\w+\s+)?(?:responses?|answers?|versions?|\w+s)\b",
);
static SIX: Pattern = cue(r"\*{6}|\b(?:6|six)\s+(?:ast?erisks?|stars?)|\b(?:6|six)\s+\*");
static REPEAT: Pattern = cue(
    r"\b(?:repeat|copy|restate|reproduce)(?:ing|ed|s)?\b[^.?!\n]{0,90}\b(?:request|prompt|question|text|sentence|instruction|paragraph|above|below|query|word[- ](?:for|by)[- ]word|verbatim|exactly)\b",
);
static BELOW: Pattern = cue(r"\b(?:below|following|next|after this)\b");

pub(super) fn read(ask: &str, found: &mut Found) {
    ends(ask, found);
    if let Some(at) = POSTSCRIPT.find(ask).map(|it| it.range()) {
        let mark = if POST_POST.is_match(ask) { "P.P.S" } else { "P.S." };
        found.add(Form::Postscript(mark.to_owned()), at);
    }
    for (cue, form) in [(&TITLE, Form::Title), (&QUOTED, Form::Quoted), (&NO_COMMA, Form::NoComma)] {
        if let Some(at) = cue.find(ask).map(|it| it.range()) {
            found.add(form, at);
        }
    }
    for at in find(&JSON, ask) {
        let own = sentence(ask, at.start);
        if JSON_WORDS.is_match(&ask[own]) {
            found.add(Form::Json, at);
            break;
        }
    }
    case(ask, found);
    if let (Some(at), Some(_)) = (TWO.find(ask).map(|it| it.range()), SIX.find(ask).map(|it| it.range())) {
        found.add(Form::TwoAnswers, at);
    }
    repeats(ask, found);
}

fn ends(ask: &str, found: &mut Found) {
    for it in ENDS.captures_iter(ask) {
        let phrase = ["one", "two", "three", "four"].iter().find_map(|name| it.name(name));
        let (Some(phrase), Some(all)) = (phrase, it.get(0)) else { continue };
        if POSTSCRIPT.is_match(all.as_str()) {
            continue;
        }
        found.add(Form::Ends(phrase.as_str().trim().to_owned()), all.range());
        return;
    }
}

fn case(ask: &str, found: &mut Found) {
    let lower = find(&LOWER, ask).into_iter().find(|at| {
        let own = sentence(ask, at.start);
        !SOME_WORDS.is_match(&ask[own]) || ask[at.clone()].to_lowercase().contains("lower")
    });
    for at in find(&UPPER, ask) {
        let own = sentence(ask, at.start);
        let before = ask.floor_char_boundary(at.start.saturating_sub(24)).max(own.start).min(at.start);
        let negated = NEGATED.is_match(&ask[before..at.end]);
        if !negated && !SOME_WORDS.is_match(&ask[own]) && lower.is_none() {
            found.add(Form::UpperCase, at);
            break;
        }
    }
    if let Some(at) = lower {
        found.add(Form::LowerCase, at);
    }
}

/// What is to be repeated: what stands before the sentence that says so, or after it.
fn repeats(ask: &str, found: &mut Found) {
    let said = find(&REPEAT, ask);
    let Some(at) = said.first() else { return };
    // The lines that speak of repeating hang together; the others are the request.
    let line_start = ask[..at.start].rfind('\n').map_or(0, |place| place + 1);
    let line_end = ask[at.end..].find('\n').map_or(ask.len(), |place| at.end + place);
    let (before, after) = (ask[..line_start].trim(), ask[line_end..].trim());
    let below = BELOW.is_match(&ask[line_start..line_end]);
    let part = if below && !after.is_empty() || before.is_empty() { after } else { before };
    let part = if part.is_empty() {
        // All in one line: the sentences before the one that says so.
        ask[..sentence(ask, at.start).start.max(line_start)].trim()
    } else {
        part
    };
    if !part.is_empty() {
        found.add(Form::Repeats(part.to_owned()), at.clone());
    }
}
