//! Which lines of a list are nothing to plan today: done, cancelled, for another day, somebody else's, or chatter. A linear scorer over what
//! is read of a line's words and times tells, by the coefficients of `asides.tsv`; a line that it is not sure of is read like any other.
//!
//! `steadfast-measure calibrate asides --data data` fits them on the labelled notes of `data/notes/dev`, and says how they do on notes that
//! were held out.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::Zoned;
use steadfast_annotate::is_given_name;
use steadfast_annotate::lexicon::{Class, has};
use steadfast_steps::flat;
use steadfast_text::{Document, Span};
use steadfast_time::{Anchor, Expression, Limit};

use super::clauses::Clause;
use super::cues::Cue;
use super::lines::{Form, Line, lines, waits};
use super::parts::is_clock;
use super::people::is_name_word;
use super::verbs::is_task_verb;
use super::when::{Clock, Shape};
use super::words::words;
use crate::free::Settings;
use crate::list::List;
use crate::open::Aside;

/// How a line can be: the columns of the coefficients. `None` is what a plan must heed.
pub const COLUMNS: [Option<Aside>; 4] = [None, Some(Aside::NotToday), Some(Aside::NotMine), Some(Aside::Chatter)];

/// A line of a list that scores, for whoever fits the coefficients.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredLine {
    /// Its bytes.
    pub span: Span,
    /// The names of its features.
    pub features: Vec<String>,
}

/// The lines of notes that are scored.
#[must_use]
pub fn scored_lines(document: &Document, now: &Zoned) -> Vec<ScoredLine> {
    let anchor = Anchor::new(now.clone());
    let settings = Settings::default();
    let clock = Clock { now, hours: None, counts_to_24: false, waking: (settings.waking_from, settings.waking_until) };
    let scored = |line: Line<'_>| {
        let found = super::events::times(&line.text, &anchor);
        let features = features(&line, &found, &clock)?;
        Some(ScoredLine { span: super::account::span_in(document, &line, 0..line.text.len()), features })
    };
    lines(document, &anchor).into_iter().filter_map(scored).collect()
}

/// The coefficients by feature.
static WEIGHTS: LazyLock<HashMap<&'static str, [f64; COLUMNS.len()]>> = LazyLock::new(|| {
    flat(0, || {
        let row = |line: &'static str| {
            let mut columns = line.split('\t');
            let name = columns.next()?;
            let mut weights = [0.0; COLUMNS.len()];
            for weight in &mut weights {
                *weight = columns.next()?.parse().ok()?;
            }
            Some((name, weights))
        };
        include_str!("asides.tsv").lines().filter_map(row).collect()
    })
});

/// From this probability on a line is nothing to plan.
const SURE: f64 = 0.7;

/// From this probability on it is asked whether what a line names is to be done today.
const DOUBTED: f64 = 0.2;

/// What the scorer makes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A plan must heed it.
    Heeded,
    /// It may be nothing to plan.
    Doubted,
    /// It is nothing to plan.
    Apart(Aside),
}

/// Whether a line is nothing to plan, and why.
pub(super) fn verdict(line: &Line<'_>, found: &[Expression], clock: &Clock<'_>) -> Verdict {
    // "HOLD 3pm for the auditor" takes time today, "HOLD the auditor's letter" does not.
    if matches!(line.form, Form::Item { .. }) && waits(&line.text) && !found.iter().any(is_clock) {
        return Verdict::Apart(Aside::NotToday);
    }
    if matches!(line.form, Form::Item { .. }) && ends_in_another_day(&line.text, clock) {
        return Verdict::Apart(Aside::NotToday);
    }
    let Some(features) = features(line, found, clock) else { return Verdict::Heeded };
    match takes_back(&line.text) {
        Some(true) => return Verdict::Apart(Aside::NotToday),
        Some(false) => return Verdict::Heeded,
        None => {}
    }
    if let Some(reason) = said_apart(line, found) {
        return Verdict::Apart(reason);
    }
    let shares = shares(features.iter().filter_map(|name| WEIGHTS.get(name.as_str())));
    let apart = 1.0 - shares[0];
    let likeliest = (1..COLUMNS.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b]));
    match likeliest.and_then(|at| COLUMNS[at]) {
        Some(reason) if apart >= SURE => Verdict::Apart(reason),
        Some(_) if apart >= DOUBTED => settled(line, found, clock),
        _ => Verdict::Heeded,
    }
}

