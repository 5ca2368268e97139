//! Which action words name.

use super::action::{Action, Found};
use super::words::{PROGRAMS, Word, looks_like_path};

/// The actions that words behind a negator name, each with the last word that belongs to it.
pub(super) fn actions(negator: &str, inner: &[Word<'_>], all: &[Word<'_>], low: &str) -> Vec<(usize, Action)> {
    let mut out = Vec::new();
    let has = |names: &[&str]| inner.iter().any(|it| names.contains(&it.low.as_str()));
    let anything = |at: usize| {
        inner[at..].iter().take(5).position(|it| {
            matches!(
                it.low.as_str(),
                "anything"
                    | "any"
                    | "files"
                    | "file"
                    | "data"
                    | "rows"
                    | "stuff"
                    | "things"
                    | "records"
                    | "everything"
                    | "code"
            )
        })
    };
    let nothing = negator == "nothing";
    // "Don't forget to push" asks for it.
    if inner.first().is_some_and(|it| matches!(it.low.as_str(), "forget" | "hesitate" | "worry" | "bother" | "mind")) {
        return out;
    }
    let wanted = has(&["want", "try", "need", "dare"]);
    for (at, word) in inner.iter().enumerate() {
        let next = inner.get(at + 1).map_or("", |it| it.low.as_str());
        // "Don't break deploys" says nothing of deploying: the verb stands first, or goes on with another.
        let before = at.checked_sub(1).map_or("", |it| inner[it].low.as_str());
        let leads = word.apart || before.is_empty() || LEADS.contains(&before) || (before == "to" && wanted);
        if VERBS.contains(&word.low.as_str()) && !leads {
            continue;
        }
        let mut push = |last: usize, action: Action| out.push((last.min(inner.len().saturating_sub(1)), action));
        match word.low.as_str() {
            "commit" | "commits" | "committing" if is_free(inner, at + 1) => push(at, Action::Commit),
            "force-push" | "force-pushes" | "force-pushing" | "--force" => push(at, Action::ForcePush),
            "force" if next.starts_with("push") => push(at + 1, Action::ForcePush),
            "push" | "pushes" | "pushing" if at == 0 || inner[at - 1].low != "force" => {
                let to = inner[at..].iter().position(|it| it.low == "to").and_then(|to| inner.get(at + to + 1)).filter(
                    |it| matches!(it.low.as_str(), "main" | "master" | "prod" | "production" | "develop" | "upstream"),
                );
                match to {
                    None if !is_free(inner, at + 1) => {}
                    Some(branch) => push(at + 2, Action::Push(Some(branch.low.clone()))),
                    None => push(at, Action::Push(None)),
                }
            }
            "pr" | "prs" | "mr"
                if has(&["open", "create", "raise", "opening", "make", "submit"]) || negator == "no" =>
            {
                push(at, Action::OpenRequest)
            }
            "--no-verify" => push(at, Action::SkipHooks),
            "skip" | "bypass" | "skipping" | "bypassing" if low.contains("hook") => push(at + 1, Action::SkipHooks),
            "merge" | "merging" if !has(&["conflict", "conflicts"]) => push(at, Action::Merge),
            "rebase" | "amend" | "squash" | "rebasing" | "amending" => push(at, Action::Rewrite),
            "publish" | "publishing" | "release" | "tag" | "tags" if negator != "no" || word.low == "tags" => {
                push(at, Action::Publish)
            }
            "deploy" | "deploying" | "deploys" | "deployment" | "deployments" => push(at, Action::Deploy),
            "deps" | "dependency" | "dependencies" | "packages" | "libraries" | "library" | "package" | "dep"
            | "libs" | "gems" | "crates"
                if has(&[
                    "new",
                    "add",
                    "adding",
                    "extra",
                    "additional",
                    "more",
                    "further",
                    "introduce",
                    "introducing",
                    "third-party",
                    "pull",
                ]) || negator == "no" && inner.len() <= 3 =>
            {
                push(at, Action::NewDependency)
            }
            "install" | "installing" | "installs" => {
                push(at + usize::from(matches!(next, "anything" | "new" | "any")), Action::Install)
            }
            "network" | "internet"
                if (matches!(negator, "no" | "without") && at <= 1
                    || has(&["use", "access", "hit", "touch", "using", "need", "call"]))
                    && is_free(inner, at + 1) =>
            {
                push(at, Action::Network)
            }
            "download" | "downloads" | "downloading" | "fetch" if matches!(next, "anything" | "" | "any") => {
                push(at + usize::from(!next.is_empty()), Action::Network)
            }
            "drop" | "dropping"
                if inner[at..].iter().take(5).any(|it| it.low.starts_with("column") || it.low.starts_with("table")) =>
            {
                let last = inner[at..]
                    .iter()
                    .position(|it| it.low.starts_with("column") || it.low.starts_with("table"))
                    .unwrap_or(0);
                push(at + last, Action::Drop);
            }
            "migrations" | "migration" | "migrate"
                if has(&["run", "apply", "execute", "running", "applying"]) || word.low == "migrate" =>
            {
                push(at, Action::Migrate)
            }
            "any" if next.is_empty() && low.contains("migrations") && has(&["run"]) => push(at, Action::Migrate),
            "delete" | "deleting" | "remove" | "removing" | "rm"
                if nothing || anything(at).is_some() || next.is_empty() && word.low != "remove" =>
            {
                push(at + anything(at).unwrap_or(0), Action::Delete)
            }
            "deletions" | "deletes" if negator == "no" => push(at, Action::Delete),
            "restart" | "restarts" | "reboot" | "bounce" | "restarting" => {
                push(at + usize::from(!next.is_empty()), Action::Restart)
            }
            "email" | "emails" | "mail" | "mails" | "dm" | "notify"
                if negator != "without" && !has(&["address", "template", "field"]) =>
            {
                push(at + usize::from(!next.is_empty()), Action::Send)
            }
            "send" | "sending" | "post" | "message"
                if has(&[
                    "anything", "anyone", "anybody", "email", "emails", "messages", "slack", "nobody", "mail", "mails",
                    "out",
                ]) =>
            {
                push(inner.len() - 1, Action::Send)
            }
            "touch" | "edit" | "change" | "modify" | "alter" | "touching" | "editing" | "changing" | "modifying"
            | "update" | "rewrite" | "write" | "edits" | "changes" => edit(negator, at, inner, &mut out),
            "create" | "creating" | "add" | "adding"
                if inner[at..].iter().any(|it| matches!(it.low.as_str(), "files" | "file"))
                    && inner[at..].iter().any(|it| matches!(it.low.as_str(), "new" | "any" | "files")) =>
            {
                push(inner.len() - 1, Action::Create)
            }
            "files" if negator == "no" && at > 0 && inner[at - 1].low == "new" => push(at, Action::Create),
            "use" | "call" | "run" | "invoke" | "using" | "calling" | "running" => {
                if matches!(word.low.as_str(), "run" | "running")
                    && inner[at..].iter().take(4).any(|it| matches!(it.low.as_str(), "tests" | "test" | "suite"))
                {
                    push(inner.len() - 1, Action::RunTests);
                } else if let Some(place) = inner[at + 1..]
                    .iter()
                    .take(2)
                    .position(|it| PROGRAMS.contains(&it.low.as_str()))
                    .map(|place| place + 1)
                    .filter(|place| {
                        *place == 1 || matches!(inner[at + 1].low.as_str(), "the" | "any" | "plain" | "raw" | "bare")
                    })
                {
                    let last = inner
                        .get(at + place + 1)
                        .filter(|it| matches!(it.low.as_str(), "directly" | "here" | "yourself"))
                        .map_or(at + place, |_| at + place + 1);
                    let behind = inner.get(at + place + 1).map_or("", |it| it.low.as_str());
                    match behind {
                        "install" | "i" | "add" => push(at + place + 1, Action::Install),
                        "commands" | "directly" | "here" | "yourself" | "" | "for" | "at" | "in" | "anywhere"
                        | "or" | "and" | "on" | "please" | "pls" | "either" => {
                            push(last, Action::Program(inner[at + place].low.clone()))
                        }
                        _ => {}
                    }
                }
            }
            own if at == 0
                && matches!(negator, "not" | "no")
                && PROGRAMS.contains(&own)
                && !matches!(next, "file" | "files" | "version" | "image" | "install") =>
            {
                // "use pnpm, not npm", "no sudo": what stands before "not" is the other choice.
                let use_ = all.iter().any(|it| matches!(it.low.as_str(), "use" | "with" | "using" | "via"));
                if negator == "no" && inner.len() <= 2 || use_ {
                    push(at, Action::Program(own.to_owned()));
                }
            }
            "prod" | "production"
                // Which commands change something there is not known: what may only look is left alone.
                if has(&["against", "touch", "on", "in"])
                    && (nothing || has(&["touch", "run", "anything"]))
                    && !has(&["alter", "change", "edit", "modify", "update", "write"]) =>
            {
                push(at, Action::Production)
            }
            _ => {}
        }
    }
    out
}

