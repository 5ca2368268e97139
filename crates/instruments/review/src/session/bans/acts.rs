//! Whether a call does what an instruction names: each effect of a call is read once, and instructions look at effects.

use steadfast_session::effects::{git_call, is_dry, is_formatter};
use steadfast_session::shell::Command;

use super::super::deeds::Deed;
use super::super::vcs;
use super::action::{Action, Ban};
use super::files::{creates, deletes, edits, puts, reads, skips_tests};
use super::found::found;
use super::history::History;
use super::network::fetches;
use super::object::Object;
use super::packages::{dependency, globally, installs, upgrades};
use super::programs::{program, runs, subcommand};
use super::scope::{meets, without_own_nouns};
use super::systems::{drops, migrates, restarts, sends};

/// Why a call does it; `None` where it does not, or nobody can tell. `at` is its place among all of them.
pub(super) fn does(ban: &Ban, all: &History<'_>, at: usize) -> Option<String> {
    let deed = all.deed(at);
    let object = &ban.object;
    // A command counts only where it meets the object: its branch, its folder, its system.
    let plain = without_own_nouns(&ban.action, object);
    let command = |test: &dyn Fn(&Command) -> bool| found(deed, &|it| test(it) && meets(&plain, it, all, at));
    match &ban.action {
        Action::Commit => command(&vcs::commits).or_else(|| {
            object.is_any().then(|| printed(deed, &vcs::commits, &["file changed", "files changed"])).flatten()
        }),
        Action::Push => command(&vcs::pushes),
        Action::ForcePush => command(&vcs::forces),
        Action::OpenRequest => command(&vcs::opens_request),
        Action::SkipHooks => found(deed, &vcs::skips_hooks),
        Action::Merge => command(&vcs::merges),
        Action::Rewrite => command(&vcs::rewrites),
        Action::Discard => command(&vcs::discards),
        Action::Branch => command(&vcs::branches),
        Action::Switch => command(&vcs::switches),
        Action::Publish => command(&vcs::publishes),
        Action::Deploy => command(&|it| subcommand(it, "deploy") || subcommand(it, "rollout")),
        Action::Depend => dependency(deed, all),
        Action::Upgrade => upgrades(deed, object),
        Action::Install if global(object) => found(deed, &globally),
        Action::Install => command(&installs),
        Action::Network => fetches(deed),
        Action::Drop => drops(deed),
        Action::Migrate => command(&migrates),
        Action::Restart => command(&restarts),
        Action::Send => sends(deed),
        Action::Edit => edits(object, all, at),
        Action::Create => creates(object, all, at),
        Action::Delete => deletes(object, all, at),
        Action::Rename => command(&|it| it.program() == "mv" || matches!(git_call(it), Some(("mv", _)))),
        Action::Format => found(deed, &|it| is_formatter(it) && (object.is_any() || meets(object, it, all, at))),
        Action::Read => reads(object, deed),
        Action::Put => puts(object, deed),
        Action::SkipTests => skips_tests(deed),
        Action::Run => found(deed, &|it| runs(object, it)),
        Action::Program(name) => program(deed, name),
        Action::Named(name) => command(&|it| subcommand(it, name) && !is_dry(it)),
    }
}

/// A command of a chain that failed, which its own words in the output show to have run.
fn printed(deed: &Deed, test: &dyn Fn(&Command) -> bool, words: &[&str]) -> Option<String> {
    let (own, _) = deed.commands.iter().find(|(command, _)| test(command))?;
    let low = deed.output.to_lowercase();
    words
        .iter()
        .any(|it| low.contains(*it))
        .then(|| format!("it ran `{}`", own.line().chars().take(160).collect::<String>()))
}

fn global(object: &Object) -> bool {
    object.items.iter().any(|item| {
        item.words
            .iter()
            .chain(&item.place)
            .any(|it| matches!(it.as_str(), "global" | "system" | "systemwid" | "system-wid" | "host"))
    })
}
