//! Command lines as a shell reads them, as far as telling which programs run needs it.
//!
//! `&&`, `||`, `;`, pipes, groups, quotes, here documents, substitutions, `bash -c`, assignments before a command and wrappers such as
//! `sudo` and `timeout 60` are read. Variables are not expanded. Reading is linear in the text for each level, and the levels are bounded.

mod lexer;

use lexer::{Operator, Token, tokens};

/// The longest script that is read, in bytes; a longer one is read up to there.
pub const SCRIPT_BYTES_MAX: usize = 64 * 1024;

/// How deep scripts within scripts are read.
pub const DEPTH_MAX: usize = 8;

/// The most commands that are read of one script.
pub const COMMANDS_MAX: usize = 1_000;

/// How a command follows the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// It stands first, or behind `;`, `&` or a line's end.
    Then,
    /// Only if the one before came through (`&&`).
    And,
    /// Only if the one before failed (`||`).
    Or,
    /// It reads what the one before writes.
    Pipe,
}

/// One simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Program and arguments without quotes; assignments and wrappers are taken off.
    pub words: Vec<String>,
    /// Assignments before it, as `NAME=value`.
    pub env: Vec<String>,
    /// Files that it writes by redirection.
    pub writes: Vec<String>,
    /// The folder that `cd` before it went into.
    pub directory: Option<String>,
    /// How it follows the one before.
    pub joined: Joined,
    /// How many scripts it stands in: 0 for the command line itself.
    pub depth: usize,
    /// What a here document gives it.
    pub input: Option<String>,
    /// Whether its output is taken into a word of another command.
    pub substituted: bool,
    /// Whether it runs on another machine (`ssh`).
    pub remote: bool,
}

impl Command {
    /// The program without its folder, and without `.exe`.
    #[must_use]
    pub fn program(&self) -> &str {
        program(self.words.first().map_or("", String::as_str))
    }

    /// The arguments.
    pub fn arguments(&self) -> impl Iterator<Item = &str> {
        self.words.iter().skip(1).map(String::as_str)
    }

    /// Whether one of its arguments is this.
    #[must_use]
    pub fn has(&self, argument: &str) -> bool {
        self.arguments().any(|it| it == argument)
    }

    /// Its words with a space between them.
    #[must_use]
    pub fn line(&self) -> String {
        self.words.join(" ")
    }
}

/// The name of a program without its folder.
#[must_use]
pub fn program(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").or_else(|| name.strip_suffix(".cmd")).unwrap_or(name)
}

/// The commands of a script, in their order.
#[must_use]
pub fn commands(script: &str) -> Vec<Command> {
    let mut out = Vec::new();
    read(script, 0, false, None, &mut out);
    out
}

fn read(script: &str, depth: usize, substituted: bool, directory: Option<&str>, out: &mut Vec<Command>) {
    if depth > DEPTH_MAX {
        return;
    }
    let mut end = script.len().min(SCRIPT_BYTES_MAX);
    while !script.is_char_boundary(end) {
        end -= 1;
    }
    let script = &script[..end];
    steadfast_steps::spend(script.len());
    let mut words: Vec<(String, bool)> = Vec::new();
    let mut writes = Vec::new();
    let mut input: Option<String> = None;
    let mut inner: Vec<String> = Vec::new();
    let mut joined = Joined::Then;
    let mut directory = directory.map(str::to_owned);
    // The folder is another one again behind a group.
    let mut before: Vec<Option<String>> = Vec::new();
    let mut all = tokens(script).into_iter().peekable();
    loop {
        let token = all.next();
        match token {
            Some(Token::Word { text, quoted, substitutions }) => {
                inner.extend(substitutions);
                words.push((text, quoted));
            }
            Some(Token::Write(path)) => writes.push(path),
            Some(Token::Input(text)) => input = Some(text),
            other => {
                for script in inner.drain(..) {
                    read(&script, depth + 1, true, directory.as_deref(), out);
                }
                let own = std::mem::take(&mut words);
                if let Some(mut command) = simple(own, &mut writes, input.take(), joined, depth, substituted) {
                    if out.len() >= COMMANDS_MAX {
                        return;
                    }
                    command.directory.clone_from(&directory);
                    directory = moved(&command).or(directory);
                    nested(command, depth, substituted, out);
                }
                writes.clear();
                match other {
                    Some(Token::Operator(Operator::Open)) => before.push(directory.clone()),
                    Some(Token::Operator(Operator::Close)) => {
                        if let Some(own) = before.pop() {
                            directory = own;
                        }
                    }
                    Some(Token::Operator(Operator::Join(own))) => joined = own,
                    _ => return,
                }
            }
        }
    }
}

/// Words of a script's grammar that may stand before a command.
const KEYWORDS: &[&str] =
    &["if", "then", "else", "elif", "while", "until", "do", "!", "{", "time", "fi", "done", "esac", "}"];

