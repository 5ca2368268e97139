//! Tasks: their words without times and marks, how much they matter, with whom and where.

use std::ops::Range;

use super::clauses::Clause;
use super::cues::Cue;
use super::lines::{Form, Line};
use super::people::{run, text_of};
use super::ways::there_and_back;
use super::{Reader, Spot, TASKS_MAX};
use crate::list::List;
use crate::model::{Priority, Rule, Task, intent};
use crate::window::Interval;

/// Words that are cut from the ends of a task's name.
const ENDS: &[&str] = &[
    "by", "at", "on", "for", "and", "from", "until", "till", "before", "after", "is", "are", "be", "then", "but", "so",
    "about", "around", "takes", "take", "approx", "also", "the", "a", "between", "or", "needs", "due", "ca", "with",
    "of", "min", "minimum", "to", "in", "this", "that", "est",
];

/// Words that only join a time to what it is the time of.
const JOINTS: &[&str] = &["at", "on", "from", "by", "around", "about", "between", "until", "till", "during", "over"];

/// Words that are cut from its head.
const HEADS: List = List("task-head");

impl<'a> Reader<'a> {
    /// The name of what a clause speaks of: its words without times, lengths and marks; `also` are further bytes to leave out.
    pub(super) fn name_of(&self, clause: &Clause<'_>, also: &[Range<usize>]) -> String {
        let mut cut: Vec<Range<usize>> = also.to_vec();
        for span in &clause.when.spans {
            let before = clause.words.partition_point(|word| word.range.end <= span.start);
            let joint = before
                .checked_sub(1)
                .and_then(|at| clause.words.get(at))
                .filter(|word| JOINTS.contains(&word.low.as_str()));
            let times = multiplied(clause.text, span.start).map(|(_, start)| start);
            cut.push(times.or(joint.map(|word| word.range.start)).unwrap_or(span.start)..span.end);
        }
        cut.extend(there_and_back(clause).into_iter().map(|way| way.span));
        cut.extend(super::manner::before_it(clause));
        cut.extend(super::manner::last_thing(clause));
        cut.extend(super::manner::before_going(clause));
        cut.extend(super::manner::beside_it(clause).map(|(_, span)| span));
        cut.extend(remark(clause, also));
        let verb = clause.verb().unwrap_or(usize::MAX);
        for hit in &clause.hits {
            let marks =
                matches!(hit.cue, Cue::Urgent | Cue::Optional | Cue::Low | Cue::OneGo | Cue::Least | Cue::AtMost)
                    || (hit.cue == Cue::High && hit.words.len() > 1)
                    || (matches!(hit.cue, Cue::Need | Cue::Must | Cue::Wish | Cue::High | Cue::Due)
                        && hit.words.end <= verb
                        && verb != usize::MAX)
                    || (matches!(hit.cue, Cue::Need | Cue::Must | Cue::Wish | Cue::Due)
                        && (hit.words.start == 0 || hit.words.end == clause.words.len()))
                    || (hit.cue == Cue::Must && hit.words.len() > 1);
            if marks && let Some(span) = span_of(clause, &hit.words) {
                cut.push(span.clone());
                // "… has to be finished", "… must go out": what becomes of it is no part of its name.
                if matches!(hit.cue, Cue::Must | Cue::Need)
                    && hit.words.start > 0
                    && (verb == usize::MAX || verb < hit.words.start)
                {
                    let follows = clause.words.get(hit.words.end..).unwrap_or_default().iter();
                    let end = follows.take_while(|word| becomes(&word.low)).last().map(|word| word.range.end);
                    cut.extend(end.map(|end| span.start..end));
                }
            }
        }
        cut.sort_by_key(|range| (range.start, range.end));
        let mut name = String::new();
        let mut at = 0;
        for range in cut {
            if range.start > at {
                name.push_str(clause.text.get(at..range.start).unwrap_or_default());
                name.push(' ');
            }
            at = at.max(range.end);
        }
        name.push_str(clause.text.get(at..).unwrap_or_default());
        tidied(&name)
    }

