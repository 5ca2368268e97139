//! Where a line is parted into clauses.

use std::ops::Range;

use steadfast_time::Expression;

use super::clauses::JOINING;
use super::cues::Cue;
use super::verbs::is_task_verb;
use super::words::{Word, hits, words};
use crate::list::List;

/// Where a line is parted into clauses, as ranges of it: at the ends of sentences, semicolons and dashes, and at commas and
/// conjunctions after which something else is said.
pub(crate) fn parts(line: &str, found: &[Expression], listed: bool) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let all = words(line);
    let asides = asides(line, &all, found);
    for sentence in steadfast_text::sentences(line) {
        let first = all.partition_point(|word| word.range.start < sentence.start);
        let last = all.partition_point(|word| word.range.start < sentence.end);
        let own = all.get(first..last).unwrap_or_default();
        let mut start = sentence.start;
        let mut own = own;
        let first = asides.partition_point(|it| it.start < sentence.start);
        for aside in asides.iter().skip(first).take_while(|it| it.end <= sentence.end) {
            let (before, rest) = own.split_at(own.partition_point(|word| word.range.start < aside.start));
            let (within, after) = rest.split_at(rest.partition_point(|word| word.range.start < aside.end));
            part(line, start..aside.start, before, (found, listed), &mut out);
            part(line, aside.clone(), within, (found, listed), &mut out);
            (start, own) = (aside.end, after);
        }
        part(line, start..sentence.end, own, (found, listed), &mut out);
    }
    out
}

/// What stands in brackets and tells something of its own: "(the card says 8:45, but they moved it)".
fn asides(line: &str, words: &[Word], found: &[Expression]) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut open = None;
    for (at, byte) in line.bytes().enumerate() {
        match (byte, open) {
            (b'(', None) => open = Some(at),
            (b')', Some(start)) => {
                let first = words.partition_point(|word| word.range.start < start);
                let last = words.partition_point(|word| word.range.start < at);
                let inside = words.get(first..last).unwrap_or_default();
                let named = inside.iter().filter(|word| {
                    expression_at(found, word.range.start).is_none()
                        && word.low.len() > 2
                        && !JOINING.contains(&word.low.as_str())
                });
                let timed = inside.iter().any(|word| expression_at(found, word.range.start).is_some_and(is_clock));
                if super::amend::tells(inside) || (timed && named.count() > 0) {
                    out.push(start..at + 1);
                }
                open = None;
            }
            _ => {}
        }
    }
    out
}

/// Verbs behind "which".
const PREDICATE: List = List("predicate");

