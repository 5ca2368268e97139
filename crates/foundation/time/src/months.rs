//! Month names.

/// The month (1 to 12) that a capitalised name or abbreviation stands for. "may" and "march" in lower case are words.
pub(crate) fn month(word: &str) -> Option<i8> {
    Some(match word {
        "January" | "Jan" | "JAN" | "JANUARY" | "january" => 1,
        "February" | "Feb" | "FEB" | "FEBRUARY" | "february" => 2,
        "March" | "Mar" | "MAR" | "MARCH" => 3,
        "April" | "Apr" | "APR" | "APRIL" | "april" => 4,
        "May" | "MAY" => 5,
        "June" | "Jun" | "JUN" | "JUNE" | "june" => 6,
        "July" | "Jul" | "JUL" | "JULY" | "july" => 7,
        "August" | "Aug" | "AUG" | "AUGUST" => 8,
        "September" | "Sept" | "Sep" | "SEP" | "SEPT" | "SEPTEMBER" | "september" => 9,
        "October" | "Oct" | "OCT" | "OCTOBER" | "october" => 10,
        "November" | "Nov" | "NOV" | "NOVEMBER" | "november" => 11,
        "December" | "Dec" | "DEC" | "DECEMBER" | "december" => 12,
        _ => return None,
    })
}
