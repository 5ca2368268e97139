//! What the tests share: a model at a fake server, with time that passes only while somebody waits.

#![allow(dead_code, clippy::allow_attributes, reason = "each test program uses a part of it")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use steadfast_chat::{ChatServer, Key, Modes, ServerSettings, Waits};
use steadfast_engine::chat::{
    Budget, CONTEXT_TOKENS_DEFAULT, ChatModel, ChatModels, Clock, Entropy, Prices, Sleeping, Surroundings,
};
use steadfast_net::Proxy;
use steadfast_testkit::fake_chat::Dialect;
use steadfast_wire::settings::ServerKind;

pub(crate) const KEY: &str = "sk-canary-7f3a-never-shown";
pub(crate) const MODEL: &str = "fake-model";

/// How long a call may take, in time of the clock below.
pub(crate) const WHOLE: Duration = Duration::from_secs(60);

/// Time that passes only while somebody sleeps.
#[derive(Default)]
pub(crate) struct Virtual(Mutex<Vec<Duration>>);

impl Virtual {
    pub(crate) fn slept_ms(&self) -> Vec<u64> {
        self.0.lock().unwrap().iter().map(|time| u64::try_from(time.as_millis()).unwrap()).collect()
    }
}

impl Clock for Virtual {
    fn elapsed(&self) -> Duration {
        self.0.lock().unwrap().iter().sum()
    }

    fn unix_seconds(&self) -> i64 {
        1_767_225_600
    }

    fn sleep(&self, time: Duration) -> Sleeping<'_> {
        self.0.lock().unwrap().push(time);
        Box::pin(async {})
    }
}

/// Every wait is the shortest that it can be.
pub(crate) struct Least;

impl Entropy for Least {
    fn bytes(&self) -> [u8; 16] {
        [0; 16]
    }
}

/// A model at a server.
pub(crate) struct Stage {
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) clock: Arc<Virtual>,
    pub(crate) modes: Arc<Modes>,
    pub(crate) server: ChatServer,
}

impl Stage {
    pub(crate) fn new(url: &str, kind: ServerKind, waits: Waits) -> Self {
        Self::spending(url, kind, waits, None, None)
    }

    pub(crate) fn spending(
        url: &str,
        kind: ServerKind,
        waits: Waits,
        prices: Option<Prices>,
        budget: Option<Arc<Budget>>,
    ) -> Self {
        let settings = ServerSettings {
            kind,
            url: url.to_owned(),
            key: Some(Key::new(KEY.to_owned())),
            waits,
            tokens_field: None,
            temperature: None,
            context_tokens: CONTEXT_TOKENS_DEFAULT,
            proxy: Proxy::None,
        };
        let (modes, clock) = (Arc::new(Modes::default()), Arc::new(Virtual::default()));
        let server = ChatServer::new(settings, Arc::clone(&modes)).unwrap();
        let surroundings = Surroundings { clock: Arc::<Virtual>::clone(&clock), entropy: Arc::new(Least), budget };
        let model = server.model(MODEL, prices, surroundings, WHOLE);
        Self { model, clock, modes, server }
    }

    pub(crate) fn desk(&self) -> ChatModels {
        ChatModels::new(Arc::new(Least))
    }
}

pub(crate) const fn kind(dialect: Dialect) -> ServerKind {
    match dialect {
        Dialect::OpenAi => ServerKind::Openai,
        Dialect::Anthropic => ServerKind::Anthropic,
    }
}
