//! What code leaves open, in batches for whoever understands both texts.

use std::collections::BTreeMap;

use steadfast_audit::exchange::{ASK_BEYOND, ASK_EACH};
use steadfast_wire::Span;
use steadfast_wire::audit::{DecidedObligation, Obligation, PassageInPlace, Undecided, UndecidedObligation, WholeText};

use crate::EngineError;
use crate::proposals::cut;

/// Obligations in one batch, at most …
const BATCH_MAX: usize = 12;
/// … and characters: about 4,000 tokens of four characters, less what is asked.
const BATCH_CHARS_MAX: usize = 14_000;
/// Bytes of prompt and report up to which both are shown whole.
pub(crate) const WHOLE_BYTES_MAX: usize = 12_000;
/// Characters of a line around a passage.
const LINE_CHARS_MAX: usize = 160;
/// Lines that are looked at for one with words in it: the place's own and those beside it.
const LINES_LOOKED_AT: usize = 4;
/// Obligations that code decided and that are named beside what is open, at most …
const DECIDED_MAX: usize = 40;
/// … and the bytes of their words.
const DECIDED_BYTES_MAX: usize = 160;
/// Bytes of a passage that are shown: longer quotes are not taken.
const QUOTE_BYTES_MAX: usize = 600;

/// How whoever calls answers a batch.
const ANSWER: &str = "\
Answer by calling `audit` with the same prompt, report and context and with `proposals`: [{\"obligation\", \"asked\", \"relation\", \"quote\", \"why\"}]. `asked` is left out where an obligation is named; unrelated needs no quote. What you leave out stays undecided. With `fields`: [\"usable_as_is\", \"usable_because\", \"assessed\", \"drift_incidents\", \"set_aside\", \"verdict_recommended_actions\"] the answer is short.";

/// The batch of undecided obligations from a cursor on. `texts` are those of the files, by their names; `context` names those that the user gave beside the
/// prompt.
///
/// # Errors
/// [`EngineError::Cursor`]
pub(crate) fn undecided(
    obligations: &[Obligation],
    texts: &BTreeMap<String, String>,
    context: &[String],
    cursor: Option<&str>,
) -> Result<Undecided, EngineError> {
    let open: Vec<&Obligation> = obligations.iter().filter(|own| own.is_open()).collect();
    let from = match cursor {
        None => 0,
        Some(cursor) => {
            let at = cursor.parse::<usize>().ok().filter(|at| (1..open.len()).contains(at));
            at.ok_or_else(|| EngineError::Cursor { cursor: cursor.to_owned() })?
        }
    };
    // Whoever reads a short report whole needs no passages of it.
    let is_whole = !texts.is_empty() && texts.values().map(String::len).sum::<usize>() <= WHOLE_BYTES_MAX;
    let whole = texts.iter().filter(|_| is_whole && from == 0);
    let texts_whole: Vec<WholeText> =
        whole.map(|(file, text)| WholeText { file: file.clone(), text: text.clone() }).collect();
    let decided = obligations.iter().filter(|own| from == 0 && !own.is_open()).take(DECIDED_MAX).map(decided);
    let decided: Vec<DecidedObligation> = decided.collect();
    let taken: usize = texts_whole.iter().map(|own| own.text.len()).sum();
    let obligations = batch(open.get(from..).unwrap_or_default(), texts, is_whole, BATCH_CHARS_MAX - taken);
    let next = from + obligations.len();
    let is_last = next >= open.len();
    // What belongs to no obligation is asked once, when all obligations were seen.
    let beside = format!(
        "The user gave beside the request: {}. What stands there is no invention; what the report states otherwise is invented.",
        context.join(", ")
    );
    let beside = (!context.is_empty()).then_some(beside.as_str());
    let parts = [Some(ASK_EACH), beside, is_last.then_some(ASK_BEYOND), Some(ANSWER)];
    Ok(Undecided {
        ask: parts.into_iter().flatten().collect::<Vec<_>>().join("\n"),
        of: open.len(),
        obligations,
        decided,
        texts: texts_whole,
        next_cursor: (!is_last).then(|| next.to_string()),
    })
}

