//! Chat models: who sits at the desk, what a dry run says, `steadfast chat check` and `steadfast chat exam`.

mod exam;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

use steadfast_chat::{ChatServer, FileLedger, FileMarks, FileReplies, FileTape, Modes, SystemClock, SystemEntropy};
use steadfast_engine::chat::{
    self, Budget, Cached, CallLog, ChatModels, Clock, Ended, Entropy, Ledger, Limits, Recording, Rehearsal, Replay,
    Replies, Role, Surroundings,
};
use steadfast_exam::RULES_VERSION;
use steadfast_wire::chat::{ChatCheck, CheckedModel, DryRun, ExamPart, PlannedCall, PlannedMessage, SCHEMA_VERSION};

pub(crate) use exam::exam;

use crate::args::{ChatCheckArgs, ChatFormat};
use crate::exit::{Failure, Status};
use crate::settings::{self, ChatSettings, RoleModel, Tape, WELL_KNOWN, key, variable};
use crate::talk::{Talk, legible};
use crate::{input, output, wait};

/// Largest recording that is read, in bytes.
const RECORDING_BYTES_MAX: u64 = 256 << 20;

/// What a dry run cannot know.
const UNKNOWN: &str = "Where a question depends on the reply to the one before, it is not here: nothing was sent, so nothing was replied. A \
    reply that cannot be read is asked for once more, with what was wrong with it.";

/// A desk, and what belongs to it.
pub(crate) struct OpenedModels {
    /// Who is asked.
    pub(crate) desk: ChatModels,
    /// What would have been sent, where nothing is.
    rehearsal: Option<Rehearsal>,
    modes: Arc<Modes>,
    origins: BTreeMap<String, String>,
}

/// Seats the models of these roles; `None` where none of them has one.
pub(crate) fn desk(settings: &ChatSettings, roles: &[Role]) -> Result<Option<OpenedModels>, Failure> {
    let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
    let modes = Arc::new(Modes::new(settings.cache.as_deref()));
    let alone =
        |desk: ChatModels| OpenedModels { desk, rehearsal: None, modes: Arc::default(), origins: BTreeMap::new() };
    if let Some(Tape::Replay(path)) = &settings.tape {
        let name = path.display().to_string();
        let bytes = fs::metadata(path).map_err(|error| input::unreadable(path, &error))?.len();
        if bytes > RECORDING_BYTES_MAX {
            return Err(Failure::usage(format!("{name}: holds more than {RECORDING_BYTES_MAX} bytes")));
        }
        let text = fs::read_to_string(path).map_err(|error| input::unreadable(path, &error))?;
        return Ok(Some(alone(Replay::read(&name, &text)?.desk(entropy))));
    }
    let wanted: BTreeMap<Role, &RoleModel> =
        roles.iter().filter_map(|role| Some((*role, settings.roles.get(role)?))).collect();
    if wanted.is_empty() {
        return Ok(None);
    }
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
    let budget = budget(settings, &clock);
    let surroundings = Surroundings { clock, entropy: Arc::clone(&entropy), budget: budget.clone() };
    let mut servers: BTreeMap<&str, ChatServer> = BTreeMap::new();
    let mut desk = ChatModels::new(entropy);
    let marks = settings.exams.clone().map(FileMarks::new);
    for (role, model) in wanted {
        let own = &settings.servers[&model.server];
        if !servers.contains_key(model.server.as_str()) {
            servers.insert(&model.server, server(settings, &model.server, &modes)?);
        }
        let prices = own.prices.get(&model.model).copied();
        if prices.is_none() && limits_money(&settings.limits) {
            return Err(Failure::usage(format!("`chat.budget` limits money, and `{model}` has no prices"))
                .hint(format!("set them in `[chat.servers.{}.prices.\"{}\"]`", model.server, model.model)));
        }
        let server = &servers[model.server.as_str()];
        let part = ExamPart::ALL.iter().find(|part| steadfast_exam::role(**part) == role);
        let mark = part.and_then(|part| marks.as_ref()?.of(*part, server.origin(), &model.model, RULES_VERSION));
        if let Some(mark) = mark {
            desk = desk.with_mark(role, mark);
        }
        desk = desk.with(role, server.model(&model.model, prices, surroundings.clone(), own.known.waits.whole));
    }
    if let Some(budget) = budget {
        desk = desk.with_budget(budget);
    }
    if let Some(folder) = &settings.replies {
        desk = Cached::desk(desk, &(Arc::new(FileReplies::new(folder.clone())) as Arc<dyn Replies>));
    }
    if let Some(Tape::Record(path)) = &settings.tape {
        let tape = FileTape::open(path).map_err(|error| Failure::usage(error.to_string()))?;
        desk = Recording::desk(desk, &(Arc::new(tape) as Arc<dyn chat::Tape>));
    }
    let origins = servers.iter().map(|(name, server)| ((*name).to_owned(), server.origin().to_owned())).collect();
    let rehearsal = settings.dry_run.then(Rehearsal::default);
    if let Some(rehearsal) = &rehearsal {
        desk = rehearsal.desk(desk);
    }
    Ok(Some(OpenedModels { desk, rehearsal, modes, origins }))
}

