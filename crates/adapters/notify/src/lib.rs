//! Alerts out: to webhooks and to commands, each behind a thread and a bounded queue of its own, so that one that hangs holds up no other.
//!
//! What does not fit into a queue, and what could not be told after all attempts, is said to whoever watches the server. What waits when the
//! server ends is not told.

mod command;
mod webhook;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use steadfast_wire::alerts::AlertNotice;

pub use command::OUTPUT_BYTES_MAX;
pub use webhook::{ATTEMPTS_MAX, Secret};

/// Notices that wait for one target at most.
pub const QUEUE_NOTICES_MAX: usize = 100;

/// Where notices go.
#[derive(Clone, Debug)]
pub enum Target {
    /// An address that takes them by POST.
    Webhook {
        /// The address.
        url: String,
        /// What they are signed with, where they are.
        secret: Option<Secret>,
        /// How long one attempt may take.
        timeout: Duration,
    },
    /// A program that reads one from its standard input.
    Command {
        /// The program and its arguments: no shell reads them.
        argv: Vec<String>,
        /// How long it may run.
        timeout: Duration,
    },
}

/// Says something to whoever watches the server.
pub type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// A target that is told of notices.
pub struct Notifier {
    name: String,
    queue: SyncSender<AlertNotice>,
    tell: Tell,
}

impl Notifier {
    /// Starts the thread of a target.
    ///
    /// # Errors
    /// Where no thread can be had.
    pub fn start(name: &str, target: Target, tell: Tell) -> std::io::Result<Self> {
        let (queue, notices) = sync_channel(QUEUE_NOTICES_MAX);
        let (own, saying) = (name.to_owned(), Arc::clone(&tell));
        thread::Builder::new()
            .name("steadfast-notify".to_owned())
            .spawn(move || run(&own, &target, &notices, &saying))?;
        Ok(Self { name: name.to_owned(), queue, tell })
    }

    /// Has a notice told, and does not wait for that.
    pub fn notify(&self, notice: &AlertNotice) {
        if self.queue.try_send(notice.clone()).is_err() {
            (self.tell)(&format!(
                "alert `{}` was not told to `{}`: {QUEUE_NOTICES_MAX} others wait for it",
                notice.rule, self.name
            ));
        }
    }
}

fn run(name: &str, target: &Target, notices: &Receiver<AlertNotice>, tell: &Tell) {
    while let Ok(notice) = notices.recv() {
        let told = match steadfast_wire::to_json_line(&notice) {
            Ok(body) => match target {
                Target::Webhook { url, secret, timeout } => {
                    webhook::post(url, secret.as_ref(), *timeout, body.trim_end())
                }
                Target::Command { argv, timeout } => command::run(argv, *timeout, &body),
            },
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = told {
            tell(&format!("alert `{}` was not told to `{name}`: {why}", notice.rule));
        }
    }
}
