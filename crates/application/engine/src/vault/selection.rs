//! Which files of a folder are prompts, by their names, and which of them somebody wants.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use steadfast_wire::pick::NotTakenReason as Reason;

use crate::EngineError;

/// Patterns of `--include` and of `--exclude`, each.
pub const GLOBS_MAX: usize = 100;

/// The longest pattern, in bytes.
pub const GLOB_BYTES_MAX: usize = 1_000;

/// Files of a folder that speak of it, and are no prompts.
const ABOUT: &[&str] = &["readme", "license", "licence", "changelog", "contributing", "code_of_conduct", "security"];

/// Folders of templates for notes.
const TEMPLATES: &[&str] = &["template", "templates", "_templates", "templater"];

/// Folders of what was thrown away.
const TRASH: &[&str] = &["trash", "_trash", "$recycle.bin"];

/// Weekdays, as the name of a daily note may end in them, whole or by their first three letters.
const WEEKDAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Which prompts of a folder are taken in.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    include: Option<GlobSet>,
    exclude: Option<GlobSet>,
    /// In small letters and without `#`.
    tags: Vec<String>,
    /// The files were named one by one: their names decide nothing.
    named: bool,
}

impl Selection {
    /// What `--include`, `--exclude` and `--tag` mean. A pattern without `/` holds in every folder; `*` stays within a folder, `**` goes through folders.
    ///
    /// # Errors
    /// [`EngineError::Selection`] for a pattern or a tag that means nothing.
    pub fn of(include: &[String], exclude: &[String], tags: &[String]) -> Result<Self, EngineError> {
        let tags = tags.iter().map(|tag| match folded(tag) {
            name if name.is_empty() || name.contains(char::is_whitespace) => {
                Err(EngineError::Selection { given: tag.clone(), what: "is no tag".to_owned() })
            }
            name => Ok(name),
        });
        Ok(Self {
            include: globs(include)?,
            exclude: globs(exclude)?,
            tags: tags.collect::<Result<_, _>>()?,
            named: false,
        })
    }

    /// The same for files that were named one by one: what they are called decides nothing.
    #[must_use]
    pub fn for_named(&self) -> Self {
        Self { named: true, include: None, exclude: None, ..self.clone() }
    }

    /// Why a file is passed over, by its name; `None` where it is looked into.
    pub(super) fn passes_over(&self, name: &str) -> Option<Reason> {
        if !self.named
            && let Some(reason) = out_of_sight(name)
        {
            return Some(reason);
        }
        if !super::import::holds_prompts(name) {
            return Some(Reason::NotPrompts);
        }
        if self.exclude.as_ref().is_some_and(|globs| globs.is_match(name)) {
            return Some(Reason::Excluded);
        }
        match &self.include {
            // What somebody names is wanted, whatever it is called.
            Some(globs) => (!globs.is_match(name)).then_some(Reason::NotIncluded),
            None if self.named => None,
            None => by_name(name),
        }
    }

