//! Ordinary notes of a few lines: brackets, headings, comma lists, other people's hours, other days.

use jiff::Zoned;
use steadfast_evidence::FileId;
use steadfast_plan::open::Aside;
use steadfast_plan::{Confidence, Notes, Settings, ask, plan};
use steadfast_text::{Document, Format};

use crate::reading::{NOW, check, read_at, shown};

/// Notes as they are read for the day of which they are, the date of that day, and whether they begin with another one.
fn of_its_day(now: &str, text: &str) -> (Notes, String, bool) {
    let now: Zoned = now.parse().unwrap();
    let document = Document::from_str_as(text, Format::Markdown);
    let (notes, other) = ask::read_for_its_day(FileId(0), &document, &now, &Settings::default(), Vec::new());
    let opens = other.as_ref().is_some_and(|other| other.opens);
    (notes, other.map_or(now, |other| other.start).date().to_string(), opens)
}

#[test]
fn brackets_say_more_of_the_task_before_them() {
    check(
        "Need to get the taxes done today (about 3 hours, deadline 5pm).",
        &[
            "task get the taxes done",
            "get the taxes done: must",
            "get the taxes done: 180- min",
            "get the taxes done: by 17:00",
            "get the taxes done: must",
        ],
    );
    check("8:45 roll check (till 9:15)", &["event 08:45-09:15 roll check"]);
}

#[test]
fn work_is_taken_where_the_notes_plan_around_it() {
    check(
        "Work 9-5. After work: 30 min run, cook the stew (45 min). Before work: pack lunches 10 min.",
        &[
            "task run",
            "task cook the stew",
            "task pack lunches",
            "blocked 09:00-17:00 for work",
            "run: 30 min",
            "cook the stew: 45 min",
            "pack lunches: 10 min",
            "run: from 17:00",
            "cook the stew: from 17:00",
            "pack lunches: by 09:00",
        ],
    );
    // Where nothing is planned around it, it is when work is done.
    check(
        "Work 9-5.\n- write the report 2h",
        &["task write the report", "available 09:00-17:00", "write the report: 120 min"],
    );
}

#[test]
fn each_thing_of_a_comma_list_stands_for_itself() {
    check(
        "standup 9:15-9:30, brief (2h) due by 1pm, 1:1 with Dana 2-2:30pm, review copy 30 min then draft 1h, expense report, off at 5:30",
        &[
            "task brief",
            "task review copy",
            "task draft",
            "task expense report",
            "event 09:15-09:30 standup",
            "brief: 120 min",
            "brief: must",
            "brief: by 13:00",
            "event 14:00-14:30 1:1 with Dana with Dana",
            "review copy: 30 min",
            "draft: 60 min",
            "review copy < draft",
            "all: by 17:30",
        ],
    );
    // What stands beside a task is no task of its own.
    check(
        "Dentist 13:00-13:45, 20 min on foot",
        &["event 13:00-13:45 Dentist", "blocked 12:40-13:00,13:45-14:05 for way to Dentist"],
    );
}

#[test]
fn others_say_when_a_task_may_begin() {
    for (said, expect) in [
        ("call Jen, she's out until 6", "call Jen: from 18:00"),
        ("ring the desk, nobody there till 14:00", "ring the desk: from 14:00"),
        ("ring the desk, they're in until 4", "ring the desk: by 16:00"),
        ("get the parcel, post office open until 5:30", "get the parcel: by 17:30"),
        ("copy the parts, the office is closed from 12 to 1", "never copy the parts: 12:00-13:00"),
        ("join the club (opens at noon sharp, goes fast)", "join the club: from 12:00"),
        ("library books, library opens 10 closes 6", "library books: from 10:00"),
        ("library books, library opens 10 closes 6", "library books: by 18:00"),
        ("write the grades down, they are due at 9pm", "write the grades down: by 21:00"),
    ] {
        let notes = read_at(NOW, &format!("- {said}\n- pay the rent"));
        assert!(shown(&notes).iter().any(|line| line == expect), "{said}: {:?}", shown(&notes));
    }
}

