//! What a clause says of the task or event of its line: how long it takes, by when it is due, who waits for it.

use steadfast_time::Limit;

use super::Reader;
use super::amend::{OTHERS, as_long};
use super::clauses::Clause;
use super::cues::Cue;
use super::lines::Line;
use super::statement::spot;
use super::verbs::is_task_verb;
use super::when::{Shape, Stretch};
use crate::list::List;
use crate::model::{Readings, Rule, intent};

/// Words that may stand beside a length or a deadline of the task before them.
pub(super) const FILLING: List = List("filling");

/// Words for something that was named before.
const MEANT: &[&str] = &["it", "them", "this", "that", "these", "those", "then", "one"];

/// Words with which a clause says what must become of the task before it.
const BECOMES: &[&str] = &["must", "has", "have", "need", "needs", "should", "wants", "want", "due", "deadline", "got"];

/// Verbs of what ends: a door, a desk, an offer.
const CLOSES: &[&str] = &[
    "close", "closes", "closing", "shut", "shuts", "end", "ends", "leave", "leaves", "finish", "finishes", "stop",
    "stops", "go", "goes",
];

/// Longest clause that only says when something opens or closes, in words beside the time.
const OTHERS_WORDS_MAX: usize = 6;

/// Words that mark how a task matters.
const MARKS: List = List("mark");

/// What becomes of a task that has to.
const BECOMING: &[&str] = &[
    "be", "go", "get", "happen", "reach", "arrive", "due", "leave", "ship", "land", "make", "slip", "wait", "out", "in",
];

/// Words that stand before a deadline.
const OUT: &[&str] = &["out", "due", "ready", "in", "done", "sent", "printed", "by", "before", "finished", "over"];

/// What somebody does who waits for a task.
const WANTING: &[&str] = &[
    "needs", "need", "wants", "want", "expects", "expect", "gets", "asked", "waiting", "requires", "takes", "collects",
];

/// Verbs that pass on what a task makes.
const PASSING: &[&str] = &[
    "send", "email", "mail", "share", "submit", "ship", "hand", "give", "forward", "post", "bring", "get", "put",
    "drop", "take", "print", "upload", "phone", "deliver", "return", "correct", "fix", "finish", "do",
];

/// Words after such a verb that name nothing new.
const ONWARD: &[&str] =
    &["to", "it", "them", "off", "out", "over", "back", "in", "before", "by", "until", "through", "up"];

/// What a clause says of the task before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Continuation {
    /// How long it takes, by when it is due; `due` where a time without a word of limit is a deadline.
    Says {
        /// Whether a bare time is a deadline.
        due: bool,
    },
    /// It cannot begin before the times of the clause.
    Opens,
    /// It cannot be done at the times of the clause.
    Shut,
    /// It can be done from the first time of the clause to the second.
    Hours,
}

/// The times of a clause by the clock that are not over.
fn moments<'c>(clause: &'c Clause<'_>) -> impl Iterator<Item = &'c Stretch> {
    clause.when.stretches.iter().filter(|it| !it.past && it.shape != Shape::Days)
}

/// Subjects that are somebody else.
const SOMEBODY: List = List("somebody");

/// What is said of somebody, beside regular forms.
const FINITE: List = List("finite");

impl<'a> Reader<'a> {
    /// "…, 20 min", "– must go out by 3", "(he needs it before then)", "they close at 6": of the task of the line.
    pub(super) fn continues(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let (Some(task), Some(kind)) = (self.line_task, self.continuation(clause)) else { return false };
        match kind {
            Continuation::Says { due } => self.about(line, clause, task, due),
            Continuation::Opens => {
                for from in moments(clause).filter_map(|it| it.starts()) {
                    self.state(spot(line, clause), Rule::NotBefore { task: Some(task), from }, false);
                }
                self.lengths(line, clause, task);
            }
            Continuation::Hours => {
                let mut times = moments(clause);
                let bounds = (times.next().and_then(Stretch::starts), times.next().and_then(Stretch::starts));
                if let (Some(from), Some(by)) = bounds {
                    self.state(spot(line, clause), Rule::NotBefore { task: Some(task), from }, false);
                    self.state(spot(line, clause), Rule::Deadline { task: Some(task), by }, false);
                }
            }
            Continuation::Shut => {
                let zone = self.notes.now.time_zone().clone();
                let closed = moments(clause).next().and_then(|it| it.times(&zone));
                if let Some(when) = closed {
                    self.state(spot(line, clause), Rule::TaskTimes { tasks: vec![task], when, only: false }, false);
                }
            }
        }
        true
    }

