//! Which words are acronyms.

/// Numerals that look like acronyms.
pub(crate) const ROMAN: &[&str] = &["II", "III", "IV", "VI", "VII", "VIII", "IX", "XI", "XII"];

/// Two to six capitals and digits, a plural s aside.
pub(crate) fn is_acronym(raw: &str) -> bool {
    let body = raw.strip_suffix("'s").or_else(|| raw.strip_suffix("\u{2019}s")).unwrap_or(raw);
    let body = body.strip_suffix('s').unwrap_or(body);
    let letters = body.chars().filter(|c| c.is_uppercase()).count();
    let plain: usize = body.chars().filter(|c| *c != '.').count();
    letters >= 2
        && (2..=6).contains(&plain)
        && body.chars().all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '.')
        && !ROMAN.contains(&body)
}
