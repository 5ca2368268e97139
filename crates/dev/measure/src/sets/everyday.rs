//! Everyday requests, each with a report that keeps them and one that drifts, by writers who did not know the program.
//!
//! A folder is a case. An incident finds a drift where its words, or words that it also stands at, overlap the drift's by 30 % of the shorter;
//! a drift that leaves something out where the incident's words of the prompt overlap the obligation's likewise. Every incident on a faithful
//! report is a false one. Beside a report may lie what an agent proposed of it (`faithful.proposals.json`, `drifted.proposals.json`): the set `everyday_host`
//! counts it as that of somebody who is trusted. An obligation that the program read belongs to the labelled ones whose words it overlaps likewise.

pub(crate) mod gold;
#[cfg(test)]
mod tests;

use steadfast_audit::evaluation::incident_quote;
use steadfast_audit::exchange::Words;
use steadfast_audit::{Settings, Source, evaluation};
use steadfast_embed::Embedder;
use steadfast_evidence::{FileId, Quote, Status};
use steadfast_exam::pairs::{Became, Drift, Incident, Judged, Place, Verdict, belong};
use steadfast_text::{Document, Format, QuoteIndex};
use steadfast_wire::audit::{Origin, Proposal, Proposed, Relation};

use super::drift::{metric, one_if, ratio, share};
use super::{Reader, Set, Uses};
use crate::{Count, Files, Means, MeasureError, Metric, Row, Statistic};
use gold::{Case, Departure, Is, Listed};

const METRICS: &[Metric] = &[
    ratio("recall", None, None),
    ratio("recall/number", None, None),
    ratio("recall/date", None, None),
    ratio("recall/name", None, None),
    ratio("recall/same-word", None, None),
    ratio("recall/paraphrase", None, None),
    ratio("recall/world-knowledge", None, None),
    ratio("recall/omission", None, None),
    ratio("recall/hedge", None, None),
    ratio("recall/format", None, None),
    ratio("recall/invention", None, None),
    ratio("recall/table", None, None),
    ratio("recall/contradiction", None, None),
    ratio("incidents_right", None, None),
    ratio("false_per_1000_words", None, None),
    ratio("kept_wrong", None, None),
    ratio("kept_found", None, None),
    ratio("broken_kept", None, None),
    ratio("unclear", None, None),
    ratio("read", None, None),
    ratio("junk", None, None),
    ratio("passage_at_5", None, None),
    ratio("in_view", None, None),
    ratio("evaluable", None, None),
    metric("headline_auc", Statistic::AucOrHalf, None, None),
    ratio("usable/drifted", None, None),
    ratio("usable/faithful", None, None),
    ratio("usable/faithful_answered", None, None),
];

pub(super) const SET: Set = Set {
    name: "everyday",
    about: "everyday requests with a faithful and a drifted report each, by writers who did not know the program: recall by kind, false incidents, statuses, the overall score",
    metrics: METRICS,
    read: Reader::within("everyday", Uses::Model, read),
};

/// Asks of a few lines.
pub(super) const SHORT: Set = Set {
    name: "short",
    about: "asks of two to six lines with a report that keeps them and one that breaks them, by writers who did not know the program: the same figures",
    metrics: METRICS,
    read: Reader::within("short", Uses::Model, read),
};

/// Requests of all lengths, each obligation with the words of the reports that show what became of it.
pub(super) const PAIRS: Set = Set {
    name: "pairs",
    about: "requests of a few lines and of a page with a faithful and a drifted report each, by writers who did not know the program: the same figures",
    metrics: METRICS,
    read: Reader::within("pairs", Uses::Model, read),
};

/// The same cases, where somebody was asked about both reports: what rules leave open is decided by that.
pub(super) const HOST: Set = Set {
    name: "everyday_host",
    about: "the cases of `everyday` for which an agent judged what rules leave open (`*.proposals.json`), trusted: the same figures",
    metrics: METRICS,
    read: Reader::within(SET.name, Uses::Model, read_host),
};

/// The same, where the model also listed what departs of the whole report, and was asked again about what it lists alone.
pub(super) const CHAT: Set = Set {
    name: "everyday_chat",
    about: "the cases of `everyday` judged as `audit --judge both` judges: what a model says of obligations (`*.proposals.json`), and what it lists of the whole report (`*.listed.json`) and stands by on a second reading: the same figures",
    metrics: METRICS,
    read: Reader::within(SET.name, Uses::Model, read_chat),
};

/// What the same model finds that simply reads prompt and report.
pub(super) const ALONE: Set = Set {
    name: "everyday_alone",
    about: "the cases of `everyday` judged by the same model without the program, which read prompt and report whole and listed departures (`*.listed.json`): the figures that can be told of a list",
    metrics: METRICS,
    read: Reader::within(SET.name, Uses::Rules, read_alone),
};

