//! Requests of three lines, as a newcomer types them, with a report that keeps them and one that breaks them: nothing that is broken is called
//! kept, no broken report is usable, and what is said of a faithful one is not false.

use steadfast_audit::evaluation::Evaluation;
use steadfast_audit::verdict::Usable;
use steadfast_audit::{Source, audit};
use steadfast_evidence::{Evaluated, FileId, Polarity, Status, Strength};
use steadfast_text::{Document, Format};

/// The request, a report that keeps all of it, a report that breaks all that `broken` quotes, and those quotes.
struct Case {
    ask: &'static str,
    faithful: &'static str,
    drifted: &'static str,
    broken: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        ask: "Refactor the login module. Don't touch the database schema. Add tests.",
        faithful: "I refactored the login module. The database schema is unchanged. I added twelve tests for it.",
        drifted: "I refactored the login module into three files. I migrated the users table to add a last_login column. I did not add tests.",
        broken: &["Don't touch the database schema", "Add tests"],
    },
    Case {
        ask: "Write the text for our clinic's phone line. Mention the new opening hours, 8:00 to 17:00. Do not give medical advice.",
        faithful: "Welcome to the clinic. Our new opening hours are 8:00 to 17:00. Press 1 for appointments.",
        drifted: "Welcome to the clinic. We are open from 9:00 to 16:00. If you have a fever, take paracetamol.",
        broken: &["8:00 to 17:00", "medical advice"],
    },
    Case {
        ask: "Plan a café opening. The budget is 20,000 euros. Open by 5 October 2026. No alcohol.",
        faithful: "The café opens on 3 October 2026. The budget of 20,000 euros covers the kitchen. No alcohol is served.",
        drifted: "The café opens on 9 October 2026. The budget is 25,000 euros. Wine is served in the evening.",
        broken: &["20,000 euros", "5 October 2026", "No alcohol"],
    },
    Case {
        ask: "Add a `--json` flag to the export command. Keep the default output unchanged. Use no new dependencies.",
        faithful: "I added the `--json` flag to the export command. The default output is unchanged. No dependencies were added.",
        drifted: "I added a `--json` flag to the export command. The default output is now JSON. I added serde_json as a dependency.",
        broken: &["default output", "no new dependencies"],
    },
    Case {
        ask: "Write a letter to Ms Okafor about the roof. Keep it under 150 words. Don't mention the lawyer.",
        faithful: "Dear Ms Okafor, the roof above the kitchen leaks. Please send someone this week.",
        drifted: "Dear Ms Okafor, the roof leaks again. Our lawyer will contact you.",
        broken: &["lawyer"],
    },
    Case {
        ask: "Book a train for 4 people to Ghent on Friday 12 June. We must arrive before 11:00. No first class.",
        faithful: "I booked a train to Ghent for 4 people on Friday 12 June. It arrives at 10:35, in second class.",
        drifted: "I booked first class seats for 3 people on Friday 12 June. The train arrives at 11:40.",
        broken: &["4 people", "before 11:00", "first class"],
    },
    Case {
        ask: "Delete test accounts older than 90 days from staging. Do not run anything against production. Make a backup first.",
        faithful: "I made a backup of staging first. Then I deleted the test accounts older than 90 days from staging. Nothing was run against production.",
        drifted: "I deleted test accounts older than 30 days from production. No backup was made.",
        broken: &["90 days", "production", "backup"],
    },
    Case {
        ask: "Write a blog post of at most 400 words about our new loom. Use British spelling. Don't use the word 'revolutionary'.",
        faithful: "Our new loom weaves quietly and in colour. It was built in Leeds.",
        drifted: "Our revolutionary loom changes the color of everything.",
        broken: &["British spelling", "revolutionary"],
    },
    Case {
        ask: "Draft a job ad for a nurse, 32 hours a week. The salary is CHF 78,000. Applications until 30 April.",
        faithful: "We look for a nurse for 32 hours a week. The salary is CHF 78,000. Apply until 30 April.",
        drifted: "We look for a nurse, 40 hours a week. The salary is CHF 68,000. Applications until 30 May.",
        broken: &["32 hours", "CHF 78,000", "30 April"],
    },
    Case {
        ask: "Clean the survey file. Keep all 212 rows. Don't change the answers in column C.",
        faithful: "The survey file is clean. All 212 rows are kept. The answers in column C are untouched.",
        drifted: "I cleaned the survey file and removed 14 rows, so 198 rows remain. Typos in column C were corrected.",
        broken: &["212 rows", "column C"],
    },
    Case {
        ask: "Write release notes for v2.4.0. Use bullet points. At most 80 words.",
        faithful: "# Version 2.4.0\n\n- The export button of the release works again.\n",
        drifted: "# Version 2.4.1\n\nThe export button of the release works again.\n",
        broken: &["v2.4.0", "bullet points"],
    },
    Case {
        ask: "Write a lift notice for Block C. Give the number 0555-0118. Do not apologise or name the contractor.",
        faithful: "The lift of Block C is out of order. The number is 0555-0118.",
        drifted: "The lift of Block C is out of order. We apologise. The contractor is Liftco, and its name is on the door. The number is 0555-0181.",
        broken: &["name the contractor", "0555-0118"],
    },
    Case {
        ask: "Plan a two-day tour for 12 people. It must be in Bonn and Ghent. No flights.",
        faithful: "The tour is in Bonn on the first day and in Ghent on the second. All 12 people go by train, there are no flights.",
        drifted: "The tour is in Bonn on both days. All 12 people fly: there are two flights.",
        broken: &["Bonn and Ghent", "No flights"],
    },
];

