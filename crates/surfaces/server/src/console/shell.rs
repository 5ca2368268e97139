//! What all pages share: the frame around them, the way to the store, what a browser may do with them.

use std::sync::Arc;

use askama::Template;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use steadfast_engine::EngineError;
use steadfast_engine::calls::{self, Refusal};
use steadfast_engine::store::Keep;

use super::assets;
use crate::app::App;
use crate::problem::Problem;

/// What a page may load and do: its own files, and forms that go back to where it came from.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'; report-uri /csp-report";

/// Said with every page, besides its policy. With another referrer policy a browser would leave out the origin of its forms.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
];

/// The parts of the console, as its navigation names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Overview,
    Runs,
    Pick,
    Plan,
    Watch,
    Review,
    Audit,
    Vault,
    Settings,
    Help,
}

impl Section {
    /// Its name.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Runs => "Runs",
            Self::Pick => "Pick",
            Self::Plan => "Plan",
            Self::Watch => "Watch",
            Self::Review => "Review",
            Self::Audit => "Audit",
            Self::Vault => "Vault",
            Self::Settings => "Settings",
            Self::Help => "Help",
        }
    }

    const fn icon(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Runs => "runs",
            Self::Pick => "pick",
            Self::Plan => "plan",
            Self::Watch => "watch",
            Self::Review => "review",
            Self::Audit => "audit",
            Self::Vault => "vault",
            Self::Settings => "settings",
            Self::Help => "help",
        }
    }

    /// Its first page.
    pub(crate) const fn href(self) -> &'static str {
        match self {
            Self::Overview => "/",
            Self::Runs => "/runs",
            Self::Pick => "/pick",
            Self::Plan => "/plan",
            Self::Watch => "/watch",
            Self::Review => "/review",
            Self::Audit => "/audit",
            Self::Vault => "/vault",
            Self::Settings => "/settings",
            Self::Help => "/help",
        }
    }

    /// The section that shows the runs of a verb (`plan check`).
    pub(crate) fn of_verb(verb: &str) -> Self {
        match verb.split(' ').next().unwrap_or_default() {
            "pick" => Self::Pick,
            "plan" => Self::Plan,
            "watch" => Self::Watch,
            "review" | "session" => Self::Review,
            "audit" => Self::Audit,
            _ => Self::Runs,
        }
    }
}

/// The navigation: the instruments in the order in which a piece of work meets them.
const NAVIGATION: [(&str, &[Section]); 3] = [
    ("", &[Section::Overview, Section::Runs]),
    ("Instruments", &[Section::Pick, Section::Plan, Section::Watch, Section::Review, Section::Audit]),
    ("Workshop", &[Section::Vault, Section::Settings, Section::Help]),
];

/// A group of the navigation.
pub(crate) struct NavGroup {
    pub(crate) label: &'static str,
    pub(crate) items: Vec<NavItem>,
}

/// A link of the navigation.
pub(crate) struct NavItem {
    pub(crate) label: &'static str,
    pub(crate) href: &'static str,
    pub(crate) icon: &'static str,
    pub(crate) current: bool,
}

/// A page above this one.
#[derive(Clone, Debug)]
pub(crate) struct Crumb {
    pub(crate) label: String,
    pub(crate) href: String,
}

/// A link among tabs.
#[derive(Clone, Debug)]
pub(crate) struct Tab {
    pub(crate) label: &'static str,
    pub(crate) href: String,
    /// What stands behind its label; empty for nothing.
    pub(crate) count: String,
    pub(crate) current: bool,
}

