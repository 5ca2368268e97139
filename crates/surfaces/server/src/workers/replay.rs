//! A body that can be sent again.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use axum::Error;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

/// A body as it comes, and what came of it.
pub(super) struct Kept(Arc<Mutex<State>>);

struct State {
    body: Body,
    came: Vec<Bytes>,
    hint: SizeHint,
}

impl Kept {
    pub(super) fn of(body: Body) -> Self {
        let hint = body.size_hint();
        Self(Arc::new(Mutex::new(State { body, came: Vec::new(), hint })))
    }

    /// How many bytes came of it.
    pub(super) fn bytes(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).came.iter().map(Bytes::len).sum()
    }

    /// The body from its beginning: what came of it, and what still comes.
    pub(super) fn replay(&self) -> Body {
        Body::new(Replay { state: Arc::clone(&self.0), at: 0 })
    }
}

struct Replay {
    state: Arc<Mutex<State>>,
    /// The next piece of those that came.
    at: usize,
}

impl HttpBody for Replay {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let own = Arc::clone(&self.state);
        let mut own = own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(piece) = own.came.get(self.at) {
            self.at += 1;
            return Poll::Ready(Some(Ok(Frame::data(piece.clone()))));
        }
        let polled = ready!(Pin::new(&mut own.body).poll_frame(context));
        if let Some(Ok(piece)) = polled.as_ref().map(|frame| frame.as_ref().map(Frame::data_ref))
            && let Some(piece) = piece
        {
            own.came.push(piece.clone());
            self.at += 1;
        }
        Poll::Ready(polled)
    }

    fn is_end_stream(&self) -> bool {
        let own = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.at == own.came.len() && own.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let own = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if self.at == 0 { own.hint } else { SizeHint::default() }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};

    use super::Kept;

    #[tokio::test]
    async fn a_body_is_sent_again_from_its_beginning() {
        let kept = Kept::of(Body::from("all of it"));
        for _ in 0..3 {
            assert_eq!(to_bytes(kept.replay(), 100).await.unwrap(), "all of it");
        }
    }
}
