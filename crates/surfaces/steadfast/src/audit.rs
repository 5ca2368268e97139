//! `steadfast audit`.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use steadfast_engine::calls::{self, AuditContext};
use steadfast_engine::chat::Role;
use steadfast_engine::decisions::AsOf;
use steadfast_engine::{AuditInput, AuditOutcome, File, Gates, HandedContract, audit_contract};
use steadfast_render::{Colour, Links, Texts};
use steadfast_wire::api::members;
use steadfast_wire::audit::{DriftEvaluation, Judge, NotEvaluable};
use steadfast_wire::request::{Audit, AuditUndecided, Source};

use crate::args::{
    AuditArgs, AuditCommand, AuditContractArgs, AuditUndecidedArgs, ContractFormat, Format, HeedArgs, UndecidedFormat,
};
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::heed::Heeded;
use crate::input::Alone;
use crate::local::{Local, note_run};
use crate::place::{Place, Target};
use crate::settings::{self, ExportSettings, Writing};
use crate::store::fields;
use crate::talk::Talk;
use crate::{audit_compare, chat, input, lint, output, record, wait};

/// The files of a report folder.
const JSON: &str = "drift-evaluation.json";
const MARKDOWN: &str = "drift-evaluation.md";
const HTML: &str = "drift-evaluation.html";

/// What stays as it is in an address.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What models are asked for.
const ROLES: [Role; 1] = [Role::Audit];

