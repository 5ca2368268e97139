//! Words that say what a number or a name beside them is.

use crate::durations::unit_from_word;

pub(crate) fn weekday_word(word: &str) -> Option<()> {
    matches!(
        word,
        "monday"
            | "tuesday"
            | "wednesday"
            | "thursday"
            | "friday"
            | "saturday"
            | "sunday"
            | "mon"
            | "tue"
            | "tues"
            | "wed"
            | "weds"
            | "thu"
            | "thur"
            | "thurs"
            | "fri"
            | "sat"
            | "sun"
    )
    .then_some(())
}

/// Whether a word is a weekday's name.
pub(crate) fn weekday(word: &str) -> bool {
    weekday_word(word).is_some()
}

pub(crate) fn at_word(word: &str) -> bool {
    matches!(word, "at" | "by" | "until" | "till" | "before" | "after" | "since" | "from" | "between")
}

/// Words of setting a time: "alarm", "reminder", "moved".
pub(crate) fn schedules(word: &str) -> bool {
    matches!(
        word,
        "alarm"
            | "appointment"
            | "alarms"
            | "reminder"
            | "remind"
            | "schedule"
            | "scheduled"
            | "reschedule"
            | "rescheduled"
            | "moved"
            | "booked"
            | "set"
            | "meet"
            | "meeting"
            | "arrive"
            | "arriving"
            | "leave"
            | "leaving"
            | "home"
            | "table"
            | "reservation"
            | "postponed"
            | "pushed"
            | "wake"
            | "call"
            | "dinner"
            | "lunch"
            | "breakfast"
            | "standup"
    )
}

/// Words of being there or not, after which "from 2" is a time.
pub(crate) fn is_open(word: &str) -> bool {
    matches!(
        word,
        "free"
            | "available"
            | "open"
            | "out"
            | "away"
            | "busy"
            | "home"
            | "there"
            | "here"
            | "office"
            | "working"
            | "back"
    )
}

/// Words after which a bare range of hours is one of times: "open 9-5", "back-to-back 10-12", "lunch 12-1".
pub(crate) fn occupies(word: &str) -> bool {
    matches!(
        word,
        "work"
            | "works"
            | "working"
            | "worked"
            | "open"
            | "opens"
            | "free"
            | "busy"
            | "available"
            | "unavailable"
            | "hours"
            | "shift"
            | "shifts"
            | "meeting"
            | "meetings"
            | "call"
            | "calls"
            | "class"
            | "classes"
            | "lunch"
            | "dinner"
            | "breakfast"
            | "back"
            | "booked"
            | "blocked"
            | "slot"
            | "standup"
            | "lecture"
            | "lesson"
            | "training"
            | "gym"
            | "out"
            | "off"
            | "away"
            | "appointment"
            | "interview"
            | "workshop"
            | "block"
            | "session"
            | "focus"
            | "seminar"
            | "rehearsal"
            | "duty"
            | "closed"
    )
}

pub(crate) fn is_street(word: &str) -> bool {
    matches!(
        word,
        "street"
            | "st"
            | "road"
            | "rd"
            | "avenue"
            | "ave"
            | "lane"
            | "drive"
            | "blvd"
            | "boulevard"
            | "square"
            | "court"
            | "place"
            | "terrace"
            | "broadway"
    )
}

/// Units of time and of anything else that a number before it measures.
pub(crate) fn is_unit(word: &str) -> bool {
    unit_from_word(word).is_some()
        || matches!(
            word,
            "percent"
                | "per"
                | "kg"
                | "g"
                | "km"
                | "m"
                | "cm"
                | "mm"
                | "mi"
                | "miles"
                | "mile"
                | "mph"
                | "kmh"
                | "lb"
                | "lbs"
                | "oz"
                | "ft"
                | "mb"
                | "gb"
                | "tb"
                | "kb"
                | "degrees"
                | "degree"
                | "celsius"
                | "fahrenheit"
                | "dollars"
                | "euros"
                | "pounds"
                | "cents"
                | "bucks"
                | "million"
                | "billion"
                | "thousand"
                | "hundred"
                | "dozen"
                | "times"
                | "x"
                | "each"
                | "apiece"
                | "people"
                | "persons"
                | "men"
                | "women"
                | "children"
                | "kids"
                | "guests"
                | "stars"
                | "star"
                | "points"
                | "point"
                | "litres"
                | "liters"
                | "volts"
                | "watts"
                | "v"
                | "w"
                | "kw"
                | "hz"
                | "k"
                | "bn"
                | "fold"
                | "nd"
                | "rd"
                | "th"
                | "st"
                | "pt"
                | "px"
                | "usd"
                | "eur"
                | "gbp"
                | "staff"
                | "feet"
                | "foot"
                | "inch"
                | "metre"
                | "meter"
                | "kilograms"
                | "kilometres"
                | "units"
        )
}

pub(crate) fn is_function(word: &str) -> bool {
    matches!(
        word,
        "and"
            | "or"
            | "but"
            | "so"
            | "then"
            | "if"
            | "when"
            | "because"
            | "while"
            | "with"
            | "for"
            | "in"
            | "on"
            | "at"
            | "to"
            | "from"
            | "by"
            | "of"
            | "the"
            | "a"
            | "an"
            | "my"
            | "your"
            | "our"
            | "their"
            | "his"
            | "her"
            | "i"
            | "we"
            | "you"
            | "he"
            | "she"
            | "it"
            | "they"
            | "please"
            | "sharp"
            | "is"
            | "are"
            | "was"
            | "were"
            | "will"
            | "would"
            | "can"
            | "should"
            | "that"
            | "this"
            | "as"
            | "until"
            | "till"
            | "before"
            | "after"
            | "instead"
            | "through"
            | "thru"
            | "though"
            | "since"
            | "latest"
            | "today"
            | "tonight"
            | "tomorrow"
            | "works"
            | "tops"
            | "not"
            | "no"
            | "has"
            | "have"
            | "had"
            | "do"
            | "does"
            | "did"
            | "may"
            | "might"
            | "must"
            | "only"
            | "also"
            | "onwards"
            | "onward"
            | "too"
            | "there"
            | "here"
            | "now"
            | "ish"
            | "which"
            | "who"
            | "where"
            | "there's"
    )
}

/// Whether a word looks like the plural of a noun.
pub(crate) fn is_plural(word: &str) -> bool {
    word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is")
        && !matches!(
            word,
            "always"
                | "perhaps"
                | "thanks"
                | "sometimes"
                | "afterwards"
                | "towards"
                | "besides"
                | "unless"
                | "plus"
                | "starts"
                | "ends"
                | "begins"
                | "opens"
                | "closes"
                | "finishes"
                | "works"
                | "sounds"
                | "suits"
                | "leaves"
                | "arrives"
                | "means"
                | "seems"
                | "comes"
                | "goes"
                | "gets"
                | "needs"
                | "does"
                | "says"
                | "looks"
                | "lasts"
                | "yes"
                | "gymnastics"
                | "maths"
                | "news"
        )
}

pub(crate) fn is_time_noun(word: &str) -> bool {
    matches!(word, "week" | "holidays" | "sometime" | "early" | "late" | "anytime" | "between" | "once" | "noon")
}

/// Whether a word before "the 27" or "the second" leads a day of the month rather than a rank.
pub(crate) fn leads_day(word: &str) -> bool {
    matches!(word, "on" | "by" | "until" | "till" | "before" | "after" | "since" | "for" | "from" | "through" | "to")
}

pub(crate) fn article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an" | "my" | "his" | "her" | "our" | "he" | "she" | "they" | "it" | "i" | "we")
}
