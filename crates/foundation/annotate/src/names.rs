//! Proper names, acronyms, organisations, persons and places, by form and by short lists; no model.

use std::ops::Range;

use crate::acronyms::{ROMAN, is_acronym};
use crate::lexicon::{self, Class};
use crate::verbs;
use crate::words::{Kind, Token, is_dash, is_hyphen, scan};

/// What a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// Two to six capitals and digits: "EUDI", "GDPR", "PSGs".
    Acronym,
    /// "Novo Nordisk A/S", "University of Bonn", "Digitaliseringsstyrelsen".
    Organisation,
    /// "Dr. Ada Winter", "Maria Hansen".
    Person,
    /// A country, its adjective, a city, a state, a region, a continent.
    Place,
    /// A name with an inner capital or a version: "OpenID", "GrapheneOS", "FIDO2", "iOS".
    Product,
    /// A proper name of unknown kind.
    Proper,
}

/// One name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Where it stands, in bytes of the sentence.
    pub range: Range<usize>,
    /// What it names.
    pub kind: NameKind,
    /// The text at `range`, without a possessive ending.
    pub text: String,
    /// A role, a document, a phase, a month, a method ("Project Manager", "Gantt", "KPI"): capitalised, but no name.
    pub generic: bool,
}

/// What is known beside the sentence.
#[derive(Clone, Copy)]
pub struct NameContext<'a> {
    /// Whether a capitalised word also stands capitalised inside another sentence of the document and nowhere in small
    /// letters; asked for a word at the head of a sentence. Common verbs are never taken for names there.
    pub known: &'a dyn Fn(&str) -> bool,
    /// The text is a heading, a label or a table head in Title Case: capitals say little there, so that only acronyms,
    /// listed places and inner capitals are kept. Texts mostly of capitals without a full stop are noticed without it.
    pub title_case: bool,
}

impl Default for NameContext<'_> {
    fn default() -> Self {
        Self { known: &|_| false, title_case: false }
    }
}

/// Every name of a sentence, in order, none overlapping. Linear in its length.
///
/// A capital at the head of a sentence, after a colon or an opening quote says nothing by itself: such a word is kept as a
/// place, a given name with a surname, an acronym, or where [`NameContext::known`] says so.
#[must_use]
pub fn names(sentence: &str, context: &NameContext<'_>) -> Vec<Name> {
    of(sentence, &scan(sentence), context)
}

/// The names of a sentence of these tokens.
pub(crate) fn of(sentence: &str, tokens: &[Token<'_>], context: &NameContext<'_>) -> Vec<Name> {
    if is_shouted(tokens) {
        return Vec::new();
    }
    if context.title_case || is_title_case(tokens) {
        return title_names(sentence, tokens);
    }
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        // "HK$470": a currency, no name.
        let currency = tokens.get(at + 1).is_some_and(|t| t.glued && matches!(t.raw, "$" | "\u{20AC}" | "\u{A3}"));
        if currency || !starts_name(&tokens[at]) {
            at += 1;
            continue;
        }
        let end = run_end(tokens, at);
        if let Some(start) = run_start(tokens, at, end, context) {
            push_run(sentence, tokens, start, end, &mut out);
        }
        at = end;
    }
    out
}

/// Most words of one name; a longer run of capitals is cut.
const NAME_WORDS_MAX: usize = 12;
/// An inner capital after a small letter, or a digit after one: "OpenID", "iOS", "eIDAS2".
fn is_camel(raw: &str) -> bool {
    let body = raw.split(['\'', '\u{2019}']).next().unwrap_or(raw);
    let mut previous = ' ';
    let mut camel = false;
    for c in body.chars() {
        camel |= previous.is_lowercase() && c.is_uppercase();
        previous = c;
    }
    let digit = body.chars().any(|c| c.is_ascii_digit())
        && body.chars().filter(|c| c.is_uppercase()).count() >= 2
        && !is_acronym(raw);
    camel || digit
}

fn starts_name(token: &Token<'_>) -> bool {
    token.kind == Kind::Word
        && token.may_have_capitals()
        && (token.is_capital() || is_camel(token.raw))
        && token.raw.chars().nth(1).is_some()
}

