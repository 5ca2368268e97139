//! `steadfast doctor`: whether this installation can do what it is set up to do. Nothing is sent, and nothing is changed.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rustix::fs::{Access, access};
use steadfast_engine::RULES_VERSION;
use steadfast_engine::chat::Role;
use steadfast_export::{Exporter, Queue};
use steadfast_store::{Store, StoreError, VERSION};
use steadfast_wire::doctor::{CheckState, Doctor, DoctorCheck, SCHEMA_VERSION};
use steadfast_wire::embedder::FileState;

use crate::args::{DoctorArgs, ExportArgs, ModelsArgs, QueueArgs};
use crate::embedder::{self, PULL, mib};
use crate::exit::{Failure, Status};
use crate::hook::install::{self, FoundHooks};
use crate::settings::{self, AlertSettings, ChatSettings, KeyPlace, RoleModel};
use crate::store::{counted, told, write};
use crate::talk::Talk;
use crate::{chat, output, wait};

/// Rights of anybody but the owner.
const OTHERS: u32 = 0o077;

/// Looks at everything that is set up.
pub(crate) fn doctor(args: DoctorArgs, talk: &Talk) -> Result<Status, Failure> {
    let DoctorArgs { config, store, models, rows } = args;
    let mut checks = wait::meanwhile("looking".to_owned(), || checks(config, store, models));
    if let Some(home) = settings::home().filter(|home| home.is_absolute() && home.parent().is_some()) {
        checks.iter_mut().for_each(|check| without_home(check, &home));
    }
    let doctor = Doctor {
        schema_version: SCHEMA_VERSION.to_owned(),
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        rules_version: RULES_VERSION.to_owned(),
        usable: checks.iter().all(|check| check.state != CheckState::Failed),
        checks,
    };
    let colour = output::colour(rows.output.file().is_none());
    write(&rows, || steadfast_render::doctor::text(&doctor, colour), &doctor)?;
    let failed: Vec<String> = doctor.failed().map(DoctorCheck::title).collect();
    if failed.is_empty() {
        return Ok(Status::Passed);
    }
    talk.gate(&format!("{} of {}: {}", failed.len(), counted(doctor.checks.len() as u64, "check"), failed.join(", ")));
    Ok(Status::Gate)
}

fn checks(config: Option<PathBuf>, store: Option<PathBuf>, models: ModelsArgs) -> Vec<DoctorCheck> {
    let version = format!("steadfast {}, rules {RULES_VERSION}", env!("CARGO_PKG_VERSION"));
    let file = settings(config.clone());
    let is_read = file.state != CheckState::Failed;
    let mut all = vec![DoctorCheck::new("version", CheckState::Ok, version), file, embedder(models)];
    all.extend(self::store(store.clone()));
    if is_read {
        all.extend(chat_models(config.clone()));
        all.push(alerts(config.clone()));
        all.push(export(config, store));
    }
    all.extend(hooks());
    all.extend(settings::folders().map(|(name, folder)| self::folder(name, folder.as_deref())));
    all.push(clock());
    all
}

/// What a verb that needs it would end with.
fn failed(name: &str, failure: Failure) -> DoctorCheck {
    DoctorCheck { hint: failure.hint, ..DoctorCheck::new(name, CheckState::Failed, failure.message) }
}

/// Writes the home folder as a shell does: whose it is is nobody's affair.
fn without_home(check: &mut DoctorCheck, home: &Path) {
    let folder = format!("{}/", home.display());
    for text in check.subject.iter_mut().chain([&mut check.detail]).chain(check.hint.as_mut()) {
        *text = text.replace(&folder, "~/");
    }
}

