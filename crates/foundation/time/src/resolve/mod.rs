//! The reader of time expressions that resolves them.
//!
//! It goes once through the tokens. At each token it asks what can begin there, and each answer looks ahead a bounded number
//! of tokens, so time is linear in the length of the text:
//!
//! * `clock`, `days` (with `dates`, `periods` and `eras`), `parts` and `lengths` read one thing each: a clock time, a day or stretch
//!   of days, a part of a day, a length;
//! * `moment` joins a day, a part and a clock time in any order;
//! * `ranges`, `relative` and `recur` join moments and lengths;
//! * `cue` (with `vocabulary` and `limits`) holds what stands around: the words that make a time of a bare number, and those that make something else of it;
//! * `build` makes the expression.

mod begin;
mod build;
mod cal;
mod clock;
mod cue;
mod dates;
mod days;
mod eras;
mod holidays;
mod lengths;
mod lex;
mod limits;
mod moment;
mod numbers;
mod parts;
mod periods;
mod ranges;
mod recur;
mod relative;
mod vocabulary;
mod zones;

use build::Found;
pub use dates::{month_word, weekday_word};
use lex::{Lex, lower_of};
use moment::{Moment, moment_at};

use crate::expression::{Anchor, Expression, Reading};
use crate::scan::{Kind, blocks};

/// Every time expression in `text`, in order, without overlaps, resolved against `anchor`. Time and memory are linear in the
/// length of the text.
#[must_use]
pub fn expressions(text: &str, anchor: &Anchor) -> Vec<Expression> {
    let mut all = Vec::new();
    blocks(text, |tokens| {
        let lower = lower_of(tokens);
        let lex = Lex::new(tokens, &lower);
        let mut at = 0;
        while at < tokens.list.len() {
            at = match found_at(&lex, at, anchor) {
                Some(found) => {
                    let end = found.end.max(at + 1);
                    all.push(found.finish(&lex, anchor));
                    end
                }
                None => at + 1,
            };
        }
    });
    all
}

/// The longest expression that begins at `at`.
fn found_at(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<Found> {
    if !begin::begins(lex, at) {
        return None;
    }
    if let Some(found) = recur::recurrence_at(lex, at, anchor) {
        return Some(found);
    }
    if matches!(lex.word(at), "from" | "between") {
        let range = ranges::range_at(lex, at, anchor);
        return range.map(|range| recur::after_range(lex, &range).unwrap_or(range)).or_else(|| {
            let moment = moment_at(lex, at + 1, anchor, true).filter(|_| lex.near(at + 1))?;
            relative::followed_by_length(lex, at, &moment, anchor)
        });
    }
    let one = moment_at(lex, at, anchor, true);
    let range = ranges::plain_range_at(lex, at, one.as_ref(), anchor);
    let range = range.map(|range| recur::after_range(lex, &range).unwrap_or(range));
    let length = lengths::length_at(lex, at);
    let relative = relative::relative_at(lex, at, length, anchor);
    // Alone a number has to be more of a time than beside the other end of a range.
    let moment = now(lex, at, anchor).or_else(|| single(lex, at, one?, anchor));
    let length = length.filter(|(said, _)| said.sure).map(|(said, end)| {
        let mut found = Found::new(at, end);
        found.readings.push(relative::duration(&said));
        found.approximate = said.approximate;
        found
    });
    let mut best: Option<Found> = None;
    for found in [range, relative, moment, length].into_iter().flatten() {
        if best.as_ref().is_none_or(|best| found.end > best.end) {
            best = Some(found);
        }
    }
    best
}

/// One moment at `at`, with a length or recurrence that follows it, if it can stand for itself; `one` is what it is as an end
/// of a range.
fn single(lex: &Lex<'_, '_>, at: usize, one: Moment, anchor: &Anchor) -> Option<Found> {
    let same = one.clock.as_ref().is_none_or(|clock| !clock.it.wants_partner());
    let moment = if same { one } else { moment_at(lex, at, anchor, false)? };
    if !stands(lex, &moment) {
        return None;
    }
    if let Some(found) = relative::followed_by_length(lex, at, &moment, anchor) {
        return Some(found);
    }
    if let Some(found) = recur::after_time(lex, &moment, anchor) {
        return Some(found);
    }
    Some(Found::of(lex, &moment, anchor))
}

/// Whether a moment is a time as it stands.
fn stands(lex: &Lex<'_, '_>, moment: &Moment) -> bool {
    if moment.clock.is_some() {
        let goes_on = lex.dash(moment.end) && lex.tokens.digits(moment.end + 1).is_some();
        // "looking at one thing", "by two Lafayette sheriffs"
        let spelled = lex.tokens.digits(moment.first).is_none();
        let named = lex.capital(moment.end) && lex.near(moment.end) && !cue::is_time_word(lex, moment.end);
        let one = spelled && (named || !cue::clause_ends(lex, moment.end))
            // "stung by one before"
            || lex.is(moment.first, "one") && lex.before(moment.first, 1) == "by" && !cue::clause_ends_hard(lex, moment.end);
        return !moment.unsupported
            || !one && cue::is_before(lex, moment.first) && !goes_on && !cue::counts(lex, moment.end);
    }
    if moment.cal.is_some() && moment.part.is_some() {
        return true;
    }
    if let Some(cal) = &moment.cal {
        let the = lex.is(moment.first, "the") && cue::leads_day(lex.before(moment.first, 1));
        return cal.it.sure || the || cue::places_day(lex, moment.first) || figures_stand(lex, moment);
    }
    moment.part.as_ref().is_some_and(|part| part.it.sure)
}

/// "4/22" and "week 10" without a word before them: where a clause ends after them and nothing is divided.
fn figures_stand(lex: &Lex<'_, '_>, moment: &Moment) -> bool {
    let figures = lex.tokens.digits(moment.first).is_some()
        && lex.mark(moment.first + 1) == Some('/')
        && !dates::is_fraction(lex, moment.first);
    let week = lex.is(moment.first, "week");
    (figures || week)
        && cue::clause_ends(lex, moment.end)
        && !lex.is(moment.end, "of")
        && !cue::changes(lex, moment.first)
        && !matches!(lex.before(moment.first, 1), "a" | "the" | "of" | "than" | "about" | "only" | "and")
}

/// "now", where it says a time and is no particle: at the end of a clause.
fn now(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<Found> {
    if !lex.is(at, "now") || lex.capital(at) || lex.is(at.wrapping_sub(1), "from") {
        return None;
    }
    let ends = lex.tokens.get(at + 1).is_none_or(|token| matches!(token.kind, Kind::Mark('.' | ',' | '!' | '?' | ';')));
    if !ends {
        return None;
    }
    let mut found = Found::new(at - usize::from(lex.before(at, 1) == "right"), at + 1);
    found.readings.push(Reading::DateTime(anchor.now.datetime()));
    found.limits = true;
    Some(found)
}
