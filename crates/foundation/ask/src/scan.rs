//! Sentences as a reader of obligations sees them: quotations masked, brackets respected, clauses and items apart.

use std::ops::Range;

use steadfast_annotate::Pattern;
use steadfast_steps::Regex;

/// Most items that one list is read into.
pub(crate) const ITEMS_MAX: usize = 128;
/// Words of an item from which on it stands by itself, where an inner list ends in "and".
const ITEM_WORDS_MIN: usize = 4;

/// A pattern of this crate. Function words in it stand for their [`SYNONYMS`] as well, so that no reading hangs on which one somebody writes.
pub(crate) const fn pattern(source: &'static str) -> Pattern {
    Pattern::with(source, |source| Ok(compiled(source)))
}

/// The same for a pattern that is put together from parts.
pub(crate) fn compiled(source: &str) -> Regex {
    let wide = SYNONYMS.iter().fold(source.to_owned(), |source, (plain, all)| widened(&source, plain, all));
    steadfast_annotate::pattern(&wide).unwrap_or_else(|error| panic!("pattern {wide:?}: {error}"))
}

/// Function words as they stand in patterns, and what matches them and those that say the same.
const SYNONYMS: &[(&str, &str)] = &[
    (r" (?:\w+ly )?not", r"(?: (?:\w+ly )?not|n['’]t)"),
    (" not", "(?: not|n['’]t)"),
    ("would like", "(?:would|should) like"),
    ("no later than", "(?:no later than|at the latest(?: (?:on|by|in))?)"),
];

/// `source` with `all` in the place of every `plain` that is no part of a longer word.
fn widened(source: &str, plain: &str, all: &str) -> String {
    let mut wide = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find(plain) {
        let (before, behind) = (&rest[..at], &rest[at + plain.len()..]);
        let part = behind.starts_with(|c: char| c.is_alphanumeric() || c == '[' || c == '-');
        wide.extend([before, if part { plain } else { all }]);
        rest = behind;
    }
    wide + rest
}

/// For each byte whether it stands inside brackets. Brackets that are never closed do not count.
fn bracketed(masked: &str) -> Vec<bool> {
    let mut inside = vec![false; masked.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, byte) in masked.bytes().enumerate() {
        match byte {
            b'(' | b'[' => open.push(at),
            b')' | b']' => {
                if let Some(start) = open.pop()
                    && open.is_empty()
                {
                    inside[start..=at].fill(true);
                }
            }
            _ => {}
        }
    }
    // Closed inside one that is never closed: still brackets, seen from within.
    inside
}

/// The bytes between double quotation marks, where these come in pairs of one line: what is quoted is one thing.
fn quoted_bytes(text: &str) -> Vec<bool> {
    let mut inside = vec![false; text.len()];
    let mut open: Option<usize> = None;
    for (at, c) in text.char_indices() {
        match (c, open) {
            ('\n', _) => open = None,
            // A sentence may begin with the mark that ends the one before.
            ('"' | '“', None) if text[at + c.len_utf8()..].starts_with(char::is_alphanumeric) => open = Some(at),
            ('"' | '”', Some(start)) => {
                inside[start..at].fill(true);
                open = None;
            }
            _ => {}
        }
    }
    inside
}

static AFTER_COMMA: Pattern = pattern(
    r"(?i)^\s*(?:but\b|yet\b|while\b|whereas\b|although\b|with (?:a|an|the|no|per|dedicated|principal|budget)\b|without\b|not\b|nothing\b|never\b|no \w+|which\b|followed by\b|capped\b|rather than\b|instead of\b|so that\b|unless\b|if\b|(?:and|or|but|then|also|and also|and then) (?:do|does|don't|don’t|must|should|shall|will|is|are|has|have|never|keep|use|include|avoid|make|ensure|not|no|may|might|could|\w+ (?:must|should|shall|will|needs?|has to|have to|may|might|could|is|are)|(?:the|a|an|this|that|these|those|our|any|all|both|each|every|no|two|three) (?:\w+ ){1,3}(?:must|should|shall|will|needs? to|has to|have to|may|might|could|is|are))\b)",
);

