//! What is sent: with which key to whom, what is waited for and what is read of the answer.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::time::Duration;

use common::{Reply, Server, answer, block_on, client};
use steadfast_net::{Credential, Error, Method, Received, Sending};

const KEY: &str = "Bearer canary-7f3a";

fn send(url: &str, credentials: &[Credential], whole: Duration) -> Result<(u16, Vec<u8>), Error> {
    let sending = Sending {
        method: Method::Post,
        url,
        content_type: "application/json",
        body: b"{}",
        headers: &[("x-own", "1")],
        credentials,
        body_bytes_max: 10,
        whole,
    };
    block_on(async {
        let received: Received = client().send(&sending).await?;
        Ok((received.status, received.body().await?))
    })
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn what_is_sent_comes_with_its_headers_and_any_status_is_an_answer() {
    for status in ["200 OK", "429 Too Many Requests", "500 Internal Server Error"] {
        let server = Server::new(move |_, _| Reply::Send(answer(status, &[("content-length", "2")], b"ok")));
        let key = Credential::new(&server.base, "Authorization", KEY).unwrap();
        let (code, body) = send(&format!("{}/v1/x", server.base), &[key], LONG).unwrap();
        assert_eq!((code, body.as_slice()), (status[..3].parse().unwrap(), b"ok".as_slice()));
        let asked = server.asked().remove(0);
        assert_eq!((asked.path.as_str(), asked.body.as_slice()), ("/v1/x", b"{}".as_slice()));
        assert!(asked.head.starts_with("POST "));
        for (name, value) in [
            ("authorization", KEY),
            ("x-own", "1"),
            ("content-type", "application/json"),
            ("accept-encoding", "identity"),
        ] {
            assert_eq!(asked.header(name).as_deref(), Some(value));
        }
    }
}

#[test]
fn a_key_goes_to_its_own_origin_alone_and_is_never_shown() {
    let server = Server::new(|_, _| Reply::Send(answer("200 OK", &[], b"")));
    let port = server.base.rsplit(':').next().unwrap();
    for other in ["https://127.0.0.1", "http://127.0.0.1:1", &format!("http://localhost:{port}")] {
        let key = Credential::new(other, "Authorization", KEY).unwrap();
        assert!(!format!("{key:?}").contains("canary"));
        let error = send(&server.base, &[key], LONG).unwrap_err();
        assert!(matches!(&error, Error::Credential { origin, .. } if *origin == server.base), "{error}");
        assert!(!format!("{error} {error:?}").contains("canary"));
    }
    assert!(server.asked().is_empty());
    let error = Credential::new(&server.base, "Authorization", "canary\n").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("canary"));
}

#[test]
fn what_is_sent_is_not_led_elsewhere() {
    for status in ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let server = Server::new(move |_, _| {
            Reply::Send(answer(status, &[("location", "/other"), ("content-length", "0")], b""))
        });
        let key = Credential::new(&server.base, "Authorization", KEY).unwrap();
        let error = send(&server.base, &[key], LONG).unwrap_err();
        assert!(matches!(&error, Error::Redirect { .. }), "{error}");
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn what_is_too_large_compressed_silent_or_slow_is_not_read() {
    type Wanted = fn(&Error) -> bool;
    let cases: [(Vec<u8>, Wanted); 5] = [
        (answer("200 OK", &[("content-length", "11")], b"0123456789a"), |e| {
            matches!(e, Error::TooLarge { bytes_max: 10, .. })
        }),
        (answer("200 OK", &[], b"0123456789a"), |e| matches!(e, Error::TooLarge { bytes_max: 10, .. })),
        (answer("200 OK", &[("content-encoding", "gzip")], b"0"), |e| matches!(e, Error::Answer { .. })),
        (answer("200 OK", &[("content-length", "3")], b"0"), |e| matches!(e, Error::Broken { bytes: 1, .. })),
        (Vec::new(), |e| matches!(e, Error::Unreachable { .. })),
    ];
    for (bytes, wanted) in cases {
        let server = Server::new(move |_, _| Reply::Send(bytes.clone()));
        let error = send(&server.base, &[], LONG).unwrap_err();
        assert!(wanted(&error), "{error}");
    }
    assert_eq!(
        send(
            &Server::new(|_, _| Reply::Send(answer("200 OK", &[("content-length", "10")], b"0123456789"))).base,
            &[],
            LONG
        )
        .unwrap()
        .1,
        b"0123456789"
    );
    let server = Server::new(|_, _| Reply::Hold(Vec::new()));
    let error = send(&server.base, &[], LONG).unwrap_err();
    assert!(matches!(error, Error::Silent { .. }), "{error}");
    let server = Server::new(|_, _| Reply::Hold(answer("200 OK", &[("content-length", "3")], b"0")));
    let error = send(&server.base, &[], Duration::from_millis(100)).unwrap_err();
    assert!(matches!(&error, Error::Broken { bytes: 1, why, .. } if why.starts_with("it took longer")), "{error}");
}
