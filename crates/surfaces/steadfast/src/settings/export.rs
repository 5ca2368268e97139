//! Settings of exporters: flags over variables of the environment, and what the settings file lets them tell.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use steadfast_engine::privacy::{Capture, Privacy};
use steadfast_export::{Exporter, WAIT_DEFAULT, exporter};

use super::{privacy, user_folder, variable};
use crate::args::{CaptureArg, ExportArgs, QueueArgs};
use crate::exit::Failure;

/// What says that a run is told of nowhere.
const NOWHERE: &str = "none";

/// How long a run waits, once its answer is out, where nothing says otherwise.
const WAIT_SECONDS: f64 = WAIT_DEFAULT.as_secs() as f64;

/// How long it waits at most.
const WAIT_SECONDS_MAX: f64 = 60.0;

/// Where a run is told of.
#[derive(Debug)]
pub(crate) struct ExportSettings {
    /// Where to; nowhere where it is empty.
    pub(crate) exporters: Vec<Exporter>,
    /// The folder that traces wait in. Empty where nothing is exported.
    pub(crate) queue: PathBuf,
    /// What is told of texts.
    pub(crate) capture: Capture,
    /// How long a run waits, once its answer is out, for what it sends.
    pub(crate) wait: Duration,
    /// What is kept of the run, and told of it, at most.
    pub(crate) privacy: Privacy,
}

/// Nothing is told, everything is kept.
impl Default for ExportSettings {
    fn default() -> Self {
        Self {
            exporters: Vec::new(),
            queue: PathBuf::new(),
            capture: Capture::Preview,
            wait: WAIT_DEFAULT,
            privacy: Privacy::default(),
        }
    }
}

/// Settings of what a run is told of, beside the store that it is kept in. Where it is told or kept, the settings file says what of it may be;
/// one that is named is read in any case, so that what is wrong with it is told.
pub(crate) fn export(
    args: ExportArgs,
    store: Option<&Path>,
    config: Option<PathBuf>,
) -> Result<ExportSettings, Failure> {
    let mut wanted = args.to;
    if wanted.is_empty() {
        let listed = text("STEADFAST_EXPORT").unwrap_or_default();
        wanted = listed.split(',').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect();
    }
    wanted.retain(|it| it != NOWHERE);
    let mut exporters: Vec<Exporter> = Vec::new();
    for given in &wanted {
        exporters.push(exporter(given, &text)?);
    }
    let capture = match (args.capture, text("STEADFAST_EXPORT_CAPTURE")) {
        (Some(CaptureArg::Preview), _) => Capture::Preview,
        (Some(CaptureArg::Hash), _) => Capture::Hash,
        (Some(CaptureArg::None), _) => Capture::None,
        (None, None) => Capture::Preview,
        (None, Some(name)) => {
            let told = Capture::ALL.into_iter().filter(|it| *it != Capture::Full).find(|it| it.name() == name);
            told.ok_or_else(|| {
                Failure::usage(format!("STEADFAST_EXPORT_CAPTURE is `{name}`"))
                    .hint("it is `preview`, `hash` or `none`")
            })?
        }
    };
    let wait = args.wait.or_else(|| text("STEADFAST_EXPORT_WAIT")).map_or(Ok(WAIT_SECONDS), |given| seconds(&given))?;
    let queue = if exporters.is_empty() { PathBuf::new() } else { queue(args.queue, store)? };
    let is_asked = store.is_some() || !exporters.is_empty() || config.is_some();
    let privacy = if is_asked { privacy(config)? } else { Privacy::default() };
    let (capture, wait) = (capture.min(privacy.capture), Duration::from_secs_f64(wait));
    Ok(ExportSettings { exporters, queue, capture, wait, privacy })
}

fn seconds(given: &str) -> Result<f64, Failure> {
    let seconds = given.trim().parse::<f64>().ok().filter(|seconds| (0.0..=WAIT_SECONDS_MAX).contains(seconds));
    seconds.ok_or_else(|| {
        Failure::usage(format!("`--export-wait {given}` is no time"))
            .hint("a run waits from 0 to 60 seconds for what it sends")
    })
}

/// The folder that traces wait in.
pub(crate) fn queue(args: QueueArgs, store: Option<&Path>) -> Result<PathBuf, Failure> {
    let beside = || {
        store.map(|store| {
            let mut name = store.as_os_str().to_owned();
            name.push(".export");
            PathBuf::from(name)
        })
    };
    args.folder
        .or_else(|| variable("STEADFAST_EXPORT_QUEUE"))
        .or_else(beside)
        .or_else(|| user_folder("XDG_DATA_HOME", ".local/share").map(|data| data.join("export")))
        .ok_or_else(|| {
            Failure::usage("no folder is known that traces can wait in: HOME is not set")
                .hint("`--export-queue DIR` names one")
        })
}

/// A variable of the environment that is set, is no empty text and is text at all.
pub(crate) fn text(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
