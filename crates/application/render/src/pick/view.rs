//! What a chat model said of a task and of the candidates, for terminals.

use std::fmt::Write as _;

use steadfast_wire::pick::{Intake, ModelView, Ranking};

use crate::digest::count_of;
use crate::model::{Part, ends};
use crate::plain::line;

/// Lines of a part that are shown.
const LINES_SHOWN_MAX: usize = 12;
const LINE_CHARS_MAX: usize = 240;

/// What a model said: how it chose, what it reads in it, what it would ask, how it words questions, what was set aside, and the calls. Control characters are
/// shown, so none reaches the terminal.
#[must_use]
pub fn view_text(view: &ModelView) -> String {
    let mut text = String::new();
    for part in parts(view).iter().filter(|part| !part.lines.is_empty()) {
        let _ = writeln!(text, "\n{}", part.title);
        for own in part.lines.iter().take(LINES_SHOWN_MAX) {
            let _ = writeln!(text, "  - {}", line(own, LINE_CHARS_MAX));
        }
        if part.lines.len() > LINES_SHOWN_MAX {
            let _ = writeln!(text, "  and {} more", part.lines.len() - LINES_SHOWN_MAX);
        }
    }
    text
}

/// The parts of a model view.
pub(super) fn parts(view: &ModelView) -> Vec<Part> {
    let [aside, calls] = ends(&view.set_aside, &view.calls);
    let lines = |lines: Option<Vec<String>>| lines.unwrap_or_default();
    vec![
        Part::new("How a model chose", lines(view.rank.as_ref().map(ranked))),
        Part::new("What a model reads in the task (no part of the choice)", lines(view.intake.as_ref().map(read))),
        aside,
        calls,
    ]
}

fn ranked(own: &Ranking) -> Vec<String> {
    let shown = if own.shown > 0 {
        format!("the model {} was shown {}", own.model, count_of(own.shown, "candidate"))
    } else {
        String::new()
    };
    let none = own.none.as_ref().map(|none| format!("it finds that no prompt serves the task: {none}"));
    let why = own.why.as_ref().map(|why| format!("rules chose: {why}"));
    [Some(shown).filter(|shown| !shown.is_empty()), none, why].into_iter().flatten().collect()
}

fn read(own: &Intake) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(own.wordings.iter().map(|it| format!("“{}” in other words: {}", it.question, it.wording)));
    lines.extend(own.questions.iter().map(|it| format!("it would ask: {} (“{}”)", it.question, it.span.quote)));
    lines.extend(own.constraints.iter().map(|it| format!("must hold: “{}”", it.quote)));
    lines.extend(own.readings.iter().map(|it| format!("{}: {} (“{}”)", it.field, it.value, it.span.quote)));
    match &own.why {
        Some(why) => lines.push(format!("the model {} gave nothing: {why}", own.model)),
        None if lines.is_empty() => lines.push(format!("nothing that could be taken, by the model {}", own.model)),
        None => {}
    }
    if own.unread_bytes > 0 {
        lines.push(format!("the last {} bytes of the task were shown to no model", own.unread_bytes));
    }
    lines
}

#[cfg(test)]
mod tests {
    use steadfast_wire::Span;
    use steadfast_wire::model::Aside;
    use steadfast_wire::pick::{Intake, IntakeQuestion, IntakeReading, IntakeWording, ModelView, Ranking};

    use super::view_text;

    fn view(words: &str, readings: usize) -> ModelView {
        let words = || words.to_owned();
        let span = || Span { file: "task".to_owned(), start: 0, end: 1, quote: words() };
        let reading = IntakeReading { field: "intent".to_owned(), value: words(), span: span() };
        ModelView {
            rank: Some(Ranking { model: words(), shown: 2, none: Some(words()), why: Some(words()) }),
            intake: Some(Intake {
                model: words(),
                basis: words(),
                readings: vec![reading; readings],
                constraints: vec![span()],
                questions: vec![IntakeQuestion { what: words(), question: words(), span: span() }],
                wordings: vec![IntakeWording { question: words(), wording: words() }],
                why: None,
                unread_bytes: 3,
            }),
            set_aside: vec![Aside { what: "wording".to_owned(), text: words(), reason: words() }],
            calls: Vec::new(),
        }
    }

    #[test]
    fn each_proposal_has_its_line() {
        let wanted = "\nHow a model chose\n  - the model x was shown 2 candidates\n  - it finds that no prompt serves the task: x\n  - rules chose: x\n\n\
                      What a model reads in the task (no part of the choice)\n  - “x” in other words: x\n  - it would ask: x (“x”)\n  \
                      - must hold: “x”\n  - intent: x (“x”)\n  - the last 3 bytes of the task were shown to no model\n\nSet aside\n  \
                      - wording “x”: x\n";
        assert_eq!(view_text(&view("x", 1)), wanted);
        assert!(view_text(&view("x", 30)).contains("\n  and 22 more\n"));
        let mut nothing = view("x", 0);
        nothing.intake = nothing.intake.map(|own| Intake {
            why: Some("the call failed: refused".to_owned()),
            constraints: Vec::new(),
            questions: Vec::new(),
            wordings: Vec::new(),
            unread_bytes: 0,
            ..own
        });
        assert!(view_text(&nothing).contains("  - the model x gave nothing: the call failed: refused\n"));
        nothing.intake = nothing.intake.map(|own| Intake { why: None, ..own });
        assert!(view_text(&nothing).contains("  - nothing that could be taken, by the model x\n"));
    }

    #[test]
    fn no_control_character_reaches_the_terminal() {
        let text = view_text(&view("a\u{1b}[31m\r\n\u{202e}b", 1));
        assert!(!text.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}'), "{text:?}");
        assert_eq!(text.lines().count(), view_text(&view("x", 1)).lines().count());
    }
}
