//! Plans and their proofs in every format: as they are drawn today, and that no text of notes or plans becomes markup.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "common/hostile_texts.rs"]
mod hostile_texts;

use hostile_texts::HOSTILE;
use steadfast_render::plan::{
    Origin, Sheet, bench_html, bench_text, constraints_html, constraints_markdown, constraints_text, html, junit,
    markdown, marked, part, sarif, text, variants,
};
use steadfast_render::{Colour, OnePage, Texts};
use steadfast_wire::Span;
use steadfast_wire::model::{Aside, CallEnded, CallTurn, ModelCall, NeutralisedCount};
use steadfast_wire::plan::{
    Bench, Constraint, Constraints, Extraction, Generation, Kind, ModelView, Opinion, OpinionScore, PlanMaker,
    PlanResponse, PlanSource, RepairOutcome, Task, Times,
};

const NOTES: &str = include_str!("../../wire/tests/data/plan/day.md");

fn example() -> PlanResponse {
    steadfast_wire::from_json(include_str!("../../wire/tests/data/plan.json")).unwrap()
}

fn texts() -> Texts<'static> {
    Texts { files: [("day.md", NOTES)].into() }
}

/// The example as somebody's plan that was checked.
fn checked(response: &PlanResponse) -> Sheet<'_> {
    Sheet { origin: Origin::Given { file: "theirs.json" }, ..Sheet::from(response) }
}

fn task(name: &str, span: Span) -> Task {
    Task {
        task: name.to_owned(),
        quote: span.quote.clone(),
        span,
        id: "t1".to_owned(),
        minutes: None,
        must: false,
        optional: false,
    }
}

fn constraints(response: &PlanResponse) -> Constraints {
    let span = response.validation.constraints[0].span.clone().unwrap();
    Constraints {
        schema_version: response.schema_version.clone(),
        rules_version: None,
        current_time: response.current_time.clone(),
        timezone: response.timezone.clone(),
        constraints: response.validation.constraints[..4].to_vec(),
        tasks: vec![task("board report", span)],
        schema: String::new(),
        source: PlanSource::default(),
        set_apart: Vec::new(),
        unread: Vec::new(),
        open_questions: Vec::new(),
        read_confidence: 1.0,
        assumptions: response.assumptions.clone(),
        questions: response.questions.clone(),
        proposed: None,
        model_view: None,
        run: None,
    }
}

#[test]
fn the_example_quotes_what_stands_there() {
    for span in example().validation.constraints.iter().filter_map(|it| it.span.as_ref()) {
        assert_eq!(NOTES.get(span.start..span.end), Some(span.quote.as_str()));
    }
}

#[test]
fn plan_as_text() {
    insta::assert_snapshot!(text(&Sheet::from(&example()), &texts(), Colour::Off));
}

#[test]
fn plan_as_markdown() {
    insta::assert_snapshot!(markdown(&Sheet::from(&example()), &texts()));
}

#[test]
fn plan_as_html() {
    insta::assert_snapshot!(html(&Sheet::from(&example()), &texts()).unwrap());
}

#[test]
fn plan_as_junit() {
    insta::assert_snapshot!(junit(&Sheet::from(&example()), &texts()).unwrap());
}

#[test]
fn plan_as_sarif() {
    insta::assert_snapshot!(sarif(&checked(&example()), &texts()).unwrap());
}

#[test]
fn check_as_text() {
    insta::assert_snapshot!(text(&checked(&example()), &texts(), Colour::Off));
}

#[test]
fn constraints_as_text() {
    insta::assert_snapshot!(constraints_text(&constraints(&example()), &texts(), Colour::Off));
}

/// The words below the picture, and what it draws, where the notes take this of the day besides.
#[track_caller]
fn check_picture(taken: &[(&str, &str)], hours: &str, drawn: &[&str]) {
    let mut response = example();
    let lunch = response.validation.constraints.iter().find(|it| it.kind == Kind::Blocked).unwrap().clone();
    for (number, (start, end)) in taken.iter().enumerate() {
        let moment = |time: &str| Some(format!("{time}:00-05:00"));
        let times = Times { start: moment(start), end: moment(end) };
        let own = Constraint {
            id: format!("more-{number}"),
            text: format!("event {number}"),
            start: times.start.clone(),
            end: times.end.clone(),
            readings: vec![vec![times]],
            ..lunch.clone()
        };
        response.validation.constraints.push(own);
    }
    let page = html(&Sheet::from(&response), &texts()).unwrap();
    let picture = &page[page.find("<svg class=\"picture\"").unwrap()..];
    let picture = &picture[..picture.find("</svg>").unwrap()];
    assert!(picture.contains(&format!("The plan from {hours}, ")), "{picture}");
    let found: Vec<&str> =
        picture.split("<title>").skip(1).map(|rest| rest.split("</title>").next().unwrap()).collect();
    let events: Vec<&str> = found.into_iter().filter(|title| title.contains("event")).collect();
    assert_eq!(events, drawn);
}

