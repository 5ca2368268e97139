//! What becomes of an obligation.

use steadfast_evidence::{FileId, Status};
use steadfast_text::{Document, Format, Span};

use super::of_obligations;
use crate::answer::{Answer, Artefact};
use crate::{ask, passages};

/// The status of the obligation that quotes `words`, and how many quotes of the answer stand for it.
#[track_caller]
fn check(prompt: &str, report: &str, words: &str, expect: Status) {
    let document = Document::from_str_as(prompt, Format::Markdown);
    let contract = ask::read(FileId(0), &document, Span::new(0, prompt.len()));
    let own = Document::from_str_as(report, Format::Markdown);
    let artefact = Artefact { file: FileId(1), name: "report.md".into(), document: own, left_out: Vec::new() };
    let answer = Answer::read(vec![artefact]);
    let judged = of_obligations(&contract, &answer, passages::of_contract(&contract, &answer));
    let found = judged
        .iter()
        .find(|one| contract.obligations[one.item].obligation.source().text().contains(words))
        .map(|one| (one.status, one.answer.len()));
    assert_eq!(found.map(|found| found.0), Some(expect), "{prompt:?} {report:?}");
    assert!(expect != Status::Kept || found.is_some_and(|found| found.1 > 0), "{prompt:?}: kept without words");
}

#[test]
fn what_is_left_alone_is_kept_where_the_answer_says_so_without_exception() {
    use Status::{Kept, Unclear};
    let sheet = "Tidy the members' workbook. Hands off the sheet \"Fees\".";
    for (report, expect) in [
        ("I sorted the members. \"Fees\" is as it was.", Kept),
        ("I sorted the members. Nothing else: \"Fees\" was not touched.", Kept),
        ("I sorted the members. \"Fees\" is as it was, except for two sums.", Unclear),
        ("I sorted the members and looked at \"Fees\".", Unclear),
    ] {
        check(sheet, report, "Hands off", expect);
    }
}

#[test]
fn what_is_kept() {
    use Status::{Kept, Unclear, Unmentioned};
    let date = "Plan a choir. The first evening must be held by 5 October 2026.";
    check(date, "# Choir\n\nThe first evening is held by 5 October 2026.\n", "first evening", Kept);
    check(date, "# Choir\n\nThe first evening is held by 9 October 2026.\n", "first evening", Unclear);
    let places = "Plan a choir. We meet on Mondays, with no more than 12 participants.";
    check(places, "# Choir\n\nThere are 12 places and no more.\n", "no more than 12", Kept);
    check(places, "# Choir\n\nThe hall has 12 seats.\n", "no more than 12", Unmentioned);
    check(places, "# Choir\n\nThere are at most 12 participants on Mondays.\n", "no more than 12", Kept);
    let ratio = "Plan a choir. At least 9 of 10 singers must know their part.";
    check(ratio, "# Choir\n\nAt least 9 of 10 singers know their part.\n", "9 of 10", Kept);
    check(ratio, "# Choir\n\nAt least 7 of 10 singers know their part.\n", "9 of 10", Unclear);
    let adults = "Plan a choir. Every session must have two adults with a first aid certificate.";
    let kept = "# Choir\n\nTwo adults with a first aid certificate are at every session.\n";
    check(adults, kept, "two adults", Kept);
    let weak = "# Choir\n\nWhere possible, two adults with a first aid certificate will be at every session.\n";
    check(adults, weak, "two adults", Unclear);
    let hedge = "Plan a choir. The chapel floor is believed to be sound.";
    check(hedge, "# Choir\n\nThe chapel floor is believed to be sound, and will be inspected.\n", "chapel floor", Kept);
    check(hedge, "# Choir\n\nThe chapel floor is sound.\n", "chapel floor", Unclear);
    let money = "Plan a choir. The budget is €4,000 in total.";
    check(money, "# Choir\n\nThe budget of the choir is €4,000.\n", "€4,000", Kept);
}

