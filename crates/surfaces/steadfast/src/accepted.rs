//! A file of decisions on findings: `steadfast-accepted.toml`, which people commit beside what they decide on.
//!
//! It keeps one decision for each finding, and what people write around them: comments and order stay. The history is that of the
//! repository that holds the file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use steadfast_engine::decisions::accepted_file;
use steadfast_engine::store::{
    DecisionCount, DecisionPage, DecisionStore, Stamp, Stamps, StoreFailure, StoredDecision,
};
use steadfast_export::SystemClock;
use steadfast_wire::decisions::DecisionKind;
use toml_edit::{ArrayOfTables, Document, DocumentMut, Item, Table, TableLike, Value, value};

use crate::exit::Failure;
use crate::settings::toml_refused;
use crate::{input, output};

/// The name that is looked for in the working folder.
pub(crate) const NAME: &str = "steadfast-accepted.toml";

/// Largest file of decisions, in bytes.
const BYTES_MAX: u64 = 4 << 20;

/// What a new file begins with.
const HEAD: &str =
    "# What was decided on findings of `steadfast audit`. Gates pass over what is accepted or contested.\n\n";

/// What editors of some systems begin a file with.
const MARK: &str = "\u{feff}";

/// The array of decisions.
const FINDING: &str = "finding";

/// A file of decisions, read.
pub struct Accepted {
    path: PathBuf,
    /// Where it is read to be written: what keeps others who write it away until this is dropped.
    _lock: Option<File>,
    /// What it holds: its text and its decisions, the oldest first.
    held: Mutex<Held>,
}

#[derive(Clone)]
struct Held {
    text: String,
    decisions: Vec<StoredDecision>,
}

impl Accepted {
    /// Reads the file that is named, which must be there; else that of the working folder, if it is there.
    pub fn read(named: Option<&Path>) -> Result<Option<Self>, Failure> {
        let path = named.unwrap_or(Path::new(NAME));
        match text(path) {
            Ok(text) => Ok(Some(Self::of(path, text, None)?)),
            Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(input::unreadable(path, &error)),
        }
    }

    /// The same to be written: a file that is not there is made with the first decision.
    pub(crate) fn open(named: Option<&Path>) -> Result<Self, Failure> {
        let path = named.unwrap_or(Path::new(NAME));
        let lock = lock(path);
        match text(path) {
            Ok(text) => Self::of(path, text, lock),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::of(path, HEAD.to_owned(), lock),
            Err(error) => Err(input::unreadable(path, &error)),
        }
    }

    /// The file, as it was named.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn of(path: &Path, text: String, lock: Option<File>) -> Result<Self, Failure> {
        let decisions = decisions(path, &text)?;
        Ok(Self { path: path.to_owned(), _lock: lock, held: Mutex::new(Held { text, decisions }) })
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // What is held is replaced as a whole, so that it is never half of something.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let bytes = File::open(path)?.take(BYTES_MAX + 1).read_to_string(&mut text)?;
    if bytes as u64 > BYTES_MAX {
        return Err(io::Error::other(format!("holds more than {BYTES_MAX} bytes")));
    }
    Ok(text)
}

/// Waits until nobody else writes the file: of two who read and write it at a time, one would lose what it decided. The folder is locked, for the file is
/// replaced as a whole and may not be there yet. Where a folder cannot be locked, nobody is kept away.
fn lock(path: &Path) -> Option<File> {
    // Through a link, the file that it leads to is written.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = File::open(folder).ok()?;
    folder.lock().is_ok().then_some(folder)
}

/// The decisions of a file, the oldest first.
fn decisions(path: &Path, text: &str) -> Result<Vec<StoredDecision>, Failure> {
    const HINT: &str = "`steadfast schema accepted` has what such a file may say";
    // Of what is no TOML the other reader says where.
    let document = Document::parse(text).ok();
    let entry = |at: usize| document.as_ref().and_then(|own| nth(own.get(FINDING)?, at));
    let span = |at: usize, member: &str| {
        let (own, span) = entry(at)?;
        own.get(member).and_then(Item::span).or(span)
    };
    let line = |at: usize, member: &str| {
        let before = text.get(..span(at, member)?.start)?;
        Some(before.bytes().filter(|byte| *byte == b'\n').count() + 1)
    };
    for (at, entry) in (0..).map_while(|at| Some((at, entry(at)?.0))) {
        let is_bare = |member: &&&str| matches!(entry.get(member), Some(Item::Value(Value::Datetime(_))));
        if let Some(member) = ["until", "decided"].iter().find(is_bare) {
            let place = line(at, member).map_or_else(String::new, |line| format!(":{line}"));
            let what = format!("{}{place}: `{member}` stands without quotes", path.display());
            return Err(Failure::usage(what).hint(format!("write `{member} = \"2026-03-31\"`")));
        }
    }
    let file = toml::from_str(text).map_err(|error| toml_refused(path, text, &error).hint(HINT))?;
    Ok(accepted_file(&path.display().to_string(), file, &line)?)
}