/// A clause that only sets the scene for the one after its comma.
static OPENS_CONDITION: Pattern = pattern(
    r"(?i)^\W*(?:if|when|whenever|unless|where|once|after|before|during|while|because|since|as|although|though|for|in|on|at|by|to|with|from|under|until|given|should|despite|within)\b",
);
/// "hotel must have a pool", "max 2000 EUR": a demand of its own after a comma.
static OWN_DEMAND: Pattern = pattern(
    r"(?i)^\s*(?:max(?:imum)?|at most|no more than|not more than|up to|under|below|less than|at least|min(?:imum)?)\.? (?:of )?[$€£]?\d|^\s*(?:the |all |every |each |any |our |my )?[\w-]+ (?:[\w-]+ )?(?:must|has to|have to|needs? to|shall|should)(?: not| be| have)? \w+",
);
static JOINED: Pattern = pattern(r"(?i)^\s*[\w-]+(?: (?:and|or)\b|\s*,|\s*$)");

/// Whether what follows a comma orders or demands by itself.
fn is_command(rest: &str) -> bool {
    let list = JOINED.is_match(rest) || rest.trim_start().starts_with("and ") || rest.trim_start().starts_with("or ");
    let subject = rest.split_whitespace().take(3).any(|word| matches!(word, "and" | "or"));
    (!subject && OWN_DEMAND.is_match(rest))
        || (!list && rest.starts_with(' ') && rest.trim_start().starts_with(char::is_lowercase) && commands(rest))
}

/// Whether an unmistakable imperative opens `text`.
fn commands(text: &str) -> bool {
    static PLAIN: Pattern = pattern(
        r"(?i)^\s*(?:please )?(?:do not|don['’]t|avoid|keep|use|include|exclude|make sure|ensure|write|add|give|put|mention|cite|limit|stick to|stay|leave|skip|omit|remove|follow|return|explain|show|choose|pick|focus on|prefer|wrap|start with|end with)\s+\w",
    );
    PLAIN.is_match(text)
}

/// The clauses of a sentence: parts between semicolons, dashes, colons and those commas that begin a clause of their own.
#[must_use]
pub fn clauses(masked: &str) -> Vec<Range<usize>> {
    let (inside, quoted) = (bracketed(masked), quoted_bytes(masked));
    let mut found = Vec::new();
    let mut start = 0;
    let mut previous = ' ';
    for (at, c) in masked.char_indices() {
        let rest = &masked[at + c.len_utf8()..];
        let next_is_space = rest.chars().next().is_none_or(char::is_whitespace);
        let breaks = !inside[at]
            && !quoted[at]
            && match c {
                ';' | '—' | '；' => true,
                '–' | '-' => previous.is_whitespace() && next_is_space && !joins_figures(&masked[..at], rest),
                ':' => next_is_space,
                ',' => {
                    AFTER_COMMA.is_match(head(rest, 120))
                        || (!OPENS_CONDITION.is_match(head(&masked[start..at], 40)) && is_command(head(rest, 120)))
                }
                '\n' => true,
                _ => false,
            };
        if breaks {
            found.push(start..at);
            start = at + c.len_utf8();
        }
        previous = c;
    }
    found.push(start..masked.len());
    // What stands between brackets is a clause as well, if it is more than a gloss.
    let mut at = 0;
    while at < masked.len() {
        if inside[at] {
            let end = (at..masked.len()).find(|index| !inside[*index]).unwrap_or(masked.len());
            let range = at + 1..end - 1;
            if masked[range.clone()].split_whitespace().nth(2).is_some() {
                found.push(range.clone());
                let mut inner = range.start;
                for (offset, c) in masked[range.clone()].char_indices() {
                    if matches!(c, '—' | ';') {
                        found.push(inner..range.start + offset);
                        inner = range.start + offset + c.len_utf8();
                    }
                }
                if inner > range.start {
                    found.retain(|other| *other != range);
                    found.push(inner..range.end);
                }
            }
            at = end;
        } else {
            at += 1;
        }
    }
    found.into_iter().map(|range| trimmed(masked, range)).filter(|range| !range.is_empty()).collect()
}

/// At most `bytes` bytes of `text`, whole characters.
pub(crate) fn head(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// At most the last `bytes` bytes of `text`, whole characters.
pub(crate) fn tail(text: &str, bytes: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(bytes))..]
}

static LEADING: Pattern = pattern(r"(?i)^(?:[\s,;:.—–•*·-]+|(?:and|or|but|then|also|plus)\s+)+");

static TRAILING: Pattern = pattern(r"(?i)[\s,](?:and|or|but)$");

/// `range` without white space, marks and conjunctions at its beginning and without marks at its end; brackets that it does not hold
/// both of are cut off.
#[must_use]
pub fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let mut start = range.start;
    let mut end = range.end;
    if let Some(found) = LEADING.find(&text[start..end]) {
        start += found.end();
    }
    loop {
        let slice = &text[start..end];
        let cut = slice.trim_end_matches(|c: char| {
            c.is_whitespace() || matches!(c, ',' | ';' | ':' | '.' | '—' | '–' | '。' | '…')
        });
        end = start + cut.len();
        if let Some(found) = TRAILING.find(tail(&text[start..end], 8)) {
            end -= found.len();
            continue;
        }
        let slice = &text[start..end];
        if slice.ends_with(')') && !slice.contains('(') {
            end -= 1;
        } else if slice.starts_with('(') && !slice.contains(')') {
            start += 1;
        } else {
            return start..end;
        }
    }
}

