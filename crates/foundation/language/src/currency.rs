//! Currencies.

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

/// ISO 4217 codes that are read. Codes that are English words in capitals (ALL, TOP, CUP, MOP, …) are left out.
const CODES: [&str; 64] = [
    "AED", "ARS", "AUD", "BDT", "BGN", "BHD", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CRC", "CZK", "DKK", "DOP",
    "DZD", "EGP", "ETB", "EUR", "GBP", "GHS", "HKD", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JOD", "JPY",
    "KES", "KRW", "KWD", "KZT", "LKR", "MAD", "MXN", "MYR", "NGN", "NOK", "NPR", "NZD", "OMR", "PEN", "PHP", "PKR",
    "PLN", "QAR", "RON", "RSD", "RUB", "SAR", "SEK", "SGD", "THB", "TND", "TWD", "UAH", "USD", "UYU", "VND", "ZAR",
];

/// The ISO currency whose code `word` is, in capitals; a few common ones in lower case too.
pub(crate) fn from_code(word: &str) -> Option<Currency> {
    if word.len() != 3 {
        return None;
    }
    let word = match word {
        "usd" | "eur" | "gbp" | "dkk" | "sek" | "nok" | "hkd" | "Eur" => &word.to_ascii_uppercase(),
        "RMB" => "CNY",
        "TRY" => return Some(Currency::Iso("TRY")),
        other => other,
    };
    CODES.binary_search(&word).ok().map(|index| Currency::Iso(CODES[index]))
}

/// The currency of a sign on its own.
pub(crate) fn from_sign(sign: char) -> Option<Currency> {
    Some(match sign {
        '$' => Currency::Dollar,
        '€' => Currency::Iso("EUR"),
        '£' => Currency::Iso("GBP"),
        '¥' => Currency::Iso("JPY"),
        '₹' => Currency::Iso("INR"),
        '₽' => Currency::Iso("RUB"),
        '₩' => Currency::Iso("KRW"),
        '₺' => Currency::Iso("TRY"),
        '₪' => Currency::Iso("ILS"),
        '₫' => Currency::Iso("VND"),
        '₴' => Currency::Iso("UAH"),
        '₦' => Currency::Iso("NGN"),
        '฿' => Currency::Iso("THB"),
        '₱' => Currency::Iso("PHP"),
        _ => return None,
    })
}

/// The currency of letters directly before `$`: "US", "HK", "A", …
pub(crate) fn from_dollar_prefix(word: &str) -> Option<Currency> {
    Some(Currency::Iso(match word {
        "US" | "USD" => "USD",
        "HK" | "HKD" => "HKD",
        "A" | "AU" | "AUD" => "AUD",
        "C" | "CA" | "CAD" | "CDN" => "CAD",
        "NZ" | "NZD" => "NZD",
        "S" | "SG" | "SGD" => "SGD",
        "NT" | "TWD" => "TWD",
        "R" => "BRL",
        "MX" => "MXN",
        _ => return None,
    }))
}

/// The currency that a word names after an amount, and the size of its unit in hundredths: "dollars", "cents".
pub(crate) fn from_word(word: &str) -> Option<(Currency, i64)> {
    let mut buffer = [0; 9];
    let word = steadfast_time::numeral::lower(word, &mut buffer)?;
    Some(match word {
        "dollar" | "dollars" => (Currency::Dollar, 100),
        "euro" | "euros" => (Currency::Iso("EUR"), 100),
        "kr" | "krone" | "kroner" | "kronor" | "krona" => (Currency::Krone, 100),
        "yen" => (Currency::Iso("JPY"), 100),
        "rupee" | "rupees" => (Currency::Iso("INR"), 100),
        "yuan" | "renminbi" => (Currency::Iso("CNY"), 100),
        "sterling" => (Currency::Iso("GBP"), 100),
        "cent" | "cents" => (Currency::Unknown, 1),
        _ => return None,
    })
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
