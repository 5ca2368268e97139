//! `steadfast serve`.

use std::io;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use steadfast_engine::alerts::shown_rule;
use steadfast_engine::chat::Role;
use steadfast_engine::keys;
use steadfast_engine::privacy::Privacy;
use steadfast_server::{Settings, Shown, Start};
use steadfast_store::Store;
use steadfast_wire::alerts::AlertRule;
use steadfast_wire::request::EmbedderChoice;
use tokio::net::TcpListener;
use tokio::runtime::{self, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use crate::alerts::{Watching, watching};
use crate::args::{AgentsArgs, Isolate, ServeArgs};
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::machine::{Machine, open};
use crate::root::Root;
use crate::settings::{ChatSettings, ENVIRONMENT, KeyPlace, key};
use crate::talk::Talk;
use crate::{output, record, retention, settings, worker};

/// Threads that wait for the network: the work itself is done on a pool of its own.
const NETWORK_THREADS: usize = 2;

/// Threads for what waits for the disk or for a model.
const WAITING_THREADS_MAX: usize = 64;

/// Serves until SIGINT or SIGTERM, then lets requests under way end.
pub(crate) fn serve(args: ServeArgs, talk: &Talk) -> Result<Status, Failure> {
    let ServeArgs {
        listen,
        hosts,
        require_key,
        rate,
        print_url,
        root,
        store,
        no_store,
        embedder,
        config,
        isolate,
        worker,
        agents,
        export,
    } = args;
    if !listen.ip().is_loopback() && !require_key {
        return Err(Failure::usage(format!("{listen}: whoever reaches this address could use the server"))
            .hint("`--require-key` answers only to keys; `--listen 127.0.0.1:8787` only to this machine"));
    }
    let mut shown = vec![
        told("require-key", if require_key { "yes" } else { "no" }, require_key),
        told(
            "host",
            &if hosts.is_empty() { "none beside its own".to_owned() } else { hosts.join(", ") },
            !hosts.is_empty(),
        ),
        Shown {
            from: "--rate, or its default".to_owned(),
            ..told(
                "rate",
                &NonZeroU32::new(rate).map_or("no limit".to_owned(), |rate| format!("{rate} a second")),
                true,
            )
        },
        Shown { from: "--tools, or its default".to_owned(), ..told("tools", agents.tools.name(), true) },
        Shown {
            from: "--isolate, or its default".to_owned(),
            ..told("isolate", if isolate == Isolate::On { "on" } else { "off" }, true)
        },
        told("trust-host", if agents.trust_host { "yes" } else { "no" }, agents.trust_host),
        match &root {
            Some(folder) => told("root", &folder.to_string_lossy(), true),
            None => told("root", "none: tools of MCP read no file", false),
        },
        match &config {
            Some(file) => told("config", &file.to_string_lossy(), true),
            None => told(
                "config",
                "what STEADFAST_CONFIG names, else steadfast.toml in the working folder, if it is there",
                false,
            ),
        },
    ];
    let root = root.as_deref().map(Root::of).transpose()?;
    let store_is_named = store.is_some();
    let path = settings::server_store(store, no_store)?;
    shown
        .push(Shown { from: "--embedder, or its default".to_owned(), ..told("embedder", embedder_of(embedder), true) });
    shown.push(match &path {
        Some(path) => told("store", &path.to_string_lossy(), store_is_named),
        None => Shown { from: "--no-store".to_owned(), ..told("store", "none: nothing is kept", false) },
    });
    let exports = Exports::new(settings::export(export, path.as_deref(), config.clone())?);
    for file in &exports.files {
        record::distinct(file, path.as_deref(), &[], &[])?;
    }
    let alerts = settings::alerts(config.clone())?;
    let chat = settings::server_chat(config)?;
    let store = path.map(|path| open(&path)).transpose()?;
    if require_key {
        let Some(store) = &store else {
            return Err(Failure::usage("`--require-key` is given, and no store that could hold one")
                .hint("`--store FILE` names a store; `steadfast key create --store FILE` makes a key in it"));
        };
        if keys::list(&**store)?.keys.iter().all(|key| key.revoked_at.is_some()) {
            return Err(Failure::usage(
                "`--require-key` is given, and the store holds no key: nobody could use the server",
            )
            .hint("`steadfast key create --name NAME --scope write` makes one"));
        }
    }
    let start = (isolate == Isolate::On).then(|| Arc::new(worker::start) as Start);
    let alert_rules: Vec<AlertRule> = alerts.rules.iter().map(shown_rule).collect();
    let alerts = if worker { None } else { Watching::begin(alerts, store.as_ref(), &exports, *talk)? };
    let needs_key = require_key;
    let serving = Serving {
        root,
        store,
        exports,
        alerts,
        alert_rules,
        chat,
        hosts,
        needs_key,
        rate,
        embedder,
        agents,
        shown,
        start,
    };
    if worker {
        return work(serving, *talk).map(|()| Status::Passed);
    }
    hold(serving, (listen, "--listen, or its default"), *talk, |address| {
        let stop = stopped()?;
        talk.note(&format!("serving at http://{address}; Ctrl-C ends it"));
        if print_url {
            output::to_stdout(&format!("http://{address}\n"))?;
        }
        Ok(stop)
    })?;
    Ok(Status::Passed)
}

/// What a server works with, whoever starts it.
pub(crate) struct Serving {
    pub(crate) root: Option<Root>,
    pub(crate) store: Option<Arc<Store>>,
    pub(crate) exports: Exports,
    /// Rules that watch what is kept, where there are any.
    pub(crate) alerts: Option<Watching>,
    /// These rules, as they are shown.
    pub(crate) alert_rules: Vec<AlertRule>,
    pub(crate) chat: ChatSettings,
    pub(crate) hosts: Vec<String>,
    pub(crate) needs_key: bool,
    /// Requests a second that a caller may make; 0 stands for as many as it likes.
    pub(crate) rate: u32,
    pub(crate) embedder: EmbedderChoice,
    /// What agents are granted.
    pub(crate) agents: AgentsArgs,
    /// What the console shows of the settings, but for the address.
    pub(crate) shown: Vec<Shown>,
    /// What starts a process that judges; `None` where this one does.
    pub(crate) start: Option<Start>,
}

/// What a server awaits on.
fn runtime() -> Result<Runtime, Failure> {
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(NETWORK_THREADS)
        .max_blocking_threads(WAITING_THREADS_MAX)
        .enable_all()
        .build();
    runtime.map_err(|error| Failure::external(format!("no runtime can be started: {error}")))
}

/// Listens, and serves until what `begun` gives is done; then lets requests under way end and closes the store. `begun` is told the address once
/// connections are taken in, within the runtime of the server. `listen` is the address, and what it comes from.
pub(crate) fn hold<S>(
    serving: Serving,
    listen: (SocketAddr, &str),
    talk: Talk,
    begun: impl FnOnce(SocketAddr) -> Result<S, Failure>,
) -> Result<(), Failure>
where
    S: Future<Output = ()> + Send,
{
    let Serving {
        root,
        store,
        exports,
        alerts,
        alert_rules,
        chat,
        hosts,
        needs_key,
        rate,
        embedder,
        agents,
        mut shown,
        start,
    } = serving;
    let (listen, from) = listen;
    let runtime = runtime()?;
    shown.extend(chat_models(&chat));
    shown.extend(privacy(&exports.privacy));
    let pruning = retention::pruning(store.as_ref(), &exports, talk);
    let log_watching = retention::log_watching(store.as_ref(), talk);
    let watching = watching(alerts, store.as_ref().map(Arc::downgrade).unwrap_or_default());
    let machine = Machine::new(root, store.clone(), exports, chat, talk, runtime.handle().clone())?;
    // Its console shows quotes in their places.
    let host = Arc::new(machine.keeping_texts().trusting(agents.trust_host));
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(listen).await.map_err(|error| unbound(listen, &error))?;
        let address = listener.local_addr().map_err(|error| unbound(listen, &error))?;
        let stop = begun(address)?;
        drop(tokio::spawn(pruning));
        drop(tokio::spawn(log_watching));
        drop(tokio::spawn(watching));
        // Port 0 stands for a free one, so this is where it is and not what was asked for.
        shown.push(Shown { from: from.to_owned(), ..told("listen", &address.to_string(), true) });
        let embedder = Some(embedder);
        let (rate, tools) = (NonZeroU32::new(rate), Some(agents.tools));
        let settings = Settings { needs_key, hosts, rate, embedder, tools, rules: alert_rules, shown };
        let served = steadfast_server::serve(host, settings, start, listener, stop).await;
        served.map_err(|error| Failure::external(error.to_string()))
    });
    // Work that nobody waits for any more is left where it is.
    runtime.shutdown_background();
    if let Some(store) = store.and_then(Arc::into_inner) {
        store.close()?;
    }
    served
}

