//! How strongly sentences speak, one line for each case.

use steadfast_annotate::Strength::{
    self, Asserted, Certain, Committed, Doubted, Intended, Likely, Possible, Tentative,
};
use steadfast_annotate::{MarkKind, modality};

#[track_caller]
fn check(sentence: &str, expect: Strength) {
    let reading = modality(sentence);
    assert_eq!(reading.strength, expect, "{sentence}\n{:#?}", reading.marks);
}

/// The range is what stands between the square brackets.
#[track_caller]
fn at(marked: &str, expect: Strength) {
    let start = marked.find('[').unwrap_or(0);
    let end = marked.find(']').unwrap_or(1) - 1;
    let sentence = marked.replace(['[', ']'], "");
    let reading = modality(&sentence);
    assert_eq!(reading.strength_at(start..end), expect, "{sentence}\n{:#?}", reading.marks);
}

#[track_caller]
fn directive(sentence: &str, expect: bool) {
    assert_eq!(modality(sentence).directive, expect, "{sentence}");
}

#[track_caller]
fn kind(sentence: &str, expect: MarkKind) {
    let reading = modality(sentence);
    assert!(reading.marks.iter().any(|m| m.kind == expect), "{sentence}\n{:#?}", reading.marks);
}

#[test]
fn main_clauses() {
    check("The ferry is unlikely to run in winter.", Doubted);
    check("It cannot be assumed that the grant is renewed.", Doubted);
    check("We doubt the pump holds.", Doubted);
    check("The permit is not guaranteed.", Doubted);
    check("The roof might leak.", Possible);
    check("The supplier could raise prices.", Possible);
    check("Members may bring a guest.", Possible);
    check("Perhaps the bakery opens on Sundays.", Possible);
    check("It is possible that the mill closes.", Possible);
    check("The market is uncertain.", Possible);
    check("The workshop can host twelve people.", Tentative);
    check("We hope to open a second shop.", Tentative);
    check("The team is exploring a lease.", Tentative);
    check("A cheaper lock would help.", Tentative);
    check("Demand is likely to grow.", Likely);
    check("The harvest will probably be late.", Likely);
    check("Revenue is expected to double.", Likely);
    check("The works should take six weeks.", Likely);
    check("The queue usually clears by noon.", Likely);
    check("The survey suggests that readers want maps.", Likely);
    check("According to the builder, the wall is sound.", Likely);
    check("We believe the price is fair.", Likely);
    check("The project aims to cut waste.", Intended);
    check("The co-op plans to buy a van.", Intended);
    check("The goal is to feed the school.", Intended);
    check("The scheme is designed to lower noise.", Intended);
    check("The library seeks new volunteers.", Intended);
    check("The new lamp reduces glare.", Asserted);
    check("The archive is open to everyone.", Asserted);
    check("The tool enables schools to share rooms.", Asserted);
    check("The bridge will carry trams.", Committed);
    check("The tenant shall repair the door.", Committed);
    check("Every file must be signed.", Committed);
    check("A licence is required.", Committed);
    check("The shop is going to close.", Committed);
    check("We are committed to fair wages.", Committed);
    check("The new valve guarantees dry cellars.", Certain);
    check("The method ensures clean water.", Certain);
    check("The train is always on time.", Certain);
    check("This will definitely work.", Certain);
    check("The filter eliminates dust.", Certain);
    check("There is no risk to visitors.", Certain);
    check("The result is proven.", Certain);
    check("Undoubtedly the choir sings well.", Certain);
}

#[test]
fn hedges_win_over_boosters() {
    check("The valve might ensure dry cellars.", Possible);
    check("The valve could eliminate leaks.", Possible);
    check("The programme aims to guarantee a place for all.", Intended);
    check("The team will likely finish in May.", Likely);
    check("The vault will ensure privacy.", Certain);
    check("Contractors must ensure access.", Committed);
    check("The fund helps ensure access.", Asserted);
    check("The plan aims at ensuring access.", Intended);
}