/// The files of an audit.
const PROMPT: FileId = FileId(0);
const REPORT: FileId = FileId(1);

fn read(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    Ok(judged(&gold::cases(files)?, |_| [&[], &[]], means.embedder))
}

fn read_host(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let mut cases = gold::cases(files)?;
    cases.retain(|case| case.proposals.iter().all(|own| !own.is_empty()));
    if cases.is_empty() {
        let looked_for = format!("*/{}", gold::PROPOSALS[0]);
        return Err(MeasureError::NoFile { set: HOST.name, looked_for });
    }
    Ok(judged(&cases, |case| [&case.proposals[0], &case.proposals[1]], means.embedder))
}

/// The cases of which something was listed.
fn listed<'a>(files: &'a Files, set: &'static str) -> Result<Vec<Case<'a>>, MeasureError> {
    let mut cases = gold::cases(files)?;
    cases.retain(|case| case.listed.iter().all(Option::is_some));
    if cases.is_empty() {
        let looked_for = format!("*/{}", gold::LISTED[0]);
        return Err(MeasureError::NoFile { set, looked_for });
    }
    Ok(cases)
}

fn read_chat(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let mut cases = listed(files, CHAT.name)?;
    for case in &mut cases {
        let both = case.proposals.iter_mut().zip(&case.listed);
        both.for_each(|(own, listed)| own.extend(borne_out(own, listed.as_ref())));
    }
    Ok(judged(&cases, |case| [&case.proposals[0], &case.proposals[1]], means.embedder))
}

/// What of a list is proposed: what is not said of an obligation already, and goes against the prompt on a second reading as well.
fn borne_out(said: &[Proposal], listed: Option<&Listed>) -> Vec<Proposal> {
    let finds = |own: &&Proposal| !matches!(own.relation, Relation::Kept | Relation::Unrelated);
    let words = |own: &Proposal| Words::of(&own.quote, own.asked.as_deref().unwrap_or_default());
    let known: Vec<Words> = said.iter().filter(finds).map(words).collect();
    let stands = |own: &&Departure| {
        let words = Words::of(&own.quote, &own.asked);
        own.again.as_ref().is_some_and(|it| it.is == Is::Against) && !known.iter().any(|known| known.is_same(&words))
    };
    let departures = listed.map(|own| own.departures.as_slice()).unwrap_or_default();
    departures
        .iter()
        .filter(stands)
        .map(|own| Proposal {
            obligation: None,
            asked: Some(own.asked.clone()).filter(|asked| !asked.is_empty()),
            relation: if own.asked.is_empty() { Relation::Invented } else { Relation::Broken },
            quote: own.quote.clone(),
            why: own.why.clone(),
        })
        .collect()
}

fn read_alone(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let cases = listed(files, ALONE.name)?;
    let rows_of = |(group, case): (usize, &Case<'_>)| {
        let [faithful, drifted] = &case.listed;
        let of = |own: &Option<Listed>, report: &str| {
            own.as_ref().map_or_else(Verdict::default, |own| verdict_alone(case.prompt, report, own))
        };
        rows(group, case, &of(faithful, case.faithful), &of(drifted, case.drifted))
    };
    let mut all: Vec<Row> = cases.iter().enumerate().flat_map(rows_of).collect();
    // A list says nothing of obligations, passages or what can be judged.
    let told = ["incidents_right", "false_per_1000_words", "headline_auc", "usable/drifted", "usable/faithful"];
    let is_told = |own: &Count| own.metric.starts_with("recall") || told.contains(&own.metric);
    all.iter_mut().for_each(|row| row.counts.retain(is_told));
    all.retain(|row| !row.counts.is_empty() || row.id.contains("/incident "));
    Ok(all)
}

/// What a list says of a report, as far as its words stand in the texts.
fn verdict_alone(prompt: &str, report: &str, own: &Listed) -> Verdict {
    let document = |text: &str| Document::from_str_as(text, Format::Markdown);
    let (prompt, report) = (document(prompt), document(report));
    let (of_prompt, of_report) = (QuoteIndex::new(&prompt), QuoteIndex::new(&report));
    let incident = |own: &Departure| Incident {
        check: "listed".to_owned(),
        words: of_report.locate(&own.quote).map(|it| it.span).into_iter().collect(),
        asked: of_prompt.locate(&own.asked).map(|it| it.span),
        by_model: false,
    };
    Verdict {
        overall: Some(own.score),
        usable: own.usable,
        incidents: own.departures.iter().map(incident).collect(),
        obligations: Vec::new(),
        reason: String::new(),
    }
}

