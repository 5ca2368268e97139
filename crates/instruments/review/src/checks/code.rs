//! Code blocks that announce JSON or TOML and are not. A warning, never a false claim: excerpts are common.
//!
//! Left alone are blocks with an ellipsis (an excerpt), JSON with comments, and what is nested deeper than the parser goes.

use steadfast_text::{BlockKind, Document, Span};

/// The id of this check.
pub const ID: &str = "code";

/// The largest block that is parsed, in bytes.
pub const CODE_BYTES_MAX: usize = 1024 * 1024;

/// A code block that is not what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misannounced {
    /// What it says it is.
    pub language: &'static str,
    /// What the parser stopped at.
    pub message: String,
    /// Where it stands, in bytes of the output.
    pub span: Span,
}

/// The code blocks of a document that announce a language whose parser refuses them.
#[must_use]
pub fn check(document: &Document) -> Vec<Misannounced> {
    let mut out = Vec::new();
    for block in &document.blocks {
        let BlockKind::Code { language: Some(language) } = &block.kind else { continue };
        let text = block.text.plain.as_str();
        if text.len() > CODE_BYTES_MAX || text.contains("...") || text.contains('…') {
            continue;
        }
        let (language, message) = match language.to_ascii_lowercase().as_str() {
            "json" => ("JSON", json(text)),
            "toml" => ("TOML", text.parse::<toml::Table>().err().map(|error| error.message().to_owned())),
            _ => continue,
        };
        if let Some(message) = message {
            out.push(Misannounced { language, message, span: block.span });
        }
    }
    out
}

fn json(text: &str) -> Option<String> {
    if text.lines().any(|line| line.trim_start().starts_with("//") || line.trim_start().starts_with("/*")) {
        return None;
    }
    // One value after the other is JSON lines.
    let error = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>().find_map(Result::err)?;
    (!error.to_string().starts_with("recursion limit")).then(|| error.to_string())
}
