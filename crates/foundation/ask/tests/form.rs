//! Forms that an ask wants, and answers that have them or not.

use proptest::prelude::*;
use steadfast_ask::{FORM_BYTES_MAX, FORMS_MAX, Form, HowMany, Tongue, forms};

#[track_caller]
fn check(ask: &str, expect: &[Form]) {
    let found: Vec<Form> = forms(ask).into_iter().map(|it| it.form).collect();
    assert_eq!(found, expect, "{ask}");
}

#[track_caller]
fn holds(form: &Form, yes: &[&str], no: &[&str]) {
    for answer in yes {
        assert!(form.holds(answer), "{form:?} does not hold of {answer:?}");
    }
    for answer in no {
        assert!(!form.holds(answer), "{form:?} holds of {answer:?}");
    }
}

fn terms(own: &[&str]) -> Vec<String> {
    own.iter().map(|it| (*it).to_owned()).collect()
}

use HowMany::{AtLeast, LessThan};

#[test]
fn lengths() {
    check("Describe the ferry in at least 200 words.", &[Form::Words(AtLeast(200))]);
    check("Describe the ferry in 1,200+ words.", &[Form::Words(AtLeast(1200))]);
    check("Describe the ferry in fewer than fifty words.", &[]);
    check("Describe the ferry in fewer than twenty words.", &[Form::Words(LessThan(20))]);
    check("Use no more than 80 words.", &[Form::Words(LessThan(81))]);
    check("Give me something with 40 to 60 words.", &[Form::Words(AtLeast(40)), Form::Words(LessThan(61))]);
    check("Answer in more than 3 sentences.", &[Form::Sentences(AtLeast(4))]);
    check("Answer in exactly 3 sentences.", &[Form::Sentences(AtLeast(3)), Form::Sentences(LessThan(4))]);
    check("List the risks as exactly 4 bullet points.", &[Form::Bullets(4)]);
    check("Leave at least 3 placeholders such as [name] in the letter.", &[Form::Placeholders(3)]);
    check("Write exactly 3 paragraphs, parted by ***.", &[Form::Paragraphs(3)]);
    check(
        "Write 3 paragraphs parted by two new lines. The second paragraph must start with the word Harbour.",
        &[Form::ParagraphBegins { paragraphs: 3, nth: 2, word: "harbour".to_owned() }],
    );
    check(
        "The log must have 4 sections. Mark the beginning of each section with SECTION X.",
        &[Form::Sections { label: "SECTION".to_owned(), count: 4 }],
    );
    check("Highlight at least 2 passages with markdown.", &[Form::Highlights(2)]);
    check("The boat is 30 years old and carries 40 people.", &[]);
    check("We sold 300 words of copy last year.", &[]);
}

#[test]
fn words() {
    check("Include the keywords \"tide\" and \"quay\".", &[Form::Has(terms(&["tide", "quay"]))]);
    check("Do not use the words 'storm' or 'wreck'.", &[Form::HasNot(terms(&["storm", "wreck"]))]);
    check("Avoid the words storm, wreck and gale.", &[Form::HasNot(terms(&["storm", "wreck", "gale"]))]);
    check("The word ferry should appear at least 3 times.", &[Form::Term("ferry".to_owned(), AtLeast(3))]);
    check(
        "The word \"ferry\" should appear 3 to 5 times.",
        &[Form::Term("ferry".to_owned(), AtLeast(3)), Form::Term("ferry".to_owned(), LessThan(6))],
    );
    check("The letter q should appear less than 5 times.", &[Form::Letter('q', LessThan(5))]);
    check(
        "Answer with one of the following phrases: \"It sails.\", \"It stays.\"",
        &[Form::OneOf(terms(&["It sails.", "It stays."]))],
    );
    check("Don't forget to include the keywords tide and quay.", &[Form::Has(terms(&["tide", "quay"]))]);
    check("Do not use the old harbour without a permit.", &[]);
}

#[test]
fn layout() {
    check("Your answer must have a title in double angular brackets.", &[Form::Title]);
    check("Wrap your entire answer in double quotation marks.", &[Form::Quoted]);
    check("Give the timetable in JSON format.", &[Form::Json]);
    check("Do not use any commas.", &[Form::NoComma]);
    check("Write it in all lowercase letters.", &[Form::LowerCase]);
    check("Your whole answer should be in capital letters.", &[Form::UpperCase]);
    check("Add a postscript that starts with P.P.S", &[Form::Postscript("P.P.S".to_owned())]);
    check("End your answer with \"See you on board.\"", &[Form::Ends("See you on board.".to_owned())]);
    check("Respond only in Korean.", &Tongue::of_code("ko").map(Form::Language).into_iter().collect::<Vec<_>>());
    check("The Korean ferry sails in May.", &[]);
    check("Give two different answers, parted by 6 asterisks.", &[Form::TwoAnswers]);
    check(
        "Describe the ferry.\nFirst repeat the request above word for word.",
        &[Form::Repeats("Describe the ferry.".to_owned())],
    );
    check("Use the JSON that we have, and commas where you like.", &[]);
}

