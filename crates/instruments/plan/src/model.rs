//! What the notes say: tasks, and constraints with the words that state them.
//!
//! One truth has one place: what the notes say *about* a task (how long it takes, when it is due, that it must be done
//! today) is a constraint that names the task by its place in [`Notes::tasks`]; [`Notes`] answers for a task by asking the
//! constraints. So nothing is enforced that is not listed with its words.

mod kind;
pub mod open;

use std::collections::BTreeSet;

use jiff::{Timestamp, Zoned};
use steadfast_annotate::content_stems;
use steadfast_evidence::Quote;
use steadfast_text::Span;

pub use self::kind::Kind;
use self::open::{Answered, Apart, OpenQuestion, Unread};
use crate::window::{Interval, Window};

/// All readings of what the notes say, never none: "at 3" has two. Who breaks a constraint breaks it for certain only
/// where it is broken under every reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readings<T> {
    first: T,
    others: Vec<T>,
}

impl<T> Readings<T> {
    /// The only reading.
    pub const fn unique(only: T) -> Self {
        Self { first: only, others: Vec::new() }
    }

    /// The first reading and all others.
    pub const fn new(first: T, others: Vec<T>) -> Self {
        Self { first, others }
    }

    /// The readings in their order; `None` where there is none.
    #[must_use]
    pub fn of(readings: Vec<T>) -> Option<Self> {
        let mut all = readings.into_iter();
        let first = all.next()?;
        Some(Self { first, others: all.collect() })
    }

    /// The first reading.
    pub const fn first(&self) -> &T {
        &self.first
    }

    /// All readings, at least one.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Whether there is one reading only.
    pub const fn is_unique(&self) -> bool {
        self.others.is_empty()
    }
}

/// The intervals that one reading gives: their union.
pub type Times = Vec<Interval>;

impl Readings<Times> {
    /// Changes each interval of each reading.
    pub(crate) fn change(&mut self, change: impl Fn(&mut Interval)) {
        std::iter::once(&mut self.first).chain(&mut self.others).flatten().for_each(change);
    }
}

/// One thing that the notes require, with the words that say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// Unique among the constraints of the notes ("c12").
    pub id: String,
    /// What it requires.
    pub rule: Rule,
    /// The words of the notes; none for kind `contract` alone.
    pub quote: Option<Quote>,
    /// Whether breaking it fails the plan. Preferences are soft.
    pub hard: bool,
}

impl Constraint {
    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.rule.kind()
    }

    /// The words of the notes that state it, or what the contract says.
    #[must_use]
    pub fn text(&self) -> &str {
        match (&self.quote, &self.rule) {
            (Some(quote), _) => quote.text(),
            (None, Rule::Contract(clause)) => clause.text(),
            (None, _) => "",
        }
    }
}

