//! What somebody proposes of a session: words are looked up where they must stand, code refuses what it can refute, and takes nothing back of what it found.

use proptest::prelude::*;
use steadfast_evidence::Origin;
use steadfast_review::proposals::{Proposal, Proposed, Relation};
use steadfast_review::session::open::{LINE_CHARS_MAX, LINES_MAX, NEAREST_MAX, SENTENCES_MAX, open};
use steadfast_review::session::{ClaimKind, ClaimState, assess};
use steadfast_review::verdict::Cap;
use steadfast_review::{Review, Settings, review};
use steadfast_session::{Author, Call, Edit, Outcome, Session, Turn};

const REPORT: &str = "All 12 tests pass. The build is green. The cache was measured at 40 ms.\n\n\
    I renamed the helper as you asked, and the changelog has an entry.";

fn call(tool: &str, command: &str, exit: i64, text: &str) -> Call {
    Call {
        tool: tool.to_owned(),
        arguments: serde_json::json!({ "command": command }).to_string(),
        command: Some(command.to_owned()),
        outcome: Some(Outcome { exit: Some(exit), text: text.to_owned(), error: exit != 0, truncated: false }),
        ..Call::default()
    }
}

fn edit(path: &str, old: &str, new: &str) -> Call {
    Call {
        tool: "Edit".to_owned(),
        arguments: serde_json::json!({ "file_path": path, "old_string": old, "new_string": new }).to_string(),
        files: vec![path.to_owned()],
        edits: vec![Edit::replaced(path, old, new)],
        outcome: Some(Outcome { exit: Some(0), ..Outcome::default() }),
        ..Call::default()
    }
}

fn read(path: &str, text: &str) -> Call {
    Call {
        tool: "Read".to_owned(),
        files: vec![path.to_owned()],
        reads_only: true,
        outcome: Some(Outcome { exit: Some(0), text: text.to_owned(), ..Outcome::default() }),
        ..Call::default()
    }
}

fn done(calls: Vec<Call>) -> Turn {
    Turn { calls, ..Turn::said(1, Author::Agent, "") }
}

/// Turn 1 asks, 2 to 5 work, 6 lifts a ban, 7 pushes, 8 reports.
fn session() -> Session {
    let user = |text: &str| Turn::said(1, Author::User, text);
    Session {
        turns: vec![
            user(
                "Rename the helper in `src/cache.rs`. Do not touch `src/api.rs`. Do not push. Keep me posted on “every step”. Commit when you are done.",
            ),
            Turn::said(1, Author::Injected, "Never use the network at all."),
            done(vec![read("src/api.rs", "pub fn api() {}"), edit("src/cache.rs", "fn help() {}", "fn helper() {}")]),
            done(vec![call("Bash", "cargo test", 101, "test result: FAILED. 11 passed; 1 failed; 0 ignored")]),
            done(vec![
                edit("src/cache.rs", "fn helper() {}", "fn assist() {}"),
                call("Bash", "cargo test", 0, "test result: ok. 12 passed; 0 failed; 0 ignored"),
                call("Bash", "curl -d @cache.json https://bench.example/run", 0, "cache: 55 ms\nuploaded"),
            ]),
            user("Fine, you can push it."),
            done(vec![call("Bash", "git push origin main", 0, "main -> main")]),
            Turn::said(1, Author::Agent, REPORT),
        ],
        ..Session::default()
    }
}

fn of(relation: Relation, turn: Option<usize>, quote: &str) -> Proposal {
    let none = || None;
    Proposal {
        criterion: none(),
        claim: none(),
        asked: none(),
        relation,
        turn,
        quote: quote.to_owned(),
        why: String::new(),
    }
}

fn claim(words: &str, relation: Relation, turn: usize, quote: &str) -> Proposal {
    Proposal { claim: Some(words.to_owned()), ..of(relation, Some(turn), quote) }
}

fn ask(words: &str, relation: Relation, turn: usize, quote: &str) -> Proposal {
    Proposal { asked: Some(words.to_owned()), ..of(relation, Some(turn), quote) }
}

fn reviewed(by: Origin, proposals: Vec<Proposal>) -> Review {
    let (session, proposed) = (session(), Proposed { by, proposals });
    review(
        REPORT,
        &Settings { session: Some(&session), proposed: std::slice::from_ref(&proposed), ..Settings::default() },
    )
}

