//! What a command is for: tests, a build, a linter, a commit, an installation.

use crate::shell::{Command, program};

/// What a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// It runs tests.
    Test,
    /// It builds or compiles.
    Build,
    /// It runs a linter.
    Lint,
    /// It checks types.
    TypeCheck,
    /// It formats, or checks the format.
    Format,
}

/// What a command runs once runners of scripts are taken off (`npx`, `poetry run`, `python -m`), and the name of the script where it runs one
/// (`npm run build` runs `build`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation<'a> {
    /// The tool, or the manager whose script runs.
    pub tool: &'a str,
    /// What follows it.
    pub arguments: Vec<&'a str>,
    /// The script of a manifest that it runs.
    pub script: Option<&'a str>,
}

const MANAGERS: &[&str] = &["npm", "pnpm", "yarn", "bun"];

/// Takes runners off a command.
#[must_use]
pub fn invocation(command: &Command) -> Invocation<'_> {
    let mut words: Vec<&str> = command.words.iter().map(String::as_str).collect();
    for _ in 0..4 {
        let name = program(words.first().copied().unwrap_or_default());
        // How many words stand before what is run.
        let off = match (name, words.get(1).copied().unwrap_or_default()) {
            (
                "npx" | "bunx" | "pnpx" | "uvx" | "pipx" | "xvfb-run" | "rtx" | "dotenv" | "cross-env" | "corepack"
                | "coverage3",
                next,
            ) => 1 + usize::from(matches!(next, "run" | "exec" | "--")),
            ("pnpm" | "npm" | "yarn" | "bun", "exec" | "dlx" | "x") => 2,
            ("poetry" | "uv" | "pipenv" | "hatch" | "pdm" | "rye" | "conda" | "asdf", "run" | "exec" | "x") => 2,
            ("mise", "exec" | "x") => 2,
            ("bundle" | "bin/bundle" | "mix" | "dotenvx", "exec" | "run") => 2,
            ("coverage", "run") => 2,
            ("docker" | "docker-compose" | "podman", _) if words.contains(&"exec") || words.contains(&"run") => {
                match in_container(&words) {
                    Some(at) => at,
                    None => break,
                }
            }
            (python, "-m") if python.starts_with("python") || python == "py" => 2,
            _ => break,
        };
        let mut at = off;
        while words.get(at).is_some_and(|it| it.starts_with('-')) {
            at += 1;
        }
        if at >= words.len() {
            break;
        }
        words.drain(..at);
    }
    let tool = program(words.first().copied().unwrap_or_default());
    let mut arguments: Vec<&str> = words.get(1..).unwrap_or_default().to_vec();
    let mut script = None;
    if MANAGERS.contains(&tool) {
        // `npm --prefix web run build`, `pnpm -C web --filter api build`.
        let valued = ["--prefix", "-C", "--filter", "-F", "--workspace", "-w", "--cwd", "--dir"];
        let mut at = 0;
        while let Some(argument) = arguments.get(at) {
            let takes = valued.contains(argument) && !(tool == "pnpm" && *argument == "-w");
            if !argument.starts_with('-') {
                break;
            }
            at += 1 + usize::from(takes);
        }
        let behind = arguments.get(at..).unwrap_or_default().to_vec();
        if behind.first() == Some(&"workspace") && tool == "yarn" {
            arguments = behind.get(2..).unwrap_or_default().to_vec();
        } else {
            arguments = behind;
        }
        script = match (arguments.first().copied(), arguments.get(1).copied()) {
            (Some("run" | "run-script"), next) => {
                arguments.iter().skip(1).copied().find(|it| !it.starts_with('-')).or(next)
            }
            (Some("test" | "t" | "tst"), _) => Some("test"),
            (Some("start"), _) => Some("start"),
            (Some(own), _) if matches!(tool, "pnpm" | "yarn") && !is_manager_verb(own) => Some(own),
            _ => None,
        };
    } else if matches!(
        tool,
        "make"
            | "gmake"
            | "just"
            | "task"
            | "rake"
            | "composer"
            | "nox"
            | "invoke"
            | "inv"
            | "turbo"
            | "nx"
            | "moon"
            | "cargo-make"
            | "mise"
    ) {
        let mut own = arguments
            .iter()
            .copied()
            .filter(|it| !it.starts_with('-') && !it.contains('=') && !matches!(*it, "run" | "run-script"));
        script = if tool == "composer" { own.next() } else { own.next_back() };
    }
    Invocation { tool, arguments, script }
}

