//! What requests oblige to, one line for each case.

use proptest::prelude::*;
use steadfast_annotate::{annotate, annotate_within};
use steadfast_ask::{Kind, Request, Role, Rule, read};
use steadfast_evidence::FileId;
use steadfast_text::{Document, Format, Span};

fn request(text: &str) -> Request {
    let document = Document::from_str_as(text, Format::Markdown);
    let request = read(FileId(0), &annotate(&document));
    for demand in &request.demands {
        assert_eq!(document.quote(demand.source().span()), demand.source().text());
    }
    request
}

/// Some demand of this kind quotes these words.
#[track_caller]
fn check(text: &str, kind: Kind, words: &str) {
    let request = request(text);
    assert!(
        request.demands.iter().any(|demand| demand.kind.kind == kind && demand.source().text().contains(words)),
        "{text:?}: no {kind:?} with {words:?} in {:#?}",
        list(&request)
    );
}

/// "Offer" and "sign" are nouns as well: what is joined to them by an order is one.
#[test]
fn an_order_is_known_by_the_order_that_is_joined_to_it() {
    let ask = "Write a note to the volunteers. Offer tea afterwards, and sign it from the committee, not from me.";
    check(ask, Kind::Constraint, "Offer tea afterwards");
    check(ask, Kind::Constraint, "sign it from the committee");
    let noted = request("Support for the idea grew, and the board likes it.");
    assert!(noted.demands.is_empty(), "{:#?}", list(&noted));
}

/// What a request wants left alone, undone or unsaid, in whatever words.
#[test]
fn orders_that_forbid() {
    let avoids = |text: &str| request(text).demands.iter().any(|own| matches!(own.kind.rule, Rule::Avoid { .. }));
    for text in [
        "Give no reason for the change.",
        "Attach nothing.",
        "Book or reserve nothing in the system.",
        "Offer no theory about the outage.",
        "Keep the broken window out of it.",
        "Leave the header file as it is.",
        "The old minutes stay exactly as they are.",
        "Pushing the branch is my job.",
        "Leave the posting to me.",
        "Spare me the details of the outage.",
        "The contract is taboo.",
    ] {
        assert!(avoids(text), "{text}");
    }
    for text in [
        "Deliver no later than Friday.",
        "Use no more than three colours.",
        "Say nothing but the date and the place.",
        "Keep the list of guests as a table.",
        "Leave an hour for lunch.",
    ] {
        assert!(!avoids(text), "{text}");
    }
}

/// Nothing but figures is demanded.
#[track_caller]
fn nothing(text: &str) {
    let request = request(text);
    assert!(request.demands.is_empty(), "{text:?}: {:#?}", list(&request));
}

/// The figure that holds these words has this role.
#[track_caller]
fn role(text: &str, words: &str, role: Role) {
    let request = request(text);
    let found: Vec<_> = request
        .figures
        .iter()
        .map(|figure| (&request.statements[figure.statement].text[figure.quantity.range.clone()], figure.role))
        .collect();
    assert!(found.iter().any(|(own, known)| own.contains(words) && *known == role), "{text:?}: {found:?}");
}

#[track_caller]
fn terms(text: &str, expect: &[&str]) {
    let request = request(text);
    let found: Vec<&str> = request
        .demands
        .iter()
        .filter_map(|demand| match &demand.kind.rule {
            Rule::Ban { terms, .. } => Some(terms),
            _ => None,
        })
        .flatten()
        .map(String::as_str)
        .collect();
    assert_eq!(found, expect, "{text:?}");
}

fn list(request: &Request) -> Vec<(Kind, &str)> {
    request.demands.iter().map(|demand| (demand.kind.kind, demand.source().text())).collect()
}

