//! Whether an installation can do what it is set up to do, for terminals.

use std::fmt::Write as _;

use steadfast_wire::doctor::{CheckState, Doctor};

use crate::Colour;
use crate::plain::one_line;
use crate::terminal::Style;

/// Columns that a state takes: those of the longest.
const STATE_CHARS: usize = 7;

/// Columns that a name takes at most: a longer one moves its own line alone.
const TITLE_CHARS_MAX: usize = 32;

/// A line for each check: its state, its name and what was found; below it what to do.
#[must_use]
pub fn text(doctor: &Doctor, colour: Colour) -> String {
    let titles: Vec<String> = doctor.checks.iter().map(|check| one_line(&check.title())).collect();
    let lengths = titles.iter().map(|title| title.chars().count());
    let width = lengths.filter(|chars| *chars <= TITLE_CHARS_MAX).max().unwrap_or_default();
    let mut text = String::new();
    for (check, title) in doctor.checks.iter().zip(titles) {
        let style = match check.state {
            CheckState::Ok => Style::Good,
            CheckState::Warning => Style::Warn,
            CheckState::Failed => Style::Bad,
            CheckState::NotSet => Style::Dim,
        };
        let state = colour.paint(style, &format!("{:<STATE_CHARS$}", check.state.label()));
        let _ = writeln!(text, "{state}  {title:<width$}  {}", one_line(&check.detail));
        if let Some(hint) = &check.hint {
            let _ = writeln!(text, "{:indent$}hint: {}", "", one_line(hint), indent = STATE_CHARS + width + 4);
        }
    }
    text
}
