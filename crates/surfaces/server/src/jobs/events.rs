//! Server-sent events: what comes of the parts of a job, and how it stands.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::response::Response;
use steadfast_engine::jobs;
use steadfast_wire::jobs::{Job, JobRecord};
use steadfast_wire::to_json_line;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::Jobs;
use crate::live::events::{KEEP_ALIVE_SECONDS, PIECE_SECONDS_MAX, RETRY_MILLISECONDS, response};
use crate::live::listeners::Listener;

/// Parts that are read from the store at a time.
const PARTS_AT_A_TIME: usize = 64;

/// Follows a job from the part `from` on, until it has ended, nobody listens, or the server stops.
pub(super) fn follow(jobs: Arc<Jobs>, listener: Listener, from: u64) -> Response {
    let (send, pieces) = mpsc::channel(1);
    tokio::spawn(tell(jobs, listener, from, send));
    response(pieces)
}

async fn tell(own: Arc<Jobs>, mut listener: Listener, mut from: u64, send: mpsc::Sender<Bytes>) {
    let mut closing = own.closing.subscribe();
    let mut told: Option<Job> = None;
    let mut begun = format!("retry: {RETRY_MILLISECONDS}\n\n");
    loop {
        // Nothing is read before what was read last is on its way.
        let Ok(Ok(room)) = timeout(Duration::from_secs(PIECE_SECONDS_MAX), send.reserve()).await else { return };
        if *closing.borrow() {
            return;
        }
        listener.looks();
        let id = listener.id().to_owned();
        // Where it cannot be read the client comes again and is told what is wrong.
        let read = own.work(move |books| jobs::show(books, &id, Some(from), PARTS_AT_A_TIME)).await;
        let Ok(JobRecord { job, results, next_cursor, .. }) = read else { return };
        let mut text = std::mem::take(&mut begun);
        for item in &results {
            let Ok(json) = to_json_line(item) else { return };
            text.push_str(&format!("id: {}\nevent: part\ndata: {}\n\n", item.number, json.trim_end()));
            from = item.number + 1;
        }
        let has_ended = job.state.has_ended() && next_cursor.is_none();
        if next_cursor.is_none() && told.as_ref() != Some(&job) {
            let Ok(json) = to_json_line(&job) else { return };
            let name = if has_ended { "end" } else { "job" };
            text.push_str(&format!("event: {name}\ndata: {}\n\n", json.trim_end()));
            told = Some(job);
        }
        if !text.is_empty() {
            room.send(Bytes::from(text));
            if has_ended {
                return;
            }
            continue;
        }
        let quiet = tokio::select! {
            () = listener.changed() => false,
            _ = closing.changed() => false,
            () = send.closed() => return,
            () = tokio::time::sleep(Duration::from_secs(KEEP_ALIVE_SECONDS)) => true,
        };
        if quiet {
            room.send(Bytes::from_static(b": still here\n\n"));
        }
    }
}
