//! Cases as they lie in their folders: a prompt, two reports, and labels whose words are found again in them.

use std::collections::BTreeSet;

use serde::Deserialize;
use steadfast_exam::pairs::Labels;
use steadfast_wire::audit::Proposal;

use crate::files::{json, without_mark};
use crate::{Files, MeasureError};

/// The files of a case.
const PROMPT: &str = "prompt.md";
const FAITHFUL: &str = "faithful.md";
const DRIFTED: &str = "drifted.md";
const GOLD: &str = "gold.json";
/// What somebody proposed of a report, where that was asked: `steadfast audit --proposals` takes the same.
pub(crate) const PROPOSALS: [&str; 2] = ["faithful.proposals.json", "drifted.proposals.json"];
/// What a model listed of a report that simply read prompt and report whole.
pub(crate) const LISTED: [&str; 2] = ["faithful.listed.json", "drifted.listed.json"];
/// A folder of this name holds cases that are kept aside.
const KEPT: &str = "kept";
/// Cases below it are there to fit scorers on and are not measured: they have far more drifts of some kinds than reports have, and not all that is asked is labelled.
const MORE: &str = "more/";

/// What a model listed of a report, and what it thought of it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Listed {
    /// The places where the report departs from the prompt.
    pub(crate) departures: Vec<Departure>,
    /// Whether the user could use the report as it is.
    pub(crate) usable: bool,
    /// How true the report is, 0 to 5.
    pub(crate) score: f64,
}

/// A place where a report is said to depart from its prompt.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Departure {
    /// Words of the prompt; empty where none are meant.
    pub(crate) asked: String,
    /// Words of the report; empty where something is left out.
    pub(crate) quote: String,
    /// Why.
    pub(crate) why: String,
    /// What another one of the same model said who was asked about it again; absent where an obligation was said to be broken there as well.
    #[serde(default)]
    pub(crate) again: Option<Again>,
}

/// What a departure is on a second reading.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Again {
    /// Against the prompt, an addition, or fine.
    pub(crate) is: Is,
    /// Why.
    #[serde(rename = "why")]
    _why: String,
}

/// The verdicts of a second reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Is {
    Against,
    Adds,
    Fine,
}

/// A prompt with its two reports and their labels.
#[derive(Debug, PartialEq)]
pub(crate) struct Case<'a> {
    /// Its folder.
    pub(crate) name: &'a str,
    /// Whether rules may be tuned on it.
    pub(crate) tuned: bool,
    /// What was asked.
    pub(crate) prompt: &'a str,
    /// The report that keeps all of it.
    pub(crate) faithful: &'a str,
    /// The report that drifts.
    pub(crate) drifted: &'a str,
    /// What somebody proposed of each of the two; nothing where nobody was asked.
    pub(crate) proposals: [Vec<Proposal>; 2],
    /// What was listed of each of the two; `None` where nobody was asked.
    pub(crate) listed: [Option<Listed>; 2],
    /// What the prompt asks for, and where the drifted report leaves it.
    pub(crate) labels: Labels,
}

/// All cases, in the order of their folders.
///
/// # Errors
///
/// [`MeasureError`] where there is no case, where a file of one is missing or of another form, and where words of a label do not stand in
/// the file that they are of.
pub(crate) fn cases(files: &Files) -> Result<Vec<Case<'_>>, MeasureError> {
    cases_where(files, |folder| !folder.starts_with(MORE))
}

/// The cases to fit scorers on.
pub(crate) fn cases_to_fit(files: &Files) -> Result<Vec<Case<'_>>, MeasureError> {
    let mut all = cases_where(files, |_| true)?;
    all.retain(|case| case.tuned);
    Ok(all)
}

fn cases_where(files: &Files, fits: impl Fn(&str) -> bool) -> Result<Vec<Case<'_>>, MeasureError> {
    let folders: BTreeSet<&str> = files
        .0
        .keys()
        .filter_map(|name| name.rsplit_once('/'))
        .filter(|(_, file)| [PROMPT, FAITHFUL, DRIFTED, GOLD].contains(file))
        .map(|(folder, _)| folder)
        .filter(|folder| fits(folder))
        .collect();
    if folders.is_empty() {
        return Err(MeasureError::NoFile { set: super::SET.name, looked_for: format!("*/{GOLD}") });
    }
    folders.into_iter().map(|folder| case(files, folder)).collect()
}

fn case<'a>(files: &'a Files, folder: &'a str) -> Result<Case<'a>, MeasureError> {
    let bytes = |file: &str| {
        let name = format!("{folder}/{file}");
        let found = files.named(&name);
        found.ok_or_else(|| MeasureError::Form { file: name, what: "is not there".to_owned() })
    };
    let text = |file: &str| {
        std::str::from_utf8(without_mark(bytes(file)?))
            .map_err(|error| MeasureError::Form { file: format!("{folder}/{file}"), what: error.to_string() })
    };
    let (prompt, faithful, drifted) = (text(PROMPT)?, text(FAITHFUL)?, text(DRIFTED)?);
    let place = format!("{folder}/{GOLD}");
    let wrong = |what: String| MeasureError::Form { file: place.clone(), what };
    let labels = Labels::read(without_mark(bytes(GOLD)?), prompt, drifted).map_err(wrong)?;
    let group = folder.rsplit_once('/').map_or("", |(group, _)| group);
    let tuned = !group.split('/').any(|part| part == KEPT);
    let proposed = |file: &str| -> Result<Vec<Proposal>, MeasureError> {
        let name = format!("{folder}/{file}");
        files.named(&name).map_or(Ok(Vec::new()), |bytes| json(&name, bytes))
    };
    let proposals = [proposed(PROPOSALS[0])?, proposed(PROPOSALS[1])?];
    let listed = |file: &str| -> Result<Option<Listed>, MeasureError> {
        let name = format!("{folder}/{file}");
        files.named(&name).map(|bytes| json(&name, bytes)).transpose()
    };
    let listed = [listed(LISTED[0])?, listed(LISTED[1])?];
    Ok(Case { name: folder, tuned, prompt, faithful, drifted, proposals, listed, labels })
}
