//! Files, folders and stdin, within limits. What is too large is refused before it is read.

use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cap_fs_ext::OpenOptionsSyncExt;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use steadfast_engine::embedder::buffer;
use steadfast_engine::intake::{is_archive, is_read};
use steadfast_engine::limits::{ARCHIVE_BYTES_MAX, DEPTH_MAX, FILE_BYTES_MAX, FILES_MAX, RUN_BYTES_MAX};
use steadfast_engine::vault::holds_prompts;
use steadfast_engine::{AuditInput, CALENDARS_MAX, EngineError, File, is_calendar};
use steadfast_wire::begins_a_result;

use crate::exit::Failure;
use crate::place::{Place, Target};
use crate::talk::Talk;

/// What a file on stdin is called: its ending says how it is read.
const STDIN_PROMPT: &str = "stdin.txt";
const STDIN_REPORT: &str = "stdin.md";
const STDIN_PAGE: &str = "stdin.html";
const STDIN_PLAN: &str = "stdin.json";

/// Files of a folder of prompts.
const VAULT_FILES_MAX: usize = 1_000_000;

/// Prompts that are taken in at a time, in bytes.
const VAULT_BYTES_MAX: u64 = 2 * 1024 * 1024 * 1024;

/// A file of an embedding model, in bytes.
const MODEL_FILE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// What is audited, read.
#[derive(Debug)]
pub(crate) struct Input {
    /// For the engine.
    pub(crate) audit: AuditInput,
    /// What it is called while it is worked on.
    pub(crate) name: String,
    /// Files and folders that were read, so that none of them is written over.
    pub(crate) paths: Vec<PathBuf>,
}

/// Reads what is audited.
pub(crate) fn read(target: &Target, talk: Talk) -> Result<Input, Failure> {
    match target {
        Target::Pair { prompt, reports: places } => {
            let (prompt, prompt_path) = pair_file(prompt, "prompt", STDIN_PROMPT)?;
            let mut paths: Vec<PathBuf> = prompt_path.into_iter().collect();
            let mut reports = Vec::with_capacity(places.len());
            for place in places {
                if let Place::Path(path) = place
                    && look(path)?.is_dir()
                {
                    let is_report = |name: &str| is_read(name) || name.to_ascii_lowercase().ends_with(".docx");
                    let (files, _) = folder(path, talk, is_report, FILES_MAX, RUN_BYTES_MAX)?;
                    let (mut files, others): (Vec<File>, Vec<File>) =
                        files.into_iter().partition(|file| is_report(&file.name));
                    talk.ignored(&others.into_iter().map(|file| file.name).collect::<Vec<_>>());
                    files.sort_by(|one, other| one.name.cmp(&other.name));
                    if files.is_empty() {
                        return Err(Failure::usage(format!("{}: holds no file that can be read", shown(path)))
                            .hint("reports are Markdown, HTML, plain text or .docx"));
                    }
                    reports.extend(files);
                    paths.push(path.clone());
                    continue;
                }
                let (mut report, path) = pair_file(place, "report", STDIN_REPORT)?;
                if path.is_none() {
                    stdin_report(&report.bytes).clone_into(&mut report.name);
                }
                reports.push(report);
                paths.extend(path);
            }
            let name = reports.first().map(|report| report.name.clone()).unwrap_or_default();
            Ok(Input { audit: AuditInput::Pair { prompt, reports }, name, paths })
        }
        Target::Run(Place::Stdin) => {
            let bytes = limited("stdin", io::stdin().lock(), Vec::new(), ARCHIVE_BYTES_MAX)?;
            archive("stdin".to_owned(), bytes, Vec::new())
        }
        Target::Run(Place::Path(path)) => {
            let name = shown(path);
            if look(path)?.is_dir() {
                let (files, _) = folder(path, talk, is_read, FILES_MAX, RUN_BYTES_MAX)?;
                let audit = AuditInput::Folder { name: name.clone(), files };
                return Ok(Input { audit, name, paths: vec![path.clone()] });
            }
            let bytes = file(path, ARCHIVE_BYTES_MAX, is_archive)?;
            archive(name, bytes, vec![path.clone()])
        }
    }
}

