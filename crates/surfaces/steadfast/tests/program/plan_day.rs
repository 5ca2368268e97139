//! Planning through the day, as a whole program: calendars beside the notes, plans for other programs, and going on with an earlier plan.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{End, Place};
use serde_json::{Value, json};
use steadfast_testkit::schema::breaches;
use steadfast_wire::plan::PlanResponse;

const NOTES: &str =
    "- write the report, 60 min\n- call Ana, 30 min\n- review the budget, 45 min, before the board call\n";

const TEAM: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\
    BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Standup\r\nDTSTART;TZID=America/Toronto:20250106T093000\r\nDURATION:PT15M\r\n\
    RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:2\r\nSUMMARY:Board call\r\nLOCATION:Room 2\r\nDTSTART:20260126T160000Z\r\nDTEND:20260126T170000Z\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:3\r\nSUMMARY:Ana's birthday\r\nDTSTART;VALUE=DATE:20260126\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:4\r\nSUMMARY:Yoga\r\nDTSTART:20260126T180000Z\r\nDTEND:20260126T190000Z\r\nSTATUS:CANCELLED\r\nEND:VEVENT\r\n\
    END:VCALENDAR\r\n";

/// Monday, at nine.
const AT: &str = "--at 2026-01-26T09:00:00 --tz America/Toronto";

fn day() -> Place {
    Place::empty().with("notes.md", NOTES).with("team.ics", TEAM)
}

fn parsed(end: &End) -> Value {
    serde_json::from_str(&end.stdout).unwrap()
}

fn planned(place: &Place, rest: &str) -> Value {
    parsed(&place.steadfast(&format!("plan notes.md --json -q {rest}")).status(0))
}

/// The clock times of an item or of a constraint.
fn clock(own: &Value) -> String {
    let of = |end: &str| own[end].as_str().map_or(String::new(), |time| time[11..16].to_owned());
    format!("{}–{}", of("start"), of("end"))
}

fn events(constraints: &Value) -> Vec<(&str, &str, String)> {
    let all = constraints["constraints"].as_array().unwrap().iter();
    let fixed = all.filter(|own| own["kind"] == "fixed_event");
    fixed.map(|own| (own["text"].as_str().unwrap(), own["span"]["file"].as_str().unwrap(), clock(own))).collect()
}

#[test]
fn events_of_a_calendar_are_constraints_with_their_words() {
    let place = day();
    let found =
        parsed(&place.steadfast(&format!("plan constraints notes.md --calendar team.ics --json -q {AT}")).status(0));
    assert_eq!(
        events(&found),
        [("Standup", "team.ics", "09:30–09:45".to_owned()), ("Board call", "team.ics", "11:00–12:00".to_owned())]
    );
    for own in found["constraints"].as_array().unwrap().iter().filter(|own| own["kind"] == "fixed_event") {
        let (start, end) = (own["span"]["start"].as_u64().unwrap(), own["span"]["end"].as_u64().unwrap());
        assert_eq!(&TEAM[usize::try_from(start).unwrap()..usize::try_from(end).unwrap()], own["text"]);
    }
    // The notes can speak of what the calendar holds.
    let deadline = found["constraints"].as_array().unwrap().iter().find(|own| own["kind"] == "deadline").unwrap();
    assert_eq!(clock(deadline), "–11:00");
    let assumptions = found["assumptions"].to_string();
    assert!(
        assumptions.contains("\\\"Ana's birthday\\\" of team.ics takes no time: it is of the whole day."),
        "{assumptions}"
    );
    assert!(assumptions.contains("\\\"Yoga\\\" of team.ics takes no time: it is cancelled."), "{assumptions}");
}

#[test]
fn a_plan_keeps_out_of_what_the_calendar_holds() {
    let place = day();
    let plan = planned(&place, &format!("--calendar team.ics {AT}"));
    let schema = serde_json::to_value(steadfast_wire::schema::<PlanResponse>()).unwrap();
    assert_eq!(breaches(&schema, &plan), [""; 0]);
    assert_eq!((&plan["status"], plan.get("moved")), (&"recommended".into(), None));
    for item in plan["plan"].as_array().unwrap() {
        let (start, end) =
            (item["start"].as_str().unwrap()[11..16].to_owned(), item["end"].as_str().unwrap()[11..16].to_owned());
        let taken = [("09:30", "09:45"), ("11:00", "12:00")];
        assert!(taken.iter().all(|(from, to)| end.as_str() <= *from || start.as_str() >= *to), "{item}");
    }
    // Somebody's plan over the board call fails.
    let over = json!([{"task": "write the report", "timebox_minutes": 60, "start": "2026-01-26T11:15:00-05:00", "end": "2026-01-26T12:15:00-05:00"}]);
    let place = place.with("over.json", over.to_string());
    let end = place.steadfast(&format!("plan check notes.md over.json --calendar team.ics --json -q {AT}")).status(1);
    assert!(end.stdout.contains("\"time-blocked\""), "{}", end.stdout);
}

