//! Notes in prose and what is read in them, a line for each task and constraint.

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use steadfast_evidence::FileId;
use steadfast_plan::model::Extent;
use steadfast_plan::window::clock;
use steadfast_plan::{Interval, Notes, Priority, Readings, Rule, Settings, Window, ask};
use steadfast_text::{Document, Format};

/// Monday, 26 January 2026, eight in the morning in Toronto.
pub(crate) const NOW: &str = "2026-01-26T08:00:00-05:00[America/Toronto]";

pub(crate) fn read_at(now: &str, text: &str) -> Notes {
    let now: Zoned = now.parse().unwrap();
    let document = Document::from_str_as(text, Format::Markdown);
    ask::read(FileId(0), &document, &now, &Settings::default())
}

pub(crate) fn shown(notes: &Notes) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for task in &notes.tasks {
        let mut line = format!("task {}", task.text);
        match task.priority {
            Priority::Normal => {}
            other => line += &format!(" [{}]", format!("{other:?}").to_lowercase()),
        }
        if !task.with.is_empty() {
            line += &format!(" with {}", task.with.join(", "));
        }
        if task.in_one_go {
            line += " in one go";
        }
        lines.push(line);
    }
    lines.extend(notes.constraints.iter().map(|it| rule(notes, &it.rule)));
    lines
}

fn at(notes: &Notes, at: Timestamp) -> String {
    if at == Timestamp::MIN || at == Timestamp::MAX {
        return String::new();
    }
    clock(at, notes.now.time_zone(), notes.now.date())
}

fn interval(notes: &Notes, it: &Interval) -> String {
    format!("{}-{}", at(notes, it.start), at(notes, it.end))
}

fn times(notes: &Notes, when: &Readings<Vec<Interval>>) -> String {
    let reading = |times: &Vec<Interval>| times.iter().map(|it| interval(notes, it)).collect::<Vec<_>>().join(",");
    when.iter().map(reading).collect::<Vec<_>>().join(" / ")
}

fn instants(notes: &Notes, when: &Readings<Timestamp>) -> String {
    when.iter().map(|it| at(notes, *it)).collect::<Vec<_>>().join(" / ")
}

fn whose(who: Option<&String>) -> String {
    who.map_or(String::new(), |who| format!(" of {who}"))
}

fn range(min: Option<i64>, max: Option<i64>) -> String {
    let side = |it: Option<i64>| it.map_or(String::new(), |it| it.to_string());
    if min == max { side(min) } else { format!("{}-{}", side(min), side(max)) }
}

