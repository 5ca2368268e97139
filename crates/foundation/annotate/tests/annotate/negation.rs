//! What sentences deny, forbid, leave out or mention, one line for each case.

use steadfast_annotate::NegationKind::{self, Avoided, Excluded, Instead, Negated, Prohibited, Without};
use steadfast_annotate::{is_mention, is_negated, negations};

fn unmark(marked: &str) -> (String, std::ops::Range<usize>) {
    let start = marked.find('[').unwrap_or(0);
    let end = marked.find(']').unwrap_or(1) - 1;
    (marked.replace(['[', ']'], ""), start..end)
}

/// Whether the range between the square brackets is negated.
#[track_caller]
fn negated(marked: &str, expect: bool) {
    let (sentence, range) = unmark(marked);
    assert_eq!(is_negated(&sentence, range), expect, "{sentence}\n{:#?}", negations(&sentence));
}

#[track_caller]
fn mention(marked: &str, expect: bool) {
    let (sentence, range) = unmark(marked);
    assert_eq!(is_mention(&sentence, range), expect, "{sentence}\n{:#?}", negations(&sentence));
}

/// Kind and scope of the first negation.
#[track_caller]
fn first(sentence: &str, kind: NegationKind, scope: &str) {
    let all = negations(sentence);
    let found = all.first().map(|n| (n.kind, &sentence[n.scope.clone()]));
    assert_eq!(found, Some((kind, scope)), "{sentence}\n{all:#?}");
}

#[track_caller]
fn none(sentence: &str) {
    assert_eq!(negations(sentence), Vec::new(), "{sentence}");
}

#[test]
fn kinds_and_scopes() {
    first("The hut has no heating.", Negated, "no heating");
    first("The hut does not use gas or coal.", Negated, "not use gas or coal");
    first("We never sell data, but we lend it.", Negated, "never sell data");
    first("The boat isn't a ferry.", Negated, "isn't a ferry");
    first("A stove without smoke is safe.", Without, "without smoke");
    first("The paint is free of lead.", Without, "free of lead");
    first("A lead-free paint dries fast.", Without, "lead-free");
    first("These are non-binding notes.", Without, "non-binding");
    first("We rent rather than buy boats.", Instead, "rather than buy boats");
    first("Use rope instead of wire.", Instead, "instead of wire");
    first("Avoid plastic cups.", Avoided, "Avoid plastic cups");
    first("Steer clear of the old pier.", Avoided, "Steer clear of the old pier");
    first("Members refrain from shouting.", Avoided, "refrain from shouting");
    first("The price excludes lunch, tea and cake.", Excluded, "excludes lunch, tea and cake");
    first("All rooms except the attic are open.", Excluded, "except the attic");
    first("Repairs are out of scope.", Excluded, "Repairs are out of scope");
    first("Out of scope: roofs, cellars and gates.", Excluded, "Out of scope: roofs, cellars and gates");
    first("Non-goals: roofs, cellars.", Excluded, "Non-goals: roofs, cellars");
    first("Banned words: tulip, rose, lily.", Prohibited, "Banned words: tulip, rose, lily");
    first("Do not paint the door.", Prohibited, "not paint the door");
    first("Guests must not smoke.", Prohibited, "must not smoke");
    first("Smoking is prohibited in the barn.", Prohibited, "Smoking is prohibited in the barn");
    first("There must be no gas in the hut.", Prohibited, "no gas in the hut");
    first("The town bans fireworks.", Prohibited, "bans fireworks");
    first("The ban on fireworks remains.", Prohibited, "ban on fireworks");
    first("The firework ban stands.", Prohibited, "firework ban");
    first("The plan lacks a map.", Negated, "lacks a map");
    first("The crew fails to land.", Negated, "fails to land");
    first("A lack of water reduces yields.", Negated, "lack of water");
    first("Failure to land delays the mail.", Negated, "Failure to land");
    first("Inability to land, late mail, wet shoes.", Negated, "Inability to land");
    first("We prevent leaks and ensure calm.", Avoided, "prevent leaks");
    first("The crew cannot sail in fog, and it loses money.", Negated, "cannot sail in fog");
    first("Lack of rope, sails, and tar delays us.", Negated, "Lack of rope, sails, and tar");
    first("We wait rather than try to land.", Instead, "rather than try to land");
    first("A hut without a map, and a boat.", Without, "without a map");
    first("Nets without cork, lead or wire sink.", Without, "without cork, lead or wire sink");
}

