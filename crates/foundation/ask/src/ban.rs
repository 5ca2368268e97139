//! Words and concepts that a request bans.

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::Pattern;
use steadfast_steps::Regex;

use crate::request::Rule;
use crate::scan::{ITEMS_MAX, compiled, head, pattern, trimmed};

/// Longest term that is taken as a word or concept, in words: what is longer is a sentence.
const TERM_WORDS_MAX: usize = 6;
/// How much of a sentence is looked through for a term, in bytes.
const LIST_BYTES_MAX: usize = 4_000;

const NOUN: &str = r"(?:buzz|key)?(?:words?|terms?|phrases?|expressions?|concepts?|names?|jargon|letters?)";
/// The same behind a verb: "don't name the firm" names nothing, "don't use the name Kern" does.
const CALLED: &str = r"(?:(?:buzz|key)?(?:words?|terms?|phrases?|expressions?|concepts?|names|jargon|letters?)|(?:the|this|that)\s+name)";

static LISTS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // "Banned words: a, b"; "Forbidden terms are a and b".
        format!(r"(?:banned|forbidden|prohibited|disallowed|taboo|blacklisted)(?: {NOUN}| topics?| technolog\w+)?\s*(?:list)?\s*(?::| are:?| include:?| is:?)\s*"),
        format!(r"{NOUN} (?:to avoid|not to use|not to mention|that are (?:banned|forbidden))\s*(?::| are:?)\s*"),
        // "Do not use the word X"; "never mention the terms X or Y"; "without using the word X".
        format!(r"(?:do not|don't|don’t|dont|never|must not|mustn't|should not|shouldn't|may not|cannot|can't|avoid|without|refrain from|not to|no)\s+(?:ever\s+)?(?:use|using|mention|mentioning|include|including|say|saying|write|writing|contain|containing|employ|employing|the use of)?\s*(?:of\s+)?(?:any of\s+)?(?:the\s+|these\s+|any\s+|following\s+|banned\s+|forbidden\s+){{0,3}}{CALLED}\s*:?\s+"),
        r"(?:do not|don't|don’t|dont|never|must not|should not|please avoid|avoid)\s+(?:ever\s+)?(?:use|using|mention|mentioning|include|including|say|saying|write|writing)?\s*(?:any of\s+)?(?:these|the following|any of these)?\s*:\s+".to_owned(),
        r"(?:do not|don't|don’t|dont|never|must not|should not|please avoid|avoid)\s+(?:ever\s+)?(?:mention|mentioning|say|saying)\s+(?:of\s+)?".to_owned(),
    ]
    .into_iter()
    .map(|source| compiled(&format!(r"(?i)\b{source}")))
    .collect()
});

static SUBJECT: LazyLock<Regex> = LazyLock::new(|| {
    compiled(&format!(
        r#"(?i)^(?:(?:the|these) )?(?:{NOUN}|words?)?\s*((?:["“'‘][^"”'’]{{1,60}}["”'’](?:\s*(?:,|and|or|&)\s*)*){{1,20}})\s*(?:is|are|must|should|may|shall|can|cannot|can't|to)\s*(?:not\s+)?(?:be\s+)?(?:banned|forbidden|prohibited|off[- ]limits|not allowed|not be used|avoided|never|used|appear|taboo)"#
    ))
});

/// "The word organic must not appear": what is named as a word needs no quotation marks.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    compiled(&format!(
        r"(?i)^\W*(?:the|these) {NOUN} ([\w-]+(?:(?:, | or | and | nor )[\w-]+){{0,20}}) (?:(?:must|should|may|shall|can|does|do|is|are)(?: never| not|n['’]t)|cannot|is|are) (?:to )?(?:be )?(?:used?|mentioned|said|written|appear|occur|contained|banned|forbidden|prohibited|off[- ]limits|taboo|allowed)"
    ))
});

static NEGATED: Pattern =
    pattern(r"(?i)\b(?:not|never|banned|forbidden|prohibited|off[- ]limits|avoided|taboo|cannot|can't)\b");

static SPOKEN_OF: Pattern = pattern(
    r"(?i)\b(?:banned|forbidden|prohibited|excluded|disallowed) (?:words?|terms?|concepts?|list|technolog\w+)|\bban(?:s|ned)?\b|\bexclusions?\b|\bprohibit(?:ion|s|ed)\b",
);

/// Whether a sentence of an answer talks about a ban rather than breaking it.
#[must_use]
pub fn speaks_of_ban(sentence: &str) -> bool {
    SPOKEN_OF.is_match(sentence)
}

static CUES: Pattern = pattern(
    r"(?i)\b(?:no|not|never|cannot|without|avoid\w*|refrain|ban(?:s|ned|ning)?|forbidden|prohibited|off.limits|disallowed|taboo|blacklisted)\b|n['’]t\b",
);

