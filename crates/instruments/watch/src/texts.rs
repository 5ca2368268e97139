//! What steps said, as far as it is kept for whoever is asked about them: which steps signals single out is known at the end alone.

use std::sync::Arc;

use steadfast_evidence::{find_words, quotable};
use steadfast_session::{Call, strip_ansi};
use steadfast_text::{Document, Format, QuoteIndex};

use crate::bans::head;
use crate::model::{Step, StepScore, UpdateType};

/// Bytes of the texts of all steps that are kept.
pub const TEXTS_BYTES_MAX: usize = 48 << 20;
/// Bytes that steps which break a ban have beside that: they are singled out whatever comes.
pub const BROKEN_TEXTS_BYTES_MAX: usize = 16 << 20;
/// Bytes of one output that are kept.
pub const OUTPUT_BYTES_MAX: usize = 6_000;
/// Bytes of an initial intent, a goal or an instruction that are kept.
pub const ASKED_BYTES_MAX: usize = 4_000;
/// Bytes of the calls of one step that are kept, and of one call and of its result.
pub const CALLS_BYTES_MAX: usize = 2_000;
const CALL_BYTES_MAX: usize = 300;

/// What a step takes beside its texts, in bytes, roughly.
const STEP_BYTES: usize = 200;

/// What stands where a text is cut.
const CUT: &str = "\n…\n";

/// A text as far as it is kept: all of it, or its beginning and its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    pieces: Vec<String>,
}

impl Excerpt {
    /// At most `bytes_max` of a text: of a longer one three quarters of that from its beginning, and the rest from its end.
    #[must_use]
    pub fn of(text: &str, bytes_max: usize) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return Self::default();
        }
        if text.len() <= bytes_max {
            return Self { pieces: vec![text.to_owned()] };
        }
        let first = head(text, bytes_max / 4 * 3);
        let last = &text[text.ceil_char_boundary(text.len() - bytes_max / 4)..];
        Self { pieces: vec![first.to_owned(), last.to_owned()] }
    }

    /// Whether it holds nothing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// It as it is shown, with a sign where it is cut.
    #[must_use]
    pub fn shown(&self) -> String {
        self.pieces.join(CUT)
    }

    /// What stands where these words stand in it; `None` where they stand nowhere.
    fn locate(&self, words: &str) -> Option<String> {
        self.pieces.iter().find_map(|piece| {
            let document = Document::from_str_as(piece, Format::Plain);
            Some(find_words(&document, &QuoteIndex::new(&document), words)?.1)
        })
    }

    fn bytes(&self) -> usize {
        self.pieces.iter().map(String::len).sum()
    }
}

/// The words of the first text that holds them. `of` says what the texts are.
///
/// # Errors
/// Why they point at nothing, in words.
pub(crate) fn locate<'a>(
    mut texts: impl Iterator<Item = &'a Excerpt>,
    words: &str,
    of: &str,
) -> Result<String, String> {
    let words = quotable(words)?;
    texts.find_map(|text| text.locate(words)).ok_or_else(|| format!("its words do not stand in {of}"))
}

/// What a step said.
#[derive(Clone, Debug, PartialEq)]
pub struct StepText {
    /// The step's number.
    pub number: i64,
    /// The goal in force.
    pub goal: Arc<Excerpt>,
    /// The instruction of the step.
    pub instruction: Arc<Excerpt>,
    /// What the agent said.
    pub output: Excerpt,
    /// What it called, and what that gave back: a line each.
    pub calls: Excerpt,
    /// Its goal distance; `None` where it has none.
    pub distance: Option<f64>,
    /// Whether its instruction stands between one that keeps the goal and one that leaves it.
    pub is_between: bool,
}

/// The texts of one trajectory, in the order of its steps.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    steps: Vec<StepText>,
}

impl Texts {
    /// The steps that are kept.
    #[must_use]
    pub fn steps(&self) -> &[StepText] {
        &self.steps
    }

