//! Meetings in the words of a plan.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::words::{Word, words};
use crate::model::{Notes, Rule, vocabulary};

/// Nouns of meetings.
static MEETINGS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    vocabulary(
        "meeting call sync standup stand-up interview appointment conference webinar workshop huddle briefing check-in checkin \
         catchup catch-up kickoff kick-off seminar consultation one-on-one meetup",
    )
});

/// Words of the notes that make a meeting of any name no invention.
static ENCOUNTERS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    vocabulary(
        "chat discuss demo meet phone presentation ring see session skype speak talk visit zoom dentist doctor lunch coffee \
         class lesson lecture rehearsal retro retrospective review demo",
    )
});

/// Words beside a meeting that make no other one of it.
static BESIDE_MEETING: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    vocabulary(
        "afternoon brief confirmed daily early evening final first fixed important last late morning next online phone planned \
         quick regular remaining scheduled short team today tomorrow upcoming usual video weekly attend before prepare join \
         schedule add book chair finish hold host lead leave run skip have set time ahead day start next ready minute hour",
    )
});

/// Words before a meeting that belong to its name.
const NAME_WORDS_MAX: usize = 2;

/// The meetings that `text` names and the notes do not know. A meeting is known if the notes have one at all, and the words of
/// its name are words of the notes.
#[must_use]
pub fn unknown_meetings(text: &str, notes: &Notes, known: &BTreeSet<String>) -> Vec<String> {
    let has_any = !notes.names.meetings.is_empty()
        || notes.constraints.iter().any(|it| matches!(it.rule, Rule::FixedEvent { .. }))
        || MEETINGS.iter().chain(&*ENCOUNTERS).any(|stem| known.contains(stem));
    let words = words(text);
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        // "Meet Ana" is no meeting but a task.
        let verb = matches!(word.low.as_str(), "meet" | "meets");
        let named = word.stem.as_ref().is_some_and(|stem| MEETINGS.contains(stem)) && !verb;
        let meeting = named || word.low == "1:1";
        if !meeting || !is_noun(&words, at) {
            continue;
        }
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
                    && !MEETINGS.contains(stem)
                    && !stem.bytes().any(|byte| byte.is_ascii_digit())
            })
        };
        // "with the board": whom it is with belongs to its name.
        let with = words[at + 1..]
            .iter()
            .take_while(|_| !word.ends_clause && words.get(at + 1).is_some_and(|next| next.low == "with"))
            .find(|word| word.stem.is_some());
        if has_any && !before.iter().chain(&with).any(|word| foreign(&word)) {
            continue;
        }
        let start = before.last().map_or(word.range.start, |first| first.range.start);
        found.extend(text.get(start..word.range.end).map(str::to_owned));
    }
    found
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
