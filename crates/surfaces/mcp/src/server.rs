//! What the protocol asks, answered: who we are, which tools and resources there are, and calls of them within limits.

use std::sync::Arc;

use axum::http::request::Parts;
use rmcp::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, ErrorData, Implementation, JsonObject, ListPromptsRequestMethod, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, MetaObject, PaginatedRequestParams,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, Resource, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use steadfast_engine::ErrorKind;
use steadfast_engine::calls::{Context, Host, Refusal, Row, Stopped};
use steadfast_wire::call::ToolSet;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::tools::{self, Reply};
use crate::{CALLS_MAX, CALLS_RUNNING_MAX, Error, SERVER_NAME, resources, sampling};

/// Room for the bytes of a message, until the work on it has ended.
pub(crate) type Held = Arc<Vec<OwnedSemaphorePermit>>;

/// How long a client may keep what changes with the program alone, or not at all.
const FRESH_MS: u64 = 3_600_000;

/// The methods of the server, beside the handshake.
const METHODS: [&str; 6] =
    ["tools/call", "tools/list", "resources/list", "resources/templates/list", "resources/read", "server/discover"];

/// Where a tool error says what kind it is.
const ERROR_KEY: &str = "steadfast/error";

/// Where a result says what the host's model was asked.
const SAMPLING_KEY: &str = "steadfast/sampling";

/// Characters of a name that a message repeats.
const SHOWN_CHARS_MAX: usize = 60;

const INSTRUCTIONS: &str = "Steadfast checks the work of agents against the user's own words, with quotes from both. It runs on this \
    machine, needs no chat model, and gives the same answer to the same call. Before you hand a report on: `audit`, and `audit_undecided` for what you must decide. \
    Before you hand a prompt on: `audit_lint`. When a sub-agent gives something back: `evaluate_output`, and `review_undecided` for what you must decide of its session. For a day plan: `plan`, or `plan_check` for one you made. \
    On a log of steps: `watch`. Before a task for which prompts are stored: `pick`. Give prompts, notes and outputs verbatim and in full: what is \
    summarised cannot be checked.";

/// The server, of one client or of all those of an endpoint: a clone has the same limits. It keeps nothing from one call to the next.
#[derive(Clone)]
pub(crate) struct Server {
    host: Arc<dyn Host>,
    tools: Arc<Vec<Tool>>,
    /// Calls that may still come in.
    open: Arc<Semaphore>,
    /// Calls that may still run.
    running: Arc<Semaphore>,
}

impl Server {
    pub(crate) fn new(host: Arc<dyn Host>, set: ToolSet) -> Result<Self, Error> {
        Ok(Self {
            host,
            tools: Arc::new(tools::list(set)?),
            open: Arc::new(Semaphore::new(CALLS_MAX)),
            running: Arc::new(Semaphore::new(CALLS_RUNNING_MAX)),
        })
    }

