//! Words that an answer must have or must not, and phrases of which it must have one.

use std::ops::Range;

use steadfast_annotate::Pattern;

use super::Form;
use super::read::{Found, cue, find, sentence};

static BANNED: Pattern = cue(
    r#"\b(?:(?:do|does|must|should|can|may|shall)\s*(?:not|n't)|don['’]t|doesn['’]t|mustn['’]t|shouldn['’]t|cannot|can['’]t|never|not\s+to|without|avoid(?:ing)?|refrain(?:ing)?\s+from|no\s+mention\s+of|exclude|excluding|omit|not)\b(?:[^.?!\n"“‘]{0,40}?\b(?:include|use|mention|contain|say|write|saying|using|mentioning|including|containing|have|having|utter)\b)?"#,
);
static GONE: Pattern = cue(
    r#"\b(?:key\s?)?words?\s+(?:["“'‘](?P<quoted>[^"”'’\n]{1,40})["”'’]|(?P<bare>[\p{L}-]+))\s+(?:(?:should|must|can|may|is|are|does)(?:\s+not|n['’]t)|doesn['’]t|never)\s+(?:be\s+)?(?:appear|included?|allowed|used?|mentioned|contain)"#,
);
static WANTED: Pattern = cue(
    r#"\b(?:includ(?:e|es|ing)|us(?:e|es|ing)|contain(?:s|ing)?|has|have|having|mention(?:s|ing)?|add(?:ing)?|with|incorporat(?:e|es|ing)|feature|the|these|following)\s+(?:(?:the|these|all|both|following|of|exact|line|two|three)\s+){0,4}?(?P<kind>key\s?words?|words?|phrases?|terms?|line|sentence)\b"#,
);
static OPENS: Pattern = cue(r#"^\s*(?:[a-z]+\s+(?:like|as)\s+)?(?:of\s+)?[:,\[(–-]*\s*(?:such as\s*)?"#);
static QUOTED: Pattern = cue(r#"["“”]([^"“”\n]{1,60})["“”]|[‘'’]([^‘'’\n]{1,60}?)[’'](?:[^\p{L}]|$)|`([^`\n]{1,60})`"#);
static TIMES: Pattern = cue(r"\b(?:times?|once|twice|thrice)\b");
static NEGATION: Pattern = cue(
    r"\b(?:not|no|don['’]t|doesn['’]t|never|without|avoid(?:ing)?|refrain(?:ing)?|cannot|can['’]t|exclude|excluding|omit)\b",
);
/// "Don't forget to include" wants what it names.
static REMINDER: Pattern = cue(r"\b(?:forget|fail|neglect|hesitate)\b");
static CHOICE: Pattern = cue(
    r"\b(?:one of the(?:se)?(?:\s+\w+){0,4}|choose (?:from|one|between|among)(?:\s+\w+){0,4}|following (?:exact )?(?:phrases|options|answers|choices|sentences)|answer (?:with )?)[^\n“”\x22'‘]{0,60}(?:\n+|:|\(|$|[“”\x22'‘])",
);
static LIST_END: Pattern = cue(
    r#"[.?!](?:\s|$)|\n\s*\n|;| in (?:the|your) | should | must | and (?:wrap|make|do|also|keep|use|the|have|contain|end|provide|explain|then|your) | to | for | at | is | are | as "#,
);

/// Terms of one list, at most.
const TERMS_MAX: usize = 40;
/// Bytes of one list, at most.
const LIST_BYTES_MAX: usize = 600;
/// Words of a bare term, at most.
const BARE_WORDS_MAX: usize = 2;

pub(super) fn read(ask: &str, found: &mut Found) {
    let choices = one_of(ask, found);
    let mut taken: Vec<Range<usize>> = choices.into_iter().collect();
    banned(ask, found, &mut taken);
    wanted(ask, found, &taken);
}

/// The terms that a list at the beginning of `text` names, and one past its last; quoted ones, or bare ones parted by commas, "and", "or".
fn list(text: &str, bare: bool) -> Option<(Vec<String>, usize)> {
    let text = &text[..text.floor_char_boundary(LIST_BYTES_MAX)];
    let start = OPENS.find(text).map_or(0, |it| it.end());
    let rest = &text[start..];
    let opens_quoted = rest.starts_with(['"', '“', '”', '\'', '‘', '’', '`']);
    if opens_quoted {
        let mut terms = Vec::new();
        let mut end = start;
        for it in QUOTED.captures_iter(text) {
            let own = (1..=3).find_map(|group| it.get(group))?;
            let gap = text.get(end..it.get(0)?.start()).unwrap_or_default();
            let joins = gap.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '[' | '(' | '&' | '/'));
            let joins = joins.trim_start_matches(']').to_lowercase();
            if !terms.is_empty()
                && !matches!(
                    joins.as_str(),
                    "" | "and" | "or" | "nor" | "and the" | "or the" | "and the word" | "or the word"
                )
            {
                break;
            }
            // "Use 'tide,' and 'quay.'": the mark is the sentence's. A phrase keeps its full stop.
            let term = own.as_str().trim_matches([',', ' ']);
            terms.push(if term.contains(' ') { term } else { term.trim_end_matches('.') }.to_owned());
            // Past the closing mark, which has more than one byte where it is typographic.
            end = own.end() + text[own.end()..].chars().next().map_or(0, char::len_utf8);
            if terms.len() == TERMS_MAX {
                break;
            }
        }
        return (!terms.is_empty()).then_some((terms, end));
    }
    if !bare {
        return None;
    }
    let end = LIST_END.find(rest).map_or(rest.len(), |it| it.start());
    let own = &rest[..end];
    let mut terms = Vec::new();
    for part in own.split([',', '/', '&', ']']) {
        let mut words: Vec<&str> = Vec::new();
        for word in part.split_whitespace() {
            let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
            if matches!(plain.to_lowercase().as_str(), "and" | "or" | "nor") {
                terms.extend((!words.is_empty()).then(|| words.join(" ")));
                words.clear();
            } else if !plain.is_empty() {
                words.push(plain);
            }
        }
        terms.extend((!words.is_empty()).then(|| words.join(" ")));
    }
    // What has many words is no list of terms.
    let good: Vec<String> =
        terms.into_iter().take_while(|term| term.split(' ').count() <= BARE_WORDS_MAX).take(TERMS_MAX).collect();
    (!good.is_empty()).then_some((good, start + end))
}

