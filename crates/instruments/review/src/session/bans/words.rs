//! What a user typed as sentences and words, and which of them name a path or a program.

/// A word with its place.
#[derive(Clone, Debug)]
pub(super) struct Word<'a> {
    pub(super) low: String,
    pub(super) raw: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether a comma, a bracket or a dash stands before it.
    pub(super) apart: bool,
}

pub(super) fn words(sentence: &str, from: usize) -> Vec<Word<'_>> {
    let mut out: Vec<Word<'_>> = Vec::new();
    let mut apart = false;
    let mut at = 0;
    for piece in sentence.split_inclusive(char::is_whitespace) {
        let start = at;
        at += piece.len();
        let trimmed = piece.trim();
        let own = trimmed.trim_matches(|c: char| {
            matches!(
                c,
                ',' | ';'
                    | ':'
                    | '.'
                    | '!'
                    | '?'
                    | '('
                    | ')'
                    | '"'
                    | '\''
                    | '`'
                    | '*'
                    | '“'
                    | '”'
                    | '—'
                    | '–'
                    | '['
                    | ']'
            )
        });
        if own.is_empty() {
            apart = apart || !trimmed.is_empty();
            continue;
        }
        // A dot before a name is part of it: `.env`.
        let offset = piece.find(own).unwrap_or(0);
        let offset = if offset > 0
            && piece[..offset].ends_with('.')
            && own.chars().all(|c| c.is_alphanumeric() || "._-/".contains(c))
        {
            offset - 1
        } else {
            offset
        };
        let end = offset + own.len() + usize::from(piece[offset..].starts_with('.') && !own.starts_with('.'));
        let raw = piece.get(offset..end).unwrap_or(own);
        let opens = piece[..offset].contains(['(', '"', '“']);
        out.push(Word {
            low: raw.to_lowercase().replace('’', "'"),
            raw,
            start: from + start + offset,
            end: from + start + end,
            apart: apart || opens,
        });
        apart = trimmed.ends_with([',', ':', ')', '—', '–']);
    }
    out
}

/// Sentences with their places: parted at marks of their ends, at line ends, and at "...".
pub(super) fn sentences(text: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let ends = match c {
            '\n' => true,
            '.' | '!' | '?' | ';' => next.is_none_or(|c| c.is_whitespace() || matches!(c, '"' | ')' | '”')),
            _ => false,
        };
        if ends {
            let end = at + c.len_utf8();
            out.push((start, &text[start..end]));
            start = end;
        }
    }
    out.push((start, &text[start..]));
    out.retain(|(_, it)| !it.trim().is_empty() && it.len() <= 2_000);
    out
}

pub(super) const NEGATORS: &[&str] = &[
    "don't",
    "dont",
    "never",
    "no",
    "not",
    "without",
    "avoid",
    "mustn't",
    "shouldn't",
    "cannot",
    "can't",
    "cant",
    "nothing",
    "nor",
    "won't",
    "refrain",
    "zero",
    "stop",
];

/// Where what a negator denies ends.
pub(super) fn scope(words: &[Word<'_>], from: usize) -> usize {
    let mut at = from;
    while let Some(word) = words.get(at) {
        let ends = matches!(
            word.low.as_str(),
            "but"
                | "just"
                | "instead"
                | "unless"
                | "until"
                | "till"
                | "because"
                | "since"
                | "so"
                | "i'll"
                | "ill"
                | "only"
                | "then"
                | "while"
                | "as"
                | "if"
                | "before"
                | "when"
                | "it's"
                | "its"
                | "they"
                | "we"
                | "i"
                | "that's"
                | "the"
        ) && !(word.low == "the" || word.low == "before" && at == from)
            || (at > from && NEGATORS.contains(&word.low.as_str()));
        // Behind a comma only a list of the same goes on.
        let list = word.apart
            && at > from
            && !matches!(word.low.as_str(), "or" | "nor" | "and")
            && !is_verb(&word.low)
            && !is_thing(&word.raw.to_lowercase());
        if ends && word.low != "the" || list {
            break;
        }
        at += 1;
    }
    at.min(from + 14)
}

pub(super) fn is_verb(word: &str) -> bool {
    matches!(
        word,
        "commit"
            | "push"
            | "merge"
            | "rebase"
            | "deploy"
            | "publish"
            | "install"
            | "delete"
            | "restart"
            | "edit"
            | "change"
            | "touch"
            | "modify"
            | "tag"
            | "release"
            | "open"
            | "amend"
            | "remove"
            | "email"
            | "send"
            | "upgrade"
    )
}

pub(super) fn is_thing(word: &str) -> bool {
    looks_like_path(word)
}

/// A word that names a file or a folder.
pub(super) fn looks_like_path(word: &str) -> bool {
    let folder = word.len() > 1 && word.ends_with('/');
    let word = word.trim_end_matches('/');
    if word.starts_with("--") || word.contains("://") || word.is_empty() || word.contains('@') {
        return false;
    }
    let slash = folder
        || word.contains('/')
            && !matches!(word, "and/or" | "w/" | "n/a" | "i/o" | "ci/cd" | "tcp/ip" | "w/o" | "read/write");
    let name = word.rsplit('/').next().unwrap_or(word);
    let ending = name.rsplit_once('.').is_some_and(|(_, ending)| {
        (1..=6).contains(&ending.len())
            && ending.chars().all(|c| c.is_ascii_alphanumeric())
            && ending.chars().any(|c| c.is_ascii_alphabetic())
    });
    let known =
        matches!(word, "README" | "LICENSE" | "CHANGELOG" | "Dockerfile" | "Makefile" | "Gemfile" | "Jenkinsfile");
    (slash || ending || known)
        && word.chars().any(|c| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_alphanumeric() || "._-/*@[]{}".contains(c))
        && !matches!(word, "e.g" | "i.e")
}

/// Programs that people name when they forbid them.
pub(super) const PROGRAMS: &[&str] = &[
    "npm",
    "yarn",
    "pnpm",
    "bun",
    "pip",
    "poetry",
    "uv",
    "conda",
    "docker",
    "docker-compose",
    "podman",
    "make",
    "sed",
    "awk",
    "perl",
    "curl",
    "wget",
    "git",
    "rm",
    "sudo",
    "apt",
    "apt-get",
    "brew",
    "npx",
    "pipenv",
    "kubectl",
    "helm",
    "terraform",
    "ansible",
    "jest",
    "mocha",
    "vitest",
    "pytest",
    "unittest",
    "nosetests",
    "tox",
    "black",
    "prettier",
    "eslint",
    "gradle",
    "maven",
    "mvn",
    "cargo",
    "node",
    "ruby",
    "python",
    "psql",
    "mysql",
    "redis-cli",
    "ssh",
    "scp",
    "rsync",
    "gh",
    "bazel",
    "deno",
    "composer",
    "gem",
    "bundle",
    "systemctl",
    "crontab",
    "find",
    "xargs",
    "vim",
    "chmod",
    "chown",
];