    /// Keeps what a step said where `held`, the bytes that are kept in all, leaves room for it. A step that said nothing is not kept.
    pub fn push(&mut self, step: &Step, score: &StepScore, held: &mut usize) {
        let output = Excerpt::of(step.output.as_deref().unwrap_or_default(), OUTPUT_BYTES_MAX);
        let calls = Excerpt::of(&lines(&step.calls), CALLS_BYTES_MAX);
        if output.is_empty() && calls.is_empty() {
            return;
        }
        let last = self.steps.last();
        let mut bytes = STEP_BYTES + output.bytes() + calls.bytes();
        // What is as it was at the step before is kept once.
        let mut shared = |before: Option<&Arc<Excerpt>>, text: &str| {
            let own = Excerpt::of(text, ASKED_BYTES_MAX);
            match before.filter(|before| ***before == own) {
                Some(before) => Arc::clone(before),
                None => {
                    bytes += own.bytes();
                    Arc::new(own)
                }
            }
        };
        let goal = shared(last.map(|own| &own.goal), &score.goal);
        let instruction = shared(last.map(|own| &own.instruction), step.instruction.as_deref().unwrap_or_default());
        let beyond = if score.broken.is_empty() { 0 } else { BROKEN_TEXTS_BYTES_MAX };
        if *held + bytes > TEXTS_BYTES_MAX + beyond {
            return;
        }
        *held += bytes;
        let is_between = score.update_type == Some(UpdateType::HighDriftRisk);
        let (number, distance) = (step.number, score.goal_distance);
        self.steps.push(StepText { number, goal, instruction, output, calls, distance, is_between });
    }
}