/// What every page has around its own content. A template of a page has it as `page`, and extends `base.html`.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// What the page is, as its heading and in the title of its window.
    pub(crate) title: String,
    pub(crate) section: Section,
    /// The pages above it, the outermost first.
    pub(crate) crumbs: Vec<Crumb>,
    /// A sentence below the heading; may be empty.
    pub(crate) lead: String,
    /// Where the same is to be had as JSON.
    pub(crate) json: Option<String>,
    /// Why what was asked for was not done; what was typed stays.
    pub(crate) trouble: Option<Problem>,
    /// What was just done.
    pub(crate) done: Option<String>,
    /// Style sheets of its own, besides those of all pages.
    pub(crate) styles: &'static [&'static str],
    /// Scripts of its own.
    pub(crate) scripts: &'static [&'static str],
}

impl Page {
    /// A page of this title.
    pub(crate) fn new(section: Section, title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            section,
            crumbs: Vec::new(),
            lead: String::new(),
            json: None,
            trouble: None,
            done: None,
            styles: &["results.css", "instruments.css"],
            scripts: &["instruments.js"],
        }
    }

    /// Below this page.
    pub(crate) fn below(mut self, label: impl Into<String>, href: impl Into<String>) -> Self {
        self.crumbs.push(Crumb { label: label.into(), href: href.into() });
        self
    }

    /// Below the first page of its section.
    pub(crate) fn in_section(self) -> Self {
        let section = self.section;
        self.below(section.label(), section.href())
    }

    /// With a sentence below its heading.
    pub(crate) fn lead(self, lead: impl Into<String>) -> Self {
        Self { lead: lead.into(), ..self }
    }

    /// With an address of the same as JSON.
    pub(crate) fn json(self, href: impl Into<String>) -> Self {
        Self { json: Some(href.into()), ..self }
    }

    /// With why what was asked for was not done.
    pub(crate) fn trouble(self, trouble: Option<Problem>) -> Self {
        Self { trouble, ..self }
    }

    /// The address of an asset, which changes with what it holds.
    pub(crate) fn asset(&self, name: &str) -> String {
        assets::address(name)
    }

    pub(crate) fn is(&self, label: &str) -> bool {
        self.crumbs.is_empty() && self.section.label() == label
    }

    pub(crate) fn nav(&self) -> Vec<NavGroup> {
        let item = |section: &Section| NavItem {
            label: section.label(),
            href: section.href(),
            icon: section.icon(),
            current: *section == self.section,
        };
        let group = |(label, sections): &(&'static str, &[Section])| NavGroup {
            label,
            items: sections.iter().map(item).collect(),
        };
        NAVIGATION.iter().map(group).collect()
    }

    pub(crate) fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }
}

/// What templates do with values.
#[expect(unreachable_pub, reason = "the macro that makes filters makes them public")]
pub(crate) mod filters {
    use std::fmt::Display;

    /// Text of others, fit to be shown on one line: what acts unseen is shown as `⟨U+202E⟩`. It is escaped after that.
    #[askama::filter_fn]
    pub(crate) fn shown(text: impl Display, _: &dyn askama::Values) -> askama::Result<String> {
        Ok(steadfast_render::shown_line(&text.to_string(), usize::MAX))
    }

    /// As `shown`, and no longer than so many characters.
    #[askama::filter_fn]
    pub(crate) fn short(text: impl Display, _: &dyn askama::Values, chars_max: usize) -> askama::Result<String> {
        Ok(steadfast_render::shown_line(&text.to_string(), chars_max))
    }

    /// As `shown`, with the lines of the text kept: for `pre`.
    #[askama::filter_fn]
    pub(crate) fn block(text: impl Display, _: &dyn askama::Values) -> askama::Result<String> {
        Ok(steadfast_render::shown_block(&text.to_string()))
    }

    /// A moment of RFC 3339 in UTC as it is read: `2026-11-22 22:41:07`.
    #[askama::filter_fn]
    pub(crate) fn moment(rfc3339: impl Display, _: &dyn askama::Values) -> askama::Result<String> {
        let text = rfc3339.to_string();
        let moment = text.get(..19).filter(|head| head.as_bytes().get(10) == Some(&b'T'));
        Ok(moment.map_or_else(|| steadfast_render::shown_line(&text, 40), |head| head.replace('T', " ")))
    }