#[test]
fn it_is_what_was_named_before() {
    for (said, expect) in [
        (
            "11:00-11:45 interview with Ann\ntranscribe the interview once it's over, 40 min",
            "transcribe the interview: from 11:45",
        ),
        ("committee 11-12, finish the slides (1.5h) before it starts", "finish the slides: by 11:00"),
        ("coffee with Ana 8:30-9:15, then gym (1h)", "gym: from 09:15"),
        ("chem lab from 2 to 4\nprint the handout before I go to lab", "print the handout: by 14:00"),
        ("- water the beds\n- mow the lawn\n- sweep up last thing, 20 min", "mow the lawn < sweep up"),
    ] {
        let notes = read_at(NOW, said);
        assert!(shown(&notes).iter().any(|line| line.starts_with(expect)), "{said}: {:?}", shown(&notes));
    }
}

#[test]
fn what_waits_and_what_others_do_is_set_apart() {
    for (said, reason) in [
        ("The forms can wait until Friday.", Aside::NotToday),
        ("Open house prep is for Saturday.", Aside::NotToday),
        ("Study group is Wednesday.", Aside::NotToday),
        ("Niamh takes the bread in at 7.", Aside::NotMine),
    ] {
        let notes = read_at(NOW, &format!("Pay the rent. {said}"));
        assert_eq!(shown(&notes), ["task Pay the rent"], "{said}");
        assert!(
            notes.apart.iter().any(|own| own.reason == reason && own.quote.text() == said),
            "{said}: {:?}",
            notes.apart
        );
    }
    let notes = read_at(NOW, "- next week's rota (half an hour)\n- look at new amps next week\n- Sam arrives at 4");
    assert_eq!(shown(&notes)[..2], ["task next week's rota", "next week's rota: 30 min"]);
    assert!(notes.open.is_empty(), "{:?}", notes.open);
}

#[test]
fn notes_are_of_the_day_that_they_name() {
    let evening = "2026-01-26T20:00:00-05:00[America/Toronto]";
    let (notes, day, opens) = of_its_day(evening, "Tomorrow plan:\n- 9:00 standup (30 min)\n- report 2h, due by 3");
    assert_eq!((day.as_str(), opens), ("2026-01-27", false));
    assert_eq!(shown(&notes)[1..], ["event 09:00-09:30 standup", "report: 120 min", "report: by 15:00"]);
    assert!(notes.apart.iter().any(|own| own.quote.text() == "Tomorrow plan:"));
    let (notes, day, opens) = of_its_day(evening, "Tomorrow I have the dentist at 9:30. Call mum 20 min.");
    assert_eq!((day.as_str(), opens), ("2026-01-27", true));
    let quote = notes.constraints[0].quote.as_ref().unwrap();
    assert_eq!(quote.text(), "Tomorrow I have the dentist at 9:30.");
    let (_, day, opens) = of_its_day(evening, "I'm tired so this is for tomorrow. Call Bob 10 min.");
    assert_eq!((day.as_str(), opens), ("2026-01-27", true));
    let (_, day, _) = of_its_day(evening, "# Plan for Saturday\n- clean the garage 2h");
    assert_eq!(day, "2026-01-31");
    for text in [
        "- call mum\n\nTomorrow:\n- dentist at 9",
        "Tomorrow is the exam. Today: read chapter 3, 2h.",
        "In ten days: dentist at 9",
        "Feb 20:\n- dentist at 9",
    ] {
        assert_eq!(of_its_day(evening, text).1, "2026-01-26", "{text}");
    }
}

#[test]
fn times_are_what_people_write() {
    // Hours of one digit are no hours of 24, though another line counts to them.
    check(
        "- pick up Noah 3:15\n- 08:45 nursery drop",
        &["event 15:15-15:45 pick up Noah", "event 08:45-09:15 nursery drop"],
    );
    check("- swim class 5-6 both kids", &["event 17:00-18:00 swim class both kids"]);
    check("- ledger catch up, 2 x 45 min", &["task ledger catch up", "ledger catch up: 90 min"]);
    check("Pay the rent. Laundry whenever.", &["task Pay the rent", "task Laundry [low]"]);
}