/// The prompt, where what is audited is one alone: a file, or what comes on stdin, that is no archive. What comes on stdin and is one is
/// given back read.
pub(crate) fn alone(target: &Target) -> Result<Alone, Failure> {
    match target {
        Target::Run(Place::Path(path)) if !look(path)?.is_dir() => {
            let mut beginning = Vec::new();
            let opened = fs::File::open(path).map_err(|error| unreadable(path, &error))?;
            opened.take(8).read_to_end(&mut beginning).map_err(|error| unreadable(path, &error))?;
            Ok(if is_archive(&beginning) { Alone::No } else { Alone::Prompt(Place::Path(path.clone())) })
        }
        Target::Run(Place::Stdin) => {
            let bytes = limited("stdin", io::stdin().lock(), Vec::new(), ARCHIVE_BYTES_MAX)?;
            Ok(if is_archive(&bytes) {
                Alone::Archive(archive("stdin".to_owned(), bytes, Vec::new())?)
            } else {
                Alone::Read(File { name: STDIN_PROMPT.to_owned(), bytes })
            })
        }
        _ => Ok(Alone::No),
    }
}

/// Whether what is audited is a prompt alone.
pub(crate) enum Alone {
    /// It is not.
    No,
    /// It is not: it is an archive, which was read.
    Archive(Input),
    /// It is, in this place.
    Prompt(Place),
    /// It is, and was read.
    Read(File),
}

/// Reads a prompt.
pub(crate) fn prompt(place: &Place) -> Result<(File, Option<PathBuf>), Failure> {
    single(place, "prompt", STDIN_PROMPT)
}

pub(crate) fn archive(name: String, bytes: Vec<u8>, paths: Vec<PathBuf>) -> Result<Input, Failure> {
    if !is_archive(&bytes) {
        return Err(Failure::usage(format!("{name}: is neither a folder nor a zip archive"))
            .hint("a report needs its prompt: `steadfast audit PROMPT REPORT`"));
    }
    Ok(Input { audit: AuditInput::Archive { name: name.clone(), bytes }, name, paths })
}

/// One of two audits, read.
#[derive(Debug)]
pub(crate) enum Compared {
    /// Something to audit.
    Input(AuditInput),
    /// The JSON of an audit that was made.
    Result(String),
}

/// Reads one of two audits: what it is its first bytes say. A report is held against `prompt`.
pub(crate) fn compared(place: &Place, prompt: Option<&File>, talk: Talk) -> Result<Compared, Failure> {
    if let Place::Path(path) = place
        && look(path)?.is_dir()
    {
        return Ok(Compared::Input(read(&Target::Run(place.clone()), talk)?.audit));
    }
    let (shown, bytes) = match place {
        Place::Stdin => ("stdin".to_owned(), limited("stdin", io::stdin().lock(), Vec::new(), ARCHIVE_BYTES_MAX)?),
        Place::Path(path) => (self::shown(path), file(path, ARCHIVE_BYTES_MAX, |_| true)?),
    };
    if begins_a_result(&bytes) {
        let text = String::from_utf8(bytes);
        return text.map(Compared::Result).map_err(|error| Failure::usage(format!("{shown}: is not text: {error}")));
    }
    if is_archive(&bytes) {
        return Ok(Compared::Input(AuditInput::Archive { name: shown, bytes }));
    }
    let Some(prompt) = prompt.cloned() else {
        return Err(Failure::usage(format!("{shown}: is neither a folder, a zip archive nor the JSON of an audit"))
            .hint("a report needs its prompt: `--prompt PROMPT`"));
    };
    let name = match place {
        Place::Stdin => stdin_report(&bytes).to_owned(),
        Place::Path(_) => place.name(),
    };
    Ok(Compared::Input(AuditInput::Pair { prompt, reports: vec![File { name, bytes }] }))
}

