//! What must hold on a day, in minutes since its midnight, and whether a plan holds it. Nothing here knows the reader or the
//! validators that are under test.

/// From a minute to a minute, the end left out.
pub type Span = (i64, i64);

/// Work on end that nobody bears, in minutes: section 5.5 of the contract for day plans.
const RUN_MINUTES_MAX: i64 = 180;

/// Work from which on a break is needed, in minutes: the same section.
const BREAK_FROM_MINUTES: i64 = 240;

/// A shorter gap is no break, in minutes.
const GAP_MINUTES_MIN: i64 = 5;

/// Share of the tasks that a plan must hold, in tenths: section 5.4.
const COVERAGE_TENTHS_MIN: usize = 7;

/// Items that carry out nothing of the notes.
const FILLERS: &[&str] = &["break", "buffer", "review of the day"];

/// Time that is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Busy {
    /// The word by which an item is known to carry it out.
    pub key: String,
    /// When.
    pub span: Span,
    /// Whether it takes place then, and an item may carry it out; else nothing is planned there.
    pub is_event: bool,
}

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duty {
    /// The word by which an item is known to carry it out.
    pub key: String,
    /// How long it takes.
    pub minutes: i64,
    /// By when.
    pub by: Option<i64>,
    /// From when on.
    pub from: Option<i64>,
    /// Whether it must be done today.
    pub must: bool,
}

/// What must hold on a day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The current minute.
    pub now: i64,
    /// Working time.
    pub work: Vec<Span>,
    /// What of it is taken.
    pub busy: Vec<Busy>,
    /// What is to be done.
    pub duties: Vec<Duty>,
    /// Words of what may be done or not.
    pub optional: Vec<String>,
}

/// An item of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// What is done.
    pub task: String,
    /// When.
    pub span: Span,
}

/// What kind of fault a plan has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// Work at a time that is not there: taken, past, outside working time.
    Time,
    /// Two things at once.
    Overlap,
    /// Done too late, or begun too early.
    Limit,
    /// What must be done is not there, or too little of all.
    Missing,
    /// Fewer minutes than it takes.
    Short,
    /// An item that the notes do not have.
    Invented,
    /// More minutes than there are.
    Overflow,
    /// More than anybody bears: advice, which makes no plan wrong.
    Human,
}

/// A fault of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Of which kind.
    pub kind: ProblemKind,
    /// In words.
    pub text: String,
}

impl Truth {
    /// Time that is free for work, in order.
    #[must_use]
    pub fn free(&self) -> Vec<Span> {
        let mut free: Vec<Span> = self.work.iter().map(|(from, until)| ((*from).max(self.now), *until)).collect();
        for busy in &self.busy {
            let (start, end) = busy.span;
            free =
                free.iter().flat_map(|(from, until)| [(*from, start.min(*until)), (end.max(*from), *until)]).collect();
            free.retain(|(from, until)| from < until);
        }
        free.sort_unstable();
        free
    }

    /// Minutes that are needed and those that are free, where the first are more: of all that must lie between two points in time.
    #[must_use]
    pub fn overload(&self) -> Option<(i64, i64)> {
        let free = self.free();
        let day = (0, 24 * 60);
        let starts = self.duties.iter().filter_map(|duty| duty.from).chain([day.0]);
        for start in starts {
            for end in self.duties.iter().filter_map(|duty| duty.by).chain([day.1]) {
                let within = |duty: &&Duty| duty.from.unwrap_or(day.0) >= start && duty.by.unwrap_or(day.1) <= end;
                let needed: i64 = self.duties.iter().filter(within).map(|duty| duty.minutes).sum();
                let minutes: i64 = free.iter().map(|span| (span.1.min(end) - span.0.max(start)).max(0)).sum();
                if needed > minutes {
                    return Some((needed, minutes));
                }
            }
        }
        None
    }