/// Where the program stands that a container runs.
fn in_container(words: &[&str]) -> Option<usize> {
    let from = words.iter().position(|it| matches!(*it, "exec" | "run"))? + 1;
    let valued =
        ["-e", "--env", "-u", "--user", "-w", "--workdir", "-v", "--volume", "-p", "--name", "--network", "-f"];
    let mut at = from;
    while let Some(word) = words.get(at) {
        if !word.starts_with('-') {
            // This one is the container, the service or the image.
            return Some(at + 1).filter(|at| *at < words.len());
        }
        at += 1 + usize::from(valued.contains(word));
    }
    None
}

fn is_manager_verb(word: &str) -> bool {
    matches!(
        word,
        "add"
            | "install"
            | "i"
            | "ci"
            | "remove"
            | "rm"
            | "uninstall"
            | "un"
            | "up"
            | "update"
            | "upgrade"
            | "link"
            | "unlink"
            | "publish"
            | "pack"
            | "init"
            | "create"
            | "why"
            | "list"
            | "ls"
            | "outdated"
            | "audit"
            | "config"
            | "cache"
            | "store"
            | "import"
            | "dedupe"
            | "info"
            | "view"
            | "version"
            | "help"
            | "login"
            | "logout"
            | "set"
            | "plugin"
            | "prune"
            | "rebuild"
            | "fetch"
            | "patch"
            | "global"
            | "workspaces"
            | "node"
            | "env"
            | "dlx"
            | "exec"
    )
}

/// The last words of a name such as `test:unit`, `lint-fix` or `ci:build`.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split([':', '-', '_', '/', '.'])
}

fn by_script(name: &str) -> Option<Purpose> {
    let low = name;
    let any = |all: &[&str]| parts(low).any(|part| all.contains(&part));
    if low.contains("typecheck")
        || low.contains("type-check")
        || low.contains("check-types")
        || low.contains("check:types")
        || any(&["tsc", "types", "mypy", "pyright"])
    {
        Some(Purpose::TypeCheck)
    } else if any(&[
        "test",
        "tests",
        "spec",
        "specs",
        "unit",
        "integration",
        "e2e",
        "jest",
        "vitest",
        "pytest",
        "cypress",
        "playwright",
        "coverage",
    ]) {
        Some(Purpose::Test)
    } else if any(&[
        "lint",
        "linter",
        "linting",
        "eslint",
        "clippy",
        "rubocop",
        "ruff",
        "phpstan",
        "phpcs",
        "checkstyle",
    ]) {
        Some(Purpose::Lint)
    } else if any(&["format", "fmt", "prettier"]) {
        Some(Purpose::Format)
    } else if any(&["build", "compile", "dist", "bundle"]) {
        Some(Purpose::Build)
    } else {
        None
    }
}

