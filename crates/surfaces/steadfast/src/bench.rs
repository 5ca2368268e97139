//! `steadfast plan bench`.

use std::sync::Arc;

use steadfast_engine::days;
use steadfast_engine::runs::Stopwatch;
use steadfast_engine::trace::{self, BenchDay};
use steadfast_export::SystemClock;
use steadfast_render::plan as draw;
use steadfast_wire::plan::Bench;

use crate::args::{BenchFormat, PlanBenchArgs};
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::talk::Talk;
use crate::{output, record, settings, wait};

/// Runs every variant over the shipped days and writes how they compare.
pub(crate) fn bench(args: PlanBenchArgs, talk: &Talk) -> Result<Status, Failure> {
    let PlanBenchArgs { output, export } = args;
    let (format, output) = (output.format(), output.file());
    let exports = Exports::new(settings::export(export, None, None)?);
    for file in &exports.files {
        record::distinct(file, None, &[], output.as_slice())?;
    }
    let mut watch = exports.is_asked().then(|| Stopwatch::start(Arc::new(SystemClock))).transpose()?;
    let message = (!talk.quiet).then(|| "planning the shipped days".to_owned());
    let bench = wait::wait(async { days::bench() }, message)?;
    let text = match format {
        BenchFormat::Text => draw::bench_text(&bench, output::colour(output.is_none())),
        BenchFormat::Json => steadfast_wire::to_json(&bench)?,
        BenchFormat::Html => draw::bench_html(&bench)?,
    };
    match output {
        Some(path) => output::to_files(&[(path, text)])?,
        None => output::to_stdout(&text)?,
    }
    if let Some(watch) = &mut watch {
        tell(&bench, watch, &exports, *talk)?;
    }
    Ok(Status::Passed)
}

/// Tells of each variant as an experiment.
fn tell(bench: &Bench, watch: &mut Stopwatch, exports: &Exports, talk: Talk) -> Result<(), Failure> {
    let days = days::days()?;
    let day = |day: days::Day| BenchDay {
        id: day.id,
        notes: day.notes,
        current_time: day.now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
    };
    let days: Vec<BenchDay> = days.into_iter().map(day).collect();
    for batch in trace::bench(bench, &days, &watch.stop(), &SystemClock)? {
        exports.take(&batch, talk);
    }
    exports.send(talk);
    Ok(())
}