/// The rows of cases, with what was proposed of the faithful and of the drifted report.
fn judged(
    cases: &[Case<'_>],
    proposals: impl for<'a> Fn(&'a Case<'_>) -> [&'a [Proposal]; 2],
    embedder: Option<&dyn Embedder>,
) -> Vec<Row> {
    let judge = |(group, case): (usize, &Case<'_>)| {
        let [faithful, drifted] = proposals(case);
        let faithful = verdict(case.prompt, case.faithful, faithful, embedder);
        rows(group, case, &faithful, &verdict(case.prompt, case.drifted, drifted, embedder))
    };
    cases.iter().enumerate().flat_map(judge).collect()
}

/// Audits a report, with what somebody proposed of it, who is trusted.
fn verdict(prompt: &str, report: &str, proposals: &[Proposal], embedder: Option<&dyn Embedder>) -> Verdict {
    let source = |file: FileId, name: &str, text: &str| Source {
        file,
        name: name.to_owned(),
        document: Document::from_str_as(text, Format::Markdown),
    };
    let report = vec![source(REPORT, "report.md", report)];
    let own = Proposed { by: Origin::host(), person: None, proposals: proposals.to_vec() };
    let settings =
        Settings { proposals: vec![steadfast_engine::proposed(own)], trusts_host: true, ..Settings::default() };
    let judged = evaluation::read(&source(PROMPT, "prompt.md", prompt), report)
        .and_then(|(contract, answer)| evaluation::judge("prompt.md", contract, answer, &settings, embedder));
    let evaluation = match judged {
        Ok(examined) => examined.evaluation,
        Err(not) => return Verdict { reason: not.reason.to_string(), ..Verdict::default() },
    };
    let incident = |own: &steadfast_audit::incident::Incident| {
        let words = incident_quote(own).into_iter().chain(&own.finding.also_at).filter(|quote| quote.file() == REPORT);
        let asked = own.finding.source.as_ref().filter(|quote| quote.file() == PROMPT);
        Incident {
            check: own.finding.check.to_owned(),
            words: words.map(Quote::span).collect(),
            asked: asked.map(Quote::span),
            by_model: false,
        }
    };
    let judged = |own: &steadfast_audit::Judged| {
        let item = evaluation.contract.obligations.get(own.item)?;
        let passages = own.passages.iter().map(|passage| passage.quote.span()).collect();
        Some(Judged { span: item.obligation.source().span(), status: called(own.status), passages, by_model: false })
    };
    Verdict {
        overall: Some(evaluation.scores.overall),
        usable: evaluation.usable.is_yes(),
        incidents: evaluation.incidents.iter().map(incident).collect(),
        obligations: evaluation.obligations.iter().filter_map(judged).collect(),
        reason: String::new(),
    }
}

/// The name of a status. Metrics go by names, so that a status that is added needs no change here.
fn called(status: Status) -> String {
    format!("{status:?}").to_ascii_lowercase()
}

/// What the program says of one labelled obligation in one report, for the metrics that hold it against the label.
fn status_counts(said: Option<&Judged>, became: Became, is_faithful: bool) -> Vec<Count> {
    let says_kept = said.is_some_and(Judged::is_kept);
    let mut counts = Vec::new();
    if became == Became::Kept {
        counts.push(share("kept_found", says_kept));
        if is_faithful {
            counts.push(share("broken_kept", said.is_some_and(Judged::is_breach)));
        }
    }
    if says_kept {
        counts.push(share("kept_wrong", became.is_breach()));
    }
    counts
}

/// The counts of a whole report.
fn report_counts(verdict: &Verdict, text: &str, is_faithful: bool) -> Vec<Count> {
    let score = verdict.overall.unwrap_or_default();
    let has_score = verdict.overall.is_some();
    let mut counts = vec![
        share("evaluable", has_score),
        Count { metric: "headline_auc", counts: [score, one_if(is_faithful), one_if(has_score), 0.0] },
    ];
    if !is_faithful {
        counts.push(share("usable/drifted", verdict.usable));
        return counts;
    }
    let words = text.split_whitespace().count();
    let per_1000 = [verdict.incidents.len() as f64 * 1_000.0, words as f64, 0.0, 0.0];
    counts.push(Count { metric: "false_per_1000_words", counts: per_1000 });
    counts.push(share("usable/faithful", verdict.usable));
    if has_score {
        counts.push(share("usable/faithful_answered", verdict.usable));
    }
    counts
}

