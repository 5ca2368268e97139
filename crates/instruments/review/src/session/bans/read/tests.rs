use super::*;
use crate::session::bans::action::Order;

#[track_caller]
fn check(text: &str, expect: &[(&str, Action)]) {
    let asked = [Asked { text: text.to_owned(), turn: 1 }];
    let got: Vec<(String, Action)> =
        bans(&asked).into_iter().filter(|it| it.demand.is_none()).map(|it| (it.quote, it.action)).collect();
    let expect: Vec<(String, Action)> =
        expect.iter().map(|(quote, action)| ((*quote).to_owned(), action.clone())).collect();
    assert_eq!(got, expect, "{text}");
}

#[track_caller]
fn covers(text: &str, inside: &[&str], outside: &[&str]) {
    let asked = [Asked { text: text.to_owned(), turn: 1 }];
    let all: Vec<Ban> =
        bans(&asked).into_iter().filter(|it| it.demand.is_none() && it.action == Action::Edit).collect();
    for path in inside {
        assert!(all.iter().any(|it| it.object.covers(path)), "{text} forbids {path}: {all:?}");
    }
    for path in outside {
        assert!(!all.iter().any(|it| it.object.covers(path)), "{text} leaves {path} free: {all:?}");
    }
}

#[test]
fn bans_of_many_wordings() {
    check("Fix it. Don't commit.", &[("Don't commit", Action::Commit)]);
    check("dont push and dont open a pr", &[("dont push", Action::Push), ("dont open a pr", Action::OpenRequest)]);
    check("Never force-push.", &[("Never force-push", Action::ForcePush)]);
    check("No new dependencies!", &[("No new dependencies", Action::Depend)]);
}

#[test]
fn objects_are_paths_kinds_and_words() {
    covers("Do not touch src/auth, please.", &["src/auth/a.ts"], &["src/authors.ts", "src/b.ts"]);
    covers("only edit tests, please", &["src/a.rs"], &["tests/a.rs"]);
    covers("migrations/ is off limits", &["db/migrations/1.sql"], &["src/a.rs"]);
    covers("Don't touch anything outside src/api.", &["lib/a.ts"], &["src/api/a.ts"]);
    covers("Leave the README alone.", &["README.md"], &["docs/a.md"]);
    covers("Change nothing.", &["src/a.rs"], &[]);
    covers("Keep your hands off the lockfile.", &["yarn.lock", "package-lock.json"], &["package.json"]);
    covers("Please stay out of the payment module.", &["src/payments/a.py"], &["src/auth/a.py"]);
    covers("The tests must not be changed.", &["tests/a.py"], &["src/a.py"]);
    covers("Don't change the public API of src/api.py.", &[], &["src/api.py"]);
    covers("Limit your changes to `app/models`.", &["app/views/a.rb"], &["app/models/a.rb"]);
}

#[test]
fn programs_and_commands() {
    check(
        "we use pnpm here, not npm",
        &[
            ("not npm", Action::Program("npm".into())),
            ("use pnpm", Action::Program("yarn".into())),
            ("use pnpm", Action::Program("bun".into())),
        ],
    );
    check("Don't run npm install.", &[("Don't run npm install", Action::Install)]);
    check("No network please.", &[("No network", Action::Network)]);
    check("ask me before deleting anything", &[("ask me before deleting anything", Action::Delete)]);
    check("Please don't commit to main.", &[("Please don't commit to main", Action::Commit)]);
    check("Do not apply it.", &[("Do not apply it", Action::Named("apply".into()))]);
}

#[test]
fn what_is_lifted_bound_or_told_is_no_ban() {
    for text in [
        "Don't commit yet. Never mind, commit it once tests are green.",
        "Don't commit unless lint passes.",
        "The hook does not commit.",
        "It doesn't push notifications.",
        "There is no need to commit.",
        "Not sure why they don't push.",
        "I am not seeing a network request.",
        "Don't forget to push.",
        "Don't break deploys.",
    ] {
        check(text, &[]);
    }
}

#[test]
fn another_turn_lifts_from_there_on() {
    let asked =
        [Asked { text: "Don't push.".to_owned(), turn: 1 }, Asked { text: "Looks good, push it.".to_owned(), turn: 9 }];
    assert_eq!(bans(&asked)[0].until, Some(9));
}

#[test]
fn demands_with_their_order() {
    let of = |text: &str| {
        bans(&[Asked { text: text.to_owned(), turn: 1 }]).into_iter().filter_map(|it| it.demand).collect::<Vec<_>>()
    };
    assert_eq!(of("Fix it. Run the tests before you finish."), [Order::Last]);
    assert_eq!(of("Please run `make check`."), [Order::Any]);
    assert_eq!(of("Please run `yarn size` before and after the change."), [Order::Both]);
    assert_eq!(of("Add an entry to CHANGELOG.md."), [Order::Any]);
    assert_eq!(of("Tell me how to run the tests."), []);
    assert_eq!(of("Don't run the tests."), []);
    assert_eq!(of("Then run any checks or tests that you want."), []);
}

