//! Whether a call does what an instruction names: each effect of a call is read once, and instructions look at effects.

use steadfast_session::effects::git_verb;
use steadfast_session::shell::Command;

use super::super::deeds::Deed;
use super::action::{Action, Ban};
use super::files::{creates, deletes, edits, puts, reads, skips_tests};
use super::found::{dry, found};
use super::network::fetches;
use super::object::Object;
use super::packages::{dependency, globally, installs, upgrades};
use super::programs::{program, runs, subcommand};
use super::scope::{meets, without_own_nouns};
use super::systems::{drops, migrates, restarts, sends};
use super::vcs;

/// Why a call does it; `None` where it does not, or nobody can tell. `at` is its place among all of them.
pub(super) fn does(ban: &Ban, all: &[Deed], at: usize) -> Option<String> {
    let deed = &all[at];
    let object = &ban.object;
    // A command counts where what the user says of it stands in it.
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
        Action::Rename => command(&|it| it.program() == "mv" || it.program() == "git" && git_verb(it) == Some("mv")),
        Action::Format => found(deed, &|it| {
            steadfast_session::effects::is_formatter(it) && (object.is_any() || meets(object, it, all, at))
        }),
        Action::Read => reads(object, deed),
        Action::Put => puts(object, deed),
        Action::SkipTests => skips_tests(deed),
        // What a wrapper runs shows in what it printed.
        Action::Run => found(deed, &|it| runs(object, it)).or_else(|| {
            let applies = object.items.iter().any(|item| item.codes == ["terraform", "apply"]);
            (applies && deed.line.is_some() && deed.output.contains("Apply complete! Resources"))
                .then(|| "what it printed is of `terraform apply`".to_owned())
        }),
        Action::Program(name) => program(deed, name),
        Action::Named(name) => command(&|it| subcommand(it, name) && !dry(it)),
    }
}

/// A command of a chain that failed, which its own words in the output show to have run.
fn printed(deed: &Deed, test: &dyn Fn(&Command) -> bool, words: &[&str]) -> Option<String> {
    let low = deed.output.to_lowercase();
    let own =
        deed.commands.iter().find(|(command, _)| test(command)).filter(|_| words.iter().any(|it| low.contains(*it)));
    own.map(|(command, _)| format!("it ran `{}`", command.line().chars().take(160).collect::<String>()))
}

fn global(object: &Object) -> bool {
    object.items.iter().any(|item| {
        item.words
            .iter()
            .chain(&item.place)
            .any(|it| matches!(it.as_str(), "global" | "system" | "systemwid" | "system-wid" | "host"))
    })
}
