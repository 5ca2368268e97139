//! Details that a text states, each of which can be changed without changing the rest of the sentence: numbers with their unit, dates, days of the week, times of day,
//! identifiers, names.

use std::ops::Range;

use rust_decimal::Decimal;
use steadfast_annotate::{
    Bound, Quantity, Relation, Unit, base_form, comparable, content_stems, is_given_name, is_stop_word, quantities,
};
use steadfast_time::{Anchor, DateValue, Expression, PartRole, Reading, expressions, month_word, weekday_word};

/// Most details that are read of one text.
const DETAILS_MAX: usize = 48;

/// What a detail is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Worth {
    /// A number with what it counts or measures.
    Number(Quantity),
    /// The days of a date, as [`day_of_year`] numbers them, and its year where that is said.
    Date(i32, i32, Option<i16>),
    /// A day of the week, Monday is 0.
    Weekday(u8),
    /// A time of day, in minutes from midnight; two where it is not said which half of the day.
    Clock(Vec<u32>),
    /// Characters that name something: a version, a reference, a telephone number, a colour. In small letters.
    Code(String),
    /// The name of somebody or something, in small letters.
    Name(String),
}

/// A detail of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Detail {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    /// What it is.
    pub(crate) worth: Worth,
}

impl Detail {
    /// The name of its form.
    pub(crate) const fn form(&self) -> &'static str {
        match self.worth {
            Worth::Number(_) => "number",
            Worth::Date(..) => "date",
            Worth::Weekday(_) => "weekday",
            Worth::Clock(_) => "clock",
            Worth::Code(_) => "code",
            Worth::Name(_) => "name",
        }
    }

    /// Whether one can stand where the other does.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        match (&self.worth, &other.worth) {
            (Worth::Number(one), Worth::Number(two)) => {
                let apart = |own: &Quantity| {
                    matches!(own.unit, Unit::Percent | Unit::PercentagePoints | Unit::Label | Unit::Ordinal)
                };
                unit_name(one) == unit_name(two)
                    || is_bare(one) && is_bare(two)
                    || (is_plain(one) || is_plain(two)) && !apart(one) && !apart(two)
            }
            (Worth::Code(one), Worth::Code(two)) => shape(one) == shape(two),
            _ => self.form() == other.form(),
        }
    }

    /// Whether both are worth the same.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (&self.worth, &other.worth) {
            (Worth::Number(one), Worth::Number(two)) => {
                // Whether one of them is a limit says nothing of what it is worth.
                let exact = |own: &Quantity| Quantity { bound: Bound::Exact, ..own.clone() };
                one.low == two.low && one.high == two.high
                    || comparable(&exact(one), &exact(two)) == Some(Relation::Equal)
                    || is_written_alike(one, two)
            }
            (Worth::Date(a, b, one), Worth::Date(c, d, two)) => {
                // "April" holds "1 April".
                let is_month = |first: i32, last: i32| first / MONTH_STEP == last / MONTH_STEP && last - first > 26;
                let held = is_month(*a, *b) && a <= c && d <= b || is_month(*c, *d) && c <= a && b <= d;
                ((a, b) == (c, d) || held) && (one.is_none() || two.is_none() || one == two)
            }
            (Worth::Clock(one), Worth::Clock(two)) => one.iter().any(|at| two.contains(at)),
            (Worth::Name(one), Worth::Name(two)) => one.contains(two.as_str()) || two.contains(one.as_str()),
            (one, two) => one == two,
        }
    }

    /// Whether the other lies outside of the bound that this one sets: where such values are banned, it keeps the ban.
    pub(crate) fn leaves_out(&self, other: &Self) -> bool {
        match (&self.worth, &other.worth) {
            (Worth::Number(asked), Worth::Number(said)) => match asked.bound {
                Bound::Exact => false,
                Bound::AtLeast => said.high <= asked.low,
                Bound::AtMost => said.low >= asked.high,
            },
            _ => false,
        }
    }

    /// Whether it says when somebody speaks: "It is the 12th today".
    pub(crate) fn is_now(&self, text: &str) -> bool {
        let before = text.get(..self.range.start).unwrap_or_default().trim_end().to_lowercase();
        let before = before.strip_suffix(" the").unwrap_or(&before);
        let opens = ["it is", "it's", "it\u{2019}s", "today is", "today's"]
            .iter()
            .any(|words| before.strip_suffix(words).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric)));
        opens && matches!(self.worth, Worth::Date(..) | Worth::Weekday(_))
    }

    /// Whether the other lies inside the bound that this one sets, and sets none itself.
    pub(crate) fn allows(&self, other: &Self) -> bool {
        match (&self.worth, &other.worth) {
            (Worth::Number(asked), Worth::Number(said)) if said.bound == Bound::Exact => match asked.bound {
                Bound::Exact => false,
                Bound::AtLeast => said.low >= asked.low,
                Bound::AtMost => said.high <= asked.high,
            },
            _ => false,
        }
    }
}