#[test]
fn the_picture_of_a_day_shows_all_that_the_notes_take_of_it() {
    check_picture(&[], "11:00 to 16:00", &[]);
    check_picture(&[("2026-01-26T19:00", "2026-01-26T20:30")], "11:00 to 21:00", &["19:00–20:30 event 0"]);
    check_picture(&[("2026-01-26T06:15", "2026-01-26T07:00")], "06:00 to 16:00", &["06:15–07:00 event 0"]);
    // Of a night an hour is drawn at either end of the day.
    check_picture(
        &[("2026-01-25T22:00", "2026-01-26T07:00"), ("2026-01-26T22:00", "2026-01-27T07:00")],
        "06:00 to 23:00",
        &["2026-01-25 22:00–2026-01-26 07:00 event 0", "22:00–2026-01-27 07:00 event 1"],
    );
}

fn bench() -> Bench {
    steadfast_wire::from_json(include_str!("../../wire/tests/data/bench.json")).unwrap()
}

#[test]
fn bench_as_text() {
    insta::assert_snapshot!(bench_text(&bench(), Colour::Off));
}

#[test]
fn bench_as_html() {
    insta::assert_snapshot!(bench_html(&bench()).unwrap());
}

/// The example with `hostile` in every member that can hold text of notes or plans, and the notes that it then quotes.
fn infect(hostile: &str) -> (PlanResponse, String) {
    let notes = format!("Before {hostile} after.\n\nAnother {hostile}\n");
    let span = Span { file: "day.md".to_owned(), start: 7, end: 7 + hostile.len(), quote: hostile.to_owned() };
    let own = hostile.to_owned();
    let mut response = example();
    for item in &mut response.plan {
        (item.task, item.why, item.with) = (own.clone(), own.clone(), vec![own.clone()]);
        item.place = Some(own.clone());
    }
    response.plan[2].start = Some(own.clone());
    response.plan[1].end = Some(own.clone());
    let validation = &mut response.validation;
    for constraint in &mut validation.constraints {
        (constraint.text, constraint.meaning) = (own.clone(), own.clone());
        if constraint.span.is_some() {
            constraint.span = Some(span.clone());
        }
        constraint.readings = vec![vec![Times { start: Some(own.clone()), end: constraint.end.clone() }]];
    }
    for finding in &mut validation.findings {
        (finding.check, finding.message) = (own.clone(), own.clone());
        finding.ask_span = Some(Span { file: own.clone(), ..span.clone() });
    }
    let lines = vec![own.clone(); 3];
    (validation.errors, validation.unchecked) = (lines.clone(), lines.clone());
    (response.assumptions, response.questions) = (lines.clone(), lines.clone());
    response.timezone.clone_from(&own);
    response.overload.as_mut().unwrap().proof.clone_from(&own);
    response.overload.as_mut().unwrap().drop = lines;
    for step in &mut response.trace {
        (step.span, step.input, step.output) = (own.clone(), own.clone(), own.clone());
    }
    (response, notes)
}

/// The kinds of tags of a page, with the names of their attributes.
fn tags(page: &str) -> std::collections::BTreeSet<String> {
    let body = &page[page.find("</style>").unwrap()..];
    let tags = body.split('<').skip(1).map(|tag| {
        let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
        let outside_quotes: String = tag.split('"').step_by(2).collect();
        let mut words: Vec<&str> = outside_quotes.split_whitespace().collect();
        words.sort_unstable();
        words.join(" ")
    });
    tags.collect()
}

