//! A planner's run: in which order the artefacts were made, what the prompt is wrapped in.

use steadfast_text::{Document, Span};

/// The key that sorts artefacts into the order in which a run made them: by the numbers in their names, part by part
/// ("002-4-x" before "002-14-y"), then by name.
#[must_use]
pub fn order_key(name: &str) -> (Vec<u64>, String) {
    let base = name.rsplit('/').next().unwrap_or(name);
    let numbers = base.split(['-', '_', '.']).map_while(|part| part.parse::<u64>().ok()).collect();
    (numbers, name.to_owned())
}

/// The part of a prompt file that the user wrote: planners wrap it in `Plan:` … `Today's date:` … `Project start …`.
#[must_use]
pub fn body(document: &Document) -> Span {
    let source = &document.source;
    let whole = Span::new(0, source.len());
    let text = source.strip_prefix('\u{feff}').unwrap_or(source);
    let offset = source.len() - text.len();
    let Some(rest) = text.trim_start().strip_prefix("Plan:") else { return whole };
    let start = offset + (text.len() - rest.len());
    let end = source[start..].find("\nToday's date:").map_or(source.len(), |at| start + at);
    Span::new(start, end)
}