/// "Invoice for November - tomorrow", "newsletter 1h, next week": whether the last words of an item say nothing but another day.
fn ends_in_another_day(text: &str, clock: &Clock<'_>) -> bool {
    let text = text.trim_end_matches([' ', '.', '!', ')']);
    let marks = [", ", " - ", " \u{2013} ", " \u{2014} ", " = ", ": ", " ("];
    let cut = marks.iter().filter_map(|mark| Some(text.rfind(mark)? + mark.len())).max();
    let Some((head, tail)) = cut.and_then(|at| Some((text.get(..at)?, text.get(at..)?))) else { return false };
    let anchor = Anchor::new(clock.now.clone());
    let names_a_thing = head.split_whitespace().any(|word| word.chars().filter(|own| own.is_alphabetic()).count() > 2);
    names_a_thing && super::labels::day_of(tail, &anchor) == Some(false) && super::labels::is_only_a_day(tail, &anchor)
}

/// What a line is that the scorer doubts: "look at new amps next week" names another day and no other time, "the rota (half an hour)" says how long
/// it takes.
fn settled(line: &Line<'_>, found: &[Expression], clock: &Clock<'_>) -> Verdict {
    let clause = Clause::read(&line.text, 0..line.text.len(), found, clock);
    let days = &clause.when.stretches;
    let is_for = |at: usize| {
        let head = line.text.get(..at).unwrap_or_default().trim_end().to_lowercase();
        ["for", "about", "re", "of", "by", "until", "till"].iter().any(|word| head.ends_with(&format!(" {word}")))
    };
    let elsewhere = |it: &super::when::Stretch| {
        it.shape == Shape::Days && !it.today && !it.past && it.limit.is_none() && !is_for(it.span.start)
    };
    let lasts = clause.when.lengths.iter().any(|it| it.min.or(it.max).is_some_and(|minutes| minutes < DAY_MINUTES));
    match () {
        () if !days.is_empty() && days.iter().all(elsewhere) => Verdict::Apart(Aside::NotToday),
        () if clause.words.len() == 1 && MEALS.contains(&clause.words[0].low.as_str()) => Verdict::Heeded,
        () if lasts && days.is_empty() && !clause.has(Cue::Not) => Verdict::Heeded,
        () => Verdict::Doubted,
    }
}

/// What is had on any day.
const MEALS: [&str; 5] = ["lunch", "dinner", "breakfast", "supper", "brunch"];

/// Minutes of a day: what takes as long is nothing of one.
const DAY_MINUTES: i64 = 24 * 60;

/// How likely a line is each of [`COLUMNS`], by the coefficients of its features.
#[must_use]
pub fn shares<'w>(weights: impl IntoIterator<Item = &'w [f64; COLUMNS.len()]>) -> [f64; COLUMNS.len()] {
    let mut scores = [0.0; COLUMNS.len()];
    for weights in weights {
        for (score, weight) in scores.iter_mut().zip(weights) {
            *score += weight;
        }
    }
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let shares = scores.map(|score| (score - most).exp());
    let all: f64 = shares.iter().sum();
    shares.map(|share| share / all)
}

/// Words that say of what stands before them that it does not take place.
const CANCELLED: &[&[&str]] = &[&["cancelled"], &["canceled"], &["postponed"], &["rescheduled"], &["called", "off"]];

/// Words that leave it open whether something takes place.
const HEDGES: &[&str] = &["unless", "if", "not", "whether", "could", "might"];

