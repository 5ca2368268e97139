//! What part a clause plays that names one time: a limit on the task before it in the line, an event, or nothing of today's. A linear scorer
//! over its words tells, by the coefficients of `roles.tsv`; what it is not sure of is left to others, and to a question.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use jiff::Timestamp;
use steadfast_steps::flat;
use steadfast_time::{Expression, Limit};

use super::clauses::Clause;
use super::cues::Cue;
use super::lines::{Form, Line};
use super::parts::parts;
use super::references::referred;
use super::verbs::is_task_verb;
use super::when::{Clock, Length, Shape, Stretch};
use super::words::Word;
use super::{Reader, Spot};
use crate::list::List;
use crate::model::{Readings, Rule, intent};
use crate::window::minutes_after;

/// A part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Done by then.
    By,
    /// Not before then.
    From,
    /// Only then.
    Only,
    /// Not then.
    Not,
    /// It takes place then.
    Event,
    /// Nothing of today's.
    Nothing,
}

/// The parts, in the order of the columns.
const ROLES: [Role; 6] = [Role::By, Role::From, Role::Only, Role::Not, Role::Event, Role::Nothing];

/// Probability from which on a limit is taken. On folds of notes that the scorer never saw .91 of those are right where a task stands before.
const SURE: f64 = 0.7;

/// The coefficients by feature.
static WEIGHTS: LazyLock<HashMap<&'static str, [f64; 6]>> = LazyLock::new(|| {
    flat(0, || {
        let row = |line: &'static str| {
            let mut columns = line.split('\t');
            let name = columns.next()?;
            let mut weights = [0.0; 6];
            for weight in &mut weights {
                *weight = columns.next()?.parse().ok()?;
            }
            Some((name, weights))
        };
        include_str!("roles.tsv").lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
    })
});

/// The only time of today that a clause names.
fn only_time<'c>(clause: &'c Clause<'_>) -> Option<&'c Stretch> {
    let timed = |it: &&Stretch| it.today && !it.past && matches!(it.shape, Shape::Point | Shape::Range);
    let mut times = clause.when.stretches.iter().filter(timed);
    let first = times.next()?;
    times.next().is_none().then_some(first)
}