#[test]
fn what_is_said_of_a_subject() {
    covers("package.json stays byte for byte what it is now.", &["package.json"], &["src/a.js"]);
    covers(
        "The originals in data/raw are evidence and have to remain exactly as delivered.",
        &["data/raw/a.csv"],
        &["a.py"],
    );
    covers("The vendored code is not ours so it stays exactly like upstream.", &["vendor/a.go"], &["src/a.go"]);
    covers("Every .unity file is for us alone to save.", &["Assets/a.unity"], &["a.cs"]);
    covers("The config folder is none of your business.", &["config/a.yml"], &["src/a.rs"]);
    check("Force-pushing is out of the question.", &[("Force-pushing is out of the question", Action::ForcePush)]);
    check("Committing is my job, not yours.", &[("Committing is my job", Action::Commit)]);
    check("Amending it would undo two weeks of my work.", &[("Amending it would undo", Action::Rewrite)]);
    covers("Keep mobile/package.json out of your diff.", &["mobile/package.json"], &["web/package.json"]);
    check("Merging it is up to Lena.", &[("Merging it is up to Lena", Action::Merge)]);
    check("Only commit when I say so.", &[("Only commit when I", Action::Commit)]);
    check("Leave pushing to me.", &[("Leave pushing to me", Action::Push)]);
    check("I'm the only one who pushes here.", &[("only one who pushes here", Action::Push)]);
    check("Keep it all offline.", &[("Keep it all offline", Action::Network)]);
    check("Leave the result in my tree uncommitted.", &[("Leave the result in my tree uncommitted", Action::Commit)]);
}

#[test]
fn what_alone_is_allowed() {
    covers("You edit _test.go files, nothing else.", &["a.go"], &["a/b_test.go"]);
    covers("Change it in locales/en.json only, please.", &["locales/de.json"], &["locales/en.json"]);
    covers("src/api is yours and not one file outside of it.", &["lib/a.ts"], &["src/api/a.ts"]);
    covers("All changes belong in src/ui.", &["src/a.ts"], &["src/ui/a.ts"]);
    covers("Work exclusively in app/models.", &["app/views/a.rb"], &["app/models/a.rb"]);
    covers("All you may change is src/parser.rs.", &["src/a.rs"], &["src/parser.rs"]);
    covers("You have my permission to edit src/a.rs and only that.", &["src/b.rs"], &["src/a.rs"]);
    covers("Nothing in db/ may be altered.", &["db/a.sql"], &["src/a.rs"]);
    covers("requirements.txt should not change.", &["requirements.txt"], &["setup.py"]);
    covers("Keep your edits within ~/code/a.", &["~/.zshrc"], &["b.py", "~/code/a/b.py"]);
    check("Stdlib only please.", &[("Stdlib only", Action::Depend)]);
    let rivals = [("yarn for everything", "npm"), ("yarn for everything", "pnpm"), ("yarn for everything", "bun")];
    check("yarn for everything please", &rivals.map(|(quote, name)| (quote, Action::Program(name.into()))));
}

#[test]
fn what_tells_how_something_is_forbids_nothing() {
    for text in [
        "The page remains as it was after the update.",
        "The linter is not happy about src/a.ts.",
        "Add a check so that admins cannot push to main.",
        "The tests cannot run without docker.",
        "It is listed as 'no update' in the mail.",
        "Deleting a user would break the foreign key.",
        "The quiet flag should keep the output silent.",
        "Don't start refactoring.",
        "That's it, thanks!",
        "Catch you later.",
        "Nothing in the logs explains it.",
        "Our CI installs nothing.",
        "I don't see any commits in the log.",
        "The worker should not restart when the config changes.",
        "The push is on me.",
    ] {
        check(text, &[]);
    }
}

#[test]
fn the_rest_is_what_was_not_named() {
    let text = "Please correct seeds/codes.csv. The rest of the seeds/ folder is to be left as you find it.";
    covers(text, &["seeds/other.csv"], &["seeds/codes.csv"]);
}

#[test]
fn demands_in_other_words() {
    let of = |text: &str| {
        let all = bans(&[Asked { text: text.to_owned(), turn: 1 }]);
        all.into_iter().filter_map(|it| it.demand.map(|order| (it.action, order))).collect::<Vec<_>>()
    };
    assert_eq!(of("Write every finding to docs/RUNBOOK.md."), [(Action::Edit, Order::Any)]);
    assert_eq!(of("Start by running the tests."), [(Action::Run, Order::First)]);
    assert_eq!(of("Finish by running `make check`."), [(Action::Run, Order::Last)]);
    assert_eq!(of("See that the full suite has been through after your last edit."), [(Action::Run, Order::Last)]);
    assert_eq!(of("Would you start a branch called x before touching any file?"), [(Action::Branch, Order::First)]);
    assert_eq!(
        of("Before you claim it is done I want `go test ./...` to have been run."),
        [(Action::Run, Order::Last)]
    );
    assert_eq!(of("Run `make unit` and `make e2e`."), [(Action::Run, Order::Any), (Action::Run, Order::Any)]);
    assert_eq!(of("Committing is my job."), []);
    assert_eq!(of("It would run the tests."), []);
}
