//! Every behaviour of the fake server against every place at which a model is asked, in both protocols.
//!
//! A row says how the exchange ends, after how many attempts and which waits, and what is put down of it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod sites;

use std::sync::Mutex;
use std::time::Duration;

use common::{KEY, MODEL, Stage, kind};
use sites::{JUDGED, Site, run, sites};
use steadfast_chat::Waits;
use steadfast_dialogue::{Neutralised, Nothing, Taken};
use steadfast_engine::chat::{Ended, Turn};
use steadfast_testkit::fake_chat::{BEHAVIOURS, Behaviour, Dialect, FakeChat, Meets, behaviour};

/// How a call ends.
#[derive(Clone, Copy, Debug)]
enum End {
    /// With a reply, after this was taken off.
    Read(&'static [Taken]),
    /// With one that cannot be read; the faults hold these words.
    Unreadable(&'static str),
    /// As the last, with the words that the site has for ten thousand entries.
    TenThousand,
    Unfinished,
    Declined,
    /// With a failure that says these words.
    Failed(&'static str),
}

/// A call: its end, its attempts, whether tokens were counted.
#[derive(Clone, Copy, Debug)]
struct Row {
    name: &'static str,
    calls: &'static [(End, u32)],
    /// The waits that were asked of the clock, in milliseconds.
    slept_ms: &'static [u64],
    /// Whether the server's counts of tokens are put down where there is a reply.
    counted: bool,
    /// The forms that the server was asked for, where that is the point of it.
    modes: Option<[&'static [&'static str]; 2]>,
    waits: Waits,
}

const LONG: Duration = Duration::from_secs(60);

/// Long for all that answers, so that a slow machine changes nothing; short where a server hangs.
const PATIENT: Waits = Waits { connect: LONG, first_byte: LONG, idle: LONG, whole: LONG };
const SHORT: Duration = Duration::from_millis(150);

const fn row(name: &'static str, calls: &'static [(End, u32)], slept_ms: &'static [u64]) -> Row {
    Row { name, calls, slept_ms, counted: true, modes: None, waits: PATIENT }
}

const fn uncounted(row: Row) -> Row {
    Row { counted: false, ..row }
}

const fn waiting(waits: Waits, row: Row) -> Row {
    Row { waits, ..row }
}

const fn asking(openai: &'static [&'static str], anthropic: &'static [&'static str], row: Row) -> Row {
    Row { modes: Some([openai, anthropic]), ..row }
}

const READ: End = End::Read(&[]);
const ALL_WAITS: &[u64] = &[500, 1_000];

/// A reply that cannot be read, twice.
macro_rules! unreadable {
    ($words:literal) => {
        &[(End::Unreadable($words), 1), (End::Unreadable($words), 1)]
    };
}

use End::{Declined, Failed, Read, TenThousand, Unfinished, Unreadable};

/// Where ten thousand entries have more bytes than a reply may have.
const CAPPED: &[(End, u32)] = &[(Failed("the reply is longer than 1048576 bytes"), 1)];

