//! A line in clauses: what says one thing each.

use std::ops::Range;

use steadfast_time::Expression;

use super::cues::Cue;
use super::verbs::is_task_verb;
use super::when::{Clock, When};
use super::words::{Hit, Word, hits, words};

/// Most times of one clause that are read: nobody says more in one breath.
pub(crate) const EXPRESSIONS_MAX: usize = 500;

/// A clause of a line.
#[derive(Clone, Debug)]
pub(crate) struct Clause<'a> {
    /// Its text.
    pub(crate) text: &'a str,
    /// Where it begins in the line.
    pub(crate) at: usize,
    /// Its words.
    pub(crate) words: Vec<Word>,
    /// Its phrases.
    pub(crate) hits: Vec<Hit>,
    /// Its times.
    pub(crate) when: When,
    /// Whether it goes on with "then".
    pub(crate) then: bool,
}

impl<'a> Clause<'a> {
    /// Reads a part of a line. `found` are the expressions of the whole line.
    pub(crate) fn read(line: &'a str, range: Range<usize>, found: &[Expression], clock: &Clock<'_>) -> Self {
        let text = line.get(range.clone()).unwrap_or_default();
        let words = words(text);
        let first = found.partition_point(|it| it.span.start < range.start);
        let own: Vec<Expression> = found
            .iter()
            .skip(first)
            .take_while(|it| it.span.start < range.end)
            .take(EXPRESSIONS_MAX)
            .map(|it| shifted(it, range.start))
            .collect();
        let when = clock.read(text, &words, &own);
        let hits = hits(&words);
        let then = words.iter().take(2).any(|word| matches!(word.low.as_str(), "then" | "afterwards" | "next"));
        Self { text, at: range.start, words, hits, when, then }
    }

    /// Whether it holds a phrase of this kind outside its times.
    pub(crate) fn has(&self, cue: Cue) -> bool {
        self.hit(cue).is_some()
    }

    /// The first phrase of this kind.
    pub(crate) fn hit(&self, cue: Cue) -> Option<&Hit> {
        self.hits.iter().find(|hit| hit.cue == cue && !self.in_time(hit))
    }

    /// Whether a phrase is part of a time ("after 3").
    pub(crate) fn in_time(&self, hit: &Hit) -> bool {
        let Some(first) = self.words.get(hit.words.start) else { return false };
        // "Working hours are 9 to 5": the words that state hours, though they name a part of the day as well.
        !matches!(hit.cue, Cue::Today | Cue::Hours)
            && self.when.spans.iter().any(|it| it.start <= first.range.start && first.range.end <= it.end)
    }

    /// Whether a word stands in a time or a length.
    pub(crate) fn is_timed(&self, word: &Word) -> bool {
        let at = self.when.spans.partition_point(|span| span.end <= word.range.start);
        self.when.spans.get(at).is_some_and(|span| span.start < word.range.end)
    }

    /// Whether it says nothing but times, lengths and the words that join them.
    pub(crate) fn is_bare(&self) -> bool {
        self.words.iter().all(|word| self.is_timed(word) || JOINING.contains(&word.low.as_str()) || word.low.len() < 2)
    }

    /// The word at which something is to be done begins: the verb of a request, after what leads up to it.
    pub(crate) fn verb(&self) -> Option<usize> {
        let mut at = self.after_condition();
        while let Some(word) = self.words.get(at) {
            if self.is_timed(word) || LEADING.contains(&word.low.as_str()) {
                at += 1;
                continue;
            }
            if let Some(hit) = self.hits.iter().find(|hit| hit.words.start == at && is_lead(hit.cue)) {
                at = hit.words.end;
                continue;
            }
            return (is_task_verb(&word.low) && !is_somebody(self.text, &self.words, at)).then_some(at);
        }
        None
    }
}

impl Clause<'_> {
    /// The word after what only says when ("after the call, …"): after the first comma, or else the first verb that is not
    /// part of what is named. 0 where the clause begins otherwise.
    fn after_condition(&self) -> usize {
        let opens = self.hits.first().is_some_and(|hit| {
            hit.words.start == 0 && matches!(hit.cue, Cue::After | Cue::Before) && !self.in_time(hit)
        });
        if !opens {
            return 0;
        }
        let rest = || self.words.iter().enumerate().skip(2).take(LOOK_AHEAD_WORDS);
        let comma = rest().find(|(_, word)| word.parted).map(|(at, _)| at);
        comma.or_else(|| rest().skip(1).find(|(_, word)| is_task_verb(&word.low)).map(|(at, _)| at)).unwrap_or(0)
    }
}

