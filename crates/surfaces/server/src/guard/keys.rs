//! Who asks: programs by a key, people by a session that they signed in to with one.
//!
//! A key is looked up at every request, so one that is revoked is refused at once, whoever holds a session of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use steadfast_engine::calls::{self, with_store};
use steadfast_engine::keys;
use steadfast_wire::keys as wire;

use crate::app::App;
use crate::problem::Problem;
use crate::problem::kinds::{NO_KEY, SCOPE};
use crate::routes::Scope;

/// The cookie of a session.
const COOKIE: &str = "steadfast_session";

/// Hours for which a session holds.
const SESSION_HOURS_MAX: u64 = 12;

/// Sessions that are open at a time; the one that ends first gives way to another.
const SESSIONS_MAX: usize = 1_000;

/// Bytes of a header that could hold a key or a session; a longer one holds none.
const HEADER_BYTES_MAX: usize = 4_096;

/// What a request shows of who asks.
pub(crate) enum Credential {
    Nothing,
    Key(String),
    Session(String),
}

impl Credential {
    /// A key goes before a session: who sends both means the key.
    pub(crate) fn of(request: &Request) -> Self {
        if let Some(given) = request.headers().get(header::AUTHORIZATION) {
            return Self::Key(bearer(given).unwrap_or_default().to_owned());
        }
        session(request.headers()).map_or(Self::Nothing, |id| Self::Session(id.to_owned()))
    }
}

/// The key in `Bearer KEY` (RFC 6750, section 2.1); the scheme's case does not matter.
fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, key) = value.to_str().ok().filter(|text| text.len() <= HEADER_BYTES_MAX)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

/// The session that the cookies of a request name.
pub(crate) fn session(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .filter(|text| text.len() <= HEADER_BYTES_MAX)
        .flat_map(|text| text.split(';'))
        .find_map(|pair| pair.trim().split_once('=').filter(|(name, _)| *name == COOKIE).map(|(_, value)| value))
}

/// Sessions of people. They are of this run of the server: who signed in before signs in again.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<HashMap<String, Session>>);

#[derive(Clone)]
struct Session {
    /// The id of the key that it was opened with.
    key_id: String,
    until: Instant,
}