/// What a command is for. Some do more than one thing: `tsc` builds and checks types, `mvn verify` builds and tests.
#[must_use]
pub fn purposes(command: &Command) -> Vec<Purpose> {
    use Purpose::{Build, Format, Lint, Test, TypeCheck};
    let own = invocation(command);
    let args = own.arguments.as_slice();
    let has = |name: &str| args.contains(&name);
    let any = |names: &[&str]| names.iter().any(|name| has(name));
    let first = args.iter().copied().find(|it| !it.starts_with(['-', '+'])).unwrap_or_default();
    if args
        .iter()
        .any(|it| matches!(*it, "--version" | "-V" | "--help" | "-h" | "--collect-only" | "--listTests" | "--list"))
    {
        return Vec::new();
    }
    if matches!(own.tool, "make" | "gmake") && any(&["-n", "--just-print", "--dry-run"]) {
        return Vec::new();
    }
    if let Some(script) = own.script {
        if let Some(purpose) = by_script(script) {
            return vec![purpose];
        }
        return match (own.tool, script) {
            ("make" | "gmake" | "just", "check") => vec![Test],
            ("make" | "gmake", "all") => vec![Build],
            _ => Vec::new(),
        };
    }
    match own.tool {
        "pytest" | "py.test" | "tox" | "nox" | "unittest" | "nosetests" | "nose2" | "jest" | "vitest" | "mocha"
        | "ava" | "jasmine" | "karma" | "gotestsum" | "ginkgo" | "rspec" | "minitest" | "phpunit" | "pest"
        | "paratest" | "ctest" | "bats" | "prove" | "cucumber" | "behave" | "busted" | "trial" | "stestr"
        | "run-tests" | "wtr" | "testcafe" | "shellspec" | "kaocha" => vec![Test],
        "playwright" | "flutter" | "dart" | "deno" | "swift" if first == "test" => vec![Test],
        "cypress" if first == "run" => vec![Test],
        "node" if args.iter().any(|it| it.starts_with("--test")) => vec![Test],
        "bun" | "lein" | "stack" | "cabal" | "zig" | "elm-test" | "forge" | "anchor" | "earthly" if first == "test" => {
            vec![Test]
        }
        "hardhat" | "truffle" if first == "test" => vec![Test],
        "cargo" => match first {
            "test" | "t" | "nextest" | "tarpaulin" | "llvm-cov" if !has("--no-run") => vec![Test],
            "build" | "b" | "test" | "t" => vec![Build],
            "check" | "c" => vec![Build, TypeCheck],
            "clippy" => vec![Lint],
            "fmt" => vec![Format],
            _ => Vec::new(),
        },
        "go" => match first {
            "test" => vec![Test],
            "build" | "install" => vec![Build],
            "vet" => vec![Lint],
            "fmt" => vec![Format],
            _ => Vec::new(),
        },
        "mvn" | "mvnw" => match () {
            () if any(&["test", "verify", "install", "integration-test", "surefire:test"])
                && !args.iter().any(|it| it.starts_with("-DskipTests") || it.starts_with("-Dmaven.test.skip")) =>
            {
                vec![Test, Build]
            }
            () if any(&["compile", "package", "install", "verify", "test-compile", "test"]) => vec![Build],
            () if args.iter().any(|it| it.starts_with("checkstyle:") || it.starts_with("spotbugs:")) => vec![Lint],
            () => Vec::new(),
        },
        "gradle" | "gradlew" | "gradlew.bat" => {
            let task = |names: &[&str]| args.iter().any(|it| names.contains(&it.rsplit(':').next().unwrap_or(it)));
            let tests = args.iter().any(|it| !it.starts_with('-') && it.to_ascii_lowercase().ends_with("test"));
            match () {
                () if tests => vec![Test],
                () if task(&["build", "check"]) && !has("-x") => vec![Test, Build],
                () if task(&[
                    "build",
                    "assemble",
                    "compileJava",
                    "compileKotlin",
                    "classes",
                    "jar",
                    "assembleDebug",
                    "assembleRelease",
                    "bootJar",
                ]) =>
                {
                    vec![Build]
                }
                () if task(&["lint", "ktlintCheck", "detekt", "checkstyleMain", "spotlessCheck"]) => vec![Lint],
                () => Vec::new(),
            }
        }
        "dotnet" | "msbuild" | "xcodebuild" | "bazel" | "bazelisk" | "swift" | "mix" | "sbt" | "flutter" | "dart"
        | "deno" | "stack" | "cabal" | "zig" | "forge" | "ng" | "rails" | "mill" => match first {
            _ if has("test") || has("test:compile") || first.starts_with("testOnly") || first.starts_with("test ") => {
                vec![Test]
            }
            "build" | "publish" | "compile" | "build-for-testing" | "bundle" => vec![Build],
            "analyze" | "lint" | "credo" => vec![Lint],
            "dialyzer" | "check" => vec![TypeCheck],
            "format" | "fmt" => vec![Format],
            _ if own.tool == "msbuild" || (own.tool == "xcodebuild" && !has("-version")) => vec![Build],
            _ => Vec::new(),
        },
        "artisan" | "symfony" if first == "test" => vec![Test],
        "php" if args.first().is_some_and(|it| it.ends_with("artisan")) && args.get(1) == Some(&"test") => vec![Test],
        "php" if args.first().is_some_and(|it| it.ends_with("phpunit") || it.ends_with("pest")) => vec![Test],
        "php" if has("-l") => vec![Lint],
        "composer" if first == "test" => vec![Test],
        "manage.py" | "django-admin" if first == "test" => vec![Test],
        "ruby"
            if args
                .iter()
                .any(|it| it.ends_with("_test.rb") || it.ends_with("_spec.rb") || it.starts_with("-Itest")) =>
        {
            vec![Test]
        }
        "make" | "gmake" | "ninja" | "webpack" | "rollup" | "esbuild" | "tsup" | "swc" | "gcc" | "g++" | "clang"
        | "clang++" | "cc" | "javac" | "kotlinc" | "rustc" | "hugo" | "jekyll" | "mdbook" | "build" => vec![Build],
        "cmake" if has("--build") => vec![Build],
        "vite" | "next" | "nuxt" | "astro" | "mkdocs" | "docker" | "buildah" | "podman" | "remix" | "gatsby"
        | "parcel" | "expo" | "meson"
            if has("build") =>
        {
            vec![Build]
        }
        "tsc" | "vue-tsc" => match has("--noEmit") {
            true => vec![TypeCheck],
            false => vec![Build, TypeCheck],
        },
        "mypy" | "pyright" | "pyre" | "basedpyright" | "ty" | "flow" | "sorbet" | "srb" | "svelte-check" => {
            vec![TypeCheck]
        }
        "eslint" | "flake8" | "pylint" | "golangci-lint" | "staticcheck" | "rubocop" | "phpcs" | "phpstan"
        | "psalm" | "oxlint" | "shellcheck" | "stylelint" | "ktlint" | "detekt" | "swiftlint" | "hadolint"
        | "markdownlint" | "markdownlint-cli2" | "yamllint" | "pre-commit" | "tslint" | "standard" | "xo"
        | "clang-tidy" | "cppcheck" | "ansible-lint" | "tflint" | "sqlfluff" | "buf" | "hlint" | "bandit"
        | "actionlint" | "credo" | "revive" | "eslint_d" | "vulture" => vec![Lint],
        "biome" => vec![Lint, Format],
        "ruff" => vec![if first == "format" { Format } else { Lint }],
        "prettier" | "black" | "isort" | "gofmt" | "goimports" | "rustfmt" | "clang-format" | "autopep8" | "yapf"
        | "shfmt" | "dprint" | "php-cs-fixer" => vec![Format],
        "python" | "python3" | "node" | "bash" | "sh" | "ts-node" | "tsx" | "perl" | "php" | "ruby" => {
            by_file(first, args)
        }
        other => match (by_file(other, args), first) {
            // Runners of tasks that nobody knows: `vp run test`.
            (own, "run") if own.is_empty() => {
                let task = args.iter().copied().filter(|it| !it.starts_with('-')).nth(1);
                task.and_then(by_script).into_iter().collect()
            }
            (own, _) => own,
        },
    }
}

