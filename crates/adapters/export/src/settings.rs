//! Where traces go, as their users know it from the official SDKs: by variables of the environment.

use std::fmt;
use std::path::PathBuf;

use percent_encoding::percent_decode_str;
use steadfast_net::Credential;

use crate::ExportError;

/// Opik in the cloud of its makers.
const OPIK_CLOUD_URL: &str = "https://www.comet.com/opik/api";

/// A collector on this machine, as the OpenTelemetry specification has it.
const OTLP_DEFAULT_URL: &str = "http://localhost:4318";

const OPIK: &str = "opik";
const OTLP: &str = "otlp";
const JSONL: &str = "jsonl";

/// Somewhere that traces go.
#[derive(Clone, Debug)]
pub enum Exporter {
    /// Lines of a file.
    Jsonl(PathBuf),
    /// Opik's REST API.
    Opik(Opik),
    /// OTLP over HTTP.
    Otlp(Otlp),
}

impl Exporter {
    /// Its name: `jsonl`, `opik`, `otlp`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Jsonl(_) => JSONL,
            Self::Opik(_) => OPIK,
            Self::Otlp(_) => OTLP,
        }
    }
}

/// An Opik server, and who asks it.
#[derive(Clone, Debug)]
pub struct Opik {
    /// The address of its API, without a slash at the end.
    pub url: String,
    /// The project that traces go to.
    pub project: String,
    /// The workspace.
    pub workspace: String,
    /// The key, where it asks for one. It is never shown.
    pub credentials: Vec<Credential>,
    /// The same, to be taken out of whatever the server says.
    pub(crate) secrets: Secrets,
}

/// A collector.
#[derive(Clone, Debug)]
pub struct Otlp {
    /// Where traces are posted to.
    pub url: String,
    /// What is known of the service that sends them, `service.name` among it.
    pub resource: Vec<(String, String)>,
    /// Headers, which may hold keys: none is ever shown.
    pub credentials: Vec<Credential>,
    /// Their values, to be taken out of whatever the collector says.
    pub(crate) secrets: Secrets,
}

/// Words that are shown nowhere, not even where a server repeats them.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<String>);

/// What is shorter is no secret, and stands in many words.
const SECRET_BYTES_MIN: usize = 4;

impl Secrets {
    /// The values, and what follows `Bearer` or `Basic` in them.
    fn of<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let mut words: Vec<String> = Vec::new();
        for value in values.map(str::trim) {
            let last = value.rsplit(' ').next().unwrap_or(value);
            for word in [value, last].into_iter().filter(|word| word.len() >= SECRET_BYTES_MIN) {
                words.push(word.to_owned());
            }
        }
        // The longer first, so that no half of one is left.
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        Self(words)
    }

    /// A text without them.
    pub(crate) fn hide(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, word| text.replace(word.as_str(), "[hidden]"))
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}

