//! Whether a command is the one that an instruction names: a program, a subcommand, a script, a line in code.

use steadfast_session::effects::is_dry;
use steadfast_session::purpose::Purpose;
use steadfast_session::shell::Command;

use super::super::deeds::Deed;
use super::found::{found, only_looks};
use super::kinds::Kind;
use super::object::{Object, has_component};

/// Whether a command is the one that is named: tests, a script, words in code.
pub(super) fn runs(object: &Object, command: &Command) -> bool {
    if only_looks(command) || is_dry(command) {
        return false;
    }
    object.items.iter().any(|item| {
        if item.is_any() || item.part {
            return false;
        }
        let purpose = |kind: &Kind| match kind {
            Kind::Tests => is_for(command, Purpose::Test),
            Kind::Linter => is_for(command, Purpose::Lint),
            Kind::Types => is_for(command, Purpose::TypeCheck),
            Kind::Build => is_for(command, Purpose::Build),
            _ => false,
        };
        // What is run: the program, the script of an interpreter, a module.
        let own = steadfast_session::purpose::invocation(command);
        let interprets = matches!(
            own.tool,
            "python"
                | "python3"
                | "node"
                | "ruby"
                | "bash"
                | "sh"
                | "php"
                | "perl"
                | "deno"
                | "tsx"
                | "ts-node"
                | "go"
                | "cargo"
                | "make"
                | "just"
                | "task"
                | "rake"
                | "bin/rails"
                | "rails"
                | "npm"
                | "pnpm"
                | "yarn"
                | "bun"
                | "dbt"
                | "manage.py"
        );
        let run: Vec<&str> = std::iter::once(own.tool)
            .chain(own.script)
            .chain(
                own.arguments
                    .iter()
                    .copied()
                    .filter(|it| !it.starts_with('-') && !matches!(*it, "run"))
                    .take(usize::from(interprets)),
            )
            .collect();
        let names = |wanted: &str| run.iter().any(|own| has_component(own, wanted)) && !is_for(command, Purpose::Test);
        let codes = item.codes.is_empty() || is_line(&item.codes, command);
        codes
            && item.kinds.iter().all(purpose)
            && item.words.iter().all(|it| names(it))
            && item.paths.iter().all(|path| run.iter().any(|own| own.ends_with(path.trim_start_matches("./"))))
    })
}

/// Whether the words of a command line that the user wrote stand in a command, in their order.
pub(super) fn is_line(codes: &[String], command: &Command) -> bool {
    let mut rest = command.words.iter();
    codes.iter().all(|code| {
        let plain = code.trim_matches('`');
        rest.any(|word| {
            word == plain || word.rsplit('/').next() == Some(plain) || word.ends_with(plain) && plain.contains('/')
        })
    })
}

fn is_for(command: &Command, purpose: Purpose) -> bool {
    steadfast_session::purpose::purposes(command).contains(&purpose)
}

pub(super) fn program(deed: &Deed, name: &str) -> Option<String> {
    if name == "sudo" {
        let own = deed.line.as_deref().filter(|line| {
            line.split(|c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | '(')).any(|it| it == "sudo")
        })?;
        return deed.commands.first().map(|_| format!("`{}` uses sudo", own.chars().take(120).collect::<String>()));
    }
    let looks = |command: &Command| {
        matches!(
            command.words.get(1).map(String::as_str),
            None | Some(
                "--version"
                    | "-v"
                    | "-V"
                    | "--help"
                    | "help"
                    | "config"
                    | "view"
                    | "info"
                    | "ls"
                    | "list"
                    | "why"
                    | "root"
                    | "prefix"
                    | "bin"
                    | "outdated"
            )
        )
    };
    let is = |command: &Command| {
        let own = command.program();
        let same = own == name
            || (name == "docker" && own == "docker-compose")
            || (name == "pip" && own == "pip3")
            || (name == "maven" && matches!(own, "mvn" | "mvnw"));
        let module = matches!(own, "python" | "python3") && command.has("-m") && command.has(name);
        (same || module) && !looks(command)
    };
    found(deed, &is)
}

/// Whether a program is asked for a subcommand, or a script is called by that name.
pub(super) fn subcommand(command: &Command, name: &str) -> bool {
    if only_looks(command) || command.program() == "git" && name != "stash" || is_dry(command) {
        return false;
    }
    command.words.iter().take(5).enumerate().any(|(at, word)| {
        let last = word.rsplit('/').next().unwrap_or(word);
        let stem = last.split('.').next().unwrap_or(last);
        !word.starts_with('-')
            && (word == name
                || (at < 2 && stem == name)
                || (at > 0 && word.split(':').any(|it| it == name) && !word.contains('/')))
    })
}
