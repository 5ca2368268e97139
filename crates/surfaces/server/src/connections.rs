//! Connections, within limits on their number, on how long their heads may take, and on how long a client may leave an answer unread.

mod patient;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::util::MapRequest;

use crate::Error;
use patient::{Patience, Patient};

/// Connections that are open at a time; who comes beside them waits to be taken in.
const CONNECTIONS_MAX: usize = 1_024;

/// Seconds that the head of a request may take.
const HEAD_SECONDS_MAX: u64 = 10;

/// Seconds that a client may leave unread what was written to it, where no more can be written.
const STALLED_SECONDS_MAX: u64 = 30;

/// Requests that a connection of HTTP/2 may have at a time.
const STREAMS_MAX: u32 = 64;

/// Bytes of the head of a request of HTTP/1, and of what of a connection is read ahead: so much may a client that has shown no key make
/// the server hold.
const BUFFER_BYTES_MAX: usize = 32 * 1024;

/// Bytes of the head of a request of HTTP/2, once it is unpacked.
const HEAD_BYTES_MAX: u32 = 16 * 1024;

/// Bytes that may come of one request of HTTP/2, and of all of a connection, before somebody reads them.
const STREAM_WINDOW_BYTES: u32 = 128 * 1024;
const CONNECTION_WINDOW_BYTES: u32 = 256 * 1024;

/// Bytes of an answer that wait in a stream of HTTP/2.
const SEND_BYTES_MAX: usize = 64 * 1024;

/// Seconds after which a silent client of HTTP/2 is asked whether it is there, and seconds that it may take to say so.
const PING_SECONDS: u64 = 30;
const PONG_SECONDS_MAX: u64 = 10;

/// Seconds that requests under way have to end when the server stops.
const STOP_SECONDS_MAX: u64 = 10;

/// Where a connection comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Takes connections in until `stop` is done, then lets requests under way end.
pub(crate) async fn serve(
    router: Router,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), Error> {
    let mut server = auto::Builder::new(TokioExecutor::new());
    server
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(HEAD_SECONDS_MAX))
        .max_buf_size(BUFFER_BYTES_MAX);
    server
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEAD_BYTES_MAX)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .max_send_buf_size(SEND_BYTES_MAX)
        .keep_alive_interval(Duration::from_secs(PING_SECONDS))
        .keep_alive_timeout(Duration::from_secs(PONG_SECONDS_MAX));
    let patience =
        Patience { first: Duration::from_secs(HEAD_SECONDS_MAX), stalled: Duration::from_secs(STALLED_SECONDS_MAX) };
    let (places, graceful) = (Arc::new(Semaphore::new(CONNECTIONS_MAX)), GracefulShutdown::new());
    let mut stop = std::pin::pin!(stop);
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { break };
        let (stream, peer) = tokio::select! {
            taken = listener.accept() => match taken {
                Ok((stream, address)) => (stream, Peer(address.ip())),
                // What is wrong with one connection, or for a moment, ends none of the others.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        drop(stream.set_nodelay(true));
        let service = MapRequest::new(router.clone(), move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer);
            request
        });
        let stream = TokioIo::new(Patient::new(stream, patience));
        let connection = server.serve_connection_with_upgrades(stream, TowerToHyperService::new(service)).into_owned();
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that goes away or speaks no HTTP is its own affair.
            drop(connection.await);
            drop(place);
        });
    }
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(Duration::from_secs(STOP_SECONDS_MAX)) => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use axum::Extension;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;
    use tokio::sync::oneshot;

    use super::*;

    /// What a server answers to these bytes, and how many of them it took.
    async fn sent(bytes: &[u8]) -> (String, usize) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let router = Router::new().route("/", get(|| async { "here" }));
        let serving = tokio::spawn(serve(router, listener, async {
            drop(stopped.await);
        }));
        let mut stream = TcpStream::connect(address).await.unwrap();
        let mut taken = 0;
        for part in bytes.chunks(1024) {
            match stream.write_all(part).await {
                Ok(()) => taken += part.len(),
                Err(_) => break,
            }
        }
        let mut answer = Vec::new();
        drop(stream.read_to_end(&mut answer).await);
        drop(stop);
        serving.await.unwrap().unwrap();
        (String::from_utf8_lossy(&answer).into_owned(), taken)
    }

    #[tokio::test]
    async fn a_head_has_a_limit() {
        let head = |bytes: usize| {
            let (begin, end) = ("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: ", "\r\n\r\n");
            format!("{begin}{}{end}", "a".repeat(bytes - begin.len() - end.len()))
        };
        let (answer, _) = sent(head(BUFFER_BYTES_MAX).as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        let (answer, _) = sent(head(BUFFER_BYTES_MAX + 1024).as_bytes()).await;
        assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    #[tokio::test]
    async fn a_request_knows_where_it_comes_from_whatever_its_head_says() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let told = |Extension(Peer(address)): Extension<Peer>| async move { address.to_string() };
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(serve(Router::new().route("/", get(told)), listener, async {
            drop(stopped.await);
        }));
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\nConnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("\r\n127.0.0.1"), "{answer}");
        drop(stop);
        serving.await.unwrap().unwrap();
    }
}
