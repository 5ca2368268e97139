//! Nothing that a user asks, a command prints or an agent says breaks the review of a session. Lines of three dashes part what is asked,
//! the command, its output and the report.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::{bounded, lie_within};
use steadfast_review::session::assess;
use steadfast_review::session::interrupt::at_end;
use steadfast_review::session::open::open;
use steadfast_session::{Author, Call, Outcome, Session, Turn};

fuzz_target!(|text: &str| {
    let mut parts = text.splitn(4, "\n---\n");
    let mut part = || parts.next().unwrap_or_default();
    let (asked, command, output, report) = (part(), part(), part(), part());
    let outcome = Outcome { text: output.to_owned(), exit: Some(0), ..Outcome::default() };
    let call = Call { command: Some(command.to_owned()), outcome: Some(outcome), ..Call::default() };
    let turns = vec![
        Turn::said(1, Author::User, asked),
        Turn { calls: vec![call], ..Turn::said(2, Author::Agent, "") },
        Turn::said(3, Author::Agent, report),
    ];
    let session = Session { turns, ..Session::default() };
    bounded(text.len(), || {
        let assessed = assess(&session, report);
        lie_within(report, assessed.claims.iter().map(|own| own.span.range()));
        let _ = open(report, &assessed);
        let _ = at_end(&session, report);
    });
});