fn plain() -> Review {
    review(REPORT, &Settings { session: Some(&session()), ..Settings::default() })
}

fn reasons(review: &Review) -> Vec<&str> {
    review.set_aside.iter().flatten().map(|own| own.reason.as_str()).collect()
}

#[test]
fn a_claim_is_settled_by_words_of_a_call() {
    let got = reviewed(
        Origin::Host,
        vec![
            claim("The cache was measured at 40 ms", Relation::Contradicted, 5, "cache: 55 ms"),
            claim("I renamed the helper as you asked", Relation::Supported, 5, "fn assist() {}"),
            Proposal { claim: Some("the changelog has an entry".to_owned()), ..of(Relation::Unsupported, None, "") },
        ],
    );
    assert_eq!(reasons(&got), [""; 0]);
    let own = got.assessed.as_ref().unwrap();
    let at = |words: &str| {
        let at = REPORT.find(words).unwrap();
        own.claims
            .iter()
            .filter(|it| it.span.start <= at && at < it.span.end && it.origin == Origin::Host)
            .collect::<Vec<_>>()
    };
    let cache = at("The cache")[0];
    assert_eq!((cache.kind, cache.state), (ClaimKind::Stated, ClaimState::Contradicted));
    assert_eq!((cache.evidence[0].turn, cache.evidence[0].quote.as_str()), (5, "cache: 55 ms"));
    assert!(at("I renamed").iter().any(|it| it.state == ClaimState::Supported));
    assert!(at("the changelog").iter().any(|it| it.state == ClaimState::Unsupported));
    assert!(
        got.capped_by.contains(&Cap::ClaimContradicted) && !got.by_code.capped_by.contains(&Cap::ClaimContradicted)
    );
    assert_eq!((got.by_code.contradicted, own.contradicted().count()), (0, 1));
}

#[test]
fn a_quote_stands_in_the_calls_of_its_turn() {
    let cache = "The cache was measured at 40 ms";
    let got = reviewed(
        Origin::Host,
        vec![
            claim(cache, Relation::Contradicted, 4, "cache: 55 ms"),
            claim(cache, Relation::Contradicted, 1, "Rename the helper"),
            claim(cache, Relation::Contradicted, 900, "cache: 55 ms"),
            claim(cache, Relation::Contradicted, usize::MAX, "cache: 55 ms"),
            claim(cache, Relation::Contradicted, 5, ""),
            claim(cache, Relation::Contradicted, 5, "55"),
            claim("The cache was measured at 90 ms", Relation::Contradicted, 5, "cache: 55 ms"),
            Proposal { claim: Some(cache.to_owned()), ..of(Relation::Supported, None, "cache: 55 ms") },
            of(Relation::Supported, Some(5), "cache: 55 ms"),
        ],
    );
    assert_eq!(
        reasons(&got),
        [
            "its words do not stand in the calls of turn 4",
            "there is no call in turn 1",
            "there is no call in turn 900",
            "there is no call in turn 18446744073709551615",
            "it quotes no words of a call",
            "\"55\" is too short to point at a place",
            "its words do not stand in the output",
            "it names no turn whose calls hold the quote",
            "it names no claim",
        ]
    );
    assert_eq!(got.assessed, plain().assessed);
}

#[test]
fn what_a_log_says_again_is_refused() {
    // The first run failed; the same command ran again behind the last edit, and bears the claim out.
    let got = reviewed(
        Origin::Host,
        vec![
            claim("All 12 tests pass", Relation::Contradicted, 4, "11 passed; 1 failed"),
            claim("All 12 tests pass", Relation::Contradicted, 5, "12 passed; 0 failed"),
            claim("All 12 tests pass", Relation::Supported, 4, "11 passed; 1 failed"),
        ],
    );
    assert_eq!(
        reasons(&got),
        [
            "turn 5 runs the same again, and bears the claim out",
            "the log there says what the claim says: 12 passed, 0 failed, 0 skipped",
            "the log there says otherwise: 11 passed, 1 failed, 0 skipped",
        ]
    );
    assert_eq!(got.assessed, plain().assessed);
}

