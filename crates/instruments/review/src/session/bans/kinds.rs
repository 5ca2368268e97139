//! Kinds of files, by the word that people use for them and by what their paths look like.

use super::super::deeds::is_test_file;
use super::words::Word;

/// A kind of thing that an instruction may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Tests.
    Tests,
    /// Stored snapshots of tests.
    Snapshots,
    /// Lock files of package managers.
    Locks,
    /// Manifests of package managers.
    Manifests,
    /// Dependencies.
    Dependencies,
    /// Documentation.
    Docs,
    /// The change log.
    Changelog,
    /// The readme.
    Readme,
    /// Continuous integration.
    Ci,
    /// Files of the environment.
    Env,
    /// Configuration.
    Config,
    /// Migrations of a data base.
    Migrations,
    /// Schemas.
    Schema,
    /// Generated files.
    Generated,
    /// Code of others that is kept in the project.
    Vendored,
    /// Translations.
    Translations,
    /// Style sheets.
    Styles,
    /// Test data.
    Fixtures,
    /// A data base.
    Data,
    /// A cluster.
    Cluster,
    /// Systems of production.
    Production,
    /// Hooks of version control.
    Hooks,
    /// The network.
    Network,
    /// Linters.
    Linter,
    /// The type checker.
    Types,
    /// The build.
    Build,
    /// Files of a language, by its endings.
    Language(&'static [&'static str]),
}

/// Kinds by the stems of the words that name them.
const WORDS: &[(Kind, &[&str])] = &[
    (Kind::Tests, &["test", "testsuit", "spec", "suit", "e2e"]),
    (Kind::Snapshots, &["snapshot", "golden"]),
    (Kind::Locks, &["lockfil", "lock"]),
    (Kind::Manifests, &["manifest"]),
    (Kind::Dependencies, &["depend", "dep", "librari", "lib", "gem", "crate", "packag"]),
    (Kind::Docs, &["doc", "document"]),
    (Kind::Changelog, &["changelog"]),
    (Kind::Readme, &["readm"]),
    (Kind::Ci, &["ci", "workflow", "pipelin"]),
    (Kind::Env, &["dotenv"]),
    (Kind::Config, &["config", "configur", "set"]),
    (Kind::Migrations, &["migrat"]),
    (Kind::Schema, &["schema"]),
    (Kind::Generated, &["generat", "autogener"]),
    (Kind::Vendored, &["vendor"]),
    (Kind::Translations, &["translat", "local"]),
    (Kind::Styles, &["stylesheet", "css"]),
    (Kind::Fixtures, &["fixtur"]),
    (Kind::Data, &["databas", "db", "warehous", "tabl", "row", "column", "record", "dataset"]),
    (Kind::Cluster, &["cluster", "k8s", "kubernet"]),
    (Kind::Production, &["prod", "product"]),
    (Kind::Hooks, &["hook"]),
    (Kind::Network, &["network", "internet", "web", "onlin"]),
    (Kind::Linter, &["lint", "linter"]),
    (Kind::Types, &["typecheck", "type-check"]),
    (Kind::Build, &["build"]),
    (Kind::Language(&["py"]), &["python"]),
    (Kind::Language(&["ts", "tsx"]), &["typescript"]),
    (Kind::Language(&["js", "jsx", "mjs"]), &["javascript"]),
    (Kind::Language(&["sql"]), &["sql"]),
    (Kind::Language(&["yml", "yaml"]), &["yaml"]),
    (Kind::Language(&["json"]), &["json"]),
    (Kind::Language(&["proto"]), &["proto", "protobuf"]),
    (Kind::Language(&["ipynb"]), &["notebook"]),
    (Kind::Language(&["md", "mdx"]), &["markdown"]),
];