    /// "After work", "before school": when that is the notes need not say, so that it is not heeded stands beside the plan.
    fn unread(&mut self, clause: &Clause<'_>, name: &str) {
        for (at, pair) in clause.words.windows(2).enumerate() {
            let [joint, what] = pair else { continue };
            let ends = clause.words.get(at + 2).is_none_or(|next| next.parted || clause.is_timed(next));
            if matches!(joint.low.as_str(), "after" | "before")
                && matches!(what.low.as_str(), "work" | "school")
                && !clause.is_timed(what)
                && !what.parted
                && ends
                && !self.is_taken_by(&what.low)
            {
                let (joint, what) = (&joint.low, &what.low);
                self.assume(format!(
                    "\"{joint} {what}\" is not read as a time: \"{name}\" may stand before it and after it"
                ));
            }
        }
    }

    /// Puts down a task. One without a word that says anything is none.
    pub(super) fn task(&mut self, line: &Line<'a>, clause: &Clause<'_>, also: &[Range<usize>]) -> Option<usize> {
        let text = self.name_of(clause, also);
        let stems = intent(&text);
        if stems.is_empty() {
            return None;
        }
        if self.notes.tasks.len() >= TASKS_MAX {
            self.ask(format!("the notes hold more than {TASKS_MAX} tasks: which of those after them matter?"));
            return None;
        }
        let spot = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
        let quote = self.quote(spot)?;
        let task = Task {
            quote,
            intent: stems,
            priority: priority(line, clause),
            with: self.with(clause),
            place: self.place(clause),
            in_one_go: clause.has(Cue::OneGo),
            text,
        };
        self.unread(clause, &task.text);
        self.notes.tasks.push(task);
        let index = self.notes.tasks.len() - 1;
        self.line_task = Some(index);
        self.last_thing = Some(super::amend::Thing::Task { task: index, constraints: self.notes.constraints.len() });
        self.lengths(line, clause, index);
        self.must_do(line, clause, index);
        self.at_its_hour(line, clause, index);
        Some(index)
    }

    /// A mark that stands apart from its task: "…, must do today", "…, urgent".
    pub(super) fn mark(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) {
        let said = priority(line, clause);
        if let Some(task) = self.notes.tasks.get_mut(task) {
            if said != Priority::Normal {
                task.priority = said;
            }
            task.in_one_go |= clause.has(Cue::OneGo);
        }
        self.must_do(line, clause, task);
    }

    fn must_do(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) {
        let said = clause.has(Cue::Must)
            || ((clause.has(Cue::Need) || clause.has(Cue::Due))
                && clause.hits.iter().any(|hit| hit.cue == Cue::Today && clause.words[hit.words.start].low == "today"));
        let shouted = ["!!", "\u{1f525}", "\u{2757}", "\u{203c}"].iter().any(|mark| clause.text.contains(mark));
        let musts = (said && (clause.has(Cue::Today) || is_absolute(clause))) || shouted;
        let due = clause.has(Cue::Due) && clause.when.stretches.iter().any(|it| it.today && !it.past);
        // "Must not miss it" denies nothing.
        let must = |at: usize| clause.hits.iter().any(|hit| hit.cue == Cue::Must && hit.words.contains(&at));
        let denied =
            clause.hits.iter().any(|hit| hit.cue == Cue::Not && !clause.in_time(hit) && !must(hit.words.start));
        let musts = (musts || due) && !denied;
        let under = line.must && !clause.has(Cue::Optional);
        if musts || under {
            let spot = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
            let zone = self.notes.now.time_zone();
            let now = self.notes.now.timestamp();
            let today = Interval::new(super::when::day_start(now, zone), super::when::day_end(now, zone));
            self.state(spot, Rule::MustDo { task, within: Some(today) }, false);
        }
    }