fn budget(settings: &ChatSettings, clock: &Arc<dyn Clock>) -> Option<Arc<Budget>> {
    if settings.limits == Limits::default() {
        return None;
    }
    let ledger = settings.account.clone().map(|path| Arc::new(FileLedger::new(path)) as Arc<dyn Ledger>);
    Some(Arc::new(Budget::new(settings.limits, ledger, Arc::clone(clock))))
}

const fn limits_money(limits: &Limits) -> bool {
    limits.call.micros.is_some() || limits.run.micros.is_some() || limits.day.micros.is_some()
}

fn server(settings: &ChatSettings, name: &str, modes: &Arc<Modes>) -> Result<ChatServer, Failure> {
    let own = &settings.servers[name];
    // A dry run sends nothing, so it needs no key.
    let key = if settings.dry_run { None } else { key(&own.key, name)? };
    let server = steadfast_chat::ServerSettings { key, ..own.known.clone() };
    ChatServer::new(server, Arc::clone(modes))
        .map_err(|error| Failure::usage(format!("`chat.servers.{name}`: {error}")))
}

/// Runs what may ask models to its end: over the network where somebody is seated.
pub(crate) fn ask<T>(
    seated: Option<&OpenedModels>,
    future: impl Future<Output = T>,
    message: Option<String>,
) -> Result<T, Failure> {
    match seated {
        Some(_) => wait::online(future, message),
        None => Ok(wait::wait(future, message)),
    }
}

impl OpenedModels {
    /// What would have been sent, where nothing was, as text or as the published JSON.
    pub(crate) fn rehearsed(&self, json: bool) -> Result<Option<String>, Failure> {
        let Some(run) = self.dry_run() else { return Ok(None) };
        Ok(Some(if json { steadfast_wire::to_json(&run)? } else { dry_run_text(&run) }))
    }

    /// What would have been sent, where nothing was.
    pub(crate) fn dry_run(&self) -> Option<DryRun> {
        let planned = self.rehearsal.as_ref()?.planned();
        #[expect(clippy::cast_precision_loss, reason = "an amount for a reader")]
        let money = |micros: u64| micros as f64 / 1e6;
        let calls: Vec<PlannedCall> = planned
            .into_iter()
            .map(|call| PlannedCall {
                role: call.role.name().to_owned(),
                model: call.model,
                server: call.server,
                messages: call
                    .messages
                    .into_iter()
                    .map(|message| PlannedMessage { speaker: message.speaker.name().to_owned(), text: message.text })
                    .collect(),
                question_tokens: call.question_tokens,
                reply_tokens_max: call.reply_tokens_max,
                money_max: call.micros_max.map(money),
            })
            .collect();
        Some(DryRun {
            schema_version: SCHEMA_VERSION.to_owned(),
            question_tokens: calls.iter().map(|call| call.question_tokens).sum(),
            reply_tokens_max: calls.iter().map(|call| call.reply_tokens_max).sum(),
            calls,
            note: UNKNOWN.to_owned(),
        })
    }
}

/// What a dry run says, for the terminal.
pub(crate) fn dry_run_text(run: &DryRun) -> String {
    let mut text = String::new();
    for call in &run.calls {
        let _ = writeln!(
            text,
            "{}: {} at {}, about {} tokens, at most {} in reply",
            call.role, call.model, call.server, call.question_tokens, call.reply_tokens_max
        );
        for message in &call.messages {
            let _ = writeln!(text, "--- {}\n{}", message.speaker, legible(message.text.trim_end()));
        }
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "{} call{}, about {} tokens, at most {} in reply. Nothing was sent.\n{}",
        run.calls.len(),
        if run.calls.len() == 1 { "" } else { "s" },
        run.question_tokens,
        run.reply_tokens_max,
        run.note
    );
    text
}

