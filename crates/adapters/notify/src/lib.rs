//! Alerts out: to webhooks and to commands, each behind a thread and a bounded queue of its own, so that one that hangs holds up no other.
//!
//! What came of each notice is reported: that it was told, or that it was not, since it did not fit into a queue or all attempts came to nothing. Of
//! what waits when the server ends nothing is reported.

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

/// What came of telling a notice to a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The notice, by its id.
    pub id: String,
    /// The rule that it is of.
    pub rule: String,
    /// The target, by its name.
    pub target: String,
    /// How often it was tried.
    pub attempts: usize,
    /// Why it was not told, where it was not.
    pub failed: Option<String>,
}

/// Hears what came of notices.
pub type Report = Arc<dyn Fn(Delivered) + Send + Sync>;

/// A notice with the id under which it is told: whoever is told twice, as after the end of a server in the midst of it, knows it again.
type Named = (String, AlertNotice);

/// A target that is told of notices.
pub struct Notifier {
    name: String,
    queue: SyncSender<Named>,
    report: Report,
}

impl Notifier {
    /// Starts the thread of a target.
    ///
    /// # Errors
    /// Where no thread can be had.
    pub fn start(name: &str, target: Target, report: Report) -> std::io::Result<Self> {
        let (queue, notices) = sync_channel(QUEUE_NOTICES_MAX);
        let (own, reporting) = (name.to_owned(), Arc::clone(&report));
        thread::Builder::new()
            .name("steadfast-notify".to_owned())
            .spawn(move || run(&own, &target, &notices, &reporting))?;
        Ok(Self { name: name.to_owned(), queue, report })
    }

    /// Has a notice told under its id, and does not wait for that.
    pub fn notify(&self, id: &str, notice: &AlertNotice) {
        if self.queue.try_send((id.to_owned(), notice.clone())).is_err() {
            let failed = Some(format!("{QUEUE_NOTICES_MAX} others wait for it"));
            let (rule, target) = (notice.rule.clone(), self.name.clone());
            (self.report)(Delivered { id: id.to_owned(), rule, target, attempts: 0, failed });
        }
    }
}

fn run(name: &str, target: &Target, notices: &Receiver<Named>, report: &Report) {
    while let Ok((id, notice)) = notices.recv() {
        let (attempts, told) = match steadfast_wire::to_json_line(&notice) {
            Ok(body) => match target {
                Target::Webhook { url, secret, timeout } => {
                    webhook::post(url, secret.as_ref(), *timeout, &id, body.trim_end())
                }
                Target::Command { argv, timeout } => (1, command::run(argv, *timeout, &body)),
            },
            Err(error) => (0, Err(error.to_string())),
        };
        report(Delivered { id, rule: notice.rule, target: name.to_owned(), attempts, failed: told.err() });
    }
}