#[test]
fn no_hostile_text_becomes_markup() {
    let drawn = |hostile: &str| {
        let (response, notes) = infect(hostile);
        let texts = Texts { files: [("day.md", notes.as_str())].into() };
        let given = checked(&response);
        let pages = [
            html(&Sheet::from(&response), &texts).unwrap(),
            html(&given, &texts).unwrap(),
            constraints_html(&constraints(&response), &texts).unwrap(),
        ];
        let plain = [
            text(&Sheet::from(&response), &texts, Colour::Off),
            text(&given, &texts, Colour::Off),
            constraints_text(&constraints(&response), &texts, Colour::Off),
        ];
        let marked = [markdown(&given, &texts), constraints_markdown(&constraints(&response), &texts)];
        (pages, plain, marked, sarif(&given, &texts).unwrap(), junit(&given, &texts).unwrap())
    };
    let (harmless, ..) = drawn("harmless words");
    let allowed = harmless.each_ref().map(|page| tags(page));
    for hostile in HOSTILE {
        let (pages, plain, marked, log, suites) = drawn(hostile);
        for (page, allowed) in pages.iter().zip(&allowed) {
            let found = tags(page);
            assert!(found.is_subset(allowed), "{hostile:?}: {:?}", found.difference(allowed));
            assert!(!page.contains("<script") && !page.contains(" style="), "{hostile:?}");
            let bad = |c: char| {
                (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            assert!(!page.contains(bad), "{hostile:?}");
        }
        for page in &plain {
            assert!(!page.contains(|c: char| c.is_control() && c != '\n'), "{hostile:?}");
            assert!(!page.lines().any(|line| line.starts_with("::")), "{hostile:?}");
        }
        for page in &marked {
            for line in page.lines().filter(|line| !line.contains('`')) {
                let line = line.replace("\\<", "").replace("\\]", "");
                assert!(!line.contains("<s") && !line.contains("](") && !line.contains("://"), "{hostile:?}: {line}");
            }
            assert!(!page.contains(['\u{1b}', '\0', '\u{202e}', '\u{9b}']), "{hostile:?}");
        }
        let log: serde_json::Value = serde_json::from_str(&log).unwrap();
        assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 4);
        assert_eq!(quick_junit::Report::deserialize_from_str(&suites).unwrap().test_suites.len(), 2);
    }
}

#[test]
fn a_page_does_not_grow_without_end() {
    let mut response = example();
    let (item, finding) = (response.plan[0].clone(), response.validation.findings[0].clone());
    let constraint = response.validation.constraints[2].clone();
    response.plan = vec![item; 1_000];
    response.validation.findings = vec![finding; 3_000];
    response.validation.constraints = vec![constraint; 3_000];
    response.validation.unchecked = vec!["word ".repeat(1_000); 1_000];
    let sheet = Sheet::from(&response);
    assert!(html(&sheet, &texts()).unwrap().len() < 1_000_000);
    assert!(markdown(&sheet, &texts()).len() < 300_000);
    assert!(text(&sheet, &texts(), Colour::Off).len() < 100_000);
}

#[test]
fn an_empty_plan_is_drawn() {
    let mut response = example();
    response.plan.clear();
    for page in [
        text(&Sheet::from(&response), &Texts::default(), Colour::Off),
        markdown(&Sheet::from(&response), &Texts::default()),
        html(&Sheet::from(&response), &Texts::default()).unwrap(),
    ] {
        // What the notes take is shown, whether there is an item or not.
        assert!(page.contains("12:00–13:00"), "{page}");
    }
}

/// What models said of the example, with this text wherever they, or whoever they quote, may write.
fn said(response: &PlanResponse, words: &str) -> ModelView {
    let span = response.validation.constraints[0].span.clone().unwrap();
    let hard = response.validation.constraints.iter().find(|it| it.span.is_some()).unwrap().clone();
    let lines = vec![words.to_owned()];
    ModelView {
        extraction: Some(Extraction {
            model: words.to_owned(),
            exam: None,
            stands: false,
            why: Some(words.to_owned()),
            tasks: vec![task(words, span)],
            constraints: Vec::new(),
            disputed: vec![Constraint { id: "m1".to_owned(), meaning: words.to_owned(), ..hard }],
            unread_bytes: 7,
        }),
        generation: Some(Generation {
            model: words.to_owned(),
            made_by: PlanMaker::BuiltIn,
            why: Some(words.to_owned()),
            repair: Some(RepairOutcome::NoBetter),
            assumptions: lines.clone(),
            questions: lines,
            confidence: None,
            unread_bytes: 0,
        }),
        opinion: Some(Opinion {
            model: words.to_owned(),
            self_judged: true,
            scores: vec![OpinionScore {
                dimension: "realism".to_owned(),
                score: 5,
                quote: words.to_owned(),
                item_index: 1,
                field: "why".to_owned(),
                comment: words.to_owned(),
            }],
            why: None,
        }),
        set_aside: vec![Aside { what: "task".to_owned(), text: words.to_owned(), reason: words.to_owned() }],
        calls: vec![ModelCall {
            role: "plan.extract".to_owned(),
            model: words.to_owned(),
            turn: CallTurn::Repair,
            ended: CallEnded::Unreadable,
            why: Some(words.to_owned()),
            attempts: 2,
            prompt_tokens: Some(100),
            reply_tokens: None,
            neutralised: NeutralisedCount { invisible: 1, reserved: 2 },
        }],
    }
}

#[test]
fn what_models_said_stands_apart_and_becomes_no_markup() {
    let plain = example();
    let with = |words: &str| PlanResponse { model_view: Some(said(&plain, words)), ..plain.clone() };
    let shown = text(&Sheet::from(&with("some words")), &texts(), Colour::Off);
    let own = text(&Sheet::from(&plain), &texts(), Colour::Off);
    // What code says comes first, and is as it was.
    insta::assert_snapshot!(shown.strip_prefix(&own).unwrap());
    let pages = |response: &PlanResponse| {
        let sheet = Sheet::from(response);
        (markdown(&sheet, &texts()), html(&sheet, &texts()).unwrap())
    };
    let (md, page) = pages(&with("words"));
    assert!(md.contains("## Set aside\n\n- task “words”: words\n") && page.contains("<h2>Set aside</h2>"));
    let marks = |text: &str, mark: &str| text.matches(mark).count();
    for hostile in HOSTILE {
        let (hostile_md, hostile_page) = pages(&with(hostile));
        assert_eq!(marks(&hostile_page, "<"), marks(&page, "<"), "{hostile:?}");
        for heading in ["\n# ", "\n## ", "\n- ", "\n|"] {
            assert_eq!(marks(&hostile_md, heading), marks(&md, heading), "{hostile:?}");
        }
        let shown = text(&Sheet::from(&with(hostile)), &texts(), Colour::Off);
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{hostile:?}");
    }
}

#[test]
fn words_of_constraints_are_marked_in_the_notes() {
    let response = example();
    let page = marked(&response.validation.constraints, &response.validation.findings, &texts()).unwrap();
    for constraint in response.validation.constraints.iter().filter(|own| own.span.is_some()) {
        assert!(page.contains(constraint.kind.label()), "{}", constraint.id);
    }
    // Taken apart into marks and put together again, the notes are as they were.
    let from = page.find("aria-label=\"The notes\"").unwrap();
    let shown = &page[from..from + page[from..].find("</div>").unwrap()];
    let mut text = String::new();
    let mut rest = &shown[shown.find('>').unwrap() + 1..];
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let end = rest[at..].find('>').unwrap() + at;
        rest = if rest[at..].starts_with("<sup>") {
            &rest[rest.find("</sup>").unwrap() + "</sup>".len()..]
        } else {
            &rest[end + 1..]
        };
    }
    text.push_str(rest);
    let text = text
        .replace("&#38;", "&")
        .replace("&#39;", "'")
        .replace("&#34;", "\"")
        .replace("&#60;", "<")
        .replace("&#62;", ">");
    assert_eq!(text, NOTES);
    // Without the text the list stands alone.
    let bare = marked(&response.validation.constraints, &[], &Texts::default()).unwrap();
    assert!(!bare.contains("id=\"words-") && bare.contains("id=\"read-1\""));
}