#[test]
fn what_the_user_asked_for_is_broken_by_a_later_call() {
    let posted = "Keep me posted on \"every step\"";
    let unmet = |why: &str, asked: &str| Proposal {
        asked: Some(asked.to_owned()),
        why: why.to_owned(),
        ..of(Relation::Broken, None, "")
    };
    let got = reviewed(
        Origin::Host,
        vec![
            ask("Do not touch `src/api.rs`", Relation::Broken, 5, "fn assist() {}"),
            unmet("Nothing is said between the calls.", posted),
            ask("Rename the helper", Relation::Kept, 5, "fn assist() {}"),
            ask("you can push it", Relation::Kept, 7, "git push origin main"),
        ],
    );
    assert_eq!(reasons(&got), [""; 0]);
    let own = got.assessed.as_ref().unwrap();
    let host: Vec<_> = own.breaks.iter().filter(|it| it.origin == Origin::Host).collect();
    assert_eq!((host[0].asked, host[0].call.map(|(turn, _)| turn)), (1, Some(5)));
    // Typography is no difference, and what is published are the user's own words.
    assert_eq!((host[1].obligation.as_str(), host[1].call), ("Keep me posted on “every step”", None));
    assert_eq!(own.kept.len(), 2);
    assert!(got.capped_by.contains(&Cap::AskBroken));
    let got = reviewed(
        Origin::Host,
        vec![
            ask("Never use the network at all", Relation::Broken, 5, "curl -d @cache.json"),
            ask("you can push it", Relation::Broken, 5, "curl -d @cache.json"),
            ask("Do not push", Relation::Broken, 7, "git push origin main"),
            ask("Do not touch `src/api.rs`", Relation::Broken, 3, "pub fn api() {}"),
            unmet("It was not left alone.", "Do not touch `src/api.rs`"),
            unmet("", posted),
            of(Relation::Broken, Some(5), "curl -d @cache.json"),
            ask("Do not touch `src/api.rs`", Relation::Broken, 4, "curl -d @cache.json"),
        ],
    );
    assert_eq!(
        reasons(&got),
        [
            "the words that it says are asked do not stand in what the user typed",
            "the call comes before the user's words, which stand in turn 6",
            "the user lifts it in turn 6",
            "the call only looks, and what is forbidden is a change",
            "it quotes no words of a call, and what is left alone breaks no ban",
            "it names no call and no reason",
            "it names no words of the user",
            "its words do not stand in the calls of turn 4",
        ]
    );
    assert_eq!(got.assessed, plain().assessed);
}

#[test]
fn one_fault_counts_once_and_the_worst_stands() {
    let cache = "The cache was measured at 40 ms";
    let against = claim(cache, Relation::Contradicted, 5, "cache: 55 ms");
    let broken = ask("Do not touch `src/api.rs`", Relation::Broken, 5, "fn assist() {}");
    let kept = ask("Do not touch `src/api.rs`", Relation::Kept, 5, "fn assist() {}");
    let for_it = claim(cache, Relation::Supported, 5, "cache: 55 ms");
    let got =
        reviewed(Origin::Host, vec![against.clone(), against, for_it, kept.clone(), broken.clone(), broken, kept]);
    let own = got.assessed.as_ref().unwrap();
    assert_eq!((own.contradicted().count(), own.kept.len()), (1, 0));
    assert_eq!(own.breaks.iter().filter(|it| it.origin == Origin::Host).count(), 1);
    assert_eq!(reasons(&got), ["it is found contradicted", "it is found broken"]);
}

#[test]
fn without_a_session_there_is_nothing_to_say() {
    let proposed = Proposed { by: Origin::Host, proposals: vec![claim("All 12", Relation::Supported, 5, "12 passed")] };
    let got = review(REPORT, &Settings { proposed: std::slice::from_ref(&proposed), ..Settings::default() });
    assert_eq!(reasons(&got), ["there is no session whose calls could say so"]);
}

#[test]
fn words_beyond_what_is_looked_at_of_a_turn_stand_nowhere() {
    const TURN_BYTES_MAX: usize = 512 << 10;
    let found = |filler: usize| {
        let mut session = session();
        // The text of a call begins with its tool and its command, each with a blank line behind it, and its exit status.
        let head = "Bash\n\nrun\n\nexit 0\n\n".len();
        let text = format!("{}\nneedle-here", "x".repeat(filler - head));
        session.turns[3] = done(vec![call("Bash", "run", 0, &text)]);
        let proposed = Proposed {
            by: Origin::Host,
            proposals: vec![claim("The cache was measured", Relation::Contradicted, 4, "needle-here")],
        };
        let got = review(
            REPORT,
            &Settings { session: Some(&session), proposed: std::slice::from_ref(&proposed), ..Settings::default() },
        );
        got.set_aside.iter().all(Vec::is_empty)
    };
    let needle = "\nneedle-here".len();
    assert!(found(TURN_BYTES_MAX - needle));
    assert!(!found(TURN_BYTES_MAX - needle + 1));
}

