//! What a sentence denies, forbids, leaves out or only mentions.

use std::ops::Range;
use std::sync::LazyLock;

use crate::clauses::{Clauses, Role, SCOPE_TOKENS_MAX, clauses};
use crate::verbs;
use crate::words::{Kind, Phrases, Token, bytes, is_dash, is_hyphen, scan};

/// How something is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NegationKind {
    /// "not", "never", "no X", "neither", "lacks", "fails to".
    Negated,
    /// "must not", "do not", "banned words: …", "prohibit", "forbid", "the ban on X".
    Prohibited,
    /// "excluding", "except", "out of scope", "beyond", "non-goals: …".
    Excluded,
    /// "avoid", "steer clear of", "refrain from", "prevent".
    Avoided,
    /// "without X", "free of X", "X-free", "non-X".
    Without,
    /// "rather than X", "instead of X": X is set against something else.
    Instead,
}

/// One negation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negation {
    /// The cue, in bytes of the sentence.
    pub cue: Range<usize>,
    /// What it negates, in bytes. It contains the cue.
    pub scope: Range<usize>,
    /// How.
    pub kind: NegationKind,
}

/// How far a cue reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// To the end of its clause and what is embedded in it, but not past "but".
    Clause,
    /// The noun phrases that follow, with their list.
    Phrase,
    /// As a participle after "be" the whole clause ("X is banned"), else the phrases that follow.
    Verb,
    /// A label: with a colon everything to the end of the sentence; else the clause.
    Label,
    /// Said of the clause that it ends ("X is out of scope"), or a label.
    Predicate,
    /// A noun: "the ban on X" or "the X ban".
    Noun,
    /// Looks like a negation and is none.
    Nothing,
}

type Cue = (NegationKind, Reach);

use NegationKind::{Avoided, Excluded, Instead, Negated, Prohibited, Without};

const CUES: &[(&str, Cue)] = &[
    // Limits, emphasis and idioms: no negation.
    (
        "not only|not just|not merely|not simply|not solely|not exclusively|not alone|not limited to|not least|not to mention|whether or not|or not|if not|no doubt|without doubt|without a doubt|without question|without fail|no wonder|no matter|no later than|not later than|no more than|not more than|no less than|not less than|no fewer than|not fewer than|no earlier than|not exceed|not to exceed|nothing but|none other than|cannot but|can not but|not uncommon|not unlike|not unusual|not unlikely|not impossible|no sooner|last but not least|why not|no code|no brainer|nothing less than|nothing short of|isn't just|isn't only|aren't just|is not just|cannot wait|no one size|more often than not|never mind",
        (Negated, Reach::Nothing),
    ),
    ("not until", (Negated, Reach::Nothing)),
    (
        "not|never|cannot|can't|won't|isn't|aren't|wasn't|weren't|doesn't|didn't|hasn't|haven't|hadn't|wouldn't|couldn't|mightn't|no longer|hardly|scarcely|unable to|refuse to|refuses to|refused to|decline to|declines to|declined to|fail to|fails to|failed to|failing to|cease to|ceases to|stop short of",
        (Negated, Reach::Clause),
    ),
    (
        "shouldn't|mustn't|shan't|must not|shall not|should not|must never|shall never|should never|may never|are not to|is not to|under no circumstances|at no point|at no time",
        (Prohibited, Reach::Clause),
    ),
    ("no|none of|nobody|no one|nothing|none|neither|nor|zero", (Negated, Reach::Phrase)),
    (
        "failure to|inability to|lack of|lacks|lack|lacking|lacked|absence of|absent|devoid of|short of",
        (Negated, Reach::Phrase),
    ),
    ("without|free of|free from|minus", (Without, Reach::Phrase)),
    ("rather than|instead of|as opposed to|in place of|in lieu of|not so much", (Instead, Reach::Phrase)),
    (
        "avoid|avoids|avoiding|avoided|steer clear of|steers clear of|steering clear of|stay away from|keep away from|refrain from|refrains from|refraining from|abstain from|shy away from|eschew|eschews|eschewing|avoidance of|prevent|prevents|preventing|prevention of",
        (Avoided, Reach::Verb),
    ),
    (
        "exclude|excludes|excluding|excluded|exclusion of|omit|omits|omitting|omitted|leave out|leaves out|leaving out|reject|rejects|rejecting|rejected|rejection of|rule out|rules out|ruling out|ruled out|discard|discards|discarded|eliminate the need for|eliminates the need for|eliminating the need for|remove the need for|removes the need for",
        (Excluded, Reach::Verb),
    ),
    (
        "except|except for|other than|with the exception of|but not|apart from|save for|beyond the scope of|outside the scope of|outside of the scope of|outside of",
        (Excluded, Reach::Phrase),
    ),
    (
        "out of scope|not in scope|beyond scope|outside scope|beyond the scope|outside the scope|off the table|off limits",
        (Excluded, Reach::Predicate),
    ),
    (
        "non goals|non goal|nongoals|exclusions|not included|what we do not do|excluded items|excluded from scope",
        (Excluded, Reach::Label),
    ),
    (
        "banned words|banned word|banned terms|banned term|banned concepts|banned concept|banned phrases|banned technologies|banned topics|banned list|banned items|banned keywords|forbidden words|forbidden terms|forbidden concepts|forbidden technologies|prohibited words|prohibited terms|prohibited concepts|prohibited technologies|prohibited keywords|disallowed terms|disallowed words|blacklisted words|blocked words|words to avoid|terms to avoid|things to avoid|do not use the following|do not use these|do not mention|don't mention",
        (Prohibited, Reach::Label),
    ),
    (
        "prohibit|prohibits|prohibiting|prohibited|forbid|forbids|forbidding|forbidden|disallow|disallows|disallowed|disallowing|bans|banned|banning|outlaw|outlaws|outlawed|not allowed|not permitted|impermissible|verboten",
        (Prohibited, Reach::Verb),
    ),
    ("ban|prohibition|bans on|embargo|moratorium", (Prohibited, Reach::Noun)),
];

