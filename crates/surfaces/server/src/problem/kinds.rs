//! All problems by their names, which never change their meaning.

use axum::http::StatusCode;

/// A kind of problem.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// The last part of its `type`.
    pub(crate) name: &'static str,
    pub(crate) status: StatusCode,
    /// In words.
    pub(crate) title: &'static str,
    /// What it means, and what to do about it.
    pub(crate) about: &'static str,
}

macro_rules! kinds {
    ($( $constant:ident = $status:ident, $name:literal, $title:literal, $about:literal; )+) => {
        $( pub(crate) static $constant: Kind =
            Kind { name: $name, status: StatusCode::$status, title: $title, about: $about }; )+

        /// All of them, by their status.
        pub(crate) static ALL: &[&Kind] = &[$( &$constant, )+];
    };
}

kinds! {
    BAD_REQUEST = BAD_REQUEST, "bad-request", "the request cannot be read",
        "The request is not what HTTP asks for: a header or a query that cannot be read, or a body that does not end as it should.";
    MALFORMED = BAD_REQUEST, "malformed-json", "the body is not JSON",
        "The body stops being JSON at `line` and `column`.";
    NO_KEY = UNAUTHORIZED, "no-key", "a key is needed",
        "This server answers only to keys. Send `Authorization: Bearer sfk_…`; `steadfast key create` makes one.";
    SCOPE = FORBIDDEN, "scope", "the key may not do this",
        "Keys have a scope: `read` may read, `write` may also have work done and stored, `admin` may also delete. This needs a wider one.";
    FOREIGN_HOST = FORBIDDEN, "foreign-host", "the server is not called by this name",
        "The `Host` of the request is not one of this server's names, as it is where a page of somebody else has its own name lead here. \
         `steadfast serve --host NAME` allows a name.";
    CROSS_SITE = FORBIDDEN, "cross-site", "the request comes from another site",
        "The `Origin` or `Sec-Fetch-Site` of the request says that a page of another site made it. This server answers its own pages and \
         programs that are no browsers.";
    NOT_FOUND = NOT_FOUND, "not-found", "there is nothing at this path",
        "No route of the server has this path. `/openapi.json` lists those that there are.";
    NOT_STORED = NOT_FOUND, "not-stored", "nothing of this name is kept",
        "The store holds no run, task, prompt, selection or job of this name.";
    METHOD = METHOD_NOT_ALLOWED, "method-not-allowed", "the path does not take this method",
        "The header `Allow` names the methods that it takes.";
    NOT_ACCEPTABLE = NOT_ACCEPTABLE, "not-acceptable", "no form that is accepted can be given",
        "The `Accept` of the request names no form that this route gives.";
    TOO_SLOW = REQUEST_TIMEOUT, "too-slow", "the body came too slowly",
        "A body has to come at a least rate; what it brought was thrown away.";
    CONFLICT = CONFLICT, "conflict", "something else is under way",
        "The same thing is being done already, or what is asked for does not go with what is there.";
    TOO_LARGE = PAYLOAD_TOO_LARGE, "too-large", "the request is too large",
        "The body, or what it inflates to, is larger than this route takes. The document of the API names the limit.";
    MEMORY = PAYLOAD_TOO_LARGE, "too-much-memory", "the work takes too much memory",
        "To judge what was given takes more memory than the work on one request may. Give less at a time.";
    MEDIA = UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "the body has a form that is not taken",
        "The `Content-Type` or `Content-Encoding` of the request is none of those that this route takes.";
    INVALID = UNPROCESSABLE_ENTITY, "invalid", "the request does not keep to its schema",
        "A member of the body (`pointer`) or a query parameter (`parameter`) is missing, unknown, of another type, too long or too deep.";
    UNUSABLE = UNPROCESSABLE_ENTITY, "unusable", "what was given cannot be used",
        "The request keeps to its schema, but what it holds cannot be used: `detail` says what, `hint` what to do about it.";
    NOT_EVALUABLE = UNPROCESSABLE_ENTITY, "not-evaluable", "there is nothing to evaluate",
        "What was given holds nothing that could be judged. This is never a pass and never a number.";
    IDEMPOTENCY = UNPROCESSABLE_ENTITY, "idempotency-key", "the key was used for another request",
        "An `Idempotency-Key` stands for one request. The same key came with another body.";
    TOO_MANY = TOO_MANY_REQUESTS, "too-many-requests", "too many requests",
        "This caller sends more requests than it may. `Retry-After` says when to come again.";
    INTERNAL = INTERNAL_SERVER_ERROR, "internal", "the server failed",
        "A fault of the server. What it wrote on its stderr under the request's id says more.";
    UNAVAILABLE = SERVICE_UNAVAILABLE, "unavailable", "something that is needed is not there",
        "A model, the store or the machine could not do its part. `Retry-After` says when to come again.";
    WORKER = SERVICE_UNAVAILABLE, "worker-exited", "the worker that judged this exited",
        "Texts are judged in worker processes. The worker that had this request exited, and so did a second one that had nothing else. The \
         server goes on; sending the same request again will most likely end the same way.";
    BUSY = SERVICE_UNAVAILABLE, "busy", "the server has enough to do",
        "As many requests run and wait as the server takes. `Retry-After` says when to come again.";
    TIMEOUT = SERVICE_UNAVAILABLE, "timeout", "the work took too long",
        "The work took longer than a request may. Give less at a time, or use a job.";
    FULL = INSUFFICIENT_STORAGE, "full", "there is no room left",
        "The disk of the store takes no more. What was kept before is there and can be read; nothing new is kept until there is room.";
}

/// The one of a name.
pub(crate) fn of_name(name: &str) -> Option<&'static Kind> {
    ALL.iter().find(|kind| kind.name == name).copied()
}

/// The one that stands for a status that nobody said more about.
pub(crate) fn of_status(status: StatusCode) -> Option<&'static Kind> {
    ALL.iter().find(|kind| kind.status == status).copied()
}