/// Most letters of the text are capitals.
fn is_shouted(tokens: &[Token<'_>]) -> bool {
    let words = tokens.iter().filter(|t| t.is_word() && t.raw.chars().count() > 1);
    let (all, shouted) = words.fold((0usize, 0usize), |(all, shouted), t| {
        (all + 1, shouted + usize::from(!t.raw.chars().any(char::is_lowercase) && t.is_capital()))
    });
    all >= 3 && shouted * 10 >= all * 7
}

/// Most content words are capitalised and no full stop ends the text.
fn is_title_case(tokens: &[Token<'_>]) -> bool {
    if tokens.last().is_some_and(|t| matches!(t.raw, "." | "!" | "?" | ";" | ",")) {
        return false;
    }
    let words = tokens.iter().filter(|t| t.is_word() && !t.is_a(Class::Stop) && t.raw.len() > 1);
    let (all, capital) =
        words.fold((0usize, 0usize), |(all, capital), t| (all + 1, capital + usize::from(t.is_capital())));
    all >= 2 && capital * 10 >= all * 7
}

/// Names that stand out from a text in which every word is capitalised.
fn title_names(sentence: &str, tokens: &[Token<'_>]) -> Vec<Name> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let place = (1..=4).rev().map(|n| at + n).filter(|&end| end <= tokens.len()).find(|&end| {
            let text = &sentence[tokens[at].range.start..tokens[end - 1].range.end];
            tokens[at].is_capital() && is_place(bare(text))
        });
        if let Some(end) = place {
            push(sentence, tokens, at, end, NameKind::Place, &mut out);
            at = end;
            continue;
        }
        if tokens[at].is_word() && is_acronym(tokens[at].raw) {
            push(sentence, tokens, at, at + 1, NameKind::Acronym, &mut out);
        } else if tokens[at].is_word() && is_camel(tokens[at].raw) {
            push(sentence, tokens, at, at + 1, NameKind::Product, &mut out);
        }
        at += 1;
    }
    out
}