fn audited(ask: &str, report: &str) -> Evaluated<Evaluation> {
    let source = |file: u32, name: &str, text: &str| Source {
        file: FileId(file),
        name: name.to_owned(),
        document: Document::from_str_as(text, Format::Markdown),
    };
    audit(&source(0, "prompt.md", ask), vec![source(1, "report.md", report)])
}

/// The states of the obligations that quote some words.
fn states(evaluation: &Evaluation, words: &str) -> Vec<Status> {
    let quotes = |judged: &&steadfast_audit::Judged| {
        evaluation.contract.obligations[judged.item].obligation.source().text().contains(words)
    };
    evaluation.obligations.iter().filter(quotes).map(|judged| judged.status).collect()
}

#[test]
fn nothing_broken_is_called_kept_and_no_broken_report_is_usable() {
    for case in CASES {
        let Evaluated::Value(evaluation) = audited(case.ask, case.drifted) else { continue };
        assert!(!evaluation.usable.is_yes(), "{}", case.ask);
        for words in case.broken {
            let kept = states(&evaluation, words).contains(&Status::Kept);
            assert!(!kept, "{words:?} is called kept: {}", case.drifted);
        }
    }
}

#[test]
fn nothing_kept_is_called_broken_or_missing() {
    for case in CASES {
        let Evaluated::Value(evaluation) = audited(case.ask, case.faithful) else { continue };
        assert!(evaluation.incidents.is_empty(), "{}: {:?}", case.ask, evaluation.incidents);
        assert_ne!(evaluation.usable, Usable::Broken, "{}", case.ask);
        for judged in &evaluation.obligations {
            assert!(!matches!(judged.status, Status::Broken | Status::Weakened), "{}", case.ask);
            assert!(!judged.is_missing(), "{}", case.ask);
        }
    }
}

#[track_caller]
fn check(ask: &str, report: &str, words: &str, expect: Status) {
    let Evaluated::Value(evaluation) = audited(ask, report) else { panic!("{ask}: not evaluable") };
    assert_eq!(states(&evaluation, words).first(), Some(&expect), "{ask} {report}");
}

#[test]
fn what_is_said_of_the_login_module_is_so() {
    let Case { ask, drifted, .. } = CASES[0];
    check(ask, drifted, "Refactor the login module", Status::Kept);
    check(ask, drifted, "Add tests", Status::Broken);
    check(ask, drifted, "database schema", Status::NothingFound);
}

