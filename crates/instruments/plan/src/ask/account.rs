//! Accounts for notes: each clause of today's text is bound to a task or a constraint, set apart, or named as not understood; and what is
//! not understood becomes a question with the answers that it may have.

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::{Timestamp, Zoned};
use steadfast_evidence::{FileId, Quote};
use steadfast_text::{BlockKind, Document, Span};
use steadfast_time::{Anchor, Expression};

use super::REMARKS_MAX;
use super::clauses::Clause;
use super::cues::Cue;
use super::holds::{DENIAL, Index, ORDER, clocks, holds_clock, holds_minutes, minutes_of};
use super::lines::{Form, Line, lines};
use super::when::{Clock, Shape, Stretch};
use crate::free::Settings;
use crate::list::List;
use crate::model::open::Doubt;
use crate::model::{Constraint, Notes, Rule, intent};
use crate::open::{AnswerError, Apart, Aside, Choice, Effect, OpenQuestion, QUESTIONS_TRIED_MAX, Unread};
use crate::window::{Interval, clock};

/// Tasks that a question offers.
const TASKS_OFFERED_MAX: usize = 2;

/// Characters of a task that a choice repeats.
const NAME_CHARS_MAX: usize = 60;

/// What of a clause is bound to nothing.
pub(super) enum Loose {
    /// A time, as an interval.
    Time(Stretch),
    /// A length, in minutes.
    Length(i64),
    /// An order, with the word that says so.
    Order(String),
    /// A denial or a condition.
    Denial(String),
    /// Something to do.
    Deed,
    /// A number that nothing says the meaning of.
    Figure(String),
}

/// Accounts for notes as they were read, with the answers that were given so far. What it found before is found anew.
pub fn account(file: FileId, document: &Document, settings: &Settings, notes: &mut Notes) {
    let now = notes.now.clone();
    let anchor = Anchor::new(now.clone());
    let lines = lines(document, &anchor);
    notes.unread.clear();
    notes.open.clear();
    let answered: Vec<Span> = notes.answered.iter().filter(|own| !own.keeps).map(|own| own.span).collect();
    let kept = notes.answered.iter().filter(|own| own.keeps).map(|own| own.span).collect();
    let mut found = Found {
        file,
        document,
        notes,
        kept,
        unread: Vec::new(),
        open: Vec::new(),
        apart: Vec::new(),
        doubts: Vec::new(),
    };
    found.lines_apart(&lines, &anchor);
    let index = Index::new(found.notes);
    for line in &lines {
        found.line(line, &anchor, &now, settings, &index, &answered);
    }
    found.ask_unshared_tasks();
    found.ask_hours();
    let asked = found.ask_least_sure();
    let doubts = std::mem::take(&mut found.doubts);
    if let Some((question, unread)) = crate::clash::question(found.notes, asides("").collect()) {
        found.open.push(question);
        found.unread.push(unread);
    }
    let Found { unread, mut open, apart, .. } = found;
    open.truncate(QUESTIONS_TRIED_MAX);
    let known: BTreeSet<(usize, usize)> =
        notes.apart.iter().map(|own| (own.quote.span().start, own.quote.span().end)).collect();
    let fresh = apart.into_iter().filter(|own| !known.contains(&(own.quote.span().start, own.quote.span().end)));
    notes.apart.extend(fresh);
    notes.apart.sort_by_key(|own| (own.quote.span().start, own.quote.span().end));
    notes.unread = unread;
    notes.open = open;
    notes.doubts = doubts;
    if !asked {
        notes.least_sure = None;
    }
}

/// Asks beside what is open already what can only be asked once the other reading is there.
pub(super) fn ask_beside(file: FileId, document: &Document, notes: &mut Notes) {
    let (unread, open) = (std::mem::take(&mut notes.unread), std::mem::take(&mut notes.open));
    let doubts = notes.doubts.clone();
    let mut found = Found { file, document, notes, kept: Vec::new(), unread, open, apart: Vec::new(), doubts };
    found.ask_unshared_tasks();
    found.ask_hours();
    found.ask_more();
    let Found { unread, mut open, .. } = found;
    open.truncate(QUESTIONS_TRIED_MAX);
    notes.unread = unread;
    notes.open = open;
}