const ROWS: &[Row] = &[
    row("a right stream", &[(READ, 1)], &[]),
    row("a right reply in one piece", &[(READ, 1)], &[]),
    row("line ends as on Windows, comments and unknown events", &[(READ, 1)], &[]),
    row("a model that thinks aloud first", &[(READ, 1)], &[]),
    row("refused", &[(Failed("cannot be reached"), 3)], ALL_WAITS),
    row("reset before the head", &[(Failed("cannot be reached"), 3)], ALL_WAITS),
    row("closed without a word", &[(Failed("cannot be reached"), 3)], ALL_WAITS),
    row("reset mid-body", &[(Failed("broke off after"), 3)], ALL_WAITS),
    row("reset mid-body once", &[(READ, 2)], &[500]),
    waiting(
        Waits { first_byte: SHORT, ..PATIENT },
        row("hung before the head", &[(Failed("no answer within"), 3)], ALL_WAITS),
    ),
    waiting(
        Waits { idle: SHORT, ..PATIENT },
        row("hung behind the head", &[(Failed("nothing came for"), 3)], ALL_WAITS),
    ),
    waiting(Waits { idle: SHORT, ..PATIENT }, row("hung mid-body", &[(Failed("nothing came for"), 3)], ALL_WAITS)),
    row("one byte at a time", &[(READ, 1)], &[]),
    waiting(
        Waits { whole: Duration::from_secs(2), ..PATIENT },
        row("a trickle without an end", &[(Failed("it took longer than"), 1)], &[]),
    ),
    row("no HTTP", &[(Failed("cannot be reached"), 3)], ALL_WAITS),
    row("a head without an end", &[(Failed("cannot be reached"), 3)], ALL_WAITS),
    row("chunks that are none", &[(Failed("broke off after 0 bytes"), 3)], ALL_WAITS),
    row("HTML with 200", &[(Failed("the answer is `text/html`, neither a stream of events nor JSON"), 1)], &[]),
    row("an empty body with 200", &[(Failed("the answer is empty"), 1)], &[]),
    row("an empty stream", &[(Failed("the answer holds no reply"), 1)], &[]),
    row("the right reply under another content type", &[(Failed("the answer is `text/plain`"), 1)], &[]),
    row("the right reply without a content type", &[(Failed("it has no content type"), 1)], &[]),
    row("JSON of another kind", &[(Failed("` is missing"), 1)], &[]),
    row("JSON that is nested without an end", &[(Failed("the answer is no JSON: recursion limit"), 1)], &[]),
    row("an event that is no JSON", &[(Failed("an event is no JSON"), 1)], &[]),
    row("no choices", &[(Failed("the answer holds no reply"), 1)], &[]),
    row("two choices", &[(Failed("2 choices came, one was asked for"), 1)], &[]),
    row("two choices in a stream", &[(Failed("more than one choice came"), 1)], &[]),
    row("content that is no text", &[(Failed("`content` is no text"), 1)], &[]),
    row("a gzip bomb", &[(Failed("is compressed, which was not asked for"), 1)], &[]),
    row("a body that is said to be huge", &[(Failed("more than 33554432 bytes"), 1)], &[]),
    row("a stream that is huge", &[(Failed("the reply is longer than 1048576 bytes"), 1)], &[]),
    row("bytes that are no UTF-8", &[(Failed("an event is not in UTF-8"), 1)], &[]),
    row("a stream that is split inside a character", &[(Read(&[Taken::Before]), 1)], &[]),
    row("lone surrogates in the frame", &[(Failed("an event is no JSON"), 1)], &[]),
    row("429 once", &[(READ, 2)], &[500]),
    row("429 with seconds", &[(READ, 2)], &[7_000]),
    row("429 with a date", &[(READ, 2)], &[9_000]),
    row("429 with a day", &[(Failed("it asks for a wait of 86400 s, and no more than 60 s is waited"), 1)], &[]),
    row(
        "429 with more than is left",
        &[(Failed("it asks for a wait of 45 s, and only 15 s are left for the call"), 2)],
        &[45_000],
    ),
    row("429 with nonsense", &[(READ, 2)], &[500]),
    row("429 for ever", &[(Failed("status 429: slow down"), 3)], ALL_WAITS),
    row("500 once", &[(READ, 2)], &[500]),
    row("500 twice", &[(READ, 3)], ALL_WAITS),
    row("a storm of 500", &[(Failed("status 500: oops"), 3)], ALL_WAITS),
    row("502 with HTML", &[(Failed("status 502"), 3)], ALL_WAITS),
    row("503 with seconds", &[(READ, 2)], &[3_000]),
    row("529", &[(Failed("status 529: overloaded"), 3)], ALL_WAITS),
    row("408 once", &[(READ, 2)], &[500]),
    row("409 once", &[(READ, 2)], &[500]),
    // What is asked again is asked in another form; in the same one nothing is, see `a_form_that_was_taken_once_is_not_left_for_any_400`.
    asking(
        &["json_schema", "json_object", "prompt"],
        &["json_schema", "tool", "prompt"],
        row("400", &[(Failed("status 400: no"), 3)], &[]),
    ),
    row("401", &[(Failed("status 401: no such key"), 1)], &[]),
    row("402", &[(Failed("status 402: no credit"), 1)], &[]),
    row("403", &[(Failed("status 403: not for you"), 1)], &[]),
    row("404", &[(Failed("status 404: no such model"), 1)], &[]),
    row("413", &[(Failed("status 413: too long"), 1)], &[]),
    row("422", &[(Failed("status 422: no"), 3)], &[]),
    row("302", &[(Failed("what is sent is not led on to another address"), 1)], &[]),
    row("307", &[(Failed("what is sent is not led on to another address"), 1)], &[]),
    row(
        "an error that repeats what was sent",
        &[(Failed("status 403: its words repeat what was sent, and are left out"), 1)],
        &[],
    ),
    row("an error in the stream", &[(Failed("an error instead of a reply: try later"), 1)], &[]),
    row("an error in the stream that passes", &[(READ, 2)], &[500]),
    row("an error in the stream for ever", &[(Failed("an error instead of a reply: try later"), 3)], ALL_WAITS),
    row("an error behind half of the stream", &[(Failed("an error instead of a reply: try later"), 3)], ALL_WAITS),
    row("an error object with 200", &[(Failed("an error instead of a reply: no"), 1)], &[]),
    asking(&["json_schema", "json_object"], &["json_schema", "tool"], row("the schema refused", &[(READ, 2)], &[])),
    asking(
        &["json_schema", "json_object", "prompt"],
        &["json_schema", "tool", "prompt"],
        row("every form refused", &[(READ, 3)], &[]),
    ),
    asking(
        &["json_schema", "json_object"],
        &["json_schema", "tool"],
        row("the schema refused without a word", &[(READ, 2)], &[]),
    ),
    asking(
        &["json_schema", "json_object"],
        &["json_schema", "tool"],
        row("the schema refused with 500", &[(READ, 2)], &[]),
    ),
    row("cut by length", &[(Unfinished, 1)], &[]),
    row("no finish reason", &[(Unfinished, 1)], &[]),
    row("a stream without its end", &[(READ, 1)], &[]),
    uncounted(row("a stream without its end or a reason", &[(Unfinished, 1)], &[])),
    uncounted(row("a stream without its beginning", &[(READ, 1)], &[])),
    row("a filter", &[(Declined, 1)], &[]),
    uncounted(row("a refusal", &[(Declined, 1)], &[])),
    row("a tool that nobody offered", &[(Unfinished, 1)], &[]),
    row("an empty reply", unreadable!("the reply is empty"), &[]),
    row("prose around the reply", &[(Read(&[Taken::Before, Taken::Behind]), 1)], &[]),
    row("a code fence", &[(Read(&[Taken::Fence]), 1)], &[]),
    row("thoughts", &[(Read(&[Taken::Thoughts]), 1)], &[]),
    row("the reply twice", unreadable!("the reply holds more than one object"), &[]),
    row("a field twice", unreadable!("stands twice in an object"), &[]),
    row("NaN", unreadable!("it is no JSON: expected value"), &[]),
    row("lone surrogates", unreadable!("it is no JSON: unexpected end of hex escape"), &[]),
    row("a reply that is cut but called finished", unreadable!("it is no JSON: EOF while parsing"), &[]),
    row("the schema ignored", unreadable!("is missing"), &[]),
    row("an unknown field", unreadable!("the reply has a field `surplus` that was not asked for"), &[]),
    row("an unknown field, mended", &[(Unreadable("`surplus`"), 1), (READ, 1)], &[]),
    row("an unknown field, then 500", &[(Unreadable("`surplus`"), 1), (Failed("status 500: oops"), 3)], ALL_WAITS),
    row("ten thousand incidents", &[(TenThousand, 1), (TenThousand, 1)], &[]),
    row("a flood of line breaks", &[(Failed("more than 256 characters of white space in a row"), 1)], &[]),
    row("a loop of digits", &[(Failed("more than 128 digits in a row"), 1)], &[]),
    row("a loop of lines", &[(Failed("the same line more than 64 times in a row"), 1)], &[]),
    row("a loop of words", &[(Failed("it says the same over and over"), 1)], &[]),
    uncounted(row("no usage", &[(READ, 1)], &[])),
    uncounted(row("usage below nothing", &[(READ, 1)], &[])),
    uncounted(row("usage beyond measure", &[(READ, 1)], &[])),
    uncounted(row("usage in words", &[(READ, 1)], &[])),
];