fn banned(ask: &str, found: &mut Found, taken: &mut Vec<Range<usize>>) {
    for at in find(&BANNED, ask) {
        if REMINDER.is_match(&ask[at.clone()]) {
            continue;
        }
        static KIND: Pattern = cue(
            r"^\s*(?:(?:any|the|of|these|following|negative|words?\s+like|such|in|your|response|answer|anything|about|two|three)\s+){0,4}(?P<kind>(?:key\s?)?words?|terms?|phrases?)\b(?:\s+(?:such as|like))?",
        );
        let rest = &ask[at.end..];
        let kind = KIND.find(rest).map(|it| it.range());
        let plain = kind.as_ref().map_or(0, |it| it.end);
        let behind = list(&rest[plain..], kind.is_some()).map(|(terms, end)| (terms, plain + end));
        let Some((terms, end)) = behind.or_else(|| list(rest, false)) else { continue };
        let span = at.start..at.end + end;
        let stop = sentence(ask, at.end).end;
        if TIMES.is_match(&ask[at.end..stop.max(at.end)]) || taken.iter().any(|it| it.contains(&span.start)) {
            continue;
        }
        // A punctuation mark or a letter is no word.
        let terms: Vec<String> =
            terms.into_iter().filter(|it| it.chars().filter(|c| c.is_alphanumeric()).count() > 1).collect();
        if !terms.is_empty() {
            taken.push(span.clone());
            found.add(Form::HasNot(terms), span);
        }
    }
    for it in GONE.captures_iter(ask) {
        let (Some(term), Some(all)) = (it.name("quoted").or_else(|| it.name("bare")), it.get(0)) else { continue };
        taken.push(all.range());
        found.add(Form::HasNot(vec![term.as_str().to_owned()]), all.range());
    }
}

