//! Reports of agents with the session behind them, bans on actions with the calls, and logs of test runners, by writers who did not know the program.
//!
//! Below the set's folder lie `claims`, `bans`, `asks` and `logs`, each with folders. A lie is found where a claim that is called contradicted overlaps its words; an honest report
//! is accused where any of its claims is. A break is found where call and words are those of the label. A log is read where all its counts are right.
//!
//! Beside a session may lie what an agent proposed of it (`report.proposals.json` in the folder of a report, and in one of the name of an ask beside `cases.jsonl`): the set
//! `sessions_host` counts it as that of somebody who is trusted. [`logs`] are the cases as such an agent sees them.

mod asks;
mod cases;

use steadfast_wire::review::ReviewProposal;

use super::drift::{ratio, share};
use super::{Reader, Set, Uses};
use crate::files::{json, placed_json_lines};
use crate::{Count, Files, Means, MeasureError, Row};
use asks::Labelled;
use cases::{Acted, Gold, Logged, Worded, judge, name};

/// What somebody proposed of a session: `steadfast review --proposals` takes the same.
const PROPOSALS: &str = "report.proposals.json";

pub(super) const SET: Set = Set {
    name: "sessions",
    about: "agents' reports against their sessions, bans on actions against calls, logs of test runners and words on tests, by writers who did not know the program",
    metrics: &[
        ratio("lies_found", None, None),
        ratio("honest_accused", None, None),
        ratio("accusations_false", None, None),
        ratio("states_right", None, None),
        ratio("breaks_found", None, None),
        ratio("breaks_false", None, None),
        ratio("logs_read", None, None),
        ratio("wordings_read", None, None),
        ratio("bans_read", None, None),
        ratio("bans_read_right", None, None),
    ],
    read: Reader::within("sessions", Uses::Rules, read),
};

/// The same reports and asks, where somebody was asked: what rules leave open is decided by that.
pub(super) const HOST: Set = Set {
    name: "sessions_host",
    about: "the reports and asks of `sessions` of which an agent judged what rules leave open (`report.proposals.json`), trusted: the same figures",
    metrics: &[
        ratio("lies_found", None, None),
        ratio("honest_accused", None, None),
        ratio("accusations_false", None, None),
        ratio("states_right", None, None),
        ratio("breaks_found", None, None),
        ratio("breaks_false", None, None),
    ],
    read: Reader::within(SET.name, Uses::Rules, read_host),
};

/// The folder that a file lies in.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Rules are tuned on what does not lie in a folder `kept`.
fn is_tuned(path: &str) -> bool {
    !path.split('/').any(|part| part == "kept")
}

fn form(file: &str, what: String) -> MeasureError {
    MeasureError::Form { file: file.to_owned(), what }
}

fn row(id: String, prediction: String, label: String, path: &str, counts: Vec<Count>) -> Row {
    Row { id, prediction, score: None, label, tuned: is_tuned(path), group: None, counts }
}

/// The log of a report's session.
fn log_of<'a>(files: &'a Files, gold: &str) -> Result<&'a [u8], MeasureError> {
    let log = format!("{}/session.jsonl", folder(gold));
    files.named(&log).ok_or_else(|| form(gold, format!("there is no {log}")))
}

/// The reports with their labels, by the files of the labels.
fn reports(files: &Files) -> impl Iterator<Item = (&str, &[u8])> {
    files.ending("gold.json").filter(|(path, _)| path.starts_with("claims/"))
}

/// The asks with what was done: the folder that is theirs, the place of the line, and the case.
fn asks(files: &Files) -> Result<Vec<(String, String, Acted)>, MeasureError> {
    let mut out = Vec::new();
    for (path, bytes) in files.ending("cases.jsonl").filter(|(path, _)| path.starts_with("bans/")) {
        for (place, case) in placed_json_lines::<Acted>(path, bytes)? {
            out.push((format!("{}/{}", folder(path), case.id), place, case));
        }
    }
    Ok(out)
}

/// The cases as whoever judges them sees them: the folder of each, and its log. No label is among them.
///
/// # Errors
/// [`MeasureError`] where a file is not of its form.
pub fn logs(files: &Files) -> Result<Vec<(String, String)>, MeasureError> {
    let mut out = Vec::new();
    for (path, _) in reports(files) {
        out.push((folder(path).to_owned(), String::from_utf8_lossy(log_of(files, path)?).into_owned()));
    }
    out.extend(asks(files)?.into_iter().map(|(folder, _, case)| (folder, case.log())));
    Ok(out)
}

/// What somebody proposed of a case; `None` where nobody was asked.
fn proposed(files: &Files, folder: &str) -> Result<Option<Vec<ReviewProposal>>, MeasureError> {
    let name = format!("{folder}/{PROPOSALS}");
    files.named(&name).map(|bytes| json(&name, bytes)).transpose()
}

fn read_host(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    judged(files, true)
}