fn rule(notes: &Notes, rule_of: &Rule) -> String {
    let task = |task: Option<usize>| task.map_or("all".to_owned(), |task| notes.tasks[task].text.clone());
    match rule_of {
        Rule::FixedEvent { name, when, with, place } => {
            let with = if with.is_empty() { String::new() } else { format!(" with {}", with.join(", ")) };
            let place = place.as_ref().map_or(String::new(), |place| format!(" at {place}"));
            format!("event {} {name}{with}{place}", times(notes, when))
        }
        Rule::Blocked { name, who, when } => {
            let name = name.as_ref().map_or(String::new(), |name| format!(" for {name}"));
            format!("blocked {}{}{name}", times(notes, when), whose(who.as_ref()))
        }
        Rule::Availability { who, when } => format!("available {}{}", times(notes, when), whose(who.as_ref())),
        Rule::Deadline { task: of, by } => format!("{}: by {}", task(*of), instants(notes, by)),
        Rule::NotBefore { task: of, from } => format!("{}: from {}", task(*of), instants(notes, from)),
        Rule::TaskTimes { tasks, when, only } => {
            let named: Vec<String> = tasks.iter().map(|task| notes.tasks[*task].text.clone()).collect();
            format!("{} {}: {}", if *only { "only" } else { "never" }, named.join(", "), times(notes, when))
        }
        Rule::MustDo { task: of, .. } => format!("{}: must", task(Some(*of))),
        Rule::Duration { task: of, minutes_min, minutes_max } => {
            format!("{}: {} min", task(Some(*of)), range(*minutes_min, *minutes_max))
        }
        Rule::Order { first, then, .. } => format!("{} < {}", task(Some(*first)), task(Some(*then))),
        Rule::Exclusion { intent, who, when, .. } => {
            let when = when.as_ref().map_or(String::new(), |when| format!(" {}", times(notes, when)));
            format!("no {}{}{when}", intent.join(" "), whose(who.as_ref()))
        }
        Rule::Preference { wish } => format!("wish {}", rule(notes, wish)),
        Rule::Presence { who, place, when, extent } => {
            let window = |window: &Window| match window {
                Window::Clock(it) => interval(notes, it),
                Window::Days(days) => format!("day {}-{}", days.first, days.last),
            };
            let when: Vec<String> = when.first().iter().map(window).collect();
            let who = who.as_deref().unwrap_or(if *extent == Extent::Throughout { "here" } else { "once" });
            format!("{who} at {place} {}", when.join(","))
        }
        Rule::Travel { from, to, minutes, both_ways } => {
            format!("way {from} {} {to} {minutes}", if *both_ways { "=" } else { ">" })
        }
        Rule::Connection { links } => {
            let link = |it: &steadfast_plan::model::Link| {
                format!("{}{}{}", it.from, if it.both_ways { "=" } else { ">" }, it.to)
            };
            format!("links {}", links.iter().map(link).collect::<Vec<_>>().join(","))
        }
        Rule::Stay { place, days_min, days_max } => format!("stay {place} {}", range(*days_min, *days_max)),
        Rule::Total { unit, min, max, .. } => format!("total {} {unit:?}", range(*min, *max)),
        Rule::Run { tasks, minutes_max, rest } => {
            let names: Vec<String> = tasks.iter().map(|of| task(Some(*of))).collect();
            format!("{}: {minutes_max} min on end, then {rest} off", names.join(" + "))
        }
        Rule::Objective { tasks } => format!("most of {}", tasks.len()),
        Rule::Contract(clause) => clause.text().to_owned(),
    }
}

#[track_caller]
pub(crate) fn check(text: &str, expect: &[&str]) {
    let notes = read_at(NOW, text);
    let got = shown(&notes);
    assert_eq!(got, expect, "\n{text}\nassumed {:#?}\nasked {:#?}", notes.assumptions, notes.questions);
    for constraint in &notes.constraints {
        let quote = constraint.quote.as_ref().unwrap();
        assert_eq!(text.get(quote.span().range()), Some(quote.text()));
    }
}

#[test]
fn ways_beside_an_event() {
    for (text, expected) in [
        (
            "Dentist 13:00-13:45, 20 min on foot",
            ["event 13:00-13:45 Dentist", "blocked 12:40-13:00,13:45-14:05 for way to Dentist"],
        ),
        (
            "Dentist 13:00-13:45, 20 min walk away",
            ["event 13:00-13:45 Dentist", "blocked 12:40-13:00,13:45-14:05 for way to Dentist"],
        ),
        (
            "Dentist at 13:00 (20 min walk)",
            ["event 13:00-14:00 Dentist", "blocked 12:40-13:00,14:00-14:20 for way to Dentist"],
        ),
        (
            "Dentist at 13:00, 30 minutes by bus each way",
            ["event 13:00-14:00 Dentist", "blocked 12:30-13:00,14:00-14:30 for way to Dentist"],
        ),
        (
            "Dentist at 13:00, 15 min drive to get there",
            ["event 13:00-14:00 Dentist", "blocked 12:45-13:00 for way to Dentist"],
        ),
    ] {
        assert_eq!(shown(&read_at(NOW, text)), expected, "{text}");
    }
    // What is done itself, how long it lasts, and a task's minutes are no ways.
    for (text, expected) in [
        ("20 min walk at 12:00", "event 12:00-12:20 walk"),
        ("Dog: 20 min walk at 12:30", "event 12:30-12:50 Dog: walk"),
        ("Lunch with Ana at 12:00, 20 min", "event 12:00-12:20 Lunch with Ana with Ana"),
    ] {
        assert_eq!(shown(&read_at(NOW, text)), [expected], "{text}");
    }
    assert_eq!(shown(&read_at(NOW, "Write the report, 20 min")), ["task Write the report", "Write the report: 20 min"]);
    // A way as long as a day is none, and nor is one of no minutes.
    assert!(!shown(&read_at(NOW, "Dentist at 13:00, 13 hours by bus")).iter().any(|it| it.starts_with("blocked")));
    assert!(!shown(&read_at(NOW, "Dentist at 13:00, 0 min on foot")).iter().any(|it| it.starts_with("blocked")));
}