/// What a constraint requires. Tasks are named by their place in [`Notes::tasks`]; people and places by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// An event at its time ("standup 9:30–9:45"). Its time is blocked for all else; an item that carries it out must stand
    /// at its time. A plan need not list it, and a reader makes no task of it.
    FixedEvent {
        /// What it is called ("standup").
        name: String,
        /// When.
        when: Readings<Times>,
        /// With whom.
        with: Vec<String>,
        /// Where.
        place: Option<String>,
    },
    /// No work in these times ("don't book over lunch"). Breaks may lie there.
    Blocked {
        /// What the time is for, where the notes say it ("lunch").
        name: Option<String>,
        /// Whose time it is: only what is done with that person is kept out. `None`: the planner's own time.
        who: Option<String>,
        /// When.
        when: Readings<Times>,
    },
    /// Done by then. "Before the standup" is a deadline at its start.
    Deadline {
        /// What is due; `None`: all work ("I leave at five").
        task: Option<usize>,
        /// By when.
        by: Readings<Timestamp>,
    },
    /// Not begun earlier.
    NotBefore {
        /// What has to wait; `None`: all work.
        task: Option<usize>,
        /// From when on.
        from: Readings<Timestamp>,
    },
    /// Work lies within these times, those of one constraint taken together, and within every such constraint. What is said
    /// of one day alone ("on Monday only after 15:00") is [`Rule::Blocked`] for the rest of that day.
    Availability {
        /// Whose time it is, as in [`Rule::Blocked`].
        who: Option<String>,
        /// When.
        when: Readings<Times>,
    },
    /// These tasks lie within these times, or outside them.
    TaskTimes {
        /// The tasks.
        tasks: Vec<usize>,
        /// When.
        when: Readings<Times>,
        /// Whether the times are the only ones, or those that are ruled out.
        only: bool,
    },
    /// The task is in the plan, and within these times where the items have times.
    MustDo {
        /// The task.
        task: usize,
        /// Today, or the day that the notes name.
        within: Option<Interval>,
    },
    /// How long a task takes, in minutes. All items that carry it out count together.
    Duration {
        /// The task.
        task: usize,
        /// At least.
        minutes_min: Option<i64>,
        /// At most.
        minutes_max: Option<i64>,
    },
    /// One task ends before the other begins.
    Order {
        /// This first.
        first: usize,
        /// Then this.
        then: usize,
        /// At least so many minutes lie between them ("leave it to dry for an hour"); 0 where nothing is said.
        gap: i64,
    },
    /// No item that is all of this at once: of these words, with that person, at that place, in those times. One of the
    /// first three at least is given.
    Exclusion {
        /// Stems that the item's task must not hold all at once (see [`intent`]); empty: any task.
        intent: Vec<String>,
        /// The person.
        who: Option<String>,
        /// The place.
        place: Option<String>,
        /// In these times; `None`: ever.
        when: Option<Readings<Times>>,
    },
    /// A wish: the rule that would hold if it were one. Soft unless the caller wants wishes kept.
    Preference {
        /// What is wished for: any other rule but this one.
        wish: Box<Rule>,
    },
    /// Who is where, when.
    Presence {
        /// Who; `None`: the planner. Items with somebody else must lie at the place and in the times.
        who: Option<String>,
        /// Where.
        place: String,
        /// When.
        when: Readings<Vec<Window>>,
        /// For the planner alone: throughout the times, or at some time in them. "You arrive at the station at 9:00" is
        /// throughout an interval that begins and ends at 9:00, and where ways begin.
        extent: Extent,
    },
    /// The way from one place to another takes that long.
    Travel {
        /// From here.
        from: String,
        /// To there.
        to: String,
        /// Minutes.
        minutes: i64,
        /// Whether the way back takes as long.
        both_ways: bool,
    },
    /// Places change only along these links.
    Connection {
        /// Every way that there is.
        links: Vec<Link>,
    },
    /// How long to stay at a place, in days of the journey, both ends counted.
    Stay {
        /// The place.
        place: String,
        /// At least.
        days_min: Option<i64>,
        /// At most.
        days_max: Option<i64>,
    },
    /// How long all of it takes.
    Total {
        /// What is counted.
        unit: Unit,
        /// The tasks that count; empty: all.
        tasks: Vec<usize>,
        /// At least.
        min: Option<i64>,
        /// At most.
        max: Option<i64>,
    },
    /// No longer on end at these tasks, then a rest from them ("an hour in one go at most, then 15 minutes away from it").
    Run {
        /// The tasks; empty: all work.
        tasks: Vec<usize>,
        /// Most minutes on end.
        minutes_max: i64,
        /// Shortest rest from them, in minutes.
        rest: i64,
    },
    /// As many of these tasks as can be done.
    Objective {
        /// The tasks; empty: all.
        tasks: Vec<usize>,
    },
    /// What holds for every plan, whatever the notes say.
    Contract(Clause),
}

impl Rule {
    /// The rule, or where it is a wish, the wish for it.
    pub(crate) fn wished(self, wish: bool) -> Self {
        if wish { Self::Preference { wish: Box::new(self) } } else { self }
    }

    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::FixedEvent { .. } => Kind::FixedEvent,
            Self::Blocked { .. } => Kind::Blocked,
            Self::Deadline { .. } => Kind::Deadline,
            Self::NotBefore { .. } => Kind::NotBefore,
            Self::Availability { .. } | Self::TaskTimes { only: true, .. } => Kind::Availability,
            Self::MustDo { .. } => Kind::MustDo,
            Self::Duration { .. } => Kind::Duration,
            Self::Order { .. } => Kind::Order,
            Self::Exclusion { .. } | Self::TaskTimes { only: false, .. } | Self::Run { .. } => Kind::Exclusion,
            Self::Preference { .. } => Kind::Preference,
            Self::Presence { .. } => Kind::Presence,
            Self::Travel { .. } => Kind::Travel,
            Self::Connection { .. } => Kind::Connection,
            Self::Stay { .. } => Kind::Stay,
            Self::Total { .. } => Kind::Total,
            Self::Objective { .. } => Kind::Objective,
            Self::Contract(_) => Kind::Contract,
        }
    }
}

