//! The console over the runs of the demo: the server of `steadfast serve`, at a free port of this machine.

use std::io::{self, IsTerminal, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use steadfast_server::Shown;
use steadfast_store::Store;
use steadfast_wire::call::ToolSet;
use steadfast_wire::request::EmbedderChoice;
use tokio::task::spawn_blocking;

use crate::args::AgentsArgs;
use crate::exit::Failure;
use crate::export::Exports;
use crate::output;
use crate::serve::{Serving, hold, stopped, told};
use crate::settings::{ChatSettings, ExportSettings};
use crate::talk::Talk;

/// What is asked for, to see whether the server answers, and how long each byte of the answer is waited for.
const PAGE: &str = "/runs";
const PATIENCE: Duration = Duration::from_secs(30);

/// More than that page has.
const PAGE_BYTES_MAX: u64 = 4_194_304;

/// Serves the store at a free port and looks whether the console answers. It stays until Ctrl-C where somebody sits at the terminal, and ends at once
/// where nobody does.
pub(super) fn console(store: Arc<Store>, path: &Path, embedder: EmbedderChoice, talk: Talk) -> Result<(), Failure> {
    let shown = path.display().to_string();
    let serving = Serving {
        root: None,
        store: Some(store),
        exports: Exports::new(ExportSettings::default()),
        alerts: None,
        alert_rules: Vec::new(),
        chat: ChatSettings::default(),
        hosts: Vec::new(),
        needs_key: false,
        rate: 0,
        embedder,
        agents: AgentsArgs { tools: ToolSet::Hosts, trust_host: false },
        start: None,
        shown: vec![Shown { from: "--out-dir, or its default".to_owned(), ..told("store", &shown, true) }],
    };
    let stays = io::stdin().is_terminal();
    let ended: OnceLock<Result<(), Failure>> = OnceLock::new();
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    hold(serving, (listen, "a free port, for the demo"), talk, |address| {
        let stop = stopped()?;
        let ended = &ended;
        Ok(async move {
            let answer =
                spawn_blocking(move || ask(address)).await.unwrap_or_else(|error| Err(io::Error::other(error)));
            let line = match answer {
                Ok(()) if stays => format!("\nThe console over these runs: http://{address}/ (Ctrl-C ends it)\n"),
                Ok(()) => format!("\nThe console over these runs answers: steadfast serve --store {shown}\n"),
                Err(error) => {
                    let failure =
                        Failure::external(format!("the console at http://{address}{PAGE} does not answer: {error}"));
                    drop(ended.set(Err(failure)));
                    return;
                }
            };
            let told = output::to_stdout(&line);
            let is_told = told.is_ok();
            drop(ended.set(told));
            if stays && is_told {
                stop.await;
            }
        })
    })?;
    ended.into_inner().unwrap_or(Ok(()))
}

/// Asks for a page as a browser would. An answer that is not the whole page is an error.
fn ask(address: SocketAddr) -> io::Result<()> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = format!("GET {PAGE} HTTP/1.1\r\nHost: {address}\r\nAccept: text/html\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(PAGE_BYTES_MAX).read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    if answer.starts_with("HTTP/1.1 200 ") && answer.trim_end().ends_with("</html>") {
        return Ok(());
    }
    let status = answer.lines().next().unwrap_or_default();
    Err(io::Error::other(format!("it says \u{201c}{status}\u{201d}")))
}