/// What a report on stdin is called.
fn stdin_report(bytes: &[u8]) -> &'static str {
    if bytes.trim_ascii_start().first() == Some(&b'<') { STDIN_PAGE } else { STDIN_REPORT }
}

/// Notes, and the calendars beside them.
pub(crate) struct Day {
    /// The notes. On stdin they have the name that every door gives them.
    pub(crate) notes: File,
    /// The calendars, in the order in which they were given, those of a folder by their names.
    pub(crate) calendars: Vec<File>,
    /// What was read, so that none of it is written over.
    pub(crate) paths: Vec<PathBuf>,
}

/// Reads notes with calendars: a file, stdin, or a folder with one note, or with one that is called by the day of `at`.
pub(crate) fn day(place: &Place, calendars: &[PathBuf], at: Option<&str>) -> Result<Day, Failure> {
    let mut beside = Vec::new();
    let (notes, path) = match place {
        Place::Stdin => (steadfast_engine::context_file(stdin()?), None),
        Place::Path(path) if look(path)?.is_dir() => {
            let note = note_of(path, at, &mut beside)?;
            single(&Place::Path(note), "notes", "")?
        }
        Place::Path(_) => single(place, "notes", "")?,
    };
    beside.extend(calendars.iter().cloned());
    if beside.len() > CALENDARS_MAX {
        return Err(EngineError::TooManyCalendars { calendars: beside.len() }.into());
    }
    let mut day = Day { notes, calendars: Vec::with_capacity(beside.len()), paths: path.into_iter().collect() };
    for path in beside {
        let (file, path) = single(&Place::Path(path), "calendar", "")?;
        day.calendars.push(file);
        day.paths.extend(path);
    }
    Ok(day)
}

/// The note of a folder; the calendars of the folder are added.
fn note_of(folder: &Path, at: Option<&str>, calendars: &mut Vec<PathBuf>) -> Result<PathBuf, Failure> {
    const ENDINGS: &[&str] = &["md", "markdown", "txt", "html", "htm"];
    let mut notes = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, &error))? {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
        if name.starts_with('.') || !path.is_file() {
            continue;
        }
        if is_calendar(&name) {
            calendars.push(path);
        } else if ENDINGS.contains(&ending.as_str()) {
            notes.push((name, path));
        }
    }
    calendars.sort();
    let count = notes.len();
    if count > 1 {
        let day = at.and_then(|at| at.get(.."2026-01-26".len()));
        notes.retain(|(name, _)| day.is_some_and(|day| name.starts_with(day)));
    }
    match (notes.pop(), notes.is_empty()) {
        (Some((_, path)), true) => Ok(path),
        _ => Err(Failure::usage(format!(
            "{}: holds {count} notes, and which of them is the day's is not said",
            shown(folder)
        ))
        .hint("name the file itself, or call it by its day (2026-01-26.md) and give --at")),
    }
}

/// Reads somebody's plan, and the path that it was read from.
pub(crate) fn plan(place: &Place) -> Result<(File, Option<PathBuf>), Failure> {
    single(place, "plan", STDIN_PLAN)
}

/// Reads the file of a path.
///
/// # Errors
/// [`Failure`] where it cannot be read, or is too large.
pub fn file_at(path: &Path) -> Result<File, Failure> {
    given(&Place::Path(path.to_owned()))
}

/// Reads one file, whatever it is for.
pub(crate) fn given(place: &Place) -> Result<File, Failure> {
    single(place, "file", STDIN_PROMPT).map(|(file, _)| file)
}

/// Reads an agent's output, and the path that it was read from. On stdin it has the name that every door gives it.
pub(crate) fn output(place: &Place) -> Result<(File, Option<PathBuf>), Failure> {
    match place {
        Place::Stdin => Ok((steadfast_engine::review::output_file(stdin()?), None)),
        Place::Path(_) => single(place, "output", ""),
    }
}

