//! Which form of an answer a client takes.

use axum::http::{HeaderMap, header};

use crate::problem::Problem;
use crate::problem::kinds::NOT_ACCEPTABLE;
use crate::routes::Gives;

/// Refuses a request that takes none of the forms which a route gives.
pub(crate) fn check(headers: &HeaderMap, gives: &[Gives]) -> Result<(), Problem> {
    if gives.is_empty() || gives.iter().any(|own| takes(headers, own.media)) {
        return Ok(());
    }
    let forms: Vec<&str> = gives.iter().map(|own| own.media).collect();
    Err(Problem::of(&NOT_ACCEPTABLE, format!("`Accept` names none of {}", forms.join(", "))))
}

/// Whether a client takes a form: the range that fits it most closely decides, and what is not said is taken.
pub(crate) fn takes(headers: &HeaderMap, media: &str) -> bool {
    let mut best: Option<(u8, bool)> = None;
    let mut any = false;
    for value in headers.get_all(header::ACCEPT) {
        for range in value.to_str().unwrap_or_default().split(',') {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            if name.is_empty() {
                continue;
            }
            any = true;
            let wanted = parts.all(|own| !own.strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0)));
            let kind = media.split('/').next().unwrap_or_default();
            let fits = match name.split_once('/') {
                Some(("*", "*")) => Some(0),
                Some((own, "*")) if own.eq_ignore_ascii_case(kind) => Some(1),
                _ if name.eq_ignore_ascii_case(media) => Some(2),
                _ => None,
            };
            if let Some(close) = fits.filter(|close| best.is_none_or(|(own, _)| *close >= own)) {
                best = Some((close, wanted));
            }
        }
    }
    !any || best.is_some_and(|(_, wanted)| wanted)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    #[track_caller]
    fn check(accept: &str, media: &str, expect: bool) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_str(accept).unwrap());
        assert_eq!(super::takes(&headers, media), expect, "{accept}");
    }

    #[test]
    fn the_closest_range_decides() {
        check("*/*", "application/json", true);
        check("application/*;q=0.1", "application/json", true);
        check("text/html, application/json;q=0.5", "application/json", true);
        check("text/html", "application/json", false);
        check("*/*, application/json;q=0", "application/json", false);
        check("*/*;q=0, application/json", "application/json", true);
        check("APPLICATION/JSON", "application/json", true);
        check("", "application/json", true);
        assert!(super::takes(&HeaderMap::new(), "application/json"));
    }
}
