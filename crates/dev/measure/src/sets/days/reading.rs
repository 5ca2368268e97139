//! What the program read of notes, against what the labels have.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use steadfast_exam::notes::{Constraint, Note, minutes, stems_of};
use steadfast_plan::model::{Priority, Rule, Times, intent};
use steadfast_plan::{Interval, Notes};
use steadfast_text::Span;
use steadfast_time::{Anchor, Reading, expressions};

/// An approximate time ("about ten") may be read this much off, in minutes.
const APPROXIMATE_MINUTES: i64 = 15;

/// What was read for nothing lies in the words that say so by at least this share, in per cent.
const WITHIN_MIN: usize = 60;

fn shared(one: Span, other: Span) -> usize {
    one.end.min(other.end).saturating_sub(one.start.max(other.start))
}

/// For each task that was read the task of the labels that it is, by place and words.
pub(super) fn paired(note: &Note, read: &Notes) -> Vec<Option<usize>> {
    read.tasks
        .iter()
        .map(|task| {
            let stems: BTreeSet<String> = task.intent.iter().cloned().collect();
            let rank = |gold: usize| {
                let words = stems_of(note, gold).intersection(&stems).count();
                let place = shared(note.span(&note.tasks[gold].quote), task.quote.span());
                (place > 0 && words > 0).then_some((words, place))
            };
            (0..note.tasks.len()).filter_map(|gold| Some((rank(gold)?, gold))).max().map(|(_, gold)| gold)
        })
        .collect()
}

/// Whether a task of the labels is nowhere in what was read: neither to be done, nor required, set apart or asked about.
pub(super) fn is_lost(note: &Note, read: &Notes, task: usize) -> bool {
    let span = note.span(&note.tasks[task].quote);
    let tasks = read.tasks.iter().map(|own| own.quote.span());
    let constraints = read.constraints.iter().filter_map(|own| own.quote.as_ref()).map(|quote| quote.span());
    let apart = read.apart.iter().map(|own| own.quote.span());
    let unread = read.unread.iter().map(|own| own.quote.span());
    !tasks.chain(constraints).chain(apart).chain(unread).any(|own| shared(own, span) > 0)
}

/// Whether a constraint of the labels is read as it is meant. `None` where it is not judged: it has several readings.
pub(super) fn is_right(note: &Note, read: &Notes, paired: &[Option<usize>], gold: &Constraint) -> Option<bool> {
    if gold.kind == "ambiguous" {
        return None;
    }
    let quote = note.span(&gold.quote);
    if gold.sets_apart() {
        let within = |own: Span| shared(own, quote) * 100 >= WITHIN_MIN * own.len().max(1);
        let task = read.tasks.iter().zip(paired).any(|(own, gold)| gold.is_none() && within(own.quote.span()));
        let rule = read.constraints.iter().any(|own| {
            let hard = own.hard && own.quote.as_ref().is_some_and(|quote| within(quote.span()));
            hard && !note.constraints.iter().any(|other| !other.sets_apart() && is_read(note, &own.rule, paired, other))
        });
        return Some(!task && !rule);
    }
    if gold.kind == "preference" {
        let near = |own: &steadfast_plan::Constraint| {
            own.quote.as_ref().is_some_and(|own| shared(own.span(), quote) > 0)
                || matches!(&own.rule, Rule::Preference { wish } if is_read(note, wish, paired, gold))
        };
        let wish = read.constraints.iter().any(|own| !own.hard && near(own));
        let optional = read.tasks.iter().zip(paired).any(|(own, task)| {
            own.priority == Priority::Optional
                && (shared(own.quote.span(), quote) > 0
                    || task.is_some_and(|task| gold.task.as_deref() == Some(note.tasks[task].name.as_str())))
        });
        return Some(wish || optional);
    }
    let alone = read.constraints.iter().any(|own| own.hard && is_read(note, &own.rule, paired, gold));
    Some(alone || in_parts(note, read, paired, gold))
}