static PHRASES: LazyLock<Phrases<Cue>> = LazyLock::new(|| Phrases::new(CUES));

/// A negation with how it came about.
struct Found {
    negation: Negation,
    reach: Reach,
}

/// Every negation of a sentence (or of a list item, or a whole block), in order. Linear in its length.
///
/// Left alone: limits ("no more than"), emphasis ("not only … but", "no doubt"), a bare "beyond" and a bare "No,".
#[must_use]
pub fn negations(sentence: &str) -> Vec<Negation> {
    let tokens = scan(sentence);
    find(&tokens).into_iter().map(|f| f.negation).collect()
}

fn find(tokens: &[Token<'_>]) -> Vec<Found> {
    let parts = clauses(tokens);
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(found) = affix(tokens, at) {
            out.push(found);
        }
        let Some(((kind, reach), end)) = PHRASES.at(tokens, at) else {
            at += 1;
            continue;
        };
        // "neither … nor", "not … nor": one negation.
        let goes_on = tokens[at].is("nor")
            && out
                .iter()
                .rev()
                .take(8)
                .any(|f: &Found| f.negation.kind == Negated && f.negation.scope.end > tokens[at].range.start);
        if !goes_on && let Some(found) = read(tokens, &parts, at, end, kind, reach) {
            out.push(found);
        }
        at = end;
    }
    out
}

/// "non-X" and "X-free".
fn affix(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    let hyphen = tokens.get(at + 1).filter(|t| is_hyphen(t.raw) && t.glued)?;
    let after = tokens.get(at + 2).filter(|t| t.glued && t.kind != Kind::Mark)?;
    let scope = tokens[at].range.start..after.range.end;
    let cue = if tokens[at].is("non")
        && !after.is_in(&["goal", "goals", "profit", "negotiable", "governmental", "fungible"])
    {
        tokens[at].range.start..hyphen.range.end
    } else if after.is("free") && !tokens[at].is_in(&["risk", "hands", "duty", "toll", "tax", "stress", "carefree"]) {
        hyphen.range.start..after.range.end
    } else {
        return None;
    };
    Some(Found { negation: Negation { cue, scope, kind: Without }, reach: Reach::Phrase })
}