/// The exporter of a spelling: `jsonl:FILE`, `opik` or `otlp`. `variable` gives the value of a variable of the environment; one that is empty counts
/// as not set.
///
/// # Errors
/// [`ExportError::Unknown`], or [`ExportError::Setting`] where a variable is missing or cannot be used.
pub fn exporter(given: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Exporter, ExportError> {
    let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
    match given.split_once(':') {
        None if given == OPIK => Ok(Exporter::Opik(opik(&set)?)),
        None if given == OTLP => Ok(Exporter::Otlp(otlp(&set)?)),
        Some((JSONL, "")) | None if given.starts_with(JSONL) => {
            Err(setting(JSONL, "no file is named", "`jsonl:FILE` names one"))
        }
        Some((JSONL, "-")) => Err(setting(JSONL, "stdout is for results", "`jsonl:FILE` names a file")),
        Some((JSONL, file)) => Ok(Exporter::Jsonl(PathBuf::from(file))),
        _ => Err(ExportError::Unknown { given: given.to_owned() }),
    }
}

fn setting(exporter: &'static str, why: impl Into<String>, hint: &'static str) -> ExportError {
    ExportError::Setting { exporter, why: why.into(), hint }
}

fn opik(set: &dyn Fn(&str) -> Option<String>) -> Result<Opik, ExportError> {
    let key = set("OPIK_API_KEY");
    let url = match (set("OPIK_URL_OVERRIDE"), &key) {
        (Some(url), _) => address(OPIK, "OPIK_URL_OVERRIDE", &url)?,
        (None, Some(_)) => OPIK_CLOUD_URL.to_owned(),
        (None, None) => {
            return Err(setting(
                OPIK,
                "neither OPIK_URL_OVERRIDE nor OPIK_API_KEY is set",
                "OPIK_URL_OVERRIDE=http://localhost:5173/api is a server of one's own; OPIK_API_KEY and OPIK_WORKSPACE alone are for the cloud",
            ));
        }
    };
    let credentials = key.iter().map(|key| credential(OPIK, "OPIK_API_KEY", &url, "Authorization", key.trim()));
    let workspace = set("OPIK_WORKSPACE").unwrap_or_else(|| "default".to_owned());
    if workspace.bytes().any(|byte| !(0x20..0x7f).contains(&byte)) {
        return Err(setting(
            OPIK,
            "OPIK_WORKSPACE holds characters that no header can hold",
            "a workspace is named in ASCII",
        ));
    }
    Ok(Opik {
        secrets: Secrets::of(key.iter().map(String::as_str)),
        credentials: credentials.collect::<Result<_, _>>()?,
        project: set("OPIK_PROJECT_NAME").unwrap_or_else(|| "Default Project".to_owned()),
        workspace,
        url,
    })
}

fn otlp(set: &dyn Fn(&str) -> Option<String>) -> Result<Otlp, ExportError> {
    let protocol = set("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL").or_else(|| set("OTEL_EXPORTER_OTLP_PROTOCOL"));
    if protocol.is_some_and(|protocol| protocol != "http/protobuf") {
        return Err(setting(
            OTLP,
            "OTEL_EXPORTER_OTLP_PROTOCOL asks for another protocol than http/protobuf",
            "collectors take http/protobuf at port 4318",
        ));
    }
    let url = match set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") {
        Some(url) => address(OTLP, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", &url)?,
        None => {
            let base = set("OTEL_EXPORTER_OTLP_ENDPOINT").unwrap_or_else(|| OTLP_DEFAULT_URL.to_owned());
            address(OTLP, "OTEL_EXPORTER_OTLP_ENDPOINT", &base)? + "/v1/traces"
        }
    };
    let (name, headers) = ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"]
        .into_iter()
        .find_map(|name| Some((name, set(name)?)))
        .unwrap_or_default();
    let headers = pairs(&headers).ok_or_else(|| malformed(name))?;
    let credentials = headers.iter().map(|(header, value)| credential(OTLP, name, &url, header, value));
    let resource = pairs(&set("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default())
        .ok_or_else(|| malformed("OTEL_RESOURCE_ATTRIBUTES"))?;
    let said = |wanted: &str| resource.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
    let service = set("OTEL_SERVICE_NAME").or_else(|| said("service.name")).unwrap_or_else(|| "steadfast".to_owned());
    let own = ["service.name", "service.version"];
    let mut all = vec![
        (own[0].to_owned(), service),
        (own[1].to_owned(), said(own[1]).unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned())),
    ];
    all.extend(resource.into_iter().filter(|(name, _)| !own.contains(&name.as_str())));
    let secrets = Secrets::of(headers.iter().map(|(_, value)| value.as_str()));
    Ok(Otlp { secrets, credentials: credentials.collect::<Result<_, _>>()?, resource: all, url })
}

fn malformed(name: &str) -> ExportError {
    setting(OTLP, format!("{name} is no list of pairs"), "pairs are written as `name=value,name=value`")
}

/// An address without a slash at its end.
fn address(exporter: &'static str, name: &str, url: &str) -> Result<String, ExportError> {
    let url = url.trim();
    let refused =
        |why: &str| Err(setting(exporter, format!("{name} {why}"), "an address begins with `https://` or `http://`"));
    let Some(rest) = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")) else {
        return refused("is no address of a server");
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() || url.contains(|character: char| character.is_whitespace() || character.is_control()) {
        return refused("is no address of a server");
    }
    if authority.contains('@') || url.contains(['?', '#']) {
        return refused("holds a name, a password, a query or a fragment");
    }
    Ok(url.trim_end_matches('/').to_owned())
}

fn credential(
    exporter: &'static str,
    name: &str,
    url: &str,
    header: &str,
    value: &str,
) -> Result<Credential, ExportError> {
    // What the client says names the origin, never the value.
    Credential::new(url, header, value)
        .map_err(|error| setting(exporter, format!("{name}: {error}"), "look at its value: it is shown nowhere"))
}

/// `name=value,name=value` with percent-encoded values (W3C Baggage, as the OpenTelemetry specification has it).
fn pairs(list: &str) -> Option<Vec<(String, String)>> {
    let pairs = list.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=')?;
            let name = name.trim();
            (!name.is_empty()).then_some(())?;
            Some((name.to_owned(), decoded(value.trim())?))
        })
        .collect()
}

