//! Names in sentences, one line for each case.

use steadfast_annotate::NameKind::{self, Acronym, Organisation, Person, Place, Product, Proper};
use steadfast_annotate::{NameContext, country_of, names};

/// Names that are not generic, with their kind.
#[track_caller]
fn check(sentence: &str, expect: &[(&str, NameKind)]) {
    let found = names(sentence, &NameContext::default());
    let shown: Vec<(&str, NameKind)> = found.iter().filter(|n| !n.generic).map(|n| (n.text.as_str(), n.kind)).collect();
    assert_eq!(shown, expect, "{sentence}\n{found:#?}");
    assert!(found.iter().all(|n| sentence[n.range.clone()] == n.text));
}

#[test]
fn persons() {
    check("We met Dr. Ada Winter.", &[("Dr. Ada Winter", Person)]);
    check("We met Prof. Lund in the hall.", &[("Prof. Lund", Person)]);
    check("The letter is from Maria Hansen.", &[("Maria Hansen", Person)]);
    check("Maria Hansen wrote a letter.", &[("Maria Hansen", Person)]);
    check("The plan by Anna von Berg is old.", &[("Anna von Berg", Person)]);
    check("They asked Mr. Okoro twice.", &[("Mr. Okoro", Person)]);
    check("It is Peter's boat.", &[("Peter", Proper)]);
    check("The grace period ends.", &[]);
    check("We hired John F. Miller today.", &[("John F. Miller", Person)]);
}

#[test]
fn places() {
    check("The ferry goes to Copenhagen.", &[("Copenhagen", Place)]);
    check("Copenhagen is large.", &[("Copenhagen", Place)]);
    check("The Danish fleet is small.", &[("Danish", Place)]);
    check("Danish law says so.", &[("Danish", Place)]);
    check("We sail from New York to Hong Kong.", &[("New York", Place), ("Hong Kong", Place)]);
    check(
        "Offices are in Los Angeles, Detroit, and Miami.",
        &[("Los Angeles", Place), ("Detroit", Place), ("Miami", Place)],
    );
    check("The EU and the UK agree.", &[("EU", Place), ("UK", Place)]);
    check("Parts of Southeast Asia are wet.", &[("Southeast Asia", Place)]);
    check("It stands on Harbour Street.", &[("Harbour Street", Place)]);
    check("It stands on Elm Street.", &[("Elm Street", Place)]);
    check("The mill in Baden-Württemberg burnt.", &[("Baden-Württemberg", Place)]);
    check("Germany's trains are late.", &[("Germany", Place)]);
    check("Mount Foraker is high.", &[("Mount Foraker", Place)]);
}

#[test]
fn organisations() {
    check("The University of Bonn agreed.", &[("University of Bonn", Organisation)]);
    check("They sold it to Brightwater Inc last year.", &[("Brightwater Inc", Organisation)]);
    check("A letter to Nordhavn Ferries A/S was lost.", &[("Nordhavn Ferries A/S", Organisation)]);
    check("The firm Blauwasser GmbH builds boats.", &[("Blauwasser GmbH", Organisation)]);
    check("We wrote to Digitaliseringsstyrelsen.", &[("Digitaliseringsstyrelsen", Organisation)]);
    check("The Ministry of Food and Agriculture paid.", &[("Ministry of Food and Agriculture", Organisation)]);
    check("The Danish Maritime Authority objects.", &[("Danish Maritime Authority", Organisation)]);
    check("We asked the Institute for Quiet Rooms.", &[("Institute for Quiet Rooms", Organisation)]);
    check("A grant from the Carlsberg Foundation helps.", &[("Carlsberg Foundation", Organisation)]);
    check("It is run by Marlow & Finch Ltd.", &[("Marlow & Finch Ltd", Organisation)]);
    check("The European Commission decides.", &[("European Commission", Organisation)]);
    check("The bank pays the council.", &[]);
}

#[test]
fn products_and_acronyms() {
    check("It runs on GrapheneOS and iOS.", &[("GrapheneOS", Product), ("iOS", Product)]);
    check("It speaks OpenID Connect and FIDO2.", &[("OpenID Connect", Product), ("FIDO2", Acronym)]);
    check("GDPR applies.", &[("GDPR", Acronym)]);
    check("The PSGs are read twice.", &[("PSGs", Acronym)]);
    check("NASA's rover landed.", &[("NASA", Acronym)]);
    check("Volume III is lost.", &[]);
    check("They use eIDAS in the port.", &[("eIDAS", Product)]);
}

#[test]
fn proper_names() {
    check("The project uses Apple and Google phones.", &[("Apple", Proper), ("Google", Proper)]);
    check("We read about Grand Theft Auto in school.", &[("Grand Theft Auto", Proper)]);
    check("The ship is called Windflower.", &[("Windflower", Proper)]);
    check("Engage Wellspring for the pump.", &[("Wellspring", Proper)]);
}

#[test]
fn what_is_no_name() {
    check("The quick boat sails.", &[]);
    check("Boats sail. Ships rest.", &[]);
    check("Costs: Delays are dear.", &[]);
    check("Risk Assessment and Budget Planning", &[]);
    check("Design the Floating Garden", &[]);
    check("The Project Manager meets the Steering Committee.", &[]);
    check("The Chief Financial Officer signs.", &[]);
    check("We start in May and end in March.", &[]);
    check("The Gantt chart and SWOT and KPI lists are done.", &[]);
    check("Meet on Monday.", &[]);
    check("Boat Doctrine: sail early.", &[]);
    check("[SALT] The sea is wet.", &[]);
    check("It costs HK$400.", &[]);
    check("In Phase One we dig.", &[]);
    check("THE ROOF IS OPEN", &[]);
    check("This is it. However, It rains.", &[]);
    check("I think so.", &[]);
    check("A plan B.", &[]);
    check("The ROI is low and the PMO is small.", &[]);
    check("Send the Environmental Impact Assessment.", &[]);
    check("The \"Quick\" boat sails.", &[]);
    check("", &[]);
    check("Ærø", &[]);
}

#[test]
fn context_decides_at_the_head() {
    let known = |word: &str| word == "Windflower";
    let context = NameContext { known: &known, title_case: false };
    assert_eq!(names("Windflower sails.", &context).len(), 1);
    assert_eq!(names("Windflower sails.", &NameContext::default()).len(), 0);
    let title = NameContext { known: &known, title_case: true };
    let found: Vec<_> = names("Building Windflower in Bonn with NATO", &title).into_iter().map(|n| n.text).collect();
    assert_eq!(found, ["Bonn", "NATO"]);
}

#[test]
fn countries() {
    assert_eq!(country_of("Danish"), Some("Denmark"));
    assert_eq!(country_of("UK"), Some("United Kingdom"));
    assert_eq!(country_of("Germany's"), Some("Germany"));
    assert_eq!(country_of("danish"), None);
    assert_eq!(country_of("Atlantis"), None);
}
