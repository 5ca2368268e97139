//! The calls of `audit`: an audit, a prompt by itself, two audits compared.

mod again;

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_dialogue::Role;
use steadfast_wire::audit::{AuditComparison, Contract, DriftEvaluation, Judge, Origin, Proposed, Undecided};
use steadfast_wire::lint::PromptLint;
use steadfast_wire::request::{self, JsonSource, Source};

use super::record::{FAILED, PASSED, begin, keep, mark, outcome_with};
use super::source::{file, files, json_file, required};
use super::{Host, Refusal, Stopped, UseCase, blocking, store};
use crate::audit::undecided::undecided;
use crate::audit::{
    AuditComparisonOutcome, AuditGiven, AuditInput, AuditOutcome, AuditRequest, AuditSide, HandedContract, Heeded,
    open_of, prompt_file, read_proposals, report_file, stored_audit,
};
use crate::baseline::compare_with_baseline;
use crate::decisions::{AsOf, mark as mark_decisions};
use crate::embedder::Embedder;
use crate::gate::Gates;
use crate::intake::File;
use crate::lint::{LintOutcome, lint_prompt};
use crate::page::{Page, page};
use crate::runs::{Asked, Outcome};
use crate::store::DecisionStore;
use crate::{EngineError, trace};

pub use again::{PERSON_BYTES_MAX, audit_again, by_person, open_of_nothing, open_to_a_person, texts_are_kept};

/// The role of the chat model that an audit asks.
const ROLES: [Role; 1] = [Role::Audit];

/// What a contract is called that comes without a file.
const CONTRACT_NAME: &str = "contract.json";

/// What proposals are called that come without a file.
const PROPOSALS_NAME: &str = "proposals.json";

/// Files that are given beside a prompt, at most.
const CONTEXT_FILES_MAX: usize = 64;

/// Files of a report, at most: those of a run, see [`limits`](crate::limits).
const REPORT_FILES_MAX: usize = crate::limits::FILES_MAX;

/// The most severe that an incident can be.
const SEVERITY_MAX: u8 = 4;

/// What an audit heeds beside its request.
#[derive(Default)]
pub struct AuditContext {
    /// Decisions on findings beside those of the store.
    pub decisions: Option<Arc<dyn DecisionStore>>,
    /// The day as of which decisions hold; that of the clock by default.
    pub as_of: Option<AsOf>,
    /// An earlier evaluation: each incident says whether it is new since.
    pub baseline: Option<File>,
    /// Whether a person hands in the contract; whoever calls over HTTP or MCP is none.
    pub by_person: bool,
    /// The person who confirms the contract and stands behind the proposals.
    pub confirmed_by: Option<String>,
    /// What was proposed before, by whom. No request can say so of itself.
    pub earlier: Vec<Proposed>,
}

/// Audits a report against its prompt.
///
/// # Errors
/// [`Refusal`]: what [`audit`](crate::audit()) refuses, a page that there is not, a record that cannot be kept.
pub async fn audit(
    host: &Arc<dyn Host>,
    request: request::Audit,
    context: AuditContext,
) -> Result<AuditOutcome, Refusal> {
    let request::Audit {
        prompt,
        report,
        run,
        judge,
        contract,
        proposals,
        context: beside,
        trust_host,
        usable_share,
        fail_on,
        fail_below,
        agent,
        limit,
        min_severity,
        cursor,
        fields: _,
    } = request;
    if let Some(share) = usable_share.filter(|share| !(0.0..=1.0).contains(share)) {
        return Err(Refusal::input(format!("`usable_share` is {share}: a share lies between 0 and 1")));
    }
    let wanted = Page { limit, min_severity: min_severity.unwrap_or(0), cursor };
    if wanted.min_severity > SEVERITY_MAX {
        let given = wanted.min_severity;
        return Err(Refusal::input(format!("`min_severity` is {given}: severities lie between 0 and {SEVERITY_MAX}")));
    }
    let gates = Gates::asked(&fail_on, fail_below)?;
    let AuditContext { decisions, as_of, baseline, by_person, confirmed_by, earlier } = context;
    if gates.fail_on_new && baseline.is_none() {
        return Err(Refusal::input("`--fail-on new` needs an earlier evaluation to compare with")
            .hint("`--baseline FILE` names one, as `--json -o FILE` wrote it"));
    }
    let mut recorder = begin(&**host)?;
    let input = input(host, prompt, report, run).await?;
    let judge = judge.unwrap_or(Judge::Rules);
    let desk = if judge == Judge::Rules { None } else { host.chat_models(&ROLES)? };
    let contract = handed_contract(host, contract, by_person, confirmed_by.as_deref()).await?;
    let mut proposed = earlier;
    if let Some(source) = proposals {
        let proposals = read_proposals(&json_file(host, source, |text| File::of(PROPOSALS_NAME, text)).await?)?;
        let by = if confirmed_by.is_some() { Origin::person() } else { Origin::host() };
        proposed.push(Proposed { by, person: confirmed_by, proposals });
    }
    let files = context_files(host, beside).await?;
    let trust_host = trust_host || host.trusts_callers();
    let heeded = Heeded { contract, proposals: proposed, trust_host, usable_share };
    mark(&mut recorder, "read");
    let embedder = meaning(host).await?;
    let request = AuditRequest { input, judge, heeded, context: files };
    let mut audited = crate::audit(request, desk.as_deref(), embedder).await.map_err(|error| gated(error, &gates))?;
    mark(&mut recorder, "audit");
    let kept = host.store().map(|store| -> Arc<dyn DecisionStore> { store });
    let stores: Vec<Arc<dyn DecisionStore>> = decisions.into_iter().chain(kept).collect();
    if let Some(first) = stores.first().cloned() {
        audited = blocking(host, move || {
            let as_of = match as_of {
                Some(as_of) => as_of,
                None => AsOf::clock(&first.stamp().map_err(EngineError::from)?.at),
            };
            let stores: Vec<&dyn DecisionStore> = stores.iter().map(|store| &**store).collect();
            mark_decisions(&mut audited, &stores, &as_of)?;
            Ok(audited)
        })
        .await?;
    }
    if let Some(earlier) = &baseline {
        compare_with_baseline(&mut audited.evaluation, earlier)?;
    }
    audited.evaluation.gates = gates.of(&audited.evaluation);
    let evaluation = &audited.evaluation;
    let asked = gates.settings(Asked::audit(evaluation)).about(agent);
    let outcome = outcome_with(host, Outcome::audit(evaluation)?, || audited.texts.clone());
    let status = if evaluation.gates.as_ref().is_none_or(|gates| gates.passed) { PASSED } else { FAILED };
    let run = keep(host, recorder, asked, outcome, status, |about| trace::audit(evaluation, about)).await?;
    audited.evaluation = page(DriftEvaluation { run, ..audited.evaluation }, &wanted)?;
    Ok(audited)
}