/// Judges what comes over stdin, until the server closes it.
fn work(serving: Serving, talk: Talk) -> Result<(), Failure> {
    let Serving { root, store, exports, chat, agents, embedder, .. } = serving;
    let stream = worker::stream().map_err(|error| Failure::external(format!("the stream to the server: {error}")))?;
    worker::end_rather();
    let runtime = runtime()?;
    let machine = Machine::new(root, store.clone(), exports, chat, talk, runtime.handle().clone())?;
    let host = Arc::new(machine.keeping_texts().trusting(agents.trust_host));
    let settings = Settings { embedder: Some(embedder), tools: Some(agents.tools), ..Settings::default() };
    let served = runtime.block_on(async {
        // The server is told to stop, and ends this process by closing the stream.
        let _unheard = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
        steadfast_server::work(host, settings, stream, worker::memory::held()).await
    });
    runtime.shutdown_background();
    if let Some(store) = store.and_then(Arc::into_inner) {
        store.close()?;
    }
    // A server that was killed closes no stream in order.
    drop(served);
    Ok(())
}

/// A setting, as the console shows it: given by the flag of its name, or not.
pub(crate) fn told(name: &str, value: &str, is_given: bool) -> Shown {
    let from = if is_given { format!("--{name}") } else { "default".to_owned() };
    Shown { name: name.to_owned(), value: value.to_owned(), from }
}

