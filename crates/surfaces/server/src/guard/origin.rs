//! By which name the server is called, and from where.
//!
//! A page of somebody else can make a browser send requests to the loopback address, and can have its own name lead there (DNS
//! rebinding). So the `Host` has to be a name of this server, and what a browser says of where a request comes from (`Origin`,
//! `Sec-Fetch-Site`) has to be this server. Programs that are no browsers say neither.

use axum::extract::Request;
use axum::http::{HeaderMap, Method, header};

use crate::problem::Problem;
use crate::problem::kinds::{BAD_REQUEST, CROSS_SITE, FOREIGN_HOST};
use crate::query::shown;

/// Refuses what is not meant for this server, or comes from another site.
pub(super) fn check(names: &[String], request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    let authority = match request.uri().authority() {
        Some(authority) => authority.as_str(),
        None => text(headers, header::HOST.as_str()).unwrap_or_default(),
    };
    if headers.get_all(header::HOST).iter().count() > 1 {
        return Err(Problem::of(&BAD_REQUEST, "the request names more than one `Host`"));
    }
    let name = name(authority);
    if name.is_empty() {
        return Err(Problem::of(&BAD_REQUEST, "the request names no `Host`"));
    }
    if !names.contains(&name) {
        let problem = Problem::of(&FOREIGN_HOST, format!("`{}` is no name of this server", shown(&name)));
        return Err(problem.hint(format!("`steadfast serve --host {}` allows it", shown(&name))));
    }
    if let Some(origin) = text(headers, "origin") {
        let own = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if !own.is_some_and(|own| own.eq_ignore_ascii_case(authority)) {
            return Err(Problem::of(&CROSS_SITE, format!("the request comes from `{}`", shown(origin))));
        }
    }
    match text(headers, "sec-fetch-site") {
        None | Some("same-origin" | "none") => Ok(()),
        // Somebody followed a link to a page: it is shown, and changes nothing.
        Some(_) if is_followed_link(request) => Ok(()),
        Some(site) => Err(Problem::of(&CROSS_SITE, format!("`Sec-Fetch-Site` is `{}`", shown(site)))),
    }
}

fn is_followed_link(request: &Request) -> bool {
    let headers = request.headers();
    let path = request.uri().path();
    *request.method() == Method::GET
        && text(headers, "sec-fetch-mode") == Some("navigate")
        && text(headers, "sec-fetch-dest") == Some("document")
        && !["/api/", "/v1/", "/mcp"].iter().any(|own| path.starts_with(own))
}

/// A header that stands there once and is text; empty where it is there and is not so.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    Some(if values.next().is_some() { "" } else { value.to_str().unwrap_or_default() })
}

/// The name in an authority, without its port, in lower case.
fn name(authority: &str) -> String {
    let name = match authority.rfind(':') {
        // Colons within brackets belong to an address.
        Some(at) if !authority[at..].contains(']') => &authority[..at],
        _ => authority,
    };
    name.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::Request;

    /// A request of some headers, a line each.
    #[track_caller]
    fn check(path: &str, headers: &[&str], expect: &str) {
        let mut request = Request::builder().uri(path);
        for line in headers {
            let (name, value) = line.split_once(": ").unwrap();
            request = request.header(name, value);
        }
        let names = crate::guard::names(&["Plan.Example".to_owned()], Some("10.0.0.7".parse().unwrap()));
        let said = super::check(&names, &request.body(Body::empty()).unwrap());
        let said =
            said.map_or_else(|problem| format!("{}: {}", problem.kind.name, problem.detail), |()| "passes".to_owned());
        assert_eq!(said, expect, "{headers:?}");
    }

    #[test]
    fn names_of_the_server_pass() {
        for host in ["localhost", "LOCALHOST:8787", "127.0.0.1:1", "[::1]:8787", "[::1]", "10.0.0.7", "plan.example:80"]
        {
            check("/api/runs", &[&format!("host: {host}")], "passes");
        }
        check("/", &[], "bad-request: the request names no `Host`");
        check("/", &["host: localhost", "host: evil.example"], "bad-request: the request names more than one `Host`");
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.2",
            "user@localhost",
            "localhost@evil.example",
            "localhost.",
            "local host",
            "[::2]:80",
        ] {
            let name = host.trim_end_matches(":80");
            check("/", &[&format!("host: {host}")], &format!("foreign-host: `{name}` is no name of this server"));
        }
        check("http://evil.example/", &["host: localhost"], "foreign-host: `evil.example` is no name of this server");
    }

    #[test]
    fn requests_of_other_sites_are_refused() {
        let host = "host: localhost:8787";
        check("/api/runs", &[host, "origin: http://localhost:8787"], "passes");
        check("/api/runs", &[host, "sec-fetch-site: same-origin"], "passes");
        check("/api/runs", &[host, "sec-fetch-site: none"], "passes");
        for origin in [
            "http://localhost:8788",
            "http://evil.example",
            "null",
            "http://localhost:8787.evil.example",
            "ftp://localhost:8787",
            "",
        ] {
            check(
                "/api/runs",
                &[host, &format!("origin: {origin}")],
                &format!("cross-site: the request comes from `{origin}`"),
            );
        }
        for site in ["cross-site", "same-site", "odd"] {
            check(
                "/api/runs",
                &[host, &format!("sec-fetch-site: {site}")],
                &format!("cross-site: `Sec-Fetch-Site` is `{site}`"),
            );
        }
    }

    #[test]
    fn a_link_to_a_page_may_be_followed() {
        let link =
            ["host: localhost", "sec-fetch-site: cross-site", "sec-fetch-mode: navigate", "sec-fetch-dest: document"];
        check("/runs", &link, "passes");
        check("/api/runs", &link, "cross-site: `Sec-Fetch-Site` is `cross-site`");
        check("/mcp", &link, "cross-site: `Sec-Fetch-Site` is `cross-site`");
        check("/runs", &link[..3], "cross-site: `Sec-Fetch-Site` is `cross-site`");
    }
}
