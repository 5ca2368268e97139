//! `steadfast plan bench`.

use steadfast_render::plan as draw;

use crate::args::BenchFormat;
use crate::audit::colour;
use crate::exit::{Failure, Status};
use crate::settings::BenchSettings;
use crate::talk::Talk;
use crate::{output, wait};

/// Runs every variant over the shipped days and writes how they compare.
pub(crate) fn bench(settings: BenchSettings, talk: &Talk) -> Result<Status, Failure> {
    let message = (!talk.quiet).then(|| "planning the shipped days".to_owned());
    let bench = wait::wait(async { steadfast_measure::days::bench() }, message)
        .map_err(|error| Failure::external(error.to_string()))?;
    let text = match settings.format {
        BenchFormat::Text => draw::bench_text(&bench, colour(settings.output.is_none())),
        BenchFormat::Json => steadfast_wire::to_json(&bench)?,
        BenchFormat::Html => draw::bench_html(&bench)?,
    };
    match settings.output {
        Some(path) => output::to_files(&[(path, text)])?,
        None => output::to_stdout(&text)?,
    }
    Ok(Status::Passed)
}
