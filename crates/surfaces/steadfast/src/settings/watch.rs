//! Settings of `steadfast watch`.

use std::path::PathBuf;

use steadfast_wire::audit::Judge;
use steadfast_wire::request::EmbedderChoice;
use steadfast_wire::watch::Aggregate;

use super::{ChatSettings, ExportSettings, asked_models, export};
use crate::args::{ScoringArgs, WatchArgs, WatchCommand, WatchFormat};
use crate::exit::Failure;
use crate::place::Place;

/// Settings of `steadfast watch`.
#[derive(Debug)]
pub(crate) struct WatchSettings {
    /// The logs.
    pub(crate) files: Vec<Place>,
    /// How steps are scored.
    pub(crate) scoring: Scoring,
    /// From which score on an alert is raised.
    pub(crate) alert: Option<f64>,
    /// Runs that are known to be good.
    pub(crate) baseline: Option<Place>,
    /// Whether an alert fails.
    pub(crate) fail_on_alert: bool,
    /// Who judges.
    pub(crate) judge: Judge,
    /// How a chat model is asked; `None` where none is.
    pub(crate) chat: Option<ChatSettings>,
    /// Whether a chat model that fails ends the program with status 4.
    pub(crate) require_chat: bool,
    /// What is written.
    pub(crate) format: WatchFormat,
    /// Where to; stdout where it is `None`.
    pub(crate) output: Option<PathBuf>,
}

/// Settings of `steadfast watch compare`.
#[derive(Debug)]
pub(crate) struct CompareSettings {
    /// The first arm.
    pub(crate) a: Place,
    /// The second arm.
    pub(crate) b: Place,
    /// How steps are scored.
    pub(crate) scoring: Scoring,
    /// What is written.
    pub(crate) format: WatchFormat,
    /// Where to; stdout where it is `None`.
    pub(crate) output: Option<PathBuf>,
}

/// How steps are scored.
#[derive(Debug)]
pub(crate) struct Scoring {
    /// What makes vectors of the texts.
    pub(crate) embedder: EmbedderChoice,
    /// What of a long output is compared.
    pub(crate) aggregate: Aggregate,
    /// Initial intents by task.
    pub(crate) intents: Option<Place>,
    /// Where the run and vectors are kept.
    pub(crate) store: Option<PathBuf>,
    /// Where the run is told of.
    pub(crate) export: ExportSettings,
}

/// What `steadfast watch` is asked for.
#[derive(Debug)]
pub(crate) enum WatchCall {
    /// Following agents.
    Follow(Box<WatchSettings>),
    /// Comparing two arms.
    Compare(Box<CompareSettings>),
}

/// Settings of `steadfast watch`.
pub(crate) fn watch(args: WatchArgs) -> Result<WatchCall, Failure> {
    if let Some(WatchCommand::Compare(args)) = args.command {
        let (a, b) = (Place::of(&args.a), Place::of(&args.b));
        if a == Place::Stdin && b == Place::Stdin {
            return Err(Failure::usage("both arms cannot be read from stdin"));
        }
        let (format, output) = (args.output.format(), args.output.file());
        let scoring = scoring(args.scoring, None)?;
        return Ok(WatchCall::Compare(Box::new(CompareSettings { a, b, scoring, format, output })));
    }
    let files: Vec<Place> = args.files.iter().map(|path| Place::of(path)).collect();
    let baseline = args.baseline.as_deref().map(Place::of);
    let judge = args.judge.unwrap_or(Judge::Rules);
    let is_asked = judge == Judge::Both;
    if args.require_chat && !is_asked {
        return Err(Failure::usage("`--require-chat` is given, and no model is asked").hint("`--judge both` asks one"));
    }
    let scoring = scoring(args.scoring, args.chat.config.clone())?;
    let chat = asked_models(is_asked, args.chat, "`--judge both`")?;
    let from_stdin = files.iter().chain(&baseline).chain(&scoring.intents).filter(|it| **it == Place::Stdin).count();
    if from_stdin > 1 {
        return Err(Failure::usage("only one input can be read from stdin"));
    }
    for condition in &args.fail_on {
        if condition != "alert" {
            let known = ["disqualified", "clarify", "new"].contains(&condition.as_str());
            let what =
                if known || condition.starts_with("risk=") { "does not apply to watch" } else { "is no condition" };
            return Err(Failure::usage(format!("`--fail-on {condition}` {what}")).hint("watch fails on `alert`"));
        }
    }
    let alert = args.alert.as_deref().map(|text| match text.parse::<f64>() {
        Ok(threshold) if (0.0..=1.0).contains(&threshold) => Ok(threshold),
        _ => Err(Failure::usage(format!("`--alert {text}` is no threshold")).hint("scores lie between 0 and 1")),
    });
    let (format, output) = (args.output.format(), args.output.file());
    Ok(WatchCall::Follow(Box::new(WatchSettings {
        files,
        scoring,
        alert: alert.transpose()?,
        baseline,
        fail_on_alert: !args.fail_on.is_empty(),
        judge,
        chat,
        require_chat: args.require_chat,
        format,
        output,
    })))
}

fn scoring(args: ScoringArgs, config: Option<PathBuf>) -> Result<Scoring, Failure> {
    let export = export(args.export, args.store.as_deref(), config)?;
    let intents = args.intents.as_deref().map(Place::of);
    Ok(Scoring { embedder: args.embedder, aggregate: args.aggregate, intents, store: args.store, export })
}