/// The likeliest part of a clause behind a task, and how likely it is.
fn role(clause: &Clause<'_>, stretch: &Stretch) -> (Role, f64) {
    let mut names: Vec<String> = vec!["*".to_owned(), "after".to_owned()];
    names.push(if stretch.shape == Shape::Range { "range" } else { "point" }.to_owned());
    for word in &clause.words {
        let low = word.low.trim_start_matches(|c: char| c.is_ascii_digit());
        let name = format!("w:{low}");
        if !low.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    let mut scores = [0.0; 6];
    for weights in names.iter().filter_map(|name| WEIGHTS.get(name.as_str())) {
        for (score, weight) in scores.iter_mut().zip(weights) {
            *score += weight;
        }
    }
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let all: f64 = scores.iter().map(|score| (score - most).exp()).sum();
    let best = scores.iter().position(|score| *score >= most).unwrap_or_default();
    (ROLES[best], 1.0 / all)
}

/// The limit that a clause surely puts on the task before it.
fn limit(clause: &Clause<'_>) -> Option<(Role, Stretch)> {
    let stretch = only_time(clause)?;
    // "Only if the sign-off is done by 3": of something else.
    let condition = clause.words.iter().any(|word| word.low == "if" && word.range.start < stretch.span.start);
    if condition && !super::tasks::is_conditional(clause) {
        return None;
    }
    // "Never before 9": what is denied turns its limit around.
    let denies = |low: &str| matches!(low, "not" | "never" | "no" | "cant") || low.ends_with("n't");
    // "No earlier than 10" is a limit by itself.
    let turned = |word: &Word| clause.is_timed(word) && matches!(stretch.limit, Some(Limit::From | Limit::After));
    let (early_by_itself, denied) = clause
        .words
        .iter()
        .filter(|word| denies(&word.low))
        .fold((false, false), |own, word| if turned(word) { (true, own.1) } else { (own.0, true) });
    if early_by_itself && !denied && stretch.shape == Shape::Point && clause.verb().is_none() {
        return Some((Role::From, stretch.clone()));
    }
    let early = clause.words.iter().any(|word| word.low == "earlier");
    if denied && stretch.shape == Shape::Point && clause.verb().is_none() {
        match stretch.limit {
            Some(Limit::Before | Limit::Until) => return Some((Role::From, stretch.clone())),
            Some(Limit::After) => return Some((Role::By, stretch.clone())),
            None if early => return Some((Role::From, stretch.clone())),
            _ => {}
        }
    }
    if stretch.limit.is_some() && denied && !clause.words.iter().any(|word| word.low == "later") {
        return None;
    }
    let (role, sure) = role(clause, stretch);
    let fits = match role {
        Role::By | Role::From => stretch.shape == Shape::Point,
        Role::Only | Role::Not => stretch.shape == Shape::Range || stretch.limit.is_some(),
        Role::Event | Role::Nothing => false,
    };
    if fits && sure >= SURE {
        return Some((role, stretch.clone()));
    }
    let said = worded(clause, stretch)?;
    Some((said, stretch.clone()))
}

/// Words of doors, desks and lines that are open for a range of time.
const OPEN: List = List("open");

/// Words of what is shut or must not be disturbed for a range of time.
const SHUT: List = List("shut");

/// Words of what ends with a point in time.
const ENDS: List = List("ends");

/// Words of what begins with a point in time.
const BEGINS: List = List("begins");

/// The part that the words of a clause give its time, where they speak of somebody's hours or of an end.
fn worded(clause: &Clause<'_>, stretch: &Stretch) -> Option<Role> {
    let says = |words: List| clause.words.iter().any(|word| words.contains(&word.low));
    // What acts is a task or an event of its own, and a hedge is no limit.
    if clause.verb().is_some() && !says(ENDS) || clause.text.contains('?') {
        return None;
    }
    match (stretch.shape, stretch.limit) {
        (Shape::Range, None) if says(SHUT) => Some(Role::Not),
        (Shape::Range, None) if says(OPEN) => Some(Role::Only),
        (Shape::Point, Some(Limit::By | Limit::Before)) => Some(Role::By),
        (Shape::Point, Some(Limit::From | Limit::After)) => Some(Role::From),
        (Shape::Point, Some(Limit::Until)) if says(SHUT) => Some(Role::From),
        (Shape::Point, None) if says(BEGINS) => Some(Role::From),
        (Shape::Point, None) if says(ENDS) => Some(Role::By),
        _ => None,
    }
}

/// A line in pieces that say one thing each: its parts, and in a list what a comma or a bracket leads to that says something of what stands before it.
pub(super) fn pieces(line: &Line<'_>, found: &[Expression], clock: &Clock<'_>) -> Vec<Range<usize>> {
    let all = parts(&line.text, found, line.todo);
    if line.form == Form::Prose {
        return all;
    }
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in all {
        let mut start = range.start;
        let text = line.text.get(range.clone()).unwrap_or_default();
        let comma = text.match_indices(", ").map(|(at, mark)| (range.start + at, range.start + at + mark.len()));
        let place = |(at, _): (usize, &str)| (range.start + at, range.start + at + 1);
        let joints =
            [" (", " cos ", " because ", " but "].into_iter().flat_map(|joint| text.match_indices(joint)).map(place);
        // "setlist 📝 Cormac wants it": a picture parts what stands beside it.
        let pictures = text.char_indices().filter(|(at, c)| *at > 0 && is_picture(*c));
        let pictures = pictures.map(|(at, c)| (range.start + at, range.start + at + c.len_utf8()));
        let mut marks: Vec<(usize, usize)> = comma.chain(joints).chain(pictures).collect();
        marks.sort_unstable();
        for (at, (mark, next)) in marks.iter().enumerate() {
            let end = marks.get(at + 1).map_or(range.end, |(mark, _)| *mark);
            let inside = found.iter().any(|it| it.span.start < *mark && *mark < it.span.end);
            if inside || line.text.get(start..*mark).is_none_or(|head| !head.chars().any(char::is_alphabetic)) {
                continue;
            }
            let clause = Clause::read(&line.text, *next..end, found, clock);
            if (clause.when.lengths.is_empty() && limit(&clause).is_some()) || speaks_of(&clause) {
                out.push(start..*mark);
                start = *next;
            }
        }
        out.push(start..range.end);
    }
    out
}

/// Words that may stand before the word that puts things in order: "only when", "must be done before", "and then only after".
const LEADING: List = List("before-order");

/// "– before rehearsal or I am stuck", "only when all three visits are done", "once the eggs are off": a clause that only puts the
/// task before it in order with something else.
fn is_order(clause: &Clause<'_>) -> bool {
    if !clause.when.stretches.is_empty() || clause.then {
        return false;
    }
    let leads = |word: &&super::words::Word| clause.is_timed(word) || LEADING.contains(&word.low);
    let head = clause.words.iter().take_while(leads).count();
    let denied = clause.words.iter().take(head).any(|word| word.low == "not");
    !denied
        && referred(clause)
            .first()
            .is_some_and(|(_, span, _)| clause.words.get(head).is_some_and(|word| word.range.start == span.start))
}

/// Words with which somebody says something of what was named before.
const OPENERS: &[&str] = &[
    "before", "after", "once", "when", "only", "until", "not", "if", "cos", "cause", "because", "so", "but", "since",
    "while", "i", "he", "she", "they", "it", "its", "it's", "he's", "she's", "they're", "i'm", "we", "must", "has",
    "have", "needs", "need", "b4", "never", "done", "finished", "posted", "sent", "ready", "back", "there", "there's",
    "no", "can't", "don't",
];

/// Verbs that say something of a subject before them.
const FINITE: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "will", "would", "can", "can't", "must", "needs", "wants", "takes",
    "take", "opens", "closes", "shuts", "said", "says", "starts", "ends", "leaves", "lands", "comes", "goes", "won't",
    "isn't",
];

