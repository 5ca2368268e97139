//! Which chat models are asked, and how: flags over `STEADFAST_*` over the settings file.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use steadfast_chat::{Key, Waits};
use steadfast_engine::chat::{CONTEXT_TOKENS_DEFAULT, Limit, Limits, Prices, Role};
use steadfast_net::Proxy;
use steadfast_wire::settings::{ChatBudgetSettings, ChatPrices, ChatServerSettings, ChatTimeouts, ServerKind};

use super::file::{self, SettingsFile};
use super::{user_folder, variable};
use crate::args::ChatArgs;
use crate::exit::Failure;
use crate::input;

/// What the server of `STEADFAST_CHAT_URL` is called.
pub(crate) const ENVIRONMENT: &str = "environment";

/// Longest wait that can be set, in seconds.
const WAIT_S_MAX: f64 = 3_600.0;

/// Largest file that holds a key, in bytes.
const KEY_BYTES_MAX: u64 = 16 << 10;

/// Fewest and most tokens that a model can be said to take in.
const CONTEXT_TOKENS_MIN: usize = 2_000;
const CONTEXT_TOKENS_MAX: usize = 10_000_000;

/// Most money that can be limited, in the unit of prices.
const MONEY_MAX: f64 = 1e9;

/// A server that needs no settings: whoever names it in a role or as `--chat-model` has it.
pub(crate) struct WellKnown {
    /// The server's name.
    pub(crate) name: &'static str,
    kind: ServerKind,
    url: &'static str,
    /// The variable that its key stands in.
    pub(crate) key: Option<&'static str>,
    context_tokens: usize,
}

/// All of them. The context windows are what their models take in at least.
pub(crate) const WELL_KNOWN: [WellKnown; 3] = [
    WellKnown {
        name: "anthropic",
        kind: ServerKind::Anthropic,
        url: "https://api.anthropic.com",
        key: Some("ANTHROPIC_API_KEY"),
        context_tokens: 100_000,
    },
    WellKnown {
        name: "openai",
        kind: ServerKind::Openai,
        url: "https://api.openai.com",
        key: Some("OPENAI_API_KEY"),
        context_tokens: 100_000,
    },
    WellKnown {
        name: "ollama",
        kind: ServerKind::Openai,
        url: "http://localhost:11434",
        key: None,
        context_tokens: CONTEXT_TOKENS_DEFAULT,
    },
];

impl WellKnown {
    fn settings(&self) -> ServerSettings {
        let key = self.key.map_or(KeyPlace::None, |name| KeyPlace::Variable(name.to_owned()));
        ServerSettings::plain(self.kind, self.url.to_owned(), key, self.context_tokens)
    }
}

/// Settings of what asks chat models.
#[derive(Debug, Default)]
pub(crate) struct ChatSettings {
    /// The servers, by their names.
    pub(crate) servers: BTreeMap<String, ServerSettings>,
    /// Who has which role.
    pub(crate) roles: BTreeMap<Role, RoleModel>,
    /// What calls may cost.
    pub(crate) limits: Limits,
    /// The account of the day, where a day is limited.
    pub(crate) account: Option<PathBuf>,
    /// The folder of replies that are kept.
    pub(crate) replies: Option<PathBuf>,
    /// Where the marks of exams are kept.
    pub(crate) exams: Option<PathBuf>,
    /// Where it is remembered in which form models can be asked.
    pub(crate) cache: Option<PathBuf>,
    /// What is recorded or replayed.
    pub(crate) tape: Option<Tape>,
    /// Whether nothing is sent.
    pub(crate) dry_run: bool,
}

/// A server.
#[derive(Clone, Debug)]
pub(crate) struct ServerSettings {
    /// What is known of it, but for its key.
    pub(crate) known: steadfast_chat::ServerSettings,
    /// Where its key is.
    pub(crate) key: KeyPlace,
    /// What its models cost.
    pub(crate) prices: BTreeMap<String, Prices>,
}

impl ServerSettings {
    /// A server of which nothing else is said.
    fn plain(kind: ServerKind, url: String, key: KeyPlace, context_tokens: usize) -> Self {
        let known = steadfast_chat::ServerSettings {
            kind,
            url,
            key: None,
            waits: Waits::default(),
            tokens_field: None,
            temperature: None,
            context_tokens,
            proxy: Proxy::Environment,
        };
        Self { known, key, prices: BTreeMap::new() }
    }
}