    /// Does work to its end or until nobody waits for it. Work that cannot be broken off goes on, and keeps its place among what runs, and
    /// the room of its message, until it is done. `None` where nobody waits any more.
    async fn within_limits<T, F>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(Stopped) -> F + Send,
    ) -> Option<Result<T, Refusal>>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Refusal>> + Send + 'static,
    {
        let Ok(place) = Arc::clone(&self.open).try_acquire_owned() else {
            let busy = Refusal::external(format!("{CALLS_MAX} calls run or wait already"));
            return Some(Err(busy.hint("wait for the answers of calls that were made")));
        };
        let mut cancelled = std::pin::pin!(context.ct.cancelled());
        let turn = tokio::select! {
            turn = Arc::clone(&self.running).acquire_owned() => turn,
            () = &mut cancelled => return None,
        };
        let Ok(turn) = turn else { return Some(Err(Refusal::external("the server stops"))) };
        let head = context.extensions.get::<Parts>().map(|head| &head.extensions);
        let held = head.and_then(|own| own.get::<Held>()).cloned();
        let asked = head.and_then(|own| own.get::<Context>()).cloned().unwrap_or_default();
        let stopped = Stopped::default();
        let work = work(stopped.clone());
        let _left = Left(stopped.clone());
        let work = tokio::spawn(asked.request(0, 0, stopped.clone()).scope(async move {
            let _kept = (place, turn, held);
            work.await
        }));
        tokio::select! {
            done = work => {
                let done = done.unwrap_or_else(|error| Err(Refusal::fault(error.to_string())));
                Some(done.map_err(|refusal| self.without_fault(refusal)))
            }
            () = cancelled => None,
        }
    }

    /// What of an audit is open, as the tool that lists it gives it.
    async fn batch(&self, arguments: JsonObject, context: &RequestContext<RoleServer>) -> Result<Value, Refusal> {
        let row = tools::row(sampling::BATCHES).ok_or_else(|| Refusal::fault("nothing lists what is open"))?;
        let host = Arc::clone(&self.host);
        let done = self.within_limits(context, |stopped| tools::run(host, row, arguments, stopped)).await;
        Ok(done.unwrap_or_else(unheard)?.value)
    }

    /// A refusal as its caller sees it. What is known of a fault of ours is for whoever watches the server.
    fn without_fault(&self, refusal: Refusal) -> Refusal {
        if refusal.kind != ErrorKind::Fault {
            return refusal;
        }
        self.host.note(&format!("a call failed: {}", refusal.message));
        Refusal::fault("the server failed; what it wrote on its stderr says more")
    }
}

/// Says, once it is dropped, that nobody waits for the answer any more.
struct Left(Stopped);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Whether the client speaks a revision that says how long an answer may be kept.
fn knows_caching(context: &RequestContext<RoleServer>) -> bool {
    !context.protocol_version().is_none_or(|version| version.has_initialize())
}

/// The whole result of an audit, of which its answer lists a page, or of what was cut, where it is stored and the client speaks a revision that knows links.
fn link(row: &Row, reply: &Reply, context: &RequestContext<RoleServer>) -> Option<Resource> {
    let version = context.protocol_version()?;
    if (row.call.verb != "audit" && reply.left_out.is_empty()) || version < ProtocolVersion::V_2025_06_18 {
        return None;
    }
    Some(resources::link(row.call.verb, reply.run.as_ref()?))
}