    /// Whether anything of these tags is wanted: `#prompt/mail` is one of `prompt` too.
    pub(super) fn wants(&self, tags: impl IntoIterator<Item = String>) -> bool {
        if self.tags.is_empty() {
            return true;
        }
        tags.into_iter().any(|own| {
            let own = folded(&own);
            self.tags
                .iter()
                .any(|tag| own.strip_prefix(tag.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
        })
    }

    /// Whether tags decide anything.
    pub(super) const fn asks_for_tags(&self) -> bool {
        !self.tags.is_empty()
    }
}

fn folded(tag: &str) -> String {
    tag.trim().trim_start_matches('#').to_lowercase()
}

fn globs(given: &[String]) -> Result<Option<GlobSet>, EngineError> {
    if given.is_empty() {
        return Ok(None);
    }
    let refuse = |given: &str, what: String| EngineError::Selection { given: given.to_owned(), what };
    if given.len() > GLOBS_MAX {
        return Err(refuse(&given[GLOBS_MAX], format!("is one pattern more than {GLOBS_MAX}")));
    }
    let mut set = GlobSetBuilder::new();
    for own in given {
        if own.len() > GLOB_BYTES_MAX {
            return Err(refuse(own, format!("holds more than {GLOB_BYTES_MAX} bytes")));
        }
        let anywhere = if own.trim_end_matches('/').contains('/') { "" } else { "**/" };
        let below = if own.ends_with('/') { "**" } else { "" };
        let pattern = format!("{anywhere}{}{below}", own.trim_start_matches("./"));
        let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
        set.add(glob.map_err(|error| refuse(own, format!("is no pattern of file names: {}", error.kind())))?);
    }
    let set =
        set.build().map_err(|error| refuse(&given[0], format!("is no pattern of file names: {}", error.kind())))?;
    Ok(Some(set))
}

/// Why nobody looks into what is hidden. A folder ends with `/`.
fn out_of_sight(name: &str) -> Option<Reason> {
    let hidden = name.split('/').find(|part| part.starts_with('.'))?.to_lowercase();
    Some(if hidden.starts_with(".trash") { Reason::Trash } else { Reason::Hidden })
}

/// What a name alone says against a file.
fn by_name(name: &str) -> Option<Reason> {
    let lower = name.to_lowercase();
    let (folders, file) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let is_in = |known: &[&str]| folders.split('/').any(|folder| known.contains(&folder));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if is_in(TRASH) {
        return Some(Reason::Trash);
    }
    if file.contains("conflicted copy") || file.contains(".sync-conflict-") {
        return Some(Reason::SyncConflict);
    }
    if is_in(TEMPLATES) {
        return Some(Reason::Template);
    }
    if file.ends_with(".excalidraw.md") {
        return Some(Reason::Drawing);
    }
    if ABOUT.contains(&stem) && !file.ends_with(".jsonl") && !file.ends_with(".csv") {
        return Some(Reason::About);
    }
    is_period(stem).then_some(Reason::DailyNote)
}

/// Whether a name is that of a day, a week, a month or a quarter: "2026-01-26", "20260126 Monday", "2026_01_26", "2026-W05", "2026-01", "2026-Q1".
fn is_period(stem: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let end = stem.find(char::is_whitespace).unwrap_or(stem.len());
    let (date, rest) = stem.split_at(end);
    let rest = rest.trim();
    if !rest.is_empty() && !WEEKDAYS.iter().any(|day| rest == *day || rest == &day[..3]) {
        return false;
    }
    let parts: Vec<&str> = date.split(['-', '_', '.']).collect();
    let month = |text: &str| text.len() == 2 && digits(text) && ("01"..="12").contains(&text);
    let day = |text: &str| text.len() == 2 && digits(text) && ("01"..="31").contains(&text);
    let year = |text: &str| text.len() == 4 && digits(text) && matches!(&text[..2], "19" | "20");
    match parts.as_slice() {
        [whole] => whole.len() == 8 && digits(whole) && year(&whole[..4]) && month(&whole[4..6]) && day(&whole[6..]),
        [first, second] => {
            let period = |letter, most| {
                let number = second.strip_prefix(letter).filter(|number| digits(number) && number.len() <= 2);
                number.and_then(|number| number.parse().ok()).is_some_and(|number: u8| (1..=most).contains(&number))
            };
            year(first) && (month(second) || period('w', 53) || period('q', 4))
        }
        [first, second, third] => year(first) && month(second) && day(third),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(include: &[&str], exclude: &[&str], tags: &[&str]) -> Result<Selection, EngineError> {
        let own = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        Selection::of(&own(include), &own(exclude), &own(tags))
    }

    #[test]
    fn names_say_what_is_no_prompt() {
        let said = |name: &str| Selection::default().passes_over(name).map_or("", Reason::name);
        for (name, reason) in [
            ("prompts/review.md", ""),
            ("image.png", "not_prompts"),
            ("README.md", "about"),
            ("journal/2026-01-26.md", "daily_note"),
            ("2026-01-26 Monday.md", "daily_note"),
            ("2026_01_26.md", "daily_note"),
            ("20260126.md", "daily_note"),
            ("2026-W05.md", "daily_note"),
            ("2026-Q1.md", "daily_note"),
            ("2026-01.md", "daily_note"),
            ("2026-01-26 review prompt.md", ""),
            ("2026-01-26 monthly.md", ""),
            ("2026-13-26.md", ""),
            ("12345678.md", ""),
            ("Templates/weekly.md", "template"),
            ("a/.trash/b.md", "trash"),
            ("Trash/b.md", "trash"),
            (".obsidian/", "hidden"),
            (".trash/", "trash"),
            (".b.md", "hidden"),
            ("b (Ana's conflicted copy 2026-01-02).md", "sync_conflict"),
            ("b.sync-conflict-20260102-101112-ABCDEF.md", "sync_conflict"),
            ("map.excalidraw.md", "drawing"),
        ] {
            assert_eq!(said(name), reason, "{name}");
        }
    }

    #[test]
    fn patterns_choose() {
        let said = |own: &Selection, name: &str| own.passes_over(name).map_or("", Reason::name);
        let own = selection(&["prompts/**", "*.jsonl"], &["draft-*"], &[]).unwrap();
        for (name, reason) in [
            ("prompts/a/b.md", ""),
            ("prompts/templates/b.md", ""),
            ("x/y/c.jsonl", ""),
            ("notes/b.md", "not_included"),
            ("prompts/a/draft-b.md", "excluded"),
        ] {
            assert_eq!(said(&own, name), reason, "{name}");
        }
        let own = selection(&[], &["archive/", "a/*.md"], &[]).unwrap();
        let found = ["x/archive/y/b.md", "a/b.md", "a/c/b.md"].map(|name| said(&own, name));
        assert_eq!(found, ["excluded", "excluded", ""]);
        assert_eq!(said(&Selection::default().for_named(), "templates/README.md"), "");
    }

    #[test]
    fn tags_choose_with_what_stands_below_them() {
        let own = selection(&[], &[], &["#Prompt"]).unwrap();
        let wants = |tag: &str| own.wants([tag.to_owned()]);
        assert!(wants("prompt") && wants("#prompt/mail") && !wants("prompts") && !own.wants([]));
        assert!(Selection::default().wants([]));
    }

    #[test]
    fn what_means_nothing_is_refused() {
        let said = |include: &[&str], tags: &[&str]| selection(include, &[], tags).unwrap_err().to_string();
        assert!(said(&["a["], &[]).starts_with("`a[` is no pattern of file names: "));
        assert_eq!(said(&[], &["#"]), "`#` is no tag");
        let long = "x".repeat(GLOB_BYTES_MAX + 1);
        assert!(said(&[&long], &[]).ends_with("holds more than 1000 bytes"));
        assert!(said(&["a"; GLOBS_MAX + 1], &[]).ends_with("is one pattern more than 100"));
    }
}