/// The words around a detail that say what it is of: between the marks beside it, and a part further where they are none.
pub(crate) fn around(text: &str, range: &Range<usize>) -> Vec<String> {
    let is_end = |c: char| matches!(c, ',' | ';' | '(' | ')' | '\n');
    let stems = |start: usize, end: usize| -> Vec<String> {
        let own = content_stems(text.get(start..end).unwrap_or_default()).into_iter();
        own.filter(|(own, _)| own.end + start <= range.start || range.end <= own.start + start)
            .map(|(_, stem)| base_form(&stem).to_owned())
            .filter(|stem| !stem.starts_with(|c: char| c.is_ascii_digit()) && !matches!(stem.as_str(), "am" | "pm"))
            .collect()
    };
    // A row is of what it is about.
    if text.contains(" | ") {
        return stems(0, text.len());
    }
    let end = text[range.end..].find(is_end).map_or(text.len(), |at| range.end + at);
    let mut start = text[..range.start].rfind(is_end).map_or(0, |at| at + 1);
    let mut found = stems(start, end);
    if found.is_empty() && start > 0 {
        start = text[..start - 1].rfind(is_end).map_or(0, |at| at + 1);
        found = stems(start, end);
    }
    found
}

/// Whether two numbers may be one in other notations: "1.240" and "1,240", "-18" and "minus 18", or one is an end of the other.
fn is_written_alike(one: &Quantity, two: &Quantity) -> bool {
    let is_times = |one: Decimal, other: Decimal| one.checked_mul(Decimal::ONE_THOUSAND) == Some(other);
    let grouped = |own: &Quantity, other: &Quantity| {
        own.low.scale() == 3 && is_times(own.low, other.low) && is_times(own.high, other.high)
    };
    let is_end = |own: &Quantity, other: &Quantity| {
        own.low == own.high && other.low != other.high && (own.low == other.low || own.low == other.high)
    };
    grouped(one, two)
        || grouped(two, one)
        || is_end(one, two)
        || is_end(two, one)
        || one.low == -two.low && one.high == -two.high
}

/// Whether a time of day lies between two that stand beside each other: "12:00 to 12:30".
pub(crate) fn is_between(own: &[Detail], other: &Detail) -> bool {
    let Worth::Clock(said) = &other.worth else { return false };
    own.windows(2).any(|pair| match (&pair[0].worth, &pair[1].worth) {
        (Worth::Clock(from), Worth::Clock(to)) => {
            let at = |list: &[u32]| list.first().copied().unwrap_or_default();
            said.iter().any(|own| (at(from)..=at(to)).contains(own))
        }
        _ => false,
    })
}

/// The name of a bound.
pub(crate) const fn bound_name(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::AtLeast => "least",
        Bound::AtMost => "most",
    }
}