/// The rows of reports and asks: with what somebody proposed where `host`, and then only those of which somebody was asked.
fn judged(files: &Files, host: bool) -> Result<Vec<Row>, MeasureError> {
    let mut rows = Vec::new();
    let proposals = |folder: &str| match host {
        true => proposed(files, folder),
        false => Ok(Some(Vec::new())),
    };
    for (path, bytes) in reports(files) {
        let Some(proposals) = proposals(folder(path))? else { continue };
        let gold: Gold = json(path, bytes)?;
        let own = judge(log_of(files, path)?, &proposals).map_err(|what| form(path, what))?;
        let accused: Vec<_> = own.contradicted().collect();
        let is_lie = |claim: &&&steadfast_review::session::Claim| {
            gold.lie.as_ref().is_some_and(|lie| own.is_at(claim, &lie.quote))
        };
        let mut counts = vec![match &gold.lie {
            Some(_) => share("lies_found", accused.iter().any(|claim| is_lie(&claim))),
            None => share("honest_accused", !accused.is_empty()),
        }];
        // A lie may be told twice.
        let is_true = |claim: &steadfast_review::session::Claim| {
            gold.claims.iter().any(|it| it.state == "contradicted" && own.is_at(claim, &it.quote))
        };
        counts.extend(accused.iter().map(|claim| share("accusations_false", !is_lie(&claim) && !is_true(claim))));
        for wanted in &gold.claims {
            let found = own.assessed.claims.iter().filter(|claim| own.is_at(claim, &wanted.quote));
            let states: Vec<&str> = found.map(|claim| name(claim.state)).collect();
            if !states.is_empty() {
                counts.push(share("states_right", states.contains(&wanted.state.as_str())));
            }
        }
        let prediction = accused
            .iter()
            .map(|claim| own.report.get(claim.span.range()).unwrap_or_default())
            .collect::<Vec<_>>()
            .join(" | ");
        rows.push(row(
            path.to_owned(),
            prediction,
            gold.lie.as_ref().map_or_else(|| "honest".to_owned(), |lie| lie.quote.clone()),
            path,
            counts,
        ));
    }
    for (path, place, case) in asks(files)? {
        let Some(proposals) = proposals(&path)? else { continue };
        let own = judge(case.log().as_bytes(), &proposals).map_err(|what| form(&place, what))?;
        let found = &own.assessed.breaks;
        let mut counts: Vec<Count> =
            case.breaks.iter().map(|gold| share("breaks_found", found.iter().any(|own| case.is(own, gold)))).collect();
        // Another break of the same words is no false one.
        let is_true = |own: &&steadfast_review::session::Break| case.breaks.iter().any(|gold| case.is(own, gold));
        counts.push(share("breaks_false", found.iter().any(|own| !is_true(&own))));
        let shown = |own: &steadfast_review::session::Break| format!("{} @{}", own.obligation, Acted::place(own));
        let label =
            case.breaks.iter().map(|gold| format!("{} @{}", gold.ban, gold.call)).collect::<Vec<_>>().join(" | ");
        rows.push(row(
            format!("{place} {}", case.id),
            found.iter().map(shown).collect::<Vec<_>>().join(" | "),
            label,
            &path,
            counts,
        ));
    }
    Ok(rows)
}

fn read(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let mut rows = judged(files, false)?;
    for (path, bytes) in files.ending("logs.jsonl").filter(|(path, _)| path.starts_with("logs/")) {
        for (place, case) in placed_json_lines::<Logged>(path, bytes)? {
            let name = case.file.rsplit('/').next().unwrap_or_default();
            let within = format!("{}/", folder(path));
            let log = files
                .0
                .iter()
                .find(|(own, _)| own.starts_with(&within) && own.rsplit('/').next() == Some(name))
                .map(|(_, bytes)| bytes);
            let log = log.ok_or_else(|| form(&place, format!("there is no {name}")))?;
            let read = case.is_read(&String::from_utf8_lossy(log));
            let got = steadfast_session::test_log::test_log(&String::from_utf8_lossy(log));
            let prediction =
                got.map_or_else(|| "no log".to_owned(), |it| format!("{} {} {}", it.passed, it.failed, it.skipped));
            rows.push(row(
                format!("{place} {name}"),
                prediction,
                format!("{} {} {:?}", case.passed, case.failed, case.skipped),
                path,
                vec![share("logs_read", read)],
            ));
        }
    }
    for (path, bytes) in files.ending("wordings.jsonl").filter(|(path, _)| path.starts_with("logs/")) {
        for (place, case) in placed_json_lines::<Worded>(path, bytes)? {
            let got = format!("{:?}", steadfast_review::session::claims::said::said(&case.text));
            rows.push(row(place, got, case.text.clone(), path, vec![share("wordings_read", case.is_read())]));
        }
    }
    for (path, bytes) in files.ending(".jsonl").filter(|(path, _)| path.starts_with("asks/")) {
        for (place, case) in placed_json_lines::<Labelled>(path, bytes)? {
            let read = case.read();
            let mut counts: Vec<Count> = read.found.iter().map(|(_, found)| share("bans_read", *found)).collect();
            counts.extend(read.right.iter().map(|(_, right)| share("bans_read_right", *right)));
            let joined = |all: &[(String, bool)]| all.iter().map(|(it, _)| it.as_str()).collect::<Vec<_>>().join(" | ");
            rows.push(row(format!("{place} {}", case.id), joined(&read.right), joined(&read.found), path, counts));
        }
    }
    if rows.is_empty() {
        return Err(MeasureError::NoFile { set: SET.name, looked_for: "claims/*/*/gold.json".to_owned() });
    }
    Ok(rows)
}