fn wanted(ask: &str, found: &mut Found, taken: &[Range<usize>]) {
    for at in find(&WANTED, ask) {
        let own = sentence(ask, at.start);
        let before = ask.floor_char_boundary(at.start.saturating_sub(30)).max(own.start).min(at.start);
        static EDGE: Pattern = cue(r"\b(?:start|begin|end|finish|open|close)\w*\s*$");
        if taken.iter().any(|it| it.start < at.end && at.start < it.end)
            || NEGATION.is_match(&ask[before..at.start]) && !REMINDER.is_match(&ask[before..at.start])
            || EDGE.is_match(&ask[before..at.start])
        {
            continue;
        }
        let rest = &ask[at.end..];
        let line = ask[at.clone()].ends_with("line") || ask[at.clone()].to_lowercase().ends_with("sentence");
        let Some((terms, end)) = list(rest, !line) else { continue };
        let end = at.end + end;
        let said = &ask[at.end..end];
        let after = &ask[end..own.end.max(end).min(ask.floor_char_boundary(end + 40))];
        let counted = TIMES.is_match(said) || TIMES.is_match(after);
        static NUMBERED: Pattern = cue(
            r"^\s*(?:count|limit|in|that|with|of|for|from|are|is|or|and|to|such|which|letters?|choice|per|by|should|must|appear)\b",
        );
        static GONE_AFTER: Pattern = cue(r"^[^.?!\n]{0,20}(?:not|n['’]t|never|forbidden)\b");
        if counted || NUMBERED.is_match(rest) || GONE_AFTER.is_match(after) {
            continue;
        }
        let plural = ask[at.clone()].to_lowercase();
        // "the word X" without "include": only where something is said to be done with it.
        static DONE: Pattern =
            cue(r"(?:includ|us(?:e|es|ing)\b|contain|has\b|have\b|mention|add|with|incorporat|feature)");
        let done = DONE.is_match(&plural) || plural.contains("key") && DONE.is_match(&ask[own.start..at.end]);
        if !done {
            continue;
        }
        let terms: Vec<String> = terms.into_iter().filter(|it| !it.is_empty()).collect();
        if terms.iter().any(|it| it.chars().filter(|c| c.is_alphanumeric()).count() > 1) {
            found.add(Form::Has(terms), at.start..end);
        }
    }
    static TOGETHER: Pattern = cue(
        r#"\b(?:has|have|with|contains?|includes?)\s+the\s+words\s+(?P<one>[\p{L}-]+)\s+and\s+(?P<other>[\p{L}-]+)\s+in\s+it\b"#,
    );
    if let Some(it) = TOGETHER.captures(ask)
        && let (Some(one), Some(other), Some(all)) = (it.name("one"), it.name("other"), it.get(0))
    {
        let terms = vec![one.as_str().to_owned(), other.as_str().to_owned()];
        found.0.retain(|it| !matches!(&it.form, Form::Has(own) if own.iter().any(|term| terms.contains(term))));
        found.add(Form::Has(terms), all.range());
    }
}

/// "Answer with one of the following phrases: …".
fn one_of(ask: &str, found: &mut Found) -> Option<Range<usize>> {
    for at in find(&CHOICE, ask) {
        let from = ask[..at.end]
            .char_indices()
            .next_back()
            .map_or(at.end, |(place, c)| if matches!(c, '"' | '“' | '”' | '\'' | '‘') { place } else { at.end });
        let rest = &ask[from..ask.floor_char_boundary(from + LIST_BYTES_MAX)];
        let options = match list(rest, false) {
            Some((options, end)) if options.len() > 1 => Some((options, end)),
            _ => {
                // An option a line.
                let trimmed = rest.trim_start();
                let lines: Vec<&str> =
                    trimmed.lines().map(str::trim).take_while(|line| !line.is_empty() && line.len() < 60).collect();
                let options: Vec<String> =
                    lines.iter().map(|line| line.trim_start_matches(['*', '-', ' ']).to_owned()).collect();
                (options.len() > 1 && at.end < ask.len() && ask[at.clone()].ends_with('\n'))
                    .then_some((options, rest.len()))
            }
        };
        if let Some((options, end)) = options.filter(|(options, _)| options.iter().all(|it| it.contains(' '))) {
            let span = at.start..(from + end).min(ask.len());
            found.add(Form::OneOf(options), span.clone());
            return Some(span);
        }
    }
    None
}