/// Runs one audit: reads, makes the call, writes, and says how it ended.
pub(crate) fn audit(args: AuditArgs, talk: &Talk) -> Result<Status, Failure> {
    let needs_report = settings::needs_report(&args);
    let AuditArgs { command, request, chat, require_chat, confirm, heed, out_dir, writing } = args;
    match command {
        Some(AuditCommand::Compare(args)) => {
            return audit_compare::audit_compare(args, talk);
        }
        Some(AuditCommand::Contract(args)) => return contract(args, *talk),
        Some(AuditCommand::Undecided(args)) => return undecided(args, *talk),
        None => {}
    }
    // The parser asks for it.
    let request = request.ok_or_else(|| Failure::usage("neither PROMPT nor RUN is given"))?;
    let target = target(&request)?;
    let config = chat.config.clone();
    let is_asked = request.judge == Some(Judge::Both);
    if require_chat && !is_asked {
        return Err(Failure::usage("`--require-chat` is given, and no model is asked").hint("`--judge both` asks one"));
    }
    let models = settings::asked_models(is_asked, chat, "`--judge both`")?;
    Gates::asked(&request.fail_on, request.fail_below)?;
    let HeedArgs { accepted, at, baseline, as_prompt } = heed;
    let baseline = baseline.as_deref().map(Place::of);
    if baseline == Some(Place::Stdin) && target.is_read_from_stdin() {
        return Err(Failure::usage("what is audited and the baseline cannot both be read from stdin")
            .hint("give one of them as a file: `steadfast audit prompt.txt - --baseline before.json`"));
    }
    let beside = beside(&request);
    let from_stdin = beside.iter().filter(|place| **place == Place::Stdin).count();
    if from_stdin > 1 || (from_stdin == 1 && (target.is_read_from_stdin() || baseline == Some(Place::Stdin))) {
        return Err(Failure::usage("only one file can be read from stdin").hint("give the others as files"));
    }
    let as_of = at.as_deref().map(AsOf::given).transpose()?;
    let Writing { format, output, store, export } = settings::writing(writing, config)?;
    let named = request.fields.as_deref().unwrap_or_default();
    let wanted = fields(named, format == Format::Json, members::<DriftEvaluation>)?;

    let early = match input::alone(&target)? {
        Alone::Prompt(place) => {
            settings::refuse_alone(needs_report, &place.name())?;
            return lint::lint(input::prompt(&place)?, output.as_deref(), format, *talk);
        }
        Alone::Read(prompt) => {
            settings::refuse_alone(needs_report, "stdin")?;
            return lint::lint((prompt, None), output.as_deref(), format, *talk);
        }
        Alone::Archive(input) => Some(input),
        Alone::No => None,
    };
    let in_folder = out_dir.iter().flat_map(|folder| [JSON, MARKDOWN, HTML].map(|name| folder.join(name)));
    let targets: Vec<PathBuf> = output.iter().cloned().chain(in_folder).collect();
    let exports = Exports::new(export);
    let heeded = Heeded::read(accepted.as_deref(), as_of, baseline.as_ref())?;
    let beside: Vec<PathBuf> = beside.iter().filter_map(Place::path).collect();
    let named: Vec<PathBuf> = target.paths().into_iter().chain(heeded.paths.clone()).chain(beside.clone()).collect();
    let seated = models.as_ref().map(|models| chat::desk(models, &ROLES)).transpose()?.flatten();
    let kept = match models.as_ref().is_some_and(|models| models.dry_run) {
        true => None,
        false => record::open(store.as_deref(), &exports, &named, &targets)?,
    };
    let input = match early {
        Some(input) => input,
        None => input::read(&target, *talk)?,
    };
    let read: Vec<PathBuf> = input.paths.iter().chain(&heeded.paths).chain(&beside).cloned().collect();
    output::spare(&read, &targets.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;

    let desk = seated.as_ref().map(|seated| Arc::new(seated.desk.clone()));
    let host = Local::new(exports.clone(), *talk).storing(kept).asking(desk).host();
    let message = (!talk.quiet).then(|| format!("auditing {}", crate::talk::legible(&input.name)));
    let request = with_input(request, input.audit);
    let Heeded { accepted, as_of, baseline, paths: _ } = heeded;
    let earlier = baseline.as_ref().map(|file| file.name.clone());
    let context = AuditContext {
        decisions: accepted,
        as_of,
        baseline,
        by_person: true,
        confirmed_by: confirm,
        ..AuditContext::default()
    };
    let json = format == Format::Json;
    let ended = chat::ask(seated.as_ref(), calls::audit(&host, request, context), message)?;
    let is_asked_of = ended.as_ref().err().is_none_or(|refusal| has_chat(refusal.answer.as_deref()));
    if let Some(seated) = seated.as_ref().filter(|_| is_asked_of)
        && let Some(text) = seated.rehearsed(json)?
    {
        output::to(output.as_deref(), text)?;
        return Ok(Status::Passed);
    }
    let outcome = match ended {
        Ok(audited) => audited,
        Err(refusal) => {
            let Some(answer) = &refusal.answer else { return Err(refusal.into()) };
            write_not_evaluable(answer, out_dir.as_deref(), output.as_deref().filter(|_| json), json)?;
            if let Some(why) = answer.chat_failed.as_ref().filter(|_| require_chat) {
                return Err(chat_failed(why));
            }
            let failures = answer.gates.as_ref().map_or_else(Vec::new, |gates| gates.failures.clone());
            if failures.is_empty() {
                return Err(refusal.into());
            }
            // A gate that was asked for and failed counts for more than that there is no score.
            talk.warning(&refusal.message);
            failures.iter().for_each(|failure| talk.gate(failure));
            return Ok(Status::Gate);
        }
    };
    let failures = outcome.evaluation.gates.as_ref().map_or_else(Vec::new, |gates| gates.failures.clone());
    talk.ignored(&outcome.ignored);
    if let Some(name) = &earlier {
        crate::heed::tell(&outcome, name, *talk);
    }
    note_run(outcome.evaluation.run.as_ref(), store.as_deref(), json, *talk);

    let to_terminal = output.is_none();
    let text = match &wanted {
        Some(fields) => fields.json(&outcome.evaluation, None)?,
        None if as_prompt => instructions(&outcome, *talk),
        None => render(&outcome, format, output::colour(to_terminal), &Links::default())?,
    };
    if let Some(folder) = &out_dir {
        let links = Links { base: base(&target, folder, &outcome.root) };
        write_folder(folder, &outcome, &links)?;
        talk.note(&format!("wrote {JSON}, {MARKDOWN} and {HTML} to {}", folder.display()));
    }
    output::to(output.as_deref(), text)?;
    for failure in &failures {
        talk.gate(failure);
    }
    exports.send(*talk);
    match outcome.evaluation.chat_failed {
        Some(why) if require_chat => return Err(chat_failed(&why)),
        _ => {}
    }
    Ok(if failures.is_empty() { Status::Passed } else { Status::Gate })
}

/// Whether a chat model was asked though nothing could be evaluated.
fn has_chat(answer: Option<&NotEvaluable>) -> bool {
    answer.is_some_and(|answer| answer.chat.is_some())
}

/// The end where the chat model failed and was required.
pub(crate) fn chat_failed(why: &str) -> Failure {
    Failure::external(format!("the chat model failed: {why}"))
        .hint("without `--require-chat` the verdict of what was judged stands")
}

/// Writes what is read in a prompt.
pub(crate) fn contract(args: AuditContractArgs, talk: Talk) -> Result<Status, Failure> {
    let AuditContractArgs { request, confirm, format, json: _, output } = args;
    let prompt = Place::from(&request.prompt);
    let earlier = request.contract.as_ref().map(Place::from);
    if prompt == Place::Stdin && earlier == Some(Place::Stdin) {
        return Err(Failure::usage("prompt and contract cannot both be read from stdin")
            .hint("give one of them as a file: `steadfast audit contract - --contract contract.json`"));
    }
    let read: Vec<PathBuf> = prompt.path().into_iter().chain(earlier.as_ref().and_then(Place::path)).collect();
    output::spare(&read, &output.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let message = (!talk.quiet).then(|| format!("reading {}", crate::talk::legible(&prompt.name())));
    let earlier = earlier.as_ref().map(input::given).transpose()?;
    let earlier = earlier.map(|file| HandedContract::read(&file, true)).transpose()?;
    let contract = wait::wait(audit_contract(input::prompt(&prompt)?.0, earlier, confirm), message)?;
    let text = match format {
        ContractFormat::Json => steadfast_wire::to_json(&contract)?,
        ContractFormat::Text => steadfast_render::contract::text(&contract),
    };
    output::to(output.as_deref(), text)?;
    Ok(Status::Passed)
}

/// Writes what rules leave undecided.
fn undecided(args: AuditUndecidedArgs, talk: Talk) -> Result<Status, Failure> {
    let AuditUndecidedArgs { request, format: UndecidedFormat::Json, json: _, output } = args;
    let AuditUndecided { prompt, report, run: _, contract, context, cursor } = request;
    let asked = Audit { prompt, report, contract, context, ..Audit::default() };
    let target = target(&asked)?;
    let beside = beside(&asked);
    let from_stdin = beside.iter().filter(|place| **place == Place::Stdin).count();
    if from_stdin + usize::from(target.is_read_from_stdin()) > 1 {
        return Err(Failure::usage("only one file can be read from stdin").hint("give the others as files"));
    }
    let input = input::read(&target, talk)?;
    let read: Vec<PathBuf> = input.paths.iter().cloned().chain(beside.iter().filter_map(Place::path)).collect();
    output::spare(&read, &output.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let message = (!talk.quiet).then(|| format!("auditing {}", crate::talk::legible(&input.name)));
    let Audit { prompt, report, run, contract, context, .. } = with_input(asked, input.audit);
    let host = Local::new(Exports::new(ExportSettings::default()), talk).host();
    let request = AuditUndecided { prompt, report, run, contract, context, cursor };
    let batch = wait::wait(calls::audit_undecided(&host, request, true), message)?;
    output::to(output.as_deref(), steadfast_wire::to_json(&batch)?)?;
    Ok(Status::Passed)
}

/// Writes what stands in the place of an evaluation.
fn write_not_evaluable(
    answer: &NotEvaluable,
    folder: Option<&Path>,
    target: Option<&Path>,
    json: bool,
) -> Result<(), Failure> {
    let text = steadfast_wire::to_json(answer)?;
    if let Some(folder) = folder {
        output::make_folder(folder)?;
        let markdown = steadfast_render::contract::not_evaluable(answer);
        output::to_files(&[(folder.join(JSON), text.clone()), (folder.join(MARKDOWN), markdown)])?;
    }
    if json { output::to(target, text) } else { Ok(()) }
}

/// What is read beside what is audited.
fn beside(request: &Audit) -> Vec<Place> {
    let documents = request.contract.iter().chain(&request.proposals).map(Place::from);
    documents.chain(request.context.iter().map(Place::from)).collect()
}

/// What is audited: the sources of a request by the command line are paths.
fn target(request: &Audit) -> Result<Target, Failure> {
    let prompt = request.prompt.as_ref().ok_or_else(|| Failure::usage("neither PROMPT nor RUN is given"))?.into();
    if request.report.is_empty() {
        return Ok(Target::Run(prompt));
    }
    let reports: Vec<Place> = request.report.iter().map(Place::from).collect();
    let from_stdin = reports.iter().chain([&prompt]).filter(|place| **place == Place::Stdin).count();
    if from_stdin > 1 {
        return Err(Failure::usage("prompt and report cannot both be read from stdin")
            .hint("give one of them as a file: `steadfast audit prompt.txt -`"));
    }
    Ok(Target::Pair { prompt, reports })
}

/// The request with what was read.
fn with_input(request: Audit, input: AuditInput) -> Audit {
    let of = |File { name, bytes }: File| Source::Bytes { name, bytes };
    let (prompt, report, run) = match input {
        AuditInput::Pair { prompt, reports } => (Some(of(prompt)), reports.into_iter().map(of).collect(), None),
        AuditInput::Archive { name, bytes } => (None, Vec::new(), Some(Source::Bytes { name, bytes })),
        AuditInput::Folder { name, files } => {
            let files = files.into_iter().map(|File { name, bytes }| (name, bytes)).collect();
            (None, Vec::new(), Some(Source::Folder { name, files }))
        }
    };
    Audit { prompt, report, run, ..request }
}

/// Writes the three files of a report folder.
pub(crate) fn write_folder(folder: &Path, outcome: &AuditOutcome, links: &Links) -> Result<(), Failure> {
    let files = [(JSON, Format::Json), (MARKDOWN, Format::Md), (HTML, Format::Html)]
        .into_iter()
        .map(|(name, format)| Ok((folder.join(name), render(outcome, format, Colour::Off, links)?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    output::make_folder(folder)?;
    output::to_files(&files)
}

/// What is broken as instructions.
fn instructions(outcome: &AuditOutcome, talk: Talk) -> String {
    let text = steadfast_render::as_prompt(&outcome.evaluation, &Texts::of(&outcome.texts));
    if text.is_empty() {
        talk.note("nothing is to be mended: no instruction is written");
    }
    text
}

/// The outcome in one of the formats.
pub(crate) fn render(outcome: &AuditOutcome, format: Format, colour: Colour, links: &Links) -> Result<String, Failure> {
    let evaluation: &DriftEvaluation = &outcome.evaluation;
    let texts = Texts::of(&outcome.texts);
    Ok(match format.form() {
        None => steadfast_wire::to_json(evaluation)?,
        Some(form) => steadfast_render::audit::drawn(evaluation, &texts, links, form, colour)?,
    })
}

/// How the artefacts are reached from the report folder, where that can be said without naming folders of the machine: both given
/// relative to where the program runs, and inside it.
fn base(target: &Target, out_dir: &Path, root: &str) -> Option<String> {
    let artefacts = match target {
        Target::Run(Place::Path(path)) if path.is_dir() => path.as_path(),
        Target::Pair { prompt: Place::Path(prompt), reports } => match reports.as_slice() {
            [Place::Path(report)]
                if !report.is_dir()
                    && prompt.parent() == report.parent()
                    && prompt.file_name() != report.file_name() =>
            {
                report.parent()?
            }
            _ => return None,
        },
        _ => return None,
    };
    let (from, to) = (parts(out_dir)?, parts(artefacts)?);
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - shared);
    let way: Vec<String> = up.chain(to[shared..].iter().map(|part| encoded(part))).collect();
    let way = way.iter().map(|part| format!("{part}/")).collect::<String>();
    Some(way + &root.split('/').map(encoded).collect::<Vec<_>>().join("/"))
}

/// The parts of a relative path that does not lead up.
fn parts(path: &Path) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_str()?.to_owned()),
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(parts)
}

/// One part of a path, percent-encoded for a link.
fn encoded(part: &str) -> String {
    utf8_percent_encode(part, UNRESERVED).to_string()
}