    /// A value as part of an address.
    #[askama::filter_fn]
    pub(crate) fn address(text: impl Display, _: &dyn askama::Values) -> askama::Result<String> {
        Ok(super::encoded(&text.to_string()))
    }
}

/// What stays as it is in an address: RFC 3986, section 2.3.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A value as part of an address.
pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

/// An address with these values behind its `?`; those that are empty are left out.
pub(crate) fn with_query(path: &str, values: &[(&str, &str)]) -> String {
    let given = values.iter().filter(|(_, value)| !value.is_empty());
    let pairs: Vec<String> = given.map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    if pairs.is_empty() { path.to_owned() } else { format!("{path}?{}", pairs.join("&")) }
}

/// A page as an answer.
///
/// # Errors
/// [`Problem`] where its template fails.
pub(crate) fn show(template: &impl Template) -> Result<Response, Problem> {
    show_as(StatusCode::OK, template)
}

/// A page as an answer of this status.
///
/// # Errors
/// [`Problem`] where its template fails.
pub(crate) fn show_as(status: StatusCode, template: &impl Template) -> Result<Response, Problem> {
    let html = template.render().map_err(|error| fault(&error))?;
    Ok((status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response())
}

/// Why a page cannot be made, which is a fault of ours.
pub(crate) fn fault(error: &dyn std::fmt::Display) -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the page cannot be made", error.to_string())
}

/// A text that was typed in; `None` where it is empty.
pub(crate) fn non_empty(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

/// On to another page, which is asked for by `GET`: what a form is answered with once it was done.
pub(crate) fn go(to: &str) -> Response {
    // Addresses are ours, with what is of others percent-encoded in them.
    let to = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response()
}

/// Reads or writes what the server keeps, off the threads that await.
///
/// # Errors
/// [`Problem`] where it keeps nothing, where what is asked for is not there, or where the store fails.
pub(crate) async fn kept<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&dyn Keep) -> Result<T, EngineError> + Send + 'static,
) -> Result<T, Problem> {
    let host = Arc::clone(&app.host);
    let store = calls::store(&*host)?;
    let worked = calls::blocking(&host, move || Ok(work(&*store))).await?;
    worked.map_err(|error| match error {
        EngineError::NoRun(_) | EngineError::NoTask(_) | EngineError::NoSession(_) => {
            Problem::new(StatusCode::NOT_FOUND, "there is no such thing", error.to_string())
        }
        error => Problem::from(Refusal::from(error)),
    })
}

/// By which name the server was called, for commands that a page shows.
pub(crate) fn host_of(headers: &HeaderMap) -> String {
    headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("127.0.0.1:8787").to_owned()
}

/// Whether the server keeps anything.
pub(crate) fn keeps(app: &App) -> bool {
    app.host.store().is_some()
}

/// A response with what has to be said of pages, where it is one.
pub(crate) fn guarded(mut response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_page = kind.starts_with("text/html");
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if is_page {
        for (name, value) in HEADERS {
            // A report that is a page of its own says what it may load itself; the rest is said for every page alike.
            if name == header::CONTENT_SECURITY_POLICY {
                headers.entry(name).or_insert(HeaderValue::from_static(value));
            } else {
                headers.insert(name, HeaderValue::from_static(value));
            }
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use super::{encoded, with_query};

    #[test]
    fn values_of_addresses_are_encoded() {
        assert_eq!(encoded("a-b._~9"), "a-b._~9");
        assert_eq!(encoded("a b/ü\n\"<"), "a%20b%2F%C3%BC%0A%22%3C");
        assert_eq!(with_query("/runs", &[("verb", ""), ("text", "a&b=c")]), "/runs?text=a%26b%3Dc");
        assert_eq!(with_query("/runs", &[("verb", "")]), "/runs");
    }
}
