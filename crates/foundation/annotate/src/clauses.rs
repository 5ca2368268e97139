//! Clauses of a sentence, by closed-class words and punctuation.
//!
//! No parser: a clause begins at a subordinator, a relative pronoun, a colon, a semicolon, a dash, a bracket, a conjunction
//! followed by a new predicate, or an infinitive of purpose. What is embedded ("that …", ", ensuring …", "to …") stands
//! under the clause before it, and the marks of that clause reach into it.

use std::ops::Range;

use crate::lexicon::Class;
use crate::verbs;
use crate::words::{Token, is_dash};

/// What a clause is to the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Stands by itself or beside another.
    Main,
    /// Under the clause before it, which governs it as well.
    Embedded,
    /// An infinitive of purpose, under the clause before it.
    Purpose,
    /// "if …", "unless …".
    Condition,
    /// "because …", ", which …": says something of its own.
    Aside,
}

/// One clause.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) role: Role,
    /// The clause that governs it as well.
    pub(crate) parent: Option<usize>,
    /// Token indices from its first to past its last; a parenthesis inside belongs to another clause.
    pub(crate) tokens: Range<usize>,
    /// Holds a finite verb.
    pub(crate) predicate: bool,
}

/// All clauses and, for each token, the clause that it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Clauses {
    pub(crate) list: Vec<Clause>,
    pub(crate) of: Vec<usize>,
}

/// Tokens that one mark can govern: a sentence of prose is far shorter, and what is no prose stays linear.
pub(crate) const SCOPE_TOKENS_MAX: usize = 500;
/// Clauses within clauses that a mark reaches down to.
const EMBEDDING_LEVELS_MAX: usize = 16;

impl Clauses {
    /// Whether `clause` is `ancestor` or stands under it.
    pub(crate) fn is_under(&self, clause: usize, ancestor: usize) -> bool {
        let mut at = clause;
        for _ in 0..EMBEDDING_LEVELS_MAX {
            if at == ancestor {
                return true;
            }
            // Parents have a smaller index.
            match self.list[at].parent {
                Some(parent) if parent < at => at = parent,
                _ => return false,
            }
        }
        false
    }

    /// The clause that the sentence as a whole says: the first main clause with a predicate, else the first main one.
    pub(crate) fn main(&self) -> usize {
        let main = |c: &&(usize, &Clause)| c.1.role == Role::Main;
        let all: Vec<_> = self.list.iter().enumerate().collect();
        all.iter()
            .filter(main)
            .find(|(_, c)| c.predicate)
            .or_else(|| all.iter().find(|c| main(c)))
            .map_or(0, |(i, _)| *i)
    }

    /// One past the last token that `clause` or what stands under it covers, without a gap from `from`.
    pub(crate) fn end_from(&self, clause: usize, from: usize) -> usize {
        let limit = self.of.len().min(from.saturating_add(SCOPE_TOKENS_MAX));
        (from..limit).find(|&i| !self.is_under(self.of[i], clause)).unwrap_or(limit)
    }
}

