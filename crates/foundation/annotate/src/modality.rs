//! How strongly a sentence says what it says: hedges, boosters, modals and their scope.
//!
//! The scale orders *how much the writer stands behind a claim*, from doubt to certainty. It is built from four sources:
//! Saurí & Pustejovsky, "FactBank" (2009): factuality as polarity × certainty (possible, probable, certain), where each
//! embedding predicate ("aims to", "according to") can only weaken what it embeds; Hyland, "Metadiscourse" (2005): the
//! hedge and booster lists; Kent, "Words of Estimative Probability" (1964): the order of probability words; Palmer, "Mood
//! and Modality" (2001): deontic (obligation, permission) against epistemic (likelihood), kept apart here as
//! [`MarkKind::Deontic`] and [`MarkKind::Modal`].

use std::ops::Range;
use std::sync::LazyLock;

use crate::clauses::{Clauses, Role, clauses};
use crate::lexicon::{Class, meant};
use crate::words::{Kind, Phrases, Token, bytes, is_dash, is_hyphen, scan};

/// How strongly something is claimed, from weakest to strongest.
///
/// The order is ours; each level says where its words come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// "unlikely", "doubtful", "cannot be assumed": Kent's *probably not* and below; FactBank's PR− and PS−.
    Doubted,
    /// "might", "could", "may", "possibly", "perhaps", "potential": FactBank's *possible*, Kent's *chances about even*;
    /// also what stands under "if" and in a question, which FactBank leaves uncommitted.
    Possible,
    /// "can", "would", "hope", "explore", "consider", "aspire": ability, hypothesis or wish, no plan yet (Palmer's dynamic
    /// modality; Hyland's hedges).
    Tentative,
    /// "likely", "probably", "expected", "anticipated", "should": FactBank's and Kent's *probable*.
    Likely,
    /// "aim", "plan to", "intend", "seek", "in order to", "is designed to", and directives: the writer wants it and
    /// acts for it, the outcome is left open.
    Intended,
    /// The plain indicative: "is", "reduces", "enables". FactBank's *certain* without any mark.
    Asserted,
    /// "will", "shall", "must", "required", "is going to": a promise or an obligation (Palmer's deontic and commissive).
    Committed,
    /// "guarantee", "ensures", "proven", "definitely", "always", "100 %", "eliminates", "no risk": Hyland's boosters,
    /// Kent's *certain*.
    Certain,
}

impl Strength {
    /// Every level, weakest first.
    pub const ALL: [Self; 8] = [
        Self::Doubted,
        Self::Possible,
        Self::Tentative,
        Self::Likely,
        Self::Intended,
        Self::Asserted,
        Self::Committed,
        Self::Certain,
    ];

    /// The level as a number, 0 (doubted) to 7 (certain). Ordinal: differences have no unit.
    #[must_use]
    pub const fn level(self) -> u8 {
        self as u8
    }
}

/// What a mark of modality is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkKind {
    /// Weakens: "possibly", "potential", "likely", "seems".
    Hedge,
    /// Strengthens: "guarantee", "definitely", "always".
    Booster,
    /// A modal of likelihood, ability or the future: "might", "can", "will", "should take".
    Modal,
    /// Obligation or permission: "must", "shall", "is required to", "should" said to somebody.
    Deontic,
    /// A condition: "if", "unless", "provided that". The strength is that of the condition itself.
    Conditional,
    /// Said of a source rather than by the writer: "according to", "is claimed to", "we believe".
    Attribution,
    /// Roughly that much: "about", "approximately", "around". It leaves the strength of the claim as it is.
    Approximation,
    /// A goal rather than an outcome: "aims to", "plans to", "in order to", "to ensure", "is designed to".
    Intention,
}

impl MarkKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Hedge,
        Self::Booster,
        Self::Modal,
        Self::Deontic,
        Self::Conditional,
        Self::Attribution,
        Self::Approximation,
        Self::Intention,
    ];
}

