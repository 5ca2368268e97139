//! Which action a verb, or the noun of one, stands for.

use super::action::Action;
use super::kinds::Kind;
use super::object::Object;
use super::words::Word;

/// Actions by the stems of their verbs and nouns.
const STEMS: &[(Verb, &[&str])] = &[
    (
        Verb::Edit,
        &[
            "edit", "touch", "chang", "modifi", "modif", "alter", "write", "overwrit", "patch", "fix", "tweak",
            "adjust", "mess", "fiddl", "tamper", "mutat", "tinker", "meddl", "interfer", "poke",
        ],
    ),
    (
        Verb::Rework,
        &[
            "rewrit",
            "refactor",
            "restructur",
            "reorgan",
            "reorgani",
            "convert",
            "correct",
            "clean",
            "tidi",
            "reword",
            "regener",
        ],
    ),
    (Verb::Update, &["updat", "upgrad", "bump", "downgrad", "pin"]),
    (Verb::Add, &["add", "introduc", "creat", "make", "pull", "bring", "includ", "put", "leav", "insert", "generat"]),
    (Verb::Of(Action::Delete), &["delet", "remov", "rm", "eras", "purg", "wipe", "truncat", "prune", "destroy"]),
    (Verb::Of(Action::Drop), &["drop"]),
    (Verb::Of(Action::Rename), &["renam", "move", "reloc"]),
    (Verb::Of(Action::Format), &["format", "reformat", "prettifi"]),
    (Verb::Of(Action::Read), &["open", "read", "print", "display", "peek", "cat", "inspect", "view", "show"]),
    (Verb::Run, &["run", "execut", "invok", "call", "use", "launch", "start", "trigger", "fire", "kick"]),
    (Verb::Of(Action::Install), &["instal"]),
    (Verb::Of(Action::Commit), &["commit"]),
    (Verb::Of(Action::Push), &["push"]),
    (Verb::Of(Action::ForcePush), &["force-push", "forcepush", "force-with-leas"]),
    (Verb::Of(Action::OpenRequest), &["pr", "prs", "mr", "mrs"]),
    (Verb::Skip, &["skip", "bypass", "disabl", "silenc", "ignor", "suppress", "circumv", "mute", "mark"]),
    (Verb::Of(Action::Merge), &["merg"]),
    (Verb::Of(Action::Rewrite), &["rebas", "amend", "squash"]),
    (Verb::Of(Action::Discard), &["stash", "reset", "discard", "revert"]),
    (Verb::Of(Action::Branch), &["branch"]),
    (Verb::Of(Action::Switch), &["checkout", "switch"]),
    (Verb::Of(Action::Publish), &["publish", "releas", "tag"]),
    (Verb::Of(Action::Deploy), &["deploy", "rollout", "ship"]),
    (Verb::Of(Action::Network), &["download", "fetch", "googl", "brows", "onlin", "curl", "wget"]),
    (Verb::Of(Action::Migrate), &["migrat"]),
    (Verb::Of(Action::Restart), &["restart", "reboot", "bounc", "stop", "kill", "shut", "reload"]),
    (
        Verb::Send,
        &["send", "email", "mail", "notifi", "post", "messag", "dm", "ping", "announc", "comment", "repli", "contact"],
    ),
    (Verb::Look, &["look", "search", "hit", "access", "go", "reach", "connect"]),
];

/// A verb, whose action may hang on its object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Edit,
    /// Something is changed in a way that calls do not show: without an object "don't refactor" forbids nothing that can be seen.
    Rework,
    Update,
    Add,
    Run,
    Skip,
    Send,
    Look,
    Of(Action),
    /// A verb of no known action: perhaps the name of a subcommand.
    Other(String),
}

/// The verb that a word is or is a form of.
pub(super) fn verb(word: &Word<'_>) -> Option<Verb> {
    if word.code.is_some() {
        return None;
    }
    STEMS.iter().find(|(_, stems)| stems.contains(&word.lemma.as_str())).map(|(verb, _)| verb.clone())
}

/// Programs that stand for each other: who is asked to use one must not call the others.
const RIVALS: &[&[&str]] = &[
    &["npm", "pnpm", "yarn", "bun"],
    &["pip", "poetry", "uv", "pipenv", "conda", "pdm"],
    &["docker", "podman"],
    &["jest", "vitest", "mocha"],
    &["maven", "mvn", "gradle"],
    &["make", "just"],
];