const fn is_lead(cue: Cue) -> bool {
    matches!(cue, Cue::Need | Cue::Must | Cue::Urgent | Cue::High | Cue::Low | Cue::Optional | Cue::Wish)
}

/// Words that may stand before what is to be done.
const LEADING: &[&str] = &[
    "and",
    "then",
    "also",
    "but",
    "so",
    "i",
    "we",
    "you",
    "please",
    "ok",
    "okay",
    "first",
    "second",
    "third",
    "next",
    "finally",
    "just",
    "quickly",
    "now",
    "still",
    "really",
    "oh",
    "to",
    "also,",
    "plus",
    "later",
    "maybe",
    "i'll",
    "we'll",
    "again",
    "if",
    "possible",
    "afterwards",
    "task",
    "tasks",
    "constraints",
    "todo",
    "note",
    "notes",
    "reminder",
    "action",
];

/// Words that join times and say nothing by themselves.
const JOINING: &[&str] = &[
    "and", "or", "on", "at", "from", "to", "between", "during", "before", "after", "until", "till", "by", "the",
    "also", "about", "around", "either", "then", "for", "again", "ca", "approx", "circa", "in", "roughly", "so",
];

fn shifted(it: &Expression, by: usize) -> Expression {
    let mut own = it.clone();
    let shift = |span: &Range<usize>| span.start.saturating_sub(by)..span.end.saturating_sub(by);
    own.span = shift(&it.span);
    if let Some(limit) = &mut own.limit {
        limit.span = shift(&limit.span);
    }
    if let Some(zone) = &mut own.zone {
        zone.span = shift(&zone.span);
    }
    own
}

/// Where a line is parted into clauses, as ranges of it: at the ends of sentences, semicolons and dashes, and at commas and
/// conjunctions after which something else is said.
pub(crate) fn parts(line: &str, found: &[Expression]) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let all = words(line);
    for sentence in steadfast_text::sentences(line) {
        let first = all.partition_point(|word| word.range.start < sentence.start);
        let last = all.partition_point(|word| word.range.start < sentence.end);
        let own = all.get(first..last).unwrap_or_default();
        part(line, sentence, own, found, &mut out);
    }
    out
}

fn part(line: &str, sentence: Range<usize>, words: &[Word], found: &[Expression], out: &mut Vec<Range<usize>>) {
    let mut start = sentence.start;
    let mut first = 0;
    // What the clause holds so far: a clock time, and words beside times.
    let mut clocked = false;
    let mut said = 0_usize;
    let mut acts = false;
    // Whether a comma of the clause was passed.
    let mut passed = false;
    for at in 0..words.len() {
        let word = &words[at];
        let before = if at == 0 { sentence.start } else { words[at - 1].range.end };
        let gap = line.get(before..word.range.start).unwrap_or_default();
        let inside = expression_at(found, word.range.start)
            .is_some_and(|it| it.span.start < word.range.start && before <= it.span.end);
        let hard = at > first
            && !inside
            && (gap.contains(';')
                || is_dash(gap)
                || gap.contains("->")
                || gap.contains('\u{2192}')
                || gap.contains(" / "));
        let comma = gap.contains(',');
        let joined = matches!(word.low.as_str(), "and" | "then" | "but" | "so" | "also" | "plus");
        let mut split = hard;
        if !split && at > first && !inside && (comma || joined) {
            let begin = if joined { at + 1 } else { at };
            let leads = words.get(first).is_some_and(|word| is_adverbial(&word.low)) && !passed;
            let adverbial = leads && (comma || !acts);
            passed |= comma;
            let other = words
                .get(begin)
                .is_some_and(|next| (begins(&next.low) && !is_given(line, next)) || is_subject(words, begin));
            let timed = clocked && said > 0 && has_clock(words, begin, found) && names_something(words, begin, found);
            // "…, the deploy was fine": something else is told.
            let told = comma
                && clocked
                && ahead(words, begin)
                    .any(|next| matches!(next.low.as_str(), "is" | "was" | "are" | "were" | "has" | "had"));
            let enough = said > 1 || (said > 0 && (clocked || comma));
            split = !adverbial && enough && (other || told || (timed && (comma || joined)));
            // "review and send the deck": one thing.
            if split && joined && !comma && said < 2 && !clocked {
                split = false;
            }
        }
        if split {
            push(line, start..before, out);
            start = word.range.start;
            first = at;
            clocked = false;
            said = 0;
            acts = false;
            passed = false;
        }
        match expression_at(found, word.range.start) {
            Some(it) => clocked |= is_clock(it),
            None => {
                said += usize::from(word.low.len() > 1 && !JOINING.contains(&word.low.as_str()));
                acts |= is_task_verb(&word.low) && at > first;
            }
        }
    }
    push(line, start..sentence.end, out);
}

