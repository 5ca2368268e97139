//! Every format of the hand-written evaluation, as it is written today.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{example, texts};
use steadfast_render::{Colour, Links, html, junit, markdown, sarif, text};

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