#[test]
fn no_text_becomes_markup_on_another_page() {
    for hostile in HOSTILE {
        let mut response = example();
        let notes = format!("Dentist {hostile} at 14:00.\n");
        let end = notes.len() - 1;
        for constraint in &mut response.validation.constraints {
            constraint.meaning = (*hostile).to_owned();
            constraint.span = Some(Span { file: "day.md".to_owned(), start: 0, end, quote: notes[..end].to_owned() });
        }
        for item in &mut response.plan {
            (item.task, item.why) = ((*hostile).to_owned(), (*hostile).to_owned());
        }
        for finding in &mut response.validation.findings {
            finding.message = (*hostile).to_owned();
        }
        let texts = Texts { files: [("day.md", notes.as_str())].into() };
        let pages = [
            part(&Sheet::from(&response), &texts, &OnePage).unwrap(),
            marked(&response.validation.constraints, &response.validation.findings, &texts).unwrap(),
            variants(&[&response, &response], &|_| "/runs/1".to_owned()).unwrap(),
        ];
        for page in pages {
            assert!(!page.contains("<script") && !page.contains(" style=") && !page.contains("<img"), "{hostile:?}");
            assert!(
                !page.chars().any(|it| it == '\u{202e}' || it.is_control() && it != '\n' && it != '\t'),
                "{hostile:?}"
            );
        }
    }
}