    /// What a clause says of how long a task takes.
    pub(super) fn lengths(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) {
        let spot = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
        let (low, ways) = (clause.text.to_lowercase(), there_and_back(clause));
        let times = if low.contains(" each") && !low.contains(" each way") { count_of(&line.text, clause) } else { 1 };
        if let Some(minutes) = bare_minutes(line, clause) {
            let rule = Rule::Duration { task, minutes_min: Some(minutes), minutes_max: Some(minutes) };
            if self.state(spot, rule, true).is_some() {
                self.assume(format!("the number of \"{}\" is taken for minutes", clause.text.trim()));
            }
        }
        // "1 hr minimum, 2 hrs max".
        if let ([least, most], true) = (&clause.when.lengths[..], clause.has(Cue::Least) && clause.has(Cue::AtMost)) {
            let rule =
                Rule::Duration { task, minutes_min: least.min.or(least.max), minutes_max: most.max.or(most.min) };
            self.state(spot, rule, false);
            return;
        }
        for length in
            clause.when.lengths.iter().filter(|it| it.min.max(it.max).is_some_and(|minutes| minutes < DAY_MINUTES))
        {
            let times = multiplied(clause.text, length.span.start).map_or(times, |(times, _)| times);
            // "20 min each way": there and back.
            let times = if ways.iter().any(|way| way.span.start == length.span.start) { 2 } else { times };
            let of_all = |minutes: Option<i64>| minutes.map(|minutes| minutes.saturating_mul(times));
            let (mut min, mut max) = (of_all(length.min), of_all(length.max));
            let loose = length.approximate
                || clause
                    .words
                    .iter()
                    .any(|word| matches!(word.low.as_str(), "so" | "ish" | "roughly" | "ca" | "approx"));
            if min == max && (clause.has(Cue::Least) || loose) {
                max = None;
            } else if min == max && clause.has(Cue::AtMost) {
                min = None;
            }
            if min.is_some() || max.is_some() {
                self.state(spot, Rule::Duration { task, minutes_min: min, minutes_max: max }, false);
            }
        }
    }

    /// With whom something is done: people after a word that says so.
    pub(super) fn with(&mut self, clause: &Clause<'_>) -> Vec<String> {
        let arranged = clause.has(Cue::Arrange);
        let mut out: Vec<String> = Vec::new();
        let mut open = false;
        let mut at = 0;
        while at < clause.words.len() {
            let word = &clause.words[at];
            match word.low.as_str() {
                "with" | "w" | "meet" | "see" | "call" | "ring" | "phone" | "visit" | "join" | "meeting" | "1:1"
                | "sync" | "interview" | "facetime" => {
                    open = true;
                }
                "for" | "between" if arranged => open = true,
                "about" | "to" | "from" | "on" | "at" | "re" => open = false,
                _ => {}
            }
            let run = run(&clause.words, at);
            if open && !run.is_empty() {
                if let Some(person) = self.people.person(clause.text, &clause.words, &run) {
                    if !out.contains(&person) {
                        out.push(person);
                    }
                } else {
                    let first = run.start..run.start + 1;
                    let person = self.people.person(clause.text, &clause.words, &first);
                    out.extend(person.filter(|person| !out.contains(person)));
                }
            }
            at = run.end.max(at + 1);
        }
        if let Some(person) = out.last() {
            self.person = Some(person.clone());
        }
        out
    }

    /// Where something is: a name after "at", "in" or "@" that is nobody's.
    pub(super) fn place(&self, clause: &Clause<'_>) -> Option<String> {
        for (at, word) in clause.words.iter().enumerate() {
            let is_at = matches!(word.low.as_str(), "at" | "in") || clause.text[..word.range.start].ends_with('@');
            if !is_at {
                continue;
            }
            let from = if matches!(word.low.as_str(), "at" | "in") { at + 1 } else { at };
            let from = if clause.words.get(from).is_some_and(|word| word.low == "the" && !word.capital) {
                from + 1
            } else {
                from
            };
            let run = run(&clause.words, from);
            let timed = clause.words.get(from).is_some_and(|word| clause.is_timed(word));
            if !run.is_empty() && !timed && self.people.person(clause.text, &clause.words, &run).is_none() {
                let number = clause.words.get(run.end).filter(|word| {
                    !word.parted && !clause.is_timed(word) && word.low.bytes().all(|byte| byte.is_ascii_digit())
                });
                // "at Elm Street 4": the number of a house or a room.
                return Some(text_of(
                    clause.text,
                    &clause.words,
                    &(run.start..run.end + usize::from(number.is_some())),
                ));
            }
        }
        None
    }
}

/// "Walk round the lorry 15": the length of an item whose unit is left out.
fn bare_minutes(line: &Line<'_>, clause: &Clause<'_>) -> Option<i64> {
    let last = clause.words.last().filter(|word| !clause.is_timed(word) && clause.words.len() > 2)?;
    let behind = clause.text.get(..last.range.start)?.ends_with(char::is_whitespace);
    let minutes = last.low.parse::<i64>().ok().filter(|own| own % 5 == 0 && (10..=90).contains(own))?;
    let alone = behind && clause.when.lengths.is_empty() && clause.when.stretches.is_empty();
    (alone && line.form != Form::Prose).then_some(minutes)
}

