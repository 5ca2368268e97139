//! Whether a passage says as narrowly, and as often, what an obligation asks.

use std::sync::LazyLock;

use steadfast_steps::Regex;

/// Words that narrow what is asked, and those that say the same in a passage: one without any of them says something wider. "From", "by" and "then" narrow nothing by
/// themselves.
const NARROWING: [(&[&str], &[&str]); 6] = [
    (NEGATIONS, NEGATIONS),
    (&["only", "just", "solely"], &["only", "just", "solely", "exclusively", "alone", "nothing but"]),
    (
        &["if", "when", "whenever"],
        &["if", "when", "whenever", "where", "unless", "provided", "otherwise", "in case", "until", "once"],
    ),
    (&["except"], &["except", "but", "other than", "apart", "excluding", "besides"]),
    (&["before"], &["before", "prior", "ahead", "until", "by", "first"]),
    (&["after"], &["after", "behind", "following", "once", "since", "from", "then"]),
];

const NEGATIONS: &[&str] = &[
    "not", "no", "never", "nobody", "none", "nothing", "without", "don't", "doesn't", "isn't", "aren't", "won't",
    "cannot", "can't", "neither", "nor",
];

/// How often something is to be: "twice a week", "three times"; "once" where it is no conjunction.
static HOW_OFTEN: LazyLock<Regex> = LazyLock::new(|| {
    let source = r"(?i)\b(?:twice|thrice|(?:[0-9]+|two|three|four|five|six) times|once(?:\W*$|\s*[,.;)]| (?:only|and|not|in)\b))";
    steadfast_annotate::pattern(source).expect("a constant pattern compiles")
});

/// Whether a passage says as often as is asked. What is to be there once is not shown by one place where it is.
pub(super) fn is_as_often(asked: &str, said: &str) -> bool {
    let Some(found) = HOW_OFTEN.find(asked) else { return true };
    let often = found.as_str().to_lowercase();
    !often.starts_with("once") && said.to_lowercase().contains(&often)
}

/// Whether a passage has each kind of word by which an obligation narrows itself.
pub(super) fn narrows_as_much(asked: &str, said: &str) -> bool {
    let joined = |text: &str| {
        let low = text.to_lowercase().replace('’', "'");
        let words: Vec<&str> =
            low.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|it| !it.is_empty()).collect();
        format!(" {} ", words.join(" "))
    };
    let (asked, said) = (joined(asked), joined(said));
    let has = |text: &str, all: &[&str]| all.iter().any(|word| text.contains(&format!(" {word} ")));
    NARROWING.iter().all(|(asks, says)| !has(&asked, asks) || has(&said, says))
}