/// One mark of modality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The cue, in bytes of the sentence.
    pub range: Range<usize>,
    /// What it is.
    pub kind: MarkKind,
    /// The strength that it gives to what it governs.
    pub strength: Strength,
    /// What it governs, in bytes; it contains the cue.
    pub scope: Range<usize>,
}

/// What a sentence says about its own strength.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Strength of the main clause.
    pub strength: Strength,
    /// Every mark, in order.
    pub marks: Vec<Mark>,
    /// Whether the main clause is an imperative ("Engage a lawyer"): it directs, it claims nothing. Its strength is
    /// [`Strength::Intended`] unless it is hedged ("Consider …").
    pub directive: bool,
    /// Whether the sentence asks. A question claims nothing: its strength is at most [`Strength::Possible`].
    pub question: bool,
    /// What the directive governs.
    directive_scope: Range<usize>,
}

impl Reading {
    /// Strength of the claim at `range` (bytes of the sentence that was read): every mark whose scope overlaps it counts.
    ///
    /// A weakening mark wins over a strengthening one (a claim is as strong as the weakest predicate that embeds it:
    /// FactBank, section 4); an obligation wins over what it obliges to ("must ensure X" does not claim X).
    #[must_use]
    pub fn strength_at(&self, range: Range<usize>) -> Strength {
        let overlaps = |scope: &Range<usize>| scope.start < range.end.max(range.start + 1) && range.start < scope.end;
        let directed = self.directive && overlaps(&self.directive_scope);
        combine(self.marks.iter().filter(|m| overlaps(&m.scope)), directed, self.question)
    }
}

/// The strength that marks give together.
fn combine<'a>(marks: impl Iterator<Item = &'a Mark>, directive: bool, question: bool) -> Strength {
    let mut weakest = if directive { Strength::Intended } else { Strength::Certain };
    if question {
        weakest = weakest.min(Strength::Possible);
    }
    let mut strongest = Strength::Asserted;
    let mut duty: Option<Strength> = None;
    for mark in marks {
        if mark.kind == MarkKind::Approximation {
            continue;
        }
        if mark.kind == MarkKind::Deontic {
            duty = Some(duty.map_or(mark.strength, |d| d.max(mark.strength)));
        }
        if mark.strength < Strength::Asserted {
            weakest = weakest.min(mark.strength);
        } else {
            strongest = strongest.max(mark.strength);
        }
    }
    match duty {
        _ if weakest < Strength::Asserted => match duty {
            // "Must" in a directive is still a must.
            Some(duty) if directive && weakest == Strength::Intended => duty,
            _ => weakest,
        },
        Some(duty) => duty,
        None => strongest,
    }
}

/// What a cue governs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// A modal auxiliary: its whole clause.
    Modal,
    /// Its whole clause.
    Whole,
    /// From the cue to the end of its clause.
    Onward,
    /// The noun phrase that it stands in.
    Noun,
    /// An adjective or participle: the clause as a predicate ("is possible"), else its noun phrase ("possible delays").
    Quality,
    /// An adverb: the clause beside the verb or at its head, else onward; before an adjective its noun phrase.
    Adverb,
    /// A verb that claims an outcome ("ensures"); an intention after a preposition ("for ensuring").
    Outcome,
    /// The number that follows.
    Number,
}

/// What a word or phrase says.
#[derive(Clone, Copy, Debug)]
struct Cue {
    kind: MarkKind,
    strength: Strength,
    reach: Reach,
}

impl Reach {
    const ALL: [Self; 8] =
        [Self::Modal, Self::Whole, Self::Onward, Self::Noun, Self::Quality, Self::Adverb, Self::Outcome, Self::Number];
}

/// Tokens before an outcome verb in which an earlier predicate of its clause is looked for.
const LOOK_BACK_TOKENS_MAX: usize = 60;

