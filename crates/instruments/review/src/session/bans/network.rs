//! Whether a call fetches something from elsewhere.

use std::cell::OnceCell;

use steadfast_session::effects::git_call;
use steadfast_session::shell::Command;

use super::super::deeds::Deed;

fn is_local(word: &str) -> bool {
    ["localhost", "127.0.0.1", "0.0.0.0", "[::1]", "host.docker.internal", "unix:", ".local", ".test", ".internal"]
        .iter()
        .any(|it| word.contains(it))
}

/// Words that a package manager prints when it fetches.
const FETCHED: &[&str] = &[
    "downloading",
    "downloaded",
    "added ",
    "fetching",
    "collecting",
    "receiving objects",
    "get:1",
    "pulling",
    "resolving deltas",
    "installed ",
];

pub(super) fn fetches(deed: &Deed) -> Option<String> {
    let web = matches!(deed.tool.as_str(), "WebFetch" | "WebSearch" | "web_search" | "web_fetch" | "google_web_search");
    if web || (!deed.urls.is_empty() && deed.line.is_none() && !deed.urls.iter().all(|it| is_local(it))) {
        return Some("it opens an address on the network".to_owned());
    }
    let printed = OnceCell::new();
    let seen = || {
        *printed.get_or_init(|| {
            let low = deed.output.to_lowercase();
            FETCHED.iter().any(|it| low.contains(it))
        })
    };
    deed.commands.iter().enumerate().find_map(|(at, (command, _))| {
        if !deed.may_have_run(at) && !seen() {
            return None;
        }
        let offline = command
            .env
            .iter()
            .any(|it| matches!(it.as_str(), "GOPROXY=off" | "GOFLAGS=-mod=vendor" | "CARGO_NET_OFFLINE=true"))
            || ["--offline", "--no-index", "-mod=vendor", "--dry-run"].iter().any(|it| command.has(it));
        (!offline && of_command(command, &seen))
            .then(|| format!("`{}` uses the network", command.line().chars().take(120).collect::<String>()))
    })
}

fn of_command(command: &Command, seen: &dyn Fn() -> bool) -> bool {
    let args: Vec<&str> = command.arguments().collect();
    let first = args.iter().find(|it| !it.starts_with('-')).copied().unwrap_or_default();
    match command.program() {
        "curl" | "wget" | "http" | "httpie" | "aria2c" => {
            args.iter().any(|it| it.contains('.') && !it.starts_with('-') && !is_local(it))
                && !args.iter().any(|it| is_local(it))
        }
        "ping" | "dig" | "nslookup" | "nc" | "telnet" | "ssh" | "scp" | "rsync" | "ftp" => {
            args.iter().any(|it| !it.starts_with('-') && !is_local(it))
                && (command.program() != "rsync" || args.iter().any(|it| it.contains(':')))
        }
        "git" => matches!(git_call(command), Some(("fetch" | "pull" | "push" | "clone" | "ls-remote", _))),
        "npm" | "pnpm" | "yarn" | "bun" => matches!(first, "install" | "i" | "ci" | "add" | "update") && seen(),
        "pip" | "pip3" | "poetry" | "uv" | "pipenv" | "gem" | "composer" | "bundle" => {
            matches!(first, "install" | "add" | "sync" | "download" | "update") && seen()
        }
        "go" => {
            matches!(
                (first, args.get(1).copied().unwrap_or_default()),
                ("get" | "install", _) | ("mod", "tidy" | "download")
            ) && seen()
        }
        "cargo" => matches!(first, "install" | "add" | "update" | "fetch") && seen(),
        "apt" | "apt-get" | "brew" | "apk" | "dnf" | "yum" => matches!(first, "install" | "update" | "upgrade"),
        "python" | "python3" | "node" | "ruby" | "perl" | "deno" => {
            let inline = args.iter().skip_while(|it| !matches!(**it, "-c" | "-e")).nth(1).copied();
            command.input.as_deref().or(inline).is_some_and(|script| {
                [
                    "urlopen(",
                    "urllib.request",
                    "requests.",
                    "httpx.",
                    "fetch(",
                    "axios",
                    "http.get",
                    "https.get",
                    "Net::HTTP",
                ]
                .iter()
                .any(|it| script.contains(it))
                    && script
                        .split(['"', '\'', '`', ' ', '('])
                        .any(|it| it.starts_with("http") && it.contains("://") && !is_local(it))
            })
        }
        "docker" | "podman" => first == "pull",
        "gh" | "glab" | "aws" | "gcloud" | "az" => !args.is_empty() && !command.has("--help"),
        _ => false,
    }
}
