//! The marks of models that sat an exam, in a file.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use steadfast_wire::chat::{ExamMark, ExamPart, KeptMark, KeptMarks};

/// Largest such file, in bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// The marks that a file holds. A lock beside it keeps processes apart.
#[derive(Clone, Debug)]
pub struct FileMarks {
    path: PathBuf,
}

impl FileMarks {
    /// The marks in this file, which is made, with its folder, when a mark is put there.
    #[must_use]
    pub const fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// What an exam of this version of the rules says of a model; `None` where it has sat none, or the file cannot be read.
    #[must_use]
    pub fn of(&self, part: ExamPart, server: &str, model: &str, rules_version: &str) -> Option<ExamMark> {
        let is_it = |own: &KeptMark| {
            own.part == part && own.server == server && own.model == model && own.rules_version == rules_version
        };
        read(&self.path)?.marks.into_iter().find(is_it).map(|own| own.mark)
    }

    /// Keeps a mark in the place of an earlier one of the same part and model. A file that cannot be read as one is begun anew.
    ///
    /// # Errors
    /// Why the file cannot be written.
    pub fn put(&self, mark: KeptMark) -> Result<(), String> {
        let failed = |error: io::Error| format!("{}: {error}", self.path.display());
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let lock = self.path.with_extension("lock");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(lock).map_err(failed)?;
        lock.lock().map_err(failed)?;
        let mut kept = read(&self.path).unwrap_or_default();
        kept.marks.retain(|own| (own.part, &own.server, &own.model) != (mark.part, &mark.server, &mark.model));
        kept.marks.push(mark);
        let text = steadfast_wire::to_json(&kept).map_err(|error| error.to_string())?;
        let part = self.path.with_extension("part");
        fs::write(&part, text).and_then(|()| fs::rename(&part, &self.path)).map_err(failed)
    }
}

fn read(path: &Path) -> Option<KeptMarks> {
    if fs::metadata(path).ok()?.len() > FILE_BYTES_MAX {
        return None;
    }
    steadfast_wire::from_json(&fs::read_to_string(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use steadfast_wire::chat::{ExamMark, ExamPart, KeptMark};

    use super::FileMarks;

    #[test]
    fn the_latest_mark_of_a_model_is_kept_and_counts_for_its_rules_alone() {
        let folder = tempfile::tempdir().unwrap();
        let marks = FileMarks::new(folder.path().join("state").join("marks.json"));
        let of = |cases, model: &str| KeptMark {
            part: ExamPart::Audit,
            server: "http://a".to_owned(),
            model: model.to_owned(),
            rules_version: "1".to_owned(),
            mark: ExamMark { sat_at: String::new(), cases, repeats: 1, passed: true, figures: Vec::new() },
        };
        let cases = |part, server, model, version| marks.of(part, server, model, version).map(|own| own.cases);
        assert_eq!(cases(ExamPart::Audit, "http://a", "m", "1"), None);
        for own in [of(40, "m"), of(41, "n"), of(42, "m")] {
            marks.put(own).unwrap();
        }
        assert_eq!(cases(ExamPart::Audit, "http://a", "m", "1"), Some(42));
        assert_eq!(cases(ExamPart::Audit, "http://a", "n", "1"), Some(41));
        assert_eq!(cases(ExamPart::Plan, "http://a", "m", "1"), None);
        assert_eq!(cases(ExamPart::Audit, "http://b", "m", "1"), None);
        assert_eq!(cases(ExamPart::Audit, "http://a", "m", "2"), None);
        fs::write(folder.path().join("state").join("marks.json"), "{").unwrap();
        assert_eq!(cases(ExamPart::Audit, "http://a", "m", "1"), None);
        marks.put(of(43, "m")).unwrap();
        assert_eq!(cases(ExamPart::Audit, "http://a", "m", "1"), Some(43));
    }
}
