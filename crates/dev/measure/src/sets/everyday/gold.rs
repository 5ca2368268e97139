//! Cases as they lie in their folders: a prompt, two reports, and labels whose words are found again in them.

use std::collections::BTreeSet;

use serde::Deserialize;
use steadfast_text::Span;
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
/// A folder of this name holds cases that are kept aside.
const KEPT: &str = "kept";
/// Cases below it are there to fit scorers on and are not measured: they have far more drifts of some kinds than reports have, and not all that is asked is labelled.
const MORE: &str = "more/";

/// What the label says became of an obligation in a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Became {
    /// The report keeps it.
    Kept,
    /// The report breaks it.
    Broken,
    /// The report keeps less of it than was asked.
    Weakened,
    /// The report does not speak of it.
    Unmentioned,
}

impl Became {
    /// Whether the report does not keep what was asked.
    pub(crate) const fn is_breach(self) -> bool {
        matches!(self, Self::Broken | Self::Weakened)
    }

    /// As the file has it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Broken => "broken",
            Self::Weakened => "weakened",
            Self::Unmentioned => "unmentioned",
        }
    }
}

/// An obligation as the file has it.
#[derive(Deserialize)]
struct ObligationLine {
    id: String,
    quote: String,
    faithful: Became,
    drifted: Became,
}

/// A drift as the file has it.
#[derive(Deserialize)]
struct DriftLine {
    id: String,
    quote: String,
    obligation: Option<String>,
    kind: String,
}

/// The file of labels. What else stands in it is not measured.
#[derive(Deserialize)]
struct GoldFile {
    obligations: Vec<ObligationLine>,
    drifts: Vec<DriftLine>,
}

/// An obligation of the prompt.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Obligation {
    /// Its id in the case.
    pub(crate) id: String,
    /// Where its words stand in the prompt.
    pub(crate) span: Span,
    /// What became of it in the faithful report.
    pub(crate) faithful: Became,
    /// What became of it in the drifted report.
    pub(crate) drifted: Became,
}

/// Where a drift is to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// At these words of the drifted report.
    Said(Span),
    /// Nowhere in the report: these words of the prompt were left out.
    LeftOut(Span),
}

/// A drift of the drifted report.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Drift {
    /// Its id in the case.
    pub(crate) id: String,
    /// Its kind, as the file has it.
    pub(crate) kind: String,
    /// Where the words of the prompt stand that it goes against, if there are any.
    pub(crate) obligation: Option<Span>,
    /// Where it is to be seen.
    pub(crate) place: Place,
}

/// A prompt with its two reports and their labels.
#[derive(Debug, PartialEq, Eq)]
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
    /// What the prompt asks for.
    pub(crate) obligations: Vec<Obligation>,
    /// Where the drifted report leaves it.
    pub(crate) drifts: Vec<Drift>,
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
    let gold: GoldFile = json(&place, bytes(GOLD)?)?;
    let wrong = |id: &str, what: String| MeasureError::Form { file: place.clone(), what: format!("{id}: {what}") };
    let find = |id: &str, quote: &str, text: &str, file: &str| {
        let start = text.find(quote).filter(|_| !quote.trim().is_empty());
        start
            .map(|start| Span::new(start, start + quote.len()))
            .ok_or_else(|| wrong(id, format!("`{quote}` does not stand in {folder}/{file}")))
    };
    let mut obligations = Vec::new();
    for line in gold.obligations {
        let span = find(&line.id, &line.quote, prompt, PROMPT)?;
        obligations.push(Obligation { id: line.id, span, faithful: line.faithful, drifted: line.drifted });
    }
    let mut drifts = Vec::new();
    for line in gold.drifts {
        let broken = line.obligation.as_deref().map(|id| {
            let found = obligations.iter().find(|own| own.id == id);
            found.map(|own| own.span).ok_or_else(|| wrong(&line.id, format!("there is no obligation `{id}`")))
        });
        let obligation = broken.transpose()?;
        let place = match (line.quote.is_empty(), obligation) {
            (false, _) => Place::Said(find(&line.id, &line.quote, drifted, DRIFTED)?),
            (true, Some(span)) => Place::LeftOut(span),
            (true, None) => return Err(wrong(&line.id, "has neither words nor an obligation".to_owned())),
        };
        drifts.push(Drift { id: line.id, kind: line.kind, obligation, place });
    }
    let group = folder.rsplit_once('/').map_or("", |(group, _)| group);
    let tuned = !group.split('/').any(|part| part == KEPT);
    let proposed = |file: &str| -> Result<Vec<Proposal>, MeasureError> {
        let name = format!("{folder}/{file}");
        files.named(&name).map_or(Ok(Vec::new()), |bytes| json(&name, bytes))
    };
    let proposals = [proposed(PROPOSALS[0])?, proposed(PROPOSALS[1])?];
    Ok(Case { name: folder, tuned, prompt, faithful, drifted, proposals, obligations, drifts })
}
