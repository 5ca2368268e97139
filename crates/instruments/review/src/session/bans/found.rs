//! What is asked of every command: whether it ran, and whether it only looks.

use steadfast_session::shell::Command;

use super::super::deeds::Deed;

/// The first command that does it and that ran for all that is known.
pub(super) fn found(deed: &Deed, test: &dyn Fn(&Command) -> bool) -> Option<String> {
    let own = deed.commands.iter().enumerate().find(|(at, (command, _))| test(command) && deed.may_have_run(*at));
    own.map(|(_, (command, _))| format!("it runs `{}`", command.line().chars().take(160).collect::<String>()))
}

/// Whether a command changes nothing, whatever its arguments are.
pub(in crate::session) fn looks(command: &Command) -> bool {
    let program = command.program();
    let listed = [
        "cat", "grep", "rg", "ls", "echo", "printf", "head", "tail", "less", "wc", "jq", "diff", "stat", "file",
        "which", "type", "man", "test", "true", "sort", "uniq", "cut", "tr", "cd",
    ];
    listed.contains(&program)
}

/// Whether what a command does to its arguments is told by its effects alone.
pub(super) fn only_looks(command: &Command) -> bool {
    let by_effect = ["find", "vim", "awk", "sed", "mkdir", "touch", "cp", "mv", "rm"];
    looks(command) || by_effect.contains(&command.program())
}