    /// What is wrong with a plan.
    #[must_use]
    pub fn problems(&self, plan: &[Placed]) -> Vec<Problem> {
        let mut found = Vec::new();
        let mut say = |kind, text: String| found.push(Problem { kind, text });
        let free = self.free();
        let mut work: Vec<Span> = Vec::new();
        for item in plan {
            let low = item.task.to_lowercase();
            let (from, until) = item.span;
            let own: Vec<&Duty> = self.duties.iter().filter(|duty| low.contains(&duty.key)).collect();
            let when = shown(item.span);
            if own.is_empty() && !self.optional.iter().any(|key| low.contains(key)) {
                if let Some(event) = self.busy.iter().find(|busy| busy.is_event && low.contains(&busy.key)) {
                    if event.span != item.span {
                        say(ProblemKind::Time, format!("“{}” {when}, takes place {}", item.task, shown(event.span)));
                    }
                } else if !FILLERS.contains(&low.as_str()) {
                    say(ProblemKind::Invented, format!("“{}” is nothing to do of these notes", item.task));
                }
                continue;
            }
            work.push(item.span);
            if !free.iter().any(|span| span.0 <= from && until <= span.1) {
                say(ProblemKind::Time, format!("“{}” {when} lies in no free time", item.task));
            }
            let needed: i64 = own.iter().map(|duty| duty.minutes).sum();
            if own.len() > 1 && until - from < needed {
                say(ProblemKind::Short, format!("“{}” {when} takes {needed} minutes", item.task));
            }
            for duty in own {
                if duty.by.is_some_and(|by| until > by) {
                    say(ProblemKind::Limit, format!("“{}” {when} ends too late", item.task));
                }
                if duty.from.is_some_and(|begin| from < begin) {
                    say(ProblemKind::Limit, format!("“{}” {when} begins too early", item.task));
                }
            }
        }
        let mut spans: Vec<Span> = plan.iter().map(|item| item.span).collect();
        spans.sort_unstable();
        for pair in spans.windows(2).filter(|pair| pair[1].0 < pair[0].1) {
            say(ProblemKind::Overlap, format!("{} and {} are at once", shown(pair[0]), shown(pair[1])));
        }
        let mut done = 0;
        for duty in &self.duties {
            let own = plan.iter().filter(|item| item.task.to_lowercase().contains(&duty.key));
            let minutes: i64 = own.clone().map(|item| item.span.1 - item.span.0).sum();
            let is_there = own.count() > 0;
            done += usize::from(is_there);
            if duty.must && !is_there {
                say(ProblemKind::Missing, format!("“{}” must be done and is not there", duty.key));
            }
            if is_there && minutes < duty.minutes {
                say(ProblemKind::Short, format!("“{}” gets {minutes} of {} minutes", duty.key, duty.minutes));
            }
        }
        if done * 10 < self.duties.len() * COVERAGE_TENTHS_MIN {
            say(ProblemKind::Missing, format!("holds {done} of {} tasks", self.duties.len()));
        }
        let planned: i64 = work.iter().map(|(from, until)| until - from).sum();
        let minutes: i64 = free.iter().map(|(from, until)| until - from).sum();
        if planned > minutes {
            say(ProblemKind::Overflow, format!("plans {planned} minutes, has {minutes}"));
        }
        if let Some(text) = beyond_bearing(&mut work, planned) {
            say(ProblemKind::Human, text);
        }
        found
    }
}

/// What of the work nobody bears.
fn beyond_bearing(work: &mut [Span], planned: i64) -> Option<String> {
    work.sort_unstable();
    let (mut begin, mut end) = *work.first()?;
    let (mut longest, mut rested) = (end - begin, false);
    for (from, until) in work.iter().skip(1) {
        if from - end >= GAP_MINUTES_MIN {
            begin = *from;
            rested = true;
        }
        end = end.max(*until);
        longest = longest.max(end - begin);
    }
    if longest > RUN_MINUTES_MAX {
        return Some(format!("{longest} minutes on end"));
    }
    (planned >= BREAK_FROM_MINUTES && !rested).then(|| format!("{planned} minutes without a break"))
}

/// "09:30-10:00".
pub(super) fn shown(span: Span) -> String {
    let clock = |minute: i64| format!("{:02}:{:02}", minute.div_euclid(60), minute.rem_euclid(60));
    format!("{}-{}", clock(span.0), clock(span.1))
}

#[cfg(test)]
mod tests {
    use super::{Busy, Duty, Placed, ProblemKind, Truth};

    fn duty(key: &str, minutes: i64, by: Option<i64>) -> Duty {
        Duty { key: key.to_owned(), minutes, by, from: None, must: true }
    }

    fn truth() -> Truth {
        Truth {
            now: 500,
            work: vec![(480, 1020)],
            busy: vec![Busy { key: "standup".to_owned(), span: (570, 585), is_event: true }],
            duties: vec![duty("report", 60, Some(660)), duty("mail", 30, None)],
            optional: Vec::new(),
        }
    }

    #[track_caller]
    fn check(plan: &[(&str, i64, i64)], expect: &[ProblemKind]) {
        let plan: Vec<Placed> =
            plan.iter().map(|(task, from, until)| Placed { task: (*task).to_owned(), span: (*from, *until) }).collect();
        let kinds: Vec<ProblemKind> = truth().problems(&plan).iter().map(|it| it.kind).collect();
        assert_eq!(kinds, expect);
    }

    #[test]
    fn faults_are_found() {
        let mail = ("Mail", 700, 730);
        check(&[("Report", 500, 560), mail], &[]);
        check(&[("Report", 500, 560), ("Standup", 570, 585), mail, ("Break", 730, 740)], &[]);
        check(&[("Report", 490, 550), mail], &[ProblemKind::Time]);
        check(&[("Report", 530, 590), mail], &[ProblemKind::Time]);
        check(&[("Report", 610, 670), mail], &[ProblemKind::Limit]);
        check(&[("Report", 500, 550), mail], &[ProblemKind::Short]);
        check(&[("Report", 500, 560), ("Mail", 530, 560)], &[ProblemKind::Overlap]);
        check(&[("Report", 500, 560), mail, ("Call Bob", 800, 830)], &[ProblemKind::Invented]);
        check(&[("Report", 500, 560), ("Standup", 600, 615), mail], &[ProblemKind::Time]);
        check(&[mail], &[ProblemKind::Missing, ProblemKind::Missing]);
        check(&[("Report", 590, 650), ("Mail", 650, 950)], &[ProblemKind::Human]);
    }

    #[test]
    fn an_overload_is_reckoned_per_deadline() {
        let mut day = truth();
        assert_eq!(day.overload(), None);
        assert_eq!(day.free(), [(500, 570), (585, 1020)]);
        day.duties[0].minutes = 146;
        assert_eq!(day.overload(), Some((146, 145)));
        assert_eq!(crate::days::tests::schedule(&day), None);
        day.duties[0] = duty("report", 506, None);
        assert_eq!(day.overload(), Some((536, 505)));
    }
}
