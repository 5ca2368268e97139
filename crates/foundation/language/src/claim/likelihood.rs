//! How likely a phrase of estimation says that something is.

use crate::words::scan;

/// Words of estimation and the probability that they are meant to have. The anchors (certain, almost certain 93 %, probable 75 %,
/// about even 50 %, probably not 30 %, almost certainly not 7 %, impossible) are those of Kent, "Words of Estimative Probability"
/// (1964); the others stand between them in the order that he gives his synonyms, and were not fitted.
const WORDS: &[(&str, f64)] = &[
    ("impossible", 0.0),
    ("no chance", 0.01),
    ("zero chance", 0.0),
    ("almost no chance", 0.03),
    ("hardly any chance", 0.05),
    ("almost certainly not", 0.07),
    ("virtually impossible", 0.03),
    ("highly unlikely", 0.07),
    ("very unlikely", 0.08),
    ("extremely unlikely", 0.05),
    ("highly improbable", 0.07),
    ("very improbable", 0.08),
    ("little chance", 0.12),
    ("small chance", 0.15),
    ("slight chance", 0.13),
    ("slim chance", 0.10),
    ("chances are slight", 0.13),
    ("chances are slim", 0.10),
    ("improbable", 0.18),
    ("unlikely", 0.20),
    ("not likely", 0.20),
    ("doubtful", 0.22),
    ("we doubt", 0.23),
    ("i doubt", 0.23),
    ("probably not", 0.30),
    ("not probable", 0.25),
    ("may not", 0.40),
    ("might not", 0.42),
    ("could", 0.42),
    ("might", 0.40),
    ("may", 0.45),
    ("possible", 0.43),
    ("possibly", 0.43),
    ("perhaps", 0.45),
    ("maybe", 0.48),
    ("a chance", 0.40),
    ("about even", 0.50),
    ("even chance", 0.50),
    ("toss up", 0.50),
    ("fifty fifty", 0.50),
    ("better than even", 0.58),
    ("more likely than not", 0.60),
    ("fair chance", 0.55),
    ("we believe", 0.73),
    ("we think", 0.70),
    ("i believe", 0.73),
    ("i think", 0.70),
    ("likely", 0.74),
    ("probable", 0.75),
    ("probably", 0.75),
    ("expected", 0.77),
    ("good chance", 0.76),
    ("very good chance", 0.82),
    ("excellent chance", 0.86),
    ("very likely", 0.87),
    ("very probable", 0.86),
    ("very probably", 0.86),
    ("highly likely", 0.90),
    ("highly probable", 0.90),
    ("extremely likely", 0.92),
    ("almost certain", 0.93),
    ("almost certainly", 0.93),
    ("nearly certain", 0.93),
    ("virtually certain", 0.97),
    ("certain", 1.0),
    ("certainly", 0.99),
    ("definitely", 1.0),
    ("undoubtedly", 0.99),
    ("will not", 0.02),
    ("will", 0.98),
];

/// How likely the first phrase of estimation in `text` says that something is, 0 to 1: of phrases that begin at the same word the longest.
/// `None` where there is none.
///
/// ```
/// use steadfast_language::likelihood;
/// assert_eq!(likelihood("it is highly unlikely"), Some(0.07));
/// assert_eq!(likelihood("it is raining"), None);
/// ```
#[must_use]
pub fn likelihood(text: &str) -> Option<f64> {
    let tokens = scan(text);
    (0..tokens.len()).find_map(|at| {
        let longest = WORDS.iter().filter(|(phrase, _)| {
            let words = phrase.split(' ');
            let own = tokens[at..].iter().map(|token| token.low.as_ref()).filter(|word| *word != "-");
            words.clone().count() == words.zip(own).take_while(|(word, own)| word == own).count()
        });
        longest.max_by_key(|(phrase, _)| phrase.len()).map(|(_, share)| *share)
    })
}

#[cfg(test)]
mod tests {
    use super::{WORDS, likelihood};

    #[test]
    fn every_phrase_means_what_stands_beside_it() {
        for (phrase, share) in WORDS {
            assert_eq!(likelihood(&format!("so it is, {phrase}!")), Some(*share), "{phrase}");
            assert!((0.0..=1.0).contains(share), "{phrase}");
        }
        assert_eq!(likelihood("Fifty-fifty"), Some(0.5));
        assert_eq!(likelihood(""), None);
        assert_eq!(likelihood("nothing of the kind"), None);
    }
}
