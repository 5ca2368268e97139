use super::*;

#[track_caller]
fn check(script: &str, expect: &[&str]) {
    let got: Vec<String> = commands(script).iter().map(Command::line).collect();
    assert_eq!(got, expect, "{script}");
}

#[test]
fn lists_and_pipes() {
    check("cd app && npm test 2>&1 | tail -5; echo done", &["cd app", "npm test", "tail -5", "echo done"]);
    let all = commands("cd app && npm test || true");
    let joined: Vec<Joined> = all.iter().map(|it| it.joined).collect();
    assert_eq!(joined, [Joined::Then, Joined::And, Joined::Or]);
    assert_eq!(all[1].directory.as_deref(), Some("app"));
    check("a & b\nc", &["a", "b", "c"]);
    check("", &[]);
    check("# git push\nls # git push", &["ls"]);
}

#[test]
fn quotes_keep_words_together() {
    check("git commit -m \"never git push; ok\" && ls", &["git commit -m never git push; ok", "ls"]);
    check("echo 'git push' \"a\\\"b\" c\\ d", &["echo git push a\"b c d"]);
    check("grep -rn 'git push && rm -rf' .", &["grep -rn git push && rm -rf ."]);
    check("echo 'open", &["echo open"]);
}

#[test]
fn scripts_within_scripts() {
    check("bash -lc 'cd x && git push'", &["cd x", "git push"]);
    check("sh -c \"bash -c 'git push'\"", &["git push"]);
    check("eval \"git push\"", &["git push"]);
    check("docker exec web sh -c 'npm test'", &["npm test"]);
    check("echo $(git push --force)", &["git push --force", "echo $(git push --force)"]);
    check("echo \"now: `git rev-parse HEAD`\"", &["git rev-parse HEAD", "echo now: `git rev-parse HEAD`"]);
    check("bash <<'EOF'\ngit push\nEOF\nls", &["git push", "ls"]);
    check("cat > a.sh <<EOF\ngit push\nEOF\nls", &["cat", "ls"]);
    check("ssh -i k web-1 'cd x && git pull'", &["ssh -i k web-1 cd x && git pull", "cd x", "git pull"]);
    assert!(commands("ssh web-1 ls")[1].remote);
    check("bash script.sh -c x", &["bash script.sh -c x"]);
}

#[test]
fn assignments_and_wrappers_are_taken_off() {
    let all = commands("CI=1 FOO='a b' sudo -u root env X=1 timeout 60 cargo test --locked");
    assert_eq!(all[0].line(), "cargo test --locked");
    assert_eq!(all[0].env, ["CI=1", "FOO=a b", "X=1"]);
    check("FOO=bar", &[]);
    check("find . -name '*.py' | xargs -n 1 rm", &["find . -name *.py", "rm"]);
    check("if make; then git push; fi", &["make", "git push"]);
    check("for f in *.md; do rm $f; done", &["rm $f"]);
    check("(cd a && ls); pwd", &["cd a", "ls", "pwd"]);
    assert_eq!(commands("(cd a && ls); pwd")[2].directory, None);
}

#[test]
fn redirections() {
    let all = commands("echo x > out.txt 2>/dev/null; cat <in.txt >>log 2>&1");
    assert_eq!(all[0].writes, ["out.txt"]);
    assert_eq!((all[1].words.len(), all[1].writes.as_slice()), (1, ["log".to_owned()].as_slice()));
    assert_eq!(commands("cat > a.py <<'PY'\nx = 1\nPY")[0].input.as_deref(), Some("x = 1\n"));
}

#[test]
fn levels_are_bounded() {
    let deep = |levels: usize| format!("{}ls{}", "echo $(".repeat(levels), ")".repeat(levels));
    assert!(commands(&deep(DEPTH_MAX)).iter().any(|it| it.line() == "ls"));
    assert!(!commands(&deep(DEPTH_MAX + 1)).iter().any(|it| it.line() == "ls"));
    assert_eq!(commands(&"ls;".repeat(COMMANDS_MAX + 1)).len(), COMMANDS_MAX);
    let long = format!("{} && git push", "x".repeat(SCRIPT_BYTES_MAX));
    assert_eq!(commands(&long).len(), 1);
}

proptest::proptest! {
    #[test]
    fn nothing_breaks_it(script in "[ -~\n'\"`$(){}<>&|;\\\\é]{0,200}") {
        let _ = commands(&script);
    }
}
