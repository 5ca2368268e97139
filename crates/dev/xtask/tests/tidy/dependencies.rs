//! Who may use whom, and which crate alone may name which dependency.

use std::collections::BTreeSet;

use cargo_metadata::DependencyKind;

use crate::house::{holds, metadata, place, text};

/// The house from its foundation up: a crate uses only crates that stand before it here.
const HOUSE: &[(&str, &str)] = &[
    ("foundation", "kernel"),
    ("foundation", "steps"),
    ("foundation", "text"),
    ("foundation", "time"),
    ("foundation", "calendar"),
    ("foundation", "session"),
    ("foundation", "annotate"),
    ("foundation", "evidence"),
    ("foundation", "ask"),
    ("foundation", "embed"),
    ("foundation", "grounding"),
    ("foundation", "dialogue"),
    ("instruments", "pick"),
    ("instruments", "plan"),
    ("instruments", "watch"),
    ("instruments", "review"),
    ("instruments", "audit"),
    ("application", "wire"),
    ("application", "engine"),
    ("application", "exam"),
    ("application", "render"),
    ("adapters", "net"),
    ("adapters", "chat"),
    ("adapters", "store"),
    ("adapters", "export"),
    ("adapters", "notify"),
    ("surfaces", "mcp"),
    ("surfaces", "server"),
    ("surfaces", "steadfast"),
    ("dev", "testkit"),
    ("dev", "faults"),
    ("dev", "measure"),
    ("dev", "xtask"),
];

