//! Meetings at places and journeys of several days, whose truth is known: each break of it is caught, and by the right check.

use std::collections::BTreeMap;

use steadfast_evidence::Evaluated;
use steadfast_plan::model::{Extent, Link, Unit, vocabulary};
use steadfast_plan::window::minutes_after;
use steadfast_plan::{
    Days, Form, Given, Interval, Notes, Readings, Rule, Settings, Status, Validation, Variant, Window, answer, run,
    validate,
};

use crate::days::{Dice, Writer, constraints, given, task};
use crate::notation::moment;

const PEOPLE: &[&str] = &["Ana", "Ben", "Cem", "Dora", "Edith"];
const PLACES: &[&str] = &["Library", "Pool", "Station", "Old Harbour", "Town Hall", "Museum"];

fn checked(notes: &Notes, items: &[Given]) -> Validation {
    let answer = answer::read(notes, items, Form::Events);
    match validate(notes, &answer, &Settings::default()) {
        Evaluated::Value(validation) => validation,
        Evaluated::NotEvaluable(reason) => panic!("{reason}"),
    }
}

#[track_caller]
fn caught(notes: &Notes, items: &[Given], check: &'static str, counts: &mut BTreeMap<&'static str, usize>) {
    let validation = checked(notes, items);
    assert_eq!(validation.status, Status::Fail, "{check}: {items:#?}");
    let by_it = validation.findings.iter().any(|finding| finding.hard && finding.check == check);
    assert!(by_it, "{check}: {items:#?}\n{:#?}", validation.findings);
    *counts.entry(check).or_default() += 1;
}

/// A day of meetings in a town, all of which can be held, in order; each of them as an item.
fn meetings(seed: u64, count: usize) -> (Notes, Vec<Given>) {
    let mut dice = Dice::new(seed);
    let now = moment("2026-01-26 09:00");
    let mut writer = Writer::new();
    let mut rules = Vec::new();
    let start = now.timestamp();
    let line = writer.line(&format!("I arrive at {} at 9:00", PLACES[0]));
    let here = Readings::unique(vec![Window::Clock(Interval::new(start, start))]);
    rules.push((
        line,
        Rule::Presence { who: None, place: PLACES[0].to_owned(), when: here, extent: Extent::Throughout },
    ));
    let mut ways = BTreeMap::new();
    for (at, from) in PLACES.iter().enumerate() {
        for to in &PLACES[at + 1..] {
            let minutes = dice.roll(5, 25);
            ways.insert((*from, *to), minutes);
            ways.insert((*to, *from), minutes);
            let line = writer.line(&format!("{from} to {to}: {minutes} minutes"));
            rules.push((
                line,
                Rule::Travel { from: (*from).to_owned(), to: (*to).to_owned(), minutes, both_ways: true },
            ));
        }
    }
    let mut tasks = Vec::new();
    let mut items = Vec::new();
    let (mut at, mut place) = (start, PLACES[0]);
    for (index, who) in PEOPLE.iter().take(count).enumerate() {
        let there = PLACES[1 + index];
        let begin = minutes_after(at, ways[&(place, there)] + dice.roll(0, 2) * 10);
        let minutes = dice.roll(2, 6) * 15;
        let when = Interval::new(begin, minutes_after(begin, minutes));
        let window =
            Interval::new(minutes_after(begin, -dice.roll(0, 3) * 15), minutes_after(when.end, dice.roll(0, 3) * 15));
        let line = writer.line(&format!("{who} is at {there}"));
        let times = Readings::unique(vec![Window::Clock(window)]);
        rules.push((
            line,
            Rule::Presence {
                who: Some((*who).to_owned()),
                place: there.to_owned(),
                when: times,
                extent: Extent::Within,
            },
        ));
        let line = writer.line(&format!("meet {who} for at least {minutes} minutes"));
        rules.push((line, Rule::Duration { task: index, minutes_min: Some(minutes), minutes_max: None }));
        tasks.push((line, format!("meet {who}"), (*who).to_owned()));
        items.push(Given {
            task: None,
            why: None,
            timebox_minutes: None,
            with: vec![(*who).to_owned()],
            place: Some(there.to_owned()),
            ..given("", when)
        });
        (at, place) = (when.end, there);
    }
    let line = writer.line("as many friends as possible");
    rules.push((line, Rule::Objective { tasks: Vec::new() }));
    let quotes = writer.quotes();
    let mut notes = Notes::empty(now);
    notes.vocabulary = vocabulary(&writer.text);
    for (line, text, who) in tasks {
        let mut task = task(&text, &quotes[line]);
        task.with = vec![who];
        notes.tasks.push(task);
    }
    notes.constraints = constraints(rules, &quotes);
    (notes, items)
}

