//! Requests whose restrictions are labelled, against what is read of them as forbidden.

use serde::Deserialize;
use steadfast_review::session::Asked;
use steadfast_review::session::bans::{Action, Ban, bans};

/// A request with what it forbids.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Labelled {
    /// Its name.
    pub(super) id: String,
    /// The text.
    ask: String,
    /// What it forbids.
    bans: Vec<GoldBan>,
}

/// A restriction.
#[derive(Clone, Debug, Deserialize)]
struct GoldBan {
    /// The words, verbatim.
    quote: String,
    /// What is forbidden.
    action: String,
}

/// What is read of a request: for each restriction whether it is found, for each that is read whether it is one.
pub(super) struct ReadBans {
    /// The words of each restriction, and whether it is read.
    pub(super) found: Vec<(String, bool)>,
    /// The words that are read as one, and whether they are.
    pub(super) right: Vec<(String, bool)>,
}

impl Labelled {
    /// Reads the request.
    #[must_use]
    pub(super) fn read(&self) -> ReadBans {
        let mut read = bans(&[Asked { text: self.ask.clone(), turn: 1, file: None }]);
        read.retain(|it| it.demand.is_none());
        let is = |gold: &GoldBan, own: &Ban| {
            let start = self.ask.find(&own.quote).unwrap_or_default();
            super::cases::overlap(&self.ask, &gold.quote, start, start + own.quote.len())
                && is_of(&own.action, &gold.action)
        };
        let found = self.bans.iter().map(|gold| (gold.quote.clone(), read.iter().any(|own| is(gold, own))));
        let right = read.iter().map(|own| (own.quote.clone(), self.bans.iter().any(|gold| is(gold, own))));
        ReadBans { found: found.collect(), right: right.collect() }
    }
}

/// Whether an action is one that a label means.
fn is_of(action: &Action, label: &str) -> bool {
    match action {
        Action::Edit => matches!(label, "edit" | "create" | "delete" | "rename" | "change_data" | "upgrade"),
        Action::Create => matches!(label, "create" | "edit"),
        Action::Delete => matches!(label, "delete" | "change_data" | "edit"),
        Action::Drop | Action::Migrate => matches!(label, "change_data" | "run" | "delete"),
        Action::Rename => matches!(label, "rename" | "edit"),
        Action::Format => matches!(label, "edit" | "run"),
        Action::Read => label == "read",
        Action::Put => matches!(label, "silence_checks" | "edit" | "create"),
        Action::Run | Action::Program(_) => matches!(label, "run" | "use_tool" | "deploy" | "change_data" | "install"),
        Action::Named(_) => matches!(label, "run" | "deploy" | "change_data" | "other"),
        Action::Install | Action::Depend => matches!(label, "install" | "upgrade"),
        Action::Upgrade => matches!(label, "upgrade" | "install"),
        Action::Commit => label == "commit",
        Action::Push => matches!(label, "push" | "force_push"),
        Action::ForcePush => matches!(label, "push" | "force_push" | "rewrite_history"),
        Action::OpenRequest => label == "open_pr",
        Action::SkipHooks => matches!(label, "skip_hooks" | "silence_checks"),
        Action::SkipTests => label == "silence_checks",
        Action::Merge => label == "merge",
        Action::Rewrite => matches!(label, "rewrite_history" | "force_push"),
        Action::Discard => matches!(label, "delete" | "rewrite_history"),
        Action::Branch | Action::Switch => label == "branch",
        Action::Publish => matches!(label, "publish" | "deploy"),
        Action::Deploy => matches!(label, "deploy" | "publish"),
        Action::Network => label == "network",
        Action::Restart => label == "restart",
        Action::Send => label == "send",
    }
}
