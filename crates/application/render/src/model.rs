//! The calls of chat models and what was set aside, in lines that every format shows in its own way.

use steadfast_wire::model::{Aside, ModelCall};

use crate::digest::count_of;

/// A heading and the lines under it, not yet escaped.
pub(crate) struct Part {
    pub(crate) title: &'static str,
    pub(crate) lines: Vec<String>,
}

impl Part {
    pub(crate) const fn new(title: &'static str, lines: Vec<String>) -> Self {
        Self { title, lines }
    }
}

/// What was proposed and not taken, and every call.
pub(crate) fn ends(set_aside: &[Aside], calls: &[ModelCall]) -> [Part; 2] {
    [
        Part::new("Set aside", set_aside.iter().map(aside).collect()),
        Part::new("Calls of models", calls.iter().map(call).collect()),
    ]
}

fn aside(own: &Aside) -> String {
    format!("{} “{}”: {}", own.what, own.text, own.reason)
}

fn call(own: &ModelCall) -> String {
    let mut line = format!("{} to {}: {}", own.role, own.model, own.ended.label());
    if own.turn == steadfast_wire::model::CallTurn::Repair {
        line.push_str(" (second try)");
    }
    let attempts = usize::try_from(own.attempts).unwrap_or(usize::MAX);
    line.push_str(&format!(", {}", count_of(attempts, "attempt")));
    let tokens = |count: Option<u64>| count.map_or_else(|| "?".to_owned(), |count| count.to_string());
    if own.prompt_tokens.is_some() || own.reply_tokens.is_some() {
        line.push_str(&format!(", {} + {} tokens", tokens(own.prompt_tokens), tokens(own.reply_tokens)));
    }
    let neutralised = own.neutralised;
    if neutralised.invisible + neutralised.reserved > 0 {
        line.push_str(&format!(
            ", neutralised in the texts: {} invisible, {} reserved",
            neutralised.invisible, neutralised.reserved
        ));
    }
    if let Some(why) = &own.why {
        line.push_str(&format!("; {why}"));
    }
    line
}
