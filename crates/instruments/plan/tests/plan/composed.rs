//! Notes that are read by their pieces.

use steadfast_plan::Rule;

use crate::reading::{NOW, read_at, shown};

/// Notes with a line that phrases leave open and pieces account for, read by their pieces.
fn by_pieces(text: &str) -> Vec<String> {
    let notes = read_at(NOW, text);
    assert!(notes.by_pieces, "{:?} {:?}", shown(&notes), notes.unread);
    shown(&notes)
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(by_pieces(text), expected, "{text}");
}

#[test]
fn a_piece_says_something_of_what_stands_beside_it() {
    check(
        "- taxes, 1 hr, while the twins nap, 12:30 to 2:15\n- vacuum, 20 min, not then\n- pay rent",
        &[
            "task taxes",
            "task vacuum",
            "task pay rent",
            "taxes: 60 min",
            "only taxes: 12:30-14:15",
            "vacuum: 20 min",
            "never vacuum: 12:30-14:15",
        ],
    );
}

#[test]
fn long_notes_are_read_by_phrases() {
    let text = "- pay the rent\n".repeat(5_000);
    assert!(text.len() > 64 * 1024);
    let notes = read_at(NOW, &text);
    assert!(!notes.by_pieces);
}

/// A list in one line, which phrases do not read to its end.
#[track_caller]
fn in_one_line(text: &str, expected: &[&str]) {
    check(&format!("{text}. dont forget name tag"), expected);
}

#[test]
fn a_piece_says_something_of_all_that_is_named() {
    in_one_line(
        "haircut 10:30, deposit check, car wash 15 min, return the jeans 20 min, put gas in, all of it done by 4",
        &[
            "task deposit check",
            "task car wash",
            "task return the jeans",
            "task put gas",
            "event 10:30-11:30 haircut",
            "car wash: 15 min",
            "return the jeans: 20 min",
            "deposit check: by 16:00",
            "car wash: by 16:00",
            "return the jeans: by 16:00",
            "put gas: by 16:00",
        ],
    );
}

#[test]
fn events_go_on_and_end() {
    in_one_line(
        "practice til 5:15, calc problem set 1h, spanish quiz 20 min, email mr dunn, shower when i get home",
        &[
            "task calc problem set",
            "task spanish quiz",
            "task email mr dunn",
            "task shower",
            "event 08:00-17:15 practice",
            "calc problem set: 60 min",
            "spanish quiz: 20 min",
            "shower: from 17:15",
        ],
    );
    in_one_line(
        "dentist 10:15, it takes 45 minutes, drop off the keys after the dentist, pay the rent, iron shirts 20 min",
        &[
            "task drop off the keys",
            "task pay the rent",
            "task iron shirts",
            "event 10:15-11:00 dentist",
            "drop off the keys: from 11:00",
            "iron shirts: 20 min",
        ],
    );
    in_one_line(
        "standup 9:15-9:30, 1:1 with Priya 11-11:30, pay the rent, iron shirts between the two, 20 min, call mum",
        &[
            "task pay the rent",
            "task iron shirts",
            "task call mum",
            "event 09:15-09:30 standup",
            "event 11:00-11:30 1:1 with Priya with Priya",
            "only iron shirts: 09:30-11:00",
            "iron shirts: 20 min",
        ],
    );
}

#[test]
fn a_number_is_a_time_where_a_piece_tells_of_one() {
    in_one_line(
        "call oma, lines 8 to 4, pay the rent, dinner with Sam somewhere around 7, iron shirts 20 min",
        &[
            "task call oma",
            "task pay the rent",
            "task iron shirts",
            "event 19:00-20:00 dinner with Sam somewhere with Sam",
            "only call oma: 08:00-16:00",
            "iron shirts: 20 min",
        ],
    );
}

#[test]
fn a_shift_of_two_readings_is_the_one_that_is_to_come() {
    let text =
        "work 1-9 today, deposit check, car wash 15 min, return the jeans 20 min, call mum on the way home, put gas in";
    let own = by_pieces(&format!("{text}. dont forget name tag"));
    assert!(own.iter().any(|line| line == "call mum: from 21:00"), "{own:?}");
}

