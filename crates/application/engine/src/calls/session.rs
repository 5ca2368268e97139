//! The call that keeps the session of an agent: what code says of its log, one record for each session.

use std::sync::Arc;

use steadfast_wire::review::Review;
use steadfast_wire::sessions::{KeptSession, SessionCapture, SessionVerdict};

use super::record::{FAILED, PASSED, begin, keep, mark};
use super::{Host, Refusal, blocking, store};
use crate::intake::File;
use crate::review::{ReviewRequest, report_of};
use crate::runs::{Asked, Outcome};
use crate::{sessions, trace};

/// Reviews the log of a session by rules, and keeps what comes of it in the place of what was kept of the same session before. What a hook
/// keeps is forgotten after a while.
///
/// # Errors
/// [`Refusal`]: a log that cannot be read or in which the agent says nothing, a host that keeps nothing, a record that cannot be kept.
pub async fn keep_session(
    host: &Arc<dyn Host>,
    log: File,
    capture: SessionCapture,
    by_hook: bool,
) -> Result<KeptSession, Refusal> {
    let kept_in = store(&**host)?;
    let mut recorder = begin(&**host)?;
    let own = log.clone();
    let report = blocking(host, move || Ok(report_of(&own)?)).await?;
    mark(&mut recorder, "load");
    let mut request = ReviewRequest::new(report);
    request.session = Some((log, true));
    let asked = Asked::review(&request).with("capture", capture.name()).with(sessions::BY_HOOK, by_hook);
    let mut review = crate::review::review(request, None).await?.review;
    mark(&mut recorder, "review");
    review.task_id = sessions::id_of(&review);
    if capture == SessionCapture::Refs {
        sessions::references_alone(&mut review);
    }
    let said = SessionVerdict::of(&review);
    let status = if said.is_against() { FAILED } else { PASSED };
    let outcome = Outcome::session(&review, said)?;
    let traced: &Review = &review;
    let run = keep(host, recorder, asked, outcome, status, |about| trace::review(traced, about)).await?;
    let run = run.ok_or_else(|| Refusal::input("the session was not kept"))?;
    let told = sessions::told(&review, &run.id, &run.started);
    let own = told.clone();
    blocking(host, move || Ok(sessions::replace(&*kept_in, &own.id, &own.file, &own.run)?)).await?;
    Ok(told)
}
