//! `steadfast review` and `review convention`.

use std::path::PathBuf;

use steadfast_engine::review::{CONVENTION, ReviewOutcome, ReviewRequest, criteria_of};
use steadfast_engine::runs::{Asked, Outcome};
use steadfast_engine::{EngineError, File, Rules, trace};
use steadfast_render::{Colour, Texts};
use steadfast_wire::review::{CriterionStatus, Recommendation, Review};

use crate::args::Format;
use crate::audit::colour;
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::record::{Recorder, mark};
use crate::settings::{Place, ReviewGates, ReviewSettings};
use crate::talk::{Talk, legible};
use crate::{input, output, wait};

/// Prints what to tell a sub-agent.
pub(crate) fn convention() -> Result<Status, Failure> {
    output::to_stdout(CONVENTION)?;
    Ok(Status::Passed)
}

/// Reads an output, asks the engine, writes, and says how it ended.
pub(crate) fn review(settings: ReviewSettings, rules: Rules, talk: &Talk) -> Result<Status, Failure> {
    let criteria = match &settings.criteria {
        None => Vec::new(),
        Some(place) => criteria(place)?,
    };
    let (file, path) = input::output(&settings.file)?;
    let read: Vec<_> = path.into_iter().chain(settings.criteria.as_ref().and_then(Place::path)).collect();
    let outputs: Vec<_> = settings.output.clone().into_iter().collect();
    output::spare(&read, &outputs.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    if settings.pass_through {
        // Before anything else can fail: who stands behind gets what the agent wrote.
        output::bytes_to_stdout(&file.bytes)?;
    }
    let exports = Exports::new(settings.export);
    let mut recorder = Recorder::begin(settings.store.as_deref(), &exports, &read, &outputs)?;
    let embedder = settings.embedder.map(crate::embedder::load).transpose()?;
    mark(&mut recorder, "load");
    let message = (!talk.quiet && !settings.pass_through).then(|| format!("reviewing {}", legible(&file.name)));
    let request = ReviewRequest {
        criteria,
        threshold: settings.threshold,
        profile: settings.profile,
        summary_tokens_max: settings.summary_tokens,
        embedder,
        rules,
        ..ReviewRequest::new(file)
    };
    let asked = asked(&request, &settings.gates).about(settings.agent);
    let mut outcome = match wait::wait(steadfast_engine::review::review(request), message) {
        // What is no text holds no block.
        Err(EngineError::NotText { .. }) if settings.pass_through => return Ok(Status::Passed),
        outcome => outcome?,
    };
    mark(&mut recorder, "review");
    if settings.pass_through && outcome.not_evaluable.is_some() {
        return Ok(Status::Passed);
    }
    let failures = failures(&outcome.review, &settings.gates);
    let status = match &outcome.not_evaluable {
        Some(_) => Status::NotEvaluable,
        None if failures.is_empty() => Status::Passed,
        None => Status::Gate,
    };
    if let Some(recorder) = recorder {
        let text = outcome.texts.values().next().map_or("", String::as_str);
        let kept = Outcome::review(&outcome.review, text)?;
        let tells_itself = settings.format == Format::Json && !settings.pass_through;
        let review = &mut outcome.review;
        review.run = recorder.end(&asked, kept, status, tells_itself, *talk, |about| trace::review(review, about))?;
    }
    match &settings.output {
        Some(path) => output::to_files(&[(path.clone(), render(&outcome, settings.format, Colour::Off)?)])?,
        None if settings.pass_through => {}
        None => output::to_stdout(&render(&outcome, settings.format, colour(true))?)?,
    }
    if let Some(error) = outcome.not_evaluable {
        exports.send(*talk);
        return Err(error.into());
    }
    let own = &outcome.review;
    if settings.pass_through {
        let score = own.score.map_or_else(String::new, |score| format!(", score {score:.2}"));
        talk.note(&format!("{}: {}{score}", own.task_id, own.recommendation.label()));
    }
    for failure in &failures {
        talk.gate(failure);
    }
    exports.send(*talk);
    Ok(status)
}

/// What a review was asked for, and what had to hold.
fn asked(request: &ReviewRequest, gates: &ReviewGates) -> Asked {
    Asked::review(request)
        .with("fail_below", gates.fail_below)
        .with("fail_on_recommendation", gates.recommendation.map(Recommendation::name))
        .with("fail_on_contradiction", gates.contradiction)
        .with("fail_on_criteria", gates.criteria)
}

/// Reads acceptance criteria.
fn criteria(place: &Place) -> Result<Vec<String>, Failure> {
    let file: File = input::criteria(place)?;
    let text = steadfast_engine::intake::text(&file.name, &file)?;
    let criteria = criteria_of(text);
    if criteria.is_empty() {
        return Err(Failure::usage(format!("{}: holds no criteria", file.name)).hint("criteria are lines of text"));
    }
    Ok(criteria)
}

fn render(outcome: &ReviewOutcome, format: Format, shade: Colour) -> Result<String, Failure> {
    let review = &outcome.review;
    let texts = Texts { files: outcome.texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect() };
    Ok(match format.form() {
        None => steadfast_wire::to_json(review)?,
        Some(form) => steadfast_render::review::drawn(review, &texts, form, shade)?,
    })
}

/// The gates that a review does not pass, in a fixed order.
fn failures(review: &Review, gates: &ReviewGates) -> Vec<String> {
    let mut out = Vec::new();
    if let (Some(fail_below), Some(score)) = (gates.fail_below, review.score)
        && score < fail_below
    {
        out.push(format!("the score is {score:.2} (--fail-below {fail_below})"));
    }
    let rank = |it: Recommendation| match it {
        Recommendation::Approve => 0,
        Recommendation::Review => 1,
        Recommendation::RequestRevision => 2,
    };
    if let Some(worst) = gates.recommendation.filter(|worst| rank(review.recommendation) >= rank(*worst)) {
        out.push(format!("the recommendation is {} (--fail-on recommendation={worst})", review.recommendation));
    }
    if gates.contradiction && !review.contradictions.is_empty() {
        out.push(format!("{} claims are false (--fail-on contradiction)", review.contradictions.len()));
    }
    let open = review.criteria.iter().filter(|it| it.status != CriterionStatus::Met).count();
    if gates.criteria && open > 0 {
        out.push(format!(
            "{open} of {} criteria are not met or not reported (--fail-on criteria)",
            review.criteria.len()
        ));
    }
    out
}