#[test]
fn hostile_lists_are_read_in_bounded_work() {
    // Each event is a shift, each task is due in it, and each line is told of all.
    let text = "work 9-5\ncall Ana by 4, both by 6, all of it before work\ndont forget name tag\n".repeat(800);
    let (notes, steps) = steadfast_steps::counted(|| read_at(NOW, &text));
    assert!(!notes.tasks.is_empty() && steps < 3_000 * text.len() as u64, "{steps}");
}

/// What pieces read, whether their reading is the one that is taken or the other.
fn pieces_of(text: &str) -> Vec<String> {
    let notes = read_at(NOW, text);
    let own = if notes.by_pieces { &notes } else { notes.other.as_deref().unwrap() };
    shown(own)
}

#[track_caller]
fn reads(text: &str, line: &str) {
    let own = pieces_of(text);
    assert!(own.iter().any(|own| own == line), "{text}: {own:?}");
}

#[test]
fn a_stretch_at_work_that_holds_other_events_is_when_work_is_done() {
    reads("Working 8 till 4 today. Standup 10-10:15. Write the report, 1 hr.", "available 08:00-16:00");
    reads("Working 8 till 4 today. Standup 10-10:15. Groceries after work, 1 hr.", "event 08:00-16:00 Working");
    reads("Working 8 till 4 today. Write the report, 1 hr.", "event 08:00-16:00 Working");
}

#[test]
fn what_goes_on_by_itself_lets_the_next_wait() {
    let notes = read_at(NOW, "- knead the dough 25 min, must rest 1 hour, then bake the rolls 40 min");
    let own = if notes.by_pieces { &notes } else { notes.other.as_deref().unwrap() };
    let waits = |rule: &Rule| matches!(rule, Rule::Order { first: 0, then: 1, gap: 60 });
    assert!(own.constraints.iter().any(|own| waits(&own.rule)), "{:?}", shown(own));
}

#[test]
fn what_somebody_else_does_and_what_is_put_off_is_nothing_to_do() {
    let own = pieces_of("- pay the rent, 10 min\n- Kavita will collect the parcel\n- ring the bank - Thursday");
    assert_eq!(own, ["task pay the rent", "pay the rent: 10 min"]);
}

#[test]
fn what_must_be_done_may_be_said_of_all() {
    let own = pieces_of("- pay the rent, 10 min\n- water the plants, 20 min\n\nI must do all of them today.");
    assert_eq!(own.iter().filter(|line| line.ends_with(": must")).count(), 2, "{own:?}");
}

#[test]
fn the_way_to_an_event_is_time_that_is_taken() {
    let own = pieces_of("site meeting 2-3, 40 min drive each way. status report, 1 hr.");
    assert!(own.iter().any(|line| line.starts_with("blocked 13:20-14:00")), "{own:?}");
}

#[test]
fn what_is_waited_for_comes_first() {
    let own = pieces_of("- bake for the cake sale 75 min, needs eggs from the big shop\n- big shop 1 hr");
    assert!(own.contains(&"big shop < bake for the cake sale".to_owned()), "{own:?}");
    reads(
        "Order gloves 20 min, once I have Sunita's numbers (she said around 1). Emails 1h.",
        "Order gloves: from 13:00",
    );
    // "Away after" leaves no time before noon: it is asked.
    let notes = read_at(NOW, "Call Mrs Okafor before noon, she is away after. Emails 1h.");
    assert!(notes.needs_answer(), "{:?}", shown(&notes));
}

#[test]
fn what_is_due_after_ones_hours_is_done_after_them() {
    let notes = read_at(NOW, "Clinic 8.30 to 5. Pick up Adam from after school club 5:30 latest. Petty cash 30 min.");
    assert!(shown(&notes).iter().any(|line| line == "Pick up Adam: from 17:00"), "{:?}", shown(&notes));
    let told = |own: &String| own.contains("is due after the hours of the notes");
    assert!(notes.assumptions.iter().any(told), "{:?}", notes.assumptions);
}

#[test]
fn times_that_are_chosen_for_one_reason_are_told_in_one_assumption() {
    let notes = read_at(NOW, "- pay the rent by 3.15\n- call Ana by 4");
    let told: Vec<&String> = notes.assumptions.iter().filter(|own| own.contains("is read as")).collect();
    assert_eq!(
        told,
        ["\"by 3.15\" is read as 15:15, \"by 4\" as 16:00: the other reading is over, or lies outside waking hours"]
    );
}

