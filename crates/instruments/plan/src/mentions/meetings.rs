//! Meetings in the words of a plan.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use steadfast_steps::flat;

use super::words::{Word, words};
use crate::list::List;
use crate::model::{Notes, Rule, vocabulary};

/// Nouns of meetings in one word. A plan's words are held against them as they stand, in the singular or the plural, and not by their
/// stems: "briefing" is a meeting, "brief" is none.
const NOUNS: List = List("meeting");

/// Nouns of meetings that a verb makes with a particle: "stand-up". Neither word is one alone ("it stands next").
const COMPOUNDS: &[(&str, &str)] = &[("catch", "up"), ("check", "in"), ("kick", "off"), ("stand", "up")];

/// The stems of the same in notes, of which nothing but stems is known. A compound is there if all its stems are.
static STEMS: LazyLock<Vec<BTreeSet<String>>> = LazyLock::new(|| {
    flat(0, || {
        let compounds = COMPOUNDS.iter().map(|(verb, particle)| vocabulary(&format!("{verb}-{particle}")));
        // A number by itself is no meeting: those nouns are known by `nouns` alone.
        let words = NOUNS.words().iter().filter(|noun| noun.bytes().all(|byte| byte.is_ascii_alphabetic()));
        words.map(|noun| vocabulary(noun)).chain(compounds).collect()
    })
});

/// Words of the notes that make a meeting of any name no invention.
static ENCOUNTERS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    flat(0, || {
        vocabulary(
            "chat discuss demo meet phone presentation ring see session skype speak talk visit zoom dentist doctor lunch coffee \
         class lesson lecture rehearsal retro retrospective review demo",
        )
    })
});

/// Words beside a meeting that make no other one of it.
static BESIDE_MEETING: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    flat(0, || {
        vocabulary(
            "afternoon brief confirmed daily early evening final first fixed important last late morning next online phone planned \
         quick regular remaining scheduled short team today tomorrow upcoming usual video weekly attend before prepare join \
         schedule add book chair finish hold host lead leave run skip have set time ahead day start next ready minute hour",
        )
    })
});

/// Words before a meeting that belong to its name.
const NAME_WORDS_MAX: usize = 2;

/// The meetings that `text` names and the notes do not know. A meeting is known if the notes have one at all, and the words of
/// its name are words of the notes.
#[must_use]
pub fn unknown_meetings(text: &str, notes: &Notes, known: &BTreeSet<String>) -> Vec<String> {
    let has_any = notes.constraints.iter().any(|it| matches!(it.rule, Rule::FixedEvent { .. }))
        || STEMS.iter().any(|stems| stems.is_subset(known))
        || NOUNS.words().iter().any(|noun| known.contains(*noun))
        || ENCOUNTERS.iter().any(|stem| known.contains(stem));
    let words = words(text);
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let apart = is_apart(&words, at);
        if !apart && (!is_meeting(word) || !is_noun(&words, at)) {
            continue;
        }
        let end = at + usize::from(apart);
        let last = &words[end];
        let mut before: Vec<&Word<'_>> = Vec::new();
        let mut first = word;
        for other in words[..at].iter().rev().take(NAME_WORDS_MAX) {
            if first.is_head || other.ends_clause || other.stem.is_none() {
                break;
            }
            before.push(other);
            first = other;
        }
        let foreign = |word: &&&Word<'_>| {
            word.stem.as_ref().is_some_and(|stem| {
                !known.contains(stem)
                    && !BESIDE_MEETING.contains(stem)
                    && !is_meeting(word)
                    && !stem.bytes().any(|byte| byte.is_ascii_digit())
            })
        };
        // "with the board": whom it is with belongs to its name.
        let with = words[end + 1..]
            .iter()
            .take_while(|_| !last.ends_clause && words.get(end + 1).is_some_and(|next| next.low == "with"))
            .find(|word| word.stem.is_some());
        if has_any && !before.iter().chain(&with).any(|word| foreign(&word)) {
            continue;
        }
        let start = before.last().map_or(word.range.start, |first| first.range.start);
        found.extend(text.get(start..last.range.end).map(str::to_owned));
    }
    found
}

/// The singular of a noun: its possessive and its plural "s" taken off.
fn singular(low: &str) -> &str {
    let owner = low.strip_suffix("'s").or_else(|| low.strip_suffix("\u{2019}s")).unwrap_or(low);
    owner.strip_suffix('s').unwrap_or(owner)
}