/// How deep folders of evidence are read.
const EVIDENCE_FOLDERS_DEEP: usize = 3;

/// Reads files of evidence; of a folder all files in it, by their names, but for hidden ones.
pub(crate) fn evidence(sources: &[steadfast_wire::request::Source]) -> Result<Vec<(File, PathBuf)>, Failure> {
    let mut out = Vec::new();
    for source in sources {
        let Some(path) = source.path() else { continue };
        if let Some(range) = path.to_str().and_then(|it| it.strip_prefix("git:")) {
            out.push((crate::git::diff(range)?, path));
            continue;
        }
        let mut open = vec![(path, 0)];
        while let Some((path, depth)) = open.pop() {
            if !look(&path)?.is_dir() {
                let (file, path) = single(&Place::Path(path), "evidence", "")?;
                out.extend(path.map(|path| (file, path)));
                continue;
            }
            let mut within = Vec::new();
            for entry in fs::read_dir(&path).map_err(|error| unreadable(&path, &error))? {
                let path = entry.map_err(|error| unreadable(&path, &error))?.path();
                let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
                if !hidden && (depth < EVIDENCE_FOLDERS_DEEP || path.is_file()) {
                    within.push((path, depth + 1));
                }
            }
            within.sort();
            open.extend(within.into_iter().rev());
        }
    }
    Ok(out)
}

/// What comes on stdin.
fn stdin() -> Result<Vec<u8>, Failure> {
    limited("stdin", io::stdin().lock(), Vec::new(), FILE_BYTES_MAX)
}

/// Reads acceptance criteria.
pub(crate) fn criteria(place: &Place) -> Result<File, Failure> {
    Ok(single(place, "criteria", STDIN_PROMPT)?.0)
}

/// Reads initial intents.
pub(crate) fn intents(place: &Place) -> Result<(File, Option<PathBuf>), Failure> {
    single(place, "intents", STDIN_PLAN)
}

/// Reads a result that was saved.
pub(crate) fn result(place: &Place) -> Result<(File, Option<PathBuf>), Failure> {
    single(place, "result", STDIN_PLAN)
}

/// Reads a file of a model.
pub(crate) fn model_file(path: &Path) -> Result<Vec<u8>, Failure> {
    file(path, MODEL_FILE_BYTES_MAX, |_| true)
}

fn pair_file(place: &Place, what: &str, stdin_name: &str) -> Result<(File, Option<PathBuf>), Failure> {
    if let Place::Path(path) = place
        && look(path)?.is_dir()
    {
        return Err(Failure::usage(format!("{}: is a folder, not a {what}", shown(path)))
            .hint("the folder of a planner's run stands alone: `steadfast audit RUN`"));
    }
    single(place, what, stdin_name)
}

/// Reads one file.
fn single(place: &Place, what: &str, stdin_name: &str) -> Result<(File, Option<PathBuf>), Failure> {
    match place {
        Place::Stdin => {
            let bytes = limited("stdin", io::stdin().lock(), Vec::new(), FILE_BYTES_MAX)?;
            Ok((File { name: stdin_name.to_owned(), bytes }, None))
        }
        Place::Path(path) => {
            if look(path)?.is_dir() {
                return Err(Failure::usage(format!("{}: is a folder, no file", shown(path))));
            }
            let bytes = file(path, FILE_BYTES_MAX, |_| true)?;
            // The name alone: the folders before it are of this machine.
            let name = path.file_name().map_or_else(|| what.to_owned(), |name| name.to_string_lossy().into_owned());
            Ok((File { name, bytes }, Some(path.clone())))
        }
    }
}

fn look(path: &Path) -> Result<Metadata, Failure> {
    fs::metadata(path).map_err(|error| unreadable(path, &error))
}

