//! `cargo xtask dist`, and what it hands out as somebody uses it who has nothing else: the archive, and the wheel in an environment of its own.
//!
//! The program is the one that was built for the tests; `cargo xtask python` installs pytest. Where one of them is missing this test fails.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// What is asked of the package from Python.
const RUN: &str = include_str!("run.py");
/// Tests of somebody else, one of which must fail.
const TESTS: &str = include_str!("drift.py");

fn target() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_xtask")).ancestors().nth(2).unwrap()
}

fn python() -> PathBuf {
    let python = target().join("python/bin/python");
    assert!(python.exists(), "the Python packages are not installed\nhint: `cargo xtask python` installs them");
    python
}

/// Runs a command that must end well, and gives what it wrote to stdout.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = ended(command);
    assert!(output.status.success(), "{command:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[track_caller]
fn ended(command: &mut Command) -> Output {
    command.env_remove("PYTHONPATH").env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A copy of the program without what only a debugger reads, so that it is packed in seconds.
fn program(folder: &Path) -> PathBuf {
    let built = target().join("debug/steadfast");
    assert!(built.is_file(), "the program is not built\nhint: `cargo build --workspace` builds it");
    let program = folder.join("built");
    run(Command::new("strip").arg("-o").args([&program, &built]));
    program
}

fn dist(arguments: &[&str]) -> Output {
    ended(Command::new(env!("CARGO_BIN_EXE_xtask")).arg("dist").args(arguments))
}

/// The one file of a folder whose name ends so.
fn only(folder: &Path, end: &str) -> PathBuf {
    let mut found = names(folder).into_iter().filter(|name| name.ends_with(end));
    let name = found.next().unwrap();
    assert_eq!(found.next(), None);
    folder.join(name)
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn what_is_handed_out_works_where_nothing_else_is() {
    let place = TempDir::new().unwrap();
    let program = program(place.path());
    let out = place.path().join("dist");
    let arguments = ["--binary", program.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let made = dist(&arguments);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let version = format!("steadfast {}\n", env!("CARGO_PKG_VERSION"));
    let (archive, wheel) = (only(&out, ".tar.gz"), only(&out, ".whl"));
    let told: BTreeSet<String> = text(&made.stdout).lines().map(|line| line.replace("dist: ", "")).collect();
    assert_eq!(told, names(&out));
    assert_eq!(run(Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&out)), "");
    unpacked(&archive, place.path(), &version);
    installed(&wheel, place.path(), &version);
    // The same program gives the same bytes, also where something else stands in the folder.
    let before = fs::read(out.join("SHA256SUMS")).unwrap();
    fs::write(out.join("notes.txt"), "of somebody else").unwrap();
    assert!(dist(&arguments).status.success());
    assert_eq!(fs::read(out.join("SHA256SUMS")).unwrap(), before);
}

/// The archive has one folder, in which the program runs and everything beside it is there.
fn unpacked(archive: &Path, place: &Path, version: &str) {
    run(Command::new("tar").args(["--extract", "--gzip", "--file"]).arg(archive).arg("--directory").arg(place));
    let name = archive.file_name().unwrap().to_str().unwrap();
    let folder = place.join(name.strip_suffix(".tar.gz").unwrap());
    let program = folder.join("steadfast");
    assert_eq!(run(Command::new(&program).arg("--version")), version);
    let expected =
        "CHANGELOG.md LICENSE-APACHE LICENSE-MIT README.md THIRD-PARTY-LICENCES.txt completions man steadfast";
    assert_eq!(names(&folder).into_iter().collect::<Vec<_>>().join(" "), expected);
    let scripts = [("bash", "steadfast.bash"), ("fish", "steadfast.fish"), ("zsh", "_steadfast")];
    for (shell, script) in scripts {
        let said = run(Command::new(&program).args(["completions", shell]));
        assert_eq!(fs::read_to_string(folder.join("completions").join(script)).unwrap(), said);
    }
    let pages = names(&folder.join("man/man1"));
    assert!(pages.contains("steadfast.1") && pages.contains("steadfast-plan-check.1"), "{pages:?}");
    let licences = fs::read_to_string(folder.join("THIRD-PARTY-LICENCES.txt")).unwrap();
    assert!(licences.contains("\nrusqlite ") && !licences.contains("\nproptest "));
}

/// The wheel, in an environment that has nothing else: the program, the module, `steadfast.run`, and the plugin of pytest.
fn installed(wheel: &Path, place: &Path, version: &str) {
    let environment = place.join("environment");
    run(Command::new(python()).args(["-m", "venv"]).arg(&environment));
    let inside = environment.join("bin/python");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"];
    run(Command::new(&inside).args(pip).arg(wheel));
    assert_eq!(run(Command::new(environment.join("bin/steadfast")).arg("--version")), version);
    assert_eq!(run(Command::new(&inside).args(["-m", "steadfast", "--version"])), version);
    let folder = place.join("user");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("run.py"), RUN).unwrap();
    fs::write(folder.join("test_drift.py"), TESTS).unwrap();
    assert_eq!(run(Command::new(&inside).arg("run.py").current_dir(&folder)), "as it should be\n");
    // pytest is in the other environment: its packages are put behind those of this one.
    let packages = run(Command::new(python()).args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]));
    let mut pytest = Command::new(&inside);
    pytest.args(["-m", "pytest", "-p", "no:cacheprovider", "-p", "no:anyio", "--color=no", "-q", "test_drift.py"]);
    pytest.current_dir(&folder).env("PYTHONPATH", packages.trim_end()).env("PYTHONDONTWRITEBYTECODE", "1");
    let output = pytest.output().unwrap();
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
    for part in [
        "1 failed, 3 passed",
        "asked:  “Banned words: blockchain”",
        "report: “The catalogue stands on a blockchain.” report.md, byte",
        "FAILED test_drift.py::test_a_report_that_drifted",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert!(!said.contains("pytest_plugin.py"), "a failure shows no code of the plugin\n{said}");
}

#[test]
fn what_cannot_be_handed_out_is_refused() {
    let place = TempDir::new().unwrap();
    let out = place.path().join("dist");
    let refused = |arguments: &[&str], because: &str| {
        let mut arguments = arguments.to_vec();
        arguments.extend(["--out", out.to_str().unwrap()]);
        let output = dist(&arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(because) && !out.exists(), "{said}");
    };
    refused(&["--target", "wasm32-wasip1"], "`wasm32-wasip1` is no target that dist knows: x86_64-unknown-linux-gnu, ");
    refused(&["--binary", "nowhere"], "nowhere: No such file");
    refused(&["--binary", env!("CARGO_BIN_EXE_xtask")], "--version ended with");
    refused(&["--binary", "/bin/true"], "is not the program of this repository: it says \"true ");
    refused(&["--colour", "red"], "not `--colour red`");
    let named = ["--binary", env!("CARGO_BIN_EXE_xtask"), "--target", "aarch64-unknown-linux-gnu"];
    refused(&named, "`--target` says nothing beside it");
}