/// Whether a line takes back what it names: "audit meeting 5.30 – called off", "yoga 6pm CANCELLED". It does not where such a word is of
/// what a verb speaks of: "ask for a refund of the cancelled flight", "tell Ana that yoga is cancelled". Nothing where it has none.
fn takes_back(text: &str) -> Option<bool> {
    let all = words(text);
    let said = |at: &usize| {
        let is = |said: &&&[&str]| {
            said.iter().enumerate().all(|(by, word)| all.get(at + by).is_some_and(|own| own.low == *word))
        };
        CANCELLED.iter().find(is).map(|said| said.len())
    };
    let (at, len) = (0..all.len()).find_map(|at| said(&at).map(|len| (at, len)))?;
    let hedged =
        text.contains('?') || all.iter().any(|it| HEDGES.contains(&it.low.as_str()) || it.low.ends_with("n't"));
    let shouted = !text[all[at].range.start..all[at + len - 1].range.end].chars().any(char::is_lowercase);
    let governed = is_task_verb(&all[0].low) && !all[at].parted && !shouted;
    let names = all[..at].iter().any(|word| !word.is_figure());
    if governed {
        return Some(false);
    }
    // "– called off, he is travelling": what follows is said of it.
    let apart = all[at].parted && all.get(at + len).is_some_and(|next| next.parted);
    ((at + len == all.len() || apart) && names && !hedged).then_some(true)
}

/// What a line says by its form: "gym? nah", "bins: Gareth", "paint pots – washed", "wife's at her mum's til 4".
fn said_apart(line: &Line<'_>, found: &[Expression]) -> Option<Aside> {
    let text = line.text.trim();
    let all = words(&line.text);
    let denies = |word: &super::words::Word| {
        let head = line.text.get(..word.range.start).unwrap_or_default().trim_end();
        let rest = line.text.get(word.range.end..).unwrap_or_default();
        // "By 3? No, by 4" corrects.
        let corrects = found.iter().any(|it| it.span.start > word.range.start);
        matches!(word.low.as_str(), "nah" | "nope" | "no")
            && !corrects
            && head.ends_with('?')
            && (rest.trim().is_empty() || rest.starts_with([',', '.', '!', ';']))
    };
    if all.iter().any(denies) {
        return Some(Aside::NotToday);
    }
    let acts = all.iter().any(|word| is_task_verb(&word.low));
    if let Some((label, name)) = text.split_once(": ")
        && (1..=LABEL_WORDS_MAX).contains(&words(label).len())
        && !acts
    {
        let named = words(name);
        let is_name = named.len() <= 2
            && named.first().is_some_and(|first| {
                is_name_word(first) && is_given_name(name.get(first.range.clone()).unwrap_or_default())
            });
        if is_name && named.iter().all(is_name_word) {
            return Some(Aside::NotMine);
        }
    }
    let dash = [" \u{2013} ", " \u{2014} ", " - "].into_iter().find_map(|dash| text.rsplit_once(dash));
    if let Some((thing, state)) = dash.filter(|_| found.is_empty()) {
        let said = words(state);
        let last = said.last().filter(|_| {
            said.len() <= 2
                && said.iter().rev().skip(1).all(|word| matches!(word.low.as_str(), "all" | "already" | "now"))
        });
        let ends = |low: &str| low.len() > 4 && low.ends_with("ed") && !OPEN_STATES.contains(&low);
        if last.is_some_and(|word| ends(&word.low)) && words(thing).iter().any(|word| !word.is_figure()) {
            return Some(Aside::NotToday);
        }
    }
    // "Collect the amp – Declan's doing it now".
    let does = |at: usize| {
        let low = |at: usize| all.get(at).map_or("", |word| word.low.as_str());
        let somebody = all[at].parted && is_name_word(&all[at]) && at > 0;
        let at = at + 1 + usize::from(matches!(low(at + 1), "is" | "has"));
        somebody
            && matches!(low(at), "doing" | "did" | "done" | "does" | "handling" | "sorting" | "covering")
            && (all.get(at + 1).is_none_or(|next| next.parted)
                || matches!(low(at + 1), "it" | "that" | "this" | "them"))
    };
    let own = |word: &super::words::Word| matches!(word.low.as_str(), "i" | "i'm" | "i'll" | "me" | "we" | "us");
    if found.is_empty() && (0..all.len()).any(does) && !all.iter().any(own) {
        return Some(Aside::NotMine);
    }
    let whose = all.iter().find(|word| !matches!(word.low.as_str(), "my" | "the" | "our"))?;
    let at = all.iter().position(|word| word.range == whose.range)?;
    let name = whose.low.strip_suffix("'s").unwrap_or_default();
    let given = || line.text.get(whose.range.start..whose.range.start + name.len()).is_some_and(is_given_name);
    let stays = (KIN.contains(name) || (whose.capital && given()))
        && all
            .get(at + 1)
            .is_some_and(|next| matches!(next.low.as_str(), "at" | "in" | "on" | "out" | "away" | "off" | "back"));
    let own = all.iter().skip(at).any(|word| {
        matches!(
            word.low.as_str(),
            "i" | "i'm" | "i'll" | "me" | "my" | "we" | "us" | "our" | "so" | "but" | "before" | "after"
        )
    });
    let due = |it: &Expression| it.limit.as_ref().is_some_and(|own| matches!(own.limit, Limit::By | Limit::Before));
    let lasts = found.iter().any(|it| super::when::length(it).is_some() || due(it));
    (stays && !own && !acts && !lasts).then_some(Aside::NotMine)
}