/// Where a key is.
#[derive(Clone)]
pub(crate) enum KeyPlace {
    /// There is none.
    None,
    /// In a variable of the environment.
    Variable(String),
    /// In a file.
    File(PathBuf),
}

impl fmt::Debug for KeyPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::None => "None",
            Self::Variable(_) => "Variable",
            Self::File(_) => "File",
        })
    }
}

/// Who has a role.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RoleModel {
    /// The server's name in the settings.
    pub(crate) server: String,
    /// The model's name there.
    pub(crate) model: String,
}

impl fmt::Display for RoleModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.server, self.model)
    }
}

/// A recording.
#[derive(Clone, Debug)]
pub(crate) enum Tape {
    /// That is written.
    Record(PathBuf),
    /// That is read.
    Replay(PathBuf),
}

/// Settings of what asks chat models each time anew: a reply that is kept would hide what changes from one time to the next.
pub(crate) fn asked_afresh(args: ChatArgs) -> Result<ChatSettings, Failure> {
    Ok(ChatSettings { replies: None, ..chat(args)? })
}

/// Settings of what asks chat models, where a verb is to ask one. `flag` says how it is asked for. A settings file that is named says more than that, so it is no
/// mistake where none is asked.
pub(crate) fn asked_models(wanted: bool, args: ChatArgs, flag: &str) -> Result<Option<ChatSettings>, Failure> {
    if wanted {
        return chat(args).map(Some);
    }
    let ChatArgs { config: _, chat_model, chat_record, chat_replay, dry_run } = args;
    let given = [
        ("--chat-model", chat_model.is_some()),
        ("--chat-record", chat_record.is_some()),
        ("--chat-replay", chat_replay.is_some()),
        ("--dry-run", dry_run),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((name, _)) => {
            Err(Failure::usage(format!("`{name}` is given, and no model is asked")).hint(format!("{flag} asks one")))
        }
        None => Ok(None),
    }
}

/// The chat models that calls of a server may ask for, as the settings file names them.
pub(crate) fn server_chat(config: Option<PathBuf>) -> Result<ChatSettings, Failure> {
    chat(ChatArgs { config, ..ChatArgs::default() })
}

/// Settings of what asks chat models, for any verb.
pub(crate) fn chat(args: ChatArgs) -> Result<ChatSettings, Failure> {
    let ChatArgs { config, chat_model, chat_record, chat_replay, dry_run } = args;
    let file = file::read(config)?;
    let name = file.name();
    let own = &file.settings.chat;
    let mut servers = BTreeMap::new();
    for (server, settings) in &own.servers {
        if server.is_empty() || server.contains('/') {
            return Err(Failure::usage(format!("{name}: `chat.servers.{server}`: a server's name holds no `/`")));
        }
        let place = format!("{name}: `chat.servers.{server}");
        servers.insert(server.clone(), self::server(settings, &place, &file)?);
    }
    let mut named: BTreeMap<String, (String, String)> = own
        .roles
        .iter()
        .map(|(role, model)| (role.clone(), (model.clone(), format!("{name}: `chat.roles.{role}`"))))
        .collect();
    if let Some(model) = environment(&mut servers)? {
        named.insert("default".to_owned(), (format!("{ENVIRONMENT}/{model}"), "STEADFAST_CHAT_MODEL".to_owned()));
    }
    if let Some(model) = chat_model {
        named = [("default".to_owned(), (model, "`--chat-model`".to_owned()))].into();
    }
    for (model, _) in named.values() {
        let known = WELL_KNOWN.iter().find(|own| model.split_once('/').is_some_and(|(server, _)| server == own.name));
        if let Some(known) = known.filter(|known| !servers.contains_key(known.name)) {
            servers.insert(known.name.to_owned(), known.settings());
        }
    }
    let roles = roles(&named, &servers)?;
    let limits = limits(&own.budget, &name)?;
    let day = limits.day.tokens.is_some() || limits.day.micros.is_some();
    let account = match &own.budget.account {
        _ if !day => None,
        Some(path) => Some(file.beside(path)),
        None => {
            Some(user_folder("XDG_STATE_HOME", ".local/state").map(|state| state.join("chat-spent.json")).ok_or_else(
                || {
                    Failure::usage("no folder for the account of the day is known: HOME is not set")
                        .hint("`account = \"FILE\"` in `[chat.budget]` names one")
                },
            )?)
        }
    };
    Ok(ChatSettings {
        servers,
        roles,
        limits,
        account,
        replies: own.replies.as_deref().map(|folder| file.beside(folder)),
        exams: user_folder("XDG_STATE_HOME", ".local/state").map(|state| state.join("chat-exams.json")),
        cache: user_folder("XDG_CACHE_HOME", ".cache"),
        tape: chat_record.map(Tape::Record).or(chat_replay.map(Tape::Replay)),
        dry_run,
    })
}

