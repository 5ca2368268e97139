//! Bans and demands on actions: what the user forbade or asked for as a deed, and the calls that break it.
//!
//! `read` reads instructions from what the user typed; `acts` tells whether a call does a thing. A ban that the user lifts later, or
//! binds to a condition, is left alone: a call is only named where the user's words and the call are both plain.

mod action;
mod acts;
mod clauses;
mod demands;
mod files;
mod found;
mod history;
mod kinds;
mod limits;
mod negated;
mod network;
mod object;
mod packages;
mod programs;
mod read;
mod scope;
mod sure;
mod systems;
mod verbs;
mod words;

pub use action::{Action, Ban, Order};
pub(super) use found::looks;
pub use kinds::Kind;
pub use object::{Item, Object};
pub use read::bans;
pub(super) use sure::is_sure;

use steadfast_evidence::Origin;
use steadfast_session::effects::{git_call, is_dry};
use steadfast_session::purpose::Purpose;

/// What words name, read as the object of an instruction is.
pub(super) fn object_of(text: &str) -> Object {
    object::object(&words::words(text, 0), 0, &|_| false).0
}

use super::deeds::{Deed, is_document};
use super::{Asked, vcs};
use history::History;

/// The most breaks that are kept.
pub const BREAKS_MAX: usize = 200;

/// The most calls that are named for one ban.
pub const BREAKS_OF_ONE_MAX: usize = 20;

/// What the user forbade or demanded, and the call that breaks it (or, where somebody finds so, that keeps it).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The user's words.
    pub obligation: String,
    /// The turn in which they stand, from 1; 0 of rules.
    pub asked: usize,
    /// The file in which they stand, of rules.
    pub file: Option<String>,
    /// The call, by its turn from 1 and its place from 0; `None` where no call meets a demand.
    pub call: Option<(usize, usize)>,
    /// What the call runs or changes.
    pub deed: String,
    /// Why, in one sentence.
    pub why: String,
    /// How far what is forbidden reaches.
    pub reach: Reach,
    /// Who says so.
    pub origin: Origin,
}

/// How far an action reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Words in a file: whether a line says what was meant takes more than words.
    Words,
    /// Files and programs of the working folder.
    Folder,
    /// Beyond it, or so that it cannot be taken back there: pushes, releases, messages, data.
    Outward,
}

/// The calls that break what the user forbade or demanded.
#[must_use]
pub fn breaks(ask: &[Asked], deeds: &[Deed]) -> Vec<Break> {
    let mut out: Vec<(Break, Action)> = Vec::new();
    let history = History::of(deeds);
    for mut ban in bans(ask) {
        if let Some(order) = ban.demand {
            if let Some(why) = unmet(&ban, order, deeds) {
                let own = of(&ban, None, String::new(), why);
                if !out.iter().any(|(it, _)| it.call.is_none() && it.obligation == own.obligation) {
                    out.push((own, ban.action.clone()));
                }
            }
            continue;
        }
        let until = ban.until.unwrap_or(usize::MAX);
        let mut spared = std::mem::take(&mut ban.spared).into_iter().peekable();
        let mut left = BREAKS_OF_ONE_MAX;
        for (at, deed) in deeds.iter().enumerate() {
            if deed.turn <= ban.turn || deed.turn >= until || deed.evidence {
                continue;
            }
            while let Some((_, item)) = spared.next_if(|(turn, _)| *turn < deed.turn) {
                ban.object.except.push(item);
            }
            let Some(why) = acts::does(&ban, &history, at) else { continue };
            let own = of(&ban, Some((deed.turn, deed.call)), deed.shown(), why);
            // Two readings of the same deed name one break, with the longer words.
            let same = |(it, before): &(Break, Action)| {
                it.call == own.call
                    && (*before == ban.action
                        || it.obligation.contains(&own.obligation)
                        || own.obligation.contains(&it.obligation))
            };
            match out.iter_mut().find(|it| same(it)) {
                Some((it, _)) if it.obligation.len() < own.obligation.len() => *it = own,
                Some(_) => {}
                None => out.push((own, ban.action.clone())),
            }
            left -= 1;
            if left == 0 {
                break;
            }
        }
        if out.len() >= BREAKS_MAX {
            break;
        }
    }
    out.truncate(BREAKS_MAX);
    out.into_iter().map(|(own, _)| own).collect()
}

fn of(ban: &Ban, call: Option<(usize, usize)>, deed: String, why: String) -> Break {
    let reach = match &ban.action {
        Action::Put => Reach::Words,
        action if negated::outward(action) => Reach::Outward,
        _ => Reach::Folder,
    };
    let (obligation, file) = (ban.quote.clone(), ban.file.clone());
    Break { obligation, asked: ban.turn, file, call, deed, why, reach, origin: Origin::Code }
}