const fn embedder_of(embedder: EmbedderChoice) -> &'static str {
    match embedder {
        EmbedderChoice::Minilm => "minilm, for live steps",
        EmbedderChoice::Lexical => "lexical, for live steps",
    }
}

/// Which chat models are asked for what, as the console shows it: of an address what holds no secret, of a key whether there is one.
fn chat_models(chat: &ChatSettings) -> Vec<Shown> {
    let row = |name: String, value: String, server: &str| {
        let from = if server == ENVIRONMENT { "the environment" } else { "the settings file" };
        Shown { name, value, from: from.to_owned() }
    };
    let mut shown = Vec::new();
    for (name, server) in &chat.servers {
        let origin = steadfast_net::origin_of(&server.known.url)
            .map_or_else(|_| "an address that cannot be used".to_owned(), |origin| origin.text);
        let place = match &server.key {
            KeyPlace::None => String::new(),
            KeyPlace::Variable(variable) => format!(" (of {variable})"),
            KeyPlace::File(_) => " (of a file)".to_owned(),
        };
        let held = match key(&server.key, name) {
            Ok(Some(_)) => "key set",
            Ok(None) => "without a key",
            Err(_) => "key not set",
        };
        shown.push(row(format!("chat.servers.{name}"), format!("{origin}, {held}{place}"), name));
    }
    for role in Role::ALL.iter().filter(|_| !chat.servers.is_empty()) {
        let name = format!("chat.roles.{}", role.name());
        shown.push(match chat.roles.get(role) {
            Some(model) => row(name, model.to_string(), &model.server),
            None => Shown { name, value: "nobody".to_owned(), from: "default".to_owned() },
        });
    }
    if chat.servers.is_empty() {
        shown.push(told("chat.roles", "nobody is asked: rules alone judge", false));
    }
    shown
}

/// What is kept of texts, and for how long, as the console shows it.
fn privacy(privacy: &Privacy) -> [Shown; 3] {
    let is_said = !privacy.is_open();
    let row = |name: &str, value: String| Shown {
        name: format!("privacy.{name}"),
        value,
        from: if is_said { "the settings file".to_owned() } else { "default".to_owned() },
    };
    let redacted: Vec<&str> = privacy.redaction.names().collect();
    [
        row("capture", privacy.capture.name().to_owned()),
        row("redact", if redacted.is_empty() { "nothing".to_owned() } else { redacted.join(", ") }),
        row("retain_days", privacy.retain_days.map_or_else(|| "for ever".to_owned(), |days| days.to_string())),
    ]
}

/// Is done at the first SIGINT or SIGTERM.
pub(crate) fn stopped() -> Result<impl Future<Output = ()>, Failure> {
    let unheard = |error: io::Error| Failure::external(format!("signals cannot be listened to: {error}"));
    let mut interrupt = signal(SignalKind::interrupt()).map_err(unheard)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(unheard)?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

fn unbound(address: SocketAddr, error: &io::Error) -> Failure {
    let what = match error.kind() {
        io::ErrorKind::AddrInUse => "is in use".to_owned(),
        io::ErrorKind::AddrNotAvailable => "is no address of this machine".to_owned(),
        io::ErrorKind::PermissionDenied => "may not be listened at".to_owned(),
        _ => format!("cannot be listened at: {error}"),
    };
    Failure::usage(format!("{address}: {what}")).hint("`--listen 127.0.0.1:0` takes a free port")
}