fn server(settings: &ChatServerSettings, place: &str, file: &SettingsFile) -> Result<ServerSettings, Failure> {
    let key = match (&settings.key_env, &settings.key_file) {
        (Some(_), Some(_)) => return Err(Failure::usage(format!("{place}`: has both `key_env` and `key_file`"))),
        (Some(variable), None) => KeyPlace::Variable(variable.clone()),
        (None, Some(path)) => KeyPlace::File(file.beside(path)),
        (None, None) => KeyPlace::None,
    };
    let mut prices = BTreeMap::new();
    for (model, price) in &settings.prices {
        prices.insert(model.clone(), self::prices(price, &format!("{place}.prices.{model}`"))?);
    }
    if settings.temperature.is_some_and(|temperature| !(0.0..=2.0).contains(&temperature)) {
        return Err(Failure::usage(format!("{place}.temperature`: lies between 0 and 2")));
    }
    let context_tokens = settings.context_tokens.unwrap_or(CONTEXT_TOKENS_DEFAULT);
    if !(CONTEXT_TOKENS_MIN..=CONTEXT_TOKENS_MAX).contains(&context_tokens) {
        let why = format!("lies between {CONTEXT_TOKENS_MIN} and {CONTEXT_TOKENS_MAX}");
        return Err(Failure::usage(format!("{place}.context_tokens`: {why}")));
    }
    let mut own = ServerSettings::plain(settings.kind, settings.url.clone(), key, context_tokens);
    own.known.waits = waits(&settings.timeouts, place)?;
    own.known.tokens_field = settings.tokens_field;
    own.known.temperature = settings.temperature;
    own.prices = prices;
    Ok(own)
}

fn waits(timeouts: &ChatTimeouts, place: &str) -> Result<Waits, Failure> {
    let own = Waits::default();
    let wait = |name: &str, given: Option<f64>, own: Duration| match given {
        None => Ok(own),
        Some(seconds) if seconds > 0.0 && seconds <= WAIT_S_MAX => Ok(Duration::from_secs_f64(seconds)),
        Some(_) => Err(Failure::usage(format!("{place}.timeouts.{name}`: lies above 0 and at most at {WAIT_S_MAX}"))),
    };
    Ok(Waits {
        connect: wait("connect_s", timeouts.connect_s, own.connect)?,
        first_byte: wait("first_byte_s", timeouts.first_byte_s, own.first_byte)?,
        idle: wait("idle_s", timeouts.idle_s, own.idle)?,
        whole: wait("whole_s", timeouts.whole_s, own.whole)?,
    })
}

fn prices(price: &ChatPrices, place: &str) -> Result<Prices, Failure> {
    let ChatPrices { question_per_million, reply_per_million } = *price;
    if [question_per_million, reply_per_million].iter().all(|price| (0.0..=MONEY_MAX).contains(price)) {
        return Ok(Prices { question_per_million, reply_per_million });
    }
    Err(Failure::usage(format!("{place}: a price is a number from 0 on")))
}

fn limits(budget: &ChatBudgetSettings, name: &str) -> Result<Limits, Failure> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1e15, so it fits")]
    let micros = |part: &str, given: Option<f64>| match given {
        None => Ok(None),
        Some(money) if (0.0..=MONEY_MAX).contains(&money) => Ok(Some((money * 1e6).round() as u64)),
        Some(_) => Err(Failure::usage(format!("{name}: `chat.budget.{part}`: an amount is a number from 0 on"))),
    };
    Ok(Limits {
        call: Limit { tokens: budget.tokens_per_call, micros: micros("money_per_call", budget.money_per_call)? },
        run: Limit { tokens: budget.tokens_per_run, micros: micros("money_per_run", budget.money_per_run)? },
        day: Limit { tokens: budget.tokens_per_day, micros: micros("money_per_day", budget.money_per_day)? },
    })
}

