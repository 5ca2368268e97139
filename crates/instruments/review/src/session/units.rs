//! A report as units that can each claim something: sentences, rows of tables, items of lists.

use steadfast_text::{SENTENCE_BYTES_MAX, Span};

use super::sentences::sentences;

/// The longest unit that is looked at, in bytes: sentences come in pieces of so many, and rows that are longer are left out.
pub(super) const UNIT_BYTES_MAX: usize = SENTENCE_BYTES_MAX;

/// The longest heading that is kept, and the longest head of a table, in bytes; each is looked at again for every unit below it.
const HEADING_BYTES_MAX: usize = 500;

/// A sentence, an item or a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit<'a> {
    /// Its words, without the signs of lists.
    pub(super) text: &'a str,
    /// Where it stands.
    pub(super) span: Span,
    /// Whether it is marked as not done (`[ ]`, ❌).
    pub(super) open: bool,
    /// Whether it is a row of a table.
    pub(super) row: bool,
    /// Whether it is a heading.
    pub(super) title: bool,
    /// The heading above it, or the line that leads into its list.
    pub(super) heading: &'a str,
    /// The head of its table, where it is a row.
    pub(super) columns: &'a str,
    /// Whether it begins an item of a list.
    pub(super) item: bool,
}

/// The units of a report; blocks of code hold none.
pub(super) fn units(report: &str) -> Vec<Unit<'_>> {
    steadfast_steps::spend(report.len());
    let mut out = Vec::new();
    let (mut fenced, mut heading, mut head_row, mut from) = (false, "", None, 0);
    for raw in report.split_inclusive('\n') {
        let start = from;
        from += raw.len();
        let line = raw.trim_end();
        let text = line.trim_start();
        if text.starts_with("```") || text.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if !text.starts_with('|') {
            head_row = None;
        }
        if fenced || text.is_empty() {
            continue;
        }
        if let Some(own) = text.strip_prefix('#') {
            heading = own.trim_start_matches('#').trim();
        } else if (text.starts_with("**") && text.trim_end_matches(':').ends_with("**")) || text.ends_with(':') {
            heading = text.trim_matches(['*', ':', ' ']);
        }
        if heading.len() > HEADING_BYTES_MAX {
            heading = "";
        }
        let at = start + (line.len() - text.len());
        let head = signs(text);
        let open = ["[ ]", "❌", "✗", "✘", "⬜", "🚫"].iter().any(|it| text[..head].contains(it));
        let body = &text[head..];
        let row = body.starts_with('|');
        let title = text.starts_with('#');
        let item = head > 0 && !title;
        let columns = head_row.unwrap_or_default();
        let like = Unit { text: "", span: Span::new(0, 0), open, row, title, heading, columns, item };
        if row {
            head_row.get_or_insert(if body.len() > HEADING_BYTES_MAX { "" } else { body });
            push(&mut out, body, at + head, like);
            continue;
        }
        for range in sentences(body) {
            let text = &body[range.clone()];
            push(&mut out, text, at + head + range.start, Unit { item: item && range.start == 0, ..like });
        }
    }
    out
}

fn push<'a>(out: &mut Vec<Unit<'a>>, text: &'a str, at: usize, like: Unit<'a>) {
    let own = text.trim();
    let start = at + (text.len() - text.trim_start().len());
    if !own.is_empty() && own.len() <= UNIT_BYTES_MAX {
        out.push(Unit { text: own, span: Span::new(start, start + own.len()), ..like });
    }
}

/// How many bytes of a line are signs of lists, headings, quotes and boxes.
fn signs(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let skip = [
            "- [ ] ", "- [x] ", "- [X] ", "* [ ] ", "* [x] ", "[ ] ", "[x] ", "- ", "* ", "+ ", "> ", "• ", "✅ ",
            "✅", "☑️ ", "✔️ ", "✔ ", "✓ ", "❌ ", "❌", "✗ ", "✘ ", "⬜ ", "🚫 ", "# ", "## ", "### ", "#### ",
        ]
        .iter()
        .find(|sign| rest.starts_with(**sign))
        .map(|sign| sign.len())
        .or_else(|| {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            (digits > 0 && digits < 4 && (rest[digits..].starts_with(". ") || rest[digits..].starts_with(") ")))
                .then_some(digits + 2)
        });
        match skip {
            Some(bytes) => at += bytes,
            None => return at,
        }
    }
}

/// What stands between backticks.
pub(super) fn code_spans(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).map(str::trim).filter(|it| !it.is_empty()).collect()
}