/// An entry of the array of decisions, in whichever form it is written, and where it stands.
fn nth(finding: &Item, at: usize) -> Option<(&dyn TableLike, Option<Range<usize>>)> {
    match finding {
        Item::ArrayOfTables(tables) => {
            let own = tables.get(at)?;
            Some((own, own.span()))
        }
        Item::Value(Value::Array(values)) => match values.get(at)? {
            Value::InlineTable(own) => Some((own, own.span())),
            _ => None,
        },
        _ => None,
    }
}

impl Stamps for Accepted {
    fn stamp(&self) -> Result<Stamp, StoreFailure> {
        SystemClock.stamp()
    }

    fn ticks_ms(&self) -> u64 {
        SystemClock.ticks_ms()
    }
}

impl DecisionStore for Accepted {
    fn add_decision(&self, decision: StoredDecision) -> Result<bool, StoreFailure> {
        let mut held = self.held();
        let text = edited(&held.text, &decision).map_err(|what| failed(&self.path, &what))?;
        if text.len() as u64 > BYTES_MAX {
            return Err(failed(&self.path, &format!("would hold more than {BYTES_MAX} bytes, and no more are read")));
        }
        // What is written is what will be read.
        let decisions = decisions(&self.path, &text).map_err(|failure| failed(&self.path, &failure.message))?;
        output::to(Some(&self.path), text.clone()).map_err(|failure| StoreFailure {
            what: failure.message,
            hint: failure.hint,
            full: false,
        })?;
        *held = Held { text, decisions };
        Ok(true)
    }

    fn latest_decisions(&self, findings: &[&str]) -> Result<Vec<Option<StoredDecision>>, StoreFailure> {
        let held = self.held();
        let found: BTreeMap<&str, &StoredDecision> =
            held.decisions.iter().map(|decision| (decision.finding.as_str(), decision)).collect();
        Ok(findings.iter().map(|finding| found.get(finding).map(|found| (*found).clone())).collect())
    }

    fn decisions(&self, page: &DecisionPage) -> Result<Vec<StoredDecision>, StoreFailure> {
        let held = self.held();
        let newest_first = held.decisions.iter().rev();
        let mut after = page.after.as_deref();
        let listed = newest_first.skip_while(|decision| match after {
            Some(id) => {
                if decision.id == id {
                    after = None;
                }
                true
            }
            None => false,
        });
        let wanted = listed.filter(|decision| {
            page.finding.as_ref().is_none_or(|finding| *finding == decision.finding)
                && page.check.as_ref().is_none_or(|check| *check == decision.check)
        });
        Ok(wanted.take(page.limit).cloned().collect())
    }

    fn decision_counts(&self) -> Result<Vec<DecisionCount>, StoreFailure> {
        let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
        for decision in &self.held().decisions {
            *counts.entry((decision.check.clone(), decision.decision.clone())).or_default() += 1;
        }
        let counted = counts.into_iter().map(|((check, decision), count)| DecisionCount { check, decision, count });
        Ok(counted.collect())
    }
}

fn failed(path: &Path, what: &str) -> StoreFailure {
    StoreFailure { what: format!("{}: {what}", path.display()), hint: None, full: false }
}

/// The text with a decision in it: in the place of the one on the same finding, else at the end. What is withdrawn is taken out. A byte order mark and the line
/// ends of another system stay.
fn edited(text: &str, decision: &StoredDecision) -> Result<String, String> {
    let (mark, own) = text.strip_prefix(MARK).map_or(("", text), |own| (MARK, own));
    let carries = own.lines().next().is_some_and(|first| own[first.len()..].starts_with("\r\n"));
    let changed = changed(&own.replace("\r\n", "\n"), decision)?;
    Ok(format!("{mark}{}", if carries { changed.replace('\n', "\r\n") } else { changed }))
}