/// The programs of which one was chosen, but for it.
pub(super) fn rivals(program: &str) -> impl Iterator<Item = &'static str> {
    let own = program.to_owned();
    RIVALS.iter().filter(move |all| all.contains(&own.as_str())).flat_map(|all| all.iter().copied()).filter({
        let own = program.to_owned();
        move |it| *it != own
    })
}

/// Programs that an instruction may name by their bare name.
pub(super) fn is_program(word: &str) -> bool {
    RIVALS.iter().any(|all| all.contains(&word))
        || matches!(
            word,
            "sudo"
                | "git"
                | "gh"
                | "curl"
                | "wget"
                | "kubectl"
                | "helm"
                | "terraform"
                | "psql"
                | "mysql"
                | "redis-cli"
                | "npx"
                | "pip3"
                | "cargo"
                | "sed"
                | "awk"
                | "perl"
                | "python"
                | "node"
                | "ssh"
                | "prettier"
                | "eslint"
                | "black"
                | "ruff"
                | "gofmt"
                | "rustfmt"
                | "pytest"
                | "brew"
                | "apt"
                | "apt-get"
                | "rm"
                | "alembic"
                | "webpack"
                | "vite"
                | "tsc"
                | "mypy"
                | "ansible"
                | "aws"
                | "gcloud"
                | "docker-compose"
                | "systemctl"
        )
}