/// A script file that is called after what it does.
fn by_file(file: &str, args: &[&str]) -> Vec<Purpose> {
    let name = file.rsplit('/').next().unwrap_or(file);
    if name.ends_with("manage.py") && args.contains(&"test") {
        return vec![Purpose::Test];
    }
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return match name {
            "run_tests" | "run-tests" | "runtests" | "test" if file.contains('/') => vec![Purpose::Test],
            _ => Vec::new(),
        };
    };
    if !matches!(ending, "sh" | "py" | "js" | "mjs" | "ts" | "rb" | "pl" | "php" | "ps1") {
        return Vec::new();
    }
    by_script(stem).filter(|it| *it != Purpose::Format).into_iter().collect()
}

/// What commands run: their folders, their programs and the arguments that are no options. Two lines with the same key run the same.
#[must_use]
pub fn key<'a>(commands: impl Iterator<Item = &'a Command>) -> String {
    let each = commands.map(|command| {
        let words: Vec<&str> = command.words.iter().map(String::as_str).filter(|it| !it.starts_with('-')).collect();
        format!("{} {}", command.directory.as_deref().unwrap_or_default(), words.join(" "))
    });
    each.collect::<Vec<_>>().join(" && ")
}

/// How sure the exit status of a command line is that of one of its commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is this command's own.
    Own,
    /// 0 means that this command came through; anything else may be another's.
    IfZero,
    /// It is another's.
    Other,
}