/// Throughout a time, or at some time in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// All the time.
    Throughout,
    /// At some time.
    Within,
}

/// A way between two places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// From here.
    pub from: String,
    /// To there.
    pub to: String,
    /// Whether it leads back too.
    pub both_ways: bool,
}

/// What a total counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Days of the journey, from its first to its last.
    Days,
    /// Minutes of all items together, events of the notes left out.
    Minutes,
}

/// What holds for every plan. Source: the contract for day plans, section 3.2, and what follows from one person having one
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clause {
    /// No two items at once.
    Overlap,
    /// An item begins before it ends, and its timebox fits between the two.
    Times,
    /// No item begins before the current time.
    Past,
    /// 3 to 7 items.
    Count,
    /// A timebox of at least 5 minutes.
    Timebox,
}

impl Clause {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Overlap, Self::Times, Self::Past, Self::Count, Self::Timebox];

    /// Its id among the constraints.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Overlap => "contract-overlap",
            Self::Times => "contract-times",
            Self::Past => "contract-past",
            Self::Count => "contract-count",
            Self::Timebox => "contract-timebox",
        }
    }

    /// What it says.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Overlap => "no two items at once",
            Self::Times => "an item's timebox fits between its start and its end",
            Self::Past => "nothing begins before the current time",
            Self::Count => "a plan has 3 to 7 items",
            Self::Timebox => "a timebox is at least 5 minutes",
        }
    }

    /// Whether it binds a bare list of events as well as a planner's answer.
    #[must_use]
    pub const fn binds_events(self) -> bool {
        matches!(self, Self::Overlap | Self::Times | Self::Past)
    }
}

/// How much a task matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// Only if there is time: a day into which it does not fit is no overfull day.
    Optional,
    /// Low.
    Low,
    /// Nothing is said.
    #[default]
    Normal,
    /// High.
    High,
    /// The first thing to do.
    Urgent,
}

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The words of the notes.
    pub quote: Quote,
    /// What is to be done, as a plan names it: the words of the notes without their times and marks ("write the report").
    pub text: String,
    /// What is to be done as stems of content words, see [`intent`].
    pub intent: Vec<String>,
    /// How much it matters.
    pub priority: Priority,
    /// With whom.
    pub with: Vec<String>,
    /// Where.
    pub place: Option<String>,
    /// Whether the notes want it done in one go, however long.
    pub in_one_go: bool,
}

/// Notes as they were read.
#[derive(Clone, Debug)]
pub struct Notes {
    /// The current time, in the zone in which the notes are read.
    pub now: Zoned,
    /// What is to be done, in the order of the notes.
    pub tasks: Vec<Task>,
    /// What is required, in the order of the notes; those of the contract are not among them.
    pub constraints: Vec<Constraint>,
    /// Stems of every content word of the notes, see [`vocabulary`].
    pub vocabulary: BTreeSet<String>,
    /// What was read, line by line.
    pub lines: Vec<String>,
    /// What was settled without asking.
    pub assumptions: Vec<String>,
    /// What must be asked.
    pub questions: Vec<String>,
    /// Words of the notes that are nothing to plan today.
    pub apart: Vec<Apart>,
    /// Words of today that are bound to no task and no constraint.
    pub unread: Vec<Unread>,
    /// Questions whose answers become part of the reading, at most [`QUESTIONS_MAX`](crate::open::QUESTIONS_MAX).
    pub open: Vec<OpenQuestion>,
    /// Answers that are part of it.
    pub answered: Vec<Answered>,
    /// Which constraints do not bind which tasks: what may be done during an event, or outside of the hours. The id of the constraint and the task.
    pub excepted: Vec<(String, usize)>,
    /// Whether they are read by the pieces that scorers make of their lines, or by phrases alone.
    pub by_pieces: bool,
    /// Of notes that are read by pieces and leave nothing else open the piece that is least likely what it is taken for, and how likely that is,
    /// 0 to 1.
    pub least_sure: Option<(Quote, f64)>,
    /// The pieces by which they are read, and how likely each is what it is taken for, 0 to 1.
    pub pieces: Vec<(Span, f64)>,
    /// Whether the two readings of the notes differ in what a plan must heed, so far as is known.
    pub disputed: bool,
    /// What is least sure of what pieces state, the least sure first.
    pub doubts: Vec<open::Doubt>,
    /// The other of two readings of the same notes, by pieces beside one by phrases or the reverse. It may doubt a plan
    /// ([`doubt`](crate::variant::doubt)), and what a model says nothing of is asked about where both have it.
    pub other: Option<Box<Self>>,
    /// Whether somebody handed the reading in, who understands the notes.
    pub handed_in: bool,
}

