//! Stems and terms, one line for each case.

use steadfast_annotate::{TermMatcher, content_stems, stem};

/// Every use of `term` in `text`, as written there.
#[track_caller]
fn uses(term: &str, text: &str, expect: &[&str]) {
    let found: Vec<&str> =
        TermMatcher::new(&[term]).find_all(text).into_iter().map(|m| &text[m.range.start..m.range.end]).collect();
    assert_eq!(found, expect, "{term} in {text}");
}

#[track_caller]
fn stems(word: &str, expect: &str) {
    assert_eq!(stem(word), expect);
}

#[test]
fn terms_in_all_their_forms() {
    uses("AR", "We are far from an AR show.", &["AR"]);
    uses("AR", "an AR/VR booth", &["AR"]);
    uses("VR", "an AR/VR booth", &["VR"]);
    uses("AR", "AR-based maps", &["AR"]);
    uses("VR", "a VR-enabled room", &["VR"]);
    uses("AR", "the ARs and AR's fate", &["ARs", "AR's"]);
    uses("AR", "ar, Ar, are, art, Arkansas, BAR, STAR", &[]);
    uses("AR", "a show in augmented reality", &["augmented reality"]);
    uses("VR", "Virtual-reality goggles", &["Virtual-reality"]);
    uses("AI", "Artificial Intelligence in schools", &["Artificial Intelligence"]);
    uses("artificial intelligence", "AI in schools", &["AI"]);
    uses("AI", "ai said: main aim", &[]);
    uses("AI", "AI-driven and non-AI tools", &["AI", "AI"]);
    uses("NFT", "NFTs and non-fungible tokens", &["NFTs", "non-fungible tokens"]);
    uses("DAO", "a decentralized autonomous organization", &["decentralized autonomous organization"]);
    uses("DAO", "decentralised autonomous organisations", &["decentralised autonomous organisations"]);
    uses("SaaS", "a SaaS tool; software-as-a-service", &["SaaS", "software-as-a-service"]);
    uses("app", "a mobile app", &["app"]);
    uses("app", "the companion apps", &["apps"]);
    uses("app", "App stores", &["App"]);
    uses("app", "in-app purchases", &["app"]);
    uses("app", "the app's menu", &["app's"]);
    uses("app", "the app\u{2019}s menu", &["app\u{2019}s"]);
    uses("app", "an application to apply for", &[]);
    uses("app", "WhatsApp happens", &[]);
    uses("app", "APP", &["APP"]);
    uses("wi-fi", "wifi, Wi-Fi, wi fi, WiFi", &["wifi", "Wi-Fi", "wi fi", "WiFi"]);
    uses("blockchain", "Blockchains, blockchain-based", &["Blockchains", "blockchain"]);
    uses("smart home", "smart-home and smarthomes", &["smart-home", "smarthomes"]);
    uses("smart home", "a smart, warm home", &[]);
    uses("consumer product", "consumer products", &["consumer products"]);
    uses("digital therapeutic", "digital therapeutics", &["digital therapeutics"]);
    uses("colour", "color and colours", &["color", "colours"]);
    uses("organisation", "an organization", &["organization"]);
    uses("gamification", "gamification is a game", &["gamification"]);
    uses("strategy", "strategies", &["strategies"]);
    uses("box", "boxes and boxer", &["boxes"]);
    uses("mouse", "two mice, one mouse", &["mice", "mouse"]);
    uses("spy", "spies spy; a spy", &["spies", "spy", "spy"]);
    uses("a", "as us is", &[]);
    uses("bus", "the bus; buses", &["bus"]);
    uses("crowdfunding", "crowd-funding: no; crowdfunding", &["crowdfunding"]);
    uses("marketplace", "market places", &[]);
    uses("validated", "a validated scale; validation", &["validated"]);
    uses("centre", "the center", &["center"]);
    uses("", "nothing", &[]);
    uses("---", "--- nothing ---", &[]);
    uses("NGO", "NGOs", &["NGOs"]);
    uses("price", "AR price", &["price"]);
    uses("Zürich", "In Zürich's hall", &["Zürich's"]);
    uses("日本", "日本 is far", &["日本"]);
}

#[test]
fn forms_and_order() {
    let matcher = TermMatcher::new(&["VR", "smart home", "home"]);
    let found = matcher.find_all("A smart home with virtual reality.");
    let shown: Vec<_> = found.iter().map(|m| (m.term, m.range.clone())).collect();
    assert_eq!(shown, [(1, 2..12), (2, 8..12), (0, 18..33)]);
}

#[test]
fn word_stems() {
    stems("Connections", "connect");
    stems("running", "run");
    stems("ponies", "poni");
    stems("Fruitlessly", "fruitless");
    stems("school's", "school");
    stems("school\u{2019}s", "school");
    stems("\u{FB01}nancing", "financ");
    stems("", "");
    stems("2026", "2026");
    stems("STRASSE", "strass");
    stems("naïve", "naïv");
    let found: Vec<String> =
        content_stems("The mill and the miller's boats are on 3 rivers.").into_iter().map(|(_, s)| s).collect();
    assert_eq!(found, ["mill", "miller", "boat", "3", "river"]);
    assert!(content_stems("").is_empty());
}
