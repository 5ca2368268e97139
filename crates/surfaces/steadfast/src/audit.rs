//! `steadfast audit`.

use std::io;
use std::path::{Component, Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use steadfast_engine::chat::Role;
use steadfast_engine::runs::{Asked, Outcome};
use steadfast_engine::{AuditOutcome, AuditRequest, Gates, Rules, trace};
use steadfast_render::{Colour, Links, Texts};
use steadfast_wire::audit::DriftEvaluation;

use crate::args::{EmbedderArg, Format};
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::heed::Heeded;
use crate::input::Alone;
use crate::record::{Recorder, mark};
use crate::settings::{AuditSettings, Place, Target};
use crate::talk::Talk;
use crate::{chat, embedder, input, lint, output, settings};

/// The files of a report folder.
const JSON: &str = "drift-evaluation.json";
const MARKDOWN: &str = "drift-evaluation.md";
const HTML: &str = "drift-evaluation.html";

/// What models are asked for.
const ROLES: [Role; 3] = [Role::AuditContract, Role::AuditIncidents, Role::AuditScores];

/// Names of files that were not read, in a note.
const NAMED_MAX: usize = 3;

/// Runs one audit: reads, asks the engine, writes, and says how it ended.
pub(crate) fn audit(settings: AuditSettings, rules: Rules, talk: &Talk) -> Result<Status, Failure> {
    let early = match input::alone(&settings.target)? {
        Alone::Prompt(place) => {
            settings::refuse_alone(settings.needs_report, &place.name())?;
            return lint::lint(input::prompt(&place)?, &settings, rules, *talk);
        }
        Alone::Read(prompt) => {
            settings::refuse_alone(settings.needs_report, "stdin")?;
            return lint::lint((prompt, None), &settings, rules, *talk);
        }
        Alone::Archive(input) => Some(input),
        Alone::No => None,
    };
    let in_folder = settings.out_dir.iter().flat_map(|folder| [JSON, MARKDOWN, HTML].map(|name| folder.join(name)));
    let targets: Vec<PathBuf> = settings.output.iter().cloned().chain(in_folder).collect();
    let exports = Exports::new(settings.export);
    let heeded = Heeded::read(settings.accepted.as_deref(), settings.as_of, settings.baseline.as_ref())?;
    let named: Vec<PathBuf> = settings.target.paths().into_iter().chain(heeded.paths.clone()).collect();
    let mut recorder = Recorder::begin(settings.store.as_deref(), &exports, &named, &targets)?;
    let input = match early {
        Some(input) => input,
        None => input::read(&settings.target, *talk)?,
    };
    let read: Vec<PathBuf> = input.paths.iter().chain(&heeded.paths).cloned().collect();
    output::spare(&read, &targets.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;

    mark(&mut recorder, "read");

    let seated = settings.chat.as_ref().map(|chat| chat::desk(chat, &ROLES)).transpose()?.flatten();
    let embedder = match settings.embedder {
        EmbedderArg::Lexical => None,
        EmbedderArg::Minilm => Some(embedder::load(EmbedderArg::Minilm)?),
    };
    let request = AuditRequest { input: input.audit, judge: settings.judge, embedder, rules };
    let message = (!talk.quiet).then(|| format!("auditing {}", crate::talk::legible(&input.name)));
    let desk = seated.as_ref().map(|seated| &seated.desk);
    let mut outcome = chat::ask(seated.as_ref(), steadfast_engine::audit(request, desk), message)??;
    note_ignored(&outcome.ignored, *talk);
    if let Some(text) =
        seated.as_ref().map(|seated| seated.rehearsed(settings.format == Format::Json)).transpose()?.flatten()
    {
        output::to(settings.output.as_deref(), text)?;
        return Ok(Status::Passed);
    }

    mark(&mut recorder, "audit");
    heeded.apply(&mut outcome, recorder.as_ref().and_then(Recorder::decisions), *talk)?;

    let failures = settings.gates.failures(&outcome.evaluation);
    let status = if failures.is_empty() { Status::Passed } else { Status::Gate };
    if let Some(recorder) = recorder {
        let evaluation = &mut outcome.evaluation;
        let asked = asked(evaluation, &settings.gates).about(settings.agent);
        let kept = Outcome::audit(evaluation)?;
        let tells_itself = settings.format == Format::Json;
        evaluation.run =
            recorder.end(&asked, kept, status, tells_itself, *talk, |about| trace::audit(evaluation, about))?;
    }
    outcome.evaluation = steadfast_engine::page(outcome.evaluation, &settings.page)?;

    let to_terminal = settings.output.is_none();
    let text = match &settings.fields {
        Some(fields) => fields.json(&outcome.evaluation, None)?,
        None if settings.as_prompt => instructions(&outcome, *talk),
        None => render(&outcome, settings.format, colour(to_terminal), &Links::default())?,
    };
    if let Some(folder) = &settings.out_dir {
        let links = Links { base: base(&settings.target, folder, &outcome.root) };
        write_folder(folder, &outcome, &links)?;
        talk.note(&format!("wrote {JSON}, {MARKDOWN} and {HTML} to {}", folder.display()));
    }
    output::to(settings.output.as_deref(), text)?;
    for failure in &failures {
        talk.gate(&failure.to_string());
    }
    exports.send(*talk);
    Ok(status)
}

/// What an audit was asked for, and what had to hold.
fn asked(evaluation: &DriftEvaluation, gates: &Gates) -> Asked {
    Asked::audit(evaluation)
        .with("fail_below", gates.fail_below)
        .with("fail_on_risk", gates.fail_on_risk.map(|risk| risk.name()))
        .with("fail_on_disqualified", gates.fail_on_disqualified)
        .with("fail_on_new", gates.fail_on_new)
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
    let text = steadfast_render::as_prompt(&outcome.evaluation, &texts(outcome));
    if text.is_empty() {
        talk.note("nothing is to be mended: no instruction is written");
    }
    text
}

fn texts(outcome: &AuditOutcome) -> Texts<'_> {
    Texts { files: outcome.texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect() }
}

/// The outcome in one of the formats.
pub(crate) fn render(outcome: &AuditOutcome, format: Format, colour: Colour, links: &Links) -> Result<String, Failure> {
    let evaluation: &DriftEvaluation = &outcome.evaluation;
    let texts = texts(outcome);
    Ok(match format.form() {
        None => steadfast_wire::to_json(evaluation)?,
        Some(form) => steadfast_render::audit::drawn(evaluation, &texts, links, form, colour)?,
    })
}

/// Colour where data goes to a terminal that shows it, and `NO_COLOR` does not forbid it.
pub(crate) fn colour(to_terminal: bool) -> Colour {
    if to_terminal && AutoStream::choice(&io::stdout()) != ColorChoice::Never { Colour::On } else { Colour::Off }
}

/// Says what was given and not read.
pub(crate) fn note_ignored(ignored: &[String], talk: Talk) {
    if let Some((first, _)) = ignored.split_first() {
        let (count, named) = (ignored.len(), ignored.iter().take(NAMED_MAX).cloned().collect::<Vec<_>>().join(", "));
        let more = if count > NAMED_MAX { ", …" } else { "" };
        talk.note(&if count == 1 {
            format!("{first} is not read as an artefact")
        } else {
            format!("{count} files are not read as artefacts: {named}{more}")
        });
    }
}

/// How the artefacts are reached from the report folder, where that can be said without naming folders of the machine: both given
/// relative to where the program runs, and inside it.
fn base(target: &Target, out_dir: &Path, root: &str) -> Option<String> {
    let artefacts = match target {
        Target::Run(Place::Path(path)) if path.is_dir() => path.as_path(),
        Target::Pair { prompt: Place::Path(prompt), report: Place::Path(report) }
            if prompt.parent() == report.parent() && prompt.file_name() != report.file_name() =>
        {
            report.parent()?
        }
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
    let mut encoded = String::new();
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}
