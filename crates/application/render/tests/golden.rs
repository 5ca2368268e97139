//! Every format of the hand-written evaluation, as it is written today.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{example, texts};
use steadfast_render::{Colour, Links, html, junit, markdown, sarif, text};
use steadfast_wire::audit::{AuditChat, Judge, NotJudged, Unconfirmed};
use steadfast_wire::model::{CallEnded, CallTurn, ModelCall, NeutralisedCount};

#[test]
fn what_a_chat_model_was_asked_stands_in_every_form_that_people_read() {
    let mut evaluation = example();
    evaluation.judge = Judge::Both;
    evaluation.chat = Some(AuditChat {
        model: "small-model".to_owned(),
        exam: None,
        prompt_tokens: 4_120,
        reply_tokens: 812,
        calls: vec![ModelCall {
            role: "audit".to_owned(),
            model: "small-model".to_owned(),
            turn: CallTurn::First,
            ended: CallEnded::Failed,
            why: Some("the call failed: refused".to_owned()),
            attempts: 3,
            prompt_tokens: None,
            reply_tokens: None,
            neutralised: NeutralisedCount { invisible: 2, reserved: 1 },
        }],
        not_judged: vec![NotJudged {
            obligations: vec!["budget-1".to_owned(), "banned-1".to_owned()],
            beyond: true,
            reason: "the call failed: refused".to_owned(),
        }],
        unconfirmed: vec![Unconfirmed {
            asked: "by May 2027".to_owned(),
            quote: "It opens in spring.".to_owned(),
            why: "It is later.".to_owned(),
            reason: "May is in spring.".to_owned(),
        }],
    });
    evaluation.chat_failed = Some("1 of 1 requests brought nothing: the call failed: refused".to_owned());
    let forms = [
        markdown(&evaluation, &texts()).replace("\\", ""),
        text(&evaluation, &texts(), Colour::Off),
        html(&evaluation, &texts(), &Links::default()).unwrap(),
    ];
    for form in forms {
        for line in [
            "The chat model small-model was asked what rules leave open: 1 call, 4120 tokens and 812 in reply; 3 places neutralised in what it was shown: hidden characters or words that chat templates reserve.",
            "The chat model failed: 1 of 1 requests brought nothing: the call failed: refused.",
            "Not judged by small-model: 2 obligations: the call failed: refused.",
            "Found once by small-model, and not when asked again: “It opens in spring.”: May is in spring.",
        ] {
            assert!(form.contains(line), "{line}\n{form}");
        }
    }
}

#[test]
fn as_markdown() {
    insta::assert_snapshot!(markdown(&example(), &texts()));
}

#[test]
fn as_text() {
    insta::assert_snapshot!(text(&example(), &texts(), Colour::Off));
}

#[test]
fn as_junit() {
    insta::assert_snapshot!(junit(&example(), &texts()).unwrap());
}

#[test]
fn as_sarif() {
    insta::assert_snapshot!(sarif(&example(), &texts()).unwrap());
}

#[test]
fn as_html() {
    let links = Links { base: Some("run/".to_owned()) };
    insta::assert_snapshot!(html(&example(), &texts(), &links).unwrap());
}