#[test]
fn a_folder_has_a_note_and_its_calendars() {
    let place = Place::empty()
        .with("day/2026-01-26.md", NOTES)
        .with("day/2026-01-27.md", "- rest\n")
        .with("day/team.ics", TEAM);
    let found = parsed(&place.steadfast(&format!("plan constraints day --json -q {AT}")).status(0));
    assert_eq!(events(&found).len(), 2);
    let end = place.steadfast("plan day --tz America/Toronto");
    end.refused(
        2,
        "error: day: holds 2 notes, and which of them is the day's is not said\n\
         hint: name the file itself, or call it by its day (2026-01-26.md) and give --at",
    );
}

#[test]
fn what_stands_in_notes_and_calendar_is_one() {
    let place = day().with("notes.md", "Standup 9:30-9:45.\n- write the report\n");
    let found =
        parsed(&place.steadfast(&format!("plan constraints notes.md --calendar team.ics --json -q {AT}")).status(0));
    assert_eq!(events(&found).iter().filter(|(.., when)| when == "09:30–09:45").count(), 1, "{found}");
}

#[test]
fn a_calendar_that_cannot_be_read_is_told_with_its_line() {
    let place = day().with("no.ics", "hello\n").with(
        "zone.ics",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nDTSTART;TZID=Mars:20260126T100000\nEND:VEVENT\nEND:VCALENDAR\n",
    );
    let refused = |file: &str, error: &str| {
        place.steadfast(&format!("plan notes.md --calendar {file} {AT}")).refused(2, error);
    };
    refused(
        "no.ics",
        "error: no.ics:1: is no line of a calendar: it has no `:`\nhint: a calendar is an iCalendar file (.ics), as calendars export it",
    );
    refused(
        "zone.ics",
        "error: zone.ics:4: its zone `Mars` is neither known nor described in the file\n\
         hint: a calendar is an iCalendar file (.ics), as calendars export it",
    );
    refused("none.ics", "error: none.ics: no such file or folder");
}

#[test]
fn a_plan_is_written_as_calendar_and_as_task_lines() {
    let place = day();
    let plan = planned(&place, &format!("--calendar team.ics {AT}"));
    let items = plan["plan"].as_array().unwrap();
    let write = |format: &str| {
        place.steadfast(&format!("plan notes.md --calendar team.ics --format {format} -q {AT}")).status(0).stdout
    };
    let lines: Vec<String> =
        items.iter().map(|item| format!("- [ ] {} {}\n", clock(item), item["task"].as_str().unwrap())).collect();
    assert_eq!(write("tasks"), lines.concat());
    let ics = write("ics");
    assert_eq!(ics, write("ics"));
    assert!(ics.starts_with("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") && ics.ends_with("END:VCALENDAR\r\n"), "{ics}");
    assert_eq!(ics.matches("DTSTAMP:20260126T140000Z\r\n").count(), items.len());
    // What we write, we read: each event takes the time of its item.
    let place = place.with("empty.md", "- nothing else\n").with("own.ics", ics);
    let found =
        parsed(&place.steadfast(&format!("plan constraints empty.md --calendar own.ics --json -q {AT}")).status(0));
    let times: Vec<String> = events(&found).into_iter().map(|(.., when)| when).collect();
    assert_eq!(times, items.iter().map(clock).collect::<Vec<_>>());
}

/// What became of each item: change, task, and times where they changed.
fn changes(plan: &Value) -> Vec<(String, String)> {
    let own = |it: &Value| (it["change"].as_str().unwrap().to_owned(), it["task"].as_str().unwrap().to_owned());
    plan["moved"].as_array().unwrap().iter().map(own).collect()
}

