//! The signs with which an item begins, in every spelling in which they arrive.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::code_pages::CODE_PAGES;

/// What an item says of the work: the emoji of the task-evals document, each with a category and a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// ✅ verified correct.
    Verified,
    /// 🐛 a bug.
    Bug,
    /// 🔒 a security vulnerability.
    Security,
    /// ⚠️ a pitfall.
    Pitfall,
    /// 🧩 an unhandled edge case.
    EdgeCase,
    /// 📝 something to do, or incomplete.
    Todo,
    /// 🚀 an improvement.
    Improvement,
    /// 🔄 a refactoring that is needed.
    Refactor,
    /// ❓ something that needs clarification.
    Clarification,
}

/// How a house uses 🐛 and 🔒.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// As the task-evals document says: a bug, a vulnerability.
    #[default]
    Seed,
    /// As "fixed" and "addressed": what they mark is no longer there.
    Fixed,
}

impl Sign {
    /// All of them, in the order of the document's table.
    pub const ALL: [Self; 9] = [
        Self::Verified,
        Self::Bug,
        Self::Security,
        Self::Pitfall,
        Self::EdgeCase,
        Self::Todo,
        Self::Improvement,
        Self::Refactor,
        Self::Clarification,
    ];

    /// The emoji, as the document writes it.
    #[must_use]
    pub const fn emoji(self) -> &'static str {
        match self {
            Self::Verified => "✅",
            Self::Bug => "🐛",
            Self::Security => "🔒",
            Self::Pitfall => "⚠️",
            Self::EdgeCase => "🧩",
            Self::Todo => "📝",
            Self::Improvement => "🚀",
            Self::Refactor => "🔄",
            Self::Clarification => "❓",
        }
    }

    /// The category that it maps to.
    #[must_use]
    pub const fn category(self, profile: Profile) -> &'static str {
        match (self, profile) {
            (Self::Verified, _) => "verified",
            (Self::Bug, Profile::Seed) => "bug",
            (Self::Bug, Profile::Fixed) => "bug_fixed",
            (Self::Security, Profile::Seed) => "security",
            (Self::Security, Profile::Fixed) => "security_addressed",
            (Self::Pitfall, _) => "pitfall",
            (Self::EdgeCase, _) => "edge_case",
            (Self::Todo, _) => "todo",
            (Self::Improvement, _) => "improvement",
            (Self::Refactor, _) => "refactor",
            (Self::Clarification, _) => "clarification",
        }
    }

    /// Its weight in tenths, from −10 to 10 (`EMOJI_WEIGHTS` of the document, in whole numbers so that a sum does not depend
    /// on its order). In [`Profile::Fixed`] 🐛 and 🔒 weigh as much to the other side.
    #[must_use]
    pub const fn weight_tenths(self, profile: Profile) -> i64 {
        match (self, profile) {
            (Self::Verified, _) | (Self::Security, Profile::Fixed) => 10,
            (Self::Bug, Profile::Fixed) => 8,
            (Self::Improvement, _) => 5,
            (Self::Refactor, _) => -2,
            (Self::Todo | Self::Clarification, _) => -3,
            (Self::Pitfall, _) => -4,
            (Self::EdgeCase, _) => -5,
            (Self::Bug, Profile::Seed) => -8,
            (Self::Security, Profile::Seed) => -10,
        }
    }

    /// Short names by which chat programs and repositories spell it (`:bug:`).
    const fn short_names(self) -> &'static [&'static str] {
        match self {
            Self::Verified => &[":white_check_mark:"],
            Self::Bug => &[":bug:"],
            Self::Security => &[":lock:"],
            Self::Pitfall => &[":warning:"],
            Self::EdgeCase => &[":jigsaw:", ":puzzle_piece:"],
            Self::Todo => &[":memo:", ":pencil:"],
            Self::Improvement => &[":rocket:"],
            Self::Refactor => &[":arrows_counterclockwise:"],
            Self::Clarification => &[":question:"],
        }
    }
}

/// A sign that reports on something and has no weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bare {
    /// Done: ✔, ☑, `[x]`.
    Done,
    /// Failed: ❌, ✗, ✘, ✖, ⛔, 🚫.
    Failed,
    /// Open: ⏳, 🚧, ⬜, ☐, `[ ]`.
    Open,
}

const BARE: &[(&str, Bare)] = &[
    ("✔", Bare::Done),
    ("☑", Bare::Done),
    ("❌", Bare::Failed),
    ("✗", Bare::Failed),
    ("✘", Bare::Failed),
    ("✖", Bare::Failed),
    ("⛔", Bare::Failed),
    ("🚫", Bare::Failed),
    ("⏳", Bare::Open),
    ("🚧", Bare::Open),
    ("⬜", Bare::Open),
    ("☐", Bare::Open),
];