#[test]
fn every_behaviour_has_its_row_and_none_stands_twice() {
    let rows: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    let behaviours: Vec<&str> = BEHAVIOURS.iter().map(|behaviour| behaviour.name).collect();
    assert_eq!(rows, behaviours);
    let mut sorted = rows.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), rows.len());
    assert!(rows.len() >= 40);
    for row in ROWS {
        assert!(row.calls.iter().all(|(_, attempts)| (1..=3).contains(attempts)), "{}", row.name);
    }
}

#[test]
fn every_behaviour_at_every_site_in_both_protocols() {
    let sites = sites();
    let mut jobs: Vec<(&Row, &Behaviour, &Site, Dialect)> = Vec::new();
    for row in ROWS {
        let behaviour = behaviour(row.name).unwrap();
        for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
            if behaviour.dialect.is_none_or(|only| only == dialect) {
                jobs.extend(sites.iter().map(|site| (row, behaviour, site, dialect)));
            }
        }
    }
    let (count, jobs) = (jobs.len(), Mutex::new(jobs));
    // Most of the time is spent waiting for servers that hang.
    let next = || jobs.lock().unwrap().pop();
    let work = || {
        let mut wrong = Vec::new();
        while let Some((row, behaviour, site, dialect)) = next() {
            if let Err(what) = check(row, behaviour, site, dialect) {
                wrong.push(format!("{} / {} / {dialect:?}: {what}", row.name, site.request.role.name()));
            }
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..8).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 150 * sites.len(), "{count}");
}