/// Whether several constraints that were read say together what one of the labels says: both ends of a window, each of several tasks.
fn in_parts(note: &Note, read: &Notes, paired: &[Option<usize>], gold: &Constraint) -> bool {
    let some =
        |part: &Constraint| read.constraints.iter().any(|own| own.hard && is_read(note, &own.rule, paired, part));
    let kinds = gold.kinds();
    if kinds.contains("availability") && gold.start_iso.is_some() && gold.end_iso.is_some() {
        let from = Constraint { kind: "not_before".to_owned(), end_iso: None, ..gold.clone() };
        let until = Constraint { kind: "deadline".to_owned(), start_iso: None, ..gold.clone() };
        let (from, until) = (Constraint { kind_alt: Vec::new(), ..from }, Constraint { kind_alt: Vec::new(), ..until });
        return some(&from) && some(&until);
    }
    if gold.kind == "order" && gold.first.len() * gold.then.len() > 1 {
        let pair = |first: &String, then: &String| Constraint {
            first: vec![first.clone()],
            then: vec![then.clone()],
            ..gold.clone()
        };
        return gold.first.iter().all(|first| gold.then.iter().all(|then| some(&pair(first, then))));
    }
    let each = |task: &str, tasks: Option<Vec<String>>| {
        some(&Constraint { tasks, task: Some(task.to_owned()), ..gold.clone() })
    };
    match &gold.tasks {
        Some(tasks) if tasks.len() > 1 && gold.kind == "exclusion" => {
            tasks.iter().all(|task| each(task, Some(vec![task.clone()])))
        }
        Some(tasks) if tasks.len() > 1 => {
            matches!(gold.kind.as_str(), "deadline" | "not_before" | "availability")
                && tasks.iter().all(|task| each(task, None))
        }
        // "All done by five": said of the day, read of each task.
        _ => {
            let one_end = gold.start_iso.is_some() != gold.end_iso.is_some();
            let whole = gold.task.is_none() && (kinds.contains("availability") || kinds.contains("deadline"));
            let tasks = note.tasks.iter().filter(|task| !task.optional);
            whole && one_end && note.tasks.len() > 1 && tasks.clone().all(|task| each(&task.name, None))
        }
    }
}

/// Whether the words of a constraint say when it is over, or how long it takes; else the labels guess it.
fn says_the_end(quote: &str) -> bool {
    let length = |it: &Reading| {
        matches!(it, Reading::Duration { .. } | Reading::TimeRange { .. } | Reading::DateTimeRange { .. })
    };
    let all = expressions(quote, &Anchor::new(Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC)));
    all.len() > 1 || all.iter().flat_map(|it| &it.readings).any(length)
}