/// The kind of a quantity's unit.
pub(crate) fn unit_name(quantity: &Quantity) -> String {
    match &quantity.unit {
        Unit::Money(_) => "money".to_owned(),
        Unit::Percent | Unit::PercentagePoints => "percent".to_owned(),
        Unit::Count(counted) => format!("count {}", counted.stem),
        Unit::Duration(_) => "duration".to_owned(),
        Unit::Measure(symbol) => (*symbol).to_owned(),
        Unit::Ratio => "ratio".to_owned(),
        Unit::Ordinal => "ordinal".to_owned(),
        Unit::Label => "label".to_owned(),
        Unit::Date(_) | Unit::Plain => "plain".to_owned(),
    }
}

/// How characters are put together: `A` for letters, `0` for digits, the marks between them.
fn shape(code: &str) -> String {
    let mut out = String::new();
    for c in code.chars() {
        let kind = if c.is_ascii_digit() {
            '0'
        } else if c.is_alphabetic() {
            'A'
        } else {
            c
        };
        if !out.ends_with(kind) {
            out.push(kind);
        }
    }
    out
}

const fn is_plain(quantity: &Quantity) -> bool {
    matches!(quantity.unit, Unit::Plain)
}

const fn is_bare(quantity: &Quantity) -> bool {
    matches!(quantity.unit, Unit::Plain | Unit::Count(_))
}

/// The details of a text, in order. None overlaps another.
pub(crate) fn read(text: &str) -> Vec<Detail> {
    let mut found: Vec<Detail> = Vec::new();
    let mut add = |range: Range<usize>, worth: Worth| {
        let is_free = !found.iter().any(|own| own.range.start < range.end && range.start < own.range.end);
        if is_free && found.len() < DETAILS_MAX {
            found.push(Detail { range, worth });
        }
    };
    if text.bytes().any(|byte| byte.is_ascii_digit()) || says_an_hour(text) {
        for (range, minutes) in clocks(text) {
            add(range, Worth::Clock(minutes));
        }
    }
    for (range, code) in codes(text) {
        add(range, Worth::Code(code));
    }
    for own in quantities(text) {
        match &own.unit {
            Unit::Date(DateValue::Window(window)) => {
                let (first, last) = (window.first, window.last);
                let days = (day_of_year(first.month(), first.day()), day_of_year(last.month(), last.day()));
                add(own.range.clone(), Worth::Date(days.0, days.1, Some(first.year())));
            }
            Unit::Date(DateValue::Yearless { from, to }) => {
                let first = day_of_year(from.month, from.day.unwrap_or(1));
                add(own.range.clone(), Worth::Date(first, day_of_year(to.month, to.day.unwrap_or(31)), None));
            }
            Unit::Date(_) => {}
            _ => add(own.range.clone(), Worth::Number(own)),
        }
    }
    for (range, word) in words(text).flat_map(|(range, word)| parted(range.start, word)) {
        let low = word.to_lowercase();
        if let Some(day) = weekday_word(low.trim_end_matches('s')).or_else(|| weekday_word(&low)) {
            add(range, Worth::Weekday(day.to_monday_zero_offset().unsigned_abs()));
        }
    }
    for (range, name) in names(text) {
        add(range, Worth::Name(name));
    }
    // "3px", "4.5:1": characters with digits that are no amount of a unit that is known.
    for (range, word) in words(text).filter(|(_, word)| word.contains(|c: char| c.is_ascii_digit())) {
        add(range, Worth::Code(word.to_lowercase()));
    }
    found.sort_by_key(|own| own.range.start);
    found
}

fn says_an_hour(text: &str) -> bool {
    ["noon", "midnight", "o'clock", "half past", "quarter"].iter().any(|word| text.contains(word))
}