/// Every dependency from outside that a crate of ours may name, and which crates may. A dependency that is not listed may
/// not be used: the line that adds it here says who owns it.
const OWNERS: &[(&str, &[&str])] = &[
    ("anstream", &["steadfast"]),
    ("anyhow", &["xtask"]),
    ("askama", &["render", "server"]),
    ("axum", &["mcp", "server"]),
    // In `engine` for signatures of webhooks.
    ("base64", &["engine", "xtask"]),
    // Files of callers are opened from an open folder, so that none leads out of it.
    ("cap-fs-ext", &["steadfast"]),
    ("cap-std", &["steadfast"]),
    ("cargo_metadata", &["xtask"]),
    // The arguments, and what shells and `man` are told of them.
    ("clap", &["wire", "steadfast", "measure"]),
    ("clap_complete", &["steadfast"]),
    ("clap_mangen", &["steadfast"]),
    // Whether what was made from a vault and kept beside it is whole.
    ("crc32fast", &["engine"]),
    ("flate2", &["server", "xtask"]),
    ("frostem", &["annotate"]),
    // Which files of a folder are taken into a vault.
    ("futures-util", &["exam"]),
    ("globset", &["engine"]),
    ("html5gum", &["text"]),
    ("hyper", &["server"]),
    ("hyper-util", &["server"]),
    // The cases that ship: some folders of `data/`.
    ("include_dir", &["exam"]),
    ("indicatif", &["steadfast"]),
    // Its civil dates are the vocabulary of `time`; whoever compares dates that `time` read names them.
    // `engine` looks zones up by name, `render` puts a day in its order, and the binary reads the clock.
    (
        "jiff",
        &["time", "calendar", "ask", "plan", "audit", "engine", "exam", "render", "measure", "server", "steadfast"],
    ),
    // A hook is put into the settings of the program that calls it.
    ("jsonc-parser", &["wire"]),
    // The kernel asks for large pages, the one call to the system that the standard library has no word for.
    ("libc", &["kernel"]),
    // What a program needs of the machine that it runs on, for the name of its wheel.
    ("object", &["xtask"]),
    // The messages of OTLP, and how they are written; by them `server` tests what it reads by itself, within limits of its own.
    ("opentelemetry-proto", &["export", "server"]),
    // Addresses: what is in them is written and read by one rule.
    ("percent-encoding", &["render", "store", "export", "mcp", "server", "steadfast"]),
    ("prost", &["export", "server"]),
    ("pulldown-cmark", &["text"]),
    ("quick-junit", &["render"]),
    ("rayon", &["engine"]),
    // The one HTTP client of the house, with its TLS: rustls on ring. Roots are those of the machine, else those built in.
    ("reqwest", &["net"]),
    ("rustix", &["steadfast"]),
    ("rustls", &["net"]),
    ("rustls-native-certs", &["net"]),
    ("webpki-roots", &["net"]),
    // The protocol that agents' hosts speak to their tools.
    ("rmcp", &["mcp"]),
    ("saphyr", &["engine"]),
    ("csv", &["engine"]),
    // `steps` counts what is searched; `annotate` and `ask` name types of it. In `engine` for what the user has taken out of texts.
    ("regex", &["steps", "annotate", "ask", "engine", "measure"]),
    // The one data base of the house: nothing above `store` knows which it is.
    ("rusqlite", &["store"]),
    ("rust_decimal", &["time", "annotate", "evidence", "ask", "plan", "audit"]),
    ("safetensors", &["embed"]),
    // Closed vocabularies are published as the crates that decide by them define them, and derive `serde` and `schemars` where they stand.
    ("schemars", &["evidence", "pick", "plan", "watch", "review", "audit", "wire"]),
    // `dialogue` reads what a model wrote more strictly than the parser does by itself; `render` reads results as their types, `export` writes the form of another: Opik's.
    (
        "serde",
        &[
            "evidence", "dialogue", "pick", "plan", "watch", "review", "audit", "wire", "exam", "render", "measure",
            "export", "mcp", "server", "testkit",
        ],
    ),
    // `review` asks whether a code block that says it is JSON or TOML is; `pick` and `grounding` read what `steadfast-measure calibrate` wrote;
    // `ask` asks whether an answer that must be JSON is.
    (
        "serde_json",
        &[
            "ask",
            "grounding",
            "dialogue",
            "wire",
            "exam",
            "render",
            "measure",
            "chat",
            "export",
            "mcp",
            "server",
            "pick",
            "review",
            "testkit",
        ],
    ),
    ("serde_path_to_error", &["wire"]),
    // `render` names its own style and script by hash in the page's content security policy; `net` checks what it fetched.
    ("sha2", &["engine", "render", "net", "xtask"]),
    ("signal-hook", &["steadfast"]),
    // What a change of settings is, line by line.
    ("similar", &["steadfast"]),
    ("tar", &["xtask"]),
    (
        "thiserror",
        &[
            "text", "calendar", "embed", "pick", "engine", "wire", "exam", "render", "measure", "net", "chat", "store",
            "export", "mcp", "server", "testkit", "faults",
        ],
    ),
    // The runtime that `net`, `chat` and `mcp` need; the binary starts it, `export` and `notify` have one of their own for what they send.
    ("tokio", &["net", "chat", "export", "notify", "mcp", "server", "steadfast"]),
    // `review` reads code blocks that say they are TOML, the binary its settings.
    ("toml", &["review", "steadfast", "testkit"]),
    // What people write around decisions in a file stays when one is changed.
    ("toml_edit", &["steadfast"]),
    ("tower", &["server"]),
    ("unicode-normalization", &["text", "annotate", "embed"]),
    // Old tables, and the ones by which the embedding model's reference tells accents, punctuation and control characters.
    ("unicode_categories", &["embed"]),
    // The engine reads runs, `net` takes model files out of a Python package, `xtask` makes one.
    ("zip", &["engine", "net", "xtask"]),
];

/// What tests and benches may use in any crate.
const DEV: &[&str] = &[
    "cargo_metadata",
    "criterion",
    // A body that comes in pieces.
    "http-body",
    "insta",
    // A plan is asked for at a time in a zone.
    "jiff",
    // What reads OTLP by itself is held against the official messages.
    "opentelemetry-proto",
    // How modules use one another is read from their tokens.
    "proc-macro2",
    "proptest",
    "prost",
    "serde",
    "serde_json",
    "steadfast-testkit",
    "tempfile",
    // Load comes over many connections at a time.
    "tokio",
    "toml",
    // A router is called without a connection.
    "tower",
    "zip",
];

fn rank(storey: &str, name: &str) -> Option<usize> {
    HOUSE.iter().position(|place| *place == (storey, name))
}

#[test]
fn every_crate_has_its_place() {
    let mut breaches = Vec::new();
    for package in &metadata().packages {
        let (storey, name) = place(package);
        if rank(&storey, &name).is_none() {
            breaches.push(format!("crates/{storey}/{name} is in no storey of HOUSE"));
        }
        let expected =
            if ["steadfast", "xtask"].contains(&name.as_str()) { name.clone() } else { format!("steadfast-{name}") };
        if package.name.as_str() != expected {
            breaches.push(format!("crates/{storey}/{name} is named `{}`, not `{expected}`", package.name));
        }
    }
    holds("a crate stands in the storey that the list gives it, under its own name", &breaches);
}

