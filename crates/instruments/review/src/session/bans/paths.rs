//! Whether a path lies where the user named.

/// Whether `path` is the named file, or lies under the named folder. `src/auth` is not `src/authors`.
pub(super) fn is_under(named: &str, path: &str) -> bool {
    let clean =
        |text: &str| text.trim_start_matches("./").trim_end_matches(['/', '*']).trim_end_matches('/').to_lowercase();
    let (named, path) = (clean(named), clean(path));
    if named.is_empty() {
        return false;
    }
    if let Some(ending) = named.strip_prefix("*.") {
        return path.ends_with(&format!(".{ending}"));
    }
    // "the README" is the file whatever its ending.
    let last = path.rsplit('/').next().unwrap_or_default();
    if matches!(named.as_str(), "readme" | "license" | "changelog") && last.split('.').next() == Some(named.as_str()) {
        return true;
    }
    let padded = format!("/{path}/");
    padded.contains(&format!("/{}/", named.trim_start_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::is_under;

    #[test]
    fn folders_and_files() {
        assert!(is_under("src/auth", "/w/src/auth/login.ts"));
        assert!(is_under("migrations/", "db/migrations/0001.sql"));
        assert!(is_under("config.yml", "./config.yml"));
        assert!(is_under("README", "docs/README.md"));
        assert!(is_under("*.lock", "a/b.lock"));
        assert!(!is_under("src/auth", "src/authors/a.ts"));
        assert!(!is_under("a.py", "ba.py"));
    }
}
