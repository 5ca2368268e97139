//! The one list of definitions: every figure of a page leads here.

use std::sync::LazyLock;

use askama::Template;
use axum::response::Response;

use super::shell::{Page, Section, filters, show};
use crate::problem::Problem;

/// A figure or word, and what it means.
struct Term {
    /// Its anchor on the page: lower-case letters and `-`.
    id: &'static str,
    /// As pages label it.
    label: &'static str,
    /// What it means, in sentences.
    text: &'static str,
    /// How it is computed; empty where there is no formula.
    formula: &'static str,
}

/// The definitions of one part.
struct Group {
    id: &'static str,
    label: &'static str,
    terms: Vec<Term>,
}

/// All definitions, by part. A line of two columns begins a part: id and label. A line of three or four is a term: id, label, text, formula.
static TERMS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let mut groups = Vec::<Group>::new();
    for line in include_str!("help/terms.tsv").lines() {
        let columns: Vec<_> = line.split('\t').collect();
        let (id, label, text, formula) = match columns[..] {
            [id, label] => {
                groups.push(Group { id, label, terms: Vec::new() });
                continue;
            }
            [id, label, text] => (id, label, text, ""),
            [id, label, text, formula] => (id, label, text, formula),
            _ => panic!("terms.tsv: `{line}` has neither two, three nor four columns"),
        };
        groups.last_mut().expect("the first line of terms.tsv begins a part").terms.push(Term {
            id,
            label,
            text,
            formula,
        });
    }
    groups
});

#[derive(Template)]
#[template(path = "help.html")]
struct HelpPage {
    page: Page,
    groups: &'static [Group],
}

/// The glossary.
pub(super) async fn page() -> Result<Response, Problem> {
    let page = Page::new(Section::Help, "What the figures mean")
        .lead("Every figure of these pages is defined here, once. What is computed is computed by code from findings; a model only proposes.");
    show(&HelpPage { page, groups: &TERMS })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::TERMS;

    #[test]
    fn every_term_that_a_page_names_is_defined_once() {
        let mut ids = BTreeSet::new();
        for term in TERMS.iter().flat_map(|group| &group.terms) {
            assert!(ids.insert(term.id), "`{}` is defined twice", term.id);
            assert!(term.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "`{}`", term.id);
            assert!(term.text.ends_with('.'), "`{}` does not end in a sentence", term.id);
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut named = 0;
        let folders = ["templates", "../../application/render/templates"];
        for file in folders.iter().flat_map(|folder| fs::read_dir(root.join(folder)).unwrap()) {
            let file = file.unwrap().path();
            let text = fs::read_to_string(&file).unwrap();
            // `ui::figure("Label", value, "term", …)` and `ui::term("Label", "term")`, and links to the page itself.
            let links = text.split("/help#").skip(1).map(|rest| rest.split(['"', '#']).next().unwrap());
            let calls = text.split("ui::term(\"").skip(1).filter_map(|rest| rest.split('"').nth(2));
            let macros = text.split("call term(help, \"").skip(1).filter_map(|rest| rest.split('"').next());
            for id in links.chain(calls).chain(macros).filter(|id| !id.contains('{') && !id.is_empty()) {
                assert!(ids.contains(id), "{}: `{id}` is defined nowhere", file.display());
                named += 1;
            }
        }
        assert!(named > 0, "no template names a term");
    }
}
