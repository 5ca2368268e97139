//! A plan's proof as SARIF 2.1.0.

use std::collections::{BTreeMap, BTreeSet};

use steadfast_wire::plan::Finding;

use super::{Origin, Sheet};
use crate::context::Index;
use crate::link::relative_uri;
use crate::plain::{one_line, shorten, shown};
use crate::sarif::{escape, location, log, write};
use crate::{Error, Texts};

const QUOTE_CHARS_MAX: usize = 400;

/// The proof as SARIF 2.1.0: a rule for each check that found something, a result for each finding, located in the notes by line and
/// column (UTF-16 code units, from 1) and by byte; what rests on no words of the notes is located in the file of the plan, or of the
/// notes where the plan was made here. The item stands as a logical location, `plan[2]`. What fails the plan is an error, all else a
/// note.
///
/// # Errors
/// [`Error::Sarif`] where the JSON cannot be written.
pub fn sarif(sheet: &Sheet<'_>, texts: &Texts<'_>) -> Result<String, Error> {
    let index = Index::new(texts);
    let findings = &sheet.validation.findings;
    let ids: BTreeSet<&str> = findings.iter().map(|finding| finding.check.as_str()).collect();
    let numbers: BTreeMap<&str, usize> = ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let rules = ids.iter().map(|id| log::Rule::plain(id, escape(&one_line(&id.replace('-', " "))))).collect();
    let file = match sheet.origin {
        Origin::Given { file } => Some(file),
        Origin::Made { .. } => texts.files.keys().next().copied(),
    };
    let results = findings.iter().map(|finding| result(finding, &numbers, file, &index)).collect();
    write(rules, None, Vec::new(), results)
}

fn result(finding: &Finding, rules: &BTreeMap<&str, usize>, file: Option<&str>, index: &Index<'_>) -> log::Result {
    let mut text = one_line(&finding.message);
    if let Some(span) = &finding.ask_span {
        let quote = shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX);
        text = format!("{text} Notes: “{quote}” ({}).", index.place(span));
    }
    let place = match &finding.ask_span {
        Some(span) => Some(location(span, index)),
        None => file.map(|file| log::Location::of_file(relative_uri(file))),
    };
    let logical = finding.item_index.map(|at| format!("plan[{at}]"));
    let locations =
        place.map(|location| log::Location { logical_locations: log::logical(logical.as_deref()), ..location });
    log::Result {
        rule_id: finding.check.clone(),
        rule_index: rules.get(finding.check.as_str()).copied(),
        level: if finding.hard { "error" } else { "note" },
        message: log::Message { text: escape(&text) },
        locations: locations.into_iter().collect(),
        related_locations: Vec::new(),
        partial_fingerprints: None,
        baseline_state: None,
        suppressions: None,
        rank: None,
        properties: log::Properties::Plan { hard: finding.hard, constraint_id: finding.constraint_id.clone() },
    }
}
