//! The dialogue with a chat model in the host's place: one request for a batch.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use steadfast_audit::exchange::{ASK_BEYOND, ASK_EACH, Batch, PROPOSALS_A_REPLY_MAX, proposals, request};
use steadfast_audit::proposals::{Proposal, Relation};
use steadfast_dialogue::{Passage, Role};

fn batches() -> [Batch; 3] {
    let batch = |id: &str, beyond: bool| Batch {
        obligations: (!id.is_empty()).then(|| id.to_owned()).into_iter().collect(),
        beyond,
        passages: vec![Passage { label: "obligations", text: format!("about {id}") }],
    };
    [batch("budget-1", false), batch("banned-1", true), batch("", true)]
}

/// The proposals of a reply.
fn said(reply: &str) -> Vec<Proposal> {
    proposals(&request(&batches()[0], 900).schema.read(reply).unwrap().record).collect()
}

#[test]
fn what_is_said_is_a_proposal() {
    let asked = request(&batches()[0], 900);
    assert_eq!((asked.role, asked.reply_tokens_max, &asked.passages), (Role::Audit, 900, &batches()[0].passages));
    let proposal = |obligation: Option<&str>, asked: Option<&str>, relation, quote: &str, why: &str| Proposal {
        obligation: obligation.map(str::to_owned),
        asked: asked.map(str::to_owned),
        relation,
        quote: quote.to_owned(),
        why: why.to_owned(),
    };
    let kept = r#"{"proposals": [{"obligation": " budget-1 ", "asked": "", "relation": "kept", "quote": "It costs 480 EUR.", "why": "So it is."}]}"#;
    assert_eq!(said(kept), [proposal(Some("budget-1"), None, Relation::Kept, "It costs 480 EUR.", "So it is.")]);
    let asked =
        r#"{"proposals": [{"obligation": "", "asked": "in German", "relation": "broken", "quote": "", "why": ""}]}"#;
    assert_eq!(said(asked), [proposal(None, Some("in German"), Relation::Broken, "", "")]);
    assert_eq!(said(r#"{"proposals": []}"#), []);
}

#[test]
fn each_relation_has_its_name() {
    for (name, relation) in [
        ("kept", Relation::Kept),
        ("broken", Relation::Broken),
        ("weakened", Relation::Weakened),
        ("unrelated", Relation::Unrelated),
        ("added", Relation::Added),
        ("invented", Relation::Invented),
    ] {
        let reply = format!(
            r#"{{"proposals": [{{"obligation": "", "asked": "", "relation": "{name}", "quote": "", "why": ""}}]}}"#
        );
        assert_eq!(said(&reply)[0].relation, relation, "{name}");
    }
}

#[test]
fn what_goes_beyond_the_obligations_is_asked_where_the_batch_says_so() {
    let [first, last, beyond] = batches().map(|batch| request(&batch, 900).instructions);
    assert!(first.contains(ASK_EACH) && !first.contains(ASK_BEYOND));
    assert!(last.contains(ASK_EACH) && last.contains(ASK_BEYOND));
    assert!(!beyond.contains(ASK_EACH) && beyond.contains(ASK_BEYOND));
    for instructions in [first, last, beyond] {
        assert!(!instructions.contains("about "), "what is judged stands in no instruction: {instructions}");
    }
}

#[test]
fn a_reply_holds_at_most_so_many_proposals() {
    let schema = request(&batches()[0], 900).schema;
    let one = r#"{"obligation": "", "asked": "", "relation": "added", "quote": "x", "why": ""}"#;
    let reply = |count: usize| format!("{{\"proposals\": [{}]}}", vec![one; count].join(","));
    assert_eq!(schema.read(&reply(PROPOSALS_A_REPLY_MAX)).unwrap().record.records("proposals").len(), 20);
    let faults = schema.read(&reply(PROPOSALS_A_REPLY_MAX + 1)).unwrap_err();
    assert_eq!(faults, ["`proposals` has 21 items, more than 20"]);
}