/// Whether a text looks like a path of a file: a name with an ending, or parts with slashes.
pub(super) fn is_path(text: &str) -> bool {
    let text = text.trim_end_matches(['/', ':']);
    if text.is_empty()
        || text.len() > 200
        || text
            .contains([' ', '(', ')', '"', '\'', '<', '>', '{', '}', '=', '*', '$', ',', ';', '|', '@', '%', '?', '&'])
        || text.contains("://")
        || text.starts_with(['/', '-']) && !text.contains('.')
    {
        return false;
    }
    let name = text.rsplit('/').next().unwrap_or(text);
    let ending = name.rsplit_once('.');
    match ending {
        Some((stem, ending)) => {
            let good = (1..=8).contains(&ending.len())
                && ending.chars().all(|c| c.is_ascii_alphanumeric())
                && ending.chars().any(|c| c.is_ascii_alphabetic());
            good && (text.contains('/') || is_ending(ending)) && !stem.ends_with('.')
        }
        None => false,
    }
}

/// Endings of files that are named without their folder.
fn is_ending(ending: &str) -> bool {
    matches!(
        ending,
        "rs" | "py"
            | "ts"
            | "tsx"
            | "js"
            | "jsx"
            | "mjs"
            | "cjs"
            | "go"
            | "java"
            | "kt"
            | "rb"
            | "php"
            | "cs"
            | "cpp"
            | "cc"
            | "c"
            | "h"
            | "hpp"
            | "swift"
            | "ex"
            | "exs"
            | "scala"
            | "dart"
            | "sql"
            | "sh"
            | "md"
            | "mdx"
            | "rst"
            | "txt"
            | "json"
            | "jsonl"
            | "yaml"
            | "yml"
            | "toml"
            | "ini"
            | "cfg"
            | "conf"
            | "env"
            | "html"
            | "css"
            | "scss"
            | "vue"
            | "svelte"
            | "tf"
            | "proto"
            | "graphql"
            | "lock"
            | "csv"
            | "xml"
            | "gradle"
            | "bats"
            | "lua"
            | "pl"
            | "r"
            | "jl"
            | "ipynb"
            | "dockerfile"
            | "log"
            | "hcl"
            | "zig"
            | "erl"
            | "clj"
            | "hs"
            | "ml"
            | "feature"
            | "snap"
            | "patch"
            | "diff"
            | "mod"
            | "sum"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_sentences_items_and_rows() {
        let report = "# Done\n\nAll 5 tests pass. See e.g. `a. b`; it is fine!\n\n- [x] Built\n- [ ] Linted\n1. One\n| `a.md` | new |\n\n```\ncode. here\n```\n";
        let all = units(report);
        let texts: Vec<&str> = all.iter().map(|it| it.text).collect();
        assert_eq!(
            texts,
            [
                "Done",
                "All 5 tests pass.",
                "See e.g. `a. b`;",
                "it is fine!",
                "Built",
                "Linted",
                "One",
                "| `a.md` | new |"
            ]
        );
        assert!(all[5].open && !all[4].open && all[7].row && all[1].heading == "Done");
        for unit in &all {
            assert_eq!(&report[unit.span.range()], unit.text);
        }
    }

    #[test]
    fn paths() {
        for path in ["src/a.rs", "README.md", "docs/x/y.md", "app/core/cursor.py", ".github/workflows/ci.yml"] {
            assert!(is_path(path), "{path}");
        }
        for other in [
            "cell()",
            "v1.2",
            "a.b.c d",
            "GET /v1/orders",
            "origin/main",
            "0.5s",
            "https://a.b/c.md",
            "request.user",
            "src/auth",
        ] {
            assert!(!is_path(other), "{other}");
        }
    }

    #[test]
    fn what_is_over_the_limits_is_cut_or_left_out() {
        assert_eq!(units(&"x".repeat(UNIT_BYTES_MAX)).len(), 1);
        assert_eq!(units(&"x".repeat(UNIT_BYTES_MAX + 1)).len(), 2);
        assert_eq!(units(&format!("|{}", "x".repeat(UNIT_BYTES_MAX - 1))).len(), 1);
        assert!(units(&format!("|{}", "x".repeat(UNIT_BYTES_MAX))).is_empty());
        let below = |bytes: usize| {
            let head = "x".repeat(bytes - 1);
            let report = format!("# {head}y\n\n|{head}\n| a |");
            let all = units(&report);
            all.last().map(|it| (it.heading.len(), it.columns.len()))
        };
        assert_eq!(below(HEADING_BYTES_MAX), Some((HEADING_BYTES_MAX, HEADING_BYTES_MAX)));
        assert_eq!(below(HEADING_BYTES_MAX + 1), Some((0, 0)));
    }
}
