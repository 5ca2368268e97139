//! Who and what is named: runs of capitals, and which of them are people.

use std::collections::BTreeMap;
use std::ops::Range;

use steadfast_annotate::is_given_name;

use super::words::Word;
use crate::list::List;

/// Words that begin with a capital and are no name of anybody.
const COMMON: List = List("no-name");

/// Verbs after which a word at the head of a clause names who does it.
const FINITE: &[&str] = &[
    "is", "has", "was", "will", "would", "can", "cannot", "can't", "does", "do", "doesn't", "wants", "needs",
    "prefers", "won't", "don't", "could", "may", "might", "should", "must", "likes", "works", "asked", "says", "only",
    "'d", "isn't", "hopes", "calls", "arrives", "comes", "leaves",
];

/// Words before a name that make a person of it.
const BEFORE_PERSON: &[&str] = &[
    "with", "meet", "call", "email", "text", "ping", "ring", "phone", "ask", "tell", "remind", "w", "w/", "see",
    "message", "chase", "thank", "by", "and", "for", "from", "mum", "dad", "uncle", "aunt", "dr", "mr", "mrs", "ms",
    "msg",
];

/// Words with which the name of a place ends.
const PLACE_WORDS: List = List("place-end");

/// Whether a word can be part of a name.
pub(crate) fn is_name_word(word: &Word) -> bool {
    word.capital && !word.is_figure() && !COMMON.contains(bare(&word.low))
}

/// Without the ending of possession.
fn bare(low: &str) -> &str {
    low.strip_suffix("'s").filter(|rest| rest.len() > 2).unwrap_or(low)
}

/// The run of capitals that begins at word `at`: "Golden Gate Park", "Bay of Islands". Empty where there is none.
pub(crate) fn run(words: &[Word], at: usize) -> Range<usize> {
    let mut end = at;
    while let Some(word) = words.get(end) {
        let first = end == at;
        let article = first && word.low == "the" && word.capital && words.get(end + 1).is_some_and(is_name_word);
        let inside = !first
            && matches!(word.low.as_str(), "of" | "the" | "de" | "la" | "del" | "di" | "da" | "van" | "von")
            && words.get(end + 1).is_some_and(|next| is_name_word(next) && !next.parted)
            && !word.parted;
        if !(article || inside || (is_name_word(word) && (first || !word.parted))) {
            break;
        }
        end += 1;
    }
    at..end
}

/// The text of a run, without the ending of possession.
pub(crate) fn text_of(text: &str, words: &[Word], run: &Range<usize>) -> String {
    let Some(run) = words.get(run.clone()) else { return String::new() };
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return String::new() };
    let whole = text.get(first.range.start..last.range.end).unwrap_or_default();
    let whole = whole.strip_suffix("'s").or_else(|| whole.strip_suffix("\u{2019}s")).unwrap_or(whole);
    whole.to_owned()
}

/// The people of the notes, by their name in small letters.
#[derive(Clone, Debug, Default)]
pub(crate) struct People {
    known: BTreeMap<String, String>,
}

impl People {
    /// Takes up the people that a text names.
    pub(crate) fn learn(&mut self, text: &str, words: &[Word]) {
        let mut at = 0;
        while at < words.len() {
            let run = run(words, at);
            if run.is_empty() {
                at += 1;
                continue;
            }
            let first = &words[run.start];
            let single = run.len() == 1;
            let given = is_given_name(text_of(text, words, &(run.start..run.start + 1)).as_str());
            let before = run.start.checked_sub(1).map(|at| words[at].low.as_str());
            let follows = words.get(run.end).map(|word| word.low.as_str());
            let head = run.start == 0 || first.parted;
            let acts = head && single && follows.is_some_and(|next| FINITE.contains(&next));
            let owns =
                single && first.low.ends_with("'s") && matches!(follows, Some("calendar" | "schedule" | "diary"));
            let met = before.is_some_and(|before| {
                matches!(before, "with" | "meet" | "w" | "call" | "email" | "ping" | "text" | "ask")
            });
            let place = words.get(run.end - 1).is_some_and(|last| PLACE_WORDS.contains(&last.low));
            // "Ana's Report": the owner alone.
            let run = if given && first.low.ends_with("'s") { run.start..run.start + 1 } else { run };
            if place {
                at = run.end;
                continue;
            }
            if (given && !after_place_word(before)) || acts || owns || (met && run.len() <= 2 && !head) {
                let name = text_of(text, words, &run);
                self.known.entry(name.to_lowercase()).or_insert(name);
                // "Ana, Bo and Cy": who stands in a list with people is one.
                let mut next = run.end;
                while let Some(word) = words.get(next) {
                    let joined = word.parted || word.low == "and";
                    let at = if word.low == "and" { next + 1 } else { next };
                    let other = self::run(words, at);
                    let fits = joined && other.len() == 1 && BEFORE_PERSON.contains(&before.unwrap_or_default());
                    if !fits {
                        break;
                    }
                    let name = text_of(text, words, &other);
                    self.known.entry(name.to_lowercase()).or_insert(name);
                    next = other.end;
                }
            }
            at = run.end.max(at + 1);
        }
    }

    /// The person whom a run of words names.
    pub(crate) fn person(&self, text: &str, words: &[Word], run: &Range<usize>) -> Option<String> {
        let name = text_of(text, words, run);
        self.known.get(&name.to_lowercase()).cloned()
    }

    /// Everybody whom the words name, each once, in order.
    pub(crate) fn among(&self, text: &str, words: &[Word]) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let run = run(words, at);
            if let Some(person) = self.person(text, words, &run).filter(|person| !out.contains(person)) {
                out.push(person);
            } else if run.len() > 1 {
                for one in run.clone() {
                    if let Some(person) =
                        self.person(text, words, &(one..one + 1)).filter(|person| !out.contains(person))
                    {
                        out.push(person);
                    }
                }
            }
            at = run.end.max(at + 1);
        }
        out
    }
}

fn after_place_word(before: Option<&str>) -> bool {
    matches!(before, Some("in" | "at" | "to" | "from" | "near" | "visit" | "via"))
}
