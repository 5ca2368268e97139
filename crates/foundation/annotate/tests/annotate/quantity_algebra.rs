//! Comparing quantities, precision, hostile input, and numbers written and read back.

#![expect(clippy::unwrap_used, reason = "a test stops where its input does not read")]

use proptest::prelude::*;
use steadfast_annotate::{Bound, Quantity, Relation, Unit, comparable, quantities};
use steadfast_time::numeral::SIGNIFICANT_DIGITS_MAX;

fn one(text: &str) -> Quantity {
    let found = quantities(text);
    assert_eq!(found.len(), 1, "in {text:?}: {found:?}");
    found.into_iter().next().unwrap()
}

#[track_caller]
fn check(a: &str, b: &str, expect: Option<Relation>) {
    assert_eq!(comparable(&one(a), &one(b)), expect, "{a:?} against {b:?}");
}

#[test]
fn relations() {
    use Relation::{Above, Below, Equal, Overlaps, Within};
    check("DKK 1 million", "1,000,000 DKK", Some(Equal));
    check("€3.8 million", "€3,840,000", Some(Equal));
    check("€3.8 million", "€3.9 million", Some(Below));
    check("€3.80 million", "€3.84 million", Some(Below));
    check("1.05M DKK", "1 million DKK", Some(Above));
    check("≈ 200k DKK", "210,000 DKK", Some(Equal));
    check("≈ 200k DKK", "240,000 DKK", Some(Below));
    check("2.4 million EUR", "2 million EUR", Some(Above));
    check("US$5", "$5", Some(Equal));
    check("HK$5", "$5", None);
    check("5 kr", "5 DKK", Some(Equal));
    check("€5", "DKK 5", None);
    check("24 months", "2 years", Some(Equal));
    check("18–20 months", "2 years", Some(Below));
    check("19 months", "18–20 months", Some(Within));
    check("18–20 months", "19 months", Some(Overlaps));
    check("2 weeks", "14 days", Some(Equal));
    check("30 days", "1 month", Some(Equal));
    check("30 days", "2 months", Some(Below));
    check("within 60 days", "90 days", Some(Below));
    check("45 days", "within 60 days", Some(Within));
    check("at least 3 hubs", "five regional hubs", Some(Overlaps));
    check("five hubs", "at least 3 hubs", Some(Within));
    check("two hubs", "at least 3 hubs", Some(Below));
    check("5 hubs", "5 vendors", None);
    check("one hub", "1 hub", Some(Equal));
    check("1000 users", "1010 users", Some(Below));
    check("20%", "20 percentage points", None);
    check("20%", "10–30%", Some(Within));
    check("5–15%", "10–30%", Some(Overlaps));
    check("€5,000 per month", "€5,000 per year", None);
    check("32 GB", "32 TB", None);
    check("Phase 2", "Phase 2", None);
    check("10x", "5x", Some(Above));
}

#[test]
fn precision_is_the_last_stated_digit() {
    let check = |text: &str, precision: &str| {
        assert_eq!(one(text).precision.normalize().to_string(), precision, "of {text:?}");
    };
    check("1.05M users", "10000");
    check("$1,181K", "1000");
    check("about 200 users", "100");
    check("200 users", "1");
    check("€3.8 million", "100000");
    check("0.80", "0.01");
    check("EUR 0.5–2.0 billion", "100000000");
    check("two hundred users", "100");
}

#[test]
fn parts_of_a_quantity() {
    let text = "We need at least 45–55 regional hubs now";
    let quantity = one(text);
    assert_eq!(quantity.bound, Bound::AtLeast);
    assert_eq!(&text[quantity.range.clone()], "at least 45–55 regional hubs");
    assert_eq!(&text[quantity.number_range.clone()], "45–55");
    let Unit::Count(counted) = quantity.unit else { panic!("a count") };
    assert_eq!(&text[counted.phrase], "regional hubs");
    assert_eq!(&text[counted.head], "hubs");
    assert_eq!(counted.stem, "hub");
}

#[test]
fn digits_beyond_the_limit_are_no_quantity() {
    let longest = "9".repeat(SIGNIFICANT_DIGITS_MAX);
    assert_eq!(quantities(&longest).len(), 1);
    assert!(quantities(&format!("{longest}9")).is_empty());
    assert!(quantities(&format!("{longest}9 million euros")).is_empty());
}