#[test]
fn bans() {
    terms("Banned words: foo, bar, baz.", &["foo", "bar", "baz"]);
    terms("Banned words: foo, bar and baz.", &["foo", "bar", "baz"]);
    terms("Plan a fair. Banned words: drone, NFT", &["drone", "NFT"]);
    terms("Forbidden terms: synergy; leverage.", &["synergy", "leverage"]);
    terms("Do not use the word synergy.", &["synergy"]);
    terms("Don't use the words \"cheap\" or \"free\".", &["cheap", "free"]);
    terms("Never mention the terms bitcoin and ledger in the report.", &["bitcoin", "ledger"]);
    terms("Write a poem without using the word \"love\".", &["love"]);
    terms("Do not use: chatbot, branchless.", &["chatbot", "branchless"]);
    terms("Do not use these: drone, satellite.", &["drone", "satellite"]);
    terms("Words to avoid: very, really", &["very", "really"]);
    terms("Do not include the following keywords: Moser, Vary", &["Moser", "Vary"]);
    terms("## Banned words\n\n- hype\n- moonshot\n", &["hype", "moonshot"]);
    terms("Avoid the phrase \"game changer\".", &["game changer"]);
    terms("Banned words: cure, validated (in the context of medical claims).", &["cure", "validated"]);
    terms("**Banned words:** AR, VR", &["AR", "VR"]);
    terms("Avoid \"rockstar\", \"ninja\" and \"fast-paced\".", &["rockstar", "ninja", "fast-paced"]);
    terms("Please don't say \"cheap\" or \"free\".", &["cheap", "free"]);
    terms("Plain English and don't call anyone \"elderly\".", &["elderly"]);
    terms("Write the notes, no marketing words like \"exciting\" or \"seamless\".", &["exciting", "seamless"]);
    terms("Avoid \"hero\" images.", &[]);
    terms("The words are long.", &[]);
    terms("Words matter: use good ones.", &[]);
    terms("The council banned cars from the square.", &[]);
    terms("Do not use plastic for the cups in the garden.", &[]);
}

#[test]
fn prohibitions() {
    use Kind::{Constraint, NonGoal};
    check("Do not use plastic cups.", Constraint, "Do not use plastic cups");
    check("Don't go for the boldest option.", Constraint, "Don't go for the boldest option");
    check("The shop must not open on Sundays.", Constraint, "must not open on Sundays");
    check("Night work is prohibited.", Constraint, "Night work is prohibited");
    check("There must be no alcohol at the event.", Constraint, "no alcohol");
    check("No smoking on site.", Constraint, "No smoking on site");
    check("Never share the addresses of members.", Constraint, "Never share the addresses");
    check("Avoid jargon.", Constraint, "Avoid jargon");
    check("The plan should not depend on a single supplier.", Constraint, "should not depend on a single supplier");
    check("Do not assume that 5 million DKK is enough.", Constraint, "Do not assume");
    check("Keep it small; do not expand into retail.", NonGoal, "do not expand into retail");
    check("This project does not attempt to build a new bank.", NonGoal, "does not attempt to build a new bank");
    check("This is not a moonshot.", NonGoal, "This is not a moonshot");
    check("The goal is not to replace teachers.", NonGoal, "not to replace teachers");
    check("We will not sell the data.", NonGoal, "We will not sell the data");
    check("Medical records are not shared with insurers.", NonGoal, "not shared with insurers");
    check("Offer advice rather than promising a full cure.", NonGoal, "rather than promising a full cure");
    check("Pick a modest scenario — not the boldest forecast.", NonGoal, "not the boldest forecast");
    check("Update the look without making the site slower.", Constraint, "without making the site slower");
    check("Out of scope: mobile apps, payments.", NonGoal, "mobile apps");
    check("## Non-goals\n\n- A second shop\n- Delivery\n", NonGoal, "A second shop");
    check("Non-goals are a second shop and delivery.", NonGoal, "a second shop");
}

#[test]
fn requirements() {
    use Kind::Constraint;
    check("The answer must cite sources.", Constraint, "must cite sources");
    check("The team should include a nurse, a data engineer, and a trial coordinator.", Constraint, "a nurse");
    check("Keep the budget visible.", Constraint, "Keep the budget visible");
    check("Establish a seed library in the old mill.", Constraint, "Establish a seed library");
    check("Please include a glossary.", Constraint, "include a glossary");
    check("Budget for legal review explicitly.", Constraint, "Budget for legal review explicitly");
    check("A local partner is essential.", Constraint, "A local partner is essential");
    check("Funding is conditional on a signed lease.", Constraint, "conditional on a signed lease");
    check("Stays are capped at 10 weeks.", Constraint, "capped at 10 weeks");
    check("I want a garden shed with a green roof.", Constraint, "garden shed");
    check("We need a website for our choir.", Constraint, "website for our choir");
    check("All staff are trained in first aid.", Constraint, "All staff are trained");
    check("Your answer must contain exactly 3 bullet points.", Constraint, "exactly 3 bullet points");
    check("Write an essay. Use no more than 200 words.", Constraint, "no more than 200 words");
    check("Your response should have at least 3 sections.", Constraint, "at least 3 sections");
    check("Do not use commas in your reply.", Constraint, "Do not use commas");
    check("## Constraints\n\n- Solar power alone\n", Constraint, "Solar power alone");
    check("The deliverables are: (1) a map of wells, (2) a price list.", Constraint, "a map of wells");
    check("If traction is weak by month 16, the team should stop.", Constraint, "the team should stop");
    check("Wrap your entire response with double quotation marks.", Constraint, "Wrap your entire response");
}

