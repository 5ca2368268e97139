//! The words and signs around a number that bound it or say that it is approximate.

use crate::numeral::lower;
use crate::scan::{Gap, Tokens};

/// Whether a number is meant as it stands or as a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Bound {
    /// As it stands.
    #[default]
    Exact,
    /// "up to", "at most", "no more than", "below", "≤", "under", "maximum".
    AtMost,
    /// "at least", "minimum", "more than", "over", "≥", "+".
    AtLeast,
}

/// What stands around a number and says how it is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stance {
    /// Index of the first token (before) or the token after the last one (after).
    pub edge: usize,
    /// "about" and the like.
    pub approximate: bool,
    /// Whether it bounds.
    pub bound: Bound,
}

/// Reads bounds and approximators that end just before token `at`: "up to about".
#[must_use]
pub fn stance_before(tokens: &Tokens<'_>, at: usize) -> Stance {
    let mut stance = Stance { edge: at, approximate: false, bound: Bound::Exact };
    for _ in 0..3 {
        let Some((edge, approximate, bound)) = one_before(tokens, stance.edge) else { break };
        if stance.bound != Bound::Exact && bound != Bound::Exact {
            break;
        }
        stance.edge = edge;
        stance.approximate |= approximate;
        if bound != Bound::Exact {
            stance.bound = bound;
        }
    }
    stance
}