/// A file or folder that cannot be read, and why.
pub fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let what = match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "may not be read".to_owned(),
        _ => error.to_string(),
    };
    Failure::usage(format!("{}: {what}", shown(path)))
}

/// A path as the user gave it.
fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Reads a file of at most `limit_bytes`. Of a larger one nothing but its beginning is looked at: where `begins_well` says no to
/// that, what it is counts more than how long it is, and the beginning alone is given.
fn file(path: &Path, limit_bytes: u64, begins_well: impl Fn(&[u8]) -> bool) -> Result<Vec<u8>, Failure> {
    let opened = fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    whole(path, opened, limit_bytes, begins_well)
}

/// The same of a file that is open; `path` is what it is called.
pub(crate) fn whole(
    path: &Path,
    opened: fs::File,
    limit_bytes: u64,
    begins_well: impl Fn(&[u8]) -> bool,
) -> Result<Vec<u8>, Failure> {
    let name = shown(path);
    let length = opened.metadata().map_err(|error| unreadable(path, &error))?.len();
    if length > limit_bytes {
        let mut beginning = Vec::new();
        opened.take(8).read_to_end(&mut beginning).map_err(|error| unreadable(path, &error))?;
        if begins_well(&beginning) {
            return Err(EngineError::FileTooLarge { file: name, bytes: length, limit_bytes }.into());
        }
        return Ok(beginning);
    }
    // One more than the file holds: that shows its end without room for more.
    limited(&name, opened, buffer(usize::try_from(length + 1).unwrap_or(0)), limit_bytes)
}

/// Reads to the end into empty memory, and refuses what has none.
fn limited(name: &str, reader: impl Read, mut bytes: Vec<u8>, limit_bytes: u64) -> Result<Vec<u8>, Failure> {
    reader
        .take(limit_bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::external(format!("{name}: cannot be read: {error}")))?;
    if bytes.len() as u64 > limit_bytes {
        return Err(EngineError::FileTooLarge { file: name.to_owned(), bytes: bytes.len() as u64, limit_bytes }.into());
    }
    Ok(bytes)
}

/// Opens a file of a folder, wherever links lead: never out of the folder, whoever changes it meanwhile. What is no file is refused, and
/// nobody waits for the other end of a pipe.
pub(crate) fn open_in(folder: &Dir, name: &Path) -> io::Result<fs::File> {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true);
    let opened = folder.open_with(name, &options)?.into_std();
    if !opened.metadata()?.is_file() {
        return Err(io::Error::other("is neither a file nor a folder"));
    }
    Ok(opened)
}

/// The files of a folder: names of all of them, bytes of those that are read; and the names of what is hidden, of folders with `/`. Links are not followed: one that stays inside leads to
/// a file that is read under its own name, one that leads out is no part of the folder. Nothing outside the folder is read, whatever is put in the place of
/// a file meanwhile.
fn folder(
    root: &Path,
    talk: Talk,
    is_read: impl Fn(&str) -> bool,
    files_max: usize,
    bytes_max: u64,
) -> Result<(Vec<File>, Vec<String>), Failure> {
    let opened = Dir::open_ambient_dir(root, ambient_authority()).map_err(|error| unreadable(root, &error))?;
    files_in(&opened, root, talk, is_read, files_max, bytes_max)
}

