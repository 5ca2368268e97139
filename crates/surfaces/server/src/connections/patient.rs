//! A stream whose other end has to do its part: send something at all, and read what it is sent.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How long the other end may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Until its first byte.
    pub(super) first: Duration,
    /// Until it has read something, where no more can be written before.
    pub(super) stalled: Duration,
}

/// A stream within its patience.
pub(super) struct Patient<S> {
    stream: S,
    first: Option<Pin<Box<Sleep>>>,
    patience: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    pub(super) fn new(stream: S, patience: Patience) -> Self {
        let Patience { first, stalled } = patience;
        Self { stream, first: Some(Box::pin(sleep(first))), patience: stalled, stalled: None }
    }

    /// What came of writing, or that it has taken too long.
    fn written<T>(&mut self, context: &mut Context<'_>, polled: Poll<Result<T>>) -> Poll<Result<T>> {
        if polled.is_ready() {
            self.stalled = None;
            return polled;
        }
        let patience = self.patience;
        ready!(self.stalled.get_or_insert_with(|| Box::pin(sleep(patience))).as_mut().poll(context));
        Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client does not read")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        if polled.is_ready() {
            self.first = None;
            return polled;
        }
        let Some(first) = &mut self.first else { return Poll::Pending };
        ready!(first.as_mut().poll(context));
        Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client sends nothing")))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.written(context, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_flush(context);
        self.written(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_shutdown(context);
        self.written(context, polled)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn a_client_that_does_not_read_is_given_up() {
        let (server, mut client) = duplex(8);
        let mut server = Patient::new(server, Patience { first: Duration::MAX / 4, stalled: SHORT });
        server.write_all(b"12345678").await.unwrap();
        let given_up = server.write_all(b"9").await.unwrap_err();
        assert_eq!((given_up.kind(), given_up.to_string().as_str()), (ErrorKind::TimedOut, "the client does not read"));
        // One that reads after all is written to again.
        let mut read = [0; 8];
        client.read_exact(&mut read).await.unwrap();
        server.write_all(b"9").await.unwrap();
        drop(server);
        let mut rest = String::new();
        client.read_to_string(&mut rest).await.unwrap();
        assert_eq!(rest, "9");
    }

    #[tokio::test]
    async fn a_client_that_sends_nothing_is_given_up() {
        let patience = Patience { first: SHORT, stalled: SHORT };
        let (server, _client) = duplex(8);
        let given_up = Patient::new(server, patience).read_u8().await.unwrap_err();
        assert_eq!((given_up.kind(), given_up.to_string().as_str()), (ErrorKind::TimedOut, "the client sends nothing"));

        // After its first byte it may be silent: what a head may take is for the protocol to say.
        let (server, mut client) = duplex(8);
        let mut server = Patient::new(server, patience);
        client.write_all(b"a").await.unwrap();
        assert_eq!(server.read_u8().await.unwrap(), b'a');
        assert!(tokio::time::timeout(SHORT * 3, server.read_u8()).await.is_err());
    }
}
