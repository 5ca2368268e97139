//! Reads notes in prose: what is to be done, and what they require, each with the words that say so.
//!
//! One reader serves daily notes and requests alike. Lines that speak of this day (`lines`, under what `labels` make of them)
//! are parted into clauses (`parts`, `clauses`); the phrases of a clause (`cues`), how it speaks (`manner`), who it speaks of
//! (`people`) and its times (`when`, written as only notes write them in `notation`, settled by `settle`) decide what it
//! states (`statement`): hours (`hours`), time that is taken (`blocked`), leaving (`leaving`), something that takes place
//! (`events`), something to do (`tasks`), more of what stands before it (`continued`), or that it is otherwise (`amend`). What
//! refers to something said elsewhere ("before the board call") is resolved at the end (`references`). Notes of which phrases leave something
//! open are read again by the pieces of their lines (`pieces`), of which each names something or tells of something that is named (`composed`).
//! A plan of the one reading may be doubted by the other ([`doubt`](crate::variant::doubt)), and what is least sure is asked (`unsure`), with what
//! it may mean (`meanings`). How long
//! something may be done on end (`on_end`) both read alike.
//! What the notes tell a reader to do with them is a note like any other: no sentence switches a check off.

mod account;
mod amend;
mod asides;
mod blocked;
mod calendar;
pub(crate) mod clauses;
mod composed;
mod continued;
mod cues;
mod events;
mod holds;
mod hours;
mod journey;
mod labelled;
mod labels;
mod lasting;
mod leaving;
mod lines;
mod manner;
mod meanings;
mod notation;
mod on_end;
mod other_days;
mod parts;
pub(crate) mod people;
mod pieces;
mod references;
mod roles;
mod rows;
pub(crate) mod settle;
mod statement;
mod tasks;
mod this_day;
mod unsure;
pub(crate) mod verbs;
mod ways;
pub(crate) mod when;
pub(crate) mod words;
mod written;

pub(crate) use verbs::is_task_verb;

use std::collections::{BTreeSet, HashMap};

use jiff::civil::Time;
use jiff::{Timestamp, Zoned};
use steadfast_evidence::{FileId, Quote};
use steadfast_text::Document;
use steadfast_time::{Anchor, Expression};

pub use self::account::{account, answer};
pub use self::asides::{COLUMNS, ScoredLine, scored_lines, shares};
pub use self::calendar::{CalendarEvent, read_beside};
use self::clauses::Clause;
pub use self::labelled::{Case, Cases, Labelled};
use self::lines::{Form, Line, lines};
use self::on_end::without;
use self::people::People;
pub use self::pieces::{Of, Says};
use self::references::{Reference, Waiting};
pub(crate) use self::this_day::OfThisDay;
pub use self::this_day::{OfAnotherDay, read_for_its_day};
use self::when::{Clock, Stretch};
use self::words::words;
use crate::free::Settings;
use crate::model::{Constraint, Notes, Readings, Rule, vocabulary};
use crate::open::Apart;

/// Most tasks that are read; what follows is told in a question.
pub const TASKS_MAX: usize = 2_000;

/// Most constraints that are read; what follows is told in a question.
pub const CONSTRAINTS_MAX: usize = 10_000;

/// Most assumptions, and most questions, that are kept.
pub const REMARKS_MAX: usize = 200;

/// Reads the notes in `document`, which is file `file` of the sources, as of `now`.
#[must_use]
pub fn read(file: FileId, document: &Document, now: &Zoned, settings: &Settings) -> Notes {
    read_beside(file, document, now, settings, Vec::new())
}

/// Longer notes, in bytes, are read by phrases alone: nobody writes as much for a day.
const BY_PIECES_BYTES_MAX: usize = 64 * 1024;

/// Where phrases make out nothing to do, a reading by pieces has so many tasks at least.
const FRESH_TASKS_MIN: usize = 2;