/// Takes answers to open questions into the reading, each by the id of its question. An answer may open the next question, which can be answered as well.
///
/// # Errors
/// [`AnswerError`]
pub fn answer(
    file: FileId,
    document: &Document,
    settings: &Settings,
    notes: &mut Notes,
    answers: &[(String, String)],
) -> Result<(), AnswerError> {
    let mut left: Vec<&(String, String)> = answers.iter().collect();
    while let Some(at) = left.iter().position(|(id, _)| notes.open.iter().any(|own| own.id == *id)) {
        let (id, text) = left.remove(at);
        notes.answer(id, text)?;
        account(file, document, settings, notes);
    }
    left.first().map_or(Ok(()), |(id, _)| Err(AnswerError::NoQuestion(id.clone())))
}

pub(super) struct Found<'a> {
    pub(super) file: FileId,
    document: &'a Document,
    pub(super) notes: &'a Notes,
    /// Where it was answered that the reading is right.
    kept: Vec<Span>,
    pub(super) unread: Vec<Unread>,
    pub(super) open: Vec<OpenQuestion>,
    apart: Vec<Apart>,
    /// See [`Notes::doubts`].
    pub(super) doubts: Vec<Doubt>,
}

impl Found<'_> {
    /// Where bytes of a line stand in the file.
    fn span(&self, line: &Line<'_>, range: Range<usize>) -> Span {
        span_in(self.document, line, range)
    }

    fn quote(&self, line: &Line<'_>, range: Range<usize>) -> Option<Quote> {
        quote_in(self.file, self.document, line, range)
    }

    /// Blocks of which no line speaks of today.
    fn lines_apart(&mut self, lines: &[Line<'_>], anchor: &Anchor) {
        let mut kept: Vec<Span> = lines
            .iter()
            .map(|line| self.span(line, 0..line.cells.first().map_or(line.text.len(), |it| it.start)))
            .collect();
        kept.sort_unstable_by_key(|span| span.start);
        for block in &self.document.blocks {
            let span = block.span;
            let at = kept.partition_point(|own| own.end <= span.start);
            if kept.get(at).is_some_and(|own| own.start < span.end) || self.apart.len() >= REMARKS_MAX {
                continue;
            }
            let reason = match &block.kind {
                BlockKind::Quote | BlockKind::Code { .. } => Aside::NotMine,
                BlockKind::Heading | BlockKind::TableCell { .. } => Aside::Chatter,
                // "Things to do today:" heads what follows.
                _ if block.text.plain.trim_end().ends_with(':')
                    || super::labels::day_of(&block.text.plain, anchor) == Some(true) =>
                {
                    Aside::Chatter
                }
                BlockKind::ListItem { .. } | BlockKind::Paragraph => Aside::NotToday,
            };
            let shown = block.text.source_span(0..block.text.plain.len());
            if let Some(quote) =
                Quote::cut(self.file, self.document, shown).filter(|quote| !quote.text().trim().is_empty())
            {
                self.apart.push(Apart { quote, reason });
            }
        }
    }

    fn line(
        &mut self,
        line: &Line<'_>,
        anchor: &Anchor,
        now: &Zoned,
        settings: &Settings,
        index: &Index,
        answered: &[Span],
    ) {
        let mut found = super::events::times(&line.text, anchor);
        super::events::without_named_ranges(&line.text, &mut found);
        let counts_to_24 = found.iter().any(|it| super::counts_to_24(&line.text, it));
        let waking = super::settle::waking(settings, now.time());
        let clock = Clock { now, hours: None, counts_to_24, waking };
        let fitted = self.notes.by_pieces.then(|| super::pieces::pieces(line, &found));
        let doubted = fitted.as_ref().is_none_or(|all| all.iter().any(super::pieces::Piece::is_unsure_task));
        if doubted && self.doubt(line, &found, &clock, index, answered) {
            return;
        }
        let ranges: Vec<(Range<usize>, f64)> = match &fitted {
            Some(all) => all.iter().map(|own| (own.range.clone(), own.surely())).collect(),
            None => super::roles::pieces(line, &found, &clock).into_iter().map(|own| (own, 1.0)).collect(),
        };
        for (range, sure) in ranges {
            let clause = Clause::read(&line.text, range.clone(), &found, &clock);
            if clause.words.is_empty() {
                continue;
            }
            let Some(quote) = self.quote(line, range.clone()) else { continue };
            let span = quote.span();
            if answered.iter().any(|own| own.start < span.end && span.start < own.end) {
                continue;
            }
            let bound: Vec<&Constraint> =
                Index::at(&index.constraints, span).filter_map(|at| self.notes.constraints.get(at)).collect();
            let own_task = Index::at(&index.tasks, span).next();
            let apart = self
                .notes
                .apart
                .iter()
                .map(|own| own.quote.span())
                .any(|own| own.start <= span.start && span.end <= own.end);
            if apart {
                continue;
            }
            // What a piece states, it states with all its words.
            if fitted.is_some() && (!bound.is_empty() || own_task.is_some()) {
                self.unsure(&clause, &quote, sure, index);
                continue;
            }
            let loose = self.loose(line, &clause, &found, &range, &bound, (own_task.is_some(), index));
            // "If there is time" says how much its task matters, and is read there.
            if super::tasks::is_conditional(&clause) && loose.iter().all(|own| matches!(own, Loose::Denial(_))) {
                continue;
            }
            let idle = loose.iter().all(|own| self.is_idle(line, &clause, own, index));
            if loose.is_empty() || idle {
                if bound.is_empty() && own_task.is_none() && self.apart.len() < REMARKS_MAX {
                    self.apart.push(Apart { quote, reason: Aside::Chatter });
                }
                continue;
            }
            if self.unread.len() >= REMARKS_MAX {
                return;
            }
            let near = self.near(index, span);
            self.ask(&clause, &quote, &near, &loose[0]);
            let why = loose.iter().map(|own| self.why(own)).collect::<Vec<_>>().join("; ");
            self.unread.push(Unread { quote, why, must: true });
        }
    }

    /// Asks whether a line that may be nothing to plan, and names something to do, is for today. What else there is to ask about such
    /// a line waits for the answer.
    fn doubt(
        &mut self,
        line: &Line<'_>,
        found: &[Expression],
        clock: &Clock<'_>,
        index: &Index,
        answered: &[Span],
    ) -> bool {
        let Some(quote) = self.quote(line, 0..line.text.len()) else { return false };
        let span = quote.span();
        let known = answered.iter().chain(&self.kept).any(|own| own.start < span.end && span.start < own.end);
        if known
            || Index::at(&index.tasks, span).next().is_none()
            || super::asides::verdict(line, found, clock) != super::asides::Verdict::Doubted
            || self.unread.len() >= REMARKS_MAX
        {
            return false;
        }
        if self.open.len() < QUESTIONS_TRIED_MAX {
            let mut choices = vec![Choice { text: "it is to be done today".to_owned(), effect: Effect::Keep }];
            choices.extend(asides(""));
            let id = format!("q{}", span.start);
            let text = format!("Is \"{}\" something to do today?", quote.text());
            self.open.push(OpenQuestion { id, text, quote: quote.clone(), choices, changes_plan: true });
        }
        self.unread.push(Unread { quote, why: "whether it is something to do today".to_owned(), must: true });
        true
    }

    /// What of a clause nothing is bound to.
    fn loose(
        &self,
        line: &Line<'_>,
        clause: &Clause<'_>,
        found: &[Expression],
        range: &Range<usize>,
        bound: &[&Constraint],
        (is_task, index): (bool, &Index),
    ) -> Vec<Loose> {
        let zone = self.notes.now.time_zone();
        let mut loose = Vec::new();
        let mut times = clause.when.stretches.iter().filter(|it| !it.past && it.today && it.shape != Shape::Days);
        for expression in found.iter().filter(|it| range.start <= it.span.start && it.span.start < range.end) {
            let clocks = clocks(expression);
            let minutes = minutes_of(expression);
            let held = |own: &&Constraint| {
                let here = own.quote.as_ref().map(Quote::span);
                let there = self.span(line, expression.span.clone());
                let near = here.is_some_and(|own| own.start < there.end && there.start < own.end);
                // "Leave 8.50 for school, home by 9.35": the end of what the line states.
                let taken = matches!(own.rule, Rule::Blocked { .. } | Rule::FixedEvent { .. });
                (near || taken)
                    && (clocks.iter().any(|time| holds_clock(&own.rule, *time, zone))
                        || minutes.is_some_and(|minutes| holds_minutes(&own.rule, minutes)))
            };
            let of_line = self.span(line, 0..line.text.len());
            let beside = || Index::at(&index.constraints, of_line).filter_map(|at| self.notes.constraints.get(at));
            if clocks.is_empty() && minutes.is_none() || bound.iter().any(held) || beside().any(|own| held(&own)) {
                continue;
            }
            match minutes {
                Some(minutes) => loose.push(Loose::Length(minutes)),
                None => loose.extend(times.next().cloned().map(Loose::Time)),
            }
        }
        // "At 12, 3 and 6": hours behind an hour.
        let hour = |at: usize| {
            let word = &clause.words[at];
            let number = !clause.is_timed(word) && word.low.parse::<i8>().is_ok_and(|hour| (1..=24).contains(&hour));
            let joins = |word: &super::words::Word| matches!(word.low.as_str(), "and" | "or");
            let before = clause.words[..at].iter().rfind(|word| !joins(word));
            let next = clause.words.get(at + 1);
            let clocked = |word: &super::words::Word| {
                clause.when.stretches.iter().any(|it| it.shape == Shape::Point && it.span.end == word.range.end)
            };
            number && before.is_some_and(clocked) && next.is_none_or(|next| next.parted || joins(next))
        };
        if let (true, Some(at)) = (loose.is_empty(), (1..clause.words.len()).find(|at| hour(*at))) {
            loose.push(Loose::Figure(clause.words[at].low.clone()));
        }
        let requires = bound.iter().any(|own| !matches!(own.rule, Rule::Duration { .. } | Rule::MustDo { .. }));
        if loose.is_empty() && !requires {
            // "Must not miss it" denies nothing.
            let musts = |at: usize| clause.hits.iter().any(|hit| hit.cue == Cue::Must && hit.words.contains(&at));
            let said = |words: List| {
                let is = |(at, word): &(usize, &super::words::Word)| {
                    words.contains(&word.low) && !clause.is_timed(word) && !musts(*at)
                };
                let (_, word) = clause.words.iter().enumerate().find(is)?;
                Some(clause.text.get(word.range.clone()).unwrap_or_default().to_owned())
            };
            // "Woke before the milkman", "they can look after themselves": nothing is put in order.
            let cared = clause.words.windows(2).any(|two| two[0].low.starts_with("look") && two[1].low == "after");
            if !(cared || super::manner::tells_of_the_past(clause)) {
                loose.extend(said(ORDER).map(Loose::Order));
            }
            // "…, very last job of the shift".
            let last = |two: &[super::words::Word]| {
                two[0].low == "last" && matches!(two[1].low.as_str(), "job" | "thing" | "task")
            };
            if line.form != Form::Prose && loose.is_empty() && clause.words.windows(2).any(last) {
                loose.push(Loose::Order("last".to_owned()));
            }
            if !clause.words.iter().any(|word| word.low == "yesterday") {
                loose.extend(said(DENIAL).map(Loose::Denial));
            }
            if loose.is_empty() && !is_task && clause.verb().is_some() {
                loose.push(Loose::Deed);
            }
            // "…, so 3 baje se pehle merge": an hour or a length in words that are not read.
            let tail = line.form != Form::Prose && range.start > 0 && bound.is_empty();
            let hour = |word: &&super::words::Word| {
                !clause.is_timed(word) && word.low.parse::<i8>().is_ok_and(|number| (1..=24).contains(&number))
            };
            if let (true, true, Some(word)) = (loose.is_empty(), tail, clause.words.iter().find(hour)) {
                loose.push(Loose::Figure(word.low.clone()));
            }
        }
        loose
    }

    /// Whether what a clause of a list says beside the head of its line can change no plan: "then", a deed or how something is not to be done
    /// that names none of the tasks and events, or an order that the line gives a time for already.
    fn is_idle(&self, line: &Line<'_>, clause: &Clause<'_>, loose: &Loose, index: &Index) -> bool {
        let beside = line.text.get(..clause.at).is_some_and(|head| head.chars().any(char::is_alphanumeric));
        if line.form == Form::Prose || !beside {
            return false;
        }
        let orders = match loose {
            Loose::Order(word) => !word.eq_ignore_ascii_case("then"),
            Loose::Deed => false,
            // "Roux = no walking away": how it is done.
            Loose::Denial(_) => {
                let manner = |two: &[super::words::Word]| {
                    two[0].low == "no" && two[1].low.len() > 4 && two[1].low.ends_with("ing")
                };
                if !clause.words.windows(2).any(manner) || !clause.when.stretches.is_empty() {
                    return false;
                }
                false
            }
            Loose::Time(_) | Loose::Length(_) | Loose::Figure(_) => return false,
        };
        let span = self.span(line, 0..line.text.len());
        let limits = |own: &Constraint| {
            matches!(
                own.rule,
                Rule::Deadline { .. } | Rule::NotBefore { .. } | Rule::TaskTimes { .. } | Rule::Order { .. }
            )
        };
        let limited =
            || Index::at(&index.constraints, span).filter_map(|at| self.notes.constraints.get(at)).any(limits);
        if orders {
            return limited();
        }
        let elsewhere = |own: &Span| own.end <= span.start || span.end <= own.start;
        !intent(clause.text).iter().any(|stem| index.named.get(stem).is_some_and(|spans| spans.iter().any(elsewhere)))
    }

    fn why(&self, loose: &Loose) -> String {
        match loose {
            Loose::Time(stretch) => match stretch.readings.first().and_then(|times| times.first()) {
                Some(when) => format!("what {} is the time of", self.shown(*when)),
                None => "what its time is the time of".to_owned(),
            },
            Loose::Length(minutes) => format!("what takes {minutes} minutes"),
            Loose::Order(word) => format!("what \"{word}\" puts in order"),
            Loose::Denial(word) => format!("what \"{word}\" rules out or makes depend on something"),
            Loose::Deed => "whether it is something to do today".to_owned(),
            Loose::Figure(number) => format!("what {number} is the time or the number of"),
        }
    }

    pub(super) fn shown(&self, when: Interval) -> String {
        let at = |at: Timestamp| clock(at, self.notes.now.time_zone(), self.notes.now.date());
        if when.start == when.end { at(when.start) } else { format!("{} to {}", at(when.start), at(when.end)) }
    }

    /// The tasks that a clause may speak of: that of its own words or the last before it, then the next.
    pub(super) fn near(&self, index: &Index, span: Span) -> Vec<usize> {
        let own = index.tasks.partition_point(|(own, _)| own.start < span.end);
        let before = index.tasks.get(..own).unwrap_or_default().iter().rev().take(1);
        let after = index.tasks.get(own..).unwrap_or_default().iter().take(1);
        before.chain(after).map(|(_, at)| *at).take(TASKS_OFFERED_MAX).collect()
    }

    pub(super) fn name(&self, task: usize) -> String {
        let text = self.notes.tasks.get(task).map_or("", |task| task.text.as_str());
        let mut name: String = text.chars().take(NAME_CHARS_MAX).collect();
        if name.len() < text.len() {
            name.push('…');
        }
        format!("\"{name}\"")
    }

    fn ask(&mut self, clause: &Clause<'_>, quote: &Quote, near: &[usize], loose: &Loose) {
        if self.open.len() >= QUESTIONS_TRIED_MAX {
            return;
        }
        let offered = self.meanings(clause, near, loose);
        let rules = |(text, rules)| Choice { text, effect: Effect::Rules(rules) };
        let mut choices: Vec<Choice> = offered.into_iter().map(rules).collect();
        match loose {
            Loose::Length(minutes) if !clause.is_bare() => {
                let text = format!("something to do, {minutes} minutes");
                choices.push(Choice { text, effect: Effect::Task(Some(*minutes)) });
            }
            _ if matches!(loose, Loose::Deed) || near.is_empty() => {
                choices.push(Choice { text: "something to do".to_owned(), effect: Effect::Task(None) });
            }
            _ => {}
        }
        // What is set apart takes the task with it that was read there: whoever answers is told, and can leave it as it is.
        let within =
            |task: &&usize| self.notes.tasks.get(**task).is_some_and(|own| own.quote.span().overlaps(quote.span()));
        let event = |own: &Constraint| match &own.rule {
            Rule::FixedEvent { name, .. } if own.quote.as_ref().is_some_and(|it| it.span().overlaps(quote.span())) => {
                Some(format!("\"{name}\""))
            }
            _ => None,
        };
        let dropped = near.iter().find(within).map(|task| self.name(*task));
        let dropped = dropped.or_else(|| self.notes.constraints.iter().find_map(event));
        if let Some(name) = &dropped {
            choices.push(Choice { text: format!("nothing more: {name} is to be done"), effect: Effect::NothingMore });
        }
        choices.extend(asides(&dropped.map_or_else(String::new, |name| format!(": {name} is dropped"))));
        let id = format!("q{}", quote.span().start);
        let text = format!("What does \"{}\" mean for the day?", quote.text());
        self.open.push(OpenQuestion { id, text, quote: quote.clone(), choices, changes_plan: true });
    }
}

