//! A plan's proof as SARIF 2.1.0.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use steadfast_wire::plan::Finding;

use super::{Origin, Sheet};
use crate::context::Index;
use crate::plain::{one_line, shorten, shown};
use crate::sarif::{escape, location, of_file, rule, write};
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
    let rules = ids.iter().map(|id| rule(id, &escape(&one_line(&id.replace('-', " "))))).collect();
    let file = match sheet.origin {
        Origin::Given { file } => Some(file),
        Origin::Made { .. } => texts.files.keys().next().copied(),
    };
    let results = findings.iter().map(|finding| result(finding, &numbers, file, &index)).collect();
    write(rules, None, Vec::new(), results)
}

fn result(finding: &Finding, rules: &BTreeMap<&str, usize>, file: Option<&str>, index: &Index<'_>) -> Value {
    let mut text = one_line(&finding.message);
    if let Some(span) = &finding.ask_span {
        let quote = shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX);
        text = format!("{text} Notes: “{quote}” ({}).", index.place(span));
    }
    let place = match &finding.ask_span {
        Some(span) => Some(location(span, index)),
        None => file.map(of_file),
    };
    let locations = place.into_iter().map(|mut location| {
        if let Some(at) = finding.item_index {
            location["logicalLocations"] = json!([{"fullyQualifiedName": format!("plan[{at}]")}]);
        }
        location
    });
    json!({
        "ruleId": finding.check,
        "ruleIndex": rules.get(finding.check.as_str()),
        "level": if finding.hard { "error" } else { "note" },
        "message": {"text": escape(&text)},
        "locations": locations.collect::<Vec<_>>(),
        "relatedLocations": [],
        "properties": {"hard": finding.hard, "constraint_id": finding.constraint_id},
    })
}