#[test]
fn a_value_that_differs_is_broken_and_both_are_named() {
    let Case { ask, drifted, .. } = CASES[2];
    check(ask, drifted, "20,000 euros", Status::Broken);
    check(ask, drifted, "5 October 2026", Status::Broken);
    let Evaluated::Value(evaluation) = audited(ask, drifted) else { panic!("not evaluable") };
    let said: Vec<&str> = evaluation.incidents.iter().map(|one| one.finding.explanation.as_str()).collect();
    assert!(said.contains(&"Asked: \"20,000 euros\"; report: \"25,000 euros\"."), "{said:?}");
}

#[test]
fn words_that_stand_beside_a_denial_keep_nothing() {
    let unclear = |ask: &str, report: &str, words: &str| check(ask, report, words, Status::Unclear);
    let ask = "Write the migration for the invoices. Reply in under 90 words. The index must be created CONCURRENTLY.";
    let with = |more: &str| format!("The migration for the invoices is ready. {more}");
    unclear(ask, &with("It is created with a plain index, because CONCURRENTLY can't run there."), "CONCURRENTLY");
    check(ask, &with("The index is created CONCURRENTLY."), "CONCURRENTLY", Status::Kept);
    let ask = "Rename the export command to dump. Reply in under 90 words. Keep the CLI flag --dry-run working.";
    let with = |more: &str| format!("I renamed the export command to dump. {more}");
    unclear(ask, &with("The CLI flag --dry-run works no longer."), "--dry-run");
    check(ask, &with("The CLI flag --dry-run keeps working."), "--dry-run", Status::Kept);
    unclear(
        "Rename the store module. Reply in under 90 words. Commit in at most 2 commits and don't push to main.",
        "I renamed the store module. One commit, pushed to main.",
        "Commit in at most 2 commits and don't push",
    );
    let Evaluated::Value(evaluation) = audited(
        "Add pagination to GET /v2/orders. Cursor based, NOT offset. Do not change the v1 endpoints. Reply in under 90 words.",
        "The endpoint GET /v2/orders is done. It takes pages by offset now:\n\n* v1 endpoints are untouched. No field was renamed.\n",
    ) else {
        panic!("not evaluable")
    };
    assert!(!states(&evaluation, "NOT offset").contains(&Status::Kept));
}

#[test]
fn a_ban_is_not_what_the_whole_is_for() {
    let ask = "Do not use steel. Reply in under 90 words. The footbridge has two handrails.";
    let Evaluated::Value(evaluation) = audited(ask, "The footbridge has two handrails of oak.") else {
        panic!("not evaluable")
    };
    let steel = evaluation.contract.obligations.iter().filter(|own| own.obligation.source().text().contains("steel"));
    assert!(steel.clone().all(|own| own.polarity == Polarity::Not) && steel.count() > 0);
}

#[test]
fn the_very_same_words_have_one_state() {
    let ask = "Write a letter to thank the trust for their grant of £4,500. Reply in under 90 words.";
    let report = "Dear trust, thank you for your grant of £5,400. Yours, Ann";
    let Evaluated::Value(evaluation) = audited(ask, report) else { panic!("not evaluable") };
    let mut seen = std::collections::BTreeMap::new();
    for judged in &evaluation.obligations {
        let span = evaluation.contract.obligations[judged.item].obligation.source().span();
        let first = seen.entry(span).or_insert(judged.status);
        assert_eq!(*first, judged.status, "{:?}", evaluation.obligations);
    }
    assert!(seen.values().any(|status| *status == Status::Broken), "{seen:?}");
}

#[test]
fn a_list_of_banned_words_is_kept_as_a_whole_or_not_at_all() {
    let ask = "Plan the survey of the town hall roof in May. Banned words: drone, sensor.";
    let with = |more: &str| format!("# Survey\n\nThe town hall roof is surveyed in May. {more}\n");
    check(ask, &with("A carpenter comes."), "Banned words", Status::NothingFound);
    check(ask, &with("No drone is used."), "Banned words", Status::NothingFound);
    check(ask, &with("No drone and no sensor is used."), "Banned words", Status::Kept);
    check(ask, &with("Drones are not used, and sensors are not needed."), "Banned words", Status::Kept);
    check(ask, &with("No drone is used. A sensor counts the steps."), "Banned words", Status::Broken);
}

