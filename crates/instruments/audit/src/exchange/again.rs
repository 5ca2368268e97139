//! Findings that are asked about once more: which of a list are new, the request, what a reply says of each.

use std::collections::HashSet;

use steadfast_dialogue::{Field, Form, Passage, Record, Request, Role, Schema};

use super::{PART, WHY_CHARACTERS_MAX};

/// Two findings are one where they share so many of the shorter one's words, in per cent.
const SHARED_MIN: usize = 60;

/// Words that two findings share at least, where both have more.
const SHARED_WORDS_MIN: usize = 3;

/// What is asked of findings once more.
const AGAIN: &str = "\
`candidates` are places where somebody says that the report departs from the prompt, each with its number on a line of its own. Decide of each afresh. Against: the words of the report go against words of the prompt, which you could point at: another figure, date, name, order or form; a condition, a hedge or a scope word lost or added; what was asked for is left out; \
what was ruled out is done. Adds: the report says what the prompt does not say, and goes against no words of it. Fine: neither; it says the same in other words, sums up, says what follows from the prompt, fills in what the prompt leaves to the writer, keeps one of two readings that the prompt allows, or remarks honestly on its own work. \
Look first for words of the prompt that allow it. Where you hesitate between against and another, ask whether the user, with both texts side by side, would want it changed: only then it is against. Say why in one short sentence.";

/// Most findings that one request asks about again.
pub const CANDIDATES_MAX: usize = 40;

/// The words of a finding, by which two are known to be one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    quote: HashSet<String>,
    asked: HashSet<String>,
}

impl Words {
    /// The words of the report and of the prompt that a finding quotes.
    #[must_use]
    pub fn of(quote: &str, asked: &str) -> Self {
        let words = |text: &str| {
            let own = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            own.map(str::to_lowercase).collect()
        };
        Self { quote: words(quote), asked: words(asked) }
    }

    /// Whether both are one finding: of the same words of the report, or where neither has any of the same words of the prompt.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (self.quote.is_empty(), other.quote.is_empty()) {
            (false, false) => share(&self.quote, &other.quote),
            (true, true) => share(&self.asked, &other.asked),
            _ => false,
        }
    }
}

fn share(one: &HashSet<String>, other: &HashSet<String>) -> bool {
    let (shared, shorter) = (one.intersection(other).count(), one.len().min(other.len()));
    shared > 0 && shared * 100 >= SHARED_MIN * shorter && shared >= SHARED_WORDS_MIN.min(shorter)
}

/// What a finding is when it is looked at again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes against words of the prompt.
    Against,
    /// It says what the prompt does not.
    Adds,
    /// It is no departure.
    Fine,
}

/// The verdicts as they are written.
const VERDICTS: &[&str] = &["against", "adds", "fine"];

/// The request about findings, among whose passages they stand, numbered from 1.
#[must_use]
pub fn again(passages: Vec<Passage>, reply_tokens_max: u32) -> Request {
    let fields = vec![
        Field::new("n", "the number of the candidate", Form::Integer { min: 1, max: CANDIDATES_MAX as i64 }),
        Field::new("is", "what it is", Form::Choice(VERDICTS)),
        Field::new("why", "why, in one short sentence", Form::Text { characters_max: WHY_CHARACTERS_MAX }),
    ];
    let items_max = CANDIDATES_MAX;
    let field = Field::new("decided", "one for each candidate", Form::Records { items_max, fields });
    Request {
        role: Role::Audit,
        instructions: format!("{PART}.\n\n{AGAIN}"),
        passages,
        schema: Schema::new("decided", vec![field]),
        reply_tokens_max,
    }
}

/// What a reply says of each of so many findings, with its reason; `None` of what it passes over. Of two answers the milder holds.
#[must_use]
pub fn decided(record: &Record, count: usize) -> Vec<Option<(Verdict, String)>> {
    let mut out = vec![None; count];
    for own in record.records("decided") {
        let verdict = match own.text("is") {
            "against" => Verdict::Against,
            "adds" => Verdict::Adds,
            _ => Verdict::Fine,
        };
        let place =
            usize::try_from(own.integer("n")).ok().and_then(|n| n.checked_sub(1)).and_then(|at| out.get_mut(at));
        match place {
            Some(Some((known, _))) if *known as u8 >= verdict as u8 => {}
            Some(place) => *place = Some((verdict, own.text("why").to_owned())),
            None => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_one_by_the_words_that_they_quote() {
        let of = Words::of;
        assert!(of("It costs 900 EUR.", "").is_same(&of("**It costs 900 EUR**, all in all", "a budget")));
        assert!(of("900", "").is_same(&of("It costs 900 EUR.", "")));
        assert!(!of("The frame is made of wood.", "").is_same(&of("The roof of the house is flat.", "")));
        assert!(of("", "say who pays").is_same(&of(" ", "Say who pays.")));
        assert!(!of("", "say who pays").is_same(&of("Nobody pays.", "say who pays")));
        assert!(!of("", "").is_same(&of("", "")));
    }

    #[test]
    fn of_two_answers_the_milder_holds_and_what_is_not_asked_is_passed_over() {
        let reply = r#"{"decided": [{"n": 2, "is": "against", "why": "a"}, {"n": 2, "is": "fine", "why": "b"}, {"n": 2, "is": "adds", "why": "c"}, {"n": 4, "is": "against", "why": "d"}]}"#;
        let record = again(Vec::new(), 900).schema.read(reply).map(|own| own.record).unwrap_or_default();
        assert_eq!(decided(&record, 3), [None, Some((Verdict::Fine, "b".to_owned())), None]);
    }
}
