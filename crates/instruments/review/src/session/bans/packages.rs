//! What adds, changes and installs dependencies.

use steadfast_session::Change;
use steadfast_session::effects::is_dry;
use steadfast_session::purpose::invocation;
use steadfast_session::shell::Command;

use super::super::deeds::Deed;
use super::found::found;
use super::history::History;
use super::kinds::{Kind, is_manifest};
use super::object::Object;

pub(super) fn installs(command: &Command) -> bool {
    let own = invocation(command);
    let first = own.arguments.iter().find(|it| !it.starts_with('-')).copied().unwrap_or_default();
    if is_dry(command) {
        return false;
    }
    match own.tool {
        "pip" | "pip3" | "uv" | "poetry" | "gem" | "cargo" | "go" | "brew" | "apt" | "apt-get" | "apk" | "dnf"
        | "yum" | "conda" | "bundle" | "composer" | "pipx" => {
            matches!(first, "install" | "add" | "get") || first == "pip" && own.arguments.contains(&"install")
        }
        "npm" | "pnpm" | "yarn" | "bun" => matches!(first, "install" | "i" | "ci" | "add"),
        _ => false,
    }
}

/// The name of what a line of a manifest depends on.
pub(super) fn depends(path: &str, line: &str) -> Option<String> {
    let text = line.trim().trim_end_matches(',');
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_name =
        |it: &str| !it.is_empty() && it.len() < 80 && it.chars().all(|c| c.is_alphanumeric() || "-_./@".contains(c));
    let is_version = |it: &str| {
        it.trim()
            .trim_matches('"')
            .trim_start_matches(['^', '~', '>', '<', '=', ' ', 'v', '*'])
            .starts_with(|c: char| c.is_ascii_digit())
            || matches!(it.trim().trim_matches('"'), "*" | "latest" | "workspace:*")
            || it.trim_start().starts_with('{')
    };
    let own = match name {
        "package.json" | "composer.json" => {
            let (key, value) = text.split_once(':')?;
            let key = key.trim().strip_prefix('"')?.strip_suffix('"')?;
            (is_version(value) && !matches!(key, "version" | "node" | "npm" | "engines" | "php" | "pnpm"))
                .then(|| key.to_owned())?
        }
        "pom.xml" => text.strip_prefix("<artifactId>")?.split('<').next()?.to_owned(),
        "go.mod" => {
            let text = text.strip_prefix("require ").unwrap_or(text);
            let (module, version) = text.split_once(' ')?;
            (module.contains('.') && version.starts_with('v') && !version.contains("// indirect"))
                .then(|| module.to_owned())?
        }
        "Gemfile" => text.strip_prefix("gem ")?.trim_matches(['"', '\'']).split(['"', '\'']).next()?.to_owned(),
        "mix.exs" => text.strip_prefix("{:")?.split(',').next()?.to_owned(),
        _ if name.starts_with("build.gradle") => {
            ["implementation", "api", "testImplementation", "runtimeOnly", "compileOnly", "kapt"]
                .iter()
                .find_map(|it| text.strip_prefix(it))?
                .trim_matches(|c: char| !c.is_alphanumeric())
                .split(['"', '\''])
                .next()?
                .to_owned()
        }
        _ if name.ends_with(".csproj") => {
            text.split("PackageReference Include=\"").nth(1)?.split('"').next()?.to_owned()
        }
        _ if name.starts_with("requirements") => text
            .split(['=', '>', '<', '~', '[', ';', ' ', '#'])
            .next()
            .filter(|it| is_name(it) && !it.starts_with('-'))?
            .to_owned(),
        "pyproject.toml" | "Cargo.toml" | "Pipfile" => match text.split_once('=') {
            Some((key, value))
                if is_name(key.trim().trim_matches('"'))
                    && is_version(value)
                    && !matches!(
                        key.trim(),
                        "version"
                            | "edition"
                            | "rust-version"
                            | "python"
                            | "requires-python"
                            | "python_version"
                            | "python_full_version"
                            | "line-length"
                            | "target-version"
                            | "timeout"
                            | "authors"
                    ) =>
            {
                key.trim().trim_matches('"').to_owned()
            }
            // An element of a list: "tenacity>=8".
            _ if text.starts_with('"') && text.ends_with('"') => text
                .trim_matches('"')
                .split(['=', '>', '<', '~', '[', ';', ' ', '!'])
                .next()
                .filter(|it| is_name(it) && text.len() > it.len() + 2)?
                .to_owned(),
            _ => return None,
        },
        _ => return None,
    };
    is_name(&own).then_some(own)
}

