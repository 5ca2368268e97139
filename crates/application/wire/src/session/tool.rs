//! What a call of a tool means, by its name and its arguments.

use serde_json::{Map, Value};
use steadfast_session::diff::patch;
use steadfast_session::{Call, Edit, Outcome};

/// Names under which tools take a command line.
const COMMANDS: &[&str] = &["command", "cmd", "code_command"];

/// Parts of the names of tools whose `script` is one of a shell. Other tools run scripts in languages of their own.
const SHELLS: &[&str] = &["bash", "shell", "terminal", "command"];

/// Names under which they take a file.
const FILES: &[&str] = &[
    "file_path",
    "filePath",
    "absolute_path",
    "notebook_path",
    "path",
    "filename",
    "file",
    "target_file",
    "paths",
    "files",
    "uri",
    "dir_path",
    "directory",
];

/// A call. `arguments` may be an object, or the text of one.
pub(super) fn call(id: Option<&str>, tool: &str, arguments: &Value) -> Call {
    let parsed = arguments.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let given = parsed.as_ref().filter(|it| it.is_object()).unwrap_or(arguments);
    let empty = Map::new();
    let own = given.as_object().unwrap_or(&empty);
    let low = tool.to_ascii_lowercase();
    let mut out = Call {
        id: id.map(str::to_owned),
        tool: tool.to_owned(),
        arguments: match arguments {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            value => value.to_string(),
        },
        ..Call::default()
    };
    // Editors whose command says what they do.
    let verb = own.get("command").and_then(Value::as_str);
    let edits_by_verb =
        matches!(verb, Some("view" | "create" | "str_replace" | "insert" | "undo_edit")) && own.contains_key("path");
    if !edits_by_verb {
        let script = own.get("script").filter(|_| SHELLS.iter().any(|name| low.contains(name)));
        out.command = COMMANDS.iter().find_map(|name| own.get(*name)).or(script).and_then(command_line);
    }
    out.directory = ["workdir", "cwd", "directory", "dir_path"]
        .iter()
        .find_map(|name| own.get(*name))
        .and_then(Value::as_str)
        .filter(|_| out.command.is_some())
        .map(str::to_owned);
    if out.command.is_none() {
        out.files = FILES.iter().filter_map(|name| own.get(*name)).flat_map(strings).collect();
    }
    out.urls = ["url", "urls"].iter().filter_map(|name| own.get(*name)).flat_map(strings).collect();
    let file = out.files.first().cloned();
    let member = |names: &[&str]| names.iter().find_map(|name| own.get(*name)).and_then(Value::as_str);
    let raw = arguments.as_str().unwrap_or_default();
    if let Some(text) =
        member(&["input", "patch", "diff"]).into_iter().chain([raw]).find(|it| it.contains("*** Begin Patch"))
    {
        out.edits = patch(text);
    } else if let Some(path) = file.filter(|_| out.command.is_none()) {
        let (old, new) = (
            member(&["old_string", "old_str", "oldString", "old_text"]),
            member(&["new_string", "new_str", "newString", "new_text", "insert_line_text"]),
        );
        if let Some(Value::Array(edits)) = own.get("edits") {
            for edit in edits {
                let text = |names: [&str; 2]| names.iter().find_map(|name| edit.get(*name)).and_then(Value::as_str);
                if let (Some(old), Some(new)) = (text(["old_string", "oldText"]), text(["new_string", "newText"])) {
                    out.edits.push(Edit::replaced(&path, old, new));
                }
            }
        } else if let (Some(old), Some(new)) = (old, new.or_else(|| old.map(|_| ""))) {
            out.edits.push(Edit::replaced(&path, old, new));
        } else if verb == Some("insert") || (new.is_some() && own.contains_key("insert_line")) {
            out.edits.push(Edit::replaced(&path, "", new.unwrap_or_default()));
        } else if let Some(text) = member(&["content", "file_text", "contents", "new_source", "code_edit"])
            .filter(|_| writes(&low) || verb == Some("create"))
        {
            out.edits.push(Edit::written(&path, text));
        }
    }
    out.reads_only = out.command.is_none() && out.edits.is_empty() && (verb == Some("view") || reads(&low));
    out
}

/// A command line: a text, or a list of words.
fn command_line(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            // `["bash", "-lc", "…"]` is its script.
            if let [shell, option, script] = words.as_slice()
                && (shell.ends_with("sh") || shell.ends_with("sh.exe"))
                && option.starts_with('-')
                && option.contains('c')
            {
                return Some((*script).to_owned());
            }
            let quoted = words.iter().map(|word| {
                let plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./:=@%+,".contains(c));
                if plain { (*word).to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
            });
            Some(quoted.collect::<Vec<_>>().join(" "))
        }
        _ => None,
    }
}

fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(all) => all.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn writes(low: &str) -> bool {
    ["write", "create", "save", "notebookedit", "edit"].iter().any(|it| low.contains(it))
}

fn reads(low: &str) -> bool {
    ["read", "grep", "glob", "search", "list", "ls", "view", "find", "open", "fetch", "think", "todo", "plan", "get"]
        .iter()
        .any(|it| low.contains(it))
}

/// A command line that a tool runs without arguments of its own.
pub(super) fn command(id: Option<&str>, tool: &str, line: &str) -> Call {
    Call {
        id: id.map(str::to_owned),
        tool: tool.to_owned(),
        arguments: line.to_owned(),
        command: Some(line.to_owned()),
        ..Call::default()
    }
}

/// The exit status that a text of a result names, as the common programs write it.
pub(super) fn exit_in(text: &str) -> Option<i64> {
    let head = text.trim_start();
    let number = |rest: &str| {
        let rest = rest.trim_start_matches([':', ' ']);
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
        rest[..end].parse::<i64>().ok()
    };
    for prefix in ["Exit code", "Error: Exit code", "<returncode>", "exit code", "Process exited with code"] {
        if let Some(rest) = head.strip_prefix(prefix) {
            return number(rest);
        }
    }
    // At the end, or between other lines of a header.
    let lines = head.lines().take(6).chain(head.lines().rev().take(8));
    lines.map(str::trim).find_map(|line| {
        let line = line.trim_start_matches('[').trim_end_matches(']');
        [
            "Exit Code:",
            "Exit code:",
            "exit code:",
            "<exited with exit code",
            "Process exited with code",
            "The command completed with exit code",
            "Command finished with exit code",
            "Command exited with code",
        ]
        .iter()
        .find_map(|prefix| line.strip_prefix(prefix).and_then(number))
    })
}

/// What a text gives back, with the status that it names.
pub(super) fn outcome(text: String, error: bool) -> Outcome {
    let exit = exit_in(&text);
    let truncated = is_cut(&text);
    Outcome { text, exit, error, truncated }
}

/// Whether a text says that it is not all there is.
pub(super) fn is_cut(text: &str) -> bool {
    [
        "[truncated",
        "... [",
        "<persisted-output>",
        "Output too large",
        "output truncated",
        "[... ",
        "(Results are truncated",
        "chars elided",
        "chars omitted",
        "lines truncated",
        "tokens truncated",
    ]
    .iter()
    .any(|it| text.contains(it))
}
