//! Whether a call does what is forbidden.

use steadfast_session::effects::git_verb;
use steadfast_session::purpose::{Purpose, invocation};
use steadfast_session::shell::Command;
use steadfast_session::{Change, Edit};

use super::super::deeds::{Deed, is_temporary, is_test_file};
use super::action::Action;
use super::network::fetches;
use super::paths::is_under;

/// Why a call does it; `None` where it does not, or nobody can tell. `at` is its place among all of them.
pub(super) fn does(action: &Action, deed: &Deed, all: &[Deed], at: usize) -> Option<String> {
    let command = |test: &dyn Fn(&Command) -> bool| found(deed, test);
    match action {
        Action::Commit => {
            command(&|it| commits(it)).or_else(|| printed(deed, &|it| commits(it), &["file changed", "files changed"]))
        }
        Action::Push(None) => command(&|it| pushes(it)),
        Action::Push(Some(branch)) => command(&|it| {
            pushes(it) && it.arguments().any(|own| own.trim_start_matches('+').rsplit(':').next() == Some(branch))
        })
        .or_else(|| {
            let arrow = format!("-> {branch}");
            printed(deed, &|it| pushes(it), &[arrow.as_str()])
        }),
        Action::ForcePush => command(&|it| {
            pushes(it)
                && it.arguments().any(|own| {
                    own == "-f"
                        || own.starts_with("--force")
                        || own == "--mirror"
                        || (own.starts_with('+') && own.len() > 1)
                        || (own.starts_with('-') && !own.starts_with("--") && own.contains('f'))
                })
        }),
        Action::OpenRequest => command(&|it| {
            let word = |place: usize| it.words.get(place).map_or("", String::as_str);
            matches!((it.program(), word(1), word(2)), ("gh", "pr", "create") | ("glab", "mr", "create"))
                || it.program() == "hub" && word(1) == "pull-request"
        }),
        Action::SkipHooks => command(&|it| {
            let no_verify = it.has("--no-verify")
                || it.env.iter().any(|own| {
                    own.starts_with("HUSKY=0") || own.starts_with("SKIP=") || own.starts_with("HUSKY_SKIP_HOOKS=")
                });
            let short = git_verb(it) == Some("commit")
                && it.arguments().any(|own| {
                    own.starts_with('-')
                        && !own.starts_with("--")
                        && own.len() < 6
                        && own.split('m').next().is_some_and(|head| head.contains('n'))
                });
            it.program() == "git"
                && matches!(git_verb(it), Some("commit" | "push" | "merge" | "rebase"))
                && (no_verify || short && !it.has("--dry-run"))
        }),
        // To take the main branch into one's own merges nothing of one's own.
        Action::Merge => command(&|it| {
            it.program() == "git" && git_verb(it) == Some("merge") && !it.has("--abort") && !takes_main(it)
                || it.program() == "gh" && it.has("merge") && !dry(it)
        }),
        Action::Rewrite => command(&|it| {
            it.program() == "git"
                && (git_verb(it) == Some("rebase") && !it.has("--abort")
                    || git_verb(it) == Some("commit") && it.has("--amend"))
        }),
        Action::Publish => command(&|it| {
            let first = it.words.get(1).map_or("", String::as_str);
            matches!(
                (it.program(), first),
                ("npm" | "pnpm" | "yarn" | "cargo" | "poetry" | "twine" | "gem", "publish" | "upload" | "push")
            ) || it.program() == "gh" && first == "release" && it.has("create")
                || it.program() == "git"
                    && git_verb(it) == Some("tag")
                    && it.words.len() > 2
                    && !it.has("-l")
                    && !it.has("--list")
        }),
        Action::Deploy => command(&|it| {
            it.words
                .iter()
                .take(4)
                .any(|own| matches!(own.as_str(), "deploy" | "rollout" | "deploy.sh" | "./deploy.sh"))
                && !it.has("--dry-run")
                && !matches!(
                    it.program(),
                    "cat" | "grep" | "rg" | "ls" | "git" | "head" | "sed" | "less" | "vim" | "find" | "echo"
                )
        }),
        Action::NewDependency => dependency(deed),
        Action::Install => command(&installs),
        Action::Network => fetches(deed),
        Action::Drop => sql(deed, &|text| text.contains("drop column") || text.contains("drop table")),
        Action::Migrate => command(&|it| migrates(it)),
        Action::Delete => deletes(deed, all, at),
        Action::Restart => command(&|it| restarts(it)),
        Action::Send => sends(deed),
        Action::Edit => edited(deed, &|edit| !is_temporary(&edit.path)),
        Action::EditPaths(paths) => edited(deed, &|edit| paths.iter().any(|path| is_under(path, &edit.path)))
            .or_else(|| swept(deed, all, at, &|path| paths.iter().any(|own| is_under(own, path)))),
        Action::EditTests => edited(deed, &|edit| is_test_file(&edit.path) && !is_temporary(&edit.path))
            .or_else(|| swept(deed, all, at, &is_test_file)),
        Action::EditBeside(paths) => {
            edited(deed, &|edit| !is_temporary(&edit.path) && !paths.iter().any(|path| is_under(path, &edit.path)))
        }
        Action::EditBesideTests => edited(deed, &|edit| !is_temporary(&edit.path) && !is_test_file(&edit.path)),
        Action::Create => edited(deed, &|edit| edit.change == Change::Created && !is_temporary(&edit.path)),
        Action::RunTests => deed.runs(Purpose::Test).next().map(|(own, _)| format!("`{}` runs tests", own.line())),
        Action::Program(name) => program(deed, name),
        Action::Production => command(&|it| production(it)),
    }
}

