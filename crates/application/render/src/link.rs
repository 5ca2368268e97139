//! Addresses of artefacts.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What stays as it is in a value within a text fragment, where `-`, `,` and `&` mean something too.
const IN_A_FRAGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'_').remove(b'~');

/// What stays as it is in a path.
const IN_A_PATH: &AsciiSet = &IN_A_FRAGMENT.remove(b'-').remove(b'/');

/// A file's name as a relative URI reference: what is neither unreserved nor `/` is percent-encoded, so no name can become
/// a scheme, a host, a query or a fragment.
pub(crate) fn relative_uri(file: &str) -> String {
    utf8_percent_encode(file.trim_start_matches('/'), IN_A_PATH).to_string()
}

/// Text as a value within a text fragment (`#:~:text=`).
pub(crate) fn fragment_value(text: &str) -> String {
    utf8_percent_encode(text, IN_A_FRAGMENT).to_string()
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