pub(super) fn dependency(deed: &Deed, all: &History<'_>) -> Option<String> {
    for edit in deed.edits.iter().filter(|edit| is_manifest(&edit.path) && edit.change == Change::Changed) {
        // What another edit takes out is moved.
        let new = edit.added.iter().filter_map(|line| depends(&edit.path, line));
        if let Some(new) = new.into_iter().find(|it| !all.was_dropped(&edit.path, it)) {
            return Some(format!("`{new}` is added to {}", edit.path));
        }
    }
    // Commands that write into a manifest.
    found(deed, &|command| {
        let own = invocation(command);
        let named = own.arguments.iter().skip(1).any(|it| !it.starts_with('-'));
        let first = own.arguments.first().copied().unwrap_or_default();
        named
            && match own.tool {
                "npm" | "bun" => {
                    matches!(first, "install" | "i" | "add")
                        && !command.has("-g")
                        && !command.has("--no-save")
                        && !command.has("--prefix")
                }
                "pnpm" | "yarn" | "cargo" | "poetry" | "uv" | "pdm" | "pipenv" => {
                    first == "add" || own.tool == "pipenv" && first == "install"
                }
                "go" => first == "get",
                "composer" => first == "require",
                "dotnet" => first == "add" && command.has("package"),
                "bundle" => first == "add",
                _ => false,
            }
    })
}

/// Whether something is installed for the whole machine.
pub(super) fn globally(command: &Command) -> bool {
    let own = invocation(command);
    let first = own.arguments.iter().find(|it| !it.starts_with('-')).copied().unwrap_or_default();
    let installs = matches!(first, "install" | "add" | "i");
    !is_dry(command)
        && match own.tool {
            "apt" | "apt-get" | "apk" | "dnf" | "yum" | "brew" | "pacman" | "snap" | "port" => {
                installs || command.has("-S")
            }
            "npm" | "pnpm" | "bun" => installs && (command.has("-g") || command.has("--global")),
            "yarn" => first == "global",
            "cargo" | "gem" | "pipx" | "go" => installs,
            "pip" | "pip3" => installs && (command.has("--user") || command.has("--break-system-packages")),
            _ => false,
        }
}

/// Whether the version of a dependency changes: that of the one that is named, or of any.
pub(super) fn upgrades(deed: &Deed, object: &Object) -> Option<String> {
    let named: Vec<&String> = object
        .items
        .iter()
        .flat_map(|item| item.words.iter().chain(&item.codes))
        .filter(|it| it.as_str() != "version")
        .collect();
    let any = object.is_any() || object.has(Kind::Dependencies) && named.is_empty();
    if !any && named.is_empty() {
        return None;
    }
    let meant = |name: &str| {
        any || named.iter().any(|it| name.eq_ignore_ascii_case(it) || super::object::has_component(name, it))
    };
    for edit in deed.edits.iter().filter(|edit| is_manifest(&edit.path)) {
        let old: Vec<String> = edit.removed.iter().filter_map(|line| depends(&edit.path, line)).collect();
        if let Some(name) =
            edit.added.iter().filter_map(|line| depends(&edit.path, line)).find(|it| old.contains(it) && meant(it))
        {
            return Some(format!("the version of `{name}` is changed in {}", edit.path));
        }
    }
    found(deed, &|command| {
        let own = invocation(command);
        let first = own.arguments.first().copied().unwrap_or_default();
        let updates = match own.tool {
            "npm" | "pnpm" | "yarn" | "bun" => matches!(first, "update" | "upgrade" | "up"),
            "cargo" | "poetry" | "composer" | "bundle" | "mix" => matches!(first, "update" | "upgrade" | "deps.update"),
            "go" => first == "get" && command.has("-u"),
            "pip" | "pip3" | "uv" => command.has("-U") || command.has("--upgrade"),
            _ => false,
        };
        let installs = matches!((own.tool, first), ("npm" | "pnpm" | "yarn" | "bun", "install" | "i" | "add"));
        let names = own
            .arguments
            .iter()
            .skip(1)
            .any(|it| !it.starts_with('-') && meant(it.trim_start_matches('@').split('@').next().unwrap_or(it)));
        (updates && (any || names) || installs && !any && names) && !is_dry(command)
    })
}