/// Goes through one exchange and says what is not as its row has it.
fn check(row: &Row, behaviour: &Behaviour, site: &Site, dialect: Dialect) -> Result<(), String> {
    let server = FakeChat::new(behaviour, &site.good).unwrap();
    let stage = Stage::new(&server.url, kind(dialect), row.waits);
    let log = run(site, &sites::desk(&stage.model, stage.desk()));
    let is_capped = site.is_capped && matches!(row.calls[0].0, TenThousand);
    let calls: &[(End, u32)] = if is_capped { CAPPED } else { row.calls };

    let equal = |what: &str, wanted: String, got: String| {
        if wanted == got { Ok(()) } else { Err(format!("{what}: wanted {wanted}, got {got}")) }
    };
    equal("waits", format!("{:?}", row.slept_ms), format!("{:?}", stage.clock.slept_ms()))?;
    equal("calls", calls.len().to_string(), format!("{}", log.len()))?;
    for (index, (call, (end, attempts))) in log.iter().zip(calls).enumerate() {
        let ended = match (&call.ended, *end) {
            (Ended::Read(taken), End::Read(wanted)) => taken == wanted,
            (Ended::Without(Nothing::Unreadable(faults)), End::Unreadable(words)) => {
                faults.iter().any(|fault| fault.contains(words))
            }
            (Ended::Without(Nothing::Unreadable(faults)), End::TenThousand) => {
                faults.iter().any(|fault| fault.contains(site.ten_thousand))
            }
            (Ended::Without(Nothing::Unfinished), End::Unfinished)
            | (Ended::Without(Nothing::Declined), End::Declined) => true,
            (Ended::Without(Nothing::Failed(why)), End::Failed(words)) => why.contains(words),
            _ => false,
        };
        if !ended {
            return Err(format!("call {index}: wanted {end:?}, got {:?}", call.ended));
        }
        equal("attempts", attempts.to_string(), call.attempts.to_string())?;
        let failed = matches!(call.ended, Ended::Without(Nothing::Failed(_)));
        let tokens = if failed || !row.counted { (None, None) } else { (Some(11), Some(7)) };
        equal("tokens", format!("{tokens:?}"), format!("{:?}", (call.prompt_tokens, call.reply_tokens)))?;
        equal("role", site.request.role.name().to_owned(), call.role.name().to_owned())?;
        equal("model", MODEL.to_owned(), call.model.clone())?;
        let turn = if index == 0 { Turn::First } else { Turn::Repair };
        equal("turn", format!("{turn:?}"), format!("{:?}", call.turn))?;
        equal(
            "neutralised",
            format!("{:?}", Neutralised { invisible: 0, reserved: site.reserved }),
            format!("{:?}", call.neutralised),
        )?;
    }
    let shown = format!("{log:?}");
    if shown.contains(KEY) || shown.contains(&JUDGED[..24]) {
        return Err(format!("the log shows what it must not: {shown}"));
    }
    let asked = server.asked();
    let attempts: u32 = calls.iter().map(|(_, attempts)| attempts).sum();
    let wanted = if behaviour.meets == Meets::Refuses { 0 } else { attempts };
    equal("questions", wanted.to_string(), asked.len().to_string())?;
    if let Some(modes) = row.modes {
        let wanted = if dialect == Dialect::OpenAi { modes[0] } else { modes[1] };
        let got: Vec<&str> = asked.iter().map(steadfast_testkit::fake_chat::Asked::mode).collect();
        equal("forms", format!("{wanted:?}"), format!("{got:?}"))?;
    }
    Ok(())
}
