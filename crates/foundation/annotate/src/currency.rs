//! Currencies.

use crate::lexicon::{self, Class};

/// The currency of an amount, as far as the text says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Currency {
    /// An ISO 4217 code.
    Iso(&'static str),
    /// A bare `$` or "dollars": US dollars by convention, which the text does not say.
    Dollar,
    /// A bare "kr" or "kroner": Danish, Norwegian, Swedish or Icelandic.
    Krone,
    /// Money of a currency that is not said ("20 cents").
    Unknown,
}

impl Currency {
    /// The ISO code, or `$`, `kr`, `?` where the text leaves it open.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Iso(code) => code,
            Self::Dollar => "$",
            Self::Krone => "kr",
            Self::Unknown => "?",
        }
    }

    /// The currency that [`code`](Self::code) gives for it.
    fn coded(code: &'static str) -> Self {
        match code {
            "$" => Self::Dollar,
            "kr" => Self::Krone,
            "?" => Self::Unknown,
            code => Self::Iso(code),
        }
    }

    /// Whether amounts of the two may be set against each other: the same currency, `$` and US dollars, "kr" and a
    /// Nordic crown. What is not said matches only itself.
    #[must_use]
    pub fn matches(self, other: Self) -> bool {
        let crown = |code| matches!(code, "DKK" | "NOK" | "SEK" | "ISK");
        match (self, other) {
            (Self::Dollar, Self::Iso(code)) | (Self::Iso(code), Self::Dollar) => code == "USD",
            (Self::Krone, Self::Iso(code)) | (Self::Iso(code), Self::Krone) => crown(code),
            _ => self == other,
        }
    }
}

/// The ISO currency whose code `word` is, in capitals; a few common ones in lower case too.
pub(crate) fn from_code(word: &str) -> Option<Currency> {
    if word.len() != 3 {
        return None;
    }
    lexicon::lemma(Class::CurrencyCode, word).map(Currency::Iso)
}

/// The currency of a sign on its own.
pub(crate) fn from_sign(sign: char) -> Option<Currency> {
    let mut buffer = [0; 4];
    lexicon::lemma(Class::CurrencySign, sign.encode_utf8(&mut buffer)).map(Currency::coded)
}

/// The currency of letters directly before `$`: "US", "HK", "A", …
pub(crate) fn from_dollar_prefix(word: &str) -> Option<Currency> {
    lexicon::lemma(Class::DollarPrefix, word).map(Currency::Iso)
}

/// The currency that a word names after an amount, and the size of its unit in hundredths: "dollars", "cents".
pub(crate) fn from_word(word: &str) -> Option<(Currency, i64)> {
    let mut buffer = [0; 9];
    let word = steadfast_time::numeral::lower(word, &mut buffer)?;
    let coin = || lexicon::lemma(Class::CoinWord, word).map(|code| (Currency::coded(code), 1));
    lexicon::lemma(Class::CurrencyWord, word).map(|code| (Currency::coded(code), 100)).or_else(coin)
}

/// The currency of an adjective and a word: "US dollars", "Hong Kong dollars", "Danish kroner", "Swiss francs".
pub(crate) fn from_adjective(adjective: &str, word: &str) -> Option<Currency> {
    let dollars = matches!(word, "dollar" | "dollars" | "Dollars");
    let crowns = matches!(word, "kroner" | "krone" | "kronor" | "krona");
    Some(Currency::Iso(match adjective {
        "US" | "American" if dollars => "USD",
        "Kong" if dollars => "HKD",
        "Australian" if dollars => "AUD",
        "Canadian" if dollars => "CAD",
        "Singapore" if dollars => "SGD",
        "Danish" if crowns => "DKK",
        "Swedish" if crowns => "SEK",
        "Norwegian" if crowns => "NOK",
        "Swiss" if matches!(word, "francs" | "franc") => "CHF",
        "British" | "pounds" if matches!(word, "pounds" | "pound" | "sterling") => "GBP",
        _ => return None,
    }))
}