fn decoded(value: &str) -> Option<String> {
    let is_escape = |rest: &str| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    let text = percent_decode_str(value).decode_utf8().ok().filter(|_| value.split('%').skip(1).all(is_escape))?;
    Some(text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::{Exporter, exporter, pairs};

    fn of(given: &str, variables: &[(&str, &str)]) -> Result<Exporter, String> {
        let variable =
            |name: &str| variables.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
        exporter(given, &variable).map_err(|error| error.to_string())
    }

    #[test]
    fn exporters_are_told_by_their_names() {
        assert!(matches!(of("jsonl:a:b.jsonl", &[]), Ok(Exporter::Jsonl(file)) if file.to_str() == Some("a:b.jsonl")));
        for (given, said) in [
            ("", "`` is no exporter"),
            ("opik:x", "`opik:x` is no exporter"),
            ("OTLP", "`OTLP` is no exporter"),
            ("jsonl", "jsonl: no file is named"),
            ("jsonl:", "jsonl: no file is named"),
            ("jsonl:-", "jsonl: stdout is for results"),
            ("opik", "opik: neither OPIK_URL_OVERRIDE nor OPIK_API_KEY is set"),
        ] {
            assert_eq!(of(given, &[]).unwrap_err(), said, "{given}");
        }
    }

    #[test]
    fn opik_is_configured_as_its_users_know_it() {
        let Ok(Exporter::Opik(own)) = of("opik", &[("OPIK_URL_OVERRIDE", "http://localhost:5173/api/")]) else {
            panic!()
        };
        assert_eq!((own.url.as_str(), own.credentials.len()), ("http://localhost:5173/api", 0));
        assert_eq!((own.workspace.as_str(), own.project.as_str()), ("default", "Default Project"));
        let variables = [
            ("OPIK_API_KEY", " k \n"),
            ("OPIK_WORKSPACE", "w"),
            ("OPIK_PROJECT_NAME", "p"),
            ("OPIK_URL_OVERRIDE", " "),
        ];
        let Ok(Exporter::Opik(cloud)) = of("opik", &variables) else { panic!() };
        assert_eq!((cloud.url.as_str(), cloud.credentials.len()), ("https://www.comet.com/opik/api", 1));
        assert_eq!((cloud.workspace.as_str(), cloud.project.as_str()), ("w", "p"));
        for (url, said) in [
            ("localhost:5173", "opik: OPIK_URL_OVERRIDE is no address of a server"),
            ("ftp://a", "opik: OPIK_URL_OVERRIDE is no address of a server"),
            ("http://", "opik: OPIK_URL_OVERRIDE is no address of a server"),
            ("http://ann:secret@a", "opik: OPIK_URL_OVERRIDE holds a name, a password, a query or a fragment"),
            ("http://a/?key=secret", "opik: OPIK_URL_OVERRIDE holds a name, a password, a query or a fragment"),
        ] {
            assert_eq!(of("opik", &[("OPIK_URL_OVERRIDE", url)]).unwrap_err(), said);
        }
    }

    #[test]
    fn otlp_is_configured_as_its_users_know_it() {
        let of = |variables: &[(&str, &str)]| match of("otlp", variables) {
            Ok(Exporter::Otlp(own)) => Ok(own),
            Ok(_) => panic!(),
            Err(error) => Err(error),
        };
        let own = of(&[]).unwrap();
        assert_eq!(own.url, "http://localhost:4318/v1/traces");
        assert_eq!(own.resource[0], ("service.name".to_owned(), "steadfast".to_owned()));
        let own = of(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://a.example/otlp/"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "x-key=a%20b, x-more=1=2,"),
            ("OTEL_RESOURCE_ATTRIBUTES", "service.name=theirs,team=a%2Cb"),
        ])
        .unwrap();
        assert_eq!((own.url.as_str(), own.credentials.len()), ("https://a.example/otlp/v1/traces", 2));
        let named: Vec<(&str, &str)> = own.resource.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(
            named,
            [("service.name", "theirs"), ("service.version", env!("CARGO_PKG_VERSION")), ("team", "a,b")]
        );
        let own = of(&[
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://a/x"),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://b"),
            ("OTEL_SERVICE_NAME", "ours"),
            ("OTEL_RESOURCE_ATTRIBUTES", "service.name=theirs"),
        ])
        .unwrap();
        assert_eq!((own.url.as_str(), own.resource[0].1.as_str(), own.resource.len()), ("http://a/x", "ours", 2));
        for (name, value, said) in [
            (
                "OTEL_EXPORTER_OTLP_PROTOCOL",
                "grpc",
                "otlp: OTEL_EXPORTER_OTLP_PROTOCOL asks for another protocol than http/protobuf",
            ),
            ("OTEL_EXPORTER_OTLP_HEADERS", "secret", "otlp: OTEL_EXPORTER_OTLP_HEADERS is no list of pairs"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "a=%zz", "otlp: OTEL_EXPORTER_OTLP_HEADERS is no list of pairs"),
        ] {
            assert_eq!(of(&[(name, value)]).unwrap_err(), said);
        }
        let refused = of(&[("OTEL_EXPORTER_OTLP_HEADERS", "a=s3cr%0At")]).unwrap_err();
        assert!(refused.starts_with("otlp: OTEL_EXPORTER_OTLP_HEADERS: ") && !refused.contains("s3cr"), "{refused}");
    }

    #[test]
    fn pairs_are_read_or_refused() {
        assert_eq!(pairs("").unwrap(), []);
        assert!(pairs("=x").is_none() && pairs("a").is_none() && pairs("a=%2").is_none() && pairs("a=%ff").is_none());
    }
}