/// Where bytes of a line stand in the file.
pub(super) fn span_in(document: &Document, line: &Line<'_>, range: Range<usize>) -> Span {
    let cell = line.cells.iter().rposition(|cell| cell.start <= range.start).and_then(|at| line.cells.get(at));
    let (block, at, start) = cell.map_or((line.block, line.at, 0), |cell| (cell.block, cell.at, cell.start));
    document.evidence_span(block, at + range.start - start..at + range.end.max(range.start) - start)
}

/// The words of the file at bytes of a line.
pub(super) fn quote_in(file: FileId, document: &Document, line: &Line<'_>, range: Range<usize>) -> Option<Quote> {
    let text = line.text.get(range.clone())?;
    let start = range.start + (text.len() - text.trim_start().len());
    let end = range.end - (text.len() - text.trim_end().len());
    Quote::cut(file, document, span_in(document, line, start..end.max(start)))
}

/// The answers that set words apart, and what follows.
pub(super) fn asides(follows: &str) -> impl Iterator<Item = Choice> {
    let apart = [
        ("nothing for today", Aside::NotToday),
        ("somebody else's", Aside::NotMine),
        ("nothing that a plan must heed", Aside::Chatter),
    ];
    apart
        .into_iter()
        .map(move |(text, reason)| Choice { text: format!("{text}{follows}"), effect: Effect::Apart(reason) })
}
