//! Whether a quantity of the answer states a figure of the ask.

use jiff::civil::Date;
use steadfast_annotate::{Bound, Pattern, Quantity, Relation, Unit, comparable};
use steadfast_ask::{Figure, Role};
use steadfast_time::DateValue;

/// Whether a quantity of the answer states the figure: the same value or window of time, or one inside the figure's bound.
pub(super) fn agrees(quantity: &Quantity, figure: &Figure, text: &str) -> bool {
    if let (Unit::Date(stated), Unit::Date(asked)) = (&quantity.unit, &figure.quantity.unit) {
        let in_time = matches!((last(*stated), last(*asked)), (Some(stated), Some(asked)) if stated <= asked);
        return stated == asked || (figure.role == Role::Deadline && in_time && ends(text));
    }
    match comparable(quantity, &figure.quantity) {
        Some(Relation::Equal) => true,
        Some(Relation::Within) => figure.quantity.bound != Bound::Exact,
        _ => both_bound_people(quantity, figure, text),
    }
}

/// The last day of a date, if it has one.
fn last(date: DateValue) -> Option<Date> {
    match date {
        DateValue::Window(window) => Some(window.last),
        _ => None,
    }
}

/// Whether a claim says that the whole is done by then.
fn ends(text: &str) -> bool {
    static ENDS: Pattern = Pattern::new(
        r"(?i)\b(?:last \w+ (?:ends?|is|closes?|moves?)|all \w+(?: \w+){0,3} (?:is|are|will be) (?:done|finished|complete\w*|moved|delivered|in)|(?:launch|open|go|finish|complete|deliver|end)(?:es|s|ed)? (?:\w+ ){0,3}(?:on|by|in|before)|goes live|is held|takes place|final \w+)\b",
    );
    static PART: Pattern = Pattern::new(
        r"(?i)\b(?:phase|stage|wave|draft|milestone|step|sprint|part) (?:one|two|three|[0-9a-c]|i+)\b|\bfirst\b",
    );
    ENDS.is_match(text) && !PART.is_match(text)
}

/// "12 places and no more" says "no more than 12 participants": places are counted by those who take them.
pub(super) fn both_bound_people(quantity: &Quantity, figure: &Figure, text: &str) -> bool {
    const TAKEN: &[&str] = &[
        "adult",
        "attendee",
        "child",
        "guest",
        "member",
        "participant",
        "person",
        "people",
        "place",
        "pupil",
        "seat",
        "spot",
        "student",
        "teenager",
        "visitor",
        "volunteer",
    ];
    static BOUND: Pattern = Pattern::new(
        r"(?i)\b(?:and no more|no more than|at most|maximum|max|up to|limit(?:ed)?|capped|cap|not more)\b",
    );
    let (Unit::Count(a), Unit::Count(b)) = (&quantity.unit, &figure.quantity.unit) else { return false };
    figure.quantity.bound == Bound::AtMost
        && quantity.high == figure.quantity.high
        && TAKEN.contains(&a.stem.as_str())
        && TAKEN.contains(&b.stem.as_str())
        && (quantity.bound == Bound::AtMost || BOUND.is_match(text))
}
