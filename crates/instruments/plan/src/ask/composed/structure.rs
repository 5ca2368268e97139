//! What the build of a piece shows about it, whatever the scorers say: whose deed it is, of which day it is, and whether it names anything.

use super::super::clauses::Clause;
use super::super::cues::Cue;
use super::super::pieces::{Of, Says};
use super::super::verbs::is_task_verb;
use super::super::when::Shape;
use super::super::words::Word;
use super::named::{Part, low_is};
use super::times::own_times;
use crate::list::List;
use crate::model::intent;

/// Words that say of all that is listed that it is to be done, and name nothing: "everything has to be ready".
const OF_ALL: List = List("of-all");

/// Words of whoever writes.
const MINE: [&str; 12] = ["i", "i'm", "i'll", "i've", "i'd", "we", "we're", "we'll", "me", "my", "us", "our"];

/// Most words of the subject of somebody else's deed.
const SUBJECT_WORDS_MAX: usize = 3;

/// Most words that stand before the day to which something is put off.
const LEAD_WORDS_MAX: usize = 3;

/// Corrects what the scorers say where the build of a piece shows otherwise.
pub(super) fn correct(parts: &mut [Part<'_>]) {
    for at in 0..parts.len() {
        steadfast_steps::spend(1);
        let clause = &parts[at].clause;
        let resting = at > 0 && rests(&parts[at - 1], parts[at].line);
        match parts[at].piece.says {
            Says::Chatter | Says::By | Says::From | Says::Only | Says::Others
                if own_times(clause).is_empty() && waits_minutes(clause, resting).is_some() =>
            {
                parts[at].piece.says = Says::Length;
            }
            // "Needs eggs from the big shop" waits for what is named there.
            Says::Chatter | Says::Wish | Says::Condition | Says::Task
                if at > 0 && parts[at - 1].line == parts[at].line && needs(clause) =>
            {
                parts[at].piece.says = Says::Order;
                parts[at].piece.of = Of::Before;
            }
            // "Fix the printer -> Dev will do it".
            Says::NotMine
                if at > 0
                    && own_times(clause).is_empty()
                    && is_of_it(clause)
                    && parts[at - 1].line == parts[at].line
                    && parts[at - 1].piece.says == Says::Task =>
            {
                parts[at - 1].piece.says = Says::NotMine;
            }
            // "Library books due today, library 9:30-12:30".
            Says::Event if at > 0 && is_open_for(&parts[at - 1], &parts[at]) => {
                parts[at].piece.says = Says::Only;
                parts[at].piece.of = Of::Before;
            }
            // "Leila has swimming at 4:45 and Omar is taking her".
            Says::NotMine
                if at > 0
                    && takes_there(clause)
                    && parts[at - 1].line == parts[at].line
                    && parts[at - 1].piece.says == Says::Event =>
            {
                parts[at - 1].piece.says = Says::NotMine;
            }
            // "Let dry 3 hrs then pack them".
            Says::Task if at > 0 && parts[at - 1].line == parts[at].line && lets_go_on(clause) => {
                let wait = own_times(clause).is_empty() && !clause.when.lengths.is_empty();
                parts[at].piece.says = if wait { Says::Length } else { Says::Chatter };
                parts[at].piece.of = Of::Before;
            }
            // "Dad's GP 11:30, leave 20 mins to drive there".
            Says::Task | Says::Chatter | Says::Event if at > 0 && way_minutes(clause).is_some() => {
                parts[at].piece.says = Says::Length;
                parts[at].piece.of = Of::Before;
            }
            // "…, leave | 20 mins to drive there".
            Says::Task if clause.words.len() == 1 && low_is(&clause.words[0].low, &["leave", "allow"]) => {
                parts[at].piece.says = Says::Chatter;
            }
            Says::Task if speaks_of_all(clause) => parts[at].piece.says = Says::Chatter,
            Says::Task if is_denied(clause) => parts[at].piece.says = Says::Not,
            Says::Task if is_of_somebody_else(clause) => parts[at].piece.says = Says::NotMine,
            Says::Task if is_put_off_within(clause) => parts[at].piece.says = Says::NotToday,
            Says::Only | Says::From | Says::Chatter | Says::NotToday if at > 0 && puts_off(clause) => {
                let (before, own) = (&parts[at - 1], &parts[at]);
                if before.line == own.line && before.piece.says == Says::Task {
                    parts[at - 1].piece.says = Says::NotToday;
                    parts[at].piece.says = Says::NotToday;
                }
            }
            _ => {}
        }
    }
}

/// Whether a piece says of all that is listed what follows, and names nothing.
pub(super) fn speaks_of_all(clause: &Clause<'_>) -> bool {
    let all = |word: &Word| low_is(&word.low, &["everything", "all", "both"]);
    clause.words.iter().any(all) && clause.words.iter().all(|word| OF_ALL.contains(&word.low))
}

/// "No oven and no iron"; not "don't forget the keys".
fn is_denied(clause: &Clause<'_>) -> bool {
    let first = clause.words.first().is_some_and(|word| low_is(&word.low, &["no", "not", "never", "don't", "nothing"]));
    first && !clause.words.get(1).is_some_and(|word| low_is(&word.low, &["forget", "matter"]))
}

/// "Kavita will pay the bill", "Sam's doing the roster", "Rafa makes the dinner".
fn is_of_somebody_else(clause: &Clause<'_>) -> bool {
    let words = &clause.words;
    let Some(first) = words.first() else { return false };
    if is_task_verb(&first.low) || words.iter().any(|word| low_is(&word.low, &MINE)) {
        return false;
    }
    let acts = |at: usize| words.get(at).is_some_and(|word| word.low.len() > 4 && word.low.ends_with("ing"));
    let subject = (1..=SUBJECT_WORDS_MAX).find(|at| {
        words.get(*at).is_some_and(|word| word.low == "will" || low_is(&word.low, &["is", "are"]) && acts(at + 1))
    });
    let short = first.capital && first.low.ends_with("'s") && acts(1);
    let does = first.capital
        && words.get(1).is_some_and(|word| {
            low_is(&word.low, &["does", "has", "goes"]) || word.low.strip_suffix('s').is_some_and(is_task_verb)
        })
        && words.get(2).is_some_and(|word| low_is(&word.low, &["the", "a", "an", "his", "her", "their", "it"]));
    subject.is_some() || short || does
}

/// Whether a stretch of time is said of nothing but what the task before it in the line names: when that is open.
fn is_open_for(before: &Part<'_>, own: &Part<'_>) -> bool {
    let stems = intent(own.clause.text);
    let times = own_times(&own.clause);
    let named = intent(before.clause.text);
    before.line == own.line
        && before.piece.says == Says::Task
        && times.len() == 1
        && times[0].shape == Shape::Range
        && !stems.is_empty()
        && stems.iter().all(|stem| named.contains(stem))
}

/// "Needs eggs from the big shop", "need the figures from Greg"; not "need to call Bo".
fn needs(clause: &Clause<'_>) -> bool {
    let first = clause.words.first().is_some_and(|word| low_is(&word.low, &["needs", "need"]));
    first && clause.words.iter().any(|word| word.low == "from") && own_times(clause).is_empty()
}

/// Whether a clause says something of "it", and not of oneself.
fn is_of_it(clause: &Clause<'_>) -> bool {
    let low = |among: &[&str]| clause.words.iter().any(|word| low_is(&word.low, among));
    low(&["it", "them"]) && low(&["will", "is", "does"]) && !low(&MINE)
}

/// "Let dry", "leave to cool": what goes on by itself.
fn lets_go_on(clause: &Clause<'_>) -> bool {
    let first = clause.words.iter().find(|word| !low_is(&word.low, &["and", "then"]));
    first.is_some_and(|word| low_is(&word.low, &["let", "leave", "allow"]))
        && clause.words.iter().any(|word| low_is(&word.low, &GOES_ON))
}

/// The minutes of a way that is named by what is left for it: "leave 20 mins to drive there".
pub(super) fn way_minutes(clause: &Clause<'_>) -> Option<i64> {
    let low = |among: &[&str]| clause.words.iter().any(|word| low_is(&word.low, among));
    let minutes =
        clause.when.lengths.first().and_then(|it| it.max.or(it.min)).filter(|own| (1..=12 * 60).contains(own));
    let going = ["drive", "walk", "cycle", "travel", "get"];
    let goes = clause.words.windows(2).any(|two| two[0].low == "to" && low_is(&two[1].low, &going));
    minutes.filter(|_| goes && low(&["there", "over", "across"]))
}

/// Whether somebody else takes, brings or fetches whoever an event is of.
fn takes_there(clause: &Clause<'_>) -> bool {
    let low = |among: &[&str]| clause.words.iter().any(|word| low_is(&word.low, among));
    low(&[
        "taking",
        "takes",
        "bringing",
        "brings",
        "driving",
        "drives",
        "collecting",
        "collects",
        "fetching",
        "fetches",
    ]) && low(&["her", "him", "them"])
        && !low(&MINE)
}

/// Whether a clause has a day that is to come, and no time of today.
fn is_of_another_day(clause: &Clause<'_>) -> bool {
    own_times(clause).is_empty() && clause.when.stretches.iter().any(|it| !it.today && !it.past)
}

/// "Ring the bank - Thurs": the day behind a mark.
fn is_put_off_within(clause: &Clause<'_>) -> bool {
    let day = clause.when.stretches.last().filter(|it| !it.today && !it.past);
    day.is_some_and(|day| {
        let (before, rest) = clause.text.split_at(day.span.start);
        let ends = !rest[day.span.len()..].contains(char::is_alphanumeric);
        // "- leave it for the weekend".
        let leads = |word: &str| {
            low_is(
                word,
                &[
                    "leave", "it", "for", "until", "till", "til", "can", "wait", "that", "on", "moved", "to", "is",
                    "the", "later",
                ],
            )
        };
        let said = before.rsplit(['-', '\u{2013}', '\u{2014}', '=', ':', '>']).next().unwrap_or_default();
        let marked = said.len() < before.len();
        ends && marked && said.split_whitespace().all(|word| leads(&word.to_lowercase()))
    })
}

/// "Monday.", "= next week", "sunday with Piotr": nothing but the day to which something is put off stands first.
fn puts_off(clause: &Clause<'_>) -> bool {
    let leads = |word: &&Word| {
        low_is(
            &word.low,
            &["is", "are", "for", "on", "only", "not", "until", "till", "til", "moved", "to", "goes", "can", "wait"],
        )
    };
    let timed = clause.words.iter().position(|word| clause.is_timed(word));
    timed.is_some_and(|at| at <= LEAD_WORDS_MAX && clause.words[..at].iter().all(|word| leads(&word)))
        && is_of_another_day(clause)
}

/// Whether a piece says of all that is listed that it must be done: "everything here MUST go today".
pub(super) fn musts_all(clause: &Clause<'_>) -> bool {
    clause.has(Cue::Must) && clause.words.iter().any(|word| low_is(&word.low, &["everything", "all"]))
}

/// Words that say what goes on by itself for as long as the piece says: "it must cool for an hour", "the machine runs 50 min by itself".
const GOES_ON: [&str; 27] = [
    "rest", "rests", "cool", "cools", "cold", "dry", "dries", "drying", "soak", "soaks", "rise", "rises", "set",
    "sets", "chill", "chills", "run", "runs", "charge", "charges", "marinate", "prove", "itself", "wait", "through",
    "thru", "arrive",
];

/// Whether a piece of the line says that something goes on by itself, and not for how long: "it must get cold".
pub(super) fn rests(part: &Part<'_>, line: usize) -> bool {
    let goes = part.clause.words.iter().any(|word| low_is(&word.low, &GOES_ON));
    goes && part.line == line && part.piece.says == Says::Chatter && part.clause.when.lengths.is_empty()
}

/// The minutes for which something goes on by itself once a task is done, so that what comes next waits.
pub(super) fn waits_minutes(clause: &Clause<'_>, resting: bool) -> Option<i64> {
    let goes = clause.words.iter().any(|word| low_is(&word.low, &GOES_ON));
    let subject = clause.words.first().is_some_and(|word| !clause.is_timed(word) && !low_is(&word.low, &MINE));
    let length = clause.when.lengths.iter().find_map(|it| it.min.or(it.max)).filter(|own| (1..24 * 60).contains(own));
    length.filter(|_| goes && subject || resting)
}