/// Whether a rule says what a constraint of the labels says.
pub(super) fn is_read(note: &Note, rule: &Rule, paired: &[Option<usize>], gold: &Constraint) -> bool {
    let name = |task: usize| paired.get(task).copied().flatten().map(|task| note.tasks[task].name.as_str());
    let off = if gold.approx { APPROXIMATE_MINUTES } else { 0 }.max(gold.tolerance_minutes);
    let (start, end) = (gold.start_iso.map(minutes), gold.end_iso.map(minutes));
    let near = |own: Timestamp, wanted: Option<i64>| {
        let own = (own > Timestamp::MIN && own < Timestamp::MAX).then(|| minutes(own));
        match (own, wanted) {
            (Some(own), Some(wanted)) => (own - wanted).abs() <= off,
            (own, wanted) => own == wanted,
        }
    };
    let guessed = gold.approx && end.is_some() && !says_the_end(&gold.quote);
    let spans = |own: &Interval| near(own.start, start) && (end.is_none() || guessed || near(own.end, end));
    let window = |own: &Interval| near(own.start, start) && near(own.end, end);
    let first = |times: &Times, is: &dyn Fn(&Interval) -> bool| times.iter().any(is);
    let of = |task: Option<usize>| match (&gold.task, task) {
        (None, None) => true,
        (Some(wanted), Some(task)) => name(task) == Some(wanted.as_str()),
        _ => false,
    };
    let whole = |times: &Times| gold.task.is_none() && first(times, &window);
    let kinds = gold.kinds();
    let is = |kind: &str| kinds.contains(kind);
    match rule {
        Rule::FixedEvent { when, .. } | Rule::Blocked { who: None, when, .. } => {
            (is("fixed_event") || is("blocked") || (is("travel") && start.is_some())) && first(when.first(), &spans)
                || (gold.kind == "duration"
                    && gold.minutes.is_some_and(|wanted| first(when.first(), &|own| own.minutes() == wanted))
                    && gold.task.as_deref().is_some_and(|task| is_event_of(note, task, when.first())))
                || (gold.kind == "availability"
                    && gold.task.is_none()
                    && start.is_none()
                    && first(when.first(), &|own| near(own.start, end)))
        }
        Rule::Deadline { task, by } => {
            (is("deadline") || (is("availability") && start.is_none())) && of(*task) && near(*by.first(), end)
        }
        Rule::NotBefore { task, from } => {
            (is("not_before") || (is("availability") && end.is_none())) && of(*task) && near(*from.first(), start)
        }
        Rule::Availability { who: None, when } => is("availability") && whole(when.first()),
        Rule::MustDo { task, .. } => is("must_do") && of(Some(*task)),
        Rule::Duration { task, minutes_min, minutes_max } => {
            let exact = |own: &Option<i64>| {
                own.is_some_and(|own| gold.minutes.is_some_and(|wanted| (own - wanted).abs() <= off))
            };
            is("duration")
                && of(Some(*task))
                && match gold.minutes {
                    Some(_) => exact(minutes_min) || exact(minutes_max),
                    None => {
                        *minutes_min == gold.min_minutes
                            && (gold.max_minutes.is_none() || *minutes_max == gold.max_minutes)
                    }
                }
        }
        Rule::Order { first, then, .. } => {
            is("order")
                && name(*first).is_some_and(|own| gold.first.iter().any(|it| it == own))
                && name(*then).is_some_and(|own| gold.then.iter().any(|it| it == own))
                && gold.first.len() * gold.then.len() <= 1
        }
        Rule::Exclusion { intent: stems, when, .. } => {
            let task = gold.tasks.as_ref().and_then(|tasks| tasks.first()).or(gold.task.as_ref());
            let names = task.is_some_and(|task| {
                let words: BTreeSet<String> = intent(task).into_iter().collect();
                stems.iter().any(|stem| words.contains(stem))
            });
            let limits = when.as_ref().is_none_or(|when| first(when.first(), &window));
            (is("exclusion") || is("availability"))
                && names
                && limits
                && gold.tasks.as_ref().is_none_or(|it| it.len() == 1)
        }
        Rule::TaskTimes { tasks, when, only } => {
            let names: BTreeSet<Option<&str>> = tasks.iter().map(|task| name(*task)).collect();
            let wanted: BTreeSet<Option<&str>> =
                gold.task.iter().chain(gold.tasks.iter().flatten()).map(|task| Some(task.as_str())).collect();
            let kind = if *only { is("availability") || is("fixed_event") } else { is("exclusion") };
            kind && names == wanted && first(when.first(), &window)
        }
        Rule::Run { tasks, minutes_max, .. } => {
            let names: BTreeSet<Option<&str>> = tasks.iter().map(|task| name(*task)).collect();
            let wanted: BTreeSet<Option<&str>> = gold.tasks.iter().flatten().map(|task| Some(task.as_str())).collect();
            is("exclusion") && gold.max_run == Some(*minutes_max) && (names == wanted || names.is_empty())
        }
        Rule::Total { max, min, .. } => {
            is("total") && (if gold.op.as_deref() == Some("max") { max } else { min }) == &gold.minutes
        }
        _ => false,
    }
}

/// Whether the labels have a task as an event that begins with one of these times.
fn is_event_of(note: &Note, task: &str, times: &Times) -> bool {
    note.constraints.iter().any(|own| {
        own.kind == "fixed_event"
            && own.task.as_deref() == Some(task)
            && own.start_iso.is_some_and(|start| times.iter().any(|it| minutes(it.start) == minutes(start)))
    })
}