/// Whose exit status a command line has, for each of its commands.
#[must_use]
pub fn statuses(all: &[Command]) -> Vec<Status> {
    use crate::shell::Joined;
    (0..all.len())
        .map(|at| {
            let behind = &all[at + 1..];
            if all[at].substituted {
                return Status::Other;
            }
            match behind.first() {
                None if all.iter().take(at).any(|it| it.joined == Joined::And) || all[at].joined == Joined::And => {
                    Status::IfZero
                }
                None => Status::Own,
                Some(_) if behind.iter().all(|it| it.joined == Joined::And) => Status::IfZero,
                Some(_) => Status::Other,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::commands;

    #[track_caller]
    fn check(line: &str, expect: &[Purpose]) {
        let got: Vec<Purpose> = commands(line).iter().flat_map(purposes).collect();
        assert_eq!(got, expect, "{line}");
    }

    #[test]
    fn tests() {
        for line in [
            "pytest -q",
            "python -m pytest tests/",
            "python3 -m unittest discover",
            "uv run pytest",
            "poetry run pytest -x",
            "npm test",
            "npm t",
            "npm run test:unit",
            "yarn test",
            "pnpm --filter api test",
            "npx jest --ci",
            "npx vitest run",
            "cargo test --locked",
            "cargo nextest run",
            "go test ./...",
            "gotestsum",
            "./gradlew :app:testDebugUnitTest",
            "bundle exec rspec",
            "bin/rails test",
            "rake test",
            "vendor/bin/phpunit",
            "php artisan test",
            "dotnet test",
            "ctest --output-on-failure",
            "make test",
            "make check",
            "mix test",
            "bats test",
            "prove -l t",
            "flutter test",
            "deno test",
            "bun test",
            "sbt test",
            "npx playwright test",
            "node --test",
            "./run_tests.sh",
            "python manage.py test",
            "tox",
            "swift test",
            "docker compose exec web pytest",
            "docker exec -it web npm test",
            "ruby -Itest test/a_test.rb",
            "just test",
            "python tests/test_a.py",
        ] {
            check(line, &[Purpose::Test]);
        }
        check("mvn -q test", &[Purpose::Test, Purpose::Build]);
    }

    #[test]
    fn builds_linters_and_types() {
        for line in [
            "npm run build",
            "cargo build --release",
            "go build ./...",
            "next build",
            "npx vite build",
            "docker build .",
            "make",
            "cmake --build out",
            "mvn package -DskipTests",
            "dotnet build",
            "gcc a.c",
        ] {
            check(line, &[Purpose::Build]);
        }
        for line in [
            "npx eslint .",
            "ruff check .",
            "cargo clippy -- -D warnings",
            "npm run lint",
            "golangci-lint run",
            "flutter analyze",
            "pnpm lint",
        ] {
            check(line, &[Purpose::Lint]);
        }
        for line in ["npx tsc --noEmit", "mypy src", "npm run typecheck", "npm run type-check"] {
            check(line, &[Purpose::TypeCheck]);
        }
        check("tsc -p .", &[Purpose::Build, Purpose::TypeCheck]);
    }

    #[test]
    fn runners_of_tasks() {
        for line in ["mise run test", "mise run test:integration", "vp run test", "mise exec -- pytest"] {
            check(line, &[Purpose::Test]);
        }
        check("mise run lint", &[Purpose::Lint]);
    }

    #[test]
    fn others() {
        for line in [
            "cat test.log",
            "grep -rn pytest .",
            "git commit -m 'npm test'",
            "pip install pytest",
            "npm install jest",
            "echo npm test",
            "vim tests/a.py",
            "pytest --version",
            "ls test",
            "npm ci",
            "mise run dev",
        ] {
            check(line, &[]);
        }
    }

    #[test]
    fn whose_status_it_is() {
        let of = |line: &str| statuses(&commands(line));
        assert_eq!(of("npm test"), [Status::Own]);
        assert_eq!(of("cd a && npm test"), [Status::IfZero, Status::IfZero]);
        assert_eq!(of("npm test | tail"), [Status::Other, Status::Own]);
        assert_eq!(of("npm test || true"), [Status::Other, Status::Own]);
        assert_eq!(of("npm test; echo $?"), [Status::Other, Status::Own]);
    }
}
