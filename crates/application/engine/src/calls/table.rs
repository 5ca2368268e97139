//! The table of calls: each use case once, for every door that takes JSON.
//!
//! Routes, tools, their schemas and the document of the API are made from these rows. A new use case is a type in [`steadfast_wire::request`], its function here, and a
//! row.

use std::pin::Pin;
use std::sync::Arc;

use steadfast_wire::api::{Components, Described, Fields, members};
use steadfast_wire::call::{Answer, Arguments, Call, Request, Schema, Unfit, arguments_schema, from_arguments};
use steadfast_wire::{Malformed, from_body, request, schema};

use super::{Host, Refusal};

/// Whether anybody still waits for the answer: long work asks between two pieces of it, and what reads texts at every portion of steps.
pub use steadfast_steps::Flag as Stopped;

/// A request, and the work that answers it.
pub trait UseCase: Request {
    /// Answers the request.
    ///
    /// # Errors
    /// [`Refusal`]
    fn answer(
        self,
        host: Arc<dyn Host>,
        stopped: Stopped,
    ) -> impl Future<Output = Result<Self::Answer, Refusal>> + Send;
}

/// Work under way, on the heap.
pub type Working = Pin<Box<dyn Future<Output = Result<Answer, Refusal>> + Send>>;

/// A request that was read, whatever its type.
pub trait Prepared: Send {
    /// What HTTP refuses beside what the type says.
    ///
    /// # Errors
    /// [`Unfit`]
    fn fit_for_http(&self) -> Result<(), Unfit>;

    /// Bounds what a tool gives, where the caller does not say how much it wants.
    fn for_tool(&mut self);

    /// Answers the request.
    fn run(self: Box<Self>, host: Arc<dyn Host>, stopped: Stopped) -> Working;
}

impl<U: UseCase> Prepared for U {
    fn fit_for_http(&self) -> Result<(), Unfit> {
        Request::fit_for_http(self)
    }

    fn for_tool(&mut self) {
        Request::for_tool(self);
    }

    fn run(self: Box<Self>, host: Arc<dyn Host>, stopped: Stopped) -> Working {
        Box::pin(async move {
            let fields = match Request::fields(&*self) {
                None => None,
                Some([]) => {
                    let refusal = Refusal::input("`fields` names nothing");
                    return Err(refusal.hint("leave it out for the whole result"));
                }
                Some(names) => Some(
                    Fields::of(names, members::<U::Answer>)
                        .map_err(|unknown| Refusal::input(format!("`fields` {unknown}")))?,
                ),
            };
            Ok(Answer::of((*self).answer(host, stopped).await?, fields))
        })
    }
}

/// Reads a request from the body of a route.
pub type ReadBody = fn(&[u8]) -> Result<Box<dyn Prepared>, Malformed>;

/// Reads a request from the arguments of a tool.
pub type ReadArguments = fn(Arguments) -> Result<Box<dyn Prepared>, String>;

/// A use case, for doors that take JSON.
#[derive(Debug)]
pub struct Row {
    /// What it is called at each door.
    pub call: Call,
    /// The schema of a tool's arguments, with everything inlined.
    pub arguments: fn() -> Schema,
    /// The schema of the answer.
    pub result: fn() -> Schema,
    /// The request in the document of the API.
    pub described_request: Described,
    /// The answer in the document of the API.
    pub described_answer: Described,
    /// The members of the answer, by name.
    pub members: fn() -> Vec<String>,
    /// Reads a request from the body of a route.
    pub read: ReadBody,
    /// Reads a request from the arguments of a tool.
    pub read_arguments: ReadArguments,
}

const fn row<U: UseCase>() -> Row {
    Row {
        call: U::CALL,
        arguments: arguments_schema::<U>,
        result: schema::<U::Answer>,
        described_request: Components::of::<U>,
        described_answer: Components::of::<U::Answer>,
        members: members::<U::Answer>,
        read: |body| from_body::<U>(body).map(|request| -> Box<dyn Prepared> { Box::new(request) }),
        read_arguments: |arguments| {
            from_arguments::<U>(arguments).map(|request| -> Box<dyn Prepared> { Box::new(request) })
        },
    }
}

/// All of them, in the order in which tools are listed.
pub static TABLE: &[Row] = &[
    row::<request::Audit>(),
    row::<request::AuditContract>(),
    row::<request::AuditUndecided>(),
    row::<request::Lint>(),
    row::<request::AuditCompare>(),
    row::<request::Plan>(),
    row::<request::PlanCheck>(),
    row::<request::PlanConstraints>(),
    row::<request::Watch>(),
    row::<request::WatchCompare>(),
    row::<request::Review>(),
    row::<request::ReviewUndecided>(),
    row::<request::FullPayload>(),
    row::<request::Flag>(),
    row::<request::Pick>(),
    row::<request::VaultSearch>(),
    row::<request::Feedback>(),
];
