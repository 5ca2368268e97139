//! Hooks in the settings of a host: put there, taken out, and shown line by line.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use similar::TextDiff;
use steadfast_wire::hook::{HookHost, installed, programs, removed};
use steadfast_wire::sessions::SessionCapture;

use crate::args::HookInstallArgs;
use crate::exit::{Failure, Status};
use crate::input::unreadable;
use crate::{output, settings};

/// Largest file of settings, in bytes.
const BYTES_MAX: u64 = 4 << 20;

/// Puts the hooks into the settings.
pub(super) fn install(args: &HookInstallArgs) -> Result<Status, Failure> {
    let program = program();
    change(args, |text| installed(text, args.host, &program))?;
    if !args.dry_run {
        output::to_stdout(&note(args.host)?)?;
    }
    Ok(Status::Passed)
}

/// Takes them out again.
pub(super) fn uninstall(args: &HookInstallArgs) -> Result<Status, Failure> {
    change(args, |text| removed(text, args.host))?;
    Ok(Status::Passed)
}

/// What a reader should know behind the change.
fn note(host: HookHost) -> Result<String, Failure> {
    let own = match host {
        HookHost::Cursor => {
            "Cursor's own log cannot be read, so the hook keeps what is typed, called and said, in steadfast/hooks in XDG_STATE_HOME or ~/.local/state, for 30 days.\n"
        }
        HookHost::Codex => "Codex asks you once to trust these hooks (`/hooks`).\n",
        _ => "",
    };
    let kept = match (settings::hook()?, settings::server_store(None, false)?) {
        (Some((capture, days)), Some(store)) => {
            let what = match capture {
                SessionCapture::Refs => {
                    "your words, claims, calls and verdicts are kept, of outputs and of the report references alone"
                }
                SessionCapture::Full => "your words, calls, the report and the verdicts with their quotes are kept",
            };
            format!(
                "When the agent ends a turn, {what}: in {}, for {days} days. `steadfast sessions list` shows them; `[hook] store = \"off\"` in steadfast.toml keeps nothing.\n",
                store.display()
            )
        }
        _ => "Nothing of a session is kept.\n".to_owned(),
    };
    Ok(format!("{own}{kept}Nothing leaves this machine.\n"))
}

fn change<E: std::fmt::Display>(
    args: &HookInstallArgs,
    changed: impl FnOnce(&str) -> Result<String, E>,
) -> Result<(), Failure> {
    let path = target(args)?;
    let before = match fs::metadata(&path) {
        Ok(found) if found.len() > BYTES_MAX => {
            return Err(Failure::usage(format!("{}: has more than {} MiB", path.display(), BYTES_MAX >> 20)));
        }
        Ok(_) => Some(fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(unreadable(&path, &error)),
    };
    let text = before.as_deref().unwrap_or_default();
    let after = changed(text).map_err(|error| {
        Failure::usage(format!("{}: {error}", path.display())).hint("mend it, or name another file with `--file`")
    })?;
    if after == text {
        return output::to_stdout(&format!("{}: nothing to change\n", path.display()));
    }
    let name = path.display().to_string();
    let diff = TextDiff::from_lines(text, &after).unified_diff().header(&name, &name).to_string();
    output::to_stdout(&diff)?;
    if args.dry_run {
        return Ok(());
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        output::make_folder(folder)?;
    }
    output::to_files(&[(path, after)])
}

/// Hooks that stand in the settings of a host.
pub(crate) struct FoundHooks {
    /// The host.
    pub(crate) host: HookHost,
    /// Whether the settings are those of the user, for all projects.
    pub(crate) user: bool,
    /// The settings.
    pub(crate) file: PathBuf,
    /// How they call this program, once for each hook; or why that cannot be read.
    pub(crate) programs: Result<Vec<String>, String>,
    /// Whether they are those that this version puts there.
    pub(crate) is_current: bool,
}

impl FoundHooks {
    /// The program that they name, where it is there.
    pub(crate) fn program(&self) -> Option<PathBuf> {
        let named = unquoted(self.programs.as_ref().ok()?.first()?);
        if named.components().count() > 1 { Some(named).filter(|file| file.is_file()) } else { on_path(&named) }
    }
}

/// The hooks in the settings of all hosts, of the project in the working folder and of the user.
pub(crate) fn found() -> Vec<FoundHooks> {
    let places = HookHost::ALL.iter().flat_map(|host| [(*host, false), (*host, true)]);
    let found = |(host, user): (HookHost, bool)| {
        let file = target(&HookInstallArgs { host, user, file: None, dry_run: true }).ok()?;
        let text = match fs::metadata(&file) {
            Ok(found) if found.is_file() && found.len() <= BYTES_MAX => fs::read_to_string(&file),
            _ => return None,
        };
        let programs = match &text {
            Ok(text) => programs(text, host).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let first = programs.as_ref().ok().and_then(|programs| programs.first());
        let is_current = first
            .zip(text.as_ref().ok())
            .is_some_and(|(program, text)| installed(text, host, program).is_ok_and(|after| after == *text));
        let is_there = programs.as_ref().is_err() || first.is_some();
        is_there.then_some(FoundHooks { host, user, file, programs, is_current })
    };
    places.filter_map(found).collect()
}

/// The file in which a host looks for hooks.
fn target(args: &HookInstallArgs) -> Result<PathBuf, Failure> {
    if let Some(file) = &args.file {
        return Ok(file.clone());
    }
    let (project, user) = match args.host {
        HookHost::Claude => (".claude/settings.json", ".claude/settings.json"),
        HookHost::Codex => (".codex/hooks.json", ".codex/hooks.json"),
        HookHost::Vscode => (".github/hooks/steadfast.json", ".copilot/hooks/steadfast.json"),
        HookHost::Gemini => (".gemini/settings.json", ".gemini/settings.json"),
        HookHost::Cursor => (".cursor/hooks.json", ".cursor/hooks.json"),
    };
    if !args.user {
        return Ok(PathBuf::from(project));
    }
    let home = settings::home().ok_or_else(|| {
        Failure::usage("no home folder is known: HOME is not set").hint("`--file FILE` names the settings")
    })?;
    Ok(home.join(user))
}

/// How a host calls this program: by its name where the shell finds it so, else by its whole path.
fn program() -> String {
    let Ok(own) = env::current_exe() else { return "steadfast".to_owned() };
    let found = on_path(Path::new("steadfast"));
    let is_own = found.is_some_and(|found| found.canonicalize().ok() == own.canonicalize().ok());
    if is_own { "steadfast".to_owned() } else { quoted(&own) }
}

/// The file that a shell finds by a name.
fn on_path(name: &Path) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// A path as one word of a shell's command line.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = path.chars().all(|c| c.is_alphanumeric() || "/._-+:\\".contains(c));
    if is_plain {
        path
    } else {
        format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$").replace('`', "\\`"))
    }
}

/// The path that [`quoted`] made a word of; of a command line that somebody wrote its first word.
fn unquoted(word: &str) -> PathBuf {
    let Some(inner) = word.strip_prefix('"').and_then(|word| word.strip_suffix('"')) else {
        return PathBuf::from(word.split_whitespace().next().unwrap_or_default());
    };
    let mut path = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        path.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    PathBuf::from(path)
}