fn settings(config: Option<PathBuf>) -> DoctorCheck {
    let place = match (&config, settings::variable("STEADFAST_CONFIG")) {
        (Some(_), _) => "named by --config",
        (None, Some(_)) => "named by STEADFAST_CONFIG",
        (None, None) => "in the working folder",
    };
    let read = || {
        let file = settings::settings_file(config.clone())?;
        settings::privacy(config.clone())?;
        // Hosts call hooks without arguments.
        if config.is_none() {
            settings::hook()?;
        }
        Ok::<_, Failure>(file)
    };
    match read() {
        Ok(file) if file.path.is_some() => {
            DoctorCheck::new("settings", CheckState::Ok, format!("{}, {place}, can be read", file.name()))
        }
        Ok(_) => DoctorCheck::new(
            "settings",
            CheckState::NotSet,
            "there is no steadfast.toml in the working folder, and nothing names another",
        ),
        Err(failure) => failed("settings", failure),
    }
}

fn embedder(models: ModelsArgs) -> DoctorCheck {
    match embedder::look(models) {
        Ok((status, folder)) if status.usable => {
            let size = mib(status.files.iter().map(|file| file.bytes).sum());
            let detail = format!("{}: all of it is there, {size}, hashes right, in {}", status.model, folder.display());
            DoctorCheck::new("embedder", CheckState::Ok, detail)
        }
        Ok((status, folder)) => {
            let is_nothing = status.files.iter().all(|file| file.state == FileState::Missing);
            let (state, why) = if is_nothing {
                (CheckState::Warning, "`watch` needs it, and what goes by meaning goes by words without it".to_owned())
            } else {
                (CheckState::Failed, embedder::faults(&status))
            };
            let detail = format!("{} cannot be used in {}: {why}", status.model, folder.display());
            DoctorCheck::new("embedder", state, detail).hint(PULL)
        }
        Err(failure) => DoctorCheck { state: CheckState::Warning, ..failed("embedder", failure) },
    }
}

/// The store that is named, else that of the server, if it is there.
fn store(named: Option<PathBuf>) -> Vec<DoctorCheck> {
    let is_named = named.is_some();
    let path = match settings::server_store(named, false) {
        Ok(Some(path)) => path,
        Ok(None) => return Vec::new(),
        Err(failure) => return vec![DoctorCheck::new("store", CheckState::NotSet, failure.message)],
    };
    let name = path.display();
    let own = match Store::inspect(&path) {
        Err(StoreError::Missing { .. }) if !is_named => {
            let detail =
                format!("{name} is not there: `serve`, `mcp` and hooks make it, `--store FILE` keeps runs elsewhere");
            return vec![DoctorCheck::new("store", CheckState::NotSet, detail)];
        }
        Err(error) => return vec![failed("store", error.into())],
        Ok(contents) if contents.version == VERSION => {
            DoctorCheck::new("store", CheckState::Ok, format!("{name}: version {VERSION}, {}", told(contents)))
        }
        Ok(contents) => {
            let older = format!("{name}: version {}, older than {VERSION}, {}", contents.version, told(contents));
            DoctorCheck::new("store", CheckState::Warning, older).hint(format!(
                "`steadfast runs list --store {name}`, as any verb that opens it, brings it to version {VERSION} and keeps a copy beside it"
            ))
        }
    };
    [own].into_iter().chain(permissions(&path)).collect()
}

/// Who can read the store, and whether it can be written.
fn permissions(path: &Path) -> Option<DoctorCheck> {
    let mode = path.metadata().ok()?.permissions().mode() & 0o777;
    let (state, what) = if access(path, Access::WRITE_OK).is_err() {
        (CheckState::Warning, "it may be read, and nothing added to it")
    } else if mode & OTHERS != 0 {
        (CheckState::Warning, "others than its owner may read it or write to it")
    } else {
        (CheckState::Ok, "its owner alone may read it")
    };
    let name = path.display();
    let own = DoctorCheck::new("permissions", state, format!("{name}: mode {mode:04o}, {what}"));
    Some(if state == CheckState::Ok { own } else { own.hint(format!("`chmod 600 {name}`")) })
}