fn read(
    tokens: &[Token<'_>],
    parts: &Clauses,
    at: usize,
    end: usize,
    kind: NegationKind,
    reach: Reach,
) -> Option<Found> {
    let previous = at.checked_sub(1).map(|p| &tokens[p]);
    let before = |words: &[&str]| previous.is_some_and(|p| p.is_in(words));
    let next = tokens.get(end);
    let mut kind = kind;
    let low = tokens[at].low.as_ref();
    if reach == Reach::Nothing {
        return None;
    }
    let compound = next.is_some_and(|t| is_hyphen(t.raw) && t.glued);
    if compound && !matches!(reach, Reach::Label | Reach::Noun) {
        return None;
    }
    let clause = parts.of[at];
    let (from, to) = match reach {
        Reach::Clause => {
            if kind == Negated && matches!(low, "not" | "never") {
                kind = if before(&["do"]) && is_order(tokens, at - 1)
                    || (low == "never" && is_order(tokens, at) && next.is_some_and(|t| verbs::is_base_verb(&t.low)))
                {
                    Prohibited
                } else {
                    Negated
                };
                // "not X but Y" reaches to the "but".
            }
            (at, clause_end(tokens, parts, clause, end))
        }
        Reach::Phrase => {
            let compound = previous.is_some_and(|p| is_hyphen(p.raw)) && tokens[at].glued;
            let answer = compound || low == "no" && next.is_none_or(|t| !t.is_word());
            let idiom = low == "zero"
                && next.is_some_and(|t| {
                    t.is_in(&["in", "to", "day", "trust", "knowledge", "sum", "emission", "emissions"])
                });
            if answer || idiom || (low == "outside" && at == 0) {
                return None;
            }
            // "There must be no X", "should have no X".
            if low == "no" && tokens[at.saturating_sub(2)..at].iter().any(|t| t.is_in(&["must", "shall", "should"])) {
                kind = Prohibited;
            }
            // "No lender will pay": the clause says that it does not happen.
            let subject = matches!(low, "no" | "none" | "nobody" | "nothing" | "neither" | "zero")
                && parts.list[clause].tokens.start == at;
            let to = if subject { clause_end(tokens, parts, clause, end) } else { phrase_end(tokens, parts, end) };
            // "failure to land, delays and costs": the list is seldom all that fails.
            let single = matches!(low, "failure" | "inability");
            let comma = (end..to).find(|&i| single && tokens[i].raw == ",");
            (at, comma.unwrap_or(to))
        }
        Reach::Verb => {
            // "prevents X from …", "is avoided", "excluded: …".
            let participle =
                low.ends_with("ed") || low.ends_with("en") || low == "impermissible" || low == "not" || low == "ruled";
            let passive = participle
                && (before(verbs::BE)
                    || at >= 2
                        && tokens[at - 2].is_in(verbs::BE)
                        && (tokens[at - 1].low.ends_with("ly") || before(&["also", "not", "now", "be", "been"])));
            // "X is not banned": neither cue says that X is left out; the "not" stays, for what follows it.
            if passive
                && (at.saturating_sub(2)..at).any(|i| tokens[i].is_in(&["not", "isn't", "aren't", "never", "longer"]))
            {
                return None;
            }
            if next.is_some_and(|t| t.raw == ":") {
                // "Excluded: …" is a list; "Reject: …" is a heading.
                if !participle && !low.starts_with("avoid") {
                    return None;
                }
                (at, sentence_end(tokens, end))
            } else if passive {
                (parts.list[clause].tokens.start, clause_end(tokens, parts, clause, end))
            } else {
                (at, phrase_end(tokens, parts, end))
            }
        }
        Reach::Label => {
            let colon = next.is_some_and(|t| t.raw == ":" || is_dash(t.raw))
                || tokens.get(end + 1).is_some_and(|t| t.raw == ":");
            if colon || kind == Prohibited {
                (at, sentence_end(tokens, end))
            } else {
                (at, clause_end(tokens, parts, clause, end))
            }
        }
        Reach::Predicate => {
            if next.is_some_and(|t| t.raw == ":") {
                (at, sentence_end(tokens, end))
            } else {
                (parts.list[clause].tokens.start, clause_end(tokens, parts, clause, end))
            }
        }
        Reach::Noun => {
            if next.is_some_and(|t| t.is_in(&["on", "of", "against"])) {
                (at, phrase_end(tokens, parts, end + 1))
            } else if low == "ban"
                && (before(&["to", "will", "must", "should", "we", "they", "not"])
                    || (at == 0 && next.is_some_and(Token::is_word)))
            {
                (at, phrase_end(tokens, parts, end))
            } else {
                let mut from = at;
                while from > 0 && at - from < BAN_WORDS_MAX {
                    let word = &tokens[from - 1];
                    let inside = (word.is_word()
                        && !word.is_in(verbs::PREPOSITIONS)
                        && !word.is_in(verbs::DETERMINERS)
                        && !verbs::is_finite(&word.low))
                        || is_hyphen(word.raw)
                        || matches!(
                            word.raw,
                            "/" | "\"" | "'" | "\u{201C}" | "\u{201D}" | "\u{2018}" | "\u{2019}" | "`"
                        );
                    if !inside {
                        break;
                    }
                    from -= 1;
                }
                (from, end)
            }
        }
        Reach::Nothing => return None,
    };
    let mut to = to.max(end);
    while to > end && matches!(tokens[to - 1].raw, "." | "," | ";" | ":" | "!" | "?") {
        to -= 1;
    }
    let mut scope = bytes(tokens, from, to);
    let cue = bytes(tokens, at, end);
    // A parenthesis may open the clause: the cue is always inside.
    scope.start = scope.start.min(cue.start);
    Some(Found { negation: Negation { cue, scope, kind }, reach })
}

/// Words before "ban" that can be what is banned.
const BAN_WORDS_MAX: usize = 6;

/// Whether an order begins at `at`: at the head, or after a mark that parts clauses, "please" or "and".
fn is_order(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(previous) = at.checked_sub(1).map(|p| &tokens[p]) else { return true };
    (!previous.is_word() && previous.kind != Kind::Number && !matches!(previous.raw, ")" | "%"))
        || previous.is_in(&["please", "and", "but", "so", "then"])
        || (previous.kind == Kind::Number && at == 1)
}

/// One past what a negated predicate covers: the clause and what it embeds, up to "but", a coordinated clause, a dash.
fn clause_end(tokens: &[Token<'_>], parts: &Clauses, clause: usize, from: usize) -> usize {
    let end = parts.end_from(clause, from);
    let mut at = from;
    while at < end {
        let token = &tokens[at];
        let stops = matches!(token.raw, ";" | "\u{2014}" | "\u{2013}")
            || token.is("and")
                && tokens.get(at + 1).is_some_and(|t| {
                    verbs::is_participle(&t.low) && verbs::is_participle(&tokens[from.saturating_sub(2)].low)
                        || t.is_in(&["it", "we", "they", "this"])
                })
            || token.is_in(&["but", "however", "rather", "instead"])
                && !tokens.get(at + 1).is_some_and(|t| t.is("than") || t.is("of"))
            || token.raw == ","
                && tokens.get(at + 1).is_some_and(|t| {
                    t.is_in(&[
                        "but", "so", "which", "while", "yet", "instead", "rather", "only", "just", "it", "we", "they",
                        "this",
                    ]) || verbs::is_participle(&t.low) && !t.is_in(&["including", "excluding"])
                })
            || matches!(token.raw, "." | "!" | "?") && tokens.get(at + 1).is_some_and(|t| !t.glued && t.is_capital());
        if stops {
            break;
        }
        // ", and X will": a clause of its own is not part of `clause` already; a new main clause ends it.
        if at > from
            && parts.of[at] != parts.of[at - 1]
            && parts.list[parts.of[at]].role == Role::Main
            && !parts.is_under(parts.of[at], clause)
        {
            break;
        }
        at += 1;
    }
    at
}

/// One past the noun phrases from `from`: a comma goes on only while a list does.
fn phrase_end(tokens: &[Token<'_>], parts: &Clauses, from: usize) -> usize {
    let Some(&clause) = parts.of.get(from) else { return from };
    let end = parts.end_from(clause, from);
    let mut at = from;
    let mut commas = 0;
    let verbal = tokens.get(from).is_some_and(|t| verbs::is_base_verb(&t.low) || verbs::is_participle(&t.low));
    while at < end {
        let token = &tokens[at];
        // "prevent leaks and ensure …": another verb.
        let other_verb = token.is_in(&["and", "or"])
            && !verbal
            && tokens.get(at + 1).is_some_and(|t| verbs::is_base_verb(&t.low) && !verbs::is_also_noun(&t.low));
        let new_clause = at > from && parts.of[at] != parts.of[at - 1] && !matches!(token.raw, "(" | "[");
        let purpose = new_clause && parts.list[parts.of[at]].role == Role::Purpose && !(verbal && at == from + 1);
        let stops = matches!(token.raw, ";" | "\u{2014}" | "\u{2013}" | ":" | ")" | "]" | "?" | "!")
            || token.raw == "." && tokens.get(at + 1).is_none_or(|t| !t.glued)
            || token.is_in(&["but", "however", "while", "because", "so", "than"])
            || purpose
            || other_verb
            || (at > from && token.is_in(CONSEQUENCES))
            // "no AR and no drone": the second negation is its own.
            || (at > from && token.is_in(&["no", "not", "without", "nor", "never"]))
            || (token.is_in(&["and", "or"]) && tokens.get(at + 1).is_some_and(|t| t.is_in(&["no", "not", "without"])))
            || (verbs::is_finite(&token.low) && !in_relative(parts, at))
            || token.raw == "," && !list_goes_on(tokens, at, commas);
        if stops {
            break;
        }
        commas += usize::from(token.raw == ",");
        at += 1;
    }
    at
}

fn in_relative(parts: &Clauses, at: usize) -> bool {
    let clause = &parts.list[parts.of[at]];
    clause.role == Role::Embedded && clause.tokens.start < at
}

/// Verbs, as often nouns, that say what comes of a lack or a failure.
const CONSEQUENCES: &[&str] = &[
    "results",
    "leads",
    "causes",
    "creates",
    "poses",
    "jeopardises",
    "jeopardizes",
    "triggers",
    "increases",
    "delays",
    "harms",
    "breeds",
    "breed",
    "threatens",
    "risks",
];

/// Words of one item of a list.
const ITEM_WORDS_MAX: usize = 5;

/// Whether the comma at `at` parts items of a list: a short item, then another comma, "and", "or" or "nor".
fn list_goes_on(tokens: &[Token<'_>], at: usize, commas_before: usize) -> bool {
    let mut words = 0;
    for (offset, token) in tokens[at + 1..].iter().enumerate() {
        if token.is_in(&["and", "or", "nor"]) {
            // "without a map, and …": two things need no comma.
            if offset == 0 && commas_before == 0 && token.is("and") {
                return false;
            }
            // ", and the team will": no item.
            return !tokens[at + offset + 2..].iter().take(ITEM_WORDS_MAX).any(|t| verbs::is_auxiliary(&t.low));
        }
        if token.is_in(&["but", "which", "while", "who", "so", "it", "we", "they", "the", "this", "to"])
            || verbs::is_finite(&token.low)
            || verbs::is_participle(&token.low)
        {
            return false;
        }
        if token.raw == "," {
            return true;
        }
        if !token.is_word()
            && !is_hyphen(token.raw)
            && token.kind != Kind::Number
            && !matches!(token.raw, "/" | "&" | "\"" | "'" | "`")
        {
            return false;
        }
        words += 1;
        if words > ITEM_WORDS_MAX {
            return false;
        }
    }
    false
}

/// One past the last token of the sentence that `from` stands in, its full stop left out.
fn sentence_end(tokens: &[Token<'_>], from: usize) -> usize {
    let limit = tokens.len().min(from.saturating_add(SCOPE_TOKENS_MAX));
    for at in from..limit {
        let ends = matches!(tokens[at].raw, "." | "!" | "?")
            && tokens.get(at + 1).is_none_or(|t| !t.glued && t.is_capital() && !is_last_item(tokens, at));
        if ends {
            return at;
        }
    }
    limit
}

/// "etc." and the like do not end a list.
fn is_last_item(tokens: &[Token<'_>], stop: usize) -> bool {
    stop > 0 && tokens[stop - 1].is_in(&["etc", "vs", "no", "approx"])
}

/// Whether what stands at `range` is negated, forbidden, excluded or avoided.
///
/// A list of banned or excluded things holds whatever stands around it; of the other scopes an odd number has to cover the
/// range ("do not avoid X" demands X).
#[must_use]
pub fn is_negated(sentence: &str, range: Range<usize>) -> bool {
    let tokens = scan(sentence);
    let mut odd = false;
    for found in find(&tokens) {
        let Negation { cue, scope, .. } = &found.negation;
        let covered =
            scope.start <= range.start && range.end <= scope.end && !(range.start < cue.end && cue.start < range.end);
        if covered {
            if matches!(found.reach, Reach::Label | Reach::Noun) {
                return true;
            }
            odd = !odd;
        }
    }
    odd
}

/// Words that say that what stands in quotes beside them is meant as words.
const METAWORDS: &[&str] = &[
    "term",
    "terms",
    "word",
    "words",
    "label",
    "labels",
    "labelled",
    "labeled",
    "phrase",
    "phrases",
    "acronym",
    "keyword",
    "keywords",
    "called",
    "named",
    "wording",
    "expression",
    "notion",
    "banned",
    "forbidden",
    "prohibited",
    "mention",
    "mentions",
    "mentioning",
    "string",
    "spelled",
    "name",
    "jargon",
    "buzzword",
    "buzzwords",
    "vocabulary",
    "terminology",
];

/// Tokens between a quotation and the word that says it is one.
const METAWORD_TOKENS_MAX: usize = 4;
/// Tokens of a quotation that can be a term; longer ones are speech.
const TERM_TOKENS_MAX: usize = 8;

/// Whether the words at `range` are talked about, not used: quoted with "the term", in a list of banned words, as the object
/// of a ban, an exclusion or of "avoid" ("compliance with the X ban", "excluded: X"). "Do not use X" negates X, but uses the
/// word: see [`is_negated`].
#[must_use]
pub fn is_mention(sentence: &str, range: Range<usize>) -> bool {
    let tokens = scan(sentence);
    let overlaps = |other: &Range<usize>| other.start < range.end && range.start < other.end;
    for found in find(&tokens) {
        let Negation { cue, scope, kind } = &found.negation;
        let covered = scope.start <= range.start && range.end <= scope.end;
        let of_ban = matches!(found.reach, Reach::Label | Reach::Noun)
            || (matches!(kind, Prohibited | Excluded | Avoided)
                && matches!(found.reach, Reach::Verb | Reach::Predicate | Reach::Phrase));
        if covered && of_ban && (found.reach == Reach::Label || !overlaps(cue)) {
            return true;
        }
    }
    quoted_as_words(&tokens, &range)
}

/// Whether `range` stands in a short quotation beside a word like "term".
fn quoted_as_words(tokens: &[Token<'_>], range: &Range<usize>) -> bool {
    let is_quote = |raw: &str| {
        matches!(
            raw,
            "\"" | "'" | "`" | "\u{201C}" | "\u{201D}" | "\u{2018}" | "\u{2019}" | "\u{AB}" | "\u{BB}" | "\u{201E}"
        )
    };
    let first = tokens.partition_point(|t| t.range.end <= range.start);
    let past = tokens.partition_point(|t| t.range.start < range.end);
    let low = first.saturating_sub(TERM_TOKENS_MAX);
    let Some(open) = (low..first).rev().find(|&i| is_quote(tokens[i].raw)) else { return false };
    let Some(close) = (past..tokens.len().min(past + TERM_TOKENS_MAX)).find(|&i| is_quote(tokens[i].raw)) else {
        return false;
    };
    if close - open > TERM_TOKENS_MAX + 1 {
        return false;
    }
    tokens[open.saturating_sub(METAWORD_TOKENS_MAX)..open].iter().any(|t| t.is_in(METAWORDS))
        || tokens[close..tokens.len().min(close + 1 + METAWORD_TOKENS_MAX)].iter().any(|t| t.is_in(METAWORDS))
}