/// The same of a folder that is open; `root` is what it is called.
pub(crate) fn files_in(
    opened: &Dir,
    root: &Path,
    talk: Talk,
    is_read: impl Fn(&str) -> bool,
    files_max: usize,
    bytes_max: u64,
) -> Result<(Vec<File>, Vec<String>), Failure> {
    let (mut files, mut hidden) = (Vec::new(), Vec::new());
    let mut seen = 0_usize;
    let mut bytes = 0_u64;
    let mut folders = vec![(String::new(), 0_usize)];
    while let Some((prefix, depth)) = folders.pop() {
        let folder = root.join(&prefix);
        let entries = if prefix.is_empty() { opened.entries() } else { opened.read_dir(&prefix) };
        for entry in entries.map_err(|error| unreadable(&folder, &error))? {
            let entry = entry.map_err(|error| unreadable(&folder, &error))?;
            let base = entry.file_name().to_string_lossy().into_owned();
            let path = folder.join(entry.file_name());
            let kind = entry.file_type().map_err(|error| unreadable(&path, &error))?;
            if base.starts_with('.') {
                hidden.push(format!("{prefix}{base}{}", if kind.is_dir() { "/" } else { "" }));
                continue;
            }
            seen += 1;
            if seen > files_max {
                return Err(EngineError::TooManyFiles { run: shown(root), limit: files_max }.into());
            }
            let name = format!("{prefix}{base}");
            if kind.is_symlink() {
                if leads_out(root, &path) {
                    talk.warning(&format!("{}: leads out of the folder; it is not read", shown(&path)));
                }
            } else if kind.is_dir() {
                if depth == DEPTH_MAX {
                    return Err(Failure::usage(format!("{}: lies deeper than {DEPTH_MAX} folders", shown(&path))));
                }
                folders.push((format!("{name}/"), depth + 1));
            } else if kind.is_file() {
                let content = if is_read(&name) {
                    let file = open_in(opened, Path::new(&name)).map_err(|error| unreadable(&path, &error))?;
                    whole(&path, file, FILE_BYTES_MAX, |_| true)?
                } else {
                    Vec::new()
                };
                bytes += content.len() as u64;
                if bytes > bytes_max {
                    return Err(EngineError::RunTooLarge { run: shown(root), limit_bytes: bytes_max }.into());
                }
                files.push(File { name, bytes: content });
            }
        }
    }
    Ok((files, hidden))
}

/// The names of the files of a folder and of those below it; none is read.
///
/// # Errors
/// [`Failure`] where it cannot be read, or holds too many.
pub(crate) fn names_in(path: &Path, talk: Talk, files_max: usize) -> Result<Vec<String>, Failure> {
    let (files, _) = folder(path, talk, |_| false, files_max, 0)?;
    Ok(files.into_iter().map(|file| file.name).collect())
}

/// A file of JSON lines, within a limit.
///
/// # Errors
/// [`Failure`] where it cannot be read, or is larger.
pub fn lines(path: &Path, bytes_max: u64) -> Result<Vec<u8>, Failure> {
    if look(path)?.is_dir() {
        return Err(Failure::usage(format!("{}: is a folder, no file", shown(path))));
    }
    file(path, bytes_max, |_| true)
}

/// The files of a folder of prompts in the order of their names, those that hold none without their bytes; or one file.
pub(crate) fn prompts(path: &Path, talk: Talk) -> Result<Vec<File>, Failure> {
    if look(path)?.is_dir() {
        let (mut files, hidden) = folder(path, talk, holds_prompts, VAULT_FILES_MAX, VAULT_BYTES_MAX)?;
        // What is hidden is not read, but it can be told.
        files.extend(hidden.into_iter().map(|name| File { name, bytes: Vec::new() }));
        files.sort_by(|a, b| a.name.cmp(&b.name));
        return Ok(files);
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if !holds_prompts(&name) {
        return Err(Failure::usage(format!("{}: is no file of prompts", shown(path)))
            .hint("prompts are Markdown (.md), JSON lines (.jsonl) or CSV (.csv)"));
    }
    Ok(vec![File { name, bytes: file(path, VAULT_BYTES_MAX, |_| true)? }])
}

/// Whether a link is told of: it leads out of the folder, or nowhere. It is not followed in any case.
fn leads_out(root: &Path, link: &Path) -> bool {
    match (root.canonicalize(), link.canonicalize()) {
        (Ok(root), Ok(target)) => !target.starts_with(root),
        _ => true,
    }
}
