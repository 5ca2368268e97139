//! What a job is to do.

use std::collections::BTreeMap;

use axum::body::Bytes;
use steadfast_engine::calls::Refusal;
use steadfast_engine::{AuditInput, File, intake, prompt_file, report_file};
use steadfast_wire::audit::Judge;
use steadfast_wire::jobs::{JobBody, JobPair};

use crate::problem::Problem;

/// What an archive is called in messages.
const ARCHIVE_NAME: &str = "runs.zip";

/// What a job is to do, as it waits.
pub(super) struct Order {
    pub(super) judge: Judge,
    what: What,
    bytes: usize,
    count: usize,
}

enum What {
    Pairs(Vec<JobPair>),
    /// An archive waits as it came, and is inflated when its turn comes.
    Archive(Bytes),
}

/// One audit of a job.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) input: AuditInput,
}

impl Order {
    /// Prompts and reports.
    pub(super) fn pairs(body: JobBody) -> Result<Self, Problem> {
        let JobBody { pairs, judge } = body;
        if pairs.is_empty() {
            return Err(Refusal::input("a job of no parts").hint("`pairs` lists prompts and reports").into());
        }
        let bytes = pairs.iter().map(|own| own.prompt.len() + own.report.len() + size_of::<JobPair>()).sum();
        Ok(Self { judge: judge.unwrap_or(Judge::Rules), count: pairs.len(), what: What::Pairs(pairs), bytes })
    }

    /// An archive whose top folders are runs. It is read whole, so that what is wrong with it is told to whoever sent it.
    pub(super) fn archive(archive: Bytes, judge: Judge) -> Result<Self, Problem> {
        let count = runs(&archive)?.len();
        Ok(Self { judge, count, bytes: archive.len(), what: What::Archive(archive) })
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }

    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The audits, in their order.
    pub(super) fn parts(self) -> Result<Vec<Part>, Problem> {
        let pairs = match self.what {
            What::Pairs(pairs) => pairs,
            What::Archive(archive) => {
                let part = |(name, files): (String, Vec<File>)| Part {
                    input: AuditInput::Folder { name: name.clone(), files },
                    name,
                };
                return Ok(runs(&archive)?.into_iter().map(part).collect());
            }
        };
        let part = |(number, JobPair { name, prompt, report }): (usize, JobPair)| Part {
            name: name.unwrap_or_else(|| number.to_string()),
            input: AuditInput::Pair { prompt: prompt_file(prompt), report: report_file(report) },
        };
        Ok(pairs.into_iter().enumerate().map(part).collect())
    }
}

/// The runs of an archive by their folders' names, in their order.
fn runs(archive: &[u8]) -> Result<BTreeMap<String, Vec<File>>, Problem> {
    let mut runs: BTreeMap<String, Vec<File>> = BTreeMap::new();
    for file in intake::unzip(ARCHIVE_NAME, archive).map_err(Refusal::from)? {
        let is_read = intake::is_read(&file.name);
        match file.name.split_once('/') {
            // Hidden folders, and those that archivers put beside, are no runs.
            Some((folder, _)) if !folder.starts_with('.') && folder != "__MACOSX" => {
                runs.entry(folder.to_owned()).or_default().push(file);
            }
            None if is_read => {
                let what = format!("{ARCHIVE_NAME}: `{}` stands in no folder", crate::query::shown(&file.name));
                return Err(Refusal::input(what).hint("each folder at its top is one run").into());
            }
            _ => {}
        }
    }
    if runs.is_empty() {
        let refusal = Refusal::input(format!("{ARCHIVE_NAME}: there is no folder in it"));
        return Err(refusal.hint("each folder at its top is one run").into());
    }
    Ok(runs)
}