/// The times of day of a text, each with its minutes from midnight.
fn clocks(text: &str) -> Vec<(Range<usize>, Vec<u32>)> {
    let Ok(now) = jiff::civil::date(2000, 1, 1).to_zoned(jiff::tz::TimeZone::UTC) else { return Vec::new() };
    let mut out = Vec::new();
    let minutes = |readings: &[Reading]| -> Vec<u32> {
        let of = |reading: &Reading| match reading {
            Reading::Time(at) => Some(*at),
            Reading::DateTime(at) => Some(at.time()),
            _ => None,
        };
        let mut all: Vec<u32> = readings
            .iter()
            .filter_map(of)
            .map(|at| u32::from(at.hour().unsigned_abs()) * 60 + u32::from(at.minute().unsigned_abs()))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let has_mark = |range: &Range<usize>| {
        // "3.10" and "0.23.18" are no times of day.
        let own = text.get(range.clone()).unwrap_or_default();
        // "19.30" is one in a range of two, and behind a word that says when.
        let dotted = is_dotted(own) && {
            let (head, tail) = (text[..range.start].trim_end(), text[range.end..].trim_start());
            let joins = |c: Option<char>| c.is_some_and(|c| matches!(c, '-' | '–'));
            let ranges = joins(head.chars().next_back())
                && head.trim_end_matches(['-', '–', ' ']).ends_with(|c: char| c.is_ascii_digit())
                || joins(tail.chars().next())
                    && tail.trim_start_matches(['-', '–', ' ']).starts_with(|c: char| c.is_ascii_digit());
            let word = head.rsplit(' ').next().unwrap_or_default().to_lowercase();
            ranges
                || ["at", "from", "until", "till", "by", "to", "starts", "start", "before", "after", "doors"]
                    .contains(&word.as_str())
        };
        if dotted {
            return true;
        }
        let spoken = own.chars().any(char::is_alphabetic);
        let colon = own.contains(':');
        let touches = |c: Option<char>| {
            c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '/' | '-' | '#' | '$' | '£' | '€'))
        };
        let before = text[..range.start].chars().next_back();
        (spoken || colon) && !touches(before)
    };
    for Expression { span, readings, parts, .. } in expressions(text, &Anchor::new(now)) {
        if parts.is_empty() {
            let own = minutes(&readings);
            if !own.is_empty() && has_mark(&span) {
                out.push((of_clock(text, span), own));
            }
            continue;
        }
        let ends = parts.iter().filter(|part| matches!(part.role, PartRole::Start | PartRole::End | PartRole::Clock));
        for part in ends {
            let own = minutes(&part.readings);
            let behind = text.get(part.span.end..span.end).unwrap_or_default().trim_start();
            let told = ["in the ", "at night", "o'clock"].iter().any(|words| behind.starts_with(words));
            if !own.is_empty() && (has_mark(&part.span) || told || has_mark(&span) && part.role != PartRole::Clock) {
                out.push((of_clock(text, part.span.clone()), own));
            }
        }
    }
    out
}

/// The bytes of the time of day within a time with its date: of "Tuesday 8 December, 9:00" the last four. The date is a detail of its own.
fn of_clock(text: &str, range: Range<usize>) -> Range<usize> {
    let own = text.get(range.clone()).unwrap_or_default();
    let digits = |from: usize| own[from..].bytes().take_while(u8::is_ascii_digit).count();
    let Some(colon) = own.find(':').filter(|at| digits(at + 1) == 2) else { return range };
    let start = colon - own[..colon].bytes().rev().take_while(u8::is_ascii_digit).count();
    let mut end = colon + 3;
    let half = own[end..].trim_start();
    if half.get(..2).is_some_and(|two| two.eq_ignore_ascii_case("am") || two.eq_ignore_ascii_case("pm")) {
        end = own.len() - half.len() + 2;
    }
    let outside = || own[..start].chars().chain(own[end..].chars());
    if start < colon && outside().any(|c| c.is_ascii_digit()) { range.start + start..range.start + end } else { range }
}

/// "19.30".
fn is_dotted(own: &str) -> bool {
    own.split_once('.').is_some_and(|(hour, minute)| {
        let digits = |part: &str| part.bytes().all(|c| c.is_ascii_digit());
        digits(hour) && digits(minute) && (1..=2).contains(&hour.len()) && minute.len() == 2
    })
}