/// The first command that does it and that ran for all that is known.
fn found(deed: &Deed, test: &dyn Fn(&Command) -> bool) -> Option<String> {
    let own = deed.commands.iter().enumerate().find(|(at, (command, _))| test(command) && deed.may_have_run(*at));
    own.map(|(_, (command, _))| format!("it runs `{}`", command.line().chars().take(160).collect::<String>()))
}

/// A command of a chain that failed, which its own words in the output show to have run.
fn printed(deed: &Deed, test: &dyn Fn(&Command) -> bool, words: &[&str]) -> Option<String> {
    let low = deed.output.to_lowercase();
    let own =
        deed.commands.iter().find(|(command, _)| test(command)).filter(|_| words.iter().any(|it| low.contains(*it)));
    own.map(|(command, _)| format!("it ran `{}`", command.line().chars().take(160).collect::<String>()))
}

fn dry(command: &Command) -> bool {
    command.has("--dry-run") || command.has("--help") || command.has("-h")
}

fn commits(command: &Command) -> bool {
    command.program() == "git"
        && matches!(git_verb(command), Some("commit" | "cherry-pick" | "revert" | "am"))
        && !dry(command)
        && !command.has("--abort")
        && !command.has("--no-commit")
        && (!command.has("-n") || git_verb(command) == Some("commit"))
}

fn takes_main(command: &Command) -> bool {
    let branch = command
        .words
        .last()
        .map_or("", |word| word.strip_prefix("origin/").or(word.strip_prefix("upstream/")).unwrap_or(word));
    matches!(branch, "main" | "master" | "trunk" | "develop")
}

fn pushes(command: &Command) -> bool {
    command.program() == "git" && git_verb(command) == Some("push") && !dry(command) && !command.has("-n")
}