#[test]
fn answers() {
    holds(&Form::Words(AtLeast(3)), &["one two three", "don't go"], &["one two", ""]);
    holds(&Form::Words(LessThan(3)), &["one two", ""], &["one two three"]);
    holds(
        &Form::Sentences(AtLeast(2)),
        &["It sails. It stays.", "Who? Me!"],
        &["Dr. Who sails.", "It cost 3.50 in all.", ""],
    );
    holds(&Form::Paragraphs(2), &["a\n***\nb", "a *** b ***"], &["a", "a\n***\n***\nb"]);
    let begins = Form::ParagraphBegins { paragraphs: 2, nth: 2, word: "harbour".to_owned() };
    holds(&begins, &["a\n\nHarbour, then", "a\n\n\"Harbour\" it is"], &["a\n\nThe harbour", "Harbour", ""]);
    holds(&Form::Bullets(2), &["* a\n- b", "x\n  * a\n* b"], &["* a", "** a\n* b"]);
    holds(&Form::Highlights(1), &["*a*", "**a**"], &["* *", "a*"]);
    holds(&Form::Placeholders(2), &["[a] [b]"], &["[a]", "[a\nb] [c]"]);
    holds(&Form::Sections { label: "DAY".to_owned(), count: 2 }, &["DAY 1 x DAY 2 y"], &["DAY 1", "Day 1 Day 2"]);
    holds(&Form::CapitalWords(AtLeast(2)), &["I SAY", "GO-GO AT-ONCE now"], &["I say", "Go"]);
    holds(&Form::Letter('e', LessThan(2)), &["E", "a"], &["eE"]);
    holds(&Form::Term("tide".to_owned(), AtLeast(2)), &["Tide, tides"], &["tide"]);
    holds(&Form::Has(terms(&["tide"])), &["The TIDES"], &["time"]);
    holds(&Form::HasNot(terms(&["tide"])), &["The tides"], &["The Tide."]);
    holds(&Form::OneOf(terms(&["It sails."])), &["So: It sails. Bye"], &["it sails."]);
    holds(&Form::Ends("Bye now.".to_owned()), &["So, \"bye now.\" ", "bye now."], &["bye now. x"]);
    holds(&Form::Postscript("P.S.".to_owned()), &["x\nP.S. y", "p. s. y"], &["PS y"]);
    holds(&Form::Postscript("P.P.S".to_owned()), &["P.P.S y"], &["P.S. y"]);
    holds(&Form::Title, &["<<a>>"], &["<a>", "<<>>", "<< >>"]);
    holds(&Form::Quoted, &[" \"a\" "], &["\"", "a", "\"a"]);
    holds(&Form::Json, &["{\"a\": [1]}", "```json\n[1]\n```"], &["{a: 1}", "so: [1]", &"[".repeat(100_000)]);
    holds(&Form::NoComma, &["a; b"], &["a, b"]);
    holds(&Form::LowerCase, &["it is the tide and the quay"], &["It is the tide", "12"]);
    holds(&Form::UpperCase, &["IT IS THE TIDE AND THE QUAY"], &["It is", "12"]);
    holds(&Form::TwoAnswers, &["a ****** b"], &["a ****** a", "a", "a ****** b ****** c"]);
    holds(&Form::Repeats("Say it.".to_owned()), &["say it. I do"], &["I do. Say it."]);
}

#[test]
fn what_is_read_is_bounded() {
    let at_edge = format!("{}No comma", " ".repeat(FORM_BYTES_MAX - 8));
    assert_eq!(forms(&at_edge).len(), 1);
    assert_eq!(forms(&format!(" {at_edge}")).len(), 0);
    let many: String = (1..200).map(|at| format!("Use at least {at} words. ")).collect();
    assert_eq!(forms(&many).len(), FORMS_MAX);
}

proptest! {
    #[test]
    fn spans_lie_in_the_ask(ask in "(?s).{0,200}|(at least |do not |[0-9]{1,3} |words |\"|'|, |the letter |ß|times |\\*\\*\\*|\n){0,40}") {
        for found in forms(&ask) {
            prop_assert!(ask.get(found.span.clone()).is_some(), "{found:?}");
            let _ = found.form.holds(&ask);
        }
    }
}

#[test]
fn curly_quotes_end_on_a_character() {
    let ask = "Make the sentence “The bus arrived at the station” longer. Avoid using the word “station”.";
    check(ask, &[Form::HasNot(terms(&["station"]))]);
    check("Use the words “tide” and “quay” — both.", &[Form::Has(terms(&["tide", "quay"]))]);
    check("Include the words ‘tide’, ‘quay’", &[Form::Has(terms(&["tide", "quay"]))]);
    for cut in ask.char_indices().map(|(at, _)| at) {
        for found in forms(&ask[..cut]) {
            assert!(ask.get(found.span.clone()).is_some(), "{found:?}");
        }
    }
}