/// The words that mark modality, as "modality.hedge.likely.adverb" says what they mean. Sources: Hyland, "Metadiscourse" (2005),
/// appendix of hedges and boosters; Kent, "Words of Estimative Probability" (1964); Saurí & Pustejovsky, "FactBank" (2009),
/// source-introducing predicates.
static PHRASES: LazyLock<Phrases<Cue>> = LazyLock::new(|| {
    Phrases::of_family("modality", |meaning| {
        let mut names = meaning.split('.');
        Some(Cue {
            kind: meant(&MarkKind::ALL, names.next())?,
            strength: meant(&Strength::ALL, names.next())?,
            reach: meant(&Reach::ALL, names.next())?,
        })
    })
});

/// Reads the modality of one sentence. Linear in its length.
#[must_use]
pub fn modality(sentence: &str) -> Reading {
    let tokens = scan(sentence);
    of(&tokens, &clauses(&tokens))
}

/// The modality of a sentence of these tokens and clauses.
pub(crate) fn of(tokens: &[Token<'_>], parts: &Clauses) -> Reading {
    if tokens.is_empty() {
        return Reading {
            strength: Strength::Asserted,
            marks: Vec::new(),
            directive: false,
            question: false,
            directive_scope: 0..0,
        };
    }
    let main = parts.main();
    let question = is_question(tokens);
    let start = main_start(tokens, parts, main);
    let directive = !question && is_directive(tokens, parts, main, start);

    let mut marks = Vec::new();
    let mut heads = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some((cue, end)) = PHRASES.at(tokens, at) else {
            at += 1;
            continue;
        };
        if let Some((mark, head)) = mark(tokens, parts, at, end, cue, main, directive.then_some(start)) {
            heads.push(head);
            marks.push(mark);
        }
        at = end;
    }
    purposes(tokens, parts, main, &mut marks, &mut heads);
    let strength = combine(marks.iter().zip(&heads).filter(|(_, head)| **head).map(|(m, _)| m), directive, question);
    let directive_scope = if directive { bytes(tokens, start, parts.end_from(main, start)) } else { 0..0 };
    let mut order: Vec<usize> = (0..marks.len()).collect();
    order.sort_by_key(|&i| (marks[i].range.start, marks[i].range.end));
    let marks = order.into_iter().map(|i| marks[i].clone()).collect();
    Reading { strength, marks, directive, question, directive_scope }
}