static ENUMERATOR: Pattern = pattern(r"(?i)\((?:\d{1,2}|[a-h]|i{1,3}|iv|vi?)\)\s|(?:^|[\s,;])(?:\d{1,2}|[a-h])\)\s");
static CONTINUES: Pattern = pattern(
    r"(?i)^\s*(?:which|where|who|whose|including|covering|using|embodying|while|rather|especially|such as|e\.g|i\.e|at|in|for|by|to|on|from|under|as|that|when|if|not|but|plus|so|because|\w+ing)\b",
);
/// "under 5 % go to waste" is an item as "less than 5 %" is one.
static BOUND: Pattern = pattern(r"(?i)^\s*(?:under|at (?:least|most)) (?:[$€£]|[A-Z]{3} )?\d");

static GERUND: Pattern = pattern(r"(?i)^\s*(?:and |or )?\w{2,}ing\b");
static CONDITION: Pattern = pattern(r"(?i)^\s*(?:if|when|unless|where|once)\b");
static ADJECTIVE: Pattern = pattern(r"(?i)^\s*(?:and )?(?:an?|the|with an?|fully) [\w-]+\s*$");
static OWN_ITEM: Pattern = pattern(r"(?i)^\s*(?:and|or) (?:an?|the|at least|one|two|three|\d+)\b");

/// The items of a list that stands at `range`: its numbered parts, else its parts between semicolons, else between commas.
#[must_use]
pub fn items(masked: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let text = &masked[range.clone()];
    let marks: Vec<_> = ENUMERATOR.find_iter(text).take(ITEMS_MAX).collect();
    if marks.len() >= 2 {
        let ends = marks.iter().skip(1).map(regex::Match::start).chain([text.len()]);
        return marks
            .iter()
            .zip(ends)
            .map(|(mark, end)| trimmed(masked, range.start + mark.end()..range.start + end))
            .filter(|range| !range.is_empty())
            .collect();
    }
    let semicolons = parts(masked, &range, ';');
    if semicolons.len() >= 2 {
        return semicolons
            .into_iter()
            .take(ITEMS_MAX)
            .map(|range| trimmed(masked, range))
            .filter(|range| !range.is_empty())
            .collect();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    let commas = parts(masked, &range, ',');
    let last = commas.len().saturating_sub(1);
    let gerunds = commas.first().is_some_and(|first| GERUND.is_match(head(&masked[first.clone()], 40)));
    let conditional = CONDITION.is_match(head(text, 20));
    let mut closed = false;
    for (index, part) in commas.into_iter().enumerate().take(ITEMS_MAX) {
        let text = &masked[part.clone()];
        let lower = head(text.trim_start(), 4).to_lowercase();
        let joins = lower.starts_with("and ") || lower.starts_with("or ");
        if found.last().is_some_and(|before| ADJECTIVE.is_match(&masked[before.clone()])) {
            // "a sprawling, immersive city": an article with one word waits for its noun.
            if let Some(before) = found.last_mut() {
                before.end = part.end;
            }
        } else if closed || (conditional && index == 1) {
            // The last item has begun, or the condition waits for what follows from it.
            if let Some(before) = found.last_mut() {
                before.end = part.end;
            }
        } else if joins && index < last && OWN_ITEM.is_match(head(text, 40)) {
            found.push(part);
            closed = true;
        } else if joins && index < last {
            // The end of an inner list: it belongs to the last item that stands by itself.
            let mut start = part.start;
            while let Some(before) = found.pop() {
                start = before.start;
                if masked[before].split_whitespace().nth(ITEM_WORDS_MIN - 1).is_some() {
                    break;
                }
            }
            found.push(start..part.end);
        } else if !found.is_empty()
            && CONTINUES.is_match(head(text, 40))
            && !(BOUND.is_match(head(text, 40)) || (gerunds && GERUND.is_match(head(text, 40))))
        {
            if let Some(before) = found.last_mut() {
                before.end = part.end;
            }
        } else {
            found.push(part);
        }
    }
    found.into_iter().map(|range| trimmed(masked, range)).filter(|range| !range.is_empty()).collect()
}

/// The parts of `range` between `mark`s outside brackets; a comma between digits is none.
pub(crate) fn parts(masked: &str, range: &Range<usize>, mark: char) -> Vec<Range<usize>> {
    let text = &masked[range.clone()];
    let inside = bracketed(text);
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let fits = c == mark || (mark == ',' && matches!(c, '、' | '，')) || (mark == ';' && c == '；');
        if !fits || inside[at] {
            continue;
        }
        let between_digits =
            at > 0 && bytes[at - 1].is_ascii_digit() && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if between_digits {
            continue;
        }
        found.push(range.start + start..range.start + at);
        start = at + c.len_utf8();
    }
    found.push(range.start + start..range.end);
    found
}