/// Verbs of actions, which say nothing of it where they stand behind another verb.
const VERBS: &[&str] = &[
    "commit",
    "commits",
    "committing",
    "push",
    "pushes",
    "pushing",
    "merge",
    "merging",
    "rebase",
    "rebasing",
    "amend",
    "squash",
    "publish",
    "publishing",
    "release",
    "tag",
    "tags",
    "deploy",
    "deploys",
    "deploying",
    "deployment",
    "deployments",
    "install",
    "installs",
    "installing",
    "delete",
    "deleting",
    "remove",
    "removing",
    "restart",
    "restarts",
    "restarting",
    "email",
    "emails",
    "mail",
    "notify",
    "touch",
    "edit",
    "change",
    "modify",
    "alter",
    "update",
    "rewrite",
    "write",
    "edits",
    "changes",
    "use",
    "call",
    "run",
    "invoke",
    "send",
    "post",
    "create",
    "download",
    "fetch",
];

/// Words behind which such a verb goes on.
const LEADS: &[&str] = &[
    "or",
    "and",
    "nor",
    "ever",
    "actually",
    "just",
    "any",
    "even",
    "automatically",
    "yourself",
    "a",
    "an",
    "the",
    "new",
    "more",
    "further",
    "git",
    "make",
    "create",
    "do",
    "anything",
    "be",
    "start",
    "go",
    "accidentally",
    "force",
    "stage",
    "touching",
    "directly",
    "please",
    "against",
    "you",
];

