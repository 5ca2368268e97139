//! What a job is to do.

use std::collections::BTreeMap;
use std::iter::Enumerate;
use std::vec::IntoIter;

use axum::body::Bytes;
use steadfast_engine::calls::Refusal;
use steadfast_engine::intake::Archive;
use steadfast_engine::{File, intake};
use steadfast_wire::audit::Judge;
use steadfast_wire::jobs::{JobBody, JobPair};
use steadfast_wire::request::AgentName;

use super::part::{Part, Texts};
use crate::problem::Problem;

/// What an archive is called in messages.
const ARCHIVE_NAME: &str = "runs.zip";

/// What a job is to do, as it waits.
pub(super) struct Order {
    pub(super) judge: Option<Judge>,
    what: What,
    bytes: usize,
    count: usize,
}

enum What {
    Pairs(Vec<JobPair>),
    /// An archive waits as it came, and is inflated when its turn comes. All of it is the work of one agent, where one is named.
    Archive(Bytes, Option<AgentName>),
}

impl Order {
    /// Prompts and reports.
    pub(super) fn pairs(body: JobBody) -> Result<Self, Problem> {
        let JobBody { pairs, judge } = body;
        if pairs.is_empty() {
            return Err(Refusal::input("a job of no parts").hint("`pairs` lists prompts and reports").into());
        }
        let bytes = pairs.iter().map(|own| own.prompt.len() + own.report.len() + size_of::<JobPair>()).sum();
        Ok(Self { judge, count: pairs.len(), what: What::Pairs(pairs), bytes })
    }

    /// An archive whose top folders are runs. All of it is read, one file after the other, so that what is wrong with it is told to whoever sent it.
    pub(super) fn archive(archive: Bytes, judge: Option<Judge>, agent: Option<AgentName>) -> Result<Self, Problem> {
        let Runs { mut members, runs } = Runs::of(archive.clone())?;
        for at in 0..members.members().count() {
            members.file(at).map_err(Refusal::from)?;
        }
        Ok(Self { judge, count: runs.len(), bytes: archive.len(), what: What::Archive(archive, agent) })
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }

    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The audits, in their order.
    pub(super) fn parts(self) -> Result<Parts, Problem> {
        Ok(match self.what {
            What::Pairs(pairs) => Parts::Pairs(pairs.into_iter().enumerate()),
            What::Archive(archive, agent) => Parts::Runs(Runs::of(archive)?, agent),
        })
    }
}

/// The audits of a job that are still to be done. Of an archive one run is inflated at a time.
pub(super) enum Parts {
    Pairs(Enumerate<IntoIter<JobPair>>),
    Runs(Runs, Option<AgentName>),
}

impl Iterator for Parts {
    type Item = Result<Part, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Pairs(pairs) => pairs.next().map(|(number, own)| {
                Ok(Part {
                    name: own.name.unwrap_or_else(|| number.to_string()),
                    agent: own.agent.map(String::from),
                    judge: None,
                    texts: Texts::Pair { prompt: own.prompt, report: own.report },
                })
            }),
            Self::Runs(own, agent) => {
                let (name, places) = own.runs.pop_first()?;
                let files = places.into_iter().map(|at| own.members.file(at)).collect::<Result<_, _>>();
                let agent = agent.clone().map(String::from);
                let part = |files: Vec<File>| {
                    let files = files.into_iter().map(|File { name, bytes }| (name, bytes)).collect();
                    Part { name, agent, judge: None, texts: Texts::Run(files) }
                };
                Some(files.map(part).map_err(|error| Refusal::from(error).into()))
            }
        }
    }
}

/// The runs of an archive.
pub(super) struct Runs {
    members: Archive<Bytes>,
    /// By their folders' names, in their order: the places of their files in the archive.
    runs: BTreeMap<String, Vec<usize>>,
}

impl Runs {
    fn of(archive: Bytes) -> Result<Self, Problem> {
        let members = Archive::open(ARCHIVE_NAME, archive).map_err(Refusal::from)?;
        let mut runs: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut inflated: BTreeMap<&str, u64> = BTreeMap::new();
        for (at, (name, bytes)) in members.members().enumerate() {
            match name.split_once('/') {
                // Hidden folders, and those that archivers put beside, are no runs.
                Some((folder, _)) if !folder.starts_with('.') && folder != "__MACOSX" => {
                    runs.entry(folder.to_owned()).or_default().push(at);
                    *inflated.entry(folder).or_default() += bytes;
                }
                None if intake::is_read(name) => {
                    let what = format!("{ARCHIVE_NAME}: `{}` stands in no folder", crate::query::shown(name));
                    return Err(Refusal::input(what).hint("each folder at its top is one run").into());
                }
                _ => {}
            }
        }
        for (folder, bytes) in inflated {
            crate::archive::run(folder, bytes)?;
        }
        if runs.is_empty() {
            let refusal = Refusal::input(format!("{ARCHIVE_NAME}: there is no folder in it"));
            return Err(refusal.hint("each folder at its top is one run").into());
        }
        Ok(Self { members, runs })
    }
}