/// Why a demand is not met; `None` where it is, or where the session shows no work at all.
fn unmet(ban: &Ban, order: Order, deeds: &[Deed]) -> Option<String> {
    let own: Vec<(usize, &Deed)> =
        deeds.iter().enumerate().filter(|(_, deed)| deed.turn > ban.turn && !deed.evidence).collect();
    // Where nothing was changed the session may be a part, or the work an answer.
    own.iter().find(|(_, deed)| !deed.edits.is_empty())?;
    let met: Vec<usize> = own.iter().filter(|(_, deed)| meets(ban, deed)).map(|(at, _)| *at).collect();
    let code = |deed: &Deed| deed.edits.iter().any(|edit| !is_document(&edit.path));
    let first = own.iter().find(|(_, deed)| code(deed)).map(|(at, _)| *at);
    let last = own.iter().rev().find(|(_, deed)| code(deed)).map(|(at, _)| *at);
    if met.is_empty() {
        return Some("no call does it".to_owned());
    }
    let (Some(first), Some(last)) = (first, last) else { return None };
    let before = met.iter().any(|at| *at <= first);
    let behind = met.iter().any(|at| *at >= last);
    match order {
        Order::First | Order::Both if !before => Some("no call does it before the first edit".to_owned()),
        Order::Last | Order::Both if !behind => Some("no call does it behind the last edit".to_owned()),
        _ => None,
    }
}

impl Ban {
    /// Whether it forbids a change: what only looks cannot break it.
    #[must_use]
    pub fn forbids_change(&self) -> bool {
        let may_look =
            matches!(self.action, Action::Read | Action::Run | Action::Program(_) | Action::Network | Action::Named(_));
        self.demand.is_none() && !may_look
    }

    /// The turn of a call that does what is demanded, where that is plain: something is committed or pushed.
    #[must_use]
    pub fn met_in(&self, deeds: &[Deed]) -> Option<usize> {
        let plain = self.demand.is_some() && matches!(self.action, Action::Commit | Action::Push);
        let own = deeds.iter().filter(|deed| plain && deed.turn > self.turn && deed.ok == Some(true));
        own.filter(|deed| meets(self, deed)).map(|deed| deed.turn).next()
    }
}

/// Whether a call does what is demanded.
fn meets(ban: &Ban, deed: &Deed) -> bool {
    let object = &ban.object;
    match &ban.action {
        Action::Commit => deed.commands.iter().any(|(command, _)| vcs::commits(command)),
        Action::Push => deed.commands.iter().any(|(command, _)| vcs::pushes(command)),
        Action::Edit => deed.edits.iter().any(|edit| object.covers(&edit.path)) || names_one(object, deed),
        _ => {
            let purposes =
                [(Kind::Tests, Purpose::Test), (Kind::Linter, Purpose::Lint), (Kind::Types, Purpose::TypeCheck)];
            let checks = purposes.iter().any(|(kind, purpose)| {
                object.has(*kind) && (deed.runs(*purpose).next().is_some() || is_check(deed, *purpose))
            });
            let lines = object.items.iter().any(|item| {
                !item.codes.is_empty()
                    && deed
                        .commands
                        .iter()
                        .any(|(command, _)| !is_dry(command) && programs::is_line(&item.codes, command))
            });
            checks || lines
        }
    }
}

/// Whether a command that does more than look names a file that is meant.
fn names_one(object: &Object, deed: &Deed) -> bool {
    deed.commands.iter().any(|(command, _)| {
        !found::only_looks(command) && git_call(command).is_none() && command.arguments().any(|it| object.covers(it))
    })
}

/// Whether a call may do what is demanded by another name: `make check` runs tests and linters alike.
fn is_check(deed: &Deed, purpose: Purpose) -> bool {
    let names: &[&str] = match purpose {
        Purpose::Test => &["test", "check", "verify", "ci"],
        Purpose::Lint => &["lint", "check", "verify", "ci", "pre-commit"],
        _ => &["build", "check", "verify", "ci"],
    };
    const RUNNERS: &[&str] = &[
        "make", "just", "npm", "pnpm", "yarn", "task", "rake", "nox", "tox", "gradle", "gradlew", "mvn", "mvnw",
        "bazel", "nx", "turbo", "composer", "sbt",
    ];
    deed.commands.iter().any(|(command, _)| {
        let script = command
            .words
            .iter()
            .take(4)
            .any(|word| word.split([':', '-', '_', '.', '/']).any(|part| names.contains(&part)));
        let runner = RUNNERS.contains(&command.program())
            || command.words.first().is_some_and(|it| it.starts_with("./") || it.ends_with(".sh"));
        // What installs is no check: `npm ci`.
        script && runner && !command.has("--collect-only") && !packages::installs(command)
    })
}

#[cfg(test)]
mod tests;
