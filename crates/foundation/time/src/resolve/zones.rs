//! Time zones that are said with a time.

use jiff::tz::{Offset, TimeZone};

use super::cue;
use super::lex::Lex;
use crate::expression::Zone;
use crate::scan::Kind;

/// Cities whose zone may be said: "Tokyo time", "New York time" has two words, three are the most.
const CITY_WORDS_MAX: usize = 3;

/// The name of a zone that stands in brackets after its offset has at most so many words.
const NAME_WORDS_MAX: usize = 5;

const REGIONS: &[&str] =
    &["Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian", "Antarctica"];

/// A zone at `at`, right after a clock time, and where it ends.
///
/// `iso` says that the time stands behind a date and a "T": only then is "-05:00" an offset and no end of a range.
pub(crate) fn zone_at(lex: &Lex<'_, '_>, at: usize, iso: bool) -> Option<(Zone, usize)> {
    let bracket = usize::from(lex.mark(at) == Some('('));
    let place = at + bracket;
    if !lex.near(place) {
        return None;
    }
    let (candidates, mut end) = offset_at(lex, place, iso)
        .or_else(|| iana(lex, place))
        .or_else(|| named(lex, place))
        .or_else(|| abbreviation(lex, place))
        .or_else(|| city(lex, place))?;
    if candidates.is_empty() {
        return None;
    }
    // "GMT+0900 (JST)", "GMT+0200 (Central European Summer Time)"
    let offset = lex.mark(place + 1).is_some_and(|mark| matches!(mark, '+' | '-'));
    if bracket == 0 && offset && lex.mark(end) == Some('(') && lex.near(end) {
        let words = (1..=NAME_WORDS_MAX).take_while(|ahead| lex.capital(end + ahead)).count();
        if words > 0 && lex.mark(end + words + 1) == Some(')') {
            end += words + 2;
        }
    }
    if bracket == 1 {
        if lex.mark(end) != Some(')') {
            return None;
        }
        end += 1;
    }
    Some((Zone { span: lex.tokens.range(at, end), candidates }, end))
}

fn fixed(minutes: i32) -> Vec<TimeZone> {
    Offset::from_seconds(minutes * 60).ok().map(TimeZone::fixed).into_iter().collect()
}

/// "UTC", "GMT+2", "UTC+5:45", "Z", and "+02:00" glued to the time.
fn offset_at(lex: &Lex<'_, '_>, at: usize, iso: bool) -> Option<(Vec<TimeZone>, usize)> {
    let word = lex.word(at);
    let mut place = at;
    match word {
        "utc" | "gmt" => place += 1,
        "z" if lex.glued(at) => return Some((fixed(0), at + 1)),
        "" if lex.glued(at) => {}
        // "09:00:00 +0100"
        "" if iso_like(lex, at) => {}
        _ => return None,
    }
    let negative = match lex.mark(place) {
        Some('+') => false,
        Some('-' | '−' | '–') => true,
        _ => return (!word.is_empty()).then(|| (fixed(0), place)),
    };
    if !lex.glued(place + 1) || !word.is_empty() && !lex.glued(place) {
        return (!word.is_empty()).then(|| (fixed(0), place));
    }
    let digits = lex.tokens.digits(place + 1)?;
    let value = lex.number(place + 1, 4)?;
    let mut end = place + 2;
    let minutes = if digits.len() == 4 {
        value / 100 * 60 + value % 100
    } else if lex.mark(end) == Some(':') && lex.glued(end) {
        let minutes = lex.number(end + 1, 2).filter(|minutes| *minutes < 60)?;
        end += 2;
        value * 60 + minutes
    } else {
        // "9:30-10" is a range; an offset without a name has minutes.
        if word.is_empty() {
            return None;
        }
        value * 60
    };
    if word.is_empty() && (digits.len() != 4 && end == place + 2) || minutes > 18 * 60 {
        return None;
    }
    if word.is_empty() && negative && !iso && !iso_like(lex, at) {
        return None;
    }
    let minutes = i32::try_from(minutes).ok()?;
    Some((fixed(if negative { -minutes } else { minutes }), end))
}

/// Whether a sign and four figures stand at `at`, one blank after a time with seconds: "09:00:00 +0100".
fn iso_like(lex: &Lex<'_, '_>, at: usize) -> bool {
    let Some(second) = at.checked_sub(1) else { return false };
    let figures = |at: usize, length: usize| lex.tokens.digits(at).is_some_and(|digits| digits.len() == length);
    matches!(lex.mark(at), Some('+' | '-' | '−'))
        && lex.glued(at + 1)
        && figures(at + 1, 4)
        && figures(second, 2)
        && second >= 4
        && lex.mark(second - 1) == Some(':')
        && lex.mark(second - 3) == Some(':')
}

/// "America/Toronto"
fn iana(lex: &Lex<'_, '_>, at: usize) -> Option<(Vec<TimeZone>, usize)> {
    if lex.mark(at + 1) != Some('/') || !lex.glued(at + 1) || !lex.glued(at + 2) {
        // "America/New_York" is one token after the slash, "Asia/Ho_Chi_Minh" too.
        return None;
    }
    let end = at + 3;
    let span = lex.tokens.range(at, end);
    let name = lex.tokens.text.get(span)?;
    if !REGIONS.iter().any(|region| name.starts_with(region)) {
        return None;
    }
    Some((TimeZone::get(name).ok().into_iter().collect(), end))
}