/// The first of these obligations: at most a dozen, and as many as have room in so many characters, but one.
pub(crate) fn batch(
    open: &[&Obligation],
    texts: &BTreeMap<String, String>,
    is_whole: bool,
    chars_max: usize,
) -> Vec<UndecidedObligation> {
    let mut batch = Vec::new();
    let mut chars = 0;
    for own in open.iter().take(BATCH_MAX) {
        let mut own = shown(own, texts);
        if is_whole {
            own.passages.clear();
            own.before.clear();
        }
        let passages = own.passages.iter().map(|own| own.before.len() + own.quote.len() + own.after.len());
        chars += own.quote.len() + own.before.len() + passages.sum::<usize>();
        if chars > chars_max && !batch.is_empty() {
            break;
        }
        batch.push(own);
    }
    batch
}

/// An obligation with its passages and the lines around them.
pub(crate) fn shown(own: &Obligation, texts: &BTreeMap<String, String>) -> UndecidedObligation {
    let passage = |own: &steadfast_wire::audit::Passage| {
        let (before, after) = around(&own.span, texts);
        PassageInPlace { file: own.span.file.clone(), before, quote: cut(&own.quote, QUOTE_BYTES_MAX), after }
    };
    UndecidedObligation {
        id: own.id.clone(),
        quote: own.span.quote.clone(),
        before: around(&own.span, texts).0,
        strength: own.strength,
        polarity: own.polarity,
        status: own.status,
        passages: own.passages.iter().map(passage).collect(),
    }
}

fn decided(own: &Obligation) -> DecidedObligation {
    let quote = || own.answer_spans.first().map(|span| cut(&span.quote, DECIDED_BYTES_MAX)).unwrap_or_default();
    let report = own.measured.clone().unwrap_or_else(quote);
    DecidedObligation { id: own.id.clone(), quote: cut(&own.span.quote, DECIDED_BYTES_MAX), status: own.status, report }
}

/// What stands before a place, on its line or else on the last line before it, and behind it.
fn around(span: &Span, texts: &BTreeMap<String, String>) -> (String, String) {
    let text = texts.get(&span.file).map_or("", String::as_str);
    let (before, after) = (text.get(..span.start).unwrap_or_default(), text.get(span.end..).unwrap_or_default());
    let is_text = |line: &&str| line.chars().any(char::is_alphanumeric);
    let before = before.rsplit('\n').take(LINES_LOOKED_AT).find(is_text).unwrap_or_default().trim();
    let after = after.split('\n').take(LINES_LOOKED_AT).find(is_text).unwrap_or_default().trim();
    let skipped = before.chars().count().saturating_sub(LINE_CHARS_MAX);
    let tail: String = before.chars().skip(skipped).collect();
    let tail = if skipped > 0 { format!("…{tail}") } else { tail };
    let head: String = after.chars().take(LINE_CHARS_MAX).collect();
    let head = if head.len() < after.len() { format!("{head}…") } else { head };
    (tail, head)
}

#[cfg(test)]
mod tests {
    use super::{around, cut};
    use std::collections::BTreeMap;
    use steadfast_wire::Span;

    #[test]
    fn lines_around_a_place_are_shown() {
        let text = "# Title\n\nOne é line.\nThe place is here, and ends.\n\n\nBehind it.\n";
        let texts = BTreeMap::from([("a.md".to_owned(), text.to_owned())]);
        let start = text.find("place").unwrap();
        let span = |start: usize, end: usize| Span { file: "a.md".to_owned(), start, end, quote: String::new() };
        assert_eq!(around(&span(start, start + 5), &texts), ("The".to_owned(), "is here, and ends.".to_owned()));
        let start = text.find("The place").unwrap();
        let end = text.find("\n\n\nBehind").unwrap();
        assert_eq!(around(&span(start, end), &texts), ("One é line.".to_owned(), "Behind it.".to_owned()));
        assert_eq!(around(&span(9_000, 9_001), &texts), (String::new(), String::new()));
        assert_eq!(cut("aéb", 2), "a");
        assert_eq!(cut("One two three", 9), "One two");
        assert_eq!(cut("One two three", 7), "One two");
        assert_eq!(cut("One two three", 40), "One two three");
    }
}