/// The chat models that roles are set to. Whether they answer is for `chat check`: nothing is sent here.
fn chat_models(config: Option<PathBuf>) -> Vec<DoctorCheck> {
    let own = match settings::server_chat(config) {
        Ok(own) => own,
        Err(failure) => return vec![failed("chat", failure)],
    };
    let mut models: BTreeMap<&RoleModel, Vec<Role>> = BTreeMap::new();
    for (role, model) in &own.roles {
        models.entry(model).or_default().push(*role);
    }
    if models.is_empty() {
        return vec![DoctorCheck::new("chat", CheckState::NotSet, "no role has a chat model: rules judge alone")];
    }
    let check_of = |(model, roles): (&RoleModel, Vec<Role>)| {
        let told = seated(&own, model, &roles).unwrap_or_else(|failure| failed("chat", failure));
        told.of(model.to_string())
    };
    models.into_iter().map(check_of).collect()
}

/// A model that could be asked: its server, its key and its prices are as a verb needs them.
fn seated(own: &ChatSettings, model: &RoleModel, roles: &[Role]) -> Result<DoctorCheck, Failure> {
    drop(chat::desk(own, roles)?);
    let server = &own.servers[&model.server];
    let origin = steadfast_net::origin_of(&server.known.url).map_err(|error| Failure::usage(error.to_string()))?.text;
    let key = match &server.key {
        KeyPlace::None => "it has no key".to_owned(),
        KeyPlace::Variable(name) => format!("its key is in {name}"),
        KeyPlace::File(_) => "its key is in its file".to_owned(),
    };
    let names: Vec<&str> = roles.iter().map(|role| role.name()).collect();
    let roles = if roles.len() == Role::ALL.len() { "every role".to_owned() } else { names.join(", ") };
    let detail = format!("at {origin}, for {roles}; {key}; it was not asked");
    Ok(DoctorCheck::new("chat", CheckState::Ok, detail).hint("`steadfast chat check` asks it"))
}

fn alerts(config: Option<PathBuf>) -> DoctorCheck {
    match settings::alerts(config) {
        Ok(AlertSettings { rules, .. }) if rules.is_empty() => {
            DoctorCheck::new("alerts", CheckState::NotSet, "there are no rules of alerts")
        }
        Ok(AlertSettings { rules, targets }) => {
            let (rules, targets) = (counted(rules.len() as u64, "rule"), counted(targets.len() as u64, "target"));
            DoctorCheck::new(
                "alerts",
                CheckState::Ok,
                format!("{rules}, {targets}; they are looked at while `steadfast serve` runs"),
            )
        }
        Err(failure) => failed("alerts", failure),
    }
}

/// Where runs are told of unasked, and what waits.
fn export(config: Option<PathBuf>, store: Option<PathBuf>) -> DoctorCheck {
    let exporters = match settings::export(ExportArgs::default(), None, config) {
        Ok(settings) => settings.exporters,
        Err(failure) => return failed("export", failure),
    };
    let queue = settings::queue(QueueArgs::default(), store.as_deref()).map(Queue::new);
    let waiting = match queue.and_then(|queue| queue.status().map_err(Failure::from)) {
        Ok(status) => status.exporters.iter().map(|own| own.waiting + own.failed).sum::<u64>(),
        Err(_) if exporters.is_empty() => 0,
        Err(failure) => return failed("export", failure),
    };
    let names: Vec<&str> = exporters.iter().map(Exporter::name).collect();
    let to =
        if names.is_empty() { "STEADFAST_EXPORT is not set".to_owned() } else { format!("to {}", names.join(", ")) };
    match (names.is_empty(), waiting) {
        (true, 0) => {
            DoctorCheck::new("export", CheckState::NotSet, "runs are told of nowhere unless `--export` says so")
        }
        (false, 0) => DoctorCheck::new("export", CheckState::Ok, format!("{to}; nothing waits")),
        (_, waiting) => {
            DoctorCheck::new("export", CheckState::Warning, format!("{to}; {} not sent", counted(waiting, "trace")))
                .hint("`steadfast export status` says why, `steadfast export flush` sends")
        }
    }
}