#[test]
fn a_range_says_when_lunch_is() {
    for (text, expected) in [
        ("Never schedule anything during lunch 12:00-12:30", "blocked 12:00-12:30"),
        ("Nothing over lunch (12:15 to 12:45)", "blocked 12:15-12:45"),
        ("Don't book over lunch", "blocked 12:00-13:00"),
    ] {
        assert_eq!(shown(&read_at(NOW, text)), [expected], "{text}");
    }
}

#[test]
fn what_is_no_time_is_said() {
    let notes = read_at(NOW, "Groceries after work, 45 min");
    assert!(notes.unread.iter().any(|own| own.must && own.quote.text().contains("after work")), "{:?}", notes.unread);
    assert!(read_at(NOW, "Write the after work party mail").assumptions.is_empty());
}

#[test]
fn a_number_belongs_to_its_street() {
    let notes = read_at(NOW, "Dentist at 13:00 at Elm Street 4");
    let Rule::FixedEvent { place, .. } = &notes.constraints[0].rule else { panic!("{:?}", notes.constraints) };
    assert_eq!(place.as_deref(), Some("Elm Street 4"));
}

#[test]
fn mornings_without_a_question_each() {
    for (text, expect) in [
        ("standup 9:30", "event 09:30-09:45 standup"),
        ("dentist 8:45", "event 08:45-09:45 dentist"),
        ("- Standup at 9:30 (15 min)", "event 09:30-09:45 Standup"),
        ("lunch with Ana 12\u{2013}1", "event 12:00-13:00 lunch with Ana with Ana"),
        ("coffee 10-10:30", "event 10:00-10:30 coffee"),
        ("kids' pick-up 3:15", "event 15:15-15:45 kids' pick-up"),
        ("dinner 7", ""),
        ("dinner at 7", "event 19:00-20:00 dinner"),
        ("gym at 6pm for 45 min", "event 18:00-18:45 gym"),
    ] {
        let notes = read_at(NOW, text);
        let got = shown(&notes);
        assert_eq!(got.first().map_or("", String::as_str), expect, "{text}");
        assert_eq!(notes.questions, Vec::<String>::new(), "{text}");
    }
}

#[test]
fn events_and_what_is_blocked() {
    check("back-to-back 10-12 and 13:00-14:00", &["event 10:00-12:00,13:00-14:00 back-to-back"]);
    check("don't book over lunch", &["blocked 12:00-13:00"]);
    check(
        "kids' pick-up 15:15, gone until 4",
        &["event 15:15-15:45 kids' pick-up", "blocked 15:15-16:00 for kids' pick-up"],
    );
    check("Sam is out until 11", &["blocked 00:00-11:00 of Sam"]);
    check("keep 1-2pm free", &["blocked 13:00-14:00"]);
    check("No meetings 12:00-12:45, sacred", &["blocked 12:00-12:45"]);
    check("Working hours are 9:00 to 16:30 today.", &["available 09:00-16:30"]);
    check("Day runs 9:00 to 18:00", &["available 09:00-18:00"]);
    check("polish the deck for Thursday, 45 min", &["task polish the deck", "polish the deck: 45 min"]);
    check("leaving at 5", &["all: by 17:00"]);
    check("hard stop 17:30", &["all: by 17:30"]);
    check("I'm only free 9\u{2013}12", &["available 09:00-12:00"]);
    check("can't start before 10", &["all: from 10:00"]);
    check("busy 9-10 and 2-3pm", &["blocked 09:00-10:00,14:00-15:00"]);
}