/// Most words before the verb of what is said.
const SUBJECT_WORDS_MAX: usize = 4;

/// Whether a clause of a list says something of the task or the event before it and is none of its own: "fix the bug – QA wants the build",
/// "stock delivery 10:30–10:45, I sign". `beside` tells whether it may be said of a task, and of an event.
pub(super) fn is_said_of(line: &Line<'_>, clause: &Clause<'_>, beside: (bool, bool)) -> bool {
    if line.form == Form::Prose {
        return false;
    }
    let before = line.text.get(..clause.at).unwrap_or_default().trim_end();
    let mark = before.chars().next_back();
    let behind = mark.is_some_and(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}' | '(' | '=') || is_picture(c));
    let own = clause.words.first().is_some_and(|word| matches!(word.low.as_str(), "i" | "we"));
    (beside.0 && (behind || (!before.is_empty() && speaks_of(clause))))
        || (beside.1 && own && clause.when.lengths.is_empty())
}

fn is_picture(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f300}'..='\u{1faff}')
}

/// Whether a clause says something of what stands before it, rather than name one more thing of a list.
fn speaks_of(clause: &Clause<'_>) -> bool {
    let mut said = clause.words.iter().filter(|word| !clause.is_timed(word));
    let Some(first) = said.next() else { return false };
    // "…, new strings first".
    let ordered = clause.words.last().is_some_and(|word| word.low == "first") && clause.words.len() > 1;
    ordered
        || OPENERS.contains(&first.low.as_str())
        || said.take(SUBJECT_WORDS_MAX).any(|word| !word.parted && FINITE.contains(&word.low.as_str()))
}

/// What comes first by a clause that says no more: "new strings first".
fn named_first(clause: &Clause<'_>) -> Option<Vec<String>> {
    // "Needs the rerun first (obviously)".
    let end = clause.text.find(" (").unwrap_or(clause.text.len());
    let last = clause.words.iter().rfind(|word| word.range.end <= end).filter(|word| word.low == "first")?;
    let named = clause.text.get(..last.range.start)?;
    let stems = intent(named);
    (clause.verb().is_none() && clause.when.stretches.is_empty() && !stems.is_empty()).then_some(stems)
}

/// What a clause is due by that gives no time: "on ice by doors".
fn named_by(clause: &Clause<'_>) -> Option<Vec<String>> {
    let at = clause.words.iter().position(|word| word.low == "by").filter(|at| *at > 0 && *at <= SUBJECT_WORDS_MAX)?;
    let next = clause.words.get(at + 1).filter(|next| !next.parted)?;
    let stems = intent(clause.text.get(next.range.start..)?);
    (clause.verb().is_none() && clause.when.stretches.is_empty() && !stems.is_empty()).then_some(stems)
}

/// Words that may stand beside a length up to the next mark.
const BESIDE_LENGTH: &[&str] = &[
    "all", "and", "at", "back", "flat", "in", "least", "max", "min", "most", "or", "so", "solid", "straight", "there",
    "tops", "total",
];