fn is_question(tokens: &[Token<'_>]) -> bool {
    tokens
        .iter()
        .rev()
        .find(|t| !matches!(t.raw, ")" | "\"" | "\u{201D}" | "*" | "_" | "'" | "\u{2019}"))
        .is_some_and(|t| t.raw == "?")
}

/// The first word of the main clause, past a label, list marks, numbers, opening adverbs and an opening phrase of time or
/// place that a comma ends ("Within a month, hire …").
fn main_start(tokens: &[Token<'_>], parts: &Clauses, main: usize) -> usize {
    let clause = &parts.list[main];
    let opens = |i: usize| {
        parts.of[i] == main
            && tokens[i].is_word()
            && !tokens[i].is_a(Class::Opener)
            && !(tokens[i].low.ends_with("ly")
                && tokens.get(i + 1).is_some_and(|n| n.raw == "," || n.is_a(Class::Verb)))
    };
    let label = clause.tokens.clone().take(LABEL_TOKENS_MAX).rfind(|&i| tokens[i].raw == ":");
    let from = label.map_or(clause.tokens.start, |colon| colon + 1);
    let first = (from..clause.tokens.end).find(|&i| opens(i)).unwrap_or(clause.tokens.start);
    if tokens[first].is_a(Class::Preposition) || tokens[first].is("within") {
        let after = (first..clause.tokens.end.min(first + LABEL_TOKENS_MAX))
            .find(|&i| tokens[i].raw == "," || tokens[i].finite);
        if let Some(comma) = after.filter(|&i| tokens[i].raw == ",")
            && tokens.get(comma + 1).is_some_and(|t| t.is_a(Class::Verb))
            && parts.of[comma + 1] == main
        {
            return comma + 1;
        }
    }
    first
}

/// Tokens of a label ("Action:") or an opening phrase.
const LABEL_TOKENS_MAX: usize = 8;
/// Whether the main clause is an order: a base verb where its subject would stand.
fn is_directive(tokens: &[Token<'_>], parts: &Clauses, main: usize, start: usize) -> bool {
    let Some(first) = tokens.get(start) else { return false };
    if first.is_in(&["do", "don't"]) {
        return tokens.get(start + 1).is_some_and(|t| t.is("not") || t.is_a(Class::Verb));
    }
    if first.is("let") {
        return false;
    }
    if !first.is_a(Class::Verb) || (first.raw.len() > 1 && first.raw == first.raw.to_uppercase()) {
        return false;
    }
    let Some(next) = tokens.get(start + 1) else { return false };
    // "Support-team members", "Report:", "Scale, scope and cost".
    if is_hyphen(next.raw) && next.glued || matches!(next.raw, ":" | "," | ")" | "/") {
        return next.raw == "," && !first.is_a(Class::NounVerb);
    }
    if next.is_in(&["and", "or"]) {
        return !first.is_a(Class::NounVerb)
            || tokens.get(start + 2).is_some_and(|t| t.is_a(Class::Verb) && !t.is_a(Class::NounVerb));
    }
    if next.finite && !next.is_in(&["do"]) {
        return false;
    }
    if !first.is_a(Class::NounVerb) {
        return true;
    }
    if next.is_a(Class::Determiner)
        || next.is_in(&["on", "up", "out", "with", "back", "down", "only", "how", "whether"])
    {
        return true;
    }
    if next.is_capital() && first.is_capital() && next.raw.chars().nth(1).is_some_and(char::is_lowercase) {
        return false;
    }
    if next.is_a(Class::Preposition) {
        return false;
    }
    // "Review contracts with suppliers": no other verb is left to be the predicate.
    let clause = &parts.list[main];
    let words = clause.tokens.clone().filter(|&i| i > start && parts.of[i] == main);
    !clause.predicate && words.count() > 2
}

/// The mark of a cue, and whether it governs the main clause as a whole; `None` where the words mean something else.
fn mark(
    tokens: &[Token<'_>],
    parts: &Clauses,
    at: usize,
    end: usize,
    cue: Cue,
    main: usize,
    directive_start: Option<usize>,
) -> Option<(Mark, bool)> {
    let previous = at.checked_sub(1).map(|p| &tokens[p]);
    let before = |words: &[&str]| previous.is_some_and(|p| p.is_in(words));
    let next = tokens.get(end);
    let next_word = next.map_or("", |t| t.low.as_ref());
    let clause = parts.of[at];
    let mut cue = cue;
    // "will-power", "must-have": part of a compound.
    if next.is_some_and(|t| is_hyphen(t.raw) && t.glued) && !matches!(cue.reach, Reach::Noun) {
        return None;
    }
    match cue.reach {
        Reach::Modal => {
            let low = tokens[at].low.as_ref();
            let capital_month = low == "may"
                && tokens[at].is_capital()
                && (at > 0 || next.is_some_and(|t| t.kind == Kind::Number))
                && !next.is_some_and(|t| t.is_a(Class::Verb) || t.is_in(&["be", "not", "have", "also", "only"]));
            let noun = before(&["the", "a", "their", "his", "her", "political", "free", "good", "in"])
                && matches!(low, "will" | "might" | "can" | "must" | "may");
            if capital_month || noun {
                return None;
            }
            if low == "may" && next_word == "only" {
                cue = Cue { kind: MarkKind::Deontic, strength: Strength::Committed, ..cue };
            }
            if matches!(low, "should" | "shouldn't" | "ought") && is_epistemic_should(tokens, end) {
                cue.kind = MarkKind::Modal;
            }
            if low == "should" && parts.list[clause].role == Role::Condition && parts.list[clause].tokens.start == at {
                cue = Cue { kind: MarkKind::Conditional, strength: Strength::Possible, reach: Reach::Onward };
            }
            if matches!(low, "must" | "should")
                && next_word == "have"
                && tokens.get(end + 1).is_some_and(|t| t.low.ends_with("en") || t.low.ends_with("ed"))
            {
                cue.kind = MarkKind::Modal;
                cue.strength = Strength::Likely;
            }
        }
        Reach::Number => {
            let number = next.is_some_and(|t| {
                t.kind == Kind::Number || matches!(t.raw, "$" | "\u{20AC}" | "\u{A3}" | "~" | "\u{2248}")
            }) || tokens.get(end + 1).is_some_and(|t| {
                t.kind == Kind::Number && next.is_some_and(|n| n.is_capital() || n.is_in(&["the", "a"]))
            }) || next.is_some_and(|t| {
                t.is_in(&["half", "one", "two", "three", "four", "five", "six", "ten", "twelve", "twenty", "a"])
            });
            if !number {
                return None;
            }
        }
        Reach::Quality => {
            let predicative = is_predicative(tokens, at);
            let adverb = tokens[at].is("likely") && next.is_some_and(|t| t.is_a(Class::Verb) || t.is("be"));
            let ends =
                next.is_none_or(|t| !t.is_word() || t.is_a(Class::AfterPredicate) || cue.strength == Strength::Doubted);
            let complement = matches!(next_word, "to" | "that");
            let copula = previous.is_some_and(|p| p.is_a(Class::Be)) && !tokens[at].low.ends_with("ed");
            if adverb || (complement && predicative) || copula || (predicative && ends) {
                cue.reach = Reach::Whole;
            } else {
                cue.reach = Reach::Noun;
            }
        }
        Reach::Adverb => {
            if previous.is_some_and(|p| p.is_a(Class::Determiner)) && next.is_some_and(Token::is_word) {
                cue.reach = Reach::Noun;
            } else {
                let beside_verb = previous.is_some_and(|p| p.finite)
                    || next.is_some_and(|t| t.finite || t.is_a(Class::Verb))
                    || parts.list[clause].tokens.start == at
                    || before(&["not", "be", "also", "it"]);
                cue.reach = if beside_verb { Reach::Whole } else { Reach::Onward };
            }
        }
        Reach::Outcome => {
            let low = tokens[at].low.as_ref();
            let helped = before(&["help", "helps", "helping", "helped"])
                || (before(&["to"]) && at >= 2 && tokens[at - 2].is_in(&["help", "helps", "helping"]));
            let noun = low.starts_with("guarantee")
                && (previous.is_some_and(|p| p.is_a(Class::Determiner))
                    || before(&["loan", "bank", "state", "of", "performance", "government"]))
                && !matches!(next_word, "that");
            // "proves difficult": turns out to be.
            let turns_out = low.starts_with("prov")
                && !next.is_some_and(|t| t.is_a(Class::Determiner) || t.is_in(&["that", "conclusively", "beyond"]));
            if helped || noun || turns_out || before(&["not", "cannot", "can't", "never"]) {
                return None;
            }
            if low.ends_with("ing") && previous.is_some_and(|p| p.is_a(Class::Preposition)) {
                cue = Cue { kind: MarkKind::Intention, strength: Strength::Intended, reach: Reach::Onward };
            } else if low.ends_with("ing")
                && (at == 0 || before(&["and", "is", "are", "the", "in"]) && !before(&["and"]))
            {
                // "Ensuring X is hard": a subject, no outcome.
                cue = Cue { kind: MarkKind::Intention, strength: Strength::Intended, reach: Reach::Onward };
            } else if (before(&["to"]) && parts.list[clause].role == Role::Purpose) || directive_start == Some(at) {
                return None;
            } else {
                cue.reach = Reach::Onward;
            }
        }
        Reach::Whole | Reach::Onward | Reach::Noun => {
            // "planning to", "plan to" as in "a plan to": still an intention.
            if cue.kind == MarkKind::Intention && before(&["not"]) {
                return None;
            }
            if cue.strength == Strength::Tentative
                && directive_start.is_none()
                && cue.kind == MarkKind::Hedge
                && at > 0
                && previous.is_some_and(|p| p.is_a(Class::Determiner))
            {
                return None;
            }
        }
    }
    let first_predicate = || {
        let from = parts.list[clause].tokens.start.max(at.saturating_sub(LOOK_BACK_TOKENS_MAX));
        !tokens[from..at].iter().enumerate().any(|(k, t)| {
            parts.of[from + k] == clause
                && (t.is_in(&["and", "or"]) || t.raw == ",")
                && (from..from + k).any(|j| tokens[j].finite || directive_start.is_some_and(|d| j >= d))
        })
    };
    let (from, to, head) = match cue.reach {
        Reach::Modal | Reach::Whole => {
            let start = parts.list[clause].tokens.start;
            (start, parts.end_from(clause, at), clause == main)
        }
        Reach::Noun => (at, noun_end(tokens, end), false),
        Reach::Number => (at, end + 1, false),
        Reach::Onward | Reach::Outcome | Reach::Quality | Reach::Adverb => {
            (at, parts.end_from(clause, at), clause == main && first_predicate())
        }
    };
    let kind = cue.kind;
    let conditional = kind == MarkKind::Conditional;
    let mark =
        Mark { range: bytes(tokens, at, end), kind, strength: cue.strength, scope: bytes(tokens, from, to.max(end)) };
    Some((mark, head && !conditional))
}

/// Whether an adjective or participle at `at` is the predicate of a form of "be" or "seem" shortly before it.
fn is_predicative(tokens: &[Token<'_>], at: usize) -> bool {
    let adverb = |t: &Token<'_>| {
        t.low.ends_with("ly")
            || t.is_in(&[
                "not", "very", "quite", "most", "more", "also", "still", "now", "only", "far", "too", "it", "yet",
            ])
    };
    let mut before = tokens[..at].iter().rev().take(ADVERBS_MAX).skip_while(|t| adverb(t));
    before.next().is_some_and(|t| {
        t.is_a(Class::Be)
            || t.is_auxiliary()
            || t.is_in(&["seems", "seem", "appears", "appear", "considered", "deemed", "makes", "make"])
    })
}

/// Adverbs that may stand between "is" and its predicate, and "is" itself.
const ADVERBS_MAX: usize = 4;

/// "should take", "should be ready by": the writer reckons with it, nobody is obliged.
fn is_epistemic_should(tokens: &[Token<'_>], after: usize) -> bool {
    let skip = usize::from(tokens.get(after).is_some_and(|t| t.low.ends_with("ly") || t.is("not") || t.is("also")));
    let Some(verb) = tokens.get(after + skip) else { return false };
    verb.is_a(Class::ForeseenVerb)
        || (verb.is("be") && tokens.get(after + skip + 1).is_some_and(|t| t.is_a(Class::ForeseenQuality)))
}

/// One past the noun phrase that an adjective at `from - 1` stands in.
fn noun_end(tokens: &[Token<'_>], from: usize) -> usize {
    let mut at = from;
    while let Some(token) = tokens.get(at) {
        let stops = (!token.is_word() && token.kind != Kind::Number && !is_hyphen(token.raw))
            || token.finite
            || token.is_in(&[
                "to", "that", "which", "who", "and", "or", "but", "if", "because", "while", "when", "with", "by",
                "during", "before", "after", "be", "been",
            ])
            || is_dash(token.raw);
        if stops {
            break;
        }
        at += 1;
    }
    at
}

/// Infinitives of purpose ("to ensure X"): what they name is intended.
fn purposes(tokens: &[Token<'_>], parts: &Clauses, main: usize, marks: &mut Vec<Mark>, heads: &mut Vec<bool>) {
    for (index, clause) in parts.list.iter().enumerate() {
        if clause.role != Role::Purpose || clause.tokens.is_empty() {
            continue;
        }
        let at = clause.tokens.start;
        let end = at + usize::from(tokens[at].is("so")) + 1;
        let to = parts.end_from(index, at);
        // A sentence that is nothing but a purpose: "To become a hub."
        let head = index == main;
        marks.push(Mark {
            range: bytes(tokens, at, end.min(tokens.len())),
            kind: MarkKind::Intention,
            strength: Strength::Intended,
            scope: bytes(tokens, at, to),
        });
        heads.push(head);
    }
}