#[test]
fn a_crate_uses_only_what_stands_below_it() {
    let mut breaches = Vec::new();
    for package in &metadata().packages {
        let (storey, name) = place(package);
        for dependency in package.dependencies.iter().filter(|it| it.kind != DependencyKind::Development) {
            let Some(path) = &dependency.path else { continue };
            let (used_storey, used) = (path.parent().unwrap().file_name().unwrap(), path.file_name().unwrap());
            if rank(used_storey, used) >= rank(&storey, &name) {
                breaches.push(format!("`{name}` uses `{used}`, which does not stand below it"));
            }
            if storey == "instruments" && used_storey == "instruments" {
                breaches.push(format!("`{name}` uses `{used}`: no instrument knows another"));
            }
            if used_storey == "dev" {
                breaches.push(format!("`{name}` uses `{used}` outside its tests"));
            }
        }
    }
    holds("a crate uses only crates that stand below it", &breaches);
}

#[test]
fn a_dependency_is_named_only_by_its_owner() {
    let mut breaches = Vec::new();
    for package in &metadata().packages {
        let (_, name) = place(package);
        for dependency in package.dependencies.iter().filter(|it| it.path.is_none()) {
            let outside = dependency.name.as_str();
            if dependency.kind == DependencyKind::Development {
                if !DEV.contains(&outside) {
                    breaches.push(format!("tests of `{name}` use `{outside}`, which is not in DEV"));
                }
                continue;
            }
            match OWNERS.iter().find(|(owned, _)| *owned == outside) {
                None => breaches.push(format!("`{name}` uses `{outside}`, which nobody owns in OWNERS")),
                Some((_, owners)) if !owners.contains(&name.as_str()) => {
                    breaches.push(format!("`{name}` uses `{outside}`, which belongs to {owners:?}"));
                }
                Some(_) => {}
            }
        }
    }
    holds("a dependency from outside is named by its owner alone", &breaches);
}

#[test]
fn what_is_owned_is_used() {
    let used: BTreeSet<&str> =
        metadata().packages.iter().flat_map(|package| &package.dependencies).map(|it| it.name.as_str()).collect();
    let idle: Vec<String> =
        OWNERS.iter().map(|(owned, _)| (*owned).to_owned()).filter(|owned| !used.contains(owned.as_str())).collect();
    holds("a dependency in OWNERS is used by somebody", &idle);
}

/// The one crate that may hold unsafe code: it repeats the workspace's lints, but for that one.
const UNSAFE: &str = "kernel";

/// The lints in tables under this name, one a line.
fn lints(manifest: &str, tables: &str) -> String {
    let tables = format!("[{tables}.");
    let mut inside = false;
    let mut lints = String::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.starts_with(&tables);
        } else if inside && !line.is_empty() {
            lints += line;
            lints.push('\n');
        }
    }
    lints
}

#[test]
fn versions_and_lints_come_from_the_workspace() {
    let mut breaches = Vec::new();
    let lints = lints(&text("Cargo.toml"), "workspace.lints");
    for package in &metadata().packages {
        let manifest = std::fs::read_to_string(&package.manifest_path).unwrap();
        let (storey, name) = place(package);
        if name == UNSAFE {
            let own = self::lints(&manifest, "lints").replace("unsafe_code = \"deny\"", "unsafe_code = \"forbid\"");
            for lint in lints.lines().filter(|lint| !own.lines().any(|it| it == *lint)) {
                breaches.push(format!("crates/{storey}/{name} does not repeat the workspace's lint `{lint}`"));
            }
        } else if !manifest.contains("[lints]\nworkspace = true") {
            breaches.push(format!("crates/{storey}/{name} does not take the workspace's lints"));
        }
        let mut in_dependencies = false;
        for line in manifest.lines().map(str::trim) {
            if line.starts_with('[') {
                in_dependencies = line.ends_with("dependencies]");
            } else if in_dependencies && line.contains('=') && !line.contains("workspace = true") {
                breaches.push(format!("crates/{storey}/{name}: `{line}` does not come from the workspace"));
            }
        }
    }
    holds("versions and lints stand in one place", &breaches);
}