/// Whether a clause behind a mark begins with how long the task before it takes, whatever it says of it then. `before` is the line up to it.
fn leads_with_length(before: &str, clause: &Clause<'_>) -> bool {
    let marked = before.ends_with(['-', '\u{2013}', '\u{2014}', ',', '(']);
    let first = clause.words.first().is_some_and(|word| clause.is_timed(word));
    let goes_on = |word: &&Word| word.parted || matches!(word.low.as_str(), "if" | "only");
    let mut behind = clause.words.iter().skip_while(|word| clause.is_timed(word)).take_while(|word| !goes_on(word));
    marked
        && first
        && clause.when.lengths.len() == 1
        && (clause.when.stretches.is_empty() || clause.words.iter().any(|word| word.low == "if"))
        && behind.all(|word| BESIDE_LENGTH.contains(&word.low.as_str()))
}

/// Words of which a line that says when the day ends has one.
const DAY_ENDS: List = List("last-of-day");

/// Words that such a line may have beside them. With any other word it speaks of something else: "finish the report by 4pm".
const BESIDE_DAY_ENDS: &[&str] = &["by", "at", "sharp", "please", "shut", "work", "everything", "no", "matter", "what"];

/// How many words at the head of a clause leave a place: "out the cab", "out of the office".
fn leaving(clause: &Clause<'_>) -> usize {
    let low = |at: usize| clause.words.get(at).map_or("", |word| word.low.as_str());
    let at = 1 + usize::from(low(1) == "of");
    if low(0) == "out" && low(at) == "the" && !clause.words.get(at + 1).is_none_or(|word| clause.is_timed(word)) {
        at + 2
    } else {
        0
    }
}

/// Whether what stands behind the end of a day only says how firm it is: "no matter what Debs says", "I mean it", "or I am late", a word or
/// two that name nothing.
fn is_firm(clause: &Clause<'_>, behind: &[Word]) -> bool {
    let event = |at: usize| clause.hits.iter().any(|hit| hit.cue == Cue::Event && hit.words.contains(&at));
    let fills = |word: &&Word| BESIDE_DAY_ENDS.contains(&word.low.as_str()) && word.low != "no";
    let behind = &behind[behind.iter().take_while(fills).count()..];
    let first = clause.words.len() - behind.len();
    let names = |(at, word): (usize, &Word)| {
        let joins = matches!(word.low.as_str(), "to" | "for" | "with" | "from" | "the" | "a" | "my" | "then" | "and");
        joins || word.capital || is_task_verb(&word.low) || event(first + at)
    };
    match behind {
        [first, then, ..] if first.low == "no" && then.low == "matter" => true,
        [first, ..] if matches!(first.low.as_str(), "i" | "or") => true,
        // "Home by 6 for Lily", "home by 6 for the kids' tea": why one has to be there.
        [first, rest @ ..] if first.low == "for" && clause.words.iter().any(|word| word.low == "home") => {
            !rest.iter().any(|word| clause.is_timed(word))
        }
        _ => behind.len() <= FIRM_WORDS_MAX && !behind.iter().enumerate().any(names),
    }
}

/// Most words behind the end of a day that need not be known.
const FIRM_WORDS_MAX: usize = 2;

/// Of the words that end a day those that end it at night.
const AT_NIGHT: &[&str] = &["sleep", "sleeping", "bed", "asleep"];

impl<'a> Reader<'a> {
    /// "Finish 4pm sharp no matter what", "sleep by 10:30 please", "laptop shut at half five": a line that says when all work ends.
    fn day_ends(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let before = line.text.get(..clause.at).unwrap_or_default().trim_end();
        let heads = !before.chars().any(char::is_alphanumeric)
            || (before.ends_with(',')
                && self.line_task.is_none()
                && (self.line_event.is_none() || leaving(clause) > 0)
                && self.line_departure.is_none());
        let said = |is: &dyn Fn(&str) -> bool| clause.words.iter().any(|word| is(&word.low));
        let says_so = said(&|low| DAY_ENDS.contains(low));
        let (true, true, Some(stretch)) = (heads && clause.when.lengths.is_empty(), says_so, only_time(clause)) else {
            return false;
        };
        let ends = |low: &str| DAY_ENDS.contains(low) || BESIDE_DAY_ENDS.contains(&low);
        let last = clause.words.iter().rposition(|word| clause.is_timed(word)).unwrap_or_default();
        let (own, behind) = clause.words.split_at((last + 1).min(clause.words.len()));
        let mut own = own.iter().skip(leaving(clause));
        let alone = own.all(|word| clause.is_timed(word) || ends(&word.low)) && is_firm(clause, behind);
        let limited = matches!(stretch.limit, None | Some(Limit::By | Limit::Until));
        // "Home 5pm" is an arrival, "out 5pm" may be the start of an evening.
        let home = said(&|low| matches!(low, "home" | "out" | "off" | "done")) && stretch.limit.is_none();
        if !alone || !limited || home || stretch.shape != Shape::Point {
            return false;
        }
        let now = self.notes.now.timestamp();
        let later = |at: Timestamp| {
            let hour = at.to_zoned(self.notes.now.time_zone().clone()).hour();
            let night = (5..12).contains(&hour) && (said(&|low| AT_NIGHT.contains(&low)) || at <= now);
            if night { minutes_after(at, 12 * 60) } else { at }
        };
        let Some(by) = stretch.starts().and_then(|at| Readings::of(at.iter().map(|at| later(*at)).collect())) else {
            return false;
        };
        self.begins_with(*by.first());
        self.state(
            Spot { line, start: clause.at, end: clause.at + clause.text.len() },
            Rule::Deadline { task: None, by },
            false,
        );
        true
    }

