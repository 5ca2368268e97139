//! Asks that have to be asked about, and tasks of several stages told in sentences: one line for each case.

use proptest::prelude::*;
use steadfast_pick::intake::{INTENTS, read};
use steadfast_pick::stage::Stage;

/// Whether something is missing without which nothing is tried.
fn is_asked_about(task: &str) -> bool {
    read(task).missing.iter().any(|missing| missing.required)
}

#[test]
fn what_is_known_to_its_writer_alone_is_asked_about() {
    for task in [
        "can you sort out the other one the same way",
        "Do what Maria suggested yesterday.",
        "Handle the issue with the client like we agreed",
        "Could you improve it, better than last time?",
        "can you look at the numbers",
        "I need the presentation by noon",
        "translate for the client",
        "review the draft and apply the comments",
        "help with my application",
        "Deal with the contract.",
        "Write something for Marta, she'll be there at six",
        "Which one should we take?",
        "Make the deck nicer",
        "should we take option C?",
        "make it shine",
        "please put his corrections into the leaflet",
        "it keeps happening",
    ] {
        assert!(is_asked_about(task), "{task:?}");
    }
}

#[test]
fn what_cannot_both_hold_is_asked_about() {
    for task in [
        "Make it short, the guide, but cover everything in full detail",
        "Keep the guide under 300 words. It has to be at least 1,500 words long.",
        "Translate the brochure into Spanish, but keep all of it in English.",
        "Draft a strictly confidential memo that we can post publicly on our blog.",
        "An anonymous survey where we can see who answered what",
        "I want the report finished by Monday, and start on it next Wednesday.",
        "Write a flyer on bees by Tuesday, but not before Thursday",
        "Explain tides to absolute beginners, and assume the reader has a degree in physics.",
        "Give a detailed answer in one word.",
        "Write the poster text as a table in running text",
        "Rewrite the paragraph about bees without changing a word",
        "Write a 4,000-word history of the lighthouse in at most 90 words",
        "Suggest exactly five titles for the song. There must be at least nine titles.",
        "I want a chart comparing two tides but dont use a chart",
        "The flyer in Dutch only. The text should be entirely in Polish.",
        "Put the menu into Italian, without Italian words",
        "A reading plan that starts on 3 June and is finished by 28 May",
        "The minutes without lists or charts, laid out as a two-column chart",
    ] {
        let asked = read(task).missing.into_iter().find(|missing| missing.what.starts_with("which of two"));
        assert!(asked.is_some_and(|missing| missing.required), "{task:?}");
    }
}

#[test]
fn nonsense_is_asked_about() {
    for task in [
        "lamp",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
        "bla bla bla bla",
        "The Tuesday of my elbow ate seven loud triangles politely.",
        "the plan plan of of soup review review the",
    ] {
        assert!(is_asked_about(task), "{task:?}");
    }
}

#[test]
fn clear_tasks_are_not_asked_about() {
    for task in [
        "packing list",
        "proofread my essay",
        "Write a table of contents without a table of figures",
        "Make a list of meals for the week, no shopping list",
        "Ask Ruth for her notes and fold them into the minutes of the choir",
        "Write a 40-page handbook in sentences of at most 20 words",
        "A plan that starts on 3 June and is finished by 28 May next year",
        "A 2,000-word article with a summary in no more than 50 words",
        "minutes",
        "standup notes",
        "proofread my cover letter",
        "which of two job offers",
        "apologize to the customer",
        "read my contract for traps",
        "find the holes in my argument",
        "write up what we agreed in the call",
        "they still haven't paid us, third time asking",
        "Write a short intro, then an analysis in depth",
        "Announce our merger to the staff and keep the names confidential until then",
        "A formal letter, not a casual one",
        "Tell everyone once it is no longer a secret from the press",
        "Translate the German parts into English and keep the names in German",
        "Returns the address of a page for a title",
        "There's this old list of members. Clean it up.",
        "Plan six episodes. Write the script of the first one.",
    ] {
        assert!(!is_asked_about(task), "{task:?}: {:?}", read(task).missing);
    }
}

#[track_caller]
fn told(task: &str, expect: &[Stage]) {
    let spec = read(task);
    assert!(spec.requires_multistep, "{task:?}: {}", spec.multistep_score);
    assert_eq!(spec.stages, expect, "{task:?}: {:?}", spec.parts);
    assert!(spec.parts.iter().all(|(stage, words)| spec.stages.contains(stage) && !words.is_empty()));
}

#[test]
fn stages_are_told_in_sentences() {
    use Stage::{Clarify, Execute, Plan, Reflect, Verify};
    told(
        "We're moving offices. Make a schedule. Write the mail to the staff. At the end, look at how it went.",
        &[Plan, Execute, Reflect],
    );
    told(
        "First interview me about my career. Then write my CV from that. Then pick it apart.",
        &[Clarify, Execute, Verify],
    );
    told(
        "There's this old spreadsheet of members. Clean it up. Then make sure nobody got lost on the way.",
        &[Execute, Verify],
    );
    told(
        "Think through with me how I tell them, write the letter, and read it over for anything unkind.",
        &[Plan, Execute, Verify],
    );
    told("Ask me what you need. Make an outline. Then write it. Then go over it.", &[Clarify, Plan, Execute, Verify]);
}

#[test]
fn all_intents_are_of_one_list() {
    let tasks = ["find a hotel", "book a table", "weekly review", "explain recursion", "send the report to Ann", ""];
    for task in tasks {
        assert!(INTENTS.contains(&read(task).intent.as_str()), "{task:?}");
    }
    // What ships says the same words.
    let vault = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../vault");
    let mut seen = 0;
    for file in Stage::ALL.iter().flat_map(|stage| std::fs::read_dir(format!("{vault}/{}", stage.name())).unwrap()) {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let intent = text.lines().find_map(|line| line.strip_prefix("intent:")).unwrap();
        assert!(INTENTS.contains(&intent.trim().trim_matches('"')), "{intent}");
        seen += 1;
    }
    assert!(seen > 50);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn parts_are_of_the_task(words in proptest::collection::vec(prop::sample::select(vec![
        "ask me", "plan", "write the letter", ",", ".", "then", "and", "check it", "what did we learn", "é", "the", "outline", "short",
        "in full detail", "by Monday", "not before", "next", "in French", "into", "keep", "nobody", "tell who", "(", "“", "2",
    ]), 0..40)) {
        let task = words.join(" ");
        let spec = read(&task);
        prop_assert!(spec.parts.is_sorted_by_key(|(stage, _)| *stage));
        prop_assert!(spec.parts.iter().all(|(stage, said)| spec.stages.contains(stage) && said.len() <= 2 * task.len()));
    }
}