#[test]
fn what_is_to_be_there_once_is_kept_by_no_place_where_it_is() {
    use Status::{Kept, NothingFound, Unclear};
    let once = "Write to the guests. Apologise once, not twice.";
    check(once, "# Letter\n\nWe apologise again for the noise.\n", "Apologise once", Unclear);
    let often = "Plan a choir. The choir must rehearse twice a week.";
    check(often, "# Choir\n\nThe choir rehearses twice a week.\n", "twice a week", Kept);
    check(often, "# Choir\n\nThe choir rehearses a week long.\n", "twice a week", Unclear);
    // Two denials: words that deny keep nothing of them.
    let decided = "List what we decided, and nothing that is not decided.";
    let list = "# List\n\nWe decided three things:\n\n- An alarm on what is not paid.\n";
    check(decided, list, "nothing that is not decided", Unclear);
    check("Write to the guests. No names of staff.", "# Letter\n\nDear guests.\n", "No names of staff", NothingFound);
}

#[test]
fn a_form_is_kept_where_all_that_is_asked_shows() {
    use Status::{Kept, NothingFound, Unmentioned};
    let both = "Describe the pier. British spelling, no more than 20 words.";
    check(both, "The pier has grey steps.\n", "British", Kept);
    check(both, "The pier has long steps.\n", "British", Unmentioned);
    check("Describe the harbour. No tables, please.", "The harbour has grey quays.\n", "tables", NothingFound);
    let more = "Describe the harbour. Stay under 250 words and name the ferry that Ann could not catch on Monday.";
    check(more, "The harbour has grey quays.\n", "250 words", Kept);
    check(more, "The harbour has grey quays.\n", "Ann could not catch", Unmentioned);
}

#[test]
fn what_is_kept_names_what_was_asked() {
    use Status::{Kept, Unclear};
    let named = "Write the minutes. Say that Tom must deliver the photos by 20 March.";
    check(named, "# Minutes\n\nTom delivers the photos by 20 March.\n", "Tom must deliver", Kept);
    check(named, "# Minutes\n\nAnna delivers the photos by 20 March.\n", "Tom must deliver", Unclear);
    let mail = "Write the ad. Say that applications go to jobs@marlow.example by 15 July.";
    check(mail, "# Ad\n\nPlease send applications to jobs@marlow.example by 15 July.\n", "applications go", Kept);
    check(mail, "# Ad\n\nPlease send applications to careers@marlow.example by 15 July.\n", "applications go", Unclear);
    let both = "Write to the guests. Mention that gift cards stay valid and that parking is free for two hours.";
    let one = "# Letter\n\nParking behind the building is free for two hours.\n";
    check(both, one, "gift cards stay valid", Unclear);
}

#[test]
fn a_table_is_asked_for_in_several_ways() {
    let table = "# Trip\n\n| Day | Plan |\n|---|---|\n| 1 | Arrive |\n";
    for asked in ["Give me a table with one row.", "Present it as a table.", "Make a simple table, please."] {
        check(&format!("Plan a trip. {asked}"), table, "table", Status::Kept);
    }
}

#[test]
fn what_is_handed_in_asks_nothing() {
    let prompt = "Rewrite the recipe for 6 people.\nOriginal: 150 g pasta, 1 onion. Fry the onion.\nNo nuts.";
    let document = Document::from_str_as(prompt, Format::Markdown);
    let contract = ask::read(FileId(0), &document, Span::new(0, prompt.len()));
    let quotes: Vec<&str> = contract.obligations.iter().map(|own| own.obligation.source().text()).collect();
    assert!(quotes.iter().all(|quote| !quote.contains("pasta") && !quote.contains("onion")), "{quotes:?}");
    assert!(quotes.iter().any(|quote| quote.contains("No nuts")), "{quotes:?}");
    assert!(crate::unread::unread(&contract).is_empty());
    // Where nothing is to be worked on, nothing is handed in.
    let prompt = "Write a recipe for 6 people.\nOriginal: it must be vegan and have 3 steps.";
    let document = Document::from_str_as(prompt, Format::Markdown);
    let contract = ask::read(FileId(0), &document, Span::new(0, prompt.len()));
    assert!(contract.obligations.iter().any(|own| own.obligation.source().text().contains("vegan")));
}