/// Words for people by what they are to the one who plans.
const KIN: List = List("kin");

/// Longest label before the name of who does it, in words.
const LABEL_WORDS_MAX: usize = 3;

/// Participles of what is not done yet.
const OPEN_STATES: &[&str] =
    &["blocked", "delayed", "expected", "failed", "missed", "needed", "planned", "promised", "required", "wanted"];

/// The phrases of clauses that are features by themselves.
const CUES: &[(Cue, &str)] = &[
    (Cue::Wish, "wish"),
    (Cue::Not, "not"),
    (Cue::Need, "need"),
    (Cue::Must, "must"),
    (Cue::Today, "today"),
    (Cue::Low, "low"),
    (Cue::Optional, "optional"),
    (Cue::Leave, "leave"),
    (Cue::Due, "due"),
    (Cue::After, "after"),
    (Cue::Before, "before"),
    (Cue::Event, "event"),
    (Cue::State, "state"),
];

/// Words that say together what one of them alone says: pronouns, and what three notes or more of those that the coefficients are fitted on have.
const SAYINGS: &[(&str, &[&str])] = &[
    ("done", &["done", "finished", "closed", "was"]),
    ("cancelled", &["cancelled", "off"]),
    ("later", &["wait", "next", "until", "till", "til"]),
    ("takes", &["do", "has"]),
    ("others", &["he", "she", "they", "he's", "she's", "they're", "his", "her", "their", "him", "hers", "theirs"]),
    ("own", &["i", "me", "my", "i'm", "i'll", "we", "our", "us", "i've", "i'd", "im"]),
    ("feels", &["would", "please", "god"]),
];

/// The classes of words that are features.
const CLASSES: &[(Class, &str)] = &[(Class::Modal, "modal"), (Class::Irregular, "past")];

