//! Which words can stand for each other, and which contradict each other: a list of everyday words, and how words are formed.

use std::collections::HashMap;
use std::sync::LazyLock;

use steadfast_annotate::{base_form, stem};

const LIST: &str = include_str!("lexicon.txt");

/// The ending that makes the opposite of what is said without it; the stem of "useful" is that of "use".
const OPPOSED_ENDING: &str = "less";
/// Beginnings that make the opposite of what follows.
const OPPOSED_BEGINNINGS: &[&str] = &["un", "in", "im", "ir", "il", "non", "dis", "mis", "anti", "counter"];
/// Fewest letters that have to follow such a beginning.
const BASE_LETTERS_MIN: usize = 3;
/// Fewest letters that two words of one family begin with.
const FAMILY_LETTERS_MIN: usize = 5;

/// The list by stems, of irregular verbs those of their bases.
struct Lexicon {
    /// The groups that a word stands in.
    groups: HashMap<String, Vec<u16>>,
    /// The sides of opposites that a word stands on: twice the line, and one more on the right.
    sides: HashMap<String, Vec<u16>>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon { groups: HashMap::new(), sides: HashMap::new() };
    let lines = LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for (number, line) in (0_u16..).zip(lines) {
        match line.split_once('|') {
            Some((left, right)) => {
                enter(&mut lexicon.sides, left, number * 2);
                enter(&mut lexicon.sides, right, number * 2 + 1);
            }
            None => enter(&mut lexicon.groups, line, number),
        }
    }
    lexicon
});

fn enter(of: &mut HashMap<String, Vec<u16>>, words: &str, number: u16) {
    for word in words.split_whitespace() {
        let numbers = of.entry(base_form(&stem(word)).to_owned()).or_default();
        if numbers.last() != Some(&number) {
            numbers.push(number);
        }
    }
}

/// Whether two stems can stand for each other: they share a group of the list, or one is formed from the other ("personal",
/// "personalis").
#[must_use]
pub fn related(a: &str, b: &str) -> bool {
    a == b || shares(&LEXICON.groups, a, b, |group| group) || (is_family(a, b) && !opposed(a, b))
}

/// Whether two stems contradict each other: they stand on the two sides of a line of the list, or one is formed as the opposite of the other
/// ("abl", "unabl").
#[must_use]
pub fn opposed(a: &str, b: &str) -> bool {
    a != b && (shares(&LEXICON.sides, a, b, |side| side ^ 1) || forms_opposite(a, b) || forms_opposite(b, a))
}

/// The words of the list that can stand for a stem, or against it, as stems; it is none of them.
pub fn listed_with(stem: &str) -> impl Iterator<Item = &'static str> {
    let members =
        |of: &'static HashMap<u16, Vec<&'static str>>, number: u16| of.get(&number).into_iter().flatten().copied();
    let groups = LEXICON.groups.get(stem).into_iter().flatten();
    let sides = LEXICON.sides.get(stem).into_iter().flatten();
    let own = stem.to_owned();
    groups
        .flat_map(move |group| members(&MEMBERS.0, *group))
        .chain(sides.flat_map(move |side| members(&MEMBERS.1, side ^ 1)))
        .filter(move |other| *other != own)
}

/// The stems of each group or side, by its number.
type Members = HashMap<u16, Vec<&'static str>>;

/// The stems of each group, and of each side.
static MEMBERS: LazyLock<(Members, Members)> = LazyLock::new(|| {
    let turned = |of: &'static HashMap<String, Vec<u16>>| {
        let mut members = Members::new();
        for (stem, numbers) in of {
            for number in numbers {
                members.entry(*number).or_default().push(stem);
            }
        }
        for stems in members.values_mut() {
            stems.sort_unstable();
        }
        members
    };
    let lexicon: &'static Lexicon = &LEXICON;
    (turned(&lexicon.groups), turned(&lexicon.sides))
});

fn shares(of: &HashMap<String, Vec<u16>>, a: &str, b: &str, wanted: impl Fn(u16) -> u16) -> bool {
    let (Some(of_a), Some(of_b)) = (of.get(a), of.get(b)) else { return false };
    of_a.iter().any(|own| of_b.contains(&wanted(*own)))
}

fn forms_opposite(base: &str, formed: &str) -> bool {
    if base.len() < BASE_LETTERS_MIN || !base.is_ascii() {
        return false;
    }
    let begins = OPPOSED_BEGINNINGS.iter().any(|beginning| formed.strip_prefix(beginning) == Some(base));
    let ends = || formed.strip_suffix(OPPOSED_ENDING).is_some_and(|own| stem(own) == base);
    begins || ends()
}

/// Whether two words begin alike in most of their letters.
fn is_family(a: &str, b: &str) -> bool {
    let alike = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let shorter = a.len().min(b.len());
    alike >= FAMILY_LETTERS_MIN && alike + 2 >= shorter && !a.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::{LEXICON, LIST, opposed, related};
    use steadfast_annotate::stem;

    #[track_caller]
    fn check(a: &str, b: &str, expect: (bool, bool)) {
        let (a, b) = (stem(a), stem(b));
        assert_eq!((related(&a, &b), opposed(&a, &b)), expect, "{a} {b}");
        assert_eq!((related(&b, &a), opposed(&b, &a)), expect, "{b} {a}");
    }

    #[test]
    fn what_is_listed_with_a_stem_is_related_or_opposed() {
        let mut listed = 0;
        for stem in LEXICON.groups.keys().chain(LEXICON.sides.keys()) {
            for other in super::listed_with(stem) {
                assert!(other != stem && (related(stem, other) || opposed(stem, other)), "{stem} {other}");
                listed += 1;
            }
        }
        assert!(listed > LEXICON.groups.len());
        assert_eq!(super::listed_with("zzz").count(), 0);
    }

    #[test]
    fn words_stand_for_each_other_or_against() {
        check("raised", "boosted", (true, false));
        check("customises", "personalized", (true, false));
        check("personalised", "personalisation", (true, false));
        check("raised", "lowered", (false, true));
        check("able", "unable", (false, true));
        check("useful", "useless", (false, true));
        check("including", "excluding", (false, true));
        check("weather", "hotel", (false, false));
        check("in", "in", (true, false));
        check("", "un", (false, false));
    }

    #[test]
    fn the_list_is_read_and_no_line_is_a_word_alone() {
        assert!(LEXICON.groups.len() > 500 && LEXICON.sides.len() > 200);
        for line in LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (left, right) = line.split_once('|').unwrap_or((line, line));
            assert!(line.contains('|') || line.split_whitespace().count() > 1, "{line}");
            assert!(!left.trim().is_empty() && !right.trim().is_empty(), "{line}");
        }
    }
}
