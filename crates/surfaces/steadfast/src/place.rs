//! Where what is worked on is read from.

use std::path::{Path, PathBuf};

use steadfast_wire::request::{JsonSource, Source};

/// Where something is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Standard input.
    Stdin,
    /// A file or folder.
    Path(PathBuf),
}

impl Place {
    /// The place of a path; `-` is stdin.
    pub(crate) fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" { Self::Stdin } else { Self::Path(path.to_owned()) }
    }

    /// The path, where there is one.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Stdin => None,
            Self::Path(path) => Some(path.clone()),
        }
    }

    /// What it is called in outputs: the file's name alone, since the folders before it are of this machine.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => "stdin".to_owned(),
            Self::Path(path) => {
                path.file_name().map_or_else(|| "input".to_owned(), |name| name.to_string_lossy().into_owned())
            }
        }
    }
}

/// The place of a source that came by the command line, where it is always a path.
impl From<&Source> for Place {
    fn from(source: &Source) -> Self {
        Self::of(&source.path().unwrap_or_default())
    }
}

impl From<&JsonSource> for Place {
    fn from(source: &JsonSource) -> Self {
        Self::of(&source.path().unwrap_or_default())
    }
}

/// What is audited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A prompt and a report.
    Pair {
        /// The prompt.
        prompt: Place,
        /// The report: files, and folders of files.
        reports: Vec<Place>,
    },
    /// A planner's run.
    Run(Place),
}

impl Target {
    /// Whether a part of it is what comes on stdin.
    pub(crate) fn is_read_from_stdin(&self) -> bool {
        match self {
            Self::Pair { prompt, reports } => reports.iter().chain([prompt]).any(|place| *place == Place::Stdin),
            Self::Run(run) => *run == Place::Stdin,
        }
    }

    /// The files and folders that it names.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        match self {
            Self::Pair { prompt, reports } => reports.iter().chain([prompt]).filter_map(Place::path).collect(),
            Self::Run(run) => run.path().into_iter().collect(),
        }
    }
}
