//! What changes data bases, services and systems, and what sends messages.

use steadfast_session::effects::is_dry;
use steadfast_session::shell::Command;

use super::super::deeds::Deed;
use super::found::found;
use super::history::History;

pub(super) fn sql(deed: &Deed, test: &dyn Fn(&str) -> bool) -> Option<String> {
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
        client && !is_dry(command) && test(&text) && !text.contains("rollback")
    })
}

pub(super) fn migrates(command: &Command) -> bool {
    let has = |word: &str| command.words.iter().any(|it| it == word);
    let ends = |word: &str| command.words.iter().take(5).any(|it| it == word || it.ends_with(word));
    if is_dry(command)
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

pub(super) fn restarts(command: &Command) -> bool {
    let word = |place: usize| command.words.get(place).map_or("", String::as_str);
    let any = |names: &[&str]| command.words.iter().skip(1).any(|it| names.contains(&it.as_str()));
    match command.program() {
        "systemctl" | "supervisorctl" | "initctl" | "rc-service" | "brew" | "pm2" | "svc" | "launchctl" => {
            any(&["restart", "stop", "start", "reload", "kill", "signal", "try-restart"]) && !is_dry(command)
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

pub(super) fn sends(deed: &Deed) -> Option<String> {
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
            command.words.get(2).is_some_and(|it| matches!(it.as_str(), "comment" | "create" | "review" | "note"))
                && matches!(command.words.get(1).map(String::as_str), Some("issue" | "pr" | "mr"))
        }
        "slack" | "slack-cli" | "aws" => command.words.iter().any(|it| it.contains("send") || it.contains("publish")),
        _ => false,
    })
}

/// Columns or tables that are dropped, by a client or in a migration that is written.
pub(super) fn drops(deed: &Deed) -> Option<String> {
    let test = |text: &str| text.contains("drop column") || text.contains("drop table");
    sql(deed, &test).or_else(|| {
        let edit = deed.edits.iter().find(|edit| {
            edit.added.iter().any(|line| {
                let low = line.to_lowercase();
                test(&low)
                    || low.contains("drop_column(")
                    || low.contains("drop_table(")
                    || low.contains("remove_column ")
                    || low.contains("removefield(")
            })
        })?;
        Some(format!("{} drops it", edit.path))
    })
}

/// Whether a command changes a system outside the folder: a cluster, a cloud, a data base.
pub(super) fn mutates(command: &Command) -> bool {
    let word = |place: usize| command.words.get(place).map_or("", String::as_str);
    let any = |names: &[&str]| command.words.iter().skip(1).any(|it| names.contains(&it.as_str()));
    let statement = |text: &str| {
        let low = format!(" {} ", text.to_lowercase());
        [
            "insert into",
            " update ",
            "delete from",
            "create table",
            "create or replace",
            "create view",
            "alter table",
            "drop ",
            "truncate ",
        ]
        .iter()
        .any(|it| low.contains(it))
    };
    if is_dry(command) {
        return false;
    }
    match command.program() {
        "kubectl" | "oc" => {
            any(&[
                "apply",
                "scale",
                "delete",
                "patch",
                "set",
                "edit",
                "annotate",
                "label",
                "cordon",
                "drain",
                "create",
                "replace",
                "autoscale",
                "exec",
            ]) && !any(&["diff", "can-i", "get", "describe", "logs", "top"])
                || any(&["rollout"]) && any(&["restart", "undo", "pause", "resume"])
        }
        "helm" => any(&["upgrade", "install", "rollback", "uninstall", "delete"]),
        "terraform" | "tofu" => matches!(word(1), "apply" | "destroy" | "import" | "taint"),
        "psql" | "mysql" | "sqlite3" | "bq" | "clickhouse-client" | "snowsql" | "duckdb" | "mongosh" => {
            statement(&command.line())
                || command.input.as_deref().is_some_and(statement)
                || command.program() == "bq" && any(&["rm", "mk", "load", "cp", "update"])
        }
        "dbt" => matches!(word(1), "run" | "build" | "seed" | "snapshot"),
        "redis-cli" => any(&["set", "del", "SET", "DEL", "FLUSHALL", "flushall", "FLUSHDB", "EXPIRE"]),
        "aws" => command.words.iter().any(|it| {
            ["put-", "update-", "delete-", "create-", "modify-", "terminate-", "start-", "stop-"]
                .iter()
                .any(|own| it.starts_with(own))
                || matches!(it.as_str(), "rm" | "cp" | "mv" | "sync")
        }),
        "gcloud" | "az" => any(&["update", "delete", "create", "deploy", "set", "start", "stop"]),
        "heroku" | "fly" | "flyctl" | "vercel" => {
            any(&["deploy", "restart", "scale", "set", "rollback"])
                || command
                    .words
                    .iter()
                    .any(|it| it.contains(":set") || it.contains(":restart") || it.contains(":scale"))
        }
        "systemctl" | "supervisorctl" | "docker" => command.remote && restarts(command),
        "sed" | "tee" | "cp" | "mv" | "rm" => command.remote,
        _ => migrates(command),
    }
}

/// Whether words name production.
pub(super) fn says_production(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|part| matches!(part.to_lowercase().as_str(), "prod" | "production" | "prd" | "live"))
}

/// Whether a command speaks to production: its words say so, or the context that was last shown.
pub(super) fn is_production(command: &Command, all: &History<'_>, at: usize) -> bool {
    // Where the target is named it alone says so.
    let target = command
        .words
        .windows(2)
        .find(|pair| matches!(pair[0].as_str(), "--target" | "--context" | "--profile" | "-t"))
        .map(|pair| says_production(&pair[1]));
    if let Some(own) = target {
        return own;
    }
    let file = |word: &str| {
        [".yaml", ".yml", ".tf", ".tfvars"].iter().any(|it| word.ends_with(it))
            || word.contains('/') && !word.contains("://")
    };
    if command.arguments().chain(command.env.iter().map(String::as_str)).any(|it| says_production(it) && !file(it)) {
        return true;
    }
    let explicit = command
        .arguments()
        .any(|it| it.starts_with("--context=") || it.starts_with("--kubeconfig") || it.starts_with("--target="));
    !explicit && all.is_production(command.program(), at)
}
