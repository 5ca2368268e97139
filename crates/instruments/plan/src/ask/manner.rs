//! How a clause speaks: whether it names a thing, tells of a state or of the past, denies, asks for an answer.

use steadfast_time::Limit;

use super::clauses::Clause;
use super::cues::Cue;
use super::verbs::is_task_verb;
use super::when::{Shape, Stretch};
use super::words::Word;
use crate::list::List;
use crate::model::intent;

/// Longest item without a verb that is a task, in words.
pub(super) const NOUN_ITEM_WORDS_MAX: usize = 10;

/// "Before the copy room closes at 4", "after the 14:00 discharge": on which side of a time the words before it put a task.
pub(super) fn side_of(clause: &Clause<'_>, stretch: &Stretch) -> Option<Limit> {
    let at = clause.words.partition_point(|word| word.range.end <= stretch.span.start);
    let hit = clause.hits.iter().rev().find(|hit| {
        matches!(hit.cue, Cue::Before | Cue::After)
            && hit.words.end <= at
            && at - hit.words.end <= NAMED_WORDS_MAX
            && !clause.in_time(hit)
            && clause.words.get(hit.words.end..at).is_some_and(|between| between.iter().all(|word| !word.parted))
    })?;
    // A clause that begins so and goes on with what is to be done then: "after lunch call Sam at 3".
    let between = clause.words.get(hit.words.end..at)?;
    let acts = between
        .iter()
        .any(|word| is_task_verb(&word.low) && !matches!(word.low.as_str(), "call" | "review" | "close" | "start"));
    if acts || stretch.shape == Shape::Days {
        return None;
    }
    Some(if hit.cue == Cue::Before { Limit::Before } else { Limit::After })
}

/// Most words between "before" and the time that it belongs to.
const NAMED_WORDS_MAX: usize = 6;

/// Whether a clause says how somebody is or what it is like, and nothing to do: "go easy" is no verb of a task.
pub(super) fn states(clause: &Clause<'_>) -> bool {
    let within = |at: usize| clause.hits.iter().any(|hit| hit.cue == Cue::Optional && hit.words.contains(&at));
    let verb = clause.verb();
    clause.hits.iter().any(|hit| {
        hit.cue == Cue::State
            && !clause.in_time(hit)
            && !within(hit.words.start)
            && verb.is_none_or(|verb| hit.words.contains(&verb) && hit.words.len() > 1)
    })
}

/// "The post office shuts at 5", "they open 9:30": of others' hours.
pub(super) fn tells_of_hours(clause: &Clause<'_>) -> bool {
    clause.words.iter().skip(1).any(|word| matches!(word.low.as_str(), "shuts" | "closes" | "opens" | "open"))
}

/// Whether what has to be done is denied: "I don't have to", "no need to"; not "has to go out or they don't pay".
pub(super) fn is_denied(clause: &Clause<'_>) -> bool {
    let need = clause
        .hits
        .iter()
        .filter(|hit| matches!(hit.cue, Cue::Need | Cue::Must | Cue::Due))
        .map(|hit| hit.words.start)
        .min();
    clause
        .hits
        .iter()
        .any(|hit| hit.cue == Cue::Not && !clause.in_time(hit) && need.is_none_or(|need| hit.words.start <= need + 1))
}

/// Whether a clause names something, by no more than a few words without a verb.
pub(super) fn names_a_thing(clause: &Clause<'_>) -> bool {
    let head = clause.words.first().map_or("", |word| word.low.as_str());
    !says_something(clause)
        && !states(clause)
        && !clause.text.trim_end().ends_with('?')
        && clause.words.len() <= NOUN_ITEM_WORDS_MAX
        && clause.when.stretches.iter().all(|it| it.past)
        && !matches!(
            head,
            "after" | "before" | "once" | "when" | "if" | "so" | "oh" | "ok" | "okay" | "hello" | "hi" | "thanks"
        )
        && !intent(clause.text).is_empty()
}

/// Whether a clause names something in a word or two, with this mark behind it.
pub(super) fn names_a_thing_with(clause: &Clause<'_>, mark: char) -> bool {
    clause.text.trim_end().ends_with(mark)
        && clause.words.len() <= 2
        && !says_something(clause)
        && !states(clause)
        && clause.when.stretches.is_empty()
}

/// "First the backup, then the update": named in the order of doing.
pub(super) fn is_in_order(clause: &Clause<'_>) -> bool {
    let first = clause.words.first().map_or("", |word| word.low.as_str());
    let named = clause.words.get(1).is_some_and(|word| {
        matches!(word.low.as_str(), "the" | "my" | "a" | "an" | "some" | "our") || word.low.ends_with("'s")
    });
    named && matches!(first, "first" | "firstly" | "then" | "next" | "finally" | "lastly" | "afterwards")
}

/// Verbs, and words that no name of a task holds.
const SAYING: List = List("saying");

/// Whether a clause has a verb of its own, or a word that no name of a task holds.
pub(super) fn says_something(clause: &Clause<'_>) -> bool {
    // "…, if I have a hole in the day": the condition is none of the thing.
    let ends = |low: &str| matches!(low, "if" | "once" | "when");
    clause
        .words
        .iter()
        .enumerate()
        .take_while(|(at, word)| *at == 0 || !ends(&word.low))
        .any(|(_, word)| SAYING.contains(&word.low))
}