/// The error of an audit, with what came of the gates where nothing could be evaluated.
fn gated(mut error: EngineError, gates: &Gates) -> EngineError {
    if let EngineError::NotEvaluable { answer: Some(answer), .. } = &mut error {
        answer.gates = gates.of_nothing(answer);
    }
    error
}

/// What finds passages by meaning.
async fn meaning(host: &Arc<dyn Host>) -> Result<Option<Arc<dyn Embedder>>, Refusal> {
    let own = Arc::clone(host);
    blocking(host, move || Ok(own.meaning())).await
}

/// The contract that was handed in.
async fn handed_contract(
    host: &Arc<dyn Host>,
    contract: Option<JsonSource>,
    by_person: bool,
    confirmed_by: Option<&str>,
) -> Result<Option<HandedContract>, Refusal> {
    let Some(source) = contract else { return Ok(None) };
    let file = json_file(host, source, |text| File::of(CONTRACT_NAME, text)).await?;
    Ok(Some(HandedContract::read(&file, by_person)?.confirmed(confirmed_by)))
}

impl UseCase for request::AuditContract {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<Contract, Refusal> {
        let prompt = file(&host, self.prompt, prompt_file).await?;
        let handed = handed_contract(&host, self.contract, false, None).await?;
        Ok(crate::audit_contract(prompt, handed, None).await?)
    }
}

/// What code leaves open. `by_person` as in [`AuditContext`]. It is not stored.
///
/// # Errors
/// [`Refusal`]: what [`audit`](crate::audit()) refuses, and a batch that there is not. That code judges nothing at all is none.
pub async fn audit_undecided(
    host: &Arc<dyn Host>,
    request: request::AuditUndecided,
    by_person: bool,
) -> Result<Undecided, Refusal> {
    let request::AuditUndecided { prompt, report, run, contract, context, cursor } = request;
    let input = input(host, prompt, report, run).await?;
    let contract = handed_contract(host, contract, by_person, None).await?;
    let heeded = Heeded { contract, ..Heeded::default() };
    let context = context_files(host, context).await?;
    let names: Vec<String> = context.iter().map(|file| file.name.clone()).collect();
    let open = open_of(input, heeded, context, meaning(host).await?).await?;
    Ok(undecided(&open.obligations, &open.texts, &names, cursor.as_deref())?)
}

/// What the user gave beside the prompt. Texts without a name are numbered.
async fn context_files(host: &Arc<dyn Host>, sources: Vec<Source>) -> Result<Vec<File>, Refusal> {
    if sources.len() > CONTEXT_FILES_MAX {
        let count = sources.len();
        return Err(Refusal::input(format!("{count} files of context are given, more than {CONTEXT_FILES_MAX}")));
    }
    files(host, sources, |number| format!("context-{number}.md")).await
}

impl UseCase for request::AuditUndecided {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<Undecided, Refusal> {
        audit_undecided(&host, self, false).await
    }
}