#[test]
fn nothing_more_is_an_answer() {
    // Phrases alone read what speaks to somebody.
    let text = "You know him.\n\n- pay the rent\n- write the report\n- cousin is moving at noon, told him no\n- ring the council unless Bo does";
    let document = Document::from_str_as(text, Format::Markdown);
    let mut notes = read_at(NOW, text);
    let asked = notes.open.iter().find(|own| own.choices.iter().any(|it| it.text.starts_with("nothing more"))).unwrap();
    let answer = (asked.id.clone(), "1".to_owned());
    let (quote, open) = (asked.quote.clone(), notes.open.len());
    ask::answer(FileId(0), &document, &Settings::default(), &mut notes, &[answer]).unwrap();
    assert!(notes.open.len() < open && notes.unread.iter().all(|own| own.quote != quote), "{:?}", notes.unread);
}

#[test]
fn meals_are_made_at_their_time() {
    let notes = read_at(NOW, "- cook dinner by 7, takes 40 min\n- pay the rent");
    assert!(shown(&notes).iter().any(|line| line.contains("cook dinner: from 16:00")), "{:?}", shown(&notes));
    let notes = read_at(NOW, "- book a table for dinner\n- pay the rent");
    assert!(!shown(&notes).iter().any(|line| line.contains("from 16:00")), "{:?}", shown(&notes));
}

/// A note that phrases leave open and pieces account for.
const BY_PIECES: &str = "haircut 10:30, deposit check, car wash 15 min, return the jeans at kohls 20 min, eat something by noon, \
    put gas in. dont forget name tag";

#[test]
fn notes_that_are_read_by_pieces_are_never_recommended_before_somebody_looks_at_them() {
    let document = Document::from_str_as(BY_PIECES, Format::Markdown);
    let mut notes = read_at(NOW, BY_PIECES);
    assert!(notes.by_pieces, "{:?}", shown(&notes));
    for told in ["task deposit check", "task car wash", "car wash: 15 min", "eat something: by 12:00"] {
        assert!(shown(&notes).iter().any(|own| own == told), "{told}: {:?}", shown(&notes));
    }
    let [asked] = &notes.open[..] else { panic!("{:?}", notes.open) };
    assert_eq!(notes.least_sure.as_ref().map(|(quote, _)| quote), Some(&asked.quote));
    assert!(notes.unread.iter().any(|own| own.must && own.quote == asked.quote), "{:?}", notes.unread);
    let answer = (asked.id.clone(), "1".to_owned());
    ask::answer(FileId(0), &document, &Settings::default(), &mut notes, &[answer]).unwrap();
    assert!(notes.open.is_empty() && notes.unread.is_empty(), "{:?}", notes.unread);
}

#[test]
fn what_is_not_sure_may_be_answered_otherwise() {
    let text = "Work 9-5, with the dentist at 13:00 in my lunch break. Before work: pay the gas bill online, 10 min. After work: pick up the \
                dry cleaning (they shut at 6), then groceries, 45 min. Dinner 7-7:30. Ring Dad for half an hour, but he's at bowls until 8. The oven clean is for the weekend.";
    let document = Document::from_str_as(text, Format::Markdown);
    let mut notes = read_at("2026-11-24T07:30:00+00:00[Europe/London]", text);
    steadfast_plan::variant::doubt(FileId(0), &document, &mut notes, &Settings::default());
    assert!(notes.by_pieces, "{:?}", shown(&notes));
    let asked = notes.open.iter().find(|own| own.quote.text().contains("until 8")).unwrap();
    let later = "no: \"Ring Dad\" not before 20:00";
    let choices: Vec<&str> = asked.choices.iter().map(|own| own.text.as_str()).collect();
    assert!(choices[0].starts_with("yes: ") && choices.contains(&later), "{choices:?}");
    let answer = (asked.id.clone(), later.to_owned());
    ask::answer(FileId(0), &document, &Settings::default(), &mut notes, &[answer]).unwrap();
    let told: Vec<String> = shown(&notes).into_iter().filter(|line| line.starts_with("Ring Dad: ")).collect();
    assert_eq!(told, ["Ring Dad: 30 min", "Ring Dad: from 20:00"]);
}