/// What follows the first time of a clause, or what stands in its place, behind a comma: "fuel up 20 min, cheap diesel at the yard", "reviews, an
/// hour the lot". What is to be done was named before it.
fn remark(clause: &Clause<'_>, also: &[Range<usize>]) -> Option<Range<usize>> {
    let within = |word: &super::words::Word| also.iter().any(|span| span.contains(&word.range.start));
    let names = |word: &&super::words::Word| word.low.len() > 2 && !clause.is_timed(word) && !within(word);
    let named = clause.words.iter().find(names)?.range.end;
    let spans = || clause.when.spans.iter().chain(also);
    let beside = |text: &str| {
        text.split_whitespace()
            .all(|word| matches!(word, "about" | "approx" | "around" | "takes" | "max" | "maybe" | "~"))
    };
    let commas = clause.text.match_indices(", ").map(|(at, _)| at).take(REMARK_COMMAS_MAX);
    let mut commas = commas.filter(|comma| *comma >= named);
    let at = commas.find(|comma| {
        spans().any(|span| {
            span.end == clause.text[..*comma].trim_end().len()
                || span.start > *comma && clause.text.get(comma + 1..span.start).is_some_and(beside)
        })
    })?;
    Some(at..clause.text.len())
}

/// Most commas of a clause at which what is named may end.
const REMARK_COMMAS_MAX: usize = 16;

/// How many things a line speaks of: "4 of them, 20 min each". 1 where it does not say.
fn count_of(line: &str, clause: &Clause<'_>) -> i64 {
    if line.len() > COUNTED_LINE_BYTES_MAX {
        return 1;
    }
    let spans: Vec<Range<usize>> =
        clause.when.spans.iter().map(|span| span.start + clause.at..span.end + clause.at).collect();
    let free = |word: &super::words::Word| {
        !spans.iter().any(|span| span.start < word.range.end && word.range.start < span.end)
    };
    let number = |low: &str| {
        let named = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
            .iter()
            .position(|name| *name == low);
        named.and_then(|at| i64::try_from(at).ok()).map(|at| at + 2).or_else(|| low.trim_matches('x').parse().ok())
    };
    // What stands in another sentence counts something else.
    let before = line.get(..clause.at).unwrap_or_default();
    let from = before.rfind(['.', ';', '!']).map_or(0, |at| at + 1);
    let said = super::words::words(line)
        .into_iter()
        .filter(|word| word.range.start >= from && free(word))
        .find_map(|word| number(&word.low));
    said.filter(|count| (2..=COUNT_MAX).contains(count)).unwrap_or(1)
}

/// Longest line in which things are counted, in bytes.
const COUNTED_LINE_BYTES_MAX: usize = 1_000;

/// Most things of a line whose lengths are added up.
const COUNT_MAX: i64 = 20;

/// Minutes of a day.
const DAY_MINUTES: i64 = 24 * 60;

fn is_absolute(clause: &Clause<'_>) -> bool {
    clause.hits.iter().any(|hit| {
        hit.cue == Cue::Must
            && clause.words.get(hit.words.clone()).is_some_and(|words| {
                // "(must)", "… – must": said of what stands before.
                let ends = clause.words.get(hit.words.end).is_none_or(|next| next.parted);
                if ends && words.len() == 1 && words[0].low == "must" {
                    return true;
                }
                let phrase: Vec<&str> = words.iter().map(|word| word.low.as_str()).collect();
                !matches!(
                    phrase[..],
                    ["must"] | ["have", "to"] | ["has", "to"] | ["critical"] | ["definitely"] | ["absolutely"]
                )
            })
    })
}

fn priority(line: &Line<'_>, clause: &Clause<'_>) -> Priority {
    let shouted = clause.text.contains("!!");
    if clause.has(Cue::Optional) || line.optional || is_conditional(clause) || clause.text.trim_end().ends_with('?') {
        Priority::Optional
    } else if clause.has(Cue::Low) {
        Priority::Low
    } else if clause.has(Cue::Urgent) || shouted {
        Priority::Urgent
    } else if clause.has(Cue::High) || line.under.contains("priorit") {
        Priority::High
    } else {
        Priority::Normal
    }
}