#[test]
fn options_hedges_metrics() {
    use Kind::{Metric, Optional, Uncertainty};
    check("A stretch goal is a second edition.", Optional, "a second edition");
    check("Nice to have: a podcast.", Optional, "a podcast");
    check("Expansion is deferred until the pilot pays.", Optional, "deferred until the pilot pays");
    check("A sponsor is optional upside.", Optional, "optional upside");
    check("If time permits, add a quiz.", Optional, "If time permits");
    check("Ideally the shop opens early.", Optional, "Ideally");
    check("You may use volunteers.", Optional, "You may use volunteers");
    check("The air outside is believed to be toxic.", Uncertainty, "believed to be toxic");
    check("The rights are now likely held by the heirs.", Uncertainty, "likely held by the heirs");
    check("The film may face censorship.", Uncertainty, "may face censorship");
    check("Demand could fall next year.", Uncertainty, "could fall");
    check("It is unclear who owns the mill.", Uncertainty, "unclear who owns the mill");
    check("Approximately 70% of guests will return.", Uncertainty, "70% of guests will return");
    check("Key risks include losing the lease and bad weather.", Uncertainty, "losing the lease");
    check("## Risks\n\n- Frost in May\n", Uncertainty, "Frost in May");
    check("Success metrics: 40 members, two concerts.", Metric, "two concerts");
    check("Success will be measured by repeat visits.", Metric, "repeat visits");
    check("Success criteria: a signed lease; 30 regulars.", Metric, "30 regulars");
    check("## KPIs\n\n- Waste below 5%\n", Metric, "Waste below 5%");
}

#[test]
fn what_is_not_known() {
    use Kind::Uncertainty;
    check("What we don't know: the roof is believed to be sound.", Uncertainty, "the roof is believed to be sound");
    check("What we don't know: a lot. The bishop might lend us the hall.", Uncertainty, "might lend us the hall");
    check("What we do not know yet: two cooks can probably come.", Uncertainty, "two cooks can probably come");
    check("Unknown: the age of the wiring.", Uncertainty, "the age of the wiring");
    check("Not sure yet: the date of the fair.", Uncertainty, "the date of the fair");
    check("## Open questions\n\n- Who owns the slip\n", Uncertainty, "Who owns the slip");
    check("Uncertainties: the price of larch; the weather.", Uncertainty, "the price of larch");
    check("What we don't do: weddings.", Kind::NonGoal, "weddings");
}

#[test]
fn once() {
    let counted = |text: &str| request(text).demands.len();
    assert_eq!(counted("There must be no more than 12 guests."), 1);
    assert_eq!(counted("Every session must have two adults with a first aid certificate."), 1);
    assert_eq!(counted("The first evening must be held by 5 October 2026."), 1);
    assert_eq!(counted("Success metrics: 40 members."), 1);
    assert_eq!(counted("The budget is €20,000: €12,000 from the parish and €8,000 from members."), 3);
    check(
        "The budget is €20,000: €12,000 from the parish and €8,000 from members.",
        Kind::Budget,
        "€8,000 from members",
    );
    check(
        "The hall must open by 3 May 2027, and both rooms must be dry by 9 May 2027.",
        Kind::Deadline,
        "both rooms must be dry",
    );
}

#[test]
fn places() {
    use Kind::Place;
    check("Open a bakery in Bonn, Germany.", Place, "Bonn, Germany");
    check("Establish a farm in Western Jutland, Denmark, using greenhouses.", Place, "Western Jutland, Denmark");
    check("The remake relocates the action entirely to Hong Kong.", Place, "entirely to Hong Kong");
    check("Assume that the base is in Copenhagen, Denmark.", Place, "Copenhagen, Denmark");
}

#[test]
fn who_pays_and_who_is_left_out() {
    use Kind::{Budget, Constraint};
    check(
        "Funding for this fair comes from a mix of stall fees and gifts from shops.",
        Budget,
        "stall fees and gifts from shops",
    );
    check("Open a library funded by the parish and two shops.", Budget, "funded by the parish and two shops");
    check("Exclusion criteria are open wounds, fever, and recent surgery.", Constraint, "fever");
    check(
        "If interest is weak by month 6, the club should stop rather than pretend it has been asked.",
        Constraint,
        "the club should stop",
    );
}

