//! What must hold, in the words of the task: limits, bans, demands, budgets, deadlines, places, forms.

use std::sync::LazyLock;

use steadfast_annotate::annotate;
use steadfast_annotate::{Bound, Unit};
use steadfast_ask::{Kind, Rule};
use steadfast_evidence::FileId;
use steadfast_text::{Document, Format};

use super::conflict;
use super::verbs::{Form, verb};
use super::words::{Phrases, Text, collapsed};

/// Most constraints of a task.
const CONSTRAINTS_MAX: usize = 64;

/// Constraints are looked for in as much of a task, in bytes.
const READ_BYTES_MAX: usize = 16 * 1024;
/// A longer line is parted, in bytes.
const LINE_BYTES_MAX: usize = 2_000;

/// Words by which a clause binds: an order without any of them is the task itself.
static BINDING: LazyLock<Phrases<()>> = LazyLock::new(|| {
    Phrases::new(&[(
        "must|must not|should|shall|has to|have to|needs to|need to be|ensure|make sure|be sure|only|always|never|no|not|don't|do not|without|avoid|at least|at most|no more than|no less than|max|maximum|minimum|exactly|keep|stick to|limit|limited|within|under|except|exclude|excluding|required|requires|stay|respect",
        (),
    )])
});

/// Forms and languages that a result is to have.
static FORMS: LazyLock<Phrases<()>> = LazyLock::new(|| {
    Phrases::new(&[(
        "in bullet points|as bullet points|as a table|in a table|in table form|as json|in json|as csv|in csv|as markdown|in markdown|as a list|in a list|as a checklist|as a pdf|in pdf|as html|in html|as a numbered list|in plain english|in plain language|in plain text|in simple terms|in simple words|step by step|in one page|on one page|one page|in one paragraph|in one sentence|in a few sentences|in english|in german|in french|in spanish|in italian|in portuguese|in dutch|in chinese|in japanese|in korean|in arabic|in russian|in hindi|in polish|in turkish|into english|into german|into french|into spanish|into italian|into portuguese|into dutch|into chinese|into japanese|into korean|into arabic|into russian|into hindi|in american english|in british english|in python|in rust|in javascript|in typescript|in java|in sql|in bash|in latex|in first person|in third person|in past tense|in a formal tone|in a friendly tone|in a casual tone|in a professional tone|for beginners|for children|for experts|for executives|for non experts|for a general audience|for laypeople|no jargon|in detail",
        (),
    )])
});

/// The constraints in the order of the task, each once. `head` is the task as it was given, `text` its words.
pub(super) fn read(head: &str, text: &Text<'_>) -> Vec<String> {
    let lines = lines(head);
    let document = Document::from_str_as(&lines, Format::Markdown);
    let request = steadfast_ask::read(FileId(0), &annotate(&document));
    let mut found: Vec<(String, String)> = Vec::new();
    let mut add = |said: &str| {
        let said = collapsed(said);
        let low = said.to_lowercase();
        let known = found.iter().any(|(_, earlier)| earlier.contains(&low));
        if !said.is_empty() && !known && found.len() < CONSTRAINTS_MAX {
            found.retain(|(_, earlier)| !low.contains(earlier.as_str()));
            found.push((said, low));
        }
    };
    for demand in request.demands.iter().take(2 * CONSTRAINTS_MAX) {
        let said = demand.source().text();
        let binds = match demand.kind.kind {
            Kind::Optional | Kind::Uncertainty => false,
            Kind::Banned | Kind::NonGoal | Kind::Place => true,
            Kind::Constraint | Kind::Metric | Kind::Budget | Kind::Deadline => {
                !matches!(demand.kind.rule, Rule::Figure { .. })
            }
        };
        if let Some(said) = binds.then(|| own_words(said)).flatten() {
            add(&said);
        }
    }
    for figure in request.figures.iter().take(2 * CONSTRAINTS_MAX) {
        let quantity = &figure.quantity;
        // "Summarize a 50-page report": what is given is no limit.
        let given = quantity.bound == Bound::Exact
            && conflict::is_length(&quantity.unit)
            && conflict::is_remade(text, usize::MAX);
        let limits = quantity.bound != Bound::Exact
            || matches!(quantity.unit, Unit::Money(_) | Unit::Duration(_) | Unit::Date(_) | Unit::Count(_));
        if limits
            && !given
            && !figure.denied
            && let Some(statement) = request.statements.get(figure.statement)
        {
            let mut range = quantity.range.clone();
            if let Unit::Count(counted) = &quantity.unit {
                range.end = range.end.max(counted.head.end);
            }
            let old = statement
                .text
                .get(range.end..)
                .is_some_and(|after| after.starts_with(" old") || after.starts_with("-old"));
            if !old {
                add(statement.text.get(range).unwrap_or_default());
            }
        }
    }
    for (_, words) in FORMS.all(text) {
        add(text.said(words));
    }
    found.into_iter().map(|(said, _)| said).collect()
}

/// The lines of the beginning of a task, since lists and headings say what binds. How they are indented plays no part; a line longer
/// than a person writes is parted.
fn lines(head: &str) -> String {
    let mut out = String::with_capacity(READ_BYTES_MAX);
    for line in head.lines() {
        let mut length = 0;
        for word in line.split_whitespace() {
            if out.len() + word.len() > READ_BYTES_MAX {
                return out;
            }
            if length > LINE_BYTES_MAX {
                out.push_str("\n\n");
                length = 0;
            }
            if length > 0 {
                out.push(' ');
            }
            out.push_str(word);
            length += word.len() + 1;
        }
        out.push('\n');
    }
    out
}

/// The words of a clause that bind. Of an order that is the task itself only what limits it ("… in at most two pages"); nothing of
/// a question or of an order without a limit.
fn own_words(said: &str) -> Option<String> {
    let said = collapsed(said);
    let text = Text::new(&said);
    let at = (0..text.words.len()).find(|at| BINDING.at(&text, *at).is_some())?;
    if text.is(0, &["what", "how", "why", "who", "when", "where", "which", "should", "is", "are", "can", "could"]) {
        return None;
    }
    let ordered = verb(text.low(0)).is_some_and(|verb| verb.form == Form::Base) && at > 0;
    Some(if ordered { text.said(at..text.words.len()).to_owned() } else { said.clone() })
}
