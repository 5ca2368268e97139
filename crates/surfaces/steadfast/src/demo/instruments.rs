//! The five instruments, one after the other, over the files of the story.

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_engine::calls::{self, AuditContext, Stopped};
use steadfast_engine::embedder::{self, Embedder, on_all_cores};
use steadfast_engine::review::{ReviewOutcome, criteria_of};
use steadfast_engine::runs::{Asked, Outcome, Recorder};
use steadfast_engine::store::Keep;
use steadfast_engine::vault::{
    Filters, OpenVault, PickRequest, Points, Selection, against, embed_vault, import_vault, keep_selection, read,
    source_of,
};
use steadfast_engine::{AuditOutcome, EngineError, PlanOutcome};
use steadfast_render::plan::Sheet;
use steadfast_render::{Texts, pick, plan, review, watch};
use steadfast_wire::pick::{FinalOutput, read_task};
use steadfast_wire::plan::Variant;
use steadfast_wire::request::{self, Audit, Plan, Review, Source};
use steadfast_wire::watch::Watch;

use super::{ASK, CHECK_IN, CRITERIA, NOTES, REPORT, STEPS, TASKS};
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::local::Local;
use crate::settings::ExportSettings;
use crate::talk::Talk;
use crate::wait;

/// When the day of the notes is planned, and the zone that they are read in.
pub(super) const AT: &str = "2026-02-18T08:30:00+01:00";
pub(super) const TIMEZONE: &str = "Europe/Amsterdam";

/// The day that prompts are picked on.
pub(super) const PICKED_ON: &str = "2026-02-16";

/// What the prompts that ship are known by in the vault, as `vault import --shipped` has it.
const SHIPPED: &str = "shipped with steadfast";

/// What a progress line says, where there is one.
type Say<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What all five found.
pub(super) struct Found {
    pub(super) picks: Vec<FinalOutput>,
    pub(super) titles: BTreeMap<String, String>,
    pub(super) naive: PlanOutcome,
    pub(super) plan: PlanOutcome,
    pub(super) watch: Watch,
    pub(super) review: ReviewOutcome,
    pub(super) audit: AuditOutcome,
}

/// Runs all five and keeps the runs. What they give has no member `run`, so that it is the same every time.
pub(super) fn run(store: &Arc<dyn Keep>, embedder: Option<&Arc<dyn Embedder>>, say: Say<'_>) -> Result<Found, Failure> {
    let (picks, titles) = picked(store, embedder)?;
    Ok(Found {
        picks,
        titles,
        naive: planned(store, Variant::V1Naive, say)?,
        plan: planned(store, Variant::V4Repair, say)?,
        watch: watched(store, embedder, say)?,
        review: reviewed(store, say)?,
        audit: audited(store, say)?,
    })
}

/// A file of the story.
fn source((name, text): (&str, &str)) -> Source {
    Source::Named { name: name.to_owned(), text: text.to_owned() }
}

/// Fills the vault with the prompts that ship, and picks from it.
fn picked(
    store: &Arc<dyn Keep>,
    embedder: Option<&Arc<dyn Embedder>>,
) -> Result<(Vec<FinalOutput>, BTreeMap<String, String>), Failure> {
    import_vault(&**store, &source_of(SHIPPED), read(&crate::shipped::files(), &Selection::default()))?;
    if let Some(embedder) = embedder {
        let embedder = on_all_cores(Arc::clone(embedder));
        wait::telling("embedding prompts".to_owned(), |tell| {
            embed_vault(store, &embedder, |done, all| tell(format!("embedding prompts: {done} of {all}")))
        })?;
    }
    let mut open = OpenVault::open(Arc::clone(store), embedder.cloned())?;
    let points = against(&[Points::fitted()], open.has_vectors())?;
    let point =
        points.first().ok_or_else(|| EngineError::Internal { what: "no operating point is there".to_owned() })?;
    let (mut picks, mut titles) = (Vec::new(), BTreeMap::new());
    for (at, line) in TASKS.1.lines().enumerate() {
        let task = read_task(at + 1, line).map_err(|misread| Failure::usage(format!("{}:{misread}", TASKS.0)))?;
        let request = PickRequest {
            qid: Some(task.qid),
            task: task.query,
            at: Some(PICKED_ON.to_owned()),
            explain: false,
            filters: Filters::default(),
        };
        let mut recorder = Recorder::begin(Arc::clone(store))?;
        let found = open.pick(&request, point)?;
        recorder.mark("pick");
        keep_selection(&**store, &found)?().map_err(EngineError::from)?;
        let asked = Asked::pick(&request, &point.name, Vec::new());
        recorder.end(&asked, Outcome::pick(&found)?, Status::Passed as u8)?;
        let ids = found.selected_prompts.iter().map(|it| &it.prompt_id).chain(&found.fallback.prompt_ids);
        for id in ids {
            if let Some(title) = open.title(id)? {
                titles.insert(id.clone(), title);
            }
        }
        picks.push(found);
    }
    Ok((picks, titles))
}