/// The nouns of meetings that a task of the notes says, each as it stands among [`NOUNS`].
pub(super) fn nouns(text: &str) -> Vec<String> {
    words(text).iter().filter_map(|word| noun(&word.low)).collect()
}

/// The noun of a meeting that a word is by itself; of "stand-ups" it is "standup".
fn noun(low: &str) -> Option<String> {
    let noun = singular(low);
    if NOUNS.contains(noun) {
        return Some(noun.to_owned());
    }
    let pair = noun.split_once(['-', '\u{2010}', '\u{2011}'])?;
    COMPOUNDS.contains(&pair).then(|| format!("{}{}", pair.0, pair.1))
}

/// Whether a word by itself is a noun of a meeting.
fn is_meeting(word: &Word<'_>) -> bool {
    noun(&word.low).is_some()
}

/// Articles and the like.
const ARTICLES: List = List("article");

/// "the daily stand up": a compound in two words. It is a noun only behind an article or the like, with at most one word between that
/// meetings are called by; anywhere else it is a verb.
fn is_apart(words: &[Word<'_>], at: usize) -> bool {
    let (word, next) = (&words[at], words.get(at + 1));
    let follows = next.is_some_and(|next| COMPOUNDS.contains(&(word.low.as_str(), singular(&next.low))));
    if !follows || word.ends_clause || word.is_head {
        return false;
    }
    let before = &words[at - 1];
    let calls = before.stem.as_ref().is_some_and(|stem| BESIDE_MEETING.contains(stem));
    let second = (calls && !before.is_head && at > 1).then(|| &words[at - 2]);
    [Some(before), second].into_iter().flatten().any(|it| !it.ends_clause && ARTICLES.contains(&it.low))
}

/// Whether a word that may be a verb stands as a noun: not at the head (but before "with"), not after "to".
fn is_noun(words: &[Word<'_>], at: usize) -> bool {
    let word = &words[at];
    if matches!(
        word.low.as_str(),
        "meeting" | "meetings" | "appointment" | "appointments" | "standup" | "stand-up" | "webinar" | "1:1"
    ) {
        return true;
    }
    let next = words.get(at + 1).map(|next| next.low.as_str());
    if word.is_head {
        return word.ends_clause || matches!(next, None | Some("with"));
    }
    let before = words[at - 1].low.as_str();
    let verbal = matches!(
        before,
        "to" | "and" | "or" | "then" | "will" | "can" | "must" | "should" | "you" | "i" | "we" | "please" | "not"
    );
    !verbal && !before.ends_with("ly")
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Zoned;

    /// The meetings that `text` names, for notes that speak of none.
    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let now: Zoned = "2026-01-26T08:00:00+00:00[UTC]".parse().unwrap();
        let notes = Notes::empty(now);
        assert_eq!(unknown_meetings(text, &notes, &vocabulary("sort the photos")), expect, "{text}");
    }

    #[test]
    fn meetings_are_read() {
        check("Attend the stand-up", &["stand-up"]);
        check("after the stand-ups", &["stand-ups"]);
        check("after the daily stand up, sort", &["daily stand up"]);
        check("a quick check in with the board", &["quick check in"]);
        check("a check-in with the board", &["check-in"]);
        check("prepare our kick off", &["kick off"]);
        check("before the briefing", &["briefing"]);
        check("the meeting's notes", &["meeting's"]);
        check("a one-on-one", &["one-on-one"]);
        check("two calls", &["two calls"]);
    }

    #[test]
    fn words_that_meetings_are_made_of_are_none() {
        check("It stands next in the notes.", &[]);
        check("One thing at a time, then check the oven", &[]);
        check("Kick the ball; what you catch is yours", &[]);
        check("A brief rest, as they are called", &[]);
        check("the shop checks in parcels", &[]);
        check("Sort the photos, catch up on mail", &[]);
        check("Consult the map, interviewed twice", &[]);
    }

    #[test]
    fn what_a_task_of_the_notes_says_is_known() {
        let now: Zoned = "2026-01-26T08:00:00+00:00[UTC]".parse().unwrap();
        for noun in ["one-on-one", "1:1", "stand-up", "sync"] {
            let mut known = vocabulary("with Ana");
            known.extend(nouns(&format!("{noun}s with Ana")));
            assert_eq!(unknown_meetings(&format!("the {noun} with Ana"), &Notes::empty(now.clone()), &known), [""; 0]);
        }
    }
}