impl Notes {
    /// Notes that say nothing, read at `now`.
    #[must_use]
    pub fn empty(now: Zoned) -> Self {
        Self {
            now,
            tasks: Vec::new(),
            constraints: Vec::new(),
            vocabulary: BTreeSet::new(),
            lines: Vec::new(),
            assumptions: Vec::new(),
            questions: Vec::new(),
            apart: Vec::new(),
            unread: Vec::new(),
            open: Vec::new(),
            answered: Vec::new(),
            excepted: Vec::new(),
            by_pieces: false,
            least_sure: None,
            disputed: false,
            doubts: Vec::new(),
            pieces: Vec::new(),
            other: None,
            handed_in: false,
        }
    }

    /// What the constraints say of each task, in the order of the tasks.
    #[must_use]
    pub fn said(&self) -> Vec<Said> {
        let mut all = vec![Said::default(); self.tasks.len()];
        for constraint in &self.constraints {
            match &constraint.rule {
                Rule::Duration { task, minutes_min, minutes_max } => {
                    let Some(said) = all.get_mut(*task) else { continue };
                    said.minutes_min = said.minutes_min.max(*minutes_min);
                    said.minutes_max = match (said.minutes_max, *minutes_max) {
                        (Some(a), Some(b)) => Some(i64::min(a, b)),
                        (a, b) => a.or(b),
                    };
                }
                Rule::Preference { wish } => {
                    if let Rule::Duration { task, minutes_min, minutes_max } = &**wish
                        && let Some(said) = all.get_mut(*task)
                    {
                        said.minutes_likely = said.minutes_likely.or(*minutes_max).or(*minutes_min);
                    }
                }
                Rule::MustDo { task, .. } if constraint.hard => {
                    if let Some(said) = all.get_mut(*task) {
                        said.must_do = true;
                    }
                }
                _ => {}
            }
        }
        for (said, task) in all.iter_mut().zip(&self.tasks) {
            said.priority = task.priority;
        }
        all
    }
}

/// What the notes say of one task, over all constraints on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Minutes that it takes at least.
    pub minutes_min: Option<i64>,
    /// Minutes that it may take at most.
    pub minutes_max: Option<i64>,
    /// Minutes that it takes by a wish, or by a number whose unit is left out.
    pub minutes_likely: Option<i64>,
    /// Whether it must be done.
    pub must_do: bool,
    /// How much it matters.
    pub priority: Priority,
}

impl Said {
    /// Whether it may be left out without a day being overfull.
    #[must_use]
    pub fn is_optional(self) -> bool {
        self.priority == Priority::Optional && !self.must_do
    }

    /// What it is worth to do it; a task that must be done outweighs all others.
    #[must_use]
    pub const fn worth(self) -> i64 {
        if self.must_do {
            return 10_000;
        }
        match self.priority {
            Priority::Optional => 2,
            Priority::Low => 10,
            Priority::Normal => 20,
            Priority::High => 40,
            Priority::Urgent => 60,
        }
    }
}

/// What is to be done as stems of content words, each once, in their order: what tasks and items are compared by.
#[must_use]
pub fn intent(text: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    content_stems(text).into_iter().map(|(_, stem)| stem).filter(|stem| seen.insert(stem.clone())).collect()
}

/// The stems of every content word of a text.
#[must_use]
pub fn vocabulary(text: &str) -> BTreeSet<String> {
    content_stems(text).into_iter().map(|(_, stem)| stem).collect()
}