    /// What a clause says of a task that was named before it, if it does.
    pub(super) fn continuation(&self, clause: &Clause<'_>) -> Option<Continuation> {
        if clause.then {
            return None;
        }
        let low: Vec<&str> =
            clause.words.iter().filter(|word| !clause.is_timed(word)).map(|word| word.low.as_str()).collect();
        let joining = |word: &str| matches!(word, "and" | "but" | "so" | "since" | "because" | "as" | "or");
        let meaning =
            |word: &str| matches!(word, "it" | "this" | "that" | "which" | "these" | "those" | "they" | "it's");
        let has = |words: &[&str]| low.iter().any(|word| words.contains(word));
        let head = low.iter().find(|word| !joining(word) && !meaning(word)).copied().unwrap_or_default();
        let other =
            low.iter().find(|word| !joining(word)).is_some_and(|word| OTHERS.contains(word)) || self.is_named(clause);
        let timed = clause.when.stretches.iter().any(|it| !it.past);
        let limited = clause.when.stretches.iter().any(|it| !it.past && it.limit.is_some());
        let lasts = !clause.when.lengths.is_empty();
        // "Twenty minutes there and back".
        let there = |word: &str| word == "back" && lasts && !timed;
        let filling = low.iter().all(|word| FILLING.contains(word) || MARKS.contains(word) || there(word));
        let becomes =
            (BECOMES.contains(&head) || matches!(head, "cannot" | "can't" | "won't" | "gotta")) && !has(&["i", "we"]);
        let acts = clause.verb().is_some() && clause.words.first().is_some_and(|word| is_task_verb(&word.low));
        // "The post office closes at 5": a verb in the third person has a subject before it.
        let third =
            low.iter().skip(1).any(|word| matches!(*word, "closes" | "shuts" | "ends" | "opens" | "leaves" | "stops"));
        let subject = (other || (low.len() >= 2 && (third || !acts))) && timed && low.len() <= OTHERS_WORDS_MAX;
        let behind = |words: &[&str]| low.iter().skip(1).any(|word| words.contains(word));
        // "Can't start before 12", "they open at 9:30".
        let early = clause.has(Cue::Not)
            && has(&["start", "begin", "before", "earlier", "until", "till", "up"])
            && !has(&["book", "anything", "calls", "meetings", "work"])
            && low.len() <= OTHERS_WORDS_MAX
            && clause
                .when
                .stretches
                .iter()
                .any(|it| !it.past && matches!(it.limit, Some(Limit::Before | Limit::Until)));
        let until = |it: &Stretch| !it.past && it.shape == Shape::Point && it.limit == Some(Limit::Until);
        let is_until = clause.when.stretches.iter().any(until);
        let opens = has(&["opens", "open"]) && !acts;
        let both = opens && behind(CLOSES) && low.len() <= OTHERS_WORDS_MAX;
        match moments(clause).count() {
            2 if both => return Some(Continuation::Hours),
            1 if both && low.first() != Some(&"opens") => return Some(Continuation::Says { due: true }),
            _ => {}
        }
        // "(opens at noon sharp, goes fast)".
        let early = early || low.first() == Some(&"opens") && timed && !is_until;
        if early || (subject && !is_until && behind(&["open", "opens"])) {
            return Some(Continuation::Opens);
        }
        // "He's out until 6", "nobody there till 14:00": it cannot be done before. "They're in until 4": nor after.
        let nobody = has(&["nobody", "noone", "no-one"]) || low.first() == Some(&"no");
        if (other || nobody) && is_until && low.len() <= OTHERS_WORDS_MAX + 2 && !acts {
            let there = has(&["open", "in", "here", "there", "available", "free", "around", "home", "up"]);
            let early = nobody || clause.has(Cue::Not) || !there || low.iter().any(|word| word.ends_with("n't"));
            return Some(if early { Continuation::Opens } else { Continuation::Says { due: true } });
        }
        // "The post office is open until 5:30".
        if !acts && has(&["open"]) && is_until && low.len() <= OTHERS_WORDS_MAX {
            return Some(Continuation::Says { due: true });
        }
        // "The office is closed from 12 to 1".
        let range = clause.when.stretches.iter().any(|it| !it.past && it.shape == Shape::Range);
        if range && low.len() <= OTHERS_WORDS_MAX && has(&["closed", "shut"]) && has(&["is", "are"]) {
            return Some(Continuation::Shut);
        }
        let clocked = moments(clause).any(|it| it.shape == Shape::Point);
        let due = other && clause.has(Cue::Due) && clocked && low.len() <= OTHERS_WORDS_MAX;
        let closes = due || subject && behind(CLOSES);
        let passive = becomes && has(BECOMING);
        let wants = other && has(MEANT) && has(WANTING);
        let alone = (limited || clause.has(Cue::Must))
            && clause.verb().is_some_and(|at| low.len() == 1 && low[0] == clause.words[at].low);
        let passes = clause.verb().is_some_and(|at| {
            let object =
                clause.words.get(at + 1).is_some_and(|next| matches!(next.low.as_str(), "it" | "them" | "him" | "her"));
            object
                || PASSING.contains(&clause.words[at].low.as_str())
                    && clause
                        .words
                        .get(at + 1)
                        .is_none_or(|next| ONWARD.contains(&next.low.as_str()) || clause.is_timed(next))
        });
        // "…, out by 11 or he is asleep".
        let beside = (clause.has(Cue::Before) || clause.has(Cue::After)) && !matches!(head, "by" | "before");
        let bound = (limited || beside) && OUT.contains(&head) && !acts;
        let says = lasts || limited || clause.has(Cue::Due) || (filling && !low.is_empty() && clause.has(Cue::Must));
        ((filling && says) || bound || alone || passes || passive || wants || closes)
            .then_some(Continuation::Says { due: closes || passive })
    }