/// Tokens with digits that are no amount: letters and digits together, several groups of digits, a mark before the digits.
fn codes(text: &str) -> Vec<(Range<usize>, String)> {
    let mut out = Vec::new();
    for (range, word) in words(text) {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        let groups = word.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).count();
        let before = text[..range.start].chars().next_back();
        let address = word.contains('@') && word.contains('.');
        // "300MB", "10th" are amounts.
        let amount = groups == 1 && word.starts_with(|c: char| c.is_ascii_digit()) && letters <= 3;
        let phone = groups == 1 && digits >= 4 && word.starts_with('0');
        let version = word.matches('.').count() >= 2 || word.starts_with(['v', 'V']) && digits > 0;
        let coded = digits > 0 && letters > 0 && !amount && word.len() <= 40;
        if address || phone || version && digits > 0 || coded || before == Some('#') && digits > 0 {
            // "v2.4.0" is "2.4.0".
            let low = word.to_lowercase();
            let bare = low.strip_prefix('v').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            out.push((range, bare.map_or(low.clone(), str::to_owned)));
        }
    }
    out
}

/// The words of a text, with the marks inside them, without those around.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut at = 0;
    text.split(|c: char| c.is_whitespace() || matches!(c, '|' | '(' | ')' | '"' | '“' | '”' | ',' | ';' | '`'))
        .map(move |word| {
            let start = at;
            // What parts two words is one character; its bytes follow from where the next one begins.
            at += word.len();
            at += text[at..].chars().next().map_or(0, char::len_utf8);
            (start, word)
        })
        .filter_map(|(start, word)| {
            let own = word.trim_matches(|c: char| !c.is_alphanumeric());
            let lead = word.find(own)?;
            (!own.is_empty()).then(|| (start + lead..start + lead + own.len(), own))
        })
}

/// The parts of a word between its dashes: "Thu-Sun".
fn parted(start: usize, word: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    word.split(['-', '–', '—', '/']).map(move |part| {
        let at = start + part.as_ptr().addr() - word.as_ptr().addr();
        (at..at + part.len(), part)
    })
}

/// Words with a capital that name nobody: languages, ways of writing, courtesy.
const NO_NAMES: [&str; 13] = [
    "english", "british", "american", "german", "french", "spanish", "italian", "markdown", "word", "pdf", "html",
    "faq", "please",
];

/// Whether a word with a capital, in small letters here, can be a name. Days and months are values.
pub(crate) fn can_name(low: &str) -> bool {
    !NO_NAMES.contains(&low) && month_word(low).is_none() && weekday_word(low).is_none()
}

/// Names in a text, runs of words with capitals: not the first word of a sentence, unless it is a given name; no days, no months.
fn names(text: &str) -> Vec<(Range<usize>, String)> {
    let mut out: Vec<(Range<usize>, String)> = Vec::new();
    let mut open = false;
    for (range, word) in words(text) {
        let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix("\u{2019}s")).unwrap_or(word);
        let range = range.start..range.start + bare.len();
        let low = bare.to_lowercase();
        let before = text[..range.start].trim_end().chars().next_back();
        let begins = before.is_none_or(|c| matches!(c, '.' | '!' | '?' | ':' | '|' | '"' | '“' | '(' | '*' | '•'));
        let capital = bare.starts_with(char::is_uppercase)
            && bare.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '&'))
            && bare.chars().any(char::is_lowercase);
        let named = capital && can_name(&low) && !is_stop_word(&low) && (!begins || is_given_name(bare));
        let goes_on =
            open && named && out.last().is_some_and(|(last, _)| text[last.end..range.start].trim().is_empty());
        match out.last_mut().filter(|_| goes_on) {
            Some((last, name)) => {
                last.end = range.end;
                name.push(' ');
                name.push_str(&low);
            }
            None if named => out.push((range, low)),
            None => {}
        }
        open = named;
    }
    out
}

/// From a day to the same day of the next month in [`day_of_year`].
const MONTH_STEP: i32 = 32;

/// A day of a month as a number that grows through the year: 32 for each month, and the day.
pub(crate) fn day_of_year(month: i8, day: i8) -> i32 {
    i32::from(month) * MONTH_STEP + i32::from(day)
}