/// A sign of either kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Marked {
    /// It has a weight.
    Weighted(Sign),
    /// It has none.
    Bare(Bare),
}

/// One way to write a sign.
struct Spelling {
    text: String,
    marked: Marked,
    /// Bytes were lost on the way, so that it may be the beginning of another sign: what follows must not go on.
    lossy: bool,
}

/// What may follow a sign without changing it, as misread by each code page.
struct Tails {
    /// Variation selectors and skin tones.
    texts: Vec<String>,
}

struct Table {
    by_first: HashMap<char, Vec<Spelling>>,
    tails: HashMap<char, Tails>,
    /// Characters that continue a misread sequence.
    continues: std::collections::HashSet<char>,
}

static TABLE: LazyLock<Table> = LazyLock::new(table);

/// Every byte of `text` read as a character of a code page.
fn misread(text: &str, page: &str) -> String {
    let upper: Vec<char> = page.chars().collect();
    text.bytes()
        .map(|byte| match byte.checked_sub(0x80) {
            Some(index) => upper.get(usize::from(index)).copied().unwrap_or('\u{FFFD}'),
            None => char::from(byte),
        })
        .collect()
}

/// What becomes of a misread text on its way: as it is, with no-break spaces made plain, with control characters dropped or
/// replaced.
fn worn(text: &str) -> Vec<(String, bool)> {
    let control = |c: char| ('\u{80}'..='\u{9F}').contains(&c);
    let mut out = vec![(text.to_owned(), false)];
    if text.ends_with('\u{A0}') {
        out.push((text.replace('\u{A0}', " "), false));
    }
    if text.contains(control) {
        out.push((text.chars().filter(|c| !control(*c)).collect(), true));
        out.push((text.replace(control, "\u{FFFD}"), true));
    }
    out
}

fn spellings(emoji: &str, marked: Marked) -> Vec<Spelling> {
    let base = emoji.trim_end_matches('\u{FE0F}');
    let mut out = vec![Spelling { text: base.to_owned(), marked, lossy: false }];
    for (_, page) in CODE_PAGES {
        let once = misread(base, page);
        let twice = misread(&once, page);
        for (text, lossy) in worn(&once).into_iter().chain(worn(&twice)) {
            // What lost too much is told from nothing.
            if text.chars().count() >= 2 && !text.is_ascii() {
                out.push(Spelling { text, marked, lossy });
            }
        }
    }
    out
}

fn table() -> Table {
    let mut all: Vec<Spelling> = Vec::new();
    for sign in Sign::ALL {
        let marked = Marked::Weighted(sign);
        all.extend(spellings(sign.emoji(), marked));
        all.extend(sign.short_names().iter().map(|name| Spelling { text: (*name).to_owned(), marked, lossy: false }));
    }
    for (emoji, bare) in BARE {
        all.extend(spellings(emoji, Marked::Bare(*bare)));
    }
    let mut by_first: HashMap<char, Vec<Spelling>> = HashMap::new();
    for spelling in all {
        if let Some(first) = spelling.text.chars().next() {
            by_first.entry(first).or_default().push(spelling);
        }
    }
    for list in by_first.values_mut() {
        // The longest first; what lost nothing before what did.
        list.sort_by_key(|it| (std::cmp::Reverse(it.text.len()), it.lossy));
    }
    let mut tails: HashMap<char, Tails> = HashMap::new();
    for tail in ["\u{FE0F}", "\u{FE0E}", "🏻", "🏼", "🏽", "🏾", "🏿"] {
        let pages = CODE_PAGES.iter().flat_map(|(_, page)| {
            let once = misread(tail, page);
            let twice = misread(&once, page);
            worn(&once).into_iter().chain(worn(&twice))
        });
        for (text, _) in std::iter::once((tail.to_owned(), false)).chain(pages) {
            if let Some(first) = text.chars().next()
                && (text.chars().count() > 1 || text == tail)
            {
                tails.entry(first).or_insert_with(|| Tails { texts: Vec::new() }).texts.push(text);
            }
        }
    }
    for tail in tails.values_mut() {
        tail.texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        tail.texts.dedup();
    }
    let continues = CODE_PAGES.iter().flat_map(|(_, page)| page.chars().take(64)).filter(|c| !c.is_ascii()).collect();
    Table { by_first, tails, continues }
}

/// The most variation selectors and skin tones that are taken with one sign.
const TAILS_MAX: usize = 4;

