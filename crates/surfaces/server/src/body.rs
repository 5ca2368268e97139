//! Bodies: read within limits on their length, on how slowly they may come, and on what all of them together may hold.

mod inflate;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use hyper::body::Body as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use crate::app::App;
use crate::problem::kinds::{BAD_REQUEST, BUSY, MEDIA, TOO_LARGE, TOO_SLOW};
use crate::problem::{Problem, RETRY_SECONDS};
use crate::routes::{Media, Route};

/// Seconds that any body may take.
const BODY_SECONDS: u64 = 10;

/// Bytes a second that a body has to come at beyond them.
const BODY_BYTES_PER_SECOND: u64 = 32 * 1024;

/// Bytes that all bodies hold which are being read or worked on.
const BODIES_BYTES_MAX: usize = 160 * 1024 * 1024;

/// Bytes of one place of that room.
const ROOM_BYTES: usize = 1024;

/// The room that bodies share.
pub(crate) struct MemoryBudget(Arc<Semaphore>);

impl Default for MemoryBudget {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(BODIES_BYTES_MAX / ROOM_BYTES)))
    }
}

impl MemoryBudget {
    /// Bytes that bodies hold, in whole places.
    pub(crate) fn held_bytes(&self) -> usize {
        (BODIES_BYTES_MAX / ROOM_BYTES).saturating_sub(self.0.available_permits()) * ROOM_BYTES
    }
}

/// The room of one body. It is free again when this is dropped.
#[derive(Default)]
pub(crate) struct MemoryPermit {
    places: Option<OwnedSemaphorePermit>,
    bytes: usize,
}

impl MemoryPermit {
    /// Makes room for so many bytes more.
    fn grow(&mut self, rooms: &Arc<Semaphore>, bytes: usize) -> Result<(), Problem> {
        let held = self.places.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        self.bytes += bytes;
        let missing = self.bytes.div_ceil(ROOM_BYTES).saturating_sub(held);
        if missing == 0 {
            return Ok(());
        }
        let count = u32::try_from(missing).unwrap_or(u32::MAX);
        let places = Arc::clone(rooms).try_acquire_many_owned(count).map_err(|_| {
            Problem::of(&BUSY, "the bodies of other requests hold all the room that there is").retry(RETRY_SECONDS)
        })?;
        match &mut self.places {
            Some(own) => own.merge(places),
            none => *none = Some(places),
        }
        Ok(())
    }
}

/// Reads the body of a request; what it is, is `None` where the route takes none.
pub(crate) async fn read(
    app: &App,
    route: &Route,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Option<Media>, Bytes, MemoryPermit), Problem> {
    if route.takes.is_empty() {
        if !body.is_end_stream() {
            return Err(Problem::of(&BAD_REQUEST, "this route takes no body"));
        }
        return Ok((None, Bytes::new(), MemoryPermit::default()));
    }
    let media = media(route, headers)?;
    let is_gzip = is_gzip(headers)?;
    let limit = route.body_bytes_max;
    if body.size_hint().lower() > limit as u64 {
        return Err(too_large(limit));
    }
    let mut room = MemoryPermit::default();
    let body = collect(&app.rooms.0, &mut room, body, limit).await?;
    if !is_gzip {
        return Ok((Some(media), body, room));
    }
    let rooms = Arc::clone(&app.rooms.0);
    let inflated = tokio::task::spawn_blocking(move || {
        let text = inflate::inflate(&body, limit, |bytes| room.grow(&rooms, bytes))?;
        Ok::<_, Problem>((Bytes::from(text), room))
    });
    let (text, room) = inflated.await.map_err(|error| Problem::fault(error.to_string()))??;
    Ok((Some(media), text, room))
}

/// Reads what a form of a page sends, within the same limits.
pub(crate) async fn form(app: &App, body: Body, limit: usize) -> Result<(Bytes, MemoryPermit), Problem> {
    if body.size_hint().lower() > limit as u64 {
        return Err(too_large(limit));
    }
    let mut room = MemoryPermit::default();
    let body = collect(&app.rooms.0, &mut room, body, limit).await?;
    Ok((body, room))
}

async fn collect(
    rooms: &Arc<Semaphore>,
    room: &mut MemoryPermit,
    mut body: Body,
    limit: usize,
) -> Result<Bytes, Problem> {
    let begun = Instant::now();
    let mut first: Option<Bytes> = None;
    let mut all: Vec<u8> = Vec::new();
    let mut length = 0_usize;
    loop {
        let patience = Duration::from_secs(BODY_SECONDS + length as u64 / BODY_BYTES_PER_SECOND);
        let next = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let frame = match timeout_at(begun + patience, next).await {
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => return Err(Problem::of(&BAD_REQUEST, format!("the body breaks off: {error}"))),
            Ok(None) => break,
            Err(_) => {
                let what = format!("{length} bytes came in {} seconds", begun.elapsed().as_secs());
                return Err(Problem::of(&TOO_SLOW, what));
            }
        };
        let Ok(data) = frame.into_data() else { continue };
        length += data.len();
        if length > limit {
            return Err(too_large(limit));
        }
        room.grow(rooms, data.len())?;
        // A body of one piece is not copied.
        match first.take() {
            None if all.is_empty() => first = Some(data),
            None => all.extend_from_slice(&data),
            Some(before) => {
                all.extend_from_slice(&before);
                all.extend_from_slice(&data);
            }
        }
    }
    Ok(first.unwrap_or_else(|| Bytes::from(all)))
}

fn too_large(limit: usize) -> Problem {
    Problem::of(&TOO_LARGE, format!("the body holds more than the {limit} bytes that this route takes"))
}

/// What a body is, by its `Content-Type`.
fn media(route: &Route, headers: &HeaderMap) -> Result<Media, Problem> {
    let forms: Vec<&str> = route.takes.iter().map(|own| own.media.name()).collect();
    let hint = format!("send it with `Content-Type: {}`", forms.join("` or `"));
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        return Err(Problem::of(&MEDIA, "the request names no `Content-Type`").hint(hint));
    };
    let value = value.to_str().unwrap_or_default();
    let mut parts = value.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let found = route.takes.iter().find(|own| essence.eq_ignore_ascii_case(own.media.name()));
    let charset = parts.find_map(|own| own.split_once('=').filter(|(name, _)| name.eq_ignore_ascii_case("charset")));
    let is_utf8 = charset.is_none_or(|(_, value)| {
        let value = value.trim_matches('"');
        value.eq_ignore_ascii_case("utf-8") || value.eq_ignore_ascii_case("utf8")
    });
    match found {
        Some(own) if is_utf8 => Ok(own.media),
        Some(_) => Err(Problem::of(&MEDIA, "texts are read in UTF-8 alone").hint(hint)),
        None => Err(Problem::of(&MEDIA, format!("`{}` is not taken here", crate::query::shown(essence))).hint(hint)),
    }
}

fn is_gzip(headers: &HeaderMap) -> Result<bool, Problem> {
    let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let (Some(coding), None) = (codings.next(), codings.next()) else {
        return if headers.contains_key(header::CONTENT_ENCODING) {
            Err(Problem::of(&MEDIA, "the body is coded more than once").hint("send it as it is, or as `gzip`"))
        } else {
            Ok(false)
        };
    };
    match coding.to_str().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "identity" | "" => Ok(false),
        "gzip" | "x-gzip" => Ok(true),
        other => {
            let what = format!("the coding `{}` is not read", crate::query::shown(other));
            Err(Problem::of(&MEDIA, what).hint("send it as it is, or as `gzip`"))
        }
    }
}