fn part(
    line: &str,
    sentence: Range<usize>,
    words: &[Word],
    (found, listed): (&[Expression], bool),
    out: &mut Vec<Range<usize>>,
) {
    let mut start = sentence.start;
    let mut first = 0;
    // What the clause holds so far: a clock time, and words beside times.
    let mut clocked = false;
    let mut said = 0_usize;
    let mut acts = false;
    // Whether a comma of the clause was passed, and a length.
    let (mut passed, mut lasted) = (false, false);
    for at in 0..words.len() {
        let word = &words[at];
        let before = if at == 0 { sentence.start } else { words[at - 1].range.end };
        let gap = line.get(before..word.range.start).unwrap_or_default();
        let inside = expression_at(found, word.range.start)
            .is_some_and(|it| it.span.start < word.range.start && before <= it.span.end);
        let hard = at > first
            && !inside
            && (gap.contains(';')
                || is_dash(gap)
                || gap.contains("->")
                || (gap.contains('\u{2192}') && gap.contains(' '))
                || gap.contains(" / ")
                || (gap.contains(':') && (is_task_verb(&word.low) || heads(words, first, at)))
                // "10am. leave 9:25": an abbreviation of a time may end a sentence as well.
                || (gap.starts_with(['.', '!']) && gap.ends_with(' ') && expression_at(found, before.saturating_sub(1)).is_some()));
        // "Interview – Sara J, 4–4:45pm": what comes before the dash is named and no more.
        let kind = hard
            && is_dash(gap)
            && out.last().is_none_or(|last| last.start < sentence.start)
            && !clocked
            && at - first <= KIND_WORDS_MAX
            && !words[first..at].iter().any(|word| is_task_verb(&word.low) && word.low != "call")
            && has_clock(words, at, found)
            && !begins(&word.low)
            && !JOINING.contains(&word.low.as_str())
            && names_something(words, at, found);
        let hard = hard && !kind;
        // "Docketing: add the deadlines": what is to be done says it all.
        let when = matches!(words[first].low.as_str(), "after" | "before" | "once" | "during");
        if hard && gap.contains(':') && at - first <= KIND_WORDS_MAX && !clocked && !when {
            start = word.range.start;
            first = at;
            said = 0;
        }
        let hard = hard && at > first;
        let comma = gap.contains(',');
        // "…, then the update": the next thing.
        let next = comma && word.low == "then" && (said > 0 || clocked);
        // "– only after 12, on call till then": a time by itself was said already.
        let closed = comma && clocked && said == 0 && out.last().is_some_and(|last| last.start >= sentence.start);
        let joined = matches!(word.low.as_str(), "and" | "then" | "but" | "so" | "also" | "plus");
        let mut split = hard;
        let joined = joined || word.low == "or";
        if !split && at > first && !inside && (comma || joined) {
            let begin = if joined { at + 1 } else { at };
            let leads = words.get(first).is_some_and(|word| is_adverbial(&word.low)) && !passed;
            // "On site 8:30–16:30, lunch 12–12:45": two times with a name each.
            let placed = comma
                && words.get(first).is_some_and(|word| matches!(word.low.as_str(), "on" | "in" | "at"))
                && clocked
                && said > 0
                && has_clock(words, at, found)
                && names_something(words, at, found);
            let leads = leads && !placed;
            let adverbial = leads && (comma || !acts);
            passed |= comma;
            let back = words.get(begin).is_some_and(|next| matches!(next.low.as_str(), "am" | "be"))
                && words.get(begin + 1).is_some_and(|next| next.low == "back");
            let home = back
                || words.get(begin).is_some_and(|next| next.low == "home")
                    && words
                        .get(begin + 1)
                        .is_some_and(|next| matches!(next.low.as_str(), "by" | "at" | "around" | "for" | "again"));
            // "…, apart from that I want to clear out the shed".
            let own = comma
                && words
                    .iter()
                    .enumerate()
                    .skip(begin)
                    .take(SUBJECT_WORDS_MAX)
                    .take_while(|(at, word)| *at == begin || !word.parted)
                    .any(|(_, word)| {
                        matches!(word.low.as_str(), "i" | "we" | "i'll" | "we'll" | "i'd" | "i've" | "i'm")
                    });
            let other = own
                || home
                || words
                    .get(begin)
                    .is_some_and(|next| (begins(&next.low) && !is_given(line, next)) || is_subject(words, begin));
            let timed = clocked && said > 0 && has_clock(words, begin, found) && names_something(words, begin, found);
            // "…, the deploy was fine": something else is told.
            let told = comma
                && clocked
                && ahead(words, begin)
                    .any(|next| matches!(next.low.as_str(), "is" | "was" | "are" | "were" | "has" | "had"));
            let enough = said > 1 || (said > 0 && (clocked || comma));
            // "To do: groceries, call school, dinner in the oven": a list in a line.
            let item = listed
                && comma
                && said > 0
                && expression_at(found, words[begin.min(words.len() - 1)].range.start).is_none();
            // "Send the invoice, dentist 16:30".
            let appointment =
                comma && said > 1 && words.get(begin).is_some_and(names_event) && has_clock(words, begin, found);
            // "…, out by 11 or he is asleep".
            let bound = comma
                && said > 0
                && words.get(begin).is_some_and(|next| {
                    matches!(next.low.as_str(), "out" | "due" | "ready" | "printed" | "sent" | "off")
                })
                && has_clock(words, begin, found);
            // "Before 3 or they don't come", "2h, Dr Shah wants it".
            let or_else = word.low == "or"
                && words
                    .get(at + 1)
                    .is_some_and(|next| matches!(next.low.as_str(), "i" | "we" | "they" | "he" | "she" | "it"))
                && clocked;
            let after_times = comma && said == 0 && other;
            // "Frying will take two hours, and packing another forty-five minutes".
            let lasts = |word: &Word| expression_at(found, word.range.start).is_some_and(is_length);
            let lasting = comma
                && joined
                && lasted
                && said > 0
                && ahead(words, begin).any(lasts)
                && expression_at(found, words[begin.min(words.len() - 1)].range.start).is_none();
            // "Dinner (1 hour), which has to be ready by 8".
            let which = comma
                && said > 0
                && word.low == "which"
                && words.get(at + 1).is_some_and(|next| PREDICATE.contains(&next.low));
            // "Pharmacy 20 min, groceries half an hour", "lunch 12 to 1, 2h on the proposal": each with its length.
            let each = comma && said > 0 && (lasted || clocked) && lasts_itself(line, words, begin, found);
            // "…, the office is closed from 12 to 1".
            let shut = comma
                && word.low == "the"
                && ahead(words, begin).take(4).any(|next| matches!(next.low.as_str(), "is" | "are"))
                && ahead(words, begin).any(|next| matches!(next.low.as_str(), "closed" | "shut" | "open" | "free"));
            // "Review the copy 30 min then the draft 1h".
            let follows = word.low == "then" && lasted && said > 0 && lasts_itself(line, words, begin, found);
            // "…, newsletter draft 1h, expense report, off at 5:30".
            let among = comma && !joined && said > 0 && (lasted || clocked) && is_bare_thing(line, words, begin, found);
            split = or_else
                || among
                || shut
                || follows
                || which
                || each
                || after_times
                || lasting
                || bound
                || item
                || appointment
                || next
                || closed
                || (!adverbial && enough && (other || told || (timed && (comma || joined))));
            // "review and send the deck": one thing.
            if split && joined && !comma && said < 2 && !clocked {
                split = false;
            }
        }
        if split {
            push(line, start..before, out);
            start = word.range.start;
            first = at;
            clocked = false;
            said = 0;
            acts = false;
            passed = false;
            lasted = false;
        }
        match expression_at(found, word.range.start) {
            Some(it) => {
                clocked |= is_clock(it);
                lasted |= is_length(it);
            }
            None => {
                said += usize::from(word.low.len() > 1 && !JOINING.contains(&word.low.as_str()));
                acts |= is_task_verb(&word.low) && at > first;
            }
        }
    }
    push(line, start..sentence.end, out);
}