impl Kind {
    /// The kind that a word names, by its stem. "Local" and "set" have the stems of "locale" and "settings", and name none.
    pub(super) fn of_word(word: &Word<'_>) -> Option<Self> {
        let stem = word.lemma.as_str();
        let own = WORDS.iter().find(|(_, words)| words.contains(&stem)).map(|(kind, _)| *kind);
        own.filter(|_| !word.is(&["local", "locally", "set", "sets"]))
    }

    /// Whether the file at a path is of this kind.
    pub(super) fn covers(self, path: &str) -> bool {
        let low = path.to_lowercase();
        let name = low.rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let folder = |names: &[&str]| low.rsplit('/').skip(1).any(|part| names.contains(&part));
        let starts = |names: &[&str]| names.iter().any(|it| name.starts_with(it));
        match self {
            Self::Tests => is_test_file(path),
            Self::Snapshots => {
                ending == "snap"
                    || folder(&["__snapshots__", "snapshots", "golden", "goldens"])
                    || name.contains(".golden")
            }
            Self::Locks => is_lock(name),
            Self::Manifests | Self::Dependencies => is_manifest(path) || is_lock(name),
            Self::Docs => matches!(ending, "md" | "mdx" | "rst" | "adoc") || folder(&["docs", "doc"]),
            Self::Changelog => starts(&["changelog", "changes.", "history."]) || folder(&[".changeset", "changelog.d"]),
            Self::Readme => starts(&["readme"]),
            Self::Ci => {
                low.contains(".github/workflows/")
                    || folder(&[".circleci", ".buildkite", ".github"])
                    || starts(&[".gitlab-ci", "jenkinsfile", "azure-pipelines", ".travis"])
            }
            Self::Env => starts(&[".env"]),
            Self::Config => {
                folder(&["config", "conf", "configs", "settings", ".config"])
                    || matches!(ending, "ini" | "toml" | "yml" | "yaml" | "cfg" | "conf" | "properties")
                    || name.contains("config")
                    || name.contains("settings")
                    || starts(&["."]) && (ending.starts_with("rc") || name.ends_with("rc"))
            }
            Self::Migrations => {
                low.split(['/', '_', '-', '.']).any(|it| it.starts_with("migrat"))
                    || folder(&["versions"]) && low.contains("alembic")
            }
            Self::Schema => {
                low.split(['/', '_', '-', '.']).any(|it| it.starts_with("schema"))
                    || matches!(ending, "graphql" | "proto" | "prisma")
            }
            Self::Generated => {
                folder(&["generated", "gen", "__generated__", "dist", "build"])
                    || name.contains(".generated.")
                    || name.contains(".gen.")
                    || name.contains("_pb2")
                    || name.ends_with(".pb.go")
                    || name.ends_with(".g.dart")
            }
            Self::Vendored => folder(&["vendor", "third_party", "third-party", "node_modules", "vendored"]),
            Self::Translations => {
                folder(&["locales", "locale", "i18n", "lang", "translations", "l10n"])
                    || matches!(ending, "po" | "pot" | "arb" | "xliff" | "strings")
            }
            Self::Styles => matches!(ending, "css" | "scss" | "sass" | "less" | "styl"),
            Self::Fixtures => folder(&["fixtures", "fixture", "testdata", "__fixtures__"]),
            Self::Language(endings) => endings.contains(&ending),
            Self::Data
            | Self::Cluster
            | Self::Production
            | Self::Hooks
            | Self::Network
            | Self::Linter
            | Self::Types
            | Self::Build => false,
        }
    }
}

fn is_lock(name: &str) -> bool {
    name.ends_with(".lock")
        || name.ends_with(".lockb")
        || name.ends_with(".resolved")
        || name.ends_with(".lock.hcl")
        || matches!(
            name,
            "package-lock.json"
                | "pnpm-lock.yaml"
                | "go.sum"
                | "npm-shrinkwrap.json"
                | "packages.lock.json"
                | "mix.lock"
        )
}

/// Manifests that name the dependencies of a project, without their locks.
pub(super) fn is_manifest(path: &str) -> bool {
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
            | "libs.versions.toml"
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