fn simple(
    words: Vec<(String, bool)>,
    writes: &mut Vec<String>,
    input: Option<String>,
    joined: Joined,
    depth: usize,
    substituted: bool,
) -> Option<Command> {
    let mut rest = words.into_iter().peekable();
    let mut env = Vec::new();
    loop {
        let (word, quoted) = rest.peek()?;
        if !*quoted && KEYWORDS.contains(&word.as_str()) {
            rest.next();
        } else if is_assignment(word) {
            env.extend(rest.next().map(|(word, _)| word));
            rest.peek()?;
        } else {
            break;
        }
    }
    let words: Vec<String> = rest.map(|(word, _)| word).collect();
    if matches!(words.first().map(String::as_str), Some("for" | "case" | "select" | "function" | "[" | "[[")) {
        return None;
    }
    let words = unwrapped(words, &mut env);
    let writes = std::mem::take(writes);
    (!words.is_empty()).then_some(Command {
        words,
        env,
        writes,
        directory: None,
        joined,
        depth,
        input,
        substituted,
        remote: false,
    })
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let name = name.strip_suffix('+').unwrap_or(name);
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Takes off programs that run another: `sudo`, `env`, `timeout 60`, `nice`, `xargs` and their like.
fn unwrapped(mut words: Vec<String>, env: &mut Vec<String>) -> Vec<String> {
    for _ in 0..DEPTH_MAX {
        // Options that take a word of their own.
        let valued: &[&str] = match words.first().map(|it| program(it)) {
            Some("sudo" | "doas") => &["-u", "-g", "-h", "-p", "-C"],
            Some("env") => &["-u", "-C", "-S"],
            Some("nice") => &["-n"],
            Some("timeout" | "gtimeout") => &["-s", "-k", "--signal", "--kill-after"],
            Some("xargs") => &["-n", "-P", "-I", "-L", "-d", "-a", "-s"],
            Some(
                "stdbuf" | "nohup" | "command" | "exec" | "builtin" | "setsid" | "ionice" | "catchsegv" | "unbuffer"
                | "rtk",
            ) => &["-c"],
            _ => return words,
        };
        let is_timeout = matches!(program(&words[0]), "timeout" | "gtimeout");
        if program(&words[0]) == "command" && words.get(1).is_some_and(|it| it.starts_with("-v") || it == "-V") {
            return words;
        }
        // `sudo -l` only says what may be run.
        if matches!(program(&words[0]), "sudo" | "doas")
            && words.get(1).is_some_and(|it| it.starts_with('-') && !it.starts_with("--") && it.contains('l'))
        {
            return words;
        }
        let mut at = 1;
        while let Some(word) = words.get(at) {
            if valued.contains(&word.as_str()) {
                at += 2;
            } else if word.starts_with('-') && word.len() > 1 {
                at += 1;
            } else if is_assignment(word) {
                env.push(word.clone());
                at += 1;
            } else {
                break;
            }
        }
        if is_timeout {
            at += 1;
        }
        if at >= words.len() {
            return words;
        }
        words.drain(..at);
    }
    words
}

/// Where `cd` leads.
fn moved(command: &Command) -> Option<String> {
    if !matches!(command.program(), "cd" | "pushd") {
        return None;
    }
    let to = command.arguments().find(|it| !it.starts_with('-'))?;
    let from = command.directory.as_deref().filter(|_| !to.starts_with(['/', '~', '$']));
    Some(match from {
        Some(from) => format!("{}/{to}", from.trim_end_matches('/')),
        None => to.to_owned(),
    })
}

const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "ash", "fish"];

/// Keeps a command, or what it runs where it is a shell that is handed a script. What `ssh` runs stands behind it.
fn nested(command: Command, depth: usize, substituted: bool, out: &mut Vec<Command>) {
    let directory = command.directory.clone();
    if command.program() == "ssh" {
        let script = remote(&command);
        out.push(command);
        let from = out.len();
        if let Some(script) = script {
            read(&script, depth + 1, substituted, None, out);
        }
        out[from..].iter_mut().for_each(|own| own.remote = true);
        return;
    }
    let joined = command.joined;
    let from = out.len();
    match script_of(&command) {
        Some(script) => {
            read(&script, depth + 1, substituted, directory.as_deref(), out);
            if let Some(first) = out.get_mut(from) {
                first.joined = joined;
            }
        }
        None => out.push(command),
    }
}

/// What `ssh` runs: its words behind the host, or what a here document gives it.
fn remote(command: &Command) -> Option<String> {
    let valued = ["-i", "-p", "-o", "-l", "-F", "-J", "-L", "-R", "-D", "-b", "-c", "-E", "-S", "-W"];
    let mut at = 1;
    while let Some(word) = command.words.get(at).filter(|it| it.starts_with('-')) {
        at += 1 + usize::from(valued.contains(&word.as_str()));
    }
    let words = command.words.get(at + 1..).unwrap_or_default();
    if words.is_empty() { command.input.clone() } else { Some(words.join(" ")) }
}

/// The script that a command hands to a shell.
fn script_of(command: &Command) -> Option<String> {
    let words = &command.words;
    let name = command.program();
    if name == "eval" {
        return Some(words[1..].join(" "));
    }
    let shell = match name {
        _ if SHELLS.contains(&name) => 0,
        "docker" | "podman" | "kubectl" | "docker-compose" | "nix" | "su" | "script" => {
            words.iter().position(|it| SHELLS.contains(&program(it)))?
        }
        _ => return None,
    };
    let behind = words.get(shell + 1..)?;
    for (at, word) in behind.iter().enumerate() {
        if word.starts_with('-') && !word.starts_with("--") && word.contains('c') {
            return behind.get(at + 1).cloned();
        }
        if !word.starts_with('-') && !matches!(word.as_str(), "pipefail" | "errexit") {
            return None;
        }
    }
    command.input.clone().filter(|_| shell == 0)
}

#[cfg(test)]
mod tests;
