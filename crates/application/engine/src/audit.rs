//! The use case: does the report still say what the prompt asked for?

mod chat;
mod compare;
pub(crate) mod judge;
mod reading;
pub(crate) mod undecided;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use steadfast_audit::Examined;
use steadfast_text::Document;
use steadfast_wire::audit::{DriftEvaluation, Judge, Obligation, Proposed, Role, Source};

pub use compare::{AuditComparisonOutcome, AuditGiven, AuditSide, audit_compare, newly_broken, stored_audit};
pub use judge::{Reckoning, is_check};
pub use reading::{HandedContract, audit_contract, proposed, read_proposals};

use crate::EngineError;
use crate::chat::ChatModels;
use crate::embedder::Embedder;
use crate::hash::sha256;
use crate::intake::{self, File, Run};
use crate::pool::{in_parts, judging};
use judge::{Judged, Unjudged};

/// What to audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuditInput {
    /// A prompt and a report.
    Pair {
        /// The user's own words.
        prompt: File,
        /// What an agent made of them, in one file or several.
        reports: Vec<File>,
    },
    /// The files of a planner's run.
    Folder {
        /// The folder's name, for messages.
        name: String,
        /// Its files, in any order.
        files: Vec<File>,
    },
    /// A zip archive of a planner's run.
    Archive {
        /// The archive's name, for messages.
        name: String,
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

impl AuditInput {
    /// How much there is to read, with the context, in bytes; of an archive how much it may inflate to.
    fn bytes(&self, context: &[File]) -> usize {
        let of = |files: &[File]| files.iter().map(|file| file.bytes.len()).sum::<usize>();
        let own = match self {
            Self::Pair { prompt, reports } => {
                prompt.bytes.len() + reports.iter().map(|file| file.bytes.len()).sum::<usize>()
            }
            Self::Folder { files, .. } => of(files),
            Self::Archive { bytes, .. } => bytes.len().saturating_mul(INFLATION_USUAL),
        };
        own + of(context)
    }
}

/// How many bytes one byte of an archive of texts inflates to at most, where nobody made it to inflate.
const INFLATION_USUAL: usize = 30;

/// What a prompt is called that comes without a file.
pub const PROMPT_NAME: &str = "prompt.txt";

/// What a report is called that comes without a file; it is read as Markdown.
pub const REPORT_NAME: &str = "report.md";

/// The same where it begins as a page does.
pub const REPORT_PAGE_NAME: &str = "report.html";

/// A prompt that comes as a text, as a file.
#[must_use]
pub fn prompt_file(prompt: String) -> File {
    File::of(PROMPT_NAME, prompt)
}

/// A report that comes as a text, as a file: the name says how it is read.
#[must_use]
pub fn report_file(report: String) -> File {
    let name = if report.trim_start().starts_with('<') { REPORT_PAGE_NAME } else { REPORT_NAME };
    File::of(name, report)
}

/// One audit: what, and who judges.
#[derive(Clone, Debug)]
pub struct AuditRequest {
    /// What to audit.
    pub input: AuditInput,
    /// Who judges.
    pub judge: Judge,
    /// What is heeded beside prompt and report.
    pub heeded: Heeded,
    /// What the user gave beside the prompt.
    pub context: Vec<File>,
}

/// What an audit heeds beside prompt and report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heeded {
    /// A reading of the prompt that was handed in.
    pub contract: Option<HandedContract>,
    /// What was proposed of prompt and report, by whom.
    pub proposals: Vec<Proposed>,
    /// Whether what whoever calls found kept makes the report usable.
    pub trust_host: bool,
    /// Share of the obligations that must be kept from which on a report that breaks none is usable; 0.6 by default.
    pub usable_share: Option<f64>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct AuditOutcome {
    /// The evaluation, with all its incidents.
    pub evaluation: DriftEvaluation,
    /// The text of every file that was read, by its name in `sources`.
    pub texts: BTreeMap<String, String>,
    /// Files that were given and not read.
    pub ignored: Vec<String>,
    /// The folder that all files of a run stand in and that their names do not repeat; empty, or ending in `/`.
    pub root: String,
    /// What the scores were computed of.
    pub reckoning: Reckoning,
}

/// A file that was read, on its way to the judge.
pub(crate) struct Read {
    /// How `sources` shows it.
    pub(crate) source: Source,
    /// What was read in it.
    pub(crate) document: Document,
}

/// Audits a report against its prompt. By rules alone the same request gives the same outcome, on any number of cores. A chat model is asked what rules leave
/// open: what it proposes and code locates counts, and takes nothing away that rules found.
///
/// # Errors
/// [`EngineError`]: input that cannot be read, nothing to evaluate, or a judge that is not there. That a model fails is none: the outcome says what
/// it did not judge. An embedder adds passages to those that words find, and moves no state.
pub async fn audit(
    request: AuditRequest,
    desk: Option<&ChatModels>,
    embedder: Option<Arc<dyn Embedder>>,
) -> Result<AuditOutcome, EngineError> {
    let AuditRequest { input, judge, mut heeded, context } = request;
    let mut asked = None;
    if judge == Judge::Both {
        let desk = desk.ok_or(EngineError::NoModel)?;
        let open = open_of(input.clone(), heeded.clone(), context.clone(), embedder.clone()).await?;
        let chat::Said { proposed, chat, failed } = chat::ask(open, heeded.trust_host, desk).await?;
        heeded.proposals.extend(proposed);
        asked = Some((chat, failed));
    }
    let worked = judging(input.bytes(&context), move || {
        work(input, heeded, &context, embedder.as_deref()).map_err(|failed| failed.error)
    })
    .await;
    match (worked, asked) {
        (Ok(Worked { judged, about }), asked) => {
            let Judged { mut evaluation, examined } = judged;
            if let Some((chat, failed)) = asked {
                (evaluation.judge, evaluation.chat, evaluation.chat_failed) = (judge, Some(chat), failed);
            }
            Ok(about.outcome(evaluation, examined))
        }
        (Err(EngineError::NotEvaluable { file, what, hint, answer: Some(mut answer) }), Some((chat, failed))) => {
            (answer.chat, answer.chat_failed) = (Some(chat), failed);
            Err(EngineError::NotEvaluable { file, what, hint, answer: Some(answer) })
        }
        (Err(error), _) => Err(error),
    }
}

/// What rules made of the input.
struct Worked {
    judged: Judged,
    about: About,
}

/// What is told of an audit beside its evaluation.
struct About {
    texts: BTreeMap<String, String>,
    ignored: Vec<String>,
    root: String,
}

impl About {
    fn outcome(self, evaluation: DriftEvaluation, examined: Box<Examined>) -> AuditOutcome {
        let Self { texts, ignored, root } = self;
        AuditOutcome { evaluation, texts, ignored, root, reckoning: Reckoning::of(examined) }
    }
}

/// Why rules made nothing of the input, and the texts that were read all the same.
struct Failed {
    error: EngineError,
    texts: BTreeMap<String, String>,
}

impl From<EngineError> for Failed {
    fn from(error: EngineError) -> Self {
        Self { error, texts: BTreeMap::new() }
    }
}

/// What an audit leaves to whoever understands both texts.
pub(crate) struct Open {
    /// The obligations of the prompt, with what code says of them, whether or not it can judge any.
    pub(crate) obligations: Vec<Obligation>,
    /// The files.
    pub(crate) sources: Vec<Source>,
    /// Their texts, by their names.
    pub(crate) texts: BTreeMap<String, String>,
}

/// What an audit leaves open.
///
/// # Errors
/// As [`audit`], but where the prompt was read and no obligation could be judged.
pub(crate) async fn open_of(
    input: AuditInput,
    heeded: Heeded,
    context: Vec<File>,
    embedder: Option<Arc<dyn Embedder>>,
) -> Result<Open, EngineError> {
    judging(input.bytes(&context), move || match work(input, heeded, &context, embedder.as_deref()) {
        Ok(Worked { judged: Judged { evaluation, .. }, about }) => {
            Ok(Open { obligations: evaluation.obligations, sources: evaluation.sources, texts: about.texts })
        }
        Err(Failed { error, texts }) => match error.answer() {
            Some(answer) if !answer.obligations.is_empty() => {
                Ok(Open { obligations: answer.obligations.clone(), sources: answer.sources.clone(), texts })
            }
            _ => Err(error),
        },
    })
    .await
}

fn work(
    input: AuditInput,
    heeded: Heeded,
    context: &[File],
    embedder: Option<&dyn Embedder>,
) -> Result<Worked, Failed> {
    let taken = take(input)?;
    let run = &taken.run;
    let prompt = read(&run.prompt, Role::Ask, &taken.prefix, run.prompt_is_json)?;
    // In parallel, in the order of the names; of several errors the first in that order is told.
    let artefacts: Vec<Result<Read, EngineError>> =
        in_parts(&run.artefacts, |file| read(file, Role::Answer, &taken.prefix, false))?;
    let artefacts = artefacts.into_iter().collect::<Result<Vec<Read>, EngineError>>()?;

    let mut names: HashSet<&str> =
        std::iter::once(&run.prompt).chain(&run.artefacts).map(|file| file.name.as_str()).collect();
    let context = context.iter().map(|file| {
        let mut own = read(file, Role::Context, "", false)?;
        if !names.insert(file.name.as_str()) {
            own.source.file.insert_str(0, CONTEXT_FOLDER);
        }
        Ok(own)
    });
    let context = context.collect::<Result<Vec<Read>, EngineError>>()?;

    let texts: BTreeMap<String, String> = std::iter::once(&prompt)
        .chain(&artefacts)
        .chain(&context)
        .map(|read| (read.source.file.clone(), read.document.source.to_string()))
        .collect();
    let empty = empty(&taken, &prompt, &artefacts);
    let given = prompt.source.file.clone();
    // The judge knows files by their names in the run alone.
    let judged = judge::rules(prompt, artefacts, context, heeded, embedder).map_err(|unjudged| match unjudged {
        Unjudged::Refused(error) => error,
        Unjudged::Nothing(mut answer) => {
            let error = match empty {
                Some((file, what)) => EngineError::not_evaluable(file, what),
                None => match EngineError::not_evaluable(given, &answer.not_evaluable.detail) {
                    EngineError::NotEvaluable { file, what, hint, answer } => {
                        EngineError::NotEvaluable { file: format!("{}{file}", taken.prefix), what, hint, answer }
                    }
                    other => other,
                },
            };
            answer.not_evaluable.detail = error.to_string();
            error.answering(answer)
        }
    });
    match judged {
        Ok(judged) => Ok(Worked { judged, about: About { texts, ignored: taken.run.ignored, root: taken.run.root } }),
        Err(error) => Err(Failed { error, texts }),
    }
}

/// Where files of the context are put that have the name of another file.
const CONTEXT_FOLDER: &str = "context/";

/// The file or folder in which there is nothing to evaluate, and what is said of it.
fn empty(taken: &Taken, prompt: &Read, artefacts: &[Read]) -> Option<(String, &'static str)> {
    let run = &taken.run;
    if prompt.document.blocks.is_empty() {
        return Some((format!("{}{}", taken.prefix, run.prompt.name), "the prompt is empty"));
    }
    if artefacts.iter().any(|artefact| !artefact.document.blocks.is_empty()) {
        return None;
    }
    Some(match run.artefacts.as_slice() {
        [report] => (format!("{}{}", taken.prefix, report.name), "the report is empty"),
        [] => (taken.given.clone(), "holds a prompt and no report"),
        _ => (taken.given.clone(), "all of its reports are empty"),
    })
}

/// A run, and how its files are called in messages.
struct Taken {
    run: Run,
    /// What the user gave.
    given: String,
    /// What goes before a file's name in messages.
    prefix: String,
}

/// Gives files of one name other names, since the names in the result must differ: they come from several folders.
fn tell_apart(prompt: &mut File, reports: &mut [File]) {
    if reports.iter().any(|report| report.name == prompt.name) {
        prompt.name.insert_str(0, "prompt/");
        for report in reports.iter_mut() {
            report.name.insert_str(0, "report/");
        }
    }
    let mut names: HashSet<String> = HashSet::new();
    for (at, report) in reports.iter_mut().enumerate() {
        if !names.insert(report.name.clone()) {
            report.name = format!("report-{}/{}", at + 1, report.name);
            names.insert(report.name.clone());
        }
    }
}

fn take(input: AuditInput) -> Result<Taken, EngineError> {
    match input {
        AuditInput::Pair { mut prompt, mut reports } => {
            let given = reports.first().map(|report| report.name.clone()).unwrap_or_default();
            tell_apart(&mut prompt, &mut reports);
            let run = Run {
                prompt_is_json: intake::holds_prompt_in_json(&prompt.name),
                prompt,
                artefacts: reports,
                ignored: Vec::new(),
                root: String::new(),
            };
            Ok(Taken { run, given, prefix: String::new() })
        }
        AuditInput::Folder { name, files } => {
            let run = Run::of(&name, files)?;
            let prefix = format!("{}/{}", name.trim_end_matches('/'), run.root);
            Ok(Taken { run, given: name, prefix })
        }
        AuditInput::Archive { name, bytes } => {
            let run = Run::of(&name, intake::unzip(&name, &bytes)?)?;
            let prefix = format!("{name}: {}", run.root);
            Ok(Taken { run, given: name, prefix })
        }
    }
}

fn read(file: &File, role: Role, prefix: &str, is_json: bool) -> Result<Read, EngineError> {
    let shown = format!("{prefix}{}", file.name);
    let document = intake::prompt_document(&shown, file, is_json)?;
    let source = Source {
        file: file.name.clone(),
        role,
        bytes: file.bytes.len(),
        sha256: sha256(&file.bytes),
        left_out: Vec::new(),
        note: intake::note(file),
    };
    Ok(Read { source, document })
}