#[test]
fn what_one_reading_alone_takes_for_something_to_do_is_asked() {
    let notes = read_at(
        "2026-10-02T08:30:00+01:00[Europe/London]",
        "I write best in the mornings, so ideally chapter 12 goes first, two hours. Lunch with my agent is 12:30 to 2. In the afternoon I have \
         to answer the copyeditor's queries, about an hour, and she needs them by 5. Once the queries are done I'll go for a walk, 40 minutes. \
         The library talk is next week so nothing for that yet.",
    );
    let asked = notes.open.iter().find(|own| own.text.starts_with("Is \"I write best")).unwrap();
    assert_eq!(asked.choices[0].text, "something to do");
    assert!(notes.unread.iter().any(|own| own.must && own.quote == asked.quote));
    // An order is one, whatever the scorers say.
    let notes = read_at(NOW, "- pick up the parcel, then wrap the present\n- pay the rent");
    assert!(notes.open.is_empty(), "{:?}", notes.open);
}

#[test]
fn an_event_without_an_end_is_over_when_the_next_begins() {
    let notes = read_at(NOW, "10:30 morning tea\n11:00 meeting with the board, 45 min\npay the rent");
    assert!(shown(&notes).iter().any(|line| line == "event 10:30-11:00 tea"), "{:?}", shown(&notes));
    assert!(
        notes.assumptions.iter().any(|own| own == "\"tea\" is taken to last 30 minutes"),
        "{:?}",
        notes.assumptions
    );
    let notes = read_at(NOW, "10:30 morning tea\n10:35 meeting with the board, 45 min\npay the rent");
    assert!(shown(&notes).iter().any(|line| line == "event 10:30-11:30 tea"), "{:?}", shown(&notes));
}

#[test]
fn confidence_is_high_where_both_readings_agree() {
    let of = |text: &str| {
        let document = Document::from_str_as(text, Format::Markdown);
        let mut notes = read_at(NOW, text);
        steadfast_plan::variant::doubt(FileId(0), &document, &mut notes, &Settings::default());
        (notes.disputed, plan(&notes, &Settings::default()).confidence)
    };
    assert_eq!(of("- pay the rent, 10 min\n- write the report, 1 hr, by 3pm\n- call Ana"), (false, Confidence::High));
    // Pieces do not take the second for something to do.
    assert_eq!(of("- pick up the parcel, then wrap the present\n- pay the rent"), (true, Confidence::Medium));
}

#[test]
fn a_request_is_read_by_phrases() {
    let text = "You have to write the report, two hours of it or so, whenever, give or take, and the thing with Bo.";
    assert!(!read_at(NOW, text).by_pieces);
}

#[test]
fn an_item_whose_last_words_name_another_day_is_for_that_day() {
    for text in [
        "- write the report, 60 min\n- invoice for November - tomorrow",
        "- write the report, 60 min\n- quarterly newsletter 1h, next week",
        "- write the report, 60 min\n- website mockup = next week",
        "- write the report, 60 min\n- tax return (Friday)",
    ] {
        let notes = read_at(NOW, text);
        let tasks: Vec<&str> = notes.tasks.iter().map(|task| task.text.as_str()).collect();
        assert_eq!(tasks, ["write the report"], "{text}");
        assert!(notes.apart.iter().any(|own| own.reason == steadfast_plan::open::Aside::NotToday), "{text}");
    }
    // A day by which something is due, or of which it speaks, is none on which it is done.
    for text in
        ["- write the report, 60 min\n- book the room for Friday", "- write the report, 60 min\n- buy stamps, today"]
    {
        assert_eq!(read_at(NOW, text).tasks.len(), 2, "{text}");
    }
}

#[test]
fn what_needs_to_be_done_is_not_done() {
    let notes = read_at(NOW, "Long day, everything needs to be done today:\n- write the report, 60 min\n- buy stamps");
    assert_eq!(notes.tasks.len(), 2, "{:?}", notes.apart);
    assert!(read_at(NOW, "Done:\n- write the report, 60 min\n- buy stamps").tasks.is_empty());
}

#[test]
fn two_ranges_of_opening_hours_are_those_of_the_errand() {
    check(
        "- pick up the parcel at the post office, open 10-13 and 15-18, takes 20 min",
        &[
            "task pick up the parcel at the post office",
            "only pick up the parcel at the post office: 10:00-13:00,15:00-18:00",
            "pick up the parcel at the post office: 20 min",
        ],
    );
}