#[test]
fn a_denied_time_is_a_limit_on_the_other_side() {
    reads(
        "Spray the 6 doors, needs 2 hrs, no spraying after 3 cos neighbours complain.",
        "Spray the 6 doors: by 15:00",
    );
    let notes = read_at(NOW, "Never finish later than 6.\n\nSand the doors, 2 hours.");
    assert!(shown(&notes).iter().any(|line| line == "all: by 18:00"), "{:?}", shown(&notes));
}

#[test]
fn working_hours_are_no_appointment() {
    reads(
        "Working hours 8 - 5.\n- The Ryan shelves can wait till next week\n- Fit doors, 2 hours",
        "available 08:00-17:00",
    );
}

#[test]
fn whose_event_it_is_is_asked_where_somebody_else_takes_them() {
    let text = "The boys have swimming at 4:45 till 5:30 and Omar is taking them. Emails 1h.";
    assert!(!pieces_of(text).iter().any(|line| line.starts_with("event")), "{:?}", pieces_of(text));
    let notes = read_at(NOW, "Leila has swimming at 4:45 till 5:30 and Omar is taking her. Emails 1h.");
    let asked = notes.open.iter().find(|own| own.text.ends_with("something of yours today?")).unwrap();
    assert_eq!(asked.choices[0].text, "yes, my time is taken then");
}

#[test]
fn what_is_left_for_a_way_is_no_task() {
    let own = pieces_of("dad's GP 11:30, leave 20 mins to drive there. Emails 1h.");
    assert!(
        own.iter().any(|line| line.starts_with("blocked 11:10-11:30")) && !own.contains(&"task leave".to_owned()),
        "{own:?}"
    );
}

#[test]
fn whether_a_stretch_is_for_what_is_to_be_done_is_asked_where_readings_differ() {
    let notes = read_at(NOW, "- school 8:00-13:00\n- walk the dogs, 45 min");
    let asked = notes
        .open
        .iter()
        .find(|own| own.text.starts_with("Do you do these things during \"school 8:00-13:00\""))
        .unwrap();
    let taken = "I am taken then, 08:00 to 13:00, and do these things at other times";
    assert_eq!(asked.choices[1].text, taken);
    let mut answered = notes.clone();
    answered.answer(&asked.id, "2").unwrap();
    assert!(shown(&answered).contains(&"event 08:00-13:00 school 8:00-13:00".to_owned()), "{:?}", shown(&answered));
    assert!(!shown(&answered).iter().any(|line| line.starts_with("available")), "{:?}", shown(&answered));
}

#[test]
fn to_be_there_before_is_no_length_of_an_event() {
    let notes = read_at(NOW, "- choir rehearsal 19:30, be there 15 min before\n- wrap presents, 40 min, after 19:40");
    assert!(shown(&notes).contains(&"event 19:30-20:30 choir rehearsal".to_owned()), "{:?}", shown(&notes));
}

#[test]
fn hours_with_h_are_times_where_they_are_too_late_or_too_exact_for_a_length() {
    let notes = read_at(NOW, "- a man comes to see the sofa 15h\n- supper on the table 18h30\n- tidy the loft, 2h30");
    let own = shown(&notes);
    assert!(own.iter().any(|line| line.starts_with("event 15:00-")), "{own:?}");
    assert!(own.iter().any(|line| line.contains("18:30")), "{own:?}");
    assert!(own.contains(&"tidy the loft: 150 min".to_owned()), "{own:?}");
    assert!(!own.iter().any(|line| line.contains("1110 min") || line.contains("900 min")), "{own:?}");
}

#[test]
fn what_one_is_to_be_done_by_keeps_its_side_beside_a_reason() {
    let own = pieces_of("Offer letter, 45 min, has to be with Karen by 11:45 since she's off at noon. Bins.");
    assert!(own.contains(&"Offer letter: by 11:45".to_owned()), "{own:?}");
}

#[test]
fn what_says_when_one_leaves_is_meant_by_before_i_leave() {
    let own = pieces_of("Shift 10pm-7am, leaving home at 8:45pm. Buy cough syrup, 15 min, before I leave. Bins.");
    assert!(own.iter().any(|line| line == "Buy cough syrup: by 20:45"), "{own:?}");
}