/// Calls as lines: the tool, what it runs or takes, and the beginning of what came back.
fn lines(calls: &[Call]) -> String {
    let on_a_line = |text: &str| head(text, CALL_BYTES_MAX).split_whitespace().collect::<Vec<_>>().join(" ");
    let line = |call: &Call| {
        let what = on_a_line(call.command.as_deref().unwrap_or(&call.arguments));
        let result = call.outcome.as_ref().map(|own| on_a_line(&strip_ansi(head(&own.text, 2 * CALL_BYTES_MAX))));
        format!("{}: {what}{}\n", on_a_line(&call.tool), result.map_or_else(String::new, |own| format!(" → {own}")))
    };
    let mut all = String::new();
    for call in calls {
        // What an excerpt leaves out need not be made.
        if all.len() > 4 * CALLS_BYTES_MAX {
            break;
        }
        all += &line(call);
    }
    all
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use steadfast_session::{Call, Outcome};

    use super::{
        ASKED_BYTES_MAX, BROKEN_TEXTS_BYTES_MAX, CALL_BYTES_MAX, CALLS_BYTES_MAX, Excerpt, OUTPUT_BYTES_MAX,
        STEP_BYTES, TEXTS_BYTES_MAX, Texts, locate,
    };
    use crate::bans::Broken;
    use crate::model::{Step, StepScore, UpdateType};

    fn step(number: i64, output: &str) -> Step {
        let instruction = Some("Name the seeds.".to_owned());
        Step { number, instruction, output: Some(output.to_owned()), ..Step::default() }
    }

    fn score(number: i64, broken: usize) -> StepScore {
        let ban = Broken { term: "x".to_owned(), ban: "no x".to_owned(), quote: "x".to_owned() };
        StepScore {
            number,
            ids: None,
            goal_distance: None,
            anchor_ids: None,
            echo: None,
            goal: "Name the seeds.".to_owned(),
            update_type: Some(UpdateType::HighDriftRisk),
            truncated: false,
            no_text: false,
            broken: vec![ban; broken],
        }
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end_and_words_across_the_cut_stand_nowhere() {
        let whole = Excerpt::of(&"é".repeat(ASKED_BYTES_MAX / 2), ASKED_BYTES_MAX);
        assert_eq!((whole.pieces.len(), whole.bytes()), (1, ASKED_BYTES_MAX));
        let cut = Excerpt::of(&"é".repeat(ASKED_BYTES_MAX / 2 + 1), ASKED_BYTES_MAX);
        assert_eq!((cut.pieces.len(), cut.bytes()), (2, ASKED_BYTES_MAX));
        let text = format!("It begins well. {} It ends badly.", "word ".repeat(2_000));
        let own = Excerpt::of(&text, OUTPUT_BYTES_MAX);
        let find = |words: &str| locate([&own].into_iter(), words, "the step");
        assert_eq!(find("It  begins well"), Ok("It begins well".to_owned()));
        assert_eq!(find("it ends badly"), Err("its words do not stand in the step".to_owned()));
        assert_eq!(find("It ends badly."), Ok("It ends badly.".to_owned()));
        assert_eq!(find("word … word"), Err("its words do not stand in the step".to_owned()));
        assert_eq!(find("It"), Err("\"It\" is too short to point at a place".to_owned()));
        assert!(Excerpt::of(" \n", 10).is_empty());
    }

    #[test]
    fn steps_are_kept_up_to_the_limit_and_those_that_break_a_ban_beyond_it() {
        let (mut texts, mut held) = (Texts::default(), 0);
        texts.push(&step(0, "Beans."), &score(0, 0), &mut held);
        let first = held;
        texts.push(&step(1, "Peas."), &score(1, 0), &mut held);
        // Goal and instruction are kept once.
        assert_eq!(held - first, STEP_BYTES + "Peas.".len());
        assert!(Arc::ptr_eq(&texts.steps()[0].goal, &texts.steps()[1].goal) && texts.steps()[1].is_between);
        for (room, broken, kept) in
            [(0, 0, 2), (1, 0, 3), (0, 1, 4), (BROKEN_TEXTS_BYTES_MAX, 1, 5), (BROKEN_TEXTS_BYTES_MAX - 1, 1, 5)]
        {
            // So much is left that the step just fits, or is a byte too long.
            let own = STEP_BYTES + "Corn.".len();
            let mut held = match (broken, room) {
                (0, room) => TEXTS_BYTES_MAX - own + 1 - room,
                (_, 0) => TEXTS_BYTES_MAX,
                (_, BROKEN_TEXTS_BYTES_MAX) => TEXTS_BYTES_MAX + BROKEN_TEXTS_BYTES_MAX - own,
                _ => TEXTS_BYTES_MAX + BROKEN_TEXTS_BYTES_MAX - own + 1,
            };
            texts.push(&step(2, "Corn."), &score(2, broken), &mut held);
            assert_eq!(texts.steps().len(), kept, "{room} {broken}");
        }
        // Nothing said is nothing to ask about.
        texts.push(&Step { number: 9, ..Step::default() }, &score(9, 1), &mut held);
        assert_eq!(texts.steps().len(), 5);
    }

    #[test]
    fn calls_stand_on_lines_with_what_came_back() {
        let outcome = Outcome { text: "\u{1b}[31m2 failed\u{1b}[0m\nnext".to_owned(), ..Outcome::default() };
        let command = Some("cargo test\n --all".to_owned());
        let run = Call { tool: "Bash".to_owned(), command, outcome: Some(outcome), ..Call::default() };
        let read = Call { tool: "Read".to_owned(), arguments: r#"{"path": "a"}"#.to_owned(), ..Call::default() };
        let own = Step { number: 1, calls: vec![run, read], ..Step::default() };
        let (mut texts, mut held) = (Texts::default(), 0);
        texts.push(&own, &score(1, 0), &mut held);
        let long = |bytes: usize| super::lines(&[Call { arguments: "x".repeat(bytes), ..Call::default() }]).len();
        assert_eq!([long(CALL_BYTES_MAX), long(CALL_BYTES_MAX + 1)], [CALL_BYTES_MAX + 3; 2]);
        let many = vec![Call { arguments: "x".repeat(CALL_BYTES_MAX), ..Call::default() }; 1_000];
        assert!(super::lines(&many).len() < 5 * CALLS_BYTES_MAX);
        let wanted = "Bash: cargo test --all → 2 failed next\nRead: {\"path\": \"a\"}";
        assert_eq!(texts.steps()[0].calls.shown(), wanted);
    }
}