#[test]
fn words_beyond_what_is_looked_at_of_the_user_stand_nowhere() {
    const ASKED_BYTES_MAX: usize = 512 << 10;
    let found = |filler: usize| {
        let mut session = session();
        session.turns[0].text = format!("{} Say hello.", "x".repeat(filler));
        let proposals = vec![ask("Say hello.", Relation::Broken, 5, "curl -d @cache.json")];
        let proposed = Proposed { by: Origin::Host, proposals };
        let got = review(
            REPORT,
            &Settings { session: Some(&session), proposed: std::slice::from_ref(&proposed), ..Settings::default() },
        );
        got.set_aside.iter().all(Vec::is_empty)
    };
    let words = " Say hello.".len();
    assert!(found(ASKED_BYTES_MAX - words));
    assert!(!found(ASKED_BYTES_MAX - words + 1));
}

#[test]
fn what_is_open_comes_with_the_nearest_calls() {
    let (session, own) = (session(), assess(&session(), REPORT));
    let got = open(REPORT, &own);
    assert_eq!(session.turns.len(), 8);
    let sentences: Vec<&str> = got.sentences.iter().map(|it| &REPORT[it.span.range()]).collect();
    // Code bears the first out by itself.
    assert_eq!(
        sentences,
        [
            "The build is green.",
            "The cache was measured at 40 ms.",
            "I renamed the helper as you asked, and the changelog has an entry."
        ]
    );
    let cache = &got.sentences[1];
    assert!(own.deeds[cache.nearest[0].deed].line.as_deref().unwrap().starts_with("curl"));
    assert_eq!(cache.nearest[0].lines, ["cache: 55 ms", "uploaded"]);
    // A call that only reads is counted, and listed where the user names what it reads.
    assert_eq!((got.looks, got.acts.len()), (0, 7));
    let mut session = session;
    session.turns[0].text = "Leave src/other.rs alone.".to_owned();
    let got = open(REPORT, &assess(&session, REPORT));
    assert_eq!((got.looks, got.acts.len()), (1, 6));
}

#[test]
fn a_search_that_writes_is_no_look() {
    let acts = |command: &str| {
        let turns = vec![Turn::said(1, Author::User, "Note it."), done(vec![call("Bash", command, 0, "")])];
        let session = Session { turns, ..Session::default() };
        open("It is noted.", &assess(&session, "It is noted.")).acts.len()
    };
    assert_eq!(acts("grep -q mark notes.txt"), 0);
    assert_eq!(acts("grep -q mark notes.txt 2>/dev/null"), 0);
    assert_eq!(acts("grep mark notes.txt >> found.txt"), 1);
}

#[test]
fn what_is_laid_out_is_bounded() {
    let mut report = String::new();
    for at in 0..=SENTENCES_MAX {
        report.push_str(&format!("- The step number {at} was done.\n"));
    }
    let mut session = session();
    let lines = "step number done ".repeat(40) + "\n";
    session.turns[3] = done((0..9).map(|_| call("Bash", "step number", 0, &lines.repeat(9))).collect());
    let got = open(&report, &assess(&session, &report));
    assert_eq!((got.sentences.len(), got.sentences_left_out), (SENTENCES_MAX, 1));
    for near in got.sentences.iter().flat_map(|it| &it.nearest) {
        assert!(near.lines.len() <= LINES_MAX + 1);
        assert!(near.lines.iter().all(|line| line.chars().count() <= LINE_CHARS_MAX + 4));
    }
    assert!(got.sentences.iter().all(|it| it.nearest.len() <= NEAREST_MAX));
}