#[test]
fn what_is_no_negation() {
    none("Not only the mayor but the whole town came.");
    none("The pond holds no more than forty fish.");
    none("It opens no later than May.");
    none("No doubt the mill works.");
    none("Not least, the roof is new.");
    none("The mill will without doubt open.");
    none("Room No. 5 is warm.");
    none("The shop goes beyond bread.");
    none("The hall is open whether or not it rains.");
    none("Items include but are not limited to bread.");
    none("A no-code tool draws the map.");
    none("The barn is notable.");
    none("The vault stays at sub-zero cold.");
    none("Reject: the harbour plan");
    none("");
}

#[test]
fn covered_ranges() {
    negated("No drone and no [sensor] is used.", true);
    negated("No [drone] and no sensor is used.", true);
    negated("The hut does not use [gas].", true);
    negated("[The hut] does not use gas.", false);
    negated("The hut uses [gas].", false);
    negated("Do not avoid [hills].", false);
    negated("Use rope, not [wire].", true);
    negated("Use [rope], not wire.", false);
    negated("Use rope instead of [wire] for the mast.", true);
    negated("Not tulips but [roses] grow here.", false);
    negated("Not [tulips] but roses grow here.", true);
    negated("The garden has no tulips, roses or [lilies].", true);
    negated("Without a [permit], the crew will wait.", true);
    negated("Without a permit, [the crew] will wait.", false);
    negated("The hut will not have gas and the barn will have [coal].", false);
    negated("Banned words: tulip, [rose], lily.", true);
    negated("Do not use banned words: tulip, [rose].", true);
    negated("[Tulips] are banned.", true);
    negated("[Tulips] are not banned.", false);
    negated("The garden has no tulips and no [roses].", true);
    negated("A hut without gas and without [coal].", true);
    negated("Neither tulips nor [roses] grow.", true);
    negated("The team must not sell [tulips].", true);
    negated("We no longer sell [tulips].", true);
    negated("The crew lands at [noon]; it does not rest.", false);
    negated("The barn, which has no [gas], sells milk.", true);
    negated("The barn, which has no gas, sells [milk].", false);
    negated("No [tulips] will be sold.", true);
    negated("[Signs] are out of scope.", true);
    negated("Not only [tulips] but also roses grow.", false);
    negated("The scheme excludes [tulips] to save water.", true);
    negated("The scheme excludes tulips to save [water].", false);
    negated("The non-[binding] vote is on Monday.", true);
    negated("If there is no [rain], we water the field.", true);
    negated("If there is no rain, we water [the field].", false);
}

#[test]
fn words_talked_about() {
    mention("Banned words: tulip, [rose], lily.", true);
    mention("The term \"[rose]\" is not used here.", true);
    mention("The `[rose]` label stays off the tin.", true);
    mention("Check compliance with the [rose] ban.", true);
    mention("The ban on [roses] stands.", true);
    mention("Avoid [roses] in every leaflet.", true);
    mention("Excluded: tulips, [roses].", true);
    mention("Revisit the [banned words] list.", true);
    mention("Review the text for banned terms (tulip, [rose]).", true);
    mention("Avoid the words 'tulip' and '[rose]'.", true);
    mention("[Roses] are prohibited by the client.", true);
    mention("The scheme excludes [roses].", true);
    mention("The garden grows [roses].", false);
    mention("The shop \"[Rose] and Sons\" opens.", false);
    mention("The garden does not grow [roses].", false);
    mention("The judge said \"the [rose] is lovely and tall and bright and red and old\".", false);
    mention("[Roses] will bloom after the ban on tulips.", false);
    mention("The festival sells [roses] at noon.", false);
    mention("No [roses] are sold.", false);
}