fn changed(text: &str, decision: &StoredDecision) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    let is_empty = document.iter().next().is_none();
    // What stands in a file without a decision stands before the first one.
    let head = document.trailing().as_str().filter(|_| is_empty).unwrap_or_default().to_owned();
    let item = document.entry(FINDING).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    if item.as_array().is_some_and(toml_edit::Array::is_empty) {
        *item = Item::ArrayOfTables(ArrayOfTables::new());
    }
    let Item::ArrayOfTables(tables) = item else {
        return Err(format!("its decisions do not stand in tables of the form `[[{FINDING}]]`"));
    };
    let place = tables.iter().position(|table| table.get("id").and_then(Item::as_str) == Some(&*decision.finding));
    if decision.decision == DecisionKind::Withdrawn.name() {
        if let Some(place) = place {
            let before = prefix(&tables.remove(place));
            // What a blank line parts from the decision is about more than it.
            let kept = before.rfind("\n\n").map_or(String::new(), |end| before[..end + 2].to_owned());
            match tables.get_mut(place) {
                Some(next) => {
                    let own = prefix(next);
                    next.decor_mut().set_prefix(kept + own.trim_start_matches('\n'));
                }
                None => {
                    let trailing = document.trailing().as_str().unwrap_or_default().to_owned();
                    document.set_trailing(kept + &trailing);
                }
            }
        }
        return Ok(document.to_string());
    }
    let place = place.unwrap_or_else(|| {
        let mut table = Table::new();
        if is_empty && !head.is_empty() {
            table.decor_mut().set_prefix(head);
        }
        tables.push(table);
        tables.len() - 1
    });
    let Some(table) = tables.get_mut(place) else { return Err("it changed while it was edited".to_owned()) };
    let written = [
        ("id", Some(&decision.finding)),
        ("decision", Some(&decision.decision)),
        ("reason", Some(&decision.reason)),
        ("until", decision.until.as_ref()),
        ("author", decision.author.as_ref()),
        ("decided", Some(&decision.created_at)),
    ];
    for (key, text) in written {
        match text {
            // The value alone is replaced: a comment beside it stays.
            Some(text) => match table.get_mut(key).and_then(Item::as_value_mut) {
                Some(old) => {
                    let decor = old.decor().clone();
                    *old = text.as_str().into();
                    *old.decor_mut() = decor;
                }
                None => drop(table.insert(key, value(text))),
            },
            None => drop(table.remove(key)),
        }
    }
    if is_empty {
        document.set_trailing("");
    }
    Ok(document.to_string())
}

/// What stands before a decision.
fn prefix(table: &Table) -> String {
    table.decor().prefix().and_then(|own| own.as_str()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{HEAD, StoredDecision, edited};

    fn decision(finding: &str, decision: &str, reason: &str, until: Option<&str>) -> StoredDecision {
        StoredDecision {
            id: String::new(),
            finding: finding.to_owned(),
            check: String::new(),
            run_id: None,
            decision: decision.to_owned(),
            reason: reason.to_owned(),
            author: None,
            until: until.map(str::to_owned),
            created_at: "2026-03-31T10:00:00.000Z".to_owned(),
        }
    }

    #[test]
    fn a_file_keeps_what_people_write_around_decisions() {
        let one = edited(HEAD, &decision("a-1", "accept", "known", Some("2026-12-31"))).unwrap();
        assert_eq!(
            one,
            format!(
                "{HEAD}[[finding]]\nid = \"a-1\"\ndecision = \"accept\"\nreason = \"known\"\nuntil = \"2026-12-31\"\n\
                 decided = \"2026-03-31T10:00:00.000Z\"\n"
            )
        );
        let noted = one.replace("reason = \"known\"", "reason = \"known\" # see the minutes");
        let two = edited(&noted, &decision("b-2", "contest", "it is the other year", None)).unwrap();
        let two = two.replace("\n[[finding]]\nid = \"b-2\"", "\n# Of the annex.\n[[finding]]\nid = \"b-2\"");
        let three = edited(&two, &decision("a-1", "contest", "it is wrong", None)).unwrap();
        assert_eq!(
            three,
            format!(
                "{HEAD}[[finding]]\nid = \"a-1\"\ndecision = \"contest\"\nreason = \"it is wrong\" # see the minutes\n\
                 decided = \"2026-03-31T10:00:00.000Z\"\n\n# Of the annex.\n[[finding]]\nid = \"b-2\"\ndecision = \"contest\"\n\
                 reason = \"it is the other year\"\ndecided = \"2026-03-31T10:00:00.000Z\"\n"
            )
        );
        let without = edited(&three, &decision("a-1", "withdrawn", "", None)).unwrap();
        assert!(without.starts_with(&format!("{HEAD}# Of the annex.\n[[finding]]\nid = \"b-2\"")), "{without}");
        assert_eq!(edited(&without, &decision("b-2", "withdrawn", "", None)).unwrap(), HEAD);
    }

    #[test]
    fn decisions_in_another_form_are_not_written_over() {
        assert_eq!(
            edited("finding = [{ id = \"a-1\" }]", &decision("b-2", "accept", "so", None)).unwrap_err(),
            "its decisions do not stand in tables of the form `[[finding]]`"
        );
    }
}