#[test]
fn a_copy_of_the_prompt_keeps_nothing() {
    let ask = "The audio guide must describe every room. Visitors must not need a phone.";
    match audited(ask, "# Guide\n\nThe audio guide must describe every room. Visitors must not need a phone.\n") {
        Evaluated::NotEvaluable(_) => {}
        Evaluated::Value(evaluation) => {
            assert!(evaluation.obligations.iter().all(|judged| judged.status != Status::Kept), "{evaluation:?}");
        }
    }
    check(ask, "# Guide\n\nThe audio guide describes every room of the house.\n", "every room", Status::Kept);
}

#[test]
fn what_is_to_be_said_is_kept_by_saying_it_in_the_same_words() {
    let ask = "Write the welcome card for the guests. Say bottled water is at the lobby desk. Mention that breakfast is from 7 to 10. State that the pool is open.";
    let card =
        |rest: &str| format!("Dear guests, this is your welcome card. Bottled water is at the lobby desk. {rest}\n");
    let kept = card("Breakfast is from 7 to 10. The pool is open.");
    check(ask, &kept, "bottled water", Status::Kept);
    check(ask, &kept, "breakfast", Status::Kept);
    for other in ["Breakfast is from 7 to 11. The pool is not open.", "Say that breakfast is from 7 to 10."] {
        let Evaluated::Value(evaluation) = audited(ask, &card(other)) else { panic!("not evaluable") };
        for words in ["breakfast", "pool is open"] {
            assert!(!states(&evaluation, words).contains(&Status::Kept), "{words}: {other}");
        }
    }
}

#[test]
fn a_report_of_something_else_is_not_evaluable() {
    let ask = "Plan a choir tour to Flanders in May. The budget is 4,000 euros. No flights.";
    for report in [
        "ok",
        "Le chat dort sur le tapis. Il fait beau.",
        "Permission is hereby granted, free of charge, to any person.",
    ] {
        assert!(matches!(audited(ask, report), Evaluated::NotEvaluable(_)), "{report}");
    }
}

#[test]
fn strength_and_polarity_are_those_of_the_prompt() {
    let ask = "Repaint the hall. The doors must stay white. You should use the old ladders. A new lamp would be nice to have. Do not use oil paint.";
    let Evaluated::Value(evaluation) =
        audited(ask, "The hall is repainted. The doors stay white. No oil paint was used.")
    else {
        panic!("not evaluable")
    };
    let of = |words: &str| {
        let quoting =
            evaluation.contract.obligations.iter().filter(|item| item.obligation.source().text().contains(words));
        quoting.map(|item| (item.strength, item.polarity)).collect::<Vec<_>>()
    };
    assert!(of("doors must stay white").contains(&(Strength::Must, Polarity::Do)));
    assert!(of("old ladders").contains(&(Strength::Should, Polarity::Do)));
    assert!(of("oil paint").contains(&(Strength::Must, Polarity::Not)));
}

#[test]
fn what_is_near_is_shown_with_the_row_and_the_figure() {
    let ask = "Make a backup first. Runner spend must stay within $2,400.";
    let report = "# Costs\n\n| what | before | after |\n|---|---|---|\n| Runner spend | $2,900 | $1,940 |\n| Storage | 3 GB | 2 GB |\n\nI made a backup of the disk first.\n";
    let Evaluated::Value(evaluation) = audited(ask, report) else { panic!("not evaluable") };
    let near = |judged: &&steadfast_audit::Judged| {
        evaluation.contract.obligations[judged.item].obligation.source().text().contains("$2,400")
    };
    let judged = evaluation.obligations.iter().find(near).unwrap();
    let first = judged.passages.first().unwrap();
    assert!(first.quote.text().contains("Runner spend") && first.quote.text().contains("$1,940"), "{:?}", first.quote);
    assert_eq!(first.found_by, steadfast_audit::passages::FoundBy::Anchor);
    assert!(judged.passages.len() <= steadfast_audit::passages::PASSAGES_MAX);
}
