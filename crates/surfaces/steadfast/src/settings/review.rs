//! Settings of `steadfast review`.

use std::path::PathBuf;

use steadfast_engine::runs::AgentName;
use steadfast_wire::review::{Profile, Recommendation};

use super::{ExportSettings, Place, export, place};
use crate::args::{EmbedderArg, Format, ProfileArg, ReviewArgs, ReviewCommand};
use crate::exit::Failure;

/// What `steadfast review` is asked for.
#[derive(Debug)]
pub(crate) enum ReviewCall {
    /// An output is reviewed.
    Review(Box<ReviewSettings>),
    /// The convention is printed.
    Convention,
}

/// Settings of one review.
#[derive(Debug)]
pub(crate) struct ReviewSettings {
    /// The output.
    pub(crate) file: Place,
    /// Acceptance criteria.
    pub(crate) criteria: Option<Place>,
    /// Below this score a revision is requested.
    pub(crate) threshold: f64,
    /// How the house uses 🐛 and 🔒.
    pub(crate) profile: Profile,
    /// What a summary may hold, in tokens.
    pub(crate) summary_tokens: usize,
    /// What finds partners of criteria that words do not.
    pub(crate) embedder: Option<EmbedderArg>,
    /// Whether the output is handed on.
    pub(crate) pass_through: bool,
    /// What must hold.
    pub(crate) gates: ReviewGates,
    /// Where it is kept.
    pub(crate) store: Option<PathBuf>,
    /// Whose work it is.
    pub(crate) agent: Option<AgentName>,
    /// Where the run is told of.
    pub(crate) export: ExportSettings,
    /// What is written.
    pub(crate) format: Format,
    /// Where to; stdout where it is `None`.
    pub(crate) output: Option<PathBuf>,
}

/// What a review must be to pass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ReviewGates {
    /// Fails below this score.
    pub(crate) fail_below: Option<f64>,
    /// Fails at this recommendation or worse.
    pub(crate) recommendation: Option<Recommendation>,
    /// Fails when a claim is false.
    pub(crate) contradiction: bool,
    /// Fails when a criterion is not met or not reported.
    pub(crate) criteria: bool,
}

/// Settings of `steadfast review`.
pub(crate) fn review(args: ReviewArgs) -> Result<ReviewCall, Failure> {
    if let Some(ReviewCommand::Convention) = args.command {
        return Ok(ReviewCall::Convention);
    }
    // The parser asks for it.
    let file = place(args.file.ok_or_else(|| Failure::usage("no FILE is given"))?);
    let criteria = args.criteria.map(place);
    if file == Place::Stdin && criteria == Some(Place::Stdin) {
        return Err(Failure::usage("output and criteria cannot both be read from stdin")
            .hint("give one of them as a file: `steadfast review - --criteria criteria.txt`"));
    }
    let mut gates =
        ReviewGates { fail_below: args.fail_below.as_deref().map(share).transpose()?, ..Default::default() };
    for condition in &args.fail_on {
        fail_on(condition, &mut gates)?;
    }
    let export = export(args.export, args.store.as_deref(), None)?;
    Ok(ReviewCall::Review(Box::new(ReviewSettings {
        file,
        criteria,
        threshold: args.threshold,
        profile: match args.profile {
            ProfileArg::Seed => Profile::Seed,
            ProfileArg::Fixed => Profile::Fixed,
        },
        summary_tokens: args.summary_tokens as usize,
        embedder: args.embedder,
        pass_through: args.pass_through,
        gates,
        store: args.store,
        agent: args.agent,
        export,
        format: if args.json { Format::Json } else { args.format },
        output: args.output.filter(|path| path.as_os_str() != "-"),
    })))
}

fn share(text: &str) -> Result<f64, Failure> {
    match text.parse::<f64>() {
        Ok(score) if (0.0..=1.0).contains(&score) => Ok(score),
        _ => Err(Failure::usage(format!("`--fail-below {text}` is no score")).hint("a score lies between 0 and 1")),
    }
}

/// Reads one `--fail-on`. Of several recommendations the best holds, since each of them fails.
fn fail_on(condition: &str, gates: &mut ReviewGates) -> Result<(), Failure> {
    match condition {
        "contradiction" => gates.contradiction = true,
        "criteria" => gates.criteria = true,
        "recommendation=review" => gates.recommendation = Some(Recommendation::Review),
        "recommendation=request_revision" => {
            gates.recommendation = gates.recommendation.or(Some(Recommendation::RequestRevision));
        }
        _ => {
            return Err(Failure::usage(format!("`--fail-on {condition}` is no condition of review"))
                .hint("review fails on `recommendation=review|request_revision`, `contradiction` or `criteria`"));
        }
    }
    Ok(())
}
