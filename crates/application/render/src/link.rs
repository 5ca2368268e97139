//! Addresses of artefacts.

use std::fmt::Write as _;

/// A file's name as a relative URI reference: what is neither unreserved nor `/` is percent-encoded, so no name can become
/// a scheme, a host, a query or a fragment.
pub(crate) fn relative_uri(file: &str) -> String {
    percent_encoded(file.trim_start_matches('/'), |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/')
    })
}

/// Text as a value within a text fragment (`#:~:text=`), where `-`, `,` and `&` mean something too.
pub(crate) fn fragment_value(text: &str) -> String {
    percent_encoded(text, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~'))
}

fn percent_encoded(text: &str, stays: impl Fn(u8) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if stays(byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::{fragment_value, relative_uri};

    #[track_caller]
    fn check(file: &str, expected: &str) {
        assert_eq!(relative_uri(file), expected);
    }

    #[test]
    fn a_name_stays_a_name() {
        check("report.md", "report.md");
        check("a b/c#d?.md", "a%20b/c%23d%3F.md");
        check("javascript:alert(1)", "javascript%3Aalert%281%29");
        check("//evil.example/x", "evil.example/x");
        check("a\\b\"'<>", "a%5Cb%22%27%3C%3E");
        check("bånd.md", "b%C3%A5nd.md");
        check("50%.md", "50%25.md");
        assert_eq!(fragment_value("a-b, c&d"), "a%2Db%2C%20c%26d");
    }
}