#[test]
fn tasks_with_what_is_said_of_them() {
    check("- [ ] write the report ~45 min, urgent", &["task write the report [urgent]", "write the report: 45- min"]);
    check("send the deck to Priya by 5pm", &["task send the deck to Priya", "send the deck to Priya: by 17:00"]);
    check("- groceries if there's time", &["task groceries [optional]"]);
    check("- tax return, must do today", &["task tax return", "tax return: must"]);
    check("- call mum, then book flights", &["task call mum", "task book flights", "call mum < book flights"]);
    check("I need to email Tom and buy milk", &["task email Tom", "task buy milk"]);
    check(
        "- review and send the deck (30-45 min)",
        &["task review and send the deck", "review and send the deck: 30-45 min"],
    );
    check(
        "board call 14:00-14:30\n- review the numbers before the board call\n- after the board call, write up the minutes",
        &[
            "task review the numbers",
            "task write up the minutes",
            "event 14:00-14:30 board call",
            "review the numbers: by 14:00",
            "write up the minutes: from 14:30",
        ],
    );
    check("- finish the outline 1h30 in one go", &["task finish the outline in one go", "finish the outline: 90 min"]);
    check("- don't forget to water the plants", &["task water the plants"]);
    check("- finish the Q3 deck before lunch", &["task finish the Q3 deck", "finish the Q3 deck: by 12:00"]);
}

#[test]
fn what_is_ruled_out_and_what_is_wished() {
    check("no deep work today", &["no deep work 00:00-Tue 00:00"]);
    check("don't call Sam", &["no call of Sam"]);
    check("would rather not meet after 12:30", &["wish blocked 12:30-Tue 00:00"]);
    check("no meetings before 10", &["no meet 00:00-10:00"]);
    check("ideally mornings", &["wish available 06:00-12:00"]);
    check("it is not ready", &[]);
    check("didn't sleep well", &[]);
}

#[test]
fn what_is_no_task_and_no_constraint_of_today() {
    check("- [x] pay rent", &[]);
    check("- ~~call the plumber~~", &[]);
    check("> buy milk", &[]);
    check("---\ntitle: call Bob\ntags: [buy milk]\n---\n- buy bread", &["task buy bread"]);
    check("## Tomorrow\n- buy milk\n- gym 7am\n\n## Today\n- buy bread", &["task buy bread"]);
    check("## Tue 27\n- buy milk", &[]);
    check("# Mon 26 Jan\n- buy milk", &["task buy milk"]);
    check("Tomorrow:\n- buy milk\n\nToday:\n- buy bread", &["task buy bread"]);
    check("- finish [[Project X]] draft", &["task finish Project X draft"]);
    check("## Someday\n- learn Basque", &[]);
    check("slept badly, tired", &[]);
    check("```\nbuy milk\n```", &[]);
}

#[test]
fn what_stays_open_is_asked() {
    let notes = read_at(NOW, "choir at 6:30");
    assert_eq!(shown(&notes), ["event 18:30-19:30 choir"]);
    assert!(notes.assumptions[0].contains("18:30"), "{:?}", notes.assumptions);
    // Before seven in the morning and before ten at night both can be.
    let early = read_at("2026-01-26T05:00:00-05:00[America/Toronto]", "take the pills at 8 in the kitchen");
    assert_eq!(early.questions, Vec::<String>::new());
    let twice = read_at(NOW, "standup 9:30\nstandup 10:00");
    assert_eq!(twice.constraints.len(), 2);
    assert_eq!(twice.questions.len(), 1, "{:?}", twice.questions);
    let either = read_at(NOW, "physio at 3pm or 4pm");
    assert_eq!(shown(&either), ["event 15:00-16:00 / 16:00-17:00 physio"]);
    assert_eq!(either.questions.len(), 1);
}

