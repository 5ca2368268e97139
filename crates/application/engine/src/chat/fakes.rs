//! What the tests of this module share.

use std::sync::Mutex;
use std::time::Duration;

use super::port::{Asking, Call, CallFailure, ChatModel, Clock, Entropy, Sleeping};

/// Bytes that count: all 1, then all 2 …
#[derive(Default)]
pub(super) struct Counting(Mutex<u8>);

impl Entropy for Counting {
    fn bytes(&self) -> [u8; 16] {
        let mut count = self.0.lock().unwrap();
        *count += 1;
        [*count; 16]
    }
}

/// A model that fails, by its name and server.
pub(super) struct Named(pub(super) &'static str, pub(super) &'static str);

impl ChatModel for Named {
    fn name(&self) -> &str {
        self.0
    }

    fn server(&self) -> &str {
        self.1
    }

    fn ask<'a>(&'a self, _: &'a Call) -> Asking<'a> {
        Box::pin(async { Err(CallFailure { why: "down".to_owned(), attempts: 1 }) })
    }
}

/// Time that passes only while somebody sleeps.
#[derive(Default)]
pub(super) struct Virtual {
    pub(super) slept: Mutex<Vec<Duration>>,
    pub(super) now: Mutex<Duration>,
}

impl Clock for Virtual {
    fn elapsed(&self) -> Duration {
        *self.now.lock().unwrap()
    }

    fn unix_seconds(&self) -> i64 {
        1_000_000_000 + self.elapsed().as_secs() as i64
    }

    fn sleep(&self, time: Duration) -> Sleeping<'_> {
        self.slept.lock().unwrap().push(time);
        *self.now.lock().unwrap() += time;
        Box::pin(async {})
    }
}