/// What was left out of an answer, and where all of it stands.
fn left_out(reply: &Reply) -> Option<String> {
    if reply.left_out.is_empty() {
        return None;
    }
    let whole = match &reply.run {
        Some(run) => format!("all of it stands at {}", resources::address(run)),
        None => "without `max_tokens` all of it is answered".to_owned(),
    };
    Some(format!("left out to keep to `max_tokens`: {}; {whole}", reply.left_out.join(", ")))
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let me = Implementation::new(SERVER_NAME, env!("CARGO_PKG_VERSION"))
            .with_title("Steadfast")
            .with_description("Keeps the work of LLM agents true to what their user asked");
        ServerConfig::new(ServerCapabilities::builder().enable_resources().enable_tools().build())
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
        let list = ListToolsResult::with_all_items(self.tools.to_vec());
        if !knows_caching(&context) {
            return Ok(list);
        }
        Ok(list.with_ttl_ms(FRESH_MS).with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(row) = tools::row(&request.name) else {
            let what = format!("`{}` is no tool of this server", shown(&request.name));
            return Err(ErrorData::invalid_params(what, None));
        };
        let (host, mut arguments) = (Arc::clone(&self.host), request.arguments.unwrap_or_default());
        let mut sampled = None;
        if request.name == sampling::TOOL {
            match sampling::take(&mut arguments) {
                Ok(false) => {}
                Ok(true) => {
                    sampled = Some(sampling::ask(|own| self.batch(own, &context), &mut arguments, &context).await)
                }
                Err(refusal) => return Ok(error(&refusal).into()),
            }
        }
        let outcome = self.within_limits(&context, |stopped| tools::run(host, row, arguments, stopped)).await;
        Ok(match outcome {
            Some(Ok(reply)) => {
                let link = link(row, &reply, &context).map(ContentBlock::resource_link);
                let told = left_out(&reply);
                let texts = reply.texts.into_iter().chain(told).map(ContentBlock::text);
                let mut result = CallToolResult::success(texts.chain(link).collect());
                result.structured_content = Some(reply.value);
                if let Some(sampled) = sampled {
                    let meta = JsonObject::from_iter([(SAMPLING_KEY.to_owned(), sampled.value())]);
                    result = result.with_meta(Some(MetaObject(meta)));
                }
                result
            }
            Some(Err(refusal)) => error(&refusal),
            None => error(&cancelled()),
        }
        .into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        // An empty list would say that there could be any.
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let list = resources::templates();
        if !knows_caching(&context) {
            return Ok(list);
        }
        Ok(list.with_ttl_ms(FRESH_MS).with_cache_scope(CacheScope::Public))
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let (host, cursor) = (Arc::clone(&self.host), request.and_then(|request| request.cursor));
        let outcome = self.within_limits(&context, |_| resources::list(host, cursor)).await;
        let list = outcome.unwrap_or_else(unheard).map_err(|refusal| resources::error(&refusal, None))?;
        if !knows_caching(&context) {
            return Ok(list);
        }
        // The next call adds a run.
        Ok(list.with_ttl_ms(0).with_cache_scope(CacheScope::Private))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (host, uri) = (Arc::clone(&self.host), request.uri.clone());
        let outcome = self.within_limits(&context, |_| resources::read(host, uri)).await;
        let given = outcome.unwrap_or_else(unheard);
        let read = given.map_err(|refusal| resources::error(&refusal, Some(&request.uri)))?;
        if !knows_caching(&context) {
            return Ok(read.into());
        }
        // A run stays as it is until it is deleted; the last output of a task is followed by another.
        Ok(read.with_ttl_ms(0).with_cache_scope(CacheScope::Private).into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A request of a known name whose parameters have another form comes here too. What knows caching has no handshake.
        let handshake = request.method == "initialize" && !knows_caching(&context);
        if handshake || METHODS.contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params(
                format!("the parameters of `{}` are of another form", request.method),
                None,
            ));
        }
        let what = format!("`{}` is no method of this server", shown(&request.method));
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, what, None))
    }
}

/// What is said where nobody hears it: the answer to a call that was cancelled is not sent.
fn cancelled() -> Refusal {
    Refusal::external("the call was cancelled")
}

fn unheard<T>() -> Result<T, Refusal> {
    Err(cancelled())
}

/// A refusal as the command line words it, and its kind for programs. Its structured content is what stands in the place of the answer, where the call has such a thing.
fn error(refusal: &Refusal) -> CallToolResult {
    let mut text = format!("error: {}", refusal.message);
    if let Some(hint) = &refusal.hint {
        text.push_str("\nhint: ");
        text.push_str(hint);
    }
    let kind = match refusal.kind {
        ErrorKind::Input | ErrorKind::NotFound | ErrorKind::Memory => "input",
        ErrorKind::NotEvaluable => "not_evaluable",
        ErrorKind::External | ErrorKind::Full | ErrorKind::Fault => "external",
    };
    let mut meta = JsonObject::new();
    meta.insert(ERROR_KEY.to_owned(), kind.into());
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]).with_meta(Some(MetaObject(meta)));
    // What stands in the place of an evaluation.
    result.structured_content = refusal.answer.as_ref().and_then(|answer| serde_json::to_value(answer).ok());
    result
}

/// A name that was given, in a message: short, and without control characters.
fn shown(text: &str) -> String {
    text.chars().take(SHOWN_CHARS_MAX).flat_map(char::escape_debug).collect()
}