/// The reading by phrases; or that by pieces, where phrases leave something open, and pieces less. Of a journey, or a meeting that somebody is
/// asked to arrange, the scorers know nothing. Pieces read more constraints right (of notes that nothing was fitted on .84 for .73, .65 for .50),
/// but hardly a plan is right in which nobody has corrected anything, so none is recommended before somebody has looked at the reading
/// ([`account`]).
fn fuller(document: &Document, now: &Zoned, read: impl Fn(bool) -> Notes) -> Notes {
    let mut notes = read(false);
    let travels = |rule: &Rule| {
        matches!(rule, Rule::Presence { .. } | Rule::Connection { .. } | Rule::Stay { .. } | Rule::Travel { .. })
    };
    let anchor = Anchor::new(now.clone());
    if document.source.len() > BY_PIECES_BYTES_MAX
        || notes.constraints.iter().any(|own| travels(&own.rule))
        || pieces::are_a_request(&lines(document, &anchor))
    {
        return notes;
    }
    let other = read(true);
    if crate::clash::is_all_that_is_open(&notes) && !notes.tasks.is_empty() {
        notes.disputed = other.least_sure.is_none();
        notes.other = Some(Box::new(other));
        return notes;
    }
    let enough = other.tasks.len() >= if notes.tasks.is_empty() { FRESH_TASKS_MIN } else { 1 };
    // A reading that accounts for everything asks one thing all the same: whether it is right where it is least sure.
    let open = if other.least_sure.is_some() { 0 } else { other.unread.len() };
    // A task that pieces lack weighs as much as words that they leave open.
    let (lacking, left) = (notes.tasks.len().saturating_sub(other.tasks.len()), notes.unread.len());
    let is_fuller = enough && left > 0 && (open + lacking < left || open == left && lacking == 0);
    let (mut taken, left) = if is_fuller { (other, notes) } else { (notes, other) };
    // Whether the other reading says the same is seen once a plan is made of this one.
    taken.disputed = taken.by_pieces || left.least_sure.is_none();
    taken.other = Some(Box::new(left));
    taken
}

/// Reads all lines of the notes.
fn lines_of<'a>(mut reader: Reader<'a>, document: &'a Document, now: &Zoned) -> Reader<'a> {
    let anchor = Anchor::new(now.clone());
    let lines = lines(document, &anchor);
    let times = |text: &str| {
        let mut found = events::times(text, &anchor);
        events::without_named_ranges(text, &mut found);
        found
    };
    let found: Vec<Vec<Expression>> = lines.iter().map(|line| times(&line.text)).collect();
    for (line, found) in lines.iter().zip(&found) {
        reader.people.learn(&line.text, &words(&line.text));
        reader.counts_to_24 |= found.iter().any(|it| counts_to_24(&line.text, it));
        reader.around.extend(other_days::around(&line.text));
        reader.notes.vocabulary.extend(vocabulary(&line.text));
        reader.notes.lines.push(line.text.clone());
    }
    for line in &lines {
        for person in reader.people.among(&line.text, &words(&line.text)) {
            *reader.lines_naming.entry(person).or_default() += 1;
        }
    }
    if reader.notes.by_pieces {
        reader.compose(&lines, &found);
    } else {
        for (line, found) in lines.iter().zip(&found) {
            reader.line(line, found);
        }
    }
    reader
}

/// Whether a time shows that hours are counted to 24: "16:00", "09:30".
fn counts_to_24(text: &str, it: &Expression) -> bool {
    let Some(shown) = text.get(it.span.clone()) else { return false };
    let bytes = shown.as_bytes();
    bytes.windows(5).any(|five| {
        let figures = [five[0], five[1], five[3], five[4]].iter().all(u8::is_ascii_digit);
        let hour = (five[0].wrapping_sub(b'0'), five[1].wrapping_sub(b'0'));
        five[2] == b':'
            && figures
            && (hour.0 == 0 || hour.0 == 1 && hour.1 >= 3 || hour.0 == 2)
            && hour.0 * 10 + hour.1 < 24
    })
}

