//! `steadfast mcp`.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use tokio::runtime;

use crate::args::McpArgs;
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::machine::{Machine, open};
use crate::root::Root;
use crate::talk::Talk;
use crate::{record, retention, settings};

/// Serves one client over stdin and stdout until it goes away.
pub(crate) fn mcp(args: McpArgs, talk: &Talk) -> Result<Status, Failure> {
    let root = args.root.as_deref().map(Root::of).transpose()?;
    if io::stdin().is_terminal() {
        talk.note("an MCP server speaks JSON over stdin and stdout: a host of agents starts it; Ctrl-D ends it");
    }
    let path = settings::server_store(args.store, args.no_store)?;
    let exports = Exports::new(settings::export(args.export, path.as_deref(), args.config.clone())?);
    for file in &exports.files {
        record::distinct(file, path.as_deref(), &[], &[])?;
    }
    let chat = settings::server_chat(args.config)?;
    let store = path.map(|path| open(&path)).transpose()?;
    let broken = |error: io::Error| Failure::external(format!("no runtime can be started: {error}"));
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(broken)?;
    let pruning = retention::pruning(store.as_ref(), &exports, *talk);
    let machine = Machine::new(root, store.clone(), exports, chat, *talk, runtime.handle().clone())?;
    let host = Arc::new(machine.trusting(args.agents.trust_host));
    let served = runtime.block_on(async {
        drop(tokio::spawn(pruning));
        steadfast_mcp::serve(host, args.agents.tools, tokio::io::stdin(), tokio::io::stdout()).await
    });
    // Work that nobody waits for any more is left where it is.
    runtime.shutdown_background();
    if let Some(store) = store.and_then(Arc::into_inner) {
        store.close()?;
    }
    served.map_err(|error| Failure::external(error.to_string()))?;
    Ok(Status::Passed)
}
