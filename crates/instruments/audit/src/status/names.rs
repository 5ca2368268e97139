//! Names and addresses of an obligation, which whatever keeps it must have.

use steadfast_annotate::is_given_name;

use crate::details::can_name;

/// The names of people, places and things in a text, and its addresses, in small letters. Words in quotation marks are looked for elsewhere.
pub(super) fn of(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut begins = true;
    let mut quoted = false;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let bare = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("\u{2019}s")).unwrap_or(bare);
        let opens = word.starts_with(['"', '“', '(']);
        quoted |= word.starts_with(['"', '“']);
        let address = bare.contains('@') && bare.contains('.');
        let capital = bare.starts_with(char::is_uppercase)
            && bare.chars().count() > 2
            && bare.chars().skip(1).any(char::is_lowercase)
            && bare.chars().all(char::is_alphabetic);
        let low = bare.to_lowercase();
        let named = capital && can_name(&low) && (!(begins || opens) || is_given_name(bare));
        if (address || named) && !quoted {
            out.push(low);
        }
        quoted &= !word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']).ends_with(['"', '”']);
        begins = word.ends_with(['.', '!', '?', ':']);
    }
    out
}

#[cfg(test)]
mod cases {
    use super::of;

    #[test]
    fn names_and_addresses() {
        assert_eq!(of("Tom will deliver the photos by 20 March"), ["tom"]);
        assert_eq!(of("Mention that the Oakridge store moves on Tuesday"), ["oakridge"]);
        assert_eq!(of("Applications go to jobs@marlow.example by 15 July."), ["jobs@marlow.example"]);
        assert_eq!(of("Write it in English. Keep it short, and Anna's name out."), ["anna"]);
        assert!(of("End with \"Kind Regards, The Team\"").is_empty());
        assert!(of("Keep I'm and I'll as they are").is_empty());
    }
}
