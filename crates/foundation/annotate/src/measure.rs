//! Units of measure, by their normal symbols.

use crate::lexicon::{self, Class};

/// The symbol of the unit that `word` names. `attached`: no blank between the number and the word.
pub(crate) fn measure(word: &str, attached: bool) -> Option<&'static str> {
    let plain = lexicon::lemma(Class::Measure, word);
    plain.or_else(|| if attached { lexicon::lemma(Class::MeasureAttached, word) } else { None })
}

/// The symbol of a unit in two words: "square metres", "cubic metres", "degrees Celsius", "sq ft".
pub(crate) fn measure_pair(first: &str, second: &str) -> Option<&'static str> {
    let squared = matches!(first, "square" | "sq" | "cubic" | "degree" | "degrees");
    if squared { lexicon::lemma(Class::Measure, &format!("{first} {second}")) } else { None }
}