/// "Eastern time", "Pacific Standard Time", "Central European Time".
fn named(lex: &Lex<'_, '_>, at: usize) -> Option<(Vec<TimeZone>, usize)> {
    let (name, mut next) = match lex.word(at) {
        "eastern" => ("America/New_York", at + 1),
        "central" if lex.is(at + 1, "european") => ("Europe/Berlin", at + 2),
        "central" => ("America/Chicago", at + 1),
        "mountain" => ("America/Denver", at + 1),
        "pacific" => ("America/Los_Angeles", at + 1),
        "atlantic" => ("America/Halifax", at + 1),
        "alaska" => ("America/Anchorage", at + 1),
        "hawaii" => ("Pacific/Honolulu", at + 1),
        "british" => ("Europe/London", at + 1),
        "indian" | "india" => ("Asia/Kolkata", at + 1),
        "japan" => ("Asia/Tokyo", at + 1),
        "nepal" => ("Asia/Kathmandu", at + 1),
        "china" => ("Asia/Shanghai", at + 1),
        "uk" => ("Europe/London", at + 1),
        _ => return None,
    };
    next += usize::from(matches!(lex.word(next), "standard" | "daylight" | "summer"));
    // "9am Eastern", with nothing after it that would be called so
    let alone = matches!(lex.word(at), "eastern" | "central" | "mountain" | "pacific")
        && next == at + 1
        && lex.capital(at)
        && (cue::clause_ends_hard(lex, next) || cue::is_time_word(lex, next));
    if alone {
        return Some((TimeZone::get(name).ok().into_iter().collect(), next));
    }
    if !matches!(lex.word(next), "time" | "timezone") {
        return None;
    }
    Some((TimeZone::get(name).ok().into_iter().collect(), next + 1))
}

/// Abbreviations in capitals, or in lower case where they are no words. Where one is used for more than one zone, or loosely
/// for the summer as well, all are given.
fn abbreviation(lex: &Lex<'_, '_>, at: usize) -> Option<(Vec<TimeZone>, usize)> {
    let word = lex.word(at);
    let capital = lex.tokens.word(at).bytes().all(|byte| byte.is_ascii_uppercase());
    if !capital
        && !matches!(word, "pst" | "pdt" | "est" | "edt" | "cst" | "cdt" | "mst" | "mdt" | "cet" | "cest" | "ist")
    {
        return None;
    }
    // (fixed minutes, zones of which it is said)
    let (minutes, zones): (&[i32], &[&str]) = match word {
        "et" => (&[], &["America/New_York"]),
        "ct" => (&[], &["America/Chicago"]),
        "mt" => (&[], &["America/Denver"]),
        "pt" => (&[], &["America/Los_Angeles"]),
        "est" => (&[-300], &["America/New_York"]),
        "edt" => (&[-240], &[]),
        "cst" => (&[-360, 480], &["America/Chicago"]),
        "cdt" => (&[-300], &[]),
        "mst" => (&[-420], &["America/Denver"]),
        "mdt" => (&[-360], &[]),
        "pst" => (&[-480], &["America/Los_Angeles"]),
        "pdt" => (&[-420], &[]),
        "akst" => (&[-540], &["America/Anchorage"]),
        "hst" => (&[-600], &[]),
        "ast" => (&[-240, 180], &[]),
        "cet" => (&[60], &["Europe/Berlin"]),
        "cest" => (&[120], &[]),
        "eet" => (&[120], &["Europe/Helsinki"]),
        "eest" => (&[180], &[]),
        "wet" => (&[0], &["Europe/Lisbon"]),
        "bst" => (&[60, 360], &[]),
        "msk" => (&[180], &[]),
        "ist" => (&[330, 120, 60], &[]),
        "npt" => (&[345], &[]),
        "sgt" | "hkt" | "awst" => (&[480], &[]),
        "jst" | "kst" => (&[540], &[]),
        "acdt" => (&[630], &[]),
        "acst" => (&[570], &["Australia/Adelaide"]),
        "acwst" => (&[525], &[]),
        "aest" => (&[600], &["Australia/Sydney"]),
        "aedt" => (&[660], &[]),
        "nzst" => (&[720], &["Pacific/Auckland"]),
        "nzdt" => (&[780], &[]),
        _ => return None,
    };
    let mut all: Vec<TimeZone> = minutes.iter().flat_map(|minutes| fixed(*minutes)).collect();
    all.extend(zones.iter().filter_map(|name| TimeZone::get(name).ok()));
    Some((all, at + 1))
}

/// "Tokyo time", "New York time": a city that has a zone of its own in the database.
fn city(lex: &Lex<'_, '_>, at: usize) -> Option<(Vec<TimeZone>, usize)> {
    let count = (1..=CITY_WORDS_MAX).find(|count| lex.is(at + count, "time"))?;
    let mut name = String::new();
    for index in at..at + count {
        let token = lex.tokens.get(index)?;
        if token.kind != Kind::Word || !lex.capital(index) || token.end - token.start > 20 {
            return None;
        }
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(lex.tokens.str(index));
    }
    let zone = REGIONS.iter().find_map(|region| TimeZone::get(&format!("{region}/{name}")).ok())?;
    Some((vec![zone], at + count + 1))
}