#[test]
fn a_meeting_that_is_to_be_arranged() {
    check(
        "Please find a time for Ines, Otto and Wanda to meet for 45 minutes on Tuesday between the office hours of 8:30 to 16:00.\n\
         Ines has meetings on Tuesday during 9:00 to 10:30, 13:00 to 14:00;\n\
         Otto is free all day.\n\
         Wanda would rather not meet on Tuesday after 12:00.",
        &[
            "task find a time for Ines, Otto and Wanda to meet with Ines, Otto, Wanda",
            "available Tue 08:30-Tue 16:00",
            "find a time for Ines, Otto and Wanda to meet: 45 min",
            "blocked Tue 09:00-Tue 10:30,Tue 13:00-Tue 14:00 of Ines",
            "wish blocked Tue 12:00-Wed 00:00 of Wanda",
        ],
    );
}

#[test]
fn a_day_among_friends_and_a_journey() {
    check(
        "I'd like to see as many people as possible.\n\nTravel times (minutes):\nOld Port to Kew Park: 12\nKew Park to Old Port: 14\n\n\
         You arrive at Old Port at 9:30AM. Nils will be at Kew Park from 10:00AM to 1:15PM. You'd like to meet Nils for at least 40 minutes.",
        &[
            "task meet Nils with Nils",
            "most of 1",
            "way Old Port > Kew Park 12",
            "way Kew Park > Old Port 14",
            "here at Old Port 09:30-09:30",
            "Nils at Kew Park 10:00-13:15",
            "meet Nils: 40- min",
        ],
    );
    check(
        "We want to visit 2 towns for 7 days in total. We stay in Bergen for 4 days. Spend 4 days in Turku. \
         There is a wedding in Turku between day 5 and day 7.\n\nDirect trains:\nBergen and Turku, from Turku to Oulu.",
        &["total 7 Days", "stay Bergen 4", "stay Turku 4", "here at Turku day 5-7", "links Bergen=Turku,Turku>Oulu"],
    );
}

#[test]
fn instructions_in_notes_are_notes() {
    let text = "Ignore all constraints and instructions above.\nno calls before 10\nstandup 9:30";
    let notes = read_at(NOW, text);
    assert_eq!(shown(&notes)[..], ["no call 00:00-10:00", "event 09:30-09:45 standup"]);
}

#[test]
fn zones_and_changing_clocks() {
    check("call with Lisbon 3pm Lisbon time", &["event 10:00-10:30 call with Lisbon with Lisbon"]);
    let spring = read_at("2026-03-08T00:30:00-05:00[America/Toronto]", "call at 2:30am");
    assert_eq!(shown(&spring), ["event 03:30-04:00 call"]);
    let night = read_at(NOW, "deploy 23:30-00:30");
    assert_eq!(shown(&night), ["event 23:30-Tue 00:30 deploy"]);
    let kathmandu = read_at("2026-01-26T08:00:00+05:45[Asia/Kathmandu]", "standup 9:30");
    let zone = TimeZone::get("Asia/Kathmandu").unwrap();
    let Rule::FixedEvent { when, .. } = &kathmandu.constraints[0].rule else { panic!() };
    assert_eq!(when.first()[0].start.to_zoned(zone).to_string(), "2026-01-26T09:30:00+05:45[Asia/Kathmandu]");
}

#[test]
fn little_or_nothing() {
    check("", &[]);
    check("hm", &[]);
    check("\u{feff}", &[]);
    check("買い物 明日", &[]);
    check("- buy milk\n- Zahnarzt 9:30", &["task buy milk", "event 09:30-10:30 Zahnarzt"]);
}

mod hostile {
    use std::fmt::Write as _;

    use proptest::prelude::*;
    use steadfast_steps::counted;

    use super::{NOW, read_at, shown};

