//! `steadfast review` and `review convention`.

use steadfast_engine::review::{CONVENTION, ReviewOutcome, ReviewRequest, criteria_of};
use steadfast_engine::{EngineError, File};
use steadfast_render::review as draw;
use steadfast_render::{Colour, Texts};
use steadfast_wire::review::{CriterionStatus, Recommendation, Review};

use crate::args::Format;
use crate::audit::colour;
use crate::exit::{Failure, Status};
use crate::settings::{Place, ReviewGates, ReviewSettings};
use crate::talk::{Talk, legible};
use crate::{input, output, wait};

/// Prints what to tell a sub-agent.
pub(crate) fn convention() -> Result<Status, Failure> {
    output::to_stdout(CONVENTION)?;
    Ok(Status::Passed)
}

/// Reads an output, asks the engine, writes, and says how it ended.
pub(crate) fn review(settings: &ReviewSettings, talk: &Talk) -> Result<Status, Failure> {
    let criteria = match &settings.criteria {
        None => Vec::new(),
        Some(place) => criteria(place)?,
    };
    let (file, path) = input::output(&settings.file)?;
    let read: Vec<_> = path.into_iter().chain(settings.criteria.as_ref().and_then(Place::path)).collect();
    output::spare(&read, &settings.output.as_deref().into_iter().collect::<Vec<_>>())?;
    if settings.pass_through {
        // Before anything else can fail: who stands behind gets what the agent wrote.
        output::bytes_to_stdout(&file.bytes)?;
    }
    let embedder = settings.embedder.map(crate::embedder::load).transpose()?;
    let message = (!talk.quiet && !settings.pass_through).then(|| format!("reviewing {}", legible(&file.name)));
    let request = ReviewRequest {
        criteria,
        threshold: settings.threshold,
        profile: settings.profile,
        summary_tokens_max: settings.summary_tokens,
        embedder,
        ..ReviewRequest::new(file)
    };
    let outcome = match wait::wait(steadfast_engine::review::review(request), message) {
        // What is no text holds no block.
        Err(EngineError::NotText { .. }) if settings.pass_through => return Ok(Status::Passed),
        outcome => outcome?,
    };
    let silent = settings.pass_through && outcome.not_evaluable.is_some();
    match &settings.output {
        _ if silent => {}
        Some(path) => output::to_files(&[(path.clone(), render(&outcome, settings.format, Colour::Off)?)])?,
        None if settings.pass_through => {}
        None => output::to_stdout(&render(&outcome, settings.format, colour(true))?)?,
    }
    if silent {
        return Ok(Status::Passed);
    }
    if let Some(error) = outcome.not_evaluable {
        return Err(error.into());
    }
    let own = &outcome.review;
    if settings.pass_through {
        let score = own.score.map_or_else(String::new, |score| format!(", score {score:.2}"));
        talk.note(&format!("{}: {}{score}", own.task_id, own.recommendation.label()));
    }
    let failures = failures(own, &settings.gates);
    for failure in &failures {
        talk.gate(failure);
    }
    Ok(if failures.is_empty() { Status::Passed } else { Status::Gate })
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
    Ok(match format {
        Format::Text => draw::text(review, &texts, shade),
        Format::Json => steadfast_wire::to_json(review)?,
        Format::Md => draw::markdown(review, &texts),
        Format::Html => draw::html(review, &texts)?,
        Format::Junit => draw::junit(review, &texts)?,
        Format::Sarif => draw::sarif(review, &texts)?,
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
