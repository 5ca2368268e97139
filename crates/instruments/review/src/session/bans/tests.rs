use steadfast_session::{Author, Call, Edit, Outcome, Session, Turn};

use super::*;

/// A session: words of the user, command lines (`$ …`, what they print behind it) and edits (`edit PATH`), each a turn.
fn session(turns: &[&str]) -> Session {
    let of = |(at, text): (usize, &&str)| {
        let call = |call: Call| Turn { calls: vec![call], ..Turn::said(at + 1, Author::Agent, "") };
        let outcome = |text: &str| Some(Outcome { text: text.to_owned(), exit: Some(0), ..Outcome::default() });
        if let Some(own) = text.strip_prefix("$ ") {
            let (line, printed) = own.split_once('\n').unwrap_or((own, ""));
            return call(Call { command: Some(line.to_owned()), outcome: outcome(printed), ..Call::default() });
        }
        match text.strip_prefix("edit ") {
            Some(path) => {
                let edits = vec![Edit::replaced(path, "a", "b")];
                call(Call { tool: "Edit".to_owned(), edits, outcome: outcome(""), ..Call::default() })
            }
            None => Turn::said(at + 1, Author::User, *text),
        }
    };
    Session { turns: turns.iter().enumerate().map(of).collect(), ..Session::default() }
}

/// The calls that break what was asked, by what they run or change.
fn broken(turns: &[&str]) -> Vec<String> {
    let session = session(turns);
    let all = breaks(&super::super::ask(&session), &super::super::deeds::deeds(&session));
    all.into_iter().map(|it| it.deed).collect()
}

#[test]
fn an_exception_counts_from_its_turn_on() {
    let edit = "edit src/a.rs";
    assert_eq!(broken(&["Don't touch src/.", edit, "src/a.rs is fine.", edit]), ["Edit src/a.rs"]);
    assert_eq!(broken(&["Don't touch anything in src/ please. But src/a.rs is fine.", edit]), [""; 0]);
}

#[test]
fn exceptions_of_a_ban_are_bounded() {
    let paths: Vec<String> = (0..60).map(|at| format!("src/f{at}.rs is fine.")).collect();
    let asked = [("Don't touch src/.".to_owned(), 1), (paths.join(" "), 2)];
    let asked: Vec<Asked> = asked.into_iter().map(|(text, turn)| Asked { text, turn, file: None }).collect();
    assert_eq!(bans(&asked)[0].spared.len(), read::SPARED_MAX);
}

#[test]
fn what_installs_is_no_check() {
    let ask = "Fix it. Run the tests before you finish.";
    assert_eq!(broken(&[ask, "edit src/a.js", "$ npm ci"]).len(), 1);
    assert_eq!(broken(&[ask, "edit src/a.js", "$ npm run ci"]), [""; 0]);
}

#[test]
fn local_changes_are_no_translations() {
    let ask = "Don't discard local changes.";
    assert_eq!(broken(&[ask, "$ git checkout ."]), ["git checkout ."]);
    assert_eq!(broken(&["Don't touch the locales.", "edit locales/de.json"]).len(), 1);
}

#[test]
fn options_may_stand_before_what_git_is_asked_to_do() {
    assert_eq!(broken(&["Don't push to main.", "$ git -C app push origin main"]).len(), 1);
    assert_eq!(broken(&["Don't push to main.", "$ git -C app push origin fix"]), [""; 0]);
    assert_eq!(broken(&["Don't create a branch.", "$ git branch --contains abc", "$ git checkout main"]), [""; 0]);
    assert_eq!(broken(&["Don't create a branch.", "$ git -C app branch x"]).len(), 1);
    assert_eq!(
        broken(&["Don't switch branches.", "$ git checkout a.py", "$ git checkout main"]),
        ["git checkout main"]
    );
}

#[test]
fn the_branch_is_the_one_that_was_last_gone_to() {
    let ask = "Don't commit to main.";
    assert_eq!(broken(&[ask, "$ git status\nOn branch main", "$ git commit -m x"]).len(), 1);
    assert_eq!(broken(&[ask, "$ git status\nOn branch main", "$ git checkout -b x", "$ git commit -m x"]), [""; 0]);
}

#[test]
fn breaks_are_bounded() {
    let mut turns = vec!["Don't push, don't commit."];
    turns.extend(std::iter::repeat_n("$ git push", BREAKS_OF_ONE_MAX + 5));
    assert_eq!(broken(&turns).len(), BREAKS_OF_ONE_MAX);
    let bans: Vec<String> = (0..20).map(|at| format!("Don't touch src/f{at}.rs.")).collect();
    let bans = bans.join(" ");
    let edits: Vec<String> = (0..300).map(|at| format!("edit src/f{}.rs", at % 20)).collect();
    let turns: Vec<&str> = std::iter::once(bans.as_str()).chain(edits.iter().map(String::as_str)).collect();
    assert_eq!(broken(&turns).len(), BREAKS_MAX);
}

/// Each call looked through all before it, for each ban.
#[test]
fn a_long_session_is_read_in_linear_time() {
    let ask: Vec<String> = (0..60)
        .map(|at| format!("Don't create files under d{at}/. Don't touch src{at}/. Don't push to main."))
        .collect();
    let ask = ask.join(" ");
    let calls: Vec<String> = (0..3_000)
        .flat_map(|at| {
            [
                format!("$ cat > new{at}/a.rs\n{}", "src/b.rs | 2 +- ".repeat(4)),
                format!("$ gofmt -w x{at}.go\nsrc{at}.rs"),
            ]
        })
        .collect();
    let turns: Vec<&str> = std::iter::once(ask.as_str()).chain(calls.iter().map(String::as_str)).collect();
    assert_eq!(broken(&turns), [""; 0]);
}