/// Whether a condition begins at `at`.
fn condition(tokens: &[Token<'_>], at: usize) -> bool {
    let next = |offset: usize, words: &[&str]| tokens.get(at + offset).is_some_and(|t| t.is_in(words));
    let token = &tokens[at];
    match token.low.as_ref() {
        "if" => at == 0 || !tokens[at - 1].is("as"),
        "unless" | "assuming" | "whether" => true,
        "provided" | "providing" => next(1, &["that", "the", "it", "we", "they"]) && next(1, &["that"]),
        "as" => next(1, &["long"]) && next(2, &["as"]),
        "in" => (next(1, &["case"])) || (next(1, &["the"]) && next(2, &["event"])),
        "subject" => next(1, &["to"]),
        "contingent" | "conditional" | "depending" | "dependent" => next(1, &["on", "upon"]),
        "should" => at == 0 && tokens.last().is_none_or(|t| t.raw != "?"),
        _ => false,
    }
}

/// Whether a finite verb stands in `tokens[from..]` before the next mark that parts clauses.
fn predicate_ahead(tokens: &[Token<'_>], from: usize, words_max: usize) -> bool {
    for token in tokens.iter().skip(from).take(words_max) {
        if token.finite {
            return true;
        }
        if token.is_in(&[",", ";", ":", "(", ")", "and", "or", "but", "that", "which", "who"]) || is_dash(token.raw) {
            return false;
        }
    }
    false
}

/// Whether a predicate without a subject of its own begins at `at`: "will …", "also might …".
fn verb_group(tokens: &[Token<'_>], at: usize) -> bool {
    let skip = usize::from(
        tokens.get(at).is_some_and(|t| t.is_word() && (t.low.ends_with("ly") || t.is_in(&["also", "then"]))),
    );
    tokens.get(at + skip).is_some_and(|t| t.finite)
}

/// ", ensuring …", ", potentially saving …".
fn result_participle(tokens: &[Token<'_>], at: usize) -> bool {
    let low = tokens[at].low.as_ref();
    verbs::is_participle(low)
        || (low.ends_with("ly") && tokens.get(at + 1).is_some_and(|t| verbs::is_participle(&t.low)))
}

/// Words of subject that are looked through for a new predicate after a conjunction.
const SUBJECT_WORDS_MAX: usize = 7;
/// Words within which a causing verb takes an infinitive.
const CAUSING_WORDS_MAX: usize = 6;

/// Parts a sentence into clauses. Linear in the number of tokens.
#[expect(clippy::too_many_lines, reason = "one pass with one state; the rules read in the order in which they win")]
pub(crate) fn clauses(tokens: &[Token<'_>]) -> Clauses {
    let first = Clause { role: Role::Main, parent: None, tokens: 0..0, predicate: false };
    let mut list = vec![first];
    let mut of = Vec::with_capacity(tokens.len());
    let mut current = 0usize;
    let mut brackets: Vec<usize> = Vec::new();
    // The main clause that a comma may lead back to.
    let mut resume = 0usize;

    for (i, token) in tokens.iter().enumerate() {
        let at_head = list[current].tokens.start == list[current].tokens.end && current == 0 && i < 3;
        let previous = i.checked_sub(1).map(|p| &tokens[p]);
        let after_comma = previous.is_some_and(|p| p.raw == ",");
        let mut open: Option<(Role, Option<usize>)> = None;
        let low = token.low.as_ref();

        if matches!(low, "(" | "[") {
            brackets.push(current);
            open = Some((Role::Embedded, Some(current)));
        } else if previous.is_some_and(|p| matches!(p.raw, ")" | "]"))
            && let Some(back) = brackets.pop()
        {
            current = back;
        }
        if open.is_none() {
            if previous.is_some_and(|p| p.raw == ";" || p.raw == ":" || is_dash(p.raw)) {
                let dash = previous.is_some_and(|p| is_dash(p.raw) && p.glued && token.glued);
                if !dash {
                    let colon = previous.is_some_and(|p| p.raw != ";");
                    let own = predicate_ahead(tokens, i, 25) || !list[current].predicate || token.is_capital();
                    open = Some(if colon && !own { (Role::Embedded, Some(current)) } else { (Role::Main, None) });
                }
            } else if previous.is_some_and(|p| matches!(p.raw, "." | "!" | "?")) && token.is_capital() && !token.glued {
                open = Some((Role::Main, None));
            } else if condition(tokens, i) {
                open = Some((Role::Condition, None));
            } else if token.is_a(Class::Subordinator)
                && (!matches!(low, "since" | "until" | "once") || predicate_ahead(tokens, i + 1, SUBJECT_WORDS_MAX))
            {
                open = Some((Role::Aside, None));
            } else if low == "so" && tokens.get(i + 1).is_some_and(|t| t.is("that")) {
                open = Some((Role::Purpose, Some(current)));
            } else if low == "to"
                && tokens.get(i + 1).is_some_and(|t| {
                    t.is_a(Class::Verb)
                        || (t.low.ends_with("ly") && tokens.get(i + 2).is_some_and(|n| n.is_a(Class::Verb)))
                })
                && !previous.is_some_and(|p| p.is_a(Class::Raising))
                && !tokens[i.saturating_sub(CAUSING_WORDS_MAX)..i].iter().any(|t| t.is_a(Class::Causing))
                // "access to support": before a noun that ends there "to" is a preposition.
                && !(tokens.get(i + 1).is_some_and(|t| t.is_a(Class::NounVerb))
                    && tokens.get(i + 2).is_none_or(|t| !t.is_word() || t.is_in(&["and", "or", "is", "are", "for", "of"])))
            {
                open = Some((Role::Purpose, (i > 0).then_some(current)));
            } else if matches!(low, "which" | "who" | "whose" | "where") && after_comma {
                open = Some((Role::Aside, None));
            } else if (matches!(low, "that" | "which" | "who")
                && i > 0
                && predicate_ahead(tokens, i + 1, SUBJECT_WORDS_MAX))
                || (after_comma
                    && !at_head
                    && result_participle(tokens, i)
                    // "Conversely, finishing early could …": a subject.
                    && (list[current].predicate || !predicate_ahead(tokens, i, SUBJECT_WORDS_MAX + 5)))
            {
                open = Some((Role::Embedded, Some(current)));
            } else if token.is_a(Class::Coordinator) {
                let subject = predicate_ahead(tokens, i + 1, SUBJECT_WORDS_MAX);
                if verb_group(tokens, i + 1) || subject {
                    let back = if matches!(list[current].role, Role::Condition | Role::Aside) && !after_comma {
                        (list[current].role, list[current].parent)
                    } else if list[current].role == Role::Embedded && !after_comma && !subject {
                        (Role::Embedded, list[current].parent)
                    } else {
                        (Role::Main, None)
                    };
                    open = Some(back);
                }
            } else if after_comma && list[current].role != Role::Main && brackets.is_empty() {
                let head = list[current].tokens.start <= 2;
                let leaves = matches!(list[current].role, Role::Condition | Role::Aside | Role::Purpose);
                if leaves
                    && (head || verb_group(tokens, i) || (token.is_a(Class::Pronoun) && verb_group(tokens, i + 1)))
                {
                    if head {
                        open = Some((Role::Main, None));
                    } else {
                        current = resume;
                    }
                }
            } else if after_comma && token.is_a(Class::Pronoun) && verb_group(tokens, i + 1) {
                open = Some((Role::Main, None));
            }
        }
        if let Some((role, parent)) = open {
            // A clause that has not begun yet is no parent and is taken over.
            if list[current].tokens.is_empty() && brackets.last() != Some(&current) {
                list[current].role = role;
            } else {
                list.push(Clause { role, parent, tokens: i..i, predicate: false });
                current = list.len() - 1;
            }
            if role == Role::Main {
                resume = current;
            }
        }
        let clause = &mut list[current];
        if clause.tokens.is_empty() {
            clause.tokens = i..i + 1;
        } else {
            clause.tokens.end = i + 1;
        }
        clause.predicate |= token.finite;
        of.push(current);
    }
    merge_subjects(&mut list, &mut of);
    Clauses { list, of }
}

/// "Costs, delays, and risks will rise": what was parted before the predicate came is one clause.
fn merge_subjects(list: &mut [Clause], of: &mut [usize]) {
    // For each clause the one that took over its tokens.
    let mut taken: Vec<usize> = (0..list.len()).collect();
    for i in 1..list.len() {
        let before = i - 1;
        let joins = list[i].role == Role::Main
            && list[before].role == Role::Main
            && !list[before].predicate
            && list[before].tokens.end == list[i].tokens.start;
        if joins {
            let start = list[before].tokens.start;
            taken[before] = i;
            list[before].tokens = start..start;
            list[before].role = Role::Aside;
            list[i].tokens.start = start;
        }
    }
    // Each was taken over by one behind it: from the last on, one look leads to the end.
    for i in (0..taken.len()).rev() {
        taken[i] = taken[taken[i]];
    }
    for clause in of {
        *clause = taken[*clause];
    }
}