fn push(line: &str, range: Range<usize>, out: &mut Vec<Range<usize>>) {
    if line.get(range.clone()).is_some_and(|text| text.chars().any(char::is_alphanumeric)) {
        out.push(range);
    }
}

fn is_dash(gap: &str) -> bool {
    [" - ", " \u{2013} ", " \u{2014} ", "\u{2014}"].iter().any(|dash| gap.contains(dash))
}

fn expression_at(found: &[Expression], at: usize) -> Option<&Expression> {
    let index = found.partition_point(|it| it.span.end <= at);
    found.get(index).filter(|it| it.span.start <= at)
}

fn is_clock(it: &Expression) -> bool {
    use steadfast_time::Reading;
    it.readings.iter().any(|reading| {
        matches!(
            reading,
            Reading::Time(_) | Reading::TimeRange { .. } | Reading::DateTime(_) | Reading::DateTimeRange { .. }
        )
    })
}

/// Words that may be looked at for what a clause begins with.
const LOOK_AHEAD_WORDS: usize = 8;

fn ahead(words: &[Word], from: usize) -> impl Iterator<Item = &Word> {
    words
        .iter()
        .enumerate()
        .skip(from)
        .take(LOOK_AHEAD_WORDS)
        .take_while(move |(at, word)| *at == from || !word.parted)
        .map(|(_, word)| word)
}

fn has_clock(words: &[Word], from: usize, found: &[Expression]) -> bool {
    ahead(words, from).any(|word| expression_at(found, word.range.start).is_some_and(is_clock))
}

fn names_something(words: &[Word], from: usize, found: &[Expression]) -> bool {
    ahead(words, from).any(|word| {
        expression_at(found, word.range.start).is_none() && word.low.len() > 2 && !JOINING.contains(&word.low.as_str())
    })
}

/// Words with which a clause of its own begins.
fn begins(low: &str) -> bool {
    is_task_verb(low)
        || matches!(
            low,
            "i" | "we"
                | "you"
                | "she"
                | "he"
                | "they"
                | "i'm"
                | "i'll"
                | "i'd"
                | "i've"
                | "we're"
                | "we'll"
                | "you'd"
                | "need"
                | "must"
                | "don't"
                | "no"
                | "never"
                | "can't"
                | "cannot"
                | "gone"
                | "leaving"
                | "todo"
                | "remember"
                | "there"
                | "there's"
                | "won't"
                | "please"
                | "back"
                | "prefer"
                | "ideally"
                | "preferably"
                | "nothing"
        )
}

/// "Sam is", "Ana has": somebody of whom something is said.
fn is_subject(words: &[Word], at: usize) -> bool {
    let name = words.get(at).is_some_and(|word| word.capital && !word.is_figure());
    let verb = words.get(at + 1).is_some_and(|word| {
        matches!(
            word.low.as_str(),
            "is" | "will"
                | "can"
                | "can't"
                | "cannot"
                | "would"
                | "wants"
                | "needs"
                | "prefers"
                | "doesn't"
                | "does"
                | "won't"
                | "do"
                | "don't"
                | "has"
        )
    });
    name && verb
}

/// A given name that is a verb as well ("Mark").
fn is_given(line: &str, word: &Word) -> bool {
    word.capital && line.get(word.range.clone()).is_some_and(steadfast_language::is_given_name)
}

/// "Mark is busy": a given name of whom something is said.
fn is_somebody(text: &str, words: &[Word], at: usize) -> bool {
    words.get(at).is_some_and(|word| is_given(text, word)) && is_subject(words, at)
}

/// Words with which a clause only says when or on what condition.
fn is_adverbial(low: &str) -> bool {
    matches!(
        low,
        "after"
            | "before"
            | "once"
            | "when"
            | "while"
            | "during"
            | "from"
            | "between"
            | "on"
            | "by"
            | "if"
            | "in"
            | "at"
            | "until"
            | "since"
            | "as"
            | "following"
            | "ahead"
            | "today"
            | "tomorrow"
            | "this"
            | "for"
            | "because"
    )
}