    /// Whether a clause says in its own words when its task may begin ("nobody there till 14:00"), or names a thing, how long it takes and
    /// that it must be done.
    pub(super) fn says_itself(&self, clause: &Clause<'_>) -> bool {
        let until = clause.when.stretches.iter().any(|it| it.limit == Some(Limit::Until));
        let opens = self.line_task.is_some()
            && match self.continuation(clause) {
                Some(Continuation::Opens) => until || clause.words.iter().any(|word| word.low == "opens"),
                Some(Continuation::Hours) => true,
                _ => false,
            };
        let head = clause.words.first().map_or("", |word| word.low.as_str());
        let names = !FILLING.contains(head)
            && !OTHERS.contains(&head)
            && !MEANT.contains(&head)
            && !BECOMES.contains(&head)
            && !MARKS.contains(head)
            && clause.words.first().is_some_and(|word| !clause.is_timed(word));
        let needed = clause.has(Cue::Must) || clause.has(Cue::Need);
        let lasts = clause.when.lengths.first().is_some_and(|it| it.span.start > 0);
        // "Set up the laptops 1.5h by 3pm".
        let own = clause.verb().is_some_and(|at| {
            let named = clause.words.iter().skip(at + 1).take_while(|word| !clause.is_timed(word));
            at == 0 && named.filter(|word| word.low.len() > 2 && !ONWARD.contains(&word.low.as_str())).count() > 1
        });
        opens || lasts && (names && needed || own)
    }

    /// A task that the notes name already: "the update has to be finished by then".
    pub(super) fn known_task(&self, clause: &Clause<'_>) -> Option<usize> {
        let stems = intent(&self.name_of(clause, &[]));
        let known = |task: &crate::model::Task| {
            stems.len() <= task.intent.len() && stems.iter().all(|stem| task.intent.contains(stem))
        };
        if stems.is_empty() { None } else { self.notes.tasks.iter().rposition(known) }
    }

    /// What a clause says of a task that was named before; a bare time is when it is due where `due`.
    pub(super) fn about(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize, due: bool) {
        self.lengths(line, clause, task);
        let stretches: Vec<Stretch> =
            clause.when.stretches.iter().filter(|it| !it.past && it.shape != Shape::Days).cloned().collect();
        for stretch in &stretches {
            let mut own = stretch.clone();
            if own.limit.is_none() && own.shape == Shape::Point && (due || clause.has(Cue::Due)) {
                own.limit = Some(Limit::By);
            }
            self.bound(line, clause, task, &own, false);
        }
        self.by_then(line, clause, task);
        self.beside_it(line, clause, task, None);
        self.before_leaving(line, clause, task);
        self.refer(line, clause, task, false);
        self.mark(line, clause, task);
    }