/// What a clause stated that a bare time after it goes on with.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Last {
    Blocked { who: Option<String>, wish: bool },
    Available { who: Option<String>, wish: bool },
}

/// What was read so far.
struct Reader<'a> {
    file: FileId,
    document: &'a Document,
    notes: Notes,
    settings: &'a Settings,
    people: People,
    /// What the notes plan around: "work" where something is to be done after work.
    around: BTreeSet<String>,
    /// In how many lines somebody is named.
    lines_naming: HashMap<String, usize>,
    counts_to_24: bool,
    hours: Option<(Time, Time)>,
    /// The person spoken of last.
    person: Option<String>,
    last: Option<Last>,
    /// The task and the event of the line that were stated last.
    line_task: Option<usize>,
    line_event: Option<usize>,
    /// The constraint by which somebody leaves in the line.
    line_departure: Option<usize>,
    departures: Vec<leaving::Departure>,
    /// Tasks to be done before leaving, with the words that say so and the departure that was stated last before them.
    before_leaving: Vec<(usize, Quote, Option<Timestamp>)>,
    /// Whether a correction was announced, without its time so far.
    correcting: bool,
    /// The event that the line took back.
    undone: Option<String>,
    /// Times of the line that nothing was named for yet.
    pending: Vec<Stretch>,
    /// The event that was stated last, in whatever line.
    last_event: Option<usize>,
    /// The task or event that was stated last.
    last_thing: Option<amend::Thing>,
    /// The events in the order of the notes, each with the stems of its name.
    events: Vec<(usize, Vec<String>)>,
    /// The time that was named last: "by then".
    last_time: Option<Readings<Timestamp>>,
    /// From when and by when pieces say that a task is done.
    told_limits: HashMap<usize, (Option<Timestamp>, Option<Timestamp>)>,
    /// Events of which nothing says when they are over, and the minutes that they are taken to last.
    guessed: Vec<(usize, i64)>,
    /// What a clause told of that has been otherwise, by its name.
    told: Option<String>,
    /// Constraints that the notes take back.
    void: BTreeSet<usize>,
    /// Whether a meeting is to be arranged.
    arranged: bool,
    /// Constraints of the list that is read which block whole days.
    bare_days: Vec<usize>,
    /// The hours of the day that the last of them named.
    bare_hours: Option<(i64, i64)>,
    references: Vec<Reference>,
    /// How long something may be done on end, before it is known of what it is said.
    on_end: Vec<on_end::Said>,
    waiting: Vec<Waiting>,
    remarks: BTreeSet<String>,
}

/// Where a statement stands: its line and its bytes in it.
#[derive(Clone, Copy)]
struct Spot<'l, 'a> {
    line: &'l Line<'a>,
    start: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    /// What a reader knows that has read all lines.
    fn of(file: FileId, document: &'a Document, now: &Zoned, settings: &'a Settings, by_pieces: bool) -> Self {
        let mut reader = Self::new(file, document, now, settings);
        reader.notes.by_pieces = by_pieces;
        lines_of(reader, document, now)
    }

    fn new(file: FileId, document: &'a Document, now: &Zoned, settings: &'a Settings) -> Self {
        Self {
            file,
            document,
            notes: Notes::empty(now.clone()),
            settings,
            people: People::default(),
            around: BTreeSet::new(),
            lines_naming: HashMap::new(),
            counts_to_24: false,
            hours: None,
            person: None,
            last: None,
            line_task: None,
            line_event: None,
            line_departure: None,
            departures: Vec::new(),
            before_leaving: Vec::new(),
            correcting: false,
            undone: None,
            pending: Vec::new(),
            last_event: None,
            last_thing: None,
            events: Vec::new(),
            last_time: None,
            told_limits: HashMap::new(),
            guessed: Vec::new(),
            told: None,
            void: BTreeSet::new(),
            arranged: false,
            bare_days: Vec::new(),
            bare_hours: None,
            references: Vec::new(),
            on_end: Vec::new(),
            waiting: Vec::new(),
            remarks: BTreeSet::new(),
        }
    }