/// The sign that stands at byte `at` of `text`, and the byte after it with its variation selector and skin tone.
pub(crate) fn sign_at(text: &str, at: usize) -> Option<(Marked, usize)> {
    let table = &*TABLE;
    let rest = text.get(at..)?;
    let spelling = table.by_first.get(&rest.chars().next()?)?.iter().find(|spelling| {
        rest.strip_prefix(spelling.text.as_str()).is_some_and(|after| {
            !spelling.lossy || !after.chars().next().is_some_and(|next| table.continues.contains(&next))
        })
    })?;
    let mut end = at + spelling.text.len();
    for _ in 0..TAILS_MAX {
        let rest = &text[end..];
        let Some(first) = rest.chars().next() else { break };
        let tail = table.tails.get(&first).and_then(|tails| tails.texts.iter().find(|tail| rest.starts_with(*tail)));
        match tail {
            Some(tail) => end += tail.len(),
            None => break,
        }
    }
    Some((spelling.marked, end))
}

/// Whether a sign may begin with this character: most are told apart by it.
pub(crate) fn may_begin(first: char) -> bool {
    (first == ':' || !first.is_ascii()) && TABLE.by_first.contains_key(&first)
}

#[cfg(test)]
mod tests {
    use super::{Marked, Profile, Sign, sign_at};

    #[test]
    fn weights_are_those_of_the_document() {
        let table = [
            ("✅", 10),
            ("🐛", -8),
            ("🔒", -10),
            ("⚠️", -4),
            ("🧩", -5),
            ("📝", -3),
            ("🚀", 5),
            ("🔄", -2),
            ("❓", -3),
        ];
        let own: Vec<_> = Sign::ALL.iter().map(|sign| (sign.emoji(), sign.weight_tenths(Profile::Seed))).collect();
        assert_eq!(own, table);
    }

    #[track_caller]
    fn check(text: &str, expect: Sign) {
        let found = sign_at(text, 0);
        assert_eq!(found.map(|(marked, _)| marked), Some(Marked::Weighted(expect)), "{text:?}");
        assert_eq!(&text[found.unwrap().1..], " x", "{text:?}");
    }

    #[test]
    fn selectors_skin_tones_and_short_names_belong_to_the_sign() {
        check("✅ x", Sign::Verified);
        check("✅\u{FE0F} x", Sign::Verified);
        check("⚠ x", Sign::Pitfall);
        check("⚠\u{FE0F} x", Sign::Pitfall);
        check("⚠\u{FE0E} x", Sign::Pitfall);
        check("📝🏽 x", Sign::Todo);
        check("❓\u{FE0F}🏿 x", Sign::Clarification);
        check(":white_check_mark: x", Sign::Verified);
    }

    #[test]
    fn misread_utf8_is_read() {
        // Windows-1252, with and without the byte that it has no character for.
        check("âœ… x", Sign::Verified);
        check("ðŸ\u{90}› x", Sign::Bug);
        check("ðŸ› x", Sign::Bug);
        check("ðŸ”’ x", Sign::Security);
        check("âš\u{A0}ï¸\u{8F} x", Sign::Pitfall);
        check("âš\u{A0}ï¸ x", Sign::Pitfall);
        check("ðŸ§© x", Sign::EdgeCase);
        check("ðŸ“\u{9D} x", Sign::Todo);
        check("ðŸš€ x", Sign::Improvement);
        check("ðŸ”„ x", Sign::Refactor);
        check("â\u{9D}“ x", Sign::Clarification);
        check("â“ x", Sign::Clarification);
        // ISO 8859-1, code page 437, Windows-1251, twice Windows-1252.
        check("â\u{9C}\u{85} x", Sign::Verified);
        check("Γ£à x", Sign::Verified);
        check("≡ƒÉ¢ x", Sign::Bug);
        check("вњ… x", Sign::Verified);
        check("Ã¢Å“â€¦ x", Sign::Verified);
    }

    #[test]
    fn every_spelling_leads_to_its_own_sign() {
        use super::{CODE_PAGES, misread};
        for sign in Sign::ALL {
            for (name, page) in CODE_PAGES {
                let once = misread(sign.emoji(), page);
                for text in [misread(&once, page), once] {
                    assert_eq!(sign_at(&text, 0), Some((Marked::Weighted(sign), text.len())), "{name} {text:?}");
                }
            }
        }
    }

    #[test]
    fn other_pictures_are_no_sign() {
        for text in ["🛑 x", "ðŸ›‘ x", "ðŸ›\u{A0} x", "â€™ x", "é", "🎉", ":bugs:", "€", "вот", "рад"]
        {
            assert_eq!(sign_at(text, 0), None, "{text:?}");
        }
    }
}
