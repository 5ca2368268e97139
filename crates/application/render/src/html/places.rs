//! Where quotes stand, as links to the artefacts.

use askama::Template;
use steadfast_wire::Span;

use crate::context::Index;
use crate::link::{fragment_value, relative_uri};
use crate::plain::{is_html, shorten, shown};
use crate::{Error, Links};

/// A text fragment finds its passage by so many characters of it.
const FRAGMENT_CHARS_MAX: usize = 60;

/// What is needed to say where a quote stands.
pub(super) struct Places<'a> {
    pub(super) index: &'a Index<'a>,
    pub(super) links: &'a Links,
}

#[derive(Template)]
#[template(path = "place.html")]
struct Place {
    place: String,
    href: String,
}

impl Places<'_> {
    /// The file's address; empty where files are not linked.
    pub(super) fn href(&self, file: &str) -> String {
        let Some(base) = &self.links.base else { return String::new() };
        // A name alone could be read as a scheme.
        let base = if base.is_empty() { "./" } else { base };
        format!("{base}{}", relative_uri(file))
    }

    /// `file:line` as HTML, linked where files are: browsers that know text fragments show the passage itself.
    pub(super) fn html(&self, span: &Span) -> Result<String, Error> {
        let mut href = self.href(&span.file);
        if !href.is_empty() {
            let quote = shown(&span.file, &span.quote);
            let start: String = shorten(&quote, FRAGMENT_CHARS_MAX).trim_end_matches('…').to_owned();
            // Markdown and the rest are shown as plain text, in which the quote stands as it is on its first line.
            let first_line = if is_html(&span.file) { &start } else { span.quote.lines().next().unwrap_or_default() };
            if first_line.starts_with(start.as_str()) && !start.contains('⟨') {
                href.push_str("#:~:text=");
                href.push_str(&fragment_value(&start));
            }
        }
        let place = Place { place: self.index.place(span), href };
        place.render().map(|html| html.trim_end().to_owned()).map_err(Error::Html)
    }
}