fn push(line: &str, mut range: Range<usize>, out: &mut Vec<Range<usize>>) {
    let Some(text) = line.get(range.clone()) else { return };
    // "Report (2h)": the bracket that was opened belongs to it.
    let opens = text.rfind('(').is_some_and(|open| !text[open..].contains(')'));
    if opens && line.get(range.end..).is_some_and(|rest| rest.starts_with(')')) {
        range.end += 1;
    }
    if text.chars().any(char::is_alphanumeric) {
        out.push(range);
    }
}

fn is_dash(gap: &str) -> bool {
    [" -- ", " - ", " \u{2013} ", " \u{2014} ", "\u{2014}"].iter().any(|dash| gap.contains(dash))
}

fn expression_at(found: &[Expression], at: usize) -> Option<&Expression> {
    let index = found.partition_point(|it| it.span.end <= at);
    found.get(index).filter(|it| it.span.start <= at)
}

fn is_length(it: &Expression) -> bool {
    matches!(it.readings.first(), Some(steadfast_time::Reading::Duration { .. }))
}

pub(super) fn is_clock(it: &Expression) -> bool {
    use steadfast_time::Reading;
    it.readings.iter().any(|reading| {
        matches!(
            reading,
            Reading::Time(_) | Reading::TimeRange { .. } | Reading::DateTime(_) | Reading::DateTimeRange { .. }
        )
    })
}

/// Most words before a dash or colon that say of what kind it is that follows.
const KIND_WORDS_MAX: usize = 2;

/// So many words after a comma may stand before the one who plans.
const SUBJECT_WORDS_MAX: usize = 5;

/// Words that may be looked at for what a clause begins with.
pub(super) const LOOK_AHEAD_WORDS: usize = 8;

fn ahead(words: &[Word], from: usize) -> impl Iterator<Item = &Word> {
    words
        .iter()
        .enumerate()
        .skip(from)
        .take(LOOK_AHEAD_WORDS)
        // "1:1" is one word.
        .take_while(move |(at, word)| *at == from || !word.parted || word.is_figure() && words[at - 1].is_figure())
        .map(|(_, word)| word)
}

fn has_clock(words: &[Word], from: usize, found: &[Expression]) -> bool {
    ahead(words, from).any(|word| expression_at(found, word.range.start).is_some_and(is_clock))
}

fn names_something(words: &[Word], from: usize, found: &[Expression]) -> bool {
    ahead(words, from).any(|word| {
        expression_at(found, word.range.start).is_none() && word.low.len() > 2 && !JOINING.contains(&word.low.as_str())
    })
}

/// Whether words before a colon say after or before what the rest is done: "After work: 30 min run".
fn heads(words: &[Word], first: usize, at: usize) -> bool {
    at - first <= HEADING_WORDS_MAX
        && words.get(first).is_some_and(|word| matches!(word.low.as_str(), "after" | "before" | "once" | "during"))
}

/// Most words of such a heading.
const HEADING_WORDS_MAX: usize = 5;