/// The command line that words name: a program and its subcommand, "terraform apply".
pub(super) fn line(words: &[Word<'_>]) -> Option<Vec<String>> {
    let at = words.iter().position(|it| is_program(&it.low))?;
    let next = words.get(at + 1).filter(|it| !it.apart)?;
    let sub = next.low.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        && !next.is(&[
            "directly", "here", "yourself", "commands", "calls", "anywhere", "for", "at", "in", "or", "and", "on",
            "please", "pls", "either", "to", "with", "command", "is", "itself", "manually", "again", "as", "from",
            "nor", "by", "installs", "ever", "today", "instead", "but",
        ]);
    sub.then(|| {
        let flags = words[at + 2..].iter().take_while(|it| it.raw.starts_with('-')).map(|it| it.raw.to_owned());
        [words[at].low.clone(), next.low.clone()].into_iter().chain(flags).collect()
    })
}

impl Verb {
    /// The actions that it stands for with this object; `words` are those of the object.
    pub(super) fn actions(&self, object: &Object, words: &[Word<'_>]) -> Vec<Action> {
        let has = |kind: Kind| object.has(kind);
        let named = |stems: &[&str]| words.iter().any(|it| stems.contains(&it.lemma.as_str()));
        let one = |action: Action| vec![action];
        match self {
            Self::Update if has(Kind::Snapshots) => one(Action::Edit),
            Self::Update if named(&["version"]) || has(Kind::Dependencies) => one(Action::Upgrade),
            Self::Update => vec![Action::Edit, Action::Upgrade],
            Self::Rework if object.is_any() => Vec::new(),
            Self::Edit | Self::Rework => one(Action::Edit),
            Self::Add if has(Kind::Dependencies) => one(Action::Depend),
            Self::Add if named(&["pr", "mr"]) || named(&["pull", "merg"]) && named(&["request"]) => {
                one(Action::OpenRequest)
            }
            Self::Add if named(&["commit"]) => one(Action::Commit),
            Self::Add if named(&["branch"]) => one(Action::Branch),
            Self::Add if named(&["tag", "releas"]) => one(Action::Publish),
            Self::Add if named(&["chang", "edit"]) => one(Action::Edit),
            Self::Add if has(Kind::Migrations) || words.iter().any(|it| it.is(&["file", "files"])) => {
                one(Action::Create)
            }
            Self::Add
                if object
                    .items
                    .iter()
                    .any(|item| !item.codes.is_empty() || item.words.iter().any(|it| it.contains('-'))) =>
            {
                one(Action::Put)
            }
            Self::Add
                if object
                    .items
                    .iter()
                    .any(|item| item.paths.iter().any(|it| !it.contains('/') && it.ends_with(".log"))) =>
            {
                one(Action::Put)
            }
            Self::Add if object.items.iter().any(|item| !item.paths.is_empty()) => one(Action::Create),
            Self::Add => Vec::new(),
            Self::Run if has(Kind::Migrations) => one(Action::Migrate),
            Self::Run if has(Kind::Network) => one(Action::Network),
            Self::Run if named(&["instal"]) => one(Action::Install),
            Self::Run => match words.iter().find(|it| is_program(&it.low)) {
                Some(own) if line(words).is_none() => one(Action::Program(own.low.clone())),
                _ => one(Action::Run),
            },
            Self::Skip if has(Kind::Hooks) || words.iter().any(|it| it.is(&["pre-commit", "--no-verify"])) => {
                one(Action::SkipHooks)
            }
            // "Don't mark test_demux as xfail."
            Self::Skip if has(Kind::Tests) || words.iter().any(|it| it.low.starts_with("test_")) => {
                one(Action::SkipTests)
            }
            Self::Skip if words.iter().any(|it| it.lemma == "comment" || it.lemma == "disabl") => one(Action::Put),
            Self::Skip => Vec::new(),
            Self::Send => one(Action::Send),
            Self::Look if has(Kind::Network) || named(&["onlin", "googl", "url"]) => one(Action::Network),
            Self::Look if named(&["up"]) && object.is_any() => one(Action::Network),
            Self::Look if has(Kind::Production) => one(Action::Edit),
            Self::Look => Vec::new(),
            Self::Of(Action::Push) if named(&["--forc", "--force", "forc"]) => one(Action::ForcePush),
            Self::Of(Action::Read) if named(&["pr", "mr"]) || named(&["pull", "merg"]) && named(&["request"]) => {
                one(Action::OpenRequest)
            }
            Self::Of(Action::Drop) if !has(Kind::Data) => one(Action::Delete),
            Self::Of(Action::Delete) if words.iter().any(|it| it.lemma == "column" || it.lemma == "tabl") => {
                one(Action::Drop)
            }
            Self::Of(Action::Migrate) => one(Action::Migrate),
            Self::Of(action) => one(action.clone()),
            Self::Other(name) => one(Action::Named(name.clone())),
        }
    }

    /// The actions of the noun behind "no": "no commits", "no new files".
    pub(super) fn of_noun(words: &[Word<'_>], object: &Object) -> Vec<Action> {
        let named = |stems: &[&str]| words.iter().any(|it| stems.contains(&it.lemma.as_str()));
        let is = |names: &[&str]| words.iter().any(|it| it.is(names));
        let Some(first) = words.iter().find(|it| {
            !it.is(&["new", "more", "extra", "additional", "further", "any", "other", "unrelated", "the", "direct"])
        }) else {
            return Vec::new();
        };
        if first.low == "force" && named(&["push"]) || first.lemma == "force-push" {
            return vec![Action::ForcePush];
        }
        if is(&["--no-verify"]) {
            return vec![Action::SkipHooks];
        }
        if object.has(Kind::Dependencies) {
            if named(&["updat", "upgrad", "bump"]) {
                return vec![Action::Upgrade];
            }
            return vec![Action::Depend];
        }
        if object.has(Kind::Network) {
            return vec![Action::Network];
        }
        if first.is(&["pull", "merge"]) && named(&["request"]) {
            return vec![Action::OpenRequest];
        }
        if line(words).is_some() {
            return vec![Action::Run];
        }
        if is_program(&first.low) {
            return vec![Action::Program(first.low.clone())];
        }
        let new = words.iter().any(|it| it.is(&["new", "additional", "extra", "more", "further"]));
        if new && words.last().is_some_and(|it| it.is(&["files", "file", "folders"])) {
            return vec![Action::Create];
        }
        if new
            && matches!(verb(first), Some(Verb::Of(Action::Branch)))
            && words.last().is_some_and(|it| it.lemma == "branch")
        {
            return vec![Action::Branch];
        }
        if first.is(&["files", "file", "folders", "views", "tables"]) {
            return vec![if object.has(Kind::Data) { Action::Edit } else { Action::Create }];
        }
        if object.has(Kind::Migrations) && first.lemma == "migrat" {
            return vec![Action::Create, Action::Migrate];
        }
        // "No schema changes".
        let last = words.iter().rev().find_map(verb);
        if verb(first).is_none() && matches!(last, Some(Verb::Edit | Verb::Update)) {
            return vec![Action::Edit];
        }
        match verb(first) {
            Some(Verb::Edit | Verb::Update) => vec![Action::Edit],
            Some(Verb::Send) => vec![Action::Send],
            Some(Verb::Of(Action::Read | Action::Branch | Action::Switch)) => Vec::new(),
            Some(Verb::Of(action)) => vec![action],
            // "No scaling": perhaps the name of a subcommand.
            _ if first.low.ends_with("ing") && first.low.len() > 5 => vec![Action::Named(first.lemma.clone())],
            _ => Vec::new(),
        }
    }
}