#[test]
fn long_input_is_read_in_one_pass() {
    // Each is a megabyte or more; a quadratic reader would take minutes.
    for piece in ["9", "1,", "1.", "1 ", "one ", "1-", "1/", "€", "about ", "5 to ", "2026-", "Q1 ", "((", "1:", "~"]
    {
        let text = piece.repeat(1_000_000 / piece.len());
        let found = quantities(&text);
        assert!(found.len() <= text.len());
    }
}

fn grouped(value: u64, separator: &str) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push_str(separator);
        }
        out.push(digit);
    }
    out
}

fn words(value: u64) -> String {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let below = |value: u64| SMALL[usize::try_from(value).unwrap()].to_owned();
    match value {
        0..20 => below(value),
        20..100 => {
            let tens = TENS[usize::try_from(value / 10).unwrap()];
            if value.is_multiple_of(10) { tens.to_owned() } else { format!("{tens}-{}", below(value % 10)) }
        }
        100..1000 => {
            let rest = value % 100;
            let head = format!("{} hundred", below(value / 100));
            if rest == 0 { head } else { format!("{head} and {}", words(rest)) }
        }
        _ => {
            let rest = value % 1000;
            let head = format!("{} thousand", words(value / 1000));
            if rest == 0 { head } else { format!("{head} {}", words(rest)) }
        }
    }
}

proptest! {
    #[test]
    fn grouped_numbers_are_read_back(value in 0_u64..1_000_000_000_000, style in 0_usize..4) {
        let number = grouped(value, ["", ",", "'", "\u{a0}"][style]);
        let quantity = one(&format!("EUR {number}"));
        prop_assert_eq!(quantity.low, rust_decimal::Decimal::from(value));
    }

    #[test]
    fn decimals_are_read_back(whole in 0_u64..1_000_000, cents in 0_u64..100) {
        let expect = rust_decimal::Decimal::new(i64::try_from(whole * 100 + cents).unwrap(), 2);
        prop_assert_eq!(one(&format!("€{}.{cents:02}", grouped(whole, ","))).low, expect);
        prop_assert_eq!(one(&format!("{whole}.{cents:02} EUR")).low, expect);
    }

    #[test]
    fn number_words_are_read_back(value in 2_u64..1_000_000) {
        let quantity = one(&format!("{} vendors", words(value)));
        prop_assert_eq!(quantity.low, rust_decimal::Decimal::from(value));
    }

    #[test]
    fn ranges_are_read_back(low in 1_u64..1_000, more in 1_u64..1_000, joint in "-|–| - | to ") {
        let quantity = one(&format!("${low}{joint}{} million", low + more));
        prop_assert_eq!(quantity.low, rust_decimal::Decimal::from(low * 1_000_000));
        prop_assert_eq!(quantity.high, rust_decimal::Decimal::from((low + more) * 1_000_000));
    }

    #[test]
    fn anything_reads_in_order_on_character_boundaries(text in "\\PC{0,80}") {
        in_order(&text);
    }

    #[test]
    fn pieces_of_quantities_read_in_order(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "1", "20", "2026", ",", ".", "-", "–", " ", " ", " ", "€", "$", "HK$", "DKK", "million", "k", "%", "to", "between",
                "and", "about", "at least", "month", "months", "March", "Q3", "half", "a", "of", "two", "hundred", "hubs", "\n",
                "(", ")", "/", ":", "±", "½", "~", "+", "or more", "Phase", "th", "x", "per", "é", "日",
            ]),
            0..30,
        )
    ) {
        in_order(&pieces.concat());
    }
}

fn in_order(text: &str) {
    let mut end = 0;
    for quantity in quantities(text) {
        assert!(quantity.range.start >= end, "overlap in {text:?}");
        assert!(!text[quantity.range.clone()].is_empty());
        assert!(quantity.range.start <= quantity.number_range.start && quantity.number_range.end <= quantity.range.end);
        assert!(!text[quantity.number_range.clone()].is_empty());
        assert!(quantity.low <= quantity.high || matches!(quantity.unit, Unit::Date(_)));
        end = quantity.range.end;
    }
}