impl Sessions {
    /// Opens a session of a key, and gives its id.
    fn open(&self, id: String, key_id: String, now: Instant) -> String {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, session| session.until > now);
        if open.len() >= SESSIONS_MAX {
            let first = open.iter().min_by_key(|(_, session)| session.until).map(|(id, _)| id.clone());
            first.and_then(|first| open.remove(&first));
        }
        open.insert(id.clone(), Session { key_id, until: now + Duration::from_secs(SESSION_HOURS_MAX * 3600) });
        id
    }

    /// The key of a session that is open. Ids are found by a hash with random keys, so how long that takes says nothing of them.
    fn key_of(&self, id: &str, now: Instant) -> Option<String> {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.get(id).filter(|session| session.until > now).map(|session| session.key_id.clone())
    }

    /// Ends a session.
    pub(crate) fn end(&self, id: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

/// Refuses who may not do what needs this scope; the key of who may, where one is needed.
///
/// # Errors
/// [`Problem`]: no key, one that does not hold, or one of a narrower scope.
pub(crate) async fn authorise(
    app: &Arc<App>,
    needed: Scope,
    shown: Credential,
) -> Result<Option<wire::ApiKey>, Problem> {
    let needed = match needed {
        Scope::Open => return Ok(None),
        Scope::Read => wire::Scope::Read,
        Scope::Write => wire::Scope::Write,
        Scope::Admin => wire::Scope::Admin,
    };
    let found = match shown {
        Credential::Nothing => return Err(Problem::of(&NO_KEY, "the request names no key")),
        Credential::Key(key) => {
            of_key(app, key).await?.ok_or_else(|| Problem::of(&NO_KEY, "the key is none that holds"))?
        }
        Credential::Session(id) => {
            let ended = || Problem::of(&NO_KEY, "the session has ended").hint("sign in again");
            let key_id = app.sessions.key_of(&id, Instant::now()).ok_or_else(ended)?;
            with_store(&app.host, move |store| keys::holds(store, &key_id)).await?.ok_or_else(ended)?
        }
    };
    if found.scope.covers(needed) {
        return Ok(Some(found));
    }
    let what = format!("the key `{}` may {}, and this needs `{}`", found.name, found.scope.name(), needed.name());
    Err(Problem::of(&SCOPE, what))
}

/// Signs somebody in who has a key: the cookie to set.
///
/// # Errors
/// [`Problem`] where the key does not hold.
pub(crate) async fn sign_in(app: &Arc<App>, key: String) -> Result<HeaderValue, Problem> {
    let wrong = || Problem::of(&NO_KEY, "this is no key that holds").hint("`steadfast key create` makes one");
    let found = of_key(app, key).await?.ok_or_else(wrong)?;
    let host = Arc::clone(&app.host);
    let own = Arc::clone(&host);
    let id = keys::token(&calls::blocking(&host, move || own.random()).await?);
    let id = app.sessions.open(id, found.id, Instant::now());
    cookie(&id, SESSION_HOURS_MAX * 3600)
}

/// The cookie that ends a session in the browser.
///
/// # Errors
/// [`Problem`] never: what is written is our own.
pub(crate) fn sign_out() -> Result<HeaderValue, Problem> {
    cookie("", 0)
}

fn cookie(id: &str, seconds: u64) -> Result<HeaderValue, Problem> {
    HeaderValue::from_str(&format!("{COOKIE}={id}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict"))
        .map_err(|error| Problem::fault(error.to_string()))
}

async fn of_key(app: &Arc<App>, key: String) -> Result<Option<wire::ApiKey>, Problem> {
    Ok(with_store(&app.host, move |store| keys::check(store, key.trim())).await?)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderMap;

    use super::*;

    #[test]
    fn a_key_stands_behind_its_scheme() {
        let said = |text: &str| bearer(&HeaderValue::from_str(text).unwrap()).map(str::to_owned);
        assert_eq!(said("Bearer sfk_x").as_deref(), Some("sfk_x"));
        assert_eq!(said("bearer  sfk_x ").as_deref(), Some("sfk_x"));
        for none in ["sfk_x", "Basic sfk_x", "", "Bearer"] {
            assert_eq!(said(none), None, "{none}");
        }
        let long = |bytes: usize| said(&format!("Bearer {}", "x".repeat(bytes - "Bearer ".len())));
        assert!(long(HEADER_BYTES_MAX).is_some() && long(HEADER_BYTES_MAX + 1).is_none());
    }

    #[test]
    fn a_session_is_found_among_cookies() {
        let said = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, HeaderValue::from_str(text).unwrap());
            session(&headers).map(str::to_owned)
        };
        assert_eq!(said("a=b; steadfast_session=s1; c=d").as_deref(), Some("s1"));
        assert_eq!(said("xsteadfast_session=s1; b"), None);
    }

    #[test]
    fn sessions_end_by_time_by_number_and_by_word() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let hours = |hours: u64| now + Duration::from_secs(hours * 3600);
        sessions.open("first".to_owned(), "k1".to_owned(), now);
        assert_eq!(sessions.key_of("first", now).as_deref(), Some("k1"));
        assert!(sessions.key_of("first", hours(SESSION_HOURS_MAX - 1)).is_some());
        assert_eq!(sessions.key_of("first", hours(SESSION_HOURS_MAX)), None);
        assert_eq!(sessions.key_of("other", now), None);
        for number in 1..SESSIONS_MAX {
            sessions.open(number.to_string(), "k2".to_owned(), hours(1));
        }
        assert!(sessions.key_of("first", now).is_some());
        sessions.open("one more".to_owned(), "k3".to_owned(), hours(1));
        assert!(sessions.key_of("first", now).is_none() && sessions.key_of("one more", now).is_some());
        sessions.end("one more");
        assert!(sessions.key_of("one more", now).is_none());
    }
}