/// Whether a text can hold a ban of words at all: a quick look before [`read`](crate::read()) is worth its time.
#[must_use]
pub fn may_ban(text: &str) -> bool {
    CUES.is_match(text)
}

/// The list of banned terms in a sentence: where the ban stands and where its terms.
pub(crate) struct BanList {
    /// The whole ban.
    pub(crate) range: Range<usize>,
    /// The terms.
    pub(crate) rule: Rule,
}

/// 'No "competitive salary"', 'no "cheap", no "bargain"', 'avoid "rockstar" and "ninja"', 'don't call anyone "elderly"', 'no words like "seamless"': quoted words are ruled
/// out themselves.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    let quoted = r#"["“][^"“”]{1,60}["”]"#;
    let verb = concat!(
        r"(?:no(?: [\w-]+){0,3} (?:words?|terms?|phrases?|adjectives?),? (?:like|such as)|no|avoid(?: using| saying)?",
        r"|(?:please )?(?:do not|don['’]?t|never) (?:use|say|write|mention|include|call(?: [\w'’]+){1,3}|describe(?: [\w'’]+){1,3} as))",
    );
    compiled(&format!(
        r"(?i)(?:^|[,;:(]\s*|\band\s+)({verb}\s+{quoted}(?:\s*,?\s*(?:and\s+|or\s+|nor\s+)?(?:no\s+)?{quoted}){{0,20}})"
    ))
});

/// The words between quotation marks.
static WITHIN_MARKS: Pattern = pattern(r#"["“]([^"“”]{1,60})["”]"#);

/// What may follow quoted words that are ruled out: the end of a clause, or courtesy. 'No "hero" images' rules out images.
static CLAUSE_ENDS: Pattern = pattern(r"(?i)^\s*(?:$|[.,;:!)]|please\b|pls\b)");

static LIST_WORDS: Pattern = pattern(r#"(?i)\bno(?:-["“]?| ["“])([\w-]+)["”]?[- ]word(?:s)?(?:[- ]list)?\b"#);

/// The bans of words in one sentence; `masked` decides where a ban is said, `text` has its terms.
pub(crate) fn ban_of(text: &str, masked: &str) -> Option<BanList> {
    if let Some(found) = quoted(text) {
        return Some(found);
    }
    if let Some(found) = LIST_WORDS.captures(head(text, LIST_BYTES_MAX))
        && let (Some(whole), Some(term)) = (found.get(0), found.get(1))
    {
        let rule = Rule::Ban { terms: vec![term.as_str().to_owned()], context: None };
        return Some(BanList { range: whole.range(), rule });
    }
    for (index, list) in LISTS.iter().enumerate() {
        let Some(cue) = list.find(head(masked, LIST_BYTES_MAX)) else { continue };
        // "Never mention X" without "the word" bans a name or something quoted, not a whole clause.
        let bare = index == LISTS.len() - 1;
        let mut end = list_end(text, cue.end());
        if index > 0 {
            end = end.min(cue.end() + clause_end(&masked[cue.end()..end]));
        }
        let rule = terms(&text[cue.end()..end]);
        if let Some(rule) = rule {
            let Rule::Ban { terms, .. } = &rule else { continue };
            // "No names of staff" rules out names, not words.
            if terms.iter().any(|term| term.starts_with("of ")) {
                continue;
            }
            let short = terms.iter().all(|term| term.split_whitespace().count() <= 3);
            if bare && !(short && (text[cue.end()..end].contains(['"', '“']) || terms.iter().all(|term| is_name(term))))
            {
                continue;
            }
            let range = trimmed(text, cue.start()..end);
            return Some(BanList { range: range.start..end.min(range.end.max(cue.end())), rule });
        }
    }
    let text = head(text, LIST_BYTES_MAX);
    let found = SUBJECT.captures(text).or_else(|| NAMED.captures(text))?;
    let (whole, listed) = (found.get(0)?, found.get(1)?);
    if !NEGATED.is_match(&text[listed.end()..whole.end()]) {
        return None;
    }
    Some(BanList { range: whole.range(), rule: terms(listed.as_str())? })
}

fn quoted(text: &str) -> Option<BanList> {
    let text = head(text, LIST_BYTES_MAX);
    let range = QUOTED.captures(text)?.get(1)?.range();
    if !CLAUSE_ENDS.is_match(&text[range.end..]) {
        return None;
    }
    let terms = WITHIN_MARKS
        .captures_iter(&text[range.clone()])
        .filter_map(|found| Some(found.get(1)?.as_str().trim().to_owned()));
    Some(BanList { rule: Rule::Ban { terms: terms.collect(), context: None }, range })
}

fn is_name(term: &str) -> bool {
    term.chars().next().is_some_and(char::is_uppercase)
}

/// Where a list that begins at `start` ends: at the end of the sentence that it stands in, where the splitter left more than one.
fn list_end(text: &str, start: usize) -> usize {
    let slice = head(&text[start..], LIST_BYTES_MAX);
    let mut depth = 0_usize;
    for (at, c) in slice.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '.' | '!' | '?' if depth == 0 => {
                let next = slice[at + 1..].trim_start_matches(['"', '”', '\'']);
                if next.starts_with(char::is_whitespace) && next.trim_start().starts_with(char::is_uppercase)
                    || next.trim().is_empty()
                {
                    return start + at;
                }
            }
            _ => {}
        }
    }
    start + slice.len()
}