#[test]
fn breaks_of_meetings_are_caught() {
    let mut counts = BTreeMap::new();
    for seed in 0..100 {
        let (notes, items) = meetings(seed, usize::try_from(2 + seed % 4).unwrap());
        let validation = checked(&notes, &items);
        assert_eq!(validation.status, Status::Pass, "seed {seed}: {:#?}", validation.errors);
        for at in 0..items.len() {
            let with = |change: &dyn Fn(&mut Given)| {
                let mut items = items.clone();
                change(&mut items[at]);
                items
            };
            caught(&notes, &with(&|item| item.place = Some(PLACES[0].to_owned())), "person-elsewhere", &mut counts);
            let late = minutes_after(moment("2026-01-26 23:00").timestamp(), 0);
            let night = with(&|item| {
                let moved = given("", Interval::new(late, minutes_after(late, 120)));
                (item.start, item.end) = (moved.start, moved.end);
            });
            caught(&notes, &night, "person-elsewhere", &mut counts);
            caught(&notes, &with(&|item| item.with = vec!["Zoltan".to_owned()]), "invented-name", &mut counts);
            caught(&notes, &with(&|item| item.place = Some("Atlantis".to_owned())), "invented-name", &mut counts);
            let short = with(&|item| {
                let start = item.start.as_ref().unwrap().parse::<jiff::Timestamp>().unwrap();
                item.end = given("", Interval::new(start, minutes_after(start, 5))).end;
            });
            caught(&notes, &short, "duration-broken", &mut counts);
            let fewer: Vec<Given> =
                items.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, it)| it.clone()).collect();
            caught(&notes, &fewer, "objective-missed", &mut counts);
            if at > 0 {
                let rushed = with(&|item| item.start.clone_from(&items[at - 1].end));
                caught(&notes, &rushed, "travel-short", &mut counts);
            } else {
                let rushed = with(&|item| {
                    item.start = given("", Interval::new(notes.now.timestamp(), notes.now.timestamp())).start;
                });
                caught(&notes, &rushed, "travel-short", &mut counts);
            }
        }
    }
    println!("{counts:?}");
}

#[test]
fn meetings_are_planned() {
    for seed in 0..100 {
        let (notes, _) = meetings(seed, usize::try_from(2 + seed % 4).unwrap());
        let Evaluated::Value(planned) = run(&notes, &Settings::default(), Variant::default()) else {
            panic!("not evaluable")
        };
        assert_eq!(
            planned.validation.status,
            Status::Pass,
            "seed {seed}: {:#?}\n{:#?}",
            planned.validation.errors,
            planned.items
        );
        assert!(planned.plan.left_out.is_empty(), "seed {seed}: {:#?}", planned.plan);
    }
}

/// A journey through all places but the last, and what the notes say of it.
fn journey(seed: u64) -> (Notes, Vec<Given>) {
    let mut dice = Dice::new(seed);
    let mut writer = Writer::new();
    let mut rules = Vec::new();
    let mut items = Vec::new();
    let mut links = Vec::new();
    let mut day = 1;
    let route = &PLACES[..5];
    for (at, place) in route.iter().enumerate() {
        let days = dice.roll(2, 5);
        let stay = Days { first: day, last: day + days - 1 };
        let line = writer.line(&format!("{days} days in {place}"));
        rules.push((line, Rule::Stay { place: (*place).to_owned(), days_min: Some(days), days_max: Some(days) }));
        if dice.chance(40) {
            let line = writer.line(&format!("a fair in {place} from day {} to day {}", stay.first, stay.last));
            let when = Readings::unique(vec![Window::Days(stay)]);
            let extent = Extent::Throughout;
            rules.push((line, Rule::Presence { who: None, place: (*place).to_owned(), when, extent }));
        }
        items.push(Given {
            start: Some(format!("Day {}", stay.first)),
            end: Some(format!("Day {}", stay.last)),
            place: Some((*place).to_owned()),
            ..Given::default()
        });
        if let Some(next) = route.get(at + 1) {
            links.push(Link { from: (*place).to_owned(), to: (*next).to_owned(), both_ways: dice.chance(50) });
        }
        day = stay.last;
    }
    let line = writer.line("these flights, and to the Museum none");
    rules.push((line, Rule::Connection { links }));
    let line = writer.line(&format!("{day} days in total"));
    rules.push((line, Rule::Total { unit: Unit::Days, tasks: Vec::new(), min: Some(day), max: Some(day) }));
    let quotes = writer.quotes();
    let mut notes = Notes::empty(moment("2026-01-26 09:00"));
    notes.vocabulary = vocabulary(&writer.text);
    notes.constraints = constraints(rules, &quotes);
    (notes, items)
}

#[test]
fn breaks_of_journeys_are_caught() {
    let mut counts = BTreeMap::new();
    for seed in 0..100 {
        let (notes, items) = journey(seed);
        let validation = checked(&notes, &items);
        assert_eq!(validation.status, Status::Pass, "seed {seed}: {:#?}", validation.errors);
        let last = |item: &Given| item.end.as_ref().unwrap()[4..].parse::<i64>().unwrap();
        for at in 0..items.len() {
            let mut longer = items.clone();
            longer[at].end = Some(format!("Day {}", last(&items[at]) + 1));
            caught(&notes, &longer, "stay-broken", &mut counts);
            if at + 1 < items.len() {
                caught(&notes, &longer, "items-overlap", &mut counts);
            } else {
                caught(&notes, &longer, "total-broken", &mut counts);
            }
            let mut elsewhere = items.clone();
            elsewhere[at].place = Some("Museum".to_owned());
            caught(&notes, &elsewhere, "no-connection", &mut counts);
            caught(&notes, &elsewhere, "stay-broken", &mut counts);
            let fewer: Vec<Given> =
                items.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, it)| it.clone()).collect();
            caught(&notes, &fewer, "stay-broken", &mut counts);
            // Two days in between are the last of one stay and the first of another: no day is lost with them.
            let days = last(&items[at]) - items[at].start.as_ref().unwrap()[4..].parse::<i64>().unwrap();
            if days > 1 || at == 0 || at + 1 == items.len() {
                caught(&notes, &fewer, "total-broken", &mut counts);
            }
            let fair = format!("a fair in {}", items[at].place.as_ref().unwrap());
            if notes.constraints.iter().any(|it| it.text().starts_with(&fair)) {
                caught(&notes, &fewer, "place-not-held", &mut counts);
            }
        }
    }
    println!("{counts:?}");
}