fn installs(command: &Command) -> bool {
    let own = invocation(command);
    let first = own.arguments.iter().find(|it| !it.starts_with('-')).copied().unwrap_or_default();
    if dry(command) {
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

/// Manifests that name the dependencies of a project, without their locks.
fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(
        name,
        "package.json"
            | "pyproject.toml"
            | "Cargo.toml"
            | "go.mod"
            | "Gemfile"
            | "pom.xml"
            | "build.gradle"
            | "build.gradle.kts"
            | "composer.json"
            | "mix.exs"
            | "setup.py"
            | "setup.cfg"
            | "Pipfile"
            | "build.sbt"
            | "pubspec.yaml"
            | "Package.swift"
            | "deps.edn"
            | "project.clj"
    ) || name.starts_with("requirements") && (name.ends_with(".txt") || name.ends_with(".in"))
        || name.ends_with(".csproj")
        || name.ends_with(".gemspec")
}

/// The name of what a line of a manifest depends on.
fn depends(path: &str, line: &str) -> Option<String> {
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

fn dependency(deed: &Deed) -> Option<String> {
    for edit in deed.edits.iter().filter(|edit| is_manifest(&edit.path) && edit.change == Change::Changed) {
        let old: Vec<String> = edit.removed.iter().filter_map(|line| depends(&edit.path, line)).collect();
        if let Some(new) = edit.added.iter().filter_map(|line| depends(&edit.path, line)).find(|it| !old.contains(it)) {
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

fn sql(deed: &Deed, test: &dyn Fn(&str) -> bool) -> Option<String> {
    let clean = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    found(deed, &|command| {
        let client = matches!(
            command.program(),
            "psql"
                | "mysql"
                | "sqlite3"
                | "mariadb"
                | "sqlcmd"
                | "clickhouse-client"
                | "duckdb"
                | "cockroach"
                | "snowsql"
                | "bq"
                | "rails"
                | "dbshell"
        );
        let text = clean(&format!("{} {}", command.line(), command.input.as_deref().unwrap_or_default()));
        client && test(&text) && !text.contains("rollback")
    })
}

fn migrates(command: &Command) -> bool {
    let has = |word: &str| command.words.iter().any(|it| it == word);
    let ends = |word: &str| command.words.iter().take(5).any(|it| it == word || it.ends_with(word));
    if dry(command)
        || has("--sql")
        || has("--plan")
        || has("--check")
        || matches!(command.program(), "cat" | "grep" | "rg" | "ls" | "echo" | "sed" | "git" | "find" | "head")
    {
        return false;
    }
    let alembic = ends("alembic") && (has("upgrade") || has("downgrade"));
    let django = ends("manage.py") && has("migrate");
    alembic
        || django
        || command
            .words
            .iter()
            .take(4)
            .any(|it| it.starts_with("db:migrate") || it.ends_with(":migrate") || it == "migrate:latest")
        || (ends("prisma") && has("migrate") && (has("dev") || has("deploy") || has("reset")))
        || (has("migrate")
            && (ends("flyway")
                || ends("sqlx")
                || ends("knex")
                || ends("sequelize")
                || ends("diesel")
                || ends("goose")
                || ends("dbmate")))
        || ends("artisan") && has("migrate")
        || (command.program() == "mix" && has("ecto.migrate"))
}

fn deletes(deed: &Deed, all: &[Deed], at: usize) -> Option<String> {
    let own = |path: &str| {
        is_temporary(path)
            || all[..at].iter().any(|before| {
                before.edits.iter().any(|edit| {
                    edit.change != Change::Deleted
                        && edit.path == path
                        && matches!(edit.change, Change::Created | Change::Written)
                })
            })
    };
    let edit = deed
        .edits
        .iter()
        .find(|edit| edit.change == Change::Deleted && !own(&edit.path) && !edit.path.starts_with('$'));
    // Files that are moved are no files that are gone.
    let moved = deed.commands.iter().any(|(command, _)| command.program() == "mv" || git_verb(command) == Some("mv"));
    if let Some(edit) = edit.filter(|_| !moved) {
        return Some(format!("{} is deleted", edit.path));
    }
    let temporary = |command: &Command| {
        command.arguments().any(is_temporary) || command.directory.as_deref().is_some_and(is_temporary)
    };
    found(deed, &|command| match command.program() {
        "find" => (command.has("-delete") || command.has("rm")) && !temporary(command),
        "git" => {
            git_verb(command) == Some("clean")
                && command.arguments().any(|it| it.starts_with('-') && it.contains('f'))
                && !dry(command)
                && !command.arguments().any(|it| it.starts_with('-') && !it.starts_with("--") && it.contains('n'))
        }
        "rm" | "unlink" => command.remote && !temporary(command),
        "kubectl" => {
            command.words.get(1).is_some_and(|it| it == "delete")
                && !command.arguments().any(|it| it.starts_with("--dry-run"))
        }
        "aws" => command.words.iter().any(|it| it == "rm" || it.starts_with("delete-")) && !command.has("--dryrun"),
        _ => false,
    })
    .or_else(|| {
        sql(deed, &|text| (text.contains("delete from") && !text.contains("explain")) || text.contains("truncate "))
    })
}

fn restarts(command: &Command) -> bool {
    let word = |place: usize| command.words.get(place).map_or("", String::as_str);
    let any = |names: &[&str]| command.words.iter().skip(1).any(|it| names.contains(&it.as_str()));
    match command.program() {
        "systemctl" | "supervisorctl" | "initctl" | "rc-service" | "brew" | "pm2" | "svc" | "launchctl" => {
            any(&["restart", "stop", "start", "reload", "kill", "signal", "try-restart"]) && !dry(command)
        }
        "service" => matches!(word(2), "restart" | "stop" | "start" | "reload"),
        "docker" | "docker-compose" | "podman" => {
            any(&["restart", "stop", "kill", "down"]) && !any(&["exec", "run", "build"])
        }
        "kubectl" => (any(&["rollout"]) && any(&["restart"])) || (word(1) == "delete" && any(&["pod", "pods"])),
        "reboot" | "shutdown" | "killall" | "pkill" => true,
        "kill" => !command.has("-0") && !command.has("-l") && word(1) != "-3" && word(1) != "-QUIT",
        _ => false,
    }
}

fn sends(deed: &Deed) -> Option<String> {
    let low = deed.tool.to_lowercase();
    if deed.line.is_none()
        && ["send", "post_message", "email", "notify"].iter().any(|it| low.contains(it))
        && !deed.reads_only
    {
        return Some(format!("the tool `{}` sends something", deed.tool));
    }
    found(deed, &|command| match command.program() {
        "mail" | "sendmail" | "mailx" | "mutt" | "msmtp" | "swaks" => true,
        "curl" => {
            let local = command.arguments().any(|it| it.contains("localhost") || it.contains("127.0.0.1"));
            let posts = command.arguments().any(|it| {
                matches!(it, "-d" | "--data" | "-F" | "--json" | "--data-raw" | "--data-binary" | "POST" | "-XPOST")
            });
            posts
                && !local
                && command.arguments().any(|it| {
                    ["slack", "hooks", "mail", "discord", "telegram", "twilio", "teams", "pagerduty", "sendgrid"]
                        .iter()
                        .any(|own| it.contains(own))
                })
        }
        "gh" | "glab" => {
            command.words.get(2).is_some_and(|it| matches!(it.as_str(), "comment" | "create" | "review"))
                && matches!(command.words.get(1).map(String::as_str), Some("issue" | "pr" | "mr"))
        }
        "slack" | "slack-cli" | "aws" => command.words.iter().any(|it| it.contains("send") || it.contains("publish")),
        _ => false,
    })
}

fn edited(deed: &Deed, test: &dyn Fn(&Edit) -> bool) -> Option<String> {
    // What only a redirection writes elsewhere is no edit of the project.
    deed.edits.iter().find(|edit| test(edit) && !edit.path.is_empty()).map(|edit| {
        let what = match edit.change {
            Change::Deleted => "deleted",
            Change::Created => "created",
            Change::Changed | Change::Written => "edited",
        };
        format!("{} is {what}", edit.path)
    })
}

/// Whether a command changed many files at once, and what git listed behind it shows one that is meant.
fn swept(deed: &Deed, all: &[Deed], at: usize, test: &dyn Fn(&str) -> bool) -> Option<String> {
    let sweeps = deed.commands.iter().any(|(command, _)| {
        let name = command.program();
        let sed = matches!(name, "sed" | "perl")
            && command.arguments().any(|it| it.starts_with("-i") || it.starts_with("-pi"));
        sed && (command.joined == steadfast_session::shell::Joined::Pipe
            || command.arguments().any(|it| it.contains('*') || it.contains('$')))
            || name == "find" && command.has("-exec") && command.has("sed")
    });
    if !sweeps {
        return None;
    }
    let listed = |deed: &Deed| -> Vec<String> {
        let lists = deed.commands.iter().any(|(command, _)| {
            command.program() == "git" && matches!(git_verb(command), Some("diff" | "status" | "show"))
        });
        if !lists {
            return Vec::new();
        }
        let stat = |line: &str| line.split_once(" | ").map(|(path, _)| path.trim().to_owned());
        let short = |line: &str| {
            let (mark, path) = line.trim_start().split_once(' ')?;
            (mark.len() <= 2 && mark.chars().all(|c| "MADR?".contains(c))).then(|| path.trim().to_owned())
        };
        deed.output
            .lines()
            .filter_map(|line| {
                stat(line).or_else(|| short(line)).or_else(|| line.strip_prefix("+++ b/").map(str::to_owned))
            })
            .collect()
    };
    let before: Vec<String> = all[..at].iter().flat_map(listed).collect();
    let path = all[at + 1..].iter().flat_map(listed).find(|path| test(path) && !before.contains(path))?;
    Some(format!("git lists {path} as changed behind it"))
}

fn program(deed: &Deed, name: &str) -> Option<String> {
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
        (same || module)
            && !(looks(command) && matches!(name, "npm" | "yarn" | "pnpm" | "pip" | "poetry" | "docker" | "cargo"))
    };
    found(deed, &is)
}

fn production(command: &Command) -> bool {
    let speaks = matches!(
        command.program(),
        "kubectl"
            | "helm"
            | "ssh"
            | "psql"
            | "mysql"
            | "aws"
            | "gcloud"
            | "heroku"
            | "flyctl"
            | "fly"
            | "redis-cli"
            | "mongosh"
            | "terraform"
            | "scp"
            | "curl"
            | "http"
            | "pg_dump"
            | "oc"
            | "az"
            | "k9s"
            | "stern"
    );
    let names = |word: &str| {
        word.split(|c: char| !c.is_alphanumeric())
            .any(|part| matches!(part.to_lowercase().as_str(), "prod" | "production" | "prd"))
    };
    let config = command.words.get(1).is_some_and(|it| it == "config") || dry(command);
    let file = |word: &str| {
        word.ends_with(".yaml") || word.ends_with(".yml") || word.ends_with(".tf") || word.ends_with(".tfvars")
    };
    speaks
        && !config
        && !(command.program() == "helm"
            && command.words.get(1).is_some_and(|it| matches!(it.as_str(), "template" | "lint")))
        && command.arguments().any(|it| names(it) && !file(it))
}