#[test]
fn figures() {
    role("Establish a 1 million DKK pilot farm.", "1 million DKK", Role::BudgetTotal);
    role("Budget is €3.8 million over 3 years.", "€3.8 million", Role::BudgetTotal);
    role("Budget is €3.8 million over 3 years.", "3 years", Role::DurationTotal);
    role("The production budget is HK$470 million.", "HK$470 million", Role::BudgetTotal);
    role(
        "The production budget is HK$470 million. P&A allocation is HK$195 million.",
        "HK$195 million",
        Role::BudgetPart,
    );
    role("We have a total budget of 10 million DKK (3 million DKK for phase one).", "3 million DKK", Role::BudgetPart);
    role("Worldwide gross of $90 million is hoped for.", "$90 million", Role::Revenue);
    role("Tickets are priced at €12.", "€12", Role::Revenue);
    role("Establish a 3-year research unit.", "3-year", Role::DurationTotal);
    role("Filming should begin within 3 months of greenlight.", "3 months", Role::Deadline);
    role("Finish the roof by month 24.", "month 24", Role::Deadline);
    role("Do not assume that 8 million DKK is sufficient.", "8 million DKK", Role::BudgetTotal);
    role("Success metrics: 40 members.", "40 members", Role::Target);
    role("The house has 12 rooms and should stay open.", "12 rooms", Role::Count);
    let denied = request("Do not assume that 8 million DKK is sufficient.");
    assert!(denied.figures[0].denied);
    assert!(denied.demands.iter().all(|demand| demand.kind.kind != Kind::Budget));
}

#[test]
fn no_demand() {
    for text in [
        "",
        "Hello",
        "Bees are insects.",
        "The mill stands by the river.",
        "Is there a bridge?",
        "Must we close on Sundays?",
        "Could the price fall?",
        "What should a team include?",
        "The city is old and quiet.",
        "People do not trust the harbour board.",
        "The dependency is not limited to one port.",
        "The river is not merely a border.",
        "Users never read the manual.",
        "Budget is tight.",
        "Support for the idea grew.",
        "Research shows a decline.",
        "The council had to close the bridge.",
        "Last year the club was required to move.",
        "Visitors like the view.",
        "The sign said \"do not enter\".",
        "He told us \"you must pay\" and left.",
        "> You must pay the toll.",
        "```\nmust = true\n```",
        "Rain falls in May.",
        "The market opened in May 2020.",
        "Most farms lack storage.",
        "There is no bridge.",
        "No one knows the age of the tree.",
        "No doubt the tree is old.",
        "Many shops closed.",
        "The tree is not necessarily old.",
        "Traditionally boats land here.",
        "Die Brücke ist alt.",
        "橋は古い。",
        "Мост старый.",
        "123",
        "???",
        "- \n- \n",
        "## Background\n\nThe harbour must have been busy.\n",
        "## Context\n\nThe firm should have sold the mill.\n",
        "Plans exist.",
        "Design is a craft.",
        "Not only cars but buses stop here.",
    ] {
        nothing(text);
    }
}

#[test]
fn today_is_read() {
    let found = request("Plan a fair.\n\nToday's date:\n2026-Mar-10\n").today.unwrap();
    assert_eq!(found.0, jiff::civil::date(2026, 3, 10));
    assert!(request("Plan a fair on 2026-03-10.").today.is_none());
    assert!(request("Today's date: 2026-02-31").today.is_none());
}

fn snapshot(text: &str) -> String {
    list(&request(text)).iter().map(|(kind, words)| format!("{kind:?}: {words}\n")).collect()
}