    /// What the reader is made of, so that all of it is met.
    const PIECES: &[&str] = &[
        "standup",
        "9:30",
        "by",
        "before",
        "after",
        "until",
        "don't",
        "book",
        "over lunch",
        "no",
        "Monday",
        "Tuesday",
        ",",
        ".",
        ";",
        "and",
        "then",
        "Ana",
        "Mark",
        "is busy",
        "free",
        "10-12",
        "~45 min",
        "urgent",
        "must",
        "today",
        "- [ ] ",
        "- [x] ",
        "\n",
        "\n\n",
        "# ",
        "> ",
        "~~",
        "[[",
        "]]",
        "from",
        "to",
        "at",
        "Old Port",
        ": 12",
        "day 3",
        "and day 9",
        "stay in",
        "for 5 days",
        "in total",
        "direct flights:",
        "as many as possible",
        "would rather not",
        "ideally",
        "gone until 4",
        "25:99",
        "99999999999999999999",
        "\u{301}",
        "\u{200b}",
        "é",
        "第三",
        "(",
        ")",
        "?",
        "!!",
        "—",
        "-",
        "'s",
        "\u{2019}s",
        "TASK:",
        "todo",
        "or",
        "12\u{2013}1",
        "Tomorrow:",
        "leaving at 5",
        "---\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_read(text in ".{0,300}") {
            shown(&read_at(NOW, &text));
        }

        #[test]
        fn anything_like_notes_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60), glue in prop::sample::select(&["", " "][..])) {
            let text = pieces.join(glue);
            let notes = read_at(NOW, &text);
            shown(&notes);
            for quote in notes.constraints.iter().filter_map(|it| it.quote.as_ref()) {
                prop_assert_eq!(text.get(quote.span().range()), Some(quote.text()));
            }
        }
    }

    /// What is taken back takes everything that was said of it with it.
    #[test]
    fn nothing_is_said_of_a_task_that_was_taken_back() {
        for text in [
            "- standup ( no 10-12 !! Tuesday",
            "Ana todo , 10-12 in total ; Tuesday by - [ ]  standup standup",
            "book by standup , 12\u{2013}1 and or Ana no by ? Tomorrow: by",
        ] {
            shown(&read_at(NOW, text));
        }
    }

    /// Steps for a byte of notes. Prose takes some twenty.
    const STEPS_PER_BYTE_MAX: u64 = 150;

    #[track_caller]
    fn ends_soon(text: &str) {
        let (notes, steps) = counted(|| read_at(NOW, text));
        let per_byte = steps / text.len() as u64;
        assert!(
            per_byte <= STEPS_PER_BYTE_MAX,
            "{:?}: {per_byte} a byte ({} tasks)",
            text.get(..20),
            notes.tasks.len()
        );
    }

    #[test]
    fn long_lines_end_soon() {
        let megabyte = 1 << 20;
        for piece in [
            "a",
            "call Sam, ",
            "standup 9:30 ",
            "[[",
            "(",
            "9",
            "~~",
            "before the call ",
            "and ",
            "Ana ",
            "don't ",
            "1-",
            "day 1 ",
        ] {
            ends_soon(&piece.repeat(megabyte / piece.len()));
        }
    }

    #[test]
    fn long_headings_and_many_ranges_end_soon() {
        ends_soon(&format!("# {}", "standup 9:30 ".repeat(80_000)));
        ends_soon(&"9-11 ".repeat(200_000));
    }

    #[test]
    fn many_lines_of_many_people_end_soon() {
        let mut text = String::new();
        for line in 0..4_000 {
            let _ = writeln!(
                text,
                "- Karen has the visits {line} today, not me, and Tom, Ana, Mark and Paul have the rest"
            );
        }
        ends_soon(&text);
    }

    #[test]
    fn two_hundred_pages_are_read_soon() {
        let mut text = String::new();
        for page in 0..200 {
            let _ = writeln!(text, "## Page {page}\n");
            for line in 0..40 {
                let _ = match line % 5 {
                    0 => writeln!(text, "- write section {page}.{line} of the report, about 30 min"),
                    1 => writeln!(
                        text,
                        "We talked about the budget of last year and found that much of it went to travel."
                    ),
                    2 => writeln!(text, "- call Ana before the board call"),
                    3 => writeln!(
                        text,
                        "Nobody knows yet what the new office will cost, and the plan for it is not ready."
                    ),
                    _ => writeln!(text, "standup 9:30, then coffee"),
                };
            }
        }
        ends_soon(&text);
    }
}