/// Asks every model that a role is set to one tiny question.
pub(crate) fn check(args: ChatCheckArgs, talk: &Talk) -> Result<Status, Failure> {
    let own = settings::asked_afresh(args.chat)?;
    let (format, output) = (args.output.format(), args.output.file());
    if own.roles.is_empty() {
        return Err(no_model());
    }
    let seated = desk(&own, &Role::ALL)?.ok_or_else(no_model)?;
    let mut models: Vec<(&RoleModel, Vec<Role>)> = Vec::new();
    for (role, model) in &own.roles {
        match models.iter_mut().find(|(known, _)| *known == model) {
            Some((_, roles)) => roles.push(*role),
            None => models.push((model, vec![*role])),
        }
    }
    for name in own.servers.keys().filter(|name| !models.iter().any(|(model, _)| model.server == **name)) {
        talk.note(&format!("`chat.servers.{name}`: no role has a model there, so it is not asked"));
    }
    let mut checked = Vec::new();
    for (model, roles) in &models {
        let origin = seated.origins.get(&model.server).cloned().unwrap_or_default();
        if !own.dry_run {
            // What was found out another time is found out anew.
            seated.modes.forget(&origin, &model.model);
        }
        let message = (!talk.quiet).then(|| format!("asking {}", legible(&model.to_string())));
        let begun = Instant::now();
        let log = wait::online(chat::check(&seated.desk, roles[0]), message)??;
        let latency_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let mode = seated.modes.proved(&origin, &model.model).map(|mode| mode.name().to_owned());
        checked.push(found(model, roles, origin, mode, latency_ms, &log));
    }
    let text = match seated.dry_run() {
        Some(run) => match format {
            ChatFormat::Text => dry_run_text(&run),
            ChatFormat::Json => steadfast_wire::to_json(&run)?,
        },
        None => {
            let self_judged = seated.desk.self_judged().and(own.roles.get(&Role::PlanJudge)).map(ToString::to_string);
            let usable = checked.iter().all(|model| model.failure.is_none());
            let check =
                ChatCheck { schema_version: SCHEMA_VERSION.to_owned(), usable, models: checked.clone(), self_judged };
            match format {
                ChatFormat::Text => table(&check),
                ChatFormat::Json => steadfast_wire::to_json(&check)?,
            }
        }
    };
    match output {
        Some(path) => output::to_files(&[(path, text)])?,
        None => output::to_stdout(&text)?,
    }
    let failed: Vec<&CheckedModel> = checked.iter().filter(|model| model.failure.is_some() && !own.dry_run).collect();
    match failed.as_slice() {
        [] => Ok(Status::Passed),
        [first, ..] => Err(Failure::external(format!(
            "{} of {} models gave no reply that can be used, the first: {}/{}: {}",
            failed.len(),
            checked.len(),
            first.name,
            first.model,
            first.failure.as_deref().unwrap_or_default()
        ))),
    }
}

fn no_model() -> Failure {
    let name = "name a server and a model in `steadfast.toml` (see `steadfast schema settings`), or set STEADFAST_CHAT_URL and \
         STEADFAST_CHAT_MODEL; an Ollama on its port is asked with `--chat-model ollama/MODEL`";
    Failure::usage("no chat model is set").hint(key_at_hand().unwrap_or_else(|| name.to_owned()))
}

/// How a key that stands in the environment under its usual name would be used. Nothing uses it unasked.
fn key_at_hand() -> Option<String> {
    let known = WELL_KNOWN.iter().find(|own| own.key.is_some_and(|key| variable(key).is_some()))?;
    let (name, key) = (known.name, known.key?);
    Some(format!(
        "{key} is set, and this would use it, with MODEL as its server names one: `steadfast chat check --chat-model {name}/MODEL`"
    ))
}

fn found(
    model: &RoleModel,
    roles: &[Role],
    server: String,
    mode: Option<String>,
    latency_ms: u64,
    log: &[CallLog],
) -> CheckedModel {
    let last = log.last();
    CheckedModel {
        name: model.server.clone(),
        server,
        model: model.model.clone(),
        roles: roles.iter().map(|role| role.name().to_owned()).collect(),
        mode,
        latency_ms,
        attempts: log.iter().map(|call| call.attempts).sum(),
        prompt_tokens: last.and_then(|call| call.prompt_tokens),
        reply_tokens: last.and_then(|call| call.reply_tokens),
        failure: match last.map(|call| &call.ended) {
            Some(Ended::Read(_)) => None,
            Some(Ended::Without(nothing)) => Some(nothing.to_string()),
            None => Some("nothing was asked".to_owned()),
        },
    }
}

fn table(check: &ChatCheck) -> String {
    let mut text = String::new();
    for model in &check.models {
        let state = if model.failure.is_none() { "answers" } else { "gives no reply that can be used" };
        let _ = writeln!(text, "{}/{}: {state}", model.name, legible(&model.model));
        let _ = writeln!(text, "  server:   {}", model.server);
        let _ = writeln!(text, "  roles:    {}", model.roles.join(", "));
        let _ = writeln!(text, "  form:     {}", model.mode.as_deref().unwrap_or("not known"));
        let _ = writeln!(text, "  latency:  {} ms, attempts {}", model.latency_ms, model.attempts);
        if let (Some(question), Some(reply)) = (model.prompt_tokens, model.reply_tokens) {
            let _ = writeln!(text, "  tokens:   {question} asked, {reply} replied");
        }
        if let Some(failure) = &model.failure {
            let _ = writeln!(text, "  failure:  {}", legible(failure));
        }
    }
    if let Some(model) = &check.self_judged {
        let _ = writeln!(text, "plan.judge and plan.generate are both {}: it judges itself", legible(model));
    }
    text
}
