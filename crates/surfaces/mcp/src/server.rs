//! What the protocol asks, answered: who we are, which tools there are, and calls of them within limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, ErrorData, Implementation, JsonObject, ListToolsResult, MetaObject, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use steadfast_engine::ErrorKind;
use steadfast_wire::tools::Answer;
use tokio::sync::Semaphore;

use crate::schemas::{self, Call};
use crate::{CALLS_MAX, CALLS_RUNNING_MAX, Error, Host, Refusal, SERVER_NAME};

/// How long a client may keep the list of tools: it changes with the program alone.
const LIST_FRESH_MS: u64 = 3_600_000;

/// Where a tool error says what kind it is.
const ERROR_KEY: &str = "steadfast/error";

/// Characters of a name that a message repeats.
const SHOWN_CHARS_MAX: usize = 60;

const INSTRUCTIONS: &str = "Steadfast checks the work of agents against the user's own words, with quotes from both. It runs on this \
    machine, needs no chat model, and gives the same answer to the same call. `audit` compares a finished report with its prompt; `plan` \
    makes a day plan from notes and proves it, `plan_check` checks somebody else's, `plan_constraints` lists what notes require; \
    `watch` says step by step whether an agent is still on its goal; `evaluate_output` whether what a sub-agent gave back is worth \
    reading and true. Give prompts, notes and outputs verbatim and in full: what is \
    summarised cannot be checked.";

/// The server of one client. It keeps nothing from one call to the next.
pub(crate) struct Server {
    host: Arc<dyn Host>,
    tools: Vec<Tool>,
    /// Calls that may still come in.
    open: Arc<Semaphore>,
    /// Calls that may still run.
    running: Arc<Semaphore>,
}

impl Server {
    pub(crate) fn new(host: Arc<dyn Host>) -> Result<Self, Error> {
        Ok(Self {
            host,
            tools: schemas::list()?,
            open: Arc::new(Semaphore::new(CALLS_MAX)),
            running: Arc::new(Semaphore::new(CALLS_RUNNING_MAX)),
        })
    }

    /// Runs a call to its end or until nobody waits for it. Work that cannot be broken off goes on, and keeps its place among the
    /// calls that run until it is done.
    async fn run(&self, call: Call, arguments: JsonObject, cancelled: impl Future<Output = ()>) -> Option<Outcome> {
        let Ok(place) = Arc::clone(&self.open).try_acquire_owned() else {
            let busy = Refusal::external(format!("{CALLS_MAX} calls run or wait already"));
            return Some(Err(busy.hint("wait for the answers of calls that were made")));
        };
        let (host, running) = (Arc::clone(&self.host), Arc::clone(&self.running));
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopped);
        let work = tokio::spawn(async move {
            let _place = place;
            let Ok(_turn) = running.acquire_owned().await else {
                return Err(Refusal::external("the server stops"));
            };
            if stopped.load(Ordering::Relaxed) {
                return Err(Refusal::external("the call was cancelled"));
            }
            crate::tools::run(host, call, arguments, stopped).await
        });
        tokio::select! {
            done = work => Some(done.unwrap_or_else(|error| Err(Refusal::external(format!("the work failed: {error}"))))),
            () = cancelled => {
                stop.store(true, Ordering::Relaxed);
                None
            }
        }
    }
}

/// What came of a call.
type Outcome = Result<Answer, Refusal>;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let me = Implementation::new(SERVER_NAME, env!("CARGO_PKG_VERSION"))
            .with_title("Steadfast")
            .with_description("Keeps the work of LLM agents true to what their user asked");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(me)
            .with_instructions(INSTRUCTIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(self.tools.clone());
        // Revisions with a handshake know nothing of caching.
        if context.protocol_version().is_none_or(|version| version.has_initialize()) {
            return Ok(list);
        }
        Ok(list.with_ttl_ms(LIST_FRESH_MS).with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(call) = Call::of_name(&request.name) else {
            let what = format!("`{}` is no tool of this server", shown(&request.name));
            return Err(ErrorData::invalid_params(what, None));
        };
        let outcome = self.run(call, request.arguments.unwrap_or_default(), context.ct.cancelled()).await;
        Ok(match outcome {
            Some(Ok(Answer { value, text })) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
                result.structured_content = Some(value);
                result
            }
            Some(Err(refusal)) => error(&refusal),
            // Nobody hears it: the answer to a call that was cancelled is not sent.
            None => error(&Refusal::external("the call was cancelled")),
        }
        .into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A request of a known name whose parameters have another form comes here too.
        if ["initialize", "tools/call", "tools/list", "server/discover"].contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params(
                format!("the parameters of `{}` are of another form", request.method),
                None,
            ));
        }
        let what = format!("`{}` is no method of this server", shown(&request.method));
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, what, None))
    }
}

/// A refusal as the command line words it, and its kind for programs. It has no structured content: that keeps to the tool's schema.
fn error(refusal: &Refusal) -> CallToolResult {
    let mut text = format!("error: {}", refusal.message);
    if let Some(hint) = &refusal.hint {
        text.push_str("\nhint: ");
        text.push_str(hint);
    }
    let kind = match refusal.kind {
        ErrorKind::Input => "input",
        ErrorKind::NotEvaluable => "not_evaluable",
        ErrorKind::External => "external",
    };
    let mut meta = JsonObject::new();
    meta.insert(ERROR_KEY.to_owned(), kind.into());
    CallToolResult::error(vec![ContentBlock::text(text)]).with_meta(Some(MetaObject(meta)))
}

/// A name that was given, in a message: short, and without control characters.
fn shown(text: &str) -> String {
    text.chars().take(SHOWN_CHARS_MAX).flat_map(char::escape_debug).collect()
}