    /// "Tacho in 6.00, out the cab by 3": what is in before one is out begins the day.
    fn begins_with(&mut self, end: Timestamp) {
        let Some(event) = self.line_event else { return };
        let Some(constraint) = self.notes.constraints.get_mut(event) else { return };
        let in_then =
            constraint.text().split_whitespace().rev().nth(1).is_some_and(|word| word.eq_ignore_ascii_case("in"));
        let Rule::FixedEvent { when, .. } = &constraint.rule else { return };
        let starts = when.iter().filter_map(|times| times.first().map(|it| it.start)).filter(|start| *start < end);
        if let (true, Some(from)) = (in_then, Readings::of(starts.collect())) {
            constraint.rule = Rule::NotBefore { task: None, from };
            self.line_event = None;
            self.events.retain(|(at, _)| *at != event);
        }
    }

    /// A limit on the task of the line, in a list: "oil change 45m, the place only does walk-ins 2 to 4".
    pub(super) fn limits(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        if line.form == Form::Prose {
            // "Home by 6 for Lily." says so wherever it stands.
            return clause.words.first().is_some_and(|word| word.low == "home") && self.day_ends(line, clause);
        }
        if self.day_ends(line, clause) {
            return true;
        }
        let before = line.text.get(..clause.at).unwrap_or_default().trim_end();
        if let Some(task) = self.line_task {
            let going = clause.verb().is_none() && self.before_leaving(line, clause, task);
            if going {
                self.mark(line, clause, task);
                self.lengths(line, clause, task);
                return true;
            }
            // "…, it must go out today".
            if clause.has(Cue::Must) && !clause.then && speaks_of(clause) {
                self.mark(line, clause, task);
            }
            if is_order(clause) {
                self.refer(line, clause, task, false);
                self.beside_it(line, clause, task, None);
                self.lengths(line, clause, task);
                self.mark(line, clause, task);
                return true;
            }
            // "– 3 hours straight, small hand stitching too", "1h only if the sign-off is done by 3".
            if leads_with_length(before, clause) {
                self.lengths(line, clause, task);
                if clause.when.stretches.is_empty() {
                    self.mark(line, clause, task);
                    return true;
                }
            }
            // "…, new strings first", "…, on ice by doors".
            let named =
                named_first(clause).map(|stems| (false, stems)).or_else(|| named_by(clause).map(|stems| (true, stems)));
            if let Some((before, stems)) = named {
                self.refer_to(line, clause, task, before, stems);
                self.lengths(line, clause, task);
                return true;
            }
        }
        let (Some(task), Some((role, stretch))) = (self.line_task, limit(clause)) else { return false };
        let spot = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
        let zone = self.notes.now.time_zone().clone();
        let starts = stretch.starts();
        let rule = match role {
            Role::By => starts.map(|by| Rule::Deadline { task: Some(task), by }),
            Role::From => starts.map(|from| Rule::NotBefore { task: Some(task), from }),
            _ => stretch.times(&zone).map(|when: Readings<_>| Rule::TaskTimes {
                tasks: vec![task],
                when,
                only: role == Role::Only,
            }),
        };
        let Some(rule) = rule else { return false };
        // "…, they need it before 4, 90 min": a length of its own is the task's.
        let apart = |it: &Length| {
            clause.text.get(..it.span.start).is_some_and(|head| head.trim_end().ends_with([',', '(', '\u{2013}', '-']))
        };
        if clause.when.lengths.iter().any(apart) {
            self.lengths(line, clause, task);
        }
        self.state(spot, rule, false);
        if clause.has(Cue::Must) {
            self.mark(line, clause, task);
        }
        true
    }
}
