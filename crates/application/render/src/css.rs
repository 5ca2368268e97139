//! The looks of parts of results, for pages that are not these reports.

/// A style sheet for the parts of results on another page: the looks of the reports, for what stands within an element of class `result`,
/// and for nothing outside of it. The page says the colours, as custom properties: `--paper`, `--panel`, `--ink`, `--muted`, `--line`,
/// `--accent`, `--mark`, `--mark-ink`, `--s1` to `--s4` for severities and `--ok`, these five with a ground ending in `-bg`.
pub const RESULT_CSS: &str = concat!(
    "@scope (.result){\n",
    include_str!("../templates/report.css"),
    include_str!("../templates/plan.css"),
    include_str!("../templates/watch.css"),
    include_str!("../templates/part.css"),
    "}\n"
);

#[cfg(test)]
mod tests {
    use super::RESULT_CSS;

    #[test]
    fn looks_of_parts_stay_within_them() {
        assert!(RESULT_CSS.starts_with("@scope (.result){\n") && RESULT_CSS.contains(".day .fails"));
        assert_eq!(RESULT_CSS.matches('{').count(), RESULT_CSS.matches('}').count());
        assert!(!RESULT_CSS.contains("url(") && !RESULT_CSS.contains("@import"));
    }
}
