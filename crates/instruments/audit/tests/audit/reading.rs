//! A reading of the prompt that was handed in: who may change what, and what is refused.

use steadfast_audit::ask::{self, Contract, Kind};
use steadfast_audit::reading::{Reading, Stated, adopt, value_of};
use steadfast_audit::unread::{Why, unread};
use steadfast_audit::{Settings, Source, evaluation};
use steadfast_evidence::{FileId, Origin, Polarity, Strength};
use steadfast_text::{Document, Format, Span};

const PROMPT: &str = "Plan a fair. It must end by 6 June 2026. Do not use plastic cups. The budget is 900 EUR.\n\
    The band likes it loud. The hours are 10:00 to 22:00.\n";

fn source(file: u32, name: &str, text: &str) -> Source {
    Source { file: FileId(file), name: name.to_owned(), document: Document::from_str_as(text, Format::of_name(name)) }
}

fn contract() -> Contract {
    let document = Document::from_str_as(PROMPT, Format::Plain);
    ask::read(FileId(0), &document, Span::new(0, PROMPT.len()))
}

/// What code reads, as a document would state it.
fn stated() -> Vec<Stated> {
    let of = |item: &ask::ContractItem| Stated {
        id: item.id.clone(),
        kind: item.obligation.kind,
        quote: item.obligation.source().text().to_owned(),
        span: Some(item.obligation.source().span()),
        strength: item.strength,
        polarity: item.polarity,
        value: value_of(item),
        by: Origin::Code,
        confirmed_by: None,
    };
    contract().obligations.iter().map(of).collect()
}

fn new(id: &str, quote: &str) -> Stated {
    Stated {
        id: id.to_owned(),
        kind: Kind::Constraint,
        quote: quote.to_owned(),
        span: None,
        strength: Strength::Must,
        polarity: Polarity::Do,
        value: None,
        by: Origin::Code,
        confirmed_by: None,
    }
}

fn by(from: Origin, obligations: Vec<Stated>) -> Result<Contract, Vec<String>> {
    adopt(contract(), Reading { obligations, from })
}

#[test]
fn the_reading_of_code_comes_back_as_it_was() {
    let own = contract();
    assert!(own.obligations.len() >= 4, "{:?}", own.obligations);
    for from in [Origin::Person(None), Origin::Host] {
        let again = by(from.clone(), stated()).unwrap();
        assert_eq!(again.obligations, own.obligations, "{from:?}");
        assert_eq!((again.disputed, again.by), (Vec::new(), from));
    }
}

#[test]
fn a_person_replaces_the_reading() {
    let mut stated = stated();
    let dropped = stated.iter().position(|own| own.quote.contains("plastic")).unwrap();
    stated.remove(dropped);
    stated.push(Stated { strength: Strength::May, ..new("loud", "The band likes it loud") });
    let read = by(Origin::Person(None), stated).unwrap();
    let loud = read.obligations.iter().find(|item| item.id == "loud").unwrap();
    assert_eq!((&loud.by, loud.strength), (&Origin::Person(None), Strength::May));
    assert_eq!(read.disputed.len(), 1);
    assert!(read.disputed[0].obligation.source().text().contains("plastic"));
    // What the person leaves out breaks nothing.
    let report = "# Fair\n\nThe fair ends by 6 June 2026. We use plastic cups. The budget is 900 EUR.\n";
    let answer = |contract: Contract| {
        let (_, answer) =
            evaluation::read(&source(0, "ask.txt", PROMPT), vec![source(1, "report.md", report)]).unwrap();
        evaluation::judge("ask.txt", contract, answer, &Settings::default(), None).unwrap().evaluation
    };
    let plain = answer(contract());
    assert!(plain.incidents.iter().any(|own| own.finding.check == "banned-term-used"), "{:?}", plain.incidents);
    assert!(answer(read).incidents.iter().all(|own| own.finding.check != "banned-term-used"));
}

#[test]
fn whoever_calls_adds_and_takes_nothing_away() {
    let mut stated = stated();
    let flipped = stated.iter_mut().find(|own| own.quote.contains("plastic")).unwrap();
    flipped.polarity = Polarity::Do;
    let dropped = stated.iter().position(|own| own.kind == Kind::Budget).unwrap();
    let dropped = stated.remove(dropped).id;
    let confirmed = Stated { confirmed_by: Some("Eve".to_owned()), ..new("loud", "The band likes it loud") };
    stated.push(confirmed);
    let read = by(Origin::Host, stated).unwrap();
    let own = contract();
    assert_eq!(read.obligations.len(), own.obligations.len() + 1);
    for before in &own.obligations {
        let after = read.obligations.iter().find(|item| item.id == before.id).unwrap();
        assert_eq!((after.strength, after.polarity, &after.by), (before.strength, before.polarity, &Origin::Code));
        let is_contested = before.id == dropped || before.obligation.source().text().contains("plastic");
        assert_eq!(after.disputed, is_contested, "{}", before.id);
    }
    let added = read.obligations.iter().find(|item| item.id == "loud").unwrap();
    assert_eq!((&added.by, &added.confirmed_by), (&Origin::Host, &None));
}

#[test]
fn what_cannot_be_found_is_refused_by_name() {
    let refused = by(
        Origin::Person(None),
        vec![
            new("a", "It must end by 9 June"),
            new("a", "Plan a fair"),
            new("", "Plan a fair"),
            Stated { value: Some("700 EUR".to_owned()), ..new("b", "The budget is 900 EUR") },
            Stated { value: Some("900 euros".to_owned()), ..new("c", "The budget is 900 EUR") },
            Stated { value: Some("90".to_owned()), ..new("d", "The budget is 900 EUR") },
            // Other words stand at the span: the quote is looked for.
            Stated { span: Some(Span::new(0, 4)), ..new("e", "The band likes it loud.") },
            Stated { span: Some(Span::new(900, 4_000)), ..new("f", "likes it loud") },
        ],
    )
    .unwrap_err();
    let said = refused.join("\n");
    assert_eq!(refused.len(), 5, "{said}");
    assert!(refused[0].starts_with("`a`: its words do not stand in the prompt: \"It must end by 9 June\""), "{said}");
    assert_eq!(refused[1], "`a`: its `id` is that of another obligation");
    assert!(refused[2].starts_with("obligation 3: its `id` is empty"), "{said}");
    assert!(refused[3].starts_with("`b`: its value \"700 EUR\""), "{said}");
    assert!(refused[4].starts_with("`d`: its value \"90\""), "{said}");
}

#[test]
fn what_looks_like_a_request_and_was_not_read_is_listed() {
    let mut own = contract();
    assert!(unread(&own).iter().all(|one| !one.quote.text().contains("900")), "what is read is not listed");
    own.obligations.clear();
    let found: Vec<(String, Why)> =
        unread(&own).into_iter().map(|one| (one.quote.text().to_owned(), one.why)).collect();
    let why = |words: &str| found.iter().find(|(quote, _)| quote.contains(words)).map(|(_, why)| *why);
    assert_eq!(why("must end"), Some(Why::Modal));
    assert_eq!(why("plastic"), Some(Why::Negation));
    assert_eq!(why("900 EUR"), Some(Why::Quantity));
    assert_eq!(why("10:00"), Some(Why::Quantity), "a time of day is a figure");
    assert_eq!(why("loud"), None);
}