#[test]
fn clauses_govern_what_they_hold() {
    at("The kitchen will open in May and [the garden] might follow.", Possible);
    at("[The kitchen] will open in May and the garden might follow.", Committed);
    at("The kitchen will serve soup to ensure [healthy children].", Intended);
    at("If [the bank agrees], we will buy the mill.", Possible);
    at("If the bank agrees, [we will buy the mill].", Committed);
    at("We will buy the mill if [the bank agrees].", Possible);
    at("The town builds a hall, ensuring [full attendance].", Certain);
    at("The town could build a hall, ensuring [full attendance].", Possible);
    at("The team faces potential [delays] and will hire a guide.", Possible);
    at("The team faces potential delays and will hire [a guide].", Committed);
    at("The band aims to record [an album].", Intended);
    at("The mayor believes that [the port pays off].", Likely);
    at("The hall, which might need [a new roof], will reopen.", Possible);
    at("The hall, which might need a new roof, [will reopen].", Committed);
    at("The clerk is responsible for ensuring [fair queues].", Intended);
    at("To win [the prize], the band will practise daily.", Intended);
    at("To win the prize, the band will practise [daily].", Committed);
    at("The store will deploy a sensor (possibly [a camera]).", Possible);
    at("Costs fall because [the mill is near].", Asserted);
    at("The hall seats 200; [the attic] might seat fifty.", Possible);
    check("The director has a proven record.", Asserted);
    check("Potential delays are listed below.", Asserted);
    check("The plan lists possible partners.", Asserted);
    check("Costs, delays, and risks will increase.", Committed);
}

#[test]
fn directives_and_questions() {
    directive("Engage a lawyer.", true);
    directive("Ensure compliance with the code.", true);
    directive("Do not paint the door.", true);
    directive("Please send the keys.", true);
    directive("Review the contracts every month.", true);
    directive("Regularly review the budget.", true);
    directive("Plan the route.", true);
    directive("Action: Develop a budget.", true);
    directive("Within one month, hire a guide.", true);
    directive("In winter, the mill rests.", false);
    check("The locks prove difficult to open.", Asserted);
    check("Conversely, finishing early could save money.", Possible);
    check("Fill in the forms required to sail.", Intended);
    check("The forms are required to sail.", Committed);
    check("Section 3: Recommended Actions", Asserted);
    check("Find those most likely to sail.", Intended);
    check("Compare the prices expected for each boat.", Intended);
    directive("Design is complete.", false);
    directive("Support staff will arrive.", false);
    directive("Project Plan", false);
    directive("The team builds a shed.", false);
    directive("Access to the roof is closed.", false);
    directive("Report: spring figures", false);
    check("Ensure compliance with the code.", Intended);
    check("Engage a lawyer and ensure compliance.", Intended);
    check("Consider a second boat.", Tentative);
    check("Will the boat float?", Possible);
    check("Build a shed that will last.", Intended);
    at("Hire a guide who can speak [Danish].", Tentative);
}

#[test]
fn kinds() {
    kind("Guests must sign in.", MarkKind::Deontic);
    kind("The clerk should call the bank.", MarkKind::Deontic);
    kind("The works should take six weeks.", MarkKind::Modal);
    kind("It costs about 40 euros.", MarkKind::Approximation);
    kind("It costs ~40 euros.", MarkKind::Approximation);
    kind("Unless it rains, we sail.", MarkKind::Conditional);
    kind("Reportedly the pier burnt.", MarkKind::Attribution);
    kind("The fair opens in order to raise funds.", MarkKind::Intention);
    assert!(modality("The report is about boats.").marks.is_empty());
    assert!(modality("The fair is on 3 May 2026.").marks.is_empty());
    assert!(modality("It takes will-power.").marks.is_empty());
    assert!(modality("").marks.is_empty());
}