/// The host of the demo, which keeps the texts of its runs, so that the console shows quotes in their places.
fn host(store: &Arc<dyn Keep>) -> Local {
    Local::new(Exports::new(ExportSettings::default()), Talk { quiet: true })
        .storing(Some(Arc::clone(store)))
        .keeping_texts()
}

fn planned(store: &Arc<dyn Keep>, variant: Variant, say: Say<'_>) -> Result<PlanOutcome, Failure> {
    let request = Plan {
        context: source(NOTES),
        current_time: Some(AT.to_owned()),
        timezone: Some(TIMEZONE.to_owned()),
        variant: Some(variant),
        ..Plan::default()
    };
    let mut outcome = wait::wait(calls::plan(&host(store).host(), request), say("planning the day"))?;
    outcome.response.run = None;
    Ok(outcome)
}

fn watched(store: &Arc<dyn Keep>, embedder: Option<&Arc<dyn Embedder>>, say: Say<'_>) -> Result<Watch, Failure> {
    let embedder = embedder.map_or_else(embedder::lexical, Arc::clone);
    let host = host(store).embedding(embedder).host();
    let request = request::Watch { log: Some(source(STEPS)), ..request::Watch::default() };
    let mut watch = wait::wait(calls::watch(&host, request, &Stopped::default()), say("following the agent"))?;
    watch.run = None;
    Ok(watch)
}

fn reviewed(store: &Arc<dyn Keep>, say: Say<'_>) -> Result<ReviewOutcome, Failure> {
    let request = Review {
        output: Some(source(CHECK_IN)),
        acceptance_criteria: Some(criteria_of(CRITERIA.1)),
        ..Review::default()
    };
    let (mut outcome, _) =
        wait::wait(calls::review(&host(store).host(), request, None, &()), say("reviewing the check-in"))?;
    outcome.review.run = None;
    Ok(outcome)
}

fn audited(store: &Arc<dyn Keep>, say: Say<'_>) -> Result<AuditOutcome, Failure> {
    let request = Audit { prompt: Some(source(ASK)), report: vec![source(REPORT)], ..Audit::default() };
    // The same on every machine.
    let host = host(store).by_words().host();
    let audited = calls::audit(&host, request, AuditContext::default());
    let mut outcome = wait::wait(audited, say("auditing the report"))?;
    outcome.evaluation.run = None;
    Ok(outcome)
}

impl Found {
    /// The texts of all files that results quote.
    pub(super) fn texts(&self) -> Texts<'_> {
        let all = [&self.plan.texts, &self.review.texts, &self.audit.texts];
        Texts::of(all.into_iter().flatten())
    }

    /// The full reports but that of the audit, which is a folder: names and texts.
    pub(super) fn pages(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        let texts = self.texts();
        let lines: Vec<String> = self.picks.iter().map(steadfast_wire::to_json_line).collect::<Result<_, _>>()?;
        Ok(vec![
            ("pick.jsonl", lines.concat()),
            ("pick.html", pick::html(&self.picks, &self.titles)?),
            ("plan-naive.json", steadfast_wire::to_json(&self.naive.response)?),
            ("plan-naive.html", plan::html(&Sheet::from(&self.naive.response), &texts)?),
            ("plan.json", steadfast_wire::to_json(&self.plan.response)?),
            ("plan.html", plan::html(&Sheet::from(&self.plan.response), &texts)?),
            ("watch.json", steadfast_wire::to_json(&self.watch)?),
            ("watch.html", watch::html(&self.watch)?),
            ("review.json", steadfast_wire::to_json(&self.review.review)?),
            ("review.html", review::html(&self.review.review, &texts)?),
        ])
    }
}