/// A row for each report, incident, drift, labelled obligation and obligation that the program read.
fn rows(group: usize, case: &Case<'_>, faithful: &Verdict, drifted: &Verdict) -> Vec<Row> {
    let row = |id: String, prediction: String, label: String, counts: Vec<Count>| Row {
        id: format!("{}/{id}", case.name),
        prediction,
        score: None,
        label,
        tuned: case.tuned,
        group: Some(group),
        counts,
    };
    let mut rows = Vec::new();
    for (verdict, text, is_faithful) in [(faithful, case.faithful, true), (drifted, case.drifted, false)] {
        let name = if is_faithful { "faithful" } else { "drifted" };
        let told = match (verdict.overall, verdict.usable) {
            (None, _) => format!("not evaluable: {}", verdict.reason),
            (Some(_), true) => "usable as it is".to_owned(),
            (Some(_), false) => "not usable as it is".to_owned(),
        };
        let of_report = row(name.to_owned(), told, name.to_owned(), report_counts(verdict, text, is_faithful));
        rows.push(Row { score: verdict.overall, ..of_report });
        for (at, incident) in verdict.incidents.iter().enumerate() {
            let of = case.labels.drifts.iter().filter(|drift| !is_faithful && incident.finds(drift));
            let found: Vec<&str> = of.map(|drift| drift.id.as_str()).collect();
            let counts = if is_faithful { Vec::new() } else { vec![share("incidents_right", !found.is_empty())] };
            rows.push(row(format!("{name}/incident {}", at + 1), incident.check.clone(), or_none(&found), counts));
        }
    }
    for drift in &case.labels.drifts {
        let of = drifted.incidents.iter().filter(|incident| incident.finds(drift));
        let checks: Vec<&str> = of.map(|incident| incident.check.as_str()).collect();
        let hit = !checks.is_empty();
        // A kind without a metric of its own counts for `recall` alone.
        let of_kind = METRICS.iter().find(|metric| metric.name.strip_prefix("recall/") == Some(&drift.kind));
        let counts = [
            Some(share("recall", hit)),
            of_kind.map(|metric| share(metric.name, hit)),
            shown(drifted, drift).map(|shown| share("passage_at_5", shown)),
            in_view(drifted, drift, hit).map(|seen| share("in_view", seen)),
        ];
        let counts = counts.into_iter().flatten().collect();
        rows.push(row(format!("drift {}", drift.id), or_none(&checks), drift.kind.clone(), counts));
    }
    // Both audits read the same prompt; where one report could not be judged, the other tells what was read.
    let read = if faithful.obligations.is_empty() { &drifted.obligations } else { &faithful.obligations };
    for obligation in &case.labels.obligations {
        for (verdict, became, is_faithful) in
            [(faithful, obligation.faithful, true), (drifted, obligation.drifted, false)]
        {
            let said = verdict.of_obligation(obligation);
            let mut counts = status_counts(said, became, is_faithful);
            if is_faithful {
                counts.push(share("read", read.iter().any(|own| belong(own.span, obligation.span))));
            }
            let name = if is_faithful { "faithful" } else { "drifted" };
            let told = said.map_or("not read", |own| own.status.as_str()).to_owned();
            rows.push(row(format!("{name}/{}", obligation.id), told, became.name().to_owned(), counts));
        }
    }
    for (at, own) in read.iter().enumerate() {
        let of = case.labels.obligations.iter().filter(|obligation| belong(own.span, obligation.span));
        let labelled: Vec<&str> = of.map(|obligation| obligation.id.as_str()).collect();
        let mut counts = vec![share("junk", labelled.is_empty())];
        if !faithful.obligations.is_empty() {
            counts.push(share("unclear", own.status == "unclear"));
        }
        rows.push(row(format!("read {}", at + 1), own.status.clone(), or_none(&labelled), counts));
    }
    rows
}

/// Whether the words of a drift are among the passages beside the obligation that it breaks; `None` where nothing is said, or the
/// obligation was not read.
fn shown(verdict: &Verdict, drift: &Drift) -> Option<bool> {
    let (Place::Said(words), Some(broken)) = (drift.place, drift.obligation) else { return None };
    let mut read = verdict.obligations.iter().filter(|own| belong(own.span, broken)).peekable();
    read.peek()?;
    Some(read.any(|own| own.passages.iter().any(|passage| belong(*passage, words))))
}

/// Passages that a report in the terminal shows beside an obligation that is not settled.
const PASSAGES_SHOWN: usize = 3;

/// Whether a reader sees the words of a drift where they belong: an incident quotes them, or they are among the passages that stand beside the obligation that
/// they go against, which is not settled. `None` where nothing is said, or no obligation is broken.
fn in_view(verdict: &Verdict, drift: &Drift, found: bool) -> Option<bool> {
    let (Place::Said(words), Some(broken)) = (drift.place, drift.obligation) else { return None };
    let settled = |own: &str| matches!(own, "kept" | "broken" | "weakened");
    let mut open = verdict.obligations.iter().filter(|own| belong(own.span, broken) && !settled(&own.status));
    let beside = open.any(|own| own.passages.iter().take(PASSAGES_SHOWN).any(|passage| belong(*passage, words)));
    Some(found || beside)
}

/// What was found, in a few words.
fn or_none(found: &[&str]) -> String {
    if found.is_empty() { "none".to_owned() } else { found.join(", ") }
}
