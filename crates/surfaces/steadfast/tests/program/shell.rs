//! `steadfast completions` and `steadfast man`: what shells and `man` are given is what `--help` says.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::process::Command;

use crate::common::Place;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// The verbs that a help text lists.
fn verbs(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The long options that a help text lists.
fn options(help: &str) -> BTreeSet<String> {
    let starts = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words = starts.filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
    words.map(|word| word.trim_end_matches(',').to_owned()).collect()
}

/// What bash offers for the last of these words.
fn offered(words: &[&str]) -> Vec<String> {
    let place = Place::empty();
    let script = place.steadfast("completions bash").status(0).stdout;
    let place = place.with("steadfast.bash", script);
    let last = words.len() - 1;
    let before = if last == 0 { "" } else { words[last - 1] };
    let ask = format!(
        "source ./steadfast.bash; COMP_WORDS=({}); COMP_CWORD={last}; _steadfast steadfast '{}' '{before}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.join(" "),
        words[last]
    );
    let output = Command::new("bash").args(["--norc", "-c", &ask]).current_dir(place.root()).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_verbs_options_and_values() {
    assert_eq!(offered(&["steadfast", "aud"]), ["audit"]);
    assert_eq!(offered(&["steadfast", "plan", "con"]), ["constraints"]);
    assert_eq!(offered(&["steadfast", "audit", "--fail"]), ["--fail-below", "--fail-on"]);
    assert_eq!(offered(&["steadfast", "audit", "--format", "j"]), ["json", "junit"]);
    assert_eq!(offered(&["steadfast", "nothing-of-ours-x"]), [""]);
}

#[test]
fn every_shell_gets_every_verb_and_the_same_bytes_each_time() {
    let place = Place::empty();
    let verbs = verbs(&place.steadfast("--help").status(0).stdout);
    assert!(verbs.len() > 15, "{verbs:?}");
    let mut scripts = BTreeSet::new();
    for shell in SHELLS {
        let script = place.steadfast(&format!("completions {shell}")).status(0);
        assert_eq!(script.stderr, "");
        for verb in &verbs {
            assert!(script.stdout.contains(verb.as_str()), "{shell}: {verb}");
        }
        assert_eq!(place.steadfast(&format!("completions {shell}")).stdout, script.stdout);
        scripts.insert(script.stdout);
    }
    assert_eq!(scripts.len(), SHELLS.len());
}

#[test]
fn an_unknown_shell_is_refused_with_those_that_are_known() {
    let end = Place::empty().steadfast("completions tcsh");
    assert_eq!((end.status, end.stdout.as_str()), (2, ""));
    assert!(end.stderr.contains("'tcsh'") && end.stderr.contains(&SHELLS.join(", ")), "{}", end.stderr);
}

#[test]
fn every_verb_has_its_manual_page_with_all_its_options() {
    let place = Place::empty();
    let end = place.steadfast("man --out-dir pages").status(0);
    assert_eq!(end.stdout, "");
    let mut expected = BTreeSet::from(["pages/steadfast.1".to_owned()]);
    let mut left: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(path) = left.pop() {
        let help = place.steadfast(&format!("{} --help", path.join(" "))).status(0).stdout;
        let page = format!("pages/{}.1", [vec!["steadfast".to_owned()], path.clone()].concat().join("-"));
        let text = place.read(&page);
        for option in options(&help) {
            assert!(text.contains(&option.replace('-', "\\-")), "{page}: {option}");
        }
        // No date: the same program gives the same page on every day.
        let title = text.lines().find(|line| line.starts_with(".TH ")).unwrap();
        assert!(title.contains(" 1  \"steadfast ") || title.contains(" 1 \"\" \"steadfast "), "{title}");
        expected.insert(page);
        left.extend(verbs(&help).into_iter().map(|verb| [path.clone(), vec![verb]].concat()));
    }
    assert_eq!(place.files().into_iter().collect::<BTreeSet<_>>(), expected);
    assert_eq!(end.stderr, format!("note: wrote {} pages to pages\n", expected.len()));
    assert_eq!(place.steadfast("man").status(0).stdout, place.read("pages/steadfast.1"));
    let before: Vec<String> = expected.iter().map(|name| place.read(name)).collect();
    place.steadfast("man --out-dir pages -q").status(0);
    assert_eq!(expected.iter().map(|name| place.read(name)).collect::<Vec<_>>(), before);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let place = Place::empty().with("there", "a file");
    place.steadfast("man --out-dir there").refused(2, "error: there: stands in the way, and is no folder");
}