    /// "The text says 10:20, my calendar says 10:50": both are kept, and it is asked.
    pub(super) fn says(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let Some(verb) = clause
            .words
            .iter()
            .position(|word| matches!(word.low.as_str(), "says" | "say" | "said" | "reads" | "shows"))
        else {
            return false;
        };
        let after = clause.words[verb].range.end;
        let Some(stretch) = clause
            .when
            .stretches
            .iter()
            .find(|it| it.span.start >= after && !it.past && it.shape != Shape::Days)
            .cloned()
        else {
            return false;
        };
        if let Some(event) = self.line_event {
            let Some(constraint) = self.notes.constraints.get_mut(event) else { return false };
            let text = constraint.text().to_owned();
            if let Rule::FixedEvent { when, .. } = &mut constraint.rule {
                let said = as_long(when, &stretch);
                let all = when.iter().chain(said.iter().flat_map(Readings::iter)).cloned().collect();
                *when = Readings::of(all).unwrap_or_else(|| when.clone());
            }
            self.ask(format!("\"{}\" or \"{text}\": which of the times holds?", clause.text.trim()));
            return true;
        }
        let colon = clause.text.find(':').filter(|colon| *colon < after);
        let name = colon.and_then(|colon| clause.text.get(..colon)).unwrap_or_default().trim().to_owned();
        if intent(&name).is_empty() {
            return false;
        }
        self.arrives(line, clause, &name, &stretch.span);
        true
    }

    /// Whether a clause says what somebody else does: nothing to do for the one who plans.
    pub(super) fn is_of_others(&self, clause: &Clause<'_>) -> bool {
        let low: Vec<&str> = clause.words.iter().take(3).map(|word| word.low.as_str()).collect();
        let at = usize::from(low.first().is_some_and(|word| matches!(*word, "and" | "but" | "so" | "then")));
        let waits = matches!(low.get(at), Some(&("waiting" | "awaiting")));
        let other = matches!(low.get(at), Some(&("it's" | "that's" | "it" | "that" | "this" | "these" | "someone")))
            || low.get(at).is_some_and(|word| SOMEBODY.contains(word));
        let owns = clause.words.first().is_some_and(|word| word.capital && word.low.ends_with("'s"))
            && low.get(1) == Some(&"got");
        // "Gran sends her love", "Mei borrowed the pipettes".
        let named = clause.words.first().is_some_and(|word| word.capital && !word.is_figure());
        let finite = |word: &super::words::Word| {
            let low = word.low.as_str();
            !word.capital
                && (low.strip_suffix('s').is_some_and(super::verbs::is_task_verb)
                    || low.len() > 4 && low.ends_with("ed")
                    || FINITE.contains(low))
        };
        let follows = |at: usize| {
            clause.words.get(at).is_some_and(finite)
                && clause.words.get(at + 1).is_some_and(|next| !next.parted && !clause.is_timed(next))
        };
        // "Kunal is going to the airport".
        let goes = named
            && matches!(low.get(1), Some(&("is" | "are")))
            && low.get(2).is_some_and(|word| word.len() > 4 && word.ends_with("ing"));
        let acts = named
            && !super::verbs::is_task_verb(low.first().copied().unwrap_or_default())
            && (follows(1) || clause.words.get(1).is_some_and(|word| word.capital) && follows(2));
        let thing = low.first() == Some(&"the") && clause.words.iter().skip(2).take(2).any(finite);
        waits || other || owns || acts || thing || goes
    }

    /// "By then": by the time that was named last.
    pub(super) fn by_then(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) {
        let joined = clause.words.windows(2).any(|pair| {
            matches!(pair[0].low.as_str(), "by" | "before") && matches!(pair[1].low.as_str(), "then" | "that")
        });
        let joined = joined || super::manner::before_it(clause).is_some();
        if let (true, Some(by)) = (joined, self.last_time.clone()) {
            self.state(spot(line, clause), Rule::Deadline { task: Some(task), by }, false);
        }
    }

    /// Whether a clause begins with the name of somebody, who does or wants something.
    fn is_named(&self, clause: &Clause<'_>) -> bool {
        let at = clause
            .words
            .iter()
            .position(|word| !matches!(word.low.as_str(), "and" | "but" | "so" | "since" | "because" | "as"))
            .unwrap_or(0);
        let run = super::people::run(&clause.words, at);
        let follows = clause.words.get(run.end).map_or("", |word| word.low.as_str());
        !run.is_empty()
            && matches!(follows, "needs" | "wants" | "expects" | "is" | "has" | "asked" | "closes" | "leaves" | "gets")
    }
}