fn is_edit(word: &str) -> bool {
    matches!(
        word,
        "touch" | "edit" | "change" | "modify" | "alter" | "update" | "rewrite" | "write" | "delete" | "remove"
    )
}

/// Whether what follows a verb names no other thing: "commit yet", "push anything", and not "commit the `.env`".
fn is_free(inner: &[Word<'_>], at: usize) -> bool {
    let Some(word) = inner.get(at) else { return true };
    let own = [
        "anything",
        "it",
        "this",
        "them",
        "yet",
        "or",
        "and",
        "any",
        "changes",
        "either",
        "please",
        "pls",
        "my",
        "your",
        "for",
        "me",
        "on",
        "at",
        "nor",
        "now",
        "here",
        "branch",
        "directly",
        "without",
        "code",
        "stuff",
        "work",
        "anywhere",
        "these",
        "that",
        "by",
        "yourself",
        "access",
        "at",
        "from",
        "in",
        "with",
        "though",
        "thx",
        "thanks",
        "calls",
        "connection",
        "requests",
        "traffic",
    ];
    let results =
        ["changes", "fix", "work", "code", "branch", "result", "results", "edits", "diff", "network", "internet"];
    word.apart
        || own.contains(&word.low.as_str())
        || (word.low == "the" && inner.get(at + 1).is_none_or(|it| results.contains(&it.low.as_str())))
}

/// What must not be edited.
fn edit(negator: &str, at: usize, inner: &[Word<'_>], out: &mut Vec<(usize, Action)>) {
    let rest = &inner[at + 1..];
    let paths: Vec<(usize, String)> = rest
        .iter()
        .enumerate()
        .filter(|(_, it)| looks_like_path(it.raw))
        .map(|(place, it)| (at + 1 + place, it.raw.to_owned()))
        .collect();
    if let (Some((last, _)), Some((first, _))) = (paths.last(), paths.first()) {
        // "Anything outside `src/api`" may not be edited; "the signature of `f` in `a.py`" is no file.
        let between = &inner[at + 1..*first];
        let beside = ["outside", "except", "besides", "beyond", "but", "than"];
        if between.iter().any(|it| beside.contains(&it.low.as_str())) {
            out.push((*last, Action::EditBeside(paths.iter().map(|(_, it)| it.clone()).collect())));
            return;
        }
        let plain = [
            "the",
            "any",
            "anything",
            "files",
            "file",
            "code",
            "in",
            "under",
            "inside",
            "within",
            "at",
            "folder",
            "directory",
            "our",
            "existing",
            "or",
            "and",
            "either",
            "anywhere",
            "my",
            "your",
            "stuff",
            "of",
            "that",
            "these",
            "those",
            "both",
        ];
        if between.iter().any(|it| !plain.contains(&it.low.as_str()) && !is_edit(&it.low)) {
            return;
        }
        out.push((*last, Action::EditPaths(paths.iter().map(|(_, it)| it.clone()).collect())));
        return;
    }
    let object: Vec<&str> = rest
        .iter()
        .map(|it| it.low.as_str())
        .filter(|it| !matches!(*it, "the" | "any" | "our" | "existing" | "my" | "those" | "these" | "of"))
        .collect();
    let last = inner.len() - 1;
    match (negator, object.as_slice()) {
        ("no", []) if matches!(inner[at].low.as_str(), "edits" | "changes") && at == 0 => out.push((at, Action::Edit)),
        (_, ["anything", ..] | ["any", "files", ..] | ["files", ..])
            if !matches!(object.get(1), Some(&"else" | &"outside" | &"in" | &"beyond" | &"about" | &"related")) =>
        {
            out.push((at + 1, Action::Edit))
        }
        (_, ["tests" | "test"] | ["tests" | "test", ..])
            if object.len() <= 3 && !matches!(object.get(1), Some(&"command" | &"runner")) =>
        {
            out.push((last, Action::EditTests))
        }
        (_, ["migrations", ..]) => out.push((
            at + 1 + usize::from(rest.first().is_some_and(|it| it.low == "the")),
            Action::EditPaths(vec!["migrations".to_owned()]),
        )),
        _ => {}
    }
}

/// Bans without a word of negation, and those that name what alone is allowed.
pub(super) fn without_negators(
    low: &str,
    words: &[Word<'_>],
    out: &mut Vec<Found>,
    span: &dyn Fn(usize, usize) -> (usize, usize),
) {
    let at = |place: usize| words.get(place).map_or("", |it| it.low.as_str());
    let mut push = |from: usize, to: usize, action: Action| {
        let (start, end) = span(from, to);
        out.push((start, end, action, None));
    };
    for place in 0..words.len() {
        match (at(place), at(place + 1), at(place + 2)) {
            ("off", "limits", _) | ("off-limits", _, _) | ("frozen", _, _) => {
                let to = place + usize::from(at(place) == "off");
                let found: Vec<usize> = (0..place).filter(|it| looks_like_path(words[*it].raw)).collect();
                if let Some(first) = found.first() {
                    push(*first, to, Action::EditPaths(found.iter().map(|it| words[*it].raw.to_owned()).collect()));
                }
            }
            ("leave" | "keep", ..) => {
                let Some(end) = (place + 1..words.len().min(place + 8)).find(|it| {
                    matches!(at(*it), "alone" | "untouched" | "unchanged" | "as-is")
                        || at(*it) == "as" && at(it + 1) == "is"
                }) else {
                    continue;
                };
                let found: Vec<String> = (place + 1..end)
                    .filter(|it| looks_like_path(words[*it].raw))
                    .map(|it| words[it].raw.to_owned())
                    .collect();
                if !found.is_empty() {
                    push(place, end, Action::EditPaths(found));
                } else if (place + 1..end).any(|it| at(it) == "tests") {
                    push(place, end, Action::EditTests);
                }
            }
            ("hands", "off", _) | ("stay", "out", "of") => {
                let found: Vec<usize> =
                    (place..words.len().min(place + 7)).filter(|it| looks_like_path(words[*it].raw)).collect();
                if let Some(last) = found.last() {
                    push(place, *last, Action::EditPaths(found.iter().map(|it| words[*it].raw.to_owned()).collect()));
                }
            }
            ("change" | "edit" | "modify" | "touch", "nothing", next) if next != "else" => {
                push(place, place + 1, Action::Edit)
            }
            ("read", "only", _) if words.len() <= place + 4 || words.get(place + 2).is_some_and(|it| it.apart) => {
                push(place, place + 1, Action::Edit)
            }
            ("read-only", "" | "please" | "pls" | "for" | "thanks" | "mode", _) => push(place, place, Action::Edit),
            ("only", "edit" | "change" | "touch" | "modify" | "update" | "write", _) => {
                only(place, place + 2, words, &mut push)
            }
            ("edit" | "change" | "touch" | "modify", "only", _) => only(place, place + 2, words, &mut push),
            ("ask" | "check" | "confirm", ..) if low.contains("before") => {
                let Some(before) = (place + 1..words.len().min(place + 5)).find(|it| at(*it) == "before") else {
                    continue;
                };
                let action = match at(before + 1) {
                    "deleting" | "removing" => Action::Delete,
                    "committing" => Action::Commit,
                    "pushing" => Action::Push(None),
                    "installing" => Action::Install,
                    "restarting" => Action::Restart,
                    "deploying" => Action::Deploy,
                    "merging" => Action::Merge,
                    _ => continue,
                };
                push(place, before + 1 + usize::from(!at(before + 2).is_empty()), action);
            }
            _ => {}
        }
        // "instead of npm", "rather than npm".
        if (at(place) == "instead" && at(place + 1) == "of" || at(place) == "rather" && at(place + 1) == "than")
            && PROGRAMS.contains(&at(place + 2))
            && words[..place].iter().any(|it| it.low == "use")
        {
            push(place, place + 2, Action::Program(at(place + 2).to_owned()));
        }
    }
}

fn only(from: usize, object: usize, words: &[Word<'_>], push: &mut impl FnMut(usize, usize, Action)) {
    let rest = words.get(object..).unwrap_or_default();
    let until = rest.iter().position(|it| it.apart && !looks_like_path(it.raw)).unwrap_or(rest.len());
    let rest = &rest[..until];
    let paths: Vec<(usize, String)> = rest
        .iter()
        .enumerate()
        .filter(|(_, it)| looks_like_path(it.raw))
        .map(|(at, it)| (at, it.raw.to_owned()))
        .collect();
    if let Some((last, _)) = paths.last() {
        push(from, object + last, Action::EditBeside(paths.iter().map(|(_, it)| it.clone()).collect()));
    } else if rest.first().is_some_and(|it| matches!(it.low.as_str(), "tests" | "test"))
        || rest.get(1).is_some_and(|it| it.low == "tests")
    {
        push(from, object + usize::from(rest.first().is_some_and(|it| it.low != "tests")), Action::EditBesideTests);
    }
}