#[test]
fn a_short_wish() {
    insta::assert_snapshot!(snapshot("Help me plan a picnic for 12 people in June. No peanuts, please, and keep it under €200."), @r#"
    Constraint: Help me plan a picnic for 12 people in June
    Constraint: No peanuts
    Budget: keep it under €200
    "#);
}

#[test]
fn a_brief_in_markdown() {
    insta::assert_snapshot!(snapshot("# Repair café\n\nOpen a repair café in the old fire station.\n\n## Constraints\n\n- Volunteers only\n- At most 40 guests per evening\n\n## Non-goals\n\n- A shop\n- Paid courses\n\n## Nice to have\n\n- A tool library\n\n**Budget:** 9,000 EUR\n\n**Success metrics:** 300 repairs in the first year; two articles in the local paper.\n"), @r#"
    Constraint: Open a repair café in the old fire station
    Constraint: Volunteers only
    Constraint: At most 40 guests per evening
    NonGoal: A shop
    NonGoal: Paid courses
    Optional: A tool library
    Budget: Budget:** 9,000 EUR
    Metric: 300 repairs in the first year
    Metric: two articles in the local paper
    "#);
}

#[test]
fn one_paragraph_with_everything() {
    insta::assert_snapshot!(snapshot("Restore the 1911 ferry \"Selma\" in three phases over 18 months with a total budget of 2.4 million SEK. The hull is believed to be sound. The engine must stay original; do not convert it to electric drive. Sponsors may be invited later, but the work should not depend on them. Dinner cruises are optional upside. Key risks include finding a dry dock and losing the last rivet maker. Success criteria: a valid passenger certificate and 40 sailings in the first summer. This is not a museum. Banned words: luxury, VIP."), @r#"
    Constraint: Restore the 1911 ferry "Selma" in three phases over 18 months with a total budget of 2.4 million SEK
    Budget: Restore the 1911 ferry "Selma" in three phases over 18 months with a total budget of 2.4 million SEK
    Deadline: Restore the 1911 ferry "Selma" in three phases over 18 months with a total budget of 2.4 million SEK
    Uncertainty: The hull is believed to be sound
    Constraint: The engine must stay original
    Constraint: do not convert it to electric drive
    Uncertainty: Sponsors may be invited later
    Constraint: the work should not depend on them
    Optional: Dinner cruises are optional upside
    Uncertainty: finding a dry dock and losing the last rivet maker
    Metric: a valid passenger certificate and 40 sailings in the first summer
    NonGoal: This is not a museum
    Banned: Banned words: luxury, VIP
    "#);
}

#[test]
fn quoted_words_behind_no_are_ruled_out() {
    terms("Write a job ad. No \"competitive salary\", no “rock star” please.", &["competitive salary", "rock star"]);
    terms("Describe the team, no \"vulnerable seniors\" please, they hate it.", &["vulnerable seniors"]);
    // What is not there, and pictures that are called something.
    terms("The editor has no \"undo\". Write a guide.", &[]);
    terms("Design a page. No \"hero\" images.", &[]);
}

#[test]
fn a_request_in_german() {
    insta::assert_snapshot!(snapshot("Plane ein Sommerfest für 80 Gäste im Hof. Budget: 3.000 €. Kein Alkohol. Das Fest soll am 12. Juli stattfinden."), @r"
    Budget: Budget: 3.000 €
    Constraint: Das Fest soll am 12. Juli stattfinden
    ");
}

#[test]
fn a_segment_reaches_four_hundred_bytes_and_no_farther() {
    const REACH: usize = 400;
    let around = |before: usize, after: usize| {
        let text = format!("{}, {} 9 {}, on", "a".repeat(9), "b ".repeat(before / 2), " c".repeat(after / 2));
        let at = text.find('9').unwrap();
        let found = steadfast_ask::segment(&text, &(at..at + 1));
        (at - found.start, found.end - at - 1)
    };
    // Marks at the edge are seen, marks beyond it are not; what is cut is trimmed of its space.
    assert_eq!(around(REACH - 4, REACH - 2), (REACH - 3, REACH - 1));
    let (before, after) = around(4 * REACH, 4 * REACH);
    assert!((REACH - 2..=REACH).contains(&before) && (REACH - 2..=REACH).contains(&after), "{before} {after}");
}

/// Bytes that all figures and demands of a request quote: what is done for each grows with them.
fn quoted_bytes(request: &Request) -> usize {
    let figures = request.figures.iter().map(|figure| figure.quote.text().len());
    figures.chain(request.demands.iter().map(|demand| demand.source().text().len())).sum()
}

#[test]
fn one_sentence_costs_as_much_as_it_is_long() {
    for words in [
        "one page at least ten pages ",
        "no more than 5 days for $90 ",
        "maybe it is 40% ",
        "never (must have 3 ",
        "must not be in Paris 4 ",
    ] {
        let (short, long) = (words.repeat(4_000 / words.len()), words.repeat(16_000 / words.len()));
        let (short, long) = (quoted_bytes(&request(&short)), quoted_bytes(&request(&long)));
        assert!(long < 6 * short.max(2_000), "{words:?}: {short} bytes, then {long} for four times as much");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn nothing_panics_and_every_quote_is_verbatim(text in "\\PC{0,200}") {
        request(&text);
    }

    #[test]
    fn words_of_requests_in_any_order(words in proptest::collection::vec(prop::sample::select(vec![
        "must", "do not", "Banned words:", "(", ")", ",", ";", "—", "\"", "“", "”", "rather than", "and", "€3.8 million", "month 24",
        "success metrics:", "optional", "may", "until", "phase one", "no", "é", "橋", ".", "\n", "- ", "## Non-goals\n", "if", ":",
    ]), 0..40)) {
        request(&words.join(" "));
    }

    #[test]
    fn a_body_may_begin_anywhere(start in 0_usize..120, end in 0_usize..120) {
        let text = "Plan:\nBuild a bridge — it must hold 5 t. Banned words: über, naïve.\n\nToday's date:\n2026-Mar-10\n";
        let document = Document::from_str_as(text, Format::Plain);
        let span = Span::new(start.min(text.len()), end.min(text.len()));
        for demand in read(FileId(0), &annotate_within(&document, span)).demands {
            prop_assert!(span.contains(demand.source().span()));
        }
    }
}

#[test]
fn hostile_input_is_read_in_bounded_time() {
    for text in
        ["(".repeat(20_000), "must ".repeat(20_000), "a, ".repeat(20_000), "9".repeat(100_000), "\"".repeat(20_000)]
    {
        request(&text);
    }
}

#[test]
fn no_ban_is_without_a_cue() {
    let bans = [
        "Banned words: a, b",
        "Terms to avoid: hype",
        "Do not use the word hype",
        "don’t mention Acme",
        "never say \"hype\"",
        "without using the word hype",
        "A no-hype-word list holds.",
        "The words \"hype\" and \"buzz\" are off-limits.",
        "Please refrain from using the term hype",
    ];
    for ban in bans {
        assert!(steadfast_ask::may_ban(ban), "{ban}");
    }
    assert!(!steadfast_ask::may_ban("Write a note about the banner of the bandstand."));
}

/// The same demands, whichever function words say them.
#[track_caller]
fn alike(one: &str, other: &str) {
    let kinds = |text: &str| request(text).demands.iter().map(|demand| demand.kind.kind).collect::<Vec<Kind>>();
    let (a, b) = (kinds(one), kinds(other));
    assert!(!a.is_empty(), "{one:?} demands nothing");
    assert_eq!(a, b, "{one:?} and {other:?}");
}

#[test]
fn function_words_change_nothing() {
    alike("It is not aimed at racers or children.", "It isn't aimed at racers or children.");
    alike("It is not meant to raise rents.", "It isn’t meant to raise rents.");
    alike("People in care homes are not included.", "People in care homes aren't included.");
    alike("Drawings must not be altered.", "Drawings may not be altered.");
    alike("The price must not be raised.", "The price may not be raised.");
    alike("Spending must not be higher than £210,000.", "Spending may not be higher than £210,000.");
    alike("The launch budget must not exceed €60,000.", "The launch budget may not exceed €60,000.");
    alike("If time allows, we would like a short film.", "If time allows, we should like a short film.");
    alike(
        "If possible, some interviews in Turkish would be good.",
        "Where possible, some interviews in Turkish would be good.",
    );
    alike(
        "Success is: 60 customers a week, less than 5 % of waste.",
        "Success is: 60 customers a week, under 5 % of waste.",
    );
    check("We go by train and ferry, not by coach.", Kind::NonGoal, "not by coach");
}

#[test]
fn what_may_not_be_so_is_no_ban() {
    check("The beams may not hold.", Kind::Uncertainty, "may not hold");
    nothing("Some riders may not be aware of it.");
    nothing("A permit may not be needed for the tent.");
}

#[test]
fn orders_of_a_few_words_are_whole() {
    let text = "Write a notice: what happened on 3 November, from when to when, and how many orders were affected. Thank the volunteers. Apologise once, not twice. List what we decided, and nothing that is not decided.";
    check(text, Kind::Constraint, "from when to when, and how many orders were affected");
    check(text, Kind::Constraint, "Thank the volunteers");
    check(text, Kind::Constraint, "Apologise once, not twice");
    check(text, Kind::Constraint, "nothing that is not decided");
    nothing("Thank you for your help.");
    // Names are ruled out, not words.
    terms("Write a notice. No names of staff.", &[]);
    terms("Write a notice. Don't use the words cheap and free.", &["cheap", "free"]);
}
