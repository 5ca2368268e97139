//! A disk that takes no more and a folder that may not be written: writing is refused in words, reading goes on.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::Place;

const AUDIT: &str = "audit prompt.txt report.md --store s.db -q --json";

/// A user who owns nothing, for a test that runs as one who may do anything.
const NOBODY: u32 = 65_534;

fn shell(folder: &Path, script: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_steadfast");
    Command::new("sh").arg("-c").arg(script).arg("sh").arg(program).current_dir(folder).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn runs(place: &Place) -> usize {
    place.steadfast("runs list --store s.db --limit 1000").status(0).stdout.lines().count()
}

#[test]
fn a_limit_on_the_length_of_files_is_said_and_reading_goes_on() {
    let place = Place::pair();
    place.steadfast(AUDIT).status(0);
    let before = runs(&place);
    // In blocks of 512 bytes; the signal that would end the program is passed over, so that writing fails as on a full disk.
    let kib = fs::metadata(place.path("s.db")).unwrap().len() / 512 + 8;
    let full = format!("trap '' XFSZ; ulimit -f {kib}; exec \"$1\" {AUDIT}");
    let mut refusals = 0;
    for _ in 0..20 {
        let output = shell(place.root(), &full);
        if output.status.code() != Some(0) {
            assert_eq!(output.status.code(), Some(4), "{}", said(&output));
            let stderr = said(&output);
            assert!(stderr.starts_with("error: s.db: the disk ") && stderr.contains("\nhint: "), "{stderr}");
            assert!(output.stdout.is_empty(), "nothing is told of a run that is not kept");
            refusals += 1;
        }
    }
    assert!(refusals > 0, "the limit was never reached");
    let kept = runs(&place);
    assert_eq!(kept, before + 20 - refusals, "what was acknowledged is there, and nothing else");
    place.steadfast(AUDIT).status(0);
    assert_eq!(runs(&place), kept + 1, "with room it goes on");
}

#[test]
fn a_full_disk_is_said_and_reading_goes_on() {
    // A small disk needs a mount, which not everybody may make: then the test above stands for it.
    let place = Place::pair().with("disk/x", "");
    let can = "unshare --map-root-user --mount sh -c 'mount -t tmpfs -o size=64k none disk'";
    if !shell(place.root(), can).status.success() {
        return;
    }
    let script = "unshare --map-root-user --mount sh -c '
        mount -t tmpfs -o size=900k none disk && cp prompt.txt report.md disk && cd disk || exit 9
        \"$1\" audit prompt.txt report.md --store s.db -q --json > /dev/null || exit 8
        dd if=/dev/zero of=filler bs=1k 2> /dev/null
        \"$1\" audit prompt.txt report.md --store s.db -q --json; echo \"status $?\"
        \"$1\" runs list --store s.db
        rm filler
        \"$1\" audit prompt.txt report.md --store s.db -q --json > /dev/null || exit 7
        \"$1\" runs list --store s.db | wc -l
    ' sh \"$1\"";
    let output = shell(place.root(), script);
    let stdout = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{stdout}{}", said(&output));
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[2].trim()), (3, "status 4", "2"), "{stdout}");
    assert!(lines[1].contains(" audit "), "{stdout}");
    assert!(said(&output).starts_with("error: s.db: "), "{}", said(&output));
}

#[test]
fn a_folder_that_may_not_be_written_is_said_and_reading_goes_on() {
    let place = Place::pair();
    place.steadfast(AUDIT).status(0);
    let writable = fs::metadata(place.root()).unwrap().permissions();
    fs::set_permissions(place.root(), Permissions::from_mode(0o555)).unwrap();
    // Whoever may write nevertheless runs the program as somebody who may not.
    let privileged = fs::write(place.path("probe"), "").is_ok();
    let program = if privileged {
        fs::remove_file(place.path("probe")).unwrap();
        for name in ["", "s.db", "prompt.txt", "report.md"] {
            chown(place.path(name), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        // The folder of the program may be closed to others.
        let program = place.path("steadfast");
        fs::copy(env!("CARGO_BIN_EXE_steadfast"), &program).unwrap();
        program
    } else {
        env!("CARGO_BIN_EXE_steadfast").into()
    };
    let run = |arguments: &str| {
        let mut command = Command::new(&program);
        command.args(arguments.split_whitespace()).current_dir(place.root());
        if privileged {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.output().unwrap()
    };
    let audit = run(AUDIT);
    let list = run("runs list --store s.db");
    let copy = run("backup copy.db --store s.db");
    fs::set_permissions(place.path("s.db"), Permissions::from_mode(0o444)).unwrap();
    let list_again = run("runs list --store s.db");
    fs::set_permissions(place.root(), writable).unwrap();
    assert_eq!((audit.status.code(), audit.stdout.is_empty()), (Some(4), true));
    assert!(said(&audit).starts_with("error: s.db: may not be read and written\nhint: "), "{}", said(&audit));
    for list in [list, list_again] {
        assert_eq!(list.status.code(), Some(0), "{}", said(&list));
        assert!(String::from_utf8(list.stdout).unwrap().contains(" audit "));
    }
    assert_eq!(copy.status.code(), Some(4), "{}", said(&copy));
    assert!(said(&copy).starts_with("error: copy.db: may not be read and written\n"), "{}", said(&copy));
}