fn one_before(tokens: &Tokens<'_>, at: usize) -> Option<(usize, bool, Bound)> {
    use Bound::{AtLeast, AtMost, Exact};
    let mut last = at.checked_sub(1)?;
    if tokens.gap(at) > Gap::Space && tokens.gap(at) != Gap::Line {
        return None;
    }
    let mark = tokens.mark(last);
    if let Some(mark) = mark {
        let doubled = |index: usize, wanted: char| {
            index > 0 && tokens.mark(index - 1) == Some(wanted) && tokens.gap(index) == Gap::None
        };
        match mark {
            '~' | '≈' | '∼' | '≃' | '≅' => {
                // "~~struck~~"
                return (!doubled(last, '~')).then_some((last, true, Exact));
            }
            '≤' | '⩽' => return Some((last, false, AtMost)),
            '≥' | '⩾' => return Some((last, false, AtLeast)),
            '=' if doubled(last, '<') => return Some((last - 1, false, AtMost)),
            '=' if doubled(last, '>') => return Some((last - 1, false, AtLeast)),
            '<' => return Some((last, false, AtMost)),
            // A quotation, an arrow or the end of a tag is no bound.
            '>' if tokens.gap(last) != Gap::Line
                && (tokens.gap(last) != Gap::None || (last > 0 && tokens.mark(last - 1) == Some('('))) =>
            {
                return Some((last, false, AtLeast));
            }
            // "approx.", "max."
            '.' if last > 0
                && matches!(
                    tokens.word(last - 1),
                    "approx" | "Approx" | "ca" | "c" | "max" | "min" | "Max" | "Min"
                ) =>
            {
                last -= 1;
            }
            _ => return None,
        }
    }
    let mut buffer = [0; 13];
    let word = lower(tokens.word(last), &mut buffer)?;
    let back = |count: usize, wanted: &str| last >= count && tokens.is_word(last - count, wanted);
    let negated = |count: usize| {
        back(count, "not")
            || back(count, "no")
            || back(count, "never")
            // "mustn't exceed", "does not exceed" and "should not be more than"
            || (last >= count && tokens.is_word(last - count, "t") && tokens.gap(last - count) == Gap::None)
    };
    // "no text may be longer than 60 words", "must not be higher than": the denial stands before the verb.
    let denied = |count: usize| denied_before(tokens, last, count);
    Some(match word {
        "about" | "approximately" | "approx" | "around" | "roughly" | "circa" | "ca" | "nearly" | "almost"
        | "estimated" => (last, true, Exact),
        "c" if mark == Some('.') => (last, true, Exact),
        "to" if back(1, "up") => (last - 1, false, AtMost),
        "to" if back(1, "close") => (last - 1, true, Exact),
        "to" if back(1, "limited") || back(1, "restricted") => (last - 1, false, AtMost),
        "at" if back(1, "capped") => (last - 1, false, AtMost),
        "most" if back(1, "at") => (last - 1, false, AtMost),
        "least" if back(1, "at") => (last - 1, false, AtLeast),
        "than" => {
            let before = lower_at(tokens, last.checked_sub(1)?);
            match before.as_deref()? {
                "more" | "greater" | "higher" | "longer" | "larger" | "later" if negated(2) => {
                    (last - 2, false, AtMost)
                }
                "less" | "fewer" | "lower" | "shorter" | "smaller" | "earlier" if negated(2) => {
                    (last - 2, false, AtLeast)
                }
                "more" | "greater" | "higher" | "longer" | "larger" | "later" if denied(2) => (last - 1, false, AtMost),
                "less" | "fewer" | "lower" | "shorter" | "smaller" | "earlier" if denied(2) => {
                    (last - 1, false, AtLeast)
                }
                "more" | "greater" | "higher" | "longer" | "larger" => (last - 1, false, AtLeast),
                "less" | "fewer" | "lower" | "shorter" | "smaller" => (last - 1, false, AtMost),
                _ => return None,
            }
        }
        "exceed" | "exceeds" | "exceeding" if negated(1) => (last - 1, false, AtMost),
        "over" | "above" if negated(1) => (last - 1, false, AtMost),
        "exceed" | "exceeds" | "exceeding" if denied(1) => (last, false, AtMost),
        "exceed" | "exceeds" | "exceeding" | "over" | "above" => (last, false, AtLeast),
        "below" | "under" | "maximum" | "max" => (last, false, AtMost),
        "minimum" | "min" => (last, false, AtLeast),
        "of" => {
            let before = lower_at(tokens, last.checked_sub(1)?);
            match before.as_deref()? {
                "maximum" | "max" | "ceiling" | "cap" | "limit" => (last - 1, false, AtMost),
                "minimum" | "min" | "upwards" | "excess" => (last - 1, false, AtLeast),
                "order" | "region" | "average" if !back(1, "average") => (last - 1, true, Exact),
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Words between a denial and the comparison that it denies, at most.
const DENIAL_TOKENS_MAX: usize = 5;

/// Whether the clause denies what stands `count` tokens before `last`, with a verb between: "no loan may be …", "must not be …".
fn denied_before(tokens: &Tokens<'_>, last: usize, count: usize) -> bool {
    for back in count..count + DENIAL_TOKENS_MAX {
        let Some(at) = last.checked_sub(back) else { return false };
        if tokens.mark(at).is_some() {
            return false;
        }
        let next_is = |wanted: &str| at < last && tokens.is_word(at + 1, wanted);
        if ["no", "not", "none", "nobody", "never", "nothing", "cannot"].iter().any(|word| tokens.is_word(at, word)) {
            return !["only", "just", "merely", "yet"].iter().any(|word| next_is(word));
        }
    }
    false
}

fn lower_at(tokens: &Tokens<'_>, at: usize) -> Option<String> {
    let word = tokens.word(at);
    (!word.is_empty() && word.len() <= 13).then(|| word.to_ascii_lowercase())
}

/// Reads bounds that begin at token `at`, after a number or its unit: "+", "or more", "at most", "maximum".
#[must_use]
pub fn stance_after(tokens: &Tokens<'_>, at: usize) -> Stance {
    use Bound::{AtLeast, AtMost, Exact};
    let nothing = Stance { edge: at, approximate: false, bound: Exact };
    let found = |length: usize, approximate: bool, bound: Bound| Stance { edge: at + length, approximate, bound };
    if tokens.mark(at) == Some('+') {
        let attached =
            tokens.gap(at) == Gap::None && (tokens.gap(at + 1) != Gap::None || tokens.digits(at + 1).is_none());
        return if attached { found(1, false, AtLeast) } else { nothing };
    }
    if tokens.gap(at) > Gap::Space && tokens.gap(at) != Gap::Line {
        return nothing;
    }
    let mut buffer = [0; 9];
    let mut second = [0; 9];
    let word = lower(tokens.word(at), &mut buffer).unwrap_or("");
    if !matches!(word, "or" | "and" | "at" | "maximum" | "max" | "tops" | "minimum" | "min") {
        return nothing;
    }
    let next = lower(tokens.word(at + 1), &mut second).unwrap_or("");
    match (word, next) {
        ("or", "so") => found(2, true, Exact),
        ("or" | "and", "more" | "above" | "over" | "higher" | "longer" | "greater" | "up") => found(2, false, AtLeast),
        ("or" | "and", "less" | "fewer" | "below" | "under" | "lower" | "shorter") => found(2, false, AtMost),
        ("at", "most" | "maximum") => found(2, false, AtMost),
        ("at", "least" | "minimum") => found(2, false, AtLeast),
        ("maximum" | "max" | "tops", _) => found(1, false, AtMost),
        ("minimum" | "min", _) => found(1, false, AtLeast),
        _ => nothing,
    }
}
