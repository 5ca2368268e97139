//! The calls that pick prompts, search for them, and hear whether they were of use.

use std::sync::Arc;

use steadfast_wire::pick::{Feedback, FinalOutput, SearchResult};
use steadfast_wire::request::{self, PointChoice, Reader, Word};

use super::record::{FAILED, GateSet, PASSED, begin, keep};
use super::{Host, Refusal, Stopped, UseCase, blocking, desk, store};
use crate::runs::{Asked, Outcome};
use crate::vault::{self as prompts, PickAssistance, PickRequest, Points, filters};
use crate::{EngineError, trace};

/// Prompts that a search gives by default, and at most.
const SEARCH_DEFAULT: usize = 10;
const SEARCH_MAX: usize = 1_000;

/// Picks prompts for a task from the vault of the host. `points` are the operating points in place of the one that the request names; each task gets one of them by
/// its hash. The gates that the selection does not pass come with it, in words.
///
/// # Errors
/// [`Refusal`]: no vault, nothing in it, what [`pick`](prompts::OpenVault::pick) refuses, or a record that cannot be kept.
pub async fn pick(
    host: &Arc<dyn Host>,
    request: request::Pick,
    points: Option<Vec<Points>>,
    gates: &dyn GateSet<FinalOutput>,
) -> Result<(FinalOutput, Vec<String>), Refusal> {
    let request::Pick { task, at, explain, filter, exclude, operating_point, intake, rank } = request;
    let (filter, exclude) = (filter.unwrap_or_default(), exclude.unwrap_or_default());
    let wanted = filters(&filter, &exclude)?;
    let points = points.unwrap_or_else(|| {
        vec![match operating_point.unwrap_or(PointChoice::Default) {
            PointChoice::Default => Points::fitted(),
            PointChoice::Seed => Points::seed(),
        }]
    });
    let (intake, rank) = (intake == Some(Reader::Model), rank == Some(Reader::Model));
    let request = PickRequest { qid: None, task, at, explain: explain.unwrap_or(false), filters: wanted };
    let own = store(&**host)?;
    let recorder = begin(&**host)?;
    let assistance = PickAssistance { desk: desk(&**host, PickAssistance::roles(intake, rank))?, intake, rank };
    assistance.ready()?;
    let (shelf, task) = (host.vault()?, request.clone());
    let (picked, point) = blocking(host, move || {
        shelf.with(|open| {
            if open.is_empty() {
                return Err(Refusal::input("the vault holds no prompts")
                    .hint("`steadfast vault import PATH --vault FILE` takes some in; `--shipped` those that ship with the program"));
            }
            let points = prompts::against(&points, open.has_vectors())?;
            let point = prompts::assigned(&task.task, &points)
                .ok_or_else(|| EngineError::Internal { what: "no operating point is there".to_owned() })?;
            Ok((open.picked(&task, point, rank)?, point.name.clone()))
        })
    })
    .await?;
    let mut found = prompts::pick_assisted(picked, &assistance).await?;
    let selection = found.clone();
    blocking(host, move || Ok(prompts::keep_selection(&*own, &selection)?().map_err(EngineError::from)?)).await?;
    let failures = gates.failures(&found);
    let outcome = Outcome::pick(&found)?;
    let listed = [filter, exclude.iter().map(|own| format!("not {own}")).collect()].concat();
    let asked = gates.settings(Asked::pick(&request, &point, listed).pick_assistance(&assistance));
    let status = if failures.is_empty() { PASSED } else { FAILED };
    found.run = keep(host, recorder, asked, outcome, status, |about| trace::pick(&found, about)).await?;
    Ok((found, failures))
}

impl UseCase for request::Pick {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<FinalOutput, Refusal> {
        Ok(pick(&host, self, None, &()).await?.0)
    }
}

/// The prompts of the vault that fit a query best.
///
/// # Errors
/// [`Refusal`]: no vault, or what [`search`](prompts::OpenVault::search) refuses.
pub async fn vault_search(host: &Arc<dyn Host>, request: request::VaultSearch) -> Result<SearchResult, Refusal> {
    let request::VaultSearch { query, k, filter, exclude, fields: _ } = request;
    let filters = filters(&filter.unwrap_or_default(), &exclude.unwrap_or_default())?;
    let k = k.unwrap_or(SEARCH_DEFAULT);
    if !(1..=SEARCH_MAX).contains(&k) {
        return Err(Refusal::input(format!("`k` is {k}: between 1 and {SEARCH_MAX} prompts can be asked for")));
    }
    let shelf = host.vault()?;
    blocking(host, move || shelf.with(|open| Ok(open.search(None, &query, k, &filters)?))).await
}

impl UseCase for request::VaultSearch {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<SearchResult, Refusal> {
        vault_search(&host, self).await
    }
}

/// Says whether prompts that were picked were of use.
///
/// # Errors
/// [`Refusal`]: nothing is kept, or nothing of this name was picked.
pub async fn feedback(host: &Arc<dyn Host>, request: request::Feedback) -> Result<Feedback, Refusal> {
    let store = store(&**host)?;
    let request::Feedback { trace_id, verdict, prompt_ids } = request;
    let (good, ids) = (verdict == Word::Good, prompt_ids.unwrap_or_default());
    blocking(host, move || Ok(prompts::give_feedback(&*store, &trace_id, good, &ids)?)).await
}

impl UseCase for request::Feedback {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<Feedback, Refusal> {
        feedback(&host, self).await
    }
}