/// The features of a line of a list, by name. None for prose, for a line that stands by itself, goes on with another
/// or is somebody's message, and for one without words.
fn features(line: &Line<'_>, found: &[Expression], clock: &Clock<'_>) -> Option<Vec<String>> {
    if line.form == Form::Prose || line.continues || !line.among {
        return None;
    }
    let clause = Clause::read(&line.text, 0..line.text.len(), found, clock);
    let head = clause.words.first()?;
    // "Beth: and please phone grandad": what somebody else writes may ask for anything.
    if head.capital && line.text.get(head.range.end..).is_some_and(|rest| rest.starts_with(": ")) {
        return None;
    }
    let mut names = vec!["bias".to_owned()];
    let mut add = |name: String| {
        if !names.contains(&name) {
            names.push(name);
        }
    };
    add(match line.form {
        Form::Item { boxed: true } => "box",
        Form::Item { boxed: false } => "item",
        _ => "fragment",
    }
    .to_owned());
    if line.todo {
        add("under things to do".to_owned());
    }
    let said = || clause.words.iter().filter(|word| !clause.is_timed(word));
    add(format!(
        "words {}",
        match said().count() {
            0 => "0",
            1..=2 => "1-2",
            3..=5 => "3-5",
            6..=10 => "6-10",
            _ => "11-",
        }
    ));
    for stretch in &clause.when.stretches {
        let day = if stretch.past {
            "past"
        } else if stretch.today {
            "today"
        } else {
            "other"
        };
        let shape = match stretch.shape {
            Shape::Point => "point",
            Shape::Range => "range",
            Shape::Days => "days",
            Shape::Part => "part",
        };
        add(format!("time {day} {shape}"));
        if let Some(limit) = stretch.limit {
            add(format!("limit {}", format!("{limit:?}").to_lowercase()));
        }
    }
    if clause.when.stretches.is_empty() {
        add("no time".to_owned());
    }
    if !clause.when.lengths.is_empty() {
        add("length".to_owned());
    }
    add(if is_task_verb(&head.low) {
        "verb first".to_owned()
    } else if is_name_word(head) && head.capital {
        "name first".to_owned()
    } else {
        "other first".to_owned()
    });
    for (cue, name) in CUES {
        if clause.has(*cue) {
            add(format!("says {name}"));
        }
    }
    for (at, word) in clause.words.iter().enumerate().filter(|(_, word)| !clause.is_timed(word)) {
        let low = word.low.as_str();
        for (name, words) in SAYINGS {
            if words.contains(&low) {
                add(format!("says {name}"));
                if at == 0 || word.parted {
                    add(format!("opens {name}"));
                }
            }
        }
        for (class, name) in CLASSES {
            if has(*class, low) {
                add(format!("has {name}"));
            }
        }
        if low.len() > 4 && low.ends_with("ed") {
            add("has ed".to_owned());
        }
        if low.ends_with("n't") || matches!(low, "not" | "no" | "nah" | "nope" | "never") {
            add("denies".to_owned());
        }
        // "Dre does", "Rohit will", "Marcus's": somebody of whom something is said.
        let raw = line.text.get(word.range.clone()).unwrap_or_default();
        let is_shouted = raw.len() > 2 && raw.chars().all(char::is_uppercase);
        if is_shouted {
            add("shouts".to_owned());
        }
        if word.capital && !is_task_verb(low) && !is_shouted && (at > 0 || is_name_word(word)) {
            let next = clause.words.get(at + 1).filter(|next| !next.parted);
            let acts = next.is_some_and(|next| {
                !next.capital
                    && (has(Class::Modal, &next.low)
                        || matches!(
                            next.low.as_str(),
                            "is" | "has" | "does" | "will" | "was" | "dey" | "did" | "said" | "got"
                        )
                        || (next.low.len() > 3 && next.low.ends_with('s')))
            });
            if acts {
                add(if at == 0 || word.parted { "somebody acts first".to_owned() } else { "somebody acts".to_owned() });
            }
        }
        // "Wife's at her mum's", "Tom's doing it".
        let somewhere = low.ends_with("'s")
            && clause.words.get(at + 1).is_some_and(|next| {
                !next.parted
                    && (matches!(
                        next.low.as_str(),
                        "at" | "in" | "on" | "out" | "away" | "off" | "back" | "got" | "turn" | "job"
                    ) || next.low.ends_with("ing"))
            });
        if somewhere {
            add("somebody is".to_owned());
        }
        add(format!("w {low}"));
    }
    for (mark, name) in [('?', "mark ?"), ('!', "mark !"), ('=', "mark =")] {
        if line.text.contains(mark) {
            add(name.to_owned());
        }
    }
    if line.text.contains(['\u{2713}', '\u{2714}', '\u{2705}', '\u{2611}', '\u{1f44d}']) {
        add("ticked".to_owned());
    }
    Some(names)
}