/// What is audited.
async fn input(
    host: &Arc<dyn Host>,
    prompt: Option<Source>,
    report: Vec<Source>,
    run: Option<Source>,
) -> Result<AuditInput, Refusal> {
    match run {
        None => {
            let prompt = required(host, "prompt", prompt, prompt_file).await?;
            Ok(AuditInput::Pair { prompt, reports: reports(host, report).await? })
        }
        Some(_) if prompt.is_some() || !report.is_empty() => {
            Err(Refusal::input("`run` is given beside a prompt or a report").hint("a run holds both"))
        }
        Some(Source::Path(path)) => {
            let own = Arc::clone(host);
            blocking(host, move || own.run(&path)).await
        }
        Some(Source::Bytes { name, bytes }) => Ok(AuditInput::Archive { name, bytes }),
        Some(Source::Folder { name, files }) => {
            let files = files.into_iter().map(|(name, bytes)| File { name, bytes }).collect();
            Ok(AuditInput::Folder { name, files })
        }
        Some(Source::Text(_) | Source::Named { .. }) => {
            Err(Refusal::input("`run` is a text").hint("a run is a folder or a zip archive: `{\"path\": …}`"))
        }
    }
}

/// The files of a report. Texts without a name are numbered where there are several.
async fn reports(host: &Arc<dyn Host>, sources: Vec<Source>) -> Result<Vec<File>, Refusal> {
    if sources.is_empty() {
        return Err(Refusal::input("`report` is missing"));
    }
    if sources.len() > REPORT_FILES_MAX {
        let count = sources.len();
        return Err(Refusal::input(format!("{count} files of a report are given, more than {REPORT_FILES_MAX}")));
    }
    let is_alone = sources.len() == 1;
    let mut files = Vec::with_capacity(sources.len());
    for (at, source) in sources.into_iter().enumerate() {
        let numbered = |text: String| {
            let file = report_file(text);
            if is_alone {
                file
            } else {
                File { name: file.name.replacen("report", &format!("report-{}", at + 1), 1), ..file }
            }
        };
        files.push(file(host, source, numbered).await?);
    }
    Ok(files)
}

impl UseCase for request::Audit {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<DriftEvaluation, Refusal> {
        Ok(audit(&host, self, AuditContext::default()).await?.evaluation)
    }
}

/// Whether there are chat models that an audit can ask.
pub async fn audit_models(host: &Arc<dyn Host>) -> bool {
    let own = Arc::clone(host);
    blocking(host, move || own.chat_models(&ROLES)).await.is_ok_and(|desk| desk.is_some())
}

/// Reads a prompt by itself. It is not stored.
///
/// # Errors
/// [`Refusal`]: what [`lint_prompt`](crate::lint_prompt) refuses.
pub async fn lint(host: &Arc<dyn Host>, request: request::Lint) -> Result<LintOutcome, Refusal> {
    let prompt = file(host, request.prompt, prompt_file).await?;
    Ok(lint_prompt(prompt).await?)
}

impl UseCase for request::Lint {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<PromptLint, Refusal> {
        Ok(lint(&host, self).await?.lint)
    }
}

/// Compares two audits that were made. The comparison is not stored: what is compared is.
///
/// # Errors
/// [`Refusal`] where a stored run is asked for and nothing is kept, no such run, one of another verb, or a result that is none.
pub async fn audit_compare(
    host: &Arc<dyn Host>,
    request: request::AuditCompare,
) -> Result<AuditComparisonOutcome, Refusal> {
    let (a, b) = (side(host, "a", request.a).await?, side(host, "b", request.b).await?);
    Ok(crate::audit_compare(a, b).await?)
}

async fn side(host: &Arc<dyn Host>, member: &str, source: JsonSource) -> Result<AuditSide, Refusal> {
    if let JsonSource::Value(value) = &source
        && let Some(id) = value.as_str().map(str::to_owned)
    {
        let store = store(&**host)?;
        return blocking(host, move || Ok(stored_audit(&*store, &id)?)).await;
    }
    saved_audit(json_file(host, source, |json| File::of(format!("{member}.json"), json)).await?)
}

/// An audit that was made, of the JSON of its result.
///
/// # Errors
/// [`Refusal`] where the file is not text.
pub fn saved_audit(file: File) -> Result<AuditSide, Refusal> {
    let File { name, bytes } = file;
    let json = String::from_utf8(bytes)
        .map_err(|error| EngineError::NotText { file: name.clone(), what: error.to_string() })?;
    Ok(AuditSide { name, given: AuditGiven::Result { json, texts: BTreeMap::new() } })
}

impl UseCase for request::AuditCompare {
    async fn answer(self, host: Arc<dyn Host>, _: Stopped) -> Result<AuditComparison, Refusal> {
        Ok(audit_compare(&host, self).await?.comparison)
    }
}