/// One past the run of capitalised words that begins at `at`.
fn run_end(tokens: &[Token<'_>], at: usize) -> usize {
    let mut end = at + 1;
    while end - at <= NAME_WORDS_MAX {
        // "Nordhavn Ferries A/S": the company form ends the name.
        if tokens[end - 1].raw == "A" && is_slash_s(tokens, end) {
            return end + 2;
        }
        let further = goes_on(tokens, at, end);
        if further == 0 {
            break;
        }
        end += further;
    }
    end
}

/// How many tokens further the name that began at `at` goes on after `end`; 0 where it ends.
fn goes_on(tokens: &[Token<'_>], at: usize, end: usize) -> usize {
    let Some(token) = tokens.get(end) else { return 0 };
    let last = &tokens[end - 1];
    let capital = |i: usize| tokens.get(i).is_some_and(starts_or_continues);
    let organisation = || tokens[at..end].iter().any(|t| lexicon::has(Class::Organisation, t.raw));
    if last.low.ends_with("'s") && !token.glued {
        return 0;
    }
    if capital(end) && !token.glued {
        let company_form = token.raw == "A" && is_slash_s(tokens, end + 1);
        // "Banned Words The": a determiner begins something else.
        let other = token.is_a(Class::Determiner) || token.is_a(Class::Pronoun);
        return usize::from(company_form || !other);
    }
    let hyphen = is_hyphen(token.raw) && token.glued && tokens.get(end + 1).is_some_and(|t| t.glued);
    let title = token.raw == "." && token.glued && (last.is_a(Class::Title) || last.raw.chars().count() == 1);
    let link = token.is_a(Class::NameLink) && (!token.is("of") || !is_acronym(last.raw));
    let purpose = token.is("for") && organisation();
    let pair = token.is("and")
        && tokens[at..end].iter().any(|t| t.is_in(&["of", "for", "für"]))
        && organisation()
        && !is_place(last.raw);
    if capital(end + 1) && (hyphen || title || link || purpose || pair || token.raw == "&") {
        return 2;
    }
    let article = token.is_in(&["of", "for"]) && tokens.get(end + 1).is_some_and(|t| t.is("the"));
    if article && capital(end + 2) && lexicon::has(Class::Organisation, last.raw) { 3 } else { 0 }
}

/// The "/S" of "A/S" at `at`.
fn is_slash_s(tokens: &[Token<'_>], at: usize) -> bool {
    tokens.get(at).is_some_and(|t| t.raw == "/" && t.glued) && tokens.get(at + 1).is_some_and(|t| t.raw == "S")
}

fn starts_or_continues(token: &Token<'_>) -> bool {
    token.is_capital() || (token.is_word() && is_camel(token.raw))
}

/// Whether the word at `at` is capitalised only for where it stands.
fn is_initial(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(previous) = at.checked_sub(1).map(|p| &tokens[p]) else { return true };
    matches!(
        previous.raw,
        "." | "!"
            | "?"
            | ":"
            | ";"
            | "*"
            | "\""
            | "\u{201C}"
            | "\u{2018}"
            | "'"
            | "`"
            | "("
            | "["
            | "|"
            | "\u{2022}"
            | "\u{2192}"
            | ">"
            | "#"
            | ")"
            | "/"
    ) && !(previous.raw == "." && at >= 2 && tokens[at - 2].is_a(Class::Title))
        || is_dash(previous.raw)
        || (previous.raw == "-" && !previous.glued)
        || (previous.kind == Kind::Number && at == 1)
}

/// The token at which the name in a run begins; `None` where there is no name.
fn run_start(tokens: &[Token<'_>], at: usize, end: usize, context: &NameContext<'_>) -> Option<usize> {
    let mut start = at;
    // Words that are capitalised for standing first, and function words.
    while start < end {
        let token = &tokens[start];
        let first = is_initial(tokens, start);
        let acronym = is_acronym(token.raw) || is_camel(token.raw);
        let stop = token.is_a(Class::Stop) || token.is_in(&["i", "yes", "no", "please", "note"]);
        if stop && (!acronym || token.low == "it") {
            start += 1;
            // "of", "and" between what was dropped and what is left.
            while start < end && !starts_name(&tokens[start]) {
                start += 1;
            }
            continue;
        }
        if !first || acronym {
            break;
        }
        let rest = end - start;
        let joined = tokens[start..end].iter().all(|t| starts_name(t));
        let text_is_place = is_place(bare(token.raw)) || (rest > 1 && joined && two_word_place(tokens, start));
        if text_is_place || token.is_a(Class::Title) {
            break;
        }
        if rest == 1 {
            let low = bare(&token.low);
            let common =
                lexicon::has(Class::Generic, low) || lexicon::has(Class::Verb, low) || verbs::is_third_person(low);
            return (!common && (context.known)(bare(token.raw))).then_some(start);
        }
        let linked = tokens[start + 1].is_a(Class::NameLink) && !lexicon::has(Class::Organisation, token.raw);
        let numbered = rest == 2 && ROMAN.contains(&tokens[end - 1].raw);
        if numbered {
            return None;
        }
        let opens = linked
            || token.is_a(Class::Describing)
            || token.is_a(Class::Verb)
            || (is_common_form(&token.low) && !is_given_name(token.raw))
            || (lexicon::has(Class::Generic, &token.low)
                && rest == 2
                && (is_place(tokens[end - 1].raw) || is_acronym(tokens[end - 1].raw)));
        if !opens {
            break;
        }
        start += 1;
        while start < end && !starts_name(&tokens[start]) {
            start += 1;
        }
    }
    (start < end).then_some(start)
}

fn two_word_place(tokens: &[Token<'_>], at: usize) -> bool {
    tokens.get(at + 1).is_some_and(|next| is_place(&format!("{} {}", tokens[at].raw, bare(next.raw))))
}

/// Endings of English adjectives, adverbs and participles.
fn is_common_form(low: &str) -> bool {
    low.len() > 4
        && ["ing", "ed", "ly", "ous", "able", "ible", "ive", "ional", "ical", "ful", "less", "ary"]
            .iter()
            .any(|ending| low.ends_with(ending))
}

/// Without a possessive ending.
fn bare(text: &str) -> &str {
    text.strip_suffix("'s")
        .or_else(|| text.strip_suffix("\u{2019}s"))
        .or_else(|| text.strip_suffix('\''))
        .or_else(|| text.strip_suffix('\u{2019}'))
        .unwrap_or(text)
}

fn push(sentence: &str, tokens: &[Token<'_>], from: usize, to: usize, kind: NameKind, out: &mut Vec<Name>) {
    let range = tokens[from].range.start..tokens[to - 1].range.end;
    let text = bare(&sentence[range.clone()]);
    let range = range.start..range.start + text.len();
    // "Decision Mechanism: …" is a label, "[MORAL]" a tag.
    let after = tokens.get(to).map_or("", |t| t.raw);
    let label = after == ":" && matches!(kind, NameKind::Proper);
    let tag = after == "]" && from > 0 && tokens[from - 1].raw == "[";
    let generic = kind != NameKind::Place && (label || tag || is_generic(&tokens[from..to]));
    out.push(Name { range, kind, text: text.to_owned(), generic });
}

/// Names the run; places in a row ("Denmark Germany") stay one run of their own kind.
fn push_run(sentence: &str, tokens: &[Token<'_>], from: usize, to: usize, out: &mut Vec<Name>) {
    let kind = kind(sentence, &tokens[from..to]);
    push(sentence, tokens, from, to, kind, out);
}

fn kind(sentence: &str, run: &[Token<'_>]) -> NameKind {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return NameKind::Proper };
    let text = bare(&sentence[first.range.start..last.range.end]);
    let words: Vec<&Token<'_>> = run.iter().filter(|t| t.is_word()).collect();
    let last_low = bare(&last.low);
    if is_place(text) {
        return NameKind::Place;
    }
    if words.len() == 1 && is_acronym(text) {
        return NameKind::Acronym;
    }
    if first.is_a(Class::Title) && words.len() > 1 && !lexicon::has(Class::Generic, &words[1].low) {
        return NameKind::Person;
    }
    if first.raw.len() > 8
        && ["styrelsen", "styrelse", "ministeriet", "nævnet", "tilsynet", "rådet"]
            .iter()
            .any(|e| first.low.trim_end_matches("'s").ends_with(e))
    {
        return NameKind::Organisation;
    }
    let own = words.iter().any(|t| {
        !lexicon::has(Class::Generic, bare(&t.low))
            && !lexicon::has(Class::Organisation, bare(t.raw))
            && !t.is_a(Class::NameLink)
            && !t.is_in(&["the", "and", "for"])
    });
    let linked = words.iter().any(|t| t.is_in(&["of", "for"]));
    let organisation = words.iter().any(|t| {
        let word = bare(t.raw);
        lexicon::has(Class::Organisation, word)
            && (own && (!lexicon::has(Class::WeakOrganisation, word) || words.len() > 1)
                || linked && !lexicon::has(Class::WeakOrganisation, word))
    }) || text.ends_with("A/S");
    if organisation && words.len() > 1 {
        return NameKind::Organisation;
    }
    if (2..=4).contains(&words.len())
        && is_given_name(first.raw)
        && !lexicon::has(Class::Generic, last_low)
        && !words.iter().any(|t| is_acronym(t.raw) && t.raw.len() > 2)
    {
        return NameKind::Person;
    }
    if words.len() > 1
        && (lexicon::has(Class::PlaceEnding, last_low) && own
            || first.is_a(Class::PlaceBeginning) && !lexicon::has(Class::Generic, last_low))
    {
        return NameKind::Place;
    }
    if run.iter().any(|t| is_camel(t.raw)) {
        return NameKind::Product;
    }
    NameKind::Proper
}

/// Whether a run names nothing in particular.
fn is_generic(run: &[Token<'_>]) -> bool {
    let mut words =
        run.iter().filter(|t| t.is_word() && !t.is_a(Class::NameLink) && !t.is_in(&["and", "for", "the"])).peekable();
    if words.peek().is_none() {
        return true;
    }
    let named = run.iter().any(|t| {
        is_place(bare(t.raw)) || (is_acronym(t.raw) && !lexicon::has(Class::Generic, &t.low)) || is_camel(t.raw)
    });
    let headed = run.len() > 1 && run.last().is_some_and(|t| lexicon::has(Class::GenericHead, bare(&t.low)));
    words.all(|t| lexicon::has(Class::Generic, bare(&t.low))) || (headed && !named)
}

/// The country that a country name, a short form or an adjective of nationality names: "Danish" is "Denmark".
#[must_use]
pub fn country_of(word: &str) -> Option<&'static str> {
    lexicon::lemma(Class::Country, bare(word.trim()))
}

/// Whether `text` is a listed place or its adjective.
fn is_place(text: &str) -> bool {
    let classes = lexicon::classes(text);
    classes.has(Class::Country) || classes.has(Class::Place)
}

/// Whether `text` is a common given name, in the spelling and case of names ("Maria").
#[must_use]
pub fn is_given_name(text: &str) -> bool {
    lexicon::has(Class::GivenName, text)
}