#[test]
fn the_rest_of_the_day_is_planned_anew() {
    let place = day();
    let first = planned(&place, &format!("--calendar team.ics {AT}"));
    let place = place.with("plan.json", first.to_string());
    let items = first["plan"].as_array().unwrap();
    let task = |at: usize| items[at]["task"].as_str().unwrap().to_owned();
    let numbered = |change: &'static str| {
        move |plan: &Value| {
            changes(plan).into_iter().filter(|(own, _)| own == change).map(|(_, task)| task).collect::<Vec<_>>()
        }
    };
    // At once: everything lies where it lay.
    let again = planned(&place, &format!("--calendar team.ics --from plan.json {AT}"));
    let schema = serde_json::to_value(steadfast_wire::schema::<PlanResponse>()).unwrap();
    assert_eq!(breaches(&schema, &again), [""; 0]);
    assert_eq!(again["plan"], first["plan"]);
    assert!(changes(&again).iter().all(|(change, _)| change == "unchanged"), "{again}");

    // After the first item: it is kept, and the plan has the rest alone.
    let end = items[0]["end"].as_str().unwrap();
    let later = planned(&place, &format!("--calendar team.ics --from plan.json --at {end} --tz America/Toronto"));
    assert_eq!(numbered("kept")(&later), [task(0)]);
    assert!(
        later["plan"]
            .as_array()
            .unwrap()
            .iter()
            .all(|item| item["task"] != items[0]["task"] && item["start"].as_str().unwrap() >= end)
    );

    // What is said to be done is kept, wherever it lay.
    let last = items.len();
    let done = planned(&place, &format!("--calendar team.ics --from plan.json --done {last} {AT}"));
    assert_eq!(numbered("kept")(&done), [task(last - 1)]);
    assert_eq!(done["moved"][0]["why"], "said to be done");

    // In the afternoon all that is left has moved, and the texts say so.
    let noon = "--at 2026-01-26T13:00:00 --tz America/Toronto";
    let place = place.with("late.md", NOTES.replace("- call Ana", "- [x] call Ana")).with(
        "early.json",
        json!([{"task": "write the report", "timebox_minutes": 60, "start": "2026-01-26T12:30:00-05:00", "end": "2026-01-26T13:30:00-05:00"},
            {"task": "call Ana", "timebox_minutes": 30, "start": "2026-01-26T14:00:00-05:00", "end": "2026-01-26T14:30:00-05:00"}])
        .to_string(),
    );
    let text = place.steadfast(&format!("plan late.md --from early.json -q {noon}")).stdout;
    assert!(text.contains("What became of the earlier plan"), "{text}");
    assert!(text.contains("done 14:00–14:30: call Ana (checked off in the notes)"), "{text}");
    assert!(text.contains("moved 12:30–13:30 → "), "{text}");
    assert!(text.contains("is under way and not said to be done"), "{text}");
    let tasks = place.steadfast(&format!("plan late.md --from early.json --format tasks -q {noon}")).stdout;
    assert!(tasks.starts_with("- [x] 14:00–14:30 call Ana\n- [ ] 13:00–"), "{tasks}");
}

#[test]
fn what_cannot_be_gone_on_with_is_told() {
    let place = day().with("plan.json", json!([{"task": "write the report", "timebox_minutes": 60}]).to_string());
    place.steadfast(&format!("plan notes.md --from plan.json --done 2 {AT}")).refused(
        2,
        "error: plan.json: has no item 2; it has 1\nhint: items are counted from 1, in the order of the plan",
    );
    let end = place.steadfast("plan notes.md --from plan.json");
    assert!(end.status == 2 && end.stderr.contains("--at"), "{end:?}");
    let end = place.steadfast(&format!("plan notes.md --from plan.json --advise {AT}"));
    assert_eq!(end.status, 2, "{end:?}");
}

#[test]
fn without_a_zone_that_of_the_machine_is_taken() {
    let place = day();
    for (zone, taken, start) in [
        ("Europe/Berlin", "the machine's is taken, Europe/Berlin", "2026-01-26T09:00:00+01:00"),
        ("No/Such", "the machine's is not known, so UTC is taken, UTC", "2026-01-26T09:00:00+00:00"),
    ] {
        let plan = "plan notes.md --at 2026-01-26T09:00:00 --json -q";
        let answer = parsed(&place.steadfast_in(&[("TZ", zone)], plan, b"").status(0));
        assert_eq!(answer["assumptions"][0], format!("No zone is given: {taken}."));
        assert_eq!(answer["current_time"], start);
    }
}