fn hooks() -> Vec<DoctorCheck> {
    let found = install::found();
    if found.is_empty() {
        let hosts = "`steadfast hook install claude|codex|vscode|gemini|cursor`";
        return vec![DoctorCheck::new(
            "hook",
            CheckState::NotSet,
            format!("no host of agents calls this program; {hosts} lets one"),
        )];
    }
    found.iter().map(hook).collect()
}

fn hook(own: &FoundHooks) -> DoctorCheck {
    let FoundHooks { host, user, file, programs, is_current } = own;
    let file = file.display();
    let again = format!("`steadfast hook install {}{}`", host.name(), if *user { " --user" } else { "" });
    let told = match programs {
        Err(why) => DoctorCheck::new("hook", CheckState::Warning, format!("{file}: {why}"))
            .hint(format!("mend it; then {again} puts hooks there")),
        Ok(programs) => {
            let named = programs.first().map_or("", String::as_str);
            let count = counted(programs.len() as u64, "hook");
            match (own.program(), is_current) {
                (None, _) => DoctorCheck::new(
                    "hook",
                    CheckState::Failed,
                    format!("{file}: {count} call `{named}`, which is not there"),
                )
                .hint(format!("{again} names this program")),
                (Some(_), false) => DoctorCheck::new(
                    "hook",
                    CheckState::Warning,
                    format!("{file}: {count} call `{named}`, others than this version puts there"),
                )
                .hint(format!("{again} puts them there")),
                (Some(_), true) => {
                    DoctorCheck::new("hook", CheckState::Ok, format!("{file}: {count} call `{named}`, which is there"))
                }
            }
        }
    };
    told.of(format!("{} ({})", host.name(), if *user { "user" } else { "project" }))
}

/// Whether a folder can be written, or made.
fn folder(name: &str, folder: Option<&Path>) -> DoctorCheck {
    let Some(folder) = folder else {
        return DoctorCheck::new("folder", CheckState::Warning, "it is not known: HOME is not set")
            .of(name)
            .hint(format!("set HOME, or XDG_{}_HOME", name.to_uppercase()));
    };
    let shown = folder.display();
    let cannot = |what: String| DoctorCheck::new("folder", CheckState::Failed, format!("{shown}: {what}"));
    let nearest = folder.ancestors().find_map(|own| match own.metadata() {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => None,
        found => Some((own, found)),
    });
    let told = match nearest {
        None => cannot("no folder that it could stand in is there".to_owned()),
        Some((own, Ok(found))) if !found.is_dir() => {
            cannot(format!("{} stands in the way, and is no folder", own.display()))
        }
        Some((own, Err(error))) => cannot(format!("{} cannot be looked at: {error}", own.display())),
        Some((own, Ok(_))) if access(own, Access::WRITE_OK | Access::EXEC_OK).is_err() => {
            cannot(format!("{} may not be written", own.display()))
        }
        Some((own, Ok(_))) if own == folder => {
            DoctorCheck::new("folder", CheckState::Ok, format!("{shown} can be written"))
        }
        Some(_) => DoctorCheck::new("folder", CheckState::Ok, format!("{shown} is not there, and can be made")),
    };
    let told = told.of(name);
    if told.state == CheckState::Failed {
        told.hint(format!("XDG_{}_HOME names another", name.to_uppercase()))
    } else {
        told
    }
}

fn clock() -> DoctorCheck {
    let now = Timestamp::from_second(Timestamp::now().as_second()).unwrap_or(Timestamp::UNIX_EPOCH);
    match TimeZone::system().iana_name() {
        Some(zone) => DoctorCheck::new("clock", CheckState::Ok, format!("{now}, in {zone}")),
        None => DoctorCheck::new(
            "clock",
            CheckState::Warning,
            format!("{now}; the zone of the machine is not known, so plans take UTC"),
        )
        .hint("set TZ to a name such as `Europe/Berlin`, or give `--tz ZONE` to `steadfast plan`"),
    }
}