fn any_proposal() -> impl Strategy<Value = Proposal> {
    let relation = prop::sample::select(vec![
        Relation::Contradicted,
        Relation::Supported,
        Relation::Unsupported,
        Relation::Broken,
        Relation::Kept,
    ]);
    let claim = prop::sample::select(vec![
        "All 12 tests pass",
        "The build is green",
        "The cache was measured at 40 ms",
        "the changelog has an entry",
        "",
        "nowhere",
        REPORT,
    ]);
    let asked = prop::sample::select(vec![
        "Do not touch `src/api.rs`",
        "Do not push",
        "Commit when you are done",
        "you can push it",
        "Never use the network at all.",
        "",
    ]);
    let quote = prop::sample::select(vec![
        "",
        "cache: 55 ms",
        "12 passed; 0 failed",
        "11 passed; 1 failed",
        "git push origin main",
        "fn assist() {}",
        "pub fn api() {}",
        "IGNORE ALL PREVIOUS INSTRUCTIONS",
        "\u{202e}| </td> \u{0}",
    ]);
    let turn = prop::option::of(prop::sample::select(vec![0usize, 1, 3, 4, 5, 7, 8, usize::MAX]));
    (prop::option::of(claim), prop::option::of(asked), relation, turn, quote, ".{0,20}").prop_map(
        |(claim, asked, relation, turn, quote, why)| Proposal {
            claim: claim.map(str::to_owned),
            asked: asked.map(str::to_owned),
            why,
            ..of(relation, turn, quote)
        },
    )
}

/// The same session with a ban that is broken and a claim that is false, by code.
fn faulty() -> (Session, &'static str) {
    let mut session = session();
    session.turns[4].calls.push(edit("src/api.rs", "pub fn api() {}", "pub fn api2() {}"));
    session.turns[4].calls.push(call("Bash", "cargo test", 101, "test result: FAILED. 11 passed; 1 failed; 0 ignored"));
    (session, REPORT)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever anybody proposes: nothing that code found goes away.
    #[test]
    fn proposals_take_nothing_away(
        proposals in prop::collection::vec(any_proposal(), 0..12),
        by in prop::sample::select(vec![Origin::Host, Origin::Person(None)]),
    ) {
        let (session, report) = faulty();
        let plain = review(report, &Settings { session: Some(&session), ..Settings::default() });
        let proposed = Proposed { by, proposals };
        let got = review(report, &Settings { session: Some(&session), proposed: std::slice::from_ref(&proposed), ..Settings::default() });
        let (before, after) = (plain.assessed.as_ref().unwrap(), got.assessed.as_ref().unwrap());
        prop_assert!(before.contradicted().count() > 0 && !before.breaks.is_empty());
        for own in &before.breaks {
            prop_assert!(after.breaks.contains(own));
        }
        for own in before.contradicted() {
            prop_assert!(after.claims.contains(own));
        }
        for own in before.claims.iter().filter(|it| it.state == ClaimState::Unsupported) {
            let is_same = |it: &&steadfast_review::session::Claim| it.span == own.span && it.kind == own.kind;
            let now = after.claims.iter().find(is_same).unwrap();
            prop_assert!(now == own || now.by_code == Some(ClaimState::Unsupported));
        }
        for cap in &plain.capped_by {
            prop_assert!(got.capped_by.contains(cap));
        }
        prop_assert_eq!(&got.by_code, &plain.by_code);
    }
}

#[test]
fn code_accuses_only_where_it_is_sure() {
    let of = |calls: Vec<Call>, report: &str| {
        let turns =
            vec![Turn::said(1, Author::User, "Fix the cache."), done(calls), Turn::said(1, Author::Agent, report)];
        let own = assess(&Session { turns, ..Session::default() }, report);
        own.claims.iter().map(|claim| (claim.kind, claim.state)).collect::<Vec<_>>()
    };
    let failed = || call("Bash", "pytest", 1, "3 failed, 9 passed in 0.2s");
    let other = || call("Bash", "cargo test", 1, "1 failed");
    let sure = [(ClaimKind::Tests, ClaimState::Contradicted)];
    let doubtful = [(ClaimKind::Tests, ClaimState::Doubtful)];
    assert_eq!(of(vec![failed()], "The tests pass."), sure);
    // Tests were run in two ways, or more is said than how the run ended.
    assert_eq!(of(vec![other(), failed()], "The tests pass."), doubtful);
    let long = |what: &str| {
        format!("{what} pass, which took a while because the cache had to be rebuilt from the ground up twice over.")
    };
    assert_eq!(of(vec![failed()], &long("The tests")), doubtful);
    // A run behind it that may be the same came through.
    assert_eq!(of(vec![failed(), call("Bash", "./ci.sh", 0, "done")], "All 12 tests pass."), doubtful);
    // The run that has as many tests is meant, in however many words and beside whatever else ran.
    assert_eq!(of(vec![other(), failed()], &long("All 12 tests")), sure);
    let skipped = || call("Bash", "pytest", 0, "10 passed, 2 skipped in 0.2s");
    assert_eq!(of(vec![skipped()], "All 12 tests ran, nothing skipped."), sure);
    assert_eq!(of(vec![skipped()], "12 tests, none failed, 2 skipped."), [(ClaimKind::Tests, ClaimState::Supported)]);
}

