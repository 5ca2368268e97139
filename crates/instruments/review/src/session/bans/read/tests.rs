use super::*;
use crate::session::bans::action::Order;

#[track_caller]
fn check(text: &str, expect: &[(&str, Action)]) {
    let asked = [Asked { text: text.to_owned(), turn: 1, file: None }];
    let got: Vec<(String, Action)> =
        bans(&asked).into_iter().filter(|it| it.demand.is_none()).map(|it| (it.quote, it.action)).collect();
    let expect: Vec<(String, Action)> =
        expect.iter().map(|(quote, action)| ((*quote).to_owned(), action.clone())).collect();
    assert_eq!(got, expect, "{text}");
}

#[track_caller]
fn covers(text: &str, inside: &[&str], outside: &[&str]) {
    let asked = [Asked { text: text.to_owned(), turn: 1, file: None }];
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
fn what_is_forbidden_by_its_means_or_left_to_somebody() {
    check("Commit in small steps, but never with --no-verify.", &[("never with --no-verify", Action::SkipHooks)]);
    check("Rebase it on main, never with force.", &[("never with force", Action::ForcePush)]);
    check("Under no circumstances with a rebase.", &[("no circumstances with a rebase", Action::Rewrite)]);
    check("It works with Python 3, never with force majeure.", &[]);
    check("Leave the posting to me.", &[("Leave the posting to me", Action::Send)]);
    check("Leave everything uncommitted, please.", &[("Leave everything uncommitted", Action::Commit)]);
    check("Pushing is my job.", &[("Pushing is my job", Action::Push)]);
    check("The sending is for me.", &[("The sending is for me", Action::Send)]);
    check("Merging is up to Ana.", &[("Merging is up to Ana", Action::Merge)]);
    check("Deploying is my problem: it fails.", &[]);
    check("Pushing is up to date.", &[]);
    check("Amending is not an option.", &[("Amending is not an option", Action::Rewrite)]);
    check("--no-verify is strictly off the table.", &[("--no-verify is strictly off the table", Action::SkipHooks)]);
    check("Nothing goes out to production yet.", &[("Nothing goes out to production", Action::Deploy)]);
    check("Hands off kubectl.", &[("Hands off kubectl", Action::Program("kubectl".into()))]);
    check("Push nothing.", &[("Push nothing", Action::Push)]);
    check("Do not mark test_demux as xfail.", &[("Do not mark test_demux", Action::SkipTests)]);
    covers("Don't touch test_demux.", &["tests/test_demux.py"], &["tests/test_other.py"]);
    check("No commit before I have seen the diff.", &[("No commit", Action::Commit)]);
    check("No new branch, please.", &[("No new branch", Action::Branch)]);
    check("Do not deploy, since the sale runs until Sunday.", &[("Do not deploy", Action::Deploy)]);
    check("No new deps, the lock file is a mess already.", &[("No new deps", Action::Depend)]);
}

#[test]
fn what_tells_how_things_are_forbids_nothing() {
    for text in [
        "Nobody can deploy anything since Monday, find out why.",
        "Delete the helpers that nothing else uses.",
        "Don't fret about the leak.",
        "Don't be surprised that the tests fail.",
    ] {
        check(text, &[]);
    }
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
    check(
        "Do not touch the tests, and do not commit.",
        &[("Do not touch the tests", Action::Edit), ("do not commit", Action::Commit)],
    );
    check("Please don't commit to main.", &[("Please don't commit to main", Action::Commit)]);
    check("requirements.txt should not change.", &[("requirements.txt should not change", Action::Edit)]);
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
        "Please don't refactor.",
        // How things are, what is described, and what hangs on something else.
        "The event page is not updating.",
        "The tree structure is read-only after file upload.",
        "It only touches your config file.",
        "m.maxScroll is never written to.",
        "Nothing was written to disk.",
        "Add routeTree.gen.ts as auto-generated (do not edit manually).",
        "`check`: report-only (no modifications)",
        "| Delete | No | `entire explain` may push |",
        "Push the pair on a remote, no PR needed.",
        "If tests fail, don't commit.",
        "Plan it first without writing code.",
        "Support the subcommands start, stop, test and push.",
        "```\ndon't push\n```",
        "> don't push",
        "Customers should not see the change.",
    ] {
        check(text, &[]);
    }
}

#[test]
fn another_turn_lifts_from_there_on() {
    let asked = [
        Asked { text: "Don't push.".to_owned(), turn: 1, file: None },
        Asked { text: "Looks good, push it.".to_owned(), turn: 9, file: None },
    ];
    assert_eq!(bans(&asked)[0].until, Some(9));
}

#[test]
fn demands_with_their_order() {
    let of = |text: &str| {
        bans(&[Asked { text: text.to_owned(), turn: 1, file: None }])
            .into_iter()
            .filter_map(|it| it.demand)
            .collect::<Vec<_>>()
    };
    assert_eq!(of("Fix it. Run the tests before you finish."), [Order::Last]);
    assert_eq!(of("Please run `make check`."), [Order::Any]);
    assert_eq!(of("Please run `yarn size` before and after the change."), [Order::Both]);
    assert_eq!(of("Add an entry to CHANGELOG.md."), [Order::Any]);
    assert_eq!(of("Tell me how to run the tests."), []);
    assert_eq!(of("Don't run the tests."), []);
    assert_eq!(of("Then run any checks or tests that you want."), []);
}