/// How one detail becomes the other by a slip; `None` where they are far from each other.
pub(crate) fn slip(asked_in: &str, asked: &Detail, said_in: &str, said: &Detail) -> Option<&'static str> {
    let raw = |text: &str, detail: &Detail| text.get(detail.range.clone()).unwrap_or_default().to_lowercase();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (one, two) = (raw(asked_in, asked), raw(said_in, said));
    let (one_digits, two_digits) = (digits(&one), digits(&two));
    match (&asked.worth, &said.worth) {
        (Worth::Date(a, b, _), Worth::Date(c, d, _)) => match () {
            () if a == c && b != d || a != c && b == d => Some("one end"),
            () if a == b && c == d && a / 32 == c / 32 => Some("same month"),
            () if a == b && c == d && a % 32 == c % 32 => Some("same day"),
            () => None,
        },
        (Worth::Clock(_), Worth::Clock(_)) => {
            let minutes = |own: &Worth| match own {
                Worth::Clock(all) => all.first().copied().unwrap_or_default(),
                _ => 0,
            };
            let (a, b) = (minutes(&asked.worth), minutes(&said.worth));
            (a % 60 == b % 60 && a.abs_diff(b) <= 120 || a / 60 == b / 60).then_some("near hour")
        }
        (Worth::Code(_), Worth::Code(_)) => {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
            let same_letters = letters(&one) == letters(&two);
            match edits(&one_digits, &two_digits) {
                _ if same_letters && is_swapped(&one_digits, &two_digits) => Some("swapped"),
                1 if same_letters => Some("one digit"),
                _ if same_letters && letters(&one).len() > 1 => Some("other digits"),
                0 if edits(&one, &two) <= 2 && one.len() > 4 => Some("few letters"),
                _ => None,
            }
        }
        (Worth::Name(_), Worth::Name(_)) => match edits(&one, &two) {
            1 | 2 if one.len() > 3 => Some("few letters"),
            _ => {
                let shared = one.split(' ').any(|word| word.len() > 2 && two.split(' ').any(|own| own == word));
                shared.then_some("one word")
            }
        },
        (Worth::Number(a), Worth::Number(b)) => match () {
            () if is_swapped(&one_digits, &two_digits) => Some("swapped"),
            () if one_digits.len() > 1 && edits(&one_digits, &two_digits) == 1 => Some("one digit"),
            () if one_digits.len() > 1 && two_digits.len() > 1 && edits(&one_digits, &two_digits) == 2 => {
                Some("two digits")
            }
            () if a.low == b.low || a.high == b.high => Some("one end"),
            () if is_ten_times(a.low, b.low) || is_ten_times(b.low, a.low) => Some("ten times"),
            () => None,
        },
        _ => None,
    }
}

fn is_ten_times(one: Decimal, other: Decimal) -> bool {
    one.checked_mul(Decimal::TEN) == Some(other)
}

/// Whether digits are the same in another order.
fn is_swapped(one: &str, two: &str) -> bool {
    let sorted = |digits: &str| {
        let mut all: Vec<u8> = digits.bytes().collect();
        all.sort_unstable();
        all
    };
    one != two && one.len() > 1 && sorted(one) == sorted(two)
}

/// How many characters are to be changed, put in or left out, at most 3 (Levenshtein).
fn edits(one: &str, two: &str) -> usize {
    const LENGTH_MAX: usize = 48;
    let (one, two): (Vec<char>, Vec<char>) =
        (one.chars().take(LENGTH_MAX).collect(), two.chars().take(LENGTH_MAX).collect());
    if one.len().abs_diff(two.len()) > 2 {
        return 3;
    }
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (at, c) in one.iter().enumerate() {
        let mut corner = row[0];
        row[0] = at + 1;
        for (other, d) in two.iter().enumerate() {
            let changed = corner + usize::from(c != d);
            corner = row[other + 1];
            row[other + 1] = changed.min(corner + 1).min(row[other] + 1);
        }
    }
    row.last().copied().unwrap_or_default().min(3)
}

#[cfg(test)]
mod tests;