    fn line(&mut self, line: &Line<'a>, found: &[Expression]) {
        if !line.continues {
            self.line_task = None;
            self.line_event = None;
        }
        self.line_departure = None;
        self.pending.clear();
        self.correcting = false;
        self.undone = None;
        self.told = None;
        if self.journey_line(line) {
            return;
        }
        let text = line.text.clone();
        // A thing that was named and nothing said of, until the next clause does: "RFI response. It has to go out today."
        let mut held: Option<Clause<'_>> = None;
        let mut ahead: Option<Clause<'_>> = None;
        let now = self.notes.now.clone();
        let whole = Clock {
            now: &now,
            hours: self.hours,
            counts_to_24: self.counts_to_24,
            waking: settle::waking(self.settings, self.notes.now.time()),
        };
        if let asides::Verdict::Apart(reason) = asides::verdict(line, found, &whole)
            && (lines::waits(&line.text) || !self.is_of_known(line))
            && let Some(quote) = self.quote(Spot { line, start: 0, end: line.text.len() })
        {
            self.notes.apart.push(Apart { quote, reason });
            return;
        }
        let on_end = self.on_end(line, found);
        let found = &without(found, on_end.as_ref())[..];
        for range in roles::pieces(line, found, &whole) {
            // What says how long it may be done on end is no part of what else is said.
            let end = on_end.as_ref().filter(|own| range.contains(&own.start)).map_or(range.end, |own| own.start);
            let range = range.start..end;
            if range.is_empty() || on_end.as_ref().is_some_and(|own| own.contains(&range.start)) {
                continue;
            }
            // The hours that are known can change from clause to clause.
            let clock_hours = self.hours;
            let clock = Clock {
                now: &now,
                hours: clock_hours,
                counts_to_24: self.counts_to_24,
                waking: settle::waking(self.settings, now.time()),
            };
            let clause = Clause::read(&text, range, found, &clock);
            if clause.words.is_empty() {
                continue;
            }
            // It heads its own sentence.
            if text.get(..clause.at).is_some_and(|head| head.trim_end().ends_with(['.', '!'])) {
                ahead = None;
            }
            // "Before the train: change strings, print the parts": so all that follows.
            if manner::heads(&text, &clause) {
                ahead = Some(clause);
                continue;
            }
            if !self.says_itself(&clause) && self.limits(line, &clause) {
                held = None;
                continue;
            }
            let stated = |reader: &Self| {
                (
                    reader.notes.tasks.len(),
                    reader.notes.constraints.len(),
                    reader.notes.questions.len(),
                    reader.void.len(),
                )
            };
            let before = stated(self);
            let thing = held.take();
            if let Some(thing) = &thing
                && self.line_task.is_none()
                && self.line_event.is_none()
                && self.continuation(&clause).is_some()
            {
                self.task(line, thing, &[]);
            }
            let earlier = self.line_task;
            self.clause(line, &clause);
            // "Move the cows – fix the fence FIRST": the later of the line comes before.
            if let (Some(then), Some(first)) = (earlier, self.line_task)
                && before.0 < self.notes.tasks.len()
                && then != first
                && clause.words.iter().skip(1).any(|word| word.low == "first")
            {
                self.state(
                    Spot { line, start: clause.at, end: clause.at + clause.text.len() },
                    Rule::Order { first, then, gap: 0 },
                    false,
                );
            }
            if let Some(ahead) = &ahead {
                for task in before.0..self.notes.tasks.len() {
                    self.refer(line, ahead, task, false);
                    self.beside_heading(line, ahead, task);
                }
            }
            if stated(self) == before && manner::names_a_thing(&clause) {
                // "The spread, pages six and seven, has to go out": the first of them.
                held = thing
                    .filter(|_| text.get(..clause.at).is_some_and(|head| head.trim_end().ends_with(',')))
                    .or(Some(clause));
            }
        }
        self.unnamed(line);
    }