/// Whether words up to the next comma name something and say how long it takes.
fn lasts_itself(line: &str, words: &[Word], from: usize, found: &[Expression]) -> bool {
    let length_at = |word: &Word| expression_at(found, word.range.start).is_some_and(is_length);
    // A bracket goes on with what stands before it: "campaign brief (2h)".
    let own = || {
        (from..words.len()).take(LOOK_AHEAD_WORDS).take_while(move |at| {
            let gap = at.checked_sub(1).and_then(|at| words.get(at)).map_or(0, |word| word.range.end);
            *at == from || !line.get(gap..words[*at].range.start).unwrap_or_default().contains([',', ';'])
        })
    };
    let Some(length) = own().position(|at| length_at(&words[at])) else { return false };
    let names = |word: &Word| {
        expression_at(found, word.range.start).is_none()
            && word.low.len() > 2
            && !JOINING.contains(&word.low.as_str())
            && !super::continued::FILLING.contains(&word.low)
    };
    if length > 0 {
        // "Rufus + Pip 9.30 (1 hr)" has a time that is not read.
        let figure = |at: usize| words[at].is_figure() && expression_at(found, words[at].range.start).is_none();
        return own().take(length).any(|at| names(&words[at]))
            && !own().take(length).any(figure)
            && expression_at(found, words[from].range.start).is_none()
            && !begins(&words[from].low);
    }
    let mut behind = own().skip_while(|at| length_at(&words[*at])).map(|at| &words[at]);
    // "20 min on foot" is the way to something.
    let is_joint = behind.next().is_some_and(|word| matches!(word.low.as_str(), "on" | "for" | "of"));
    let is_named =
        behind.next().is_some_and(|word| matches!(word.low.as_str(), "the" | "my" | "our" | "his" | "her" | "a"));
    is_joint && is_named && behind.any(names)
}

/// Fewest commas of a line that is a list.
pub(super) const LISTED_COMMAS_MIN: usize = 4;

/// Most words of a thing in such a list that says nothing of when.
pub(super) const THING_WORDS_MAX: usize = 3;

/// Whether words up to the next comma name a thing and no more, in a line that is a list.
fn is_bare_thing(line: &str, words: &[Word], from: usize, found: &[Expression]) -> bool {
    let listed = line.bytes().filter(|byte| *byte == b',').take(LISTED_COMMAS_MIN).count() == LISTED_COMMAS_MIN;
    let end = |at: usize| words.get(at).map_or(line.len(), |word| word.range.start);
    let until = (from..=words.len()).take(THING_WORDS_MAX + 2).skip(1).find(|at| {
        let gap = line.get(words[at - 1].range.end..end(*at)).unwrap_or_default();
        *at == words.len() || gap.contains([',', ';'])
    });
    let Some(until) = until.filter(|until| listed && until - from <= THING_WORDS_MAX) else { return false };
    words[from..until].iter().all(|word| {
        expression_at(found, word.range.start).is_none()
            && !JOINING.contains(&word.low.as_str())
            && !super::continued::FILLING.contains(&word.low)
            && word.low.len() > 2
    })
}

/// Whether a word names something that takes place.
fn names_event(word: &Word) -> bool {
    hits(std::slice::from_ref(word)).iter().any(|hit| hit.cue == Cue::Event)
}

/// Words with which a clause of its own begins, beside verbs of tasks.
const BEGINNING: List = List("beginning");

/// Words with which a clause of its own begins.
fn begins(low: &str) -> bool {
    is_task_verb(low) || BEGINNING.contains(low)
}

/// Verbs behind the name of somebody of whom something is said.
const OF_SUBJECT: List = List("of-subject");

/// "Sam is", "Ana has": somebody of whom something is said.
fn is_subject(words: &[Word], at: usize) -> bool {
    let name = words.get(at).is_some_and(|word| word.capital && !word.is_figure());
    let verb = words.get(at + 1).is_some_and(|word| OF_SUBJECT.contains(&word.low));
    // "…, the portal shuts at 4".
    let closes = |at: usize| {
        words.get(at).is_some_and(|word| {
            !word.parted && matches!(word.low.as_str(), "closes" | "shuts" | "opens" | "leaves" | "ends")
        })
    };
    // "Dr Shah wants it", "Bea Lind has it".
    let second = name
        && words.get(at + 1).is_some_and(|word| word.capital && !word.parted && !word.is_figure())
        && words.get(at + 2).is_some_and(|word| {
            matches!(word.low.as_str(), "is" | "will" | "wants" | "needs" | "has" | "said" | "can")
        });
    (name && verb) || second || closes(at + 1) || closes(at + 2)
}

/// A given name that is a verb as well ("Mark").
fn is_given(line: &str, word: &Word) -> bool {
    word.capital && line.get(word.range.clone()).is_some_and(steadfast_annotate::is_given_name)
}

/// "Mark is busy": a given name of whom something is said.
pub(super) fn is_somebody(text: &str, words: &[Word], at: usize) -> bool {
    words.get(at).is_some_and(|word| is_given(text, word)) && is_subject(words, at)
}

/// Words with which a clause only says when or on what condition.
const ADVERBIAL: List = List("adverbial");

/// Words with which a clause only says when or on what condition.
fn is_adverbial(low: &str) -> bool {
    ADVERBIAL.contains(low)
}