/// The server that the environment names, and its model.
fn environment(servers: &mut BTreeMap<String, ServerSettings>) -> Result<Option<String>, Failure> {
    let text = |name: &str| variable(name).map(|value| value.to_string_lossy().into_owned());
    let (url, model) = match (text("STEADFAST_CHAT_URL"), text("STEADFAST_CHAT_MODEL")) {
        (None, None) => return Ok(None),
        (Some(url), Some(model)) => (url, model),
        _ => return Err(Failure::usage("STEADFAST_CHAT_URL and STEADFAST_CHAT_MODEL are set together")),
    };
    let kind = match text("STEADFAST_CHAT_KIND").as_deref() {
        None | Some("openai") => ServerKind::Openai,
        Some("anthropic") => ServerKind::Anthropic,
        Some(other) => {
            return Err(Failure::usage(format!("STEADFAST_CHAT_KIND `{other}` is neither `openai` nor `anthropic`")));
        }
    };
    let key =
        variable("STEADFAST_CHAT_KEY").map_or(KeyPlace::None, |_| KeyPlace::Variable("STEADFAST_CHAT_KEY".to_owned()));
    let server = ServerSettings::plain(kind, url, key, CONTEXT_TOKENS_DEFAULT);
    servers.insert(ENVIRONMENT.to_owned(), server);
    Ok(Some(model))
}

/// Who has which role; `named` has for every name what stands there and where it stands.
fn roles(
    named: &BTreeMap<String, (String, String)>,
    servers: &BTreeMap<String, ServerSettings>,
) -> Result<BTreeMap<Role, RoleModel>, Failure> {
    let group = |role: Role| role.name().split('.').next().unwrap_or_default();
    let mut models = BTreeMap::new();
    for (name, (model, place)) in named {
        if name != "default" && !Role::ALL.iter().any(|role| role.name() == name || group(*role) == name) {
            let known: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
            return Err(Failure::usage(format!("{place}: is no role"))
                .hint(format!("roles are `default`, `plan`, `pick`, {}", known.join(", "))));
        }
        let (server, own) = model.split_once('/').filter(|(_, own)| !own.is_empty()).ok_or_else(|| {
            Failure::usage(format!("{place}: `{model}` names no model")).hint("a model is written as `SERVER/MODEL`")
        })?;
        if !servers.contains_key(server) {
            let known: Vec<&str> = servers.keys().map(String::as_str).collect();
            let known = if known.is_empty() { "none is set".to_owned() } else { known.join(", ") };
            return Err(Failure::usage(format!("{place}: `{server}` is no server"))
                .hint(format!(
                    "servers stand in `[chat.servers.NAME]`: {known}; without settings there are `anthropic`, `openai` and `ollama`"
                )));
        }
        models.insert(name.as_str(), RoleModel { server: server.to_owned(), model: own.to_owned() });
    }
    let find = |role: Role| [role.name(), group(role), "default"].iter().find_map(|name| models.get(name).cloned());
    Ok(Role::ALL.into_iter().filter_map(|role| Some((role, find(role)?))).collect())
}

/// Reads a key. Neither its value nor a part of it stands in any message.
pub(crate) fn key(place: &KeyPlace, server: &str) -> Result<Option<Key>, Failure> {
    let empty = |what: String| Failure::usage(format!("`chat.servers.{server}`: {what} holds no key"));
    let (key, what) = match place {
        KeyPlace::None => return Ok(None),
        KeyPlace::Variable(name) => {
            let unset = || {
                Failure::usage(format!("`chat.servers.{server}`: the variable {name} is not set"))
                    .hint(format!("export {name} with the server's key, or take `key_env` out where it wants none"))
            };
            (env::var(name).map_err(|_| unset())?, format!("the variable {name}"))
        }
        KeyPlace::File(path) => (secret_file(path)?, path.display().to_string()),
    };
    if key.trim().is_empty() {
        return Err(empty(what));
    }
    Ok(Some(Key::new(key)))
}

/// What a file holds that is not to be shown.
pub(super) fn secret_file(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(KEY_BYTES_MAX).read_to_string(&mut text));
    read.map_err(|error| input::unreadable(path, &error))?;
    Ok(text)
}
