//! The HTTP API and the console.
//!
//! `connections` takes connections in within limits and gives their requests to the router of `app`: `guard` refuses what has no
//! business here, `api` holds the JSON routes, `live` trajectories that are followed while they go on, `console` the pages, `workers` the processes that judge. Every route
//! that judges makes one of the calls of [`steadfast_engine::calls`], as every other door does. What the server needs of the world it
//! runs in it asks of its [`Host`].

mod accept;
mod admission;
mod api;
mod app;
mod archive;
mod body;
mod connections;
mod console;
mod guard;
mod jobs;
mod json;
mod live;
mod metrics;
mod openapi;
mod problem;
mod query;
mod routes;
mod ttl;
mod workers;

use std::net::SocketAddr;
use std::sync::Arc;

use steadfast_engine::calls::Host;
use tokio::net::TcpListener;

pub use app::{Settings, Shown};
pub use workers::{Start, Started, work};

/// Why a server cannot serve.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Connections cannot be taken in.
    #[error("{address}: {what}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What is wrong.
        what: String,
    },
}

/// Serves until `stop` is done, then lets requests under way end. Texts are judged by the workers that `start` starts, or here where there is none.
///
/// # Errors
/// [`Error`] where connections cannot be taken in any more.
pub async fn serve(
    host: Arc<dyn Host>,
    settings: Settings,
    start: Option<Start>,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), Error> {
    let address = listener.local_addr().ok().map(|address| address.ip());
    let app = Arc::new(app::App::new(host, settings, start).at(address));
    if let Some(workers) = app.workers.clone() {
        tokio::spawn(async move { workers.begin().await });
    }
    let closing = Arc::clone(&app);
    let stop = async move {
        stop.await;
        // Answers that go on for ever end now, so that nobody waits for them.
        if let Some(live) = &closing.live {
            live.close();
        }
        if let Some(jobs) = &closing.jobs {
            jobs.close();
        }
    };
    let served = connections::serve(app::router(Arc::clone(&app)), listener, stop).await;
    if let Some(live) = &app.live {
        live.close();
        live.closed().await;
    }
    if let Some(jobs) = &app.jobs {
        jobs.close();
        jobs.closed().await;
    }
    if let Some(workers) = &app.workers {
        workers.closed().await;
    }
    served
}