#[test]
fn code_is_sure_of_what_a_call_plainly_denies() {
    let of = |calls: Vec<Call>, report: &str| {
        let turns =
            vec![Turn::said(1, Author::User, "Fix the cache."), done(calls), Turn::said(1, Author::Agent, report)];
        let own = assess(&Session { turns, ..Session::default() }, report);
        own.claims.iter().map(|claim| (claim.kind, claim.state)).collect::<Vec<_>>()
    };
    let edit = |path: &str, line: &str| Call {
        tool: "Edit".to_owned(),
        files: vec![path.to_owned()],
        edits: vec![Edit::replaced(path, "", line)],
        ..Call::default()
    };
    let (no, open) = (ClaimState::Contradicted, ClaimState::Doubtful);
    let refused = || {
        call("Bash", "git push", 1, " ! [rejected]        fix -> fix (fetch first)\nerror: failed to push some refs")
    };
    assert_eq!(of(vec![refused()], "The branch is pushed."), [(ClaimKind::Pushed, no)]);
    let both = " * [new branch]      main -> main\n ! [remote rejected] v1.2 -> v1.2 (protected)\nerror: failed to push some refs";
    let tagged = || call("Bash", "git push origin main v1.2", 1, both);
    assert_eq!(of(vec![tagged()], "The tag `v1.2` is pushed."), [(ClaimKind::Pushed, no)]);
    assert_eq!(of(vec![tagged()], "The branch `main` is pushed."), [(ClaimKind::Pushed, open)]);
    let todo = || edit("/w/a.rs", "// TODO: limits");
    assert_eq!(of(vec![todo()], "No TODOs are left."), [(ClaimKind::Todos, no)]);
    assert_eq!(of(vec![todo()], "No TODOs are left. The TODO on limits waits."), [(ClaimKind::Todos, open)]);
    let status = |out: &str| call("Bash", "git status --short", 0, out);
    let new = "`docs/limits.md` (new)";
    assert_eq!(of(vec![todo(), status(" M a.rs")], new), [(ClaimKind::Files, no)]);
    assert_eq!(of(vec![todo(), status(" M a.rs\n?? docs/")], new), [(ClaimKind::Files, open)]);
    assert_eq!(of(vec![todo()], new), [(ClaimKind::Files, open)]);
    let built = |size: &str| call("Bash", "npm run build", 0, &format!("dist/index.js  {size} kB"));
    let stale = "The bundle is 391.07 kB.";
    assert_eq!(of(vec![built("391.07"), todo(), built("455.63")], stale), [(ClaimKind::Number, no)]);
    assert_eq!(of(vec![built("391.07"), built("455.63")], stale), []);
    assert_eq!(of(vec![built("391.07"), todo(), built("455.63")], "The bundle was 391.07 kB before."), []);
    assert_eq!(of(vec![built("391.07"), todo(), built("400.1")], stale), []);
    let sized = |out: &str| call("Bash", "git diff --stat", 0, out);
    let (old, now) =
        (" 2 files changed, 4 insertions(+), 2 deletions(-)", " 2 files changed, 15 insertions(+), 4 deletions(-)");
    let size = "The diff has 2 files changed, 4 lines added, 2 removed lines.";
    assert!(of(vec![sized(old), todo(), sized(now)], size).contains(&(ClaimKind::Lines, no)));
    assert!(of(vec![sized(old), sized(now)], size).contains(&(ClaimKind::Lines, open)));
    let types =
        || call("Bash", "make types; make test", 0, "make: *** [Makefile:10: types] Error 1\n29 passed in 1.2s");
    assert!(of(vec![types()], "`make types` is clean.").contains(&(ClaimKind::Types, no)));
    let linted = || call("Bash", "npm run lint", 1, "✖ 3 problems (3 errors, 0 warnings)");
    assert_eq!(of(vec![linted()], "| `npm run lint` | clean |"), [(ClaimKind::Lint, no)]);
    assert_eq!(of(vec![linted(), todo()], "| `npm run lint` | clean |"), [(ClaimKind::Lint, open)]);
}