/// Words behind an "if" on which a task depends.
const AFTER_IF: List = List("after-if");

/// Words of conditions of time and strength.
const SPARE: List = List("spare");

/// "If there is daylight left, …": done only if there is room for it.
pub(super) fn is_conditional(clause: &Clause<'_>) -> bool {
    let first = clause.words.first().is_some_and(|word| word.low == "if");
    // "…, if I have a hole in the day"; not "check if there is milk".
    let asked = |at: usize| {
        at > 0
            && matches!(
                clause.words[at - 1].low.as_str(),
                "check" | "ask" | "see" | "know" | "confirm" | "decide" | "whether" | "find" | "out" | "as" | "even"
            )
    };
    let at_all = clause.text.to_lowercase().contains("if at all possible");
    let trails = clause.words.iter().enumerate().any(|(at, word)| {
        word.low == "if" && !asked(at) && clause.words.get(at + 1).is_some_and(|next| AFTER_IF.contains(&next.low))
    });
    let quiet = clause.words.windows(2).any(|pair| pair[0].low == "only" && pair[1].low == "if");
    trails
        || at_all
        || quiet
        || first && clause.words.iter().take_while(|word| !word.parted).any(|word| SPARE.contains(&word.low))
}

/// The bytes of some words of a clause.
pub(super) fn span_of(clause: &Clause<'_>, words: &Range<usize>) -> Option<Range<usize>> {
    let words = clause.words.get(words.clone())?;
    Some(words.first()?.range.start..words.last()?.range.end)
}

/// Words that say what becomes of a thing: "be", "go out", "finished".
const BECOMING: List = List("becoming");

/// Words that say what becomes of a thing: "be", "go out", "finished".
fn becomes(low: &str) -> bool {
    BECOMING.contains(low) || (low.len() > 4 && low.ends_with("ed"))
}

/// A name without stray marks and words at its ends, its white space single.
/// "2 x 45 min": how many times a length that begins here counts, and where that is said.
fn multiplied(text: &str, start: usize) -> Option<(i64, usize)> {
    let head = text.get(..start)?.trim_end();
    let head = head.strip_suffix(['x', 'X', '\u{d7}'])?.trim_end();
    let digits = head.bytes().rev().take_while(u8::is_ascii_digit).count();
    let times: i64 = head.get(head.len() - digits..)?.parse().ok()?;
    let is_apart = !head[..head.len() - digits].ends_with(|c: char| c.is_alphanumeric() || c == '.');
    (is_apart && (2..=TIMES_MAX).contains(&times)).then_some((times, head.len() - digits))
}

/// Most times that a length counts.
const TIMES_MAX: i64 = 12;

fn tidied(name: &str) -> String {
    let mut words: Vec<&str> =
        name.split_whitespace().filter(|word| word.chars().any(|c| c.is_alphanumeric() || c == '&')).collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('\u{2019}', "'");
    while words.len() > 1 && words.last().is_some_and(|word| ENDS.contains(&bare(word).as_str())) {
        words.pop();
    }
    let heads = words
        .iter()
        .take(words.len().saturating_sub(1))
        .enumerate()
        // "Next week's rota".
        .take_while(|(at, word)| {
            HEADS.contains(&bare(word)) && !words.get(at + 1).is_some_and(|next| bare(next).ends_with("'s"))
        })
        .count();
    let joined = words.get(heads..).unwrap_or_default().join(" ");
    let text =
        joined.trim_matches(|c: char| c.is_whitespace() || ",;:.-\u{2013}\u{2014}!~*(/|>".contains(c) || c == '?');
    let (opens, closes) = (text.matches('(').count(), text.matches(')').count());
    // Of a bracket whose end was left out nothing is a name: "dentist (takes 45 min, plus 20 min each way)".
    match text.rfind('(').filter(|at| *at > 0 && opens > closes) {
        Some(at) => text[..at].trim_end().to_owned(),
        None if opens < closes => text.trim_end_matches(')').to_owned(),
        None => text.to_owned(),
    }
}