static CORE_END: Pattern = pattern(
    r"(?i)^\s*(?:featuring|filled|utili[sz]ing|using|leveraging|with|for|directed|designed|reimagined|including|where|who|whose|so|while|which|that|based|funded|focused|aimed|intended|by|to|combining|offering|providing|reflecting|relying|as|because)\b",
);

/// The beginning of a long clause that says what it is about: up to the comma, past `after`, at which what follows only qualifies.
#[must_use]
pub fn core(masked: &str, range: Range<usize>, after: usize) -> Range<usize> {
    let text = &masked[range.clone()];
    let inside = bracketed(text);
    for (at, c) in text.char_indices() {
        if c == ','
            && !inside[at]
            && range.start + at >= after
            && text[..at].split_whitespace().nth(3).is_some()
            && CORE_END.is_match(head(&text[at + 1..], 40))
        {
            return trimmed(masked, range.start..range.start + at);
        }
    }
    range
}

/// How far a segment reaches to either side of what it is around, in bytes: without a mark for longer than that nobody wrote a sentence.
pub(crate) const SEGMENT_REACH_BYTES_MAX: usize = 400;

/// The part between commas, semicolons, dashes, colons and brackets around `inner`; the part before it as well where it has fewer than
/// three words besides. It reaches at most 400 bytes to either side at a time.
#[must_use]
pub fn segment(masked: &str, inner: &Range<usize>) -> Range<usize> {
    let left = |from: usize| {
        let near = tail(&masked[..from], SEGMENT_REACH_BYTES_MAX);
        let first = from - near.len();
        let edge = near.char_indices().rev().find(|(at, c)| is_edge(masked, first + at, *c));
        edge.map_or(first, |(at, c)| first + at + c.len_utf8())
    };
    let mut start = left(inner.start);
    let near = head(&masked[inner.end..], SEGMENT_REACH_BYTES_MAX);
    let edge = near.char_indices().find(|(at, c)| is_edge(masked, inner.end + at, *c));
    let end = inner.end + edge.map_or(near.len(), |(at, _)| at);
    let words =
        masked[start..inner.start].split_whitespace().count() + masked[inner.end..end].split_whitespace().count();
    let before = &masked[..start];
    // "…, max 2000 EUR" stands by itself.
    let bounded = BOUNDED.is_match(masked[start..inner.start].trim_start());
    if words < 2 && !bounded && start > 0 && !before.ends_with(['(', ';']) {
        start = left(start - before.chars().next_back().map_or(0, char::len_utf8));
    }
    let range = trimmed(masked, start..end);
    if range.start <= inner.start && inner.end <= range.end {
        range
    } else {
        start.min(inner.start)..end.max(inner.end)
    }
}

/// Whether a dash stands between the two ends of a span: "1 Jul - 30 Sep".
pub(crate) fn joins_figures(before: &str, behind: &str) -> bool {
    let mut words = before.split_whitespace().rev().take(2);
    behind.trim_start().starts_with(|c: char| c.is_ascii_digit())
        && words.any(|word| word.contains(|c: char| c.is_ascii_digit()))
}

static BOUNDED: Pattern = pattern(r"(?i)^(?:max(?:imum)?|min(?:imum)?|under|below|at most|at least|up to)\b");

fn is_edge(masked: &str, at: usize, c: char) -> bool {
    let bytes = masked.as_bytes();
    match c {
        '(' | ')' | ';' | '—' | '\n' => true,
        ',' => !(at > 0 && bytes[at - 1].is_ascii_digit() && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)),
        ':' => bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace),
        '–' => masked[..at].ends_with(' '),
        _ => false,
    }
}

/// `text` on one line, at most `bytes_max` bytes, cut at a word.
pub(crate) fn short(text: &str, bytes_max: usize) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            if out.len() + 1 + word.len() > bytes_max {
                break;
            }
            out.push(' ');
        }
        out.push_str(head(word, bytes_max));
    }
    out
}
