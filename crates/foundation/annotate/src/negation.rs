//! What a sentence denies, forbids, leaves out or only mentions.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::LazyLock;

use steadfast_steps::flat;

use crate::clauses::{Clauses, Role, SCOPE_TOKENS_MAX, clauses};
use crate::lexicon::{Class, meant};
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

impl NegationKind {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Negated, Self::Prohibited, Self::Excluded, Self::Avoided, Self::Without, Self::Instead];
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

impl Reach {
    const ALL: [Self; 6] = [Self::Clause, Self::Phrase, Self::Verb, Self::Label, Self::Predicate, Self::Noun];
}

type Cue = (NegationKind, Reach);

use NegationKind::{Avoided, Excluded, Negated, Prohibited, Without};

/// The words that negate, as "negation.excluded.verb" says how; "negation.none" are limits, emphasis and idioms that only look like it.
static PHRASES: LazyLock<Phrases<Cue>> = LazyLock::new(|| {
    Phrases::of_family("negation", |meaning| {
        let mut names = meaning.split('.');
        match names.next() {
            Some("none") => Some((Negated, Reach::Nothing)),
            kind => Some((meant(&NegationKind::ALL, kind)?, meant(&Reach::ALL, names.next())?)),
        }
    })
});

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
    of(&tokens, &clauses(&tokens))
}

/// The negations of a sentence of these tokens and clauses.
pub(crate) fn of(tokens: &[Token<'_>], parts: &Clauses) -> Vec<Negation> {
    find(tokens, parts).into_iter().map(|f| f.negation).collect()
}

fn find(tokens: &[Token<'_>], parts: &Clauses) -> Vec<Found> {
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
        if !goes_on && let Some(found) = read(tokens, parts, at, end, kind, reach) {
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
                    || (low == "never" && is_order(tokens, at) && next.is_some_and(|t| t.is_a(Class::Verb)))
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
                && (previous.is_some_and(|p| p.is_a(Class::Be))
                    || at >= 2
                        && tokens[at - 2].is_a(Class::Be)
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
                        && !word.is_a(Class::Preposition)
                        && !word.is_a(Class::Determiner)
                        && !word.finite)
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
    let verbal = tokens.get(from).is_some_and(|t| t.is_a(Class::Verb) || verbs::is_participle(&t.low));
    while at < end {
        let token = &tokens[at];
        // "prevent leaks and ensure …": another verb.
        let other_verb = token.is_in(&["and", "or"])
            && !verbal
            && tokens.get(at + 1).is_some_and(|t| t.is_a(Class::Verb) && !t.is_a(Class::NounVerb));
        let new_clause = at > from && parts.of[at] != parts.of[at - 1] && !matches!(token.raw, "(" | "[");
        let purpose = new_clause && parts.list[parts.of[at]].role == Role::Purpose && !(verbal && at == from + 1);
        let stops = matches!(token.raw, ";" | "\u{2014}" | "\u{2013}" | ":" | ")" | "]" | "?" | "!")
            || token.raw == "." && tokens.get(at + 1).is_none_or(|t| !t.glued)
            || token.is_in(&["but", "however", "while", "because", "so", "than"])
            || purpose
            || other_verb
            || (at > from && token.is_a(Class::Consequence))
            // "no AR and no drone": the second negation is its own.
            || (at > from && token.is_in(&["no", "not", "without", "nor", "never"]))
            || (token.is_in(&["and", "or"]) && tokens.get(at + 1).is_some_and(|t| t.is_in(&["no", "not", "without"])))
            || (token.finite && !in_relative(parts, at))
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
            return !tokens[at + offset + 2..].iter().take(ITEM_WORDS_MAX).any(|t| t.is_auxiliary());
        }
        if token.is_in(&["but", "which", "while", "who", "so", "it", "we", "they", "the", "this", "to"])
            || token.finite
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

thread_local! {
    /// The negations of the sentence that was asked of last: whoever asks of one of its words mostly asks of others too.
    static LAST: RefCell<(String, Rc<[Found]>)> = RefCell::new((String::new(), Rc::new([])));
}

/// The negations of a sentence, read once where it is asked of again and again.
fn found_in(sentence: &str) -> Rc<[Found]> {
    // To see that it is the same one takes a fraction of a step for a byte.
    flat(8 + sentence.len() / 16, || {
        LAST.with_borrow_mut(|(last, found)| {
            if last != sentence {
                let tokens = scan(sentence);
                (*last, *found) = (sentence.to_owned(), find(&tokens, &clauses(&tokens)).into());
            }
            Rc::clone(found)
        })
    })
}

/// Whether what stands at `range` is negated, forbidden, excluded or avoided.
///
/// A list of banned or excluded things holds whatever stands around it; of the other scopes an odd number has to cover the
/// range ("do not avoid X" demands X). A "no" within the scope of another goes on with it: "no drone and no sensor is used".
#[must_use]
pub fn is_negated(sentence: &str, range: Range<usize>) -> bool {
    let (mut odd, mut is_no) = (false, false);
    for found in &*found_in(sentence) {
        let Negation { cue, scope, .. } = &found.negation;
        let covered =
            scope.start <= range.start && range.end <= scope.end && !(range.start < cue.end && cue.start < range.end);
        if covered {
            if matches!(found.reach, Reach::Label | Reach::Noun) {
                return true;
            }
            let goes_on = sentence[cue.clone()].eq_ignore_ascii_case("no");
            if !(goes_on && is_no) {
                odd = !odd;
            }
            is_no |= goes_on;
        }
    }
    odd
}

/// Tokens between a quotation and the word that says it is one.
const METAWORD_TOKENS_MAX: usize = 4;
/// Bytes to either side in which a quotation and the word beside it stand.
const QUOTED_BYTES_MAX: usize = 200;
/// Tokens of a quotation that can be a term; longer ones are speech.
const TERM_TOKENS_MAX: usize = 8;

/// Whether the words at `range` are talked about, not used: quoted with "the term", in a list of banned words, as the object
/// of a ban, an exclusion or of "avoid" ("compliance with the X ban", "excluded: X"). "Do not use X" negates X, but uses the
/// word: see [`is_negated`].
#[must_use]
pub fn is_mention(sentence: &str, range: Range<usize>) -> bool {
    let overlaps = |other: &Range<usize>| other.start < range.end && range.start < other.end;
    for found in &*found_in(sentence) {
        let Negation { cue, scope, kind } = &found.negation;
        let covered = scope.start <= range.start && range.end <= scope.end;
        let of_ban = matches!(found.reach, Reach::Label | Reach::Noun)
            || (matches!(kind, Prohibited | Excluded | Avoided)
                && matches!(found.reach, Reach::Verb | Reach::Predicate | Reach::Phrase));
        if covered && of_ban && (found.reach == Reach::Label || !overlaps(cue)) {
            return true;
        }
    }
    let from = sentence.floor_char_boundary(range.start.saturating_sub(QUOTED_BYTES_MAX));
    let to = sentence.floor_char_boundary(range.end.saturating_add(QUOTED_BYTES_MAX)).max(from);
    let within = range.start.saturating_sub(from)..range.end.saturating_sub(from);
    quoted_as_words(&scan(&sentence[from..to]), &within)
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
    tokens[open.saturating_sub(METAWORD_TOKENS_MAX)..open].iter().any(|t| t.is_a(Class::Metaword))
        || tokens[close..tokens.len().min(close + 1 + METAWORD_TOKENS_MAX)].iter().any(|t| t.is_a(Class::Metaword))
}