/// Where the words after "do not use the word …" stop naming terms and the sentence goes on.
fn clause_end(masked: &str) -> usize {
    static GOES_ON: Pattern = pattern(
        r"(?i)[.;:—]|,? (?:in (?:your|the|my|this|any|it)|anywhere|at all|at any|throughout|because|since|as (?:it|they|this|the|a|i|we)|when|while|for (?:this|the)|to |but|except|unless|with|it |they |- |– )",
    );
    GOES_ON.find(masked).map_or(masked.len(), |found| found.start())
}

static CONTEXT: Pattern = pattern(
    r"(?i)^(.*?)\s*[(\[]\s*((?:(?:only\s+)?(?:(?:when|if|where|while)(?:\s+used)?|in (?:the )?(?:context|sense) of|as (?:in|a|an)|meaning|in reference to|regarding|for)\b).*?)\s*[)\]]?\s*$",
);
static CONTEXT_CUE: Pattern = pattern(
    r"(?i)^(?:only\s+)?(?:in (?:the )?(?:context|sense) of|when used (?:to|for|in|as)|when|if|where|as in|meaning|in reference to|regarding)\s+",
);

/// The terms of a list and, where one of them is limited to a context, that context. Terms with a context and without would need
/// two rules: see [`split_context`].
pub(crate) fn terms(list: &str) -> Option<Rule> {
    let mut terms = Vec::new();
    let mut context = None;
    for part in separate(list) {
        let part = part.trim().trim_end_matches(['.', ';', '!', '。']).trim_end();
        let mut term = part;
        if let Some(found) = CONTEXT.captures(part)
            && let (Some(before), Some(inside)) = (found.get(1), found.get(2))
        {
            term = before.as_str();
            let inside = inside.as_str().trim();
            let cut = CONTEXT_CUE.find(inside).map_or(0, |cue| cue.end());
            context = Some(inside[cut..].trim().to_owned()).filter(|context| !context.is_empty());
        }
        let term = clean(term);
        let words = term.split_whitespace().count();
        if !term.is_empty() && words <= TERM_WORDS_MAX && !terms.iter().any(|other| other == term) {
            terms.push(term.to_owned());
        }
    }
    (!terms.is_empty()).then_some(Rule::Ban { terms, context })
}

/// A ban whose last term alone is limited to a context is two bans.
pub(crate) fn split_context(list: &str) -> Vec<Rule> {
    let mut free = Vec::new();
    let mut found = Vec::new();
    for part in separate(list) {
        match terms(part) {
            Some(rule @ Rule::Ban { context: Some(_), .. }) => found.push(rule),
            Some(Rule::Ban { terms, context: None }) => free.extend(terms),
            _ => {}
        }
    }
    free.dedup();
    if !free.is_empty() {
        found.insert(0, Rule::Ban { terms: free, context: None });
    }
    found
}

fn clean(term: &str) -> &str {
    let mut term = term.trim();
    loop {
        let before = term;
        term = term
            .trim_matches(|c: char| {
                c.is_whitespace() || matches!(c, '"' | '“' | '”' | '‘' | '’' | '\'' | '`' | '*' | '«' | '»')
            })
            .trim_end_matches(['.', ';', ',', ':', '!', '。'])
            .trim_start_matches([',', ';', ':', '-', '–', '•']);
        for lead in ["and ", "or ", "and/or ", "nor ", "etc", "the word ", "the words ", "the term "] {
            if head(term, lead.len()).eq_ignore_ascii_case(lead) {
                term = &term[lead.len()..];
            }
        }
        if term == before {
            return term;
        }
    }
}

/// The parts of a list of terms, brackets kept whole; "a and b" and "a or b" are two.
fn separate(list: &str) -> Vec<&str> {
    static JOIN: Pattern = pattern(r"(?i)^(?:,\s*)?(?:and/or|and|or|nor|&)\s");
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    let mut quoted = false;
    let mut after_space = false;
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '"' => quoted = !quoted,
            '“' => quoted = true,
            '”' => quoted = false,
            _ => {}
        }
        if depth == 0 && !quoted {
            let joins = after_space && JOIN.is_match(head(&list[at..], 12));
            if matches!(c, ',' | ';' | '、' | '，' | '\n' | '|') || joins {
                found.push(&list[start..at]);
                start = if joins { at } else { at + c.len_utf8() };
            }
        }
        after_space = c.is_whitespace();
    }
    found.push(&list[start..]);
    found.truncate(ITEMS_MAX);
    found
}
