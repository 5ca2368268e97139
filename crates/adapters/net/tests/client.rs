//! The client alone: where it goes, what it waits for, what it reads.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{Reply, Server, answer, block_on, client};
use steadfast_net::{Error, REDIRECTS_MAX, Redirects, Request, Resume};

fn get(url: &str, redirects: Redirects<'_>) -> Result<Vec<u8>, Error> {
    block_on(async {
        let mut answer = client().get(&Request { url, redirects, resume: None, body_bytes_max: 10 }).await?;
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await? {
            body.extend(chunk);
        }
        Ok(body)
    })
}

#[track_caller]
fn refused(result: Result<Vec<u8>, Error>, wanted: &str) {
    let error = result.unwrap_err();
    assert!(matches!(&error, Error::Redirect { why, .. } if *why == wanted), "{error}");
}

fn leading(to: &str) -> Server {
    let to = to.to_owned();
    Server::new(move |asked, _| {
        Reply::Send(match asked.path.as_str() {
            "/end" => answer("200 OK", &[("content-length", "3")], b"end"),
            _ => answer("302 Found", &[("location", &to), ("content-length", "0")], b""),
        })
    })
}

#[test]
fn an_answer_leads_only_where_it_may() {
    let server = leading("/end");
    let url = format!("{}/start", server.base);
    refused(get(&url, Redirects::Refused), "redirects are not followed");
    assert_eq!(get(&url, Redirects::SameOrigin).unwrap(), b"end");
    assert_eq!(get(&url, Redirects::To(&[])).unwrap(), b"end");

    // Another port is another origin; by its name the host is on the list or not.
    let other = leading(&format!("{}/end", server.base));
    let url = format!("{}/start", other.base);
    refused(get(&url, Redirects::SameOrigin), "that is another server");
    refused(get(&url, Redirects::To(&["a.example".to_owned()])), "that server is not on the list");
    assert_eq!(get(&url, Redirects::To(&["127.0.0.1".to_owned()])).unwrap(), b"end");
}

#[test]
fn an_answer_never_leads_to_another_scheme_or_a_password() {
    let hosts = ["127.0.0.1".to_owned()];
    for (to, why) in [
        ("file:///etc/hosts", "that is less safe"),
        ("ftp://127.0.0.1/x", "that is less safe"),
        ("http://ann:secret@127.0.0.1/x", "an address carries no name and no password"),
    ] {
        let server = leading(to);
        let result = get(&format!("{}/start", server.base), Redirects::To(&hosts));
        assert!(!format!("{result:?}").contains("secret"));
        refused(result, why);
    }
}

#[test]
fn a_circle_ends() {
    let server = leading("/again?signature=secret");
    let result = get(&format!("{}/start", server.base), Redirects::SameOrigin);
    assert!(!result.as_ref().unwrap_err().to_string().contains("secret"));
    refused(result, "too many redirects");
    assert_eq!(server.asked().len(), REDIRECTS_MAX + 1);
}

#[test]
fn a_server_that_says_nothing_is_not_waited_for() {
    let server = Server::new(|_, _| Reply::Hold(Vec::new()));
    let error = get(&server.base, Redirects::Refused).unwrap_err();
    assert!(matches!(error, Error::Silent { .. }), "{error}");
    let server = Server::new(|_, _| Reply::Hold(answer("200 OK", &[("content-length", "3")], b"e")));
    let error = get(&server.base, Redirects::Refused).unwrap_err();
    assert!(matches!(error, Error::Broken { bytes: 1, .. }), "{error}");
}

#[test]
fn the_limit_is_the_last_byte_that_is_read() {
    for (announced, body, read) in [
        (Some("10"), "0123456789", true),
        (None, "0123456789", true),
        (Some("11"), "0123456789a", false),
        (None, "0123456789a", false),
    ] {
        let headers: Vec<(&str, &str)> = announced.iter().map(|length| ("content-length", *length)).collect();
        let answer = answer("200 OK", &headers, body.as_bytes());
        let server = Server::new(move |_, _| Reply::Send(answer.clone()));
        match get(&server.base, Redirects::Refused) {
            Ok(got) => assert!(read && got == body.as_bytes()),
            Err(error) => assert!(!read && matches!(error, Error::TooLarge { bytes_max: 10, .. }), "{error}"),
        }
    }
}

#[test]
fn a_rest_that_begins_elsewhere_is_refused() {
    for range in ["bytes 2-4/5", "bytes 4-4/5", "bytes x", ""] {
        let answer = answer("206 Partial Content", &[("content-range", range), ("content-length", "1")], b"x");
        let server = Server::new(move |_, _| Reply::Send(answer.clone()));
        let resume = Resume { bytes: 3, etag: None };
        let request =
            Request { url: &server.base, redirects: Redirects::Refused, resume: Some(&resume), body_bytes_max: 10 };
        let error = block_on(client().get(&request)).unwrap_err();
        assert!(matches!(error, Error::Answer { .. }), "{range}: {error}");
    }
}

#[test]
fn nobody_listens() {
    // A port that was free a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = get(&base, Redirects::Refused).unwrap_err();
    assert!(matches!(&error, Error::Unreachable { origin, .. } if *origin == base), "{error}");
}

#[test]
fn no_question_carries_credentials_or_says_where_it_comes_from() {
    let server = leading("/end");
    get(&format!("{}/start", server.base), Redirects::SameOrigin).unwrap();
    for asked in server.asked() {
        for name in ["authorization", "cookie", "referer"] {
            assert_eq!(asked.header(name), None);
        }
        assert!(asked.header("user-agent").unwrap().starts_with("steadfast/"));
    }
}
