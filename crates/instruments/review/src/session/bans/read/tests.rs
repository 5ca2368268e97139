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