    /// The words of the file at a spot.
    fn quote(&self, spot: Spot<'_, '_>) -> Option<Quote> {
        // What stands in several cells of a row is quoted by the first of them.
        let Spot { line, start, end } = spot;
        let next = line.cells.iter().find(|cell| cell.start > start);
        let next = next.map_or(line.text.len(), |next| next.start.saturating_sub(2));
        account::quote_in(self.file, self.document, line, start..end.min(next))
    }

    /// Puts down a constraint. One without words of the notes is none.
    fn state(&mut self, spot: Spot<'_, '_>, rule: Rule, wish: bool) -> Option<usize> {
        if self.notes.constraints.len() >= CONSTRAINTS_MAX {
            self.ask(format!(
                "the notes state more than {CONSTRAINTS_MAX} constraints: which of those after them matter?"
            ));
            return None;
        }
        let quote = self.quote(spot)?;
        let rule = rule.wished(wish);
        if self.notes.constraints.last().is_some_and(|last| last.rule == rule) {
            return None;
        }
        self.push(rule, quote)
    }

    /// Puts down a constraint with the words that say so, at most [`CONSTRAINTS_MAX`].
    fn push(&mut self, rule: Rule, quote: Quote) -> Option<usize> {
        let at = self.notes.constraints.len();
        if at >= CONSTRAINTS_MAX {
            return None;
        }
        let hard = !matches!(rule, Rule::Preference { .. });
        self.notes.constraints.push(Constraint { id: format!("c{}", at + 1), rule, quote: Some(quote), hard });
        Some(at)
    }

    fn assume(&mut self, what: String) {
        if self.notes.assumptions.len() < REMARKS_MAX && self.remarks.insert(format!("a {what}")) {
            self.notes.assumptions.push(what);
        }
    }

    fn ask(&mut self, what: String) {
        if self.notes.questions.len() < REMARKS_MAX && self.remarks.insert(format!("q {what}")) {
            self.notes.questions.push(what);
        }
    }

    fn finish(mut self) -> Notes {
        self.settle_guessed();
        self.settle_departures();
        self.leave_out();
        self.resolve();
        self.settle_on_end();
        self.settle_after_hours();
        self.contradictions();
        self.objectives();
        settle::join_readings(&mut self.notes.assumptions);
        self.notes
    }
}

impl Reader<'_> {
    /// Whether a line denies something, or names somebody of whom another line of the notes speaks as well: whoever is to be met, called or
    /// waited for, whose hours matter then.
    fn is_of_known(&self, line: &Line<'_>) -> bool {
        let words = words(&line.text);
        let denies =
            words.first().is_some_and(|word| matches!(word.low.as_str(), "no" | "don't" | "dont" | "never" | "avoid"));
        let known = |person: &String| self.lines_naming.get(person).is_some_and(|lines| *lines > 1);
        denies || self.people.among(&line.text, &words).iter().any(known)
    }

    /// Leaves out the constraints that the notes take back; the others are numbered anew.
    fn leave_out(&mut self) {
        if self.void.is_empty() {
            return;
        }
        let mut at = 0;
        self.notes.constraints.retain(|_| {
            at += 1;
            !self.void.contains(&(at - 1))
        });
        for (at, constraint) in self.notes.constraints.iter_mut().enumerate() {
            constraint.id = format!("c{}", at + 1);
        }
    }
}

/// Whether a line is one of a list, or a half sentence: what is named there by itself is to be done.
const fn is_listed(form: Form) -> bool {
    matches!(form, Form::Item { .. } | Form::Fragment)
}

/// The decisions that labelled pieces of notes stand for.
#[must_use]
pub fn piece_cases(document: &Document, now: &Zoned, labels: &[Labelled]) -> Cases {
    let anchor = Anchor::new(now.clone());
    let mut out = Cases::default();
    for line in lines(document, &anchor) {
        let mut found = events::times(&line.text, &anchor);
        events::without_named_ranges(&line.text, &mut found);
        let start = |at: usize| account::span_in(document, &line, at..at).start;
        labelled::cases(&line, &found, labels, start, &mut out);
    }
    out
}