/// Words that name nothing.
const SMALL: List = List("small");

pub(super) fn is_small(word: &str) -> bool {
    word.len() < 3 || SMALL.contains(word)
}

/// Words of what is over.
const OVER: List = List("past");

/// "The dog was up at 4": what is over needs no plan.
pub(super) fn tells_of_the_past(clause: &Clause<'_>) -> bool {
    let over = |word: &Word| OVER.contains(&word.low);
    clause.words.iter().any(over) && clause.verb().is_none() && !clause.has(Cue::Need)
}

/// Verbs of requests for an answer.
const MAKING: List = List("making");

/// What such a request is for.
const OF_ANSWER: List = List("of-answer");

/// Sentences about the plan or answer that is asked for, not about the day.
pub(super) fn is_of_the_answer(clause: &Clause<'_>) -> bool {
    let low: Vec<&str> = clause.words.iter().take(4).map(|word| word.low.as_str()).collect();
    let owned =
        matches!(low[..], ["your" | "the", "response" | "answer" | "output" | "reply" | "solution" | "plan", ..]);
    let makes = low.first().is_some_and(|word| MAKING.contains(word));
    let of_plan = clause.words.iter().skip(1).take(6).any(|word| OF_ANSWER.contains(&word.low));
    owned || (makes && of_plan)
}

/// "Before it I must …", "… before it.": the words that put a clause before what was named last.
pub(super) fn before_it(clause: &Clause<'_>) -> Option<std::ops::Range<usize>> {
    let at = clause.words.windows(2).position(|pair| pair[0].low == "before" && pair[1].low == "it")?;
    let next = clause.words.get(at + 2);
    let ends = next.is_none_or(|next| next.parted || matches!(next.low.as_str(), "i" | "we" | "you"));
    ends.then(|| clause.words[at].range.start..clause.words[at + 1].range.end)
}

/// "Before I go to lab", "before we leave": the words, to the next comma.
pub(super) fn before_going(clause: &Clause<'_>) -> Option<std::ops::Range<usize>> {
    let goes = |three: &[Word]| {
        three[0].low == "before"
            && matches!(three[1].low.as_str(), "i" | "we")
            && matches!(three[2].low.as_str(), "leave" | "go" | "head" | "set")
    };
    let at = clause.words.windows(3).position(goes)?;
    let rest = clause.words.get(at + 3..).unwrap_or_default().iter().take_while(|word| !word.parted);
    let end = rest.last().map_or(clause.words[at + 2].range.end, |word| word.range.end);
    Some(clause.words[at].range.start..end)
}

/// The words by which something is to be done at the very end: "last thing".
pub(super) fn last_thing(clause: &Clause<'_>) -> Option<std::ops::Range<usize>> {
    let at =
        clause.words.windows(2).position(|pair| pair[0].low == "last" && pair[1].low == "thing" && !pair[1].parted)?;
    let is_own = at > 0 && !matches!(clause.words[at - 1].low.as_str(), "the" | "one" | "a" | "my");
    is_own.then(|| clause.words[at].range.start..clause.words[at + 1].range.end)
}

/// "Once it's over", "before it starts", "when they are done": the words that put a clause beside what was named before, and whether it comes before
/// that.
pub(super) fn beside_it(clause: &Clause<'_>) -> Option<(bool, std::ops::Range<usize>)> {
    let hits = clause.hits.iter().filter(|hit| matches!(hit.cue, Cue::After | Cue::Before) && !clause.in_time(hit));
    hits.filter_map(|hit| {
        let word = |at: usize| clause.words.get(hit.words.end + at).map_or("", |word| word.low.as_str());
        let last = match (word(0), word(1)) {
            ("it's" | "that's" | "they're", end) => Some((end, 1)),
            ("it" | "that" | "they", "is" | "are") => Some((word(2), 2)),
            ("it" | "that" | "they", end) => Some((end, 1)),
            _ => None,
        };
        let (end, at) = last?;
        let is_end =
            matches!(end, "over" | "done" | "finished" | "starts" | "begins" | "ends" | "in" | "out" | "ready");
        let last = clause.words.get(hit.words.end + at).filter(|_| is_end)?;
        Some((hit.cue == Cue::Before, clause.words[hit.words.start].range.start..last.range.end))
    })
    .next()
}

/// Whether a clause only says before or after what all that follows in its line is done, up to a colon.
pub(super) fn heads(line: &str, clause: &Clause<'_>) -> bool {
    let colon = line.get(..clause.at + clause.text.len()).is_some_and(|head| head.trim_end().ends_with(':'))
        || line.get(clause.at + clause.text.len()..).is_some_and(|rest| rest.starts_with(':'));
    let first =
        clause.hits.first().is_some_and(|hit| hit.words.start == 0 && matches!(hit.cue, Cue::Before | Cue::After));
    // "After work (17:30): …".
    let timed = match &clause.when.stretches[..] {
        [] => true,
        [one] => one.shape == Shape::Point && one.limit.is_none() && clause.text.contains('('),
        _ => false,
    };
    colon && first && timed && clause.verb().is_none() && clause.words.len() <= HEADING_WORDS_MAX
}

/// Longest clause that only says before or after what the rest is done, in words.
const HEADING_WORDS_MAX: usize = 6;
