//! Whether a command speaks of what an instruction names: its branch, its folder, its system.

use steadfast_session::effects::git_call;
use steadfast_session::shell::Command;

use super::super::vcs;
use super::action::Action;
use super::history::History;
use super::kinds::Kind;
use super::object::{Item, Object, has_component};
use super::systems::is_production;

/// An object without the nouns that its action has anyway: "switch branches", "amend existing commits", "restart the service".
pub(super) fn without_own_nouns(action: &Action, object: &Object) -> Object {
    let own: &[&str] = match action {
        Action::Branch | Action::Switch => &["branch"],
        Action::Rewrite => &["commit", "histori"],
        Action::Publish => &["releas", "version", "tag"],
        Action::Restart => &["servic", "server", "process", "pod", "app", "contain", "daemon", "deploy", "host"],
        Action::OpenRequest => &["pull", "request", "pr", "mr"],
        Action::Push | Action::Commit | Action::ForcePush => &["commit", "code", "remot", "histori", "origin"],
        Action::Merge => &["pull", "request", "branch", "pr"],
        // Their nouns are kinds, which go below.
        Action::Migrate => &[],
        Action::Discard => &["work", "local", "uncommit", "chang"],
        _ => return object.clone(),
    };
    let mut out = object.clone();
    for item in &mut out.items {
        item.words.retain(|it| !own.contains(&it.as_str()));
        item.place.retain(|it| !own.contains(&it.as_str()));
        item.kinds.retain(|it| *action != Action::Migrate || !matches!(it, Kind::Data | Kind::Schema));
    }
    out.items.retain(|item| !item.is_any());
    out
}

/// Whether a command speaks of what an instruction names. Kinds that its action has already told apart say nothing more.
pub(super) fn meets(object: &Object, command: &Command, all: &History<'_>, at: usize) -> bool {
    if object.except.iter().any(|item| speaks_of(item, command, all, at)) {
        return false;
    }
    object.is_any() || object.items.iter().any(|item| speaks_of(item, command, all, at))
}

fn speaks_of(item: &Item, command: &Command, all: &History<'_>, at: usize) -> bool {
    let input = command.input.as_deref().unwrap_or_default();
    let places = || {
        command
            .words
            .iter()
            .chain(&command.env)
            .map(String::as_str)
            .chain(command.directory.as_deref())
            .chain(input.split_whitespace())
            .take(2_000)
    };
    let names = |wanted: &str| {
        places().any(|text| {
            text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')
                .any(|part| !part.is_empty() && has_component(part, wanted))
        })
    };
    // A push goes to the branch that it names, everything else to the one that the session stands on.
    let branch = |wanted: &str| {
        git_call(command).is_some()
            && match vcs::pushed_to(command).filter(|it| *it != "HEAD") {
                Some(to) => to == wanted,
                None => all.branch(at) == Some(wanted),
            }
    };
    let is_branch = |name: &str| matches!(name, "main" | "master" | "develop" | "trunk");
    let kind = |kind: &Kind| match kind {
        Kind::Production => is_production(command, all, at),
        Kind::Dependencies | Kind::Data | Kind::Migrations | Kind::Hooks | Kind::Network => true,
        _ => places().any(|text| kind.covers(text)),
    };
    !item.part
        && item.words.iter().chain(&item.place).all(|it| if is_branch(it) { branch(it) } else { names(it) })
        && item.codes.iter().all(|it| places().any(|text| text.contains(it.as_str())))
        && (item.paths.is_empty()
            || item.paths.iter().any(|path| places().any(|text| text.contains(path.trim_end_matches(['/', '*'])))))
        && item.kinds.iter().all(kind)
}
