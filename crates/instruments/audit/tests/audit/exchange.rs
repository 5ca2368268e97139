//! The dialogue with a chat model in the host's place: one request for a batch, whatever came of the one before.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use steadfast_audit::exchange::{ASK_BEYOND, ASK_EACH, Batch, Inquiry, Outcome, PROPOSALS_A_REPLY_MAX, request};
use steadfast_audit::proposals::{Proposal, Relation};
use steadfast_dialogue::{Answer, Exchange, Nothing, Passage, Role, Step};

fn batches() -> [Batch; 3] {
    let batch = |id: &str, beyond: bool| Batch {
        obligations: (!id.is_empty()).then(|| id.to_owned()).into_iter().collect(),
        beyond,
        passages: vec![Passage { label: "obligations", text: format!("about {id}") }],
    };
    [batch("budget-1", false), batch("banned-1", true), batch("", true)]
}

/// What comes of these replies, one after the other.
fn driven(replies: Vec<Result<&str, Nothing>>) -> Outcome {
    let batches = batches();
    let mut inquiry = Inquiry::new(&batches, 900);
    let mut step = inquiry.next(None);
    for (reply, batch) in replies.into_iter().zip(&batches) {
        let Step::Send(asked) = step else { panic!("nothing is asked about {batch:?}") };
        assert_eq!((asked.role, asked.reply_tokens_max), (Role::Audit, 900));
        assert_eq!(asked.passages, batch.passages);
        step = inquiry.next(Some(match reply {
            Ok(text) => Answer::Record(asked.schema.read(text).unwrap().record),
            Err(nothing) => Answer::Nothing(nothing),
        }));
    }
    let Step::Done(outcome) = step else { panic!("more is asked") };
    outcome
}

#[test]
fn every_batch_is_asked_about_and_what_is_said_is_a_proposal() {
    let kept = r#"{"proposals": [{"obligation": " budget-1 ", "asked": "", "relation": "kept", "quote": "It costs 480 EUR.", "why": "So it is."}]}"#;
    let asked =
        r#"{"proposals": [{"obligation": "", "asked": "in German", "relation": "broken", "quote": "", "why": ""}]}"#;
    let outcome = driven(vec![Ok(kept), Err(Nothing::Failed("refused".to_owned())), Ok(asked)]);
    let proposal = |obligation: Option<&str>, asked: Option<&str>, relation, quote: &str, why: &str| Proposal {
        obligation: obligation.map(str::to_owned),
        asked: asked.map(str::to_owned),
        relation,
        quote: quote.to_owned(),
        why: why.to_owned(),
    };
    let expect = [
        proposal(Some("budget-1"), None, Relation::Kept, "It costs 480 EUR.", "So it is."),
        proposal(None, Some("in German"), Relation::Broken, "", ""),
    ];
    assert_eq!(outcome.proposals, expect);
    assert_eq!(outcome.not_judged, [(1, "the call failed: refused".to_owned())]);
    assert_eq!(driven(vec![Ok(r#"{"proposals": []}"#); 3]), Outcome::default());
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
        let nothing = || Err(Nothing::Unfinished);
        assert_eq!(driven(vec![Ok(&reply), nothing(), nothing()]).proposals[0].relation, relation, "{name}");
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
